// The console of who leads a class: a second window or the teacher's phone. It gives orders; the kernel carries them out.
import { element } from "./board.js";
import { Refused, TRY, drawn, keep, learn, notices, persist, recall, say, sound, wrong as said } from "./net.js";
import { draw } from "./screen.js";

const base = document.body.dataset.base, code = location.pathname.slice(base.length).split("/")[0];
const main = document.getElementById("main"), line = document.getElementById("line");
const NAME = `navalkit:lead:${code}`, OWED = `navalkit:orders:${code}`, TAB = "sessionStorage", AGAIN = 1500; // ms until a lost line is tried again
const QUIET = 4500, BEAT = 12000; // ms without a sign of life until that is said, and after which a line is exchanged (net.js)
const MOMENT = 2000; // ms that the desk waits for its picture
const SOON = 500; // ms an order is on its way until a press that is not taken is spoken of
const SPOKEN = 5000; // ms that it is spoken of, at most
const PLANS = [20, 45, 90];
const FROZEN = 3000; // ms that the kernel of the class may take to take an order
let key = "", desk = null, board = {}, hash = "", fetching = null, sending = 0, since = 0, sent = "", sure = "", held = false, late = false;
let began = 0, unsaid = 0; // when the lesson did, by the clock of this page; what ends a word on a press
let owed = []; // orders that have not arrived
let done = 0, waiting = []; // the number of the last order that the kernel has taken; who waits for which

const AWAY = "lead.away", wrong = (error) => said(error, AWAY);
const tell = notices(line, "order", "room", "kernel", "quiet", "busy"); // the gravest first: these say too that no other is taken
const spoken = (text) => tell("order", text);
const busy = (text = "") => {
  clearTimeout(unsaid);
  tell("busy", text);
  if (text) unsaid = setTimeout(busy, SPOKEN);
};

// The key: drawn here, and kept by the tab before it is sent. A ticket in the address has it lead, once: a try whose answer is
// lost has done what the next one is told, also after the page is loaded again. Then the ticket leaves the address.
async function pair() {
  const ticket = location.hash.slice(1), had = sound(recall(NAME, TAB));
  hold(had || (ticket && drawn()));
  if (!ticket) return;
  try {
    await persist((limit) => ask({ order: "pair", key }, limit, ticket), spoken, { unheard: "line.door", away: AWAY });
  } catch (error) {
    if (!had) throw error; // else the ticket is used up, and the key was there before it
  } finally {
    history.replaceState(history.state, "", location.pathname);
    spoken("");
  }
}

function hold(value) {
  key = value;
  keep(NAME, key, TAB);
}

async function ask(sent, limit, as = key) {
  const answer = await fetch(`${base}${code}/lead/order`, {
    method: "POST", signal: AbortSignal.timeout(limit), body: JSON.stringify(sent), headers: { "Content-Type": "application/json", "X-Navalkit-Lead": as } });
  const told = await answer.json();
  if (!answer.ok) throw new Refused(answer.status, told.error);
  return told;
}

// An order is sent until it has arrived; the id makes it count once. Then the class's kernel takes it: one that does not
// is spoken of. Until then no other is taken, which is said. It bears where the class was seen to stand: an order that was
// given for a step that is past by then is left undone.
// The tab keeps it until then: a console that is loaded again sends it again.
async function order(word, what = "") {
  if (sending && sent === desk.stand) { // what was pressed before has not come yet: a second press is the same one
    if (performance.now() - since > SOON) busy(say("lead.busy"));
    return;
  }
  await deliver({ order: word, what, stand: desk.stand, id: `${Date.now()}-${Math.random()}` });
}

function owe(orders) {
  owed = orders;
  keep(OWED, orders.length ? JSON.stringify(orders) : "", TAB);
}

async function deliver(given) {
  owe([...owed.filter(({ id }) => id !== given.id), given]);
  const settled = () => owe(owed.filter(({ id }) => id !== given.id));
  const tries = { unheard: "lead.unheard", away: AWAY };
  await during(given.order, given.stand, async () => {
    // Every try is short: a line may be dead that a browser takes again, while a new one is well.
    const { number } = await persist((limit) => ask(given, Math.min(limit, TRY)), spoken, tries).finally(settled);
    spoken("");
    await carried(number);
  });
}

// What is on its way, or waits for the kernel: `work` ends when it is done.
async function during(word, stand, work) {
  sending += 1;
  [sent, since] = [stand, performance.now()];
  document.body.dataset.sending = word;
  try {
    await work();
    spoken("");
  } catch (error) {
    spoken(error.message);
  }
  sending -= 1;
  if (sending) return;
  busy();
  delete document.body.dataset.sending;
}

async function carried(number) {
  if (number <= done) return;
  const slow = setTimeout(() => tell("kernel", say("lead.frozen")), FROZEN);
  await new Promise((on) => waiting.push([number, on]));
  clearTimeout(slow);
  tell("kernel");
}

function reached(number) {
  done = number;
  for (const [given, on] of waiting) if (given <= done) on();
  waiting = waiting.filter(([given]) => given > done);
}

async function listen() {
  for (;;) {
    const source = new AbortController();
    let timer = setTimeout(() => source.abort(), BEAT), quiet = 0;
    try {
      const answer = await fetch(`${base}${code}/lead/events`, { headers: { "X-Navalkit-Lead": key }, signal: source.signal, cache: "no-store" });
      if ([403, 404, 410].includes(answer.status)) return over((await answer.json()).error);
      if (!answer.ok) throw new Refused(answer.status, (await answer.json()).error);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = ""; ;) {
        const { value, done } = await reader.read();
        if (done) break;
        tell("room");
        clearTimeout(timer);
        clearTimeout(quiet);
        timer = setTimeout(() => source.abort(), BEAT);
        quiet = setTimeout(() => tell("room", say(AWAY)), QUIET);
        const told = (text + value).split("\n\n");
        text = told.pop();
        for (const each of told.filter((each) => each.startsWith("data: "))) await take(JSON.parse(each.slice(6)));
      }
    } catch (error) {
      tell("room", wrong(error));
    }
    clearTimeout(timer);
    clearTimeout(quiet);
    await new Promise((on) => setTimeout(on, AGAIN * (0.5 + Math.random())));
  }
}

function over(why) {
  hold("");
  owe([]);
  reached(Infinity);
  desk = null;
  for (const each of ["room", "order", "kernel", "quiet"]) tell(each);
  busy();
  document.getElementById("clock").textContent = "";
  main.replaceChildren(element("p", { role: "alert", className: "nk-lead-over" }, why));
}

async function take(told) {
  if (!told.desk) return; // the class is gone
  reached(told.done);
  tell("quiet", told.quiet ? say("lead.quiet") : "");
  if (!told.desk.view) return;
  // A console that comes while an order waits, as one that is loaded again, waits for it too.
  if (!desk && told.waits > done && !sending) during("", told.desk.stand, () => carried(told.waits));
  desk = told.desk;
  began = performance.now() / 1000 - (told.now - desk.since);
  if (desk.board !== hash) {
    const coming = picture(desk.board);
    await Promise.race([coming, new Promise((on) => setTimeout(on, MOMENT))]);
    if (desk?.board !== hash) coming.then(() => desk && show());
  }
  if (desk) show();
}

// The picture of what is shown: asked for until it is there, or another one is wanted.
async function picture(wanted) {
  if (fetching === wanted) return;
  fetching = wanted;
  const get = async (limit) => {
    const answer = await fetch(`${base}${code}/board/${wanted}`, { signal: AbortSignal.timeout(limit) });
    if (!answer.ok) throw new Refused(answer.status, "");
    return answer.json();
  };
  try {
    const made = wanted ? await persist(get, () => {}, { wanted: () => desk?.board === wanted }) : {};
    if (made && desk?.board === wanted) [board, hash] = [made, wanted];
  } catch { /* the room has it no more: another one is on its way */ }
  if (fetching === wanted) fetching = null;
}

const button = (text, call, name = "") => {
  const made = element("button", { type: "button", className: name }, text);
  made.addEventListener("click", call);
  return made;
};

// What cannot be taken back is asked for twice.
const twice = (name, text, call) => button(sure === name ? say("lead.sure") : text, () => {
  if (sure === name) { sure = ""; call(); } else { sure = name; show(); }
}, "nk-lead-danger");

const part = (...inside) => element("section", { className: "nk-lead-part" }, ...inside.filter(Boolean));

function seats() {
  const made = element("div", { className: "nk-lead-seats" });
  for (const [number, name, own, answered] of desk.seats) {
    const each = button(String(number), () => { sure = sure === `seat ${number}` ? "" : `seat ${number}`; show(); });
    each.title = own ? `${name}: ${own}` : name;
    each.setAttribute("aria-label", `${each.title}, ${say(answered ? "lead.answered" : "lead.silent")}`);
    each.toggleAttribute("data-answered", answered);
    made.append(each);
  }
  const [, number] = /^seat (\d+)$/.exec(sure) ?? [];
  const chosen = desk.seats.find((each) => String(each[0]) === number);
  const remove = chosen && button(say("lead.remove", { name: chosen[2] ? `${chosen[1]} (${chosen[2]})` : chosen[1] }),
    () => { sure = ""; order("remove", number); }, "nk-lead-danger");
  return [made, remove];
}

function rows() {
  const most = Math.max(1, ...desk.rows.map((row) => row[2])), made = element("ol", { className: "nk-lead-rows" });
  for (const [, label, n, , right] of desk.rows) {
    const bar = element("progress", { max: most, value: n });
    bar.setAttribute("aria-label", label);
    made.append(element("li", { className: right ? "nk-lead-right" : "" }, element("span", {}, right ? `✓ ${label}` : label), bar, element("b", {}, String(n))));
  }
  return made;
}

function plan() {
  const now = minutes(), at = desk.plan.findIndex((each) => each[2]);
  const list = element("ol", { className: "nk-lead-plan" }, ...desk.plan.slice(Math.max(0, at), Math.max(0, at) + 5).map(([title, end, on]) =>
    element("li", { className: on ? "nk-lead-on" : "" }, element("span", {}, title), element("time", {}, `${Math.round(end)}′`))));
  const behind = at >= 0 ? Math.round(now - desk.plan[at][1]) : 0;
  const late = behind > 0 ? element("p", { className: "nk-lead-late" }, say("lead.late", { n: behind })) : null;
  const choose = element("div", { className: "nk-lead-row" }, ...PLANS.map((minutes) => {
    const made = button(`${minutes}′`, () => order("plan", String(minutes)));
    made.setAttribute("aria-pressed", String(minutes === desk.minutes));
    return made;
  }));
  return part(element("h2", {}, say("lead.plan")), choose, list, late);
}

function show() {
  if (held) { // a button that went away under a finger would not be pressed
    late = true;
    return;
  }
  late = false;
  document.getElementById("code").textContent = desk.code;
  document.getElementById("joined").textContent = desk.joined;
  document.title = `${desk.code} · ${desk.view.title}`;
  tick();
  const open = new Set([...document.querySelectorAll("details[open]")].map((each) => each.id)), focus = document.activeElement, id = focus?.id, told = focus?.closest("main") && focus.textContent;
  const small = element("div", { className: "nk-lead-small" }), screen = element("div", { className: "nk-wall" });
  small.append(screen);
  const [next, text] = desk.next;
  const go = button(text, () => order("next"), "nk-lead-go");
  go.append(element("kbd", {}, say("lead.space")));
  go.id = "go";
  go.dataset.order = next;
  const back = button(say("lead.back"), () => order("back"));
  back.disabled = desk.sees !== "board"; // behind the way in nothing moves
  const steps = element("div", { className: "nk-lead-steps" }, back, go);
  const more = element("div", { className: "nk-lead-row" });
  if (desk.open) more.append(button(say("lead.close"), () => order("close")));
  if (desk.again) more.append(button(say("lead.again"), () => order("again")));
  const seen = element("div", { className: "nk-lead-list" }, ...["board", "door", "blank"].map((sees) => {
    const made = button(say(`lead.see.${sees}`), () => order("see", sees));
    made.setAttribute("aria-pressed", String(sees === desk.view.sees));
    return made;
  }));
  const asks = element("div", { className: "nk-lead-list" }, ...desk.asks.map(([kind, label]) => button(label, () => order("ask", kind))));
  const lines = element("ol", { className: "nk-lead-lines" }, ...desk.lines.map(([asked, told, done]) => {
    const made = element("li", {}, element("b", {}, asked), " ", told);
    made.toggleAttribute("data-done", done);
    return made;
  }));
  const fold = (id, head, ...inside) => {
    const made = element("details", { id, open: open.has(id) }, element("summary", {}, head), ...inside);
    return made;
  };
  const lock = button(say(desk.locked ? "lead.unlock" : "lead.lock"), () => order("lock", desk.locked ? "" : "1"));
  const [came, apart] = desk.rush;
  const rush = came ? part(element("p", {}, say(apart ? "lead.rush.votes" : "lead.rush", { n: came, votes: apart })),
    element("div", { className: "nk-lead-row" }, button(say("lead.admit"), () => order("admit")), button(say("lead.dismiss"), () => order("dismiss"), "nk-lead-danger"))) : null;
  const now = [
    desk.walled ? small : null, element("p", { className: "nk-lead-say" }, desk.say), steps, more, rush,
    part(element("h2", {}, say(desk.open ? "lead.waiting" : desk.asking ? "lead.without" : "lead.seats", { n: desk.waiting })), ...seats()),
    desk.rows.length ? part(element("p", { className: "nk-lead-alone" }, element("span", {}, say("lead.alone")), element("b", {}, say("lead.answer", { answer: desk.answer || "–" }))), rows()) : null,
  ];
  const rest = [
    desk.note ? part(element("h2", {}, say("lead.note")), element("p", { className: "nk-lead-note" }, desk.note)) : null,
    plan(),
    desk.walled ? part(element("h2", {}, say("lead.sees")), seen) : null,
    desk.asks.length ? part(element("h2", {}, say("lead.ask")), asks) : null,
    desk.lines.length ? fold("lines", say("lead.lines"), lines) : null,
    fold("room", say("lead.room"), element("div", { className: "nk-lead-list" }, lock, button(say("lead.report"), () => order("report")), twice("end", say("lead.end"), () => order("end")))),
    desk.told[0] ? element("p", { className: desk.told[1] ? "nk-lead-bad" : "nk-lead-told" }, desk.told[0]) : null,
  ];
  main.replaceChildren(element("div", { className: "nk-lead-now" }, ...now.filter(Boolean)), element("div", { className: "nk-lead-rest" }, ...rest.filter(Boolean)));
  draw(screen, desk.view, desk.board === hash ? board : {}, false); // no other question's, while its own is not there
  scale();
  if (id) document.getElementById(id)?.focus();
  else if (told) [...main.querySelectorAll("button, summary")].find((each) => each.textContent === told)?.focus();
}

// The picture of the projector is drawn as on one of 1280 pixels, and made small.
function scale() {
  const small = document.querySelector(".nk-lead-small");
  if (small) small.style.setProperty("--small", small.clientWidth / 1280);
}

// Since the lesson began: the phone's own clock may be set to anything.
const minutes = () => (performance.now() / 1000 - began) / 60;

function tick() {
  if (!desk) return;
  const left = Math.ceil(desk.minutes - minutes());
  document.getElementById("clock").textContent = say(left >= 0 ? "lead.left" : "lead.over", { n: Math.abs(left) });
}

addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || !desk) return;
  if (event.target.closest?.("button, summary") && /^( |Enter)$/.test(event.key) && event.target.id !== "go") return;
  const word = { " ": "next", PageDown: "next", ArrowRight: "next", PageUp: "back", ArrowLeft: "back" }[event.key]
    ?? { a: desk.again ? "again" : "", r: desk.asking ? "reveal" : "", c: desk.open ? "close" : "" }[event.key];
  if (!word) return;
  event.preventDefault();
  order(word);
});
addEventListener("pointerdown", () => { held = true; });
for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => setTimeout(() => { // the click comes first
  held = false;
  if (late) show();
}));
addEventListener("hashchange", () => location.hash && location.reload()); // a new ticket, opened where the console was
addEventListener("resize", scale);
addEventListener("offline", () => tell("room", say(AWAY)));
setInterval(tick, 5000);

await learn();
try {
  await pair();
  let kept = [];
  try { kept = JSON.parse(recall(OWED, TAB) || "[]"); } catch { /* damaged: nothing is owed */ }
  for (const each of Array.isArray(kept) ? kept : []) deliver(each);
  listen(); // without a key it is told why: the class has ended, or is led elsewhere
} catch (error) {
  over(error.message);
}
