"""Plays as a table, as CSV or pasted out of a spreadsheet, with a header.

A line is a play, with its players in one column or with a column for each player, or it is a player of a play.
"""

from __future__ import annotations

import codecs
import csv
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

import msgspec

from daybook.domain.kernel.terms import because
from daybook.domain.league.plays import ANONYMOUS, AUTOMA, Play, PlayedGame, Player
from daybook.domain.league.results import MINUTES_LIMIT, PLAYERS_LIMIT, Uncounted
from daybook.services.csv_files import Cell, of_text, write_csv
from daybook.services.exchange.incoming import (
    Incoming,
    NotReadableError,
    SpoiltRow,
    SpoiltRowError,
    check_play,
    clean_remarks,
    clean_text,
    is_yes,
    parse_day,
    parse_number,
    parse_score,
    refuse_many,
    refuse_many_players,
)
from daybook.services.exchange.written_days import read_days
from daybook.services.reading_limits import LISTED, TABLE_ROW_LETTERS, read_rows, split_few

COLUMNS = {  # names of our own files and of others
    "play": ("play", "play id", "id", "played game id", "partie"),
    "day": (
        "day",
        "date",
        "played",
        "played on",
        "date played",
        "datum",
        "spieldatum",
        "tag",
        "날짜",
        "일자",
        "플레이 날짜",
    ),
    "game": ("game", "title", "game name", "spiel", "spielname", "게임", "게임명", "게임 이름"),
    "bgg": ("bgg", "bgg id", "bggid", "objectid"),
    "minutes": ("minutes", "duration", "length", "time", "dauer", "minuten", "spielzeit", "시간", "소요 시간"),
    "place": ("where", "location", "place played", "ort", "spielort", "장소"),
    "board": ("board", "variant", "scenario", "variante", "szenario"),
    "expansions": ("expansions", "expansion", "erweiterungen", "erweiterung", "확장"),
    "comments": (
        "comments",
        "comment",
        "notes",
        "remarks",
        "kommentar",
        "kommentare",
        "notizen",
        "bemerkungen",
        "메모",
    ),
    "player": ("player", "name", "player name", "mitspieler", "spielername", "플레이어", "이름"),
    "players": ("players", "who", "spieler", "플레이어들", "참가자"),
    "score": ("score", "points", "points scored", "punkte", "punktzahl", "ergebnis", "점수"),
    "scores": ("scores",),
    "rank": ("rank", "place", "position", "game rank", "platz", "rang", "순위", "등수"),
    "ranks": ("ranks", "places"),
    "winner": ("winner", "winners", "won", "win", "win?", "gewinner", "gewonnen", "sieger", "승자", "승리", "우승"),
    "start": ("start", "start player", "began", "startspieler", "선", "시작"),
    "new": ("new", "new player", "first time", "neu", "처음"),
    "role": ("role", "color", "colour", "faction", "rolle", "farbe", "역할", "색"),
    "team": ("team", "mannschaft", "팀"),
    "together": ("cooperative", "together", "kooperativ", "협력"),
    "seat": ("seat", "sitz", "자리"),
    "lowest": ("lowest wins", "wenigste punkte", "최저 점수 승리"),
    "pointless": ("no scores", "ohne punkte", "점수 없음"),
    "left": ("left early", "früher gegangen", "먼저 나감"),
    "tie": ("tie settled",),
    "uncounted": ("not counted",),
}
PERSON, IGNORED = "person", "ignored"  # the scores of the player in the heading; not read
NO_COLUMNS: Mapping[str, str] = {}
COLUMN_BY_HEADING = {heading: column for column, names in COLUMNS.items() for heading in names}
HEADER = (
    "play,day,game,bgg,minutes,where,board,expansions,comments,player,score,rank,winner,start,new,role,team,cooperative,"
    "seat,lowest wins,no scores,tie settled,not counted,left early"
)
FIELD_SEPARATOR = re.compile("[;|]")  # between several values in one field
LIST_SEPARATOR = re.compile(r"(?<!\\)[;|]")  # between expansions; a backslash keeps a separator that is part of a name
COMMA = re.compile(",")
HANGUL = re.compile("[가-힣]")
WINNER_SIGN = re.compile(r"^[*★✓]+|[*★✓]+$")  # at the score of the winner, in the column of a player
NOT_PLAYED = ("", "-", "–", "—")  # in the column of a player
NumberedRow = tuple[int, dict[str, str]]  # line number, and fields by our names


def read_table(content: bytes, columns: Mapping[str, str] = NO_COLUMNS) -> Incoming:
    """Read a table of plays. Raises NotReadableError, LimitError.

    columns: heading in lower case -> its meaning, if it was given by hand: one of COLUMNS, PERSON or IGNORED.
    """
    content = _to_utf8(content)
    if b"\0" in content:
        raise _no_text()
    lines = read_rows(content, _guess_delimiter(content))
    try:
        numbered = ((n, line) for n, line in enumerate(lines, 1) if any(line))
        header = [name.strip() for name in next(numbered, (0, []))[1]]
        meanings = [columns.get(name.casefold()) or COLUMN_BY_HEADING.get(name.casefold(), "") for name in header]
        names = [meaning if meaning in COLUMNS else "" for meaning in meanings]
        people = {} if {"player", "players"} & {*names} else _people_columns(header, meanings)
        for name, n in Counter(heading.casefold() for heading in people.values()).items():
            if n > 1:
                heading = next(heading for heading in people.values() if heading.casefold() == name)
                raise NotReadableError(
                    because("player_columns", "“{name}” has {n} columns: give each player one", name=heading, n=n)
                )
        if repeated := next((name for name in names if name and names.count(name) > 1), ""):
            raise NotReadableError(because("repeated_column", "several columns are called “{column}”", column=repeated))
        if "game" not in names or not ({"player", "players"} & {*names} or people):
            raise NotReadableError(
                because(
                    "no_header",
                    "the first line names the columns: at least game, and player, players or a column for each player",
                )
            )
        rows = [(n, _read_fields(names, people, line)) for n, line in numbered]
    except UnicodeDecodeError as wrong:
        raise _no_text() from wrong
    except csv.Error as wrong:
        raise NotReadableError(because("no_table", "the table is incomplete, or this is not a table")) from wrong
    days = read_days(row["day"] for _, row in rows if "day" in row)
    for _, row in rows:
        if "day" in row:
            row["day"] = days[row["day"]]
    if "player" in names:
        found = _read_groups(_group_by_play(rows))
    else:
        refuse_many(len(rows))
        found = _read_groups([[row] for row in rows])
    return msgspec.structs.replace(found, columns=dict(columns))


def read_headings(content: bytes, columns: Mapping[str, str] = NO_COLUMNS) -> list[tuple[str, str]]:
    """Return the headings of a table and their meanings, PERSON for an unknown one. Raises as `read_table` does."""
    content = _to_utf8(content)
    try:
        header = next((line for line in read_rows(content, _guess_delimiter(content)) if any(line)), [])
    except (UnicodeDecodeError, csv.Error) as wrong:
        raise _no_text() from wrong
    names = list(dict.fromkeys(name.strip() for name in header if name.strip()))
    return [(name, columns.get(name.casefold()) or COLUMN_BY_HEADING.get(name.casefold(), PERSON)) for name in names]


def _no_text() -> NotReadableError:
    return NotReadableError(because("no_text", "the file is not text"))


def _to_utf8(content: bytes) -> bytes:
    """Return a text in UTF-8, whatever a spreadsheet program saved: UTF-16, Korean (cp949) or Western (cp1252)."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _decode(content, "utf-16") or content
    if _decode(content, "utf-8") is not None:
        return content
    korean = _decode(content, "cp949")
    return korean if korean and HANGUL.search(korean.decode()) else _decode(content, "cp1252") or content


def _decode(content: bytes, encoding: str) -> bytes | None:
    """Decode to UTF-8, or return None if the content has another encoding."""
    try:
        return content.decode(encoding).encode()
    except UnicodeError:
        return None


def _people_columns(header: Sequence[str], meanings: Sequence[str]) -> dict[int, str]:
    """Return the columns with an unknown heading, which is the name of a player."""
    return {at: heading for at, heading in enumerate(header) if heading and meanings[at] in ("", PERSON)}


def _read_fields(names: Sequence[str], people: Mapping[int, str], line: Sequence[str]) -> dict[str, str]:
    """Return the fields of a line by our names. A player with an empty field did not play."""
    fields = {name: of_text(text) for name, text in zip(names, line, strict=False) if name}
    if people:
        scores = {name: of_text(line[at]).strip() for at, name in people.items() if at < len(line)}
        played = {name: score for name, score in scores.items() if score not in NOT_PLAYED}
        won = [name for name, score in played.items() if WINNER_SIGN.search(score)]
        if won and "winner" not in fields:
            fields["winner"] = ";".join(FIELD_SEPARATOR.sub(",", name) for name in won)
            played = {name: WINNER_SIGN.sub("", score).strip() for name, score in played.items()}
        fields["players"], fields["scores"] = (
            ";".join(FIELD_SEPARATOR.sub(",", text) for text in texts) for texts in (played, played.values())
        )
    return fields


def _guess_delimiter(content: bytes) -> str:
    """Return the character that separates most columns of the first line."""
    header = content[:TABLE_ROW_LETTERS].strip(b"\xef\xbb\xbf \r\n").split(b"\n")[0]
    return max("\t;,", key=lambda sign: header.count(sign.encode()))


def _group_by_play(rows: Iterable[NumberedRow]) -> list[list[NumberedRow]]:
    """Group the lines of each play: those with one id, or of one day, game and place.

    Without an id, a player who is named again begins another play.
    """
    groups, newest = list[list[NumberedRow]](), dict[tuple[str, ...], list[NumberedRow]]()
    players = dict[tuple[str, ...], set[str]]()
    for row in rows:
        fields = row[1]
        play_id, player = fields.get("play", ""), fields.get("player", "").casefold()
        key = (play_id,) if play_id else tuple(fields.get(name, "") for name in ("day", "game", "place"))
        if key not in newest or (not play_id and player in players[key]):
            newest[key], players[key] = [], set()
            groups.append(newest[key])
        newest[key].append(row)
        if player != ANONYMOUS.casefold():
            players[key].add(player)
    return groups


def _read_groups(groups: Iterable[Sequence[NumberedRow]]) -> Incoming:
    found, spoilt, alike = list[Play](), list[SpoiltRow](), Counter[str]()
    for rows in groups:
        try:
            found.append(_parse_play(rows, alike))
        except SpoiltRowError as wrong:
            spoilt.append(SpoiltRow(rows[0][0], wrong.reason))
    return Incoming("table", found, spoilt)


def _parse_play(rows: Sequence[NumberedRow], alike: Counter[str]) -> Play:
    row, first = rows[0]
    refuse_many_players(len(rows))
    players = tuple(_parse_player(row) for _, row in rows) if "player" in first else _parse_players(first)
    day, game = parse_day(first.get("day")), clean_text(first.get("game"))
    play_id = clean_text(first.get("play"))
    if not play_id:
        content = content_of(day, game, players)
        alike[content] += 1
        play_id = row_id(content, alike[content])
    return check_play(
        Play(
            play_id if ":" in play_id else f"table:{play_id}",
            day,
            PlayedGame(
                game,
                bgg=parse_number(first.get("bgg"), 10**9),
                lowest_wins=is_yes(first.get("lowest")),
                cooperative=is_yes(first.get("together")),
                points=not is_yes(first.get("pointless")),
            ),
            players,
            parse_number(first.get("minutes"), MINUTES_LIMIT),
            clean_text(first.get("place")),
            clean_text(first.get("board")),
            clean_remarks(first.get("comments")),
            tuple(filter(None, map(_read_item, split_few(LIST_SEPARATOR, first.get("expansions", ""), LISTED)))),
            row=row,
            uncounted=tuple(mark for mark in get_args(Uncounted) if mark in first.get("uncounted", "")),
            tie_settled=is_yes(first.get("tie")),
        )
    )


def _parse_player(fields: dict[str, str]) -> Player:
    score, written = parse_score(fields.get("score"))
    return Player(
        clean_text(fields.get("player")),
        "",
        score,
        written,
        parse_number(fields.get("rank"), 99) or None,
        is_yes(fields["winner"]) if "winner" in fields else None,
        is_yes(fields.get("start")),
        is_yes(fields.get("new")),
        clean_text(fields.get("role")),
        clean_text(fields.get("team")),
        seat=seat - 1 if (seat := parse_number(fields.get("seat"), PLAYERS_LIMIT)) else None,
        automa=clean_text(fields.get("player")).casefold() == AUTOMA.casefold(),
        left_early=is_yes(fields.get("left")),
    )


def _parse_players(fields: dict[str, str]) -> tuple[Player, ...]:
    """Parse several players in one line: names, scores and places in the same order; winners by name."""
    players = fields.get("players", "").strip()
    within = FIELD_SEPARATOR if FIELD_SEPARATOR.search(players) else COMMA
    names = split_few(within, players, PLAYERS_LIMIT)
    refuse_many_players(len(names))
    scores, ranks, won_by = (
        split_few(FIELD_SEPARATOR, fields.get(column, ""), PLAYERS_LIMIT) for column in ("scores", "ranks", "winner")
    )
    winners = {name.casefold() for name in map(clean_text, won_by) if name}
    found = []
    for at, name in enumerate(map(clean_text, names)):
        score, written = parse_score(scores[at] if at < len(scores) else "")
        place = parse_number(ranks[at], 99) if at < len(ranks) else 0
        won = name.casefold() in winners if "winner" in fields else None
        found.append(Player(name, "", score, written, place or None, won))
    return tuple(found)


# --- out -------------------------------------------------------------------------------------------------------------


def file_of(plays: list[Play]) -> bytes:
    """Return plays as CSV, with a line for each player."""
    return write_csv(HEADER.split(","), (_line_of(play, player) for play in plays for player in play.players))


BELOW_ZERO = re.compile(r"-[0-9]{1,9}\.[0-9]{1,3}")  # a number, which is not written as text


def content_of(day: str, game: str, players: Iterable[Player]) -> str:
    """Return what identifies a row without an id; several rows of a file can have the same."""
    return repr((day[:10], game.casefold(), sorted(player.name.casefold() for player in players)))


def row_id(content: str, number: int) -> str:
    """Return the id of a row without an id. number: from 1, among the rows with this content."""
    return f"table:{hashlib.sha256(f'{content} {number}'.encode()).hexdigest()[:20]}"


def _read_item(text: str) -> str:
    """Return one name of a list, with its own separators."""
    return clean_text(re.sub(r"\\([;|])", r"\1", text))


def _line_of(play: Play, player: Player) -> list[Cell]:
    return [
        play.id,
        play.at,
        play.game.name,
        play.game.bgg or "",
        play.minutes or "",
        play.place,
        play.variant,
        "; ".join(FIELD_SEPARATOR.sub(r"\\\g<0>", name) for name in play.expansions),
        play.comments,
        player.name or (AUTOMA if player.automa else ""),
        float(text) if BELOW_ZERO.fullmatch(text := player.score_text) else text or player.score,
        player.place,
        *("yes" if value else "" for value in (player.won, player.started, player.new)),
        player.role,
        player.team,
        "yes" if play.game.cooperative else "",
        "" if player.seat is None else player.seat + 1,
        *("yes" if value else "" for value in (play.game.lowest_wins, not play.game.points, play.tie_settled)),
        "; ".join(play.uncounted),
        "yes" if player.left_early else "",
    ]
