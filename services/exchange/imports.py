"""Import of plays from other programs into a club: preview, import and undo.

A named player is matched by the club's member names, then by ids of earlier imports, else becomes a new guest. Members
of other clubs are never matched or changed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from uuid import UUID, uuid5

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_names import key_by_name, name_in_key
from daybook.domain.kernel.terms import Reason, because
from daybook.domain.kernel.times import FIRST_DAY
from daybook.domain.league.club import GUESTS, Club, SeasonTable, nobodies
from daybook.domain.league.club_events import BESIDE, ImportedPlay, ImportUndone, PlaysImported
from daybook.domain.league.event_checks.games import play_fault
from daybook.domain.league.results import NO_DETAILS, PLAYERS_LIMIT, Placed, PlayDetails, Result
from daybook.services.days import local_of, moment_at, moment_in, time_shown
from daybook.services.exchange.incoming import Incoming, SpoiltRow, compute_places, find_oddities
from daybook.services.exchange.plays import ANONYMOUS, Play, PlayedGame, Player, possible_ids
from daybook.services.league import results
from daybook.services.league.clubs import ClubWriter, games_by_name, write
from daybook.services.league.clubs.newcomers import strangers
from daybook.services.people.anonymise import anonymous_of
from daybook.services.people.blanking import blank_names, name_key
from daybook.services.people.forgotten import digest_of_id, digest_of_name, forgotten_among, forgotten_in_texts
from daybook.services.play.writing import Receipt
from daybook.services.store.daybook import Daybook

PLAYS_PER_EVENT = 200  # keeps lines of a club's file short
MAX_NEW_GUESTS = 2_000  # per import
NEW = "new"  # choice by hand: a new guest of this name
NO_CHOICE: Mapping[str, str] = {}


class ImportChoices(Frozen):
    """What was chosen by hand, by the names of the file. people: a person of the club, or NEW; games: what it is called
    here.
    """

    people: Mapping[str, str] = NO_CHOICE
    games: Mapping[str, str] = NO_CHOICE

    @property
    def asked(self) -> tuple[Mapping[str, str], ...]:
        """By which an import is known when it comes again."""
        return (dict(self.people), dict(self.games)) if self.games else (dict(self.people),)


NOTHING = ImportChoices()


class MatchedPlayer(Frozen):
    """A player named in the file.

    Args:
        person: of the club; empty for a new guest.
        plays: number in the file.
        forgotten: the person asked to be forgotten, and is imported anonymously unless chosen by hand.
    """

    name: str
    person: str
    plays: int
    forgotten: bool = False


class MatchedGame(Frozen):
    """A game that the file names, which it is here, and whether the club knows it already."""

    name: str
    key: str
    known: bool
    plays: int


class ImportPreview(Frozen):
    """Expected result of an import.

    Args:
        fresh: number of new plays.
        there: number of plays that exist already.
        odd: number of plays with each oddity, and the first rows.
    """

    source: str
    fresh: int
    there: int
    people: list[MatchedPlayer]
    games: list[MatchedGame]
    odd: dict[str, tuple[int, list[int]]]
    spoilt: list[SpoiltRow]


class Intake:
    """A file matched against a club."""

    def __init__(self, book: Daybook, club: Club, incoming: Incoming, by_hand: ImportChoices = NOTHING) -> None:
        self.club, self.incoming, self.by_hand = club, incoming, by_hand
        imports = [event for entry in club.entries if isinstance(event := entry.event, PlaysImported)]
        self._ids = club.ids_elsewhere()
        self._game_ids = {id: key for event in imports for id, key in event.games.items()}
        everybody = club.everybody()
        names = book.kept.names(everybody)
        self.names = Counter(names.get(person, "").casefold() for person in everybody)
        self._by_name = {names[person].casefold(): person for person in reversed(everybody) if person in names}
        self._inside = {*everybody}
        guests = {self._guest_id(player.name.casefold()) for play in incoming.plays for player in play.players}
        self._gone = anonymous_of(book, {*everybody, *guests}) | strangers(book, club, guests)
        self._titles = {rules.title.casefold(): id for id, rules in RULESETS.items() if rules.title_of is None}
        self._titles |= {name_in_key(key).casefold(): key for key in reversed(games_by_name(club))}
        self.known_games = {*self._titles.values()}
        self.guests: dict[str, str] = {}  # id -> name
        self._there = _existing_ids(club)
        self._forgotten = self._find_forgotten(book)
        self._names_left_out = self._find_names_left_out(book)

    def _find_forgotten(self, book: Daybook) -> set[tuple[str, str]]:
        """Return the names and ids of players who asked to be forgotten, except those chosen by hand."""
        players = {
            (player.name, player.id)
            for play in self.incoming.plays
            for player in play.players
            if not player.anonymous and player.name not in self.by_hand.people
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
        """Return the names that texts of the file lose: of forgotten players, and of others who are only mentioned."""
        texts = {text for play in self.incoming.plays for text in _texts_of(play)}
        mentioned = forgotten_in_texts(book, self.club.id, texts)
        let_in = {name_key(name) for name in self.by_hand.people}
        names = {name for name in mentioned if name_key(name) not in let_in and not self._known_person(name, "")}
        return sorted(names | {name for name, _ in self._forgotten}, key=len, reverse=True)

    def is_forgotten(self, player: Player) -> bool:
        return (player.name, player.id) in self._forgotten

    @property
    def fresh(self) -> Iterator[Play]:
        there = self._there
        return (
            self._without_forgotten(play)
            for play in self.incoming.plays
            if play.id not in there and play.also not in there
        )

    def _without_forgotten(self, play: Play) -> Play:
        """Return a play with the names of forgotten people removed from its texts."""
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
            board=blank_names(play.board, names),
            comments=blank_names(play.comments, names),
            expansions=tuple(blank_names(text, names) for text in play.expansions),
        )

    def match_game(self, play: Play) -> str:
        chosen = self.by_hand.games.get(play.game.name, "")
        for game_id in () if chosen else _ids_of_game(play.game):
            if game_id in self._game_ids:
                return self._game_ids[game_id]
        name = " ".join((chosen or play.game.name).split())
        return self._titles.setdefault(name.casefold(), key_by_name(name))

    def match_person(self, player: Player) -> str:
        """Return the matching person of the club; "" if unknown."""
        chosen = self.by_hand.people.get(player.name)
        if chosen is not None:
            return self.club.person(chosen) if chosen in self._inside else ""
        return "" if self.is_forgotten(player) else self._known_person(player.name, player.id)

    def _known_person(self, name: str, source_id: str) -> str:
        if (person := self._ids.get(source_id, "")) and person not in self._gone:
            return person
        return self._by_name.get(name.casefold(), "")

    def person_for_seat(self, player: Player, seat: int) -> str:
        """Return the person id for a seat, adding a new guest if necessary."""
        if player.anonymous or self.is_forgotten(player):
            return nobodies(self.club.id)[seat]
        if person := self.match_person(player):
            return person
        guest_id = self._guest_id_of_name(player.name.casefold())
        if guest_id not in self._inside:
            self.guests[guest_id] = player.name
        return guest_id

    def _guest_id_of_name(self, name: str) -> str:
        """Return the id of the guest of a name, also after a rename or merge.

        Ids of people who became anonymous are skipped, since the name would identify them again; so are those of
        members of other clubs and accounts, since such an id can be computed and taken in advance.
        """
        ids = (self.club.person(self._guest_id(name, f" {n}" if n else "")) for n in count())
        return next(candidate for candidate in ids if candidate not in self._gone)

    def _guest_id(self, name: str, more: str = "") -> str:
        return uuid5(GUESTS, f"{self.club.id} {name}{more}").hex


def _texts_of(play: Play) -> Iterator[str]:
    yield from (play.game.name, play.place, play.board, play.comments, *play.expansions)
    for player in play.players:
        yield from (player.role, player.team)


def _ids_of_game(game: PlayedGame) -> list[str]:
    return [*filter(None, (game.id,)), *([f"bgg:{game.bgg}"] if game.bgg else [])]


def exported_id(club: Club, table: SeasonTable) -> str:
    """Return the id under which a club's result is exported."""
    return f"daybook:{club.id}.{table.result_id}"


def _existing_ids(club: Club) -> set[str]:
    """Return every id under which a play of the club can be imported again."""
    tables = [table for season in club.all_seasons() for table in season.tables.values() if table.game or table.typed]
    ids = [*club.beside.imported, *(exported_id(club, table) for table in tables if not table.batch)]
    return {abroad for id in ids for abroad in possible_ids(id)}


def _how_many_there(club: Club, incoming: Incoming) -> int:
    there = _existing_ids(club)
    return sum(play.id in there or play.also in there for play in incoming.plays)


def preview_import(book: Daybook, club: Club, incoming: Incoming, by_hand: ImportChoices = NOTHING) -> ImportPreview:
    intake = Intake(book, club, incoming, by_hand)
    fresh = [*intake.fresh]
    people, games, odd = Counter[Player](), Counter[tuple[str, str]](), dict[str, tuple[int, list[int]]]()
    known = {*intake.known_games}
    for play in fresh:
        people.update({Player(player.name, player.id): 1 for player in play.players if not player.anonymous})
        games[play.game.name, intake.match_game(play)] += 1
        for what in find_oddities(play):
            n, rows = odd.get(what, (0, []))
            odd[what] = n + 1, [*rows, play.row][:10]
    by_name = Counter[str]()
    person_by_name, forgotten = dict[str, str](), set[str]()
    for each, n in people.items():
        by_name[each.name] += n
        forgotten |= {each.name} if intake.is_forgotten(each) else set()
        person_by_name[each.name] = person_by_name.get(each.name) or intake.match_person(each)
    return ImportPreview(
        incoming.source,
        len(fresh),
        len(incoming.plays) - len(fresh),
        [MatchedPlayer(name, person_by_name[name], n, name in forgotten) for name, n in by_name.most_common()],
        [MatchedGame(name, key, key in known, n) for (name, key), n in games.most_common()],
        odd,
        incoming.spoilt,
    )


class ImportResult(Frozen):
    """Result of an import.

    Args:
        receipt: None if nothing was new.
        batch: id of the import.
        plays: number of imported plays.
        there: number of plays that existed already.
        spoilt: rejected rows.
    """

    receipt: Receipt | None = None
    batch: str = ""
    plays: int = 0
    there: int = 0
    spoilt: Sequence[SpoiltRow] = ()


def import_plays(
    book: Daybook, club_id: UUID, incoming: Incoming, by_hand: ImportChoices = NOTHING, *, by: str, key: str
) -> ImportResult:
    """Write the new plays of a file into a club atomically, once per key. Raises the errors of club writes."""
    spoilt, batch = [*incoming.spoilt], hashlib.sha256(f"{club_id} {key}".encode()).hexdigest()[:12]
    club = book.clubs.get(club_id)
    if key not in club.keys and not any(True for _ in Intake(book, club, incoming, by_hand).fresh):
        return ImportResult(there=len(incoming.plays), spoilt=spoilt)

    def act(pen: ClubWriter) -> None:
        spoilt[:] = incoming.spoilt
        intake = Intake(book, pen.club, incoming, by_hand)
        fresh = [*intake.fresh]
        at, taken, plays = str(pen.next["at"]), set[str](), list[ImportedPlay]()
        for n, play in enumerate(fresh, 1):
            if not {play.id, play.also} - {""} & taken:
                one = _to_imported_play(intake, play, f"{batch}-{n}", at)
                if isinstance(one, Reason):
                    spoilt.append(SpoiltRow(play.row, one))
                else:
                    plays.append(one)
                    taken |= {play.id, play.also} - {""}
        known = {
            player.id: intake.person_for_seat(player, 0)
            for play in fresh
            for player in play.players
            if player.id and not player.anonymous and not intake.is_forgotten(player)
        }
        games = {id: intake.match_game(play) for play in fresh for id in _ids_of_game(play.game)}
        if len(intake.guests) > MAX_NEW_GUESTS:
            raise Refused(
                because(
                    "guests_many",
                    "the file names {n} people whom the club does not know; at most {most} at once: bring it in parts",
                    n=len(intake.guests),
                    most=MAX_NEW_GUESTS,
                )
            )
        pen.guests |= intake.guests
        for start in range(0, len(plays), PLAYS_PER_EVENT):
            pen.write(
                PlaysImported(
                    season=BESIDE,
                    batch=batch,
                    source=incoming.source,
                    plays=tuple(plays[start : start + PLAYS_PER_EVENT]),
                    known={} if start else known,
                    games={} if start else games,
                    **pen.next,
                )
            )
        if not plays:
            raise NothingNewError

    asked = "import", incoming.source, [play.id for play in incoming.plays], *by_hand.asked
    try:
        receipt = write(book, club_id, "enter", act, asked, by=by, key=key)
    except NothingNewError:
        return ImportResult(there=_how_many_there(club, incoming), spoilt=spoilt)
    club = book.clubs.get(club_id)
    plays = next(one.plays for one in imports_of(club) if one.batch == batch)
    return ImportResult(receipt, batch, plays, _how_many_there(club, incoming) - plays, spoilt)


class NothingNewError(Exception):
    """No play of the file can be taken."""


def _to_imported_play(intake: Intake, play: Play, table: str, at: str) -> ImportedPlay | Reason:
    """Return a play as the club records it, or the reason why it cannot."""
    people = [intake.person_for_seat(player, seat) for seat, player in enumerate(play.players)]
    if len({*people}) < len(people):
        return because("twice_in_row", "somebody is named twice")
    by_person = [*zip(people, play.players, strict=True)]
    day = play.at or FIRST_DAY
    try:
        ended = (moment_at if "T" in day else moment_in)(day, intake.club.zone)
    except ValueError:
        return because("no_day", "“{text}” is not a day such as 2026-04-18", text=day[:40])
    made = ImportedPlay(
        table,
        play.id,
        intake.match_game(play),
        tuple(
            Placed(person, seat, place, one.score)
            for seat, ((person, one), place) in enumerate(zip(by_person, compute_places(play), strict=True))
        ),
        min(ended, at) if ended[:10] == at[:10] else ended,
        play.also,
        PlayDetails(
            play.place,
            play.minutes,
            play.expansions,
            play.board,
            play.comments,
            next((person for person, one in by_person if one.start), ""),
            tuple(person for person, one in by_person if one.new),
            {person: one.role for person, one in by_person if one.role},
            {person: one.team for person, one in by_person if one.team},
            {person: one.score_text for person, one in by_person if one.score_text},
            play.game.together,
            play.game.least,
        ),
    )
    return play_fault(made, at) or made


def undo_import(book: Daybook, club_id: UUID, batch: str, why: str = "", *, by: str, key: str) -> Receipt:
    """Undo one import and nothing else."""
    return write(
        book,
        club_id,
        "enter",
        lambda pen: pen.write(ImportUndone(season=BESIDE, batch=batch, why=why.strip(), **pen.next)),
        ("undo_import", batch, why),
        by=by,
        key=key,
    )


class ImportShown(Frozen):
    batch: str
    source: str
    at: str
    by: str
    plays: int
    stands: bool


def imports_of(club: Club) -> list[ImportShown]:
    """Return the imports of a club, newest first."""
    by_batch, stands = dict[str, ImportShown](), {*club.beside.imported.values()}
    for entry in club.entries:
        event = entry.event
        if isinstance(event, PlaysImported):
            before = by_batch.get(event.batch)
            n = len(event.plays) + (before.plays if before else 0)
            by_batch[event.batch] = ImportShown(
                event.batch, event.source, time_shown(club, event.at), event.by, n, event.batch in stands
            )
    return [*reversed(by_batch.values())]


def club_plays(book: Daybook, club: Club) -> list[Play]:
    """Return all results of a club as plays in order of their end. Imported plays keep their source's ids."""
    imports = [event for entry in club.entries if isinstance(event := entry.event, PlaysImported)]
    everybody = club.everybody()
    gone = anonymous_of(book, everybody)
    out = _Outgoing(
        club,
        book.kept.names(everybody),
        {person: id for id, person in club.ids_elsewhere().items() if person not in gone},
        {key: id for event in imports for id, key in event.games.items() if not id.startswith("bgg:")},
        {key: int(id[4:]) for event in imports for id, key in event.games.items() if id.startswith("bgg:")},
        {play.table: play for event in imports for play in event.plays},
    )
    played = [result for result in results.club_results(book, club) if result.was_played]
    return [out.build_play(result, _result_title(result)) for result in played]


def _result_title(result: Result) -> str:
    """Return the title of the played game; for a sheet of its own the name in its key."""
    rules = RULESETS.get(result.ruleset)
    return rules.title if rules is not None else name_in_key(result.ruleset) or result.ruleset


class _Outgoing(Frozen):
    """A club's results on their way out. people, games: their ids elsewhere; sources: of tables, what an import brought."""

    club: Club
    names: dict[str, str]
    people: dict[str, str]
    games: dict[str, str]
    bgg: dict[str, int]
    sources: dict[str, ImportedPlay]

    def build_play(self, result: Result, title: str) -> Play:
        club = self.club
        table = club.season(result.season or BESIDE).tables[result.table or ""]
        source = self.sources.get(table.id) if table.batch else None
        details = table.typed.details if table.typed is not None and not table.game else NO_DETAILS
        local = local_of(result.at, club.zone)
        seated = sorted(result.placed, key=lambda placed: PLAYERS_LIMIT if placed.seat is None else placed.seat)
        return Play(
            source.id if source else exported_id(club, table),
            local,
            self._build_game(
                result.ruleset,
                title,
                details,
                result.least or details.least,
                any(placed.score is not None for placed in seated),
            ),
            tuple(self._build_player(placed, details) for placed in seated),
            details.minutes,
            details.place,
            details.board,
            details.comments,
            details.expansions,
            also=source.also if source else "",
        )

    def _build_game(self, key: str, title: str, details: PlayDetails, least: bool, scored: bool) -> PlayedGame:
        return PlayedGame(
            title,
            self.games.get(key, key if key in RULESETS and RULESETS[key].title == title else key_by_name(title)),
            self.bgg.get(key, 0),
            least=least,
            together=details.together,
            points=scored or bool(details.scores),
        )

    def _build_player(self, placed: Placed, details: PlayDetails) -> Player:
        person = self.club.person(placed.person)
        return Player(
            self.names.get(person, ANONYMOUS if person in self.club.nobody else ""),
            self.people.get(person, person),
            placed.score,
            details.scores.get(placed.person, ""),
            placed.place,
            placed.place == 1,
            placed.person == details.start,
            placed.person in details.new,
            details.roles.get(placed.person, ""),
            details.teams.get(placed.person, ""),
            person in self.club.nobody,
        )
