"""Programs that record without end by the API, and what of it the database has afterwards."""

from __future__ import annotations

import json
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from http.client import HTTPException
from itertools import count, pairwise
from threading import Event, Thread
from typing import Any
from urllib.error import HTTPError, URLError
from uuid import uuid4

from daybook.domain.games import RULESETS
from daybook.domain.kernel.events import DecisionRecorded
from daybook.services.play.practice import Dealer, PracticeSeat, open_practice_game, play_out
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.written import new_written

WRITERS = 6
AGAIN_SECONDS = 0.5
TRUSTED = {"DAYBOOK_TRUSTED_PROXIES": "127.0.0.1"}  # its word on who asks
RULESET, OPTIONS = "making_profit", {"hands": "open"}
PLAYERS = [{"name": name, "colour": colour} for name, colour in (("Anna", "red"), ("Ben", "blue"), ("Cleo", "green"))]


@cache
def whole_game() -> list[tuple[int, dict[str, Any]]]:
    """The decisions of a game that chance plays, to its end."""
    rules, sheet = RULESETS[RULESET], printed_sheet(RULESET)
    seats = [PracticeSeat(value["name"], value["colour"], value["name"]) for value in PLAYERS]
    game = open_practice_game(uuid4(), rules, sheet, seats, OPTIONS, new_written("practice", "step-0"))
    played = play_out(game, Dealer(3), lambda step: new_written("practice", f"step-{step}"))
    return [(entry.event.seat, entry.event.decision) for entry in played if isinstance(entry.event, DecisionRecorded)]


@dataclass
class Writers:
    """Recorders. apis: addresses of web processes; after a refused connection they go on at the next one, as behind a
    proxy.

    host: the name that requests ask for; empty: the address. told: what was acknowledged, with when. refused: what was answered instead, and sent again. pages: of a reader's
    pages, which were no pages. lost: what can never be recorded, for it was refused for good.
    """

    apis: Sequence[str]
    game: str = ""
    key: str = ""
    host: str = ""
    done: Event = field(default_factory=Event)
    told: list[tuple[float, str]] = field(default_factory=list)
    acknowledged_at: list[float] = field(default_factory=list)  # when notes and decisions were
    refused: Counter[str] = field(default_factory=Counter)
    pages: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    played: dict[str, int] = field(default_factory=dict)  # the newest acknowledged step of each game that is played
    pause: float = 0.0  # between two notes
    threads: list[Thread] = field(default_factory=list)
    asked: Iterator[int] = field(default_factory=count)

    def begin(self, writers: int = WRITERS, players: int = 0, readers: int = 0) -> None:
        self.game, self.key = self.open_game()
        work = [self.record] * writers + [self.play] * players + [self.read] * readers
        self.threads = [Thread(target=value, daemon=True) for value in work]
        for thread in self.threads:
            thread.start()

    def end(self) -> None:
        self.done.set()
        for thread in self.threads:
            thread.join()

    def open_game(self) -> tuple[str, str]:
        """A game, with the key of its scorekeeper's link."""
        body = {"ruleset": RULESET, "title": "Drill", "players": PLAYERS, "options": OPTIONS, "public": True}
        opened = self.write("/games", body)
        return opened["game"], next(link["key"] for link in opened["links"] if link["role"] == "scorekeeper")

    def record(self) -> None:
        """Notes without end, each of words of its own."""
        while not self.done.is_set():
            words = uuid4().hex
            if self.write(f"/games/{self.game}/notes", {"about_step": 0, "text": words}, self.key) is not None:
                self.told.append((time.monotonic(), words))
                self.done.wait(self.pause)

    def write(self, path: str, body: dict[str, Any], key: str = "") -> Any:
        """Send a request, with the same key each time, until it is acknowledged.

        Return the answer, or None if the drill ended or the refusal is final.
        """
        headers = {"Idempotency-Key": uuid4().hex, "Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {key}"} if key else {}
        while not self.done.is_set():
            try:
                with self._open(f"/api/v1{path}", json.dumps(body).encode(), headers) as answer:
                    written = json.load(answer)
                self.acknowledged_at.append(time.monotonic())
                return written
            except HTTPError as no:
                self.refused[f"{no.code} {no.read().decode()[:200]}"] += 1
                no.close()
                if no.code < 500 and no.code != 429:
                    self.lost.append(f"{no.code} {path}")
                    return None
            except (OSError, HTTPException) as no:
                self.refused[type(no).__name__] += 1
            self.done.wait(AGAIN_SECONDS)
        return None

    def play(self) -> None:
        """Whole games, closed, without end: their periods are scored and they are counted by workers."""
        while not self.done.is_set():
            game, key = self.open_game()
            for seat, decision in whole_game():
                body = {"seat": seat, "decision": decision, "at": self.played.get(game, 0)}
                if (receipt := self.write(f"/games/{game}/decisions", body, key)) is None:
                    return
                self.played[game] = receipt["step"]
            self.write(f"/games/{game}/close", {"at": self.played[game]}, key)

    def read(self) -> None:
        """Read pages without end as a spectator: pages of the read models and a replay."""
        while not self.done.is_set():
            for path in ("/", f"/games/{self.game}", "/statistics/making_profit", "/api/v1/games"):
                try:
                    with self._open(path, None, {}) as answer:
                        answer.read()
                        self.pages["read"] += 1
                except HTTPError as no:
                    self.pages[f"{no.code} {path.replace(self.game, '...')}"] += 1
                    no.close()
                except (OSError, HTTPException) as no:
                    self.pages[type(no).__name__] += 1
            self.done.wait(AGAIN_SECONDS)

    def _open(self, path: str, body: bytes | None, headers: dict[str, str]) -> Any:
        sender = {"X-Forwarded-For": f"198.18.{next(self.asked) % 200}.7"}  # a whole hobby's, not one address's
        sender |= {"Host": self.host} if self.host else {}
        for last, api in enumerate(self.apis, 1 - len(self.apis)):
            try:
                return urllib.request.urlopen(urllib.request.Request(api + path, body, headers | sender), timeout=30)
            except HTTPError:
                raise
            except URLError as no:
                if last == 0 or not isinstance(no.reason, ConnectionRefusedError):
                    raise
        raise AssertionError("no address")

    def longest_silence(self, since: float, until: float) -> float:
        times = sorted([since, *(at for at in self.acknowledged_at if since <= at <= until), until])
        return max(later - at for at, later in pairwise(times))

    def acknowledged(self) -> str:
        """Return the acknowledged entries as `tests.bench.drill.count` reads them."""
        return json.dumps({"game": self.game, "words": [words for _, words in self.told], "steps": self.played})
