"""The kept tables: data that cannot be rebuilt from the log, such as titles, names of people, links and accounts.

People's names are here and not in the log, so that a person can be made anonymous while the games stay.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.services.clock import now
from daybook.services.names import appearance_key
from daybook.services.store.changes import FileChanges, QueryCache
from daybook.services.store.columns import column, key
from daybook.services.store.database import StoreEngine, insert_missing, insert_once, upsert
from daybook.services.store.log import AlreadyWrittenError, LogBusyError, OutOfOrderError

MANY_NAMES = 500  # from here on one parameter instead of one for each

metadata = sa.MetaData()  # the newest version (services.store.kept_steps)

kept_version = sa.Table(  # daybook.services.store.migrations: each version that the tables have had
    "kept_version",
    metadata,
    key("number", sa.Integer),
    column("at"),  # when they got it
)
kept_history = sa.Table(  # daybook.services.store.history: one row
    "kept_history",
    metadata,
    key("only", sa.Integer),  # 1
    column("history"),  # the id that the log has, too
    column("log_position", sa.BigInteger),  # of the newest entry when it was noted last
    column("notes", sa.BigInteger),  # how often anything was noted
    column("clock"),  # the time of the newest note
)
kept_clock_step = sa.Table(  # daybook.services.store.history: each time that the clock went back
    "kept_clock_step", metadata, key("noted_at"), column("before"), column("after")
)
kept_game = sa.Table(
    "kept_game",
    metadata,
    key("id", sa.Uuid),
    column("title"),
    column("public", sa.Boolean),
    column("created_at"),
    sa.Column("sharing", sa.Text),  # SHARED_BY_PLAYERS, SHARED_BY_KEEPER, or the seat that asked; none: no choice yet
    sa.Column("replaced_by", sa.Uuid),  # the game opened in its place; itself: discarded
)
SHARED_BY_PLAYERS = "players"  # every seat may create the share address
SHARED_BY_KEEPER = "keeper"  # the scorekeeper said that no seat may; seats cannot ask again
kept_person = sa.Table("kept_person", metadata, key("id"), column("name"))
kept_earlier_name = (
    sa.Table(  # names that people had before: texts that use them are found when they are made anonymous
        "kept_earlier_name", metadata, key("person"), key("name")
    )
)
kept_look = sa.Table(  # what people's names look like (names.look_of); name: of which it was noted
    "kept_look", metadata, key("person"), column("name"), column("look", index=True)
)
kept_seat = sa.Table(
    "kept_seat",
    metadata,
    key("game", sa.Uuid),
    key("seat", sa.Integer),
    column("person", index=True),
    sa.Column("name", sa.Text, index=True),  # in this game alone; none: as the person is called
)
kept_brought = sa.Table(  # imported steps: their ids name no user of this Daybook (services.people.seated)
    "kept_brought",
    metadata,
    key("game", sa.Uuid),
    key("first", sa.Integer),
    key("last", sa.Integer),
    column("at"),
    sa.Column("awaited_seal", sa.Text),  # of the last entry, until the entries are written
)
kept_grant = sa.Table(
    "kept_grant",
    metadata,
    key("id"),
    column("game", sa.Uuid, index=True),
    column("role"),
    sa.Column("seat", sa.Integer),
    column("created_at"),
    sa.Column("revoked_at", sa.Text),
)


kept_photo = sa.Table(  # daybook.services.people.photos
    "kept_photo",
    metadata,
    key("game", sa.Uuid),
    key("hash"),
    column("width", sa.Integer),
    column("height", sa.Integer),
    column("key", sa.LargeBinary),
    column("kept_at"),
)
kept_photo_bytes = sa.Table(  # daybook.services.people.photo_store: all photos; named by kept_photo and kept_portrait
    "kept_photo_bytes",
    metadata,
    key("id"),  # the digest of the key
    column("bytes", sa.LargeBinary),  # encrypted
)
kept_appeal = sa.Table(  # daybook.services.disputes.claims
    "kept_appeal", metadata, key("game", sa.Uuid), column("hours", sa.Integer)
)
kept_fork = sa.Table(  # daybook.services.disputes.forks
    "kept_fork",
    metadata,
    key("id"),
    column("game", sa.Uuid, index=True),
    column("at", sa.Integer),
    column("owner", index=True),
    column("title"),
    column("moves"),  # JSON
    column("made_at"),
)
kept_account = sa.Table(  # daybook.services.people.accounts
    "kept_account",
    metadata,
    key("person"),
    sa.Column("sign_in", sa.Text, unique=True),
    sa.Column("password", sa.Text),  # Argon2id; none: signs in by a link alone
    column("address"),  # where the person can be written to; may be empty
    column("made_at"),
    sa.Column("password_at", sa.Text),
    sa.Column("club", sa.Uuid),  # the inviting club, until the owner sets another password
    sa.Column("by_link", sa.Text),  # the link sign-in with which the password was set
)
kept_link_sign_in = sa.Table(  # daybook.services.people.link_sign_ins: those that the owner can still undo
    "kept_link_sign_in",
    metadata,
    key("id"),
    column("person", index=True),
    column("number", sa.Integer),  # in the order in which they came
    column("made_by"),  # the link: a person's id, or clubs.OPERATOR
    column("device"),
    column("at"),
    column("ends_at"),
    sa.Column("sign_in", sa.Text, index=True),  # what an undo restores
    sa.Column("password", sa.Text),
    sa.Column("password_at", sa.Text),
    sa.Column("by_link", sa.Text),
)
kept_link_consent = sa.Table(  # a person's consent that a club's organisers create sign-in links
    "kept_link_consent", metadata, key("person"), key("club", sa.Uuid), column("at")
)
kept_merged_account = sa.Table(  # daybook.services.league.account_merges: two accounts of one person
    "kept_merged_account",
    metadata,
    key("gone"),  # the id of the account that ended
    column("kept", index=True),
    column("at"),
)
kept_session = sa.Table(
    "kept_session",
    metadata,
    key("id"),  # the digest of what the cookie holds
    column("person", index=True),
    column("device"),
    column("made_at"),
    column("seen_at"),
    column("ends_at"),
    sa.Column("by_link", sa.Text),  # the link sign-in with which it began
)
kept_key = sa.Table(  # what a person's programs send
    "kept_key",
    metadata,
    key("id"),  # the digest of the key
    column("person", index=True),
    column("name"),
    column("made_at"),
    sa.Column("seen_at", sa.Text),
    column("ends_at"),
    column("scope"),  # daybook.services.people.accounts.Scope
    sa.Column("made_with", sa.Text),  # the key that created it
)
kept_calendar = sa.Table(  # daybook.services.league.calendars
    "kept_calendar",
    metadata,
    key("person"),
    column("key", unique=True),  # the digest of it
    column("made_at"),
    sa.Column("seen_at", sa.Text),
)
kept_invitation = sa.Table(
    "kept_invitation",
    metadata,
    key("id"),
    sa.Column("club", sa.Uuid, index=True),  # none: for signing in
    sa.Column("person", sa.Text, index=True),  # the person invited; none: any holder of the link
    column("roles"),  # JSON
    column("made_by"),
    column("made_at"),
    column("ends_at"),
    sa.Column("used_at", sa.Text),
    sa.Column("used_by", sa.Text),
    sa.Column("revoked_at", sa.Text),
)
kept_club_link = sa.Table(  # daybook.services.league.join_requests: the link of each club for requests to join it
    "kept_club_link", metadata, key("club", sa.Uuid), column("id", unique=True), column("made_by"), column("made_at")
)
kept_join_request = sa.Table(  # daybook.services.league.join_requests
    "kept_join_request", metadata, key("club", sa.Uuid), key("person"), column("at"), sa.Column("refused_at", sa.Text)
)
kept_attempt = sa.Table(  # daybook.services.limits
    "kept_attempt",
    metadata,
    key("about"),
    column("failures", sa.Integer),
    column("first_at"),
    column("last_at"),
    column("until"),
)
kept_practice = sa.Table(  # daybook.services.play.practice_turns: the turns of practice players
    "kept_practice", metadata, key("game", sa.Uuid), column("client"), column("at")
)
kept_stored = sa.Table(  # daybook.services.people.byte_limits: bytes that clients stored, by day and kind
    "kept_stored", metadata, key("day"), key("client"), key("kind"), column("bytes", sa.BigInteger)
)
kept_stranger_file = sa.Table(  # daybook.services.store.stranger_marks: what visitors without an account brought in
    "kept_stranger_file",
    metadata,
    key("kind"),  # game, photo, sheet
    key("about"),  # id of the game; game and hash of the photo; hash of the sheet
    sa.Column("game", sa.Uuid, index=True),  # of a game and of a photo
    column("bytes", sa.BigInteger),
    column("client"),  # as in kept_stored: the address, or all strangers
    column("at", index=True),
)
kept_change = sa.Table(  # changes to accounts; without names, so that nothing has to be made anonymous
    "kept_change",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    column("at"),
    column("person", index=True),  # the person changed
    column("by"),  # a person's id, or "operator"
    column("what"),
)
kept_portrait = sa.Table(  # daybook.services.league.portraits
    "kept_portrait", metadata, key("person"), column("hash"), column("key", sa.LargeBinary), column("kept_at")
)
kept_lease = sa.Table(  # daybook.services.store.held_leases: on a device, the games that it took from a service
    "kept_lease",
    metadata,
    key("game", sa.Uuid),
    column("step", sa.Integer),  # the lease
    column("key"),  # with which it is handed back
    column("person"),  # the recorder; empty if no one was signed in
    column("taken_at"),
    sa.Column("ended_at", sa.Text),
    column("draw_seed"),  # of the game's draws, as the service has it
)
kept_import = sa.Table(  # services.files.imported_games: games that came in a file
    "kept_import",
    metadata,
    key("game", sa.Uuid),
    column("importer"),  # a keyed digest; empty for the operator
    column("due_on"),  # the first day on which its win chances are computed
    sa.Index(None, "importer", "due_on"),
)
kept_anonymous = sa.Table("kept_anonymous", metadata, key("person"), column("at"))
kept_forgotten = sa.Table(  # daybook.services.people.forgotten: keyed digests of their names and ids in other programs
    "kept_forgotten", metadata, key("digest"), column("at")
)
kept_secret = sa.Table(  # daybook.services.store.secret: which secret links were signed with, by its mark
    "kept_secret", metadata, key("mark"), column("since")
)
kept_receipt_key = sa.Table(  # services.files.receipt_keys: the public keys of all that receipts were signed with
    "kept_receipt_key", metadata, key("public"), column("since"), sa.Column("until", sa.Text)
)
kept_chances = sa.Table(  # services.analysis.kept_chances: what took long to make, and is complete
    "kept_chances",
    metadata,
    key("game", sa.Uuid),
    column("step", sa.Integer),  # the newest of the record then, and its seal
    column("seal"),
    column("made_by"),  # calibration.revisions
    column("pieces"),  # JSON: kept_chances.KeptPiece
    column("at"),
)
kept_disagreement = sa.Table(  # services.store.disagreements: the rules, and what was brought from outside
    "kept_disagreement",
    metadata,
    key("game", sa.Uuid),
    key("step", sa.Integer),
    column("seal"),  # of the entry that it is about
    column("finding"),  # JSON: services.files.audit.Finding
    column("at"),
)
kept_withheld = sa.Table(  # services.operation.withheld: what the operator took off the public lists
    "kept_withheld",
    metadata,
    key("kind"),  # game, club, sheet
    key("about"),  # its id; of a sheet its hash
    column("why"),
    column("by"),  # a person's id, or clubs.OPERATOR
    column("at"),
    column("public", sa.Boolean),  # if a game becomes public again once it is put back
    sa.Column("back_why", sa.Text),  # the reason for putting it back
    sa.Column("back_at", sa.Text),
)
kept_operator = sa.Table(  # services.people.operators: accounts that may do that on the web
    "kept_operator", metadata, key("person"), column("at")
)
kept_operator_link = sa.Table(  # services.operation.operator_sessions: a link, and then the session that it opened
    "kept_operator_link",
    metadata,
    key("digest"),
    column("until"),
    sa.Column("session", sa.Text),  # digest of its token, once the link was opened
)
kept_operator_action = sa.Table(  # services.operation.operator_sessions: what the operator did there
    "kept_operator_action", metadata, key("id"), column("at", index=True), column("action"), column("details")
)
kept_report = sa.Table(  # services.operation.abuse_reports: what readers reported, and the operator's answers
    "kept_report",
    metadata,
    key("id"),  # digest of the secret in the reporter's address
    column("kind"),  # name, photo, sheet, game, club
    column("page"),  # path and query
    column("why"),
    column("at", index=True),
    sa.Column("outcome", sa.Text),  # hidden, dismissed
    sa.Column("answer", sa.Text),
    sa.Column("answered_at", sa.Text),
)
kept_without_chances = sa.Table(  # services.analysis.switches: games and clubs that want no win chances
    "kept_without_chances", metadata, key("id", sa.Uuid), column("at")
)
kept_outbox = sa.Table(  # daybook.services.messages.outbox: one row
    "kept_outbox",
    metadata,
    key("only", sa.Integer),  # 1
    column("position", sa.BigInteger),  # of the newest entry that was looked at
    column("instance"),  # of the Daybook that sends: a restored copy has another one
)
kept_webhook = sa.Table(  # daybook.services.messages.webhooks: where a club's messages are sent
    "kept_webhook",
    metadata,
    key("club", sa.Uuid),
    column("kind"),  # "discord", "slack" or "standard"
    column("sealed", sa.LargeBinary),  # address and signing secret, encrypted with Daybook's secret
    column("host"),  # of the address, as the page shows it
    column("language"),
    column("occasions"),  # JSON
    column("made_at"),
    sa.Column("failing_since", sa.Text),
    sa.Column("off_why", sa.Text),  # why nothing is sent any more
)
kept_message = sa.Table(  # daybook.services.messages.outbox: a message, once for each entry, occasion and recipient
    "kept_message",
    metadata,
    key("id"),
    sa.Column("club", sa.Uuid, index=True),  # none: of an account
    column("step", sa.Integer),
    column("occasion"),
    column("subject"),
    column("method"),  # "webhook", "mail" or "push"
    column("person", index=True),  # empty: the webhook of the club, or an address without an account
    column("target"),  # of a push message: its subscription
    sa.Column("address", sa.LargeBinary),  # of a mail to another address than the person's, encrypted
    column("at"),  # when it was noted
    column("due", index=True),  # when it is sent, or tried again
    column("state", index=True),  # "waiting", "sent", "failed" or "dropped"
    column("attempts", sa.Integer),
    sa.Column("answer", sa.Text),  # the newest answer of the receiver in words
    sa.Column("sent_at", sa.Text),
    sa.Column("receiver_id", sa.Text),  # by which the receiver can edit it
)
kept_mail = sa.Table(  # daybook.services.people.mail_addresses: the address of a person for mail
    "kept_mail",
    metadata,
    key("person"),
    column("id", unique=True),  # random: in the address with which the person unsubscribes
    column("sealed", sa.LargeBinary),  # the address, encrypted with Daybook's secret
    column("digest", index=True),  # keyed, of the address
    column("language"),
    column("made_at"),
    sa.Column("verified_at", sa.Text),
    column("signs_in", sa.Boolean),  # a link sent there may sign the person in; a new password ends that
    sa.Column("off_why", sa.Text),  # the answer of the mail server, after which nothing is sent any more
)
kept_mail_refusal = sa.Table(  # services.people.mail_addresses: keyed digests of addresses that want no invitations
    "kept_mail_refusal", metadata, key("digest"), column("at")
)
kept_push = sa.Table(  # daybook.services.messages.push: browsers that show a person's messages
    "kept_push",
    metadata,
    key("id"),  # the digest of the endpoint
    column("person", index=True),
    column("session"),  # in which it was made: it ends with it
    column("sealed", sa.LargeBinary),  # endpoint and keys, encrypted with Daybook's secret
    column("host"),
    column("device"),
    column("language"),
    column("made_at"),
)
kept_message_choice = sa.Table(  # daybook.services.messages.choices: what a person wants by a method
    "kept_message_choice",
    metadata,
    key("person"),
    key("method"),
    column("occasions"),  # JSON
)
kept_apart = sa.Table(  # services.league.told_apart: two records that look like one evening, and were two
    "kept_apart",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    column("game", sa.Uuid, index=True),
    column("other", sa.Uuid, index=True),
    column("by"),  # a writer as in records; never a name
    column("why"),
    column("at"),
    sa.Column("back_by", sa.Text),  # the writer that withdrew it
    sa.Column("back_at", sa.Text),
)


class Person(Frozen):
    id: str
    name: str


class GameKept(Frozen):
    """Kept data of a game."""

    id: UUID
    title: str
    public: bool
    created_at: str
    names: tuple[str, ...]  # by seat
    people: tuple[str, ...] = ()  # ids by seat
    brought: tuple[tuple[int, int], ...] = ()  # (first, last) step of each import (`services.people.seated`)
    sharing: str = ""  # as the column of `kept_game`
    replaced_by: UUID | None = None  # as the column of `kept_game`

    @property
    def share_requested_by(self) -> int | None:
        """The seat that asked the scorekeeper to share the game."""
        return int(self.sharing) if self.sharing.isdigit() else None

    @property
    def players_share(self) -> bool:
        return self.sharing == SHARED_BY_PLAYERS

    @property
    def players_may_ask(self) -> bool:
        return self.sharing != SHARED_BY_KEEPER


class AnnouncedImport(Frozen):
    """Steps that an import announced and has not confirmed as written; a row of `kept_brought`."""

    game: UUID
    first: int
    last: int
    at: str
    awaited_seal: str  # of the last step


class Withheld(Frozen):
    """Game, club or sheet that the operator took off the public lists. public: it becomes public again afterwards."""

    kind: str
    about: str
    why: str
    by: str
    at: str
    public: bool = False
    back_why: str | None = None
    back_at: str | None = None


class WithheldError(Exception):
    """The operator took this off the public lists: only they can put it back."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the administrator took it off the public lists: {why}")
        self.why = why


class KeptTables:
    """The kept tables of one service."""

    def __init__(self, engine: StoreEngine) -> None:
        self.engine = engine
        self.cache = QueryCache(None if engine.file is None else FileChanges(engine.file))

    def close(self) -> None:
        self.cache.close()
        self.engine.dispose()

    def keep(self, game_id: UUID, title: str, public: bool, people: Sequence[Person]) -> None:
        """Store a game's title and its people by seat. A known game stays unchanged."""
        with self.engine.begin() as c:
            if not insert_once(c, kept_game, {"id": game_id, "title": title, "public": public, "created_at": now()}):
                return
            by_id = {person.id: person.name for person in people}
            insert_missing(
                c, kept_person, [{"id": person_id, "name": name} for person_id, name in sorted(by_id.items())]
            )
            insert_missing(c, kept_look, look_rows(by_id))
            insert_missing(
                c,
                kept_seat,
                [{"game": game_id, "seat": seat, "person": person.id} for seat, person in enumerate(people)],
            )

    def game(self, game_id: UUID) -> GameKept | None:
        found = self.cache.get(("game", game_id), lambda: self.games_of([game_id]))
        return found[0] if found else None

    def games(self, public_only: bool = False) -> list[GameKept]:
        """Return all games, or all public ones; newest first."""
        query = sa.select(kept_game.c.id).order_by(kept_game.c.created_at.desc(), kept_game.c.id)
        ids = self.engine.values(query.where(kept_game.c.public) if public_only else query)
        return self.games_of(ids)

    def games_of(self, ids: Sequence[UUID]) -> list[GameKept]:
        """Return the games of these ids, in their order; unknown ids are left out."""
        query = (  # two joins to the left: with a join inside, SQLite would look at every seat there is
            sa.select(kept_game, kept_seat.c.person, seat_name().label("name"))
            .outerjoin(kept_seat, kept_seat.c.game == kept_game.c.id)
            .outerjoin(kept_person, kept_person.c.id == kept_seat.c.person)
            .order_by(kept_game.c.id, kept_seat.c.seat)
        )
        games: dict[UUID, list[Any]] = {}  # a row for each seat
        brought: dict[UUID, list[tuple[int, int]]] = {}
        for row in self.engine.rows_where_in(query, kept_game.c.id, ids):
            games.setdefault(row.id, []).append(row)
        of_files = sa.select(kept_brought).order_by(kept_brought.c.first, kept_brought.c.last)
        for row in self.engine.rows_where_in(of_files, kept_brought.c.game, ids):
            brought.setdefault(row.game, []).append((row.first, row.last))
        return [
            GameKept(
                game_id,
                seats[0].title,
                seats[0].public,
                seats[0].created_at,
                tuple(row.name for row in seats if row.name is not None),
                tuple(row.person for row in seats if row.name is not None),
                tuple(brought.get(game_id, ())),
                seats[0].sharing or "",
                seats[0].replaced_by,
            )
            for game_id in ids
            if (seats := games.get(game_id))
        ]

    def people_of_imports(self, ids: Collection[UUID]) -> dict[UUID, tuple[str, ...]]:
        """Return the people by seat of games in which they can differ from the record.

        These games were imported, or a player merged two accounts.
        """
        opened = sa.select(kept_brought.c.game).where(kept_brought.c.first == 0)
        merged = sa.select(kept_seat.c.game).where(kept_seat.c.person.in_(sa.select(kept_merged_account.c.kept)))
        found: dict[UUID, list[str]] = {}
        for row in self.engine.rows(
            sa.select(kept_seat)
            .where(kept_seat.c.game.in_(ids), sa.or_(kept_seat.c.game.in_(opened), kept_seat.c.game.in_(merged)))
            .order_by(kept_seat.c.game, kept_seat.c.seat)
        ):
            found.setdefault(row.game, []).append(row.person)
        return {game_id: tuple(people) for game_id, people in found.items()}

    def note_imported(self, game_id: UUID, steps: Iterable[tuple[int, int]]) -> None:
        """Note that steps that are written were imported; the first and the last of each range."""
        at = now()
        rows = [
            {"game": game_id, "first": first, "last": last, "at": at, "awaited_seal": None} for first, last in steps
        ]
        upsert(self.engine, kept_brought, rows, ["game", "first", "last"])

    @contextmanager
    def announcing_import(self, game_id: UUID, steps: Sequence[tuple[int, int, str]]) -> Iterator[None]:
        """Announce imported steps, which are written inside the block.

        The note of an announced range has the seal of its last step, which shows later if it was written
        (`unconfirmed_imports`). It is removed if the steps were not written: other entries may take their numbers.

        Args:
            steps: the first and the last step of each range, and the seal of the last.
        """
        begun = [AnnouncedImport(game_id, first, last, now(), seal) for first, last, seal in steps]
        with self.engine.begin() as c:
            announced = [note for note in begun if insert_once(c, kept_brought, msgspec.structs.asdict(note))]
        try:
            yield
        except (
            AlreadyWrittenError,
            OutOfOrderError,
            LogBusyError,
        ):  # a concurrent import of the same steps notes them itself
            for note in announced:
                self.remove_announcement(note)
            raise
        self.note_imported(game_id, [(first, last) for first, last, _ in steps])

    def unconfirmed_imports(self, before: str) -> list[AnnouncedImport]:
        """Return imports that were announced before a time and never confirmed."""
        begun = sa.select(kept_brought).where(kept_brought.c.awaited_seal.is_not(None), kept_brought.c.at < before)
        return [AnnouncedImport(**row._mapping) for row in self.engine.rows(begun)]

    def remove_announcement(self, begun: AnnouncedImport) -> None:
        """Remove the note of steps that were not written: other entries may take their numbers."""
        noted = msgspec.structs.asdict(begun).items()
        self.engine.write(kept_brought.delete().where(*(kept_brought.c[name] == value for name, value in noted)))

    def seat_person(self, game_id: UUID, seat: int, before: str, person: str) -> bool:
        """Replace the person in a seat; return False if the seat has another person, or they sit at the table already."""
        here = kept_seat.c.game == game_id, kept_seat.c.seat == seat, kept_seat.c.person == before
        sits = sa.exists().where(kept_seat.c.game == game_id, kept_seat.c.person == person)
        with self.engine.begin() as c:
            lock_game(c, game_id)
            if c.scalar(sa.select(sits)):
                return False
            return c.execute(kept_seat.update().where(*here).values(person=person, name=None)).rowcount == 1

    def public_of(self, ids: Collection[UUID]) -> set[UUID]:
        """Return which of these games are public."""
        return {*self.engine.values(sa.select(kept_game.c.id).where(kept_game.c.public, kept_game.c.id.in_(ids)))}

    def withheld(self, kind: str) -> dict[str, str]:
        """Return the reasons by id for all of a kind that is off the public lists."""

        def read() -> dict[str, str]:
            return {
                row.about: row.why
                for row in self.engine.rows(
                    sa.select(kept_withheld).where(kept_withheld.c.kind == kind, kept_withheld.c.back_at.is_(None))
                )
            }

        return self.cache.get(("withheld", kind), read)

    def rename(self, game_id: UUID, title: str) -> None:
        self.engine.write(kept_game.update().where(kept_game.c.id == game_id).values(title=title))

    def show(self, game_id: UUID, public: bool) -> None:
        """Make a game public, or show it only to holders of a link. Raises WithheldError."""
        here = is_withheld("game", str(game_id))
        with self.engine.begin() as c:
            lock_game(c, game_id)
            if (why := c.scalar(sa.select(kept_withheld.c.why).where(here))) is not None:
                if public:
                    raise WithheldError(why)
                c.execute(kept_withheld.update().where(here).values(public=False))
            c.execute(kept_game.update().where(kept_game.c.id == game_id).values(public=public))

    def set_sharing(self, game_id: UUID, sharing: str) -> None:
        """Store the scorekeeper's choice of sharing: SHARED_BY_PLAYERS or SHARED_BY_KEEPER."""
        self.engine.write(kept_game.update().where(kept_game.c.id == game_id).values(sharing=sharing))

    def set_replacement(self, game_id: UUID, by: UUID) -> None:
        """Store the game that takes a game's place; itself: it is discarded. No list shows it any more."""
        self.engine.write(kept_game.update().where(kept_game.c.id == game_id).values(replaced_by=by))

    def ask_to_share(self, game_id: UUID, seat: int) -> None:
        """Store that a seat asks the scorekeeper to share a game. The first request stays until it is answered."""
        no_choice_yet = sa.and_(kept_game.c.id == game_id, kept_game.c.sharing.is_(None))
        self.engine.write(kept_game.update().where(no_choice_yet).values(sharing=str(seat)))

    def rename_seat(self, game_id: UUID, seat: int, name: str) -> None:
        """Set the name of a seat in this game only; the person and their own name stay. Anonymous people get no name."""
        own = sa.select(kept_person.c.name).where(kept_person.c.id == kept_seat.c.person).scalar_subquery()
        here = kept_seat.c.game == game_id, kept_seat.c.seat == seat
        with self.engine.begin() as c:
            seated = c.execute(sa.select(kept_seat.c.person, kept_seat.c.name).where(*here)).first()
            if seated is not None and lock_person(c, seated.person):
                if seated.name not in (None, name):
                    note_earlier_names(c, [(seated.person, seated.name)])
                renamed = kept_seat.update().where(*here, kept_seat.c.person == seated.person)
                c.execute(renamed.values(name=sa.case((own == name, sa.null()), else_=name)))

    def names(self, people: Iterable[str]) -> dict[str, str]:
        """Return the names of people by id; an id that is not kept is left out."""
        ids = [*people]
        if self.engine.file is None or len(ids) < MANY_NAMES:
            return {
                row.id: row.name for row in self.engine.rows_where_in(sa.select(kept_person), kept_person.c.id, ids)
            }
        many: sa.Select[Any] = sa.select(sa.column("value")).select_from(
            sa.func.json_each(msgspec.json.encode([*ids]).decode())
        )
        with self.engine.connect() as connection:
            found = connection.execute(
                sa.select(kept_person.c.id, kept_person.c.name).where(kept_person.c.id.in_(many))
            )
            return {row.id: row.name for row in found}

    def names_that_look(self, looks: Collection[str]) -> dict[str, str]:
        """Return the names that look like one of these (`names.look_of`), by the id of the person."""
        people = sa.select(kept_person).join(kept_look, kept_look.c.person == kept_person.c.id)
        found = self.engine.rows_where_in(people, kept_look.c.look, looks)
        return {row.id: row.name for row in found if appearance_key(row.name) in looks}

    def keep_person(self, person_id: str, name: str) -> None:
        """Store the name of a person, unless they exist. They may not have played yet."""
        with self.engine.begin() as c:
            if insert_once(c, kept_person, {"id": person_id, "name": name}):
                note_looks(c, {person_id: name})

    def keep_people(self, names: Mapping[str, str]) -> None:
        """Store the names of people by id, in one transaction. Known people stay unchanged."""
        with self.engine.begin() as c:
            insert_missing(
                c, kept_person, [{"id": person_id, "name": name} for person_id, name in sorted(names.items())]
            )
            insert_missing(c, kept_look, look_rows(names))

    def anonymous_seats(self, game_id: UUID) -> set[int]:
        """Return the seats of anonymous people in a game: they get no other name."""
        query = (
            sa.select(kept_seat.c.seat)
            .join(kept_anonymous, kept_anonymous.c.person == kept_seat.c.person)
            .where(kept_seat.c.game == game_id)
        )
        return {*self.engine.values(query)}


def note_looks(c: sa.Connection, names: Mapping[str, str]) -> None:
    """Store what new names look like, and the names that these people had before."""
    before = c.execute(sa.select(kept_look.c.person, kept_look.c.name).where(kept_look.c.person.in_([*names]))).all()
    note_earlier_names(c, [(row.person, row.name) for row in before if row.name != names[row.person]])
    upsert(c, kept_look, look_rows(names), ["person"])


def note_earlier_names(c: sa.Connection, names: Iterable[tuple[str, str]]) -> None:
    """Store names that people had before, each with the person's id."""
    insert_missing(c, kept_earlier_name, [{"person": person, "name": name} for person, name in names])


def look_rows(names: Mapping[str, str]) -> list[dict[str, str]]:
    return [
        {"person": person_id, "name": name, "look": appearance_key(name)} for person_id, name in sorted(names.items())
    ]


def is_share_requested() -> sa.ColumnElement[bool]:
    """Return the condition that a seat's request to share a game waits for an answer."""
    return sa.and_(kept_game.c.sharing.is_not(None), kept_game.c.sharing != SHARED_BY_PLAYERS)


def is_withheld(kind: str, about: str | sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """Return the condition that something is off the public lists."""
    return sa.and_(kept_withheld.c.kind == kind, kept_withheld.c.about == about, kept_withheld.c.back_at.is_(None))


def lock_game(c: sa.Connection, game_id: UUID) -> bool | None:
    """Lock a game until the end of the transaction; return if it is public, None if it is unknown."""
    return c.scalar(sa.select(kept_game.c.public).where(kept_game.c.id == game_id).with_for_update())


def lock_person(c: sa.Connection, person: str) -> bool:
    """Lock a person until the end of the transaction; return False if they were made anonymous."""
    c.execute(sa.select(kept_person.c.id).where(kept_person.c.id == person).with_for_update())
    return c.scalar(sa.select(kept_anonymous.c.person).where(kept_anonymous.c.person == person)) is None


def seat_name() -> sa.ColumnElement[str]:
    """Return the expression of a seat's name in its game."""
    return sa.func.coalesce(kept_seat.c.name, kept_person.c.name)
