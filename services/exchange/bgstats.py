"""BG Stats: the address that its app takes a play at."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import msgspec

from daybook.domain.kernel.times import moment_of_play
from daybook.services.exchange.plays import Play, Player

CREATE = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Daybook"  # with this and the ids the app remembers whom it matched: it stays
COMMENT_SIGNS = 300  # an address is cut where it grows long
ID_SIGNS = 12  # enough to tell people apart, and short in a code


def create_address(play: Play) -> str:
    """The address at which the app offers to add a play. It sends nothing by itself."""
    return CREATE + quote(msgspec.json.encode(play_as_taken(play)), safe=":,")


def play_as_taken(play: Play) -> dict[str, Any]:
    """A play as the app takes it: yes and no are always said, and a number of BoardGameGeek is a number."""
    game: dict[str, Any] = {
        "name": play.game.name,
        "sourceGameId": play.game.id or play.game.name,
        "highestWins": not play.game.least,
        "noPoints": not play.game.points,
    }
    if play.game.bgg:
        game["bggId"] = play.game.bgg
    said: dict[str, Any] = {
        "sourceName": SOURCE,
        "sourcePlayId": play.id,
        "playDate": (play.at if "T" in play.at else moment_of_play(play.at))[:19].replace("T", " "),
        "game": game,
        "players": [_player_as_taken(player) for player in play.players],
    }
    board = ", ".join(filter(None, (play.board, *play.expansions)))
    told = {"durationMin": play.minutes, "location": play.place, "board": board}
    return said | {name: value for name, value in told.items() if value} | _comments(play)


def _comments(play: Play) -> dict[str, str]:
    return {"comments": play.comments[:COMMENT_SIGNS]} if play.comments else {}


def _player_as_taken(one: Player) -> dict[str, Any]:
    said: dict[str, Any] = {
        "name": one.name,
        "sourcePlayerId": one.id[:ID_SIGNS] or one.name,
        "startPlayer": one.start,
        "winner": bool(one.won),
    }
    told = {"rank": one.place, "role": one.role, "team": one.team}
    if one.score is not None:
        said["score"] = one.score
    return said | {name: value for name, value in told.items() if value}
