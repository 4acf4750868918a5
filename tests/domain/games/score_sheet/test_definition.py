"""SC-2: accepted definitions, and the messages for others."""

from __future__ import annotations

from typing import Any

import pytest

from daybook.domain.games.score_sheet import SCORE_SHEET
from daybook.domain.games.score_sheet.definition import read_definition
from daybook.domain.games.score_sheet.formula import (
    FormulaError,
    bounds_of,
    names_in,
    parse_formula,
    value_of,
    values_of,
)
from daybook.domain.kernel.sheet import InvalidSheetError, Number, Sheet
from daybook.domain.kernel.terms import IllegalDecision
from daybook.services.play.sheet_trials import Trial, play_trial
from daybook.services.store.sheets import examine_sheet, ways_of_playing
from tests.domain.games.score_sheet.playing import (
    READY,
    SHEET,
    board,
    column,
    opened,
    play,
    ready_sheet,
    sheet_with,
    totals,
)

SQUARE = {"name": "Square", "kind": "formula", "formula": "cards * cards"}
FIGURES = {"eggs": 7, "cards": 2, "황금_알": 5}


def lines(*names: str, **more: Any) -> list[dict[str, Any]]:
    return [{"name": name, **more} for name in names]


# --- formulas --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("eggs", 7),
        ("eggs + 2 * cards", 11),
        ("(eggs + 2) * cards", 18),
        ("eggs - cards - 1", 4),
        ("eggs - (cards - 1)", 6),
        ("eggs / 2", 3),
        ("-eggs / 2", -4),
        ("eggs / 2 * 2", 6),
        ("--eggs", 7),
        ("max(eggs, cards, 9) - min(eggs)", 2),
        ("황금_알*3", 15),
        ("  12\n", 12),
        ("eggs > cards", 1),
        ("eggs <= cards", 0),
        ("eggs = 7 and cards == 2", 1),
        ("eggs != 7 or cards <> 2", 0),
        ("not(eggs) + 2", 2),
        ("if(eggs >= 7, 10 * cards, -1)", 20),
        ("abs(cards - eggs)", 5),
        ("eggs / rank(eggs)", 7),
        ("(eggs < cards) - (cards < eggs)", -1),
    ],
)
def test_sc_2_10_a_formula_is_reckoned_as_it_is_written(formula, value):
    node = parse_formula(formula, FIGURES)
    assert value_of(node, FIGURES) == value
    low, high = bounds_of(node, {name: (of, of) for name, of in FIGURES.items()})
    assert low <= value <= high
    assert names_in(node) <= FIGURES.keys()


@pytest.mark.parametrize(
    ("formula", "bounds"),
    [
        ("a * a", (-25, 25)),
        ("a - b", (-12, 5)),
        ("-a", (-5, 5)),
        ("a / -1", None),
        ("a / 2", (-3, 2)),
        ("a * 2 / (1 + 1)", None),
        ("if(a, b, -b)", (-7, 7)),
        ("abs(a)", (0, 5)),
        ("abs(b + 1)", (1, 8)),
        ("a < b", (0, 1)),
        ("all(b)", (0, 140)),
        ("most(a) - least(a)", (-10, 10)),
        ("60 / tied(a)", (3, 60)),
        ("a - b - b", (-19, 5)),
        ("max(a, b)", (0, 7)),
    ],
)
def test_a_formula_lies_between_what_its_lines_let_it(formula, bounds):
    between = {"a": (-5, 5), "b": (0, 7)}
    if bounds is None:
        with pytest.raises(FormulaError):
            parse_formula(formula, between)
    else:
        assert bounds_of(parse_formula(formula, between), between) == bounds


@pytest.mark.parametrize(
    ("formula", "key"),
    [
        ("eggs / 0", "formula_divides"),
        ("eggs / cards", "formula_divides"),
        ("eggs / (1 - 1)", "formula_divides"),
        ("geese", "formula_line"),
        ("__import__", "formula_sign"),
        ("max", "formula_line"),
        ("eggs.real", "formula_sign"),
        ("eggs ** 2", "formula_sign"),
        ("eggs;cards", "formula_sign"),
        ("eggs cards", "formula_sign"),
        ("eggs +", "formula_end"),
        ("(eggs", "formula_end"),
        ("max()", "formula_sign"),
        ("eggs)", "formula_sign"),
        ("1" * 9, "formula_number"),
        ("((((((((((((((eggs))))))))))))))", "formula_deep"),
        ("-" * 90 + "eggs", "formula_deep"),
        ("eggs+" * 50 + "eggs", "formula_long"),
        ("'eggs'", "formula_sign"),
        ("if(eggs, 1)", "formula_parts"),
        ("abs(eggs, cards)", "formula_parts"),
        ("eggs < cards < 3", "formula_sign"),
        ("entered(geese)", "formula_line"),
        ("all_rounds(eggs)", "formula_rounds"),
        ("round", "formula_line"),
        ("eggs and", "formula_end"),
        ("(" * 13 + "eggs<1" + ")" * 13, "formula_deep"),
        ("if(" * 20 + "eggs", "formula_deep"),
    ],
)
def test_sc_2_10_what_is_no_formula_is_refused_with_the_reason(formula, key):
    with pytest.raises(FormulaError) as no:
        parse_formula(formula, FIGURES)
    assert no.value.reason.key == key and str(no.value.reason)


def test_sc_2_10_formula_above_the_maximum_is_refused():
    node = parse_formula("a * a * a", {"a": (0, 10**6)})
    with pytest.raises(FormulaError, match="at most 1000000000000"):
        bounds_of(node, {"a": (0, 10**6)})


def test_sc_2_10_functions_of_all_players_compare_those_present():
    columns = [{"cards": value} for value in (4, 7, 7, 9)]
    there = [True, True, True, False]

    def values(formula):
        return values_of(parse_formula(formula, {"cards"}), columns, there)

    assert values("most(cards)") == [7, 7, 7, 7] and values("least(cards)") == [4, 4, 4, 4]
    assert values("all(cards)") == [18, 18, 18, 18]
    assert values("rank(cards)") == [3, 1, 1, 1] and values("tied(cards)")[:3] == [1, 2, 2]
    assert values("if(rank(cards) = 1, 10 / tied(cards), 0)")[:3] == [0, 5, 5]
    assert values("3 * cards - all(cards)")[:3] == [-6, 3, 3]  # zero sum


def test_sc_2_10_lines_called_as_words_of_formulas_stand_for_themselves():
    names = ("Round", "Players", "If", "And", "Entered", "Not", "Sum")
    b = board(
        2,
        score_lines=lines(*names, least=0, most=9),
        score_total="round + players + if + and * and + entered + not + sum",
    )
    b, _ = play(b, *column(0, **{name.casefold(): 1 for name in names}), *column(1, **{"and": 3}))
    assert totals(b) == [7, 9]


@pytest.mark.parametrize(
    "total",
    ["Apples / 3 + Long road", "apples / 3 + long_road", "LONG ROAD + Apples/3", "If(Apples > 0, 2, 0) + long road"],
)
def test_sc_2_10_formula_names_lines_as_the_sheet_spells_them(total):
    b = board(2, score_lines=lines("Apples", "Long road", "Road", least=0, most=9), score_total=total)
    b, _ = play(b, *column(0, apples=7, long_road=4, road=9))
    assert totals(b) == [6, 0]


def test_sc_2_15_bid_is_compared_with_the_tricks_of_a_round():
    definition = read_definition(ready_sheet("skull-king"))
    assert {key: line.key for key, line in definition.counterparts.items()} == {"bid": "tricks", "tricks": "tricks"}
    assert definition.lines["tricks"].most_altogether(7, 4) == 7
    assert read_definition(ready_sheet("oh-hell")).lines["tricks"].most_altogether(1, 4) == 13
    assert not read_definition(ready_sheet("tichu")).counterparts


# --- definitions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "fields", "message"),
    [
        ("SC-2.1", {"game_name": "  "}, "a name has letters or digits"),
        ("SC-2.1", {"game_name": "A" * 41}, "at most 40 characters"),
        ("SC-2.2", {"game_most": 40}, "for 1 to 20 players, not for 1 to 40"),
        ("SC-2.2", {"game_fewest": 0}, "not for 0 to 20"),
        ("SC-2.2", {"game_fewest": 5, "game_most": 4}, "not for 5 to 4"),
        ("SC-2.3", {"game_colours": ["red", "blue"]}, "2 colours are not enough for 20 players"),
        ("SC-2.3", {"game_most": 2, "game_colours": ["red", "Red"]}, "Red appears twice"),
        ("SC-2.4", {"game_roles": ["Medic", "medic!"]}, "appears twice"),
        ("SC-2.5", {"game_expansions": [f"No. {n}" for n in range(25)]}, "at most 24, not 25"),
        ("SC-2", {"score_wins": "luck"}, "score.wins is one of most, least, last, together, not "),  # SC-2.6
        ("SC-2", {"score_count": "never"}, "score.count is one of end, rounds, open, target, places, not "),
        ("SC-2.7", {"score_count": "rounds"}, "a number from 1 to 99, not 0"),
        ("SC-2.7", {"score_count": "target"}, "a number up to 1000000 or down to -1000000, and not 0"),
        ("SC-2.8", {"score_lines": lines(*(f"Line {n}" for n in range(41)))}, "at most 40 lines, not 41"),
        ("SC-2.8", {"score_count": "open", "score_lines": lines(*(f"L{n}" for n in range(25)))}, "at most 24 lines"),
        ("SC-2.8", {"score_lines": lines("Eggs", "eggs ")}, "no signs that cannot be seen"),
        ("SC-2.8", {"score_lines": lines("Eggs", "EGGS")}, "EGGS appears twice"),
        ("SC-2.8", {"score_lines": lines("…")}, "letters or digits"),
        ("SC-2.8", {"score_count": "places", "score_lines": lines("Eggs")}, "records only places has no lines"),
        ("SC-2", {"score_lines": lines("Eggs", kind="luck")}, "Eggs, kind is one of number, times, choice,"),
        ("SC-2", {"score_lines": lines("Eggs", code="print")}, "Eggs has no field code; it can have name, kind,"),
        (
            "SC-2",
            {"score_lines": ["Eggs"]},
            '#1: a line is a table such as { name = "Eggs", kind = "times" }, not "Eggs"',
        ),
        ("SC-2", {"score_lines": [{"kind": "times"}]}, "#1 needs a field name"),
        ("SC-2", {"score_lines": lines("Eggs", each="two")}, 'Eggs, each: a whole number is needed, not "two"'),
        ("SC-2", {"score_lines": lines("Eggs", least=True)}, "Eggs, least: a whole number is needed, not true"),
        ("SC-2", {"score_lines": lines("Eggs", name=3)}, "#1, name: a text in quotes is needed, not 3"),
        ("SC-2", {"score_lines": lines("Eggs", once=1)}, "Eggs, once: true or false is needed, not 1"),
        (
            "SC-2",
            {"score_lines": lines("Eggs", kind="choice", values=7)},
            "values: a list in square brackets is needed",
        ),
        ("SC-2", {"score_lines": lines("Eggs", kind="choice", values=[1, "x"])}, "Eggs, values, #2: a whole number"),
        ("SC-2", {"game_roles": [1]}, "game.roles, #1: a text in quotes is needed, not 1"),
        ("SC-2.13", {"game_teams": 7}, "for 2 to 6 teams, not 7"),
        ("SC-2.13", {"game_teams": 2, "score_wins": "together"}, "teams need totals"),
        ("SC-2.7", {"score_count": "rounds", "score_rounds": "60 / eggs"}, "but no line has this name"),
        (
            "SC-2.7",
            {"score_count": "rounds", "score_rounds": "6 / players"},
            "with 7 players, the formula of the rounds",
        ),
        ("SC-2.8", {"score_lines": lines("Eggs", kind="formula", formula="3")}, "in which players enter figures"),
        (
            "SC-2.8",
            {"score_count": "open", "score_lines": lines("Eggs", once=True)},
            "a game with rounds needs a line with a figure in each round",
        ),
        (
            "SC-2.9",
            {"score_lines": [{"name": "Cards"}, *lines("Eggs", kind="formula")]},
            "Eggs is calculated and needs a formula",
        ),
        ("SC-2.9", {"score_lines": lines("Eggs", formula="3")}, "Eggs has a formula, but is not of the kind formula"),
        ("SC-2.9", {"score_lines": lines("Eggs", once=True)}, "Eggs is counted once, but the whole game"),
        ("SC-2.10", {"score_lines": [{"name": "Eggs"}, SQUARE, {"name": "Cards"}]}, "the formula uses “cards”"),
        ("SC-2.10", {"score_total": "all_rounds(points)"}, "adds up all_rounds"),
        (
            "SC-2.10",
            {
                "score_lines": [
                    {"name": "Eggs"},
                    *(SQUARE | {"name": f"F{n}", "formula": "1" + "+1" * 95} for n in range(6)),
                ]
            },
            "all formulas together have at most 1000 characters",
        ),
        ("SC-2.9", {"score_lines": lines("Eggs", kind="choice")}, "Eggs has 1 to 40 values"),
        ("SC-2.9", {"score_lines": lines("Eggs", least=3, most=2)}, "minimum above its maximum"),
        ("SC-2.9", {"score_lines": lines("Eggs", kind="times", least=-1)}, "cannot be below 0"),
        ("SC-2.9", {"score_lines": lines("Eggs", expansion="Rivers")}, "but the game has no such expansion"),
        ("SC-2.10", {"score_lines": lines("Eggs"), "score_total": "eggs / 0"}, "never by 0"),
        ("SC-2.10", {"score_total": "eggs"}, "but no line has this name"),
        ("SC-2.10", {"score_total": "points * points * points"}, "at most"),
        ("SC-2.11", {"score_ties": ["Eggs"]}, "Eggs breaks ties, but no line has this name"),
        ("SC-2.12", {"score_lines": lines("Eggs", each=0, kind="times")}, "every total is 0"),
        ("SC-2.12", {"score_total": "3"}, "every total is 3"),
        ("SC-2.12", {"score_wins": "last"}, "in a game for one, no player can be the last one left"),
        ("SC-2.12", {"score_wins": "together", "score_count": "places"}, "won by the most or the least"),
        (
            "SC-2.12",
            {"score_count": "target", "score_number": -5, "score_lines": lines("Eggs", kind="times")},
            "no player can reach -5",
        ),
        (
            "SC-2.12",
            {"score_count": "target", "score_number": 5, "score_lines": lines("Debt", kind="minus")},
            "no player can reach 5",
        ),
    ],
)
def test_sc_2_unplayable_definition_is_refused_with_reason(rule, fields, message):
    with pytest.raises(IllegalDecision) as no:
        read_definition(sheet_with(**fields))
    assert no.value.rule == rule and message in str(no.value.reason)
    [finding] = [item for item in examine_sheet(SCORE_SHEET, sheet_with(**fields)) if item.rule == rule]
    assert finding.barred and message in str(finding.reason)


def test_sc_2_8_five_hundred_lines_are_more_than_any_sheet_takes():
    with pytest.raises(InvalidSheetError):
        sheet_with(score_lines=lines(*(f"Line {n}" for n in range(500))))


def test_sc_2_8_lines_have_any_alphabet_and_keep_order():
    b = board(2, score_lines=lines("Дорога", "황금 알", "鳥", "ديون"))
    assert [line.name for line in b.lines] == ["Дорога", "황금 알", "鳥", "ديون"]
    assert list(b.definition.lines) == ["дорога", "황금_알", "鳥", "ديون"]


def test_sc_2_8_game_without_lines_has_one_line():
    assert [line.name for line in board().lines] == ["Points"]
    assert [(line.name, line.bounds) for line in board(score_count="places", game_most=4).lines] == [("Place", (1, 4))]
    assert board(score_wins="together").lines == []


def test_a_definition_read_back_from_a_record_is_the_same():
    """A record has the values alone, in the order of their paths."""
    for name in READY:
        sheet = ready_sheet(name)
        back = Sheet(
            "score_sheet", {path: Number(of, "box", "the record") for path, of in sorted(sheet.values().items())}
        )
        assert read_definition(back) == read_definition(sheet)
        assert back.digest() == sheet.digest()


def test_sc_1_1_a_game_is_for_those_that_its_definition_names():
    sheet = sheet_with(game_fewest=3, game_most=4)
    assert [*SCORE_SHEET.seats_with(sheet)] == [3, 4] and len(SCORE_SHEET.seats_with(SHEET)) == 20
    for seats in (2, 5):
        with pytest.raises(IllegalDecision, match=f"SC-1: Any game is for 3 to 4 players, not {seats}"):
            opened(sheet, seats)
    assert totals(opened(sheet, 3)) == [0, 0, 0]


def test_sc_1_2_a_game_begins_with_an_empty_sheet():
    b = board(2, score_lines=lines("Eggs", "Cards"))
    assert [player.rounds for player in b.players] == [[{"eggs": None, "cards": None}]] * 2
    assert (b.round, b.start, b.expansions, b.ended) == (1, None, [], None)


@pytest.mark.slow
@pytest.mark.parametrize("name", READY)
def test_ready_definitions_are_played_to_their_end(name):
    sheet, ways = ready_sheet(name), ways_of_playing(SCORE_SHEET)
    assert examine_sheet(SCORE_SHEET, sheet) == []
    possible = SCORE_SHEET.seats_with(sheet)
    trials = [Trial(seats, ways[seats % len(ways)], seats) for seats in {possible[0], possible[-1]}]
    assert [play_trial(SCORE_SHEET, sheet, trial) for trial in trials] == [None] * len(trials)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ({"name": "A", "altogether": "tricks"}, "uses “tricks”, but no line has this name"),
        ({"name": "A", "altogether": "13 or"}, "incomplete"),
        ({"name": "A", "altogether": "13.5"}, "is a half"),
        ({"name": "A", "altogether": "1000000 * 1000000 * sum"}, "the result of a formula is at most"),
        ({"name": "B", "kind": "formula", "formula": "a", "altogether": "13"}, "is calculated, so no sum"),
    ],
)
def test_sc_2_15_impossible_sums_are_refused(line, says):
    lines = [{"name": "A"}, line] if line["name"] == "B" else [line]
    with pytest.raises(IllegalDecision, match=says):
        read_definition(sheet_with(score_lines=lines, score_count="open"))
