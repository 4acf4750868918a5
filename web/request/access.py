"""Identity of a request: the signed-in user, the browser's links, and the requested game.

The signed cookie has the ids of grants and the session token. A program sends the key of a link or a person as
`Authorization: Bearer <key>`.
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
from daybook.services.people import accounts, link_undo
from daybook.services.people.accounts import Key, Session
from daybook.services.people.link_sign_ins import LinkSignIn
from daybook.services.permissions import access, club_roles, visits
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import MayNotError, SiteVisit, require
from daybook.services.permissions.visits import Visit, rank_grants
from daybook.services.play import recording
from daybook.services.play.writing import Receipt, Writer
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import UnknownGameError
from daybook.services.store.kept import GameKept
from daybook.services.store.log import RecordErasedError
from daybook.web import words
from daybook.web.words.sheets import use_sheet_names

# characters of link ids in one cookie, about 80 ids: browsers drop cookies above 4093 bytes. The oldest id is dropped,
# and the user is notified.
MAX_GRANT_CHARACTERS = 2_000

DROPPED, DROPPED_LIMIT = "dropped", 8  # session key: ids of dropped grants
MAX_RETURN_ADDRESS_CHARACTERS = 800
UNVEILED = "shows_veiled"  # session key
FORM_WORD = "forms"  # session key: the form token from before the sign-in
SHEETS_MADE, SHEETS_MADE_LIMIT = "sheets", 4  # in the cookie, which has little room
SHARES, SHARES_LIMIT = "shares", 4  # session key: ids of the share addresses that were opened last
BEEN_HERE, BEEN_HERE_LIMIT = "signed_in_before", 4  # session key: ids of people
BROWSER = "browser"  # session key: when the browser got it, and a random id; only for rate limits
SAFE_QUERY_CHARACTERS = "%&=+:/?,;@~!$'()*"  # left as they are; others are percent-encoded


def book() -> Daybook:
    """Return the daybook that this application serves."""
    opened: Daybook = current_app.extensions["daybook"]
    return opened


# --- people ----------------------------------------------------------------------------------------------------------


def begin_session(token: str) -> None:
    """Sign a user in in this browser.

    Earlier form tokens and private lines are dropped: a cookie planted by someone else must be worthless now.
    """
    if "csrf" in session:  # this token only recognises a form that was already sent
        session.setdefault(FORM_WORD, session["csrf"])
    for name in ("csrf", "owner"):
        session.pop(name, None)
    session["signed_in"] = token
    session.permanent = True
    g.pop("signed_in", None)
    g.pop("csrf_token", None)


def remember_person() -> None:
    """Remember that the user signed in here with a password; such browsers are exempt from lockouts."""
    session_row = current_person()
    if session_row is not None:
        session[BEEN_HERE] = [
            *(earlier for earlier in session.get(BEEN_HERE, []) if earlier != session_row),
            session_row,
        ][-BEEN_HERE_LIMIT:]


def has_signed_in_here(person: str | None) -> bool:
    """Check if a person has signed in before in this browser."""
    return person is not None and person in session.get(BEEN_HERE, [])


def current_session() -> Session | None:
    """Return the session of this browser."""
    if "signed_in" not in g:
        token = session_token()
        g.signed_in = accounts.session_of(book(), token) if token else None
    current: Session | None = g.signed_in
    return current


def require_owner() -> None:
    """Raise MayNotError in a session that a link began, while it can be undone."""
    require(SiteVisit(current_person() or "", own_session=link_here() is None), "own_account")


def link_here() -> LinkSignIn | None:
    """Return the sign-in with a link with which this session began, while it can be undone."""
    here = current_session()
    return None if here is None else link_undo.open_sign_in_of(book(), here)


def session_token() -> str | None:
    """Return this browser's session token; None if the request has a key."""
    return None if bearer_key() is not None else session.get("signed_in")


def current_person() -> str | None:
    """Return the id of the signed-in user, or of the key's person."""
    here = current_session()
    return here.person if here else person_of_key()


def person_of_key() -> str | None:
    """Return the id of the person that owns the request's key."""
    key = key_of_person()
    return key.person if key else None


def key_of_person() -> Key | None:
    """Return the valid key of a person that the request has."""
    if "key_of_person" not in g:
        key = bearer_key()
        g.key_of_person = accounts.read_key(book(), key) if key is not None else None
    checked: Key | None = g.key_of_person
    return checked


def require_signed_in() -> str:
    """Return the id of the signed-in user; otherwise ask to sign in, or 401 for a form."""
    person_id = current_person()
    if person_id is None:
        ask_to_sign_in()
    return person_id


def ask_to_sign_in() -> NoReturn:
    if request.method == "POST" or bearer_key() is not None:
        abort(401)
    abort(redirect(url_for("sign_in.sign_in", next=this_address()), 303))


def this_address() -> str:
    """Return the address of this request to come back to; of a POST, without its fields."""
    path, query = f"{request.script_root}{quote(request.path)}", request.query_string
    if request.method == "POST" or not query or len(path) + len(query) >= MAX_RETURN_ADDRESS_CHARACTERS:
        return path
    return f"{path}?{quote(query, safe=SAFE_QUERY_CHARACTERS)}"


def signed_in_name() -> str:
    """Return the name of the signed-in user; "" for none."""
    here = current_session()
    return here.name if here else ""


def link_notice() -> bool:
    """Check if this device should show that a link signed its person in elsewhere."""
    here = current_session()
    return here is not None and bool(link_undo.sign_ins_to_answer(book(), here))


# --- grants ----------------------------------------------------------------------------------------------------------


def hold_grant(grant: Grant) -> None:
    """Add a grant to this browser's session."""
    remaining = [*(grant_id for grant_id in session.get("grants", []) if grant_id != grant.id), grant.id]
    dropped = [held_id for held_id in session.get(DROPPED, []) if held_id != grant.id]
    if _count_characters(remaining) > MAX_GRANT_CHARACTERS:
        working = {working_grant.id for working_grant in access.grants_of(book(), remaining)}
        remaining = [held_id for held_id in remaining if held_id in working]
    while _count_characters(remaining) > MAX_GRANT_CHARACTERS:
        dropped.append(remaining.pop(0))
    if dropped or DROPPED in session:
        session[DROPPED] = dropped[-DROPPED_LIMIT:]
    session["grants"] = remaining
    session.permanent = True
    g.pop("held", None)


def hold_share(grant: Grant) -> None:
    """Let this browser open the pages of a game after it has opened the share address."""
    opened = session.get(SHARES, [])
    if opened[-1:] != [grant.id]:
        session[SHARES] = [*(share for share in opened if share != grant.id), grant.id][-SHARES_LIMIT:]
        session.permanent = True


def share_ids() -> list[str]:
    """Return the ids of the share addresses that this browser opened. With a key in the header the cookie is ignored."""
    return [] if bearer_key() is not None else list(session.get(SHARES, []))


def _count_characters(ids: list[str]) -> int:
    return sum(len(grant_id) + 3 for grant_id in ids)


def dropped_grants() -> list[Grant]:
    """Return the grants that this browser had no room for any more, until its user has seen them."""
    return access.grants_of(book(), session.get(DROPPED, []))


def forget_dropped_grants() -> None:
    session.pop(DROPPED, None)


def drop_grant(grant_id: str) -> None:
    """Remove a grant from this browser's session."""
    session["grants"] = [held_id for held_id in session.get("grants", []) if held_id != grant_id]
    g.pop("held", None)


def bearer_key() -> str | None:
    """Return the key in the Authorization header, if any."""
    kind, _, key = request.headers.get("Authorization", "").partition(" ")
    return key.strip() if kind.lower() == "bearer" else None


def link_ids() -> list[str]:
    """Return the ids of the request's grants. A key in the header replaces the cookie."""
    key = bearer_key()
    if key is None:
        return list(session.get("grants", []))
    grant_id = access.id_of_key(book(), key)
    return [] if grant_id is None else [grant_id]


def remember_sheet(sheet_hash: str) -> None:
    """Remember in this browser that it published a sheet without an account."""
    session[SHEETS_MADE] = [
        *(earlier for earlier in session.get(SHEETS_MADE, []) if earlier != sheet_hash),
        sheet_hash,
    ][-SHEETS_MADE_LIMIT:]


def sheets_made() -> list[str]:
    """Return the hashes of the last sheets that this browser published without an account."""
    return list(session.get(SHEETS_MADE, []))


def held_grants() -> list[Grant]:
    """Return the valid grants of this request."""
    if "held" not in g:
        g.held = access.grants_of(book(), link_ids())
    grants: list[Grant] = g.held
    return grants


def grants_of(game_id: UUID) -> list[Grant]:
    """Return this request's grants in one game, most powerful first."""
    who = current_person()
    links = [msgspec.structs.replace(grant, person=who or "") for grant in held_grants() if grant.game == game_id]
    return rank_grants([*links, *(club_roles.role_grants(book(), who, game_id) if who else ())])


def club_games() -> set[UUID]:
    """Return the games of the signed-in user's clubs."""
    who = current_person()
    return club_roles.games_of_clubs(book(), who) if who else set()


def current_grant(game_id: UUID) -> Grant | None:
    """Return this request's most powerful grant in a game."""
    grants = grants_of(game_id)
    return grants[0] if grants else None


# --- games -----------------------------------------------------------------------------------------------------------


def visit_game(game_id: UUID) -> Visit:
    """Return the requested game's visit, which is read once and passed on.

    404 for an unknown game, 410 for an erased one. Raises MayNotError for one that needs a link.
    """
    try:
        visit = visit_another(game_id)
    except RecordErasedError:
        raise
    except UnknownGameError:
        abort(404)
    except MayNotError:
        _redirect_if_replaced(book().kept.game(game_id))  # the links have moved to the new game
        raise
    _redirect_if_replaced(visit.kept)
    use_sheet_names(visit.game.opening.sheet)
    return visit


def _redirect_if_replaced(game: GameKept | None) -> None:
    """Lead a reader of a replaced game to the same page of the new one."""
    if game is None or game.replaced_by in (None, game.id) or request.method != "GET":
        return
    endpoint, values = request.endpoint, dict(request.view_args or {})
    if endpoint and values.get("game_id") == game.id:
        abort(redirect(url_for(endpoint, **values | {"game_id": game.replaced_by}), 303))


def visit_another(game_id: UUID) -> Visit:
    """Return the visit of another game than the requested one. Raises UnknownGameError, MayNotError."""
    visit, g.signed_in = visits.visit_of(
        book(),
        game_id,
        links=[*link_ids(), *share_ids()],
        token=session_token(),
        person=person_of_key(),
        unveiled=shows_veiled(),
    )
    return visit


def render_game_page(template: str, visit: Visit, /, **shown: Any) -> str:
    """Render a page of a game with the context that all of them need."""
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


def require_keeper(visit: Visit) -> Grant:
    """Return the scorekeeper's grant. Raises MayNotError."""
    grant: Grant = require(visit, "manage")
    return grant


def write_sent(visit: Visit, command: Command, at: int | None = None, part: str = "") -> Receipt:
    """Write a command from a form, under the form's key.

    Args:
        part: distinguishes several commands of one form.

    Raises the errors of `recording.write`, and MayNotError, which `errors` answers.
    """
    by = Writer(require(visit, type(command), **msgspec.structs.asdict(command)).by, visit.grants)
    return recording.append_command(
        book(), visit.game.id, command, at=at, by=by, key=request.form.get("key", "") + part
    )


def refusal_sentence(visit: Visit, refusal: Refused | IllegalDecision) -> str:
    """Return the sentence of a refusal, with its rule number."""
    reason = words.reason_sentence(refusal.reason, visit.rules, visit.names)
    return f"{reason} ({refusal.rule})" if refusal.rule else reason


def shows_veiled() -> bool:
    """Check if this browser chose to see totals that players keep covered."""
    return bool(session.get(UNVEILED))


def set_shows_veiled(on: bool) -> None:
    session[UNVEILED] = on
    session.permanent = True
