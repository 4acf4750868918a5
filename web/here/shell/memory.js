// The memory of a started Python, kept in the browser's storage: to put it back takes a third of the time that a start
// takes. It is kept for one version of the code, and only as an aid: where it does not fit, Python starts anew.
import { folderOf, openFile } from "./files.js";

const WHOLE = 0x0da9b00c;
const TRIED = 0x0da97e1d; // somebody put it back and was not heard of again: it is not tried twice
const HEAD = 12; // bytes of the numbers after the memory: state, length, how many functions there were
const TAIL = HEAD + 32; // and its SHA-256

const digest = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

export async function keptMemory(storage, version) {
  const root = await folderOf(storage);
  const name = `memory-${version}`;
  const others = [];
  for await (const one of root.keys()) if (one.startsWith("memory-") && one !== name) others.push(one);
  for (const one of others) await root.removeEntry(one).catch(() => {}); // an earlier version's, still in use
  const file = await openFile(root, name);

  const write = (numbers, at) => {
    file.write(new Uint8Array(Uint32Array.from(numbers).buffer), { at });
    file.flush();
  };
  const forget = () => {
    file.truncate(0);
    file.flush();
  };
  return {
    forget,
    // The memory, how many functions Python had, and whether not a bit of it has changed (a promise); nothing where
    // there is none.
    recall() {
      const length = file.getSize() - TAIL;
      if (length <= 0) return null;
      const numbers = new Uint32Array(HEAD / 4);
      const seal = new Uint8Array(TAIL - HEAD);
      file.read(numbers, { at: length });
      file.read(seal, { at: length + HEAD });
      if (numbers[0] !== WHOLE || numbers[1] !== length) {
        forget();
        return null;
      }
      write([TRIED], length);
      const bytes = new Uint8Array(length);
      file.read(bytes, { at: 0 });
      const whole = digest(bytes).then((now) => now.every((one, at) => one === seal[at]));
      return { bytes, functions: numbers[2], whole };
    },
    // What was put back works.
    trust: () => write([WHOLE], file.getSize() - TAIL),
    // Whether there was room for it.
    async keep({ bytes, functions }) {
      const seal = await digest(bytes);
      try {
        forget();
        file.write(bytes, { at: 0 });
        file.write(seal, { at: bytes.length + HEAD });
        file.flush();
        write([WHOLE, bytes.length, functions], bytes.length);
        return true;
      } catch {
        forget();
        return false;
      }
    },
  };
}
