"""Measures every game beside its floor, in one run. Prints a table for each; promises nothing."""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from uuid import UUID, uuid4

import msgspec

from domain.board import Document, difference
from domain.games import RULESETS
from domain.record import DecisionRecorded, Game, Written, folded
from services.audit import audit
from services.daybook import Daybook, open_daybook
from services.games import folded_game
from services.practice import Dealer, Seated, play_out, practice_game
from services.record import Player, open_game, record
from services.replay import position
from services.settings import Settings

STEPS = 500
ROUNDS = 7


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
        for _ in folded(book.log.entries(game.id)):
            pass

    def lists() -> None:
        for document in boards:
            board = rules.laid(document, game.table)
            for seat in rules.to_act(board):
                rules.legal(board, seat)

    boards = [msgspec.json.decode(msgspec.json.encode(document)) for _, document in folded(game.entries)]
    figures["raw SELECT and json.loads, steps/s (floor)"] = rate(len(lines), raw_decode)
    figures["replay by changes from the log, steps/s"] = rate(len(lines), replay_by_changes)
    figures["audit with today's rules, decisions/s"] = rate(decisions, lambda: audit(game))
    figures["legal lists, lists/s"] = rate(len(boards), lists)
    figures["decisions recorded, rules only, per s"] = rate(decisions, lambda: decided(game))
    figures["whole game loaded from the log, ms"] = 1000 * median(
        lambda: folded_game(game.id, book.log.entries(game.id)))
    middle = len(lines) // 2
    figures["any step of it in the service, ms"] = 1000 * max(
        median(lambda step=step: position(book, game.id, step, -2)) for step in (1, middle, len(lines) - 1))
    figures["raw durable INSERT, ms (floor)"] = 1000 * raw_insert(book, lines)
    figures["a decision recorded through the service, ms"] = 1000 * through_service(book, game)
    figures["a decision recorded over HTTP, ms"] = 1000 * over_http(book, game)
    database.close()
    return figures


def long_game(book: Daybook, ruleset: str, steps: int) -> Game:
    """The longest of some practice games, cut at `steps`."""
    rules, sheet = RULESETS[ruleset], book.sheets.printed(ruleset)
    colours = rules.colours(sheet)[: rules.seats[-1]]
    best: Game | None = None
    for seed in range(12):
        seated = [Seated(f"Player {n}", colour, f"p{n}") for n, colour in enumerate(colours)]
        game = practice_game(UUID(int=seed + 1), rules, sheet, seated, {}, written(0))
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
    rules, board = game.ruleset, game.ruleset.opened(game.table)
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
        record(book, id, event.seat, event.decision, at=step, by="scorekeeper", key=f"bench-{step}")
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def over_http(book: Daybook, game: Game) -> float:
    """Through the JSON API as a program uses it, without the network: the application itself is called."""
    from services.access import first_grants, key_of
    from web.app import create_app

    client, times = create_app(book).test_client(), []
    id = opened_again(book, game)
    key = key_of(book, first_grants(book, id)[0])
    for step, event in enumerate(replayed_decisions(game)):
        start = time.perf_counter()
        answer = client.post(
            f"/api/v1/games/{id}/decisions", json={"seat": event.seat, "decision": event.decision, "at": step},
            headers={"Authorization": f"Bearer {key}", "Idempotency-Key": f"bench-http-{step}"})
        times.append(time.perf_counter() - start)
        assert answer.status_code in (200, 201), answer.text
    return statistics.median(times)


def median(run: Callable[[], object]) -> float:
    """Seconds of one run: the median of a few, after one to warm up."""
    run()
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def rate(count: int, run: Callable[[], object]) -> float:
    return count / median(run)


def shown(ruleset: str, figures: dict[str, float]) -> None:
    print(f"\n{RULESETS[ruleset].title}")
    for name, figure in figures.items():
        print(f"  {name:<48}{figure:>14,.2f}" if figure < 100 else f"  {name:<48}{figure:>14,.0f}")


if __name__ == "__main__":
    main()
