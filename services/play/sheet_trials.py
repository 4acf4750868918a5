"""Tries whether a component sheet can be played: games by chance to their end, with all that the rules hold to.

A published sheet cannot be changed, and a game keeps the one it was opened with: what would break off in the third
decade is found before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from threading import Lock
from typing import Any, NamedTuple

from cachetools import LRUCache, cached

from daybook.domain.games import RULESETS
from daybook.domain.kernel.ruleset import CANNOT_GO_ON, AnyRuleset
from daybook.domain.kernel.sheet import Sheet, overridden
from daybook.domain.kernel.terms import IllegalDecision, RulesBroken, because
from daybook.services.play.practice import STEPS_LIMIT, Dealer
from daybook.services.store.sheets import (
    RuleFinding,
    Sheets,
    Unplayable,
    examine_sheet,
    numbers_to_blame,
    ways_of_playing,
)

KEPT = 32  # sheets of which it is known how their games go: who publishes one has mostly had it checked before
GAMES = 3  # for each number of players, all in other ways of playing as far as there are any


class Trial(NamedTuple):
    """One game: who plays, in which way, and by which chance."""

    seats: int
    options: dict[str, Any]
    seed: int


def examine_and_try(ruleset: AnyRuleset, sheet: Sheet) -> list[RuleFinding]:
    """What the rules say to a sheet, and first with which of its numbers a game would break off."""
    findings = examine_sheet(ruleset, sheet)
    if any(finding.barred for finding in findings):
        return findings
    return [*_found_to_break_off(ruleset, sheet), *findings]


@cached(LRUCache(KEPT), key=lambda ruleset, sheet: (ruleset.id, ruleset.revision, sheet.digest()), lock=Lock())
def _found_to_break_off(ruleset: AnyRuleset, sheet: Sheet) -> list[RuleFinding]:
    return [*break_offs(ruleset, sheet)]


def publish_tried(
    sheets: Sheets,
    ruleset_id: str,
    name: str,
    overrides: Mapping[str, Any],
    by: str,
    *,
    person: str = "",
    whole: bool = False,
) -> str:
    """Publish a sheet with which games came to their end: see `Sheets.publish`. Raises Unplayable."""
    sheet = overridden(sheets.printed_sheet(ruleset_id), overrides)
    barred = [finding for finding in examine_and_try(RULESETS[ruleset_id], sheet) if finding.barred]
    if barred:
        raise Unplayable(barred)
    return sheets.publish(ruleset_id, name, overrides, by, person=person, whole=whole)


def break_offs(ruleset: AnyRuleset, sheet: Sheet) -> Iterator[RuleFinding]:
    """The first game that breaks off: a finding for each number without which it would not."""
    ways = ways_of_playing(ruleset)
    for seed, seats in enumerate(list(ruleset.seats_with(sheet)) * GAMES):
        trial = Trial(seats, ways[seed % len(ways)], seed)
        broken = play_trial(ruleset, sheet, trial)
        if broken is not None:
            reason = because(
                "sheet",
                "with this number a game of {seats} comes to no end: it goes as far as step {step}",
                seats=trial.seats,
                step=broken,
            )
            for path in numbers_to_blame(ruleset, sheet, partial(breaks_off, ruleset, trial)):
                yield RuleFinding(f"{ruleset.prefix}-2", reason, (path,), True)
            return


def breaks_off(ruleset: AnyRuleset, trial: Trial, sheet: Sheet) -> bool:
    return play_trial(ruleset, sheet, trial) is not None


def play_trial(ruleset: AnyRuleset, sheet: Sheet, trial: Trial) -> int | None:
    """Play one game to its end; the step at which it breaks off. None: it came there, or was not opened."""
    try:
        board = ruleset.opening_board(ruleset.table(ruleset.colours(sheet)[: trial.seats], trial.options, sheet))
    except (IllegalDecision, *CANNOT_GO_ON):
        return None
    dealer, last = Dealer(trial.seed), None
    for step in range(STEPS_LIMIT):
        try:
            chosen = dealer.next(ruleset, board)
            if chosen is None:
                return None
            board, last = ruleset.step(board, *chosen, since=last)
        except (IllegalDecision, RulesBroken, *CANNOT_GO_ON):
            return step
    return STEPS_LIMIT
