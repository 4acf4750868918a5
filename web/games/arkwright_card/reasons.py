"""Sentences of the rules in two forms, and those that pages say better."""

from __future__ import annotations

from daybook.domain.games.arkwright_card import building, exchange, extras, invariants, production
from daybook.web.games.arkwright_card.values import figure
from daybook.web.words.game_words import RefusalWords
from daybook.web.words.say import N_

REFUSALS = RefusalWords(
    numbered=(
        invariants.CARDS_OF_A_TYPE,
        building.MACHINES_ADDED,
        building.POSITIONS_IN_ORDER,
        extras.WORKER_CARDS,
        production.ROOM_ON_SHIPS,
        production.GOODS_STORED_THERE,
        production.SHIPPABLE,
        exchange.SHIPS_READY,
    ),
    better={"factories are upgraded from decade 2 on": N_("factories are upgraded from decade II on")},
    figure=figure,
)
