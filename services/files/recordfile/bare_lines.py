"""Lines of a bare file: one command per line, written by a person or another program.

A line is an object with the command's word and fields: `{"note": {"about_step": 3, "text": "begun"}}`. A decision has its
seat: `{"seat": 0, "decision": {...}}`, and `as_played` if it was kept against the rules. It may also name related
steps, time and author.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, get_args

import msgspec

from daybook.domain.commands import LINKS, AddEntry, Decide, Line, RecordAsPlayed
from daybook.domain.kernel.errors import PLACED, Fault, fault, unread
from daybook.domain.kernel.events import OF_WRITING
from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.unique_keys import decode_json
from daybook.services.files.recordfile.headers import ENCODER
from daybook.services.files.recordfile.lines import BadFileError, line_errors
from daybook.services.files.validate import MisfitError, check_plain, check_time

COMMANDS: dict[str, type[Line]] = {tag_of(command): command for command in get_args(Line)}
KINDS = tuple(word for word in COMMANDS if word != "as_played")


class BareLine(Frozen):
    """Parsed line of a bare file.

    Args:
        step: number of the line minus one, if given.
        at: time, if given.
        by: author, if given.
    """

    command: Line
    step: int | None = None
    at: str | None = None
    by: str | None = None


class LineFields(Exact):
    """Optional fields next to the command.

    Args:
        copied_from_step: a step, as in a full file; for decisions and adjustments.
        corrects_step: a step; for decisions.
        answers_step: a step; for decisions, adjustments and take-backs.
        drawn_by_daybook: Daybook drew this fact of the table.
        step: number of the line minus one.
        at: time of writing.
        by: author.
    """

    copied_from_step: int | None = None
    corrects_step: int | None = None
    answers_step: int | None = None
    drawn_by_daybook: bool = False
    step: int | None = None
    at: str | None = None
    by: str | None = None


WORDS = ("seat", *KINDS, "as_played", *LineFields.__struct_fields__)


# --- reading ---------------------------------------------------------------------------------------------------------


def read_bare_line(number: int, line: bytes) -> BareLine:
    """Parse a line of a bare file, or one that is to be written next (number 0). Null fields count as missing."""
    with line_errors(number):
        given: dict[str, Any] = decode_json(line, dict[str, Any])
    read = _parse_fields(number, given)
    with line_errors(number):
        check_plain(given)
    return read


def _parse_fields(number: int, given: Mapping[str, Any]) -> BareLine:
    """Parse the fields of a line. Raises BadFileError."""
    for name in given:
        if name not in WORDS:
            raise BadFileError(number, "there is no field '{field}'", field=name)
    present = {name: value for name, value in given.items() if value is not None}
    kinds = [word for word in KINDS if word in present]
    if len(kinds) != 1:
        raise BadFileError(number, "a line is one of: decision (with seat), {others}", others=", ".join(KINDS[1:]))
    if ("seat" in present) != (kinds == ["decision"]):
        raise BadFileError(number, "a decision has a seat, and nothing else has one")
    if "as_played" in present and kinds != ["decision"]:
        raise BadFileError(number, "only a decision is as_played")
    around = _convert(
        number, {name: present[name] for name in LineFields.__struct_fields__ if name in present}, LineFields
    )
    if number and around.step is not None and around.step != number - 1:
        raise BadFileError(
            number, "it says step {given}; line {line} is step {step}", given=around.step, line=number, step=number - 1
        )
    place = {name: present[name] for name in (*LINKS, "drawn_by_daybook") if name in present}
    if kinds == ["entry"]:
        return _entry_line(number, present["entry"], around, place)
    return BareLine(_build_command(number, kinds[0], present, place), around.step, around.at, around.by)


def check_next(line: BareLine, step: int, dated: bool) -> None:
    """Check the step and time of a bare line. Raises MisfitError.

    Args:
        dated: the line may have a time; otherwise the clock sets it.
    """
    if line.step is not None and line.step != step:
        raise MisfitError("it says step {step}, but it is in the place of step {place}", step=line.step, place=step)
    if line.at is not None and not dated:
        raise MisfitError("at: the clock says when it is written down; leave it out")
    if line.at is not None:
        check_time(line.at)


def _build_command(number: int, kind: str, fields: Mapping[str, Any], place: Mapping[str, Any]) -> Line:
    """Build the command of a line. Raises BadFileError."""
    outer: dict[str, Any] = dict(place)
    inner = fields[kind]
    if kind == "decision":
        outer |= {"seat": fields["seat"], "decision": inner}
        kind, inner = "as_played" if "as_played" in fields else "decision", fields.get("as_played", {})
    command = COMMANDS[kind]
    inner = _convert(number, inner, dict[str, Any], kind)
    for name in inner:
        if name in outer or name not in command.__struct_fields__ or name in LINKS:
            raise BadFileError(number, "{place}: {wrong}", place=kind, wrong=_no_field(name))
    for name in place:
        if name not in command.__struct_fields__:
            raise BadFileError(number, "{wrong}", wrong=_no_field(name))
    made: Line = _convert(number, {**outer, **inner}, command, kind, outer)
    return made


def _entry_line(number: int, given: Any, around: LineFields, place: Mapping[str, Any]) -> BareLine:
    """Parse an entry as in a full file; it may name author and time, but gets a new key and nonce."""
    fields = _convert(number, given, dict[str, Any], "entry")
    for name in place:
        raise BadFileError(number, "{wrong}", wrong=_no_field(name))
    own = _convert(number, {name: fields[name] for name in ("at", "by") if name in fields}, LineFields, "entry")
    fields = {name: value for name, value in fields.items() if name not in OF_WRITING}
    return BareLine(AddEntry(fields), around.step, own.at or around.at, own.by or around.by)


def _convert(number: int, value: Any, kind: Any, place: str = "", outer: Mapping[str, Any] = {}) -> Any:
    """Convert a value to a type.

    Args:
        place: path in the line, except for the fields of `outer`.

    Raises BadFileError.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as wrong:
        raise BadFileError(number, "{wrong}", wrong=_fault_in_line(str(wrong), place, outer)) from wrong


def _fault_in_line(error: str, place: str, outer: Mapping[str, Any]) -> Fault:
    """Return a parser's message with its place in the whole line."""
    match = PLACED.fullmatch(error)
    says, path = (match[1], match[2] or "") if match else (error, "")
    if re.split(r"[.\[]", path)[0] not in outer:
        path = ".".join(part for part in (place, path) if part)
    return fault("{place}: {wrong}", place=path, wrong=unread(says)) if path else unread(says)


def _no_field(name: str) -> Fault:
    return fault("there is no field '{field}'", field=name)


# --- writing ---------------------------------------------------------------------------------------------------------


def encode_line(line: BareLine) -> bytes:
    """Encode a bare line, without a line end."""
    command = line.command
    fields: dict[str, Any] = msgspec.to_builtins(command)
    kind = fields.pop("command")
    place = {name: fields.pop(name) for name in LINKS if name in fields}
    encoded: dict[str, Any] = {}
    if isinstance(command, AddEntry):
        encoded[kind] = fields["entry"]
    elif isinstance(command, Decide | RecordAsPlayed):
        encoded |= {"seat": fields.pop("seat"), "decision": fields.pop("decision")}
        encoded |= {kind: _encode_object(fields)} if isinstance(command, RecordAsPlayed) else {}
        encoded |= {"drawn_by_daybook": True} if isinstance(command, Decide) and command.drawn_by_daybook else {}
    else:
        encoded[kind] = _encode_object(fields)
    around = {**place, "step": line.step, "at": line.at, "by": line.by}
    return bytes(_encode_object({**encoded, **{name: value for name, value in around.items() if value is not None}}))


def _encode_object(fields: Mapping[str, Any]) -> msgspec.Raw:
    """Encode an object with its fields in this order and nested fields sorted."""
    return msgspec.Raw(
        b"{" + b",".join(ENCODER.encode(name) + b":" + ENCODER.encode(value) for name, value in fields.items()) + b"}"
    )
