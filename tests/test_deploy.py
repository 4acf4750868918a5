"""The files in docs/deploy run as they are, except names, paths and ports of other machines."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
import yaml

from daybook import cli
from daybook.services.operation import notify
from daybook.services.settings import read_settings
from tests.servers import wait_until

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent.parent / "docs" / "deploy"
UNITS = sorted(FOLDER.glob("*.service"))
PROGRAM = "/srv/daybook/.venv/bin/daybook"


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_is_one_that_systemd_takes(unit, tmp_path):
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
def test_a_unit_starts_a_command_that_there_is(unit):
    [started] = re.findall(r"^ExecStart=(.*)$", unit.read_text(), re.M)
    program, *arguments = started.split()
    assert program == PROGRAM
    assert arguments[0] in cli.main.commands
    assert len(arguments) == 1


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_unit_ends_a_part_that_hangs(unit):
    options = dict(re.findall(r"^(\w+)=(.*)$", unit.read_text(), re.M))
    assert (options["Type"], options["NotifyAccess"], options["WatchdogSignal"]) == ("notify", "main", "SIGKILL")
    assert int(options["WatchdogSec"]) >= 12 * notify.BEAT_SECONDS


def test_there_is_a_unit_for_each_part_and_one_for_all():
    started = {re.findall(r"^ExecStart=\S+ (\w+)$", unit.read_text(), re.M)[0] for unit in UNITS}
    assert started == {"serve", "web", "follow", "work", "analyse"}


def test_the_settings_are_settings_of_ours():
    text = (FOLDER / "daybook.env").read_text()
    named = dict(re.findall(r"^#?(DAYBOOK_\w+)=(.*)$", text, re.M))
    settings = read_settings(named)
    assert settings.base_url == "https://daybook.example.org"
    assert len(settings.trusted_proxies) == 2
    assert settings.database_url and settings.redis_url


def test_a_container_is_of_what_is_here_and_no_part_is_root():
    lines = (FOLDER / "Containerfile").read_text().replace("\\\n", " ").splitlines()
    said = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    copied = [source for word, rest in said if word == "COPY" and "--from" not in rest for source in rest.split()[:-1]]
    assert [source for source in copied if not (FOLDER.parents[1] / source).exists()] == []
    words = [word for word, _ in said]
    assert words.index("USER") < words.index("ENTRYPOINT")
    assert "HEALTHCHECK" not in words, "podman leaves it out of an image without a word: compose.yml says it"
    settings = next(rest for word, rest in said if word == "ENV")
    assert read_settings(dict(re.findall(r"(DAYBOOK_\w+)=(\S+)", settings))).log_format == "json"
    assert json.loads(next(rest for word, rest in said if word == "CMD"))[0] in cli.main.commands


def test_composed_parts_are_our_commands_and_read_only():
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


def test_composed_images_name_their_registry_and_find_web():
    composed = yaml.safe_load((FOLDER / "compose.yml").read_text())
    named = {part["image"] for part in composed["services"].values()} - {"daybook"}
    assert len(named) == 3 and all(image.startswith("${REGISTRY:-}") for image in named), "podman knows no short names"
    at = composed["services"]["web"]["networks"]["default"]["ipv4_address"]
    [network] = composed["networks"]["default"]["ipam"]["config"]
    assert ip_address(at) in ip_network(network["subnet"]) and ip_address(at) not in ip_network(network["ip_range"])
    assert f"{at}:8000" in composed["services"]["proxy"]["command"][2]
    assert composed["services"]["web"]["environment"]["DAYBOOK_TRUSTED_PROXIES"] == network["subnet"]


def test_container_is_built_and_serves_where_possible(tmp_path):
    """CONTAINER_BUILD: options for a machine with a package index of its own, such as --network host --volume ..."""
    options = shlex.split(os.environ.get("CONTAINER_BUILD", ""))
    builder = _builder(tmp_path)
    build = [builder, "build", *options, "-f", str(FOLDER / "Containerfile"), "-t", "daybook-test", "."]
    subprocess.run(build, cwd=FOLDER.parents[1], check=True)
    if builder == "buildah":  # which keeps nothing running
        made = subprocess.check_output([builder, "from", "daybook-test"], text=True).strip()
        try:
            said = subprocess.check_output([builder, "run", made, "--", PROGRAM, "--version"], text=True)
        finally:
            subprocess.run([builder, "rm", made], check=True)
        assert said.startswith("daybook")
        return
    with _running(builder, SERVICE) as inside:
        assert inside(["id", "-u"]).stdout.strip() == "10001"
        assert inside(["touch", "/srv/daybook/anything"]).returncode != 0
        web = yaml.safe_load((FOLDER / "compose.yml").read_text())["services"]["web"]
        word, *check = web["healthcheck"]["test"]
        assert word == "CMD"
        wait_until(lambda: inside(check).returncode == 0, "the container's health")


# As Kubernetes sets them in every process where there is a service named daybook.
SERVICE = {"DAYBOOK_SERVICE_HOST": "10.0.0.9", "DAYBOOK_SERVICE_PORT": "80", "DAYBOOK_PORT": "tcp://10.0.0.9:80"}
SERVICE |= {"DAYBOOK_PORT_80_TCP": "tcp://10.0.0.9:80", "DAYBOOK_PORT_80_TCP_ADDR": "10.0.0.9"}


def _builder(folder: Path) -> str:
    """A program that builds here from the image that ours is built from; without one the test is skipped, with why."""
    base = re.findall(r"^FROM (\S+)$", (FOLDER / "Containerfile").read_text(), re.M)[-1]
    (folder / "Containerfile").write_text(f"FROM {base}\nRUN true\n")
    cannot = []
    for name in filter(shutil.which, ("podman", "docker", "buildah")):
        build = [name, "build", "-f", str(folder / "Containerfile"), str(folder)]
        tried = subprocess.run(build, capture_output=True, text=True)
        if tried.returncode == 0:
            return name
        cannot.append(f"{name} cannot build here ({tried.stderr.strip().splitlines()[-1]})")
    why = "; ".join(cannot) or "none of podman, docker and buildah is here"
    pytest.skip(f"{why}: the file is read by the test above alone")


@contextmanager
def _running(
    builder: str, variables: dict[str, str]
) -> Iterator[Callable[[list[str]], subprocess.CompletedProcess[str]]]:
    """The image serving, without rights and with nothing to write to but its data and /tmp; runs a command inside."""

    def said(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([builder, *words], capture_output=True, text=True)

    settings = [f"--env={name}={value}" for name, value in variables.items()]
    closed = ["--read-only", "--tmpfs=/tmp", "--cap-drop=ALL", "--security-opt=no-new-privileges"]
    begin = said("run", "--detach", *closed, *settings, "daybook-test")
    assert begin.returncode == 0, begin.stderr
    name = begin.stdout.strip()
    try:
        yield lambda command: said("exec", name, *command)
    finally:
        said("rm", "--force", name)


def test_server_packages_are_those_of_the_constraints():
    pinned = dict(re.findall(r"^([\w.-]+)==([\w.]+)", (FOLDER / "requirements.txt").read_text(), re.MULTILINE))
    constraints = dict(
        re.findall(r"^([\w.-]+)==([\w.]+)", (FOLDER.parents[1] / "constraints.txt").read_text(), re.MULTILINE)
    )
    named = {name.lower().replace("_", "-"): version for name, version in constraints.items()}
    assert {name: version for name, version in pinned.items() if named.get(name, version) != version} == {}
    project = tomllib.loads((FOLDER.parents[1] / "pyproject.toml").read_text())["project"]["dependencies"]
    wanted = {re.split(r"[<>=\[; ]", package)[0].lower() for package in project}
    assert wanted - {*pinned} == set(), "requirements.txt says how it is written again"


def test_every_file_is_named_in_the_page_about_them():
    page = (FOLDER / "README.md").read_text()
    assert [path.name for path in FOLDER.iterdir() if path.name != "README.md" and f"({path.name})" not in page] == []
