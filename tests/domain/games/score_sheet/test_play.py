"""SC-3 to SC-8: what is entered and changed, how rounds and games end, and who wins."""

from __future__ import annotations

from typing import Any

import pytest

from daybook.domain.games.score_sheet import SCORE_SHEET, moves
from daybook.domain.games.score_sheet.moves import (
    Clear,
    EndGame,
    EndRound,
    Enter,
    GoOut,
    SayStart,
    TakeRole,
    TakeTeam,
    Use,
)
from daybook.domain.kernel.rule_parts import AboutPlay
from daybook.domain.kernel.terms import TABLE, Decision, Seat, Tiebreak
from tests.domain.games.score_sheet.playing import (
    after,
    board,
    broken,
    column,
    effects_after,
    play,
    ranks,
    refusal,
    totals,
    with_values,
)
from tests.domain.games.strange import unnoticed_names

LINES = [
    {"name": "Birds", "least": 0, "most": 9},
    {"name": "Eggs", "kind": "times", "each": 2},
    {"name": "Longest road", "kind": "choice", "values": [0, 2]},
    {"name": "Bonus", "kind": "yes", "each": 5},
    {"name": "Debt", "kind": "minus", "each": 3},
    {"name": "Nectar", "expansion": "Oceania"},
]
GAME: dict[str, Any] = {"score_lines": LINES, "game_expansions": ["Oceania", "Asia"], "game_roles": ["Medic"]}
ROUNDS: dict[str, Any] = {"score_count": "rounds", "score_number": 2}
LAST: dict[str, Any] = {"score_wins": "last", "game_fewest": 2}
PLACES: dict[str, Any] = {"score_count": "places"}
TOGETHER: dict[str, Any] = {"score_wins": "together"}
Moved = list[tuple[Seat, Decision]]
P = [(0, Enter("points", 3))]
NORTH: Moved = [(seat, TakeTeam(2)) for seat in (0, 2)]


@pytest.mark.parametrize(
    ("rule", "key", "fields", "history", "seat", "decision"),
    [
        ("SC-3.1", "no_line", GAME, [], 0, Enter("geese", 1)),
        ("SC-3.1", "no_line", GAME, [], 0, Enter("nectar", 1)),
        ("SC-3.2", "no_round", GAME, [], 0, Enter("birds", 1, 2)),
        ("SC-3.2", "no_round", GAME, [], 0, Enter("birds", 1, -1)),
        ("SC-3.3", "out_of_bounds", GAME, [], 0, Enter("birds", 10)),
        ("SC-3.3", "out_of_bounds", GAME, [], 0, Enter("eggs", -1)),
        ("SC-3.3", "out_of_bounds", GAME, [], 0, Enter("bonus", 2)),
        ("SC-3.3", "no_value", GAME, [], 0, Enter("longest_road", 1)),
        ("SC-3.4", "same", GAME, [(0, Enter("birds", 4))], 0, Enter("birds", 4)),
        ("SC-3.5", "out", LAST, [(0, GoOut())], 0, GoOut()),
        ("SC-3.5", "no_player", GAME, [], TABLE, Enter("birds", 4)),
        ("SC-3.1", "no_line", GAME, [], 0, Clear("geese")),
        ("SC-3.2", "no_round", GAME, [], 0, Clear("birds", 2)),
        ("SC-3.6", "empty", GAME, [(1, Enter("birds", 4))], 0, Clear("birds")),
        ("SC-6.5", "game_over", {}, [*P, (0, EndGame())], 0, Clear("points")),
        ("SC-4.1", "no_role", GAME, [], 0, TakeRole("Boss")),
        ("SC-4.1", "same_role", GAME, [(0, TakeRole("Medic"))], 0, TakeRole("Medic")),
        ("SC-4.2", "no_seat", GAME, [], 0, SayStart(3)),
        ("SC-4.2", "same_start", GAME, [(1, SayStart(2))], 0, SayStart(2)),
        ("SC-4.3", "no_expansion", GAME, [], 0, Use("Europe")),
        ("SC-4.3", "same_use", GAME, [], 0, Use("Asia", False)),
        ("SC-4.4", "no_teams", PLACES, [], 0, TakeTeam(1)),
        ("SC-4.4", "no_teams", TOGETHER, [], 0, TakeTeam(1)),
        ("SC-4.4", "no_team", {}, [], 0, TakeTeam(7)),
        ("SC-4.4", "no_team", {}, [], 0, TakeTeam(-1)),
        ("SC-4.4", "same_team", {}, [], 0, TakeTeam(0)),
        ("SC-4.4", "same_team", {}, NORTH, 2, TakeTeam(2)),
        ("SC-4.4", "one_side", {}, NORTH, 1, TakeTeam(2)),
        ("SC-5.1", "nobody_out", GAME, [], 0, GoOut()),
        ("SC-6.1", "no_rounds", GAME, [], 0, EndRound()),
        ("SC-6.1", "empty_round", ROUNDS, [], 0, EndRound()),
        ("SC-6.1", "empty_round", ROUNDS, [*P, (1, EndRound())], 0, EndRound()),
        ("SC-6.4", "rounds_fixed", ROUNDS, P, 0, EndGame()),
        ("SC-6.4", "target_open", {"score_count": "target", "score_number": 9}, P, 0, EndGame()),
        ("SC-6.4", "last_left", LAST, [], 0, EndGame()),
        ("SC-6.4", "empty_round", GAME, [], 0, EndGame()),
        ("SC-6.5", "game_over", {}, [*P, (0, EndGame())], 0, Enter("points", 4)),
        ("SC-7.5", "won_unsaid", TOGETHER, [], 0, EndGame()),
        ("SC-7.5", "not_together", {}, P, 0, EndGame(True)),
        ("SC-7.6", "no_place", PLACES, [*column(0, place=1), *column(1, place=2)], 0, EndGame()),
        ("SC-7.6", "no_first", PLACES, [move for seat in range(3) for move in column(seat, place=2)], 0, EndGame()),
    ],
)
def test_refused(rule, key, fields, history, seat, decision):
    assert refusal(after(board(**fields), *history), seat, decision) == (rule, key)


def test_sc_3_1_figures_count_by_line_kind_and_add_up():
    # also SC-7.1
    b, effects = play(board(**GAME), *column(1, birds=9, eggs=4, longest_road=2, bonus=1, debt=2))
    assert effects[1] == moves.Entered("SC-3.1", 1, "eggs", "Eggs", 1, 4, 8)
    assert [effect.counts for effect in effects] == [9, 8, 2, 5, -6]
    assert totals(b) == [0, 18, 0]
    [birds, *_] = SCORE_SHEET.scoring.standing(b)[1].lines
    assert (birds.figures, birds.paths) == ({"name": "Birds", "figure": 9}, ("/players/1/rounds/0/birds",))


def test_sc_3_4_a_change_says_what_stood_there():
    effects = effects_after(board(**GAME), (0, Enter("eggs", 6)), (0, Enter("eggs", 7)))
    assert effects[1:] == [moves.Changed("SC-3.4", 0, "eggs", "Eggs", 1, 6, 7, 2)]


def test_sc_3_6_cleared_figure_is_as_if_never_entered():
    opened = board(**GAME)
    b, effects = play(opened, (0, Enter("debt", 2)), (0, Clear("debt")))
    assert effects[1:] == [moves.Cleared("SC-3.6", 0, "debt", "Debt", 1, 2, 6)]
    assert b.document() == opened.document()
    assert refusal(b, 0, EndGame()) == ("SC-6.4", "empty_round")


def test_sc_3_6_the_figure_of_an_earlier_round_is_cleared():
    b = after(board(score_count="open"), *P, (1, EndRound()), (0, Enter("points", 4)), (0, Clear("points", 1)))
    assert [figures["points"] for figures in b.players[0].rounds] == [None, 4]
    assert Clear("points") in SCORE_SHEET.legal(b, 0) and Clear("points") not in SCORE_SHEET.legal(b, 1)


def test_sc_3_2_earlier_round_is_changed_during_another():
    b = after(board(score_count="open"), *P, (1, EndRound()), (0, Enter("points", 4)), (0, Enter("points", 9, 1)))
    assert [figures["points"] for figures in b.players[0].rounds] == [9, 4]
    assert totals(b) == [13, 0, 0]


def test_sc_4_3_lines_of_an_expansion_count_while_it_is_used():
    b = after(board(**GAME), (0, Use("Asia")), (2, Use("Oceania")), (0, Enter("nectar", 4)))
    assert (b.expansions, totals(b)) == (["Oceania", "Asia"], [4, 0, 0])
    b, effects = play(b, (1, Use("Oceania", False)))
    assert (totals(b), effects) == ([0, 0, 0], [moves.ExpansionUsed("SC-4.3", "Oceania", False)])


def test_sc_4_1_and_sc_4_2_roles_and_who_began_are_said():
    b, effects = play(board(**GAME), (1, TakeRole("Medic")), (0, SayStart(2)))
    assert effects == [moves.RoleTaken("SC-4.1", 1, "Medic"), moves.StartSaid("SC-4.2", 2)]
    assert ([player.role for player in b.players], b.start) == ([None, "Medic", None], 2)


def test_sc_5_2_last_one_left_wins_before_later_leavers():
    # also SC-7.4
    b, effects = play(board(**LAST), (1, GoOut()))
    assert SCORE_SHEET.course.to_act(b) == (0, 2)
    b, effects = play(b, (2, GoOut()))
    assert effects == [moves.WentOut("SC-5.1", 2, 1), moves.GameEnded("SC-5.2", "last")]
    assert ranks(b) == (1, 3, 2)


def test_sc_6_2_the_last_round_ends_the_game():
    b, effects = play(board(**ROUNDS), *P, (2, EndRound()), *column(2, points=5), (1, EndRound()))
    assert effects[-2:] == [moves.RoundEnded("SC-6.1", 2), moves.GameEnded("SC-6.2", "rounds")]
    assert (totals(b), ranks(b)) == ([3, 0, 5], (2, 3, 1))


def test_sc_6_2_there_is_no_round_after_the_99th():
    b = board(2, score_count="open")
    for _ in range(98):
        b = after(b, *column(0, points=1), (0, EndRound()))
    assert (b.round, b.ended) == (99, None)
    b = after(b, *column(0, points=1), (0, EndRound()))
    assert (b.round, b.ended, totals(b)) == (99, "rounds", [99, 0])


def test_sc_6_3_game_ends_with_the_round_of_the_target():
    b = after(board(score_count="target", score_number=10), *column(0, points=10))
    assert b.ended is None
    b = after(b, *column(1, points=12), (1, EndRound()))
    outcome = SCORE_SHEET.scoring.outcome(b)
    assert outcome is not None and outcome.rule == "SC-6.3" and outcome.ranks == (2, 1, 3)
    assert str(outcome.reason) == "seat 1 has reached 10"


@pytest.mark.parametrize(("wins", "places"), [("most", (2, 1, 3)), ("least", (2, 3, 1))])
def test_sc_7_2_most_or_least_wins_and_anyone_may_end_it(wins, places):
    # also SC-6.4
    figures = [move for seat, value in enumerate((5, 8, 2)) for move in column(seat, points=value)]
    b = after(board(score_wins=wins), *figures)
    assert SCORE_SHEET.ranks(b) == places  # as it stands
    assert ranks(after(b, (2, EndGame()))) == places


def test_sc_7_3_lines_break_ties_in_their_order():
    lines = [{"name": name} for name in ("Birds", "Food", "Cards")]
    b = board(score_lines=lines, score_total="birds", score_ties=["-Food", "Cards"])
    figures = [*column(0, birds=5, food=3), *column(1, birds=5, food=1), *column(2, birds=1, food=0)]
    b = after(b, *figures, (0, EndGame()))
    outcome = SCORE_SHEET.scoring.outcome(b)
    assert outcome is not None and outcome.ranks == (2, 1, 3)
    assert outcome.tiebreaks == (Tiebreak("Food", "SC-7.3", (-3, -1, 0)),)


@pytest.mark.parametrize(("won", "places", "key"), [(True, (1, 1, 1), "won"), (False, (2, 2, 2), "lost")])
def test_sc_7_5_together_all_win_or_nobody(won, places, key):
    b = after(board(**TOGETHER), (1, EndGame(won)))
    outcome = SCORE_SHEET.scoring.outcome(b)
    assert outcome is not None and (outcome.rule, outcome.reason.key, outcome.ranks) == ("SC-7.5", key, places)


def test_sc_7_6_places_may_be_shared():
    figures = [*column(0, place=1), *column(1, place=1), *column(2, place=3)]
    assert ranks(after(board(**PLACES), *figures, (0, EndGame()))) == (1, 1, 3)


def test_sc_7_7_a_team_is_placed_by_what_it_has_together():
    figures = [*column(0, points=3, eggs=1), *column(1, points=5, eggs=2), *column(2, points=4, eggs=9)]
    fields: dict[str, Any] = {"score_lines": [{"name": "Points"}, {"name": "Eggs", "kind": "times", "each": 0}]}
    b = after(board(**fields), *figures, *NORTH)
    assert totals(b) == SCORE_SHEET.scoring.totals(b) == [7, 5, 7]
    [*_, partners] = SCORE_SHEET.scoring.standing(b)[0].lines
    assert (partners.name, partners.amount, partners.rule) == ("team", 4, "SC-7.7")
    assert (partners.figures, partners.paths) == ({"team": 2}, ("/players/2/rounds",))
    assert ranks(after(b, (1, EndGame()))) == (1, 3, 1)
    b = after(board(**fields, score_ties=["-Eggs"]), *figures, (1, Enter("points", 7)), *NORTH, (1, EndGame()))
    outcome = SCORE_SHEET.scoring.outcome(b)
    assert outcome is not None
    assert (outcome.ranks, outcome.tiebreaks) == ((2, 1, 2), (Tiebreak("Eggs", "SC-7.3", (-10, -2, -10)),))


def test_sc_6_3_a_team_reaches_the_figure_together():
    b = board(score_count="target", score_number=7)
    figures = [*column(0, points=3), *column(1, points=5), *column(2, points=4)]
    assert after(b, *figures, (1, EndRound())).ended is None
    assert after(b, *figures, *NORTH, (1, EndRound())).ended == "target"


# --- SC-8 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "fields", "path", "value"),
    [
        ("SC-8.1", GAME, "/players/1/rounds", []),
        ("SC-8.1", GAME, "/players/1/rounds/0", {"birds": 1}),
        ("SC-8.2", GAME, "/players/1/rounds/0/birds", 10),
        ("SC-8.3", GAME, "/expansions", ["Asia", "Oceania"]),
        ("SC-8.4", GAME, "/players/1/out", 1),
        ("SC-8.4", LAST, "/players/1/out", 2),
        ("SC-8.5", LAST, "/ended", "last"),
        ("SC-8.5", TOGETHER, "/won", True),
        ("SC-8.5", TOGETHER, "/ended", "said"),
        ("SC-8.6", {}, "/players", [{"rounds": [{"points": None}], "team": 2}] * 3),
    ],
)
def test_sc_8_a_sheet_that_cannot_be_is_noticed(rule, fields, path, value):
    b = board(**fields)
    assert rule in broken(with_values(b, {path: value}))
    assert broken(b) == []


def test_sc_4_every_place_takes_only_names_the_game_knows():
    b = after(board(**GAME), (0, TakeRole("Medic")), (0, Use("Asia")), (0, SayStart(1)), (0, Enter("birds", 1)))
    assert unnoticed_names(SCORE_SHEET, b) == []


def test_the_end_alone_is_looked_at_before_it_comes_about():
    spreads = SCORE_SHEET.course.spreads
    assert spreads is not None
    assert spreads.meets(0, [moves.GameEnded("SC-6.4", "said")])
    assert not spreads.meets(0, [moves.RoundEnded("SC-6.1", 1), moves.Entered("SC-3.1", 0, "eggs", "Eggs", 1, 4, 8)])


def test_sc_4_facts_next_to_the_figures_are_told():
    b = after(board(**GAME), (0, TakeRole("Medic")), (0, Use("Asia")), (0, SayStart(1)))
    assert SCORE_SHEET.scoring.about is not None
    assert SCORE_SHEET.scoring.about(b) == AboutPlay(1, ("Medic", "", ""), ("Asia",), teams=("", "", ""))
    assert SCORE_SHEET.scoring.about(after(board(), *NORTH)).teams == ("Team 2", "", "Team 2")
    assert SCORE_SHEET.scoring.about(board(**PLACES)).points is False
    assert SCORE_SHEET.scoring.about(board(score_wins="least")).least is True
