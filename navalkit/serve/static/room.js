// The page of a phone: asks for a code, takes a seat, and shows what the room shows.
import { element } from "./board.js";
import { Classroom } from "./class.js";
import { Game } from "./game.js";
import { Refused, Room, learn, say } from "./net.js";

const base = document.body.dataset.base;
const main = document.getElementById("main"), bar = document.getElementById("bar");
const line = document.getElementById("line");
const AWAY = 1500; // ms a line is lost before it is said

let lost;
const tell = (text) => {
  line.textContent = text;
  line.hidden = !text;
};

const away = (is) => {
  if (is) { // counted from the first time: what is tried again and again would put it off for ever
    lost ??= setTimeout(() => { lost = undefined; if (line.textContent !== say("line.away")) tell(say("line.away")); }, AWAY);
    return;
  }
  clearTimeout(lost);
  lost = undefined;
  if (line.textContent === say("line.away")) tell("");
};

let quiet;
const complain = (error) => { // of nothing, once all is well again; a sentence stays until then
  if (!error && line.textContent === say("line.silent")) tell("");
  if (!error) return away(false);
  if (typeof error === "string") return tell(error);
  if (!(error instanceof Refused)) return away(true);
  tell(error.message);
  clearTimeout(quiet);
  quiet = setTimeout(() => line.textContent === error.message && tell(""), 6000);
};

function ask(why = "") {
  const input = element("input", { id: "code", maxLength: 12, autocomplete: "off", autocapitalize: "characters",
    spellcheck: false, inputMode: "text" });
  const form = element("form", { className: "nk-phone-list nk-phone-centre" }, element("h2", {}, say("code.ask")),
    element("label", { htmlFor: "code", className: "nk-phone-note" }, say("code.help")), input,
    element("button", { className: "nk-phone-primary" }, say("code.go")), element("p", { role: "alert", className: "nk-phone-bad" }, why));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const code = input.value.replace(/[^a-z0-9]/gi, "").toUpperCase();
    if (code) location.assign(`${base}${code}`);
  });
  main.replaceChildren(form);
  input.focus();
}

async function enter(code) {
  const room = new Room(code);
  let seat;
  room.queue = tell;
  for (let wait = 1000; !seat; wait = Math.min(wait * 2, 8000)) {
    try {
      seat = await room.sit();
      away(false);
    } catch (error) {
      if (error instanceof Refused && error.status !== 429 && error.status < 500) return ask(error.message);
      away(true);
      await new Promise((on) => setTimeout(on, wait));
    }
  }
  let shown;
  room.away = away;
  room.gone = () => {
    bar.hidden = true;
    main.replaceChildren(element("p", { className: "nk-phone-centre", role: "status" }, say("gone")));
  };
  room.shown = (state) => {
    document.getElementById("title").textContent = document.title = state.title;
    if (!shown) {
      const Kind = state.kind === "game" ? Game : Classroom;
      if (Kind === Classroom) document.getElementById("who").textContent = say("you", { name: seat.name });
      shown = new Kind(room, seat, { main, bar, complain });
    }
    shown.show(state);
  };
  room.listen();
  addEventListener("online", () => room.listen());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && !line.hidden) room.listen(); // the phone slept
  });
}

const code = decodeURIComponent(location.pathname.slice(base.length).replaceAll("/", ""));
await learn();
if (code) await enter(code);
else ask();
