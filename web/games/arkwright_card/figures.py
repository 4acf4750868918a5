"""Terms of the figures of The Card Game, and the effects that change them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from daybook.domain.games.arkwright_card import factories, moves, production, scoring, solo_moves
from daybook.domain.games.arkwright_card.board import Board, Factory, Player
from daybook.domain.games.arkwright_card.printed import TRACKS
from daybook.domain.kernel.terms import Effect, Seat
from daybook.web.games.arkwright_card.account import ACCOUNT
from daybook.web.games.arkwright_card.values import pounds
from daybook.web.words.figure_terms import FigureTerms, Input, Move, Moves, Rule, by, moves_of_account, sets, to
from daybook.web.words.figure_terms import moves as moves_by
from daybook.web.words.say import say

BECAUSE: Mapping[type[Effect], tuple[type[Effect], ...]] = {  # effect -> those from which it follows
    moves.DemandMoved: (
        moves.WorkersCame,
        moves.AppealMoved,
        moves.NeutralMoved,
        solo_moves.AutomaAdvanced,
        solo_moves.AutomaBuilt,
        solo_moves.AutomaMarkerSet,
    ),
    moves.WagesMoved: (moves.WorkersCame, solo_moves.AutomaBuilt),
    moves.AppealMoved: (moves.PriceFixed,),
}
BUILT = (moves.FactoryOpened, moves.FactoryUpgraded, moves.WentBankrupt)
QUALITY = (moves.CardPlaced, moves.CardTurned, moves.CardLifted, moves.QualityTurned)
DISTRIBUTION = (moves.CardPlaced, moves.CardTurned, moves.CardLifted, moves.DistributionDecayed)


def figure_terms(b: Board, keys: Sequence[str]) -> FigureTerms | None:
    """Return what a figure is worked out from on a board; None if there is none now. Raises LookupError if it is unknown."""
    match keys:
        case ["columns", column, seat]:
            return player_figure(b, int(seat), [column])
        case ["players", seat, *rest]:
            return player_figure(b, int(seat), rest)
        case ["solo", "automas", colour, *rest]:
            return automa_figure(b, colour, rest)
        case ["demanded", good]:
            return FigureTerms(inputs=[demand_input(b, good)])
        case ["wage"]:
            return FigureTerms(inputs=[wage_input(b)], is_money=True)
        case ["supply", card]:
            return FigureTerms(inputs=[Input("", b.supply[card], supply_moves(card))])
        case ["neutral", "appeal", good]:
            return None if good not in b.neutral else FigureTerms(inputs=[neutral_input(b, good, "")])
        case ["neutral", "sells", good]:
            if good not in b.neutral:
                return None
            return sells_figure(b, good, neutral_input(b, good, say("appeal")))
        case ["solo", "bag", colour] if b.solo is not None:
            return FigureTerms(inputs=[Input("", b.solo.bag[colour], bag_moves(colour))])
        case ["production", what]:
            return work_figure(b, what)
        case ["sales", seat]:
            sold = b.sales[int(seat)]
            if sold is None:
                return None
            rules = moves_by(
                by(moves.SoldHome, lambda e: e.made + e.stored), to(moves.MarketMeasured, 0), seat=int(seat)
            )
            return FigureTerms(inputs=[Input("", sold, rules)])
    raise LookupError(keys)


# --- the market board ------------------------------------------------------------------------------------------------


def demand_input(b: Board, good: str, name: str = "") -> Input:
    values = b.printed.side_demand
    return Input(name, b.demand_value(good), moves_by(to(moves.DemandMoved, lambda e: values[e.after]), good=good))


def wage_input(b: Board, name: str = "") -> Input:
    return Input(name, b.wage, moves_by(to(moves.WagesMoved, "wage")), pounds)


def neutral_input(b: Board, good: str, name: str) -> Input:
    return Input(
        name,
        b.neutral[good],
        {
            **moves_by(to(moves.NeutralMoved, "after"), good=good),
            **moves_by(to(moves.NeutralPlaced, lambda e: e.appeal.get(good, 0))),
        },
    )


def sells_figure(b: Board, good: str, appeal: Input) -> FigureTerms:
    """Return how many goods the market takes at an appeal: what it is above the demand."""
    demand = demand_input(b, good, say("demand"))
    return FigureTerms(
        inputs=[appeal, demand],
        value=lambda appeal, demand: max(0, appeal - demand),
        formula=say("appeal {appeal} − demand {demand}", appeal=appeal.amount, demand=demand.amount)
        if appeal.amount >= demand.amount
        else say("appeal {appeal}, demand {demand}: not above it", appeal=appeal.amount, demand=demand.amount),
    )


def supply_moves(card: str) -> Moves:
    return {
        **moves_by(by(moves.CardTaken, 1, -1), by(moves.CardDiscarded, 1), by(moves.CardLaid, 1), card=card),
        **moves_by(to(moves.SupplyLaid, lambda e: e.cards.get(card, 0))),
    }


def bag_moves(colour: str) -> Moves:
    return {
        **moves_by(by(solo_moves.MarkerShown, 1, -1), colour=colour),
        **moves_by(*sets(solo_moves.MarkersReturned, solo_moves.BagFilled)),
    }


def work_figure(b: Board, what: str) -> FigureTerms | None:
    """Return a figure of the factory at work; None while none is."""
    work = b.production
    in_phase = b.stage in ("produce", "sell", "ship", "store")
    if b.mover is None or not work.made or not (in_phase or b.turn.good is not None):
        return None
    good = b.active if in_phase else str(b.turn.good)
    seat, made = b.mover, moves_by(by(moves.GoodsMade, "made"), by(moves.ShiftWorked, "goods"), seat=b.mover)
    if what == "made":
        return FigureTerms(inputs=[Input("", work.made, made)], owner=(seat, good))
    if what == "left":
        rules = moves_by(
            to(moves.MarketMeasured, lambda e: max(0, work.made - e.most)),
            *sets(moves.GoodsMade, moves.ShiftWorked, moves.Shipped, moves.GoodsStored, moves.GoodsWasted),
            seat=seat,
        )
        return FigureTerms(inputs=[Input("", work.left, rules)], owner=(seat, good))
    if what != "takes":
        raise LookupError(what)
    if not in_phase:
        return None
    factory = production.at_work(b, seat)
    patrons = moves_by(by(moves.PatronWon, "goods"), seat=seat)
    inputs = [
        Input(say("appeal"), factory.appeal, {**appeal_moves(seat, b.active), **moves_by(*sets(moves.GoodsMade))}),
        demand_input(b, b.active, say("demand")),
        Input(say("Patrons"), work.patrons, patrons),
    ]
    takes = production.most_at_home(b, factory, work.patrons)
    return FigureTerms(
        inputs=inputs,
        value=lambda appeal, demand, patrons: (
            takes
            if (appeal, demand, patrons) == (factory.appeal, b.demand_value(b.active), work.patrons)
            else min(appeal, max(0, appeal - demand) + patrons)
        ),
        formula=say(
            "appeal {appeal} − demand {demand} + Patrons {patrons}",
            appeal=factory.appeal,
            demand=b.demand_value(b.active),
            patrons=work.patrons,
        ),
        owner=(seat, good),
    )


# --- players ---------------------------------------------------------------------------------------------------------


def player_figure(b: Board, seat: Seat, keys: Sequence[str]) -> FigureTerms | None:
    player = b.players[seat]
    match keys:
        case ["money"]:
            return FigureTerms(inputs=[money_input(player, seat, "")], is_money=True)
        case ["shares"]:
            return FigureTerms(inputs=[shares_input(player, seat, "")])
        case ["share_value"]:
            return FigureTerms(inputs=[share_value_input(player, seat, "")], is_money=True)
        case ["loans"]:
            return FigureTerms(inputs=[loans_input(player, seat, "")])
        case ["shipping_tokens"]:
            return FigureTerms(inputs=[tokens_input(player, seat, "")])
        case ["ships"]:
            rules = moves_by(by(moves.Shipped, "ships", -1), to(moves.ShipsRegained, "ships"), seat=seat)
            return FigureTerms(inputs=[Input("", player.ships, rules)])
        case ["track", track] if track in TRACKS:
            rules = moves_by(to(moves.DevelopmentTaken, "shows"), seat=seat, track=track)
            return FigureTerms(inputs=[Input("", b.level(player, track), rules)])
        case ["quality_cap"]:
            return FigureTerms(
                inputs=[Input("", player.quality_cap, moves_by(to(moves.QualityCapRaised, "cap"), seat=seat))]
            )
        case ["worth" | "portfolio"]:
            return worth_figure(player, seat)
        case ["score"]:
            return FigureTerms(
                inputs=score_inputs(b, seat), value=score_of(b, seat), formula=score_formula(b, seat), is_money=True
            )
        case ["lead"]:
            return lead_figure(b, seat)
        case ["appeal" | "sells" as what, good]:
            factory = player.factories[good]
            if factory is None:
                return None
            if what == "sells":
                return sells_figure(b, good, Input(say("appeal"), factory.appeal, appeal_moves(seat, good)))
            sums = factory_figure(b, seat, good, factory, "sum")
            is_sum = sums is not None and sums.total == factory.appeal
            return FigureTerms(
                inputs=[Input("", factory.appeal, appeal_moves(seat, good))],
                formula=sums.formula if sums is not None and is_sum else "",
            )
        case ["factories", good, what]:
            factory = player.factories[good]
            return None if factory is None else factory_figure(b, seat, good, factory, what)
    raise LookupError(keys)


def money_input(player: Player, seat: Seat, name: str) -> Input:
    return Input(name, player.money, moves_of_account(ACCOUNT, "money", seat), pounds)


def shares_input(player: Player, seat: Seat, name: str) -> Input:
    return Input(name, player.shares, moves_by(to(moves.SharesBought, "shares"), seat=seat))


def share_value_input(player: Player, seat: Seat, name: str) -> Input:
    rules = moves_by(to(moves.ShareValueRaised, "value"), to(moves.TopPointWon, "value"), seat=seat)
    return Input(name, player.share_value, rules, pounds)


def loans_input(player: Player, seat: Seat, name: str) -> Input:
    return Input(
        name, player.loans, moves_by(to(moves.LoanTaken, "loans"), to(moves.EmergencyHelped, "loans"), seat=seat)
    )


def tokens_input(player: Player, seat: Seat, name: str) -> Input:
    return Input(name, player.shipping_tokens, moves_by(by(moves.Shipped, "tokens"), seat=seat))


def bankrupt_input(player: Player, seat: Seat) -> Input:
    return Input("", int(player.bankrupt), moves_by(to(moves.WentBankrupt, 1), seat=seat))


def worth_figure(player: Player, seat: Seat) -> FigureTerms:
    return FigureTerms(
        inputs=[
            shares_input(player, seat, say("shares")),
            share_value_input(player, seat, say("share value")),
            bankrupt_input(player, seat),
        ],
        value=lambda shares, value, bankrupt: 0 if bankrupt else shares * value,
        formula=say("bankrupt: nothing") if player.bankrupt else f"{player.shares} × {pounds(player.share_value)}",
        is_money=True,
    )


def score_inputs(b: Board, seat: Seat) -> list[Input]:
    player = b.players[seat]
    return [
        money_input(player, seat, say("money")),
        Input(say("stored goods"), scoring.account(b, player).sales, stored_moves(seat), pounds),
        shares_input(player, seat, say("shares")),
        share_value_input(player, seat, say("share value")),
        loans_input(player, seat, say("loan tokens")),
        tokens_input(player, seat, say("shipping tokens")),
        bankrupt_input(player, seat),
    ]


def stored_moves(seat: Seat) -> Moves:
    rules = sets(
        moves.GoodsStored,
        moves.GoodsWasted,
        moves.GoodsLoaded,
        moves.SoldHome,
        moves.Shipped,
        moves.StorehouseAssigned,
        moves.WentBankrupt,
    )
    return moves_by(*rules, seat=seat)


def score_of(b: Board, seat: Seat) -> Callable[..., int]:
    """Return the final scoring of a seat as a function of its inputs (ACG-5.1)."""
    player = b.players[seat]
    sales = scoring.account(b, player).sales

    def score(money: int, stored: int, shares: int, value: int, loans: int, tokens: int, bankrupt: int) -> int:
        if bankrupt:
            return 0
        then = msgspec.structs.replace(
            player,
            money=money + stored - sales,
            shares=shares,
            share_value=value,
            loans=loans,
            shipping_tokens=tokens,
            bankrupt=False,
        )
        return scoring.account(b, then).score

    return score


def score_formula(b: Board, seat: Seat) -> str:
    player = b.players[seat]
    if player.bankrupt:
        return say("bankrupt: nothing")
    final = scoring.account(b, player)
    return say(
        "({shares} shares + {bought} for the money − {repaid} for loans) × ({value} − {less} for shipping)",
        shares=player.shares,
        bought=final.bought,
        repaid=final.repaid,
        value=pounds(player.share_value),
        less=pounds(final.steps),
    )


def lead_figure(b: Board, seat: Seat) -> FigureTerms:
    """Return the lead over the best other player, or the better automa."""
    others = [other for other in range(b.seats) if other != seat]
    inputs = [
        *score_inputs(b, seat),
        *(item for other in others for item in score_inputs(b, other)),
        *(item for _, items in automa_inputs(b) for item in items),
    ]
    scores = [score_of(b, each) for each in (seat, *others)]
    size = len(score_inputs(b, seat))

    def lead(*amounts: Any) -> int:
        found = [score(*amounts[at * size : (at + 1) * size]) for at, score in enumerate(scores)]
        automas = amounts[size * len(scores) :]
        found += [shares * value for shares, value in zip(automas[::2], automas[1::2], strict=True)]
        return found[0] - max(found[1:])

    own = scoring.total(b, seat)
    best = own - lead(*[item.amount for item in inputs])
    return FigureTerms(
        inputs=[Input("", item.amount, item.moves) for item in inputs],
        value=lead,
        formula=say("{own} − {best} of the best other", own=pounds(own), best=pounds(best)),
        is_money=True,
    )


# --- factories -------------------------------------------------------------------------------------------------------


def appeal_moves(seat: Seat, good: str) -> Moves:
    """Return what moves an appeal marker on the market board."""
    return moves_by(
        to(moves.AppealMoved, "after"), *sets(moves.FactoryOpened, moves.WentBankrupt), seat=seat, good=good
    )


def moves_at(seat: Seat, good: str, *kinds: type[Effect]) -> Moves:
    """Return moves by effects on a seat's factory; a bankruptcy is about all of them."""
    return moves_by(*sets(*kinds), seat=seat, good=good)


def cards_moves(seat: Seat, *cards: str) -> Moves:
    """Return moves by taking or discarding development cards."""

    def moved(effect: Any) -> Move | None:
        return Move() if effect.seat == seat and effect.card in cards else None

    return {moves.CardTaken: moved, moves.CardDiscarded: moved}


def limited_to_mode(rules: Moves, is_quality: bool) -> Moves:
    """Keep the moves of quality cards, which have a side, or those of distribution cards."""

    def limited(move: Callable[[Any], Move | None]) -> Callable[[Any], Move | None]:
        def moved(effect: Any) -> Move | None:
            card = getattr(effect, "card", "")
            return move(effect) if card.startswith("Q") is is_quality or not card else None

        return moved

    return {kind: limited(move) for kind, move in rules.items()}


def factory_figure(b: Board, seat: Seat, good: str, factory: Factory, what: str) -> FigureTerms | None:
    """Return a figure of an open factory."""
    match what:
        case "price":
            parts = factories.price_parts(b, good, factory)
            names, kinds = (say("slot"), say("office"), say("quality")), (SLOT, OFFICE, QUALITY)
            return sum_figure(seat, good, names, parts, kinds, is_money=True)
        case "sum":
            appeals = factories.appeal_parts(b, good, factory)
            return sum_figure(
                seat,
                good,
                (say("slot"), say("office"), say("quality"), say("distribution")),
                appeals,
                (SLOT, OFFICE, QUALITY, DISTRIBUTION),
            )
        case "appeal":
            return FigureTerms(inputs=[Input("", factory.appeal, appeal_moves(seat, good))])
        case "makes":
            cards = factories.goods_of_cards(b, factory)
            made = sum_figure(
                seat,
                good,
                (say("factory"), say("worker cards")),
                (b.tile(good, factory).goods, sum(cards)),
                (BUILT, (*BUILT, moves.WorkersEmployed)),
            )
            text = say(
                "factory {n} + worker cards {cards}", n=made.inputs[0].amount, cards=" + ".join(map(str, cards)) or "0"
            )
            return replace(made, formula=text)
        case "costs":
            return costs_figure(b, seat, good, factory)
        case "staff":
            cost = factories.cost(b, b.players[seat], good, factory, len(factory.workers))
            return single(cost.workers, moves_at(seat, good, moves.MachinesAdded, moves.WorkersEmployed, *BUILT))
        case "side":
            return single(factory.side, moves_at(seat, good, *BUILT))
        case "slot":
            return single(factory.slot, moves_at(seat, good, *SLOT))
        case "quality":
            return single(factory.quality_value, limited_to_mode(moves_at(seat, good, *BUILT, *QUALITY), True))
        case "distribution":
            rules = limited_to_mode(moves_at(seat, good, *BUILT, *DISTRIBUTION), False)
            return single(factory.distribution_value, rules)
        case "storehouses":
            return single(factory.goods_stored, {**stored_moves(seat), **moves_at(seat, good, *BUILT)})
    raise LookupError(what)


def single(amount: int, rules: Moves) -> FigureTerms:
    """Return a figure that is its only input."""
    return FigureTerms(inputs=[Input("", amount, rules)])


SLOT = (*BUILT, moves.SlotSet)
OFFICE = (*BUILT, moves.OfficeTurned)


def sum_figure(
    seat: Seat,
    good: str,
    names: Sequence[str],
    parts: Sequence[int],
    kinds: Sequence[tuple[type[Effect], ...]],
    is_money: bool = False,
) -> FigureTerms:
    """Return a figure of a factory that is a sum."""
    says = pounds if is_money else str
    inputs = []
    for name, part, moving in zip(names, parts, kinds, strict=True):
        rules = moves_at(seat, good, *moving)
        if moving in (QUALITY, DISTRIBUTION):
            rules = limited_to_mode(rules, moving is QUALITY)
        inputs.append(Input(name, part, rules, says))
    return FigureTerms(
        inputs=inputs,
        value=lambda *amounts: sum(amounts),
        formula=" + ".join(f"{item.name} {says(part)}" for item, part in zip(inputs, parts, strict=True)),
        is_money=is_money,
    )


def costs_figure(b: Board, seat: Seat, good: str, factory: Factory) -> FigureTerms:
    """Return the cost of a production (ACG-4.0.6)."""
    numbers, player = b.printed, b.players[seat]
    cost = factories.cost(b, player, good, factory, len(factory.workers))
    machines = (moves.MachinesAdded, moves.WorkersEmployed, *BUILT)
    inputs = [
        Input(say("workers"), cost.workers, moves_at(seat, good, *machines)),
        wage_input(b, say("wage")),
        Input(
            say("Foreman"),
            int(factory.foreman),
            moves_at(seat, good, moves.ForemanPlaced, moves.ForemanLeft, moves.WentBankrupt),
        ),
        Input(
            say("maintenance"),
            cost.maintenance,
            {**moves_at(seat, good, *machines), **cards_moves(seat, "workshop")},
            pounds,
        ),
        Input(
            say("fixed costs"), cost.fixed, {**moves_at(seat, good, *BUILT), **cards_moves(seat, "developer")}, pounds
        ),
    ]

    def amount(workers: int, wage: int, foreman: int, maintenance: int, fixed: int) -> int:
        cheaper = min(numbers.cards_foreman_cheaper, wage) * min(numbers.cards_foreman_workers, workers)
        return workers * wage - (cheaper if foreman else 0) + maintenance + fixed

    text = (
        "{workers} × {wage} wages − {cheaper} by the Foreman + {maintenance} maintenance + {fixed} fixed costs"
        if cost.cheaper
        else "{workers} × {wage} wages + {maintenance} maintenance + {fixed} fixed costs"
    )
    return FigureTerms(
        inputs=inputs,
        value=amount,
        formula=say(
            text,
            workers=cost.workers,
            wage=pounds(cost.wage),
            cheaper=pounds(cost.cheaper),
            maintenance=pounds(cost.maintenance),
            fixed=pounds(cost.fixed),
        ),
        is_money=True,
    )


# --- automas ---------------------------------------------------------------------------------------------------------


def automa_figure(b: Board, colour: str, keys: Sequence[str]) -> FigureTerms | None:
    automa = b.alone.automas[colour]
    shares, value = next(items for each, items in automa_inputs(b) if each == colour)
    match keys:
        case ["shares"]:
            return FigureTerms(inputs=[unnamed(shares)])
        case ["share_value"]:
            return FigureTerms(inputs=[unnamed(value)], is_money=True)
        case ["worth"]:
            return FigureTerms(
                inputs=[shares, value],
                value=lambda shares, value: shares * value,
                formula=f"{automa.shares} × {pounds(automa.share_value)}",
                is_money=True,
            )
        case ["appeal" | "sells" as what, good]:
            if good not in automa.appeal:
                return None
            rules = moves_by(
                to(solo_moves.AutomaAdvanced, "after"),
                to(solo_moves.AutomaBuilt, 0),
                to(solo_moves.AutomaMarkerSet, "appeal"),
                colour=colour,
                good=good,
            )
            if what == "sells":
                return sells_figure(b, good, Input(say("appeal"), automa.appeal[good], rules))
            return FigureTerms(inputs=[Input("", automa.appeal[good], rules)])
    raise LookupError(keys)


def unnamed(item: Input) -> Input:
    return Input("", item.amount, item.moves, item.says)


def automa_inputs(b: Board) -> Iterator[tuple[str, tuple[Input, Input]]]:
    """Yield the shares and the share value of each automa."""
    for colour, automa in b.opponents:
        gained: list[Rule] = [to(solo_moves.AutomaSharesGained, "shares")]
        raised = [to(solo_moves.AutomaValueRaised, "value"), to(solo_moves.AutomaTopPointWon, "value")]
        yield (
            colour,
            (
                Input(say("shares"), automa.shares, moves_by(*gained, colour=colour)),
                Input(say("share value"), automa.share_value, moves_by(*raised, colour=colour), pounds),
            ),
        )
