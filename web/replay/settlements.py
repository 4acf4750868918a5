"""What everybody has to do after something has run by itself: a column for each player.

A pure function of the record as its viewer may see it: the effects of one step or several, and the figures before and
after. The page for recording shows it until somebody says that it is done, which is a matter of each browser and no
part of the record; the replay shows it at the step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

import msgspec

from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.terms import Effect, Seat
from daybook.services.play.replay import StepShown
from daybook.web import words
from daybook.web.boards.table_privacy import TablePrivacy
from daybook.web.words import Names
from daybook.web.words.account import DONE, AccountWords, Who, totals

Columns = Mapping[str, Sequence[int]]
Plain = Mapping[str, Any]

DECISIONS = ("decision_recorded", "decision_as_played")
EFFECT_TAG = itemgetter("type")
FRESH = 12  # steps: what has run by itself within them is shown to who has not said yet that anything is done


class SettledStretch(msgspec.Struct):
    """A stretch of the record that ran by itself: over one step or several, while decisions were asked for in it.

    effects: from where it begins. before: the figures then; going_on: it is not over yet.
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
    """How a figure of the ledger has changed, by seat. now: empty where the table keeps it covered."""

    label: str
    gains: list[str]
    now: list[str]


class Settlement(Frozen):
    """The card. who: its columns, seats and after them who else takes part; last: the step up to which it tells;
    button: what puts it away.
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


def waiting(
    game: Game, ran: Sequence[SettledStretch], done: int | None, names: Names, view: TablePrivacy, own: Iterable[Seat]
) -> list[Settlement]:
    """The cards that nobody here has called done, the newest first. ran: what ran by itself in the newest steps."""
    after = game.step - FRESH if done is None else done
    found = [one for one in ran if one.last > after]
    return [card_of(game, one, names, view, own) for one in reversed(found if done is not None else found[-1:])]


def stretches(game: Game, steps: Mapping[int, StepShown]) -> list[SettledStretch]:
    """What ran by itself in these steps, by their numbers, of those that stand."""
    found: list[SettledStretch] = []
    account, struck = words.GAMES[game.ruleset.id].account, game.struck_steps()
    for number in steps:
        before = found[-1] if found and found[-1].going_on else None
        if number in struck or (before is None and account is not None and not _may_start(game, number, account)):
            continue
        after = stretch_at(game, before, steps[number])
        if after is None or after is before:
            continue
        if before is not None:
            found.pop()
        found.append(after)
    return found


def _may_start(game: Game, step: int, account: AccountWords) -> bool:
    """Whether something may begin to run by itself at a step, as at few of them."""
    event = game.entries[step].event
    return isinstance(event, DecisionRecorded) and not account.start_tags.isdisjoint(map(EFFECT_TAG, event.effects))


def stretch_at(game: Game, before: SettledStretch | None, step: StepShown) -> SettledStretch | None:
    """What has run by itself up to a step; None if nothing has. before: what goes on when the step is taken."""
    if step.type not in DECISIONS:
        return before
    account = words.GAMES[game.ruleset.id].account
    if account is None:
        return _by_ledger(game, step)
    if before is not None:
        told = [*before.effects, *game.ruleset.typed_effects(step.effects)]
        return SettledStretch([*before.steps, step], told, before.before, _goes_on(told, account))
    told = from_start(game.ruleset, step.effects, account)
    return SettledStretch([step], told, columns_before(game, step.step), _goes_on(told, account)) if told else None


def count_decided(game: Game, before: SettledStretch | None, step: StepShown) -> int:
    """How many sentences of a step, at which something runs by itself, tell what was decided."""
    account = words.GAMES[game.ruleset.id].account
    if account is None or before is not None:
        return 1
    return len(step.effects) - len(from_start(game.ruleset, step.effects, account))


def from_start(rules: AnyRuleset, effects: Sequence[Plain], account: AccountWords) -> list[Effect]:
    """The effects of a step from the one on with which something begins to run by itself."""
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


def _by_ledger(game: Game, step: StepShown) -> SettledStretch | None:
    """In a game that says nothing of its effects: what a step did that ends a period, or changes the figures of
    somebody else than who decided.
    """
    before = _columns_at_period(game, step) if step.closed else columns_before(game, step.step)
    changed = {seat for column, now in step.columns.items() for seat, n in enumerate(now) if n != before[column][seat]}
    if not step.closed and not changed - {step.seat}:
        return None
    return SettledStretch([step], game.ruleset.typed_effects(step.effects), before)


def columns_before(game: Game, step: int) -> Columns:
    columns, _ = game.figures_at(game.parents[step])
    return columns


def _columns_at_period(game: Game, step: StepShown) -> Columns:
    """The figures when the period began that a step ends."""
    period, _ = step.closed[-1]
    for earlier in game.line_back(game.parents[step.step]):
        event = game.entries[earlier].event
        if isinstance(event, DecisionRecorded) and any(mark == period for mark, _ in event.closed):
            return game.figures_at(earlier)[0]
    return game.figures_at(0)[0]


def card_of(game: Game, one: SettledStretch, names: Names, view: TablePrivacy, own: Iterable[Seat]) -> Settlement:
    """The card of a stretch of the record."""
    card = settlement_of(game.ruleset.id, one.effects, one.before, one.steps[-1].columns, names, view, own)
    return msgspec.structs.replace(
        card,
        heading=card.heading or _plain_heading(game.ruleset.id, one.steps[0], names),
        last=one.last,
        steps=one.steps,
        going_on=one.going_on,
    )


def _plain_heading(ruleset_id: str, step: StepShown, names: Names) -> str:
    if not step.closed:
        return words.event_sentence(ruleset_id, step, names)
    return words.say(
        "{period} is over", period=words.join_words([words.mark_label(ruleset_id, *one) for one in step.closed])
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
    """The card that a decision would lead to, if something runs by itself after it."""
    account = words.GAMES[game.ruleset.id].account
    if account is None:
        return None
    told = from_start(game.ruleset, effects, account)
    return settlement_of(game.ruleset.id, told, before, after, names, view, own) if told else None


def settlement_of(
    ruleset_id: str,
    effects: Sequence[Effect],
    before: Columns,
    after: Columns,
    names: Names,
    view: TablePrivacy,
    own: Iterable[Seat],
) -> Settlement:
    """The card of some effects. before, after: the figures of the ledger, on both sides of all that happened there."""
    account = words.GAMES[ruleset_id].account
    of = {} if account is None else totals(account.postings_of(effects))
    who: list[Who] = [*range(len(names)), *sorted({one for _, one in of if isinstance(one, str)})]
    lines = (
        []
        if account is None
        else [
            AccountLine(words.say(row.label), amounts)
            for name, row in account.rows.items()
            for amounts in [[_amount(account, name, of.get((name, one), {})) for one in who]]
            if any(amounts)
        ]
    )
    figures, said = _figures(ruleset_id, account, of, before, after, len(names), view)
    return Settlement(
        heading="" if account is None else account.heading(effects, names),
        last=-1,
        who=who,
        lines=lines,
        figures=figures,
        notes=[]
        if account is None
        else [
            words.effect_sentence(ruleset_id, msgspec.to_builtins(effect), names)
            for effect in effects
            if type(effect) in account.notes
        ],
        own=[sentence for seat in sorted(own) for sentence in [_sentence(account, of, seat, names, said)] if sentence],
        steps=[],
        button=words.say(DONE if account is None else account.button(effects)),
    )


def _amount(account: AccountWords, row: str, amounts: Mapping[str, int]) -> str:
    return ", ".join(account.rows[row].amount(n, of) for of, n in amounts.items())


def _figures(
    ruleset_id: str,
    account: AccountWords | None,
    of: Mapping[tuple[str, Who], Mapping[str, int]],
    before: Columns,
    after: Columns,
    seats: int,
    view: TablePrivacy,
) -> tuple[list[FigureLine], list[list[str]]]:
    """The figures that have changed, and by seat what there is to say of them where there is no account."""
    lines: list[FigureLine] = []
    said: list[list[str]] = [[] for _ in range(seats)]
    for column in (account.figures if account else ()) or words.GAMES[ruleset_id].ledger.shown or tuple(after):
        rows = {name: row.sign for name, row in account.rows.items() if row.column == column} if account else {}
        by = [
            sum(sign * n for name, sign in rows.items() for n in of.get((name, seat), {}).values())
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
                said[seat].append(
                    words.say(
                        "{column} {by}",
                        column=words.column_label(ruleset_id, column),
                        by=words.gain_label(ruleset_id, column, n),
                    )
                )
    return lines, said


def _sentence(
    account: AccountWords | None,
    of: Mapping[tuple[str, Who], Mapping[str, int]],
    seat: Seat,
    names: Names,
    said: Sequence[Sequence[str]],
) -> str:
    """What somebody does and gets, in one sentence; empty where there is nothing."""
    parts = (
        []
        if account is None
        else [
            words.say(row.says, what=_amount(account, name, of[name, seat]))
            for name, row in account.rows.items()
            if (name, seat) in of
        ]
    )
    parts += said[seat]
    return words.say("{name} {does}", name=names[seat], does=", ".join(parts)) if parts else ""
