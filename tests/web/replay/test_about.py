"""About this record: on which day the game was played."""

from __future__ import annotations

from daybook.domain.commands import Close
from daybook.services.following import projections
from daybook.services.play import recording
from tests.web.conftest import Opened

FRIDAY, SATURDAY = "2026-03-20", "2026-03-21"


def test_the_scorekeeper_says_on_which_day_it_was_played_and_the_page_keeps_what_was_said(friday: Opened) -> None:
    friday.play(3000)
    keeper, reader, page = friday.visitor(), friday.visitor("reader"), f"{friday.path}/about"
    if friday.game.status == "running":
        recording.write(friday.book, friday.id, Close(), by="scorekeeper", key="close")
    first = keeper.get(page).form("Save the day")
    keeper.send(first, day=FRIDAY)
    assert "It was played on 20 Mar 2026" in keeper.get(page).text
    keeper.send(keeper.get(page).form("Save the day"), day=SATURDAY)
    told = reader.get(page).text
    assert "It was played on 21 Mar 2026, not on 20 Mar 2026" in told and "Save the day" not in told
    assert friday.game.day_of_play() == SATURDAY
    again = keeper.send(first, day="2999-01-01")
    assert "look at the last steps" in again.text
    assert "2999-01-01 is still to come" in keeper.send(keeper.get(page).form("Save the day"), day="2999-01-01").text
    assert reader.client.post(f"{friday.path}/day-of-play", data={"day": FRIDAY}).status_code == 403
    projections.catch_up(friday.book, projections.games_projection(friday.book))
    assert "played on 21 Mar 2026" in keeper.get("/").text
