"""Whose request this is: who is signed in, the links a browser has opened, and the game an address names.

The cookie holds, signed, the ids of grants and what a session is known by; a program sends a key as
`Authorization: Bearer <key>`, of a link or of a person.
"""

from __future__ import annotations

from typing import Any, NoReturn
from urllib.parse import quote
from uuid import UUID

import msgspec
from flask import abort, current_app, g, redirect, render_template, request, session, url_for

from daybook.domain.commands import Command
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.terms import IllegalDecision
from daybook.services import visits
from daybook.services.league import club_roles
from daybook.services.people import access, accounts, link_undo
from daybook.services.people.access import Grant
from daybook.services.people.accounts import Key, Session
from daybook.services.people.link_sign_ins import LinkSignIn
from daybook.services.play import recording
from daybook.services.play.writing import Receipt
from daybook.services.store.daybook import Daybook
from daybook.services.store.games import UnknownGameError
from daybook.services.store.log import RecordErasedError
from daybook.services.visits import NotReadable, Visit, rank_grants
from daybook.web import words
from daybook.web.words.sheets import call_by

HELD_SIGNS = 2_000  # of the ids of links in one cookie, 80 of most: 4093 bytes hold no more, and what is longer no
# browser keeps; the oldest is dropped, and its user is told
DROPPED, DROPPED_LIMIT = "dropped", 8  # ids of dropped grants, in the session
ADDRESS_LIMIT = 800  # characters of an address to be led back to
UNVEILED = "veil_lifted"  # in the session
FORM_WORD = "forms"  # in the session: the word that forms were known by before somebody signed in
SHEETS_MADE, SHEETS_MADE_LIMIT = "sheets", 4  # in the cookie, which has little room
SHARES, SHARES_LIMIT = "shares", 4  # ids of the share addresses that were opened last, in the session
BEEN_HERE, BEEN_HERE_LIMIT = "been_here", 4  # ids of people, in the session
BROWSER = "browser"  # in the session: a word that tells browsers at one address apart, for limits alone
IN_QUERIES = "%&=+:/?,;@~!$'()*"  # as they are: the rest of a query is written in bytes already


def book() -> Daybook:
    """Return the daybook that this application serves."""
    opened: Daybook = current_app.extensions["daybook"]
    return opened


# --- people ----------------------------------------------------------------------------------------------------------


def begin_session(token: str) -> None:
    """From now on somebody is signed in here. Forms and private lines of before are nobody's: a cookie that was put
    into this browser by somebody else must not be worth anything now.
    """
    if "csrf" in session:  # it is worth nothing but to know a form again that was sent before
        session.setdefault(FORM_WORD, session["csrf"])
    for name in ("csrf", "owner"):
        session.pop(name, None)
    session["signed_in"] = token
    session.permanent = True
    g.pop("signed_in", None)
    g.pop("csrf_token", None)


def remember_person() -> None:
    """Who has just signed in with a password has been here, and may come again whatever strangers guess elsewhere."""
    here = person()
    if here is not None:
        session[BEEN_HERE] = [*(one for one in session.get(BEEN_HERE, []) if one != here), here][-BEEN_HERE_LIMIT:]


def was_here(person: str | None) -> bool:
    """Whether a person has signed in before in this browser."""
    return person is not None and person in session.get(BEEN_HERE, [])


def session_now() -> Session | None:
    """The session of this browser."""
    if "signed_in" not in g:
        token = session_token()
        g.signed_in = accounts.session_of(book(), token) if token else None
    found: Session | None = g.signed_in
    return found


def require_owner() -> None:
    """403 where a link signed in that can still be undone."""
    if link_here() is not None:
        abort(403, "by link")


def link_here() -> LinkSignIn | None:
    """Return the sign-in with a link with which this session began, while it can be undone."""
    here = session_now()
    return None if here is None else link_undo.on_trial(book(), here)


def session_token() -> str | None:
    """What this browser's session is known by. With a key in the header the cookie is not looked at."""
    return None if bearer_key() is not None else session.get("signed_in")


def person() -> str | None:
    """The id of who is signed in here, or whose key a program sent."""
    here = session_now()
    return here.person if here else person_of_key()


def person_of_key() -> str | None:
    """The id of the person whose key a program sent."""
    key = key_of_person()
    return key.person if key else None


def key_of_person() -> Key | None:
    """The key of a person that a program sent, if it works."""
    if "key_of_person" not in g:
        key = bearer_key()
        g.key_of_person = accounts.read_key(book(), key) if key is not None else None
    found: Key | None = g.key_of_person
    return found


def require_signed_in() -> str:
    """The id of who is signed in; where nobody is, a page asks for it first. 401 for a form."""
    found = person()
    if found is None:
        ask_to_sign_in()
    return found


def ask_to_sign_in() -> NoReturn:
    if request.method == "POST" or bearer_key() is not None:
        abort(401)
    abort(redirect(url_for("sign_in.sign_in", next=this_address()), 303))


def this_address() -> str:
    """The address of this request, as a browser can be led back to it; of a form that was sent, without its fields."""
    path, query = f"{request.script_root}{quote(request.path)}", request.query_string
    if request.method == "POST" or not query or len(path) + len(query) >= ADDRESS_LIMIT:
        return path
    return f"{path}?{quote(query, safe=IN_QUERIES)}"


def signed_in_name() -> str:
    """What every page says of who is signed in; empty: nobody is."""
    here = session_now()
    return here.name if here else ""


def link_notice() -> bool:
    """Check if this device should be told that a link signed its person in elsewhere."""
    here = session_now()
    return here is not None and bool(link_undo.answerable(book(), here))


# --- grants ----------------------------------------------------------------------------------------------------------


def hold_grant(grant: Grant) -> None:
    """From now on this browser holds the grant."""
    kept = [*(id for id in session.get("grants", []) if id != grant.id), grant.id]
    dropped = [id for id in session.get(DROPPED, []) if id != grant.id]
    if _cookie_signs(kept) > HELD_SIGNS:
        working = {one.id for one in access.grants_of(book(), kept)}
        kept = [id for id in kept if id in working]
    while _cookie_signs(kept) > HELD_SIGNS:
        dropped.append(kept.pop(0))
    if dropped or DROPPED in session:
        session[DROPPED] = dropped[-DROPPED_LIMIT:]
    session["grants"] = kept
    session.permanent = True
    g.pop("held", None)


def hold_share(grant: Grant) -> None:
    """Let this browser open the pages of a game whose share address it opened."""
    opened = session.get(SHARES, [])
    if opened[-1:] != [grant.id]:
        session[SHARES] = [*(share for share in opened if share != grant.id), grant.id][-SHARES_LIMIT:]
        session.permanent = True


def share_ids() -> list[str]:
    """Return the ids of the share addresses that this browser opened. With a key in the header the cookie is ignored."""
    return [] if bearer_key() is not None else list(session.get(SHARES, []))


def _cookie_signs(ids: list[str]) -> int:
    return sum(len(id) + 3 for id in ids)


def dropped_grants() -> list[Grant]:
    """Return the grants that this browser had no room for any more, until its user has seen them."""
    return access.grants_of(book(), session.get(DROPPED, []))


def forget_dropped_grants() -> None:
    session.pop(DROPPED, None)


def drop_grant(grant_id: str) -> None:
    """This browser no longer holds the grant."""
    session["grants"] = [id for id in session.get("grants", []) if id != grant_id]
    g.pop("held", None)


def bearer_key() -> str | None:
    """The key a program sent, if it sent one."""
    kind, _, key = request.headers.get("Authorization", "").partition(" ")
    return key.strip() if kind.lower() == "bearer" else None


def link_ids() -> list[str]:
    """The ids of the grants this request brings. A key in the header counts alone: then the cookie is not looked at."""
    key = bearer_key()
    if key is None:
        return list(session.get("grants", []))
    id = access.id_of_key(book(), key)
    return [] if id is None else [id]


def remember_sheet(hash: str) -> None:
    """Remember in this browser that it published a sheet without an account: it has the link."""
    session[SHEETS_MADE] = [*(one for one in session.get(SHEETS_MADE, []) if one != hash), hash][-SHEETS_MADE_LIMIT:]


def sheets_made() -> list[str]:
    """The hashes of the sheets that this browser published without an account, of the last ones."""
    return list(session.get(SHEETS_MADE, []))


def held_grants() -> list[Grant]:
    """The grants of this request that work."""
    if "held" not in g:
        g.held = access.grants_of(book(), link_ids())
    grants: list[Grant] = g.held
    return grants


def grants_of(game_id: UUID) -> list[Grant]:
    """What this request holds in one game of several that a page speaks of, the one that may do the most first."""
    who = person()
    links = [msgspec.structs.replace(grant, person=who or "") for grant in held_grants() if grant.game == game_id]
    return rank_grants([*links, *(club_roles.role_grants(book(), who, game_id) if who else ())])


def club_games() -> set[UUID]:
    """The games of the clubs of who is signed in."""
    who = person()
    return club_roles.games_of_clubs(book(), who) if who else set()


def current_grant(game_id: UUID) -> Grant | None:
    """The grant of this request that may do the most in a game."""
    grants = grants_of(game_id)
    return grants[0] if grants else None


# --- games -----------------------------------------------------------------------------------------------------------


def visit_game(game_id: UUID) -> Visit:
    """The game an address names, as this request may meet it: asked for once, and handed on.

    404 where there is none, 410 for one that was erased, 403 for a game that is read with a link of its own.
    """
    try:
        found = visit_another(game_id)
    except RecordErasedError:
        raise
    except UnknownGameError:
        abort(404)
    except NotReadable:
        abort(403, "private")
    call_by(found.game.opening.sheet)
    return found


def visit_another(game_id: UUID) -> Visit:
    """A game beside the one that the address names, as this request may meet it. Raises UnknownGameError, NotReadable."""
    found, g.signed_in = visits.visit_of(
        book(),
        game_id,
        links=[*link_ids(), *share_ids()],
        token=session_token(),
        person=person_of_key(),
        unveiled=shows_veiled(),
    )
    return found


def page_of(template: str, visit: Visit, /, **shown: Any) -> str:
    """A page of a game, with all that every one of them has."""
    return render_template(
        template,
        visit=visit,
        game=visit.game,
        kept=visit.kept,
        names=visit.names,
        rules=visit.rules,
        colours=visit.colours,
        **shown,
    )


def keeper_of(visit: Visit) -> Grant:
    """The scorekeeper's grant; 403 without it."""
    if visit.grant is None or not visit.keeps:
        abort(403, "scorekeeper")
    return visit.grant


def write_sent(visit: Visit, command: Command, at: int | None = None, part: str = "") -> Receipt:
    """Write what a form says, under its key; part: what tells several commands of one form apart.

    Raises as `recording.write`, and MayNot, which `errors` answers.
    """
    by = visit.writer(type(command), **msgspec.structs.asdict(command)).by
    return recording.append_command(
        book(), visit.game.id, command, at=at, by=by, key=request.form.get("key", "") + part
    )


def refusal_sentence(visit: Visit, no: Refused | IllegalDecision) -> str:
    """What stands against a command, with the number of its rule."""
    reason = words.reason_sentence(no.reason, visit.rules, visit.names)
    return f"{reason} ({no.rule})" if no.rule else reason


def shows_veiled() -> bool:
    """Whether this browser asked to see the totals that players keep covered."""
    return bool(session.get(UNVEILED))


def set_shows_veiled(on: bool) -> None:
    session[UNVEILED] = on
    session.permanent = True
