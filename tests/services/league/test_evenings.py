"""Two copies of one evening in a club are found, and a permitted person decides which counts."""

from __future__ import annotations

import json
from uuid import UUID

import pytest

from daybook.domain.commands import Abandon, SetDayOfPlay
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club_commands import ConfirmSeparateGames, EnterResult, RemoveGame
from daybook.domain.league.club_events import BESIDE, SeparateGamesConfirmed
from daybook.domain.league.results import Placed
from daybook.services.clock import later_time, now
from daybook.services.following import projections
from daybook.services.league import clubs, duplicate_games, personal_data, told_apart
from daybook.services.permissions import access
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import game_row
from tests.played import key, open_seats, play, update_games, write
from tests.services.clubbing import open_club_game
from tests.services.league.test_results import stands
from tests.services.leagues import found_mill

pytestmark = pytest.mark.sqlite_suffices

TRIO = ("anna", "ben", "cleo")


@pytest.fixture
def club(book: Daybook) -> UUID:
    return found_mill(book)


def play_beside(
    book: Daybook, club: UUID, seed: int, people: tuple[str, ...] = TRIO, steps: int = 1_000, table: str | None = None
) -> UUID:
    """A game that was entered while nothing had been recorded of it."""
    game = open_club_game(book, club, people, table=table, by="sam")
    play(book, game, steps, seed=seed, close=True)
    return game


def twins(book: Daybook, club: UUID, table: str) -> list[str]:
    known = book.clubs.get(club)
    return [twin.id for twin in duplicate_games.twins_of(book, known, known.season(BESIDE).tables[table])]


def apart(book: Daybook, club: UUID, table: str, second: str, why: str = "a rematch") -> None:
    clubs.write(book, club, ConfirmSeparateGames(BESIDE, table, BESIDE, second, why), by="sam", key=key())


def test_records_of_one_evening_entered_empty_are_found(book, club):
    for seed, steps in ((1, 1_000), (1, 40), (2, 1_000)):
        play_beside(book, club, seed, steps=steps)
    play_beside(book, club, 1, ("dan", "eve", "finn"))
    assert [twins(book, club, table) for table in "1234"] == [["2"], ["1"], [], []]
    pairs = duplicate_games.twins_in(book, book.clubs.get(club), BESIDE)
    assert [(pair.id, other.id) for pair, other in pairs] == [("2", "1")]
    apart(book, club, "2", "1")
    assert [twins(book, club, table) for table in "12"] == [[], []]
    assert duplicate_games.twins_in(book, book.clubs.get(club), BESIDE) == []
    event = book.clubs.get(club).entries[-1].event
    assert isinstance(event, SeparateGamesConfirmed) and (event.by, event.why) == ("sam", "a rematch")


@pytest.mark.parametrize(("hours", "more", "found"), [(0, 0, ["1"]), (-20, 0, ["1"]), (-30, 0, []), (0, 1, [])])
def test_typed_result_and_record_match_by_people_day_and_scores(book, club, hours, more, found):
    play_beside(book, club, 1)
    result = stands(book, club, BESIDE)["1"]
    placed = [
        Placed(place.person, None, place.place, None if place.score is None else place.score + more)
        for place in result.placed
    ]
    clubs.write(
        book,
        club,
        EnterResult(BESIDE, "making_profit", placed, ended_at=later_time(result.at, hours=hours)),
        by="sam",
        key=key(),
    )
    assert twins(book, club, "2") == found


def test_the_day_of_play_tells_evenings_apart(book, club):
    game = play_beside(book, club, 1)
    result = stands(book, club, BESIDE)["1"]
    clubs.write(book, club, EnterResult(BESIDE, "making_profit", result.placed, ended_at=now()), by="sam", key=key())
    assert twins(book, club, "2") == ["1"]
    write(book, game, SetDayOfPlay("2026-03-20"))
    assert twins(book, club, "2") == []


@pytest.mark.parametrize(
    ("table", "second", "why", "message"),
    [("1", "1", "x", "already like that"), ("1", "9", "x", "there is no table 9"), ("1", "2", " ", "give a reason")],
)
def test_what_cannot_be_said_of_two_evenings_is_refused(book, club, table, second, why, message):
    play_beside(book, club, 1, steps=30)
    play_beside(book, club, 1, steps=30)
    with pytest.raises(Refused, match=message):
        apart(book, club, table, second, why)


def test_two_evenings_are_told_apart_by_their_records(book, club):
    """A different record at one of the tables raises the question again."""
    _, second = play_beside(book, club, 1, steps=40), play_beside(book, club, 1, steps=40)
    apart(book, club, "2", "1")
    assert twins(book, club, "1") == []
    clubs.write(book, club, RemoveGame(BESIDE, "2", str(second), "typed up anew"), by="sam", key=key())
    play_beside(book, club, 1, steps=40, table="2")
    assert twins(book, club, "1") == ["2"]


def play_outside(book: Daybook, seed: int, people: tuple[str, ...] = TRIO, public: bool = False) -> UUID:
    game = open_seats(book, people, people=people, options={"hands": "open"}, public=public)
    play(book, game, 40, seed=seed)
    return game


@pytest.mark.both_databases
def test_second_record_outside_clubs_is_told_to_readers_of_both(book):
    first, second, _ = play_outside(book, 1, public=True), play_outside(book, 1), play_outside(book, 2, public=True)
    others = play_outside(book, 1, ("dan", "eve", "finn"))
    grants = {id: access.make_first_grants(book, id)[0] for id in (second, others)}
    update_games(book)

    def duplicates_shown(game: UUID, *held: UUID) -> set[UUID]:
        found = duplicate_games.games_alike(
            book, book.games.get(game), TRIO, held, lambda id: grants[id] if id in held else None
        )
        return {item.kept.id for item in found}

    assert (duplicates_shown(first), duplicates_shown(first, second), duplicates_shown(second)) == (
        set(),
        {second},
        {first},
    )
    assert duplicates_shown(first, others) == {others}, "by its link, whoever sits there"
    later = later_time(now(), days=3)
    with book.views.begin() as c:
        c.execute(game_row.update().where(game_row.c.game == first).values(opened_at=later, last_at=later))
    assert duplicates_shown(second) == set()
    projections.rebuild_read_models(book)
    write(book, first, Abandon("Ben has the record"))
    update_games(book)
    assert (duplicates_shown(first, second), duplicates_shown(second)) == (set(), set())


def test_records_told_apart_by_a_club_are_two_evenings(book, club):
    first, second = play_beside(book, club, 1, steps=40), play_beside(book, club, 1, steps=40)
    update_games(book)
    grant = access.make_first_grants(book, second)[0]

    def duplicates_shown() -> list[tuple[UUID, bool, list[UUID]]]:
        found = duplicate_games.games_alike(book, book.games.get(first), TRIO, [second], lambda id: grant)
        return [(item.kept.id, item.is_apart, [said.id for said in item.clubs]) for item in found]

    assert duplicates_shown() == [(second, False, [])]
    apart(book, club, "2", "1")
    assert duplicates_shown() == [(second, True, [club])], "what is said hides nothing: a club can be anybody's"


@pytest.mark.both_databases
def test_keeper_of_a_record_declares_two_evenings_and_revokes_it(book):
    pair = play_outside(book, 1), play_outside(book, 1)
    anna, ben = (access.Grant("", id, "scorekeeper", person=person) for id, person in zip(pair, TRIO, strict=False))

    def duplicates_shown(game: UUID, second: UUID) -> list[tuple[UUID, str, str, str | None]]:
        said = told_apart.said_of(book, game).get(second, [])
        return [(item.game, item.by, item.why, item.back_by) for item in said]

    with pytest.raises(Refused, match="give a reason"):
        told_apart.say_apart(book, pair, "  ", anna)
    told_apart.say_apart(book, pair, " a rematch ", ben)
    told_apart.say_apart(book, pair, "said again", anna)
    assert duplicates_shown(*pair) == duplicates_shown(*pair[::-1]) == [(pair[1], "scorekeeper@ben", "a rematch", None)]
    told_apart.take_back(book, pair, anna)
    told_apart.take_back(book, pair, ben)
    assert duplicates_shown(*pair) == [(pair[1], "scorekeeper@ben", "a rematch", "scorekeeper@anna")]
    data = [json.loads(personal_data.export_personal_data(book, person))["evenings_told_apart"] for person in TRIO]
    assert [[value["why"] for value in said] for said in data] == [["a rematch"], ["a rematch"], []]
    for _ in range(told_apart.SAID_LIMIT - 1):
        told_apart.say_apart(book, pair, "two", anna)
        told_apart.take_back(book, pair, anna)
    with pytest.raises(Refused, match="confirmed and undone 20 times"):
        told_apart.say_apart(book, pair, "two", anna)
