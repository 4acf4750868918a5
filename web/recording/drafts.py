"""A turn that is put together tap by tap on the page for recording: what it holds so far, and what may follow."""

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
from daybook.web.recording.choices import Asking, Plain, ShownChart, Way
from daybook.web.words.game_words import TurnWords


class TurnStretch(Frozen):
    """What may be decided in one part of a turn: the one that is open, or one that follows when it is closed."""

    heading: str
    charts: list[ShownChart]
    ways: list[Way]


class TurnLine(Frozen):
    """One line of the turn so far: a decision, or the same one several times. at: its place among the decisions."""

    decision: Plain
    times: int
    at: int
    effects: list[Plain]


class Refusal(Frozen):
    """A decision of the turn that is not possible, and why."""

    rule: str
    reason: Reason
    decision: Plain


class TurnPage(Frozen, kw_only=True):
    """The turn as the page shows it. heading: what has to be decided now; empty when the turn is over. turn: what is
    written when the turn is; empty: it cannot end here. written: the draft with all of it. unused: what it could still
    do, in few words.

    kind, question, ways: where one of several values is still to be chosen.
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
    ways: list[Way] = []


def turn_page(
    game: Game,
    seat: Seat,
    sight: Sight,
    asking: Asking,
    together: TurnWords,
    turn: Sequence[Plain],
    kind: str,
    chosen: Mapping[str, Any],
) -> TurnPage:
    """The turn so far, as far as it is possible now, and what may follow in each part of it."""
    draft, refused = possible_part(turn_draft.begin_draft(game, seat, sight, together.scope), turn)
    if kind:
        left = choices.narrow_decisions(asking.ruleset_id, choices.by_kind(draft.legal).get(kind, []), chosen)
        asked = choices.question(asking.ruleset_id, left, chosen)
        if left and asked is not None:
            ways = choices.answers(asking, seat, kind, chosen, asked)
            return TurnPage(
                draft=draft,
                heading=heading_of(asking, draft),
                entered=turn_lines(draft, together),
                refused=refused,
                kind=kind,
                chosen=dict(chosen),
                question=choices.question_label(asking, kind, asked),
                ways=[turn_button(draft, together, way) for way in ways],
            )
        if left:
            draft = draft.with_decision(left[0])
    draft = draft.without_closings(together.close)
    open_parts = draft.with_closings(together.close)
    last = open_parts[-1]
    return TurnPage(
        draft=draft,
        heading=heading_of(asking, draft),
        entered=turn_lines(draft, together),
        refused=refused,
        stretches=[
            stretch
            for part in open_parts
            for stretch in [stretch_of(asking, together, part)]
            if stretch.ways or stretch.charts
        ],
        turn=last.decisions if last.is_over else [],
        written=last if last.is_over else None,
        unused=unused(draft, together),
    )


def unused(draft: Draft, together: TurnWords) -> str:
    """What the open part of a turn could still do; nothing where only closing it is left."""
    goes_on = any(decision["type"] not in together.close for decision in draft.legal)
    return together.unused(draft.board, draft.seat) if draft.parts and goes_on else ""


def heading_of(asking: Asking, draft: Draft) -> str:
    if draft.is_over:
        return words.say("the turn is complete") if draft.parts else ""
    return words.prompt(asking.ruleset_id, draft.board, draft.seat, asking.names)


def possible_part(draft: Draft, turn: Sequence[Plain]) -> tuple[Draft, Refusal | None]:
    """The turn as far as it is possible now, and what was not. Raises NotADecisionError."""
    for decision in turn:
        try:
            draft = draft.with_decision(decision)
        except IllegalDecision as no:
            return draft, Refusal(no.rule, no.reason, decision)
    return draft, None


def turn_lines(draft: Draft, together: TurnWords) -> list[TurnLine]:
    """The lines of the turn so far; closing a part of it is none, and what it brings stands with what it closes."""
    lines: list[TurnLine] = []
    at = 0
    for _, some in groupby(draft.parts, key=lambda part: part.decision):
        parts = list(some)
        told = [effects_of_part(part, together) for part in parts]
        alike = all(effects == told[0] for effects in told)
        effects = told[0] if alike else [effect for effects in told for effect in effects]
        at_first = lines.pop().at if lines and lines[-1].decision["type"] in together.opens else at
        if parts[0].decision["type"] not in together.close:
            lines.append(TurnLine(parts[0].decision, len(parts) if alike else 1, at_first, effects))
        elif lines and effects:
            lines[-1] = msgspec.structs.replace(lines[-1], effects=[*lines[-1].effects, *effects])
        at += len(parts)
    return lines


def effects_of_part(part: DraftPart, together: TurnWords) -> list[Plain]:
    """What a decision of the turn brings, without what goes on by itself when the turn is over."""
    effects = effects_within_turn(part.effects, together) if part.ends else part.effects
    unsaid = {tag_of(kind) for kind in (together.closed, *together.unsaid)}
    return [effect for effect in effects if effect["type"] not in unsaid]


def effects_within_turn(effects: Sequence[Plain], together: TurnWords) -> Sequence[Plain]:
    """What a decision that ends the turn brings until then; afterwards the game goes on by itself."""
    if together.goes_on:
        goes_on = {tag_of(kind) for kind in together.goes_on}
        return list(takewhile(lambda effect: effect["type"] not in goes_on, effects))
    ends = [place for place, effect in enumerate(effects) if effect["type"] == tag_of(together.closed)]
    return effects[: ends[-1]] if ends else effects


def stretch_of(asking: Asking, together: TurnWords, draft: Draft) -> TurnStretch:
    legal = [decision for decision in draft.legal if decision["type"] not in together.close]
    if not legal:
        return TurnStretch("", [], [])
    charts, shown = choices.charts(asking, draft.board, draft.seat, legal)
    left = [decision for decision in legal if decision["type"] not in shown]
    return TurnStretch(
        heading_of(asking, draft),
        [choices.map_buttons(chart, lambda way: turn_chart_button(draft, together, way)) for chart in charts],
        [turn_button(draft, together, way) for way in choices.ways(asking, draft.seat, left)],
    )


def turn_button(draft: Draft, together: TurnWords, way: Way) -> Way:
    """The button of a turn that is put together: what it decides is added, and written with the rest."""
    if way.decision is None:
        return msgspec.structs.replace(way, query=address(way.query, draft.decisions))
    after = draft.with_decision(way.decision)
    goes_on = after.is_over and after.spreads  # what the board then shows is not what this decision brings
    now, decision = draft.board if goes_on else after.board, draft.game.ruleset.decision(way.decision)
    note = way.note or together.note(draft.board, now, draft.seat, decision) or meaning(draft, way.decision)
    return msgspec.structs.replace(adding_button(way, after), note=note)


def meaning(draft: Draft, decision: Plain) -> str:
    """What the thing means that a decision is about: a tile that goes back."""
    aside, printed = words.GAMES[draft.game.ruleset.id].choosing.aside, draft.game.opening.sheet.values
    return next((told for field, of in decision.items() if (told := aside(field, of, printed))), "")


def adding_button(way: Way, after: Draft) -> Way:
    """The button that leads to a longer draft; where the turn is over with that and nothing spreads, it writes it."""
    query = address(choices.address_query(after.seat), after.decisions)
    if not after.is_over or after.spreads:
        return msgspec.structs.replace(way, query=query, at_once=False, adds=True)
    return msgspec.structs.replace(way, query=query, at_once=True, turn=after.decisions)


def turn_chart_button(draft: Draft, together: TurnWords, way: Way) -> Way:
    """The same for a place of a chart, which says itself what it brings, but for what the cash is not enough for."""
    if not way.several:
        return msgspec.structs.replace(way, query=address(way.query, draft.decisions))
    try:
        after = draft.with_decisions(way.several)
    except CANNOT_GO_ON:  # a board that no legal play leads to: what comes of it is seen when it is tried
        longer = [*draft.decisions, *way.several]
        return msgspec.structs.replace(
            way, query=address(choices.address_query(draft.seat), longer), at_once=False, adds=True
        )
    need = "" if after.is_over else together.in_need(draft.board, after.board, draft.seat)
    return adding_button(msgspec.structs.replace(way, note=", ".join(filter(None, (way.note, need)))), after)


def first_of_turn(game: Game, together: TurnWords) -> int | None:
    """The step with which the turn began that the last decision belongs to; None if that belongs to none."""
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


def address(query: Mapping[str, str], turn: Sequence[Plain]) -> dict[str, str]:
    """An address that holds the turn so far."""
    return {**query, "t": choices.value_in_address(list(turn))} if turn else {**query}


def turn_in(text: str) -> list[Plain]:
    """The turn so far out of an address or a form. Raises NotADecisionError for what was made up."""
    if not text:
        return []
    try:
        turn = load_json(text)
    except (ValueError, RecursionError) as wrong:
        raise NotADecisionError(f"{wrong}") from wrong
    if not isinstance(turn, list) or len(turn) > TURN_LIMIT or not all(isinstance(one, dict) for one in turn):
        raise NotADecisionError("this is not a list of decisions")
    return turn
