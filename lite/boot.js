// The page's worker starts before anything else of the page is read: Python is the longest of all that is waited for.
"use strict";
(() => {
  const { nkPage: page, nkBytes: whole } = document.documentElement.dataset;
  const early = [];
  const lite = (window.navalkitLite = { early, hear: (message) => early.push(message), how: "warm", post: (...args) => lite.worker.postMessage(...args) });
  const stage = (share) => {
    const bar = document.getElementById("nk-progress");
    if (bar) bar.value = Math.max(bar.value, Math.min(85, share * 85));
  };
  const start = (how) => {
    lite.how = how;
    const worker = (lite.worker = new Worker("worker.js", { name: `${how} ${page}` }));
    const given = (message) => {
      if (worker !== lite.worker) return;
      if (message.got) stage(message.got / Number(whole));
      else if (message.failed && how === "warm" && !lite.ready) { worker.terminate(); start("cold"); } // a snapshot this browser cannot take up
      else { lite.ready ||= message.ready; lite.hear(message); }
    };
    worker.onmessage = (event) => given(event.data);
    worker.onerror = (event) => given({ failed: event.message || "the worker could not be started" });
    worker.postMessage({ begin: location.search.slice(1) });
    if (lite.cells) worker.postMessage({ show: lite.cells });
  };
  start("warm");
  document.addEventListener("DOMContentLoaded", () => {
    let own = false;
    try { own = !!sessionStorage.getItem(`navalkit:journal:${location.pathname}${location.search}`); } catch { /* none kept */ }
    if (own || location.search.replace(/[?&]lang=[a-z]+/, "")) document.querySelector("#nk-loading img")?.remove(); // of another game
    lite.cells = document.getElementById("nk-code").textContent;
    lite.worker.postMessage({ show: lite.cells });
  });
})();
