"""Feeds of a club, a season and a person, as a reader gets them."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import msgspec
import pytest

from daybook.domain.league.club_commands import ChangeClubSettings, EndMembership, EnterResult, PlanEvening
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Placed
from daybook.services.clock import later_time, now
from daybook.services.following.projections import rebuild_read_models
from daybook.services.league import anonymity, calendars, year_reviews
from daybook.services.messages import outbox
from tests.servers import wait_until
from tests.services.files.test_disagreements import catch_up
from tests.web.conftest import Visitor
from tests.web.leagues import ClubAtHand

ATOM = "{http://www.w3.org/2005/Atom}"

pytestmark = pytest.mark.sqlite_suffices


def titles(visitor, path: str) -> list[str]:
    answer = visitor.client.get(path)
    assert answer.status_code == 200 and answer.mimetype == "application/atom+xml"
    return [str(entry.findtext(f"{ATOM}title")) for entry in ET.fromstring(answer.data).iter(f"{ATOM}entry")]


def test_feeds_list_only_what_belongs_to_them(mill: ClubAtHand, app):
    people = mill.open_season(rounds=1, table_sizes=(4,))
    mill.draw()
    mill.type("1", *people)
    mia, ben = mill.member("Mia"), mill.member("Ben")
    for winner, loser in ((mia, mill.olga), (ben, mill.olga)):
        placed = (Placed(winner, None, 1), Placed(loser, None, 2))
        mill.by_olga(EnterResult(BESIDE, ":Azul", placed, ended_at="2025-05-02T10:00:00.000Z"))
    catch_up(mill.book)
    year_reviews.review_club(mill.book, mill.id)
    olga = mill.signed_in()
    assert titles(olga, mill.at("/feed.atom")) == [
        "Autumn: Making Profit: a guest before a guest, a guest and a guest",
        "The Mill, Autumn: round 1 is drawn.",
        "The Mill: the season Autumn is open.",
    ]
    seen = titles(olga, f"{mill.path}/people/{mia}/feed.atom")
    assert seen[0].startswith("Mia, The Mill: 2025 in review. 1 play") and seen[1:] == [
        "The Mill: Azul: Mia before Olga"
    ]
    assert any("The Mill: 2025 in review. 2 plays" in title for title in titles(olga, f"{mill.path}/feed.atom"))
    assert olga.client.get(f"{mill.path}/people/{people[0]}/feed.atom").status_code == 404, "a guest has no feed"


def test_private_feeds_open_with_the_key_of_a_member_only(mill: ClubAtHand, app):
    mill.open_season(rounds=1, table_sizes=(4,))
    mia, stranger = mill.member("Mia"), Visitor(app)
    key = calendars.make_key(mill.book, mia, by=mia)
    paths = [f"{mill.path}/feed.atom", mill.at("/feed.atom"), f"{mill.path}/people/{mia}/feed.atom", "/feed.atom"]
    for path in paths:
        assert stranger.client.get(path).status_code in (303, 403, 404)
        assert stranger.client.get(f"{path}?key={key[:-1]}").status_code == 404
        answer = stranger.client.get(f"{path}?key={key}")
        assert answer.status_code == 200
        again = stranger.client.get(f"{path}?key={key}", headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304
    assert titles(stranger, f"/feed.atom?key={key}") == ["The Mill: the season Autumn is open."]
    mill.by_olga(ChangeClubSettings(msgspec.structs.replace(mill.club.settings, public=True)))
    assert titles(stranger, mill.at("/feed.atom")) == ["The Mill: the season Autumn is open."]


@pytest.mark.parametrize("end", ["leaves", "anonymous"])
def test_feed_key_shows_nothing_after_its_person_went(mill: ClubAtHand, app, end):
    mill.open_season(rounds=1, table_sizes=(4,))
    mia, ben, stranger = mill.member("Mia"), mill.member("Ben"), Visitor(app)
    mill.by_olga(EnterResult(BESIDE, ":Azul", (Placed(mia, None, 1), Placed(ben, None, 2))))
    key, of_ben = (calendars.make_key(mill.book, person, by=person) for person in (mia, ben))
    assert "The Mill: Azul: Mia before Ben" in titles(stranger, f"/feed.atom?key={key}")
    if end == "leaves":
        mill.by_olga(EndMembership(mia, "moved"))
    else:
        anonymity.make_anonymous(mill.book, mia, by=mia)
    for path in (f"{mill.path}/feed.atom", mill.at("/feed.atom"), f"{mill.path}/people/{mia}/feed.atom"):
        assert stranger.client.get(f"{path}?key={key}").status_code == 404, path
    assert b"<entry" not in stranger.client.get(f"/feed.atom?key={key}").data
    assert "The Mill: Azul: a guest before Ben" in titles(stranger, f"/feed.atom?key={of_ben}")


def test_feed_has_the_evening_in_review_unless_it_is_skipped(mill: ClubAtHand, app):
    mia, guests = mill.member("Mia"), mill.guests("Gerda")
    mill.by_olga(PlanEvening(later_time(now(), seconds=0.2), "12 Mill Street", until=later_time(now(), seconds=0.4)))
    placed = (Placed(mia, None, 1), Placed(*guests, None, 2))
    mill.by_olga(EnterResult(BESIDE, ":Azul", placed, guests=guests))
    rebuild_read_models(mill.book)
    reader = mill.signed_in("mia")
    feed = f"{mill.path}/feed.atom"
    wait_until(lambda: any("1 play, 2 people" in title for title in titles(reader, feed)), "the evening in review")
    content = reader.client.get(f"{mill.path}/feed.atom").data
    assert b"Gerda" not in content and b"Mill Street" not in content
    outbox.skip_evening_review(mill.book, mill.club, mill.club.evenings["1"])
    assert not any("1 play" in title for title in titles(reader, feed))
    mill.by_olga(ChangeClubSettings(msgspec.structs.replace(mill.club.settings, public=True)))
    assert titles(Visitor(app), f"{mill.path}/feed.atom") == ["The Mill: Azul: Mia before a guest"]
