// Python and the application in it. Tells how far it has come, then answers one request after the other.
import { loadPyodide } from "./python/pyodide.mjs";
import { layFiles } from "./files.js";
import { untar } from "./untar.js";

const BASE = new URL("./", import.meta.url).pathname;
const waiting = [];
onmessage = (event) => waiting.push(event);
const tell = (stage) => postMessage({ stage });

try {
  tell("python");
  const packed = ["libraries.tar", "code.tar"].map((name) => fetch(name).then((answer) => answer.arrayBuffer()));
  const python = await loadPyodide({ indexURL: `${BASE}python/` });
  tell("unpack");
  for (const part of packed) untar(python.FS, new Uint8Array(await part), "/app");
  python.FS.mkdirTree("/data");
  python.FS.chmod("/data", 0o700);
  python.runPython(`
import sys
sys.path.insert(0, "/app")
sys.dont_write_bytecode = True
`);
  tell("import");
  const bridge = python.pyimport("daybook.web.here.bridge");
  tell("open");
  const names = bridge.FILES.toJs();
  const files = await layFiles(python.FS, "/data", names, `daybook ${BASE}`.replaceAll("/", "_"));
  const opened = bridge.Device(python.pyimport("pathlib").Path("/data"), location.origin, `${BASE}app`);
  files.flush();

  const answer = ({ method, url, headers, body }) => {
    const given = opened.answer(method, url, python.toPy(headers), python.toPy(new Uint8Array(body ?? 0)).tobytes());
    const [status, kept, content] = given.toJs({ create_pyproxies: false });
    given.destroy();
    files.flush(); // what is answered is on the disk
    return { status, headers: kept, content };
  };
  onmessage = (event) => {
    try {
      event.ports[0].postMessage(answer(event.data));
    } catch (wrong) {
      event.ports[0].postMessage({
        status: 500, headers: [["Content-Type", "text/plain"]], content: new TextEncoder().encode(String(wrong)),
      });
    }
  };
  postMessage({ open: true });
  waiting.splice(0).forEach((event) => onmessage(event));
} catch (wrong) {
  postMessage({ failed: String(wrong?.stack ?? wrong).slice(-3000), kind: wrong?.name ?? "" });
}
