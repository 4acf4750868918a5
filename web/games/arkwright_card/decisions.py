"""The decisions of Arkwright: The Card Game: what their buttons say, and the questions that their fields answer."""

from __future__ import annotations

from daybook.domain.games.arkwright_card import moves
from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.kernel.terms import Decision, Seat
from daybook.web.games.arkwright_card import solo
from daybook.web.games.arkwright_card.values import card, good, goods, mode, shares, tell, tell_n, value
from daybook.web.words.decision_words import AT_ONCE, CLOSES, IN_TURN, ONE_BY_ONE, OPENS, DecisionWords, decides
from daybook.web.words.say import N_, Names, say, say_n, seat_name, sentence_for


def where_it_lies(board: Board, seat: Seat, d: moves.Lift | moves.SetCard | moves.SetQuality) -> list[str]:
    """A card by the factory beside which it lies and what it shows there, which is what the table says of it."""
    for of, factory in board.players[seat].open():
        shows = factory.quality.get(d.card) or factory.distribution
        if d.card in factory.quality or (factory.distribution and factory.distribution.card == d.card):
            assert shows is not None
            sentence = sentence_for(d, DECISIONS.sentences, value, ())
            return [f"{sentence}, {good(of)}, {shows.value} ({say(WHICH_FACTORY)} {say(WHICH_VALUE)})"]
    return []


def ship_sentence(d: moves.Ship, names: Names) -> str:
    if not d.count:
        return say("Ship nothing")
    if d.customs:
        return say_n("Ship {n} good, with Customs Office (2)", "Ship {n} goods, with Customs Office (2)", d.count)
    return say_n("Ship {n} good", "Ship {n} goods", d.count)


WHICH_FACTORY, WHICH_VALUE = N_("Which factory?"), N_("Which value shows?")


def unsaid(d: Decision, n: int) -> str:
    return ""


DECISIONS = DecisionWords(
    (
        decides(
            moves.StartPlayerDetermined,
            N_("Starting player"),
            lambda d, names: say("{name} starts", name=seat_name(d.seat, names)),
            how=AT_ONCE,
            seat=N_("Who starts?"),
        ),
        decides(moves.CardDealt, N_("A development card is dealt"), lambda d, names: card(d.card), how=AT_ONCE),
        decides(
            moves.PlaceStartFactory,
            N_("Place a start factory"),
            N_("Start with {good}"),
            how=AT_ONCE,
            brief=lambda d, n: say("start factory of {good}", good=good(d.good)),
            good=N_("Which good?"),
        ),
        decides(
            moves.ChooseStartDevelopment,
            N_("Start with a step on the board"),
            N_("A step on the {track} track"),
            how=AT_ONCE,
        ),
        decides(
            moves.ChooseStartCard,
            N_("Start with a development card"),
            lambda d, names: solo.taken_card_sentence(N_("Start with {card}"), d),
            how=AT_ONCE,
        ),
        decides(moves.SkipStart, N_("Start without a development"), how=AT_ONCE),
        decides(
            moves.PlaceForeman,
            N_("Place the Foreman"),
            N_("Place the Foreman beside {good}"),
            how=AT_ONCE | ONE_BY_ONE | IN_TURN,
        ),
        decides(
            moves.BuyStartShares,
            N_("Buy shares before the game"),
            lambda d, names: say("Buy {shares}", shares=shares(d.shares)) if d.shares else say("Buy no shares"),
            how=AT_ONCE,
        ),
        decides(
            moves.ChooseAction,
            N_("Choose an action"),
            N_("Action: {action}"),
            how=IN_TURN | OPENS,
            brief=unsaid,
            action=N_("Which action?"),
        ),
        decides(moves.PassAction, N_("No action"), how=IN_TURN),
        decides(moves.EndAction, N_("End the action"), how=IN_TURN | CLOSES, brief=unsaid),
        decides(moves.Build, N_("Build a factory"), N_("Build {good}"), how=IN_TURN, good=N_("Which good?")),
        decides(moves.Upgrade, N_("Upgrade a factory"), N_("Upgrade {good}"), how=IN_TURN),
        decides(moves.UseInventor, N_("Discard Inventor (8) to upgrade"), how=IN_TURN),
        decides(
            moves.InventorUpgrade, N_("Upgrade by the Inventor"), N_("Upgrade {good} by the Inventor"), how=IN_TURN
        ),
        decides(
            moves.Employ,
            N_("Employ workers"),
            lambda d, names: tell("Employ workers: {good}, position {n}", d, names, n=d.position),
            how=IN_TURN,
        ),
        decides(
            moves.Rotate,
            N_("Rotate a worker card to its machines"),
            lambda d, names: tell("Rotate to machines: {good}, position {n}", d, names, n=d.position),
            how=IN_TURN,
        ),
        decides(
            moves.PlaceToken,
            N_("Place the machine token"),
            lambda d, names: tell("Place the machine token: {good}, position {n}", d, names, n=d.position),
            how=ONE_BY_ONE | IN_TURN,
        ),
        decides(
            moves.Lift,
            N_("Take a card back to the reserve"),
            N_("Take back {card}"),
            how=ONE_BY_ONE | IN_TURN,
            also=where_it_lies,
        ),
        decides(
            moves.Place,
            N_("Place a card beside a factory"),
            lambda d, names: (
                tell("Place {card} at {value} beside {good}", d, names)
                if d.mode is None
                else tell("Place {card} at {value} beside {good}, {mode}", d, names, mode=mode(d.mode))
            ),
            how=IN_TURN,
        ),
        decides(
            moves.SetCard,
            N_("Turn a card"),
            lambda d, names: (
                tell("Turn {card} to {value}", d, names)
                if d.mode is None
                else tell("Turn {card} to {value}, {mode}", d, names, mode=mode(d.mode))
            ),
            how=IN_TURN,
            also=where_it_lies,
        ),
        decides(moves.BuyShare, N_("Buy a share"), how=IN_TURN),
        decides(moves.TakeLoan, N_("Take a bank loan"), how=IN_TURN),
        decides(moves.RegainShips, N_("Regain the ships"), how=IN_TURN),
        decides(
            moves.ExtraProduce,
            N_("Produce now"),
            lambda d, names: tell_n(
                "Produce {good} with {n} worker card", "Produce {good} with {n} worker cards", d.cards, d, names
            ),
            how=IN_TURN,
            cards=N_("How many worker cards are used?"),
        ),
        decides(
            moves.ShipStored,
            N_("Ship stored goods"),
            lambda d, names: say("Ship {goods}", goods=goods(d.count, d.good)),
            how=IN_TURN,
            good=N_("Which good?"),
        ),
        decides(
            moves.UseCustoms,
            N_("Use Customs Office (2)"),
            N_("Use Customs Office (2): one shipping token fewer"),
            how=IN_TURN,
        ),
        decides(
            moves.SetSlot,
            N_("Move the factory token"),
            lambda d, names: say("Move the factory token to slot {n}", n=d.slot),
            how=ONE_BY_ONE | IN_TURN,
            slot=N_("Which slot?"),
        ),
        decides(
            moves.SetOffice, N_("Turn the office card"), N_("Turn the office to its {mode}"), how=ONE_BY_ONE | IN_TURN
        ),
        decides(
            moves.SetQuality,
            N_("Turn a quality card"),
            N_("Turn {card} to its {mode}"),
            how=ONE_BY_ONE | IN_TURN,
            also=where_it_lies,
        ),
        decides(moves.ConfirmPrice, N_("Leave price and appeal as they are"), how=IN_TURN | CLOSES, brief=unsaid),
        decides(moves.TakeDevelopment, N_("A step on the board"), N_("A step on the {track} track"), how=IN_TURN),
        decides(
            moves.TakeCard,
            N_("Take a development card"),
            lambda d, names: solo.taken_card_sentence(N_("Take {card}"), d),
            how=IN_TURN,
        ),
        decides(
            moves.DiscardForLimit,
            N_("Discard a card for another"),
            N_("Discard {card} for another"),
            how=ONE_BY_ONE | IN_TURN,
            card=N_("Which card goes?"),
        ),
        decides(
            moves.UseBroker,
            N_("Use Broker (6)"),
            lambda d, names: say("Use Broker (6): buy {shares} at half price", shares=shares(d.shares)),
            how=ONE_BY_ONE | IN_TURN,
        ),
        decides(
            moves.UseInventorDouble,
            N_("Discard Inventor (8) for two steps"),
            N_("Discard Inventor (8): a step on the {first} and the {second} track"),
            how=IN_TURN,
            first=N_("Which track first?"),
            second=N_("Which track then?"),
        ),
        decides(moves.SkipDevelopment, N_("No development"), how=IN_TURN),
        decides(
            moves.ReplaceQuality,
            N_("Quality in the place of the Engineer"),
            lambda d, names: tell("Place {card} at {value}, {mode}", d, names, mode=mode(d.mode)),
            how=IN_TURN,
        ),
        decides(moves.DoneReplacing, N_("Replace no more"), how=IN_TURN),
        decides(
            moves.UseDeveloper,
            N_("Use Developer (9)"),
            N_("Use Developer (9): turn {card} upright"),
            how=ONE_BY_ONE | IN_TURN,
            card=N_("Which card is turned upright?"),
        ),
        decides(
            moves.UseExtraShift,
            N_("Discard Extra Shift (3)"),
            N_("Discard Extra Shift (3) for one more good"),
            how=AT_ONCE | IN_TURN,
        ),
        decides(
            moves.UsePatron, N_("Use Patron (7)"), N_("Use {card}"), how=AT_ONCE | ONE_BY_ONE, card=N_("Which Patron?")
        ),
        decides(moves.BeginSale, N_("Sell without using a card"), how=AT_ONCE),
        decides(
            moves.SellHome,
            N_("Sell stored goods at home"),
            lambda d, names: (
                say("Sell no stored goods")
                if not d.count
                else say_n("Sell {n} stored good", "Sell {n} stored goods", d.count)
            ),
            how=AT_ONCE,
            count=N_("How many stored goods?"),
        ),
        decides(moves.Ship, N_("Ship goods"), ship_sentence, how=AT_ONCE, customs=N_("With Customs Office (2)?")),
        decides(
            moves.AssignStorehouse,
            N_("Add a storehouse"),
            N_("Add {card}"),
            how=AT_ONCE | ONE_BY_ONE | IN_TURN,
            card=N_("Which storehouse?"),
        ),
        decides(
            moves.EndProduction,
            N_("No more storehouses: pay the production costs"),
            how=AT_ONCE,
            also=lambda board, seat, d: [say("End production"), say("Finish producing")],
        ),
        decides(moves.UseEntrepreneur, N_("Break the tie with Entrepreneur (1)"), how=AT_ONCE),
        decides(moves.DeclineEntrepreneur, N_("Leave the tie"), how=AT_ONCE),
        decides(moves.TakeTopPoint, N_("Take the point for the highest appeal"), how=AT_ONCE),
        decides(moves.DeclineTopPoint, N_("Leave the point"), how=AT_ONCE),
        decides(
            moves.DiscardEntrepreneur,
            N_("Discard Entrepreneur (1)"),
            lambda d, names: say("Discard Entrepreneur (1): {name} starts", name=seat_name(d.player, names)),
            how=AT_ONCE | ONE_BY_ONE,
        ),
        decides(moves.KeepEntrepreneur, N_("Keep Entrepreneur (1)"), how=AT_ONCE),
        decides(
            moves.ChooseStartPlayer,
            N_("Name the starting player"),
            lambda d, names: say("Make {name} start player", name=seat_name(d.player, names)),
            how=AT_ONCE,
        ),
        *solo.DECISIONS,
    ),
    questions={
        "card": N_("Which card?"),
        "good": WHICH_FACTORY,
        "track": N_("Which track?"),
        "place": N_("Which place of the grid?"),
        "shares": N_("How many shares?"),
        "position": N_("On which position?"),
        "value": WHICH_VALUE,
        "mode": N_("Which side shows?"),
        "count": N_("How many goods?"),
        "player": N_("Who starts?"),
        "colour": N_("Which colour?"),
    },
)
