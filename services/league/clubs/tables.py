"""Open a game for a table of a club."""

from __future__ import annotations

from uuid import UUID

import msgspec

from daybook.domain.commands import Abandon
from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league import club_events
from daybook.domain.league.club_commands import NO_GUESTS, EnterGame, Guests
from daybook.domain.league.club_writing import ClubDraft
from daybook.services.disputes import umpires
from daybook.services.league.clubs.game_commands import enter_by_playing, new_table
from daybook.services.league.clubs.newcomers import refuse_strangers
from daybook.services.league.clubs.writing import write
from daybook.services.people.writers import opening_writer
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import OPERATOR, ClubVisit, require
from daybook.services.play import recording
from daybook.services.play.repetition import new_key
from daybook.services.play.writing import Conflict, Receipt, Writer, find_receipt
from daybook.services.store.daybook import Daybook
from daybook.services.written import new_written

OPENED_TWICE = "Another game was opened at this table at the same moment."


def open_table(
    book: Daybook,
    club_id: UUID,
    season: str,
    table: str | None,
    new: recording.NewGame,
    guests: Guests = NO_GUESTS,
    *,
    by: str,
    key: str,
    at: int | None = None,
) -> tuple[Receipt, Receipt]:
    """Open a game for a table with the club's people in its seats, and enter it. Return the receipts of both.

    Rulings in it can be appealed as long as its season says. What would refuse its entry is checked before the game is
    opened.

    Args:
        table: a planned table; None: a new one.
        new: its players are people of the club, with the names that they have there, or new guests.
        guests: the names of new guests, by the ids that were made for them.
        at: the club's step in which the table is not open yet; None: the game is entered whatever was opened since.

    Raises as `recording.open_game` and `write` do.
    """
    club = book.clubs.get(club_id)
    require(ClubVisit(club, by), "open_tables")
    people = [club.person(player.person) for player in new.players]
    refuse_strangers(book, club, people, guests)
    names = {**guests, **book.kept.names(people)}
    players = [
        recording.SeatedPerson(names.get(person, "?"), player.colour, person)
        for person, player in zip(people, new.players, strict=True)
    ]
    entering = EnterGame(season, str(recording.game_id_of_key(key)), table or "")
    repeated = find_receipt(book, club, entering, key)
    if repeated is None:
        _check_entry(book, ClubDraft(club, new_written(by, "tried")), entering, new, people)
    opening = msgspec.structs.replace(new, players=players)
    opened = recording.open_game(book, opening, by=opening_writer("" if by == OPERATOR else by), key=key)
    if repeated is None and season != club_events.BESIDE:
        umpires.set_appeal_hours(book, opened.record, club.season(season).format.appeal_hours)
    try:
        keeper = Writer(by, [Grant("", opened.record, "scorekeeper")])  # opening a game makes its scorekeeper
        return opened, write(book, club_id, entering, by=keeper, key=key, at=at)
    except (Refused, Conflict):
        if not opened.repeated:  # no one has a link to it
            recording.append_command(book, opened.record, Abandon(OPENED_TWICE), by="scorekeeper", key=new_key())
        raise


def _check_entry(
    book: Daybook, draft: ClubDraft, entering: EnterGame, new: recording.NewGame, people: list[str]
) -> None:
    """Raise Refused if a game could not be entered once it is open."""
    enter_by_playing(draft, entering.season, people)
    draft.add(
        club_events.GameEntered,
        season=entering.season,
        table=entering.table or new_table(draft.club, entering.season),
        game="tried",
        ruleset=_game_key(book, new.ruleset_id, new.sheet),
        seats=tuple(people),
    )


def _game_key(book: Daybook, ruleset_id: str, sheet: str | None) -> str:
    """Return the key of a game played with a sheet. Raises UnknownSheetError."""
    if ruleset_id not in RULESETS or not sheet:
        return ruleset_id
    return RULESETS[ruleset_id].key_with(book.sheets.get(ruleset_id, sheet))
