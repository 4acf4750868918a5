"""Import plays of another program into a club: its people, its games, and the results to write.

A file's person is a person of the club with that name, a person whom the file's ids named in an import before, or a new
guest. No one of another club is found by it, or changed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from datetime import date
from itertools import count
from uuid import UUID, uuid5

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_names import key_of_title, name_in_key
from daybook.domain.kernel.terms import Reason, because
from daybook.domain.kernel.times import FIRST_DAY, moment_of_play
from daybook.domain.league.club import GUESTS, Club, SeasonTable, nobodies
from daybook.domain.league.club_commands import ImportPlays
from daybook.domain.league.club_events import BESIDE, ImportedPlay, PlaysImported
from daybook.domain.league.club_writing import ClubDraft
from daybook.domain.league.event_checks.game_checks import play_fault
from daybook.domain.league.plays import Play, PlayedGame, Player, possible_ids
from daybook.domain.league.results import Placed, PlayDetails
from daybook.services.days import moment_at
from daybook.services.exchange.incoming import SpoiltRow, compute_places
from daybook.services.league.clubs.club_games import games_by_name
from daybook.services.league.clubs.member_commands import NothingToWriteError
from daybook.services.league.clubs.newcomers import strangers
from daybook.services.people.anonymise import anonymous_of
from daybook.services.people.blanking import blank_names, name_key
from daybook.services.people.forgotten import digest_of_id, digest_of_name, forgotten_among, forgotten_in_texts
from daybook.services.store.daybook import Daybook

PLAYS_PER_EVENT = 200  # plays: a line of a club's file stays short
MAX_NEW_GUESTS = 2_000  # that one import makes


class Intake:
    """A file to import into a club, with the people and games that it names."""

    def __init__(self, book: Daybook, club: Club, command: ImportPlays) -> None:
        self.club, self.command = club, command
        imports = [event for entry in club.entries if isinstance(event := entry.event, PlaysImported)]
        self._ids = club.ids_elsewhere()
        self._game_ids = {id: key for event in imports for id, key in event.source_games.items()}
        everybody = club.everybody()
        names = book.kept.names(everybody)
        self.names = Counter(names.get(person, "").casefold() for person in everybody)
        self._by_name = {names[person].casefold(): person for person in reversed(everybody) if person in names}
        self._inside = {*everybody}
        guests = {self._guest_id(player.name.casefold()) for play in command.plays for player in play.players}
        self._gone = anonymous_of(book, {*everybody, *guests}) | strangers(book, club, guests)
        self._titles = {rules.title.casefold(): id for id, rules in RULESETS.items() if rules.title_of is None}
        self._titles |= {name_in_key(key).casefold(): key for key in reversed(games_by_name(club))}
        self.known_games = {*self._titles.values()}
        self.guests: dict[str, str] = {}  # id -> name
        self._there = existing_ids(club)
        self._forgotten = self._find_forgotten(book)
        self._names_left_out = self._find_names_left_out(book)

    def _find_forgotten(self, book: Daybook) -> set[tuple[str, str]]:
        """Return the names and ids of players that asked to be forgotten, except those chosen by hand."""
        players = {
            (player.name, player.id)
            for play in self.command.plays
            for player in play.players
            if not player.anonymous and player.name not in self.command.people
        }
        by_id = {id: digest_of_id(book, id) for _, id in players if id}
        by_name = {name: digest_of_name(book, self.club.id, name) for name, _ in players}
        gone = forgotten_among(book, {*by_id.values(), *by_name.values()})
        return {
            (name, id)
            for name, id in players
            if by_id.get(id) in gone
            or self._ids.get(id) in self._gone
            or (by_name[name] in gone and not self._known_person(name, id))
        }

    def _find_names_left_out(self, book: Daybook) -> list[str]:
        """Return the names that texts of the file lose: of forgotten players, and of others that it only mentions."""
        texts = {text for play in self.command.plays for text in _texts_of(play)}
        mentioned = forgotten_in_texts(book, self.club.id, texts)
        let_in = {name_key(name) for name in self.command.people}
        names = {name for name in mentioned if name_key(name) not in let_in and not self._known_person(name, "")}
        return sorted(names | {name for name, _ in self._forgotten}, key=len, reverse=True)

    def is_forgotten(self, player: Player) -> bool:
        return (player.name, player.id) in self._forgotten

    @property
    def fresh(self) -> Iterator[Play]:
        there = self._there
        return (
            self._without_forgotten(play)
            for play in self.command.plays
            if play.id not in there and play.second_id not in there
        )

    def _without_forgotten(self, play: Play) -> Play:
        """Return a play without the names of people that asked to be forgotten."""
        names = self._names_left_out
        if not names:
            return play
        players = (
            msgspec.structs.replace(player, role=blank_names(player.role, names), team=blank_names(player.team, names))
            for player in play.players
        )
        return msgspec.structs.replace(
            play,
            players=tuple(players),
            game=msgspec.structs.replace(play.game, name=blank_names(play.game.name, names)),
            place=blank_names(play.place, names),
            variant=blank_names(play.variant, names),
            comments=blank_names(play.comments, names),
            expansions=tuple(blank_names(text, names) for text in play.expansions),
        )

    def match_game(self, play: Play) -> str:
        chosen = self.command.games.get(play.game.name, "")
        for id in () if chosen else _ids_of_game(play.game):
            if id in self._game_ids:
                return self._game_ids[id]
        name = " ".join((chosen or play.game.name).split())
        return self._titles.setdefault(name.casefold(), key_of_title(name))

    def match_person(self, player: Player) -> str:
        """Return the person of the club; empty if there is none yet."""
        chosen = self.command.people.get(player.name)
        if chosen is not None:
            return self.club.person(chosen) if chosen in self._inside else ""
        return "" if self.is_forgotten(player) else self._known_person(player.name, player.id)

    def _known_person(self, name: str, player_id: str) -> str:
        if (known := self._ids.get(player_id, "")) and known not in self._gone:
            return known
        return self._by_name.get(name.casefold(), "")

    def person_for_seat(self, player: Player, at: int) -> str:
        """Return the id for a seat: a new guest if the person is unknown."""
        if player.anonymous or self.is_forgotten(player):
            return nobodies(self.club.id)[at]
        if known := self.match_person(player):
            return known
        id = self._guest_id_of_name(player.name.casefold())
        if id not in self._inside:
            self.guests[id] = player.name
        return id

    def _guest_id_of_name(self, name: str) -> str:
        """Return the id of a guest with a name, also if the guest was renamed or merged since.

        It is never the id of a person who was made anonymous, of another club, or with an account: anyone can
        compute such an id, and take it before there is such a guest.
        """
        ids = (self.club.person(self._guest_id(name, f" {n}" if n else "")) for n in count())
        return next(id for id in ids if id not in self._gone)

    def _guest_id(self, name: str, more: str = "") -> str:
        return uuid5(GUESTS, f"{self.club.id} {name}{more}").hex


def _texts_of(play: Play) -> Iterator[str]:
    yield from (play.game.name, play.place, play.variant, play.comments, *play.expansions)
    for player in play.players:
        yield from (player.role, player.team)


def _ids_of_game(game: PlayedGame) -> list[str]:
    return [*filter(None, (game.id,)), *([f"bgg:{game.bgg}"] if game.bgg else [])]


def exported_id(club: Club, table: SeasonTable) -> str:
    """Return the id of a club's result in exports."""
    return f"daybook:{club.id}.{table.result_id}"


def existing_ids(club: Club) -> set[str]:
    """Return every id under which a play of the club can be imported again."""
    tables = [table for season in club.all_seasons() for table in season.tables.values() if table.game or table.typed]
    known = [*club.beside.imported, *(exported_id(club, table) for table in tables if not table.batch)]
    return {abroad for id in known for abroad in possible_ids(id)}


class ImportPlan(Frozen):
    """The entries that an import writes into a club."""

    plays: list[ImportedPlay]
    source_people: dict[str, str]  # people by the ids of the file
    source_games: dict[str, str]  # games by the ids of the file
    guests: dict[str, str]  # names of new guests, by id
    spoilt: list[SpoiltRow]  # rows that cannot be imported


def plan_import(book: Daybook, club: Club, command: ImportPlays, batch: str, at: str) -> ImportPlan:
    """Return what an import would write into a club at a time."""
    intake = Intake(book, club, command)
    fresh = [*intake.fresh]
    taken, plays, spoilt = set[str](), list[ImportedPlay](), list[SpoiltRow]()
    for number, play in enumerate(fresh, 1):
        ids = {play.id, play.second_id} - {""}
        if not ids & taken:
            imported = _to_imported_play(intake, play, f"{batch}-{number}", at)
            if isinstance(imported, Reason):
                spoilt.append(SpoiltRow(play.row, imported))
            else:
                plays.append(imported)
                taken |= ids
    source_people = {
        foreign_id: intake.person_for_seat(player, 0)
        for play in fresh
        for player in play.players
        if not player.anonymous and not intake.is_forgotten(player)
        for foreign_id in player.ids
    }
    source_games = {id: intake.match_game(play) for play in fresh for id in _ids_of_game(play.game)}
    return ImportPlan(plays, source_people, source_games, intake.guests, spoilt)


def batch_of(club_id: UUID, key: str) -> str:
    """Return the id of the import that a key writes."""
    return hashlib.sha256(f"{club_id} {key}".encode()).hexdigest()[:12]


def import_plays(book: Daybook, draft: ClubDraft, command: ImportPlays) -> None:
    """Add what is new of a file. Raises Refused for too many guests, NothingToWriteError."""
    batch = batch_of(draft.club.id, draft.key)
    plan = plan_import(book, draft.club, command, batch, draft.at)
    if len(plan.guests) > MAX_NEW_GUESTS:
        raise Refused(
            because(
                "guests_many",
                "the file names {n} people who are not in the club. At most {most} at once: import it in parts",
                n=len(plan.guests),
                most=MAX_NEW_GUESTS,
            )
        )
    if not plan.plays:
        raise NothingToWriteError
    draft.new_people |= plan.guests
    for start in range(0, len(plan.plays), PLAYS_PER_EVENT):
        draft.add(
            PlaysImported,
            season=BESIDE,
            batch=batch,
            source=command.source,
            plays=tuple(plan.plays[start : start + PLAYS_PER_EVENT]),
            source_people={} if start else plan.source_people,
            source_games={} if start else plan.source_games,
        )


def _to_imported_play(intake: Intake, play: Play, table: str, at: str) -> ImportedPlay | Reason:
    """Return a play as the club writes it, or why it cannot be imported."""
    people = [intake.person_for_seat(player, seat) for seat, player in enumerate(play.players)]
    if len({*people}) < len(people):
        return because("twice_in_row", "a player is named twice")
    by_person = [*zip(people, play.players, strict=True)]
    day = play.at or FIRST_DAY
    try:
        ended = moment_at(day, intake.club.zone) if "T" in day else moment_of_play(date.fromisoformat(day).isoformat())
    except ValueError:
        return because("no_day", "“{text}” is not a day such as 2026-04-18", text=day[:40])
    made = ImportedPlay(
        table,
        play.id,
        intake.match_game(play),
        tuple(
            Placed(person, player.seat, place, player.score)
            for (person, player), place in zip(by_person, compute_places(play), strict=True)
        ),
        min(ended, at) if "T" in day and ended[:10] == at[:10] else ended,
        play.second_id,
        PlayDetails(
            play.place,
            play.minutes,
            play.expansions,
            play.variant,
            play.comments,
            next((person for person, player in by_person if player.started), ""),
            tuple(person for person, player in by_person if player.new),
            {person: player.role for person, player in by_person if player.role},
            {person: player.team for person, player in by_person if player.team},
            {person: player.score_text for person, player in by_person if player.score_text},
            play.game.cooperative,
            play.game.lowest_wins,
            not play.game.points,
            play.tie_settled,
            play.uncounted,
            tuple(person for person, player in by_person if player.automa),
            play.game.bgg,
        ),
    )
    return play_fault(made, at) or made
