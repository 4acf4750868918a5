"""Sentences of the rules that say it better with names."""

from __future__ import annotations

from collections.abc import Mapping

from daybook.web.words.say import N_, Numbered, by_number

REASONS: Mapping[str, str | Numbered] = {
    "{left} more machines may be added, and {count} are needed": by_number(
        "left",
        "{left} more machine may be added; needed: {count}",
        "{left} more machines may be added, and {count} are needed",
    ),
    "the {good} factory has {count} worker cards; position 1 comes before position 2": by_number(
        "count",
        "the {good} factory has {count} worker card; position 1 comes before position 2",
        "the {good} factory has {count} worker cards; position 1 comes before position 2",
    ),
    "the {good} factory has {count} worker cards": by_number(
        "count", "the {good} factory has {count} worker card", "the {good} factory has {count} worker cards"
    ),
    "the ships that are ready take {room} goods": by_number(
        "room", "the ships that are ready take {room} good", "the ships that are ready take {room} goods"
    ),
    "{stored} goods are stored there": by_number(
        "stored", "{stored} good is stored there", "{stored} goods are stored there"
    ),
    "{most} goods can be shipped; the others could be sold at home, or are not there": by_number(
        "most",
        "{most} good can be shipped; the others could be sold at home, or are not there",
        "{most} goods can be shipped; the others could be sold at home, or are not there",
    ),
    "the office shows {mode}": N_("the office shows its {mode}"),
    "{card} shows {mode}": N_("{card} shows its {mode}"),
    "factories are upgraded from decade 2 on": N_("factories are upgraded from decade II on"),
    "{ships} ships are ready": by_number("ships", "{ships} ship is ready", "{ships} ships are ready"),
    "lost with {score}: the better automa has {best}": N_("lost with £{score}: the better automa has £{best}"),
    "seat {seat} is bankrupt and out of the game": N_("{seat} is bankrupt and out of the game"),
    "seat {seat} is to decide": N_("{seat} is to decide"),
    "seat {seat} may have {most} development cards": N_("{seat} may have {most} development cards"),
    "seat {seat} has a {card} already": N_("{seat} has {card} already"),
    "seat {seat} has too many development cards": N_("{seat} has too many development cards"),
    "seat {seat} has two cards of a type": N_("{seat} has two cards of a type"),
    "seat {seat} has {count} open factories": N_("{seat} has {count} open factories"),
    "seat {seat} is bankrupt, and has open factories": N_("{seat} is bankrupt, and has open factories"),
    "machines of seat {seat} lie on a part of {cards} cards, with one token for that": N_(
        "machines of {seat} lie on a part of {cards} cards, with one token for that"
    ),
    "seat {seat} has {value} on the track {track}": N_("{seat} has {value} on the {track} track"),
    "seat {seat} has not the highest appeal alone": N_("{seat} has not the highest appeal alone"),
    "a card of seat {seat} lies in two places": N_("a card of {seat} lies in two places"),
    "the Foreman of seat {seat} lies wrong": N_("the Foreman of {seat} lies wrong"),
    "the engineer token of seat {seat} lies wrong": N_("the engineer token of {seat} lies wrong"),
    "nobody is tied with seat {seat}": N_("nobody is tied with {seat}"),
    "only seat {seat} is not bankrupt": N_("only {seat} is not bankrupt"),
    "{card} is not one of the cards of seat {seat}": N_("{seat} does not have {card}"),
    "{card} is not one of the cards that seat {seat} can use here": N_("{seat} cannot use {card} here"),
    "{card} is no other rotated card of seat {seat}": N_("{card} is no other rotated card of {seat}"),
    "{card} does not belong to seat {seat}": N_("{card} does not belong to {seat}"),
    "{card} cannot be rotated for seat {seat}": N_("{card} cannot be rotated for {seat}"),
    "the {good} factory of seat {seat} has a marker off its track": N_(
        "the {good} factory of {seat} has a marker off its track"
    ),
    "the {good} factory of seat {seat} has too many worker cards": N_(
        "the {good} factory of {seat} has too many worker cards"
    ),
    "a worker card of the {good} factory of seat {seat} has no such side": N_(
        "a worker card of the {good} factory of {seat} has no such side"
    ),
    "a worker card of the {good} factory of seat {seat} has no room for its machines": N_(
        "a worker card of the {good} factory of {seat} has no room for its machines"
    ),
    "a quality card of the {good} factory of seat {seat} shows no such value": N_(
        "a quality card of the {good} factory of {seat} shows no such value"
    ),
    "the {good} factory of seat {seat} has too much quality": N_("the {good} factory of {seat} has too much quality"),
    "the distribution card of the {good} factory of seat {seat} shows no such value": N_(
        "the distribution card of the {good} factory of {seat} shows no such value"
    ),
    "a storehouse of the {good} factory of seat {seat} has no room for its goods": N_(
        "a storehouse of the {good} factory of {seat} has no room for its goods"
    ),
}
