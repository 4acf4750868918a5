"""Statistics of a record: declared per game, computed from the record without the rules."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from types import FunctionType
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybook.domain import entries
from daybook.domain.commands import Close, TakeBack
from daybook.domain.games import RULESETS, STATISTICS
from daybook.domain.kernel.events import GameClosed
from daybook.domain.kernel.game_statistics import (
    COMMON,
    PAUSE_SECONDS,
    Added,
    Column,
    Fact,
    First,
    Greatest,
    Measure,
    NotClosedError,
    facts,
    seconds_at,
)
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE
from daybook.services.store.game_cache import fold_game
from daybook.services.written import new_written
from tests.services.fixture_files import golden

every_game = pytest.mark.parametrize("ruleset", sorted(RULESETS))
every_measure = pytest.mark.parametrize(
    ("ruleset", "measure"),
    [(id, measure) for id, of in STATISTICS.items() for measure in of.measures],
    ids=lambda one: one.key if isinstance(one, Measure) else one,
)


def fixture(name: str) -> Game:
    return golden(name).game


def facts_of(game: Game) -> list[Fact]:
    return facts(game, STATISTICS[game.ruleset.id])


def value(game: Game, measure: str, seat: int = TABLE, what: str = "", number: int = 0) -> int:
    """One figure of a game; 0 for a part that is not there."""
    return next(
        (
            fact.value
            for fact in facts_of(game)
            if (fact.measure, fact.seat, fact.what, fact.number) == (measure, seat, what, number)
        ),
        0,
    )


# --- what is declared ------------------------------------------------------------------------------------------------


def kinds(union: Any) -> dict[str, Any]:
    return {kind.__struct_config__.tag: kind for kind in get_args(union)}


@every_game
def test_every_game_says_what_is_counted(ruleset):
    keys = [measure.key for measure in STATISTICS[ruleset].all]
    assert len(keys) == len(set(keys))
    assert set(STATISTICS[ruleset].clock) <= {"round", "decade", "cycle"}


@every_measure
def test_measure_reads_existing_effects_decisions_and_columns(ruleset, measure):
    rules = RULESETS[ruleset]
    assert measure.by in ("", rules.course.periods[0])
    if isinstance(measure.reading, Column):
        assert measure.reading.name in rules.ledger.columns
        return
    assert isinstance(measure.reading, Added | Greatest | First)
    for part in measure.reading.parts:
        kind = kinds(rules.types.decisions if part.decision else rules.types.effects)[part.tag]
        names = get_type_hints(kind)
        for name in (*part.amount, *(name for name, _ in part.where), part.each, part.seat):
            assert name in names or name == "" or (name == "seat" and part.decision), f"{part.tag} has no {name}"
        if part.each:
            assert measure.things, "what it is told apart by has no name"
        for name, values in part.where:
            for item in values:
                msgspec.convert(item, names[name])  # a value that the field can have


@every_game
def test_a_question_in_plain_words_is_about_a_measure(ruleset):
    of = STATISTICS[ruleset]
    for question in of.questions:
        measure = of.measure(question.measure)
        assert question.says.endswith("?")
        assert question.split != "what" or measure.things
        assert question.split != "number" or measure.by
    with pytest.raises(KeyError):
        of.measure("no_such_thing")


# --- what is read ----------------------------------------------------------------------------------------------------


def test_only_a_closed_game_has_figures():
    game = fixture("short-duel")
    running = Game(game.id, game.ruleset)
    for entry in game.entries[:-1]:
        running.apply(entry)
    with pytest.raises(NotClosedError):
        facts_of(running)


def test_no_rule_is_run():
    """Every function of the ruleset raises; the figures are the same."""
    game = fixture("friday-four")
    usual = facts_of(game)

    def fail_if_run(*_: Any) -> Any:
        raise AssertionError("a rule was run")

    rules: Any = game.ruleset
    parts: dict[str, Any] = {field.name: getattr(rules, field.name) for field in fields(rules)}
    calls = {
        name: {item.name: fail_if_run for item in fields(part) if isinstance(getattr(part, item.name), FunctionType)}
        for name, part in parts.items()
        if is_dataclass(part)
    }
    assert {"open", "to_act", "standing", "outcome", "redact_board", "marks"} <= {
        each_item for part in calls.values() for each_item in part
    }
    kinds = {
        kind: replace(row, offers=fail_if_run, checks=(("MP-1", fail_if_run),), does=fail_if_run)
        for kind, row in rules.kinds.items()
    }
    game.ruleset = replace(rules, kinds=kinds, **{name: replace(parts[name], **calls[name]) for name in calls})
    assert facts_of(game) == usual


def test_scores_places_and_margins_are_those_at_closing():
    game = fixture("friday-four")
    closed = game.entries[-1].event
    totals, ranks = closed.totals, closed.ranks  # type: ignore[union-attr]
    for seat in range(4):
        assert value(game, "score", seat) == totals[seat]
        assert value(game, "place", seat) == ranks[seat]
        assert value(game, "margin", seat) == totals[seat] - max(totals[:seat] + totals[seat + 1 :])
        assert value(game, "share", seat) == round(100 * totals[seat] / max(totals))
    first, second = sorted(totals)[-1], sorted(totals)[-2]
    assert value(game, "winning_score") == first
    assert value(game, "winning_margin") == first - second


def test_what_was_taken_back_is_not_counted():
    game = fixture("corrections")
    struck = game.struck_steps()
    developed = [
        (entry.step, effect["seat"])
        for entry in game.entries
        for effect in getattr(entry.event, "effects", ())
        if effect["type"] == "card_developed"
    ]
    assert any(step in struck for step, _ in developed), "the fixture takes a development back"
    for seat in range(3):
        assert value(game, "developments", seat) == sum(
            step not in struck and seat == whose for step, whose in developed
        )
    assert value(game, "taken_back") > 0


def test_what_was_taken_back_and_redone_was_not_taken_back():
    whole = fixture("corrections")
    counted = value(whole, "taken_back")
    end = next(entry.step for entry in whole.entries if isinstance(entry.event, GameClosed))
    game = fold_game(whole.id, whole.entries[:end])
    head = game.heads[-1]
    game.apply(
        entries.take_back(game, TakeBack(game.parents[head], "table", "a slip"), new_written("scorekeeper", "a"))
    )
    game.apply(entries.take_back(game, TakeBack(head, "mistyped", ""), new_written("scorekeeper", "b")))
    game.apply(entries.close(game, Close(), new_written("scorekeeper", "c")))
    assert value(game, "taken_back") == counted


def test_parts_add_up_to_the_whole():
    for name in ("market-day", "three-on-the-clyde", "four-boards", "six-to-the-limit"):
        game = fixture(name)
        found, measures = facts_of(game), {measure.key: measure for measure in STATISTICS[game.ruleset.id].measures}
        for fact in found:
            if fact.measure in measures and not fact.is_part and isinstance(measures[fact.measure].reading, Added):
                parts = [
                    item.value
                    for item in found
                    if item.is_part and (item.measure, item.seat) == (fact.measure, fact.seat)
                ]
                apart = measures[fact.measure].by or measures[fact.measure].things
                assert sum(parts) == (fact.value if apart else 0), (name, fact)
            if fact.is_part and fact.measure in measures:
                assert bool(fact.what) == bool(measures[fact.measure].things), (name, fact)


def test_a_fact_points_to_the_step_at_which_it_came_about():
    game = fixture("three-on-the-clyde")
    for fact in facts_of(game):
        if fact.measure == "first_marker" and not fact.is_part:
            effects = game.entries[fact.step].event.effects  # type: ignore[union-attr]
            (taken,) = [effect for effect in effects if effect["type"] == "grey_marker_taken"]
            assert taken["seat"] == fact.seat
            assert value(game, "first_marker", fact.seat, taken["name"]) == 1
        if fact.measure == "best_sale":
            effects = game.entries[fact.step].event.effects  # type: ignore[union-attr]
            assert (fact.seat, fact.value) in [
                (effect["seat"], effect["amount"]) for effect in effects if effect["type"] == "sales_paid"
            ]
    assert {fact.measure for fact in facts_of(game)} >= {"first_marker", "best_sale"}


def test_goods_are_told_apart_by_decade_and_good():
    game = fixture("four-mills")
    sold = [fact for fact in facts_of(game) if fact.measure == "goods_sold" and fact.is_part]
    assert {each_item.period for each_item in sold} == {"decade"}
    assert {fact.number for fact in sold} <= {1760, 1770, 1780, 1790, 1800, 1810}
    assert {item.what for item in sold} <= {"food", "clothes", "cutlery", "lamps"}
    for seat in range(4):
        last = game.figures_at(game.line()[-1])[0]
        goods = ("food", "clothes", "cutlery", "lamps")
        for good in goods:
            assert (
                sum(fact.value for fact in sold if (fact.seat, fact.what) == (seat, good)) == last[f"sold_{good}"][seat]
            )


def test_a_round_is_that_of_the_game_and_0_in_the_set_up():
    game = fixture("three-on-the-clyde")
    assert value(game, "rounds") == 20  # five decades of four cycles
    start = [fact for fact in facts_of(fixture("four-boards")) if fact.measure == "start_factories" and fact.value]
    assert start, "in the card game everybody begins with factories"


def test_the_lead_changes_when_another_seat_has_it_alone():
    """Told a second time from the ledger: the scores as turns end."""
    for name in ("friday-four", "market-day", "three-portfolios"):
        game = fixture(name)
        line = game.line()
        holders: list[int] = []
        for step, after in zip(line, [*line[1:], None], strict=True):
            turn = game.figures_at(step)[1].get("turn")
            before = game.figures_at(line[line.index(step) - 1])[1].get("turn") if step else 0
            if not before or (after is not None and turn == before):
                continue
            scores = game.entries[-1].event.totals if after is None else game.figures_at(step)[0]["score"]  # type: ignore[union-attr]
            leaders = [seat for seat, score in enumerate(scores) if score == max(scores)]
            if len(leaders) == 1 and holders[-1:] != leaders:
                holders += leaders
        assert value(game, "lead_changes") == max(0, len(holders) - 1), name
        assert 0 <= value(game, "lead_settled") <= 100


def test_time_counts_for_who_decides_and_breaks_do_not():
    game = fixture("short-duel")
    spent = {0: 0, 1: 0}
    entries = game.entries
    for before, entry in pairwise(entries):
        seat = getattr(entry.event, "seat", TABLE)
        gap = datetime.fromisoformat(entry.event.at) - datetime.fromisoformat(before.event.at)
        if seat in spent and gap.total_seconds() <= PAUSE_SECONDS:
            spent[seat] += round(gap.total_seconds())
    assert {seat: value(game, "thinking", seat) for seat in spent} == spent
    assert value(fixture("by-hand"), "length") == 0  # told afterwards, from notes: there is no time to tell


@given(st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(2400, 1, 1)))
def test_a_written_time_in_seconds(moment):
    at = moment.replace(tzinfo=UTC)
    written = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    assert seconds_at(written) == int(at.timestamp())
    assert seconds_at("yesterday") is None


def test_what_several_seats_share_counts_for_each():
    game = fixture("market-day")
    shared = [
        effect
        for step in game.line()
        for effect in getattr(game.entries[step].event, "effects", ())
        if effect["type"] == "auction_shared"
    ]
    for seat in range(4):
        assert value(game, "auctions_shared", seat) == sum(seat in effect["seats"] for effect in shared)


def test_common_measures_are_declared():
    names = {measure.key for measure in COMMON}
    for path in ("friday-four", "alone-and-ahead", "two-on-credit"):
        of = STATISTICS[fixture(path).ruleset.id]
        assert {fact.measure for fact in facts_of(fixture(path))} <= names | {measure.key for measure in of.measures}
