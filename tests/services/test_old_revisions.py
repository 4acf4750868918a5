"""Records of earlier revisions of the rules: read as they were, and judged by those of today."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from domain.games import RULESETS
from domain.games.arkwright_card.moves import (
    ChooseAction,
    ConfirmPrice,
    EndAction,
    InventorUpgrade,
    SkipDevelopment,
    TakeCard,
    UseInventor,
)
from domain.record import Game
from domain.ruleset import Decision, Ruleset, Seat
from services.audit import Audited, audit
from services.practice import Seated, practice_game
from services.printed import printed
from tests.domain.games.arkwright_card.alone import inventors, mine
from tests.services.files import file_of, read, written


def recorded(
    rules: Ruleset[Any], colours: Sequence[str], options: dict[str, Any], moves: Sequence[tuple[Seat, Decision]],
) -> Game:
    """A game as these rules wrote it down."""
    seated = [Seated(colour, colour, f"person-{colour}") for colour in colours]
    game = practice_game(UUID(int=1), rules, printed(rules.id), seated, options, written(0))
    for seat, decision in moves:
        entry, board = game.decide(seat, decision, written(game.step + 1))
        game.apply(entry, board)
    return game


def judged(game: Game) -> Audited:
    """By today's rules, of the file that was written then."""
    record = read(file_of(game))
    assert record.game.document == game.document and record.game.seal == game.seal
    return audit(record.game)


def without(rules: Ruleset[Any], kind: type[Decision], check: str, revision: int) -> Ruleset[Any]:
    """The rules of an earlier revision, which did not ask this of a decision."""
    checks = tuple((rule, one) for rule, one in rules.checks[kind] if one.__name__ != check)
    assert len(checks) == len(rules.checks[kind]) - 1
    return replace(rules, revision=revision, checks={**rules.checks, kind: checks})


def test_acg_7_1_8_a_card_taken_back_under_revision_1_is_named_today() -> None:
    then = without(RULESETS["arkwright_card"], TakeCard, "not_returned", 1)
    options = {"random_supply": True, "same_turn_by_copy": True}
    turn = mine(ChooseAction("build"), UseInventor(), InventorUpgrade("food"), EndAction(), ConfirmPrice())
    game = recorded(then, ["red"], options, [*inventors(), *turn, *mine(TakeCard("inventor", 5))])
    found = judged(game)
    assert (found.recorded, found.today) == (1, RULESETS["arkwright_card"].revision)
    assert [(one.step, one.kind, one.rule) for one in found.findings] == [(game.step, "refused", "ACG-7.1.8")]
    fine = recorded(then, ["red"], options, [*inventors(), *turn, *mine(SkipDevelopment())])
    assert judged(fine).clean
