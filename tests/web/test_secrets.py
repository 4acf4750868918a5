"""Covered and sealed things in London Markets cannot be learnt from any page or API answer (LM-3.3).

Twins are two daybooks with the same game in them, alike in everything but a secret. Whoever may not know the secret is
answered the same by both, whatever is asked: every address of the service that reads a game is asked, so that none
that is added later is forgotten.
"""

from __future__ import annotations

import asyncio
import io
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from difflib import unified_diff
from itertools import chain, cycle, islice, product, zip_longest
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest
from flask import Flask, Response
from flask.testing import FlaskClient
from PIL import Image

from daybook.domain import disputes
from daybook.domain.commands import Decide, ProposeRuling, RuleOnClaim
from daybook.domain.games import RULESETS
from daybook.domain.games.london_markets.moves import HandDealt, PlaySpecial, SpecialStacked, TakePile
from daybook.domain.games.london_markets.printed import GOODS
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.terms import TABLE, Decision, Seat
from daybook.services.disputes import claims, counting, forks, umpires
from daybook.services.disputes.umpires import appeal_hours
from daybook.services.files import audits
from daybook.services.following import projections
from daybook.services.permissions import access
from daybook.services.play import recording
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import create_app
from daybook.web.recording.live import StepStream
from daybook.web.replay.replay import STRETCH_STEPS
from tests.played import open_seats, play, sees_every_hand

pytestmark = pytest.mark.slow

RULES = RULESETS["london_markets"]
NAMES = ("Anna", "Ben", "Cleo", "Dora")
BEN = 1  # who has the secret
PATHS = (
    "/players/1/hand",
    "/players/1/hand/silk",
    "/players/1/unseen",
    "/players/1/unseen/soap",
    "/players/2",
    "/players/1/offer",
    "/players/1/offer/silk",
    "/players/1/specials",
    "/specials",
    "/specials/1",
)
DAILY = {("hidden", "reader"), ("hidden", "scorekeeper"), ("open", "seat 0")}  # hands and viewer of sealed offers
WHO = {"scorekeeper": None, "seat 0": 0, "seat 1": BEN, "seat 3": 3, "reader": None}


class Twin:
    """One of two daybooks, and the game in it."""

    def __init__(self, data: Path, hands: str, rules: Ruleset[Any] = RULES, names: Sequence[str] = NAMES) -> None:
        self.book: Daybook = open_daybook(Settings(data=data), create=True)
        self.rules, self.seats = rules, range(len(names))
        self.id: UUID = open_seats(
            self.book, names, rules.id, "Market day", "the-same-for-both-twins", options={"hands": hands}, public=True
        )
        access.make_first_grants(self.book, self.id)
        self.app: Flask = create_app(self.book)
        self.app.after_request(first_of_stream)

    @property
    def board(self) -> Any:
        return self.book.games.get(self.id).board

    @property
    def step(self) -> int:
        return self.book.games.get(self.id).step

    def decide(self, seat: Seat, decision: Decision) -> None:
        recording.append_command(
            self.book, self.id, Decide(seat, decision), at=self.step, by="scorekeeper", key=secrets.token_hex(8)
        )

    def legal(self, seat: Seat) -> list[Decision]:
        return list(self.rules.legal(self.board, seat))

    def key(self, who: str) -> str:
        role = who.split()[0]
        return next(
            access.key_of(self.book, grant)
            for grant in access.grants_of_game(self.book, self.id)
            if (grant.role, grant.seat) == (role, WHO[who])
        )

    def browser(self, who: str) -> FlaskClient:
        """Return a browser that has opened a role's link."""
        client = self.app.test_client()
        csrf = re.search(r'name="csrf" value="([^"]*)"', client.get("/join").text)
        assert csrf is not None
        client.post("/join", data={"csrf": csrf[1], "key": self.key(who)})
        return client

    def update_list(self) -> None:
        projections.catch_up(self.book, projections.games_projection(self.book))


def first_of_stream(answer: Response) -> Response:
    """Return the first data of a stream instead of an endless answer; the test has no server."""
    if isinstance(answer.response, StepStream):
        told, answer.direct_passthrough = answer.response, False
        with ThreadPoolExecutor(1) as apart:  # a browser's test before this one may keep a loop in this thread
            answer.set_data(apart.submit(asyncio.run, first_pieces(told)).result())
    return answer


async def first_pieces(stream: StepStream) -> bytes:
    """Up to the first event, which tells the newest step."""
    pieces = b""
    async for piece in stream:
        pieces += piece
        if b"data:" in pieces:
            break
    await stream.aclose()
    return pieces


Twins = tuple[Twin, Twin]


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Twins]]:
    made: list[Twin] = []

    def open_twins(hands: str) -> Twins:
        folder = tmp_path_factory.mktemp("twins")
        both = Twin(folder / "one", hands), Twin(folder / "other", hands)
        made.extend(both)
        return both

    yield open_twins
    for twin in made:
        twin.book.close()


# --- asking everything -----------------------------------------------------------------------------------------------


Answer = tuple[str, int, str]  # what was asked, the status, the text


def answers(twin: Twin, who: str) -> Iterator[Answer]:
    """Return all answers of the service to a person about the game."""
    return answers_to(twin, who, addresses(twin), (questions if twin.rules is RULES else of_any_game)(twin))


def answers_to(
    twin: Twin, who: str, read: Iterable[str], sent: Iterable[tuple[str, dict[str, Any]]]
) -> Iterator[Answer]:
    """Return the answers to a person at these addresses, and to these bodies sent to the game's part of the API."""
    browser, program = twin.browser(who), twin.app.test_client()
    bearer = {"Authorization": f"Bearer {twin.key(who)}"}
    for address in read:
        client, headers = (program, bearer) if address.startswith("/api/") else (browser, {})
        answer = client.get(address, headers=headers)
        yield address, answer.status_code, answer.data.decode(errors="replace")
    for name, body in sent:
        answer = program.post(f"/api/v1/games/{twin.id}/{name}", json=body, headers=bearer | {"Idempotency-Key": "k"})
        yield f"{name} {body}", answer.status_code, answer.text


def addresses(twin: Twin) -> Iterator[str]:
    """Return every address that reads a game, with its possible queries."""
    steps = sorted({0, 1, *range(0, twin.step, 80), *range(max(0, twin.step - 4), twin.step + 1)})
    seats = (TABLE, *twin.seats)
    sights = ("all", "spectator", "0", "1", str(twin.seats[-1]))
    paths = (
        PATHS
        if twin.rules is RULES
        else ("/players/1/hand", "/deck", *(f"/players/1/hand/{card}" for card in twin.board.players[BEN].hand))
    )
    asked: Mapping[str, list[str]] = {
        "replay.replay": [f"?step={step}" for step in steps] + [f"?view={view}" for view in sights],
        "replay.steps": [
            f"?{steps}&view={view}"
            for steps in (
                "after=3",
                f"after={twin.step - 2}",
                "from=0",
                f"from={twin.step - twin.step % STRETCH_STEPS}",
            )
            for view in sights
        ],
        "replay.figures": [f"?view={view}" for view in sights],
        "replay.figures_csv": [f"?view={view}" for view in sights],
        "replay.why": [f"?step={step}&view={view}" for step, view in cross(steps[1:], sights)],
        "figure.figure": [
            f"?at={path}&view={view}" for path in (*paths, "/columns/money/1", "/players/1/money") for view in sights
        ],
        "pictures.board": [f"?step={step}" for step in steps],
        "pictures.embed": [f"?step={step}" for step in steps[-3:]],
        "record.record": [f"?seat={seat}" for seat in seats]
        + [f"?seat={seat}&kind={kind}&n.silk=1" for seat in seats for kind in ("offer", "offers_revealed")],
        "record.undo": [f"?to_step={step}" for step in steps],
        "claims.new": [f"?step={step}" for step in steps],
        "wrong.wrong": [f"?step={step}" for step in steps],
        "wrong_figure.wrong_figure": [f"?step={step}" for step in steps],
        "what_if.lines": [f"?step={step}" for step in steps[:2]],
        "evidence.receipt": [f"?step={step}" for step in steps],
        "evidence.file": [f"?step={step}" for step in steps[:2]],
        "Claims.show_opinion": [f"?about={step}" for step in steps],
        "Evidence.give_receipt": [f"?step={step}" for step in steps[:2]],
        "Reading.show_replay": [f"?view={sight}" for sight in sights] + ["?after=9"],
        "Reading.show_position": [f"?step={step}&view={sight}" for step, sight in cross(steps, sights)],
        "Reading.show_legal": [f"?seat={seat}&step={step}" for step, seat in cross(steps, seats)],
        "Reading.show_value_history": [f"?path={path}&view={sight}" for path in paths for sight in sights],
    }
    yield "/"
    yield "/api/v1/games"
    for rule in twin.app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.arguments in ({"id"}, {"game_id"}):
            address = re.sub(r"<[^>]*>", str(twin.id), rule.rule)
            yield address
            for query in asked.get(rule.endpoint, []):
                yield address + query
        elif "GET" in (rule.methods or ()) and rule.arguments in ({"game_id", "number"}, {"game_id", "claim"}):
            for number in disputes.claims(twin.book.games.get(twin.id)):
                address = re.sub(r"<int:(number|claim)>", str(number), rule.rule)
                yield re.sub(r"<[^>]*>", str(twin.id), address)
                if rule.endpoint == "ruling.ruling":
                    for ruling in ("adjusted", "rewound"):
                        yield f"/games/{twin.id}/claims/{number}/ruling?ruling={ruling}"
        elif "GET" in (rule.methods or ()) and rule.arguments in ({"game_id", "step"}, {"game_id", "count_step"}):
            drawn = rule.endpoint == "pictures.picture"
            for step in (
                steps[-3:] if drawn else (count.step for count in counting.counts_of_game(twin.book.games.get(twin.id)))
            ):
                address = re.sub(r"<int:(step|count_step)>", str(step), rule.rule)
                yield re.sub(r"<[^>]*>", str(twin.id), address)
    for claim in disputes.claims(twin.book.games.get(twin.id)).values():
        for hash in claim.raised.photos:
            yield f"/games/{twin.id}/photos/{hash}"
            yield f"/api/v1/games/{twin.id}/photos/{hash}"


def cross(steps: Sequence[int], rest: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """Each of the others at the last two steps, and in turn at those before: all of them at all would take minutes."""
    yield from product(steps[-2:], rest)
    yield from zip(steps[:-2], cycle(rest))


def questions(twin: Twin) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return every API question with a body; decisions are for a past step, so that none is written."""
    none = dict.fromkeys(GOODS, 0)
    offers = [{"type": "offer", **none, goods: count} for goods in GOODS for count in (1, 2)]
    told = [
        {"type": "offers_revealed", "offers": [none if n != seat else none | {"silk": 2} for n in range(4)]}
        for seat in range(4)
    ]
    others = [{"type": "play_special", "card": "rich_offer"}, {"type": "take_special", "card": "tiebreaker"}]
    for seat in (TABLE, 0, BEN, 3):
        for decision in [*offers, *told, *others]:
            yield "preview", {"seat": seat, "decision": decision}
            yield "why", {"seat": seat, "decision": decision}
        for decision in (offers[0], told[BEN], others[0]):
            yield "decisions", {"seat": seat, "decision": decision, "at": 2}
    yield from about_claims(twin, ("/players/1/hand/silk", "/players/1/unseen/soap", "/players/1/money"), offers[0])


def of_any_game(twin: Twin) -> Iterator[tuple[str, dict[str, Any]]]:
    """The same if nothing is sealed: every possible decision."""
    for seat in (TABLE, *twin.seats):
        for decision in islice(msgspec.to_builtins(twin.legal(seat)), 12):
            yield "preview", {"seat": seat, "decision": decision}
            yield "why", {"seat": seat, "decision": decision}
            yield "decisions", {"seat": seat, "decision": decision, "at": 2}
            yield "as-played/preview", {"seat": seat, "decision": decision}
    step = max(step for step in twin.book.games.get(twin.id).line())
    yield "corrections/plan", {"replacements": {str(step): {"moves": []}}}
    cards = [f"/players/1/hand/{card}" for card in twin.board.document()["players"][BEN]["hand"]]
    yield from about_claims(twin, (*cards, "/players/1/money"), {"type": "run"})


def about_claims(twin: Twin, paths: Sequence[str], decision: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for number in disputes.claims(twin.book.games.get(twin.id)):
        for path in paths:
            yield f"claims/{number}/proposals", {"ruling": "adjusted", "values": {path: 1}}
        yield (
            f"claims/{number}/proposals",
            {"ruling": "rewound", "to_step": 3, "moves": [{"seat": BEN, "decision": decision}]},
        )
        yield (
            f"claims/{number}/rulings",
            {"ruling": "adjusted", "values": {paths[0]: 1}, "umpire": 0, "why": "x", "at": 2},
        )
    yield "forks", {"at": 3}


TIMES = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)|\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d")
OWN = re.compile(
    r'name="(csrf|key|grant)" value="[^"]*"|<path stroke="#000"[^>]*>|/join#[^"]*|[0-9a-f]{32,}|\b[0-9a-f]{7,16}…?'
    r"|[0-9a-f]{4}( [0-9a-f]{4}){2,3}|\"(id|key|csrf|person|nonce)\":\"[^\"]*\""
)


def plain(text: str) -> str:
    """An answer without what differs between any two games: times, seals, people, keys."""
    return OWN.sub("~", TIMES.sub("~", text))


def differences(first: str, second: str) -> list[str]:
    """The lines of two answers that say something else: those that are the same need no look at what games may differ
    in."""
    lines = zip_longest(first.split("\n"), second.split("\n"), fillvalue="")
    said = [(plain(line), plain(beside)) for line, beside in lines if line != beside]
    return list(
        chain.from_iterable(
            unified_diff(line.split(">"), beside.split(">"), n=0) for line, beside in said if line != beside
        )
    )


def alike(both: Twins, who: str, answers: Callable[[Twin, str], Iterator[Answer]] = answers) -> int:
    """Assert that both answer a person the same; return the number of answers."""
    for twin in both:
        twin.update_list()
    asked = 0
    for value, other in zip(*(answers(twin, who) for twin in both), strict=True):
        assert value[:2] == other[:2]
        assert differences(value[2], other[2])[:12] == [], value[0]
        assert value[1] < 500, value
        asked += 1
    return asked


def differ(both: Twins, who: str) -> bool:
    return any(
        value[:2] != other[:2] or differences(value[2], other[2])
        for value, other in zip(answers(both[0], who), answers(both[1], who), strict=True)
    )


# --- sealed offers ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["hidden", "open"])
def sealed_twins(request: pytest.FixtureRequest, twins: Callable[[str], Twins]) -> Twins:
    """Twins in which Ben has sealed different offers, and changed them; Anna's is missing."""
    both = twins(request.param)
    for twin in both:
        play(twin.book, twin.id, lambda game: game.board.stage == "offers", seed=7)
    anything = [d for d in both[0].legal(BEN) if d in both[1].legal(BEN)]
    given = [d for d in anything if d != anything[0]]
    for twin, (first, then) in zip(both, ((given[0], given[1]), (given[2], given[3])), strict=True):
        twin.decide(BEN, first)
        twin.decide(2, twin.legal(2)[0])
        twin.decide(3, twin.legal(3)[1])
        twin.decide(BEN, then)
        assert twin.board.players[0].offer is None
    assert both[0].board.players[BEN].offer != both[1].board.players[BEN].offer
    return both


# A walk of every address for each viewer takes seconds. `make drills` takes those that differ in nothing but the seat.
SEALED_FROM = [
    pytest.param(hands, who, marks=[] if (hands, who) in DAILY else pytest.mark.drill)
    for hands in ("hidden", "open")
    for who in ("reader", "seat 0", "seat 3", "scorekeeper")
]


@pytest.mark.parametrize(("sealed_twins", "who"), SEALED_FROM, indirect=["sealed_twins"])
def test_a_sealed_offer_is_read_by_nobody(sealed_twins: Twins, who: str) -> None:
    assert alike(sealed_twins, who) > 200


def test_who_sealed_it_reads_it(sealed_twins: Twins) -> None:
    assert differ(sealed_twins, "seat 1")


def test_a_record_is_exported_up_to_what_is_sealed(sealed_twins: Twins) -> None:
    said = []
    for twin in sealed_twins:
        keeper = twin.browser("scorekeeper")
        saved = keeper.get(f"/games/{twin.id}/export")
        assert saved.status_code == 200
        assert len(saved.data.splitlines()) - 2 < twin.step, "what was sealed is left out"
        said.append(plain(saved.text))
        for who in ("seat 0", "seat 1", "reader"):
            assert twin.browser(who).get(f"/games/{twin.id}/export").status_code == 403
    assert said[0] == said[1]


# --- hands and special cards -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dealt_twins(twins: Callable[[str], Twins]) -> Twins:
    """Twins in which Ben and Cleo hold other goods cards, all but Anna other special cards; no more differs."""
    both, random = twins("open"), Random(5)
    hands = [HandDealt(2, 2, 2, 2), HandDealt(4, 3, 1, 0), HandDealt(0, 1, 3, 4)]
    for twin, order in zip(both, ((0, 1, 2), (0, 2, 1)), strict=True):
        for place in order:
            twin.decide(TABLE, hands[place])
    for _ in range(170):
        step_alike(both, random)
    assert both[0].board.round >= 4
    assert both[0].board.players[BEN].unseen != both[1].board.players[BEN].unseen
    assert both[0].board.players[BEN].specials != both[1].board.players[BEN].specials
    return both


def step_alike(both: Twins, random: Random) -> None:
    """Make one more decision in both, equal in every viewer's eyes."""
    board = both[0].board
    seats = RULES.waits_for(board)
    assert seats == RULES.waits_for(both[1].board)
    seat = seats[0]
    lists = [twin.legal(seat) for twin in both]
    match board.stage:
        case "special_cards":
            pile = next(n for n, cards in enumerate(board.specials) if "?" in cards)
            choices = [some[-1 if n and pile else 0] for n, some in enumerate(lists)]
        case "special" | "draft_special":
            choices = [some[0] if seat == 0 else some[-1] for some in lists]
        case _:
            common = [d for d in lists[0] if d in lists[1] and fair(seat, d)]
            choices = [random.choice(common)] * 2
    for twin, choice in zip(both, choices, strict=True):
        twin.decide(seat, choice)


def fair(seat: Seat, d: Decision) -> bool:
    """A decision that shows nothing: Anna looks through the first pile alone, which is equal in both; no card is
    played."""
    if isinstance(d, TakePile):
        return (d.pile == 1) == (seat == 0)
    return not isinstance(d, PlaySpecial | SpecialStacked)


@pytest.mark.slow
def test_pictures_of_the_board_are_among_what_is_asked(dealt_twins: Twins) -> None:
    drawn = [address for address in addresses(dealt_twins[0]) if re.search(r"/steps/\d+\.png$|/board\.svg", address)]
    assert any(address.endswith(".png") for address in drawn) and any("board.svg?step=" in address for address in drawn)
    assert {status for _, status, _ in answers_to(dealt_twins[0], "reader", drawn, [])} == {200}


@pytest.mark.drill  # the same game is asked about below, with disputes
@pytest.mark.parametrize("who", ["reader", "seat 0"])
def test_a_hand_is_seen_by_nobody_else(dealt_twins: Twins, who: str) -> None:
    assert alike(dealt_twins, who) > 200


@pytest.mark.parametrize("who", ["seat 1", "scorekeeper"])
def test_the_player_and_the_scorekeeper_see_it(dealt_twins: Twins, who: str) -> None:
    assert differ(dealt_twins, who)


# --- disputes --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def disputed_twins(dealt_twins: Twins) -> Twins:
    """The same twins after claims on Ben's decisions with his cards: with a photo, proposals that name it, a ruling, a
    private line of the scorekeeper, and an audit."""
    out = io.BytesIO()
    Image.new("RGB", (30, 20), "green").save(out, "PNG")
    for twin in dealt_twins:
        game = twin.book.games.get(twin.id)
        bens = [step for step in game.line() if getattr(game.entries[step].event, "seat", None) == BEN]
        hands = [step for step in range(1, 8) if getattr(game.entries[step].event, "seat", None) == TABLE]

        def by(number: int) -> dict[str, Any]:
            return {"by": "scorekeeper", "key": f"the-same-in-both-{number}"}

        umpires.name_umpire(twin.book, twin.id, "Uli", **by(0))
        for number, about in enumerate([bens[0], bens[-1], hands[-1]], 1):
            sent = [out.getvalue()] if number == 1 else []
            claim = claims.raise_claim(twin.book, twin.id, about, "not so", images=sent, **by(10 * number)).step
            ben = twin.board.document()["players"][BEN]
            held = ben["hand"]
            recording.append_command(
                twin.book,
                twin.id,
                ProposeRuling(
                    claim,
                    "adjusted",
                    values={
                        "/players/1/money": ben["money"] + 1,
                        **{f"/players/1/hand/{goods}": count for goods, count in held.items()},
                    },
                    why="as it lies",
                ),
                **by(10 * number + 1),
            )
        recording.append_command(
            twin.book,
            twin.id,
            RuleOnClaim(claim, "play_on", "so", umpire=0, appeal_hours=appeal_hours(twin.book, twin.id)),
            at=twin.step,
            **by(90),
        )
        keeper = next(grant for grant in access.grants_of_game(twin.book, twin.id) if grant.role == "scorekeeper")
        if sees_every_hand(twin.book, twin.id, keeper):
            forks.create_fork(twin.book, twin.id, hands[0], owner=keeper.id, title=str(held))
        audits.audit_game(twin.book, twin.id)
    return dealt_twins


@pytest.mark.slow
@pytest.mark.parametrize("who", ["reader", "seat 0"])
def test_disputes_tell_nobody_what_lies_covered(disputed_twins: Twins, who: str) -> None:
    assert alike(disputed_twins, who) > 300


def test_who_sees_every_hand_reads_what_is_proposed(disputed_twins: Twins) -> None:
    assert differ(disputed_twins, "scorekeeper")


def test_photo_is_for_full_sight_and_seats_asked_to_consent(disputed_twins: Twins) -> None:
    for twin in disputed_twins:
        (hash,) = next(iter(disputes.claims(twin.book.games.get(twin.id)).values())).raised.photos
        for who, status in (("reader", 403), ("seat 0", 200), ("seat 1", 200), ("scorekeeper", 200)):
            assert twin.browser(who).get(f"/games/{twin.id}/photos/{hash}").status_code == status, who
