"""Any decision of a game, told field by field: also one that no list of legal decisions holds.

The form is made from the decision's type. What a word may be (a colour, a card, a marker) is gathered from what was
open to anybody and from what was decided before; where the table knows another, it can be written out.
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

KNOWN_LIMIT = 120  # words that a field offers
NOTHING = "–"


class DecisionField(Frozen):
    """One value that is asked for. path: "offers.0.silk". shape: how it is asked; other: what is not on its list may
    be written out; of: the seat it belongs to.
    """

    path: str
    label: str
    shape: Literal["choice", "number", "text"]
    text: str = ""
    choices: list[tuple[str, str]] = []
    other: bool = False
    of: Seat | None = None
    hint: str = ""
    wrong: str = ""


class AnyDecisionForm(Frozen):
    """What is being told. seat, kind: None and "" where they are not chosen yet; decision: once it is whole."""

    seat: Seat | None
    kind: str
    fields: list[DecisionField]
    decision: Plain | None
    wrong: str = ""


class _Word(Frozen):
    """One field of a decision while it is read. hint: its type; known: what it was elsewhere."""

    asking: ChoiceContext
    tag: str
    path: str
    name: str
    hint: Any
    known: list[Any]
    of: Seat | None = None


def kinds(game: Game) -> list[str]:
    """Every kind of decision of a game, in the order of its rules."""
    return list(game.ruleset.by_tag)


def read_any_decision(
    asking: ChoiceContext, seat: Seat | None, kind: str, sent: Mapping[str, str], known: Sequence[Plain]
) -> AnyDecisionForm:
    """What was told so far. sent: the texts of the form, "n.<path>"; known: decisions of this kind, fields and all."""
    if seat is None or not kind:
        return AnyDecisionForm(seat, kind, [], None)
    hints = get_type_hints(kind_of(asking.ruleset_id, kind))
    words_of = [
        _Word(asking, kind, name, name, hint, [one[name] for one in known if name in one])
        for name, hint in hints.items()
    ]
    fields = [field for word in words_of for field in _fields_of_word(word)]
    filled = [msgspec.structs.replace(field, text=_text_sent(field, sent)) for field in fields]
    if fields and not any(name.startswith("n.") for name in sent):
        return AnyDecisionForm(seat, kind, filled, None)
    values: Plain = {"type": kind}
    texts, wrong = {field.path: field.text for field in filled}, {}
    for word in words_of:
        try:
            values[word.name] = _read_word(word, texts)
        except _BadField as bad:
            wrong[bad.path] = bad.says
    if wrong:
        return AnyDecisionForm(
            seat, kind, [msgspec.structs.replace(field, wrong=wrong.get(field.path, "")) for field in filled], None
        )
    try:
        decision = plain(RULESETS[asking.ruleset_id].decision(values))
    except msgspec.ValidationError as bad:
        return AnyDecisionForm(seat, kind, filled, None, words.fault_sentence(unread(bad)))
    return AnyDecisionForm(seat, kind, filled, decision)


def tell_again(asking: ChoiceContext, seat: Seat, decision: Plain, known: Sequence[Plain]) -> AnyDecisionForm:
    """The form of a decision that is whole, to change something of it."""
    empty = read_any_decision(asking, seat, decision["type"], {}, known)
    fields = full_values(RULESETS[asking.ruleset_id].decision(decision))
    return msgspec.structs.replace(
        empty,
        decision=None,
        fields=[msgspec.structs.replace(field, text=_text_at(fields, field.path.split("."))) for field in empty.fields],
    )


def _text_at(value: Any, keys: Sequence[str]) -> str:
    """What a decision holds at a path, as a form shows it."""
    for key in keys:
        value = value[int(key)] if isinstance(value, list) else value.get(key)
    return "[]" if value == [] else text_of(value)  # no part of any kind


def known_of(game: Game, board: Board, kind: str, sight: Sight) -> list[Plain]:
    """Decisions of a kind that anybody might try on a board, and those that were recorded, as a viewer sees them."""
    found: dict[str, Plain] = {}
    for one in (*_candidates(game, board, kind), *_recorded_decisions(iter_steps(game, sight), kind)):
        if len(found) >= KNOWN_LIMIT:
            break
        found.setdefault(
            msgspec.json.encode(one, order="deterministic").decode(), full_values(game.ruleset.decision(one))
        )
    return list(found.values())


def _candidates(game: Game, board: Board, kind: str) -> Iterator[Plain]:
    offers = game.ruleset.by_tag[kind].offers
    for seat in (TABLE, *range(len(game.opening.seats))):
        try:
            yield from map(plain, offers(board, seat))
        except CANNOT_GO_ON:  # a seat that it is not for
            continue


def _recorded_decisions(steps: Iterator[StepShown], kind: str) -> Iterator[Plain]:
    for step in steps:
        if step.decision is not None and step.decision["type"] == kind:
            yield step.decision


# --- asking ----------------------------------------------------------------------------------------------------------


class _BadField(ValueError):
    def __init__(self, path: str, says: str) -> None:
        super().__init__(says)
        self.path = path
        self.says = says


def _text_sent(field: DecisionField, sent: Mapping[str, str]) -> str:
    other = sent.get(f"o.{field.path}", "").strip()
    return other or sent.get(f"n.{field.path}", field.text)


def _word_label(word: _Word) -> str:
    label = word.asking.words.decisions.fields.get(f"{word.tag}.{word.name}")
    return words.say(label) if label else word.name.replace("_", " ")


def _fields_of_word(word: _Word) -> list[DecisionField]:
    """The fields of a form that one field of a decision needs."""
    struct, label = _struct_of(word.hint), _word_label(word)
    if struct is not None:
        return [
            msgspec.structs.replace(field, label=word.asking.words.value(word.name, field.label, ()))
            for part in _words_by_seat(word, struct)
            for field in _fields_of_word(part)
        ]
    keys = _known_keys(word)
    if keys:
        return [
            DecisionField(
                f"{word.path}.{key}", word.asking.words.value(word.name, key, word.asking.names), "number", "0"
            )
            for key in keys
        ]
    choices = _choices(word)
    if _is_list(word.hint):
        known = ", ".join(value for value, _ in choices)
        nothing = "{}" if get_origin(word.hint) is dict else "[]" if _sample(word) == [{}] else ""
        text = text_of(_first_known(word, [])) or nothing
        return [DecisionField(word.path, label, "text", text, hint=known)]
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
    """A list with a place for each seat, each made of several values."""
    hints = get_type_hints(struct)
    return [
        _Word(word.asking, word.tag, f"{word.path}.{seat}.{name}", name, hint, [], seat)
        for seat in range(len(word.asking.names))
        for name, hint in hints.items()
    ]


def _choices(word: _Word) -> list[tuple[str, str]]:
    """What the field can be as far as anybody knows, each with what it says; none where it counts something."""
    hint = get_args(word.hint)[0] if _is_list(word.hint) else word.hint
    options = few_values(word.asking, word.name, hint)
    if not options and str in members(hint):
        options = _distinct(word.known)
    return choices_of(word.asking, word.name, options)


def _distinct(known: Sequence[Any]) -> list[str]:
    found: dict[str, None] = {}
    for value in known:
        found.update(
            dict.fromkeys(part for part in (value if isinstance(value, list) else [value]) if isinstance(part, str))
        )
    return list(found)


def _first_known(word: _Word, otherwise: Any) -> Any:
    return next((value for value in word.known if value is not None), otherwise)


def _known_keys(word: _Word) -> list[str]:
    """The keys of a table of numbers, as far as they are known."""
    if get_origin(word.hint) is not dict:
        return []
    return list(dict.fromkeys(key for value in word.known for key in value))


# --- reading ---------------------------------------------------------------------------------------------------------


def _read_word(word: _Word, texts: Mapping[str, str]) -> Any:
    struct = _struct_of(word.hint)
    if struct is not None:
        return [
            {part.name: _read_word(part, texts) for part in _words_by_seat(word, struct) if part.of == seat}
            for seat in range(len(word.asking.names))
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
        raise _BadField(path, str(bad)) from bad


def _sample(word: _Word) -> Any:
    """A list or a table of the kind that is asked for."""
    (inner, *_) = get_args(word.hint)
    if get_origin(word.hint) is dict:
        return {"": 0}
    return [0] if inner is int else [{}] if structs_within(inner) else []


def _literal(within: Sequence[Any]) -> Any:
    """The first word of a field that can be one of a few; a text where it can be any."""
    return next((get_args(one)[0] for one in within if get_origin(one) is Literal), "")


# --- types -----------------------------------------------------------------------------------------------------------


def _is_list(hint: Any) -> bool:
    return get_origin(hint) in (tuple, list, dict)


def _struct_of(hint: Any) -> type[msgspec.Struct] | None:
    """What a list holds for each seat, where it holds one kind of thing that is made of several values."""
    if get_origin(hint) not in (tuple, list):
        return None
    found = structs_within(get_args(hint)[0])
    return found[0] if len(found) == 1 else None
