// A whole build of the site, kept by the hash of its files: each is taken only if it is the very file of this build.
const NAME = "navalkit-__BUILD__", SCOPE = new URL("./", location.href).href, FILES = __FILES__;
addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(NAME);
  for (const [file, hash] of Object.entries(FILES)) {
    if (await cache.match(file)) continue; // a try before this one had it already
    await cache.add(new Request(SCOPE + file, { integrity: `sha256-${hash}`, cache: "no-cache" }));
  }
})()));
addEventListener("message", (event) => event.data === "take" && skipWaiting());
addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("navalkit-") && name !== NAME) await caches.delete(name);
  await clients.claim();
})()));
addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  const file = event.request.url.startsWith(SCOPE) ? address.pathname.slice(new URL(SCOPE).pathname.length) || "index.html" : "";
  if (event.request.method !== "GET" || !(file in FILES)) return;
  event.respondWith(caches.open(NAME).then((cache) => cache.match(SCOPE + file)).then((found) => found ?? fetch(event.request)));
});
