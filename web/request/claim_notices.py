"""Open claims at the top of a game's pages, each with its sentence and the visitor's actions."""

from __future__ import annotations

from typing import Any

from daybook.domain import disputes
from daybook.domain.commands import Resolution
from daybook.domain.disputes import Claim
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import IllegalDecision
from daybook.services.disputes.claims import proposed_resolutions
from daybook.services.permissions.actions import may
from daybook.services.permissions.visits import Visit
from daybook.services.play import replay
from daybook.web import words
from daybook.web.boards.table_privacy import privacy_of_visit
from daybook.web.request.correction_results import (
    changed_figures,
    impossible_sums,
    plan_correction,
    with_forgotten_steps,
)
from daybook.web.words.claim_words import claim_sentence
from daybook.web.words.places import label_on_board

MAX_STEPS_PLANNED = 200  # since the disputed step: a correction of 200 steps takes 0.1 CPU seconds, at every tap


class ClaimNotice(Frozen):
    """One claim for one visitor.

    Args:
        accepts: the visitor can save what the claim proposes.
        effect: what that changes; "" if no figure changes, or if the visitor cannot save it.
        undone: it was saved before, and that was undone.
        warnings: about figures of a sheet that cannot be right then.
        incomplete: it needs another decision before it can be saved.
    """

    says: str
    accepts: bool
    effect: str = ""
    undone: bool = False
    warnings: tuple[str, ...] = ()
    incomplete: bool = False


def claim_notice(visit: Visit, claim: Claim) -> ClaimNotice:
    """Describe a claim as the visitor may see it."""
    game, raised, view = visit.game, claim.raised, privacy_of_visit(visit)
    disputed = disputes.steps_raised(game, claim)
    shown = {
        step.step: view.redact_step(step) for step in replay.select_steps(game, visit.sight, [*disputed, claim.number])
    }
    entry = shown[claim.number].entry
    by = words.by_label(game.writers[claim.number], visit.names, visit.writers)
    who = words.begin(by, visit.names) if raised.seat is None else words.seat_name(raised.seat, visit.names)
    says = claim_sentence(game, visit.names, claim, who, [shown[step] for step in disputed], entry)
    if raised.figures:
        accepts = bool(right_figures_to_save(visit, claim))
        return ClaimNotice(says, accepts, figures_effect(visit, claim) if accepts else "")
    instead = acceptable_resolutions(visit, claim)
    if not instead or game.step - min(instead) > MAX_STEPS_PLANNED:
        return ClaimNotice(says, False)
    try:
        correction = plan_correction(visit, with_forgotten_steps(visit, instead))
    except (Refused, IllegalDecision):
        return ClaimNotice(says, False)
    if correction.stop is not None:
        return ClaimNotice(says, False, incomplete=True)
    later = (entry.event for entry in game.entries[claim.number + 1 :])
    undone = any(getattr(event, "corrects_step", None) in instead for event in later)
    effect = changed_figures(visit, correction, correction.plan())
    return ClaimNotice(says, True, effect, undone, (*impossible_sums(game, correction.twin.board),))


def right_figures_to_save(visit: Visit, claim: Claim) -> dict[str, Any]:
    """Return the figures that a claim proposes, on the board of now, if the visitor can save them; else {}."""
    saves = visit.takes_corrections and may(visit, "correct")
    is_open = disputes.settled_state(visit.game, claim) in ("open", "appealed")
    return disputes.right_figures(visit.game, claim) if saves and is_open else {}


def figures_effect(visit: Visit, claim: Claim) -> str:
    """Say which figures a claim changes if they changed since it was raised: "Anna's money: $15 → $17"; else ""."""
    game, view, said = visit.game, privacy_of_visit(visit), list[str]()
    for path, right in disputes.right_figures(game, claim).items():
        current, label = disputes.figure_at(game, path), label_on_board(game, path, visit.names)
        if label and current != claim.raised.figures[path][0] and not view.hides_place(path):
            was, now = (words.value_at_place(visit.rules, path, value, visit.names) for value in (current, right))
            said.append(words.say("{place}: {was} → {now}", place=label, was=was, now=now))
    return ", ".join(said)


def acceptable_resolutions(visit: Visit, claim: Claim) -> dict[int, Resolution]:
    """Return the correction that a claim proposes, if the visitor can save it; else {}."""
    return proposed_correction(visit, claim) if visit.takes_corrections and may(visit, "correct") else {}


def proposed_correction(visit: Visit, claim: Claim) -> dict[int, Resolution]:
    """Return the correction that an unsettled claim proposes; else {}."""
    if disputes.settled_state(visit.game, claim) not in ("open", "appealed"):
        return {}
    return proposed_resolutions(visit.game, claim)
