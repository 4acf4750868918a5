"""Choice of one legal decision, question by question, for every game.

First the kind, then each field. Only possible values are offered, and questions with one answer are skipped. Decisions
that are too many to list use a form (`any_decision_form`).
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
MAX_BUTTON_CHARACTERS = 24  # of listed choices
MAX_UNGROUPED_ANSWERS = 9
MAX_INLINE_DECISIONS = 8  # shown next to the other kinds


class OpenField(Frozen):
    """Undecided field with its possible values, each with the remaining decisions.

    Args:
        so_far: chosen parts of a list that is chosen part by part; None for whole values.
    """

    field: str
    values: list[tuple[Any, list[Plain]]]
    so_far: list[Any] | None = None

    def chosen_with(self, value: Any) -> Any:
        """Return the choice after adding a value."""
        return value if self.so_far is None else {WITH: [*self.so_far, value]}


class ChoiceButton(Frozen):
    """Button for a choice.

    Args:
        decision: result; None if a question follows.
        query: of its address.
        marked: seat whose mark it shows.
        values: remaining choices, in short.
        adds: it adds to a turn that is recorded as a whole.
        several: all decisions it makes, in order.
        turn: the whole turn, if recorded with it.
        aloud: text for screen readers.
        confirm: its effects are always shown before it is recorded.
        closed: why it is disabled.
        rule: rule of that.
        pressed: the turn so far has this choice.
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
    confirm: bool = False
    closed: str = ""
    rule: str = ""
    pressed: bool = False


class ShownLane(Frozen):
    heading: str
    note: str
    cells: list[ChoiceButton | None]
    words: bool = False
    folded: bool = False
    replaces: Callable[[Decision], bool] | None = None


class ShownChart(Frozen):
    """Decisions arranged as on the table."""

    heading: str
    columns: list[str]
    lanes: list[ShownLane]


class ChoiceContext(Frozen):
    """Game, names, colours, printed numbers and words for questions."""

    ruleset_id: str
    names: Names
    colours: tuple[str, ...]
    printed: Mapping[str, Any]
    words: GameWords


def choice_context(game: Game, names: Names) -> ChoiceContext:
    colours = tuple(seat.colour for seat in game.opening.seats)
    return ChoiceContext(game.ruleset.id, names, colours, game.opening.sheet.values, words.GAMES[game.ruleset.id])


def group_by_kind(decisions: Sequence[Plain]) -> dict[str, list[Plain]]:
    """Group decisions by kind, in order."""
    kinds: dict[str, list[Plain]] = {}
    for decision in decisions:
        kinds.setdefault(decision["type"], []).append(decision)
    return kinds


def narrow_decisions(ruleset_id: str, decisions: Sequence[Plain], chosen: Mapping[str, Any]) -> list[Plain]:
    """Return the decisions with the chosen values, without optional details that were not chosen."""
    left = [
        d
        for d in decisions
        if all(_matches_choice(field_of(ruleset_id, d, field), value) for field, value in chosen.items())
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


def next_question(ruleset_id: str, decisions: Sequence[Plain], chosen: Mapping[str, Any]) -> OpenField | None:
    """Return the next question about decisions of one kind; None if one decision is left."""
    left = narrow_decisions(ruleset_id, decisions, chosen)
    for field in usual_fields(ruleset_id, left[0]["type"]) if left else ():
        values = list(_by_value(ruleset_id, left, field))
        if len(values) == 1 or (field in chosen and not is_part(chosen[field])):
            continue
        if field in chosen or (
            len(values) > MAX_UNGROUPED_ANSWERS and _can_choose_by_parts([value for value, _ in values])
        ):
            return _next_part(field, values, chosen[field][WITH] if field in chosen else [])
        return OpenField(field, values)
    return None


def is_part(chosen: Any) -> bool:
    """Check if a list is chosen in part."""
    return isinstance(chosen, dict) and set(chosen) == {WITH} and isinstance(chosen[WITH], list)


def _matches_choice(value: Any, chosen: Any) -> bool:
    """Check if a field's value matches a choice or contains its parts."""
    if not is_part(chosen):
        return value_in_address(value) == value_in_address(chosen)
    return isinstance(value, list | tuple) and all(
        value.count(part) >= chosen[WITH].count(part) for part in chosen[WITH]
    )


def _can_choose_by_parts(values: Sequence[Any]) -> bool:
    """Check if values are lists of words of one length, distinct as sets."""
    lists = [
        value for value in values if isinstance(value, list | tuple) and all(isinstance(part, str) for part in value)
    ]
    return len(lists) == len(values) == len({tuple(sorted(value)) for value in lists}) and (
        len({len(value) for value in lists}) == 1
    )


def _next_part(field: str, values: Sequence[tuple[Any, list[Plain]]], so_far: list[Any]) -> OpenField:
    """Return the question for another part of a list, in any order."""
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
    """Return a decision's field, with its default."""
    return decision[field] if field in decision else usual_fields(ruleset_id, decision["type"]).get(field)


@lru_cache(maxsize=1024)
def usual_fields(ruleset_id: str, kind: str) -> dict[str, Any]:
    """Return the fields of a kind of decision in order, with defaults."""
    return {
        field.name: None if field.default is msgspec.NODEFAULT else full_values(field.default)
        for field in msgspec.structs.fields(kind_of(ruleset_id, kind))
    }


def full_values(value: Any) -> Any:
    """Convert a value to plain JSON values, including fields with their defaults."""
    if isinstance(value, msgspec.Struct):
        tag = value.__struct_config__.tag  # None if the field allows only one type, so records need no tag
        return {
            **({} if tag is None else {"type": tag}),
            **{field: full_values(getattr(value, field)) for field in value.__struct_fields__},
        }
    if isinstance(value, list | tuple):
        return [full_values(part) for part in value]
    return value


def is_open(ruleset_id: str, kind: str) -> bool:
    """Check if a kind has too many decisions to list, so that only checks decide."""
    row = RULESETS[ruleset_id].by_tag.get(kind)
    return row is not None and row.open_form


def kind_of(ruleset_id: str, tag: str) -> type[Decision]:
    """Return the type of a kind of decision."""
    decision_type: type[Decision]
    (decision_type,) = (kind for kind in kinds_in(RULESETS[ruleset_id].types.decisions) if tag_of(kind) == tag)
    return decision_type


def is_kind(ruleset_id: str, tag: object) -> bool:
    """Check if the game has a kind of decision with this tag."""
    return tag in {tag_of(kind) for kind in kinds_in(RULESETS[ruleset_id].types.decisions)}


# --- addresses: ?seat=0&kind=buy_stock&d.colour="red" ---


value_in_address = json.JSONEncoder(separators=(",", ":"), sort_keys=True).encode


def parse_choices(args: Mapping[str, str]) -> dict[str, Any]:
    """Parse the choices of an address; unreadable ones are ignored."""
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


def first_buttons(context: ChoiceContext, seat: Seat, decisions: Sequence[Plain]) -> tuple[str, list[ChoiceButton]]:
    """Return the first question, if needed, and the buttons."""
    only = _only_kind(context.ruleset_id, decisions)
    return _first_question(context, only, decisions), build_buttons(context, seat, decisions, only)


def build_buttons(
    context: ChoiceContext, seat: Seat, decisions: Sequence[Plain], only: str | None = None, is_alone: bool = True
) -> list[ChoiceButton]:
    """Build the first buttons: one per kind, or the decisions of a small kind.

    Args:
        only: kind that is the only usual one.
        is_alone: nothing else is shown next to them.
    """
    kinds = group_by_kind(narrow_decisions(context.ruleset_id, decisions, {}))
    at_once = context.words.decisions.tags[AT_ONCE]
    listed: list[ChoiceButton] = []
    for kind, of_kind in kinds.items():
        field = next_question(context.ruleset_id, of_kind, {})
        small = kind in at_once and len(of_kind) <= MAX_INLINE_DECISIONS and len(kinds) == 2 and is_alone
        if is_open(context.ruleset_id, kind):
            listed.append(ChoiceButton(words.kind_label(context.ruleset_id, kind), None, address_query(seat, kind)))
        elif field is None or _yes_or_no(of_kind):
            listed.extend(_decision_button(context, seat, decision) for decision in of_kind)
        elif kind == only and (not small or _is_last(context.ruleset_id, field)):
            listed.extend(answer_buttons(context, seat, kind, {}, field))
        elif small or _are_few(context, kind, of_kind):
            listed.extend(_decision_button(context, seat, decision) for decision in of_kind)
        else:
            listed.append(
                ChoiceButton(
                    words.kind_label(context.ruleset_id, kind),
                    None,
                    address_query(seat, kind),
                    values=_values_on_one_line(context, field),
                )
            )
    return listed


def _only_kind(ruleset_id: str, decisions: Sequence[Plain]) -> str | None:
    """Return the only usual kind, if there is one."""
    kinds = group_by_kind(decisions)
    usual_ones = [
        kind for kind in kinds if kind not in words.GAMES[ruleset_id].decisions.tags[SELDOM] or len(kinds) == 1
    ]
    return usual_ones[0] if len(usual_ones) == 1 else None


def _first_question(context: ChoiceContext, only: str | None, decisions: Sequence[Plain]) -> str:
    """Return the first question to show above the buttons; "" if the buttons explain themselves."""
    if only is None or is_open(context.ruleset_id, only):
        return ""
    field = next_question(context.ruleset_id, group_by_kind(decisions)[only], {})
    if field is None:
        return ""
    label = words.field_label(context.ruleset_id, only, field.field)
    if context.words.seat.prompt is plain.prompt:
        return f"{words.kind_label(context.ruleset_id, only)}: {label}"
    return "" if _is_last(context.ruleset_id, field) else label


def _is_last(ruleset_id: str, field: OpenField) -> bool:
    """Check if every answer to a question decides."""
    return all(
        next_question(ruleset_id, left, {field.field: field.chosen_with(value)}) is None for value, left in field.values
    )


def _are_few(context: ChoiceContext, kind: str, decisions: Sequence[Plain]) -> bool:
    return kind in context.words.decisions.tags[ONE_BY_ONE] and len(decisions) <= MAX_INLINE_DECISIONS


def _yes_or_no(decisions: Sequence[Plain]) -> bool:
    return all(isinstance(part, bool) for d in decisions for field, part in d.items() if field != "type")


def question_label(context: ChoiceContext, kind: str, field: OpenField) -> str:
    """Return the question; of a list that is chosen part by part also which part it is."""
    label = words.field_label(context.ruleset_id, kind, field.field)
    if not field.so_far:
        return label
    totals = {len(field_of(context.ruleset_id, decision, field.field)) for _, left in field.values for decision in left}
    if len(totals) != 1:
        return label
    return words.say("{question} {n} of {total}", question=label, n=len(field.so_far) + 1, total=totals.pop())


def chosen_parts(
    context: ChoiceContext, seat: Seat, kind: str, chosen: Mapping[str, Any]
) -> list[tuple[str, dict[str, str]]]:
    """Return the parts of a list chosen so far, each with the query of the page without it."""
    return [
        (
            context.words.value(field, [part], context.names),
            address_query(seat, kind, {**chosen, field: {WITH: [*parts[WITH][:at], *parts[WITH][at + 1 :]]}}),
        )
        for field, parts in chosen.items()
        if is_part(parts)
        for at, part in enumerate(parts[WITH])
    ]


def answer_buttons(
    context: ChoiceContext, seat: Seat, kind: str, chosen: Mapping[str, Any], question: OpenField
) -> list[ChoiceButton]:
    """Build the buttons of a question."""
    listed = []
    group = context.words.choosing.group if len(question.values) > MAX_UNGROUPED_ANSWERS else lambda field, value: ""
    order = context.words.choosing.order
    for value, left in sorted(question.values, key=lambda pair: order(question.field, pair[0], context.printed)):
        further = {**chosen, question.field: question.chosen_with(value)}
        decided = next_question(context.ruleset_id, left, further) is None
        listed.append(
            ChoiceButton(
                label=context.words.value(question.field, value, context.names),
                decision=left[0] if decided else None,
                query=address_query(seat, kind, further),
                at_once=decided and kind in context.words.decisions.tags[AT_ONCE],
                marked=marked_seat(context, question.field, value),
                note=context.words.choosing.aside(question.field, value, context.printed),
                group=group(question.field, value),
            )
        )
    return listed


def _address_fields(context: ChoiceContext, decision: Plain) -> dict[str, Any]:
    """Return a decision's fields for an address."""
    ruleset_id = context.ruleset_id
    return {field: field_of(ruleset_id, decision, field) for field in usual_fields(ruleset_id, decision["type"])}


def decision_note(context: ChoiceContext, decision: Plain) -> str:
    """Return what explains a decision's choice in few words, such as the prices of a card; "" for nothing."""
    fields = _address_fields(context, decision)
    return next(filter(None, (context.words.choosing.aside(*item, context.printed) for item in fields.items())), "")


def _decision_button(context: ChoiceContext, seat: Seat, decision: Plain) -> ChoiceButton:
    kind, fields = decision["type"], _address_fields(context, decision)
    return ChoiceButton(
        label=words.sentence(context.ruleset_id, decision, context.names),
        decision=decision,
        query=address_query(seat, kind, fields),
        at_once=kind in context.words.decisions.tags[AT_ONCE],
        marked=next(
            (about for field, value in fields.items() if (about := marked_seat(context, field, value)) is not None),
            None,
        ),
        note=decision_note(context, decision),
    )


def build_charts(
    context: ChoiceContext, board: Board, seat: Seat, decisions: Sequence[Plain]
) -> tuple[list[ShownChart], frozenset[str]]:
    """Return legal decisions as charts of the table, and the kinds that are completely on them."""
    legal = [RULESETS[context.ruleset_id].decision(decision) for decision in decisions]
    drawn = list(context.words.choosing.charts(board, seat, legal, context.names))
    shown = frozenset(tag_of(kind) for chart in drawn for kind in chart.kinds)
    return [
        ShownChart(
            chart.heading,
            list(chart.columns),
            [
                ShownLane(
                    lane.heading,
                    lane.note,
                    [_chart_button(context, board, seat, cell) for cell in lane.cells],
                    lane.words,
                    lane.folded,
                    lane.replaces,
                )
                for lane in chart.lanes
            ],
        )
        for chart in drawn
    ], shown


def _chart_button(context: ChoiceContext, board: Board, seat: Seat, cell: ChartCell | None) -> ChoiceButton | None:
    """Build the button of a chart's cell; several decisions can only be added to a turn."""
    if cell is None:
        return None
    if cell.why:
        return ChoiceButton("–", None, {}, closed=cell.why, aloud=cell.aloud)
    if cell.closed is not None:
        return _closed_place(context, board, seat, [*cell.first, cell.closed], cell.label or "–", cell.note)
    if cell.kind is not None:
        return ChoiceButton(
            cell.label, None, address_query(seat, tag_of(cell.kind), cell.chosen), note=cell.note, aloud=cell.aloud
        )
    decisions: list[Plain] = msgspec.to_builtins(cell.adds)
    first, kind = decisions[0], decisions[0]["type"]
    whole = cell.aloud or words.sentence(context.ruleset_id, decisions[-1], context.names)
    return ChoiceButton(
        label=cell.label,
        decision=first,
        query=address_query(seat, kind, _address_fields(context, first)),
        at_once=kind in context.words.decisions.tags[AT_ONCE] and not cell.confirm,
        confirm=cell.confirm,
        note=cell.note,
        several=decisions,
        aloud=cell.aloud or ("" if whole == cell.label else whole),
    )


def _closed_place(
    context: ChoiceContext, board: Board, seat: Seat, decisions: Sequence[Decision], label: str, note: str
) -> ChoiceButton | None:
    """Build the disabled button of a cell with its reason; None if no rule forbids it."""
    rules = RULESETS[context.ruleset_id]
    for decision in decisions:
        refusal = rules.first_refusal(board, seat, decision)
        if refusal is not None:
            rule, reason = refusal
            return ChoiceButton(
                label,
                None,
                {},
                closed=words.reason_sentence(reason, context.ruleset_id, context.names),
                rule=rule,
                note=note,
                aloud=words.sentence(context.ruleset_id, msgspec.to_builtins(decisions[-1]), context.names),
            )
        board, _ = rules.play(board, seat, decision)
    return None


def map_buttons(chart: ShownChart, replace_button: Callable[[ChoiceButton], ChoiceButton]) -> ShownChart:
    """Return a chart with its enabled buttons replaced."""
    return msgspec.structs.replace(chart, lanes=[map_lane(lane, replace_button) for lane in chart.lanes])


def map_lane(lane: ShownLane, replace_button: Callable[[ChoiceButton], ChoiceButton]) -> ShownLane:
    """Return a lane with its enabled buttons replaced."""
    cells = [cell if cell is None or cell.closed else replace_button(cell) for cell in lane.cells]
    return msgspec.structs.replace(lane, cells=cells)


def marked_seat(context: ChoiceContext, field: str, value: Any) -> Seat | None:
    """Return the seat that a value refers to, directly or by colour."""
    if field in context.words.seat_fields and isinstance(value, int):
        return value if value != TABLE else None
    if isinstance(value, str) and value in context.colours:
        return context.colours.index(value)
    return None


def _values_on_one_line(context: ChoiceContext, field: OpenField) -> str:
    """Return a question's values in one line, or their number if too long."""
    line = ", ".join(context.words.value(field.field, value, context.names) for value, _ in field.values)
    return line if len(line) <= MAX_BUTTON_CHARACTERS else words.say_n("{n} choice", "{n} choices", len(field.values))
