"""The page of an evening in review: text, picture, and who decides about the message."""

from __future__ import annotations

import pytest

from daybook.domain.league.club_commands import EnterResult, PlanEvening
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Placed
from daybook.services.clock import later_time, now
from daybook.services.following.projections import rebuild_read_models
from daybook.services.messages import outbox
from tests.servers import wait_until
from tests.web.conftest import Visitor
from tests.web.leagues import ClubAtHand

pytestmark = pytest.mark.sqlite_suffices


def test_review_page_names_members_and_its_message_is_decided_once(mill: ClubAtHand, app):
    mia = mill.member("Mia")
    mill.by_olga(PlanEvening(later_time(now(), seconds=0.2), "12 Mill Street"))
    guests = mill.guests("Gerda")
    (gerda,) = guests
    placed = (Placed(mia, None, 1, 9), Placed(gerda, None, 2, 8))
    mill.by_olga(EnterResult(BESIDE, ":Azul", placed, guests=guests))
    rebuild_read_models(mill.book)
    page = f"{mill.path}/evenings/1/review"
    assert "The evening in review" in mill.signed_in("mia").get(f"{mill.path}/evenings/1").text
    shown = mill.signed_in("mia").get(page)
    assert "Azul: Mia before a guest" in shown.html and "Mill Street" not in shown.html.partition("To pass on")[2]
    assert "Send it now" not in shown.html
    picture = mill.signed_in("mia").client.get(f"{mill.path}/evenings/1.png")
    assert picture.status_code == 200 and picture.mimetype == "image/png"
    for path in (page, f"{mill.path}/evenings/1.png"):
        assert Visitor(app).client.get(path).status_code in (303, 401, 403, 404)
    olga = mill.signed_in()
    wait_until(lambda: mill.club.evenings["1"].when <= now(), "the evening")
    assert "No review of this evening is sent." in olga.press(page, "Do not send it", do="skip").text
    assert "No message about this evening" in olga.get(page).text
    assert "already sent" in olga.post(page, do="send").text
    assert outbox.review_state(mill.book, mill.club, mill.club.evenings["1"]) == "dropped"
