"""Records of earlier revisions of the rules: read as they were, and judged by those of today."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from daybook.domain import entries
from daybook.domain.games import RULESETS
from daybook.domain.games.arkwright_card.moves import (
    ChooseAction,
    ConfirmPrice,
    EndAction,
    InventorUpgrade,
    SkipDevelopment,
    TakeCard,
    UseInventor,
)
from daybook.domain.games.water_frame.moves import Done, Fulfil, LayOutTiles, StartPlayer, TileDrawn
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.terms import TABLE, Decision, Seat
from daybook.services.files.audit import AuditResult, audit
from daybook.services.play.practice import PracticeSeat, open_practice_game
from daybook.services.store.printed_sheets import printed_sheet
from tests.changed_rules import with_kind
from tests.domain.games.arkwright_card.alone import inventors, mine
from tests.domain.games.water_frame.playing import some_mat
from tests.domain.games.water_frame.test_examples import delivery
from tests.services.fixture_files import file_of, read_fixture, written_at


def record_game(
    rules: Ruleset[Any], colours: Sequence[str], options: dict[str, Any], moves: Sequence[tuple[Seat, Decision]]
) -> Game:
    """A game as these rules wrote it down."""
    seated = [PracticeSeat(colour, colour, f"person-{colour}") for colour in colours]
    game = open_practice_game(UUID(int=1), rules, printed_sheet(rules.id), seated, options, written_at(0))
    for seat, decision in moves:
        entry, board = entries.decide(game, seat, decision, written_at(game.step + 1))
        game.apply(entry, board)
    return game


def audit_of(game: Game) -> AuditResult:
    """Return the audit of an old file by today's rules."""
    record = read_fixture(file_of(game))
    assert record.game.document == game.document and record.game.seal == game.seal
    return audit(record.game)


def without(rules: Ruleset[Any], kind: type[Decision], check: str, revision: int) -> Ruleset[Any]:
    """The rules of an earlier revision, which did not ask this of a decision."""
    today = rules.kinds[kind].checks
    checks = tuple((rule, item) for rule, item in today if item.__name__ != check)
    assert len(checks) == len(today) - 1
    return replace(with_kind(rules, kind, checks=checks), revision=revision)


def test_acg_7_1_8_card_taken_back_in_revision_1_is_named_today():
    then = without(RULESETS["arkwright_card"], TakeCard, "not_returned", 1)
    options = {"random_supply": True, "same_turn_by_copy": True}
    turn = mine(ChooseAction("build"), UseInventor(), InventorUpgrade("food"), EndAction(), ConfirmPrice())
    game = record_game(then, ["red"], options, [*inventors(), *turn, *mine(TakeCard("inventor", 5))])
    found = audit_of(game)
    assert (found.recorded, found.today) == (1, RULESETS["arkwright_card"].revision)
    assert [(finding.step, finding.kind, finding.rule) for finding in found.findings] == [
        (game.step, "refused", "ACG-7.1.8")
    ]
    fine = record_game(then, ["red"], options, [*inventors(), *turn, *mine(SkipDevelopment())])
    assert audit_of(fine).clean


def test_wf_5_2_2_delivery_with_office_in_revision_1_is_named():
    """The £5 of the office were left out of what ships brought; from there on the record is judged as it stands."""
    rules = RULESETS["water_frame"]
    b = delivery("4 lamps", "office")

    def as_then(b: Any, seat: Seat, d: Fulfil, tell: Any) -> None:
        rules.kinds[Fulfil].does(b, seat, d, tell)
        b.players[seat].tally.shipped -= b.printed.tiles_office_pays

    then = replace(
        with_kind(rules, Fulfil, does=as_then), revision=1, course=replace(rules.course, open=lambda table: b.twin())
    )
    game = record_game(then, ["blue", "red", "green"], {}, [(0, Fulfil("lamps")), (0, Done())])
    game.ruleset = rules
    found = audit(game)
    assert (found.recorded, found.today) == (1, rules.revision)
    by_hand, delivered = found.findings
    assert by_hand.step == 0, "the position was laid by hand, no game opens with it"
    assert (delivered.step, delivered.kind) == (1, "differs")
    (columns, changes) = delivered.differences
    assert (columns.part, columns.recorded["shipped"], columns.today["shipped"]) == ("columns", [56, 0, 0], [61, 0, 0])
    assert changes.today["/players/0/tally/shipped"] == [0, 61]


def test_wf_3_4_3_missing_tile_in_revision_2_is_named_today():
    rules = RULESETS["water_frame"]
    then = without(rules, LayOutTiles, "drawn_tiles_kept", 2)
    board = rules.opening_board(rules.table(["blue", "red"], {}, printed_sheet("water_frame")))
    rules.carry_out(board, TABLE, StartPlayer(0))
    rules.carry_out(board, TABLE, some_mat(board))
    (whole,) = [fact for fact in rules.legal(board, TABLE) if isinstance(fact, LayOutTiles)]
    drawn = next(kind for kind, count in whole.tiles.items() if not count and board.printed.tiles[kind])
    told = [(TABLE, StartPlayer(0)), (TABLE, some_mat(board)), (TABLE, TileDrawn(drawn)), (TABLE, whole)]
    game = record_game(then, ["blue", "red"], {}, told)
    found = audit_of(game)
    assert (found.recorded, found.today) == (2, rules.revision)
    assert [(finding.step, finding.kind, finding.rule) for finding in found.findings] == [
        (game.step, "refused", "WF-3.4.3")
    ]
