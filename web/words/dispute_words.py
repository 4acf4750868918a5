"""Words for claims, rulings, what-if lines, receipts and audits, the same for every game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from daybook.domain.disputes import Claim
from daybook.domain.kernel.events import DecisionRecorded, Ruling, RulingConsented
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.domain.sealed_entries import is_sealed_kind
from daybook.services.play.recording import before_turn
from daybook.services.store.disagreements import Disagreement
from daybook.web.words import GAMES, mark_label, usual_text
from daybook.web.words.say import N_, Names, Texts, begin, join_words, say, say_n

MAX_STEPS_NAMED = 5  # in one sentence

STATES: Texts = {
    "open": "not ruled yet",
    "ruled": "ruled on, and it may be appealed",
    "appealed": "appealed: another umpire has to rule",
    "closed": "closed",
    "mended": "settled: the step was corrected as proposed",
    "struck": "the step was undone",
    "changed": "settled: another figure was entered",
}
RULINGS: dict[Ruling, tuple[str, str]] = N_(
    {  # label and explanation
        "play_on": ("Keep it as recorded", "What was played stands."),
        "adjusted": ("Resolve it now", "What was played stands, and the board is corrected."),
        "rewound": ("Go back", "The board goes back to how it was after a step, and the game continues from there."),
    }
)
HELD: Texts = {  # results of comparing a record with its receipt
    "unchanged": "The record is unchanged since the receipt was issued.",
    "extended": "The record is unchanged up to step {step}, and continues to step {newest}.",
    "altered": "Step {altered} was changed after the receipt was issued.",
    "shortened": "The record ends at step {newest}; the receipt is of step {step}.",
    "another": "The receipt is of another game.",
    "erased": "The record was erased at step {newest}; the receipt is of step {step}.",
}
JUDGED: Texts = {
    "refused": "The rules forbid it.",
    "differs": "Today’s rules give a different result.",
    "unreadable": "Today’s rules do not have this decision.",
    "allowed": "It was against the rules; today’s rules allow it.",
}
PARTS: Texts = {
    "board": "the board",
    "changes": "what changed on the board",
    "effects": "what followed",
    "columns": "the figures",
    "marks": "state of the game",
    "closed_periods": "the periods that ended",
    "totals": "the totals",
    "ranks": "the ranks",
    "rules_applied": "if the rules worked it out",
    "objections": "what the rules said against it",
}


def claim_state_label(state: str) -> str:
    return say(STATES[state])


def ruling_label(ruling: Ruling) -> str:
    return say(RULINGS[ruling][0])


def ruling_explained(ruling: Ruling) -> str:
    return say(RULINGS[ruling][1])


def ruling_sentence(game: Game, names: Names, about: int, ruling: Ruling, to: int | None) -> str:
    """Describe a ruling on a step as players would."""
    return ruling_label(ruling) if to is None else going_back_label(game, names, about, to)


def going_back_label(game: Game, names: Names, about: int, to: int) -> str:
    """Describe going back to the board after step `to`, because of step `about`."""
    if to == before_turn(game, about):
        if sealed := sealed_label(game, about):
            return say("Go back to before this: {what}", what=sealed)
        seat = first_decider(game, game.line_since(to, about))
        if seat is not None:
            return say("Go back to before {name}’s turn", name=names[seat])
        return say("Go back to before that turn")
    if about and to == game.parents[about]:
        return say("Go back to before step {n}", n=about)
    return say("Go back to step {n}", n=to)


def turn_label(game: Game, names: Names, steps: Sequence[int]) -> str:
    """Name the turn of several steps: "Anna’s turn, 3 steps", "The offers (round 1), 4 steps", "Round 1, 9 steps"."""
    if played := round_label(game, steps[0]):
        return say_n("{what}, {n} step", "{what}, {n} steps", len(steps), what=played)
    if sealed := sealed_label(game, steps[0]):
        return say_n("{what}, {n} step", "{what}, {n} steps", len(steps), what=sealed)
    seat = first_decider(game, steps)
    if seat is None:
        return say_n("{n} step", "{n} steps", len(steps))
    others = [names[other] for other in dict.fromkeys(_deciders(game, steps)) if other != seat]
    if others:
        return say(
            "{name}’s turn with decisions of {others}, {n} steps",
            name=names[seat],
            others=join_words(others),
            n=len(steps),
        )
    return say_n("{name}’s turn, {n} step", "{name}’s turn, {n} steps", len(steps), name=names[seat])


def round_label(game: Game, step: int) -> str:
    """Name the round of a sheet in which a step was recorded: "Round 1"; "" for other games and sheets."""
    rules, (_, marks) = game.ruleset, game.figures_at(game.parents[step])
    periods = rules.course.periods if rules.course.figure is not None else ()
    return begin(mark_label(rules.id, periods[-1], marks[periods[-1]]), ()) if periods and periods[-1] in marks else ""


def sealed_label(game: Game, step: int) -> str:
    """Name what every seat seals at a step, with its period: "The offers (round 1)"; "" for other steps."""
    event, rules = game.entries[step].event, game.ruleset
    if not isinstance(event, DecisionRecorded) or not is_sealed_kind(game, event.decision):
        return ""
    what, (_, marks) = say(GAMES[rules.id].reveals.heading), game.figures_at(game.parents[step])
    period = ", ".join(mark_label(rules.id, mark, marks[mark]) for mark in rules.course.periods if mark in marks)
    return say("{what} ({period})", what=what, period=period) if period else what


def first_decider(game: Game, steps: Iterable[int]) -> Seat | None:
    """Return the player of the first decision among some steps; None if they have none."""
    return next(_deciders(game, steps), None)


def _deciders(game: Game, steps: Iterable[int]) -> Iterator[Seat]:
    """Yield the player of each decision of some steps."""
    for event in (game.entries[step].event for step in steps):
        if isinstance(event, DecisionRecorded) and event.seat != TABLE:
            yield event.seat


def proposer_label(claim: Claim, names: Names) -> str:
    """Name the player for whom a ruling was proposed, whose consent follows it; "" if it was proposed for no player."""
    proposal = claim.proposal
    answers = [] if proposal is None else [answer for answer in claim.story if answer.step == proposal.step + 1]
    return next((names[answer.seat] for answer in answers if isinstance(answer, RulingConsented)), "")


def held_sentence(state: str, step: int, newest: int | None, altered: int | None) -> str:
    """Say if a record matches its receipt."""
    return say(HELD[state], step=step, newest=step if newest is None else newest, altered=altered)


def against_sentence(disagreements: Sequence[Disagreement]) -> str:
    """Say with which steps of an imported record the rules disagree."""
    steps = join_words([str(disagreement.step) for disagreement in disagreements[:MAX_STEPS_NAMED]])
    return say_n(
        "the rules disagree with step {steps} of this record, which was brought from outside",
        "the rules disagree with {n} steps of this record, which were brought from outside: {steps}",
        len(disagreements),
        steps=steps + (" …" if len(disagreements) > MAX_STEPS_NAMED else ""),
    )


def judged_label(kind: str) -> str:
    """Say how today's rules judge a step."""
    return say(JUDGED[kind])


def part_judged(part: str) -> str:
    """Name a part of an entry, or a place on a board."""
    head, _, place = part.partition("/")
    return f"{say(PARTS[head])} {place}".strip()


IN_TEMPLATES = (
    claim_state_label,
    ruling_label,
    ruling_explained,
    ruling_sentence,
    going_back_label,
    turn_label,
    usual_text,
    proposer_label,
    held_sentence,
    against_sentence,
    judged_label,
    part_judged,
)
