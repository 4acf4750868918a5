"""Figures of London Markets: what each effect does to money, goods cards, bars, crates and piles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from daybook.domain.games.london_markets import moves, stacks
from daybook.domain.games.london_markets.board import Board
from daybook.domain.games.london_markets.printed import CLOSED, UNKNOWN, of
from daybook.domain.kernel.board import Document
from daybook.domain.kernel.terms import Table
from daybook.web.games.london_markets.values import word
from daybook.web.words.figure_words import EffectOnFigure, FigureWords
from daybook.web.words.say import Names, say, say_n

DUE = ("bars", "quota", "takes", "exchanges", "auction")

# --- the figures -----------------------------------------------------------------------------------------------------


def value(document: Document, table: Table, keys: Sequence[str]) -> Any:
    """Return the number at a place of the board, or of what it only shows."""
    match keys:
        case ["columns", column, seat]:
            return column_of(document, table, column, int(seat))
        case ["players", seat, "hand"]:
            return sum(document["players"][int(seat)]["hand"].values())
        case ["players", seat, "hand", goods]:
            player = document["players"][int(seat)]
            if goods == UNKNOWN:
                return 0 if player["unseen"] else int(player["hand"][UNKNOWN])
            return int(player["hand"][goods] + (player["unseen"] or {}).get(goods, 0))
        case ["players", seat, ("specials" | "in_play") as cards]:
            return len(document["players"][int(seat)][cards])
        case ["players", seat, ("money" | "bars") as name]:
            return int(document["players"][int(seat)][name])
        case ["crates", market, seat]:
            return crates(document, table, market, int(seat))
        case ["piles", goods]:
            return int(document["piles"][goods])
        case ["specials", pile]:
            return len(document["specials"][int(pile)])
        case ["removed"]:
            return len(document["removed"])
        case ["coming"]:
            return of(table).game_rounds - len(document["revealed"])
        case ["coming", "closed"]:
            return of(table).market_cards_closed_copies - document["revealed"].count(CLOSED)
        case [name] if name in DUE:
            return int(document[name])
    return None


def column_of(document: Document, table: Table, column: str, seat: int) -> Any:
    """Return a seat's figure of the ledger."""
    player = document["players"][seat]
    match column:
        case "goods":
            return sum(player["hand"].values())
        case "specials" | "in_play":
            return len(player[column])
        case "crates":
            return sum(crates(document, table, market, seat) for market in document["stacks"])
        case "money" | "score":
            return int(player["money"])
        case "bars":
            return int(player["bars"])
    return None


def crates(document: Document, table: Table, market: str, seat: int) -> int:
    stack = document["stacks"][market]
    return stacks.crates_on_display(stack, seat, of(table).bars_crates) if stack else 0


# --- the effects -----------------------------------------------------------------------------------------------------


def apply(document: Document, table: Table, effect: Any, effects: Sequence[Any]) -> None:
    """Change the document as an effect did, as far as the viewer sees its cards."""
    seat = getattr(effect, "seat", None)
    player: Any = None if seat is None else document["players"][seat]
    match effect:
        case moves.GoodsDealt():
            player["hand"][UNKNOWN] = effect.count
            player["unseen"] = player["unseen"] if effect.cards is None else dict(effect.cards)
        case moves.SpecialsLaid():
            document["specials"] = [[UNKNOWN] * size for size in effect.sizes]
        case moves.BarPlaced():
            lay_bar(document, table, effect)
        case moves.MarketCardTurned():
            document["revealed"].append(effect.card)
        case moves.MerchantUsed(merchant="stack"):
            document["bars"] = min(of(table).actions_stack_bars, player["bars"])
        case moves.AssistantUsed(action="place"):
            document["bars"] = min(of(table).actions_assistant_bars, player["bars"])
        case moves.GoodsGranted():
            document["quota"] = effect.count
        case moves.GoodsDrawn():
            document["quota"] -= effect.count
            take_goods(document, player, effect.goods, effect.count)
        case moves.GoodsLost():
            document["quota"] = document["takes"] = 0
        case moves.TakesBegun():
            document["takes"], document["exchanges"] = effect.takes, effect.exchanges
        case moves.GoodsTaken():
            document["takes"] -= 1
            take_goods(document, player, effect.goods, 1)
        case moves.GoodsExchanged():
            document["exchanges"] -= 1
            give_goods(player, effect.gave, 1)
            document["piles"][effect.gave] += 1
            take_goods(document, player, effect.took, 1)
        case moves.TurnPassed() | moves.PhaseBegun():
            document["takes"] = document["exchanges"] = 0
        case moves.SpecialPlayed():
            play_special(document, table, effect)
        case moves.ProfitGained() | moves.SpecialPaid() | moves.MoneyInstead() | moves.AuctionWon():
            player["money"] += effect.amount
        case moves.AuctionShared():
            for tied in effect.seats:
                document["players"][tied]["money"] += effect.each
        case moves.SpecialTaken():
            pile = document["specials"][effect.pile - 1]
            pile.remove(effect.card if effect.card in pile else pile[-1])
            player["specials"].append(effect.card)
        case moves.OfferShown() | moves.GoodsReturned():
            settle_offer(document, effect, effects)
        case moves.AuctionBegun():
            document["auction"] = effect.number
        case moves.AuctionsEnded():
            document["auction"] = 0


def lay_bar(document: Document, table: Table, effect: moves.BarPlaced) -> None:
    stack = document["stacks"][effect.market]
    if effect.layer == len(stack):
        stack.append([None] * of(table).bars_layer)
    stack[effect.layer][effect.slot] = effect.owner
    document["players"][effect.owner]["bars"] -= 1
    document["bars"] = max(0, document["bars"] - 1)


def take_goods(document: Document, player: Any, goods: str, count: int) -> None:
    document["piles"][goods] -= count
    player["hand"][goods] += count


def show_goods(player: Any, goods: str, count: int) -> None:
    """Make cards known to everyone, as far as they were not (LM-3.4.3)."""
    shown = max(0, count - player["hand"][goods])
    player["hand"][goods] += shown
    player["hand"][UNKNOWN] -= shown
    if player["unseen"] is not None:
        player["unseen"][goods] -= shown


def give_goods(player: Any, goods: str, count: int) -> None:
    show_goods(player, goods, count)
    player["hand"][goods] -= count


def settle_offer(document: Document, effect: moves.OfferShown | moves.GoodsReturned, effects: Sequence[Any]) -> None:
    """Take a valid offer out of the hand: when it goes back to its pile, or when it stays on the table for a while."""
    player = document["players"][effect.seat]
    kinds = {type(other) for other in effects if getattr(other, "seat", None) == effect.seat}
    if isinstance(effect, moves.GoodsReturned):
        document["piles"][effect.goods] += effect.count
        if moves.OfferShown in kinds:
            give_goods(player, effect.goods, effect.count)
    elif moves.GoodsReturned not in kinds:
        for goods, count in effect.cards.items():
            (show_goods if effect.null else give_goods)(player, goods, count)


def play_special(document: Document, table: Table, effect: moves.SpecialPlayed) -> None:
    player = document["players"][effect.seat]
    player["money"] -= effect.fee
    player["specials"].remove(effect.card if effect.card in player["specials"] else UNKNOWN)
    (player["in_play"] if effect.stays else document["removed"]).append(effect.card)
    if effect.card == "any_market":
        document["bars"] = min(of(table).specials_any_market_bars, player["bars"])


# --- their sentences -------------------------------------------------------------------------------------------------


def says(on: EffectOnFigure, sentence: str, table: Table, keys: Sequence[str], names: Names) -> list[tuple[str, int]]:
    """Say what an effect did to a figure, with covered crates and the causes of payments and cards."""
    match on.effect, keys:
        case moves.BarPlaced() as placed, ["crates", _, seat] | ["columns", "crates", seat]:
            return crates_changed(on, placed, sentence, table, int(seat), names)
        case moves.GoodsReturned(), ["players", _, "hand", *_] | ["columns", "goods", _]:
            return [(say("{what}, which were offered in the auction", what=sentence), on.by)]
        case moves.GoodsDrawn(seat=drawer), _:
            granted = on.latest(moves.GoodsGranted, fits=lambda effect: effect.seat == drawer)
            if granted is not None:
                used = on.latest(moves.MerchantUsed, moves.AssistantUsed, fits=lambda effect: effect.seat == drawer)
                says_who = who_let(used, names)
                return [(say("{what}, by {who}", what=sentence, who=says_who) if says_who else sentence, on.by)]
        case moves.ProfitGained(seat=earner), _:
            used = on.latest(moves.MerchantUsed, moves.AssistantUsed, fits=lambda effect: effect.seat == earner)
            says_who = who_let(used, names)
            return [(say("{what}, by {who}", what=sentence, who=says_who) if says_who else sentence, on.by)]
        case moves.SpecialTaken(seat=taker), _:
            won = on.latest(moves.AuctionWon, moves.DraftBegun)
            if isinstance(won, moves.AuctionWon) and won.seat == taker:
                return [(say("{what}, won with {goods}", what=sentence, goods=word("goods", won.goods)), on.by)]
            if isinstance(won, moves.DraftBegun):
                return [(say("{what}, in the draft", what=sentence), on.by)]
    return [(sentence, on.by)]


def who_let(used: Any, names: Names) -> str:
    """Name the merchant or assistant of an action."""
    match used:
        case moves.MerchantUsed():
            return say("the {merchant} merchant", merchant=word("merchant", used.merchant))
        case moves.AssistantUsed():
            return say("assistant {track}", track=used.track)
    return ""


def crates_changed(
    on: EffectOnFigure, placed: moves.BarPlaced, sentence: str, table: Table, seat: int, names: Names
) -> list[tuple[str, int]]:
    """Say how many crates a bar shows, and how many of a player's it covers (LM-4.2.7)."""
    shows = of(table).bars_crates if placed.owner == seat else 0
    covers = shows - on.by
    rows = [(sentence, shows)] if shows else []
    if covers:
        covered = say_n(
            "{seat}’s bar at {market} covers {n} crate of {name}",
            "{seat}’s bar at {market} covers {n} crates of {name}",
            covers,
            seat=names[placed.owner],
            market=word("market", placed.market),
            name=names[seat],
        )
        rows.append((covered, -covers))
    return rows


def formula(board: Board, keys: Sequence[str]) -> str:
    """Say what crates on display are worked out from: bars on top, and those below with free places above (LM-4.2.7)."""
    match keys:
        case ["crates", market, seat] if board.stacks[market]:
            top, *below = board.stacks[market][:-3:-1]
            return say(
                "{top} on top × {each} + {below} below × {free} free places",
                top=top.count(int(seat)),
                each=board.printed.bars_crates,
                below=below[0].count(int(seat)) if below else 0,
                free=top.count(None),
            )
    return ""


def derived(table: Table) -> Iterable[str]:
    """Return the places of crates on display."""
    return (f"/crates/{market}/{seat}" for market in of(table).markets_ring for seat in range(table.seats))


FIGURES = FigureWords(
    value=value,
    apply=apply,
    says=says,
    derived=derived,
    uncovers=moves.GameEnded,
    unlisted=("/stage", "/turn", "/plays", "/acted", "/settling", "/looking", "/drafted", "/market", "/money_shown"),
)
