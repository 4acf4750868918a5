"""Places on the board of Arkwright: The Card Game that a table may put right, by name."""

from __future__ import annotations

from collections.abc import Mapping

from daybook.web.games.arkwright_card import solo
from daybook.web.words.say import N_

PATHS: Mapping[str, str] = {
    "/players/*/money": N_("{k0}: money"),
    "/players/*/shares": N_("{k0}: shares"),
    "/players/*/share_value": N_("{k0}: share value"),
    "/players/*/loans": N_("{k0}: loan tokens"),
    "/players/*/shipping_tokens": N_("{k0}: shipping tokens"),
    "/players/*/ships": N_("{k0}: ships ready"),
    "/players/*/levels/*": N_("{k0}: level of the {k1} track"),
    "/players/*/quality_cap": N_("{k0}: engineer token"),
    "/players/*/factories/*": N_("{k0}: {k1} factory"),
    "/players/*/factories/*/side": N_("{k0}: side of the {k1} factory"),
    "/players/*/factories/*/slot": N_("{k0}: slot of {k1}"),
    "/players/*/factories/*/office": N_("{k0}: office of {k1}"),
    "/players/*/factories/*/appeal": N_("{k0}: appeal marker of {k1}"),
    "/players/*/factories/*/workers": N_("{k0}: worker cards of {k1}"),
    "/players/*/factories/*/workers/*": N_("{k0}: worker card of {k1}, place {k2}"),
    "/players/*/factories/*/workers/*/side": N_("{k0}: side of the worker card of {k1}, place {k2}"),
    "/players/*/factories/*/workers/*/machines": N_("{k0}: machines of {k1}, place {k2}"),
    "/players/*/factories/*/quality": N_("{k0}: quality of {k1}"),
    "/players/*/factories/*/quality/*": N_("{k0}: {k2} of {k1}"),
    "/players/*/factories/*/quality/*/value": N_("{k0}: value of {k2} of {k1}"),
    "/players/*/factories/*/quality/*/mode": N_("{k0}: side of {k2} of {k1}"),
    "/players/*/factories/*/distribution": N_("{k0}: distribution of {k1}"),
    "/players/*/factories/*/distribution/card": N_("{k0}: distribution card of {k1}"),
    "/players/*/factories/*/distribution/value": N_("{k0}: value of the distribution card of {k1}"),
    "/players/*/factories/*/storehouses": N_("{k0}: storehouses of {k1}"),
    "/players/*/factories/*/storehouses/*": N_("{k0}: goods in {k2} of {k1}"),
    "/players/*/factories/*/foreman": N_("{k0}: Foreman beside {k1}"),
    "/players/*/cards": N_("{k0}: development cards"),
    "/players/*/rotated": N_("{k0}: rotated cards"),
    "/players/*/bankrupt": N_("{k0}: bankrupt"),
    "/demand/*": N_("demand marker of {k0}"),
    "/wages": N_("wages marker"),
    "/supply/*": N_("supply: {k0}"),
    "/neutral/*": N_("neutral player’s appeal of {k0}"),
    "/start": N_("starting player"),
    "/decade": N_("decade"),
    "/round": N_("round"),
    **solo.PATHS,
}
