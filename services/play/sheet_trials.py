"""Check if a component sheet can be played: play random games to their end, with all checks of the rules.

A published sheet cannot be changed, and a game keeps its sheet. The trial finds numbers with which a game could not be
finished.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from threading import Lock
from typing import Any, NamedTuple

from cachetools import LRUCache, cached

from daybook.domain.games import RULESETS
from daybook.domain.kernel.ruleset import CANNOT_GO_ON, AnyRuleset
from daybook.domain.kernel.sheet import Sheet, overridden
from daybook.domain.kernel.terms import IllegalDecision, RulesBrokenError, because
from daybook.services.names import skeleton_of
from daybook.services.play.practice import MAX_GAME_STEPS, Dealer
from daybook.services.store.printed_sheets import ready_sheets
from daybook.services.store.sheets import (
    RuleFinding,
    Sheets,
    UnplayableError,
    examine_sheet,
    numbers_to_blame,
    ways_of_playing,
)

TRIAL_CACHE_SIZE = 32  # sheets with known results; a sheet is usually checked just before it is published
TRIAL_CPU_SECONDS = 10.0  # for all games of one sheet
GAMES_PER_PLAYER_COUNT = 3  # with different options where possible


class Trial(NamedTuple):
    """One game to play: number of seats, options and seed."""

    seats: int
    options: dict[str, Any]
    seed: int


class TriedGames(NamedTuple):
    """Results of the games played with a sheet.

    Args:
        findings: on the first game that broke off.
        ended: number of games that finished.
    """

    findings: list[RuleFinding]
    ended: int
    planned: int

    @property
    def is_whole(self) -> bool:
        """Check if the games show whether the sheet is playable."""
        return bool(self.findings) or self.ended == self.planned


class OutOfTimeError(Exception):
    """The games of a sheet take longer than they may."""


class CpuBudget:
    """Processor time for the games of one sheet."""

    def __init__(self, seconds: float) -> None:
        self.ends = time.thread_time() + seconds

    def check_time(self) -> None:
        """Raise OutOfTimeError if the CPU time is used up."""
        if time.thread_time() > self.ends:
            raise OutOfTimeError


def examine_and_try(ruleset: AnyRuleset, sheet: Sheet) -> list[RuleFinding]:
    """Examine a sheet by the rules and by test games; findings that break a game come first."""
    findings = examine_sheet(ruleset, sheet)
    if any(finding.barred for finding in findings):
        return findings
    tried = try_games(ruleset, sheet)
    return [*tried.findings, *([] if tried.is_whole else [stopped_finding(ruleset, tried)]), *findings]


def stopped_finding(ruleset: AnyRuleset, tried: TriedGames) -> RuleFinding:
    """Say how far the games were tried."""
    reason = because(
        "sheet",
        "games with these numbers take long: {ended} of {planned} ended, then Daybook stopped trying; the sheet is not listed",
        ended=tried.ended,
        planned=tried.planned,
    )
    return RuleFinding(f"{ruleset.prefix}-2", reason)


@cached(
    LRUCache(TRIAL_CACHE_SIZE), key=lambda ruleset, sheet: (ruleset.id, ruleset.revision, sheet.digest()), lock=Lock()
)
def try_games(ruleset: AnyRuleset, sheet: Sheet) -> TriedGames:
    """Play games with a sheet until one breaks off, or for TRIAL_CPU_SECONDS."""
    return _try_games(ruleset, sheet, CpuBudget(TRIAL_CPU_SECONDS))


def publish_tried(
    sheets: Sheets,
    ruleset_id: str,
    name: str,
    overrides: Mapping[str, Any],
    by: str,
    *,
    person: str = "",
    is_complete: bool = False,
    stranger: str = "",
) -> str:
    """Publish a sheet with which no game broke off (`Sheets.publish`). Raises UnplayableError.

    The sheet is unlisted, and only found by its link, if the publisher has no account, if it has the name of a Daybook
    game, or if the games were not finished.
    """
    ruleset, sheet = RULESETS[ruleset_id], overridden(sheets.printed_sheet(ruleset_id), overrides)
    barred = [finding for finding in examine_and_try(ruleset, sheet) if finding.barred]
    if barred:
        raise UnplayableError(barred)
    unlisted = _why_unlisted(ruleset, sheet, name, person)
    return sheets.publish(
        ruleset_id, name, overrides, by, person=person, is_complete=is_complete, unlisted=unlisted, stranger=stranger
    )


def _why_unlisted(ruleset: AnyRuleset, sheet: Sheet, name: str, person: str) -> str:
    """Return why a sheet is to be in no list, as `Sheets.publish` takes it; empty: it is in the lists."""
    if not person:
        return "account"
    ready = (called for called, _ in ready_sheets(ruleset.id).values())
    titles = {skeleton_of(title) for title in (*(rules.title for rules in RULESETS.values()), *ready)}
    if ruleset.title_of is not None and {skeleton_of(name), skeleton_of(ruleset.title_with(sheet))} & titles:
        return "name"
    return "" if try_games(ruleset, sheet).is_whole else "trial"


def _try_games(ruleset: AnyRuleset, sheet: Sheet, budget: CpuBudget) -> TriedGames:
    ways = ways_of_playing(ruleset)
    counts = list(ruleset.seats_with(sheet)) * GAMES_PER_PLAYER_COUNT
    for seed, seats in enumerate(counts):
        trial = Trial(seats, ways[seed % len(ways)], seed)
        try:
            broken = play_trial(ruleset, sheet, trial, budget)
        except OutOfTimeError:
            return TriedGames([], seed, len(counts))
        if broken is not None:
            return TriedGames(_blame_numbers(ruleset, sheet, trial, broken, budget), seed, len(counts))
    return TriedGames([], len(counts), len(counts))


def _blame_numbers(ruleset: AnyRuleset, sheet: Sheet, trial: Trial, step: int, budget: CpuBudget) -> list[RuleFinding]:
    """Name the numbers with which a game breaks off; none if they are not found in time."""
    reason = because(
        "sheet",
        "with this number a {seats}-player game cannot finish: it is stuck at step {step}",
        seats=trial.seats,
        step=step,
    )
    try:
        paths = numbers_to_blame(ruleset, sheet, partial(breaks_off, ruleset, trial, budget))
    except OutOfTimeError:
        return [RuleFinding(f"{ruleset.prefix}-2", reason, (), True)]
    return [RuleFinding(f"{ruleset.prefix}-2", reason, (path,), True) for path in paths]


def breaks_off(ruleset: AnyRuleset, trial: Trial, budget: CpuBudget, sheet: Sheet) -> bool:
    return play_trial(ruleset, sheet, trial, budget) is not None


def play_trial(ruleset: AnyRuleset, sheet: Sheet, trial: Trial, budget: CpuBudget | None = None) -> int | None:
    """Play one game to its end; the step at which it breaks off. None: it came there, or was not opened.

    Raises OutOfTimeError.
    """
    try:
        board = ruleset.opening_board(ruleset.table(ruleset.colours(sheet)[: trial.seats], trial.options, sheet))
    except (IllegalDecision, *CANNOT_GO_ON):
        return None
    dealer, last = Dealer(trial.seed), None
    for step in range(MAX_GAME_STEPS):
        if budget is not None:
            budget.check_time()
        try:
            chosen = dealer.next_decision(ruleset, board)
            if chosen is None:
                return None
            board, last = ruleset.step(board, *chosen, since=last)
        except (IllegalDecision, RulesBrokenError, *CANNOT_GO_ON):
            return step
    return MAX_GAME_STEPS
