"""Commands about the schedule and the planned tables of a season."""

from __future__ import annotations

from daybook.domain.league import club_commands as commands
from daybook.domain.league.club_events import ScheduleDrawn, SubstituteSeated
from daybook.domain.league.club_writing import ClubDraft, produce
from daybook.services.files.validate import check_time
from daybook.services.league.clubs.member_commands import admit_guests
from daybook.services.league.results import season_of
from daybook.services.league.season_draws import propose_draw
from daybook.services.store.daybook import Daybook


def draw_schedule(book: Daybook, draft: ClubDraft, command: commands.DrawSchedule) -> None:
    """Draw what is still to be played, instead of what was drawn before. Raises CannotDrawError."""
    season = season_of(draft.club, command.season)
    drawn = propose_draw(book, draft.club, season, command.seed, rounds=command.rounds, people=command.people)
    for part in drawn.parts:
        draft.add(
            ScheduleDrawn,
            season=season.id,
            rounds=part.rounds,
            fixtures=part.schedule.fixtures,
            byes=part.schedule.byes,
            division=part.division,
            group=part.group,
            seed=drawn.seed,
            unfairness=part.schedule.cost,
            games={
                fixture.table: drawn.games[fixture.table]
                for fixture in part.schedule.fixtures
                if fixture.table in drawn.games
            },
        )


def seat_substitute(book: Daybook, draft: ClubDraft, command: commands.SeatSubstitute) -> None:
    admit_guests(book, draft, [draft.club.person(command.substitute)], command.guests)
    draft.add(
        SubstituteSeated,
        season=command.season,
        table=command.table,
        person=draft.club.person(command.person),
        substitute=draft.club.person(command.substitute),
        why=command.why.strip(),
    )


def plan_table(book: Daybook, draft: ClubDraft, command: commands.PlanTable | commands.PostponeTable) -> None:
    """Say when and where a table meets. Raises MisfitError for an invalid time."""
    if command.when:
        check_time(command.when)
    produce(draft, command)
