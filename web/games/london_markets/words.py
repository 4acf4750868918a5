"""The words of London Markets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from daybook.domain.games.london_markets import (
    auctions,
    invariants,
    knowledge,
    moves,
    replenish,
    setup,
    specials,
    stacks,
)
from daybook.domain.games.london_markets.board import Board
from daybook.domain.games.london_markets.printed import GENERAL, GOODS, UNKNOWN
from daybook.domain.kernel.terms import TABLE, Decision, Effect, Seat, by_number
from daybook.web.games.london_markets.account import ACCOUNT
from daybook.web.games.london_markets.at_table import AT_TABLE, begins
from daybook.web.games.london_markets.document_figures import FIGURES, formula
from daybook.web.games.london_markets.rule_words import RULES
from daybook.web.games.london_markets.values import (
    SEATS,
    aside,
    at_markets,
    cards,
    crates,
    figure,
    goods_cards,
    group,
    paying,
    pounds,
    several,
    so_many,
    tell,
    tell_n,
    value,
    word,
)
from daybook.web.words.decision_words import AT_ONCE, ONE_BY_ONE, SELDOM, DecisionWords, decides
from daybook.web.words.game_words import (
    BoardWords,
    Chart,
    ChartCell,
    Choosing,
    GameWords,
    Lane,
    LedgerWords,
    MarkWords,
    RefusalWords,
    RevealWords,
    ScoreWords,
    SeatWords,
    SetupWords,
)
from daybook.web.words.say import (
    N_,
    Names,
    Texts,
    join_words,
    of_kind,
    say,
    say_n,
    says,
    says_one_of,
    sentences,
    signed_amount,
)
from daybook.web.words.typed import split_pieces

MOVED_ON = N_("{merchant} to {market}")
OFFERED = N_("{seat} offers {cards}")
NULL: Texts = {
    "mixed": "{seat} offers {cards}: several types, which is no offer",
    "covered": "{seat} offers {cards}: that type is covered, which is no offer",
    "not_shown": "{seat} offers {cards}: the market card does not show it, which is no offer",
}


# --- decisions -------------------------------------------------------------------------------------------------------


def offer_cards(d: moves.OfferCardsPlaced, names: Names) -> str:
    return ", ".join(
        say("{goods} at {market}", goods=word("goods", goods), market=word("market", getattr(d, goods)))
        for goods in (*GOODS, GENERAL)
    )


def bottom_card(d: moves.BottomCardSeen, names: Names) -> str:
    if d.card == UNKNOWN:
        return say("The bottom card was not noted")
    return tell("The bottom card is {card}", d, names)


def setup_bar(d: moves.SetupBar, names: Names) -> str:
    return tell("Neighbour’s bar at {market}{place}", d, names, place=slot(d))


def place_bar(d: moves.PlaceBar, names: Names) -> str:
    return say("Place a bar{place}", place=slot(d))


def slot(d: moves.SetupBar | moves.PlaceBar) -> str:
    return "" if d.slot is None else say(", place {n}", n=d.slot + 1)


def play_special(d: moves.PlaySpecial, names: Names) -> str:
    if d.market is None:
        return tell("Play {card}", d, names)
    return tell("Play {card}: {market}", d, names, market=word("market", d.market))


def offer_sentence(d: moves.Offer, names: Names) -> str:
    if d.unseen:
        return say("A sealed offer")
    given = moves.count_by_type(d)
    if not any(given.values()):
        return say("Offer nothing")
    text = N_(
        "Offer {cards}: several types, which is no offer" if sum(map(bool, given.values())) > 1 else "Offer {cards}"
    )
    return say(text, cards=cards(given))


MAX_DIGITS = 3  # of a typed number of cards


def pays(board: Board, seat: Seat, d: moves.MarketCardRevealed | moves.BottomCardSeen) -> list[str]:
    """Return the spoken form of a market card: what it shows."""
    return [paying(board.printed.faces[d.card])] if d.card in board.printed.faces else []


def offer_typed(board: Board, typed: Sequence[str], names: Names) -> Iterator[moves.Offer]:
    """Parse an offer: "3 coffee 2 silk"."""
    given = cards_typed(typed)
    if any(given.values()):
        yield msgspec.structs.replace(moves.Offer(), **given)


REST = [
    "others",
    "other",
    "rest",
    "everybody",
    "everyone",
    "else",
    "nobody",
    "only",
    "all",
    "except",
    "나머지",
    "다른",
    "모두",
    "빼고",
    "제외",
    "only",
]


def offers_typed(board: Board, typed: Sequence[str], names: Names) -> Iterator[moves.OffersRevealed]:
    """Yield offers typed next to players' names: Anna 3 coffee, Ben nothing."""
    found = [find_pieces(typed, name) for name in names]
    begins = sorted(at for at in found if at is not None)
    if not begins or len({*begins}) < len(begins) or (None in found and not any(text in REST for text in typed)):
        return
    for before in (False, True):  # whether a name stands before its offer
        ends = [0, *(at + 1 for at in begins)] if before else [*begins, len(typed)]
        told = dict(zip(begins, pairwise(ends), strict=True))
        offers = [() if at is None else typed[slice(*told[at])] for at in found]
        yield moves.OffersRevealed(tuple(moves.GoodsCards(**cards_typed(offer)) for offer in offers))


def find_pieces(typed: Sequence[str], name: str) -> int | None:
    """Return where a name begins among typed pieces."""
    whole = split_pieces(name)
    return next((at for at in range(len(typed)) if tuple(typed[at : at + len(whole)]) == whole), None)


def cards_typed(typed: Sequence[str]) -> dict[str, int]:
    """Return each typed number with its goods: all after their numbers (3 silk), or all before (silk 3, 비단 3장)."""
    given: dict[str, int] = dict.fromkeys(GOODS, 0)
    names = {goods: split_pieces(word("goods", goods)) for goods in GOODS}
    kinds = [
        int(piece)
        if piece.isdecimal() and len(piece) <= MAX_DIGITS
        else next((goods for goods in GOODS if any(name.startswith(piece) for name in names[goods])), None)
        for piece in typed
    ]
    goods_first = isinstance(next((kind for kind in kinds if kind is not None), None), str)
    for pair in pairwise(kinds):
        goods, n = pair if goods_first else reversed(pair)
        if isinstance(goods, str) and isinstance(n, int):
            given[goods] += n
    return given


def special_or_money(d: moves.SpecialOrMoney, names: Names) -> str:
    return say("Take a special card") if d.choice == "special" else say("Take the money")


def take_special(d: moves.TakeSpecial, names: Names) -> str:
    return say("Take a card, unseen") if d.card == UNKNOWN else tell("Take {card}", d, names)


# --- effects ---------------------------------------------------------------------------------------------------------


def assistant_moved(e: moves.AssistantMoved, names: Names) -> str:
    told = tell("Assistant {track} moves to space {n}", e, names, n=e.space)
    if e.symbol == "draft":
        return told + say(": a draft of special cards")
    return told + say(": all players show their money") if e.symbol == "reveal" else told


def special_paid(e: moves.SpecialPaid, names: Names) -> str:
    shown = e.crates
    if e.card == "rich_offer":
        n = sum(count > 0 for count in shown.values())
        return tell_n(
            "{seat} has crates at {n} market: {amount}",
            "{seat} has crates at {n} markets: {amount}",
            n,
            e,
            names,
            amount=pounds(e.amount),
        )
    if e.card.startswith("combined"):
        return tell(
            "{seat} shows {crates}: the smaller number, {n}, pays {amount}",
            e,
            names,
            n=min(shown.values()),
            amount=pounds(e.amount),
            crates=join_words([crates(count, market) for market, count in shown.items()]),
        )
    is_least = e.card.startswith("clientele") and e.amount > sum(shown.values())
    text = N_(
        "{seat} shows {crates} and is paid the least: {amount}" if is_least else "{seat} shows {crates}: {amount}"
    )
    return tell(
        text,
        e,
        names,
        amount=pounds(e.amount),
        crates=join_words([crates(count, market) for market, count in shown.items()]),
    )


def takes_sentence(e: moves.TakesBegun, names: Names) -> str:
    told = tell("{seat} takes {cards}", e, names, cards=so_many(e.takes))
    if e.exchanges:
        told += say_n(" and may exchange {n}", " and may exchange {n}", e.exchanges)
    return told


def tie_broken(e: moves.TieBroken, names: Names) -> str:
    return tell(
        "{seat} has the Tiebreaker and wins the tie for {goods} against {others}",
        e,
        names,
        others=join_words([names[seat] for seat in e.others]),
    )


def won_sentence(e: moves.AuctionWon, names: Names) -> str:
    tied = [names[bid.seat] for bid in e.lost if bid.count == e.count]
    if tied:  # told as broken just before (LM-4.7.8)
        return tell(
            "{seat} sells {n} {goods}, as many as {others}, and wins by the Tiebreaker: {gets}",
            e,
            names,
            n=e.count,
            others=join_words(tied),
            gets=prize(e),
        )
    lost = [say("{name}’s {n}", name=names[bid.seat], n=bid.count) for bid in e.lost]
    text = N_(
        "{seat} sells the most {goods}, {n} against {lost}, for {gets}"
        if lost
        else "{seat} sells the most {goods}, {n}, for {gets}"
    )
    return tell(text, e, names, n=e.count, lost=join_words(lost), gets=prize(e))


def prize(e: moves.AuctionWon) -> str:
    return say("a special card") if e.special else pounds(e.amount)


def shared_sentence(e: moves.AuctionShared, names: Names) -> str:
    text = N_(
        "{seats} tie with {n} {goods}: no one gets the special card"
        if e.special
        else "{seats} tie with {n} {goods}: {amount} ÷ {players} = {each} each, rounded down"
        if (e.each * len(e.seats) != e.amount)
        else "{seats} tie with {n} {goods}: {amount} ÷ {players} = {each} each"
    )
    return tell(
        text,
        e,
        names,
        seats=join_words([names[seat] for seat in e.seats]),
        n=e.count,
        amount=pounds(e.amount),
        players=len(e.seats),
        each=pounds(e.each),
    )


# --- what is to be decided -------------------------------------------------------------------------------------------


def prompt(board: Board, seat: Seat, names: Names) -> str:
    return table_prompt(board, names) if seat == TABLE else seat_prompt(board, seat, names)


def table_prompt(board: Board, names: Names) -> str:
    match board.stage:
        case "deal":
            to = next(seat for seat, player in enumerate(board.players) if not sum(player.hand.values()))
            return say("{seat} is dealt a hand", seat=names[to])
        case "offer_cards":
            return say("which market sells what?")
        case "bottom_card":
            return say("which market card is at the bottom?")
        case "special_cards":
            pile = next(n for n, pile in enumerate(board.specials, 1) if UNKNOWN in pile)
            return say("name the next special card of pile {n}", n=pile)
        case "start_player":
            return say("who is the starting player?")
        case "merchants":
            return say("where do the merchants stand?")
        case "offers":
            told = [names[seat] for seat, player in enumerate(board.players) if player.offer is not None]
            if not told:
                return say("what was offered in auction {n}?", n=board.auction)
            return say(
                "what else was offered in auction {n}? Already sealed: {names}", n=board.auction, names=join_words(told)
            )
    return say("reveal the market card of round {n}", n=board.round)


def seat_prompt(board: Board, seat: Seat, names: Names) -> str:
    match board.stage:
        case "setup_bars":
            return say("where does a bar of {owner} go?", owner=names[seat - 1])
        case "turn":
            if not board.acted:
                return say("use a merchant or an assistant")
            if not board.plays:
                return say("play a special card or end the turn")
            return say("play another special card for {fee} or end the turn", fee=pounds(specials.due(board)))
        case "place":
            return say_n(
                "place {n} bar at {market}",
                "place {n} bars at {market}",
                board.bars,
                market=value("market", board.market, names),
            )
        case "name_goods":
            return say_n("name the type of {n} goods card", "name the type of {n} goods cards", board.quota)
        case "draw_goods":
            return say_n(
                "draw {n} more goods card: choose a pile", "draw {n} more goods cards: choose a pile", board.quota
            )
        case "replenish":
            return (
                say_n("take {n} goods card", "take {n} goods cards", board.takes)
                if board.takes
                else (say_n("exchange cards: {n} exchange left", "exchange cards: {n} exchanges left", board.exchanges))
            )
        case "offers":
            return offers_prompt(board, seat, names)
        case "prize":
            return say("take a special card or the money?")
        case "pile":
            return say("choose a pile of special cards")
        case "draft_pile":
            return say("draft: choose a pile of special cards")
    return say("take a card of pile {n}", n=board.looking)


def offers_prompt(board: Board, seat: Seat, names: Names) -> str:
    """Name the players without an offer; offers themselves are secret."""
    missing = [names[other] for other, player in enumerate(board.players) if player.offer is None]
    own = board.players[seat].offer
    if own is None:
        return say("make an offer for auction {n}", n=board.auction)
    waiting = say("a player must change an offer")
    if missing:
        waiting = say("waiting for {names}", names=join_words(missing))
    if own == UNKNOWN:
        return say("the offer is sealed; {waiting}", waiting=waiting)
    return say("your offer is sealed; {waiting}", waiting=waiting)


def sealed_offer(board: Board, seat: Seat) -> str:
    own = board.players[seat].offer
    return "" if board.stage != "offers" or own is None or own == UNKNOWN else cards(own)


def ends_soon(board: Board, names: Names) -> tuple[str, str] | None:
    left = board.printed.game_rounds - board.round
    if left > 1 or not board.round:
        return None
    return (say("The next round is the last") if left else say("This round is the last")), "LM-4.10.1"


def holding_rows(board: Board, seat: Seat) -> list[tuple[str, str]]:
    """Return rows for a seat's goods cards, including those that only it knows, and for its special cards."""
    player = board.players[seat]
    known = Counter(player.hand) + Counter(player.unseen or {})
    covered = 0 if player.unseen else player.hand.get(UNKNOWN, 0)
    goods = [goods_cards(known[name], name) for name in GOODS if known[name]]
    if covered:
        goods.append(say("{n} more", n=covered) if goods else so_many(covered))
    found = [(say("in hand"), join_words(goods) or say("nothing"))]
    if player.specials:
        found.append((say("special cards"), several("specials_in_hand", player.specials, ())))
    return found


def phase_label(board: Board) -> str:
    """Describe the phase between turns; of an auction, its number: the offer's buttons show what is open."""
    if board.stage == "offers":
        return say("auction {n}", n=board.auction)
    return word("phase", board.phase) if board.phase not in ("setup", "actions", "over") else ""


def charts(board: Board, seat: Seat, legal: Sequence[Decision], names: Names) -> Iterator[Chart]:
    """Chart the markets for the first bars; full ones keep their place."""
    open_now = {d.market: d for d in of_kind(legal, moves.SetupBar) if d.slot is None}
    if open_now:
        yield Chart(
            heading=say("Markets"),
            kinds=(moves.SetupBar,),
            lanes=[
                Lane(
                    heading="",
                    words=True,
                    cells=[
                        ChartCell(
                            label=word("market", market),
                            adds=[open_now[market]] if market in open_now else [],
                            closed=None if market in open_now else moves.SetupBar(market),
                            note=shown_crates(board, market, names),
                        )
                        for market in board.printed.markets_ring
                    ],
                )
            ],
        )


def shown_crates(board: Board, market: str, names: Names) -> str:
    """Return the crates on display at a market by player: "Anna 3, Ben 6"."""
    counts = [(name, stacks.crates(board, seat, market)) for seat, name in enumerate(names)]
    shown = ", ".join(say("{name} {n}", name=name, n=count) for name, count in counts if count)
    return shown or say("no bar yet")


def brings(effects: Sequence[Effect]) -> str:
    """Describe the immediate effect of a decision: 3 soap at Brixton."""
    told, at, fee = "", "", 0
    for effect in effects:
        match effect:
            case moves.MerchantUsed():
                at = word("market", effect.market)
                told = say("bars") if effect.merchant == "stack" else ""
            case moves.AssistantUsed():
                told = word("action", effect.action)
            case moves.ProfitGained():
                told = signed_amount("+", pounds(effect.amount))
            case moves.GoodsGranted():
                told = so_many(effect.count)
            case moves.GoodsDrawn():
                told = goods_cards(effect.count, effect.goods)
            case moves.BarPlaced() if effect.owner == effect.seat:
                told = crates(effect.crates, effect.market)
            case moves.SpecialPlayed():
                fee = effect.fee
                told = say("stays on the table") if effect.stays else signed_amount("−", pounds(fee)) if fee else ""
            case moves.SpecialPaid():
                told = signed_amount("+", pounds(effect.amount))
                if fee:
                    told = say("{what} for {fee}", what=told, fee=pounds(fee))
            case moves.GoodsTaken() | moves.GoodsExchanged():
                return ""
    return say("{what} at {market}", what=told, market=at) if told and at else told or at


def not_for_auction(board: Board, kind: str, path: str) -> bool:
    """Check if a number of an offer is of a closed type, which makes a null offer (LM-4.7.3)."""
    goods = path.rpartition(".")[2]
    return kind in ("offer", "offers_revealed") and goods not in board.open_types


def price_of_goods(board: Board, kind: str, path: str) -> str:
    """Return what the market card pays for the goods of an offer; "" for closed goods."""
    goods = path.rpartition(".")[2]
    amount = board.face.get(goods)
    if kind != "offer" or goods not in board.open_types or amount is None:
        return ""
    return say("a special card") if isinstance(amount, str) else pounds(amount)


MONEY_EFFECTS = (moves.ProfitGained, moves.AuctionWon, moves.AuctionShared, moves.MoneyInstead, moves.SpecialPaid)
GOODS_EFFECTS = (moves.GoodsReturned, moves.GoodsDrawn, moves.GoodsTaken, moves.GoodsExchanged)

WORDS = GameWords(
    value=value,
    alike=(
        "Covent Garden = Covent",
        "Petticoat Lane = Petticoat",
        "general merchandise = general",
        "Replenishment = exchange = plus exchange = replenishment card",
        "use = select = choose = take = pick = send = move = flip",
        "name = say = want = call = ask for",
        "unseen = nobody sees it = nobody sees = nobody saw",
        "send = let act",
        "Goods merchant = goods = cards",
        "place 1 = slot 1 = space 1 = spot 1 = position 1 = left = leftmost = left spot = left space = left position = left side = left hand space",
        "place 2 = slot 2 = space 2 = spot 2 = position 2 = middle one = middle = centre = middle spot = middle space = middle position = centre space = center",
        "place 3 = slot 3 = space 3 = spot 3 = position 3 = right = rightmost = right spot = right space = right position = right side = right hand space",
        "neighbour’s = right-hand neighbour’s",
        "bar = goods bar",
        "place a bar = set bar = put bar = put bar down = lay bar = position bar = another bar = next bar = one more bar = bar = first bar = second bar",
        "play Any market = Any market bar = bar",
        "Profit merchant = profit = profits = gain profits = take profits",
        "Goods merchant = take goods = take goods cards = draw goods cards",
        "Stack merchant = stack bars = stack goods bars",
        "assistant A = first assistant = first track’s assistant = assistant first track",
        "assistant B = second assistant = second track’s assistant = assistant second track",
        "take a goods card = fill up = replenish = refill = repl = replenishment",
        "draw = take = pile empty = continue drawing = go on drawing",
        "send = use = go = place",
        "neighbour’s bar = the right-hand neighbour’s bar = setup = set up bar",
        "special = special card",
        "pile = special card pile = pile of special cards = special pile",
        "market card = top market card = top card = top",
        "a card = special = special card = special card to hand = card to hand",
        "no more exchanges = not exchange = no exchange = without exchange",
        "give = swap = exchange = trade = trade in",
        "take a goods card = supply = from the supply",
        "Portobello = Portobello Market = port",
        "Borough = Borough Market = boro",
        "Brixton = Brixton Market",
        "take the money = 3 pounds = take £3 = £3 from the bank = cash = money",
        "offer = bid",
        "offer nothing = doesn’t offer = does not offer = empty hand = null offer = null = nothing = nil = no offer = zero = bid nothing = pass",
        "nothing = null = zero = 0 = none = nil",
        "nothing = others nothing = rest nothing = others null = rest null = all others nothing = everybody else nothing",
        "nothing = only = nobody else = all zero except = all nothing except = nothing except = everyone else nothing",
        "end the turn = end = passes = pass = end of turn = turn over = done = finished = that’s all = that’s it = no special card = no special = nothing special = play no special card",
        "take up = pick up = look through = take = pick = get = choose",
        "take = keep",
        "pile = special pile = pile of special cards",
        "starts = coach = gets the coach",
        "market card = reveal = revealed = turn over = turn up = next market card = face up",
        "bottom card = lowest card = lowest",
        "market closed = market closed card = closed = closed card",
    ),
    coin="£{n}",
    points="£{n}",
    seat_fields=SEATS,
    decisions=DecisionWords(
        (
            decides(
                moves.HandDealt,
                "Hand dealt",
                lambda d, names: (
                    say("A hand is dealt") if d.unseen else say("Dealt: {cards}", cards=cards(moves.count_by_type(d)))
                ),
                coffee=N_("How many coffee?"),
                soap=N_("How many soap?"),
                silk=N_("How many silk?"),
                china=N_("How many china?"),
                unseen=None,
            ),
            decides(
                moves.OfferCardsPlaced,
                "Offer cards",
                offer_cards,
                how=AT_ONCE,
                coffee=N_("Where is coffee sold?"),
                soap=N_("Where is soap sold?"),
                silk=N_("Where is silk sold?"),
                china=N_("Where is china sold?"),
                general=N_("Where is everything sold?"),
            ),
            decides(moves.BottomCardSeen, "Bottom market card", bottom_card, how=AT_ONCE, also=pays),
            decides(
                moves.SpecialsStacked,
                "Special-card piles of other sizes",
                "Piles of {sizes} special cards",
                how=SELDOM,
                sizes=N_("How many cards in each pile?"),
            ),
            decides(moves.SpecialStacked, "Special card of a pile", "{card}", how=AT_ONCE),
            decides(moves.StartPlayerDrawn, "Starting player", "{seat} starts", how=AT_ONCE, seat=N_("Who starts?")),
            decides(
                moves.MerchantsPlaced,
                "Merchants",
                lambda d, names: at_markets(
                    {"stack": d.stack, "profit": d.profit, "goods": d.goods}, N_("{merchant} at {market}")
                ),
                how=AT_ONCE,
                stack=N_("Where does the Stack merchant stand?"),
                profit=N_("Where does the Profit merchant stand?"),
                goods=N_("Where does the Goods merchant stand?"),
            ),
            decides(moves.MarketCardRevealed, "Market card", "{card}", how=AT_ONCE, also=pays),
            decides(
                moves.OffersRevealed,
                "Enter all offers",
                "{offers}",
                deed=N_("Offers: {offers}"),
                typed=offers_typed,
                offers=N_("What did each player offer?"),
            ),
            decides(
                moves.MoneyCounted,
                "Money as it was counted",
                "The money agrees",
                how=SELDOM,
                money=N_("How much money did each player count?"),
            ),
            decides(moves.SetupBar, "Place a bar", setup_bar, needless="slot"),
            decides(
                moves.UseMerchant,
                "Use a merchant",
                "Use the {merchant} merchant",
                how=ONE_BY_ONE,
                merchant=N_("Which merchant?"),
            ),
            decides(
                moves.UseAssistant,
                "Send an assistant",
                "Send assistant {track} to {market}",
                how=ONE_BY_ONE,
                track=N_("Which assistant?"),
                market=N_("To which market?"),
            ),
            decides(moves.PlaySpecial, "Play a special card", play_special),
            decides(moves.PlaceBar, "Place a bar", place_bar),
            decides(moves.NameGoods, "Name a type", "Name {goods}", goods=N_("Which type?")),
            decides(moves.DrawGoods, "Draw a goods card", "Draw {goods}"),
            decides(moves.EndTurn, "End the turn", deed=N_("{seat} ends the turn")),
            decides(moves.Replenish, "Take a goods card", "Take {goods}", how=ONE_BY_ONE),
            decides(
                moves.Exchange,
                "Exchange a goods card",
                "Give {give}, take {take}",
                give=N_("Which card do you give?"),
                take=N_("Which card do you take?"),
            ),
            decides(moves.EndReplenish, "No more exchanges", deed=N_("{seat} exchanges no more cards")),
            decides(
                moves.Offer,
                "Seal an offer",
                offer_sentence,
                how=AT_ONCE,
                typed=offer_typed,
                coffee=N_("coffee"),
                soap=N_("soap"),
                silk=N_("silk"),
                china=N_("china"),
                unseen=None,
            ),
            decides(
                moves.SpecialOrMoney,
                "Special card or money",
                special_or_money,
                deed=N_("{seat} takes a special card"),
                choice=N_("A special card or money?"),
            ),
            decides(moves.TakePile, "Take up a pile", "Take up {pile}", pile=N_("Which pile?")),
            decides(moves.TakeSpecial, "Take a special card", take_special),
        ),
        questions={
            "card": "Which card?",
            "goods": "From which pile?",
            "market": "On which market?",
            "slot": "On which place?",
        },
    ),
    effects=sentences(
        says(
            moves.GoodsDealt,
            "{seat} is dealt {cards}",
            cards=lambda e: so_many(e.count) if e.cards is None else value("cards", e.cards, ()),
        ),
        says(
            moves.OfferCardsLaid,
            "The markets sell: {traded}; {n} cards of each type are ready",
            n="height",
            traded=lambda e: ", ".join(
                say("{goods} at {market}", goods=word("goods", goods), market=word("market", market))
                for market, goods in e.traded.items()
            ),
        ),
        says_one_of(
            moves.BottomCardShown,
            lambda e: (
                "The bottom market card was not noted" if e.card == UNKNOWN else "The bottom market card is {card}"
            ),
        ),
        says(moves.SpecialsLaid, "The special cards lie in piles of {sizes}"),
        says(moves.SpecialLaid, "A special card is laid on {pile}"),
        says(moves.StartPlayerChosen, "{seat} is the starting player"),
        says_one_of(
            moves.BarPlaced,
            lambda e: (
                "{seat} places a bar: {crates}" if e.owner == e.seat else "{seat} places a bar of {owner}: {crates}"
            ),
            crates=lambda e: crates(e.crates, e.market),
        ),
        says(
            moves.MerchantsLaid,
            "The merchants are placed: {markets}",
            markets=lambda e: at_markets(e.markets, N_("{merchant} at {market}")),
        ),
        says_one_of(
            moves.MarketCardTurned,
            lambda e: "Round {round}: the markets are closed" if not e.shows else "Round {round}: {shows}",
            shows=lambda e: paying(e.shows),
        ),
        says_one_of(
            moves.PhaseSkipped,
            lambda e: "No replenishment this round" if e.phase == "replenish" else "No auctions this round",
        ),
        says(moves.PhaseBegun, "Now: {phase}"),
        says(moves.TurnPassed, "It is {to}’s turn"),
        says(
            moves.MerchantsMoved, "The merchants move on: {markets}", markets=lambda e: at_markets(e.markets, MOVED_ON)
        ),
        says(moves.AssistantMoved, assistant_moved),
        says(moves.MoneyShown, "Money is shown: {money}"),
        says(moves.MoneyAgreed, "Counted, and as in the record: {money}"),
        says(moves.CoachPassed, "The coach goes from {seat} to {to}"),
        says(moves.RoundEnded, "Round {round} is over"),
        says(moves.GameEnded, "The game ends after round {round}"),
        says(moves.MerchantUsed, "{seat} uses the {merchant} merchant at {market}"),
        says(moves.AssistantUsed, "{seat} sends assistant {track} to {market}: {action}"),
        says(
            moves.BarsLacking,
            by_number("n", "{seat} has no bar for {n} place", "{seat} has no bars for {n} places"),
            n="count",
        ),
        says_one_of(
            moves.ProfitGained,
            lambda e: (
                "{seat} is paid for {crates}: {amount}"
                if e.crates == e.amount
                else "{seat} shows {crates} and is paid the least: {amount}"
            ),
            crates=lambda e: crates(e.crates, e.market),
            amount=lambda e: pounds(e.amount),
        ),
        says_one_of(
            moves.GoodsGranted,
            lambda e: (
                "{seat} shows {crates}: {cards}"
                if e.crates == e.count
                else "{seat} shows {crates} and draws the least: {cards}"
            ),
            crates=lambda e: crates(e.crates, e.market),
            cards=lambda e: so_many(e.count),
        ),
        says(moves.GoodsNamed, "{seat} names {goods}"),
        says(moves.GoodsDrawn, "{seat} draws {count} {goods}"),
        says(moves.GoodsLost, "All piles are empty: {seat} does not get {cards}", cards=lambda e: so_many(e.count)),
        says_one_of(
            moves.SpecialPlayed,
            lambda e: (
                "{seat} pays {fee} and plays {card}, which stays on the table"
                if e.fee and e.stays
                else (
                    "{seat} pays {fee} and plays {card}"
                    if e.fee
                    else ("{seat} plays {card}, which stays on the table" if e.stays else "{seat} plays {card}")
                )
            ),
            fee=lambda e: pounds(e.fee),
        ),
        says(moves.SpecialPaid, special_paid),
        says(moves.TakesBegun, takes_sentence),
        says(moves.GoodsTaken, "{seat} takes {goods}"),
        says(moves.GoodsExchanged, "{seat} gives {gave} back and takes {took}"),
        says(moves.OfferSealed, "{seat} seals an offer"),
        says(moves.OffersImpossible, "The sealed offers cannot all be right: a player must change an offer"),
        says_one_of(
            moves.OfferShown, lambda e: "{seat} offers nothing" if e.null == "empty" else NULL.get(e.null, OFFERED)
        ),
        says(moves.TieBroken, tie_broken),
        says(moves.AuctionWon, won_sentence),
        says(moves.AuctionShared, shared_sentence),
        says(moves.SpecialLacking, "No special card is left for {seat}"),
        says(moves.MoneyInstead, "{seat} takes {amount} instead of a special card", amount=lambda e: pounds(e.amount)),
        says(moves.GoodsReturned, "{seat} puts {count} {goods} back"),
        says(moves.GoodsCovered, "No more {goods} is sold this round: the type is covered"),
        says(moves.AuctionBegun, "Auction {number}: {open}"),
        says_one_of(
            moves.AuctionsEnded,
            lambda e: (
                "The auctions end: all types are covered"
                if e.cause == "all_covered"
                else "The auctions end: no offer counts"
            ),
        ),
        says(
            moves.PilePicked,
            by_number("n", "{seat} looks through pile {pile}: {n} card", "{seat} looks through pile {pile}: {n} cards"),
            pile="pile",
            n="count",
        ),
        says_one_of(
            moves.SpecialTaken,
            lambda e: (
                "{seat} takes a special card from pile {pile}"
                if e.card == UNKNOWN
                else "{seat} takes {card} from pile {pile}"
            ),
            pile="pile",
        ),
        says(moves.DraftBegun, "A draft: each player picks a pile and takes a special card"),
    ),
    line_effects=(moves.ProfitGained, moves.GoodsDrawn, moves.GoodsLost, moves.BarsLacking),
    refusals=RefusalWords(
        numbered=(
            replenish.STILL_TO_TAKE,
            replenish.ALL_EXCHANGED,
            setup.LEFT_TO_DEAL,
            setup.CLOSED_TO_COME,
            specials.PLAYED_THIS_ROUND,
            invariants.BARS,
            invariants.TOKENS_USED,
            invariants.COPIES,
            knowledge.UNSEEN_NEEDED,
        ),
        better={"slot {slot} of the open layer is not free": N_("{slot} of the open layer is not free")},
        figure=figure,
    ),
    seat=SeatWords(
        prompt=prompt,
        holds=holding_rows,
        sealed=sealed_offer,
        about_parts=lambda board: (f"lot-{board.market}",) if board.stage == "place" else (),
    ),
    reveals=RevealWords(
        heading=N_("The offers"),
        shows={moves.OfferShown: lambda e: cards(e.cards)},
        to_come=lambda board: (
            (auctions.winner(board), auctions.awards_to_come(board)) if len(board.settling) > 1 else None
        ),
        results=(moves.TieBroken, moves.AuctionWon, moves.AuctionShared, moves.SpecialLacking, moves.AuctionsEnded),
    ),
    choosing=Choosing(
        charts=charts,
        seldom_told=not_for_auction,
        number_note=price_of_goods,
        mixed={
            "offer": N_(
                "Cards of several types count as no offer: everyone sees them, and they go back to the hand. "
                "Use this only if a player really put down several types"
            )
        },
        group=group,
        aside=aside,
        brings=brings,
        drawn=frozenset({moves.OfferCardsPlaced, moves.BottomCardSeen, moves.StartPlayerDrawn, moves.MerchantsPlaced}),
    ),
    ledger=LedgerWords(
        columns=N_(
            {
                "goods": "goods cards",
                "specials": "special cards",
                "in_play": "cards in play",
                "bars": "bars left",
                "crates": "crates on display",
                "money": "money",
                "score": "would score",
            }
        ),
        money=frozenset({"money", "score"}),
        at_hand=("money", "goods", "specials", "bars"),
    ),
    marks=MarkWords(
        labels={"round": N_("round {n}"), "turn": lambda n: say("turn {n}", n=n) if n else say("set-up")},
        phase=phase_label,
        ends_soon=ends_soon,
    ),
    score=ScoreWords(
        lines={"money": N_("money")},
        tiebreaks=N_({"tiebreaker": "a Tiebreaker in play", "goods_cards": "goods cards in hand"}),
        moved_by=MONEY_EFFECTS,
        causes={"money": MONEY_EFFECTS, "goods": GOODS_EFFECTS, "hand": GOODS_EFFECTS, "piles": GOODS_EFFECTS},
    ),
    board=BoardWords(
        paths=N_(
            {
                "/players/*/money": "{k0}: money",
                "/players/*/bars": "{k0}: bars left",
                "/players/*/hand/?": "{k0}: other cards in hand",
                "/players/*/hand/*": "{k0}: {k1} in hand",
                "/players/*/unseen/*": "{k0}: {k1} in hand, known to no one else",
                "/players/*/specials": "{k0}: special cards in hand",
                "/players/*/in_play": "{k0}: special cards on the table",
                "/players/*/specials_from": "{k0}: piles of the special cards in hand",
                "/players/*/in_play_from": "{k0}: piles of the special cards on the table",
                "/players/*/offer": "{k0}: offer",
                "/stacks/*": "{k0}: bars",
                "/stacks/*/*": "{k0}: bars of layer {n1}",
                "/stacks/*/*/*": "{k0}: bar of layer {n1}, place {n2}",
                "/piles/*": "{k0} cards in the pile",
                "/traded/*": "what {k0} sells",
                "/specials/*": "pile {k0} of special cards",
                "/removed": "special cards out of the game",
                "/merchants/*": "market of the {k0} merchant",
                "/assistants/*": "space of assistant {k0}",
                "/bottom": "bottom market card",
                "/revealed": "market cards revealed",
                "/covered": "types covered",
                "/used": "merchants and assistants used",
                # figures that the board shows and does not hold
                "/players/*/hand": "{k0}: cards in hand",
                "/crates/*/@": "{k1}: crates on display at {k0}",
                "/coming": "market cards left",
                "/coming/closed": "market cards closed",
                "/exchanges": "exchanges left",
                "/auction": "cards in the auction",
                "/bars": "bars to place",
                "/quota": "goods to draw",
                "/takes": "goods to take",
                "/start": "starting player",
            }
        ),
        parts=N_(
            {
                "/stacks/*": "",
                "/piles": "goods cards in the piles",
                "/specials": "piles of special cards",
                "/traded": "what the markets sell",
                "/merchants": "merchants",
            }
        ),
        unseen_places=("/players/*/unseen/*", "/revealed", "/bottom"),
        seat_paths=("/start", "/stacks/*/*/*"),
        formula=formula,
    ),
    setup=SetupWords(
        options=N_(
            {
                "hands": "Hands",
                "hands.open": "open: the deal and every special card are written down",
                "hands.hidden": "hidden: a card is named when it is shown",
            }
        ),
        quickest={"hands": "hidden"},
    ),
    account=ACCOUNT,
    at_table=AT_TABLE,
    table_begins=begins,
    figures=FIGURES,
    rules=RULES,
)
