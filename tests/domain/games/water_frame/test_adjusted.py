"""WF-7.6 and WF-7.13: what an adjustment may not do although such a board could be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from daybook.domain import entries
from daybook.domain.commands import Adjust, TakeBack
from daybook.domain.games.water_frame import WATER_FRAME
from daybook.domain.games.water_frame.moves import LayOutMat, LayOutTiles
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Decision, Seat
from daybook.services.files.audit import audit
from daybook.services.play.practice import PracticeSeat, open_practice_game
from tests.domain.games.water_frame.playing import SHEET
from tests.services.fixture_files import written_at

PREDETERMINED = {"factories": "predetermined", "mat": "predetermined", "events": "predetermined"}
TILES = (  # of two players: charisma, an inventor and twelve that were drawn
    "charisma",
    "inventor",
    "accountant",
    "administrator",
    "agent",
    "broker",
    "developer",
    "engineer",
    "engineering_works",
    "extra_shifts",
    "foreman",
    "office",
    "patent",
    "school",
)


def game(options: dict[str, str], moves: Sequence[tuple[Seat, Decision]] = ()) -> Game:
    seated = [PracticeSeat(colour, colour, f"person-{colour}") for colour in ("blue", "red")]
    game = open_practice_game(UUID(int=1), WATER_FRAME, SHEET, seated, dict(options), written_at(0))
    for seat, decision in moves:
        entry, board = entries.decide(game, seat, decision, written_at(game.step + 1))
        game.apply(entry, board)
    return game


def layout_moves() -> list[tuple[Seat, Decision]]:
    rows = {
        "I": ("machinery", "quality"),
        "II": ("distribution", "production"),
        "III": ("distribution", "quality"),
        "IV": ("machinery", "production"),
    }
    return [(TABLE, LayOutMat(**rows)), (TABLE, LayOutTiles(dict.fromkeys(TILES, 1)))]


def adjust(game: Game, **values: Any) -> None:
    given = {path.replace("__", "/"): value for path, value in values.items()}
    game.apply(entries.adjust(game, Adjust(given, "a slip"), written_at(game.step + 1)))


def refusal(game: Game, **values: Any) -> tuple[str, str]:
    with pytest.raises(Refused) as no:
        adjust(game, **values)
    return no.value.rule, no.value.reason.key


def test_wf_7_6_quality_beyond_four_takes_an_engineer():
    one = game(PREDETERMINED)
    adjust(one, __players__0__factories__food__quality=4)
    assert refusal(one, __players__0__factories__food__quality=5) == ("WF-7.6", "engineer")
    assert refusal(one, __players__0__factories__food__quality=6) == ("WF-7.6", "engineer")
    assert refusal(one, __players__0__factories__food__quality=7) == ("WF-7.6", "markers")


def test_wf_7_6_who_had_an_engineer_once_may_have_it():
    one = game({**PREDETERMINED, "mat": "random"}, layout_moves())
    engineer = [{"kind": "engineer", "good": None, "uses": 0}]
    assert refusal(one, __players__0__factories__food__quality=6) == ("WF-7.6", "engineer")
    adjust(one, __players__0__tiles=engineer, __tiles__engineer=0)
    before = one.step
    adjust(one, __players__0__tiles=[], __tiles__engineer=1)
    adjust(one, __players__0__factories__food__quality=6)
    assert refusal(one, __players__1__factories__food__quality=6) == ("WF-7.6", "engineer"), "the other never had one"
    adjust(one, __players__0__factories__food__quality=5)
    one.apply(entries.take_back(one, TakeBack(before - 1), written_at(one.step + 1)))
    assert refusal(one, __players__0__factories__food__quality=6) == ("WF-7.6", "engineer"), "it was taken back"


def test_wf_7_13_a_tile_comes_from_somewhere():
    one = game({**PREDETERMINED, "mat": "random"}, layout_moves())
    office = [{"kind": "office", "good": None, "uses": 0}]
    assert refusal(one, __players__0__tiles=office) == ("WF-7.13", "tiles_laid_out")
    assert refusal(one, __tiles__office=0) == ("WF-7.13", "tiles_laid_out")
    assert refusal(one, __tiles__office=2, __tiles__agent=0) == ("WF-7.13", "tile_copies")
    adjust(one, __players__0__tiles=office, __tiles__office=0)
    adjust(one, __tiles__workshop=1, __tiles__agent=0)
    printed = game(PREDETERMINED)
    assert refusal(printed, __players__0__tiles=office) == ("WF-7.13", "tiles_laid_out")
    assert refusal(printed, __players__0__tiles=office, __tiles__school=0) == ("WF-7.13", "tile_copies")


def test_an_audit_names_an_adjustment_that_would_be_refused_now():
    one = game(PREDETERMINED)
    one.ruleset = replace(WATER_FRAME, integrity=replace(WATER_FRAME.integrity, adjustable=None))
    adjust(one, __players__0__factories__food__quality=6)
    one.ruleset = WATER_FRAME
    (found,) = audit(one).findings
    assert (found.step, found.kind, found.rule) == (1, "refused", "WF-7.6")
