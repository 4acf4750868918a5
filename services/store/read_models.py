"""Read models: tables for pages that can be rebuilt from the log at any time.

Each projection has a position of the log, which moves in the same transaction as its rows. So rows and position agree
wherever a process stops.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple
from uuid import UUID, uuid4

import msgspec
import sqlalchemy as sa
from sqlalchemy.sql.elements import quoted_name

from daybook.domain.disputes import open_claims
from daybook.domain.kernel.events import DecisionAsPlayed
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.services.clock import now
from daybook.services.store.columns import column, key
from daybook.services.store.database import StoreEngine, upsert
from daybook.services.store.database import insert_missing as insert_missing  # for callers that write rows
from daybook.services.store.disagreements import Disagreement, filter_standing
from daybook.services.store.kept import GameKept, KeptTables
from daybook.services.structs import copy_fields

# Raised when a table or the meaning of a column changes: everything is then rebuilt from the log. On PostgreSQL it is in
# the names of the schema, of locks and of queues, so that two versions of Daybook can run at the same time, each with its
# own follower, workers and read models.
SCHEMA = 39
PAGE = 500

TableRow = dict[str, Any]
Rows = Mapping[sa.Table, Sequence[TableRow]]
Status = Literal["running", "closed", "abandoned"]
GameList = Literal["running", "finished", "practice"]  # of the games page; practice games are in no other list
ProjectionState = Literal["running", "waiting", "failing", "stopped"]
# waiting: for a server that is away; failing: some of its work fails, the rest continues; stopped: at an event that it
# cannot apply. The last two need an operator.

INDEX_NAMES = {"ix": "ix_%(table_name)s_%(column_0_N_name)s"}  # several indexes may begin with one column
metadata = sa.MetaData(naming_convention=INDEX_NAMES)


def versioned_name(name: str) -> str:
    """Return the name of a lock, a queue or a job that belongs to read models of this version."""
    return f"{name}-{SCHEMA}"


views_schema = sa.Table("views_schema", metadata, sa.Column("number", sa.Integer, primary_key=True))
position = sa.Table(
    "position",
    metadata,
    key("projection"),
    column("notification_id", sa.BigInteger),
    column("turn", server_default=""),  # the fencing token of the follower that holds the lock
)
read_from = sa.Table(  # the entry at a projection's position: it shows if the log is another one
    "read_from",
    metadata,
    key("projection"),
    column("notification_id", sa.BigInteger),
    column("record", sa.Uuid),  # the game or club, which may be erased since
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
    column("caught_up_at", server_default=""),  # when it had last applied every entry
)
set_aside = sa.Table(  # daybook.services.store.set_aside: records that a projection skips
    "set_aside",
    metadata,
    key("projection"),
    key("id", sa.Uuid),  # of a game or a club
    column("position", sa.BigInteger),  # of the first entry that could not be applied
    column("says"),
)
game_row = sa.Table(
    "game_row",
    metadata,
    key("game", sa.Uuid),
    column("ruleset"),  # the key of the game, as in all tables (domain.kernel.game_names)
    column("kind"),
    column("status"),
    column("colours"),  # JSON, by seat
    column("step", sa.Integer),
    column("marks"),  # JSON
    column("totals"),  # JSON, by seat
    column("over", sa.Boolean),
    column("ranks"),  # JSON, by seat; empty until the game is over
    column("revision", sa.Integer),  # of the rules it was opened with
    column("as_played", sa.Integer),  # illegal moves that stand
    column("claims_open", sa.Integer),
    column("opened_at"),
    column("last_at"),
    column("played_on"),  # the day; empty if unknown
    column("list"),  # the list of the games page: GameList
    column("position", sa.BigInteger),  # of its newest entry in the log, the order of lists
    column("revealed", sa.Boolean),  # no viewer has hidden parts
    column("against_rules", sa.Integer),  # imported entries that the rules disagree with
    sa.Index(None, "position"),
    sa.Index(None, "list", "position"),
    sa.Index(None, "last_at"),
    column("rules"),  # the id of its rules
    sa.Index(None, "rules", "revision"),
)
unscored_period = sa.Table(  # ended periods without a score
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

audit_row = sa.Table(  # services.files.audits: the newest audit of each game; at is empty while one is requested
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

# --- services.analysis.win_chances: written by workers, valid until the record changes

analysed_game = sa.Table(  # analysed games, and practice games with a request
    "analysed_game",
    metadata,
    key("game", sa.Uuid),
    column("step", sa.Integer),  # the newest analysed
    column("made_by"),  # win_chances.revisions
    column("done", sa.Boolean, index=True),
    column("at"),
    column("summary"),  # summaries.mark of the rows below; empty: none
)
unanalysed_game = sa.Table(  # closed games without an up-to-date analysis
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
analysed_moment = sa.Table(  # costly moves, and the largest swings
    "analysed_moment",
    metadata,
    key("game", sa.Uuid),
    key("part"),  # "move" or "swing"
    key("step", sa.Integer),
    column("seat", sa.Integer),  # the seat that moved, or with the largest change of chances
    column("size", sa.BigInteger),  # cost or change in ten-thousandths
    column("found"),  # JSON: summaries.CostlyMoveKept, or summaries.SwingKept
    sa.Index(None, "part", "size"),
    sqlite_with_rowid=False,
)
analysis_spent = sa.Table(  # CPU time of all workers
    "analysis_spent", metadata, key("day"), column("milliseconds", sa.BigInteger)
)

# --- services.league.results: every result that a game has had; clubs, and the games entered in them

result_row = sa.Table(  # a row for each change of a result
    "result_row",
    metadata,
    key("game", sa.Uuid),
    key("step", sa.Integer),
    column("at"),
    column("position", sa.BigInteger),
    column("cause"),  # daybook.services.league.results.Cause
    column("ended_at"),  # of results.Result; empty: no result
    column("ruleset"),
    column("placed"),  # JSON: domain.league.results.Placed, with people as in the record
    column("marks"),  # JSON: domain.league.results.Mark
    column("lowest_wins", sa.Boolean),  # the lowest total wins
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
club_game = sa.Table(  # every game that was ever entered; season and table: the last ones
    "club_game",
    metadata,
    key("club", sa.Uuid),
    key("game", sa.Uuid, index=True),
    column("season"),
    column("table"),
    column("entered", sa.Boolean),  # false: removed again
)
club_play = sa.Table(  # services.league.plays: every table with a recorded game or a typed result
    "club_play",
    metadata,
    key("club", sa.Uuid),
    key("season"),
    key("table"),
    sa.Column("record", sa.Uuid),  # null: no record
    column("ruleset"),
    column("at"),  # the moment by which a typed play is in order; empty for a record, whose end is in result_row
    column("day"),  # in the club's time zone, as at
    column("place"),  # where it was played
    column("kind"),  # PlayKind; empty: no play is left there
    column("source"),  # of an import
    column("cooperative", sa.Boolean),
    column("lowest_wins", sa.Boolean),
    column("scored", sa.Boolean),
    column("walkover", sa.Boolean),
    column("uncounted", sa.Boolean),  # it gives no wins and no ratings
    column("tie_settled", sa.Boolean),
    column("unapproved", sa.Boolean),  # it waits for an organiser
    column("teams", sa.Boolean),
    column("hour"),  # when it began, by the clock at the table: 19:30
    column("minutes", sa.Integer),  # 0: unknown
    column("variant"),
    column("expansions"),  # JSON
    column("position", sa.BigInteger),  # in the order of entry: of the entry that first wrote it down
    sa.Index(None, "club", "at", "position"),
    sa.Index(None, "club", "ruleset"),
    sa.Index(None, "club", "place"),
    sa.Index(None, "club", "kind"),
    sa.Index(None, "club", "source"),
    sa.Index(None, "club", "day"),
    sa.Index(None, "club", "record"),
)
club_play_person = sa.Table(
    "club_play_person",
    metadata,
    key("club", sa.Uuid),
    key("season"),
    key("table"),
    key("number", sa.Integer),  # the seat in a record, else the order in which they were written
    column("person"),  # under the id that was written
    sa.Column("place", sa.Integer),  # null: the record has it, as the score
    sa.Column("score", sa.Double),
    column("text"),  # the score as written, if it is not a whole number
    column("dropped", sa.Boolean),
    column("started", sa.Boolean),
    column("new", sa.Boolean),  # played the game for the first time
    column("role"),
    column("team"),
    column("colour"),
    sa.Index(None, "club", "person"),
)

counted_table = sa.Table(  # services.statistics.typed_results: the play of a club's table in the statistics
    "counted_table",
    metadata,
    key("club", sa.Uuid),
    key("season"),
    key("table"),
    sa.Column("game", sa.Uuid, index=True),  # its record, or the id of its typed result; null: it does not count
    column("ruleset"),  # of a typed result; empty: a record, whose game has it
    # the plays of one game in a large club; SQLite would use an index that begins with the club for single plays, too
    sa.Index(None, "ruleset", "club", "game"),
)

# --- services.league.ratings: the rating of each person after each game, computed for a whole club

rated_club = sa.Table(  # the position up to which a club is rated, and the model
    "rated_club", metadata, key("club", sa.Uuid), column("model"), column("position", sa.BigInteger)
)
rating_row = sa.Table(
    "rating_row",
    metadata,
    key("club", sa.Uuid),
    key("ruleset"),  # empty: overall
    key("person"),
    key("games", sa.Integer),  # number so far, including this one
    column("result"),
    column("game"),  # the record; empty: none
    column("at"),
    column("place", sa.Integer),
    column("seats", sa.Integer),
    column("wins_60", sa.Integer),  # so far, as the next columns
    column("expected_60", sa.Integer),
    column("places", sa.Integer),
    column("mu", sa.Double),
    column("sigma", sa.Double),
)

# --- services.league.year_reviews: the years of each club and person, computed for a whole club

reviewed_club = sa.Table(  # the log position of the newest review of each club
    "reviewed_club",
    metadata,
    key("club", sa.Uuid),
    column("made_by"),  # year_reviews.FIGURES_REVISION
    column("position", sa.BigInteger),
    column("waiting", sa.Boolean),  # a recorded game of the club was not counted yet
    column("figures", sa.BigInteger),  # figures_version at that position
)
year_review = sa.Table(
    "year_review",
    metadata,
    key("club", sa.Uuid),
    key("year"),
    key("person"),  # empty: the club
    column("found"),  # JSON: year_reviews.YearReview
)

# --- daybook.services.statistics.collect: figures of closed games. Queries are the same on every engine, so booleans are
# 1 and 0, and wins are sixtieths, which a shared win divides.

counted_game = sa.Table(  # counted games, with step and measures
    "counted_game",
    metadata,
    key("game", sa.Uuid),
    column("ruleset"),  # the rules
    column("step", sa.Integer),
    column("measures"),  # a hash of their declarations
    column("seats", sa.Integer),  # 0: the game was reopened and has no figures
    column("setup"),  # a hash of the set-up
    column("options"),  # JSON
    sa.Index(None, "ruleset", "measures"),
)
uncounted_game = sa.Table(  # closed and reopened games without up-to-date figures
    "uncounted_game", metadata, key("game", sa.Uuid), column("step", sa.Integer)
)
seat_summary = sa.Table(
    "seat_summary",
    metadata,
    column("game", sa.Uuid),
    column("seat", sa.Integer),
    column("ruleset"),
    column("kind"),  # "typed": a result without a record (services.statistics.typed_results)
    column("as_played", sa.Integer),  # illegal moves that stand
    column("provisional", sa.Integer),  # claims that are open
    column("seats", sa.Integer),
    column("person", index=True),
    column("colour"),
    sa.Column("total", sa.Double),  # halves and decimals of typed scores too; null: typed without scores
    column("place", sa.Integer),
    column("won_60", sa.Integer),  # 60 for a win, a part of it for a shared one
    column("expected_60", sa.Integer),  # 60 divided by the number of seats; 0 for one
    column("at", index=True),  # the day of play, or of opening; typed: of the end
    column("in_order"),  # the moment by which it is in order (services.days.moment_in_order)
    column("position", sa.BigInteger),  # in the order of entry (order_of_entry): orders equal moments
    column("public", sa.Integer),  # if the record is public
    column("against_rules", sa.Integer),  # imported entries that the rules disagree with
    sa.PrimaryKeyConstraint("game", "seat"),  # the order of game_fact, so that SQLite reads both in order
    sqlite_with_rowid=False,
)
game_fact = sa.Table(  # a figure of a game; seat -1: of the whole table
    "game_fact",
    metadata,
    key("ruleset"),
    key("measure"),
    key("game", sa.Uuid),
    key("seat", sa.Integer),
    column("value", sa.Double),
    column("step", sa.Integer),
    sqlite_with_rowid=False,
)
game_part = sa.Table(  # figures by thing and period
    "game_part",
    metadata,
    key("ruleset"),
    key("measure"),
    key("game", sa.Uuid),
    key("seat", sa.Integer),
    key("period"),
    key("number", sa.Integer),
    key("what"),
    column("value", sa.Double),
    column("step", sa.Integer),
    sqlite_with_rowid=False,
)


def _columns_of_sums() -> tuple[sa.Column[Any], ...]:
    """Return new columns for the sums of some figures. squares: of the values."""
    return (
        column("total", sa.Double),
        column("least", sa.Double),
        column("most", sa.Double),
        column("won_60", sa.BigInteger),
        column("expected_60", sa.BigInteger),
        column("squares", sa.Double),
    )


figure_sum = sa.Table(  # services.statistics.month_sums: figures of public games, summed over seats of a month
    "figure_sum",
    metadata,
    key("ruleset"),
    key("measure"),
    key("parts"),  # what the figures are split by: "", "what", "number", "what number"
    key("split"),  # "": rows differ in seat and in winning or not; "place", "colour": in these instead
    key("month"),
    key("seats", sa.Integer),
    key("seat", sa.Integer),
    key("won", sa.Integer),
    key("place", sa.Integer),
    key("colour"),
    key("number", sa.Integer),
    key("what"),
    column("n", sa.Integer),
    column("games", sa.Integer),  # of which the seat is the first one
    column("games_by_won", sa.Integer),  # of which the seat is the first one that won, or that did not; of split ""
    *_columns_of_sums(),
    sqlite_with_rowid=False,
)
person_sum = sa.Table(  # services.statistics.person_sums: figures of public games, summed over the seats of a person
    "person_sum",
    metadata,
    key("ruleset"),
    key("measure"),
    key("parts"),  # "", "what", "number"
    key("person"),
    key("seats", sa.Integer),
    key("number", sa.Integer),
    key("what"),
    column("n", sa.Integer),
    column("games", sa.Integer),
    *_columns_of_sums(),
    sqlite_with_rowid=False,
)
summed_month = sa.Table("summed_month", metadata, key("ruleset"), key("month"))  # months with sums as they are now
summed_person = sa.Table("summed_person", metadata, key("ruleset"), key("person"))  # people with sums as they are now
opening_step = sa.Table(  # services.statistics.explorer: the first decisions of a game, identified by those before
    "opening_step",
    metadata,
    key("parent"),
    key("game", sa.Uuid, index=True),
    column("prefix", index=True),
    column("seat", sa.Integer),  # of the tree; counted from the first to decide, if there is one
    column("decider", sa.Integer),  # the seat at the table
    column("decision"),  # JSON
    column("step", sa.Integer),
    sqlite_with_rowid=False,
)

figures_version = sa.Table(  # one row: the number of changes of figures or of their visibility
    "figures_version", metadata, key("id", sa.Integer), column("changes", sa.BigInteger)
)


@sa.event.listens_for(views_schema, "after_create")
def _stamp_schema(_table: sa.Table, connection: sa.Connection, **_: Any) -> None:
    """Store the version that creates the tables."""
    connection.execute(views_schema.insert().values(number=SCHEMA))


FROM_LOG = (game_row, unscored_period, period_score)  # written by a rebuild
COUNTED = (counted_game, seat_summary, game_fact, game_part, opening_step)  # written by a rebuild, in this order
RESULTS = (result_row, club_row, club_game, club_play, club_play_person, counted_table)


rebuilding = sa.MetaData(
    naming_convention=INDEX_NAMES
)  # copies of the tables, which a rebuild fills before it swaps them
REBUILT = {
    table: table.to_metadata(rebuilding, name=f"next_{table.name}")
    for table in (*FROM_LOG, *RESULTS, *COUNTED, uncounted_game)
}


def rename_rebuilt_indexes() -> None:
    """Give new names to the indexes of the copies, because they keep their names after the swap."""
    mark = uuid4().hex[:8]
    for table, rebuilt in REBUILT.items():
        for index in rebuilt.indexes:
            columns = "_".join(column.name for column in index.columns)
            index.name = quoted_name(f"ix_{table.name}_{columns}_{mark}", None)


# --- writing ---------------------------------------------------------------------------------------------------------


PLAYS_PER_ENTRY = 1_000_000  # more than a file has


def order_of_entry(position: int, number: int = 0) -> int:
    """Return a number that orders plays by their entries in the log, and those of one file by their rows."""
    return position * PLAYS_PER_ENTRY + number


class Summed(NamedTuple):
    """The reach of a change of figures: months and people of a game, as (ruleset, month) and (ruleset, person)."""

    months: set[tuple[str, str]]
    people: set[tuple[str, str]]

    def __or__(self, other: Summed) -> Summed:
        return Summed(self.months | other.months, self.people | other.people)


def note_change(connection: sa.Connection, summed: Summed | None = None) -> None:
    """Count a change of figures, so that cached answers and sums of these months and people are no longer used.

    Call it at the end of a transaction: other transactions wait for this row.

    Args:
        summed: as `summed_of` returns it before and after the change.
    """
    upsert(connection, figures_version, [{"id": 0, "changes": 1}], ["id"], ["changes"])
    if summed is not None:
        for table, keys in ((summed_month, summed.months), (summed_person, summed.people)):
            for ruleset_id, key_of_sums in sorted(keys):
                ruleset, other = table.c
                connection.execute(table.delete().where(ruleset == ruleset_id, other == key_of_sums))


def summed_of(connection: sa.Connection, games: Collection[UUID]) -> Summed:
    """Return the months in which these counted games were played, and their people."""
    month = sa.func.substr(seat_summary.c.at, 1, 7)
    query = sa.select(seat_summary.c.ruleset, month, seat_summary.c.person).where(seat_summary.c.game.in_(games))
    rows = connection.execute(query).all()
    return Summed({(ruleset_id, of) for ruleset_id, of, _ in rows}, {(ruleset_id, of) for ruleset_id, _, of in rows})


def position_of(views: StoreEngine, projection: str) -> int:
    """Return the position up to which a projection has applied the log (`services.store.tracking`)."""
    query = sa.select(position.c.notification_id).where(position.c.projection == projection)
    return int(views.value(query) or 0)


def mark_position(connection: sa.Connection, projections: Iterable[str], place: int, record: UUID, seal: str) -> None:
    """Store which entry of the log is at the position of these projections."""
    found = {"notification_id": place, "record": record, "seal": seal}
    write_rows(connection, {read_from: [{"projection": name, **found} for name in projections]})


def remove_games(
    connection: sa.Connection, ids: Collection[UUID], to: Mapping[sa.Table, sa.Table] | None = None
) -> None:
    """Delete all rows of erased games. to: the tables to delete from, if not the present ones.

    Rows of `club_game` stay: the club's own record has the same entries.
    """
    tables = {table: (to or {}).get(table, table) for table in (metadata.sorted_tables if to is None else to)}
    counted = tables[counted_game]
    was_counted = connection.scalar(sa.select(counted.c.game).where(counted.c.game.in_(ids)).limit(1)) is not None
    summed = summed_of(connection, ids) if was_counted and to is None else None
    for table, present in tables.items():
        if table is club_game or "game" not in table.c or not isinstance(table.c.game.type, sa.Uuid):
            continue
        if table in (game_fact, game_part) and not was_counted:  # without an index by game, they are scanned
            continue
        connection.execute(present.delete().where(present.c.game.in_(ids)))
    if to is None:
        connection.execute(set_aside.delete().where(set_aside.c.id.in_(ids)))
        if summed is not None:
            _remove_sums(connection, summed)
            note_change(connection, summed)


def _remove_sums(connection: sa.Connection, summed: Summed) -> None:
    """Delete sums that contain erased games: a month or a person without further games is never summed again."""
    for ruleset_id, month in sorted(summed.months):
        columns = figure_sum.c
        connection.execute(figure_sum.delete().where(columns.ruleset == ruleset_id, columns.month == month))
    for ruleset_id, person in sorted(summed.people):
        columns = person_sum.c
        connection.execute(person_sum.delete().where(columns.ruleset == ruleset_id, columns.person == person))


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
    """Insert rows, or replace those with the same primary keys."""
    for table, of_table in rows.items():
        upsert(connection, table, of_table, [column.name for column in table.primary_key])


def write_health(
    to: StoreEngine, projection: str, state: ProjectionState, at: int, message: str = "", caught_up: bool = False
) -> None:
    """Write the health of a projection."""
    row = {"projection": projection, "state": state, "at": at, "says": message, "beat_at": now()}
    if caught_up:
        row["caught_up_at"] = row["beat_at"]
    with to.begin() as connection:
        write_rows(connection, {health: [row]})


def build_game_row(game: Game, step: int, position: int, disagreements: Sequence[Disagreement] = ()) -> TableRow:
    """Return the row of a game after a step. position: of the step in the log; disagreements: of its imported entries."""
    ruleset, opening, board = game.ruleset, game.opening, game.board_at(step)
    outcome = ruleset.scoring.outcome(board)
    return {
        "game": game.id,
        "ruleset": game.game_key,
        "kind": opening.kind,
        "status": game.status_at(step),
        "revealed": game.was_revealed_at(step),
        "colours": as_json([seat.colour for seat in opening.seats]),
        "step": step,
        "marks": as_json(game.figures_at(step)[1]),
        "totals": as_json([score.total for score in ruleset.scoring.standing(ruleset.so_far(board))]),
        "over": outcome is not None,
        "ranks": as_json([] if outcome is None else outcome.ranks),
        "revision": opening.revision,
        "as_played": count_illegal_moves(game, step),
        "against_rules": len(filter_standing(game, disagreements, step)),
        "claims_open": len(open_claims(game, step)),
        "opened_at": opening.at,
        "last_at": game.entries[step].event.at,
        "played_on": game.day_of_play(step),
        "list": list_of(opening.kind, game.status_at(step)),
        "position": position,
        "rules": opening.ruleset,
    }


def list_of(kind: str, status: Status) -> GameList:
    """Return the list of the games page that has a game."""
    if kind == "practice":
        return "practice"
    return "running" if status == "running" else "finished"


def count_illegal_moves(game: Game, step: int) -> int:
    """Return the number of illegal moves on the line of play to a step."""
    if not game.strange:
        return 0
    return sum(isinstance(game.entries[number].event, DecisionAsPlayed) for number in game.line(step))


def as_json(value: Any) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()


# --- reading ---------------------------------------------------------------------------------------------------------


class GameRow(Frozen):
    """A game of a list of games. names, colours, totals and ranks are by seat.

    totals: as if the game ended now; ranks: 1 for the first, empty until the game is over. as_played: number of illegal
    moves that stand; against_rules: number of imported entries that stand against the rules; provisional: a claim is
    open, so that the result may change. opened_at, last_at: times of its record; played_on: the day, if its record has one;
    position: of its newest entry, the order of lists.
    """

    game: UUID
    title: str
    public: bool
    names: tuple[str, ...]
    colours: tuple[str, ...]
    ruleset: str
    kind: Literal["table", "practice"]
    status: Status
    revealed: bool
    step: int  # the newest
    marks: dict[str, int]
    totals: tuple[Points, ...]
    over: bool
    ranks: tuple[int, ...]
    as_played: int
    against_rules: int
    provisional: bool
    opened_at: str
    last_at: str
    played_on: str
    position: int


class Health(Frozen):
    """Health of a projection."""

    projection: str
    state: ProjectionState
    at: int  # its position in the log
    message: str
    beat_at: str  # the last heartbeat
    caught_up_at: str = ""  # when it had last applied every entry; empty: never


def list_games(
    views: StoreEngine, kept_tables: KeptTables, ids: Collection[UUID] | None = None, limit: int = 200
) -> list[GameRow]:
    """Return games, by last entry. ids: only these. A game that was just opened may be missing for a moment."""
    games: list[GameRow] = []
    for page in _pages_of_rows(views, ids):
        kept = {game.id: game for game in kept_tables.games_of([row.game for row in page])}
        games += [parse_game_row(row, kept[row.game]) for row in page if row.game in kept]
        if len(games) >= limit:
            break
    return games[:limit]


def select_running_practice(views: StoreEngine, since: str) -> list[UUID]:
    """Return running practice games with an entry since a time."""
    return [
        *views.values(
            sa.select(game_row.c.game).where(
                game_row.c.last_at >= since, game_row.c.kind == "practice", game_row.c.status == "running"
            )
        )
    ]


def games_without_hidden_parts(views: StoreEngine, steps: Mapping[UUID, int]) -> set[UUID]:
    """Return the games in which no viewer has hidden parts up to a step, as far as their rows have that step."""
    query = sa.select(game_row.c.game, game_row.c.step).where(game_row.c.game.in_(steps), game_row.c.revealed)
    return {row.game for row in views.rows(query) if steps[row.game] <= row.step}


def games_listed(views: StoreEngine, ids: Collection[UUID]) -> set[UUID]:
    """Return which of these games have a row."""
    if not ids:
        return set()
    return {*views.values(sa.select(game_row.c.game).where(game_row.c.game.in_(ids)))}


def _pages_of_rows(views: StoreEngine, ids: Collection[UUID] | None) -> Iterator[Sequence[Any]]:
    """Yield rows of games, newest first, in pages."""
    query = sa.select(game_row).order_by(game_row.c.position.desc()).limit(PAGE)
    if ids is not None:
        query = query.where(game_row.c.game.in_(ids))
    after: sa.ColumnElement[bool] = sa.true()
    while True:
        page = views.rows(query.where(after))
        if not page:
            return
        yield page
        after = game_row.c.position < page[-1].position


def parse_game_row(row: Any, game: GameKept) -> GameRow:
    """Return a row of the table with the kept data of its game."""
    return copy_fields(
        GameRow,
        row,
        title=game.title,
        public=game.public,
        names=game.names,
        colours=tuple(msgspec.json.decode(row.colours)),
        marks=msgspec.json.decode(row.marks),
        totals=tuple(msgspec.json.decode(row.totals)),
        ranks=tuple(msgspec.json.decode(row.ranks)),
        provisional=row.claims_open > 0,
    )


def projection_health(views: StoreEngine) -> list[Health]:
    """Return the health of each projection that has ever run, by name."""
    rows = views.rows(sa.select(health, health.c.says.label("message")).order_by(health.c.projection))
    return [copy_fields(Health, row) for row in rows]


def periods_without_score(views: StoreEngine) -> Iterator[list[tuple[int, UUID, int]]]:
    """Yield ended periods without a score as (position, game, step), in pages."""
    columns, after = (unscored_period.c.notification_id, unscored_period.c.game, unscored_period.c.step), 0
    while True:
        query = sa.select(*columns).where(columns[0] > after).distinct().order_by(columns[0]).limit(PAGE)
        page = [(int(place), game, step) for place, game, step in views.rows(query)]
        if not page:
            return
        yield page
        after = page[-1][0]


def read_marks(views: StoreEngine) -> set[tuple[int, UUID, str]]:
    """Return the positions of projections, with the game or club and the seal of the entry there."""
    rows = views.rows(sa.select(read_from.c.notification_id, read_from.c.record, read_from.c.seal))
    return {(row.notification_id, row.record, row.seal) for row in rows}
