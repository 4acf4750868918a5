"""Simulation: many practice games, their summary, and a data folder filled with copies of them.

To fill a folder with thousands of games, a few are played and copied: the same decisions in a new record with other
ids, people and days, sealed again. A copy takes milliseconds; playing takes seconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from statistics import mean, median
from typing import Any
from uuid import UUID, uuid4

import msgspec

from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.events import Entry, SeatTaken, write_entry
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.services.clock import later_time, now
from daybook.services.play.practice import DEFAULT_PLAYOUTS, Dealer, Level, PracticeSeat, open_practice_game, play_out
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import Person
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.written import new_nonce, new_written

NAMES = (
    "Ada",
    "Bruno",
    "Chiara",
    "Dmitri",
    "Elif",
    "Femi",
    "Greta",
    "Hugo",
    "Ines",
    "Jin",
    "Kofi",
    "Lena",
    "Mateo",
    "Nora",
    "Oskar",
    "Priya",
    "Quentin",
    "Rosa",
    "Seo-yeon",
    "Tomas",
    "Uma",
    "Viktor",
    "Wanda",
    "Yusuf",
)
COPY_SPREAD_DAYS = 700  # days before now over which copied games are spread
MIN_AND_MAX_STEP_SECONDS = (8, 75)  # between two entries of a copied game


class SeatSummary(Frozen):
    """Results of one seat: games won, including shared wins, and the mean total."""

    seat: int
    won: int
    mean_total: float


class SimulationSummary(Frozen):
    """Results of simulated games.

    Args:
        ended: games by the rule that ended them.
        unfinished: games stopped at the step limit.
    """

    games: int
    unfinished: int
    ended: dict[str, int]
    steps: tuple[int, float, int]  # the fewest, the median, the most
    seats: list[SeatSummary]


def simulate_games(
    ruleset: AnyRuleset,
    seats: int,
    games: int,
    seed: int,
    options: Mapping[str, Any],
    level: Level = "chance",
    playouts: int = DEFAULT_PLAYOUTS,
) -> Iterator[Game]:
    """Yield practice games of players of one level; game n has the seed `seed` + n. Raises IllegalDecision.

    Args:
        playouts: play-outs of a strong player's decision.
    """
    sheet = printed_sheet(ruleset.id)
    available = ruleset.colours(sheet)
    colours = [available[seat % len(available)] for seat in range(seats)]
    for number in range(games):
        seated = [PracticeSeat(f"Player {seat + 1}", colour, uuid4().hex) for seat, colour in enumerate(colours)]
        game = open_practice_game(uuid4(), ruleset, sheet, seated, dict(options), _practice_writing(0))
        for _ in play_out(game, Dealer(seed + number, [level] * seats, playouts), _practice_writing):
            pass
        yield game


def _practice_writing(step: int) -> Written:
    return new_written("practice", f"step-{step}")


def summarize_games(games: Iterable[Game]) -> SimulationSummary:
    """Summarize simulated games. Raises StatisticsError for no games."""
    ended: Counter[str] = Counter()
    steps: list[int] = []
    totals: list[list[Points]] = []
    won: Counter[int] = Counter()
    for game in games:
        steps.append(game.step)
        totals.append([score.total for score in game.ruleset.scoring.standing(game.board)])
        outcome = game.ruleset.scoring.outcome(game.board)
        if outcome is not None:
            ended[outcome.rule] += 1
            won.update(seat for seat, rank in enumerate(outcome.ranks) if rank == 1)
    return SimulationSummary(
        len(steps),
        len(steps) - ended.total(),
        dict(sorted(ended.items())),
        (min(steps), median(steps), max(steps)),
        [
            SeatSummary(seat, won[seat], round(mean(of_seat), 1))
            for seat, of_seat in enumerate(zip(*totals, strict=True))
        ],
    )


# --- filling a data folder -------------------------------------------------------------------------------------------


class Regular(Frozen):
    """Demonstration player with a strength; stronger players more often sit in winning seats."""

    person: Person
    strength: float


def demonstration_players(count: int, seed: int) -> list[Regular]:
    """Return demonstration players; the same seed gives the same players."""
    random = Random(f"people {seed}")
    return [
        Regular(Person(UUID(int=random.getrandbits(128), version=4).hex, _regular_name(number)), random.gauss(0, 1))
        for number in range(count)
    ]


def _regular_name(number: int) -> str:
    again, place = divmod(number, len(NAMES))
    return f"{NAMES[place]} {again + 1}" if again else NAMES[place]


def insert_copies(
    book: Daybook, played: Sequence[Game], count: int, people: Sequence[Regular], seed: int
) -> Iterator[UUID]:
    """Insert copies of played games until `count` are stored; yield the ids. Copies are public practice games."""
    random, until = Random(f"fill {seed}"), now()
    for number in range(count):
        source = random.choice(played)
        seated = _seat_players(source, random.sample(people, len(source.opening.seats)), random)
        begun = later_time(until, days=-COPY_SPREAD_DAYS * (count - number) / count, seconds=random.randrange(20_000))
        game_id = uuid4()
        book.kept.keep(game_id, f"{source.ruleset.title}, demonstration {number + 1}", True, seated)
        book.log.append(*copy_entries(source, game_id, [person.id for person in seated], begun, random))
        yield game_id


def _seat_players(game: Game, people: Sequence[Regular], random: Random) -> list[Person]:
    """Assign players to seats so that the strongest today sits where the game was won."""
    outcome = game.ruleset.scoring.outcome(game.board)
    ranks = outcome.ranks if outcome else (1,) * len(people)
    by_strength = sorted(people, key=lambda player: player.strength + random.gauss(0, 1.5), reverse=True)
    by_rank = sorted(range(len(people)), key=lambda seat: (ranks[seat], random.random()))
    seats = dict(zip(by_rank, by_strength, strict=True))
    return [seats[seat].person for seat in range(len(people))]


def copy_entries(game: Game, game_id: UUID, people: Sequence[str], begun: str, random: Random) -> list[Entry]:
    """Copy the entries of a game to another game id, with other people and a new start time."""
    entries: list[Entry] = []
    seal, seconds = "", 0
    for entry in game.entries:
        event = msgspec.structs.replace(entry.event, at=later_time(begun, seconds=seconds), nonce=new_nonce())
        if entry.step == 0:
            seats = [SeatTaken(person, seat.colour) for person, seat in zip(people, game.opening.seats, strict=True)]
            event = msgspec.structs.replace(event, game=str(game_id), seats=seats)
        entries.append(write_entry(game_id, event, seal))
        seal, seconds = entries[-1].seal, seconds + random.randint(*MIN_AND_MAX_STEP_SECONDS)
    return entries
