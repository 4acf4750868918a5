"""The files in docs/deploy are run as they stand, but for names, paths and ports that are somebody else's."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from daybook import cli

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent.parent / "docs" / "deploy"
UNITS = sorted(FOLDER.glob("*.service"))
PROGRAM = "/srv/daybook/.venv/bin/daybook"


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_is_one_that_systemd_takes(unit: Path, tmp_path: Path) -> None:
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("systemd-analyze is not here (apt-get install systemd): units are tested by what they start alone")
    program = Path(sys.executable).with_name("daybook")
    copy = tmp_path / unit.name
    copy.write_text(unit.read_text().replace(PROGRAM, str(program)))
    done = subprocess.run([verify, "verify", "--man=no", str(copy)], capture_output=True, text=True)
    said = [line for line in done.stderr.splitlines() if unit.name.partition("@")[0] in line]
    assert (done.returncode, said) == (0, [])


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_starts_a_command_that_there_is(unit: Path) -> None:
    [started] = re.findall(r"^ExecStart=(.*)$", unit.read_text(), re.M)
    program, *arguments = started.split()
    assert program == PROGRAM
    assert arguments[0] in cli.main.commands
    assert len(arguments) == 1


def test_there_is_a_unit_for_each_part_and_one_for_all() -> None:
    started = {re.findall(r"^ExecStart=\S+ (\w+)$", unit.read_text(), re.M)[0] for unit in UNITS}
    assert started == {"serve", "web", "follow", "work", "analyse"}


def test_the_settings_are_settings_of_ours() -> None:
    from daybook.services.settings import read_settings

    text = (FOLDER / "daybook.env").read_text()
    named = dict(re.findall(r"^#?(DAYBOOK_\w+)=(.*)$", text, re.M))
    settings = read_settings(named)
    assert settings.base_url == "https://daybook.example.org"
    assert len(settings.trusted_proxies) == 2
    assert settings.database_url and settings.redis_url


def test_every_file_is_named_in_the_page_about_them() -> None:
    page = (FOLDER / "README.md").read_text()
    assert [path.name for path in FOLDER.iterdir() if path.name != "README.md" and f"({path.name})" not in page] == []
