"""A recorded game as a play."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from uuid import UUID

from daybook.domain.kernel.events import DecisionRecorded, GameClosed
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.rule_parts import AboutPlay
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.domain.kernel.times import moment_of_play
from daybook.services.exchange.plays import Play, PlayedGame, Player
from daybook.services.league.clubs import table_of
from daybook.services.store.daybook import Daybook

BREAK = timedelta(hours=3)  # a longer silence is no play: the game went on another day


def play_of_game(
    game: Game,
    names: Sequence[str],
    people: Sequence[str],
    title: str,
    roles: Sequence[str],
    board: str = "",
    place: str = "",
) -> Play | None:
    """A finished game; None while it is played, of one that was given up, and of one that nobody played.

    names, people, roles: by seat, what they are called, their ids, and what tells them apart where the game knows no
    roles. title: what the game is called; board: its options.
    """
    closed = _how_it_closed(game)
    if closed is None or game.opening.kind == "practice":
        return None
    scoring = game.ruleset.scoring
    told = AboutPlay(_who_began(game)) if scoring.about is None else scoring.about(game.board)
    day = game.day_of_play()
    return Play(
        str(game.id),
        moment_of_play(day) if day else game.opening.at if game.opening.recorded == "live" else closed.at,
        PlayedGame(title, game.game_key, least=told.least, points=told.points),
        tuple(
            Player(
                names[seat],
                people[seat],
                score=closed.totals[seat] if told.points else None,
                place=place_of,
                won=place_of == 1,
                start=seat == told.start,
                role=roles[seat] if scoring.about is None else told.roles[seat],
                team=told.teams[seat] if told.teams else "",
            )
            for seat, place_of in enumerate(closed.ranks)
        ),
        _minutes(game),
        place,
        board,
        expansions=told.expansions,
    )


def _how_it_closed(game: Game) -> GameClosed | None:
    if game.status != "closed":
        return None
    return next(event for entry in reversed(game.entries) if isinstance(event := entry.event, GameClosed))


def _who_began(game: Game) -> Seat | None:
    """The seat that alone was to decide first; None where several were at once."""
    for step in game.line():
        event = game.entries[step].event
        if isinstance(event, DecisionRecorded) and event.seat != TABLE:
            before = game.board_at(game.parents[step])
            return event.seat if game.ruleset.course.to_act(before) == (event.seat,) else None
    return None


def _minutes(game: Game) -> int:
    """How long it was played, without long silences; 0 where it was not written down as it was played."""
    if game.opening.recorded != "live" or game.day_of_play():
        return 0
    times = [datetime.fromisoformat(game.entries[step].event.at) for step in game.line()]
    spans = [later - at for at, later in pairwise(times)]
    played = sum((span for span in spans if timedelta(0) < span <= BREAK), timedelta(0))
    return round(played / timedelta(minutes=1))


def where_played(book: Daybook, game_id: UUID, person: str | None) -> str:
    """Where the table of a game met, as a club says of which somebody is a member; empty where none says it."""
    clubs = [club for club in book.clubs.with_game(game_id) if person and club.roles(person)]
    tables = [table for club in clubs if (table := table_of(club, game_id))]
    return next((table.place for table in tables if table.place), "")
