"""The moments that decided a game: who took the lead for good, and the steps that moved the score most.

They are read off the column that says who is ahead, of the steps that stand. Where that column is covered there are
none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from daybook.domain.games import RULESETS
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Seat
from daybook.services.play.replay import StepShown
from daybook.web.boards.table_privacy import columns_shown
from daybook.web.replay.filmstrips import Filmstrip
from daybook.web.replay.ledger import LedgerRow
from daybook.web.words import GAMES, column_value, gain_label, say

MOST = 10  # moments of an evening
LEADS = 4  # of them at most, if the score moved elsewhere too
IN_SHORT = 3  # of them, where a game is told in short
HELD_PERCENT = 4  # of the steps a lead has to last to be one


class ScoreTurn(Frozen):
    """Where the score turned. kind: "lead", taken by the seat, or "swing", what one step brought it.

    size: steps that the lead lasted, or points.
    """

    step: int
    kind: str
    seat: Seat
    size: int


class MomentShown(Frozen):
    """A moment as it is told. by: what it brought the seat; why: what happened; because: what moved the score in it;
    standing: of each seat its score then, and what the step brought.
    """

    step: int
    kind: str
    seat: Seat
    period: str
    by: int
    says: str
    why: str
    because: list[str]
    standing: list[tuple[str, str]]

    @property
    def name(self) -> str:
        return f"{self.period}: {self.says}, {self.because[0] if self.because else self.why}"


def leads(values: Sequence[tuple[int, Sequence[int]]]) -> Iterator[ScoreTurn]:
    """The steps at which a seat alone got ahead and stayed there for a while. values: by step that stands."""
    if not values:
        return
    last = values[-1][0]
    enough = max(2, last * HELD_PERCENT // 100)
    ahead = _leader(values[0][1])
    spells: list[tuple[int, Seat | None]] = [(values[0][0], ahead)]
    for step, scores in values[1:]:
        now = _leader(scores)
        if now is not None and now != spells[-1][1]:
            spells.append((step, now))
    held = ahead
    for number, (step, seat) in enumerate(spells):
        end = spells[number + 1][0] if number + 1 < len(spells) else last + 1
        if seat is not None and seat != held and (end - step >= enough or end > last):
            yield ScoreTurn(step, "lead", seat, end - step)
            held = seat


def _leader(scores: Sequence[int]) -> Seat | None:
    """The seat that alone has most."""
    most = max(scores)
    return scores.index(most) if scores.count(most) == 1 and len(scores) > 1 else None


def score_turns(values: Sequence[tuple[int, Sequence[int]]]) -> list[ScoreTurn]:
    """What each step brought the seat that it moved furthest from the others, the largest first."""
    found = []
    for (_, was), (step, now) in pairwise(values):
        by = [after - before for before, after in zip(was, now, strict=True)]
        others = sum(by) if len(by) > 1 else 0
        apart = [abs(points * len(by) - others) for points in by]
        seat = apart.index(max(apart))
        if by[seat]:
            found.append(ScoreTurn(step, "swing", seat, by[seat]))
    return sorted(found, key=lambda turn: (-abs(turn.size), turn.step))


def turns_of(steps: Sequence[StepShown], column: str, periods: Collection[str] = ()) -> list[ScoreTurn]:
    """The moments of a game in their order. periods: its marks; none of them has begun in the set-up, which decides
    nothing.
    """
    standing = [
        step for step in steps if step.struck_by is None and step.type not in ("decisions_taken_back", "board_adjusted")
    ]
    begun = next((n for n, step in enumerate(standing) if step.marks.keys() & {*periods}), 0)
    stand = [(step.step, step.columns[column]) for step in standing[begun:]]
    taken = sorted(leads(stand), key=lambda turn: -turn.size)
    largest = score_turns(stand)
    chosen = {turn.step: turn for turn in taken[: max(LEADS, MOST - len(largest))]}
    for turn in largest:
        if len(chosen) >= MOST:
            break
        chosen.setdefault(turn.step, turn)
    return [chosen[step] for step in sorted(chosen)]


def moments_of(filmstrip: Filmstrip) -> list[MomentShown]:
    """The moments of a filmstrip as its viewer may read them."""
    column, rules = filmstrip.columns[-1], RULESETS[filmstrip.scene.ruleset]
    if column not in columns_shown(filmstrip.columns, filmstrip.scene.unshown):
        return []
    return [_moment(filmstrip, column, turn) for turn in turns_of(filmstrip.steps, column, rules.course.periods)]


def decisive(moments: Sequence[MomentShown]) -> list[MomentShown]:
    """The few that tell a game in short, in their order: the last lead that was taken, then the largest swings."""
    leads = [moment for moment in moments if moment.kind == "lead"][-1:]
    swings = sorted((one for one in moments if one not in leads), key=lambda one: (-abs(one.by), one.step))
    return sorted([*leads, *swings][:IN_SHORT], key=lambda one: one.step)


def _moment(filmstrip: Filmstrip, column: str, turn: ScoreTurn) -> MomentShown:
    scene, row = filmstrip.scene, filmstrip.ledger_rows([turn.step])[0]
    now, was = (filmstrip.steps[step].columns[column] for step in (turn.step, turn.step - 1))
    account = filmstrip.accounts.get(turn.step)
    what = account.card.heading if account else row.told[0].says
    name, by = scene.names[turn.seat], now[turn.seat] - was[turn.seat]
    if turn.kind == "lead":
        says = say(
            "{name} takes the lead with {value}", name=name, value=column_value(scene.ruleset, column, now[turn.seat])
        )
    else:
        says = f"{name} {gain_label(scene.ruleset, column, by)}"
    return MomentShown(
        turn.step,
        turn.kind,
        turn.seat,
        row.period,
        by,
        says,
        what,
        [says for says in _moved_by(filmstrip, row, turn.seat) if says != what],
        [
            (
                column_value(scene.ruleset, column, value),
                gain_label(scene.ruleset, column, value - before) if value != before else "",
            )
            for before, value in zip(was, now, strict=True)
        ],
    )


def _moved_by(filmstrip: Filmstrip, row: LedgerRow, seat: Seat) -> list[str]:
    """What a step says of that which moves a seat's score, the most telling first."""
    game = filmstrip.scene.ruleset
    moving = GAMES[game].score.moved_by
    told = [
        (moving.index(type(effect)), told.says)
        for effect, told in zip(RULESETS[game].typed_effects(filmstrip.steps[row.step].effects), row.told, strict=False)
        if type(effect) in moving and seat in getattr(effect, "seats", (getattr(effect, "seat", None),))
    ]
    return [says for _, says in sorted(told, key=lambda one: one[0])]
