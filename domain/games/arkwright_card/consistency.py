"""Expectations of Arkwright: The Card Game about a sheet: totals of the box, and the text about lost pictures.

What contradicts itself so that no game opens is refused where the sheet is read.
"""

from __future__ import annotations

from daybook.domain.games.arkwright_card.printed import GOODS, TRACKS
from daybook.domain.kernel.sheet import Expectation, Sheet, stated

EXPERT_CARDS = ("broker", "customs_office", "developer", "contract")
PLAYERS = (2, 3, 4)

# --- sums of numbers ---


def red_arrows(sheet: Sheet, good: str, before: int, after: int) -> int:
    return sum(sheet[f"market.red.{good}"][before:after])


def last_appeals(sheet: Sheet) -> list[int]:
    """Return the appeals of the slot on which a factory opens, on both sides of each."""
    slot = sheet["start.slot"]
    return [sheet[f"factories.{good}.{side}.appeals"][slot - 1] for good in GOODS for side in (1, 2)]


def supplies(sheet: Sheet) -> list[int]:
    """Return the number of development cards in the supply, by number of players."""
    return [sum(sheet.under(f"supply.{players}").values()) for players in PLAYERS]


def expert_only(sheet: Sheet) -> int:
    """Count the expert cards in the basic supplies, which only a random supply may have."""
    return sum(sheet.under(f"supply.{players}").get(card, 0) for players in PLAYERS for card in EXPERT_CARDS)


def rising(rule: str, path: str) -> Expectation:
    """Return the expectation that a list of printed numbers never falls."""
    return Expectation(
        rule,
        "the numbers never fall from one to the next: {expected}, not {found}",
        lambda sheet: (sorted(sheet[path]), sheet[path]),
        (path,),
    )


CONSISTENCY = (
    Expectation(
        "ACG-2.1.4",
        "the box holds {expected} development cards; these numbers make {found}",
        lambda sheet: (sheet["box.development_cards"], len(sheet.under("deck"))),
        ("deck.", "box.development_cards"),
    ),
    stated(
        "ACG-2.8.21",
        "the supplies for 2, 3 and 4 players are {expected} cards; these numbers make {found}",
        [11, 17, 22],
        supplies,
        "supply.",
    ),
    stated(
        "ACG-2.8.22",
        "{expected} cards of the basic supplies are only for a random supply; here {found} are",
        0,
        expert_only,
        "supply.",
    ),
    stated(
        "ACG-2.4.9",
        "a factory opens on a slot with the appeals {expected}; with these numbers {found}",
        [0] * 8,
        last_appeals,
        "factories.",
        "start.slot",
    ),
    stated(
        "ACG-2.6.3",
        "up to appeal 4 of clothes, 3 of cutlery and 3 of lamps there are {expected} red arrows, not {found}",
        [2, 1, 1],
        lambda sheet: [
            red_arrows(sheet, good, 0, appeal) for good, appeal in (("clothes", 4), ("cutlery", 3), ("lamps", 3))
        ],
        "market.red.",
    ),
    *(
        stated(
            "ACG-2.3",
            "the levels of the track are {expected}, not {found}",
            levels,
            lambda sheet, track=track: sheet[f"tracks.{track}.levels"],  # type: ignore[misc]
            f"tracks.{track}.levels",
        )
        for track, levels in zip(TRACKS, ([1, 2, 3], *[[2, 3, 4]] * 4, [0, 1, 2]), strict=True)
    ),
    rising("ACG-2.6.10", "market.wages"),
    rising("ACG-2.7.5", "scoring.share_value_less"),
    rising("ACG-2.7.7", "cards.contract.pays"),
    *(rising("ACG-2.6.6", f"side.{players}.demand") for players in PLAYERS),
)
