"""Split the people of an evening into tables, with the draw of seasons.

Table sizes are allowed by the games. People who want the same game sit together, people who met recently do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations

from daybook.domain.games import RULESETS
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import because
from daybook.domain.league.club import NO_FORMAT, Answered, Club, Evening
from daybook.domain.league.club_events import EveningTable
from daybook.domain.league.results import SEATS_LIMIT
from daybook.domain.league.schedule import MEETING, Before, Wishes
from daybook.domain.league.seasons import Fixture, Format
from daybook.services.clock import later_time, now
from daybook.services.league import results, schedule_search
from daybook.services.league.schedule_search import CannotDrawError
from daybook.services.store.daybook import Daybook

UNKNOWN_GAME_SIZES = range(2, SEATS_LIMIT + 1)  # players of a game without rules in Daybook
NO_COMMON_WISH_COST = 3 * MEETING // 2  # two people with different wishes at one table: more than to meet again
MEETING_MEMORY_DAYS = 90  # older plays do not count as meetings
MAX_PEOPLE = 100


class DrawnTables(Frozen):
    """Proposed tables of an evening. left: people without a seat."""

    seed: int
    tables: tuple[EveningTable, ...]
    left: tuple[str, ...]


def propose_tables(book: Daybook, club: Club, evening: Evening, seed: int) -> DrawnTables:
    """Propose tables for the people with a chair. The same seed gives the same tables. Raises CannotDrawError."""
    people = club.coming(evening)
    if not 2 <= len(people) <= MAX_PEOPLE:
        raise CannotDrawError(because("people_coming", "tables are drawn for 2 to {n} people who come", n=MAX_PEOPLE))
    answers = club.answers(evening)
    games = list_games(evening, answers, people)
    sizes = tuple(
        size for size in NO_FORMAT.table_sizes if not games or any(size in allowed for allowed in games.values())
    )
    wanted = {person: frozenset(answers[person].games_wanted) for person in people}
    costs = {
        (person, other): NO_COMMON_WISH_COST
        for person, other in permutations(people, 2)
        if wanted[person] and wanted[other] and not wanted[person] & wanted[other]
    }
    before = Before([Fixture("", 0, seats) for seats in _recent_tables(book, club)])
    drawn = schedule_search.draw_round(
        Format("free", sizes), sorted(people), seed, before=before, wishes=Wishes(costs=costs)
    )
    seated = [fixture.seats for fixture in drawn.fixtures]
    chosen = _choose_games(seated, games, evening, {person: answers[person] for person in people})
    tables = tuple(EveningTable(game, seats) for game, seats in zip(chosen, seated, strict=True))
    return DrawnTables(seed, tables, tuple(bye.person for bye in drawn.byes))


def list_games(evening: Evening, answers: Mapping[str, Answered], people: Sequence[str]) -> dict[str, range]:
    """Return the planned, brought and wanted games of an evening, with the allowed numbers of players."""
    named = [*evening.games]
    for person in people:
        named += [*answers[person].games_brought, *answers[person].games_wanted]
    return {game: RULESETS[game].seats if game in RULESETS else UNKNOWN_GAME_SIZES for game in dict.fromkeys(named)}


def _recent_tables(book: Daybook, club: Club) -> list[tuple[str, ...]]:
    since = later_time(now(), days=-MEETING_MEMORY_DAYS)
    found = (result for result in results.club_results(book, club) if result.was_played and result.at >= since)
    return [result.people[:SEATS_LIMIT] for result in found]


def _choose_games(
    tables: Sequence[Sequence[str]], games: Mapping[str, range], evening: Evening, answers: Mapping[str, Answered]
) -> list[str]:
    """Choose a game for each table by its people: first by wishes, then by brought games. Use each copy once."""
    copies = Counter(game for answered in answers.values() for game in answered.games_brought)
    for game in evening.games:
        copies[game] = max(copies[game], len(tables))

    def wish(number: int, game: str) -> tuple[int, int]:
        at_table = [answers[person] for person in tables[number]]
        return sum(game in answered.games_wanted for answered in at_table), sum(
            game in answered.games_brought for answered in at_table
        )

    pairs = [
        (number, game) for number in range(len(tables)) for game, sizes in games.items() if len(tables[number]) in sizes
    ]
    chosen = [""] * len(tables)
    for number, game in sorted(pairs, key=lambda pair: wish(*pair), reverse=True):
        if not chosen[number] and copies[game]:
            chosen[number] = game
            copies[game] -= 1
    return chosen
