"""Steady practice players: legal, out of nothing but what the seat may see, the same every time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, islice
from random import Random
from typing import Any

import msgspec
import pytest

from daybook.domain.games import PACKAGES
from daybook.domain.games.london_markets.moves import PlaceBar, SetupBar
from daybook.domain.games.making_profit.moves import BuyStock, EndTurn, Run
from daybook.domain.kernel.game_package import GamePackage
from daybook.domain.kernel.policy import decisions_by_merit, steady_decision
from daybook.domain.kernel.terms import TABLE, Board, Decision, Seat
from daybook.services.play.practice import Dealer
from daybook.services.play.search import estimate_decisions
from daybook.services.store.printed_sheets import printed_sheet
from tests.domain.games.making_profit import playing as making_profit
from tests.domain.games.moves import deal_steps
from tests.laboratory.strength import measure_strength

pytestmark = pytest.mark.slow

WITH_POLICY = [package for package in PACKAGES.values() if package.policy is not None]
OPTIONS = {"london_markets": {"hands": "open"}}
Positions = Iterator[tuple[Board, Seat]]


def positions(package: GamePackage, seed: int, limit: int, seats: int = 3) -> Positions:
    """Boards of a game between chance and steady players, where a seat is to act."""
    rules, dealer = package.ruleset, Dealer(seed, ["steady"] + ["chance"] * (seats - 1))
    for step in islice(deal_steps(rules, dealer, seats, **OPTIONS.get(rules.id, {})), limit):
        yield from ((step.board, seat) for seat in rules.waits_for(step.board) if seat != TABLE)


def decide_by_policy(package: GamePackage, board: Board, seat: Seat) -> Decision:
    assert package.policy is not None
    return steady_decision(package.ruleset, package.policy, board, seat)


@pytest.mark.parametrize("package", WITH_POLICY, ids=lambda package: package.ruleset.id)
def test_what_is_decided_is_legal_and_the_board_stays(package):
    for board, seat in positions(package, 3, 150):
        before = board.document()
        package.ruleset.refuse(board, seat, decide_by_policy(package, board, seat))
        assert board.document() == before


@pytest.mark.parametrize("package", WITH_POLICY, ids=lambda package: package.ruleset.id)
def test_what_a_seat_sees_is_enough(package):
    """The decision on the view alone, without covered parts, is the same."""
    for board, seat in positions(package, 4, 120):
        view = package.ruleset.secrecy.redact_board(board, seat)
        assert decide_by_policy(package, view, seat) == decide_by_policy(package, board, seat)


def read_back(package: GamePackage, board: Board) -> Board:
    """Return the board as read from a record, whose names are in another order than on a board just played."""
    document = msgspec.json.decode(msgspec.json.encode(board.document(), order="deterministic"))
    return package.ruleset.typed_board(document, board.table)


@pytest.mark.parametrize("package", WITH_POLICY, ids=lambda package: package.ruleset.id)
def test_a_board_that_was_read_back_is_worth_the_same(package):
    policy = package.policy
    assert policy is not None
    for board, seat in positions(package, 6, 60, package.ruleset.seats[-1]):
        views = [package.ruleset.secrecy.redact_board(value, seat) for value in (board, read_back(package, board))]
        weighed, again = (
            {repr(decision): merit for decision, merit in decisions_by_merit(package.ruleset, policy, view, seat)}
            for view in views
        )
        assert again == pytest.approx(weighed)
        if policy.worth is not None:
            assert policy.worth(views[0], seat) == pytest.approx(policy.worth(views[1], seat))


def other_hands(board: Any, seat: Seat, random: Random) -> Any:
    """Making Profit: deal the other players' covered cards and the deck again."""
    twin = board.twin()
    places = [(twin.deck, card) for card, count in twin.deck.items() for _ in range(count)]
    for other, player in enumerate(twin.players):
        if other != seat:
            covered = dict(player.hand) | {"R1": player.hand["R1"] - min(player.shown, player.hand["R1"])}
            places += [(player.hand, card) for card, count in covered.items() for _ in range(count)]
    cards = [card for _, card in places]
    random.shuffle(cards)
    for pile, card in places:
        pile[card] -= 1
    for (pile, _), card in zip(places, cards, strict=True):
        pile[card] += 1
    return twin


def other_goods(board: Any, seat: Seat, random: Random) -> Any:
    """London Markets: covered goods change hands among the others, and special cards between a hand and a pile."""
    twin = board.twin()
    one, two = random.sample([player for other, player in enumerate(twin.players) if other != seat], 2)
    gives = [goods for goods, count in one.unseen.items() if count]
    takes = [goods for goods, count in two.unseen.items() if count]
    if gives and takes:
        goods, other = random.choice(gives), random.choice(takes)
        one.unseen[goods] -= 1
        two.unseen[goods] += 1
        two.unseen[other] -= 1
        one.unseen[other] += 1
    for player in (one, two):
        for place, card in enumerate(player.specials):
            pile = random.choice(twin.specials)
            if pile and twin.looking is None:
                player.specials[place], pile[0] = pile[0], card
    for player in (one, two):  # what they have sealed
        if twin.stage == "offers" and isinstance(player.offer, dict):
            player.offer = dict.fromkeys(player.offer, 0)
    return twin


TWINS: dict[str, Callable[[Any, Seat, Random], Any]] = {"making_profit": other_hands, "london_markets": other_goods}


@pytest.mark.parametrize("game", TWINS)
def test_worlds_differing_in_covered_cards_decide_alike(game):
    package, random, differed = PACKAGES[game], Random(8), 0
    for board, seat in chain(*(positions(package, seed, 200) for seed in (8, 9, 10))):
        twin = TWINS[game](board, seat, random)
        see = package.ruleset.secrecy.redact_board
        assert see(twin, seat) == see(board, seat), "the seat sees no difference"
        differed += twin != board
        assert decide_by_policy(package, twin, seat) == decide_by_policy(package, board, seat)
    assert differed > 20


def test_starter_of_two_steady_players_nearly_always_wins():
    """A table of two leaves the other player little room to do better."""
    rules, sheet, games = PACKAGES["making_profit"].ruleset, printed_sheet("making_profit"), 200
    table, won = rules.table(rules.colours(sheet)[:2], {"hands": "open"}, sheet), 0
    for seed in range(games):
        board, dealer = rules.opening_board(table), Dealer(seed, ["steady"] * 2)
        while (chosen := dealer.next_decision(rules, board)) is not None:
            rules.carry_out(board, *chosen)
        won += rules.ranks(board)[board.start] == 1
    assert won > 0.8 * games


def last_action(money: int, factory: str = "") -> Any:
    """Making Profit: a seat that is behind has the last action, and the others have factories at a level at which a
    certificate is worth its price."""
    board = making_profit.set_up(
        making_profit.player(money, factory=factory, red=2),
        making_profit.player(40, "R1", "M1 M1 M1", blue=2),
        making_profit.player(20, "R2", "M1 M1", green=2),
    )
    board.developer, board.actions = 1, 1
    return board


@pytest.mark.parametrize("money", [3, 9])
def test_last_action_gives_no_rival_a_useless_card(money):
    """MP-4.2.3: the owner of the factory draws, and what a certificate costs is what it counts at the end."""
    board = last_action(money)
    rules = PACKAGES["making_profit"].ruleset
    view = rules.secrecy.redact_board(board, 0)
    assert BuyStock("blue") in rules.legal(board, 0)
    assert all(rules.what_follows(board, 0, value)[0].ended for value in (Run(), EndTurn()))
    policy = PACKAGES["making_profit"].policy
    assert policy is not None
    for decision, _ in decisions_by_merit(rules, policy, view, 0)[:2]:
        assert not isinstance(decision, BuyStock) or decision.colour == "red"
    found = estimate_decisions(rules, view, 0, seed=3, playouts=40)
    best = rules.decision(found.best)
    assert not isinstance(best, BuyStock) or best.colour == "red"


@pytest.mark.parametrize(("level", "seats", "games"), [("steady", 3, 6), ("steady", 4, 6), ("strong", 3, 3)])
def test_london_markets_set_up_depends_on_its_seed(level, seats, games):
    """The places of bars do not matter to the policy: it accepts any market and any slot."""
    rules, sheet = PACKAGES["london_markets"].ruleset, printed_sheet("london_markets")

    def bars_placed(seed: int) -> list[str]:
        board = rules.opening_board(rules.table(rules.colours(sheet)[:seats], {"hands": "open"}, sheet))
        dealer, placed = Dealer(seed, [level] * seats, 2), []
        while len(placed) < 3 * seats:
            chosen = dealer.next_decision(rules, board)
            assert chosen is not None
            if isinstance(chosen[1], SetupBar):
                placed.append(chosen[1].market)
            rules.carry_out(board, *chosen)
        return placed

    found = [bars_placed(seed) for seed in range(games)]
    assert bars_placed(0) == found[0]
    assert len({tuple(placed) for placed in found}) == games
    assert sum(len(set(placed[:3])) > 1 for placed in found) > games / 2, "not one market after the other"


def test_slots_of_a_layer_are_one_decision():
    rules, policy = PACKAGES["london_markets"].ruleset, PACKAGES["london_markets"].policy
    assert policy is not None
    kinds: Counter[str] = Counter()
    for board, seat in positions(PACKAGES["london_markets"], 3, 200):
        listed = [decision for decision, _ in decisions_by_merit(rules, policy, board, seat)]
        bars = [decision for decision in listed if isinstance(decision, SetupBar | PlaceBar)]
        kinds.update(type(bar).__name__ for bar in bars)
        assert len(bars) == len({getattr(bar, "market", None) for bar in bars})
        assert {getattr(item, "market", None) for item in rules.legal(board, seat) if isinstance(item, SetupBar)} == {
            bar.market for bar in bars if isinstance(bar, SetupBar)
        }
    assert set(kinds) == {"SetupBar", "PlaceBar"}


@pytest.mark.parametrize("game", ["making_profit", "london_markets"])
def test_hands_that_nobody_saw_are_played_to_the_end(game):
    rules = PACKAGES[game].ruleset
    for seed in range(3):
        for step in islice(deal_steps(rules, Dealer(seed, ["steady"] * 3), hands="hidden"), 2000):
            rules.refuse(step.board, step.seat, step.decision)
        assert rules.scoring.outcome(step.after) is not None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "games", "minimum"),
    [("making_profit", 24, 0.75), ("london_markets", 10, 0.8), ("arkwright_card", 10, 0.8), ("water_frame", 6, 0.8)],
)
def test_steady_players_beat_chance(game, games, minimum):
    package = PACKAGES[game]
    found = measure_strength(
        package.ruleset,
        printed_sheet(game),
        "steady",
        "chance",
        seats=4,
        games=games,
        seed=1,
        options=OPTIONS.get(game),
    )
    assert found.share >= minimum and found.place < found.other_place
    assert found.interval[0] < found.share <= found.interval[1]
