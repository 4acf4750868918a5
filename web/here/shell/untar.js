// Lays the files of a tar into the file system of Python, without copying them.
export function untar(FS, bytes, root) {
  const text = new TextDecoder();
  const made = new Set();
  const read = (from, most) => {
    let end = from;
    while (end < from + most && bytes[end]) end++;
    return text.decode(bytes.subarray(from, end));
  };
  for (let at = 0; at + 512 <= bytes.length && bytes[at]; ) {
    const folder = read(at + 345, 155);
    const name = (folder ? `${folder}/` : "") + read(at, 100);
    const size = parseInt(read(at + 124, 12), 8);
    const path = `${root}/${name}`;
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(parent)) {
      FS.mkdirTree(parent);
      made.add(parent);
    }
    FS.writeFile(path, bytes.subarray(at + 512, at + 512 + size), { canOwn: true });
    at += 512 + Math.ceil(size / 512) * 512;
  }
}
