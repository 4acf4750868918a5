"""A player's own words: accepted if one decision explains all of them, otherwise the page asks."""

from __future__ import annotations

from itertools import islice

import msgspec
import pytest

from daybook.domain.games import RULESETS
from daybook.domain.kernel.decisions import read_decision
from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Board, Seat
from daybook.services.play.practice import Dealer
from daybook.web import words
from daybook.web.words.explained import explain_text
from daybook.web.words.fit import Candidate
from daybook.web.words.phrases import is_same_word, words_of
from daybook.web.words.typist import Sentence
from daybook.web.words.written_game import typist_of
from tests.played import TRIO
from tests.services.fixture_files import FIXTURES, golden

POSITIONS = 30  # of a game by chance
AT_ONCE = 0.9  # of what was written by somebody who had read only the rules


def candidate(text: str, *follows: str, about: str = "", sort: str = "", values: str = "", also: str = "") -> Candidate:
    of = [(sort, value) for value in values.split(", ") if value]
    others = [also] if also else []
    return Candidate(says=text, also=others, about=about, name="Anna", values=lambda: of, follows=lambda: follows)


BUY = [
    candidate(f"Buy a {colour} certificate", f"Anna buys a {colour} certificate for ${price}", values=colour)
    for colour, price in (("red", 2), ("blue", 3))
]
HIRE = [candidate(f"Hire a worker: food, row {n}", "Anna pays £5", values="food", sort="good") for n in (1, 2)]
SWAP = candidate("Give china, take coffee", "Anna gives china and takes coffee", values="china, coffee", sort="good")
MOVE = candidate("Move a worker: food to clothes", "Anna moves a worker", values="food, clothes", sort="space")
RUN = candidate("Run the factory", "Anna is paid 2 × $4: $8", "Anna is at level 2", about="Run the factory")
END = candidate("End the action", about="End the action. Automate production")
TWINS = [candidate(f"Place card {item} at 2", "Anna places a card: 2", values=f"card {item}") for item in "AB"]

BARS = [candidate("Drop a bar", about="Drop a bar: which place?")] + [
    candidate(f"Drop a bar, place {n}", about="Drop a bar: which place?") for n in (2, 3)
]
SETS = [
    candidate("Sell 2 × A1 and B2", values="A1 B2", also="Sell A1, A1 and B2"),
    candidate("Sell A1 and 2 × B2", values="A1 B2", also="Sell A1 and B2, B2"),
]


@pytest.mark.parametrize(
    ("text", "candidates", "taken", "left"),
    [
        ("buys a red share for 2$", BUY, 0, []),
        ("buys the blue one, $3", BUY, 1, []),
        ("buys a blue share for 2$", BUY, None, ["2"]),
        ("buys a share for 2$", BUY, None, ["2"]),
        ("buys a green share", BUY, None, ["green"]),
        ("buys a red share and sells a blue one", BUY, None, ["sells", "blue"]),
        ("buys a red share, not a blue one", BUY, None, ["not", "blue"]),
        ("hires a worker into food, 2nd row", HIRE, 1, []),
        ("hires a second worker into food, row 1", HIRE, 0, []),
        ("a worker into food, row 3", HIRE, None, ["3"]),
        ("food, row 2, for £5", HIRE, 1, []),
        ("food, row 2, for £6", HIRE, None, ["6"]),
        ("gives china, takes coffee", [SWAP], 0, []),
        ("gives coffee, takes china", [SWAP], None, ["gives", "coffee", "takes", "china"]),
        (
            "moves a worker to clothes from food",
            [MOVE],
            None,
            ["moves", "a", "worker", "to", "clothes", "from", "food"],
        ),
        ("runs her factory, 4$ each, 8$, level 2", [RUN, *BUY], 0, []),
        ("runs her factory, level 3", [RUN], None, ["3"]),
        ("runs her factory, buys a red share", [RUN, *BUY], None, ["runs", "factory"]),
        ("runs her factory, level 4", [RUN], None, ["4"]),
        ("ends production", [END], 0, []),
        ("action: automate production", [END], None, ["automate", "production"]),
        ("card at 2", TWINS, 0, []),
        ("bought a red share for 2 pounds", BUY, 0, []),
        ("buys a blue share, L3", BUY, 1, []),
        ("buys a red shaer", BUY, 0, []),
        ("buys a red shelf", BUY, None, ["shelf"]),
        ("hires a wrkr into food, 2nd row", HIRE, 1, []),
        ("hires for food, 2 rows", HIRE, None, ["2"]),
        ("sells a1", SETS[:1], None, []),
        ("a third worker into food, row 3", HIRE, None, ["3"]),
        ("hires into food, second thing", HIRE, None, ["2", "thing"]),
        ("drops the bar at the second place", BARS, 1, []),
        ("drops the bar", BARS, 0, []),
        ("drops her second bar", BARS, 0, []),
        ("brings a red share back", [candidate("Bring back a red certificate", values="red")], 0, []),
        ("isn't buying a red share", BUY, None, ["not"]),
        ("buys a rad share", BUY, None, ["rad"]),
        ("drops the bar, fourth place", BARS, None, ["drops", "the", "bar", "4", "place"]),
        ("sells a1, a1 and b2", SETS, 0, []),
        ("sells two a1 and one b2", SETS, 0, []),
        ("sells a1 and two b2", SETS, 1, []),
        ("sells a1, b2", SETS, None, []),
        ("sells b2, b2 and c1", [candidate("Sell A1, B2 and C1", values="A1 B2 C1")], None, ["b2"]),
        ("nothing of the kind", BUY, None, []),
        ("", BUY, None, []),
        ("red " * 5_000, BUY, None, []),
    ],
)
def test_all_that_is_told_has_to_be_explained_by_one_decision(text, candidates, taken, left):
    found = explain_text(text, candidates, ["certificate = share"], ["card A = card B"])
    assert (found.taken, found.left) == (taken, left)


@pytest.mark.parametrize("file", sorted((FIXTURES / "told").glob("*.txt")), ids=lambda file: file.stem)
def test_evening_told_from_the_rules_alone_is_parsed_not_guessed(file):
    record = golden(file.stem)
    game, names = record.game, [seat.name for seat in record.header.seats]
    lines = [line.replace(";", ",") for line in file.read_text(encoding="utf-8").splitlines()]
    decided = [step for step in game.line_since(0) if isinstance(game.entries[step].event, DecisionRecorded)]
    at_once = 0
    for step, line in zip(islice(decided, len(lines)), lines, strict=True):
        event = game.entries[step].event
        assert isinstance(event, DecisionRecorded)
        taken = typist_of(game, names).read(line, game.board_at(game.parents[step])).taken
        assert taken is None or is_same(game, names, taken, event.seat, event.decision), line
        at_once += taken is not None
    assert at_once >= AT_ONCE * len(lines)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3. Anna develops m1", "Develop M1"),
        ("T14 anna: puts a 1$ card next to her factory", "Develop M1"),
        ("A. runs", "Run the factory"),
        ("Anna ran her own factory", "Run the factory"),
        ("Anna buys Ben's share", ""),
        ("Anna buys a share", ""),
        ("Anna buys", ""),
        ("Ben runs", ""),
        ("Anna runs Ben's factory", ""),
        ("Anna sells what is put up", ""),
        ("Anna doesn't run", ""),
    ],
)
def test_who_decides_and_whose_stock_it_is_are_told_by_names(friday, text, message):
    taken = typist_of(friday.game, TRIO).read(text).taken
    assert ("" if taken is None else taken.says) == message


ONLY_FRIEDA = "Frieda 2 silk; Gustav nothing; Hana nothing"


@pytest.mark.parametrize(
    ("file", "step", "text", "message"),
    [
        ("six-to-the-limit", 75, "Ines buys Greta's stock", "Buy a red certificate"),
        ("hidden-four", 61, "Sami sells his own", "Put a yellow certificate up for sale"),
        ("hidden-four", 61, "Sami sells", ""),
        ("hidden-four", 62, "Sami nothing else", "Finish the sale"),
        ("three-stalls", 162, "F 2 silk, rest null", ONLY_FRIEDA),
        ("three-stalls", 162, "2 silk (Frieda), 0 Gustav, 0 Hana", ONLY_FRIEDA),
        ("three-stalls", 162, "only Frieda offers, 2 silk", ONLY_FRIEDA),
        ("three-stalls", 162, "2 silk, rest null", ""),
        ("three-stalls", 181, "coffee £2, soap special, silk £4, china special", "M10"),
        ("three-stalls", 181, "coffee £2, soap special, silk £3, china special", ""),
        ("three-stalls", 181, "coffee 2, soap special, silk 4, china special", "M10"),
        ("three-stalls", 103, "Gustav another bar", "Place a bar"),
        ("three-stalls", 103, "Hana another bar", ""),
        ("three-stalls", 113, "Gustav china", ""),
        ("hidden-trio", 2, "Klara finished selling", ""),
        ("hidden-trio", 42, "Mei: run", ""),
        ("six-to-the-limit", 160, "Emil: +2 resource", ""),
        ("six-to-the-limit", 160, "Emil: develops +2 resource", ""),
        ("three-stalls", 103, "Gustav bar in the middle", "Place a bar, place 2"),
        ("three-stalls", 103, "Gustav his second bar", "Place a bar"),
        ("three-stalls", 103, "Gustav places his second bar", "Place a bar"),
        ("bankrupt", 195, "Yrsa: small storehouse", ""),
        ("bankrupt", 195, "Yrsa ends production", "No more storehouses: pay the production costs"),
        ("six-to-the-limit", 75, "somebody buys Greta's stock", "Buy a red certificate"),
        ("emergency-fund", 140, "Jonna gets her ships back", ""),
        ("two-and-a-neutral", 140, "Jonna gets her ships back", "Regain the ships"),
    ],
)
def test_what_the_table_calls_its_things_is_read_at_its_position(file, step, text, message):
    record = golden(file)
    names = [seat.name for seat in record.header.seats]
    taken = typist_of(record.game, names).read(text, record.game.board_at(record.game.parents[step])).taken
    assert ("" if taken is None else taken.says) == message


def test_a_game_is_told_in_korean_too(open_game, app):
    game = open_game(TRIO).game
    with app.test_request_context("/", headers={"Accept-Language": "ko"}):
        taken = typist_of(game, TRIO).read("테이블: 2달러, 빠름", game.board).taken
        assert taken is None, "one word is not known"
        taken = typist_of(game, TRIO).read("테이블: 2달러", game.board).taken
        assert taken is not None and taken.says == "M2"


def is_same(game: Game, names: list[str], taken: Sentence, seat: Seat, decision: words.Plain) -> bool:
    """Return whether it is the decision, or the same with an indistinguishable piece."""
    if read_decision(game, taken.decision) == read_decision(game, decision):
        return taken.seat == seat
    one, other = taken.says, words.sentence(game.ruleset.id, decision, names)
    for twins in words.GAMES[game.ruleset.id].twins:
        first, *others = twins.split(" = ")
        for piece in others:
            one, other = one.replace(piece, first), other.replace(piece, first)
    return (one, taken.seat) == (other, seat)


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_consequence_of_another_decision_makes_no_other_decision(open_game, app, ruleset, language):
    game = open_game(TRIO, ruleset_id=ruleset).game
    board, dealer, chance = game.board, Dealer(5), 0
    with app.test_request_context("/", headers={"Accept-Language": language}):
        for _ in range(POSITIONS):
            following = dealer.next_decision(game.ruleset, board)
            if following is None:
                break
            seat, decision = following
            legal = [*game.ruleset.legal(board, seat)]
            if len(legal) > 1:
                chance += 7
                one, other = legal[chance % len(legal)], legal[(chance * 3 + 1) % len(legal)]
                says = words.sentence(ruleset, msgspec.to_builtins(one), TRIO)
                text = f"{told_of(game, board, seat)}: {says}, {consequence(game, board, seat, other)}"
                taken = typist_of(game, TRIO).read(text.replace(";", ","), board).taken
                assert taken is None or is_same(game, [*TRIO], taken, seat, msgspec.to_builtins(one)), text
            board, _ = game.ruleset.play(board, seat, decision)


def told_of(game: Game, board: Board, seat: Seat) -> str:
    return "the table" if seat == TABLE and words.language() == "en" else words.seat_name(seat, TRIO)


def consequence(game: Game, board: Board, seat: Seat, decision: object) -> str:
    """Return the first effect of a decision as a sentence."""
    effects = game.ruleset.play(board, seat, decision)[1]  # type: ignore[arg-type]
    return words.sentence(game.ruleset.id, msgspec.to_builtins(effects[0]), TRIO) if effects else ""


def test_levels_are_told_apart():
    two, three = words_of("II III")
    assert not is_same_word(two, three), "builds clothes II is not III"
