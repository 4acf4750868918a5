"""What each check of Making Profit holds a decision to."""

from __future__ import annotations

from collections.abc import Mapping

from daybook.web.words.say import N_

CHECKS: Mapping[str, str] = {
    "hands_cut": N_("no hand is still to be cut"),
    "draw_awaited": N_("a card is to be drawn"),
    "card_in_deck": N_("the deck can hold this card"),
    "hands_dealt": N_("all hands are dealt"),
    "before_first_action": N_("nobody has acted yet"),
    "in_claim_order": N_("it is this player’s place in the order of claims"),
    "cards_drawn": N_("no card is still to be drawn"),
    "two_r1": N_("both cards of the hand are R1"),
    "copies_left_for_claim": N_("the hand can be two R1"),
    "discards_done": N_("no cards are still to be discarded"),
    "no_sale_open": N_("no sale is under way"),
    "action_left": N_("an action is left"),
    "colour_in_play": N_("the colour is one of this game"),
    "in_bank": N_("the bank has a certificate of it"),
    "certificate_left": N_("the player has such a certificate left"),
    "sale_begun": N_("something is being sold"),
    "own_factory": N_("it is the player’s own factory"),
    "card_is_named": N_("the card is named"),
    "drawn_or_kept": N_("the cards were held since the shuffle or drawn after it"),
    "one_set": N_("they are no more than one set"),
    "three_cards": N_("there are three of them"),
    "cards_owed": N_("cards are owed"),
    "cut_in_order": N_("it is this player’s place in the order of cutting hands"),
    "discards_in_order": N_("it is this player’s place in the order of discarding"),
    "cut_card_by_card": N_("no known hand is to be cut, which is done in one go"),
    "hand_empty": N_("the hand is empty"),
    "in_factory": N_("the card lies in the factory"),
    "cut_due": N_("hands are being cut"),
    "cut_at_once": N_("the hand is known, so that it is cut in one go"),
    "keeps_two": N_("two cards are kept"),
    "kept_in_hand": N_("the cards kept can be in this hand"),
}
