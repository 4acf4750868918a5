"""The decisions of Arkwright: The Card Game: what their buttons say, and the questions that their fields answer."""

from __future__ import annotations

from collections.abc import Mapping

from daybook.domain.games.arkwright_card import moves
from daybook.web.games.arkwright_card import solo
from daybook.web.games.arkwright_card.values import action, beside, card, good, goods, mode, shares, track
from daybook.web.words.say import N_, Names, Sentences, say, say_n, says, seat_name, sentences

KINDS: Mapping[str, str] = {
    "start_player_determined": N_("Starting player"),
    "card_dealt": N_("A development card is dealt"),
    "place_start_factory": N_("Place a start factory"),
    "choose_start_development": N_("Start with a step on the board"),
    "choose_start_card": N_("Start with a development card"),
    "skip_start": N_("Start without a development"),
    "place_foreman": N_("Place the Foreman"),
    "buy_start_shares": N_("Buy shares before the game"),
    "choose_action": N_("Choose an action"),
    "pass_action": N_("No action"),
    "end_action": N_("End the action"),
    "build": N_("Build a factory"),
    "upgrade": N_("Upgrade a factory"),
    "use_inventor": N_("Discard Inventor (8) to upgrade"),
    "inventor_upgrade": N_("Upgrade by the Inventor"),
    "employ": N_("Employ workers"),
    "rotate": N_("Rotate a worker card to its machines"),
    "token": N_("Place the machine token"),
    "lift": N_("Take a card back to the reserve"),
    "place": N_("Place a card beside a factory"),
    "set": N_("Turn a card"),
    "buy_share": N_("Buy a share"),
    "take_loan": N_("Take a bank loan"),
    "regain_ships": N_("Regain the ships"),
    "extra_produce": N_("Produce now"),
    "ship_stored": N_("Ship stored goods"),
    "use_customs": N_("Use Customs Office (2)"),
    "set_slot": N_("Move the factory token"),
    "set_office": N_("Turn the office card"),
    "set_quality": N_("Turn a quality card"),
    "confirm_price": N_("Leave price and appeal as they are"),
    "take_development": N_("A step on the board"),
    "take_card": N_("Take a development card"),
    "discard_for_limit": N_("Discard a card for another"),
    "use_broker": N_("Use Broker (6)"),
    "use_inventor_double": N_("Discard Inventor (8) for two steps"),
    "skip_development": N_("No development"),
    "replace_quality": N_("Quality in the place of the Engineer"),
    "done_replacing": N_("Replace no more"),
    "use_developer": N_("Use Developer (9)"),
    "use_extra_shift": N_("Discard Extra Shift (3)"),
    "use_patron": N_("Use Patron (7)"),
    "begin_sale": N_("Sell without using a card"),
    "sell_home": N_("Sell stored goods at home"),
    "ship": N_("Ship goods"),
    "assign_storehouse": N_("Add a storehouse"),
    "end_production": N_("No more storehouses: pay the production costs"),
    "use_entrepreneur": N_("Break the tie with Entrepreneur (1)"),
    "decline_entrepreneur": N_("Leave the tie"),
    "take_top_point": N_("Take the point for the highest appeal"),
    "decline_top_point": N_("Leave the point"),
    "discard_entrepreneur": N_("Discard Entrepreneur (1)"),
    "keep_entrepreneur": N_("Keep Entrepreneur (1)"),
    "choose_start_player": N_("Name the starting player"),
    **solo.KINDS,
}


def place_sentence(d: moves.Place, names: Names) -> str:
    if d.mode is None:
        return say("Place {card} at {value} beside {good}", card=beside(d.card), value=d.value, good=good(d.good))
    return say(
        "Place {card} at {value} beside {good}, {mode}",
        card=beside(d.card),
        value=d.value,
        good=good(d.good),
        mode=mode(d.mode),
    )


def set_card(d: moves.SetCard, names: Names) -> str:
    if d.mode is None:
        return say("Turn {card} to {value}", card=beside(d.card), value=d.value)
    return say("Turn {card} to {value}, {mode}", card=beside(d.card), value=d.value, mode=mode(d.mode))


def extra_produce(d: moves.ExtraProduce, names: Names) -> str:
    return say_n(
        "Produce {good} with {n} worker card", "Produce {good} with {n} worker cards", d.cards, good=good(d.good)
    )


def ship_sentence(d: moves.Ship, names: Names) -> str:
    if not d.count:
        return say("Ship nothing")
    if d.customs:
        return say_n("Ship {n} good, with Customs Office (2)", "Ship {n} goods, with Customs Office (2)", d.count)
    return say_n("Ship {n} good", "Ship {n} goods", d.count)


def sell_home(d: moves.SellHome, names: Names) -> str:
    if not d.count:
        return say("Sell no stored goods")
    return say_n("Sell {n} stored good", "Sell {n} stored goods", d.count)


DECISIONS: Sentences = (
    sentences(
        says(moves.StartPlayerDetermined, lambda d, names: say("{name} starts", name=seat_name(d.seat, names))),
        says(moves.CardDealt, lambda d, names: card(d.card)),
        says(moves.PlaceStartFactory, N_("Start with {good}")),
        says(moves.ChooseStartDevelopment, lambda d, names: say("A step on the {track} track", track=track(d.track))),
        says(moves.ChooseStartCard, lambda d, names: solo.taken_card_sentence(N_("Start with {card}"), d)),
        says(moves.SkipStart, N_("Start without a development")),
        says(moves.PlaceForeman, N_("Place the Foreman beside {good}")),
        says(
            moves.BuyStartShares,
            lambda d, names: say("Buy {shares}", shares=shares(d.shares)) if d.shares else say("Buy no shares"),
        ),
        says(moves.ChooseAction, lambda d, names: say("Action: {action}", action=action(d.action))),
        says(moves.PassAction, N_("No action")),
        says(moves.EndAction, N_("End the action")),
        says(moves.Build, N_("Build {good}")),
        says(moves.Upgrade, N_("Upgrade {good}")),
        says(moves.UseInventor, N_("Discard Inventor (8) to upgrade")),
        says(moves.InventorUpgrade, N_("Upgrade {good} by the Inventor")),
        says(
            moves.Employ, lambda d, names: say("Employ workers: {good}, position {n}", good=good(d.good), n=d.position)
        ),
        says(
            moves.Rotate,
            lambda d, names: say("Rotate to machines: {good}, position {n}", good=good(d.good), n=d.position),
        ),
        says(
            moves.PlaceToken,
            lambda d, names: say("Place the machine token: {good}, position {n}", good=good(d.good), n=d.position),
        ),
        says(moves.Lift, lambda d, names: say("Take back {card}", card=beside(d.card))),
        says(moves.Place, place_sentence),
        says(moves.SetCard, set_card),
        says(moves.BuyShare, N_("Buy a share")),
        says(moves.TakeLoan, N_("Take a bank loan")),
        says(moves.RegainShips, N_("Regain the ships")),
        says(moves.ExtraProduce, extra_produce),
        says(moves.ShipStored, lambda d, names: say("Ship {goods}", goods=goods(d.count, d.good))),
        says(moves.UseCustoms, N_("Use Customs Office (2): one shipping token fewer")),
        says(moves.SetSlot, lambda d, names: say("Move the factory token to slot {n}", n=d.slot)),
        says(moves.SetOffice, lambda d, names: say("Turn the office to its {mode}", mode=mode(d.mode))),
        says(
            moves.SetQuality, lambda d, names: say("Turn {card} to its {mode}", card=beside(d.card), mode=mode(d.mode))
        ),
        says(moves.ConfirmPrice, N_("Leave price and appeal as they are")),
        says(moves.TakeDevelopment, lambda d, names: say("A step on the {track} track", track=track(d.track))),
        says(moves.TakeCard, lambda d, names: solo.taken_card_sentence(N_("Take {card}"), d)),
        says(moves.DiscardForLimit, lambda d, names: say("Discard {card} for another", card=card(d.card))),
        says(
            moves.UseBroker, lambda d, names: say("Use Broker (6): buy {shares} at half price", shares=shares(d.shares))
        ),
        says(
            moves.UseInventorDouble,
            lambda d, names: say(
                "Discard Inventor (8): a step on the {first} and the {second} track",
                first=track(d.first),
                second=track(d.second),
            ),
        ),
        says(moves.SkipDevelopment, N_("No development")),
        says(
            moves.ReplaceQuality,
            lambda d, names: say(
                "Place {card} at {value}, {mode}", card=beside(d.card), value=d.value, mode=mode(d.mode)
            ),
        ),
        says(moves.DoneReplacing, N_("Replace no more")),
        says(moves.UseDeveloper, lambda d, names: say("Use Developer (9): turn {card} upright", card=card(d.card))),
        says(moves.UseExtraShift, N_("Discard Extra Shift (3) for one more good")),
        says(moves.UsePatron, lambda d, names: say("Use {card}", card=card(d.card))),
        says(moves.BeginSale, N_("Sell without using a card")),
        says(moves.SellHome, sell_home),
        says(moves.Ship, ship_sentence),
        says(moves.AssignStorehouse, lambda d, names: say("Add {card}", card=beside(d.card))),
        says(moves.EndProduction, N_("No more storehouses: pay the production costs")),
        says(moves.UseEntrepreneur, N_("Break the tie with Entrepreneur (1)")),
        says(moves.DeclineEntrepreneur, N_("Leave the tie")),
        says(moves.TakeTopPoint, N_("Take the point for the highest appeal")),
        says(moves.DeclineTopPoint, N_("Leave the point")),
        says(
            moves.DiscardEntrepreneur,
            lambda d, names: say("Discard Entrepreneur (1): {name} starts", name=seat_name(d.player, names)),
        ),
        says(moves.KeepEntrepreneur, N_("Keep Entrepreneur (1)")),
        says(
            moves.ChooseStartPlayer, lambda d, names: say("Make {name} start player", name=seat_name(d.player, names))
        ),
    )
    | solo.DECISIONS
)
WHICH_GOOD, WHICH_FACTORY, WHICH_CARD, WHICH_TRACK = (
    N_("Which good?"),
    N_("Which factory?"),
    N_("Which card?"),
    N_("Which track?"),
)
FIELDS: Mapping[str, str | None] = {
    "start_player_determined.seat": N_("Who starts?"),
    "card_dealt.card": WHICH_CARD,
    "place_start_factory.good": WHICH_GOOD,
    "choose_start_development.track": WHICH_TRACK,
    "choose_start_card.card": WHICH_CARD,
    "place_foreman.good": WHICH_FACTORY,
    "buy_start_shares.shares": N_("How many shares?"),
    "choose_action.action": N_("Which action?"),
    "build.good": WHICH_GOOD,
    "upgrade.good": WHICH_FACTORY,
    "inventor_upgrade.good": WHICH_FACTORY,
    "employ.good": WHICH_FACTORY,
    "employ.position": N_("On which position?"),
    "rotate.good": WHICH_FACTORY,
    "rotate.position": N_("On which position?"),
    "token.good": WHICH_FACTORY,
    "token.position": N_("On which position?"),
    "lift.card": WHICH_CARD,
    "place.card": WHICH_CARD,
    "place.good": WHICH_FACTORY,
    "place.value": N_("Which value shows?"),
    "place.mode": N_("Which side shows?"),
    "set.card": WHICH_CARD,
    "set.value": N_("Which value shows?"),
    "set.mode": N_("Which side shows?"),
    "extra_produce.good": WHICH_FACTORY,
    "extra_produce.cards": N_("How many worker cards are used?"),
    "ship_stored.good": WHICH_GOOD,
    "ship_stored.count": N_("How many goods?"),
    "set_slot.slot": N_("Which slot?"),
    "set_office.mode": N_("Which side shows?"),
    "set_quality.card": WHICH_CARD,
    "set_quality.mode": N_("Which side shows?"),
    "take_development.track": WHICH_TRACK,
    "take_card.card": WHICH_CARD,
    "discard_for_limit.card": N_("Which card goes?"),
    "use_broker.shares": N_("How many shares?"),
    "use_inventor_double.first": N_("Which track first?"),
    "use_inventor_double.second": N_("Which track then?"),
    "replace_quality.card": WHICH_CARD,
    "replace_quality.value": N_("Which value shows?"),
    "replace_quality.mode": N_("Which side shows?"),
    "use_developer.card": N_("Which card is turned upright?"),
    "use_patron.card": N_("Which Patron?"),
    "sell_home.count": N_("How many stored goods?"),
    "ship.count": N_("How many goods?"),
    "ship.customs": N_("With Customs Office (2)?"),
    "assign_storehouse.card": N_("Which storehouse?"),
    "discard_entrepreneur.player": N_("Who starts?"),
    "choose_start_player.player": N_("Who starts?"),
    **solo.FIELDS,
}
