"""The people of a club in the pages: invited, given roles, merged, made anonymous; and what their roles open."""

from __future__ import annotations

import re
from uuid import UUID

import msgspec
import pytest
from flask import Flask

from daybook.domain.kernel.terms import TABLE
from daybook.domain.league.club_commands import AddMembers, ChangeClubSettings, EndMembership, GiveRoles
from daybook.services.league import clubs
from daybook.services.people import accounts
from daybook.services.store.daybook import Daybook
from daybook.web.request import clubs as request_clubs
from daybook.web.request import lists
from tests.axe import faults, in_both_lights
from tests.browsing import open_folds
from tests.played import key, open_seats
from tests.reads import count_reads
from tests.services.clubbing import bring_in, found_club, guest, join_anew, open_club_game
from tests.web.conftest import Opened, VisitedPage, Visitor
from tests.web.people.test_sign_in import PASSWORD, sign_in, signed_up
from tests.web.test_security import NASTY, WRITES, harmless


class Members:
    """A club with Anna, its organiser, and further people."""

    def __init__(self, app: Flask, book: Daybook) -> None:
        self.app, self.book = app, book
        self.anna = signed_up(app)
        self.id = found_club(book, self.person("anna"))
        self.path = f"/clubs/{self.id}/people"

    def person(self, sign_in: str) -> str:
        found = accounts.person_of_sign_in(self.book, sign_in)
        assert found is not None
        return found

    def member(self, name: str, *roles: str) -> Visitor:
        somebody = signed_up(self.app, name, name.lower())
        bring_in(self.book, self.id, self.person(name.lower()), roles, by=self.person("anna"))  # type: ignore[arg-type]
        return somebody

    def newcomer(self, name: str, *roles: str) -> Visitor:
        """Bring in a member whose account the club's invitation creates. Return the member's device."""
        join_anew(self.book, self.id, name.lower(), roles, by=self.person("anna"))  # type: ignore[arg-type]
        accounts.rename_person(self.book, self.person(name.lower()), name, by=self.person(name.lower()))
        somebody = Visitor(self.app)
        assert sign_in(somebody, name.lower()).status == 200
        return somebody

    def let_in(self, name: str) -> Visitor:
        """Return a device on which Anna used a link for a member."""
        page = self.anna.post(f"{self.path}/{self.person(name)}/link")
        somebody = Visitor(self.app)
        somebody.send(accepting(somebody, self.link(page)).form("Sign in"))
        return somebody

    def game(self, *seats: str, **options: str) -> Opened:
        id = open_club_game(self.book, self.id, seats, by=self.person("anna"), hands="open", **options)
        return Opened(self.book, self.app, id)

    def link(self, page: VisitedPage) -> str:
        found = re.search(r"/invited#([\w.-]+)", page.html)
        assert found is not None
        return found[1]


@pytest.fixture
def members(app: Flask, book: Daybook) -> Members:
    return Members(app, book)


def accepting(somebody: Visitor, link: str) -> VisitedPage:
    """Open the page with an invitation's question."""
    return somebody.press("/invited", "Open", key=link)


# --- invitations -----------------------------------------------------------------------------------------------------


def test_a_link_lets_one_person_in_with_what_it_says(members, visitor):
    page = members.anna.get(members.path)
    page = members.anna.send(page.form("Create a link"), role="scorekeeper")
    assert page.status == 201
    link = members.link(page)
    assert link in members.anna.get(members.path).html, "it can be shown again while it waits"
    page = accepting(visitor, link)
    assert "An invitation to Mill Club" in page.text and "You would be: scorekeeper." in page.text
    page = visitor.send(page.form("Join"), name="Ben")
    assert "Welcome to Mill Club." in page.text
    assert list(members.book.clubs.get(members.id).people().values())[1] == ("scorekeeper", "member")
    page = accepting(Visitor(members.app), link)
    assert (page.status, "This link was already used" in page.text) == (403, True)
    assert link not in members.anna.get(members.path).html


def test_who_has_an_account_comes_in_with_it(members):
    ben = signed_up(members.app, "Ben", "ben")
    link = members.link(members.anna.press(members.path, "Create a link"))
    page = ben.send(accepting(ben, link).form("Join as Ben"))
    assert "Welcome to Mill Club." in page.text
    assert members.book.clubs.get(members.id).roles(members.person("ben")) == ("member",)


def test_a_link_that_was_revoked_or_bent_lets_nobody_in(members, visitor):
    page = members.anna.press(members.path, "Create a link")
    link = members.link(page)
    for bent in (link + "x", link[:-2], "", "x.y"):
        refused = accepting(visitor, bent)
        assert refused.status == 403 and "This link is not valid" in refused.text
    found = re.search(r'name="invitation" value="([\w-]+)"', members.anna.get(members.path).html)
    assert found is not None
    members.anna.post(f"{members.path}/revoke", invitation=found[1])
    assert "no longer valid" in accepting(visitor, link).text
    assert members.anna.post(f"{members.path}/revoke", invitation=found[1]).status == 404


def test_the_key_of_an_invitation_stands_in_no_address(members, visitor):
    link = members.link(members.anna.press(members.path, "Create a link"))
    page = accepting(visitor, link)
    assert page.answer.request.full_path.rstrip("?") == "/invited"
    assert page.answer.headers["Cache-Control"] == "no-store"
    assert all(link not in form.action for form in page.forms)


def test_link_signs_in_and_old_password_works_too(members):
    members.newcomer("Ben")
    page = members.anna.get(members.path)
    page = members.anna.send(page.form_to(f"{members.person('ben')}/link"))
    lost = Visitor(members.app)
    page = accepting(lost, members.link(page))
    assert "Sign in as Ben" in page.text and "your old one keeps working" in page.text
    page = lost.send(page.form("Sign in"))
    assert "Current password" not in page.text
    page = lost.send(page.form("Set the new password"), password="eight looms at dawn", again="eight looms at dawn")
    assert "The new password is set. The old one works too" in page.text
    assert "Current password" in lost.get("/me").text, "the link is spent"
    assert sign_in(Visitor(members.app), "ben").status == 200
    assert sign_in(Visitor(members.app), "ben", "eight looms at dawn").status == 200


def test_link_is_shown_on_other_devices_and_undone(members):
    ben = members.newcomer("Ben")
    thief = members.let_in("ben")
    thief.send(
        thief.get("/me").form("Set the new password"), password="eight looms at dawn", again="eight looms at dawn"
    )
    assert "A link signed you in on another device." in ben.get("/help").text
    assert "A link signed you in on another device." not in thief.get("/help").text
    page = ben.get("/me")
    assert "link created by Anna" in page.text
    page = ben.send(page.form("It was not me: undo it"), do="undo")
    assert "your old password works again" in page.text and "A link signed you in" not in page.text
    assert "Sign in" in thief.get("/help").text and thief.get("/me").answer.request.path == "/sign-in"
    assert sign_in(Visitor(members.app), "ben", "eight looms at dawn").status == 422
    page = members.anna.post(f"{members.path}/{members.person('ben')}/link")
    assert page.status == 422 and "Ben has not allowed links for signing in" in page.text


def test_link_is_confirmed_on_another_device(members):
    ben = members.newcomer("Ben")
    tablet = members.let_in("ben")
    page = ben.send(ben.get("/me").form("It was me"), do="confirm")
    assert "The password that was set with the link stays" in page.text
    assert "Change it" in tablet.get("/me").html
    assert ben.post("/me/link", do="undo", link="x").status == 409


def test_device_of_a_link_changes_nothing_but_the_password(members):
    members.newcomer("Ben")
    thief = members.let_in("ben")
    link = members.link(members.anna.press(members.path, "Create a link"))
    for path, fields in {
        "/me/name": {"name": "Mallory", "address": ""},
        "/me/portrait": {"do": "remove"},
        "/me/sessions": {"session": "others"},
        "/me/keys": {"key_name": "script"},
        "/me/keys/revoke": {"key": "x"},
        "/me/calendar": {},
        "/me/calendar/revoke": {},
        "/me/anonymous": {"step": "done", "typed": "Ben"},
        "/me/merge": {"sign_in": "anna", "password": PASSWORD, "own_password": PASSWORD},
        f"/me/clubs/{members.id}/links": {"allow": "yes"},
        "/invited/accept": {"key": link, "as": "me"},
    }.items():
        page = thief.post(path, **fields)
        assert (page.status, "You signed in here with a link" in page.text) == (403, True), path
    page = thief.get("/me")
    assert "Change it" not in page.html and "Make me anonymous" not in page.html
    assert members.book.kept.names([members.person("ben")]) == {members.person("ben"): "Ben"}


def test_member_allows_links_with_the_password(members):
    ben = members.member("Ben")
    path = f"{members.path}/{members.person('ben')}/link"
    assert "A link that signs the person in once" not in members.anna.get(members.path).text
    assert members.anna.post(path).status == 422
    form = ben.get("/me").form_to(f"/me/clubs/{members.id}/links")
    assert "That is not your current password" in ben.send(form, allow="yes", links_password="wrong").text
    assert members.anna.post(path).status == 422
    page = ben.send(form, allow="yes", links_password=PASSWORD)
    assert "The organisers of Mill Club may create such a link" in page.text
    assert "A link that signs the person in once" in members.anna.get(members.path).text
    link = members.link(members.anna.post(path))
    page = ben.send(page.form_to(f"/me/clubs/{members.id}/links"), allow="no")
    assert "can no longer create a link" in page.text
    assert accepting(Visitor(members.app), link).status == 403
    assert ben.post(f"/me/clubs/{found_club(members.book, members.person('anna'), 'Other')}/links").status == 404


def test_invitation_says_what_organisers_can_do(members, visitor):
    link = members.link(members.anna.press(members.path, "Create a link"))
    page = accepting(visitor, link)
    assert "They give roles, enter games" in page.text
    assert "the organisers of Mill Club can create a link that signs in as you" in page.text
    page = accepting(signed_up(members.app, "Eve", "eve"), link)
    assert "They cannot sign in as you unless you allow it on your page." in page.text


def test_organiser_makes_no_account_anonymous(members):
    members.member("Ben"), members.newcomer("Cleo")
    for name in ("ben", "cleo"):
        path = f"{members.path}/{members.person(name)}/anonymous"
        assert "This person has an account" in members.anna.get(path).text
        page = members.anna.post(path, step="done", typed=name.capitalize())
        assert page.status == 403 and accounts.person_of_sign_in(members.book, name) is not None
    assert "Make anonymous" not in members.anna.get(members.path).text


# --- who may ---------------------------------------------------------------------------------------------------------


def writes(members: Members, person: str) -> dict[str, dict[str, str]]:
    return {
        "invite": {"role": "organiser"},
        "revoke": {"invitation": "x"},
        "add": {"name": "Mallory", "key": "a"},
        f"{person}/roles": {"role": "organiser", "key": "b"},
        f"{person}/leave": {"key": "c"},
        f"{person}/name": {"name": "Mallory"},
        f"{person}/link": {},
        "merge": {"kept": person, "merged": members.person("anna"), "why": "x", "key": "d"},
        "split": {"merge": "0", "why": "x", "key": "e"},
        f"{person}/anonymous": {"step": "done", "typed": "Ben"},
    }


def test_nobody_but_organisers_changes_anything_about_people(members, visitor):
    members.member("Ben")
    eve = members.member("Eve", "umpire", "scorekeeper")
    step = members.book.clubs.get(members.id).step
    for path, fields in writes(members, members.person("ben")).items():
        for somebody in (visitor, eve):
            assert somebody.post(f"{members.path}/{path}", **fields).status in (401, 403), path
        assert members.anna.client.post(f"{members.path}/{path}", data=fields).status_code == 403, "without its token"
    assert members.book.clubs.get(members.id).step == step
    page = eve.get(members.path)
    assert "More about" not in page.text and "Create a link" not in page.text


def test_a_private_club_shows_its_people_to_its_members(members, visitor):
    members.member("Ben")
    assert members.anna.get(members.path).status == 200
    page = visitor.get(members.path)
    assert page.status == 403 and "Ben" not in page.text


def test_roles_are_given_and_the_last_organiser_stays(members):
    ben = members.member("Ben")
    form = members.anna.get(members.path).form_to(f"{members.person('ben')}/roles")
    page = members.anna.send(form, role="organiser")
    assert "The roles are changed." in page.text
    assert "Create a link" in ben.get(members.path).text
    ben.send(ben.get(members.path).form_to(f"{members.person('anna')}/roles"), role="umpire")
    page = ben.send(ben.get(members.path).form_to(f"{members.person('ben')}/leave"))
    assert page.status == 422 and "Ben is the only organiser" in page.text
    assert "Ben is now: organiser, Anna" in members.anna.get(members.path).text


def test_a_renamed_member_stands_in_the_list_of_changes(members, book):
    members.anna.post(f"{members.path}/add", name="Ben", key="ben-is-added")
    (ben,) = (id for id, name in book.kept.names(book.clubs.all()[0].people()).items() if name == "Ben")
    assert "has a new name" not in members.anna.get(members.path).text
    page = members.anna.post(f"{members.path}/{ben}/name", name="Benno")
    assert "Benno has a new name" in page.text


def test_two_names_are_said_to_be_one_person_and_two_again(members, book):
    also = guest(book, "Anna")
    members.game(also, guest(book, "Ben"))
    page = members.anna.get(members.path)
    page = members.anna.send(page.form("Anna and Anna are one person"))
    assert "They are one person now." in page.text and "Anna is also Anna" in page.text
    assert book.clubs.get(members.id).person(also) == members.person("anna")
    page = members.anna.send(page.form("They are two different people"), why="another Anna")
    assert "They are two people again." in page.text
    assert book.clubs.get(members.id).person(also) == also
    page = members.anna.send(page.form("They are the same person"), kept=also, merged=also)
    assert page.status == 422


@pytest.mark.parametrize("nasty", NASTY)
def test_names_and_reasons_are_text_everywhere(members, nasty):
    harmless(members.anna.press(members.path, "Add to the club", name=nasty), nasty)
    harmless(members.anna.get(members.path), nasty)
    harmless(members.anna.get("/me"), nasty)


# --- what roles open in games ----------------------------------------------------------------------------------------


def test_scorekeeper_records_without_link_and_is_named(members, book):
    ben = members.member("Ben", "scorekeeper")
    game = members.game(guest(book, "Cleo"), guest(book, "Dora"))
    page = ben.get(f"{game.path}/record")
    assert page.status == 200
    ben.post(f"{game.path}/record", seat=str(TABLE), decision='{"type": "drawn", "card": "R2"}', at="0", key="k")
    assert game.game.writers[1] == f"scorekeeper@{members.person('ben')}"
    page = ben.get(f"{game.path}/about")
    assert "Ben, the scorekeeper" in page.text
    assert b"Ben" not in b"".join(book.log.lines(game.id))
    clubs.write(book, members.id, GiveRoles(members.person("ben"), ()), by=members.person("anna"), key=key())
    assert ben.get(f"{game.path}/record").status == 403
    assert ben.get(game.path).status == 200, "a member reads"


@pytest.mark.parametrize("path", WRITES)
def test_a_member_writes_nothing_and_a_stranger_reads_nothing(members, book, path):
    game = members.game(guest(book, "Cleo"), guest(book, "Dora"), guest(book, "Finn"))
    game.deal()
    ben, seal = members.member("Ben"), game.game.seal
    assert ben.post(f"{game.path}/{path}", **WRITES[path]).status == 403
    assert game.game.seal == seal
    assert signed_up(members.app, "Mallory", "mallory").get(game.path).status == 403


def test_the_organiser_who_plays_sees_the_own_hand_and_no_other(members, book):
    """Being an organiser is worth nothing at the own table: not on a page, not in a file, not by a key."""
    game = members.game(guest(book, "Cleo"), members.person("anna"), guest(book, "Dora"))
    game.deal("R2 M1 R2 M2 M1 M2", start=0)
    made = accounts.make_key(book, members.person("anna"), "script")
    bearer = {"Authorization": f"Bearer {made}"}
    assert members.anna.get(f"{game.path}/record").status == 200
    for path in ("links", "export", "adjust", "what-if/x"):
        assert members.anna.get(f"{game.path}/{path}").status in (403, 404), path
    for view in ("all", "0", "2"):
        answer = members.anna.client.get(game.path, query_string={"view": view})
        assert (answer.status_code, answer.headers["Location"]) == (302, game.path), "to the own view"
    head = Visitor(members.app).client.get(f"/api/v1/games/{game.id}", headers=bearer).get_json()
    assert head["you"] == {"role": "seat", "seat": 1, "views": ["1", "spectator"]}
    for path in ("record", "links"):
        assert Visitor(members.app).client.get(f"/api/v1/games/{game.id}/{path}", headers=bearer).status_code == 403
    answer = Visitor(members.app).client.get(f"/api/v1/games/{game.id}/position?view=all", headers=bearer)
    assert answer.status_code == 403


def test_a_stream_ends_with_the_role_and_with_the_session(members, book):
    from daybook.web.recording.live import current_grant_of
    from daybook.web.request.access import current_grant, current_session

    ben = members.member("Ben")
    game = members.game(guest(book, "Cleo"), guest(book, "Dora"))
    with ben.client as client:
        client.get(game.path)
        grant, session = current_grant(game.id), current_session()
    assert current_grant_of(book, grant, session) is not None
    accounts.end_sessions(book, members.person("ben"), by=members.person("ben"))
    assert current_grant_of(book, grant, session) is None
    clubs.write(book, members.id, EndMembership(members.person("ben")), by=members.person("anna"), key=key())
    assert current_grant_of(book, grant, None) is None


def test_a_stream_ends_with_the_key_of_a_program(members, book, app):
    from daybook.web.recording.live import current_grant_of
    from daybook.web.request.access import current_grant, current_session, key_of_person

    anna, game = members.person("anna"), members.game(guest(book, "Cleo"), guest(book, "Dora"))
    bearer = {"Authorization": f"Bearer {accounts.make_key(book, anna, 'script')}"}
    with app.test_client() as client:
        assert client.head(f"{game.path}/events", headers=bearer).status_code == 200
        grant, way_in = current_grant(game.id), current_session() or key_of_person()
    assert grant is not None and current_grant_of(book, grant, way_in) is not None
    accounts.revoke_key(book, anna, accounts.keys_of_person(book, anna)[0].id, by=anna)
    assert current_grant_of(book, grant, way_in) is None


# --- keys of people --------------------------------------------------------------------------------------------------


def test_a_persons_key_does_in_the_api_what_their_roles_do(members, book):
    members.member("Ben", "scorekeeper")
    game = members.game(guest(book, "Cleo"), guest(book, "Dora"))
    game.update_list()
    private = open_seats(book, ("X", "Y"), title="Private")
    made = accounts.make_key(book, members.person("ben"), "script")
    program, bearer = Visitor(members.app).client, {"Authorization": f"Bearer {made}"}
    listed = program.get("/api/v1/games", headers=bearer).get_json()["games"]
    assert [row["game"] for row in listed] == [str(game.id)]
    answer = program.post(
        f"/api/v1/games/{game.id}/decisions",
        headers=bearer | {"Idempotency-Key": "11111111-1111-4111-8111-111111111111"},
        json={"seat": -1, "decision": {"type": "drawn", "card": "R2"}, "at": 0},
    )
    assert answer.status_code == 201, answer.text
    assert game.game.writers[1] == f"scorekeeper@{members.person('ben')}"
    assert program.get(f"/api/v1/games/{private}", headers=bearer).status_code == 403
    accounts.revoke_key(book, members.person("ben"), accounts.keys_of_person(book, members.person("ben"))[0].id, by="x")
    assert program.get(f"/api/v1/games/{game.id}", headers=bearer).status_code == 401


def test_the_api_looks_at_no_session(members, book):
    game = members.game(guest(book, "Cleo"), guest(book, "Dora"))
    assert members.anna.get(f"{game.path}/record").status == 200
    assert members.anna.client.get(f"/api/v1/games/{game.id}").status_code == 401


# --- anonymous -------------------------------------------------------------------------------------------------------


def test_anonymity_needs_two_confirmations_and_the_password(members, book):
    ben = members.member("Ben")
    game = members.game(members.person("ben"), guest(book, "Cleo"))
    page = ben.get(ben.get("/me").link("What that means"))
    assert "This cannot be undone" in page.text and "in 1 game," in page.text
    page = ben.send(page.form("Continue"))
    assert "Really make Ben anonymous?" in page.text
    form = page.form("Make anonymous permanently")
    assert "Type the name as it is shown above" in ben.send(form, typed="Bob", password=PASSWORD).text
    assert "That is not the password." in ben.send(form, typed="Ben", password="not the password").text
    assert book.kept.names([members.person("ben")]) == {members.person("ben"): "Ben"}
    page = ben.send(form, typed="ben", password=PASSWORD)
    assert "Done: the name" in page.text and page.link("Sign in")
    kept = book.kept.game(game.id)
    assert kept is not None and kept.names[0].startswith("Anonymous ")
    assert "Ben" not in members.anna.get(members.path).text
    assert "Ben" not in members.anna.get(game.path).text
    assert accounts.person_of_sign_in(book, "ben") is None


def test_organiser_anonymises_guests_but_no_member_elsewhere(members, book):
    ben, cleo = members.member("Ben"), guest(book, "Cleo")
    members.game(members.person("anna"), cleo)
    other = found_club(book, members.person("ben"), "Other Club")
    path = f"{members.path}/{members.person('ben')}/anonymous"
    assert members.anna.get(path).status == 403
    assert UUID(str(other)) and ben.get("/me/anonymous").status == 200
    page = members.anna.get(f"{members.path}/{cleo}/anonymous")
    page = members.anna.send(members.anna.send(page.form("Continue")).form("Make anonymous permanently"), typed="Cleo")
    assert "Done: the name" in page.text
    assert "Cleo" not in members.anna.get(members.path).text


# --- for everybody ---------------------------------------------------------------------------------------------------


def test_no_page_about_people_has_a_fault_or_is_too_wide(page, site, members, book):
    members.member("Ben", "umpire")
    also = guest(book, "Ben")
    members.game(members.person("anna"), also)
    page.set_viewport_size({"width": 360, "height": 740})
    for path in ("/sign-up", "/invited"):
        page.goto(f"{site}{path}")
        assert in_both_lights(page).faults == [], path
    page.goto(f"{site}/sign-in?next={members.path}")
    assert in_both_lights(page).faults == []
    page.get_by_label("Sign-in name").fill("anna")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Create a link").click()
    page.get_by_text("Send this link, or show the code").wait_for()
    link = page.locator("input[readonly]").first.input_value()
    for path in (
        members.path,
        "/me",
        "/me/merge",
        "/me/anonymous",
        f"{members.path}/{also}/anonymous",
        link.removeprefix(site),
    ):
        page.goto(f"{site}{path}")
        open_folds(page)
        assert faults(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
    page.get_by_text("An invitation to Mill Club").wait_for()
    page.goto(f"{site}/me/anonymous")
    page.get_by_role("button", name="Continue").click()
    page.get_by_text("Really make Anna anonymous?").wait_for()
    assert in_both_lights(page).faults == []


def test_club_umpire_takes_over_and_the_record_tells_the_table(members, book):
    eve, ben = members.member("Eve", "umpire"), members.member("Ben")
    game = members.game(guest(book, "Cleo"), guest(book, "Dora"))
    game.deal("R2 M1 R2 M2", start=0)
    assert eve.client.get(game.path, query_string={"view": "all"}).status_code == 302, "nothing is seen before"
    assert "Become umpire of this game" not in ben.get(f"{game.path}/claims").text
    assert ben.post(f"{game.path}/umpires/me", key="a").status == 403
    page = eve.press(f"{game.path}/claims", "Become umpire of this game")
    assert "its record says so" in page.text and "Eve" in page.text
    assert game.game.writers[-1] == f"umpire:0@{members.person('eve')}"
    assert eve.client.get(game.path, query_string={"view": "all"}).status_code == 200
    assert eve.post(f"{game.path}/umpires/me", key="b").status == 403, "once is enough"
    own = members.game(members.person("eve"), guest(book, "Finn"))
    assert eve.post(f"{own.path}/umpires/me", key="c").status == 403, "who plays is asked by seat"


def test_a_page_of_many_people_asks_no_table_for_each(app, book):
    """Anyone may read a public club, also one that was filled on purpose."""
    mill = Members(app, book)
    anna = mill.person("anna")
    settled = msgspec.structs.replace(book.clubs.get(mill.id).settings, public=True, public_evenings=True)
    clubs.write(book, mill.id, ChangeClubSettings(settled), by=anna, key=key())

    def reads(people: int) -> int:
        names = [f"Guest {people} {number}" for number in range(people)]
        clubs.write(book, mill.id, AddMembers(tuple(names)), by=anna, key=key())
        with count_reads(book) as counted:
            assert f"Guest {people} 1" in Visitor(app).get(mill.path).text
        return len(counted.tables)

    assert reads(5) == reads(40)


# --- a large club ------------------------------------------------------------------------------------------------------


@pytest.fixture
def crowd(mill):
    names = [f"Person {n:03}" for n in range(130)]
    mill.by_olga(AddMembers(tuple(names)))
    return mill


def people_on(page: VisitedPage) -> set[str]:
    return {*re.findall(r"Person \d{3}", page.html.partition('id="merge"')[0])}


def test_people_of_a_large_club_come_a_page_at_a_time(crowd):
    olga = crowd.signed_in()
    first = olga.get(f"{crowd.path}/people")
    second = olga.get(first.link("More"))
    assert len(people_on(first)) in (99, 100) and len(people_on(second)) in (30, 31)
    assert len(people_on(first) | people_on(second)) == 130
    assert people_on(olga.get(f"{crowd.path}/people?q=person 077")) == {"Person 077"}
    assert len(people_on(olga.get(f"{crowd.path}/people?from=nobody"))) >= 99
    assert len(people_on(olga.get(crowd.path))) <= 100


def test_people_of_a_large_club_are_merged_by_their_names(crowd, monkeypatch):
    monkeypatch.setattr(request_clubs, "MAX_PEOPLE_LISTED", 50)
    olga = crowd.signed_in()
    page = olga.get(f"{crowd.path}/people")
    assert len(page.html) < 600_000 and page.html.count("<option") < 50
    form = next(item for item in page.forms if "kept_name" in item.fields)
    refused = olga.send(form, kept_name="Person 001", merged_name="Nobody", why="")
    assert refused.status == 422
    assert olga.send(form, kept_name="Person 001", merged_name="person 129", why="the same").status == 200
    (merge,) = crowd.club.merges.values()
    named = crowd.book.kept.names([merge.kept, merge.merged])
    assert (named[merge.kept], named[merge.merged]) == ("Person 001", "Person 129")


def test_forms_of_a_large_club_list_some_and_take_typed_names(crowd, monkeypatch):
    monkeypatch.setattr(request_clubs, "MAX_PEOPLE_LISTED", 50)
    olga = crowd.signed_in()
    page = olga.get(f"{crowd.path}/seasons/beside/tables/new")
    assert page.html.count("<option") < 13 * 52
    form = page.form("Save the result")
    sent = {"guest.0": "person 001", "score.0": "3", "guest.1": "Person 129", "score.1": "5", "ruleset": "water_frame"}
    assert olga.send(form, **sent).status == 200
    (table,) = crowd.club.beside.tables.values()
    names = crowd.book.kept.names(crowd.club.seats(table))
    assert sorted(names.values()) == ["Person 001", "Person 129"]
    assert len(crowd.club.everybody()) == 131, "no guest is new"
    again = olga.get(f"{crowd.path}/seasons/beside/tables/new")
    assert "Person 129" in again.html, "who has played is listed"


def test_players_of_a_large_season_come_in_pages(crowd, monkeypatch):
    monkeypatch.setattr(request_clubs, "MAX_PEOPLE_LISTED", 50)
    monkeypatch.setitem(lists.ROWS_FROM, "players.players", 40)
    crowd.open_season(rounds=1, table_sizes=(4,))
    olga, path = crowd.signed_in(), f"{crowd.path}/seasons/1/players"
    page = olga.get(path)
    tick = 'type="checkbox" name="person.'
    assert page.html.count(tick) == 50 + 4, "those to enter, and those entered"
    form = page.form("Enter them")
    names = "\n".join(f"person {number:03}" for number in range(60))
    assert olga.send(form, guests=names).status == 200
    first = olga.get(path)
    second = olga.get(first.link("More"))
    assert (first.html.count("player-row"), second.html.count("player-row")) == (40, 24)
    assert (first.html.count(tick), second.html.count(tick)) == (50 + 40, 50 + 24)
    assert len(crowd.club.everybody()) == 135, "no guest is new"
