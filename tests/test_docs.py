"""The statements of the documentation are true."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from daybook.domain.games import RULESETS
from tests import documentation, permanent_names
from tests.services.fixture_files import read_fixture

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "fixtures"
PAGE = documentation.PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", documentation.PAGES, ids=lambda path: path.stem)
def test_what_is_documented_is_as_it_is(path):
    page = path.read_text(encoding="utf-8")
    assert "<!-- generated: " in page
    assert documentation.rewrite_page(page) == page, "run `python -m tests.documentation`"


@pytest.mark.parametrize("path", documentation.PAGES, ids=lambda path: path.stem)
def test_a_type_is_documented_once(path):
    page = path.read_text(encoding="utf-8")
    for block in re.split(r"<!-- generated: |^### ", page, flags=re.MULTILINE):
        titles = re.findall(r"^`(\w+)`$", block.split("<!-- end -->")[0], re.MULTILINE)
        assert len(titles) == len(set(titles))


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.id)
def test_every_decision_and_effect_is_documented(ruleset):
    assert documentation.document_game(ruleset).splitlines()[0] in PAGE  # type: ignore[arg-type]


def test_permanent_names_stay():
    released = (FIXTURES / "permanent_names_1.0.txt").read_text(encoding="utf-8").splitlines()
    gone = {*released} - {*permanent_names.list_names()}
    assert gone == set(), "a name of a release keeps its place: other people's programs and files use it"


def test_released_records_never_change():
    for line in (FIXTURES / "released.sha256").read_text(encoding="utf-8").splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((ROOT / name).read_bytes()).hexdigest() == digest, (
            f"{name} is of a release; add a new file"
        )


def test_the_worked_example_is_the_fixture():
    assert (FIXTURES / "by-hand.daybook").read_text(encoding="utf-8") in PAGE


RECORDS = pytest.mark.parametrize("name", ["corrections", "four-mills"])


def printed_by_script(import_line: str, content: bytes) -> list[bytes]:
    """Return what the script of the page with this beginning prints of a record."""
    (script,) = [part.split("```")[0] for part in PAGE.split("```python\n")[1:] if part.startswith(import_line)]
    done = subprocess.run([sys.executable, "-c", script], input=content, capture_output=True, check=True)
    return done.stdout.splitlines()


@RECORDS
def test_the_script_on_the_page_verifies_a_record(name):
    content = (FIXTURES / f"{name}.daybook").read_bytes()
    assert printed_by_script("import hashlib", content) == [content.splitlines()[-1][-66:-2]]


@RECORDS
def test_script_on_the_page_tells_writers_and_all_figures(name):
    content = (FIXTURES / f"{name}.daybook").read_bytes()
    game = read_fixture(content).game
    assert [json.loads(line) for line in printed_by_script("import json", content)] == [
        [entry.step, entry.topic, game.writers[entry.step], *game.figures_at(entry.step)] for entry in game.entries
    ]


def test_a_step_is_verified_by_hand_as_the_page_shows_it():
    page = (ROOT / "docs/verifying.md").read_text(encoding="utf-8")
    example = page.partition("### A worked example\n")[2].partition("\n## ")[0]
    (file,) = re.findall(r"\]\(\.\./(fixtures/\S+)\)", example)
    content = (ROOT / file).read_bytes()
    lines = content.decode().splitlines()
    (shown,), (command,) = (re.findall(rf"```{kind}\n(.*?)\n```", example) for kind in ("json", "sh"))
    place = lines.index(shown)
    before, seal = lines[place - 1][-66:-2], shown[-66:-2]
    assert f"line {place + 1} is\nstep {place - 1}" in example and f"Line {place}, step {place - 2}, ends" in example
    assert command.startswith(f"printf '%s' '{before}") and re.findall(r"`([0-9a-f]{64})`", example) == [before, seal]
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=True, text=True)
    assert done.stdout.split()[0] == seal


def test_the_map_of_the_tree_names_what_is_there_and_every_room():
    named = set(re.findall(r"`([\w.]+/[\w./]*)`", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")))
    assert {name for name in named if not (ROOT / name).exists()} == set()
    rooms = {
        f"{folder}/{room.name}/"
        for folder in ("domain", "services", "web")
        for room in (ROOT / folder).iterdir()
        if (room / "__init__.py").exists()
    }
    assert len(rooms) > 15 and rooms - named == set()


def test_glossary_names_existing_modules_and_used_words():
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (ROOT / "docs/glossary.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("|") and not line.startswith(("| Word", "|---"))
    ]
    assert len(rows) > 40 and all(len(row) == 4 and all(row) for row in rows)
    words = [word for row in rows for word in row[0].split(", ")]
    assert len(set(words)) == len(words)
    assert {where for *_, where in rows if not (ROOT / where.strip("`")).is_file()} == set()
    with (ROOT / "web/translations/ko/LC_MESSAGES/messages.po").open("rb") as file:
        texts = read_po(file)
    korean = " ".join(
        text for item in texts if item.id for text in ([item.string] if isinstance(item.string, str) else item.string)
    )
    assert {row[1] for row in rows if row[1] not in korean} == set()


NAMED = re.compile(
    r"(?:[Cc]hoose|[Tt]ap|[Pp]ress|[Oo]pen|[Uu]nder|[Oo]ffers?|[Oo]n|menu,)\s+(?:a |an )?\*\*([^*]+)\*\*(?!:)"
)
OF_OTHERS = {"Advanced"}  # a button of browsers


def without_gaps(text: str) -> str:
    """Return a text with one mark for each gap, so that a label with a filled gap can be compared."""
    return re.sub(r"\{\w+\}", "{}", text).rstrip(".:?…").casefold()


def test_labels_in_instructions_are_those_of_pages():
    with (ROOT / "web/translations/ko/LC_MESSAGES/messages.po").open("rb") as file:
        ids = [item.id if isinstance(item.id, str) else item.id[0] for item in read_po(file) if item.id]
    texts = [text for text in map(without_gaps, ids) if len(text.replace("{}", "").strip()) > 2]
    known = re.compile("|".join(re.escape(text).replace(r"\{\}", ".+") for text in texts))
    labels = {
        (path.name, " ".join(label.split()))
        for path in (ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("docs/deploy/*.md"))
        for label in NAMED.findall(path.read_text(encoding="utf-8"))
    }
    assert len(labels) > 35
    unknown = {
        (page, label)
        for page, label in labels
        if label not in OF_OTHERS
        and not known.fullmatch(without_gaps(label))
        and not all(known.fullmatch(without_gaps(part)) for part in label.split(", "))
    }
    assert unknown == set()


def test_changelog_is_short_enough_to_read():
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 150 and max(map(len, lines)) <= 120
