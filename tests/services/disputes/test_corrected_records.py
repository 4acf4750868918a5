"""Corrected, adjusted, insisted, counted, claimed, ruled and tried out in any order, in every game: the record's seals
verify, its changes fold to the shown board, and every former board can still be shown."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daybook.domain import commands, disputes
from daybook.domain.commands import AppealRuling, ConsentToRuling, Resolution, RuleOnClaim
from daybook.domain.corrections import correctable
from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import Document, deep_copy, plain
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.events import DecisionRecorded, Move
from daybook.domain.kernel.record import documents_after
from daybook.domain.kernel.ruleset import CANNOT_GO_ON
from daybook.domain.kernel.terms import IllegalDecision
from daybook.services.disputes import as_played, claims, corrections, counting, explain_count, forks, umpires
from daybook.services.disputes.opinion import opinion_on_step
from daybook.services.disputes.umpires import appeal_hours
from daybook.services.files import recordfile
from daybook.services.files.audit import audit
from daybook.services.files.import_export import export_game
from daybook.services.files.verify import verify_game
from daybook.services.permissions.sights import EVERYTHING, hides_nothing
from daybook.services.play import replay
from daybook.services.play.practice import Dealer
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.game_cache import fold_game
from tests.played import open_seats, write

EXAMPLES = 16  # of each game; more of the quickest
DEEDS = 11
NAMES = ("Anna", "Ben", "Cleo", "Dora")
REFUSALS = (Refused, IllegalDecision)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daybook]:
    book = open_daybook(Settings(data=tmp_path_factory.mktemp("corrected")), create=True)
    yield book
    book.close()


class TroubledGame:
    """A game at which everything goes wrong that can. boards: every board that ever lay there, by step."""

    def __init__(self, book: Daybook, ruleset: str, seed: int) -> None:
        rules = RULESETS[ruleset]
        self.book, self.random, self.dealer = book, Random(seed), Dealer(seed)
        seats = self.random.randint(max(2, rules.seats[0]), min(len(NAMES), rules.seats[1]))
        self.id: UUID = open_seats(book, NAMES[:seats], ruleset, "Trouble")
        self.boards: list[Document] = [deep_copy(self.game.document)]
        self.ruled: Counter[str] = Counter()
        umpires.name_umpire(book, self.id, "Uli", **self.by())
        umpires.name_umpire(book, self.id, "Vera", **self.by())

    @property
    def game(self) -> Any:
        return self.book.games.get(self.id)

    def by(self) -> dict[str, Any]:
        return {"by": "scorekeeper", "key": uuid4().hex}

    def at(self) -> dict[str, Any]:
        return {"at": self.game.step, **self.by()}

    def note_boards(self) -> None:
        """A former board is remembered as it was when it lay there."""
        for entry, document in documents_after(self.game.entries):
            if entry.step >= len(self.boards):
                self.boards.append(deep_copy(document))

    # --- what people do ---

    def go_on(self) -> None:
        for _ in range(self.random.randrange(1, 12)):
            game = self.game
            try:
                chosen = self.dealer.next_decision(game.ruleset, game.board)
            except CANNOT_GO_ON:
                return self.back()
            if chosen is None:
                return None
            write(self.book, self.id, commands.Decide(chosen[0], plain(chosen[1])), **self.at())
        return None

    def back(self) -> None:
        game = self.game
        write(
            self.book,
            self.id,
            commands.TakeBack(self.random.choice(game.line()[:-1] or [0]), "table", "again"),
            **self.at(),
        )

    def adjust(self) -> None:
        place = self.random.choice([item for item in counting.countable_places(self.game) if type(item.value) is int])
        write(self.book, self.id, commands.Adjust({place.path: place.value + 1}, "a slip", "table"), **self.at())

    def insist(self) -> None:
        """Insist on a decision of long ago in some player's name."""
        game = self.game
        events = [entry.event for entry in game.entries if isinstance(entry.event, DecisionRecorded)]
        event = self.random.choice(events)
        seat = self.random.choice([event.seat, self.random.randrange(len(game.opening.seats))])
        places = [place for place in counting.countable_places(game) if type(place.value) is int]
        values = (
            {item.path: item.value + 1 for item in self.random.sample(places, 1)} if self.random.random() < 0.5 else {}
        )
        shown = as_played.preview_as_played(self.book, self.id, seat, event.decision, values)
        write(self.book, self.id, commands.RecordAsPlayed(seat, event.decision, values, "it stood"), **self.at())
        assert self.hides_hands() or shown.columns == self.game.figures_at(self.game.step)[0]

    def hides_hands(self) -> bool:
        return not hides_nothing(self.game, EVERYTHING)

    def correct(self) -> None:
        game = self.game
        step = self.random.choice(correctable(game) or [0])
        event = game.entries[step].event
        if not isinstance(event, DecisionRecorded):
            instead = {step: Resolution()}
        else:
            legal = replay.legal_decisions(game, game.parents[step], event.seat)[:9]
            instead = {step: Resolution([Move(event.seat, self.random.choice(legal))] if legal else [])}
        plan = corrections.compute_correction_plan(self.book, self.id, instead)
        if plan.stop is not None and self.random.random() < 0.5:
            instead = instead | {plan.stop.old: Resolution(as_played=self.random.random() < 0.5)}
            plan = corrections.compute_correction_plan(self.book, self.id, instead)
        write(self.book, self.id, commands.Correct(instead, "mistyped", plan.digest), **self.at())
        assert self.game.figures_at(self.game.step)[0] == plan.columns

    def count(self) -> None:
        places = [place for place in counting.countable_places(self.game) if type(place.value) is int]
        values = {
            item.path: item.value + self.random.choice([0, 0, 1])
            for item in self.random.sample(places, min(3, len(places)))
        }
        step = write(self.book, self.id, commands.Count(values), **self.at()).step
        explain_count.search_slips(self.book.games.get(self.id), step, plays=40)
        if self.random.random() < 0.5:
            write(self.book, self.id, commands.AdjustToCount(step, ""), **self.at())
        else:
            write(self.book, self.id, commands.AcceptCount(step, "let it be"), **self.by())

    def claim(self) -> None:
        claim = claims.raise_claim(
            self.book, self.id, self.random.randrange(self.game.step + 1), "that was wrong", **self.by()
        ).step
        opinion_on_step(self.game, self.random.randrange(self.game.step), EVERYTHING)
        if self.random.random() < 0.3:
            fork = forks.create_fork(self.book, self.id, self.random.choice(self.game.line()), owner=uuid4().hex)
            fork = forks.add_practice_moves(self.book, fork.id, fork.owner, 3, self.random.randrange(99))
            forks.compare_with_record(self.book, fork, EVERYTHING)
            proposal = forks.propose_fork(self.book, fork, claim, "rather so", **self.by()).step
            for seat in range(len(self.game.opening.seats)):
                write(self.book, self.id, ConsentToRuling(claim, proposal, seat), **self.by())
            return
        self.rule(claim, 0)
        if self.random.random() < 0.5:
            write(self.book, self.id, AppealRuling(claim, 1, "no"), **self.by())
            self.rule(claim, 1)

    def rule(self, claim: int, umpire: int) -> None:
        to = self.random.choice(self.game.line())
        place = self.random.choice([item for item in counting.countable_places(self.game) if type(item.value) is int])
        hows = [
            {"ruling": "play_on"},
            {"ruling": "rewound", "to_step": to},
            {"ruling": "adjusted", "values": {place.path: place.value + 1}},
        ]
        for how in self.random.sample(hows, 3):
            with suppress(*REFUSALS):  # what cannot be done cannot be ruled: then something else is
                write(
                    self.book,
                    self.id,
                    RuleOnClaim(
                        claim, why="so it is", umpire=umpire, **how, appeal_hours=appeal_hours(self.book, self.id)
                    ),
                    **self.at(),
                )
                self.ruled[str(how["ruling"])] += 1
                return

    def end(self) -> None:
        write(self.book, self.id, commands.Abandon("the rain"), **self.by())
        claims.raise_claim(self.book, self.id, 0, "no rain", **self.by())
        write(self.book, self.id, commands.Reopen("the sun"), **self.by())

    def tell(self) -> None:
        """Reveal the game: every viewer may look at any time."""
        for sight in (EVERYTHING, None, 0):
            for shown in replay.iter_steps(self.game, sight):
                assert shown.step == 0 or shown.columns


def deeds(table: TroubledGame) -> list[Callable[[], None]]:
    return [
        table.go_on,
        table.go_on,
        table.go_on,
        table.back,
        table.adjust,
        table.insist,
        table.correct,
        table.count,
        table.claim,
        table.end,
        table.tell,
    ]


def check(table: TroubledGame) -> None:
    """The seals, every board, every former board, the file, the audit."""
    game = table.game
    assert verify_game(table.book, table.id).intact
    fresh = fold_game(table.id, table.book.log.entries(table.id))
    assert fresh.document == game.document == game.board.document()
    for step, board in enumerate(table.boards):
        assert fresh.document_at(step) == board == fresh.document_at(fresh.heads[step])
        assert replay.position_at(game, step, EVERYTHING).columns == game.figures_at(step)[0]
    content = export_game(table.book, table.id)
    again = recordfile.read_record_file(io.BytesIO(content), "")
    assert again.game.document == game.document
    bare = b"".join(recordfile.bare_file(again.header, again.game.entries))
    assert recordfile.read_record_file(io.BytesIO(bare), "2026-11-20T19:30:00.000Z").game.document == game.document
    assert audit(game).clean
    disputes.claims(game)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_any_sequence_of_corrections_leaves_a_whole_record(book, ruleset):
    done: Counter[str] = Counter()

    examples = EXAMPLES + (8 if ruleset == "making_profit" else 0)

    @settings(max_examples=examples, deadline=None, derandomize=True, database=None)
    @given(seed=st.integers(0, 10**6), order=st.lists(st.integers(0, DEEDS - 1), min_size=8, max_size=20))
    def whatever_is_done(seed: int, order: list[int]) -> None:
        table = TroubledGame(book, ruleset, seed)
        table.go_on()
        for number in order:
            deed = deeds(table)[number]
            with suppress(*REFUSALS):  # people try what the record does not take; then it is as it was
                deed()
                done[deed.__name__] += 1
            table.note_boards()
        check(table)
        done.update(table.ruled)

    whatever_is_done()
    wanted = {deed.__name__ for deed in deeds(TroubledGame(book, ruleset, 0))} | {"play_on", "rewound", "adjusted"}
    assert wanted - done.keys() == set(), "all of it was possible"
