"""About this record: on which day the game was played, and another record of the evening."""

from __future__ import annotations

from uuid import UUID

from daybook.domain.commands import Close, Decide
from daybook.domain.kernel.events import DecisionRecorded
from daybook.services.following import projections
from daybook.services.people import access
from daybook.services.play import recording
from tests.played import key, open_seats
from tests.web.conftest import Opened, Visitor

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


def test_another_record_of_the_evening_is_shown_to_who_may_read_both(friday: Opened) -> None:
    friday.play(60)
    opening = friday.game.opening
    other = open_seats(
        friday.book, [seat.person for seat in opening.seats], opening.ruleset, "Bens notes", options=opening.options
    )
    copy_decisions(friday, other)
    for id in (friday.id, other):
        friday.book.kept.show(id, True)
    friday.update_list()
    grant = access.make_first_grants(friday.book, other)[0]
    keeper = friday.visitor()
    keeper.client.post("/join", data={"csrf": keeper.token(), "key": access.key_of(friday.book, grant)})
    page = keeper.get(f"{friday.path}/about")
    assert "One evening, told twice?" in page.text and "Bens notes" in page.text
    assert "told twice" not in Visitor(friday.app).get(f"{friday.path}/about").text, (
        "holds no link, and sits in neither"
    )


def copy_decisions(friday: Opened, other: UUID) -> None:
    for entry in friday.game.entries[1:]:
        event = entry.event
        if isinstance(event, DecisionRecorded):
            at = friday.book.games.get(other).step
            recording.write(friday.book, other, Decide(event.seat, event.decision), at=at, by="scorekeeper", key=key())
