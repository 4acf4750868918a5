"""BG Stats' export and share files: plays read from one, and one made of plays."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from daybook.domain.kernel.terms import because
from daybook.domain.kernel.unique_keys import RepeatedKeyError, decode_json
from daybook.domain.league.results import MINUTES_LIMIT
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
from daybook.services.exchange.plays import Play, PlayedGame, Player, uuid_of
from daybook.services.reading_limits import PLAYS_JSON, check_json

Plain = dict[str, Any]


class _Known(NamedTuple):
    """What plays refer to by the ids of the file; read once, however many plays name it."""

    games: dict[Any, PlayedGame]
    players: dict[Any, Player]
    places: dict[Any, str]


def read(content: bytes) -> Incoming:
    """Raises NotReadable, LimitError."""
    check_json(content, PLAYS_JSON)
    try:
        file = decode_json(content)
    except RepeatedKeyError as wrong:
        raise NotReadable(because("repeated_key", "an object has '{name}' more than once", name=wrong.key)) from wrong
    except (msgspec.DecodeError, RecursionError) as wrong:
        raise NotReadable(because("no_json", "the file breaks off or is no JSON")) from wrong
    if not isinstance(file, dict) or not isinstance(file.get("plays"), list):
        raise NotReadable(because("no_plays", "no plays are in the file: it is of another program"))
    refuse_many(len(file["plays"]))
    known = _Known(
        {id: _game(row) for id, row in _by_id(file.get("games")).items()},
        {id: _person(row) for id, row in _by_id(file.get("players")).items()},
        {id: text_of(row.get("name")) for id, row in _by_id(file.get("locations")).items()},
    )
    found, spoilt = list[Play](), list[SpoiltRow]()
    for row, one in enumerate(file["plays"], 1):
        try:
            found.append(_play(row, one, known))
        except Spoilt as wrong:
            spoilt.append(SpoiltRow(row, wrong.reason))
        except (AttributeError, TypeError, ValueError, KeyError):
            spoilt.append(SpoiltRow(row, because("row_odd", "the row is not written as the others are")))
    return Incoming("bgstats", found, spoilt)


def _by_id(rows: Any) -> dict[Any, Plain]:
    named = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return {one["id"]: one for one in named if isinstance(one.get("id"), int | str)}


def _game(one: Plain) -> PlayedGame:
    return PlayedGame(
        text_of(one.get("name")),
        f"bgstats:{text_of(one.get('uuid'))}" if one.get("uuid") else "",
        number_of(one.get("bggId"), 10**9),
        least=one.get("highestWins") is not None and not is_yes(one["highestWins"]),
        together=is_yes(one.get("cooperative")),
        points=not is_yes(one.get("noPoints")),
    )


def _play(row: int, one: Plain, known: _Known) -> Play:
    game = known.games.get(one.get("gameRefId"))
    if game is None:
        raise Spoilt(because("no_game", "no game is named"))
    if not one.get("uuid"):
        raise Spoilt(because("no_id", "the play has no id"))
    scores = one.get("playerScores") or []
    refuse_many_players(len(scores))
    bgg = number_of(one.get("bggId"), 10**12)
    return checked(
        Play(
            f"bgstats:{text_of(one['uuid'])}",
            day_of(one.get("playDate")),
            game,
            tuple(_player(score, known.players) for score in scores),
            number_of(one.get("durationMin"), MINUTES_LIMIT),
            known.places.get(one.get("locationRefId"), ""),
            text_of(one.get("board")),
            text_of(one.get("comments"), COMMENT_SIGNS),
            row=row,
            also=f"bgg:{bgg}" if bgg else "",
            uncounted=is_yes(one.get("ignored")),
        )
    )


def _person(row: Plain) -> Player:
    """Read a person as a player whose score is not known yet."""
    anonymous = is_yes(row.get("isAnonymous"))
    return Player(
        "" if anonymous else text_of(row.get("name")),
        f"bgstats:{text_of(row.get('uuid'))}" if row.get("uuid") and not anonymous else "",
        anonymous=anonymous,
    )


def _player(row: Plain, people: dict[Any, Player]) -> Player:
    score, written = score_of(row.get("score"))
    return msgspec.structs.replace(
        people[row["playerRefId"]],
        score=score,
        score_text=written,
        place=number_of(row.get("rank"), 99) or None,
        won=is_yes(row.get("winner")),
        start=is_yes(row.get("startPlayer")),
        new=is_yes(row.get("newPlayer")),
        role=text_of(row.get("role")),
        team=text_of(row.get("team")),
    )


# --- out -------------------------------------------------------------------------------------------------------------


def file_of(plays: list[Play], at: str) -> bytes:
    """A file of these plays. at: when it is written; ids that the program gave are kept, and others are made."""
    people, games, places = _Ids("player"), _Ids("game"), _Ids("location")
    changed = at[:19].replace("T", " ")
    rows = [_row(play, people, games, places, changed) for play in plays]
    return msgspec.json.encode(
        {
            "about": "Daybook",
            "players": [
                {
                    "id": id,
                    "uuid": uuid,
                    "name": one.name or "Anonymous player",
                    "isAnonymous": one.anonymous,
                    "modificationDate": changed,
                }
                for one, id, uuid in people.all()
            ],
            "locations": [
                {"id": id, "uuid": uuid, "name": name, "modificationDate": changed} for name, id, uuid in places.all()
            ],
            "games": [
                {
                    "id": id,
                    "uuid": uuid,
                    "name": game.name,
                    "bggName": game.name,
                    "bggId": game.bgg,
                    "cooperative": game.together,
                    "highestWins": not game.least,
                    "noPoints": not game.points,
                    "usesTeams": False,
                    "modificationDate": changed,
                }
                for game, id, uuid in games.all()
            ],
            "plays": rows,
        }
    )


class _Ids:
    """Numbers for what is named, in the order in which it comes."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._found: dict[str, tuple[Any, int, str]] = {}

    def of(self, id: str, what: Any) -> int:
        if id not in self._found:
            self._found[id] = what, len(self._found) + 1, uuid_of(self.kind, id)
        return self._found[id][1]

    def all(self) -> list[tuple[Any, int, str]]:
        return [*self._found.values()]


def _row(play: Play, people: _Ids, games: _Ids, places: _Ids, changed: str) -> Plain:
    bgg = next((id.removeprefix("bgg:") for id in (play.id, play.also) if id.startswith("bgg:")), "")
    row: Plain = {
        "uuid": uuid_of("play", play.id),
        "modificationDate": changed,
        "playDate": f"{play.at.replace('T', ' ')} 00:00:00"[:19] if play.at else "1900-01-01 00:00:00",
        "durationMin": play.minutes,
        "ignored": play.uncounted,
        "gameRefId": games.of(play.game.id or play.game.name, play.game),
        "locationRefId": places.of(play.place, play.place) if play.place else 0,
        "board": ", ".join(filter(None, (play.board, *play.expansions))),
        "comments": play.comments,
        "playerScores": [
            {
                "playerRefId": people.of("" if one.anonymous else one.id or one.name, one),
                "score": one.score_text or ("" if one.score is None else str(one.score)),
                "winner": bool(one.won),
                "newPlayer": one.new,
                "startPlayer": one.start,
                "rank": one.place or 0,
                "seatOrder": seat,
                "role": one.role,
                "team": one.team,
            }
            for seat, one in enumerate(play.players)
        ],
    }
    return row | ({"bggId": int(bgg)} if bgg.isdecimal() else {})
