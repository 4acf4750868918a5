"""Whole games over HTTP: opened, recorded, corrected, closed, exported."""

from __future__ import annotations

import json
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from daybook.domain.kernel.events import DecisionRecorded
from daybook.services.files import import_export
from daybook.services.permissions import access
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.services.store.kept import Person
from daybook.web.app import create_app
from tests.services.fixture_files import FIXTURES, golden
from tests.web.api.conftest import V1, Caller, Game, headers, wrong

DRAWN = {"type": "drawn", "card": "R1"}


def test_a_game_is_played_to_its_end_over_the_api_alone(game):
    game.play(1000)
    position = game.get("/position").json
    assert position["outcome"]["ranks"]
    assert position["standing"][0]["total"] == sum(line["amount"] for line in position["standing"][0]["lines"])
    closed = game.post("/close", {"at": position["step"]})
    assert (closed.status_code, closed.json["step"]) == (201, position["step"] + 1)
    assert game.get("", game.reader).json["game"]["status"] == "closed"
    sheets = game.get("/scores", game.reader).json["sheets"]
    assert sheets[-1]["final"] and sheets[-1]["ranks"] == position["outcome"]["ranks"]
    audited = game.get("/audit", game.reader).json
    assert audited["clean"] and audited["decisions"] == position["step"]
    assert wrong(game.decide(0, {"type": "end_turn"})) == (409, "game_closed")


def test_preview_accepts_each_legal_decision_and_writes_nothing(game):
    game.play(12)
    while (seat := game.get("").json["to_act"][0]) < 0:
        game.play(1)
    before = game.get("").json
    for key in (game.scorekeeper, game.seats[seat]):
        for decision in game.get("/legal", key, seat=seat).json["decisions"]:
            preview = game.post("/preview", {"seat": seat, "decision": decision}, key)
            assert preview.status_code == 200 and preview.json["effects"], preview.text
            why = game.post("/why", {"seat": seat, "decision": decision}, key).json
            assert why["legal"] and why["verdicts"]
    assert game.get("").json == before


def test_a_preview_is_what_then_happens(game):
    game.play(12)
    while (seat := game.get("").json["to_act"][0]) < 0:
        game.play(1)
    decision = game.get("/legal", seat=seat).json["decisions"][0]
    preview = game.post("/preview", {"seat": seat, "decision": decision}).json
    step = game.decide(seat, decision).json["step"]
    recorded = game.get("/replay", after=step - 1).json["steps"][0]
    assert [preview[name] for name in ("effects", "changes", "columns")] == [
        recorded[name] for name in ("effects", "changes", "columns")
    ]


def test_a_text_is_read_as_decisions_and_nothing_is_written(game):
    while (seat := game.get("").json["to_act"][0]) < 0:
        game.play(1)
    before = game.get("").json
    read = game.post("/read", {"text": "run; hop about; run"}, game.seats[seat]).json
    assert [(value["seat"], value["decision"]["type"]) for value in read["decisions"]] == [(seat, "run")]
    assert (read["left"], read["may_mean"]) == ("hop about; run", [])
    read = game.post("/read", {"text": "note the rain began; runs her factory, 99$"}, game.seats[seat]).json
    (noted,) = read["lines"]
    assert noted["line"] == {"note": {"about_step": read["step"], "text": "the rain began"}}
    assert noted["text"] == f"A note on step {read['step']}"
    assert (read["left"], read["unclear"]) == ("runs her factory, 99$", "99")
    text = "count Anna's money 3; claim on 1: too many"
    lines = [each_item["line"] for each_item in game.post("/read", {"text": text}, game.scorekeeper).json["lines"]]
    assert lines[0] == {"count": {"values": {"/players/0/money": 3}}}
    assert (lines[1]["command"], lines[1]["about_step"]) == ("raise_claim", 1)
    korean = game.caller.client.post(
        f"{V1}{game.path}/read",
        json={"text": "공장 가동"},
        headers=headers(game.scorekeeper) | {"Accept-Language": "ko"},
    )
    assert [item["decision"]["type"] for item in korean.json["decisions"]] == ["run"]
    assert game.post("/read", {"text": "run"}, game.seats[seat - 1]).json["decisions"] == [], "another's decision"
    assert game.get("").json == before


# --- once, and in order ----------------------------------------------------------------------------------------------


def test_several_decisions_are_written_together_or_not_at_all(game):
    first = game.get("/legal", seat=-1).json["decisions"][0]
    refused = game.post("/turns", {"seat": -1, "decisions": [first, {"type": "end_turn"}], "at": 0})
    assert (refused.status_code, refused.json["error"]["details"]["place"]) == (422, 2)
    assert game.get("").json["game"]["newest_step"] == 0
    second = next(fact for fact in game.get("/legal", seat=-1).json["decisions"] if fact != first)
    written = game.post("/turns", {"seat": -1, "decisions": [first, second], "at": 0})
    assert (written.status_code, written.json["step"]) == (201, 2)
    steps = game.get("/replay", after=0).json["steps"]
    assert [step["decision"] for step in steps] == [first, second]


def test_the_same_write_sent_again_is_written_once(game):
    body = {"seat": -1, "decision": DRAWN, "at": 0}
    first = game.post("/decisions", body, once="a")
    game.play(3)
    again = game.post("/decisions", body, once="a")
    assert again.status_code == first.status_code == 201
    assert again.json == first.json | {"repeated": True}
    assert game.step == 4


def test_key_reused_for_another_write_is_refused(game):
    game.post("/decisions", {"seat": -1, "decision": DRAWN, "at": 0}, once="a")
    other = {"seat": -1, "decision": {"type": "drawn", "card": "R2"}, "at": 1}
    assert wrong(game.post("/decisions", other, once="a")) == (422, "key_used")
    assert wrong(game.post("/notes", {"about_step": 0, "text": "x"}, once="a")) == (422, "key_used")
    assert game.post("/decisions", other, once="b").json["step"] == 2


@pytest.mark.parametrize("kind", ["ship_contract", "sell_resources", "nationalise", "offers_revealed"])
def test_a_decision_that_holds_a_list_can_be_sent_again(api, book, kind):
    file = next(path for path in sorted(FIXTURES.glob("*.daybook")) if f'"type":"{kind}"' in path.read_text())
    played = golden(file).game
    entry = next(
        item
        for item in played.entries
        if isinstance(item.event, DecisionRecorded) and item.event.decision["type"] == kind
    )
    book.log.append(*played.entries[: entry.step])
    book.kept.keep(played.id, kind, False, [Person(seat.person, seat.colour) for seat in played.opening.seats])
    key = access.key_of(book, access.make_grant(book, played.id, "scorekeeper"))
    body = {"seat": entry.event.seat, "decision": entry.event.decision, "at": entry.step - 1}
    first, again = (api.post(f"/games/{played.id}/decisions", body, key, once="a") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201), again.text
    assert again.json == first.json | {"repeated": True}


def test_adjustment_sent_again_is_repeated_or_new(game):
    game.play(12)
    body = {"values": {"/players/0/money": 77}, "why": "counted", "cause": "table", "at": game.step}
    first, again = (game.post("/adjustments", body, once="a") for _ in range(2))
    assert again.json == first.json | {"repeated": True}
    for values in ({"/players/0/money": 78}, {"/players/1/money": 77}, {"/players/0/money": 77, "/players/1/money": 1}):
        assert wrong(game.post("/adjustments", body | {"values": values}, once="a")) == (422, "key_used")


def test_two_phones_with_the_same_key_do_not_swallow_each_other(game):
    for number, key in enumerate((game.scorekeeper, game.seats[0])):  # both may name what seat 0 draws
        body = {"seat": -1, "decision": DRAWN, "at": number}
        assert game.post("/decisions", body, key, once="1").json["repeated"] is False
    assert game.step == 2


def test_who_is_behind_learns_what_was_recorded_meanwhile(game):
    game.play(3)
    answer = game.post("/decisions", {"seat": -1, "decision": DRAWN, "at": 1}, game.seats[0])
    assert wrong(answer) == (409, "conflict")
    details = answer.json["error"]["details"]
    assert (details["step"], [step["step"] for step in details["meanwhile"]]) == (3, [2, 3])
    assert game.step == 3


def test_of_many_at_once_one_is_written(game, app):
    def post(number: int) -> int:
        body = {"seat": -1, "decision": DRAWN, "at": 0}
        answer = app.test_client().post(
            V1 + game.path + "/decisions", json=body, headers=headers(game.scorekeeper, f"k{number}")
        )
        return answer.status_code

    with ThreadPoolExecutor(8) as threads:
        statuses = sorted(threads.map(post, range(16)))
    assert statuses == [201] + [409] * 15
    assert game.step == 1


def test_a_game_opened_again_with_the_same_key_is_the_same_game(api):
    body = {
        "ruleset": "making_profit",
        "title": "Friday",
        "players": [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
    }
    first, again = (api.post("/games", body, once="a-key-nobody-can-guess").json for _ in range(2))
    assert again == first | {"repeated": True}
    others = body | {"players": [{"name": "Anna", "colour": "green"}, {"name": "Ben", "colour": "blue"}]}
    assert wrong(api.post("/games", others, once="a-key-nobody-can-guess")) == (422, "key_used")
    assert wrong(api.post("/games", body, once="short")) == (400, "bad_idempotency_key")


def test_record_does_not_contain_the_opening_key(api, book):
    """The opening key's holder gets the scorekeeper's link."""
    secret = "a-key-that-nobody-can-guess-either"
    opened = api.post(
        "/games",
        {
            "ruleset": "making_profit",
            "title": "T",
            "players": [{"name": "A", "colour": "red"}, {"name": "B", "colour": "blue"}],
        },
        once=secret,
    ).json
    record = Game(api, opened).get("/record").text
    assert secret not in record
    stored = json.loads(record.splitlines()[1])["key"]
    with_it = api.post(
        "/games",
        {
            "ruleset": "making_profit",
            "title": "T",
            "players": [{"name": "A", "colour": "red"}, {"name": "B", "colour": "blue"}],
        },
        once=stored,
    ).json
    assert with_it["game"] != opened["game"]


# --- corrections and the end -----------------------------------------------------------------------------------------


def test_decisions_are_taken_back_and_the_numbers_go_on(game):
    game.play(8)
    answer = game.post("/take-backs", {"to_step": 5, "cause": "mistyped", "why": "the cards were mixed up", "at": 8})
    assert answer.json["step"] == 9
    shown = game.get("/replay").json["steps"]
    assert [step["taken_back_by"] for step in shown[5:9]] == [None, 9, 9, 9]
    assert game.get("/position").json["board"] == game.get("/position", step=5).json["board"]


def test_a_seat_takes_back_its_own_decisions_only(game):
    game.play(25)
    shown = game.get("/replay").json["steps"]
    last = max(step["step"] for step in shown if (step["seat"] or 0) >= 0 and step["seat"] is not None)
    seat = shown[last]["seat"]
    other = game.seats[(seat + 1) % 3]
    body = {"to_step": last - 1, "cause": "table", "why": "", "at": shown[-1]["step"]}
    assert wrong(game.post("/take-backs", body, other)) == (403, "not_your_seat")
    assert wrong(game.post("/take-backs", body, game.reader)) == (403, "not_allowed")
    assert game.post("/take-backs", body, game.seats[seat]).status_code == 201


def test_what_was_taken_back_last_stands_again(game):
    game.play(8)
    assert game.get("").json["redo_step"] is None
    for to in (7, 6):
        assert game.post("/take-backs", {"to_step": to, "cause": "mistyped", "at": game.step}).status_code == 201
    for step in (7, 8):
        assert game.get("").json["redo_step"] == step
        assert game.post("/take-backs", {"to_step": step, "cause": "mistyped", "at": game.step}).status_code == 201
    assert game.get("").json["redo_step"] is None
    shown = game.get("/replay").json["steps"]
    assert [step["redone"] for step in shown[9:]] == [False, False, True, True]
    assert [step["taken_back_by"] for step in shown[:9]] == [None] * 9


def test_a_seat_lets_its_own_decisions_alone_stand_again(game):
    game.play(25)
    seat = next(step["seat"] for step in reversed(game.get("/replay").json["steps"]) if (step["seat"] or -1) >= 0)
    undo = game.get("").json["undo_step"]
    assert (
        game.post("/take-backs", {"to_step": undo, "cause": "mistyped", "at": 25}, game.seats[seat]).status_code == 201
    )
    body = {"to_step": 25, "cause": "mistyped", "at": 26}
    assert wrong(game.post("/take-backs", body, game.seats[(seat + 1) % 3])) == (403, "not_your_seat")
    assert game.post("/take-backs", body, game.seats[seat]).status_code == 201


def test_an_adjustment_is_the_scorekeepers_and_says_why(game):
    game.play(10)
    body = {"values": {"/players/0/money": 5}, "cause": "table", "why": "a coin under the box", "at": 10}
    assert wrong(game.post("/adjustments", body, game.seats[0])) == (403, "not_allowed")
    assert game.post("/adjustments", body).json["step"] == 11
    step = game.get("/replay", after=10).json["steps"][0]
    assert (step["type"], step["why"], list(step["changes"])) == (
        "board_adjusted",
        "a coin under the box",
        ["/players/0/money"],
    )
    assert game.get("/value-history", path="/players/0/money").json["steps"][-1] == 11


def test_abandoned_and_opened_again(game):
    assert wrong(game.post("/reopen", {"why": "x"})) == (409, "not_closed")
    assert wrong(game.post("/close", {"at": 0})) == (409, "not_over")
    assert wrong(game.post("/abandon", {"why": "tired", "at": 0}, game.seats[0])) == (403, "not_allowed")
    assert game.post("/abandon", {"why": "tired", "at": 0}).status_code == 201
    assert game.get("").json["to_act"] == []
    assert game.post("/reopen", {"why": "coffee"}).status_code == 201
    assert game.get("").json["game"]["status"] == "running"


def test_the_day_of_play_is_told_with_the_opening_or_later(api):
    game = api.open_game(played_on="2026-03-20")
    assert game.get("").json["game"]["played_on"] == "2026-03-20"
    assert wrong(game.post("/day-of-play", {"day": "2026-03-21"}, game.seats[0])) == (403, "not_allowed")
    assert wrong(game.post("/day-of-play", {"day": "2026-13-01"}))[0] == 422
    assert wrong(game.post("/day-of-play", {"day": "2999-01-01"})) == (422, "day_to_come")
    for _ in range(2):
        assert game.post("/day-of-play", {"day": "2026-03-21"}, once="day").json["step"] == 1
    assert game.post("/day-of-play", {"day": None}).json["step"] == 2
    steps = game.get("/replay", after=0).json["steps"]
    assert [(step["entry"]["previous_day"], step["entry"]["day"]) for step in steps] == [
        ("2026-03-20", "2026-03-21"),
        ("2026-03-21", ""),
    ]
    assert game.get("").json["game"]["played_on"] == ""


# --- who may what ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/decisions", {"seat": -1, "decision": DRAWN, "at": 0}),
        ("/preview", {"seat": 0, "decision": DRAWN}),
        ("/read", {"text": "run"}),
        ("/take-backs", {"to_step": 0, "cause": "table", "at": 0}),
        ("/notes", {"about_step": 0, "text": "x"}),
        ("/adjustments", {"values": {"/players/0/money": 5}, "cause": "table", "why": "x", "at": 0}),
        ("/close", {"at": 0}),
        ("/abandon", {"why": "x", "at": 0}),
        ("/reopen", {"why": "x"}),
        ("/day-of-play", {"day": "2026-03-20"}),
        ("/links", {"role": "reader"}),
    ],
)
def test_a_reader_writes_nothing(game, path, body):
    assert wrong(game.post(path, body, game.reader)) == (403, "not_allowed")
    assert wrong(game.caller.post(game.path + path, body)) == (401, "key_missing")
    assert game.step == 0


def test_a_seat_records_for_itself_and_for_the_table(game):
    assert wrong(game.decide(-1, DRAWN, game.seats[1])) == (403, "not_your_view")
    game.play(3)
    assert game.decide(-1, DRAWN, game.seats[1]).status_code == 201
    assert wrong(game.decide(0, {"type": "end_turn"}, game.seats[1])) == (403, "not_your_seat")
    assert wrong(game.decide(1, {"type": "end_turn"}, game.seats[1]))[0] == 422
    assert game.get("/replay").json["steps"][4]["by"] == "seat:1"


def test_a_revoked_link_opens_nothing(game):
    links = game.get("/links").json["links"]
    assert [link["role"] for link in links] == ["scorekeeper", "seat", "seat", "seat", "reader"]
    seat = next(link for link in links if link["seat"] == 2)
    assert seat["key"] == game.seats[2]
    path = f"{V1}{game.path}/links/"
    client = game.caller.client
    assert client.delete(path + seat["id"], headers=headers(game.scorekeeper)).json == {"revoked": seat["id"]}
    assert wrong(game.get("", game.seats[2])) == (401, "wrong_key")
    assert wrong(client.delete(path + seat["id"], headers=headers(game.scorekeeper))) == (404, "unknown_link")
    assert wrong(client.delete(path + links[0]["id"], headers=headers(game.scorekeeper))) == (422, "own_link")
    made = game.post("/links", {"role": "seat", "seat": 2}).json["links"][0]
    assert game.get("", made["key"]).json["you"] == {"role": "seat", "seat": 2, "views": ["2", "spectator"]}
    for bad in ({"role": "seat"}, {"role": "seat", "seat": 3}, {"role": "reader", "seat": 0}):
        assert wrong(game.post("/links", bad)) == (422, "bad_seat")


def test_a_public_game_is_read_without_a_key_as_a_spectator(api):
    game = api.open_game(public=True)
    game.play(7)
    assert api.get(game.path).json["you"] == {"role": None, "seat": None, "views": ["spectator"]}
    assert api.get(game.path + "/replay").json["view"] == "spectator"
    patched = api.client.patch(
        V1 + game.path, json={"public": False, "title": " New  title "}, headers=headers(game.scorekeeper)
    )
    assert patched.json["game"]["title"] == "New title"
    assert wrong(api.get(game.path)) == (401, "key_missing")


def test_the_scorekeeper_gives_other_names_and_no_seal_changes(game, app):
    def patch(body: dict[str, Any], key: str) -> Any:
        return app.test_client().patch(V1 + game.path, json=body, headers=headers(key))

    def names() -> list[str]:
        return [seat["name"] for seat in game.get("").json["game"]["seats"]]

    seal = game.get("/verify").json["seal"]
    answer = patch({"names": ["Annabel", " Ben ", "Cléo"]}, game.scorekeeper)
    assert [seat["name"] for seat in answer.json["game"]["seats"]] == ["Annabel", "Ben", "Cléo"]
    assert game.get("/verify").json["seal"] == seal
    for bad in (["A"], ["A", "B", "C", "D"], ["A", "B", " "], ["A", "B", "x" * 61], ["A", "B", 3], "ABC", None):
        assert patch({"names": bad, "title": "T"}, game.scorekeeper).status_code == 422, bad
    for key in (game.reader, game.seats[0]):
        assert wrong(patch({"names": ["X", "Y", "Z"]}, key)) == (403, "not_allowed")
    assert names() == ["Annabel", "Ben", "Cléo"]
    assert game.get("").json["game"]["title"] == "Friday"


def test_the_cookie_of_a_browser_counts_for_nothing(game):
    client = game.caller.client
    client.set_cookie("daybook", "anything")
    assert wrong(client.get(V1 + game.path)) == (401, "key_missing")


# --- files -----------------------------------------------------------------------------------------------------------


def send(api: Caller, file: bytes, key: str | None = None, once: str | None = None) -> Any:
    return api.client.post(
        V1 + "/games/import",
        data=file,
        content_type="application/x-ndjson",
        headers=headers(key, once or uuid.uuid4().hex),
    )


def test_a_record_goes_out_and_comes_in_elsewhere_as_it_was(game, tmp_path):
    game.play(20)
    file = game.get("/record")
    assert file.mimetype == "application/x-ndjson" and len(file.data.splitlines()) == 22
    book = open_daybook(Settings(data=tmp_path / "elsewhere"), create=True)
    elsewhere = Caller(create_app(book).test_client())
    imported = send(elsewhere, file.data, once="what-only-the-importer-knows")
    assert (imported.status_code, imported.json["step"], imported.json["repeated"]) == (201, 20, False)
    there = Game(elsewhere, imported.json)
    first, rest = file.data.split(b"\n", 1)
    header = json.loads(first)
    assert header.pop("signed")["people"] == [seat["person"] for seat in header["seats"]], "by the one it came from"
    again, lines = there.get("/record").data.split(b"\n", 1)
    assert json.loads(again) == header and lines == rest
    assert there.get("/verify", receipt=imported.json["seal"]).json["received"] == 20
    again = send(elsewhere, file.data, once="what-only-the-importer-knows")  # the first answer was lost
    assert again.json == imported.json | {"repeated": True}
    game.play(5)
    longer = game.get("/record").data
    assert wrong(send(elsewhere, longer)) == (401, "key_missing")
    assert wrong(send(elsewhere, longer, there.reader)) == (403, "not_allowed")
    assert send(elsewhere, longer, there.scorekeeper).json["step"] == game.step
    broken = longer.replace(b'"mistyped"', b'"table"').replace(b'"seat":0', b'"seat":1', 1)
    assert wrong(send(elsewhere, broken, there.scorekeeper)) == (422, "bad_file")
    book.close()


def test_import_repeated_makes_links_that_were_never_made(game, tmp_path):
    """The process was killed between the record and its first links: the sender is still the scorekeeper."""
    game.play(20)
    file, once = game.get("/record").data, "what-only-the-importer-knows"
    book = open_daybook(Settings(data=tmp_path / "elsewhere"), create=True)
    elsewhere = Caller(create_app(book).test_client())
    id = import_export.game_id_in(file)
    import_export.import_file(book, file, may_extend=False, keeper=import_export.import_link_id(id, once))
    assert not access.grants_of_game(book, id), "nothing opens it yet"
    assert wrong(send(elsewhere, file)) == (401, "key_missing"), "nor does it for anybody else"
    again = send(elsewhere, file, once=once)
    assert (again.status_code, again.json["repeated"], len(again.json["links"])) == (201, True, 5)
    there = Game(elsewhere, again.json)
    assert there.get("/record").status_code == 200
    assert send(elsewhere, file, once=once).json == again.json
    book.close()


def test_a_link_that_was_to_be_is_none_where_another_was_quicker(game, tmp_path):
    """No other sender who began becomes its scorekeeper later."""
    game.play(20)
    file = game.get("/record").data
    book = open_daybook(Settings(data=tmp_path / "elsewhere"), create=True)
    elsewhere = Caller(create_app(book).test_client())
    id = import_export.game_id_in(file)
    access.reserve_keeper_link(book, id, import_export.import_link_id(id, "somebody-who-began-to-bring-it"))
    there = Game(elsewhere, send(elsewhere, file, once="what-only-the-importer-knows").json)
    access.reserve_keeper_link(book, id, import_export.import_link_id(id, "somebody-who-is-a-moment-late"))
    for late in ("somebody-who-began-to-bring-it", "somebody-who-is-a-moment-late"):
        assert wrong(send(elsewhere, file, once=late)) == (401, "key_missing")
    assert there.get("/record").status_code == 200
    book.close()


def test_a_bare_record_is_completed_by_the_rules(api):
    lines = [
        {
            "daybook": 1,
            "ruleset": "making_profit",
            "title": "From notes",
            "seats": [{"name": "Ann", "colour": "red"}, {"name": "Bo", "colour": "blue"}],
        },
        *({"seat": -1, "decision": {"type": "drawn", "card": card}} for card in ("R1", "R2", "M1", "M2")),
        {"seat": -1, "decision": {"type": "start_player_drawn", "seat": 1}},
    ]
    imported = send(api, b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    assert imported.status_code == 201, imported.text
    assert Game(api, imported.json).get("").json["to_act"] != []


# --- rulesets, sheets, practice --------------------------------------------------------------------------------------


def test_ruleset_describes_its_decisions_from_their_types(api):
    shown = api.get("/rulesets/making_profit").json
    assert set(shown["decisions"]["discriminator"]["mapping"]) >= {"drawn", "buy_stock", "end_turn", "develop"}
    assert shown["options"]["properties"] if "properties" in shown["options"] else shown["options"]["$defs"]
    assert "/players/*/money" in shown["causes"] and "round" in shown["periods"]


def test_a_corrected_sheet_is_published_once_and_played_with(api):
    body = {"name": "second printing", "overrides": {"start.money": 3}}
    first, again = (api.post("/rulesets/making_profit/sheets", body) for _ in range(2))
    assert first.status_code == 201 and again.json == first.json
    listed = api.get("/rulesets/making_profit/sheets").json["sheets"]
    assert [sheet["overrides"] for sheet in listed] == [{}], "a sheet without an account is in no list"
    shown = api.get(f"/rulesets/making_profit/sheets/{first.json['hash']}").json
    assert next(n for n in shown["numbers"] if n["path"] == "start.money") | {"where": ""} == {
        "path": "start.money",
        "value": 3,
        "tag": "box",
        "where": "",
        "rule": "MP-2.1.8",
    }
    game = api.open_game(sheet=first.json["hash"])
    assert game.get("/position").json["board"]["players"][0]["money"] == 3
    for bad in ({"start.money": "3"}, {"nothing": 1}, {"start.money": 0}, {"start.money": -1}, {"start.hand": 10**9}):
        assert wrong(api.post("/rulesets/making_profit/sheets", {"name": "x", "overrides": bad})) == (422, "bad_sheet")


def test_a_sheet_that_cannot_be_played_is_not_published(api):
    answer = api.post(
        "/rulesets/making_profit/sheets", {"name": "a million", "overrides": {"start.certificates": 1_000_000}}
    )
    assert wrong(answer) == (422, "unplayable_sheet")
    assert answer.json["error"]["rule"] == "MP-7.1"
    assert [item["rule"] for item in answer.json["error"]["details"]["findings"]] == ["MP-7.1"]


def test_sheet_names_contradictions_and_possible_additions(api):
    shown = api.post("/rulesets/making_profit/sheets", {"name": "nine", "overrides": {"turn.set_price": 9}}).json
    assert shown["findings"] == [
        {
            "rule": "MP-9.5",
            "message": "with these numbers, an example of the rulebook has a different result: amount 9, not 10",
            "paths": ["turn.set_price"],
        }
    ]
    added = api.post(
        "/rulesets/water_frame/sheets",
        {"name": "frost", "overrides": {"events.frost.name": "Frost", "events.frost.effect": "cash -5"}},
    ).json
    assert [item["table"] for item in added["additions"]] == [
        "tiles",
        "wages",
        "share_track",
        "output.food",
        "output.clothes",
        "output.cutlery",
        "output.lamps",
        "events",
    ]
    assert [each_item["keys"][:1] for each_item in added["additions"]] == [
        [],
        ["5"],
        ["5"],
        ["I"],
        ["I"],
        ["I"],
        ["I"],
        [],
    ]
    assert [value["like"] for value in added["additions"]] == ["", "", "", "output", "output", "output", "output", ""]
    assert {n["path"] for n in added["numbers"] if n["path"].startswith("events.frost.")} == {
        f"events.frost.{column}" for column in added["additions"][-1]["row"]
    }


def test_output_of_one_good_is_published_and_played_with(api):
    published = api.post("/rulesets/water_frame/sheets", {"name": "another box", "overrides": {"output.food.I.1": 3}})
    assert published.status_code == 201
    assert [item["rule"] for item in published.json["findings"]] == ["WF-9.38"]
    shown = api.get(f"/rulesets/water_frame/sheets/{published.json['hash']}").json["numbers"]
    output = [number["value"] for number in shown if number["path"].startswith("output.food.I.")]
    assert output == [3, 2, 1, 0]
    game = api.open_game(
        ruleset="water_frame",
        sheet=published.json["hash"],
        players=[{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
    )
    assert game.get("/position").status_code == 200
    refused = api.post("/rulesets/water_frame/sheets", {"name": "x", "overrides": {"output.food.V.1": 3}})
    assert wrong(refused) == (422, "bad_sheet")


def test_a_practice_game_comes_out_of_its_seed(api):
    body = {"ruleset": "making_profit", "seats": 3, "seed": 7}
    first, second = (Game(api, api.post("/practice", body).json) for _ in range(2))
    shown = [game.get("/replay", game.reader).json for game in (first, second)]
    assert shown[0]["game"]["kind"] == "practice" and shown[0]["game"]["status"] == "closed"
    assert [step["decision"] for step in shown[0]["steps"]] == [step["decision"] for step in shown[1]["steps"]]
    assert shown[0]["view"] == "all"
    again = [api.post("/practice", body, once="the-same-practice-key").json for _ in range(2)]
    assert again[1] == again[0] | {"repeated": True}
    steady = Game(api, api.post("/practice", body | {"level": "steady"}).json)
    assert steady.get("/replay", steady.reader).json["steps"] != shown[0]["steps"]
    assert wrong(api.post("/practice", body | {"level": "best"}))[0] == 422
