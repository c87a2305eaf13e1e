// The page's worker starts before anything else of the page is read: Python is the longest of all that is waited for.
"use strict";
(() => {
  const { nkPage: page, nkBytes: whole } = document.documentElement.dataset, COLD = "navalkit:cold", MB = (bytes) => Math.ceil(bytes / 1e6);
  const $ = (selector) => document.querySelector(selector), query = new URLSearchParams(location.search);
  let how = "warm", lang = query.get("lang"), own = false, got = 0;
  try {
    if (sessionStorage.getItem(COLD)) how = "cold";
    sessionStorage.removeItem(COLD);
    lang ??= localStorage.getItem("navalkit:lang");
    own = !!sessionStorage.getItem(`navalkit:journal:${location.pathname}${location.search}`);
  } catch { /* none kept */ }
  const early = [];
  // A page that was opened, and is loaded once more before anybody has seen it, was opened still (bridge.js).
  const reload = () => {
    try {
      const { state } = history, opened = performance.getEntriesByType("navigation")[0]?.type === "navigate";
      if (opened && !lite.seen) history.replaceState({ ...state, navalkit: { ...state?.navalkit, opened: true } }, "");
    } catch { /* then it is one that was loaded again */ }
    location.reload();
  };
  addEventListener("navalkit:ready", () => { lite.seen = true; });
  const lite = (window.navalkitLite = { reload, early, hear: (message) => early.push(message), how, post: (...args) => lite.worker.postMessage(...args) });
  const there = new Promise((done) => document.addEventListener("DOMContentLoaded", done));
  // While a page loads, what is to be kept for later waits (sw.js).
  const keeping = (how) => navigator.serviceWorker?.getRegistration().then((found) => found?.installing?.postMessage(how)).catch(() => {});
  keeping("wait");
  addEventListener("navalkit:ready", () => keeping("go on"));
  const fetched = () => {
    const bar = $("#nk-progress");
    if (!bar || !lite.said) return;
    const share = how === "warm" ? Math.min(1, got / Number(whole)) : 0;
    bar.value = Math.max(bar.value, share * 85);
    if (!lite.ready && share && share < 1) {
      $("#nk-stage").textContent = lite.said.fetching;
      $("#nk-stage-detail").textContent = lite.said.fetched.replace("{got}", MB(got)).replace("{whole}", MB(whole));
    } else if ($("#nk-stage").textContent === lite.said.fetching) {
      $("#nk-stage").textContent = lite.said.stage;
      $("#nk-stage-detail").textContent = lite.said.detail;
    }
  };
  async function failed(message) {
    // A snapshot that this browser cannot take up: once more, without, if the page can be had; else the network broke off.
    if (how === "warm" && !lite.ready) {
      const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
      try { if (answer?.ok) { sessionStorage.setItem(COLD, "1"); return reload(); } } catch { /* then it is said */ }
      if (!answer?.ok) await broken();
    }
    lite.hear(message);
  }
  async function broken() { // said here: main.js may not have come
    await there;
    document.documentElement.dataset.nkLine = "stuck";
    const notice = $("#nk-lost");
    notice.hidden = false;
    for (const part of notice.children) part.hidden = !part.dataset.nkWhen?.includes("stuck");
    notice.querySelector("p[data-nk-when=stuck]").textContent = lite.said.broken;
  }
  addEventListener("error", ({ target }) => target.tagName === "SCRIPT" && !lite.ready && broken(), true);
  const worker = (lite.worker = new Worker("worker.js", { name: `${how} ${page}` }));
  const given = (message) => {
    if (message.got) { got = message.got; return fetched(); }
    if (message.failed) return failed(message);
    lite.ready ||= message.ready;
    if (message.ready) fetched();
    lite.hear(message);
  };
  worker.onmessage = (event) => given(event.data);
  worker.onerror = (event) => given({ failed: event.message || "the worker could not be started" });
  worker.postMessage({ begin: location.search.slice(1) });
  there.then(() => {
    const said = JSON.parse($("#nk-loading").dataset.nkSaid), picture = $("#nk-loading img");
    lite.said = said[lang] ?? said.en;
    $("#nk-stage").textContent = lite.said.stage;
    $("#nk-stage-detail").textContent = lite.said.detail;
    $("#nk-loading").ariaLabel = lite.said.loading;
    $("#nk-progress").ariaLabel = lite.said.progress;
    fetched();
    query.delete("lang");
    if (picture && !own && `${query}` === "first=1") picture.src = picture.dataset.first;
    else if (own || `${query}`) picture?.remove(); // of another game
    worker.postMessage({ show: $("#nk-code").textContent });
  });
})();
