"""An installed Daybook: one name among a machine's packages, and everything that a service needs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.servers import PATIENCE_SECONDS, free_port, wait_until

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel_environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment with the wheel in it, and the libraries of this one."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    left_out = shutil.ignore_patterns(
        ".*", "data", "build", "*.egg-info", "__pycache__", "node_modules", "test-results"
    )
    shutil.copytree(ROOT, source, symlinks=True, ignore=left_out)
    run(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "--disable-pip-version-check",
        "-w",
        str(folder),
        str(source),
    )
    [wheel] = folder.glob("*.whl")
    environment = folder / "environment"
    run(sys.executable, "-m", "venv", "--without-pip", str(environment))
    python = environment / "bin" / "python"
    packages = Path(run(str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"))
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        "--no-compile",  # what is imported is compiled then
        "--disable-pip-version-check",
        str(wheel),
    )
    return environment


def run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd="/").stdout.strip()


def test_nothing_but_daybook_is_put_among_the_packages(wheel_environment):
    files = run(
        str(wheel_environment / "bin" / "python"),
        "-c",
        "from importlib.metadata import files; print(*files('daybook-log'), sep='\\n')",
    ).splitlines()
    tops = {Path(file).parts[0] for file in files}
    assert {top for top in tops if top != ".." and not top.endswith(".dist-info")} == {"daybook"}
    games = "daybook/web/games/water_frame"
    assert {f"{games}/templates/boards/water_frame.html", f"{games}/static/board-water.css"} <= set(files)
    assert [file for file in files if file.startswith("..")] == ["../../../bin/daybook"]
    ours = ("domain", "services", "web", "workers", "tests", "fixtures")
    found = f"from importlib.util import find_spec; print([name for name in {ours} if find_spec(name)])"
    assert run(str(wheel_environment / "bin" / "python"), "-c", found) == "[]"


def test_it_serves_its_pages_and_the_examples(wheel_environment, tmp_path):
    port = free_port()
    serving = subprocess.Popen(
        [wheel_environment / "bin" / "daybook", "serve", "--port", str(port), "--data", str(tmp_path / "data")],
        cwd="/",
        env=os.environ | {"DAYBOOK_WORKERS": "1", "DAYBOOK_WIN_CHANCES_SECONDS_PER_DAY": "off"},
    )
    try:
        wait_until(lambda: "Three portfolios" in page(port, "/", "en"), "the examples on the first page")
        assert 'lang="ko"' in page(port, "/", "ko")
        [style] = set(re.findall(r'"(/static/[^"]+/daybook.css)"', page(port, "/", "en")))
        assert page(port, style, "en")
        assert '"openapi"' in page(port, "/api/v1/openapi.json", "en")
    finally:
        serving.terminate()
        assert serving.wait(PATIENCE_SECONDS) == 0


def page(port: int, address: str, language: str) -> str:
    """Return the answer; empty if there is none."""
    asked = Request(f"http://127.0.0.1:{port}{address}", headers={"Accept-Language": language})
    try:
        with urlopen(asked, timeout=PATIENCE_SECONDS) as answer:
            return str(answer.read().decode())
    except OSError:
        return ""
