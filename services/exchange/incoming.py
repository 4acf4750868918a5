"""Parsed import files: readable plays, and the reasons for rejected rows. Nothing is looked up or written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Reason, ReasonedError, because
from daybook.domain.kernel.texts import displayable_part, is_displayable, seen_of
from daybook.domain.league.plays import ANONYMOUS, Play, Player
from daybook.domain.league.results import PLAYERS_LIMIT, SCORE_LIMIT
from daybook.domain.league.scores import read_score
from daybook.services import reading_limits

NAME_SIGNS = 120
COMMENT_SIGNS = 2_000
LINE_BREAK = re.compile("\r\n?|\n|\u2028|\u2029")
BLANK_LINES = re.compile("\n{3,}")
SUM = re.compile(r"\s*[+-]?\d{1,9}(\s*[+-]\s*\d{1,9})*\s*")
DAY = re.compile(r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?)(?:[.:]\d+)?Z?)?")


class NotReadableError(ReasonedError):
    """The file has an unknown format or is too large; nothing is imported."""


class SpoiltRowError(ReasonedError):
    """One row cannot be read; the others can."""


class SpoiltRow(Frozen):
    row: int
    reason: Reason


SkippedKind = Literal["photos", "tags", "score_sheets", "ratings", "rounds", "challenges", "groups"]


class Incoming(Frozen):
    """Contents of a file.

    Args:
        source: "bgstats", "bgg" or "table".
        plays: in the order of the file.
        skipped: number of each kind of content that is not imported.
        deleted: ids of plays that were deleted at the source.
        owner: whose list it is, if the file says so.
        columns: heading of a table -> its meaning, if it was given by hand.
    """

    source: str
    plays: list[Play] = []
    spoilt: list[SpoiltRow] = []
    skipped: dict[SkippedKind, int] = {}
    deleted: tuple[str, ...] = ()
    owner: Player | None = None
    columns: dict[str, str] = {}


def refuse_many(n: int) -> None:
    """Refuse a file that has more plays than are imported at once. Raises NotReadableError."""
    most = reading_limits.PLAYS
    if n > most:
        raise NotReadableError(because("plays_many", "the file has {n} plays: at most {most} at once", n=n, most=most))


def refuse_many_players(n: int) -> None:
    """Refuse a play before its players are read. Raises Spoilt."""
    if n > PLAYERS_LIMIT:
        raise SpoiltRowError(because("seats", "a table has 1 to {most} seats, not {n}", most=PLAYERS_LIMIT, n=n))


def _as_text(value: object) -> str:
    """Return the text of a scalar field; "" for nested values, because converting them could recurse too deeply."""
    return str(value) if isinstance(value, str | int | float) else ""


def clean_text(value: object, limit: int = NAME_SIGNS) -> str:
    """Return displayable text in one line."""
    text = _as_text(value)
    if len(text) > limit or not is_displayable(text):
        text = " ".join(displayable_part(text[: 4 * limit]).split())[:limit]
    return text.strip() if seen_of(text) else ""


def clean_remarks(value: object) -> str:
    """Return displayable text with its line breaks."""
    lines = [clean_text(line, COMMENT_SIGNS) for line in LINE_BREAK.split(_as_text(value)[: 4 * COMMENT_SIGNS])]
    return BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()[:COMMENT_SIGNS].strip()


def parse_day(value: object) -> str:
    """Parse a day with an optional time: 2026-04-18, 2026-04-18T19:30:00; "" if missing. Raises SpoiltRowError."""
    text = clean_text(value)
    if not text or text.startswith("0000"):
        return ""
    match = DAY.fullmatch(text)
    if match is None:
        raise SpoiltRowError(because("no_day", "“{text}” is not a day such as 2026-04-18", text=text[:40]))
    day, hour = match.groups()
    return f"{day}T{hour}:00"[:19] if hour else day


def parse_number(value: object, limit: int) -> int:
    """Parse a whole number from 0 to `limit`; 0 if invalid."""
    text = _as_text(value).strip()
    return min(int(text), limit) if text.isdecimal() and text.isascii() and len(text) < 10 else 0


def parse_score(value: object) -> tuple[int | None, str]:
    """Return a score as a whole number, and its text where that says more: 12+30, 49-46ish."""
    text = clean_text(value)
    if not text:
        return None, ""
    if SUM.fullmatch(text):
        total = sum(int(part.replace(" ", "")) for part in re.findall(r"[+-]?\s*\d+", text))
        if abs(total) <= SCORE_LIMIT:
            return total, "" if text == str(total) else text
    return None, text


def is_yes(value: object) -> bool:
    return value is True or value == 1 or _as_text(value).strip().lower() in ("1", "yes", "true", "y", "x", "*", "예")


def check_play(play: Play) -> Play:
    """Check that a play is complete, and mark anonymous players. Raises SpoiltRowError."""
    if not play.game.name:
        raise SpoiltRowError(because("no_game", "no game is named"))
    if not play.players:
        raise SpoiltRowError(because("seats", "a table has 1 to {most} seats, not {n}", most=PLAYERS_LIMIT, n=0))
    refuse_many_players(len(play.players))
    if any(not player.name and not player.anonymous for player in play.players):
        raise SpoiltRowError(because("no_name", "a player has no name"))
    return msgspec.structs.replace(play, players=tuple(map(_mark_anonymous, play.players)))


def _mark_anonymous(player: Player) -> Player:
    is_anonymous = player.anonymous or player.automa or player.name.casefold() == ANONYMOUS.casefold()
    return msgspec.structs.replace(player, name="", id="", account="", anonymous=True) if is_anonymous else player


def compute_places(play: Play) -> list[int]:
    """Return the place of each player: as given, else by winners and scores; all are second if no one won.

    A lost cooperative play can have first places in a file, which rank those who lost together.
    """
    players = play.players
    if play.game.cooperative and all(player.won is False for player in players):
        return [2] * len(players)
    if play.tie_settled and any(player.won for player in players):
        ranks = [(not player.won, player.place or 0) for player in players]
        return _rank_order(ranks if all(player.place for player in players) else [(lost, 0) for lost, _ in ranks])
    if all(player.place for player in players) and any(player.place == 1 for player in players):
        return _rank_order([player.place or 0 for player in players])
    with_result = [player for player in players if player.won is not None]
    if with_result and not any(player.won for player in players):
        return [2] * len(players)
    scores = [read_score(player.score_text) if player.score is None else player.score for player in players]
    scored = all(score is not None for score in scores)
    if not with_result and not scored:
        return [2] * len(players)
    sign = 1 if play.game.lowest_wins else -1
    order = [
        (not player.won if with_result else False, sign * (score or 0) if scored and not player.won else 0)
        for player, score in zip(players, scores, strict=True)
    ]
    return _rank_order(order)


def _rank_order(order: Sequence[Any]) -> list[int]:
    return [1 + sum(other < value for other in order) for value in order]


def find_oddities(play: Play) -> Iterator[str]:
    """Yield codes of what is odd about a play; it is imported all the same."""
    if 1 not in compute_places(play):
        yield "no_winner"
    if any(player.score_text for player in play.players):
        yield "score_text"
    if not play.at or play.at < "1901":
        yield "no_day"
    if play.game.cooperative:
        yield "cooperative"
    if any(player.team for player in play.players):
        yield "teams"
    if play.quantity > 1:
        yield "quantity"
    if play.uncounted:
        yield "uncounted"
    if play.tie_settled:
        yield "tie_settled"
    if any(player.anonymous for player in play.players):
        yield "anonymous"
