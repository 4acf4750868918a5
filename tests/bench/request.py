"""Measure one request: calls of Daybook's own functions, the files they are in, and reads of the log and of tables.

`python -m tests.bench.request` asks for pages of a game in this process, each for the second time, as somebody with a
link and as an organiser of the game's club who is signed in. It counts; it measures no time.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any
from uuid import UUID

from flask.testing import FlaskClient

from daybook.domain.commands import Decide, TakeBack
from daybook.domain.games import RULESETS
from daybook.domain.kernel.record import Game
from daybook.domain.league.club_commands import EnterGame
from daybook.services.disputes.claims import raise_claim
from daybook.services.league import clubs
from daybook.services.people import accounts
from daybook.services.permissions import access
from daybook.services.play import recording
from daybook.services.play.practice import Dealer
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import create_app
from tests.played import open_seats
from tests.reads import count_reads
from tests.services.leagues import enter_as_keeper

ROOT = Path(__file__).resolve().parents[2]
OURS = tuple(str(ROOT / place) for place in ("daybook", "domain", "services", "web", "workers"))
PAGES = {
    "record": "/record",
    "replay": "",
    "replay.json": "/replay.json",
    "score": "/score",
    "history": "/undone-steps",
    "counts": "/count",
    "claims": "/claims",
    "claim": "/claims/{claim}",
    "as played": "/as-played",
    "wrong": "/wrong?step={step}",
    "correct": "/correct?step={step}",
    "about": "/about",
    "links": "/links",
}
CLUBS = 3


class Calls:
    """Calls of functions of ours, and the files these stand in."""

    def __init__(self) -> None:
        self.count = 0
        self.files: set[str] = set()

    def __call__(self, frame: FrameType, event: str, value: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.endswith(".py") and file.startswith(OURS):
            self.count += 1
            self.files.add(file)


@contextmanager
def profile_calls() -> Iterator[Calls]:
    calls = Calls()
    sys.setprofile(calls)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.request", description=__doc__)
    arguments.add_argument("--ruleset", default="making_profit", choices=RULESETS)
    arguments.add_argument("--steps", type=int, default=120)
    arguments.add_argument("--of", nargs="*", default=[*PAGES], choices=PAGES)
    asked = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
        app = create_app(book)
        game, claim = _play_with_claim(book, asked.ruleset, asked.steps)
        print(f"{asked.ruleset}, {game.step} steps, {CLUBS} clubs\n")
        print(f"{'page':<12} {'by':<11} {'calls':>7} {'files':>6} {'log':>4} {'tables':>7} {'status':>7}")
        for who, client in (
            ("link", _with_link(book, app.test_client(), game.id)),
            ("signed in", _signed_in(book, app.test_client(), game.id)),
        ):
            for page in asked.of:
                path = f"/games/{game.id}" + PAGES[page].format(claim=claim, step=game.step - 3)
                client.get(path)  # what is kept at hand from then on is not measured
                with count_reads(book) as reads, profile_calls() as calls:
                    answer = client.get(path)
                print(
                    f"{page:<12} {who:<11} {calls.count:>7,} {len(calls.files):>6} {len(reads.log):>4}"
                    f" {len(reads.tables):>7} {answer.status_code:>7}"
                )
        book.close()


def _play_with_claim(book: Daybook, ruleset: str, steps: int) -> tuple[Game, int]:
    """A game that was played for a while, with a claim, a count and a step that was taken back; the claim's number."""
    rules = RULESETS[ruleset]
    id = open_seats(book, ruleset_id=ruleset, title="Friday")
    access.make_first_grants(book, id)
    dealer = Dealer(1)
    for _ in range(steps):
        game = book.games.get(id)
        chosen = dealer.next_decision(rules, game.board)
        if chosen is None:
            break
        recording.append_command(book, id, Decide(*chosen), at=game.step, by="scorekeeper", key=secrets.token_hex(8))
    game = book.games.get(id)
    recording.append_command(
        book, id, TakeBack(game.step - 1, "mistyped"), at=game.step, by="scorekeeper", key=secrets.token_hex(8)
    )
    claim = raise_claim(book, id, game.step - 3, "That was not so.", by="scorekeeper", key=secrets.token_hex(8)).step
    return book.games.get(id), claim


def _with_link(book: Daybook, client: FlaskClient, game: UUID) -> FlaskClient:
    grant = next(item for item in access.grants_of_game(book, game) if item.role == "scorekeeper")
    with client.session_transaction() as kept:
        kept["grants"] = [grant.id]
    return client


def _signed_in(book: Daybook, client: FlaskClient, game: UUID) -> FlaskClient:
    """An organiser of several clubs, of which one has entered the game."""
    person = accounts.make_account(book, "Olga", sign_in="olga", password="a bag of red certificates")
    for number in range(CLUBS):
        key = secrets.token_hex(8)
        club = clubs.found_club(book, f"Club {number}", person, by=person, key=key).record
        if not number:
            enter_as_keeper(book, club, EnterGame("", str(game)), by=person)
    with client.session_transaction() as kept:
        kept["signed_in"] = accounts.begin_session(book, person, "bench")
    return client


if __name__ == "__main__":
    main()
