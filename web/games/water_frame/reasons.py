"""Sentences of the rules in two forms, and those that pages say better."""

from __future__ import annotations

from daybook.domain.games.water_frame import (
    appeal,
    bank,
    machinery,
    people,
    production,
    setup,
    ship_action,
    stock_exchange,
)
from daybook.web.games.water_frame.values import figure
from daybook.web.words.game_words import RefusalWords
from daybook.web.words.say import N_

REFUSALS = RefusalWords(
    numbered=(
        machinery.ROW_FULL,
        machinery.MACHINES_ALLOWED,
        appeal.LEVELS_ALLOWED,
        people.WORKERS_NEEDED,
        production.TOO_MANY_SHIPS,
        production.TOO_SMALL_SHIPS,
        bank.SHARES_HELD,
        stock_exchange.LOANS_FIRST,
        stock_exchange.LOANS_TO_REPAY,
        stock_exchange.SHARES_IN_BANK,
        stock_exchange.STORED,
        production.GOODS_NEEDED,
        setup.GREY_MARKERS,
        ship_action.SHIP_HOLDS,
        setup.ALL_LIE_OUT,
        setup.LIMIT_LIES_OUT,
        setup.BILL,
    ),
    better=N_(
        {
            "row {row} of the {good} factory has {workers} workers that may be replaced or stand alone, and {alone} of them stand alone": "workers in row {row} of the {good} factory: {workers}; spaces for workers alone: {alone}",
            "no {good} marker with {importer} spaces and {workers} workers is left to come": "no {good} marker with these numbers is to come: importer {importer}, workers {workers}",
            "this level costs £{cost}; £{spent} of £{there} are already spent": "this level costs £{cost}; spent so far: £{spent} of £{there}",
            "the price of {good} costs £{cost} of the administrative costs, and £{left} are unspent": "the price of {good} costs £{cost} of the administrative costs; not yet spent: £{left}",
        }
    ),
    figure=figure,
)
