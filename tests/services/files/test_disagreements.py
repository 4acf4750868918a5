"""A result from outside that the rules contradict: it is marked wherever it is shown."""

from __future__ import annotations

import io
from typing import Any
from uuid import UUID

import msgspec
import pytest

from daybook.domain import entries
from daybook.domain.commands import Close, Decide, Reopen, TakeBack
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.events import DecisionRecorded, GameClosed
from daybook.services.files import leases
from daybook.services.files.import_export import export_game, import_file
from daybook.services.files.recordfile import numbered_lines
from daybook.services.following import projections
from daybook.services.league import results
from daybook.services.play.practice import Dealer
from daybook.services.statistics import collect, figure_questions
from daybook.services.statistics.figure_questions import Filter
from daybook.services.store import disagreements, read_models
from daybook.services.store.daybook import Daybook
from daybook.services.written import new_written
from tests.played import open_table_of, play, play_game, update_games, update_results, write
from tests.services.files.test_leases import ANNA, forge_line, take_game
from tests.services.fixture_files import reseal_line

pytestmark = pytest.mark.sqlite_suffices


def forged_file(elsewhere: Daybook, game_id: UUID, gain: int = 500) -> bytes:
    """Return the record of a closed game whose last decision gives seat 2 money without a source, sealed again."""
    game = elsewhere.games.get(game_id)
    closed = game.entries[-1].event
    last = next(step for step in reversed(game.line()) if isinstance(game.entries[step].event, DecisionRecorded))
    event = game.entries[last].event
    assert isinstance(closed, GameClosed) and isinstance(event, DecisionRecorded)
    before, after = event.changes.get("/players/2/money", [game.document["players"][2]["money"]] * 2)
    content = reseal_line(
        export_game(elsewhere, game_id),
        last + 2,
        changes=dict(sorted({**event.changes, "/players/2/money": [before, after + gain]}.items())),
    )
    totals = [total + gain * (seat == 2) for seat, total in enumerate(closed.totals)]
    ranks = [1 + sum(other > total for other in totals) for total in totals]
    return reseal_line(content, closed.step + 2, totals=totals, ranks=ranks)


def brought(book: Daybook, elsewhere: Daybook, gain: int = 500) -> UUID:
    """A forged record, taken in."""
    id = import_file(book, forged_file(elsewhere, play_game(elsewhere, 5), gain))
    catch_up(book)
    return id


def catch_up(book: Daybook) -> None:
    update_games(book)
    update_results(book)
    collect.count_all(book)


def row(book: Daybook, game_id: UUID) -> read_models.GameRow:
    return next(game for game in read_models.list_games(book.views, book.kept) if game.game == game_id)


def marks(book: Daybook, game_id: UUID) -> tuple[str, ...]:
    result = results.states_of(book, [str(game_id)])[str(game_id)][-1][1].result
    return () if result is None else result.marks


def counted(book: Daybook, **of: bool) -> int:
    """Games that a figure of the places counts."""
    query = figure_questions.counted_seats(Filter(**of))
    with book.views.connect() as c:
        return int(
            c.exec_driver_sql(f"SELECT count(DISTINCT s.game) FROM seat_summary s WHERE {query.text}").scalar() or 0
        )


@pytest.mark.both_databases
def test_a_forged_record_is_marked_wherever_its_result_is_told(book, elsewhere):
    id = brought(book, elsewhere)
    assert row(book, id).against_rules >= 1
    assert marks(book, id) == ("against_rules",)
    assert counted(book) == 0 and counted(book, against_rules=True) == 1
    catch_up_anew(book)
    assert row(book, id).against_rules >= 1 and marks(book, id) == ("against_rules",) and counted(book) == 0


def catch_up_anew(book: Daybook) -> None:
    projections.rebuild_read_models(book)
    catch_up(book)


def test_totals_alone_are_enough(book, elsewhere):
    """Only the final totals are forged."""
    id = play_game(elsewhere, 5)
    closed: Any = elsewhere.games.get(id).entries[-1].event
    content = reseal_line(export_game(elsewhere, id), closed.step + 2, ranks=[*reversed(closed.ranks)])
    assert import_file(book, content) == id
    catch_up(book)
    assert marks(book, id) == ("against_rules",) and row(book, id).against_rules == 1


def test_an_honest_record_is_not_marked(book, elsewhere):
    here, id = play_game(book, 3), play_game(elsewhere, 5)
    import_file(book, export_game(elsewhere, id))
    catch_up(book)
    for value in (here, id):
        assert row(book, value).against_rules == 0 and marks(book, value) == ()
    assert counted(book) == 2 and disagreements.select_of_games(book.kept, [here, id]) == {}


def test_an_older_revision_in_a_file_hides_nothing(book, elsewhere):
    """A forged record may claim an earlier revision of the rules."""
    content = forged_file(elsewhere, play_game(elsewhere, 5))
    lines = [line for _, line in numbered_lines(io.BytesIO(content))]
    header = msgspec.json.decode(lines[0])
    content = msgspec.json.encode({**header, "revision": 1}) + b"\n" + b"\n".join(lines[1:]) + b"\n"
    id = import_file(book, reseal_line(content, 2, revision=1))
    catch_up(book)
    assert marks(book, id) == ("against_rules",)


def test_what_no_longer_stands_is_no_disagreement(book, elsewhere):
    id = brought(book, elsewhere)
    write(book, id, Reopen("that is not so"))
    forged = [item.step for item in disagreements.select_of_game(book.kept, id)]
    write(book, id, TakeBack(book.games.get(id).parents[forged[0]], "mistyped", "nobody got 500"))
    catch_up(book)
    assert row(book, id).against_rules == 0
    play(book, id, seed=7)
    write(book, id, Close())
    catch_up(book)
    assert marks(book, id) == () and counted(book) == 1


def test_what_was_found_is_of_that_entry_and_no_other(book):
    """The finding is stored before the entry: if that entry never came, another one has its place."""
    id = open_table_of(book)
    game = book.games.get(id)
    chosen = Dealer(1).next_decision(game.ruleset, game.board)
    assert chosen is not None
    entry, _ = entries.decide(game, chosen[0], chosen[1], new_written("scorekeeper", "never"))
    disagreements.store(book.kept, game.then(entry), [(1, '{"step":1,"kind":"differs"}')])
    write(book, id, Decide(chosen[0], plain(chosen[1])), at=0)
    catch_up(book)
    assert len(disagreements.select_of_game(book.kept, id)) == 1 and row(book, id).against_rules == 0


def test_device_lines_accepted_against_the_rules_are_marked(book, elsewhere):
    id = open_table_of(book)
    lease = take_game(book, elsewhere, id)
    play(elsewhere, id, 1, by=ANNA)
    leases.hand_back(
        book,
        lease,
        forge_line(elsewhere, id, 2, columns={name: [99] * 3 for name in elsewhere.games.get(id).opening.columns}),
        accept=True,
    )
    leases.end_lease(book, lease, "")
    play(book, id, seed=5)
    write(book, id, Close())
    catch_up(book)
    assert row(book, id).against_rules == 1 and marks(book, id) == ("against_rules",)
