"""A form for any decision of a game, including those that no list of legal decisions has.

The form is built from the decision's type. It offers the words (a colour, a card, a marker) that are visible to
everyone
or were used before; any other word can be typed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.errors import unread
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import CANNOT_GO_ON
from daybook.domain.kernel.terms import TABLE, Board, Seat
from daybook.services.permissions.sights import Sight
from daybook.services.play.replay import StepShown, iter_steps
from daybook.web import words
from daybook.web.recording.choices import ChoiceContext, Plain, full_values, kind_of
from daybook.web.recording.field_types import choices_of, few_values, members, structs_within
from daybook.web.request.forms import BadTextError, parse_value
from daybook.web.words.places import text_of

MAX_WORDS_OFFERED = 120  # by a field
NOTHING = "–"


class DecisionField(Frozen):
    """A field of the form."""

    path: str  # such as "offers.0.silk"
    label: str
    shape: Literal["choice", "number", "text"]
    text: str = ""
    choices: list[tuple[str, str]] = []
    other: bool = False  # a value that is not among the choices can be typed
    of: Seat | None = None
    hint: str = ""
    wrong: str = ""


class AnyDecisionForm(Frozen):
    """The form with the values typed so far."""

    seat: Seat | None  # None until it is chosen
    kind: str  # "" until it is chosen
    fields: list[DecisionField]
    decision: Plain | None  # None until all fields are valid
    wrong: str = ""


class _Word(Frozen):
    """A field of the decision while the form is read."""

    context: ChoiceContext
    tag: str
    path: str
    name: str
    hint: Any  # its type
    known: list[Any]  # its values in other decisions
    of: Seat | None = None


def kinds_of_game(game: Game) -> list[str]:
    """Return every kind of decision of a game, in the order of its rules."""
    return list(game.ruleset.by_tag)


def read_any_decision(
    context: ChoiceContext, seat: Seat | None, kind: str, sent: Mapping[str, str], examples: Sequence[Plain]
) -> AnyDecisionForm:
    """Build the form from the texts sent so far.

    Args:
        sent: the texts by field name, "n.<path>".
        examples: decisions of this kind with all their fields.
    """
    if seat is None or not kind:
        return AnyDecisionForm(seat, kind, [], None)
    hints = get_type_hints(kind_of(context.ruleset_id, kind))
    words_of = [
        _Word(context, kind, name, name, hint, [example[name] for example in examples if name in example])
        for name, hint in hints.items()
    ]
    fields = [field for word in words_of for field in _fields_of_word(word)]
    filled = [msgspec.structs.replace(field, text=_text_sent(field, sent)) for field in fields]
    if fields and not any(name.startswith("n.") for name in sent):
        return AnyDecisionForm(seat, kind, filled, None)
    values: Plain = {"type": kind}
    texts, errors = {field.path: field.text for field in filled}, {}
    for word in words_of:
        try:
            values[word.name] = _read_word(word, texts)
        except _FieldError as bad:
            errors[bad.path] = bad.says
    if errors:
        return AnyDecisionForm(
            seat, kind, [msgspec.structs.replace(field, wrong=errors.get(field.path, "")) for field in filled], None
        )
    try:
        decision = plain(RULESETS[context.ruleset_id].decision(values))
    except msgspec.ValidationError as bad:
        return AnyDecisionForm(seat, kind, filled, None, words.fault_sentence(unread(bad)))
    return AnyDecisionForm(seat, kind, filled, decision)


def edit_decision(context: ChoiceContext, seat: Seat, decision: Plain, examples: Sequence[Plain]) -> AnyDecisionForm:
    """Build the form with the values of a complete decision, to change some of them."""
    empty = read_any_decision(context, seat, decision["type"], {}, examples)
    fields = full_values(RULESETS[context.ruleset_id].decision(decision))
    return msgspec.structs.replace(
        empty,
        decision=None,
        fields=[msgspec.structs.replace(field, text=_text_at(fields, field.path.split("."))) for field in empty.fields],
    )


def _text_at(value: Any, keys: Sequence[str]) -> str:
    """Return the value at a path of a decision as the form shows it."""
    for key in keys:
        value = value[int(key)] if isinstance(value, list) else value.get(key)
    return "[]" if value == [] else text_of(value)  # an empty list of parts


def example_decisions(game: Game, board: Board, kind: str, sight: Sight) -> list[Plain]:
    """Return decisions of a kind as examples: those legal for any seat, and recorded ones that the viewer may see."""
    examples: dict[str, Plain] = {}
    for decision in (*_candidates(game, board, kind), *_recorded_decisions(iter_steps(game, sight), kind)):
        if len(examples) >= MAX_WORDS_OFFERED:
            break
        examples.setdefault(
            msgspec.json.encode(decision, order="deterministic").decode(), full_values(game.ruleset.decision(decision))
        )
    return list(examples.values())


def _candidates(game: Game, board: Board, kind: str) -> Iterator[Plain]:
    offers = game.ruleset.by_tag[kind].offers
    for seat in (TABLE, *range(len(game.opening.seats))):
        try:
            yield from map(plain, offers(board, seat))
        except CANNOT_GO_ON:  # the seat can never decide this
            continue


def _recorded_decisions(steps: Iterator[StepShown], kind: str) -> Iterator[Plain]:
    for step in steps:
        if step.decision is not None and step.decision["type"] == kind:
            yield step.decision


# --- fields ----------------------------------------------------------------------------------------------------------


class _FieldError(ValueError):
    """A field with an invalid text."""

    def __init__(self, path: str, sentence: str) -> None:
        super().__init__(sentence)
        self.path = path
        self.says = sentence


def _text_sent(field: DecisionField, sent: Mapping[str, str]) -> str:
    other = sent.get(f"o.{field.path}", "").strip()
    return other or sent.get(f"n.{field.path}", field.text)


def _word_label(word: _Word) -> str:
    label = word.context.words.decisions.fields.get(f"{word.tag}.{word.name}")
    return words.say(label) if label else word.name.replace("_", " ")


def _fields_of_word(word: _Word) -> list[DecisionField]:
    """Return the form's fields for one field of the decision."""
    struct, label = _struct_of(word.hint), _word_label(word)
    if struct is not None:
        return [
            msgspec.structs.replace(field, label=word.context.words.value(word.name, field.label, ()))
            for part in _words_by_seat(word, struct)
            for field in _fields_of_word(part)
        ]
    keys = _known_keys(word)
    if keys:
        return [
            DecisionField(
                f"{word.path}.{key}", word.context.words.value(word.name, key, word.context.names), "number", "0"
            )
            for key in keys
        ]
    choices = _choices(word)
    if _is_list(word.hint):
        suggestions = ", ".join(value for value, _ in choices)
        nothing = "{}" if get_origin(word.hint) is dict else "[]" if _sample(word) == [{}] else ""
        text = text_of(_first_known(word, [])) or nothing
        return [DecisionField(word.path, label, "text", text, hint=suggestions)]
    if bool in members(word.hint):
        choices = [("no", words.say("no")), ("yes", words.say("yes"))]
    optional = type(None) in members(word.hint)
    text = "" if optional else text_of(_first_known(word, 0 if int in members(word.hint) else ""))
    if choices:
        if optional:
            choices = [("", NOTHING), *choices]
        fixed = bool in members(word.hint) or not ({str, int} & {*members(word.hint)})
        given = [value for value, _ in choices]
        return [
            DecisionField(word.path, label, "choice", text if text in given else given[0], choices, not fixed, word.of)
        ]
    return [DecisionField(word.path, label, "number" if int in members(word.hint) else "text", text, of=word.of)]


def _words_by_seat(word: _Word, struct: type[msgspec.Struct]) -> list[_Word]:
    """Return the fields of a list that has a struct for each seat."""
    hints = get_type_hints(struct)
    return [
        _Word(word.context, word.tag, f"{word.path}.{seat}.{name}", name, hint, [], seat)
        for seat in range(len(word.context.names))
        for name, hint in hints.items()
    ]


def _choices(word: _Word) -> list[tuple[str, str]]:
    """Return the known values of a field with their labels; none for a field that counts something."""
    hint = get_args(word.hint)[0] if _is_list(word.hint) else word.hint
    options = few_values(word.context, word.name, hint)
    if not options and str in members(hint):
        options = _distinct(word.known)
    return choices_of(word.context, word.name, options)


def _distinct(values: Sequence[Any]) -> list[str]:
    distinct: dict[str, None] = {}
    for value in values:
        distinct.update(
            dict.fromkeys(part for part in (value if isinstance(value, list) else [value]) if isinstance(part, str))
        )
    return list(distinct)


def _first_known(word: _Word, otherwise: Any) -> Any:
    return next((value for value in word.known if value is not None), otherwise)


def _known_keys(word: _Word) -> list[str]:
    """Return the known keys of a field that maps names to numbers."""
    if get_origin(word.hint) is not dict:
        return []
    return list(dict.fromkeys(key for value in word.known for key in value))


# --- reading ---------------------------------------------------------------------------------------------------------


def _read_word(word: _Word, texts: Mapping[str, str]) -> Any:
    struct = _struct_of(word.hint)
    if struct is not None:
        return [
            {part.name: _read_word(part, texts) for part in _words_by_seat(word, struct) if part.of == seat}
            for seat in range(len(word.context.names))
        ]
    if keys := _known_keys(word):
        return {key: _read_value(f"{word.path}.{key}", texts, 0) for key in keys}
    within = members(word.hint)
    if _is_list(word.hint):
        return _read_value(word.path, texts, _sample(word))
    if type(None) in within and not texts[word.path].strip():
        return None
    return _read_value(word.path, texts, False if bool in within else 0 if int in within else _literal(within))


def _read_value(path: str, texts: Mapping[str, str], like: Any) -> Any:
    try:
        return parse_value(texts[path], like)
    except BadTextError as bad:
        raise _FieldError(path, str(bad)) from bad


def _sample(word: _Word) -> Any:
    """Return a value of the field's type from which texts are parsed."""
    (inner, *_) = get_args(word.hint)
    if get_origin(word.hint) is dict:
        return {"": 0}
    return [0] if inner is int else [{}] if structs_within(inner) else []


def _literal(within: Sequence[Any]) -> Any:
    """Return the first word of a field with few possible words, or an empty text."""
    return next((get_args(member)[0] for member in within if get_origin(member) is Literal), "")


# --- types -----------------------------------------------------------------------------------------------------------


def _is_list(hint: Any) -> bool:
    return get_origin(hint) in (tuple, list, dict)


def _struct_of(hint: Any) -> type[msgspec.Struct] | None:
    """Return the struct that a list has for each seat, or None for other fields."""
    if get_origin(hint) not in (tuple, list):
        return None
    structs = structs_within(get_args(hint)[0])
    return structs[0] if len(structs) == 1 else None
