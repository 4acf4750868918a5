"""The page of plays that come in and go out: looked at first, matched, brought in, undone, taken out."""

from __future__ import annotations

import io
from functools import partial

import msgspec
import pytest
from playwright.sync_api import Route, expect

from daybook.services.league import anonymity, club_imports
from daybook.services.league.clubs.import_plan import NEW
from daybook.web.club import exchange
from tests.services.clubbing import found_club
from tests.services.exchange.made import BGG, export
from tests.web.conftest import Visitor
from tests.web.leagues import PASSWORD

TABLE = "date,game,players,scores,winner\n2026-05-01,Azul,Olga; Zoe,51; 40,Olga\n"


def send(somebody: Visitor, path: str, content: bytes):
    data = {"csrf": somebody.token(), "file": (io.BytesIO(content), "plays")}
    return somebody.client.post(path, data=data, content_type="multipart/form-data")


def test_a_table_is_looked_at_and_comes_in_and_is_undone(mill):
    olga = mill.signed_in()
    page = olga.press(f"{mill.path}/import", "Preview the import", text=TABLE)
    assert "1 play is new (" in page.text and "Azul 1 play new here" in page.text
    assert mill.club.beside.tables == {}, "nothing is written"
    page = olga.send(page.form("Add 1 play"), **{"game-here.0": "Azul: Queen’s Garden"})
    assert "1 play was added" in page.text
    (table,) = mill.club.beside.tables.values()
    assert table.typed is not None and table.typed.placed[0].person == mill.olga, "matched by the name"
    page = olga.get(f"{mill.path}/seasons/beside/tables/{table.id}")
    assert table.ruleset == ":Azul: Queen’s Garden", "as it is called here"
    assert "Azul" in olga.get(mill.path).text and table.id not in olga.get(mill.path).text
    assert "Olga before Zoe" in page.text and "Plays of another program were imported" in page.text
    assert "it was imported" in page.text and "it was typed in" not in page.text and "table:" not in page.text
    again = olga.press(f"{mill.path}/import", "Preview the import", text=TABLE)
    assert "0 plays are new, 1 is already here" in again.text
    more = olga.press(
        f"{mill.path}/import", "Preview the import", text=f"{TABLE}2026-05-02,Azul,Olga; Zoe,44; 45,Zoe\n"
    )
    more = olga.send(more.form("Add 1 play"))
    assert "1 play was added. 1 play was already here." in more.text
    olga.send(more.form("Undo this import"))
    assert {*mill.club.beside.tables} == {table.id}
    for kind in ("csv", "json", "xml"):
        assert b"Azul" in olga.client.get(f"{mill.path}/plays.{kind}").data
    olga.press(f"{mill.path}/import", "Undo this import")
    assert mill.club.beside.tables == {}


def test_forgotten_player_is_marked_and_left_out_by_default(mill):
    olga = mill.signed_in()
    olga.send(olga.press(f"{mill.path}/import", "Preview the import", text=TABLE).form("Add 1 play"))
    names = mill.book.kept.names(mill.club.everybody())
    anonymity.make_anonymous(mill.book, next(id for id, name in names.items() if name == "Zoe"), by=mill.olga)
    text = TABLE.replace("2026-05-01", "2026-05-08")
    page = olga.press(f"{mill.path}/import", "Preview the import", text=text)
    assert "skipped: asked to be forgotten" in page.text
    olga.send(page.form("Add 1 play"))
    assert "Zoe" not in mill.book.kept.names(mill.club.everybody()).values()
    page = olga.press(f"{mill.path}/import", "Preview the import", text=text.replace("05-08", "05-09"))
    form = page.form("Import with these answers")  # the play of the day before may be the same
    at = next(at for at in range(2) if form.fields[f"name.{at}"] == "Zoe")
    olga.send(form, **{f"person.{at}": NEW})
    assert "Zoe" in mill.book.kept.names(mill.club.everybody()).values(), "an organiser said otherwise"


def test_correcting_an_imported_result_keeps_fields_without_form(mill):
    olga = mill.signed_in()
    told = "day,game,player,score,start,role\n2026-05-01,Azul,Olga,51,yes,red\n2026-05-01,Azul,Zoe,40ish,,blue\n"
    olga.send(olga.press(f"{mill.path}/import", "Preview the import", text=told).form("Add 1 play"))
    (table,) = mill.club.beside.tables.values()
    page = olga.get(f"{mill.path}/seasons/beside/tables/{table.id}")
    assert "Olga and Zoe played without a winner" in page.text and "together" not in page.text
    form = page.form("Save the result")
    assert "“40sh” is not a score" in olga.send(form, **{"score.1": "40sh"}, why="typed").text
    page = olga.send(form, minutes="45", why="it was longer")
    page = olga.send(page.form("Save it like this"))
    assert page.status == 200, page.text
    before, after = table.typed, mill.club.beside.tables[table.id].typed
    assert before is not None and after is not None
    assert after.details == msgspec.structs.replace(before.details, minutes=45)
    assert {*after.details.roles.values()} == {"red", "blue"} and after.details.start_player == mill.olga


def test_spoilt_and_odd_rows_are_told_before_anything_is_saved(mill):
    page = send(mill.signed_in(), f"{mill.path}/import", BGG).text
    assert page.count("a score that is not a whole number is kept as it is written") == 2
    bad = export(3, playerScores=[])
    assert "Row 1: a table has 1 to 40 seats, not 0" in send(mill.signed_in(), f"{mill.path}/import", bad).text


@pytest.mark.parametrize(
    ("content", "status", "message"),
    [
        (b"", 422, "Choose a file, or paste a table"),
        (b"<!DOCTYPE x><plays/>", 422, "declares entities or a document type"),
        (b"%PDF-1.7 \0\xff\xfe", 422, "The file is not text."),
    ],
)
def test_what_is_no_list_of_plays_is_refused_with_a_sentence(mill, content, status, message):
    answer = send(mill.signed_in(), f"{mill.path}/import", content)
    assert answer.status_code == status and message in answer.text


def test_a_hundred_megabytes_are_refused_before_they_are_read(mill, monkeypatch):
    monkeypatch.setattr(exchange, "MAX_REQUEST_BYTES", 1000)
    answer = send(mill.signed_in(), f"{mill.path}/import", b"x" * 2000)
    assert answer.status_code == 413 and "larger than 40 megabytes" in answer.text


@pytest.mark.parametrize(
    "sent",
    [
        lambda looked_at: "",
        lambda looked_at: "x",
        lambda looked_at: looked_at.rpartition(".")[0],
        lambda looked_at: looked_at[:40] + ("A" if looked_at[40] != "A" else "B") + looked_at[41:],
    ],
    ids=["nothing", "anything", "unsigned", "altered"],
)
def test_what_comes_back_is_what_was_looked_at_or_nothing(mill, sent):
    olga = mill.signed_in()
    page = olga.press(f"{mill.path}/import", "Preview the import", text=TABLE)
    looked_at = page.form("Add 1 play").fields["plays"]
    data = {"csrf": olga.token(), "plays": sent(looked_at), "key": "k"}
    answer = olga.client.post(f"{mill.path}/import/add", data=data)
    assert answer.status_code == 422 and mill.club.beside.tables == {}


def test_preview_and_import_of_one_club_are_unknown_in_another(mill):
    olga, other = mill.signed_in(), found_club(mill.book, mill.olga, "Another")
    page = olga.press(f"{mill.path}/import", "Preview the import", text=TABLE)
    looked_at = page.form("Add 1 play").fields["plays"]
    olga.send(page.form("Add 1 play"))
    (brought,) = club_imports.imports_of(mill.club)
    for path, sent in (("add", {"plays": looked_at}), ("undo", {"batch": brought.batch})):
        data = {"csrf": olga.token(), "key": path, **sent}
        assert olga.client.post(f"/clubs/{other}/import/{path}", data=data).status_code == 422
    assert club_imports.imports_of(mill.book.clubs.get(other)) == [] and club_imports.imports_of(mill.club) == [brought]


def test_members_without_role_import_nothing_strangers_read_none(mill):
    mill.member("Ben")
    ben, stranger = mill.signed_in("ben"), Visitor(mill.app)
    assert "Preview the import" not in ben.get(f"{mill.path}/import").text
    for path in ("/import", "/import/add", "/import/undo"):
        data = {"csrf": ben.token(), "text": TABLE, "plays": "", "batch": "1"}
        assert ben.client.post(mill.path + path, data=data).status_code == 403
    for path in ("/import", "/plays.csv"):
        assert stranger.client.get(mill.path + path).status_code in (302, 303, 401, 403, 404)
    assert club_imports.imports_of(mill.club) == []


@pytest.mark.server
def test_choices_stay_while_the_server_cannot_import(mill, browser, site):
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"{site}/sign-in")
    page.get_by_label("Sign-in name").fill("olga")
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Olga").wait_for()
    page.goto(f"{site}{mill.path}/import")
    page.get_by_label("Or a table").fill(TABLE)

    def fulfilled(route: Route, *, status: int, body: str) -> None:
        route.fulfill(status=status, body=body, content_type="text/html")

    look, told = page.get_by_role("button", name="Preview the import"), page.locator("[data-no-answer]")
    ours = '<main id="main"><h1>The disk is full</h1><p class="story">Nothing was saved.</p></main>'
    for status, body, says in (
        (507, ours, "The disk is full. Nothing was saved."),
        (502, "bad gateway", "No connection"),
    ):
        page.route("**/import", partial(fulfilled, status=status, body=body), times=1)
        look.click()
        expect(told).to_contain_text(says)
        expect(page.get_by_label("Or a table")).to_have_value(TABLE)
    look.click()
    expect(page.locator("#preview")).to_contain_text("1 play is new")
    page.context.close()


def test_columns_assigned_by_hand_are_remembered(mill):
    olga = mill.signed_in()
    table = "Wann,Was,Olga,Zoe,Wetter\n2026-05-01,Azul,51,40,rain\n"
    page = olga.press(f"{mill.path}/import", "Preview the import", text=table)
    assert page.status == 422 and "The first line names the columns" in page.text
    chosen = {"column.0": "day", "column.1": "game", "column.4": "ignored"}
    page = olga.send(page.form("Read the table again"), **chosen)
    assert "1 play is new" in page.text and "Zoe 40" in page.text
    olga.send(page.form("Add 1 play"))
    later = table.replace("05-01", "06-01")
    page = olga.press(f"{mill.path}/import", "Preview the import", text=later)
    assert "1 play is new" in page.text and "Olga ★ 51" in page.text, "remembered"
    page = olga.send(page.form("Read the table again"), **{"column.2": "ignored"})
    assert "Olga ★ 51" not in page.text


def test_merged_plays_are_shown_and_split(mill):
    olga = mill.signed_in()
    olga.send(olga.press(f"{mill.path}/import", "Preview the import", text=TABLE).form("Add 1 play"))
    table = "play,date,game,players,scores\nx,2026-05-01,Azul,Olga; Zoe,51; 40\n"
    page = olga.press(f"{mill.path}/import", "Preview the import", text=table)
    assert "1 is here under another id" in page.text
    page = olga.send(page.form("Save the answers"))
    assert "1 play is one with a play of the club." in page.text and len(mill.club.beside.tables) == 1
    (play,) = mill.club.beside.tables
    assert "One play from several sources" in olga.get(f"{mill.path}/seasons/beside/tables/{play}").text
    page = olga.send(page.form("Make it two plays"))
    assert "These are two plays again." in page.text and len(mill.club.beside.tables) == 2
    mill.member("Ben")
    ben = mill.signed_in("ben")
    data = {"csrf": ben.token(), "table": "x", "key": "k"}
    assert ben.client.post(f"{mill.path}/import/split", data=data).status_code == 403


def test_hundreds_of_questions_are_answered_at_once(mill):
    olga = mill.signed_in()
    rows = "".join(f"{n},2026-05-{1 + n % 28:02},Game {n},Olga; Zoe\n" for n in range(400))
    table = f"play,date,game,players\n{rows}"
    olga.send(olga.press(f"{mill.path}/import", "Preview the import", text=table).form("Add 400 plays"))
    page = olga.press(f"{mill.path}/import", "Preview the import", text=table.replace("\n", "\nb"))
    form = page.form("Import with these answers")
    assert len(form.fields) < exchange.MAX_FORM_FIELDS // 4
    data = {**form.fields, "all.unsure": "one", "csrf": olga.token()}
    answer = olga.client.post(f"{mill.path}/import/add", data=data, content_type="multipart/form-data")
    assert answer.status_code in (302, 303), answer.text[:500]
    assert len(mill.club.beside.tables) == 400
