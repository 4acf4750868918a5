"""Leagues of several games: each player plays each game about equally often, and the plan reaches the pages."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest

from daybook.domain.league.club_commands import ChangeLeague, DrawSchedule, EnterResult, WithdrawPlayer
from daybook.domain.league.schedule import layout
from daybook.domain.league.seasons import Entrant, Fixture, Format
from daybook.services.league import clubs
from daybook.services.league.schedule_search import draw_season
from daybook.services.league.table_games import balance_games
from tests.played import key
from tests.services.leagues import found_mill, places_of, season

pytestmark = pytest.mark.sqlite_suffices

ANY_SIZE = {":Azul": None, ":Hive": None, ":Go": None}


def counts_of(fixtures, chosen, played=()):
    found = Counter(dict(played))
    for fixture in fixtures:
        found.update((person, chosen[fixture.table]) for person in fixture.seats if fixture.table in chosen)
    return found


def unevenness(fixtures, chosen, played=()):
    return sum(n * n for n in counts_of(fixtures, chosen, played).values())


@pytest.mark.parametrize("seed", range(6))
def test_games_of_small_seasons_are_the_most_even_ones(seed):
    chance = Random(seed)
    n, rounds = chance.choice([(6, 3), (8, 2), (9, 2), (8, 3)])
    sizes = chance.choice([(3, 2), (4, 3), (2,)])
    entrants = [Entrant(f"p{number}") for number in range(n)]
    fixtures = list(draw_season(Format("rounds", sizes, rounds=rounds), entrants, seed).fixtures)[:9]
    played = Counter({("p0", ":Azul"): 2, ("p1", ":Hive"): 1})
    games = {":Azul": None, ":Hive": range(2, 4), ":Go": None} if seed % 2 else {":Azul": None, ":Hive": None}
    allowed = [[game for game, size in games.items() if not size or len(f.seats) in size] for f in fixtures]
    best = min(
        unevenness(fixtures, {f.table: game for f, game in zip(fixtures, chosen, strict=True)}, played)
        for chosen in product(*allowed)
    )
    chosen = balance_games(fixtures, games, played, Random(1))
    assert all(not games[game] or len(f.seats) in games[game] for f in fixtures for game in [chosen[f.table]])
    assert unevenness(fixtures, chosen, played) <= best * 1.02


@pytest.mark.parametrize(("n", "sizes", "rounds"), [(12, (4,), 6), (20, (4, 3), 6), (16, (4,), 3)])
def test_no_player_plays_a_game_twice_more_than_another(n, sizes, rounds):
    entrants = [Entrant(f"p{number:02}") for number in range(n)]
    fixtures = draw_season(Format("rounds", sizes, rounds=rounds), entrants, 1).fixtures
    chosen = balance_games(fixtures, ANY_SIZE, Counter(), Random(1))
    counts = counts_of(fixtures, chosen)
    spreads = Counter(
        max(counts[e.person, game] for game in ANY_SIZE) - min(counts[e.person, game] for game in ANY_SIZE)
        for e in entrants
    )
    assert max(spreads) <= 2 and spreads[2] <= n / 2, spreads
    assert layout(n, sizes) and balance_games(fixtures, ANY_SIZE, Counter(), Random(1)) == chosen


def test_table_that_fits_no_game_has_none():
    fixtures = [Fixture("1", 1, ("a", "b", "c")), Fixture("2", 1, ("d", "e"))]
    assert balance_games(fixtures, {":Hive": range(2, 3), ":Go": range(2, 3)}, Counter(), Random(1)).keys() == {"2"}


def test_draw_of_a_league_plans_games_and_keeps_what_was_played(book):
    club = found_mill(book)
    number = season(book, club, rounds=4)

    def write(command, by="olga"):
        clubs.write(book, club, command, by=by, key=key())

    def tables():
        return book.clubs.get(club).seasons[number].tables

    write(DrawSchedule(number, 1))
    assert not any(table.planned_game for table in tables().values()), "one game needs no plan"
    write(ChangeLeague("1", "Mills", ("making_profit", ":Azul")))
    write(DrawSchedule(number, 1))
    assert {table.planned_game for table in tables().values()} == {"making_profit", ":Azul"}
    for table in ("1", "2"):
        seats = tables()[table].seats
        write(EnterResult(number, ":Azul", places_of(*seats), table), "sam")
    write(DrawSchedule(number, 2))
    counts = Counter(
        (person, table.ruleset or table.planned_game) for table in tables().values() for person in table.seats
    )
    assert {*counts.values()} == {2}, "two of each in four rounds"
    write(WithdrawPlayer(number, "anna"))
    assert tables()["1"].planned_game
