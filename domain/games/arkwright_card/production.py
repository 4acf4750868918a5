"""The production phase: sell, ship, store, pay; then share values and decay (ACG-4.13 to ACG-4.16)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from daybook.domain.games.arkwright_card import automas, cards, costs, course, factories, moves, storing
from daybook.domain.games.arkwright_card.board import Board, Factory, Production
from daybook.domain.kernel.terms import Decision, Seat, Tell, WhyNot, by_number, holds, refuse_unless

# --- from player to player ---


def begin_production_phase(b: Board, tell: Tell) -> None:
    """Begin production for players with a factory of the active good, in turn order (ACG-4.13)."""
    tell(moves.PhaseBegun("ACG-4.13", "production"))
    producing = producers(b)
    if producing:
        begin_production(b, producing[0], tell)
        return
    if not automas.any_sale(b):
        tell(moves.NobodyProduces("ACG-4.13", b.active))
    end_phase(b, tell)


def producers(b: Board) -> list[Seat]:
    """Return the seats with a factory of the active good, in turn order."""
    return [seat for seat in b.from_start() if b.players[seat].factories[b.active] is not None]


def at_work(b: Board, seat: Seat) -> Factory:
    return b.players[seat].factory(b.active)


def begin_production(b: Board, seat: Seat, tell: Tell) -> None:
    b.stage, b.mover = "produce", seat
    factory = at_work(b, seat)
    tile, of_cards = b.tile(b.active, factory).goods, factories.goods_of_cards(b, factory)
    b.production = Production(made=tile + sum(of_cards))
    tell(moves.GoodsMade("ACG-4.13.2", seat, b.active, tile, of_cards, b.production.made))
    go_on_before_sale(b, tell)


def go_on_before_sale(b: Board, tell: Tell) -> None:
    """Begin the sale at once if no card can be used before it (ACG-4.13.3)."""
    seat = b.moving
    if "extra_shift" in b.players[seat].cards or any(
        b.players[seat].ready(d.card) and patron_sells(b, seat) is None for d in candidate_patrons(b, seat)
    ):
        return
    sell(b, tell)


# --- a: the home market ---


def most_at_home(b: Board, factory: Factory, patrons: int) -> int:
    """Appeal less demand, and more with Patrons; never more than the appeal (ACG-4.13.4)."""
    appeal, demand = factory.appeal, b.demand_value(b.active)
    if b.options.patron_needs_sale and appeal <= demand:
        return 0
    return min(appeal, max(0, appeal - demand) + patrons)


def sell(b: Board, tell: Tell) -> None:
    """Sell as much of the output as the market takes (ACG-4.13.5); stored goods by choice (ACG-4.13.6)."""
    seat, work = b.moving, b.production
    factory = at_work(b, seat)
    work.most = most_at_home(b, factory, work.patrons)
    tell(
        moves.MarketMeasured(
            "ACG-4.13.4", seat, b.active, factory.appeal, b.demand_value(b.active), work.patrons, work.most
        )
    )
    work.sold = min(work.made, work.most)
    work.left = work.made - work.sold
    b.sales[seat] = work.sold
    if work.sold:
        income(b, seat, work.sold, 0, tell)
    if min(factory.goods_stored, work.most - work.made) > 0:
        b.stage = "sell"
    else:
        go_on_to_ship(b, tell)


def income(b: Board, seat: Seat, made: int, stored: int, tell: Tell) -> None:
    """Pay a seat for goods sold at home (ACG-4.13.7)."""
    price = factories.goods_price(b, b.active, at_work(b, seat))
    amount = (made + stored) * price
    b.players[seat].money += amount
    tell(moves.SoldHome("ACG-4.13.7", seat, b.active, made, stored, price, amount))


# --- b: ships and storehouses ---


def shippable(b: Board, seat: Seat) -> int:
    """Goods that could not be sold at home (ACG-4.13.9)."""
    work = b.production
    return work.left + max(0, at_work(b, seat).goods_stored - (work.most - work.sold))


def most_shipped(b: Board, seat: Seat) -> int:
    return min(shippable(b, seat), costs.ship_capacity(b, b.players[seat]))


def go_on_to_ship(b: Board, tell: Tell) -> None:
    seat = b.moving
    if any(ship_tokens(b, seat, d) is None for d in ships(1, most_shipped(b, seat), customs_ready(b, seat))):
        b.stage = "ship"
    else:
        go_on_to_store(b, tell)


def customs_ready(b: Board, seat: Seat) -> bool:
    return b.players[seat].ready("customs_office")


def go_on_to_store(b: Board, tell: Tell) -> None:
    """Let the player store leftover goods; finish if none is left or no storehouse can take them."""
    seat = b.moving
    if b.production.left + at_work(b, seat).goods_stored and storing.any_assignment(b, seat):
        b.stage = "store"
    else:
        finish(b, tell)


def finish(b: Board, tell: Tell) -> None:
    """Pack the goods, pay the costs, and go on to the next producer (ACG-4.13.13, ACG-4.13.16)."""
    seat, good = b.moving, b.active
    factory = at_work(b, seat)
    storing.pack(b, seat, good, factory.goods_stored + b.production.left, tell)
    cost = factories.cost(b, b.players[seat], good, factory, len(factory.workers))
    costs.pay(b, seat, good, cost, "ACG-4.13.16", tell)
    if b.players[seat].bankrupt:
        b.sales[seat] = None
    order = b.from_start()
    later = [other for other in order[order.index(seat) + 1 :] if b.players[other].factories[good] is not None]
    if later:
        begin_production(b, later[0], tell)
    else:
        end_phase(b, tell)


# --- d: share value ---


def end_phase(b: Board, tell: Tell) -> None:
    b.production = Production()
    for seat in b.from_start():
        sold = b.sales[seat]
        if sold is not None and sold >= b.printed.rules_share_sales:
            steps = raise_value(b, seat, b.printed.rules_share_step)
            tell(moves.ShareValueRaised("ACG-4.15.1", seat, sold, steps, b.players[seat].share_value))
    if b.solo is not None:
        automas.produce(b, tell)
    settle_top(b, tell)


def raise_value(b: Board, seat: Seat, steps: int) -> int:
    """Raise the share value by as many steps as the track still has; return their number."""
    player = b.players[seat]
    taken = min(steps, b.printed.rules_share_value_top - player.share_value)
    player.share_value += taken
    return taken


def leaders(b: Board) -> tuple[list[Seat], bool]:
    """Return the seats of the highest appeal among those that sold enough, and if another player matches them.

    The other one is the third player or an automa, equal or ahead. Source: ACG-4.15.2, ACG-4.15.4, ACG-6.4.5.
    """
    appeals = {
        seat: at_work(b, seat).appeal
        for seat in b.from_start()
        if (sold := b.sales[seat]) is not None and sold >= b.printed.rules_share_sales
    }
    third = b.neutral.get(b.active, 0)
    third = third if third - b.demand_value(b.active) >= b.printed.rules_share_sales else 0
    if b.solo is not None:
        third = max(automas.rivals(b).values(), default=0)
    best = max([*appeals.values(), third])
    if not appeals and not (third and b.solo is not None):
        return [], False
    return [seat for seat, appeal in appeals.items() if appeal == best], third == best


def settle_top(b: Board, tell: Tell) -> None:
    """Give a point to the sole highest appeal; a tied owner of the Entrepreneur may break a tie (ACG-4.15.3)."""
    tied, third = leaders(b)
    if len(tied) == 1 and not third:
        if b.options.top_point_optional:
            b.stage, b.mover = "top_point", tied[0]
            return
        win_top(b, tied[0], "ACG-4.15.2", tell)
    elif third and not tied and b.solo is not None:
        automas.settle_top(b, tell)
    elif tied or third:
        breaker = next((seat for seat in tied if b.players[seat].ready("entrepreneur")), None)
        if breaker is not None:
            b.stage, b.mover = "top_point", breaker
            return
        lose_top(b, tell)
    decay_distribution(b, tell)


def win_top(b: Board, seat: Seat, rule: str, tell: Tell) -> None:
    steps = raise_value(b, seat, b.printed.rules_top_step)
    tell(moves.TopPointWon(rule, seat, at_work(b, seat).appeal, steps, b.players[seat].share_value))


def lose_top(b: Board, tell: Tell) -> None:
    tied, third = leaders(b)
    if third and b.solo is not None:
        automas.lose_top(b, tied, tell)
        return
    tell(moves.TopPointLost("ACG-4.15.4" if third else "ACG-4.15.3", b.active, tuple(tied), third))


# --- e: decay ---


def decay_distribution(b: Board, tell: Tell) -> None:
    """Lower the distribution card of every factory that produced; end the round (ACG-4.16.1)."""
    for seat in b.from_start():
        if b.sales[seat] is not None:
            lose_distribution(b, seat, b.active, "ACG-4.16.1", tell)
    course.end_round(b, tell)


def lose_distribution(b: Board, seat: Seat, good: str, rule: str, tell: Tell) -> None:
    """Lower a distribution card's value, and remove it at 0; the appeal marker stays until step B (ACG-4.16.2)."""
    factory = b.players[seat].factory(good)
    lying = factory.distribution
    if lying is None:
        return
    lying.value = max(0, lying.value - b.printed.rules_decay)
    tell(moves.DistributionDecayed(rule, seat, good, lying.card, lying.value))
    if not lying.value:
        factory.distribution = None


# --- checks ---


@holds("the Patron is for the active good")
def patron_of_good(b: Board, d: moves.UsePatron) -> WhyNot:
    return refuse_unless(
        b.active in b.printed.patrons.get(d.card, ()),
        "card_wrong_good",
        "{card} is not a Patron of {good}",
        card=d.card,
        good=b.active,
    )


@holds("the player has the Patron")
def patron_owned(b: Board, seat: Seat, d: moves.UsePatron) -> WhyNot:
    return cards.not_owned(b, seat, d.card)


@holds("the Patron is not rotated")
def patron_ready(b: Board, seat: Seat, d: moves.UsePatron) -> WhyNot:
    return cards.already_rotated(b, seat, d.card)


@holds("the appeal is above the demand if a Patron needs that")
def patron_sells(b: Board, seat: Seat) -> WhyNot:
    """Only with the ruling that a Patron needs a sale (ACG-7.1.1)."""
    factory, demand = at_work(b, seat), b.demand_value(b.active)
    return refuse_unless(
        not b.options.patron_needs_sale or factory.appeal > demand,
        "patron_needs_sale",
        "an appeal of {appeal} sells nothing against a demand of {demand}",
        appeal=factory.appeal,
        demand=demand,
    )


@holds("the player has Extra Shift (3)")
def shift_owned(b: Board, seat: Seat) -> WhyNot:
    return cards.not_owned(b, seat, "extra_shift")


GOODS_STORED_THERE = by_number("stored", "the factory stores {stored} good", "the factory stores {stored} goods")


@holds("this many goods are stored")
def stored_enough(b: Board, seat: Seat, d: moves.SellHome) -> WhyNot:
    stored = at_work(b, seat).goods_stored
    return refuse_unless(0 <= d.count <= stored, "no_stock", GOODS_STORED_THERE, stored=stored)


@holds("the home market takes this many")
def market_takes(b: Board, d: moves.SellHome) -> WhyNot:
    work = b.production
    return refuse_unless(
        d.count <= work.most - work.made, "no_stock", "the home market takes {most} more", most=work.most - work.made
    )


SHIPPABLE = by_number(
    "most",
    "{most} good can be shipped; the others can be sold at home or do not exist",
    "{most} goods can be shipped; the others can be sold at home or do not exist",
)


@holds("the goods cannot be sold at home")
def not_sellable_at_home(b: Board, seat: Seat, d: moves.Ship) -> WhyNot:
    most = shippable(b, seat)
    return refuse_unless(0 <= d.count <= most, "not_shippable", SHIPPABLE, most=most)


ROOM_ON_SHIPS = by_number(
    "room", "the ships that are ready take {room} good", "the ships that are ready take {room} goods"
)


@holds("the ships have room")
def room_on_ships(b: Board, seat: Seat, d: moves.Ship) -> WhyNot:
    room = costs.ship_capacity(b, b.players[seat])
    return refuse_unless(d.count <= room, "ship_capacity", ROOM_ON_SHIPS, room=room)


@holds("the Customs Office can be used for it")
def customs_of_use(b: Board, seat: Seat, d: moves.Ship) -> WhyNot:
    if not d.customs:
        return None
    return (
        refuse_unless(d.count, "nothing_done", "the Customs Office is for goods that are shipped")
        or cards.not_owned(b, seat, "customs_office")
        or cards.already_rotated(b, seat, "customs_office")
    )


@holds("there are places for the shipping tokens")
def ship_tokens(b: Board, seat: Seat, d: moves.Ship) -> WhyNot:
    return costs.too_many_tokens(b, b.players[seat], d.count, d.customs)


@holds("the player is tied for the highest appeal")
def tied(b: Board, seat: Seat) -> WhyNot:
    """Refuse a decision between tied players for a seat that no one is tied with."""
    best, third = leaders(b)
    return refuse_unless(
        seat in best and (len(best) > 1 or third), "wrong_step", "no one is tied with seat {seat}", seat=seat
    )


@holds("the player has Entrepreneur (1)")
def entrepreneur_owned(b: Board, seat: Seat) -> WhyNot:
    return cards.not_owned(b, seat, "entrepreneur")


@holds("the Entrepreneur is not rotated")
def entrepreneur_ready(b: Board, seat: Seat) -> WhyNot:
    return cards.already_rotated(b, seat, "entrepreneur")


def leading_alone(b: Board, seat: Seat) -> bool:
    return leaders(b) == ([seat], False)


@holds("no one can take the point now")
def no_single_leader(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(
        not b.options.top_point_optional or not leading_alone(b, seat),
        "wrong_step",
        "no one is tied with seat {seat}",
        seat=seat,
    )


@holds("players may decline the point in this game")
def point_optional(b: Board) -> WhyNot:
    return refuse_unless(
        b.options.top_point_optional, "option_off", "the point for the highest appeal cannot be declined in this game"
    )


@holds("the player is alone at the highest appeal")
def is_single_leader(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(
        leading_alone(b, seat), "wrong_step", "seat {seat} is not alone at the highest appeal", seat=seat
    )


# --- actions ---


def use_extra_shift(b: Board, seat: Seat, d: moves.UseExtraShift, tell: Tell) -> None:
    cards.discard(b, seat, "extra_shift", "ACG-4.12.4", tell)
    b.production.made += b.printed.cards_extra_shift_goods
    tell(moves.ShiftWorked("ACG-4.12.4", seat, b.active, b.printed.cards_extra_shift_goods, b.production.made))
    go_on_before_sale(b, tell)


def use_patron(b: Board, seat: Seat, d: moves.UsePatron, tell: Tell) -> None:
    cards.rotate_card(b, seat, d.card, "ACG-4.12.8", tell)
    b.production.patrons += b.printed.cards[d.card].more
    tell(moves.PatronWon("ACG-4.12.8", seat, d.card, b.printed.cards[d.card].more))
    go_on_before_sale(b, tell)


def begin_sale(b: Board, seat: Seat, d: moves.BeginSale, tell: Tell) -> None:
    sell(b, tell)


def sell_home(b: Board, seat: Seat, d: moves.SellHome, tell: Tell) -> None:
    work, factory = b.production, at_work(b, seat)
    if d.count:
        factories.take_out(factory, d.count)
        work.sold += d.count
        b.sales[seat] = work.sold
        income(b, seat, 0, d.count, tell)
    else:
        tell(moves.StoreKept("ACG-4.13.6", seat, b.active, min(factory.goods_stored, work.most - work.made)))
    go_on_to_ship(b, tell)


def ship(b: Board, seat: Seat, d: moves.Ship, tell: Tell) -> None:
    """Ship goods, new ones before stored ones (ACG-4.13.10)."""
    if d.count:
        if d.customs:
            cards.rotate_card(b, seat, "customs_office", "ACG-4.12.3", tell)
        fresh = min(d.count, b.production.left)
        b.production.left -= fresh
        factories.take_out(at_work(b, seat), d.count - fresh)
        costs.carry_out_shipping(b, seat, {b.active: d.count}, d.customs, "ACG-4.13.10", tell)
    else:
        tell(moves.ShipsKept("ACG-4.13.10", seat, b.active, most_shipped(b, seat)))
    go_on_to_store(b, tell)


def assign_storehouse(b: Board, seat: Seat, d: moves.AssignStorehouse, tell: Tell) -> None:
    storing.assign(b, seat, d.card, tell)
    if not storing.any_assignment(b, seat):
        finish(b, tell)


def end_production(b: Board, seat: Seat, d: moves.EndProduction, tell: Tell) -> None:
    finish(b, tell)


def use_entrepreneur(b: Board, seat: Seat, d: moves.UseEntrepreneur, tell: Tell) -> None:
    cards.rotate_card(b, seat, "entrepreneur", "ACG-4.12.1", tell)
    win_top(b, seat, "ACG-4.12.1", tell)
    decay_distribution(b, tell)


def decline_entrepreneur(b: Board, seat: Seat, d: moves.DeclineEntrepreneur, tell: Tell) -> None:
    lose_top(b, tell)
    decay_distribution(b, tell)


def take_top_point(b: Board, seat: Seat, d: moves.TakeTopPoint, tell: Tell) -> None:
    win_top(b, seat, "ACG-7.1.2", tell)
    decay_distribution(b, tell)


def decline_top_point(b: Board, seat: Seat, d: moves.DeclineTopPoint, tell: Tell) -> None:
    tell(moves.TopPointDeclined("ACG-7.1.2", seat))
    decay_distribution(b, tell)


# --- candidates ---


def candidate_patrons(b: Board, seat: Seat) -> list[moves.UsePatron]:
    return [moves.UsePatron(card) for card in b.players[seat].cards if b.active in b.printed.patrons.get(card, ())]


def candidate_sales(b: Board, seat: Seat) -> Iterable[Decision]:
    most = min(at_work(b, seat).goods_stored, b.production.most - b.production.made)
    return [moves.SellHome(count) for count in range(most, -1, -1)]


def candidate_shipments(b: Board, seat: Seat) -> Iterable[Decision]:
    return ships(0, most_shipped(b, seat), customs_ready(b, seat))


@lru_cache
def ships(minimum: int, maximum: int, customs: bool) -> tuple[moves.Ship, ...]:
    """Return the possible shipments, the most goods first; with the Customs Office if it is ready."""
    return tuple(
        moves.Ship(count, helped)
        for count in range(maximum, minimum - 1, -1)
        for helped in (False, True)
        if not helped or (customs and count)
    )
