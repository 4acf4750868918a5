"""The expert rules and the rulings of Arkwright: The Card Game, in plain words. All off is the basic game."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.web.games.arkwright_card import solo
from daybook.web.words.say import N_, Texts

OPTIONS: Texts = {
    "restrictions": "Decade restrictions",
    "choose_factories": "Start factories by choice",
    "no_ships": "No ships at the start",
    "random_supply": "Random development cards",
    "start_shares": "Shares before the game",
    "extra_actions": "Extra production and early shipping",
    "patron_needs_sale": "A Patron needs an appeal above the demand",
    "top_point_optional": "The point for the highest appeal may be left",
    "extra_decay": "Extra production uses up distribution",
    "start_choice_reverse": "Start developments are chosen in reverse order",
    "same_turn_by_copy": "Another copy of a card just discarded may be taken",
    "solo_idle_share": "An automa without a factory gains a share",
    "solo_automa_bonus": "Automas compete for the highest appeal",
    "solo_start_development": "Start development in the solo game",
    "solo_start_development.free": "a step on the board, a card, or none",
    "solo_start_development.board": "only a step on the board",
    "solo_start_development.none": "none",
    **solo.OPTIONS,
}
HINTS: Texts = {
    "restrictions": (
        "The second step on a track of your board waits for decade II or III, unless you own the card that lifts it. "
        "Inventor (8) may be discarded for a step on two tracks."
    ),
    "choose_factories": "Each player chooses two start factories, once around the table and once back, and then a start development.",
    "no_ships": "The shipping card begins in the reserve: ships come with the stock exchange.",
    "random_supply": (
        "The supply is dealt at the table, also with Customs Office (2), Broker (6), Developer (9) and Contract (10). "
        "Each player chooses a start development."
    ),
    "start_shares": "Before the first round each player may buy up to five shares for £10 each.",
    "extra_actions": "Two more actions: produce for the storehouse, and ship stored goods.",
    "patron_needs_sale": "Without it a Patron sells a good even where the appeal does not reach the demand.",
    "top_point_optional": "Without it the highest appeal always raises the share value.",
    "extra_decay": "Without it distribution is used up only in the production phase.",
    "start_choice_reverse": "Without it the choice goes clockwise from the starting player.",
    "same_turn_by_copy": "Without it the whole type is out of reach until the next turn.",
    "solo_idle_share": "Without it an automa that has no factory of the active good does nothing.",
    "solo_automa_bonus": "Without it the highest appeal is compared without the automas.",
    **solo.HINTS,
}
GROUPS: Sequence[tuple[str, tuple[str, ...]]] = (
    (
        N_("Expert rules: any of them, or none for the basic game"),
        ("restrictions", "choose_factories", "no_ships", "random_supply", "start_shares", "extra_actions"),
    ),
    (
        N_("Rulings: where the rulebook can be read in two ways"),
        ("patron_needs_sale", "top_point_optional", "extra_decay", "start_choice_reverse", "same_turn_by_copy"),
    ),
    (N_("Only in the solo game"), ("solo_idle_share", "solo_automa_bonus", "solo_start_development", *solo.OPTIONS)),
)
