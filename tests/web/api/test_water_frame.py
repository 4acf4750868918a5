"""A whole game of Arkwright, Water Frame over the API: twenty turns each, scored by a worker, checked by a stranger."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.record import DecisionRecorded
from services import follow
from services.daybook import Daybook, open_daybook
from services.settings import Settings
from tests.services.files import read
from tests.web.api.conftest import Caller
from web.app import create_app
from workers import jobs, worker
from workers.follower import scores

FIXTURES = Path(__file__).parents[3] / "fixtures"
DECADES = [1770, 1780, 1790, 1800, 1810]
BEGINS = ("place", "reuse")  # a turn


@pytest.fixture
def settings(tmp_path: Path, queue_url: str) -> Settings:
    return Settings(data=tmp_path / "data", workers=1, redis_url=queue_url)


@pytest.fixture
def book(settings: Settings) -> Iterator[Daybook]:
    book = open_daybook(settings, create=True)
    follow.prepare(book)
    yield book
    book.close()


def test_a_game_of_twenty_turns_is_recorded_scored_and_checked(
    book: Daybook, settings: Settings, queue_url: str,
) -> None:
    played = read((FIXTURES / "four-mills.daybook").read_bytes())
    opening = played.game.opening
    api = Caller(create_app(book).test_client())
    game = api.opened(
        ruleset="water_frame", title=played.header.title, options=opening.options, players=[
            {"name": seat.name, "colour": seat.colour} for seat in played.header.seats])
    turns = 0
    for seat, decisions in announced(played.game):
        at = game.step
        if decisions[0]["type"] in BEGINS:
            turns += 1
            answer = game.post("/turns", {"seat": seat, "decisions": decisions, "at": at})
            assert (answer.status_code, answer.json["step"]) == (201, at + len(decisions))
        else:
            answer = game.post("/decisions", {"seat": seat, "decision": decisions[0], "at": at})
            assert (answer.status_code, answer.json["step"]) == (201, at + 1), answer.text
    assert turns == 80, "twenty turns of four players, each written at once"
    newest = game.step
    assert game.get("").json["to_act"] == []

    # replayed: every board is the one of the golden game
    steps = game.get("/replay").json["steps"]
    assert len(steps) == newest + 1
    for step in range(0, newest + 1, 25):
        assert game.get("/position", step=step).json["board"] == played.game.document_at(step)

    # scored decade by decade, by a worker
    assert game.post("/close", {"at": newest}).status_code in (200, 201)
    queue = jobs.queue_at(settings)
    follow.catch_up(book, scores(queue))
    worker.run(settings, burst=True)
    queue.connection.close()
    sheets = game.get("/scores").json["sheets"]
    decades = [one for one in sheets if one["period"] == "decade"]
    assert [one["number"] for one in decades] == DECADES
    assert all(one["settled"] for one in sheets)
    assert (sheets[-1]["period"], sheets[-1]["final"]) == ("game", True)
    outcome = played.game.ruleset.outcome(played.game.board)
    assert outcome is not None
    assert tuple(sheets[-1]["ranks"]) == outcome.ranks

    # exported, and checked by who has the file alone
    file = game.get("/record").data
    there = read(file).game
    assert there.document == played.game.document
    assert there.step == newest + 1
    assert game.get("/verify").json["whole"] is True
    audited = game.get("/audit").json
    assert audited["clean"] is True, audited


def announced(game: Any) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """The decisions of a record as they are announced: a turn as a whole, anything else by itself."""
    waiting: tuple[int, list[dict[str, Any]]] | None = None
    for entry in game.entries:
        event = entry.event
        if not isinstance(event, DecisionRecorded):
            continue
        if waiting is not None and (event.seat != waiting[0] or event.decision["type"] in BEGINS):
            yield waiting
            waiting = None
        if event.decision["type"] in BEGINS:
            waiting = (event.seat, [event.decision])
        elif waiting is not None:
            waiting[1].append(event.decision)
        else:
            yield event.seat, [event.decision]
    if waiting is not None:
        yield waiting


