// Run pack.py in the Python for the browser, then compress its files for servers that send them compressed.
// Usage: node pack.js PYODIDE_FOLDER SITE_FOLDER OUT_FOLDER [LIBRARY]
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";

const [pyodide, site, out] = process.argv.slice(2, 5).map((folder) => path.resolve(folder));
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")));
const noColumns = { PYTHONNODEBUGRANGES: "1" }; // in tracebacks: without the source there is nothing to point at
const python = await loadPyodide({ env: noColumns });
for (const [name, root] of [
  ["site", site],
  ["out", out],
  ["pyodide", pyodide],
]) {
  python.FS.mkdirTree(`/${name}`);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, `/${name}`);
}
const pack = fs.readFileSync(path.join(import.meta.dirname, "pack.py"), "utf8");
python.globals.set("library", process.argv[5] ?? "none");
python.runPython("import sys; sys.argv = ['pack', '/site', '/out', f'/pyodide/{library}']");
python.runPython(pack, { filename: "pack.py" });

const quality = process.argv[5] ? 9 : 6; // files that are compressed once for all builds may take five times as long
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
for (const name of fs.readdirSync(out, { recursive: true })) {
  if (fs.statSync(path.join(out, name)).isDirectory()) continue;
  const content = fs.readFileSync(path.join(out, name));
  const params = {
    [BROTLI_PARAM_QUALITY]: quality,
    [BROTLI_PARAM_LGWIN]: 24,
    [BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  fs.writeFileSync(path.join(out, `${name}.gz`), zlib.gzipSync(content));
  fs.writeFileSync(path.join(out, `${name}.br`), zlib.brotliCompressSync(content, { params }));
}
