// The page of a phone: asks for a code, takes a seat, and shows what the room shows.
import { element } from "./board.js";
import { Classroom } from "./class.js";
import { Game } from "./game.js";
import { Refused, Room, learn, notices, persist, say } from "./net.js";

const base = document.body.dataset.base;
const main = document.getElementById("main"), bar = document.getElementById("bar");
const line = document.getElementById("line");
const AWAY = 1500; // ms a line is lost before it is said
const READ = 12000; // ms that is said which is so from the beginning

const tell = notices(line, "queue", "order", "said", "room", "unheard", "board", "kept");
let lost, away = "", entered; // the room, once it is
const lose = (why) => {
  away = why;
  if (!why) {
    clearTimeout(lost);
    lost = undefined;
    return tell("room");
  }
  lost ??= setTimeout(() => { lost = undefined; tell("room", away); }, AWAY); // from the first time: each try would put it off
};

// A sentence stays until all is well again, which is said with nothing. `unheard`: what is to be said of a request that was
// not heard, whatever else the line brings.
let quiet;
const complain = (error, unheard) => {
  if (entered.ended && (error || unheard)) return; // what is said of that is all there is to say
  tell("order", typeof error === "string" ? error : "");
  if (typeof error === "string" && error) return;
  tell("unheard", unheard);
  if (!error) return lose("");
  if (!(error instanceof Refused)) return unheard === undefined && lose(entered.wrong(error));
  tell("said", error.message);
  clearTimeout(quiet);
  quiet = setTimeout(() => tell("said"), 6000);
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
  const room = entered = new Room(code);
  let seat;
  room.queue = (text) => tell("queue", text);
  room.out = (text) => {
    const again = element("button", { className: "nk-phone-primary", type: "button" }, say("out.again"));
    again.addEventListener("click", () => {
      room.hold(""); // the next page draws another key
      location.reload();
    });
    for (const kind of ["queue", "order", "said", "unheard"]) tell(kind);
    lose("");
    bar.hidden = true;
    document.getElementById("who").textContent = "";
    const told = element("p", { role: "status" }, text);
    main.replaceChildren(element("div", { className: "nk-phone-centre" }, told, again));
  };
  try {
    seat = await persist((limit) => room.sit({}, limit), (text) => tell("order", text), { unheard: "line.door", away: "line.door" });
  } catch (error) {
    return room.ended || ask(error.message);
  } finally {
    tell("order");
  }
  if (seat.kind === "game") room.lost = () => say("game.lost");
  if (room.kept !== "browser") {
    tell("kept", say(room.kept ? "line.tab" : "line.unkept"));
    setTimeout(() => tell("kept"), READ); // it lies over a game's board
  }
  let shown;
  room.away = lose;
  room.gone = () => {
    bar.hidden = true;
    main.replaceChildren(element("p", { className: "nk-phone-centre", role: "status" }, say("gone")));
  };
  room.shown = (state) => {
    document.getElementById("title").textContent = document.title = state.title;
    if (!shown) {
      const Kind = state.kind === "game" ? Game : Classroom;
      if (Kind === Classroom) document.getElementById("who").textContent = say("you", { name: seat.name });
      shown = new Kind(room, seat, { main, bar, complain, lack: (text) => tell("board", text) });
    }
    shown.show(state);
  };
  room.listen();
  addEventListener("online", () => room.listen());
  addEventListener("offline", () => lose(room.lost()));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && !line.hidden) room.listen(); // the phone slept
  });
}

const code = decodeURIComponent(location.pathname.slice(base.length).replaceAll("/", ""));
await learn();
if (code) await enter(code);
else ask();
