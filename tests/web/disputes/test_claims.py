"""Claims on the pages, with forms alone: raised, answered, ruled on, appealed, closed; and the permissions."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from PIL import Image

from daybook.domain import disputes
from daybook.domain.commands import ProposeRuling
from daybook.domain.disputes import Claim
from daybook.domain.kernel.events import DecisionsTakenBack
from daybook.domain.kernel.terms import TABLE
from daybook.services.disputes import umpires
from daybook.services.people import photo_store, photos
from daybook.services.permissions import access
from daybook.services.play import recording
from daybook.services.store import sqlite
from daybook.web.disputes import claims
from tests.played import write
from tests.web.conftest import Opened, VisitedPage, Visitor


def number_of(page: VisitedPage) -> int:
    return int(re.search(r"/claims/(\d+)/", page.html)[1])  # type: ignore[index]


def raise_on_page(game: Opened, seat: int = 0, step: int | None = None, **more: str) -> int:
    """A claim raised on the page; its number."""
    somebody = game.visitor("seat", seat)
    form = somebody.get(f"{game.path}/claims/new", step=game.step if step is None else step).form("Raise the claim")
    page = somebody.send(form, statement="one coin too many", rule="MP-4.2", why="the price is 4", **more)
    assert page.status == 200, page.text
    return next(iter(disputes.claims(game.game)))


def claim(game: Opened, number: int) -> Claim:
    return disputes.claim_of(game.game, number)


def umpire(game: Opened, name: str) -> Visitor:
    """Return a person who was named on the page of links and opened the link."""
    keeper = game.visitor()
    page = keeper.press(f"{game.path}/links", "Name the umpire", name=name)
    assert name in page.text
    grant = umpires.umpire_grant(game.book, game.id, len(disputes.umpires(game.game)) - 1)
    somebody = Visitor(game.app)
    assert somebody.join(access.key_of(game.book, grant)).status == 200
    return somebody


@pytest.fixture
def played_friday(friday: Opened) -> Opened:
    friday.play(12)
    return friday


# --- raising ---------------------------------------------------------------------------------------------------------


def test_claim_raised_from_a_step_is_on_top_of_every_page(played_friday, visitor):
    somebody = played_friday.visitor("seat", 0)
    replay = somebody.get(played_friday.path, step=9)
    form = replay.form_to("/wrong")
    assert form.fields["step"] == "9" and "list" in form.fields
    number = raise_on_page(played_friday, step=9)
    found = claim(played_friday, number)
    assert (found.raised.about_step, found.raised.seat, found.raised.rule) == (9, 0, "MP-4.2")
    for path in ("", "/record", "/score", "/about", "/claims"):
        page = somebody.get(played_friday.path + path)
        assert page.status == 200 and f"{played_friday.path}/claims" in page.html, path
    for path in ("", "/record", "/score"):
        assert "one coin too many" in somebody.get(played_friday.path + path).text, path
    played_friday.update_list()
    assert "A claim is open" in somebody.get("/").text


def test_daybook_says_at_once_what_the_rules_have_to_do_with_it(played_friday):
    step = next(
        n for n in reversed(played_friday.game.line()) if getattr(played_friday.game.entries[n].event, "seat", -1) >= 0
    )
    number = raise_on_page(played_friday, step=step)
    page = played_friday.visitor().get(f"{played_friday.path}/claims/{number}")
    assert "The step was legal" in page.text and "What was legal then" in page.text
    assert "would cost" in page.text and "would be undone" in page.text and "the price is 4" in page.text
    other = played_friday.visitor("reader").get(f"{played_friday.path}/claims/{number}")
    assert other.status == 200 and "What was legal then" not in other.text


def test_what_is_missing_is_asked_for_and_nothing_is_written(played_friday):
    somebody, before = played_friday.visitor("seat", 0), played_friday.step
    page = somebody.send(
        somebody.get(f"{played_friday.path}/claims/new", step=5).form("Raise"), statement=" ", why="kept"
    )
    assert page.status == 422 and "says what is wrong" in page.text and played_friday.step == before
    assert page.form("Raise").fields["why"] == "kept"


def test_only_who_plays_or_keeps_the_record_claims(played_friday, visitor):
    reader = played_friday.visitor("reader")
    assert reader.get(f"{played_friday.path}/claims/new", step=3).status == 403
    assert reader.post(f"{played_friday.path}/claims/new", step="3", statement="no").status == 403
    assert visitor.get(f"{played_friday.path}/claims").status == 403
    anna = played_friday.visitor("seat", 0)
    form = anna.get(f"{played_friday.path}/claims/new", step=3).form("Raise")
    assert anna.send(form, statement="for Ben", seat="1").status == 403
    assert anna.send(form, statement="for the keeper", seat="").status == 403
    assert disputes.claims(played_friday.game) == {}
    for path in ("claims/new?step=999", "claims/3"):
        assert anna.get(f"{played_friday.path}/{path}").status == 404


# --- ruling ----------------------------------------------------------------------------------------------------------


def test_an_umpire_rules_and_another_is_appealed_to(played_friday):
    uli, vera = umpire(played_friday, "Uli"), umpire(played_friday, "Vera")
    number = raise_on_page(played_friday, step=9)
    page = uli.get(f"{played_friday.path}/claims/{number}")
    ruling = uli.get(page.link("Keep it as recorded"))
    assert "No player’s figures change" in ruling.text and "Propose" not in ruling.html.split("<form")[-1]
    form = ruling.form("Uli makes this ruling")
    assert uli.send(form, do="rule").status == 422  # a ruling says why
    page = uli.send(form, do="rule", why="the card says so")
    assert page.status == 200 and claim(played_friday, number).state == "ruled"
    anna = played_friday.visitor("seat", 0)
    page = anna.get(f"{played_friday.path}/claims/{number}")
    assert page.form("Appeal").fields["umpire"] == "1"
    assert anna.send(page.form("Appeal"), why="it does not").status == 200
    assert claim(played_friday, number).state == "appealed"
    assert "may rule" not in uli.get(f"{played_friday.path}/claims/{number}").text
    page = vera.get(f"{played_friday.path}/claims/{number}")
    form = vera.get(page.link("Go back")).form("Preview")
    look = vera.send(form, do="look", to_step="8")
    assert "It strikes out" in look.text
    page = vera.send(look.form("Vera makes this ruling"), do="rule", why="it was 3", to_step="8")
    assert claim(played_friday, number).state == "closed" and "Closed" in page.text
    undone = next(e.event for e in played_friday.game.entries if isinstance(e.event, DecisionsTakenBack))
    assert (undone.to_step, undone.cause, undone.answers_step) == (8, "ruling", number)
    assert "Vera" in page.text and "A ruling undoes" in page.text and "appealed" in page.text
    assert disputes.open_claims(played_friday.game) == []


def test_claim_rewinds_to_before_its_turn_after_a_board_preview(played_friday):
    game = played_friday.game
    about = next(
        step
        for step in reversed(game.line())
        if (before := recording.before_turn(game, step)) is not None and before != game.parents[step]
    )
    to = recording.before_turn(game, about)
    assert to is not None
    turn = (getattr(game.entries[step].event, "seat", TABLE) for step in game.line_since(to, about))
    name = ("Anna", "Ben", "Cleo")[next(seat for seat in turn if seat != TABLE)]
    number = raise_on_page(played_friday, step=about)
    at = f"{played_friday.path}/claims/{number}"
    anna = played_friday.visitor("seat", 0)
    page = anna.get(anna.get(at).link("Go back"))
    assert f"Go back to before {name}’s turn step {to}" in page.text and f"before step {about}" in page.text
    assert page.form("Propose").fields["to_step"] == str(to) and "The board after it" in page.text
    assert anna.send(page.form("Propose"), do="propose", seat="1").status == 403
    anna.send(page.form("Propose"), do="propose")
    assert claim(played_friday, number).consents(claim(played_friday, number).proposal.step) == {0}  # type: ignore[union-attr]
    assert "See it and agree" not in anna.get(f"{played_friday.path}/record").text
    for seat in (1, 2):
        someone = played_friday.visitor("seat", seat)
        page = someone.get(someone.get(f"{played_friday.path}/record").link("See it and agree"))
        assert f"Anna proposes: Go back to before {name}’s turn" in page.text and "The board after it" in page.text
        assert page.html.index("/consent") < page.html.index('class="claimed"')
        assert someone.send(page.form_to("/consent"), seat="0").status == 403
        page = someone.send(page.form_to("/consent"))
    decided = page.html.index('id="decided"')
    assert decided < page.html.index('class="claimed"') and f"Go back to before {name}’s turn" in page.html[decided:]
    assert played_friday.game.heads[-1] == to


def test_proposed_board_is_shown_only_to_who_sees_everything(played_friday):
    game, number = played_friday.game, raise_on_page(played_friday, step=9)
    values = {"/players/1/money": 50}
    asked = ProposeRuling(number, "adjusted", values=values)
    write(played_friday.book, game.id, asked, key="k" * 20)
    for role, seat, shown in (("scorekeeper", None, True), ("seat", 0, False), ("seat", 1, False)):
        page = played_friday.visitor(role, seat).get(f"{played_friday.path}/claims/{number}")
        assert ("The board after it" in page.text) == shown and "50" in page.text, (role, seat)


def test_what_lies_covered_is_put_right_by_who_sees_it(played_friday):
    number = raise_on_page(played_friday, step=9)
    ben = played_friday.visitor("seat", 1)
    assert ben.get(f"{played_friday.path}/claims/{number}/ruling", ruling="rewound").status == 200
    assert ben.get(f"{played_friday.path}/claims/{number}/ruling", ruling="adjusted").status == 403
    assert ben.post(f"{played_friday.path}/claims/{number}/ruling", ruling="adjusted", do="propose").status == 403
    assert ben.get(f"{played_friday.path}/claims/{number}/ruling", ruling="shot").status == 400


def test_nobody_rules_for_an_umpire_who_is_somebody_else(played_friday):
    uli = umpire(played_friday, "Uli")
    number = raise_on_page(played_friday, step=9)
    ben = played_friday.visitor("seat", 1)
    for path, fields in [
        ("ruling", {"do": "rule", "umpire": "0", "at": str(played_friday.step), "ruling": "play_on"}),
        ("as-proposed", {"umpire": "0", "at": str(played_friday.step), "proposal": "3"}),
    ]:
        assert ben.post(f"{played_friday.path}/claims/{number}/{path}", why="so", key="k" * 20, **fields).status == 403
    assert uli.post(f"{played_friday.path}/claims/{number}/consent", seat="0", proposal="1", key="k" * 20).status == 403
    assert claim(played_friday, number).state == "open"
    keeper = played_friday.visitor()
    page = keeper.get(f"{played_friday.path}/links")
    keeper.send(next(form for form in page.forms if form.action.endswith("/revoke")))
    assert uli.get(f"{played_friday.path}/claims").status == 403
    page = keeper.press(f"{played_friday.path}/links", "Give a link")
    assert "Umpire Uli" in page.text


def test_a_ruling_without_appeal_is_closed_when_its_time_is_over(played_friday):
    keeper = played_friday.visitor()
    keeper.press(f"{played_friday.path}/links", "Save the time limit", hours="0")
    uli = umpire(played_friday, "Uli")
    number = raise_on_page(played_friday, step=9)
    uli.send(uli.get(f"{played_friday.path}/claims/{number}/ruling", ruling="play_on").form("Uli"), do="rule", why="so")
    page = played_friday.visitor("seat", 2).get(f"{played_friday.path}/claims/{number}")
    assert not any(form.action.endswith("/appeal") for form in page.forms)
    assert uli.press(f"{played_friday.path}/claims/{number}", "Close the claim").status == 200
    assert claim(played_friday, number).state == "closed"


def test_a_closed_game_with_an_open_claim_is_provisional(friday):
    friday.play(3000)
    assert friday.game.status == "closed"
    reader = friday.visitor("reader")
    friday.update_list()
    for page in (reader.get("/"), reader.get(f"{friday.path}/score"), reader.get(f"{friday.path}/about")):
        assert "claim is open" not in page.text
    raise_on_page(friday, step=9)
    friday.update_list()
    for page in (reader.get("/"), reader.get(f"{friday.path}/score"), reader.get(f"{friday.path}/about")):
        assert "rovisional" in page.text and "claim is open" in page.text


# --- photos ----------------------------------------------------------------------------------------------------------


def picture(kind: str = "JPEG", size: tuple[int, int] = (60, 40), **how: Any) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, "green").save(out, kind, **how)
    return out.getvalue()


def send_photos(game: Opened, *files: bytes, somebody: Visitor | None = None) -> VisitedPage:
    somebody = somebody or game.visitor("seat", 0)
    form = somebody.get(f"{game.path}/claims/new", step=9).form("Raise")
    return VisitedPage(
        somebody.client.post(
            form.action,
            data=form.fields | {"statement": "look", "photo": [(io.BytesIO(f), "p.jpg") for f in files]},
            content_type="multipart/form-data",
            follow_redirects=True,
        )
    )


def test_photo_is_seen_by_full_sight_and_by_who_attached_it(played_friday, visitor):
    page = send_photos(played_friday, picture())
    (address,) = set(re.findall(r'src="([^"]*/photos/[0-9a-f]{64})"', page.html))
    number = next(iter(disputes.claims(played_friday.game)))
    for who, seat, status in [("scorekeeper", None, 200), ("seat", 0, 200), ("seat", 1, 403), ("reader", None, 403)]:
        somebody = played_friday.visitor(who, seat)
        assert somebody.client.get(address).status_code == status, who
        assert (address in somebody.get(f"{played_friday.path}/claims/{number}").html) == (status == 200)
    assert visitor.client.get(address).status_code == 403
    keeper = played_friday.visitor()
    keeper.press(f"{played_friday.path}/claims/{number}", "Delete this photo")
    assert keeper.client.get(address).status_code == 404
    assert claim(played_friday, number).raised.photos  # the record keeps its hash


def test_tap_while_a_photo_is_stored_does_not_wait(played_friday, monkeypatch):
    monkeypatch.setattr(sqlite, "LOCK_TIMEOUT_SECONDS", 0.1)  # who waited would be refused
    keeper, at = played_friday.visitor(), played_friday.step
    form = next(form for form in keeper.get(f"{played_friday.path}/record").forms if "decision" in form.fields)
    with played_friday.book.kept.engine.begin() as c:
        photo_store.insert_photo(c, picture())
        assert keeper.send(form).status == 200
        assert played_friday.step == at + 1


@pytest.mark.parametrize(
    ("file", "message"),
    [(b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "is not a photo"), (picture()[:300], "photo")],
)
def test_what_is_no_photo_is_said_so_and_nothing_is_written(played_friday, file, message):
    before = played_friday.step
    page = send_photos(played_friday, file)
    assert page.status == 422 and message in page.text and "again" in page.text
    assert played_friday.step == before and page.form("Raise").fields["statement"] == "look"


def test_too_much_is_refused(played_friday, monkeypatch):
    page = send_photos(played_friday, *[picture()] * 7)
    assert page.status == 422 and "at most 6" in page.text
    monkeypatch.setattr(photos, "PHOTO_BYTES", 400)
    assert "at most 400" in send_photos(played_friday, picture(size=(300, 300), quality=95)).text
    monkeypatch.setattr(claims, "PHOTOS_BYTES", 500)
    page = send_photos(played_friday, picture(size=(300, 300), quality=95))
    assert page.status == 413 and "too large together" in page.text
    assert disputes.claims(played_friday.game) == {}


def test_who_may_not_claim_cannot_make_the_service_read_much(played_friday):
    reader = played_friday.visitor("reader")
    answer = reader.client.post(
        f"{played_friday.path}/claims/new",
        data={"csrf": reader.token(), "step": "3", "photo": (io.BytesIO(bytes(300_000)), "p.jpg")},
        content_type="multipart/form-data",
    )
    assert answer.status_code == 413


def test_the_same_form_sent_twice_raises_one_claim(played_friday):
    anna = played_friday.visitor("seat", 0)
    form = anna.get(f"{played_friday.path}/claims/new", step=9).form("Raise")
    for _ in range(2):
        assert anna.send(form, statement="twice").status == 200
    assert len(disputes.claims(played_friday.game)) == 1
