// Answers what is below app/ from the worker that the open shell holds, and the shell's own files from their cache.
// VERSION and FILES are written before this when the folder is built: another version is another service worker.
const BASE = new URL("./", location).pathname;
const CACHES = `daybook ${BASE} `; // how the names of our own begin: others of this origin are none of our business
const CACHE = CACHES + VERSION;

addEventListener("install", (event) => event.waitUntil(fill()));

async function fill() {
  const store = await caches.open(CACHE);
  const there = new Set((await store.keys()).map((request) => new URL(request.url).pathname));
  await Promise.all(
    FILES.filter((name) => !there.has(BASE + name)).map((name) =>
      store.add(new Request(BASE + name, { cache: "no-cache" })),
    ),
  );
  if (!registration.active) await skipWaiting(); // the first one; a newer one waits until it is told, between games
}

addEventListener("activate", (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name.startsWith(CACHES) && name !== CACHE) await caches.delete(name);
      await clients.claim();
    })(),
  ),
);

addEventListener("message", (event) => {
  if (event.data === "take over") event.waitUntil(skipWaiting());
});

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== location.origin || !url.pathname.startsWith(BASE)) return;
  const name = url.pathname.slice(BASE.length);
  if (name.startsWith("app/")) event.respondWith(fromWorker(event.request, url));
  else if (FILES.includes(name)) event.respondWith(fromCache(event.request, url));
});

async function fromCache(request, url) {
  return (await (await caches.open(CACHE)).match(url.pathname)) ?? fetch(request);
}

async function fromWorker(request, url) {
  const body = ["GET", "HEAD"].includes(request.method) ? undefined : await request.arrayBuffer();
  const told = await ask({
    method: request.method,
    url: url.pathname + url.search,
    headers: Object.fromEntries(request.headers),
    body,
  });
  if (!told) return Response.redirect(`${BASE}#${url.pathname.slice(`${BASE}app`.length)}${url.search}`, 303);
  const { status, headers, content } = told;
  return new Response([204, 303, 304].includes(status) ? null : content, { status, headers });
}

// Several tabs may show the shell, and one of them holds the worker: the others answer that it is not theirs.
async function ask(request) {
  const shells = (await clients.matchAll({ type: "window", includeUncontrolled: true })).filter(
    (one) => one.frameType === "top-level" && new URL(one.url).pathname === BASE,
  );
  return new Promise((go) => {
    let left = shells.length;
    if (!left) go(null);
    for (const shell of shells) {
      const line = new MessageChannel();
      line.port1.onmessage = ({ data }) => {
        left -= 1;
        if (data || !left) go(data);
      };
      shell.postMessage(request, [line.port2]);
    }
  });
}
