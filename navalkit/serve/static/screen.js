// The class's screen: drawn from data alone, on the projector and small on its leader's console. No control is on it.
const SVG = "http://www.w3.org/2000/svg";
const PER_HEX = 110; // ms in which the way is drawn from cell to cell
const SHOWN = 3000; // ms that the bar of a lone window stays
const LEGIBLE = 12; // units of a cell in which a number can be read: in smaller ones the column tells it
const TICK = 10; // units of the radius of the tick
const WIDE = 60; // units of a cell that has room for the tick
const BLIP = 1500; // ms until a line that is cut is spoken of
const AGAIN = 15000; // ms until a page that was taken up again in vain tries once more: nobody need be at its keyboard
const TWICE = 400; // ms within which a second press is the same one

function element(name, facts = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(facts)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...inside.filter((each) => each !== null && each !== undefined && each !== ""));
  return made;
}

function shape(name, facts, ...inside) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(facts)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

const corners = (points) => points.split(" ").map((each) => each.split(",").map(Number));
const box = (points) => {
  const all = corners(points), xs = all.map(([x]) => x), ys = all.map(([, y]) => y);
  return { x: Math.min(...xs), y: Math.min(...ys), w: Math.max(...xs) - Math.min(...xs), h: Math.max(...ys) - Math.min(...ys) };
};

// The sea, and over it what the class is asked or has answered. `inline`: whether the picture stands in the document.
function sea(view, board, inline) {
  const made = element("div", { className: "nk-wall-sea" });
  if (!board.svg) return made;
  made.toggleAttribute("data-whole", Boolean(board.whole));
  const inner = element("div", { className: "nk-wall-board" });
  inner.style.aspectRatio = `${board.width} / ${board.height}`;
  inner.style.setProperty("--shape", board.width / board.height);
  let picture;
  if (inline) {
    picture = new DOMParser().parseFromString(board.svg, "image/svg+xml").documentElement;
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", board.alt);
  } else {
    picture = element("img", { alt: board.alt });
    picture.src = `data:image/svg+xml,${encodeURIComponent(board.svg)}`;
  }
  picture.removeAttribute("width");
  picture.removeAttribute("height");
  const over = shape("svg", { viewBox: `0 0 ${board.width} ${board.height}`, "aria-hidden": "true", class: "nk-wall-over" });
  over.append(...marks(view));
  inner.append(picture, over);
  made.append(inner);
  return made;
}

function marks(view) {
  const cells = new Map(view.cells ?? []);
  const small = view.phase === "shown" && [...cells.values()].some((points) => box(points).h < LEGIBLE);
  if (view.phase !== "shown") return [...cells.values()].map((points) => shape("polygon", { points, class: "nk-wall-ask" }));
  const rows = (view.rows ?? []).filter(([id, , n, , right]) => cells.has(id) && (n || right));
  const most = Math.max(1, ...rows.map((row) => row[2])), found = [];
  const right = rows.filter((row) => row[4]);
  for (const [id, , n, , is] of small ? right : rows) {
    const points = cells.get(id), { x, y, w, h } = box(points), clip = `cut-${id.replace(/\W/g, "_")}`;
    found.push(shape("g", { class: "nk-wall-count", "data-id": id },
      shape("clipPath", { id: clip }, shape("polygon", { points })),
      shape("polygon", { points, class: "nk-wall-cell" }),
      shape("rect", { x, y: y + h * (1 - n / most), width: w, height: (h * n) / most, "clip-path": `url(#${clip})`, class: "nk-wall-full" }),
      shape("polygon", { points, class: is ? "nk-wall-edge nk-wall-right" : "nk-wall-edge" })));
  }
  const way = view.way ?? [];
  if (way.length > 1) {
    // It ends at the edge of its cell, where the number of those who saw it has its place.
    const end = way.at(-1), before = way.at(-2), long = Math.hypot(end[0] - before[0], end[1] - before[1]) || 1;
    const cell = right.length === 1 && !small ? box(cells.get(right[0][0])) : null;
    const short = cell ? Math.min(0.46 * Math.min(cell.w, cell.h) + 6, 0.7 * long) : 0;
    const last = end.map((each, i) => each - (short * (each - before[i])) / long);
    const points = [...way.slice(0, -1), last].map((each) => each.join(",")).join(" ");
    const turn = (Math.atan2(end[1] - before[1], end[0] - before[0]) * 180) / Math.PI;
    const path = shape("g", { class: "nk-wall-way" },
      shape("polyline", { points, pathLength: 1, class: "nk-wall-casing" }), shape("polyline", { points, pathLength: 1 }),
      shape("path", { d: "M-11 -8L4 0L-11 8Z", transform: `translate(${last}) rotate(${turn})` }));
    path.style.setProperty("--long", `${PER_HEX * (way.length - 1)}ms`);
    found.push(path);
  }
  for (const [id, , n] of small ? [] : rows) { // numbers over the way
    const { x, y, w, h } = box(cells.get(id));
    const count = shape("text", { x: x + w / 2, y: y + h / 2, class: "nk-wall-n" }, String(n));
    count.style.fontSize = `${Math.max(12, Math.min(18, 0.8 * h))}px`; // an attribute the console's page would not obey
    found.push(count);
  }
  for (const [id] of right) {
    const { x, y, w, h } = box(cells.get(id));
    // Beside it, where it hides no other number, nor a label of the board (`aside`).
    const sides = w > WIDE ? [[x + w - 16, y + h / 2], [x + w - 16, y + 16], [x + w - 16, y + h - 16], [x + 16, y + h / 2]]
      : [[x + w + 7, y + h / 2], [x - 7, y + h / 2], [x + w / 2, y - 7], [x + w / 2, y + h + 7],
        [x + w, y], [x, y], [x + w, y + h], [x, y + h]];
    const clear = ([a, b]) => rows.every(([other]) => {
      const at = box(cells.get(other));
      return other === id || Math.hypot(a - at.x - at.w / 2, b - at.y - at.h / 2) > 0.4 * at.h + TICK;
    });
    const free = sides.filter(clear), place = free[0] ?? sides[0];
    const tick = shape("g", { class: "nk-wall-tick", transform: `translate(${place})` },
      shape("circle", { r: TICK }), shape("path", { d: "M-4.5 0L-1 4L5 -4" }));
    tick.places = free.length ? free : [place];
    found.push(tick);
  }
  return found;
}

function ring([n, of]) {
  const full = 2 * Math.PI * 22, made = shape("svg", { viewBox: "0 0 54 54", class: "nk-wall-ring", "aria-hidden": "true" },
    shape("circle", { cx: 27, cy: 27, r: 22 }));
  made.append(shape("circle", { cx: 27, cy: 27, r: 22, class: "nk-wall-come", "stroke-dasharray": `${full * (of ? Math.min(1, n / of) : 0)} ${full}` }));
  return made;
}

function top(view) {
  const end = view.come ? element("div", { className: "nk-wall-ringed" }, ring(view.come), element("b", {}, view.counted))
    : element("div", { className: "nk-wall-side" }, element("span", {}, view.side), element("span", { className: "nk-wall-small" }, view.in.code));
  return element("header", { className: "nk-wall-top" }, element("h1", {}, view.head), end);
}

function join(view) {
  return element("aside", { className: "nk-wall-join" }, element("img", { src: view.in.qr, alt: view.in.picture }),
    element("b", { className: "nk-wall-small" }, view.in.code));
}

function histogram(view, board) {
  const { says } = view, most = Math.max(1, ...view.rows.map((row) => Math.max(row[2], view.twice ? row[3] : 0)));
  const long = view.rows.some(([, label]) => label.length > (board.svg ? 6 : 24));
  const list = element("ol", { className: "nk-wall-list" });
  list.toggleAttribute("data-long", long);
  for (const [id, label, n, before, right] of view.rows) {
    const bar = (count, name) => {
    const made = element("i", { className: name });
    made.style.width = `${(100 * count) / most}%`;
    return made;
  };
    const bars = element("span", { className: "nk-wall-bars" }, view.twice ? bar(before, "nk-wall-first") : null, bar(n, "nk-wall-last"));
    const row = element("li", { className: right ? "nk-wall-true" : "" }, element("span", { className: "nk-wall-label" }, right ? `✓ ${label}` : label),
      bars, element("b", {}, view.twice ? `${before} → ${n}` : String(n)));
    row.dataset.id = id;
    list.append(row);
  }
  const legend = view.twice ? element("p", { className: "nk-wall-legend" }, element("i", { className: "nk-wall-first" }), says.before,
    element("i", { className: "nk-wall-last" }), says.now) : null;
  const flow = view.flows?.length ? element("div", { className: "nk-wall-flows" }, element("h3", {}, says.flow),
    element("ul", {}, ...view.flows.map((each) => element("li", {}, each)))) : null;
  const made = element("aside", { className: "nk-wall-rows" }, board.svg ? words(view) : null, element("h2", {}, says.answers), legend, list, flow);
  made.toggleAttribute("data-long", long);
  return made;
}

// A longer text of the question; null if it has none.
function words(view) {
  if (!view.html) return null;
  const made = element("div", { className: "nk-wall-words" });
  made.innerHTML = view.html; // written by the kernel of this page, with all that is not its own escaped
  return made;
}

// The question's text and what can be chosen, the right answer marked once it is told; null if all of it is elsewhere.
function text(view) {
  const right = new Set((view.rows ?? []).filter((row) => row[4]).map(([id]) => id));
  const options = view.listed?.length ? element("ol", { className: "nk-wall-options" }, ...view.listed.map(([id, label]) =>
    element("li", { className: right.has(id) ? "nk-wall-true" : "" }, right.has(id) ? `✓ ${label}` : label))) : null;
  const said = words(view);
  return said || options ? element("article", { className: "nk-wall-text" }, ...[said, options].filter(Boolean)) : null;
}

function low(view) {
  if (!view.strong && !view.soft) return null;
  return element("footer", { className: "nk-wall-low" }, view.strong ? element("b", {}, view.strong) : null,
    view.soft ? element("p", {}, view.soft) : null);
}

function door(view) {
  const { code, qr, address, joined, names, more, picture } = view.in;
  const chips = element("div", { className: "nk-wall-names" }, ...[...names, more].filter(Boolean).map((each) => element("span", {}, each)));
  return element("section", { className: "nk-wall-door" }, element("img", { src: qr, alt: picture }),
    element("div", {}, element("h1", {}, view.title), element("p", { className: "nk-wall-address" }, address),
      element("p", { className: "nk-wall-code" }, code), element("p", { className: "nk-wall-joined" }, joined), chips));
}

const runsOver = (each) => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1;

// Make texts smaller, as far as they may be, until they have room; for many answers the code's picture gives way, for
// very many a part of the sea.
function fit(root) {
  for (const tight of [null, "code", "sea"]) {
    if (tight) root.dataset.tight = tight;
    else delete root.dataset.tight;
    shrink(root);
    if (![...root.querySelectorAll(".nk-wall-col .nk-wall-text")].some(runsOver)) return;
  }
}

function shrink(root) {
  for (const each of root.querySelectorAll(".nk-wall-low, .nk-wall-rows, .nk-wall-text, .nk-wall-top, .nk-wall-address")) {
    let size = 1;
    each.style.setProperty("--fit", 1);
    while (runsOver(each) && size > 0.45) {
      size -= 0.05;
      each.style.setProperty("--fit", size);
    }
    // What the class can do without gives way to what it cannot.
    const spare = () => ["ul li:nth-child(n+3):last-child", ".nk-wall-words", ".nk-wall-flows"]
      .map((what) => each.querySelector(what)).find(Boolean);
    while (each.matches(".nk-wall-rows") && runsOver(each) && spare()) spare().remove();
  }
}

// A tick that lies over a label of the board goes to the first of its places that is free of them.
function aside(root) {
  const labels = [...root.querySelectorAll(".nk-wall-board > svg:first-child text")].map((each) => each.getBoundingClientRect());
  for (const tick of root.querySelectorAll(".nk-wall-tick")) {
    const free = (place) => {
      tick.setAttribute("transform", `translate(${place})`);
      const a = tick.getBoundingClientRect();
      return !labels.some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom);
    };
    if (!tick.places.some(free)) free(tick.places[0]);
  }
}

// A label of the board that the way crosses is written again above it.
function above(root) {
  const way = root.querySelector(".nk-wall-way"), over = way?.ownerSVGElement, to = over?.getScreenCTM()?.inverse();
  if (!to) return;
  const line = way.querySelector("polyline"), length = line.getTotalLength(), from = line.getScreenCTM();
  const points = Array.from({ length: 101 }, (_, i) => line.getPointAtLength((length * i) / 100).matrixTransform(from));
  for (const each of root.querySelectorAll(".nk-wall-board > svg:first-child text")) {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    if (!points.some(({ x, y }) => left < x && x < right && top < y && y < bottom)) continue;
    const again = each.cloneNode(true), { a, b, c, d, e, f } = to.multiply(each.getScreenCTM());
    again.setAttribute("transform", `matrix(${a} ${b} ${c} ${d} ${e} ${f})`);
    way.after(again);
  }
}

let drawn = 0;

// Draw the screen into an element. `inline`: whether the board's picture stands in the document, as its type then does.
export function draw(root, view, board, inline = true) {
  const before = root.dataset.beat, beat = `${view.key} ${view.phase}`;
  root.dataset.sees = view.sees;
  root.dataset.phase = view.phase;
  root.dataset.beat = beat;
  root.dataset.stand = view.stand;
  root.toggleAttribute("data-fresh", view.phase === "shown" && before !== beat && before !== undefined);
  const asked = view.phase === "open" || view.phase === "closed";
  const said = view.sees === "board" ? text(view) : null;
  const parts = [sea(view, view.sees === "blank" ? {} : board, inline)];
  if (view.sees === "door") parts.push(door(view));
  if (view.sees === "board") {
    parts.push(top(view), low(view));
    const shown = view.phase === "shown";
    if (said && !board.svg) parts.push(said); // in the board's place, and it stays there
    if (said && board.svg && !shown) parts.push(element("div", { className: "nk-wall-col" }, asked ? join(view) : null, said));
    else if (asked) parts.push(join(view));
    if (shown) parts.push(histogram(view, board));
  }
  if (view.wrong) parts.push(element("p", { className: "nk-wall-wrong", role: "alert" }, view.wrong));
  root.replaceChildren(...parts.filter(Boolean));
  drawn += 1;
  root.dataset.drawn = drawn;
  fit(root);
  if (!inline) return;
  aside(root);
  above(root);
}

// How the line to Python is (connection.js): "fine", or what is wrong with it.
const line = () => document.documentElement.dataset.nkLine ?? "fine";

// On the projector: what else the page has is out of its document meanwhile, and comes back with it.
function alone(root) {
  const stash = [];
  const take = (node) => {
    const mark = document.createComment("");
    node.replaceWith(mark);
    stash.push([mark, node]);
  };
  const WHAT = "button, input, select, textarea, canvas, a, iframe, summary";
  const strip = (node) => {
    if (node === root || /^(SCRIPT|STYLE|LINK)$/.test(node.tagName)) return;
    if (!node.matches(WHAT) && !node.querySelector(WHAT)) return;
    if (node.querySelector("script")) [...node.children].forEach(strip); // the page reads its settings from its scripts
    else take(node);
  };
  [...document.body.children].forEach(strip);
  return () => {
    for (const [mark, node] of stash.reverse()) mark.replaceWith(node);
  };
}

export default {
  render({ model, el }) {
    const gone = new AbortController(), signal = gone.signal, root = element("div", { className: "nk-wall", role: "main" });
    let restore = null, bar = null, hide = 0, pressed = -TWICE, due = 0, again = 0, waiting = 0, from;
    const size = () => model.send({ event: "size", width: innerWidth, height: innerHeight });
    const press = (order) => {
      if (performance.now() - pressed < TWICE) return; // a clock that nobody sets
      pressed = performance.now();
      if (line() === "stuck") return location.reload();
      if (line() === "refused") return; // it would be done on another page, by and by
      from = root.dataset.stand;
      // The tab's journal keeps it (bridge.js) until it is safe: it outlives this page, and a line that fails unnoticed.
      if (!dispatchEvent(new CustomEvent("navalkit:order", { cancelable: true, detail: { order } }))) return;
      model.send({ event: "press", order, what: "", stand: root.dataset.stand ?? "" }); // what was seen: pressed again while nothing answered, it counts once
    };
    const paint = () => {
      if (model.get("active") && model.get("view").sees) draw(root, model.get("view"), model.get("board"));
      tell();
    };
    // What is the matter, for the class to read; the page's own notice is not in the document meanwhile.
    const tell = () => {
      root.querySelector(".nk-wall-line")?.remove();
      const lines = model.get("view").line ?? {}, says = performance.now() >= due && lines[line()];
      // A press that waits is told: the answer would come by itself, to a class that talks of something else by then. One
      // that the screen has followed is done, though nobody has said yet that it is safe.
      const waits = says && waiting && line() !== "refused" && [undefined, root.dataset.stand].includes(from) ? ` ${lines.waits}` : "";
      if (says) root.append(element("p", { className: "nk-wall-line", role: "status" }, says, waits));
    };
    addEventListener("navalkit:waiting", ({ detail }) => { waiting = detail.orders; tell(); }, { signal });
    const changed = () => {
      due = line() === "away" ? performance.now() + BLIP : 0;
      if (due) setTimeout(tell, BLIP + 50);
      clearTimeout(again);
      if (restore && line() === "stuck") again = setTimeout(() => location.reload(), AGAIN);
      tell();
    };
    const lines = new MutationObserver(changed);
    lines.observe(document.documentElement, { attributeFilter: ["data-nk-line"] });
    const away = () => {
      bar?.remove();
      bar = null;
    };
    const show = () => {
      const on = model.get("active");
      if (on && !restore && document.getElementById("nk-loading")) { // the page is still being put together
        addEventListener("navalkit:ready", show, { signal, once: true });
        return;
      }
      if (on && !restore) {
        document.body.append(root); // over the whole window, whatever holds the widget
        const put = alone(root);
        restore = () => { put(); root.remove(); };
        document.documentElement.classList.add("nk-wall-on");
        size();
        changed();
      } else if (!on && restore) {
        away();
        restore();
        restore = null;
        document.documentElement.classList.remove("nk-wall-on");
        delete root.dataset.beat;
      }
      paint();
    };
    // A window that nobody else leads has a small bar, made when the pointer comes to the lower edge, and gone after.
    const offer = () => {
      const view = model.get("view");
      if (view.led) return away();
      if (!bar) {
        const made = (text, call) => {
          const button = element("button", { type: "button" }, text);
          button.addEventListener("click", call);
          return button;
        };
        bar = element("nav", { className: "nk-wall-bar" }, made("‹", () => press("back")), made("", () => press("next")), made("×", () => model.send({ event: "leave" })));
        root.after(bar);
      }
      bar.children[1].textContent = view.next;
      clearTimeout(hide);
      const later = () => { hide = setTimeout(() => (bar?.matches(":hover") ? later() : away()), SHOWN); };
      later();
    };
    addEventListener("pointermove", (event) => {
      if (restore && event.clientY > innerHeight - 96) offer();
    }, { signal });
    addEventListener("keydown", (event) => {
      if (!restore || event.ctrlKey || event.altKey || event.metaKey) return;
      const order = { " ": "next", PageDown: "next", ArrowRight: "next", PageUp: "back", ArrowLeft: "back" }[event.key];
      if (!order && event.key !== "Escape") return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.repeat) return;
      if (order) press(order);
      else model.send({ event: "leave" });
    }, { signal, capture: true });
    addEventListener("resize", () => { if (restore) { size(); paint(); } }, { signal });
    for (const name of ["view", "board", "active"]) model.on(`change:${name}`, show);
    document.fonts?.addEventListener("loadingdone", paint, { signal }); // a weight that is used for the first time changes widths
    show();
    return () => {
      gone.abort();
      lines.disconnect();
      clearTimeout(again);
      away();
      restore?.();
      restore = null;
      document.documentElement.classList.remove("nk-wall-on");
    };
  },
};
