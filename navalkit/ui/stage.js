// Draws a board: the picture itself, on the canvas that ipycanvas shows and hears; the light on what is pressed, in its own
// frame; and films over a picture that is already the last one. Python sends a look once and calls it by its number then
// (navalkit.view.painters). Three canvases above the board's own: `back` (what lies under the pieces), `fx` (what moves) and
// `front` (what lies over them) hide it while a film runs; between films `fx` has rings round the last move and light on
// what is pressed. None takes a press, none is read aloud.
// A film covers the column beside the board, too, with a copy of what stood there before it (`held`), and says its own
// headlines on it: nothing beside the board runs ahead of the board. At the verdict the copies go.
const LATE = 300; // ms without an answer until the page says that it calculates
const SAID = 1200; // ms that a word about a press stays which gets no answer of its own
const FINGER = 44; // px: a place that is smaller is asked about before a press on it is an order
const NEAR = 24; // px round a finger in which it finds a place to press
const GLASS = 156, LARGER = 2; // px of the magnifier under a finger, and how much larger it shows
const TOUCH = 14; // px of the light under the pointer, where a board has no outlines of its cells
const MOST_CUTS = 200; // looks kept as bitmaps
const APPEAR = 200; // ms at most in which a new piece comes up
const FADE = 200; // ms in which a piece comes to look otherwise
const HELD = ".nk-play > .nk-right, .nk-play .nk-play-aims, .nk-play .nk-play-stepper"; // what tells the result
const SCROLLED = ".widget-tab-contents, .nk-play-orders, .nk-play-panel, .nk-log";
const COUNTED = 900; // ms in which the score is counted at the end of a game
const OVERDUE = 500; // ms after its time when a film ends even where no frame is painted
const SILENT = "nkSilent"; // <html data-nk-silent>: a class; no sound, whatever the switch says
const on = (what) => {
  try { return localStorage.getItem(`navalkit:${what}`) === "on"; } catch { return false; }
};
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const seen = (window.nkStage ??= { plays: 0, ended: 0, gaps: [], presses: [], heard: [] }); // what `make bench` and the tests read

// ---- Sounds: a few oscillators and some noise; nothing is fetched.
let audio = null;
const tone = (type, from, to, long, loud) => ({ type, from, to, long, loud });
const noise = (cut, long, loud) => ({ cut, long, loud });
const SOUNDS = {
  press: tone("sine", 520, 640, 0.06, 0.04), move: noise(500, 0.35, 0.05), flip: noise(5200, 0.07, 0.12),
  ring: tone("sine", 660, 880, 0.16, 0.05), flash: noise(900, 0.2, 0.35), shell: tone("sine", 900, 300, 0.3, 0.04),
  track: noise(700, 0.5, 0.08), splash: noise(1500, 0.5, 0.2), hit: noise(320, 0.7, 0.5), sink: tone("triangle", 140, 38, 1.1, 0.25),
  ping: tone("sine", 1420, 1380, 0.9, 0.08), light: noise(2400, 0.15, 0.04), note: tone("sine", 740, 740, 0.12, 0.04),
};
const BUZZ = { press: 8, hit: 60, sink: [40, 40, 90], splash: 20, flash: 15 };
function sound(kind) {
  if (SILENT in document.documentElement.dataset) return;
  if (on("haptics")) navigator.vibrate?.(BUZZ[kind] ?? 0);
  const s = SOUNDS[kind];
  if (!s || !on("sound")) return;
  seen.heard.push(kind);
  audio ??= new AudioContext();
  const t = audio.currentTime, gain = audio.createGain();
  gain.gain.setValueAtTime(s.loud, t);
  gain.gain.exponentialRampToValueAtTime(0.0001, t + s.long);
  gain.connect(audio.destination);
  let source;
  if (s.type) {
    source = audio.createOscillator();
    source.type = s.type;
    source.frequency.setValueAtTime(s.from, t);
    source.frequency.exponentialRampToValueAtTime(s.to, t + s.long);
    source.connect(gain);
  } else {
    const heard = audio.createBuffer(1, audio.sampleRate * s.long, audio.sampleRate), data = heard.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = 2 * Math.random() - 1;
    source = audio.createBufferSource();
    source.buffer = heard;
    const filter = audio.createBiquadFilter();
    filter.frequency.value = s.cut;
    source.connect(filter).connect(gain);
  }
  source.start(t);
  source.stop(t + s.long);
}

// ---- Marks: g is the context, p goes from 0 to 1, m is the mark; stroke and fill are its tone already.
const out = (p) => 1 - (1 - p) ** 3;
const circle = (g, m, r, fill) => {
  g.beginPath();
  g.arc(m.x, m.y, Math.max(r, 0), 0, 7);
  fill ? g.fill() : g.stroke();
};
const waves = (g, p, m, late, width) => {
  for (const from of late) {
    const q = (p - from) / (1 - late.at(-1));
    if (q > 0 && q < 1) { g.globalAlpha = 1 - q; g.lineWidth = width; circle(g, m, m.r * out(q)); }
  }
};
const glow = (g, m, r, colours) => {
  const made = g.createRadialGradient(m.x, m.y, 0, m.x, m.y, Math.max(r, 1));
  colours.forEach((colour, i) => made.addColorStop(i / (colours.length - 1), colour));
  g.fillStyle = made;
  circle(g, m, r, true);
};
const MARKS = {
  ring(g, p, m) { g.globalAlpha = Math.min(1, 3 * (1 - p)); g.lineWidth = 3; circle(g, m, m.r * (1.6 - 0.6 * out(p))); },
  flash(g, p, m) { g.globalAlpha = 1 - p; glow(g, m, m.r * (0.3 + 0.7 * out(p)), ["#fffbe6", "#ffd36b", "#ff8a1f00"]); },
  shell(g, p, m) {
    const place = (q) => ({ x: m.x + (m.to[0] - m.x) * q, y: m.y + (m.to[1] - m.y) * q - Math.sin(q * Math.PI) * 24 });
    const at = place(p);
    for (let i = 1; i < 8; i++) { // what it leaves in the air
      g.globalAlpha = 0.5 - 0.06 * i;
      circle(g, place(Math.max(0, p - 0.03 * i)), 4.5 - 0.4 * i, true);
    }
    g.globalAlpha = 0.3;
    circle(g, { x: at.x, y: m.y + (m.to[1] - m.y) * p }, 3, true); // its shadow on the sea
    g.globalAlpha = 1; g.strokeStyle = "#fff"; g.lineWidth = 1.5;
    circle(g, at, 4.5, true);
    circle(g, at, 5);
  },
  track(g, p, m) {
    const x = m.x + (m.to[0] - m.x) * p, y = m.y + (m.to[1] - m.y) * p;
    g.globalAlpha = 0.75; g.lineWidth = 2.5; g.setLineDash([7, 5]);
    g.beginPath(); g.moveTo(m.x, m.y); g.lineTo(x, y); g.stroke();
    g.globalAlpha = 1;
    circle(g, { x, y }, 3.5, true);
  },
  splash(g, p, m) {
    g.globalAlpha = 1 - p; g.lineWidth = 2;
    circle(g, m, m.r * out(p));
    for (let i = 0; i < 9; i++) {
      const far = m.r * 0.8 * out(p), up = Math.sin(p * Math.PI) * m.r * 0.8;
      circle(g, { x: m.x + Math.cos(i * 0.7) * far, y: m.y + Math.sin(i * 0.7) * far * 0.6 - up }, 0.8 + 2.4 * (1 - p), true);
    }
  },
  hit(g, p, m) {
    g.globalAlpha = 1 - p;
    glow(g, m, m.r * (0.4 + out(p)), ["#fff6d8", "#ffb13d", "#ff5a1f00"]);
    g.lineWidth = 2.5;
    circle(g, m, m.r * 1.4 * out(p));
  },
  sink(g, p, m) { waves(g, p, m, [0, 0.2, 0.4], 3); },
  ping(g, p, m) { waves(g, p, m, [0, 0.22, 0.44], 2); },
  light(g, p, m) { g.globalAlpha = 0.6 * Math.sin(p * Math.PI); glow(g, m, m.r, ["#fff8dc", "#fff2b0", "#fff2b000"]); },
  note() {},
  bar(g, p, m) { // filled to a share, which slides to where it is now; a tick where it began
    const [from, to] = m.share, width = m.to[0] - m.x, now = from + (to - from) * out(Math.min(1, p * m.ms / RUNS)), h = 12;
    g.lineWidth = 1.5;
    plate(g, m.x, m.y - h / 2, width, h, "#fff", "#14222c");
    g.fillStyle = m.colour; g.beginPath(); g.roundRect(m.x, m.y - h / 2, Math.max(h / 2, width * now), h, h / 2); g.fill();
    if (from !== to && now > 0) { g.fillStyle = "#14222c"; g.fillRect(m.x + width * from - 1, m.y - h, 2, 2 * h); }
    words(g, m.text, m.x + width + 10, m.y, 18, "left");
  },
  die(g, p, m) {
    g.lineWidth = 2.5;
    plate(g, m.x - m.r, m.y - m.r, 2 * m.r, 2 * m.r, m.share[1] ? m.colour : "#fffdf6", "#14222c", 4);
    words(g, m.text, m.x, m.y, 1.3 * m.r, "center", "#0f1f2a", false);
  },
  join(g, p, m) {
    for (const [colour, wide] of [["#fff", 7], [m.colour, 4]]) {
      g.strokeStyle = colour; g.lineWidth = wide; g.lineJoin = "round";
      g.beginPath(); g.moveTo(m.x, m.y + 8); g.lineTo(m.x, m.y); g.lineTo(m.to[0], m.y); g.lineTo(m.to[0], m.y + 8); g.stroke();
    }
    tag(g, m, (m.x + m.to[0]) / 2, m.y);
  },
  count(g, p, m) {
    const [from, to] = m.share, n = Math.round(from + (to - from) * out(Math.min(1, p * m.ms / RUNS)));
    tag(g, { ...m, text: m.text.replace("{}", n.toLocaleString(document.documentElement.lang || "en")) }, m.x, m.y);
  },
};
const RUNS = 300; // ms for a bar or a number to come to where it stops
const plate = (g, x, y, w, h, fill, edge, r = h / 2) => {
  g.beginPath(); g.roundRect(x, y, w, h, r);
  g.fillStyle = fill; g.fill();
  g.strokeStyle = edge; g.stroke();
};
const words = (g, text, x, y, size, align, ink = "#14222c", edged = true) => {
  g.font = `700 ${size}px ${g.nkFont}`;
  g.textAlign = align; g.lineJoin = "round";
  if (edged) { g.strokeStyle = "#fffe"; g.lineWidth = 4; g.strokeText(text, x, y + BASELINE * size); }
  g.fillStyle = ink; g.fillText(text, x, y + BASELINE * size);
};
const tag = (g, m, x, y) => { // words on a plate, inside the picture
  const size = 15;
  g.font = `700 ${size}px ${g.nkFont}`;
  const w = g.measureText(m.text).width + size, left = Math.min(Math.max(2, x - w / 2), Math.max(2, g.nkWide - w - 2));
  g.lineWidth = 1.5;
  plate(g, left, Math.max(1, y - 12), w, 24, m.colour, "#fff");
  words(g, m.text, left + w / 2, Math.max(13, y), size, "center", "#0f1f2a", false);
};
const STILL = new Set(["bar", "die", "join", "count"]); // their words stand still
const say = (g, p, m, font) => { // a mark's words rise and fade, edged so that they are read on any sea
  g.globalAlpha = Math.min(1, 2.5 * (1 - p));
  g.font = `bold 15px ${font}`;
  g.textAlign = "center"; g.lineJoin = "round"; g.lineWidth = 4;
  const y = m.y - (m.kind === "note" ? 0 : m.r) - 14 * out(p);
  g.strokeStyle = "#000a"; g.strokeText(m.text, m.x, y);
  g.fillStyle = "#fff"; g.fillText(m.text, m.x, y);
};

// ---- Looks: lists of parts, heading up; a text keeps upright whatever turns.
const BASELINE = 0.35;
function part(g, [kind, [fill, stroke, width, opacity, dash], ...v], font, alpha = 1, turn = 0) {
  g.globalAlpha = opacity * alpha;
  g.lineWidth = width; g.lineJoin = "round"; g.setLineDash(dash);
  if (fill) g.fillStyle = fill;
  if (stroke) g.strokeStyle = stroke;
  if (kind === "t") {
    const [x, y, size, anchor, bold, text, own] = v; // `own`: it turns with its piece, by these degrees more
    if (own !== undefined) {
      g.save();
      g.translate(x, y); g.rotate((own * Math.PI) / 180 + turn);
      part(g, [kind, [fill, stroke, width, opacity, dash], 0, 0, size, anchor, bold, text], font, alpha);
      return g.restore();
    }
    g.font = `${bold ? "bold " : ""}${size}px ${font}`;
    g.textAlign = anchor === "middle" ? "center" : anchor;
    if (stroke) g.strokeText(text, x, y + BASELINE * size);
    if (fill) g.fillText(text, x, y + BASELINE * size);
    return;
  }
  g.beginPath();
  if (kind === "r") g.roundRect(...v);
  else if (kind === "c") g.arc(v[0], v[1], v[2], 0, 7);
  else for (let i = 0; i < v.length; i += 2) g.lineTo(v[i], v[i + 1]);
  if (kind === "p") g.closePath();
  if (fill && kind !== "l") g.fill();
  if (stroke) g.stroke();
}
const turned = ([kind, style, x, y, ...more], turn) => {
  const c = Math.cos(turn), s = Math.sin(turn);
  return [kind, style, c * x - s * y, s * x + c * y, ...more];
};
function put(g, look, x, y, heading, font) { // a look where it lies, part by part
  const turn = (heading * Math.PI) / 180;
  for (const each of look) {
    g.save();
    g.translate(x, y);
    if (each[0] === "t") part(g, turned(each, turn), font, 1, turn);
    else { g.rotate(turn); part(g, each, font); }
    g.restore();
  }
}
const ruler = document.createElement("canvas").getContext("2d");
function extent(parts, font, box = [0, 0, 0, 0]) {
  const hold = (x, y, r = 0) => {
    box[0] = Math.min(box[0], x - r); box[1] = Math.min(box[1], y - r);
    box[2] = Math.max(box[2], x + r); box[3] = Math.max(box[3], y + r);
  };
  for (const [kind, [, , width], ...v] of parts) {
    if (kind === "r") { hold(v[0], v[1], width); hold(v[0] + v[2], v[1] + v[3], width); }
    else if (kind === "c") hold(v[0], v[1], v[2] + width);
    else if (kind === "t") {
      const [x, y, size, , bold, text] = v;
      ruler.font = `${bold ? "bold " : ""}${size}px ${font}`;
      hold(x, y, ruler.measureText(text).width + size); // it may turn
    } else for (let i = 0; i < v.length; i += 2) hold(v[i], v[i + 1], width);
  }
  return box.map((each, i) => each + (i < 2 ? -2 : 2));
}
class Look { // one that moves: a bitmap, and its texts
  constructor(parts, k, font) {
    this.texts = parts.filter(([kind]) => kind === "t");
    this.font = font;
    const bare = parts.filter(([kind]) => kind !== "t"), box = (this.box = extent(bare));
    this.cut = document.createElement("canvas");
    this.cut.width = Math.ceil((box[2] - box[0]) * k);
    this.cut.height = Math.ceil((box[3] - box[1]) * k);
    const g = this.cut.getContext("2d");
    g.setTransform(k, 0, 0, k, -box[0] * k, -box[1] * k);
    for (const each of bare) part(g, each, font);
  }
  draw(g, [x, y, heading], alpha, wide = 1) {
    if (alpha <= 0) return;
    const [left, top, right, bottom] = this.box, turn = (heading * Math.PI) / 180;
    g.save();
    g.translate(x, y);
    g.save();
    g.rotate(turn); g.scale(wide, 1);
    g.globalAlpha = alpha;
    g.drawImage(this.cut, left, top, right - left, bottom - top);
    g.restore();
    if (wide > 0.3) for (const each of this.texts) part(g, turned(each, turn), this.font, alpha, turn);
    g.restore();
  }
}
const smooth = (p) => p * p * (3 - 2 * p);
class Going {
  constructor([before, after, place, flips, at, ms, changes, ...flat], look) {
    Object.assign(this, { before: look(before), after: look(after), place, flips, at, ms, changes });
    this.way = [];
    for (let i = 0; i < flat.length; i += 3) {
      const turn = flat[i + 2], last = this.way.at(-1)?.[2] ?? turn;
      this.way.push([flat[i], flat[i + 1], last + ((((turn - last) % 360) + 540) % 360) - 180]); // the short way round
    }
    this.legs = this.way.slice(1).map(([x, y], i) => Math.hypot(x - this.way[i][0], y - this.way[i][1]));
    this.far = this.legs.reduce((a, b) => a + b, 0);
  }
  get wakes() { return this.far > 20 && !this.flips; }
  pose(p) {
    if (this.way.length < 2) return this.way[0];
    let left = smooth(p) * this.far, i = 0;
    if (!this.far) i = this.legs.length - 1;
    else while (i < this.legs.length - 1 && left > this.legs[i]) left -= this.legs[i++];
    const s = this.far ? Math.min(1, left / (this.legs[i] || 1)) : smooth(p), a = this.way[i], b = this.way[i + 1];
    return a.map((value, n) => value + (b[n] - value) * s);
  }
  draw(g, t) {
    const p = this.ms ? Math.min(Math.max((t - this.at) / this.ms, 0), 1) : +(t >= this.at), at = this.pose(p);
    if (!this.after) this.before.draw(g, at, Math.min(1, (1 - p) * (this.far ? 4 : 1)));
    else if (!this.before) this.after.draw(g, at, p && Math.min(1, (t - this.at) / Math.min(APPEAR, this.ms || 1)));
    else if (this.before === this.after) this.after.draw(g, at, 1);
    else if (this.flips) {
      const q = this.changes < 0 ? p : Math.min(Math.max((t - this.changes) / FADE, 0), 1);
      (q < 0.5 ? this.before : this.after).draw(g, at, 1, Math.abs(Math.cos(q * Math.PI)));
    }
    else {
      const q = this.changes < 0 ? p : Math.min(Math.max((t - this.changes) / FADE, 0), 1);
      this.before.draw(g, at, 1 - q);
      this.after.draw(g, at, q);
    }
  }
  wake(g, t) {
    const p = (t - this.at) / this.ms;
    if (!this.wakes || p <= 0 || p >= 1) return;
    const [x, y] = this.pose(p), [x0, y0] = this.pose(Math.max(0, p - 0.25));
    g.globalAlpha = 0.5 * Math.sin(p * Math.PI);
    g.lineWidth = 4; g.lineCap = "round"; g.strokeStyle = "#fff";
    g.beginPath(); g.moveTo(x0, y0); g.lineTo(x, y); g.stroke();
  }
}

const inside = (points, x, y) => {
  let odd = false;
  for (let i = 0, j = points.length - 2; i < points.length; j = i, i += 2) {
    const across = points[i + 1] > y !== points[j + 1] > y;
    if (across && x < ((points[j] - points[i]) * (y - points[i + 1])) / (points[j + 1] - points[i + 1]) + points[i]) odd = !odd;
  }
  return odd;
};

export default {
  async render({ model, el }) {
    const gone = new AbortController(), { signal } = gone;
    const canvas = await model.widget_manager.get_model(model.get("canvas").slice("IPY_MODEL_".length));
    const font = model.get("font");
    const make = (layer) => {
      const made = Object.assign(document.createElement("canvas"), { className: "nk-stage", ariaHidden: "true" });
      made.dataset.layer = layer;
      return made;
    };
    const back = make("back"), fx = make("fx"), front = make("front");
    const late = Object.assign(document.createElement("div"), { className: "nk-late", ariaHidden: "true" });
    const told = Object.assign(document.createElement("div"), { className: "nk-told", role: "status", ariaLive: "polite" }); // at the stake and the verdict
    const page = () => board.closest(".nk-page") ?? board;
    // A page in a notebook's cell: what happens outside it is none of its business, and its bridge hears it alone.
    const cell = () => el.closest(".nk-cell");
    const here = (event) => !cell() || cell().contains(event.target);
    const hand = (name, detail) => (cell() ?? window).dispatchEvent(new CustomEvent(name, { detail, bubbles: true, cancelable: true }));
    let board = null, dom = null, k = 1, film = null, frame = 0, timer = 0, said = 0, waits = 0, lit = [], eaten = false;
    let marked = true, held = [], late_ = 0, released = true; // whether there is something on `fx`; copies over what tells the result; what ends a film that nobody sees
    const line = []; // pictures that wait for the film before them, each with what stood in the column before it
    let cells = [], asked = null, finger = null; // all outlines; the place that is asked about; the finger that looks for one

    const mount = () => {
      board = el.closest(".nk-board");
      dom = board?.querySelector("canvas.nk-canvas");
      if (!dom) return signal.aborted || requestAnimationFrame(mount);
      dom.addEventListener("mousedown", press, { signal, capture: true });
      dom.after(back, fx, front, late, told, glass, label);
      settle();
      new ResizeObserver(() => { fit(); idle(); }).observe(dom);
      compose();
    };

    // ---- The picture: a layer is a sheet. Of one that has changed only the places are drawn anew where something came or went,
    // with all that lies there: a board is large, and each pixel of it takes its time where no graphics card helps.
    const facts = { size: [1, 1], rings: [], spared: [], lights: [], free: [], cells: [], tones: [], focus: [], silent: false, asking: ["", ""], asks: [] }, sheets = [], styles = [], looks = [], cuts = new Map(), reaches = new Map();
    let known = false; // whether all that Python takes us to know has come
    const numbers = (runs) => {
      const found = [];
      for (let i = 0; i < runs.length; i += 2) for (let n = 0; n < runs[i + 1]; n++) found.push(runs[i] + n);
      return found;
    };
    const visit = (runs, what) => { for (const n of numbers(runs)) what(looks[n]); };
    const reach = (n) => { // left, top, right and bottom of a look, as it was made
      if (!reaches.has(n)) reaches.set(n, extent(looks[n], font, [Infinity, Infinity, -Infinity, -Infinity]));
      return reaches.get(n);
    };
    const mark = (n, x = 0, y = 0, heading = 0, piece = false) => { // a look where it lies, and the place it covers
      let box = reach(n);
      if (piece) { // turned as it may be
        const far = Math.hypot(Math.max(-box[0], box[2]), Math.max(-box[1], box[3]));
        box = [x - far, y - far, x + far, y + far];
      }
      return { n, x, y, heading, box, key: `${n},${x},${y},${heading}` };
    };
    const sheet = (kind, items) => {
      const marks = [], pieces = kind === 1;
      if (pieces) for (let i = 0; i < items.length; i += 4) marks.push(mark(...items.slice(i, i + 4), true));
      else for (const n of numbers(items)) marks.push(mark(n));
      return { pieces, late: kind === 2, marks };
    };
    const poses = (sheet) => (sheet.pieces ? sheet.marks.map(({ n, x, y, heading }) => [n, x, y, heading]) : []);
    const meet = (one, two) => one[0] <= two[2] && two[0] <= one[2] && one[1] <= two[3] && two[1] <= one[3];
    const lay = (g, some, scale, place = null) => { // all of some sheets, or what meets a place
      g.setTransform(scale, 0, 0, scale, 0, 0);
      for (const { pieces, marks } of some) {
        for (const { n, x, y, heading, box } of marks) {
          if (place && !meet(box, place)) continue;
          if (pieces) put(g, looks[n], x, y, heading, font);
          else for (const each of looks[n]) part(g, each, font);
        }
      }
    };
    const compose = (places = null) => canvas.forEachView(({ ctx: g, el: { width, height } }) => {
      const scale = width / facts.size[0];
      for (const place of places ?? [null]) {
        const [left, top, right, bottom] = place ? place.map((each, i) => (i < 2 ? Math.floor(each * scale) - 1 : Math.ceil(each * scale) + 1)) : [0, 0, width, height];
        g.save();
        g.beginPath();
        g.rect(left, top, right - left, bottom - top);
        g.clip();
        g.clearRect(left, top, right - left, bottom - top);
        lay(g, sheets, scale, place && [left / scale, top / scale, right / scale, bottom / scale]);
        g.restore();
      }
    });
    const differs = (was, now) => { // the places where a sheet is another than it was; null: anywhere
      if (!was || was.pieces !== now.pieces) return null;
      const [before, after] = [was, now].map(({ marks }) => new Set(marks.map(({ key }) => key)));
      const stays = ({ marks }, others) => marks.filter(({ key }) => others.has(key)).map(({ key }) => key).join();
      if (stays(was, after) !== stays(now, before)) return null; // in another order
      return [...was.marks.filter(({ key }) => !after.has(key)), ...now.marks.filter(({ key }) => !before.has(key))].map(({ box }) => box);
    };
    const apart = (boxes) => { // as few that do not meet: each place is drawn once
      const found = [];
      for (let box of boxes) {
        for (let i = 0; i < found.length; i++) {
          if (!meet(found[i], box)) continue;
          const [l, t, r, b] = found.splice(i, 1)[0];
          box = [Math.min(l, box[0]), Math.min(t, box[1]), Math.max(r, box[2]), Math.max(b, box[3])];
          i = -1;
        }
        found.push(box);
      }
      return found;
    };
    const paint = (message, copies = null) => {
      const plays = message.film && dom && known && !message.fresh && !calm.matches && !document.hidden;
      const kept = new Map();
      if (message.fresh) { sheets.length = styles.length = looks.length = 0; cuts.clear(); reaches.clear(); known = true; }
      if (!known) return;
      styles.push(...(message.styles ?? []));
      for (const look of message.looks ?? []) {
        looks.push(Array.isArray(look[0]) ? look.map(([kind, style, ...v]) => [kind, styles[style], ...v]) : look);
      }
      for (const name in facts) facts[name] = message[name] ?? facts[name];
      if ("silent" in message) document.documentElement.toggleAttribute("data-nk-silent", message.silent);
      if (plays) for (const i of message.film.keep ?? []) if (sheets[i]) { kept.set(i, sheets[i]); delete sheets[i]; }
      let boxes = plays || message.fresh || message.size || "height" in message ? null : [];
      for (const [i, kind, ...items] of message.layers ?? []) {
        const was = sheets[i];
        sheets[i] = sheet(kind, items);
        if (boxes) boxes = ((more) => more && [...boxes, ...more])(differs(was, sheets[i]));
      }
      if (plays) for (const [i, kind, ...items] of message.film.was ?? []) kept.set(i, sheet(kind, items));
      if ("height" in message) sheets.length = message.height;
      if ("asks" in message || "cells" in message || message.size) settle();
      compose(boxes && apart(boxes));
      if (!dom) return;
      if (message.fresh || message.size || plays) fit();
      if (plays) play(message.film, message.speed, kept, copies ?? copied());
      else idle();
    };
    canvas.on("change:width change:height", () => Promise.resolve().then(() => compose())); // ipycanvas wipes it then
    document.fonts.load(`bold 16px ${font}`).then(() => { // what was drawn before was drawn in others
      reaches.clear();
      for (const { pieces, marks } of sheets) marks.forEach(({ n, x, y, heading }, i) => { marks[i] = mark(n, x, y, heading, pieces); });
      compose();
    }).catch(() => {});

    const fit = () => { // as large as the board's canvas is shown, a pixel of theirs one of the screen's
      const width = dom.clientWidth, dense = devicePixelRatio || 1;
      k = (width / facts.size[0]) * dense;
      for (const each of [back, fx, front]) {
        each.style.cssText = `left:${dom.offsetLeft}px;top:${dom.offsetTop}px;width:${width}px;height:${dom.clientHeight}px`;
        const w = Math.round(width * dense), h = Math.round(dom.clientHeight * dense);
        if (each.width !== w || each.height !== h) Object.assign(each, { width: w, height: h });
      }
    };
    const clean = (canvas) => {
      const g = canvas.getContext("2d");
      g.setTransform(1, 0, 0, 1, 0, 0);
      g.globalAlpha = 1;
      g.clearRect(0, 0, canvas.width, canvas.height);
      return g;
    };
    const scaled = (canvas) => {
      const g = clean(canvas);
      g.setTransform(k, 0, 0, k, 0, 0);
      return g;
    };
    const legend = (g, word, points, ink, paper) => { // why something is framed, on a tab at the edge where it hides least of what is written
      const across = points.filter((_, i) => !(i % 2)), down = points.filter((_, i) => i % 2), size = Math.max(12, 12 * (devicePixelRatio || 1) / k);
      g.font = `600 ${size}px "Public Sans", system-ui, sans-serif`;
      const w = g.measureText(word).width + size, h = 1.5 * size, left = Math.min(...across), right = Math.max(...across), top = Math.min(...down), low = Math.max(...down);
      const along = Math.min(Math.max(0, left), facts.size[0] - w), beside = (top + low - h) / 2, [wide, high] = facts.size;
      const corners = [[right, top - h], [left - w, top - h], [right, low], [left - w, low]]; // where all sides are written on
      const places = [[along, top - h], [along, low], [right, beside], [left - w, beside], ...corners].filter(([x, y]) => x >= 0 && y >= 0 && x + w <= wide && y + h <= high);
      const over = (a, more, b, other) => Math.max(0, Math.min(a + more, b + other) - Math.max(a, b));
      const hides = ([x, y]) => facts.free.reduce((sum, [l, t, bw, bh]) => sum + over(x, w, l, bw) * over(y, h, t, bh), 0);
      const [x, y] = places.reduce((best, place) => best && hides(best) <= hides(place) ? best : place, undefined) ?? [along, low];
      g.globalAlpha = 1; g.fillStyle = paper; g.beginPath(); g.roundRect(x, y, w, h, 4); g.fill();
      g.fillStyle = ink; g.textAlign = "center"; g.fillText(word, x + w / 2, y + h / 2 + BASELINE * size);
    };
    const idle = () => { // rings round the last move, light on what is pressed
      if (film || !dom) return;
      const { rings, spared, lights, free } = facts, [ring, light, edge, ink] = facts.tones, some = !!(rings.length || lights.length || lit.length || asked);
      if (!some && !marked) return;
      marked = some;
      const g = scaled(fx);
      g.lineWidth = 2.5; g.setLineDash([6, 5]);
      g.globalAlpha = 0.9; g.strokeStyle = ring;
      const round = (boxes) => { g.save(); for (const box of boxes) { g.beginPath(); g.rect(0, 0, ...facts.size); g.rect(...box); g.clip("evenodd"); } }; // not across a name
      round(spared);
      for (const ring of rings) { g.beginPath(); g.roundRect(...ring); g.stroke(); }
      g.restore();
      g.setLineDash([]);
      const outline = (points, colour, wide) => {
        g.beginPath();
        for (let i = 0; i < points.length; i += 2) g.lineTo(points[i], points[i + 1]);
        g.closePath();
        g.globalAlpha = 1; g.strokeStyle = colour; g.lineWidth = wide; g.stroke();
      };
      round(free);
      for (const [points] of lights) { outline(points, edge, 6); outline(points, ring, 3.5); }
      g.restore();
      const said = new Map(lights.map(([points, word]) => [word, points])); // a word once, at the last thing it is of
      for (const [word, points] of said) legend(g, word, points, ink, ring);
      if (asked && asked.large < 1.5 * FINGER) { outline(asked.points, edge, 6); outline(asked.points, ring, 3.5); }
      for (const points of lit) {
        outline(points, edge, 2.5);
        g.globalAlpha = 0.38; g.fillStyle = light; g.fill();
      }
    };

    // ---- A press: lit in its own frame; waited for once it is one, which a finger that scrolls or rests too long is not.
    const shine = (points) => { lit.push(points); idle(); };
    const dark = () => {
      lit = lit.slice(lit.length - waits);
      if (!waits) for (const each of page()?.querySelectorAll(".nk-pressed") ?? []) each.classList.remove("nk-pressed");
      idle();
    };
    const wait = () => {
      waits += 1;
      if (waits > 1) tell();
      else timer ||= setTimeout(tell, LATE);
    };
    const tell = () => {
      if (said) return; // what is said of a press stays its time
      const [calculating, more] = model.get("words");
      late.textContent = waits > 1 ? more.replace("{n}", waits - 1) : calculating;
      late.classList.add("nk-open");
    };
    const answered = () => {
      waits = Math.max(0, waits - 1);
      clearTimeout(timer);
      timer = waits ? setTimeout(tell, LATE) : 0;
      if (!said) late.classList.remove("nk-open");
      dark();
    };
    const dropped = () => { // the second press of a double click, which bridge.js keeps from Python
      dark();
      late.textContent = model.get("words")[2];
      late.classList.add("nk-open");
      clearTimeout(said);
      said = setTimeout(() => { said = 0; if (waits) tell(); else late.classList.remove("nk-open"); }, SAID);
    };
    const cellAt = (event) => {
      const box = dom.getBoundingClientRect(), share = facts.size[0] / box.width;
      const x = (event.clientX - box.left) * share, y = (event.clientY - box.top) * share;
      let found = null;
      visit(facts.cells, (points) => { if (inside(points, x, y)) found = points; });
      if (found || facts.cells.length) return found;
      return [...Array(12).keys()].flatMap((i) => [x + TOUCH * Math.cos(i * Math.PI / 6), y + TOUCH * Math.sin(i * Math.PI / 6)]);
    };
    const press = (event) => { // an order of the page's journal (bridge.js), where it has one; else ipycanvas's
      if (event.button) return;
      const box = dom.getBoundingClientRect();
      const spot = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
      if (!hand("navalkit:order", { spot })) event.stopImmediatePropagation();
    };
    // ---- A place too small for a finger: the finger looks for it under a glass, and is asked before it is an order.
    const glass = Object.assign(document.createElement("canvas"), { className: "nk-glass", ariaHidden: "true", hidden: true });
    const label = Object.assign(document.createElement("div"), { className: "nk-under", ariaHidden: "true", hidden: true });
    const confirm = Object.assign(document.createElement("div"), { className: "nk-confirm", role: "group", hidden: true });
    const question = document.createElement("p"), [not, yes] = ["", " nk-primary"].map((more) =>
      Object.assign(document.createElement("button"), { type: "button", className: `jupyter-button${more}` }));
    question.setAttribute("aria-live", "polite");
    confirm.append(question, not, yes);
    const share = () => dom.clientWidth / facts.size[0]; // px of the screen to a pixel of the scene
    const span = (points) => {
      const xs = points.filter((_, i) => !(i % 2)), ys = points.filter((_, i) => i % 2);
      const widths = xs.map((x, i) => { // across each of its edges: the least of them is how narrow it is
        const j = (i + 1) % xs.length, [dx, dy] = [xs[j] - x, ys[j] - ys[i]], long = Math.hypot(dx, dy) || 1;
        return Math.max(...xs.map((u, n) => Math.abs((u - x) * dy - (ys[n] - ys[i]) * dx) / long));
      });
      const most = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
      return { small: Math.min(...widths) * share(), large: most * share(), x: xs.reduce((a, b) => a + b) / xs.length, y: ys.reduce((a, b) => a + b) / ys.length };
    };
    const settle = () => { // another position: nothing is asked any more
      cells = [];
      visit(facts.cells, (points) => cells.push(points));
      ask(null);
      board?.classList.toggle("nk-asks", asksAnybody());
    };
    const asksAnybody = () => !!facts.asking[0] && facts.asking[0] !== "never";
    const asks = (event) => asksAnybody() && (event.pointerType === "touch" || facts.asking[0] === "always");
    const at = (event) => {
      const box = dom.getBoundingClientRect(), k = facts.size[0] / box.width;
      return [(event.clientX - box.left) * k, (event.clientY - box.top) * k];
    };
    const place = (event) => { // the place under a finger: what lies there, or the nearest of the small ones
      const [x, y] = at(event);
      let top = -1;
      cells.forEach((points, n) => { if (inside(points, x, y)) top = n; });
      const pressed = facts.asks.find(([n]) => n === top);
      const whole = ([n, ask, alt]) => ({ n, ask, alt, points: cells[n], ...span(cells[n]) });
      if (pressed) return whole(pressed);
      let best = null, least = NEAR / share();
      for (const each of facts.asks) {
        const found = whole(each), far = Math.hypot(found.x - x, found.y - y) - found.large / share() / 2;
        if (found.small < FINGER && far < least) [best, least] = [found, far];
      }
      return best;
    };
    seen.places = () => facts.asks.map(([n, ask]) => { // where they lie in the window, and whether a press there finds them
      const found = span(cells[n]), box = dom.getBoundingClientRect();
      let top = -1;
      cells.forEach((points, i) => { if (inside(points, found.x, found.y)) top = i; });
      return { ask, small: found.small, x: box.left + found.x * share(), y: box.top + found.y * share(), own: top === n };
    });
    const look = (event, found) => { // the glass: clear of the thumb, above it, or beside it where there is no room
      const large = found && found.large < 1.5 * FINGER;
      glass.hidden = label.hidden = !large || event.pointerType !== "touch";
      if (glass.hidden) return;
      const dense = devicePixelRatio || 1, box = dom.getBoundingClientRect(), [x, y] = [event.clientX - box.left, event.clientY - box.top];
      const side = x < box.width / 2 ? 1 : -1, above = y > GLASS + 40;
      const left = above ? Math.min(Math.max(0, x - GLASS / 2), box.width - GLASS) : x + side * (GLASS / 2 + 56) - GLASS / 2, top = above ? y - GLASS - 44 : Math.max(0, y - GLASS / 2);
      const where = `left:${dom.offsetLeft + left}px;top:${dom.offsetTop + top}px;`;
      Object.assign(glass, { width: GLASS * dense, height: GLASS * dense });
      glass.style.cssText = `${where}width:${GLASS}px;height:${GLASS}px`;
      label.style.cssText = `left:${dom.offsetLeft + left + GLASS / 2}px;top:${dom.offsetTop + top + GLASS - 22}px`;
      label.textContent = found.ask || found.alt;
      const g = glass.getContext("2d"), across = GLASS / LARGER, [, , edge] = facts.tones, ratio = dom.width / box.width;
      g.drawImage(dom, (x - across / 2) * ratio, (y - across / 2) * ratio, across * ratio, across * ratio, 0, 0, glass.width, glass.height);
      g.setTransform(dense, 0, 0, dense, 0, 0);
      g.lineJoin = "round";
      for (const [colour, wide] of [[edge, 6], [facts.tones[0], 3.5]]) {
        g.beginPath();
        for (let i = 0; i < found.points.length; i += 2) g.lineTo((found.points[i] * share() - x) * LARGER + GLASS / 2, (found.points[i + 1] * share() - y) * LARGER + GLASS / 2);
        g.closePath();
        g.strokeStyle = colour; g.lineWidth = wide; g.stroke();
      }
    };
    const ask = (found) => {
      const was = asked;
      asked = found;
      if (!confirm.isConnected) page()?.querySelector(".nk-play-orders")?.after(confirm);
      const orders = confirm.previousElementSibling;
      confirm.hidden = !found || !orders;
      if (found && orders) {
        [question.textContent, not.textContent, yes.textContent] = [found.alt, facts.asking[1], found.ask];
        const free = page().querySelector(".nk-play-hole")?.offsetHeight ?? 0; // lying down: what it says has room over them
        const least = Math.max(98, orders.offsetHeight), low = orders.offsetParent.clientHeight - orders.offsetTop - orders.offsetHeight;
        confirm.style.cssText = `bottom:${low}px;left:${orders.offsetLeft}px;width:${orders.offsetWidth}px;min-height:${least}px;max-height:${least + Math.min(free, 60)}px`; // no more than it needs: the board's legend may lie there
      }
      if (found || was) {
        const seen = found ? [found.x / facts.size[0], found.y / facts.size[1]] : [-1, -1];
        hand("navalkit:hover", seen);
        idle();
      }
    };
    const give = (found) => {
      ask(null);
      shine(found.points);
      sound("press");
      wait();
      hand("navalkit:order", { spot: [found.x / facts.size[0], found.y / facts.size[1]] });
    };
    not.addEventListener("click", () => ask(null));
    addEventListener("click", (event) => { // undo, a hint, a new game: what was asked is not what is looked at any more
      if (asked && event.target.closest?.(".nk-play-controls > button") && page()?.contains(event.target)) ask(null);
    }, { signal, capture: true });
    yes.addEventListener("click", () => asked && give(asked));
    addEventListener("pointerdown", (event) => {
      finger = null;
      if (!dom || event.target !== dom || event.button || eaten || !event.isPrimary || !asks(event)) return;
      const found = place(event);
      if (!found || found.small >= FINGER) return;
      finger = { id: event.pointerId, found };
      dark(); // what was lit is not what is pressed
      look(event, found);
    }, { signal });
    addEventListener("pointermove", (event) => {
      if (event.pointerId !== finger?.id || finger.done) return;
      finger.found = place(event) ?? finger.found;
      look(event, finger.found);
    }, { signal, capture: true });
    for (const type of ["pointerup", "pointercancel"]) {
      addEventListener(type, (event) => {
        if (event.pointerId !== finger?.id || finger.done) return;
        const { found } = finger;
        finger.done = true; // the mouse's events that follow a tap are none of their own
        glass.hidden = label.hidden = true;
        if (type === "pointercancel") return;
        if (found.ask && found.n !== asked?.n) ask(found);
        else give(found);
      }, { signal, capture: true });
    }
    for (const type of ["mousedown", "mouseup", "click"]) {
      addEventListener(type, (event) => {
        if (finger && event.target === dom) { event.stopImmediatePropagation(); event.preventDefault(); }
      }, { signal, capture: true });
    }

    const orderOf = (event) => {
      const button = event.target.closest?.(".nk-play-order-button");
      return button && !button.disabled && page().contains(button) ? button : null;
    };
    addEventListener("pointerdown", (event) => {
      if (!dom) return;
      const button = event.target.closest?.(".nk-page button");
      eaten = here(event) && stop(true); // the press that ends a film does nothing else
      if (eaten) event.stopImmediatePropagation();
      if (!eaten && event.target === dom && event.button === 0) {
        const found = cellAt(event);
        if (!found) return;
        shine(found);
      } else if (!eaten && button && !button.disabled && page().contains(button)) button.classList.add("nk-pressed");
      else return;
      sound("press");
      seen.presses.push(performance.now() - event.timeStamp);
    }, { signal, capture: true });
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => dom && setTimeout(dark, LATE), { signal, capture: true });
    for (const type of ["mousedown", "mouseup", "click", "touchstart"]) {
      addEventListener(type, (event) => {
        if (eaten) { event.stopImmediatePropagation(); event.preventDefault(); }
      }, { signal, capture: true, passive: false });
    }
    addEventListener("mousedown", (event) => {
      if (event.target === dom && event.detail < 2 && !event.button && facts.cells.length && cellAt(event)) wait();
    }, { signal, capture: true });
    addEventListener("click", (event) => {
      const button = dom && event.detail < 2 && orderOf(event);
      if (!button) return;
      button.classList.add("nk-pressed"); // by a key it had no pointer
      wait();
    }, { signal, capture: true });
    addEventListener("navalkit:dropped", () => dom && dropped(), { signal });
    addEventListener("keydown", (event) => {
      if (/^(Tab|Shift|Control|Alt|Meta)$/.test(event.key)) return;
      if (!here(event)) return;
      if (stop(true)) { event.preventDefault(); event.stopImmediatePropagation(); return; }
      if (event.target === dom && /^(Enter| )$/.test(event.key) && facts.focus.length) { shine(facts.focus); wait(); }
    }, { signal, capture: true });

    // ---- What tells the result: its copies stand over it until the verdict.
    const copied = () => [...(page()?.parentElement?.querySelectorAll(HELD) ?? [])].filter((each) => !each.dataset.nkHeld && each.offsetParent).map((each) => {
      const copy = each.cloneNode(true);
      copy.dataset.nkHeld = "";
      copy.classList.remove("nk-behind");
      copy.inert = true;
      copy.ariaHidden = "true";
      for (const part of copy.querySelectorAll("[id]")) part.removeAttribute("id");
      for (const part of copy.querySelectorAll("[aria-live]")) { part.removeAttribute("aria-live"); part.removeAttribute("role"); }
      const was = each.querySelectorAll("input, select"), now = copy.querySelectorAll("input, select");
      was.forEach((box, i) => { now[i].value = box.value; });
      const scrolls = [...each.querySelectorAll(SCROLLED)].map((part) => [part.scrollTop, part.scrollLeft]);
      return { real: each, copy, scrolls };
    });
    const hold = (copies) => {
      held = copies;
      for (const { real, copy, scrolls } of held) {
        Object.assign(copy.style, { left: `${real.offsetLeft}px`, top: `${real.offsetTop}px`, width: `${real.offsetWidth}px`, height: `${real.offsetHeight}px` });
        real.classList.add("nk-behind");
        real.after(copy);
        copy.querySelectorAll(SCROLLED).forEach((part, i) => { [part.scrollTop, part.scrollLeft] = scrolls[i]; });
        for (const status of real.querySelectorAll(".nk-status")) status.setAttribute("aria-live", "off");
      }
      released = false;
    };
    const runs = (each) => { // the score of the end is counted
      const text = each.textContent, lang = document.documentElement.lang || "en";
      const found = /\d[\d.,]*/.exec(text), to = found ? Number(found[0].replace(/\D/g, "")) : 0, from = performance.now();
      if (!to) return;
      const step = (now) => {
        const share = Math.min(1, (now - from) / COUNTED);
        each.textContent = share < 1 ? text.replace(found[0], Math.round(to * out(share)).toLocaleString(lang)) : text;
        if (share < 1 && each.isConnected) requestAnimationFrame(step);
      };
      step(from);
    };
    const headline = (text) => { // a film's own, in the place of the page's
      for (const { copy } of held) {
        const status = copy.querySelector(".nk-status [data-count]");
        if (!status) continue;
        const said = Object.assign(document.createElement("p"), { textContent: text });
        const now = Object.assign(document.createElement("p"), { className: "nk-now", textContent: "\u00a0" });
        status.className = "";
        status.replaceChildren(said, now);
      }
    };
    const release = () => {
      if (released) return;
      released = true;
      for (const { real, copy } of held) {
        if (!copy.querySelector(".nk-play-banner")) for (const each of real.querySelectorAll("[data-nk-runs]")) runs(each);
        copy.remove();
        real.classList.remove("nk-behind");
        for (const status of real.querySelectorAll(".nk-status")) {
          status.setAttribute("aria-live", "polite");
          told.textContent = [...status.querySelectorAll("p:not(.nk-play-whole)")].map((p) => p.textContent).join(" ");
        }
      }
      held = [];
    };

    // ---- A film.
    const stop = (skip = false) => { // with `skip` those that wait are not played: to the last picture
      if (!film) return false;
      cancelAnimationFrame(frame);
      clearTimeout(late_);
      film = null;
      release();
      board.classList.remove("nk-playing");
      for (const each of [back, front]) clean(each);
      seen.ended += 1;
      while (line.length && !film) {
        const [message, copies] = line.shift();
        paint(skip ? { ...message, film: undefined } : message, copies);
      }
      if (film) return true;
      idle();
      dispatchEvent(new Event("navalkit:film-over"));
      return true;
    };
    const cut = (n) => {
      if (n < 0) return null;
      if (cuts.k !== k || cuts.size > MOST_CUTS) cuts.clear();
      cuts.k = k;
      if (!cuts.has(n)) cuts.set(n, new Look(looks[n], k, font));
      return cuts.get(n);
    };
    const play = (data, speed, kept, copies) => {
      const top = sheets.findLastIndex((sheet) => sheet.pieces), moving = data.go.map((going) => new Going(going, cut));
      const places = new Set(moving.map((going) => going.place));
      const set = (old) => { // what stands still, as it was before the film or as it is after it
        const g0 = clean(back), at = (i) => (old && kept.get(i)) || sheets[i];
        const some = (from, to) => [...sheets.keys()].slice(from, to).map(at).filter((each) => !each.pieces && !(old && each.late));
        lay(g0, some(0, Math.max(top, 0)), k);
        g0.setTransform(k, 0, 0, k, 0, 0);
        sheets.flatMap(poses).forEach(([n, x, y, heading], place) => {
          if (!places.has(place)) put(g0, looks[n], x, y, heading, font);
        });
        const over = some(top + 1, sheets.length);
        lay(clean(front), over, k);
        front.hidden = !over.some(({ marks }) => marks.length); // each canvas that is shown costs its part of a frame
      };
      hold(copies);
      set(true);
      clean(fx);
      film = data;
      board.classList.add("nk-playing");
      const beats = [...data.beats];
      if (beats[0]?.[0] === 0) told.textContent = beats[0][1];
      const marks = data.marks.map(([kind, at, ms, x, y, r, colour, text, from, now, ...to]) => ({ kind, at, ms, x, y, r, colour, text, share: [from, now], to }));
      const heard = new Set(), from = performance.now(), end = data.ms / speed;
      const hear = (what, kind) => { if (!heard.has(what)) { heard.add(what); sound(kind); } };
      let before = from;
      const step = (now) => {
        const t = Math.max(0, (now - from) * speed);
        if (now - from >= end) return stop();
        seen.gaps.push(now - before);
        before = now;
        while (beats.length && t >= beats[0][0]) headline(beats.shift()[1]);
        if (!released && t >= data.told) { set(false); release(); }
        const g = scaled(fx);
        Object.assign(g, { nkFont: font, nkWide: facts.size[0] });
        for (const each of moving) each.wake(g, t);
        const busy = (each) => t > each.at && t < each.at + each.ms, over = (each) => each.flips && busy(each); // a card, over what lies
        for (const each of moving) if (!over(each)) each.draw(g, t);
        for (const each of moving) if (over(each)) each.draw(g, t);
        for (const each of moving) if (busy(each) && (each.far || each.flips)) hear(each, each.flips ? "flip" : "move");
        for (const mark of marks) {
          const p = (t - mark.at) / mark.ms;
          if (p < 0 || p >= 1) continue;
          hear(mark, mark.kind);
          g.save();
          g.strokeStyle = g.fillStyle = mark.colour;
          MARKS[mark.kind](g, p, mark);
          g.restore();
          if (mark.text && !STILL.has(mark.kind)) { g.save(); say(g, p, mark, font); g.restore(); }
        }
        frame = requestAnimationFrame(step);
      };
      seen.plays += 1;
      marked = true;
      late_ = setTimeout(stop, end + OVERDUE);
      step(from);
    };
    model.on("msg:custom", (message) => {
      if (message.do === "paint") {
        if (line.length || (film && (message.film || message.fresh))) line.push([message, message.film ? copied() : null]);
        else paint(message);
      }
      else if (!dom) return;
      else if (message.do === "answered") answered();
      else if (message.do === "stop") stop(true);
    });
    model.send({ event: "ready" });
    mount();
    return () => { gone.abort(); stop(true); for (const each of [back, fx, front, late, told, glass, label, confirm]) each.remove(); };
  },
};
