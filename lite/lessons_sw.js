// Keeps what the lessons have fetched, by this build, and fetches the rest while they are used: then they open without a network.
{
  const NAME = "lessons-navalkit-__BUILD__", SCOPE = new URL("./", location.href), FILES = new Set(__FILES__);
  const get = async (file) => {
    const cache = await caches.open(NAME), kept = await cache.match(SCOPE + file);
    if (kept) return kept;
    const answer = await fetch(SCOPE + file, { cache: "no-cache" });
    if (answer.ok) await cache.put(SCOPE + file, answer.clone()).catch(() => {}); // no room: it is there all the same
    return answer;
  };
  const patiently = async (file) => { // a page of which one script of hundreds does not come stays blank
    for (let tries = 1; ; tries++) {
      try { return await get(file); } catch (error) { if (tries === 3) throw error; }
      await new Promise((on) => setTimeout(on, 300 * tries));
    }
  };
  let rest = null;
  const fill = () => rest ??= (async () => { for (const file of FILES) await get(file); })().catch(() => { rest = null; });
  addEventListener("message", (event) => { if (event.data === "claim") event.waitUntil(clients.claim()); }); // a page loaded past its worker
  addEventListener("activate", (event) => event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith("lessons-navalkit-") && name !== NAME) await caches.delete(name);
  })()));
  addEventListener("fetch", (event) => {
    const address = new URL(event.request.url), named = address.pathname.slice(SCOPE.pathname.length);
    const file = named === "" || named.endsWith("/") ? `${named}index.html` : named, folder = FILES.has(`${file}/index.html`);
    if (event.request.method !== "GET" || !event.request.url.startsWith(SCOPE.href) || !(folder || FILES.has(file))) return;
    event.stopImmediatePropagation();
    if (folder) return event.respondWith(Response.redirect(`${SCOPE}${file}/${address.search}`)); // as any server does
    event.respondWith(patiently(file).catch((error) => {
      if (event.request.mode === "navigate") return Response.redirect(new URL("../away.html", SCOPE)); // it was not kept yet
      throw error;
    }));
    event.waitUntil(fill());
  });
}
