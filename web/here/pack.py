"""Pack Python for the browser. Runs in the Python version that will read it, so that compiled modules fit.

`daybook browser-build` starts it in Node (pack.js). Docstrings are omitted, because they are a third of the size.
"""

from __future__ import annotations

import ast
import importlib.util
import io
import marshal
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

UNCHECKED_HASH = 0b01  # flag of a compiled module: it has a hash of its source that is never checked
LEFT_OUT_OF_THE_LIBRARY = (  # modules that no page imports
    "_pyrepl/",
    "ctypes/",
    "curses/",
    "dbm/",
    "ensurepip/",
    "idlelib/",
    "lib2to3/",
    "multiprocessing/",
    "pdb.py",
    "bdb.py",
    "pydoc",
    "doctest.py",
    "tkinter/",
    "turtle",
    "unittest/",
    "venv/",
    "wsgiref/",
    "xml/dom/",
    "xml/etree/",
    "xml/parsers/",
    "xmlrpc/",
    "imaplib.py",
    "mailbox.py",
    "smtplib.py",
    "ftplib.py",
    "poplib.py",
    "optparse.py",
    "profile.py",
    "cProfile.py",
    "pstats.py",
    "pickletools.py",
    "trace.py",
    "tracemalloc.py",
    "tabnanny.py",
    "webbrowser.py",
    "cmd.py",
    "_pyio.py",
    "_pydecimal.py",
    "rlcompleter.py",
    "zipapp.py",
    "antigravity.py",
    "this.py",
    "modulefinder.py",
    "netrc.py",
    "nturl2path.py",
    "symtable.py",
    "timeit.py",
    "pyclbr.py",
    "filecmp.py",
    "fileinput.py",
    "sched.py",
    "shelve.py",
    "wave.py",
    "plistlib.py",
    "configparser.py",
    "asyncio/windows",
    "asyncio/__main__",
    "asyncio/tools",
    "concurrent/futures/process",
    "concurrent/interpreters/",
    "sqlite3/__main__",
    "tomllib/mypy",
)
CODINGS_KEPT = (
    "__init__",
    "aliases",
    "ascii",
    "cp437",
    "idna",
    "latin_1",
    "punycode",
    "raw_unicode_escape",
    "unicode_escape",
    "utf_8",
    "utf_8_sig",
    "utf_16",
    "hex_codec",
    "base64_codec",
    "charmap",
    "undefined",
    "mbcs",
    "iso8859_1",
)


def compile_module(source: bytes, name: str) -> bytes:
    """Compile a module to a .pyc without docstrings; ours keep their assertions.

    Args:
        name: path for tracebacks.
    """
    if name.startswith("daybook/"):
        tree = ast.parse(source)
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                _remove_docstring(node)
        code = compile(tree, name, "exec", dont_inherit=True, optimize=0)
    else:
        code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    return (
        importlib.util.MAGIC_NUMBER
        + UNCHECKED_HASH.to_bytes(4, "little")
        + importlib.util.source_hash(source)
        + marshal.dumps(code)
    )


def _remove_docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        node.body[:1] = [] if len(node.body) > 1 else [ast.copy_location(ast.Pass(), first)]


def pack_code(folder: Path, to: Path) -> None:
    """Pack everything below a folder as one tar, with modules compiled.

    WebAssembly modules go into `native` next to it, so that a browser compiles them while Python starts.
    """
    with tarfile.open(to, "w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in _packed_files(folder):
            if name.endswith(".so"):
                native = to.parent / "native" / name
                native.parent.mkdir(parents=True, exist_ok=True)
                native.write_bytes(content)
                continue
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(content), 0o644
            tar.addfile(info, io.BytesIO(content))


def _packed_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_dir():
            continue
        name, content = path.relative_to(folder).as_posix(), path.read_bytes()
        if name.endswith(".py"):
            yield name + "c", compile_module(content, name)
        else:
            yield name, content


def pack_library(zipped: Path, to: Path) -> None:
    """Reduce and compile Python's standard library. Its files are stored, because the whole bundle is compressed."""
    with zipfile.ZipFile(zipped) as given, zipfile.ZipFile(to, "w") as made:
        for name in sorted(given.namelist()):
            if name.endswith("/") or not _is_included(name):
                continue
            content = given.read(name)
            if name.endswith(".py"):
                name, content = name + "c", compile_module(content, f"python/{name}")
            made.writestr(zipfile.ZipInfo(name), content)


def _is_included(name: str) -> bool:
    """Check if a file of the standard library is packed."""
    if name.startswith("encodings/"):
        return Path(name).stem in CODINGS_KEPT
    return not name.startswith(LEFT_OUT_OF_THE_LIBRARY)


if __name__ == "__main__":
    site, out, library = map(Path, sys.argv[1:])
    pack_code(site, out / "code.tar")
    if library.exists():
        pack_library(library, out / "python_stdlib.zip")
