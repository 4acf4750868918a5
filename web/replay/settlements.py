"""Settlement cards: what each player has to do after automatic actions, in columns.

Computed from the record as its viewer sees it: effects of steps, and figures before and after. The record page shows a
card until it is dismissed in that browser; the replay shows it at its step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import itemgetter
from threading import Lock
from typing import Any

import msgspec
from cachetools import LRUCache, cached

from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.period_points import corrected_columns
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.terms import Board, Effect, Seat
from daybook.services.play.replay import StepShown, StepsOnDemand
from daybook.web import words
from daybook.web.boards.table_privacy import TablePrivacy
from daybook.web.words import Names
from daybook.web.words.account import DONE, AccountWords, Who, sum_postings

Columns = Mapping[str, Sequence[Points]]
Plain = Mapping[str, Any]

DECISIONS = ("decision_recorded", "decision_as_played")
EFFECT_TAG = itemgetter("type")
STARTS_CACHE_SIZE = STRETCHES_CACHE_SIZE = 512  # records at one step
BEGINNINGS_CACHE_SIZE = 4096  # steps as one sight sees them
FRESH_STEPS = 12  # a card this recent is shown in a browser that has dismissed none yet


class SettledStretch(msgspec.Struct):
    """Steps with automatic actions.

    Args:
        effects: from their start on.
        before: figures before them.
        going_on: not finished yet.
    """

    steps: list[StepShown]
    effects: list[Effect]
    before: Columns
    going_on: bool = False

    @property
    def last(self) -> int:
        return self.steps[-1].step


class AccountLine(Frozen):
    """One line of the card: what it is called, and an amount for each column; empty where there is none."""

    label: str
    amounts: list[str]


class FigureLine(Frozen):
    """Changes of a ledger figure by seat.

    Args:
        now: empty if the table keeps it covered.
        was: the change as the step recorded it, where a later correction of its round changed it; else empty.
    """

    label: str
    gains: list[str]
    now: list[str]
    was: list[str] = []


class Settlement(Frozen):
    """Settlement card.

    Args:
        who: its columns: seats, then other parties.
        last: its last step.
        button: label for dismissing it.
    """

    heading: str
    last: int
    who: list[Who]
    lines: list[AccountLine]
    figures: list[FigureLine]
    notes: list[str]
    own: list[str]
    steps: list[StepShown]
    button: str
    going_on: bool = False

    def name(self, ruleset_id: str, who: Who, names: Names) -> str:
        account = words.GAMES[ruleset_id].account
        return names[who] if isinstance(who, int) else account.others(who) if account else who


def pending_stretches(game: Game, ran: Sequence[SettledStretch], done: int | None) -> list[SettledStretch]:
    """Return the automatic actions that this browser has not dismissed, newest first; on a sheet, until the next figure.

    Args:
        ran: automatic actions of the newest steps.
    """
    after = game.step - FRESH_STEPS if done is None else done
    account = words.GAMES[game.ruleset.id].account
    if game.ruleset.course.figure is not None or (account is not None and account.until_next_decision):
        after = max(after, game.heads[-1] - 1)
    pending = [stretch for stretch in ran if stretch.last > after and _has_news(stretch, account, after)]
    return [*reversed(pending if done is not None else pending[-1:])]


def _has_news(stretch: SettledStretch, account: AccountWords | None, after: int) -> bool:
    """Check if automatic actions that a browser has seen up to a step changed a main figure since."""
    seen = [step for step in stretch.steps if step.step <= after]
    if not seen or account is None or not account.figures:
        return True
    return any(seen[-1].columns[column] != stretch.steps[-1].columns[column] for column in account.figures)


@cached(
    LRUCache(STRETCHES_CACHE_SIZE), key=lambda game, steps: (game.seal, steps.sight_key, steps.numbers), lock=Lock()
)
def newest_stretches(game: Game, steps: StepsOnDemand) -> list[SettledStretch]:
    """Return the automatic actions among the newest steps. Viewers with the same sight share them: do not change them."""
    return find_stretches(game, steps, partial(_beginning_at, game, steps))


@cached(
    LRUCache(BEGINNINGS_CACHE_SIZE),
    key=lambda game, steps, number: (game.entries[number].seal, steps.sight_key),
    lock=Lock(),
)
def _beginning_at(game: Game, steps: StepsOnDemand, number: int) -> SettledStretch | None:
    """Return the automatic actions that begin at a standing step, if any. Viewers share them: do not change them."""
    return extend_stretch(game, None, steps[number])


def find_stretches(
    game: Game, steps: Mapping[int, StepShown], beginning_at: Callable[[int], SettledStretch | None] | None = None
) -> list[SettledStretch]:
    """Return the automatic actions among these standing steps.

    Args:
        beginning_at: returns those that begin at a step, from a cache.
    """
    runs: list[SettledStretch] = []
    account, struck = words.GAMES[game.ruleset.id].account, game.struck_steps()
    starts = None if account is None else _possible_starts(game, tuple(steps), account)
    for number in steps:
        before = runs[-1] if runs and runs[-1].going_on else None
        if number in struck or (before is None and starts is not None and number not in starts):
            continue
        if before is None and beginning_at is not None:
            after = beginning_at(number)
        else:
            after = extend_stretch(game, before, steps[number])
        if after is None or after is before:
            continue
        if before is not None:
            runs.pop()
        runs.append(after)
    return runs


@cached(LRUCache(STARTS_CACHE_SIZE), key=lambda game, steps, account: (game.seal, steps[:1], len(steps)), lock=Lock())
def _possible_starts(game: Game, steps: Sequence[int], account: AccountWords) -> frozenset[int]:
    """Return the steps at which automatic actions may start, the same for all viewers."""
    return frozenset(
        step
        for step in steps
        if isinstance(event := game.entries[step].event, DecisionRecorded)
        and not account.start_tags.isdisjoint(map(EFFECT_TAG, event.effects))
    )


def extend_stretch(game: Game, before: SettledStretch | None, step: StepShown) -> SettledStretch | None:
    """Return the automatic actions up to a step, if any.

    Args:
        before: unfinished actions when the step is taken.
    """
    if step.type not in DECISIONS:
        return before
    account = words.GAMES[game.ruleset.id].account
    if account is None:
        return _stretch_by_ledger(game, step)
    if before is not None:
        effects = [*before.effects, *game.ruleset.typed_effects(step.effects)]
        return SettledStretch([*before.steps, step], effects, before.before, _goes_on(effects, account))
    effects = automatic_effects(game.ruleset, step.effects, account)
    return (
        SettledStretch([step], effects, columns_before(game, step.step), _goes_on(effects, account))
        if effects
        else None
    )


def count_decided(game: Game, before: SettledStretch | None, step: StepShown) -> int:
    """Return how many sentences of a step with automatic actions describe the decision."""
    account = words.GAMES[game.ruleset.id].account
    if account is None or before is not None:
        return 1
    return len(step.effects) - len(automatic_effects(game.ruleset, step.effects, account))


def automatic_effects(rules: AnyRuleset, effects: Sequence[Plain], account: AccountWords) -> list[Effect]:
    """Return a step's effects from the start of automatic actions on."""
    if account.start_tags.isdisjoint(map(EFFECT_TAG, effects)):
        return []
    typed = rules.typed_effects(effects)
    for place, effect in enumerate(typed):
        starts = account.starts.get(type(effect))
        if starts is not None and starts(effect):
            return typed[place:]
    return []


def _goes_on(effects: Iterable[Effect], account: AccountWords) -> bool:
    going_on = False
    for effect in effects:
        going_on = (going_on or account.opens(effect)) and not account.closes(effect)
    return going_on


def _stretch_by_ledger(game: Game, step: StepShown) -> SettledStretch | None:
    """Return a step that ends a period or changes other seats' figures, for games without words for effects."""
    before = (
        _columns_at_period(game, step, game.board_at(step.step))
        if step.closed_periods
        else columns_before(game, step.step)
    )
    changed = {seat for column, now in step.columns.items() for seat, n in enumerate(now) if n != before[column][seat]}
    if not step.closed_periods and not changed - {step.seat}:
        return None
    return SettledStretch([step], game.ruleset.typed_effects(step.effects), before)


def columns_before(game: Game, step: int) -> Columns:
    columns, _ = game.figures_so_far(game.parents[step])
    return columns


def _columns_at_period(game: Game, step: StepShown, now: Board) -> Columns:
    """Return the figures at the start of the period that a step ends, with the corrections until a board."""
    period, _ = step.closed_periods[-1]
    for earlier in game.line_back(game.parents[step.step]):
        event = game.entries[earlier].event
        if isinstance(event, DecisionRecorded) and any(mark == period for mark, _ in event.closed_periods):
            return corrected_columns(game, earlier, game.figures_so_far(earlier)[0], now)
    return game.figures_so_far(0)[0]


def build_card(
    game: Game, stretch: SettledStretch, names: Names, view: TablePrivacy, own: Iterable[Seat]
) -> Settlement:
    """Build the card of automatic actions. Later corrections of a round count in that round."""
    before, after = stretch.before, stretch.steps[-1].columns
    card = build_settlement(game.ruleset.id, stretch.effects, before, after, names, view, own)
    corrected = _corrected_period(game, stretch.steps[-1])
    if corrected is not None and corrected != (before, after):
        recorded = card
        card = build_settlement(game.ruleset.id, stretch.effects, *corrected, names, view, own)
        card = msgspec.structs.replace(card, figures=_with_recorded(card.figures, recorded.figures))
    return msgspec.structs.replace(
        card,
        heading=card.heading or _plain_heading(game.ruleset.id, stretch.steps[0], names),
        last=stretch.last,
        steps=stretch.steps,
        going_on=stretch.going_on,
    )


def _corrected_period(game: Game, step: StepShown) -> tuple[Columns, Columns] | None:
    """Return the figures before and after the period that a step ends, with later corrections; None without a period."""
    if not step.closed_periods or game.ruleset.scoring.by_period is None or step.step in game.struck_steps():
        return None
    before = _columns_at_period(game, step, game.board)
    return before, corrected_columns(game, step.step, step.columns, game.board)


def _with_recorded(figures: Sequence[FigureLine], recorded: Sequence[FigureLine]) -> list[FigureLine]:
    """Return lines of figures, each with the changes that were recorded at first where they differ."""
    first = {line.label: line.gains for line in recorded}
    return [
        msgspec.structs.replace(
            line,
            was=[
                (old or "0") if old != new else ""
                for old, new in zip(first.get(line.label, line.gains), line.gains, strict=True)
            ],
        )
        for line in figures
    ]


def _plain_heading(ruleset_id: str, step: StepShown, names: Names) -> str:
    if not step.closed_periods:
        return words.sentence(ruleset_id, step, names)
    return words.say(
        "{period} is over",
        period=words.join_words([words.mark_label(ruleset_id, *mark) for mark in step.closed_periods]),
    )


def preview_settlement(
    game: Game,
    effects: Sequence[Plain],
    before: Columns,
    after: Columns,
    names: Names,
    view: TablePrivacy,
    own: Iterable[Seat],
) -> Settlement | None:
    """Build the card that a decision would lead to, if any."""
    account = words.GAMES[game.ruleset.id].account
    if account is None:
        return None
    automatic = automatic_effects(game.ruleset, effects, account)
    if not automatic:
        return None
    card = build_settlement(game.ruleset.id, automatic, before, after, names, view, own)
    return msgspec.structs.replace(card, going_on=_goes_on(automatic, account))


def build_settlement(
    ruleset_id: str,
    effects: Sequence[Effect],
    before: Columns,
    after: Columns,
    names: Names,
    view: TablePrivacy,
    own: Iterable[Seat],
) -> Settlement:
    """Build the card of effects.

    Args:
        before: ledger figures before.
        after: ledger figures after.
    """
    account = words.GAMES[ruleset_id].account
    postings = {} if account is None else sum_postings(account.postings_of(effects))
    who: list[Who] = [*range(len(names)), *sorted({party for _, party in postings if isinstance(party, str)})]
    lines = (
        []
        if account is None
        else [
            AccountLine(words.say(row.label), amounts)
            for name, row in account.rows.items()
            for amounts in [[_amount_text(account, name, postings.get((name, party), {})) for party in who]]
            if any(amounts)
        ]
    )
    figures, said = _figure_lines(ruleset_id, account, postings, before, after, len(names), view)
    return Settlement(
        heading="" if account is None else account.heading(effects, names),
        last=-1,
        who=who,
        lines=lines,
        figures=figures,
        notes=[]
        if account is None
        else [
            words.sentence(ruleset_id, msgspec.to_builtins(effect), names)
            for effect in effects
            if type(effect) in account.notes
        ],
        own=[
            sentence
            for seat in sorted(own)
            for sentence in [_seat_sentence(account, postings, seat, names, said)]
            if sentence
        ],
        steps=[],
        button=words.say(DONE),
    )


def _amount_text(account: AccountWords, row: str, amounts: Mapping[str, int]) -> str:
    return ", ".join(account.rows[row].amount(n, name) for name, n in amounts.items())


def _figure_lines(
    ruleset_id: str,
    account: AccountWords | None,
    postings: Mapping[tuple[str, Who], Mapping[str, int]],
    before: Columns,
    after: Columns,
    seats: int,
    view: TablePrivacy,
) -> tuple[list[FigureLine], list[list[str]]]:
    """Return changed figures, and sentences by seat where there is no account."""
    lines: list[FigureLine] = []
    sentences: list[list[str]] = [[] for _ in range(seats)]
    for column in (account.figures if account else ()) or words.GAMES[ruleset_id].ledger.shown or tuple(after):
        rows = {name: row.sign for name, row in account.rows.items() if row.column == column} if account else {}
        by = [
            sum(sign * n for name, sign in rows.items() for n in postings.get((name, seat), {}).values())
            if rows
            else after[column][seat] - before[column][seat]
            for seat in range(seats)
        ]
        if not any(by):
            continue
        lines.append(
            FigureLine(
                words.column_label(ruleset_id, column),
                [words.gain_label(ruleset_id, column, n) if n else "" for n in by],
                [
                    ""
                    if view.hides_column(column, seat)
                    else words.column_value(ruleset_id, column, after[column][seat])
                    for seat in range(seats)
                ],
            )
        )
        for seat, n in enumerate(by):
            if n and account is None:
                sentences[seat].append(
                    words.say(
                        "{column} {by}",
                        column=words.column_label(ruleset_id, column),
                        by=words.gain_label(ruleset_id, column, n),
                    )
                )
    return lines, sentences


def _seat_sentence(
    account: AccountWords | None,
    postings: Mapping[tuple[str, Who], Mapping[str, int]],
    seat: Seat,
    names: Names,
    sentences: Sequence[Sequence[str]],
) -> str:
    """Return what a party does and gets, in one sentence; "" for nothing."""
    parts = (
        []
        if account is None
        else [
            words.say(row.says, what=_amount_text(account, name, postings[name, seat]))
            for name, row in account.rows.items()
            if (name, seat) in postings
        ]
    )
    parts += sentences[seat]
    return words.say("{name} {does}", name=names[seat], does=", ".join(parts)) if parts else ""
