/* Python in a worker, without a kernel (navalkit/ui/worker.py is its other half). Its name is how it starts and the page's:
   "warm" from a snapshot, "cold" without, "make" to make one, of what all pages share where there is no page. In: {begin}, {show}, {hear}, {run}; out: {got}, {ready}, {shown}, {say},
   {done}, {failed}. */
"use strict";
const [HOW, PAGE] = self.name.split(" ");
const BASE = new URL("./py/", self.location.href).href, SITE = "/lib/python3.13/site-packages";
const PIN = { abi_version: "2025_0", arch: "wasm32", platform: "emscripten_4_0_9", python: "3.13.2", version: "0.29.5" };
const KEPT_DAYS = 60, PATIENCE = 2000; // ms that what is seen waits for the database

// ---- What is fetched, and how much of it is here: told as bytes, so that the page shows real progress.
let got = 0, told = 0;
async function bytes(name) {
  const answer = await fetch(BASE + name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  const count = new TransformStream({ transform(chunk, to) {
    got += chunk.length;
    if (performance.now() - told > 50) { told = performance.now(); self.postMessage({ got }); }
    to.enqueue(chunk);
  } });
  return answer.body.pipeThrough(count);
}
const whole = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());
const stream = async (name) => (await bytes(name)).pipeThrough(new DecompressionStream("gzip")); // not every server packs what it sends
const unzipped = async (name) => whole(await stream(name));
const json = async (name) => (await fetch(BASE + name)).json();

// A snapshot is told by differences (build.py): what all pages share by a fresh memory with numpy linked, a page's own by that.
const PIECE = 1024;
async function remembered() {
  const parts = (await Promise.all([unzipped("base.snap.gz"), HOW === "warm" && unzipped(`${PAGE}.snap.gz`)])).filter(Boolean);
  const [head, size] = new Uint32Array(parts.at(-1).buffer, 0, 2), whole = new Uint8Array(head + size);
  whole.set(parts.at(-1).subarray(12, 12 + head));
  return { parts, whole, memory: whole.subarray(head) };
}
function recall({ parts, memory }, fresh) {
  memory.set(fresh.subarray(0, memory.length));
  for (const part of parts) {
    const [head, , count] = new Uint32Array(part.buffer, 0, 3), where = new Uint32Array(part.buffer, 12 + head, count);
    const from = 12 + head + 4 * count;
    where.forEach((piece, n) => {
      const here = new Uint32Array(memory.buffer, memory.byteOffset + piece * PIECE, PIECE / 4), there = new Uint32Array(part.buffer, from + n * PIECE, PIECE / 4);
      for (let i = 0; i < PIECE / 4; i++) here[i] ^= there[i];
    });
  }
}
const snapshot = HOW === "warm" || (HOW === "make" && PAGE) ? remembered() : null;
let fresh = null;
const core = stream("pyodide.asm.wasm.gz").then((code) => WebAssembly.compileStreaming(new Response(code, { headers: { "Content-Type": "application/wasm" } })));
const sides = json("sides.json").then((names) => Promise.all(names.map(async (name) => {
  const code = await unzipped(`${name.split("/").pop()}.gz`);
  return [name, code, await WebAssembly.compile(code)];
})));
let files = HOW === "warm" ? null : unzipped("files.pack.gz");
const data = HOW === "warm" ? unzipped("data.pack.gz") : null;
for (const each of [snapshot, core, sides, files, data]) each?.catch(() => {}); // heard where it is awaited
importScripts(`${BASE}pyodide.js`, `${BASE}pyodide.asm.js`);

// ---- Python. Shared objects are loaded before it starts, in one order, when a snapshot is made and when it is taken up: so
// memory and tables agree. They were compiled side by side; Emscripten, which would compile them again, is given the result.
const SENTINEL = Symbol("error marker");
let py = null;

function unpack(FS, raw) {
  const size = new DataView(raw.buffer, raw.byteOffset).getUint32(0, true), from = 4 + size, known = new Set();
  for (const [name, at, length] of JSON.parse(new TextDecoder().decode(raw.subarray(4, from)))) {
    const folder = name.slice(0, name.lastIndexOf("/"));
    if (!known.has(folder)) FS.mkdirTree(folder);
    known.add(folder);
    FS.writeFile(name, raw.subarray(from + at, from + at + length), { canOwn: true });
  }
}

async function side(Module, name, code) {
  const usual = self.fetch, where = Module.locateFile;
  self.fetch = async () => ({ ok: true, status: 200, url: name, arrayBuffer: async () => code });
  Module.locateFile = (path) => BASE + path;
  try {
    await Module.loadDynamicLibrary(name, { loadAsync: true, nodelete: true, allowUndefined: true, global: false }, {});
  } finally {
    self.fetch = usual;
    Module.locateFile = where;
  }
}

async function start() {
  const usual = self._createPyodideModule, compiled = await core, linked = await sides;
  self._createPyodideModule = (settings) => {
    const instantiate = WebAssembly.instantiate.bind(WebAssembly);
    const known = new Map(linked.map(([, code, module]) => [code, module]));
    WebAssembly.instantiate = async (what, imports) => {
      const module = known.get(what);
      return module ? { module, instance: await instantiate(module, imports) } : instantiate(what, imports);
    };
    settings.instantiateWasm = (imports, done) => {
      imports.sentinel = { create_sentinel: () => SENTINEL, is_sentinel: (each) => each === SENTINEL };
      instantiate(compiled, imports).then((instance) => done(instance, compiled));
      return {};
    };
    settings.preRun = [async (Module) => {
      Module.addRunDependency("navalkit");
      try {
        Module.API.pyVersionTuple = PIN.python.split(".").map(Number);
        Module.API.sitePackages = SITE;
        for (const folder of [SITE, "/home/pyodide"]) Module.FS.mkdirTree(folder);
        Module.FS.chdir("/home/pyodide");
        Object.assign(Module.ENV, { HOME: "/home/pyodide", JUPYTER_WIDGETS_ECHO: "0" });
        if (files) unpack(Module.FS, await files);
        if (data) unpack(Module.FS, await data);
        for (const [name, code] of linked) {
          if (files) Module.FS.writeFile(name, code);
          await side(Module, name, code);
        }
        if (snapshot) recall(await snapshot, Module.HEAPU8);
        else if (HOW === "make") fresh = Module.HEAPU8.slice();
      } catch (error) { fail(error); }
      Module.removeRunDependency("navalkit");
    }];
    return usual(settings);
  };
  const restored = snapshot && { _loadSnapshot: (await snapshot).whole };
  const fetching = self.fetch; // Pyodide asks for its core by itself, which is here already, compiled
  self.fetch = (asked, ...how) => (String(asked).endsWith("/pyodide.asm.wasm") ? new Promise(() => {}) : fetching(asked, ...how));
  py = await loadPyodide({
    indexURL: BASE, stdLibURL: "data:,", packages: [], packageBaseUrl: BASE, lockFileContents: { info: PIN, packages: {} },
    env: { HOME: "/home/pyodide", JUPYTER_WIDGETS_ECHO: "0" }, ...(HOW === "make" ? { _makeSnapshot: true } : {}), ...restored,
  });
}

function fail(error) {
  console.error(error);
  self.postMessage({ failed: String(error?.stack ?? error) });
}

// ---- The record: games in progress in this browser's database. What is seen of a move waits until the move is kept.
let base = null, keeping = Promise.resolve(), last = 0;
const asked = (request) => new Promise((done, no) => { request.onsuccess = () => done(request.result); request.onerror = () => no(request.error); });
async function shelf() {
  const opening = indexedDB.open("navalkit", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("games");
  base = await asked(opening);
  base.onversionchange = () => base.close();
  const store = base.transaction("games").objectStore("games");
  const [names, rows] = await Promise.all([asked(store.getAllKeys()), asked(store.getAll())]);
  const kept = {}, old = Date.now() - KEPT_DAYS * 864e5;
  rows.forEach((row, n) => { if (row.at > old) kept[names[n]] = row.text; else write(names[n], null); });
  return kept;
}
const games = HOW === "make" ? Promise.resolve({}) : shelf().catch(() => ({})); // said once there is something to keep
function write(token, text) {
  return new Promise((done, no) => {
    const change = base.transaction("games", "readwrite"), store = change.objectStore("games");
    change.oncomplete = done;
    change.onabort = change.onerror = () => no(change.error);
    if (text === null) store.delete(token);
    else store.put({ text, at: Date.now() }, token);
  });
}
function keep(token, text) {
  const late = new Promise((_, no) => setTimeout(() => no(new Error("the database does not answer")), PATIENCE));
  const done = Promise.race([(base ? Promise.resolve() : shelf()).then(() => write(token, text)), late]); // asked anew each time
  const number = ++last; // each is a whole game: what the last one has is kept
  const why = ({ name, message }) => (name === "QuotaExceededError" ? "" : message || name || "storage failed");
  const answered = done.then(() => { if (number === last) worker.sure(); }, (error) => worker.unkept(why(error ?? {})));
  keeping = Promise.all([keeping, answered]);
}

// ---- The page.
let worker = null;
function post(text, buffers) {
  const said = { say: text, buffers: buffers.toJs({ depth: 1 }).map((each) => each.toJs?.() ?? each) };
  keeping.then(() => self.postMessage(said));
}
async function late() { // what a snapshot does not hold, for what is imported later; a first import may have fetched it (start.py)
  if (HOW === "warm") py.runPython("import navalkit_start as s; s.files_wanted()") && unpack(py.FS, await unzipped("files.pack.gz"));
  py.runPython("import navalkit_start as s; s.files_came()");
  try {
    unpack(py.FS, await unzipped("pillow.pack.gz"));
    py.runPython("import navalkit_start as s; s.pillow_came()");
  } catch { py.runPython("import navalkit_start as s; s.pillow_missed()"); } // this build has none, or it could not be had
  worker.warm(PAGE);
}

const calls = {
  async begin(query) {
    await start();
    if (!snapshot) py.runPython("import navalkit_start as s; s.start()");
    worker = py.runPython("import navalkit_start as s; s.woken()");
    worker.post = post;
    worker.begin(query, JSON.stringify(await games), keep);
    self.postMessage({ ready: true });
  },
  show(cells) {
    const shown = worker.show(cells).toJs();
    self.postMessage({ shown, early: worker.beforehand });
    setTimeout(() => late().catch(fail), 1500);
  },
  hear([line, text], { buffers, id }) {
    try {
      worker.hear(line, text, py.toPy(buffers ?? []));
    } finally {
      keeping.then(() => self.postMessage({ done: id }));
    }
  },
  async run(code, { id }) { // for tests
    const answer = await py.runPythonAsync(code).catch((error) => `failed: ${error}`);
    self.postMessage({ answer: String(answer), id });
  },
  async make(cells) {
    await start();
    const told = py.runPython(`import navalkit_start as s; ${PAGE ? `s.make(${JSON.stringify(cells)})` : "s.share()"}`);
    // What Pyodide takes for loaded, by folders .dist-info, is to be as at its start; after a snapshot it is the sixth of its own.
    for (const known of [py.loadedPackages, snapshot && py._module.__hiwire_get(6)]) {
      for (const name of Object.keys(known ?? {})) delete known[name];
    }
    sweep(py._module);
    const made = py.makeMemorySnapshot({ serializer: () => null });
    self.postMessage({ made, fresh, told }, [made.buffer]);
  },
};
// What Python has given up still lies in its memory, and would be told: it is taken once more, emptied and given back.
function sweep(Module) {
  const end = Module._sbrk(0), held = [];
  for (let size = 1 << 20, at; size >= 16; size >>= 1) {
    while ((at = Module.___libc_malloc(size)) && at + size <= end) {
      Module.HEAPU8.fill(0, at, at + size);
      held.push(at);
    }
    Module.___libc_free(at);
  }
  for (const at of held) Module.___libc_free(at);
}
let turn = Promise.resolve();
self.onmessage = ({ data: message }) => {
  const [what] = Object.keys(message);
  turn = turn.then(() => (worker || what === "begin" || what === "make") && calls[what](message[what], message)).catch(fail);
};
if (PAGE && HOW !== "make" && self.navigator.locks) navigator.locks.request(`navalkit:${PAGE}:${BASE}:${Math.random()}`, { ifAvailable: true }, (lock) => {
  if (lock) self.postMessage({ lock: lock.name });
  return new Promise(() => {}); // held as long as this worker lives: the page waits for it
});
