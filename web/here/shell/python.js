// Python with the application in it, before it has opened anything: started from its files, or its memory put back.
import { loadPyodide } from "./python/pyodide.mjs";
import createModule from "./python/pyodide.asm.mjs";
import { untar } from "./untar.js";
import { NATIVE } from "./version.js";

const CODE = "/app";

// packed: promises of the tars. memory: what `keptMemory` recalled, or null. tell: called with each stage.
export async function startPython(base, packed, memory, tell) {
  tell("python");
  const python = await loadPyodide({
    indexURL: `${base}python/`,
    ...(memory ? { _loadSnapshot: memory.bytes } : { _makeSnapshot: true }),
    createPyodideModule: async (settings) => {
      // Loaded before anything else, so that they lie at the same place when memory is put back.
      settings.dynamicLibraries = NATIVE.map((name) => `${CODE}/${name}`);
      const elsewhere = settings.locateFile;
      settings.locateFile = (name) =>
        name.startsWith(`${CODE}/`) ? `${base}native/${name.slice(CODE.length + 1)}` : elsewhere(name);
      const module = await createModule(settings);
      if (memory && !(await memory.whole)) throw new Error("the kept memory has changed");
      if (memory && module.HEAP8.length < memory.bytes.length) module.growMemory(memory.bytes.length);
      return module;
    },
  });
  tell("unpack");
  for (const part of packed) untar(python.FS, new Uint8Array(await part), CODE);
  for (const name of NATIVE) python.FS.writeFile(`${CODE}/${name}`, ""); // found by its name; it is loaded already
  python.FS.mkdirTree("/data");
  python.FS.chmod("/data", 0o700);
  if (memory && python._module.wasmTable.length !== memory.functions) throw new Error("the kept memory does not fit");
  return python;
}

// Everything that is the same at every start. The memory after it may be kept.
export function importApplication(python, base, tell) {
  tell("import");
  python.runPython(`
import gc, sys
sys.path.insert(0, ${JSON.stringify(CODE)})
sys.dont_write_bytecode = True
gc.disable()  # what is imported stays: nothing of it is looked through again
from pathlib import Path
from daybook.web.here.bridge import Device
device = Device(Path("/data"), ${JSON.stringify(location.origin)}, ${JSON.stringify(`${base}app`)})
gc.freeze()
gc.enable()
`);
}

export function memoryOf(python) {
  return { bytes: python.makeMemorySnapshot(), functions: python._module.wasmTable.length };
}
