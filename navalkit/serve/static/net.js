// The line to the server: who we are, what the room shows, and how it is asked. Nothing here knows what is shown.
import { solve } from "./puzzle.js";

const base = document.body.dataset.base;
const QUIET = 3400; // ms without a sign of life in a stream until that is said: the server gives one every two seconds
const BEAT = 12000; // the same, until the room is polled instead: a busy server is not asked by all at once
const FIRST = 6000; // the same, until the first one: a line that holds streams back shows nothing at all
const LONGEST = 8000; // ms until a lost line is tried again, at most
const FULL = 2000; // ms between two questions, where no line is free
const POLLED = 60000; // ms of polling after which a stream is tried again
const PATIENCE = 25000; // ms after which nobody will answer any more: the server has given up before
export const TRY = 5000, LAST = 15000; // ms that one try of several may take: the first, and at most, for a line may be slow
const SLOW = 2000; // ms until what stands in the way is spoken of

let words = {};

export async function learn() {
  for (let wait = 500; ; wait = Math.min(wait * 2, LONGEST)) {
    try {
      const answer = await fetch(`${base}words`, { signal: AbortSignal.timeout(LONGEST) });
      if (!answer.ok) throw new Refused(answer.status, "");
      words = await answer.json();
      if (words.lang) document.documentElement.lang = words.lang;
      return;
    } catch {
      await new Promise((on) => setTimeout(on, wait));
    }
  }
}

// A sentence by its key; {n:phone|phones} counts.
export function say(key, facts = {}) {
  return (words[key] ?? "").replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (_, name, one, many) =>
    one === undefined ? facts[name] : `${facts[name]} ${facts[name] === 1 ? one : many}`);
}

export class Refused extends Error {
  constructor(status, text, { puzzle, out } = {}) {
    super(text);
    Object.assign(this, { status, puzzle, out });
  }
}

// What went wrong, in a sentence: the server's own, if it has said one.
export const wrong = (error, away = "line.away") => (error instanceof Refused && error.message) || say(away);

// Whether it may go well if it is tried again.
export const passing = (error) => !(error instanceof Refused) || error.status === 429 || error.status >= 500;

// Tries something again and again: `call` gets the ms it may take, and what it gives is returned; undefined once it is no
// longer `wanted`. What the server refuses is thrown. `tell` hears in a sentence what stands in its way.
export async function persist(call, tell, { wanted = () => true, unheard = "line.unheard", away } = {}) {
  let why = say(unheard), late = false;
  const slow = setTimeout(() => { late = true; if (wanted()) tell(why); }, SLOW);
  try {
    for (let wait = 500, limit = TRY; wanted(); wait = Math.min(wait * 2, TRY), limit = Math.min(limit * 2, LAST)) {
      try {
        return await call(limit);
      } catch (error) {
        if (!passing(error)) throw error;
        why = /^(Timeout|Abort)Error$/.test(error.name) ? say(unheard) : wrong(error, away);
        if (late && wanted()) tell(why);
        await new Promise((on) => setTimeout(on, wait * (0.5 + Math.random())));
      }
    }
  } finally {
    clearTimeout(slow);
  }
}

// The line of a page that says what is wrong. What it says is of one of `kinds`: the first that has something to say is heard.
export function notices(line, ...kinds) {
  const said = {};
  return (kind, text = "") => {
    said[kind] = text;
    const told = kinds.map((each) => said[each]).find(Boolean) ?? "";
    if (line.textContent !== told) line.textContent = told; // else it would be read aloud once more
    line.hidden = !told;
  };
}

export class Room {
  constructor(code) {
    this.code = code;
    this.name = `navalkit:seat:${code}`;
    this.key = sound(recall(this.name));
    this.kept = ""; // where the key is kept
    this.rev = -1;
    this.lost = () => say("line.away"); // what is said of a line that is lost
    this.shown = () => {};
    this.away = () => {};
    this.gone = () => {};
    this.out = () => {}; // the seat was taken away: what is said of it
    this.ended = false; // whether nothing more comes of the room
    this.queue = () => {};
  }

  url(path) {
    return `${base}${this.code}/${path}`;
  }

  async ask(path, sent, limit = PATIENCE) {
    const headers = { "X-Navalkit-Seat": this.key }, signal = AbortSignal.timeout(limit);
    const order = sent === undefined ? { headers, signal } : {
      method: "POST", signal, headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(sent),
    };
    const answer = await fetch(this.url(path), order);
    const told = await answer.json();
    if (!answer.ok) {
      if (told.out) this.end(() => this.out(told.error));
      throw new Refused(answer.status, told.error, told);
    }
    return told;
  }

  // The key is drawn here and kept before it is sent: a try whose answer is lost has taken the seat that the next one is given.
  async sit(sent = {}, limit = PATIENCE) {
    this.hold(this.key || drawn());
    const seat = await this.ask("seat", sent, limit).catch(async (error) => {
      if (!error.puzzle) throw error;
      this.queue(error.message); // very many come in: one works for one's seat
      const number = await solve(error.puzzle);
      return this.ask("seat", { ...sent, puzzle: error.puzzle.text, number }, limit);
    }).finally(() => this.queue(""));
    this.code = seat.code;
    if (seat.key !== this.key) this.hold(seat.key); // what was kept was no key
    return seat;
  }

  hold(key) {
    this.key = key;
    this.kept = keep(this.name, key);
  }

  wrong(error) {
    return (error instanceof Refused && error.message) || this.lost();
  }

  // The page is left, or loaded again: the request outlives it.
  leave() {
    const headers = { "X-Navalkit-Seat": this.key, "Content-Type": "application/json" };
    fetch(this.url("leave"), { method: "POST", keepalive: true, headers, body: "{}" }).catch(() => {});
  }

  // A board by its hash; a class does not fetch it all at once.
  async board(hash, spread, limit) {
    if (spread) await new Promise((on) => setTimeout(on, Math.random() * spread));
    return this.ask(`board/${hash}`, undefined, limit);
  }

  // From now on `shown` is called with every state of the room, `away` with what is wrong with the line, or nothing. The stream is read here,
  // for a browser's own reader of streams (EventSource) cannot say whose seat it is for.
  async listen() {
    this.source?.abort();
    const source = this.source = new AbortController();
    const patience = (ms, next) => {
      clearTimeout(this.timer);
      this.timer = setTimeout(next, ms);
    };
    const poll = () => this.poll(source);
    const alive = () => {
      this.away("");
      clearTimeout(this.quiet);
      this.quiet = setTimeout(() => this.away(this.lost()), QUIET);
    };
    patience(FIRST, poll);
    let why = this.lost();
    try {
      const answer = await fetch(this.url("events"), { headers: { "X-Navalkit-Seat": this.key }, signal: source.signal, cache: "no-store" });
      if (answer.status === 403) await this.sit(); // the seats were cleared away, or this one
      if (answer.status === 503) return this.poll(source);
      if (!answer.ok) throw new Refused(answer.status, (await answer.json()).error);
      this.full = false;
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = ""; ;) {
        const { value, done } = await reader.read();
        if (done) break;
        alive();
        const told = (text + value).split("\n\n");
        text = told.pop();
        for (const each of told.filter((each) => each.startsWith("data: "))) {
          const state = JSON.parse(each.slice(6));
          if (state.gone) return this.end();
          if (state.out) await this.sit(); // which is refused with what there is to say
          else this.take(state);
        }
        patience(BEAT, poll);
      }
    } catch (error) { // no line, or none that may be had now: it is tried again
      why = this.wrong(error);
      if (error.status === 410) return this.over().catch(() => patience(FIRST, () => this.listen()));
    }
    if (this.source === source) clearTimeout(this.quiet);
    if (this.source !== source || source.signal.aborted) return;
    this.away(why);
    patience(1000 + Math.random() * 2000, () => this.listen());
  }

  async poll(source) {
    source.abort();
    clearTimeout(this.quiet);
    const since = performance.now();
    let doubt = this.rev >= 0; // whether there is a line at all: then nobody waits for a change
    while (this.source === source) {
      try {
        const state = await this.ask(this.full || doubt ? "state" : `state?rev=${this.rev}`, undefined, doubt ? TRY : PATIENCE);
        if (this.source !== source) return; // a line that was made meanwhile has brought what is newer
        this.take(state);
        doubt = false;
        if (this.full) await new Promise((on) => setTimeout(on, FULL * (0.5 + Math.random())));
      } catch (error) {
        if (this.source !== source) return;
        if (error.status === 404) return this.end();
        if (error.status === 403) return this.listen(); // the seat is gone: another is taken, or it is said why not
        this.full = error.status === 503; // no line to be had: it is asked from time to time
        doubt = !this.full;
        this.away(this.full ? "" : this.wrong(error));
        await new Promise((on) => setTimeout(on, 2000));
        if (!(error instanceof Refused)) continue;
      }
      if (performance.now() - since > POLLED) return this.listen(); // the line may be better by now
    }
  }

  take(state) {
    this.away("");
    if (state.rev === this.rev) return;
    this.rev = state.rev;
    this.shown(state);
  }

  // The class has ended while there was no line: its last state says so.
  async over() {
    this.take(await this.ask("state"));
    this.end(() => {});
  }

  end(tell = this.gone) {
    this.source?.abort();
    this.source = null;
    clearTimeout(this.timer);
    clearTimeout(this.quiet);
    this.ended = true;
    tell();
  }
}

// What storage does not take, as it is full or switched off, is kept with this entry of the tab's history, as bridge.js has it.
const noted = () => history.state?.navalkit ?? {};

export function recall(name, storage = "localStorage") {
  try {
    return noted()[name] ?? window[storage].getItem(name) ?? "";
  } catch {
    return "";
  }
}

// Where it is kept: by the "browser", by this "tab" alone, where it outlives a reload, or, "", nowhere. "" is kept by nobody.
export function keep(name, value, storage = "localStorage") {
  let where = value && "tab";
  try {
    if (value) window[storage].setItem(name, value);
    else window[storage].removeItem(name);
    where = "browser";
  } catch { /* see above */ }
  try {
    const { [name]: had, ...rest } = noted();
    if (where === "tab") history.replaceState({ ...history.state, navalkit: { ...rest, [name]: value } }, "");
    else if (had !== undefined) history.replaceState({ ...history.state, navalkit: rest }, "");
    return where;
  } catch {
    return where === "browser" ? where : "";
  }
}

// A key of 192 bits as it is sent.
export const drawn = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24)))).replaceAll("+", "-").replaceAll("/", "_");

// A key, or "" of one that was damaged: it could not even be sent.
export const sound = (key) => (/^[\w-]{32}$/.test(key) ? key : "");
