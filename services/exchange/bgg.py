"""BoardGameGeek's plays as XML: read from the answers of its interface, several pages in one file, and written like them.

Whatever declares an entity or a document type is refused before anything of it is read.
"""

from __future__ import annotations

import re
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

import msgspec

from daybook.domain.kernel.terms import because
from daybook.domain.kernel.texts import without_controls
from daybook.domain.league.plays import ANONYMOUS, AUTOMA, Play, PlayedGame, Player, bgg_number
from daybook.domain.league.results import MINUTES_LIMIT, PLAYERS_LIMIT, Uncounted
from daybook.services.exchange.incoming import (
    COMMENT_SIGNS,
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
from daybook.services.reading_limits import XmlLimits

DECLARED = re.compile(rb"<\?xml[^<>]*\?>")
MAX_QUANTITY = 100  # plays of one entry
MARKS: tuple[Uncounted, ...] = ("incomplete", "nowinstats")  # attributes of a play


class _Reader:
    """Takes the elements as they come; a play is made when its element ends."""

    def __init__(self, limits: XmlLimits) -> None:
        self.limits = limits
        self.found: list[Play] = []
        self.spoilt: list[SpoiltRow] = []
        self.row = 0
        self.seen = False
        self.owner: Player | None = None
        self._play: dict[str, str] | None = None
        self._game: dict[str, str] = {}
        self._players: list[dict[str, str]] = []
        self._comments: str | None = None

    def start_element(self, name: str, attributes: dict[str, str]) -> None:
        self.limits.start(attributes)
        match name:
            case "plays":
                self.seen = True
                self.owner = self.owner or _owner_of(attributes)
            case "play":
                if self._play is not None:
                    raise NotReadableError(
                        because("play_in_play", "row {row} is a play within another", row=self.row + 1)
                    )
                self.row += 1
                self._play, self._game, self._players, self._said = attributes, {}, [], ""
                refuse_many(self.row)
            case "item":
                self._game = attributes
            case "player":
                if len(self._players) <= PLAYERS_LIMIT:  # one more shows that they are too many
                    self._players.append(attributes)
            case "comments":
                self._comments = ""

    def add_text(self, text: str) -> None:
        if self._comments is not None and len(self._comments) < 2 * COMMENT_SIGNS:
            self._comments += text

    def end_element(self, name: str) -> None:
        self.limits.end()
        if name == "comments" and self._comments is not None:
            self._said, self._comments = self._comments, None
        if name == "play" and self._play is not None:
            said, self._play = self._play, None
            try:
                refuse_many_players(len(self._players))
                self.found += self._parse_plays(said)
                refuse_many(len(self.found))
            except SpoiltRowError as wrong:
                self.spoilt.append(SpoiltRow(self.row, wrong.reason))

    def _parse_plays(self, attributes: dict[str, str]) -> list[Play]:
        if not attributes.get("id"):
            raise SpoiltRowError(because("no_id", "the play has no id"))
        times = min(max(parse_number(attributes.get("quantity"), MAX_QUANTITY), 1), MAX_QUANTITY)
        play = check_play(
            Play(
                f"bgg:{clean_text(attributes['id'])}",
                parse_day(attributes.get("date")),
                PlayedGame(clean_text(self._game.get("name")), bgg=parse_number(self._game.get("objectid"), 10**9)),
                _seat_players(self._players) or ((self.owner,) if self.owner else ()),
                parse_number(attributes.get("length"), MINUTES_LIMIT),
                clean_text(attributes.get("location")),
                comments=clean_remarks(self._said),
                row=self.row,
                quantity=times,
                uncounted=tuple(mark for mark in MARKS if is_yes(attributes.get(mark))),
            )
        )
        ids = [play.id, *(f"{play.id}.{n}" for n in range(2, times + 1))]
        return [msgspec.structs.replace(play, id=play_id) for play_id in ids]


def _owner_of(attributes: dict[str, str]) -> Player | None:
    """Return the owner of the list: the player of entries without players."""
    account, user_id = clean_text(attributes.get("username")), clean_text(attributes.get("userid"))
    known = user_id not in ("", "0")
    return Player(account, f"bgg:{user_id}" if known else "", account=account) if account else None


def _seat_players(rows: list[dict[str, str]]) -> tuple[Player, ...]:
    """Return the players of a play, with their seats if all have a number of their own."""
    players = [*map(_parse_player, rows)]
    order = [parse_number(row.get("startposition"), 99) for row in rows]
    if len(players) < 2 or len({*order} - {0}) < len(players):
        return tuple(players)
    seated = sorted(range(len(order)), key=order.__getitem__)
    return tuple(msgspec.structs.replace(players[number], seat=seat) for seat, number in enumerate(seated))


def _parse_player(attributes: dict[str, str]) -> Player:
    score, written = parse_score(attributes.get("score"))
    name = clean_text(attributes.get("name")) or clean_text(attributes.get("username"))
    user_id = attributes.get("userid", "0")
    return Player(
        name,
        f"bgg:{user_id}" if user_id not in ("", "0") else "",
        score,
        written,
        None,
        is_yes(attributes.get("win")),
        attributes.get("startposition", "").strip() == "1",
        is_yes(attributes.get("new")),
        clean_text(attributes.get("color")),
        anonymous=not name,
        automa=name.casefold() == AUTOMA.casefold(),
        account=clean_text(attributes.get("username")),
    )


def read_bgg(content: bytes) -> Incoming:
    """Read a BoardGameGeek export. Raises NotReadableError, LimitError."""
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise NotReadableError(
            because("entities", "the file declares entities or a document type, which a list of plays never does")
        )
    reader, parser = _Reader(XmlLimits(content)), expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = reader.start_element, reader.end_element
    parser.CharacterDataHandler = reader.add_text
    try:
        parser.Parse(b"<pages>", False)
        parser.Parse(DECLARED.sub(b"", content.removeprefix(b"\xef\xbb\xbf")), False)
        parser.Parse(b"</pages>", True)
    except expat.ExpatError as wrong:
        raise NotReadableError(because("no_xml", "the file is incomplete, or it is not XML")) from wrong
    if not reader.seen:
        raise NotReadableError(because("no_plays", "the file contains no plays: it is from another program"))
    return Incoming("bgg", reader.found, reader.spoilt, owner=reader.owner)


def write_bgg(plays: list[Play], owner: Player | None = None) -> bytes:
    """Write plays as one file in the format of the BoardGameGeek interface. All its ids are whole numbers.

    Args:
        owner: the person who exports the file. Other programs need the attributes of the list's owner.
    """
    entries = _entries_of(plays)
    head = {
        "username": owner.account if owner else "",
        "userid": _user_number(owner) if owner else "0",
        "total": str(len(entries)),
        "page": "1",
    }
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f"<plays {_format_attributes(head)}>"]
    for number, (play, quantity) in entries.items():
        attributes = {
            "id": str(number),
            "date": play.at[:10] or "0000-00-00",
            "quantity": str(quantity),
            "length": str(play.minutes),
            "incomplete": "1" if "incomplete" in play.uncounted else "0",
            "nowinstats": "1" if {*play.uncounted} - {"incomplete"} else "0",
            "location": play.place,
        }
        lines.append(f"<play {_format_attributes(attributes)}>")
        item = {"name": play.game.name, "objecttype": "thing", "objectid": str(play.game.bgg)}
        lines.append(f'<item {_format_attributes(item)}><subtypes><subtype value="boardgame"/></subtypes></item>')
        if play.comments:
            lines.append(f"<comments>{escape(without_controls(play.comments))}</comments>")
        lines.append(f"<players>{''.join(map(_player_element, play.players))}</players></play>")
    return "\n".join([*lines, "</plays>", ""]).encode()


def _entries_of(plays: list[Play]) -> dict[int, tuple[Play, int]]:
    """Return entries by number; the plays that came from one entry and are still alike are one again."""
    entries = dict[int, tuple[Play, int]]()
    for play in plays:
        play_id = next((bgg_id for bgg_id in (play.id, play.second_id) if bgg_id.startswith("bgg:")), play.id)
        first, _, part = play_id.partition(".")
        number = bgg_number(first)
        entry, quantity = entries.get(number, (None, 0))
        if part and entry is not None and quantity + 1 == parse_number(part, MAX_QUANTITY) and _alike(entry, play):
            entries[number] = entry, quantity + 1
        else:
            entries[bgg_number(play_id)] = play, 1
    return entries


def _alike(first: Play, second: Play) -> bool:
    return msgspec.structs.replace(first, id="", second_id="") == msgspec.structs.replace(second, id="", second_id="")


def _player_element(player: Player) -> str:
    attributes = {
        "username": player.account,
        "userid": _user_number(player),
        "name": player.name or (AUTOMA if player.automa else ANONYMOUS),
        "startposition": str(player.seat + 1) if player.seat is not None else "1" if player.started else "",
        "color": player.role,
        "score": player.score_text or ("" if player.score is None else str(player.score)),
        "new": "1" if player.new else "0",
        "rating": "0",
        "win": "1" if player.won else "0",
    }
    return f"<player {_format_attributes(attributes)}/>"


def _user_number(player: Player) -> str:
    """Return the number of a player's account; 0 if it is unknown."""
    number = player.id.removeprefix("bgg:")
    return number if number != player.id and number.isascii() and number.isdecimal() else "0"


def _format_attributes(attributes: dict[str, str]) -> str:
    return " ".join(f"{name}={quoteattr(value)}" for name, value in attributes.items())
