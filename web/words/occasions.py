"""The names of the occasions on which Daybook sends messages."""

from __future__ import annotations

from daybook.web.words.say import Texts

OCCASION_NAMES: Texts = {
    "evening_planned": "An evening is planned",
    "evening_changed": "An evening is changed",
    "evening_in_a_week": "A week before an evening",
    "evening_tomorrow": "A day before an evening",
    "evening_called_off": "An evening is called off",
    "place_free": "Someone who waited gets a chair",
    "tables_drawn": "The tables of an evening are drawn",
    "evening_review": "An evening in review",
    "season_opened": "A season is opened",
    "round_drawn": "A round is drawn",
    "round_ends": "Two days before the last day of a round",
    "table_postponed": "A table is postponed",
    "substitute_named": "Someone substitutes at a table",
    "season_closed": "A season is closed",
    "result": "A result is in, or corrected",
    "year_in_review": "The year in review, every January",
    "result_to_confirm": "You can confirm a result",
    "claim": "A step of your game is disputed",
    "claim_ruled": "A claim in your game is ruled on",
    "webhook_off": "Messages no longer reach the chat of a club that you organise",
    "confirm_address": "Confirm your mail address",
    "sign_in_link": "Your sign-in link",
    "test": "A test",
}
STATE_NAMES: Texts = {"waiting": "waits", "sent": "sent", "failed": "could not be sent", "dropped": "was outdated"}
