"""A season of fourteen people in two divisions, from its draw to its end, with real workers and again from the log.

Some tables are recorded, the others typed in; somebody drops out, a record is corrected, an umpire rules. What is
shown at the end is held to a computation of its own, and a rebuild comes to the same figures.
"""

from __future__ import annotations

import os
import signal
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from itertools import combinations
from random import Random
from threading import Event, Thread
from typing import Any
from uuid import UUID

import msgspec
import pytest

from daybook.domain.commands import Adjust, AppealRuling, Close, Reopen, RuleOnClaim
from daybook.domain.kernel.chronicle import Refused, Written
from daybook.domain.league.club import Season
from daybook.domain.league.club_commands import (
    CloseSeason,
    DrawSchedule,
    EnterPlayers,
    EnterResult,
    FoundLeague,
    OpenSeason,
    VoidResult,
    WithdrawPlayer,
)
from daybook.domain.league.results import Placed, Result
from daybook.domain.league.seasons import DEFAULTS, Entrant
from daybook.services.clock import now
from daybook.services.disputes import claims, umpires
from daybook.services.disputes.umpires import appeal_hours
from daybook.services.following.projections import rebuild_read_models
from daybook.services.league import clubs, ratings, result_changes, results
from daybook.services.play.practice import Dealer, play_out
from daybook.services.settings import Settings
from daybook.services.statistics import collect
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.game_cache import fold_game
from daybook.workers import follower
from daybook.workers.children import stop
from daybook.workers.follower import follow_all
from tests.forked import Program
from tests.played import key, write
from tests.rows import all_rows
from tests.servers import wait_until
from tests.services.clubbing import open_club_game
from tests.services.leagues import join, keep_people

PEOPLE = [f"p{number:02}" for number in range(14)]
RECORDED = ("1", "2", "8", "9")  # two tables of each division
WORTH = (10, 6, 3, 1)
WORK = (
    "from daybook.services.settings import read_settings; from daybook.workers.worker import run; run(read_settings())"
)


@contextmanager
def working(book: Daybook, settings: Settings) -> Iterator[None]:
    """A follower and a worker at their work."""
    end = Event()
    thread = Thread(target=follow_all, args=(book, end))
    thread.start()
    worker = Program(WORK, os.environ | settings.environ())
    try:
        yield
    finally:
        end.set()
        thread.join()
        worker.send_signal(signal.SIGTERM)
        stop(worker)


def season_drawn(book: Daybook) -> tuple[UUID, str]:
    keep_people(book, "olga", "ursula", *PEOPLE)
    club = clubs.found_club(book, "The Mill", "olga", by="olga", key=key()).record
    for person in PEOPLE:
        join(book, club, person, by="olga")
    join(book, club, "ursula", ["umpire"], by="olga")
    clubs.write(book, club, FoundLeague("Mills", ["making_profit"]), by="olga", key=key())
    format = msgspec.structs.replace(DEFAULTS["divisions"], withdrawn="zero")
    clubs.write(book, club, OpenSeason("1", "Spring", format), by="olga", key=key())
    clubs.write(
        book,
        club,
        EnterPlayers("1", tuple(Entrant(person, 1 + place // 7) for place, person in enumerate(PEOPLE))),
        by="olga",
        key=key(),
    )
    clubs.write(book, club, DrawSchedule("1", 26), by="olga", key=key())
    return club, "1"


def play_table(book: Daybook, club: UUID, season: str, table: str, seed: int) -> UUID:
    people = book.clubs.get(club).seasons[season].tables[table].seats
    game = open_club_game(book, club, people, season, table, by="olga")
    book.log.append(
        *play_out(
            fold_game(game, book.log.entries(game)),
            Dealer(seed),
            lambda step: Written(now(), "scorekeeper", f"step-{step}"),
        )
    )
    return game


def type_result(book: Daybook, club: UUID, season: str, table: str, chance: Random) -> None:
    people = list(enumerate(book.clubs.get(club).seasons[season].tables[table].seats))
    chance.shuffle(people)
    placed = [Placed(person, seat, place) for place, (seat, person) in enumerate(people, 1)]
    if chance.random() < 0.3:  # the first two share the first place
        placed[1] = msgspec.structs.replace(placed[1], place=1)
    clubs.write(book, club, EnterResult(season, "making_profit", placed, table), by="olga", key=key())


def purse_of_last(book: Daybook, club: UUID, season: str, table: str) -> str:
    """Return the path of the last player's money on the board."""
    found = {result.table: result for result in results.season_results(book, book.clubs.get(club), season)}
    return f"/players/{max(found[table].placed, key=lambda one: one.place).seat}/money"


def points_of(results: list[Result], gone: str) -> dict[str, Fraction]:
    """Compute all points in another way: each place's points are shared by its holders."""
    points: dict[str, Fraction] = defaultdict(Fraction)
    for result in results:
        order = sorted(result.placed, key=lambda one: one.place)
        for held in {item.place for item in order}:
            those = [value.person for value in order if value.place == held]
            share = sum(WORTH[held - 1 + number] for number in range(len(those)))
            for person in those:
                points[person] += Fraction(share, len(those))
    return {person: Fraction(0) if person == gone else points[person] for person in PEOPLE}


def season_shown(book: Daybook, club: UUID, season: str, positions: list[int]) -> dict[str, Any]:
    """All that is shown of a season."""
    here = book.clubs.get(club)
    return {
        "standings": results.standings_at(book, here, season),
        "then": [results.standings_at(book, here, season, position) for position in positions],
        "results": results.season_results(book, here, season),
        "changes": {table: result_changes.what_changed(book, here, season, table) for table in RECORDED},
        "ratings": ratings.current_ratings(book, club),
        "histories": {person: ratings.rating_history(book, club, person) for person in PEOPLE},
        "rows": all_rows(book.views, (*read_models.FROM_LOG[:2], *read_models.RESULTS, *read_models.COUNTED)),
    }


def fair(season: Season) -> None:
    """Assert that each pair of a division met twice, and every person used each seat once."""
    tables = [table.seats for table in season.tables.values()]
    met = Counter(frozenset(pair) for seats in tables for pair in combinations(seats, 2))
    assert len(tables) == 14 and set(met.values()) == {2} and len(met) == 2 * 21
    assert set(Counter((person, seat) for seats in tables for seat, person in enumerate(seats)).values()) == {1}


def test_season_is_played_corrected_and_rebuilt_alike(book, settings, monkeypatch):
    monkeypatch.setattr(follower, "WATCH_SECONDS", 0.5)
    club, season = season_drawn(book)
    fair(book.clubs.get(club).seasons[season])
    chance, positions = Random(26), list[int]()

    def note_position() -> None:
        positions.append(book.log.newest())

    with working(book, settings):
        games = {table: play_table(book, club, season, table, int(table)) for table in RECORDED}
        note_position()
        gone = book.clubs.get(club).seasons[season].tables["14"].seats[0]
        for table in book.clubs.get(club).seasons[season].tables:
            if table not in RECORDED and table != "14":
                type_result(book, club, season, table, chance)
        note_position()
        clubs.write(book, club, WithdrawPlayer(season, gone, "moved away"), by="olga", key=key())
        clubs.write(book, club, VoidResult(season, "14", "one was missing"), by="ursula", key=key())
        note_position()

        purse = purse_of_last(book, club, season, "1")
        write(book, games["1"], Reopen("a purse was counted again"))
        write(book, games["1"], Adjust({purse: 999}, "miscounted", "mistyped"), at=book.games.get(games["1"]).step)
        write(book, games["1"], Close())
        note_position()

        umpires.name_umpire(book, games["8"], "Ursula", by="scorekeeper", key=key())
        claim = claims.raise_claim(book, games["8"], 9, "one coin too many", seat=1, by="seat:1", key=key()).step
        with pytest.raises(Refused, match="a claim is open about the game of table 8"):
            clubs.write(book, club, CloseSeason(season), at=book.clubs.get(club).step, by="olga", key=key())
        write(
            book,
            games["8"],
            RuleOnClaim(
                claim,
                "adjusted",
                "so it is",
                umpire=0,
                values={purse_of_last(book, club, season, "8"): 999},
                appeal_hours=appeal_hours(book, games["8"]),
            ),
            at=book.games.get(games["8"]).step,
            by="umpire:0",
        )
        umpires.name_umpire(book, games["8"], "Uli", by="scorekeeper", key=key())
        write(book, games["8"], AppealRuling(claim, 1, "once more"))
        write(
            book,
            games["8"],
            RuleOnClaim(claim, "play_on", "it stands", umpire=1, appeal_hours=appeal_hours(book, games["8"])),
            at=book.games.get(games["8"]).step,
            by="umpire:1",
        )
        note_position()
        found = results.season_results(book, book.clubs.get(club), season)
        hold(book, club, season, found, gone)
        clubs.write(book, club, CloseSeason(season), at=book.clubs.get(club).step, by="olga", key=key())
        wait_until(lambda: read_models.position_of(book.views, results.RESULTS) == book.log.newest(), "results")
        wait_until(lambda: ratings.is_current(book, club), "ratings")
        wait_until(lambda: not collect.games_due(book), "statistics")
        wait_until(lambda: read_models.position_of(book.views, "games") == book.log.newest(), "games")

    changes = result_changes.what_changed(book, book.clubs.get(club), season, "1")
    assert [change.state.cause for change in changes] == ["corrected"] and changes[0].changed
    rulings = result_changes.what_changed(book, book.clubs.get(club), season, "8")
    assert [(change.state.cause, bool(change.changed)) for change in rulings] == [
        ("claimed", False),
        ("ruled", True),
        ("ruled", True),
        ("settled", False),
    ]  # the appeal undid the first
    assert rulings[0].standings_before == rulings[-1].standings_after
    before = season_shown(book, club, season, positions)
    assert len(before["ratings"]) == 14 and before["rows"]["game_fact"]
    fresh = open_daybook(book.settings)  # nothing is at hand
    rebuild_read_models(fresh)
    ratings.rate_club(fresh, club)
    assert season_shown(fresh, club, season, positions) == before
    fresh.close()


def hold(book: Daybook, club: UUID, season: str, found: list[Result], gone: str) -> None:
    """Assert that the standings agree with points computed in another way, and that the right people move up and down."""
    assert len(found) == 13
    points: Mapping[str, Fraction] = points_of(found, gone)
    standings = results.standings_at(book, book.clubs.get(club), season)
    for group in standings.groups:
        assert {row.person: row.points for row in group.rows} == {
            person: points[person] for person in PEOPLE if (person in PEOPLE[:7]) == (group.division == 1)
        }
        assert [row.points for row in group.rows] == sorted((row.points for row in group.rows), reverse=True)
        assert all(row.why is not None for row in group.rows[:-1])
    upper, lower = standings.groups
    assert [row.person for row in upper.rows if row.move == "down"] == [upper.rows[-1].person]
    assert [row.person for row in lower.rows if row.move == "up"] == [lower.rows[0].person]
