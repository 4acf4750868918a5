"""Disputes: a claim is raised, Daybook gives its opinion, an umpire or all seats together rule, and the board follows.

A ruling and what it does to the board are written at once, all or nothing. A closed game may be claimed about; only a
ruling that changes the board opens it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import msgspec
import sqlalchemy as sa

from domain import claims as disputes
from domain.board import difference
from domain.claims import Claim
from domain.record import (
    Aside,
    BoardAdjusted,
    BoardStep,
    ClaimClosed,
    ClaimRaised,
    ClaimRuled,
    DecisionAsPlayed,
    DecisionRecorded,
    Entry,
    Game,
    Move,
    Place,
    Refused,
    Ruling,
    RulingAppealed,
    RulingConsented,
    RulingProposed,
    UmpireNamed,
    Written,
)
from domain.ruleset import TABLE, Board, Reason, Seat, Verdict, because
from services import access, photos, record, replay
from services.access import EVERYTHING, Grant, Sight
from services.covering import COVERED
from services.daybook import Daybook
from services.kept import kept_appeal, kept_person
from services.record import NAME_LIMIT, Receipt, checked_name, checked_seat, key_within, typed

APPEAL_HOURS = 48  # where the group has set nothing else


class Umpire(msgspec.Struct, frozen=True):
    """Somebody whom the table asks. seat: where they sit, if they play."""

    number: int
    person: str
    name: str
    seat: Seat | None


class Cost(msgspec.Struct, frozen=True):
    """What going back to before a step would undo.

    decisions: of each seat that decided since; facts: what the table has shown since, which cannot be unseen; covered:
    those of them that not everybody has seen; steps: all entries that would be struck; columns: what each seat would
    have then.
    """

    to: int
    steps: int
    decisions: dict[Seat, int]
    facts: int
    covered: int
    columns: dict[str, list[int]]
    columns_now: dict[str, list[int]]


class Foreseen(msgspec.Struct, frozen=True):
    """What a ruling would come to if it were carried out now. struck: the steps that would no longer stand."""

    struck: list[int]
    changes: dict[str, list[Any]]
    columns_before: dict[str, list[int]]
    columns: dict[str, list[int]]


class Opinion(msgspec.Struct, frozen=True):
    """What the rules say of a disputed step.

    verdicts: every check of the decision, in order; legal: what the seat might have decided then, for who may know it
    (None: not for this viewer). stood: it was recorded as played, against the rules. cost: of a rewind to before it;
    None where it does not stand.
    """

    step: int
    seat: Seat | None
    decision: dict[str, Any] | None
    verdicts: list[Verdict]
    stood: bool
    legal: list[dict[str, Any]] | None
    cost: Cost | None

    @property
    def holds(self) -> bool:
        """Whether the rules of today allow the step."""
        return not any(verdict.reason for verdict in self.verdicts)


# --- umpires ---------------------------------------------------------------------------------------------------------


def name_umpire(
    book: Daybook, game_id: UUID, name: str = "", *, seat: Seat | None = None, by: str, key: str,
) -> Receipt:
    """Name the next umpire: somebody beside the table by name, or a player by seat. Raises BadName, Refused."""
    person = uuid4().hex
    if seat is None:
        name = checked_name("umpire", name, NAME_LIMIT)

    def named(game: Game, written: Written) -> tuple[list[Entry], None]:
        if seat == TABLE:
            raise Refused(because("seat", "the table is no umpire"))
        who = person if seat is None else game.opening.seats[checked_seat(game, seat)].person
        return [_added(game, UmpireNamed, written, umpire=len(disputes.umpires(game)), person=who)], None

    if seat is None:
        with book.kept.engine.begin() as c:
            c.execute(kept_person.insert().values(id=person, name=name))
    return record.write(book, game_id, named, None, by, key)


def umpires(book: Daybook, game: Game) -> list[Umpire]:
    persons = disputes.umpires(game)
    seated = {taken.person: seat for seat, taken in enumerate(game.opening.seats)}
    kept = book.kept.game(game.id)
    with book.kept.engine.connect() as c:
        names = {row.id: row.name for row in c.execute(sa.select(kept_person).where(kept_person.c.id.in_(persons)))}
    found = []
    for number, person in enumerate(persons):
        seat = seated.get(person)
        name = kept.names[seat] if kept and seat is not None else names.get(person, "")
        found.append(Umpire(number, person, name, seat))
    return found


def umpire_grant(book: Daybook, game_id: UUID, umpire: int) -> Grant:
    """The link of an umpire, who sees everything; one who plays rules with the link of his own seat.

    Raises Refused for a number that nobody has, or that a player has.
    """
    game = book.games.get(game_id)
    found = next((one for one in umpires(book, game) if one.number == umpire), None)
    if found is None or found.seat is not None:
        raise Refused(because("not_the_umpire", "umpire {umpire} has no link of their own", umpire=umpire))
    held = (one for one in access.grants(book, game_id) if one.role == "umpire" and one.umpire == umpire)
    return next(held, None) or access.grant(book, game_id, "umpire", umpire=umpire)


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
    """A photo may show a hand: whoever sees everything, and whoever attached it."""
    if EVERYTHING in access.sights(book, game.id, grant):
        return access.may_read(book, game.id, grant)
    return grant is not None and grant.game == game.id and any(
        hash in claim.raised.photos and grant.by in (claim.raised.by, f"seat:{claim.raised.seat}")
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
        entry = _added(game, RulingProposed, written, **fields)
        _Remedy(game.then(entry), written).carry_out(claim, ruling, to, moves, values or {}, why or "proposed")
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
        entry = _added(game, RulingConsented, written, claim=claim, proposal=proposal, seat=seat)
        game = game.then(entry)
        told = disputes.claim_of(game, claim)
        if said is None or told.consents(proposal) != set(range(len(game.opening.seats))):
            return [entry], None
        remedy = _Remedy(game, msgspec.structs.replace(written, key=key_within(written.key, 1)), [entry])
        remedy.add(ClaimRuled, claim=claim, ruling=said.ruling, why=said.why, to=said.to, proposal=proposal)
        remedy.carry_out(claim, said.ruling, said.to, said.moves, said.values, said.why or "by consent")
        remedy.add(ClaimClosed, claim=claim)
        return remedy.entries, None

    return record.write(book, game_id, consented, None, by, key)


def rule(
    book: Daybook, game_id: UUID, claim: int, ruling: Ruling, why: str, *, umpire: int, to: int | None = None,
    values: Mapping[str, Any] | None = None, proposal: int | None = None, at: int, by: str, key: str,
) -> Receipt:
    """An umpire rules: what was played stands, or the board is put right, or it is as after step `to` again.

    proposal: what is proposed is made the ruling; then `to` and `values` are the proposal's. at: the newest step that
    the umpire knew. Raises Refused, Conflict, UnknownGame, BadKey.
    """
    hours = appeal_hours(book, game_id)

    def ruled(game: Game, written: Written) -> tuple[list[Entry], None]:
        told = disputes.claim_of(game, claim)
        said = next((one for one in told.story if isinstance(one, RulingProposed) and one.step == proposal), None)
        if proposal is not None and said is None:
            raise Refused(because("not_the_proposal", "step {step} proposes no such ruling", step=proposal))
        remedy = _Remedy(game, written)
        where, moves, what = (to, (), values or {}) if said is None else (said.to, said.moves, said.values)
        final = told.appeal is not None
        remedy.add(ClaimRuled, claim=claim, ruling=ruling, why=why.strip(), umpire=umpire, to=where, proposal=proposal,
                   appeal_until="" if final else later(written.at, hours))
        remedy.carry_out(claim, ruling, where, moves, what, why)
        if final:
            remedy.add(ClaimClosed, claim=claim)
        return remedy.entries, None

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
        if by not in ("scorekeeper", raised.by, f"seat:{raised.seat}"):
            raise Refused(because("not_the_claimant", "whoever raised the claim withdraws it"))
        return [_added(game, ClaimClosed, written, claim=claim, withdrawn=True, why=why.strip())], None

    return record.write(book, game_id, withdrawn, None, by, key)


def close(book: Daybook, game_id: UUID, claim: int, why: str = "", *, by: str, key: str) -> Receipt:
    """Close a claim that was ruled on, once no appeal is possible any more. Raises Refused (key "appeal_runs")."""

    def closed(game: Game, written: Written) -> tuple[list[Entry], None]:
        ruling = disputes.claim_of(game, claim).ruling
        if ruling is not None and written.at < ruling.appeal_until:
            raise Refused(because("appeal_runs", "an appeal is possible until {until}", until=ruling.appeal_until))
        return [_added(game, ClaimClosed, written, claim=claim, why=why.strip())], None

    return record.write(book, game_id, closed, None, by, key)


def appeal_hours(book: Daybook, game_id: UUID) -> int:
    """For how long after a ruling an appeal is possible in a game."""
    with book.kept.engine.connect() as c:
        hours = c.scalar(sa.select(kept_appeal.c.hours).where(kept_appeal.c.game == game_id))
    return APPEAL_HOURS if hours is None else int(hours)


def set_appeal_hours(book: Daybook, game_id: UUID, hours: int) -> None:
    """As the league or the group has agreed; for rulings from now on. 0: no appeal."""
    assert 0 <= hours <= 24 * 365
    with book.kept.engine.begin() as c:
        c.execute(kept_appeal.delete().where(kept_appeal.c.game == game_id))
        c.execute(kept_appeal.insert().values(game=game_id, hours=hours))


def later(at: str, hours: int) -> str:
    """A time of the record so many hours later."""
    moment = datetime.fromisoformat(at) + timedelta(hours=hours)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"


# --- what a ruling does ----------------------------------------------------------------------------------------------


class _Remedy:
    """The entries of a ruling and of what it does, on a copy of the game; the last one carries the key."""

    def __init__(self, game: Game, written: Written, entries: Sequence[Entry] = ()) -> None:
        self.game = game.twin()
        self.written = written
        self.entries = [*entries]

    def next(self) -> Written:
        if not self.entries:
            return self.written
        return msgspec.structs.replace(self.written, key=key_within(self.written.key, len(self.entries) + 1))

    def took(self, entry: Entry, board: Board | None = None) -> None:
        self.game.apply(entry, board)
        self.entries.append(entry)

    def add(self, kind: type[Aside], **fields: Any) -> None:
        self.took(_added(self.game, kind, self.next(), **fields))

    def carry_out(
        self, claim: int, ruling: Ruling, to: int | None, moves: Sequence[Move], values: Mapping[str, Any], why: str,
    ) -> None:
        """Raises Refused, IllegalDecision, NotADecision."""
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


def _aside(book: Daybook, game_id: UUID, by: str, key: str, kind: type[Aside], **fields: Any) -> Receipt:
    return record.write(
        book, game_id, lambda game, written: ([_added(game, kind, written, **fields)], None), None, by, key)


def _added(game: Game, kind: type[Aside], written: Written, **fields: Any) -> Entry:
    event = kind(step=game.step + 1, at=written.at, by=written.by, key=written.key, **fields)
    return disputes.added(game, event)


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
    values: Mapping[str, Any] | None = None,
) -> Foreseen:
    """What a ruling would do to the board as it lies now; nothing is written. It tells more than a seat may know: the
    caller asks. Raises Refused, IllegalDecision, NotADecision, UnknownGame."""
    game = book.games.get(game_id)
    proposal = RulingProposed(
        step=game.step + 1, at=game.entries[-1].event.at, by="preview", key="preview", claim=claim, ruling=ruling,
        to=to, moves=list(moves), values=dict(values or {}))
    disputes.check(game, proposal)
    remedy = _Remedy(game, Written(proposal.at, "preview", "preview"))
    remedy.carry_out(claim, ruling, to, moves, values or {}, "preview")
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


def opinion(book: Daybook, game_id: UUID, about: int, sight: Sight) -> Opinion:
    """What the rules say of a step, as a viewer may know it. Raises Refused, UnknownGame."""
    game = book.games.get(game_id)
    game.check_step(about)
    event = game.entries[about].event
    cost = rewind_cost(game, about) if about in game.line() and about else None
    if not isinstance(event, DecisionRecorded):
        return Opinion(about, None, None, _adjusted(game, event), False, None, cost)
    shown = next(replay.steps(game, sight, about - 1))
    sees = sight == EVERYTHING or (sight == event.seat and event.seat != TABLE)
    before = game.parents[about]
    verdicts = game.ruleset.why(
        replay.asked_board(game, before, sight), event.seat, typed(game, event.decision))
    return Opinion(
        about, event.seat, shown.decision, verdicts if sees else [_covered(verdict) for verdict in verdicts],
        isinstance(event, DecisionAsPlayed),
        replay.legal(book, game_id, before, event.seat, sight) if sees and event.seat != TABLE else None, cost)


def _covered(verdict: Verdict) -> Verdict:
    """Of a check that failed others are told the rule alone: the reason may tell a hand."""
    if verdict.reason is None:
        return verdict
    return msgspec.structs.replace(verdict, reason=Reason("covered", COVERED))


def _adjusted(game: Game, event: Any) -> list[Verdict]:
    """An adjustment changes causes alone; of other entries the rules say nothing."""
    if not isinstance(event, BoardAdjusted):
        return []
    return [Verdict("", "adjusted", None)]


def rewind_cost(game: Game, step: int) -> Cost:
    """What going back to before a standing step would undo."""
    to = game.parents[step]
    decisions: dict[Seat, int] = {}
    facts = covered = steps = 0
    for gone in game.line():
        event = game.entries[gone].event
        if gone < step or not isinstance(event, BoardStep):
            continue
        steps += 1
        if isinstance(event, DecisionRecorded) and event.seat == TABLE:
            facts += 1
            covered += type(game.ruleset.decision(event.decision)) in game.ruleset.covered_facts
        elif isinstance(event, DecisionRecorded):
            decisions[event.seat] = decisions.get(event.seat, 0) + 1
    return Cost(to, steps, decisions, facts, covered, game.figures_at(to)[0], game.figures_at(game.step)[0])
