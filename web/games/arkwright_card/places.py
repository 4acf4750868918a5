"""Names of correctable places on the board of the Card Game."""

from __future__ import annotations

from daybook.web.games.arkwright_card import solo
from daybook.web.words.say import Texts

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
    "/players/*/factories/*/workers/*": "{k0}: worker card of {k1}, place {k2}",
    "/players/*/factories/*/workers/*/side": "{k0}: side of the worker card of {k1}, place {k2}",
    "/players/*/factories/*/workers/*/machines": "{k0}: machines of {k1}, place {k2}",
    "/players/*/factories/*/quality": "{k0}: quality of {k1}",
    "/players/*/factories/*/quality/*": "{k0}: {k2} of {k1}",
    "/players/*/factories/*/quality/*/value": "{k0}: value of {k2} of {k1}",
    "/players/*/factories/*/quality/*/mode": "{k0}: side of {k2} of {k1}",
    "/players/*/factories/*/distribution": "{k0}: distribution of {k1}",
    "/players/*/factories/*/distribution/card": "{k0}: distribution card of {k1}",
    "/players/*/factories/*/distribution/value": "{k0}: value of the distribution card of {k1}",
    "/players/*/factories/*/storehouses": "{k0}: storehouses of {k1}",
    "/players/*/factories/*/storehouses/*": "{k0}: goods in {k2} of {k1}",
    "/players/*/factories/*/foreman": "{k0}: Foreman beside {k1}",
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
    **solo.PATHS,
}
