// Python and the application in it. Tells how far it has come, then answers one request after the other.
import { layFiles } from "./files.js";
import { keptMemory } from "./memory.js";
import { importApplication, memoryOf, startPython } from "./python.js";
import { VERSION } from "./version.js";

const BASE = new URL("./", import.meta.url).pathname;
const STORAGE = `daybook ${BASE}`.replaceAll("/", "_");
const QUIET_MILLISECONDS = 3000; // after a start, until its memory is written down
const ROOM = 4; // so many times the memory has to be free
const waiting = [];
self.onmessage = (event) => waiting.push(event);
// The browser releases this lock when the worker ends, however it ends: the shell waits for that.
const locked = new Promise((held) => {
  navigator.locks.request(`worker ${BASE}`, () => {
    held();
    return new Promise(() => {});
  });
});
const tell = (stage) => postMessage({ stage });
const packed = () => ["libraries.tar", "code.tar"].map((name) => fetch(name).then((answer) => answer.arrayBuffer()));

// Opens what is written down here; what answers a request, and the files.
async function openDevice(python) {
  tell("open");
  const bridge = python.pyimport("daybook.web.here.bridge");
  const device = python.globals.get("device");
  const files = await layFiles(python.FS, "/data", bridge.FILES.toJs(), STORAGE);
  try {
    device.open();
    files.flush();
  } catch (wrong) {
    files.close();
    throw wrong;
  }
  return ({ method, url, headers, body }) => {
    const given = device.answer(method, url, python.toPy(headers), python.toPy(new Uint8Array(body ?? 0)).tobytes());
    const [status, kept, content] = given.toJs({ create_pyproxies: false });
    given.destroy();
    files.flush(); // what is answered is on the disk
    return { status, headers: kept, content };
  };
}

// The way of most starts: the memory of an earlier one is put back. Nothing where there is none or it does not fit.
async function putBack(kept) {
  const memory = kept?.recall();
  if (!memory) return null;
  try {
    const answer = await openDevice(await startPython(BASE, packed(), memory, tell));
    kept.trust();
    return answer;
  } catch (wrong) {
    console.warn(wrong);
    kept.forget();
    return null;
  }
}

async function startAnew(kept) {
  const python = await startPython(BASE, packed(), null, tell);
  importApplication(python, BASE, tell);
  const { usage, quota } = await navigator.storage.estimate();
  if (kept && quota - usage > ROOM * python._module.HEAP8.length) {
    try {
      const memory = memoryOf(python);
      setTimeout(async () => (await kept.keep(memory)) && tell("kept"), QUIET_MILLISECONDS);
    } catch (wrong) {
      console.warn(wrong);
    }
  }
  return openDevice(python);
}

try {
  const kept = await keptMemory(STORAGE, VERSION).catch(() => null);
  const answer = (await putBack(kept)) ?? (await startAnew(kept));
  self.onmessage = (event) => {
    try {
      event.ports[0].postMessage(answer(event.data));
    } catch (wrong) {
      if (wrong?.name !== "PythonError") {
        kept?.forget(); // Python itself has died, or what it wrote cannot be flushed
        console.error(wrong);
        self.close();
        return;
      }
      event.ports[0].postMessage({
        status: 500,
        headers: [["Content-Type", "text/plain"]],
        content: new TextEncoder().encode(String(wrong)),
      });
    }
  };
  await locked;
  postMessage({ open: true });
  for (const event of waiting.splice(0)) self.onmessage(event);
} catch (wrong) {
  postMessage({ failed: String(wrong?.stack ?? wrong).slice(-3000), kind: wrong?.name ?? "" });
}
