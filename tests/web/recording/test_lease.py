"""A game on one device for an evening, as pages and the device's scripts request it: permissions and visibility."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import msgspec
import pytest
from flask import Flask

from daybook.domain.commands import EndLease, Note
from daybook.domain.kernel.events import LeaseEnded
from daybook.domain.league.club_commands import EnterGame, GiveRoles
from daybook.domain.league.club_events import BESIDE
from daybook.services.files import leases
from daybook.services.files.verify import verify_game
from daybook.services.league import clubs
from daybook.services.people import accounts
from daybook.services.people.writers import role_grant_id
from daybook.services.permissions import access
from daybook.services.play.practice import Dealer
from daybook.services.settings import Settings
from daybook.services.store import secret
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import begin, create_app
from daybook.web.pages import EVERYTHING, ON_A_DEVICE
from tests.services.fixture_files import FIXTURES
from tests.services.leagues import enter_as_keeper, join
from tests.web.conftest import Opened, VisitedPage, Visitor, open_table, with_three_unseen_cards

AGENT = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/150.0 Mobile Safari/537.36"


class Device:
    """A device with a daybook of its own, and what its scripts say to the service."""

    def __init__(self, book: Daybook, app: Flask, service: Visitor) -> None:
        self.book, self.app = book, app
        begin(app, book)
        self.here = Visitor(self.app)
        self.service = service
        self.key = ""

    def take(self, game: Opened, key: str = "the phone's request") -> int:
        """Take the game; the status of the answer."""
        token = self.service.client.get(f"{game.path}/lease.json").get_json()["csrf"]
        asked = self.service.client.post(
            f"{game.path}/lease",
            data={"key": key.replace(" ", "-").replace("'", ""), "reads": "2"},
            headers={"X-CSRF-Token": token, "User-Agent": AGENT},
        )
        if asked.status_code == 200:
            self.key = asked.get_json()["key"]
            kept = self.here.client.post(
                f"/take/{game.id}", data=asked.get_data(), headers={"X-CSRF-Token": self.here.token()}
            )
            assert kept.status_code == 200, kept.get_data(as_text=True)
            assert kept.get_json()["address"] == f"{game.path}/record"
        return asked.status_code

    def game(self, game: Opened) -> Opened:
        """The game as it is on the phone."""
        return Opened(self.book, self.app, game.id)

    def ask(self, game: Opened, part: str, body: Any = None, key: str | None = None, **query: str) -> Any:
        """Return the service's answers to the holder of a lease."""
        headers = {"Authorization": f"Bearer {self.key if key is None else key}"}
        address = f"{game.path}/lease/{part}"
        client = game.app.test_client()  # no cookie of anybody
        if body is None:
            return client.get(address, headers=headers)
        return client.post(address, data=body, headers=headers, query_string=query)

    def lines(self, game: Opened, after: int) -> str:
        told = self.here.client.get(f"{game.path}/hand-back.json?after={after}").get_json()
        assert told["key"] == self.key
        return "\n".join(told["lines"])


@pytest.fixture
def phone(tmp_path: Path, empty_data: Path, built_device_app: Flask, friday: Opened) -> Iterator[Device]:
    opened = open_daybook(Settings(data=Path(copytree(empty_data, tmp_path / "phone"))))
    yield Device(opened, built_device_app, friday.visitor())
    opened.close()


def record_on(phone: Device, game: Opened, decisions: int = 4, seed: int = 3) -> None:
    """Record by the pages of the phone."""
    own, dealer = phone.game(game), Dealer(seed)
    for _ in range(decisions):
        seat, decision = dealer.next_decision(own.game.ruleset, own.game.board) or (0, None)
        assert decision is not None
        page = phone.here.get(f"{game.path}/record")
        form = next(form for form in page.forms if "at" in form.fields and "key" in form.fields)
        answer = phone.here.client.post(
            f"{game.path}/record",
            data={
                "csrf": form.fields["csrf"],
                "seat": str(seat),
                "at": str(own.step),
                "key": f"phone-{own.step}",
                "decision": msgspec.json.encode(decision).decode(),
            },
        )
        assert answer.status_code == 303, answer.get_data(as_text=True)[:2000]


def test_draw_on_a_device_is_the_same_as_on_the_server(open_game, built_device_app, empty_data, tmp_path):
    """Taking a game, drawing there and ending the lease is no second try."""
    drawn, games = [], [open_game(ruleset_id="london_markets", hands="hidden") for _ in range(2)]
    opened = open_daybook(Settings(data=Path(copytree(empty_data, tmp_path / "phone"))))
    for game in games:
        phone = Device(opened, built_device_app, game.visitor())
        assert phone.take(game) == 200
        phone.here.press(f"{game.path}/record", "Let Daybook draw")
        facts = [entry.event.decision for entry in phone.game(game).game.entries[2:]]
        assert len(facts) == 3 and all(entry.event.drawn_by_daybook for entry in phone.game(game).game.entries[2:])
        game.write(EndLease(1, revoked=True, why="the phone is lost"))
        game.visitor().press(f"{game.path}/record", "Let Daybook draw")
        assert [entry.event.decision for entry in game.game.entries[3:]] == facts
        drawn.append(facts)
    opened.close()
    assert drawn[0] != drawn[1], "each game has its own seed"


def test_the_page_says_what_it_means_and_leads_to_the_device(friday, app):
    keeper = friday.visitor()
    desk = keeper.get(f"{friday.path}/record")
    page = keeper.get(desk.link("Record without a network"))
    assert "Recording without a network is not set up here" in page.text
    (friday.book.settings.data / "here").mkdir()
    (friday.book.settings.data / "here" / "version.js").write_text("")
    page = keeper.get(f"{friday.path}/lease")
    assert page.link("Prepare this device").endswith(f"/here/#/take?game={friday.id}")
    assert "with every hand and every hidden card" in page.text
    for role, seat in (("seat", 1), ("reader", None)):
        other = friday.visitor(role, seat)
        assert "Prepare this device" not in other.get(f"{friday.path}/lease").text
        assert other.client.get(f"{friday.path}/lease.json").status_code == 403
        assert other.post(f"{friday.path}/lease", key="x" * 20).status == 403
        assert other.post(f"{friday.path}/lease/end", key="x" * 20, why="mine").status == 403
    assert Visitor(app).get(f"{friday.path}/lease").status == 403


def test_an_evening_on_the_phone_comes_back_as_one_record(friday, phone):
    before = friday.step
    assert phone.take(friday) == 200
    lease = friday.step
    assert lease == before + 1
    record_on(phone, friday)
    assert friday.step == lease
    for visitor in (friday.visitor(), friday.visitor("seat", 0), friday.visitor("reader")):
        assert "records this game on a phone" in visitor.get(friday.path).text
        desk = visitor.get(f"{friday.path}/record")
        assert "Undo" not in desk.text
    assert "Recorded on another device" in friday.visitor("seat", 0).get(f"{friday.path}/record").text
    state = phone.ask(friday, "state").get_json()
    assert (state["step"], state["ended"], state["broken"]) == (lease, None, False)
    sent = phone.ask(friday, "lines", phone.lines(friday, state["step"]))
    assert sent.status_code == 200
    assert (sent.get_json()["step"], sent.get_json()["findings"]) == (lease + 4, [])
    ended = phone.ask(friday, "return", {"clock": "2031-01-01T00:00:00Z", "key": "return-1"})
    again = phone.ask(friday, "return", {"clock": "2031-01-01T00:00:00Z", "key": "return-1"})
    assert ended.status_code == again.status_code == 200
    assert ended.get_json() == again.get_json() == {"address": friday.path}
    assert friday.step == lease + 5, "once"
    desk = friday.visitor().get(f"{friday.path}/record")
    assert "records this game" not in desk.text
    assert "the time is that of the device" in friday.visitor().get(f"{friday.path}/why", step=lease + 1).text
    assert "its clock is" in friday.visitor().get(friday.path, step=friday.step).text


def test_what_a_device_is_answered_is_stored_nowhere(friday, phone):
    phone.take(friday)
    asked = [
        friday.visitor().client.get(f"{friday.path}/lease.json"),
        friday.visitor().client.get(f"{friday.path}/newest.json"),
        phone.ask(friday, "state"),
        phone.ask(friday, "state", key="another"),
        phone.here.client.get(f"{friday.path}/hand-back.json"),
        phone.here.client.get("/device.json"),
        friday.app.test_client().get("/api/v1/nothing"),
    ]
    assert [(answer.mimetype, answer.headers["Cache-Control"]) for answer in asked] == [
        ("application/json", "no-store")
    ] * len(asked)


def test_on_the_phone_it_is_said_where_the_game_belongs(friday, phone):
    phone.take(friday)
    page = phone.here.get(f"{friday.path}/record")
    assert "Only this device records the game" in page.text
    assert page.link("Hand it back").endswith(f"{friday.path}/hand-back")
    assert "0 steps were recorded on this device" in phone.here.get(f"{friday.path}/hand-back").text
    assert phone.here.client.get("/device.json").get_json() == {"running": 1}
    kept = phone.here.get("/device")
    assert kept.link("Hand it back").endswith(f"{friday.path}/hand-back")
    assert "A server is waiting for one of these games" in kept.text
    assert phone.here.post(f"{friday.path}/hand-back").status == 200
    assert phone.here.client.get("/device.json").get_json() == {"running": 0}, "a newer version may come"
    assert "was handed back" in phone.here.get(f"{friday.path}/record").text
    assert phone.here.post(f"{friday.path}/note", about_step="0", text="later", key="k" * 20).status == 200
    assert phone.game(friday).step == friday.step, "nothing more is recorded there"


def test_who_records_is_told_to_the_phone(friday, phone, app):
    anna = accounts.make_account(friday.book, "Anna Miller", sign_in="anna", password="seven looms at dawn")
    form = phone.service.get("/sign-in").form("Sign in")
    assert phone.service.send(form, sign_in="anna", password="seven looms at dawn").status == 200
    assert phone.take(friday) == 200
    record_on(phone, friday, 1)
    assert phone.game(friday).game.writers[-1] == f"scorekeeper@{anna}"
    assert "Anna Miller records this game on a phone" in friday.visitor("seat", 1).get(f"{friday.path}/record").text
    sent = phone.ask(friday, "lines", phone.lines(friday, friday.step))
    assert sent.status_code == 200


WRITING = (
    "record",
    "adjust",
    "count",
    "correct?step=3",
    "as-played",
    "as-played?seat=0",
    "claims/new?step=3",
    "undo?to_step=3",
    "wrong?step=3",
    "umpires",
    "links",
)


def test_no_page_writes_into_a_game_that_is_elsewhere(friday, phone):
    friday.play(4)
    before = {page: friday.visitor().get(f"{friday.path}/{page}").forms for page in WRITING}
    phone.take(friday)
    at = friday.step
    sent = 0
    for visitor in (friday.visitor(), friday.visitor("seat", 0)):
        for page in WRITING:
            for form in [*visitor.get(f"{friday.path}/{page}").forms, *before[page]]:
                if form.method != "post" or not form.action.startswith(friday.path) or "/lease" in form.action:
                    continue
                fields = {name: text or "3" for name, text in form.fields.items()}
                fields["csrf"] = visitor.token()
                answer = visitor.client.post(form.action, data=fields)
                assert answer.status_code < 500, (form.action, answer.status_code)
                sent += 1
    assert sent > 20
    assert friday.step == at


def test_a_file_of_the_phone_is_handed_back_on_the_page(friday, phone):
    phone.take(friday)
    record_on(phone, friday)
    at = phone.game(friday).step
    file = phone.here.client.get(f"{friday.path}/export").get_data()
    keeper = friday.visitor()

    def bring(content: bytes) -> VisitedPage:
        form = keeper.get(f"{friday.path}/lease").form("Hand it back")
        return VisitedPage(
            keeper.client.post(
                form.action,
                data={**form.fields, "record": (io.BytesIO(content), "game.daybook")},
                content_type="multipart/form-data",
                follow_redirects=True,
            )
        )

    assert "another game" in bring((FIXTURES / "friday-four.daybook").read_bytes()).text
    assert "Nothing was handed back" in bring(file.replace(b'"key":"phone-', b'"key":"moved-', 1)).text
    assert "Nothing was handed back" in bring(b"{}").text
    assert friday.step < at
    assert bring(file).status == 200
    assert friday.step == at + 1
    assert friday.game.lease is None


@pytest.mark.parametrize("parts", [ON_A_DEVICE, EVERYTHING], ids=["a device", "a server"])
def test_copy_of_a_leased_game_is_recorded_by_its_own_keeper(friday, phone, tmp_path, empty_data, parts):
    """The other Daybook does not know the lease: its end is an entry of that copy."""
    phone.take(friday)
    file = friday.visitor().client.get(f"{friday.path}/export").get_data()
    elsewhere = open_daybook(Settings(data=Path(copytree(empty_data, tmp_path / "elsewhere"))))
    copy = Opened(elsewhere, create_app(elsewhere, parts), friday.id)
    ben = Visitor(copy.app)
    form = ben.get("/import").form("Import")
    brought = ben.client.post(
        form.action,
        data={**form.fields, "record": (io.BytesIO(file), "friday.daybook")},
        content_type="multipart/form-data",
    )
    assert brought.status_code == 303
    desk = ben.get(f"{friday.path}/record")
    assert "Recorded on another device" in desk.text
    page = ben.get(desk.link("What this means"))
    form = page.form("End it and record here")
    assert "Nothing was saved" in ben.send(form, why="").text
    assert copy.game.lease is not None
    desk = ben.send(page.form("End it and record here"), why="a copy for practice")
    assert "Recorded on another device" not in desk.text
    ended = copy.game.entries[-1].event
    assert isinstance(ended, LeaseEnded) and (ended.revoked, ended.why) == (True, "a copy for practice")
    copy.play(3)
    assert verify_game(elsewhere, copy.id).intact
    assert friday.game.lease is not None, "the service's own record goes on as it was"
    elsewhere.close()


def test_device_with_the_game_returns_it_and_does_not_end_it(friday, phone):
    phone.take(friday)
    page = phone.here.get(f"{friday.path}/lease")
    assert page.link("Hand the game back").endswith("/hand-back")
    assert "End it" not in page.text
    for part in ("end", "file"):
        assert phone.here.post(f"{friday.path}/lease/{part}", key="k" * 20, why="mine").status == 404
    assert phone.here.post(f"{friday.path}/hand-back").status == 200
    assert "This game was handed back" in phone.here.get(f"{friday.path}/lease").text
    assert phone.here.post(f"{friday.path}/lease/end", key="k" * 20, why="mine").status == 404


def test_new_keeper_link_says_that_a_device_has_the_game(friday, phone):
    keeper = friday.visitor()
    assert "A device has taken this game" not in keeper.get(f"{friday.path}/links").text
    phone.take(friday)
    record_on(phone, friday, decisions=2)
    page = keeper.get(f"{friday.path}/links")
    assert "A device has taken this game" in page.text
    old = friday.key("scorekeeper")
    ids = {grant.role: grant.id for grant in access.grants_of_game(friday.book, friday.id)}
    other = keeper.post(f"{friday.path}/links/replace", grant=ids["reader"])
    assert other.answer.request.path == f"{friday.path}/links"
    page = keeper.post(f"{friday.path}/links/replace", grant=ids["scorekeeper"])
    assert page.answer.request.path == f"{friday.path}/lease"
    assert "can no longer hand it back with the old link" in page.text
    assert Visitor(friday.app).join(old).status == 403
    for part, body in (
        ("state", None),
        ("lines", phone.lines(friday, friday.game.step)),
        ("return", ""),
        ("what-if", phone.lines(friday, friday.game.step)),
    ):
        assert phone.ask(friday, part, body).status_code == 403, "a file hands it back"
    keeper.send(page.form("End it and record here"), why="it is not ours")
    assert friday.game.lease is None


def test_a_role_that_was_taken_away_hands_nothing_back(friday):
    book = friday.book
    olga, sam = (
        accounts.make_account(book, name, sign_in=name, password="seven looms at dawn") for name in ("olga", "sam")
    )
    club = clubs.found_club(book, "The Mill", olga, by=olga, key="the-mill-of-olga").record
    join(book, club, sam, ("scorekeeper",), by=olga)
    enter_as_keeper(book, club, EnterGame(BESIDE, str(friday.id)), by=olga)
    lease = leases.take_lease(book, friday.id, "phone", by=f"scorekeeper@{sam}", key="taken")
    held = {"Authorization": f"Bearer {leases.hand_back_key(book, lease, role_grant_id(sam))}"}
    phone = friday.app.test_client()
    assert phone.get(f"{friday.path}/lease/state", headers=held).status_code == 200
    clubs.write(book, club, GiveRoles(sam, ()), by=olga, key="no-more")
    for part in ("lines", "return", "what-if"):
        assert phone.post(f"{friday.path}/lease/{part}", headers=held, data=b"x").status_code == 403
    assert phone.get(f"{friday.path}/lease/state", headers=held).status_code == 403
    assert friday.game.lease == lease.step


def test_after_the_secret_was_renewed_a_file_hands_the_game_back(friday, phone):
    phone.take(friday)
    record_on(phone, friday, decisions=2)
    secret.replace_secret(friday.book)
    answer = phone.ask(friday, "state")
    assert answer.status_code == 403
    assert "Save the game as a file" in answer.get_json()["wrong"]
    file = phone.here.client.get(f"{friday.path}/export").get_data()
    keeper = friday.visitor()
    form = keeper.get(f"{friday.path}/lease").form("Hand it back")
    keeper.client.post(
        form.action,
        data={**form.fields, "record": (io.BytesIO(file), "game.daybook")},
        content_type="multipart/form-data",
    )
    assert (friday.game.lease, friday.step) == (None, phone.game(friday).step + 1)


def test_only_the_lease_s_own_key_hands_back(friday, phone, open_game):
    other = open_game(title="Saturday")
    other.deal()
    phone.take(friday)
    for key in ("", "made up", friday.key("scorekeeper"), phone.key + "x"):
        for part, body in (("state", None), ("lines", "{}"), ("return", {}), ("what-if", "{}")):
            assert phone.ask(friday, part, body, key=key).status_code == 403
    assert phone.ask(other, "state").status_code == 403, "nor another game"
    bearer = {"Authorization": f"Bearer {phone.key}"}
    for path in ("", "/record", "/lease.json", "/export", "/replay.json"):
        assert friday.app.test_client().get(f"{friday.path}{path}", headers=bearer).status_code in (403, 404)
    assert friday.app.test_client().get(f"/api/v1/games/{friday.id}", headers=bearer).status_code in (401, 403)


def test_what_is_brought_back_wrong_changes_nothing(friday, phone):
    phone.take(friday)
    at = friday.step
    record_on(phone, friday, 2)
    lines = phone.lines(friday, at)
    for wrong in (
        "",
        "\n",
        "{",
        "[]",
        "null",
        '{"step": 99}',
        '{"step": -1}',
        '{"step": "x"}',
        lines[:-20],
        lines.replace('"seat":0', '"seat":1', 1),
        "\n".join(reversed(lines.splitlines())),
    ):
        answer = phone.ask(friday, "lines", wrong)
        assert answer.status_code in (409, 422), (wrong[:30], answer.status_code)
        assert answer.get_json()["wrong"]
        assert phone.ask(friday, "what-if", wrong).status_code in (422,)
    assert friday.step == at


def steps_told(game: Opened, role: str, seat: int | None) -> list[dict[str, Any]]:
    """Every step as the programming interface tells it to the holder of a link."""
    answer = game.app.test_client().get(
        f"/api/v1/games/{game.id}/replay", headers={"Authorization": f"Bearer {game.key(role, seat)}"}
    )
    assert answer.status_code == 200
    found: list[dict[str, Any]] = answer.get_json()["steps"]
    return found


def test_nobody_learns_from_a_lease_what_is_covered(open_game, phone):
    game = with_three_unseen_cards(open_game)
    phone.service = game.visitor()
    others = (("seat", 1), ("reader", None))
    seen = {role: steps_told(game, role, seat) for role, seat in others}
    assert phone.take(game) == 200
    for role, seat in others:
        other = game.visitor(role, seat)
        assert other.client.get(f"{game.path}/export").status_code == 403
        told = steps_told(game, role, seat)
        assert (told[-1]["type"], told[-1]["entry"]) == ("lease_taken", {"device": "phone"})
        assert told[:-1] == seen[role]
        assert phone.key not in other.get(f"{game.path}/lease").html


def test_a_device_says_what_it_cannot_keep(friday, phone):
    token = {"X-CSRF-Token": phone.here.token()}
    post = phone.here.client.post
    for body in (b"", b"{}", b"[]", b'{"key":"k","step":1,"person":"","name":"","record":"x","more":1}'):
        assert post(f"/take/{friday.id}", data=body, headers=token).status_code == 400
    assert phone.here.get("/take").status == 404
    assert phone.here.get("/take", game=str(friday.id)).status == 200
    assert phone.here.get(f"{friday.path}/hand-back").status == 404
    phone.take(friday)
    record_on(phone, friday, 1)
    keeper = friday.visitor()
    keeper.press(f"{friday.path}/lease", "End it and record here", why="lost")
    form = keeper.client.get(f"{friday.path}/lease.json").get_json()
    asked = keeper.client.post(
        f"{friday.path}/lease", data={"key": "a-second-evening", "reads": "2"}, headers={"X-CSRF-Token": form["csrf"]}
    )
    kept = post(f"/take/{friday.id}", data=asked.get_data(), headers=token)
    assert kept.status_code == 409 and "another version of this game" in kept.get_json()["wrong"]


def test_a_game_that_began_on_the_device_is_given_to_the_service(phone, friday):
    own = open_table(phone.book, phone.app, title="In the train")
    own.deal()
    keeper = own.visitor()
    page = keeper.get(keeper.get(f"{own.path}/record").link("Give the game to the server"))
    assert "say who sat where" in page.text
    assert keeper.client.get(f"{own.path}/give.json").status_code == 200
    assert phone.here.client.get(f"{own.path}/give.json").status_code == 403, "another visitor of the device"
    phone.take(friday)
    assert phone.here.client.get(f"{friday.path}/give").status_code == 404, "that one is handed back"


def add_notes(game: Opened, by_kilobytes: int) -> None:
    for number in range(by_kilobytes // 2):
        game.write(Note(0, f"{number} " + "x" * 1900), key=f"note-{game.step}-{number}")


def test_a_long_game_comes_and_goes_too(friday, phone):
    add_notes(friday, 120)
    assert phone.take(friday) == 200
    lease, own = friday.step, phone.game(friday)
    add_notes(own, 280)
    lines = phone.lines(friday, lease)
    assert len(lines) > 256 * 1024
    sent = phone.ask(friday, "lines", "\n".join(lines.splitlines()[:130]))
    assert (sent.status_code, sent.get_json()["step"]) == (200, lease + 130)
    keeper = friday.visitor()
    form = keeper.get(f"{friday.path}/lease").form("Hand it back")
    file = phone.here.client.get(f"{friday.path}/export").get_data()
    back = keeper.client.post(
        form.action,
        data={**form.fields, "record": (io.BytesIO(file), "game.daybook")},
        content_type="multipart/form-data",
    )
    assert back.status_code == 303
    assert (friday.step, friday.game.lease) == (own.step + 1, None)
