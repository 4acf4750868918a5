"""Special cards: played in phase 2 (LM-4.5), taken from a pile after an auction or in a draft (LM-4.7.9, LM-4.8.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from daybook.domain.games.london_markets import auctions, knowledge, moves, stacks
from daybook.domain.games.london_markets.actions import begin_placing, stage_is
from daybook.domain.games.london_markets.board import Board, stages_of
from daybook.domain.games.london_markets.course import end_draft_turn, go_on_with_turn
from daybook.domain.games.london_markets.printed import LATE, MARKETS, STAYING, UNKNOWN, Special
from daybook.domain.kernel.conditions import Awaits
from daybook.domain.kernel.terms import Decision, Reason, Seat, Tell, WhyNot, because, by_number, holds, refuse_unless

PAID_RULES = {"clientele": "LM-4.5.10", "monopoly": "LM-4.5.11", "combined": "LM-4.5.12", "rich_offer": "LM-4.5.13"}

# --- checks: playing ---


PLAYED_THIS_ROUND = by_number(
    "plays", "{plays} special card was played this round", "{plays} special cards were played this round"
)


@holds("another special card may be played this round")
def play_left(b: Board) -> WhyNot:
    return refuse_unless(b.plays < b.printed.specials_plays, "special_limit", PLAYED_THIS_ROUND, plays=b.plays)


def in_hand(b: Board, seat: Seat, d: moves.PlaySpecial) -> WhyNot:
    return refuse_unless(
        knowledge.can_be_in_hand(b, seat, d.card), "card_unknown", "the hand cannot hold {card}", card=d.card
    )


def can_pay(b: Board, seat: Seat) -> WhyNot:
    fee, money = due(b), b.players[seat].money
    return refuse_unless(
        money >= fee,
        "cannot_pay",
        "a second special card costs £{fee}, and the player has £{money}",
        fee=fee,
        money=money,
    )


def due(b: Board) -> int:
    """Return the cost of the next special card of this turn (LM-4.5.2)."""
    return b.printed.specials_fee if b.plays >= b.printed.specials_free_plays else 0


@holds("the card may be played in this round")
def late_enough(b: Board, d: moves.PlaySpecial) -> WhyNot:
    forbidden = b.printed.specials_forbidden_rounds
    return refuse_unless(
        b.round > forbidden or b.printed.specials[d.card].kind not in LATE,
        "too_early",
        "{card} is forbidden in rounds 1 to {rounds}",
        card=d.card,
        rounds=forbidden,
    )


@holds("the decision names a market if the card needs one")
def market_named(b: Board, d: moves.PlaySpecial) -> WhyNot:
    """Require a market with Any market, and with no other card."""
    return refuse_unless(
        (d.market in MARKETS) == (d.market is not None) == (b.printed.specials[d.card].kind == "any_market"),
        "no_market",
        "name a market with Any market, and only with it",
    )


@holds("the player has a bar left to place")
def bar_left(b: Board, seat: Seat, d: moves.PlaySpecial) -> WhyNot:
    return refuse_unless(
        b.printed.specials[d.card].kind != "any_market" or b.players[seat].bars, "no_bars", "no bar is left to place"
    )


@holds("the card pays something")
def condition_met(b: Board, seat: Seat, d: moves.PlaySpecial) -> WhyNot:
    special = b.printed.specials[d.card]
    if special.kind not in LATE:
        return None
    shown = counting(b, seat, special)
    return refuse_unless(
        pay(b, special, shown),
        "condition_not_met",
        "{card} pays nothing for {crates}",
        card=d.card,
        crates=", ".join(f"{count} crates at {market}" for market, count in shown.items()),
    )


# --- playing ---


def play_special(b: Board, seat: Seat, d: moves.PlaySpecial, tell: Tell) -> None:
    player, special = b.players[seat], b.printed.specials[d.card]
    fee = due(b)
    player.money -= fee
    b.plays += 1
    pile = player.part_with(d.card)
    stays = special.kind in STAYING
    if stays:
        player.lay_down(d.card, pile)
    else:
        b.removed.append(d.card)
    tell(moves.SpecialPlayed("LM-4.5.3" if stays else "LM-4.5.4", seat, d.card, fee, stays))
    if d.market is not None:
        begin_placing(b, seat, d.market, b.printed.specials_any_market_bars, "LM-4.5.9", tell)
        return
    if not stays:
        shown = counting(b, seat, special)
        amount = pay(b, special, shown)
        player.money += amount
        tell(moves.SpecialPaid(PAID_RULES[special.kind], seat, d.card, shown, amount))
    go_on_with_turn(b, tell)


def counting(b: Board, seat: Seat, special: Special) -> dict[str, int]:
    """Return the player's crates on display at the card's markets, or at all of them."""
    return {market: stacks.crates(b, seat, market) for market in special.markets or b.printed.markets_ring}


def pay(b: Board, special: Special, shown: Mapping[str, int]) -> int:
    """Return the payment of a card for the counted crates (LM-2.5); 0 below its lowest step."""
    numbers = b.printed
    match special.kind:
        case "clientele":
            return max(numbers.clientele_least, *shown.values())
        case "monopoly":
            return numbers.monopoly.pay(min(shown.values()))
        case "combined":
            return numbers.combined.pay(min(shown.values()))
        case "rich_offer":
            return numbers.rich_offer.pay(sum(count > 0 for count in shown.values()))
    return 0


# --- checks: taking ---


def not_in_taking(b: Board) -> Reason:
    return because("wrong_phase", "special cards are taken in auctions and drafts; the phase is {phase}", phase=b.phase)


in_taking = Awaits("in_taking", "special cards are being taken", stages_of("auction", "movement"), not_in_taking)


@holds("this player makes the choice")
def its_choice(b: Board, seat: Seat) -> WhyNot:
    mover = None if b.stage == "offers" else chooser(b)
    return refuse_unless(b.stage != "offers", "nothing_awaited", "offers are being made") or refuse_unless(
        seat == mover, "not_your_turn", "seat {seat} is to choose", seat=mover
    )


def chooser(b: Board) -> Seat:
    """Return the seat that takes a special card: the winner of the icon, or the player of the draft."""
    return b.mover if b.phase == "movement" else auctions.winner(b)


@holds("the player must choose a pile")
def pile_awaited(b: Board) -> WhyNot:
    return stage_is(b, "pile", "draft_pile")


@holds("the player must choose a card of the pile")
def card_awaited(b: Board) -> WhyNot:
    return stage_is(b, "special", "draft_special")


@holds("the pile exists")
def pile_there(b: Board, d: moves.TakePile) -> WhyNot:
    return refuse_unless(
        1 <= d.pile <= len(b.specials),
        "no_such_pile",
        "there are {piles} piles, numbered from 1",
        piles=len(b.specials),
    )


@holds("the pile has cards")
def pile_stocked(b: Board, d: moves.TakePile) -> WhyNot:
    return refuse_unless(b.specials[d.pile - 1], "pile_empty", "pile {pile} is empty", pile=d.pile)


@holds("no one picked the pile in this draft")
def pile_untouched(b: Board, d: moves.TakePile) -> WhyNot:
    return refuse_unless(d.pile not in b.drafted, "pile_picked", "pile {pile} was picked in this draft", pile=d.pile)


@holds("the card lies in the pile")
def card_in_pile(b: Board, d: moves.TakeSpecial) -> WhyNot:
    return refuse_unless(
        b.looking is None or d.card in b.specials[b.looking - 1],
        "card_unknown",
        "{card} is not in pile {pile}",
        card=d.card,
        pile=b.looking,
    )


# --- taking ---


def take_pile(b: Board, seat: Seat, d: moves.TakePile, tell: Tell) -> None:
    """Show a pile to the player only (LM-4.7.9)."""
    b.looking = d.pile
    draft = b.stage == "draft_pile"
    if draft:
        b.drafted.append(d.pile)
    b.stage = "draft_special" if draft else "special"
    tell(moves.PilePicked("LM-4.8.3" if draft else "LM-4.7.9", seat, d.pile, len(b.specials[d.pile - 1])))


def take_special(b: Board, seat: Seat, d: moves.TakeSpecial, tell: Tell) -> None:
    assert b.looking is not None
    pile, b.looking = b.looking, None
    draft = b.stage == "draft_special"
    b.specials[pile - 1].remove(d.card)
    b.players[seat].take_special(d.card, pile)
    tell(moves.SpecialTaken("LM-4.8.3" if draft else "LM-4.7.9", seat, pile, d.card))
    if draft:
        end_draft_turn(b, tell)
    else:
        auctions.settle_next(b, tell)


# --- candidates ---


def candidate_plays(b: Board, seat: Seat) -> Iterable[Decision]:
    """Cards that may be in hand; Any market once for each market."""
    if not 0 <= seat < b.seats:
        return
    held = b.players[seat].specials
    for card, special in b.printed.specials.items() if held else ():
        if card not in held and UNKNOWN not in held:
            continue
        if special.kind == "any_market":
            yield from (moves.PlaySpecial(card, market) for market in MARKETS)
        else:
            yield moves.PlaySpecial(card)


def candidate_piles(b: Board, seat: Seat) -> Iterable[Decision]:
    taking = b.stage in ("pile", "draft_pile")
    return [moves.TakePile(pile) for pile in range(1, len(b.specials) + 1)] if taking else ()


def candidate_cards(b: Board, seat: Seat) -> Iterable[Decision]:
    if b.looking is None:
        return ()
    return [moves.TakeSpecial(card) for card in dict.fromkeys(b.specials[b.looking - 1])]
