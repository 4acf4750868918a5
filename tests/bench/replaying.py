"""Measure operations on games beside their floors: a raw SELECT with each of two JSON decoders."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from random import Random
from uuid import UUID

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.record import Game, documents_after
from daybook.domain.kernel.terms import TABLE
from daybook.services.files.audit import audit
from daybook.services.play.practice import Dealer, PracticeSeat, open_practice_game, play_out
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import fold_game
from daybook.services.store.log_sqlite import TABLES
from daybook.services.store.printed_sheets import printed_sheet
from tests.bench.long_games import title_of, written_at
from tests.bench.measuring import Work

JSON, DECODED = "raw SELECT + json.loads", "raw SELECT + msgspec decode"
REPLAY, AUDIT = "replay by changes", "audit"
RULES, RECORDED = "random play, rules and lists only", "random play, recorded (simulate)"
PLAYED = 300  # steps of a measured random game


def works(book: Daybook, game: Game) -> Iterator[Work]:
    """Reading and judging a game that the log holds, and playing others like it."""
    lines = len(game.entries)
    decisions = sum(isinstance(entry.event, DecisionRecorded) for entry in game.entries)
    kept = fold_game(game.id, book.log.entries(game.id))
    select = raw_select(game)
    title = title_of(game)
    yield Work(JSON, title, lines, lambda: select(json.loads))
    yield Work(DECODED, title, lines, lambda: select(msgspec.json.decode))
    yield Work(REPLAY, title, lines, lambda: sum(1 for _ in documents_after(book.log.entries(game.id))))
    yield Work(AUDIT, title, decisions, lambda: audit(kept))
    yield Work(RULES, title, PLAYED, lambda: play_by_rules(game, PLAYED))
    yield Work(RECORDED, title, PLAYED, lambda: play_recorded(game.ruleset.id, PLAYED))


def raw_select(game: Game) -> Callable[[Callable[[bytes], object]], None]:
    """Reads all lines of a game as plain SQL has them where they are stored as they are, and has each decoded."""
    database = sqlite3.connect(":memory:")
    for statement in TABLES:
        database.execute(statement)
    database.executemany(
        "INSERT INTO games_events (originator_id, originator_version, topic, state) VALUES (?,?,?,?)",
        [(game.id.hex, entry.originator_version, entry.topic, entry.line) for entry in game.entries],
    )
    select = "SELECT state FROM games_events WHERE originator_id = ? ORDER BY originator_version"

    def run(decode: Callable[[bytes], object]) -> None:
        for (state,) in database.execute(select, (game.id.hex,)).fetchall():
            decode(state)

    return run


def play_by_rules(game: Game, steps: int, seed: int = 1) -> None:
    """Play this many random legal decisions from the opening; nothing is recorded."""
    rules, table, random = game.ruleset, game.table, Random(seed)
    board = rules.opening_board(table)
    for _ in range(steps):
        seats = rules.waits_for(board)
        if not seats:  # it is over, and another begins
            board = rules.opening_board(table)
            seats = rules.waits_for(board)
        seat = random.choice(seats)
        if seat == TABLE:
            facts, weights = zip(*rules.facts(board), strict=True)
            decision = random.choices(facts, weights)[0]
        else:
            decision = random.choice(rules.legal(board, seat))
        rules.carry_out(board, seat, decision)


def play_recorded(ruleset: str, steps: int, seed: int = 1) -> None:
    """Return this many entries of random practice games, as `daybook simulate` plays and seals them."""
    rules, sheet = RULESETS[ruleset], printed_sheet(ruleset)
    colours = rules.colours(sheet)[: rules.seats[-1]]
    seated = [PracticeSeat(f"Player {n}", colour, f"p{n}") for n, colour in enumerate(colours)]
    left = steps
    while left > 0:
        game = open_practice_game(UUID(int=seed), rules, sheet, seated, {}, written_at(0))
        left -= sum(1 for _ in play_out(game, Dealer(seed), written_at, left))
        seed += 1
