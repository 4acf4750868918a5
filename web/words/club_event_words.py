"""Sentences for entries of a club's record, for histories of tables, seasons and clubs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.tags import tag_of
from daybook.domain.league.club import Club
from daybook.domain.league.club_events import AnyEvent
from daybook.services.days import time_shown
from daybook.web.words.league_words import ROLES, Names, person_name
from daybook.web.words.say import Texts, day_label, join_words, say, say_n

SAYS: Texts = {
    "club_founded": "The club {name} was created by {founder}",
    "club_renamed": "The club is called {name}",
    "club_settings_changed": "The club’s settings were changed",
    "club_time_zone_set": "The club’s days are those of {zone}",
    "club_removed": "The club was removed",
    "club_dissolved": "The club was dissolved",
    "season_cancelled": "The season was cancelled",
    "season_removed": "The season was removed",
    "season_restored": "The season was restored",
    "club_restored": "The club was restored",
    "club_moved": "The club was imported from another Daybook",
    "club_texts_blanked": "The name of a person who was made anonymous was removed from texts",
    "league_removed": "A league was removed",
    "league_restored": "A league was restored",
    "club_member_joined": "{person} joined",
    "club_member_left": "{person} left",
    "club_people_merged": "{merged} and {kept} are one person",
    "club_people_split": "Two merged people are two people again",
    "league_founded": "The league {name} was started",
    "league_changed": "The league {name} was changed",
    "season_opened": "The season {name} was opened",
    "season_changed": "How the season {name} is played was changed",
    "season_player_entered": "{person} plays",
    "season_player_withdrew": "{person} withdrew",
    "season_table_postponed": "Table {table} was postponed",
    "season_seat_restored": "{person} plays at table {table} after all",
    "season_table_planned": "Day and place of table {table} were planned",
    "club_evening_planned": "An evening was planned",
    "club_evening_called_off": "The evening was called off",
    "season_day_proposed": "{person} proposes another day for table {table}",
    "season_day_agreed": "{person} agrees to the proposed day of table {table}",
    "club_challenge_set": "A challenge was set",
    "club_challenge_given_up": "A challenge was given up",
    "club_evening_tables_set": "The tables of the evening were set",
    "season_game_entered": "A recorded game was entered as table {table}",
    "season_recorded_elsewhere": "A game that was recorded on another Daybook was entered as table {table}",
    "season_game_removed": "The game of table {table} was removed",
    "season_result_typed": "A result of table {table} was typed in",
    "season_plays_imported": "Plays of another program were imported",
    "season_plays_updated": "Changes at the source of imported plays were adopted or answered",
    "season_plays_merged": "The plays of tables {table} and {into_table} are one play",
    "season_play_split": "A merged play was made two plays again",
    "season_import_undone": "An import was undone",
    "season_result_voided": "Table {table} was made void",
    "season_separate_games_confirmed": "Tables {table} and {other_table} are two different games",
    "season_closed": "The season was closed",
    "season_final_order_kept": "The final order stays although results have changed",
    "season_reopened": "The season was opened again",
}


class ClubEventShown(Frozen):
    """Entry of a club's record; `by` is its author's name."""

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
    return say("{people} play at table {table}", table=event.table, people=people)


def _substitute_sentence(event: Any, names: Names) -> str:
    substitute, person = person_name(event.substitute, names), person_name(event.person, names)
    return say(
        "{substitute} plays for {person} at table {table}", substitute=substitute, person=person, table=event.table
    )


def _forfeit_sentence(event: Any, names: Names) -> str:
    person = person_name(event.person, names)
    if event.automa:
        return say("{person} did not come to table {table}; an automa takes the seat", person=person, table=event.table)
    return say("{person} did not come to table {table}", person=person, table=event.table)


def _excuse_sentence(event: Any, names: Names) -> str:
    person = person_name(event.person, names)
    if event.excused:
        return say("{person} does not play round {round}", person=person, round=event.round)
    return say("{person} plays round {round} after all", person=person, round=event.round)


def _round_deadline_sentence(event: Any, names: Names) -> str:
    if event.until:
        return say("Round {round} is played until {day}", round=event.round, day=day_label(event.until))
    return say("Round {round} has no last day any more", round=event.round)


def _who_sat_sentence(event: Any, names: Names) -> str:
    people = join_words([person_name(person, names) for person in event.seats])
    return say("At table {table}, {people} played, in seat order", table=event.table, people=people)


def _penalty_sentence(event: Any, names: Names) -> str:
    name = person_name(event.person, names)
    if event.points < 0:
        return say_n("{person} gets {n} point back", "{person} gets {n} points back", -event.points, person=name)
    return say_n("{person} loses {n} point", "{person} loses {n} points", event.points, person=name)


def _team_sentence(event: Any, names: Names) -> str:
    people = join_words([person_name(person, names) for person in event.people])
    if event.name:
        return say("{people} play for the team {name}", people=people, name=event.name)
    return say("{people} have no team", people=people)


def _handicap_sentence(event: Any, names: Names) -> str:
    people = join_words([person_name(person, names) for person in event.people])
    return say_n(
        "{people} get a handicap of {n} point a game",
        "{people} get a handicap of {n} points a game",
        event.points,
        people=people,
    )


def _lot_sentence(event: Any, names: Names) -> str:
    people = ", ".join(person_name(person, names) for person in event.people)
    return say("A lot was drawn: {people}", people=people)


def _accepted_sentence(event: Any, names: Names) -> str:
    if event.game:
        return say("The result of table {table} was accepted although the rules disagree", table=event.table)
    if event.season:
        return say("The result of table {table} was confirmed", table=event.table)
    return say("The play was approved: table {table}", table=event.table)


def _absence_sentence(event: Any, names: Names) -> str:
    name = person_name(event.person, names)
    if event.absent:
        return say("{person} cannot come to table {table}", person=name, table=event.table)
    return say("{person} can come to table {table}", person=name, table=event.table)


ANSWERS: Texts = {"yes": "{person} is coming", "maybe": "{person} may be coming", "no": "{person} is not coming"}


def _answer_sentence(event: Any, names: Names) -> str:
    return say(ANSWERS[event.answer], person=person_name(event.person, names))


WORKED_OUT: Mapping[str, Callable[[Any, Names], str]] = {
    "club_roles_given": _roles_sentence,
    "club_evening_answered": _answer_sentence,
    "season_schedule_drawn": _draw_sentence,
    "season_seats_changed": _seats_sentence,
    "season_seating_corrected": _who_sat_sentence,
    "season_substitute_seated": _substitute_sentence,
    "season_forfeit_recorded": _forfeit_sentence,
    "season_player_excused": _excuse_sentence,
    "season_round_deadline_set": _round_deadline_sentence,
    "season_penalty_given": _penalty_sentence,
    "season_team_set": _team_sentence,
    "season_handicap_set": _handicap_sentence,
    "season_lot_drawn": _lot_sentence,
    "season_result_accepted": _accepted_sentence,
    "season_absence_reported": _absence_sentence,
}


def club_event_shown(club: Club, event: AnyEvent, names: Names) -> ClubEventShown:
    """Describe an entry of a club's record."""
    tag = tag_of(type(event))
    if tag in WORKED_OUT:
        says = WORKED_OUT[tag](event, names)
    else:
        fields = {name: getattr(event, name) for name in event.__struct_fields__}
        says = say(
            SAYS[tag],
            **{
                name: person_name(str(value), names) if name in ("person", "founder", "kept", "merged") else value
                for name, value in fields.items()
            },
        )
    by = names.get(event.by) or (say("the administrator") if " " in event.by else say("someone"))
    if club.moved is not None and event.step < club.moved.step:
        by = say("{name}, on another Daybook", name=by)
    return ClubEventShown(event.step, time_shown(club, event.at), by, says, getattr(event, "why", ""))


def people_in(events: list[AnyEvent]) -> set[str]:
    """Return everyone named in these entries."""
    people: set[str] = set()
    for event in events:
        people.add(event.by)
        for name in ("person", "founder", "kept", "merged", "substitute"):
            people.add(str(getattr(event, name, "")))
        for name in ("seats", "people"):
            people.update(getattr(event, name, ()))
    return people
