"""Decisive moments: the lead taken for good, and the steps that moved the score most.

They are computed from the leading column of standing steps; none if that column is covered, or if the game was counted
once at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import groupby, pairwise

from daybook.domain.games import RULESETS
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points, as_points
from daybook.domain.kernel.terms import Seat
from daybook.services.play.replay import StepShown
from daybook.web.boards.table_privacy import columns_shown
from daybook.web.replay.bars import is_counted_at_end
from daybook.web.replay.filmstrips import Filmstrip
from daybook.web.request.template_globals import capitalize_first
from daybook.web.words import column_value, gain_label, line_label, say, score_sentences, sentence

MAX_MOMENTS = 10
MAX_LEADS = 7  # if there are swings, too
MAX_SUMMARY_MOMENTS = 3
MIN_LEAD_PERCENT = 4  # of the steps, for a lead to count


class ScoreTurn(Frozen):
    """Turn of the score.

    Args:
        kind: "lead" taken by the seat, or "swing" of one step.
        size: steps that the lead lasted, or points.
    """

    step: int
    kind: str
    seat: Seat
    size: Points


class MomentShown(Frozen):
    """Moment in words.

    Args:
        by: change of the seat's score.
        why: what happened.
        because: what moved the score.
        standing: each seat's score and change.
    """

    step: int
    kind: str
    seat: Seat
    period: str
    by: Points
    says: str
    why: str
    because: list[str]
    standing: list[tuple[str, str]]

    @property
    def name(self) -> str:
        """Sentence that names the moment: its period, what happened, and the cause."""
        return f"{capitalize_first(self.period)}: {self.says}, {self.because[0] if self.because else self.why}"


def find_leads(values: Sequence[tuple[int, Sequence[Points]]]) -> Iterator[ScoreTurn]:
    """Yield the steps at which a seat took a sole lead that lasted.

    Args:
        values: scores by standing step.
    """
    if not values:
        return
    last = values[-1][0]
    enough = max(2, last * MIN_LEAD_PERCENT // 100)
    ahead = _sole_leader(values[0][1])
    spells: list[tuple[int, Seat | None]] = [(values[0][0], ahead)]
    for step, scores in values[1:]:
        now = _sole_leader(scores)
        if now is not None and now != spells[-1][1]:
            spells.append((step, now))
    held = ahead
    for number, (step, seat) in enumerate(spells):
        end = spells[number + 1][0] if number + 1 < len(spells) else last + 1
        if seat is not None and seat != held and (end - step >= enough or end > last):
            yield ScoreTurn(step, "lead", seat, end - step)
            held = seat


def _sole_leader(scores: Sequence[Points]) -> Seat | None:
    """Return the only seat with the highest score, if any."""
    best = max(scores)
    return scores.index(best) if scores.count(best) == 1 and len(scores) > 1 else None


def _without(scores: Sequence[Points], away: Collection[Seat]) -> list[Points]:
    """Return scores with which seats that are away do not lead."""
    return [min(scores) - 1 if seat in away else score for seat, score in enumerate(scores)]


def find_swings(values: Sequence[tuple[int, Sequence[Points]]]) -> list[ScoreTurn]:
    """Return for each step the seat that it moved furthest from the others, largest first."""
    found = []
    for (_, was), (step, now) in pairwise(values):
        changes = [after - before for before, after in zip(was, now, strict=True)]
        others = sum(changes) if len(changes) > 1 else 0
        # two players move equally far from each other: then the one whose own score moved more
        distances = [(abs(points * len(changes) - others), abs(points)) for points in changes]
        seat = distances.index(max(distances))
        if changes[seat]:
            found.append(ScoreTurn(step, "swing", seat, changes[seat]))
    return sorted(found, key=lambda turn: (-abs(turn.size), turn.step))


def find_turns(
    steps: Sequence[StepShown],
    column: str,
    periods: Collection[str] = (),
    lowest_wins: bool = False,
    away_at: Callable[[int], Collection[Seat]] | None = None,
) -> list[ScoreTurn]:
    """Return the moments of a game in order, with the largest fall of the last player.

    Args:
        periods: marks of periods; the set-up before them decides nothing.
        lowest_wins: a lower score is better; the sizes of swings are then of the score below zero.
        away_at: (step): seats that cannot lead at that step.
    """
    standing = [
        step
        for step in steps
        if step.taken_back_by is None and step.type not in ("decisions_taken_back", "board_adjusted")
    ]
    begun = next((n for n, step in enumerate(standing) if step.marks.keys() & {*periods}), 0)
    sign = -1 if lowest_wins else 1
    stand = [(step.step, [sign * value for value in step.columns[column]]) for step in standing[begun:]]
    leading = stand if away_at is None else [(step, _without(scores, away_at(step))) for step, scores in stand]
    taken = sorted(find_leads(leading), key=lambda turn: -turn.size)
    largest = find_swings(stand)
    longest = sorted(taken[: max(MAX_LEADS, MAX_MOMENTS - len(largest))], key=lambda turn: turn.step)
    chosen = {}
    for _, spells in groupby(longest, key=lambda turn: turn.seat):  # a shorter lead between two may be left out
        turn = next(spells)
        chosen[turn.step] = turn
    last = stand[-1][1] if stand else ()
    loser = last.index(min(last)) if len(last) > 1 else None
    falls = [turn for turn in largest if turn.seat == loser and turn.size < 0][:1]
    for turn in [*falls, *largest]:
        if len(chosen) >= MAX_MOMENTS:
            break
        chosen.setdefault(turn.step, turn)
    return [chosen[step] for step in sorted(chosen)]


def describe_moments(filmstrip: Filmstrip) -> list[MomentShown]:
    """Return a filmstrip's moments as its viewer may read them."""
    column, rules = filmstrip.columns[-1], RULESETS[filmstrip.scene.ruleset]
    if column not in columns_shown(filmstrip.columns, filmstrip.scene.unshown) or is_counted_at_end(filmstrip):
        return []
    return [
        _describe_moment(filmstrip, column, turn)
        for turn in find_turns(
            filmstrip.scored_steps(),
            column,
            rules.course.periods,
            lowest_wins=filmstrip.lowest_wins,
            away_at=filmstrip.away_at,
        )
    ]


def select_decisive(moments: Sequence[MomentShown]) -> list[MomentShown]:
    """Return the few moments that summarize a game, in order: every lead, and the largest swings.

    If all are of one player, the last of them gives way to the largest swing of another.
    """
    leads = [moment for moment in moments if moment.kind == "lead"]
    swings = sorted(
        (moment for moment in moments if moment.kind != "lead"), key=lambda moment: (-abs(moment.by), moment.step)
    )
    chosen = [*leads, *swings[: max(1, MAX_SUMMARY_MOMENTS - len(leads))]]
    of_others = [moment for moment in swings if moment.seat != chosen[0].seat]
    if of_others and len({moment.seat for moment in chosen}) == 1:
        chosen[-1] = of_others[0]
    return sorted(chosen, key=lambda moment: moment.step)


def _describe_moment(filmstrip: Filmstrip, column: str, turn: ScoreTurn) -> MomentShown:
    scene, row = filmstrip.scene, filmstrip.ledger_rows([turn.step])[0]
    shown = scene.unshown.redact_step(filmstrip.steps[turn.step])
    scored = [step for step in filmstrip.scored_steps() if step.step <= turn.step]
    after, earlier = scored[-1], scored[-2] if len(scored) > 1 else filmstrip.steps[0]
    now, was = after.columns[column], earlier.columns[column]
    account = filmstrip.account_at(turn.step)
    entered = filmstrip.period_entries(turn.step, turn.seat)
    what = account.card.heading if account else sentence(scene.ruleset, shown, scene.names)
    name, by = scene.names[turn.seat], as_points(now[turn.seat] - was[turn.seat])
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
        [f"{name}: {entered}"] if entered else _causes_of(filmstrip, column, turn.seat, earlier, after, what),
        [
            (
                column_value(scene.ruleset, column, value),
                gain_label(scene.ruleset, column, value - before) if value != before else "",
            )
            for before, value in zip(was, now, strict=True)
        ],
    )


def _causes_of(
    filmstrip: Filmstrip, column: str, seat: Seat, earlier: StepShown, after: StepShown, what: str
) -> list[str]:
    """Return what moved a seat's score between two steps, or those of others if it took the lead without a change.

    Args:
        what: the step in words, which is said already.
    """
    was, now = earlier.columns[column], after.columns[column]
    if was[seat] != now[seat]:
        cause = _cause_of(filmstrip, column, seat, earlier, after, what)
        return [cause] if cause else []
    scene = filmstrip.scene
    return [
        " · ".join(
            filter(
                None,
                [
                    f"{scene.names[other]} {gain_label(scene.ruleset, column, value - before)}",
                    _cause_of(filmstrip, column, other, earlier, after, what),
                ],
            )
        )
        for other, (before, value) in enumerate(zip(was, now, strict=True))
        if before != value
    ]


def _cause_of(filmstrip: Filmstrip, column: str, seat: Seat, earlier: StepShown, after: StepShown, what: str) -> str:
    """Return what explains all of a seat's change: one effect that says it, the lines of its score, or all effects."""
    scene = filmstrip.scene
    by = as_points(after.columns[column][seat] - earlier.columns[column][seat])
    shown = scene.unshown.redact_step(after)
    told = score_sentences(scene.ruleset, shown, scene.names, seat)
    effects = [text for text in told if text != what]
    if len(told) == 1 and column_value(scene.ruleset, column, abs(by)) in told[0]:
        return " · ".join(effects)
    lines = list(_changed_lines(filmstrip, column, seat, earlier, after))
    return " · ".join([*effects[:1], *lines] if lines else effects)


def _changed_lines(
    filmstrip: Filmstrip, column: str, seat: Seat, earlier: StepShown, after: StepShown
) -> Iterator[str]:
    """Yield the lines of a score that changed, as they are now, with the change: they add up to the whole change."""
    scene = filmstrip.scene
    if columns_shown(filmstrip.columns, scene.unshown) != filmstrip.columns:
        return
    was, now = (filmstrip.score_lines(step.step, seat) for step in (earlier, after))
    lines = was | now
    for key, line in lines.items():
        by = (now[key].amount if key in now else 0) - (was[key].amount if key in was else 0)
        if by and (line.figures or len(lines) > 1):  # otherwise the line says no more than the score
            label = line_label(scene.ruleset, line, scene.names)
            yield f"{capitalize_first(label)} ({gain_label(scene.ruleset, column, as_points(by))})"
