"""The last turns of a record, one line each: the decisions and the change of the player's money."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice, takewhile
from typing import Any

import msgspec

from daybook.domain.disputes import ClaimEvent
from daybook.domain.games import RULESETS
from daybook.domain.kernel.events import AnyEvent, BoardAdjusted, ClaimRaised, DecisionRecorded, DecisionsTakenBack
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.domain.sealed_entries import is_sealed_kind, leaves_sealed
from daybook.services.play.replay import StepShown
from daybook.web import words
from daybook.web.boards.table_privacy import TablePrivacy
from daybook.web.replay import settlements
from daybook.web.replay.settlements import DECISIONS, SettledStretch, Settlement
from daybook.web.words import Names, say, say_n
from daybook.web.words.decision_words import OPENS
from daybook.web.words.seal_words import reveal_seal


class RecentTurn(Frozen):
    """A turn in one line."""

    steps: list[StepShown]
    says: str
    automatic: list[Settlement] = []  # cards of automatic changes after this turn

    @property
    def last(self) -> StepShown:
        return self.steps[-1]


class TurnSteps(Frozen):
    """The steps of a turn, not read yet, and what has run by itself at them."""

    steps: tuple[int, ...]
    automatic: tuple[SettledStretch, ...]


def group_turns(
    game: Game, numbers: Iterable[int], stretches: Iterable[SettledStretch], at_most: int
) -> list[TurnSteps]:
    """Return the last turns, newest first.

    Args:
        numbers: the steps, in order.
        stretches: their automatic actions.
    """
    struck, after = game.struck_steps(), {stretch.last: stretch for stretch in stretches}
    groups = groupby(reversed([*numbers]), key=lambda step: _turn_key(game, step, struck))
    turns = [tuple(steps)[::-1] for _, steps in islice(groups, at_most)]
    return [TurnSteps(turn, tuple(after[step] for step in turn if step in after)) for turn in turns]


def build_turn(
    game: Game, turn: TurnSteps, steps: Mapping[int, StepShown], names: Names, view: TablePrivacy
) -> RecentTurn:
    """Put a turn into words.

    Args:
        steps: by number, as seen.
    """
    shown = [reveal_seal(game, view.redact_step(steps[step])) for step in turn.steps]
    return RecentTurn(shown, _turn_line(game, shown, names, view), _automatic_cards(game, turn.automatic, names, view))


def build_recent_turns(
    game: Game,
    steps: Mapping[int, StepShown],
    stretches: Iterable[SettledStretch],
    names: Names,
    view: TablePrivacy,
    at_most: int,
) -> list[RecentTurn]:
    """Return the last turns in words, newest first."""
    return [build_turn(game, turn, steps, names, view) for turn in group_turns(game, steps, stretches, at_most)]


def _turn_key(game: Game, step: int, struck: Mapping[int, int]) -> Any:
    """Return a key that is equal for steps of one turn."""
    event = game.entries[step].event
    if (claim := _claim_of(game, event)) is not None:
        return "claim", claim
    if not isinstance(event, DecisionRecorded) or event.seat == TABLE:
        return step
    _, marks = game.figures_at(game.parents[step])
    if is_sealed_kind(game, event.decision):  # a line of its own; the one that reveals all ends its auction
        return (event.seat, marks, step not in struck, "sealed") if leaves_sealed(game, step) else step
    return event.seat, marks, step not in struck


def _claim_of(game: Game, event: AnyEvent) -> int | None:
    """Return the number of the claim that an entry belongs to; decisions of a ruling belong to their turn."""
    if isinstance(event, ClaimRaised):
        return event.step
    if isinstance(event, ClaimEvent):
        return event.claim
    if not isinstance(event, DecisionsTakenBack | BoardAdjusted) or event.answers_step is None:
        return None
    return _claim_of(game, game.entries[event.answers_step].event)


def _claim_line(game: Game, steps: Sequence[StepShown], names: Names) -> str:
    """Say in one line what was claimed, and how it ended: the ruling, else the newest step."""
    first, *later = steps
    adjusted = [step for step in later if step.type == "board_adjusted"]  # it has the figures
    if adjusted and first.entry.get("figures"):
        return words.sentence(game.ruleset.id, adjusted[-1], names)
    ruled = adjusted or [step for step in later if step.type == "claim_ruled"] or later
    return " · ".join(words.sentence(game.ruleset.id, step, names) for step in (first, *ruled[-1:]))


def _correction_line(game: Game, back: StepShown) -> str:
    """Say which step a correction replaced, and how many stand as before; "" for a take-back of no correction."""
    later = takewhile(
        lambda entry: (
            isinstance(entry.event, DecisionRecorded | BoardAdjusted)
            and (entry.event.copied_from_step is not None or getattr(entry.event, "corrects_step", None) is not None)
        ),
        game.entries[back.step + 1 :],
    )
    copies = [getattr(entry.event, "copied_from_step", None) is not None for entry in later]
    if not copies:
        return ""
    step = game.line_since(back.step, back.step - 1)[0]
    corrected = say("Step {step} is corrected: {why}", step=step, why=back.why)
    if not any(copies):
        return corrected
    return say_n(
        "{corrected}. The rest is unchanged ({n} step).",
        "{corrected}. The rest is unchanged ({n} steps).",
        sum(copies),
        corrected=corrected,
    )


def _turn_line(game: Game, turn: Sequence[StepShown], names: Names, view: TablePrivacy) -> str:
    """Summarize a turn: "Bert places Quality on the £8 row · raises quality of food to 1 · £10 to £2"."""
    first = turn[0]
    if _claim_of(game, game.entries[first.step].event) is not None:
        return _claim_line(game, turn, names)
    if first.type == "decisions_taken_back" and (corrected := _correction_line(game, first)):
        return corrected
    if first.seat is None or first.seat == TABLE or first.decision is None or first.type not in DECISIONS:
        says = words.sentence(game.ruleset.id, first, names)
        for shows in _card_explanations(game, first):
            if shows not in says:
                says += f" ({shows})"
        drawn = words.draw_sentence(first)
        return f"{says} ({drawn})" if drawn else says
    if is_sealed_kind(game, first.decision):  # what an auction paid is on its card
        return " · ".join(_turn_sentences(game, turn, names))
    said = _turn_sentences(game, turn, names)
    return " · ".join([*said, *_money_change(game, turn, first.seat, said, view)])


def _card_explanations(game: Game, step: StepShown) -> list[str]:
    """Explain the cards that a fact names."""
    if step.type not in DECISIONS or step.decision is None:
        return []
    return words.explain_cards(game.ruleset.id, step.decision, game.opening.sheet.values)


def _turn_sentences(game: Game, turn: Sequence[StepShown], names: Names) -> list[str]:
    """Say what a player did in a turn: equal sentences are counted, mere beginnings and ends left out.

    A beginning stays if nothing follows it yet, such as a certificate put up in a sale that is not finished. The first sentence names the player; the others begin with what the player does.
    """
    rules = game.ruleset.id
    words_of_game = words.GAMES[rules].decisions
    turn = [step for step in turn if not _is_told_later(rules, turn, step)]
    opens, kinds = {*words_of_game.tags[OPENS]}, [step.decision and step.decision["type"] for step in turn]
    unfinished = [*takewhile(lambda kind: kind in opens, reversed(kinds))]
    minor = {*opens, *words_of_game.deeds}
    shown = [
        step
        for number, (step, kind) in enumerate(zip(turn, kinds, strict=True))
        if kind not in minor or number >= len(turn) - len(unfinished)
    ] or turn[-1:]
    seat = turn[0].seat
    subject = "" if seat is None else words.say("{seat} {does}", seat=names[seat], does="")
    first, *others = Counter(text for step in shown for text in _step_sentences(game, step, names)).items()
    always = {*map(tag_of, words.GAMES[rules].line_effects)}
    said = {text for text, _ in (first, *others)}
    added = [
        text
        for step in turn
        for effect in step.effects
        if effect["type"] in always and effect.get("seat") == seat
        for text in [words.sentence(rules, effect, names)]
        if text not in said
    ]
    return [
        text if n == 1 else words.say("{what} ({n} times)", what=text, n=n)
        for text, n in (first, *((text.removeprefix(subject), n) for text, n in (*others, *Counter(added).items())))
    ]


def _step_sentences(game: Game, step: StepShown, names: Names) -> list[str]:
    """Say what a step did: what follows of the same kind for the same seat too, such as a sale of a second colour."""
    rules = game.ruleset.id
    if declined := _declined(game, step, names):
        return [declined]
    if short := _short_sentence(rules, step, names):
        return [short]
    says = words.sentence(rules, step, names)
    first = step.effects[0] if step.effects else None
    if first is None or step.decision is None or words.sentence(rules, first, names) != says:
        return [says]
    alike = [effect for effect in step.effects if all(effect.get(key) == first.get(key) for key in ("type", "seat"))]
    return [words.sentence(rules, effect, names) for effect in alike]


def _short_sentence(ruleset_id: str, step: StepShown, names: Names) -> str:
    """Return the game's shorter sentence for a step, if it has one; else ""."""
    vocabulary = words.GAMES[ruleset_id]
    shorter, part_of_price = vocabulary.line_sentences, {*map(tag_of, vocabulary.line_omits)}
    if step.decision is None:
        return ""
    told = step.effects if step.decision["type"] in part_of_price else step.effects[:1]
    effect = next((effect for effect in told if effect["type"] in map(tag_of, shorter)), None)
    if effect is None:
        return ""
    typed = RULESETS[ruleset_id].effect(effect)
    return words.begin(words.sentence_by_kind(ruleset_id, typed, shorter, names), names)


def _is_told_later(ruleset_id: str, turn: Sequence[StepShown], step: StepShown) -> bool:
    """Check if the line leaves out a step, because an effect of a later one tells its result."""
    omits = {tag_of(kind): tag_of(effect) for kind, effect in words.GAMES[ruleset_id].line_omits.items()}
    told_by = None if step.decision is None else omits.get(step.decision["type"])
    later_effects = (effect for later in turn if later.step > step.step for effect in later.effects)
    return told_by is not None and any(effect["type"] == told_by for effect in later_effects)


def _declined(game: Game, step: StepShown, names: Names) -> str:
    """Say what a player declined, if the game has words for it; else ""."""
    declines = words.GAMES[game.ruleset.id].choosing.declines
    if declines is None or step.decision is None or step.seat is None:
        return ""
    label = declines(game.board_at(game.parents[step.step]), names).get(step.decision["type"])
    return words.say("{name}: {decision}", name=names[step.seat], decision=label) if label else ""


def _money_change(
    game: Game, turn: Sequence[StepShown], seat: Seat, said: Sequence[str], view: TablePrivacy
) -> Iterator[str]:
    """Add up a player's money in a turn, with what automatic actions paid: "£41 + £18 sales − £1 production costs = £58".

    Args:
        said: the sentences of the turn; a single amount that they name needs no cause.
    """
    ledger = words.GAMES[game.ruleset.id].ledger
    column = next((column for column in (*ledger.at_hand, *game.ruleset.ledger.columns) if column in ledger.money), "")
    if not column or view.hides_column(column, seat):
        return
    was = settlements.columns_before(game, turn[0].step)[column][seat]
    now = turn[-1].columns[column][seat]
    parts = _money_parts(game, turn, seat, column)
    if by_hand := now - was - sum(parts.values()):
        parts[words.say("entered by hand")] = by_hand
    if len(parts) == 1:
        parts = {"" if any(_names_amount(text, n) for text in said) else cause: n for cause, n in parts.items()}
    if parts:
        yield words.sum_sentence(game.ruleset.id, column, was, parts, now)


def _money_parts(game: Game, turn: Sequence[StepShown], seat: Seat, column: str) -> dict[str, Points]:
    """Return the amounts that a turn adds to a player's money, by cause."""
    account = words.GAMES[game.ruleset.id].account
    effects = game.ruleset.typed_effects([effect for step in turn for effect in step.effects])
    return account.amounts_by_cause(effects, column, seat) if account is not None else {}


def _names_amount(text: str, amount: Points) -> bool:
    return re.search(rf"(?<![\d.]){abs(amount)}(?![\d.])", text) is not None


def _automatic_cards(
    game: Game, stretches: Sequence[SettledStretch], names: Names, view: TablePrivacy
) -> list[Settlement]:
    """Build cards of the automatic actions that changed figures of a player."""
    cards = [settlements.build_card(game, stretch, names, view, range(len(names))) for stretch in stretches]
    return [
        msgspec.structs.replace(card, own=[]) for card in cards if card.own
    ]  # the table on the card shows every player
