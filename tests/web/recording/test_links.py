"""Links: what each opens, how a key travels, and that a new one shuts the old."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from daybook.services.operation import network
from daybook.services.permissions import access
from daybook.services.permissions.access import Grant
from daybook.services.store.kept import GameKept
from daybook.web.request import access as request_access
from tests.played import open_seats
from tests.web.conftest import Opened, Visitor


def test_the_scorekeepers_link_opens_the_desk(friday, visitor):
    page = visitor.join(friday.key("scorekeeper"))
    assert "Anna: 2 actions left" in page.text


def test_a_readers_link_opens_the_replay_and_no_more(friday, visitor):
    page = visitor.join(friday.key("reader"))
    assert page.status == 200
    assert "Friday" in page.text
    assert visitor.get(f"{friday.path}/record").status == 403
    assert visitor.get(f"{friday.path}/links").status == 403


def leave_room(links: int, game: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a browser hold this number of links."""
    id = access.grants_of_game(game.book, game.id)[0].id
    monkeypatch.setattr(request_access, "MAX_GRANT_CHARACTERS", links * (len(id) + 3))


def test_link_without_room_in_browser_is_told_and_can_be_kept(friday, visitor, monkeypatch):
    leave_room(2, friday, monkeypatch)
    keeper = friday.key("scorekeeper")
    visitor.join(keeper)
    page = visitor.join(friday.key("seat", 0))
    assert "gave up" not in page.text
    page = visitor.join(friday.key("seat", 1))
    for address in ("/", "/help", f"{friday.path}/record"):
        assert "has no room for more links and dropped the oldest" in visitor.get(address).text, address
    told = visitor.get("/links/dropped")
    assert f"/join#{keeper}" in told.html and "Friday" in told.text
    assert "no-store" in visitor.client.get("/links/dropped").headers["Cache-Control"]
    assert "gave up" not in visitor.send(told.form("I have what I need")).text
    assert visitor.get("/links/dropped").status == 200 and keeper not in visitor.get("/links/dropped").html


def test_links_that_no_longer_work_make_room_without_a_word(friday, visitor, book, monkeypatch):
    leave_room(2, friday, monkeypatch)
    first, *others = friday.key("reader"), friday.key("seat", 0), friday.key("seat", 1)
    visitor.join(first)
    visitor.join(others[0])
    access.revoke(book, access.read_key(book, first).id)
    assert "gave up" not in visitor.join(others[1]).text
    assert "Anna: 2 actions left" in visitor.get(f"{friday.path}/record").text


def test_dropped_link_that_is_opened_again_is_not_told_any_more(friday, visitor, monkeypatch):
    leave_room(1, friday, monkeypatch)
    keeper, seat = friday.key("scorekeeper"), friday.key("seat", 0)
    visitor.join(keeper)
    visitor.join(seat)
    visitor.join(keeper)
    html = visitor.get("/links/dropped").html
    assert keeper not in html and seat in html


def test_a_whole_link_may_be_pasted(friday, visitor):
    assert "Anna: 2 actions" in visitor.join(f" https://example.org/join#{friday.key('seat', 0)}\n").text


@pytest.mark.parametrize("key", ["", "x", "#", "a.b", "é" * 40, "a" * 3000])
def test_a_wrong_key_opens_nothing_and_says_what_to_do(friday, visitor, key):
    page = visitor.join(key)
    assert page.status == 403
    assert "This link does not work" in page.text
    assert "Ask the scorekeeper" in page.text


def test_a_key_with_one_letter_changed_opens_nothing(friday, visitor):
    key = friday.key("scorekeeper")
    changed = ("B" if key[0] == "A" else "A") + key[1:]
    assert visitor.join(changed).status == 403


def test_each_link_is_on_the_page_with_its_code_not_in_addresses(friday):
    page = friday.visitor().get(f"{friday.path}/links")
    keys = [access.key_of(friday.book, grant) for grant in access.grants_of_game(friday.book, friday.id)]
    assert len(keys) == 5
    for key in keys:
        assert f"/join#{key}" in page.html
    addresses = [href for _, href in page.links] + [form.action for form in page.forms]
    addresses += re.findall(r'(?:src|href|action)="([^"]*)"', page.html)
    assert not [address for address in addresses if any(key in address for key in keys)]
    assert page.html.count('<div class="qr" aria-hidden="true"><svg') == 5
    assert page.answer.headers["Cache-Control"] == "no-store"
    assert page.answer.headers["Referrer-Policy"] == "no-referrer"


def test_links_are_for_the_scorekeeper(friday, visitor):
    for somebody in (visitor, friday.visitor("seat", 0), friday.visitor("reader")):
        assert somebody.get(f"{friday.path}/links").status == 403
        assert somebody.post(f"{friday.path}/links/more").status == 403
        assert somebody.post(f"{friday.path}/public", public="yes").status == 403


def test_a_link_made_anew_shuts_the_old_one(friday, visitor):
    old = friday.key("seat", 1)
    ben = friday.visitor("seat", 1)
    keeper = friday.visitor()
    forms = [form for form in keeper.get(f"{friday.path}/links").forms if "grant" in form.fields]
    grant = next(g for g in access.grants_of_game(friday.book, friday.id) if g.seat == 1)
    page = keeper.send(next(form for form in forms if form.fields["grant"] == grant.id))
    assert "The old one no longer works" in page.text
    assert visitor.join(old).status == 403
    assert ben.get(f"{friday.path}/record").status == 403, "who held the old one is out"
    assert visitor.join(friday.key("seat", 1)).status == 200


def test_the_scorekeeper_stays_in_when_the_own_link_is_made_anew(friday):
    keeper = friday.visitor()
    old = friday.key("scorekeeper")
    form = next(
        form
        for form in keeper.get(f"{friday.path}/links").forms
        if form.fields.get("grant") == access.grants_of_game(friday.book, friday.id)[0].id
    )
    assert keeper.send(form).status == 200
    assert access.read_key(friday.book, old) is None
    assert keeper.get(f"{friday.path}/links").status == 200


def test_a_link_of_another_game_is_not_made_anew_here(friday, open_game):
    other = open_game(title="Saturday")
    strange = access.grants_of_game(other.book, other.id)[0]
    assert friday.visitor().post(f"{friday.path}/links/replace", grant=strange.id).status == 404
    assert access.grant_of(friday.book, strange.id) == strange


def test_a_game_is_shown_to_everybody_and_to_links_alone_again(friday, visitor):
    keeper = friday.visitor()
    assert visitor.get(f"{friday.path}/score").status == 403
    keeper.press(f"{friday.path}/links", "Show it to everyone")
    assert visitor.get(f"{friday.path}/score").status == 200
    keeper.press(f"{friday.path}/links", "Only with a link")
    assert visitor.get(f"{friday.path}/score").status == 403


NAMES = {"title": "Thursday", "name.0": "Annabel", "name.1": "Ben", "name.2": "Cléo"}


def test_title_and_names_are_changed_and_no_seal_is(friday):
    keeper, seal = friday.visitor(), friday.game.seal
    page = keeper.press(f"{friday.path}/links", "Change the names", **NAMES)
    assert "The names are changed" in page.text
    assert friday.game.seal == seal
    for path in ("", "/about", "/record", "/score"):
        text = keeper.get(f"{friday.path}{path}").text
        assert "Thursday" in text
        assert "Annabel" in text
        assert "Anna " not in text
    assert b"Annabel" in keeper.client.get(f"{friday.path}/export").data.splitlines()[0]


@pytest.mark.parametrize(
    ("field", "sent", "message"),
    [
        ("title", " ", "Give the game a name"),
        ("title", "x" * 121, "121 characters are too many: at most 120"),
        ("name.1", "", "Enter a name"),
        ("name.1", "y" * 61, "61 characters are too many: at most 60"),
        ("name.2", "a\u202eb", "It contains invisible characters"),
    ],
)
def test_a_name_that_is_none_changes_nothing(friday, field, sent, message):
    keeper = friday.visitor()
    page = keeper.press(f"{friday.path}/links", "Change the names", **NAMES | {field: sent})
    assert page.status == 422
    assert message in page.text
    assert page.form("Change the names").fields["name.0"] == "Annabel", "what was typed stays"
    kept = friday.book.kept.game(friday.id)
    assert kept is not None
    assert (kept.title, kept.names) == ("Friday", ("Anna", "Ben", "Cleo"))


def test_links_follow_the_public_address(tmp_path):
    from daybook.services.settings import Settings
    from daybook.services.store.daybook import open_daybook
    from daybook.web.app import create_app

    book = open_daybook(Settings(data=tmp_path / "d", base_url="https://games.example.org/daybook"), create=True)
    visitor = Visitor(create_app(book))
    for path in ("/new", "/daybook/new"):  # whether the proxy cuts its path off or not
        form = visitor.client.get(f"{path}?game=making_profit", base_url="https://games.example.org/daybook")
        assert b'action="/daybook/new"' in form.data
        assert "Secure" in form.headers.get("Set-Cookie", "Secure")
    game = open_seats(book)
    key = access.key_of(book, access.make_grant(book, game, "scorekeeper"))
    client = visitor.client
    at = {"base_url": "https://games.example.org/daybook"}
    token = re.search(r'name="csrf" value="([^"]+)"', client.get("/join", **at).text)[1]
    assert client.post("/join", data={"csrf": token, "key": key}, **at).status_code == 303
    assert "https://games.example.org/daybook/join#" in client.get(f"/games/{game}/links", **at).text
    book.close()


# --- from another device ---------------------------------------------------------------------------------------------


def served_at(friday: Opened, host: str) -> None:
    settings = replace(friday.book.settings, host=host)
    friday.app.extensions["daybook"] = replace(friday.book, settings=settings)


def test_links_use_the_network_address_where_it_is_served(friday):
    served_at(friday, "0.0.0.0")
    page = friday.visitor().get(f"{friday.path}/links")
    for address in network.local_addresses()[:1]:
        assert f"http://{address}:8000/join#" in page.html
        assert "cannot open these links yet" not in page.text
    if not network.local_addresses():
        assert "This computer is not connected to a network" in page.text


def test_only_one_of_our_own_addresses_can_be_chosen(friday):
    served_at(friday, "0.0.0.0")
    scorekeeper = friday.visitor()
    for address in network.local_addresses():
        page = scorekeeper.get(f"{friday.path}/links", at=f"http://{address}:8000")
        assert f"http://{address}:8000/join#" in page.html
    page = scorekeeper.get(f"{friday.path}/links", at="http://thief.example.org")
    assert "thief.example.org/join" not in page.html


def test_a_page_that_no_phone_reaches_says_so_and_what_to_do(friday):
    served_at(friday, "127.0.0.1")
    page = friday.visitor().get(f"{friday.path}/links")
    assert "Other phones cannot open these links yet" in page.text
    assert "start Daybook again: the window" in page.text and "make run" not in page.html
    phone = friday.visitor()
    phone.client.environ_base["HTTP_USER_AGENT"] = "Mozilla/5.0 (iPhone) Mobile/15E148"
    page = phone.get(f"{friday.path}/links")
    assert "ask the person who started Daybook on the computer" in page.text


@pytest.mark.parametrize(
    "role, seat, says",
    [
        (
            "seat",
            1,
            "Ben, you are in Making Profit with Anna, Ben and Cleo On this phone you enter what you decide. Other players’ phones do not show your hand.",
        ),
        ("reader", None, "You are in Making Profit with Anna, Ben and Cleo You can watch and replay the game here."),
    ],
)
def test_phone_that_opens_a_link_is_told_once_what_it_can_do(friday, visitor, role, seat, says):
    key = friday.key(role, seat)
    page = visitor.send(visitor.get("/join").form_to("/join"), key=key, by_link="yes")
    assert says in page.text and friday.path in page.link("Open the game")
    again = visitor.send(visitor.get("/join").form_to("/join"), key=key, by_link="yes")
    assert "you are in" not in again.text.casefold()


def test_phone_that_opened_the_wrong_seat_can_leave_it(friday, visitor):
    for seat in (0, 1):
        page = visitor.send(visitor.get("/join").form_to("/join"), key=friday.key("seat", seat), by_link="yes")
    assert "Ben, you are in" in page.text and "This phone also plays for Anna" in page.text
    page = visitor.send(page.form_to("/joined/leave"))
    assert "This phone does not play for Ben" in page.text
    visitor.send(page.form_to("/join"), key=friday.key("seat", 0))
    assert [grant.seat for grant in grants_in(visitor, friday)] == [0]


def grants_in(visitor: Visitor, game: Opened) -> list[Grant]:
    with visitor.client.session_transaction() as session:
        return access.grants_of(game.book, session["grants"])


def test_name_is_normalised_and_lookalikes_are_refused(friday):
    keeper = friday.visitor()
    title, names = kept_of(friday).title, list(kept_of(friday).names)
    names[0] = unicodedata.normalize("NFD", "김민지")
    keeper.post(f"{friday.path}/names", title=title, **{f"name.{seat}": name for seat, name in enumerate(names)})
    assert kept_of(friday).names[0] == "김민지"
    names[0] = f"{names[1]}\u3164"
    page = keeper.post(f"{friday.path}/names", title=title, **{f"name.{seat}": name for seat, name in enumerate(names)})
    assert page.status == 422 and "It looks the same as another name at the table" in page.text
    assert kept_of(friday).names[0] == "김민지"


def kept_of(game: Opened) -> GameKept:
    kept = game.book.kept.game(game.id)
    assert kept is not None
    return kept


def test_replacing_a_link_asks_first_and_says_whose_stops(page, site, friday):
    friday.enter(page, site)
    page.goto(f"{site}{friday.path}/links")
    row = page.locator(".link-row").filter(has_text="Ben").first
    row.get_by_text("What it can do").click()
    row.get_by_text("Replace it").click()
    expect(page.locator(".said.done")).to_have_count(0)
    expect(row).to_contain_text("The link of Ben stops working on every device")
    row.get_by_role("button", name="Stop the link of Ben").click()
    done = page.locator(".said.done")
    expect(done).to_contain_text("The old one no longer works")
    assert done.evaluate("each => getComputedStyle(each).borderLeftColor") == "rgb(43, 107, 74)", (
        "the colour of success"
    )
