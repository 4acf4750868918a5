"""Acts of the players of London Markets at the table: with cards, bars, tokens and money."""

from __future__ import annotations

from daybook.domain.games.london_markets import moves
from daybook.domain.games.london_markets.board import Board
from daybook.web.games.london_markets.values import at_markets, goods_cards, pounds, so_many, tell
from daybook.web.words.say import N_, Names, Sentences, join_words, say, says, says_one_of, sentences


def begins(board: Board, names: Names) -> list[str]:
    """Describe the set-up: goods cards, special cards and bars (LM-3.1)."""
    return [
        say("deal {cards} to each player", cards=so_many(board.printed.setup_hand)),
        say("shuffle the special cards into four piles, face down"),
        say(
            "each player passes {n} bars to the player on the left, who places them", n=board.printed.setup_bars_passed
        ),
    ]


def taken_from_bank(e: moves.ProfitGained | moves.SpecialPaid | moves.MoneyInstead, names: Names) -> str:
    return tell("{seat} takes {amount} from the bank", e, names, amount=pounds(e.amount))


def won(e: moves.AuctionWon, names: Names) -> str:
    return "" if e.special else tell("{seat} takes {amount} from the bank", e, names, amount=pounds(e.amount))


def cards_back() -> str:
    return say("put the offered cards back on their piles")


def shared(e: moves.AuctionShared, names: Names) -> str:
    if not e.each:
        return ""
    return say(
        "{names} take {amount} each from the bank", names=join_words([names[s] for s in e.seats]), amount=pounds(e.each)
    )


def played(e: moves.SpecialPlayed, names: Names) -> str:
    told = tell(
        N_("{seat} lays {card} face up: it stays" if e.stays else "{seat} shows {card}, which goes back into the box"),
        e,
        names,
    )
    return say("{seat} pays {fee} to the bank", seat=names[e.seat], fee=pounds(e.fee)) + "; " + told if e.fee else told


AT_TABLE: Sentences = sentences(
    says_one_of(
        moves.BarPlaced,
        lambda e: (
            "{seat} places a bar at {market}" if e.owner == e.seat else "{seat} places a bar of {owner} at {market}"
        ),
    ),
    says(
        moves.MerchantsLaid,
        "put the merchants at their markets: {markets}",
        markets=lambda e: at_markets(e.markets, N_("{merchant} at {market}")),
    ),
    says(moves.MerchantUsed, "turn the {merchant} token face down"),
    says(moves.AssistantUsed, "turn the token of assistant {track} face down"),
    says(moves.ProfitGained, taken_from_bank),
    says(moves.SpecialPaid, taken_from_bank),
    says(moves.MoneyInstead, taken_from_bank),
    says(moves.GoodsDrawn, "{seat} draws {cards}", cards=lambda e: goods_cards(e.count, e.goods)),
    says(moves.GoodsTaken, "{seat} takes {goods}"),
    says(moves.GoodsExchanged, "{seat} gives {gave} back and takes {took}"),
    says(moves.SpecialPlayed, played),
    says(moves.AuctionWon, won),
    says(moves.AuctionShared, shared),
    says(moves.AuctionBegun, lambda e, names: cards_back() if e.number > 1 else ""),
    says(moves.AuctionsEnded, lambda e, names: cards_back() if e.cause == "all_covered" else ""),
    says(moves.GoodsCovered, "cover {goods}"),
    says(moves.SpecialTaken, "{seat} takes a special card from pile {pile}", pile="pile"),
    says(moves.MerchantsMoved, lambda e, names: say("move each merchant one market clockwise")),
    says(moves.AssistantMoved, "move assistant {track} to space {n}", n="space"),
    says(moves.CoachPassed, "turn all tokens face up; the coach goes to {to}"),
)
