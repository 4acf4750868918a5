"""The component sheet: every number with its source, corrected sheets, and what each game was played with."""

from __future__ import annotations

import io
import json
import re

import pytest

from daybook.domain.games import RULESETS
from daybook.domain.games.water_frame.moves import EventRevealed
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.events import PinnedSheet
from daybook.domain.kernel.sheet import Tag
from daybook.services.play import sheet_trials
from daybook.services.store.printed_sheets import printed_sheet
from daybook.web.words import sentence
from daybook.web.words.record_words import SOURCES
from daybook.web.words.sheets import TAGS, number_label, sheet_label, source_word, use_sheet_names
from tests.web.conftest import VisitedPage, Visitor

pytestmark = pytest.mark.slow

GAME = "making_profit"
WF = "water_frame"


@pytest.fixture(autouse=True)
def no_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trials are tested in test_sheet_trials.py, and that published sheets can be played in test_sheets_played.py."""
    monkeypatch.setattr(sheet_trials, "GAMES_PER_PLAYER_COUNT", 0)


def toml(numbers: str, game: str = GAME) -> str:
    return f'[sheet]\nformat = 1\ngame = "{game}"\n{numbers}\n'


def send(visitor: Visitor, numbers: str, game: str = GAME, do: str = "publish", **fields: str) -> VisitedPage:
    form = visitor.get(f"/sheets/{game}").form("Publish")
    return visitor.send(form, **{"text": toml(numbers, game), "name": "ours", "do": do, **fields})


def upload(visitor: Visitor, file: bytes, game: str = GAME, **fields: str) -> VisitedPage:
    sent = {"csrf": visitor.token(), "file": (io.BytesIO(file), "sheet.toml"), **fields}
    return VisitedPage(visitor.client.post(f"/sheets/{game}", data=sent))


# --- the table ---


@pytest.mark.parametrize("game", RULESETS)
def test_sheet_page_lists_every_number_with_its_source(visitor, game):
    page = visitor.get(f"/sheets/{game}")
    sheet = printed_sheet(game)
    rows = dict(re.findall(r'<tr id="([^"]+)".*?</th><td>(.*?)</td>', page.html))
    assert set(rows) == set(sheet.numbers)
    assert all(rows[path] == str(number.value) for path, number in sheet.numbers.items() if type(number.value) is int)
    for number in sheet.numbers.values():
        assert number.where in page.text and number.rule in page.text
    for tag in {number.tag for number in sheet.numbers.values()}:
        count = sum(number.tag == tag for number in sheet.numbers.values())
        assert f"{tag} {SOURCES[tag]}: {count}" in page.text


def test_sheet_page_shows_only_assumed_numbers_on_request(visitor):
    page = visitor.get(f"/sheets/{WF}", only="assumed")
    assumed = {path for path, number in printed_sheet(WF).numbers.items() if number.tag == "assumed"}
    assert set(re.findall(r'<tr id="([^"]+)"', page.html)) == assumed
    assert len(re.findall("<tr id=", visitor.get(f"/sheets/{WF}", only="nonsense").html)) > len(assumed)


@pytest.mark.parametrize("game", RULESETS)
def test_number_labels_are_unique_in_each_language(app, game):
    for language in ("en", "ko"):
        with app.test_request_context(headers={"Accept-Language": language}):
            labels = [number_label(game, path) for path in printed_sheet(game).numbers]
        assert len(set(labels)) == len(labels)
        assert not any("_" in label for label in labels)


def test_number_label_uses_the_name_that_a_group_gave(app):
    names = {"events.corn_riots.name": "Corn RIOTS", "game.name": "Aviary"}
    with app.test_request_context():
        assert number_label(WF, "events.corn_riots.amount", names) == "Events, Corn RIOTS, amount"
        assert number_label(WF, "events.corn_riots.amount") == "Events, corn riots, amount"
        assert number_label("score_sheet", "game.name", names) == "Name of the game"
    with app.test_request_context(headers={"Accept-Language": "ko"}):
        assert number_label(WF, "tiles.unknown_a.copies") == "타일, 알 수 없음 A, 장수"
        assert number_label(WF, "tiles.unknown_a.copies", {"tiles.unknown_a.name": "Chimney"}) == "타일, Chimney, 장수"


def test_every_source_has_a_word(app):
    assert set(TAGS) == set(Tag.__args__)
    with app.test_request_context():
        assert all(source_word(tag) for tag in TAGS)


# --- publishing ---


def test_published_sheet_shows_its_differences(visitor, book):
    colours = ["red", "blue", "green", "yellow", "black", "pink"]
    numbers = f"[start]\nmoney = 5\n[factories]\ncolours = {json.dumps(colours)}"
    page = send(visitor, numbers, name="Second printing", by="Tuesday group")
    assert "The sheet is published" in page.text
    (published,) = book.sheets.list(GAME)
    assert published.overrides == {"start.money": 5, "factories.colours": colours}
    assert published.by == "Tuesday group"
    assert "Second printing Tuesday group" in page.text
    assert "Start, money: 0 5" in page.text
    assert "box Second printing" in page.text
    assert "money = { value = 5" in page.form("Publish").fields["text"], "the text begins with what differs"
    assert "colours" in page.form("Publish").fields["text"] and "hand" not in page.form("Publish").fields["text"]


@pytest.mark.parametrize(
    ("numbers", "fields", "message"),
    [
        ('[start]\nmoney = "five"', {}, "Start, money: a whole number, not &#39;five&#39;"),
        ("[start]\nmoney = 1.5", {}, "Start, money: a whole number, not 1.5"),
        ("[start]\nmoney = -1", {}, "Start, money: a number from 0 to 1000000, not -1"),
        ("[start]\nmoney = true", {}, "Start, money: a whole number, not True"),
        ("[start]\ncash = 3", {}, "Start, cash: the sheet of making_profit has no such number"),
        ("[start]\nmoney = 5\nmoney = 6", {}, "The file is not TOML"),
        ("[start\nmoney = 5", {}, "The file is not TOML"),
        ("[start]\nmoney = 5", {"name": " "}, "A sheet has a name"),
        ("[start]\nmoney = 5", {"name": "y" * 121}, "A sheet has a name"),
        ("[start]\nmoney = 5", {"by": "z" * 65}, "Who publishes it has a name of at most 64 characters"),
        ("", {}, "Every number is as on the sheet that Daybook comes with"),
    ],
)
def test_wrong_sheet_is_named_and_not_published(visitor, book, numbers, fields, message):
    page = send(visitor, numbers, **fields)
    assert page.status == 422
    assert message in page.html and ".." not in page.text
    assert page.form("Publish").fields["text"].strip() == toml(numbers).strip(), "the text is kept"
    assert fields.items() <= page.form("Publish").fields.items()
    assert book.sheets.list(GAME) == []


def test_every_wrong_line_is_named(visitor, book):
    page = send(visitor, '[start]\nmoney = "much"\ncash = 3\nlevel = 1')
    assert "2 lines of the text are wrong" in page.text
    assert "Start, money" in page.text and "Start, cash" in page.text
    assert book.sheets.list(GAME) == []


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (b"[a]", "The file does not begin as a sheet does"),
        (b"GIF89a\xff", "The file is not text in UTF-8"),
        (b'[sheet]\nformat = 1\ngame = "chess"', "The file contains a sheet of chess, not of making_profit"),
        (b"a = " + b"[" * 10_000, "The file is nested too deeply"),
    ],
)
def test_file_that_is_no_sheet_of_the_game_is_refused(visitor, book, file, message):
    page = upload(visitor, file, name="ours", do="publish")
    assert page.status == 422
    assert message in page.text
    assert book.sheets.list(GAME) == []


def test_warnings_are_shown_once_before_publishing(visitor, book):
    page = send(visitor, "[turn]\nset_price = 9")
    assert page.status == 200
    sold = "Red sells R1, M1 and M2 for"
    assert f"MP-9.5 With these numbers: {sold} $9. – in the rulebook: {sold} $10." in page.text
    assert f"Red: M2 cards in hand: 1 {sold} $9. In the rulebook: {sold} $10." in page.text, "among all examples"
    assert "Turn, set price: 10 9" in page.text
    assert book.sheets.list(GAME) == []
    other = visitor.send(page.form("Publish anyway"), text=toml("[turn]\nset_price = 8"), do="publish")
    assert f"With these numbers: {sold} $8" in other.text, "other numbers are examined again"
    assert book.sheets.list(GAME) == []
    page = visitor.send(other.form("Publish anyway"), do="publish")
    assert "The sheet is published" in page.text
    assert "Your box may be right" in page.text
    assert [sheet.overrides for sheet in book.sheets.list(GAME)] == [{"turn.set_price": 8}]


def test_sheet_that_opens_no_game_is_not_published(visitor, book):
    page = send(visitor, '[factories]\ncolours = ["red", "blue", "green"]')
    assert page.status == 422
    assert "No game can be played with these numbers" in page.text
    assert book.sheets.list(GAME) == []


def test_finding_links_to_the_row_of_its_number(visitor):
    page = send(visitor, "[turn]\nset_price = 9", do="check")
    assert page.link("With these numbers") == "#turn.set_price"
    assert '<tr id="turn.set_price" class="changed">' in page.html


def test_group_that_compared_everything_publishes_no_assumptions(visitor, book):
    page = send(visitor, "[start]\nmoney = 5", whole="yes", do="check")
    assert "a placeholder: compare it with your box" not in page.text
    page = visitor.send(page.form("Publish"), do="publish")
    assert "The sheet is published" in page.text
    assert page.form("Publish").fields["whole"] == "yes", "a sheet based on this one assumes nothing either"
    sheet = book.sheets.get(GAME, book.sheets.list(GAME)[0].hash)
    assert {number.tag for number in sheet.numbers.values()} == {"text", "public", "box"}
    assert sheet.numbers["cards.R1.copies"].where == "ours"
    assert book.sheets.list(GAME)[0].overrides == {"start.money": 5}


def test_check_publishes_nothing(visitor, book):
    page = send(visitor, "[start]\nmoney = 5", do="check")
    assert "The numbers fit together. Nothing is published yet." in page.text
    assert "Start, money: 0 5" in page.text
    assert "money = 5" in page.form("Publish").fields["text"]
    assert book.sheets.list(GAME) == []


def test_published_numbers_are_found_again(visitor, book):
    for name in ("ours", "theirs"):
        page = send(visitor, "[start]\nmoney = 5", name=name)
    assert "These numbers are already published, as ours." in page.text
    assert [sheet.name for sheet in book.sheets.list(GAME)] == ["ours"]


def test_sheet_is_based_on_a_published_one(visitor, book):
    form = send(visitor, "[start]\nmoney = 5").form("Publish")
    visitor.send(form, name="with a level", text=f"{form.fields['text']}level = 1", do="publish")
    assert [sheet.overrides for sheet in book.sheets.list(GAME)] == [
        {"start.money": 5},
        {"start.money": 5, "start.level": 1},
    ]


def test_game_is_opened_with_a_sheet_from_its_page(visitor, book):
    page = send(visitor, "[start]\nmoney = 5")
    asked = visitor.get(page.link("New game with it")).form("Open the game")
    assert asked.fields["sheet"] == book.sheets.list(GAME)[0].hash


def test_long_list_of_differences_is_folded(visitor, book):
    book.sheets.publish(
        GAME,
        "ours",
        {f"box.{what}": 1 for what in ("factories", "certificates", "cards", "card_types")}
        | {"start.money": 1, "start.level": 1, "turn.hand_limit": 3},
        "seat:1",
    )
    page = visitor.get(f"/sheets/{GAME}")
    assert "ours a player" in page.text
    assert "<summary>7 numbers differ</summary>" in page.html
    assert "7 numbers differ" in visitor.get(f"/new?game={GAME}").text


# --- rows that a group adds ---


def test_added_event_is_published_and_called_by_its_name(visitor, book):
    numbers = '[events.corn_riots]\nname = "Corn Riots"\neffect = "pay"\namount = 3'
    page = send(visitor, numbers, WF)
    assert "The box holds 17 event markers; the sheet has 18" in page.text
    page = visitor.send(page.form("Publish anyway"), do="publish")
    (published,) = book.sheets.list(WF)
    assert published.overrides["events.corn_riots.amount"] == 3
    assert "Events, Corn Riots, amount: 3" in page.text


def test_output_of_one_good_keeps_the_rest_of_its_row(visitor, book):
    page = send(visitor, "[output.food.I]\n1 = 2\n[output.food.IV]\n4 = 4", WF)
    assert "WF-9.38 With these numbers: Blue stores 3 food." in page.text
    visitor.send(page.form("Publish anyway"), do="publish")
    (published,) = book.sheets.list(WF)
    assert published.overrides == {
        f"output.food.{level}.{row}": made
        for level, whole in (("I", (2, 2, 1, 0)), ("IV", (3, 3, 2, 4)))
        for row, made in enumerate(whole, 1)
    }


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ('[events.x]\nname = "Lobby"', "Lobby belongs under lobby, not x"),
        ('[events.unknown_a]\nname = "Opium War"', "there is already one called Opium War"),
        ('[events.unknown_a]\nname = ""', "a name has letters or digits"),
        ("[events.corn_riots]\namount = 3", "what is added needs a name"),
        (f'[events.unknown_a]\nname = "{"x" * 41}"', "a name has at most 40 characters, not 41"),
    ],
)
def test_row_with_a_wrong_name_is_refused(visitor, book, numbers, message):
    page = send(visitor, numbers, WF)
    assert page.status == 422
    assert message in page.text
    assert book.sheets.list(WF) == []


# --- files ---


@pytest.mark.parametrize("game", RULESETS)
def test_downloaded_sheet_sent_back_changes_nothing(visitor, game):
    file = visitor.client.get(f"/sheets/{game}/file").data
    page = upload(visitor, file, game, name="ours", do="publish")
    assert page.status == 422
    assert "Every number is as on the sheet that Daybook comes with" in page.text
    page = send(visitor, file.decode().partition("\n\n")[2].replace("\n", "\r\n"), game)
    assert "Every number is as on the sheet that Daybook comes with" in page.text, (
        "pasted, with the ends of lines of a form"
    )


def test_file_is_uploaded_edited_and_published(visitor, book):
    file = visitor.client.get(f"/sheets/{GAME}/file")
    assert file.headers["Content-Disposition"] == 'attachment; filename="making-profit.toml"'
    head = 'game = "making_profit"'
    edited = file.text.replace(head, f'{head}\nname = "Second printing"\nby = "us"').replace(
        "money = { value = 0", "money = { value = 5", 1
    )
    page = upload(visitor, edited.encode())
    assert "The numbers fit together. Nothing is published yet." in page.text
    fields = page.form("Publish").fields
    assert (fields["name"], fields["by"]) == ("Second printing", "us")
    page = visitor.send(page.form("Publish"), do="publish")
    (published,) = book.sheets.list(GAME)
    assert (published.name, published.by, published.overrides) == ("Second printing", "us", {"start.money": 5})
    saved = visitor.client.get(page.link("Save as a file"))
    assert saved.data == visitor.client.get(f"/sheets/{GAME}/file?hash={published.hash}").data
    assert b'name = "Second printing"' in saved.data


def test_uploaded_file_with_a_bom_can_be_sent_again(visitor):
    """Editors of Windows begin a file with a byte order mark."""
    page = upload(visitor, b"\xef\xbb\xbf" + toml("[start]\nmoney = 5").encode())
    assert page.status == 200
    assert "The numbers fit together" in visitor.send(page.form("Publish"), do="check").text


# --- elsewhere ---


def test_sheets_that_are_not_here_are_not_found(visitor):
    assert visitor.get("/sheets/chess").status == 404
    for path in (f"/sheets/{GAME}", f"/sheets/{GAME}/file"):
        assert visitor.get(path, hash="0" * 64).status == 404
    assert visitor.post(f"/sheets/{GAME}?hash={'0' * 64}").status == 404


def test_a_record_says_what_it_was_played_with(friday):
    text = friday.visitor().get(f"{friday.path}/about").text
    assert "Making Profit, revision 1 of the rules" in text
    assert f"as supplied with Daybook {printed_sheet(GAME).digest()[:12]}" in text
    assert "Hands open: every card drawn is written down" in text
    assert "live, at the table, by the scorekeeper" in text
    assert "7: 7 decisions, 0 struck out" in text


def test_a_record_shows_its_seal_as_a_code_that_a_phone_can_keep(friday):
    page = friday.visitor().get(f"{friday.path}/about")
    seal = friday.game.seal
    assert f"{seal[:4]} {seal[4:8]} {seal[8:12]} {seal[12:16]}" in page.text
    assert f'data-seal="7.{seal}"' in page.html
    assert page.html.count('<div class="qr" aria-hidden="true"><svg') == 1


def test_a_photographed_seal_is_compared(page, site, friday):
    friday.enter(page, site, "reader")
    page.goto(f"{site}{friday.path}/about#7.{friday.game.seal}")
    page.get_by_text("is the one in this record").wait_for()
    page.goto("about:blank")
    page.goto(f"{site}{friday.path}/about#7.{'0' * 64}")
    page.get_by_text("is not the newest one here").wait_for()


def test_the_record_is_downloaded_whole_by_who_sees_everything(friday):
    page = friday.visitor().get(f"{friday.path}/about")
    keeper = friday.visitor()
    answer = keeper.client.get(page.link("Download the record"))
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"] == 'attachment; filename="friday.daybook"'
    lines = answer.data.splitlines()
    assert len(lines) == 9
    assert json.loads(lines[-1])["seal"] == friday.game.seal


def test_while_hands_are_covered_a_reader_gets_no_record(friday):
    for role, seat in (("reader", None), ("seat", 1)):
        somebody = friday.visitor(role, seat)
        assert (
            "You can download it when the game is closed: it names every card"
            in somebody.get(f"{friday.path}/about").text
        )
        assert somebody.get(f"{friday.path}/export").status == 403


def test_a_game_calls_things_as_its_sheet_does(visitor, book):
    hash = book.sheets.publish("water_frame", "ours", {"events.unknown_a.name": "Great FROST"}, "us")
    form = visitor.get("/new", game="water_frame", sheet=hash).form("Open the game")
    visitor.send(form, **{"title": "Frost", "name.0": "Anna", "name.1": "Ben", "colour.0": "blue", "colour.1": "red"})
    (game,) = book.kept.games()
    assert book.games.get(game.id).opening.sheet.overrides == {"events.unknown_a.name": "Great FROST"}
    about = visitor.get(f"/games/{game.id}/about").text
    assert "Events, Great FROST, name: Great FROST" in about


def test_what_happened_is_told_by_the_names_of_each_sheet(app):
    happened = plain(EventRevealed("WF-12", "unknown_a", 3))
    with app.test_request_context():
        assert sentence("water_frame", happened, ()) == "Event of 3: Unknown A"
        for hash, name in (("one", "Great Frost"), ("other", "Long Summer")):
            use_sheet_names(PinnedSheet(hash, {}, {"events.unknown_a.name": name}))
            assert sentence("water_frame", happened, ()) == f"Event of 3: {name}"


def test_names_of_things_last_for_one_request(app):
    words = {"unknown_a": "Unknown A", "lobby": "Lobby"}
    with app.test_request_context():
        use_sheet_names(
            PinnedSheet(
                "",
                {},
                {"events.unknown_a.name": "Great Frost", "events.corn_riots.name": "Corn RIOTS", "ships.8.crew": 3},
            )
        )
        assert sheet_label("events", "unknown_a", words) == "Great Frost"
        assert sheet_label("events", "corn_riots", words) == "Corn RIOTS"
        assert sheet_label("events", "lobby", words) == "Lobby"
        assert sheet_label("events", "Event of 1770", words) == "Event of 1770"
        use_sheet_names(PinnedSheet("", {}, {"events.unknown_a.name": "Unknown A"}))
        assert sheet_label("events", "corn_riots", words) == "Corn riots"
    with app.test_request_context():
        assert sheet_label("events", "unknown_a", words) == "Unknown A"
