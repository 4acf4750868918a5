"""The page of a club's messages, and its feed as a reader gets it."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import msgspec
import pytest

from daybook.domain.league.club_commands import ChangeClubSettings, PlanEvening
from daybook.services.clock import later_time, now
from daybook.services.messages import webhooks
from daybook.services.operation import network
from tests.web.conftest import Visitor
from tests.web.leagues import ClubAtHand

ATOM = "{http://www.w3.org/2005/Atom}"
DISCORD = "https://discord.com/api/webhooks/123/secret-part"

pytestmark = pytest.mark.sqlite_suffices


def titles(feed: bytes) -> list[str]:
    return [str(entry.findtext(f"{ATOM}title")) for entry in ET.fromstring(feed).iter(f"{ATOM}entry")]


def test_organiser_sets_tests_and_removes_the_address(mill: ClubAtHand):
    olga, page = mill.signed_in(), f"{mill.path}/messages"
    shown = olga.press(page, "Save", address="https://example.org/x", kind="discord")
    assert shown.status == 422 and "not an address of Discord" in shown.text
    shown = olga.press(page, "Save", address=DISCORD, kind="discord")
    assert shown.status == 200 and "secret-part" not in shown.html and "discord.com" in shown.html
    shown = olga.press(page, "Send a test message")
    assert "A test message is on its way" in shown.text
    shown = olga.press(page, "Save", **{"language": "ko"})
    assert webhooks.webhook_of(mill.book, mill.id).language == "ko"
    olga.press(page, "Remove the address")
    assert webhooks.webhook_of(mill.book, mill.id) is None


def test_members_and_strangers_may_not_see_or_set_the_address(mill: ClubAtHand, app):
    mill.member("Mia")
    for visitor in (mill.signed_in("mia"), Visitor(app)):
        assert visitor.client.get(f"{mill.path}/messages").status_code in (302, 303, 401, 403)
        answer = visitor.client.post(f"{mill.path}/messages", data={"kind": "discord", "address": DISCORD})
        assert answer.status_code >= 300
    assert webhooks.webhook_of(mill.book, mill.id) is None


def test_feed_lists_news_and_is_cached(mill: ClubAtHand, app):
    people = mill.open_season(rounds=1, table_sizes=(4,))
    mill.draw()
    mill.type("1", *people)
    mill.by_olga(PlanEvening(later_time(now(), hours=50), "12 Mill Street"))
    assert Visitor(app).client.get(f"{mill.path}/feed.atom").status_code in (302, 303, 401, 403)
    mill.by_olga(ChangeClubSettings(msgspec.structs.replace(mill.club.settings, public=True)))
    answer = Visitor(app).client.get(f"{mill.path}/feed.atom")
    assert answer.mimetype == "application/atom+xml" and b"Mill Street" not in answer.data
    assert titles(answer.data) == [
        "Autumn: Making Profit: a guest before a guest, a guest and a guest",
        "The Mill, Autumn: round 1 is drawn.",
        "The Mill: the season Autumn is open.",
    ]
    again = Visitor(app).client.get(f"{mill.path}/feed.atom", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    seen = titles(mill.signed_in().client.get(f"{mill.path}/feed.atom").data)
    assert any(title.startswith("The Mill meets on") for title in seen)


@pytest.mark.parametrize("reached", [[], ["http://192.0.2.7:8000"]])
def test_pages_with_addresses_say_which_devices_open_them(mill: ClubAtHand, monkeypatch, reached):
    monkeypatch.setattr(network, "served_urls", lambda *_: reached)
    olga = mill.signed_in()
    for page in (olga.get(f"{mill.path}/messages"), olga.press("/me", "Create a secret address")):
        assert ("cannot open these links yet" in page.text) == (not reached)
        assert all(address in page.html for address in reached)
