"""Visits: a game as its visitor may meet it, read once from the log and the kept tables, and passed on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain import disputes
from daybook.domain.commands import TakeBack
from daybook.domain.disputes import Claim
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat
from daybook.services.clock import now
from daybook.services.people import accounts, seated
from daybook.services.people.accounts import Session
from daybook.services.people.writers import writer_of
from daybook.services.permissions import access, club_roles, delays
from daybook.services.permissions.access import Grant, Role
from daybook.services.permissions.actions import may, require
from daybook.services.permissions.sights import Sight, sights_of
from daybook.services.store import disagreements
from daybook.services.store.daybook import Daybook
from daybook.services.store.disagreements import Disagreement
from daybook.services.store.game_cache import UnknownGameError
from daybook.services.store.held_leases import HeldLease, held_lease
from daybook.services.store.kept import (
    GameKept,
    Withheld,
    is_withheld,
    kept_brought,
    kept_disagreement,
    kept_game,
    kept_grant,
    kept_person,
    kept_seat,
    kept_session,
    kept_withheld,
    seat_name,
)


class Visit(Frozen, kw_only=True, dict=True):
    """A game as its visitor may meet it.

    Args:
        grants: the visitor's grants in it, the most powerful first.
        person: the id of the signed-in visitor.
        writers: the names of its writers, by id.
        unveiled: the visitor chose to see totals that players keep covered.
        held: the lease, if this device took the game from a service.
        known: disagreements of the rules with the imported record.
        off: why the game was taken off the public lists.
        share: id of the game's share address, for visitors with a link, a role or that address.
        delay_seconds: `game` is as it was so long ago, because the visitor has no seat.
    """

    game: Game
    kept: GameKept
    grants: Sequence[Grant] = ()
    person: str | None = None
    writers: Mapping[str, str] = {}
    unveiled: bool = False
    held: HeldLease | None = None
    known: Sequence[Disagreement] = ()
    off: Withheld | None = None
    share: str = ""
    delay_seconds: int = 0

    @property
    def subject(self) -> Game:
        return self.game

    @property
    def holdings(self) -> Sequence[Grant]:
        return self.grants

    @property
    def rules(self) -> str:
        return self.game.ruleset.id

    @property
    def names(self) -> tuple[str, ...]:
        return self.kept.names

    @property
    def colours(self) -> list[str]:
        return [seat.colour for seat in self.game.opening.seats]

    @property
    def running(self) -> bool:
        return self.game.status == "running"

    @property
    def takes_corrections(self) -> bool:
        """True if earlier steps can be corrected: the game is running, or it is closed and opens for a correction."""
        return self.game.status in ("running", "closed")

    @property
    def is_elsewhere(self) -> bool:
        """True if another device records the game, and this Daybook does not."""
        held = self.held
        return self.game.lease is not None and (
            held is None or held.step != self.game.lease or held.ended_at is not None
        )

    # --- what they may see ---

    @cached_property
    def sights(self) -> tuple[Sight, ...]:
        """The sights that the visitor may choose from, the fullest first. Two seats on one phone may choose either.

        Where offers may be sealed, a scorekeeper has no seat's sight, whatever other links they hold: the phone that
        records goes from hand to hand.
        """
        holders: Sequence[Grant | None] = self.grants or [None]
        if self.role == "scorekeeper" and self.game.may_hold_sealed:
            holders = [self.grant]
        sights = dict.fromkeys(sight for grant in holders for sight in sights_of(self.game, grant))
        return tuple(sorted(sights, key=lambda sight: sight is None))

    @property
    def sight(self) -> Sight:
        return self.sights[0]

    # --- what they may do ---

    @property
    def grant(self) -> Grant | None:
        """The most powerful grant."""
        return self.grants[0] if self.grants else None

    @property
    def role(self) -> Role | None:
        return None if self.grant is None else self.grant.role

    @property
    def own_seats(self) -> list[Seat]:
        return [grant.seat for grant in self.grants if grant.seat is not None]

    @property
    def shares(self) -> bool:
        """True if the visitor may create the game's share address."""
        return bool(may(self, "share", players_share=self.kept.players_share))

    @property
    def seat_shared_from(self) -> Seat | None:
        """The first seat of the visitor's links and roles."""
        return next((grant.seat for grant in self.grants if grant.role == "seat"), None)

    @property
    def only_reads(self) -> bool:
        return all(grant.only_reads for grant in self.grants)

    @property
    def seats_spoken_for(self) -> list[Seat]:
        return [seat for seat in range(len(self.game.opening.seats)) if may(self, "speak", seat=seat)]

    def may_go_back(self, to: int | None) -> int | None:
        """Return a step to take back to, if the visitor may: a seat undoes and redoes its own decisions."""
        open_here = self.running and not self.is_elsewhere
        return to if open_here and to is not None and may(self, TakeBack, to_step=to) else None

    # --- what is open ---

    @cached_property
    def against_rules(self) -> list[Disagreement]:
        """The entries that stand and with which the rules disagree."""
        return disagreements.filter_standing(self.game, self.known)

    @cached_property
    def open_claims(self) -> list[Claim]:
        return disputes.open_claims(self.game)

    def seats_to_agree(self, claim: Claim) -> list[Seat]:
        """Return the visitor's seats that have not yet agreed to what is proposed for a claim."""
        if claim.proposal is None or not claim.awaits_ruling:
            return []
        agreed = claim.consents(claim.proposal.step)
        return [seat for seat in self.seats_spoken_for if seat not in agreed]


def visit_of(
    book: Daybook,
    game_id: UUID,
    *,
    links: Sequence[str] = (),
    token: str | None = None,
    person: str | None = None,
    unveiled: bool = False,
) -> tuple[Visit, Session | None]:
    """Read a game for a visitor, and their session: with one read of the log and one of the kept tables.

    Args:
        links: ids of the visitor's grants, in any games.
        token: of their session.
        person: their id, if a key says it.

    Raises UnknownGameError, MayNotError.
    """
    game, clubs = (
        (book.games.get(game_id), [])
        if token is None and person is None
        else (club_roles.game_and_clubs(book, game_id))
    )
    writers = {writer_of(by) for by in set(game.writers)} - {""}
    kept, held, session, names, known, off, share = _read_kept_rows(book, game_id, links, token, writers)
    if kept is None:
        raise UnknownGameError(game_id)
    lease = None if game.lease is None else held_lease(book, game_id)
    who = person or (None if session is None else session.person) or (None if lease is None else lease.person or None)
    grants = rank_grants(
        [
            *(msgspec.structs.replace(grant, person=who or "") for grant in held),
            *(club_roles.role_grants_in(clubs, game, kept, who) if who else ()),
        ]
    )
    unknown = seated.imported_ids(game, kept)
    found = Visit(
        game=game,
        kept=kept,
        grants=grants,
        person=who,
        unveiled=unveiled,
        held=lease,
        known=known,
        off=off,
        share=share if grants else "",
        writers={id: name for id, name in names.items() if id not in unknown},
    )
    require(found, "read_game", public=kept.public)
    if delay_seconds := delays.delay_for(book, game, grants):
        seen = delays.delayed_game(book, game, delay_seconds)
        found = msgspec.structs.replace(found, game=seen, delay_seconds=delay_seconds)
    return found, session


def rank_grants(grants: Collection[Grant]) -> list[Grant]:
    """Sort grants by power: scorekeeper, umpires, seats in order, reader, share."""
    rank: dict[Role, int] = {"scorekeeper": 0, "umpire": 1, "seat": 2, "reader": 3, "share": 4}
    return sorted(grants, key=lambda grant: (rank[grant.role], -1 if grant.seat is None else grant.seat))


def _read_kept_rows(
    book: Daybook, game_id: UUID, links: Sequence[str], token: str | None, people: Collection[str]
) -> tuple[GameKept | None, list[Grant], Session | None, dict[str, str], list[Disagreement], Withheld | None, str]:
    """Read the kept rows of a game for a visit."""
    session = None if token is None else accounts.digest(token)
    found = book.kept.cache.get(
        (_read_rows, game_id, *links, "", session, *sorted(people)),
        lambda: _read_rows(book, game_id, links, session, people),
    )
    seats = sorted(found["seat"].values(), key=lambda row: row.number)
    brought = sorted((row.number, int(row.text)) for row in found["brought"].values())
    kept = next(
        (
            GameKept(
                game_id,
                row.text,
                bool(row.number),
                row.made_at,
                tuple(seat.text for seat in seats),
                tuple(seat.person for seat in seats),
                tuple(brought),
                row.person or "",
            )
            for row in found["game"].values()
        ),
        None,
    )
    at = now()
    sessions = [
        Session(row.id, row.person, row.device, row.made_at, row.seen_at, row.ends_at, row.text or "", bool(row.number))
        for row in found["session"].values()
        if row.ends_at > at
    ]
    return (
        kept,
        [
            access.grant_in(game_id, id, found["grant"][id].text, found["grant"][id].number)
            for id in links
            if id in found["grant"]
        ],
        accounts.touch_session(book, sessions[0]) if sessions else None,
        {id: row.text for id, row in found["person"].items()},
        [
            Disagreement(row.number, row.person, row.text, row.made_at)
            for row in sorted(found["against"].values(), key=lambda row: row.number)
        ],
        next(
            (
                Withheld("game", str(game_id), row.text, row.person, row.made_at, bool(row.number))
                for row in found["off"].values()
            ),
            None,
        ),
        next(iter(found["share"]), ""),
    )


def _read_rows(
    book: Daybook, game_id: UUID, links: Sequence[str], session: str | None, people: Collection[str]
) -> dict[str, dict[str, Any]]:
    """Return rows by their kind and id."""
    found: dict[str, dict[str, Any]] = {
        "game": {},
        "seat": {},
        "brought": {},
        "grant": {},
        "share": {},
        "session": {},
        "person": {},
        "against": {},
        "off": {},
    }
    parameters = {"game": game_id, "about": str(game_id), "links": [*links], "people": [*people], "session": session}
    for row in book.kept.engine.rows(_KEPT_ROWS, parameters):
        found[row.kind][row.id] = row
    return found


_COLUMNS = {
    "id": sa.Text,
    "number": sa.Integer,
    "text": sa.Text,
    "person": sa.Text,
    "device": sa.Text,
    "made_at": sa.Text,
    "seen_at": sa.Text,
    "ends_at": sa.Text,
}


def _rows(kind: str, **given: Any) -> sa.Select[Any]:
    return sa.select(
        sa.literal(kind).label("kind"),
        *(given.get(name, sa.cast(sa.null(), column_type)).label(name) for name, column_type in _COLUMNS.items()),
    )


_GAME = sa.bindparam("game", type_=sa.Uuid)
_KEPT_ROWS = sa.union_all(
    _rows(
        "game",
        id=sa.literal(""),
        number=sa.cast(kept_game.c.public, sa.Integer),
        text=kept_game.c.title,
        person=kept_game.c.sharing,
        made_at=kept_game.c.created_at,
    ).where(kept_game.c.id == _GAME),
    _rows(
        "seat",
        id=sa.cast(kept_seat.c.seat, sa.Text),
        number=kept_seat.c.seat,
        text=seat_name(),
        person=kept_seat.c.person,
    )
    .join_from(kept_seat, kept_person, kept_person.c.id == kept_seat.c.person)
    .where(kept_seat.c.game == _GAME),
    _rows(
        "brought",
        id=sa.cast(kept_brought.c.first, sa.Text) + "-" + sa.cast(kept_brought.c.last, sa.Text),
        number=kept_brought.c.first,
        text=sa.cast(kept_brought.c.last, sa.Text),
    ).where(kept_brought.c.game == _GAME),
    _rows("grant", id=kept_grant.c.id, number=kept_grant.c.seat, text=kept_grant.c.role).where(
        kept_grant.c.game == _GAME,
        kept_grant.c.revoked_at.is_(None),
        kept_grant.c.id.in_(sa.bindparam("links", expanding=True)),
    ),
    _rows("share", id=kept_grant.c.id).where(
        kept_grant.c.game == _GAME, kept_grant.c.revoked_at.is_(None), kept_grant.c.role == "share"
    ),
    _rows(
        "session",
        number=sa.cast(accounts.links_used(kept_session.c.person), sa.Integer),
        text=kept_person.c.name,
        **{name: kept_session.c[name] for name in ("id", "person", "device", "made_at", "seen_at", "ends_at")},
    )
    .outerjoin_from(kept_session, kept_person, kept_person.c.id == kept_session.c.person)
    .where(kept_session.c.id == sa.bindparam("session", type_=sa.Text)),
    _rows(
        "against",
        id=sa.cast(kept_disagreement.c.step, sa.Text),
        number=kept_disagreement.c.step,
        person=kept_disagreement.c.seal,
        text=kept_disagreement.c.finding,
        made_at=kept_disagreement.c.at,
    ).where(kept_disagreement.c.game == _GAME),
    _rows(
        "off",
        id=sa.literal(""),
        number=sa.cast(kept_withheld.c.public, sa.Integer),
        text=kept_withheld.c.why,
        person=kept_withheld.c.by,
        made_at=kept_withheld.c.at,
    ).where(is_withheld("game", sa.bindparam("about", type_=sa.Text))),
    _rows("person", id=kept_person.c.id, text=kept_person.c.name).where(
        kept_person.c.id.in_(sa.bindparam("people", expanding=True))
    ),
)
