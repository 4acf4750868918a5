"""Names of correctable places on the board of the Card Game."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.domain.games.arkwright_card import factories
from daybook.domain.games.arkwright_card.board import Board, Player
from daybook.web.games.arkwright_card import solo
from daybook.web.games.arkwright_card.values import pounds
from daybook.web.words.say import Texts, say

PATHS: Texts = {
    "/players/*/money": "{k0}: money",
    "/players/*/shares": "{k0}: shares",
    "/players/*/share_value": "{k0}: share value",
    "/players/*/loans": "{k0}: loan tokens",
    "/players/*/shipping_tokens": "{k0}: shipping tokens",
    "/players/*/ships": "{k0}: ships ready",
    "/players/*/levels/*": "{k0}: level of the {k1} track",
    "/players/*/quality_cap": "{k0}: engineer token",
    "/players/*/factories/*": "{k0}: {k1} factory",
    "/players/*/factories/*/side": "{k0}: side of the {k1} factory",
    "/players/*/factories/*/slot": "{k0}: slot of {k1}",
    "/players/*/factories/*/office": "{k0}: office of {k1}",
    "/players/*/factories/*/appeal": "{k0}: appeal marker of {k1}",
    "/players/*/factories/*/workers": "{k0}: worker cards of {k1}",
    "/players/*/factories/*/workers/*": "{k0}: worker card of {k1}, position {n2}",
    "/players/*/factories/*/workers/*/side": "{k0}: side of the worker card of {k1}, position {n2}",
    "/players/*/factories/*/workers/*/machines": "{k0}: machines of {k1}, position {n2}",
    "/players/*/factories/*/quality": "{k0}: quality of {k1}",
    "/players/*/factories/*/quality/*": "{k0}: {k2} of {k1}",
    "/players/*/factories/*/quality/*/value": "{k0}: value of {k2} of {k1}",
    "/players/*/factories/*/quality/*/mode": "{k0}: side of {k2} of {k1}",
    "/players/*/factories/*/distribution": "{k0}: distribution of {k1}",
    "/players/*/factories/*/distribution/card": "{k0}: distribution card of {k1}",
    "/players/*/factories/*/distribution/value": "{k0}: value of the distribution card of {k1}",
    "/players/*/factories/*/storehouses": "{k0}: storehouses of {k1}",
    "/players/*/factories/*/storehouses/*": "{k0}: goods in {k2} of {k1}",
    "/players/*/factories/*/foreman": "{k0}: Foreman next to {k1}",
    "/players/*/cards": "{k0}: development cards",
    "/players/*/rotated": "{k0}: rotated cards",
    "/players/*/bankrupt": "{k0}: bankrupt",
    "/demand/*": "demand marker of {k0}",
    "/wages": "wages marker",
    "/supply/*": "supply: {k0}",
    "/neutral/*": "neutral player’s appeal of {k0}",
    "/start": "starting player",
    "/decade": "decade",
    "/round": "round",
    # figures that the board shows and does not hold
    "/players/*/worth": "{k0}: value of all shares",
    "/players/*/appeal/*": "{k0}: appeal of {k1}",
    "/players/*/sells/*": "{k0}: most {k1} that the market takes",
    "/players/*/factories/*/price": "{k0}: price of {k1}",
    "/players/*/factories/*/makes": "{k0}: {k1} made",
    "/players/*/factories/*/costs": "{k0}: costs of {k1}",
    "/neutral/appeal/*": "neutral player’s appeal of {k0}",
    "/neutral/sells/*": "neutral player: most {k0} that the market takes",
    "/demanded/*": "demand for {k0}",
    "/wage": "wage of a worker",
    "/production/made": "goods made",
    "/production/takes": "goods the market takes",
    "/production/left": "goods left over",
    "/sales/@": "{k0}: goods sold at home",
    **solo.PATHS,
}

PARTS: Texts = {  # that forms fold
    "/players/*/factories/*": "",
    "/players/*/levels": "development tracks",
    "/supply": "development cards in the supply",
    "/demand": "demand markers",
    "/neutral": "neutral player",
    "/solo": "automas",
}


def formula(b: Board, keys: Sequence[str]) -> str:
    """Write what a figure that the board shows is worked out from: "8 × £4 wages + £6 fixed costs"."""
    if keys[0] != "players" or not int(keys[1]) < len(b.players):
        return ""
    player = b.players[int(keys[1])]
    match keys[2:]:
        case ["worth"] if not player.bankrupt:
            return f"{player.shares} × {pounds(player.share_value)}"
        case ["appeal", good]:
            return factory_formula(b, player, good, "total")
        case ["factories", good, what]:
            return factory_formula(b, player, good, what)
    return ""


def factory_formula(b: Board, player: Player, good: str, what: str) -> str:
    factory = next((each for name, each in player.open() if name == good), None)
    if factory is None:
        return ""
    match what:
        case "total":
            slot, office, quality, distribution = factories.appeal_parts(b, good, factory)
            return say(
                "slot {slot} + office {office} + quality {quality} + distribution {distribution}",
                slot=slot,
                office=office,
                quality=quality,
                distribution=distribution,
            )
        case "price":
            shown = [pounds(n) for n in factories.price_parts(b, good, factory)]
            return say(
                "slot {slot} + office {office} + quality {quality}", slot=shown[0], office=shown[1], quality=shown[2]
            )
        case "makes":
            cards = [str(n) for n in factories.goods_of_cards(b, factory)]
            return say(
                "factory {n} + worker cards {cards}", n=b.tile(good, factory).goods, cards=" + ".join(cards) or "0"
            )
        case "costs":
            cost = factories.cost(b, player, good, factory, len(factory.workers))
            return say(
                "{workers} × {wage} wages − {cheaper} by the Foreman + {maintenance} maintenance + {fixed} fixed costs"
                if cost.cheaper
                else "{workers} × {wage} wages + {maintenance} maintenance + {fixed} fixed costs",
                workers=cost.workers,
                wage=pounds(cost.wage),
                cheaper=pounds(cost.cheaper),
                maintenance=pounds(cost.maintenance),
                fixed=pounds(cost.fixed),
            )
    return ""
