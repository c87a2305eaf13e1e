// The service worker keeps a whole build of the site, so that it opens without a network. A newer build is offered, and taken
// when the reader says so: then all pages of this browser are loaded again, and no page is made of two builds.
"use strict";
(() => {
  const lang = new URLSearchParams(location.search).get("lang"), lobby = document.querySelector(".nk-lobby"); // each language has its page
  if (lobby && lang && lang !== lobby.lang) return location.replace(lang === "en" ? "index.html" : `index.${lang}.html`);
  const worker = navigator.serviceWorker;
  if (!worker) return;
  const OFTEN = 3600000; // ms until a page that is looked at again asks whether there is a newer build
  let kept = !!worker.controller, loading = false, asked = Date.now();
  const mine = async () => (await (await fetch(location.href)).text()).includes(`data-nk-build="${document.documentElement.dataset.nkBuild}"`);
  const again = () => {
    if (!loading) (window.navalkitLite ?? location).reload();
    loading = true;
  };
  worker.addEventListener("controllerchange", async () => {
    const first = !kept; // what has just been kept is what this page came from, unless the site changed meanwhile
    kept = true;
    if (!first || !(await mine().catch(() => true))) again();
  });
  // Another page may have taken a newer build while this one was on its way, with nobody here yet to hear of it.
  addEventListener("load", async () => { if (worker.controller && !(await mine().catch(() => true))) again(); });
  const offer = (found) => {
    const notice = document.getElementById("nk-update");
    if (!notice || !worker.controller) return;
    notice.hidden = false;
    const [take, later] = notice.querySelectorAll("button");
    take.onclick = () => found.waiting?.postMessage("take");
    if (later) later.onclick = () => { notice.hidden = true; }; // it is offered again where a page is opened next
  };
  const begin = () => navigator.connection?.saveData || worker.register("sw.js").then((found) => {
    if (found.waiting) offer(found);
    document.addEventListener("visibilitychange", () => { // browsers ask when a page is opened, and this one may stay open for days
      if (document.hidden || Date.now() - asked < OFTEN) return;
      asked = Date.now();
      found.update().catch(() => {});
    });
    found.addEventListener("updatefound", () => {
      const coming = found.installing;
      coming?.addEventListener("statechange", () => coming.state === "installed" && offer(found));
    });
  }).catch(() => { /* a private window, or no https: the site works as long as there is a network */ });
  // The first board comes first: what else is kept is fetched afterwards.
  if (document.getElementById("nk-loading")) addEventListener("navalkit:ready", () => setTimeout(begin, 1000));
  else addEventListener("load", begin);
})();
