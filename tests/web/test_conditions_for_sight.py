"""No person causes what lets them see more: an adversary tries each condition for sight.

Twins are two daybooks with the same game, in which Ben has sealed different offers. Whatever the adversary does in
both, they are answered alike.
"""

from __future__ import annotations

import io
import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from uuid import UUID

import pytest
from flask import Flask

from daybook.domain.commands import (
    Abandon,
    Adjust,
    Close,
    Command,
    Decide,
    RecordAsPlayed,
    Reopen,
    RevealGame,
    TakeBack,
)
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE
from daybook.services.files import leases
from daybook.services.files.import_export import import_file
from daybook.services.files.recordfile import BadFileError
from daybook.services.play import recording
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.web.app import begin
from daybook.web.replay.replay import STRETCH_STEPS
from tests.played import play
from tests.services.fixture_files import bare_file_of
from tests.web.test_secrets import BEN, GOODS, RULES, Answer, Twin, alike, answers_to, differ, plain

pytestmark = pytest.mark.slow

KEEPER, ANNA = "scorekeeper", "seat 0"
EVERYBODY = ("reader", ANNA, KEEPER)


class StoredTwin(Twin):
    """A twin from a data folder, in an application that was built before."""

    def __init__(self, data: Path, app: Flask, game_id: UUID) -> None:
        self.book = open_daybook(Settings(data=data))
        self.rules, self.seats, self.id, self.app = RULES, range(4), game_id, app
        begin(app, self.book)

    @property
    def game(self) -> Game:
        return self.book.games.get(self.id)

    def write(self, command: Command, by: str = "scorekeeper") -> None:
        recording.append_command(self.book, self.id, command, at=self.step, by=by, key=secrets.token_hex(8))


Twins = tuple[StoredTwin, StoredTwin]


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, Flask, UUID]]:
    """Two data folders with a game in which Ben has sealed an offer, and changed it; Anna's is missing."""
    found = []
    folder = tmp_path_factory.mktemp("stored")
    for place in (0, 1):
        twin = Twin(folder / str(place), "open")
        play(twin.book, twin.id, lambda game: game.board.stage == "offers", seed=7)
        offers = twin.legal(BEN)
        twin.decide(BEN, offers[1 + place])
        twin.decide(2, twin.legal(2)[0])
        twin.decide(BEN, offers[3 + place])
        twin.book.close()
        found.append((folder / str(place), twin.app, twin.id))
    return found


@pytest.fixture
def twins(stored: list[tuple[Path, Flask, UUID]], tmp_path: Path) -> Iterator[Twins]:
    one, other = (
        StoredTwin(Path(copytree(data, tmp_path / str(place))), app, id) for place, (data, app, id) in enumerate(stored)
    )
    yield one, other
    one.book.close()
    other.book.close()


def told(twin: Twin, who: str) -> Iterator[Answer]:
    """Return the addresses that show the board, its steps or the record; `test_secrets` requests the others."""
    game, last = f"/games/{twin.id}", twin.step
    read = [
        game,
        *(
            f"{game}/{name}"
            for name in (
                "replay.json",
                "record",
                "score",
                "claims",
                "struck",
                "about",
                "export",
                "figures.csv",
                "board.svg",
                "in-passing.json",
                "embed",
                "what-if",
                f"steps/{last}.png",
                f"replay.json?from={last - last % STRETCH_STEPS}",
                f"replay.json?view=1&after={last - 5}",
                f"why?step={last - 1}",
                "correct",
                "count",
                "adjust",
                "as-played",
            )
        ),
    ]
    read += [
        f"/api/v1{game}/{name}"
        for name in (
            "replay",
            "position",
            "position?sight=all",
            "position?sight=1",
            "record",
            "ledger",
            "scores",
            "receipt",
            f"position?step={last - 2}",
            f"legal?seat={BEN}",
        )
    ]
    return answers_to(twin, who, read, [])


def nobody_reads(both: Twins, *who: str) -> None:
    for value in who or EVERYBODY:
        assert alike(both, value, told) > 25


def refused(both: Twins, command: Command) -> None:
    """Both refuse a command alike."""
    said = []
    for twin in both:
        with pytest.raises(Refused) as no:
            twin.write(command)
        said.append(no.value.reason)
    assert said[0] == said[1]


# --- giving up, closing ----------------------------------------------------------------------------------------------


def test_giving_a_game_up_shows_nothing_and_it_goes_on(twins):
    for twin in twins:
        twin.write(Abandon("the pub closes"))
    nobody_reads(twins)
    assert differ(twins, "seat 1"), "who sealed it reads it"
    for twin in twins:
        twin.write(Reopen("it does not"))
        twin.decide(0, twin.legal(0)[0])
    nobody_reads(twins, KEEPER)


def test_what_was_laid_open_does_not_go_on(twins):
    refused(twins, RevealGame())
    for twin in twins:
        twin.write(Abandon("the pub closes"))
        twin.write(RevealGame())
    assert all(
        any(value != other for value, other in zip(*(told(twin, who) for twin in twins), strict=True))
        for who in EVERYBODY
    )
    for command in (Reopen("it does not"), RevealGame(), Decide(0, twins[0].legal(0)[0])):
        refused(twins, command)
    for twin in twins:
        assert twin.browser("reader").get(f"/games/{twin.id}/export").status_code == 200


def test_the_page_lays_open_what_was_given_up(twins):
    twin = twins[0]
    twin.write(Abandon("the pub closes"))
    keeper, page = twin.browser(KEEPER), f"/games/{twin.id}/record"
    assert f"/games/{twin.id}/reopen" in keeper.get(page).text
    for who, status in ((ANNA, 403), ("reader", 403)):
        assert (
            twin.app.test_client()
            .post(
                f"/api/v1/games/{twin.id}/reveal",
                headers={"Authorization": f"Bearer {twin.key(who)}", "Idempotency-Key": "k"},
            )
            .status_code
            == status
        )
    stopped, figure = "stays covered until the scorekeeper reveals everything", "figure?at=/columns/money/0"
    reads = twin.browser("reader")
    for at in ("", "/score", "/moments", f"/{figure}"):
        assert stopped in reads.get(f"/games/{twin.id}{at}").text, at
        assert "while the game is played" not in reads.get(f"/games/{twin.id}{at}").text
    assert f"/games/{twin.id}/reveal" in keeper.get(f"/games/{twin.id}/score").text
    assert f"/games/{twin.id}/reveal" not in reads.get(f"/games/{twin.id}/score").text
    csrf = keeper.get(page).text.split('name="csrf" value="')[1].split('"')[0]
    keeper.post(f"/games/{twin.id}/reveal", data={"csrf": csrf, "key": "once"})
    assert twin.game.is_revealed
    told = keeper.get(page).text
    assert f"/games/{twin.id}/reopen" not in told and f"/games/{twin.id}/reveal" not in told


def test_the_question_that_stops_a_game_can_reveal_it(twins):
    twin = twins[0]
    keeper, page = twin.browser(KEEPER), f"/games/{twin.id}/record"
    sent = {"csrf": keeper.get(page).text.split('name="csrf" value="')[1].split('"')[0], "reveal": "yes"}
    keeper.post(f"/games/{twin.id}/abandon", data={**sent, "key": "empty", "at": twin.game.step, "why": ""})
    assert not twin.game.is_revealed, "nothing was stopped"
    keeper.post(f"/games/{twin.id}/abandon", data={**sent, "key": "stops", "at": twin.game.step, "why": "late"})
    assert twin.game.status == "abandoned" and twin.game.is_revealed
    assert "stays covered" not in twin.browser("reader").get(f"/games/{twin.id}/score").text


def test_a_game_that_is_not_over_is_not_closed(twins):
    refused(twins, Close())


# --- by hand ---------------------------------------------------------------------------------------------------------


def test_putting_a_coin_right_does_not_end_what_is_sealed(twins):
    for twin in twins:
        twin.write(Adjust({"/players/0/money": twin.board.players[0].money + 1}, "found it"))
    nobody_reads(twins, KEEPER, ANNA)


def test_what_is_undone_stays_sealed_whatever_is_put_right(twins):
    for twin in twins:
        ben = next(
            step
            for step in twin.game.line_back()
            if getattr(twin.game.entries[twin.game.parents[step]].event, "seat", None) not in (BEN, 2)
        )
        twin.write(TakeBack(twin.game.parents[ben], "mistyped", "all of them"))
        twin.write(Adjust({"/players/0/money": twin.board.players[0].money + 1}, "found it"))
        assert all(player.offer is None for player in twin.board.players)
        with pytest.raises(Refused, match="sealed"):
            leases.take_lease(twin.book, twin.id, "phone", by="scorekeeper", key="lease")
    nobody_reads(twins, KEEPER, ANNA)


@pytest.mark.parametrize(
    ("seat", "decision", "values"),
    [
        (0, {"type": "end_turn"}, {"/stage": "over"}),
        (0, {"type": "end_turn"}, {"/stage": "special"}),
        (0, {"type": "end_turn"}, {"/players/1/offer": None}),
    ],
)
def test_an_illegal_move_that_stood_reveals_nothing_sealed(twins, seat, decision, values):
    for computed in (True, False):
        refused(twins, RecordAsPlayed(seat, decision, values, "it stood", computed))
    nobody_reads(twins, KEEPER)


def test_offers_revealed_too_early_are_in_no_move_that_counts(twins):
    """A guess at them: of one twin it is right."""
    offers = [player.offer or dict.fromkeys(GOODS, 0) for player in twins[0].board.players]
    told = {"type": "offers_revealed", "offers": offers}
    refused(twins, RecordAsPlayed(TABLE, told, {}, "it stood"))
    for twin in twins:
        twin.write(RecordAsPlayed(TABLE, told, {}, "it stood, and nothing followed", rules_applied=False))
    nobody_reads(twins, KEEPER)


def test_an_illegal_move_that_leaves_the_seals_alone_stands(twins):
    for twin in twins:
        money = twin.board.players[0].money
        twin.write(RecordAsPlayed(0, {"type": "take_pile", "pile": 1}, {"/players/0/money": money + 1}, "so", False))
    nobody_reads(twins, KEEPER, ANNA)


# --- files -----------------------------------------------------------------------------------------------------------


def test_a_guess_in_a_file_is_not_told_from_what_was_sealed(twins):
    """A file of decisions, which needs no seal, with a guess at what Ben has sealed: of one twin it is right."""
    guess = bare_file_of(twins[0].game, "Market day")
    for twin in twins:
        file = guess.replace(str(twins[0].id).encode(), str(twin.id).encode())
        with pytest.raises(BadFileError, match="sealed"):
            import_file(twin.book, file)
        answer = twin.app.test_client().post(
            "/api/v1/games/import",
            data=file,
            content_type="application/x-ndjson",
            headers={"Authorization": f"Bearer {twin.key(KEEPER)}", "Idempotency-Key": secrets.token_hex(16)},
        )
        assert answer.status_code == 422 and "sealed" in answer.text
        browser = twin.browser(KEEPER)
        csrf = browser.get("/import").text.split('name="csrf" value="')[1].split('"')[0]
        page = browser.post("/import", data={"csrf": csrf, "key": "k", "record": (io.BytesIO(file), "x.daybook")})
        assert page.status_code == 422 and "sealed" in page.text


# --- what was kept before a condition changed ------------------------------------------------------------------------


def test_cards_drawn_while_a_game_was_open_are_shown_to_no_one(open_game):
    game = open_game(hands="open", public=True)
    game.deal()
    game.play(8)
    step = game.step
    game.play(2000)
    assert game.game.status == "closed"
    game.write(Reopen("we miscounted"))
    reader, caller = game.visitor("reader"), game.app.test_client()
    addresses = [
        f"{game.path}{name}"
        for name in (
            f"?step={step}",
            f"/board.svg?step={step}",
            "/in-passing.json",
            f"/steps/{step}.png",
            f"/embed?step={step}",
            f"/replay.json?after={step - 1}",
            f"/why?step={step}",
            "/what-if",
            "/chances",
            "/score",
        )
    ]

    def answers() -> list[str]:
        found = [plain(reader.client.get(address).data.decode(errors="replace")) for address in addresses]
        return [*found, json.dumps(caller.get(f"/api/v1{game.path}/position?step={step}").json)]

    covered = answers()
    game.write(Close(), key="closed")
    lay_open = answers()
    assert lay_open[-1] != covered[-1], "the hands are shown"
    game.write(Reopen("once more"))
    for before, after, address in zip(covered, answers(), [*addresses, "position"], strict=True):
        assert len(before) > 100
        if "step=" in address or address == "position":
            assert after.count("R1") == before.count("R1"), address
    assert answers()[-1] == covered[-1]
