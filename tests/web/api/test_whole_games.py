"""Whole games of many turns over the API: written turn by turn, scored by a worker, checked by a stranger."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from daybook.domain.kernel import record
from daybook.domain.kernel.events import DecisionRecorded
from daybook.services.files.recordfile import Record
from daybook.services.following import projections
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import create_app
from daybook.workers import jobs, worker
from daybook.workers.follower import scores
from tests.services.fixture_files import golden, read_fixture
from tests.web.api.conftest import Caller, Game

Announced = Iterator[tuple[int, list[dict[str, Any]]]]  # seat, decisions

MARKERS = ("place", "reuse")  # a turn of Water Frame
ACTIONS = ("choose_action", "pass_action")  # a turn of the card game
ALONE = (
    "start_player_determined",
    "place_foreman",
    "use_patron",
    "use_extra_shift",
    "begin_sale",
    "sell_home",
    "ship",
    "assign_storehouse",
    "end_production",
    "use_entrepreneur",
    "decline_entrepreneur",
    "discard_entrepreneur",
    "keep_entrepreneur",
    "choose_start_player",
)  # in a basic game of the card game


@pytest.fixture
def settings(tmp_path: Path, queue_url: str) -> Settings:
    return Settings(data=tmp_path / "data", workers=1, redis_url=queue_url)


@pytest.fixture
def book(settings: Settings) -> Iterator[Daybook]:
    book = open_daybook(settings, create=True)
    projections.prepare_read_models(book)
    yield book
    book.close()


def test_a_game_of_water_frame_is_recorded_scored_and_checked(book, settings):
    played = golden("four-mills")
    game = opened_like(book, played)
    assert write_game(game, turns_of_water_frame(played.game), MARKERS) == 80, "twenty turns of four players"
    newest = game.step
    replays(game, played, newest)
    sheets = score_sheets(book, settings, game, played, newest)
    assert [sheet["number"] for sheet in sheets if sheet["period"] == "decade"] == [1770, 1780, 1790, 1800, 1810]
    assert sheets[-1]["period"] == "game"
    check_record(game, played, newest)


def test_arkwright_card_game_is_recorded_scored_and_checked(book, settings):
    played = golden("three-portfolios")
    game = opened_like(book, played)
    assert write_game(game, turns_of_the_card_game(played.game), ACTIONS) == 36, "twelve turns of three players"
    newest = game.step
    replays(game, played, newest)
    sheets = score_sheets(book, settings, game, played, newest)
    assert [value["number"] for value in sheets if value["period"] == "decade"] == [1, 2, 3]
    assert [item["number"] for item in sheets if item["period"] == "round"] == list(range(1, 13))
    for sheet, decade in zip(
        (each_item for each_item in sheets if each_item["period"] == "decade"), decades(played.game), strict=False
    ):
        worth = [line["amount"] for score in sheet["scores"] for line in score["lines"] if line["name"] == "portfolio"]
        assert worth == decade, "share value × shares, as the decade's end told them"
    check_record(game, played, newest)


# --- what is done in every game --------------------------------------------------------------------------------------


def opened_like(book: Daybook, played: Record) -> Game:
    return Caller(create_app(book).test_client()).open_game(
        ruleset=played.game.ruleset.id,
        title=played.header.title,
        options=played.game.opening.options,
        players=[{"name": seat.name, "colour": seat.colour} for seat in played.header.seats],
    )


def write_game(game: Game, announced: Announced, begins: tuple[str, ...]) -> int:
    """Each turn is written at once, anything else by itself; how many turns."""
    turns, at = 0, game.step
    for seat, decisions in announced:
        if decisions[0]["type"] in begins:
            turns += 1
            answer = game.post("/turns", {"seat": seat, "decisions": decisions, "at": at})
        else:
            answer = game.post("/decisions", {"seat": seat, "decision": decisions[0], "at": at})
        at += len(decisions)
        assert (answer.status_code, answer.json["step"]) == (201, at), answer.text
    assert game.step == at
    assert game.get("").json["to_act"] == []
    return turns


def replays(game: Game, played: Record, newest: int) -> None:
    """Every board is the one of the golden game."""
    assert len(game.get("/replay").json["steps"]) == newest + 1
    for step in range(0, newest + 1, 25):
        assert game.get("/position", step=step).json["board"] == played.game.document_at(step)


def score_sheets(book: Daybook, settings: Settings, game: Game, played: Record, newest: int) -> list[dict[str, Any]]:
    """Closed, and scored period by period by a worker: the sheets."""
    assert game.post("/close", {"at": newest}).status_code in (200, 201)
    queue = jobs.queue_at(settings)
    projections.catch_up(book, scores(book, queue))
    worker.run(settings, burst=True)
    queue.connection.close()
    sheets: list[dict[str, Any]] = game.get("/scores").json["sheets"]
    assert all(sheet["settled"] for sheet in sheets)
    outcome = played.game.ruleset.scoring.outcome(played.game.board)
    assert outcome is not None
    assert (sheets[-1]["final"], tuple(sheets[-1]["ranks"])) == (True, outcome.ranks)
    return sheets


def check_record(game: Game, played: Record, newest: int) -> None:
    """Export a record, and check it from the file alone."""
    there = read_fixture(game.get("/record").data).game
    assert there.document == played.game.document
    assert there.step == newest + 1
    assert game.get("/verify").json["intact"] is True
    audited = game.get("/audit").json
    assert audited["clean"] is True, audited


# --- how a turn is announced -----------------------------------------------------------------------------------------


def turns_of_water_frame(game: record.Game) -> Announced:
    """A turn as a whole, anything else by itself."""
    waiting: tuple[int, list[dict[str, Any]]] | None = None
    for event in decisions_of(game):
        if waiting is not None and (event.seat != waiting[0] or event.decision["type"] in MARKERS):
            yield waiting
            waiting = None
        if event.decision["type"] in MARKERS:
            waiting = (event.seat, [event.decision])
        elif waiting is not None:
            waiting[1].append(event.decision)
        else:
            yield event.seat, [event.decision]
    if waiting is not None:
        yield waiting


def turns_of_the_card_game(game: record.Game) -> Announced:
    """A turn as a whole, anything else by itself."""
    waiting: tuple[int, list[dict[str, Any]]] | None = None
    for event in decisions_of(game):
        kind = event.decision["type"]
        new_foreman = kind == "place_foreman" and waiting is not None and waiting[1][-1].get("card") == "foreman"
        alone = kind in ALONE and not new_foreman
        if waiting is not None and (kind in ACTIONS or alone):
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


def decisions_of(game: record.Game) -> Iterator[DecisionRecorded]:
    return (entry.event for entry in game.entries if isinstance(entry.event, DecisionRecorded))


def decades(game: record.Game) -> list[list[int]]:
    """Return the effects at the ends of the first two decades."""
    return [
        effect["portfolios"]
        for event in decisions_of(game)
        for effect in event.effects
        if effect["type"] == "decade_ended"
    ]
