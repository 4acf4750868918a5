"""Measures every game beside its floor, in one run. Prints a table for each; promises nothing."""

from __future__ import annotations

import argparse
import gc
import http.client
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid4

import msgspec

from daybook.domain.commands import Decide
from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import Document, difference
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.events import FORMAT, DecisionRecorded
from daybook.domain.kernel.record import Game, documents_after
from daybook.services.files.audit import audit
from daybook.services.people.access import key_of, make_first_grants
from daybook.services.play.practice import Dealer, PracticeSeat, play_out, practice_game
from daybook.services.play.recording import Player, open_game, write
from daybook.services.play.replay import position
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.games import fold_game
from daybook.workers.children import start_child, stop
from tests.servers import free_port, listens, wait_until

STEPS = 500
ROUNDS = 7

RAW = "raw SELECT and json.loads, steps/s (floor)"
REPLAY = "replay by changes from the log, steps/s"
AUDIT = "audit with today's rules, decisions/s"
ANY_STEP = "any step of it in the service, ms"
INSERT = "raw durable INSERT (floor)"
SERVICE = "decisions recorded through the service"
HTTP = "decisions recorded over HTTP"


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench", description=__doc__)
    arguments.add_argument("--steps", type=int, default=STEPS, help="length of the measured game")
    arguments.add_argument("--json", action="store_true", help="print the figures as JSON")
    asked = arguments.parse_args()
    figures = {}
    for ruleset in RULESETS:
        with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
            book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
            figures[ruleset] = measured(ruleset, book, asked.steps)
            book.close()
        if not asked.json:
            shown(ruleset, figures[ruleset])
    if asked.json:
        print(json.dumps(figures, indent=2))


def measured(ruleset: str, book: Daybook, steps: int) -> dict[str, float]:
    """All figures of one game, on the longest of a few practice games."""
    game = long_game(book, ruleset, steps)
    for entry in game.entries:
        book.log.append(entry)
    lines = [entry.line for entry in game.entries]
    decisions = sum(isinstance(entry.event, DecisionRecorded) for entry in game.entries)
    rules = game.ruleset
    figures: dict[str, float] = {"steps of the game": len(lines), "bytes a step": sum(map(len, lines)) / len(lines)}

    database = sqlite3.connect(book.settings.sqlite_file("log"))
    select = "SELECT state FROM games_events WHERE originator_id = ? ORDER BY originator_version"

    def raw_decode() -> None:
        for (state,) in database.execute(select, (game.id.hex,)).fetchall():
            json.loads(state)

    def replay_by_changes() -> None:
        for _ in documents_after(book.log.entries(game.id)):
            pass

    def lists() -> None:
        for document in boards:
            board = rules.typed_board(document, game.table)
            for seat in rules.course.to_act(board):
                rules.legal(board, seat)

    loaded = fold_game(game.id, book.log.entries(game.id))
    boards = [msgspec.json.decode(msgspec.json.encode(document)) for _, document in documents_after(game.entries)]
    gc.collect()
    gc.freeze()  # what the bench itself holds is no garbage to look through, for the floors as little as for us
    figures[RAW] = rate(len(lines), raw_decode)
    figures[REPLAY] = rate(len(lines), replay_by_changes)
    figures[AUDIT] = rate(decisions, lambda: audit(loaded))
    figures["legal lists, lists/s"] = rate(len(boards), lists)
    figures["decisions recorded, rules only, per s"] = rate(decisions, lambda: decided(game))
    figures["whole game loaded from the log, ms"] = 1000 * median(
        lambda: fold_game(game.id, book.log.entries(game.id)))
    middle = len(lines) // 2
    figures[ANY_STEP] = 1000 * max(
        median(lambda step=step: position(book.games.get(game.id), step, -2)) for step in (1, middle, len(lines) - 1))
    for name, seconds in (
        (INSERT, raw_insert(book, lines)), (SERVICE, through_service(book, game)), (HTTP, over_http(book, game)),
    ):
        figures[f"{name}, per s"] = 1 / seconds
        figures[f"{name}, ms"] = 1000 * seconds
    database.close()
    return figures


def targets(figures: Mapping[str, float]) -> dict[str, tuple[str, bool]]:
    """What a figure should reach, and whether it does here."""
    half, insert = figures[RAW] / 2, figures[f"{INSERT}, ms"]
    return {
        REPLAY: (f"at least 100,000 and half of the floor, {half:,.0f}", figures[REPLAY] >= max(100_000, half)),
        AUDIT: ("at least 15,000", figures[AUDIT] >= 15_000),
        ANY_STEP: ("at most 5", figures[ANY_STEP] <= 5),
        f"{SERVICE}, ms": ("at most 5 beyond the floor", figures[f"{SERVICE}, ms"] <= insert + 5),
    }


def long_game(book: Daybook, ruleset: str, steps: int, format: int = FORMAT) -> Game:
    """The longest of some practice games, cut at `steps`. format: of its record."""
    rules, sheet = RULESETS[ruleset], book.sheets.printed_sheet(ruleset)
    colours = rules.colours(sheet)[: rules.seats[-1]]
    best: Game | None = None
    for seed in range(12):
        seated = [PracticeSeat(f"Player {n}", colour, f"p{n}") for n, colour in enumerate(colours)]
        game = practice_game(UUID(int=seed + 1), rules, sheet, seated, {}, written(0), format=format)
        for entry in play_out(game, Dealer(seed), written, steps):
            if entry.step >= steps:
                break
        if best is None or game.step > best.step:
            best = game
        if game.step >= steps:
            break
    assert best is not None
    return best


def written(step: int) -> Written:
    return Written("2026-01-01T00:00:00.000Z", "practice", f"bench-{step}")


def decided(game: Game) -> None:
    """Every decision of the game checked and carried out again, without writing it."""
    rules, board = game.ruleset, game.ruleset.opening_board(game.table)
    before: Document = board.document()
    for entry in game.entries:
        event = entry.event
        if isinstance(event, DecisionRecorded):
            board, _ = rules.step(board, event.seat, rules.decision(event.decision), before)
            before = board.document()
    assert difference(before, game.document) == {}


def raw_insert(book: Daybook, lines: list[bytes]) -> float:
    """Seconds for one row of the same size, flushed to the disk of the same folder."""
    path = book.settings.data / "floor.db"
    database = sqlite3.connect(path, isolation_level=None)
    database.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE t (state BLOB)")
    times = []
    for line in lines[:200]:
        start = time.perf_counter()
        database.execute("INSERT INTO t VALUES (?)", (line,))
        times.append(time.perf_counter() - start)
    database.close()
    path.unlink()
    return statistics.median(times)


def replayed_decisions(game: Game, limit: int = 200) -> list[DecisionRecorded]:
    return [entry.event for entry in game.entries if isinstance(entry.event, DecisionRecorded)][:limit]


def opened_again(book: Daybook, game: Game) -> UUID:
    players = [Player(f"Player {n}", seat.colour) for n, seat in enumerate(game.opening.seats)]
    return open_game(
        book, ruleset=game.ruleset.id, title="Bench", players=players, options=game.opening.options,
        key=uuid4().hex).game


def through_service(book: Daybook, game: Game) -> float:
    id, times = opened_again(book, game), []
    for step, event in enumerate(replayed_decisions(game)):
        start = time.perf_counter()
        write(book, id, Decide(event.seat, event.decision), at=step, by="scorekeeper", key=f"bench-{step}")
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def over_http(book: Daybook, game: Game) -> float:
    """Through the JSON API of a server of its own, on one connection, as a program uses it."""
    id = opened_again(book, game)
    key = key_of(book, make_first_grants(book, id)[0])
    port = free_port()
    settings, times = replace(book.settings, port=port), []
    server = start_child(
        [sys.executable, "-m", "daybook", "web"], os.environ | settings.environ(), stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: listens(port), "the web server")
        connection = http.client.HTTPConnection("127.0.0.1", port)
        for step, event in enumerate(replayed_decisions(game)):
            start = time.perf_counter()
            connection.request(
                "POST", f"/api/v1/games/{id}/decisions",
                json.dumps({"seat": event.seat, "decision": event.decision, "at": step}), {
                    "Authorization": f"Bearer {key}", "Idempotency-Key": f"bench-http-{step}",
                    "Content-Type": "application/json"})
            answer = connection.getresponse()
            content = answer.read()
            times.append(time.perf_counter() - start)
            assert answer.status == 201, content
        connection.close()
    finally:
        stop(server)
    return statistics.median(times)


def median(run: Callable[[], object]) -> float:
    """Seconds of one run: the median of a few, after one to warm up."""
    return statistics.median(seconds_of(run))


def rate(count: int, run: Callable[[], object]) -> float:
    """How much a second, by the quickest of a few runs: what only computes can be slowed by its neighbours alone."""
    return count / min(seconds_of(run))


def seconds_of(run: Callable[[], object]) -> list[float]:
    run()
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return times


def shown(ruleset: str, figures: dict[str, float]) -> None:
    print(f"\n{RULESETS[ruleset].title}")
    wanted = targets(figures)
    for name, figure in figures.items():
        number = f"{figure:,.2f}" if figure < 100 else f"{figure:,.0f}"
        target, reached = wanted.get(name, ("", True))
        says = f"   {target}: {'reached' if reached else 'MISSED'}" if target else ""
        print(f"  {name:<48}{number:>12}{says}")


if __name__ == "__main__":
    main()
