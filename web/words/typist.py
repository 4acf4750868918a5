"""Who types: a text is read as one of the decisions that they may record, on the board as it is by then."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import get_args

import msgspec

from daybook.domain.commands import Close, Note, TakeBack
from daybook.domain.kernel.decisions import read_decision
from daybook.domain.kernel.events import Cause
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Board, IllegalDecision, Seat
from daybook.services.people.access import EVERYTHING, Sight, hides_nothing
from daybook.services.play import replay
from daybook.web import words
from daybook.web.words.say import N_, Names, Plain, say, seat_name
from daybook.web.words.typed import Reading, pieces, read

REMARK = "#"  # what begins with it is passed over
BARE_LINE = "{"  # begins a line of a bare file


class Sentence(msgspec.Struct, frozen=True):
    """A legal decision, as its button says it."""

    seat: Seat
    decision: Plain
    says: str


class Meaning(msgspec.Struct, frozen=True):
    """What a text comes to. taken: what it means; among: what it may mean; nearest: what is legal and most like it,
    where it means nothing."""

    taken: Sentence | None
    among: list[Sentence]
    nearest: list[Sentence]


class Typist(msgspec.Struct, frozen=True, kw_only=True):
    """sight: how they see the game; may: whether they record a kind of decision, by its tag, for a seat."""

    game: Game
    names: Names
    sight: Sight
    may: Callable[[Seat, str], bool]

    def read(self, text: str, board: Board | None = None) -> Meaning:
        """What a text means. board: as it will be by then; None: as it is.

        A player's name before it tells seats apart that may decide the same.
        """
        sentences = self.sentences(pieces(text), board)
        found = read(text, [one.says for one in sentences])
        if found.taken is None:
            named = read(text, [f"{seat_name(one.seat, self.names)} {one.says}" for one in sentences])
            found = named if named.taken is not None or not found.among else found
        return _meaning(found, sentences)

    def read_all(self, line: str, most: int) -> tuple[list[Sentence], str, Meaning | None]:
        """What the texts of a line mean one after the other, so many at the most; the rest, from what is not one thing
        alone on, and what that may mean."""
        read_so_far, board = list[Sentence](), self.board()
        for begins, text in texts_of(line):
            if len(read_so_far) == most:
                return read_so_far, line[begins:], None
            meaning = self.read(text, board if read_so_far else None)
            if meaning.taken is None:
                return read_so_far, line[begins:], meaning
            read_so_far.append(meaning.taken)
            after = self.following(board, meaning.taken)
            if after is None:
                return read_so_far, line[begins + len(text) :].lstrip("; \n"), None
            board = after
        return read_so_far, "", None

    def sentences(self, typed: Sequence[str] = (), board: Board | None = None) -> list[Sentence]:
        """Every legal decision that they may record; of kinds that no list has all of, what was typed."""
        rules = self.game.ruleset
        on = replay.asked_board(self.game, self.game.step, self.sight) if board is None else board
        found = []
        for seat in rules.course.to_act(on):
            listed = [*rules.legal(on, seat)]
            meant = [
                one
                for row in words.GAMES[rules.id].decisions.rows
                for one in (() if row.typed is None else row.typed(typed, self.names))
                if one not in listed and rules.first_refusal(on, seat, one) is None
            ]
            found += [(seat, one) for one in msgspec.to_builtins([*listed, *meant]) if self.may(seat, one["type"])]
        return [Sentence(seat, one, words.decision_label(rules.id, one, self.names)) for seat, one in found]

    def board(self) -> Board:
        """The board as they see it."""
        board = self.game.board
        return (
            board if hides_nothing(self.game, self.sight) else self.game.ruleset.secrecy.redact_board(board, self.sight)
        )

    def following(self, board: Board, said: Sentence) -> Board | None:
        """The board after it, as far as they may know: what the table turns up is told to who sees everything alone."""
        if said.seat == TABLE and self.sight != EVERYTHING:
            return None
        try:
            after: Board = self.game.ruleset.play(board, said.seat, read_decision(self.game, said.decision))[0]
            return after
        except IllegalDecision:  # somebody has just recorded: it is said when it is written
            return None


def _meaning(found: Reading, sentences: Sequence[Sentence]) -> Meaning:
    return Meaning(
        None if found.taken is None else sentences[found.taken],
        [sentences[at] for at in found.among],
        [sentences[at] for at in found.nearest],
    )


NOTED = re.compile(r"(\S+)(?:\s+(?:on\s+)?(\d{1,9})\s*:)?\s+(\S.*)")  # note on 6: the rain began
BACK = re.compile(r"(\S+)\s+(?:to\s+)?(\d{1,9})\s*(?:\((\w+)\))?\s*(?::\s*(\S.*))?")  # undo to 5 (table): why


def command_typed(text: str, about: int) -> Note | TakeBack | Close | None:
    """What a text says that is no decision. about: the step that a note is on that names none."""
    if (found := NOTED.fullmatch(text)) is not None and _is_word(found[1], N_("Note"), say("Note")):
        return Note(about if found[2] is None else int(found[2]), found[3])
    if (found := BACK.fullmatch(text)) is not None and _is_word(found[1], N_("Undo"), say("Undo")):
        causes: tuple[Cause, ...] = get_args(Cause)
        cause = next((one for one in causes if one == (found[3] or "table")), None)
        return None if cause is None else TakeBack(int(found[2]), cause, found[4] or "")
    if _is_word(text, N_("Close the game"), say("Close the game")):
        return Close()
    return None


def _is_word(typed: str, *said: str) -> bool:
    """In the reader's language, or as a transcript has it."""
    return pieces(typed) in [pieces(one) for one in said]


def texts_of(line: str) -> list[tuple[int, str]]:
    """What is to be read, one by one, and where each begins. A line of a bare file is one text, whatever is in it."""
    found, begins = list[tuple[int, str]](), 0
    for row in line.split("\n"):
        for part in [row] if row.lstrip().startswith(BARE_LINE) else row.split(";"):
            text = part.strip()
            if text and not text.startswith(REMARK):
                found.append((begins + part.index(text), text))
            begins += len(part) + 1
    return found
