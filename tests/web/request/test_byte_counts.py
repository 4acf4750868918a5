"""Bytes that clients store: counted for the person, the link, the address and all strangers, and never for a decision."""

from __future__ import annotations

import io
from contextlib import closing
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa
from PIL import Image

from daybook.domain.kernel.board import plain
from daybook.services.clock import later_time, now
from daybook.services.files.import_export import import_file
from daybook.services.operation import broken_off, erasing, stranger_files
from daybook.services.operation.usage import measure_usage
from daybook.services.people import byte_limits
from daybook.services.permissions import access
from daybook.services.play.practice import Dealer
from daybook.services.settings import Settings
from daybook.services.store.byte_meter import ByteMeter, use_meter
from daybook.services.store.daybook import open_daybook
from daybook.services.store.kept import kept_grant, kept_photo, kept_stored
from daybook.services.store.sheets import kept_sheet
from daybook.web.app import create_app
from tests.played import open_table_of
from tests.services.fixture_files import file_of, played_game
from tests.services.leagues import enter_game, found_mill
from tests.web.conftest import OF_OUR_PAGE, Opened, Visitor

ADDRESS = {"REMOTE_ADDR": "192.0.2.7"}
OTHER = {"REMOTE_ADDR": "198.51.100.9"}


@pytest.fixture
def public(settings_of_app, tmp_path):
    """A Daybook that its operator declared public."""
    with closing(open_daybook(settings_of_app(public=True), create=True)) as book:
        app = create_app(book)
        app.config["TESTING"] = True
        yield open_game(book, app)


@pytest.fixture
def settings_of_app(tmp_path):
    return lambda **more: Settings(data=tmp_path / "data", win_chances_seconds_per_day=0, **more)


def open_game(book, app) -> Opened:
    id = open_table_of(book, public=True)
    access.make_first_grants(book, id)
    return Opened(book, app, id)


def jpeg(colour: str = "red") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (40, 30), colour).save(out, "JPEG")
    return out.getvalue()


def bring(app, content: bytes, where: dict[str, str] = ADDRESS, **more):
    """Import a record file over the API without an account."""
    headers = {"Idempotency-Key": str(uuid4()), **more}
    kind = "application/x-ndjson"
    return app.test_client().post(
        "/api/v1/games/import", data=content, content_type=kind, headers=headers, environ_overrides=where
    )


def claim(game: Opened, somebody: Visitor, colour: str = "red", where: dict[str, str] = ADDRESS):
    data = {
        "step": "0",
        "statement": "x",
        "key": uuid4().hex,
        "seat": "0",
        "photo": (io.BytesIO(jpeg(colour)), "a.jpg"),
    }
    return somebody.client.post(f"{game.path}/claims/new", data=data, headers=OF_OUR_PAGE, environ_overrides=where)


def counted(book) -> dict[str, int]:
    rows = book.kept.engine.rows(sa.select(kept_stored.c.client, kept_stored.c.bytes))
    found: dict[str, int] = {}
    for client, size in rows:
        kind = client.partition(" ")[0]
        found[kind] = found.get(kind, 0) + size
    return found


@pytest.fixture
def at_once(monkeypatch):
    """Every byte is written as soon as it is counted."""
    monkeypatch.setattr(byte_limits, "FLUSH_BYTES", 0)


def limit(monkeypatch, **bytes_per_day: int) -> None:
    monkeypatch.setattr(byte_limits, "BYTES_PER_DAY", byte_limits.BYTES_PER_DAY | bytes_per_day)


# --- counting --------------------------------------------------------------------------------------------------------


def test_meter_counts_log_and_every_kept_table(public):
    meter = ByteMeter(lambda size: None)
    use_meter(meter)
    try:
        import_file(public.book, file_of(played_game(1, limit=20)))
        found_mill(public.book)
    finally:
        use_meter(None)
    assert meter.bytes["records"] > 3_000
    assert {"records", "game", "person", "seat", "brought"} <= set(meter.bytes)


def test_import_counts_for_address_and_strangers(public, at_once):
    assert bring(public.app, file_of(played_game(1, limit=20))).status_code == 201
    found = counted(public.book)
    assert found["address"] == found["strangers"] > 3_000
    clients = {client for (client,) in public.book.kept.engine.rows(sa.select(kept_stored.c.client).distinct())}
    assert not any("192.0.2.7" in client for client in clients), "an address is counted by its digest"


def test_small_writes_wait_in_memory(public):
    keeper = public.visitor()
    keeper.client.post(
        f"{public.path}/note", data={"step": "0", "text": "hello", "key": uuid4().hex}, headers=OF_OUR_PAGE
    )
    assert counted(public.book) == {}


@pytest.mark.parametrize("who", ["address", "strangers"])
def test_stranger_over_the_limit_brings_nothing_in(public, at_once, monkeypatch, who):
    first, second = file_of(played_game(1, limit=20)), file_of(played_game(2, limit=20))
    assert bring(public.app, first).status_code == 201
    limit(monkeypatch, **{who: counted(public.book)[who] + 10})
    refused = bring(public.app, second)
    assert (refused.status_code, refused.json["error"]["code"]) == (429, "too_many_bytes")
    assert len(public.book.log.game_ids()) == 2 and len(public.book.kept.games()) == 2
    assert bring(public.app, second, OTHER).status_code == (201 if who == "address" else 429)


def test_link_of_yesterday_has_room_at_a_full_address(public, at_once, monkeypatch):
    limit(monkeypatch, address=0)
    seat = public.visitor("seat", 0)
    assert claim(public, seat).status_code == 429, "a link that is made today counts with its address"
    public.book.kept.engine.write(kept_grant.update().values(created_at=later_time(now(), hours=-25)))
    assert claim(public, seat).status_code == 303
    assert counted(public.book)["link"] > 0


def test_networks_of_one_48_share_their_bytes(public, at_once, monkeypatch):
    first, second = file_of(played_game(1, limit=20)), file_of(played_game(2, limit=20))
    assert bring(public.app, first, {"REMOTE_ADDR": "2001:db8:1:1::1"}).status_code == 201
    limit(monkeypatch, network=counted(public.book)["network"] + 10)
    assert bring(public.app, second, {"REMOTE_ADDR": "2001:db8:1:2::1"}).status_code == 429
    assert bring(public.app, second, {"REMOTE_ADDR": "2001:db8:2:1::1"}).status_code == 201


def test_link_over_the_limit_still_records_decisions(public, at_once, monkeypatch):
    limit(monkeypatch, link=0, strangers=0, address=0)
    api, path = public.app.test_client(), f"/api/v1{public.path}"

    def post(place: str, **body):
        headers = {"Authorization": f"Bearer {public.key('scorekeeper')}", "Idempotency-Key": str(uuid4())}
        return api.post(path + place, json=body, headers=headers)

    noted = post("/notes", about_step=0, text="x")
    assert (noted.status_code, noted.json["error"]["code"]) == (429, "too_many_bytes")
    assert claim(public, public.visitor()).status_code == 429
    assert public.step == 0 and public.book.kept.engine.is_empty(kept_photo)
    seat, decision = Dealer(1).next_decision(public.game.ruleset, public.game.board)
    assert post("/decisions", seat=seat, decision=plain(decision), at=0).status_code == 201
    seats = [{"name": "A", "colour": "red"}, {"name": "B", "colour": "blue"}]
    new = {"ruleset": "making_profit", "title": "New", "players": seats}
    assert api.post("/api/v1/games", json=new, headers={"Idempotency-Key": str(uuid4())}).status_code == 201


# --- marks -----------------------------------------------------------------------------------------------------------


def test_only_public_daybook_marks_strangers_files(settings_of_app):
    with closing(open_daybook(settings_of_app(), create=True)) as book:
        assert bring(create_app(book), file_of(played_game(1, limit=20))).status_code == 201
        assert list(stranger_files.iter_files(book)) == []


def test_strangers_record_photo_and_sheet_are_marked_and_erased(public):
    book = public.book
    content = file_of(played_game(1, limit=20))
    game = bring(public.app, content).json["game"]
    assert claim(public, public.visitor("seat", 0)).status_code == 303
    sheet = public.app.test_client().post(
        "/api/v1/rulesets/making_profit/sheets",
        json={"name": "Ours", "overrides": {"start.money": 3}},
        environ_overrides=ADDRESS,
    )
    found = {file.kind: file for file in stranger_files.iter_files(book)}
    expected = {"game", "photo"} | ({"sheet"} if sheet.status_code == 201 else set())
    assert set(found) == expected
    assert sheet.status_code == 201, sheet.text
    assert (found["game"].about, found["game"].bytes) == (game, len(content))
    assert found["game"].client.startswith("address ")
    erased = stranger_files.erase_before(book, "9999", "spam")
    assert {file.kind for file in erased} == expected
    assert list(stranger_files.iter_files(book)) == []
    assert book.kept.engine.is_empty(kept_photo) and book.kept.engine.is_empty(kept_sheet)
    assert book.log.game_ids() == [public.id] and book.log.is_erased(UUID(game))


def test_keepers_and_signed_in_files_are_not_marked(public):
    assert claim(public, public.visitor("scorekeeper"), "blue").status_code == 303
    assert list(stranger_files.iter_files(public.book)) == []


def test_brought_game_that_went_on_here_is_never_erased(public):
    book = public.book
    went_on, entered, plain = (
        UUID(bring(public.app, file_of(played_game(seed, limit=20))).json["game"]) for seed in (1, 2, 3)
    )
    Opened(book, public.app, went_on).play(1)
    enter_game(book, found_mill(book), "", entered)
    assert {file.about: file.went_on for file in stranger_files.iter_files(book)} == {
        str(went_on): True,
        str(entered): True,
        str(plain): False,
    }
    assert [file.about for file in stranger_files.erase_before(book, "9999", "spam")] == [str(plain)]
    assert book.games.get(went_on).step and book.games.get(entered).step


def test_decision_between_look_and_erasing_saves_the_game(public, monkeypatch):
    game = UUID(bring(public.app, file_of(played_game(1, limit=20))).json["game"])
    bury = erasing.append_tombstone

    def record_first(*args, **how):
        Opened(public.book, public.app, game).play(1)
        return bury(*args, **how)

    monkeypatch.setattr(erasing, "append_tombstone", record_first)
    assert stranger_files.erase_before(public.book, "9999", "spam") == []
    assert not public.book.log.is_erased(game)


@pytest.mark.parametrize(("days", "erased"), [(0, False), (2, False), (1, True)])
def test_timer_erases_only_what_is_old_enough(settings_of_app, monkeypatch, days, erased):
    with closing(open_daybook(settings_of_app(public=True, visitor_files_days=days), create=True)) as book:
        app = create_app(book)
        game = UUID(bring(app, file_of(played_game(1, limit=20))).json["game"])
        recorded = open_table_of(book)
        with book.kept.engine.begin() as c:  # brought in a day and a half ago
            c.execute(sa.text("UPDATE kept_stranger_file SET at = :at"), {"at": later_time(now(), hours=-36)})
        broken_off.complete_interrupted(book)
        assert book.log.is_erased(game) == erased
        assert not book.log.is_erased(recorded)


def test_strangers_files_are_refused_while_little_is_free(settings_of_app):
    with closing(open_daybook(settings_of_app(public=True, visitor_files_min_free_gb=100_000), create=True)) as book:
        app = create_app(book)
        app.config["TESTING"] = True
        game = open_game(book, app)
        refused = bring(app, file_of(played_game(1, limit=20)))
        assert (refused.status_code, refused.json["error"]["code"]) == (507, "disk_nearly_full")
        assert claim(game, game.visitor("seat", 0)).status_code == 507
        assert claim(game, game.visitor("scorekeeper")).status_code == 303
        game.play(2)
        assert book.log.game_ids() == [game.id]


def test_usage_says_who_fills_the_disk(public, at_once):
    bring(public.app, file_of(played_game(1, limit=40)))
    claim(public, public.visitor("seat", 0))
    found = measure_usage(public.book)
    assert found.records[0].bytes > found.records[-1].bytes and found.records[-1].title == "Tuesday"
    assert {client.client.partition(" ")[0] for client in found.clients} == {"link", "address", "strangers"}
    strangers = next(client for client in found.clients if client.client == "strangers")
    assert strangers.bytes == max(client.bytes for client in found.clients) and strangers.kinds["records"] > 3_000
    assert found.photos > 0 and found.brought_in > 0 and found.free > 0
