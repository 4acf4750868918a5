"""Permissions: one table of actions, in games, clubs and the service, and `may`, which pages, API, templates and jobs call.

An actor acts on a subject: with the grants of a game, with the roles of a club, with an account or with a lease. A role
counts only for its own subject, so "scorekeeper" is a link in rows of games and a role in rows of clubs. The command line
is not checked: the user who has the data folder has the records.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal, Protocol, get_args
from uuid import UUID

import msgspec

from daybook.domain import commands, disputes
from daybook.domain.commands import Command, seats_moved
from daybook.domain.disputes import Claim
from daybook.domain.kernel.chronicle import place_of
from daybook.domain.kernel.events import RulingProposed
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.domain.league import club_commands
from daybook.domain.league.club import Club, SeasonTable
from daybook.domain.league.club_commands import ClubCommand
from daybook.domain.league.club_events import BESIDE, MemberAction
from daybook.domain.league.plays import OWN_LOG
from daybook.domain.sealed_entries import is_sealed_kind, sealed_on_own_phone
from daybook.services.people.accounts import Scope
from daybook.services.permissions.access import Grant, Role
from daybook.services.permissions.sights import EVERYTHING, holds_sealed, nothing_covered, sights_of
from daybook.services.store.daybook import Daybook
from daybook.services.store.folded_cache import ClubSummary
from daybook.services.store.kept import GameKept

ClubActor = Literal["organiser", "umpire", "scorekeeper", "member", "operator"]
Actor = Role | ClubActor | Literal["person", "device", "visitor"]
# person: signed in with an account; device: has the lease of a game; visitor: holds nothing here
GameAction = Literal[
    "read_game",
    "ask_for_chances",
    "ask_to_share",
    "claim",
    "claim_seat",
    "correct",
    "export",
    "fork",
    "hand_back",
    "keep_forks",
    "lease",
    "manage",
    "record",
    "rule",
    "save",
    "see_all",
    "see_photo",
    "see_record_page",
    "share",
    "speak",
    "umpire_game",
]
ClubAction = Literal[
    "read_club",
    "see_evenings",
    "list_members",
    "answer_evenings",
    "log_plays",
    "enter_results",
    "open_tables",
    "rule_results",
    "schedule",
    "close_seasons",
    "settle_club",
    "manage_members",
]
SiteAction = Literal["read_site", "open_game", "write_site", "sign_in", "found_club", "own_account", "withhold"]
Action = type[Command] | type[ClubCommand] | GameAction | ClubAction | SiteAction
Fields = Mapping[str, Any]  # of a command, or of what an action is about
Missing = Literal[
    "link",  # any link of a game that is not public
    "scorekeeper",  # the scorekeeper's link
    "record",  # a link that records
    "seat",  # the link of the seat that decides
    "fact",  # sight of a covered fact
    "seal",  # the link of the seat that sealed the decision with it
    "others",  # the links of the seats that decided what is undone
    "claim",  # a link that raises and settles claims
    "speak",  # the link of the seat that is spoken for
    "umpire",  # the link of the umpire
    "covered",  # sight of everything covered
    "running",  # the same, for the record as a file: the game is played
    "fork",  # the same, for lines that leave the game
    "audit",  # the same, for an audit; and nothing may be sealed
    "photo",  # a place that the photo's claim shows it to
    "lease",  # the lease of the game, while its scorekeeper has the permission
    "membership",  # a role in a club that is not public
    "evenings",  # a role in a club, to see evenings that are not public
    "role",  # one of the roles in the club
    "organiser",  # the role of an organiser, to act for another member
    "club_umpire",  # the role of an umpire, without a seat in the game
    "keeper",  # the scorekeeper's link of a game that is entered in a club
    "own_account",  # a session that its owner began, not another person's link
    "operator",  # an account that the operator named
]
ROLE_MISSING = frozenset(
    {"membership", "evenings", "role", "organiser", "club_umpire"}
)  # permissions that a role in the club gives
OPERATOR = "the operator"  # the writer of commands of the command line. No person's id has spaces.
Check = Callable[[Any, Any, Any, Fields], bool]  # of a holding, the visit, its subject and the fields


class Holding(Protocol):
    """A grant of a game, or a role in a club."""

    @property
    def role(self) -> Actor: ...


class Actors(Protocol):
    """The visitor of a game, a club or the service, such as `services.permissions.visits.Visit`."""

    @property
    def subject(self) -> Any:
        """The game or club."""

    @property
    def holdings(self) -> Sequence[Any]:
        """The visitor's grants or roles in the subject, the most powerful first."""


class MayNotError(Exception):
    """The visitor lacks a permission.

    Args:
        roles: the roles that have it.
        holding: the visitor's holding that comes nearest to it.
    """

    def __init__(
        self, missing: Missing, roles: Sequence[Actor], holding: Holding | None, subject: Any, fields: Fields
    ) -> None:
        named = ", ".join(role for role in roles if role != "operator")
        super().__init__(f"this is for: {named}" if missing in ROLE_MISSING else missing)
        self.missing = missing
        self.roles = roles
        self.holding = holding
        self.subject = subject
        self.fields = fields


class Right(Frozen):
    """The permission that an action needs: one of some roles, and all checks.

    Args:
        roles: the roles that may do it.
        missing: the permission that everyone else lacks.
        checks: each with the missing permission if it fails.
        scope: the narrowest scope of a key that may write with it.
        read_scope: the narrowest scope of a key that may read with it.
    """

    roles: tuple[Actor, ...]
    missing: Missing
    checks: tuple[tuple[Missing, Check], ...] = ()
    scope: Scope = "organise"
    read_scope: Scope = "read"


class Permission(Frozen):
    """Answer of `may`; true if the visitor may. holding: the holding that permits it; refusal: the missing permission."""

    holding: Any = None
    refusal: MayNotError | None = None

    def __bool__(self) -> bool:
        return self.refusal is None


class GameHolder(Frozen):
    """A holder of some grants in a game that was not visited."""

    subject: Game | GameKept
    grants: Sequence[Grant] = ()

    @property
    def holdings(self) -> Sequence[Grant]:
        return [grant for grant in self.grants if grant.game == self.subject.id]


class Holder(Frozen):
    """A role in a club or in the service, as `Grant` is one in a game."""

    role: Actor


class ClubVisit(Frozen):
    """A club as a person may meet it.

    Args:
        person: an id; empty: not signed in.
        grants: those of the links that the person holds, in any games.
        own_session: the owner of the account signed in, and not another person's link.
    """

    club: Club
    person: str = ""
    grants: Sequence[Grant] = ()
    own_session: bool = True

    @property
    def subject(self) -> Club:
        return self.club

    @property
    def holdings(self) -> Sequence[Holder]:
        if self.person == OPERATOR:
            return [Holder("operator")]
        return [Holder(role) for role in self.club.roles(self.person)] if self.person else []


class SummaryVisit(Frozen):
    """A club that a person without a role in it meets in a list."""

    subject: ClubSummary
    holdings: Sequence[Holder] = ()


class SiteVisit(Frozen):
    """A visit of the service itself. operator: the account is an operator's."""

    person: str = ""
    operator: bool = False
    own_session: bool = True
    subject: None = None

    @property
    def holdings(self) -> Sequence[Holder]:
        return [*([Holder("operator")] if self.operator else []), *([Holder("person")] if self.person else [])]


class LeaseVisit(Frozen):
    """A game as a device meets it that has the game's lease.

    Args:
        holds: the lease is of this game, and its scorekeeper still has the permission.
    """

    subject: UUID
    holds: bool

    @property
    def holdings(self) -> Sequence[Holder]:
        return [Holder("device")] if self.holds else []


def may(visit: Actors, action: Action, **fields: Any) -> Permission:
    """Check if a visitor may do an action; what may do the most is tried first.

    Args:
        fields: those of the command, or what the action is about.
    """
    right, holdings = RIGHTS[action], visit.holdings
    holders: Sequence[Holding | None] = holdings or [None]
    able = [holding for holding in holders if (holding.role if holding else "visitor") in right.roles]
    if not able:
        return Permission(
            None, MayNotError(right.missing, right.roles, next(iter(holdings), None), visit.subject, fields)
        )
    failed = [
        next((miss for miss, holds in right.checks if not holds(holding, visit, visit.subject, fields)), None)
        for holding in able
    ]
    for holding, missing in zip(able, failed, strict=True):
        if missing is None:
            return Permission(holding)
    assert failed[0] is not None
    return Permission(None, MayNotError(failed[0], right.roles, able[0], visit.subject, fields))


def may_with(grants: Sequence[Grant], game: Game | GameKept, action: Action, **fields: Any) -> Permission:
    """Check if a holder of some grants may do an action in a game."""
    return may(GameHolder(game, grants), action, **fields)


def require(visit: Actors, action: Action, **fields: Any) -> Any:
    """Return what a visitor may do an action with: a grant, a club role or None. Raises MayNotError."""
    permission = may(visit, action, **fields)
    if permission.refusal is not None:
        raise permission.refusal
    return permission.holding


def scope_includes(scope: Scope, needed: Scope) -> bool:
    """Check if a key's scope includes another: organise includes record, and record includes read."""
    order = get_args(Scope)
    return order.index(scope) >= order.index(needed)


def has_role(grants: Collection[Grant], game_id: UUID, action: Action) -> bool:
    """Check if one of some grants has a role for an action in a game that need not be read for it."""
    return any(grant.game == game_id and grant.role in RIGHTS[action].roles for grant in grants)


# --- reading: asked of many games at once, before any is folded -------------------------------------------------------


def may_read(game: GameKept | None, grant: Grant | None) -> bool:
    """Check if a holder may read a game: public games are for everyone, others for holders of a grant."""
    return game is not None and bool(may_with([grant] if grant else [], game, "read_game", public=game.public))


def readable_games(book: Daybook, games: Collection[UUID], grant_of: Callable[[UUID], Grant | None]) -> set[UUID]:
    """Return those of some games that a holder may read. grant_of: what they hold in a game that is not public."""
    public = book.kept.public_of(games)  # in one query: a table may name thousands
    held = [(game_id, grant) for game_id in set(games) - public if (grant := grant_of(game_id)) is not None]
    return public | {game_id for game_id, grant in held if may_read(book.kept.game(game_id), grant)}


# --- checks ----------------------------------------------------------------------------------------------------------


def _game_is_open(grant: Grant | None, visit: Actors, game: Game | GameKept, fields: Fields) -> bool:
    return grant is not None or bool(fields["public"])


def _sat_there(grant: Grant, visit: Actors, game: Game | GameKept, fields: Fields) -> bool:
    return grant.role == "scorekeeper" or grant.seat == fields["seat"]


def _records_for_seat(grant: Grant | None, visit: Actors, game: Game, fields: Fields) -> bool:
    return grant is not None and _may_record(grant, fields["seat"])


def _may_record(grant: Grant, seat: Seat) -> bool:
    """Check if a seat's or scorekeeper's grant records for a seat; everyone seated records for the table."""
    return grant.role == "scorekeeper" or (grant.role == "seat" and seat in (grant.seat, TABLE))


def _knows_the_fact(grant: Grant | None, visit: Actors, game: Game, fields: Fields) -> bool:
    """Check facts that others do not see: the scorekeeper may enter them, and the seat that sees them."""
    if fields["seat"] != TABLE or (grant is not None and grant.role == "scorekeeper"):
        return True
    decisions = fields["decisions"] if "decisions" in fields else [fields["decision"]]
    rows = [game.ruleset.by_tag.get(str(decision.get("type"))) for decision in decisions]
    seat = None if grant is None else grant.seat
    return all(
        row is None
        or not row.covered_fact
        or (seat is not None and row.seen_by is not None and row.seen_by(game.board) == seat)
        for row in rows
    )


def _keeps_own_seal(grant: Grant | None, visit: Actors, game: Game, fields: Fields) -> bool:
    """Check that a seat itself replaces what it sealed with its own link: for others, the seal stays closed."""
    seat, decisions = fields["seat"], fields["decisions"] if "decisions" in fields else [fields["decision"]]
    if not any(is_sealed_kind(game, decision) for decision in decisions) or not sealed_on_own_phone(game, seat):
        return True
    return grant is not None and grant.seat == seat


def _undoes_own(grant: Grant | None, visit: Actors, game: Game, fields: Fields) -> bool:
    """Let two seats on one phone undo what either decided. The record refuses a step that it does not have."""
    moved = seats_moved(game, fields["to_step"]) if 0 <= fields["to_step"] <= game.step else ()
    return all(any(_may_record(holder, seat) for holder in visit.holdings) for seat in moved)


def _shares(grant: Grant | None, visit: Actors, game: Game, fields: Fields) -> bool:
    """Let the scorekeeper share the game, and players if the scorekeeper allowed it."""
    return grant is not None and (grant.role == "scorekeeper" or fields["players_share"])


def _speaks_for_seat(grant: Grant | None, visit: Actors, game: Game, fields: Fields) -> bool:
    """Let a seat speak for itself, the scorekeeper for all; None is the scorekeeper."""
    return grant is not None and (grant.role == "scorekeeper" or grant.seat == fields["seat"])


def _proposes_for_seat(grant: Grant | None, visit: Actors, game: Game, fields: Fields) -> bool:
    """Count the proposer's seat as agreed; a proposal of no seat has no agreement."""
    return fields.get("seat") is None or _speaks_for_seat(grant, visit, game, fields)


def _rules_for_umpire(grant: Grant | None, visit: Actors, game: Game, fields: Fields) -> bool:
    """Let an umpire rule by their own link, or by that of their seat; the scorekeeper writes down what they say."""
    umpire, persons = fields["umpire"], disputes.umpires(game)
    if grant is None or not 0 <= umpire < len(persons):
        return False
    if grant.role == "seat" and grant.seat is not None:
        return game.opening.seats[grant.seat].person == persons[umpire]
    return grant.role == "scorekeeper" or (grant.role == "umpire" and grant.umpire == umpire)


def _is_club_umpire(grant: Grant | None, visit: Actors, game: Game, fields: Fields) -> bool:
    return bool(fields["club_umpire"])


def _knows_everything(grant: Grant | None, visit: Actors, game: Game, fields: Fields) -> bool:
    return any(nothing_covered(game, holder) for holder in visit.holdings)


def _knows_what_is_tried(grant: Grant | None, visit: Actors, game: Game, fields: Fields) -> bool:
    """Check sight where a refusal would tell what is covered: of a new adjustment, and of decisions made again."""
    tries = (fields["ruling"] == "adjusted" and fields.get("proposal") is None) or bool(fields.get("moves"))
    return not tries or _knows_everything(grant, visit, game, fields)


def _knows_what_is_claimed(grant: Grant | None, visit: Actors, game: Game, fields: Fields) -> bool:
    """Check sight where a refusal would tell what is covered: of figures that a claim names by their places.

    The page for figures lists only places that its visitor sees, and asks without naming any.
    """
    return not fields.get("values") or _knows_everything(grant, visit, game, fields)


def _sees_every_hand(grant: Grant | None, visit: Actors, game: Game, fields: Fields) -> bool:
    return EVERYTHING in sights_of(game, grant)


def _nothing_is_sealed(grant: Grant | None, visit: Actors, game: Game, fields: Fields) -> bool:
    return not holds_sealed(game)


def _is_shown_photo(grant: Grant | None, visit: Actors, game: Game, fields: Fields) -> bool:
    """Check the sight of a photo, which may show a hand and the person behind it.

    The scorekeeper, umpires and the person who attached it see it; seats see it once no hand is covered, or while one of
    those asks them to agree. A proposal alone shows its proposer nothing.
    """
    if grant is None or grant.role in ("scorekeeper", "umpire"):
        return grant is not None
    return any(
        grant.place in disputes.places_of_claimant(game, claim) or game.is_revealed or _seats_may_agree(game, claim)
        for claim in disputes.claims(game).values()
        if fields["hash"] in claim.raised.photos
    )


def _seats_may_agree(game: Game, claim: Claim) -> bool:
    """Check if the seats are to agree to a proposal, and its proposer may show them the claim's photos."""
    proposers = {place_of(game.writers[step.step]) for step in claim.story if isinstance(step, RulingProposed)}
    return claim.awaits_ruling and any(
        place in disputes.places_of_claimant(game, claim) or place.partition(":")[0] in ("scorekeeper", "umpire")
        for place in proposers
    )


# --- checks in clubs and of accounts ---------------------------------------------------------------------------------


def _club_is_open(member: Holder | None, visit: Actors, club: Club | ClubSummary, fields: Fields) -> bool:
    return member is not None or club.settings.public


def _evenings_are_open(member: Holder | None, visit: Actors, club: Club, fields: Fields) -> bool:
    return member is not None or club.settings.public_evenings


def _is_own_session(holding: Holder, visit: ClubVisit | SiteVisit, subject: object, fields: Fields) -> bool:
    return visit.own_session


def _acts_for_self(member: Holder, visit: ClubVisit, club: Club, fields: Fields) -> bool:
    """Let members act for themselves, organisers for all."""
    person = fields["person"] or visit.person
    return member.role in ("organiser", "operator") or club.person(person) == club.person(visit.person)


def _plays_at_table(action: MemberAction) -> Check:
    """Return a check that lets members act for themselves at their own tables, if the club allows it."""

    def check(member: Holder, visit: ClubVisit, club: Club, fields: Fields) -> bool:
        if member.role != "member":
            return True
        table = _table_of_season(club, fields)
        return (
            action in club.settings.members_may
            and table is not None
            and club.person(visit.person) in club.seats(table)
            and (not fields.get("person") or club.person(fields["person"]) == club.person(visit.person))
        )

    return check


def _names_own_substitute(member: Holder, visit: ClubVisit, club: Club, fields: Fields) -> bool:
    """Let members name a substitute for their own seat, if the club allows it, until a result or a forfeit."""
    if member.role != "member":
        return True
    table, person = _table_of_season(club, fields), club.person(visit.person)
    return (
        "name_substitutes" in club.settings.members_may
        and table is not None
        and not table.is_settled
        and club.person(fields.get("person") or person) == person
        and person in map(club.person, table.seats)
        and not any(seat.forfeit and seat.person == person for seat in club.stand_ins(table))
    )


def _table_of_season(club: Club, fields: Fields) -> SeasonTable | None:
    """Return the table that a command is about, if it is in a season."""
    season = club.seasons.get(fields["season"])
    return season.tables.get(fields["table"]) if season is not None else None


def _enters_result(member: Holder, visit: ClubVisit, club: Club, fields: Fields) -> bool:
    """Let members write their own plays, and report results of their own tables. The club refuses confirmed results."""
    if fields["season"] == BESIDE or member.role != "member":
        return _writes_own_play(member, visit, club, fields)
    table = _table_of_season(club, fields)
    if table is None or not table.planned or table.voided:
        return False
    return _plays_at_table("report_results")(member, visit, club, fields)


def _confirms_result(member: Holder, visit: ClubVisit, club: Club, fields: Fields) -> bool:
    """Let players confirm results that another player of their table reported, organisers all results."""
    if member.role != "member":
        return True
    table = _table_of_season(club, fields)
    return (
        table is not None
        and table.typed is not None
        and table.typed.unapproved
        and club.person(table.typed.by) != club.person(visit.person)
        and _plays_at_table("report_results")(member, visit, club, fields)
    )


def _answers_for_guest(member: Holder, visit: ClubVisit, club: Club, fields: Fields) -> bool:
    """Let members answer for themselves and for the guests that they brought, organisers for all."""
    if _acts_for_self(member, visit, club, fields):
        return True
    person, evening = club.person(fields["person"]), club.evenings.get(fields.get("evening", ""))
    if person in (fields.get("guests") or ()) and not club.knows(person):
        return True
    return evening is not None and person in club.guests_of(evening, visit.person)


def _sets_own_challenge(member: Holder, visit: ClubVisit, club: Club, fields: Fields) -> bool:
    """Let members set challenges for themselves, organisers also for the club and for others."""
    if fields["for_club"]:
        return member.role in ("organiser", "operator")
    return _acts_for_self(member, visit, club, fields)


def _gives_up_own_challenge(member: Holder, visit: ClubVisit, club: Club, fields: Fields) -> bool:
    challenge = club.challenges.get(fields["challenge"])
    is_own = challenge is not None and club.person(challenge.person) == club.person(visit.person)
    return member.role in ("organiser", "operator") or is_own


def _writes_own_play(member: Holder, visit: ClubVisit, club: Club, fields: Fields) -> bool:
    """Let members log plays outside the seasons and change those that they logged; other roles change all."""
    if member.role != "member":
        return True
    if fields["season"] != BESIDE:
        return False
    if not fields["table"]:
        return True
    table = club.beside.tables.get(fields["table"])
    typed = None if table is None or table.game else table.typed
    return typed is not None and club.person(typed.by) == club.person(visit.person)


def _brings_own_plays(member: Holder, visit: ClubVisit, club: Club, fields: Fields) -> bool:
    """Let members bring plays of their own log in which they took part; other roles import all."""
    if member.role != "member":
        return True
    if fields["source"] != f"{OWN_LOG}{visit.person}" or fields["deleted"]:
        return False
    ids, chosen = {*club.ids_of(visit.person)}, fields["people"]
    return all(any(chosen.get(player.key, player.id) in ids for player in play.players) for play in fields["plays"])


def _keeps_game(member: Holder, visit: ClubVisit, club: Club, fields: Fields) -> bool:
    """Check a game's own scorekeeper: entering the game gives the club's scorekeepers its record."""
    game_id = UUID(fields["game"])
    return member.role == "operator" or any(
        grant.game == game_id and grant.role == "scorekeeper" for grant in visit.grants
    )


# --- the table -------------------------------------------------------------------------------------------------------

HOLDERS: tuple[Actor, ...] = ("scorekeeper", "umpire", "seat", "reader", "share")
EVERYONE: tuple[Actor, ...] = (*HOLDERS, "visitor")
SEATED: tuple[Actor, ...] = ("scorekeeper", "seat")
SEATED_OR_UMPIRE: tuple[Actor, ...] = (*SEATED, "umpire")
KEEPS = Right(("scorekeeper",), "scorekeeper", scope="record")
GIVES_LINKS = Right(("scorekeeper",), "scorekeeper", read_scope="organise")  # a link outlives the key
RECORDS = Right(SEATED, "record", scope="record")
DECIDES = Right(
    SEATED, "seat", (("seat", _records_for_seat), ("fact", _knows_the_fact), ("seal", _keeps_own_seal)), scope="record"
)
CLAIMS = Right(SEATED, "claim", scope="record")
SPEAKS = Right(SEATED, "claim", (("speak", _speaks_for_seat),), scope="record")

MEMBERS: tuple[Actor, ...] = ("organiser", "umpire", "scorekeeper", "member", "operator")
ANYONE: tuple[Actor, ...] = (*MEMBERS, "visitor")
ORGANISES = Right(("organiser", "operator"), "role")
SETTLES = Right(("organiser", "operator"), "role", (("own_account", _is_own_session),))
RULES = Right(("organiser", "umpire", "operator"), "role")
ENTERS = Right(("organiser", "scorekeeper", "operator"), "role")

OPEN = Right(("person", "operator", "visitor"), "own_account")

GAMES: Mapping[Action, Right] = {
    # what is seen
    "read_game": Right(EVERYONE, "link", (("link", _game_is_open),), scope="read"),
    "ask_for_chances": Right(EVERYONE, "link", (("link", _game_is_open),), scope="record"),
    "see_record_page": Right(SEATED_OR_UMPIRE, "record", scope="record"),
    "see_all": Right(HOLDERS, "covered", (("covered", _knows_everything),)),
    "see_photo": Right(SEATED_OR_UMPIRE, "photo", (("photo", _is_shown_photo),)),
    # the record as a file, up to the first sealed entry
    "save": Right(EVERYONE, "running", (("running", _sees_every_hand),), scope="read"),
    "export": Right(EVERYONE, "audit", (("audit", _sees_every_hand), ("audit", _nothing_is_sealed)), scope="record"),
    "fork": Right(EVERYONE, "fork", (("fork", _sees_every_hand),), scope="read"),  # private lines that leave the game
    "keep_forks": Right(EVERYONE, "fork", (("fork", _sees_every_hand),), scope="record"),
    # what is done
    "manage": GIVES_LINKS,  # links, names, share address, public or not
    "lease": GIVES_LINKS,  # which device records
    "correct": KEEPS,
    "share": Right(SEATED, "scorekeeper", (("scorekeeper", _shares),)),  # create the share address
    "ask_to_share": Right(("seat",), "seat"),
    "record": Right(SEATED, "seat", (("seat", _records_for_seat),), scope="record"),
    "claim": CLAIMS,
    "speak": SPEAKS,
    "claim_seat": Right(SEATED, "seat", (("seat", _sat_there),)),  # of an imported game
    "hand_back": Right(("device",), "lease", read_scope="organise"),  # what a device recorded
    "rule": Right(SEATED_OR_UMPIRE, "umpire", (("umpire", _rules_for_umpire),), scope="record"),
    "umpire_game": Right(EVERYONE, "club_umpire", (("club_umpire", _is_club_umpire),)),  # name oneself
    # what is written
    commands.Decide: DECIDES,
    commands.DecideTurn: DECIDES,
    commands.RecordAsPlayed: Right(("scorekeeper",), "scorekeeper", (("seal", _keeps_own_seal),), scope="record"),
    commands.TakeBack: Right(SEATED, "seat", (("others", _undoes_own),), scope="record"),
    commands.Adjust: KEEPS,
    commands.Correct: KEEPS,
    commands.Note: RECORDS,
    commands.Close: RECORDS,
    commands.Abandon: KEEPS,
    commands.Reopen: KEEPS,
    commands.RevealGame: KEEPS,
    commands.SetDayOfPlay: KEEPS,
    commands.Count: KEEPS,
    commands.AcceptCount: KEEPS,
    commands.AdjustToCount: KEEPS,
    commands.NameUmpire: KEEPS,
    commands.RaiseClaim: Right(
        SEATED, "claim", (("speak", _speaks_for_seat), ("covered", _knows_what_is_claimed)), scope="record"
    ),
    commands.ProposeRuling: Right(
        SEATED, "claim", (("speak", _proposes_for_seat), ("covered", _knows_what_is_tried)), scope="record"
    ),
    commands.ConsentToRuling: SPEAKS,
    commands.RuleOnClaim: Right(
        SEATED_OR_UMPIRE, "umpire", (("umpire", _rules_for_umpire), ("covered", _knows_what_is_tried)), scope="record"
    ),
    commands.AppealRuling: SPEAKS,
    commands.WithdrawClaim: CLAIMS,  # the record checks the claimant
    commands.CloseClaim: Right(SEATED_OR_UMPIRE, "claim", scope="record"),
    commands.TakeLease: GIVES_LINKS,
    commands.EndLease: GIVES_LINKS,
    commands.AddEntry: Right((), "record"),  # a line of a file that is imported
}
CLUBS: Mapping[Action, Right] = {
    # what is seen
    "read_club": Right(ANYONE, "membership", (("membership", _club_is_open),)),
    "see_evenings": Right(ANYONE, "evenings", (("evenings", _evenings_are_open),)),
    "list_members": Right(ANYONE, "membership", (("membership", _club_is_open),), read_scope="organise"),  # with links
    # what is done
    "answer_evenings": Right(MEMBERS, "role"),
    "log_plays": Right(MEMBERS, "role"),  # outside the seasons
    "enter_results": ENTERS,  # games and results
    "open_tables": ENTERS,  # games of the club
    "rule_results": RULES,  # void results, penalties, lots
    "schedule": ORGANISES,  # players, draws, days, seats and evenings
    "close_seasons": ORGANISES,  # and open them again
    "settle_club": SETTLES,  # leagues, seasons, how the club does things
    "manage_members": SETTLES,  # members, roles, merges
    # what is written
    club_commands.RenameClub: SETTLES,
    club_commands.ChangeClubSettings: SETTLES,
    club_commands.SetTimeZone: SETTLES,
    club_commands.RemoveClub: SETTLES,
    club_commands.DissolveClub: SETTLES,
    club_commands.RestoreClub: SETTLES,
    club_commands.AddMember: SETTLES,
    club_commands.AddMembers: SETTLES,
    club_commands.GiveRoles: SETTLES,
    club_commands.EndMembership: Right(
        MEMBERS, "role", (("organiser", _acts_for_self), ("own_account", _is_own_session))
    ),
    club_commands.MergePeople: SETTLES,
    club_commands.SplitPeople: SETTLES,
    club_commands.PlanEvening: ORGANISES,
    club_commands.CallOffEvening: ORGANISES,
    club_commands.SetEveningTables: ORGANISES,
    club_commands.AnswerEvening: Right(MEMBERS, "role", (("organiser", _answers_for_guest),)),
    club_commands.SetChallenge: Right(MEMBERS, "role", (("organiser", _sets_own_challenge),)),
    club_commands.GiveUpChallenge: Right(MEMBERS, "role", (("organiser", _gives_up_own_challenge),)),
    club_commands.FoundLeague: SETTLES,
    club_commands.ChangeLeague: SETTLES,
    club_commands.RemoveLeague: SETTLES,
    club_commands.RestoreLeague: SETTLES,
    club_commands.OpenSeason: SETTLES,
    club_commands.OpenNextSeason: SETTLES,
    club_commands.OpenStage: SETTLES,
    club_commands.ChangeSeason: SETTLES,
    club_commands.EnterPlayers: ORGANISES,
    club_commands.WithdrawPlayer: ORGANISES,
    club_commands.GivePenalty: RULES,
    club_commands.SetTeam: ORGANISES,
    club_commands.SetHandicap: ORGANISES,
    club_commands.RecordLot: RULES,
    club_commands.CloseSeason: ORGANISES,
    club_commands.ReopenSeason: ORGANISES,
    club_commands.CancelSeason: ORGANISES,
    club_commands.RemoveSeason: SETTLES,
    club_commands.RestoreSeason: SETTLES,
    club_commands.CloseSeasonAgain: ORGANISES,
    club_commands.KeepFinalOrder: ORGANISES,
    club_commands.DrawSchedule: ORGANISES,
    club_commands.PlanTable: ORGANISES,
    club_commands.ChangeSeats: ORGANISES,
    club_commands.PostponeTable: ORGANISES,
    club_commands.SeatSubstitute: Right((*ENTERS.roles, "member"), "role", (("role", _names_own_substitute),)),
    club_commands.RecordForfeit: ENTERS,
    club_commands.RestoreSeat: Right((*ENTERS.roles, "member"), "role", (("role", _names_own_substitute),)),
    club_commands.ExcusePlayer: ORGANISES,
    club_commands.SetRoundDeadline: ORGANISES,
    club_commands.EnterGame: Right(ENTERS.roles, "role", (("keeper", _keeps_game),)),
    club_commands.CorrectSeating: ENTERS,
    club_commands.RemoveGame: ENTERS,
    club_commands.ReportAbsence: Right(
        (*ORGANISES.roles, "member"), "role", (("role", _plays_at_table("report_absences")),)
    ),
    club_commands.ProposeDay: Right((*ORGANISES.roles, "member"), "role", (("role", _plays_at_table("propose_days")),)),
    club_commands.AgreeToDay: Right((*ORGANISES.roles, "member"), "role", (("role", _plays_at_table("propose_days")),)),
    club_commands.EnterResult: Right((*ENTERS.roles, "member"), "role", (("role", _enters_result),)),
    club_commands.VoidResult: Right((*RULES.roles, "member"), "role", (("role", _writes_own_play),)),
    club_commands.AcceptResult: Right((*ORGANISES.roles, "member"), "role", (("role", _confirms_result),)),
    club_commands.AcceptWaitingPlays: ORGANISES,
    club_commands.ConfirmSeparateGames: ENTERS,
    club_commands.ImportPlays: Right((*ENTERS.roles, "member"), "role", (("role", _brings_own_plays),)),
    club_commands.UndoImport: ENTERS,
    club_commands.MergePlays: ENTERS,
    club_commands.SplitPlay: ENTERS,
    # written by Daybook; no page and no address takes them
    club_commands.AdmitInvited: ORGANISES,  # the writer is the inviter
    club_commands.MergeAccounts: Right(ANYONE, "role"),  # the writer has signed in with both accounts
    club_commands.BlankNames: Right(("operator",), "operator"),
}
SITE: Mapping[Action, Right] = {
    "read_site": msgspec.structs.replace(OPEN, scope="read"),
    "open_game": msgspec.structs.replace(OPEN, scope="record"),
    "write_site": OPEN,  # publish sheets, check files
    "sign_in": msgspec.structs.replace(OPEN, read_scope="organise"),  # open links and invitations, sign in and up
    "found_club": Right(("person",), "own_account"),
    "own_account": Right(("person",), "own_account", (("own_account", _is_own_session),)),
    "withhold": Right(("operator",), "operator"),  # take games, clubs and sheets off the public lists
}
RIGHTS: Mapping[Action, Right] = {**GAMES, **CLUBS, **SITE}
