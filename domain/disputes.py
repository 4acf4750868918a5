"""Claims that a step is wrong, settled by an umpire or by the consent of all seats.

The entries of a claim do not change the board. A ruling changes it through separate entries that refer to the claim: a
take-back, an adjustment or decisions. So nothing is rewritten. While a claim is open, the result of the game is
provisional.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, takewhile
from typing import Any, Literal

import msgspec

from daybook.domain.kernel import events
from daybook.domain.kernel.board import is_at, value_at
from daybook.domain.kernel.by_hand import is_cause
from daybook.domain.kernel.chronicle import TEXT_LIMIT, Refused, Written, place_of, writing_fields
from daybook.domain.kernel.field_types import RULE_LIMIT
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points, is_points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.rule_parts import Cell
from daybook.domain.kernel.terms import TABLE, Seat, because
from daybook.domain.kernel.times import day_of_play_fault
from daybook.domain.leases import check_lease

PHOTOS_LIMIT = 6  # of one claim
PHOTO = re.compile(r"[0-9a-f]{64}")

ClaimState = Literal["open", "ruled", "appealed", "closed"]
# open: no ruling yet; ruled: it can still be appealed; appealed: another person has to rule
SettledState = ClaimState | Literal["mended", "struck", "changed"]
# mended: the step was replaced as the claim proposes; struck: the step no longer stands, so there is nothing to rule on;
# changed: another figure was entered over the figure of the step

ClaimEvent = (
    events.RulingProposed | events.RulingConsented | events.ClaimRuled | events.RulingAppealed | events.ClaimClosed
)


class Claim(Frozen):
    """A claim with everything entered about it, in order.

    number: the step that raised it, which identifies it; ruling: the last ruling; proposal: the newest one since the
    last ruling.
    """

    raised: events.ClaimRaised
    story: tuple[ClaimEvent, ...] = ()
    state: ClaimState = "open"
    ruling: events.ClaimRuled | None = None
    appeal: events.RulingAppealed | None = None
    proposal: events.RulingProposed | None = None

    @property
    def number(self) -> int:
        """The number of the claim: the step that raised it."""
        return self.raised.step

    def then(self, entry: ClaimEvent) -> Claim:
        """Return the claim with the next entry added."""
        new: dict[str, Any] = {"story": (*self.story, entry)}
        match entry:
            case events.RulingProposed():
                new |= {"proposal": entry}
            case events.ClaimRuled():
                new |= {"state": "ruled", "ruling": entry, "proposal": None}
            case events.RulingAppealed():
                new |= {"state": "appealed", "appeal": entry}
            case events.ClaimClosed():
                new |= {"state": "closed"}
        return msgspec.structs.replace(self, **new)

    @property
    def is_open(self) -> bool:
        return self.state != "closed"

    @property
    def awaits_ruling(self) -> bool:
        return self.state in ("open", "appealed")

    def first_ruling(self, ruling: events.Ruling, done: bool) -> events.AppealedChanges | None:
        """Return the default fate of an appealed ruling: "play on" restores the board before it.

        done: it changed the board.
        """
        if self.state != "appealed":
            return None
        return "undone" if done and ruling == "play_on" else "kept"

    def consents(self, proposal: int) -> set[Seat]:
        """Return the seats that agreed to a proposal."""
        since = takewhile(lambda answer: answer.step > proposal, reversed(self.story))
        return {
            answer.seat
            for answer in since
            if isinstance(answer, events.RulingConsented) and answer.proposal == proposal
        }


class SideState(Frozen):
    """Side entries of a game: claims by number, and the ids of the umpires.

    Never changed: copies of the game share it.
    """

    claims: Mapping[int, Claim]
    umpires: tuple[str, ...]


def claims(game: Game, step: int | None = None) -> Mapping[int, Claim]:
    """Every claim of a game by its number, as it was after a step. Default: the newest."""
    if step is None or not game.side_steps or step >= game.side_steps[-1]:
        return _side_state(game).claims
    return _with_side_steps(game, NO_SIDE_ENTRIES, [aside for aside in game.side_steps if aside <= step]).claims


def _side_state(game: Game) -> SideState:
    """Return the side entries until now; each entry is read once, because every check needs this."""
    known, said = game.side_state or (0, NO_SIDE_ENTRIES)
    if known < len(game.side_steps):
        said = _with_side_steps(game, said, game.side_steps[known:])
        game.side_state = len(game.side_steps), said
    return said


def _with_side_steps(game: Game, state: SideState, asides: Iterable[int]) -> SideState:
    found, umpires = {**state.claims}, [*state.umpires]
    for aside in asides:
        event = game.entries[aside].event
        if isinstance(event, events.ClaimRaised):
            found[event.step] = Claim(event)
        elif isinstance(event, ClaimEvent):
            found[event.claim] = found[event.claim].then(event)
        elif isinstance(event, events.UmpireNamed):
            umpires.append(event.person)
    return SideState(found, tuple(umpires))


NO_SIDE_ENTRIES = SideState({}, ())


def open_claims(game: Game, step: int | None = None) -> list[Claim]:
    """Return the claims that were open after a step, without those that the record settled. Default: the newest."""
    return [
        claim
        for claim in claims(game, step).values()
        if claim.is_open and settled_state(game, claim, step) == claim.state
    ]


def settled_state(game: Game, claim: Claim, at: int | None = None) -> SettledState:
    """Return the state of a claim after a step, also if the record settled it without a ruling. Default: the newest.

    A claim that waits for a ruling is settled if its steps are undone and neither redone nor copied by a correction, or
    if another figure is entered over that of the step.
    """
    if not claim.awaits_ruling:
        return claim.state
    if claim.raised.figures:
        return claim.state if step_of_figures(game, claim, at) is None else "changed"
    steps, struck = disputed_steps(game, claim, at), game.struck_steps(at)
    if any(step not in struck for step in steps):
        return claim.state if step_of_change(game, claim, at) is None else "changed"
    moves = [move for step in steps for move in _moves_instead(_entries_until(game, struck[step], at), step, struck)]
    proposed = [move for move in claim.raised.moves if not _is_so_before(game, steps[0], move)]
    proposes = bool(claim.raised.moves) or claim.raised.leaves_out
    is_mended = proposes and [_typed(game, move) for move in moves] == [_typed(game, move) for move in proposed]
    return "mended" if is_mended else "struck"


def disputed_steps(game: Game, claim: Claim, at: int | None = None) -> list[int]:
    """Return the steps of a claim as they are after a step, where corrections copied them."""
    return [_last_replacement(game, step, at, only_copies=True) for step in steps_raised(game, claim)]


def steps_raised(game: Game, claim: Claim) -> list[int]:
    """Return the steps that a claim was about when it was raised.

    A claim on a step that was corrected before is about what stood instead. A figure of an earlier round that was
    entered in between is no part of a whole round.
    """
    raised = claim.raised
    steps = [raised.about_step]
    if raised.last_step is not None:
        between = game.line_since(raised.about_step, raised.last_step)
        steps += [step for step in between if not enters_earlier_round(game, step)]
    return list(dict.fromkeys(standing_step(game, step, claim.number) for step in steps))


def enters_earlier_round(game: Game, step: int) -> bool:
    """Check if a step entered, changed or cleared a figure of an earlier round than that in which it was recorded."""
    figure, periods = _figure_entered(game, step), game.ruleset.course.periods
    if figure is None or not periods:
        return False
    (_, number, _), _ = figure
    return 0 < number < game.figures_at(step).marks.get(periods[-1], 0)


def step_of_change(game: Game, claim: Claim, at: int | None = None) -> int | None:
    """Return the step that entered another figure over that of a claim's step, since the claim; None if none did."""
    disputed, *others = disputed_steps(game, claim, at)
    figure = None if others else _figure_entered(game, disputed)
    if figure is None:
        return None
    changed_by = _newest_of_cell(game, disputed, at)
    now = _figure_entered(game, changed_by)
    return changed_by if now != figure and _first_copied(game, changed_by) > claim.number else None


def step_of_figures(game: Game, claim: Claim, at: int | None = None) -> int | None:
    """Return the step that corrected the figures of a claim as it proposes, or in answer to it; None if none did."""
    right, struck = {path: value for path, (_, value) in claim.raised.figures.items()}, game.struck_steps(at)
    for entry in _entries_until(game, claim.number, at):
        event = entry.event
        if not isinstance(event, events.BoardAdjusted) or entry.step in struck:
            continue
        changed = {path: value for path, (_, value) in event.changes.items() if path in right}
        if event.answers_step == claim.number or changed == right:
            return entry.step
    return None


def figure_at(game: Game, path: str) -> Any:
    """Return the value of a place on the board; None if there is no such place."""
    return value_at(game.document, path) if is_at(game.document, path) else None


def right_figures(game: Game, claim: Claim) -> dict[str, Any]:
    """Return the figures that a claim proposes, with all gains and costs since then."""
    found = dict[str, Any]()
    for path, (recorded, right) in claim.raised.figures.items():
        current = figure_at(game, path)
        moved = is_points(current) and is_points(recorded) and is_points(right)
        found[path] = current + right - recorded if moved else right
    return found


def standing_step(game: Game, step: int, at: int | None = None) -> int:
    """Return what counts now in the place of a step that was corrected, or after its figure was entered again.

    A step that still counts, or that was undone or left out, is returned itself.
    """
    last = _last_replacement(game, step, at)
    return step if last in game.struck_steps(at) else _newest_of_cell(game, last, at)


def step_of_cell(game: Game, seat: Seat, number: int, line: str) -> int | None:
    """Return the step that filled or emptied a cell of a table of figures last; None if none did."""
    cells = ((step, _figure_entered(game, step)) for step in game.line_back())
    return next((step for step, figure in cells if figure is not None and figure[0] == (seat, number, line)), None)


def _is_copy(entry: events.Entry, step: int) -> bool:
    return getattr(entry.event, "copied_from_step", None) == step


def _newest_of_cell(game: Game, step: int, at: int | None) -> int:
    """Return the newest standing step that filled or emptied the cell of a step's figure; else the step itself."""
    figure = _figure_entered(game, step)
    if figure is None:
        return step
    struck, newest = game.struck_steps(at), step
    for entry in _entries_until(game, step + 1, at):
        later = None if entry.step in struck else _figure_entered(game, entry.step)
        if later is not None and later[0] == figure[0]:
            newest = entry.step
    return newest


def _is_so_before(game: Game, step: int, move: events.Move) -> bool:
    """Check if the board before a step already was as a decision proposes, so that a correction left it out."""
    redundant = game.ruleset.course.redundant
    if not redundant:
        return False
    world = game.twin()
    world.lay(game.board_at(game.parents[step]))
    return any(objection.key in redundant for objection in world.objections(*_typed(game, move)))


def _figure_entered(game: Game, step: int) -> tuple[Cell, Points | None] | None:
    """Return the cell of a table of figures that a step filled or emptied, with its figure; None for other steps."""
    figure, event = game.ruleset.course.figure, game.entries[step].event
    if figure is None or not isinstance(event, events.DecisionRecorded):
        return None
    try:
        effects = game.ruleset.typed_effects(event.effects)
    except msgspec.ValidationError:  # today's rules cannot read an imported record
        return None
    return next(filter(None, map(figure, effects)), None)


def _entries_until(game: Game, first: int, at: int | None) -> Sequence[events.Entry]:
    return game.entries[first : None if at is None else at + 1]


def _last_replacement(game: Game, step: int, at: int | None, *, only_copies: bool = False) -> int:
    """Return the last step that corrections put in the place of a step; the step itself if there is none."""
    struck = game.struck_steps(at)
    while step in struck:
        later = _entries_until(game, struck[step], at)
        copies = (entry.step for entry in later if _is_copy(entry, step))
        instead = (entry.step for entry in later if getattr(entry.event, "corrects_step", None) == step)
        replacement = next(copies if only_copies else chain(copies, instead), None)
        if replacement is None:
            break
        step = replacement
    return step


def _first_copied(game: Game, step: int) -> int:
    """Return the step as it was first recorded, of which corrections made copies."""
    while copied := getattr(game.entries[step].event, "copied_from_step", None):
        step = copied
    return step


def _moves_instead(later: Iterable[events.Entry], step: int, struck: Mapping[int, int]) -> list[events.Move]:
    """Return the decisions that stand in the place of a corrected step."""
    return [
        events.Move(entry.event.seat, entry.event.decision)
        for entry in later
        if isinstance(entry.event, events.DecisionRecorded)
        and entry.event.corrects_step == step
        and entry.step not in struck
    ]


def _typed(game: Game, move: events.Move) -> tuple[Seat, Any]:
    """Return a seat and its decision with all fields, to compare; as recorded if today's rules cannot read it."""
    try:
        return move.seat, game.ruleset.decision(move.decision)
    except msgspec.ValidationError:
        return move.seat, move.decision


def ruled_on_board(game: Game, claim: Claim) -> list[events.BoardStep]:
    """Return the steps by which the first ruling on a claim changed the board; only that one can be appealed."""
    ruling = next((answer for answer in claim.story if isinstance(answer, events.ClaimRuled)), None)
    return (
        []
        if ruling is None
        else [
            entry.event
            for entry in game.entries[ruling.step :]
            if isinstance(entry.event, events.BoardStep) and entry.event.answers_step == claim.number
        ]
    )


def umpires(game: Game) -> Sequence[str]:
    """Return the ids of the umpires, by their numbers."""
    return _side_state(game).umpires


def side_entry(game: Game, kind: type[events.SideEvent], written: Written, **fields: Any) -> events.Entry:
    """Return the next side entry. Raises Refused."""
    return checked_entry(game, kind(step=game.step + 1, **writing_fields(written), **fields))


def checked_entry(game: Game, event: events.SideEvent) -> events.Entry:
    """Return the next entry with this event. Raises Refused."""
    check(game, event)
    return game.entry(event)  # type: ignore[arg-type]


# --- checks of entries -----------------------------------------------------------------------------------------------


def check(game: Game, event: events.SideEvent) -> None:
    """Raise Refused if a side entry cannot be the record's next entry."""
    match event:
        case events.NoteAdded():
            game.check_step(event.about_step)
            _check_text(event.text)
            _require_text(event.text, "text_missing", "the note is empty")
        case events.TableCounted():
            _check_text(event.text)
            for path in event.counted:
                _check_cause(game, path)
        case events.CountAccepted():
            _check_text(event.why)
            game.check_step(event.count_step)
            if not isinstance(game.entries[event.count_step].event, events.TableCounted):
                raise Refused(because("not_a_count", "step {step} is not a count", step=event.count_step))
        case events.UmpireNamed():
            if event.umpire != len(umpires(game)):
                raise Refused(because("umpire_number", "the next umpire is number {next}", next=len(umpires(game))))
            if not 1 <= len(event.person) <= 64 or not event.person.isprintable():
                raise Refused(because("person", "a person's id is 1 to 64 characters that can be shown"))
        case events.ClaimRaised():
            _check_raised(game, event)
        case events.RulingProposed():
            _check_proposed(game, event)
        case events.RulingConsented():
            _check_consented(game, event)
        case events.ClaimRuled():
            _check_ruled(game, event)
        case events.RulingAppealed():
            _check_appealed(game, event)
        case events.ClaimClosed():
            _check_closed(game, event)
        case events.LeaseTaken() | events.LeaseEnded():
            check_lease(game, event)
        case events.DayOfPlaySet():
            _check_day_of_play(game, event)
        case events.GameRevealed():
            if game.status != "abandoned":
                raise Refused(because("not_given_up", "the game was not abandoned"))
            if game.revealed_at is not None:
                raise Refused(
                    because("revealed_already", "everything was revealed in step {step}", step=game.revealed_at)
                )


def claim_of(game: Game, number: int) -> Claim:
    """Return the claim of a number. Raises Refused for an unknown number."""
    claim = claims(game).get(number)
    if claim is None:
        raise Refused(because("unknown_claim", "step {step} raised no claim", step=number))
    return claim


def places_of_claimant(game: Game, claim: Claim) -> set[str]:
    """Return the places at the table of a claim's author and of its seat."""
    return {place_of(game.writers[claim.number]), f"seat:{claim.raised.seat}"}


def _check_day_of_play(game: Game, event: events.DayOfPlaySet) -> None:
    if event.day and (wrong := day_of_play_fault(event.day, event.at)) is not None:
        raise Refused(wrong)
    if event.previous_day != game.day_of_play():
        raise Refused(because("day_before", "the day of play was changed in the meantime"))
    if event.day == event.previous_day:
        raise Refused(because("day_said", "the record already says so"))


def _check_raised(game: Game, event: events.ClaimRaised) -> None:
    game.check_step(event.about_step)
    _check_text(event.statement)
    _check_text(event.why)
    _require_text(event.statement, "text_missing", "a claim says what is wrong")
    if len(event.rule) > RULE_LIMIT:
        raise Refused(
            because(
                "too_long",
                "{length} characters are too many: at most {limit}",
                length=len(event.rule),
                limit=RULE_LIMIT,
            )
        )
    if event.seat is not None:
        _check_seat(game, event.seat)
    if len(event.photos) > PHOTOS_LIMIT:
        raise Refused(
            because(
                "photos", "{given} photos are too many: at most {limit}", given=len(event.photos), limit=PHOTOS_LIMIT
            )
        )
    if not all(PHOTO.fullmatch(photo) for photo in event.photos):
        raise Refused(because("photos", "a photo is named by its SHA-256"))
    if event.moves and event.leaves_out:
        raise Refused(because("both_proposed", "a claim either replaces steps or leaves them out"))
    if (event.moves or event.leaves_out) and not isinstance(
        game.entries[event.about_step].event, events.DecisionRecorded
    ):
        raise Refused(because("not_a_decision", "step {step} is not a decision", step=event.about_step))
    if event.figures and (event.moves or event.leaves_out):
        raise Refused(because("both_proposed", "a claim proposes either steps or figures"))
    for path, pair in event.figures.items():
        _check_cause(game, path)
        if len(pair) != 2 or pair[0] != figure_at(game, path) or pair[0] == pair[1]:
            raise Refused(because("not_a_correction", "{path} has another figure, or already this one", path=path))
    _check_moves(game, event.moves)
    if event.last_step is not None:
        _check_range(game, event.about_step, event.last_step)


def _check_range(game: Game, first: int, last: int) -> None:
    """Raise Refused if one step does not lead to the other on a line of the record."""
    game.check_step(last)
    if first >= last or game.heads[last] != last or first not in game.line(last):
        raise Refused(because("not_a_range", "step {last} does not follow step {first}", first=first, last=last))


def _check_proposed(game: Game, event: events.RulingProposed) -> None:
    _claim_awaiting_ruling(game, event.claim)
    _check_text(event.why)
    _check_remedy(game, event.ruling, event.to_step, event.values)
    if event.moves and event.ruling != "rewound":
        raise Refused(because("remedy", "new decisions are possible only after going back to a step"))
    _check_moves(game, event.moves)


def _check_moves(game: Game, moves: Iterable[events.Move]) -> None:
    for move in moves:
        if move.seat != TABLE:
            _check_seat(game, move.seat)
        try:
            game.ruleset.decision(move.decision)
        except msgspec.ValidationError as wrong:
            raise Refused(because("not_a_decision", "{wrong}", wrong=str(wrong))) from wrong


def _check_consented(game: Game, event: events.RulingConsented) -> None:
    claim = _claim_awaiting_ruling(game, event.claim)
    _check_seat(game, event.seat)
    if claim.proposal is None or claim.proposal.step != event.proposal:
        raise Refused(because("not_the_proposal", "step {step} is not what is proposed now", step=event.proposal))
    if event.seat in claim.consents(event.proposal):
        raise Refused(because("consented", "seat {seat} has agreed", seat=event.seat))
    _check_fresh(game, claim.proposal)


def _check_ruled(game: Game, event: events.ClaimRuled) -> None:
    claim = _claim_awaiting_ruling(game, event.claim)
    _check_text(event.why)
    if event.appealed_changes is not None and claim.state != "appealed":
        raise Refused(because("not_appealed", "only a ruling on an appeal can keep or undo the first ruling"))
    if event.to_step is not None or event.ruling == "rewound":
        _check_remedy(game, event.ruling, event.to_step, {})
    proposal = None
    if event.proposal is not None:
        proposal = next(
            (
                answer
                for answer in claim.story
                if isinstance(answer, events.RulingProposed) and answer.step == event.proposal
            ),
            None,
        )
        if proposal is None or (proposal.ruling, proposal.to_step) != (event.ruling, event.to_step):
            raise Refused(because("not_the_proposal", "step {step} proposes no such ruling", step=event.proposal))
        _check_fresh(game, proposal)
    if event.umpire is None:
        missing = set(range(len(game.opening.seats)))
        missing -= claim.consents(proposal.step) if proposal else set()
        if missing:
            raise Refused(because("consent_missing", "seat {seat} has not agreed", seat=min(missing)))
        return
    _require_text(event.why, "why_missing", "a ruling says why")
    _check_umpire(game, event.umpire)
    appeal = claim.appeal
    if claim.state == "appealed" and appeal is not None and appeal.umpire != event.umpire:
        raise Refused(because("not_the_umpire", "umpire {umpire} rules on the appeal", umpire=appeal.umpire))


def _check_appealed(game: Game, event: events.RulingAppealed) -> None:
    claim = claim_of(game, event.claim)
    ruling = claim.ruling
    _check_text(event.why)
    _require_text(event.why, "why_missing", "an appeal says why")
    if claim.state != "ruled" or ruling is None or ruling.umpire is None:
        raise Refused(because("no_ruling", "there is no ruling of an umpire to appeal against"))
    if claim.appeal is not None:
        raise Refused(because("appealed", "the claim was appealed once"))
    if ruling.appeal_until and event.at >= ruling.appeal_until:
        raise Refused(because("too_late", "an appeal was possible until {until}", until=ruling.appeal_until))
    _check_umpire(game, event.umpire)
    persons = umpires(game)
    if persons[event.umpire] == persons[ruling.umpire]:
        raise Refused(because("same_umpire", "an appeal goes to another person"))
    if event.seat is not None:
        _check_seat(game, event.seat)


def _check_closed(game: Game, event: events.ClaimClosed) -> None:
    claim = claim_of(game, event.claim)
    _check_text(event.why)
    if not claim.is_open:
        raise Refused(because("claim_closed", "the claim is closed"))
    if event.withdrawn == (claim.state == "ruled"):
        raise Refused(because("claim_state", "a claim can be withdrawn before a ruling, and closed after it"))


def _check_fresh(game: Game, proposal: events.RulingProposed) -> None:
    """Raise Refused if the board has changed since a remedy was proposed."""
    if proposal.ruling == "play_on":
        return
    for entry in game.entries[proposal.step + 1 :]:
        if isinstance(entry.event, events.BoardStep):
            raise Refused(
                because(
                    "stale",
                    "the game continued with step {step} after this was proposed: propose it again",
                    step=entry.step,
                )
            )


def _claim_awaiting_ruling(game: Game, number: int) -> Claim:
    claim = claim_of(game, number)
    if not claim.awaits_ruling:
        raise Refused(because("claim_state", "the claim is not waiting for a ruling; it is {state}", state=claim.state))
    return claim


def _check_remedy(game: Game, ruling: events.Ruling, to: int | None, values: Mapping[str, Any]) -> None:
    if (to is not None) != (ruling == "rewound") or (values and ruling != "adjusted"):
        raise Refused(because("remedy", "to go back, name a step; to correct the board, say what is where"))
    if to is not None:
        game.check_step(to)
    for path in values:
        _check_cause(game, path)


def _check_cause(game: Game, path: str) -> None:
    if not is_cause(path, game.ruleset.integrity.causes) or not is_at(game.document, path):
        raise Refused(
            because(
                "not_a_cause", "{path} cannot be adjusted: it is worked out, or the board has no such place", path=path
            )
        )


def _check_seat(game: Game, seat: Seat) -> None:
    if not 0 <= seat < len(game.opening.seats):
        raise Refused(
            because("seat", "there is no seat {number} at a table of {n}", number=seat + 1, n=len(game.opening.seats))
        )


def _check_umpire(game: Game, umpire: int) -> None:
    if not 0 <= umpire < len(umpires(game)):
        raise Refused(because("not_the_umpire", "no one was named as umpire {umpire}", umpire=umpire))


def _check_text(text: str) -> None:
    if len(text) > TEXT_LIMIT:
        raise Refused(
            because("too_long", "{length} characters are too many: at most {limit}", length=len(text), limit=TEXT_LIMIT)
        )


def _require_text(text: str, key: str, message: str) -> None:
    if not text.strip():
        raise Refused(because(key, message))
