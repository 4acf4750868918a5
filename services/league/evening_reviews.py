"""The review of an evening: the winners, records, and games that the club played for the first time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from uuid import UUID

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Club, Evening
from daybook.domain.league.results import Result
from daybook.domain.league.scores import Score
from daybook.services.clock import later_time
from daybook.services.days import local_of, moment_at
from daybook.services.league import evening_plans, results
from daybook.services.league.evening_plans import Played
from daybook.services.statistics.reports import MIN_SCORES_OF_RECORD
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import game_row

LATEST_TIME = "06:00"  # of the first morning after the evening, in the club's time zone
QUIET_HOURS = 1  # without a tap after the last table was closed


class EveningRecord(Frozen):
    """A score that beats all earlier ones of its game in the club."""

    ruleset: str
    person: str
    score: Score
    before: Score


class EveningReview(Frozen):
    """Results and highlights of an evening.

    Args:
        played: the games with a result, in the order in which they ended.
        open: the number of games that continue.
        wins: the number of wins of each winner, the most first; of cooperative games none.
        new: games that the club had not played before.
    """

    evening: str
    played: tuple[Played, ...]
    open: int
    people: tuple[str, ...]
    wins: tuple[tuple[str, int], ...]
    records: tuple[EveningRecord, ...]
    new: tuple[str, ...]

    @property
    def results(self) -> list[Result]:
        return [played.result for played in self.played if played.result is not None]

    @property
    def is_live(self) -> bool:
        """If a game was recorded or typed in here, and not only imported."""
        return any(not played.table.batch for played in self.played)


def review_evening(book: Daybook, club: Club, evening: Evening) -> EveningReview:
    tables = evening_plans.played(book, club, evening)
    ended = [table for table in tables if table.result is not None and "practice" not in table.result.marks]
    today = [table.result for table in ended if table.result is not None]
    ids = {result.id for result in today}
    first = min((result.at for result in today), default="")
    earlier = [result for result in results.club_results(book, club) if result.id not in ids and result.at < first]
    wins = Counter(person for result in today for person in _winners(result))
    people = dict.fromkeys(person for result in today for person in result.people if person not in result.automas)
    known = {result.ruleset for result in earlier}
    return EveningReview(
        evening.id,
        tuple(ended),
        sum(table.result is None for table in tables),
        tuple(people),
        tuple(sorted(wins.items(), key=lambda item: -item[1])),
        tuple(_records(today, earlier)),
        tuple(dict.fromkeys(result.ruleset for result in today if result.ruleset not in known)),
    )


def _winners(result: Result) -> list[str]:
    if result.cooperative:
        return []
    return [placed.person for placed in result.placed if placed.place == 1 and placed.person not in result.automas]


def _records(today: Sequence[Result], earlier: Sequence[Result]) -> Iterable[EveningRecord]:
    """Yield the best score of each game that is better than all earlier ones, if there are enough of them."""
    for ruleset in dict.fromkeys(result.ruleset for result in today):
        before = [score for score, _, _ in _scores(ruleset, earlier)]
        now = _scores(ruleset, today)
        if len(before) < MIN_SCORES_OF_RECORD or not now:
            continue
        lowest = now[0][2]
        best, person, _ = (min if lowest else max)(now, key=lambda scored: scored[0])
        best_before = (min if lowest else max)(before)
        if best < best_before if lowest else best > best_before:
            yield EveningRecord(ruleset, person, best, best_before)


def _scores(ruleset: str, played: Iterable[Result]) -> list[tuple[Score, str, bool]]:
    return [
        (placed.score, placed.person, result.lowest_wins)
        for result in played
        if result.ruleset == ruleset and result.counted and not result.cooperative
        for placed in result.placed
        if placed.score is not None and placed.person not in result.automas
    ]


# --- when ------------------------------------------------------------------------------------------------------------


def latest_time(club: Club, evening: Evening) -> str:
    """Return the first six in the morning after the evening began, or after its given end."""
    local = local_of(evening.until or evening.when, club.zone)
    day = date.fromisoformat(local[:10])
    if local[11:16] >= LATEST_TIME:
        day += timedelta(1)
    return moment_at(f"{day}T{LATEST_TIME}", club.zone)


def is_due(book: Daybook, club: Club, evening: Evening, at: str) -> bool:
    """Check if an evening is over: all tables are closed, and its given end or an hour without a tap has passed."""
    if at >= latest_time(club, evening):
        return True
    if at < (evening.until or later_time(evening.when, hours=QUIET_HOURS)):
        return False
    tables = evening_plans.played(book, club, evening)
    if any(table.result is None for table in tables):
        return False
    if not tables or all(table.result.at <= evening.until for table in tables if table.result):
        return bool(evening.until)
    games = [UUID(table.table.game) for table in tables if table.table.game]
    taps = [club.entries[table.table.steps[-1]].event.at for table in tables if table.table.steps]
    taps += book.views.values(sa.select(game_row.c.last_at).where(game_row.c.game.in_(games)))
    return bool(taps) and at >= later_time(max(taps), hours=QUIET_HOURS)
