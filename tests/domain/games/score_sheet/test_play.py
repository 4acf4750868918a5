"""SC-3 to SC-8: entries and changes, the end of rounds and games, and the winner."""

from __future__ import annotations

from typing import Any

import pytest

from daybook.domain.games.score_sheet import SCORE_SHEET, moves
from daybook.domain.games.score_sheet.board import Board
from daybook.domain.games.score_sheet.definition import TOTAL
from daybook.domain.games.score_sheet.moves import (
    Clear,
    ComeLater,
    EndGame,
    EndRound,
    Enter,
    GoOut,
    Join,
    Leave,
    SayStart,
    SettleTie,
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
    opened,
    play,
    ranks,
    ready_sheet,
    refusal,
    sheet_with,
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
OPEN: dict[str, Any] = {"score_count": "open"}
ONCE: dict[str, Any] = OPEN | {
    "score_lines": [
        {"name": "Points"},
        {"name": "Bonus", "kind": "times", "each": 5, "once": True},
        {"name": "Double", "kind": "formula", "formula": "sum + all_rounds(points * round)", "once": True},
    ]
}
THREE = [(0, Enter("points", 3)), (1, Enter("points", 5)), (2, Enter("points", 5))]
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
        ("SC-5.3", "goes_out", LAST, [], 0, Leave()),
        ("SC-5.3", "away", {}, [(0, Leave())], 0, Leave()),
        ("SC-5.3", "last_here", {}, [(0, Leave()), (1, Leave())], 2, Leave()),
        ("SC-5.3", "no_place", {}, [], 0, Leave(4)),
        ("SC-5.3", "no_place", {}, [], 0, Leave(-2)),
        ("SC-5.3", "in_team", {}, NORTH, 0, Leave()),
        ("SC-5.3", "together", TOGETHER, [], 0, Leave(2)),
        ("SC-3.2", "missed", OPEN, [(0, Leave())], 0, Enter("points", 3)),
        ("SC-3.2", "missed", OPEN, [(0, ComeLater())], 0, Enter("points", 3)),
        ("SC-5.4", "written", OPEN, P, 0, ComeLater()),
        ("SC-5.4", "away", OPEN, [(0, ComeLater())], 0, ComeLater()),
        ("SC-5.4", "last_here", OPEN, [(0, ComeLater()), (1, ComeLater())], 2, ComeLater()),
        ("SC-5.4", "goes_out", LAST, [], 0, ComeLater()),
        ("SC-5.5", "here", OPEN, [], 0, Join()),
        ("SC-5.5", "points", OPEN, [(0, ComeLater())], 0, Join(10**6 + 1)),
        ("SC-5.5", "places_alone", PLACES, [(0, ComeLater())], 0, Join(3)),
        ("SC-6.6", "once_missing", ONCE, [(0, Enter("points", 3))], 0, EndGame()),
        ("SC-6.6", "once_missing", ONCE, [*P, (0, Enter("bonus", 2)), (1, Enter("bonus", 0))], 0, EndGame()),
        ("SC-6.6", "once_missing", ONCE | {"score_count": "rounds", "score_number": 1}, P, 0, EndRound()),
        ("SC-3.2", "once", ONCE, [], 0, Enter("bonus", 2, 1)),
        ("SC-3.1", "no_line", ONCE, [], 0, Enter("double", 2)),
        ("SC-7.9", "no_totals", PLACES, [], 0, SettleTie(0)),
        ("SC-7.9", "not_written", {}, P, 0, SettleTie(0)),
        ("SC-7.9", "no_tie", {}, THREE, 0, SettleTie(0)),
        ("SC-7.9", "no_seat", {}, THREE, 0, SettleTie(3)),
        ("SC-7.9", "same_settled", {}, [*THREE, (0, SettleTie(2))], 0, SettleTie(2)),
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
        ("SC-8.1", ONCE, "/players/1/once", {}),
        ("SC-8.7", OPEN, "/players/1/missed", [2]),
        ("SC-8.7", OPEN, "/players/1/agreed", 2),
        ("SC-8.7", LAST, "/players/1/away", "left"),
        ("SC-8.7", OPEN, "/players/1/joined_with", 10**7),
        ("SC-8.8", OPEN, "/players/1/settled", -1),
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


# --- players who leave early or join after a round, and ties decided at the table ------------------------------------

HEARTS: dict[str, Any] = {"score_wins": "least", "score_count": "target", "score_number": 20}


def hearts_left(place: int) -> Board:
    """Seat 0 goes home after the first round of Hearts, with the fewest points."""
    first = [*column(0, points=0), *column(1, points=6), *column(2, points=20 - 6), (0, EndRound())]
    return after(
        board(**HEARTS), *first, (0, Leave(place)), *column(1, points=5), *column(2, points=8), (1, EndRound())
    )


def test_sc_5_3_who_goes_home_after_round_one_of_hearts_is_last():
    # also SC-7.8
    b = hearts_left(0)
    assert b.ended == "target" and totals(b) == [0, 11, 22]
    assert ranks(b) == (3, 1, 2)
    assert SCORE_SHEET.scoring.about is not None
    about = SCORE_SHEET.scoring.about(b)
    assert about.left_early == about.uncompared == (True, False, False)


@pytest.mark.parametrize(("place", "places"), [(-1, (1, 2, 3)), (1, (1, 2, 3)), (2, (2, 1, 3)), (3, (3, 1, 2))])
def test_sc_5_3_a_leaver_has_the_place_that_was_agreed(place, places):
    b = hearts_left(place)
    assert ranks(b) == places
    assert SCORE_SHEET.scoring.about is not None and SCORE_SHEET.scoring.about(b).uncompared == ()


def test_sc_5_3_leaving_says_how_many_rounds_were_played():
    b, effects = play(board(**OPEN), *P, (0, EndRound()), (0, Leave()), (1, Enter("points", 2)), (1, Leave(2)))
    assert [effect for effect in effects if isinstance(effect, moves.LeftEarly)] == [
        moves.LeftEarly("SC-5.3", 0, 0, 1),
        moves.LeftEarly("SC-5.3", 1, 2, 2),
    ]
    assert (b.players[0].missed, b.players[1].missed) == ([2], [])
    assert SCORE_SHEET.course.to_act(b) == (0, 1, 2) and SCORE_SHEET.waits_for(b) == (2,)
    assert totals(after(b, (0, Enter("points", 9, 1)))) == [9, 2, 0]  # an earlier figure is corrected all the same


def test_sc_7_8_of_two_who_left_the_one_who_stayed_longer_is_ahead():
    moves_made = [*P, (0, EndRound()), (0, Leave()), *column(1, points=1), (1, EndRound()), (1, Leave())]
    b = after(board(4, **OPEN), *moves_made, *column(2, points=-5), (2, EndGame()))
    assert ranks(b) == (4, 3, 2, 1)


def test_sc_7_8_agreed_places_shift_the_others():
    figures = [move for seat, value in enumerate((9, 8, 7, 6)) for move in column(seat, points=value)]
    b = after(board(4), *figures, (3, Leave(2)), (2, Leave(2)), (0, EndGame()))
    assert ranks(b) == (1, 4, 2, 2)


def test_sc_5_5_a_player_joins_after_a_round_with_agreed_points():
    b, effects = play(board(**OPEN), (2, ComeLater()), *P, (0, EndRound()), (2, Join(4)), *column(2, points=5))
    assert effects[0] == moves.ComesLater("SC-5.4", 2) and effects[3] == moves.Joined("SC-5.5", 2, 2, 4)
    assert (b.players[2].missed, totals(b)) == ([1], [3, 0, 9])
    joined = SCORE_SHEET.scoring.standing(b)[2].lines[-1]
    assert (joined.name, joined.amount, joined.rule) == ("joined", 4, "SC-5.5")
    assert refusal(b, 2, Enter("points", 1, 1)) == ("SC-3.2", "missed")
    assert ranks(after(b, (0, EndGame()))) == (2, 3, 1)


def test_sc_5_5_who_left_comes_back_and_missed_a_round():
    b = after(board(**OPEN), *P, (0, EndRound()), (0, Leave()), *column(1, points=1), (1, EndRound()), (0, Join()))
    assert b.players[0].missed == [2] and SCORE_SHEET.waits_for(b) == (0, 1, 2)
    assert ranks(after(b, *column(0, points=1), (0, EndGame()))) == (1, 2, 3)


def test_sc_7_8_who_never_joins_has_no_place():
    b = after(board(), (2, ComeLater()), *column(0, points=-3), *column(1, points=-4), (0, EndGame()))
    outcome = SCORE_SHEET.scoring.outcome(b)
    assert outcome is not None and (outcome.ranks, outcome.unranked) == ((1, 2, 3), (2,))


def test_sc_7_9_the_table_decides_a_tie():
    b, effects = play(board(), *THREE, (0, SettleTie(2)))
    assert effects[-1] == moves.TieSettled("SC-7.9", 2) and SCORE_SHEET.ranks(b) == (3, 2, 1)
    outcome = SCORE_SHEET.scoring.outcome(after(b, (0, EndGame())))
    assert outcome is not None and outcome.ranks == (3, 2, 1)
    assert outcome.tiebreaks == (Tiebreak("settled", "SC-7.9", (0, 0, 1)),)
    assert SCORE_SHEET.ranks(after(b, (0, SettleTie(1)))) == (3, 1, 2)  # the last word counts
    assert SCORE_SHEET.ranks(after(b, (1, Enter("points", 6)))) == (3, 1, 2)  # no tie any more
    assert moves.SettleTie(1) in SCORE_SHEET.legal(b, 0) and moves.SettleTie(0) not in SCORE_SHEET.legal(b, 0)


def test_sc_7_9_lines_break_ties_before_the_table_does():
    lines = [{"name": "Points"}, {"name": "Food", "kind": "times", "each": 0}]
    b = after(board(score_lines=lines, score_ties=["Food"]), *THREE, (1, Enter("food", 2)))
    assert refusal(b, 0, SettleTie(2)) == ("SC-7.9", "no_tie")


# --- formulas, partners, dealers, targets ----------------------------------------------------------------------------


def test_sc_7_10_a_line_that_is_counted_once_adds_to_the_rounds():
    b = after(board(2, **ONCE), *column(0, points=3), *column(1, points=4), (0, EndRound()))
    b = after(b, *column(0, points=10, bonus=2), *column(1, points=1, bonus=0))
    # all_rounds(points * round) is 3 + 20 and 4 + 2; before it, sum is 13 + 10 and 5
    assert totals(b) == [23 + 23 + 23, 5 + 5 + 6]
    assert [line.amount for line in SCORE_SHEET.scoring.standing(b)[0].lines] == [13, 10, 46]
    assert ranks(after(b, (0, EndGame()))) == (1, 2)


def test_sc_6_3_target_below_zero_is_reached_downwards():
    b = after(board(2, score_count="target", score_number=-50), *column(0, points=-20), *column(1, points=90))
    b = after(b, (0, EndRound()))
    assert b.ended is None
    b = after(b, *column(0, points=-30), (0, EndRound()))
    assert b.ended == "target" and ranks(b) == (2, 1)
    outcome = SCORE_SHEET.scoring.outcome(b)
    assert outcome is not None and str(outcome.reason) == "seat 0 has reached -50"


def test_sc_6_3_a_player_who_left_does_not_reach_the_target():
    b = after(board(score_count="target", score_number=10), *column(0, points=9), *column(1, points=1), (0, Leave()))
    assert after(b, (0, Enter("points", 10)), (1, EndRound())).ended is None


def test_sc_6_2_number_of_rounds_follows_the_players():
    b = board(4, score_count="rounds", score_rounds="60 / players")
    assert b.rounds_in_all == 15 and board(6, score_count="rounds", score_rounds="60 / players").rounds_in_all == 10


def test_sc_4_5_dealer_moves_on_past_players_who_left():
    b = after(board(game_dealer=True, **OPEN), (0, SayStart(1)), *P, (0, EndRound()), *P, (0, EndRound()))
    assert b.dealers == [1, 2, 0]
    b = after(b, *P, (1, Leave()), (0, EndRound()), *P, (0, EndRound()))
    assert b.dealers == [1, 2, 0, 2, 0] and board().dealers == []


def test_sc_7_11_figures_of_partners_are_added_before_they_are_counted():
    formula = "if(tricks >= bid, 10 * bid, 0)"
    b = board(4, game_teams=2, score_lines=[{"name": "Bid"}, {"name": "Tricks"}], score_total=formula, **OPEN)
    assert [player.team for player in b.players] == [1, 2, 1, 2]
    figures = [
        move
        for seat, (bid, tricks) in enumerate([(3, 1), (4, 5), (2, 4), (4, 2)])
        for move in column(seat, bid=bid, tricks=tricks)
    ]
    b = after(b, *figures)
    assert totals(b) == [50, 0, 50, 0] and SCORE_SHEET.scoring.totals(b) == [50, 0, 50, 0]
    assert ranks(after(b, (0, EndGame()))) == (1, 3, 1, 3)
    assert [player.team for player in board(2, game_teams=2).players] == [0, 0]


def test_sc_7_1_the_total_before_a_round_limits_it():
    b = board(2, score_total="max(points, -before)", **OPEN)
    b = after(b, *column(0, points=3), (0, EndRound()), *column(0, points=-9), (0, EndRound()), *column(0, points=4))
    assert b.round_totals(0) == [3, -3, 4] and totals(b) == [4, 0]


def test_twenty_players_have_a_column_each():
    b = after(board(20), *[move for seat in range(20) for move in column(seat, points=seat)], (0, EndGame()))
    assert ranks(b) == tuple(range(20, 0, -1))


@pytest.mark.parametrize(
    ("name", "seats", "key"),
    [("spades", 4, "full"), ("azul", 4, "full"), ("azul", 3, ""), ("coup", 3, "goes_out"), ("hearts", 4, "")],
)
def test_sc_5_6_column_is_added_if_there_is_room(name, seats, key):
    fault = SCORE_SHEET.course.late_seat.fault(opened(ready_sheet(name), seats))
    assert fault is None if not key else fault[0] == "SC-5.6" and fault[1].key == key


# --- a round that is being played ---


def so_far(b: Board) -> list[int]:
    """Return the totals that pages show."""
    return totals(b.so_far())


@pytest.mark.parametrize("name", ["wizard", "oh-hell", "skull-king", "spades"])
def test_bids_alone_count_nothing_yet(name):
    begun = opened(ready_sheet(name), 4)
    for seat in range(4):
        begun = after(begun, (seat, Enter("bid", 3)))
        assert so_far(begun) == [0] * 4, "no trick is entered"
    assert {TOTAL} < begun.so_far().tally().waiting[0]
    entered = after(begun, *[(seat, Enter("tricks", 3)) for seat in range(4)])
    assert so_far(entered) == totals(entered) and TOTAL not in entered.so_far().tally().waiting[0]
    nexted = after(entered, (0, EndRound()))
    assert so_far(nexted) == totals(entered), "the new round counts nothing"


@pytest.mark.parametrize(("name", "line", "value"), [("skull-king", "bonus", 30), ("spades", "nil", 100)])
def test_bonus_alone_counts_nothing_yet(name, line, value):
    assert so_far(after(opened(ready_sheet(name), 4), (0, Enter(line, value)))) == [0] * 4


def test_empty_figures_count_zero_when_the_round_is_over():
    begun = after(opened(ready_sheet("wizard"), 3), *[(seat, Enter("bid", seat)) for seat in range(3)])
    over = after(begun, (0, EndRound()))
    assert (so_far(begun), so_far(over)) == ([0, 0, 0], [20, -10, -20])


def test_partner_with_a_bid_needs_tricks_too():
    bids = after(opened(ready_sheet("spades"), 4), *[(seat, Enter("bid", 3)) for seat in range(4)])
    one = after(bids, (0, Enter("tricks", 4)))
    both = after(one, (2, Enter("tricks", 3)))
    assert (so_far(one), so_far(both)) == ([0] * 4, [61, 0, 61, 0])


def test_expedition_that_was_not_begun_holds_nothing_up():
    begun = after(opened(ready_sheet("lost-cities"), 2), (0, Enter("yellow", 30)))
    assert so_far(begun) == [0, 0]
    assert so_far(after(begun, (0, Enter("yellow_wagers", 1)))) == [20, 0]


def test_formula_of_all_players_waits_for_all():
    sheet = sheet_with(
        score_count="open",
        score_lines=[
            {"name": "Cards", "kind": "times", "each": 0},
            {"name": "Most", "kind": "formula", "formula": "if(rank(entered(cards)) = 1, 10, 0)"},
        ],
    )
    begun = after(opened(sheet, 2), (0, Enter("cards", 2)))
    assert so_far(begun) == [0, 0] and so_far(after(begun, (1, Enter("cards", 3)))) == [0, 10]


def test_formula_counted_once_waits_for_its_figure():
    sheet = sheet_with(
        score_count="open",
        score_lines=[
            {"name": "Points"},
            {"name": "Cards", "kind": "times", "each": 0, "once": True},
            {"name": "Few cards", "kind": "formula", "formula": "20 - entered(cards)", "once": True},
        ],
    )
    begun = after(opened(sheet, 2), (0, Enter("points", 5)))
    assert (totals(begun), so_far(begun)) == ([25, 20], [5, 0])
    assert so_far(after(begun, (0, Enter("cards", 3)))) == [22, 0]
