"""The level `strong`: compare decisions by many play-outs on boards that are possible for a seat.

    estimate_decisions(rules, view, seat, seed=7, playouts=200).best

Only a seat's view goes in; what is covered is sampled again for each play-out. The decisions that the steady policy
prefers are tried on the same boards with the same luck. Those with the same result as the policy's own choice on the
first two boards are dropped: nothing is at stake. Sequential halving drops half of the others each round, so that most
play-outs go to close decisions. The same seed and number of play-outs give the same result; a limit in seconds ends the
search earlier, always with all compared decisions tried on the same boards.

All seats continue by the steady policy. If nothing is covered or drawn, all play-outs would be the same; then all but
the first use players who sometimes err.

The policy's own choice is kept to the end and replaced only by a decision that is clearly better on the same boards. So
a small number of play-outs never makes a player weaker than a steady one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import ceil, erf, exp, log2, sqrt
from random import Random
from time import monotonic
from typing import Any

import msgspec

from daybook.domain.games import PACKAGES
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.policy import Policy, decisions_by_merit, equals_of_first
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.terms import TABLE, Board, Decision, Seat
from daybook.services.certainty import Interval, mean_interval, sample_of
from daybook.services.play.playing_out import play_board_out

MAX_CANDIDATES = 10  # decisions that are played out, if there are enough play-outs to try each twice
MIN_PLAYOUTS_PER_CANDIDATE = 3
MIN_COMPARED_BOARDS = 2  # boards on which the policy's choice is compared even if the time is up
MIN_PLAYOUT_SECONDS = 1e-6
EQUAL_BOARDS_TO_DROP = 2  # a decision with the policy's result on this many boards is dropped
LOGISTIC_SCALE = 1.7  # standard deviations of the normal distribution closest to the logistic unit
SLIP_PROBABILITY = 0.1  # of taking the second-best decision in a play-out without chance
MAX_PLAYOUT_STEPS = 3_000  # a longer game counts as it is then
CLEAR_STANDARD_ERRORS = 1.0  # by which a decision must be better than the policy's choice
REVISION = 7  # raised when the same policy would give other results


class NoPolicyError(LookupError):
    """The game has no policy to play out by; its practice players play at random."""


class Considered(Frozen):
    """A decision with the results of its play-outs.

    value: mean share of the victory, 0 to 1; a narrow victory counts little more than half. interval: confidence interval
    of `value`; None for fewer than two play-outs. lead: mean of the final points ahead of the best opponent. merit: by
    the steady policy. behind: value of the first decision minus that of this one, on the boards on which both were
    tried. The same boards and luck make this difference more certain than either value.
    """

    decision: dict[str, Any]
    value: float
    interval: Interval | None
    lead: float
    playouts: int
    merit: float
    behind: float
    behind_interval: Interval | None


class SearchResult(Frozen):
    """Considered decisions of a seat, best first.

    Args:
        playouts: play-outs of all decisions together.
        policy: revision of the policy.
        revision: revision of this search.

    A single legal decision is considered without a play-out, with the value 0.
    """

    ruleset: str
    seat: Seat
    seed: int
    playouts: int
    policy: int
    revision: int
    considered: list[Considered]

    @property
    def best(self) -> dict[str, Any]:
        return self.considered[0].decision


class _Candidate(msgspec.Struct):
    decision: Decision
    merit: float
    values: list[float] = []
    leads: list[float] = []

    @property
    def value(self) -> float:
        return sum(self.values) / len(self.values) if self.values else 0.0

    def drop_results_from(self, number: int) -> None:
        """Drop the results on a board and the boards after it."""
        del self.values[number:], self.leads[number:]

    def is_clearly_better(self, own: _Candidate) -> bool:
        """Check if the decision is clearly better than the policy's choice on the boards both were tried on."""
        both = min(len(self.values), len(own.values))
        if both < 2:
            return False
        ahead = sample_of([ours - theirs for ours, theirs in zip(self.values[:both], own.values[:both], strict=True)])
        return ahead.mean > CLEAR_STANDARD_ERRORS * sqrt(ahead.variance / both)

    def as_considered(self, best: _Candidate) -> Considered:
        both = min(len(self.values), len(best.values))
        if not both:
            return Considered(plain(self.decision), 0.0, None, 0.0, 0, self.merit, 0.0, None)
        value, behind = (
            sample_of(self.values),
            sample_of([first - other for first, other in zip(best.values[:both], self.values[:both], strict=True)]),
        )
        return Considered(
            plain(self.decision),
            value.mean,
            mean_interval(value),
            sum(self.leads) / len(self.leads),
            value.n,
            self.merit,
            behind.mean,
            mean_interval(behind),
        )


def policy_of(ruleset: AnyRuleset) -> Policy[Any]:
    """Return the policy of a game. Raises NoPolicyError."""
    package = PACKAGES.get(ruleset.id)
    if package is None or package.policy is None:
        raise NoPolicyError(ruleset.id)
    return package.policy


def estimate_decisions(
    ruleset: AnyRuleset,
    view: Board,
    seat: Seat,
    *,
    seed: int,
    playouts: int,
    seconds: float | None = None,
    extra: Sequence[Decision] = (),
    clock: Callable[[], float] = monotonic,
) -> SearchResult:
    """Estimate the decisions of a seat to act by play-outs on the board as the seat sees it.

    Args:
        extra: further decisions to try, such as the one that was made; never dropped before the last round.
        seconds: no play-out begins after this time, except that two decisions are tried on the first boards.

    Raises NoPolicyError.
    """
    policy = policy_of(ruleset)
    listed = _draw_first(policy, decisions_by_merit(ruleset, policy, view, seat), Random(f"{seed} lots"))
    listed = _limit_per_kind(policy, listed)[: max(2, min(MAX_CANDIDATES, playouts // 2))]
    tried = [_Candidate(decision, merit) for decision, merit in listed]
    tried += [
        _Candidate(decision, policy.merit(view, seat, decision))
        for decision in extra
        if all(decision != candidate.decision for candidate in tried)
    ]
    if seconds is not None and seconds <= 0:
        tried, seconds = tried[:1], None
    until = None if seconds is None else clock() + seconds
    search = Search(ruleset, policy, view, seat, seed, lambda: until is not None and clock() >= until)
    if until is not None and len(tried) > 1:
        begun = clock()
        search.try_once(tried[0])
        tried = _limit_candidates(tried, extra, (until - clock()) / max(clock() - begun, MIN_PLAYOUT_SECONDS))
    found = search.run_halving(tried, playouts, extra)
    return SearchResult(
        ruleset.id,
        seat,
        seed,
        sum(len(candidate.values) for candidate in found),
        policy.revision,
        REVISION,
        [candidate.as_considered(found[0]) for candidate in found],
    )


def _draw_first(
    policy: Policy[Any], listed: Sequence[tuple[Decision, float]], lots: Random
) -> list[tuple[Decision, float]]:
    """Sort the listed decisions so that a random one of the best equals comes first."""
    own = lots.choice(equals_of_first(policy, listed))
    return sorted(listed, key=lambda pair: pair[0] != own)


def _limit_per_kind(policy: Policy[Any], listed: Sequence[tuple[Decision, float]]) -> list[tuple[Decision, float]]:
    """Keep the listed decisions, but of some kinds only the first few (`Policy.few`)."""
    kept: list[tuple[Decision, float]] = []
    kinds: Counter[type[Decision]] = Counter()
    for decision, merit in listed:
        kinds[type(decision)] += 1
        if kinds[type(decision)] <= policy.few.get(type(decision), len(listed)):
            kept.append((decision, merit))
    return kept


def _limit_candidates(tried: Sequence[_Candidate], extra: Sequence[Decision], playouts: float) -> list[_Candidate]:
    """Keep as many candidates as can be tried several times, at least two."""
    limit = max(2, int(playouts / MIN_PLAYOUTS_PER_CANDIDATE))
    return [candidate for place, candidate in enumerate(tried) if place < limit or candidate.decision in extra]


def strong_decision(
    ruleset: AnyRuleset,
    board: Board,
    seat: Seat,
    seed: int,
    playouts: int,
    seconds: float | None = None,
    clock: Callable[[], float] = monotonic,
) -> Decision:
    """Choose a strong player's decision for a seat to act; redacts the board for the seat first."""
    view = ruleset.secrecy.redact_board(board, seat)
    return ruleset.decision(
        estimate_decisions(ruleset, view, seat, seed=seed, playouts=playouts, seconds=seconds, clock=clock).best
    )


class Search:
    """Plays out the candidates of one decision. late: whether the time is over."""

    def __init__(
        self,
        ruleset: AnyRuleset,
        policy: Policy[Any],
        view: Board,
        seat: Seat,
        seed: int,
        late: Callable[[], bool] = lambda: False,
    ) -> None:
        self.ruleset, self.policy, self.view, self.seat, self.seed, self.late = ruleset, policy, view, seat, seed, late
        self.worlds: list[Board] = []
        self.varies = has_hidden_information(ruleset)  # whether play-outs differ without anybody erring

    def run_halving(self, tried: list[_Candidate], playouts: int, extra: Sequence[Decision] = ()) -> list[_Candidate]:
        """Return all candidates after sequential halving, the best first.

        Each round has an equal share of the play-outs and drops the worse half; the policy's choice and the extra
        decisions stay to the end.
        """
        if len(tried) < 2:
            return tried
        own, alive, rounds, boards = tried[0], list(tried), ceil(log2(len(tried))), 0
        always = [own, *(candidate for candidate in tried if candidate.decision in extra)]
        for _ in range(rounds):
            for _ in range(max(1, round(playouts / rounds / len(alive)))):
                compared = self.try_each(alive, boards, always) if len(alive) > 1 else []
                if not compared:
                    break
                alive, boards = compared, boards + 1
                if boards == EQUAL_BOARDS_TO_DROP:
                    alive = [candidate for candidate in alive if candidate in always or candidate.leads != own.leads]
            alive = sorted(alive, key=lambda candidate: -candidate.value)
            alive = [
                candidate
                for place, candidate in enumerate(alive)
                if place < ceil(len(alive) / 2) or candidate in always
            ]
        found = sorted(tried, key=lambda candidate: (-len(candidate.values), -candidate.value))
        first = found[0] if found[0].is_clearly_better(own) else own
        return [first, *(candidate for candidate in found if candidate is not first)]

    def try_each(self, alive: Sequence[_Candidate], number: int, always: Sequence[_Candidate]) -> list[_Candidate]:
        """Try the candidates on a board; those that can be compared on it.

        If the time runs out meanwhile, the incomplete results of this board are dropped. On the first boards `always` and the
        best of the others are tried even then, and compared.
        """
        least = (
            [*always, *[candidate for candidate in alive if candidate not in always][:1]]
            if number < MIN_COMPARED_BOARDS
            else []
        )
        for candidate in alive:
            if len(candidate.values) == number and (candidate in least or not self.late()):
                self.try_once(candidate)
        compared = [candidate for candidate in alive if len(candidate.values) > number]
        if len(compared) == len(alive) or least:
            return compared
        for candidate in compared:
            candidate.drop_results_from(number)
        return []

    def try_once(self, candidate: _Candidate) -> None:
        """One more play-out of a candidate, on the next board."""
        number = len(candidate.values)
        board = self.sample_world(number).twin()
        self.ruleset.carry_out(board, self.seat, candidate.decision)
        slips = None if self.varies or not number else Random(f"{self.seed} slips {number}")
        drawn = play_to_end(self.ruleset, self.policy, board, Random(f"{self.seed} luck {number}"), slips)
        self.varies = self.varies or (drawn and not number)
        lead = lead_of(self.ruleset, self.policy, board, self.seat)
        candidate.leads.append(lead)
        candidate.values.append(win_share(lead, close_lead(self.policy, bool(self.ruleset.waits_for(board)))))

    def sample_world(self, number: int) -> Board:
        """Return a possible board, the same for every candidate."""
        while len(self.worlds) <= number:
            choose = Random(f"{self.seed} board {len(self.worlds)}").randrange
            self.worlds.append(self.ruleset.secrecy.sample_board(self.view, self.seat, choose))
        return self.worlds[number]


def play_to_end(
    ruleset: AnyRuleset,
    policy: Policy[Any],
    board: Board,
    luck: Random,
    slips: Random | None = None,
    limit: int = MAX_PLAYOUT_STEPS,
) -> bool:
    """Play a board to its end by the steady policy, or to the end of a period if play-outs are cut short.

    Args:
        luck: random numbers for the table's decisions.
        slips: random numbers for players who take the second-best decision; None for players who never err.

    Returns:
        True if chance decided anything.
    """
    players = _SteadyPlayers(policy, has_hidden_information(ruleset), luck, slips)
    play_board_out(
        ruleset,
        board,
        players.next_decision,
        limit=limit,
        period_steps=None if policy.short is None else policy.short.far,
    )
    return players.drawn


class _SteadyPlayers:
    """Players by the steady policy, and a table that draws at random.

    Args:
        covered: seats see different things.
        drawn: chance has decided something.
    """

    def __init__(self, policy: Policy[Any], covered: bool, luck: Random, slips: Random | None) -> None:
        self.policy, self.covered, self.luck, self.slips, self.drawn = policy, covered, luck, slips, False

    def next_decision(self, ruleset: AnyRuleset, board: Board) -> tuple[Seat, Decision] | None:
        seats = ruleset.waits_for(board)
        if not seats:
            return None
        seat = seats[0]
        if seat == TABLE:
            facts = ruleset.facts(board)
            self.drawn = self.drawn or len(facts) > 1
            return seat, _draw_fact(facts, self.luck)
        view = ruleset.secrecy.redact_board(board, seat) if self.covered else board
        likely = decisions_by_merit(ruleset, self.policy, view, seat)
        second = self.slips is not None and len(likely) > 1 and self.slips.random() < SLIP_PROBABILITY
        return seat, likely[second][0]


def _draw_fact(facts: Sequence[tuple[Decision, int]], luck: Random) -> Decision:
    return luck.choices([fact for fact, _ in facts], [weight for _, weight in facts])[0]


def has_hidden_information(ruleset: AnyRuleset) -> bool:
    """Check if seats of a game see different things."""
    return bool(ruleset.secrecy.hides_something)


def lead_of(ruleset: AnyRuleset, policy: Policy[Any], board: Board, seat: Seat) -> float:
    """Return the points by which a seat leads the best other seat; an estimate if the game is not over."""
    if policy.lead is not None:
        return policy.lead(board, seat)
    totals: Sequence[float] = [score.total for score in ruleset.scoring.standing(board)]
    if policy.worth is not None and ruleset.waits_for(board):
        totals = [policy.worth(board, rival) for rival in range(len(totals))]
    return totals[seat] - max(total for other, total in enumerate(totals) if other != seat)


def close_lead(policy: Policy[Any], was_cut: bool) -> float:
    """Return the lead in points that counts as close, at the end or where a play-out was cut short."""
    if not was_cut or policy.short is None:
        return policy.close
    return LOGISTIC_SCALE / exp(policy.short.curve.slope + policy.short.curve.rise / 2)


def win_share(lead: float, close: float) -> float:
    """Return the share of a victory that a lead counts for: half for 0, nearly all above twice `close`."""
    return 0.5 + 0.5 * erf(lead / close / sqrt(2))
