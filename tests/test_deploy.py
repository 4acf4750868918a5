"""The files in docs/deploy are run as they stand, but for names, paths and ports that are somebody else's."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from daybook import cli
from daybook.services.settings import read_settings

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
    text = (FOLDER / "daybook.env").read_text()
    named = dict(re.findall(r"^#?(DAYBOOK_\w+)=(.*)$", text, re.M))
    settings = read_settings(named)
    assert settings.base_url == "https://daybook.example.org"
    assert len(settings.trusted_proxies) == 2
    assert settings.database_url and settings.redis_url


def test_a_container_is_of_what_is_here_and_no_part_is_root() -> None:
    lines = (FOLDER / "Containerfile").read_text().replace("\\\n", " ").splitlines()
    said = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    copied = [source for word, rest in said if word == "COPY" and "--from" not in rest for source in rest.split()[:-1]]
    assert [source for source in copied if not (FOLDER.parents[1] / source).exists()] == []
    words = [word for word, _ in said]
    assert words.index("USER") < words.index("ENTRYPOINT")
    assert "HEALTHCHECK" in words
    settings = next(rest for word, rest in said if word == "ENV")
    assert read_settings(dict(re.findall(r"(DAYBOOK_\w+)=(\S+)", settings))).log == "json"
    assert json.loads(next(rest for word, rest in said if word == "CMD"))[0] in cli.main.commands


def test_composed_parts_are_commands_and_settings_of_ours_and_read_only() -> None:
    composed = yaml.safe_load((FOLDER / "compose.yml").read_text())
    ours = {name: part for name, part in composed["services"].items() if part["image"] == "daybook"}
    assert set(ours) == {"web", "follow", "work"}
    for part in ours.values():
        assert part["command"][0] in cli.main.commands
        assert part["read_only"]
        assert part["cap_drop"] == ["ALL"]
        settings = {
            name: re.sub(r"\$\{PUBLIC_ADDRESS\}", "https://d.example", text)
            for name, text in part["environment"].items()
        }
        assert read_settings(settings).redis_url == "redis://queue:6379/0"


def test_a_container_is_built_where_something_builds_one() -> None:
    builder = next((name for name in ("podman", "docker") if _can_build(name)), None)
    if builder is None:
        pytest.skip("neither podman nor a docker engine is here: the file is read by the test above alone")
    folder = FOLDER.parents[1]
    subprocess.run(
        [builder, "build", "-f", str(FOLDER / "Containerfile"), "-t", "daybook-test", "."], cwd=folder, check=True
    )
    said = subprocess.run(
        [builder, "run", "--rm", "--read-only", "daybook-test", "--version"], capture_output=True, text=True
    )
    assert said.stdout.startswith("daybook")


def _can_build(name: str) -> bool:
    return shutil.which(name) is not None and subprocess.run([name, "info"], capture_output=True).returncode == 0


def test_every_file_is_named_in_the_page_about_them() -> None:
    page = (FOLDER / "README.md").read_text()
    assert [path.name for path in FOLDER.iterdir() if path.name != "README.md" and f"({path.name})" not in page] == []
