"""The level `strong`: what comes of each decision, played out many times on boards as they may lie for a seat.

    reckon(rules, view, seat, seed=7, playouts=200).best        what a strong player decides

A seat's view, with what is covered drawn anew for each play-out, is all that goes in. The decisions that the steady
policy likes best are tried on the same boards with the same luck. Those that come out like its own on the first two are
dropped: nothing is at stake between them. Of the others half are dropped from round to round (sequential halving), so
that most play-outs go to those that are hard to tell apart. The same seed and number of play-outs give the same
reckoning; a limit in seconds ends it sooner. Wherever it ends, what is compared was tried on the same boards.

Everybody plays on by the steady policy. Where nothing is covered and nothing is drawn, each play-out would be the same:
there all but the first are of players who err now and then.

What the policy likes best is tried to the end with the others, and given up only for what came out clearly better on
the same boards: so few play-outs make nobody weaker than a steady player.
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
from daybook.domain.kernel.rule_parts import board_in_full
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.terms import TABLE, Board, Decision, Seat
from daybook.services.certainty import Interval, mean_interval, sample_of
from daybook.services.play.playing_out import play_board_out

CANDIDATES = 10  # decisions that are played out, where there are play-outs enough to try each twice
FEW = 3  # play-outs of each, that there should be time for
LEAST = 2  # boards on which the policy's own is held against another, however soon the time is over
SHORTEST = 1e-6  # seconds that a play-out takes at the least
ALIKE = 2  # boards on which a decision comes out like the policy's own, after which it is tried no more
LOGISTIC = 1.7  # standard deviations of a normal distribution in the unit of the logistic one that is most like it
LIKELY_SLIP = 0.1  # of all decisions in a play-out without chance, those by which the second best is taken
PLAY_OUT_LIMIT = 3_000  # decisions and facts of one play-out; a game that is longer counts as it stands then
CLEARLY = 1.0  # standard errors by which a decision has to be better than the policy's own
REVISION = 7  # raised when a reckoning of the same policy would come out differently


class NoPolicy(LookupError):
    """The game has no policy to play out by: its practice players play by chance."""


class Considered(Frozen):
    """A decision and what came of it.

    value: share of a victory, 0 to 1, in the mean of the play-outs; a narrow one counts little more than half.
    interval: where it likely lies; None for fewer than two play-outs. lead: points ahead of the best of the others at
    the end, in the mean. merit: by the steady policy. behind: value of the first decision less that of this one, on the
    boards on which both were tried: the same boards and luck make that surer than either value.
    """

    decision: dict[str, Any]
    value: float
    interval: Interval | None
    lead: float
    playouts: int
    merit: float
    behind: float
    behind_interval: Interval | None


class Reckoning(Frozen):
    """What a strong player reckons with before a decision of a seat, the best first.

    policy, revision: of what it was reckoned with; playouts: of all decisions together. A single legal decision is
    considered without a play-out, and has the value 0.
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

    def of(self, decision: dict[str, Any]) -> Considered | None:
        """What is reckoned of a decision; None where it was not among those that were tried."""
        return next((one for one in self.considered if one.decision == decision), None)


class _Candidate(msgspec.Struct):
    decision: Decision
    merit: float
    values: list[float] = []
    leads: list[float] = []

    @property
    def value(self) -> float:
        return sum(self.values) / len(self.values) if self.values else 0.0

    def forget(self, number: int) -> None:
        """What it came to on a board and on those after it."""
        del self.values[number:], self.leads[number:]

    def is_clearly_better(self, own: _Candidate) -> bool:
        """Whether it came out better than the policy's own on the boards on which both were tried."""
        both = min(len(self.values), len(own.values))
        if both < 2:
            return False
        ahead = sample_of([one - other for one, other in zip(self.values[:both], own.values[:both], strict=True)])
        return ahead.mean > CLEARLY * sqrt(ahead.variance / both)

    def as_considered(self, best: _Candidate) -> Considered:
        both = min(len(self.values), len(best.values))
        if not both:
            return Considered(plain(self.decision), 0.0, None, 0.0, 0, self.merit, 0.0, None)
        value, behind = (
            sample_of(self.values),
            sample_of([one - other for one, other in zip(best.values[:both], self.values[:both], strict=True)]),
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
    """Raises NoPolicy."""
    package = PACKAGES.get(ruleset.id)
    if package is None or package.policy is None:
        raise NoPolicy(ruleset.id)
    return package.policy


def reckon(
    ruleset: AnyRuleset,
    view: Board,
    seat: Seat,
    *,
    seed: int,
    playouts: int,
    seconds: float | None = None,
    also: Sequence[Decision] = (),
    clock: Callable[[], float] = monotonic,
) -> Reckoning:
    """Try the decisions of a seat that is to act, on the board as it sees it (`secrecy.redact_board`).

    also: decisions to be tried besides, such as the one that was made; they are never dropped before the last round.
    seconds: after which no play-out is begun, but that two decisions are tried on the first boards. Raises NoPolicy.
    """
    policy = policy_of(ruleset)
    listed = _by_lot(policy, decisions_by_merit(ruleset, policy, view, seat), Random(f"{seed} lots"))
    listed = _various(policy, listed)[: max(2, min(CANDIDATES, playouts // 2))]
    tried = [_Candidate(decision, merit) for decision, merit in listed]
    tried += [
        _Candidate(decision, policy.merit(view, seat, decision))
        for decision in also
        if all(decision != one.decision for one in tried)
    ]
    if seconds is not None and seconds <= 0:
        tried, seconds = tried[:1], None
    until = None if seconds is None else clock() + seconds
    search = Search(ruleset, policy, view, seat, seed, lambda: until is not None and clock() >= until)
    if until is not None and len(tried) > 1:
        begun = clock()
        search.try_once(tried[0])
        tried = _few_enough(tried, also, (until - clock()) / max(clock() - begun, SHORTEST))
    found = search.halve(tried, playouts, also)
    return Reckoning(
        ruleset.id,
        seat,
        seed,
        sum(len(one.values) for one in found),
        policy.revision,
        REVISION,
        [one.as_considered(found[0]) for one in found],
    )


def _by_lot(
    policy: Policy[Any], listed: Sequence[tuple[Decision, float]], lots: Random
) -> list[tuple[Decision, float]]:
    """The decisions that were listed, one of those that are as good as the first drawn to be the policy's own."""
    own = lots.choice(equals_of_first(policy, listed))
    return sorted(listed, key=lambda one: one[0] != own)


def _various(policy: Policy[Any], listed: Sequence[tuple[Decision, float]]) -> list[tuple[Decision, float]]:
    """The decisions that were listed, of some kinds only the first few (`Policy.few`)."""
    found: list[tuple[Decision, float]] = []
    kinds: Counter[type[Decision]] = Counter()
    for decision, merit in listed:
        kinds[type(decision)] += 1
        if kinds[type(decision)] <= policy.few.get(type(decision), len(listed)):
            found.append((decision, merit))
    return found


def _few_enough(tried: Sequence[_Candidate], also: Sequence[Decision], playouts: float) -> list[_Candidate]:
    """The first candidates, of which there is time to try each a few times; one alone would tell nothing of them."""
    most = max(2, int(playouts / FEW))
    return [one for place, one in enumerate(tried) if place < most or one.decision in also]


def strong_decision(
    ruleset: AnyRuleset,
    board: Board,
    seat: Seat,
    seed: int,
    playouts: int,
    seconds: float | None = None,
    clock: Callable[[], float] = monotonic,
) -> Decision:
    """What a strong player decides in a seat that is to act. What the seat may not see is covered first."""
    view = ruleset.secrecy.redact_board(board, seat)
    return ruleset.decision(
        reckon(ruleset, view, seat, seed=seed, playouts=playouts, seconds=seconds, clock=clock).best
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
        self.varies = covers(ruleset)  # whether play-outs differ without anybody erring

    def halve(self, tried: list[_Candidate], playouts: int, kept: Sequence[Decision] = ()) -> list[_Candidate]:
        """All candidates, what is to be decided first, then the best. Each round has an equal share of the play-outs,
        and drops the worse half; the policy's own and those that are `kept` stay to the end. Play-outs are left over
        where what is tried comes out alike.
        """
        if len(tried) < 2:
            return tried
        own, alive, rounds, boards = tried[0], list(tried), ceil(log2(len(tried))), 0
        always = [own, *(one for one in tried if one.decision in kept)]
        for _ in range(rounds):
            for _ in range(max(1, round(playouts / rounds / len(alive)))):
                compared = self.try_each(alive, boards, always) if len(alive) > 1 else []
                if not compared:
                    break
                alive, boards = compared, boards + 1
                if boards == ALIKE:
                    alive = [one for one in alive if one in always or one.leads != own.leads]
            alive = sorted(alive, key=lambda one: -one.value)
            alive = [one for place, one in enumerate(alive) if place < ceil(len(alive) / 2) or one in always]
        found = sorted(tried, key=lambda one: (-len(one.values), -one.value))
        first = found[0] if found[0].is_clearly_better(own) else own
        return [first, *(one for one in found if one is not first)]

    def try_each(self, alive: Sequence[_Candidate], number: int, always: Sequence[_Candidate]) -> list[_Candidate]:
        """Try the candidates on a board; those that can be compared on it.

        Where the time is over, nobody: what some of them came to on it is dropped. On the first boards `always` and the
        best of the others are tried even then, and compared.
        """
        least = [*always, *[one for one in alive if one not in always][:1]] if number < LEAST else []
        for one in alive:
            if len(one.values) == number and (one in least or not self.late()):
                self.try_once(one)
        compared = [one for one in alive if len(one.values) > number]
        if len(compared) == len(alive) or least:
            return compared
        for one in compared:
            one.forget(number)
        return []

    def try_once(self, one: _Candidate) -> None:
        """One more play-out of a candidate, on the next board."""
        number = len(one.values)
        board = self.world(number).twin()
        self.ruleset.carry_out(board, self.seat, one.decision)
        slips = None if self.varies or not number else Random(f"{self.seed} slips {number}")
        drawn = finish(self.ruleset, self.policy, board, Random(f"{self.seed} luck {number}"), slips)
        self.varies = self.varies or (drawn and not number)
        lead = lead_of(self.ruleset, self.policy, board, self.seat)
        one.leads.append(lead)
        one.values.append(victory(lead, closeness(self.policy, bool(self.ruleset.waits_for(board)))))

    def world(self, number: int) -> Board:
        """The board as it may lie, the same for every candidate."""
        while len(self.worlds) <= number:
            choose = Random(f"{self.seed} board {len(self.worlds)}").randrange
            self.worlds.append(self.ruleset.secrecy.sample_board(self.view, self.seat, choose))
        return self.worlds[number]


def finish(
    ruleset: AnyRuleset,
    policy: Policy[Any],
    board: Board,
    luck: Random,
    slips: Random | None = None,
    limit: int = PLAY_OUT_LIMIT,
) -> bool:
    """Play a board to its end by the steady policy; in a game whose play-outs are cut short, to the end of a period.
    Whether chance decided anything.

    luck: for what the table decides; slips: for who takes the second best now and then, None where nobody does.
    """
    players = _SteadyPlayers(policy, covers(ruleset), luck, slips)
    play_board_out(ruleset, board, players.next, limit=limit, far=None if policy.short is None else policy.short.far)
    return players.drawn


class _SteadyPlayers:
    """Everybody by the steady policy, and the table by luck. covered: whether seats see different things; drawn:
    whether chance has decided anything.
    """

    def __init__(self, policy: Policy[Any], covered: bool, luck: Random, slips: Random | None) -> None:
        self.policy, self.covered, self.luck, self.slips, self.drawn = policy, covered, luck, slips, False

    def next(self, ruleset: AnyRuleset, board: Board) -> tuple[Seat, Decision] | None:
        seats = ruleset.waits_for(board)
        if not seats:
            return None
        seat = seats[0]
        if seat == TABLE:
            facts = ruleset.facts(board)
            self.drawn = self.drawn or len(facts) > 1
            return seat, _draw(facts, self.luck)
        view = ruleset.secrecy.redact_board(board, seat) if self.covered else board
        likely = decisions_by_merit(ruleset, self.policy, view, seat)
        second = self.slips is not None and len(likely) > 1 and self.slips.random() < LIKELY_SLIP
        return seat, likely[second][0]


def _draw(facts: Sequence[tuple[Decision, int]], luck: Random) -> Decision:
    return luck.choices([fact for fact, _ in facts], [weight for _, weight in facts])[0]


def covers(ruleset: AnyRuleset) -> bool:
    """Whether seats of a game see different things."""
    return ruleset.secrecy.redact_board is not board_in_full


def lead_of(ruleset: AnyRuleset, policy: Policy[Any], board: Board, seat: Seat) -> float:
    """Points by which a seat is ahead of the best of the others, below 0 behind it: of the worth of a board that was
    not played to its end.
    """
    if policy.lead is not None:
        return policy.lead(board, seat)
    totals: Sequence[float] = [score.total for score in ruleset.scoring.standing(board)]
    if policy.worth is not None and ruleset.waits_for(board):
        totals = [policy.worth(board, one) for one in range(len(totals))]
    return totals[seat] - max(total for other, total in enumerate(totals) if other != seat)


def closeness(policy: Policy[Any], cut: bool) -> float:
    """Points, a lead of which is a close one: at the end, or where a play-out was cut short, amid a game."""
    if not cut or policy.short is None:
        return policy.close
    return LOGISTIC / exp(policy.short.curve.slope + policy.short.curve.rise / 2)


def victory(lead: float, close: float) -> float:
    """The share of a victory that a lead counts for: half for none, nearly all for more than twice `close`."""
    return 0.5 + 0.5 * erf(lead / close / sqrt(2))
