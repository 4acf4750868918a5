"""London Markets in a record: practice games, taking back and adjusting."""

from __future__ import annotations

from uuid import UUID

import pytest

from daybook.domain import entries
from daybook.domain.commands import Adjust, TakeBack
from daybook.domain.games.london_markets import LONDON_MARKETS
from daybook.domain.games.london_markets.moves import BottomCardSeen, Offer, OffersRevealed, SpecialsStacked
from daybook.domain.kernel.board import deep_copy, fold
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import DecisionRecorded, GameClosed, SeatTaken
from daybook.domain.kernel.opening import opening_entry
from daybook.domain.kernel.record import Game, documents_after
from daybook.domain.kernel.terms import TABLE
from daybook.services.files.verify import SealCheck, verify_lines
from daybook.services.play.practice import Dealer, PracticeSeat, open_practice_game, play_out
from tests.domain.games.london_markets.playing import COLOURS, SHEET, TRADED, table, written_at

ID = UUID(int=7)


def play_practice_game(seats: int, hands: str, seed: int) -> Game:
    seated = [PracticeSeat(colour, colour, colour) for colour in COLOURS[:seats]]
    game = open_practice_game(ID, LONDON_MARKETS, SHEET, seated, {"hands": hands}, written_at(0))
    list(play_out(game, Dealer(seed), written_at))
    return game


@pytest.mark.parametrize(("seats", "hands"), [(4, "open"), (3, "hidden")])
def test_practice_game_is_played_to_its_end_and_verifies(seats, hands):
    game = play_practice_game(seats, hands, 1)
    assert isinstance(game.entries[-1].event, GameClosed)
    assert verify_lines(entry.line for entry in game.entries) == SealCheck(len(game.entries), game.seal)
    *_, (_, document) = documents_after(game.entries)
    assert document == game.document == LONDON_MARKETS.typed_board(document, game.table).document()


def test_dealer_makes_and_awaits_offers_unchanged():
    events = [e.event for e in play_practice_game(4, "open", 2).entries if isinstance(e.event, DecisionRecorded)]
    assert not any(event.decision["type"] == "offers_revealed" for event in events)
    offers = [event.seat for event in events if event.decision["type"] == "offer"]
    assert len(offers) % 4 == 0 and all(sorted(offers[at : at + 4]) == [0, 1, 2, 3] for at in range(0, len(offers), 4))


@pytest.mark.parametrize(("seats", "hands"), [(4, "open"), (3, "hidden")])
def test_a_practice_game_has_auctions_in_which_goods_are_sold(seats, hands):
    shown, won = [], 0
    for seed in (3, 4):
        for entry in play_practice_game(seats, hands, seed).entries:
            if isinstance(entry.event, DecisionRecorded):
                shown += [effect["null"] for effect in entry.event.effects if effect["type"] == "offer_shown"]
                won += sum(effect["type"] in ("auction_won", "auction_shared") for effect in entry.event.effects)
    assert "mixed" not in shown
    assert shown.count("") > 0.6 * len(shown)
    assert won > 2 * 2 * 10, "more than two a round with an open market"


def open_record() -> Game:
    game = Game(ID, LONDON_MARKETS)
    game.apply(
        opening_entry(
            ID,
            LONDON_MARKETS,
            table(3, "hidden"),
            [SeatTaken(colour, colour) for colour in COLOURS[:3]],
            {"hands": "hidden"},
            {},
            "table",
            "live",
            written_at(0),
        )
    )
    return game


def record(game: Game, seat: int, decision: object) -> None:
    game.apply(*entries.decide(game, seat, decision, written_at(game.step + 1)))


def until_offers() -> Game:
    game, dealer = open_record(), Dealer(3)
    while game.board.stage != "offers":
        record(game, *dealer.next_decision(LONDON_MARKETS, game.board))
    return game


def test_a_reveal_can_be_taken_back_to_the_sealed_offers():
    game = until_offers()
    for seat in (0, 1):
        record(game, seat, Offer())
    sealed = deep_copy(game.document)
    record(game, 2, Offer())
    assert game.board.stage != "offers"
    game.apply(entries.take_back(game, TakeBack(game.step - 1), written_at(99)))
    assert game.document == sealed
    record(game, TABLE, OffersRevealed((None, None, LONDON_MARKETS.legal(game.board, TABLE)[0].offers[2])))


def test_pieces_are_put_right_together_and_nothing_worked_out_is():
    game = until_offers()
    money = game.board.players[1].money
    game.apply(entries.adjust(game, Adjust({"/players/1/money": money + 2}, "a coin under the board"), written_at(98)))
    assert game.board.players[1].money == money + 2
    with pytest.raises(Refused):
        entries.adjust(game, Adjust({"/players/1/offer": {"coffee": 1}}, "no"), written_at(99))
    with pytest.raises(Refused) as refused:
        entries.adjust(game, Adjust({"/piles/coffee": 0}, "lost"), written_at(99))
    assert refused.value.rule in ("LM-7.1", "LM-7.17")


def test_the_order_of_a_sheet_in_a_record_does_not_matter():
    """A record keeps the sheet's values in another order than the file."""
    game = open_record()
    fresh = LONDON_MARKETS.opening_board(table(3, "hidden"))
    assert game.table.sheet.values() == table(3, "hidden").sheet.values()
    assert (game.board.printed, game.board.document()) == (fresh.printed, fresh.document())
    assert list(game.board.printed.specials) == list(fresh.printed.specials)
    for decision in (SpecialsStacked((9, 7, 7, 7)), TRADED, BottomCardSeen("M04")):
        assert LONDON_MARKETS.legal(game.board, TABLE) == LONDON_MARKETS.legal(fresh, TABLE)
        record(game, TABLE, decision)
        fresh = LONDON_MARKETS.play(fresh, TABLE, decision)[0]
    document = deep_copy(game.document_at(0))
    for entry in game.entries[1:]:
        assert isinstance(entry.event, DecisionRecorded)
        fold(document, entry.event.changes)
    assert document == game.document
