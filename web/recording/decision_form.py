"""Forms for decisions that are too many to list, built from examples, for every game.

A list in such a decision may have parts of several kinds. The form starts with the parts of the first example and
accepts parts of the kinds in all examples.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, get_type_hints

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import deep_copy
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Seat
from daybook.web import words
from daybook.web.recording.choices import ChoiceContext, Plain, full_values, kind_of
from daybook.web.recording.field_types import choices_of, few_values, structs_within
from daybook.web.request.forms import BadTextError, parse_number, parse_value
from daybook.web.words import say
from daybook.web.words.game_words import LaidOut
from daybook.web.words.places import text_of

MAX_PARTS = 40  # of one list
MAX_NUMBER_BUTTONS = 24  # shown side by side
ONLY, NOTHING, MIXED, CONFIRMED = "n.only", "nothing", "mixed", "n.confirmed"  # of forms that ask for one number
PART = re.compile(r"n\.(\w+)\.(\d{1,2})\.type")


class FormValue(Frozen):
    """A value that the form asks for."""

    path: str  # such as "offers.0.silk"
    label: str
    value: Any  # in the example
    of: Seat | None = None
    text: str = ""
    wrong: str = ""
    most: int | None = None  # None if the rules have no maximum
    choices: list[tuple[str, str]] = []  # texts with their labels; empty for any value
    within: str = ""  # the path of its part, such as "effects.0"
    tag: str = ""  # of that part
    part: str = ""  # the label of that part
    seldom: bool = False  # rarely needed now
    note: str = ""  # in few words, such as a price


class SeatNumbers(Frozen):
    """The numbers that the form asks for a seat, without those that must be 0."""

    seat: Seat
    usual: list[FormValue]
    seldom: list[FormValue]  # folded away

    @property
    def told_seldom(self) -> bool:
        """Check if a rarely needed number was entered."""
        return any(leaf.text != "0" for leaf in self.seldom)


class ListPart(Frozen):
    """A kind of part that a list can have."""

    field: str  # of the list
    tag: str
    label: str


class OpenForm(Frozen):
    """The form's values and the parts that can be added."""

    leaves: list[FormValue]
    takes: list[ListPart]
    in_all: int | None = None  # the sum that the numbers must reach
    listed: Plain | None = None  # the fields in the rulebook's list
    mixed: str = ""  # what several numbers above 0 mean; the form then asks which number first
    only: str | None = None  # the path of that number, NOTHING or MIXED
    warned: bool = False  # several numbers were sent, and the viewer has not confirmed them

    @property
    def total(self) -> int:
        """The present sum of the numbers."""
        return sum(parse_number(leaf.text) or 0 for leaf in self.leaves)

    @property
    def wrong(self) -> bool:
        return any(leaf.wrong for leaf in self.leaves)

    @property
    def only_nothing(self) -> str:
        """Reason that nothing is left to choose in an offer; "" if something is."""
        usual = [leaf for leaf in self.leaves if not leaf.seldom]
        if not self.mixed or any(leaf.most != 0 for leaf in usual):
            return ""
        if not any(leaf.most for leaf in self.leaves):
            return say("There are no cards to offer.")
        return say("None of these can be in this hand: {what}.", what=", ".join(leaf.label for leaf in usual))

    @property
    def lacks_number(self) -> str:
        """The text that says what to enter if the viewer has chosen which number and left it empty; "" otherwise."""
        lacking = next((leaf for leaf in self.leaves if leaf.wrong and not leaf.text), None)
        if lacking is None or lacking.path != self.only:
            return ""
        return say("Say how many {what}.", what=lacking.label)

    @property
    def fault(self) -> str:
        """The first reason why the form, as sent, is not a decision; "" for none."""
        if self.warned:
            return self.mixed
        if self.lacks_number:
            return self.lacks_number
        return next(
            (say("{what}: {reason}", what=leaf.label, reason=leaf.wrong) for leaf in self.leaves if leaf.wrong), ""
        )

    @property
    def by_seat(self) -> list[SeatNumbers]:
        """The form as a grid with a row for each seat; empty unless it only has numbers of several seats."""
        if self.takes or any(leaf.of is None or leaf.most is None for leaf in self.leaves):
            return []
        return [
            SeatNumbers(seat, [leaf for leaf in own if not leaf.seldom], [leaf for leaf in own if leaf.seldom])
            for seat in dict.fromkeys(leaf.of for leaf in self.leaves)
            if seat is not None
            for own in [[leaf for leaf in self.leaves if leaf.of == seat and leaf.most]]
        ]


def all_fields(ruleset_id: str, decision: Plain) -> Plain:
    """Return all fields of a decision."""
    fields: Plain = full_values(RULESETS[ruleset_id].decision(decision))
    return {field: value for field, value in fields.items() if field != "type"}


def read_decision_form(
    context: ChoiceContext,
    examples: Sequence[Plain],
    chosen: Plain,
    sent: Mapping[str, str],
    maximums: Mapping[str, int],
    seldom: Callable[[str], bool] = lambda path: False,
    note: Callable[[str], str] = lambda path: "",
    laid_out: LaidOut | None = None,
    mixed: str = "",
) -> tuple[Plain | None, OpenForm]:
    """Return the decision of a sent form, or None if incomplete, and the form with its faults.

    Args:
        examples: of one kind, the first with the initial values.
        chosen: fields that replace those of the example.
        sent: the form's fields, "sent" even if it has none, and "add", "drop" or "change" for taps inside it.
        seldom: checks if a field, by path, is rarely needed.
        note: of a field, by path.
        laid_out: pieces on the table that replace the example.
        mixed: warning about several numbers above 0, which are seldom meant.
    """
    kind = examples[0]["type"]
    parts, sent = example_parts(examples), without_dropped(sent)
    fields = deep_copy(all_fields(context.ruleset_id, {**examples[0], **chosen}))
    if laid_out is not None and not chosen:
        fields |= deep_copy(dict(laid_out.begins))
    with_parts(fields, parts, sent)
    field, _, tag = sent.get("add", "").partition(".")
    added = f"{field}.{len(fields[field]) - 1}" if (field, tag) in parts else None  # its fields are still empty
    begun = bool(chosen or sent)
    only = sent.get(ONLY) if mixed else None
    if only not in (None, MIXED):
        sent = only_number(sent, only, form_values(context, kind, fields, maximums))
    leaves = [
        msgspec.structs.replace(
            leaf,
            text=sent.get(f"n.{leaf.path}", "" if leaf.within == added else leaf.text),
            seldom=seldom(leaf.path),
            note=note(leaf.path),
        )
        for leaf in form_values(context, kind, fields, maximums)
    ]
    for place, leaf in enumerate(leaves):
        try:
            if leaf.choices and leaf.text not in [text for text, _ in leaf.choices]:
                raise BadTextError(words.say("choose one of these"))
            _put_value(fields, leaf.path.split("."), parse_value(leaf.text, leaf.value))
        except BadTextError as bad:
            leaves[place] = msgspec.structs.replace(leaf, wrong=str(bad) if begun and leaf.within != added else "")
    form = OpenForm(leaves, [ListPart(field, tag, words.part_label(context.ruleset_id, tag)) for field, tag in parts])
    if laid_out is not None:
        form = msgspec.structs.replace(form, in_all=laid_out.in_all, listed=laid_out.listed)
    if mixed:
        several = len([leaf for leaf in leaves if parse_number(leaf.text)]) > 1
        warned = several and CONFIRMED not in sent
        form = msgspec.structs.replace(form, mixed=mixed, only=MIXED if several else only, warned=warned)
    if form.warned or form.wrong or not begun or sent.keys() & {"add", "drop", "change"}:
        return None, form
    return {"type": kind, **fields}, form


def only_number(sent: Mapping[str, str], only: str, values: Sequence[FormValue]) -> dict[str, str]:
    """Return the form's fields with one number; the others are 0. Raises ValidationError."""
    if only != NOTHING and only not in [value.path for value in values]:
        raise msgspec.ValidationError(f"{ONLY} is not a number of the form")
    return {f"n.{value.path}": sent.get(f"{ONLY}.{only}", "") if value.path == only else "0" for value in values}


# --- parts of lists ---


def example_parts(examples: Sequence[Plain]) -> dict[tuple[str, str], Plain]:
    """Return the possible parts of a decision's lists, by field and tag."""
    return {
        (field, part["type"]): part
        for example in examples
        for field, value in example.items()
        if isinstance(value, list | tuple)
        for part in value
        if isinstance(part, dict) and "type" in part
    }


def without_dropped(sent: Mapping[str, str]) -> dict[str, str]:
    """Return the form's fields without the dropped part; later parts move up."""
    field, _, dropped = sent.get("drop", "").partition(".")
    place, remaining = parse_number(dropped), {}
    for name, text in sent.items():
        parts = name.split(".")
        if (
            place is not None
            and len(parts) == 4
            and parts[:2] == ["n", field]
            and (at := parse_number(parts[2])) is not None
        ):
            if at == place:
                continue
            parts[2] = str(at - (at > place))
        remaining[".".join(parts)] = text
    return remaining


def with_parts(fields: Plain, parts: Mapping[tuple[str, str], Plain], sent: Mapping[str, str]) -> None:
    """Fill the lists with the parts in the form and the added one."""
    for field in dict.fromkeys(field for field, _ in parts):
        tags = [text for name, text in sent.items() if (match := PART.fullmatch(name)) and match[1] == field]
        within, _, added = sent.get("add", "").partition(".")
        if within == field:
            tags.append(added)
        if tags or "drop" in sent:
            fields[field] = [_require_part(parts, field, tag) for tag in tags[:MAX_PARTS]]


def _require_part(parts: Mapping[tuple[str, str], Plain], field: str, tag: str) -> Plain:
    if (field, tag) not in parts:
        raise msgspec.ValidationError(f"{field} holds no {tag}")
    example: Plain = deep_copy(parts[field, tag])
    return example


# --- leaves ---


def form_values(context: ChoiceContext, kind: str, fields: Plain, maximums: Mapping[str, int]) -> list[FormValue]:
    """Return the values that the form requests."""
    hints = get_type_hints(kind_of(context.ruleset_id, kind))
    labels = context.words.decisions.fields
    values = [
        (path, value)
        for path, value in _plain_values(fields)
        if labels.get(f"{kind}.{path.split('.')[0]}", "") is not None and not path.endswith(".type")
    ]
    return [_form_value(context, kind, fields, hints, path, value, maximums) for path, value in values]


def _form_value(
    context: ChoiceContext,
    kind: str,
    fields: Plain,
    hints: Mapping[str, Any],
    path: str,
    value: Any,
    maximums: Mapping[str, int],
) -> FormValue:
    field, *further = path.split(".")
    part = fields[field][int(further[0])] if len(further) == 2 and isinstance(fields[field], list) else None
    tag = part["type"] if isinstance(part, dict) and "type" in part else ""
    if not tag:
        return FormValue(
            path,
            _field_question(
                context, kind, path, isinstance(fields[field], list) and _seat_of_value(context, fields, path) is None
            ),
            value,
            _seat_of_value(context, fields, path),
            text_of(value),
            most=maximums.get(path),
            choices=choices_of(context, field, few_values(context, field, hints[field])),
        )
    name = further[1]
    values = few_values(context, name, _hint_of(hints[field], tag, name))
    return FormValue(
        path,
        words.field_label(context.ruleset_id, tag, name),
        value,
        text=text_of(value),
        choices=choices_of(context, name, values),
        within=f"{field}.{further[0]}",
        tag=tag,
        part=words.part_label(context.ruleset_id, tag),
    )


def _hint_of(hint: Any, tag: str, name: str) -> Any:
    """Return the type of a field in the kind of part with this tag."""
    (kind,) = (struct for struct in structs_within(hint) if struct.__struct_config__.tag == tag)
    return get_type_hints(kind)[name]


def _plain_values(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every simple value with its path, without None."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _plain_values(part, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _plain_values(part, f"{path}.{place}")
    elif value is not None:
        yield path, value


def _put_value(fields: Any, keys: Sequence[str], value: Any) -> None:
    for key in keys[:-1]:
        fields = fields[int(key)] if isinstance(fields, list) else fields[key]
    if isinstance(fields, list):
        fields[int(keys[-1])] = value
    else:
        fields[keys[-1]] = value


def _field_question(context: ChoiceContext, kind: str, path: str, numbered: bool) -> str:
    """Return the label of a value.

    Args:
        numbered: it is one of several adjacent values.
    """
    field, *further = path.split(".")
    if not further or further[-1].isdigit():
        label = words.field_label(context.ruleset_id, kind, field)
        return say("{what}, place {n}", what=label, n=int(further[-1]) + 1) if numbered else label
    return context.words.value(field, further[-1], context.names)


def _seat_of_value(context: ChoiceContext, fields: Plain, path: str) -> Seat | None:
    """Return the seat of a value in a list with one place per seat, unless its places are words."""
    field, *further = path.split(".")
    value = fields[field]
    by_seat = (
        isinstance(value, list)
        and len(value) == len(context.names)
        and not any(isinstance(part, str) or (isinstance(part, dict) and "type" in part) for part in value)
    )
    return int(further[0]) if by_seat else None
