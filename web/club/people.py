"""The people of a club: members, roles, guests, invitations, and merging two entries of one person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from flask import Blueprint, abort, flash, make_response, request
from markupsafe import Markup
from werkzeug import Response

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import because
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
from daybook.services.league import clubs, join_requests, members, portraits
from daybook.services.league.clubs.member_commands import new_names
from daybook.services.league.join_requests import ClubLink
from daybook.services.limits import LimitExceededError
from daybook.services.messages import outbox
from daybook.services.names import NAME_LIMIT, ParsedNames, appearance_key, read_names
from daybook.services.paging import page_of_list
from daybook.services.people import accounts, anonymise, invitations, mail_addresses
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
    user_may,
    write_in_club,
)
from daybook.web.request.counts import take
from daybook.web.request.forms import fresh_key, key_sent, see_other, text_fault, text_sent, why_sent
from daybook.web.request.lists import requested_page, rows_from
from daybook.web.request.origin import own_address
from daybook.web.request.security import forbid_storing
from daybook.web.request.sharing import qr_code
from daybook.web.words import join_words, league_words, say, say_n
from daybook.web.words.language_choice import chosen_language
from daybook.web.words.league_words import Names, role_list, role_word
from daybook.web.words.sign_in import too_many_mails

page = Blueprint("people", __name__)

PASTED_NAMES_LIMIT = 200
BAD_LINES_SHOWN = 5  # of a pasted list
NAMES_SHOWN = 10  # in a sentence
MAX_MERGE_CHECKS = 50  # pairs of people with the same name, for each page
HISTORY_EVENTS = (
    club_events.MemberJoined,
    club_events.RolesGiven,
    club_events.MemberLeft,
    club_events.PeopleMerged,
    club_events.PeopleSplit,
)


class PersonRow(Frozen):
    """A row in the list of people, with what the visitor may see of the person."""

    id: str
    roles: tuple[club_events.Role, ...]
    games: int
    has_portrait: bool
    account: Account | None = None  # for organisers only
    mine: bool = False  # the visitor may act for this guest
    address: str = ""  # of the person's mail
    is_anonymous: bool = False
    linkable: bool = False  # the visitor may create a link that signs the person in


class OpenInvitation(Frozen):
    """An invitation that was not used yet, with its link."""

    invitation: Invitation
    address: str
    qr: Markup


class PeopleChange(Frozen):
    """A change of people in the club, as a sentence with its author, time and reason."""

    at: str
    by: str
    says: str
    why: str


@page.get("/clubs/<uuid:club_id>/people")
def people(club_id: UUID) -> Response:
    return _people_page(club_id)


def _people_page(club_id: UUID, error: str = "", status: int = 200, new: Invitation | None = None) -> Response:
    """Render the list of people.

    Args:
        error: why nothing was saved, shown next to the form that was sent.
        new: an invitation or a sign-in link that was just created.
    """
    club = require_club(club_id)
    organises = user_may(club, "manage_members")
    played = count_games(club)
    everybody = club.everybody()
    anonymous = anonymise.anonymous_of(book(), everybody)
    with_portrait = portraits.people_with_portraits(
        book(), [person_id for person in everybody for person_id in club.ids_of(person)]
    )
    names = club_names(club, [merge.merged for merge in club.merges.values()])
    in_order = sorted(everybody, key=lambda person: not club.roles(person))  # members first
    shown, more_people = rows_from("people.people", _people_named(in_order, names), lambda person: person)
    addressed = ((request.view_args or {}).get("person", ""), text_sent("person"), club.person(user_id()))
    first = [
        person
        for person in dict.fromkeys(addressed)
        if person in everybody and person not in shown and "from" not in request.args
    ]
    shown = [*first, *shown]
    account_by_person = clubs.accounts_in(book(), club, shown) if organises else {}
    in_reach = members.guests_in_reach(book(), club, user_id(), shown) if organises else set[str]()
    unlinkable = members.link_faults(book(), club, user_id(), [*account_by_person.values()])
    in_sight = portraits.portraits_in_sight(book(), user_id(), shown) if user_id() else set[str]()
    listed_people = []
    for person in shown:
        account = account_by_person.get(person)
        seen = person in in_sight
        listed_people.append(
            PersonRow(
                person,
                club.roles(person),
                played[person],
                seen and (account.person if account else person) in with_portrait,
                account,
                person in in_reach,
                account.address if account and seen else "",
                person in anonymous,
                account is not None and account.person not in unlinkable,
            )
        )
    wrong_at, on_other_pages = _place_of_fault() if error else "", {*everybody} - {*shown}
    merges = [
        merge
        for merge in (club.merges.values() if organises else ())
        if club.person(merge.kept) not in on_other_pages or wrong_at == f"split-{merge.step}"
    ]
    waiting = invitations.open_invitations(book(), club.id) if organises else []
    own_link = join_requests.find_club_link(book(), club.id) if organises else None
    asking = join_requests.list_open_requests(book(), club) if organises else []
    names = {**names, **book().kept.names([request.person for request in asking])}
    history, more = _requested_changes(club) if user_id() and club.roles(user_id()) else ([], "")
    return forbid_storing(
        make_response(
            render_club_page(
                "league/people.html",
                club,
                names=names,
                organises=organises,
                has_mail=book().settings.smtp_url is not None,
                heading=say("People"),
                wrong=error,
                wrong_at=wrong_at,
                key=fresh_key(),
                more_people=more_people,
                in_all=len(everybody),
                searched_name=_searched_name(),
                offered=[(person, played[person]) for person in in_order if person not in anonymous]
                if not names_are_typed(club)
                else None,
                members=[row for row in listed_people if row.roles],
                guests=[row for row in listed_people if not row.roles],
                waiting=[_open_invitation(invitation) for invitation in waiting],
                new=_open_invitation(new) if new else None,
                own_link=_address_of_link(own_link) if own_link else "",
                own_link_code=qr_code(_address_of_link(own_link)) if own_link else "",
                asking=[(request, _namesakes(request.person, in_order, club, names)) for request in asking],
                roles=club_events.ROLES[:-1],
                role_list=role_list,
                role_word=role_word,
                role_explained=role_explained,
                merges=merges,
                account_merges=clubs.account_merges(book(), merges),
                history=history,
                more=more,
                name_limit=NAME_LIMIT,
                alike=same_names(club, [person for person in everybody if person not in anonymous], names)
                if organises
                else [],
                sent=request.form,
            ),
            status,
        )
    )


def _place_of_fault() -> str:
    """Return the form or the person next to which the page shows the error; empty for the top of the page."""
    what = (request.endpoint or "").removeprefix("people.")
    if what == "split":
        return f"split-{request.form.get('merge', '')}"
    if what in ("add", "invite") and request.form.get("person"):
        return request.form["person"]
    places = {"add": "add", "add_list": "list", "merge": "merge"}
    return str((request.view_args or {}).get("person", "")) or places.get(what, "")


def role_explained(role: club_events.Role) -> str:
    return say(league_words.ROLES[role][1])


def same_names(club: Club, people: Sequence[str], names: Names) -> list[tuple[str, str]]:
    """Return pairs of people with the same name that can be merged; the one that stays is first."""
    alike, pairs, tries = defaultdict[str, list[str]](list), list[tuple[str, str]](), MAX_MERGE_CHECKS
    for person in people:
        before = alike[appearance_key(league_words.person_name(person, names))]
        for other in before[:tries]:
            tries -= 1
            if members.can_merge(book(), club, other, person):
                pairs.append((other, person))
                break
        before.append(person)
    return pairs


def _searched_name() -> str:
    return " ".join(request.args.get("q", "").split())[:NAME_LIMIT]


def _people_named(people: Sequence[str], names: Names) -> list[str]:
    """Return people by a part of their name, as typed into the search."""
    wanted = appearance_key(_searched_name())
    return [person for person in people if wanted in appearance_key(league_words.person_name(person, names))]


def _person_chosen(club: Club, field: str) -> str:
    """Return the person that a form names by id or, in a large club, by a unique name; empty for none."""
    return text_sent(field) or person_typed(club, text_sent(f"{field}_name"), club.everybody())


def _open_invitation(invitation: Invitation) -> OpenInvitation:
    address = f"{own_address()}/invited#{invitations.key_of(book(), invitation)}"
    return OpenInvitation(invitation, address, qr_code(address))


def _address_of_link(link: ClubLink) -> str:
    return f"{own_address()}/invited#{join_requests.sign_club_link(book(), link)}"


def _namesakes(person: str, people: Sequence[str], club: Club, names: Names) -> list[str]:
    """Return the guests of a club with the same name as a person with a request to join."""
    wanted = appearance_key(names.get(person, ""))
    return [guest for guest in people if not club.roles(guest) and appearance_key(names.get(guest, "")) == wanted]


def _requested_changes(club: Club) -> tuple[list[PeopleChange], str]:
    """Return a page of the changes of people, the newest first. Changes are numbered from the oldest."""
    renamed = [change for change in accounts.changes_of(book(), club.everybody()) if change.what == "name_changed"]
    events = [entry.event for entry in club.entries if isinstance(entry.event, HISTORY_EVENTS)]
    changes = sorted([*renamed, *events], key=lambda change: change.at, reverse=True)
    numbered = list(zip(range(len(changes), 0, -1), changes, strict=True))
    rows, more = requested_page(
        "people.people", lambda after, limit: page_of_list(numbered, lambda row: str(row[0]), after, limit)
    )
    return _people_changes(club, [change for _, change in rows]), more and f"{more}#history"


def _people_changes(club: Club, changes: Sequence[Any]) -> list[PeopleChange]:
    """Describe events of the club and new names of accounts."""
    events = [*changes, *(club.entries[change.merge].event for change in changes if hasattr(change, "merge"))]
    people = {
        person
        for event in events
        for name in ("person", "kept", "merged", "by")
        if (person := getattr(event, name, ""))
    }
    names = book().kept.names(people)
    called = partial(league_words.person_name, names=names)
    return [
        PeopleChange(
            change.at,
            names.get(change.by) or say("the administrator"),
            _change_sentence(club, change, called)
            if isinstance(change, HISTORY_EVENTS)
            else say("{name} has a new name", name=called(change.person)),
            getattr(change, "why", "") if isinstance(change, HISTORY_EVENTS) else "",
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
            return say("{name} and {other} are one person", name=called(event.kept), other=called(event.merged))
        case _:
            merge = club.entries[event.merge].event
            assert isinstance(merge, club_events.PeopleMerged)
            return say("{name} and {other} are two people again", name=called(merge.kept), other=called(merge.merged))


# --- what organisers do ----------------------------------------------------------------------------------------------


def _write_and_return(club_id: UUID, error: str, success: str) -> Response:
    if error:
        return _people_page(club_id, error, 422)
    flash(success)
    return see_other("people.people", club_id=club_id)


def _roles_sent() -> tuple[club_events.Role, ...]:
    names = request.form.getlist("role")
    if {*names} - {*club_events.ROLES}:
        abort(400)
    return tuple(role for role in club_events.ROLES if role in names)


@page.post("/clubs/<uuid:club_id>/people/invite")
def invite(club_id: UUID) -> Response:
    """Create a link with which a new member, or a certain guest, joins the club."""
    club, guest = require_club(club_id), text_sent("person")
    require_role(club, "manage_members")
    address = text_sent("mail") if book().settings.smtp_url else ""

    def make() -> Invitation:
        to = _invited_address(address) if address else ""
        new = members.invite(
            book(), club_id, _roles_sent(), person=person_at(club, guest) if guest else None, by=user_id()
        )
        if to:
            outbox.note_invitation(book(), club_id, new.id, to, chosen_language())
            flash(say("The link below is also on its way by mail."))
        return new

    return _offer_link(club_id, make)


def _invited_address(address: str) -> str:
    """Return the address for a mail with an invitation. Raises InvalidAccountError, LimitExceededError."""
    to = mail_addresses.checked_address(address)
    if mail_addresses.refuses_invitations(book(), to):
        reason = because("refused", "this address wants no invitations by mail: send the link in another way")
        raise InvalidAccountError("mail", reason)
    take("mail")
    mail_addresses.count_mail(book(), to)
    return to


def _offer_link(club_id: UUID, make: Callable[[], Invitation]) -> Response:
    """Create a link and show it, or show why it was refused."""
    try:
        return _people_page(club_id, status=201, new=make())
    except Refused as no:
        return _people_page(club_id, club_reason(no.reason), 422)
    except InvalidAccountError as bad:
        return _people_page(club_id, account_reason(bad.reason), 422)
    except LimitExceededError as many:
        return _people_page(club_id, too_many_mails(many), 429)


@page.post("/clubs/<uuid:club_id>/people/club-link/<any(make,close):how>")
def club_link(club_id: UUID, how: str) -> Response:
    """Create, replace or end the club's link for requests to join."""
    require_club(club_id, "manage_members")
    if how == "make":
        join_requests.make_club_link(book(), club_id, by=user_id())
        return _write_and_return(club_id, "", say("The link is ready. An older one no longer works."))
    join_requests.close_club_link(book(), club_id, by=user_id())
    return _write_and_return(club_id, "", say("The link no longer works."))


@page.post("/clubs/<uuid:club_id>/people/requests")
def answer_request(club_id: UUID) -> Response:
    """Admit a person with a request, as a new member or a known guest, or decline the request."""
    club, person = require_club(club_id, "manage_members"), text_sent("asking")
    if text_sent("answer") == "refuse":
        join_requests.refuse_request(book(), club_id, person, by=user_id())
        return _write_and_return(club_id, "", say("The request is declined."))
    guest = _person_chosen(club, "guest")
    try:
        join_requests.admit_person(book(), club_id, person, by=user_id(), guest=guest)
    except Refused as no:
        return _people_page(club_id, club_reason(no.reason, book().kept.names([person])), 422)
    except InvalidAccountError as bad:
        return _people_page(club_id, account_reason(bad.reason), 422)
    return _write_and_return(club_id, "", say("The new person is in the club."))


@page.post("/clubs/<uuid:club_id>/people/revoke")
def revoke(club_id: UUID) -> Response:
    require_club(club_id, "manage_members")
    if not invitations.revoke_invitation(book(), club_id, text_sent("invitation")):
        abort(404)
    return _write_and_return(club_id, "", say("The link no longer works."))


@page.post("/clubs/<uuid:club_id>/people/add")
def add(club_id: UUID) -> Response:
    """Add a person without an account: a new name, or a known guest."""
    require_club(club_id, "manage_members")
    guest, name = text_sent("person"), text_sent("name")
    if guest:
        error = write_in_club(club_id, AddMember(guest))
    else:
        error = text_fault(name, NAME_LIMIT, say("Enter a name.")) or run_club_write(
            lambda: members.add_member(book(), club_id, name, _roles_sent(), by=user_id(), key=key_sent())
        )
    return _write_and_return(club_id, error, say("The new person is in the club."))


@page.post("/clubs/<uuid:club_id>/people/list")
def add_list(club_id: UUID) -> Response:
    """Add the people of a pasted list, without accounts."""
    club = require_club(club_id, "manage_members")
    read = read_names(text_sent("list"))
    command, written = AddMembers(tuple(read.names)), list[Receipt | None]()
    if error := run_club_write(lambda: written.append(find_receipt(book(), club, command, key_sent()))):
        return _people_page(club_id, error, 422)
    if written[0] is not None:
        return see_other("people.people", club_id=club_id)
    new = new_names(book(), club, read.names)
    if read.bad or not new or len(new) > PASTED_NAMES_LIMIT:
        return _people_page(club_id, _list_fault(read, new), 422)
    error = write_in_club(club_id, command)
    left_out = [*read.repeated, *(name for name in read.names if name not in new)]
    success = say_n("{n} person was added to the club.", "{n} people were added to the club.", len(new))
    if left_out:
        success += " " + say("Already in the club: {names}.", names=join_words(abridge_names(left_out)))
    return _write_and_return(club_id, error, success)


def _list_fault(read: ParsedNames, new: list[str]) -> str:
    """Say why a pasted list is refused."""
    if read.bad:
        lines = [
            say("line {n}: {fault}", n=number, fault=text_fault(written, NAME_LIMIT, ""))
            for number, written, _ in read.bad[:BAD_LINES_SHOWN]
        ]
        more = [say("and {n} more", n=len(read.bad) - BAD_LINES_SHOWN)] if len(read.bad) > BAD_LINES_SHOWN else []
        return say("Some lines have no name: {lines}", lines="; ".join([*lines, *more]))
    if len(new) > PASTED_NAMES_LIMIT:
        return say("{n} names; at most {limit} at once. Paste the list in parts.", n=len(new), limit=PASTED_NAMES_LIMIT)
    if read.names:
        return say("Everyone on this list is already in the club.")
    return say("Enter one name on each line.")


def abridge_names(names: list[str]) -> list[str]:
    """Return the first names of a long list and how many more there are."""
    if len(names) <= NAMES_SHOWN:
        return names
    return [*names[:NAMES_SHOWN], say("{n} more", n=len(names) - NAMES_SHOWN)]


@page.post("/clubs/<uuid:club_id>/people/<person>/roles")
def roles(club_id: UUID, person: str) -> Response:
    club = require_club(club_id, "manage_members")
    member = person_at(club, person)
    error = write_in_club(club_id, GiveRoles(member, _roles_sent()))
    return _write_and_return(club_id, error, say("The roles are changed."))


@page.post("/clubs/<uuid:club_id>/people/<person>/leave")
def leave(club_id: UUID, person: str) -> Response:
    """End a membership: the visitor's own or, by an organiser, another person's."""
    club = require_club(club_id)
    is_own = bool(user_id()) and club.person(user_id()) == club.person(person)
    if not is_own:
        require_role(club, "manage_members")
    require_owner()
    member = person_at(club, person)
    error = write_in_club(club_id, EndMembership(member, why_sent()))
    if is_own and not error:
        flash(say("You have left {club}.", club=club.name))
        return see_other("home.home")
    return _write_and_return(club_id, error, say("The games stay, and so does the name in them."))


@page.post("/clubs/<uuid:club_id>/people/<person>/name")
def rename(club_id: UUID, person: str) -> Response:
    club = require_club(club_id, "manage_members")
    guest, name = person_at(club, person), text_sent("name")
    error = text_fault(name, NAME_LIMIT, say("Enter a name.")) or run_club_write(
        lambda: members.rename_guest(book(), club_id, guest, name, by=user_id())
    )
    return _write_and_return(club_id, error, say("The name is changed in all games."))


@page.post("/clubs/<uuid:club_id>/people/<person>/link")
def link(club_id: UUID, person: str) -> Response:
    """Create a link that signs a member in once, for a lost or missing password."""
    club = require_club(club_id, "manage_members")
    member = person_at(club, person)
    return _offer_link(club_id, lambda: members.sign_in_link(book(), club_id, member, by=user_id()))


@page.post("/clubs/<uuid:club_id>/people/merge")
def merge(club_id: UUID) -> Response:
    club = require_club(club_id, "manage_members")
    kept, gone = _person_chosen(club, "kept"), _person_chosen(club, "merged")
    error = (
        say("Choose two people.")
        if not kept or not gone or kept == gone
        else write_in_club(club_id, MergePeople(kept, gone, why_sent()))
    )
    return _write_and_return(club_id, error, say("They are one person now. Standings and statistics follow."))


@page.post("/clubs/<uuid:club_id>/people/split")
def split(club_id: UUID) -> Response:
    club = require_club(club_id, "manage_members")
    merged: Merge | None = next(
        (merge for merge in club.merges.values() if str(merge.step) == text_sent("merge")), None
    )
    if merged is None:
        abort(404)
    error = write_in_club(club_id, SplitPeople(merged.step, why_sent()))
    return _write_and_return(club_id, error, say("They are two people again. Standings and statistics follow."))
