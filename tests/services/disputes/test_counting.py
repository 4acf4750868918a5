"""Count now: what differs, what may explain it, and what the table does about it."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any
from uuid import UUID

import msgspec
import pytest

from daybook.domain.commands import AcceptCount, Adjust, AdjustToCount, Correct, Count, Resolution
from daybook.domain.corrections import Correction, Plan
from daybook.domain.kernel.board import is_at, value_at
from daybook.domain.kernel.by_hand import causes_on, is_cause
from daybook.domain.kernel.chronicle import Refused, Written
from daybook.domain.kernel.events import DecisionRecorded, Move, write_entry
from daybook.domain.kernel.record import Game
from daybook.services.disputes import corrections, counting, explain_count
from daybook.services.disputes.explain_count import Explanation, SearchPiece
from daybook.services.files import recordfile
from daybook.services.files.recordfile import BadFileError
from daybook.services.permissions.sights import EVERYTHING
from daybook.services.play.replay import legal_decisions
from daybook.services.store.daybook import Daybook
from tests import played
from tests.played import open_seats, play, write
from tests.refusals import refused_for
from tests.services.conftest import Opened
from tests.services.disputes.test_corrections import reread

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def game(book: Daybook, open_table: Opened) -> UUID:
    id = open_table()
    play(book, id, 36)
    return id


def count_table(book: Daybook, game_id: UUID, values: dict[str, Any]) -> int:
    return write(book, game_id, Count(values), at=book.games.get(game_id).step).step


def pieces_of(book: Daybook, game_id: UUID, count: int, **within: Any) -> Iterator[SearchPiece]:
    """A whole search, piece by piece."""
    looked = explain_count.search_slips(book.games.get(game_id), count, **within)
    yield looked
    while looked.next is not None:
        looked = explain_count.search_slips(book.games.get(game_id), count, looked.next, **within)
        yield looked


def slips_found(book: Daybook, game_id: UUID, count: int) -> list[Explanation]:
    return [slip for looked in pieces_of(book, game_id, count) for slip in looked.slips]


def money(book: Daybook, game_id: UUID) -> list[int]:
    return [player["money"] for player in book.games.get(game_id).document["players"]]


def test_a_count_that_fits_finds_nothing_and_changes_nothing(book, game):
    before = book.games.get(game)
    step = count_table(book, game, {"/players/0/money": money(book, game)[0]})
    (found,) = counting.counts_of_game(book.games.get(game))
    assert (found.step, found.differences) == (step, {})
    assert book.games.get(game).document == before.document
    looked = explain_count.search_slips(book.games.get(game), step)
    assert (looked.slips, looked.next) == ([], None)


def test_a_count_lists_where_the_record_has_something_else(book, game):
    has = money(book, game)
    count_table(book, game, {"/players/0/money": has[0] - 3, "/players/1/money": has[1]})
    (found,) = counting.counts_of_game(book.games.get(game))
    assert found.differences == {"/players/0/money": [has[0], has[0] - 3]}
    reread(book, game)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({}, "nothing_counted"),
        ({"/turn": 3}, "not_a_cause"),
        ({"/players/9/money": 3}, "not_a_cause"),
        ({"/players/0/money": "much"}, "wrong_type"),
        ({"/players/0/hand/R9": 1}, "not_a_cause"),
    ],
)
def test_what_cannot_be_counted_is_refused(book, game, values, reason):
    with refused_for(reason):
        count_table(book, game, values)


def test_every_place_that_can_be_put_right_can_be_counted(book, game):
    folded = book.games.get(game)
    places = counting.countable_places(folded)
    assert {place.path for place in places if place.seat == 2} >= {"/players/2/money", "/players/2/hand/R1"}
    causes = folded.ruleset.integrity.causes
    assert all(is_at(folded.document, place.path) and is_cause(place.path, causes) for place in places)


def test_covered_hand_is_counted_by_who_sees_it_and_hidden(book, game):
    hand = book.games.get(game).document["players"][1]["hand"]["R1"]
    has = money(book, game)[0]
    count_table(book, game, {"/players/1/hand/R1": hand, "/players/0/money": has + 1})
    folded = book.games.get(game)
    told = {sight: counting.counts_of_game(folded, sight)[0].counted for sight in (EVERYTHING, 1, 0, None)}
    assert told == {
        EVERYTHING: {"/players/1/hand/R1": hand, "/players/0/money": has + 1},
        1: {"/players/1/hand/R1": hand, "/players/0/money": has + 1},
        0: {"/players/0/money": has + 1},
        None: {"/players/0/money": has + 1},
    }
    assert not any(place.path.startswith("/players/1/hand/R") for place in counting.countable_places(folded, 0))


def first_income(game: Game) -> tuple[int, int, int]:
    """Return a step that paid a player: step, seat, amount."""
    for step in game.line()[1:]:
        change = getattr(game.entries[step].event, "changes", {}).get("/players/0/money")
        if change and change[1] - change[0] > 2:
            return step, 0, change[1] - change[0]
    raise LookupError


def test_missing_and_double_payments_are_found_by_the_amount(book, game):
    step, seat, amount = first_income(book.games.get(game))
    has = money(book, game)[seat]
    for by, kind in ((-amount, "not_taken"), (amount, "taken_twice")):
        count = count_table(book, game, {f"/players/{seat}/money": has + by})
        found = slips_found(book, game, count)
        assert any((item.kind, item.step, item.all) == (kind, step, True) for item in found)
        assert all(value.to_correction(book.games.get(game)) is None for value in found if value.kind == kind)


def slip(book: Daybook, game_id: UUID, purses: int = 1) -> tuple[int, Move, Plan]:
    """Return another decision at a step that the rest of the record accepts, and that changes at least this many
    purses."""
    game = book.games.get(game_id)
    for step in game.line()[4:]:
        event = game.entries[step].event
        assert isinstance(event, DecisionRecorded)
        for decision in legal_decisions(book.games.get(game_id), game.parents[step], event.seat):
            if decision != event.decision and event.seat >= 0:
                plan = corrections.compute_correction_plan(
                    book, game_id, {step: Resolution([Move(event.seat, decision)])}
                )
                if plan.stop is None and sum("/money" in path for path in plan.changes) >= purses:
                    return step, Move(event.seat, decision), plan
    raise LookupError


def test_misentered_step_is_found_and_its_correction_planned(book, game):
    step, move, plan = slip(book, game)
    values = {f"/players/{seat}/money": value for seat, value in enumerate(plan.columns["money"])}
    count = count_table(book, game, values)
    found = slips_found(book, game, count)
    one = next(item for item in found if (item.kind, item.step, item.decision) == ("something_else", step, move))
    assert one.all
    again = corrections.compute_correction_plan(book, game, one.to_correction(book.games.get(game)) or {})
    assert again.columns["money"] == plan.columns["money"]
    write(
        book,
        game,
        Correct(one.to_correction(book.games.get(game)) or {}, "mistyped", again.digest),
        at=book.games.get(game).step,
    )
    assert counting.counts_of_game(book.games.get(game))[0].settled == [count + 1]
    reread(book, game)


def test_correction_that_does_not_explain_a_count_leaves_it_open(book, game):
    step, move, plan = slip(book, game)
    values = {f"/players/{seat}/money": value + 1 for seat, value in enumerate(plan.columns["money"])}
    count = count_table(book, game, values)
    again = corrections.compute_correction_plan(book, game, {step: Resolution([move])})
    write(book, game, Correct({step: Resolution([move])}, "mistyped", again.digest), at=count)
    assert counting.counts_of_game(book.games.get(game))[0].settled == []


def test_search_in_time_slices_finds_what_one_search_would(book, game):
    count = count_table(book, game, {"/players/0/money": money(book, game)[0] + 1})
    for plays, seconds, at_least in ((40, 60.0, 10), (10**6, 0.0, 100), (10**6, 60.0, 2)):
        pieces = [*pieces_of(book, game, count, plays=plays, seconds=seconds)]
        assert len(pieces) >= at_least and pieces[-1].next is None
        ends = [(piece.late, piece.done) for piece in pieces]
        assert ends == sorted(ends), "it says how far it has come, and goes on from there"
        assert {item.late for item in pieces if item.round_done} == {False, True}
        found = [slip for value in pieces for slip in value.slips]
        whole = [
            slip for each_item in pieces_of(book, game, count, plays=10**6, seconds=60.0) for slip in each_item.slips
        ]
        assert len(found) == len(whole) and all(slip in whole for slip in found)


@pytest.mark.parametrize("text", ["", "first", "first.1", "later.1.2", "first.-1.2", "first.1.2\n", "first.9999999.1"])
def test_a_search_begins_only_where_one_ended(text):
    with refused_for("no_such_spot"):
        explain_count.parse_cursor(text)
    assert explain_count.parse_cursor(str(explain_count.SearchCursor(True, 3, 4))) == explain_count.SearchCursor(
        True, 3, 4
    )


def test_the_table_puts_the_board_right_as_it_was_counted(book, game):
    has = money(book, game)
    count = count_table(book, game, {"/players/0/money": has[0] + 2, "/players/1/money": has[1]})
    write(book, game, AdjustToCount(count, ""), at=book.games.get(game).step)
    assert money(book, game)[0] == has[0] + 2
    assert counting.counts_of_game(book.games.get(game))[0].settled == [count + 1]
    reread(book, game)


@pytest.mark.parametrize(
    ("ruleset", "counted", "supply"),
    [
        ("making_profit", "/players/0/certificates/*", "/bank/*"),
        ("london_markets", "/players/0/hand/*", "/piles/*"),
        ("water_frame", "/players/*/factories/*/workers", "/market"),
        ("water_frame", "/players/*/shares", "/players/{}/bank"),
    ],
)
def test_what_lies_less_before_a_player_lies_in_the_supply(book, ruleset, counted, supply):
    id = open_seats(book, ["Anna", "Ben", "Cleo", "Dora"], ruleset_id=ruleset)
    play(book, id, 60)
    document = book.games.get(id).document
    path, lies = next((path, lies) for path, lies in causes_on(document, [counted]).items() if lies and path[-1] != "?")
    row = max((row for row, n in enumerate(lies) if n), default=0) if isinstance(lies, list) else 0
    less = [*lies[:row], 0, *lies[row + 1 :]] if isinstance(lies, list) else lies - 1  # a row is full or empty (WF-7.7)
    fewer = lies[row] if isinstance(lies, list) else 1
    there = supply.format(path.split("/")[2]).replace("*", path.split("/")[-1])
    had = value_at(document, there)
    with pytest.raises(Refused):  # the supply was counted too, and it is not there
        adjust_to(book, id, count_table(book, id, {path: less, there: had}))
    count = count_table(book, id, {path: less})
    adjust_to(book, id, count)
    assert value_at(book.games.get(id).document, there) == had + fewer
    assert [item.settled for item in counting.counts_of_game(book.games.get(id), EVERYTHING) if item.step == count] != [
        []
    ]
    reread(book, id)


def adjust_to(book: Daybook, game_id: UUID, count: int) -> None:
    write(book, game_id, AdjustToCount(count), at=book.games.get(game_id).step)


def test_what_changed_since_is_counted_again(book, game):
    count = count_table(book, game, {"/players/0/money": money(book, game)[0] + 2})
    write(book, game, Adjust({"/players/0/money": 50}, "a slip", "table"), at=count)
    with refused_for("stale"):
        write(book, game, AdjustToCount(count, ""), at=count + 1)


def test_the_table_lets_it_be(book, game):
    count = count_table(book, game, {"/players/0/money": money(book, game)[0] + 2})
    write(book, game, AcceptCount(count, "one coin, who cares"))
    assert counting.counts_of_game(book.games.get(game))[0].settled == [count + 1]
    with pytest.raises(Refused):
        write(book, game, AcceptCount(3, ""))
    reread(book, game)


def test_letting_one_count_be_settles_no_other(book, game):
    """Neither those before it nor those after it."""
    has, path = money(book, game)[0], "/players/0/money"
    first, second = count_table(book, game, {path: has + 2}), count_table(book, game, {path: has + 3})
    write(book, game, AcceptCount(second, "that is near enough"))
    third = count_table(book, game, {path: has + 4})
    assert {count.step: count.settled for count in counting.counts_of_game(book.games.get(game))} == {
        first: [],
        second: [second + 1],
        third: [],
    }
    write(book, game, AdjustToCount(first, ""), at=third)
    assert {item.step: item.settled for item in counting.counts_of_game(book.games.get(game))} == {
        first: [third + 1],
        second: [second + 1],
        third: [],
    }
    reread(book, game)


def test_a_correction_settles_no_count_that_the_table_let_be(book, game):
    """Nor an older one of the same board."""
    step, move, plan = slip(book, game)
    values = {f"/players/{seat}/money": value for seat, value in enumerate(plan.columns["money"])}
    older, count = count_table(book, game, values), count_table(book, game, values)
    write(book, game, AcceptCount(count, "we know why"))
    again = corrections.compute_correction_plan(book, game, {step: Resolution([move])})
    write(book, game, Correct({step: Resolution([move])}, "mistyped", again.digest), at=book.games.get(game).step)
    assert {item.step: item.settled for item in counting.counts_of_game(book.games.get(game))} == {
        older: [],
        count: [count + 1],
    }


# --- which slip is likely ---


def income_by_step(game: Game, path: str) -> dict[int, int]:
    """Return the income of a place by step."""
    changes = {step: getattr(game.entries[step].event, "changes", {}).get(path, [0, 0]) for step in game.line()[1:]}
    return {step: now - was for step, (was, now) in changes.items() if now != was}


def had_less(game: Game, step: int, amount: int, seat: int = 0) -> bool:
    """Return whether a seat had less than this after a step."""
    line = game.line()
    return any(game.document_at(later)["players"][seat]["money"] < amount for later in line[line.index(step) :])


def by_hand(explanations: list[Explanation], kind: str) -> set[int]:
    return {item.step for item in explanations if item.kind == kind and item.all}


def test_what_a_step_brought_may_lie_with_somebody_else(book, game):
    has, (step, seat, amount) = money(book, game), first_income(book.games.get(game))
    count = count_table(
        book,
        game,
        {f"/players/{seat}/money": has[seat] - amount, "/players/1/money": has[1] + amount, "/players/2/money": has[2]},
    )
    found = slips_found(book, game, count)
    assert (
        step in by_hand(found, "laid_elsewhere")
        and explain_count.rank_slips(found)[0].slips[0].kind == "laid_elsewhere"
    )
    assert all(item.to_correction(book.games.get(game)) is None for item in found if item.kind == "laid_elsewhere")


def test_a_slip_that_many_steps_can_hold_is_named_with_a_perhaps(book, game):
    amounts = income_by_step(book.games.get(game), "/players/0/money")
    usual = max(set(amounts.values()), key=[*amounts.values()].count)
    count = count_table(book, game, {"/players/0/money": money(book, game)[0] + usual})
    found = slips_found(book, game, count)
    unexplained = explain_count.search_slips(book.games.get(game), count).unexplained
    assert len(by_hand(found, "taken_twice")) > 1
    groups = explain_count.rank_slips(found)
    assert not any(group.is_sure(groups, unexplained) for group in groups)


def test_one_slip_that_explains_many_places_comes_first(book, game):
    step, move, plan = slip(book, game, purses=2)
    values = {place.path: place.value for place in counting.countable_places(book.games.get(game))}
    values |= {path: after for path, (_, after) in plan.changes.items() if path in values}
    count = count_table(book, game, values)
    found = explain_count.rank_slips(slips_found(book, game, count))
    unexplained = explain_count.search_slips(book.games.get(game), count).unexplained
    (one, *_) = found[0].slips
    assert (one.kind, one.step, one.decision) == ("something_else", step, move)
    assert found[0].weight > 100 * unexplained
    assert found[0].is_sure(found[:1], unexplained)


def test_an_amount_that_no_step_tells_of_is_never_sure(book, game):
    amounts = {abs(by) for by in income_by_step(book.games.get(game), "/players/0/money").values()}
    odd = next(by for by in (1, 2, 5, 10, 13, 17) if by not in amounts)
    count = count_table(book, game, {"/players/0/money": money(book, game)[0] + odd})
    found = slips_found(book, game, count)
    unexplained = explain_count.search_slips(book.games.get(game), count).unexplained
    groups = explain_count.rank_slips(found)
    assert unexplained > 0 and not any(group.is_sure(groups, unexplained) for group in groups)


def test_places_counted_right_before_are_not_searched_again(book, game):
    """Two counts of one purse: the slip lies between them, whatever the amounts before were."""
    count_table(book, game, {"/players/0/money": money(book, game)[0]})
    agreed = book.games.get(game).step
    play(book, game, 30)
    amounts = income_by_step(book.games.get(game), "/players/0/money")
    for step, amount in amounts.items():
        count = count_table(book, game, {"/players/0/money": money(book, game)[0] - amount})
        found = slips_found(book, game, count)
        assert all(item.step > agreed for item in found if item.all)
        possible = step > agreed and not had_less(book.games.get(game), step, amount)
        assert (step in by_hand(found, "not_taken")) == possible


def test_what_was_paid_since_had_been_taken(book, open_table):
    """A later payment proves that the money was taken."""
    id = open_table()
    play(book, id, 42)
    folded, has = book.games.get(id), money(book, id)
    steps = [
        (step, seat, amount, had_less(folded, step, amount, seat))
        for seat in range(3)
        for step, amount in income_by_step(folded, f"/players/{seat}/money").items()
        if 0 < amount <= has[seat]
    ]
    assert {gone for *_, gone in steps} == {True, False}
    for step, seat, amount, gone in steps:
        count = count_table(book, id, {f"/players/{seat}/money": has[seat] - amount})
        looked = explain_count.search_slips(book.games.get(id), count, plays=1)
        assert (step in by_hand(looked.slips, "not_taken")) != gone


def test_earlier_count_settled_by_the_table_explains_nothing(book, game):
    has, (step, seat, amount) = money(book, game), first_income(book.games.get(game))
    path = f"/players/{seat}/money"
    first = count_table(book, game, {path: has[seat] + amount})
    assert step in by_hand(slips_found(book, game, first), "taken_twice")
    write(book, game, AdjustToCount(first, ""), at=book.games.get(game).step)
    again = count_table(book, game, {path: has[seat] + 2 * amount})
    assert step not in by_hand(slips_found(book, game, again), "taken_twice")


def test_counted_purses_stay_counted_after_a_correction(book):
    """Also those that were right when they were counted, and that the adjustment did not change."""
    game_id = played.open_table_of(book)
    play(book, game_id, 30, seed=5)
    game = book.games.get(game_id)
    purses = [f"/players/{seat}/money" for seat in range(3)]
    counted = {path: value_at(game.document, path) for path in purses}
    counted[purses[0]] += 7
    count = write(book, game_id, Count(counted)).step
    write(book, game_id, AdjustToCount(count))
    adjusted = book.games.get(game_id)
    assert adjusted.entries[-1].event.confirmed == {path: counted[path] for path in purses[1:]}
    moved = 0
    for step in game.line()[1:]:
        plan = Correction(adjusted, {step: Resolution()}, "mistyped", Written("", "", "")).plan()
        before = Correction(game, {step: Resolution()}, "mistyped", Written("", "", "")).plan()
        if plan.stop is None:
            moved += any(path in before.changes for path in purses)
            assert not any(path in plan.changes for path in purses)
    assert moved, "without the count the correction moves a purse"


def test_confirmed_places_survive_files_false_ones_are_refused(book):
    game_id = played.open_table_of(book)
    play(book, game_id, 30, seed=5)
    money = [value_at(book.games.get(game_id).document, f"/players/{seat}/money") for seat in range(3)]
    values = {"/players/0/money": money[0] + 1, "/players/1/money": money[1]}
    write(book, game_id, Adjust(values, "counted"))
    game = book.games.get(game_id)
    assert game.entries[-1].event.confirmed == {"/players/1/money": money[1]}
    header = recordfile.build_header(game, "Tuesday", ["Anna", "Ben", "Cleo"])
    for write_file in (recordfile.write_full_file, recordfile.bare_file):
        read = recordfile.read_record_file(BytesIO(b"".join(write_file(header, game.entries))), "2030-01-01").game
        assert read.entries[-1].event.confirmed == game.entries[-1].event.confirmed
    for false in ({"/players/1/money": money[1] + 1}, {"/players/0/money": money[0] + 1}, {"/turn": 3}):
        event = msgspec.structs.replace(game.entries[-1].event, confirmed=false)
        entries = [*game.entries[:-1], write_entry(game.id, event, game.entries[-2].seal)]
        with pytest.raises(BadFileError, match="confirmed"):
            recordfile.read_record_file(BytesIO(b"".join(recordfile.write_full_file(header, entries))), "2030-01-01")


def test_plan_warns_where_it_contradicts_a_count(book):
    """A count that found everything right leaves no adjustment behind: the plan names the count and the places."""
    game_id = played.open_table_of(book)
    play(book, game_id, 30, seed=5)
    purses = [f"/players/{seat}/money" for seat in range(3)]
    before = book.games.get(game_id)
    count = write(book, game_id, Count({path: value_at(before.document, path) for path in purses})).step
    game, warned = book.games.get(game_id), 0
    for step in game.line()[1:]:
        plan = Correction(game, {step: Resolution()}, "mistyped", Written("", "", "")).plan()
        moved = [path for path in purses if path in plan.changes]
        if plan.stop is None:
            assert [(item.count, item.places) for item in plan.contradicted] == ([(count, moved)] if moved else [])
            warned += bool(moved)
    assert warned
