"""Messages to installed pages by Web Push, with a real push endpoint on loopback."""

from __future__ import annotations

import time

import pytest
import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric import ec

from daybook.domain.league.club_commands import AnswerEvening
from daybook.services.clock import now
from daybook.services.following.projections import rebuild_read_models
from daybook.services.league import clubs
from daybook.services.messages import outbox, push
from daybook.services.messages.push import Subscription
from daybook.services.messages.webhooks import BadAddressError
from daybook.services.people import accounts
from daybook.services.store.kept import kept_account, kept_message, kept_outbox, kept_push
from tests.played import key
from tests.push_browser import PushBrowser, claims_of, decode, encode
from tests.receivers import receiver
from tests.services.leagues import found_mill
from tests.services.messages.test_outbox import plan, send

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def there():
    with receiver() as there:
        there.status = 201
        yield there


@pytest.fixture
def club(book):
    object.__setattr__(book.settings, "webhooks_to_private_networks", True)
    club = found_mill(book)
    with book.kept.engine.begin() as c:
        c.execute(kept_account.insert().values(person="anna", address="", made_at=now()))
    outbox.note_messages(book)
    return club


@pytest.fixture
def browser(book, club, there):
    browser = PushBrowser(there.address)
    session = accounts.session_of(book, accounts.begin_session(book, "anna", "Firefox"))
    push.subscribe(book, "anna", session.id, browser.subscription, "Firefox, Android", "en")
    return browser


@pytest.mark.both_databases
def test_message_reaches_only_the_subscribed_browser(book, club, there, browser):
    plan(book, club)
    assert send(book) == 1
    (received,) = there.received
    shown = browser.read(received.body)
    assert shown["title"].startswith("The Mill meets on ") and shown["path"] == f"/clubs/{club}/evenings/1"
    assert b"The Mill" not in received.body and "Street" not in str(shown)
    claims = claims_of(received)
    assert claims["aud"] == there.address.removesuffix("/hook") and 0 < claims["exp"] - time.time() <= 86_400
    assert int(received.headers["TTL"]) > 0 and received.headers["Topic"] == shown["id"].removeprefix("msg_")
    assert there.address.encode() not in bytes(book.kept.engine.value(sa.select(kept_push.c.sealed)))


@pytest.mark.parametrize(("status", "devices"), [(410, 0), (404, 0), (403, 0), (500, 1), (429, 1), (301, 1)])
def test_ended_subscription_is_deleted_and_others_are_retried(book, club, there, browser, status, devices):
    there.status = status
    plan(book, club)
    assert send(book) == 1 and len(push.devices_of(book, "anna")) == devices
    there.status = 201
    book.kept.engine.write(kept_message.update().where(kept_message.c.attempts == 1).values(due=now()))
    assert send(book) == devices
    assert len({received.headers["Topic"] for received in there.received}) == 1


def test_ended_session_shows_no_messages(book, club, there, browser):
    plan(book, club)
    accounts.end_sessions(book, "anna", by="anna")
    send(book)
    assert there.received == []


def test_rebuild_and_copy_push_nothing(book, club, there, browser):
    plan(book, club)
    outbox.note_messages(book)
    rebuild_read_models(book)
    book.kept.engine.write(kept_outbox.update().values(instance="another machine"))
    assert send(book) == 0
    outbox.permit_sending(book)
    assert send(book) == 0 and there.received == []


def test_permission_is_asked_after_an_answer(book, club):
    plan(book, club)
    assert not push.may_ask(book, "anna")
    clubs.write(book, club, AnswerEvening("1", "no"), by="anna", key=key())
    assert push.may_ask(book, "anna") and not push.may_ask(book, "ben")


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://example.org/push",
        "https://fcm.googleapis.com.example.org/x",
        "https://evilpush.apple.com/x",
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8443/x",
        "https://user@fcm.googleapis.com/x",
        "http://127.0.0.1:1/x",
        "https://fcm.googleapis.com/\r\nx",
        "",
    ],
)
def test_unknown_push_services_are_refused(endpoint):
    with pytest.raises(BadAddressError):
        push.check_endpoint(endpoint, allows_private=False)


def test_known_push_services_are_accepted():
    for host in (
        "fcm.googleapis.com",
        "web.push.apple.com",
        "a.notify.windows.com",
        "updates.push.services.mozilla.com",
    ):
        assert push.check_endpoint(f"https://{host}/a", allows_private=False).hostname == host


def test_devices_of_a_person_are_limited(book, club, browser, there):
    for number in range(push.DEVICES_LIMIT + 3):
        given = PushBrowser(f"{there.address}/{number}").subscription
        push.subscribe(book, "anna", "session", given, "Firefox", "en")
    assert len(push.devices_of(book, "anna")) == push.DEVICES_LIMIT
    broken = Subscription(there.address, encode(b"short"), browser.subscription.auth)
    with pytest.raises(BadAddressError):
        push.subscribe(book, "anna", "session", broken, "Firefox", "en")


def test_key_pair_follows_daybooks_secret(book):
    assert push.public_key(book) == push.public_key(book) and len(decode(push.public_key(book))) == 65


def test_encryption_agrees_with_rfc_8291():
    """Appendix A of RFC 8291."""
    own = ec.derive_private_key(int.from_bytes(decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")), ec.SECP256R1())
    given = Subscription(
        "https://example.org",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
    )
    sealed = push.encrypt(given, b"When I grow up, I want to be a watermelon", own, decode("DGv6ra1nlYgDCS1FRnbzlw"))
    assert encode(sealed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95"
        "bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
