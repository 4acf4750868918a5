"""BG Stats' export and share files: plays read from one, and one made of plays."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from daybook.domain.kernel.terms import because
from daybook.domain.kernel.unique_keys import RepeatedKeyError, decode_json
from daybook.domain.league.plays import Play, PlayedGame, Player, bgstats_uuid
from daybook.domain.league.results import MINUTES_LIMIT
from daybook.services.exchange.incoming import (
    COMMENT_SIGNS,
    Incoming,
    NotReadableError,
    SpoiltRow,
    SpoiltRowError,
    check_play,
    clean_text,
    is_yes,
    parse_day,
    parse_number,
    parse_score,
    refuse_many,
    refuse_many_players,
)
from daybook.services.reading_limits import PLAYS_JSON, check_json

Plain = dict[str, Any]


class _FileTables(NamedTuple):
    """Games, players and places of a file by their ids; each is read once."""

    games: dict[Any, PlayedGame]
    players: dict[Any, Player]
    places: dict[Any, str]


def read_bgstats(content: bytes) -> Incoming:
    """Read a BG Stats file. Raises NotReadableError, LimitError."""
    check_json(content, PLAYS_JSON)
    try:
        file = decode_json(content)
    except RepeatedKeyError as wrong:
        raise NotReadableError(
            because("repeated_key", "an object has '{name}' more than once", name=wrong.key)
        ) from wrong
    except (msgspec.DecodeError, RecursionError) as wrong:
        raise NotReadableError(because("no_json", "the file is incomplete, or it is not JSON")) from wrong
    if not isinstance(file, dict) or not isinstance(file.get("plays"), list):
        raise NotReadableError(because("no_plays", "the file contains no plays: it is from another program"))
    refuse_many(len(file["plays"]))
    known = _FileTables(
        {number: _parse_game(row) for number, row in _rows_by_id(file.get("games")).items()},
        {number: _parse_person(row) for number, row in _rows_by_id(file.get("players")).items()},
        {number: clean_text(row.get("name")) for number, row in _rows_by_id(file.get("locations")).items()},
    )
    found, spoilt = list[Play](), list[SpoiltRow]()
    for row, play in enumerate(file["plays"], 1):
        try:
            found.append(_parse_play(row, play, known))
        except SpoiltRowError as wrong:
            spoilt.append(SpoiltRow(row, wrong.reason))
        except (AttributeError, TypeError, ValueError, KeyError):
            spoilt.append(SpoiltRow(row, because("row_odd", "the row is not written as the others are")))
    return Incoming("bgstats", found, spoilt)


def _rows_by_id(rows: Any) -> dict[Any, Plain]:
    named = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return {entry["id"]: entry for entry in named if isinstance(entry.get("id"), int | str)}


def _parse_game(row: Plain) -> PlayedGame:
    return PlayedGame(
        clean_text(row.get("name")),
        f"bgstats:{clean_text(row.get('uuid'))}" if row.get("uuid") else "",
        parse_number(row.get("bggId"), 10**9),
        lowest_wins=row.get("highestWins") is not None and not is_yes(row["highestWins"]),
        cooperative=is_yes(row.get("cooperative")),
        points=not is_yes(row.get("noPoints")),
    )


def _parse_play(row: int, fields: Plain, tables: _FileTables) -> Play:
    game = tables.games.get(fields.get("gameRefId"))
    if game is None:
        raise SpoiltRowError(because("no_game", "no game is named"))
    if not fields.get("uuid"):
        raise SpoiltRowError(because("no_id", "the play has no id"))
    scores = fields.get("playerScores") or []
    refuse_many_players(len(scores))
    bgg = parse_number(fields.get("bggId"), 10**12)
    return check_play(
        Play(
            f"bgstats:{clean_text(fields['uuid'])}",
            parse_day(fields.get("playDate")),
            game,
            tuple(_parse_player(score, tables.players) for score in scores),
            parse_number(fields.get("durationMin"), MINUTES_LIMIT),
            tables.places.get(fields.get("locationRefId"), ""),
            clean_text(fields.get("board")),
            clean_text(fields.get("comments"), COMMENT_SIGNS),
            row=row,
            second_id=f"bgg:{bgg}" if bgg else "",
            uncounted=is_yes(fields.get("ignored")),
        )
    )


def _parse_person(row: Plain) -> Player:
    """Parse a person as a player without a score."""
    anonymous = is_yes(row.get("isAnonymous"))
    return Player(
        "" if anonymous else clean_text(row.get("name")),
        f"bgstats:{clean_text(row.get('uuid'))}" if row.get("uuid") and not anonymous else "",
        anonymous=anonymous,
    )


def _parse_player(row: Plain, people: dict[Any, Player]) -> Player:
    score, written = parse_score(row.get("score"))
    return msgspec.structs.replace(
        people[row["playerRefId"]],
        score=score,
        score_text=written,
        place=parse_number(row.get("rank"), 99) or None,
        won=is_yes(row.get("winner")),
        started=is_yes(row.get("startPlayer")),
        new=is_yes(row.get("newPlayer")),
        role=clean_text(row.get("role")),
        team=clean_text(row.get("team")),
    )


# --- out -------------------------------------------------------------------------------------------------------------


def write_bgstats(plays: list[Play], at: str) -> bytes:
    """Write plays as a BG Stats file. Ids of the app are kept; others are made.

    Args:
        at: time of writing.
    """
    people, games, places = _Ids("player"), _Ids("game"), _Ids("location")
    changed = at[:19].replace("T", " ")
    rows = [_play_row(play, people, games, places, changed) for play in plays]
    return msgspec.json.encode(
        {
            "about": "Daybook",
            "players": [
                {
                    "id": number,
                    "uuid": uuid,
                    "name": person.name or "Anonymous player",
                    "isAnonymous": person.anonymous,
                    "modificationDate": changed,
                }
                for person, number, uuid in people.all()
            ],
            "locations": [
                {"id": number, "uuid": uuid, "name": name, "modificationDate": changed}
                for name, number, uuid in places.all()
            ],
            "games": [
                {
                    "id": number,
                    "uuid": uuid,
                    "name": game.name,
                    "bggName": game.name,
                    "bggId": game.bgg,
                    "cooperative": game.cooperative,
                    "highestWins": not game.lowest_wins,
                    "noPoints": not game.points,
                    "usesTeams": False,
                    "modificationDate": changed,
                }
                for game, number, uuid in games.all()
            ],
            "plays": rows,
        }
    )


class _Ids:
    """Numbers for what is named, in the order in which it comes."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._found: dict[str, tuple[Any, int, str]] = {}

    def number_for(self, key: str, value: Any) -> int:
        if key not in self._found:
            self._found[key] = value, len(self._found) + 1, bgstats_uuid(self.kind, key)
        return self._found[key][1]

    def all(self) -> list[tuple[Any, int, str]]:
        return [*self._found.values()]


def _play_row(play: Play, people: _Ids, games: _Ids, places: _Ids, changed: str) -> Plain:
    bgg = next(
        (play_id.removeprefix("bgg:") for play_id in (play.id, play.second_id) if play_id.startswith("bgg:")), ""
    )
    row: Plain = {
        "uuid": bgstats_uuid("play", play.id),
        "modificationDate": changed,
        "playDate": f"{play.at.replace('T', ' ')} 00:00:00"[:19] if play.at else "1900-01-01 00:00:00",
        "durationMin": play.minutes,
        "ignored": play.uncounted,
        "gameRefId": games.number_for(play.game.id or play.game.name, play.game),
        "locationRefId": places.number_for(play.place, play.place) if play.place else 0,
        "board": ", ".join(filter(None, (play.variant, *play.expansions))),
        "comments": play.comments,
        "playerScores": [
            {
                "playerRefId": people.number_for("" if player.anonymous else player.id or player.name, player),
                "score": player.score_text or ("" if player.score is None else str(player.score)),
                "winner": bool(player.won),
                "newPlayer": player.new,
                "startPlayer": player.started,
                "rank": player.place or 0,
                "seatOrder": seat,
                "role": player.role,
                "team": player.team,
            }
            for seat, player in enumerate(play.players)
        ],
    }
    return row | ({"bggId": int(bgg)} if bgg.isdecimal() else {})
