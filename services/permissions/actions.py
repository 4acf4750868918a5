"""Permissions in a game: one table of actions, and `may`, which pages, API, templates and streams call.

The command line is not asked: whoever has the data folder has the record.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal, Protocol
from uuid import UUID

from daybook.domain import commands, disputes
from daybook.domain.commands import Command, seats_moved
from daybook.domain.disputes import Claim
from daybook.domain.kernel.chronicle import place_of
from daybook.domain.kernel.events import RulingProposed
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.services.permissions.access import Grant, Role
from daybook.services.permissions.sights import EVERYTHING, holds_sealed, nothing_covered, sights_of
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import GameKept

Actor = Role | Literal["visitor"]  # visitor: holds nothing in the game
Name = Literal[
    "claim", "correct", "export", "fork", "manage", "record", "rule", "save", "see_all", "see_photo", "share", "speak"
]
Action = type[Command] | Name
Fields = Mapping[str, Any]  # of a command, or of what an action is about
Missing = Literal[
    "scorekeeper",  # the scorekeeper's link
    "record",  # a link that records
    "seat",  # the link of the seat that decides
    "fact",  # sight of a covered fact
    "others",  # the links of the seats whose decisions are undone
    "claim",  # a link that raises and settles claims
    "speak",  # the link of the seat that is spoken for
    "umpire",  # the link of the umpire
    "covered",  # sight of everything covered
    "sealed",  # sight of what is sealed: no one has it
    "photo",  # a place that the photo's claim shows it to
]
Check = Callable[[Grant | None, Sequence[Grant], Game, Fields], bool]  # of one grant, among all that are held


class MayNotError(Exception):
    """The visitor lacks a permission. grant: what they hold that comes nearest; roles: that might."""

    def __init__(
        self, missing: Missing, roles: Sequence[Actor], grant: Grant | None, game: Game, fields: Fields
    ) -> None:
        super().__init__(missing)
        self.missing = missing
        self.roles = roles
        self.grant = grant
        self.game = game
        self.fields = fields


class Right(Frozen):
    """Who may do an action: holders in one of these roles for whom all checks hold.

    Args:
        roles: who may.
        missing: what everyone else lacks.
        checks: each with what is missing where it fails.
    """

    roles: tuple[Actor, ...]
    missing: Missing
    checks: tuple[tuple[Missing, Check], ...] = ()


class Permission(Frozen):
    """Answer of `may`; true if the visitor may. grant: what they act with; refusal: what is missing."""

    grant: Grant | None = None
    refusal: MayNotError | None = None

    def __bool__(self) -> bool:
        return self.refusal is None


class Holder(Protocol):
    """A visitor of a game, as `services.permissions.visits.Visit` is one."""

    @property
    def game(self) -> Game: ...

    @property
    def grants(self) -> Sequence[Grant]: ...


def may(visit: Holder, action: Action, **fields: Any) -> Permission:
    """Check if a visitor may do an action. fields: those of the command, or what the action is about."""
    return may_with(visit.grants, visit.game, action, **fields)


def may_with(grants: Sequence[Grant], game: Game, action: Action, **fields: Any) -> Permission:
    """Check if a holder of some grants may do an action; the grant that may do the most is tried first."""
    right = RIGHTS[action]
    held = [grant for grant in grants if grant.game == game.id]
    holders: Sequence[Grant | None] = held or [None]
    able = [grant for grant in holders if (grant.role if grant else "visitor") in right.roles]
    if not able:
        return Permission(None, MayNotError(right.missing, right.roles, next(iter(held), None), game, fields))
    failed = [
        next((miss for miss, holds in right.checks if not holds(grant, held, game, fields)), None) for grant in able
    ]
    for grant, missing in zip(able, failed, strict=True):
        if missing is None:
            return Permission(grant)
    assert failed[0] is not None
    return Permission(None, MayNotError(failed[0], right.roles, able[0], game, fields))


def require(visit: Holder, action: Action, **fields: Any) -> Grant:
    """Return the grant with which a visitor may do an action. Raises MayNotError."""
    permission = may(visit, action, **fields)
    if permission.refusal is not None:
        raise permission.refusal
    assert permission.grant is not None
    return permission.grant


def has_role(grants: Collection[Grant], game_id: UUID, action: Action) -> bool:
    """Check if one of some grants has a role for an action in a game that need not be read for it."""
    return any(grant.game == game_id and grant.role in RIGHTS[action].roles for grant in grants)


# --- reading: asked of many games at once, before any is folded -------------------------------------------------------


def may_read(kept: GameKept | None, grant: Grant | None) -> bool:
    """Check if a holder may read a game: public games are for everyone, others for holders of a grant."""
    return kept is not None and (kept.public or (grant is not None and grant.game == kept.id))


def readable_games(book: Daybook, games: Collection[UUID], grant_of: Callable[[UUID], Grant | None]) -> set[UUID]:
    """Return those of some games that a holder may read. grant_of: what they hold in a game that is not public."""
    public = book.kept.public_of(games)  # in one query: a table may name thousands
    held = [(game_id, grant) for game_id in set(games) - public if (grant := grant_of(game_id)) is not None]
    return public | {game_id for game_id, grant in held if may_read(book.kept.game(game_id), grant)}


# --- checks ----------------------------------------------------------------------------------------------------------


def _records_for_seat(grant: Grant | None, held: Sequence[Grant], game: Game, fields: Fields) -> bool:
    return grant is not None and _may_record(grant, fields["seat"])


def _may_record(grant: Grant, seat: Seat) -> bool:
    """Check if a seat's or scorekeeper's grant records for a seat; everyone seated records for the table."""
    return grant.role == "scorekeeper" or (grant.role == "seat" and seat in (grant.seat, TABLE))


def _knows_the_fact(grant: Grant | None, held: Sequence[Grant], game: Game, fields: Fields) -> bool:
    """Check facts that name what others do not see: they are for the scorekeeper, since the choice tells the rest."""
    if grant is not None and grant.role == "scorekeeper":
        return True
    decisions = fields["decisions"] if "decisions" in fields else [fields["decision"]]
    rows = [game.ruleset.by_tag.get(str(decision.get("type"))) for decision in decisions]
    return fields["seat"] != TABLE or not any(row is not None and row.covered_fact for row in rows)


def _undoes_own(grant: Grant | None, held: Sequence[Grant], game: Game, fields: Fields) -> bool:
    """Let two seats on one phone undo what either decided. The record refuses a step that it does not have."""
    moved = seats_moved(game, fields["to_step"]) if 0 <= fields["to_step"] <= game.step else ()
    return all(any(_may_record(holder, seat) for holder in held) for seat in moved)


def _shares(grant: Grant | None, held: Sequence[Grant], game: Game, fields: Fields) -> bool:
    """Let the scorekeeper share the game, and players if the scorekeeper allowed it."""
    return grant is not None and (grant.role == "scorekeeper" or fields["players_share"])


def _speaks_for_seat(grant: Grant | None, held: Sequence[Grant], game: Game, fields: Fields) -> bool:
    """Let a seat speak for itself, the scorekeeper for all; None is the scorekeeper."""
    return grant is not None and (grant.role == "scorekeeper" or grant.seat == fields["seat"])


def _proposes_for_seat(grant: Grant | None, held: Sequence[Grant], game: Game, fields: Fields) -> bool:
    """Count the proposer's seat as agreed; a proposal of no seat has no agreement."""
    return fields.get("seat") is None or _speaks_for_seat(grant, held, game, fields)


def _rules_for_umpire(grant: Grant | None, held: Sequence[Grant], game: Game, fields: Fields) -> bool:
    """Let an umpire rule by their own link, or by that of their seat; the scorekeeper writes down what they say."""
    umpire, persons = fields["umpire"], disputes.umpires(game)
    if grant is None or not 0 <= umpire < len(persons):
        return False
    if grant.role == "seat" and grant.seat is not None:
        return game.opening.seats[grant.seat].person == persons[umpire]
    return grant.role == "scorekeeper" or (grant.role == "umpire" and grant.umpire == umpire)


def _knows_everything(grant: Grant | None, held: Sequence[Grant], game: Game, fields: Fields) -> bool:
    return any(nothing_covered(game, holder) for holder in held)


def _knows_what_is_tried(grant: Grant | None, held: Sequence[Grant], game: Game, fields: Fields) -> bool:
    """Check sight where a refusal would tell what is covered: of a new adjustment, and of decisions made again."""
    tries = (fields["ruling"] == "adjusted" and fields.get("proposal") is None) or bool(fields.get("moves"))
    return not tries or _knows_everything(grant, held, game, fields)


def _sees_every_hand(grant: Grant | None, held: Sequence[Grant], game: Game, fields: Fields) -> bool:
    return EVERYTHING in sights_of(game, grant)


def _nothing_is_sealed(grant: Grant | None, held: Sequence[Grant], game: Game, fields: Fields) -> bool:
    return not holds_sealed(game)


def _is_shown_photo(grant: Grant | None, held: Sequence[Grant], game: Game, fields: Fields) -> bool:
    """Check who sees a photo, which may show a hand and the person behind it.

    The scorekeeper, umpires and the person who attached it see it; seats see it once no hand is covered, or while one of
    those asks them to agree. A proposal alone shows its proposer nothing.
    """
    if grant is None or grant.role in ("scorekeeper", "umpire"):
        return grant is not None
    return any(
        grant.place in disputes.places_of_claimant(game, claim) or game.is_revealed or _seats_are_asked(game, claim)
        for claim in disputes.claims(game).values()
        if fields["hash"] in claim.raised.photos
    )


def _seats_are_asked(game: Game, claim: Claim) -> bool:
    """Check if the seats are to agree to a proposal of someone who may show them the claim's photos."""
    proposers = {place_of(game.writers[step.step]) for step in claim.story if isinstance(step, RulingProposed)}
    return claim.awaits_ruling and any(
        place in disputes.places_of_claimant(game, claim) or place.partition(":")[0] in ("scorekeeper", "umpire")
        for place in proposers
    )


# --- the table -------------------------------------------------------------------------------------------------------

HOLDERS: tuple[Actor, ...] = ("scorekeeper", "umpire", "seat", "reader", "share")
EVERYONE: tuple[Actor, ...] = (*HOLDERS, "visitor")
SEATED: tuple[Actor, ...] = ("scorekeeper", "seat")
SEATED_OR_UMPIRE: tuple[Actor, ...] = (*SEATED, "umpire")
KEEPER = Right(("scorekeeper",), "scorekeeper")
NO_ONE = Right((), "record")
DECIDES = Right(SEATED, "seat", (("seat", _records_for_seat), ("fact", _knows_the_fact)))
SPEAKS = Right(SEATED, "claim", (("speak", _speaks_for_seat),))
SEES_HANDS = Right(EVERYONE, "covered", (("covered", _sees_every_hand),))

RIGHTS: Mapping[Action, Right] = {
    # what is seen; `may_read` opens the game itself
    "see_all": Right(HOLDERS, "covered", (("covered", _knows_everything),)),
    "see_photo": Right(SEATED_OR_UMPIRE, "photo", (("photo", _is_shown_photo),)),
    "save": SEES_HANDS,  # the record as a file, up to the first sealed entry
    "export": Right(EVERYONE, "covered", (("covered", _sees_every_hand), ("sealed", _nothing_is_sealed))),
    "fork": SEES_HANDS,  # private lines that leave the game
    # what is done
    "manage": KEEPER,  # links, names, share address, who may read
    "correct": KEEPER,
    "share": Right(SEATED, "scorekeeper", (("scorekeeper", _shares),)),  # create the share address
    "record": Right(SEATED, "seat", (("seat", _records_for_seat),)),
    "claim": Right(SEATED, "claim"),
    "speak": SPEAKS,
    "rule": Right(SEATED_OR_UMPIRE, "umpire", (("umpire", _rules_for_umpire),)),
    # what is written
    commands.Decide: DECIDES,
    commands.DecideTurn: DECIDES,
    commands.RecordAsPlayed: KEEPER,
    commands.TakeBack: Right(SEATED, "seat", (("others", _undoes_own),)),
    commands.Adjust: KEEPER,
    commands.Correct: KEEPER,
    commands.Note: Right(SEATED, "record"),
    commands.Close: Right(SEATED, "record"),
    commands.Abandon: KEEPER,
    commands.Reopen: KEEPER,
    commands.RevealGame: KEEPER,
    commands.SetDayOfPlay: KEEPER,
    commands.Count: KEEPER,
    commands.AcceptCount: KEEPER,
    commands.AdjustToCount: KEEPER,
    commands.NameUmpire: KEEPER,
    commands.RaiseClaim: SPEAKS,
    commands.ProposeRuling: Right(SEATED, "claim", (("speak", _proposes_for_seat), ("covered", _knows_what_is_tried))),
    commands.ConsentToRuling: SPEAKS,
    commands.RuleOnClaim: Right(
        SEATED_OR_UMPIRE, "umpire", (("umpire", _rules_for_umpire), ("covered", _knows_what_is_tried))
    ),
    commands.AppealRuling: SPEAKS,
    commands.WithdrawClaim: Right(SEATED, "claim"),  # the record knows whose claim it is
    commands.CloseClaim: Right(SEATED_OR_UMPIRE, "claim"),
    commands.TakeLease: KEEPER,
    commands.EndLease: KEEPER,
    commands.AddEntry: NO_ONE,  # a line of a file that is imported
}
