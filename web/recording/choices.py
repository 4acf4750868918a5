"""From the list of legal decisions to one of them, question by question; the same code for every game.

First the kind, then each field in turn. Only values that are still possible are offered, and a question with one
answer left is not asked. Decisions too many to list are asked for with one form: see `any_decision_form`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import TABLE, Board, Decision, Seat, kinds_in
from daybook.domain.kernel.unique_keys import load_json
from daybook.web import words
from daybook.web.words import Names, plain
from daybook.web.words.decision_words import AT_ONCE, ONE_BY_ONE, SELDOM
from daybook.web.words.game_words import WITH, ChartCell, GameWords

Plain = dict[str, Any]
SHORT = 24  # characters of choices shown on a button
MANY = 9  # answers; more of them stand in groups
INLINE = 8  # decisions written at the first tap stand beside the other kinds, if there are no more than these


class OpenField(Frozen):
    """A field that is still open, and what it may be, each value with the decisions it leaves.

    so_far: of a list that is told part by part, what was told; values are then what may come next. None: values are
    whole.
    """

    field: str
    values: list[tuple[Any, list[Plain]]]
    so_far: list[Any] | None = None

    def chosen_with(self, value: Any) -> Any:
        """What is chosen of the field with one of the values."""
        return value if self.so_far is None else {WITH: [*self.so_far, value]}


class Way(Frozen):
    """One button. decision: what it comes to; None: it leads to a question. query: the address it leads to.

    marked: the seat whose mark stands on it. values: what it leaves to choose, in short. adds: it adds to a turn that
    is written as a whole. several: all decisions that it stands for, one after the other. turn: the whole turn,
    where it is written with that. aloud: what it says to who does not see where it stands. closed, rule: why nothing
    can be done there, and the rule that says so.
    """

    label: str
    decision: Plain | None
    query: dict[str, str]
    at_once: bool = False
    marked: Seat | None = None
    values: str = ""
    note: str = ""
    group: str = ""
    adds: bool = False
    several: list[Plain] = []
    turn: list[Plain] = []
    aloud: str = ""
    closed: str = ""
    rule: str = ""


class ShownLane(Frozen):
    heading: str
    note: str
    cells: list[Way | None]
    words: bool = False


class ShownChart(Frozen):
    """Decisions laid out as they lie on the table."""

    heading: str
    columns: list[str]
    lanes: list[ShownLane]


class Asking(Frozen):
    """What words and marks need: the game, its names, its colours by seat, its printed numbers, its words."""

    ruleset_id: str
    names: Names
    colours: tuple[str, ...]
    printed: Mapping[str, Any]
    words: GameWords


def asking_of(game: Game, names: Names) -> Asking:
    colours = tuple(seat.colour for seat in game.opening.seats)
    return Asking(game.ruleset.id, names, colours, game.opening.sheet.values, words.GAMES[game.ruleset.id])


def by_kind(decisions: Sequence[Plain]) -> dict[str, list[Plain]]:
    """The decisions by their kind, in their order."""
    kinds: dict[str, list[Plain]] = {}
    for decision in decisions:
        kinds.setdefault(decision["type"], []).append(decision)
    return kinds


def narrow_decisions(ruleset_id: str, decisions: Sequence[Plain], chosen: Mapping[str, Any]) -> list[Plain]:
    """The decisions that hold what was chosen; what nobody needs to tell is left out where it is not chosen."""
    left = [
        d for d in decisions if all(_holds(field_of(ruleset_id, d, field), value) for field, value in chosen.items())
    ]
    for kind, field in words.GAMES[ruleset_id].decisions.needless:
        silent = [
            d
            for d in left
            if d["type"] == kind and field_of(ruleset_id, d, field) == usual_fields(ruleset_id, kind)[field]
        ]
        if silent and field not in chosen:
            left = [d for d in left if d["type"] != kind or d in silent]
    return left


def question(ruleset_id: str, decisions: Sequence[Plain], chosen: Mapping[str, Any]) -> OpenField | None:
    """The next question about decisions of one kind; None when one decision is left."""
    left = narrow_decisions(ruleset_id, decisions, chosen)
    for field in usual_fields(ruleset_id, left[0]["type"]) if left else ():
        values = list(_by_value(ruleset_id, left, field))
        if len(values) == 1 or (field in chosen and not is_part(chosen[field])):
            continue
        if field in chosen or (len(values) > MANY and _are_told_by_parts([value for value, _ in values])):
            return _next_part(field, values, chosen[field][WITH] if field in chosen else [])
        return OpenField(field, values)
    return None


def is_part(chosen: Any) -> bool:
    """Whether a list is chosen in part."""
    return isinstance(chosen, dict) and set(chosen) == {WITH} and isinstance(chosen[WITH], list)


def _holds(value: Any, chosen: Any) -> bool:
    """Whether a field's value is what was chosen, or has it in it."""
    if not is_part(chosen):
        return value_in_address(value) == value_in_address(chosen)
    return isinstance(value, list | tuple) and all(value.count(one) >= chosen[WITH].count(one) for one in chosen[WITH])


def _are_told_by_parts(values: Sequence[Any]) -> bool:
    """Whether values are lists of words, so many in each, and no two of them hold the same in another order."""
    lists = [
        value for value in values if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
    ]
    return len(lists) == len(values) == len({tuple(sorted(value)) for value in lists}) and (
        len({len(value) for value in lists}) == 1
    )


def _next_part(field: str, values: Sequence[tuple[Any, list[Plain]]], so_far: list[Any]) -> OpenField:
    """The question for one more part of a list, in any order."""
    further: dict[Any, list[Plain]] = {}
    for value, left in values:
        for part in dict.fromkeys(value):
            if value.count(part) > so_far.count(part):
                further.setdefault(part, []).extend(left)
    return OpenField(field, list(further.items()), so_far)


def _by_value(ruleset_id: str, decisions: Sequence[Plain], field: str) -> Iterator[tuple[Any, list[Plain]]]:
    groups: dict[str, tuple[Any, list[Plain]]] = {}
    for decision in decisions:
        value = field_of(ruleset_id, decision, field)
        groups.setdefault(value_in_address(value), (value, []))[1].append(decision)
    return iter(groups.values())


def field_of(ruleset_id: str, decision: Plain, field: str) -> Any:
    """A decision's field; one that was left out is as usual."""
    return decision[field] if field in decision else usual_fields(ruleset_id, decision["type"]).get(field)


@lru_cache(maxsize=1024)
def usual_fields(ruleset_id: str, kind: str) -> dict[str, Any]:
    """The fields of a kind of decision in their order, each with what it is when it is left out."""
    return {
        field.name: None if field.default is msgspec.NODEFAULT else full_values(field.default)
        for field in msgspec.structs.fields(kind_of(ruleset_id, kind))
    }


def full_values(value: Any) -> Any:
    """Plain values of anything, with the fields that are left out where they are as usual."""
    if isinstance(value, msgspec.Struct):
        tag = value.__struct_config__.tag  # None: of one kind, so records need no tag
        return {
            **({} if tag is None else {"type": tag}),
            **{field: full_values(getattr(value, field)) for field in value.__struct_fields__},
        }
    if isinstance(value, list | tuple):
        return [full_values(part) for part in value]
    return value


def is_open(ruleset_id: str, kind: str) -> bool:
    """Whether the checks alone decide about this kind, and no list has them all."""
    row = RULESETS[ruleset_id].by_tag.get(kind)
    return row is not None and row.open_form


def kind_of(ruleset_id: str, tag: str) -> type[Decision]:
    """The type of a kind of decision."""
    found: type[Decision]
    (found,) = (one for one in kinds_in(RULESETS[ruleset_id].types.decisions) if tag_of(one) == tag)
    return found


def is_kind(ruleset_id: str, tag: object) -> bool:
    """Whether the game has a kind of decision of this tag."""
    return tag in {tag_of(one) for one in kinds_in(RULESETS[ruleset_id].types.decisions)}


# --- addresses: ?seat=0&kind=buy_stock&d.colour="red" ---


value_in_address = json.JSONEncoder(separators=(",", ":"), sort_keys=True).encode


def chosen_in(args: Mapping[str, str]) -> dict[str, Any]:
    """The fields that an address has chosen; what cannot be read is not chosen."""
    chosen = {}
    for name, text in args.items():
        if name.startswith("d."):
            try:
                chosen[name[2:]] = load_json(text)
            except (ValueError, RecursionError):
                continue
    return chosen


def address_query(seat: Seat, kind: str = "", chosen: Mapping[str, Any] | None = None) -> dict[str, str]:
    address = {"seat": str(seat)}
    if kind:
        address["kind"] = kind
    address.update((f"d.{field}", value_in_address(value)) for field, value in (chosen or {}).items())
    return address


# --- buttons ---


def beginning(asking: Asking, seat: Seat, decisions: Sequence[Plain]) -> tuple[str, list[Way]]:
    """The question to begin with, where one has to be asked, and the buttons."""
    only = _only_kind(asking.ruleset_id, decisions)
    return _asked_first(asking, only, decisions), ways(asking, seat, decisions, only)


def ways(
    asking: Asking, seat: Seat, decisions: Sequence[Plain], only: str | None = None, alone: bool = True
) -> list[Way]:
    """The buttons to begin with: one for each kind, and small decisions one by one where they stand alone.

    only: the kind that is asked for at once, if one is. alone: nothing else is asked beside them.
    """
    kinds = by_kind(narrow_decisions(asking.ruleset_id, decisions, {}))
    at_once = asking.words.decisions.tags[AT_ONCE]
    listed: list[Way] = []
    for kind, some in kinds.items():
        asked = question(asking.ruleset_id, some, {})
        small = kind in at_once and len(some) <= INLINE and len(kinds) == 2 and alone
        if is_open(asking.ruleset_id, kind):
            listed.append(Way(words.kind_label(asking.ruleset_id, kind), None, address_query(seat, kind)))
        elif asked is None or small or _yes_or_no(some) or _are_few(asking, kind, some):
            listed.extend(_decision_button(asking, seat, decision) for decision in some)
        elif kind == only:
            listed.extend(answers(asking, seat, kind, {}, asked))
        else:
            listed.append(
                Way(
                    words.kind_label(asking.ruleset_id, kind),
                    None,
                    address_query(seat, kind),
                    values=_values_on_one_line(asking, asked),
                )
            )
    return listed


def _only_kind(ruleset_id: str, decisions: Sequence[Plain]) -> str | None:
    """The kind that is asked for at once, because no other is usual."""
    kinds = by_kind(decisions)
    usual_ones = [
        kind for kind in kinds if kind not in words.GAMES[ruleset_id].decisions.tags[SELDOM] or len(kinds) == 1
    ]
    return usual_ones[0] if len(usual_ones) == 1 else None


def _asked_first(asking: Asking, only: str | None, decisions: Sequence[Plain]) -> str:
    """The first question, where buttons begin with several about one kind, or where no words of the game ask it."""
    if only is None or is_open(asking.ruleset_id, only):
        return ""
    asked = question(asking.ruleset_id, by_kind(decisions)[only], {})
    if asked is None:
        return ""
    label = words.field_label(asking.ruleset_id, only, asked.field)
    if asking.words.seat.prompt is plain.prompt:
        return f"{words.kind_label(asking.ruleset_id, only)}: {label}"
    is_last = all(
        question(asking.ruleset_id, left, {asked.field: asked.chosen_with(value)}) is None
        for value, left in asked.values
    )
    return "" if is_last else label


def _are_few(asking: Asking, kind: str, decisions: Sequence[Plain]) -> bool:
    return kind in asking.words.decisions.tags[ONE_BY_ONE] and len(decisions) <= INLINE


def _yes_or_no(decisions: Sequence[Plain]) -> bool:
    return all(isinstance(part, bool) for d in decisions for field, part in d.items() if field != "type")


def question_label(asking: Asking, kind: str, asked: OpenField) -> str:
    """What is asked, with what was told of it before."""
    label = words.field_label(asking.ruleset_id, kind, asked.field)
    if not asked.so_far:
        return label
    return words.say(
        "{question} So far: {told}", question=label, told=asking.words.value(asked.field, asked.so_far, asking.names)
    )


def answers(asking: Asking, seat: Seat, kind: str, chosen: Mapping[str, Any], asked: OpenField) -> list[Way]:
    """The buttons of a question."""
    listed = []
    group = asking.words.choosing.group if len(asked.values) > MANY else lambda field, value: ""
    order = asking.words.choosing.order
    for value, left in sorted(asked.values, key=lambda one: order(asked.field, one[0], asking.printed)):
        further = {**chosen, asked.field: asked.chosen_with(value)}
        decided = question(asking.ruleset_id, left, further) is None
        listed.append(
            Way(
                label=asking.words.value(asked.field, value, asking.names),
                decision=left[0] if decided else None,
                query=address_query(seat, kind, further),
                at_once=decided and kind in asking.words.decisions.tags[AT_ONCE],
                marked=marked_seat(asking, asked.field, value),
                note=asking.words.choosing.aside(asked.field, value, asking.printed),
                group=group(asked.field, value),
            )
        )
    return listed


def _fields_told(asking: Asking, decision: Plain) -> dict[str, Any]:
    """The fields of a decision that somebody chooses, as an address has them."""
    ruleset_id = asking.ruleset_id
    return {field: field_of(ruleset_id, decision, field) for field in usual_fields(ruleset_id, decision["type"])}


def _decision_button(asking: Asking, seat: Seat, decision: Plain) -> Way:
    kind, fields = decision["type"], _fields_told(asking, decision)
    return Way(
        label=words.decision_label(asking.ruleset_id, decision, asking.names),
        decision=decision,
        query=address_query(seat, kind, fields),
        at_once=kind in asking.words.decisions.tags[AT_ONCE],
        marked=next(
            (about for field, value in fields.items() if (about := marked_seat(asking, field, value)) is not None), None
        ),
    )


def charts(
    asking: Asking, board: Board, seat: Seat, decisions: Sequence[Plain]
) -> tuple[list[ShownChart], frozenset[str]]:
    """What is legal as it lies on the table, and the kinds that are all on it."""
    legal = [RULESETS[asking.ruleset_id].decision(decision) for decision in decisions]
    drawn = list(asking.words.choosing.charts(board, seat, legal, asking.names))
    shown = frozenset(tag_of(kind) for chart in drawn for kind in chart.kinds)
    return [
        ShownChart(
            chart.heading,
            list(chart.columns),
            [
                ShownLane(
                    lane.heading,
                    lane.note,
                    [_chart_button(asking, board, seat, cell) for cell in lane.cells],
                    lane.words,
                )
                for lane in chart.lanes
            ],
        )
        for chart in drawn
    ], shown


def _chart_button(asking: Asking, board: Board, seat: Seat, cell: ChartCell | None) -> Way | None:
    """The button of one place of a chart; several decisions can only be added to a turn."""
    if cell is None:
        return None
    if cell.why:
        return Way("–", None, {}, closed=cell.why, aloud=cell.aloud)
    if cell.closed is not None:
        return _closed_place(asking, board, seat, [*cell.first, cell.closed], cell.label or "–")
    if cell.kind is not None:
        return Way(
            cell.label, None, address_query(seat, tag_of(cell.kind), cell.chosen), note=cell.note, aloud=cell.aloud
        )
    decisions: list[Plain] = msgspec.to_builtins(cell.adds)
    first, kind = decisions[0], decisions[0]["type"]
    whole = cell.aloud or words.decision_label(asking.ruleset_id, decisions[-1], asking.names)
    return Way(
        label=cell.label,
        decision=first,
        query=address_query(seat, kind, _fields_told(asking, first)),
        at_once=kind in asking.words.decisions.tags[AT_ONCE],
        note=cell.note,
        several=decisions,
        aloud=cell.aloud or ("" if whole == cell.label else whole),
    )


def _closed_place(asking: Asking, board: Board, seat: Seat, decisions: Sequence[Decision], label: str) -> Way | None:
    """A place of a chart where a decision is not legal, or one before it, with the reason; None where no rule is
    against them.
    """
    rules = RULESETS[asking.ruleset_id]
    for decision in decisions:
        against = rules.first_refusal(board, seat, decision)
        if against is not None:
            rule, reason = against
            return Way(
                label,
                None,
                {},
                closed=words.reason_sentence(reason, asking.ruleset_id, asking.names),
                rule=rule,
                aloud=words.decision_label(asking.ruleset_id, msgspec.to_builtins(decisions[-1]), asking.names),
            )
        board, _ = rules.play(board, seat, decision)
    return None


def map_buttons(chart: ShownChart, to: Callable[[Way], Way]) -> ShownChart:
    """The chart with each of its buttons exchanged; a place where nothing can be done stays."""
    lanes = [
        msgspec.structs.replace(lane, cells=[cell if cell is None or cell.closed else to(cell) for cell in lane.cells])
        for lane in chart.lanes
    ]
    return msgspec.structs.replace(chart, lanes=lanes)


def marked_seat(asking: Asking, field: str, value: Any) -> Seat | None:
    """The seat that a value is about: a seat itself, or the one that plays a colour."""
    if field in asking.words.seat_fields and isinstance(value, int):
        return value if value != TABLE else None
    if isinstance(value, str) and value in asking.colours:
        return asking.colours.index(value)
    return None


def _values_on_one_line(asking: Asking, asked: OpenField) -> str:
    """The values of a question on one line, if they fit on it."""
    line = ", ".join(asking.words.value(asked.field, value, asking.names) for value, _ in asked.values)
    return line if len(line) <= SHORT else words.say_n("{n} way", "{n} ways", len(asked.values))
