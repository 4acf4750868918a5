"""Read and write a game as text: a bare file in words, which a person can read, correct, and enter again.

# game: Making Profit                 the opening, before the first decision
# seat: Anna (red)
# seat: Ben (blue)
# option: hands=hidden
Anna: develop M1                      a decision, in the words on its button, as short as possible
Ben: run; end the turn
note the rain began                   about the last decision
~ Ben: run                            a decision that was struck out later: without these lines, the game as it stands
* claim raised: about step 3, seat "Ben"    any other line of a bare file, in words
{"takeback":{"to":3}}                 the same as it is in a bare file
# by: Anna                            the author of the following lines
correct the board: Ben’s money 7      to continue after decisions that were not written down
# anything else                       a remark
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
from daybook.web.words.line_in_words import read_in_words, write_in_words
from daybook.web.words.say import N_, Names, Texts, say, seat_name
from daybook.web.words.typed import split_pieces
from daybook.web.words.typist import BARE_LINE, REMARK, STRUCK_LINE, Meaning, Sentence, Typist, command_typed, texts_of

ABOUT = re.compile(r"#\s*(\w+)\s*:\s*(.+)")
HEADER_LINES: Texts = {  # a transcript has the English words
    "game": "# game",
    "title": "# title",
    "seat": "# seat",
    "option": "# option",
    "printed": "# printed",
    "kind": "# kind",
    "recorded": "# recorded",
    "played": "# played",
}
AUTHOR_LINE = N_("# by")
MAX_AUTHOR_CHARACTERS = 64  # as in a record


class WrittenGame(Frozen):
    """The part of a text that was read, and where reading stopped."""

    header: BareHeader
    game: Game
    lines: list[bytes]  # read so far, as in a bare file
    left: str = ""  # the rest of the text, from the first unreadable part
    line: int = 0  # number of the unreadable line, from 1
    meaning: Meaning | None = None  # of the unreadable part
    wrong: BadFileError | None = None  # the error of the rules or of the file

    @property
    def bare_file(self) -> bytes:
        return b"".join([recordfile.header_line(self.header), *(line + b"\n" for line in self.lines)])


def is_written(file: bytes) -> bool:
    """Check if a file is a game written as text. Record files begin with an object instead."""
    return file.lstrip().startswith(REMARK.encode())


# --- reading ---------------------------------------------------------------------------------------------------------


def read_game(
    text: str,
    now: str,
    ask: Callable[[int, str, Meaning], Sentence | str | None] = lambda _line, _text, _meaning: None,
    game_id: UUID | None = None,
    limit: int | None = None,
) -> WrittenGame:
    """Play the decisions of a text, up to the first unreadable one or at most `limit`.

    Args:
        ask: (line, text, meaning): the decision that an ambiguous text means, or a text to read instead; None to
    stop.
        game_id: id of the game; by default that of its header.

    Raises BadFileError without a valid header.
    """
    header = msgspec.structs.replace(header_of_text(text), game=game_id)
    reading, lines = BareReading(recordfile.open_bare_game(header, now)), list[bytes]()
    names, authors = [seat.name for seat in header.seats], _authors(text)[::-1]
    for begins, line_text in texts_of(text):
        if len(lines) == limit:
            return WrittenGame(header, reading.game, lines, text[begins:])
        number = text.count("\n", 0, begins) + 1
        meaning, error = None, None
        try:
            typist = typist_of(reading.game, names)
            command = _bare_command(line_text, names) or typist.line_typed(line_text)
            if command is None:
                decision_text, links = _split_links(line_text)
                meaning = typist.read(decision_text, reading.game.board)
                answer = meaning.taken or ask(number, line_text, meaning)
                if isinstance(answer, str):
                    command = typist.line_typed(answer)
                elif answer is not None:
                    command = Decide(answer.seat, dict(answer.decision), **links)
            if command is not None:
                line = BareLine(command, by=next((author for at, author in authors if at < begins), None))
                reading.add_line(number, line, now)
                lines.append(recordfile.encode_line(line))
                continue
        except BadFileError as no:
            error = no
        return WrittenGame(header, reading.game, lines, text[begins:], number, meaning, error)
    return WrittenGame(header, reading.game, lines)


# links of a decision to other steps, as a text has them
LINK_FIELDS = {"copied from": "copied_from_step", "corrects": "corrects_step", "answers": "answers_step"}
DRAWN = "drawn by Daybook"
LINKED = re.compile(r"(.*\S) \(([^()]*)\)")
LINK = re.compile(rf"({'|'.join(LINK_FIELDS)}) step (\d{{1,9}})")


def typist_of(game: Game, names: Names) -> Typist:
    """Return a typist with full sight that may decide for every seat."""
    return Typist(game=game, names=names, sight=EVERYTHING, may=lambda _seat, _kind: True)


def _split_links(text: str) -> tuple[str, dict[str, Any]]:
    """Return a decision's text without the links to other steps at its end, and these as fields."""
    match = LINKED.fullmatch(text)
    parts = match[2].split(", ") if match else []
    links = dict[str, Any]()
    for part in parts:
        if part == DRAWN:
            links["drawn_by_daybook"] = True
        elif (link := LINK.fullmatch(part)) is not None:
            links[LINK_FIELDS[link[1]]] = int(link[2])
        else:
            return text, {}
    return (match[1], links) if match else (text, {})


def _links_text(command: Decide) -> str:
    """Return a decision's links to other steps as text: (corrects step 12)."""
    parts = [
        f"{says} step {step}" for says, field in LINK_FIELDS.items() if (step := getattr(command, field)) is not None
    ]
    parts += [DRAWN] if command.drawn_by_daybook else []
    return f" ({', '.join(parts)})" if parts else ""


def _authors(text: str) -> list[tuple[int, str]]:
    """Return the positions at which the author changes, with the new author."""
    author_line = re.compile(rf"(?:{re.escape(AUTHOR_LINE)}|{re.escape(say(AUTHOR_LINE))})\s*:\s*(\S.*)")
    authors, begins = list[tuple[int, str]](), 0
    for line in text.split("\n"):
        if (match := author_line.fullmatch(line.strip())) is not None:
            authors.append((begins, match[1]))
        begins += len(line) + 1
    return authors


def _bare_command(text: str, names: Names) -> Line | None:
    """Parse a line of a bare file, or a line in words. Raises BadFileError."""
    line = text.encode() if text.startswith(BARE_LINE) else read_in_words(text, names)
    return None if line is None else recordfile.read_bare_line(0, line).command


def header_of_text(text: str) -> BareHeader:
    """Parse the header in the lines before the first decision. Raises BadFileError."""
    values: dict[str, list[tuple[int, str]]] = {}
    keys = {name: name for name in HEADER_LINES} | {
        say(text).removeprefix("# "): name for name, text in HEADER_LINES.items()
    }
    for number, line in enumerate(text.splitlines(), 1):
        match = ABOUT.fullmatch(line.strip())
        if match is not None and match[1] in keys:
            values.setdefault(keys[match[1]], []).append((number, match[2].strip()))
        elif line.strip() and not line.lstrip().startswith(REMARK):
            break
    if "game" not in values or "seat" not in values:
        raise BadFileError(
            1,
            "the game and the players are missing: begin with “{game}”, and a line for each player, “{seat}”",
            game="# game: Making Profit",
            seat="# seat: Anna (red)",
        )
    number, game = values["game"][-1]
    ruleset_id = next(
        (
            known_id
            for known_id in RULESETS
            for title in (known_id, RULESETS[known_id].title, words.game_title(known_id))
            if split_pieces(title) == split_pieces(game)
        ),
        game,
    )
    title = (
        values["title"][-1][1]
        if "title" in values
        else words.game_title(ruleset_id)
        if ruleset_id in RULESETS
        else game
    )
    given: dict[str, Any] = {
        "daybook": BARE_FORMAT,
        "ruleset": ruleset_id,
        "title": title,
        "seats": [_seat(ruleset_id, number, seat) for number, seat in values["seat"]],
        "options": dict(_name_and_value(number, line) for number, line in values.get("option", ())),
        **{name: values[name][-1][1] for name in ("kind", "recorded", "played") if name in values},
    }
    if "printed" in values:
        given["sheet"] = {"overrides": dict(_name_and_value(number, line) for number, line in values["printed"])}
    return recordfile.read_bare_header(msgspec.json.encode(given))


def _seat(ruleset_id: str, number: int, text: str) -> dict[str, str]:
    """Parse a seat of a transcript: name and colour."""
    name, _, colour = text.removesuffix(")").rpartition("(")
    if not text.endswith(")") or not name or not colour or ")" in colour:
        raise BadFileError(number, "a seat is a name and a colour: “{seat}”", seat="# seat: Anna (red)")
    colour = colour.strip()
    colours = RULESETS[ruleset_id].colours(printed_sheet(ruleset_id)) if ruleset_id in RULESETS else ()
    labels = {split_pieces(words.colour_label(ruleset_id, each)): each for each in colours}
    return {"name": name.rstrip(), "colour": labels.get(split_pieces(colour), colour)}


def _name_and_value(number: int, text: str) -> tuple[str, Any]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name:
        raise BadFileError(number, "this is not “name=value”, such as “{example}”", example="hands=hidden")
    try:
        return name, decode_json(value)
    except (msgspec.DecodeError, RecursionError):
        return name, value


# --- writing ---------------------------------------------------------------------------------------------------------


def write_game(
    game: Game, title: str, names: Sequence[str], before: int | None = None, writers: Mapping[str, str] = {}
) -> Iterator[str]:
    """Yield the lines of a game as text. Reading them gives the same record, except for ids and times.

    Args:
        before: the step to stop at; None for the whole game.
        writers: names of authors by id.
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
    struck = {*game.struck_steps(), *game.take_backs}
    if struck:
        yield f"{REMARK} {say('Lines that begin with ~ were struck out later.')}"
    author = "import"  # the default when a text is read
    for (_, document), entry in zip(documents_after(game.entries), game.entries[1:before], strict=False):
        if (next_author := _author(game.writers[entry.step], names, writers)) != author:
            yield f"{AUTHOR_LINE}: {next_author}"
            author = next_author
        mark = f"{STRUCK_LINE} " if entry.step in struck else ""
        yield mark + _line_of(game, entry, names, document)


def _author(by: str, names: Names, writers: Mapping[str, str]) -> str:
    """Return the name of an entry's author, or the role without a name."""
    place, _, person = by.partition("@")
    match numbered_place_of(by):
        case ("seat", seat) if seat < len(names):
            place = names[seat]
    return _one_line(writers.get(person) or place)[:MAX_AUTHOR_CHARACTERS]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _value(value: Any) -> str:
    return (
        value
        if isinstance(value, str) and not value.startswith(("{", "[", '"'))
        else msgspec.json.encode(value).decode()
    )


def _line_of(game: Game, entry: Entry, names: Names, before: Document) -> str:
    """Return an entry as its sentence if that can be read back, else as a line of a bare file in words.

    Args:
        before: the board's document before the entry.
    """
    command = command_of(entry.event)
    match command:
        case Decide():
            label = words.sentence(game.ruleset.id, command.decision, names)
            text = f"{seat_name(command.seat, names)}: {label}{_links_text(command)}"
        case Note():
            text = f"note on {command.about_step}: {command.text}"
        case TakeBack():
            text = f"undo to {command.to_step} ({command.cause})" + (f": {command.why}" if command.why else "")
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
    line = recordfile.encode_line(BareLine(command))
    in_words = write_in_words(line, names)
    return (
        in_words
        if texts_of(in_words) == [(0, in_words)] and _bare_command(in_words, names) == command
        else line.decode()
    )


def _reads_as(game: Game, names: Names, text: str, command: Line, before: Document) -> bool:
    """Check if a text is read as the command on a board."""
    if (typed := command_typed(text, -1)) is not None or not isinstance(command, Decide):
        return typed == command
    text, links = _split_links(text)
    taken = typist_of(game, names).read(text, game.ruleset.typed_board(before, game.table)).taken
    if taken is None or command != Decide(command.seat, command.decision, **links):
        return False
    return (taken.seat, read_decision(game, taken.decision)) == (command.seat, read_decision(game, command.decision))
