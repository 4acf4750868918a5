// Runs a Python script in the Python of a built folder, with its code, as the browser does. node device.js BUILT SCRIPT DATA [ARGUMENT]
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [built, script, data] = process.argv.slice(2, 5).map((one) => path.resolve(one));
const { loadPyodide } = await import(pathToFileURL(path.join(built, "python", "pyodide.mjs")));
const { untar } = await import(pathToFileURL(path.join(built, "untar.js")));
const { NATIVE } = await import(pathToFileURL(path.join(built, "version.js")));
const python = await loadPyodide();
for (const name of ["libraries.tar", "code.tar"]) {
  untar(python.FS, new Uint8Array(fs.readFileSync(path.join(built, name))), "/app");
}
for (const name of NATIVE) {
  python.FS.writeFile(`/app/${name}`, new Uint8Array(fs.readFileSync(path.join(built, "native", name))));
}
python.FS.mkdirTree("/data");
python.FS.mount(python.FS.filesystems.NODEFS, { root: data }, "/data");
python.FS.mkdirTree("/device");
python.FS.chmod("/device", 0o700);
python.globals.set("argument", process.argv[5] ?? "");
python.runPython("import sys; sys.path.insert(0, '/app'); sys.dont_write_bytecode = True");
try {
  python.runPython(fs.readFileSync(script, "utf8"), { filename: path.basename(script) });
} catch (wrong) {
  console.error(String(wrong?.stack ?? wrong).slice(-4000));
  process.exit(1);
}
