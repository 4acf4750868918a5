"""What a file of plays brings: the plays that can be read, and of the others the row and why.

Nothing is looked up, and nothing is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Reason, Reasoned, because
from daybook.domain.kernel.texts import displayable_part, is_displayable, seen_of
from daybook.domain.league.results import PLAYERS_LIMIT, SCORE_LIMIT
from daybook.services import reading_limits
from daybook.services.exchange.plays import ANONYMOUS, Play, Player

NAME_SIGNS = 120
COMMENT_SIGNS = 2_000
SUM = re.compile(r"\s*[+-]?\d{1,9}(\s*[+-]\s*\d{1,9})*\s*")
DAY = re.compile(r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?)(?:[.:]\d+)?Z?)?")


class NotReadable(Reasoned):
    """The file is none that is known, or too large: nothing of it is taken."""


class Spoilt(Reasoned):
    """One row cannot be read; the others can."""


class SpoiltRow(Frozen):
    row: int
    reason: Reason


class Incoming(Frozen):
    """source: "bgstats", "bgg" or "table"; plays in the order of the file."""

    source: str
    plays: list[Play] = []
    spoilt: list[SpoiltRow] = []


def refuse_many(n: int) -> None:
    """Refuse a file that has more plays than are imported at once. Raises NotReadable."""
    most = reading_limits.PLAYS
    if n > most:
        raise NotReadable(because("plays_many", "the file has {n} plays; at most {most}", n=n, most=most))


def refuse_many_players(n: int) -> None:
    """Refuse a play before its players are read. Raises Spoilt."""
    if n > PLAYERS_LIMIT:
        raise Spoilt(because("seats", "a table has 1 to {most} seats, not {n}", most=PLAYERS_LIMIT, n=n))


def _said(value: object) -> str:
    """What a field of a file says; nothing where another thing stands there: lists within lists are no text, and to write
    one down can go deeper than reading it did.
    """
    return str(value) if isinstance(value, str | int | float) else ""


def text_of(value: object, most: int = NAME_SIGNS) -> str:
    """A text in one line, of what can be shown."""
    said = _said(value)
    if len(said) > most or not is_displayable(said):
        said = " ".join(displayable_part(said[: 4 * most]).split())[:most]
    return said.strip() if seen_of(said) else ""


def day_of(value: object) -> str:
    """A day, with the hour where it is said: 2026-04-18, 2026-04-18T19:30:00; empty where nobody said it. Raises Spoilt."""
    said = text_of(value)
    if not said or said.startswith("0000"):
        return ""
    found = DAY.fullmatch(said)
    if found is None:
        raise Spoilt(because("no_day", "“{text}” is not a day such as 2026-04-18", text=said[:40]))
    day, hour = found.groups()
    return f"{day}T{hour}:00"[:19] if hour else day


def number_of(value: object, most: int) -> int:
    """A whole number from 0 to `most`; 0 for what is none."""
    said = _said(value).strip()
    return min(int(said), most) if said.isdecimal() and said.isascii() and len(said) < 10 else 0


def score_of(value: object) -> tuple[int | None, str]:
    """A score as a whole number, and as it was written where that says something else: 12+30, 49-46ish."""
    said = text_of(value)
    if not said:
        return None, ""
    if SUM.fullmatch(said):
        total = sum(int(part.replace(" ", "")) for part in re.findall(r"[+-]?\s*\d+", said))
        if abs(total) <= SCORE_LIMIT:
            return total, "" if said == str(total) else said
    return None, said


def is_yes(value: object) -> bool:
    return value is True or value == 1 or _said(value).strip().lower() in ("1", "yes", "true", "y", "x", "*", "예")


def checked(play: Play) -> Play:
    """A play that says what a play must, with who is nobody marked as that. Raises Spoilt."""
    if not play.game.name:
        raise Spoilt(because("no_game", "no game is named"))
    if not play.players:
        raise Spoilt(because("seats", "a table has 1 to {most} seats, not {n}", most=PLAYERS_LIMIT, n=0))
    refuse_many_players(len(play.players))
    if any(not player.name and not player.anonymous for player in play.players):
        raise Spoilt(because("no_name", "somebody has no name"))
    return msgspec.structs.replace(play, players=tuple(map(_marked, play.players)))


def _marked(one: Player) -> Player:
    is_nobody = one.anonymous or one.name.casefold() == ANONYMOUS.casefold()
    return msgspec.structs.replace(one, name="", id="", anonymous=True) if is_nobody else one


def places_of(play: Play) -> list[int]:
    """Everybody's place: as it is said, else winners before the others, and those by their scores. Nobody won: all are
    second.
    """
    players = play.players
    if all(player.place for player in players) and any(player.place == 1 for player in players):
        return _ranked([player.place or 0 for player in players])
    said = [player for player in players if player.won is not None]
    if said and not any(player.won for player in players):
        return [2] * len(players)
    scored = all(player.score is not None for player in players)
    if not said and not scored:
        return [2] * len(players)
    sign = 1 if play.game.least else -1
    order = [
        (not player.won if said else False, sign * (player.score or 0) if scored and not player.won else 0)
        for player in players
    ]
    return _ranked(order)


def _ranked(order: Sequence[Any]) -> list[int]:
    return [1 + sum(other < one for other in order) for one in order]


def oddities(play: Play) -> Iterator[str]:
    """What is odd about a play, by its name: it is taken all the same."""
    if not any(player.won or player.place == 1 for player in play.players):
        yield "no_winner"
    if any(player.score_text for player in play.players):
        yield "score_text"
    if not play.at or play.at < "1901":
        yield "no_day"
    if play.game.together:
        yield "together"
    if any(player.team for player in play.players):
        yield "teams"
    for name in ("quantity", "incomplete", "uncounted"):
        if getattr(play, name) > (name == "quantity"):
            yield name
    if any(player.anonymous for player in play.players):
        yield "anonymous"
