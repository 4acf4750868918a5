"""Who types: a text is read as one of the decisions that they may record, on the board as it is by then."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import get_args

import msgspec

from daybook.domain import commands
from daybook.domain.commands import Decide
from daybook.domain.kernel.decisions import read_decision
from daybook.domain.kernel.events import Cause
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Board, IllegalDecision, Seat
from daybook.services.permissions.actions import may
from daybook.services.permissions.sights import EVERYTHING, Sight, hides_nothing
from daybook.services.permissions.visits import Visit
from daybook.services.play import recording, replay
from daybook.web import words
from daybook.web.words.decision_words import CLOSES, FOR_ALL, DecisionRow
from daybook.web.words.explained import Explained, explain, tells_all_chosen
from daybook.web.words.fit import Candidate
from daybook.web.words.phrases import NUMBERS, words_of
from daybook.web.words.places import countable_places, lies_typed, places_of, text_of
from daybook.web.words.say import N_, Names, Plain, say, seat_name
from daybook.web.words.typed import Reading, pieces, read

VERB_LAST = ("ko",)  # languages
REMARK = "#"  # what begins with it is passed over
SOMEBODY = re.compile(
    r"\s*(?:somebody|someone|some player|누군가|누가)\b[가는이]?[\s:,]*", re.IGNORECASE
)  # who is not known
SELF = re.compile(r"\b(himself|herself|themself|themselves|own|자신|자기)\b", re.IGNORECASE)
TOLD_WHEN = re.compile(  # a number before a line: 3.  T14  1790:  11)  round 2:
    r"\s*(?:(?:t|(?:turn|round|move|no|#)\.?\s*)\d{1,4}\b\s*[.):–-]?|\d{1,4}\s*[.):](?!\d)|\d{1,4}\s+[–-]\s)\s*(?=\S)",
    re.IGNORECASE,
)
INITIAL = re.compile(r"(?:^|(?<=[,;:(]))(\s*)([^\W\d_])(?=[.:)]|\s+\S)|(?<=\s)()([^\W\d_])(?=:)")
AFTER_NAME = re.compile(r"(?:['’]s?\b)?[\s.:,–-]*")
WHY = re.compile(r"(.+)\(([^()]+)\)\s*")  # Anna's money 12 (a note lay under the board)
DAY = re.compile(r"\d{4}-\d\d-\d\d\s*")
PLAYED_ON = N_("Played on")
TIMES = re.compile(r"(\d+) × (\w+)")
MOST_ALIKE = 12  # cards that are told one by one
BARE_LINE = "{"  # begins a line of a bare file


class Sentence(Frozen):
    """A legal decision, as its button says it. is_typed: no list has it, and what was typed tells it."""

    seat: Seat
    decision: Plain
    says: str
    is_typed: bool = False


class Meaning(Frozen):
    """What a text comes to. taken: what it means; among: what it may mean; nearest: what is legal and most like it,
    where it means nothing. unclear: the words that none of these explains.
    """

    taken: Sentence | None
    among: list[Sentence]
    nearest: list[Sentence]
    unclear: str = ""


NOTHING = Meaning(None, [], [])


class ReadText(Frozen):
    """What one text comes to. command: what is written; None: it says nothing, or not one thing alone. says: that in
    words; meaning: of a decision, or of what is none; legal: what can be decided, where nothing is like it.
    """

    text: str
    command: commands.Command | None = None
    says: str = ""
    meaning: Meaning = NOTHING
    legal: list[Sentence] = []

    @property
    def taken(self) -> Sentence | None:
        return self.meaning.taken


class Typist(Frozen, kw_only=True):
    """sight: how they see the game; may: whether they record a kind of decision, by its tag, for a seat; undo, redo:
    the steps that they go back to so; claimant: for whom they raise a claim, None: as the scorekeeper.
    """

    game: Game
    names: Names
    sight: Sight
    may: Callable[[Seat, str], bool]
    undo: int | None = None
    redo: int | None = None
    claimant: Seat | None = None

    def read(self, text: str, board: Board | None = None) -> Meaning:
        """What a text means. board: as it will be by then; None: as it is.

        A player's name before it tells seats apart that may decide the same.
        """
        text = TOLD_WHEN.sub("", text, count=1) if TOLD_WHEN.match(text) else text
        spelled = INITIAL.sub(self._spelled_out, text)
        sentences = self.sentences([NUMBERS.get(piece, piece) for piece in pieces(spelled)], board)
        found = read(text, [sentence.says for sentence in sentences])
        if found.taken is None:
            named = read(text, [f"{seat_name(sentence.seat, self.names)} {sentence.says}" for sentence in sentences])
            found = named if named.taken is not None or not found.among else found
        rows = {row.tag: row for row in words.GAMES[self.game.ruleset.id].decisions.rows if row.typed is not None}
        if found.taken is not None and (row := rows.get(sentences[found.taken].decision["type"])) is not None:
            one = self._candidate(sentences[found.taken], self._asked(board), row)
            if not tells_all_chosen(text, one, self._alike):
                found = Reading(None, found.among, found.nearest)
        if found.taken is None:
            return self._explained(text, sentences, found, board)
        return _meaning(found, sentences)

    def _explained(self, text: str, sentences: Sequence[Sentence], found: Reading, board: Board | None) -> Meaning:
        """What a text means that has other words than the sentences, or tells what follows too."""
        on = self._asked(board)
        rows = {row.tag: row for row in words.GAMES[self.game.ruleset.id].decisions.rows}
        candidates = [self._candidate(sentence, on, rows.get(sentence.decision["type"])) for sentence in sentences]
        kinds = {sentence.decision["type"] for sentence in sentences}
        closed = [
            Candidate(says=say(row.button), name=" ".join(self.names)) for row in rows.values() if row.tag not in kinds
        ]
        told, meant = Explained(), list[int]()
        for seats, rest, alike in self._told_by(text, {sentence.seat for sentence in sentences}):
            meant = [at for at, one in enumerate(sentences) if one.seat in seats]
            told = explain(
                rest,
                [candidates[at] for at in meant],
                alike,
                words.GAMES[self.game.ruleset.id].twins,
                self.names,
                closed,
            )
            if told.taken is not None:
                return Meaning(sentences[meant[told.taken]], [], [])
        nearest = [sentences[meant[at]] for at in told.nearest]
        usual = _meaning(found, sentences)
        among = usual.among or ([] if told.left else nearest)
        return Meaning(None, among, [] if among else nearest or usual.nearest, " ".join(told.left))

    @property
    def _alike(self) -> tuple[str, ...]:
        """Words of the table that mean the same; a player's name, and the colour they play."""
        id, seats = self.game.ruleset.id, self.game.opening.seats
        colours = [
            f"{words.colour_label(id, seat.colour)} = {name}" for seat, name in zip(seats, self.names, strict=True)
        ]
        return (*words.GAMES[id].alike, *(colour for colour in colours if colour.count("=") == 1))

    def _told_by(self, text: str, deciding: set[Seat]) -> Iterator[tuple[set[Seat], str, tuple[str, ...]]]:
        """Whose decision a text may say it is, by the name that begins it, with the rest, and the words that mean the
        same then. deciding: who decides anything now. What begins with a name is theirs, or the table's of them: “Anna:
        R1” is what she draws.
        """
        text, alike, seats = INITIAL.sub(self._spelled_out, text), self._alike, deciding
        if (begun := SOMEBODY.match(text)) is not None:
            text = text[begun.end() :]
        for seat in (TABLE, *range(len(self.names))):
            for name in (seat_name(seat, self.names), *(("table",) if seat == TABLE else ())):
                begun = re.match(rf"{re.escape(name)}(?!\w)", text, re.IGNORECASE)
                if begun is None:
                    continue
                after = AFTER_NAME.match(text, begun.end())
                assert after is not None  # it matches nothing too
                yield {seat}, SELF.sub(seat_name(seat, self.names), text[after.end() :]), alike
                alike = tuple(words.GAMES[self.game.ruleset.id].alike)  # who decides is not whose stock it is
                seats = {TABLE, seat} if seats is deciding else {*seats, seat}
                if ":" in after[0] and seat in deciding:
                    return
                break
        yield seats, text, alike

    def _spelled_out(self, initial: re.Match[str]) -> str:
        """A name for its first letter, where no other begins so; a word of one letter stays."""
        letter = initial[2] or initial[4]
        after = initial.string[initial.end() : initial.end() + 1]
        meant = [name for name in self.names if name.casefold().startswith(letter.casefold())]
        is_word = letter.islower() or letter in ("A", "I")
        return (initial[1] or "") + (meant[0] if len(meant) == 1 and (after in ":.)" or not is_word) else letter)

    def _candidate(self, one: Sentence, board: Board, row: DecisionRow | None) -> Candidate:
        """A legal decision with what explains the words of who tells it. row: what pages say of its kind."""
        id, rules = self.game.ruleset.id, self.game.ruleset
        chosen = {name: of for name, of in one.decision.items() if name != "type" and of and of is not True}

        def values() -> list[tuple[str, str]]:
            sorts = {} if row is None else _sorts_of(row.kind)
            return [(sorts.get(name, ""), words.value_label(id, name, of, self.names)) for name, of in chosen.items()]

        def follows() -> list[str]:
            if one.seat == TABLE and self.sight != EVERYTHING:
                return []
            effects = rules.play(board, one.seat, read_decision(self.game, one.decision))[1]
            return [words.effect_sentence(id, effect, self.names) for effect in msgspec.to_builtins(effects)]

        about = [] if row is None else [say(row.button)]
        questions = words.GAMES[id].decisions.fields
        asks = [say(text) for name in chosen if (text := questions.get(f"{one.decision['type']}.{name}"))]
        asks = [text for text in asks if len({word.part for word in words_of(text)}) == 1]  # not “light or dark?”
        if row is not None and CLOSES in row.how:
            about.append(say("Done"))
        if not chosen and (row is None or CLOSES in row.how):  # what it ends is what was to be decided
            about.append(words.prompt(id, board, one.seat, self.names))
        one_by_one = TIMES.sub(lambda times: ", ".join([times[2]] * min(int(times[1]), MOST_ALIKE)), one.says)
        also = (
            () if row is None or row.also is None else row.also(board, one.seat, read_decision(self.game, one.decision))
        )
        return Candidate(
            says=one.says,
            also=[text for text in (one_by_one, *also) if text != one.says],
            about=". ".join(about),
            asks=". ".join(asks),
            name=seat_name(one.seat, self.names),
            verb=-1 if words.language() in VERB_LAST else 0,
            is_for_all=row is not None and FOR_ALL in row.how,
            unlisted=row is not None and row.typed is not None,
            told_in_short=one.is_typed,
            values=values,
            follows=follows,
        )

    def read_all(self, line: str, most: int) -> tuple[list[ReadText], str]:
        """What the texts of a line come to one after the other, so many at the most; and the rest, from what says not
        one thing alone, which is read last, or from what nobody can know before what is ahead of it is written.
        """
        read_so_far, board = list[ReadText](), self.board()
        for begins, text in texts_of(line):
            if len(read_so_far) == most:
                return read_so_far, line[begins:]
            read_so_far.append(said := self.read_text(text, board if read_so_far else None))
            if said.command is None:
                return read_so_far, line[begins:]
            after = board if said.taken is None and isinstance(said.command, commands.Note | commands.Count) else None
            if said.taken is not None:
                after = self.following(board, said.taken)
            if after is None:
                return read_so_far, line[begins + len(text) :].lstrip("; \n")
            board = after
        return read_so_far, ""

    def read_text(self, text: str, board: Board | None = None) -> ReadText:
        """What one text comes to. board: as it will be by then; None: as it is."""
        match command := command_typed(text, self.game.heads[-1]):
            case commands.Note():
                return ReadText(text, command, say("A note on step {n}", n=command.about))
            case commands.TakeBack():
                return ReadText(text, command, say("Undo {n}", n=command.to + 1))
            case commands.Close():
                return ReadText(text, command, say("Close the game"))
        if (lying := self._lies(text)) is not None:
            return lying
        if (claim := NOTED.fullmatch(text)) is not None and _is_word(claim[1], N_("Claim"), say("Claim")):
            about = self.game.heads[-1] if claim[2] is None else int(claim[2])
            return ReadText(
                text, commands.RaiseClaim(about, claim[3], seat=self.claimant), say("A claim on step {n}", n=about)
            )
        if (day := _begins(PLAYED_ON, text) or _begins(say(PLAYED_ON), text)) is not None and DAY.fullmatch(day):
            return ReadText(text, commands.TellDayOfPlay(day.strip()), f"{say(PLAYED_ON)} {day.strip()}")
        for back, to in N_((("Undo", self.undo), ("Redo", self.redo))):
            if to is not None and _is_word(text, back, say(back)):
                return ReadText(text, commands.TakeBack(to, "mistyped"), say(back))
        meaning = self.read(text, board)
        if (one := meaning.taken) is not None:
            return ReadText(text, commands.Decide(one.seat, dict(one.decision)), one.says, meaning)
        return ReadText(
            text, meaning=meaning, legal=[] if meaning.among or meaning.nearest else self.sentences(board=board)
        )

    def line_typed(self, text: str) -> commands.Line | None:
        """What a text says that is no decision, and that a written game can have."""
        lies = self._lies(text)
        said = command_typed(text, self.game.heads[-1]) if lies is None else lies.command
        return said if isinstance(said, commands.Line) else None

    def _lies(self, text: str) -> ReadText | None:
        """What a text says that was counted, or lies otherwise than the board has it; None: it says nothing of that."""
        for word in N_(("Count", "Correct the board")):
            begun = next((one for said in (word, say(word)) if (one := _begins(said, text))), None)
            if begun is None:
                continue
            lies, why = begun, ""
            if (reason := WHY.fullmatch(begun)) is not None:
                lies, why = reason[1], reason[2]
            counts = word == "Count"
            if counts:
                places = [place for _, place in countable_places(self.game, self.names, self.sight)]
            else:
                places = [one for some in places_of(self.game, self.names).values() for one in some]
            values, unclear = lies_typed(lies, places)
            if unclear or not values:
                return ReadText(text, meaning=Meaning(None, [], [], unclear))
            told = ", ".join(f"{one.label} {text_of(values[one.path])}" for one in places if one.path in values)
            command = commands.Count(values, why) if counts else commands.Adjust(values, why)
            return ReadText(text, command, f"{say(word)}: {told}")
        return None

    def sentences(self, typed: Sequence[str] = (), board: Board | None = None) -> list[Sentence]:
        """Every legal decision that they may record; of kinds that no list has all of, what was typed."""
        rules = self.game.ruleset
        on = self._asked(board)
        found = []
        for seat in rules.course.to_act(on):
            listed = [*rules.legal(on, seat)]
            meant = [
                one
                for row in words.GAMES[rules.id].decisions.rows
                for one in (() if row.typed is None else row.typed(on, typed, self.names))
                if one not in listed and rules.first_refusal(on, seat, one) is None
            ]
            found += [
                (seat, one, place >= len(listed))
                for place, one in enumerate(msgspec.to_builtins([*listed, *meant]))
                if self.may(seat, one["type"])
            ]
        return [
            Sentence(seat, one, words.decision_label(rules.id, one, self.names), is_typed)
            for seat, one, is_typed in found
        ]

    def _asked(self, board: Board | None) -> Board:
        return replay.board_for_legality(self.game, self.game.step, self.sight) if board is None else board

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


@cache
def _sorts_of(kind: type[msgspec.Struct]) -> dict[str, str]:
    """The types of a decision's fields, by their names: which of its choices are of one sort."""
    return {of.name: str(of.type).removesuffix(" | None") for of in msgspec.structs.fields(kind)}


def _meaning(found: Reading, sentences: Sequence[Sentence]) -> Meaning:
    return Meaning(
        None if found.taken is None else sentences[found.taken],
        [sentences[at] for at in found.among],
        [sentences[at] for at in found.nearest],
    )


def typist_of(visit: Visit) -> Typist:
    """Who visits a game."""
    return Typist(
        game=visit.game,
        names=visit.names,
        sight=visit.sight,
        may=lambda seat, kind: bool(may(visit, Decide, seat=seat, decision={"type": kind})),
        undo=visit.may_go_back(recording.undo_step(visit.game)),
        redo=visit.may_go_back(recording.redo_step(visit.game)),
        claimant=None if may(visit, "speak", seat=None) else next(iter(visit.seats_spoken_for), None),
    )


NOTED = re.compile(r"(\S+)(?:\s+(?:on\s+)?(\d{1,9})\s*:)?\s+(\S.*)")  # note on 6: the rain began
BACK = re.compile(r"(\S+)\s+(?:to\s+)?(\d{1,9})\s*(?:\((\w+)\))?\s*(?::\s*(\S.*))?")  # undo to 5 (table): why


def command_typed(text: str, about: int) -> commands.Note | commands.TakeBack | commands.Close | None:
    """What a text says that is no decision. about: the step that a note is on that names none."""
    if (found := NOTED.fullmatch(text)) is not None and _is_word(found[1], N_("Note"), say("Note")):
        return commands.Note(about if found[2] is None else int(found[2]), found[3])
    if (found := BACK.fullmatch(text)) is not None and _is_word(found[1], N_("Undo"), say("Undo")):
        causes: tuple[Cause, ...] = get_args(Cause)
        cause = next((one for one in causes if one == (found[3] or "table")), None)
        return None if cause is None else commands.TakeBack(int(found[2]), cause, found[4] or "")
    if _is_word(text, N_("Close the game"), say("Close the game")):
        return commands.Close()
    return None


def note_of(text: str) -> str:
    """What is typed to keep a text that nobody can tell more of: “somebody sold 2”."""
    return f"{say('Note')} “{text}”"


def _begins(said: str, text: str) -> str | None:
    """The rest of a text that begins with what is said."""
    begun = re.match(rf"\s*{re.escape(said)}(?!\w)[\s:]*(?=\S)", text, re.IGNORECASE)
    return None if begun is None else text[begun.end() :]


def _is_word(typed: str, *said: str) -> bool:
    """In the reader's language, or as a transcript has it."""
    return pieces(typed) in [pieces(one) for one in said]


def texts_of(line: str) -> list[tuple[int, str]]:
    """Split a text into what is read one by one, each with the position at which it begins.

    A remark and a line of a bare file are each one text: semicolons separate nothing there.
    """
    texts, begins = list[tuple[int, str]](), 0
    for row in line.split("\n"):
        whole = row.lstrip().startswith((BARE_LINE, REMARK))
        for part in [row] if whole else row.split(";"):
            text = part.strip()
            if text and not text.startswith(REMARK):
                texts.append((begins + part.index(text), text))
            begins += len(part) + 1
    return texts
