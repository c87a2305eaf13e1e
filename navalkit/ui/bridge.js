// The browser's half of navalkit.ui.shell: address, storage, clipboard, downloads, theme, width, and a pulse.
const PREFIX = "navalkit:";
const LARGEST = 1 << 20; // bytes of a file; the server would refuse a larger one
const SLOP = 14; // px a finger moves before it drags
const REST = 60; // ms a mouse stands still over a board until it rests there, and a window until it has its size
const NARROWEST = 240; // px: what is narrower is no window, but a page not yet laid out or being photographed
const BEAT = 1200, PATIENCE = 2000; // ms between two beats, and until one counts as unanswered: connection.js then asks the server
const ONCE = ".nk-key-start, .nk-key-save"; // what is done once, however often it is pressed while there is no line
const PRESSES = ["undo", "redo", "undo-yes", "undo-no", "do-it", // what changes the game without being an order of it
  "invite-yes", "invite-no", "invite-swap", "invite-same"];

// What storage did not take, as it is full or switched off, is kept with this entry of the tab's history: a page that is
// loaded again finds it there, and nobody sees it.
const noted = () => history.state?.navalkit ?? {};
const note = (name, value) => {
  const { [name]: had, ...rest } = noted();
  if (value === null && had === undefined) return;
  history.replaceState({ ...history.state, navalkit: value === null ? rest : { ...rest, [name]: value } }, "");
};

// Whether the browser has taken it.
const keep = (name, value, tab) => {
  let taken = true;
  for (const storage of tab ? ["sessionStorage", "localStorage"] : ["localStorage"]) {
    try {
      if (value === null) window[storage].removeItem(name);
      else window[storage].setItem(name, value);
    } catch {
      taken = value === null;
    }
  }
  note(name, taken ? null : value);
  return taken;
};

// What the browser keeps under these keys; a "?" in a key stands for the page's query string. Such a thing belongs to a
// tab: another tab's is taken only where this one has none.
const stored = (keys) => {
  const found = {};
  for (const key of keys) {
    const name = PREFIX + key.replace("?", () => location.search);
    if (noted()[name] !== undefined) found[key] = noted()[name];
    else try {
      const value = sessionStorage.getItem(name) ?? localStorage.getItem(name);
      if (value !== null) found[key] = value;
    } catch { /* storage may be switched off: then what there is, is noted */ }
  }
  return found;
};

// Whether this tab has kept something of its own: it was reloaded, not opened.
const own = (keys) => {
  const names = keys.map((key) => PREFIX + key.replace("?", () => location.search));
  try {
    return names.some((name) => noted()[name] !== undefined || sessionStorage.getItem(name) !== null);
  } catch {
    return false;
  }
};

// What one page alone goes on with, as a game, is held by its name as long as the page lives; gives whether it was free.
// A page of this tab that has just been left may be about to let it go. Locks need https or this machine: elsewhere those
// who have it are asked, and of two who ask at once one is told.
const LEFT = 400; // ms
const OWN = 4000; // ms, where this very page had it before it was loaded again: a busy machine is slow to end that one
const channel = (() => { try { return new BroadcastChannel("navalkit:held"); } catch { return null; } })();
const me = [...crypto.getRandomValues(new Uint8Array(8))].join(".");
const mine = new Map(); // name -> what lets it go
let told = null;
channel?.addEventListener("message", ({ data: { name, from, to } }) => {
  if (to === me) told?.(false);
  else if (from && mine.has(name) && (mine.get(name).sure || me < from)) channel.postMessage({ name, to: from });
});
async function hold(name) {
  const free = mine.has(name) || await taken(name, noted().held === name ? OWN : LEFT);
  note("held", mine.has(name) ? name : null);
  return free;
}
async function taken(name, patience) {
  if (!navigator.locks) {
    const held = { go() {}, sure: false };
    mine.set(name, held);
    const free = !channel || await new Promise((done) => {
      told = done;
      channel.postMessage({ name, from: me });
      setTimeout(() => done(true), LEFT);
    });
    held.sure = true;
    if (!free) mine.delete(name);
    return free;
  }
  return new Promise((done) => {
    navigator.locks.request(name, { signal: AbortSignal.timeout(patience) }, () => new Promise((go) => {
      mine.set(name, { go });
      done(true);
    })).catch(() => done(false));
  });
}
function letGo(but) {
  for (const [name, { go }] of mine) if (name !== but) { mine.delete(name); go(); }
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { // no clipboard without https or without leave: the old way
    const box = document.createElement("textarea");
    box.value = text;
    box.style.cssText = "position:fixed;opacity:0";
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    return done;
  }
}

function download(name, mime, data) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([data], { type: mime }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const themeNow = () =>
  document.documentElement.dataset.nkTheme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

export default {
  initialize() { // page.css comes before the other widgets' sheets, which change what it says, whichever widget was first
    const first = document.querySelector("head > style[id^='navalkit.']"), own = document.getElementById("navalkit.ui.shell.Bridge");
    if (own && first !== own) first.before(own);
  },
  render({ model, el }) {
    const send = (content, callbacks, buffers) => {
      try {
        model.send(content, callbacks, buffers);
      } catch { /* Python is gone: the connection's notice says so, and brings the page back */ }
    };
    const gone = new AbortController();
    const { signal } = gone;
    // In a notebook's cell a page has neighbours: what is pressed outside it is none of its business, and the window's
    // address, theme and language are the notebook's.
    const cell = () => el.closest(".nk-cell");
    const foreign = (event) => !!cell() && !(event.target instanceof Node && cell().contains(event.target));
    const around = () => cell() ?? document;
    const address = () => (cell() ? "" : location.search);

    // Until Python has answered the greeting, the page knows neither its address nor its width: it stays covered (navalkit.js).
    if (!cell()) Object.assign(document.documentElement.dataset, { nkGreets: "", nkMet: "" });

    // What is kept under this key one page alone goes on with; it is asked for at once, as the page is laid out meanwhile.
    const lone = model.get("lone"), held = (value) => `navalkit:${lone}:${value}`, awaited = {};
    const free = (value) => (awaited[value] ??= hold(held(value)));
    if (lone && stored([lone])[lone]) free(stored([lone])[lone]);

    // Orders go through the tab's journal: it keeps them until they are safe, and sends them again after a break.
    const waits = (orders, kept) => dispatchEvent(new CustomEvent("navalkit:waiting", { detail: { orders, kept } }));
    const away = () => ["away", "refused"].includes(document.documentElement.dataset.nkLine);
    const journal = new Journal(location.pathname + location.search + model.get("place"),
      (order) => away() || send({ event: "order", order: { ...order, after: journal.before(order) } }), waits);
    const order = (what, event, once) => {
      if (foreign(event) || !((once && journal.given(what)) || journal.give(what))) return;
      event.preventDefault(); // who asks sees that it is taken
    };
    addEventListener("navalkit:order", (event) => order(event.detail, event), { signal });
    addEventListener("navalkit:open", () => journal.again(), { signal });
    // Of these buttons (by key) a press is an order of the journal: it outlives the page, and a line that fails unnoticed.
    let presses = [];
    const typed = (event) => {
      const kept = event.type === "click" && presses.find((key) => event.target.closest?.(`.nk-key-${key}`));
      if (kept) order({ press: kept, fields: [...around().querySelectorAll(".nk-room input[type=text], .nk-room select")].map((each) => each.value) }, event);
      const press = event.type === "click" && PRESSES.find((key) => event.target.closest?.(`.nk-play .nk-key-${key}`));
      if (press) order({ press }, event, true);
      if (event.defaultPrevented) return event.stopPropagation();
      const place = event.target.closest?.(event.type === "click" ? ".nk-key-give" : ".nk-order");
      const box = place?.closest(".nk-play-order-box")?.querySelector(".nk-order input");
      if (!box || (event.type === "keypress" && event.key !== "Enter")) return;
      order({ type: box.value }, event);
      if (event.defaultPrevented) event.stopPropagation();
    };
    for (const type of ["click", "keypress"]) addEventListener(type, typed, { signal, capture: true });
    // What is pressed while there is no line waits for one: pressed again, it is still the same press.
    let waiting = new Set();
    addEventListener("click", (event) => {
      const pressed = away() && !foreign(event) && event.target.closest?.(ONCE);
      if (!pressed) return;
      if (waiting.has(pressed)) event.stopImmediatePropagation();
      waiting.add(pressed);
    }, { signal, capture: true });
    addEventListener("navalkit:open", () => { waiting = new Set(); }, { signal });

    let asked = 0, sent = 0, before = 0; // when the beat went out that is not answered yet, when the last one did, after which order
    model.on("msg:custom", async (message, buffers) => {
      if (message.do === "pong") {
        asked = 0;
        dispatchEvent(new CustomEvent("navalkit:pulse", { detail: { opening: !!message.opening } }));
        journal.again(before); // Python hears one after the other: an order that went out before was lost on the way
      } else if (message.do === "stand") {
        presses = message.keys ?? [];
        journal.stands(message);
        document.documentElement.dataset.nkStands = message.at ?? ""; // navalkit.js; a press is given where the page stands
      } else if (message.do === "greeted") {
        note("opened", null); // from now on it is one that is loaded again
        delete document.documentElement.dataset.nkGreets;
      } else if (message.do === "drop") {
        journal.drop(message);
      } else if (message.do === "store") {
        if (!keep(PREFIX + message.key, message.value, message.tab)) send({ event: "unkept", key: message.key });
        if (lone && message.value && message.key === lone.replace("?", address())) {
          letGo(held(message.value));
          hold(held(message.value));
        }
      } else if (message.do === "copy") {
        const page = location.origin + location.pathname;
        const text = message.link ? new URL(message.text, page).href : message.query ? `${message.text}\n${page}${message.query}` : message.text;
        send({ event: "copied", text, ok: await copy(text), what: message.what });
      } else if (message.do === "lang") {
        (cell() ?? document.documentElement).lang = message.lang;
        if (cell()) return;
        for (const part of document.querySelectorAll("[data-nk-word]")) {
          const text = message.words[part.dataset.nkWord];
          if (!text) continue;
          if (part.dataset.nkWord === "title") document.title = document.title.replace(part.textContent, text);
          if (part.ariaLabel) part.ariaLabel = part.title = text;
          else part.textContent = text;
        }
      } else if (message.do === "sheet") {
        sheet(message.open);
      } else if (message.do === "download") {
        download(message.name, message.mime, buffers[0]);
        if (message.receipt) send({ event: "received", receipt: message.receipt });
      }
    });

    const game = () => around().querySelector(".nk-play") ?? el.closest(".nk-play");
    const sheet = (open = !game().classList.contains("nk-play-sheet")) => {
      game().classList.toggle("nk-play-sheet", open);
      game().classList.toggle("nk-open", open); // the template's header looks for it
      const more = game().querySelector(".nk-key-more");
      if (open && more.textContent !== "✕") more.dataset.nkSaid = more.textContent;
      more.setAttribute("aria-expanded", open);
      more.textContent = open ? "✕" : more.dataset.nkSaid ?? more.textContent;
    };
    addEventListener("click", (event) => {
      if (foreign(event)) return;
      if (event.target.closest?.(".nk-play .nk-key-more")) sheet();
      else if (event.target.closest?.(".nk-play .nk-play-aims")) game().querySelector(".nk-play-aims").classList.toggle("nk-open");
      else if (event.target.closest?.(".nk-play .nk-play-top .nk-status")) game().querySelector(".nk-play-top").classList.toggle("nk-play-full");
      else if (event.target.closest?.(".nk-play .nk-left, .nk-key-moment, .nk-key-review-look") && game().classList.contains("nk-play-sheet")) sheet(false);
      else game()?.querySelector(".nk-play-top").classList.remove("nk-play-full");
    }, { signal });
    // The place for the board, once the page is laid out; a page without a board has none to wait for.
    const room = () => {
      const board = (game() ?? around().querySelector(".nk-edit"))?.querySelector(".nk-board");
      return board && [board.clientWidth, board.clientHeight];
    };
    // On a phone lying down: the part of the board that is seen through the column over it (Look.hole).
    const hole = () => {
      const seen = game()?.querySelector(".nk-play-hole"), board = game()?.querySelector(".nk-board");
      if (!seen?.offsetWidth || !board) return null;
      const a = seen.getBoundingClientRect(), b = board.getBoundingClientRect();
      return [a.left - b.left, a.top - b.top, a.right - b.left, a.bottom - b.top].map(Math.round);
    };
    let tries = 60;
    const ready = () => {
      const found = room();
      if (tries-- && (found ? !(found[0] && found[1]) : !el.isConnected)) return requestAnimationFrame(ready);
      const about = document.querySelector(".nk-play .nk-play-about"); // what the notebook says besides, under the rules
      if (!cell()) about?.append(...document.querySelectorAll("#nk-cells .jp-MarkdownCell, body > footer"));
      hello();
    };
    const hello = async () => {
      const value = lone && stored([lone])[lone];
      const tab = lone ? !value || (await free(value)) : own(model.get("stored"));
      if (signal.aborted) return;
      if (value) letGo(held(value));
      for (const status of around().querySelectorAll(".nk-status")) {
        status.setAttribute("role", "status");
        status.setAttribute("aria-live", "polite");
      }
      const scrolled = ".nk-log, .nk-play .nk-tabs > .widget-tab-contents"; // they scroll: by keys too
      for (const each of around().querySelectorAll(scrolled)) each.tabIndex = 0;
      was = size();
      const seen = around().querySelector(".nk-play .nk-play-hole");
      if (seen) holes.observe(seen);
      const board = game()?.querySelector(".nk-board");
      if (board) holes.observe(board);
      send({
        event: "hello",
        query: address(),
        stored: stored(model.get("stored")),
        tongue: cell() ? "" : navigator.language.slice(0, 2), // spoken where none was chosen
        tab,
        again: location.hash === "#on" || (performance.getEntriesByType("navigation")[0]?.type !== "navigate" && !noted().opened),
        theme: cell() ? "light" : themeNow(),
        width: innerWidth < NARROWEST ? screen.width : innerWidth,
        room: room(),
        hole: hole(),
        header: !!document.getElementById("nk-theme"),
        calm: matchMedia("(prefers-reduced-motion: reduce)").matches,
      });
    };
    addEventListener("navalkit:theme", (event) => send({ event: "theme", theme: event.detail }), { signal });
    // A file is opened at the click itself: browsers refuse a dialogue that comes later.
    addEventListener("click", (event) => {
      const into = event.target.closest?.(".nk-key-new-file") ? "new:" : "";
      if (foreign(event)) return;
      if (!into && !event.target.closest?.(".nk-key-open")) return;
      const input = Object.assign(document.createElement("input"), { type: "file", accept: ".toml" });
      input.addEventListener("change", async () => {
        const file = input.files[0];
        if (!file) return;
        const data = file.size > LARGEST ? new ArrayBuffer(0) : await file.arrayBuffer();
        send({ event: "file", name: into + file.name, size: file.size }, undefined, [data]);
      });
      input.click();
    }, { signal });
    // Two quick clicks are one order: the second would hit what the first has put there.
    // A touch on the board is left to the browser, which scrolls with it, or makes one click of a tap.
    const board = (event) => !foreign(event) && !!event.target.closest?.(".nk-board canvas");
    const stop = (event) => event.stopImmediatePropagation();
    const once = (event) => {
      if (event.detail < 2 || foreign(event) || !(board(event) || event.target.closest?.(".nk-play-order-button, .nk-key-do-it"))) return;
      stop(event);
      if (event.type === "mousedown") dispatchEvent(new Event("navalkit:dropped")); // stage.js says so
    };
    for (const type of ["mousedown", "click"]) addEventListener(type, once, { signal, capture: true });
    // The canvas takes the focus when it is pressed, and would scroll into view before it looks where it was pressed.
    // It says that it was a mouse, until a key is pressed: a focus that a script gives is else taken for a keyboard's.
    addEventListener("mousedown", (event) => {
      if (!board(event)) return;
      event.target.dataset.nkMouse = "";
      event.target.focus({ preventScroll: true });
    }, { signal, capture: true });
    addEventListener("keydown", (event) => { if (board(event)) delete event.target.dataset.nkMouse; }, { signal, capture: true });
    for (const type of ["touchstart", "touchmove", "touchend", "touchcancel"]) {
      addEventListener(type, (event) => board(event) && stop(event), { signal, capture: true, passive: true });
    }
    // A move says something only to a board that is dragged over, and only while the button is down.
    const drags = (event) => event.buttons & 1 && event.target.closest(".nk-drag");
    addEventListener("mousemove", (event) => board(event) && !drags(event) && stop(event), { signal, capture: true });
    // A finger that sets out sideways over such a board is a mouse with its button down; up and down it scrolls.
    let finger = null;
    const mouse = (type, { clientX, clientY }) => finger.canvas.dispatchEvent(
      new MouseEvent(type, { clientX, clientY, buttons: type === "mouseup" ? 0 : 1, detail: 1, bubbles: true, cancelable: true }));
    addEventListener("pointerdown", (event) => {
      if (finger?.down) mouse("mouseup", event);
      const touched = event.pointerType === "touch" && !foreign(event) && event.isPrimary && event.target.closest?.(".nk-drag:not(.nk-asks) canvas");
      finger = touched ? { id: event.pointerId, canvas: touched, clientX: event.clientX, clientY: event.clientY } : null;
    }, { signal, capture: true });
    addEventListener("pointermove", (event) => {
      if (event.pointerId !== finger?.id) return;
      const across = Math.abs(event.clientX - finger.clientX), along = Math.abs(event.clientY - finger.clientY);
      if (!finger.down && across > SLOP && across > along) mouse("mousedown", finger), finger.down = true;
      if (finger.down) mouse("mousemove", event);
    }, { signal, capture: true });
    for (const type of ["pointerup", "pointercancel"]) {
      addEventListener(type, (event) => {
        if (event.pointerId !== finger?.id) return;
        if (finger.down) mouse("mouseup", event);
        finger = null;
      }, { signal, capture: true });
    }
    // Over a board that has something to say of what is under the pointer, a mouse that rests is told of, and that it left.
    let rest = 0, over = false;
    addEventListener("pointermove", (event) => {
      const canvas = event.pointerType === "mouse" && !foreign(event) && event.target.closest?.(".nk-hover canvas");
      clearTimeout(rest);
      if (!canvas && !over) return;
      rest = setTimeout(() => {
        const box = canvas && canvas.getBoundingClientRect();
        over = !!canvas;
        send(over ? { event: "hover", x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height }
          : { event: "hover", x: -1, y: -1 });
      }, REST);
    }, { signal, capture: true });
    addEventListener("navalkit:hover", (event) => { // stage.js
      const [x, y] = event.detail;
      if (!foreign(event)) send({ event: "hover", x, y });
    }, { signal });
    let was = "", sizing = 0;
    const size = () => [innerWidth, room(), hole()].join();
    const sized = () => {
      clearTimeout(sizing);
      sizing = setTimeout(() => {
        if (innerWidth >= NARROWEST && size() !== was) send({ event: "width", width: innerWidth, room: room(), hole: hole() });
        was = size();
      }, REST);
    };
    addEventListener("resize", sized, { signal });
    const holes = new ResizeObserver(() => was && sized()); // a step's longer text, or what comes after the end, leaves less of it, and of the board

    // While there is no line, more beats would only pile up before the reader's orders. One that is unanswered may be lost,
    // or its answer: so there is another after a while.
    const beat = () => {
      if (document.hidden || away()) return;
      const now = performance.now();
      if (asked && now - asked > PATIENCE) dispatchEvent(new Event("navalkit:late"));
      if (now - sent <= (asked ? PATIENCE : BEAT)) return;
      asked ||= now;
      sent = now;
      before = asked === now ? journal.n : before; // any of the answers to come may be that to the first
      send({ event: "ping" });
    };
    const anew = () => { asked = sent = 0; beat(); };
    addEventListener("navalkit:open", anew, { signal });
    document.addEventListener("visibilitychange", anew, { signal }); // while it was hidden nothing was waited for
    const pulse = setInterval(beat, BEAT / 3);

    requestAnimationFrame(ready); // the rest of the page is in the document by then
    return () => { gone.abort(); letGo(); holes.disconnect(); clearInterval(pulse); };
  },
};
