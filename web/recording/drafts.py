"""Turns that are composed tap by tap on the record page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, takewhile
from typing import Any

import msgspec

from daybook.domain.commands import TURN_LIMIT
from daybook.domain.kernel.decisions import NotADecisionError
from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import CANNOT_GO_ON
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import IllegalDecision, Reason, Seat
from daybook.domain.kernel.unique_keys import load_json
from daybook.services.permissions.sights import Sight
from daybook.services.play import turn_draft
from daybook.services.play.turn_draft import Draft, DraftPart
from daybook.web import words
from daybook.web.recording import choices
from daybook.web.recording.choices import ChoiceButton, ChoiceContext, Plain, ShownChart, ShownLane
from daybook.web.words.game_words import TurnWords


class TurnStretch(Frozen):
    """Choices for a part of a turn: the open one, or one that follows after closing it."""

    heading: str
    charts: list[ShownChart]
    ways: list[ChoiceButton]


class TurnLine(Frozen):
    """A line of the turn so far: a decision, or several equal ones.

    Args:
        alike: each of them has these effects.
    """

    decision: Plain
    times: int
    at: int  # its index among the decisions
    effects: list[Plain]
    alike: bool


class Refusal(Frozen):
    """An illegal decision of the turn with the reason."""

    rule: str
    reason: Reason
    decision: Plain


class TurnPage(Frozen, kw_only=True):
    """Turn on the page.

    Args:
        heading: prompt; empty when the turn is over.
        turn: what would be recorded; empty if the turn cannot end here.
        written: the draft of all of it.
        unused: what the turn could still do, in few words.
        kind: kind of an open question, with its `question` and `ways`.
    """

    draft: Draft
    heading: str
    entered: list[TurnLine]
    refused: Refusal | None
    stretches: list[TurnStretch] = []
    turn: list[Plain] = []
    written: Draft | None = None
    unused: str = ""
    kind: str = ""
    chosen: dict[str, Any] = {}
    question: str = ""
    ways: list[ChoiceButton] = []


def build_turn_page(
    game: Game,
    seat: Seat,
    sight: Sight,
    context: ChoiceContext,
    together: TurnWords,
    turn: Sequence[Plain],
    kind: str,
    chosen: Mapping[str, Any],
    last_tap: int | None = None,
) -> TurnPage:
    """Build the current turn, as far as it is legal now, and its continuations.

    Args:
        last_tap: number of the turn's decisions before its last tap.
    """
    draft, refused = legal_part(turn_draft.begin_draft(game, seat, sight, together.scope), turn)
    if kind:
        left = choices.narrow_decisions(context.ruleset_id, choices.group_by_kind(draft.legal).get(kind, []), chosen)
        field = choices.next_question(context.ruleset_id, left, chosen)
        if left and field is not None:
            ways = choices.answer_buttons(context, seat, kind, chosen, field)
            return TurnPage(
                draft=draft,
                heading=heading_of(context, draft),
                entered=turn_lines(draft, together),
                refused=refused,
                kind=kind,
                chosen=dict(chosen),
                question=choices.question_label(context, kind, field),
                ways=[turn_button(draft, together, way) for way in ways],
            )
        if left:
            draft = draft.with_decision(left[0])
    draft = draft.without_closings(together.close)
    open_parts = draft.with_closings(together.close)
    last = open_parts[-1]
    if draft.is_over and draft.parts:
        open_parts = [chosen_from(draft, last_tap)]
    return TurnPage(
        draft=draft,
        heading=heading_of(context, draft),
        entered=turn_lines(draft, together),
        refused=refused,
        stretches=[
            stretch
            for part in open_parts
            for stretch in [stretch_of(context, together, part, draft)]
            if stretch.ways or stretch.charts
        ],
        turn=last.decisions if last.is_over else [],
        written=last if last.is_over else None,
        unused=unused_actions(draft, together),
    )


def unused_actions(draft: Draft, together: TurnWords) -> str:
    """Return what the open part could still do; "" if only closing is left."""
    goes_on = any(decision["type"] not in together.close for decision in draft.legal)
    return together.unused(draft.board, draft.seat) if draft.parts and goes_on else ""


def heading_of(context: ChoiceContext, draft: Draft) -> str:
    if draft.is_over:
        return words.say("the turn is complete") if draft.parts else ""
    return words.prompt(context.ruleset_id, draft.board, draft.seat, context.names)


def legal_part(draft: Draft, turn: Sequence[Plain]) -> tuple[Draft, Refusal | None]:
    """Return the turn as far as it is legal now, and the first refusal. Raises NotADecisionError."""
    for decision in turn:
        try:
            draft = draft.with_decision(decision)
        except IllegalDecision as refusal:
            return draft, Refusal(refusal.rule, refusal.reason, decision)
    return draft, None


def turn_lines(draft: Draft, together: TurnWords) -> list[TurnLine]:
    """Return the turn's lines; closings are shown with what they close."""
    lines: list[TurnLine] = []
    at = 0
    for _, equal_parts in groupby(draft.parts, key=lambda part: part.decision):
        parts = list(equal_parts)
        effects_by_part = [effects_of_part(part, together) for part in parts]
        all_equal = all(effects == effects_by_part[0] for effects in effects_by_part)
        effects = effects_by_part[0] if all_equal else [effect for effects in effects_by_part for effect in effects]
        at_first = lines.pop().at if lines and lines[-1].decision["type"] in together.opens else at
        if parts[0].decision["type"] not in together.close:
            lines.append(TurnLine(parts[0].decision, len(parts), at_first, effects, all_equal))
        elif lines and effects:
            lines[-1] = msgspec.structs.replace(lines[-1], effects=[*lines[-1].effects, *effects])
        at += len(parts)
    return lines


def effects_of_part(part: DraftPart, together: TurnWords) -> list[Plain]:
    """Return the effects of a decision of the turn, without automatic actions after the turn."""
    effects = effects_within_turn(part.effects, together) if part.ends else part.effects
    unsaid = {tag_of(kind) for kind in (together.closed, *together.unsaid)}
    return [effect for effect in effects if effect["type"] not in unsaid]


def effects_within_turn(effects: Sequence[Plain], together: TurnWords) -> Sequence[Plain]:
    """Return the effects of the last decision up to the turn's end."""
    if together.goes_on:
        goes_on = {tag_of(kind) for kind in together.goes_on}
        return list(takewhile(lambda effect: effect["type"] not in goes_on, effects))
    ends = [place for place, effect in enumerate(effects) if effect["type"] == tag_of(together.closed)]
    return effects[: ends[-1]] if ends else effects


def chosen_from(draft: Draft, last_tap: int | None) -> Draft:
    """Return the draft before its last tap, or before its last decision if that is unknown."""
    n = len(draft.decisions)
    return draft.empty.with_decisions(draft.decisions[: last_tap if last_tap is not None and 0 <= last_tap < n else -1])


def stretch_of(context: ChoiceContext, together: TurnWords, draft: Draft, so_far: Draft) -> TurnStretch:
    """Return the heading, charts and buttons for the next part of a turn.

    Args:
        so_far: the turn; a complete one is longer than `draft`, and another tap replaces its last choice.
    """
    legal = [decision for decision in draft.legal if decision["type"] not in together.close]
    if not legal:
        return TurnStretch("", [], [])
    charts, shown = choices.build_charts(context, draft.board, draft.seat, legal)
    left = [decision for decision in legal if decision["type"] not in shown]
    charts = [choices.map_buttons(chart, lambda way: turn_chart_button(draft, together, way)) for chart in charts]
    ways = [turn_button(draft, together, way) for way in choices.build_buttons(context, draft.seat, left)]
    is_open = not so_far.is_over
    charts = [
        replace_lanes(context, together, draft if is_open else so_far, place, chart)
        for place, chart in enumerate(charts)
    ]
    if is_open:
        return TurnStretch(heading_of(context, draft), charts, ways)
    return TurnStretch(
        heading_of(context, draft),
        [choices.map_buttons(chart, lambda way: replacing_button(way, so_far)) for chart in charts],
        [replacing_button(way, so_far) for way in ways],
    )


def replacing_button(way: ChoiceButton, turn: Draft) -> ChoiceButton:
    """Let a button replace the last choice of a complete turn, without saving it."""
    pressed = way.pressed or way.query.get("t") == choices.value_in_address(turn.decisions)
    return msgspec.structs.replace(way, at_once=False, adds=way.decision is not None, pressed=pressed)


def replace_lanes(
    context: ChoiceContext, together: TurnWords, draft: Draft, place: int, chart: ShownChart
) -> ShownChart:
    """Return a chart on whose lanes another tap replaces the choice made there in this turn.

    Args:
        place: the chart's index on the page.
    """
    lanes = [replaced_lane(context, together, draft, place, lane) for lane in chart.lanes]
    return msgspec.structs.replace(chart, lanes=[lane for lane in lanes if lane.cells])


def replaced_lane(context: ChoiceContext, together: TurnWords, draft: Draft, place: int, lane: ShownLane) -> ShownLane:
    """Return a lane as it was before the choice on it, with that choice marked."""
    if lane.replaces is None:
        return lane
    decisions = draft.decisions
    kept = [decision for decision in decisions if not lane.replaces(draft.game.ruleset.decision(decision))]
    before, refused = (draft, None) if len(kept) == len(decisions) else legal_part(draft.empty, kept)
    if refused is not None or before.is_over:
        return lane
    charts, _ = choices.build_charts(context, before.board, before.seat, before.legal)
    found = [other for chart in charts[place : place + 1] for other in chart.lanes if other.heading == lane.heading]
    if not found:
        return lane
    return choices.map_lane(found[0], lambda way: lane_button(before, draft, together, way))


def lane_button(before: Draft, now: Draft, together: TurnWords, way: ChoiceButton) -> ChoiceButton:
    """Build a button of a lane as it was before a choice, marked if it is that choice."""
    way = turn_chart_button(before, together, way)
    try:
        after = before.with_decisions(way.several).without_closings(together.close)
    except CANNOT_GO_ON:
        return way
    return msgspec.structs.replace(way, pressed=after.board == now.board)


def turn_button(draft: Draft, together: TurnWords, way: ChoiceButton) -> ChoiceButton:
    """Build a button that adds to the turn, with a note on its effect."""
    if way.decision is None:
        return msgspec.structs.replace(way, query=turn_query(way.query, draft.decisions))
    after = draft.with_decision(way.decision)
    goes_on = after.is_over and after.spreads  # the board then includes automatic actions
    now, decision = draft.board if goes_on else after.board, draft.game.ruleset.decision(way.decision)
    note = way.note or together.note(draft.board, now, draft.seat, decision) or explain_value(draft, way.decision)
    return msgspec.structs.replace(adding_button(way, draft, after), note=note)


def explain_value(draft: Draft, decision: Plain) -> str:
    """Explain the thing that a decision is about, such as a returned tile."""
    aside, printed = words.GAMES[draft.game.ruleset.id].choosing.aside, draft.game.opening.sheet.values
    return next((explanation for field, value in decision.items() if (explanation := aside(field, value, printed))), "")


def adding_button(way: ChoiceButton, draft: Draft, after: Draft) -> ChoiceButton:
    """Build a button for a longer draft; it records the turn if that is over and does not spread."""
    query = longer_turn_query(draft, after.decisions)
    if not after.is_over or after.spreads:
        return msgspec.structs.replace(way, query=query, at_once=False, adds=True)
    return msgspec.structs.replace(way, query=query, at_once=True, turn=after.decisions)


def turn_chart_button(draft: Draft, together: TurnWords, way: ChoiceButton) -> ChoiceButton:
    """Build a chart's button, with a note if the cash is not enough."""
    if not way.several:
        return msgspec.structs.replace(way, query=turn_query(way.query, draft.decisions))
    try:
        after = draft.with_decisions(way.several)
    except CANNOT_GO_ON:  # an unreachable board: the effect shows when it is tried
        longer = [*draft.decisions, *way.several]
        return msgspec.structs.replace(way, query=longer_turn_query(draft, longer), at_once=False, adds=True)
    need = "" if after.is_over else together.in_need(draft.board, after.board, draft.seat)
    return adding_button(msgspec.structs.replace(way, note=", ".join(filter(None, (way.note, need)))), draft, after)


def first_of_turn(game: Game, together: TurnWords) -> int | None:
    """Return the first step of the last decision's turn, if it belongs to one."""
    seat, first = None, None
    for step in game.line_back():
        event = game.entries[step].event
        if not isinstance(event, DecisionRecorded) or event.decision["type"] not in together.kinds:
            break
        over = any(map(together.over, game.ruleset.typed_effects(event.effects)))
        if first is not None and (event.seat != seat or over):
            break
        seat, first = event.seat, step
    return first


# --- addresses: ?seat=0&t=[{"type":"place",...}] ---


def turn_query(query: Mapping[str, str], turn: Sequence[Plain]) -> dict[str, str]:
    """Return an address's query with the current turn."""
    return {**query, "t": choices.value_in_address(list(turn))} if turn else {**query}


def longer_turn_query(draft: Draft, longer: Sequence[Plain]) -> dict[str, str]:
    """Return the query of a draft after a tap, with the number of decisions before it, for Undo."""
    return {**turn_query(choices.address_query(draft.seat), longer), "tap": str(len(draft.decisions))}


def parse_turn(text: str) -> list[Plain]:
    """Parse the turn of an address or form. Raises NotADecisionError if invalid."""
    if not text:
        return []
    try:
        turn = load_json(text)
    except (ValueError, RecursionError) as wrong:
        raise NotADecisionError(f"{wrong}") from wrong
    if not isinstance(turn, list) or len(turn) > TURN_LIMIT or not all(isinstance(decision, dict) for decision in turn):
        raise NotADecisionError("this is not a list of decisions")
    return turn
