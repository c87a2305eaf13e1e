// The page's line to its kernel, and the notice that says how things are. Loaded before Voila's scripts: they get a
// socket that outlives the lines under it. The server keeps what the kernel says meanwhile, once it knows that a line is gone;
// this end keeps what the reader does, and orders besides have a journal (journal.js). A kernel that is gone, or another one
// under the same name, is replaced, and the page takes its game up again by itself; so it does where something was lost.
"use strict";
(() => {
  const Native = window.WebSocket;
  const PAUSES = [0, 250, 500, 1000, 2000, 3000]; // ms between two tries; the last one again and again
  const BLIP = 1500; // ms until a loss is spoken of
  const PATIENCE = 8000; // ms until a request counts as unanswered
  const SOON = 1200; // ms until it does where a beat was not answered either: what is wrong is to be said within five seconds
  const LONGEST = 60000; // ms until Python that calculates is said not to answer
  const OPENING = 8000, LONGEST_OPENING = 60000; // ms that a line may take to open: the first try, and at most, for a machine may be slow
  const FRAMED = "v1.kernel.websocket.jupyter.org"; // how messages are put together, as far as they are counted
  const DEAF = 15000; // ms of silence until a line is exchanged for a new one
  const TRIES = 3, WELL = 10000; // a page resumes by itself TRIES times in vain, none of which was well for WELL ms; then its reader decides
  const ASK = 2000, STILL = 30000; // ms between two questions while the page comes, and until one of which nothing comes is torn
  const $ = (selector, root = document) => root.querySelector(selector);
  const pause = (tries) => new Promise((on) => setTimeout(on, PAUSES[Math.min(tries, PAUSES.length - 1)]));
  const config = () => { try { return JSON.parse($("#jupyter-config-data").textContent); } catch { return {}; } }; // not there, or not to its end
  // The widget manager looks for a widget every 100 ms, and after two seconds of the clock it gives up, even if the widget
  // has come while the browser was too busy to look: so it looks once more. The front end hands itself over as it starts.
  let app;
  Object.defineProperty(window, "jupyterapp", {
    get: () => app,
    set(started) {
      app = started;
      const manager = started.widgetManager, find = manager?.get_model.bind(manager);
      if (find) manager.get_model = (id) => find(id).catch((error) => { if (manager.has_model(id)) return find(id); throw error; });
    },
  });

  // ---- The front end starts while the notebook is still read: Python and the browser work at the same time. Of itself it
  // waits for the page to be loaded; here it waits for the kernel's id, and before it asks for that kernel, for the cells.
  const listen = window.addEventListener.bind(window), ask = window.fetch.bind(window);
  const known = new Promise((done) => {
    const arrivals = new MutationObserver(() => {
      const [early, full] = document.querySelectorAll("#jupyter-config-data");
      if (!full?.nextSibling) return; // it is not all there yet
      early.remove();
      document.body.dataset.kernelId = config().kernelId; // where the front end looks for what its settings lack
      arrivals.disconnect();
      done();
    });
    arrivals.observe(document, { childList: true, subtree: true });
    listen("load", done); // a page without a kernel
  });
  const read = new Promise((done) => { document.addEventListener("DOMContentLoaded", done); });
  window.addEventListener = (type, listener, options) => {
    if (type === "load" && typeof listener === "function") known.then(listener);
    else listen(type, listener, options);
  };
  window.fetch = async (asked, options) => {
    if (!String(asked.url ?? asked).includes("/api/kernels/")) return ask(asked, options);
    await read;
    for (let tries = 1; ; tries++) { // it asks but once, and is no page without an answer
      try {
        const answer = await ask(asked.clone?.() ?? asked, options);
        if (answer.status === 404) resume();
        return answer;
      } catch (error) {
        if (error.name === "AbortError" || leaving) throw error;
        show("away");
        await pause(tries);
      }
    }
  };
  // Its scripts are fetched but once, too: one that is there, and was not to be had, makes a page anew. Of a file that there is
  // not, that is no better the next time.
  listen("error", async ({ target }) => {
    if (!(target instanceof HTMLScriptElement) || !target.src) return;
    for (let tries = 1; !leaving; tries++) {
      try {
        const answer = await ask(target.src, { method: "HEAD", cache: "no-store" });
        return answer.ok && resume();
      } catch {
        show("away");
        await pause(tries);
      }
    }
  }, true);

  let leaving = false;
  window.addEventListener("pagehide", () => { leaving = true; });

  // ---- What the reader is told: fine, away (no connection), busy (Python calculates), silent (nobody answers at the other
  // end), refused (the server is another one, and wants its own token), resume, stuck.
  let state = "fine", due = 0, orders = 0, kept = true, since = 0;
  function show(next) {
    if (leaving || (state === "stuck" && next !== "fine") || (state === "resume" && next !== "stuck")) return;
    if (next === state) return;
    state = next;
    since = performance.now();
    document.documentElement.dataset.nkLine = next;
    clearTimeout(due);
    due = setTimeout(paint, next === "away" ? BLIP : 0);
  }
  const unsafe = () => orders > 0 && !kept;
  function paint() {
    const notice = $("#nk-lost");
    if (!notice) return;
    notice.hidden = state === "fine";
    // Of orders that a reload would lose this is said; the button is there only where nothing else helps.
    const lost = unsafe() && ["away", "silent", "refused", "stuck"].includes(state);
    for (const part of notice.querySelectorAll("[data-nk-when]")) {
      const button = part.hasAttribute("data-nk-reload"), now = !lost || (button && state === "stuck") ? state : "unkept";
      part.hidden = !part.dataset.nkWhen.split(" ").includes(now);
    }
    $("#nk-waiting", notice).hidden = !orders;
    $("#nk-waiting b", notice).textContent = orders;
  }
  window.addEventListener("navalkit:waiting", ({ detail }) => { ({ orders, kept } = detail); paint(); });

  // ---- A kernel that is gone: a fresh page has a new one, and its game from the disk. Tries are counted, for the clock may
  // jump and a page may take a minute to fail.
  const RESUMED = "navalkit:resumed";
  function resume() {
    if (leaving || state === "resume" || state === "stuck") return;
    if (unsafe()) { show("stuck"); return; } // what is lost with it is the reader's to give up
    try {
      const tries = Number(sessionStorage.getItem(RESUMED)) || 0;
      sessionStorage.setItem(RESUMED, tries >= TRIES ? 0 : tries + 1); // who presses then is tried for anew
      if (tries >= TRIES) { show("stuck"); return; }
    } catch { show("stuck"); return; } // storage is off: it would go on for ever
    show("resume");
    location.reload();
  }
  window.addEventListener("navalkit:widgets-lost", resume);
  window.addEventListener("navalkit:ready", () => {
    setTimeout(() => { try { if (state !== "stuck") sessionStorage.removeItem(RESUMED); } catch { /* see above */ } }, WELL);
  });

  // A page that came but in part, for the server or the line broke off: it is loaded again when there is an answer. Not
  // every browser says so of itself: while the page comes the server is asked, and it sends a sign of life every ten seconds.
  async function torn() {
    show("away");
    for (let tries = 1, found; ["", "silent", "refused"].includes(found = await kernel()); tries++) {
      if (found === "refused") show(found);
      await pause(tries);
    }
    resume();
  }
  window.addEventListener("navalkit:torn", torn);
  let parts = 0, came = 0;
  const coming = setInterval(async () => {
    if (document.readyState !== "loading") return clearInterval(coming);
    const found = await kernel(), now = document.getElementsByTagName("*").length;
    if (now !== parts) [parts, came] = [now, performance.now()];
    if (found && found !== "gone" && performance.now() - came < STILL) return;
    clearInterval(coming);
    if (document.readyState === "loading") torn();
  }, ASK);

  // What the server says of the kernel: its state, "gone", "" while the server cannot be reached, "silent" if it does
  // not answer, or "refused" if it does not know this browser. Of a page that has none yet, whether the server is there.
  async function kernel(patience = PATIENCE) {
    const { baseUrl, kernelId } = config(), about = kernelId ? `${baseUrl}api/kernels/${kernelId}` : $("link[rel=icon]").href;
    try {
      const answer = await ask(about, { cache: "no-store", signal: AbortSignal.timeout(patience) });
      return answer.status === 404 ? "gone" : answer.status === 403 ? "refused" : !answer.ok ? "" : (kernelId && (await answer.json()).execution_state) || "idle";
    } catch (error) {
      return error.name === "TimeoutError" ? "silent" : "";
    }
  }

  // ---- The socket that Voila holds.
  const lines = new Set();
  class Line extends EventTarget {
    constructor(url, protocols) {
      super();
      Object.assign(this, { url, protocols, protocol: "", readyState: Native.CONNECTING, kept: [], tries: 0, patience: OPENING, type: "blob" });
      lines.add(this);
      this.connect();
    }
    get binaryType() { return this.type; }
    set binaryType(type) { this.type = type; if (this.socket) this.socket.binaryType = type; }
    get bufferedAmount() { return this.kept.length; }

    connect() {
      const socket = (this.socket = new Native(this.url, this.protocols));
      socket.binaryType = this.type;
      const mine = (call) => (event) => { if (socket === this.socket) call(event); };
      clearTimeout(this.opening);
      if (this.readyState !== Native.CONNECTING) { // while the page is still coming, its loading is watched (`coming`)
        this.opening = setTimeout(mine(() => { // what was asked, or the answer, may have been lost on the way
          this.patience = Math.min(2 * this.patience, LONGEST_OPENING);
          this.lose();
        }), this.patience);
      }
      socket.onopen = mine((event) => {
        clearTimeout(this.opening);
        this.tries = 0;
        this.patience = OPENING;
        this.protocol = socket.protocol;
        for (const data of this.kept.splice(0)) socket.send(data);
        if (this.readyState === Native.CONNECTING) { this.readyState = Native.OPEN; this.tell("open", event); }
        if (state === "away" || state === "refused") show("fine"); // who is silent has to answer first
        window.dispatchEvent(new Event("navalkit:open"));
      });
      socket.onmessage = mine((event) => {
        if (socket.protocol === FRAMED) count(event.data);
        heard(event.data);
        this.tell("message", event);
      });
      socket.onclose = socket.onerror = mine(() => this.lose());
    }
    lose(quiet) { // the line under us is gone: try for another
      const socket = this.socket;
      this.socket = null;
      socket?.close();
      if (leaving || this.readyState === Native.CLOSED) return;
      if (!quiet) show("away");
      clearTimeout(this.next);
      this.next = setTimeout(() => this.again(), PAUSES[Math.min(this.tries++, PAUSES.length - 1)]);
    }
    async again() {
      clearTimeout(this.next);
      if (this.socket || this.asking || this.readyState === Native.CLOSED) return;
      this.asking = true;
      const found = await kernel();
      this.asking = false;
      if (found === "gone" || found === "dead") resume();
      else if (found === "refused") { show(found); this.lose(true); } // the server of before may come back
      else if (found && found !== "silent") this.connect();
      else this.lose();
    }
    send(data) {
      if (this.socket?.readyState === Native.OPEN) this.socket.send(data);
      else this.kept.push(data);
    }
    close() {
      this.readyState = Native.CLOSED;
      clearTimeout(this.next);
      clearTimeout(this.opening);
      lines.delete(this);
      this.socket?.close();
      this.socket = null;
      this.tell("close", new CloseEvent("close", { code: 1000, wasClean: true }));
    }
    tell(type, event) {
      this[`on${type}`]?.(event);
      this.dispatchEvent(type === "message" ? new MessageEvent(type, { data: event.data }) : new Event(type));
    }
  }
  window.WebSocket = function (url, protocols) {
    return String(url).includes("/api/kernels/") ? new Line(url, protocols) : new Native(url, protocols);
  };
  for (const name of ["CONNECTING", "OPEN", "CLOSING", "CLOSED"]) window.WebSocket[name] = Native[name];

  // A kernel that died is started anew under its name, and knows nothing of this page: the server says so, or, to a page that
  // was away then, its messages do, which come from another session. Each beat brings some. Status messages are short.
  const tell = new TextDecoder();
  let boot = null;
  function heard(data) {
    if ((data.length ?? data.byteLength) > 4096) return;
    const text = typeof data === "string" ? data : tell.decode(data);
    if (/"execution_state":\s*"(restarting|autorestarting|dead)"/.test(text)) return resume();
    const session = /"msg_type":\s*"status"/.test(text) && /"session":\s*"([^"]+)"/.exec(text)?.[1];
    if (!session || [...lines].some(({ url }) => url.includes(session))) return; // the server's own word bears ours
    boot ??= session;
    if (boot !== session) resume();
  }

  // What Python says while a line is dead without an end is lost: nobody keeps it. Each answer to a beat tells how much it
  // has said to widgets; a page that has heard less shows what is no longer so, and takes itself up anew.
  const TOLD = ["comm_open", "comm_msg", "comm_close"];
  let told = 0, before = null; // what has come, and what was said before
  function count(data) {
    const offsets = new DataView(data), at = (n) => Number(offsets.getBigUint64(8 * (n + 1), true));
    const { msg_type } = JSON.parse(tell.decode(new Uint8Array(data, at(1), at(2) - at(1))));
    if (!TOLD.includes(msg_type)) return;
    told++;
    const said = data.byteLength < 4096 && /"do":\s*"pong".*"said":\s*(\d+)/.exec(tell.decode(data))?.[1];
    if (!said) return;
    before ??= said - told;
    if (said - before > told) resume();
  }

  // ---- The pulse: a widget hears the kernel's answers (`navalkit:pulse`) or misses them (`navalkit:late`).
  window.addEventListener("navalkit:pulse", () => {
    answered = true;
    if (["busy", "silent", "stuck"].includes(state)) show("fine"); // whatever did not help: it is there
  });
  let asking = false, answered = false, renewed = 0;
  window.addEventListener("navalkit:late", async () => {
    if (asking || !["fine", "busy", "silent"].includes(state)) return;
    asking = true;
    answered = false;
    const found = await kernel(SOON);
    asking = false;
    if (answered || !["fine", "busy", "silent"].includes(state)) return;
    if (found === "gone" || found === "dead") resume();
    else if ((found === "busy" || found === "starting") && !(state === "busy" && performance.now() - since > LONGEST)) { if (state !== "silent") show("busy"); }
    else if (found && found !== "refused") {
      // The server is there, and Python has nothing to do: it may be this line that brings nothing any more, without an end. A
      // server that did not answer itself (a laptop was asleep) says nothing of the line.
      if (state !== "silent" || found === "silent") renewed = performance.now();
      else if (found === "idle" && performance.now() - renewed > DEAF) { renewed = performance.now(); for (const line of lines) line.lose(true); }
      show("silent");
    } else for (const line of lines) line.lose(); // the line is open in name only
  });
  window.addEventListener("offline", () => { for (const line of lines) line.lose(); });
  const awake = () => { for (const line of lines) if (!line.socket) { line.tries = 0; line.again(); } };
  window.addEventListener("online", awake);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) awake(); });
})();
