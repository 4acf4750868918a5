"""About this record: on which day the game was played, and another record of the evening."""

from __future__ import annotations

from uuid import UUID

from daybook.domain.commands import Close, Decide
from daybook.domain.kernel.events import DecisionRecorded
from daybook.services.permissions import access
from tests.played import key, open_seats, update_games, write
from tests.web.conftest import Opened, Visitor

FRIDAY, SATURDAY = "2026-03-20", "2026-03-21"


def test_keeper_sets_the_day_of_play_and_the_page_keeps_it(friday):
    friday.play(3000)
    keeper, reader, page = friday.visitor(), friday.visitor("reader"), f"{friday.path}/about"
    if friday.game.status == "running":
        friday.write(Close(), key="close")
    first = keeper.get(page).form("Save the day")
    keeper.send(first, day=FRIDAY)
    assert "It was played on 20 Mar 2026" in keeper.get(page).text
    keeper.press(page, "Save the day", day=SATURDAY)
    told = reader.get(page).text
    assert "It was played on 21 Mar 2026, not on 20 Mar 2026" in told and "Save the day" not in told
    assert friday.game.day_of_play() == SATURDAY
    again = keeper.send(first, day="2999-01-01")
    assert "check the last steps" in again.text
    assert "2999-01-01 is still to come" in keeper.press(page, "Save the day", day="2999-01-01").text
    assert reader.client.post(f"{friday.path}/day-of-play", data={"day": FRIDAY}).status_code == 403
    update_games(friday.book)
    assert "played on 21 Mar 2026" in keeper.get("/").text


def test_second_record_of_an_evening_is_shown_to_readers_of_both(friday):
    friday.play(60)
    opening = friday.game.opening
    other = open_seats(
        friday.book, [seat.person for seat in opening.seats], opening.ruleset, "Bens notes", options=opening.options
    )
    copy_decisions(friday, other)
    for id in (friday.id, other):
        friday.book.kept.show(id, True)
    friday.update_list()
    grant, *links = access.make_first_grants(friday.book, other)
    keeper = friday.visitor()
    keeper.client.post("/join", data={"csrf": keeper.token(), "key": access.key_of(friday.book, grant)})
    page = keeper.get(f"{friday.path}/about")
    assert "One game, recorded twice?" in page.text and "Bens notes" in page.text
    assert "recorded twice" not in Visitor(friday.app).get(f"{friday.path}/about").text, (
        "holds no link, and sits in neither"
    )
    told = f"{friday.path}/about"
    reader, ben = friday.visitor("reader"), friday.visitor("reader")
    for who, link in ((reader, next(item for item in links if item.role == "reader")), (ben, grant)):
        who.client.post("/join", data={"csrf": who.token(), "key": access.key_of(friday.book, link)})
    assert "Count both" not in reader.get(told).text and "Abandon this record" not in ben.get(told).text
    where = f"{friday.path}/similar-games/{other}/separate"
    answers = [reader.client.post(path, data={"csrf": reader.token(), "why": "x"}) for path in (where, f"{where}/undo")]
    assert [answer.status_code for answer in answers] == [403, 403]
    lonely = f"{friday.path}/similar-games/{friday.id}/separate"
    assert keeper.client.post(lonely, data={"csrf": keeper.token(), "why": "x"}).status_code == 404
    ben.press(told, "Count both", why="a rematch")
    for who in (keeper, reader):
        text = who.get(told).text
        assert (
            "recorded twice?" in text and "The scorekeeper says that these are two different games: a rematch" in text
        )
    keeper.press(told, "Undo: they may be the same game")
    assert "taken back by the scorekeeper" in reader.get(told).text
    keeper.press(told, "Abandon this record")
    assert friday.game.status == "abandoned" and "recorded twice" not in keeper.get(told).text


def test_a_closed_record_is_given_up_for_another_once(friday):
    friday.play(3000)
    if friday.game.status == "running":
        friday.write(Close(), key="close")
    keeper, where = friday.visitor(), f"{friday.path}/give-up-for-another"
    body = {"csrf": keeper.token(), "key": key(), "why": "Ben has it", "at": str(friday.game.step)}
    assert friday.visitor("reader").client.post(where, data=body).status_code == 403
    keeper.client.post(where, data=body | {"at": "0"})
    assert friday.game.status == "closed", "the record has moved on since"
    steps = friday.game.step
    for _ in range(2):
        keeper.client.post(where, data=body)
    assert (friday.game.status, friday.game.step) == ("abandoned", steps + 2)


def copy_decisions(friday: Opened, second: UUID) -> None:
    for entry in friday.game.entries[1:]:
        event = entry.event
        if isinstance(event, DecisionRecorded):
            at = friday.book.games.get(second).step
            write(friday.book, second, Decide(event.seat, event.decision), at=at)
