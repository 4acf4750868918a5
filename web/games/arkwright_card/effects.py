"""Sentences for effects of the Card Game, with the calculation shown."""

from __future__ import annotations

from daybook.domain.games.arkwright_card import moves
from daybook.domain.kernel.terms import by_number
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
    workers,
)
from daybook.web.words.say import N_, Names, Sentences, Texts, join_words, say, say_n, says, says_one_of, sentences


def priced_sum(count: int, price: int, amount: int) -> str:
    """Format a sum: 3 × £7 = £21; a single item is its price."""
    return pounds(amount) if count == 1 else f"{count} × {pounds(price)} = {pounds(amount)}"


COSTS = N_(
    {  # (is the Foreman there, are there machines)
        (False, False): "{seat} pays {amount} for {good}: {workers} × {wage} wages + {fixed} fixed costs",
        (
            False,
            True,
        ): "{seat} pays {amount} for {good}: {workers} × {wage} wages + {maintenance} maintenance + {fixed} fixed costs",
        (
            True,
            False,
        ): "{seat} pays {amount} for {good}: {workers} × {wage} wages − {cheaper} by the Foreman + {fixed} fixed costs",
        (True, True): (
            "{seat} pays {amount} for {good}: {workers} × {wage} wages − {cheaper} by the Foreman + "
            "{maintenance} maintenance + {fixed} fixed costs"
        ),
    }
)
DISCARDED: Texts = {  # by the rule that lets a player do it
    "ACG-4.3.10": "{seat} discards {card} to upgrade a factory",
    "ACG-4.11.3": "{seat} discards {card} to make room for another card",
    "ACG-4.11.4": "{seat} discards {card} to buy shares at half price",
    "ACG-4.11.5": "{seat} discards {card} for a step on two tracks",
    "ACG-4.12.2": "{seat} discards {card} to say who starts",
    "ACG-4.12.4": "{seat} discards {card} for one more good",
    "ACG-4.14.3": "{seat} is bankrupt and discards {card}",
}
CHOOSERS: Texts = {
    "portfolio": "{seat} names the starting player: lowest share value × shares ({portfolio})",
    "money": (
        "{seat} names the starting player: tied for the lowest share value × shares ({portfolio}), "
        "with the least money ({money})"
    ),
    "order": (
        "{seat} names the next starting player: tied for the lowest share value × shares ({portfolio}) "
        "and the least money ({money}), and nearest to the starting player"
    ),
}


def decade_ended(e: moves.DecadeEnded, names: Names) -> str:
    portfolios = [
        say("{name} {amount}", name=name, amount=pounds(amount))
        for name, amount in zip(names, e.portfolios, strict=True)
    ]
    return tell(
        "End of decade {decade}, share value × shares: {portfolios}", e, names, portfolios=join_words(portfolios)
    )


def demand_sentence(e: moves.DemandMoved, names: Names) -> str:
    """Describe a change of demand: "Demand for food rises by 2 steps to value 2"."""
    moved = abs(e.after - e.before)
    if not moved:
        text = N_("Demand for {good} stays at the end of its track: value {value}")
    elif moved < abs(e.steps):
        text = N_("Demand for {good} moves {steps} to the end of its track: value {value}")
    else:
        text = N_(
            "Demand for {good} rises by {steps}: value {value}"
            if e.steps > 0
            else "Demand for {good} falls by {steps}: value {value}"
        )
    return tell(text, e, names, steps=points(moved))


def upgraded_sentence(e: moves.FactoryUpgraded, names: Names) -> str:
    text = N_(
        "{seat} upgrades the {good} factory by the Inventor: side {side}"
        if e.inventor
        else "{seat} upgrades the {good} factory: side {side}"
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


def turned_text(e: moves.CardTurned) -> str:
    if e.mode is None:
        return N_("{seat} turns {card} of the {good} factory from {before} to {value}: distribution {total}")
    if e.before == e.value:
        return N_("{seat} turns {card} of the {good} factory, {value}, to its {mode}: quality {total}")
    return N_("{seat} turns {card} of the {good} factory from {before} to {value}, {mode}: quality {total}")


def sum_label(parts: list[str], total: str) -> str:
    return f"{' + '.join(parts)} = {total}" if len(parts) > 1 else total


def shipped_sentence(e: moves.Shipped, names: Names) -> str:
    """Describe a shipment: "Anna ships 3 food with 2 ships: 3 × £5 = £15; 2 shipping tokens"."""
    parts = [f"{count} × {pounds(e.prices[name])}" for name, count in e.goods.items()]
    parts += [pounds(e.contract)] if e.contract else []
    text = N_(
        "{seat} ships {goods} with {ships}: {sum} = {amount}, the Contract’s {contract} among it; {tokens}"
        if e.contract
        else "{seat} ships {goods} with {ships}: {sum} = {amount}; {tokens}"
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


def neutral_placed(e: moves.NeutralPlaced, names: Names) -> str:
    appeal = [say("{good} {n}", good=good(name), n=n) for name, n in e.appeal.items()]
    return say("The neutral player’s appeal: {appeal}", appeal=join_words(appeal))


EFFECTS: Sentences = (
    sentences(
        says(moves.StartPlayerFound, "{seat} is the starting player"),
        says(moves.NeutralPlaced, neutral_placed),
        says_one_of(
            moves.FactoryOpened,
            lambda e: (
                "{seat} opens the {good} factory, side {side}, with workers on position 1"
                if e.worker
                else "{seat} builds the {good} factory, side {side}, without workers"
            ),
        ),
        says(moves.SupplyLaid, "The supply of development cards: {cards}"),
        says_one_of(
            moves.CardLaid,
            lambda e: (
                "{card} goes into the supply; all cards are dealt"
                if not e.awaited
                else by_number(
                    "n",
                    "{card} lies in the supply, {n} card to come",
                    "{card} goes into the supply; {n} more cards to deal",
                )
            ),
            n="awaited",
        ),
        says(moves.FacesUnlikely, "By the sheet these cannot all be faces of different cards: {cards}"),
        says(moves.StartSkipped, "{seat} starts without a development"),
        # Anna buys 2 shares at half price: 2 × £6 = £12, 14 shares now.
        says_one_of(
            moves.SharesBought,
            lambda e: (
                "{seat} buys no shares"
                if not e.count
                else (
                    "{seat} buys {bought} at half price: {sum}, {shares} now"
                    if e.half
                    else "{seat} buys {bought}: {sum}, {shares} now"
                )
            ),
            bought=lambda e: shares(e.count),
            sum=lambda e: priced_sum(e.count, e.price, e.amount),
            shares=lambda e: shares(e.shares),
        ),
        says(moves.RoundBegun, "Decade {decade}, round {round}: the active good is {good}, {start} starts"),
        says(moves.TurnBegun, "It is {seat}’s turn"),
        says(moves.PhaseBegun, "Now: {phase}"),
        says(moves.StepSkipped, "{seat} has no {good} factory: no price and appeal to determine"),
        says(moves.NobodyProduces, "No one has a {good} factory: nothing is produced"),
        says(moves.RoundEnded, "Decade {decade}, round {round} is over"),
        says_one_of(
            moves.StartPlayerPassed,
            lambda e: (
                "{seat} stays starting player"
                if e.seat == e.to
                else "The starting player card passes from {seat} to {to}"
            ),
        ),
        says_one_of(
            moves.StartPlayerNamed,
            lambda e: (
                "{seat} takes the starting player card"
                if e.seat == e.to
                else "{seat} gives the starting player card to {to}"
            ),
        ),
        says(moves.EntrepreneurKept, "{seat} keeps Entrepreneur (1)"),
        says(moves.DecadeEnded, decade_ended),
        says(moves.CardsReadied, "{seat} turns {cards} upright"),
        says_one_of(moves.ChooserFound, lambda e: CHOOSERS[e.by]),
        says(moves.NeutralMoved, "The neutral player’s appeal of {good}: {before} → {after}"),
        says(moves.GameEnded, "The game ends with decade {decade}, round {round}"),
        says(moves.DemandMoved, demand_sentence),
        says_one_of(
            moves.WagesMoved,
            lambda e: (
                "Wages stay at the end of their track: {wage} for a worker"
                if e.before == e.after
                else "Wages rise by a step: {wage} for a worker"
            ),
        ),
        says(moves.WorkersCame, "{seat} brings new workers: demand falls for every good, wages rise"),
        says(moves.ActionChosen, "{seat} chooses the action: {action}"),
        says(moves.ActionPassed, "{seat} takes no action"),
        says(moves.ActionEnded, "{seat} ends the action: {action}"),
        says(moves.FactoryUpgraded, upgraded_sentence),
        says(
            moves.WorkersEmployed,
            "{seat} employs {workers} in the {good} factory: position {position}, side {side}",
            workers=lambda e: workers(e.workers),
            position="position",
        ),
        says_one_of(
            moves.MachinesAdded,
            lambda e: (
                (
                    "{seat} places the machine token in the {good} factory, position {position}: {machines} on the card, "
                    "{left} left to add"
                )
                if e.token
                else "{seat} adds {count} to the {good} factory, position {position}: {machines} on the card, {left} left to add"
            ),
            position="position",
            count=lambda e: say_n("{n} machine", "{n} machines", e.count),
        ),
        says(moves.CardLifted, "{seat} takes {card} back from the {good} factory: {value} less, {total} left"),
        says_one_of(
            moves.CardPlaced,
            lambda e: (
                "{seat} places {card} (+{value}) next to the {good} factory: distribution {total}"
                if e.mode is None
                else "{seat} places {card} (+{value}) next to the {good} factory, {mode}: quality {total}"
            ),
            mode=lambda e: "" if e.mode is None else mode(e.mode),
        ),
        says_one_of(moves.CardTurned, turned_text, mode=lambda e: mode(e.mode) if e.mode else ""),
        says(
            moves.LoanTaken, "{seat} takes a bank loan of {amount}: {loans} now", loans=lambda e: loan_tokens(e.loans)
        ),
        says(moves.ShipsRegained, "{seat} regains the ships: {ships} ready", ships=lambda e: ships(e.ships)),
        says(moves.SlotSet, "{seat} moves the factory token of {good} from slot {before} to slot {after}"),
        says(moves.OfficeTurned, "{seat} turns the office of {good} to its {mode}"),
        says(moves.QualityTurned, "{seat} turns {card} of {good}, {value}, to its {mode}"),
        # Anna, food: price £1 + £4 = £5, appeal 3 + 2 = 5.
        says(
            moves.PriceFixed,
            "{seat} offers {good} at {price_sum}, with appeal {appeal_sum}",
            price_sum=lambda e: sum_label([pounds(n) for n in e.price_parts if n], pounds(e.price)),
            appeal_sum=lambda e: sum_label([str(n) for n in e.appeal_parts if n], str(e.appeal)),
        ),
        says_one_of(
            moves.AppealMoved,
            lambda e: (
                "{seat}’s appeal marker of {good}: {before} → {after}"
                if not e.arrows
                else (
                    by_number(
                        "n",
                        "{seat}’s appeal marker of {good}: {before} → {after}, past {n} red arrow",
                        "{seat}’s appeal marker of {good}: {before} → {after}, past {n} red arrows",
                    )
                    if e.after > e.before
                    else by_number(
                        "n",
                        "{seat}’s appeal marker of {good}: {before} → {after}, past {n} green arrow",
                        "{seat}’s appeal marker of {good}: {before} → {after}, past {n} green arrows",
                    )
                )
            ),
            n="arrows",
        ),
        says(moves.DevelopmentTaken, "{seat} steps to {shows} on the {track} track"),
        says(moves.CardTaken, "{seat} takes {card}"),
        says_one_of(moves.CardDiscarded, lambda e: DISCARDED.get(e.rule, N_("{seat} discards {card}"))),
        says(moves.CardRotated, "{seat} rotates {card}"),
        says(moves.CardReadied, "{seat} turns {card} upright"),
        says(moves.DevelopmentSkipped, "{seat} takes no development"),
        says(moves.ReplacingEnded, "{seat} has replaced the Engineer of {good}: quality {total}"),
        says(moves.LimitLifted, "{card} lifts {seat}’s decade restriction of the {track} track"),
        says(moves.LimitReturned, "Without {card}, {seat}’s decade restriction of the {track} track is back"),
        says(moves.QualityCapRaised, "{seat}’s factories may hold quality {cap} from now on"),
        says(moves.ForemanPlaced, "{seat} places the Foreman next to the {good} factory"),
        says(moves.ForemanLeft, "The Foreman leaves {seat}’s {good} factory"),
        # Anna makes 5 food: 2 + 3.
        says(
            moves.GoodsMade,
            "{seat} makes {goods}: {sum}",
            goods=lambda e: goods(e.made, e.good),
            sum=lambda e: " + ".join(str(n) for n in (e.tile, *e.cards)),
        ),
        says(
            moves.ShiftWorked, "{seat}’s Extra Shift makes {more} more: {made}", more=lambda e: goods(e.goods, e.good)
        ),
        says(
            moves.PatronWon,
            by_number("n", "{seat} may sell {n} more good with {card}", "{seat} may sell {n} more goods with {card}"),
            n="goods",
        ),
        # The home market takes 3 of Anna’s food: appeal 5 − demand 2.
        says_one_of(
            moves.MarketMeasured,
            lambda e: (
                "The home market takes {goods} from {seat}: appeal {appeal}, demand {demand}, Patrons {patrons}"
                if e.patrons
                else "The home market takes {goods} from {seat}: appeal {appeal} − demand {demand}"
                if e.most
                else "The home market takes no {good} from {seat}: appeal {appeal}, demand {demand}"
            ),
            goods=lambda e: goods(e.most, e.good),
        ),
        says_one_of(
            moves.SoldHome,
            lambda e: (
                "{seat} sells {goods} from the storehouse at home: {sum}"
                if e.stored
                else "{seat} sells {goods} at home: {sum}"
            ),
            goods=lambda e: goods(e.made + e.stored, e.good),
            sum=lambda e: priced_sum(e.made + e.stored, e.price, e.amount),
        ),
        says(moves.StoreKept, "{seat} keeps the stored {good}"),
        says(moves.ShipsKept, "{seat} ships no {good}"),
        says(
            moves.GoodsLoaded,
            by_number(
                "n", "{seat} loads {goods}: {n} good for the ships", "{seat} loads {goods}: {n} goods for the ships"
            ),
            goods=lambda e: goods(e.count, e.good),
            n="loaded",
        ),
        says(moves.Shipped, shipped_sentence),
        says_one_of(
            moves.StorehouseAssigned,
            lambda e: (
                "{seat} places {card} next to the {good} factory"
                if e.origin is None
                else "{seat} moves {card} from the {origin} factory to the {good} factory"
            ),
            origin=lambda e: "" if e.origin is None else good(e.origin),
        ),
        says_one_of(
            moves.GoodsStored,
            lambda e: "{seat} stores no {good}" if not e.count else "{seat} stores {goods}",
            goods=lambda e: goods(e.count, e.good),
        ),
        says_one_of(
            moves.GoodsWasted,
            lambda e: (
                "{seat} throws away {goods} stored in that storehouse"
                if e.rule == "ACG-4.13.14"
                else "{seat} has no room for {goods}: wasted"
            ),
            goods=lambda e: goods(e.count, e.good),
        ),
        # Anna pays £11 for food: 4 × £2 wages + £1 maintenance + £2 fixed costs.
        says_one_of(
            moves.CostPaid,
            lambda e: COSTS[bool(e.cheaper), bool(e.maintenance)],
            cheaper=lambda e: pounds(e.cheaper),
            maintenance=lambda e: pounds(e.maintenance),
            fixed=lambda e: pounds(e.fixed),
        ),
        says(
            moves.EmergencyHelped,
            "{seat} needs the emergency fund: {tokens}, {sum}; {loans} now",
            tokens=lambda e: loan_tokens(e.tokens),
            sum=lambda e: priced_sum(e.tokens, e.each, e.amount),
            loans=lambda e: loan_tokens(e.loans),
        ),
        says(moves.WentBankrupt, "{seat} is bankrupt: {cost} are due, and only {amount} are available"),
        says_one_of(
            moves.ShareValueRaised,
            lambda e: (
                by_number(
                    "n",
                    "{seat} has sold {n} good at home: share value {value}",
                    "{seat} has sold {n} goods at home: share value {value}",
                )
                if e.steps
                else by_number(
                    "n",
                    "{seat} has sold {n} good at home; the share value stays at {value}, the end of its track",
                    "{seat} has sold {n} goods at home; the share value stays at {value}, the end of its track",
                )
            ),
            value=lambda e: pounds(e.value),
            n="sold",
        ),
        says_one_of(
            moves.TopPointWon,
            lambda e: (
                "{seat} has the highest appeal, {appeal}: share value {value}"
                if e.steps
                else "{seat} has the highest appeal, {appeal}; the share value stays at {value}, the end of its track"
            ),
            value=lambda e: pounds(e.value),
        ),
        says_one_of(
            moves.TopPointLost,
            lambda e: (
                "The neutral player has the highest appeal for {good}: no one gets the point"
                if not e.tied
                else "{tied} and the neutral player are tied for the highest appeal of {good}: no one gets the point"
                if e.neutral
                else "{tied} are tied for the highest appeal of {good}: no one gets the point"
            ),
        ),
        says(moves.TopPointDeclined, "{seat} leaves the point for the highest appeal"),
        says_one_of(
            moves.DistributionDecayed,
            lambda e: (
                "{seat}’s distribution of {good} is used up to {value}"
                if e.value
                else "{seat}’s distribution of {good} is used up: {card} returns to the reserve"
            ),
        ),
        says(moves.StoresSold, "{seat} sells {goods} out of storehouses for {amount}: {money} in hand"),
        says_one_of(
            moves.LastSharesBought,
            lambda e: (
                "{seat} buys no last share; {left} left over"
                if not e.count
                else "{seat} buys {bought}: {sum}, {shares} now; {left} left over"
            ),
            left=lambda e: pounds(e.left),
            bought=lambda e: shares(e.count),
            sum=lambda e: priced_sum(e.count, e.price, e.amount),
            shares=lambda e: shares(e.shares),
        ),
        says(
            moves.LoansRepaid,
            by_number(
                "n",
                "{seat} gives a share for {n} loan token: {shares} left",
                "{seat} gives a share for each of {n} loan tokens: {shares} left",
            ),
            shares=lambda e: shares(e.shares),
            n="loans",
        ),
        says(
            moves.ShippingCounted,
            "{seat}’s share value falls by {steps} for {tokens}: {value}",
            steps=lambda e: points(e.steps),
            tokens=lambda e: shipping_tokens(e.tokens),
            value=lambda e: pounds(e.value),
        ),
        says(
            moves.Scored,
            "{seat}: {shares} × {value} = {score}",
            shares=lambda e: shares(e.shares),
            value=lambda e: pounds(e.value),
            score=lambda e: pounds(e.score),
        ),
    )
    | solo.EFFECTS
)


# In the line of a turn: Anna offers food at £5, appeal 3.
LINE_EFFECTS: Sentences = sentences(
    says(moves.PriceFixed, "{seat} offers {good} at {cost}, appeal {appeal}", cost=lambda e: pounds(e.price)),
    says_one_of(
        moves.SharesBought,
        lambda e: "{seat} buys {bought} for {cost}" if e.count else "{seat} buys no shares",
        bought=lambda e: shares(e.count),
        cost=lambda e: pounds(e.amount),
    ),
    says(moves.LoanTaken, "{seat} takes a bank loan of {amount}"),
    says(moves.DevelopmentTaken, "{seat} steps to {shows} on the {track} track"),
)
