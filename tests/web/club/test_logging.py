"""Members log plays of their club: scores as written, the way to win, mistyped names, and the right to change plays."""

from __future__ import annotations

import re
from uuid import UUID

import pytest

from daybook.domain.commands import Close, Decide
from daybook.domain.league.club_commands import EnterResult, VoidResult
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Placed, PlayDetails
from daybook.services.league import clubs
from daybook.services.permissions.actions import MayNotError
from tests.played import key, update_results, write
from tests.web.leagues import ClubAtHand

NEW = "/seasons/beside/tables/new"


@pytest.fixture
def mill(book, app):
    return ClubAtHand(book, app)


@pytest.fixture
def anna(mill):
    return mill.member("Anna")


def lines(mill, anna, first, second, **more):
    people = {"person.0": mill.olga, "score.0": first, "person.1": anna, "score.1": second}
    return people | {"ended": "2026-05-02"} | more


def typed(mill, table="1"):
    return mill.club.beside.tables[table].typed


def test_member_logs_a_play_and_corrects_their_own(mill, anna):
    visitor = mill.signed_in("anna")
    page = visitor.get(f"{mill.path}/plays")
    page = visitor.send(
        visitor.get(page.link("Log a play")).form("Save the result"),
        **lines(mill, anna, "12½", "12+30", game_name="Azul", hour="19:30"),
    )
    assert typed(mill).details == PlayDetails(scores={mill.olga: "12½", anna: "12+30"}, hour="19:30")
    assert "12+30 = 42" in page.text and "19:30" in page.text and "Make it void" in page.text
    form = page.form("Save the result")
    assert "12½" in page.html and "Azul · 1 play" not in page.text
    update_results(mill.book)
    page = visitor.send(form, **lines(mill, anna, "13", "12+30", why="misread"))
    visitor.send(page.form("Save it like this"))
    assert typed(mill).placed[0].score == 13 and typed(mill).details.scores == {anna: "12+30"}
    assert "Azul · 1 play" in visitor.get(mill.path + NEW).text


def test_member_changes_no_play_of_another_and_no_season(mill, anna):
    mill.by_olga(EnterResult(BESIDE, ":Azul", (Placed(mill.olga, 0, 1), Placed(anna, 1, 2))))
    season = mill.open_season("free")
    page = mill.signed_in("anna").get(f"{mill.path}/seasons/beside/tables/1")
    assert "Correct the play" not in page.text and "Make it void" not in page.text
    placed = (Placed(anna, 0, 1), Placed(mill.olga, 1, 2))
    for command in (
        EnterResult(BESIDE, ":Azul", placed, "1", why="I won"),
        EnterResult(BESIDE, ":Azul", placed, "99"),
        EnterResult(mill.season.id, "making_profit", placed),
        VoidResult(BESIDE, "1", "I lost"),
    ):
        with pytest.raises(MayNotError):
            clubs.write(mill.book, mill.id, command, by=anna, key=key())
    assert season and mill.signed_in("anna").get(f"{mill.path}/seasons/{mill.season.id}/tables/new").status == 403


def test_lowest_score_wins_as_in_the_clubs_plays_of_the_game(mill, anna):
    olga = mill.signed_in()
    said = lines(mill, anna, "12", "30", game_name="Golf", wins="least")
    olga.press(mill.path + NEW, "Save the result", **said)
    assert [place.place for place in typed(mill).placed] == [1, 2] and typed(mill).details.lowest_wins
    update_results(mill.book)
    page = olga.get(mill.path + NEW)
    assert "Golf · 1 play · the lowest score wins" in page.text
    olga.send(page.form("Save the result"), **lines(mill, anna, "30", "12.5", ruleset=":Golf"))
    assert [place.place for place in typed(mill, "2").placed] == [2, 1]


def test_cooperative_play_is_won_or_lost_by_all(mill, anna):
    olga = mill.signed_in()
    page = olga.press(
        mill.path + NEW, "Save the result", **lines(mill, anna, "", "", game_name="Pandemic", wins="lost")
    )
    assert "lost together" in page.text and [place.place for place in typed(mill).placed] == [2, 2]
    update_results(mill.book)
    page = olga.press(mill.path + NEW, "Save the result", **lines(mill, anna, "", "", game_name="Pandemic"))
    assert "say if you won or lost" in page.text


def test_mistyped_name_is_asked_before_it_makes_a_game(mill, anna):
    olga = mill.signed_in()
    olga.press(mill.path + NEW, "Save the result", **lines(mill, anna, "12", "30", game_name="Wingspan"))
    page = olga.press(mill.path + NEW, "Save the result", **lines(mill, anna, "12", "30", game_name="Wingspann"))
    assert "Which game is “Wingspann”?" in page.text and "2" not in mill.club.beside.tables
    olga.send(page.form("Save the result"), meant=":Wingspan")
    assert typed(mill, "2").ruleset == ":Wingspan"
    page = olga.press(mill.path + NEW, "Save the result", **lines(mill, anna, "12", "30", game_name="Wingspann"))
    olga.send(page.form("Save the result"), meant="new")
    assert typed(mill, "3").ruleset == ":Wingspann"


@pytest.mark.parametrize("score", ["many", "1.000", "12++3"])
def test_unclear_score_is_refused_with_what_was_typed(mill, anna, score):
    page = mill.signed_in().press(mill.path + NEW, "Save the result", **lines(mill, anna, score, "3", game_name="Go"))
    assert f"“{score}” is not a score" in page.text and not mill.club.beside.tables


def test_form_takes_team_role_colour_start_and_marks(mill, anna):
    olga = mill.signed_in()
    facts = {"team.0": "North", "team.1": "South", "role.0": "Fox", "colour.1": "dark  red", "began.1": "yes"}
    facts |= {"new.0": "yes", "tie_settled": "yes", "uncounted.incomplete": "yes", "place.0": "1", "place.1": "2"}
    said = lines(mill, anna, "12", "12", game_name="Azul", **facts)
    page = olga.press(mill.path + NEW, "Save the result", **said)
    assert typed(mill).details == PlayDetails(
        teams={mill.olga: "North", anna: "South"},
        roles={mill.olga: "Fox"},
        colours={anna: "dark red"},
        start_player=anna,
        new=(mill.olga,),
        tie_settled=True,
        uncounted=("incomplete",),
    )
    assert "North" in page.text and "dark red" in page.text and "not played to the end" in page.text
    page = olga.send(page.form("Save the result"), **{"began.1": None, "began.0": "yes", "role.0": ""}, why="misread")
    page = olga.send(page.form("Save it like this"))
    details = typed(mill).details
    assert (details.start_player, details.roles, details.colours) == (mill.olga, {}, {anna: "dark red"})
    page = olga.send(page.form("Save the result"), **{"began.1": "yes"}, why="both")
    assert "Only one player began" in page.text and typed(mill).details == details


def test_too_long_facts_of_a_player_are_refused_in_the_form(mill, anna):
    page = mill.signed_in().press(
        mill.path + NEW, "Save the result", **lines(mill, anna, "1", "2", game_name="Go", **{"role.0": "x" * 121})
    )
    assert page.status == 422 and "x" * 121 in page.html and not mill.club.beside.tables


def test_person_page_shows_cooperative_wins_apart(mill, anna):
    olga = mill.signed_in()
    for wins in ("won", "lost"):
        said = lines(mill, anna, "", "", game_name="Pandemic", wins=wins)
        olga.press(mill.path + NEW, "Save the result", **said)
    update_results(mill.book)
    assert "Won together 1 of 2" in olga.get(f"{mill.path}/people/{mill.olga}").text


def test_new_or_finished_game_is_entered_in_a_chosen_club(mill):
    olga = mill.signed_in()
    form = olga.get(olga.get("/new").link("Wingspan")).form("Open the game")
    assert olga.send(form, **{"name.0": "Olga", "name.1": "Zoe"}, club=str(mill.id)).status == 200
    (table,) = mill.club.beside.tables.values()
    assert table.played[0] == mill.olga and table.game
    olga.send(form, key="another", **{"name.0": "Olga", "name.1": "Zoe"}, club="")
    (game,) = {str(kept.id) for kept in mill.book.kept.games()} - {table.game}
    for decision in ({"type": "enter", "line": "birds", "value": 3}, {"type": "end_game"}):
        write(mill.book, UUID(game), Decide(0, decision))
    write(mill.book, UUID(game), Close())
    page = olga.get(olga.get(f"/games/{game}/record").link("Enter it in The Mill"))
    assert "A recorded game" in page.text and "Save the result" not in page.text
    assert "The game is entered" in olga.send(page.form("Enter this game")).text
    assert game in mill.club.games and "Enter it in" not in olga.get(f"/games/{game}/record").text


def test_refused_result_marks_the_wrong_field(mill, anna):
    olga = mill.signed_in()
    sent = lines(mill, anna, "8o", "40", game_name="Cascadia")
    page = olga.press(f"{mill.path}{NEW}", "Save the result", **sent)
    assert page.status == 422 and re.search(
        r'name="score.0"[^>]*value="8o"[^>]*aria-invalid="true"[^>]*autofocus', page.html
    )
    assert page.html.count("autofocus") == 1
    page = olga.send(page.form("Save the result"), **{"score.0": "80"})
    assert "Cascadia" in page.text
    page = olga.press(page.answer.request.path, "Save the result", **{"score.0": "81"})
    assert "Why? (required)" in page.text and re.search(
        r'id="why-result"[^>]*aria-invalid="true"[^>]*autofocus', page.html
    )
    assert page.html.count("autofocus") == 1
