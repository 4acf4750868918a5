"""Clubs: what their people do, one function for each thing, and who may do it.

by: the person who does it, by id, or OPERATOR for whoever runs the service; key: the writer's idempotency key, with
which the same thing sent again answers the same step; at: the newest step of the club the writer knew: if something
was written since that bears on the same thing, the writer gets a Conflict, and nothing is written. Each raises
UnknownClub, NotAllowed, Conflict, BadKey, and Refused with what stands against it; nothing has changed then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal
from uuid import UUID, uuid5

import msgspec

from domain.chronicle import Refused, Written
from domain.games import RULESETS
from domain.league.club import Club, Season, SeasonTable, found
from domain.league.events import (
    BESIDE,
    AnyEvent,
    ClubEntry,
    ClubRenamed,
    ClubSettled,
    GameEntered,
    GameRemoved,
    LeagueFounded,
    LeagueSettled,
    LotDrawn,
    MemberJoined,
    MemberLeft,
    Order,
    PenaltyGiven,
    PeopleMerged,
    PeopleSplit,
    PlayerEntered,
    PlayerWithdrew,
    ResultTyped,
    ResultVoided,
    Role,
    RolesGiven,
    ScheduleDrawn,
    SeasonClosed,
    SeasonOpened,
    SeasonReopened,
    SeasonSettled,
    SeatsChanged,
    Settings,
    TablePlanned,
)
from domain.league.fitting import added
from domain.league.results import Placed
from domain.league.seasons import Bye, Fixture, Format
from domain.ruleset import because
from services import access, accounts, record, umpires
from services.clock import now
from services.daybook import Daybook
from services.games import UnknownRuleset
from services.integrity import check_time
from services.log import AlreadyWritten

OPERATOR = "the operator"  # no person's id: those hold no space
BY_KEY = UUID("9d0a2f57-2f7c-5d8b-9e10-4e0f3b586c1d")  # clubs founded twice with one key are one club

What = Literal["read", "enter", "open", "rule", "schedule", "close", "settle", "people"]
# read: what is not public; enter: games and results; open: games of the club; rule: void results, penalties, lots;
# schedule: players, draws, days and seats; close: seasons, and open them again; settle: leagues, seasons, how the
# club does things; people: who belongs to it, roles, who is one person
MAY: Mapping[What, tuple[Role, ...]] = {
    "read": ("organiser", "umpire", "scorekeeper", "member"),
    "enter": ("organiser", "scorekeeper"),
    "open": ("organiser", "scorekeeper"),
    "rule": ("organiser", "umpire"),
    "schedule": ("organiser",),
    "close": ("organiser",),
    "settle": ("organiser",),
    "people": ("organiser",),
}


class NotAllowed(Exception):
    """This person may not do this: ask one of those with one of these roles."""

    def __init__(self, what: What) -> None:
        super().__init__(f"this is for: {', '.join(MAY[what])}")
        self.what = what
        self.roles = MAY[what]


class NotYours(Exception):
    """Who enters a game in a club gives the club's scorekeepers its record: it needs the game's own scorekeeper."""

    def __init__(self, game: UUID) -> None:
        super().__init__(f"game {game} is entered by whoever holds its scorekeeper's link")
        self.game = game


class Conflict(Exception):
    """Somebody was quicker: look at what was written meanwhile, and decide again at step `step`."""

    def __init__(self, step: int, meanwhile: Sequence[ClubEntry]) -> None:
        super().__init__(f"the club is at step {step} now: look at what was written meanwhile and decide again")
        self.step = step
        self.meanwhile = list(meanwhile)


class Receipt(msgspec.Struct, frozen=True):
    """Where something was written down. repeated: it was there already, under the same key."""

    club: UUID
    step: int
    seal: str
    repeated: bool = False


class Pen:
    """Writes events one after the other; what it has written so far, `club` already holds, and nobody else does."""

    def __init__(self, club: Club, at: str, by: str, key: str) -> None:
        self.club = club
        self.entries: list[ClubEntry] = []
        self._written = Written(at, by, key)

    @property
    def next(self) -> dict[str, Any]:
        """What the next event says of its place and its writing; the first one carries the writer's key."""
        place, key = len(self.entries), self._written.key
        own = key if not place else record.key_within(key, place)
        return self.club.next(msgspec.structs.replace(self._written, key=own))

    def write(self, event: AnyEvent) -> None:
        """Raises Refused."""
        entry = added(self.club, event)
        self.entries.append(entry)
        self.club = self.club.then(entry)


Act = Callable[[Pen], None]


# --- who may what ----------------------------------------------------------------------------------------------------


def may(club: Club, person: str, what: What) -> bool:
    """Whether somebody may do something in a club. person: an id; empty for who is not signed in."""
    if person == OPERATOR or (what == "read" and club.settings.public):
        return True
    return bool(person) and bool({*club.roles(person)} & {*MAY[what]})


def check(club: Club, person: str, what: What) -> None:
    """Raises NotAllowed."""
    if not may(club, person, what):
        raise NotAllowed(what)


def clubs_of(book: Daybook, person: str) -> list[Club]:
    """The clubs somebody belongs to, in the order in which they were founded."""
    return [club for club in book.clubs.all() if club.roles(person)]


def shown(book: Daybook, person: str = "") -> list[Club]:
    """The clubs whose pages somebody may read."""
    return [club for club in book.clubs.all() if may(club, person, "read")]


def clubs_with(book: Daybook, game: UUID) -> list[Club]:
    """The clubs in which a game is entered."""
    return [club for club in book.clubs.all() if str(game) in club.games]


# --- writing ---------------------------------------------------------------------------------------------------------


def found_club(book: Daybook, name: str, founder: str, *, by: str, key: str) -> Receipt:
    """Found a club, with its first organiser. key: as for a game, at least 16 characters nobody else would choose.

    Raises BadName, BadKey.
    """
    record.check_key(key)
    if len(key) < record.OPENING_KEY_LENGTH:
        raise record.BadKey(f"a new club needs an idempotency key of at least {record.OPENING_KEY_LENGTH} characters")
    name = record.checked_name("name", name, record.TITLE_LIMIT)
    id = uuid5(BY_KEY, f"{key} {name} {founder}")
    entry = found(id, name, founder, Written(now(), by, key))
    if there := book.log.club_entries(id):
        return Receipt(id, 0, there[0].seal, repeated=True)
    try:
        book.clubs.append([entry])
    except AlreadyWritten:
        return Receipt(id, 0, book.log.club_entries(id)[0].seal, repeated=True)
    return Receipt(id, 0, entry.seal)


def write(
    book: Daybook, club_id: UUID, what: What, act: Act, *, by: str, key: str, at: int | None = None,
    bears: Callable[[AnyEvent], bool] = lambda event: True,
) -> Receipt:
    """Have events written next, all or none; when somebody else was quicker, look again.

    bears: whether something that was written since step `at` bears on this.
    """
    record.check_key(key)
    while True:
        club = book.clubs.get(club_id)
        check(club, by, what)
        if (there := club.keys.get(key)) is not None:
            return Receipt(club_id, there, club.entries[there].seal, repeated=True)
        if at is not None:
            _refuse_stale(club, at, bears)
        pen = Pen(club, now(), by, key)
        act(pen)
        try:
            book.clubs.append(pen.entries)
        except AlreadyWritten:
            continue
        return Receipt(club_id, pen.entries[0].step, pen.entries[0].seal)


def tried(book: Daybook, club_id: UUID, act: Act, by: str = "") -> Club:
    """The club as it would be if something was written now; nothing is. Raises Refused."""
    pen = Pen(book.clubs.get(club_id), now(), by, "tried")
    act(pen)
    return pen.club


def _refuse_stale(club: Club, at: int, bears: Callable[[AnyEvent], bool]) -> None:
    if not 0 <= at <= club.step:
        raise Refused(because("unknown_step", "the record has steps 0 to {last}, not {step}", last=club.step, step=at))
    meanwhile = club.entries[at + 1 :]
    if any(bears(entry.event) for entry in meanwhile):
        raise Conflict(club.step, meanwhile)


def _same_season(season: str) -> Callable[[AnyEvent], bool]:
    return lambda event: getattr(event, "season", None) == season


def _same_table(season: str, table: str) -> Callable[[AnyEvent], bool]:
    def bears(event: AnyEvent) -> bool:
        same = getattr(event, "season", None) == season
        return same and (isinstance(event, ScheduleDrawn) or getattr(event, "table", table) == table)

    return bears


# --- the club and its people -----------------------------------------------------------------------------------------


def rename(book: Daybook, club_id: UUID, name: str, *, by: str, key: str) -> Receipt:
    name = " ".join(name.split())
    return write(book, club_id, "settle", lambda pen: pen.write(ClubRenamed(name=name, **pen.next)), by=by, key=key)


def settle(
    book: Daybook, club_id: UUID, settings: Settings, *, by: str, key: str, at: int | None = None,
) -> Receipt:
    """How the club does things: what counts where, whether its pages are public."""
    return write(
        book, club_id, "settle", lambda pen: pen.write(ClubSettled(settings=settings, **pen.next)), by=by, key=key,
        at=at, bears=lambda event: isinstance(event, ClubSettled))


def join(book: Daybook, club_id: UUID, person: str, roles: Sequence[Role] = (), *, by: str, key: str) -> Receipt:
    """Somebody belongs to the club from now on. by: an organiser, who invited them."""
    return write(book, club_id, "people", lambda pen: pen.write(MemberJoined(
        person=pen.club.person(person), roles=_added_roles(roles), **pen.next)), by=by, key=key)


def give_roles(book: Daybook, club_id: UUID, person: str, roles: Sequence[Role], *, by: str, key: str) -> Receipt:
    """All the roles somebody has from now on, beside being a member."""
    return write(book, club_id, "people", lambda pen: pen.write(RolesGiven(
        person=pen.club.person(person), roles=_added_roles(roles), **pen.next)), by=by, key=key)


def _added_roles(roles: Sequence[Role]) -> tuple[Role, ...]:
    return tuple(role for role in MAY["read"] if role in roles and role != "member")


def leave(book: Daybook, club_id: UUID, person: str, why: str = "", *, by: str, key: str) -> Receipt:
    """Somebody leaves: everybody may leave; organisers may have others leave."""
    club = book.clubs.get(club_id)
    what: What = "read" if by and club.person(by) == club.person(person) else "people"
    return write(book, club_id, what, lambda pen: pen.write(MemberLeft(
        person=pen.club.person(person), why=why.strip(), **pen.next)), by=by, key=key)


def merge(book: Daybook, club_id: UUID, kept: str, gone: str, why: str, *, by: str, key: str) -> Receipt:
    """Two ids are one person, known as `kept` from now on."""
    return write(book, club_id, "people", lambda pen: pen.write(PeopleMerged(
        kept=pen.club.person(kept), gone=pen.club.person(gone), why=why.strip(), **pen.next)), by=by, key=key)


def split(book: Daybook, club_id: UUID, merge: int, why: str, *, by: str, key: str) -> Receipt:
    """Undo the merge of a step."""
    return write(book, club_id, "people", lambda pen: pen.write(PeopleSplit(
        merge=merge, why=why.strip(), **pen.next)), by=by, key=key)


# --- leagues and seasons ---------------------------------------------------------------------------------------------


def found_league(
    book: Daybook, club_id: UUID, name: str, rulesets: Sequence[str], *, by: str, key: str,
) -> Receipt:
    """A competition of the club. rulesets: the games that are played in it. Raises UnknownRuleset."""
    _know(rulesets)
    return write(book, club_id, "settle", lambda pen: pen.write(LeagueFounded(
        league=pen.club.next_league(), name=name.strip(), rulesets=tuple(rulesets), **pen.next)), by=by, key=key)


def settle_league(
    book: Daybook, club_id: UUID, league: str, name: str, rulesets: Sequence[str], *, by: str, key: str,
) -> Receipt:
    _know(rulesets)
    return write(book, club_id, "settle", lambda pen: pen.write(LeagueSettled(
        league=league, name=name.strip(), rulesets=tuple(rulesets), **pen.next)), by=by, key=key)


def _know(rulesets: Sequence[str]) -> None:
    for ruleset in rulesets:
        if ruleset not in RULESETS:
            raise UnknownRuleset(ruleset)


def open_season(
    book: Daybook, club_id: UUID, league: str, name: str, format: Format, *, by: str, key: str,
) -> Receipt:
    """Open a season; its id is in the event at the receipt's step (`season_at`)."""
    def act(pen: Pen) -> None:
        _playable(pen.club, league, format)
        pen.write(SeasonOpened(
            season=pen.club.next_season(), league=league, name=name.strip(), format=format, **pen.next))

    return write(book, club_id, "settle", act, by=by, key=key)


def season_at(club: Club, step: int) -> Season:
    """The season that the event of a step is about."""
    event = club.entries[step].event
    season = getattr(event, "season", None)
    assert season is not None, f"step {step} is about no season"
    return club.season(season)


def league_at(club: Club, step: int) -> str:
    """The id of the league that was founded at a step."""
    event = club.entries[step].event
    assert isinstance(event, LeagueFounded)
    return event.league


def _playable(club: Club, league: str, format: Format) -> None:
    """Raises Refused for tables at which none of a league's games can be played."""
    if league not in club.leagues:
        return
    known = [RULESETS[ruleset] for ruleset in club.leagues[league].rulesets if ruleset in RULESETS]
    for size in format.table_sizes:
        if known and not any(size in rules.seats for rules in known):
            raise Refused(because("table_size_of_game", "none of the league's games is for {n} players", n=size))


def settle_season(
    book: Daybook, club_id: UUID, season: str, name: str, format: Format, why: str = "", *, by: str, key: str,
    at: int | None = None,
) -> Receipt:
    def act(pen: Pen) -> None:
        if season in pen.club.seasons:
            _playable(pen.club, pen.club.seasons[season].league, format)
        pen.write(SeasonSettled(season=season, name=name.strip(), format=format, why=why.strip(), **pen.next))

    return write(book, club_id, "settle", act, by=by, key=key, at=at,
                 bears=lambda event: isinstance(event, SeasonSettled) and event.season == season)


def enter_player(
    book: Daybook, club_id: UUID, season: str, person: str, division: int = 1, group: int = 1, *, by: str, key: str,
) -> Receipt:
    return enter_players(book, club_id, season, [(person, division, group)], by=by, key=key)


def enter_players(
    book: Daybook, club_id: UUID, season: str, players: Sequence[tuple[str, int, int]], *, by: str, key: str,
) -> Receipt:
    """Several people play a season, each in a division and a group: all of them or none."""
    def act(pen: Pen) -> None:
        if not players:
            raise Refused(because("nobody", "nobody was named"))
        for person, division, group in players:
            pen.write(PlayerEntered(
                season=season, person=pen.club.person(person), division=division, group=group, **pen.next))

    return write(book, club_id, "schedule", act, by=by, key=key)


def withdraw(
    book: Daybook, club_id: UUID, season: str, person: str, why: str = "", *, by: str, key: str,
) -> Receipt:
    return write(book, club_id, "schedule", lambda pen: pen.write(PlayerWithdrew(
        season=season, person=pen.club.person(person), why=why.strip(), **pen.next)), by=by, key=key)


# --- schedules -------------------------------------------------------------------------------------------------------


def draw(
    book: Daybook, club_id: UUID, season: str, rounds: Sequence[int], fixtures: Sequence[Fixture],
    byes: Sequence[Bye] = (), *, division: int = 0, group: int = 0, seed: int = 0, cost: int = 0, by: str, key: str,
    at: int | None = None,
) -> Receipt:
    """Publish the tables of rounds, in place of those drawn for them before (`services.scheduling` makes them)."""
    return write(book, club_id, "schedule", lambda pen: pen.write(ScheduleDrawn(
        season=season, rounds=tuple(rounds), fixtures=tuple(fixtures), byes=tuple(byes), division=division,
        group=group, seed=seed, cost=cost, **pen.next)), by=by, key=key, at=at, bears=_same_season(season))


def plan_table(
    book: Daybook, club_id: UUID, season: str, table: str, when: str, place: str = "", *, by: str, key: str,
) -> Receipt:
    """When and where a table meets. when: UTC as records write it, or empty. Raises Misfit for what is no time."""
    if when:
        check_time(when)
    return write(book, club_id, "schedule", lambda pen: pen.write(TablePlanned(
        season=season, table=table, when=when, place=place.strip(), **pen.next)), by=by, key=key)


def change_seats(
    book: Daybook, club_id: UUID, season: str, table: str, seats: Sequence[str], why: str = "", *, by: str, key: str,
    at: int | None = None,
) -> Receipt:
    return write(book, club_id, "schedule", lambda pen: pen.write(SeatsChanged(
        season=season, table=table, seats=tuple(pen.club.person(id) for id in seats), why=why.strip(), **pen.next)),
        by=by, key=key, at=at, bears=_same_table(season, table))


# --- games and results -----------------------------------------------------------------------------------------------


def enter_game(
    book: Daybook, club_id: UUID, season: str, game_id: UUID, table: str | None = None,
    people: Sequence[str] | None = None, *, is_keeper: bool, by: str, key: str,
) -> Receipt:
    """A recorded game is the game of a table; of a new one, if none is named.

    people: who sat where, if the record knows them under ids of its own: they are merged. is_keeper: whether whoever
    does this holds the game's scorekeeper's link: the club's scorekeepers will write in it from now on. In free play
    and in heats whoever plays is entered by playing. Raises UnknownGame, NotYours.
    """
    game = book.games.get(game_id)
    if not is_keeper and by != OPERATOR:
        raise NotYours(game_id)
    recorded = tuple(seat.person for seat in game.opening.seats)
    gone = book.kept.anonymous_seats(game_id)
    own = {one.person for one in accounts.accounts(book, recorded)} | {recorded[seat] for seat in gone}

    def act(pen: Pen) -> None:
        if people is not None:
            _introduce(pen, recorded, people, own)
        _enter_by_playing(pen, season, recorded)
        pen.write(GameEntered(
            season=season, table=table or _new_table(pen.club, season), game=str(game_id),
            ruleset=game.opening.ruleset, seats=recorded, **pen.next))

    return write(book, club_id, "enter", act, by=by, key=key)


def _introduce(pen: Pen, recorded: Sequence[str], people: Sequence[str], own: Collection[str]) -> None:
    """Say of each seat's id in a record which person it is. own: ids that are nobody else's. Raises Refused."""
    if len(people) != len(recorded):
        raise Refused(because("people_seats", "{n} people for {seats} seats", n=len(people), seats=len(recorded)))
    for seat, (id, given) in enumerate(zip(recorded, people, strict=True)):
        known, person = pen.club.person(id), pen.club.person(given)
        if known == person:
            continue
        if known != id or id in own or pen.club.roles(id):
            raise Refused(because("seat_known", "seat {number} is {person}, not {other}", number=seat + 1,
                                  person=known, other=person))
        pen.write(PeopleMerged(kept=person, gone=id, why="played under this id", **pen.next))


def _enter_by_playing(pen: Pen, season: str, people: Sequence[str]) -> None:
    played = pen.club.seasons.get(season)
    if played is None or played.format.kind not in ("free", "heats"):
        return
    for person in dict.fromkeys(pen.club.person(id) for id in people):
        known = pen.club.player(pen.club.seasons[season], person)
        if known is None or known.withdrew is not None:
            pen.write(PlayerEntered(season=season, person=person, **pen.next))


def _new_table(club: Club, season: str) -> str:
    return club.season(season).next_table() if season == BESIDE or season in club.seasons else "1"


def remove_game(
    book: Daybook, club_id: UUID, season: str, table: str, game_id: UUID, why: str, *, by: str, key: str,
) -> Receipt:
    """A game was entered by mistake; its record stays as it is."""
    return write(book, club_id, "enter", lambda pen: pen.write(GameRemoved(
        season=season, table=table, game=str(game_id), why=why.strip(), **pen.next)), by=by, key=key)


def type_result(
    book: Daybook, club_id: UUID, season: str, ruleset: str, placed: Sequence[Placed], table: str | None = None,
    ended: str = "", why: str = "", *, by: str, key: str, at: int | None = None,
) -> Receipt:
    """A result that nobody recorded; it is marked as such, and a record may replace it later.

    table: a planned one, one that has a typed result, or None for a new one. The record of a game that was given up
    is removed from the table first. Raises UnknownRuleset; Misfit for what is no time.
    """
    _know([ruleset])
    if ended:
        check_time(ended)

    def act(pen: Pen) -> None:
        people = tuple(msgspec.structs.replace(one, person=pen.club.person(one.person)) for one in placed)
        if len(people) not in RULESETS[ruleset].seats:
            raise Refused(because(
                "seats_of_game", "{title} is not for {n} players", title=RULESETS[ruleset].title, n=len(people)))
        if table and (given_up := _given_up(book, pen.club, season, table)):
            pen.write(GameRemoved(
                season=season, table=table, game=given_up, why=why.strip() or "the game was given up", **pen.next))
        _enter_by_playing(pen, season, [one.person for one in people])
        pen.write(ResultTyped(
            season=season, table=table or _new_table(pen.club, season), ruleset=ruleset, placed=people, ended=ended,
            why=why.strip(), **pen.next))

    bears = _same_table(season, table) if table else _same_season(season)
    return write(book, club_id, "enter", act, by=by, key=key, at=at, bears=bears)


def _given_up(book: Daybook, club: Club, season: str, table: str) -> str:
    """The record of a table's game, if it was abandoned; else nothing."""
    known = club.season(season).tables.get(table) if season == BESIDE or season in club.seasons else None
    if known is None or not known.game or book.games.get(UUID(known.game)).status != "abandoned":
        return ""
    return known.game


def void(book: Daybook, club_id: UUID, season: str, table: str, why: str, *, by: str, key: str) -> Receipt:
    """What was played at a table does not count, or nothing will be played there."""
    return write(book, club_id, "rule", lambda pen: pen.write(ResultVoided(
        season=season, table=table, why=why.strip(), **pen.next)), by=by, key=key)


def penalise(
    book: Daybook, club_id: UUID, season: str, person: str, points: int, why: str, *, by: str, key: str,
) -> Receipt:
    """Take points off somebody; below 0: give them back."""
    return write(book, club_id, "rule", lambda pen: pen.write(PenaltyGiven(
        season=season, person=pen.club.person(person), points=points, why=why.strip(), **pen.next)), by=by, key=key)


def draw_lot(book: Daybook, club_id: UUID, season: str, people: Sequence[str], *, by: str, key: str) -> Receipt:
    """A lot was drawn, at a table or by the page: the order of people whom nothing else parts."""
    return write(book, club_id, "rule", lambda pen: pen.write(LotDrawn(
        season=season, people=tuple(pen.club.person(id) for id in people), **pen.next)), by=by, key=key)


# --- the end of a season ---------------------------------------------------------------------------------------------


def close_season(
    book: Daybook, club_id: UUID, season: str, orders: Sequence[Order], *, at: int, by: str, key: str,
) -> Receipt:
    """Close a season with the order that stands (`services.results.final_orders`)."""
    return write(book, club_id, "close", lambda pen: pen.write(SeasonClosed(
        season=season, orders=tuple(orders), **pen.next)), by=by, key=key, at=at, bears=_same_season(season))


def reopen_season(book: Daybook, club_id: UUID, season: str, why: str, *, by: str, key: str) -> Receipt:
    return write(book, club_id, "close", lambda pen: pen.write(SeasonReopened(
        season=season, why=why.strip(), **pen.next)), by=by, key=key)


# --- playing a table -------------------------------------------------------------------------------------------------


def open_table(
    book: Daybook, club_id: UUID, season: str, table: str | None, *, ruleset: str, title: str,
    people: Sequence[str], colours: Sequence[str], options: Mapping[str, Any], sheet: str | None = None,
    kind: Literal["table", "practice"] = "table", recorded: Literal["live", "notes", "memory"] = "live",
    public: bool = False, by: str, key: str,
) -> tuple[record.Receipt, Receipt]:
    """Open a game for a table, with the club's people in its seats, and enter it: the receipts of both.

    Rulings in it can be appealed for as long as its season says. Whatever stands against entering it is refused before
    the game is opened. Raises as `record.open_game` does.
    """
    club = book.clubs.get(club_id)
    check(club, by, "open")
    whole = [club.person(id) for id in people]
    names = book.kept.names(whole)
    players = [
        record.Player(names.get(person, "?"), colour, person) for person, colour in zip(whole, colours, strict=True)]
    if key not in club.keys:
        tried(book, club_id, lambda pen: _try_game(pen, season, table, ruleset, whole))
    game = record.open_game(
        book, ruleset=ruleset, title=title, players=players, options=options, sheet=sheet, kind=kind,
        recorded=recorded, public=public, by=access.opened_by("" if by == OPERATOR else by), key=key)
    if key not in club.keys and season != BESIDE:
        umpires.set_appeal_hours(book, game.game, club.season(season).format.appeal_hours)
    return game, enter_game(book, club_id, season, game.game, table, is_keeper=True, by=by, key=key)


def _try_game(pen: Pen, season: str, table: str | None, ruleset: str, people: Sequence[str]) -> None:
    _enter_by_playing(pen, season, people)
    pen.write(GameEntered(
        season=season, table=table or _new_table(pen.club, season), game="tried", ruleset=ruleset,
        seats=tuple(people), **pen.next))


def table_of(club: Club, game: UUID) -> SeasonTable | None:
    """The table at which a game was entered."""
    season, table = club.games.get(str(game), ("", ""))
    return club.season(season).tables[table] if table else None
