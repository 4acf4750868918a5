"""The pages of statistics: questions, figures whose rows open their games, files, and their readers."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from datetime import date

import pytest
import sqlalchemy as sa

from daybook.domain.commands import Close, Reopen
from daybook.domain.games import RULESETS
from daybook.domain.league.club_commands import EnterResult
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Placed
from daybook.services.certainty import wilson
from daybook.services.clock import now
from daybook.services.league import clubs
from daybook.services.people import accounts, anonymise
from daybook.services.play import simulate
from daybook.services.statistics import collect, table
from daybook.services.store import read_models
from daybook.web.request import lists
from daybook.web.statistics import answers
from daybook.web.words import statistics_words
from tests.axe import in_both_lights
from tests.browsing import open_folds
from tests.ink import ink_faults
from tests.played import key, update_games, update_results, write
from tests.services.fixture_files import put_golden
from tests.web.conftest import Opened, VisitedPage, Visitor
from tests.web.leagues import PASSWORD, ClubAtHand
from tests.web.statistics.conftest import count_games_of

pytestmark = pytest.mark.slow


def play_and_count(open_game, names=("Anna", "Ben"), public=True, seed=1, title="Friday") -> Opened:
    """A game played to its end, closed and counted."""
    game: Opened = open_game(names=names, public=public, title=title)
    game.deal(" ".join(["R2 M1"] * len(names)))
    game.play(2000, seed)
    assert game.game.status == "closed"
    count_games_of(game)
    return game


# --- questions, figures, games ---------------------------------------------------------------------------------------


def test_with_nothing_counted_the_page_says_when_figures_appear(visitor, friday):
    page = visitor.get("/statistics")
    assert "A game is counted as soon as it is closed" in page.text
    assert visitor.get(page.link("New game")).status == 200
    count_games_of(friday)
    assert "No game counts here yet" in visitor.get("/statistics/making_profit").text, "it is still being played"


def test_a_question_opens_its_figures_its_games_and_the_step(open_game):
    game = play_and_count(open_game, title="Tuesday")
    visitor = Visitor(game.app)
    start = visitor.get(visitor.get("/").link("Statistics"))
    assert "1 closed game is counted" in start.text
    page = visitor.get(start.link("Making Profit"))
    answer = visitor.get(page.link("Does the first seat win more often?"))
    assert "2 players seat A 1 " in answer.text
    behind = visitor.get(answer.link("seat B"))
    total = game.game.ruleset.scoring.standing(game.game.board)[1].total
    assert f"Tuesday 22 Nov 2026 seat B, Ben ${total}" in behind.text or "seat B, Ben" in behind.text
    replay = visitor.get(behind.link("Tuesday"))
    assert replay.status == 200
    assert f"${total}" in behind.text


def test_rate_of_fewer_than_five_games_is_hidden_and_explained(open_game):
    game = play_and_count(open_game)
    page = Visitor(game.app).get("/statistics/making_profit/ask?measure=score&split=seat")
    assert "fewer than 5 games, too few" in page.text
    assert "%" not in page.text.split("Won")[1].split("This table")[0]


def main_of(html: str) -> str:
    return html.split("<main")[1].split("</main>")[0]


def played_often(open_game, times: int) -> Opened:
    """Several games of the same two people."""
    for seed in range(1, times):
        play_and_count(open_game, seed=seed, title=f"Game {seed}")
    return play_and_count(open_game, seed=times)


def test_no_picture_is_drawn_of_fewer_than_five_games(open_game):
    visitor = Visitor(played_often(open_game, 4).app)
    page = visitor.get("/statistics/making_profit")
    assert 'class="figure-rows' not in page.html
    assert "questions that fewer than 5 games answer" in page.text, "they are folded away"
    for asked in ("measure=place&split=seat", "measure=score&split=seat", "measure=level&split=number"):
        assert "<svg" not in main_of(visitor.get(f"/statistics/making_profit/ask?{asked}").html), asked


@pytest.mark.parametrize(("games", "of_a_row", "folded"), [(4, 0, True), (5, 0, False), (9, 4, True), (9, 5, False)])
def test_answer_that_rests_on_few_games_is_folded(games, of_a_row, folded):
    rows = tuple(table.FigureRow((name, of_a_row), of_a_row, name, games=of_a_row) for name in ("A", "B"))
    shown = table.FigureTable("score", "Score", (), rows, games, about="score")
    assert answers.FigureAnswer("", shown, {}, "making_profit", lambda row: "", "", "", "UTC").too_few is folded


def test_rows_left_out_of_a_page_are_counted_for_it():
    headings = (table.Heading("person", "Person", "person"), table.Heading("rate", "Won", "rate"))

    def first(*games: int) -> table.FigureTable:
        rows = tuple(table.FigureRow((f"p{n}", 0.5 if n >= table.FEW else None), n, games=n) for n in games)
        return table.FigureTable("score", "Score", headings, rows, 99).first_rows(2)

    assert [(len(value.rows), value.left_out.n) for value in (first(9, 9), first(9, 9, 9, 1))] == [(2, 0), (2, 2)]
    assert [item.hides for item in (first(9, 9, 9), first(9, 9, 1), first(1, 9, 9))] == [False, True, True]
    assert [each_item.rests_on_few for each_item in (first(1, 1, 1), first(1, 1, 9), first(9, 1, 1))] == [
        True,
        False,
        False,
    ]


def test_answer_is_cached_as_shown_until_a_game_is_counted(open_game, visitor):
    game, asked = play_and_count(open_game), list[str]()
    page = "/statistics/making_profit/ask?measure=score&split=person"

    def note(*of: object) -> None:
        if "GROUP BY" in str(of[2]):
            asked.append(str(of[2]))

    first = visitor.get(page)
    sa.event.listen(game.book.views, "before_cursor_execute", note)
    assert main_of(visitor.get(page).html) == main_of(first.html) and not asked
    korean = visitor.client.get(page, headers={"Accept-Language": "ko"})
    assert "최종 점수" in korean.get_data(as_text=True) and "Final score" not in korean.get_data(as_text=True)
    assert main_of(visitor.get(page).html) == main_of(first.html)
    sa.event.remove(game.book.views, "before_cursor_execute", note)
    play_and_count(open_game, names=("Anna", "Cleo"), seed=2)
    assert "Cleo" in visitor.get(page).text


def test_only_of_rows_that_are_shown_it_is_asked_where_they_lead():
    rows = tuple(table.FigureRow((name, 9), 9, name, games=9) for name in "ABC")
    asked = list[str]()

    def address(row: table.FigureRow) -> str:
        asked.append(row.key)
        return f"/{row.key}"

    shown = table.FigureTable("score", "Score", (), rows, 9, about="score")
    assert answers.FigureAnswer("", shown, {}, "making_profit", address, "", "", "UTC").links(2) == ["/A", "/B"]
    assert asked == ["A", "B"]


def count_practice_games(book, app, games: int, people: int) -> Visitor:
    """Count this many practice games of three people each; some people come less and less often."""
    records = list(simulate.simulate_games(RULESETS["making_profit"], 3, 4, 5, {}))
    list(simulate.insert_copies(book, records, games, simulate.demonstration_players(people, 7), 5))
    update_games(book)
    collect.count_all(book)
    return Visitor(app)


@pytest.fixture
def many(book, app) -> Visitor:
    return count_practice_games(book, app, 20, 5)


def asked_of_many(visitor: Visitor, query: str) -> VisitedPage:
    return visitor.get(f"/statistics/making_profit/ask?practice=yes&{query}")


def test_picture_tells_its_figures_and_folds_those_of_few_games(many):
    table = json.loads(
        many.client.get("/statistics/making_profit/ask.json?practice=yes&measure=place&split=person").data
    )["rows"]
    page = asked_of_many(many, "measure=place&split=person")
    drawn = page.text.split("Share of games won")[0]
    rates = re.findall(r"(\w+) (\d+)% of (\d+) ?, likely from (\d+)% to (\d+)%", drawn)
    seen = {row["cells"]["person"]: row["cells"] for row in table}
    enough = {name: cells for name, cells in seen.items() if cells["n"] >= 5}
    assert {(who, int(rate), int(n)) for who, rate, n, _, _ in rates} == {
        (name, round(100 * cells["rate"]), cells["n"]) for name, cells in enough.items()
    }
    for who, _, _, low, high in rates:
        assert [int(low), int(high)] == [round(100 * end) for end in wilson(enough[who]["wins"], enough[who]["n"])]
    folded = page.text.split("of fewer than 5 games")
    assert (len(folded) > 1) == (len(enough) < len(seen))


def test_long_table_shows_first_rows_and_how_many_files_hold(book, app):
    visitor = count_practice_games(book, app, 60, 12)
    page = visitor.get("/statistics/making_profit?practice=yes")
    rows = max(table.split("</table>")[0].count("<tr") for table in page.html.split('<table class="stats">')[1:])
    assert rows == 60 + 1
    met = json.loads(visitor.client.get("/statistics/making_profit/head_to_head.json?practice=yes").data)["rows"]
    assert f"{len(met) - 60} more rows are in the files." in page.text


def test_long_answer_is_paged_and_complete_in_its_files(book, app, monkeypatch):
    monkeypatch.setitem(lists.ROWS_PER_PAGE, "statistics.ask", 4)
    monkeypatch.setattr(answers, "MAX_TABLE_ROWS", 10)
    visitor = count_practice_games(book, app, 40, 12)
    first = "/statistics/making_profit/ask?measure=score&split=person&practice=yes"
    path, pages = first, list[VisitedPage]()
    while path:
        pages.append(visitor.get(path))
        more = re.search(r'rel="next" href="([^"]+)"', pages[-1].html)
        path = html.unescape(more[1]) if more else ""
    people = [re.findall(r'<th scope="row"><a [^>]*><bdi>([^<]+)</bdi>', page.html) for page in pages]
    rows = json.loads(visitor.client.get(first.replace("ask?", "ask.json?")).data)["rows"]
    found = [name for names in people for name in names]
    assert [len(names) for names in people] == [4, 4, 2] and len({*found}) == 10 < len(rows)
    assert {*found} <= {row["cells"]["person"] for row in rows}
    assert ["figure-rows" in page.html for page in pages] == [True, False, False], "the picture is of all of them"
    assert ["more rows are in the files" in page.text for page in pages] == [False, False, True]
    assert f"{len(rows) - 10} more rows are in the files" in pages[2].text
    back = re.search(r'href="([^"]+)">The first page<', pages[2].html)
    assert back and html.unescape(back[1]) == first


def test_each_kind_of_question_has_its_kind_of_picture(many):
    for asked, drawn in (
        ("measure=place&split=seat", "of-rates"),
        ("measure=score&split=seat", "of-averages"),
        ("measure=length&split=seats", "of-reached"),
        ("measure=dividends&split=what", "of-amounts"),
        ("measure=dividends&split=what&then=won", "of-beside"),
        ("measure=level&split=number", "line-band"),
        ("measure=level&split=number&then=won", "figure-line winners"),
        ("measure=score&split=number&then=seat", "figure-line s-1"),
        ("measure=score&split=seat&then=number", "figure-line s-1"),
        ("measure=score&split=number&then=won", "figure-line others"),
        ("measure=level&split=number&then=colour", "figure-line c-green"),
    ):
        main = main_of(asked_of_many(many, asked).html)
        assert drawn in main, asked
        assert "style=" not in main and "<script" not in main
        assert "<table" in main, "the same figures as a table"
    assert "<svg" not in main_of(asked_of_many(many, "measure=score").html)


def test_most_telling_answer_is_first_and_winners_are_ranked(many):
    page = many.get("/statistics/making_profit?practice=yes")
    before, after = page.html.split("<h2>Questions</h2>")
    assert "figure-rows" in before or "lines-field" in before, "one answer is drawn before everything else"
    assert before.count("<h3>") == 1 and after.count("<h3>") > 8
    assert "of-effects" in page.html
    winners = many.get("/statistics/making_profit/winners?practice=yes")
    sure = re.findall(r'class="row-bar( unsure)?"', winners.html.split("legend-key")[0])
    assert sure == sorted(sure), "those that are sure stand before those that are not"
    assert "The clearest difference comes first" in winners.text


def test_first_page_begins_with_the_most_played_game(many):
    page = many.get("/statistics?practice=yes")
    before, after = main_of(page.html).split('<ul class="ruled">')
    assert "Making Profit" in before and ("figure-rows" in before or "lines-field" in before)
    assert [int(n) for n in re.findall(r"(\d+) games?<", after)][:4] == [20, 0, 0, 0], "the emptiest last"
    assert "<svg" not in main_of(many.get("/statistics").html), "practice games do not count unasked"


def test_first_decisions_are_a_tree_whose_branches_lead_on(many):
    setups = many.get("/statistics/making_profit/openings?practice=yes")
    page = many.get(setups.link("3 players"))
    tree = page.html.split('<ol class="opening-tree">', 1)[1].split("<table", 1)[0]
    assert '<ol class="opening-tree">' in tree, "what came after stands in its branch"
    counts = [int(n) for n in re.findall(r'class="row-amount">(\d+) games', tree)]
    assert len(counts) >= 3 and min(counts) >= 5, "fewer than five are folded away"
    stems = [float(width) for width in re.findall(r'stroke-width="([\d.]+)"', tree)]
    assert len(stems) == len(counts) and max(stems) <= 14
    first = re.search(r'class="row-says"><a href="([^"]+)"', tree)
    assert first is not None
    inner = many.get(first[1].replace("&amp;", "&"))
    assert f"{counts[0]} games began like this" in inner.text
    seen = [int(n) for n in re.findall(r'class="row-amount">(\d+) games', inner.html)]
    assert seen[0] == counts[1], "the first branch of the branch"


def test_who_met_often_enough_stand_in_a_matrix(evening, open_game, monkeypatch):
    club, game, people = evening
    olga = club.signed_in()
    assert "pair-matrix" not in olga.get(f"{club.path}/statistics").html
    for module in (answers, table):
        monkeypatch.setattr(module, "FEW", 1)
    page = olga.get(f"{club.path}/statistics")
    cells = re.findall(r'aria-label="(\w+) before (\w+): (\d) of 1 games together"', page.html)
    assert len(cells) == len(people) * (len(people) - 1)
    ahead = {(cell, other): int(n) for cell, other, n in cells}
    assert all(n + ahead[other, item] <= 1 for (item, other), n in ahead.items())
    assert page.html.count('class="pair-self"') == len(people)
    assert str(game.id) not in Visitor(game.app).get(f"{club.path}/statistics").html


def test_the_builder_keeps_the_question_in_its_address(open_game):
    game = play_and_count(open_game, names=("Anna", "Ben", "Cleo"))
    visitor = Visitor(game.app)
    form = visitor.get("/statistics/making_profit/ask").form("Ask")
    page = visitor.get(form.action, **form.fields | {"measure": "dividends", "split": "what", "then": "number"})
    assert "Dividends received" in page.text
    again = page.form("Ask").fields
    assert (again["measure"], again["split"], again["then"]) == ("dividends", "what", "number")


def test_days_narrow_a_question_and_the_last_day_is_inclusive(open_game):
    game = play_and_count(open_game)
    day = game.game.opening.at[:10]
    visitor = Visitor(game.app)
    for asked, counts in (
        (f"since={day}&until={day}", True),
        ("until=2001-01-01", False),
        ("since=9999-12-31", False),
        ("until=9999-12-31", True),
        ("seats=2", True),
        ("seats=3", False),
    ):
        page = visitor.get(f"/statistics/making_profit?{asked}")
        assert ("1 game" in page.text) == counts, asked


def test_a_question_that_cannot_be_asked_says_what_can(visitor):
    page = visitor.get("/statistics/making_profit/ask?measure=length&split=seat")
    assert page.status == 422
    assert "“Length of the game” can be split by one or two of: " in page.text
    page = visitor.get("/statistics/making_profit/ask?measure=luck")
    assert page.status == 422
    assert "There is no figure with that name" in page.text


@pytest.mark.parametrize(
    "address",
    [
        "/statistics/chess",
        "/statistics/making_profit/games?measure=luck",
        "/statistics/making_profit?seats=9",
        "/statistics/making_profit/games?measure=score&split=seat&key=x",
        "/statistics/making_profit?practice=perhaps",
        "/statistics/making_profit/games?measure=score&split=seat&key=" + "9" * 30,
        "/statistics/all/meetings",
        "/statistics/making_profit?club=0",
        "/statistics/making_profit/ask.csv",
        "/statistics/all/winners.csv",
        "/statistics/making_profit/openings/00",
        "/statistics/making_profit?club=6f1c7a3e-3d5e-4b0e-9f0c-6a2f1b7f0a11",
    ],
)
def test_an_address_of_nothing_is_not_found(visitor, address):
    assert visitor.get(address).status == 404


def test_every_table_is_a_file_with_the_same_figures(open_game):
    game = play_and_count(open_game)
    visitor = Visitor(game.app)
    page = visitor.get("/statistics/making_profit/ask?measure=score&split=person")
    rows = list(csv.DictReader(io.StringIO(visitor.client.get(page.link("CSV")).data.decode("utf-8-sig"))))
    assert sorted(row["person"] for row in rows) == ["Anna", "Ben"]
    found = json.loads(visitor.client.get(page.link("JSON")).data)
    totals = {score.total for score in game.game.ruleset.scoring.standing(game.game.board)}
    assert {row["cells"]["most"] for row in found["rows"]} == totals
    files = [href for says, href in visitor.get("/statistics/making_profit").links if says in ("CSV", "JSON")]
    assert len(files) > 16
    for href in files:
        answer = visitor.client.get(href)
        assert answer.status_code == 200, href
        assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("holders", "shown"),
    [
        ("anna", "Anna"),
        ("anna ben", "Anna and Ben"),
        ("anna ben cleo", "Anna, Ben and Cleo"),
        ("anna ben cleo dan eve", "Anna, Ben, Cleo and 2 more"),
    ],
)
def test_record_names_three_of_its_holders(app, holders, shown):
    with app.test_request_context("/"):
        people = holders.split()
        label = statistics_words.holders_label(people, {person: person.title() for person in people})
    assert label.translate({0x2068: None, 0x2069: None}) == shown


def test_records_and_what_winners_do_have_pages_that_lead_on(open_game):
    game = play_and_count(open_game)
    visitor = Visitor(game.app)
    start = visitor.get("/statistics/making_profit")
    page = visitor.get(start.link("Records"))
    assert f"{game.path}/replay?step=" in page.html or f"{game.path}?step=" in page.html
    assert "Greatest dividend at once" in page.text
    assert visitor.client.get(page.link("CSV")).status_code == 200
    winners = visitor.get(start.link("What winners do differently"))
    assert "Dividends received" in winners.text
    assert visitor.get(winners.link("Back to the figures")).text == start.text
    assert visitor.get("/statistics/all/records").status == 404


def test_question_is_asked_again_after_another_game_is_counted(open_game):
    first = play_and_count(open_game, title="Tuesday")
    visitor = Visitor(first.app)
    assert "2 players seat A 1 " in visitor.get("/statistics/making_profit").text
    second = play_and_count(open_game, seed=2, title="Wednesday")
    page = visitor.get("/statistics/making_profit").text
    assert "2 players seat A 2 " in page and page == visitor.get("/statistics/making_profit").text
    first.write(Reopen("one more look"), key="again")
    count_games_of(first)
    assert "2 players seat A 1 " in visitor.get("/statistics/making_profit").text
    write(first.book, second.id, Reopen("one more look"), key="again")
    count_games_of(second)
    assert "No game counts here yet" in visitor.get("/statistics/making_profit").text


def test_questions_about_each_round_have_their_own_page(open_game, monkeypatch):
    game = play_and_count(open_game)
    visitor = Visitor(game.app)
    assert "More questions" not in visitor.get("/statistics/making_profit").text
    monkeypatch.setattr(answers, "MANY_GAMES", 0)
    page = visitor.get("/statistics/making_profit")
    later = page.text.split("More questions")[1]
    asked = [says for says, to in page.links if says in later and "/ask?" in to]
    assert asked
    for says in asked:
        answer = visitor.get(page.link(says))
        assert answer.status == 200 and says in answer.text


# --- what is shown to whom -------------------------------------------------------------------------------------------


def test_games_with_links_alone_count_for_who_holds_one(open_game):
    game = play_and_count(open_game, public=False, names=("Anna", "Ben"), title="Secret table")
    stranger, reader = Visitor(game.app), game.visitor("reader")
    for address in ("/statistics", "/statistics/making_profit"):
        assert "No game counts here yet" in stranger.get(address).text
        assert "Anna" not in stranger.get(address).text
        assert "No game counts here yet" not in reader.get(address).text
    asked = "/statistics/making_profit/ask?measure=score&split=person"
    assert "Anna" in reader.get(asked).text
    assert "Anna" not in stranger.get(asked).text
    for kind in ("csv", "json"):
        answer = stranger.client.get(f"/statistics/making_profit/ask.{kind}?measure=score&split=person")
        assert b"Anna" not in answer.data
        answer = stranger.client.get(f"/statistics/making_profit/records.{kind}")
        assert str(game.id).encode() not in answer.data
    assert "Secret table" not in stranger.get("/statistics/making_profit/games?measure=score").text
    assert "Secret table" in reader.get("/statistics/making_profit/games?measure=score").text


def test_running_or_reopened_game_counts_for_nothing(open_game):
    game = play_and_count(open_game)
    assert "1 closed game" in Visitor(game.app).get("/statistics").text
    game.write(Reopen("one more look"), key="again")
    count_games_of(game)
    assert "No game counts here yet" in Visitor(game.app).get("/statistics").text


def test_page_without_counted_games_gives_the_reader_a_reason(open_game):
    game = play_and_count(open_game, public=False)
    stranger, reader = Visitor(game.app), game.visitor("reader")
    page = "/statistics/making_profit"
    for narrowed in ("", "?seats=2", "?seats=5", "?until=1999-12-31"):  # tells nobody how many played there, or when
        text = stranger.get(page + narrowed).text
        assert "only for their players" in text and "Remove some of these filters" not in text, narrowed
    narrowed = reader.get(f"{page}?seats=5")
    assert "1 game" in reader.get(narrowed.link("Remove some of these filters")).text
    assert "only for their players" not in narrowed.text and "still being played" not in narrowed.text
    assert "No game counts here yet" in reader.get(f"{page}/ask?measure=score&seats=5").text
    hidden = open_game(public=False)
    hidden.update_list()
    assert "still being played" not in stranger.get(page).text
    open_game(title="Thursday", public=True).update_list()
    assert "Thursday" in stranger.get(stranger.get(page).link("Some games are still being played")).text
    assert "still being played" not in stranger.get("/statistics/water_frame").text
    game.write(Reopen("a slip"))
    game.write(Close())
    game.update_list()
    with game.book.views.begin() as connection:  # as before a worker has come to it
        connection.execute(read_models.seat_summary.delete())
    assert "1 game was closed just now" in reader.get(page).text
    assert "closed just now" not in stranger.get(page).text


def test_who_was_made_anonymous_has_no_name_in_any_figure(open_game):
    game = play_and_count(open_game)
    visitor = Visitor(game.app)
    asked = "/statistics/making_profit/ask?measure=score&split=person"
    assert "Anna" in visitor.get(asked).text
    anonymise.anonymise(game.book, [game.game.opening.seats[0].person], by="")
    update_games(game.book)
    for address in (asked, "/statistics/making_profit", "/statistics/making_profit/games?measure=score"):
        page = visitor.get(address)
        assert "Anna" not in page.text, address
    for kind in ("csv", "json"):
        for name in ("ask", "records", "head_to_head", "streaks"):
            answer = visitor.client.get(f"/statistics/making_profit/{name}.{kind}?measure=score&split=person")
            assert b"Anna" not in answer.data


def test_namesakes_have_the_same_numbers_on_pages_and_in_files(open_game):
    games = {
        title: play_and_count(open_game, names=names, seed=seed, title=title)
        for seed, (title, names) in enumerate({"Tuesday": ("Anna", "Ben"), "Friday": ("anna", "Cleo")}.items())
    }
    visitor = Visitor(games["Friday"].app)
    page = visitor.get("/statistics/making_profit/ask?measure=score&split=person")
    assert "People with the same name are numbered" in page.text
    for name, title in (("Anna (1)", "Tuesday"), ("anna (2)", "Friday"), ("Ben", "Tuesday")):
        behind = visitor.get(page.link(name))
        assert name in behind.text and title in behind.text, "also where nobody else is named"
        assert not any(other in behind.text for other in games if other != title)
    csv_of = visitor.client.get("/statistics/making_profit/ask.csv?measure=score&split=person").data.decode()
    assert "Anna (1)" in csv_of and "anna (2)" in csv_of and "Ben," in csv_of


# --- clubs -----------------------------------------------------------------------------------------------------------


def test_a_clubs_statistics_are_for_who_may_read_its_pages(book, app):
    club = ClubAtHand(book, app)
    address = f"{club.path}/statistics"
    assert Visitor(app).get(address).status == 403
    assert Visitor(app).get(f"/statistics/making_profit?club={club.id}").status == 403
    assert "No game counts here yet" in club.signed_in().get(address).text


def test_season_and_club_figures_open_their_games(evening):
    club, game, _ = evening
    olga = club.signed_in()
    for above in (club.at(), club.path):
        page = olga.get(next(to for says, to in olga.get(above).links if to == f"{above}/statistics"))
        assert "1 game counts" in page.text
        behind = olga.get(page.link("Anna"))
        assert str(game.id) in behind.html
        assert olga.get(page.link("Making Profit")).status == 200
    assert olga.get(f"{club.path}/seasons/beside/statistics").text.count("No game counts here yet") == 1
    game.write(Reopen("one more look"))
    count_games_of(game)
    assert "1 game is still being played. It counts when it is closed." in olga.get(club.at("/statistics")).text


def test_private_record_has_figures_and_no_name_for_strangers(evening):
    """The club shows the winner; the record is for its readers."""
    club, game, _ = evening
    stranger = Visitor(game.app)
    own = f"club={club.id}"
    for address in (
        f"{club.path}/statistics",
        club.at("/statistics"),
        f"/statistics/making_profit?{own}",
        f"/statistics/making_profit/games?{own}&measure=score",
        f"/statistics/making_profit/records.csv?{own}",
        f"/statistics/making_profit/records.json?{own}",
    ):
        page = stranger.get(address)
        assert page.status == 200, address
        assert str(game.id) not in page.html, address
        assert game.book.kept.game(game.id).title not in page.text, address
    assert "only for its players" in stranger.get(f"/statistics/making_profit/games?{own}&measure=score").text
    openings = stranger.get(f"/statistics/making_profit/openings?{own}").text
    assert "No game counts here yet" in openings and "so only they see how the games began" in openings
    assert "1 game" in club.signed_in().get(f"/statistics/making_profit/openings?{own}").text
    assert "No game counts here yet" in stranger.get("/statistics").text


def test_a_persons_page_says_whom_they_met_and_their_records(evening):
    club, game, people = evening
    olga = club.signed_in()
    head = olga.get(f"{club.path}/people/{people[0]}").text
    assert "Played 1" in head and ("Nemesis" in head or "Rival" in head)
    page = olga.get(f"{club.path}/people/{people[0]}?tab=figures")
    assert "Most games together: with" in page.text
    assert "Nemesis: behind" in page.text or "Rival: before" in page.text
    assert "Winning score" in page.text or "Final score" in page.text
    for tab in ("plays", "games", "opponents", "rating", "figures"):
        assert str(game.id) not in Visitor(game.app).get(f"{club.path}/people/{people[0]}?tab={tab}").html
    more = olga.get(page.link("More of this person’s statistics"))
    assert "with Anna" in more.text
    assert olga.get(f"/statistics/all?club={club.id}&person=nobody").status == 404


def test_two_people_have_their_meetings(evening):
    club, game, people = evening
    page = club.signed_in().get(f"/statistics/all/meetings?club={club.id}&one={people[0]}&other={people[1]}")
    assert "Anna and Ben" in page.text
    assert str(game.id) in page.html
    assert (
        str(game.id)
        not in Visitor(game.app).get(f"/statistics/all/meetings?club={club.id}&one={people[0]}&other={people[1]}").html
    )


def test_who_never_met_is_not_named(evening):
    club, _, people = evening
    accounts.make_account(club.book, "Otto", sign_in="otto", password=PASSWORD, person="otto-1")
    page = club.signed_in().get(f"/statistics/all/meetings?club={club.id}&one={people[0]}&other=otto-1")
    assert (page.status, "They have not met" in page.text, "Otto" in page.text) == (200, True, False)


def test_every_question_of_a_club_has_a_title_of_its_own(evening):
    club, *_ = evening
    titles = re.findall(
        r'<details class="answer-fold"><summary>(.*?)</summary>', club.signed_in().get(f"{club.path}/statistics").html
    )
    assert len(titles) == len(set(titles)) > 3, titles


# --- results that were typed in --------------------------------------------------------------------------------------


@pytest.fixture
def typed_evening(book, app) -> tuple[ClubAtHand, list[str]]:
    """A public club with a typed result in a season, and one outside of which the seats are unknown."""
    club = ClubAtHand(book, app, public=True)
    people = club.open_season(rounds=2, table_sizes=(4,))
    club.draw()
    club.type("1", *people)
    clubs.write(
        book,
        club.id,
        EnterResult(BESIDE, "water_frame", [Placed(people[1], None, 1), Placed(people[0], None, 2)]),
        by=club.olga,
        key=key(),
    )
    update_results(book)
    return club, people


def test_typed_results_count_and_are_marked(typed_evening):
    club, people = typed_evening
    visitor = Visitor(club.app)
    page = visitor.get(f"{club.path}/statistics")
    assert "2 games count" in page.text
    assert "2 of them have no record: their places and scores count" in page.text
    assert "Final score" in page.text and "Head to head" in page.text
    behind = visitor.get(f"/statistics/all/games?club={club.id}&measure=place&split=person&key={people[0]}")
    assert "Autumn – Round 1, table 1 typed in" in behind.text
    table = visitor.get(behind.link("Autumn – Round 1, table 1"))
    assert table.status == 200 and "This result has no record" in table.text
    assert visitor.get(behind.link("Arkwright: Water Frame")).status == 200
    season = visitor.get(club.at("/statistics"))
    assert "1 game counts" in season.text and "1 of these games has no record" in season.text


def test_a_persons_page_and_meetings_know_typed_results(typed_evening):
    club, people = typed_evening
    visitor = Visitor(club.app)
    page = visitor.get(f"{club.path}/people/{people[0]}?tab=figures")
    assert "Most games together: with Ben, 2 games" in page.text
    met = visitor.get(f"/statistics/all/meetings?club={club.id}&one={people[0]}&other={people[1]}")
    assert met.text.count("typed in") == 2
    assert visitor.get(met.link("Autumn – Round 1, table 1")).status == 200
    told = json.loads(visitor.client.get(met.link("JSON")).data)
    assert told["typed"] == 2
    assert [row["cells"]["mark"] for row in told["rows"]] == ["typed", "typed"]
    assert visitor.get("/statistics/all/meetings.csv").status == 404


def test_the_games_behind_a_figure_are_a_file(typed_evening, open_game):
    club, _ = typed_evening
    visitor = Visitor(club.app)
    page = visitor.get(f"/statistics/all/games?club={club.id}&measure=place&split=seats&then=person")
    rows = list(csv.DictReader(io.StringIO(visitor.client.get(page.link("CSV")).data.decode("utf-8-sig"))))
    assert len(rows) == 6
    assert sorted(
        (row["title"], row["person"], row["seat"], row["place"], row["total"])
        for row in rows
        if row["title"] == "Arkwright: Water Frame"
    ) == [("Arkwright: Water Frame", "Anna", "", "2", ""), ("Arkwright: Water Frame", "Ben", "", "1", "")]
    game = play_and_count(open_game, title="Tuesday")
    stranger, hidden = Visitor(game.app), play_and_count(open_game, public=False, title="Secret table")
    page = stranger.get("/statistics/making_profit/games?measure=score&split=seat&key=1")
    told = json.loads(stranger.client.get(page.link("JSON")).data)
    (row,) = told["rows"]
    assert (row["cells"]["title"], row["game"], row["cells"]["seat"]) == ("Tuesday", str(game.id), 1)
    assert f"step={row['step']}" in page.link("Tuesday")
    assert str(hidden.id) not in json.dumps(told)
    assert stranger.get("/statistics/making_profit/games.csv?measure=luck").status == 404
    assert stranger.get("/statistics/making_profit/games.csv?measure=score&split=seat&key=x").status == 404


def test_games_of_an_opening_are_a_file_hidden_rates_explained(open_game):
    game = play_and_count(open_game, title="Tuesday")
    hidden = play_and_count(open_game, public=False, title="Secret table")
    visitor = Visitor(game.app)
    page = visitor.get(visitor.get("/statistics/making_profit/openings").link("2 players"))
    assert page.text.count("fewer than 5 games, too few") == 2, "under what came next and under the seats"
    files = [href for says, href in page.links if says in ("CSV", "JSON")]
    assert len(files) == 4
    for href in files:
        answer = visitor.client.get(href)
        assert answer.status_code == 200 and str(hidden.id).encode() not in answer.data
    told = json.loads(visitor.client.get(files[-1]).data)
    assert [(row["game"], row["cells"]["title"]) for row in told["rows"]] == [(str(game.id), "Tuesday")]
    drawn = visitor.get(page.link("everything, draws too"))
    assert "it was turned up at the table" in drawn.text


def test_game_is_listed_by_its_day_of_play_not_of_its_import(open_game):
    game = play_and_count(open_game)
    id = put_golden(game.book, "friday-four", public=True)
    update_games(game.book)
    collect.count_all(game.book)
    visitor = Visitor(game.app)
    setups = visitor.get("/statistics/making_profit/openings?practice=only")
    page = visitor.get(setups.link("4 players"))
    day = date.fromisoformat(game.book.games.get(id).opening.at[:10])
    assert day < date.fromisoformat(now()[:10])
    assert f"{day:%-d %b %Y}" in page.text


# --- openings --------------------------------------------------------------------------------------------------------


def test_openings_are_gone_through_decision_by_decision_and_back(open_game):
    game = play_and_count(open_game, title="Tuesday")
    visitor = Visitor(game.app)
    page = visitor.get(visitor.get("/statistics/making_profit").link("Openings"))
    page = visitor.get(page.link("2 players"))
    assert "What came next" in page.text and "Tuesday" in page.text
    (first,) = [href for says, href in page.links if "at=" in href and "way=seats" in href and "next." not in href]
    deeper = visitor.get(first)
    assert "player 1:" in deeper.text
    assert "One decision back" in deeper.text
    assert visitor.get(deeper.link("One decision back")).text == page.text
    assert "R2" in visitor.get(visitor.get(page.link("everything, draws too")).link("R2")).text
    for kind in ("CSV", "JSON"):
        assert visitor.get(page.link(kind)).status == 200
    assert visitor.get("/statistics/making_profit/openings/0000000000000000").status == 404
    assert visitor.get(page.link("The beginning") + "&at=00").status == 404


# --- eyes and phones -------------------------------------------------------------------------------------------------

ADDRESSES = (
    "/statistics",
    "/statistics/making_profit",
    "/statistics/making_profit/ask",
    "/statistics/making_profit/ask?measure=score&split=seats&then=seat",
    "/statistics/making_profit/ask?measure=level&split=number",
    "/statistics/making_profit/games?measure=score",
    "/statistics/making_profit/openings",
    "/statistics/making_profit/winners",
    "/statistics/making_profit/records",
)


def test_statistics_pages_have_no_fault_and_fit_a_small_phone(page, site, open_game):
    play_and_count(open_game, names=("Anna with a very long name indeed", "Ben"))
    for address in ADDRESSES:
        page.set_viewport_size({"width": 320, "height": 568})
        page.goto(f"{site}{address}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, address
        assert ink_faults(page, "main") == [], address
        open_folds(page)
        page.set_viewport_size({"width": 1280, "height": 720})
        assert in_both_lights(page).faults == [], address
