"""The promises of the kernel, held by random definitions that are played by chance to their end."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from daybook.domain.games.score_sheet import SCORE_SHEET, moves
from daybook.domain.games.score_sheet.board import Board
from daybook.domain.games.score_sheet.definition import read_definition
from daybook.domain.kernel.board import deep_copy, fold, mismatches, unfold
from daybook.domain.kernel.naming import strangers
from daybook.domain.kernel.sheet import Sheet
from daybook.domain.kernel.terms import TABLE, Decision, IllegalDecision, Seat
from daybook.services.play.practice import Dealer
from tests.domain.games.score_sheet.playing import any_definition, opened, ranks, refusal, sheet_with

LONGEST = 2_000
SEEDS = range(60)


def definition_by(seed: int) -> Sheet:
    """The first definition by this chance that can be played."""
    chance = Random(seed)
    while True:
        sheet = sheet_with(**any_definition(chance))
        try:
            read_definition(sheet)
        except IllegalDecision as no:
            assert no.rule.startswith("SC-2.") and str(no.reason)
            continue
        return sheet


def game(seed: int) -> Iterator[tuple[Board, Seat, Decision]]:
    """A game by chance, and its last board with a decision that nobody can make."""
    sheet = definition_by(seed)
    seats = SCORE_SHEET.seats_with(sheet)
    board, dealer = opened(sheet, Random(seed).choice(seats)), Dealer(seed)
    for _ in range(LONGEST):
        chosen = dealer.next(SCORE_SHEET, board)
        if chosen is None:
            yield board, TABLE, moves.GoOut()
            return
        yield board, *chosen
        board, _ = SCORE_SHEET.play(board, *chosen)
    raise AssertionError(f"no end in {LONGEST} steps")


def everything(b: Board) -> list[Decision]:
    """What can be written down: all of the small forms, and figures that fit and that do not."""
    lines = [*b.definition.lines, "nothing"]
    return [
        *(moves.Enter(line, value, round) for line in lines for value in (-1, 0, 1, 5, 10**7) for round in (0, 1, 9)),
        *(moves.Clear(line, round) for line in lines for round in (-1, 0, 1, 9)),
        *(moves.TakeTeam(team) for team in range(-1, 8)),
        moves.EndRound(),
        *(moves.EndGame(won) for won in (None, True, False)),
        moves.GoOut(),
        *(moves.SayStart(seat) for seat in range(-1, b.seats + 1)),
        *(moves.TakeRole(role) for role in ("Medic", "Boss", "")),
        *(moves.Use(name, used) for name in ("Rivers", "Щит", "") for used in (True, False)),
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_sc_8_holds_and_sc_9_only_what_is_legal_is_accepted(seed):
    for step, (b, seat, d) in enumerate(game(seed)):
        over = SCORE_SHEET.scoring.outcome(b) is not None
        legal = {who: SCORE_SHEET.legal(b, who) for who in range(-1, b.seats + 1)}
        assert all(bool(legal[who]) == (who in SCORE_SHEET.course.to_act(b)) for who in legal)
        assert all(refusal(b, who, one) is None for who, own in legal.items() for one in own)
        assert all(len(set(own)) == len(own) for own in legal.values())
        if step % 20 == 0 or over:
            for who in legal:
                for one in everything(b):
                    accepted = refusal(b, who, one) is None
                    assert accepted == (one in legal[who] or (accepted and isinstance(one, moves.Enter | moves.Clear)))
                    assert not (accepted and over)
        if over:
            assert len(ranks(b)) == b.seats and (1 in ranks(b) or b.won is False)
            return
        before = b.document()
        forward = deep_copy(before)
        after, written = SCORE_SHEET.step(b, seat, d, before)
        assert list(SCORE_SHEET.integrity.breaches(after)) == []
        assert list(strangers(SCORE_SHEET.integrity.names, after, after.document())) == []
        assert list(mismatches(before, written.changes)) == []
        fold(forward, written.changes)
        assert forward == after.document() and b.document() == before
        unfold(forward, written.changes)
        assert forward == before
        assert SCORE_SHEET.decision(msgspec.to_builtins(d)) == d
        assert SCORE_SHEET.typed_board(after.document(), b.table) == after


def test_definitions_by_chance_are_of_every_kind_and_some_cannot_be():
    read = [read_definition(definition_by(seed)) for seed in SEEDS]
    assert {d.score_count for d in read} == {"end", "rounds", "open", "target", "places"}
    assert {d.score_wins for d in read} == {"most", "least", "last", "together"}
    assert any(d.formula for d in read) and any(d.game_expansions for d in read)


@pytest.mark.parametrize("seed", range(20))
def test_a_total_lies_within_what_its_definition_says(seed):
    for b, *_ in game(seed):
        low, high = b.definition.round_between
        assert all(low <= total <= high for seat in range(b.seats) for total in b.round_totals(seat))
