"""Plays as a table, as CSV or pasted out of a spreadsheet: a line for each play or for each player, with a header."""

from __future__ import annotations

import csv
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from daybook.domain.kernel.terms import because
from daybook.domain.league.results import MINUTES_LIMIT, PLAYERS_LIMIT
from daybook.services.csv_files import Cell, of_text, write_csv
from daybook.services.exchange.incoming import (
    COMMENT_SIGNS,
    Incoming,
    NotReadable,
    Spoilt,
    SpoiltRow,
    checked,
    day_of,
    is_yes,
    number_of,
    refuse_many,
    refuse_many_players,
    score_of,
    text_of,
)
from daybook.services.exchange.plays import Play, PlayedGame, Player
from daybook.services.reading_limits import LISTED, TABLE_ROW_LETTERS, read_rows, split_few

COLUMNS = {  # as our own files name them, and as others do
    "play": ("play", "play id", "id"),
    "day": ("day", "date", "played", "played on", "날짜"),
    "game": ("game", "title", "게임"),
    "bgg": ("bgg", "bgg id", "bggid", "objectid"),
    "minutes": ("minutes", "duration", "length", "time", "시간"),
    "place": ("where", "location", "place played", "장소"),
    "board": ("board", "variant", "scenario"),
    "expansions": ("expansions", "expansion", "확장"),
    "comments": ("comments", "comment", "notes", "remarks", "메모"),
    "player": ("player", "name", "플레이어"),
    "players": ("players", "who", "플레이어들"),
    "score": ("score", "points", "점수"),
    "scores": ("scores",),
    "rank": ("rank", "place", "position", "순위"),
    "ranks": ("ranks", "places"),
    "winner": ("winner", "winners", "won", "win", "승자"),
    "start": ("start", "start player", "began", "선"),
    "new": ("new", "new player", "first time"),
    "role": ("role", "color", "colour", "faction"),
    "team": ("team",),
    "together": ("cooperative", "together"),
}
NAMED = {said: column for column, names in COLUMNS.items() for said in names}
HEADER = (
    "play,day,game,bgg,minutes,where,board,expansions,comments,player,score,rank,winner,start,new,role,team,cooperative"
)
WITHIN = re.compile("[;|]")  # between several in one field
COMMA = re.compile(",")
Row = tuple[int, dict[str, str]]  # its line, and its fields by our names


def read(content: bytes) -> Incoming:
    """Raises NotReadable, LimitError."""
    if b"\0" in content:
        raise _no_text()
    lines = read_rows(content, _delimiter(content))
    try:
        numbered = ((n, line) for n, line in enumerate(lines, 1) if any(line))
        names = [NAMED.get(name.strip().casefold(), "") for name in next(numbered, (0, []))[1]]
        if repeated := next((name for name in names if name and names.count(name) > 1), ""):
            raise NotReadable(because("repeated_column", "several columns are “{column}”", column=repeated))
        if "game" not in names or not {"player", "players"} & {*names}:
            raise NotReadable(
                because("no_header", "the first line names the columns: at least game, and player or players")
            )
        rows = [
            (n, {name: of_text(said) for name, said in zip(names, line, strict=False) if name}) for n, line in numbered
        ]
    except UnicodeDecodeError as wrong:
        raise _no_text() from wrong
    except csv.Error as wrong:
        raise NotReadable(because("no_table", "the table breaks off or is none")) from wrong
    if "player" in names:
        return _read_groups(_by_play(rows))
    refuse_many(len(rows))
    return _read_groups([[row] for row in rows])


def _no_text() -> NotReadable:
    return NotReadable(because("no_text", "the file is no text in UTF-8"))


def _delimiter(content: bytes) -> str:
    """Return the sign that separates most columns of the first line."""
    header = content[:TABLE_ROW_LETTERS].strip(b"\xef\xbb\xbf \r\n").split(b"\n")[0]
    return max("\t;,", key=lambda sign: header.count(sign.encode()))


def _by_play(rows: Iterable[Row]) -> list[list[Row]]:
    """The lines of each play: those with one id, or one after the other of one day and game."""
    found = dict[str, list[Row]]()
    for row in rows:
        said = row[1]
        key = said.get("play") or f"{said.get('day')} {said.get('game')} {said.get('place')}"
        found.setdefault(key, []).append(row)
    return [*found.values()]


def _read_groups(groups: Iterable[Sequence[Row]]) -> Incoming:
    found, spoilt, alike = list[Play](), list[SpoiltRow](), Counter[str]()
    for rows in groups:
        try:
            found.append(_play(rows, alike))
        except Spoilt as wrong:
            spoilt.append(SpoiltRow(rows[0][0], wrong.reason))
    return Incoming("table", found, spoilt)


def _play(rows: Sequence[Row], alike: Counter[str]) -> Play:
    row, first = rows[0]
    refuse_many_players(len(rows))
    players = tuple(_player(said) for _, said in rows) if "player" in first else _players(first)
    day, game = day_of(first.get("day")), text_of(first.get("game"))
    id = text_of(first.get("play"))
    if not id:
        told = repr((day, game.casefold(), sorted(map(_told_of, players), key=_in_order)))
        alike[told] += 1
        id = f"table:{hashlib.sha256(f'{told} {alike[told]}'.encode()).hexdigest()[:20]}"
    return checked(
        Play(
            id if ":" in id else f"table:{id}",
            day,
            PlayedGame(game, bgg=number_of(first.get("bgg"), 10**9), together=is_yes(first.get("together"))),
            players,
            number_of(first.get("minutes"), MINUTES_LIMIT),
            text_of(first.get("place")),
            text_of(first.get("board")),
            text_of(first.get("comments"), COMMENT_SIGNS),
            tuple(filter(None, map(text_of, split_few(WITHIN, first.get("expansions", ""), LISTED)))),
            row=row,
        )
    )


def _told_of(one: Player) -> tuple[str, int | None, int | None]:
    return one.name.casefold(), one.score, one.place


def _in_order(told: tuple[str, int | None, int | None]) -> tuple[object, ...]:
    """Two of one name may have a score, and none."""
    name, *numbers = told
    return name, *((number is None, number or 0) for number in numbers)


def _player(said: dict[str, str]) -> Player:
    score, written = score_of(said.get("score"))
    return Player(
        text_of(said.get("player")),
        "",
        score,
        written,
        number_of(said.get("rank"), 99) or None,
        is_yes(said["winner"]) if "winner" in said else None,
        is_yes(said.get("start")),
        is_yes(said.get("new")),
        text_of(said.get("role")),
        text_of(said.get("team")),
    )


def _players(said: dict[str, str]) -> tuple[Player, ...]:
    """Several in one line: their names, and in the same order scores and places; winners by their names."""
    players, within = said["players"].strip(), WITHIN if WITHIN.search(said["players"]) else COMMA
    names = split_few(within, players, PLAYERS_LIMIT)
    refuse_many_players(len(names))
    scores, ranks, won_by = (
        split_few(WITHIN, said.get(column, ""), PLAYERS_LIMIT) for column in ("scores", "ranks", "winner")
    )
    winners = {name.casefold() for name in map(text_of, won_by) if name}
    found = []
    for at, name in enumerate(map(text_of, names)):
        score, written = score_of(scores[at] if at < len(scores) else "")
        place = number_of(ranks[at], 99) if at < len(ranks) else 0
        won = name.casefold() in winners if "winner" in said else None
        found.append(Player(name, "", score, written, place or None, won))
    return tuple(found)


# --- out -------------------------------------------------------------------------------------------------------------


def file_of(plays: list[Play]) -> bytes:
    """Return plays as CSV, with a line for each player."""
    return write_csv(HEADER.split(","), (_line_of(play, player) for play in plays for player in play.players))


def _line_of(play: Play, player: Player) -> list[Cell]:
    return [
        play.id,
        play.at,
        play.game.name,
        play.game.bgg or "",
        play.minutes or "",
        play.place,
        play.board,
        "; ".join(play.expansions),
        play.comments,
        player.name,
        player.score_text or player.score,
        player.place,
        *("yes" if value else "" for value in (player.won, player.start, player.new)),
        player.role,
        player.team,
        "yes" if play.game.together else "",
    ]
