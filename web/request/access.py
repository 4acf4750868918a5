"""Whose request this is: who is signed in, the links a browser has opened, and the game an address names.

The cookie holds, signed, the ids of grants and what a session is known by; a program sends a key as
`Authorization: Bearer <key>`, of a link or of a person.
"""

from __future__ import annotations

from typing import NoReturn
from urllib.parse import quote
from uuid import UUID

import msgspec
from flask import abort, current_app, g, redirect, request, session, url_for

from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import Seat
from daybook.services.league import club_roles
from daybook.services.people import access, accounts
from daybook.services.people.access import Grant, Sight
from daybook.services.people.accounts import Session
from daybook.services.store.daybook import Daybook
from daybook.services.store.games import UnknownGame
from daybook.services.store.kept import GameKept
from daybook.web.words.sheets import call_by

HELD_LIMIT = 80  # links in one cookie: 4093 bytes hold no more; the oldest is dropped and can be opened again
ADDRESS_LIMIT = 800  # characters of an address to be led back to
IN_QUERIES = "%&=+:/?,;@~!$'()*"  # as they are: the rest of a query is written in bytes already


def book() -> Daybook:
    opened: Daybook = current_app.extensions["daybook"]
    return opened


# --- people ----------------------------------------------------------------------------------------------------------


def begin(token: str) -> None:
    """From now on somebody is signed in here. Forms and private lines of before are nobody's: a cookie that was put
    into this browser by somebody else must not be worth anything now."""
    for name in ("csrf", "owner", "let_in"):
        session.pop(name, None)
    session["signed_in"] = token
    session.permanent = True
    g.pop("signed_in", None)


def session_now() -> Session | None:
    """The session of this browser. With a key in the header the cookie is not looked at."""
    if "signed_in" not in g:
        token = None if bearer_key() is not None else session.get("signed_in")
        g.signed_in = accounts.session_of(book(), token) if token else None
    found: Session | None = g.signed_in
    return found


def person() -> str | None:
    """The id of who is signed in here, or whose key a program sent."""
    if "person" not in g:
        key, here = bearer_key(), session_now()
        read = accounts.read_key(book(), key) if key is not None else None
        g.person = read.person if read else here.person if here else None
    found: str | None = g.person
    return found


def somebody() -> str:
    """The id of who is signed in; where nobody is, a page asks for it first. 401 for a form."""
    found = person()
    if found is None:
        ask_to_sign_in()
    return found


def ask_to_sign_in() -> NoReturn:
    if request.method != "GET" or bearer_key() is not None:
        abort(401)
    abort(redirect(url_for("signin.sign_in", next=this_address()), 303))


def this_address() -> str:
    """The address of this request, as a browser can be led back to it; of a form that was sent, without its fields."""
    path, query = f"{request.script_root}{quote(request.path)}", request.query_string
    if request.method != "GET" or not query or len(path) + len(query) >= ADDRESS_LIMIT:
        return path
    return f"{path}?{quote(query, safe=IN_QUERIES)}"


def signed_in_name() -> str:
    """What every page says of who is signed in; empty: nobody is."""
    if "signed_in_name" not in g:
        here = session_now()
        g.signed_in_name = book().kept.names([here.person]).get(here.person, "") if here else ""
    name: str = g.signed_in_name
    return name


# --- grants ----------------------------------------------------------------------------------------------------------


def hold(grant: Grant) -> None:
    """From now on this browser holds the grant."""
    kept = [id for id in session.get("grants", []) if id != grant.id]
    session["grants"] = [*kept, grant.id][-HELD_LIMIT:]
    session.permanent = True
    g.pop("held", None)


def let_go(grant_id: str) -> None:
    """This browser no longer holds the grant."""
    session["grants"] = [id for id in session.get("grants", []) if id != grant_id]
    g.pop("held", None)


def bearer_key() -> str | None:
    """The key a program sent, if it sent one."""
    kind, _, key = request.headers.get("Authorization", "").partition(" ")
    return key.strip() if kind.lower() == "bearer" else None


def held() -> list[Grant]:
    """The grants of this request that work. A key in the header counts alone: then the cookie is not looked at."""
    if "held" not in g:
        key = bearer_key()
        if key is not None:
            found = [access.read_key(book(), key)]
        else:
            found = [access.grant_of(book(), id) for id in session.get("grants", [])]
        g.held = [grant for grant in found if grant is not None]
    grants: list[Grant] = g.held
    return grants


def grants_of(game_id: UUID) -> list[Grant]:
    """What this request holds in one game: scorekeeper first, then umpires, seats in order, reader."""
    order = {"scorekeeper": 0, "umpire": 1, "seat": 2, "reader": 3}
    who = person() or ""
    links = [msgspec.structs.replace(grant, person=who) for grant in held() if grant.game == game_id]
    return sorted([*links, *by_roles(game_id)], key=lambda grant: (
        order[grant.role], -1 if grant.seat is None else grant.seat))


def club_games() -> set[UUID]:
    """The games of the clubs of who is signed in."""
    who = person()
    return club_roles.games(book(), who) if who else set()


def by_roles(game_id: UUID) -> list[Grant]:
    """What the roles of who is signed in give in one game."""
    who = person()
    if who is None:
        return []
    if "by_roles" not in g:
        g.by_roles = {}
    if game_id not in g.by_roles:
        g.by_roles[game_id] = club_roles.grants(book(), who, game_id)
    found: list[Grant] = g.by_roles[game_id]
    return found


def current_grant(game_id: UUID) -> Grant | None:
    """The grant of this request that may do the most in a game."""
    grants = grants_of(game_id)
    return grants[0] if grants else None


def grant_for(game_id: UUID, seat: Seat) -> Grant | None:
    """The grant of this request that may record for a seat; None: none may."""
    return next((grant for grant in grants_of(game_id) if access.may_record(grant, game_id, seat)), None)


def grant_to_tell(game: Game, seat: Seat, kind: str) -> Grant | None:
    """The grant of this request that may record this kind of decision for a seat; None: none may."""
    return next((grant for grant in grants_of(game.id) if access.may_tell(grant, game, seat, kind)), None)


def sights(game_id: UUID) -> tuple[Sight, ...]:
    """What this request may look through, the fullest first; two seats on one phone see both, one at a time."""
    found: dict[Sight, None] = {}
    holders: list[Grant | None] = [*grants_of(game_id)]
    for grant in holders or [None]:
        for sight in access.sights(book(), game_id, grant):
            found.setdefault(sight)
    return tuple(sorted(found, key=lambda sight: sight is None))


# --- games -----------------------------------------------------------------------------------------------------------


def readable(game_id: UUID) -> tuple[Game, GameKept]:
    """The game an address names. 404 where there is none, 403 for a game that is read with a link of its own."""
    kept = book().kept.game(game_id)
    if kept is None:
        abort(404)
    try:
        game = book().games.get(game_id)
    except UnknownGame:
        abort(404)
    if not access.may_read(book(), game_id, current_grant(game_id)):
        abort(403, "private")
    call_by(game.opening.sheet.values)
    return game, kept


def scorekeeper(game_id: UUID) -> Grant:
    """The scorekeeper's grant of a game; 403 without it."""
    grant = current_grant(game_id)
    if grant is None or grant.role != "scorekeeper":
        abort(403, "scorekeeper")
    return grant
