// A whole build of the site, kept by the hash of its files: each is taken only if it is the very file of this build.
const NAME = "navalkit-__BUILD__", SCOPE = new URL("./", location.href).href, FILES = __FILES__; // in the order they are wanted in
const LONGEST = 60000; // ms that a page may take to load; it may be closed before it is there
let waits = 0;
addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(NAME);
  for (const [file, hash] of Object.entries(FILES)) {
    if (await cache.match(file)) continue; // a try before this one had it already
    while (Date.now() < waits) await new Promise((done) => setTimeout(done, 200));
    await cache.add(new Request(SCOPE + file, { integrity: `sha256-${hash}`, cache: "no-cache" }));
  }
})()));
addEventListener("message", ({ data }) => {
  if (data === "take") skipWaiting();
  else waits = data === "wait" ? Date.now() + LONGEST : 0;
});
addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("navalkit-") && name !== NAME) await caches.delete(name);
  await clients.claim();
})()));
addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  const file = event.request.url.startsWith(SCOPE) ? address.pathname.slice(new URL(SCOPE).pathname.length) || "index.html" : "";
  if (event.request.method !== "GET") return;
  if (file in FILES) event.respondWith(caches.open(NAME).then((cache) => cache.match(SCOPE + file)).then((found) => found ?? fetch(event.request)));
  else if (event.request.mode === "navigate") event.respondWith(fetch(event.request).catch(() => Response.redirect(`${SCOPE}away.html`))); // lessons that were never opened
});
