"""Games are found by the entry points of installed packages, ours as anybody's."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

from daybook.domain.games import NOT_LOADED, PACKAGES, RULESETS, STATISTICS, objection_to
from daybook.domain.kernel.game_package import GamePackage
from daybook.domain.kernel.game_statistics import Statistics
from daybook.domain.kernel.installed import DISTRIBUTION, NotLoaded, load
from tests.domain.sawmill import SAWMILL

ROOT = Path(__file__).parents[3]
GROUP = "daybook.games"
MILL = """
from dataclasses import replace
from daybook.domain.kernel.game_package import GamePackage
from tests.domain.sawmill import SAWMILL
GAME = GamePackage(ruleset=replace(SAWMILL, id={id!r}, prefix={prefix!r}), package=__name__)
"""
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a package with one entry point among those that are installed, as long as the test runs.

    made_for: the version of Daybook that it declares, if any.
    """
    monkeypatch.syspath_prepend(tmp_path)

    def put(package: str, source: str, point: str, group: str = GROUP, made_for: str = "") -> None:
        (tmp_path / f"{package}.py").write_text(source)
        monkeypatch.delitem(sys.modules, package, raising=False)
        described = tmp_path / f"{package}-1.2.dist-info"
        described.mkdir()
        (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
        declared = f"[daybook.made_for]\n{made_for} = {package}\n" if made_for else ""
        (described / "entry_points.txt").write_text(f"[{group}]\n{point}\n{declared}")

    return put


def load_games() -> tuple[list[str], list[NotLoaded]]:
    games, failed = load(GROUP, GamePackage, objection_to)
    return list(games), failed


def test_our_games_are_those_of_the_folders_in_their_order():
    folders = {path.parent.name for path in (ROOT / "domain/games").glob("*/__init__.py")}
    assert set(RULESETS) == folders and NOT_LOADED == []
    assert list(RULESETS) == ["making_profit", "london_markets", "water_frame", "arkwright_card", "score_sheet"]
    assert list(PACKAGES) == list(STATISTICS) == list(RULESETS)


NAMED_ALL_THE_SAME = {  # with the reason
    "daybook/base.py",  # what a command takes that is not told which game
    "services/store/sheetfile.py",
    "web/api/document.py",
    "web/api/examples.py",  # an example in words
    "web/static/board.css",  # Making Profit's drawing was the first; other drawings have taken parts of it over
}


def test_nothing_but_its_own_folders_names_a_game():
    ours = [
        path
        for folder in ("domain", "services", "web", "workers")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".html", ".css", ".js") and "games" not in path.parts
    ]
    found = {
        str(path.relative_to(ROOT))
        for path in (*ours, *(ROOT / "daybook").glob("*.py"))
        if any(re.search(rf"(?m)^[^#\n]*\b{id}\b", path.read_text()) for id in RULESETS)
    }
    assert found == NAMED_ALL_THE_SAME


def test_another_package_brings_a_game(install):
    install("an_old_mill", MILL.format(id="sawmill", prefix="SM"), "sawmill = an_old_mill:GAME")
    games, failed = load_games()
    assert games == [*sorted(RULESETS), "sawmill"] and failed == []


@pytest.mark.parametrize(
    ("source", "point", "why"),
    [
        ("import no_such_library", "sawmill = a_mill:GAME", "ModuleNotFoundError: No module named 'no_such_library'"),
        ("raise ValueError('the saw is blunt')", "sawmill = a_mill:GAME", "a_mill:GAME: ValueError: the saw is blunt"),
        ("", "sawmill = a_mill:GAME", "AttributeError: module 'a_mill' has no attribute 'GAME'"),
        ("GAME = 'sawmill'", "sawmill = a_mill:GAME", "a_mill:GAME is no GamePackage"),
        (MILL.format(id="sawmill", prefix="SM"), "mill = a_mill:GAME", "called 'sawmill', and its entry point 'mill'"),
        (MILL.format(id="Saw Mill", prefix="SM"), "Saw Mill = a_mill:GAME", "an id has lower-case letters"),
        (MILL.format(id="sawmill", prefix="sm-"), "sawmill = a_mill:GAME", "rule ids cannot begin with 'sm-'"),
        (
            MILL.format(id="sawmill", prefix="MP"),
            "sawmill = a_mill:GAME",
            "begin with MP, as those of making_profit do",
        ),
    ],
)
def test_unloadable_game_is_named_with_its_package(install, source, point, why):
    install("a_mill", source, point)
    install("second_mill", MILL.format(id="second", prefix="SE"), "second = second_mill:GAME")
    games, [failed] = load_games()
    assert games == [*sorted(RULESETS), "second"]
    assert failed.package == "a_mill 1.2" and failed.id == point.partition(" = ")[0]
    assert why in failed.why
    assert str(failed).startswith(f"the game {failed.id!r} of the package a_mill 1.2 cannot be loaded: ")


@pytest.mark.parametrize("made_for", ["1.0", "1.0.0"])
def test_game_made_for_this_daybook_loads(install, made_for):
    install("a_mill", MILL.format(id="sawmill", prefix="SM"), "sawmill = a_mill:GAME", made_for=made_for)
    assert load_games() == ([*sorted(RULESETS), "sawmill"], [])


@pytest.mark.parametrize(
    ("made_for", "why"),
    [
        ("999.0", f"it was made for Daybook 999.0; this is {version(DISTRIBUTION)}: upgrade Daybook"),
        ("1.0.999999", f"it was made for Daybook 1.0.999999; this is {version(DISTRIBUTION)}: upgrade Daybook"),
        ("0.2", "it was made for Daybook 0.2; this Daybook loads games made for 1.0.0 or newer"),
        ("next", "daybook.made_for has 'next': give the version of Daybook as two or three numbers, as in 1.0"),
        ("1", "daybook.made_for has '1': give the version of Daybook as two or three numbers, as in 1.0"),
        ("1.0rc1", "daybook.made_for has '1.0rc1': give the version of Daybook as two or three numbers, as in 1.0"),
        ("٠.٢", "daybook.made_for has '٠.٢': give the version of Daybook as two or three numbers, as in 1.0"),
    ],
)
def test_game_made_for_another_daybook_is_not_imported(install, made_for, why):
    install("a_mill", "raise SystemExit('imported')", "sawmill = a_mill:GAME", made_for=made_for)
    games, [failed] = load_games()
    assert games == sorted(RULESETS) and failed.why == why


def test_a_game_of_two_packages_is_nobodys(install):
    for package, prefix in (("one_mill", "SM"), ("other_mill", "SN")):
        install(package, MILL.format(id="sawmill", prefix=prefix), f"sawmill = {package}:GAME")
    games, failed = load_games()
    assert games == sorted(RULESETS)
    assert [(item.package, item.why) for item in failed] == [
        ("one_mill 1.2", "another package has a game of this id"),
        ("other_mill 1.2", "another package has a game of this id"),
    ]


def test_nobody_takes_the_place_of_a_game_of_ours(install):
    install("a_rival", MILL.format(id="making_profit", prefix="RV"), "making_profit = a_rival:GAME")
    games, [failed] = load(GROUP, GamePackage, objection_to)
    assert games["making_profit"] is PACKAGES["making_profit"]
    assert (failed.package, failed.why) == ("a_rival 1.2", "Daybook has a game of this id")


def test_undeclared_rounds_are_the_coarsest_period():
    assert GamePackage(ruleset=SAWMILL, package="").statistics == Statistics(clock=("year",))


def test_an_installation_older_than_its_code_says_what_to_do(tmp_path):
    """Same as after `git pull` in a checkout that was installed before the entry points were declared."""
    old = tmp_path / "daybook_log-0.1.0.dist-info"
    old.mkdir()
    (old / "METADATA").write_text("Metadata-Version: 2.1\nName: daybook-log\nVersion: 0.1.0\n")
    (old / "entry_points.txt").write_text("[console_scripts]\ndaybook = daybook.cli:main\n")
    done = subprocess.run(
        [sys.executable, "-m", "daybook", "check", str(ROOT / "fixtures/friday-four.daybook")],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "Error: this installation of Daybook is older than its code: it declares no daybook.games. "
        "Run `make setup` in a checkout, or install Daybook again\n"
    )
