// The page's end of the lines to its widgets, without a kernel: a widget manager whose comms end in the worker.
import * as base from "@jupyter-widgets/base";
import { ManagerBase } from "@jupyter-widgets/base-manager";
import * as controls from "@jupyter-widgets/controls";
import "@jupyter-widgets/base/css/index.css";
import "@jupyter-widgets/controls/css/widgets-base.css";
import { MessageLoop } from "@lumino/messaging";
import { Widget } from "@lumino/widgets";

const lite = window.navalkitLite;
const $ = (selector) => document.querySelector(selector);
const TRIES = 3, SPAN = 60000; // a page resumes by itself TRIES times in SPAN ms; then its reader decides
const LONGEST = 60000; // ms until Python that calculates is said not to answer

// ---- Modules: those in this bundle, and what Python's packages bring (AMD), fetched when they are first asked for.
const known = { "@jupyter-widgets/base": base, "@jupyter-widgets/controls": controls };
const coming = {}, waiting = new Map();
function amd(name) {
  return (coming[name] ??= new Promise((done, no) => {
    const script = Object.assign(document.createElement("script"), { src: `nbx/${name}.js`, onerror: () => no(new Error(`no ${name}`)) });
    waiting.set(script, async (needs, factory) => {
      done((known[name] = factory(...(await Promise.all(needs.map((need) => known[need] ?? amd(need)))))));
    });
    document.head.append(script);
  }));
}
window.define = (...given) => {
  const factory = given.pop(), needs = Array.isArray(given.at(-1)) ? given.pop() : [];
  waiting.get(document.currentScript)?.(needs, factory);
};
window.define.amd = true;
for (const name of ["ipycanvas", "anywidget"]) amd(name);

// ---- The lines.
const lines = new Map(), pending = new Map();
let sent = 0;
class Line {
  constructor(id) {
    Object.assign(this, { comm_id: id, target_name: "jupyter.widget", kept: [] });
    lines.set(id, this);
  }
  open() { return ""; }
  send(data, callbacks, _metadata, buffers = []) {
    const id = String(++sent);
    pending.set(id, callbacks);
    const raw = buffers.map((each) => new Uint8Array(ArrayBuffer.isView(each) ? each.buffer.slice(each.byteOffset, each.byteOffset + each.byteLength) : each));
    lite.post({ hear: [this.comm_id, JSON.stringify(data)], id, buffers: raw });
    return id;
  }
  close() { lines.delete(this.comm_id); return ""; }
  on_msg(call) { this.call = call; for (const each of this.kept.splice(0)) call(each); }
  on_close(call) { this.closed = call; }
  hear(message) { if (this.call) this.call(message); else this.kept.push(message); } // its model is still being made
}

class Manager extends ManagerBase {
  async loadClass(name, module) {
    const found = (known[module] ?? (await amd(module)))[name];
    if (!found) throw new Error(`no ${name} in ${module}`);
    return found;
  }
  async _create_comm(_target, id) { return lines.get(id) ?? new Line(id); }
  async _get_comm_info() { return {}; }
}
const manager = new Manager();

function say(text, buffers) {
  let at = 0;
  for (const [kind, id, data, count] of JSON.parse(text)) {
    const raw = buffers.slice(at, (at += count)).map((each) => new DataView(each.buffer, each.byteOffset, each.byteLength));
    const message = { content: { comm_id: id, data, target_name: "jupyter.widget" }, metadata: { version: "2.1.0" }, buffers: raw, header: { msg_id: "" }, parent_header: {} };
    if (kind === "comm_open") manager.handle_comm_open(new Line(id), message);
    else if (kind === "comm_msg") lines.get(id)?.hear(message);
    else { lines.get(id)?.closed?.(message); lines.delete(id); }
  }
}

// What a page shows is known before Python is there, where it was made beforehand: it is laid out meanwhile, covered.
addEventListener("DOMContentLoaded", () => {
  const told = JSON.parse($("#nk-early")?.textContent || "null");
  if (!told || lite.how !== "warm" || (told.asked && location.search)) return;
  document.documentElement.dataset.nkEarly = "";
  say(told.say, told.buffers.map((each) => Uint8Array.from(atob(each), (sign) => sign.charCodeAt(0))));
  show(told.shown);
});

function show(models) { laid(models).catch((error) => lite.hear({ failed: String(error) })); }
async function laid(models) {
  const places = document.querySelectorAll("#nk-cells .jp-OutputArea-output");
  window.voila_finish();
  await Promise.all(models.map(async (id, n) => {
    if (!id) { places[n].textContent = ""; return; }
    const view = await manager.create_view(await manager.get_model(id));
    places[n].textContent = "";
    Widget.attach(view.luminoWidget, places[n]);
    addEventListener("resize", () => MessageLoop.postMessage(view.luminoWidget, Widget.ResizeMessage.UnknownSize));
  }));
}

// ---- How the reader is told of the line: busy (Python calculates), silent, resume (the worker is gone), stuck.
let state = "fine", orders = 0, kept = true, since = 0, leaving = false;
addEventListener("pagehide", () => { leaving = true; });
function tell(next) {
  if (leaving || ("nkEarly" in document.documentElement.dataset && next !== "stuck") || state === "stuck" || (state === "resume" && next !== "stuck")) return;
  if (state !== next) since = performance.now();
  state = document.documentElement.dataset.nkLine = next;
  paint();
}
const unsafe = () => orders > 0 && !kept;
function paint() { // as connection.js
  const notice = $("#nk-lost"), lost = unsafe() && ["silent", "stuck"].includes(state);
  notice.hidden = state === "fine";
  for (const part of notice.querySelectorAll("[data-nk-when]")) {
    const button = part.hasAttribute("data-nk-reload"), now = !lost || (button && state === "stuck") ? state : "unkept";
    part.hidden = !part.dataset.nkWhen.split(" ").includes(now);
  }
  $("#nk-waiting").hidden = !orders;
  $("#nk-waiting b").textContent = orders;
}
function resume() {
  if (leaving || state === "resume" || state === "stuck") return;
  if (unsafe()) return tell("stuck"); // what is lost with it is the reader's to give up
  const KEY = "navalkit:resumed";
  try {
    const past = JSON.parse(sessionStorage.getItem(KEY) || "[]").filter((at) => Math.abs(Date.now() - at) < SPAN);
    if (past.length >= TRIES) return tell("stuck");
    sessionStorage.setItem(KEY, JSON.stringify([...past, Date.now()]));
  } catch { return tell("stuck"); }
  tell("resume");
  location.reload();
}
addEventListener("navalkit:widgets-lost", resume);
addEventListener("navalkit:pulse", () => tell("fine"));
addEventListener("navalkit:late", () => tell(state === "silent" || (state === "busy" && performance.now() - since > LONGEST) ? "silent" : "busy"));
addEventListener("navalkit:waiting", ({ detail }) => { ({ orders, kept } = detail); paint(); });

lite.hear = (message) => {
  if (message.say) say(message.say, message.buffers);
  else if (message.shown) {
    if (message.early) delete document.documentElement.dataset.nkEarly;
    else show(message.shown);
  }
  else if (message.done) {
    pending.get(message.done)?.iopub?.status?.({ content: { execution_state: "idle" }, header: { msg_type: "status" } });
    pending.delete(message.done);
  } else if (message.lock) navigator.locks?.request(message.lock, resume); // ours when the worker is gone
  else if (message.answer !== undefined) { pending.get(message.id)?.(message.answer); pending.delete(message.id); }
  else if (message.failed) {
    console.error(message.failed);
    lite.failed = message.failed;
    if (!lite.ready || $("#nk-loading")) tell("stuck");
  }
};
lite.python = (code) => new Promise((done) => { const id = `python ${++sent}`; pending.set(id, done); lite.post({ run: code, id }); }); // for tests
for (const message of lite.early.splice(0)) lite.hear(message);
