"""Build the content of the record page: the deciding seat, legal decisions, previews and recent steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec
from markupsafe import Markup

from daybook.domain.commands import Decide, seats_since
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.decisions import NotADecisionError, read_decision
from daybook.domain.kernel.events import DecisionRecorded, DecisionsTakenBack
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import TABLE, Board, Decision, IllegalDecision, Reason, Score, Seat
from daybook.domain.sealed_entries import (
    corrected_after_reveal,
    last_not_apart,
    reopened_at,
    sealed_on_own_phone,
    seats_sealed_for,
    standing_seal,
)
from daybook.services.permissions.actions import may
from daybook.services.permissions.sights import EVERYTHING, Sight, hides_nothing
from daybook.services.permissions.visits import Visit
from daybook.services.play import recording, replay
from daybook.services.play.drawing import facts_to_draw
from daybook.services.play.recording import Preview
from daybook.services.play.replay import Position, StepShown, StepsOnDemand
from daybook.services.play.sealing import current_sealing
from daybook.services.play.search import has_hidden_information
from daybook.services.play.turn_draft import Draft, redacted_present_board
from daybook.web import boards, words
from daybook.web.boards import table_privacy
from daybook.web.boards.table_privacy import TablePrivacy, privacy_of_visit
from daybook.web.recording import choices, decision_form, drafts
from daybook.web.recording.at_table import TableActs, find_table_acts
from daybook.web.recording.choices import ChoiceButton, ChoiceContext, Plain, ShownChart
from daybook.web.recording.decision_form import OpenForm
from daybook.web.recording.drafts import TurnPage
from daybook.web.recording.grid import ShownGrid, build_grid
from daybook.web.recording.own_seat import OwnSeat, own_seat
from daybook.web.recording.recent_turns import RecentTurn, TurnSteps, build_turn, group_turns
from daybook.web.recording.replaced_steps import ReplacedStep, find_replaced_steps, late_figure, reopened_period
from daybook.web.recording.shown_figures import ShownFigures, figures_shown
from daybook.web.replay import settlements
from daybook.web.replay.reveals import Reveal, current_reveal, sealed_by
from daybook.web.replay.settlements import SettledStretch, Settlement
from daybook.web.request.regions import KEY_MARK
from daybook.web.request.template_globals import author_labels, capitalize_first
from daybook.web.words import N_, Names, say
from daybook.web.words.decision_words import AT_ONCE
from daybook.web.words.game_words import GameWords, TurnWords
from daybook.web.words.seal_words import reveal_seal

MAX_MISSED_STEPS = 40  # that others recorded while a page was open
MAX_TURNS_SHOWN = 6
MAX_STEPS_SEARCHED = 80  # for automatic actions that are not dismissed yet
MAX_CELL_CHARACTERS = 20  # of a button next to another
MAX_NAME_CHARACTERS = 36  # of a card, for two lines on half a phone
MAX_LIST_LINES = 4  # of a list shown as lines
LEGEND_STEPS = 30  # first steps of a game, in which the page explains the marks of its buttons
TABLE_DECIDES = "table_decides"  # reason of kinds that players never decide


class FigureChange(Frozen):
    """Change of a seat's figure by a decision."""

    column: str
    seat: Seat
    was: Points
    now: Points


class ClosedKind(Frozen):
    """A kind of decision that is closed now, or a refused decision, with the reason."""

    label: str
    rule: str
    reason: str
    decision: Plain | None = None  # the refused decision, for "Record as played"
    kind: str = ""


class RecordPage(Frozen, kw_only=True, dict=True):
    """Content of the page.

    Args:
        seat: whose decision is requested; None if the visitor may record for no one.
    """

    visit: Visit
    position: Position
    board: Board  # as seen
    mine: list[Seat]
    seat: Seat | None
    kind: str
    chosen: dict[str, Any]
    ways: list[ChoiceButton]
    form: OpenForm | None
    is_chosen: bool  # the user chose this form among other kinds
    question: str
    decision: Plain | None
    preview: Preview | None
    refused: ClosedKind | None
    closed: list[tuple[str, str, Reason]]  # tags of kinds that are closed now, each with its rule and reason
    turn_steps: list[TurnSteps]
    steps: StepsOnDemand  # as seen
    view: TablePrivacy
    hangs: bool  # the rules keep some figures covered during the game
    own: OwnSeat | None = None  # of a user with a seat's link
    charts: list[ShownChart] = []  # above the buttons
    draft: TurnPage | None = None  # current turn, in a game whose turns are recorded as a whole
    last_tap: int | None = None  # number of the turn's decisions before its last tap, if known
    grid: ShownGrid | None = None  # figures that every player enters
    before: int = 0  # the shown turns are those before this step; 0 for the newest
    shown: ShownFigures | None = None  # covered figures that the players showed last
    pending: list[SettledStretch] = []  # automatic actions that this browser has not dismissed, newest first

    @property
    def game(self) -> Game:
        return self.visit.game

    @property
    def key(self) -> str:
        """Stand-in for the key of the page's forms, which its regions fill in."""
        return KEY_MARK

    @property
    def names(self) -> Names:
        return self.visit.names

    @cached_property
    def vocabulary(self) -> GameWords:
        return words.GAMES[self.visit.game.ruleset.id]

    @cached_property
    def decides(self) -> Seat | None:
        """Seat that decides here, or the only one that the game waits for."""
        waits_for = self.game.ruleset.waits_for(self.game.board) if self.visit.running else ()
        return waits_for[0] if self.seat is None and len(waits_for) == 1 else self.seat

    @cached_property
    def is_sealed_again(self) -> bool:
        """Check if the form is for a decision that its seat has sealed before."""
        row = self.game.ruleset.by_tag.get(self.kind)
        return row is not None and row.sealed

    @cached_property
    def absent(self) -> frozenset[Seat]:
        """Seats that can join: their players come later, or left."""
        late = self.game.ruleset.course.late_seat
        if late is None or not self.visit.running:
            return frozenset()
        joins = type(late.joins(0))
        legal = {seat: self.game.ruleset.legal(self.game.board, seat) for seat in self.mine if seat >= 0}
        return frozenset(seat for seat, some in legal.items() if any(isinstance(each, joins) for each in some))

    @cached_property
    def prompt(self) -> str:
        """Prompt for the deciding player, also shown to others."""
        assert self.decides is not None
        if self.draft is not None and self.draft.heading:
            return self.draft.heading
        if self.grid is not None and self.grid.grid.is_older:
            return self.where
        return words.prompt(self.game.ruleset.id, self.board, self.decides, self.names)

    @property
    def where(self) -> str:
        """Progress of the game, or the earlier round that is on the page."""
        if self.grid is not None and self.grid.grid.is_older:
            return say("Round {n}, which is over", n=self.grid.grid.round)
        return words.place_in_game(self.game.ruleset.id, self.board, self.position.marks)

    @property
    def choices_so_far(self) -> str:
        """Choices made so far, in short."""
        return ", ".join(
            words.value_label(self.game.ruleset.id, field, value, self.names)
            for field, value in self.chosen.items()
            if value is not None and not choices.is_part(value)
        )

    @cached_property
    def chosen_parts(self) -> list[tuple[str, dict[str, str]]]:
        """The parts of a list chosen so far, each with the query of the page without it."""
        if self.seat is None or not self.kind:
            return []
        context = choices.choice_context(self.game, self.names)
        turn = [] if self.draft is None else self.draft.draft.decisions
        parts = choices.chosen_parts(context, self.seat, self.kind, self.chosen)
        return [(label, drafts.turn_query(query, turn)) for label, query in parts]

    @property
    def at_hand(self) -> Sequence[str]:
        """Figures that matter to the deciding player."""
        return self.vocabulary.ledger.at_hand or tuple(self.game.ruleset.ledger.columns)

    @property
    def ending_ways(self) -> list[ChoiceButton]:
        """Buttons that end the round or the game, below its figures."""
        return [] if self.grid is None or self.kind else self._ways_of(self.grid.grid.ends)

    @property
    def folded_ways(self) -> list[ChoiceButton]:
        """Buttons for decisions next to the play, below the figures."""
        return [] if self.grid is None or self.kind else self._ways_of(self.grid.grid.asides)

    def _ways_of(self, kinds: Sequence[type[Decision]]) -> list[ChoiceButton]:
        tags = [*map(tag_of, kinds)]
        return [way for way in self.ways if (way.decision["type"] if way.decision else way.query.get("kind")) in tags]

    @staticmethod
    def are_numbers(ways: Sequence[ChoiceButton]) -> bool:
        """Check if all buttons are numbers, to show them side by side."""
        return all(way.label.isdecimal() for way in ways)

    @cached_property
    def columns(self) -> dict[str, list[Points]]:
        """The figures now, or those after the turn so far."""
        return self.position.columns if self.draft is None else self.draft.draft.composed.columns

    @property
    def has_draft(self) -> bool:
        """Check if a turn is begun here and not recorded yet."""
        return self.draft is not None and bool(self.draft.draft.parts)

    @property
    def has_choice(self) -> bool:
        """Check if a choice is made here and not recorded yet, which the page shows before automatic actions."""
        return bool(self.kind) or self.decision is not None or self.has_draft

    @cached_property
    def query_of_turn(self) -> dict[str, str]:
        """The query of the page with the turn so far and no further choice."""
        assert self.seat is not None
        return drafts.turn_query(
            choices.address_query(self.seat), [] if self.draft is None else self.draft.draft.decisions
        )

    @property
    def query_back(self) -> dict[str, str]:
        """Address back from the preview; to the filled form, except for sealed decisions."""
        assert self.seat is not None and self.decision is not None
        kind = self.decision["type"]
        if self.at_once or not choices.is_open(self.game.ruleset.id, kind):
            return choices.address_query(self.seat)
        fields = decision_form.all_fields(self.game.ruleset.id, self.decision)
        return choices.address_query(self.seat, kind, fields) | {"change": "yes"}

    @property
    def query_as_listed(self) -> dict[str, str]:
        """The query with the form's values as in the rulebook's list."""
        assert self.seat is not None and self.form is not None and self.form.listed is not None
        return choices.address_query(self.seat, self.kind, self.form.listed)

    @property
    def query_before_tap(self) -> dict[str, str]:
        """Return the address of the page before the last tap of the turn, or before its last decision."""
        assert self.draft is not None
        last, decisions = self.draft.entered[-1], self.draft.draft.decisions
        if self.last_tap is not None and 0 <= self.last_tap < len(decisions):
            return self.query_until(self.last_tap)
        return self.query_until(last.at if last.times == 1 else len(decisions) - 1)

    def query_until(self, part: int) -> dict[str, str]:
        """Return the address of the page with only the first decisions of the turn."""
        assert self.seat is not None and self.draft is not None
        return drafts.turn_query(choices.address_query(self.seat), self.draft.draft.decisions[:part])

    @property
    def ending_doubtful(self) -> Plain | None:
        """The previewed decision, if it ends a round that lacks figures or has some that cannot be right."""
        is_doubtful = self.grid is not None and self.decision is not None and self.grid.ends_doubtful(self.decision)
        return self.decision if is_doubtful else None

    @cached_property
    def has_long_labels(self) -> bool:
        """Check if buttons need a whole line."""
        return any(len(way.label) + len(way.note or way.values) > MAX_CELL_CHARACTERS for way in self.ways)

    @property
    def shows_short_names(self) -> bool:
        """Check if cards are shown by their short names with their effects."""
        return (
            self.has_long_labels
            and len(self.ways) > MAX_LIST_LINES
            and all(len(way.label) <= MAX_NAME_CHARACTERS for way in self.ways)
        )

    @property
    def at_once(self) -> bool:
        """Check if the form is recorded without a preview."""
        return self.kind in self.vocabulary.decisions.tags[AT_ONCE]

    @property
    def form_label(self) -> str:
        """Label of a form's button that records at once: its kind, or its only decision."""
        assert self.form is not None
        rules, leaves = self.game.ruleset.id, self.form.leaves
        if not leaves or not self.form.only_nothing:
            return words.kind_label(rules, self.kind)
        return words.sentence(rules, {"type": self.kind, **{leaf.path: 0 for leaf in leaves}}, self.names)

    @cached_property
    def can_draw(self) -> bool:
        """Check if Daybook may draw the requested fact."""
        if self.seat != TABLE or self.has_choice:
            return False
        return bool(facts_to_draw(self.game, self.vocabulary.choosing.drawn))

    @cached_property
    def can_pass(self) -> bool:
        """Check if all players can seal on this phone in turn."""
        return bool(may(self.visit, "manage")) and current_sealing(self.game) is not None

    @cached_property
    def form_name(self) -> str:
        """Identity of the form. The page keeps typed input while it stays the same."""
        if self.form is None or not self.form.by_seat:
            return f"{self.kind} {self.prompt}"
        return f"{self.kind} {last_not_apart(self.game)}"

    @cached_property
    def changes(self) -> list[FigureChange]:
        """The figures that the previewed decision or turn changes."""
        preview = self.preview or (self.draft.draft if self.has_draft and self.draft is not None else None)
        if preview is None or (isinstance(preview, Draft) and preview.is_over):
            return []
        before, after = preview.columns_before, preview.columns
        together = self.vocabulary.choosing.turn if isinstance(preview, Draft) else None
        return [
            FigureChange(column, seat, was, now)
            for column in ((together.figures if together else ()) or self.game.ruleset.ledger.columns)
            for seat, (was, now) in enumerate(zip(before[column], after[column], strict=True))
            if was != now
        ]

    @cached_property
    def automatic_actions(self) -> Settlement | None:
        """Automatic actions after the decision or turn, once recorded."""
        if self.preview is not None:
            effects, before, after = self.preview.effects, self.preview.columns_before, self.preview.columns
        elif self.draft is not None and self.draft.written is not None:
            written = self.draft.written
            effects, before, after = written.effects, written.columns_before, written.columns
        else:
            return None
        return settlements.preview_settlement(
            self.game, effects, before, after, self.names, self.view, self.visit.own_seats
        )

    @cached_property
    def not_now(self) -> list[ClosedKind]:
        """The kinds of decisions that are closed now, in words."""
        rules = self.visit.rules
        return [
            ClosedKind(words.kind_label(rules, kind), rule, words.reason_sentence(reason, rules, self.names), kind=kind)
            for kind, rule, reason in self.closed
        ]

    @cached_property
    def undo_correction(self) -> int | None:
        """Step for undoing the correction that was saved last."""
        return self.visit.may_go_back(recording.step_before_correction(self.game))

    @cached_property
    def undo(self) -> int | None:
        return (
            self.undo_correction
            if self.undo_correction is not None
            else self.visit.may_go_back(recording.undo_step(self.game))
        )

    @cached_property
    def undoes_several(self) -> bool:
        """Check if Undo strikes decisions of several seats, which needs a reason."""
        return self.undo is not None and len(seats_since(self.game, self.undo)) > 1

    @cached_property
    def redo(self) -> int | None:
        """The last step that Redo restores."""
        return self.visit.may_go_back(recording.redo_step(self.game))

    @cached_property
    def undo_turn(self) -> int | None:
        """Step for undoing the whole turn, if that is more than the last step."""
        to = self.visit.may_go_back(recording.undo_turn(self.game))
        return None if to == recording.undo_step(self.game) else to

    @cached_property
    def undo_at_once(self) -> int | None:
        """Step for undoing a turn that was recorded as a whole."""
        together = self.vocabulary.choosing.turn
        if together is None or self.undo_correction is not None:
            return None
        first = drafts.first_of_turn(self.game, together)
        return None if first is None or first == self.head else self.visit.may_go_back(self.game.parents[first])

    @cached_property
    def undo_label(self) -> str:
        """Label of Undo, with the player and the decision."""
        if self.undo_correction is not None:
            return say("Undo the correction")
        if self.undo is not None and self.undoes_several:
            return say("Undo to step {n}", n=self.undo)
        if self._undone_player is not None:
            return say("Undo {name}’s turn", name=self.names[self._undone_player])
        return say("Undo: {what}", what=words.sentence(self.game.ruleset.id, self._undone_step, self.names))

    @property
    def shows_legend(self) -> bool:
        """Check if the page explains the marks of its buttons, as it does in the first rounds."""
        return self.game.step < LEGEND_STEPS

    @cached_property
    def saved_label(self) -> str:
        """Sentence of the last step, next to Undo; empty if Undo undoes more than that."""
        if self.undo_correction is not None or self.undo is None or self.undoes_several:
            return ""
        if self._undone_player is not None:
            return say("Saved: {name}’s turn", name=self.names[self._undone_player])
        return say("Saved: {what}", what=words.sentence(self.game.ruleset.id, self._undone_step, self.names))

    @cached_property
    def _undone_step(self) -> StepShown:
        """The step that Undo takes back, as the viewer may see it."""
        return self.view.redact_step(
            self.steps[self.head]
            if self.head in self.steps
            else next(replay.select_steps(self.game, self.visit.sight, [self.head]))
        )

    @cached_property
    def _undone_player(self) -> Seat | None:
        """Player of the undone turn; None if Undo takes back one step."""
        if self.undo_at_once is None or self._undone_step.decision is None or self._undone_step.seat == TABLE:
            return None
        return self._undone_step.seat

    @cached_property
    def done_label(self) -> str:
        """Label of the button that ends a turn in which nothing was chosen."""
        assert self.draft is not None
        done, declines = self.draft.turn[0], self.vocabulary.choosing.declines
        if declines is not None and (label := declines(self.board, self.names).get(done["type"])):
            return _declining_label(label, not self.draft.stretches)
        return words.sentence(self.game.ruleset.id, done, self.names)

    @cached_property
    def undo_beside_label(self) -> str:
        """Label of Undo next to a choice: it names another player if it undoes the saved turn of that player."""
        seat = getattr(self.game.entries[self.head].event, "seat", None)
        if self.undo_at_once is None or seat in (None, TABLE, self.seat):
            return say("Undo")
        return say("Undo {name}’s turn", name=self.names[seat])

    @cached_property
    def result(self) -> str:
        """Winner and margin; empty while the game is played or abandoned."""
        outcome = self.position.outcome
        if outcome is None or self.position.to_act or self.game.status == "abandoned":
            return ""
        totals = [score.total for score in self.position.standing]
        return words.result_sentence(self.game.ruleset.id, outcome, totals, self.names)

    @cached_property
    def result_ahead(self) -> str:
        """Winner and margin if the previewed decision ends a game without hidden parts; else empty."""
        preview, rules = self.preview, self.game.ruleset
        if (
            preview is None
            or self.decision is None
            or self.seat is None
            or preview.to_act
            or has_hidden_information(rules)
        ):
            return ""
        after, _ = self.game.judge(self.seat, read_decision(self.game, self.decision))
        outcome = rules.scoring.outcome(after)
        if outcome is None:
            return ""
        totals = [score.total for score in rules.scoring.standing(after)]
        return words.result_sentence(rules.id, outcome, totals, self.names)

    @property
    def standing(self) -> list[Score]:
        """Scores of a finished game, best first."""
        assert self.position.outcome is not None
        ranks = self.position.outcome.ranks
        return sorted(self.position.standing, key=lambda score: (ranks[score.seat], score.seat))

    @property
    def earlier(self) -> int:
        """First step of the oldest shown turn, if turns came before it; else 0."""
        return self.turn_steps[-1].steps[0] if self.turn_steps else 0

    @cached_property
    def reveal(self) -> Reveal | None:
        """The newest moment for a full screen."""
        return current_reveal(self.game, self.position, self.steps, self.names, self.view)

    @cached_property
    def sealed(self) -> str:
        """Decision that the own seat sealed in the last hour, in words."""
        return "" if self.own is None else sealed_by(self.game, self.position, self.own.seat)

    def sealed_in(self, marked: Sequence[Any] | None) -> str:
        """Return what this browser sealed for an own seat, in words; "" if that is not sealed any more.

        A phone that records for all has no seat's view. It shows an offer only if the offer was typed on it.

        Args:
            marked: id of the game, seat and step, of this browser's session.
        """
        game_id, seat, step = marked or ("", TABLE, 0)
        if game_id != self.game.id.hex or seat not in self.visit.own_seats or standing_seal(self.game, seat) != step:
            return ""
        return self.vocabulary.seat.sealed(self.game.board, seat)

    @cached_property
    def sealed_by_others(self) -> list[tuple[str, int]]:
        """Players with a sealed decision that another user has replaced, each with its step."""
        return [(self.names[seat], step) for seat, step in seats_sealed_for(self.game).items()]

    @cached_property
    def corrected_offers(self) -> list[tuple[str, int, str]]:
        """Offers that were corrected after everyone had seen them: player, step, and the user who did it."""
        found = corrected_after_reveal(self.game) if self.visit.running else []
        return [
            (self.names[seat], step, author_labels([self.game.writers[step]], self.names, self.visit.writers)[0])
            for seat, step in found
        ]

    @cached_property
    def reopened(self) -> tuple[int, str] | None:
        """Step that took back offers that everyone had seen, and its reason, while they are made again."""
        back = reopened_at(self.game)
        return None if back is None else (back, getattr(self.game.entries[back].event, "why", ""))

    @cached_property
    def closes(self) -> tuple[str, str] | None:
        """Possibilities of others that the next decision here ends, and the rule."""
        if self.seat is None or not self.visit.running:
            return None
        return self.vocabulary.seat.closes(self.board, self.seat, self.names)

    @cached_property
    def ends_soon(self) -> tuple[str, str] | None:
        """Announcement of the end of the game, and its rule."""
        if not self.visit.running or not self.position.to_act:
            return None
        return self.vocabulary.marks.ends_soon(self.board, self.names)

    @cached_property
    def turns(self) -> list[RecentTurn]:
        """The last turns, newest first."""
        return [self.turn_of(turn) for turn in self.turn_steps]

    @cached_property
    def _struck(self) -> dict[int, int]:
        return self.game.struck_steps()

    def is_struck(self, turn: TurnSteps) -> bool:
        return turn.steps[-1] in self._struck

    def turn_of(self, turn: TurnSteps) -> RecentTurn:
        return build_turn(self.game, turn, self.steps, self.names, self.view)

    @cached_property
    def replaced(self) -> list[tuple[int, str, str]]:
        """Corrections by other users: the step, what it says, and the sentence of the struck step, "" without one."""
        if not self.visit.running:
            return []
        places = {grant.place for grant in self.visit.grants}
        own = None if self.own is None else self.own.seat
        found = find_replaced_steps(self.game, places, own, bool(may(self.visit, "manage")))
        needed = [step for pair in found for step in (pair.step, pair.struck) if step is not None]
        shown = {
            step.step: words.sentence(self.game.ruleset.id, self.view.redact_step(step), self.names)
            for step in replay.select_steps(self.game, self.visit.sight, needed)
        }
        told = [(pair, shown[pair.step], "" if pair.struck is None else shown[pair.struck]) for pair in found]
        return [(pair.step, self._says_replaced(pair, now), was) for pair, now, was in told if now != was]

    def _says_replaced(self, pair: ReplacedStep, now: str) -> str:
        """Say what a correction changed, with its round on a sheet."""
        rules, step = self.game.ruleset, pair.step
        if number := reopened_period(self.game, step):
            period = words.mark_label(rules.id, rules.course.periods[-1], number)
            return say("{period} is open again: {what}", period=capitalize_first(period), what=now)
        if isinstance(self.game.entries[step].event, DecisionsTakenBack):
            (who,) = author_labels([self.game.writers[step]], self.names, self.visit.writers)
            return say("{who} undid a correction of the board in step {n}", who=who, n=step)
        if (late := late_figure(self.game, step)) is None:
            text = N_("Step {n}: {now}") if pair.struck is None else N_("Corrected in step {n}: {now}")
            period = rules.course.periods[-1] if rules.course.figure is not None else ""
            number = self.game.figures_at(step).marks.get(period, 0)
            said = f"{words.mark_label(rules.id, period, number)}, {now}" if number else now
            return say(text, n=step, now=capitalize_first(said))
        (seat, number, _), effect = late
        (who,) = author_labels([self.game.writers[step]], self.names, self.visit.writers)
        what = words.sentence(rules.id, effect, self.names)
        return say(
            "{who} changed {period}: {what}",
            who=who,
            period=words.mark_label(rules.id, rules.course.periods[-1], number),
            what=what.removeprefix(f"{self.names[seat]}: ") if who == self.names[seat] else what,
        )

    @cached_property
    def at_table(self) -> TableActs | None:
        """Acts at the table that follow from the newest turn; on a player's phone, of that player."""
        chooses = self.decision is not None or self.has_draft or (self.kind and self.is_chosen)
        if self.before or not self.visit.running or chooses:
            return None
        own = None if self.own is None or may(self.visit, "manage") else self.own.seat
        steps = replay.steps_by_number(self.game, self.visit.sight)
        return find_table_acts(self.game, self.turn_steps, steps, self.names, self.view, own)

    @cached_property
    def to_do(self) -> list[Settlement]:
        """Cards of pending automatic actions, newest first."""
        return [
            settlements.build_card(self.game, stretch, self.names, self.view, self.visit.own_seats)
            for stretch in self.pending
        ]

    # --- what HTML depends on, so that viewers who see the same share it (`web.request.regions`) ---

    @cached_property
    def _seen_by_viewer(self) -> tuple[Any, ...]:
        """The viewer’s sight, veil and names. With a step’s seal, which stands for the record up to it, they determine HTML."""
        sight = self.visit.sight
        return EVERYTHING if hides_nothing(self.game, sight) else sight, self.view, self.names

    def _seal(self, step: int) -> str:
        return self.game.entries[step].seal

    def _stretch_inputs(self, stretch: SettledStretch | None) -> Any:
        if stretch is None:
            return None
        is_corrected_later = stretch.steps[-1].closed_periods and self.game.ruleset.scoring.by_period is not None
        seal = self.game.seal if is_corrected_later else self._seal(stretch.last)
        return seal, len(stretch.steps), stretch.going_on

    @cached_property
    def _common_inputs(self) -> tuple[Any, ...]:
        """Inputs of every turn’s HTML."""
        return self.names, bool(may(self.visit, "claim")), self.visit.running

    @cached_property
    def inputs_of_last(self) -> tuple[Any, ...]:
        """Inputs of the last turns’ HTML: not the sight, but the steps as it shows them."""
        turns = ((*self._turn_inputs(turn), self.is_struck(turn)) for turn in self.turn_steps)
        return (*self._common_inputs, self.game.id, self.head, self.earlier, self.before, *turns)

    def inputs_of_turn(self, turn: TurnSteps) -> tuple[Any, ...]:
        """Return what a turn's HTML depends on."""
        return (*self._common_inputs, *self._turn_inputs(turn))

    def _turn_inputs(self, turn: TurnSteps) -> tuple[Any, ...]:
        head = self.head if self.head in turn.steps else None
        first = self.steps[turn.steps[0]]
        shown = self._seal(turn.steps[-1]), self.steps.digest(turn.steps), head
        return (
            *shown,
            reveal_seal(self.game, first) is not first,
            self._view_of_turn(turn),
            *map(self._stretch_inputs, turn.automatic),
        )

    def _view_of_turn(self, turn: TurnSteps) -> TablePrivacy:
        """Return the privacy of a turn’s HTML: of the own seats only one that decides, unless a card shows all seats."""
        event = self.game.entries[turn.steps[0]].event
        if turn.automatic or not isinstance(event, DecisionRecorded):
            return self.view
        return msgspec.structs.replace(self.view, own=self.view.own & {event.seat})

    def inputs_of_to_do(self, back: str, is_shown: bool) -> tuple[Any, ...] | None:
        """Return what the cards of automatic actions depend on; None for a page in the middle of a choice."""
        if self.has_choice:
            return None
        stretches = [self._stretch_inputs(stretch) for stretch in self.pending] if is_shown else []
        own = tuple(self.visit.own_seats)
        return (*self._seen_by_viewer, own, self.seat is None, self.game.id, back, *stretches)

    def inputs_of_masthead(self, only_plays: bool) -> tuple[Any, ...]:
        """Return the texts at the top of the page. The figures of the viewer's own seat are below it."""
        waits_for = tuple(self.game.ruleset.waits_for(self.game.board)) if self.position.to_act else ()
        return (
            (self.game.id, self.game.status, self.visit.kept.title, self.names, only_plays),
            (self.seat is not None and self.visit.running and bool(self.ends_soon), self.result),
            self.where if self.position.marks and not self.result else None,
            (self.decides, None if self.decides is None else self.prompt, waits_for, bool(self.position.to_act)),
            self.seat is None and self.visit.is_elsewhere,
        )

    @property
    def inputs_of_not_now(self) -> tuple[Any, ...]:
        """Inputs of the closed kinds’ HTML: their reasons, instead of the board that they follow from."""
        return self.game.id, self.names, self.seat is None, msgspec.json.encode(self.closed)

    def inputs_of_bar(self, back: str, docks_to_do: object) -> tuple[Any, ...] | None:
        """Return what the bar with Undo and Redo depends on; None for a page with a form or in the middle of a choice."""
        if self.has_choice or self.form is not None:
            return None
        ways = self.undo, self.undo is not None and (self.undo_label, self.undoes_several, self.undo_at_once), self.redo
        return self.game.id, self.game.step, self.head, ways, bool(docks_to_do) and self.inputs_of_to_do(back, True)

    @property
    def inputs_of_board(self) -> tuple[Any, ...] | None:
        """The inputs of the board’s HTML; None while a turn is begun."""
        return None if self.has_draft else (*self._seen_by_viewer, self._seal(self.head), self.visit.running)

    @cached_property
    def head(self) -> int:
        """The step that Undo takes back."""
        return self.game.heads[-1]


# --- building -----------------------------------------------------------------------------------------------------------


def build_record_page(
    visit: Visit,
    requested_seat: str | None = None,
    kind: str = "",
    chosen: Mapping[str, Any] | None = None,
    turn: Sequence[Plain] = (),
    sent: Mapping[str, str] | None = None,
    dismissed: int | None = None,
    grid_round: int = 0,
    before: int = 0,
    seat_before: str = "",
    last_tap: int | None = None,
) -> RecordPage:
    """Build the record page of a visitor.

    Args:
        turn: decisions of an unrecorded turn.
        sent: fields of an open form.
        grid_round: round of the shown grid; 0 for the newest.
        dismissed: last dismissed step of automatic actions; None for none.
        before: show the turns before this step; 0 for the newest.
        seat_before: seat that the page showed before others recorded; it stays while the game waits for it.
        last_tap: number of the turn's decisions before its last tap.

    Raises NotADecisionError for an invalid turn or choice.
    """
    game = visit.game
    before = before if before <= game.step else 0
    position, board = replay.position_at(game, None, visit.sight), redacted_present_board(game, visit.sight)
    mine = _seats_to_record(visit, position.to_act) if visit.running and not visit.is_elsewhere else []
    waits_for = game.ruleset.waits_for(game.board)
    stays = next((seat for seat in mine if str(seat) == seat_before and seat in waits_for), mine[0] if mine else None)
    seat = next((seat for seat in mine if str(seat) == requested_seat), stays)
    if requested_seat and str(seat) != requested_seat:
        kind, turn = "", ()  # the choices were made for another seat
    context, view = choices.choice_context(game, visit.names), privacy_of_visit(visit)
    legal = _legal_for_visitor(visit, seat, visit.sight) if seat is not None else []
    grid = build_grid(visit, tuple(mine), grid_round)
    on_grid = grid.tags if grid is not None else ()
    if kind not in on_grid:
        legal = [decision for decision in legal if decision["type"] not in on_grid]
    if grid is not None and grid.grid.is_older:
        legal = []  # the buttons are about the newest round
    shown = figures_shown(visit)
    if shown is not None and shown.agrees is not None and not kind:
        legal = [decision for decision in legal if decision["type"] != shown.agrees["type"]]  # is on the card
    kinds = choices.group_by_kind(legal)
    newest = replay.steps_by_number(game, visit.sight, max(-1, game.step - MAX_STEPS_SEARCHED))
    stretches = settlements.newest_stretches(game, newest)
    shown_steps = (
        replay.steps_by_number(game, visit.sight, max(-1, before - 1 - MAX_STEPS_SEARCHED), before - 1)
        if before
        else newest
    )
    if len(kinds) == 1 and choices.is_open(context.ruleset_id, next(iter(kinds))):
        kind = next(iter(kinds))
    content = RecordPage(
        visit=visit,
        position=position,
        board=board,
        mine=mine,
        seat=seat,
        kind=kind if kind in kinds else "",
        chosen={},
        ways=[],
        form=None,
        is_chosen=len(kinds) > 1,
        question="",
        decision=None,
        preview=None,
        refused=None,
        closed=[]
        if grid is not None and grid.grid.is_older
        else [row for row in _closed_kinds(visit, seat, legal) if row[0] not in on_grid],
        grid=grid,
        last_tap=last_tap,
        turn_steps=group_turns(game, shown_steps, settlements.find_stretches(game, shown_steps), MAX_TURNS_SHOWN)
        if before
        else group_turns(game, newest, stretches, MAX_TURNS_SHOWN),
        steps=shown_steps,
        before=before,
        pending=settlements.pending_stretches(game, stretches, dismissed),
        own=own_seat(visit, position, view, board),
        view=view,
        hangs=table_privacy.veil_in_force(game) is not None,
        shown=shown,
    )
    if seat is None:
        return content
    together = context.words.choosing.turn
    in_turn = together is not None and seat != TABLE and together.scope(game.board) is not None
    if together is not None and in_turn and kinds and kinds.keys() <= together.kinds:
        return _with_draft(content, context, together, turn, kind, chosen or {})
    if content.kind and choices.is_open(context.ruleset_id, kind):
        return _with_form(content, context, kinds[kind], chosen or {}, sent or {})
    return _with_buttons(content, context, seat, legal, chosen or {})


def _seats_to_record(visit: Visit, to_act: Sequence[Seat]) -> list[Seat]:
    """Return the seats the visitor may record for: own seats, the table, then others the game waits for.

    An own seat is not first if its decision would end what an earlier player can still do (MP-3.2.1).
    """
    waits_for, own_seats = visit.game.ruleset.waits_for(visit.game.board), visit.own_seats
    own = {*own_seats} if _sealed_here(visit) else {*own_seats} & {*waits_for}
    closes, board = words.GAMES[visit.rules].seat.closes, visit.game.board
    own = {seat for seat in own if closes(board, seat, visit.names) is None}
    able = sorted(to_act, key=lambda seat: (seat not in own, seat != TABLE, seat not in waits_for))
    return [
        seat
        for seat in able
        if may(visit, "record", seat=seat)
        and (seat != TABLE or _legal_for_visitor(visit, TABLE, EVERYTHING))
        and (seat in waits_for or seat == TABLE or not sealed_on_own_phone(visit.game, seat) or seat in own_seats)
    ]


def _sealed_here(visit: Visit) -> bool:
    """Check if the scorekeeper has sealed as a player: the page then shows that seat, not the others' offers."""
    return any(standing_seal(visit.game, seat) is not None for seat in visit.own_seats)


def _legal_for_visitor(visit: Visit, seat: Seat, sight: Sight) -> list[Plain]:
    """Return the legal decisions that the visitor may record."""
    legal = replay.legal_decisions(visit.game, None, seat, sight)
    tags = {
        tag for tag in {decision["type"] for decision in legal} if may(visit, Decide, seat=seat, decision={"type": tag})
    }
    return [decision for decision in legal if decision["type"] in tags]


def _with_buttons(
    content: RecordPage, context: ChoiceContext, seat: Seat, legal: Sequence[Plain], chosen: Mapping[str, Any]
) -> RecordPage:
    """Add the buttons, or the chosen decision with its preview."""
    left = choices.narrow_decisions(context.ruleset_id, choices.group_by_kind(legal).get(content.kind, []), chosen)
    question_field = choices.next_question(context.ruleset_id, left, chosen)
    if left and question_field is None:
        try:
            preview = _preview_for_visitor(content.visit, seat, left[0])
        except (IllegalDecision, Refused):  # another user has just recorded; the page will be notified
            preview = None
        return msgspec.structs.replace(content, chosen=dict(chosen), decision=left[0], preview=preview)
    charts: list[ShownChart] = []
    if question_field:
        ways = choices.answer_buttons(context, seat, content.kind, chosen, question_field)
        question = choices.question_label(context, content.kind, question_field)
    else:
        charts, shown = choices.build_charts(context, content.board, seat, legal)
        rest = [decision for decision in legal if decision["type"] not in shown]
        has_grid_or_chart = bool(charts or content.grid)
        question, ways = (
            ("", choices.build_buttons(context, seat, rest, is_alone=content.grid is None))
            if has_grid_or_chart
            else choices.first_buttons(context, seat, rest)
        )
        declines = context.words.choosing.declines
        if declines is not None and (declined := declines(content.board, context.names)):
            ways = [
                msgspec.structs.replace(way, label=_declining_label(declined[way.decision["type"]], len(ways) == 1))
                if way.decision and way.decision["type"] in declined
                else way
                for way in ways
            ]
        if content.game.ruleset.course.spreads is not None:
            charts = [
                choices.map_buttons(chart, lambda way: _with_outcome(content.visit, seat, way)) for chart in charts
            ]
    return msgspec.structs.replace(
        content,
        kind=content.kind if question_field else "",
        chosen=dict(chosen) if question_field else {},
        question=question,
        charts=charts,
        ways=[_with_outcome(content.visit, seat, way) for way in ways],
    )


def _declining_label(label: str, is_only: bool) -> str:
    """Return the label of a "no"; it says if nothing else is possible."""
    return say("{what}: nothing else is possible", what=label) if is_only else label


def _with_draft(
    content: RecordPage,
    context: ChoiceContext,
    together: TurnWords,
    turn: Sequence[Plain],
    kind: str,
    chosen: Mapping[str, Any],
) -> RecordPage:
    """Add the current turn and its possible continuations."""
    assert content.seat is not None
    together_so_far = drafts.build_turn_page(
        content.game, content.seat, content.visit.sight, context, together, turn, kind, chosen, content.last_tap
    )
    no = together_so_far.refused
    begun = together_so_far.draft
    own = own_seat(content.visit, content.position, content.view, begun.composed.board)
    return msgspec.structs.replace(
        content,
        own=own,
        draft=together_so_far,
        kind=together_so_far.kind,
        chosen=together_so_far.chosen,
        question=together_so_far.question,
        ways=together_so_far.ways,
        refused=None if no is None else build_refusal(content.visit, no.rule, no.reason, no.decision),
    )


def _with_form(
    content: RecordPage,
    context: ChoiceContext,
    examples: Sequence[Plain],
    chosen: Mapping[str, Any],
    sent: Mapping[str, str],
) -> RecordPage:
    """Add the form of a kind with too many decisions to list."""
    assert content.seat is not None
    kind, board = examples[0]["type"], content.board
    maximums = replay.greatest_numbers(content.game, content.seat, kind, content.visit.sight)
    try:
        decision, form = decision_form.read_decision_form(
            context,
            examples,
            dict(chosen),
            sent,
            maximums,
            lambda path: context.words.choosing.seldom_told(board, kind, path),
            lambda path: context.words.choosing.number_note(board, kind, path),
            context.words.choosing.laid_out(board, kind),
            context.words.choosing.warning(kind),
        )
        if decision is None:
            return msgspec.structs.replace(content, form=form)
        preview = _preview_for_visitor(content.visit, content.seat, decision)
    except msgspec.ValidationError as error:  # an address that no page has made
        raise NotADecisionError(f"{error}") from error
    except (IllegalDecision, Refused) as no:
        refused = build_refusal(content.visit, no.rule, no.reason, decision or {})
        return msgspec.structs.replace(content, form=form, refused=refused)
    return msgspec.structs.replace(content, decision=decision, preview=preview)


def _preview_for_visitor(visit: Visit, seat: Seat, decision: Plain) -> Preview | None:
    """Preview a decision; facts of the table only for viewers with full sight."""
    if seat == TABLE and visit.sight != EVERYTHING:
        return None
    return recording.preview_decision(visit.game, seat, decision, visit.sight)


def _with_outcome(visit: Visit, seat: Seat, way: ChoiceButton) -> ChoiceButton:
    """Add a button's immediate effect and decide if it records with one tap: not if the effect spreads."""
    rules = visit.game.ruleset
    if way.decision is None or seat == TABLE or (way.note and rules.course.spreads is None):
        return way
    try:
        preview = recording.preview_decision(visit.game, seat, way.decision, visit.sight)
    except (IllegalDecision, Refused):  # another user has just recorded; the page will be notified
        return way
    note = way.note or words.GAMES[rules.id].choosing.brings(rules.typed_effects(preview.effects))
    if note is None:
        note = _first_change(visit.game, seat, preview.columns_before, preview.columns)
    at_once = not way.confirm and (way.at_once or not rules.spreads(seat, preview.effects))
    return msgspec.structs.replace(way, at_once=at_once, note=note)


def _first_change(
    game: Game, seat: Seat, before: Mapping[str, Sequence[Points]], after: Mapping[str, Sequence[Points]]
) -> str:
    """Return the first figure of a seat that changes, with its name unless it is cash; or ""."""
    rules, money = game.ruleset.id, words.GAMES[game.ruleset.id].ledger.money
    cash = next((column for column in game.ruleset.ledger.columns if column in money), "")
    for column in game.ruleset.ledger.columns:
        difference = after[column][seat] - before[column][seat]
        if difference and column == cash:
            return words.change_label(rules, column, difference)
        if difference:
            gain = words.gain_label(rules, column, difference)
            return say("{column} {by}", column=words.column_label(rules, column), by=gain)
    return ""


def _closed_kinds(visit: Visit, seat: Seat | None, legal: Sequence[Plain]) -> list[tuple[str, str, Reason]]:
    """Return what the seat may not do now: the tags of kinds, each with its rule and reason."""
    shown_seat = next(iter(visit.own_seats), None) if seat is None else seat
    if shown_seat is None or shown_seat == TABLE or not visit.running:
        return []
    open_kinds = choices.group_by_kind(legal)
    return [
        (kind, rule, reason)
        for kind, rule, reason in replay.closed_kinds(visit.game, shown_seat, sight=visit.sight)
        if kind not in open_kinds and reason.key != TABLE_DECIDES
    ]


def steps_since(visit: Visit, at: int) -> list[StepShown]:
    """Return the steps recorded after a step, at most the newest MAX_MISSED_STEPS."""
    view, at = privacy_of_visit(visit), max(at, visit.game.step - MAX_MISSED_STEPS)
    return [view.redact_step(step) for step in replay.iter_steps(visit.game, visit.sight, at)]


def build_refusal(visit: Visit, rule: str, reason: Reason, decision: Plain) -> ClosedKind:
    kind = decision.get("type", "")
    is_known = choices.is_kind(visit.rules, kind)
    label = words.kind_label(visit.rules, kind) if is_known else ""
    return ClosedKind(
        label, rule, words.reason_sentence(reason, visit.rules, visit.names), dict(decision) if is_known else None
    )


def refusal_of_decision(visit: Visit, seat: Seat, decision: Plain) -> ClosedKind | None:
    """Return why a decision sent again after a conflict is illegal now. Raises NotADecisionError."""
    try:
        recording.preview_decision(visit.game, seat, decision, EVERYTHING if seat == TABLE else visit.sight)
    except (IllegalDecision, Refused) as refused:
        return build_refusal(visit, refused.rule, refused.reason, decision)
    return None


def draw_board(content: RecordPage) -> Markup:
    """Draw the board, or that after the current turn with changes marked."""
    visit, now = content.visit, content.position.board
    then = None if content.draft is None or not content.has_draft else content.draft.draft.board.document()
    shown, other = (now, None) if then is None else (then, now)
    return boards.framed_board(visit.game, visit.names, visit.sight, content.view, shown, other)


def draw_about(content: RecordPage) -> Markup:
    """Draw the parts of the board that the question is about; nothing for most questions."""
    visit, part_ids = content.visit, content.vocabulary.seat.about_parts(content.board)
    if not part_ids or content.seat is None or content.seat == TABLE:
        return Markup()
    document = content.position.board
    return boards.framed_parts(visit.game, visit.names, visit.sight, content.view, document, part_ids)
