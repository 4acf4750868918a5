"""Rulings: the entries that propose a ruling, consent to it or give it, and its effects on the board.

A ruling and its effects are written together or not at all. Claims about a closed game are possible. Only a ruling that
changes the board reopens it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from daybook.domain.commands import Adjust, Close, ConsentToRuling, ProposeRuling, Reopen, RuleOnClaim, TakeBack
from daybook.domain.disputes import Claim, claim_of, ruled_on_board, side_entry
from daybook.domain.entries import adjust, close, decide, reopen, take_back
from daybook.domain.kernel import events
from daybook.domain.kernel.board import touches
from daybook.domain.kernel.chronicle import Refused, Written
from daybook.domain.kernel.decisions import checked_seat, read_decision
from daybook.domain.kernel.record import Game, Status
from daybook.domain.kernel.terms import Board, because
from daybook.domain.kernel.times import later_time


def propose(game: Game, command: ProposeRuling, written: Written) -> tuple[list[events.Entry], None]:
    """Return the entries of a proposal and of its seat's consent. Raises Refused if it cannot be carried out now."""
    told = msgspec.structs.asdict(command) | {"why": command.why.strip()}
    seat, remedy = told.pop("seat"), Remedy(game, written)
    remedy.add(events.RulingProposed, **told)
    proposed = remedy.game
    trial = Remedy(proposed, written)
    first = trial.first_ruling(command.claim, command.ruling)
    trial.carry_out(
        command.claim, command.ruling, command.to_step, command.moves, command.values, command.why or "proposed", first
    )
    if seat is not None:
        _consent(remedy, ConsentToRuling(command.claim, proposed.step, seat))
    return remedy.entries, None


def consent(game: Game, yes: ConsentToRuling, written: Written) -> tuple[list[events.Entry], None]:
    """Return the entries of a seat's consent; the last one rules, acts on the board and closes the claim.

    Raises Refused.
    """
    remedy = Remedy(game, written)
    _consent(remedy, yes)
    return remedy.entries, None


def _consent(remedy: Remedy, yes: ConsentToRuling) -> None:
    """Add a seat's consent; carry the ruling out once all have consented."""
    said = claim_of(remedy.game, yes.claim).proposal
    remedy.add(events.RulingConsented, claim=yes.claim, proposal=yes.proposal, seat=yes.seat)
    told = claim_of(remedy.game, yes.claim)
    if said is None or told.consents(yes.proposal) != set(range(len(remedy.game.opening.seats))):
        return
    first = remedy.first_ruling(yes.claim, said.ruling)
    remedy.add(
        events.ClaimRuled,
        claim=yes.claim,
        ruling=said.ruling,
        why=said.why,
        to_step=said.to_step,
        proposal=yes.proposal,
        appealed_changes=first,
    )
    remedy.carry_out(yes.claim, said.ruling, said.to_step, said.moves, said.values, said.why or "by consent", first)
    remedy.add(events.ClaimClosed, claim=yes.claim)


def rule(game: Game, ruled: RuleOnClaim, written: Written) -> tuple[list[events.Entry], None]:
    """Return the entries of an umpire's ruling. Raises Refused, IllegalDecision."""
    claim, proposal = claim_of(game, ruled.claim), ruled.proposal
    chosen = next(
        (entry for entry in claim.story if isinstance(entry, events.RulingProposed) and entry.step == proposal), None
    )
    if proposal is not None and chosen is None:
        raise Refused(because("not_the_proposal", "step {step} proposes no such ruling", step=proposal))
    where, moves, what = (
        (ruled.to_step, (), ruled.values) if chosen is None else (chosen.to_step, chosen.moves, chosen.values)
    )
    final, remedy = claim.appeal is not None, Remedy(game, written)
    first = ruled.appealed_changes or remedy.first_ruling(ruled.claim, ruled.ruling)
    remedy.add(
        events.ClaimRuled,
        claim=ruled.claim,
        ruling=ruled.ruling,
        why=ruled.why.strip(),
        umpire=ruled.umpire,
        to_step=where,
        proposal=proposal,
        appeal_until="" if final else later_time(written.at, hours=ruled.appeal_hours),
        appealed_changes=first,
    )
    remedy.carry_out(ruled.claim, ruled.ruling, where, moves, what, ruled.why, first)
    if final:
        remedy.add(events.ClaimClosed, claim=ruled.claim)
    return remedy.entries, None


class Remedy:
    """The entries of a ruling and of what it does, on a copy of the game, all by the same writing."""

    def __init__(self, game: Game, written: Written) -> None:
        self.game = game.twin()
        self.written = written
        self.entries: list[events.Entry] = []

    def took(self, entry: events.Entry, board: Board | None = None) -> None:
        self.game.apply(entry, board)
        self.entries.append(entry)

    def add(self, kind: type[events.SideEvent], **fields: Any) -> None:
        self.took(side_entry(self.game, kind, self.written, **fields))

    def first_ruling(self, claim: int, ruling: events.Ruling) -> events.AppealedChanges | None:
        """Return the default fate of the appealed ruling."""
        told = claim_of(self.game, claim)
        return told.first_ruling(ruling, bool(ruled_on_board(self.game, told)))

    def undo(self, claim: Claim, why: str) -> None:
        """Undo the effects of the appealed ruling on the board. Raises Refused.

        If the game continued after an adjustment, only its values are set back. Otherwise the board goes back to the step
        before the ruling, and later steps are struck.
        """
        appealed = next(
            (answer for answer in claim.story if isinstance(answer, events.ClaimRuled)), None
        )  # a ruling can be appealed
        done = ruled_on_board(self.game, claim)
        if appealed is None or not done:
            return
        before = appealed.step - 1
        if self.game.heads[-1] == self.game.heads[before]:
            return  # the players already took it back
        was = self.game.status_at(before)
        if self.game.status != "running":
            self.took(reopen(self.game, Reopen(why), self.written))
        if appealed.ruling == "adjusted" and self.game.heads[-1] != done[-1].step:
            self._turn_round(done[-1], why, claim.number)
        else:
            back = TakeBack(self.game.heads[before], "ruling", why, claim.number)
            self.took(take_back(self.game, back, self.written))
        self._close_again(was)

    def _turn_round(self, adjusted: events.BoardStep, why: str, claim: int) -> None:
        """Lay what an adjustment changed as it lay before. Raises Refused where something changed it since."""
        for entry in self.game.entries[adjusted.step + 1 :]:
            if isinstance(entry.event, events.BoardStep) and any(
                touches(entry.event.changes, path) for path in adjusted.changes
            ):
                raise Refused(
                    because(
                        "changed_since",
                        "step {step} changed what the first ruling corrected: keep it, and correct the "
                        "board as it should be",
                        step=entry.step,
                    )
                )
        values = {path: lay for path, (lay, _) in adjusted.changes.items()}
        self.took(adjust(self.game, Adjust(values, why, "ruling", answers_step=claim), self.written))

    def carry_out(
        self,
        claim: int,
        ruling: events.Ruling,
        to: int | None,
        moves: Sequence[events.Move],
        values: Mapping[str, Any],
        why: str,
        first: events.AppealedChanges | None = None,
    ) -> None:
        """first: what becomes of the ruling that was appealed. Raises Refused, IllegalDecision, NotADecisionError."""
        if first == "undone" and ruling != "rewound":  # a rewind replaces the whole board
            self.undo(claim_of(self.game, claim), why)
        if ruling == "play_on":
            return
        was = self.game.status
        if was != "running":
            self.took(reopen(self.game, Reopen(why), self.written))
        if ruling == "adjusted":
            self.took(adjust(self.game, Adjust(dict(values), why, "ruling", answers_step=claim), self.written))
            self._close_again(was)
            return
        assert to is not None
        self.took(take_back(self.game, TakeBack(to, "ruling", why, claim), self.written))
        for move in moves:
            decision = read_decision(self.game, move.decision)
            self.took(
                *decide(self.game, checked_seat(self.game, move.seat), decision, self.written, answers_step=claim)
            )

    def _close_again(self, was: Status) -> None:
        """Close a game that was closed before, if it is over on the current board."""
        if was == "closed" and self.game.ruleset.scoring.outcome(self.game.board) is not None:
            self.took(close(self.game, Close(), self.written))
