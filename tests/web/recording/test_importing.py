"""Record files through the page: accepted files, refused ones with the line, and permissions."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from daybook.services.analysis.win_chances import games_due
from daybook.services.clock import later_time, now
from daybook.services.files import import_export
from daybook.services.files.imported_games import due_days
from daybook.services.permissions import access
from daybook.services.reading_limits import RECORD_FILE_BYTES
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.kept import kept_grant
from tests.played import play_game, update_games
from tests.services.at_once import at_once
from tests.services.fixture_files import FIXTURES, bare_file_of, file_of, played_game, reseal_line
from tests.web.conftest import OF_OUR_PAGE, VisitedPage, Visitor
from tests.web.people.test_sign_in import signed_up

pytestmark = pytest.mark.slow

GAME = played_game(9)
FILE = file_of(GAME)
BY_HAND = (FIXTURES / "by-hand.daybook").read_bytes()


def bring(visitor: Visitor, file: bytes | None, form: Any = None, **more: str) -> VisitedPage:
    """Send a file with the form of the import page."""
    fields = (form or visitor.get("/import").form("Import")).fields
    fields = {name: text for name, text in fields.items() if name != "record"} | more
    sent = {} if file is None else {"record": (io.BytesIO(file), "game.daybook")}
    return VisitedPage(
        visitor.client.post("/import", data=fields | sent, content_type="multipart/form-data", follow_redirects=True)
    )


def cut(file: bytes, lines: int) -> bytes:
    return b"".join(file.splitlines(keepends=True)[:lines])


def nothing_changed(book: Daybook, newest: int | None = None) -> bool:
    return book.log.newest() == newest if newest else not book.log.newest() and not book.kept.games()


def test_a_record_file_is_taken_in_and_its_links_are_handed_out(visitor, book):
    page = bring(visitor, FILE)
    assert "The record is here: hand out the links" in page.text
    assert f"Making Profit, {GAME.step} steps, finished." in page.text
    (kept,) = book.kept.games()
    assert (kept.id, kept.public) == (GAME.id, False)
    assert import_export.export_game(book, GAME.id) == FILE
    assert page.html.count("/join#") == 6, "the scorekeeper, four seats, readers"
    assert visitor.get(f"/games/{GAME.id}/score").status == 200


WRITTEN = """# game: Making Profit
# title: From paper
# seat: Anna (red)
# seat: Ben (blue)
the table: R1; the table: R1; the table: R1; the table: M1
Anna starts
"""


@pytest.mark.parametrize("by", ["seat:9", "seat:x", "seat:", "seat:²", "seat:1:2", "umpire:x", "umpire:", "seat"])
def test_a_writer_whom_no_place_of_the_table_is_stops_no_page(visitor, book, by):
    """The file names the writer of a line, and any person can write a file."""
    assert bring(visitor, f"{WRITTEN}# by: {by}\nAnna: develop R1\nnote it rained\n".encode()).status == 200
    (kept,) = book.kept.games()
    assert by in {entry.event.by for entry in book.games.get(kept.id).entries}
    for page in ("", "/about", "/record", "/score", "/transcript"):
        assert visitor.get(f"/games/{kept.id}{page}").status == 200, page


def test_a_game_that_is_written_as_text_is_taken_in_too(visitor, book):
    page = bring(visitor, WRITTEN.encode())
    assert "The record is here: hand out the links" in page.text
    assert "Making Profit, 5 steps, being played." in page.text


def test_endless_text_is_saved_in_part_and_the_rest_stays(visitor):
    page = bring(visitor, None, text=WRITTEN + "note a\n" * 2_000)
    assert "1500 were saved." in page.text
    assert len(page.form("Save").fields["text"].split("\n")) > 500


def test_unreadable_text_stays_on_the_page_where_it_was_typed(visitor, app, book):
    page = bring(visitor, None, text=f"{WRITTEN}hop about\nrun")
    assert page.status == 422 and "“hop about” is not possible now." in page.text
    assert page.form("Save").fields["text"] == "hop about\nrun"
    page = visitor.send(page.form("Save"), text="run", do="record")
    assert page.status == 200
    assert bring(Visitor(app), WRITTEN.encode()).status == 200, "the same text of somebody else is another game"
    assert sorted(book.games.get(kept.id).step for kept in book.kept.games()) == [5, 6]


def test_it_is_shown_to_everybody_where_that_was_chosen(visitor, book, app):
    page = bring(visitor, FILE, public="yes")
    assert page.html.count("/join#") == 5, "readers need no link"
    assert Visitor(app).get(f"/games/{GAME.id}/score").status == 200


def test_a_bare_file_is_completed_by_the_rules(visitor, book):
    assert "The record is here" in bring(visitor, BY_HAND).text
    (kept,) = book.kept.games()
    assert kept.names == ("Ada", "Ben")
    assert book.games.get(kept.id).step == BY_HAND.count(b"\n") - 1


def test_a_game_that_is_not_finished_goes_on_here(visitor, book):
    page = bring(visitor, cut(FILE, 40))
    assert visitor.get(page.link("Continue recording")).status == 200


def line(file: bytes, number: int, put: bytes) -> bytes:
    lines = file.splitlines(keepends=True)
    return b"".join([*lines[: number - 1], put + b"\n", *lines[number:]])


BROKEN: list[tuple[str, bytes, list[str]]] = [
    ("empty", b"", ["Line 1: the file is empty"]),
    ("a picture", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), ["Line 1"]),
    ("a text", b"Dear diary\n", ["Line 1", "Dear diary"]),
    ("a header alone", cut(FILE, 1), ["Line 2: the line that opens the game is missing"]),
    (
        "another game",
        FILE.replace(b'"making_profit"', b'"chess"', 1),
        ["Line 1: Daybook does not know the game 'chess'"],
    ),
    ("an altered step", FILE.replace(b'"step":30,', b'"step":31,'), ["Line 32: step 30"]),
    ("half a line", FILE[:-100], [f"Line {len(GAME.entries) + 1}"]),
    ("carriage returns", FILE.replace(b"\n", b"\r\n"), ["Line 1: the line ends with a carriage return"]),
    ("a line of two kinds", line(BY_HAND, 4, b'{"close":{},"abandon":{"why":"x"}}'), ["Line 4: a line is one of"]),
    ("a decision that is none", line(BY_HAND, 4, b'{"seat":0,"decision":{"type":"fly"}}'), ["Line 4", "fly"]),
    (
        "an illegal decision",
        line(BY_HAND, 3, b'{"seat":1,"decision":{"type":"run"}}'),
        ["Line 3: it is the turn of Ada MP-4.1.1", '{"seat":1,"decision":{"type":"run"}}'],
    ),
    ("markup", line(BY_HAND, 3, b"<script>alert(1)</script>"), ["Line 3", "alert(1)"]),
]


@pytest.mark.parametrize(("file", "message"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_refused_import_names_line_and_reason_changes_nothing(visitor, book, file, message):
    page = bring(visitor, file)
    assert page.status == 422
    for words in (*message, "Nothing was imported"):
        assert words in page.text
    assert nothing_changed(book)
    assert "<script>alert" not in page.html
    assert "The record is here" in bring(visitor, FILE, page.form("Import")).text, "the page takes the next one"


IN_KOREAN = {
    "empty": "1번째 줄: 파일이 비어 있습니다",
    "a text": "1번째 줄: 1번째 바이트부터 JSON이 아닙니다",
    "a header alone": "2번째 줄: 게임을 여는 줄이 없습니다",
    "an altered step": "32번째 줄: 스텝 30: 봉인이 맞지 않습니다: 이 줄이나 앞줄이 바뀌었습니다",
    "carriage returns": "1번째 줄: 줄이 캐리지 리턴으로 끝납니다",
    "a line of two kinds": "4번째 줄: 한 줄은 다음 가운데 하나입니다: decision(seat과 함께), take_back",
    "a decision that is none": "4번째 줄: 'fly'은(는) Making Profit의 결정이 아닙니다; 있는 것: ",
}


@pytest.mark.parametrize(("name", "message"), IN_KOREAN.items())
def test_faulty_file_is_described_in_the_language_of_the_page(visitor, name, message):
    form = visitor.get("/import").form("Import")
    visitor.post("/preferences", language="ko")
    assert message in bring(visitor, next(file for called, file, _ in BROKEN if called == name), form).text


def test_json_error_is_described_in_the_language_of_the_page(visitor):
    form = visitor.get("/import").form("Import")
    visitor.post("/preferences", language="ko")
    file = line(BY_HAND, 4, b'{"note":{"about_step":"here","text":"x"}}')
    assert "note.about_step: 글이(가) 있습니다; 정수을(를) 써야 합니다" not in bring(visitor, file, form).text
    assert "note.about_step: 글이 있습니다; 정수를 써야 합니다" in bring(visitor, file, form).text


def test_without_a_file_it_asks_for_one(visitor, book):
    page = bring(visitor, None)
    assert (page.status, "No file was chosen" in page.text) == (422, True)
    assert nothing_changed(book)


def test_a_file_that_is_too_large_is_not_read(visitor, book):
    form = visitor.get("/import").form("Import")
    page = VisitedPage(
        visitor.client.post(
            "/import",
            data=form.fields | {"record": (io.BytesIO(FILE), "x")},
            content_type="multipart/form-data",
            environ_overrides={"CONTENT_LENGTH": str(RECORD_FILE_BYTES + 1)},
        )
    )
    assert page.status == 413
    assert "The file is larger than 16 megabytes" in page.text
    assert nothing_changed(book)


def test_a_form_without_its_token_takes_nothing_in(visitor, book):
    assert bring(visitor, FILE, csrf="wrong").status == 403
    assert nothing_changed(book)


def test_the_same_file_twice_is_one_game(visitor, book, app):
    form = visitor.get("/import").form("Import")
    bring(visitor, FILE, form)
    newest, page = book.log.newest(), bring(visitor, FILE, form)
    assert "the file contains nothing new" in page.text
    assert page.html.count("/join#") == 6
    assert nothing_changed(book, newest)


def test_form_resent_after_a_lost_answer_keeps_the_link(visitor, book):
    form = visitor.get("/import").form("Import")
    cookie = visitor.cookie
    bring(visitor, FILE, form)
    visitor.cookie = cookie  # the first answer never arrived
    assert bring(visitor, FILE, form).status == 200
    assert visitor.get(f"/games/{GAME.id}/links").status == 200


def test_process_killed_before_making_links_loses_no_link(visitor, book, app):
    form = visitor.get("/import").form("Import")
    cookie = visitor.cookie
    bring(visitor, FILE, form)
    visitor.cookie = cookie
    keeper = kept_grant.c.role == "scorekeeper"
    book.kept.engine.write(kept_grant.delete().where(~keeper))
    book.kept.engine.write(kept_grant.update().where(keeper).values(revoked_at=access.RESERVED))
    assert bring(Visitor(app), FILE).status == 403
    page = bring(visitor, FILE, form)
    assert page.html.count("/join#") == 6


def test_a_longer_file_adds_what_is_missing(visitor, book):
    bring(visitor, cut(FILE, 40))
    form = visitor.get(visitor.get(f"/games/{GAME.id}/about").link("Import a longer record")).form("Import")
    page = bring(visitor, FILE, form)
    assert f"{GAME.step - 38} steps were added: the game is now at step {GAME.step}." in page.text
    assert import_export.export_game(book, GAME.id) == FILE
    older = bring(visitor, cut(FILE, 20), form)
    assert "contains nothing new" in older.text
    assert import_export.export_game(book, GAME.id) == FILE


@pytest.mark.parametrize("file", [FILE, bare_file_of(GAME), reseal_line(FILE, 12, at="2026-11-20T00:00:00.000Z")])
def test_scorekeeper_alone_extends_a_game_and_no_one_learns_more(visitor, book, app, file):
    bring(visitor, cut(FILE, 40), public="yes")
    newest = book.log.newest()
    page = bring(Visitor(app), file)
    assert page.status == 403
    assert "only its scorekeeper can add to it" in page.text
    assert page.link("Go to the game") == f"/games/{GAME.id}"
    assert nothing_changed(book, newest)


def test_game_read_by_link_is_not_shown_to_who_imports_its_file(visitor, app):
    bring(visitor, cut(FILE, 40))
    page = bring(Visitor(app), FILE)
    assert page.status == 403
    assert not [href for _, href in page.links if str(GAME.id) in href]


def test_another_record_of_the_same_game_is_told_where_they_part(visitor, book):
    bring(visitor, cut(FILE, 40))
    newest = book.log.newest()
    page = bring(visitor, reseal_line(cut(FILE, 30), 20, at="2026-11-20T00:00:00.000Z"))
    assert page.status == 409
    assert "They differ from step 18 on" in page.text
    assert nothing_changed(book, newest)


def test_the_record_of_another_game_does_not_go_into_this_one(friday, book):
    keeper, newest = friday.visitor(), book.log.newest()
    page = keeper.get("/import", game=str(friday.id))
    assert "A longer record of this game" in page.text
    page = bring(keeper, FILE, page.form("Import"))
    assert page.status == 422
    assert "The file contains another game" in page.text
    assert nothing_changed(book, newest)
    assert "The record is here" in bring(keeper, FILE, keeper.get(page.link("Import it as")).form("Import")).text


def test_the_page_names_no_game_that_its_visitor_may_not_read(friday, visitor):
    for game in (str(friday.id), "x", "0" * 32, ""):
        page = visitor.get("/import", game=game)
        assert page.status == 200
        assert "Friday" not in page.text


@pytest.fixture
def choose_file(page: Page, site: str, tmp_path) -> Callable[[bytes], Page]:
    def choose(file: bytes) -> Page:
        path = tmp_path / "x.daybook"
        path.write_bytes(file)
        page.goto(f"{site}/import")
        page.get_by_label("Record file").set_input_files(path)
        return page

    return choose


def test_a_browser_says_what_a_file_holds_before_it_is_sent(choose_file):
    page = choose_file(FILE)
    expect(page.get_by_role("status")).to_contain_text(
        re.compile(f"A game.*Making Profit.*Anna, Bo, Chiara, Dan.*{GAME.step}.*with seals", re.S)
    )
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The record is here: hand out the links")
    page.wait_for_load_state()


def test_a_browser_says_that_a_file_is_none_before_it_is_sent(choose_file):
    expect(choose_file(b"Dear diary\n").get_by_role("status")).to_contain_text("The first line is not that of a record")
    expect(choose_file(b"x" * (RECORD_FILE_BYTES + 1)).get_by_role("status")).to_contain_text(
        "larger than 16 megabytes"
    )


def test_who_sat_there_says_so_on_the_page(app, book):
    """The scorekeeper's link or that of the seat is needed; a reader of the game cannot."""
    anna = signed_up(app)
    bring(anna, FILE, public="yes")
    page = anna.get(f"/games/{GAME.id}/about")
    assert "This game was imported from a file" in page.text
    other = signed_up(app, "Mallory", "mallory")
    assert "This game was imported from a file" not in other.get(f"/games/{GAME.id}/about").text
    assert other.post(f"/games/{GAME.id}/seats/0/mine").status == 403
    page = anna.send(page.form("I was Bo"))
    assert "You play as Anna in this game" in page.text
    kept = book.kept.game(GAME.id)
    assert kept is not None and kept.names[:2] == ("Anna", "Anna")
    anna.send(page.form("That was not me"))
    kept = book.kept.game(GAME.id)
    assert kept is not None and kept.names[:2] == ("Anna", "Bo")


def test_names_that_nobody_can_tell_apart_are_no_names(visitor, book):
    header, *rest = FILE.splitlines(keepends=True)
    page = bring(visitor, header.replace(b'"Bo"', '"Anna\u3164"'.encode()) + b"".join(rest))
    assert (
        page.status == 422 and "only a letter that cannot be seen tells it from another name at the table" in page.text
    )
    assert nothing_changed(book)


def test_concurrent_imports_of_one_game_keep_one(app, book):
    """Otherwise the owner of the file, or of the id in it, would be the scorekeeper of another's import."""
    files = [bare_file_of(played_game(seed, limit=60)) for seed in range(20, 26)]
    came = [list[Visitor]() for _ in files]

    def bring_one(number: int) -> None:
        visitor = Visitor(app)
        visitor.client.post("/import", data={"text": files[number].decode(), "key": "k"}, headers=OF_OUR_PAGE)
        came[number].append(visitor)

    at_once(bring_one, rounds=len(files))
    for file, visitors in zip(files, came, strict=True):
        game = import_export.game_id_in(file)
        held = [grant.place for grant in access.grants_of_game(book, game)]
        assert [*Counter(held).values()] == [1] * len(held), held
        assert sorted(visitor.get(f"/games/{game}/links").status for visitor in visitors) == [200, 403, 403, 403]


def test_win_chances_of_three_imports_a_day_come_after_own_games(app, book):
    """A visitor who imports many games delays neither games recorded here nor those of another visitor."""
    many, other = Visitor(app), Visitor(app)
    other.client.environ_base["REMOTE_ADDR"] = "192.0.2.8"
    imported = [played_game(seed) for seed in range(30, 36)]
    for game in imported[:5]:
        assert bring(many, file_of(game)).status == 200
    recorded_here = play_game(book, 3)
    assert bring(other, file_of(imported[5])).status == 200
    update_games(book)
    with closing(open_daybook(replace(book.settings, win_chances_seconds_per_day=3600))) as analysing:
        first, *others = games_due(analysing, limit=10)
    assert first == recorded_here
    assert {*others} == {game.id for game in (*imported[:3], imported[5])}
    assert {*due_days(book, [game.id for game in imported[3:5]]).values()} == {later_time(now(), days=1)[:10]}
