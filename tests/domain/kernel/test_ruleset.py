"""The kernel, on Sawmill."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from daybook.domain.kernel.terms import TABLE, Breach, IllegalDecision, RulesBrokenError, because, ranks_of
from tests.domain.sawmill import SAWMILL, SHEET, Chop, Chopped, Drawn, Long, Say, Steal


def opened_board():
    return SAWMILL.opening_board(SAWMILL.table(["oak", "elm"], {}, SHEET))


def board_after(*moves):
    b = opened_board()
    for seat, d in moves:
        b, _ = SAWMILL.play(b, seat, d)
    return b


def refusal(b, seat, d):
    with pytest.raises(IllegalDecision) as refused:
        SAWMILL.play(b, seat, d)
    return refused.value.rule, refused.value.reason.key


@pytest.mark.parametrize(
    ("colours", "options", "key"),
    [
        (["oak"], {}, "seats"),
        (["oak", "elm", "ash"], {}, "seats"),
        (["oak", "oak"], {}, "colours"),
        (["oak", "fir"], {}, "colours"),
        (["oak", "elm"], {"long": 1}, "options"),
        (["oak", "elm"], {"wide": 1}, "options"),
    ],
)
def test_a_table_the_game_does_not_have_is_refused(colours, options, key):
    with pytest.raises(IllegalDecision) as refused:
        SAWMILL.table(colours, options, SHEET)
    assert (refused.value.rule, refused.value.reason.key) == ("SM-1", key)


def test_a_table_holds_colours_options_and_sheet():
    table = SAWMILL.table(["elm", "oak"], {"long": True}, SHEET)
    assert (table.colours, table.options, table.sheet, table.seats) == (("elm", "oak"), Long(True), SHEET, 2)


def test_legal_decisions_are_candidates_no_check_forbids():
    b = board_after((TABLE, Drawn(1)))
    assert SAWMILL.legal(b, 0) == [Chop(1), Chop(2), Steal()]
    assert SAWMILL.legal(b, 1) == SAWMILL.legal(b, TABLE) == []
    b.trees = 1
    assert SAWMILL.legal(b, 0) == [Chop(1), Steal()]


def test_facts_of_the_table_have_weights():
    assert SAWMILL.facts(opened_board()) == [(Drawn(1), 1), (Drawn(2), 2)]


def test_the_first_check_that_fails_is_the_reason():
    assert refusal(opened_board(), 0, Chop(9)) == ("SM-2", "not_your_turn")
    assert refusal(board_after((TABLE, Drawn(1))), 0, Chop(9)) == ("SM-5", "trees_left")


def test_what_was_never_a_candidate_is_refused_too():
    assert refusal(board_after((TABLE, Drawn(1))), 0, Chop(0)) == ("SM-4", "not_on_offer")


def test_of_an_open_form_the_checks_alone_decide():
    b = board_after((TABLE, Drawn(1)), (0, Say("timber")))
    assert b.words == ["timber"]
    assert refusal(b, 1, Say("timber")) == ("SM-2", "not_your_turn")


def test_playing_leaves_the_board_given_as_it_is():
    b = board_after((TABLE, Drawn(1)))
    before = b.document()
    after, effects = SAWMILL.play(b, 0, Chop(2))
    assert b.document() == before
    assert (after.wood, after.trees, effects) == ([2, 0], 3, [Chopped("SM-5", 0, 2)])
    assert after.table is b.table


def test_a_step_writes_down_what_came_of_it():
    _, step = SAWMILL.step(board_after((TABLE, Drawn(1))), 0, Chop(2))
    assert step.effects == [{"type": "chopped", "rule": "SM-5", "seat": 0, "trees": 2}]
    assert step.changes == {"/wood/0": [0, 2], "/trees": [5, 3], "/turn": [0, 1], "/drawn": [1, 0]}
    assert (step.columns, step.marks, step.closed) == ({"wood": [2, 0]}, {"year": 0, "turn": 1}, [("turn", 0)])


def test_a_step_closes_finer_periods_first():
    b = board_after((TABLE, Drawn(1)), (0, Chop(1)), (TABLE, Drawn(1)))
    assert SAWMILL.step(b, 1, Chop(1))[1].closed == [("turn", 1), ("year", 0)]


def test_the_end_closes_every_period_and_a_board_after_it_none():
    b = board_after((TABLE, Drawn(1)))
    b.trees, b.wood = 1, [4, 0]
    after, step = SAWMILL.step(b, 0, Chop(1))
    assert step.closed == [("turn", 0), ("year", 0)]
    assert SAWMILL.periods_ended_between(after, after) == []


def test_a_board_that_cannot_be_is_a_fault_of_the_rules():
    with pytest.raises(RulesBrokenError, match="SM-1: a tree has appeared"):
        SAWMILL.step(board_after((TABLE, Drawn(1))), 0, Steal())


def test_why_tells_every_check():
    b = board_after((TABLE, Drawn(1)))
    told = [(v.rule, v.check, v.reason and v.reason.key) for v in SAWMILL.why(b, 0, Chop(2))]
    assert told == [
        ("SM-2", "its_turn", None),
        ("SM-5", "trees_left", None),
        ("SM-6", "richer", None),
        ("SM-4", "on_offer", None),
    ]


def test_why_continues_after_a_failure_and_skips_dependents():
    told = [(v.rule, v.reason and v.reason.key) for v in SAWMILL.why(opened_board(), 0, Chop(9))]
    assert told == [("SM-2", "not_your_turn"), ("SM-5", "trees_left")]


def test_why_hides_no_fault_of_a_check():
    b = board_after((TABLE, Drawn(1)))
    with pytest.raises(IndexError):
        SAWMILL.why(b, 0, Chop(3))


def test_why_says_that_something_is_not_on_offer():
    assert SAWMILL.why(board_after((TABLE, Drawn(1))), 0, Chop(0))[-1].reason.key == "not_on_offer"


@pytest.mark.parametrize(
    "message",
    [
        {"type": "burn"},
        {"type": "chop"},
        {"type": "chop", "trees": "1"},
        {"type": "chop", "trees": 1, "axe": 1},
        {"trees": 1},
        "chop",
        None,
        7,
        [],
        {"type": "chop", "trees": True},
        {"type": "chop", "trees": 1.5},
    ],
)
def test_what_is_no_decision_is_refused(message):
    with pytest.raises(msgspec.ValidationError):
        SAWMILL.decision(message)


def test_a_decision_is_read_from_plain_values():
    assert SAWMILL.decision({"type": "chop", "trees": 2}) == Chop(2)


def test_effects_are_read_from_plain_values():
    chopped = {"type": "chopped", "rule": "SM-5", "seat": 0, "trees": 3}
    assert SAWMILL.effect(chopped) == Chopped("SM-5", 0, 3)
    assert SAWMILL.typed_effects([chopped, chopped]) == [Chopped("SM-5", 0, 3)] * 2


@pytest.mark.parametrize(
    ("effect", "bad"),
    [
        ({"type": "burnt", "rule": "SM-5"}, "Invalid value 'burnt' - at `$.type`"),
        ({"type": "chopped", "rule": "SM-5", "seat": 0, "trees": "3"}, "Expected `int`, got `str` - at `$.trees`"),
    ],
)
def test_what_is_no_effect_is_refused(effect, bad):
    with pytest.raises(msgspec.ValidationError) as refused:
        SAWMILL.effect(effect)
    assert str(refused.value) == bad


def test_a_document_is_laid_on_its_table():
    b = opened_board()
    assert SAWMILL.typed_board(b.document(), b.table) == b
    with pytest.raises(msgspec.ValidationError):
        SAWMILL.typed_board({"wood": [0]}, b.table)


def test_a_reason_fills_its_sentence():
    assert str(because("key", "{who} holds {count}", who="Anna", count=3)) == "Anna holds 3"
    assert str(IllegalDecision("SM-5", because("key", "there is none"))) == "SM-5: there is none"


@pytest.mark.parametrize(
    ("values", "ranks"), [([], ()), ([3], (1,)), ([1, 2, 3], (3, 2, 1)), ([5, 5, 1], (1, 1, 3)), ([1, 5, 5], (3, 1, 1))]
)
def test_equal_values_share_a_rank_which_uses_up_places(values, ranks):
    assert ranks_of(values) == ranks


def test_known_breach_is_skipped_by_rule_and_reason():
    def breach(key: str, n: int) -> Breach:
        return Breach("SM-1", because(key, "{n} too many", n=n))

    now = [breach("wood", 3), breach("coins", 1)]
    rules = replace(SAWMILL, integrity=replace(SAWMILL.integrity, breaches=lambda board: now))
    assert rules.unknown_breaches(opened_board(), [breach("wood", 2)]) == [now[1]]
    assert rules.unknown_breaches(opened_board(), []) == now
