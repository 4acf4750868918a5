"""Audits of all records: due after a change of the rules, on demand, and kept apart from what the log says."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID

import pytest

from daybook.domain import entries
from daybook.domain.commands import RecordAsPlayed
from daybook.domain.games import RULESETS
from daybook.domain.games.making_profit.moves import BuyStock, Run
from daybook.domain.kernel.terms import IllegalDecision, because
from daybook.services.files import audits
from daybook.services.files.audit import audit
from daybook.services.following import projections
from daybook.services.store import game_cache, read_models
from daybook.services.store.daybook import Daybook
from tests.changed_rules import with_kind
from tests.played import play, play_game, update_games, write
from tests.query_plans import plans_of, statements_of
from tests.services.conftest import Opened
from tests.services.following.test_projections import unreadable

pytestmark = pytest.mark.sqlite_suffices

MP = RULESETS["making_profit"]


@pytest.fixture
def stricter(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Rules of a later revision, which forbid buying certificates."""
    sold_out = ("MP-4.2", lambda b, seat, d: because("sold_out", "nothing is sold"))
    changed = replace(with_kind(MP, BuyStock, checks=(sold_out, *MP.kinds[BuyStock].checks)), revision=MP.revision + 1)

    def change(book: Daybook) -> None:
        for of in (RULESETS, game_cache.RULESETS, audits.RULESETS):
            monkeypatch.setitem(of, "making_profit", changed)
        book.games.cache.clear()

    return change


def follow_log(book: Daybook) -> None:
    update_games(book)


def test_of_all_games_no_query_names_each(book):
    """A database takes some ten thousand names, and no more."""
    play_game(book, 1)
    with statements_of(book.views) as asked:
        assert audits.audit_all(book).audited == 1
    assert asked and not any("game IN" in text for text, _ in asked)


def test_records_are_due_after_the_rules_have_changed(book, stricter):
    ids = {play_game(book, seed) for seed in (1, 2)}
    follow_log(book)
    assert audits.games_due(book) == []
    stricter(book)
    assert set(audits.games_due(book)) == ids
    done: list[tuple[int, int]] = []
    found = audits.audit_all(book, audits.games_due(book), lambda so_far, of: done.append((so_far, of)))
    assert audits.games_due(book) == [] and done == [(0, 2), (2, 2)]
    assert (found.audited, found.clean) == (2, 0)
    (group,) = found.groups
    assert (group.ruleset, group.rule, group.games) == ("making_profit", "MP-4.2", 2)
    assert {place.finding.kind for place in group.places} == {"refused"}
    assert {place.game for place in found.firsts} == ids


@pytest.mark.both_databases
def test_an_audit_asked_for_is_due_until_it_is_made(book):
    id = play_game(book, 1)
    follow_log(book)
    assert audits.request_audits(book) == 1 and audits.games_due(book) == [id]
    assert audits.summarize_audits(book).audited == 0
    audits.audit_game(book, id)
    assert audits.games_due(book) == [] and audits.summarize_audits(book).clean == 1
    assert audits.newest_audits(book)[0].step == book.games.get(id).step


def test_search_for_due_audits_reads_only_games_that_are_due(book, stricter):
    play_game(book, 1)
    follow_log(book)
    stricter(book)
    if book.views.file is not None:  # PostgreSQL reads a table of one row whole
        plans = plans_of(book, partial(audits.games_due, book))
        assert plans and not [plan for plan in plans if re.match(r"SCAN (game_row|audit_row)", plan)]


@pytest.mark.both_databases
@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_unreadable_record_is_reported_and_the_others_audited(book, workers):
    good, bad, better = play_game(book, 1), play_game(book, 2), play_game(book, 3)
    follow_log(book)
    audits.audit_game(book, bad)  # while it could be read
    unreadable(book, bad)
    found = audits.audit_all(book, workers=workers)
    assert (found.audited, found.clean, found.unread.keys()) == (2, 2, {bad})
    assert found.unread[bad].startswith("InvalidLineError: ")
    assert {audit.game for audit in audits.newest_audits(book, [good, better])} == {good, better}
    with pytest.raises(game_cache.UnknownGameError):
        audits.audit_all(book, [good, UUID(int=1)])


def test_an_audit_changes_no_record_and_outlives_a_rebuild(book):
    id = play_game(book, 1)
    follow_log(book)
    before = book.log.lines(id)
    audits.audit_all(book)
    projections.rebuild_read_models(book)
    assert book.log.lines(id) == before and len(audits.newest_audits(book)) == 1


def stand(book: Daybook, opened: Opened) -> UUID:
    """Let an illegal factory out of turn stand."""
    id = opened()
    play(book, id, 12)
    game = book.games.get(id)
    for seat in range(3):
        try:
            entries.decide(game, seat, game.ruleset.decision({"type": "run"}), None)  # type: ignore[arg-type]
        except IllegalDecision:
            write(book, id, RecordAsPlayed(seat, {"type": "run"}, {"/players/0/money": 30}, "it stood"), at=12)
            return id
        except AttributeError:
            continue
    raise LookupError


def test_illegal_move_that_stood_is_as_recorded_while_refused(book, open_table):
    id = stand(book, open_table)
    assert audit(book.games.get(id)).clean
    play(book, id, 4)
    assert audit(book.games.get(id)).clean
    follow_log(book)
    (row,) = read_models.list_games(book.views, book.kept)
    assert (row.as_played, row.provisional) == (1, False)


def test_move_against_the_rules_that_is_legal_today_is_found(book, open_table, monkeypatch):
    id = stand(book, open_table)
    lenient = with_kind(MP, Run, when=(), checks=())
    for of in (RULESETS, game_cache.RULESETS):
        monkeypatch.setitem(of, "making_profit", lenient)
    book.games.cache.clear()
    assert [(f.step, f.kind) for f in audit(book.games.get(id)).findings] == [(13, "allowed")]
