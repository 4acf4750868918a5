"""Rulings: the entries with which one is proposed, consented to or given, and what it does to the board.

A ruling and what it does are written at once, all or nothing. A closed game may be claimed about; only a ruling that
changes the board opens it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from daybook.domain.disputes import Claim, aside_entry, claim_of, ruled_on_board
from daybook.domain.kernel import events
from daybook.domain.kernel.board import touches
from daybook.domain.kernel.chronicle import Refused, Written
from daybook.domain.kernel.decisions import checked_seat, read_decision
from daybook.domain.kernel.record import EntryLinks, Game, Status
from daybook.domain.kernel.terms import Board, Seat, because
from daybook.domain.kernel.times import later_time


def proposal_entries(
    game: Game,
    claim: int,
    ruling: events.Ruling,
    to: int | None,
    moves: Sequence[events.Move],
    values: Mapping[str, Any],
    why: str,
    written: Written,
) -> list[events.Entry]:
    """The entry of a proposal. Raises Refused where it could not be carried out now."""
    entry = aside_entry(
        game,
        events.RulingProposed,
        written,
        claim=claim,
        ruling=ruling,
        to=to,
        moves=list(moves),
        values=dict(values),
        why=why.strip(),
    )
    remedy = Remedy(game.then(entry), written)
    remedy.carry_out(claim, ruling, to, moves, values, why or "proposed", remedy.first_ruling(claim, ruling))
    return [entry]


def consent_entries(game: Game, claim: int, proposal: int, seat: Seat, written: Written) -> list[events.Entry]:
    """The entries of a seat's yes. With the last yes it is ruled so, done, and the claim is closed. Raises Refused."""
    said, remedy = claim_of(game, claim).proposal, Remedy(game, written)
    remedy.add(events.RulingConsented, claim=claim, proposal=proposal, seat=seat)
    told = claim_of(remedy.game, claim)
    if said is None or told.consents(proposal) != set(range(len(game.opening.seats))):
        return remedy.entries
    first = remedy.first_ruling(claim, said.ruling)
    remedy.add(
        events.ClaimRuled, claim=claim, ruling=said.ruling, why=said.why, to=said.to, proposal=proposal, first=first
    )
    remedy.carry_out(claim, said.ruling, said.to, said.moves, said.values, said.why or "by consent", first)
    remedy.add(events.ClaimClosed, claim=claim)
    return remedy.entries


def ruling_entries(
    game: Game,
    claim: int,
    ruling: events.Ruling,
    why: str,
    written: Written,
    *,
    umpire: int,
    to: int | None,
    values: Mapping[str, Any],
    proposal: int | None,
    first: events.FirstRuling | None,
    hours: int,
) -> list[events.Entry]:
    """The entries of an umpire's ruling, which may be appealed for so many hours. Raises Refused, IllegalDecision."""
    told = claim_of(game, claim)
    said = next((one for one in told.story if isinstance(one, events.RulingProposed) and one.step == proposal), None)
    if proposal is not None and said is None:
        raise Refused(because("not_the_proposal", "step {step} proposes no such ruling", step=proposal))
    where, moves, what = (to, (), values) if said is None else (said.to, said.moves, said.values)
    final, remedy = told.appeal is not None, Remedy(game, written)
    becomes = first or remedy.first_ruling(claim, ruling)
    remedy.add(
        events.ClaimRuled,
        claim=claim,
        ruling=ruling,
        why=why.strip(),
        umpire=umpire,
        to=where,
        proposal=proposal,
        appeal_until="" if final else later_time(written.at, hours=hours),
        first=becomes,
    )
    remedy.carry_out(claim, ruling, where, moves, what, why, becomes)
    if final:
        remedy.add(events.ClaimClosed, claim=claim)
    return remedy.entries


class Remedy:
    """The entries of a ruling and of what it does, on a copy of the game, all by the same writing."""

    def __init__(self, game: Game, written: Written) -> None:
        self.game = game.twin()
        self.written = written
        self.entries: list[events.Entry] = []

    def took(self, entry: events.Entry, board: Board | None = None) -> None:
        self.game.apply(entry, board)
        self.entries.append(entry)

    def add(self, kind: type[events.Aside], **fields: Any) -> None:
        self.took(aside_entry(self.game, kind, self.written, **fields))

    def first_ruling(self, claim: int, ruling: events.Ruling) -> events.FirstRuling | None:
        """What becomes of the ruling that was appealed, unless somebody says it."""
        told = claim_of(self.game, claim)
        return told.first_ruling(ruling, bool(ruled_on_board(self.game, told)))

    def undo(self, claim: Claim, why: str) -> None:
        """Have the board lie as if the ruling that was appealed had done nothing to it. Raises Refused.

        An adjustment after which the game went on is turned round where it lies; else the board lies again as it did
        before the ruling, and what was played since is struck.
        """
        appealed = next(
            (said for said in claim.story if isinstance(said, events.ClaimRuled)), None
        )  # one can be appealed
        done = ruled_on_board(self.game, claim)
        if appealed is None or not done:
            return
        before, place = appealed.step - 1, EntryLinks(answers=claim.number)
        if self.game.heads[-1] == self.game.heads[before]:
            return  # the table took it back itself
        was = self.game.status_at(before)
        if self.game.status != "running":
            self.took(self.game.reopen(why, self.written))
        if appealed.ruling == "adjusted" and self.game.heads[-1] != done[-1].step:
            self._turn_round(done[-1], why, place)
        else:
            self.took(self.game.take_back(self.game.heads[before], "ruling", why, self.written, place))
        self._close_again(was)

    def _turn_round(self, adjusted: events.BoardStep, why: str, place: EntryLinks) -> None:
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
        self.took(self.game.adjust(values, "ruling", why, self.written, place))

    def carry_out(
        self,
        claim: int,
        ruling: events.Ruling,
        to: int | None,
        moves: Sequence[events.Move],
        values: Mapping[str, Any],
        why: str,
        first: events.FirstRuling | None = None,
    ) -> None:
        """first: what becomes of the ruling that was appealed. Raises Refused, IllegalDecision, NotADecision."""
        if first == "undone" and ruling != "rewound":  # a rewind lays the whole board anew
            self.undo(claim_of(self.game, claim), why)
        if ruling == "play_on":
            return
        was, place = self.game.status, EntryLinks(answers=claim)
        if was != "running":
            self.took(self.game.reopen(why, self.written))
        if ruling == "adjusted":
            self.took(self.game.adjust(values, "ruling", why, self.written, place))
            self._close_again(was)
            return
        assert to is not None
        self.took(self.game.take_back(to, "ruling", why, self.written, place))
        for move in moves:
            decision = read_decision(self.game, move.decision)
            self.took(*self.game.decide(checked_seat(self.game, move.seat), decision, self.written, place))

    def _close_again(self, was: Status) -> None:
        """Close a game that was closed before, if it is over as the board lies now."""
        if was == "closed" and self.game.ruleset.scoring.outcome(self.game.board) is not None:
            self.took(self.game.close(self.written))
