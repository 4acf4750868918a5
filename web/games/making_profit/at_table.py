"""Acts of the players of Making Profit at the table: with cards, certificates and money."""

from __future__ import annotations

from daybook.domain.games.making_profit import moves
from daybook.domain.games.making_profit.board import Board
from daybook.domain.kernel.terms import by_number
from daybook.web.words.say import Names, Sentences, say, say_n, says, sentences


def dollars(n: int) -> str:
    return say("${n}", n=n)


def so_many(n: int) -> str:
    return say_n("{n} card", "{n} cards", n)


def begins(board: Board, names: Names) -> list[str]:
    """Describe the set-up: certificates, cards and the deck (MP-3.1)."""
    printed = board.printed
    certificates = say_n("{n} certificate", "{n} certificates", printed.start_certificates)
    told = [
        say(
            "each player takes {certificates} of the own colour and draws {cards} from the shuffled deck",
            certificates=certificates,
            cards=so_many(printed.start_hand),
        )
    ]
    return [*told, say("put the certificates of other colours away")] if any(board.aside.values()) else told


AT_TABLE: Sentences = sentences(
    says(moves.ThirdCardClaimed, "{seat} shows two R1 to everyone"),
    says(moves.CardDrawn, "{seat} draws {cards}", cards=lambda e: so_many(e.count)),
    says(moves.DeckReshuffled, "shuffle the discard pile: it is the new deck"),
    says(moves.Nationalised, "the deck is used up: the cards that the players discard now are the new deck"),
    says(moves.HandCut, "{seat} discards {cards}", cards=lambda e: so_many(len(e.cards))),
    says(
        moves.StockBought,
        "{seat} pays {price} to the bank and takes a {colour} certificate",
        price=lambda e: dollars(e.price),
    ),
    says(
        moves.StockSold,
        by_number(
            "n",
            "{seat} puts {n} {colour} certificate back and takes {amount}",
            "{seat} puts {n} {colour} certificates back and takes {amount}",
        ),
        n="count",
        amount=lambda e: dollars(e.amount),
    ),
    says(
        moves.DiscardsOwed,
        lambda e, names: say("{seat} discards {cards}", seat=names[e.seat], cards=so_many(e.count)) if e.count else "",
    ),
    says(moves.CardDeveloped, "{seat} lays {card} face up at the factory"),
    says(moves.DividendPaid, "{seat} takes {amount} from the bank", amount=lambda e: dollars(e.amount)),
    says(
        moves.ResourcesSold,
        "{seat} discards {cards} and takes {amount}",
        cards=lambda e: so_many(len(e.cards)),
        amount=lambda e: dollars(e.amount),
    ),
)
