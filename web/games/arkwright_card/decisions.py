"""The decisions of Arkwright: The Card Game: what their buttons say, and the questions that their fields answer."""

from __future__ import annotations

from msgspec.structs import replace

from daybook.domain.games.arkwright_card import factories, moves
from daybook.domain.games.arkwright_card.board import Board, Factory
from daybook.domain.kernel.terms import Seat
from daybook.web.games.arkwright_card import solo
from daybook.web.games.arkwright_card.values import card, good, goods, mode, pounds, shares, tell, tell_n, value
from daybook.web.words.decision_words import AT_ONCE, CLOSES, IN_TURN, ONE_BY_ONE, OPENS, DecisionWords, decides
from daybook.web.words.say import N_, Names, say, say_n, seat_name, sentence_for


def where_it_lies(board: Board, seat: Seat, d: moves.Lift | moves.SetCard | moves.SetQuality) -> list[str]:
    """Return spoken forms of a card by its factory and value."""
    for name, factory in board.players[seat].open():
        shows = factory.quality.get(d.card) or factory.distribution
        if d.card in factory.quality or (factory.distribution and factory.distribution.card == d.card):
            assert shows is not None
            sentence = sentence_for(d, DECISIONS.sentences, value, ())
            return [f"{sentence}, {good(name)}, {shows.value} ({say(WHICH_FACTORY)} {say(WHICH_VALUE)})"]
    return []


def price_it_sets(
    board: Board, seat: Seat, d: moves.SetSlot | moves.SetOffice | moves.SetQuality | moves.ConfirmPrice
) -> str:
    """Return the price of the active good after a decision: "Price £6"."""
    factory = board.players[seat].factory(board.active)
    match d:
        case moves.SetSlot():
            factory = replace(factory, slot=d.slot)
        case moves.SetOffice():
            at_slots = [goods_price(board, replace(factory, slot=slot)) for slot in SLOTS]
            factory = replace(factory, office=d.mode)
            if goods_price(board, factory) in at_slots:
                return ""  # its price is that of a slot too
        case moves.SetQuality():
            factory = replace(
                factory, quality={**factory.quality, d.card: replace(factory.quality[d.card], mode=d.mode)}
            )
    return say("Price {price}", price=pounds(goods_price(board, factory)))


def goods_price(board: Board, factory: Factory) -> int:
    return factories.goods_price(board, board.active, factory)


def quality_card_turned(d: moves.Place | moves.SetCard | moves.SetQuality) -> str:
    """Return the quality card of a decision: a line that names only a price turns none."""
    return card(d.card) if d.mode is not None else ""


def ship_sentence(d: moves.Ship, names: Names) -> str:
    if not d.count:
        return say("Ship nothing")
    if d.customs:
        return say_n("Ship {n} good, with Customs Office (2)", "Ship {n} goods, with Customs Office (2)", d.count)
    return say_n("Ship {n} good", "Ship {n} goods", d.count)


SLOTS = range(1, 5)
WHICH_FACTORY, WHICH_VALUE = N_(("Which factory?", "Which value shows?"))


DECISIONS = DecisionWords(
    (
        decides(
            moves.StartPlayerDetermined,
            "Starting player",
            lambda d, names: say("{name} starts", name=seat_name(d.seat, names)),
            how=AT_ONCE,
            seat=N_("Who starts?"),
        ),
        decides(moves.CardDealt, "A development card is dealt", lambda d, names: card(d.card), how=AT_ONCE),
        decides(
            moves.PlaceStartFactory, "Place a start factory", "Start with {good}", how=AT_ONCE, good=N_("Which good?")
        ),
        decides(
            moves.ChooseStartDevelopment, "Start with a step on the board", "A step on the {track} track", how=AT_ONCE
        ),
        decides(
            moves.ChooseStartCard,
            "Start with a development card",
            lambda d, names: solo.taken_card_sentence(N_("Start with {card}"), d),
            how=AT_ONCE,
        ),
        decides(moves.SkipStart, "Start without a development", how=AT_ONCE),
        decides(
            moves.PlaceForeman,
            "Place the Foreman",
            "Place the Foreman next to {good}",
            how=AT_ONCE | ONE_BY_ONE | IN_TURN,
        ),
        decides(
            moves.BuyStartShares,
            "Buy shares before the game",
            lambda d, names: say("Buy {shares}", shares=shares(d.shares)) if d.shares else say("Buy no shares"),
            how=AT_ONCE,
        ),
        decides(
            moves.ChooseAction, "Choose an action", "Action: {action}", how=IN_TURN | OPENS, action=N_("Which action?")
        ),
        decides(moves.PassAction, "No action", how=IN_TURN),
        decides(moves.EndAction, "End the action", how=IN_TURN | CLOSES, deed=N_("{seat} ends the action")),
        decides(moves.Build, "Build a factory", "Build {good}", how=IN_TURN, good=N_("Which good?")),
        decides(moves.Upgrade, "Upgrade a factory", "Upgrade {good}", how=IN_TURN),
        decides(moves.UseInventor, "Discard Inventor (8) to upgrade", how=IN_TURN),
        decides(moves.InventorUpgrade, "Upgrade by the Inventor", "Upgrade {good} by the Inventor", how=IN_TURN),
        decides(
            moves.Employ,
            "Employ workers",
            lambda d, names: tell("Employ workers: {good}, position {n}", d, names, n=d.position),
            how=IN_TURN,
        ),
        decides(
            moves.Rotate,
            "Rotate a worker card to its machines",
            lambda d, names: tell("Rotate to machines: {good}, position {n}", d, names, n=d.position),
            how=IN_TURN,
        ),
        decides(
            moves.PlaceToken,
            "Place the machine token",
            lambda d, names: tell("Place the machine token: {good}, position {n}", d, names, n=d.position),
            how=ONE_BY_ONE | IN_TURN,
        ),
        decides(
            moves.Lift,
            "Take a card back to the reserve",
            "Take back {card}",
            how=ONE_BY_ONE | IN_TURN,
            also=where_it_lies,
        ),
        decides(
            moves.Place,
            "Place a card next to a factory",
            lambda d, names: (
                tell("Place {card} at {value} next to {good}", d, names)
                if d.mode is None
                else tell("Place {card} at {value} next to {good}, {mode}", d, names, mode=mode(d.mode))
            ),
            how=IN_TURN,
            thing=quality_card_turned,
        ),
        decides(
            moves.SetCard,
            "Turn a card",
            lambda d, names: (
                tell("Turn {card} to {value}", d, names)
                if d.mode is None
                else tell("Turn {card} to {value}, {mode}", d, names, mode=mode(d.mode))
            ),
            how=IN_TURN,
            also=where_it_lies,
            thing=quality_card_turned,
        ),
        decides(moves.BuyShare, "Buy a share", how=IN_TURN),
        decides(moves.TakeLoan, "Take a bank loan", how=IN_TURN),
        decides(moves.RegainShips, "Regain the ships", how=IN_TURN),
        decides(
            moves.ExtraProduce,
            "Produce now",
            lambda d, names: tell_n(
                "Produce {good} with {n} worker card", "Produce {good} with {n} worker cards", d.cards, d, names
            ),
            how=IN_TURN,
            cards=N_("How many worker cards are used?"),
        ),
        decides(
            moves.ShipStored,
            "Ship stored goods",
            lambda d, names: say("Ship {goods}", goods=goods(d.count, d.good)),
            how=IN_TURN,
            good=N_("Which good?"),
        ),
        decides(
            moves.UseCustoms, "Use Customs Office (2)", "Use Customs Office (2): one shipping token fewer", how=IN_TURN
        ),
        decides(
            moves.SetSlot,
            "Move the factory token",
            lambda d, names: say("Move the factory token to slot {n}", n=d.slot),
            how=ONE_BY_ONE | IN_TURN,
            outcome=price_it_sets,
            slot=N_("Which slot?"),
        ),
        decides(
            moves.SetOffice,
            "Turn the office card",
            "Turn the office to its {mode}",
            how=ONE_BY_ONE | IN_TURN,
            outcome=price_it_sets,
        ),
        decides(
            moves.SetQuality,
            "Turn a quality card",
            "Turn {card} to its {mode}",
            how=ONE_BY_ONE | IN_TURN,
            also=where_it_lies,
            outcome=price_it_sets,
            thing=quality_card_turned,
        ),
        decides(
            moves.ConfirmPrice,
            "Leave price and appeal as they are",
            how=IN_TURN | CLOSES,
            also=lambda board, seat, d: [say("No change of the price")],
            outcome=price_it_sets,
        ),
        decides(moves.TakeDevelopment, "A step on the board", "A step on the {track} track", how=IN_TURN),
        decides(
            moves.TakeCard,
            "Take a development card",
            lambda d, names: solo.taken_card_sentence(N_("Take {card}"), d),
            how=IN_TURN,
        ),
        decides(
            moves.DiscardForLimit,
            "Discard a card for another",
            "Discard {card} for another",
            how=ONE_BY_ONE | IN_TURN,
            card=N_("Which card goes?"),
        ),
        decides(
            moves.UseBroker,
            "Use Broker (6)",
            lambda d, names: say("Use Broker (6): buy {shares} at half price", shares=shares(d.shares)),
            how=ONE_BY_ONE | IN_TURN,
        ),
        decides(
            moves.UseInventorDouble,
            "Discard Inventor (8) for two steps",
            "Discard Inventor (8): a step on the {first} and the {second} track",
            how=IN_TURN,
            first=N_("Which track first?"),
            second=N_("Which track then?"),
        ),
        decides(moves.SkipDevelopment, "No development", how=IN_TURN),
        decides(
            moves.ReplaceQuality,
            "Quality in the place of the Engineer",
            lambda d, names: tell("Place {card} at {value}, {mode}", d, names, mode=mode(d.mode)),
            how=IN_TURN,
        ),
        decides(moves.DoneReplacing, "Replace no more", how=IN_TURN),
        decides(
            moves.UseDeveloper,
            "Use Developer (9)",
            "Use Developer (9): turn {card} upright",
            how=ONE_BY_ONE | IN_TURN,
            card=N_("Which card is turned upright?"),
        ),
        decides(
            moves.UseExtraShift,
            "Discard Extra Shift (3)",
            "Discard Extra Shift (3) for one more good",
            how=AT_ONCE | IN_TURN,
        ),
        decides(moves.UsePatron, "Use Patron (7)", "Use {card}", how=AT_ONCE | ONE_BY_ONE, card=N_("Which Patron?")),
        decides(moves.BeginSale, "Sell without using a card", how=AT_ONCE),
        decides(
            moves.SellHome,
            "Sell stored goods at home",
            lambda d, names: (
                say("Sell no stored goods")
                if not d.count
                else say_n("Sell {n} stored good", "Sell {n} stored goods", d.count)
            ),
            how=AT_ONCE,
            count=N_("How many stored goods?"),
        ),
        decides(
            moves.Ship,
            "Ship goods",
            ship_sentence,
            how=AT_ONCE,
            also=lambda board, seat, d: [] if d.count else [say_n("Ship {n} good", "Ship {n} goods", 0)],
            customs=N_("With Customs Office (2)?"),
        ),
        decides(
            moves.AssignStorehouse,
            "Add a storehouse",
            "Add {card}",
            how=AT_ONCE | ONE_BY_ONE | IN_TURN,
            card=N_("Which storehouse?"),
        ),
        decides(
            moves.EndProduction,
            "No more storehouses: pay the production costs",
            how=AT_ONCE,
            also=lambda board, seat, d: [say("End production"), say("Finish producing"), say("Throw away")],
        ),
        decides(moves.UseEntrepreneur, "Break the tie with Entrepreneur (1)", how=AT_ONCE),
        decides(moves.DeclineEntrepreneur, "Leave the tie", how=AT_ONCE),
        decides(moves.TakeTopPoint, "Take the point for the highest appeal", how=AT_ONCE),
        decides(moves.DeclineTopPoint, "Leave the point", how=AT_ONCE),
        decides(
            moves.DiscardEntrepreneur,
            "Discard Entrepreneur (1)",
            lambda d, names: say("Discard Entrepreneur (1): {name} starts", name=seat_name(d.player, names)),
            how=AT_ONCE | ONE_BY_ONE,
        ),
        decides(moves.KeepEntrepreneur, "Keep Entrepreneur (1)", how=AT_ONCE),
        decides(
            moves.ChooseStartPlayer,
            "Name the starting player",
            lambda d, names: say("Make {name} start player", name=seat_name(d.player, names)),
            how=AT_ONCE,
        ),
        *solo.DECISIONS,
    ),
    questions={
        "card": "Which card?",
        "good": WHICH_FACTORY,
        "track": "Which track?",
        "place": "Which place of the grid?",
        "shares": "How many shares?",
        "position": "On which position?",
        "value": WHICH_VALUE,
        "mode": "Which side shows?",
        "count": "How many goods?",
        "player": "Who starts?",
        "colour": "Which colour?",
    },
)
