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
from daybook.domain.league.results import MINUTES_LIMIT, PLAYERS_LIMIT
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
from daybook.services.reading_limits import XmlLimits

DECLARED = re.compile(rb"<\?xml[^<>]*\?>")
TIMES_LIMIT = 100  # plays of one entry


class _Reader:
    """Takes the elements as they come; a play is made when its element ends."""

    def __init__(self, limits: XmlLimits) -> None:
        self.limits = limits
        self.found: list[Play] = []
        self.spoilt: list[SpoiltRow] = []
        self.row = 0
        self.seen = False
        self._play: dict[str, str] | None = None
        self._game: dict[str, str] = {}
        self._players: list[dict[str, str]] = []
        self._comments: str | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.limits.start(attributes)
        match name:
            case "plays":
                self.seen = True
            case "play":
                if self._play is not None:
                    raise NotReadable(because("play_in_play", "row {row} is a play within another", row=self.row + 1))
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

    def text(self, text: str) -> None:
        if self._comments is not None and len(self._comments) < 2 * COMMENT_SIGNS:
            self._comments += text

    def end(self, name: str) -> None:
        self.limits.end()
        if name == "comments" and self._comments is not None:
            self._said, self._comments = self._comments, None
        if name == "play" and self._play is not None:
            said, self._play = self._play, None
            try:
                refuse_many_players(len(self._players))
                self.found += self._plays(said)
                refuse_many(len(self.found))
            except Spoilt as wrong:
                self.spoilt.append(SpoiltRow(self.row, wrong.reason))

    def _plays(self, said: dict[str, str]) -> list[Play]:
        if not said.get("id"):
            raise Spoilt(because("no_id", "the play has no id"))
        times = min(max(number_of(said.get("quantity"), TIMES_LIMIT), 1), TIMES_LIMIT)
        play = checked(
            Play(
                f"bgg:{text_of(said['id'])}",
                day_of(said.get("date")),
                PlayedGame(text_of(self._game.get("name")), bgg=number_of(self._game.get("objectid"), 10**9)),
                tuple(map(_player, self._players)),
                number_of(said.get("length"), MINUTES_LIMIT),
                text_of(said.get("location")),
                comments=text_of(self._said, COMMENT_SIGNS),
                row=self.row,
                quantity=times,
                incomplete=is_yes(said.get("incomplete")),
                uncounted=is_yes(said.get("nowinstats")),
            )
        )
        ids = [play.id, *(f"{play.id}.{n}" for n in range(2, times + 1))]
        return [msgspec.structs.replace(play, id=id) for id in ids]


def _player(said: dict[str, str]) -> Player:
    score, written = score_of(said.get("score"))
    name = text_of(said.get("name")) or text_of(said.get("username"))
    known = said.get("userid", "0")
    return Player(
        name,
        f"bgg:{known}" if known not in ("", "0") else "",
        score,
        written,
        None,
        is_yes(said.get("win")),
        said.get("startposition", "").strip() == "1",
        is_yes(said.get("new")),
        text_of(said.get("color")),
        anonymous=not name,
    )


def read(content: bytes) -> Incoming:
    """Raises NotReadable, LimitError."""
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise NotReadable(
            because("entities", "the file declares entities or a document type, as no list of plays does")
        )
    reader, parser = _Reader(XmlLimits(content)), expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.CharacterDataHandler = reader.text
    try:
        parser.Parse(b"<pages>", False)
        parser.Parse(DECLARED.sub(b"", content.removeprefix(b"\xef\xbb\xbf")), False)
        parser.Parse(b"</pages>", True)
    except expat.ExpatError as wrong:
        raise NotReadable(because("no_xml", "the file breaks off or is no XML")) from wrong
    if not reader.seen:
        raise NotReadable(because("no_plays", "no plays are in the file: it is of another program"))
    return Incoming("bgg", reader.found, reader.spoilt)


def file_of(plays: list[Play]) -> bytes:
    """These plays, a hundred a page, as the interface gives them in one file."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f'<plays total="{len(plays)}" page="1">']
    for play in plays:
        id = next((id.removeprefix("bgg:") for id in (play.id, play.also) if id.startswith("bgg:")), play.id)
        said = {
            "id": id,
            "date": play.at[:10] or "0000-00-00",
            "quantity": "1",
            "length": str(play.minutes),
            "incomplete": "1" if play.incomplete else "0",
            "nowinstats": "1" if play.uncounted else "0",
            "location": play.place,
        }
        lines.append(f"<play {_attributes(said)}>")
        item = {"name": play.game.name, "objecttype": "thing", "objectid": str(play.game.bgg)}
        lines.append(f'<item {_attributes(item)}><subtypes><subtype value="boardgame"/></subtypes></item>')
        if play.comments:
            lines.append(f"<comments>{escape(without_controls(play.comments))}</comments>")
        lines.append(f"<players>{''.join(map(_player_element, play.players))}</players></play>")
    return "\n".join([*lines, "</plays>", ""]).encode()


def _player_element(one: Player) -> str:
    said = {
        "username": "",
        "userid": one.id.removeprefix("bgg:") if one.id.startswith("bgg:") else "0",
        "name": one.name,
        "startposition": "1" if one.start else "",
        "color": one.role,
        "score": one.score_text or ("" if one.score is None else str(one.score)),
        "new": "1" if one.new else "0",
        "rating": "0",
        "win": "1" if one.won else "0",
    }
    return f"<player {_attributes(said)}/>"


def _attributes(said: dict[str, str]) -> str:
    return " ".join(f"{name}={quoteattr(value)}" for name, value in said.items())
