"""Disputes over the API: claims, lines of one's own, receipts and audits."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import random
from uuid import uuid4

import pytest
from PIL import Image

from daybook.services.files import receipts
from daybook.services.people import photos
from tests.played import update_games
from tests.web.api.conftest import Game, headers, wrong


@pytest.fixture
def played_game(game: Game) -> Game:
    game.play(20)
    return game


def raise_claim(game: Game, about: int = 9, key: str | None = None) -> int:
    answer = game.post(
        "/claims", {"about_step": about, "statement": "too much", "rule": "MP-4.2", "seat": 0}, key or game.seats[0]
    )
    assert answer.status_code == 201, answer.text
    step: int = answer.json["step"]
    return step


def umpire(game: Game, name: str) -> tuple[int, str]:
    assert game.post("/umpires", {"name": name}).status_code == 201
    number = len(game.get("/umpires").json["umpires"]) - 1
    link = game.post(f"/umpires/{number}/link", {}).json
    assert link["role"] == "umpire"
    return number, link["key"]


def test_a_claim_is_raised_ruled_on_appealed_and_closed(played_game):
    uli, uli_key = umpire(played_game, "Uli")
    vera, vera_key = umpire(played_game, "Vera")
    number = raise_claim(played_game)
    told = played_game.get(f"/claims/{number}", played_game.reader).json
    assert told["claim"]["state"] == "open" and told["opinion"]["about_step"] == 9 and told["opinion"]["legal"] is None
    assert played_game.get("/claims").json["provisional"] is True
    ruling = {"ruling": "play_on", "umpire": uli, "why": "so it is", "at": played_game.step}
    assert wrong(played_game.post(f"/claims/{number}/rulings", ruling, played_game.seats[0])) == (403, "not_the_umpire")
    assert wrong(played_game.post(f"/claims/{number}/rulings", ruling, played_game.reader)) == (403, "not_allowed")
    assert played_game.post(f"/claims/{number}/rulings", ruling, uli_key).status_code == 201
    appeal = {"umpire": vera, "why": "it is not", "seat": 0}
    assert wrong(played_game.post(f"/claims/{number}/appeals", appeal, played_game.seats[1])) == (403, "not_your_seat")
    assert played_game.post(f"/claims/{number}/appeals", appeal, played_game.seats[0]).status_code == 201
    back = ruling | {"ruling": "rewound", "to_step": 8, "umpire": vera, "at": played_game.step}
    once = "the-same-key-twice"
    first = played_game.post(f"/claims/{number}/rulings", back, vera_key, once)
    again = played_game.post(f"/claims/{number}/rulings", back, vera_key, once)
    assert (first.status_code, again.json["repeated"], played_game.step) == (201, True, first.json["step"])
    other = played_game.post(f"/claims/{number}/rulings", back | {"to_step": 7}, vera_key, once)
    assert wrong(other) == (422, "key_used")
    told = played_game.get(f"/claims/{number}").json
    assert told["claim"]["state"] == "closed" and told["claim"]["ruling"] == "rewound"
    assert {"claim_raised", "claim_ruled", "ruling_appealed", "decisions_taken_back", "claim_closed"} <= {
        step["type"] for step in told["story"]
    }


def test_the_table_consents(played_game):
    number = raise_claim(played_game)
    remedy = {"ruling": "adjusted", "values": {"/players/0/money": 30}}
    assert wrong(played_game.post(f"/claims/{number}/proposals", remedy, played_game.seats[0])) == (
        403,
        "not_your_view",
    )
    proposal = played_game.post(f"/claims/{number}/proposals", remedy).json["step"]
    for seat in range(3):
        yes = {"proposal": proposal, "seat": seat}
        assert wrong(played_game.post(f"/claims/{number}/consents", yes, played_game.seats[(seat + 1) % 3]))[0] == 403
        for repeated in (False, True):
            said = played_game.post(
                f"/claims/{number}/consents", yes, played_game.seats[seat], f"the-yes-of-seat-{seat}"
            )
            assert (said.status_code, said.json["repeated"]) == (201, repeated)
    assert played_game.get("/position").json["board"]["players"][0]["money"] == 30
    assert played_game.get("/claims").json["provisional"] is False


def test_missing_claim_is_not_found_and_bad_ruling_refused(played_game):
    assert wrong(played_game.get("/claims/3")) == (404, "unknown_claim")
    assert wrong(played_game.post("/claims", {"about_step": 999, "statement": "x", "seat": 0}))[0] == 422
    assert wrong(played_game.post("/claims", {"about_step": 3, "statement": "x", "seat": 0}, played_game.seats[1])) == (
        403,
        "not_your_seat",
    )
    number = raise_claim(played_game)
    assert wrong(played_game.post(f"/claims/{number}/withdrawal", {}, played_game.seats[1])) == (
        422,
        "not_the_claimant",
    )
    assert played_game.post(f"/claims/{number}/withdrawal", {}, played_game.seats[0]).status_code == 201
    assert wrong(played_game.post(f"/claims/{number}/close", {})) == (422, "claim_closed")


def test_a_line_leaves_the_game_and_is_its_owners_alone(played_game):
    made = played_game.post("/forks", {"at": 9, "title": "what if"})
    assert made.status_code == 201, made.text
    fork = made.json["id"]
    legal = played_game.get(f"/forks/{fork}").json["legal"]
    seat = next(iter(legal))
    tried = played_game.post(f"/forks/{fork}/moves", {"moves": [{"seat": int(seat), "decision": legal[seat][0]}]})
    assert len(tried.json["moves"]) == 1
    assert len(played_game.post(f"/forks/{fork}/play-on", {"steps": 5, "seed": 1}).json["moves"]) == 6
    shown = played_game.get(f"/forks/{fork}").json
    assert len(shown["line"]) == 6 and shown["compared"]["parts"]
    assert len(played_game.post(f"/forks/{fork}/undo", {"moves": 2}).json["moves"]) == 2
    for key in (played_game.seats[0], played_game.reader):  # the game runs: hands lie covered from them
        assert wrong(played_game.get(f"/forks/{fork}", key)) == (403, "not_your_view")
        assert wrong(played_game.post("/forks", {"at": 9}, key)) == (403, "not_your_view")
    number = raise_claim(played_game)
    assert played_game.post(f"/forks/{fork}/offer", {"claim": number}).status_code == 201
    told = played_game.get(f"/claims/{number}", played_game.reader).json
    assert told["claim"]["proposal"] == played_game.step
    assert [link["id"] for link in played_game.get("/forks").json["forks"]] == [fork]
    gone = played_game.caller.client.delete(
        f"/api/v1{played_game.path}/forks/{fork}", headers={"Authorization": f"Bearer {played_game.scorekeeper}"}
    )
    assert gone.json == {"thrown_away": fork}
    assert wrong(played_game.get(f"/forks/{fork}")) == (404, "unknown_fork")
    assert played_game.get("/forks").json["forks"] == []


def test_a_receipt_is_given_out_and_the_record_held_against_it(played_game, api):
    given = played_game.get("/receipt", played_game.reader, step=12)
    receipt = receipts.read_receipt(given.data)
    assert receipt.step == 12 and receipts.is_signed(receipt)
    assert api.get("/receipt-key").json["public_key"] == receipt.public_key
    assert wrong(api.get(f"{played_game.path}/receipt")) == (401, "key_missing")
    held = played_game.post("/receipt", given.json, played_game.reader).json
    assert (held["state"], held["signed"], held["trusted"]) == ("extended", True, True)
    altered = given.json | {"chain": ["0" * 16, *given.json["chain"][1:]]}
    held = played_game.post("/receipt", altered, played_game.reader).json
    assert (held["state"], held["altered_at"], held["signed"]) == ("altered", 0, False)
    assert wrong(played_game.post("/receipt", {"receipt": 1}, played_game.reader)) == (422, "bad_receipt")


def test_audits_are_listed_for_who_may_have_the_record(played_game, book, api):
    assert wrong(played_game.post("/audit", {}, played_game.seats[0])) == (403, "not_your_view")
    asked = played_game.post("/audit", {})  # the list has not heard of the game yet
    assert (asked.status_code, asked.json) == (202, {"asked": 1})
    update_games(book)
    assert played_game.caller.get("/audits", played_game.scorekeeper).json["due"] == 1
    assert played_game.caller.get("/audits", played_game.seats[0]).json == {"due": 0, "audits": [], "next": None}
    assert json.loads(api.get("/audits").data)["audits"] == []


def picture(side: int = 40) -> str:
    out = io.BytesIO()
    Image.new("RGB", (side, side), "navy").save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


def test_claim_photos_are_sent_shown_to_allowed_and_removed(played_game):
    claim = {"about_step": 9, "statement": "look", "seat": 0, "photos": [picture(), picture(50)]}
    answer = played_game.post("/claims", claim, played_game.seats[0])
    assert answer.status_code == 201, answer.text
    first, second = played_game.get(f"/claims/{answer.json['step']}").json["claim"]["photos"]
    for key, status in (
        (played_game.scorekeeper, 200),
        (played_game.seats[0], 200),
        (played_game.seats[1], 403),
        (played_game.reader, 403),
    ):
        assert played_game.get(f"/photos/{first}", key).status_code == status
    shown = played_game.get(f"/photos/{second}")
    assert shown.mimetype == "image/jpeg" and hashlib.sha256(shown.data).hexdigest() == second
    assert Image.open(io.BytesIO(shown.data)).size == (50, 50)
    client, at = played_game.caller.client, f"/api/v1{played_game.path}/photos/{first}"
    assert client.delete(at, headers=headers(played_game.seats[0])).status_code == 403
    assert client.delete(at, headers=headers(played_game.scorekeeper)).json == {"forgotten": first}
    assert wrong(played_game.get(f"/photos/{first}")) == (404, "unknown_photo")
    assert wrong(played_game.get(f"/photos/{'0' * 64}")) == (404, "unknown_photo")
    assert wrong(played_game.get(f"/photos/{'0' * 64}", played_game.seats[0])) == (403, "not_your_view")


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (["no Base64!"], (422, "bad_fields")),
        ([base64.b64encode(b"GIF89a").decode()], (422, "bad_photo")),
        ([picture()] * 7, (422, "bad_fields")),
        ([7], (422, "bad_fields")),
    ],
)
def test_what_is_no_photo_raises_no_claim(played_game, sent, answer):
    step = played_game.step
    assert wrong(played_game.post("/claims", {"about_step": 9, "statement": "look", "seat": 0, "photos": sent})) in (
        answer,
        (403, "not_your_seat"),
    )
    assert wrong(
        played_game.post(
            "/claims", {"about_step": 9, "statement": "look", "seat": 0, "photos": sent}, played_game.seats[0]
        )
    ) == (answer)
    assert played_game.step == step


def test_large_photo_is_read_only_from_who_may_claim(played_game):
    noise = random.Random(1).randbytes(3 * 400 * 400)
    out = io.BytesIO()
    Image.frombytes("RGB", (400, 400), noise).save(out, "PNG")
    claim = {"about_step": 9, "statement": "look", "seat": 0, "photos": [base64.b64encode(out.getvalue()).decode()]}
    assert played_game.post("/claims", claim, played_game.seats[0]).status_code == 201
    assert played_game.post("/claims", claim, played_game.reader).status_code == 413


def test_large_photos_are_taken_one_request_at_a_time(played_game, monkeypatch):
    monkeypatch.setattr(photos, "WAIT_SECONDS", 0.05)
    noise = random.Random(1).randbytes(3 * 400 * 400)
    out = io.BytesIO()
    Image.frombytes("RGB", (400, 400), noise).save(out, "PNG")
    claim = {"about_step": 9, "statement": "look", "seat": 0, "photos": [base64.b64encode(out.getvalue()).decode()]}
    once = uuid4().hex
    with photos.photo_slot():
        answer = played_game.post("/claims", claim, played_game.seats[0], once)
        assert (*wrong(answer), answer.headers["Retry-After"]) == (503, "busy", "1")
        assert played_game.post("/claims", claim | {"photos": []}, played_game.seats[0]).status_code == 201
    assert played_game.post("/claims", claim, played_game.seats[0], once).status_code == 201
    assert played_game.post("/claims", claim | {"photos": ["x"]}, played_game.seats[0]).status_code == 422
    assert played_game.post("/claims", claim | {"about_step": 10}, played_game.seats[0]).status_code == 201, (
        "the place is free again"
    )


def test_appeal_hours_are_set_by_the_scorekeeper(played_game):
    assert wrong(played_game.post("/appeal-hours", {"hours": 2}, played_game.seats[0])) == (403, "not_allowed")
    for hours in (-1, 100_000, "2"):
        assert wrong(played_game.post("/appeal-hours", {"hours": hours}))[0] == 422
    assert played_game.post("/appeal-hours", {"hours": 2}).json["appeal_hours"] == 2
    assert played_game.get("/umpires", played_game.reader).json["appeal_hours"] == 2
    number, (uli, key) = raise_claim(played_game), umpire(played_game, "Uli")
    assert played_game.post("/appeal-hours", {"hours": 0}).status_code == 200
    ruling = {"ruling": "play_on", "umpire": uli, "why": "so it is", "at": played_game.step}
    assert played_game.post(f"/claims/{number}/rulings", ruling, key).status_code == 201
    umpire(played_game, "Vera")
    appeal = {"umpire": 1, "why": "it is not", "seat": 0}
    assert wrong(played_game.post(f"/claims/{number}/appeals", appeal, played_game.seats[0])) == (422, "too_late")
