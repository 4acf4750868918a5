"""Names of correctable places on the board of Water Frame."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.domain.games.water_frame.board import Board
from daybook.web.games.water_frame.values import pounds
from daybook.web.words.say import Texts, say

PATHS: Texts = {
    "/players/*/cash": "{k0}: cash",
    "/players/*/shares": "{k0}: shares held",
    "/players/*/bank": "{k0}: shares in the bank",
    "/players/*/loans": "{k0}: loans",
    "/players/*/space": "{k0}: space of the share value",
    "/players/*/crew": "{k0}: crews",
    "/players/*/factories/*": "{k0}: {k1} factory",
    "/players/*/factories/*/level": "{k0}: level of {k1}",
    "/players/*/factories/*/price": "{k0}: price of {k1}",
    "/players/*/factories/*/quality": "{k0}: quality marker of {k1}",
    "/players/*/factories/*/distribution": "{k0}: distribution marker of {k1}",
    "/players/*/factories/*/workers": "{k0}: workers of {k1}",
    "/players/*/factories/*/workers/*": "{k0}: workers of {k1}, row {n2}",
    "/players/*/factories/*/machines": "{k0}: machines of {k1}",
    "/players/*/factories/*/machines/*": "{k0}: machines of {k1}, row {n2}",
    "/players/*/factories/*/additional": "{k0}: additional workers of {k1}",
    "/players/*/factories/*/obsolete": "{k0}: {k1} is obsolete",
    "/players/*/factories/*/marked": "{k0}: {k1} is marked",
    "/players/*/chart/*": "{k0}: marker on the £{k1} row",
    "/players/*/slots/*": "{k0}: warehouse slot of {k1}",
    "/players/*/slots/row": "{k0}: workers at the rows of the warehouse",
    "/players/*/stored/*": "{k0}: {k1} stored",
    "/players/*/contracts/*": "{k0}: contract for {k1}",
    "/players/*/markers": "{k0}: grey markers",
    "/players/*/ships": "{k0}: ships",
    "/players/*/tiles": "{k0}: development tiles",
    "/players/*/tiles/*": "{k0}: development tile {k1}",
    "/players/*/tiles/*/kind": "{k0}: which development tile is number {k1}",
    "/players/*/tiles/*/good": "{k0}: factory of development tile {k1}",
    "/players/*/tiles/*/uses": "{k0}: uses of development tile {k1}",
    "/players/*/tally": "{k0}: what was added up",
    "/players/*/tally/income": "{k0}: income from sales so far",
    "/players/*/tally/shipped": "{k0}: income from ships so far",
    "/players/*/tally/wages": "{k0}: wages paid so far",
    "/players/*/tally/upkeep": "{k0}: upkeep paid so far",
    "/players/*/tally/goods": "{k0}: goods sold so far",
    "/players/*/tally/goods/*": "{k0}: {k1} sold so far",
    "/players/*/tally/appeal_bonuses": "{k0}: appeal bonuses so far",
    "/players/*/tally/sales_bonuses": "{k0}: sales bonuses so far",
    "/players/*/tally/spaces_up": "{k0}: share spaces gained so far",
    "/players/*/tally/spaces_down": "{k0}: share spaces lost so far",
    "/players/*/tally/contracts": "{k0}: contracts shipped so far",
    "/market": "workers on the job market",
    "/fired": "workers on the fired space",
    "/box": "workers in the box",
    "/importers/*": "importer of {k0}",
    "/tiles/*": "tiles laid out: {k0}",
    "/mat/*": "row {k0} of the mat",
    "/mat/*/markers": "grey markers on row {k0} of the mat",
    "/mat/*/ships": "ships on row {k0} of the mat",
    "/economy/*": "economy markers of {k0}",
    "/closed_rows/*": "£{k0} row closed until",
    "/events": "events",
    "/start": "start player",
    "/decade": "decade",
    "/cycle": "cycle",
    # figures that the board shows and does not hold
    "/players/*/value": "{k0}: share value",
    "/players/*/worth": "{k0}: value of all shares",
    "/players/*/factories/*/appeal": "{k0}: appeal of {k1}",
    "/players/*/factories/*/base": "{k0}: base quality of {k1}",
    "/players/*/factories/*/makes": "{k0}: {k1} made",
    "/holding/@/space": "{k0}: space of the share value",
    "/holding/@/value": "{k0}: share value",
    "/holding/@/shares": "{k0}: shares held",
    "/holding/@/worth": "{k0}: value of all shares",
    "/holding/@/bank": "{k0}: shares in the bank",
    "/appeal/*/@": "{k1}: appeal of {k0}",
    "/demand/*": "demand for {k0}",
    "/wage": "wage of a worker",
    "/turn/paid": "paid in this turn",
    "/sale/demand": "demand left",
    "/sale/importer": "sold by the importer",
    "/sale/made/@": "{k0}: goods made",
    "/sale/sold/@": "{k0}: goods sold",
    "/sale/unsold/@": "{k0}: goods unsold",
}

PARTS: Texts = {  # that forms fold
    "/players/*/factories/*": "",
    "/players/*/chart": "chart",
    "/players/*/slots": "warehouse",
    "/players/*/stored": "warehouse",
    "/players/*/contracts": "contracts",
    "/players/*/tiles": "development tiles",
    "/importers": "importers",
    "/tiles": "development tiles laid out",
    "/mat": "administration mat",
    "/economy": "economy markers",
    "/closed_rows": "closed rows",
}


def formula(b: Board, keys: Sequence[str]) -> str:
    """Write what a figure that the board shows is worked out from: "7 × £13"."""
    match keys:
        case ["players" | "holding", seat, "worth"]:
            player = b.players[int(seat)]
            return f"{player.shares} × {pounds(b.printed.values[player.space])}"
        case ["appeal", good, seat] | ["players", seat, "factories", good, "appeal"]:
            factory = b.players[int(seat)].factories[good]
            if factory is not None:
                return say(
                    "quality {quality} + distribution {distribution} − price {price}",
                    quality=b.quality(int(seat), good),
                    distribution=factory.distribution,
                    price=factory.price,
                )
    return ""
