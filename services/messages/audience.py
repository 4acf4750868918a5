"""The recipients of messages. Only people with an account receive one."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from daybook.domain import disputes
from daybook.domain.kernel import events
from daybook.domain.kernel.record import Game
from daybook.domain.league.club import Club, SeasonTable
from daybook.domain.league.club_events import ScheduleDrawn
from daybook.services.messages.occasions import Occasion
from daybook.services.store.daybook import Daybook


def audience_in(club: Club, occasion: Occasion, subject: str) -> list[str]:
    """Return the members that receive a club's message.

    The answers to an evening may still change: who has declined by then is left out when the message is sent.
    """
    first, _, rest = subject.partition(" ")
    match occasion:
        case "place_free":
            people: Iterable[str] = [rest]
        case "webhook_off":
            people = club.organisers()
        case "round_drawn":
            event = club.entries[int(rest)].event
            assert isinstance(event, ScheduleDrawn)
            people = [person for fixture in event.fixtures for person in fixture.seats]
        case "round_ends":
            number, _, _ = rest.partition(" ")
            tables = club.season(first).tables.values()
            people = [p for table in tables if table.round == int(number) for p in _people_at(club, table)]
        case "table_postponed" | "substitute_named" | "result" | "result_to_confirm":
            table = club.season(first).tables.get(rest.partition(" ")[0])
            if table is None:
                return []
            people = club.confirmers(table) if occasion == "result_to_confirm" else _people_at(club, table)
        case "tables_drawn":
            people = [person for table in club.tables_set(club.evenings[first]) for person in table.people]
        case _:
            people = club.people()
    members = dict.fromkeys(club.person(person) for person in people)
    return [person for person in members if club.roles(person)]


def _people_at(club: Club, table: SeasonTable) -> list[str]:
    return [*club.seats(table), *club.names_at(table)]


def is_declined(club: Club, occasion: Occasion, subject: str, person: str) -> bool:
    """Check if a message about an evening no longer concerns a person, since they do not come."""
    if occasion not in (
        "evening_in_a_week",
        "evening_tomorrow",
        "tables_drawn",
        "evening_called_off",
        "evening_review",
    ):
        return False
    evening = club.evenings[subject]
    if occasion == "tables_drawn":
        return all(club.person(person) not in map(club.person, table.people) for table in club.tables_set(evening))
    answered = club.answers(evening).get(club.person(person))
    return answered is not None and answered.answer == "no"


def people_of_claim(book: Daybook, game: Game, number: int, occasion: Occasion, game_id: UUID) -> list[str]:
    """Return the player of the disputed step; of a ruling, also the claimant."""
    claim = disputes.claim_of(game, number)
    step = game.entries[claim.raised.about_step].event
    claimant = claim.raised.seat
    seats = {step.seat} if isinstance(step, events.DecisionRecorded) else set()
    if occasion == "claim":
        seats.discard(claimant)
    elif claimant is not None:
        seats.add(claimant)
    kept = book.kept.game(game_id)
    people = kept.people if kept is not None else ()
    return [people[seat] for seat in sorted(seats) if 0 <= seat < len(people)]
