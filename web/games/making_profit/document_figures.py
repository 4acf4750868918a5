"""Figures of Making Profit: what each effect does to money, certificates, cards, levels and prices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from daybook.domain.games.making_profit import moves
from daybook.domain.games.making_profit.board import UNKNOWN, Board, printed_numbers
from daybook.domain.kernel.board import Document
from daybook.domain.kernel.terms import Table
from daybook.web.words.figure_words import EffectOnFigure, FigureWords
from daybook.web.words.say import N_, Names, say, say_n

# --- the figures -----------------------------------------------------------------------------------------------------


def value(document: Document, table: Table, keys: Sequence[str]) -> Any:
    """Return the number at a place of the board, or of what it only shows."""
    match keys:
        case ["columns", column, seat]:
            return column_of(document, table, column, int(seat))
        case ["players", seat, "factory"]:
            return level(document, int(seat))
        case ["players", seat, "hand"]:
            return sum(document["players"][int(seat)]["hand"].values())
        case ["players", seat, ("money" | "owes") as name]:
            return int(document["players"][int(seat)][name])
        case ["players", seat, ("certificates" | "hand") as pile, kind]:
            return document["players"][int(seat)][pile].get(kind)
        case ["runs", seat, ("money" | "resources") as name]:
            cards = printed_numbers(table).cards
            return sum(getattr(cards[card], name) for card in document["players"][int(seat)]["factory"])
        case ["price", colour]:
            return max(printed_numbers(table).certificates_lowest_price, level(document, table.colours.index(colour)))
        case ["worth", colour]:
            return worth(document, table, colour)
        case [("deck" | "discard") as pile]:
            return sum(document[pile].values())
        case [("deck" | "discard" | "bank" | "aside" | "sale") as pile, kind]:
            return document[pile].get(kind)
        case ["draws"]:
            return int(document["draws"])
    return None


def column_of(document: Document, table: Table, column: str, seat: int) -> Any:
    """Return a seat's figure of the ledger."""
    player = document["players"][seat]
    match column:
        case "money":
            return int(player["money"])
        case "certificates":
            return sum(player["certificates"].values())
        case "level":
            return level(document, seat)
        case "hand":
            return sum(player["hand"].values())
        case "score":
            stock = sum(held * worth(document, table, colour) for colour, held in player["certificates"].items())
            return int(player["money"]) + stock
    return None


def level(document: Document, seat: int) -> int:
    return len(document["players"][seat]["factory"])


def worth(document: Document, table: Table, colour: str) -> int:
    """Return what the bank pays for a certificate, which is also its final value (MP-4.3.2, MP-5.2)."""
    return max(printed_numbers(table).certificates_lowest_worth, level(document, table.colours.index(colour)))


# --- the effects -----------------------------------------------------------------------------------------------------


def apply(document: Document, table: Table, effect: Any, effects: Sequence[Any]) -> None:
    """Change the document as an effect did, as far as the viewer sees its cards."""
    players = document["players"]
    match effect:
        case moves.ThirdCardClaimed():
            hand = players[effect.seat]["hand"]
            hand["R1"] += hand[UNKNOWN]
            hand[UNKNOWN] = 0
        case moves.CardDrawn():
            move(document["deck"], players[effect.seat]["hand"], effect.card, effect.count)
            document["draws"] = max(0, document["draws"] - effect.count)
            if document["start"] is None and not document["draws"] and effect.seat + 1 < len(players):
                document["draws"] = printed_numbers(table).start_hand  # of the next player (MP-3.1.5)
        case moves.DrawsLost():
            document["draws"] = 0
        case moves.DeckReshuffled():
            document["deck"] = dict.fromkeys(document["deck"], 0) | {UNKNOWN: effect.cards}
            document["discard"] = dict.fromkeys(document["discard"], 0)
        case moves.HandCut():
            for card in effect.cards:
                move(players[effect.seat]["hand"], document["discard"], card, 1)
        case moves.StockBought():
            players[effect.seat]["money"] -= effect.price
            move(document["bank"], players[effect.seat]["certificates"], effect.colour, 1)
            document["draws"] += 1
        case moves.StockOffered():
            document["sale"][effect.colour] = effect.count
        case moves.StockSold():
            players[effect.seat]["money"] += effect.amount
            move(players[effect.seat]["certificates"], document["bank"], effect.colour, effect.count)
            document["sale"][effect.colour] = 0
        case moves.DiscardsOwed():
            players[effect.seat]["owes"] = effect.count
        case moves.CardDiscarded():
            discard(document, effect)
        case moves.CardDeveloped():
            give(players[effect.seat]["hand"], effect.card, 1)
            players[effect.seat]["factory"].append(effect.card)
        case moves.FactoryRun():
            document["draws"] += effect.resources
        case moves.DividendPaid():
            players[effect.seat]["money"] += effect.amount
        case moves.ResourcesSold():
            players[effect.seat]["money"] += effect.amount
            for card in effect.cards:
                move(players[effect.seat]["hand"], document["discard"], card, 1)


def give(pile: dict[str, int], card: str, count: int) -> None:
    """Take cards out of a pile; unseen ones if the viewer does not see so many of the type (MP-3.4.2)."""
    seen = min(count, pile[card])
    pile[card] -= seen
    if count > seen:
        pile[UNKNOWN] -= count - seen


def move(source: dict[str, int], target: dict[str, int], card: str, count: int) -> None:
    give(source, card, count)
    target[card] += count


def discard(document: Document, effect: moves.CardDiscarded) -> None:
    player = document["players"][effect.seat]
    player["owes"] = max(0, player["owes"] - effect.count)
    if effect.source == "hand":
        move(player["hand"], document["discard"], effect.card, effect.count)
        return
    for _ in range(effect.count):
        player["factory"].remove(effect.card)
    document["discard"][effect.card] += effect.count


# --- their sentences -------------------------------------------------------------------------------------------------


def says(on: EffectOnFigure, sentence: str, table: Table, keys: Sequence[str], names: Names) -> list[tuple[str, int]]:
    """Say what an effect did to a figure, with the cause of a draw or a discard, and the parts of a score."""
    cause = cause_of(on, table, names)
    if cause:
        sentence = say("{what}, because {cause}", what=sentence, cause=cause)
    if keys == ["draws"] and isinstance(on.effect, moves.CardDrawn) and on.by > 0:
        dealt = say("{seat} draws the starting hand", seat=names[on.effect.seat + 1])
        return [(sentence, -on.effect.count), (dealt, on.by + on.effect.count)]
    if keys[:2] != ["columns", "score"]:
        return [(sentence, on.by)]
    seat = int(keys[2])
    match on.effect:
        case moves.StockBought(price=price, colour=colour):
            gains = worth(on.document, table, colour)
            counts = say("The certificate counts {level}, its factory’s level", level=say("${n}", n=gains))
            return [(sentence, -price), (counts, gains)]
        case moves.CardDeveloped(seat=owner) | moves.CardDiscarded(seat=owner):
            held = on.document["players"][seat]["certificates"][table.colours[owner]]
            return [
                (
                    say_n(
                        "{what}. {name} holds {n} certificate of this factory",
                        "{what}. {name} holds {n} certificates of this factory",
                        held,
                        what=sentence,
                        name=names[seat],
                    ),
                    on.by,
                )
            ]
    return [(sentence, on.by)]


def cause_of(on: EffectOnFigure, table: Table, names: Names) -> str:
    """Say why cards are drawn or discarded; "" for any other effect."""
    match on.effect:
        case moves.CardDrawn(seat=drawer):
            cause = on.latest(
                moves.StockBought,
                moves.FactoryRun,
                moves.ThirdCardClaimed,
                fits=lambda effect: getattr(effect, "owner", effect.seat) == drawer,
            )
        case moves.CardDiscarded(seat=owner):
            cause = on.latest(
                moves.StockSold,
                moves.Nationalised,
                fits=lambda effect: getattr(effect, "colour", table.colours[owner]) == table.colours[owner],
            )
        case moves.HandCut():
            cause = on.latest(moves.Nationalised)
        case _:
            return ""
    match cause:
        case moves.StockBought(seat=buyer):
            return say("{seat} bought a certificate of this factory", seat=names[buyer])
        case moves.FactoryRun(seat=owner):
            return say("{seat}’s factory ran", seat=names[owner])
        case moves.ThirdCardClaimed(seat=claimer):
            return say("{seat} showed two R1", seat=names[claimer])
        case moves.StockSold(seat=seller):
            return say("{seat} sold certificates of this factory", seat=names[seller])
        case moves.Nationalised():
            return say("there was a nationalisation")
    return say("it is part of the starting hand")


def formula(board: Board, keys: Sequence[str]) -> str:
    """Say what a price, or the yield of a factory, is worked out from."""
    match keys:
        case ["price", colour]:
            of_factory = board.owner(colour).level
            lowest = board.printed.certificates_lowest_price
            text = N_("level {level}" if of_factory >= lowest else "level {level}, but at least {lowest}")
            return say(text, level=of_factory, lowest=say("${n}", n=lowest))
        case ["worth", colour]:
            return say("level {level}", level=board.owner(colour).level)
        case ["runs", seat, ("money" | "resources") as name]:
            cards = [(card, getattr(board.printed.cards[card], name)) for card in board.players[int(seat)].factory]
            return " + ".join(f"{card} ({n})" for card, n in cards if n)
    return ""


def derived(table: Table) -> Iterable[str]:
    """Return the places of prices and yields; the list of a factory's cards shows its level."""
    for seat, colour in enumerate(table.colours):
        yield f"/price/{colour}"
        yield f"/worth/{colour}"
        yield f"/runs/{seat}/money"
        yield f"/runs/{seat}/resources"


FIGURES = FigureWords(
    value=value,
    apply=apply,
    says=says,
    derived=derived,
    uncovers=moves.GameEnded,
    unlisted=("/turn", "/actions", "/asked", "/drawer", "/stocks"),
)
