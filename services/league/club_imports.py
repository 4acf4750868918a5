"""Imports of a club's plays from other programs: previewed, written, listed; and all results of a club as plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from uuid import UUID

from daybook.domain.games import RULESETS
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_names import key_of_title, name_in_key
from daybook.domain.kernel.times import moment_of_play
from daybook.domain.league.club import Club
from daybook.domain.league.club_commands import ImportPlays
from daybook.domain.league.club_events import BESIDE, ImportedPlay, PlaysImported
from daybook.domain.league.plays import ACCOUNT, ANONYMOUS, Play, PlayedGame, Player
from daybook.domain.league.results import NO_DETAILS, PLAYERS_LIMIT, Placed, PlayDetails, Result
from daybook.services.clock import now
from daybook.services.days import local_of, time_shown
from daybook.services.exchange.incoming import Incoming, SpoiltRow, find_oddities
from daybook.services.league import clubs, results
from daybook.services.league.clubs.import_plan import Intake, batch_of, existing_ids, exported_id, plan_import
from daybook.services.league.clubs.member_commands import NothingToWriteError
from daybook.services.people.anonymise import anonymous_of
from daybook.services.permissions.actions import ClubVisit, require
from daybook.services.play.writing import Receipt
from daybook.services.store.daybook import Daybook

NEW = "new"  # a choice: a guest of the name
Choices = Mapping[str, str]
NO_CHOICES: Choices = {}


class MatchedPlayer(Frozen):
    """Player of a file, with the person of the club."""

    name: str
    person: str  # empty: a new guest
    plays: int  # in the file
    forgotten: bool = False  # asked to be forgotten: imported as anonymous unless chosen by hand


class MatchedGame(Frozen):
    """Game of a file, with its key here."""

    name: str
    key: str
    known: bool  # the club has results of it
    plays: int


class ImportPreview(Frozen):
    """Expected result of an import."""

    source: str
    fresh: int  # new plays
    already_imported: int  # plays that the club has already
    people: list[MatchedPlayer]
    games: list[MatchedGame]
    odd: dict[str, tuple[int, list[int]]]
    spoilt: list[SpoiltRow]


def preview_import(
    book: Daybook, club: Club, incoming: Incoming, people: Choices = NO_CHOICES, games: Choices = NO_CHOICES
) -> ImportPreview:
    """Return the expected result of an import without writing it. Args as for `import_plays`."""
    intake = Intake(book, club, command_for(incoming, people, games))
    fresh = [*intake.fresh]
    players, played = Counter[Player](), Counter[tuple[str, str]]()
    odd = dict[str, tuple[int, list[int]]]()
    known = {*intake.known_games}
    for play in fresh:
        players.update({Player(player.name, player.id): 1 for player in play.players if not player.anonymous})
        played[play.game.name, intake.match_game(play)] += 1
        for what in find_oddities(play):
            n, rows = odd.get(what, (0, []))
            odd[what] = n + 1, [*rows, play.row][:10]
    by_name = Counter[str]()
    matched, forgotten = dict[str, str](), set[str]()
    for file_player, n in players.items():
        by_name[file_player.name] += n
        forgotten |= {file_player.name} if intake.is_forgotten(file_player) else set()
        matched[file_player.name] = matched.get(file_player.name) or intake.match_person(file_player)
    return ImportPreview(
        incoming.source,
        len(fresh),
        len(incoming.plays) - len(fresh),
        [MatchedPlayer(name, matched[name], n, name in forgotten) for name, n in by_name.most_common()],
        [MatchedGame(name, key, key in known, n) for (name, key), n in played.most_common()],
        odd,
        incoming.spoilt,
    )


class ImportResult(Frozen):
    """The result of an import."""

    receipt: Receipt | None = None  # None: nothing was new
    batch: str = ""
    plays: int = 0  # imported
    already_imported: int = 0  # in the club already
    spoilt: Sequence[SpoiltRow] = ()  # rows that could not be imported


def command_for(incoming: Incoming, people: Choices, games: Choices) -> ImportPlays:
    return ImportPlays(incoming.source, tuple(incoming.plays), dict(people), dict(games))


def import_plays(
    book: Daybook,
    club_id: UUID,
    incoming: Incoming,
    people: Choices = NO_CHOICES,
    games: Choices = NO_CHOICES,
    *,
    by: str,
    key: str,
) -> ImportResult:
    """Import the new plays of a file into a club. Raises as `clubs.write` does.

    Args:
        people: name in the file -> id of a person of the club, or NEW.
        games: game in the file -> key of the game.
    """
    command, club = command_for(incoming, people, games), book.clubs.get(club_id)
    require(ClubVisit(club, by), "enter_results")
    batch, spoilt = batch_of(club_id, key), incoming.spoilt
    if key not in club.keys:
        spoilt = [*spoilt, *plan_import(book, club, command, batch, now()).spoilt]
    try:
        receipt = clubs.write(book, club_id, command, by=by, key=key)
    except NothingToWriteError:
        return ImportResult(already_imported=_count_existing_plays(club, incoming), spoilt=spoilt)
    club = book.clubs.get(club_id)
    plays = next(imported.plays for imported in imports_of(club) if imported.batch == batch)
    return ImportResult(receipt, batch, plays, _count_existing_plays(club, incoming) - plays, spoilt)


def _count_existing_plays(club: Club, incoming: Incoming) -> int:
    there = existing_ids(club)
    return sum(play.id in there or play.second_id in there for play in incoming.plays)


class ImportShown(Frozen):
    batch: str
    source: str
    at: str
    by: str
    plays: int
    in_effect: bool


def imports_of(club: Club) -> list[ImportShown]:
    """Return the imports of a club, the newest first."""
    found, stands = dict[str, ImportShown](), {*club.beside.imported.values()}
    for entry in club.entries:
        event = entry.event
        if isinstance(event, PlaysImported):
            before = found.get(event.batch)
            n = len(event.plays) + (before.plays if before else 0)
            found[event.batch] = ImportShown(
                event.batch, event.source, time_shown(club, event.at), event.by, n, event.batch in stands
            )
    return [*reversed(found.values())]


def club_plays(book: Daybook, club: Club) -> list[Play]:
    """Return all results of a club as plays, in the order of their ends; imported ones keep their own ids."""
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
        {play.table: play for event in imports for play in event.plays},
    )
    played = [result for result in results.club_results(book, club) if result.was_played]
    return [out.play(result, _result_title(result)) for result in played]


def _result_title(result: Result) -> str:
    """Return the title of a game, or the name in its key."""
    rules = RULESETS.get(result.ruleset)
    return rules.title if rules is not None else name_in_key(result.ruleset) or result.ruleset


def _name_of_nobody(club: Club, person: str) -> str:
    return ANONYMOUS if person in club.nobody else ""


class _Outgoing(Frozen):
    """Results of a club to export."""

    club: Club
    names: dict[str, str]
    people: dict[str, str]  # the ids of people in other programs
    games: dict[str, str]  # the ids of games in other programs
    bgg: dict[str, int]
    accounts: dict[str, str]  # names on BoardGameGeek
    sources: dict[str, ImportedPlay]  # imported plays by table

    def play(self, result: Result, title: str) -> Play:
        club = self.club
        table = club.season(result.season or BESIDE).tables[result.table or ""]
        source = self.sources.get(table.id) if table.batch else None
        details = table.typed.details if table.typed is not None and not table.game else NO_DETAILS
        day_alone = result.at == moment_of_play(result.at[:10])
        local = result.at[:10] if day_alone else local_of(result.at, club.zone)
        seated = sorted(result.placed, key=lambda player: PLAYERS_LIMIT if player.seat is None else player.seat)
        return Play(
            source.id if source else exported_id(club, table),
            local,
            self._game(
                result.ruleset,
                title,
                details,
                result.lowest_wins or details.lowest_wins,
                bool(source) or any(player.score is not None for player in seated),
            ),
            tuple(self._player(player, details) for player in seated),
            details.minutes,
            details.place,
            details.variant,
            details.comments,
            details.expansions,
            second_id=source.second_id if source else "",
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
            person in self.club.nobody,
            self.accounts.get(person, ""),
            placed.seat,
            placed.person in details.automas,
        )
