"""A game that this version cannot read: its own page says so, health and doctor too, and all others go on."""

from __future__ import annotations

from collections.abc import Callable

from eventsourcing.persistence import StoredEvent

from services import follow
from services.daybook import Daybook
from services.doctor import examine
from tests.web.conftest import Opened, Visitor


def test_an_unreadable_game_is_told_and_the_others_go_on(
    open_game: Callable[..., Opened], book: Daybook, visitor: Visitor,
) -> None:
    bad, good = open_game(title="Broken", public=True), open_game(title="Whole", public=True)
    keeper, other = bad.visitor(), good.visitor()
    line = b'{"type":"from_the_future","step":1,"seal":"%s"}' % (b"0" * 64)
    book.log.recorder.insert_events([StoredEvent(bad.id, 2, "from_the_future", line)])
    book.games.held.clear()
    for projection in (follow.games(book), follow.ended(book)):
        projector = follow.BatchProjector(book, projection, pause=lambda seconds: None)
        while projector.step():
            pass
    page = keeper.get(f"{bad.path}/record")
    assert (page.status, "This game cannot be read just now" in page.text) == (503, True)
    answer = visitor.client.get(f"/api/v1{bad.path}")
    assert (answer.status_code, answer.json["error"]["code"]) == (503, "unreadable_game")
    health = visitor.client.get("/api/v1/health")
    assert (health.status_code, health.json["ok"], health.json["set_aside"]) == (200, False, 1)
    assert str(bad.id) not in health.text, "whose game it is, is for who runs this Daybook"
    found = [one for one in examine(book.settings) if one.about == "set aside"]
    assert [one.state for one in found] == ["bad"] and str(bad.id) in found[0].says and "restore" in found[0].do
    assert other.get(f"{good.path}/record").status == 200
    assert "Whole" in visitor.get("/").text

