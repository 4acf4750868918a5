"""Disputes as one browser meets them: the claims of a game, and who of its links may raise, settle and rule on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from flask import abort

from daybook.domain import disputes
from daybook.domain.disputes import Claim
from daybook.domain.kernel.record import Game, Refused
from daybook.domain.kernel.ruleset import IllegalDecision, Seat
from daybook.services.disputes import claims
from daybook.services.disputes.umpires import Umpire
from daybook.services.people.access import Grant
from daybook.services.store.kept import GameKept
from daybook.web import words
from daybook.web.recording.desk import Change
from daybook.web.request.access import book, grants_of


def claims_open(game_id: UUID | str) -> list[Claim]:
    """What every page of a game says first."""
    return disputes.open_claims(book().games.get(UUID(str(game_id))))


def may_claim(game_id: UUID | str) -> bool:
    game = book().games.get(UUID(str(game_id)))
    return any(claims.may_claim(grant, game) for grant in grants_of(game.id))


def claimant(game: Game) -> Grant:
    """The grant of this request that may raise and settle claims; 403 without one."""
    found = next((grant for grant in grants_of(game.id) if claims.may_claim(grant, game)), None)
    if found is None:
        abort(403, "claim")
    return found


def speaker(game: Game, seat: Seat | None) -> Grant:
    """The grant of this request that speaks for a seat; None: for the scorekeeper. 403 without one."""
    found = next((grant for grant in grants_of(game.id) if claims.may_speak_for(grant, game, seat)), None)
    if found is None:
        abort(403, "claim")
    return found


def seats_spoken_for(game: Game) -> list[Seat]:
    return [seat for seat in range(len(game.opening.seats)) if any(
        claims.may_speak_for(grant, game, seat) for grant in grants_of(game.id))]


def umpire_grant(game: Game, umpire: int) -> Grant | None:
    return next((grant for grant in grants_of(game.id) if claims.may_rule(grant, game, umpire)), None)


def umpire_of(game: Game, umpire: int) -> Grant:
    """The grant of this request that rules for an umpire; 403 without one."""
    grant = umpire_grant(game, umpire)
    if grant is None:
        abort(403, "umpire")
    return grant


def ruling_umpires(game: Game, claim: Claim, umpires: Sequence[Umpire]) -> list[Umpire]:
    """The umpires who may rule on a claim now, and for whom this browser speaks."""
    able = [one for one in umpires if umpire_grant(game, one.number)]
    appeal = claim.appeal
    return [one for one in able if claim.state != "appealed" or (appeal is not None and appeal.umpire == one.number)]


def sees_all_of(game: Game) -> bool:
    """Whether nothing lies covered from this browser: who puts a board right learns what lies where."""
    return any(claims.sees_all(book(), grant, game) for grant in grants_of(game.id))


def sees_photo(game: Game, hash: str) -> bool:
    holders: list[Grant | None] = [*grants_of(game.id)]
    return any(claims.may_see_photo(book(), grant, game, hash) for grant in holders or [None])


# --- what is shown ---------------------------------------------------------------------------------------------------


def claim_numbered(game: Game, number: int) -> Claim:
    found = disputes.claims(game).get(number)
    if found is None:
        abort(404)
    return found


def changes_of(game: Game, before: Mapping[str, Sequence[int]], after: Mapping[str, Sequence[int]]) -> list[Change]:
    """The figures that differ."""
    return [
        Change(column, seat, was, become) for column in game.ruleset.columns
        for seat, (was, become) in enumerate(zip(before[column], after[column], strict=True)) if was != become]


def refusal(game: Game, kept: GameKept | None, no: Refused | IllegalDecision) -> str:
    names = kept.names if kept else ()
    reason = words.reason_sentence(no.reason, game.ruleset.id, names)
    return f"{reason} ({no.rule})" if no.rule else reason


def colours_of(game: Game) -> list[str]:
    return [seat.colour for seat in game.opening.seats]
