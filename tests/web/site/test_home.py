"""The list of games: its content, its readers, and the first step if it is empty."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from daybook.domain.commands import Abandon, Reopen
from tests.many_games import lay_games
from tests.web.conftest import Visitor


def test_with_no_game_the_first_step_is_to_open_one(visitor):
    page = visitor.get("/")
    assert "There are no games here yet" in page.text
    assert "Tap each move" in page.text and "An example" in page.text
    assert visitor.get("/example/board.svg").html.startswith("<svg")
    steps = visitor.client.get("/example/in-passing.json").json
    assert 10 < len(steps) < 40 and steps[-1][1].startswith("Chiara wins with $")
    assert re.findall(r'<ul class="playing-scores">.*</ul>', page.html) and all(
        f"<b>{total}</b>" in page.html for total in steps[-1][2]
    )
    assert visitor.get(page.link("New game")).status == 200


def test_the_last_game_plays_by_itself_on_the_first_page(friday, open_game, site, page):
    game = open_game(title="Last Thursday", public=True)
    game.play(2000, seed=3)
    game.update_list()
    page.emulate_media(reduced_motion="reduce")
    page.goto(site)
    replay = page.locator("[data-playing]")
    expect(replay.get_by_role("link", name="Last Thursday")).to_have_attribute("href", game.path)
    expect(replay.get_by_role("button", name="Play")).to_be_visible()
    end = replay.locator("img").get_attribute("src")
    assert replay.locator(".playing-says").inner_text().endswith("won")
    page.emulate_media(reduced_motion="no-preference")
    page.reload()
    expect(replay.locator("img")).not_to_have_attribute("src", end or "")
    expect(replay.locator(".playing-says")).not_to_have_text(re.compile("won$"))
    replay.get_by_role("button", name="Pause").click()
    expect(replay.get_by_role("button", name="Play")).to_be_visible()


def test_a_game_is_listed_with_its_people_score_and_place(open_game):
    game = open_game(title="Tuesday at Berta’s", public=True)
    game.deal()
    game.decide(0, type="develop", card="R2")
    game.update_list()
    page = Visitor(game.app).get("/")
    assert "Tuesday at Berta’s round 1" in page.text
    assert "A Anna $2 B Ben $0 C Cleo $0" in page.text
    assert "Making Profit · 8 steps" in page.text


def test_a_game_with_links_alone_is_listed_for_who_holds_one(friday):
    assert "Friday" not in Visitor(friday.app).get("/").text
    assert "Friday" in friday.visitor("reader").get("/").text, "the list has not heard of it yet"
    friday.update_list()
    assert "Friday" in friday.visitor("reader").get("/").text
    assert "Friday" not in Visitor(friday.app).get("/").text


def test_only_who_may_record_is_offered_to(open_game):
    game = open_game(public=True)
    game.update_list()
    assert not [href for words, href in Visitor(game.app).get("/").links if words == "Record"]
    assert not [href for words, href in game.visitor("reader").get("/").links if words == "Record"]
    assert game.visitor("seat", 1).get("/").link("Record") == f"{game.path}/record"


def test_a_finished_game_says_who_won(open_game):
    game = open_game(names=("Anna", "Ben"), public=True)
    game.deal("R2 M1 R2 M2")
    game.play(2000)
    assert game.game.status == "closed"
    outcome = game.game.ruleset.scoring.outcome(game.game.board)
    assert outcome is not None
    winners = " and ".join(name for name, rank in zip(("Anna", "Ben"), outcome.ranks, strict=True) if rank == 1)
    assert f"Friday {winners} won" in game.visitor().get("/").text, "the list has not heard of it yet"
    game.update_list()
    assert f"Friday {winners} won" in Visitor(game.app).get("/").text
    game.write(Reopen("one more look"))
    game.update_list()
    assert " won" not in Visitor(game.app).get("/").text


def test_a_game_given_up_stands_with_the_finished_ones(open_game):
    game = open_game(public=True)
    game.write(Abandon("the pub closed"))
    game.update_list()
    text = Visitor(game.app).get("/").text
    assert "Finished Friday abandoned" in text
    assert "Being recorded" not in text


def test_the_light_and_language_are_remembered_and_lead_back(visitor):
    form = visitor.get("/help").form("Change")
    assert form.fields["back"].startswith("/help")
    page = visitor.send(form, theme="dark")
    assert 'data-theme="dark"' in page.html
    assert "How to use Daybook" in page.text
    assert 'data-theme="dark"' in visitor.get("/").html


def test_leading_back_stays_on_this_site(visitor):
    for back in ("https://example.org/", "//example.org", "/\\example.org", "javascript:alert(1)", ""):
        answer = visitor.client.post("/preferences", data={"csrf": visitor.token(), "back": back})
        assert answer.location == "/", back


def test_games_are_found_on_the_page_without_script(open_game):
    shown, hidden = open_game(title="Tuesday", public=True), open_game(title="Hidden Tuesday")
    shown.update_list()
    hidden.update_list()
    visitor = Visitor(shown.app)
    form = visitor.get("/").form("Find")
    found = visitor.get(f"{form.action}?q=cleo+tuesday")
    assert found.link("Tuesday") == shown.path and "Hidden" not in found.text
    assert "Hidden Tuesday" in hidden.visitor("reader").get("/?q=hidden").text
    assert visitor.get("/?q=hidden").text.count("Hidden") == 0
    nothing = visitor.get("/?q=hidden")
    assert "No games found." in nothing.text and "Try fewer words" in nothing.text and "sign in" in nothing.text


def test_invalid_days_are_reported_forged_place_is_the_start(open_game):
    game = open_game(title="Tuesday", public=True)
    game.update_list()
    visitor = Visitor(game.app)
    wrong = visitor.get("/?since=2026-02-30")
    assert wrong.status == 200 and "Enter a day as year, month and day" in wrong.text
    assert "The last day is before" in visitor.get("/?since=2026-03-01&until=2026-02-01").text
    for query in ("after='--", "list=x&whose=y&game=z&club=nobody", "q=%25", "until=" + "9" * 500):
        assert visitor.get(f"/?{query}").status == 200, query


def test_a_full_first_page_is_small(visitor, book):
    lay_games(book, 200, public_of_ten=10)
    page = visitor.get("/")
    assert page.html.count('class="game-row"') == 22
    assert len(page.html.encode()) <= 60_000
    older = visitor.get(page.link("Older games"))
    assert "Evening 159 " in older.text and "Evening 160 " not in older.text
    assert visitor.get(older.link("Older games")).link("The newest") == "/?list=finished"
