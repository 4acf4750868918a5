"""Progress of a season: next tables, missing results, people without a place, and the next step."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.seasons import Entrant, SeasonKind

DRAWN: tuple[SeasonKind, ...] = ("rounds", "divisions", "swiss", "heats", "knockout")  # kinds with drawn tables
WHOLE: tuple[SeasonKind, ...] = ("rounds", "divisions", "swiss")  # kinds in which a draw seats all players

NextStep = Literal["enter", "draw", "draw_anew", "play", "lot", "close", "open_next", ""]


class Undrawn(Frozen):
    """Changes since a draw.

    late: players who entered after it and have no place. left: tables with players who have left. can_draw: if
    another draw would seat them.
    """

    late: tuple[Entrant, ...] = ()
    left: tuple[tuple[SeasonTable, str], ...] = ()
    can_draw: bool = False

    def __bool__(self) -> bool:
        return bool(self.late or self.left)


class SeasonProgress(Frozen):
    """Progress of a season."""

    to_play: tuple[SeasonTable, ...]  # tables without a result, the next first
    tables: int  # that count
    no_result: tuple[str, ...]  # players without one
    undrawn: Undrawn
    next: NextStep

    @property
    def played(self) -> int:
        return self.tables - len(self.to_play)

    def next_of(self, person: str, club: Club) -> SeasonTable | None:
        """Return the next table of a person, or the next of all if they have none."""
        own = (table for table in self.to_play if person and club.person(person) in club.seats(table))
        return next(own, self.to_play[0] if self.to_play else None)


def progress_of(
    club: Club, season: Season, ended: Collection[str], seen: Collection[str], *, tied: bool
) -> SeasonProgress:
    """Return how far a season has come.

    ended: tables with a result. seen: who sat there. tied: if a lot decides a place.
    """
    to_play = tables_to_play(season, ended)
    undrawn = undrawn_of(club, season)
    return SeasonProgress(
        tuple(to_play),
        sum(not table.voided for table in season.tables.values()),
        tuple(entrant.person for entrant in _playing(club, season) if entrant.person not in seen),
        undrawn,
        _next_step(club, season, to_play, undrawn, tied),
    )


def tables_to_play(season: Season, ended: Collection[str]) -> list[SeasonTable]:
    """Return the tables without a result: those with a day first, then by round."""
    found = [
        table
        for table in season.tables.values()
        if not table.voided and not table.is_forfeited and table.id not in ended
    ]
    return sorted(found, key=lambda table: (table.when or "9", table.round))


def undrawn_of(club: Club, season: Season) -> Undrawn:
    """Return the players without a place in the draw, and the unplayed tables with withdrawn or moved players."""
    planned = [table for table in season.tables.values() if table.planned]
    if not season.is_open or not planned:
        return Undrawn()
    plays = {(entrant.person, entrant.division, entrant.group) for entrant in _playing(club, season)}
    left = tuple(
        (table, person)
        for table in planned
        if not table.is_settled
        for person in club.names_at(table)
        if person not in {seat.person for seat in club.stand_ins(table)}
        if (person, table.division, table.group) not in plays
    )
    late = tuple(late_people(club, season)) if season.format.kind in WHOLE else ()
    moves = any(table.round > last_begun(season, (table.division, table.group)) for table, _ in left)
    return Undrawn(late, left, moves or any(_has_rounds_left(season, planned, entrant) for entrant in late))


def _has_rounds_left(season: Season, planned: Sequence[SeasonTable], late: Entrant) -> bool:
    """Check if another draw has a round for late players."""
    begun = last_begun(season, (late.division, late.group))
    if season.format.kind == "swiss" and any(
        table.round == begun and not table.is_settled and not table.postponed for table in planned
    ):
        return False
    return not season.format.rounds or begun < season.format.rounds


def late_people(club: Club, season: Season) -> list[Entrant]:
    """Return players entered to a group after its draw, with neither a table nor a bye in it."""
    planned = [table for table in season.tables.values() if table.planned]
    drawn = {(table.division, table.group) for table in planned}
    placed = {(person, table.division, table.group) for table in planned for person in club.names_at(table)}
    placed |= {(club.person(bye.person), bye.division, bye.group) for bye in season.byes}
    return [
        entrant
        for entrant in _playing(club, season)
        if (entrant.division, entrant.group) in drawn
        and (entrant.person, entrant.division, entrant.group) not in placed
    ]


def groups_left(club: Club, season: Season) -> set[tuple[int, int]]:
    """Return the groups with tables to be drawn again because a player left."""
    places = [(table, (table.division, table.group)) for table, _ in undrawn_of(club, season).left]
    return {place for table, place in places if table.round > last_begun(season, place)}


def _playing(club: Club, season: Season) -> list[Entrant]:
    """Return the entrants that have not withdrawn."""
    gone = club.withdrawn_people(season)
    return [entrant for entrant in club.entrants(season) if entrant.person not in gone]


def last_begun(season: Season, place: tuple[int, int]) -> int:
    """Return the last round of a group in which a table was begun; 0: none.

    place: division and group.
    """
    return max(
        (
            table.round
            for table in season.tables.values()
            if table.planned
            and table.is_settled
            and (season.format.kind != "divisions" or (table.division, table.group) == place)
        ),
        default=0,
    )


def _final_is_drawn(season: Season) -> bool:
    """Check if the newest round is a single table without byes."""
    last = max(season.rounds)
    tables = [table for table in season.tables.values() if table.round == last]
    return len(tables) == 1 and not any(bye.round == last for bye in season.byes)


def _next_step(club: Club, season: Season, to_play: Sequence[SeasonTable], undrawn: Undrawn, tied: bool) -> NextStep:
    if season.cancelled or season.removed:
        return ""
    if not season.is_open:
        last = club.seasons_of(season.league)[-1]
        return "open_next" if last.id == season.id else ""
    if season.format.kind == "free":
        return "" if season.tables else "play"
    if not season.rounds:
        return "draw" if _playing(club, season) else "enter"
    if to_play:
        return "draw_anew" if undrawn.can_draw else "play"
    if season.format.kind == "knockout" and not _final_is_drawn(season):
        return "draw"
    if season.format.kind == "heats" or (season.format.kind == "swiss" and len(season.rounds) < season.format.rounds):
        return "draw"
    return "lot" if tied else "close"
