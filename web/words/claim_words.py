"""Sentences of claims: the claimant, the step in question, and the proposal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from daybook.domain.disputes import Claim
from daybook.domain.kernel.record import Game
from daybook.services.play.replay import StepShown
from daybook.web.words import sentence, usual_text, value_at_place
from daybook.web.words.cells import cell_of, figure_label
from daybook.web.words.dispute_words import first_decider, round_label, sealed_label, turn_label
from daybook.web.words.places import label_on_board
from daybook.web.words.say import Names, join_words, say, say_n
from daybook.web.words.seal_words import reveal_seal

LONGEST_STATEMENT = 90  # characters of a claim's own words that a notice shows


def claim_sentence(
    game: Game, names: Names, claim: Claim, who: str, steps: Sequence[StepShown], proposed: Mapping[str, Any]
) -> str:
    """Return a claim as one sentence.

    Args:
        who: the claimant.
        steps: the disputed steps, as the viewer sees them.
        proposed: the moves or figures that the claim proposes, as the viewer sees them.
    """
    rules, step, moves, figures = game.ruleset.id, steps[0], proposed.get("moves", []), proposed.get("figures", {})
    instead = join_words([sentence(rules, move["decision"], names) for move in moves])
    statement = usual_text(claim.raised.statement)
    if len(statement) > LONGEST_STATEMENT:
        statement = f"{statement[: LONGEST_STATEMENT - 1]}…"
    if figures and (said := figures_sentence(game, names, who, figures)):
        return said
    if claim.raised.last_step is not None:
        turn = _turn_named(game, names, steps)
        if claim.raised.leaves_out:
            return say("{who} says: leave out {turn}", who=who, turn=turn)
        if moves:
            return say("{who} says: {turn} was “{instead}”", who=who, turn=turn, instead=instead)
        return say("{who} says about {turn}: {statement}", who=who, turn=turn, statement=statement)
    if len(moves) == 1 and (figure := _figure_sentence(game, names, who, step, moves[0])):
        return figure
    recorded = sentence(rules, reveal_seal(game, step), names)
    if claim.raised.leaves_out:
        return say("{who} says: leave out step {n} (“{step}”)", who=who, n=step.step, step=recorded)
    if moves:
        return say(
            "{who} says: step {n} was “{instead}”, not “{step}”", who=who, n=step.step, instead=instead, step=recorded
        )
    return say(
        "{who} says about step {n} (“{step}”): {statement}", who=who, n=step.step, step=recorded, statement=statement
    )


def figures_sentence(game: Game, names: Names, who: str, figures: Mapping[str, Sequence[Any]]) -> str:
    """Return the sentence of a claim on figures of the board; "" if none has a name."""
    said = [
        say(
            "{place} {was}, should be {now}",
            place=label,
            was=value_at_place(game.ruleset.id, path, recorded, names),
            now=value_at_place(game.ruleset.id, path, right, names),
        )
        for path, (recorded, right) in figures.items()
        if (label := label_on_board(game, path, names))
    ]
    return say("{what} ({who} says)", what="; ".join(said), who=who) if said else ""


def _turn_named(game: Game, names: Names, steps: Sequence[StepShown]) -> str:
    if sealed_label(game, steps[0].step) or round_label(game, steps[0].step):
        return turn_label(game, names, [step.step for step in steps])
    seat, n = first_decider(game, [step.step for step in steps]), len(steps)
    if seat is None:
        return say_n("{n} step", "{n} steps", n)
    return say_n("{name}’s whole turn ({n} step)", "{name}’s whole turn ({n} steps)", n, name=names[seat])


def _figure_sentence(game: Game, names: Names, who: str, step: StepShown, move: Mapping[str, Any]) -> str:
    """Return the sentence of a claim on one figure; "" for another step."""
    was, instead = step.decision, move["decision"]
    if was is None or step.seat is None or step.seat != move["seat"]:
        return ""
    board = game.board_at(game.parents[step.step])
    cell, cell_instead = cell_of(game, was, board), cell_of(game, instead, board)
    if cell is None or cell_instead is None:
        return ""
    (grid, line), (grid_instead, line_instead) = cell, cell_instead
    if line.key != line_instead.key or (not line.once and grid.round != grid_instead.round):
        return ""
    fields = {
        "who": who,
        "name": names[step.seat],
        "line": line.name,
        "now": figure_label(line, instead.get("value")),
        "was": figure_label(line, was.get("value")),
    }
    if grid.round and not line.once:
        return say("{who} says: {name}’s {line} in round {round} is {now}, not {was}", round=grid.round, **fields)
    return say("{who} says: {name}’s {line} is {now}, not {was}", **fields)
