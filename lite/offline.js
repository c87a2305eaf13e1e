// The service worker keeps a whole build of the site, so that it opens without a network. A newer build is offered, and taken
// when the reader says so: then all pages of this browser are loaded again, and no page is made of two builds.
"use strict";
(() => {
  const lang = new URLSearchParams(location.search).get("lang"), lobby = document.querySelector(".nk-lobby"); // each language has its page
  if (lobby && lang && lang !== lobby.lang) return location.replace(lang === "en" ? "index.html" : `index.${lang}.html`);
  const worker = navigator.serviceWorker;
  if (!worker) return;
  let kept = !!worker.controller, loading = false;
  const mine = async () => (await (await fetch(location.href)).text()).includes(`data-nk-build="${document.documentElement.dataset.nkBuild}"`);
  worker.addEventListener("controllerchange", async () => {
    const first = !kept; // what has just been kept is what this page came from, unless the site changed meanwhile
    kept = true;
    if ((first && await mine().catch(() => true)) || loading) return;
    loading = true;
    location.reload();
  });
  const offer = (found) => {
    const notice = document.getElementById("nk-update");
    if (!notice || !worker.controller) return;
    notice.hidden = false;
    notice.querySelector("button").onclick = () => found.waiting?.postMessage("take");
  };
  const begin = () => navigator.connection?.saveData || worker.register("sw.js").then((found) => {
    if (found.waiting) offer(found);
    found.addEventListener("updatefound", () => {
      const coming = found.installing;
      coming?.addEventListener("statechange", () => coming.state === "installed" && offer(found));
    });
  }).catch(() => { /* a private window, or no https: the site works as long as there is a network */ });
  // The first board comes first: what else is kept is fetched afterwards.
  if (document.getElementById("nk-loading")) addEventListener("navalkit:ready", () => setTimeout(begin, 1000));
  else addEventListener("load", begin);
})();
