"""Imports of a club's plays from other programs: previewed, written, listed; and all results of a club as plays."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import takewhile
from uuid import UUID

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_names import key_of_title, name_in_key
from daybook.domain.kernel.times import is_day_alone, moment_of_play
from daybook.domain.league.club import Club, SeasonTable
from daybook.domain.league.club_commands import ImportPlays
from daybook.domain.league.club_events import (
    BESIDE,
    AnyEvent,
    ImportedPlay,
    ImportUndone,
    PlaysImported,
    PlaysUpdated,
    ResultTyped,
)
from daybook.domain.league.plays import ACCOUNT, ANONYMOUS, OWN_LOG, Play, PlayedGame, Player
from daybook.domain.league.results import NO_DETAILS, PLAYERS_LIMIT, Placed, PlayDetails, Result
from daybook.services.clock import now
from daybook.services.days import day_of, local_of, time_shown
from daybook.services.exchange import bgg, bgstats_file, table
from daybook.services.exchange.incoming import Incoming, SkippedKind, SpoiltRow, find_oddities
from daybook.services.league import clubs, results
from daybook.services.league.clubs.game_commands import details_today
from daybook.services.league.clubs.import_plan import (
    KEEP,
    ONE,
    TAKE,
    TWO,
    FileGame,
    FilePerson,
    FilePlace,
    batch_of,
    exported_id,
    plan_import,
)
from daybook.services.league.clubs.import_sources import Sources, sources_of
from daybook.services.league.clubs.member_commands import NothingToWriteError
from daybook.services.people.anonymise import anonymous_of
from daybook.services.permissions.actions import ClubVisit, require
from daybook.services.play.writing import Receipt
from daybook.services.store.daybook import Daybook

UNUSUAL = (
    "no_winner",
    "score_text",
    "no_day",
    "quantity",
    "uncounted",
    "tie_settled",
    "anonymous",
)  # shown play by play
Choices = Mapping[str, str]
NO_CHOICES: Choices = {}


class ImportAnswers(Frozen):
    """Answers of the importer to what a file leaves open.

    Args:
        people: identity or name in the file -> id of a person of the club, or NEW.
        games, places: identity or name in the file -> name here.
        plays: id of a play -> ONE or TWO plays, TAKE or KEEP a change at the source.
    """

    people: Choices = NO_CHOICES
    games: Choices = NO_CHOICES
    places: Choices = NO_CHOICES
    plays: Choices = NO_CHOICES


NO_ANSWERS = ImportAnswers()


class PlannedPerson(Frozen):
    """Player of a play as it is stored. name: of a new guest, otherwise empty."""

    person: str
    name: str
    place: int
    score: str


class PlannedPlay(Frozen):
    """A play as it is stored.

    Args:
        row: of the file, 0 for a play of the club.
        odd: what is unusual.
    """

    row: int
    day: str
    game: str
    people: tuple[PlannedPerson, ...]
    place: str
    odd: tuple[str, ...] = ()


class PlannedPair(Frozen):
    """A play of the file and the play of the club that it may be, or the two versions of one play.

    Args:
        id: of the play at its source.
        now: as the file has it; None: deleted at the source.
        here: as the club has it.
        why: a likeness, "changed" or "deleted".
        answer: ONE, TWO, TAKE or KEEP.
        corrected_here: the club has corrected the play, too.
        facts: what changed at the source.
        season: the season whose table has the play, empty for plays outside the seasons.
    """

    id: str
    now: PlannedPlay | None
    here: PlannedPlay
    why: str
    answer: str
    corrected_here: bool = False
    facts: tuple[str, ...] = ()
    season: str = ""


class ImportPreview(Frozen):
    """Result of an import before it is written: the same plan writes it."""

    source: str
    plays: list[PlannedPlay]  # new plays, without those that are one with another
    already_imported: int  # plays that the club has already
    sure: list[PlannedPair]  # one play by default
    unsure: list[PlannedPair]  # questions
    changes: list[PlannedPair]  # at the source
    people: list[FilePerson]
    games: list[FileGame]
    places: list[FilePlace]
    odd: dict[str, tuple[int, list[int]]]
    spoilt: list[SpoiltRow]
    skipped: Mapping[SkippedKind, int]

    @property
    def fresh(self) -> int:
        return len(self.plays)

    @property
    def is_empty(self) -> bool:
        return not (self.plays or self.sure or self.unsure or self.changes)

    @property
    def unusual(self) -> list[PlannedPlay]:
        return [play for play in self.plays if play.odd]


def preview_import(book: Daybook, club: Club, incoming: Incoming, answers: ImportAnswers = NO_ANSWERS) -> ImportPreview:
    """Return the result of an import without writing it."""
    command = command_for(incoming, answers)
    plan = plan_import(book, club, command, "preview", now())
    show = _Shown(club, plan.guests, plan.merges)
    played = {result.id: result for result in results.club_results(book, club)} if plan.asks else {}
    odd, new = dict[str, tuple[int, list[int]]](), list[PlannedPlay]()
    for imported, play in zip(plan.plays, plan.rows, strict=True):
        kinds = tuple(find_oddities(play))
        for kind in kinds:
            n, rows = odd.get(kind, (0, []))
            odd[kind] = n + 1, [*rows, play.row][:10]
        if not imported.same_as:
            new.append(show.play(imported, play.row, tuple(kind for kind in kinds if kind in UNUSUAL)))
    ids = {imported.table: play.id for imported, play in zip(plan.plays, plan.rows, strict=True)}
    by_table = {f"{BESIDE}.{imported.table}": imported for imported in plan.plays}
    pairs = [
        PlannedPair(
            ids[pair.play.table],
            show.play(pair.play, pair.row),
            show.play(by_table[pair.other], 0) if pair.other in by_table else show.result(played[pair.other]),
            pair.likeness,
            ONE if pair.merged else TWO,
        )
        for pair in plan.duplicates
    ]
    changes = [
        PlannedPair(
            change.id,
            show.play(change.now, change.row) if change.now else None,
            show.result(played[change.result]),
            "changed" if change.now else "deleted",
            TAKE if change.taken else KEEP,
            change.corrected_here,
            change.facts,
            change.in_season.season if change.in_season else "",
        )
        for change in plan.changes
    ]
    return ImportPreview(
        incoming.source,
        new,
        plan.known,
        [pair for pair in pairs if pair.why == "same"],
        [pair for pair in pairs if pair.why != "same"],
        changes,
        plan.people,
        plan.games,
        plan.places,
        odd,
        [*incoming.spoilt, *plan.spoilt],
        incoming.skipped,
    )


class _Shown:
    """Plays of the file and the club in one form."""

    def __init__(self, club: Club, guests: Choices = NO_CHOICES, merges: Choices = NO_CHOICES) -> None:
        self.club, self.guests, self.merges, self.anonymous_ids = club, guests, merges, club.anonymous_ids

    def play(self, play: ImportedPlay | ResultTyped, row: int, odd: tuple[str, ...] = ()) -> PlannedPlay:
        return self._of(row, play.ended_at, play.ruleset, play.placed, play.details, odd)

    def result(self, result: Result) -> PlannedPlay:
        seated = self.club.table_of(result.id)
        typed = seated.typed if seated is not None and not seated.game else None
        details = typed.details if typed is not None else NO_DETAILS
        return self._of(0, result.at, result.ruleset, typed.placed if typed else result.placed, details)

    def _of(
        self, row: int, at: str, game: str, placed: Sequence[Placed], details: PlayDetails, odd: tuple[str, ...] = ()
    ) -> PlannedPlay:
        people = [
            PlannedPerson(
                ""
                if each.person in self.anonymous_ids
                else self.club.person(self.merges.get(each.person, each.person)),
                "" if each.person in self.merges else self.guests.get(each.person, ""),
                each.place,
                details.scores.get(each.person) or ("" if each.score is None else str(each.score)),
            )
            for each in sorted(placed, key=lambda each: each.place)
        ]
        day = day_of(at, self.club.zone)
        place = "" if self.club.shows_days_only else details.place
        return PlannedPlay(row, day, game, tuple(people), place, odd)


def shown_result(club: Club, result: Result) -> PlannedPlay:
    """Return a play of the club in the form of the preview."""
    return _Shown(club).result(result)


class ImportResult(Frozen):
    """The result of an import."""

    receipt: Receipt | None = None  # None: nothing was new
    batch: str = ""
    plays: int = 0  # new plays of the club
    already_imported: int = 0  # in the club already
    spoilt: Sequence[SpoiltRow] = ()  # rows that could not be imported
    merged: int = 0  # one play with another one
    updated: int = 0  # changed at the source, and adopted


def command_for(incoming: Incoming, answers: ImportAnswers = NO_ANSWERS) -> ImportPlays:
    return ImportPlays(
        incoming.source,
        tuple(incoming.plays),
        dict(answers.people),
        dict(answers.games),
        dict(answers.places),
        dict(answers.plays),
        incoming.deleted,
        dict(incoming.columns),
    )


def import_plays(
    book: Daybook, club_id: UUID, incoming: Incoming, answers: ImportAnswers = NO_ANSWERS, *, by: str, key: str
) -> ImportResult:
    """Import the new plays of a file into a club. Raises as `clubs.write` does."""
    command, club = command_for(incoming, answers), book.clubs.get(club_id)
    require(ClubVisit(club, by), ImportPlays, **msgspec.structs.asdict(command))
    batch, spoilt, n = batch_of(club_id, key), incoming.spoilt, len(incoming.plays)
    if key not in club.keys:
        spoilt = [*spoilt, *plan_import(book, club, command, batch, now()).spoilt]
    try:
        receipt = clubs.write(book, club_id, command, by=by, key=key)
    except NothingToWriteError:
        return ImportResult(already_imported=n - len(spoilt) + len(incoming.spoilt), spoilt=spoilt)
    events = [entry.event for entry in book.clubs.get(club_id).entries]
    plays = [
        play for event in events if isinstance(event, PlaysImported) and event.batch == batch for play in event.plays
    ]
    updates = [event for event in events if isinstance(event, PlaysUpdated) and event.batch == batch]
    merged = sum(bool(play.same_as) for play in plays)
    updated = sum(len(event.plays) + len(event.deleted) for event in updates) + _count_typed_after(events, updates)
    return ImportResult(
        receipt,
        batch,
        len(plays) - merged,
        n - len(plays) - len(spoilt) + len(incoming.spoilt),
        spoilt,
        merged,
        updated,
    )


def _count_typed_after(events: Sequence[AnyEvent], updates: Sequence[PlaysUpdated]) -> int:
    """Count the season results that an import wrote after its updates."""
    if not updates:
        return 0
    after = events[updates[-1].step + 1 :]
    written = takewhile(lambda event: isinstance(event, ResultTyped) and event.at == updates[-1].at, after)
    return sum(1 for _ in written)


class ImportShown(Frozen):
    batch: str
    source: str
    at: str
    by: str
    plays: int
    in_effect: bool


def imports_of(club: Club) -> list[ImportShown]:
    """Return the imports of a club, the newest first."""
    found, undone = dict[str, ImportShown](), set[str]()
    for entry in club.entries:
        event = entry.event
        if isinstance(event, ImportUndone):
            undone.add(event.batch)
        if isinstance(event, PlaysImported | PlaysUpdated):
            before = found.get(event.batch)
            n = len(event.plays) + (before.plays if before else 0)
            found[event.batch] = ImportShown(event.batch, event.source, time_shown(club, event.at), event.by, n, True)
    return [msgspec.structs.replace(made, in_effect=made.batch not in undone) for made in reversed(found.values())]


def known_columns(club: Club) -> dict[str, str]:
    """Return the meanings of headings of tables that earlier imports were given by hand."""
    events = (entry.event for entry in club.entries)
    return {
        heading: meaning
        for event in events
        if isinstance(event, PlaysImported)
        for heading, meaning in event.columns.items()
    }


class MergedPlay(Frozen):
    """A play that was merged with another one. table: its own table, for a split. source: empty if it was typed."""

    table: str
    source: str
    shown: PlannedPlay
    season: str
    other: str  # the table of the play that it is


def merged_plays(club: Club, limit: int) -> list[MergedPlay]:
    """Return the merged plays of a club, the newest first."""
    found = dict[str, MergedPlay]()
    for aside in reversed([*club.beside.set_aside.values()][-limit:]):
        found[aside.id] = _merged_play(club, aside.id, aside.source, aside.typed)
    for source in reversed([*sources_of(club).by_id.values()]):
        table_id = source.play.table
        if len(found) < limit and table_id in club.beside.joined and table_id not in found:
            found[table_id] = _merged_play(club, table_id, source.source, source.play)
    return [*found.values()]


def merged_into(club: Club, table: SeasonTable) -> list[MergedPlay]:
    """Return the plays that were merged into the play of a table."""
    sources = {source.play.table: source for source in sources_of(club).of_result.get(table.result_id, ())}
    found = []
    for table_id in table.joined:
        if aside := club.beside.set_aside.get(table_id):
            found.append(_merged_play(club, table_id, aside.source, aside.typed))
        elif source := sources.get(table_id):
            found.append(_merged_play(club, table_id, source.source, source.play))
    return found


def _merged_play(club: Club, table_id: str, source: str, play: ImportedPlay | ResultTyped | None) -> MergedPlay:
    assert play is not None
    season, _, other = club.beside.joined[table_id].rpartition(".")
    return MergedPlay(table_id, source, _Shown(club).play(play, 0), season, other)


def club_plays(book: Daybook, club: Club) -> list[Play]:
    """Return all results of a club as plays, in the order of their ends; imported ones keep their own ids."""
    return [*plays_by_result(book, club).values()]


def plays_by_result(book: Daybook, club: Club) -> dict[str, Play]:
    """Return the plays of a club by the id of their result, in the order of their ends."""
    imports = [event for entry in club.entries if isinstance(event := entry.event, PlaysImported)]
    everybody = club.everybody()
    gone, ids = anonymous_of(book, everybody), club.ids_elsewhere()
    out = _Outgoing(
        club,
        book.kept.names(everybody),
        {
            person: foreign_id
            for foreign_id, person in reversed(ids.items())
            if person not in gone and not foreign_id.startswith(ACCOUNT)
        },
        {
            key: foreign_id
            for event in imports
            for foreign_id, key in event.source_games.items()
            if not foreign_id.startswith("bgg:")
        },
        {
            key: int(foreign_id[4:])
            for event in imports
            for foreign_id, key in event.source_games.items()
            if foreign_id.startswith("bgg:")
        },
        {
            person: foreign_id.removeprefix(ACCOUNT)
            for foreign_id, person in ids.items()
            if person not in gone and foreign_id.startswith(ACCOUNT)
        },
        sources_of(club),
    )
    played = [
        result for result in results.club_results(book, club) if result.was_played and "unapproved" not in result.marks
    ]
    return {result.id: out.play(result, _result_title(result)) for result in played}


def plays_to_bring(
    book: Daybook, own_log: Club, person: str, results: Collection[str]
) -> tuple[Incoming, ImportAnswers]:
    """Return plays of a person's own log as a file for a club, with the answer that names the person in it.

    results: ids of results in the log.
    """
    plays = plays_by_result(book, own_log)
    chosen = [
        msgspec.structs.replace(play, row=row) for row, play in enumerate((plays[i] for i in results if i in plays), 1)
    ]
    owner = _owner(book, own_log, [*plays.values()], own_log.person(person))
    return Incoming(f"{OWN_LOG}{person}", chosen), ImportAnswers(people={owner.key: person} if owner else {})


PLAYS_FORMATS = {"csv": "text/csv", "json": "application/json", "xml": "application/xml"}


def export_plays(book: Daybook, club: Club, kind: str, person: str, *, days_only: bool) -> bytes:
    """Return all plays of a club in a format of other programs.

    Args:
        kind: one of PLAYS_FORMATS.
        person: who exports them: the owner of a BG Stats file.
        days_only: leave out the hours, which say when the club met.
    """
    plays, at = club_plays(book, club), now()
    if days_only:
        plays = [msgspec.structs.replace(play, at=play.at[:10]) for play in plays]
        at = moment_of_play(at[:10])
    match kind:
        case "csv":
            return table.file_of(plays)
        case "json":
            return bgstats_file.write_bgstats(plays, at, _owner(book, club, plays, club.person(person)))
        case _:
            return bgg.write_bgg(plays, _owner(book, club, plays, club.person(person)))


def _owner(book: Daybook, club: Club, plays: Sequence[Play], person: str) -> Player | None:
    """Return the exporter as a player: with the same ids as in the plays."""
    if not club.knows(person):
        return None
    ids = [foreign_id for foreign_id, owner in club.ids_elsewhere().items() if owner == person]
    own = next((foreign_id for foreign_id in ids if not foreign_id.startswith(ACCOUNT)), person)
    known = (player for play in plays for player in play.players if player.id == own)
    return next(known, Player(book.kept.names([person]).get(person, ""), own))


def _result_title(result: Result) -> str:
    """Return the title of a game, or the name in its key."""
    rules = RULESETS.get(result.ruleset)
    return rules.title if rules is not None else name_in_key(result.ruleset) or result.ruleset


def _ids_of(play: ImportedPlay) -> list[str]:
    return [*filter(None, (play.id, play.second_id))]


def _name_of_nobody(club: Club, person: str) -> str:
    return ANONYMOUS if person in club.anonymous_ids else ""


class _Outgoing(Frozen):
    """Results of a club to export."""

    club: Club
    names: dict[str, str]
    people: dict[str, str]  # the ids of people in other programs
    games: dict[str, str]  # the ids of games in other programs
    bgg: dict[str, int]
    accounts: dict[str, str]  # names on BoardGameGeek
    sources: Sources

    def play(self, result: Result, title: str) -> Play:
        club = self.club
        played = club.season(result.season or BESIDE).tables[result.table or ""]
        ids = [
            foreign_id
            for source in self.sources.of_result.get(played.result_id, ())
            for foreign_id in _ids_of(source.play)
        ]
        imported = sorted(ids, key=lambda foreign_id: foreign_id.startswith("bgg:"))
        typed = played.typed if not played.game else None
        details = details_today(club, typed.details) if typed is not None else NO_DETAILS
        day_alone = is_day_alone(result.at)
        local = result.at[:10] if day_alone else local_of(result.at, club.zone)
        if details.hour and day_alone:
            local = f"{local}T{details.hour}:00"
        seated = sorted(result.placed, key=lambda player: PLAYERS_LIMIT if player.seat is None else player.seat)
        return Play(
            imported[0] if imported else exported_id(club, played),
            local,
            self._game(
                result.ruleset,
                title,
                details,
                result.lowest_wins or details.lowest_wins,
                bool(imported) or any(player.score is not None for player in seated),
            ),
            tuple(self._player(player, details) for player in seated),
            details.minutes,
            details.place,
            details.variant,
            details.comments,
            details.expansions,
            second_id=next((foreign_id for foreign_id in imported[1:] if foreign_id.startswith("bgg:")), ""),
            uncounted=details.uncounted,
            tie_settled=details.tie_settled,
        )

    def _game(self, key: str, title: str, details: PlayDetails, lowest_wins: bool, scored: bool) -> PlayedGame:
        return PlayedGame(
            title,
            self.games.get(key, key if key in RULESETS and RULESETS[key].title == title else key_of_title(title)),
            details.bgg or self.bgg.get(key, 0),
            lowest_wins=lowest_wins,
            cooperative=details.cooperative,
            points=not details.no_scores and (scored or bool(details.scores)),
            teams=bool(details.teams),
        )

    def _player(self, placed: Placed, details: PlayDetails) -> Player:
        person = self.club.person(placed.person)
        return Player(
            "" if placed.person in details.automas else self.names.get(person, _name_of_nobody(self.club, person)),
            self.people.get(person, person),
            placed.score,
            details.scores.get(placed.person, ""),
            placed.place,
            placed.place == 1,
            placed.person == details.start_player,
            placed.person in details.new,
            details.roles.get(placed.person, ""),
            details.teams.get(placed.person, ""),
            person in self.club.anonymous_ids,
            self.accounts.get(person, ""),
            placed.seat,
            placed.person in details.automas,
            colour=details.colours.get(placed.person, ""),
        )
