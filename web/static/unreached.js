// The service worker of pages that come with TLS: what cannot be reached is answered with a page of ours. It keeps that
// page with its style sheet and nothing else. BASE, VERSION and KEPT are written before this: see web/server/unreached.py.

const CACHES = `daybook unreached ${BASE} `; // how the names of our own begin: others of this origin are none of our business
const CACHE = CACHES + VERSION;

addEventListener("install", (event) =>
  event.waitUntil(
    (async () => {
      const store = await caches.open(CACHE);
      await store.addAll(KEPT.map((path) => new Request(path, { cache: "no-cache" })));
      await skipWaiting();
    })(),
  ),
);

addEventListener("activate", (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name.startsWith(CACHES) && name !== CACHE) await caches.delete(name);
      await registration.navigationPreload?.enable();
    })(),
  ),
);

addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(reached(event));
  else if (event.request.url === new URL(KEPT[1], location).href) event.respondWith(styled(event.request));
});

async function reached(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return kept(KEPT[0]);
  }
}

async function styled(request) {
  try {
    return await fetch(request);
  } catch {
    return kept(KEPT[1]);
  }
}

const kept = async (path) => (await (await caches.open(CACHE)).match(path)) ?? Response.error();

// A message of a club: the push service wakes this worker, and it must show each message (Apple ends silent subscriptions).

addEventListener("push", (event) => {
  const { title, text, path, id } = event.data.json();
  event.waitUntil(registration.showNotification(title, { body: text, tag: id, data: { path }, icon: ICON }));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(clients.openWindow(BASE + event.notification.data.path.replace(/^\//, "")));
});
