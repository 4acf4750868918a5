"""LM-1 to LM-3.3: players, printed numbers, set-up, and visibility."""

from __future__ import annotations

from math import comb

import pytest

from daybook.domain.games.london_markets import LONDON_MARKETS, printed
from daybook.domain.games.london_markets.moves import (
    BarPlaced,
    BottomCardSeen,
    BottomCardShown,
    EndTurn,
    GoodsCards,
    GoodsDealt,
    HandDealt,
    MarketCardRevealed,
    MerchantsLaid,
    MerchantsPlaced,
    Offer,
    OfferCardsLaid,
    OfferCardsPlaced,
    OfferSealed,
    OffersRevealed,
    PhaseBegun,
    PilePicked,
    PlaceBar,
    PlaySpecial,
    SetupBar,
    SpecialLaid,
    SpecialsLaid,
    SpecialsStacked,
    SpecialStacked,
    SpecialTaken,
    StartPlayerChosen,
    StartPlayerDrawn,
    TakePile,
    TakeSpecial,
    UseAssistant,
    UseMerchant,
)
from daybook.domain.games.london_markets.printed import GOODS, MARKETS
from daybook.domain.kernel.terms import KEEPER, TABLE, IllegalDecision
from tests.domain.games.london_markets.playing import (
    BLUE,
    COLOURS,
    GREEN,
    RED,
    SHEET,
    TRADED,
    after,
    board_at_first_card,
    board_at_foreign_bars,
    broken,
    effects_after,
    foreign_bars,
    hand,
    legal,
    most_of,
    offering,
    offers,
    opening_board,
    play,
    player,
    refusal,
    set_up,
    table,
    to_act,
)
from tests.domain.games.moves import only


def board_at_specials():
    """Return a board before the special cards are put into piles."""
    return after(
        opening_board(3), *[(TABLE, HandDealt(2, 2, 2, 2))] * 2, (TABLE, TRADED), (TABLE, BottomCardSeen("M03"))
    )


# --- LM-1: identity ---


@pytest.mark.parametrize("seats", [3, 4])
def test_lm_1_1_three_or_four_players(seats):
    assert len(opening_board(seats).players) == seats


@pytest.mark.parametrize("colours", [COLOURS[:2], (*COLOURS, "black"), ("red", "red", "blue"), ("red", "blue", "pink")])
def test_lm_1_1_other_tables_are_refused(colours):
    with pytest.raises(IllegalDecision) as refused:
        LONDON_MARKETS.table(colours, {}, SHEET)
    assert refused.value.rule == "LM-1"


def test_lm_1_1_an_option_the_game_does_not_have_is_refused():
    with pytest.raises(IllegalDecision):
        LONDON_MARKETS.table(COLOURS[:3], {"hands": "upside down"}, SHEET)


def test_lm_1_2_twelve_rounds():
    assert table().sheet["game.rounds"] == 12


def test_lm_1_4_money_is_whole():
    assert all(type(p.money) is int for p in opening_board().players)


# --- LM-2: the component sheet ---


@pytest.mark.parametrize(
    ("rule", "path", "value", "tag"),
    [
        ("LM-1.2", "game.rounds", 12, "text"),
        ("LM-2.1.1", "box.board_sides", 2, "text"),
        ("LM-2.1.2", "bars.colours", list(COLOURS), "example"),
        ("LM-2.1.3", "box.goods_bars", 80, "text"),
        ("LM-2.1.3", "bars.each_colour", 20, "text"),
        ("LM-2.1.4", "bars.crates", 3, "text"),
        ("LM-2.1.5", "box.replenishment_cards", 8, "text"),
        ("LM-2.1.5", "replenishment.plain_cards", 2, "text"),
        ("LM-2.1.6", "box.market_cards", 12, "text"),
        ("LM-2.1.6", "market_cards.closed.copies", 2, "text"),
        ("LM-2.1.7", "box.cover_markers", 3, "text"),
        ("LM-2.1.8", "box.merchants", 3, "text"),
        ("LM-2.1.9", "box.assistants", 2, "text"),
        ("LM-2.1.9", "seats.3.tracks", ["A"], "text"),
        ("LM-2.1.9", "seats.4.tracks", ["A", "B"], "text"),
        ("LM-2.1.10", "box.goods_types", list(GOODS), "text"),
        ("LM-2.1.11", "box.goods_cards", 72, "text"),
        ("LM-2.1.12", "goods.each_type", 18, "public"),
        ("LM-2.1.13", "box.offer_cards", 5, "text"),
        ("LM-2.1.14", "box.special_cards", 30, "text"),
        ("LM-2.1.15", "box.special_piles", 4, "text"),
        ("LM-2.1.16", "specials.piles", [8, 8, 7, 7], "assumed"),
        ("LM-2.1.17", "box.starting_player_tokens", 1, "text"),
        ("LM-2.1.18", "setup.money", 0, "public"),
        ("LM-2.1.19", "box.money", "unlimited", "assumed"),
        ("LM-2.1.20", "seats.3.dealt", 6, "text"),
        ("LM-2.1.20", "seats.4.dealt", 8, "text"),
        ("LM-2.1.21", "setup.hand", 8, "text"),
        ("LM-2.1.22", "box.height_of_goods_piles", {"3": 12, "4": 10}, "public"),
        ("LM-2.1.23", "setup.bars_passed", 3, "text"),
        ("LM-2.1.24", "setup.bars_in_market", 3, "text"),
        ("LM-2.1.25", "actions.stack_bars", 2, "text"),
        ("LM-2.1.26", "actions.assistant_bars", 1, "text"),
        ("LM-2.1.27", "actions.least", 3, "text"),
        ("LM-2.1.28", "specials.fee", 3, "text"),
        ("LM-2.1.29", "specials.last_round_money", 3, "text"),
        ("LM-2.1.30", "specials.forbidden_rounds", 4, "text"),
        ("LM-2.2.1", "markets.PORT.name", "Portobello Market", "text"),
        ("LM-2.2.2", "markets.COVE.name", "Covent Garden", "text"),
        ("LM-2.2.3", "markets.PETT.name", "Petticoat Lane", "text"),
        ("LM-2.2.4", "markets.BORO.name", "Borough Market", "text"),
        ("LM-2.2.5", "markets.BRIX.name", "Brixton Market", "text"),
        ("LM-2.2", "markets.ring", ["PORT", "COVE", "PETT", "BORO", "BRIX"], "assumed"),
        ("LM-2.3", "market_cards.M01.coffee", "4", "example"),
        ("LM-2.3", "market_cards.M01.soap", "3", "assumed"),
        ("LM-2.3", "market_cards.M01.silk", "2", "example"),
        ("LM-2.3", "market_cards.M01.china", "S", "example"),
        ("LM-2.4", "copies.tiebreaker", 1, "public"),
        ("LM-2.4", "copies.replenishment", 4, "assumed"),
        ("LM-2.4", "copies.any_market", 3, "assumed"),
        ("LM-2.4", "copies.monopoly.BORO", 1, "example"),
        ("LM-2.4", "copies.combined.PORT+PETT", 1, "example"),
        ("LM-2.4", "copies.rich_offer", 2, "assumed"),
        ("LM-2.5.1", "clientele.least", 3, "text"),
        ("LM-2.5.2", "monopoly.crates", [5, 7, 9], "text"),
        ("LM-2.5.2", "monopoly.pays", [4, 8, 12], "text"),
        ("LM-2.5.3", "combined.crates", [3, 4, 5], "text"),
        ("LM-2.5.3", "combined.pays", [6, 10, 14], "text"),
        ("LM-2.5.4", "rich_offer.markets", [3, 4, 5], "text"),
        ("LM-2.5.4", "rich_offer.pays", [3, 6, 9], "text"),
        ("LM-4.2.3", "bars.layer", 3, "text"),
        ("LM-4.5.2", "specials.plays", 2, "text"),
        ("LM-4.5.2", "specials.free_plays", 1, "text"),
        ("LM-4.5.9", "specials.any_market_bars", 1, "text"),
    ],
)
def test_printed(rule, path, value, tag):
    number = SHEET.numbers[path]
    assert (number.value, number.tag, number.rule) == (value, tag, rule)


def test_lm_2_1_the_numbers_of_the_box_agree():
    numbers = printed.of(table())
    assert SHEET["bars.each_colour"] * len(SHEET["bars.colours"]) == SHEET["box.goods_bars"]
    assert SHEET["replenishment.plain_cards"] * len(COLOURS) == SHEET["box.replenishment_cards"]
    assert len(numbers.faces) + numbers.market_cards_closed_copies == SHEET["box.market_cards"]
    assert SHEET["goods.each_type"] * len(GOODS) == SHEET["box.goods_cards"]
    assert (numbers.special_cards, len(numbers.specials_piles)) == (
        SHEET["box.special_cards"],
        SHEET["box.special_piles"],
    )
    assert list(GOODS) == SHEET["box.goods_types"]
    for seats in (3, 4):
        assert opening_board(seats).piles["coffee"] == SHEET["box.height_of_goods_piles"][str(seats)]


FACES = (
    "M01 4 3 2 S  M02 S 4 3 2  M03 2 S 4 3  M04 3 2 S 4  M05 1 4 S 3 "
    "M06 S 1 3 4  M07 3 S 1 4  M08 4 2 1 S  M09 3 4 2 1  M10 2 S 4 S"
)


def test_lm_2_3_ten_auction_cards_pay_one_to_four_pounds():
    # also LM-2.3.1
    faces = printed.of(table()).faces
    assert [word for card, face in faces.items() for word in (card, *map(str, face.values()))] == FACES.split()
    assert {amount for face in faces.values() for amount in face.values()} == {1, 2, 3, 4, "S"}


def test_lm_2_3_2_a_card_may_show_any_amount_the_icon_or_nothing():
    b = opening_board(
        numbers={"market_cards.M09.coffee": "7", "market_cards.M09.soap": "S", "market_cards.M09.silk": "-"}
    )
    assert b.printed.faces["M09"] == {"coffee": 7, "soap": "S", "china": 1}


def test_lm_2_4_thirty_special_cards():
    numbers = printed.of(table())
    kinds = [special.kind for special in numbers.specials.values() for _ in range(special.copies)]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "tiebreaker": 1,
        "replenishment": 4,
        "any_market": 3,
        "clientele": 5,
        "monopoly": 5,
        "combined": 10,
        "rich_offer": 2,
    }
    pairs = [special.markets for special in numbers.specials.values() if special.kind == "combined"]
    assert len({frozenset(pair) for pair in pairs}) == 10
    assert [special.markets for special in numbers.specials.values() if special.kind == "monopoly"] == [
        (market,) for market in MARKETS
    ]


def test_lm_2_6_twelve_spaces_on_each_track():
    tracks = printed.of(table()).tracks
    assert tracks["A"].actions == ("place", "profit", "goods") * 4
    assert tracks["B"].actions == ("goods", "place", "profit") * 4
    assert [space for space, symbol in enumerate(tracks["A"].symbols, 1) if symbol == "draft"] == [3, 7]
    assert [space for space, symbol in enumerate(tracks["A"].symbols, 1) if symbol == "reveal"] == [5, 9]
    assert set(tracks["B"].symbols) == {"-"}


def test_lm_2_6_1_single_assistant_may_place_a_bar_in_round_1():
    assert printed.of(table(3)).tracks["A"].actions[0] == "place"


@pytest.mark.parametrize(
    ("rule", "numbers"),
    [
        ("LM-2.1.16", {"specials.piles": [8, 8, 8, 7]}),
        ("LM-2.1.16", {"copies.rich_offer": 3}),
        ("LM-2.1.6", {"market_cards.closed.copies": 3}),
        ("LM-2.1.21", {"setup.hand": 7}),
        ("LM-2.1.20", {"goods.each_type": 7}),
        ("LM-2.1.6", {"market_cards.closed.copies": 12}),
        ("LM-2.5.2", {"monopoly.pays": [4, 8]}),
        ("LM-2.5.3", {"combined.crates": [3]}),
        ("LM-2.5.4", {"rich_offer.pays": [3]}),
        ("LM-2.6", {"tracks.A.symbols": ["-"] * 11}),
        ("LM-2.6", {"tracks.B.actions": ["dance"] * 12}),
        ("LM-2.6", {"tracks.A.symbols": ["feast"] + ["-"] * 11}),
        ("LM-2.2", {"markets.ring": ["PORT", "PORT", "PETT", "BORO", "BRIX"]}),
        ("LM-2.3.2", {"market_cards.M01.soap": "many"}),
        ("LM-2.3.2", {"market_cards.M01.soap": "0"}),
        ("LM-2.3.2", {"market_cards.M01.soap": "\u0664"}),
        ("LM-2.3.2", {"market_cards.M01.soap": "\u00b2"}),
    ],
)
def test_numbers_that_contradict_each_other_open_no_game(rule, numbers):
    rules = set()
    try:
        opening_board(numbers=numbers)
    except IllegalDecision as refused:
        rules.add((refused.rule, refused.reason.key))
        assert str(refused.reason)
    assert rules <= {(rule, "sheet"), ("LM-2.1.6", "sheet")} and rules


# --- LM-3.1: the steps of the set-up ---


@pytest.mark.parametrize("hands", ["open", "hidden"])
def test_lm_3_1_at_the_opening_nothing_is_under_way(hands):
    b = opening_board(hands=hands)
    assert (b.round, b.turn, b.plays, b.bars, b.quota, b.takes, b.exchanges, b.auction) == (0,) * 8
    assert (b.card, b.face, b.acted, b.money_shown) == (None, {}, False, False)


def test_lm_4_3_1_between_two_rounds_there_is_no_market_card():
    b = set_up(player(), player(), player())
    b.stage = "market_card"
    b.revealed.pop()
    assert broken(b) == []
    assert (len(b.revealed), b.card, b.face) == (4, None, {})


@pytest.mark.parametrize(("seats", "assistants"), [(3, {"A": 1}), (4, {"A": 1, "B": 1})])
def test_lm_3_1_1_one_assistant_is_on_each_track_in_use(seats, assistants):
    # also LM-2.1.9
    assert opening_board(seats).assistants == assistants


@pytest.mark.parametrize(("seats", "hands"), [(3, ["2 2 2 2"] * 2), (4, ["8 0 0 0", "0 8 0 0", "0 0 8 0"])])
def test_lm_3_1_2_each_hand_is_dealt_and_the_last_is_the_rest(seats, hands):
    b = opening_board(seats)
    deals = [(TABLE, HandDealt(*map(int, cards.split()))) for cards in hands]
    b, effects = play(b, *deals)
    assert [p.cards for p in b.players] == [8] * seats
    assert [e.seat for e in only(effects, GoodsDealt)] == list(range(seats))
    assert [sum(p.unseen[goods] for p in b.players) for goods in GOODS] == [b.printed.seats_dealt] * 4
    assert effects[-1].cards == b.players[-1].unseen
    assert b.stage == "offer_cards"


def test_lm_3_1_2_hidden_hands_are_dealt_at_once():
    b = opening_board(4, "hidden")
    assert ([hand(b, seat) for seat in range(4)], b.stage) == ([{"?": 8}] * 4, "offer_cards")


def test_lm_3_1_2_a_hand_is_as_likely_as_it_can_be_drawn():
    b = opening_board(4)
    facts = dict(LONDON_MARKETS.facts(b))
    assert sum(facts.values()) == comb(32, 8)
    assert facts[HandDealt(2, 2, 2, 2)] == comb(8, 2) ** 4
    assert facts[HandDealt(8, 0, 0, 0)] == 1
    b = after(b, (TABLE, HandDealt(7, 1, 0, 0)))
    assert refusal(b, TABLE, HandDealt(2, 2, 2, 2)) == ("LM-2.1.20", "card_unknown")


def test_lm_3_1_3_offer_cards_say_which_goods_are_sold_where():
    b, effects = play(opening_board(4, "hidden"), (TABLE, OfferCardsPlaced("BRIX", "PORT", "COVE", "PETT", "BORO")))
    assert b.traded == {"PORT": "soap", "COVE": "silk", "PETT": "china", "BORO": "general", "BRIX": "coffee"}
    assert effects == [OfferCardsLaid("LM-3.1.3", b.traded, 10)]
    assert len(legal(opening_board(4, "hidden"), TABLE, OfferCardsPlaced)) == 120


def test_lm_3_1_4_bottom_card_is_a_known_auction_card():
    # also LM-6.26
    b = after(opening_board(4, "hidden"), (TABLE, TRADED))
    assert legal(b, TABLE, BottomCardSeen) == [BottomCardSeen(f"M{n:02}") for n in range(1, 11)] + [BottomCardSeen("?")]
    assert refusal(b, TABLE, BottomCardSeen("closed")) == ("LM-3.1.4", "card_unknown")
    b, effects = play(b, (TABLE, BottomCardSeen("M03")))
    assert effects == [BottomCardShown("LM-3.1.4", "M03")]
    assert LONDON_MARKETS.secrecy.redact_board(b, None).bottom == "M03"


def test_lm_3_1_5_special_cards_are_laid_in_four_piles():
    b = board_at_specials()
    assert to_act(b) == (TABLE,)
    assert dict(LONDON_MARKETS.facts(b))[SpecialStacked("replenishment")] == 4
    cards = [card for card, special in b.printed.specials.items() for _ in range(special.copies)]
    b, effects = play(b, *[(TABLE, SpecialStacked(card)) for card in cards])
    assert b.specials == [cards[:8], cards[8:16], cards[16:23], cards[23:]]
    assert [e.pile for e in effects] == [1] * 8 + [2] * 8 + [3] * 7 + [4] * 7
    assert b.stage == "start_player"


def test_lm_3_1_5_no_more_copies_are_laid_than_there_are():
    b = after(board_at_specials(), (TABLE, SpecialStacked("tiebreaker")))
    assert refusal(b, TABLE, SpecialStacked("tiebreaker")) == ("LM-2.4", "card_unknown")
    assert refusal(b, TABLE, SpecialStacked("nonsense")) == ("LM-2.4", "card_unknown")


def test_lm_3_1_5_in_a_hidden_record_the_piles_lie_there():
    b = opening_board(4, "hidden")
    assert [len(pile) for pile in b.specials] == [8, 8, 7, 7]
    assert {card for pile in b.specials for card in pile} == {"?"}


@pytest.mark.parametrize("sizes", [(9, 9, 6, 6), (6, 7, 8, 9), (7, 8, 7, 8)])
def test_lm_6_31_and_lm_2_1_16_piles_of_other_sizes_can_be_told(sizes):
    b, effects = play(opening_board(4, "hidden"), (TABLE, SpecialsStacked(sizes)))
    assert [len(pile) for pile in b.specials] == list(sizes)
    assert (effects, b.stage) == ([SpecialsLaid("LM-6.31", sizes)], "offer_cards")


@pytest.mark.parametrize("sizes", [(10, 8, 6, 6), (8, 8, 8, 7), (8, 8, 7), ()])
def test_lm_6_31_piles_are_about_equal(sizes):
    assert refusal(opening_board(4, "hidden"), TABLE, SpecialsStacked(sizes)) == ("LM-6.31", "pile_sizes")


def test_lm_3_1_6_player_has_20_bars_and_two_plain_cards():
    b = opening_board()
    assert [(p.bars, p.in_play) for p in b.players] == [(20, [])] * 4
    assert b.printed.replenishment_plain_cards == 2


def test_lm_3_1_7_the_starting_player_is_drawn():
    b = after(opening_board(4, "hidden"), (TABLE, TRADED), (TABLE, BottomCardSeen("?")))
    facts = [fact for fact in LONDON_MARKETS.facts(b) if fact[1]]
    assert facts == [(StartPlayerDrawn(seat), 1) for seat in range(4)]
    b, effects = play(b, (TABLE, StartPlayerDrawn(2)))
    assert (b.start, to_act(b), effects) == (2, (2,), [StartPlayerChosen("LM-3.1.7", 2)])


def test_lm_3_1_8_bars_come_from_the_right_hand_neighbour():
    # also LM-6.28
    b, effects = play(board_at_foreign_bars(4, start=1), (1, SetupBar("PORT")))
    assert b.stacks["PORT"] == [[RED, None, None]]
    assert effects == [BarPlaced("LM-3.2.3", 1, RED, "PORT", 0, 0, 3)]


@pytest.mark.parametrize(("seats", "bars"), [(3, 9), (4, 12)])
def test_lm_3_1_9_all_passed_bars_are_placed(seats, bars):
    b = board_at_first_card(seats)
    assert sum(slot is not None for layers in b.stacks.values() for layer in layers for slot in layer) == bars


def test_lm_3_1_10_nobody_has_money():
    assert [p.money for p in board_at_first_card().players] == [0] * 4


def test_lm_3_1_11_merchants_are_drawn_on_three_markets():
    # also LM-6.25
    b = board_at_foreign_bars()
    b = after(b, *foreign_bars(b))
    assert [weight for _, weight in LONDON_MARKETS.facts(b)] == [1] * 60
    assert refusal(b, TABLE, MerchantsPlaced("PORT", "PORT", "COVE")) == ("LM-3.1.11", "market_twice")
    b, effects = play(b, (TABLE, MerchantsPlaced("BRIX", "PORT", "COVE")))
    assert b.merchants == {"stack": "BRIX", "profit": "PORT", "goods": "COVE"}
    assert (effects, b.round, b.stage) == ([MerchantsLaid("LM-3.1.11", b.merchants)], 1, "market_card")


# --- LM-3.2: the foreign bars ---


def test_lm_3_2_1_one_bar_each_three_turns_around():
    b, order = board_at_foreign_bars(3, start=2), []
    for seat, d in foreign_bars(b):
        order += to_act(b)
        assert refusal(b, (seat + 1) % 3, d) == ("LM-3.2.1", "not_your_turn")
        b = after(b, (seat, d))
    assert order == [2, 0, 1] * 3


def test_lm_3_2_2_a_market_takes_three_bars():
    b = after(board_at_foreign_bars(), *[(seat, SetupBar("COVE")) for seat in range(3)])
    assert refusal(b, 3, SetupBar("COVE")) == ("LM-3.2.2", "setup_market_full")
    assert {d.market for d in legal(b, 3)} == set(MARKETS) - {"COVE"}


@pytest.mark.parametrize("seats", [3, 4])
def test_lm_3_2_3_and_lm_3_2_4_every_bar_finds_a_place(seats):
    b = board_at_foreign_bars(seats)
    for seat, _ in foreign_bars(b):
        choices = legal(b, seat)
        assert choices
        b, effects = play(b, (seat, choices[-1]))
        assert effects[0].owner == (seat - 1) % seats


def test_lm_4_3_1_before_the_first_card_no_type_is_shown():
    for b in (opening_board(3, "hidden"), board_at_first_card(3)):
        assert (b.card, b.face) == (None, {})
    b = after(board_at_first_card(3), (TABLE, MarketCardRevealed("M01")))
    assert (b.card, b.face) == ("M01", b.printed.faces["M01"])
    b = after(board_at_first_card(3), (TABLE, MarketCardRevealed("closed")))
    assert (b.card, b.face) == ("closed", {})


def test_lm_4_1_3_nothing_is_open_before_the_first_turn():
    for b in (opening_board(3), opening_board(3, "hidden"), board_at_first_card(4)):
        assert (b.quota, b.takes, b.exchanges, b.auction, b.plays, b.acted) == (0, 0, 0, 0, 0, False)


def test_lm_3_2_5_after_the_set_up_there_is_no_limit():
    """PORT took three bars in the set-up, and takes two more in the first turn."""
    b = board_at_first_card()
    assert b.stacks["PORT"] == [[3, 0, 1]]
    b = after(b, (TABLE, MarketCardRevealed("M01")), (0, UseMerchant("stack")), (0, PlaceBar()), (0, PlaceBar(2)))
    assert b.stacks["PORT"] == [[3, 0, 1], [0, None, 0]]


def test_lm_3_2_6_everybody_has_17_bars_left():
    assert [p.bars for p in board_at_first_card(3).players] == [17] * 3


def test_lm_3_2_a_bar_may_be_placed_in_a_slot():
    b = after(board_at_foreign_bars(), (0, SetupBar("PORT", 2)))
    assert b.stacks["PORT"] == [[None, None, 3]]
    assert refusal(b, 1, SetupBar("PORT", 2)) == ("LM-4.2.5", "slot_taken")
    assert [d.slot for d in legal(b, 1) if d.market == "PORT"] == [None, 0, 1]


# --- LM-3.3: who sees what ---


def test_lm_3_3_others_see_of_a_hand_what_was_shown():
    b = set_up(player(hand="2 coffee", dealt="1 soap 1 silk"), player(hand="1 china", dealt="3 silk"), player())
    seen = LONDON_MARKETS.secrecy.redact_board(b, BLUE)
    assert [hand(seen, seat) for seat in range(3)] == [{"coffee": 2, "?": 2}, {"china": 1, "?": 3}, {}]
    assert [p.unseen for p in seen.players] == [None, b.players[1].unseen, None]


def test_lm_3_3_taken_cards_are_public():
    b, _ = play(set_up(player(), player(), player()), (0, UseMerchant("goods")))
    assert hand(LONDON_MARKETS.secrecy.redact_board(b, None), RED) == {"silk": 3}


def test_lm_3_3_a_dealt_hand_is_told_to_its_owner():
    b, effects = play(opening_board(3), (TABLE, HandDealt(2, 2, 2, 2)))
    dealt = HandDealt(2, 2, 2, 2)
    assert LONDON_MARKETS.secrecy.redact_step(b, TABLE, dealt, effects, 0) == (dealt, effects)
    for viewer in (1, None):
        said, heard = LONDON_MARKETS.secrecy.redact_step(b, TABLE, HandDealt(2, 2, 2, 2), effects, viewer)
        assert (said, heard) == (HandDealt(unseen=True), [GoodsDealt("LM-3.1.2", 0, 8, None)])


def test_lm_3_3_nobody_sees_the_special_cards_laid():
    b = board_at_specials()
    d = SpecialStacked("tiebreaker")
    b, effects = play(b, (TABLE, d))
    for viewer in (0, None):
        assert LONDON_MARKETS.secrecy.redact_step(b, TABLE, d, effects, viewer) == (
            SpecialStacked("?"),
            [SpecialLaid("LM-3.1.5", 1)],
        )
        assert LONDON_MARKETS.secrecy.redact_board(b, viewer).specials[0] == ["?"] * 8


def test_lm_3_3_who_picks_a_pile_up_sees_it_all_at_that_moment():
    b = after(offering(player(hand="1 china"), player(), player()), *offers("1 china", "", ""))
    b, effects = play(b, (0, TakePile(3)))
    assert effects == [PilePicked("LM-4.7.9", 0, 3, 7)]
    own, other = LONDON_MARKETS.secrecy.redact_board(b, 0), LONDON_MARKETS.secrecy.redact_board(b, 1)
    assert [own.specials[pile] == b.specials[pile] for pile in range(4)] == [False, False, True, False]
    assert [set(pile) for pile in other.specials] == [{"?"}] * 4
    d = TakeSpecial(b.specials[2][0])
    b, effects = play(b, (0, d))
    assert LONDON_MARKETS.secrecy.redact_step(b, 0, d, effects, 0) == (d, effects)
    said, heard = LONDON_MARKETS.secrecy.redact_step(b, 0, d, effects, 1)
    assert (said, heard[0]) == (TakeSpecial("?"), SpecialTaken("LM-4.7.9", 0, 3, "?"))
    assert LONDON_MARKETS.secrecy.redact_board(b, 1).players[0].specials == ["?"]
    assert LONDON_MARKETS.secrecy.redact_board(b, 0).players[0].specials == [d.card]
    assert [set(pile) for pile in LONDON_MARKETS.secrecy.redact_board(b, 0).specials] == [{"?"}] * 4


def test_lm_3_3_played_cards_are_open():
    b = after(set_up(player(specials="clientele:PORT tiebreaker"), player(), player()), (0, PlaySpecial("tiebreaker")))
    seen = LONDON_MARKETS.secrecy.redact_board(b, None)
    assert (seen.players[0].in_play, seen.players[0].specials) == (["tiebreaker"], ["?"])


def test_lm_3_3_a_sealed_offer_is_seen_by_its_seat():
    b = offering(player(hand="2 coffee"), player(), player())
    d = Offer(coffee=2)
    b, effects = play(b, (0, d))
    assert effects == [OfferSealed("LM-4.7.2", 0)]
    assert LONDON_MARKETS.secrecy.redact_board(b, 0).players[0].offer == {"coffee": 2, "soap": 0, "silk": 0, "china": 0}
    assert LONDON_MARKETS.secrecy.redact_step(b, 0, d, effects, 0) == (d, effects)
    for viewer in (1, 2, None):
        seen = LONDON_MARKETS.secrecy.redact_board(b, viewer)
        assert (seen.players[0].offer, hand(seen, 0)) == ("?", {"coffee": 2})
        assert LONDON_MARKETS.secrecy.redact_step(b, 0, d, effects, viewer) == (Offer(unseen=True), effects)


def test_lm_3_4_9_keeper_sees_all_hands_and_no_sealed_offer():
    b = offering(player(hand="2 coffee", dealt="1 soap", specials="tiebreaker"), player(), player())
    d = Offer(coffee=2)
    b, effects = play(b, (0, d))
    seen = LONDON_MARKETS.secrecy.redact_board(b, KEEPER)
    assert seen.players[0].offer == "?"
    seen.players[0].offer = b.players[0].offer
    assert seen == b
    assert LONDON_MARKETS.secrecy.redact_step(b, 0, d, effects, KEEPER) == (Offer(unseen=True), effects)
    moves = [(1, Offer()), (2, Offer())]
    b, effects = play(b, *moves)
    assert LONDON_MARKETS.secrecy.redact_board(b, KEEPER) == b
    assert LONDON_MARKETS.secrecy.redact_step(b, 2, moves[1][1], effects, KEEPER) == (moves[1][1], effects)


def test_lm_3_4_9_sealed_offer_leaves_other_seats_unchanged():
    b = offering(player(hand="2 coffee"), player(hand="1 silk"), player())
    b, first = play(b, (0, Offer(coffee=2)), (1, Offer()))
    _, last = play(b, (2, Offer()))
    assert [LONDON_MARKETS.course.apart(Offer(), effects) for effects in (first, last)] == [True, False]


def test_the_most_cards_of_each_type_that_an_offer_can_hold():
    b = after(offering(player(hand="2 coffee", dealt="1 silk"), player(hand="4 soap"), player()), (0, Offer(coffee=1)))
    assert most_of(b, 0, Offer) == {"coffee": 2, "soap": 0, "silk": 1, "china": 0}
    assert {path: most for path, most in most_of(b, TABLE, OffersRevealed).items() if most} == {"offers.1.soap": 4}


def test_lm_3_3_revealed_offers_are_public_for_good():
    b = offering(player(hand="2 coffee 1 soap"), player(hand="1 silk"), player())
    moves = [(0, Offer(coffee=2)), (1, Offer()), (2, Offer())]
    b, effects = play(b, *moves)
    d = moves[-1][1]
    assert LONDON_MARKETS.secrecy.redact_step(b, 2, d, effects, None) == (d, effects)


@pytest.mark.parametrize("viewer", [1, None, KEEPER])
def test_lm_3_3_revealed_offers_are_told_to_everyone(viewer):
    b = offering(player(hand="2 coffee"), player(hand="1 china"), player())
    d = OffersRevealed((GoodsCards(coffee=2), GoodsCards(china=1), GoodsCards()))
    b, effects = play(b, (TABLE, d))
    assert LONDON_MARKETS.secrecy.redact_step(b, TABLE, d, effects, viewer) == (d, effects)
    assert b.stage == "pile", "the winner of the special card picks a pile"
    seen = LONDON_MARKETS.secrecy.redact_board(b, viewer)
    assert [p.offer and p.offer["coffee"] for p in seen.players] == [2, 0, None]


def test_lm_3_3_facts_naming_covered_things_are_known():
    """A viewer without the whole table may not state them; sealed offers stay hidden from all viewers."""
    # also LM-3.4.9
    covered = {kind for kind, row in LONDON_MARKETS.kinds.items() if row.covered_fact}
    assert covered == {HandDealt, SpecialStacked, OffersRevealed}
    assert LONDON_MARKETS.secrecy.seals
    assert {kind for kind, row in LONDON_MARKETS.kinds.items() if row.sealed} == {Offer}


def test_lm_3_3_money_is_shown_as_it_can_be_worked_out():
    # also LM-6.22
    b = set_up(player(7), player(5), player())
    assert [p.money for p in LONDON_MARKETS.secrecy.redact_board(b, None).players] == [7, 5, 0]


def test_lm_3_3_and_lm_6_27_piles_and_bars_are_public():
    b = set_up(player(hand="3 coffee"), player(), player(), bars={"PORT": "R R"})
    seen = LONDON_MARKETS.secrecy.redact_board(b, None)
    assert (seen.piles, [p.bars for p in seen.players]) == (b.piles, [18, 20, 20])


def test_lm_3_3_a_masked_board_shares_nothing_with_the_board():
    b = set_up(player(hand="1 coffee"), player(), player())
    seen = LONDON_MARKETS.secrecy.redact_board(b, 0)
    seen.players[0].hand["coffee"] = 9
    assert b.players[0].hand["coffee"] == 1
    assert seen.table is b.table


# --- LM-4.1: the rounds ---


def test_lm_4_1_1_phases_follow_in_order_from_the_starter():
    # also LM-4.1.2
    b = after(board_at_first_card(3, start=1), (TABLE, MarketCardRevealed("M01")))
    assert to_act(b) == (1,)
    b = after(b, (1, UseMerchant("profit")), (2, UseMerchant("goods")), (0, UseAssistant("A", "BORO")))
    assert (b.phase, b.stage) == ("actions", "place")
    assert list(b.in_order()) == [1, 2, 0]


def test_lm_4_1_1_a_market_card_opens_the_actions():
    assert effects_after(board_at_first_card(), (TABLE, MarketCardRevealed("M02")))[-1] == PhaseBegun(
        "LM-4.4.1", "actions"
    )


def test_lm_4_1_3_marks_count_rounds_and_turns():
    b = board_at_first_card(3)
    assert LONDON_MARKETS.course.marks(board_at_foreign_bars()) == {"turn": 0}
    assert LONDON_MARKETS.course.marks(b) == {"round": 1, "turn": 0}
    b = after(b, (TABLE, MarketCardRevealed("M02")))
    assert LONDON_MARKETS.course.marks(b) == {"round": 1, "turn": 1}
    b = after(b, (0, UseMerchant("profit")), (1, UseMerchant("goods")))
    assert LONDON_MARKETS.course.marks(b) == {"round": 1, "turn": 3}
    assert LONDON_MARKETS.course.marks(offering(player(), player(), player(), round=4)) == {"round": 4, "turn": 12}


def test_lm_4_1_4_no_hand_limit():
    b = set_up(player(hand="15 coffee 15 soap"), player(), player())
    assert after(b, (0, UseMerchant("goods"))).players[0].cards == 33


def test_lm_4_1_5_there_is_no_trade():
    assert not any("trade" in kind.__name__.lower() for kind in LONDON_MARKETS.kinds)


# --- LM-4.3: the market card ---


def test_lm_4_3_1_top_card_is_revealed_and_nothing_covered():
    b, effects = play(board_at_first_card(), (TABLE, MarketCardRevealed("M02")))
    assert (b.card, b.face) == ("M02", {"coffee": "S", "soap": 4, "silk": 3, "china": 2})
    assert (b.covered, effects[0].shows) == ([], b.face)


def test_lm_4_3_2_a_closed_card_skips_replenishment_and_auctions():
    b = set_up(player(), player(), player(), card="closed", mover=2, used=["stack", "profit"])
    b, effects = play(b, (2, UseMerchant("goods")))
    assert (b.round, b.stage) == (6, "market_card")
    assert [e.phase for e in effects if "phase_" in e.__struct_config__.tag] == ["replenish", "auction", "movement"]


def test_lm_4_3_2_actions_take_place_in_a_closed_round():
    b = set_up(player(), player(), player(), card="closed")
    assert legal(b, 0, UseMerchant, UseAssistant)
    assert refusal(b, GREEN, EndTurn()) == ("LM-4.4.1", "not_your_turn")


def test_lm_3_1_5_sizes_are_told_before_the_first_card_is_laid():
    b = board_at_specials()
    sizes = SpecialsStacked((9, 9, 6, 6))
    assert refusal(b, TABLE, sizes) is None
    b = after(b, (TABLE, SpecialStacked("tiebreaker")))
    assert refusal(b, TABLE, sizes) == ("LM-3.1.5", "wrong_phase")


def test_lm_6_31_each_split_is_listed_once_usual_one_first():
    b = board_at_specials()
    splits = [d.sizes for d in legal(b, TABLE, SpecialsStacked)]
    assert splits[0] == (8, 8, 7, 7)
    assert len(set(splits)) == len(splits) > 1


def test_lm_3_1_4_unnoted_bottom_card_is_not_drawn():
    b = after(opening_board(3, "hidden"), (TABLE, TRADED))
    weights = {fact.card: weight for fact, weight in LONDON_MARKETS.facts(b) if isinstance(fact, BottomCardSeen)}
    assert weights == dict.fromkeys(b.printed.faces, 1) | {"?": 0}


def test_lm_2_4_special_card_is_as_likely_as_its_copies():
    b = board_at_specials()
    for left in (4, 3, 2, 1):
        assert dict(LONDON_MARKETS.facts(b))[SpecialStacked("replenishment")] == left
        b = after(b, (TABLE, SpecialStacked("replenishment")))
