"""Sentences of the rules that say it better with names."""

from __future__ import annotations

from collections.abc import Mapping

from daybook.web.words.say import N_, Numbered, by_number

REASONS: Mapping[str, str | Numbered] = {
    "row {row} of the {good} factory holds {machines} machines, as many as it may": by_number(
        "machines",
        "row {row} of the {good} factory holds {machines} machine, as many as it may",
        "row {row} of the {good} factory holds {machines} machines, as many as it may",
    ),
    "£{paid} on this marker allow {allowed} machines, and {steps} were installed": by_number(
        "allowed",
        "£{paid} on this marker allow {allowed} machine, and that many were installed: {steps}",
        "£{paid} on this marker allow {allowed} machines, and {steps} were installed",
    ),
    "£{paid} on this marker allow {allowed} levels, and {steps} were raised": by_number(
        "allowed",
        "£{paid} on this marker allow {allowed} level, and that many were raised: {steps}",
        "£{paid} on this marker allow {allowed} levels, and {steps} were raised",
    ),
    "{count} workers are needed; the job market and the fired space hold {there}": by_number(
        "count",
        "{count} worker is needed; the job market and the fired space hold {there}",
        "{count} workers are needed; the job market and the fired space hold {there}",
    ),
    "{needed} goods do not need all of these ships": by_number(
        "needed", "{needed} good does not need all of these ships", "{needed} goods do not need all of these ships"
    ),
    "{needed} goods need more than a capacity of {capacity}": by_number(
        "needed",
        "{needed} good needs more than a capacity of {capacity}",
        "{needed} goods need more than a capacity of {capacity}",
    ),
    "{held} shares are held": by_number("held", "{held} share is held", "{held} shares are held"),
    "there are {loans} loans to repay first": by_number(
        "loans", "there is {loans} loan to repay first", "there are {loans} loans to repay first"
    ),
    "there are {loans} loans": by_number("loans", "there is {loans} loan", "there are {loans} loans"),
    "the bank holds {there} shares": by_number(
        "there", "the bank holds {there} share", "the bank holds {there} shares"
    ),
    "{stored} {good} are stored": by_number("stored", "{stored} {good} is stored", "{stored} {good} are stored"),
    "{needed} {good} are needed, and {there} are there": by_number(
        "needed", "{needed} {good} is needed; there: {there}", "{needed} {good} are needed, and {there} are there"
    ),
    "row {row} holds {laid} grey markers": by_number(
        "laid", "row {row} holds {laid} grey marker", "row {row} holds {laid} grey markers"
    ),
    "the ship holds {capacity} goods, not {needed}": by_number(
        "capacity", "the ship holds {capacity} good, not {needed}", "the ship holds {capacity} goods, not {needed}"
    ),
    "all {copies} {kind} tiles lie out": by_number(
        "copies", "the {kind} tile lies out", "all {copies} {kind} tiles lie out"
    ),
    "{limit} of {kind} lie out, and a further one leaves the game": by_number(
        "limit",
        "{limit} of {kind} lies out, and a further one leaves the game",
        "{limit} of {kind} lie out, and a further one leaves the game",
    ),
    "row {row} of the {good} factory has {workers} workers that may be replaced or stand alone, "
    "and {alone} of them stand alone": N_(
        "workers in row {row} of the {good} factory: {workers}; spaces for workers alone: {alone}"
    ),
    "no {good} marker with {importer} spaces and {workers} workers is to come": N_(
        "no {good} marker with these numbers is to come: importer {importer}, workers {workers}"
    ),
    "the factories cost £{bill}, and {count} shares bring £{amount}": by_number(
        "count",
        "the factories cost £{bill}, and {count} share brings £{amount}",
        "the factories cost £{bill}, and {count} shares bring £{amount}",
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
    "seat {seat} is to decide": N_("{seat} is to decide"),
    "seat {seat} decides this, not the table": N_("{seat} decides this, not the table"),
    "there is no seat {seat}": N_("nobody sits there: {seat}"),
    "marker {marker} of seat {seat} cannot lie there": N_("{marker} of {seat} cannot lie there"),
    "quality or distribution of {good} of seat {seat} cannot be": N_(
        "{seat}: quality or distribution of {good} cannot be"
    ),
    "row {row} of {good} of seat {seat} cannot hold {workers} workers and {machines} machines": N_(
        "{seat}: row {row} of {good} cannot hold {workers} workers and {machines} machines"
    ),
    "seat {seat} cannot have these tiles": N_("{seat} cannot have these tiles"),
    "quality goes beyond {most} with an engineer alone, and seat {seat} never had one": N_(
        "quality goes beyond {most} with an engineer alone, and {seat} never had one"
    ),
    "seat {seat} has a grey marker twice": N_("{seat} has a grey marker twice"),
    "the cash of seat {seat} is below 0": N_("{seat}: the cash is below 0"),
    "seat {seat} has loans, and shares": N_("{seat} has loans, and shares"),
    "seat {seat} has {held} shares, {bank} in the bank and {loans} loans, of {all}": N_(
        "{seat} has {held} shares, {bank} in the bank and {loans} loans, of {all}"
    ),
    "seat {seat} stands on no space of the share value track": N_("{seat} stands on no space of the share value track"),
    "a number of goods that seat {seat} stores is below 0": N_("{seat}: a number of stored goods is below 0"),
    "seat {seat} stores too many {good}": N_("{seat} stores too many {good}"),
    "the appeal of {good} of seat {seat} is {appeal}": N_("{seat}: the appeal of {good} is {appeal}"),
    "the price of {good} of seat {seat} is {price}": N_("{seat}: the price of {good} is {price}"),
    "seat {seat} has {ships} ships, and {piers} piers for them": N_(
        "{seat} has {ships} ships, and {piers} piers for them"
    ),
    "the ships of seat {seat} need a crew of {crew}, not {there}": N_(
        "the ships of {seat} need a crew of {crew}, not {there}"
    ),
    "the warehouse workers of seat {seat} do not stand on its spaces": N_(
        "the warehouse workers of {seat} do not stand on its spaces"
    ),
    "the {kind} of seat {seat} does not lie where it must": N_("{seat}: {kind} does not lie where it must"),
    "{count} markers of seat {seat} lie on the chart": N_("{seat}: {count} markers lie on the chart"),
    "{good} of seat {seat} cannot be marked": N_("{seat}: {good} cannot be marked"),
    "{good} of seat {seat} cannot be of level {level}": N_("{seat}: {good} cannot be of level {level}"),
    "{good} of seat {seat} cannot have {count} additional workers": N_(
        "{seat}: {good} cannot have {count} additional workers"
    ),
}
