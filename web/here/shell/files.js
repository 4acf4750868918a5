// Files of Python's file system that lie in the browser's own storage: what is written goes there at once.
// SQLite asks for a flush with fdatasync, which does nothing here. So what was written is flushed by `flush`, before an
// answer goes out, and in the order that SQLite relies on: the write-ahead log before the database, the database before
// a new log.
const NO_SPACE = 51; // ENOSPC
const NO_MAPPING = 43; // ENODEV
const FAILED = 29; // EIO

const PATIENCE_MILLISECONDS = 5000;

// The folder of this device's own files. Gives its handle.
export async function folderOf(storage) {
  return (await navigator.storage.getDirectory()).getDirectoryHandle(storage, { create: true });
}

// A file that this worker alone has; one that has just ended may hold it a moment longer.
export async function openFile(root, name) {
  const handle = await root.getFileHandle(name, { create: true });
  for (const end = performance.now() + PATIENCE_MILLISECONDS; ; ) {
    try {
      return await handle.createSyncAccessHandle();
    } catch (wrong) {
      if (wrong.name !== "NoModificationAllowedError" || performance.now() > end) throw wrong;
      await new Promise((later) => setTimeout(later, 50));
    }
  }
}

export async function layFiles(FS, folder, names, storage) {
  const root = await folderOf(storage);
  const held = new Map();
  try {
    for (const name of names) {
      held.set(name, await openFile(root, name));
    }
  } catch (wrong) {
    for (const file of held.values()) file.close();
    throw wrong;
  }
  const directory = FS.lookupPath(folder).node;
  const plain = directory.node_ops;
  const dirty = new Set();

  const flushOne = (name) => {
    if (!dirty.has(name)) return;
    held.get(name).flush();
    dirty.delete(name);
  };
  const flushBefore = (name, at) => {
    if (name.endsWith(".db")) flushOne(`${name}-wal`);
    else if (name.endsWith("-wal") && at === 0) flushOne(name.slice(0, -"-wal".length));
  };
  const carried = (work) => {
    try {
      return work();
    } catch (wrong) {
      throw new FS.ErrnoError(wrong?.name === "QuotaExceededError" ? NO_SPACE : FAILED);
    }
  };

  const lay = (name) => {
    const file = held.get(name);
    const node = plain.mknod(directory, name, 0o100600, 0);
    const memory = node.node_ops;
    node.node_ops = {
      ...memory,
      getattr(of) {
        const found = memory.getattr(of);
        found.size = file.getSize();
        found.blocks = Math.ceil(found.size / 4096);
        return found;
      },
      setattr(of, to) {
        const { size, ...rest } = to;
        memory.setattr(of, rest);
        if (size === undefined || size === null) return;
        carried(() => {
          flushBefore(name, size);
          file.truncate(size);
        });
        dirty.add(name);
      },
    };
    node.stream_ops = {
      llseek: (stream, offset, whence) => offset + (whence === 1 ? stream.position : whence === 2 ? file.getSize() : 0),
      read: (_stream, into, at, length, position) => file.read(into.subarray(at, at + length), { at: position }),
      write: (_stream, from, at, length, position) =>
        carried(() => {
          flushBefore(name, position);
          dirty.add(name);
          const written = file.write(from.subarray(at, at + length), { at: position });
          if (written < length) throw new DOMException("", "QuotaExceededError");
          return written;
        }),
      fsync: () =>
        carried(() => {
          flushOne(name);
          return 0;
        }),
      mmap() {
        throw new FS.ErrnoError(NO_MAPPING);
      },
    };
    return node;
  };

  directory.node_ops = {
    ...plain,
    lookup: (parent, name) => (held.has(name) ? lay(name) : plain.lookup(parent, name)),
    unlink(parent, name) {
      if (held.has(name)) held.get(name).truncate(0);
      plain.unlink(parent, name);
    },
  };
  for (const name of names) lay(name);
  return {
    flush: () => [...dirty].forEach(flushOne),
    close: () => {
      for (const file of held.values()) file.close();
    },
  };
}
