"""Draw facts of a set-up on request of the table.

Every draw of a game comes from one seed, made of the game's id and the service's secret. Each fact gets a priority from
the seed, its kind and its number in the line, and the fact with the first priority is drawn. Other facts, undone or
entered by hand, do not change that. No one can predict it.
"""

from __future__ import annotations

import hmac
from collections.abc import Collection, Mapping, Sequence
from math import log

import msgspec

from daybook.domain.commands import Command, Decide
from daybook.domain.draws import drawn_before, facts_before
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.decisions import read_decision
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import TABLE, Decision, because
from daybook.services.store import secret
from daybook.services.store.daybook import Daybook
from daybook.services.store.held_leases import held_lease

Facts = Sequence[tuple[Decision, int]]  # facts with their weights


def facts_to_draw(game: Game, kinds: Collection[type[Decision]]) -> Facts:
    """Return the facts of these kinds that the table may turn up now, each with its weight."""
    rules, board = game.ruleset, game.board
    if not kinds or game.status != "running" or rules.waits_for(board) != (TABLE,):
        return []
    return [(fact, weight) for fact, weight in rules.facts(board) if weight and type(fact) in kinds]


def draw_fact(book: Daybook, game: Game, kinds: Collection[type[Decision]]) -> Decision | None:
    """Draw one of these facts; None if there are none. A fact that was drawn and undone is drawn again."""
    facts = facts_to_draw(game, kinds)
    if not facts:
        return None
    tags = {tag_of(type(fact)) for fact, _ in facts}
    undone = [decision for tag in sorted(tags) for decision in drawn_before(game, tag)]
    for decision in undone:
        for fact, _ in facts:
            if plain(fact) == decision:
                return fact
    return first_by_priority(draw_seed(book, game), facts_before(game, tags), facts)


def first_by_priority(seed: bytes, before: Mapping[str, int], facts: Facts) -> Decision:
    """Return the fact that comes first, each as likely as its weight. before: how many of each kind came before.

    A fact's priority depends on nothing but the seed, the number of its kind and the fact itself.
    """

    def arrival_time(place: int) -> float:
        fact, weight = facts[place]
        message = f"{before[tag_of(type(fact))]} ".encode() + msgspec.json.encode(fact, order="deterministic")
        share = int.from_bytes(hmac.new(seed, message, "sha256").digest()[:8], "big")
        return -log((share + 1) / (2**64 + 1)) / weight  # the earliest arrival among exponential times wins

    return facts[min(range(len(facts)), key=arrival_time)][0]


def draw_seed(book: Daybook, game: Game) -> bytes:
    """Return the seed of a game's draws. A device that records for a service draws as the service would."""
    held = held_lease(book, game.id)
    if held is not None and held.draw_seed:
        return bytes.fromhex(held.draw_seed)
    return hmac.new(secret.secret_of(book), f"draw {game.id}".encode(), "sha256").digest()


def refuse_false_draw(book: Daybook, game: Game, command: Command) -> None:
    """Refuse a decision that claims to be drawn and is not what Daybook draws. Raises Refused, NotADecisionError."""
    if not isinstance(command, Decide) or not command.drawn_by_daybook or command.seat != TABLE:
        return
    fact = read_decision(game, command.decision)
    if draw_fact(book, game, {type(fact)}) != fact:
        raise Refused(because("not_drawn", "Daybook did not draw this; record it as put by hand"))
