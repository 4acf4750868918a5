"""Disputes: a claim is raised, an umpire or all seats together rule, and the board follows (`domain.rulings`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from daybook.domain import disputes
from daybook.domain.commands import RaiseClaim
from daybook.domain.disputes import Claim
from daybook.domain.kernel.board import Document, difference
from daybook.domain.kernel.chronicle import Written, place_of
from daybook.domain.kernel.events import BoardStep, FirstRuling, Move, Ruling, RulingProposed
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat, because
from daybook.domain.rulings import Remedy
from daybook.services.people import access, photos
from daybook.services.people.access import EVERYTHING, Grant, Sight
from daybook.services.play import recording, replay
from daybook.services.play.writing import Receipt
from daybook.services.store.daybook import Daybook


class RulingPreview(Frozen):
    """What a ruling would come to if it were carried out now. struck: the steps that would no longer stand; document:
    the board that it leaves, with all that lies covered on it.
    """

    document: Document
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
    says.
    """
    if grant is None or grant.game != game.id:
        return False
    persons = disputes.umpires(game)
    if not 0 <= umpire < len(persons):
        return False
    if grant.role == "seat" and grant.seat is not None:
        return game.opening.seats[grant.seat].person == persons[umpire]
    return grant.role == "scorekeeper" or (grant.role == "umpire" and grant.umpire == umpire)


def sees_all(grant: Grant | None, game: Game) -> bool:
    """Whether nothing lies covered from this holder. Who tries out what to put where, or which decisions to make
    anew, learns from a refusal what lies there: it is for who knows it.
    """
    allowed = access.sights_of(game, grant)
    if EVERYTHING in allowed:
        return True
    own = allowed[0]
    return own is not None and bool(game.ruleset.secrecy.redact_board(game.board, own).document() == game.document)


def may_see_photo(grant: Grant | None, game: Game, hash: str) -> bool:
    """Whether this holder may see a photo, which may show a hand and whoever sits behind it.

    It is for who keeps the record and for umpires; for whoever attached it; for the seats, once no hand is covered
    from them any more, or while they are asked to agree by one of those. Who proposes something is shown nothing by
    it, and who only reads the game sees none, however open the game lies.
    """
    if grant is None or grant.game != game.id or grant.only_reads:
        return False
    if grant.role in ("scorekeeper", "umpire"):
        return True
    return any(
        grant.place in disputes.places_of_claimant(game, claim) or game.lies_open or _seats_are_asked(game, claim)
        for claim in disputes.claims(game).values()
        if hash in claim.raised.photos
    )


def _seats_are_asked(game: Game, claim: Claim) -> bool:
    """Whether the seats are to agree to what somebody proposed who may show them the claim's photos."""
    proposers = {place_of(game.writers[said.step]) for said in claim.story if isinstance(said, RulingProposed)}
    return claim.awaits_ruling and any(
        place in disputes.places_of_claimant(game, claim) or place.partition(":")[0] in ("scorekeeper", "umpire")
        for place in proposers
    )


# --- a claim's way ---------------------------------------------------------------------------------------------------


def raise_claim(
    book: Daybook,
    game_id: UUID,
    about: int,
    what: str,
    *,
    rule: str = "",
    why: str = "",
    seat: Seat | None = None,
    sent: Sequence[bytes] = (),
    stranger: str = "",
    by: str,
    key: str,
) -> Receipt:
    """Claim that a step is wrong. seat: whose claim it is; None: the scorekeeper's; sent: photos as they were sent; stranger: as for `photos.keep`.

    The receipt's step is the number of the claim. Raises Refused, BadPhoto, UnknownGame, BadKey.
    """
    if len(sent) > disputes.PHOTOS_LIMIT:
        raise photos.BadPhoto(
            because("too_many", "{given} photos; at most {limit}", given=len(sent), limit=disputes.PHOTOS_LIMIT)
        )
    attached = {one.hash: one for one in map(photos.reencode, sent)}
    said = RaiseClaim(about, what, rule, why, seat, [*attached])
    # What no claim names nobody may see, and nobody would remove.
    return recording.write(
        book,
        game_id,
        said,
        by=by,
        key=key,
        keep=lambda: [photos.keep(book, game_id, one, stranger) for one in attached.values()],
    )


# --- reading ---------------------------------------------------------------------------------------------------------


def claims_open_first(game: Game) -> list[Claim]:
    """Every claim of a game, the open ones first, then the newest. What of it a viewer may know, `replay` shows."""
    found = disputes.claims(game).values()
    return sorted(found, key=lambda claim: (not claim.is_open, -claim.number))


def claim_story(game: Game, claim: int, sight: Sight) -> list[replay.StepShown]:
    """Story of a claim: all that was said and done about it, step by step, as a viewer may know it. Raises Refused."""
    steps = story_steps(game, disputes.claim_of(game, claim))
    return list(replay.some_steps(game, sight, steps))


def story_steps(game: Game, claim: Claim) -> set[int]:
    steps = {claim.number, *(said.step for said in claim.story)}
    for entry in game.entries:
        if isinstance(entry.event, BoardStep) and entry.event.answers == claim.number:
            steps.add(entry.step)
    return steps


def preview_ruling(
    game: Game,
    claim: int,
    ruling: Ruling,
    *,
    to: int | None = None,
    moves: Sequence[Move] = (),
    values: Mapping[str, Any] | None = None,
    first: FirstRuling | None = None,
) -> RulingPreview:
    """What a ruling would do to the board as it lies now; nothing is written. It tells more than a seat may know: the
    caller asks. Raises Refused, IllegalDecision, NotADecision.
    """
    proposal = RulingProposed(
        step=game.step + 1,
        at=game.entries[-1].event.at,
        by="preview",
        key="preview",
        claim=claim,
        ruling=ruling,
        to=to,
        moves=list(moves),
        values=dict(values or {}),
    )
    disputes.check(game, proposal)
    remedy = Remedy(game, Written(proposal.at, "preview", "preview"))
    remedy.carry_out(claim, ruling, to, moves, values or {}, "preview", first or remedy.first_ruling(claim, ruling))
    after = remedy.game
    stands = set(after.line())
    return RulingPreview(
        after.document,
        [step for step in game.line() if step not in stands],
        difference(game.document, after.document),
        game.figures_at(game.step)[0],
        after.figures_at(after.step)[0],
    )


def board_ruled(
    game: Game,
    comes_to: RulingPreview,
    ruling: Ruling,
    to: int | None,
    moves: Sequence[Move],
    sight: Sight,
    sees_all: bool,
) -> Document | None:
    """The board that a ruling would leave, as far as a viewer may know it before it is ruled.

    Who sees less than all is shown a board that was there, as they see it in the replay, and never one that is only
    proposed: else whoever proposes something chose what others see. None: nothing is to be shown.
    """
    if sees_all:
        return replay.redact_board(game, comes_to.document, sight).document()
    if ruling == "rewound" and not moves and to is not None:
        return replay.position(game, to, sight).board
    return None


def goes_back_to(game: Game, about: int) -> int:
    """Where a claim on a step goes back to, unless somebody says it: before the turn that it belongs to."""
    turn = recording.before_turn(game, about)
    return turn if turn is not None else game.parents[about] if about else 0


def was_provisional_at(game: Game, step: int) -> bool:
    """Whether a claim was open after a step, so that the result could still change."""
    return any(claim.is_open for claim in disputes.claims(game, step).values())
