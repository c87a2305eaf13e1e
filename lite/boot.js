// The page's worker starts before anything else of the page is read: Python is the longest of all that is waited for.
"use strict";
(() => {
  const { nkPage: page, nkBytes: whole } = document.documentElement.dataset, COLD = "navalkit:cold";
  let how = "warm";
  try { if (sessionStorage.getItem(COLD)) how = "cold"; sessionStorage.removeItem(COLD); } catch { /* none kept */ }
  const early = [];
  const lite = (window.navalkitLite = { early, hear: (message) => early.push(message), how, post: (...args) => lite.worker.postMessage(...args) });
  const stage = (share) => {
    const bar = document.getElementById("nk-progress");
    if (bar) bar.value = Math.max(bar.value, Math.min(85, share * 85));
  };
  const worker = (lite.worker = new Worker("worker.js", { name: `${how} ${page}` }));
  const given = (message) => {
    if (message.got) return stage(message.got / Number(whole));
    if (message.failed && how === "warm" && !lite.ready) { // a snapshot this browser cannot take up: once more, without
      try { sessionStorage.setItem(COLD, "1"); return location.reload(); } catch { /* then it is said */ }
    }
    lite.ready ||= message.ready;
    lite.hear(message);
  };
  worker.onmessage = (event) => given(event.data);
  worker.onerror = (event) => given({ failed: event.message || "the worker could not be started" });
  worker.postMessage({ begin: location.search.slice(1) });
  document.addEventListener("DOMContentLoaded", () => {
    let own = false;
    try { own = !!sessionStorage.getItem(`navalkit:journal:${location.pathname}${location.search}`); } catch { /* none kept */ }
    if (own || location.search.replace(/[?&]lang=[a-z]+/, "")) document.querySelector("#nk-loading img")?.remove(); // of another game
    worker.postMessage({ show: document.getElementById("nk-code").textContent });
  });
})();
