"""Disputes: a claim is raised, an umpire or all seats together rule, and the board follows.

A ruling and what it does to the board are written at once, all or nothing. A closed game may be claimed about; only a
ruling that changes the board opens it again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain import disputes
from daybook.domain.disputes import Claim, aside
from daybook.domain.kernel.board import difference, touches
from daybook.domain.kernel.record import (
    Aside,
    BoardStep,
    ClaimClosed,
    ClaimRaised,
    ClaimRuled,
    Entry,
    FirstRuling,
    Game,
    Move,
    Place,
    Refused,
    Ruling,
    RulingAppealed,
    RulingConsented,
    RulingProposed,
    Written,
)
from daybook.domain.kernel.ruleset import Board, Seat, because
from daybook.services.disputes.umpires import appeal_hours
from daybook.services.people import access, photos
from daybook.services.people.access import EVERYTHING, Grant, Sight
from daybook.services.play import record, replay
from daybook.services.play.record import Receipt, checked_seat, key_within, typed
from daybook.services.play.writing import beside
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook


class Foreseen(msgspec.Struct, frozen=True):
    """What a ruling would come to if it were carried out now. struck: the steps that would no longer stand."""

    struck: list[int]
    changes: dict[str, list[Any]]
    columns_before: dict[str, list[int]]
    columns: dict[str, list[int]]


# --- who may ---------------------------------------------------------------------------------------------------------


def may_claim(grant: Grant | None, game: Game) -> bool:
    """Anyone with a seat, and the scorekeeper; also who may consent, propose and appeal."""
    return grant is not None and grant.game == game.id and grant.role in ("scorekeeper", "seat")


def may_speak_for(grant: Grant | None, game: Game, seat: Seat | None) -> bool:
    """Whether this holder may claim, appeal or consent in the name of a seat; None: of the scorekeeper."""
    return may_claim(grant, game) and grant is not None and (grant.role == "scorekeeper" or grant.seat == seat)


def may_rule(grant: Grant | None, game: Game, umpire: int) -> bool:
    """The umpire with his link, or with that of his seat if he plays; and the scorekeeper, who writes down what he
    says."""
    if grant is None or grant.game != game.id:
        return False
    persons = disputes.umpires(game)
    if not 0 <= umpire < len(persons):
        return False
    if grant.role == "seat" and grant.seat is not None:
        return game.opening.seats[grant.seat].person == persons[umpire]
    return grant.role == "scorekeeper" or (grant.role == "umpire" and grant.umpire == umpire)


def sees_all(book: Daybook, grant: Grant | None, game: Game) -> bool:
    """Whether nothing lies covered from this holder. Who tries out what to put where, or which decisions to make
    anew, learns from a refusal what lies there: it is for who knows it."""
    allowed = access.sights(book, game.id, grant)
    if EVERYTHING in allowed:
        return True
    own = allowed[0]
    return own is not None and bool(game.ruleset.masked(game.board, own).document() == game.document)


def may_see_photo(book: Daybook, grant: Grant | None, game: Game, hash: str) -> bool:
    """A photo may show a hand: it is for whoever sees everything, whoever attached it, and the seats that are asked to
    consent to a ruling on its claim, who cannot say yes to what they may not look at."""
    if EVERYTHING in access.sights(book, game.id, grant):
        return access.may_read(book, game.id, grant)
    return grant is not None and grant.game == game.id and any(
        hash in claim.raised.photos and (
            grant.place in (access.place_of(claim.raised.by), f"seat:{claim.raised.seat}")
            or (grant.role == "seat" and claim.awaits_ruling and claim.proposal is not None))
        for claim in disputes.claims(game).values())


# --- a claim's way ---------------------------------------------------------------------------------------------------


def raise_claim(
    book: Daybook, game_id: UUID, about: int, what: str, *, rule: str = "", why: str = "", seat: Seat | None = None,
    sent: Sequence[bytes] = (), by: str, key: str,
) -> Receipt:
    """Claim that a step is wrong. seat: whose claim it is; None: the scorekeeper's; sent: photos as they were sent.

    The receipt's step is the number of the claim. Raises Refused, BadPhoto, UnknownGame, BadKey.
    """
    if len(sent) > disputes.PHOTOS_LIMIT:
        raise photos.BadPhoto(because(
            "too_many", "{given} photos; at most {limit}", given=len(sent), limit=disputes.PHOTOS_LIMIT))
    game = book.games.get(game_id)
    attached = [photos.made_anew(one) for one in sent]
    for one in attached:
        photos.keep(book, game.id, one)
    hashes = list(dict.fromkeys(one.hash for one in attached))
    return _aside(book, game_id, by, key, ClaimRaised, about=about, what=what.strip(), rule=rule.strip(),
                  why=why.strip(), seat=seat, photos=hashes)


def propose(
    book: Daybook, game_id: UUID, claim: int, ruling: Ruling, *, to: int | None = None, moves: Sequence[Move] = (),
    values: Mapping[str, Any] | None = None, why: str = "", by: str, key: str,
) -> Receipt:
    """Propose a ruling, for the seats to consent to or an umpire to make his own. Raises Refused where it could not be
    carried out now."""
    fields = {"claim": claim, "ruling": ruling, "to": to, "moves": list(moves), "values": dict(values or {}),
              "why": why.strip()}

    def proposed(game: Game, written: Written) -> tuple[list[Entry], None]:
        entry = aside(game, RulingProposed, written, **fields)
        remedy = _Remedy(game.then(entry), written)
        remedy.carry_out(
            claim, ruling, to, moves, values or {}, why or "proposed", remedy.first_ruling(claim, ruling))
        return [entry], None

    return record.write(book, game_id, proposed, None, by, key)


def consent(
    book: Daybook, game_id: UUID, claim: int, proposal: int, seat: Seat, *, by: str, key: str,
) -> Receipt:
    """A seat says yes to what is proposed. With the last yes it is ruled so, done, and the claim is closed.

    Raises Refused (key "stale" where the game went on since the proposal), UnknownGame, BadKey.
    """

    def consented(game: Game, written: Written) -> tuple[list[Entry], None]:
        said = disputes.claim_of(game, claim).proposal

        def agreed(remedy: _Remedy) -> None:
            remedy.add(RulingConsented, claim=claim, proposal=proposal, seat=seat)
            told = disputes.claim_of(remedy.game, claim)
            if said is None or told.consents(proposal) != set(range(len(game.opening.seats))):
                return
            first = remedy.first_ruling(claim, said.ruling)
            remedy.add(
                ClaimRuled, claim=claim, ruling=said.ruling, why=said.why, to=said.to, proposal=proposal, first=first)
            remedy.carry_out(claim, said.ruling, said.to, said.moves, said.values, said.why or "by consent", first)
            remedy.add(ClaimClosed, claim=claim)

        return _remedied(game, written, agreed), None

    return record.write(book, game_id, consented, None, by, key)


def rule(
    book: Daybook, game_id: UUID, claim: int, ruling: Ruling, why: str, *, umpire: int, to: int | None = None,
    values: Mapping[str, Any] | None = None, proposal: int | None = None, first: FirstRuling | None = None, at: int,
    by: str, key: str,
) -> Receipt:
    """An umpire rules: what was played stands, or the board is put right, or it is as after step `to` again.

    proposal: what is proposed is made the ruling; then `to` and `values` are the proposal's. first: on an appeal, what
    becomes of what the first ruling did to the board; None: "play on" undoes it, anything else leaves it. at: the
    newest step that the umpire knew. Raises Refused, Conflict, UnknownGame, BadKey.
    """
    hours = appeal_hours(book, game_id)

    def ruled(game: Game, written: Written) -> tuple[list[Entry], None]:
        told = disputes.claim_of(game, claim)
        said = next((one for one in told.story if isinstance(one, RulingProposed) and one.step == proposal), None)
        if proposal is not None and said is None:
            raise Refused(because("not_the_proposal", "step {step} proposes no such ruling", step=proposal))
        where, moves, what = (to, (), values or {}) if said is None else (said.to, said.moves, said.values)
        final = told.appeal is not None

        def decided(remedy: _Remedy) -> None:
            becomes = first or remedy.first_ruling(claim, ruling)
            remedy.add(ClaimRuled, claim=claim, ruling=ruling, why=why.strip(), umpire=umpire, to=where,
                       proposal=proposal, appeal_until="" if final else later(written.at, hours), first=becomes)
            remedy.carry_out(claim, ruling, where, moves, what, why, becomes)
            if final:
                remedy.add(ClaimClosed, claim=claim)

        return _remedied(game, written, decided), None

    return record.write(book, game_id, ruled, at, by, key)


def appeal(
    book: Daybook, game_id: UUID, claim: int, umpire: int, why: str, *, seat: Seat | None = None, by: str, key: str,
) -> Receipt:
    """Have another person rule, once, within the time that the ruling names. Raises Refused, UnknownGame, BadKey."""
    return _aside(book, game_id, by, key, RulingAppealed, claim=claim, umpire=umpire, why=why.strip(), seat=seat)


def withdraw(book: Daybook, game_id: UUID, claim: int, why: str = "", *, by: str, key: str) -> Receipt:
    """Whoever raised a claim, or the scorekeeper, lets it go while nobody has ruled. Raises Refused."""

    def withdrawn(game: Game, written: Written) -> tuple[list[Entry], None]:
        raised = disputes.claim_of(game, claim).raised
        if access.place_of(by) not in ("scorekeeper", access.place_of(raised.by), f"seat:{raised.seat}"):
            raise Refused(because("not_the_claimant", "whoever raised the claim withdraws it"))
        return [aside(game, ClaimClosed, written, claim=claim, withdrawn=True, why=why.strip())], None

    return record.write(book, game_id, withdrawn, None, by, key)


def close(book: Daybook, game_id: UUID, claim: int, why: str = "", *, by: str, key: str) -> Receipt:
    """Close a claim that was ruled on, once no appeal is possible any more. Raises Refused (key "appeal_runs")."""

    def closed(game: Game, written: Written) -> tuple[list[Entry], None]:
        ruling = disputes.claim_of(game, claim).ruling
        if ruling is not None and written.at < ruling.appeal_until:
            raise Refused(because("appeal_runs", "an appeal is possible until {until}", until=ruling.appeal_until))
        return [aside(game, ClaimClosed, written, claim=claim, why=why.strip())], None

    return record.write(book, game_id, closed, None, by, key)


def later(at: str, hours: int) -> str:
    """A time of the record so many hours later."""
    moment = datetime.fromisoformat(at) + timedelta(hours=hours)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"


# --- what a ruling does ----------------------------------------------------------------------------------------------


class _Remedy:
    """The entries of a ruling and of what it does, on a copy of the game; the one at place `last` carries the key."""

    def __init__(self, game: Game, written: Written, last: int = 0) -> None:
        self.game = game.twin()
        self.written = written
        self.last = last
        self.entries: list[Entry] = []

    def next(self) -> Written:
        place = len(self.entries) + 1
        if place == self.last:
            return self.written
        return beside(self.written, key_within(self.written.key, place))

    def took(self, entry: Entry, board: Board | None = None) -> None:
        self.game.apply(entry, board)
        self.entries.append(entry)

    def add(self, kind: type[Aside], **fields: Any) -> None:
        self.took(aside(self.game, kind, self.next(), **fields))

    def first_ruling(self, claim: int, ruling: Ruling) -> FirstRuling | None:
        """What becomes of the ruling that was appealed, unless somebody says it."""
        told = disputes.claim_of(self.game, claim)
        return told.first_ruling(ruling, bool(disputes.ruled_on_board(self.game, told)))

    def undo(self, claim: Claim, why: str) -> None:
        """Have the board lie as if the ruling that was appealed had done nothing to it. Raises Refused.

        An adjustment after which the game went on is turned round where it lies; else the board lies again as it did
        before the ruling, and what was played since is struck.
        """
        appealed = next((said for said in claim.story if isinstance(said, ClaimRuled)), None)  # one can be appealed
        done = disputes.ruled_on_board(self.game, claim)
        if appealed is None or not done:
            return
        before, place = appealed.step - 1, Place(answers=claim.number)
        if self.game.heads[-1] == self.game.heads[before]:
            return  # the table took it back itself
        was = read_models.status_at(self.game, before)
        if self.game.status != "running":
            self.took(self.game.reopen(why, self.next()))
        if appealed.ruling == "adjusted" and self.game.heads[-1] != done[-1].step:
            self._turn_round(done[-1], why, place)
        else:
            self.took(self.game.take_back(self.game.heads[before], "ruling", why, self.next(), place))
        if was == "closed" and self.game.ruleset.outcome(self.game.board) is not None:
            self.took(self.game.close(self.next()))

    def _turn_round(self, adjusted: BoardStep, why: str, place: Place) -> None:
        """Lay what an adjustment changed as it lay before. Raises Refused where something changed it since."""
        for entry in self.game.entries[adjusted.step + 1 :]:
            if isinstance(entry.event, BoardStep) and any(
                    touches(entry.event.changes, path) for path in adjusted.changes):
                raise Refused(because(
                    "changed_since", "step {step} changed what the first ruling put right: keep it, and put the board "
                    "right as it should lie", step=entry.step))
        values = {path: lay for path, (lay, _) in adjusted.changes.items()}
        self.took(self.game.adjust(values, "ruling", why, self.next(), place))

    def carry_out(
        self, claim: int, ruling: Ruling, to: int | None, moves: Sequence[Move], values: Mapping[str, Any], why: str,
        first: FirstRuling | None = None,
    ) -> None:
        """first: what becomes of the ruling that was appealed. Raises Refused, IllegalDecision, NotADecision."""
        if first == "undone" and ruling != "rewound":  # a rewind lays the whole board anew
            self.undo(disputes.claim_of(self.game, claim), why)
        if ruling == "play_on":
            return
        was, place = self.game.status, Place(answers=claim)
        if was != "running":
            self.took(self.game.reopen(why, self.next()))
        if ruling == "adjusted":
            self.took(self.game.adjust(values, "ruling", why, self.next(), place))
            if was == "closed" and self.game.ruleset.outcome(self.game.board) is not None:
                self.took(self.game.close(self.next()))
            return
        assert to is not None
        self.took(self.game.take_back(to, "ruling", why, self.next(), place))
        for move in moves:
            decision = typed(self.game, move.decision)
            self.took(*self.game.decide(checked_seat(self.game, move.seat), decision, self.next(), place))


def _remedied(game: Game, written: Written, work: Callable[[_Remedy], None]) -> list[Entry]:
    """What this work writes. The last entry carries the key, so that a repetition is answered as the first time was;
    which one is the last is known when all of it was tried."""
    tried = _Remedy(game, written)
    work(tried)
    done = _Remedy(game, written, last=len(tried.entries))
    work(done)
    return done.entries


def _aside(book: Daybook, game_id: UUID, by: str, key: str, kind: type[Aside], **fields: Any) -> Receipt:
    return record.write(
        book, game_id, lambda game, written: ([aside(game, kind, written, **fields)], None), None, by, key)


# --- reading ---------------------------------------------------------------------------------------------------------


def told(book: Daybook, game_id: UUID) -> list[Claim]:
    """Every claim of a game, the open ones first, then the newest. What of it a viewer may know, `replay` shows."""
    found = disputes.claims(book.games.get(game_id)).values()
    return sorted(found, key=lambda claim: (not claim.is_open, -claim.number))


def story(book: Daybook, game_id: UUID, claim: int, sight: Sight) -> list[replay.StepShown]:
    """Everything that was said and done about a claim, step by step, as a viewer may know it. Raises Refused."""
    game = book.games.get(game_id)
    steps = story_steps(game, disputes.claim_of(game, claim))
    return [shown for shown in replay.steps(game, sight, min(steps) - 1) if shown.step in steps]


def story_steps(game: Game, claim: Claim) -> set[int]:
    steps = {claim.number, *(said.step for said in claim.story)}
    for entry in game.entries:
        if isinstance(entry.event, BoardStep) and entry.event.answers == claim.number:
            steps.add(entry.step)
    return steps


def foresee(
    book: Daybook, game_id: UUID, claim: int, ruling: Ruling, *, to: int | None = None, moves: Sequence[Move] = (),
    values: Mapping[str, Any] | None = None, first: FirstRuling | None = None,
) -> Foreseen:
    """What a ruling would do to the board as it lies now; nothing is written. It tells more than a seat may know: the
    caller asks. Raises Refused, IllegalDecision, NotADecision, UnknownGame."""
    game = book.games.get(game_id)
    proposal = RulingProposed(
        step=game.step + 1, at=game.entries[-1].event.at, by="preview", key="preview", claim=claim, ruling=ruling,
        to=to, moves=list(moves), values=dict(values or {}))
    disputes.check(game, proposal)
    remedy = _Remedy(game, Written(proposal.at, "preview", "preview"))
    remedy.carry_out(
        claim, ruling, to, moves, values or {}, "preview", first or remedy.first_ruling(claim, ruling))
    after = remedy.game
    stands = set(after.line())
    return Foreseen(
        [step for step in game.line() if step not in stands], difference(game.document, after.document),
        game.figures_at(game.step)[0], after.figures_at(after.step)[0])


def provisional(game: Game) -> bool:
    """Whether a claim is open, so that the result may still change."""
    return bool(disputes.open_claims(game))


def provisional_at(game: Game, step: int) -> bool:
    """The same as it was after a step."""
    return any(claim.is_open for claim in disputes.told(game.entries[: step + 1]).values())
