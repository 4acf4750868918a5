"""The promises of the kernel and the invariants of every game, held by random games from the set-up to the end.

The rules that these tests protect, by game:
- MP-4.9, MP-7.1 to MP-7.6, MP-7.10, MP-7.13
- LM-4.11, LM-7.1 to LM-7.17
- WF-7.1 to WF-7.17, WF-7.23, WF-7.26, WF-7.27, WF-8.1, WF-8.2
- ACG-4.1.3, ACG-4.19, ACG-8.1 to ACG-8.20, ACG-8.21, ACG-8.22
- SC-8, SC-9
"""

from __future__ import annotations

import json
from random import Random

import msgspec
import pytest

from daybook.domain.kernel.board import deep_copy, fold, mismatches, unfold
from tests.domain.games.arkwright_card import random_games as arkwright_card
from tests.domain.games.london_markets import random_games as london_markets
from tests.domain.games.making_profit import random_games as making_profit
from tests.domain.games.moves import Moves
from tests.domain.games.score_sheet import random_games as score_sheet
from tests.domain.games.water_frame import random_games as water_frame

GAMES = {
    "making_profit": making_profit.GAMES,
    "london_markets": london_markets.GAMES,
    "water_frame": water_frame.GAMES,
    "arkwright_card": arkwright_card.GAMES,
    "score_sheet": score_sheet.GAMES,
}
every_table = pytest.mark.parametrize(
    ("games", "table"),
    [
        pytest.param(games, table, id=f"{name}-{table}", marks=[pytest.mark.slow] if number else [])
        for name, games in GAMES.items()
        for number, table in enumerate(games.tables)
    ],
    scope="module",  # all tests of a table run one after the other, in the process that has played its games
)
every_game = pytest.mark.parametrize("games", [pytest.param(games, id=name) for name, games in GAMES.items()])


@every_table
def test_exactly_the_legal_decisions_are_accepted(games, table):
    """Refused decisions leave the board as it was, and one party decides. Every second board is looked at."""
    rules, chance = games.rules, Random(3)
    refusal = Moves(rules).refusal
    for number, (b, *_) in enumerate(games.tables[table]()):
        if number % 2 and number % games.interval:
            continue
        seats, before = range(-1, b.table.seats), b.document()
        legal = {seat: rules.legal(b, seat) for seat in seats}
        deciding = rules.course.to_act(b)
        assert all(bool(legal[seat]) == (seat in deciding) for seat in seats)
        assert set(rules.waits_for(b)) <= set(deciding)
        for seat, listed in legal.items():
            assert len({msgspec.json.encode(d) for d in listed}) == len(listed)
            assert all(refusal(b, seat, d) is None for d in chance.sample(listed, min(len(listed), 6)))
        if number % games.interval == 0:
            for d in games.everything(b, chance):
                for seat in {-2, -1, *deciding, chance.choice(seats), b.table.seats}:
                    refused = refusal(b, seat, d)
                    assert refused is None or refused[0].startswith(f"{rules.prefix}-")
                    accepted = refused is None
                    listed = rules.as_listed(b.table, seat, d) in legal.get(seat, [])
                    assert accepted == listed or (accepted and isinstance(d, games.unlisted)), (seat, d)
        assert b.document() == before


@every_table
def test_nothing_is_legal_after_the_end(games, table):
    rules, b = games.rules, games.tables[table]()[-1].after
    refusal = Moves(rules).refusal
    assert rules.scoring.outcome(b) is not None
    assert rules.course.to_act(b) == ()
    seats = range(-1, b.table.seats)
    assert [rules.legal(b, seat) for seat in seats] == [[]] * len(seats)
    assert {refusal(b, seat, d)[1] for seat in seats for d in games.everything(b, Random(1))} == {"game_over"}


@every_table
def test_why_gives_a_verdict_on_everything(games, table):
    rules, chance = games.rules, Random(1)
    refusal = Moves(rules).refusal
    for b, seat, *_ in games.tables[table]()[:: 4 * games.interval]:
        decisions = [*games.everything(b, chance)]
        for d in chance.sample(decisions, min(len(decisions), 100)):
            failed = [verdict for verdict in rules.why(b, seat, d) if verdict.reason is not None]
            refused = refusal(b, seat, d)
            assert ((failed[0].rule, failed[0].reason.key) if failed else None) == refused, (seat, d)
            assert all(str(verdict.reason) and "{" not in str(verdict.reason) for verdict in failed)


@every_table
def test_invariants_hold_and_changes_rebuild_every_board(games, table):
    """Forwards and backwards, through the JSON of a record, which sorts its keys."""
    rules, sorted_json = games.rules, msgspec.json.Encoder(order="deterministic")
    for number, (b, seat, d, after, effects) in enumerate(games.tables[table]()):
        assert list(rules.integrity.breaches(after)) == []
        if number % 5:
            continue
        before = b.document()
        document = deep_copy(before)
        again, step = rules.step(b, seat, rules.decision(json.loads(msgspec.json.encode(d))), before)
        assert again == after
        changes = json.loads(json.dumps(step.changes))
        assert list(mismatches(document, changes)) == []
        fold(document, changes)
        assert document == after.document()
        unfold(document, changes)
        assert document == before
        read = rules.typed_board(msgspec.json.decode(sorted_json.encode(before)), b.table)
        assert read == b
        legal, legal_again = (
            {sorted_json.encode(d) for d in rules.legal(board, seat) if not isinstance(d, games.unlisted)}
            for board in (b, read)
        )
        assert legal == legal_again
        assert rules.play(read, seat, d) == (after, effects)
        assert msgspec.convert(step.effects, list[rules.types.effects]) == effects


@pytest.mark.slow
@every_game
def test_games_meet_every_decision_and_effect(games):
    steps = games.all_steps()
    met = {type(step.decision) for step in steps} | {type(effect) for step in steps for effect in step.effects}
    assert {*games.rules.types.effects.__args__, *games.rules.kinds} - met == games.unmet


@pytest.mark.slow
@every_game
def test_every_effect_names_a_rule_of_its_game(games):
    for step in games.all_steps():
        assert all(effect.rule.startswith(f"{games.rules.prefix}-") for effect in step.effects), step.decision


def count_games(rules, b, depth):
    if not depth:
        return 1
    return sum(
        count_games(rules, rules.play(b, seat, d)[0], depth - 1)
        for seat in rules.course.to_act(b)
        for d in rules.legal(b, seat)
    )


@pytest.mark.parametrize(
    ("games", "position", "counts"),
    [
        pytest.param(games, *counted, id=f"{name}-{number}")
        for name, games in GAMES.items()
        for number, counted in enumerate(games.counts)
    ],
)
def test_number_of_games_of_a_few_decisions(games, position, counts):
    b = position()
    assert [count_games(games.rules, b, depth) for depth in range(1, len(counts) + 1)] == counts
