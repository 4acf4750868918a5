"""Let a player without a seat join a running game: it continues in a new record with one more seat.

A record names its seats at the opening, and never changes. So the decisions that stand are recorded again, the links of
the old record move to the new one, and the old record is abandoned.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any
from uuid import UUID, uuid5

import msgspec

from daybook.domain.commands import TURN_LIMIT, DecideTurn, Note
from daybook.domain.disputes import open_claims
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import DecisionAsPlayed, DecisionRecorded
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.rule_parts import LateSeat
from daybook.domain.kernel.terms import Reason, Seat, because
from daybook.domain.league.club import Club
from daybook.domain.league.club_commands import EnterGame, RemoveGame
from daybook.domain.league.club_events import BESIDE
from daybook.services.league import clubs
from daybook.services.league.clubs.newcomers import refuse_strangers
from daybook.services.names import appearance_key
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import ClubVisit, may
from daybook.services.play import recording, replacing
from daybook.services.play.recording import NewGame, SeatedPerson
from daybook.services.play.replacing import guests_of
from daybook.services.play.writing import Writer
from daybook.services.store.daybook import Daybook

CONTINUES = "a player joined: it continues in another record"


def late_seat_fault(book: Daybook, game: Game, person: str) -> Reason | None:
    """Return why no further player can join a game, or None.

    person: the user; empty: not signed in.
    """
    late = game.ruleset.course.late_seat
    if late is None:
        return because("no_late_seat", "only the players of the opening take part in this game")
    if game.status != "running" or game.opening.kind != "table" or game.lease is not None:
        return because("not_running", "the game is not played here now")
    fault: tuple[str, Reason] | None = late.fault(game.board)
    if fault is not None:
        return fault[1]
    if open_claims(game) or any(not _is_plain_decision(game, step) for step in game.line()[1:]):
        return because(
            "not_plain", "the record has corrections by hand or open claims, which another record cannot repeat"
        )
    for club in _clubs_of(book, game):
        if club.games[str(game.id)][0] != BESIDE:
            return because("late_in_season", "the players of a season’s table are drawn: no one joins it")
        if not may(ClubVisit(club, person), "enter_results"):
            return because("late_in_club", "the game is entered in a club: one of its scorekeepers adds the player")
    return None


def _is_plain_decision(game: Game, step: int) -> bool:
    event = game.entries[step].event
    return isinstance(event, DecisionRecorded) and not isinstance(event, DecisionAsPlayed)


def _clubs_of(book: Daybook, game: Game) -> list[Club]:
    book.clubs.catch_up()
    return book.clubs.with_game(game.id)


def add_player(
    book: Daybook, game: Game, name: str, points: Points, note: str, *, by: Writer, person: str, key: str
) -> UUID:
    """Continue a game in a new record with one more player; return its id.

    Args:
        points: agreed to begin with.
        note: a sentence in the new record that says so.
        person: the user; empty: not signed in.
        key: as for `open_game`; a repeated call continues where it ended.

    Raises Refused, IllegalDecision (the points), BadNameError.
    """
    if fault := late_seat_fault(book, game, person):
        raise Refused(fault)
    late, stored = game.ruleset.course.late_seat, book.kept.game(game.id)
    assert late is not None and stored is not None
    seat, guests = len(stored.names), guests_of(game)
    colours = [taken.colour for taken in game.opening.seats]
    colour = next(each for each in game.ruleset.colours(game.table.sheet) if each not in colours)
    entered = [(club, _person_in_club(book, club, name, key)) for club in _clubs_of(book, game)]
    for club, newcomer in entered:
        season, table = club.games[str(game.id)]
        if club.person(newcomer) in map(club.person, club.season(season).tables[table].played):
            raise Refused(because("sits_already", "{person} has a seat in this game", person=newcomer))
        clubs.preview(book, club.id, RemoveGame(season, table, str(game.id), CONTINUES), by=person)
    players = [
        SeatedPerson(named, taken, "" if known in guests else known)
        for named, taken, known in zip(stored.names, colours, stored.people, strict=True)
    ]
    players.append(SeatedPerson(name, colour, entered[0][1] if entered else ""))
    turns = [*_turns(game, late, seat, points)]
    _try_turns(game, turns, [*colours, colour])
    new = NewGame(
        game.ruleset.id,
        stored.title,
        players,
        game.opening.options,
        _published_hash(book, game),
        recorded=game.opening.recorded,
        played_on=game.opening.played_on,
        public=stored.public,
    )
    new_id = recording.open_game(book, new, by=game.opening.by, key=key).record
    for number, command in enumerate([*turns, Note(0, note)]):
        recording.append_command(book, new_id, command, by=by.by, key=f"{key[:48]}.{number}")
    for club, guest in entered:
        _enter_instead(book, club, game, new_id, guest, name, by=Writer(person), key=key)
    replacing.continue_elsewhere(book, game, new_id, CONTINUES, by=by.by)
    return new_id


def _turns(game: Game, late: LateSeat[Any], seat: Seat, points: Points) -> Iterator[DecideTurn]:
    """Yield the turns of the new record: the standing decisions, between those of the new seat."""
    events = (game.entries[step].event for step in game.line()[1:])
    decisions = [(event.seat, event.decision) for event in events if isinstance(event, DecisionRecorded)]
    to_plain = msgspec.to_builtins
    own = [(seat, to_plain(decision)) for decision in late.before], [(seat, to_plain(late.joins(points)))]
    for decider, group in groupby([*own[0], *decisions, *own[1]], key=lambda pair: pair[0]):
        made = [decision for _, decision in group]
        for start in range(0, len(made), TURN_LIMIT):
            yield DecideTurn(decider, made[start : start + TURN_LIMIT])


def _try_turns(game: Game, turns: list[DecideTurn], colours: list[str]) -> None:
    """Play the turns before anything is written. Raises IllegalDecision."""
    rules = game.ruleset
    board = rules.opening_board(rules.table(colours, game.opening.options, game.table.sheet))
    for turn in turns:
        for decision in turn.decisions:
            board, _ = rules.play(board, turn.seat, rules.decision(decision))


def _published_hash(book: Daybook, game: Game) -> str | None:
    used = game.table.sheet.digest()
    return None if used == book.sheets.printed_sheet(game.ruleset.id).digest() else used


def _person_in_club(book: Daybook, club: Club, name: str, key: str) -> str:
    """Return the person of a club with a name, or the id of a new guest."""
    wanted, names = appearance_key(name), book.kept.names(club.everybody())
    known = [person for person, known_name in names.items() if appearance_key(known_name) == wanted]
    return known[0] if len(known) == 1 else uuid5(club.id, f"late {key}").hex


def _enter_instead(
    book: Daybook, club: Club, game: Game, new_id: UUID, guest: str, name: str, *, by: Writer, key: str
) -> None:
    """Enter the new record at the table of the old one."""
    season, table = club.games[str(game.id)]
    people = [*map(club.person, club.season(season).tables[table].played), guest]
    refuse_strangers(book, club, people, {guest: name})
    clubs.write(book, club.id, RemoveGame(season, table, str(game.id), CONTINUES), by=by, key=f"{key[:48]}.out")
    keeper = Writer(by.by, [Grant("", new_id, "scorekeeper")])
    clubs.write(book, club.id, EnterGame(season, str(new_id), table, tuple(people)), by=keeper, key=f"{key[:48]}.in")
