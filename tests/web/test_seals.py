"""Seals are public while cards are covered: trying covered cards against them finds none."""

from __future__ import annotations

import hashlib
import io
import json
import secrets
from collections.abc import Iterator
from uuid import UUID, uuid4

import msgspec
from click.testing import CliRunner

from daybook import cli
from daybook.domain.commands import Decide, DecideTurn, Note, TakeBack
from daybook.domain.kernel.chronicle import body_of, seal_line
from daybook.domain.kernel.events import DecisionRecorded, DecisionsTakenBack, Entry, read_line
from daybook.domain.kernel.terms import TABLE
from daybook.domain.league.club_commands import EnterGame
from daybook.services.files import import_export, recordfile
from daybook.services.files.recordfile import BareHeader, BareLine, BareSeat, header_line
from daybook.services.files.verify import verify_file
from daybook.services.people import accounts
from daybook.services.play import recording
from daybook.services.play.practice_games import record_practice_game
from tests.played import open_seats, write
from tests.services.fixture_files import bare_file_of, file_of, played_game, read_fixture
from tests.services.leagues import enter_as_keeper
from tests.web.api.conftest import Caller
from tests.web.conftest import Visitor
from tests.web.leagues import ClubAtHand

CARDS = ("R1", "R2", "M1", "M2")
DRAWS = ("R2", "M1", "R2", "M2")
OPENED = {
    "ruleset": "making_profit",
    "title": "Friday",
    "players": [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
}
Entries = list[Entry]


# --- the attack ------------------------------------------------------------------------------------------------------


def tried_out(entries: Entries, step: int, secrets_known: Iterator[str] | tuple[str, ...] = ()) -> set[str]:
    """Return the cards that match a seal, for an attacker who knows all of an entry but its card and its secret."""
    event, previous = entries[step].event, entries[step - 1].seal
    true = str(event.decision["card"]) if isinstance(event, DecisionRecorded) else DRAWS[step - 1]
    guesses = ["", event.key, event.by, event.at, event.key[:22], *secrets_known]
    guesses += [hashlib.sha256(guess.encode()).hexdigest()[:length] for guess in guesses for length in (22, 32, 64)]
    found = set()
    for guess in guesses:
        body = body_of(msgspec.structs.replace(event, nonce=guess))
        for card in CARDS:
            if seal_line(body.replace(f'"{true}"'.encode(), f'"{card}"'.encode()), previous)[1] == entries[step].seal:
                found.add(card)
    return found


def draws(entries: Entries) -> list[int]:
    return [
        entry.step
        for entry in entries
        if isinstance(entry.event, DecisionRecorded) and entry.event.decision["type"] == "drawn"
    ]


def tells_nothing(entries: Entries) -> None:
    covered = draws(entries)
    assert len(covered) >= 2
    nonces = [entry.event.nonce for entry in entries]
    assert len(set(nonces)) == len(nonces) and all(len(nonce) == 22 for nonce in nonces)
    for step in covered:
        assert tried_out(entries, step, (nonces[step - 1], nonces[0])) == set()


def test_an_entry_without_a_secret_tells_its_card(friday):
    """Older records have none; so the attack is real."""
    game = friday.game.twin()
    del game.entries[1:]
    for number, card in enumerate(DRAWS, 1):
        step = game.step + 1
        event = friday.game.entries[number].event
        assert isinstance(event, DecisionRecorded)
        body = body_of(msgspec.structs.replace(event, decision={"type": "drawn", "card": card}, nonce=""))
        line, _ = seal_line(body, game.seal)
        game.entries.append(read_line(game.id, step + 1, line))
        assert tried_out(game.entries, step) == {card}


# --- each way of writing ---------------------------------------------------------------------------------------------


def test_with_the_key_of_a_link(app, book):
    caller = Caller(app.test_client())
    opened = caller.post("/games", OPENED).json
    key = next(link["key"] for link in opened["links"] if link["role"] == "scorekeeper")
    for at, card in enumerate(DRAWS):
        draw_card(caller, opened["game"], key, at, card)
    tells_nothing(book.games.get(UUID(opened["game"])).entries)


def draw_card(caller: Caller, game: str, key: str, at: int, card: str) -> None:
    answer = caller.post(
        f"/games/{game}/decisions",
        {"seat": TABLE, "decision": {"type": "drawn", "card": card}, "at": at},
        key,
        once=f"{at}",
    )
    assert answer.status_code == 201, answer.text


def test_with_a_persons_key(app, book):
    """Anyone can compute the result for an idempotency key from the person's public id."""
    mill, caller = ClubAtHand(book, app), Caller(app.test_client())
    key = accounts.make_key(book, mill.olga, "script")
    game = open_seats(book, ("Anna", "Ben"))
    mill.open_season(kind="free", names="Anna Ben")
    enter_as_keeper(book, mill.id, EnterGame(mill.season.id, str(game)), by=mill.olga)
    for at, card in enumerate(DRAWS):
        draw_card(caller, str(game), key, at, card)
    entries = book.games.get(game).entries
    assert entries[1].event.key == hashlib.sha256(f"person:{mill.olga} 0".encode()).hexdigest(), "as an attacker does"
    tells_nothing(entries)


def test_on_the_page(open_game):
    game = open_game()
    keeper = game.visitor()
    for card in DRAWS:
        page = keeper.get(f"{game.path}/record")
        form = next(
            form
            for form in page.forms
            if "decision" in form.fields and json.loads(form.fields["decision"]).get("card") == card
        )
        assert keeper.send(form).status == 200
    tells_nothing(game.game.entries)


def bare() -> bytes:
    """Return a bare file as anyone writes it, with a time of its own, so that all of it is known."""
    header = BareHeader(
        daybook=1,
        ruleset="making_profit",
        title="Friday",
        game=uuid4(),
        at="2026-11-20T19:30:00.000Z",
        seats=[BareSeat("Anna", "red", "anna"), BareSeat("Ben", "blue", "ben")],
    )
    lines = (BareLine(Decide(TABLE, {"type": "drawn", "card": card})) for card in DRAWS)
    return header_line(header) + b"".join(recordfile.encode_line(line) + b"\n" for line in lines)


def test_a_bare_file_that_is_imported_over_the_api(app, book):
    answer = app.test_client().post(
        "/api/v1/games/import",
        data=bare(),
        content_type="application/x-ndjson",
        headers={"Idempotency-Key": secrets.token_hex(16)},
    )
    assert answer.status_code in (200, 201), answer.text
    tells_nothing(book.games.get(UUID(answer.json["game"])).entries)


def test_a_bare_file_that_is_imported_on_the_page(app, book):
    visitor, content = Visitor(app), bare()
    form = visitor.get("/import").form_to("/import")
    visitor.client.post(
        form.action,
        data={**form.fields, "record": (io.BytesIO(content), "friday.daybook")},
        content_type="multipart/form-data",
        follow_redirects=True,
    )
    tells_nothing(book.games.get(import_export.game_id_in(content)).entries)


def test_a_bare_file_that_goes_on_where_a_record_ends(book):
    first = bare()
    id = import_export.import_file(book, first)
    content = first + recordfile.encode_line(BareLine(Decide(TABLE, {"type": "start_player_drawn", "seat": 0}))) + b"\n"
    import_export.import_file(book, content)
    assert book.games.get(id).step == 5
    tells_nothing(book.games.get(id).entries)
    assert bare_file_of(book.games.get(id), "Friday").count(b"nonce") == 0


def test_on_the_command_line(book, tmp_path):
    def run(*words: str) -> None:
        result = CliRunner().invoke(cli.main, words)
        assert result.exit_code == 0, result.output

    full, unsealed = tmp_path / "full.daybook", tmp_path / "bare.daybook"
    run("new", str(full), "--game", "making_profit", "--seat", "Anna:red", "--seat", "Ben:blue")
    unsealed.write_bytes(bare())
    id = import_export.import_file(book, bare())
    for card in DRAWS:
        decision = json.dumps({"type": "drawn", "card": card})
        run("record", str(full), decision, "--seat", "-1")
    run("import", str(unsealed), "--data", str(book.settings.data))
    run("record", str(id), '{"type":"start_player_drawn","seat":0}', "--seat", "-1", "--data", str(book.settings.data))
    tells_nothing(read_fixture(full.read_bytes()).game.entries)
    tells_nothing(book.games.get(import_export.game_id_in(unsealed.read_bytes())).entries)
    tells_nothing(book.log.entries(id))


def test_what_the_practice_player_plays(book):
    """It is open to all; its entries have secrets nevertheless, so that there is one kind of entry."""
    practised = record_practice_game(
        book,
        ruleset_id="making_profit",
        title="Practice",
        options={},
        seed=1,
        key=secrets.token_hex(16),
        players=[recording.SeatedPerson("A", "red"), recording.SeatedPerson("B", "blue")],
    )
    tells_nothing(book.games.get(practised.record).entries)


def test_a_turn_and_a_correction_have_a_secret_for_each_entry(open_game):
    game = open_game()
    turn = [{"type": "drawn", "card": card} for card in DRAWS]
    game.write(DecideTurn(TABLE, turn), at=0, key="turn")
    game.write(TakeBack(1, "mistyped", ""), at=4, key="back")
    entries = game.game.entries
    assert isinstance(entries[5].event, DecisionsTakenBack) and entries[5].event.nonce
    tells_nothing(entries)


# --- who is told the secret ------------------------------------------------------------------------------------------


def test_nobody_is_told_a_secret_before_what_it_covers(open_game):
    game = open_game(public=True)
    game.deal()
    game.write(Note(3, "who drew that?"), key="a-note")
    nonces = [entry.event.nonce for entry in game.game.entries]
    for somebody, key in ((game.visitor("reader"), game.key("reader")), (game.visitor("seat", 1), game.key("seat", 1))):
        told = somebody.get(game.path).html + somebody.get(f"{game.path}/record").html
        for where in ("", "/replay", "/position", "/ledger", "/receipt", "/verify", "/scores", "/record", "/claims"):
            told += Caller(game.app.test_client()).get(f"/games/{game.id}{where}", key).text
        told += somebody.get(f"{game.path}/replay.json").html + somebody.get(f"{game.path}/replay").html
        assert len(told) > 10_000
        assert [nonce for nonce in nonces if nonce in told] == []
    whole = Caller(game.app.test_client()).get(f"/games/{game.id}/record", game.key("scorekeeper")).text
    assert all(nonce in whole for nonce in nonces), "who sees every card has the whole record"


def test_older_record_continues_under_secrets_and_verifies(book):
    whole = played_game(3, hands="hidden", limit=12)
    assert all(entry.event.nonce == "" for entry in whole.entries), "as Daybook wrote them before"
    id = import_export.import_file(book, file_of(whole))
    write(book, id, Note(3, "gone on with"), key="a-note")
    entries = book.log.entries(id)
    assert [entry.line for entry in entries[:-1]] == [entry.line for entry in whole.entries]
    assert len(entries[-1].event.nonce) == 22
    exported = import_export.export_game(book, id)
    assert verify_file(io.BytesIO(exported), entries[-1].seal).intact
    assert read_fixture(exported).game.document == whole.document
