"""Sentences of the rules in two forms, and those that pages say better."""

from __future__ import annotations

from daybook.web.games.water_frame.values import figure
from daybook.web.words.game_words import RefusalWords
from daybook.web.words.say import N_, by_number

REFUSALS = RefusalWords(
    numbered=(
        by_number(
            "machines",
            "row {row} of the {good} factory holds {machines} machine, as many as it may",
            "row {row} of the {good} factory holds {machines} machines, as many as it may",
        ),
        by_number(
            "allowed",
            "£{paid} on this marker allow {allowed} machine, and that many were installed: {steps}",
            "£{paid} on this marker allow {allowed} machines, and {steps} were installed",
        ),
        by_number(
            "allowed",
            "£{paid} on this marker allow {allowed} level, and that many were raised: {steps}",
            "£{paid} on this marker allow {allowed} levels, and {steps} were raised",
        ),
        by_number(
            "count",
            "{count} worker is needed; the job market and the fired space hold {there}",
            "{count} workers are needed; the job market and the fired space hold {there}",
        ),
        by_number(
            "needed", "{needed} good does not need all of these ships", "{needed} goods do not need all of these ships"
        ),
        by_number(
            "needed",
            "{needed} good needs more than a capacity of {capacity}",
            "{needed} goods need more than a capacity of {capacity}",
        ),
        by_number("held", "{held} share is held", "{held} shares are held"),
        by_number("loans", "there is {loans} loan to repay first", "there are {loans} loans to repay first"),
        by_number("loans", "there is {loans} loan", "there are {loans} loans"),
        by_number("there", "the bank holds {there} share", "the bank holds {there} shares"),
        by_number("stored", "{stored} {good} is stored", "{stored} {good} are stored"),
        by_number(
            "needed", "{needed} {good} is needed; there: {there}", "{needed} {good} are needed, and {there} are there"
        ),
        by_number("laid", "row {row} holds {laid} grey marker", "row {row} holds {laid} grey markers"),
        by_number(
            "capacity", "the ship holds {capacity} good, not {needed}", "the ship holds {capacity} goods, not {needed}"
        ),
        by_number("copies", "the {kind} tile lies out", "all {copies} {kind} tiles lie out"),
        by_number(
            "limit",
            "{limit} of {kind} lies out, and a further one leaves the game",
            "{limit} of {kind} lie out, and a further one leaves the game",
        ),
        by_number(
            "count",
            "the factories cost £{bill}, and {count} share brings £{amount}",
            "the factories cost £{bill}, and {count} shares bring £{amount}",
        ),
    ),
    better={
        "row {row} of the {good} factory has {workers} workers that may be replaced or stand alone, and {alone} of them stand alone": N_(
            "workers in row {row} of the {good} factory: {workers}; spaces for workers alone: {alone}"
        ),
        "no {good} marker with {importer} spaces and {workers} workers is to come": N_(
            "no {good} marker with these numbers is to come: importer {importer}, workers {workers}"
        ),
        "{staffed} of {limit} workers stand at the warehouse there: {slot}": N_(
            "workers who stand at {slot}: {staffed} of {limit}"
        ),
        "this level costs £{cost}; £{spent} of £{there} are spent": N_(
            "this level costs £{cost}; spent so far: £{spent} of £{there}"
        ),
        "the price of {good} costs £{cost} of the administrative costs, and £{left} are unspent": N_(
            "the price of {good} costs £{cost} of the administrative costs; not yet spent: £{left}"
        ),
        "there is a {kind} tile among the player's already": N_("the player already has the {kind} tile"),
        "no {good} is stored": N_("none is stored: {good}"),
    },
    figure=figure,
)
