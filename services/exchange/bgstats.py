"""BG Stats: the address that its app takes a play at."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import msgspec

from daybook.domain.kernel.times import moment_of_play
from daybook.domain.league.plays import Play, Player

CREATE = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Daybook"  # the app remembers matched players by this name, so it is permanent
MAX_COMMENT_CHARACTERS = 300  # a longer address would be cut
ID_CHARACTERS = 12  # unique enough, and short in a QR code


def create_link(play: Play) -> str:
    """Return the link with which the app offers to add a play. It sends nothing by itself."""
    return CREATE + quote(msgspec.json.encode(encode_play(play)), safe=":,")


def encode_play(play: Play) -> dict[str, Any]:
    """Encode a play for the app: booleans are explicit, BoardGameGeek numbers are numeric."""
    game: dict[str, Any] = {
        "name": play.game.name,
        "sourceGameId": play.game.id or play.game.name,
        "highestWins": not play.game.lowest_wins,
        "noPoints": not play.game.points,
    }
    if play.game.bgg:
        game["bggId"] = play.game.bgg
    said: dict[str, Any] = {
        "sourceName": SOURCE,
        "sourcePlayId": play.id,
        "playDate": (play.at if "T" in play.at else moment_of_play(play.at))[:19].replace("T", " "),
        "game": game,
        "players": [_encode_player(player) for player in play.players],
    }
    board = ", ".join(filter(None, (play.variant, *play.expansions)))
    told = {"durationMin": play.minutes, "location": play.place, "board": board}
    return said | {name: value for name, value in told.items() if value} | _encode_comments(play)


def _encode_comments(play: Play) -> dict[str, str]:
    return {"comments": play.comments[:MAX_COMMENT_CHARACTERS]} if play.comments else {}


def _encode_player(player: Player) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "name": player.name,
        "sourcePlayerId": player.id[:ID_CHARACTERS] or player.name,
        "startPlayer": player.started,
        "winner": bool(player.won),
    }
    optional = {"rank": player.place, "role": player.role, "team": player.team}
    if player.score is not None:
        fields["score"] = player.score
    return fields | {name: value for name, value in optional.items() if value}
