"""Boards drawn for a viewer: they agree with what the viewer sees, hold together, and tell nothing of the real one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any

import pytest

from daybook.domain.games import PACKAGES
from daybook.domain.games.making_profit.board import Stocks
from daybook.domain.games.making_profit.knowledge import can_be, naming
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.sampling import each_card, shuffle_cards
from daybook.domain.kernel.terms import KEEPER, TABLE, Board, Viewer
from daybook.services.play.practice import Dealer
from daybook.services.store.printed_sheets import printed_sheet
from tests.domain.games.moves import deal_steps
from tests.domain.games.test_policies import OPTIONS, TWINS

HIDING = [
    ("making_profit", "open"),
    ("making_profit", "hidden"),
    ("london_markets", "open"),
    ("london_markets", "hidden"),
]
VIEWERS: tuple[Viewer, ...] = (None, 0, 1, 2)


def boards(rules: Ruleset[Any], options: dict[str, Any], seed: int, limit: int) -> Iterator[Board]:
    """Every board of a game between steady players and chance, from the opening on."""
    sheet = printed_sheet(rules.id)
    board = rules.opening_board(rules.table(rules.colours(sheet)[:3], options, sheet))
    dealer = Dealer(seed, ["steady", "chance", "steady"])
    for _ in range(limit):
        yield board
        chosen = dealer.next_decision(rules, board)
        if chosen is None:
            return
        board = rules.play(board, *chosen)[0]


@pytest.mark.parametrize(("game", "hands"), HIDING)
def test_a_sample_looks_to_its_viewer_like_the_board(game, hands):
    rules, random = PACKAGES[game].ruleset, Random(3)
    secrecy = rules.secrecy
    for board in chain(*(boards(rules, {"hands": hands}, seed, 260) for seed in (1, 2))):
        for viewer in (*VIEWERS, *([KEEPER] if secrecy.seals else [])):
            view = secrecy.redact_board(board, viewer)
            sample = secrecy.sample_board(view, viewer, random.randrange)
            assert secrecy.redact_board(sample, viewer) == view
            assert not list(rules.integrity.breaches(sample)), "no card is one too many"


@pytest.mark.parametrize("game", ["making_profit", "london_markets"])
def test_a_sample_leaves_nothing_covered_that_the_record_sees(game):
    """Every legal decision of a hand is playable, and samples differ."""
    rules, random, drawn, differ = PACKAGES[game].ruleset, Random(5), 0, 0
    for board in boards(rules, {"hands": "open"}, 4, 260):
        if rules.course.to_act(board) == (TABLE,):
            continue
        view = rules.secrecy.redact_board(board, 0)
        samples = [rules.secrecy.sample_board(view, 0, random.randrange) for _ in range(3)]
        for sample in samples:
            assert sample.document().keys() == board.document().keys()
            assert b"?" not in _encode_holdings(sample) or b"?" in _encode_holdings(board)
        drawn += 1
        differ += samples[0] != samples[1] or samples[1] != samples[2]
    assert drawn > 20 and differ > 0.7 * drawn


def _encode_holdings(board: Any) -> bytes:
    """Encode hands and piles without the counts of unseen cards."""
    held = [getattr(player, "specials", ()) for player in board.players]
    return (
        repr(
            [
                held,
                getattr(board, "specials", ()),
                [getattr(player, "offer", None) for player in board.players],
                [player.hand["?"] for player in board.players] if hasattr(board, "deck") else (),
            ]
        )
        .replace("0", "")
        .encode()
    )


@pytest.mark.parametrize("game", TWINS)
def test_worlds_differing_in_covered_cards_sample_alike(game):
    rules, random, differed = PACKAGES[game].ruleset, Random(8), 0
    secrecy = rules.secrecy
    games = (boards(rules, OPTIONS.get(game, {}), seed, 200) for seed in (9, 10, 11))
    for number, board in enumerate(chain(*games)):
        if rules.waits_for(board) in ((), (TABLE,)):
            continue
        seat = rules.waits_for(board)[0]
        twin = TWINS[game](board, seat, random)
        differed += twin != board
        one, other = (
            secrecy.sample_board(secrecy.redact_board(world, seat), seat, Random(number).randrange)
            for world in (board, twin)
        )
        assert one == other
    assert differed > 10


@pytest.mark.parametrize("game", ["arkwright_card", "water_frame"])
def test_where_nothing_is_hidden_a_sample_is_the_board(game):
    rules = PACKAGES[game].ruleset
    for board in boards(rules, {}, 1, 30):
        sample = rules.secrecy.sample_board(board, 0, Random(1).randrange)
        assert sample == board and sample is not board


def test_hidden_cards_are_drawn_as_often_as_they_are_likely():
    """Making Profit: of the cards a seat does not see, a covered one is each as often as its share."""
    rules, random = PACKAGES["making_profit"].ruleset, Random(7)
    board: Any = next(board for board in boards(rules, {}, 1, 100) if rules.waits_for(board) not in ((), (TABLE,)))
    view: Any = rules.secrecy.redact_board(board, 0)
    seen = {
        card: sum(player.hand[card] + player.factory.count(card) for player in view.players) + view.discard[card]
        for card in board.printed.copies
    }
    unseen = {card: copies - seen[card] for card, copies in board.printed.copies.items()}
    drawn = dict.fromkeys(unseen, 0)
    for _ in range(600):
        sample: Any = rules.secrecy.sample_board(view, 0, random.randrange)
        for card in drawn:
            drawn[card] += sample.players[1].hand[card]
    total = sum(drawn.values())
    for card, count in unseen.items():
        assert abs(drawn[card] / total - count / sum(unseen.values())) < 0.05


def shuffled_boards(seed):
    """Yield boards of an open Making Profit of six after a shuffle, each with the cards that were shuffled last."""
    shuffled = None
    for board, *_, after, _ in deal_steps(PACKAGES["making_profit"].ruleset, Dealer(seed), 6, hands="open"):
        if after.deck_size > board.deck_size:
            shuffled = dict(after.deck)
        if shuffled is not None and after.ended is None:
            yield after, shuffled


def test_mp_4_7_2_deck_holds_only_what_was_shuffled_in():
    """All players saw the discards: no sample puts another card into the deck, nor one that the viewer drew since."""
    rules, random, checked = PACKAGES["making_profit"].ruleset, Random(4), 0
    for seed in (0, 2, 9):
        for board, shuffled in shuffled_boards(seed):
            for viewer in (None, 0, 4):
                sample: Any = rules.secrecy.sample_board(
                    rules.secrecy.redact_board(board, viewer), viewer, random.randrange
                )
                assert all(sample.deck[card] <= shuffled[card] for card in sample.deck), (seed, viewer)
                if viewer is not None:
                    drawn = board.stocks.drawn_cards[viewer]
                    assert all(sample.deck[card] <= shuffled[card] - drawn[card] for card in drawn)
                checked += 1
    assert checked > 300


def test_mp_3_4_6_sampled_hands_can_have_come_about():
    """The cards of a sampled hand, and those it showed since the shuffle, were held then or drawn since."""
    rules, checked = PACKAGES["making_profit"].ruleset, 0
    for number, (board, _) in enumerate(shuffled_boards(2)):
        viewer = number % 6
        view: Any = rules.secrecy.redact_board(board, viewer)
        sample: Any = rules.secrecy.sample_board(view, viewer, Random(number).randrange)
        stocks, others = view.stocks, [seat for seat in range(6) if seat != viewer]
        new = {card: stocks.new[card] - stocks.drawn_cards[viewer][card] for card in stocks.new}
        story = Stocks(
            new=new,
            old=dict.fromkeys(new, 0),
            held=[held * (seat != viewer) for seat, held in enumerate(stocks.held)],
            drawn=[*stocks.drawn],
            named=[own if seat != viewer else [] for seat, own in enumerate(stocks.named)],
        )
        for seat in others:
            player = sample.players[seat]
            cards = [card for card in new for _ in range(player.hand[card])]
            story = naming(story, seat, cards[min(player.shown, player.hand["R1"]) :])
        named = {card: sum(batch.cards[card] for own in story.named for batch in own) for card in new}
        story.old = {card: named[card] + sample.deck[card] - new[card] for card in new}
        assert can_be(story), (number, viewer)
        checked += 1
    assert checked > 60


def test_a_hand_put_right_after_a_shuffle_is_still_sampled():
    rules = PACKAGES["making_profit"].ruleset
    board, _ = next(shuffled_boards(6))
    card, other = next(card for card in board.deck if board.deck[card]), board.players[1].hand
    board.deck[card] -= 1
    other[card] += 1
    view = rules.secrecy.redact_board(board, 0)
    sample = rules.secrecy.sample_board(view, 0, Random(1).randrange)
    assert rules.secrecy.redact_board(sample, 0) == view


def test_a_shuffle_holds_every_card_in_an_order_of_the_choices():
    cards = each_card({"a": 2, "b": 1, "c": 0})
    assert cards == ["a", "a", "b"]
    assert shuffle_cards(cards, lambda count: count - 1) == cards
    assert shuffle_cards("abc", lambda count: 0) == ["b", "c", "a"]
    assert len({tuple(shuffle_cards("abc", Random(seed).randrange)) for seed in range(60)}) == 6
