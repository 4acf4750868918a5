"""Read models: what pages ask for often, kept ready in tables that can be rebuilt from the log at any time.

Nothing lives only here. Each projection stands at a position of the log, and moves on in the same transaction as
its rows; so whatever stops half-way, rows and position agree.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal
from uuid import UUID, uuid4

import msgspec
import sqlalchemy as sa
from sqlalchemy.sql.elements import quoted_name

from daybook.domain.disputes import claims
from daybook.domain.kernel.events import DecisionAsPlayed
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.services.clock import now
from daybook.services.store.away import Away
from daybook.services.store.columns import column, key
from daybook.services.store.database import StoreEngine, upsert
from daybook.services.store.database import insert_missing as insert_missing  # for those who write rows
from daybook.services.store.disagreements import Disagreement, standing
from daybook.services.store.kept import GameKept, KeptTables
from daybook.services.structs import struct_of

# Raised when a table or the meaning of a column changes: everything is then made anew from the log. On PostgreSQL it
# stands in the names of the database's schema, of turns and of queues: two versions of Daybook run side by side, each
# with its own follower, workers and read models.
SCHEMA = 25
PAGE = 500

Row = dict[str, Any]
Rows = Mapping[sa.Table, Sequence[Row]]
Status = Literal["running", "closed", "abandoned"]
GameList = Literal["running", "finished", "practice"]  # of the games page; practice games stand in no other
State = Literal["running", "waiting", "failing", "stopped"]
# running: all is well; waiting: for something that should be there, such as the queue server; failing: some of its
# work fails, the rest goes on; stopped: at an event it cannot take in. The last two want a person.

metadata = sa.MetaData()


def own_name(name: str) -> str:
    """What a turn, a queue or a job is called that is about read models like ours."""
    return f"{name}-{SCHEMA}"


views_schema = sa.Table("views_schema", metadata, sa.Column("number", sa.Integer, primary_key=True))
position = sa.Table(
    "position",
    metadata,
    key("projection"),
    column("notification_id", sa.BigInteger),
    column("turn", server_default=""),  # the mark of the follower whose turn it is
)
read_from = sa.Table(  # the entry that stands at a projection's position: so another log is told from this one
    "read_from",
    metadata,
    key("projection"),
    column("notification_id", sa.BigInteger),
    column("record", sa.Uuid),  # of which game or club: it may be erased since
    column("seal"),
)
health = sa.Table(
    "health",
    metadata,
    key("projection"),
    column("state"),
    column("at", sa.BigInteger),
    column("says"),
    column("beat_at"),
    column("caught_up_at", server_default=""),  # when it last had every entry
)
set_aside = sa.Table(  # daybook.services.store.set_aside: what a projection leaves out, because it cannot be read
    "set_aside",
    metadata,
    key("projection"),
    key("id", sa.Uuid),  # of a game or a club
    column("position", sa.BigInteger),  # of the first entry that could not be taken in
    column("says"),
)
game_row = sa.Table(
    "game_row",
    metadata,
    key("game", sa.Uuid),
    column("ruleset"),  # as in all tables: which game it is, by its key (domain.kernel.game_names)
    column("kind"),
    column("status"),
    column("colours"),  # JSON, by seat
    column("step", sa.Integer),
    column("marks"),  # JSON
    column("totals"),  # JSON, by seat
    column("over", sa.Boolean),
    column("ranks"),  # JSON, by seat; empty while it is not over
    column("revision", sa.Integer),  # of the rules it was opened with
    column("as_played", sa.Integer),  # illegal moves that stood, and stand
    column("claims_open", sa.Integer),
    column("opened_at"),
    column("last_at"),
    column("played"),  # the day; empty where nobody said it
    column("list"),  # in which list of games it stands: GameList
    column("position", sa.BigInteger),  # of its newest entry in the log: lists go by it
    column("lies_open", sa.Boolean),  # nothing is covered from anybody
    column("against_rules", sa.Integer),  # entries from outside that the rules disagree with
    sa.Index(None, "position"),
    sa.Index(None, "list", "position"),
    sa.Index(None, "last_at"),
    column("rules"),  # the id of its rules alone
    sa.Index(None, "rules", "revision"),
)
unscored_period = sa.Table(  # periods that ended and have no score yet
    "unscored_period",
    metadata,
    key("game", sa.Uuid),
    key("step", sa.Integer),
    key("period"),
    column("number", sa.Integer),
    column("notification_id", sa.BigInteger, index=True),
)
period_score = sa.Table(
    "period_score",
    metadata,
    key("game", sa.Uuid),
    key("step", sa.Integer),
    key("period"),
    column("number", sa.Integer),
    column("final", sa.Boolean),
    column("sheet"),  # JSON: daybook.services.play.period_scores.Reckoning
)

audit_row = sa.Table(  # services.files.audits: the newest audit of each game; at is empty while one is asked for
    "audit_row",
    metadata,
    key("game", sa.Uuid),
    column("ruleset"),
    column("recorded", sa.Integer),
    column("today", sa.Integer),
    column("step", sa.Integer),
    column("decisions", sa.Integer),
    column("findings"),  # JSON: daybook.services.files.audit.Finding
    column("at", index=True),
    sa.Index(None, "ruleset", "today"),
)

# --- services.analysis.win_chances: made by workers, kept while the record is as it was, and no part of it

analysed_game = sa.Table(  # games that were analysed, and practice games that somebody asks for
    "analysed_game",
    metadata,
    key("game", sa.Uuid),
    column("step", sa.Integer),  # the newest that was taken in
    column("made_by"),  # win_chances.revisions
    column("done", sa.Boolean, index=True),
    column("at"),
    column("summary"),  # summaries.mark, of the rows below; empty: there are none
)
unanalysed_game = sa.Table(  # closed games that have moved on since they were analysed, if they ever were
    "unanalysed_game",
    metadata,
    key("game", sa.Uuid),
    column("step", sa.Integer),
    column("practice", sa.Boolean),
    column("position", sa.BigInteger),  # of game_row
    column("due_on"),  # the first day for an imported game; empty for one recorded here
    sa.Index(None, "practice", "due_on", "position"),
    sa.Index(None, "due_on", "position"),
)
analysed_piece = sa.Table(
    "analysed_piece",
    metadata,
    key("game", sa.Uuid),
    key("part"),  # win_chances.Part
    key("step", sa.Integer),
    column("made_by"),
    column("seed", sa.BigInteger),
    column("found"),  # JSON: play_outs.Chances, or moves.WeighedMove
    sqlite_with_rowid=False,
)
analysed_seat = sa.Table(  # luck.Parted, in ten-thousandths of a victory
    "analysed_seat",
    metadata,
    key("game", sa.Uuid),
    key("seat", sa.Integer),
    column("drawn", sa.BigInteger),
    column("decided", sa.BigInteger),
    column("together", sa.BigInteger),
    sqlite_with_rowid=False,
)
analysed_moment = sa.Table(  # moves that cost something, and the largest swings
    "analysed_moment",
    metadata,
    key("game", sa.Uuid),
    key("part"),  # "move" or "swing"
    key("step", sa.Integer),
    column("seat", sa.Integer),  # who moved; whose chances changed most
    column("size", sa.BigInteger),  # what it cost, by how much they changed: ten-thousandths
    column("found"),  # JSON: summaries.CostlyMoveKept, or summaries.SwingKept
    sa.Index(None, "part", "size"),
    sqlite_with_rowid=False,
)
analysis_spent = sa.Table(  # processor time of all workers together
    "analysis_spent", metadata, key("day"), column("milliseconds", sa.BigInteger)
)

# --- services.league.results: how games ended, with every state there was; clubs, and the games entered in them

result_row = sa.Table(  # one row for each time that the result of a game changed
    "result_row",
    metadata,
    key("game", sa.Uuid),
    key("step", sa.Integer),
    column("at"),
    column("position", sa.BigInteger),
    column("cause"),  # daybook.services.league.results.Cause
    column("ended_at"),  # of results.Result; empty: it has no result now
    column("ruleset"),
    column("placed"),  # JSON: domain.league.results.Placed, people as the record has them
    column("marks"),  # JSON: domain.league.results.Mark
    column("least", sa.Boolean),  # the lowest total wins
)
club_row = sa.Table(
    "club_row",
    metadata,
    key("club", sa.Uuid),
    column("name"),
    column("public", sa.Boolean),
    column("step", sa.Integer),
    column("position", sa.BigInteger),
    column("founded_at"),
    column("last_at"),
)
club_game = sa.Table(  # every game that was ever entered; season and table: where it stands, or stood last
    "club_game",
    metadata,
    key("club", sa.Uuid),
    key("game", sa.Uuid, index=True),
    column("season"),
    column("table"),
    column("entered", sa.Boolean),  # false: it was removed again
)

# --- services.league.ratings: the rating of each person after each game, worked out anew for a whole club

rated_club = sa.Table(  # up to which position of the log the results of a club were rated, and how
    "rated_club", metadata, key("club", sa.Uuid), column("model"), column("position", sa.BigInteger)
)
rating_row = sa.Table(
    "rating_row",
    metadata,
    key("club", sa.Uuid),
    key("ruleset"),  # empty: overall
    key("person"),
    key("games", sa.Integer),  # how many so far, this one too
    column("result"),
    column("game"),  # the record; empty: none
    column("at"),
    column("place", sa.Integer),
    column("seats", sa.Integer),
    column("wins_60", sa.Integer),  # so far, as the following
    column("expected_60", sa.Integer),
    column("places", sa.Integer),
    column("mu", sa.Double),
    column("sigma", sa.Double),
)

# --- daybook.services.statistics.collect: what was counted of closed games; one text of a query is for every engine,
# so that yes and no are 1 and 0 here, and a win is counted in sixtieths, of which a shared one has a part

counted_game = sa.Table(  # which games were counted, at which step, with which measures
    "counted_game",
    metadata,
    key("game", sa.Uuid),
    column("ruleset"),  # the rules alone: what is counted goes by them
    column("step", sa.Integer),
    column("measures"),  # a hash of what was declared
    column("seats", sa.Integer),  # 0: the game is open again, and has no figures
    column("setup"),  # a hash of what the game began with
    column("options"),  # JSON
    sa.Index(None, "ruleset", "measures"),
)
uncounted_game = sa.Table(  # closed games, and games opened again, that have moved on since they were counted
    "uncounted_game", metadata, key("game", sa.Uuid), column("step", sa.Integer)
)
seat_summary = sa.Table(
    "seat_summary",
    metadata,
    column("game", sa.Uuid),
    column("seat", sa.Integer),
    column("ruleset"),
    column("kind"),  # "typed": without a record (services.statistics.typed_results)
    column("as_played", sa.Integer),  # illegal moves that stand
    column("provisional", sa.Integer),  # claims that are open
    column("seats", sa.Integer),
    column("person", index=True),
    column("colour"),
    sa.Column("total", sa.BigInteger),  # none: typed in without scores
    column("place", sa.Integer),
    column("won_60", sa.Integer),  # 60 of a win, a part of them of a shared one
    column("expected_60", sa.Integer),  # 60 by the number of seats; alone: 0
    column("at"),  # the day of play, or when it was opened; typed in: when it ended
    column("position", sa.BigInteger),  # of that entry in the log: it parts what shares a time
    column("public", sa.Integer),  # whether everybody may read the record
    column("against_rules", sa.Integer),  # entries from outside that the rules disagree with
    sa.PrimaryKeyConstraint("position", "game", "seat"),  # a stretch of the log lies together on SQLite
    sa.Index(None, "game", "seat"),
    sqlite_with_rowid=False,
)
game_fact = sa.Table(  # a figure of a whole game; seat -1: about the game
    "game_fact",
    metadata,
    key("ruleset"),
    key("measure"),
    key("game", sa.Uuid),
    key("seat", sa.Integer),
    column("value", sa.BigInteger),
    column("step", sa.Integer),
    sqlite_with_rowid=False,
)
game_part = sa.Table(  # the same, told apart by things and by periods
    "game_part",
    metadata,
    key("ruleset"),
    key("measure"),
    key("game", sa.Uuid),
    key("seat", sa.Integer),
    key("period"),
    key("number", sa.Integer),
    key("what"),
    column("value", sa.BigInteger),
    column("step", sa.Integer),
    sqlite_with_rowid=False,
)
opening_step = sa.Table(  # services.statistics.explorer: the first decisions of a game, each known by all before it
    "opening_step",
    metadata,
    key("parent"),
    key("game", sa.Uuid, index=True),
    column("prefix", index=True),
    column("seat", sa.Integer),  # of the tree; from the one that decides first, where it says so
    column("decider", sa.Integer),  # the seat at the table
    column("decision"),  # JSON
    column("step", sa.Integer),
    sqlite_with_rowid=False,
)

counted_stretch = sa.Table(  # how often something was counted, or shown to others, in a stretch of the log
    "counted_stretch", metadata, key("stretch", sa.BigInteger), column("changes", sa.BigInteger)
)
partial_answer = sa.Table(  # services.statistics.partial_answers: what a query answers about a stretch of the log
    "partial_answer",
    metadata,
    key("query"),  # a hash
    key("level", sa.Integer),
    key("stretch", sa.BigInteger),
    column("changes", sa.BigInteger),  # of its stretches when it was asked
    column("rows"),  # JSON
    column("at"),
)


@sa.event.listens_for(views_schema, "after_create")
def _stamp_schema(_table: sa.Table, connection: sa.Connection, **_: Any) -> None:
    """Tables are of the version that made them."""
    connection.execute(views_schema.insert().values(number=SCHEMA))


FROM_LOG = (game_row, unscored_period, period_score)  # what a rebuild makes anew
COUNTED = (counted_game, seat_summary, game_fact, game_part, opening_step)  # and this, in the order it is written
RESULTS = (result_row, club_row, club_game)


rebuilding = sa.MetaData()  # the same tables once more, where a rebuild lays its rows until it is done
REBUILT = {
    table: table.to_metadata(rebuilding, name=f"next_{table.name}")
    for table in (*FROM_LOG, *RESULTS, *COUNTED, uncounted_game)
}


def rename_indexes_beside() -> None:
    """Give the indexes of the tables beside names that none had before: they keep them when these are the present ones."""
    mark = uuid4().hex[:8]
    for table, beside in REBUILT.items():
        for index in beside.indexes:
            columns = "_".join(column.name for column in index.columns)
            index.name = quoted_name(f"ix_{table.name}_{columns}_{mark}", None)


# --- writing ---------------------------------------------------------------------------------------------------------

STRETCH_BITS = 18  # a stretch of the log has so many positions: some six hundred games


def note_changes(connection: sa.Connection, positions: Iterable[int]) -> None:
    """Note that what was counted of games has changed. positions: of their openings in the log.

    The last thing a transaction writes: others wait for it here.
    """
    upsert(
        connection,
        counted_stretch,
        [{"stretch": stretch, "changes": 1} for stretch in sorted({place >> STRETCH_BITS for place in positions})],
        ["stretch"],
        ["changes"],
    )


def forget_answers(connection: sa.Connection) -> None:
    """Forget what was answered about anything."""
    connection.execute(partial_answer.delete())
    connection.execute(counted_stretch.update().values(changes=counted_stretch.c.changes + 1))


class Overtaken(Exception):
    """Another follower has moved this projection on: read its position again."""


class TurnLost(Away):
    """Another follower has taken over: nothing was written."""


def take_turn(to: StoreEngine, projection: str) -> str:
    """Mark a projection's position as ours; the mark, which `advance` asks for from now on."""
    mark = uuid4().hex
    with to.begin() as connection:
        insert_missing(connection, position, [{"projection": projection, "notification_id": 0}])
        connection.execute(position.update().where(position.c.projection == projection).values(turn=mark))
    return mark


def require_turn(to: StoreEngine, projection: str, mark: str) -> None:
    """Requires that a process still has the turn: raises TurnLost if a projection's position bears another mark."""
    with to.connect() as connection:
        _require_turn(connection, projection, mark)


def _require_turn(connection: sa.Connection, projection: str, mark: str) -> None:
    found = connection.scalar(sa.select(position.c.turn).where(position.c.projection == projection))
    if found not in (None, mark):
        raise TurnLost(f"another process has taken over {projection}")


def position_of(to: StoreEngine, projection: str) -> int:
    """The position up to which a projection has taken the log in."""
    query = sa.select(position.c.notification_id).where(position.c.projection == projection)
    return int(to.value(query) or 0)


def advance(connection: sa.Connection, projection: str, start: int, end: int, mark: str = "") -> None:
    """Move a projection on from exactly `start`, while it is our turn.

    mark: as `take_turn` gave it; empty: as long as nobody has taken a turn. Raises TurnLost, and Overtaken if the
    projection is not at `start`.
    """
    if start == 0:
        insert_missing(connection, position, [{"projection": projection, "notification_id": 0}])
    moved = connection.execute(
        position.update()
        .where(position.c.projection == projection, position.c.notification_id == start, position.c.turn == mark)
        .values(notification_id=end)
    )
    if moved.rowcount != 1:
        _require_turn(connection, projection, mark)
        raise Overtaken(projection)


def mark(connection: sa.Connection, projections: Iterable[str], place: int, record: UUID, seal: str) -> None:
    """Note which entry of the log stands at the position of these projections."""
    found = {"notification_id": place, "record": record, "seal": seal}
    write_rows(connection, {read_from: [{"projection": name, **found} for name in projections]})


def remove_games(
    connection: sa.Connection, ids: Collection[UUID], to: Mapping[sa.Table, sa.Table] | None = None
) -> None:
    """Delete all rows of erased games. to: the tables to delete from, if not the present ones.

    `club_game` stays: it says which games a club ever entered, and the club's own record says so too.
    """
    tables = {table: (to or {}).get(table, table) for table in (metadata.sorted_tables if to is None else to)}
    counted, summary = tables[counted_game], tables[seat_summary]
    was_counted = connection.scalar(sa.select(counted.c.game).where(counted.c.game.in_(ids)).limit(1)) is not None
    changed = connection.scalars(sa.select(summary.c.position).where(summary.c.game.in_(ids))).all()
    for table, present in tables.items():
        if table is club_game or "game" not in table.c or not isinstance(table.c.game.type, sa.Uuid):
            continue
        if table in (game_fact, game_part) and not was_counted:  # without an index by game, each is read whole
            continue
        connection.execute(present.delete().where(present.c.game.in_(ids)))
    if to is None:
        connection.execute(set_aside.delete().where(set_aside.c.id.in_(ids)))
        if changed:
            note_changes(connection, changed)


def remove_clubs(
    connection: sa.Connection, ids: Collection[UUID], to: Mapping[sa.Table, sa.Table] | None = None
) -> None:
    """Delete the rows of erased clubs, but for their typed results. to: as for `remove_games`."""
    for table in metadata.sorted_tables if to is None else to:
        if "club" in table.c:
            present = (to or {}).get(table, table)
            connection.execute(present.delete().where(present.c.club.in_(ids)))
    if to is None:
        connection.execute(set_aside.delete().where(set_aside.c.id.in_(ids)))


def write_rows(connection: sa.Connection, rows: Rows) -> None:
    """Write rows, in place of those with the same primary keys."""
    for table, of_table in rows.items():
        upsert(connection, table, of_table, [column.name for column in table.primary_key])


def note_health(
    to: StoreEngine, projection: str, state: State, at: int, says: str = "", caught_up: bool = False
) -> None:
    """How a projection fares, as of now."""
    row = {"projection": projection, "state": state, "at": at, "says": says, "beat_at": now()}
    if caught_up:
        row["caught_up_at"] = row["beat_at"]
    with to.begin() as connection:
        write_rows(connection, {health: [row]})


def row_of(game: Game, step: int, position: int, known: Sequence[Disagreement] = ()) -> Row:
    """Row of one game, as it was after a step, which stands at a position of the log. known: where the rules disagree
    with what was brought of it."""
    ruleset, opening, board = game.ruleset, game.opening, game.board_at(step)
    outcome = ruleset.scoring.outcome(board)
    return {
        "game": game.id,
        "ruleset": game.game_key,
        "kind": opening.kind,
        "status": game.status_at(step),
        "lies_open": game.lay_open_at(step),
        "colours": as_json([seat.colour for seat in opening.seats]),
        "step": step,
        "marks": as_json(game.figures_at(step)[1]),
        "totals": as_json([score.total for score in ruleset.scoring.standing(board)]),
        "over": outcome is not None,
        "ranks": as_json([] if outcome is None else outcome.ranks),
        "revision": opening.revision,
        "as_played": as_played_at(game, step),
        "against_rules": len(standing(game, known, step)),
        "claims_open": sum(claim.is_open for claim in claims(game, step).values()),
        "opened_at": opening.at,
        "last_at": game.entries[step].event.at,
        "played": game.day_of_play(step),
        "list": list_of(opening.kind, game.status_at(step)),
        "position": position,
        "rules": opening.ruleset,
    }


def list_of(kind: str, status: Status) -> GameList:
    """In which list of the games page a game stands."""
    if kind == "practice":
        return "practice"
    return "running" if status == "running" else "finished"


def as_played_at(game: Game, step: int) -> int:
    """How many illegal moves stood on the line of play that leads to a step."""
    return sum(isinstance(game.entries[one].event, DecisionAsPlayed) for one in game.line(step)) if game.strange else 0


def as_json(value: Any) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()


# --- reading ---------------------------------------------------------------------------------------------------------


class GameRow(Frozen):
    """One game of a list of games. names, colours, totals and ranks are by seat.

    totals: as if the game ended now; ranks: the first has 1; empty while the game is not over. as_played: how many
    illegal moves stand; against_rules: how many entries stand that the rules disagree with; provisional: a claim is
    open, so that the result may change. opened_at, last_at: as its record says; played: the day, where it says one;
    position: of its newest entry among all that Daybook was given, by which lists go.
    """

    game: UUID
    title: str
    public: bool
    names: tuple[str, ...]
    colours: tuple[str, ...]
    ruleset: str
    kind: Literal["table", "practice"]
    status: Status
    lies_open: bool
    step: int  # the newest
    marks: dict[str, int]
    totals: tuple[int, ...]
    over: bool
    ranks: tuple[int, ...]
    as_played: int
    against_rules: int
    provisional: bool
    opened_at: str
    last_at: str
    played: str
    position: int


class Health(Frozen):
    """How one projection fares. at: the position of the log up to which it stands; beat_at: when it last said so;
    caught_up_at: when it last had every entry, empty if it never had."""

    projection: str
    state: State
    at: int
    says: str
    beat_at: str
    caught_up_at: str = ""


def list_games(
    views: StoreEngine, kept_tables: KeptTables, ids: Collection[UUID] | None = None, limit: int = 200
) -> list[GameRow]:
    """Games, the one recorded in last first. ids: only of these. A game just opened may come a moment late."""
    games: list[GameRow] = []
    for page in _pages_of_rows(views, ids):
        kept = {game.id: game for game in kept_tables.games_of([row.game for row in page])}
        games += [game_row_of(row, kept[row.game]) for row in page if row.game in kept]
        if len(games) >= limit:
            break
    return games[:limit]


def practice_running(of: StoreEngine, since: str) -> list[UUID]:
    """The practice games that run and in which something was recorded since a time."""
    return [
        *of.values(
            sa.select(game_row.c.game).where(
                game_row.c.last_at >= since, game_row.c.kind == "practice", game_row.c.status == "running"
            )
        )
    ]


def lying_open(views: StoreEngine, steps: Mapping[UUID, int]) -> set[UUID]:
    """Those of some games in which nothing up to a step is covered from anybody. A row that has not heard of the step
    says nothing of it: the game may have been reopened since."""
    query = sa.select(game_row.c.game, game_row.c.step).where(game_row.c.game.in_(steps), game_row.c.lies_open)
    return {row.game for row in views.rows(query) if steps[row.game] <= row.step}


def games_listed(views: StoreEngine, ids: Collection[UUID]) -> set[UUID]:
    """Those of some games that have a row."""
    if not ids:
        return set()
    return {*views.values(sa.select(game_row.c.game).where(game_row.c.game.in_(ids)))}


def _pages_of_rows(of: StoreEngine, ids: Collection[UUID] | None) -> Iterator[Sequence[Any]]:
    """Rows of games, newest first, a page at a time."""
    query = sa.select(game_row).order_by(game_row.c.position.desc()).limit(PAGE)
    if ids is not None:
        query = query.where(game_row.c.game.in_(ids))
    after: sa.ColumnElement[bool] = sa.true()
    while True:
        page = of.rows(query.where(after))
        if not page:
            return
        yield page
        after = game_row.c.position < page[-1].position


def game_row_of(row: Any, kept: GameKept) -> GameRow:
    """A row of the table with what is kept beside the log."""
    return struct_of(
        GameRow,
        row,
        title=kept.title,
        public=kept.public,
        names=kept.names,
        colours=tuple(msgspec.json.decode(row.colours)),
        marks=msgspec.json.decode(row.marks),
        totals=tuple(msgspec.json.decode(row.totals)),
        ranks=tuple(msgspec.json.decode(row.ranks)),
        provisional=row.claims_open > 0,
    )


def projection_health(views: StoreEngine) -> list[Health]:
    """One entry for each projection that has ever run, by name."""
    rows = views.rows(sa.select(health).order_by(health.c.projection))
    return [struct_of(Health, row) for row in rows]


def periods_without_score(of: StoreEngine) -> Iterator[list[tuple[int, UUID, int]]]:
    """Periods that ended and have no score: (position, game, step), a page at a time. It costs what is missing."""
    columns, after = (unscored_period.c.notification_id, unscored_period.c.game, unscored_period.c.step), 0
    while True:
        query = sa.select(*columns).where(columns[0] > after).distinct().order_by(columns[0]).limit(PAGE)
        page = [(int(place), game, step) for place, game, step in of.rows(query)]
        if not page:
            return
        yield page
        after = page[-1][0]


def marks(of: StoreEngine) -> set[tuple[int, UUID, str]]:
    """Positions of the log, with the game or club and the seal of the entry that stood there."""
    rows = of.rows(sa.select(read_from.c.notification_id, read_from.c.record, read_from.c.seal))
    return {(row.notification_id, row.record, row.seal) for row in rows}
