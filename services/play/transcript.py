"""A record as readable text: awaited seats, decisions, effects with their rules, and the ledger.

It is made only from the record, in the same way for every game, for the command line and for golden files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from daybook.domain.kernel import events
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.record import Game, documents_after
from daybook.domain.kernel.terms import TABLE, Score, Seat


def write_transcript(game: Game, title: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the whole record as lines of text."""
    opening = game.opening
    yield f"{title}: {game.title}, {opening.kind} game, recorded {opening.recorded}"
    if day := game.day_of_play():
        yield f"  played on {day}"
    for seat, (name, taken) in enumerate(zip(names, opening.seats, strict=True)):
        yield f"  seat {seat}: {name}, {taken.colour}"
    if opening.options:
        yield f"  options: {fields_text(opening.options)}"
    if opening.sheet.overrides:
        yield f"  the box prints: {fields_text(opening.sheet.overrides)}"
    struck = game.struck_steps()
    awaited: tuple[Seat, ...] = ()
    for entry, document in documents_after(game.entries):
        yield ""
        gone = f" (taken back by step {struck[entry.step]})" if entry.step in struck else ""
        yield f"{entry.step}{gone}  {_position_text(game, entry)}"
        if isinstance(entry.event, events.DecisionRecorded):
            yield f"  awaited: {', '.join(seat_name(names, seat) for seat in awaited)}"
        yield from _outcome_lines(game, entry, names)
        yield from _ledger_lines(game, entry)
        awaited = game.ruleset.course.to_act(game.ruleset.typed_board(document, game.table))
    if game.status != "abandoned":
        yield ""
        yield "the standing at the end:" if game.status == "closed" else "the standing so far:"
        for score in game.ruleset.scoring.standing(game.board):
            yield f"  {score_text(names, score)}"
        outcome = game.ruleset.scoring.outcome(game.board)
        if outcome is not None:
            yield f"  {outcome.reason} ({outcome.rule})"
            ranks = (f"{seat_name(names, seat)} {outcome.place(seat) or 'out'}" for seat in range(len(outcome.ranks)))
            yield f"  ranks: {', '.join(ranks)}"


def seat_name(names: Sequence[str], seat: Seat) -> str:
    return "the table" if seat == TABLE else names[seat]


def score_text(names: Sequence[str], score: Score) -> str:
    lines = ", ".join(
        f"{line.name} {line.amount} ({' '.join(word for word in (line.rule, fields_text(line.figures)) if word)})"
        for line in score.lines
    )
    return f"{seat_name(names, score.seat)} {score.total}: {lines}"


def tagged_text(value: Mapping[str, Any]) -> str:
    """Format a decision or an effect: its type, its rule if it has one, its fields."""
    rest = {name: part for name, part in value.items() if name not in ("type", "rule")}
    return " ".join(str(word) for word in (value["type"], value.get("rule", ""), fields_text(rest)) if word)


def fields_text(values: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value_text(value)}" for name, value in values.items())


def value_text(value: Any) -> str:
    """One value on one line."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ",".join(map(value_text, value)) or "none"
    if isinstance(value, dict):
        return "{" + fields_text(value) + "}"
    return str(value)


def _position_text(game: Game, entry: events.Entry) -> str:
    return fields_text(game.figures_at(entry.step)[1])


def _outcome_lines(game: Game, entry: events.Entry, names: Sequence[str]) -> Iterator[str]:
    event = entry.event
    match event:
        case events.GameOpened():
            yield "  the game is opened"
        case events.DecisionRecorded():
            yield f"  {seat_name(names, event.seat)}: {tagged_text(event.decision)}"
            yield from (f"    {tagged_text(effect)}" for effect in event.effects)
            if isinstance(event, events.DecisionAsPlayed):
                yield from _objection_lines(event)
            if event.copied_from_step is not None:
                yield f"    carried over from step {event.copied_from_step}"
            if event.corrects_step is not None:
                yield f"    in place of step {event.corrects_step}"
            if event.drawn_by_daybook:
                yield "    drawn by Daybook"
            if event.replaces_drawn_step is not None:
                yield f"    put by hand after the draw of step {event.replaces_drawn_step} was undone"
            if event.closed_periods:
                yield f"    ends: {', '.join(f'{period} {number}' for period, number in event.closed_periods)}"
        case events.DecisionsTakenBack():
            redone = not game.line_since(entry.step, entry.step - 1)
            said = (
                f"stands again to step {event.to_step}"
                if redone
                else f"taken back to step {event.to_step} ({event.cause})"
            )
            yield f"  {said}: {event.why or 'no reason given'}"
        case events.BoardAdjusted():
            yield f"  adjusted ({event.cause}): {event.why}"
            yield from (
                f"    {path}: {value_text(was)} -> {value_text(now)}" for path, (was, now) in event.changes.items()
            )
            yield from (f"    {path}: {value_text(value)}, confirmed" for path, value in event.confirmed.items())
        case events.NoteAdded():
            yield f"  note on step {event.about_step}: {event.text}"
        case events.SideEvent():
            beside = {name: part for name, part in plain(event).items() if name not in ("type", *events.OF_WRITING)}
            yield f"  {entry.topic.replace('_', ' ')}: {fields_text(beside)}"
        case events.GameClosed():
            yield f"  closed: totals {value_text(event.totals)}, ranks {value_text(event.ranks)}"
        case events.GameAbandoned():
            yield f"  abandoned: {event.why or 'no reason given'}"
        case events.GameReopened():
            yield f"  reopened: {event.why}"


def _objection_lines(event: events.DecisionAsPlayed) -> Iterator[str]:
    """Yield the rules' objections to a decision that stood against them."""
    yield f"    as played, against {'; '.join(f'{objection.rule}: {objection.reason}' for objection in event.objections)}"
    for path, value in event.values.items():
        yield f"    by hand: {path} = {value_text(value)}"
    if event.why:
        yield f"    because: {event.why}"


def _ledger_lines(game: Game, entry: events.Entry) -> Iterator[str]:
    if isinstance(
        entry.event, events.GameOpened | events.DecisionRecorded | events.DecisionsTakenBack | events.BoardAdjusted
    ):
        columns = game.figures_at(entry.step)[0]
        known = [name for name in game.ruleset.ledger.columns if name in columns]
        names = [*known, *(name for name in columns if name not in known)]
        yield "  " + " | ".join(f"{name} {' '.join(map(str, columns[name]))}" for name in names)
