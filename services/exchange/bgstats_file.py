"""BG Stats' export and share files: plays read from one, and one made of plays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from daybook.domain.kernel.terms import because
from daybook.domain.kernel.unique_keys import RepeatedKeyError, decode_json
from daybook.domain.league.plays import ANONYMOUS, AUTOMA, Play, PlayedGame, Player, bgstats_uuid
from daybook.domain.league.results import EXPANSIONS_LIMIT, MINUTES_LIMIT
from daybook.services.exchange.incoming import (
    COMMENT_SIGNS,
    Incoming,
    NotReadableError,
    SkippedKind,
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
from daybook.services.reading_limits import PLAYS_JSON, check_json

Plain = dict[str, Any]
IS_AUTOMA = re.compile(r'"isNpc"\s*:\s*(?:true|1)\b')  # in the JSON text of a player's metaData
AUTOMA_METADATA = '{"isNpc":1}'
SKIPPED_LISTS: dict[str, SkippedKind] = {"playImages": "photos", "tags": "tags"}
SKIPPED_FIELDS: dict[str, SkippedKind] = {"scoresheet": "score_sheets", "rating": "ratings", "rounds": "rounds"}


class Place(NamedTuple):
    name: str
    id: str


class _FileTables(NamedTuple):
    """Games, players and places of a file by their ids; each is read once."""

    games: dict[Any, PlayedGame]
    players: dict[Any, Player]
    places: dict[Any, Place]


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
        {
            number: Place(clean_text(row.get("name")), _foreign_id(row))
            for number, row in _rows_by_id(file.get("locations")).items()
        },
    )
    found, spoilt, skipped = list[Play](), list[SpoiltRow](), Counter[SkippedKind]()
    for row, play in enumerate(file["plays"], 1):
        try:
            found.append(_parse_play(row, play, known))
            skipped.update(_skipped_of(play))
        except SpoiltRowError as wrong:
            spoilt.append(SpoiltRow(row, wrong.reason))
        except (AttributeError, TypeError, ValueError, KeyError):
            spoilt.append(SpoiltRow(row, because("row_odd", "the row has a different form than the others")))
    skipped.update({kind: n for kind in ("challenges", "groups") if (n := len(_list_of(file, kind)))})
    return Incoming("bgstats", found, spoilt, dict(skipped), _deleted_plays(file), _owner_of(file, known.players))


def _list_of(fields: Plain, name: str) -> list[Any]:
    value = fields.get(name)
    return value if isinstance(value, list) else []


def _skipped_of(play: Plain) -> list[SkippedKind]:
    """Return what a play of the file has that is not imported."""
    kinds = [kind for name, kind in SKIPPED_LISTS.items() for _ in _list_of(play, name)]
    return kinds + [kind for name, kind in SKIPPED_FIELDS.items() if play.get(name) not in (None, "", 0, "0", False)]


def _deleted_plays(file: Plain) -> tuple[str, ...]:
    return tuple(
        _foreign_id(row)
        for row in _list_of(file, "deletedObjects")
        if isinstance(row, dict) and clean_text(row.get("type")).casefold() == "play" and row.get("uuid")
    )


def _owner_of(file: Plain, players: dict[Any, Player]) -> Player | None:
    user = file.get("userInfo")
    me = user.get("meRefId") if isinstance(user, dict) else None
    return players.get(me) if isinstance(me, int | str) else None


def _foreign_id(row: Plain) -> str:
    return f"bgstats:{clean_text(row['uuid'])}" if row.get("uuid") else ""


def _rows_by_id(rows: Any) -> dict[Any, Plain]:
    named = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return {entry["id"]: entry for entry in named if isinstance(entry.get("id"), int | str)}


def _parse_game(row: Plain) -> PlayedGame:
    return PlayedGame(
        clean_text(row.get("name")),
        _foreign_id(row),
        parse_number(row.get("bggId"), 10**9),
        lowest_wins=row.get("highestWins") is not None and not is_yes(row["highestWins"]),
        cooperative=is_yes(row.get("cooperative")),
        points=not is_yes(row.get("noPoints")),
        year=parse_number(row.get("bggYear"), 9999),
        teams=is_yes(row.get("usesTeams")),
    )


def _parse_play(row: int, fields: Plain, tables: _FileTables) -> Play:
    game = tables.games.get(fields.get("gameRefId"))
    if game is None:
        raise SpoiltRowError(because("no_game", "no game is named"))
    if not fields.get("uuid"):
        raise SpoiltRowError(because("no_id", "the play has no id"))
    scores = fields.get("playerScores") or []
    refuse_many_players(len(scores))
    players = _seat_players(scores, [_parse_player(score, tables.players) for score in scores])
    place = tables.places.get(fields.get("locationRefId"), Place("", ""))
    bgg = parse_number(fields.get("bggId"), 10**12)
    return check_play(
        Play(
            f"bgstats:{clean_text(fields['uuid'])}",
            parse_day(fields.get("playDate")),
            game,
            _without_untold_teams(players, "usesTeams" not in fields or is_yes(fields["usesTeams"]) or game.teams),
            parse_number(fields.get("durationMin"), MINUTES_LIMIT),
            place.name,
            clean_text(fields.get("board")),
            clean_remarks(fields.get("comments")),
            _expansions(fields, tables.games),
            row=row,
            second_id=f"bgg:{bgg}" if bgg else "",
            uncounted=("ignored",) if is_yes(fields.get("ignored")) else (),
            place_id=place.id,
            tie_settled=is_yes(fields.get("manualWinner")),
        )
    )


def _expansions(fields: Plain, games: dict[Any, PlayedGame]) -> tuple[str, ...]:
    rows = _list_of(fields, "expansionPlays")[:EXPANSIONS_LIMIT]
    named = (games.get(row.get("gameRefId")) for row in rows if isinstance(row, dict))
    return tuple(dict.fromkeys(game.name for game in named if game is not None and game.name))


def _seat_players(rows: Sequence[Plain], players: Sequence[Player]) -> tuple[Player, ...]:
    """Return players in the order of their seats. The app on iOS writes 0 for everyone if no seats are known."""
    order = [parse_number(row.get("seatOrder"), 99) for row in rows]
    if len({*order}) < len(order) or len(order) < 2:
        return tuple(players)
    seated = sorted(range(len(order)), key=order.__getitem__)
    return tuple(msgspec.structs.replace(players[number], seat=seat) for seat, number in enumerate(seated))


def _without_untold_teams(players: Sequence[Player], with_teams: bool) -> tuple[Player, ...]:
    """Return players without teams if the play has none. The app on iOS writes "0" for everyone then."""
    if with_teams and any(player.team not in ("", "0") for player in players):
        return tuple(players)
    return tuple(msgspec.structs.replace(player, team="") for player in players)


def _parse_person(row: Plain) -> Player:
    """Parse a person as a player without a score."""
    anonymous = is_yes(row.get("isAnonymous"))
    return Player(
        "" if anonymous else clean_text(row.get("name")),
        "" if anonymous else _foreign_id(row),
        anonymous=anonymous,
        account="" if anonymous else clean_text(row.get("bggUsername")),
        automa=bool(IS_AUTOMA.search(clean_text(row.get("metaData"), COMMENT_SIGNS))),
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


def write_bgstats(plays: list[Play], at: str, owner: Player | None = None) -> bytes:
    """Write plays as a BG Stats file. Ids of the app are kept; others are made.

    Args:
        at: time of writing.
        owner: the person who exports the file.
    """
    people, games, places = _Ids("player"), _Ids("game"), _Ids("location")
    changed = at[:19].replace("T", " ")
    me = people.number_for(owner.key, owner) if owner is not None else 0
    rows = [_play_row(play, people, games, places, changed) for play in plays]
    return msgspec.json.encode(
        {
            "about": "Daybook",
            "userInfo": {
                "meRefId": me,
                "bggUsername": owner.account if owner is not None else "",
                "exportDate": changed,
                "appVersion": "Daybook",
                "device": "Daybook",
            },
            "players": [
                {
                    "id": number,
                    "uuid": uuid,
                    "name": person.name or (AUTOMA if person.automa else ANONYMOUS),
                    "isAnonymous": person.anonymous and not person.automa,
                    "bggUsername": person.account,
                    "metaData": AUTOMA_METADATA if person.automa else "",
                    "modificationDate": changed,
                }
                for person, number, uuid in people.all()
            ],
            "locations": [
                {"id": number, "uuid": uuid, "name": name, "modificationDate": changed}
                for name, number, uuid in places.all()
            ],
            "games": [_game_row(game, number, uuid, changed) for game, number, uuid in games.all()],
            "plays": rows,
            "tags": [],
            "groups": [],
            "challenges": [],
            "deletedObjects": [],
        }
    )


def _game_row(game: _FiledGame, number: int, uuid: str, changed: str) -> Plain:
    return {
        "id": number,
        "uuid": uuid,
        "name": game.game.name,
        "bggName": game.game.name,
        "bggId": game.game.bgg,
        "bggYear": game.game.year,
        "cooperative": game.game.cooperative,
        "highestWins": not game.game.lowest_wins,
        "noPoints": not game.game.points,
        "usesTeams": game.game.teams,
        "isBaseGame": int(not game.is_expansion),  # other programs compare these two with 1
        "isExpansion": int(game.is_expansion),
        "copies": [],
        "modificationDate": changed,
    }


class _FiledGame(NamedTuple):
    game: PlayedGame
    is_expansion: bool


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
    place_key = play.place_id or play.place
    row: Plain = {
        "uuid": bgstats_uuid("play", play.id),
        "modificationDate": changed,
        "entryDate": changed,
        "playDate": f"{play.at.replace('T', ' ')} 00:00:00"[:19] if play.at else "1900-01-01 00:00:00",
        "durationMin": play.minutes,
        "ignored": bool(play.uncounted),
        "manualWinner": play.tie_settled,
        "usesTeams": any(player.team for player in play.players),
        "rounds": 0,
        "rating": 0,
        "gameRefId": games.number_for(play.game.id or play.game.name, _FiledGame(play.game, is_expansion=False)),
        "locationRefId": places.number_for(place_key, play.place) if play.place else 0,
        "board": play.variant,
        "comments": play.comments,
        "expansionPlays": [
            {"gameRefId": games.number_for(f"expansion {name}", _FiledGame(PlayedGame(name), is_expansion=True))}
            for name in play.expansions
        ],
        "tags": [],
        "playImages": "",
        "playerScores": [
            {
                "playerRefId": people.number_for(_person_key(player), player),
                "score": player.score_text or ("" if player.score is None else str(player.score)),
                "winner": bool(player.won),
                "newPlayer": player.new,
                "startPlayer": player.started,
                "rank": _rank_of(play, player),
                "seatOrder": player.seat or 0,
                "role": player.role,
                "team": player.team,
                "metaData": AUTOMA_METADATA if player.automa else "",
            }
            for player in play.players
        ],
    }
    return row | ({"bggId": int(bgg)} if bgg.isdecimal() else {})


def _person_key(player: Player) -> str:
    if player.automa:
        return "automa"
    return "" if player.anonymous else player.key


def _rank_of(play: Play, player: Player) -> int:
    """Return the rank as the app has it: after a settled tie, all tied players are first."""
    tied = {winner.score for winner in play.players if winner.won and winner.score is not None}
    return 1 if play.tie_settled and player.score in tied else player.place or 0
