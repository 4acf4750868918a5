"""What happened in a club, as sentences: for the history of a table, a season, a club."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from daybook.domain.kernel.tags import tag_of
from daybook.domain.league.club_events import AnyEvent
from daybook.web.words.league_words import ROLES, Names, person_name
from daybook.web.words.say import N_, join_words, say, say_n

SAYS: Mapping[str, str] = {
    "club_founded": N_("The club {name} was created by {founder}"),
    "club_renamed": N_("The club is called {name}"),
    "club_settled": N_("What counts where, and who may read, was changed"),
    "club_zone_set": N_("The club’s days are those of {zone}"),
    "club_removed": N_("The club was removed"),
    "club_restored": N_("The club was restored"),
    "league_removed": N_("A league was removed"),
    "league_restored": N_("A league was restored"),
    "club_member_joined": N_("{person} joined"),
    "club_member_left": N_("{person} left"),
    "club_people_merged": N_("{gone} and {kept} are one person"),
    "club_people_split": N_("Two who were merged are two people again"),
    "league_founded": N_("The league {name} was started"),
    "league_settled": N_("The league {name} was changed"),
    "season_opened": N_("The season {name} was opened"),
    "season_settled": N_("How the season {name} is played was changed"),
    "season_player_entered": N_("{person} plays"),
    "season_player_withdrew": N_("{person} withdrew"),
    "season_table_planned": N_("Day and place of table {table} were planned"),
    "club_evening_planned": N_("An evening was planned"),
    "club_evening_called_off": N_("The evening was called off"),
    "season_game_entered": N_("A recorded game was entered as table {table}"),
    "season_game_removed": N_("The game of table {table} was removed"),
    "season_result_typed": N_("A result of table {table} was typed in"),
    "season_plays_imported": N_("Plays of another program were imported"),
    "season_import_undone": N_("An import was undone"),
    "season_result_voided": N_("Table {table} was made void"),
    "season_evenings_apart": N_("Tables {table} and {other} were two evenings"),
    "season_result_accepted": N_("The result of table {table} was accepted although the rules disagree"),
    "season_closed": N_("The season was closed"),
    "season_order_kept": N_("The final order stands, though results have changed"),
    "season_reopened": N_("The season was opened again"),
}


class ClubEventShown(msgspec.Struct, frozen=True):
    """One entry of a club's chronicle. by: the name of who wrote it."""

    step: int
    at: str
    by: str
    says: str
    why: str


def _roles_sentence(event: Any, names: Names) -> str:
    roles = join_words([say(ROLES[role][0]) for role in (*event.roles, "member")])
    return say("{person} is {roles} from now on", person=person_name(event.person, names), roles=roles)


def _draw_sentence(event: Any, names: Names) -> str:
    rounds = join_words([str(number) for number in event.rounds])
    return say_n(
        "{n} table was drawn for round {rounds}",
        "{n} tables were drawn for rounds {rounds}",
        len(event.fixtures),
        rounds=rounds,
    )


def _seats_sentence(event: Any, names: Names) -> str:
    people = join_words([person_name(person, names) for person in event.seats])
    return say("At table {table} sit {people}", table=event.table, people=people)


def _who_sat_sentence(event: Any, names: Names) -> str:
    people = join_words([person_name(person, names) for person in event.seats])
    return say("At table {table} it was {people} who sat, seat by seat", table=event.table, people=people)


def _penalty_sentence(event: Any, names: Names) -> str:
    name = person_name(event.person, names)
    if event.points < 0:
        return say("{person} gets {n} points back", person=name, n=-event.points)
    return say("{person} loses {n} points", person=name, n=event.points)


def _lot_sentence(event: Any, names: Names) -> str:
    people = ", ".join(person_name(person, names) for person in event.people)
    return say("A lot was drawn: {people}", people=people)


ANSWERS: Mapping[str, str] = {
    "yes": N_("{person} comes"),
    "maybe": N_("{person} may come"),
    "no": N_("{person} does not come"),
}


def _answer_sentence(event: Any, names: Names) -> str:
    return say(ANSWERS[event.answer], person=person_name(event.person, names))


WORKED_OUT: Mapping[str, Callable[[Any, Names], str]] = {
    "club_roles_given": _roles_sentence,
    "club_evening_answered": _answer_sentence,
    "season_schedule_drawn": _draw_sentence,
    "season_seats_changed": _seats_sentence,
    "season_who_sat": _who_sat_sentence,
    "season_penalty_given": _penalty_sentence,
    "season_lot_drawn": _lot_sentence,
}


def club_event_shown(event: AnyEvent, names: Names) -> ClubEventShown:
    """One entry, said."""
    tag = tag_of(type(event))
    if tag in WORKED_OUT:
        says = WORKED_OUT[tag](event, names)
    else:
        fields = {name: getattr(event, name) for name in event.__struct_fields__}
        says = say(
            SAYS[tag],
            **{
                name: person_name(str(value), names) if name in ("person", "founder", "kept", "gone") else value
                for name, value in fields.items()
            },
        )
    by = names.get(event.by) or (say("whoever runs this Daybook") if " " in event.by else say("somebody"))
    return ClubEventShown(event.step, event.at, by, says, getattr(event, "why", ""))


def people_in(events: list[AnyEvent]) -> set[str]:
    """Everybody whom these entries name."""
    found: set[str] = set()
    for event in events:
        found.add(event.by)
        for name in ("person", "founder", "kept", "gone"):
            found.add(str(getattr(event, name, "")))
        for name in ("seats", "people"):
            found.update(getattr(event, name, ()))
    return found
