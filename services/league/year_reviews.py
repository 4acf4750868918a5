"""Years in review: the plays of a club, and of each of its people, in each year.

A job computes all years of a club from its counted plays, and stores a row for each year and person. A change of the
club's results makes the rows stale, so a corrected play changes its year.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Club
from daybook.domain.league.scores import Score
from daybook.services.counted import by_count
from daybook.services.days import day_of, today_of
from daybook.services.league import results
from daybook.services.statistics.collect import WIN
from daybook.services.statistics.figure_questions import Filter, club_filter, counted_seats, person_of
from daybook.services.statistics.queries import VERSION, Query, run_uncached
from daybook.services.statistics.reports import MIN_SCORES_OF_RECORD, h_index, length_query
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import club_game, counted_game, result_row, reviewed_club, year_review

FIGURES_REVISION = "1"  # increase it with every change of the figures: all clubs are then reviewed again
EVERYBODY = ""  # the person of a club's own rows
GAMES_LISTED = 5
PEOPLE_LISTED = 5
RECORDS_LISTED = 3
NEW_GAMES_LISTED = 12
MONTHS = 12
COUNTED_CAUSES: tuple[results.Cause, ...] = ("closed", "corrected", "ruled", "reopened")


class CountOf(Frozen):
    """A game or a person with a number of plays, and of wins in parts."""

    key: str
    plays: int
    wins: float = 0.0


class RecordSet(Frozen):
    """A record score of a game that was set in the year and was not beaten before its end."""

    ruleset: str
    person: str
    score: Score
    game: str
    day: str


class WinRun(Frozen):
    """The longest run of wins within the year."""

    person: str
    length: int
    since: str
    until: str


class YearReview(Frozen):
    """A year of a club or a person.

    Args:
        plays: the number of plays, including cooperative plays.
        live: plays that were not imported.
        games: the number of games; `games_listed` has the most played games.
        people: the number of players; for a person: the number of other players at the same tables.
        seconds: the total length of the plays with a known length; `timed` is their number.
        competitive: plays of players against each other, with the `wins` of a person.
        together: cooperative plays; `won_together` is the number of won ones.
        months: plays in each month.
        people_listed: the most frequent players; for a person: the most frequent other players.
        winners: the people with the most wins; for a person: empty.
        new: the number of games played for the first time; `new_listed` has the most played of them.
        records: the number of records; `records_listed` has the records of the most played games.
        place: the place with the most plays; for a person: with the most wins.
        h_before: the h-index before the year; `h_after`: at its end.
    """

    year: str
    person: str
    plays: int
    live: int
    games: int
    people: int
    seconds: int
    timed: int
    competitive: int
    wins: float
    together: int
    won_together: int
    months: tuple[int, ...]
    games_listed: tuple[CountOf, ...]
    people_listed: tuple[CountOf, ...]
    winners: tuple[CountOf, ...]
    new: int
    new_listed: tuple[str, ...]
    records: int
    records_listed: tuple[RecordSet, ...]
    run: WinRun | None
    place: CountOf | None
    h_before: int
    h_after: int


# --- counting --------------------------------------------------------------------------------------------------------


class _Seat(NamedTuple):
    person: str
    place: int
    won_60: int
    expected_60: int
    seats: int
    total: Score | None


class _Play(NamedTuple):
    game: str
    ruleset: str
    day: str
    seats: tuple[_Seat, ...]
    seconds: int | None
    location: str
    is_imported: bool

    @property
    def is_cooperative(self) -> bool:
        return self.seats[0].expected_60 == 0 and self.seats[0].seats > 1


class _Tally:
    """Counts of one year of a club or a person."""

    def __init__(self) -> None:
        self.plays = self.live = self.seconds = self.timed = self.competitive = self.won_60 = 0
        self.together = self.won_together = 0
        self.months = [0] * MONTHS
        self.games = Counter[str]()
        self.people = Counter[str]()
        self.wins_60 = Counter[str]()  # of people
        self.competed = Counter[str]()  # plays of people in which they could win
        self.locations = Counter[str]()
        self.location_wins_60 = Counter[str]()
        self.new: list[str] = []
        self.run: WinRun | None = None
        self.h_before = self.h_after = 0

    def add(self, play: _Play) -> None:
        """Count a play, except its winners."""
        self.plays += 1
        self.live += not play.is_imported
        self.months[int(play.day[5:7]) - 1] += 1
        self.games[play.ruleset] += 1
        if play.seconds is not None:
            self.seconds, self.timed = self.seconds + play.seconds, self.timed + 1
        if play.location:
            self.locations[play.location] += 1
        if play.is_cooperative:
            self.together += 1
            self.won_together += any(seat.place == 1 for seat in play.seats)
        else:
            self.competitive += 1

    def note_run(self, run: WinRun) -> None:
        if self.run is None or run.length > self.run.length:
            self.run = run


class _Scores:
    """The scores of a game so far: the best ones, and whether a high or a low score wins."""

    def __init__(self) -> None:
        self.n = 0
        self.sums: list[Score] = [0, 0]  # of losing and of winning scores
        self.counts = [0, 0]
        self.highest: RecordSet | None = None
        self.lowest: RecordSet | None = None

    def add(self, score: RecordSet, has_won: bool) -> None:
        self.n += 1
        self.sums[has_won] += score.score
        self.counts[has_won] += 1
        if self.highest is None or score.score > self.highest.score:
            self.highest = score
        if self.lowest is None or score.score < self.lowest.score:
            self.lowest = score

    def record(self) -> RecordSet | None:
        """Return the best score, as `reports.records_since` does; None before there are enough scores."""
        if self.n < MIN_SCORES_OF_RECORD or not all(self.counts):
            return None
        highest_wins = self.sums[1] / self.counts[1] >= self.sums[0] / self.counts[0]
        return self.highest if highest_wins else self.lowest


class _Review:
    """All years of a club, counted play by play."""

    def __init__(self, anonymous_ids: frozenset[str]) -> None:
        self.anonymous_ids = anonymous_ids
        self.ever: defaultdict[str, Counter[str]] = defaultdict(Counter)  # plays of each game, by person
        self.h: Counter[str] = Counter()  # the h-index at the end of the last year, by person
        self.scores: defaultdict[str, _Scores] = defaultdict(_Scores)

    def years(self, plays: Sequence[_Play]) -> Iterator[YearReview]:
        for year, of_year in groupby(plays, lambda play: play.day[:4]):
            yield from self._year(year, [*of_year])

    def _year(self, year: str, plays: Sequence[_Play]) -> Iterator[YearReview]:
        tallies: defaultdict[str, _Tally] = defaultdict(_Tally)
        runs: dict[str, WinRun] = {}
        for play in plays:
            people = [*dict.fromkeys(seat.person for seat in play.seats if seat.person not in self.anonymous_ids)]
            for person in (EVERYBODY, *people):
                tally = tallies[person]
                tally.add(play)
                tally.people.update(other for other in people if other != person)
                if not self.ever[person][play.ruleset]:
                    tally.new.append(play.ruleset)
                self.ever[person][play.ruleset] += 1
            self._count_seats(play, tallies, runs)
        records = self._records_of(year, plays)
        for person, tally in tallies.items():
            tally.h_before, tally.h_after = self.h[person], h_index(self.ever[person].values())
            self.h[person] = tally.h_after
            yield _review_of(
                year, person, tally, [record for record in records if person in (EVERYBODY, record.person)]
            )

    def _count_seats(self, play: _Play, tallies: Mapping[str, _Tally], runs: dict[str, WinRun]) -> None:
        if play.is_cooperative:
            return
        club, won_by = tallies[EVERYBODY], set[str]()
        for seat in play.seats:
            if seat.total is not None:
                score = RecordSet(play.ruleset, seat.person, seat.total, play.game, play.day)
                self.scores[play.ruleset].add(score, seat.won_60 > 0)
            if seat.person in self.anonymous_ids:
                continue
            tally = tallies[seat.person]
            tally.won_60 += seat.won_60
            club.wins_60[seat.person] += seat.won_60
            club.competed[seat.person] += 1
            if play.location:
                tally.location_wins_60[play.location] += seat.won_60
            if seat.won_60:
                won_by.add(seat.person)
        for person in {seat.person for seat in play.seats} - self.anonymous_ids:
            before = runs.pop(person, None)
            if person in won_by:
                since = play.day if before is None else before.since
                runs[person] = WinRun(person, 1 if before is None else before.length + 1, since, play.day)
                tallies[person].note_run(runs[person])
                club.note_run(runs[person])

    def _records_of(self, year: str, plays: Sequence[_Play]) -> list[RecordSet]:
        """Return the records of a year, the most played game first."""
        played = Counter(play.ruleset for play in plays)
        best = [self.scores[ruleset].record() for ruleset, _ in sorted(played.items(), key=by_count)]
        return [record for record in best if record is not None and record.day[:4] == year]


def _count_most(counter: Counter[str], limit: int) -> tuple[CountOf, ...]:
    return tuple(CountOf(key, n) for key, n in sorted(counter.items(), key=by_count)[:limit])


def _review_of(year: str, person: str, tally: _Tally, records: Sequence[RecordSet]) -> YearReview:
    winners = sorted(tally.wins_60, key=lambda key: (-tally.wins_60[key], -tally.competed[key], key))
    return YearReview(
        year=year,
        person=person,
        plays=tally.plays,
        live=tally.live,
        games=len(tally.games),
        people=len(tally.people),
        seconds=tally.seconds,
        timed=tally.timed,
        competitive=tally.competitive,
        wins=round(tally.won_60 / WIN, 2),
        together=tally.together,
        won_together=tally.won_together,
        months=tuple(tally.months),
        games_listed=_count_most(tally.games, GAMES_LISTED),
        people_listed=_count_most(tally.people, PEOPLE_LISTED),
        winners=tuple(
            CountOf(key, tally.competed[key], round(tally.wins_60[key] / WIN, 2))
            for key in winners[:PEOPLE_LISTED]
            if tally.wins_60[key]
        ),
        new=len(tally.new),
        new_listed=tuple(sorted(tally.new, key=lambda key: (-tally.games[key], key))[:NEW_GAMES_LISTED]),
        records=len(records),
        records_listed=tuple(records[:RECORDS_LISTED]),
        run=tally.run if tally.run is not None and tally.run.length > 1 else None,
        place=_best_place(tally),
        h_before=tally.h_before,
        h_after=tally.h_after,
    )


def _best_place(tally: _Tally) -> CountOf | None:
    """Return the place with the most wins of a person; for a club, which has no wins, with the most plays."""
    places = sorted(tally.locations, key=lambda key: (-tally.location_wins_60[key], -tally.locations[key], key))
    if not places:
        return None
    return CountOf(places[0], tally.locations[places[0]], round(tally.location_wins_60[places[0]] / WIN, 2))


# --- rows ------------------------------------------------------------------------------------------------------------


def list_stale_clubs(book: Daybook, only: UUID | None = None) -> list[UUID]:
    """Return the clubs that changed after their last review. only: a club; None: all."""
    query = sa.select(reviewed_club).where(reviewed_club.c.club == only) if only else sa.select(reviewed_club)
    rows = {row.club: row for row in book.views.rows(query)}
    figures = _figures_version(book)
    return [
        club
        for club, position in results.newest_changes(book, only).items()
        if (row := rows.get(club)) is None
        or row.made_by != FIGURES_REVISION
        or row.position < position
        or (row.waiting and row.figures != figures)
    ]


def review_club(book: Daybook, club_id: UUID) -> None:
    """Review all years of a club. Raises UnknownClubError."""
    position, figures = results.newest_changes(book, club_id).get(club_id, 0), _figures_version(book)
    club = book.clubs.get(club_id)
    waiting = _waits_for_figures(book, club_id)
    reviews = [*_Review(club.anonymous_ids).years(_read_plays(book, club))]
    rows = [
        {"club": club_id, "year": review.year, "person": review.person, "found": read_models.as_json(review)}
        for review in reviews
    ]
    reviewed = {"made_by": FIGURES_REVISION, "position": position, "waiting": waiting, "figures": figures}
    with book.views.begin() as c:
        read_models.insert_missing(c, reviewed_club, [{"club": club_id, **reviewed, "made_by": "", "position": 0}])
        ours = reviewed_club.update().where(
            reviewed_club.c.club == club_id,
            sa.or_(reviewed_club.c.position <= position, reviewed_club.c.made_by != FIGURES_REVISION),
        )
        if c.execute(ours.values(**reviewed)).rowcount:  # otherwise a later state is reviewed already
            c.execute(year_review.delete().where(year_review.c.club == club_id))
            if rows:
                c.execute(year_review.insert(), rows)


def _figures_version(book: Daybook) -> int:
    rows = run_uncached(book, VERSION)
    return int(rows[0][0]) if rows else 0


def _waits_for_figures(book: Daybook, club_id: UUID) -> bool:
    """Check if a recorded game of a club was closed or opened again and is not counted yet."""
    changed, counted = result_row.c, counted_game.c
    is_counted = sa.exists().where(counted.game == changed.game, counted.step >= changed.step)
    query = (
        sa.select(changed.game)
        .join(club_game, club_game.c.game == changed.game)
        .where(club_game.c.club == club_id, changed.cause.in_(COUNTED_CAUSES), ~is_counted)
    )
    return book.views.value(query.limit(1)) is not None


def _read_plays(book: Daybook, club: Club) -> list[_Play]:
    """Return the counted plays of a club in the order of their days."""
    plays_counted = club_filter(club)
    lengths, facts, days = _lengths(book, plays_counted), _facts(book, club), dict[str, str]()
    found = []
    for game, rows in groupby(_read_seats(book, plays_counted), lambda row: row[0]):
        seats = [*rows]
        at, ruleset = seats[0][1:3]
        day = days.get(at) or days.setdefault(at, day_of(at, club.zone))
        location, kind = facts.get(UUID(str(game)), ("", ""))
        people = tuple(_Seat(plays_counted.counted_id(row[3]), *row[4:]) for row in seats)
        seconds = lengths.get(UUID(str(game)))
        found.append(_Play(str(UUID(str(game))), ruleset, day, people, seconds, location, kind == "imported"))
    return sorted(found, key=lambda play: play.day)


def _read_seats(book: Daybook, plays_counted: Filter) -> Sequence[tuple[Any, ...]]:
    condition, given = counted_seats(plays_counted)
    query = (
        f"SELECT s.game, s.at, s.ruleset, {person_of(plays_counted)}, s.place, s.won_60, s.expected_60, s.seats, s.total "
        f"FROM seat_summary s WHERE {condition} ORDER BY s.in_order, s.position, s.game, s.seat"
    )
    return run_uncached(book, Query(query, given))


def _lengths(book: Daybook, plays_counted: Filter) -> dict[UUID, int]:
    """Return the length of each play in seconds, if it is known."""
    return {
        UUID(str(game)): int(seconds)
        for game, seconds in run_uncached(book, length_query(plays_counted, columns="f.game, f.value"))
    }


def _facts(book: Daybook, club: Club) -> dict[UUID, tuple[str, str]]:
    """Return the place and the kind of each counted play."""
    query = (
        "SELECT t.game, p.place, p.kind FROM counted_table t JOIN club_play p "
        'ON p.club = t.club AND p.season = t.season AND p."table" = t."table" '
        f"WHERE t.club = '{club.id.hex}' AND t.game IS NOT NULL"
    )
    return {UUID(str(game)): (place, kind) for game, place, kind in run_uncached(book, Query(query, {}))}


# --- reading ---------------------------------------------------------------------------------------------------------


def find_review(book: Daybook, club: Club, year: str, person: str = EVERYBODY) -> YearReview | None:
    """Return the review of a year; None if nothing was played, or it is not computed yet.

    A viewer who may not see the club's evenings gets no place.
    """
    query = sa.select(year_review.c.found).where(year_review.c.club == club.id, year_review.c.year == year)
    found = book.views.value(query.where(year_review.c.person == person))
    if found is None:
        return None
    review = msgspec.json.decode(found, type=YearReview)
    return msgspec.structs.replace(review, place=None) if club.shows_days_only else review


def reviewed_years(book: Daybook, club: Club, person: str = EVERYBODY) -> list[str]:
    """Return the years with plays of a club or a person, the newest first."""
    query = sa.select(year_review.c.year).where(year_review.c.club == club.id, year_review.c.person == person)
    return [*book.views.values(query.order_by(year_review.c.year.desc()))]


def newest_year(book: Daybook, club: Club, person: str = EVERYBODY) -> str:
    """Return the newest year with plays; without any, the current one in the club's time zone."""
    query = sa.select(sa.func.max(year_review.c.year)).where(year_review.c.club == club.id)
    return book.views.value(query.where(year_review.c.person == person)) or today_of(club.zone)[:4]


def is_current(book: Daybook, club: UUID) -> bool:
    """Check if the reviews of a club include all its results. If not, a worker computes them."""
    return not list_stale_clubs(book, club)
