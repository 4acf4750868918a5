"""The expert rules and the rulings of Arkwright: The Card Game, in plain words. All off is the basic game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from daybook.web.games.arkwright_card import solo
from daybook.web.words.say import N_

OPTIONS: Mapping[str, str] = {
    "restrictions": N_("Decade restrictions"),
    "choose_factories": N_("Start factories by choice"),
    "no_ships": N_("No ships at the start"),
    "random_supply": N_("Development cards by chance"),
    "start_shares": N_("Shares before the game"),
    "extra_actions": N_("Extra production and early shipping"),
    "patron_needs_sale": N_("A Patron needs an appeal above the demand"),
    "top_point_optional": N_("The point for the highest appeal may be left"),
    "extra_decay": N_("Extra production uses up distribution"),
    "start_choice_reverse": N_("Start developments are chosen in reverse order"),
    "same_turn_by_copy": N_("Another copy of a card just discarded may be taken"),
    "solo_idle_share": N_("An automa without a factory gains a share"),
    "solo_automa_bonus": N_("Automas compete for the highest appeal"),
    "solo_start_development": N_("Start development in the solo game"),
    "solo_start_development.free": N_("a step on the board, a card, or none"),
    "solo_start_development.board": N_("a step on the board alone"),
    "solo_start_development.none": N_("none"),
    **solo.OPTIONS,
}
HINTS: Mapping[str, str] = {
    "restrictions": N_(
        "The second step on a track of your board waits for decade II or III, unless you own the card that lifts it. "
        "Inventor (8) may be discarded for a step on two tracks."
    ),
    "choose_factories": N_(
        "Each player chooses two start factories, once around the table and once back, and then a start development."
    ),
    "no_ships": N_("The shipping card begins in the reserve: ships come with the stock exchange."),
    "random_supply": N_(
        "The supply is dealt at the table, also with Customs Office (2), Broker (6), Developer (9) and Contract (10). "
        "Each player chooses a start development."
    ),
    "start_shares": N_("Before the first round each player may buy up to five shares for £10 each."),
    "extra_actions": N_("Two more actions: produce for the storehouse, and ship stored goods."),
    "patron_needs_sale": N_("Without it a Patron sells a good even where the appeal does not reach the demand."),
    "top_point_optional": N_("Without it the highest appeal always raises the share value."),
    "extra_decay": N_("Without it distribution is used up in the production phase alone."),
    "start_choice_reverse": N_("Without it the choice goes clockwise from the starting player."),
    "same_turn_by_copy": N_("Without it the whole type is out of reach until the next turn."),
    "solo_idle_share": N_("Without it an automa that has no factory of the active good does nothing."),
    "solo_automa_bonus": N_("Without it the highest appeal is compared without the automas."),
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
    (N_("In the solo game alone"), ("solo_idle_share", "solo_automa_bonus", "solo_start_development", *solo.OPTIONS)),
)
