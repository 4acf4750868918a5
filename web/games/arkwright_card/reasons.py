"""Sentences of the rules in two forms, and those that pages say better."""

from __future__ import annotations

from daybook.web.games.arkwright_card.values import figure
from daybook.web.words.game_words import RefusalWords
from daybook.web.words.say import N_, by_number

REFUSALS = RefusalWords(
    numbered=(
        by_number(
            "left",
            "{left} more machine may be added; needed: {count}",
            "{left} more machines may be added, and {count} are needed",
        ),
        by_number(
            "count",
            "the {good} factory has {count} worker card; position 1 comes before position 2",
            "the {good} factory has {count} worker cards; position 1 comes before position 2",
        ),
        by_number("count", "the {good} factory has {count} worker card", "the {good} factory has {count} worker cards"),
        by_number("room", "the ships that are ready take {room} good", "the ships that are ready take {room} goods"),
        by_number("stored", "{stored} good is stored there", "{stored} goods are stored there"),
        by_number(
            "most",
            "{most} good can be shipped; the others could be sold at home, or are not there",
            "{most} goods can be shipped; the others could be sold at home, or are not there",
        ),
        by_number("ships", "{ships} ship is ready", "{ships} ships are ready"),
    ),
    better={"factories are upgraded from decade 2 on": N_("factories are upgraded from decade II on")},
    figure=figure,
)
