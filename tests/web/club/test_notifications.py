"""Mail to a person, from the page where they enter an address to the tap that stops it."""

from __future__ import annotations

import pytest

from daybook.domain.league.club_commands import PlanEvening
from daybook.services.clock import later_time, now
from daybook.services.messages import choices, push
from daybook.services.people import accounts, mail_addresses
from daybook.services.store.kept import kept_outbox
from daybook.web.request.push_offers import push_offer_to
from tests.mail_server import mail_server, use_mail
from tests.push_browser import PushBrowser
from tests.services.messages.test_outbox import send
from tests.web.conftest import Visitor
from tests.web.leagues import PASSWORD, ClubAtHand

pytestmark = pytest.mark.sqlite_suffices
MIA = "mia@example.org"


@pytest.fixture
def server(mill: ClubAtHand):
    with mail_server() as server:
        use_mail(mill.book.settings, server)
        yield server
        object.__setattr__(mill.book.settings, "base_url", None)
        object.__setattr__(mill.book.settings, "smtp_url", None)


@pytest.fixture
def mia(mill: ClubAtHand):
    person = mill.member("Mia")
    send(mill.book)
    return person


def confirmed(mill, server, mia):
    mail = mail_addresses.set_address(mill.book, mia, MIA, "en")
    mail_addresses.confirm(mill.book, mail)


def test_address_is_confirmed_by_its_link_and_signs_in(mill, app, server, mia):
    visitor = mill.signed_in("mia")
    refused = visitor.press("/me/messages", "Save the address", mail=MIA)
    assert refused.status == 422 and "not your current password" in refused.text
    assert visitor.press("/me/messages", "Save the address", mail="mia", mail_password=PASSWORD).status == 422
    shown = visitor.press("/me/messages", "Save the address", mail=MIA, mail_password=PASSWORD)
    assert MIA in shown.text and "not confirmed yet" in shown.text
    assert send(mill.book) == 1
    (link,) = server.to(MIA)[0].links
    stranger = Visitor(app)
    assert stranger.get(link).status == 200 and not mail_addresses.address_of(mill.book, mia).verified_at
    assert stranger.client.get(f"{link[:-2]}xx").status_code == 404
    stranger.press(link, "Confirm the address")
    assert mail_addresses.address_of(mill.book, mia).is_active
    assert "On its way" not in stranger.press("/sign-in/mail", "Send me a link", mail="no@example.org").text
    asked = stranger.press("/sign-in/mail", "Send me a link", mail=MIA.upper())
    assert "If an account has this address" in asked.text
    assert send(mill.book) == 1 and len(server.delivered) == 2
    (link,) = server.to(MIA)[1].links
    assert "List-Unsubscribe" not in server.to(MIA)[1].message
    key = link.partition("#")[2]
    shown = stranger.press("/invited", "Open", key=key)
    assert stranger.send(shown.form("Sign in")).status == 200 and "Mia" in stranger.get("/me").text


def test_new_password_ends_links_to_the_address(mill, server, mia):
    confirmed(mill, server, mia)
    assert mail_addresses.accounts_at(mill.book, MIA)
    accounts.set_password(mill.book, mia, "mia", "another bag of certificates", by=mia)
    assert not mail_addresses.accounts_at(mill.book, MIA) and mail_addresses.address_of(mill.book, mia).is_active


def test_choices_and_stop_links(mill, app, server, mia):
    confirmed(mill, server, mia)
    mill.signed_in("mia").press("/me/messages", "Save", **{"mail.evening_planned": "yes"})
    mill.by_olga(PlanEvening(later_time(now(), hours=300), "12 Mill Street"))
    assert send(mill.book) >= 1
    (mail,) = server.to(MIA)
    stop = mail.links[-1]
    stranger = Visitor(app)
    assert "Stop these mails" in stranger.get(stop).html
    assert "evening_planned" in choices.chosen_by(mill.book, mia, "mail")
    assert "An evening is planned sent" in mill.signed_in("mia").get("/me/messages").text
    one_click = app.test_client().post(stop, data={"List-Unsubscribe": "One-Click"})
    assert one_click.status_code == 200 and not choices.chosen_by(mill.book, mia, "mail")
    assert app.test_client().post(f"{stop[:-3]}abc", data={"List-Unsubscribe": "One-Click"}).status_code == 404


def test_invitation_goes_by_mail_once_and_can_be_refused(mill, app, server):
    olga, page = mill.signed_in(), f"{mill.path}/people"
    assert olga.press(page, "Create a link", mail="new@example.org").status == 201
    assert send(mill.book) == 1
    (mail,) = server.to("new@example.org")
    join, stop = mail.links
    assert mail.message["Subject"] == "The Mill invites you" and join.startswith("/invited#")
    assert app.test_client().post(stop, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    refused = olga.press(page, "Create a link", mail="New@example.org")
    assert refused.status == 422 and "wants no invitations" in refused.text
    assert send(mill.book) == 0


def test_address_is_visible_to_its_owner_only(mill, server, mia):
    confirmed(mill, server, mia)
    assert MIA in mill.signed_in("mia").get("/me/messages").html
    assert MIA.encode() in mill.signed_in("mia").client.get("/me/file").data
    for path in (f"{mill.path}/people", f"{mill.path}/people/{mia}", "/me/messages"):
        assert MIA not in mill.signed_in().get(path).html
    other = accounts.make_account(mill.book, "Nia", sign_in=MIA, password=PASSWORD)
    assert accounts.person_of_sign_in(mill.book, MIA) == other, "an address is no sign-in name"


def test_no_page_mentions_mail_without_a_server(mill, app, mia):
    for visitor, path in (
        (Visitor(app), "/sign-in"),
        (mill.signed_in("mia"), "/me/messages"),
        (mill.signed_in("mia"), "/me"),
        (mill.signed_in(), f"{mill.path}/people"),
    ):
        text = visitor.get(path).text.replace("An e-mail address or a phone number", "").lower()
        assert "mail" not in text, path
    assert Visitor(app).client.get("/sign-in/mail").status_code == 404


def test_device_is_offered_after_an_answer_and_with_https_only(mill: ClubAtHand, app):
    mia = mill.member("Mia")
    mill.by_olga(PlanEvening(later_time(now(), hours=300), "12 Mill Street"))
    visitor, evening = mill.signed_in("mia"), f"{mill.path}/evenings/1"

    def offered(scheme: str) -> str:
        with app.test_request_context("/", base_url=f"{scheme}://localhost"):
            return push_offer_to(mia).key

    browser = PushBrowser("https://fcm.googleapis.com/fcm/send/secret-part")
    fields = {name: getattr(browser.subscription, name) for name in ("endpoint", "p256dh", "auth")}
    assert "First say whether you are coming to an evening of your club." in visitor.post("/me/devices", **fields).text
    assert offered("https") == ""
    visitor.press(evening, "Coming", answer="yes")
    assert offered("http") == "" and "data-push" not in visitor.get(evening).html
    assert offered("https") == push.public_key(mill.book)
    assert "not supported" in visitor.post("/me/devices", **fields | {"endpoint": "https://example.org/x"}).text
    shown = visitor.post("/me/devices", **fields, next="/me/messages")
    assert "This device now shows your messages" in shown.text and "Stop messages there" in shown.text
    assert "secret-part" not in shown.html
    shown = visitor.press("/me/messages", "Save", **{"push.result": "yes"})
    assert "result" in choices.chosen_by(mill.book, mia, "push")
    assert "no longer shows messages" in visitor.press("/me/messages", "Stop messages there").text


def test_visitors_request_a_limited_number_of_mails(mill: ClubAtHand, app, server):
    stranger = Visitor(app)
    answers = [stranger.post("/sign-in/mail", mail=f"{number}@example.org").status for number in range(12)]
    assert answers == [200] * 11 + [429] and send(mill.book) == 0


def test_restored_daybook_says_that_it_sends_no_mail(mill: ClubAtHand, app, server, mia):
    mill.book.kept.engine.write(kept_outbox.update().values(instance="another machine"))
    assert "is not sending mail now" in Visitor(app).post("/sign-in/mail", mail=MIA).text
    assert "was restored or copied" in mill.signed_in("mia").get("/me/messages").text
