"""Counts the taps of whole evenings: each game is recorded in the record page's own links, buttons and fields.

    python -m tests.bench.taps
    python -m tests.bench.taps --game making_profit --seed 3 --log

Somebody who keeps the record for everybody enters what a dealer plays, always by the shortest way that the page offers
for it. A link, a button and a number that is chosen are a tap each, a typed number one for the field and one for each
digit, a stepper one for each step, unless its number is typed more quickly.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from uuid import UUID

import msgspec
from flask import Flask

from daybook.domain.games.london_markets.moves import GoodsCards, OffersRevealed
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.events import TableCounted
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import TABLE, Board, Decision, Seat
from daybook.services.play.practice import MAX_GAME_STEPS, Dealer
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web import words
from daybook.web.app import create_app
from daybook.web.recording.choices import full_values, is_part, usual_fields
from daybook.web.words.game_words import WITH
from daybook.web.words.places import text_of
from tests.web.conftest import Form, Opened, VisitedPage, Visitor, open_table

NAMES = ("Anna", "Ben", "Cleo", "Dora")
WRITES = "Save"  # how the buttons begin that only say yes to what was chosen before


@dataclass(frozen=True, kw_only=True)
class TappedGame:
    """A game to tap. seats, options: of the game; seed: of an evening of usual length."""

    seats: int
    seed: int = 1
    options: dict[str, str] = field(default_factory=dict)


EVENINGS = {
    "making_profit": TappedGame(seats=3, seed=72, options={"hands": "hidden"}),
    "london_markets": TappedGame(seats=4, options={"hands": "hidden"}),
    "water_frame": TappedGame(
        seats=4, options={"factories": "predetermined", "mat": "predetermined", "events": "predetermined"}
    ),
    "arkwright_card": TappedGame(seats=3),
}


@dataclass(kw_only=True)
class TapCount:
    """The taps of a game.

    turns: taps of each player's turn with its random results, and of simultaneous decisions; confirming: taps that only
    confirm; log: each decision and its taps.
    """

    taps: int = 0
    confirming: int = 0
    turns: list[int] = field(default_factory=list)
    log: list[tuple[Seat, str, int]] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.turns)

    @property
    def p95(self) -> int:
        return sorted(self.turns)[math.ceil(len(self.turns) * 0.95) - 1]


def main() -> None:
    arguments = argparse.ArgumentParser(prog="taps", description=__doc__)
    arguments.add_argument("--game", choices=tuple(EVENINGS), help="one game alone")
    arguments.add_argument("--seed", type=int)
    arguments.add_argument("--log", action="store_true", help="what was entered, and its taps")
    asked = arguments.parse_args()
    print(f"{'':<16}{'turns':>7}{'median':>8}{'p95':>5}{'whole game':>12}{'only confirm':>14}{'opening':>9}{'cash':>6}")
    with tempfile.TemporaryDirectory() as folder:
        book = open_daybook(Settings(data=Path(folder) / "data"), create=True)
        app = create_app(book)
        app.testing = True
        for name in [asked.game] if asked.game else EVENINGS:
            table = EVENINGS[name]
            game = open_table(book, app, NAMES[: table.seats], ruleset_id=name, **table.options)
            evening = count_taps(game, asked.seed or table.seed)
            print(
                f"{name:<16}{len(evening.turns):>7}{evening.median:>8g}{evening.p95:>5}{evening.taps:>12}"
                f"{evening.confirming / evening.taps:>14.0%}{count_opening(book, app, name):>9}{count_cash(half_played(book, app, name)):>6}",
                flush=True,
            )
            if asked.log:
                for seat, says, taps in evening.log:
                    print(f"{taps:>4}  {seat:>2}  {says}")
        book.close()


def count_taps(game: Opened, seed: int, limit: int = MAX_GAME_STEPS) -> TapCount:
    """A whole game, entered tap by tap. limit: the last step."""
    evening, dealer, turn = TapCount(), Dealer(seed), None
    phone = KeeperPhone(game)
    while game.step < limit and (played := next_turn(game.game.ruleset, game.game.board, dealer)) is not None:
        seat, decisions = played
        before, marks = evening.taps, game.game.ruleset.course.marks(game.game.board)
        evening.taps += phone.enter(seat, decisions)
        evening.confirming += phone.confirmed
        taps = evening.taps - before
        evening.log.append((seat, f"{[plain(decision) for decision in decisions]}", taps))
        told_together = seat == TABLE and game.game.ruleset.kinds[type(decisions[0])].open_form
        if told_together or (seat != TABLE and (seat, marks) != turn):
            turn = (seat, marks)
            evening.turns.append(0)
        if evening.turns:
            evening.turns[-1] += taps
    return evening


BEFORE_THE_RECORD = 5  # New game, the game, as last time, Open the game, Start recording


def count_opening(book: Daybook, app: Flask, ruleset: str) -> int:
    """The taps from the first page to the first decision of a player, by what the forms choose themselves."""
    evening = EVENINGS[ruleset]
    keeper = Visitor(app)
    page = keeper.get(keeper.get("/").link("New game"))
    form = keeper.get(page.link(words.game_title(ruleset))).form("Open the game")
    page = keeper.send(form, **{f"name.{place}": name for place, name in enumerate(NAMES[: evening.seats])})
    page = keeper.get(page.link("Start recording"))
    game = Opened(book, app, UUID(urlsplit(page.answer.request.path).path.split("/")[2]))
    phone, dealer, taps = KeeperPhone(game), Dealer(evening.seed), BEFORE_THE_RECORD
    while (played := next_turn(game.game.ruleset, game.game.board, dealer)) is not None and played[0] == TABLE:
        taps += phone.have_drawn() or phone.enter(*played)
    return taps


def half_played(book: Daybook, app: Flask, ruleset: str) -> Opened:
    """A game of four after some steps: one by chance may soon be over."""
    game = open_table(book, app, NAMES, ruleset_id=ruleset, **EVENINGS[ruleset].options)
    game.play(12)
    return game


TO_THE_COUNT = 2  # Something is wrong, Count it


def count_cash(game: Opened) -> int:
    """Count the taps from the record page to an agreed count of all players' cash: the row's own tick, and Save."""
    keeper = game.visitor()
    page = keeper.get(keeper.get(keeper.get(f"{game.path}/record").link("Something is wrong")).link("Count it"))
    cash = re.search(r'name="agree" value="(\w+)"', page.html)
    assert cash is not None, "the first row is that of cash"
    form = page.form("Save the count")
    form.fields["agree"] = cash[1]
    keeper.send(form)
    counted = game.game.entries[-1].event
    assert isinstance(counted, TableCounted) and len(counted.counted) == len(game.game.opening.seats)
    return TO_THE_COUNT + 2


# --- what is played ---


def next_turn(rules: Ruleset[Any], board: Board, dealer: Dealer) -> tuple[Seat, list[Decision]] | None:
    """Return the next decisions: one, or a turn that is entered as a whole; None if the game is over."""
    if tag_of(OffersRevealed) in rules.by_tag and any(
        isinstance(item, OffersRevealed) for item in rules.legal(board, TABLE)
    ):
        return TABLE, [all_offers(rules, board, dealer)]
    chosen = dealer.next_decision(rules, board)
    if chosen is None:
        return None
    seat, decision = chosen[0], usual(rules, board, *chosen)
    together = words.GAMES[rules.id].choosing.turn
    scope = None if together is None else together.scope(board)
    turn = [decision]
    if together is None or seat == TABLE or scope is None or tag_of(type(decision)) not in together.kinds:
        return seat, turn
    while True:
        board = rules.play(board, seat, decision)[0]
        if seat not in rules.course.to_act(board) or together.scope(board) != scope:
            return seat, turn
        decision = usual(rules, board, seat, dealer.choose_by_chance(rules, board, seat))
        turn.append(decision)


def all_offers(rules: Ruleset[Any], board: Board, dealer: Dealer) -> OffersRevealed:
    """The offers of an auction as a table tells them, each of one type: as many cards as can be, at most three."""
    offers = [GoodsCards()] * board.table.seats
    for seat in range(board.table.seats):
        goods = dealer.random.choice([*board.face, ""])
        for count in range(1, MOST_OFFERED + 1) if goods else ():
            more = [*offers]
            more[seat] = GoodsCards(**{goods: count})
            if rules.first_refusal(board, TABLE, OffersRevealed(tuple(more))) is None:
                offers = more
    return OffersRevealed(tuple(offers))


MOST_OFFERED = 3


def usual(rules: Ruleset[Any], board: Board, seat: Seat, decision: Decision) -> Decision:
    """The decision without what no page asks for."""
    for kind, name in words.GAMES[rules.id].decisions.needless:
        if tag_of(type(decision)) == kind:
            plainly = msgspec.structs.replace(decision, **{name: usual_fields(rules.id, kind)[name]})
            if plainly in rules.legal(board, seat):
                return plainly
    return decision


# --- how it is entered ---


class KeeperPhone:
    """The scorekeeper and the record page on their phone."""

    def __init__(self, game: Opened) -> None:
        self.game = game
        self.keeper = game.visitor()
        self.page = self.keeper.get(f"{game.path}/record")
        self.confirmed = 0

    def have_drawn(self) -> int:
        """Have Daybook draw what chance decides, where the page offers it; the taps it took."""
        drawing = next((form for form in self.page.forms if "draw" in form.fields), None)
        if drawing is None:
            return 0
        self.page = self.keeper.send(drawing)
        return 1

    def enter(self, seat: Seat, decisions: Sequence[Decision]) -> int:
        """Enter a decision, or a whole turn; the taps it took."""
        rules, table = self.game.game.ruleset, self.game.game.table
        wanted = [rules.as_listed(table, seat, decision) for decision in decisions]
        before, taps = self.game.step, 0
        self.confirmed = 0
        while self.game.step == before:
            taps += self.tap(seat, wanted)
            assert self.page.status == 200, self.page.text
            assert taps < 100, (seat, wanted)
        assert self.game.step == before + len(wanted), (seat, wanted)
        return taps

    def tap(self, seat: Seat, wanted: Sequence[Decision]) -> int:
        """One control of the page on the way to what is wanted; its taps."""
        for form in self.page.forms:
            if self.decides(form, seat, wanted):
                self.confirmed += form.buttons[0].startswith(WRITES)
                self.page = self.keeper.send(form)
                return 1
        for form in self.page.forms:
            kind = tag_of(type(wanted[0]))
            if form.fields.get("kind") == kind and form.fields.get("seat") == str(seat):
                taps, fields = fields_to_change(form, wanted[0])
                self.page = VisitedPage(
                    self.keeper.client.open(
                        form.action,
                        method=form.method.upper(),
                        follow_redirects=True,
                        **{"query_string" if form.method == "get" else "data": form.fields | fields},
                    )
                )
                return taps + 1
        self.page = self.keeper.get(self.nearest(seat, wanted))
        return 1

    def decides(self, form: Form, seat: Seat, wanted: Sequence[Decision]) -> bool:
        """Return whether a form writes exactly the wanted decision."""
        if form.fields.get("seat") != str(seat):
            return False
        sent = (
            json.loads(form.fields["turn"])
            if "turn" in form.fields
            else [json.loads(form.fields["decision"])]
            if "decision" in form.fields
            else []
        )
        return self.typed_decisions(seat, sent) == list(wanted)

    def typed_decisions(self, seat: Seat, decisions: Sequence[dict[str, Any]]) -> list[Decision]:
        rules, table = self.game.game.ruleset, self.game.game.table
        return [rules.as_listed(table, seat, rules.decision(decision)) for decision in decisions]

    def nearest(self, seat: Seat, wanted: Sequence[Decision]) -> str:
        """The link that leads nearest to what is wanted."""
        found: list[tuple[tuple[int, int, int], str]] = []
        for _, href in self.page.links:
            address = urlsplit(href)
            query = dict(parse_qsl(address.query))
            if address.path != f"{self.game.path}/record" or query.get("seat") != str(seat):
                continue
            turn = self.typed_decisions(seat, json.loads(query.get("t", "[]")))
            if turn != list(wanted[: len(turn)]) or len(turn) > len(wanted):
                continue
            chosen = {name[2:]: json.loads(text) for name, text in query.items() if name.startswith("d.")}
            if query.get("kind") and not (
                len(turn) < len(wanted)
                and leads_to(self.game.game.ruleset.id, query["kind"], chosen, wanted[len(turn)])
            ):
                continue
            found.append(
                (
                    (
                        len(turn),
                        bool(query.get("kind")),
                        sum(len(value[WITH]) if is_part(value) else len(words_in(value)) for value in chosen.values()),
                    ),
                    href,
                )
            )
        assert found, (seat, wanted, self.page.text)
        return max(found)[1]


def leads_to(game: str, kind: str, chosen: dict[str, Any], wanted: Decision) -> bool:
    """Return whether the choices of a link can still lead to the wanted decision."""
    if kind != tag_of(type(wanted)):
        return False
    fields = full_values(wanted)
    return all(name in fields and holds(fields[name], value) for name, value in chosen.items())


def words_in(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


def holds(value: Any, chosen: Any) -> bool:
    """Return whether a field's value is the chosen one, or contains the chosen pieces."""
    return (
        all(value.count(item) >= chosen[WITH].count(item) for item in chosen[WITH])
        if is_part(chosen)
        else (value == chosen)
    )


def fields_to_change(form: Form, wanted: Decision) -> tuple[int, dict[str, str]]:
    """The fields of a form that have to be others, and the taps of that."""
    fields, taps = {}, 0
    several = len([value for _, value in leaves(full_values(wanted)) if type(value) is int and value > 0])
    if "n.only" in form.picked and several < 2:
        return 2 - (several == 0), only_fields(wanted)
    for path, value in leaves(full_values(wanted)):
        name, text = f"n.{path}", text_of(value)
        if name not in form.fields or form.fields[name] == text:
            continue
        fields[name] = text
        typed = 1 + len(text)
        taps += (
            min(typed, abs(int(text) - int(form.fields[name])))
            if name in form.steppers
            else (1 if name in form.picked else typed)
        )
    return taps, fields


def only_fields(wanted: Decision) -> dict[str, str]:
    """The fields of a form that asks first which number, then the number: a tap each."""
    numbers = {path: value for path, value in leaves(full_values(wanted)) if type(value) is int and value > 0}
    if not numbers:
        return {"n.only": "nothing"}
    ((path, value),) = numbers.items()
    return {"n.only": path, f"n.only.{path}": str(value)}


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value that is not made of others, with its place."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from leaves(part, f"{path}.{place}")
    else:
        yield path, value


if __name__ == "__main__":
    main()
