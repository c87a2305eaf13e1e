// What every page of navalkit needs in the browser: theme, loading, leaving, keyboard and labels (connection.js: its line).
// Loaded before Voila's own scripts, so that its listeners come first. Nothing here knows a game.
"use strict";
(() => {
  const $ = (selector, root = document) => root.querySelector(selector);

  // ---- A tab that was made from another one (duplicated, or opened by a link) begins with that one's storage: if the other
  // is still there, what it has kept is not this one's.
  try {
    const fresh = () => [...crypto.getRandomValues(new Uint8Array(8))].join("."), me = fresh(), KEY = "navalkit:which-tab";
    const tabs = new BroadcastChannel(KEY), kept = sessionStorage.getItem(KEY);
    const take = (name) => sessionStorage.setItem(KEY, name);
    if (!kept) take(me);
    tabs.onmessage = ({ data: { is, from, to } }) => {
      if (from && is === sessionStorage.getItem(KEY)) tabs.postMessage({ to: from });
      else if (to === me) {
        for (const key of Object.keys(sessionStorage)) if (key.startsWith("navalkit:")) sessionStorage.removeItem(key);
        take(me);
      }
    };
    if (kept) tabs.postMessage({ is: kept, from: me });
  } catch { /* storage is off: then a tab keeps nothing */ }

  // anywidget gives a widget's module two seconds, and then leaves the widget out: a busy machine needs longer.
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => timeout(ms === 2000 ? 60000 : ms);

  // ---- Theme: one attribute on <html>; the stylesheet and the widgets follow it.
  const KEY = "navalkit:theme";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const contrast = matchMedia("(prefers-contrast: more)");
  const remembered = () => { try { return localStorage.getItem(KEY) || "auto"; } catch { return "auto"; } };

  function applyTheme(choice) {
    const auto = contrast.matches ? "contrast" : dark.matches ? "dark" : "light";
    const name = choice === "auto" ? auto : choice;
    document.documentElement.dataset.nkTheme = name;
    document.body?.setAttribute("data-jp-theme-light", String(name === "light"));
    window.dispatchEvent(new CustomEvent("navalkit:theme", { detail: name }));
  }
  for (const query of [dark, contrast]) query.addEventListener("change", () => applyTheme(remembered()));
  applyTheme(remembered());

  // ---- Loading: the page stays covered until something is drawn.
  function stage(text, detail, percent, ...keys) { // keys: of what a page without a server says in its own language (lite/boot.js)
    if (!$("#nk-loading") || "nkEarly" in document.documentElement.dataset) return; // no Python yet: the bar shows what is fetched
    const said = window.navalkitLite?.said ?? {};
    $("#nk-stage").textContent = said[keys[0]] ?? text;
    $("#nk-stage-detail").textContent = said[keys[1]] ?? detail;
    $("#nk-progress").value = percent;
  }
  const heartbeat = () => stage("Still reading the notebook", "– this cell takes its time.", $("#nk-progress")?.value);
  const process = (cell, cells) =>
    stage("Reading the notebook", `– cell ${cell} of ${cells} is done.`, 20 + (60 * cell) / cells);
  // The page comes piece by piece, each with a sign of how far it is.
  const pieces = new MutationObserver((changes) => {
    for (const node of changes.flatMap((change) => [...change.addedNodes])) {
      if (node.dataset?.nkCells) process(Number(node.getAttribute("cell-index")), Number(node.dataset.nkCells));
      else if (node.dataset && "nkBeat" in node.dataset) heartbeat();
    }
  });
  pieces.observe(document, { childList: true, subtree: true });

  const drawn = () => {
    const outputs = [...document.querySelectorAll("#nk-cells .jp-OutputArea-output")];
    return !$('#nk-cells script[type="application/vnd.voila.cell-output+json"]') &&
      outputs.every((output) => !/^(Loading widget\.\.\.)?$/.test(output.textContent.trim()) || $(".jupyter-widgets, canvas, img, svg", output));
  };
  const coming = () => [...document.querySelectorAll("#nk-cells .jp-OutputArea-output")].some((output) => output.textContent.trim() === "Loading widget...");
  // A browser under load may lose a widget for good as it loads them: such a page is loaded again (connection.js).
  const lost = () => $("#nk-cells .jupyter-widgets-error-widget") ||
    [...document.querySelectorAll("#nk-cells .jp-OutputArea-output")].some((output) => output.textContent.startsWith("Error displaying widget"));
  const uncover = () => {
    if (lost()) window.dispatchEvent(new Event("navalkit:widgets-lost"));
    $("#nk-loading")?.remove();
    window.dispatchEvent(new Event("navalkit:ready"));
  };
  window.voila_finish = () => {
    if (!$("#nk-loading") || !$("#nk-cells").hidden) return; // Voila's front end calls it once more
    if (config().baseUrl) token(config().baseUrl);
    $("#nk-cells").hidden = false; // widgets measure themselves, so they must be laid out while covered
    let slow = false, drawing = false, started = performance.now();
    // What never draws anything is uncovered all the same; a widget on its way is waited for, and so are all that wait with it.
    // A tab that goes on with its own game is uncovered when that is there (bridge.js): it shows no other position before.
    let own = false;
    try { own = !!sessionStorage.getItem(`navalkit:journal:${location.pathname}${location.search}`); } catch { /* none kept */ }
    // Of such a game facts say whether it comes: Python that answers, opens nothing and has told nothing has lost our greeting,
    // and there is another try. One that is slow, or does not answer, is given the time it takes: connection.js speaks of it.
    let idle = 0, late = false;
    addEventListener("navalkit:pulse", ({ detail }) => { idle += detail?.opening === false; });
    addEventListener("navalkit:late", () => { late = true; });
    // The same of a page that has greeted Python, and is not answered yet (bridge.js).
    const greets = () => { // or has yet to greet it: its board may be laid out before the script that does so has come
      const { nkGreets, nkMet } = document.documentElement.dataset;
      return nkGreets !== undefined || (nkMet === undefined && !!$("#nk-cells .nk-live:not(.nk-cell *)"));
    };
    const over = (took, opening) => took > (opening ? (idle > 1 ? 8000 : late ? Infinity : 60000) : coming() || (greets() && idle < 2) ? 60000 : 8000);
    const wait = () => {
      if ("nkEarly" in document.documentElement.dataset) { started = performance.now(); requestAnimationFrame(wait); return; } // no Python yet (lite/main.js)
      if (!drawing) { drawing = true; stage("Drawing the page", "– almost there.", 90, "drawing", "nearly"); }
      const took = performance.now() - started, opening = own && !("nkStands" in document.documentElement.dataset);
      if (opening) stage("Loading your game", "– where you left it.", 95, "game", "where");
      if ((drawn() && !opening && !greets()) || over(took, opening)) {
        if (opening) window.dispatchEvent(new Event("navalkit:widgets-lost")); // its Python has told nothing: another try
        uncover();
        return;
      }
      if (took > 4000 && !slow) { slow = true; stage("Drawing the page", "– this computer is busy; the board comes by itself.", 90, "drawing", "busy"); }
      requestAnimationFrame(wait);
    };
    wait();
  };

  // ---- Leaving: shut this page's kernel down, with the token that the server wants (voila#1458).
  const config = () => { try { return JSON.parse($("#jupyter-config-data").textContent); } catch { return {}; } }; // not there, or not to its end

  function token(base) {
    const found = document.cookie.match(/\b_xsrf=([^;]*)/);
    if (found) return found[1];
    // A Voila page is never given the cookie. Its only use is to prove that cookie and form come from a script of
    // this origin, so that this script may choose its value. It does so before the page is left: under load a beacon
    // may overtake a cookie that is set only then.
    const value = [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
    document.cookie = `_xsrf=${value}; path=${base}; SameSite=Lax`;
    return value;
  }
  let leaving = false;
  const MINE = "navalkit:kernel"; // the kernel of this tab's page
  // Voila's own attempt comes at beforeunload, when the reader may still stay (a mailto link, a download): not yet.
  window.addEventListener("beforeunload", (event) => event.stopImmediatePropagation());
  window.addEventListener("pagehide", () => {
    const { baseUrl, kernelId } = config();
    if (leaving || !kernelId) return;
    leaving = true;
    const form = new FormData();
    form.append("_xsrf", token(baseUrl));
    const sent = navigator.sendBeacon(`${baseUrl}voila/api/shutdown/${kernelId}`, form);
    // What a broken line may have swallowed, or a browser that broke down never sent, is asked for by the tab's next page.
    try { if (sent && (document.documentElement.dataset.nkLine ?? "fine") === "fine") sessionStorage.removeItem(MINE); } catch { /* storage is off */ }
  });
  window.addEventListener("navalkit:ready", () => {
    try {
      const { baseUrl, kernelId } = config(), before = sessionStorage.getItem(MINE);
      if (!kernelId) return;
      sessionStorage.setItem(MINE, kernelId);
      if (!before || before === kernelId) return;
      const form = new FormData();
      form.append("_xsrf", token(baseUrl));
      navigator.sendBeacon(`${baseUrl}voila/api/shutdown/${before}`, form);
    } catch { /* storage is off: the server ends it when it has been idle for long */ }
  });
  // A page that the browser kept and shows again has no kernel any more.
  window.addEventListener("pageshow", (event) => event.persisted && location.reload());

  // ---- Keyboard and scrolling: a focused canvas must not swallow what belongs to the browser.
  const BROWSER_KEYS = /^(Tab|Shift|Control|Alt|Meta|CapsLock|F\d+)$/;
  const onCanvas = (event) => event.target instanceof HTMLCanvasElement;
  for (const type of ["keydown", "keyup", "keypress"]) {
    window.addEventListener(type, (event) => {
      if (onCanvas(event) && (BROWSER_KEYS.test(event.key) || event.ctrlKey || event.altKey || event.metaKey)) {
        event.stopImmediatePropagation();
      }
    }, true);
  }
  for (const type of ["wheel", "touchmove"]) {
    window.addEventListener(type, (event) => onCanvas(event) && event.stopImmediatePropagation(), { capture: true, passive: true });
  }

  // ---- Labels: ipywidgets and ipycanvas give their controls no accessible names.
  const named = (node) => node.hasAttribute("aria-label") || node.hasAttribute("aria-labelledby");
  let ids = 0;
  const idOf = (node) => (node.id ||= `navalkit-${++ids}`);

  function nameControl(node) {
    const labelled = [...(node.labels ?? [])].some((each) => each.textContent.trim());
    const ours = "nkNamed" in node.dataset; // a name given here follows the text it is made of
    if ((named(node) && !ours) || labelled || (node.matches("button") && node.textContent.trim())) return;
    const widget = node.closest(".jupyter-widgets");
    const text = node.title || $(".widget-label", widget ?? node)?.textContent.trim() || widget?.title ||
      node.placeholder || node.textContent.trim();
    if (!text || text === node.ariaLabel) return;
    node.setAttribute("aria-label", text);
    node.dataset.nkNamed = "";
  }
  function namePicture(node) {
    node.setAttribute("role", "img");
    if (named(node)) return;
    const own = node.closest("[data-nk-label]")?.dataset.nkLabel;
    const near = $(".nk-alt", node.closest(".nk-board") ?? node.parentElement ?? node);
    if (own) node.setAttribute("aria-label", own);
    else if (near) node.setAttribute("aria-labelledby", idOf(near)); // follows the text as it changes
    else node.setAttribute("aria-label", node.classList.contains("bqplot") ? "Chart" : "Board");
  }
  function label(root) {
    for (const node of root.querySelectorAll("input, select, textarea, button, [role=slider]")) nameControl(node);
    for (const node of root.querySelectorAll("canvas, .bqplot")) {
      if (!node.parentElement.closest(".bqplot")) namePicture(node);
    }
  }

  // The cookie has taken the token's place: it need not stay in the address, where it would be copied and shown.
  const address = new URL(location.href);
  if (address.searchParams.has("token")) {
    address.searchParams.delete("token");
    history.replaceState(history.state, "", address);
  }

  document.addEventListener("DOMContentLoaded", () => {
    pieces.disconnect();
    // What comes after the cells says that they are all there, and whether Python read them to the end (connection.js).
    const silent = $("#nk-cells .jp-CodeCell") && !$("#nk-cells .jp-CodeCell:not(.jp-mod-noOutputs)"); // an error there is kept from readers
    const bad = "nkPage" in document.documentElement.dataset ? "" : silent || $("[data-nk-failed]") ? "widgets-lost" : $("#nk-cells") && !$(".nk-frame-footer") ? "torn" : "";
    if (bad) window.dispatchEvent(new Event(`navalkit:${bad}`));
    else if ($("#nk-cells") && !("nkPage" in document.documentElement.dataset)) window.voila_finish();
    const select = $("#nk-theme");
    select.value = remembered();
    select.addEventListener("change", () => {
      try { localStorage.setItem(KEY, select.value); } catch { /* private mode: for this page only */ }
      applyTheme(select.value);
    });
    applyTheme(remembered());

    for (const name of ["sound", "haptics"]) { // read by stage.js
      const button = $(`#nk-${name}`), key = `navalkit:${name}`;
      const kept = () => { try { return localStorage.getItem(key) === "on"; } catch { return false; } };
      const show = () => button.setAttribute("aria-pressed", String(kept()));
      button.addEventListener("click", () => {
        try { localStorage.setItem(key, kept() ? "off" : "on"); } catch { /* private mode: it stays off */ }
        show();
      });
      show();
    }

    for (const card of document.querySelectorAll("[data-game]")) { // a game under way: bridge.js keeps that it is
      const link = new URL(card.querySelector("h3 a").href);
      const key = `navalkit:${card.dataset.game}:begun${link.search}`;
      try {
        if (!localStorage.getItem(key)) continue;
        card.querySelector(".nk-lobby-state").textContent = card.dataset.continue;
        card.classList.add("nk-lobby-begun");
      } catch { /* private mode: nothing is kept */ }
    }

    const here = location.pathname.split("/voila/render/")[1];
    if (here && $("#nk-cells") && $("#nk-source")) {
      $("#nk-source").href = `${document.body.dataset.baseUrl}files/${here}`;
      $("#nk-source").hidden = false;
    }
    if ($("#nk-cells")) {
      let due = 0;
      const later = () => (due ||= requestAnimationFrame(() => { due = 0; label($("#nk-cells") ?? document); }));
      new MutationObserver(later).observe($("#nk-cells"), { childList: true, subtree: true, attributeFilter: ["title"] });
    }
  });
  document.addEventListener("click", (event) => event.target.closest?.("[data-nk-reload]") && location.reload());
})();
