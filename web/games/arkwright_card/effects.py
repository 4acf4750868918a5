"""What happens in Arkwright: The Card Game, as a player says it aloud, with the sum shown."""

from __future__ import annotations

from daybook.domain.games.arkwright_card import moves
from daybook.web.games.arkwright_card import solo
from daybook.web.games.arkwright_card.values import (
    good,
    goods,
    loan_tokens,
    mode,
    points,
    pounds,
    roman,
    shares,
    shipping_tokens,
    ships,
    tell,
    tell_n,
    workers,
)
from daybook.web.words.say import N_, Names, Sentences, join_words, say, say_n, says, sentences


def each(count: int, price: int, amount: int) -> str:
    """3 × £7 = £21; one of a price is that price."""
    return pounds(amount) if count == 1 else f"{count} × {pounds(price)} = {pounds(amount)}"


# --- the set-up and the course ---


def opened_sentence(e: moves.FactoryOpened, names: Names) -> str:
    text = (
        N_("{seat} opens the {good} factory, side {side}, with workers on position 1")
        if e.worker
        else N_("{seat} builds the {good} factory, side {side}: factory token on slot {slot}, no workers yet")
    )
    return tell(text, e, names, slot=e.slot)


def laid_sentence(e: moves.SupplyLaid, names: Names) -> str:
    return tell("The supply of development cards: {cards}", e, names)


def dealt_sentence(e: moves.CardLaid, names: Names) -> str:
    if not e.awaited:
        return tell("{card} lies in the supply; all cards are dealt", e, names)
    return tell_n(
        "{card} lies in the supply, {n} card to come",
        "{card} lies in the supply, {n} cards to come",
        e.awaited,
        e,
        names,
    )


def bought_sentence(e: moves.SharesBought, names: Names) -> str:
    """Anna buys 2 shares at half price: 2 × £6 = £12, 14 shares now."""
    if not e.count:
        return tell("{seat} buys no shares", e, names)
    text = (
        N_("{seat} buys {bought} at half price: {sum}, {shares} now")
        if e.half
        else N_("{seat} buys {bought}: {sum}, {shares} now")
    )
    return tell(text, e, names, bought=shares(e.count), sum=each(e.count, e.price, e.amount), shares=shares(e.shares))


def start_named(e: moves.StartPlayerNamed, names: Names) -> str:
    if e.seat == e.to:
        return tell("{seat} takes the starting player card", e, names)
    return tell("{seat} gives the starting player card to {to}", e, names)


def start_passed(e: moves.StartPlayerPassed, names: Names) -> str:
    if e.seat == e.to:
        return tell("{seat} stays starting player", e, names)
    return tell("The starting player card passes from {seat} to {to}", e, names)


CHOOSERS = {
    "portfolio": N_("{seat} has the lowest share value × shares, {portfolio}, and names the starting player"),
    "money": N_(
        "{seat} is tied for the lowest share value × shares, {portfolio}, has the least money, {money}, and "
        "names the starting player"
    ),
    "order": N_(
        "{seat} is tied for the lowest share value × shares, {portfolio}, and for the least money, {money}; "
        "nearest to the starting player, {seat} names the next"
    ),
}


def chooser_sentence(e: moves.ChooserFound, names: Names) -> str:
    return tell(CHOOSERS[e.by], e, names)


def decade_ended(e: moves.DecadeEnded, names: Names) -> str:
    portfolios = [
        say("{name} {amount}", name=name, amount=pounds(amount))
        for name, amount in zip(names, e.portfolios, strict=True)
    ]
    return tell(
        "End of decade {decade}, share value × shares: {portfolios}", e, names, portfolios=join_words(portfolios)
    )


# --- the market board ---


def demand_sentence(e: moves.DemandMoved, names: Names) -> str:
    """Demand for food rises by 2 steps to value 2."""
    moved = abs(e.after - e.before)
    if moved < abs(e.steps):
        text = N_("Demand for {good} moves {steps} to the end of its track: value {value}")
    else:
        text = (
            N_("Demand for {good} rises by {steps}: value {value}")
            if e.steps > 0
            else N_("Demand for {good} falls by {steps}: value {value}")
        )
    return tell(text, e, names, steps=points(moved))


def wages_sentence(e: moves.WagesMoved, names: Names) -> str:
    text = (
        N_("Wages stay at the end of their track: {wage} for a worker")
        if e.before == e.after
        else N_("Wages rise by a step: {wage} for a worker")
    )
    return tell(text, e, names)


# --- actions ---


def upgraded_sentence(e: moves.FactoryUpgraded, names: Names) -> str:
    text = (
        N_("{seat} upgrades the {good} factory by the Inventor: side {side}")
        if e.inventor
        else N_("{seat} upgrades the {good} factory: side {side}")
    )
    told = tell(text, e, names)
    return (
        told
        + say_n(
            ", worker card {cards}",
            ", worker cards {cards}",
            len(e.workers),
            cards=join_words([roman(side) for side in e.workers]),
        )
        if e.workers
        else told
    )


def employed_sentence(e: moves.WorkersEmployed, names: Names) -> str:
    return tell(
        "{seat} employs {workers} in the {good} factory: position {position}, side {side}",
        e,
        names,
        workers=workers(e.workers),
        position=e.position,
    )


def automated_sentence(e: moves.MachinesAdded, names: Names) -> str:
    text = (
        N_(
            "{seat} places the machine token in the {good} factory, position {position}: {machines} on the card, "
            "{left} left to add"
        )
        if e.token
        else N_(
            "{seat} adds {count} to the {good} factory, position {position}: {machines} on the card, {left} left to add"
        )
    )
    return tell(text, e, names, position=e.position, count=say_n("{n} machine", "{n} machines", e.count))


def lifted_sentence(e: moves.CardLifted, names: Names) -> str:
    return tell("{seat} takes {card} back from the {good} factory: {value} less, {total} left", e, names)


def placed_sentence(e: moves.CardPlaced, names: Names) -> str:
    text = (
        N_("{seat} places {card} at {value} beside the {good} factory: distribution {total}")
        if e.mode is None
        else N_("{seat} places {card} at {value} beside the {good} factory, {mode}: quality {total}")
    )
    return tell(text, e, names, mode="" if e.mode is None else mode(e.mode))


def turned_sentence(e: moves.CardTurned, names: Names) -> str:
    if e.mode is not None and e.before == e.value:
        return tell(
            "{seat} turns {card} of the {good} factory, {value}, to its {mode}: quality {total}",
            e,
            names,
            mode=mode(e.mode),
        )
    text = (
        N_("{seat} turns {card} of the {good} factory from {before} to {value}: distribution {total}")
        if e.mode is None
        else N_("{seat} turns {card} of the {good} factory from {before} to {value}, {mode}: quality {total}")
    )
    return tell(text, e, names, mode="" if e.mode is None else mode(e.mode))


def loan_sentence(e: moves.LoanTaken, names: Names) -> str:
    return tell("{seat} takes a bank loan of {amount}: {loans} now", e, names, loans=loan_tokens(e.loans))


def regained_sentence(e: moves.ShipsRegained, names: Names) -> str:
    return tell("{seat} regains the ships: {ships} ready", e, names, ships=ships(e.ships))


# --- price and appeal ---


def fixed_sentence(e: moves.PriceFixed, names: Names) -> str:
    """Anna, food: price £1 + £4 = £5, appeal 3 + 2 = 5."""
    return tell(
        "{seat}, {good}: price {price_sum}, appeal {appeal_sum}",
        e,
        names,
        price_sum=sum_label([pounds(n) for n in e.price_parts if n], pounds(e.price)),
        appeal_sum=sum_label([str(n) for n in e.appeal_parts if n], str(e.appeal)),
    )


def sum_label(parts: list[str], total: str) -> str:
    return f"{' + '.join(parts)} = {total}" if len(parts) > 1 else total


def appeal_moved(e: moves.AppealMoved, names: Names) -> str:
    if not e.arrows:
        return tell("{seat}’s appeal marker of {good}: {before} → {after}", e, names)
    if e.after > e.before:
        return tell_n(
            "{seat}’s appeal marker of {good}: {before} → {after}, past {n} red arrow",
            "{seat}’s appeal marker of {good}: {before} → {after}, past {n} red arrows",
            e.arrows,
            e,
            names,
        )
    return tell_n(
        "{seat}’s appeal marker of {good}: {before} → {after}, past {n} green arrow",
        "{seat}’s appeal marker of {good}: {before} → {after}, past {n} green arrows",
        e.arrows,
        e,
        names,
    )


# --- production ---


def made_sentence(e: moves.GoodsMade, names: Names) -> str:
    """Anna makes 5 food: 2 + 3."""
    return tell(
        "{seat} makes {goods}: {sum}",
        e,
        names,
        goods=goods(e.made, e.good),
        sum=" + ".join(str(n) for n in (e.tile, *e.cards)),
    )


def measured_sentence(e: moves.MarketMeasured, names: Names) -> str:
    """The home market takes 3 of Anna’s food: appeal 5 − demand 2."""
    if e.patrons:
        text = N_("The home market takes {goods} from {seat}: appeal {appeal}, demand {demand}, Patrons {patrons}")
    elif e.most:
        text = N_("The home market takes {goods} from {seat}: appeal {appeal} − demand {demand}")
    else:
        text = N_("The home market takes no {good} from {seat}: appeal {appeal}, demand {demand}")
    return tell(text, e, names, goods=goods(e.most, e.good))


def sold_sentence(e: moves.SoldHome, names: Names) -> str:
    text = (
        N_("{seat} sells {goods} from the storehouse at home: {sum}")
        if e.stored
        else N_("{seat} sells {goods} at home: {sum}")
    )
    count = e.made + e.stored
    return tell(text, e, names, goods=goods(count, e.good), sum=each(count, e.price, e.amount))


def loaded_sentence(e: moves.GoodsLoaded, names: Names) -> str:
    return tell_n(
        "{seat} loads {goods}: {n} good for the ships",
        "{seat} loads {goods}: {n} goods for the ships",
        e.loaded,
        e,
        names,
        goods=goods(e.count, e.good),
    )


def shipped_sentence(e: moves.Shipped, names: Names) -> str:
    """Anna ships 3 food with 2 ships: 3 × £5 = £15; 2 shipping tokens."""
    parts = [f"{count} × {pounds(e.prices[of])}" for of, count in e.goods.items()]
    parts += [pounds(e.contract)] if e.contract else []
    text = (
        N_("{seat} ships {goods} with {ships}: {sum} = {amount}, the Contract’s {contract} among it; {tokens}")
        if e.contract
        else N_("{seat} ships {goods} with {ships}: {sum} = {amount}; {tokens}")
    )
    return tell(
        text,
        e,
        names,
        ships=ships(e.ships),
        sum=" + ".join(parts),
        contract=pounds(e.contract),
        tokens=shipping_tokens(e.tokens),
    )


def storehouse_sentence(e: moves.StorehouseAssigned, names: Names) -> str:
    text = (
        N_("{seat} puts {card} beside the {good} factory")
        if e.origin is None
        else N_("{seat} moves {card} from the {origin} factory to the {good} factory")
    )
    return tell(text, e, names, origin="" if e.origin is None else good(e.origin))


def stored_sentence(e: moves.GoodsStored, names: Names) -> str:
    if not e.count:
        return tell("{seat} stores no {good}: the storehouses return to the reserve", e, names)
    return tell("{seat} stores {goods}", e, names, goods=goods(e.count, e.good))


def cost_sentence(e: moves.CostPaid, names: Names) -> str:
    """Anna pays £11 for food: 4 × £2 wages + £1 maintenance + £2 fixed costs."""
    parts = {
        (False, False): N_("{seat} pays {amount} for {good}: {workers} × {wage} wages + {fixed} fixed costs"),
        (False, True): N_(
            "{seat} pays {amount} for {good}: {workers} × {wage} wages + {maintenance} maintenance + "
            "{fixed} fixed costs"
        ),
        (True, False): N_(
            "{seat} pays {amount} for {good}: {workers} × {wage} wages − {cheaper} by the Foreman + {fixed} fixed costs"
        ),
        (True, True): N_(
            "{seat} pays {amount} for {good}: {workers} × {wage} wages − {cheaper} by the Foreman + "
            "{maintenance} maintenance + {fixed} fixed costs"
        ),
    }
    return tell(
        parts[bool(e.cheaper), bool(e.maintenance)],
        e,
        names,
        cheaper=pounds(e.cheaper),
        maintenance=pounds(e.maintenance),
        fixed=pounds(e.fixed),
    )


def emergency_sentence(e: moves.EmergencyHelped, names: Names) -> str:
    return tell(
        "{seat} needs the emergency fund: {tokens}, {sum}; {loans} now",
        e,
        names,
        tokens=loan_tokens(e.tokens),
        sum=each(e.tokens, e.each, e.amount),
        loans=loan_tokens(e.loans),
    )


def bankrupt_sentence(e: moves.WentBankrupt, names: Names) -> str:
    return tell("{seat} is bankrupt: {cost} are due, and there are {amount}", e, names)


def raised_sentence(e: moves.ShareValueRaised, names: Names) -> str:
    if e.steps:
        return tell_n(
            "{seat} has sold {n} good at home: share value {value}",
            "{seat} has sold {n} goods at home: share value {value}",
            e.sold,
            e,
            names,
            value=pounds(e.value),
        )
    return tell_n(
        "{seat} has sold {n} good at home; the share value stays at {value}, the end of its track",
        "{seat} has sold {n} goods at home; the share value stays at {value}, the end of its track",
        e.sold,
        e,
        names,
        value=pounds(e.value),
    )


def top_sentence(e: moves.TopPointWon, names: Names) -> str:
    text = (
        N_("{seat} has the highest appeal, {appeal}: share value {value}")
        if e.steps
        else N_("{seat} has the highest appeal, {appeal}; the share value stays at {value}, the end of its track")
    )
    return tell(text, e, names, value=pounds(e.value))


def top_lost(e: moves.TopPointLost, names: Names) -> str:
    tied = join_words([names[seat] for seat in e.tied])
    if not tied:
        text = N_("The neutral player has the highest appeal for {good}: nobody gets the point")
    elif e.neutral:
        text = N_("{tied} and the neutral player are tied for the highest appeal of {good}: nobody gets the point")
    else:
        text = N_("{tied} are tied for the highest appeal of {good}: nobody gets the point")
    return tell(text, e, names, tied=tied)


def decayed_sentence(e: moves.DistributionDecayed, names: Names) -> str:
    text = (
        N_("{seat}’s distribution of {good} is used up to {value}")
        if e.value
        else N_("{seat}’s distribution of {good} is used up: {card} returns to the reserve")
    )
    return tell(text, e, names)


# --- the final account ---


def stores_sold(e: moves.StoresSold, names: Names) -> str:
    return tell("{seat} sells {goods} out of storehouses for {amount}: {money} in hand", e, names)


def last_shares(e: moves.LastSharesBought, names: Names) -> str:
    if not e.count:
        return tell("{seat} buys no last share; {left} are left", e, names, left=pounds(e.left))
    return tell(
        "{seat} buys {bought}: {sum}, {shares} now; {left} are left",
        e,
        names,
        bought=shares(e.count),
        sum=each(e.count, e.price, e.amount),
        shares=shares(e.shares),
        left=pounds(e.left),
    )


def loans_repaid(e: moves.LoansRepaid, names: Names) -> str:
    return tell_n(
        "{seat} gives a share for {n} loan token: {shares} left",
        "{seat} gives a share for each of {n} loan tokens: {shares} left",
        e.loans,
        e,
        names,
        shares=shares(e.shares),
    )


def shipping_counted(e: moves.ShippingCounted, names: Names) -> str:
    return tell(
        "{seat}’s share value falls by {steps} for {tokens}: {value}",
        e,
        names,
        steps=points(e.steps),
        tokens=shipping_tokens(e.tokens),
        value=pounds(e.value),
    )


def scored_sentence(e: moves.Scored, names: Names) -> str:
    return tell(
        "{seat}: {shares} × {value} = {score}",
        e,
        names,
        shares=shares(e.shares),
        value=pounds(e.value),
        score=pounds(e.score),
    )


def neutral_placed(e: moves.NeutralPlaced, names: Names) -> str:
    appeal = [say("{good} {n}", good=good(of), n=n) for of, n in e.appeal.items()]
    return say("The neutral player’s appeal: {appeal}", appeal=join_words(appeal))


EFFECTS: Sentences = (
    sentences(
        says(moves.StartPlayerFound, N_("{seat} is the starting player")),
        says(moves.NeutralPlaced, neutral_placed),
        says(moves.FactoryOpened, opened_sentence),
        says(moves.SupplyLaid, laid_sentence),
        says(moves.CardLaid, dealt_sentence),
        says(moves.FacesUnlikely, N_("By the sheet these cannot all be faces of different cards: {cards}")),
        says(moves.StartSkipped, N_("{seat} starts without a development")),
        says(moves.SharesBought, bought_sentence),
        says(moves.RoundBegun, N_("Decade {decade}, round {round}: the active good is {good}, {start} starts")),
        says(moves.TurnBegun, N_("It is {seat}’s turn")),
        says(moves.PhaseBegun, N_("Now: {phase}")),
        says(moves.StepSkipped, N_("{seat} has no {good} factory: no price and appeal to determine")),
        says(moves.NobodyProduces, N_("Nobody has a {good} factory: nothing is produced")),
        says(moves.RoundEnded, N_("Decade {decade}, round {round} is over")),
        says(moves.StartPlayerPassed, start_passed),
        says(moves.StartPlayerNamed, start_named),
        says(moves.EntrepreneurKept, N_("{seat} keeps Entrepreneur (1)")),
        says(moves.DecadeEnded, decade_ended),
        says(moves.CardsReadied, N_("{seat} turns {cards} upright")),
        says(moves.ChooserFound, chooser_sentence),
        says(moves.NeutralMoved, N_("The neutral player’s appeal of {good}: {before} → {after}")),
        says(moves.GameEnded, N_("The game ends with decade {decade}, round {round}")),
        says(moves.DemandMoved, demand_sentence),
        says(moves.WagesMoved, wages_sentence),
        says(moves.WorkersCame, N_("{seat} brings new workers: demand falls for every good, wages rise")),
        says(moves.ActionChosen, N_("{seat} chooses the action: {action}")),
        says(moves.ActionPassed, N_("{seat} takes no action")),
        says(moves.ActionEnded, N_("{seat} ends the action: {action}")),
        says(moves.FactoryUpgraded, upgraded_sentence),
        says(moves.WorkersEmployed, employed_sentence),
        says(moves.MachinesAdded, automated_sentence),
        says(moves.CardLifted, lifted_sentence),
        says(moves.CardPlaced, placed_sentence),
        says(moves.CardTurned, turned_sentence),
        says(moves.LoanTaken, loan_sentence),
        says(moves.ShipsRegained, regained_sentence),
        says(moves.SlotSet, N_("{seat} moves the factory token of {good} from slot {before} to slot {after}")),
        says(moves.OfficeTurned, N_("{seat} turns the office of {good} to its {mode}")),
        says(moves.QualityTurned, N_("{seat} turns {card} of {good}, {value}, to its {mode}")),
        says(moves.PriceFixed, fixed_sentence),
        says(moves.AppealMoved, appeal_moved),
        says(moves.DevelopmentTaken, N_("{seat} steps to level {level} on the {track} track, which shows {shows}")),
        says(moves.CardTaken, N_("{seat} takes {card}")),
        says(moves.CardDiscarded, N_("{seat} discards {card}")),
        says(moves.CardRotated, N_("{seat} rotates {card}")),
        says(moves.CardReadied, N_("{seat} turns {card} upright")),
        says(moves.DevelopmentSkipped, N_("{seat} takes no development")),
        says(moves.ReplacingEnded, N_("{seat} has replaced the Engineer of {good}: quality {total}")),
        says(moves.LimitLifted, N_("{card} lifts {seat}’s decade restriction of the {track} track")),
        says(moves.LimitReturned, N_("Without {card}, {seat}’s decade restriction of the {track} track is back")),
        says(moves.QualityCapRaised, N_("{seat}’s factories may hold quality {cap} from now on")),
        says(moves.ForemanPlaced, N_("{seat} places the Foreman beside the {good} factory")),
        says(moves.ForemanLeft, N_("The Foreman leaves {seat}’s {good} factory")),
        says(moves.GoodsMade, made_sentence),
        says(
            moves.ShiftWorked,
            lambda e, names: tell(
                "{seat}’s Extra Shift makes {more} more: {made}", e, names, more=goods(e.goods, e.good)
            ),
        ),
        says(
            moves.PatronWon,
            lambda e, names: tell_n(
                "{seat} may sell {n} more good with {card}",
                "{seat} may sell {n} more goods with {card}",
                e.goods,
                e,
                names,
            ),
        ),
        says(moves.MarketMeasured, measured_sentence),
        says(moves.SoldHome, sold_sentence),
        says(moves.StoreKept, N_("{seat} keeps the stored {good}")),
        says(moves.ShipsKept, N_("{seat} ships no {good}")),
        says(moves.GoodsLoaded, loaded_sentence),
        says(moves.Shipped, shipped_sentence),
        says(moves.StorehouseAssigned, storehouse_sentence),
        says(moves.GoodsStored, stored_sentence),
        says(
            moves.GoodsWasted,
            lambda e, names: tell("{seat} has no room for {goods}: wasted", e, names, goods=goods(e.count, e.good)),
        ),
        says(moves.CostPaid, cost_sentence),
        says(moves.EmergencyHelped, emergency_sentence),
        says(moves.WentBankrupt, bankrupt_sentence),
        says(moves.ShareValueRaised, raised_sentence),
        says(moves.TopPointWon, top_sentence),
        says(moves.TopPointLost, top_lost),
        says(moves.TopPointDeclined, N_("{seat} leaves the point for the highest appeal")),
        says(moves.DistributionDecayed, decayed_sentence),
        says(moves.StoresSold, stores_sold),
        says(moves.LastSharesBought, last_shares),
        says(moves.LoansRepaid, loans_repaid),
        says(moves.ShippingCounted, shipping_counted),
        says(moves.Scored, scored_sentence),
    )
    | solo.EFFECTS
)
