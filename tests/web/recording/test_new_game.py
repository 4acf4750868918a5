"""Opening a game: the form keeps its input, shows errors beside the field, and opens one game once."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from daybook.services.people import accounts
from daybook.services.permissions import access
from daybook.services.store.daybook import Daybook
from daybook.web.recording.new_game import SeatRow, choose_distinct_colours
from tests.web.conftest import Form, VisitedPage, Visitor
from tests.web.leagues import PASSWORD

SEATED = {
    "title": "Tuesday at Berta’s",
    "name.0": "Anna",
    "colour.0": "green",
    "name.2": "Ben",
    "colour.2": "white",
    "name.3": "Cleo",
    "colour.3": "red",
}


def test_evening_is_named_after_its_day_in_the_readers_language(app):
    for language, pattern in (
        ("en", r"Making Profit · [A-Z][a-z]+day, \d{1,2} [A-Z][a-z]{2}"),
        ("ko", r"Making Profit · \d{1,2}월 \d{1,2}일 .요일"),
    ):
        reader = Visitor(app)
        reader.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
        form = next(form for form in reader.get("/new?game=making_profit").forms if "title" in form.fields)
        assert re.fullmatch(pattern, form.fields["title"]), form.fields["title"]


@pytest.fixture
def form(visitor: Visitor) -> Form:
    return visitor.get("/new?game=making_profit").form("Open the game")


def games_kept(book: Daybook) -> list:
    return book.kept.games()


def test_game_opens_with_seats_in_order_and_lines_left_empty(visitor, form, book):
    page = visitor.send(form, **SEATED)
    assert "The game is open: hand out the links" in page.text
    (kept,) = games_kept(book)
    assert (kept.title, kept.names, kept.public) == ("Tuesday at Berta’s", ("Anna", "Ben", "Cleo"), False)
    opening = book.games.get(kept.id).opening
    assert [seat.colour for seat in opening.seats] == ["green", "white", "red"]
    assert (opening.recorded, opening.options) == ("live", {"hands": "hidden"}), "the quickest set-up"


def test_options_and_the_way_of_recording_are_chosen(visitor, form, book):
    more = {"option.hands": "open", "recorded": "memory", "played_on": "2026-03-20", "public": "yes"}
    visitor.send(form, **SEATED, **more)
    (kept,) = games_kept(book)
    opening = book.games.get(kept.id).opening
    assert (opening.recorded, opening.options, kept.public) == ("memory", {"hands": "open"}, True)
    assert opening.played_on == "2026-03-20"


def test_who_opens_a_game_keeps_its_score(visitor, form, book):
    visitor.send(form, **SEATED)
    (kept,) = games_kept(book)
    assert visitor.get(f"/games/{kept.id}/record").status == 200
    roles = [(grant.role, grant.seat) for grant in access.grants_of_game(book, kept.id)]
    assert roles == [("scorekeeper", None), ("seat", 0), ("seat", 1), ("seat", 2), ("reader", None)]


@pytest.mark.parametrize(
    ("field", "sent", "message"),
    [
        ("title", "  ", "Give the game a name"),
        ("title", "x" * 121, "121 characters are too many: at most 120"),
        ("title", "a\u202eb", "It contains invisible characters"),
        ("name.2", "y" * 61, "61 characters are too many: at most 60"),
        ("colour.2", "green", "Anna already has this colour"),
        ("colour.2", "mauve", "Choose a colour"),
        ("option.hands", "upside down", "Choose one of these"),
        ("recorded", "by magic", "Choose one of these"),
        ("played_on", "2999-01-01", "2999-01-01 is still to come"),
        ("sheet", "0" * 64, "This sheet is not published here"),
    ],
)
def test_faults_are_next_to_their_fields_and_nothing_is_lost(visitor, form, book, field, sent, message):
    page = visitor.send(form, **{**SEATED, field: sent})
    assert page.status == 422
    assert message in page.text
    assert message in page.html.partition('class="foot"')[2], "in sight, above the button that was pressed"
    assert games_kept(book) == []
    again = page.form("Open the game").fields
    kept = {name: text for name, text in {**SEATED, field: sent}.items() if name not in ("sheet",)}
    kept = {name: text for name, text in kept.items() if name == field or name in SEATED}
    if field in ("colour.2", "option.hands", "recorded"):
        kept.pop(field)  # what is on no list cannot be chosen again
    assert kept.items() <= again.items()


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "Making Profit is for 2 to 6 players, but 0 are entered here."),
        (["Anna"], "Making Profit is for 2 to 6 players, but 1 are entered here."),
    ],
)
def test_too_few_players_are_told_how_many_it_takes(visitor, form, book, names, message):
    page = visitor.send(form, title="Alone", **{f"name.{place}": name for place, name in enumerate(names)})
    assert message in page.text
    assert games_kept(book) == []


def test_mp_1_2_two_players_are_warned(visitor, form):
    def advice_is_shown(page: VisitedPage) -> bool:
        (note,) = [part for part in page.html.split("<p ") if "data-advice" in part]
        return "hidden" not in note.split(">")[0]

    two = {"title": "", "name.0": "Anna", "name.1": "Ben"}
    assert advice_is_shown(visitor.send(form, **two))
    assert not advice_is_shown(visitor.send(form, **two, **{"name.2": "Cleo"}))


def test_two_players_with_one_name_are_refused(visitor, form, book):
    page = visitor.send(form, **{"name.0": "Ann", "name.1": "Bo", "name.2": " Ann "})
    assert page.status == 422 and "Another player at the table has this name." in page.text
    assert games_kept(book) == []


def test_the_same_form_sent_twice_opens_one_game(visitor, form, book):
    first, second = visitor.send(form, **SEATED), visitor.send(form, **SEATED)
    assert len(games_kept(book)) == 1
    assert first.text == second.text


@pytest.mark.parametrize("where", ["/new?game=making_profit", "/practice/table?game=making_profit"])
def test_form_sent_before_and_after_sign_in_opens_one_game(book, app, where):
    """The answer to the first was lost, with the cookie in it."""
    accounts.make_account(book, "Anna", sign_in="anna", password=PASSWORD)
    anna = Visitor(app)
    anna.client.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
    form = next(form for form in anna.get(where).forms if {"title", "name"} & form.fields.keys())
    typed, before = SEATED if "title" in form.fields else {"name": "Anna"}, anna.cookie
    assert anna.send(form, **typed).status == 200
    anna.cookie = before
    anna.press("/sign-in", "Sign in", sign_in="anna", password=PASSWORD)
    assert anna.send(form, **typed).status == 200
    (kept,) = games_kept(book)
    assert anna.get(f"/games/{kept.id}/record").status == 200, "and whoever sent it records in it"
    anna.send(anna.get("/me").form_to("/sign-out"))
    anna.send(form, **typed)
    assert len(games_kept(book)) == 2, "whoever comes next at this browser opens a game of their own"


def test_a_key_read_out_of_the_record_opens_its_links_to_nobody(visitor, form, book, app):
    visitor.send(form, **SEATED)
    (kept,) = games_kept(book)
    thief = Visitor(app)
    theirs = thief.get("/new?game=making_profit").form("Open the game")
    for key in (form.fields["key"], book.games.get(kept.id).opening.key):
        thief.send(theirs, **SEATED, key=key)
        assert thief.get(f"/games/{kept.id}/links").status == 403


def test_a_published_sheet_is_offered_and_used(visitor, book):
    hash = book.sheets.publish("making_profit", "Second printing", {"start.money": 5}, "scorekeeper")
    page = visitor.get("/new?game=making_profit")
    assert "Second printing" in page.text
    assert "Start, money: 5" in page.text
    visitor.send(page.form("Open the game"), **SEATED, sheet=hash)
    (kept,) = games_kept(book)
    opening = book.games.get(kept.id).opening
    assert (opening.sheet.hash, opening.sheet.overrides) == (hash, {"start.money": 5})
    assert "Second printing" in visitor.get(f"/games/{kept.id}/about").text


def test_a_game_that_daybook_does_not_know_is_not_found(visitor):
    assert visitor.get("/new?game=chess").status == 404


def test_the_quickest_set_up_stands_first_and_is_named(visitor):
    html = visitor.get("/new?game=water_frame").html
    for option, quick, other in [
        ("factories", "predetermined", "free"),
        ("mat", "predetermined", "random"),
        ("events", "predetermined", "random"),
    ]:
        first, second = (html.index(f'name="option.{option}" value="{value}"') for value in (quick, other))
        assert html[first:].split(">")[0].endswith(" checked"), "and is chosen"
        assert first < html.index("the quickest set-up", first) < second


def test_last_table_is_offered_by_the_browser_and_forgotten(page, site):
    page.goto(f"{site}/new?game=water_frame")
    last, chips = page.locator("[data-last]"), page.locator("[data-known] button")
    expect(last).to_be_hidden()  # nobody has played here
    page.get_by_label("Name of this game").fill("Tuesday")
    for place, name in enumerate(("Agnes", "Bert <i>")):
        page.get_by_label(f"Name at seat {'AB'[place]}").fill(name)
    page.get_by_label("Colour at seat A").select_option("green")
    page.get_by_role("button", name="Open the game").click()
    page.get_by_role("heading", name="The game is open").wait_for()
    page.goto(f"{site}/new?game=water_frame")
    assert page.locator("datalist option").evaluate_all("all => all.map((one) => one.value)") == ["Agnes", "Bert <i>"]
    last.get_by_role("button", name="As last time: Agnes, Bert <i>").click()
    expect(page.get_by_label("Name at seat B")).to_have_value("Bert <i>")
    expect(page.get_by_label("Colour at seat A")).to_have_value("green")
    expect(page.locator("[name='option.factories'][value=predetermined]")).to_be_checked()
    page.goto(f"{site}/new?game=making_profit")
    chips.get_by_text("Bert").click()
    expect(page.get_by_label("Name at seat A")).to_have_value("Bert <i>")
    chips.get_by_text("Bert").click()
    last.get_by_role("button", name="As last time: Agnes, Bert <i>").click()
    expect(page.get_by_label("Name at seat B")).to_have_value("Bert <i>")
    page.goto(f"{site}/new?game=water_frame")
    last.get_by_role("button", name="Forget these names").click()
    expect(last).to_be_hidden()
    assert page.evaluate("localStorage.length") == 0


def test_enter_in_a_name_goes_to_the_next_seat(page, site):
    page.goto(f"{site}/new?game=making_profit")
    page.locator("[name='name.0']").focus()
    for name in ("Mina", "Jun", "Theo", "Ola"):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    assert page.url.endswith("/new?game=making_profit")
    expect(page.locator("[name='name.4']")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="The game is open")).to_be_visible()


def test_sheets_that_anybody_publishes_do_not_fill_the_page(visitor, book):
    """The newest are offered, and whatever is chosen; the page of the game's sheets lists all."""
    hashes = [
        book.sheets.publish("making_profit", f"Sheet {number}", {"start.money": number}, "") for number in range(50, 88)
    ]
    page = visitor.get("/new?game=making_profit")
    assert page.html.count('name="sheet"') == 13
    assert page.link("38 published sheets").endswith("#published")
    assert f'value="{hashes[-1]}"' in page.html and f'value="{hashes[0]}"' not in page.html
    chosen = visitor.get(f"/new?game=making_profit&sheet={hashes[0]}")
    assert f'value="{hashes[0]}" checked' in chosen.html


def test_score_pads_are_separate_from_games_that_check_every_move(visitor):
    html = visitor.get("/new").html
    checked, pads = html.index("Every move is checked"), html.index("Score pads")
    assert checked < html.index("game-water_frame.svg") < html.index("game=arkwright_card") < pads
    assert pads < html.index("7 Wonders")
    assert visitor.get("/static/game-water_frame.svg").status == 200


@pytest.mark.parametrize("typed", ["7wonders", "7 WON", "wonders7"])
def test_a_game_is_found_without_its_spaces(visitor, typed):
    assert ("7 Wonders" in visitor.get("/new", q=typed).text) == (typed != "wonders7")


def test_a_listed_sheet_is_found_without_its_spaces(book):
    book.sheets.publish("making_profit", "Second 100% printing", {"start.money": 5}, "scorekeeper")
    assert [sheet.name for sheet in book.sheets.newest("making_profit", 9, named="second100%")]
    assert not book.sheets.newest("making_profit", 9, named="second_100")


def test_seats_are_offered_colours_of_their_own():
    seats = [SeatRow("Lotte", "b"), SeatRow("Mads", "b"), SeatRow("Nanna", "x"), SeatRow("", "a")]
    choose_distinct_colours(seats, ["a", "b", "c", "d"])
    assert [seat.colour for seat in seats] == ["b", "c", "d", "a"]


def test_games_are_found_while_typing(page, site):
    page.goto(f"{site}/new")
    page.get_by_role("searchbox").press_sequentially("7wonders")
    expect(page.get_by_role("link", name="Catan")).to_have_count(0)
    expect(page.get_by_role("link", name="7 Wonders")).to_be_visible()


def test_long_names_do_not_squeeze_the_game_played_before(page, site, open_game):
    game = open_game(("Maximilian", "Clementine", "Bartholomew", "Wilhelmina"))
    game.update_list()
    game.enter(page, site)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{site}/new")
    title = page.locator("a[href*='again='] bdi").first
    assert (title.bounding_box() or {})["height"] < 30
    assert page.evaluate("document.documentElement.scrollWidth") == 390
