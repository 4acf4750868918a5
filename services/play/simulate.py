"""Many practice games at once, what they came to, and a data folder filled with them.

To fill a folder with thousands of games a few are played and laid again: the same decisions in a record of its own,
with another id, other people and other days, sealed anew. That takes milliseconds where playing takes seconds.
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
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.services.clock import later_time, now
from daybook.services.play.practice import PLAYOUTS, Dealer, Level, PracticeSeat, play_out, practice_game
from daybook.services.play.writing import nonce, written_by
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import Person
from daybook.services.store.printed_sheets import printed_sheet

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
DAYS = 700  # over which games that are laid again are spread, up to now
SECONDS = (8, 75)  # between two of their entries, at least and at most


class SeatSummary(Frozen):
    """How one seat fared: games won, shared wins included, and its mean total."""

    seat: int
    won: int
    mean_total: float


class SimulationSummary(Frozen):
    """What simulated games came to. ended: how many by each rule; unfinished: stopped at the limit of steps."""

    games: int
    unfinished: int
    ended: dict[str, int]
    steps: tuple[int, float, int]  # the fewest, the median, the most
    seats: list[SeatSummary]


def simulate(
    ruleset: AnyRuleset,
    seats: int,
    games: int,
    seed: int,
    options: Mapping[str, Any],
    level: Level = "chance",
    playouts: int = PLAYOUTS,
) -> Iterator[Game]:
    """Practice games one by one, everybody of one level; game n has the seed `seed` + n. playouts: by which strong
    players decide. Raises IllegalDecision.
    """
    sheet = printed_sheet(ruleset.id)
    known = ruleset.colours(sheet)
    colours = [known[seat % len(known)] for seat in range(seats)]
    for number in range(games):
        seated = [PracticeSeat(f"Player {seat + 1}", colour, uuid4().hex) for seat, colour in enumerate(colours)]
        game = practice_game(uuid4(), ruleset, sheet, seated, dict(options), _practice_writing(0))
        for _ in play_out(game, Dealer(seed + number, [level] * seats, playouts), _practice_writing):
            pass
        yield game


def _practice_writing(step: int) -> Written:
    return written_by("practice", f"step-{step}")


def summary(games: Iterable[Game]) -> SimulationSummary:
    """Summary of simulated games. Raises StatisticsError for no games at all."""
    ended: Counter[str] = Counter()
    steps: list[int] = []
    totals: list[list[int]] = []
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
    """Somebody of a demonstration, who plays so well: the better one has more often sat where a game was won."""

    person: Person
    strength: float


def regulars(count: int, seed: int) -> list[Regular]:
    """People of a demonstration; the same seed gives the same people."""
    random = Random(f"people {seed}")
    return [
        Regular(Person(UUID(int=random.getrandbits(128), version=4).hex, _regular_name(number)), random.gauss(0, 1))
        for number in range(count)
    ]


def _regular_name(number: int) -> str:
    again, place = divmod(number, len(NAMES))
    return f"{NAMES[place]} {again + 1}" if again else NAMES[place]


def fill(book: Daybook, played: Sequence[Game], count: int, people: Sequence[Regular], seed: int) -> Iterator[UUID]:
    """Lay played games again until `count` are kept; the id of each. They are public, and practice games as before."""
    random, until = Random(f"fill {seed}"), now()
    for number in range(count):
        source = random.choice(played)
        seated = _seat_regulars(source, random.sample(people, len(source.opening.seats)), random)
        begun = later_time(until, days=-DAYS * (count - number) / count, seconds=random.randrange(20_000))
        id = uuid4()
        book.kept.keep(id, f"{source.ruleset.title}, demonstration {number + 1}", True, seated)
        book.log.append(*copy_entries(source, id, [person.id for person in seated], begun, random))
        yield id


def _seat_regulars(game: Game, people: Sequence[Regular], random: Random) -> list[Person]:
    """Who sits where: who is strong today where the game was won."""
    outcome = game.ruleset.scoring.outcome(game.board)
    ranks = outcome.ranks if outcome else (1,) * len(people)
    by_strength = sorted(people, key=lambda one: one.strength + random.gauss(0, 1.5), reverse=True)
    by_rank = sorted(range(len(people)), key=lambda seat: (ranks[seat], random.random()))
    seats = dict(zip(by_rank, by_strength, strict=True))
    return [seats[seat].person for seat in range(len(people))]


def copy_entries(game: Game, id: UUID, people: Sequence[str], begun: str, random: Random) -> list[Entry]:
    """The entries of a game once more, of another game, with other people, from another moment on."""
    entries: list[Entry] = []
    seal, seconds = "", 0
    for entry in game.entries:
        event = msgspec.structs.replace(entry.event, at=later_time(begun, seconds=seconds), nonce=nonce())
        if entry.step == 0:
            seats = [SeatTaken(person, seat.colour) for person, seat in zip(people, game.opening.seats, strict=True)]
            event = msgspec.structs.replace(event, game=str(id), seats=seats)
        entries.append(write_entry(id, event, seal))
        seal, seconds = entries[-1].seal, seconds + random.randint(*SECONDS)
    return entries
