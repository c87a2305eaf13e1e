/* What only the browser knows, put into the lobby: the games of the day that are done, days in a row, bests, the game under
   way. The words come with the page; without storage, as in private windows, nothing is claimed. */
(() => {
  "use strict";
  const root = document.querySelector(".nk-lobby[data-words]");
  if (!root) return;
  const words = JSON.parse(root.dataset.words), DAY = 86400000;
  const say = (key, facts = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => facts[name]);
  const recall = (key) => { try { return localStorage.getItem(`navalkit:${key}`); } catch { return null; } };
  const read = (key) => { try { return JSON.parse(recall(key) ?? "null"); } catch { return null; } };
  const make = (name, facts, ...inside) => { const made = Object.assign(document.createElement(name), facts); made.append(...inside); return made; };
  const day = (ago) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10);

  const speaks = navigator.languages.map((each) => each.slice(0, 2)).find((each) => [root.lang, words.to].includes(each));
  const lang = recall("lang") ?? speaks, address = new URL(location.href); // chosen on any page, or here; else the device's
  if (lang && lang !== root.lang && !address.searchParams.has("lang") && (lang === words.to || lang === "en")) {
    address.searchParams.set("lang", lang);
    location.replace(address);
    return;
  }
  document.documentElement.lang = root.lang;
  const frame = JSON.parse(root.closest("[data-frame]")?.dataset.frame ?? "{}"); // where there is a server
  for (const part of document.querySelectorAll("[data-nk-word]")) {
    const text = frame[part.dataset.nkWord];
    if (text && part.ariaLabel) part.ariaLabel = part.title = text;
    else if (text) part.textContent = text;
  }
  const turn = make("button", { type: "button", className: "nk-lobby-lang", lang: words.to }, say("switch"));
  turn.addEventListener("click", () => {
    try { localStorage.setItem("navalkit:lang", words.to); } catch { /* for this once */ }
    address.searchParams.set("lang", words.to);
    location.assign(address);
  });
  document.querySelector(".nk-frame-theme")?.before(turn);

  const base = document.body.dataset.baseUrl;
  if (base) for (const link of root.querySelectorAll("[data-nk-room]")) link.href = base.replace(/voila\/$/, "room/");

  const show = () => {
    const cards = [...root.querySelectorAll("[data-game]")].map((card) => {
      const game = card.dataset.game, days = (recall(`${game}:days`) ?? "").split(" ");
      return { card, game, days, link: card.querySelector("h3 a"), result: read(`${game}:today`), bests: read(`${game}:bests`) };
    });
    for (const { card, days, result, bests, game } of cards) {
      const place = card.querySelector(".nk-lobby-day"), done = days.includes(day(0));
      const told = done && result?.day === day(0) ? result.said : "";
      const best = Array.isArray(bests) && bests.length ? bests.reduce((one, other) => (other.points > one.points ? other : one)) : null;
      place.replaceChildren(make("b", {}, say(done ? "won" : "open")), ...(told ? [make("span", {}, told)] : []),
        ...(best?.score ? [make("small", {}, say("best", { score: best.score }))] : []));
      place.dataset.done = Number(done);
      place.hidden = !done && !best;
      card.dataset.done = Number(done);
    }
    const count = (ago) => cards.filter(({ days }) => days.includes(day(ago))).length;
    const done = count(0), of = cards.length;
    if (done) root.querySelector(".nk-lobby-today h2").textContent = say(done === of ? "all" : "done", { n: done, of });
    let row = 0;
    for (let ago = done ? 0 : 1; count(ago); ago++) row++;
    const week = root.querySelector(".nk-lobby-week"), names = words.days.split(" ");
    const rings = [6, 5, 4, 3, 2, 1, 0].map((ago) => {
      const n = count(ago), ring = make("i", {}, String(n || ""));
      ring.style.setProperty("--share", n / of);
      return make("li", { title: `${day(ago)}: ${n}/${of}` }, ring, make("span", {}, ago ? names[new Date(Date.now() - ago * DAY).getUTCDay()] : say("today")));
    });
    week.replaceChildren(...rings, ...(row > 1 ? [make("li", { className: "nk-lobby-row" }, say("row", { n: row }))] : []));
    const on = cards.map(({ link, game }) => {
      for (const search of [new URL(link.href).search, ...["?day=today", "?friend=1", "?first=1"].map((more) => more)]) {
        if (recall(`${game}:begun${search}`)) {
          const to = new URL(link.href);
          if (search) to.search = search;
          if (search.includes("first")) to.hash = "on"; // else it is begun anew
          return { link, to };
        }
      }
      return null;
    }).find(Boolean);
    // What comes next: to one who has played nothing here, the first game of the game to start with; then today's games.
    const fresh = !on && cards.every(({ game, days, bests }) => !days.some(Boolean) && !bests && !recall(`${game}:first`));
    const next = cards.find(({ days }) => !days.includes(day(0))), link = root.querySelector(".nk-lobby-next");
    const led = fresh && next?.card.querySelector(".nk-lobby-ways a[href*='first=1']");
    link.hidden = !next;
    if (next) {
      const to = new URL(led ? led.href : next.link.href), game = next.link.textContent;
      if (!led) to.searchParams.set("day", "today");
      Object.assign(link, { href: to.href, textContent: say(led ? "first" : "next", { game }) });
    }
    const carry = root.querySelector(".nk-lobby-carry");
    carry.hidden = !on;
    if (on) {
      carry.querySelector("p").textContent = say("carry", { game: on.link.textContent });
      carry.querySelector("a").href = on.to.href;
    }
  };
  // Scenarios of one's own (navalkit.ui.edit): the browser keeps each under its game and a number.
  const scenarios = () => {
    const own = root.querySelector(".nk-lobby-own"), kept = "navalkit:own:";
    let keys = [];
    try { keys = Object.keys(localStorage).filter((key) => key.startsWith(kept)).sort(); } catch { /* nothing is kept */ }
    const rows = keys.map((key) => {
      const [game, id] = key.slice(kept.length).split(":"), told = read(`own:${game}:${id}`);
      const link = root.querySelector(`[data-game="${CSS.escape(game)}"] h3 a`);
      if (!link || typeof told?.title !== "string" || typeof told.query !== "string") return null;
      const to = (address, query) => { const made = new URL(address, location.href); for (const [name, value] of new URLSearchParams(query)) made.searchParams.set(name, value); return made.href; };
      const name = told.title || "…", drop = make("button", { type: "button", textContent: "✕", title: say("remove", { title: name }), ariaLabel: say("remove", { title: name }) });
      drop.addEventListener("click", () => { localStorage.removeItem(key); scenarios(); });
      const play = told.sound ? make("a", { href: to(link.href, told.query), textContent: say("play") }) : make("span", {}, say("unfinished"));
      const edit = make("a", { href: to(own.dataset.edit, `game=${game}&own=${id}&${told.query}`), textContent: say("edit") });
      return make("li", {}, make("b", {}, name), make("span", {}, link.textContent), play, edit, drop);
    }).filter(Boolean);
    own.querySelector("ul").replaceChildren(...rows);
    own.hidden = !rows.length;
  };
  const all = () => { show(); scenarios(); };
  all();
  addEventListener("storage", all); // a game that ends in another tab ticks at once
  addEventListener("pageshow", all);
})();
