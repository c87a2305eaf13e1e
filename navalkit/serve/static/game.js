// The guest's side of a game on two devices: board, orders as buttons, a typed line, odds, log and rules.
import { draw, element, mark } from "./board.js";
import { Journal } from "./journal.js";
import { LAST, Refused, TRY, say } from "./net.js";

const DAY = 86400;
const SLOW = 3000; // ms until an answer that does not come is spoken of
const TRIES = 5; // times an order is sent at which the game fails
const SHORT = 4; // tries that are short: a line may be dead that a browser takes again, while a new one is well
const HERE = 20000; // ms between two signs of life
const AGAIN = 1500; // ms until it looks again where the game could not be seen
const REST = 120; // ms without a change until a window counts as turned
const WIDE = 960, LEAST = [300, 400]; // px from which the board is beside the rest; its least size, for a window without any
const HEAD = 44, STATUS = 122, BAR = 76, ENDED = 112; // px on a phone: the head, what is said under the board, the orders under that, and what comes after the end

const LIES = matchMedia("(orientation: landscape) and (max-height: 479px) and (max-width: 959px)"); // as in room.css
const SIDE = 244, OVER = 130, UNDER = 92, BELOW = 112; // px of the column over the board of a phone lying down, of its top, and of its foot while the game goes on and after its end

// The px there are for the board: it is laid out for them, so that a phone shows it and the orders at once. On a phone
// lying down it fills the window, and what is free of the column over it is told, too.
function size(main, over) {
  if (LIES.matches) {
    const { clientWidth: right, clientHeight: low } = document.documentElement;
    return `${right}x${low},${[right - SIDE, OVER, right - 8, low - (over ? BELOW : UNDER)].join()}`;
  }
  const wide = innerWidth >= WIDE, width = wide ? (innerWidth - 48) * 0.62 : main.clientWidth;
  const height = document.documentElement.clientHeight - (wide ? 144 : HEAD + STATUS + (over ? ENDED : BAR));
  return [width, height].map((each, way) => Math.round(Math.max(LEAST[way], each))).join("x");
}

export class Game {
  constructor(room, seat, { main, bar, complain }) {
    Object.assign(this, { room, main, bar, complain });
    main.classList.add("nk-phone-game");
    this.parts = {};
    this.opened = new Set();
    this.line = Promise.resolve();
    this.looking = false;
    this.failed = 0; // times running that the game failed at an order
    this.missed = 0; // times running that a request was not heard
    this.kept = true; // whether orders outlive the page
    setInterval(() => !document.hidden && this.show(), HERE);
    addEventListener("pagehide", () => room.leave());
    addEventListener("pageshow", ({ persisted }) => persisted && this.show()); // the browser has kept the page
    this.journal = new Journal(room.code, (order) => this.ask(order), (orders, kept) => { this.kept = kept; });
    room.lost = () => this.say("game.lost");
    let wide = innerWidth, rest;
    addEventListener("resize", () => { // turned, but not a keyboard or an address bar that comes and goes
      clearTimeout(rest);
      rest = setTimeout(() => { // a window that is turned may say its width before its height
        if (innerWidth !== wide) this.show();
        wide = innerWidth;
      }, REST);
    });
  }

  // The room has changed: look at the game again, once all that was asked for is answered.
  show() {
    if (this.looking) return this.line;
    this.looking = true;
    return this.ask(undefined);
  }

  // One request after the other, so that nothing that was pressed is lost; whether it was answered.
  ask(sent) {
    this.line = this.line.then(() => this.send(sent));
    return this.line;
  }

  // What the guest does is an order of the journal: it is kept until the server has answered it.
  give(what) {
    this.picked = undefined;
    if (!this.journal.given(what) && !this.journal.give(what)) this.show();
  }

  // A sentence on a line that is not sound: whether orders outlive the page belongs to it.
  say(key) {
    return say(this.kept ? key : `${key}.unkept`);
  }

  // An order, or a look: while one waits, that is sent instead, for a look would tell that it was heard, and not how.
  async send(sent) {
    if (sent === undefined) {
      this.looking = false;
      sent = this.journal.next;
    } else if (sent.n !== this.journal.next?.n) return; // it came through after all, or one before it has not
    const slow = setTimeout(() => this.complain(this.say("line.silent")), SLOW);
    try {
      this.view = await this.room.ask(`game?size=${size(this.main, this.over)}`, sent && { ...sent, after: this.journal.before(sent) },
        this.missed < SHORT ? TRY : LAST);
      const seen = JSON.stringify({ ...this.view, standing: this.view.standing.at, doubt: 0 });
      if (sent !== undefined || seen !== this.drawn) this.draw(); // else nobody's finger is disturbed
      this.drawn = seen;
      if (this.over !== this.view.over) this.show(); // what comes after the end takes more room, or no longer does
      this.over = this.view.over;
      clearTimeout(this.doubt);
      if (this.view.doubt) this.doubt = setTimeout(() => this.show(), this.view.doubt * 1000 + AGAIN); // who left may be back by then
      this.failed = this.missed = 0;
      this.journal.stands(this.view.standing);
      this.complain();
    } catch (error) {
      this.failed = error.status === 500 && sent !== undefined ? this.failed + 1 : 0;
      const failed = this.failed === TRIES;
      this.missed = error instanceof Refused ? 0 : this.missed + 1;
      this.complain(failed ? new Refused(500, say("game.failed")) : error,
        this.missed < 2 ? (this.missed && sent ? this.say("line.silent") : "") : this.journal.next && navigator.onLine ? this.say("game.unheard") : this.room.lost());
      const again = !failed && (!(error instanceof Refused) || error.status >= 500 || error.status === 429); // it was not played, or is not again
      if (sent !== undefined && !again) return this.refused(sent);
      clearTimeout(this.retry); // or it would show an old position for ever
      this.retry = setTimeout(() => (this.journal.at && this.journal.next ? this.journal.again() : this.show()), AGAIN);
    } finally {
      clearTimeout(slow);
    }
  }

  refused(sent) {
    this.failed = 0;
    this.journal.drop(sent);
    this.drawn = "";
    this.picked = undefined;
    if (sent.do.type && this.typed) this.typed.value ||= sent.do.type; // it need not be typed again
    this.show();
  }

  draw() {
    const { view } = this;
    this.main.classList.toggle("nk-phone-ended", view.over);
    const turn = say(view.over ? "game.over" : view.mine ? "game.turn" : view.where === "here" ? "game.wait" : "game.wait.away");
    document.getElementById("who").textContent = say("game.you", { side: view.side });
    document.title = `${view.mine && !view.over ? "● " : ""}${view.game}`;
    const status = element("div", { role: "status", className: "nk-phone-status" }, element("div", { className: "nk-phone-turn" },
      element("h2", {}, turn), ...(view.clock ? [this.clock()] : [])), ...(view.aims ? [element("p", { className: "nk-phone-aims" }, view.aims)] : []), ...this.who(),
      ...(view.said ? [element("p", {}, view.said)] : [element("p", { className: "nk-phone-headline" }, view.headline),
        element("p", { className: "nk-phone-whole" }, view.happened)]),
      element("p", { className: "nk-phone-now" }, view.over ? "" : view.now));
    const cells = view.board.cells.map(([id, label, points]) => ({ id, label, points }));
    if (view.standing.at !== this.at) this.picked = undefined; // another position: nothing is asked any more
    this.at = view.standing.at;
    const board = this.board = draw(view.board, cells, say("board"), (id, event) => this.tap(id, event));
    const found = [status, board, ...this.undo(), ...(view.over ? [] : [this.typing()]), ...this.drawers()];
    const focused = document.activeElement?.dataset?.id, typing = document.activeElement === this.typed;
    this.main.replaceChildren(...found);
    if (this.picked) mark(board, this.picked.id);
    if (typing) this.typed.focus();
    if (focused !== undefined) this.main.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus();
    this.actions();
  }

  // A finger is asked before its tap is an order, which only the other side can give back; a second tap there says yes.
  tap(id, { pointerType }) {
    const [, label, , ask] = this.view.board.cells.find(([each]) => each === id);
    if (!ask || pointerType !== "touch" || this.picked?.id === id) return this.give({ point: id });
    this.picked = { id, label, ask };
    mark(this.board, id);
    this.actions();
  }

  // What is asked of the place that a finger found.
  asking() {
    const { id, label, ask } = this.picked;
    const button = (text, primary, done) => {
      const made = element("button", { type: "button", className: primary ? "nk-phone-primary" : "" }, text);
      made.addEventListener("click", done);
      return made;
    };
    const not = button(say("game.not"), false, () => { this.picked = undefined; mark(this.board); this.actions(); });
    this.bar.hidden = false;
    this.bar.replaceChildren(element("p", { className: "nk-phone-note" }, label),
      element("div", { className: "nk-phone-row nk-phone-even" }, not, button(ask, true, () => this.give({ point: id }))));
  }

  actions() {
    const { view } = this;
    if (this.picked) return this.asking();
    if (view.over) {
      this.bar.hidden = false;
      const reviewed = view.review && document.body.dataset.pages; // a guest of Jupyter's own server has no way to a page
      const save = element("button", { className: reviewed ? "" : "nk-phone-wide", type: "button" }, say("game.save"));
      save.addEventListener("click", () => this.save());
      const review = element("button", { type: "button" }, say("game.review"));
      review.addEventListener("click", () => location.assign(document.body.dataset.pages + view.review));
      this.bar.replaceChildren(...this.again(), reviewed ? element("div", { className: "nk-phone-row" }, review, save) : save);
      return;
    }
    const orders = element("div", { className: "nk-phone-orders", role: "group", "aria-label": say("game.orders"), tabIndex: 0 });
    for (const order of view.orders) {
      const made = element("button", { type: "button", title: order.help, className: order.primary ? "nk-phone-primary" : "" },
        order.label);
      if (order.odds) made.append(element("small", {}, order.odds));
      made.addEventListener("click", () => this.give({ give: order.text }));
      orders.append(made);
    }
    this.bar.hidden = !view.orders.length;
    this.bar.replaceChildren(orders);
  }

  // After the end: another game, asked for here or there.
  again() {
    const { wants, where } = this.view;
    if (where === "gone") return []; // nobody is there to say yes
    const button = (key, what, primary) => {
      const made = element("button", { type: "button", className: primary ? "nk-phone-primary" : "" }, say(key));
      made.addEventListener("click", () => this.give(what));
      return made;
    };
    if (!wants) return [element("div", { className: "nk-phone-row nk-phone-even" }, button("game.swap", { again: "swap" }, true), button("game.same", { again: "same" }))];
    const [mine, how] = wants;
    if (mine) return [element("p", { className: "nk-phone-note" }, say(`game.offered.${how}`))];
    return [element("p", {}, say(`game.offers.${how}`)), element("div", { className: "nk-phone-row nk-phone-even" },
      button("game.undo.yes", { agree: true }, true), button("game.undo.no", { agree: false }))];
  }

  // Who is there, and how it stands between the two.
  who() {
    const { where, won, over } = this.view, told = document.getElementById("who"), there = where === "here";
    told.classList.add("nk-phone-there");
    told.dataset.there = Number(there);
    told.title = told.ariaDescription = say(`game.${where}`);
    const text = [...(there ? [] : [say(`game.${where}`)]), ...(won && over ? [say("game.won", { mine: won[0], theirs: won[1] })] : [])];
    return text.length ? [element("p", { className: "nk-phone-note" }, text.join(" "))] : [];
  }

  // A typed order, and undo: below the board, where they take nothing of it.
  typing() {
    const { view } = this;
    const typed = this.typed ??= element("input", { placeholder: view.example, "aria-label": say("game.type"),
      autocomplete: "off", autocapitalize: "off", spellcheck: false, enterKeyHint: "send", maxLength: 400 });
    const form = element("form", { className: "nk-phone-row" }, typed, element("button", {}, say("game.give")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.give({ type: typed.value });
      typed.value = "";
    });
    const undo = element("button", { type: "button", disabled: !view.undo.can || view.undo.asks !== null }, say("game.undo"));
    undo.addEventListener("click", () => this.give({ undo: true }));
    form.append(undo);
    return form;
  }

  undo() {
    const { asks, me } = this.view.undo;
    if (asks === null || this.view.over) return [];
    if (asks === me) return [element("p", { className: "nk-phone-note" }, say("game.undo.asked"))];
    const made = [true, false].map((agree) => {
      const button = element("button", { type: "button" }, say(agree ? "game.undo.yes" : "game.undo.no"));
      button.addEventListener("click", () => this.give({ agree }));
      return button;
    });
    return [element("p", {}, say("game.undo.ask")), element("div", { className: "nk-phone-row" }, ...made)];
  }

  clock() {
    const { view } = this, shown = element("p", { className: "nk-phone-note", ariaLive: "off" }), from = performance.now();
    const spell = (left) => (left <= 0 ? say("game.up")
      : left >= DAY ? say("game.long", { days: Math.floor(left / DAY), hours: Math.floor((left % DAY) / 3600) })
      : `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`);
    const tick = () => {
      const now = view.clock.map((left, side) => spell(left - (side === view.running ? (performance.now() - from) / 1000 : 0)));
      shown.textContent = say("game.clock", { mine: now[view.undo.me], theirs: now[1 - view.undo.me] });
      if (shown.isConnected || performance.now() - from < 1000) setTimeout(tick, 500);
    };
    tick();
    return shown;
  }

  drawers() {
    const { view } = this;
    const log = element("ol", { className: "nk-phone-log", tabIndex: 0, "aria-label": say("game.log") });
    for (const [text, rule, what] of view.log) {
      log.append(element("li", {}, text, " ", element("small", { title: what }, rule)));
    }
    const tables = view.tables.map((table) => {
      const row = (name, cells) => element("tr", {}, ...cells.map((cell) => element(name, {}, cell)));
      return element("div", {}, element("h3", {}, table.title), element("table", {}, row("th", table.head),
        ...table.rows.map((cells) => row("td", cells))), element("p", { className: "nk-phone-note" }, table.note));
    });
    const luck = view.over ? say("game.proof", { seed: view.seed, commitment: view.commitment })
      : say("game.luck", { commitment: view.commitment });
    this.rules ??= element("dl", {});
    const found = [["odds", tables], ["log", [log]], ["rules", [this.rules]]];
    if (view.guide) found.unshift(["more", [element("p", {}, view.guide)]]);
    return [...found.map(([name, inside]) => {
      const made = element("details", { open: this.opened.has(name) }, element("summary", {}, say(`game.${name}`)), ...inside);
      made.addEventListener("toggle", () => {
        this.opened[made.open ? "add" : "delete"](name);
        if (name === "rules" && made.open) this.learn();
      });
      return made;
    }), element("p", { className: "nk-phone-note" }, luck)];
  }

  async learn() {
    if (this.rules.children.length) return;
    try {
      const { rules } = await this.room.ask("game", { rules: true });
      for (const [id, text] of rules) this.rules.append(element("dt", {}, id), element("dd", {}, text));
    } catch (error) {
      this.complain(error, error instanceof Refused ? "" : this.room.lost());
    }
  }

  save() {
    const link = element("a", { href: URL.createObjectURL(new Blob([this.view.record], { type: "application/toml" })),
      download: "game.toml" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
}
