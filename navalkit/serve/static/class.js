// A phone in a class: waits, shows the question, takes a tap and its confirmation, shows what was right.
import { draw, element, mark } from "./board.js";
import { Refused, persist, say } from "./net.js";

const SHORT = 3; // letters of a label up to which many choices stand side by side
const SPREAD = 0.3; // ms by which a board's fetch may wait, for each phone of the class
const FAR = 1e9; // answers of one phone: more are none that it has given

// What a tab has kept: the answer that is on its way, or null, and the number of the last one.
function kept(name) {
  try {
    const { way, number } = JSON.parse(sessionStorage.getItem(name));
    const sound = (n) => Number.isInteger(n) && n >= 0 && n < FAR;
    if (sound(number) && (way === null || (sound(way.round) && sound(way.number) && typeof way.choice === "string"))) return { way, number };
  } catch { /* storage is off, or what it has is damaged */ }
  return { way: null, number: 0 };
}

export class Classroom {
  constructor(room, seat, { main, bar, complain, lack }) {
    Object.assign(this, { room, seat, main, bar, complain, lack });
    this.mine = new Map(seat.choice === null ? [] : [[seat.round, seat.choice]]); // round -> what the server has
    this.picked = null;
    this.name = `navalkit:answer:${room.code}`;
    Object.assign(this, kept(this.name)); // for a page that is loaded again
    this.number = Math.max(this.number, seat.number);
    this.keep(this.way);
    room.lost = () => say(this.line("line.away"));
  }

  // The key of a sentence on a line that is not sound: whether answers outlive the page belongs to it.
  line(key) {
    return this.kept ? key : `${key}.unkept`;
  }

  async show(state) {
    const fresh = this.state?.round !== state.round || this.state?.phase !== state.phase;
    this.state = state;
    if (this.asked !== state.round) this.picked = null;
    this.asked = state.round;
    this.go();
    const hash = state.phase === "shown" ? state.result.board ?? state.ask.board : state.ask?.board;
    this.lack();
    if (hash && this.hash !== hash) {
      // Asked for until it is there; a state that came later wins, also over one whose board comes after it.
      const newest = () => this.state === state;
      const lack = (text) => newest() && this.lack(text);
      let board;
      try {
        board = await persist((limit) => this.room.board(hash, state.seats * SPREAD, limit), lack,
          { wanted: newest, unheard: "line.door", away: this.line("line.away") });
      } catch (error) {
        if (newest()) this.complain(error);
        return;
      }
      if (!board || !newest()) return;
      this.lack();
      [this.hash, this.board] = [hash, board];
      if (board.cells) this.labels = new Map(board.cells.map(([id, label]) => [id, label]));
    }
    if (fresh) scrollTo(0, 0);
    this.draw();
  }

  label(id) {
    const known = this.state.ask?.choices.find(([each]) => each === id);
    return known?.[1] || this.labels?.get(id) || id;
  }

  draw() {
    if (this.room.ended) return; // an answer was on its way, or a board, as the seat was taken away
    const { state } = this;
    this.main.dataset.drawn = `${state.round ?? 0} ${state.phase}`;
    const parts = { wait: this.waiting, open: this.question, closed: this.closed, shown: this.answer, over: this.over };
    this.bar.hidden = true;
    this.drawn = state;
    this.main.replaceChildren(...parts[state.phase].call(this));
  }

  waiting() {
    const found = [element("h2", {}, say("wait.title")), element("p", { className: "nk-phone-big" }, this.seat.name),
      element("p", { role: "status" }, say("wait.text"))];
    if (this.state.names) {
      const name = element("input", { value: this.seat.own, maxLength: 24, autocomplete: "off" });
      const done = element("p", { className: "nk-phone-note", role: "status" });
      const form = element("form", { className: "nk-phone-list" },
        element("label", {}, say("name.ask"), name), element("button", {}, say("name.give")), done);
      form.addEventListener("submit", async (event) => {
        event.preventDefault();
        try {
          this.seat = await this.room.sit({ name: name.value });
          done.textContent = say("name.done");
        } catch (error) {
          this.complain(error);
        }
      });
      found.push(form);
    }
    return [element("div", { className: "nk-phone-centre" }, ...found)];
  }

  over() {
    return [element("div", { className: "nk-phone-centre" }, element("p", { role: "status" }, say("over")))];
  }

  question() {
    const { ask, round } = this.state;
    this.put = round;
    const mine = this.mine.get(round);
    const head = this.heading(ask), cells = (ask.board && this.board.cells) || [];
    const listed = ask.choices.filter(([, label]) => label); // the others are cells of the board
    const made = cells.map(([id, label, x, y]) => ({ id, label, x, y, points: this.board.shape }));
    this.onBoard = ask.board && draw(this.board, made, say(made.length ? "cells" : "board"), (id) => this.pick(id));
    this.list = ask.scale ? this.scale(ask, listed, mine) : this.listing(ask.text, listed);
    if (made.length) {
      this.onBoard.classList.add("nk-phone-choose");
      head.push(element("p", { className: "nk-phone-note" }, say("ask.where")), this.onBoard);
      if (listed.length) head.push(this.list);
    } else {
      head.push(element("p", { className: "nk-phone-note" }, say(ask.scale ? "ask.scale" : "ask.other")), this.list);
      if (this.onBoard) head.push(this.onBoard);
    }
    this.send = element("button", { className: "nk-phone-primary nk-phone-wide", type: "button" });
    this.send.addEventListener("click", () => this.confirm());
    this.told = element("p", { className: "nk-phone-note", role: "status" });
    this.bar.replaceChildren(this.send, this.told);
    this.bar.hidden = false;
    this.mark(mine);
    return head;
  }

  // The choices that are no cells of the board, a button each.
  listing(text, choices) {
    const short = choices.length > 6 && choices.every(([, label]) => label.length <= SHORT);
    const list = element("div", { className: short ? "nk-phone-list nk-phone-short" : "nk-phone-list", role: "group", "aria-label": text });
    for (const [id, label] of choices) {
      const made = element("button", { type: "button" }, label);
      made.dataset.id = id;
      made.addEventListener("click", () => this.pick(id));
      list.append(made);
    }
    return list;
  }

  // A slider over choices that are numbers, with the number large above it.
  scale(ask, choices, mine) {
    const last = choices.length - 1, at = choices.findIndex(([id]) => id === (this.picked ?? this.way?.choice ?? mine));
    const shown = element("output", { className: "nk-phone-big" }, at < 0 ? "–" : choices[at][1]);
    const slider = element("input", { type: "range", min: 0, max: last, value: at < 0 ? last / 2 : at, className: "nk-phone-scale" });
    slider.setAttribute("aria-label", ask.text);
    slider.addEventListener("input", () => {
      const [id, label] = choices[+slider.value];
      shown.textContent = label;
      slider.setAttribute("aria-valuetext", label);
      this.pick(id);
    });
    return element("div", { className: "nk-phone-list" }, shown, slider);
  }

  // The question, and what stands under it.
  heading(ask) {
    const more = ask.more ? [element("p", { className: "nk-phone-more" }, ask.more)] : [];
    if (ask.again && this.state.phase === "open") more.unshift(element("p", { className: "nk-phone-note" }, say("ask.again")));
    return [element("h2", { role: "status" }, ask.text), ...more];
  }

  pick(id) {
    this.picked = id;
    this.mark(this.mine.get(this.put));
  }

  mark(mine) {
    const { picked } = this, way = this.way?.choice, last = way ?? mine;
    if (this.onBoard) mark(this.onBoard, picked ?? way, mine);
    for (const each of this.list.querySelectorAll("[data-id]")) {
      each.setAttribute("aria-pressed", String(each.dataset.id === (picked ?? last)));
    }
    const same = picked === null || picked === last;
    this.send.disabled = same;
    this.send.textContent = !same ? say("pick.confirm", { choice: this.label(picked) }) : way !== undefined ? say("pick.sending")
      : mine === undefined ? say("pick.none") : say("mine", { choice: this.label(mine) });
    this.told.textContent = way !== undefined ? say("mine.way", { choice: this.label(way) })
      : mine === undefined ? "" : same ? say("mine.change") : say("mine", { choice: this.label(mine) });
  }

  confirm() {
    this.fresh = true;
    const round = this.put; // of the question that is seen: the next one's board may be on its way
    this.keep({ round, choice: this.picked, number: this.number + 1 });
    this.mark(this.mine.get(round));
    this.go();
  }

  // What is on its way from now on: an answer takes the place of one before it, whose tries end.
  keep(way) {
    this.way = way;
    this.number = Math.max(this.number, way?.number ?? 0);
    this.kept = true;
    try { sessionStorage.setItem(this.name, JSON.stringify({ way, number: this.number })); } catch { this.kept = false; } // off, or full
  }

  get open() {
    return this.state.phase === "open";
  }

  // The answer that is on its way sets out, and goes on trying, while its question is open. Afterwards the server is asked
  // which one came in time.
  go() {
    const { way, state } = this;
    if (way && (way.round !== state.round || !["open", "closed", "shown"].includes(state.phase))) this.late(way);
    else if (way && (this.going !== way || this.sets !== this.open)) {
      [this.going, this.sets] = [way, this.open];
      if (this.open) this.deliver(way);
      else this.recall(way);
    }
  }

  async deliver(way) {
    const wanted = () => this.way === way && this.open;
    try {
      const told = await persist((limit) => this.room.ask("answer", way, limit), this.complain, this.trying(wanted));
      if (!told || this.way !== way) return;
      this.number = Math.max(this.number, told.number);
      // Another tab with this seat has given one: what was confirmed here comes after it, unless that was before this page.
      if (told.choice !== way.choice && this.fresh && this.open) this.keep({ ...way, number: this.number + 1 });
      else this.arrived(told);
      this.go();
    } catch (error) {
      if (this.way !== way) return;
      if (error.status === 409) return this.recall(way, error); // closed: but it may have come before that
      this.arrived();
      this.complain(error);
    }
    this.refresh();
  }

  // An answer to a question that is past is sent once more: whether it came in time is not left unsaid.
  async late(way) {
    this.arrived();
    if (this.state.phase === "over") return;
    try {
      await persist((limit) => this.room.ask("answer", way, limit), () => {});
    } catch (error) {
      this.complain(error.status === 409 ? new Refused(409, say("mine.late")) : error);
    }
  }

  trying(wanted) {
    return { wanted, unheard: this.line("line.unheard"), away: this.line("line.away") };
  }

  // What the server has, where an answer was on its way when its question was closed.
  async recall(way, why) {
    try {
      const told = await persist(() => this.room.sit(), this.complain, this.trying(() => this.way === way));
      if (told && this.way === way) this.arrived(told);
    } catch {
      if (this.way === way) this.arrived();
    }
    if (why) this.complain(why);
    this.refresh();
  }

  // Shows it, unless what is to be seen is still being made.
  refresh() {
    if (this.drawn !== this.state) return;
    if (this.open) this.mark(this.mine.get(this.state.round));
    else this.draw();
  }

  // Nothing is on its way any more; `told`: the answer that stands.
  arrived(told) {
    if (told?.round === this.way.round && told.choice !== null) this.mine.set(told.round, told.choice);
    else if (told) this.missed = this.way;
    this.keep(null);
    this.complain();
  }

  given() {
    const mine = this.mine.get(this.state.round);
    if (this.way) return say("mine.asking");
    if (mine === undefined && this.missed?.round === this.state.round) return say("mine.missed", { choice: this.label(this.missed.choice) });
    if (mine === undefined) return say(this.state.rests ? "mine.rests" : "mine.none");
    return say("mine", { choice: this.label(mine) });
  }

  closed() {
    return [element("div", { className: "nk-phone-centre" },
      element("h2", { role: "status" }, say(this.state.rests ? "rests" : "closed")), element("p", {}, this.given()))];
  }

  answer() {
    const { ask, result, round } = this.state;
    const mine = this.way ? undefined : this.mine.get(round), right = result.right.includes(mine), note = result.notes[mine];
    const found = this.heading(ask), vote = !result.right.length;
    if (mine !== undefined && !vote) {
      found.push(element("p", { className: right ? "nk-phone-good" : "nk-phone-bad" }, say(right ? "shown.right" : "shown.wrong")));
    }
    found.push(element("p", {}, result.text));
    if (mine !== undefined && !right) {
      found.push(element("p", {}, say("mine", { choice: this.label(mine) })));
      if (note?.[1]) found.push(element("p", {}, `${note[1][0].toUpperCase()}${note[1].slice(1)}.`.replace(/([.?!])\.$/, "$1")));
      const same = (result.votes[mine] ?? 1) - 1;
      found.push(element("p", { className: "nk-phone-note" }, same ? say("shown.same", { n: same }) : say("shown.alone")));
    }
    if (mine === undefined) found.push(element("p", { className: "nk-phone-note" }, this.given()));
    if (result.board ?? ask.board) found.push(draw(this.board, [], say("board"), () => {}));
    return found;
  }
}
