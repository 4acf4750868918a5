"""Words for what every record holds, whatever its game: rulings, take-backs, counts, leases, and who wrote an entry."""

from __future__ import annotations

from collections.abc import Mapping

from daybook.domain.kernel.chronicle import numbered_place_of
from daybook.web.words.say import N_, Names, day_label, say

COUNTED = N_("Counted; the record says something else: {places}")
COUNTED_OTHERWISE = N_("Counted; the record says something else")
COUNTED_ALIKE = N_("Counted: everything matches the record")
CLAIM_CLOSED = N_("Claim {claim} is closed")
CLAIM_WITHDRAWN = N_("Claim {claim} is withdrawn")
LEASED_TO = {
    "phone": N_("{name} records this game on a phone"),
    "tablet": N_("{name} records this game on a tablet"),
    "computer": N_("{name} records this game on a computer"),
}
LEASE_TAKEN = {
    "phone": N_("From here on the game is recorded on a phone"),
    "tablet": N_("From here on the game is recorded on a tablet"),
    "computer": N_("From here on the game is recorded on a computer"),
}
CLOCK_SLACK = 60  # seconds by which a device's clock may be wrong without a word
CLOCK_AHEAD = N_("its clock is {time} fast")
CLOCK_BEHIND = N_("its clock is {time} slow")
RULINGS = {
    "ruling_proposed": {
        "play_on": N_("Proposed for claim {claim}: what was played stands"),
        "adjusted": N_("Proposed for claim {claim}: it stands, and the board is corrected"),
        "rewound": N_("Proposed for claim {claim}: back to step {to}"),
    },
    "claim_ruled": {
        "play_on": N_("Ruled on claim {claim}: what was played stands"),
        "adjusted": N_("Ruled on claim {claim}: it stands, and the board is corrected"),
        "rewound": N_("Ruled on claim {claim}: back to step {to}"),
    },
}
FIRST_RULING = {
    "kept": N_("what the first ruling did to the board is kept"),
    "undone": N_("what the first ruling did to the board is undone"),
}
TAKEN_BACK = {
    "table": N_("The table takes back everything after step {to}"),
    "mistyped": N_("Mistyped: everything after step {to} is struck out"),
    "ruling": N_("By a ruling, everything after step {to} is undone"),
}
REDONE = N_("Redone: everything to step {to} stands again")
ADJUSTED = {
    "table": N_("The table corrects {places}"),
    "mistyped": N_("The record is corrected: {places}"),
    "ruling": N_("A ruling changes {places}"),
}
CAUSES = {
    "table": N_("The table took it back"),
    "mistyped": N_("It was mistyped"),
    "ruling": N_("An umpire made this ruling"),
}
STATUSES = {"running": N_("being played"), "closed": N_("finished"), "abandoned": N_("given up")}
RECORDED = {"live": N_("live, at the table"), "notes": N_("afterwards, from notes"), "memory": N_("from memory")}
KINDS_OF_GAME = {"table": N_("played at a table"), "practice": N_("practice, played by the program")}
SOURCES = {
    "text": N_("the rulebook says so"),
    "example": N_("follows from an example in the rulebook"),
    "public": N_("a public source"),
    "assumed": N_("a placeholder: compare it with your box"),
    "box": N_("read off a group's own box"),
}
ROLES = {
    "scorekeeper": N_("the scorekeeper"),
    "practice": N_("the practice dealer"),
    "import": N_("an imported record"),
}


def cause_label(cause: str) -> str:
    return say(CAUSES[cause])


def status_label(status: str) -> str:
    return say(STATUSES[status])


def recorded_label(recorded: str) -> str:
    return say(RECORDED[recorded])


def day_of_play_sentence(day: str, before: str) -> str:
    """What was said of the day on which a game was played. before: what was said until then."""
    if not day:
        return say("It is no longer said that it was played on {before}", before=day_label(before))
    if before:
        return say("It was played on {day}, not on {before}", day=day_label(day), before=day_label(before))
    return say("It was played on {day}", day=day_label(day))


def kind_of_game_label(kind: str) -> str:
    return say(KINDS_OF_GAME[kind])


def source_label(tag: str) -> str:
    return say(SOURCES[tag])


def by_label(by: str, names: Names, writers: Mapping[str, str] = {}) -> str:
    """Who wrote an entry down. writers: what people who were signed in are called, by id."""
    place, _, writer = by.partition("@")
    match numbered_place_of(by):
        case ("seat", seat) if seat < len(names):
            return names[seat]
        case ("umpire", umpire):
            label = say("umpire {number}", number=umpire + 1)
        case _:
            label = say(ROLES[place]) if place in ROLES else place
    name = writers.get(writer, "")
    return say("{name}, {role}", name=name, role=label) if name else label
