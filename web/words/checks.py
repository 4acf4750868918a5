"""What each check of the rules holds a decision to, as a player would say it: for the page that explains a step.

A check that has no words here is named after its function, so that a new game's page says something readable at once.
"""

from __future__ import annotations

from collections.abc import Mapping

from daybook.web.games.arkwright_card.checks import CHECKS as CARD_GAME
from daybook.web.games.water_frame.checks import CHECKS as WATER_FRAME
from daybook.web.words.say import N_, say

COMMON: Mapping[str, str] = {
    "game_on": N_("the game is not over"),
    "by_table": N_("it is turned up or drawn at the table"),
    "its_turn": N_("it is this player’s turn"),
    "at_table": N_("the seat is one of this table"),
    "in_hand": N_("the card can be in this hand"),
    "can_pay": N_("there is money to pay for it"),
    "copies_left": N_("a copy of the card is left"),
    "on_offer": N_("it is one of the decisions open now"),
}
BY_GAME: Mapping[str, Mapping[str, str]] = {
    "arkwright_card": CARD_GAME,
    "water_frame": WATER_FRAME,
    "making_profit": {
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
        "named": N_("the card is named"),
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
    },
    "london_markets": {
        "awaited": N_("this is what is awaited now"),
        "whole_hand": N_("it is a whole starting hand"),
        "cards_to_deal": N_("these cards are left to deal"),
        "five_markets": N_("each market has one offer card"),
        "an_auction_card": N_("the bottom card is not a closed one"),
        "before_start": N_("the piles of special cards are not in use yet"),
        "about_equal": N_("the piles are about equal"),
        "three_markets": N_("the merchants stand on three different markets"),
        "not_revealed": N_("the market card was not revealed before"),
        "fits_bottom": N_("it goes with the card at the bottom"),
        "just_shown": N_("money was just shown"),
        "agrees": N_("the record has the same"),
        "turn_to_place": N_("it is this player’s turn to place a bar"),
        "market_open": N_("the market has room in the set-up"),
        "slot_free": N_("the place in the open layer is free"),
        "in_actions": N_("it is the phase of the actions"),
        "no_action_running": N_("no action is under way"),
        "token_to_choose": N_("no merchant or assistant was chosen in this turn"),
        "merchant_free": N_("the merchant was not used this round"),
        "assistant_there": N_("this assistant is in the game"),
        "assistant_free": N_("the assistant was not used this round"),
        "no_merchant": N_("no merchant stands on that market"),
        "bar_awaited": N_("a bar is to be placed"),
        "name_awaited": N_("a type of goods is to be named"),
        "pile_stocked": N_("the pile has cards"),
        "home_pile_used_up": N_("the market’s own pile is used up"),
        "token_chosen": N_("a merchant or an assistant was chosen"),
        "play_left": N_("another special card may be played this round"),
        "late_enough": N_("the card may be played in this round"),
        "market_named": N_("a market is named where the card needs one"),
        "bar_left": N_("the player has a bar left to place"),
        "condition_met": N_("the card pays something"),
        "in_replenish": N_("it is the phase of replenishing"),
        "take_left": N_("a card is left to take"),
        "exchange_left": N_("an exchange is left"),
        "another_type": N_("the types given and taken are different"),
        "given_held": N_("the card given can be in this hand"),
        "taken_stocked": N_("the pile taken from has cards"),
        "takes_done": N_("all cards are taken"),
        "in_auction": N_("it is the phase of the auctions"),
        "offers_open": N_("offers are being made"),
        "a_player": N_("a player offers, not the table"),
        "cards_told": N_("the offer says how many cards of each type"),
        "cards_held": N_("the cards can be in this hand"),
        "another_offer": N_("it is not the offer that is sealed already"),
        "one_offer_each": N_("each player has one offer"),
        "all_held": N_("the cards of all offers can be in the hands"),
        "prize_open": N_("a special card was won in the last round"),
        "its_prize": N_("this player has won it"),
        "piles_left": N_("a special card is left"),
        "in_taking": N_("special cards are being taken"),
        "its_choice": N_("it is this player’s choice"),
        "pile_awaited": N_("a pile is to be chosen"),
        "pile_there": N_("there is such a pile"),
        "pile_untouched": N_("nobody picked the pile in this draft"),
        "card_awaited": N_("a card of the pile is to be chosen"),
        "card_in_pile": N_("the card lies in the pile"),
    },
}


def check_label(game: str, check: str) -> str:
    """What a check holds a decision to: the merchant was not used this round."""
    text = BY_GAME.get(game, {}).get(check) or COMMON.get(check)
    return check.replace("_", " ") if text is None else say(text)
