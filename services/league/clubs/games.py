"""What is played: games opened and entered at tables, results typed in, put right and made void."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple
from uuid import UUID

import msgspec

from daybook.domain.commands import Abandon
from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_names import is_by_name, key_by_name, name_in_key
from daybook.domain.kernel.terms import Seat, because
from daybook.domain.kernel.texts import composed
from daybook.domain.league import club_events
from daybook.domain.league.club import Club, SeasonTable
from daybook.domain.league.results import NO_DETAILS, Placed, PlayDetails
from daybook.services.disputes import umpires
from daybook.services.files.validate import check_time
from daybook.services.league import evenings
from daybook.services.league.clubs.leagues import require_known
from daybook.services.league.clubs.newcomers import NO_GUESTS, STRANGER, Guests, refuse_strangers, strangers
from daybook.services.league.clubs.roles import OPERATOR, check
from daybook.services.league.clubs.writing import (
    Act,
    Asked,
    ClubWriter,
    repetition,
    same_season,
    same_table,
    try_act,
    write,
)
from daybook.services.people import access, accounts, seated
from daybook.services.play import recording
from daybook.services.play.repetition import new_key
from daybook.services.play.writing import Receipt
from daybook.services.store import disagreements
from daybook.services.store.daybook import Daybook
from daybook.services.store.games import UNREADABLE, UnknownGameError

OPENED_TWICE = "Another game was opened at this table at the same moment."


class NotYours(Exception):
    """Who enters a game in a club gives the club's scorekeepers its record: it needs the game's own scorekeeper."""

    def __init__(self, game_id: UUID) -> None:
        super().__init__(f"game {game_id} is entered by whoever holds its scorekeeper's link")
        self.game = game_id


def enter_game(
    book: Daybook,
    club_id: UUID,
    season: str,
    game_id: UUID,
    table: str | None = None,
    people: Sequence[str] | None = None,
    why: str = "",
    *,
    another: bool = False,
    is_keeper: bool,
    by: str,
    key: str,
) -> Receipt:
    """A recorded game is the game of a table; of a new one, if none is named.

    people: who sat where, if the record knows them under ids of its own: they are merged; why: how it came that others
    sat there than those whom the record names, which is said once the game is closed. another: it is another evening
    than one whose record says nearly the same; else that one alone counts, and this is refused. is_keeper: whether
    whoever does this holds the game's scorekeeper's link: the club's scorekeepers will write in it from now on. In free
    play and in heats whoever plays is entered by playing. Raises UnknownGameError, NotYours.
    """
    game = book.games.get(game_id)
    if not is_keeper and by != OPERATOR:
        raise NotYours(game_id)
    recorded = seated.people_of(game, book.kept.game(game_id))
    gone = book.kept.anonymous_seats(game_id)
    own = {one.person for one in accounts.accounts(book, recorded)} | {recorded[seat] for seat in gone}

    def act(pen: ClubWriter) -> None:
        told = tuple(pen.club.person(id) for id in (recorded if people is None else people))
        twins = evenings.tables_of_game(book, pen.club, game, told)
        twin = next((one.game for one in twins), "")
        if twin and not another:
            raise Refused(
                because(
                    "same_evening",
                    "this record says nearly the same as that of table {table}, and an evening counts once:"
                    " if it was another one, say so",
                    table=pen.club.games[twin][1],
                )
            )
        seats = (
            recorded
            if people is None
            else _introduce(book, pen, recorded, people, own, why if game.status == "closed" else "")
        )
        named = tuple(pen.club.person(id) for id in recorded)
        others = bool(why.strip()) and tuple(pen.club.person(id) for id in seats) != named
        if strangers(book, pen.club, seats):
            raise Refused(STRANGER)
        _enter_by_playing(pen, season, seats)
        pen.write(
            club_events.GameEntered(
                season=season,
                table=table or _new_table(pen.club, season),
                game=str(game_id),
                ruleset=game.game_key,
                seats=seats,
                recorded=named if others else (),
                why=why.strip() if others else "",
                apart_from=twin,
                **pen.next,
            )
        )

    return write(book, club_id, "enter", act, _entering(season, game_id, table, people, why, another), by=by, key=key)


def _entering(
    season: str, game_id: UUID, table: str | None, people: Sequence[str] | None, why: str = "", another: bool = False
) -> Asked:
    return "enter_game", season, game_id, table, people, why, another


def say_who_sat(
    book: Daybook, club_id: UUID, season: str, table: str, people: Sequence[str], why: str, *, by: str, key: str
) -> Receipt:
    """Others sat at a table than its game says, or in other seats. people: who it was, by the seats of the record.

    Raises Refused while the game is played: whoever sits there sees what is covered from others.
    """

    def act(pen: ClubWriter) -> None:
        known, seats = _table_or_none(pen.club, season, table), tuple(pen.club.person(id) for id in people)
        if known and known.game and book.games.get(UUID(known.game)).status != "closed":
            raise Refused(because("still_played", "who sat where is put right once the game is closed"))
        refuse_strangers(book, pen.club, {*seats})
        _enter_by_playing(pen, season, seats)
        pen.write(
            club_events.WhoSat(
                season=season, table=table, game=known.game if known else "", seats=seats, why=why.strip(), **pen.next
            )
        )

    return write(book, club_id, "enter", act, ("say_who_sat", season, table, people, why), by=by, key=key)


def _introduce(
    book: Daybook, pen: ClubWriter, recorded: Sequence[str], people: Sequence[str], own: Collection[str], why: str
) -> tuple[str, ...]:
    """Say of each seat's id in a record which person of the club it is; by which id each seat is entered. own: ids
    that are nobody else's. Raises Refused, where another person sat there and nobody says why."""
    if len(people) != len(recorded):
        raise Refused(because("people_seats", "{n} people for {seats} seats", n=len(people), seats=len(recorded)))
    refuse_strangers(book, pen.club, {*people} - {*recorded})
    elsewhere, seats = strangers(book, pen.club, recorded), [*recorded]
    for seat, (id, given) in enumerate(zip(recorded, people, strict=True)):
        known, person = pen.club.person(id), pen.club.person(given)
        if known == person:
            continue
        if known != id or id in own or pen.club.roles(id):
            if not why.strip():
                raise Refused(
                    because(
                        "seat_known",
                        "seat {number} is {person}, not {other}: if {other} sat there, say why once the game is closed",
                        number=seat + 1,
                        person=known,
                        other=person,
                    )
                )
            seats[seat] = person
        elif id in elsewhere:  # another club's guest stays theirs
            seats[seat] = person
        else:
            pen.write(club_events.PeopleMerged(kept=person, gone=id, why="played under this id", **pen.next))
    return tuple(seats)


def _enter_by_playing(pen: ClubWriter, season: str, people: Sequence[str]) -> None:
    played = pen.club.seasons.get(season)
    if played is None or played.format.kind not in ("free", "heats"):
        return
    for person in dict.fromkeys(pen.club.person(id) for id in people):
        known = pen.club.player(pen.club.seasons[season], person)
        if known is None or known.withdrew is not None:
            pen.write(club_events.PlayerEntered(season=season, person=person, **pen.next))


def _new_table(club: Club, season: str) -> str:
    return club.season(season).next_table() if season == club_events.BESIDE or season in club.seasons else "1"


def remove_game(
    book: Daybook, club_id: UUID, season: str, table: str, game_id: UUID, why: str, *, by: str, key: str
) -> Receipt:
    """A game was entered by mistake; its record stays as it is."""
    return write(
        book,
        club_id,
        "enter",
        lambda pen: pen.write(
            club_events.GameRemoved(season=season, table=table, game=str(game_id), why=why.strip(), **pen.next)
        ),
        ("remove_game", season, table, game_id, why),
        by=by,
        key=key,
    )


class NewResult(Frozen):
    """A result as it is typed in.

    ruleset_id: an installed game, or one that is known by its name (`game_named`). table: a planned one, one that has a
    typed result, or None for a new one. ended: when; empty: now, or for another result of a table when that one ended.
    walkover: it was not played; details: what else people tell; guests: who of them is new.
    """

    season: str
    ruleset_id: str
    placed: Sequence[Placed]
    table: str | None = None
    ended: str = ""
    why: str = ""
    walkover: bool = False
    details: PlayDetails = NO_DETAILS
    guests: Guests = NO_GUESTS


def type_result(book: Daybook, club_id: UUID, new: NewResult, *, by: str, key: str, at: int | None = None) -> Receipt:
    """A result that nobody recorded; it is marked as such, and a record may replace it later.

    The record of a game that was given up is removed from the table first. Raises UnknownRulesetError; Misfit for what is no
    time.
    """
    act = _typing(book, new)
    bears = same_table(new.season, new.table) if new.table else same_season(new.season)
    told = () if new.details == NO_DETAILS else (new.details,)  # marks of before there were details stay good
    asked = ("type_result", new.season, new.ruleset_id, new.placed, new.table, new.ended, new.why, new.walkover, *told)
    return write(book, club_id, "enter", act, asked, by=by, key=key, at=at, bears=bears)


def try_result(book: Daybook, club_id: UUID, new: NewResult, *, by: str) -> Club:
    """The club as it would be after `type_result`; nothing is written. Raises as that does."""
    check(book.clubs.get(club_id), by, "enter")
    return try_act(book, club_id, _typing(book, new), by)


def _typing(book: Daybook, new: NewResult) -> Act:
    season, table, ruleset_id = new.season, new.table, new.ruleset_id
    if not is_by_name(ruleset_id):
        require_known([ruleset_id])
    if new.ended:
        check_time(new.ended)

    def act(pen: ClubWriter) -> None:
        people = tuple(msgspec.structs.replace(one, person=pen.club.person(one.person)) for one in new.placed)
        refuse_strangers(book, pen.club, [one.person for one in people], new.guests)
        pen.guests |= new.guests
        if not is_by_name(ruleset_id) and len(people) not in RULESETS[ruleset_id].seats:
            raise Refused(
                because(
                    "seats_of_game", "{title} is not for {n} players", title=RULESETS[ruleset_id].title, n=len(people)
                )
            )
        if table and (given_up := _abandoned_record(book, pen.club, season, table)):
            pen.write(
                club_events.GameRemoved(
                    season=season,
                    table=table,
                    game=given_up,
                    why=new.why.strip() or "the game was given up",
                    **pen.next,
                )
            )
        _enter_by_playing(pen, season, [one.person for one in people])
        pen.write(
            club_events.ResultTyped(
                season=season,
                table=table or _new_table(pen.club, season),
                ruleset=ruleset_id,
                placed=people,
                ended=new.ended or _day_before(pen.club, season, table),
                why=new.why.strip(),
                walkover=new.walkover,
                details=_details_today(pen.club, new.details),
                **pen.next,
            )
        )

    return act


def _details_today(club: Club, details: PlayDetails) -> PlayDetails:
    """With the people as the club knows them."""

    def by_person(told: Mapping[str, str]) -> dict[str, str]:
        return {club.person(id): text for id, text in told.items()}

    return msgspec.structs.replace(
        details,
        start=details.start and club.person(details.start),
        new=tuple(club.person(id) for id in details.new),
        roles=by_person(details.roles),
        teams=by_person(details.teams),
        scores=by_person(details.scores),
    )


def games_by_name(club: Club) -> list[str]:
    """The games of a club that are known by their names, those that were typed in last first."""
    tables = [table for season in club.all_seasons() for table in season.tables.values() if is_by_name(table.ruleset)]
    newest = sorted(tables, key=lambda table: table.steps[-1], reverse=True)
    return [*dict.fromkeys(table.ruleset for table in newest)]


def sheets_played(book: Daybook, club: Club, key: str) -> list[str]:
    """With which sheet a club played a game last that is known by its name, where it has recorded one; its hash."""
    events = (entry.event for entry in reversed(club.entries))
    for event in events:
        if isinstance(event, club_events.GameEntered) and event.ruleset == key and event.game in club.games:
            with suppress(UnknownGameError, *UNREADABLE):  # it was removed, or one further back may be read
                return [book.games.get(UUID(event.game)).opening.sheet.hash]
    return []


def game_named(club: Club, name: str) -> str:
    """Which game somebody means by a name: an installed one of this title, one that the club has played, or a new one.
    Letters may be large or small."""
    name = composed(" ".join(name.split()))
    meant = name.casefold()
    for id, rules in RULESETS.items():
        if rules.title_of is None and meant in (id, rules.title.casefold()):
            return id
    known = (key for key in games_by_name(club) if name_in_key(key).casefold() == meant)
    return next(known, key_by_name(name))


def _day_before(club: Club, season: str, table: str | None) -> str:
    """When the game of a table ended, as its typed result says; nothing where it has none."""
    known = _table_or_none(club, season, table) if table else None
    return known.typed.day if known is not None and known.typed is not None else ""


def _table_or_none(club: Club, season: str, table: str) -> SeasonTable | None:
    return club.season(season).tables.get(table) if season == club_events.BESIDE or season in club.seasons else None


def _abandoned_record(book: Daybook, club: Club, season: str, table: str) -> str:
    """The record of a table's game, if it was abandoned; else nothing."""
    known = _table_or_none(club, season, table)
    if known is None or not known.game or book.games.get(UUID(known.game)).status != "abandoned":
        return ""
    return known.game


def void(book: Daybook, club_id: UUID, season: str, table: str, why: str, *, by: str, key: str) -> Receipt:
    """What was played at a table does not count, or nothing will be played there."""
    return write(
        book,
        club_id,
        "rule",
        lambda pen: pen.write(club_events.ResultVoided(season=season, table=table, why=why.strip(), **pen.next)),
        ("void", season, table, why),
        by=by,
        key=key,
    )


def accept_result(book: Daybook, club_id: UUID, season: str, table: str, why: str, *, by: str, key: str) -> Receipt:
    """What the game of a table ended with counts although the rules disagree with its record.

    Raises Refused where nothing is to be accepted.
    """

    def act(pen: ClubWriter) -> None:
        known = _table_or_none(pen.club, season, table)
        id = known.game if known else ""
        game = book.games.get(UUID(id)) if id else None
        if game is not None and not disagreements.filter_standing(
            game, disagreements.select_of_game(book.kept, game.id)
        ):
            raise Refused(
                because("nothing_to_accept", "the rules have nothing against the record of table {table}", table=table)
            )
        pen.write(
            club_events.ResultAccepted(
                season=season, table=table, game=id, known=game.step if game else 0, why=why.strip(), **pen.next
            )
        )

    return write(book, club_id, "close", act, ("accept_result", season, table, why), by=by, key=key)


def say_apart(
    book: Daybook, club_id: UUID, season: str, table: str, other: tuple[str, str], why: str, *, by: str, key: str
) -> Receipt:
    """Two tables look like one evening and were two: both count. other: its season and its id."""
    return write(
        book,
        club_id,
        "enter",
        lambda pen: pen.write(
            club_events.EveningsApart(
                season=season, table=table, other_season=other[0], other=other[1], why=why.strip(), **pen.next
            )
        ),
        ("say_apart", season, table, other, why),
        by=by,
        key=key,
    )


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
) -> tuple[Receipt, Receipt]:
    """Open a game for a table, with the club's people in its seats, and enter it: the receipts of both.

    new: its players are people of the club, who bear the names that they have there, or new guests. Rulings in it can
    be appealed for as long as its season says. Whatever stands against entering it is refused before the game is
    opened. Raises as `recording.open_game` does.
    """
    club = book.clubs.get(club_id)
    check(club, by, "open")
    people = [club.person(player.person) for player in new.players]
    refuse_strangers(book, club, people, guests)
    names = {**guests, **book.kept.names(people)}
    players = [
        recording.SeatedPerson(names.get(person, "?"), player.colour, person)
        for person, player in zip(people, new.players, strict=True)
    ]
    again = repetition(book, club, _entering(season, recording.game_id_of_key(key), table, None), key)
    if again is None:
        what = _game_opened(book, new.ruleset_id, new.sheet)
        try_act(book, club_id, lambda pen: _try_game(pen, season, table, what, people))
    game = recording.open_game(
        book,
        msgspec.structs.replace(new, players=players),
        by=access.opening_writer("" if by == OPERATOR else by),
        key=key,
    )
    if again is None and season != club_events.BESIDE:
        umpires.set_appeal_hours(book, game.record, club.season(season).format.appeal_hours)
    try:
        return game, enter_game(book, club_id, season, game.record, table, is_keeper=True, by=by, key=key)
    except Refused:
        if not game.repeated:  # opened for nothing, and nobody has a link to it
            recording.append_command(book, game.record, Abandon(OPENED_TWICE), by="scorekeeper", key=new_key())
        raise


def _game_opened(book: Daybook, ruleset_id: str, sheet: str | None) -> str:
    """What is played with a sheet, as it is told apart from other games. Raises UnknownSheetError."""
    if ruleset_id not in RULESETS or not sheet:
        return ruleset_id
    return RULESETS[ruleset_id].key_with(book.sheets.get(ruleset_id, sheet))


def _try_game(pen: ClubWriter, season: str, table: str | None, ruleset_id: str, people: Sequence[str]) -> None:
    _enter_by_playing(pen, season, people)
    pen.write(
        club_events.GameEntered(
            season=season,
            table=table or _new_table(pen.club, season),
            game="tried",
            ruleset=ruleset_id,
            seats=tuple(people),
            **pen.next,
        )
    )


def table_of(club: Club, game_id: UUID) -> SeasonTable | None:
    """The table at which a game was entered."""
    season, table = club.games.get(str(game_id), ("", ""))
    return club.season(season).tables[table] if table else None


class SeatsPutRight(NamedTuple):
    """What clubs say of somebody in games whose records name others, or name them elsewhere. sat: in which seat of
    which game they sat; not_sat: games in which they did not."""

    sat: dict[UUID, Seat]
    not_sat: frozenset[UUID]


def seats_put_right(clubs: Iterable[Club], person: str) -> SeatsPutRight:
    """Of a person who belongs to these clubs: who joined one has its organisers say where they sat."""
    sat, others = dict[UUID, Seat](), set[UUID]()
    for club in clubs:
        whole = club.person(person)
        for table in (table for season in club.all_seasons() for table in season.tables.values()):
            if table.game and club.is_put_right(table):
                people = club.seats(table)
                if whole in people:
                    sat[UUID(table.game)] = people.index(whole)
                else:
                    others.add(UUID(table.game))
    return SeatsPutRight(sat, frozenset(others - sat.keys()))
