"""Private lines (what if): each leaves a game, is shown beside it, and never becomes part of it."""

from __future__ import annotations

from uuid import UUID

import pytest

from daybook.domain import disputes
from daybook.domain.commands import Abandon, ConsentToRuling, Decide, RevealGame
from daybook.domain.games import PACKAGES, RULESETS
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.decisions import read_decision
from daybook.domain.kernel.policy import steady_decision
from daybook.domain.kernel.terms import TABLE, IllegalDecision
from daybook.services.disputes import claims, forks
from daybook.services.disputes.forks import UnknownForkError
from daybook.services.files.import_export import export_game
from daybook.services.permissions import access
from daybook.services.permissions.sights import EVERYTHING, holds_sealed
from daybook.services.play import period_scores, replay
from daybook.services.play.practice import Dealer
from daybook.services.store.daybook import Daybook
from tests.played import key, open_seats, play, play_game, sees_every_hand, update_games, write
from tests.refusals import refused_for
from tests.rows import all_rows
from tests.services.conftest import Opened
from tests.services.fixture_files import put_golden

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def game(book: Daybook, open_table: Opened) -> UUID:
    id = open_table()
    play(book, id, 24)
    return id


def first(book: Daybook, fork: forks.Fork) -> tuple[int, dict[str, object]]:
    seat = forks.fork_position(book, fork).to_act[0]
    return seat, forks.legal_in_fork(book, fork, seat)[-1]


@pytest.mark.both_databases
def test_fork_is_played_by_hand_and_dealer_without_a_trace(book, game):
    before = book.log.newest(), export_game(book, game)
    update_games(book)
    rows, sheets = all_rows(book.views), period_scores.score_sheets(book, book.games.get(game))
    fork = forks.create_fork(book, game, 10, owner="anna", title="if he had bought red")
    fork = forks.add_move(book, fork.id, "anna", *first(book, fork))
    fork = forks.add_practice_moves(book, fork.id, "anna", 12, seed=5)
    assert len(fork.moves) == 13 and fork == forks.get_fork(book, fork.id, "anna")
    assert forks.fork_position(book, fork).step == 23
    assert [shown.step for shown in forks.fork_steps(book, fork)] == list(range(11, 24))
    update_games(book)
    assert (book.log.newest(), export_game(book, game)) == before
    assert all_rows(book.views) == rows and period_scores.score_sheets(book, book.games.get(game)) == sheets
    assert [kept.id for kept in book.kept.games()] == [game]


@pytest.mark.both_databases
def test_a_fork_is_its_owners_alone_and_can_be_thrown_away(book, game):
    fork = forks.create_fork(book, game, 10, owner="anna")
    assert forks.forks_of_owner(book, game, "ben") == []
    for lost in (
        lambda: forks.get_fork(book, fork.id, "ben"),
        lambda: forks.add_practice_moves(book, fork.id, "ben", 1, 1),
    ):
        with pytest.raises(UnknownForkError):
            lost()
    forks.delete_fork(book, fork.id, "ben")
    assert forks.forks_of_owner(book, game, "anna") == [fork]
    forks.delete_fork(book, fork.id, "anna")
    assert forks.forks_of_owner(book, game, "anna") == []


def test_the_rules_hold_in_a_fork(book, game):
    fork = forks.create_fork(book, game, 10, owner="anna")
    seats = forks.fork_position(book, fork).to_act
    idle = next(seat for seat in range(3) if seat not in seats)
    with pytest.raises(IllegalDecision):
        forks.add_move(book, fork.id, "anna", idle, {"type": "run"})
    assert forks.get_fork(book, fork.id, "anna").moves == []


def test_a_fork_beside_the_record_shows_where_they_part(book, game):
    folded = book.games.get(game)
    fork = forks.create_fork(book, game, 10, owner="anna")
    for step in (11, 12):
        event = folded.entries[step].event
        fork = forks.add_move(book, fork.id, "anna", event.seat, event.decision)  # type: ignore[union-attr]
    same = forks.compare_with_record(book, fork, EVERYTHING)
    assert [part.kind for part in same.compared.parts] == ["only_one"]
    assert same.compared.parts[0].one == list(range(13, 25)) and same.compared.parts[0].after == (12, 12)
    fork = forks.add_practice_moves(book, fork.id, "anna", 8, seed=9)
    beside = forks.compare_with_record(book, fork, EVERYTHING)
    assert beside.compared.first is not None
    assert beside.compared.columns_other == forks.fork_position(book, fork).columns
    assert beside.compared.columns_one == folded.figures_at(folded.step)[0]


def test_moves_of_a_fork_are_undone_and_two_tabs_do_not_mix(book, game):
    fork = forks.add_practice_moves(book, forks.create_fork(book, game, 5, owner="anna").id, "anna", 6, seed=2)
    assert forks.keep_first_moves(book, fork.id, "anna", 2).moves == fork.moves[:2]
    with refused_for("moved_on"):
        forks._store_moves(book, fork, fork.moves[:1])


def test_a_fork_goes_to_the_end_of_the_game_and_no_further(book, game):
    fork = forks.add_practice_moves(book, forks.create_fork(book, game, 24, owner="anna").id, "anna", 1_000, seed=2)
    assert forks.fold_fork(book, fork).over and forks.fork_position(book, fork).outcome
    assert forks.add_practice_moves(book, fork.id, "anna", 10, seed=3).moves == fork.moves


def test_a_closed_game_is_forked_by_whoever_may_read_it(book, game):
    grants = {(g.role, g.seat): g for g in access.make_first_grants(book, game)}
    may = {role: sees_every_hand(book, game, grant) for role, grant in grants.items()}
    assert may == {
        ("scorekeeper", None): True,
        ("seat", 0): False,
        ("seat", 1): False,
        ("seat", 2): False,
        ("reader", None): False,
    }
    assert not sees_every_hand(book, game, None)
    closed = play_game(book, 6, public=True)  # type: ignore[arg-type]
    assert sees_every_hand(book, closed, None)
    fork = forks.add_practice_moves(
        book, forks.create_fork(book, closed, 12, owner="somebody").id, "somebody", 3, seed=1
    )
    assert len(fork.moves) == 3 and book.games.get(closed).status == "closed"


@pytest.mark.parametrize("name", ["friday-four", "market-day", "four-mills", "four-boards", "corrections"])
def test_steady_players_go_on_with_a_game_that_is_closed(book, name):
    id = put_golden(book, name)
    step = book.games.get(id).step // 2
    fork = forks.add_practice_moves(book, forks.create_fork(book, id, step, owner="anna").id, "anna", 8, seed=3)
    game = book.games.get(id)
    policy, board = PACKAGES[game.ruleset.id].policy, game.ruleset.typed_board(game.document_at(step), game.table)
    assert policy is not None
    for move in fork.moves:
        if move.seat != TABLE:
            assert move.decision == plain(steady_decision(game.ruleset, policy, board, move.seat))
        board = game.ruleset.play(board, move.seat, read_decision(game, move.decision))[0]
    assert any(move.seat != TABLE for move in fork.moves)


@pytest.mark.parametrize(("kind", "level"), [("table", "chance"), ("practice", "steady")])
def test_steady_players_choice_is_hidden_while_a_table_plays(book, kind, level):
    id = open_seats(book, options={"hands": "open"}, kind=kind)
    play(book, id, 16)
    fork = forks.add_practice_moves(
        book, forks.create_fork(book, id, book.games.get(id).step, owner="anna").id, "anna", 12, seed=4
    )
    game = book.games.get(id)
    dealer, board, moves = Dealer(4, [level] * game.table.seats), game.board, list[tuple[int, object]]()
    while len(moves) < 12 and (chosen := dealer.next_decision(game.ruleset, board)):
        moves.append((chosen[0], plain(chosen[1])))
        board = game.ruleset.play(board, *chosen)[0]
    assert [(move.seat, move.decision) for move in fork.moves] == moves


def test_a_fork_is_offered_as_what_a_claim_should_be_ruled(book, game):
    fork = forks.add_practice_moves(book, forks.create_fork(book, game, 20, owner="anna").id, "anna", 3, seed=7)
    claim = claims.raise_claim(book, game, 21, "that was not what happened", by="scorekeeper", key=key()).step
    proposal = forks.propose_fork(book, fork, claim, "it went like this", by="scorekeeper", key=key()).step
    for seat in range(3):
        write(book, game, ConsentToRuling(claim, proposal, seat), by=f"seat:{seat}")
    ended = book.games.get(game)
    assert disputes.claim_of(ended, claim).state == "closed"
    assert ended.document == forks.fold_fork(book, fork).game.document


def test_somebody_keeps_twenty_forks_of_a_game_and_no_more(book, game):
    kept = [forks.create_fork(book, game, 3, owner="anna") for _ in range(20)]
    with refused_for("too_many"):
        forks.create_fork(book, game, 3, owner="anna")
    assert forks.create_fork(book, game, 3, owner="ben").owner == "ben", "others keep their own"
    forks.delete_fork(book, kept[0].id, "anna")
    forks.create_fork(book, game, 3, owner="anna")
    assert len(forks.forks_of_owner(book, game, "anna")) == 20


def test_a_game_is_left_at_a_step_that_it_has(book, game):
    assert forks.create_fork(book, game, 24, owner="ben").at == 24
    with refused_for("unknown_step"):
        forks.create_fork(book, game, 25, owner="ben")


def test_a_fork_has_a_thousand_moves_and_no_more(book, game, monkeypatch):
    assert forks.MAX_MOVES == 1_000
    monkeypatch.setattr(forks, "MAX_MOVES", 6)
    fork = forks.create_fork(book, game, 10, owner="anna")
    fork = forks.add_practice_moves(book, fork.id, "anna", 4, seed=5)
    fork = forks.add_practice_moves(book, fork.id, "anna", 50, seed=5)
    assert len(fork.moves) == 6, "to the last one that it may have"
    with refused_for("too_many"):
        forks.add_move(book, fork.id, "anna", *first(book, fork))
    assert len(forks.add_practice_moves(book, fork.id, "anna", 50, seed=5).moves) == 6
    fork = forks.keep_first_moves(book, fork.id, "anna", 5)
    assert len(forks.add_move(book, fork.id, "anna", *first(book, fork)).moves) == 6


def test_practice_players_help_in_no_fork_of_a_running_game(book, game):
    """Giving it up and reopening it is no way to have them."""

    def played() -> object:
        return forks.add_practice_moves(
            book, forks.create_fork(book, game, 10, owner="anna").id, "anna", 30, seed=5
        ).moves

    by_chance = played()
    write(book, game, Abandon("late"))
    assert played() == by_chance
    write(book, game, RevealGame())
    assert played() != by_chance


def test_where_something_is_sealed_a_game_cannot_be_left(book):
    rules = RULESETS["london_markets"]
    id = open_seats(book, ("Anna", "Ben", "Cleo", "Dora"), rules.id)
    dealer = Dealer(3)
    while True:
        folded = book.games.get(id)
        chosen = dealer.next_decision(rules, folded.board)
        assert chosen is not None
        write(book, id, Decide(chosen[0], plain(chosen[1])), at=folded.step)
        if chosen[0] != TABLE and holds_sealed(book.games.get(id)):
            break
    with refused_for("sealed"):
        forks.create_fork(book, id, folded.step + 1, owner="anna")
    assert forks.create_fork(book, id, folded.step, owner="anna").moves == []
    assert replay.position_at(book.games.get(id), None, EVERYTHING).step == folded.step + 1
