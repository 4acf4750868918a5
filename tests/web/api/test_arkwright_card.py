"""A whole basic game of Arkwright: The Card Game over the API: twelve turns each, scored by a worker, checked."""

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
BEGINS = ("choose_action", "pass_action")  # a turn
ALONE = (
    "start_player_determined", "place_foreman", "use_patron", "use_extra_shift", "begin_sale", "sell_home", "ship",
    "assign_storehouse", "end_production", "use_entrepreneur", "decline_entrepreneur", "discard_entrepreneur",
    "keep_entrepreneur", "choose_start_player")  # in a basic game


@pytest.fixture
def settings(tmp_path: Path, queue_url: str) -> Settings:
    return Settings(data=tmp_path / "data", workers=1, redis_url=queue_url)


@pytest.fixture
def book(settings: Settings) -> Iterator[Daybook]:
    book = open_daybook(settings, create=True)
    follow.prepare(book)
    yield book
    book.close()


def test_a_game_of_three_decades_is_recorded_scored_and_checked(
    book: Daybook, settings: Settings, queue_url: str,
) -> None:
    played = read((FIXTURES / "three-portfolios.daybook").read_bytes())
    api = Caller(create_app(book).test_client())
    game = api.opened(
        ruleset="arkwright_card", title=played.header.title, options=played.game.opening.options, players=[
            {"name": seat.name, "colour": seat.colour} for seat in played.header.seats])
    turns, at = 0, game.step
    for seat, decisions in announced(played.game):
        if decisions[0]["type"] in BEGINS:
            turns += 1
            answer = game.post("/turns", {"seat": seat, "decisions": decisions, "at": at})
        else:
            answer = game.post("/decisions", {"seat": seat, "decision": decisions[0], "at": at})
        at += len(decisions)
        assert (answer.status_code, answer.json["step"]) == (201, at), answer.text
    assert turns == 36, "twelve turns of three players, each written at once"
    assert game.get("").json["to_act"] == []

    # replayed: every board is the one of the golden game
    steps = game.get("/replay").json["steps"]
    assert len(steps) == at + 1
    for step in range(0, at + 1, 25):
        assert game.get("/position", step=step).json["board"] == played.game.document_at(step)

    # scored round by round and decade by decade, by a worker
    assert game.post("/close", {"at": at}).status_code in (200, 201)
    queue = jobs.queue_at(settings)
    follow.catch_up(book, scores(queue))
    worker.run(settings, burst=True)
    queue.connection.close()
    sheets = game.get("/scores").json["sheets"]
    assert all(one["settled"] for one in sheets)
    assert [one["number"] for one in sheets if one["period"] == "decade"] == [1, 2, 3]
    assert [one["number"] for one in sheets if one["period"] == "round"] == list(range(1, 13))
    outcome = played.game.ruleset.outcome(played.game.board)
    assert outcome is not None
    assert (sheets[-1]["final"], tuple(sheets[-1]["ranks"])) == (True, outcome.ranks)
    for sheet, decade in zip((one for one in sheets if one["period"] == "decade"), decades(played.game), strict=False):
        worth = [line["amount"] for one in sheet["scores"] for line in one["lines"] if line["name"] == "portfolio"]
        assert worth == decade, "share value × shares, as the decade's end told them"

    # exported, and checked by who has the file alone
    there = read(game.get("/record").data).game
    assert there.document == played.game.document
    assert there.step == at + 1
    assert game.get("/verify").json["whole"] is True
    audited = game.get("/audit").json
    assert audited["clean"] is True, audited


def decades(game: Any) -> list[list[int]]:
    """What was told at the ends of the first two decades."""
    return [effect["portfolios"] for entry in game.entries if isinstance(entry.event, DecisionRecorded)
            for effect in entry.event.effects if effect["type"] == "decade_ended"]


def announced(game: Any) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """The decisions of a record as they are announced: a turn as a whole, anything else by itself."""
    waiting: tuple[int, list[dict[str, Any]]] | None = None
    for entry in game.entries:
        event = entry.event
        if not isinstance(event, DecisionRecorded):
            continue
        kind = event.decision["type"]
        new_foreman = kind == "place_foreman" and waiting is not None and waiting[1][-1].get("card") == "foreman"
        alone = kind in ALONE and not new_foreman
        if waiting is not None and (kind in BEGINS or alone):
            yield waiting
            waiting = None
        if alone:
            yield event.seat, [event.decision]
        elif waiting is None:
            waiting = (event.seat, [event.decision])
        else:
            waiting[1].append(event.decision)
    if waiting is not None:
        yield waiting
