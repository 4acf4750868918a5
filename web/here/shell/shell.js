// The shell stays open while pages change in its frame: it holds the worker in which the application runs.
import { FILES, VERSION, WORDS } from "./version.js";

const BASE = new URL("./", location).pathname;
const NAME = `daybook ${BASE}`;
const CACHE = `${NAME} ${VERSION}`;
const STAGES = ["fetch", "python", "unpack", "import", "open"];
const SHARES = [0.7, 0.12, 0.08, 0.07, 0.03]; // of the first start's time: most of it goes to fetching
const words = WORDS[navigator.languages.map((one) => one.slice(0, 2)).find((one) => WORDS[one]) ?? "en"];
const percent = new Intl.NumberFormat(words.lang, { style: "percent" });
const byId = (id) => document.getElementById(id);
const STOPPED = {
  status: 503,
  headers: [["Content-Type", "text/plain; charset=utf-8"]],
  content: new TextEncoder().encode(words.stopped),
};
const marks = { begun: performance.now() };
window.marks = marks; // for whoever measures

let throwing = false; // the files of this device are just being deleted
let stopped = false; // the worker has ended; it is started again with this page
const pending = new Set(); // settles each request that the worker has not answered
let settle;
const settled = new Promise((go) => {
  settle = go;
}); // the worker, if it is this tab's; null: it is not

navigator.serviceWorker?.addEventListener("message", async (event) => {
  event.ports[0].postMessage((await settled) ? await request(event.data) : null);
});
navigator.serviceWorker?.startMessages();

document.documentElement.lang = words.lang;
byId("state").textContent = words.opening;

function say(text, hint = "") {
  byId("state").textContent = text;
  byId("hint").textContent = hint;
  byId("progress").hidden = true;
  window.refused = text;
}

function stage(name, part = 0) {
  const place = STAGES.indexOf(name);
  const before = SHARES.slice(0, place).reduce((sum, share) => sum + share, 0);
  byId("progress").value = before + SHARES[place] * Math.min(part, 1);
  byId("hint").textContent = part ? `${words[name]} ${percent.format(part)}` : words[name];
  marks[name] ??= performance.now();
}

// What is fetched is kept before the service worker is there, so that it can be said how much of it is here.
async function fetchAll() {
  const store = await caches.open(CACHE);
  const there = new Set((await store.keys()).map((request) => new URL(request.url).pathname));
  const missing = FILES.filter((file) => !there.has(BASE + file.name));
  const whole = missing.reduce((sum, file) => sum + file.size, 0);
  let got = 0;
  await Promise.all(
    missing.map(async (file) => {
      const answer = await fetch(BASE + file.name, { cache: "no-cache" });
      if (!answer.ok) throw new Error(`${file.name}: ${answer.status}`);
      const [kept, counted] = answer.body.tee();
      const put = store.put(
        BASE + file.name,
        new Response(kept, { headers: { "Content-Type": answer.headers.get("Content-Type") } }),
      );
      for (const reader = counted.getReader(); ; ) {
        const { done, value } = await reader.read();
        if (done) break;
        got += value.length;
        stage("fetch", got / whole);
      }
      await put;
    }),
  );
}

async function begin() {
  if (!isSecureContext || !navigator.serviceWorker || !navigator.storage?.getDirectory || !navigator.locks) {
    say(words.cannot, words.cannot_hint);
    return;
  }
  // One tab at a time: the lock goes when the tab does, however it ends.
  const free = await new Promise((held) =>
    navigator.locks.request(NAME, { ifAvailable: true }, (lock) => {
      held(Boolean(lock));
      return lock ? new Promise(() => {}) : undefined;
    }),
  );
  if (!free) {
    settle(null);
    say(words.another_tab, words.another_tab_hint);
    navigator.locks.request(NAME, () => location.reload());
    return;
  }
  stage("fetch");
  if (!(await navigator.serviceWorker.getRegistration(BASE))?.active) await fetchAll();
  const registration = await navigator.serviceWorker.register("sw.js", { scope: BASE, updateViaCache: "none" });
  if (!navigator.serviceWorker.controller) {
    await new Promise((go) => {
      navigator.serviceWorker.addEventListener("controllerchange", go, { once: true });
      navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller && go());
    });
  }
  const worker = await start();
  settle(worker);
  window.ask = (method, url, headers = {}, body) => request({ method, url, headers, body });
  navigator.locks.request(`worker ${BASE}`, showStopped);
  addEventListener("message", (event) => {
    if (
      event.origin === location.origin &&
      event.source === byId("page").contentWindow &&
      event.data === "throw away"
    ) {
      throwAway(worker);
    }
  });
  marks.opened = performance.now();
  show();
  offerNewer(registration);
}

/** Send a request to the worker. The answer is a 503 if the worker has ended, or ends meanwhile. */
async function request(asked) {
  const worker = await settled;
  return new Promise((answered) => {
    const settleOnce = (answer) => {
      pending.delete(settleOnce);
      answered(answer);
    };
    pending.add(settleOnce);
    if (stopped) return settleOnce(STOPPED);
    const line = new MessageChannel();
    line.port1.onmessage = ({ data }) => settleOnce(data);
    worker.postMessage(asked, [line.port2]);
  });
}

function showStopped() {
  if (throwing) return;
  stopped = true;
  for (const settleOnce of [...pending]) settleOnce(STOPPED);
  byId("stopped").querySelector("p").textContent = words.stopped;
  const restart = byId("stopped").querySelector("button");
  restart.textContent = words.restart;
  restart.addEventListener("click", () => location.reload());
  byId("newer").hidden = true;
  byId("stopped").hidden = false;
}

function start() {
  const worker = new Worker("worker.js", { type: "module" });
  return new Promise((open, fail) => {
    worker.onmessage = ({ data }) => {
      if (data.stage === "kept")
        marks.kept = performance.now(); // for the next start
      else if (data.stage) stage(data.stage);
      else if (data.failed) fail(new Error(data.failed));
      else open(worker);
    };
    worker.onerror = (event) => fail(new Error(event.message));
  });
}

function show() {
  const frame = byId("page");
  frame.addEventListener("load", () => {
    const at = frame.contentWindow.location;
    if (!at.pathname.startsWith(`${BASE}app`)) return;
    marks.page ??= performance.now();
    history.replaceState(null, "", `#${at.pathname.slice(`${BASE}app`.length)}${at.search}`);
    document.title = frame.contentDocument.title;
    document.documentElement.dataset.theme = frame.contentDocument.documentElement.dataset.theme ?? "";
  });
  frame.src = `${BASE}app${location.hash.slice(1) || "/"}`;
  frame.hidden = false;
  byId("start").hidden = true;
}

async function throwAway(worker) {
  throwing = true;
  byId("page").hidden = true;
  byId("page").src = "about:blank";
  worker.terminate(); // which lets go of its files
  const root = await navigator.storage.getDirectory();
  for (let tries = 50; tries; tries--) {
    try {
      await root.removeEntry(NAME.replaceAll("/", "_"), { recursive: true });
      break;
    } catch (wrong) {
      if (wrong.name === "NotFoundError") break;
      await new Promise((later) => setTimeout(later, 100));
    }
  }
  location.replace(BASE);
  location.reload();
}

// A newer version waits while a game is being recorded on this device.
async function offerNewer(registration) {
  const waits = async () => {
    const answer = await window.ask("GET", `${BASE}app/device.json`);
    if (answer.status !== 200) return;
    const { running } = JSON.parse(new TextDecoder().decode(answer.content));
    byId("newer").hidden = !registration.waiting || running > 0;
  };
  byId("newer").querySelector("p").textContent = words.newer;
  const take = byId("newer").querySelector("button");
  take.textContent = words.take;
  take.addEventListener("click", () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    registration.waiting?.postMessage("take over");
  });
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", waits));
  byId("page").addEventListener("load", waits);
}

try {
  await begin();
} catch (wrong) {
  settle(null);
  say(words.failed, navigator.onLine ? words.failed_hint : words.offline_hint);
  window.failed = String(wrong?.stack ?? wrong);
  console.error(wrong);
}
