"""Facts of a set-up that Daybook draws: by weight, and the same on each request."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from io import BytesIO
from random import Random
from uuid import UUID

import msgspec
import pytest

from daybook.domain.commands import Abandon, Correct, Decide, RecordAsPlayed, Resolution, TakeBack
from daybook.domain.corrections import Correction
from daybook.domain.games.london_markets.moves import (
    BottomCardSeen,
    MerchantsPlaced,
    OfferCardsPlaced,
    SpecialsStacked,
    StartPlayerDrawn,
)
from daybook.domain.games.making_profit.moves import Drawn
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.chronicle import Refused, Written
from daybook.domain.kernel.events import Move, write_entry
from daybook.domain.kernel.terms import TABLE
from daybook.services.files import recordfile
from daybook.services.files.audit import audit
from daybook.services.files.recordfile import BadFileError
from daybook.services.play import recording
from daybook.services.play.drawing import draw_fact, draw_seed, facts_to_draw, first_by_priority
from daybook.services.play.transcript import write_transcript
from daybook.services.store import secret
from daybook.services.store.held_leases import HeldLease, store_lease
from tests.played import key, open_seats, write

pytestmark = pytest.mark.sqlite_suffices

KINDS = frozenset({OfferCardsPlaced, BottomCardSeen, StartPlayerDrawn, MerchantsPlaced})
CARDS = ("R1", "R2", "M1", "M2")


@pytest.fixture
def table(book) -> UUID:
    return open_seats(book, ruleset_id="london_markets", options={"hands": "hidden"})


def draw_all(book, game_id):
    """Draw as the record page does, and return what was drawn."""
    drawn = []
    while (fact := draw_fact(book, book.games.get(game_id), KINDS)) is not None:
        write(book, game_id, Decide(TABLE, plain(fact), drawn_by_daybook=True))
        drawn.append(plain(fact))
    return drawn


def undo(book, game_id, to):
    write(book, game_id, TakeBack(to, "mistyped", "again"))


def other_than(game, fact):
    return next(plain(other) for other, _ in facts_to_draw(game, KINDS) if plain(other) != fact)


def newest(book, game_id):
    return book.games.get(game_id).entries[-1].event


# --- what is drawn ---


def test_draw_after_other_fact_by_hand_stays_the_same(book, table):
    first = draw_all(book, table)
    outcomes = set()
    for fact, _ in facts_to_draw(opening_of(book, table), KINDS)[:12]:
        undo(book, table, 0)
        write(book, table, Decide(TABLE, plain(fact)))
        outcomes.add(msgspec.json.encode(draw_all(book, table)))
    assert outcomes == {msgspec.json.encode(first[1:])}


def opening_of(book, game_id):
    game = book.games.get(game_id)
    opened = type(game)(game.id, game.ruleset)
    opened.apply(game.entries[0])
    return opened


def test_draw_after_piles_by_hand_stays_the_same(book):
    game_id = open_seats(book, ruleset_id="london_markets", options={"hands": "open"})
    while book.games.get(game_id).board.stage == "deal":
        write(book, game_id, Decide(TABLE, plain(facts_to_draw_any(book, game_id)[0])))
    dealt = book.games.get(game_id).step
    first = draw_all(book, game_id)
    assert [fact["type"] for fact in first] == ["offer_cards_placed", "bottom_card_seen"]
    for sizes in book.games.get(game_id).ruleset.legal(opening_at(book, game_id, dealt), TABLE):
        if isinstance(sizes, SpecialsStacked):
            undo(book, game_id, dealt)
            write(book, game_id, Decide(TABLE, plain(sizes)))
            assert draw_all(book, game_id) == first
    assert book.games.get(game_id).draws


def opening_at(book, game_id, step):
    return book.games.get(game_id).board_at(step)


def facts_to_draw_any(book, game_id):
    game = book.games.get(game_id)
    return [fact for fact, weight in game.ruleset.facts(game.board) if weight]


def test_draw_of_another_game_differs(book):
    games = [book.games.get(open_seats(book, ruleset_id="london_markets")) for _ in range(6)]
    assert len({draw_seed(book, game) for game in games}) == 6


def test_draw_repeats_what_a_renewed_secret_would_change(book, table):
    first = draw_all(book, table)
    secret.replace_secret(book)
    for to in (2, 1, 0):
        undo(book, table, to)
        assert draw_all(book, table) == first[to:]


def test_draw_in_a_closed_game_offers_nothing(book, table):
    write(book, table, Abandon("rain"))
    assert draw_fact(book, book.games.get(table), KINDS) is None


def test_draw_on_a_device_follows_the_seed_of_the_service(book, table):
    game = book.games.get(table)
    store_lease(book, HeldLease(table, 1, "key", "", "2026-11-20T10:00:00.000Z", draw_seed="ab" * 32), "")
    assert draw_seed(book, game) == b"\xab" * 32


# --- how likely ---


def test_first_by_priority_is_as_likely_as_its_weight():
    facts = [(Drawn("R1"), 1), (Drawn("R2"), 2), (Drawn("M1"), 5), (Drawn("M2"), 12)]
    drawn = Counter(
        first_by_priority(sha256(b"%d" % number).digest(), {"drawn": 0}, facts).card for number in range(8_000)
    )
    assert chi_square(drawn, {fact.card: 8_000 * weight / 20 for fact, weight in facts}) < rare(3)


def test_draws_without_replacement_are_as_likely_as_the_dealers():
    """Three cards of six in a row, and again with the first put by hand: as a plain dealer deals them."""
    for first in (None, "M2"):
        ours, dealt, random = Counter(), Counter(), Random(5)
        for number in range(6_000):
            seed = sha256(b"%d" % number).digest()
            ours[deal(lambda place, facts, seed=seed: first_by_priority(seed, {"drawn": place}, facts), first)] += 1
            dealt[
                deal(lambda _, facts, random=random: random.choices(*map(list, zip(*facts, strict=True)))[0], first)
            ] += 1
        rows = ours | dealt
        half = {row: (ours[row] + dealt[row]) / 2 for row in rows}
        assert chi_square(ours, half) + chi_square(dealt, half) < rare(len(rows) - 1)


def chi_square(seen, expected):
    return sum((seen[row] - n) ** 2 / n for row, n in expected.items())


def rare(freedom):
    """Return the chi-square value that chance exceeds once in a thousand (Wilson and Hilferty)."""
    return freedom * (1 - 2 / (9 * freedom) + 3.09 * (2 / (9 * freedom)) ** 0.5) ** 3


def deal(choose, first):
    left, row = {"R1": 1, "R2": 2, "M2": 3}, []
    for place in range(3):
        by_hand = first is not None and not place
        card = first if by_hand else choose(place, [(Drawn(card), n) for card, n in left.items() if n]).card
        left[card] -= 1
        row.append(card)
    return tuple(row)


# --- what the record says ---


def test_draw_is_marked_and_a_fact_by_hand_is_not(book, table):
    draw_all(book, table)
    assert [entry.event.drawn_by_daybook for entry in book.games.get(table).entries[1:]] == [True] * 3
    other = open_seats(book, ruleset_id="london_markets", options={"hands": "hidden"})
    write(book, other, Decide(TABLE, plain(facts_to_draw_any(book, other)[0])))
    assert (newest(book, other).drawn_by_daybook, newest(book, other).replaces_drawn_step) == (False, None)


def test_fact_by_hand_after_an_undone_draw_names_it(book, table):
    first = draw_all(book, table)
    undo(book, table, 1)
    assert other_than(book.games.get(table), first[1])["type"] == "bottom_card_seen"
    write(book, table, Decide(TABLE, other_than(book.games.get(table), first[1])))
    assert (newest(book, table).drawn_by_daybook, newest(book, table).replaces_drawn_step) == (False, 2)
    undo(book, table, 1)
    write(book, table, Decide(TABLE, first[1]))
    assert newest(book, table).replaces_drawn_step == 2, "also where it is the same"
    undo(book, table, 2)
    assert newest(book, table).to_step == 2 and book.games.get(table).entries[2].event.drawn_by_daybook


def test_fact_by_hand_before_any_draw_of_its_kind_is_not_marked(book, table):
    write(book, table, Decide(TABLE, plain(facts_to_draw_any(book, table)[0])))
    draw_all(book, table)
    undo(book, table, 0)
    write(book, table, Decide(TABLE, plain(facts_to_draw_any(book, table)[1])))
    assert newest(book, table).replaces_drawn_step is None


def test_illegal_fact_after_an_undone_draw_names_it(book, table):
    draw_all(book, table)
    undo(book, table, 1)
    write(book, table, RecordAsPlayed(TABLE, {"type": "start_player_drawn", "seat": 1}, why="it stood"))
    assert newest(book, table).replaces_drawn_step == 3
    undo(book, table, 2)
    write(
        book,
        table,
        RecordAsPlayed(TABLE, {"type": "start_player_drawn", "seat": 9}, rules_applied=False, why="it stood"),
    )
    assert newest(book, table).replaces_drawn_step == 3


def test_correction_keeps_draws_and_marks_what_replaces_one(book, table):
    first = draw_all(book, table)
    game = book.games.get(table)
    other = other_than(opening_of(book, table), first[0])
    instead = {1: Resolution([Move(TABLE, other)])}
    plan = Correction(game, instead, "misread", Written("", "", "")).plan()
    write(book, table, Correct(instead, "misread", plan.digest))
    corrected = [entry.event for entry in book.games.get(table).entries[5:]]
    assert [(event.drawn_by_daybook, event.replaces_drawn_step) for event in corrected] == [
        (False, 1),
        (True, None),
        (True, None),
    ]


def test_draw_that_daybook_would_not_make_is_refused(book, table):
    game = book.games.get(table)
    drawn = plain(draw_fact(book, game, KINDS))
    for decision in (other_than(game, drawn), {"type": "start_player_drawn", "seat": 0}):
        with pytest.raises(Refused, match="Daybook did not draw this"):
            recording.append_command(
                book, table, Decide(TABLE, decision, drawn_by_daybook=True), by="scorekeeper", key=key()
            )
    with pytest.raises(Refused, match="only facts of the table"):
        recording.append_command(
            book, table, Decide(0, drawn_of_seat(game), drawn_by_daybook=True), by="scorekeeper", key=key()
        )
    assert book.games.get(table).step == 0


def drawn_of_seat(game):
    return {"type": "setup_bar", "market": "PORT"}


# --- files ---


def test_marks_survive_full_and_bare_files_and_another_daybook(book, table):
    first = draw_all(book, table)
    undo(book, table, 2)
    write(book, table, Decide(TABLE, other_than(book.games.get(table), first[2])))
    game = book.games.get(table)
    marks = [
        (getattr(e.event, "drawn_by_daybook", None), getattr(e.event, "replaces_drawn_step", None))
        for e in game.entries
    ]
    assert marks[-1] == (False, 3)
    header = recordfile.build_header(game, "Tuesday", ["Anna", "Ben", "Cleo"])
    for write_file in (recordfile.write_full_file, recordfile.bare_file):
        read = recordfile.read_record_file(BytesIO(b"".join(write_file(header, game.entries))), "2030-01-01").game
        assert [
            (getattr(e.event, "drawn_by_daybook", None), getattr(e.event, "replaces_drawn_step", None))
            for e in read.entries
        ] == marks
        assert audit(read).clean
    text = "\n".join(write_transcript(game, "Tuesday", ["Anna", "Ben", "Cleo"]))
    assert "drawn by Daybook" in text
    assert "put by hand after the draw of step 3 was undone" in text


@pytest.mark.parametrize(
    ("place", "claim", "bad"),
    [
        (3, {"drawn_by_daybook": False, "replaces_drawn_step": 1}, "replaces_drawn_step"),
        (5, {"replaces_drawn_step": None}, "replaces_drawn_step"),
        (5, {"replaces_drawn_step": 1}, "replaces_drawn_step"),
    ],
)
def test_file_with_a_false_mark_is_refused(book, table, place, claim, bad):
    first = draw_all(book, table)
    undo(book, table, 2)
    write(book, table, Decide(TABLE, other_than(book.games.get(table), first[2])))
    game = book.games.get(table)
    header = recordfile.build_header(game, "Tuesday", ["Anna", "Ben", "Cleo"])
    entries = [*game.entries[:place]]
    entries.append(write_entry(game.id, msgspec.structs.replace(game.entries[place].event, **claim), entries[-1].seal))
    with pytest.raises(BadFileError, match=bad):
        recordfile.read_record_file(BytesIO(b"".join(recordfile.write_full_file(header, entries))), "2030-01-01")


def test_file_with_a_drawn_decision_of_a_seat_is_refused(book, table):
    draw_all(book, table)
    write(
        book,
        table,
        Decide(
            book.games.get(table).ruleset.course.to_act(book.games.get(table).board)[0],
            {"type": "setup_bar", "market": "PORT"},
        ),
    )
    game = book.games.get(table)
    header = recordfile.build_header(game, "Tuesday", ["Anna", "Ben", "Cleo"])
    entries = [*game.entries[:4]]
    entries.append(
        write_entry(game.id, msgspec.structs.replace(game.entries[4].event, drawn_by_daybook=True), entries[-1].seal)
    )
    with pytest.raises(BadFileError, match="only facts of the table"):
        recordfile.read_record_file(BytesIO(b"".join(recordfile.write_full_file(header, entries))), "2030-01-01")
