"""Words for entries of every game's record: rulings, take-backs, counts, leases and authors."""

from __future__ import annotations

from collections.abc import Mapping

from daybook.domain.kernel.chronicle import numbered_place_of
from daybook.web.words.say import N_, Names, Texts, day_label, say

COUNTED = N_("The count differs from the record: {places}")
COUNTED_OTHERWISE = N_("The count differs from the record")
COUNTED_ALIKE = N_("The count matches the record")
CLAIM_CLOSED = N_("Claim {claim} is closed")
CLAIM_WITHDRAWN = N_("Claim {claim} is withdrawn")
LEASED_TO: Texts = {
    "phone": "{name} records this game on a phone",
    "tablet": "{name} records this game on a tablet",
    "computer": "{name} records this game on a computer",
}
LEASE_TAKEN: Texts = {
    "phone": "From here on, the game is recorded on a phone",
    "tablet": "From here on the game is recorded on a tablet",
    "computer": "From here on the game is recorded on a computer",
}
TOLERATED_CLOCK_SECONDS = 60  # error of a device's clock that is not mentioned
CLOCK_AHEAD = N_("its clock is {time} fast")
CLOCK_BEHIND = N_("its clock is {time} slow")
RULINGS = N_(
    {
        "ruling_proposed": {
            "play_on": "Proposed for claim {claim}: what was played stands",
            "adjusted": "Proposed for claim {claim}: what was played stands, and the board is corrected",
            "rewound": "Proposed for claim {claim}: back to step {to}",
        },
        "claim_ruled": {
            "play_on": "Ruled on claim {claim}: what was played stands",
            "adjusted": "Ruled on claim {claim}: what was played stands, and the board is corrected",
            "rewound": "Ruled on claim {claim}: back to step {to}",
        },
    }
)
FIRST_RULING: Texts = {
    "kept": "the first ruling’s changes to the board are kept",
    "undone": "the first ruling’s changes to the board are undone",
}
TAKEN_BACK: Texts = {
    "table": "The table undoes everything after step {to}",
    "mistyped": "Mistyped: nothing after step {to} counts",
    "ruling": "A ruling undoes everything after step {to}",
}
TAKEN_BACK_ONE: Texts = {
    "table": "The table undoes step {n}",
    "mistyped": "Mistyped: step {n} does not count",
    "ruling": "A ruling undoes step {n}",
}
USUAL_STATEMENTS: tuple[str, ...] = N_(  # suggested for claims, and kept in English
    (
        "It was mistyped",
        "This step never happened",
        "This turn never happened",
        "This round never happened",
        "A figure is wrong",
    )
)
FIGURE_STATEMENT = USUAL_STATEMENTS[-1]
REDONE = N_("Redone: everything up to step {to} counts again")
ADJUSTED: Texts = {
    "table": "The table corrects {places}",
    "mistyped": "The record is corrected: {places}",
    "ruling": "A ruling changes {places}",
}
CAUSES: Texts = {
    "table": "The table took it back",
    "mistyped": "It was mistyped",
    "ruling": "An umpire made this ruling",
}
STATUSES: Texts = {"running": "being played", "closed": "finished", "abandoned": "abandoned"}
RECORDED: Texts = {"live": "live, at the table", "notes": "afterwards, from notes", "memory": "from memory"}
KINDS_OF_GAME: Texts = {"table": "played at a table", "practice": "practice, played by the program"}
SOURCES: Texts = {
    "text": "the rulebook says so",
    "example": "follows from an example in the rulebook",
    "public": "a public source",
    "assumed": "a placeholder: compare it with your box",
    "box": "from a group’s own box",
}
ROLES: Texts = {"scorekeeper": "the scorekeeper", "practice": "the practice dealer", "import": "an imported record"}


def cause_label(cause: str) -> str:
    return say(CAUSES[cause])


def status_label(status: str) -> str:
    return say(STATUSES[status])


def recorded_label(recorded: str) -> str:
    return say(RECORDED[recorded])


def day_of_play_sentence(day: str, before: str) -> str:
    """Describe a statement about the day of play.

    Args:
        before: the previous statement.
    """
    if not day:
        return say("The day of play, {before}, was removed", before=day_label(before))
    if before:
        return say("It was played on {day}, not on {before}", day=day_label(day), before=day_label(before))
    return say("It was played on {day}", day=day_label(day))


def kind_of_game_label(kind: str) -> str:
    return say(KINDS_OF_GAME[kind])


def source_label(tag: str) -> str:
    return say(SOURCES[tag])


def by_label(by: str, names: Names, writers: Mapping[str, str] = {}) -> str:
    """Return the name of an entry's author.

    Args:
        writers: names of signed-in users by id.
    """
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


def joined_note(name: str) -> str:
    """Return the note in a record that continues a game with one more player."""
    return say("{name} joined here. The steps before were copied from the record without {name}.", name=name)
