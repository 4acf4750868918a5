"""Moments that every phone shows on a full screen: what was sealed, the end of a period, the end of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice
from threading import Lock
from typing import Any
from zlib import crc32

import msgspec
from cachetools import LRUCache, cached

from daybook.domain.kernel.events import AnyEvent, DecisionRecorded
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Outcome, Score, Seat
from daybook.services.clock import now
from daybook.services.play.replay import Position, StepShown
from daybook.web import words
from daybook.web.boards.table_privacy import TablePrivacy, columns_shown
from daybook.web.words import Names, say
from daybook.web.words.game_words import RevealWords

REVEALED_FOR = timedelta(minutes=10)  # so long a phone that was asleep still shows it
SEALED_FOR = timedelta(hours=1)
MAX_STEPS_SEARCHED = 40
MOMENTS_CACHE_SIZE = 512  # records at one step


class Reveal(Frozen):
    """Content of the full screen.

    Args:
        shown: what each seat revealed or has, in the order of the table or best first.
        winners: seats that won something.
        says: sentences with their rules.
        note: what the figures of `shown` are.
        once: name of a moment that is not shown again after a correction with the same content.
    """

    step: int
    heading: str
    shown: list[tuple[Seat, str]]
    winners: frozenset[Seat]
    says: list[tuple[str, str]]
    note: str = ""
    once: str = ""


def is_within(at: str, age: timedelta, time: str = "") -> bool:
    """Check if a moment of the record is not older than an age. An entry of the future is not within any.

    Args:
        time: the present by default.
    """
    return timedelta() <= datetime.fromisoformat(time or now()) - datetime.fromisoformat(at) <= age


def current_reveal(
    game: Game, position: Position, steps: Mapping[int, StepShown], names: Names, view: TablePrivacy
) -> Reveal | None:
    """Return the newest moment of the last minutes that still stands, if any.

    Args:
        steps: the newest steps, as seen.
    """
    if position.outcome is not None and not position.to_act:
        return _ending(game, position.outcome, position.standing, names) if game.status != "abandoned" else None
    vocabulary = words.GAMES[game.ruleset.id].reveals
    for number in _recent_decisions(game, steps, vocabulary):
        step = steps[number]
        found = _reveal_of_effects(game, vocabulary, step, names) or _end_of_period(game, vocabulary, step, names, view)
        if found is not None:
            return found
    return None


def _recent_decisions(game: Game, steps: Mapping[int, StepShown], vocabulary: RevealWords) -> Iterator[int]:
    """Yield the standing decisions of the last minutes that may be such a moment, newest first."""
    for number in _possible_moments(game, vocabulary):
        if number not in steps or not is_within(game.entries[number].event.at, REVEALED_FOR):
            return
        yield number


@cached(LRUCache(MOMENTS_CACHE_SIZE), key=lambda game, vocabulary: game.seal, lock=Lock())
def _possible_moments(game: Game, vocabulary: RevealWords) -> list[int]:
    """Return the last standing decisions that may be such a moment, newest first; the same for all viewers."""
    newest = islice(game.line_back(), MAX_STEPS_SEARCHED)
    return [number for number in newest if may_reveal(game.entries[number].event, vocabulary)]


def may_reveal(event: AnyEvent, vocabulary: RevealWords) -> bool:
    """Check if an entry can open a full screen, apart from the end of the game."""
    if not isinstance(event, DecisionRecorded):
        return False
    ended = vocabulary.periods.intersection(mark for mark, _ in event.closed_periods)
    return bool(ended) or not vocabulary.tags.isdisjoint(effect["type"] for effect in event.effects)


def _ending(game: Game, outcome: Outcome, standing: Sequence[Score], names: Names) -> Reveal | None:
    """Return the end of the game: the result, and each total, best first."""
    rules, step = game.ruleset.id, next(iter(game.line_back()))  # closing the record is no second end
    if not is_within(game.entries[step].event.at, REVEALED_FOR):
        return None
    totals = [score.total for score in standing]
    best_first = sorted(standing, key=lambda score: (outcome.ranks[score.seat], score.seat))
    return Reveal(
        step,
        words.result_sentence(rules, outcome, totals, names),
        [
            (score.seat, words.unranked_label(rules, outcome, score.seat) or words.points_label(rules, score.total))
            for score in best_first
        ],
        frozenset(seat for seat, rank in enumerate(outcome.ranks) if rank == 1),
        [(words.outcome_sentence(rules, outcome, names), outcome.rule)],
    )


def _reveal_of_effects(game: Game, vocabulary: RevealWords, step: StepShown, names: Names) -> Reveal | None:
    """Return the content that the seats revealed at a step, with the results."""
    if not vocabulary.shows:
        return None
    effects: Sequence[Any] = game.ruleset.typed_effects(step.effects)
    shown = {
        effect.seat: vocabulary.shows[type(effect)](effect) for effect in effects if type(effect) in vocabulary.shows
    }
    if not shown:
        return None
    results = [
        (effect, plain)
        for effect, plain in zip(effects, step.effects, strict=True)
        if isinstance(effect, vocabulary.results)
    ]
    rules = game.ruleset
    _, marks = game.figures_at(game.parents[step.step])
    chooser, to_come = vocabulary.to_come(game.board_at(step.step)) or (TABLE, ())
    return Reveal(
        step.step,
        say(vocabulary.heading),
        sorted(shown.items()),
        frozenset(seat for effect in (*(effect for effect, _ in results), *to_come) for seat in _seats_of(effect)),
        [
            *((words.sentence(rules.id, plain, names), effect.rule) for effect, plain in results),
            *(
                (
                    say(
                        "After {name} has chosen: {what}",
                        name=names[chooser],
                        what=words.sentence(rules.id, msgspec.to_builtins(effect), names),
                    ),
                    effect.rule,
                )
                for effect in to_come
            ),
        ],
        once=f"{marks} {crc32(repr((shown, results)).encode()):x}",
    )


def _seats_of(effect: Any) -> Sequence[Seat]:
    seat = getattr(effect, "seat", None)
    return getattr(effect, "seats", ()) if seat is None else (seat,)


def _end_of_period(
    game: Game, vocabulary: RevealWords, step: StepShown, names: Names, view: TablePrivacy
) -> Reveal | None:
    """Return the end of a long period, with the figures that decide the game if they are open."""
    rules, column = game.ruleset.id, game.ruleset.ledger.columns[-1]
    ended = [mark for mark in step.closed_periods if mark[0] in vocabulary.periods]
    if not ended or not columns_shown([column], view):
        return None
    figures = step.columns[column]
    best_first = sorted(range(len(names)), key=lambda seat: (-figures[seat], seat))
    return Reveal(
        step.step,
        say("{period} is over", period=words.mark_label(rules, *ended[-1])),
        [(seat, words.column_value(rules, column, figures[seat])) for seat in best_first],
        frozenset(seat for seat, figure in enumerate(figures) if figure == max(figures)),
        [],
        note=say("What each player would score if the game ended now"),
        once=" ".join(map(str, ended[-1])),
    )


def sealed_by(game: Game, position: Position, seat: Seat) -> str:
    """Return what a seat has sealed in the last hour and no one else has seen; "" for nothing."""
    board = game.ruleset.typed_board(position.board, game.table)
    sealed = words.GAMES[game.ruleset.id].seat.sealed(board, seat)
    if not sealed:
        return ""
    for number in game.line_back():
        event = game.entries[number].event
        if not is_within(event.at, SEALED_FOR):
            return ""
        if isinstance(event, DecisionRecorded) and event.seat == seat:
            return sealed
    return ""
