"""The people of a club: who belongs to it and as what, guests, invitations, and who is one person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import Any
from uuid import UUID

from flask import Blueprint, abort, flash, make_response, request
from markupsafe import Markup
from werkzeug import Response

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league import club_events
from daybook.domain.league.club import Club, Merge
from daybook.domain.league.club_commands import (
    AddMember,
    AddMembers,
    EndMembership,
    GiveRoles,
    MergePeople,
    SplitPeople,
)
from daybook.services.league import clubs, members, portraits
from daybook.services.names import NAME_LIMIT, ParsedNames, read_names, seen_of
from daybook.services.paging import page_of_list
from daybook.services.people import accounts, anonymise, invitations
from daybook.services.people.accounts import Account, InvalidAccountError
from daybook.services.people.invitations import Invitation
from daybook.services.play.writing import Receipt, find_receipt
from daybook.web.people.sign_in import account_reason
from daybook.web.request.access import book, require_owner
from daybook.web.request.clubs import (
    club_names,
    club_reason,
    count_games,
    names_are_typed,
    person_at,
    person_typed,
    render_club_page,
    require_club,
    require_role,
    run_club_write,
    user_id,
    write_in_club,
)
from daybook.web.request.forms import fresh_key, key_sent, see_other, text_fault, text_sent, why_sent
from daybook.web.request.lists import requested_page, rows_from
from daybook.web.request.origin import own_address
from daybook.web.request.security import forbid_storing
from daybook.web.request.sharing import qr_code
from daybook.web.words import join_words, league_words, say, say_n
from daybook.web.words.league_words import Names, role_list, role_word

page = Blueprint("people", __name__)

LIST_LIMIT = 200  # people of a pasted list at once
BAD_LINES = 5  # of it that are told
NAMES_TOLD = 10
MERGES_TRIED = 50  # pairs of people with the same name on a page
TOLD = (
    club_events.MemberJoined,
    club_events.RolesGiven,
    club_events.MemberLeft,
    club_events.PeopleMerged,
    club_events.PeopleSplit,
)


class PersonRow(Frozen):
    """One line of the list of people.

    account: shown to organisers; mine: whether they may act for the guest; linkable: whether they may create a link
    that signs the member in; address: where the person may be written to.
    """

    id: str
    roles: tuple[club_events.Role, ...]
    games: int
    has_portrait: bool
    account: Account | None = None
    mine: bool = False
    address: str = ""
    is_anonymous: bool = False
    linkable: bool = False


class OpenInvitation(Frozen):
    """An invitation that waits, with its link."""

    invitation: Invitation
    address: str
    qr: Markup


class PeopleChange(Frozen):
    """What was changed of people in the club: a sentence, by whom, when, why."""

    at: str
    by: str
    says: str
    why: str


@page.get("/clubs/<uuid:club_id>/people")
def people(club_id: UUID) -> Response:
    return _people_page(club_id)


def _people_page(club_id: UUID, wrong: str = "", status: int = 200, new: Invitation | None = None) -> Response:
    """new: an invitation or a link for signing in that was just made. wrong: why nothing was saved; it stands beside
    what was sent."""
    club = require_club(club_id)
    organises = clubs.may(club, user_id(), "people")
    played = count_games(club)
    everybody = club.everybody()
    anonymous = anonymise.anonymous_of(book(), everybody)
    with_portrait = portraits.people_with_portraits(book(), [id for person in everybody for id in club.ids_of(person)])
    names = club_names(club, [merge.gone for merge in club.merges.values()])
    in_order = sorted(everybody, key=lambda id: not club.roles(id))  # members first
    shown, more_people = rows_from("people.people", _people_named(in_order, names), lambda id: id)
    addressed = ((request.view_args or {}).get("person", ""), text_sent("person"), club.person(user_id()))
    first = [
        id for id in dict.fromkeys(addressed) if id in everybody and id not in shown and "from" not in request.args
    ]
    shown = [*first, *shown]
    listed_people = [person_row(club, id, played[id], organises, anonymous, with_portrait) for id in shown]
    waiting = invitations.open_invitations(book(), club.id) if organises else []
    history, more = _changes_asked(club) if user_id() and club.roles(user_id()) else ([], "")
    return forbid_storing(
        make_response(
            render_club_page(
                "league/people.html",
                club,
                names=names,
                organises=organises,
                heading=say("People"),
                wrong=wrong,
                wrong_at=_place_of_fault() if wrong else "",
                key=fresh_key(),
                more_people=more_people,
                in_all=len(everybody),
                asked_name=_name_asked(),
                offered=[(id, played[id]) for id in in_order if id not in anonymous]
                if not names_are_typed(club)
                else None,
                members=[one for one in listed_people if one.roles],
                guests=[one for one in listed_people if not one.roles],
                waiting=[_open_invitation(one) for one in waiting],
                new=_open_invitation(new) if new else None,
                roles=club_events.ROLES[:-1],
                role_list=role_list,
                role_word=role_word,
                role_explained=role_explained,
                merges=[*club.merges.values()],
                is_account_merge=lambda merge: clubs.is_account_merge(book(), merge),
                history=history,
                more=more,
                name_limit=NAME_LIMIT,
                alike=same_names(club, [id for id in everybody if id not in anonymous], names) if organises else [],
                sent=request.form,
            ),
            status,
        )
    )


def _place_of_fault() -> str:
    """Beside which form or person of the page a refusal stands; empty: above all."""
    what = (request.endpoint or "").removeprefix("people.")
    if what == "split":
        return f"split-{request.form.get('merge', '')}"
    if what in ("add", "invite") and request.form.get("person"):
        return request.form["person"]
    places = {"add": "add", "add_list": "list", "merge": "merge"}
    return str((request.view_args or {}).get("person", "")) or places.get(what, "")


def person_row(
    club: Club, id: str, played: int, organises: bool, anonymous: Collection[str], with_portrait: Collection[str]
) -> PersonRow:
    """What this browser may know of a person of the club. played: how many games of the club; anonymous, with_portrait: who
    of all is, and has one: asked for each by itself, a large club's page would take seconds."""
    account = clubs.account_in(book(), club, id) if organises else None
    has_portrait, address = (account.person if account else id) in with_portrait, account.address if account else ""
    seen = bool(user_id()) and bool(has_portrait or address) and portraits.may_see_portrait(book(), user_id(), id)
    return PersonRow(
        id,
        club.roles(id),
        played,
        seen and has_portrait,
        account,
        organises and members.may_act_for(book(), club, user_id(), id),
        address if seen else "",
        id in anonymous,
        organises and members.may_make_link(book(), club, user_id(), account),
    )


def role_explained(role: club_events.Role) -> str:
    return say(league_words.ROLES[role][1])


def same_names(club: Club, people: Sequence[str], names: Names) -> list[tuple[str, str]]:
    """Return pairs of people who have the same name and can be merged: the one that stays comes first."""
    alike, found, tries = defaultdict[str, list[str]](list), list[tuple[str, str]](), MERGES_TRIED
    for id in people:
        before = alike[seen_of(league_words.person_name(id, names)).casefold()]
        for other in before[:tries]:
            tries -= 1
            if members.can_merge(book(), club, other, id):
                found.append((other, id))
                break
        before.append(id)
    return found


def _name_asked() -> str:
    return " ".join(request.args.get("q", "").split())[:NAME_LIMIT]


def _people_named(people: Sequence[str], names: Names) -> list[str]:
    """Those of some people in whose name stands what the address looks for."""
    wanted = seen_of(_name_asked()).casefold()
    return [id for id in people if wanted in seen_of(league_words.person_name(id, names)).casefold()]


def _person_chosen(club: Club, field: str) -> str:
    """Return the person that a form names by id or, in a large club, by a name that one person has; empty: nobody."""
    return text_sent(field) or person_typed(club, text_sent(f"{field}_name"), club.everybody())


def _open_invitation(invitation: Invitation) -> OpenInvitation:
    address = f"{own_address()}/invited#{invitations.key_of(book(), invitation)}"
    return OpenInvitation(invitation, address, qr_code(address))


def _changes_asked(club: Club) -> tuple[list[PeopleChange], str]:
    """Return a page of the changes of people, the newest first. The place of a change is how many came before it."""
    renamed = [change for change in accounts.changes_of(book(), club.everybody()) if change.what == "name_changed"]
    told = [entry.event for entry in club.entries if isinstance(entry.event, TOLD)]
    changes = sorted([*renamed, *told], key=lambda change: change.at, reverse=True)
    numbered = list(zip(range(len(changes), 0, -1), changes, strict=True))
    rows, more = requested_page(
        "people.people", lambda after, limit: page_of_list(numbered, lambda row: str(row[0]), after, limit)
    )
    return _people_changes(club, [change for _, change in rows]), more and f"{more}#history"


def _people_changes(club: Club, changes: Sequence[Any]) -> list[PeopleChange]:
    """Put changes of people into words: events of the club, and new names of accounts."""
    events = [*changes, *(club.entries[change.merge].event for change in changes if hasattr(change, "merge"))]
    people = {id for event in events for name in ("person", "kept", "gone", "by") if (id := getattr(event, name, ""))}
    names = book().kept.names(people)
    called: Callable[[str], str] = lambda id: league_words.person_name(id, names)  # noqa: E731
    return [
        PeopleChange(
            change.at,
            names.get(change.by) or say("the administrator"),
            _change_sentence(club, change, called)
            if isinstance(change, TOLD)
            else say("{name} has a new name", name=called(change.person)),
            getattr(change, "why", "") if isinstance(change, TOLD) else "",
        )
        for change in changes
    ]


def _change_sentence(club: Club, event: Any, called: Callable[[str], str]) -> str:
    match event:
        case club_events.MemberJoined():
            return say("{name} joined: {roles}", name=called(event.person), roles=role_list(event.roles))
        case club_events.RolesGiven():
            return say("{name} is now: {roles}", name=called(event.person), roles=role_list(event.roles))
        case club_events.MemberLeft():
            return say("{name} left", name=called(event.person))
        case club_events.PeopleMerged():
            return say("{name} and {other} are one person", name=called(event.kept), other=called(event.gone))
        case _:
            merge = club.entries[event.merge].event
            assert isinstance(merge, club_events.PeopleMerged)
            return say("{name} and {other} are two people after all", name=called(merge.kept), other=called(merge.gone))


# --- what organisers do ----------------------------------------------------------------------------------------------


def _write_and_return(club_id: UUID, wrong: str, says: str) -> Response:
    if wrong:
        return _people_page(club_id, wrong, 422)
    flash(says)
    return see_other("people.people", club_id=club_id)


def _roles_sent() -> tuple[club_events.Role, ...]:
    asked = request.form.getlist("role")
    if {*asked} - {*club_events.ROLES}:
        abort(400)
    return tuple(role for role in club_events.ROLES if role in asked)


@page.post("/clubs/<uuid:club_id>/people/invite")
def invite(club_id: UUID) -> Response:
    """A link that lets one person in, as a member or as more; for a certain guest, if one is named."""
    club, guest = require_club(club_id), text_sent("person")
    require_role(club, "people")
    return _offer_link(
        club_id,
        lambda: members.invite(
            book(), club_id, _roles_sent(), person=person_at(club, guest) if guest else None, by=user_id()
        ),
    )


def _offer_link(club_id: UUID, make: Callable[[], Invitation]) -> Response:
    """The page with a link that was just made, or with what stands against it."""
    try:
        return _people_page(club_id, status=201, new=make())
    except Refused as no:
        return _people_page(club_id, club_reason(no.reason), 422)
    except InvalidAccountError as bad:
        return _people_page(club_id, account_reason(bad.reason), 422)


@page.post("/clubs/<uuid:club_id>/people/revoke")
def revoke(club_id: UUID) -> Response:
    require_club(club_id, "people")
    if not invitations.revoke_invitation(book(), club_id, text_sent("invitation")):
        abort(404)
    return _write_and_return(club_id, "", say("The link no longer works."))


@page.post("/clubs/<uuid:club_id>/people/add")
def add(club_id: UUID) -> Response:
    """Somebody without a sign-in: by name, or a guest who is known already."""
    require_club(club_id, "people")
    guest, name = text_sent("person"), text_sent("name")
    if guest:
        wrong = write_in_club(club_id, AddMember(guest))
    else:
        wrong = text_fault(name, NAME_LIMIT, say("Enter a name.")) or run_club_write(
            lambda: members.add_member(book(), club_id, name, _roles_sent(), by=user_id(), key=key_sent())
        )
    return _write_and_return(club_id, wrong, say("The new person is in the club."))


@page.post("/clubs/<uuid:club_id>/people/list")
def add_list(club_id: UUID) -> Response:
    """Several people without a sign-in, from a list that was pasted."""
    club = require_club(club_id, "people")
    read = read_names(text_sent("list"))
    command, written = AddMembers(tuple(read.names)), list[Receipt | None]()
    if wrong := run_club_write(lambda: written.append(find_receipt(book(), club, command, key_sent()))):
        return _people_page(club_id, wrong, 422)
    if written[0] is not None:
        return see_other("people.people", club_id=club_id)
    here = {league_words.person_name(id, club_names(club)).casefold() for id in club.people()}
    new = [name for name in read.names if name.casefold() not in here]
    if read.bad or not new or len(new) > LIST_LIMIT:
        return _people_page(club_id, _list_fault(read, new), 422)
    wrong = write_in_club(club_id, command)
    left_out = [*read.repeated, *(name for name in read.names if name.casefold() in here)]
    says = say_n("{n} person was added to the club.", "{n} people were added to the club.", len(new))
    if left_out:
        says += " " + say("Already there, and left out: {names}.", names=join_words(abridge_names(left_out)))
    return _write_and_return(club_id, wrong, says)


def _list_fault(read: ParsedNames, new: list[str]) -> str:
    """Why nobody of a list is added."""
    if read.bad:
        lines = [
            say("line {n}: {fault}", n=number, fault=text_fault(written, NAME_LIMIT, ""))
            for number, written, _ in read.bad[:BAD_LINES]
        ]
        more = [say("and {n} more", n=len(read.bad) - BAD_LINES)] if len(read.bad) > BAD_LINES else []
        return say("Some lines have no name: {lines}", lines="; ".join([*lines, *more]))
    if len(new) > LIST_LIMIT:
        return say("{n} names; at most {limit} at once. Paste the list in parts.", n=len(new), limit=LIST_LIMIT)
    if read.names:
        return say("Everybody on this list is already in the club.")
    return say("Enter one name on each line.")


def abridge_names(names: list[str]) -> list[str]:
    """The first of many names, and how many more there are."""
    if len(names) <= NAMES_TOLD:
        return names
    return [*names[:NAMES_TOLD], say("{n} more", n=len(names) - NAMES_TOLD)]


@page.post("/clubs/<uuid:club_id>/people/<person>/roles")
def roles(club_id: UUID, person: str) -> Response:
    club = require_club(club_id, "people")
    who = person_at(club, person)
    wrong = write_in_club(club_id, GiveRoles(who, _roles_sent()))
    return _write_and_return(club_id, wrong, say("The roles are changed."))


@page.post("/clubs/<uuid:club_id>/people/<person>/leave")
def leave(club_id: UUID, person: str) -> Response:
    """Somebody leaves, or is let go by an organiser."""
    club = require_club(club_id)
    mine = bool(user_id()) and club.person(user_id()) == club.person(person)
    if not mine:
        require_role(club, "people")
    require_owner()
    who = person_at(club, person)
    wrong = write_in_club(club_id, EndMembership(who, why_sent()))
    if mine and not wrong:
        flash(say("You have left {club}.", club=club.name))
        return see_other("home.home")
    return _write_and_return(club_id, wrong, say("The games stay, and so does the name in them."))


@page.post("/clubs/<uuid:club_id>/people/<person>/name")
def rename(club_id: UUID, person: str) -> Response:
    club = require_club(club_id, "people")
    who, name = person_at(club, person), text_sent("name")
    wrong = text_fault(name, NAME_LIMIT, say("Enter a name.")) or run_club_write(
        lambda: members.rename_guest(book(), club_id, who, name, by=user_id())
    )
    return _write_and_return(club_id, wrong, say("The name is changed in all games."))


@page.post("/clubs/<uuid:club_id>/people/<person>/link")
def link(club_id: UUID, person: str) -> Response:
    """Create a link that signs a member in once, who has forgotten the password or has none."""
    club = require_club(club_id, "people")
    who = person_at(club, person)
    return _offer_link(club_id, lambda: members.sign_in_link(book(), club_id, who, by=user_id()))


@page.post("/clubs/<uuid:club_id>/people/merge")
def merge(club_id: UUID) -> Response:
    club = require_club(club_id, "people")
    kept, gone = _person_chosen(club, "kept"), _person_chosen(club, "gone")
    wrong = (
        say("Choose two people.")
        if not kept or not gone or kept == gone
        else write_in_club(club_id, MergePeople(kept, gone, why_sent()))
    )
    return _write_and_return(club_id, wrong, say("They are one person now. Standings and statistics follow."))


@page.post("/clubs/<uuid:club_id>/people/split")
def split(club_id: UUID) -> Response:
    club = require_club(club_id, "people")
    found: Merge | None = next((one for one in club.merges.values() if str(one.step) == text_sent("merge")), None)
    if found is None:
        abort(404)
    wrong = write_in_club(club_id, SplitPeople(found.step, why_sent()))
    return _write_and_return(club_id, wrong, say("They are two people again. Standings and statistics follow."))
