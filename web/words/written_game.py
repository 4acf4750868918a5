"""A game that is written as text: a bare file in words, which a person reads, mends, and types in again.

# game: Making Profit                 what opens it, before the first decision
# seat: Anna (red)
# seat: Ben (blue)
# option: hands=hidden
Anna: develop M1                      a decision, in the words on its button, as short as can be told apart
Ben: run; end the turn
note the rain began                   on what was decided last
{"takeback":{"to":3}}                 whatever else a bare file has
# by: Anna                            who wrote what follows
correct the board: Ben’s money 7      after what nobody wrote down
# anything else                       is passed over
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain.commands import Close, Decide, Line, Note, TakeBack, command_of
from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import Document
from daybook.domain.kernel.chronicle import numbered_place_of
from daybook.domain.kernel.decisions import read_decision
from daybook.domain.kernel.events import Entry
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game, documents_after
from daybook.domain.kernel.unique_keys import decode_json
from daybook.services.files import recordfile
from daybook.services.files.recordfile import BARE_FORMAT, BadFileError, BareHeader, BareLine, BareReading
from daybook.services.permissions.sights import EVERYTHING
from daybook.services.store.printed_sheets import printed_sheet
from daybook.web import words
from daybook.web.words.say import N_, Names, Texts, say, seat_name
from daybook.web.words.typed import split_pieces
from daybook.web.words.typist import BARE_LINE, REMARK, Meaning, Sentence, Typist, command_typed, texts_of

ABOUT = re.compile(r"#\s*(\w+)\s*:\s*(.+)")
TELLS: Texts = {  # what opens a game, by the words for it; a transcript has the English ones
    "game": "# game",
    "title": "# title",
    "seat": "# seat",
    "option": "# option",
    "printed": "# printed",
    "kind": "# kind",
    "recorded": "# recorded",
    "played": "# played",
}
BY = N_("# by")  # who wrote what follows
LONGEST_WRITER = 64  # letters of who wrote, as a record takes them


class WrittenGame(Frozen):
    """How far a text was read. lines: what was read, as a bare file has it.

    left: the rest of the text, from what could not be read on; meaning: what that may mean; line: where it stands, from
    1; wrong: why it cannot be, where the rules or the file say so.
    """

    header: BareHeader
    game: Game
    lines: list[bytes]
    left: str = ""
    line: int = 0
    meaning: Meaning | None = None
    wrong: BadFileError | None = None

    @property
    def bare_file(self) -> bytes:
        return b"".join([recordfile.header_line(self.header), *(line + b"\n" for line in self.lines)])


def is_written(file: bytes) -> bool:
    """Whether a file is a game written as text: a record file begins with an object."""
    return file.lstrip().startswith(REMARK.encode())


# --- reading ---------------------------------------------------------------------------------------------------------


def read_game(
    text: str,
    now: str,
    ask: Callable[[int, str, Meaning], Sentence | str | None] = lambda _line, _text, _meaning: None,
    game_id: UUID | None = None,
    most: int | None = None,
) -> WrittenGame:
    """Plays what a text says, one by one, up to what cannot be read, or so many.

    ask: which decision is meant, where a text may mean several or none, or what is read in its place; None:
    nobody says it. game_id: what it is
    called; None: as what opens it has it.
    Raises BadFileError for what opens no game.
    """
    header = msgspec.structs.replace(header_of_text(text), game=game_id)
    reading, lines = BareReading(recordfile.open_bare_game(header, now)), list[bytes]()
    names, writers = [seat.name for seat in header.seats], _writers(text)[::-1]
    for begins, one in texts_of(text):
        if len(lines) == most:
            return WrittenGame(header, reading.game, lines, text[begins:])
        number = text.count("\n", 0, begins) + 1
        meaning, wrong = None, None
        try:
            typist = typist_of(reading.game, names)
            command = _bare_command(one) or typist.line_typed(one)
            if command is None:
                meaning = typist.read(one, reading.game.board)
                said = meaning.taken or ask(number, one, meaning)
                if isinstance(said, str):
                    command = typist.line_typed(said)
                elif said is not None:
                    command = Decide(said.seat, dict(said.decision))
            if command is not None:
                line = BareLine(command, by=next((who for at, who in writers if at < begins), None))
                reading.add_line(number, line, now)
                lines.append(recordfile.encode_line(line))
                continue
        except BadFileError as no:
            wrong = no
        return WrittenGame(header, reading.game, lines, text[begins:], number, meaning, wrong)
    return WrittenGame(header, reading.game, lines)


def typist_of(game: Game, names: Names) -> Typist:
    """Who has the whole game before them, and writes for everybody."""
    return Typist(game=game, names=names, sight=EVERYTHING, may=lambda _seat, _kind: True)


def _writers(text: str) -> list[tuple[int, str]]:
    """Where somebody else begins to write, and who it is."""
    told = re.compile(rf"(?:{re.escape(BY)}|{re.escape(say(BY))})\s*:\s*(\S.*)")
    writers, begins = list[tuple[int, str]](), 0
    for line in text.split("\n"):
        if (found := told.fullmatch(line.strip())) is not None:
            writers.append((begins, found[1]))
        begins += len(line) + 1
    return writers


def _bare_command(text: str) -> Line | None:
    """What a line of a bare file says. Raises BadFileError."""
    return recordfile.read_bare_line(0, text.encode()).command if text.startswith(BARE_LINE) else None


def header_of_text(text: str) -> BareHeader:
    """What opens the game, as the lines before the first decision say it. Raises BadFileError."""
    told: dict[str, list[tuple[int, str]]] = {}
    tells = {name: name for name in TELLS} | {say(text).removeprefix("# "): name for name, text in TELLS.items()}
    for number, line in enumerate(text.splitlines(), 1):
        found = ABOUT.fullmatch(line.strip())
        if found is not None and found[1] in tells:
            told.setdefault(tells[found[1]], []).append((number, found[2].strip()))
        elif line.strip() and not line.lstrip().startswith(REMARK):
            break
    if "game" not in told or "seat" not in told:
        raise BadFileError(
            1,
            "the text does not say who plays what: begin with “{game}”, and a line for each player, “{seat}”",
            game="# game: Making Profit",
            seat="# seat: Anna (red)",
        )
    number, game = told["game"][-1]
    ruleset_id = next(
        (
            id
            for id in RULESETS
            for called in (id, RULESETS[id].title, words.game_title(id))
            if split_pieces(called) == split_pieces(game)
        ),
        game,
    )
    title = (
        told["title"][-1][1] if "title" in told else words.game_title(ruleset_id) if ruleset_id in RULESETS else game
    )
    given: dict[str, Any] = {
        "daybook": BARE_FORMAT,
        "ruleset": ruleset_id,
        "title": title,
        "seats": [_seat(ruleset_id, number, seat) for number, seat in told["seat"]],
        "options": dict(_named(number, one) for number, one in told.get("option", ())),
        **{name: told[name][-1][1] for name in ("kind", "recorded", "played") if name in told},
    }
    if "printed" in told:
        given["sheet"] = {"overrides": dict(_named(number, one) for number, one in told["printed"])}
    return recordfile.read_bare_header(msgspec.json.encode(given))


def _seat(ruleset_id: str, number: int, said: str) -> dict[str, str]:
    name, _, colour = said.removesuffix(")").rpartition("(")
    if not said.endswith(")") or not name or not colour or ")" in colour:
        raise BadFileError(number, "a seat is a name and a colour: “{seat}”", seat="# seat: Anna (red)")
    colour = colour.strip()
    known = RULESETS[ruleset_id].colours(printed_sheet(ruleset_id)) if ruleset_id in RULESETS else ()
    labels = {split_pieces(words.colour_label(ruleset_id, one)): one for one in known}
    return {"name": name.rstrip(), "colour": labels.get(split_pieces(colour), colour)}


def _named(number: int, said: str) -> tuple[str, Any]:
    name, equals, value = (part.strip() for part in said.partition("="))
    if not equals or not name:
        raise BadFileError(number, "this is no “name=value”, such as “{example}”", example="hands=hidden")
    try:
        return name, decode_json(value)
    except (msgspec.DecodeError, RecursionError):
        return name, value


# --- writing ---------------------------------------------------------------------------------------------------------


def write_game(
    game: Game, title: str, names: Sequence[str], before: int | None = None, writers: Mapping[str, str] = {}
) -> Iterator[str]:
    """The lines of a game as text: read again, they come to the same record, but for ids and times.

    before: the step at which it breaks off; None: the whole. writers: what people who wrote are called, by id.
    """
    opening = game.opening
    header = recordfile.build_bare_header(recordfile.build_header(game, title, names), opening.sheet)
    yield f"# game: {words.game_title(header.ruleset)}"
    yield f"# title: {_one_line(title)}"
    for seat in header.seats:
        yield f"# seat: {_one_line(seat.name)} ({seat.colour})"
    for name, value in header.options.items():
        yield f"# option: {name}={_value(value)}"
    for path, value in (header.sheet.overrides if header.sheet else {}).items():
        yield f"# printed: {path}={_value(value)}"
    yield f"# kind: {header.kind}"
    yield f"# recorded: {header.recorded}"
    if day := game.day_of_play():
        yield f"# played: {day}"
    wrote = "import"  # who writes what says no name
    for (_, document), entry in zip(documents_after(game.entries), game.entries[1:before], strict=False):
        if (writer := _writer(game.writers[entry.step], names, writers)) != wrote:
            yield f"{BY}: {writer}"
            wrote = writer
        yield _line_of(game, entry, names, document)


def _writer(by: str, names: Names, writers: Mapping[str, str]) -> str:
    """Who wrote an entry, by name where they have one."""
    place, _, person = by.partition("@")
    match numbered_place_of(by):
        case ("seat", seat) if seat < len(names):
            place = names[seat]
    return _one_line(writers.get(person) or place)[:LONGEST_WRITER]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _value(value: Any) -> str:
    return (
        value
        if isinstance(value, str) and not value.startswith(("{", "[", '"'))
        else msgspec.json.encode(value).decode()
    )


def _line_of(game: Game, entry: Entry, names: Names, before: Document) -> str:
    """An entry in words, where these are read as it again; else as a bare file has it. before: the board's document
    before the entry.
    """
    command = command_of(entry.event)
    match command:
        case Decide():
            label = words.sentence(game.ruleset.id, command.decision, names)
            text = f"{seat_name(command.seat, names)}: {label}"
        case Note():
            text = f"note on {command.about}: {command.text}"
        case TakeBack():
            text = f"undo to {command.to} ({command.cause})" + (f": {command.why}" if command.why else "")
        case Close():
            text = "close the game"
        case _:
            text = ""
    if (
        texts_of(text) == [(0, text)]
        and not text.startswith(BARE_LINE)
        and _reads_as(game, names, text, command, before)
    ):
        return text
    return recordfile.encode_line(BareLine(command)).decode()


def _reads_as(game: Game, names: Names, text: str, command: Line, before: Document) -> bool:
    """Whether a text comes to a command where the board lies so."""
    if (typed := command_typed(text, -1)) is not None or not isinstance(command, Decide):
        return typed == command
    taken = typist_of(game, names).read(text, game.ruleset.typed_board(before, game.table)).taken
    if taken is None or command != Decide(command.seat, command.decision):
        return False
    return (taken.seat, read_decision(game, taken.decision)) == (command.seat, read_decision(game, command.decision))
