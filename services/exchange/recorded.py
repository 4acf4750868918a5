"""A recorded game as a play."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from daybook.domain.kernel.events import DecisionRecorded, GameClosed
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.rule_parts import AboutPlay
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.domain.kernel.times import moment_of_play
from daybook.domain.league.plays import Play, PlayedGame, Player

LONGEST_PAUSE = timedelta(hours=3)  # a longer silence is not play time: the game continued another day


def play_of_game(
    game: Game,
    names: Sequence[str],
    people: Sequence[str],
    title: str,
    roles: Sequence[str],
    board: str = "",
    place: str = "",
) -> Play | None:
    """Return a finished game as a play; None for open, abandoned and practice games.

    Args:
        names: by seat.
        people: person ids by seat.
        roles: by seat, for games without roles of their own.
        title: name of the game.
        board: its options.
    """
    closed = _how_it_closed(game)
    if closed is None or game.opening.kind == "practice":
        return None
    scoring = game.ruleset.scoring
    details = AboutPlay(_starting_seat(game)) if scoring.about is None else scoring.about(game.board)
    day = game.day_of_play()
    return Play(
        str(game.id),
        moment_of_play(day) if day else game.opening.at if game.opening.recorded == "live" else closed.at,
        PlayedGame(title, game.game_key, lowest_wins=details.least, points=details.points),
        tuple(
            Player(
                names[seat],
                people[seat],
                **_scored(closed.totals[seat], details, seat),
                place=place_of,
                won=place_of == 1,
                started=seat == details.start,
                role=roles[seat] if scoring.about is None else details.roles[seat],
                team=details.teams[seat] if details.teams else "",
                left_early=bool(details.left_early) and details.left_early[seat],
            )
            for seat, place_of in enumerate(closed.ranks)
            if seat not in details.absent
        ),
        _play_minutes(game),
        place,
        board,
        expansions=details.expansions,
        comments=_left_early(names, details),
        tie_settled=details.tie_settled,
    )


def _scored(total: Points, details: AboutPlay, seat: Seat) -> dict[str, Any]:
    """Return the score of a player, only as a text if it is not compared (left early)."""
    if not details.points:
        return {}
    return {"score_text": str(total)} if details.uncompared and details.uncompared[seat] else {"score": total}


def _left_early(names: Sequence[str], details: AboutPlay) -> str:
    """Return a comment with the players that left early, for formats without a field for it."""
    left = [name for name, has_left in zip(names, details.left_early, strict=False) if has_left]
    return f"Left early: {', '.join(left)}" if left else ""


def _how_it_closed(game: Game) -> GameClosed | None:
    if game.status != "closed":
        return None
    return next(event for entry in reversed(game.entries) if isinstance(event := entry.event, GameClosed))


def _starting_seat(game: Game) -> Seat | None:
    """Return the only seat to decide first; None if several could."""
    for step in game.line():
        event = game.entries[step].event
        if isinstance(event, DecisionRecorded) and event.seat != TABLE:
            before = game.board_at(game.parents[step])
            return event.seat if game.ruleset.course.to_act(before) == (event.seat,) else None
    return None


def _play_minutes(game: Game) -> int:
    """Return the play time without long pauses; 0 if not recorded live."""
    if game.opening.recorded != "live" or game.day_of_play():
        return 0
    times = [datetime.fromisoformat(game.entries[step].event.at) for step in game.line()]
    spans = [later - at for at, later in pairwise(times)]
    played = sum((span for span in spans if timedelta(0) < span <= LONGEST_PAUSE), timedelta(0))
    return round(played / timedelta(minutes=1))
