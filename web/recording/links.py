"""The links of a game: for recording and for reading.

Keys are only in the fragment of addresses, which servers do not see.
"""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, abort, flash, make_response, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug import Response

from daybook.domain.kernel.frozen import Frozen
from daybook.services.disputes import umpires
from daybook.services.names import NAME_LIMIT, TITLE_LIMIT, BadNameError
from daybook.services.permissions import access
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import may, require
from daybook.services.permissions.sights import holds_sealed
from daybook.services.permissions.visits import Visit
from daybook.services.play.practice_tables import hides_information
from daybook.services.play.recording import rename_game
from daybook.services.statistics import visibility
from daybook.services.store.kept import SHARED_BY_KEEPER, SHARED_BY_PLAYERS, WithheldError
from daybook.web import words
from daybook.web.request.access import (
    book,
    drop_grant,
    dropped_grants,
    forget_dropped_grants,
    grants_of,
    hold_grant,
    link_ids,
    render_game_page,
    require_keeper,
    visit_game,
)
from daybook.web.request.counts import wrong_key
from daybook.web.request.forms import fresh_key, key_sent, lookalike_fault, see_other, text_fault, text_sent
from daybook.web.request.json_answers import json_answer
from daybook.web.request.origin import link_reach, own_address
from daybook.web.request.security import forbid_storing
from daybook.web.request.sharing import qr_code
from daybook.web.words import say

page = Blueprint("links", __name__)


class GameNames(Frozen):
    """Title and player names of a game, names by seat."""

    title: str
    names: list[str]


class LinkShown(Frozen):
    """A link as the scorekeeper sees it."""

    grant: Grant | None  # None for an address without a key
    address: str
    qr: Markup


@page.route("/join", methods=["GET", "POST"])
def join() -> Response:
    """Accept a key or link and open its game."""
    if request.method != "POST":
        return forbid_storing(make_response(render_template("join.html")))
    key = key_sent().strip().rpartition("#")[2]
    grant = access.read_key(book(), key)
    if grant is None:
        wrong_key()
        abort(403, "key")
    held = grants_of(grant.game)
    is_new = all(other.id != grant.id and other.role != "scorekeeper" for other in held)
    hold_grant(grant)
    if is_new and "by_link" in request.form and grant.role != "scorekeeper":
        return see_other("links.joined", game_id=grant.game)
    return redirect(_first_page(grant), 303)


def _first_page(grant: Grant) -> str:
    """Return the address of the page that a link opens."""
    if grant.role == "reader":
        return f"{request.script_root}/games/{grant.game}"
    return url_for("claims.all_claims" if grant.role == "umpire" else "record.record", game_id=grant.game)


@page.get("/games/<uuid:game_id>/joined")
def joined(game_id: UUID) -> Response:
    """Tell a phone what it can do with the link that it opened last."""
    visit = visit_game(game_id)
    grants = {grant.id: grant for grant in visit.grants}
    grant = next((grants[grant_id] for grant_id in reversed(link_ids()) if grant_id in grants), None)
    if grant is None:
        return redirect(f"{request.script_root}/games/{game_id}", 303)
    return make_response(
        render_game_page(
            "joined.html",
            visit,
            grant=grant,
            first_page=_first_page(grant),
            others=[seat for seat in visit.own_seats if seat != grant.seat],
            has_grid=words.GAMES[visit.rules].choosing.grid is not None,
            covers=hides_information(visit.game),
        )
    )


@page.post("/games/<uuid:game_id>/joined/leave")
def leave_seat(game_id: UUID) -> Response:
    """Remove the link of a seat from this browser: it was another player's."""
    visit = visit_game(game_id)
    for grant in visit.grants:
        if grant.seat is not None and grant.id == request.form.get("grant"):
            drop_grant(grant.id)
            flash(say("This phone does not play for {name}. Open your own link.", name=visit.names[grant.seat]))
            return see_other("links.join")
    abort(404)


@page.get("/games/<uuid:game_id>/links")
def links(game_id: UUID) -> Response:
    visit = visit_game(game_id)
    return _links_page(visit, GameNames(visit.kept.title, list(visit.names)), {})


def _links_page(visit: Visit, named: GameNames, faults: dict[str, str]) -> Response:
    """Render the links page.

    Args:
        named: title and names in the form.
    """
    require_keeper(visit)
    game, kept, game_id = visit.game, visit.kept, visit.game.id
    reached = link_reach(request.args.get("at", ""))
    first = access.make_first_grants(
        book(), game_id, for_readers=False
    )  # none exist if opening the game was interrupted
    given = [_build_link(grant, reached.address) for grant in first]
    shared_at = f"{reached.address}/s/{visit.share}"
    for_all = f"{reached.address}/games/{game_id}"
    open_to_all = LinkShown(None, for_all, qr_code(for_all)) if kept.public else None
    return forbid_storing(
        make_response(
            render_game_page(
                "links.html",
                visit,
                links=given,
                open_to_all=open_to_all,
                share_link=LinkShown(None, shared_at, qr_code(shared_at)) if visit.share else None,
                new=request.args.get("new"),
                umpires=umpires.umpires_of_game(book(), game, kept),
                hours=umpires.appeal_hours(book(), game_id),
                key=fresh_key(),
                named=named,
                wrong=faults,
                reach=reached,
                sealed=holds_sealed(game),
                elsewhere=visit.is_elsewhere,
                off=visit.off,
                name_limit=NAME_LIMIT,
                title_limit=TITLE_LIMIT,
                reader=any(link.grant and link.grant.role == "reader" for link in given),
            ),
            422 if faults else 200,
        )
    )


@page.get("/games/<uuid:game_id>/pen")
def pen(game_id: UUID) -> Response:
    """Show a large code for a phone that should record for all seats too."""
    visit = visit_game(game_id)
    require_keeper(visit)
    reached = link_reach(request.args.get("at", ""))
    first = access.make_first_grants(book(), game_id, for_readers=False)
    grant = next(grant for grant in first if grant.role == "scorekeeper")
    return forbid_storing(
        make_response(render_game_page("pen.html", visit, link=_build_link(grant, reached.address), reach=reached))
    )


@page.post("/games/<uuid:game_id>/links/replace")
def replace_link(game_id: UUID) -> Response:
    """Replace a link by a new one; the old one stops working."""
    visit = visit_game(game_id)
    own_grant = require_keeper(visit)
    old = next(
        (grant for grant in access.grants_of_game(book(), game_id) if grant.id == request.form.get("grant")), None
    )
    if old is None:
        abort(404)
    new = access.replace_grant(book(), old)
    if new is None:  # another tab was quicker
        abort(404)
    if old.id == own_grant.id:
        drop_grant(old.id)
        hold_grant(new)
    flash(say("There is a new link. The old one no longer works."))
    if old.role == "scorekeeper" and visit.is_elsewhere:
        flash(
            say(
                "A device has taken this game, and can no longer hand it back with the old link. Save the game there as a "
                "file and upload it here. If that device is no longer yours, end its recording here."
            )
        )
        return see_other("lease.lease", game_id=game_id, _anchor="end")
    return see_other("links.links", game_id=game_id)


@page.post("/games/<uuid:game_id>/links/revoke")
def revoke(game_id: UUID) -> Response:
    """Revoke an umpire's link; rulings stay."""
    require_keeper(visit_game(game_id))
    old = next(
        (grant for grant in access.grants_of_game(book(), game_id) if grant.id == request.form.get("grant")), None
    )
    if old is None or old.role != "umpire":
        abort(404)
    access.revoke(book(), old.id)
    flash(say("The umpire’s link no longer works."))
    return see_other("links.links", game_id=game_id, _anchor="umpires")


@page.post("/games/<uuid:game_id>/links/seat")
def play_seat(game_id: UUID) -> Response:
    """Let the scorekeeper's browser play a seat too, or none. Refused while offers are sealed."""
    visit = visit_game(game_id)
    require_keeper(visit)
    if holds_sealed(visit.game):
        flash(say("Offers are still sealed. Choose your seat after they are revealed."), "wrong")
        return see_other("links.links", game_id=game_id)
    seats = {grant.seat: grant for grant in access.grants_of_game(book(), game_id) if grant.role == "seat"}
    sent = request.form.get("seat", "")
    chosen = next((grant for seat, grant in seats.items() if str(seat) == sent), None)
    if sent and chosen is None:
        abort(404)
    for grant in seats.values():
        drop_grant(grant.id)
    if chosen is None:
        return see_other("links.links", game_id=game_id)
    hold_grant(chosen)
    return see_other("record.record", game_id=game_id)


@page.post("/games/<uuid:game_id>/links/more")
def more(game_id: UUID) -> Response:
    """Create another link for reading."""
    require_keeper(visit_game(game_id))
    access.make_grant(book(), game_id, "reader")
    return see_other("links.links", game_id=game_id)


@page.post("/games/<uuid:game_id>/share")
def share(game_id: UUID) -> Response:
    """Create the game's share address, or find it; scripts get it as JSON."""
    visit = visit_game(game_id)
    require(visit, "share", players_share=visit.kept.players_share)
    grant = access.share_game(book(), game_id)
    if request.accept_mimetypes.best == "application/json":
        return json_answer(address=f"{own_address()}/s/{grant.id}")
    if not may(visit, "manage"):
        return see_other("shared.shared", share=grant.id)
    return see_other("links.links", game_id=game_id, _anchor="share")


@page.post("/games/<uuid:game_id>/share/ask")
def ask_to_share(game_id: UUID) -> Response:
    """Ask the scorekeeper, on behalf of a seat, to share the game. Their pages show it until they answer."""
    grant = require(visit_game(game_id), "ask_to_share")
    book().kept.ask_to_share(game_id, grant.seat)
    return json_answer(asked=True)


@page.post("/games/<uuid:game_id>/share/players")
def decide_sharing(game_id: UUID) -> Response:
    """Let the players share the game, or only the scorekeeper. Either answers the request of a seat."""
    require_keeper(visit_game(game_id))
    allowed = request.form.get("allowed") == "yes"
    book().kept.set_sharing(game_id, SHARED_BY_PLAYERS if allowed else SHARED_BY_KEEPER)
    flash(say("Players may share this game.") if allowed else say("Only the scorekeeper can share this game."))
    return see_other("links.links", game_id=game_id, _anchor="share")


@page.post("/games/<uuid:game_id>/share/end")
def end_share(game_id: UUID) -> Response:
    """Revoke the game's share address. A later one is a different address."""
    visit = visit_game(game_id)
    require_keeper(visit)
    access.revoke(book(), visit.share)
    flash(say("The game is no longer shared. The address no longer works."))
    return see_other("links.links", game_id=game_id, _anchor="share")


@page.post("/games/<uuid:game_id>/public")
def public(game_id: UUID) -> Response:
    """Show the game to everyone, or only to holders of a link."""
    require_keeper(visit_game(game_id))
    shown = request.form.get("public") == "yes"
    try:
        visibility.show_game(book(), game_id, shown)
    except WithheldError as off:
        flash(say("The administrator removed the game from the public lists: {why}", why=off.why))
    else:
        flash(
            say("Now everyone can read this game.") if shown else say("Now only people with a link can read this game.")
        )
    return see_other("links.links", game_id=game_id)


@page.post("/games/<uuid:game_id>/names")
def names(game_id: UUID) -> Response:
    """Change the title and player names, which are not part of the record."""
    visit = visit_game(game_id)
    require_keeper(visit)
    sent = GameNames(text_sent("title"), [text_sent(f"name.{seat}") for seat in range(len(visit.names))])
    errors = {
        field: sentence
        for field, text, limit, empty in [
            ("title", sent.title, TITLE_LIMIT, say("Give the game a name, such as the day and the place.")),
            *((f"name.{seat}", name, NAME_LIMIT, say("Enter a name.")) for seat, name in enumerate(sent.names)),
        ]
        if (sentence := text_fault(text, limit, empty))
    }
    errors |= {f"name.{seat}": sentence for seat, sentence in lookalike_fault(sent.names).items()}
    if errors:
        return _links_page(visit, sent, errors)
    try:
        rename_game(book(), game_id, sent.title, sent.names)
    except BadNameError as bad:  # the form cannot know which people are anonymous
        field = f"name.{bad.field.split('.')[1]}"
        return _links_page(visit, sent, {field: say("This person was made anonymous and cannot have another name.")})
    flash(say("The names are changed. The record and its seals stay as they are."))
    return see_other("links.links", game_id=game_id, _anchor="main")  # where the message is


@page.route("/links/dropped", methods=["GET", "POST"])
def dropped() -> Response:
    """Show the links that no longer fit into this browser's cookie, until the user dismisses them."""
    if request.method == "POST":
        forget_dropped_grants()
        return see_other("home.home")
    grants, begins = dropped_grants(), link_reach().address
    titles = {game.id: game.title for game in book().kept.games_of([grant.game for grant in grants])}
    shown = [(titles[grant.game], _build_link(grant, begins).address) for grant in grants if grant.game in titles]
    return forbid_storing(make_response(render_template("links_dropped.html", links=shown)))


def _build_link(grant: Grant, base_address: str) -> LinkShown:
    address = f"{base_address}/join#{access.key_of(book(), grant)}"
    return LinkShown(grant, address, qr_code(address))
