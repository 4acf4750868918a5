"""Lines as phones transcribe them, and as newcomers write them: most are read, none wrongly."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

from daybook.domain.games import RULESETS
from daybook.services.play.practice import Dealer
from daybook.services.store.printed_sheets import printed_sheet
from daybook.web import words
from daybook.web.words.written_game import read_game, typist_of
from tests.domain.games.moves import DealtStep, deal_steps
from tests.services.fixture_files import NOW

LINES = Path(__file__).with_name("spoken_lines.txt").read_text().splitlines()
PLAYERS = ("Anna", "Ben", "Cleo", "Dora")
SEATS = {"london_markets": 4}
LEAST_READ = {"dictated": 80, "written": 90}  # of about 100 lines, at the first attempt

pytestmark = pytest.mark.slow


@cache
def dealt(ruleset: str) -> list[DealtStep]:
    return list(deal_steps(RULESETS[ruleset], Dealer(5), SEATS.get(ruleset, 3)))


def readings(column: int) -> Iterator[tuple[str, str, str]]:
    """Yield each line with its decision and the decision that is read, or ""."""
    for row in LINES:
        if row.startswith("#"):
            continue
        ruleset, step, *lines = row.split("|")
        at = dealt(ruleset)[int(step)]
        names = PLAYERS[: SEATS.get(ruleset, 3)]
        colours = [words.colour_label(ruleset, colour) for colour in RULESETS[ruleset].colours(printed_sheet(ruleset))]
        seats = "".join(f"# seat: {name} ({colour})\n" for name, colour in zip(names, colours, strict=False))
        typist = typist_of(read_game(f"# game: {words.game_title(ruleset)}\n{seats}", NOW).game, names)
        taken = typist.read(lines[column], at.board).taken
        meant = f"{at.seat} {msgspec.json.encode(at.decision).decode()}"
        yield (
            lines[column],
            meant,
            "" if taken is None else f"{taken.seat} {msgspec.json.encode(taken.decision).decode()}",
        )


@pytest.mark.parametrize(("column", "kind"), [*enumerate(LEAST_READ)])
def test_most_lines_are_read_and_none_wrongly(column, kind):
    found = list(readings(column))
    assert len(found) >= 100
    assert [row for row in found if row[2] not in ("", row[1])] == [], "read as another decision"
    unread = [row for row in found if not row[2]]
    assert len(found) - len(unread) >= LEAST_READ[kind], unread
