"""Lines of a bare file: what happened, one command a line, as a person or another program writes it.

A line is an object with the word for what happened and its fields, `{"note": {"about": 3, "text": "begun"}}`; a
decision stands in it with its seat, `{"seat": 0, "decision": {...}}`, and `as_played` beside it where it stood against
the rules. Around it may stand steps that the entry belongs to, and when and by whom it was written down.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, get_args

import msgspec

from daybook.domain.commands import LINKS, Decide, Line, PlayAsItStood, Say
from daybook.domain.kernel.errors import PLACED, Fault, fault, unread
from daybook.domain.kernel.events import OF_WRITING
from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.unique_keys import decode_json
from daybook.services.files.recordfile.headers import ENCODER
from daybook.services.files.recordfile.lines import BadFile, naming_line
from daybook.services.files.validate import Misfit, check_plain, check_time

COMMANDS: dict[str, type[Line]] = {tag_of(command): command for command in get_args(Line)}
KINDS = tuple(word for word in COMMANDS if word != "as_played")


class BareLine(Frozen):
    """A line: what happened, and who wrote it down when, where it says so. step: the line's number less one."""

    command: Line
    step: int | None = None
    at: str | None = None
    by: str | None = None


class Around(Exact):
    """carried_from, corrects, answers: steps, as in a full file; a take-back has the last alone, an adjustment the
    first and the last, and a decision all. drawn: Daybook drew this fact of the table.

    step: the line's number less one, if it is written at all. at, by: when and by whom it was written down.
    """

    carried_from: int | None = None
    corrects: int | None = None
    answers: int | None = None
    drawn: bool = False
    step: int | None = None
    at: str | None = None
    by: str | None = None


WORDS = ("seat", *KINDS, "as_played", *Around.__struct_fields__)


# --- reading ---------------------------------------------------------------------------------------------------------


def read_bare_line(number: int, line: bytes) -> BareLine:
    """One line of a bare file, or one that is to be written next (0). What is null is as good as left out.

    Raises BadFile.
    """
    with naming_line(number):
        given: dict[str, Any] = decode_json(line, dict[str, Any])
    read = _read_given(number, given)
    with naming_line(number):
        check_plain(given)
    return read


def _read_given(number: int, given: Mapping[str, Any]) -> BareLine:
    """Raises BadFile."""
    for name in given:
        if name not in WORDS:
            raise BadFile(number, "there is no field '{field}'", field=name)
    said = {name: value for name, value in given.items() if value is not None}
    kinds = [word for word in KINDS if word in said]
    if len(kinds) != 1:
        raise BadFile(number, "a line is one of: decision (with seat), {others}", others=", ".join(KINDS[1:]))
    if ("seat" in said) != (kinds == ["decision"]):
        raise BadFile(number, "a decision has a seat, and nothing else has one")
    if "as_played" in said and kinds != ["decision"]:
        raise BadFile(number, "only a decision is as_played")
    around = _convert(number, {name: said[name] for name in Around.__struct_fields__ if name in said}, Around)
    if number and around.step is not None and around.step != number - 1:
        raise BadFile(
            number, "it says step {given}; line {line} is step {step}", given=around.step, line=number, step=number - 1
        )
    place = {name: said[name] for name in (*LINKS, "drawn") if name in said}
    if kinds == ["aside"]:
        return _aside_line(number, said["aside"], around, place)
    return BareLine(_command(number, kinds[0], said, place), around.step, around.at, around.by)


def check_next(line: BareLine, step: int, dated: bool) -> None:
    """Checks the step and time of a bare line.

    Raises Misfit for another step than the next one, or when it was written where the clock says it. dated: the line
    itself may say it.
    """
    if line.step is not None and line.step != step:
        raise Misfit("it says step {step}, but it is in the place of step {place}", step=line.step, place=step)
    if line.at is not None and not dated:
        raise Misfit("at: the clock says when it is written down; leave it out")
    if line.at is not None:
        check_time(line.at)


def _command(number: int, kind: str, said: Mapping[str, Any], place: Mapping[str, Any]) -> Line:
    """Raises BadFile."""
    outer: dict[str, Any] = dict(place)
    inner = said[kind]
    if kind == "decision":
        outer |= {"seat": said["seat"], "decision": inner}
        kind, inner = "as_played" if "as_played" in said else "decision", said.get("as_played", {})
    command = COMMANDS[kind]
    inner = _convert(number, inner, dict[str, Any], kind)
    for name in inner:
        if name in outer or name not in command.__struct_fields__ or name in LINKS:
            raise BadFile(number, "{place}: {wrong}", place=kind, wrong=_no_field(name))
    for name in place:
        if name not in command.__struct_fields__:
            raise BadFile(number, "{wrong}", wrong=_no_field(name))
    made: Line = _convert(number, {**outer, **inner}, command, kind, outer)
    return made


def _aside_line(number: int, given: Any, around: Around, place: Mapping[str, Any]) -> BareLine:
    """An entry as it stands in a full file may say itself who wrote it when; its key and its secret are made anew."""
    said = _convert(number, given, dict[str, Any], "aside")
    for name in place:
        raise BadFile(number, "{wrong}", wrong=_no_field(name))
    own = _convert(number, {name: said[name] for name in ("at", "by") if name in said}, Around, "aside")
    said = {name: value for name, value in said.items() if name not in OF_WRITING}
    return BareLine(Say(said), around.step, own.at or around.at, own.by or around.by)


def _convert(number: int, value: Any, kind: Any, place: str = "", outer: Mapping[str, Any] = {}) -> Any:
    """A value as it should be. place: where it stands in the line, but for the fields of `outer`. Raises BadFile."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as wrong:
        raise BadFile(number, "{wrong}", wrong=_fault_in_line(str(wrong), place, outer)) from wrong


def _fault_in_line(wrong: str, place: str, outer: Mapping[str, Any]) -> Fault:
    """What a reader says is wrong, with its place in the whole line."""
    found = PLACED.fullmatch(wrong)
    says, path = (found[1], found[2] or "") if found else (wrong, "")
    if re.split(r"[.\[]", path)[0] not in outer:
        path = ".".join(part for part in (place, path) if part)
    return fault("{place}: {wrong}", place=path, wrong=unread(says)) if path else unread(says)


def _no_field(name: str) -> Fault:
    return fault("there is no field '{field}'", field=name)


# --- writing ---------------------------------------------------------------------------------------------------------


def encode_line(line: BareLine) -> bytes:
    """A bare line as it is written, without a line end."""
    command = line.command
    fields: dict[str, Any] = msgspec.to_builtins(command)
    kind = fields.pop("command")
    place = {name: fields.pop(name) for name in LINKS if name in fields}
    said: dict[str, Any] = {}
    if isinstance(command, Say):
        said[kind] = fields["said"]
    elif isinstance(command, Decide | PlayAsItStood):
        said |= {"seat": fields.pop("seat"), "decision": fields.pop("decision")}
        said |= {kind: _object(fields)} if isinstance(command, PlayAsItStood) else {}
        said |= {"drawn": True} if isinstance(command, Decide) and command.drawn else {}
    else:
        said[kind] = _object(fields)
    around = {**place, "step": line.step, "at": line.at, "by": line.by}
    return bytes(_object({**said, **{name: value for name, value in around.items() if value is not None}}))


def _object(fields: Mapping[str, Any]) -> msgspec.Raw:
    """An object with its fields in this order, and those of the values within it sorted."""
    return msgspec.Raw(
        b"{" + b",".join(ENCODER.encode(name) + b":" + ENCODER.encode(value) for name, value in fields.items()) + b"}"
    )
