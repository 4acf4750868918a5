"""Invariants of every board (LM-7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from daybook.domain.games.london_markets import knowledge
from daybook.domain.games.london_markets.board import Board
from daybook.domain.games.london_markets.printed import CLOSED, GENERAL, GOODS, MERCHANTS, UNKNOWN
from daybook.domain.kernel.invariants import Invariant
from daybook.domain.kernel.terms import Breach, because, by_number


def breaches(b: Board) -> Iterator[Breach]:
    for invariant in INVARIANTS:
        breach = invariant.broken(b)
        if isinstance(breach, Breach):
            yield breach


def goods_add_up(b: Board) -> Breach | None:
    """Together as many as there are, and no more of a type than there are (LM-7.1, LM-7.17)."""
    if b.stage == "deal":
        return None
    each = b.printed.goods_each_type
    total = sum([player.hand[UNKNOWN] for player in b.players if player.unseen is None])
    for goods in GOODS:
        known = knowledge.cards_known(b, goods)
        if known > each:
            return Breach(
                "LM-7.17",
                because("goods", "there are {known} cards of {goods}, not {each}", known=known, goods=goods, each=each),
            )
        total += known
    if total == each * len(GOODS):
        return None
    return Breach(
        "LM-7.1", because("goods", "there are {total} goods cards, not {all}", total=total, all=each * len(GOODS))
    )


def hands_fit(b: Board) -> Breach | None:
    for player in b.players:
        if min(player.hand.values()) < 0:
            return Breach("LM-7.17", because("hands", "the number of cards in a hand is below 0"))
        unseen = player.unseen
        if unseen is not None and (min(unseen.values()) < 0 or sum(unseen.values()) != player.hand[UNKNOWN]):
            return Breach(
                "LM-7.17", because("hands", "the unseen cards of a hand do not match those that no one has seen")
            )
    return None


def stacks_stand(b: Board) -> Breach | None:
    """Only the open layer of a market has free slots (LM-7.3); in the set-up there are few bars (LM-7.13)."""
    layer = b.printed.bars_layer
    for market, stack in b.stacks.items():
        for number, slots in enumerate(stack, 1):
            free = slots.count(None)
            if len(slots) != layer or free == layer or (free and number < len(stack)):
                return Breach(
                    "LM-7.3", because("stack", "layer {layer} at {market} is not possible", layer=number, market=market)
                )
        if (
            b.phase == "setup"
            and sum([len(slots) - slots.count(None) for slots in stack]) > b.printed.setup_bars_in_market
        ):
            return Breach("LM-7.13", because("stack", "there are too many bars at {market}", market=market))
    return None


BARS = by_number(
    "total",
    "seat {seat} has {total} bar, not {all}: {bars} left, {placed}",
    "seat {seat} has {total} bars, not {all}: {bars} left, {placed}",
)


def bars_add_up(b: Board) -> Breach | None:
    at = {market: Counter([owner for slots in stack for owner in slots]) for market, stack in b.stacks.items()}
    right = b.printed.bars_each_colour
    for seat, player in enumerate(b.players):
        placed = {market: owners.pop(seat, 0) for market, owners in at.items()}
        total = player.bars + sum(placed.values())
        if player.bars < 0:
            return Breach("LM-7.2", because("bars", "the number of bars of seat {seat} is below 0", seat=seat))
        if total != right:
            where = ", ".join(f"{n} at {market}" for market, n in placed.items() if n) or "none on a market"
            return Breach(
                "LM-7.2", because("bars", BARS, seat=seat, total=total, all=right, bars=player.bars, placed=where)
            )
    strange = next((market for market, owners in at.items() if owners.keys() - {None}), None)
    if strange is not None:
        return Breach("LM-7.2", because("bars", "a bar at {market} belongs to no player of this game", market=strange))
    return None


COPIES = by_number("copies", "there is only {copies} of {card}", "there are only {copies} of {card}")


def specials_add_up(b: Board) -> Breach | None:
    """Check that every special card is in one place, and that each known one is printed (LM-7.4)."""
    seen = list(b.removed)
    for pile in b.specials:
        seen += pile
    for player in b.players:
        seen += player.specials
        seen += player.in_play
    if len(seen) != b.printed.special_cards:
        return Breach(
            "LM-7.4",
            because(
                "specials", "there are {total} special cards, not {all}", total=len(seen), all=b.printed.special_cards
            ),
        )
    known, copies = Counter(seen), b.printed.copies
    del known[UNKNOWN]
    for card, count in known.items():
        if count > copies.get(card, 0):
            return Breach("LM-7.4", because("specials", COPIES, copies=copies.get(card, 0), card=card))
    return None


def piles_told(b: Board) -> Breach | None:
    """Check the pile numbers of special cards: valid, and none for a missing card (LM-3.3)."""
    for player in b.players:
        for cards, piles in ((player.specials, player.specials_from), (player.in_play, player.in_play_from)):
            if len(piles) > len(cards) or not all(0 <= pile <= len(b.specials) for pile in piles):
                return Breach(
                    "LM-3.3",
                    because(
                        "piles", "each special card came from a pile, 1 to {last}; 0 if unknown", last=len(b.specials)
                    ),
                )
    return None


def market_cards_fit(b: Board) -> Breach | None:
    """One card for each round, each once; the bottom card comes last and is no closed one (LM-7.5)."""
    numbers, revealed = b.printed, b.revealed
    right = len(revealed) == b.round - (b.stage == "market_card") if b.round else not revealed
    for card in revealed:
        right = right and revealed.count(card) <= (
            numbers.market_cards_closed_copies if card == CLOSED else card in numbers.faces
        )
    if b.round and b.bottom != UNKNOWN:
        right = right and b.bottom in numbers.faces and b.bottom not in revealed[: numbers.game_rounds - 1]
    if len(revealed) == numbers.game_rounds:
        right = right and revealed[-1] != CLOSED
    return None if right else Breach("LM-7.5", because("market_cards", "this order of market cards is not possible"))


def merchants_apart(b: Board) -> Breach | None:
    if not b.round:
        return None
    if len({market for market in b.merchants.values() if market in b.stacks}) == len(MERCHANTS):
        return None
    return Breach("LM-7.6", because("merchants", "the merchants are not at three different markets"))


def assistants_on_round(b: Board) -> Breach | None:
    moved = b.round + (b.phase == "movement") if b.round else 1
    if all(max(b.round, 1) <= space <= moved for space in b.assistants.values()):
        return None
    return Breach("LM-7.7", because("assistants", "an assistant is not on the space of the round"))


TOKENS_USED = by_number("used", "{used} token is used, not {acted}", "{used} tokens are used, not {acted}")


def tokens_used(b: Board) -> Breach | None:
    """Check that each used token is unique, and their number (LM-7.8)."""
    acted = b.seats if b.phase in ("replenish", "auction", "movement", "over") else b.turn + b.acted
    if len(b.used) != acted:
        return Breach("LM-7.8", because("tokens", TOKENS_USED, used=len(b.used), acted=acted))
    if len(set(b.used)) == acted and all(used in b.merchants or used in b.assistants for used in b.used):
        return None
    return Breach("LM-7.8", because("tokens", "a token is used twice, or does not belong to this game"))


def nothing_below_zero(b: Board) -> Breach | None:
    if min(player.money for player in b.players) < 0:
        return Breach("LM-7.9", because("money", "the money of a player is below 0"))
    if min(b.piles.values()) < 0:
        return Breach("LM-7.1", because("goods", "the number of cards in a pile is below 0"))
    return None


def plays_in_turn(b: Board) -> Breach | None:
    if 0 <= b.plays <= b.printed.specials_plays:
        return None
    return Breach("LM-7.11", because("plays", "{plays} special cards in one turn", plays=b.plays))


def covered_types_shown(b: Board) -> Breach | None:
    if len(set(b.covered)) == len(b.covered) and all(goods in b.face for goods in b.covered):
        return None
    return Breach("LM-7.12", because("covered", "only types that the market card shows are covered, each once"))


def each_type_traded(b: Board) -> Breach | None:
    if not b.round or sorted(map(str, b.traded.values())) == TRADED:
        return None
    return Breach("LM-3.1.3", because("traded", "each type is sold at one market, and one market sells every type"))


TRADED = sorted((*GOODS, GENERAL))


def somebody_starts(b: Board) -> Breach | None:
    if (b.start is None and not b.round) or b.start in range(b.seats):
        return None
    return Breach("LM-7.15", because("start", "no player of this game is the starting player"))


HANDS, UNSEEN = "/players/*/hand", "/players/*/unseen"
SPECIALS, IN_PLAY = "/players/*/specials", "/players/*/in_play"
INVARIANTS = (  # each with the parts of the board that it reads
    Invariant(goods_add_up, (HANDS, UNSEEN, "/players/*/offer", "/piles", "/settling", "/stage")),
    Invariant(hands_fit, (HANDS, UNSEEN)),
    Invariant(stacks_stand, ("/stacks", "/stage")),
    Invariant(bars_add_up, ("/stacks", "/players/*/bars")),
    Invariant(specials_add_up, (SPECIALS, IN_PLAY, "/specials", "/removed")),
    Invariant(piles_told, (SPECIALS, IN_PLAY, "/players/*/specials_from", "/players/*/in_play_from", "/specials")),
    Invariant(market_cards_fit, ("/revealed", "/round", "/stage", "/bottom")),
    Invariant(merchants_apart, ("/merchants", "/round")),
    Invariant(assistants_on_round, ("/assistants", "/round", "/stage")),
    Invariant(tokens_used, ("/used", "/turn", "/acted", "/stage", "/merchants", "/assistants")),
    Invariant(nothing_below_zero, ("/players/*/money", "/piles")),
    Invariant(plays_in_turn, ("/plays",)),
    Invariant(covered_types_shown, ("/covered", "/revealed", "/round")),
    Invariant(each_type_traded, ("/traded", "/round")),
    Invariant(somebody_starts, ("/start", "/round")),
)


def invariants(seats: int) -> Sequence[Invariant]:
    return INVARIANTS
