"""Import plays of another program into a club: its people, its games, and the results to write.

A file's person is the person whom the file's ids named in an import before, a person of the club with that name, or a new
guest. A person who was matched by name or by hand has an id of their own that is merged with the person of the club, so
that a wrong match is undone as every merge is. No one of another club is found by it, or changed.

The preview and the import share `plan_import`.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import count
from typing import Literal
from uuid import UUID, uuid5

import msgspec

from daybook.domain.games import RULESETS, rules_of
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_names import is_by_name, key_of_title, name_in_key
from daybook.domain.kernel.terms import Reason, because
from daybook.domain.kernel.times import FIRST_DAY, moment_of_play
from daybook.domain.league.club import GUESTS, Club, SeasonTable, list_anonymous_ids
from daybook.domain.league.club_commands import ImportPlays
from daybook.domain.league.club_events import (
    BESIDE,
    ImportedPlay,
    PeopleMerged,
    PlaysImported,
    PlaysUpdated,
    ResultTyped,
)
from daybook.domain.league.club_writing import ClubDraft
from daybook.domain.league.event_checks import event_fault
from daybook.domain.league.event_checks.game_checks import play_fault
from daybook.domain.league.plays import OWN_LOG, Play, PlayedGame, Player, possible_ids
from daybook.domain.league.results import Placed, PlayDetails
from daybook.domain.league.scores import read_score
from daybook.services.days import moment_at
from daybook.services.exchange.incoming import SpoiltRow, compute_places
from daybook.services.exchange.table import content_of, row_id
from daybook.services.league import results
from daybook.services.league.clubs.club_games import games_by_name
from daybook.services.league.clubs.game_commands import waits_for_approval
from daybook.services.league.clubs.import_sources import (
    Likeness,
    PlaySource,
    Sources,
    compared_imports,
    compared_results,
    digest_of,
    facts_of,
    ids_of_sources,
    pair_plays,
    sources_of,
)
from daybook.services.league.clubs.member_commands import NothingToWriteError
from daybook.services.league.clubs.newcomers import strangers
from daybook.services.people.anonymise import anonymous_of
from daybook.services.people.blanking import blank_names, name_key
from daybook.services.people.forgotten import digest_of_id, digest_of_name, forgotten_among, forgotten_in_texts
from daybook.services.store.daybook import Daybook

PLAYS_PER_EVENT = 200  # plays: a line of a club's file stays short
MAX_NEW_GUESTS = 2_000  # that one import makes
SOURCES_WITHOUT_GAMES = frozenset({"table", "bgg"})  # they seldom say how a game is won
NEW = "new"  # an answer: a guest of the name
ONE, TWO, TAKE, KEEP = "one", "two", "take", "keep"  # answers to questions about plays
DELETED = "deleted"  # instead of the digest of a version

MatchedBy = Literal["id", "hand", "name", "new", "forgotten"]


class FilePerson(Frozen):
    """Person of a file, with the person of the club.

    Args:
        key: identity in the file.
        names: all names in the file, the first one first.
        person: of the club; empty: a new guest.
        by: how the person was found; forgotten: asked to be forgotten, and is imported as anonymous unless chosen.
    """

    key: str
    names: tuple[str, ...]
    person: str
    by: MatchedBy
    plays: int
    forgotten: bool = False

    @property
    def name(self) -> str:
        return self.names[0]


class FileGame(Frozen):
    """Game of a file, with its key here. known: the club has results of it."""

    key: str
    name: str
    here: str
    known: bool
    plays: int


class FilePlace(Frozen):
    """Place of a file, with its name here."""

    key: str
    name: str
    here: str
    plays: int


class Intake:
    """A file to import into a club, with the people, games and places that it names."""

    def __init__(self, book: Daybook, club: Club, command: ImportPlays) -> None:
        self.club, self.command = club, command
        imports = [event for entry in club.entries if isinstance(event := entry.event, PlaysImported)]
        self._ids = club.ids_elsewhere()
        self._game_ids = {id: key for event in imports for id, key in event.source_games.items()}
        self._place_ids = {id: name for event in imports for id, name in event.source_places.items()}
        everybody = club.everybody()
        names = book.kept.names(everybody)
        self._by_name = {names[person].casefold(): person for person in reversed(everybody) if person in names}
        self._by_letters = _unique_letters(names)
        self._inside = {*everybody}
        self._players = self._players_by_key()
        ids = {seed for players in self._players.values() for seed in self._guest_seeds(players[0])}
        guests = {self._guest_id(seed) for seed in ids}
        self.gone = anonymous_of(book, {*everybody, *guests}) | strangers(book, club, guests)
        self._titles = {rules.title.casefold(): id for id, rules in RULESETS.items() if rules.title_of is None}
        self._titles |= {name_in_key(key).casefold(): key for key in reversed(games_by_name(club))}
        self.known_games = {*self._titles.values()}
        self.guests: dict[str, str] = {}  # id -> name
        self.merges: dict[str, str] = {}  # new id -> person of the club
        self._forgotten = self._find_forgotten(book)
        self._names_left_out = self._find_names_left_out(book)
        self._seats: dict[str, str] = {}
        self._matched_by: dict[str, MatchedBy] = {}
        self._named_here: dict[str, str] = {}  # people with ids of this file, by name
        for key, players in sorted(self._players.items(), key=lambda item: not item[1][0].id):
            self._seats[key] = self._match(players)
            if players[0].id and self._seats[key]:
                for player in players:
                    self._named_here.setdefault(player.name.casefold(), self.person_of(self._seats[key]))
        self._games = self._match_games()
        self._places = self._match_places()
        keys = {*self._games.values()} if command.source in SOURCES_WITHOUT_GAMES else ()
        self._lowest = _games_won_by_least(book, club, keys, self._won_by_least_in_file())
        self._cooperative = _games_played_together(club, keys)

    def _players_by_key(self) -> dict[str, list[Player]]:
        """Return the people of the file with their names and accounts, those in the most plays first."""
        n, found = Counter[str](), defaultdict[str, dict[Player, None]](dict)
        for play in self.command.plays:
            for player in play.players:
                if not player.anonymous:
                    n[player.key] += 1
                    found[player.key][Player(player.name, player.id, account=player.account)] = None
        return {key: [*found[key]] for key, _ in n.most_common()}

    def _find_forgotten(self, book: Daybook) -> set[str]:
        """Return the people of the file that asked to be forgotten, except those chosen by hand."""
        players = {
            (key, player) for key, players in self._players.items() for player in players if not self._chosen(players)
        }
        by_id = {id: digest_of_id(book, id) for _, player in players for id in player.ids}
        by_name = {player.name: digest_of_name(book, self.club.id, player.name) for _, player in players}
        gone = forgotten_among(book, {*by_id.values(), *by_name.values()})
        return {
            key
            for key, player in players
            if any(by_id[id] in gone or self._ids.get(id) in self.gone for id in player.ids)
            or (by_name[player.name] in gone and not self._known_person(player))
        }

    def _find_names_left_out(self, book: Daybook) -> list[str]:
        """Return the names that texts of the file lose: of forgotten players, and of others that it only mentions."""
        texts = {text for play in self.command.plays for text in _texts_of(play)}
        mentioned = forgotten_in_texts(book, self.club.id, texts)
        let_in = {
            name_key(player.name) for players in self._players.values() if self._chosen(players) for player in players
        }
        names = {name for name in mentioned if name_key(name) not in let_in and name.casefold() not in self._by_name}
        forgotten = {player.name for key in self._forgotten for player in self._players[key]}
        return sorted(names | forgotten, key=len, reverse=True)

    # --- people ---

    def _chosen(self, players: Sequence[Player]) -> str:
        """Return the answer of the importer for a person of the file, by identity or else by name."""
        people = self.command.people
        return next(
            (people[key] for key in (players[0].key, *(player.name for player in players)) if key in people), ""
        )

    def _known_person(self, player: Player) -> str:
        """Return the person with an id of the player from an earlier import, or else with the name."""
        for foreign_id in player.ids:
            if (known := self._ids.get(foreign_id, "")) and known not in self.gone:
                return known
        return self._by_name.get(player.name.casefold(), "")

    def _match(self, players: Sequence[Player]) -> str:
        """Return the id for the seats of a person of the file; note new guests and merges."""
        key, first = players[0].key, players[0]
        chosen = self._chosen(players)
        person, by = "", "new"
        if chosen and chosen != NEW:
            person, by = (self.club.person(chosen), "hand") if chosen in self._inside else ("", "new")
        elif not chosen and key in self._forgotten:
            self._matched_by[key] = "forgotten"
            return ""
        elif not chosen:
            person, by = self._find_person(players)
        self._matched_by[key] = by  # type: ignore[assignment]
        if by == "id":
            return person
        if person and not first.id and by == "name":
            return person
        if person and not first.id and self._by_name.get(first.name.casefold()) == person:
            return person
        seeds = self._guest_seeds(first)
        seed = seeds[0] if first.id or chosen else seeds[-1]
        guest = self._free_guest_id(seed)
        if guest not in self._inside:
            self.guests[guest] = first.name
            if person:
                self.merges[guest] = person
        return guest

    def _find_person(self, players: Sequence[Player]) -> tuple[str, MatchedBy]:
        known = (self._ids.get(foreign_id, "") for player in players for foreign_id in player.ids)
        if person := next((person for person in known if person and person not in self.gone), ""):
            return person, "id"
        first = players[0]
        if not first.id:
            guest = self.club.person(self._guest_id(self._guest_seeds(first)[0]))
            if guest in self._inside and guest not in self.gone:
                return guest, "id"  # matched by hand before
        for player in players:
            name = player.name.casefold()
            here = self._named_here.get(name, "")
            if here and not first.id:
                return here, "name"
            if name in self._by_name and not here:
                return self._by_name[name], "name"
        alike = self._by_letters.pop(_letters_of(first.name), "")  # the next one of these letters is another person
        if alike and alike not in self._named_here.values():
            return alike, "name"
        return "", "new"

    def _guest_seeds(self, player: Player) -> tuple[str, str]:
        """Return the seeds of a guest's id: of this identity, and of the name in any file."""
        name = player.name.casefold()
        return player.id or f"{self.command.source} {name}", name

    def _free_guest_id(self, seed: str) -> str:
        """Return the id of a guest, also if the guest was renamed or merged since.

        It is never the id of a person who was made anonymous, of another club, or with an account: anyone can
        compute such an id, and take it before there is such a guest.
        """
        ids = (self.club.person(self._guest_id(seed, f" {n}" if n else "")) for n in count())
        return next(id for id in ids if id not in self.gone)

    def _guest_id(self, seed: str, more: str = "") -> str:
        return uuid5(GUESTS, f"{self.club.id} {seed}{more}").hex

    def person_for_seat(self, player: Player, at: int) -> str:
        """Return the id for a seat: a new guest if the person is unknown."""
        if player.anonymous or not (person := self._seats[player.key]):
            return list_anonymous_ids(self.club.id)[at]
        return person

    def person_of(self, person_id: str) -> str:
        """Return the person as the club will know them after the import."""
        return self.club.person(self.merges.get(person_id, person_id))

    @property
    def people(self) -> list[FilePerson]:
        n = Counter(player.key for play in self.command.plays for player in play.players if not player.anonymous)
        found = []
        for key, players in self._players.items():
            seat, by = self._seats[key], self._matched_by[key]
            person = self.person_of(seat) if seat else ""
            names = tuple(dict.fromkeys(player.name for player in players))
            known = person if person in self._inside else ""
            found.append(FilePerson(key, names, known, by, n[key], key in self._forgotten))
        return found

    def source_people(self) -> dict[str, str]:
        """Return the person for each id of the file, without those of people to be forgotten."""
        return {
            foreign_id: self._seats[key]
            for key, players in self._players.items()
            if key not in self._forgotten
            for player in players
            for foreign_id in player.ids
        }

    # --- games and places ---

    def _match_games(self) -> dict[str, str]:
        """Return the key here for each game of the file. Two games of one name with different ids stay two."""
        games = {play.game.key: play.game for play in self.command.plays}
        numbers = {key: int(id[4:]) for id, key in self._game_ids.items() if id.startswith("bgg:")}
        found = dict[str, str]()
        for key, game in games.items():
            here = self._chosen_game(game) or self._known_game(game)
            if not here:
                name = " ".join(game.name.split())
                here = self._titles.get(name.casefold(), key_of_title(name))
                known = numbers.get(here, 0)
                if (known and game.bgg and known != game.bgg) or here in found.values():
                    here = self._titles.get(
                        distinct := f"{name} ({game.year or self._edition(game)})", key_of_title(distinct)
                    )
            self._titles.setdefault(name_in_key(here).casefold(), here)
            if game.bgg:
                numbers.setdefault(here, game.bgg)
            found[key] = here
        return found

    def _edition(self, game: PlayedGame) -> str:
        return f"BGG {game.bgg}" if game.bgg else "2"

    def _chosen_game(self, game: PlayedGame) -> str:
        games = self.command.games
        name = " ".join((games.get(game.key) or games.get(game.name, "")).split())
        return self._titles.get(name.casefold(), key_of_title(name)) if name else ""

    def _known_game(self, game: PlayedGame) -> str:
        ids = [*_ids_of_game(game), self._spelling(game.name)]
        return next((self._game_ids[id] for id in ids if id in self._game_ids), "")

    def _spelling(self, name: str) -> str:
        """Return the id under which a name that was matched by hand is remembered."""
        return f"{self.command.source} name:{name.casefold()}"

    def match_game(self, game: PlayedGame) -> str:
        return self._games[game.key]

    def _match_places(self) -> dict[str, str]:
        places = {play.place_id or play.place: play for play in self.command.plays if play.place}
        found, taken = dict[str, str](), set[str]()
        for key, play in places.items():
            chosen = self.command.places.get(key) or self.command.places.get(play.place, "")
            here = chosen or next(
                (self._place_ids[id] for id in (key, self._spelling(play.place)) if id in self._place_ids), ""
            )
            if not here:
                names = (play.place if n == 1 else f"{play.place} ({n})" for n in count(1))
                here = next(name for name in names if not play.place_id or name not in taken)
            taken.add(here)
            found[key] = " ".join(here.split())
        return found

    def match_place(self, play: Play) -> str:
        return self._places[play.place_id or play.place] if play.place else ""

    @property
    def games(self) -> list[FileGame]:
        n = Counter(play.game.key for play in self.command.plays)
        games = {play.game.key: play.game for play in self.command.plays}
        return [
            FileGame(key, games[key].name, self._games[key], self._games[key] in self.known_games, plays)
            for key, plays in n.most_common()
        ]

    @property
    def places(self) -> list[FilePlace]:
        n = Counter(play.place_id or play.place for play in self.command.plays if play.place)
        names = {play.place_id or play.place: play.place for play in self.command.plays}
        return [FilePlace(key, names[key], self._places[key], plays) for key, plays in n.most_common()]

    def source_games(self) -> dict[str, str]:
        games = {play.game.key: play.game for play in self.command.plays}
        ids = {id: self.blank_game(self._games[key]) for key, game in games.items() for id in _ids_of_game(game)}
        by_hand = {
            self._spelling(game.name): self._games[key]
            for key, game in games.items()
            if self._chosen_game(game) and not self._names_someone_gone(game.name)
        }
        return ids | by_hand

    def source_places(self) -> dict[str, str]:
        """Return the places that have another name here than in the file."""
        named = {play.place_id or play.place: play for play in self.command.plays if play.place}
        return {
            key if play.place_id else self._spelling(key): self._places[key]
            for key, play in named.items()
            if self._places[key] != play.place and not self._names_someone_gone(play.place + self._places[key])
        }

    def _names_someone_gone(self, text: str) -> bool:
        return blank_names(text, self._names_left_out) != text

    def _won_by_least_in_file(self) -> set[str]:
        """Return the games that mostly the lowest score won in the file."""
        played, lowest = Counter[str](), Counter[str]()
        for play in self.command.plays:
            ends = _ends_of_winners(play)
            if len(ends) == 1:
                played[self.match_game(play.game)] += 1
                lowest[self.match_game(play.game)] += "lowest" in ends
        return {key for key, n in played.items() if 2 * lowest[key] > n}

    def localise(self, play: Play) -> Play:
        """Return a play with its place and its way to win as the club knows them, without names of forgotten people."""
        play, names = msgspec.structs.replace(play, place=self.match_place(play)), self._names_left_out
        if self.match_game(play.game) in self._lowest:
            play = msgspec.structs.replace(play, game=msgspec.structs.replace(play.game, lowest_wins=True))
        if self.match_game(play.game) in self._cooperative and len({player.won for player in play.players}) == 1:
            play = msgspec.structs.replace(play, game=msgspec.structs.replace(play.game, cooperative=True))
        if not names:
            return play
        players = (
            msgspec.structs.replace(player, role=blank_names(player.role, names), team=blank_names(player.team, names))
            for player in play.players
        )
        return msgspec.structs.replace(
            play,
            players=tuple(players),
            place=blank_names(play.place, names),
            variant=blank_names(play.variant, names),
            comments=blank_names(play.comments, names),
            expansions=tuple(blank_names(text, names) for text in play.expansions),
        )

    def blank_game(self, key: str) -> str:
        """Return the key of a game without the names of people that asked to be forgotten."""
        names = self._names_left_out
        return key_of_title(blank_names(name_in_key(key), names)) if names and name_in_key(key) else key


def _letters_of(name: str) -> str:
    """Return the letters and digits of a name, to find “Cem 🎲” by “Cem”."""
    return "".join(filter(str.isalnum, name.casefold()))


def _unique_letters(names: Mapping[str, str]) -> dict[str, str]:
    """Return the people of a club by the letters of their names, without letters of several people."""
    n = Counter(map(_letters_of, names.values()))
    return {letters: person for person, name in names.items() if n[letters := _letters_of(name)] == 1 and letters}


def _ends_of_winners(play: Play) -> set[str]:
    """Return if winners have the lowest or the highest score of a play; both or none say nothing."""
    scores = [read_score(player.score_text) if player.score is None else player.score for player in play.players]
    won = {score for score, player in zip(scores, play.players, strict=True) if player.won and score is not None}
    numbers = [score for score in scores if score is not None]
    if len(won) != 1 or len(numbers) < len(scores) or play.game.cooperative:
        return set()
    return {end for end, score in (("lowest", min(numbers)), ("highest", max(numbers))) if {score} == won}


def _games_won_by_least(book: Daybook, club: Club, keys: Collection[str], in_file: Collection[str]) -> set[str]:
    """Return those of some games that the lowest score wins: mostly in the club, by the game's sheet, or in the file."""
    played, lowest = Counter[str](), Counter[str]()
    for table in club.beside.tables.values():
        if table.typed is not None and not table.game:
            played[table.typed.ruleset] += 1
            lowest[table.typed.ruleset] += table.typed.details.lowest_wins
    found = {key for key in keys if 2 * lowest[key] > played[key]}
    for key in keys:
        sheet = None if played[key] or not is_by_name(key) else book.sheets.hash_by_name(key, "")
        rules = rules_of(key)
        if sheet and rules is not None:
            is_least = book.sheets.get(rules.id, sheet)["score.wins"] == "least"
        else:
            is_least = is_by_name(key) and not played[key] and key in in_file
        if is_least:
            found.add(key)
    return found


def _games_played_together(club: Club, keys: Collection[str]) -> set[str]:
    """Return those of some games that the club mostly plays as cooperative games."""
    played, together = Counter[str](), Counter[str]()
    for table in club.beside.tables.values():
        if table.typed is not None and not table.game:
            played[table.typed.ruleset] += 1
            together[table.typed.ruleset] += table.typed.details.cooperative
    return {key for key in keys if 2 * together[key] > played[key]}


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
    tables += club.beside.set_aside.values()
    known = [*club.beside.imported, *(exported_id(club, table) for table in tables)]
    return {abroad for id in known for abroad in possible_ids(id)}


# --- the plan --------------------------------------------------------------------------------------------------------


class Duplicate(Frozen):
    """A play of the file that the club, or the file, may have already.

    Args:
        other: the result that it may be.
        merged: it becomes one play with it.
    """

    row: int
    play: ImportedPlay
    other: str
    likeness: Likeness
    merged: bool

    @property
    def is_sure(self) -> bool:
        return self.likeness == "same"


class SourceChange(Frozen):
    """A play that is in the club, and that its source has changed or deleted since.

    Args:
        id: of the play at its source.
        now: the version of the file; None: deleted.
        corrected_here: the club has corrected it, too.
        taken: the club adopts the version of the file.
        facts: what changed.
        in_season: the new result of a season's table, if the play belongs to one.
    """

    id: str
    row: int
    result: str
    now: ImportedPlay | None
    corrected_here: bool
    taken: bool
    digest: str
    facts: tuple[str, ...] = ()
    in_season: ResultTyped | None = None


class ImportPlan(Frozen):
    """The entries that an import writes into a club, and what it leaves out."""

    plays: list[ImportedPlay]
    rows: list[Play]  # of the plays, in the same order
    known: int  # plays that the club has already, unchanged
    duplicates: list[Duplicate]
    changes: list[SourceChange]
    source_people: dict[str, str]  # people by the ids of the file
    source_games: dict[str, str]  # games by the ids of the file
    source_places: dict[str, str]
    guests: dict[str, str]  # names of new guests, by id
    merges: dict[str, str]  # people of the club by new id
    spoilt: list[SpoiltRow]  # rows that cannot be imported
    people: list[FilePerson]
    games: list[FileGame]
    places: list[FilePlace]

    @property
    def updated(self) -> list[ImportedPlay]:
        return [
            change.now for change in self.changes if change.taken and change.now is not None and not change.in_season
        ]

    @property
    def updated_in_seasons(self) -> list[ResultTyped]:
        return [change.in_season for change in self.changes if change.taken and change.in_season is not None]

    @property
    def deleted(self) -> list[str]:
        return [change.result.removeprefix(f"{BESIDE}.") for change in self.changes if change.taken and not change.now]

    @property
    def answered(self) -> dict[str, str]:
        return {change.id: change.digest for change in self.changes}

    @property
    def is_empty(self) -> bool:
        return not (self.plays or self.changes)

    @property
    def asks(self) -> bool:
        """If it compares plays of the file with plays of the club."""
        return bool(self.duplicates or self.changes)


def plan_import(book: Daybook, club: Club, command: ImportPlays, batch: str, at: str) -> ImportPlan:
    """Return what an import would write into a club at a time."""
    sources, there, intake = sources_of(club), existing_ids(club), Intake(book, club, command)
    command = intake.command = msgspec.structs.replace(command, plays=_keep_row_ids(intake, sources, at))
    taken, plays, rows, spoilt = set[str](), list[ImportedPlay](), list[Play](), list[SpoiltRow]()
    changes, known = list[SourceChange](), 0
    numbers = range(1, len(command.plays) + 1)  # in the order of entry
    for number, play in zip(
        reversed(numbers) if is_newest_first(command.plays) else numbers, command.plays, strict=True
    ):
        ids = {play.id, play.second_id} - {""}
        if ids & taken:
            known += 1
            continue
        taken |= ids
        imported = _to_imported_play(intake, play, f"{batch}-{number}", at)
        if ids & there:
            known += 1
            if not isinstance(imported, Reason) and (change := _change_of(intake, sources, play, imported, at)):
                changes.append(change)
                known -= 1
        elif isinstance(imported, Reason):
            spoilt.append(SpoiltRow(play.row, imported))
        else:
            plays.append(imported)
            rows.append(play)
    changes += _deletions(club, sources, command)
    duplicates = _find_duplicates(book, intake, sources, plays, rows)
    merged = {duplicate.play.table: duplicate.other for duplicate in duplicates if duplicate.merged}
    plays = [msgspec.structs.replace(play, same_as=merged.get(play.table, "")) for play in plays]
    return ImportPlan(
        plays,
        rows,
        known,
        duplicates,
        changes,
        intake.source_people(),
        intake.source_games(),
        intake.source_places(),
        intake.guests,
        intake.merges,
        spoilt,
        intake.people,
        intake.games,
        intake.places,
    )


def _keep_row_ids(intake: Intake, sources: Sources, at: str) -> tuple[Play, ...]:
    """Return the plays of a file, rows without ids with those that they had in earlier files.

    Such ids count the rows of one day, game and people. So a removed row would change those of the rows below it.
    """
    groups = defaultdict[str, list[int]](list)
    for place, play in enumerate(intake.command.plays):
        if play.id.startswith("table:"):
            groups[content_of(play.at, play.game.name, play.players)].append(place)
    plays = [*intake.command.plays]
    for content, places in groups.items():
        ids = [row_id(content, number) for number in range(1, len(places) + 1)]
        if [plays[place].id for place in places] != ids:
            continue  # the file has ids
        while (more := row_id(content, len(ids) + 1)) in sources.by_id:
            ids.append(more)
        known = {id: _scores_of(intake, sources.by_id[id].play) for id in ids if id in sources.by_id}
        if len(ids) < 2 or not known:
            continue
        rest = []
        for place in places:
            imported = _to_imported_play(intake, plays[place], "", at)
            scores = () if isinstance(imported, Reason) else _scores_of(intake, imported)
            same = next((id for id in ids if scores and known.get(id) == scores), "")
            if same:
                ids.remove(same)
                plays[place] = msgspec.structs.replace(plays[place], id=same)
            else:
                rest.append(place)
        for place, id in zip(rest, ids, strict=False):
            plays[place] = msgspec.structs.replace(plays[place], id=id)
    return tuple(plays)


def _scores_of(intake: Intake, play: ImportedPlay) -> tuple[tuple[str, str], ...]:
    [compared] = compared_imports(intake.club, [_as_the_club_knows(intake, play)])
    return compared.scores


def is_newest_first(plays: Sequence[Play]) -> bool:
    """Check if a file begins with its newest play, like those of BoardGameGeek."""

    def entry(play: Play) -> tuple[str, int]:
        number = play.id.removeprefix("bgg:")
        return play.at[:10], int(number) if number.isdecimal() else 0

    return bool(plays) and entry(plays[0]) > entry(plays[-1])


def _change_of(intake: Intake, sources: Sources, play: Play, imported: ImportedPlay, at: str) -> SourceChange | None:
    """Return the change of a play at its source, unless the club answered it before.

    A change of a season's typed result is offered only while the result can be corrected. Without an answer it stays.
    """
    club, source = intake.club, sources.by_id.get(play.id)
    if source is None or source.source != intake.command.source:
        return None
    table = club.table_of(source.result)
    if table is None or table.typed is None or table.game:
        return None  # a record or a void play is never changed by an import
    now, here, before = (
        facts_of(club, intake.gone, version)
        for version in (_as_the_club_knows(intake, imported), table.typed, source.play)
    )
    changed = {field for field, value in now.items() if value != before[field]}
    digest, answered = digest_of(now), sources.answered.get(play.id)
    if digest == answered or (not changed and answered is None) or all(now[field] == here[field] for field in changed):
        return None
    adopted = _adopt(intake, table.typed, imported, changed or {*now})
    adopted = msgspec.structs.replace(adopted, table=table.id, id=source.play.id, second_id=source.play.second_id)
    in_season = _as_result_of_season(intake, table, adopted, at) if table.season != BESIDE else None
    if in_season is not None and event_fault(club, in_season):
        return None
    corrected = not table.batch
    answer = intake.command.answers.get(play.id, KEEP if corrected else TAKE)
    return SourceChange(
        play.id,
        play.row,
        source.result,
        adopted,
        corrected and in_season is None,
        answer == TAKE,
        digest,
        tuple(sorted(changed)),
        in_season,
    )


def _as_result_of_season(intake: Intake, table: SeasonTable, adopted: ImportedPlay, at: str) -> ResultTyped:
    """Return a changed play as the new result of its season's table, with the same seats."""
    assert table.typed is not None
    known = _as_the_club_knows(intake, adopted)
    seats = {intake.club.person(each.person): each.seat for each in table.typed.placed}
    source = intake.command.source
    return ResultTyped(
        step=intake.club.step + 1,
        at=at,
        by="",
        key="",
        season=table.season,
        table=table.id,
        ruleset=known.ruleset,
        placed=tuple(msgspec.structs.replace(each, seat=seats.get(each.person)) for each in known.placed),
        ended_at=known.ended_at,
        why=f"changed in {'a player’s own log' if source.startswith(OWN_LOG) else source}",
        details=known.details,
    )


def _adopt(intake: Intake, here: ResultTyped, now: ImportedPlay, changed: Collection[str]) -> ImportedPlay:
    """Return the play of the club with the facts that changed at the source; its other facts stay."""
    placed = now.placed if "placed" in changed else here.placed
    ids = {intake.person_of(each.person): each.person for each in placed}

    def at_table(person: str) -> str:
        return ids.get(intake.person_of(person), "")

    details = PlayDetails()
    for field in PlayDetails.__struct_fields__:
        value = getattr(now.details if field in changed else here.details, field)
        if field in ("roles", "teams", "scores", "colours"):
            value = {at_table(person): text for person, text in value.items() if at_table(person)}
        elif field in ("new", "automas"):
            value = tuple(filter(None, map(at_table, value)))
        elif field == "start_player":
            value = at_table(value)
        details = msgspec.structs.replace(details, **{field: value})
    return msgspec.structs.replace(
        now,
        ruleset=now.ruleset if "ruleset" in changed else here.ruleset,
        ended_at=now.ended_at if "ended_at" in changed else here.ended_at,
        placed=placed,
        details=details,
    )


def _as_the_club_knows(intake: Intake, play: ImportedPlay) -> ImportedPlay:
    """Return a play with its people after the merges of this import."""

    def by_person(texts: Mapping[str, str]) -> dict[str, str]:
        return {intake.person_of(person): text for person, text in texts.items()}

    details = play.details
    return msgspec.structs.replace(
        play,
        placed=tuple(msgspec.structs.replace(each, person=intake.person_of(each.person)) for each in play.placed),
        details=msgspec.structs.replace(
            details,
            start_player=details.start_player and intake.person_of(details.start_player),
            new=tuple(map(intake.person_of, details.new)),
            roles=by_person(details.roles),
            teams=by_person(details.teams),
            scores=by_person(details.scores),
        ),
    )


def _deletions(club: Club, sources: Sources, command: ImportPlays) -> Iterator[SourceChange]:
    """Yield the plays of the club that were deleted at their source, unless the club answered that before."""
    for play_id in dict.fromkeys(command.deleted):
        source = sources.by_id.get(play_id)
        table = club.table_of(source.result) if source is not None else None
        if source is None or table is None or sources.answered.get(play_id) == DELETED:
            continue
        if (
            table.typed is not None
            and not table.game
            and table.season == BESIDE
            and not _has_other_source(sources, source)
        ):
            corrected = not table.batch
            answer = command.answers.get(play_id, KEEP if corrected else TAKE)
            yield SourceChange(play_id, 0, source.result, None, corrected, answer == TAKE, DELETED)


def _has_other_source(sources: Sources, source: PlaySource) -> bool:
    return len(sources.of_result[source.result]) > 1


def _find_duplicates(
    book: Daybook, intake: Intake, sources: Sources, plays: Sequence[ImportedPlay], rows: Sequence[Play]
) -> list[Duplicate]:
    """Return the plays that the club or the file may have twice. Two ids in one file are two plays unless answered."""
    club, answers = intake.club, intake.command.answers
    in_file = {id for play in intake.command.plays for id in (play.id, play.second_id) if id}
    mine = compared_imports(club, (_as_the_club_knows(intake, play) for play in plays))
    others = [
        other
        for other in compared_results(club, results.club_results(book, club))
        if not in_file & ids_of_sources(sources, other.result)
    ]
    by_result = {f"{BESIDE}.{play.table}": (play, row) for play, row in zip(plays, rows, strict=True)}
    found, paired = list[Duplicate](), set[str]()
    for play, other, likeness in pair_plays(mine, others):
        imported, row = by_result[play.result]
        answer = answers.get(row.id, ONE if likeness == "same" else TWO)
        found.append(Duplicate(row.row, imported, other.result, likeness, answer == ONE))
        paired.add(play.result)
    first = dict[object, str]()
    for play in mine:
        imported, row = by_result[play.result]
        if not play.scores or row.quantity > 1:
            continue
        other_result = first.setdefault((play.group, play.day, play.scores), play.result)
        if other_result != play.result and play.result not in paired:
            found.append(Duplicate(row.row, imported, other_result, "in_file", answers.get(row.id) == ONE))
    return sorted(found, key=lambda duplicate: (duplicate.is_sure, duplicate.row))


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
    if plan.is_empty:
        raise NothingToWriteError
    draft.new_people |= plan.guests
    unapproved = waits_for_approval(draft.club, BESIDE, draft.by)
    used = _people_used(plan)
    for guest, person in plan.merges.items():
        if guest in used:
            draft.add(PeopleMerged, kept=person, merged=guest, why=_reason_of_merge(command.source))
    for start in range(0, len(plan.plays), PLAYS_PER_EVENT):
        draft.add(
            PlaysImported,
            season=BESIDE,
            batch=batch,
            source=command.source,
            plays=tuple(plan.plays[start : start + PLAYS_PER_EVENT]),
            source_people={} if start else plan.source_people,
            source_games={} if start else plan.source_games,
            source_places={} if start else plan.source_places,
            columns={} if start else dict(command.columns),
            unapproved=unapproved,
        )
    _add_updates(draft, command, plan, batch)


def _reason_of_merge(source: str) -> str:
    return "in a player’s own log" if source.startswith(OWN_LOG) else f"in a file of {source}"


def _people_used(plan: ImportPlan) -> set[str]:
    used = {placed.person for play in (*plan.plays, *plan.updated) for placed in play.placed}
    used |= {placed.person for result in plan.updated_in_seasons for placed in result.placed}
    return used | ({*plan.source_people.values()} if plan.plays else set())


def _add_updates(draft: ClubDraft, command: ImportPlays, plan: ImportPlan, batch: str) -> None:
    updated, deleted, answered = plan.updated, plan.deleted, plan.answered
    for start in range(0, max(len(updated), 1 if answered else 0), PLAYS_PER_EVENT):
        draft.add(
            PlaysUpdated,
            season=BESIDE,
            batch=batch,
            source=command.source,
            plays=tuple(updated[start : start + PLAYS_PER_EVENT]),
            deleted=() if start else tuple(deleted),
            answered={} if start else answered,
            unapproved=waits_for_approval(draft.club, BESIDE, draft.by),
        )
    for result in plan.updated_in_seasons:
        fields = ("season", "table", "ruleset", "placed", "ended_at", "why", "details")
        draft.add(ResultTyped, **{name: getattr(result, name) for name in fields})


def _to_imported_play(intake: Intake, play: Play, table: str, at: str) -> ImportedPlay | Reason:
    """Return a play as the club writes it, or why it cannot be imported."""
    people = [intake.person_for_seat(player, seat) for seat, player in enumerate(play.players)]
    if len({*map(intake.person_of, people)}) < len(people):
        return because("twice_in_row", "a player is named twice")
    here = intake.blank_game(intake.match_game(play.game))
    play = intake.localise(play)
    by_person = [*zip(people, play.players, strict=True)]
    day = play.at or FIRST_DAY
    try:
        ended = moment_of_play(date.fromisoformat(day[:10]).isoformat())
        moment_at(day, intake.club.zone)  # a time before the calendar begins somewhere is no day
        hour = datetime.fromisoformat(day).strftime("%H:%M") if "T" in day else ""
    except ValueError:
        return because("no_day", "“{text}” is not a day such as 2026-04-18", text=day[:40])
    made = ImportedPlay(
        table,
        play.id,
        here,
        tuple(
            Placed(person, player.seat, place_of, player.score)
            for (person, player), place_of in zip(by_person, compute_places(play), strict=True)
        ),
        ended,
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
            hour,
            {person: player.colour for person, player in by_person if player.colour},
        ),
    )
    return play_fault(made, at) or made
