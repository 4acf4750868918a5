"""Parser of typed lines: each text becomes a legal decision or command of the user."""

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
from daybook.web.words.decision_words import CLOSES, FOR_ALL, IN_FULL, IN_TURN, OPENS, DecisionRow
from daybook.web.words.explained import Explained, explain_text, tells_all_chosen
from daybook.web.words.fit import Candidate
from daybook.web.words.line_in_words import LINE_PREFIX
from daybook.web.words.phrases import NUMBERS, root_of, words_of
from daybook.web.words.places import adjustable_places, countable_places, parse_values, text_of
from daybook.web.words.say import N_, Names, Plain, say, seat_name
from daybook.web.words.spoken import spelled_as_meant
from daybook.web.words.typed import Reading, read_exactly, read_text, split_pieces

VERB_LAST = ("ko",)  # languages with final verbs
REMARK = "#"  # start of an ignored line
UNKNOWN_PLAYER = re.compile(
    r"\s*(?:somebody|someone|some player|누군가|누가)\b[가는이]?[\s:,]*", re.IGNORECASE
)  # an unknown player
SELF = re.compile(r"\b(himself|herself|themself|themselves|own|자신|자기)\b", re.IGNORECASE)
LINE_NUMBER = re.compile(  # in front of a line: 3.  T14  1790:  11)  round 2:
    r"\s*(?:(?:t|(?:turn|round|move|no|#)\.?\s*)\d{1,4}\b\s*[.):–-]?|\d{1,4}\s*[.):](?!\d)|\d{1,4}\s+[–-]\s)\s*(?=\S)",
    re.IGNORECASE,
)
INITIAL = re.compile(r"(?:^|(?<=[,;:(]))(\s*)([^\W\d_])(?=[.:)]|\s+\S)|(?<=\s)()([^\W\d_])(?=:)")
NAME_LAST = re.compile(r"(.*?\w)(?:\s*[,–-]\s*|\s+(?:for|by)\s+|\s+)([^\s,]+?)[.!]*\s*", re.IGNORECASE | re.DOTALL)
COUNT = re.compile(  # of equal decisions: buy 3 shares
    rf"(?<![\w£$€₩])([2-9]|{'|'.join(word for word, n in NUMBERS.items() if n in tuple('23456789'))})\s+(?=[^\W\d])",
    re.IGNORECASE,
)
AFTER_NAME = re.compile(r"(?:['’]s?\b)?[\s.:,–-]*")
VALUES_WITH_REASON = re.compile(r"(.+)\(([^()]+)\)\s*")  # Anna's money 12 (a note lay under the board)
DAY = re.compile(r"\d{4}-\d\d-\d\d\s*")
PLAYED_ON = N_("Played on")
TIMES = re.compile(r"(\d+) × (\w+)")
AND = re.compile(r"\s*,?\s+(?:and then|and|then|그리고)\s+", re.IGNORECASE)  # between two decisions
DIGIT = re.compile(r"\d")
LEAST_WORDS_OPENED = 2  # of a text whose action goes without saying
MAX_REPEATED_CARDS = 12  # named one by one
BARE_LINE = "{"  # start of a line of a bare file
STRUCK_LINE = "~"  # start of a line that was struck out later
STRUCK_MARK = re.compile(rf"\s*{STRUCK_LINE}")


class Sentence(Frozen):
    """A legal decision as its button shows it."""

    seat: Seat
    decision: Plain
    says: str
    is_typed: bool = False  # from the typed text, because no list has all of its kind
    outcome: str = ""  # what it brings, where a list shows that


class Meaning(Frozen):
    """Meaning of a text.

    Args:
        taken: the meant decision.
        among: candidates.
        nearest: similar legal decisions, if none is meant.
        unclear: unexplained words.
        is_guess: a word was misspelt, so the user is asked.
    """

    taken: Sentence | None
    among: list[Sentence]
    nearest: list[Sentence]
    unclear: str = ""
    is_guess: bool = False

    @property
    def enter_takes(self) -> bool:
        """True if Enter takes the nearest decision: it is the only one, and its number is not another one."""
        return len(self.nearest) == 1 and not any(map(str.isdigit, self.unclear))


NO_MEANING = Meaning(None, [], [])


class ReadText(Frozen):
    """Result of one text.

    Args:
        command: to record; None if there is none or it is ambiguous.
        says: the command in words.
        meaning: for decisions and unknown texts.
        legal: possible decisions, if none is similar.
    """

    text: str
    command: commands.Command | None = None
    says: str = ""
    meaning: Meaning = NO_MEANING
    legal: list[Sentence] = []

    @property
    def taken(self) -> Sentence | None:
        return self.meaning.taken


class Typist(Frozen, kw_only=True):
    """A user that types, with the user's view and rights.

    Args:
        sight: how the user sees the game.
        may: (seat, tag): check if the user may record such a decision.
        undo: step to which the user may go back.
        redo: step to which the user may go forward.
        claimant: seat for claims; None for the scorekeeper.
    """

    game: Game
    names: Names
    sight: Sight
    may: Callable[[Seat, str], bool]
    undo: int | None = None
    redo: int | None = None
    claimant: Seat | None = None

    def read(self, text: str, board: Board | None = None) -> Meaning:
        """Return the meaning of a text; a player's name in front selects the seat.

        A text without a meaning may be transcribed speech: it is read again as it sounds.

        Args:
            board: at that time; None for the present.
        """
        meaning = self._decided_for_all(self._read_as_written(text, board))
        if meaning.taken is None and (spelled := spelled_as_meant(text)) != text:
            heard = self._read_as_written(spelled, board)
            if heard.taken is not None and (not meaning.among or heard.taken in meaning.among):
                return heard
        if meaning.taken is None and (named := NAME_LAST.fullmatch(text)) is not None:
            meaning = self._with_name_first(named, board) or meaning
        return meaning if meaning.taken is not None else self._with_outcomes(meaning, board)

    def _with_name_first(self, text: re.Match[str], board: Board | None) -> Meaning | None:
        """Read a text with its last word, a player's name, in front; None if that makes it no clearer."""
        seat = next((at for at, name in enumerate(self.names) if name.casefold() == text[2].casefold()), None)
        if seat is None:
            return None
        meaning = self._read_as_written(f"{self.names[seat]}: {text[1]}", board)
        meant = meaning.among if meaning.taken is None else [meaning.taken]
        return meaning if meant and all(sentence.seat == seat for sentence in meant) else None

    def _with_outcomes(self, meaning: Meaning, board: Board | None) -> Meaning:
        """Add to the decisions of a question what they bring; after a wrong number, leave only those with such a line."""
        on, rows = self._board_for_legality(board), self._rows

        def with_outcome(sentence: Sentence) -> Sentence:
            row = rows.get(sentence.decision["type"])
            if row is None or row.outcome is None:
                return sentence
            brings = row.outcome(on, sentence.seat, read_decision(self.game, sentence.decision))
            return msgspec.structs.replace(sentence, outcome=brings)

        among, nearest = ([*map(with_outcome, listed)] for listed in (meaning.among, meaning.nearest))
        if meaning.unclear.isdecimal() and any(sentence.outcome for sentence in nearest):
            nearest = [sentence for sentence in nearest if sentence.outcome]
        return msgspec.structs.replace(meaning, among=among, nearest=nearest)

    @property
    def _rows(self) -> dict[str, DecisionRow]:
        return {row.tag: row for row in words.GAMES[self.game.ruleset.id].decisions.rows}

    def _thing(self, sentence: Sentence, row: DecisionRow | None) -> str:
        """Return what a line has to name for a decision; "" for nothing."""
        return "" if row is None or row.thing is None else row.thing(read_decision(self.game, sentence.decision))

    def _decided_for_all(self, meaning: Meaning) -> Meaning:
        """Return a meaning with its decision taken, if it is the same for each player and made for all."""
        tags = words.GAMES[self.game.ruleset.id].decisions.tags[FOR_ALL]
        if len(meaning.among) < 2 or meaning.among[0].decision["type"] not in tags:
            return meaning
        first, *others = meaning.among
        is_same = all(other.decision == first.decision for other in others)
        return Meaning(first, [], [], is_guess=meaning.is_guess) if is_same else meaning

    def apart(self, text: str) -> list[str]:
        """Return the texts that a short text of this game stands for, such as a line with the figures of all players."""
        return words.GAMES[self.game.ruleset.id].choosing.apart(self.game.board, text, self.names)

    def _in_full(self, text: str) -> str:
        """Return a text with what players of this game leave out."""
        return words.GAMES[self.game.ruleset.id].choosing.in_full(self.game.board, text, self.names)

    def _read_as_written(self, text: str, board: Board | None) -> Meaning:
        text = self._in_full(text)
        text = LINE_NUMBER.sub("", text, count=1) if LINE_NUMBER.match(text) else text
        spelled = INITIAL.sub(self._expand_initial, text)
        sentences = self.sentences([NUMBERS.get(piece, piece) for piece in split_pieces(spelled)], board)
        with_names = [f"{seat_name(sentence.seat, self.names)} {sentence.says}" for sentence in sentences]
        says = [sentence.says for sentence in sentences]
        exact = read_exactly(text, with_names) or read_exactly(text, says)
        if exact is not None:
            return _meaning(exact, sentences)
        reading = read_text(text, says, with_nearest=False)
        if reading.taken is None:
            named = read_text(text, with_names)
            reading = named if named.taken is not None or not reading.among else reading
        if (
            reading.taken is not None
            and (row := self._rows.get(sentences[reading.taken].decision["type"])) is not None
            and not self._is_told_enough(text, sentences[reading.taken], row, board)
        ):
            reading = Reading(None, reading.among, reading.nearest)
        if reading.taken is None:
            meaning = self._explained(text, sentences, reading, board)
            of_kind = [] if meaning.taken or meaning.among else self._of_kind_named(text, sentences)
            return Meaning(None, of_kind, []) if of_kind else meaning
        return _meaning(reading, sentences)

    def _is_told_enough(self, text: str, taken: Sentence, row: DecisionRow, board: Board | None) -> bool:
        """Check if a text names the thing that has to be named, and each choice of a kind that no list has."""
        if row.typed is None and IN_FULL not in row.how:
            return _names_thing(text, self._thing(taken, row))
        return tells_all_chosen(text, self._candidate(taken, self._board_for_legality(board), row), self._alike)

    def _of_kind_named(self, text: str, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return the decisions of a kind, if a text is the label of its button."""
        pieces = split_pieces(text)
        kinds = {row.tag for row in self._rows.values() if split_pieces(say(row.button)) == pieces}
        return [sentence for sentence in sentences if sentence.decision["type"] in kinds]

    def _explained(self, text: str, sentences: Sequence[Sentence], reading: Reading, board: Board | None) -> Meaning:
        """Return the meaning of a text with other words than the sentences, or with effects."""
        on = self._board_for_legality(board)
        rows = self._rows
        candidates = [self._candidate(sentence, on, rows.get(sentence.decision["type"])) for sentence in sentences]
        kinds = {sentence.decision["type"] for sentence in sentences}
        closed = [
            Candidate(says=say(row.button), name=" ".join(self.names)) for row in rows.values() if row.tag not in kinds
        ]
        explained, meant = Explained(), list[int]()
        for seats, rest, alike in self._split_by_player(text, {sentence.seat for sentence in sentences}):
            meant = [at for at, sentence in enumerate(sentences) if sentence.seat in seats]
            explained = explain_text(
                rest,
                [candidates[at] for at in meant],
                alike,
                words.GAMES[self.game.ruleset.id].twins,
                self.names,
                closed,
            )
            if explained.taken is not None:
                return Meaning(sentences[meant[explained.taken]], [], [], is_guess=explained.is_guess)
        if not meant and (named := self._about_player(text, sentences)):
            explained = explain_text(text, [candidates[at] for at in named], words.GAMES[self.game.ruleset.id].alike)
            if explained.taken is not None:
                return Meaning(sentences[named[explained.taken]], [], [], is_guess=explained.is_guess)
            meant = named
        nearest = [sentences[meant[at]] for at in explained.nearest]
        usual = _meaning(reading, sentences)
        among = usual.among or ([] if explained.left else nearest)
        return Meaning(None, among, [] if among else nearest or usual.nearest, " ".join(explained.left))

    @property
    def _alike(self) -> tuple[str, ...]:
        """Synonyms of this table, including players' names and colours."""
        ruleset_id, seats = self.game.ruleset.id, self.game.opening.seats
        colours = [
            f"{words.colour_label(ruleset_id, seat.colour)} = {name}"
            for seat, name in zip(seats, self.names, strict=True)
        ]
        return (*words.GAMES[ruleset_id].alike, *(colour for colour in colours if colour.count("=") == 1))

    def _about_player(self, text: str, sentences: Sequence[Sentence]) -> list[int]:
        """Return the decisions about the player named first in a text, such as “Make Ben start player”."""
        begins = words_of(text)[:1]
        name = next((name for name in self.names if begins and words_of(name) == begins), None)
        return [] if name is None else [at for at, of in enumerate(sentences) if begins[0] in words_of(of.says)]

    def _split_by_player(self, text: str, deciding: set[Seat]) -> Iterator[tuple[set[Seat], str, tuple[str, ...]]]:
        """Yield possible players of a text by its first name, with the rest and the synonyms that apply.

        Args:
            deciding: seats that may decide now.
        """
        text, alike, seats = INITIAL.sub(self._expand_initial, text), self._alike, deciding
        if (begun := UNKNOWN_PLAYER.match(text)) is not None:
            text = text[begun.end() :]
        for seat in (TABLE, *range(len(self.names))):
            for name in (seat_name(seat, self.names), *(("table",) if seat == TABLE else ())):
                begun = re.match(rf"{re.escape(name)}(?!\w)", text, re.IGNORECASE)
                if begun is None:
                    continue
                after = AFTER_NAME.match(text, begun.end())
                assert after is not None  # it matches nothing too
                yield {seat}, SELF.sub(seat_name(seat, self.names), text[after.end() :]), alike
                alike = tuple(
                    words.GAMES[self.game.ruleset.id].alike
                )  # the named player decides, but need not own the stock
                seats = {TABLE, seat} if seats is deciding else {*seats, seat}
                if ":" in after[0] and seat in deciding:
                    return
                break
        yield seats, text, alike

    def _expand_initial(self, initial: re.Match[str]) -> str:
        """Return the name for a unique initial; words of one letter stay."""
        letter = initial[2] or initial[4]
        after = initial.string[initial.end() : initial.end() + 1]
        meant = [name for name in self.names if name.casefold().startswith(letter.casefold())]
        is_word = letter.islower() or letter in ("A", "I")
        return (initial[1] or "") + (meant[0] if len(meant) == 1 and (after in ":.)" or not is_word) else letter)

    def _candidate(self, sentence_row: Sentence, board: Board, row: DecisionRow | None) -> Candidate:
        """Build a candidate from a legal decision.

        Args:
            row: words of its kind.
        """
        rules = self.game.ruleset
        needed = set() if row is None else {field.name for field in msgspec.structs.fields(row.kind) if field.required}
        chosen = {
            name: value
            for name, value in sentence_row.decision.items()
            if name != "type" and not isinstance(value, bool) and (value or (value == 0 and name in needed))
        }

        def values() -> list[tuple[str, str]]:
            sorts = {} if row is None else _sorts_of(row.kind)
            return [
                (sorts.get(name, ""), words.value_label(rules.id, name, value, self.names))
                for name, value in chosen.items()
            ]

        def follows() -> list[str]:
            if sentence_row.seat == TABLE and self.sight != EVERYTHING:
                return []
            effects = rules.play(board, sentence_row.seat, read_decision(self.game, sentence_row.decision))[1]
            return [words.sentence(rules.id, effect, self.names) for effect in msgspec.to_builtins(effects)]

        about = [] if row is None else [say(row.button)]
        questions = words.GAMES[rules.id].decisions.fields
        asks = [say(text) for name in chosen if (text := questions.get(f"{sentence_row.decision['type']}.{name}"))]
        asks = [text for text in asks if len({word.part for word in words_of(text)}) == 1]  # not “light or dark?”
        if row is not None and CLOSES in row.how:
            about.append(say("Done"))
        if not chosen and (row is None or CLOSES in row.how):  # it ends what the prompt is about
            about.append(words.prompt(rules.id, board, sentence_row.seat, self.names))
        one_by_one = TIMES.sub(
            lambda times: ", ".join([times[2]] * min(int(times[1]), MAX_REPEATED_CARDS)), sentence_row.says
        )
        also = (
            ()
            if row is None or row.also is None
            else row.also(board, sentence_row.seat, read_decision(self.game, sentence_row.decision))
        )
        if row is not None and row.outcome is not None:
            also = (*also, row.outcome(board, sentence_row.seat, read_decision(self.game, sentence_row.decision)))
        return Candidate(
            says=sentence_row.says,
            also=[text for text in (one_by_one, *also) if text not in ("", sentence_row.says)],
            about=". ".join(about),
            asks=". ".join(asks),
            name=seat_name(sentence_row.seat, self.names),
            verb=-1 if words.language() in VERB_LAST else 0,
            is_for_all=row is not None and FOR_ALL in row.how,
            unlisted=row is not None and (row.typed is not None or IN_FULL in row.how),
            told_in_short=sentence_row.is_typed,
            thing=self._thing(sentence_row, row),
            values=values,
            follows=follows,
        )

    def read_all(self, line: str, limit: int) -> tuple[list[ReadText], str]:
        """Read the texts of a line in order, at most `limit`.

        Returns:
            the read texts, and the rest from the first ambiguous or premature one.
        """
        read_so_far, board = list[ReadText](), self.board()
        for begins, text in texts_of(line):
            if len(read_so_far) == limit:
                return read_so_far, line[begins:]
            read_so_far.append(read_text := self.read_text(text, board if read_so_far else None))
            if read_text.command is None:
                return read_so_far, line[begins:]
            after = (
                board
                if read_text.taken is None and isinstance(read_text.command, commands.Note | commands.Count)
                else None
            )
            if read_text.taken is not None:
                after = self.following(board, read_text.taken)
            if after is None:
                return read_so_far, line[begins + len(text) :].lstrip("; \n")
            board = after
        return read_so_far, ""

    def separate(self, text: str, asks: bool = False) -> list[str]:
        """Return the parts of a text that names several decisions, if all are read; else the text.

        They are separated by “and” or “then”, counted (“buy 2 shares”), or the first of them goes without saying: the
        action to which a decision belongs.

        Args:
            asks: the last part may be ambiguous, for a page that asks which one is meant.
        """
        if self.read_text(text).command is not None:
            return [text]
        parts = [part for part in AND.split(text) if part.strip()]
        if len(parts) > 1:
            return parts if all(part.taken for part in self._read_parts(parts)) else [text]
        if (counted := COUNT.search(text)) is None:
            return self._opened(text, asks)
        once = text[: counted.start()] + text[counted.end() :]
        count = int(NUMBERS.get(counted[1].casefold(), counted[1]))
        parts = [*self._opened(once, asks=False)[:-1], *[once] * count]
        taken = [part.taken for part in self._read_parts(parts)]
        repeated = taken[len(parts) - count :]
        if all(taken) and _counts_thing(text, counted, repeated[0]) and repeated.count(repeated[0]) == count:
            return parts
        return [text]

    def _read_parts(self, parts: Sequence[str]) -> list[ReadText]:
        """Return all parts, read one after the other; the rest after an ambiguous one has no meaning."""
        read, _ = self.read_all("; ".join(parts), len(parts))
        return [*read, *(ReadText(part) for part in parts[len(read) :])]

    def _opened(self, text: str, asks: bool) -> list[str]:
        """Return a text after the decision that has to begin it, if only one makes it possible; else the text alone."""
        tags, board = words.GAMES[self.game.ruleset.id].decisions.tags, self.board()
        now = self.read(text)
        if now.taken is not None or now.among or len(split_pieces(text)) < LEAST_WORDS_OPENED:
            return [text]
        opens = {*tags[OPENS]}.intersection(tags[IN_TURN])
        clear, unclear = list[str](), list[str]()
        for sentence in self.sentences(board=board):
            if sentence.decision["type"] not in opens or (after := self.following(board, sentence)) is None:
                continue
            meaning = self.read(text, after)
            meant = [
                possible
                for possible in (meaning.among if meaning.taken is None else [meaning.taken])
                if possible.seat == sentence.seat and possible.decision["type"] not in (*tags[CLOSES], *tags[OPENS])
            ]
            if not meant or meaning.unclear:
                continue
            is_clear = meaning.taken is not None and not meaning.is_guess
            (clear if is_clear else unclear).append(sentence.says)
        found = [*clear, *unclear]
        return [found[0], text] if len(found) == 1 and (clear or asks) else [text]

    def read_text(self, text: str, board: Board | None = None) -> ReadText:
        """Read one text.

        Args:
            board: at that time; None for the present.
        """
        match command := command_typed(text, self.game.heads[-1]):
            case commands.Note():
                return ReadText(text, command, say("A note on step {n}", n=command.about_step))
            case commands.TakeBack():
                return ReadText(text, command, say("Undo {n}", n=command.to_step + 1))
            case commands.Close():
                return ReadText(text, command, say("Close the game"))
        if (values_read := self._read_values(text)) is not None:
            return values_read
        if (claim := NOTE_LINE.fullmatch(text)) is not None and _is_word(claim[1], N_("Claim"), say("Claim")):
            about = self.game.heads[-1] if claim[2] is None else int(claim[2])
            return ReadText(
                text, commands.RaiseClaim(about, claim[3], seat=self.claimant), say("A claim on step {n}", n=about)
            )
        if (day := _strip_prefix(PLAYED_ON, text) or _strip_prefix(say(PLAYED_ON), text)) is not None and DAY.fullmatch(
            day
        ):
            return ReadText(text, commands.SetDayOfPlay(day.strip()), f"{say(PLAYED_ON)} {day.strip()}")
        for back, to in N_((("Undo", self.undo), ("Redo", self.redo))):
            if to is not None and _is_word(text, back, say(back)):
                return ReadText(text, commands.TakeBack(to, "mistyped"), say(back))
        meaning = self.read(text, board)
        if meaning.taken is not None and meaning.is_guess:
            return ReadText(text, meaning=Meaning(None, [], [meaning.taken], is_guess=True))
        if (decision := meaning.taken) is not None:
            return ReadText(text, commands.Decide(decision.seat, dict(decision.decision)), decision.says, meaning)
        return ReadText(
            text,
            meaning=meaning,
            legal=[]
            if meaning.among or meaning.nearest
            else self._with_outcomes(Meaning(None, self.sentences(board=board), []), board).among,
        )

    def line_typed(self, text: str) -> commands.Line | None:
        """Return a command that is not a decision and may be in a written game."""
        values_read = self._read_values(text)
        command = command_typed(text, self.game.heads[-1]) if values_read is None else values_read.command
        return command if isinstance(command, commands.Line) else None

    def _read_values(self, text: str) -> ReadText | None:
        """Read a count or correction of the board; None if the text is neither."""
        text = self._in_full(text)
        for word in N_(("Count", "Correct the board")):
            rest = next((rest for prefix in (word, say(word)) if (rest := _strip_prefix(prefix, text))), None)
            if rest is None:
                continue
            values_text, why = rest, ""
            if (reason := VALUES_WITH_REASON.fullmatch(rest)) is not None:
                values_text, why = reason[1], reason[2]
            counts = word == "Count"
            if counts:
                places = [place for _, place in countable_places(self.game, self.names, self.sight)]
            else:
                places = [place for group in adjustable_places(self.game, self.names).values() for place in group]
            values, unclear = parse_values(values_text, places)
            if unclear or not values:
                return ReadText(text, meaning=Meaning(None, [], [], unclear))
            listed = ", ".join(
                f"{place.label} {text_of(values[place.path])}" for place in places if place.path in values
            )
            command = commands.Count(values, why) if counts else commands.Adjust(values, why)
            return ReadText(text, command, f"{say(word)}: {listed}")
        return None

    def sentences(self, typed: Sequence[str] = (), board: Board | None = None) -> list[Sentence]:
        """Return every legal decision that the user may record; of unlisted kinds, what was typed."""
        rules = self.game.ruleset
        on = self._board_for_legality(board)
        decisions = []
        for seat in rules.course.to_act(on):
            listed = [*rules.legal(on, seat)]
            meant = [
                decision
                for row in words.GAMES[rules.id].decisions.rows
                for decision in (() if row.typed is None else row.typed(on, typed, self.names))
                if decision not in listed and rules.first_refusal(on, seat, decision) is None
            ]
            decisions += [
                (seat, decision, place >= len(listed))
                for place, decision in enumerate(msgspec.to_builtins([*listed, *meant]))
                if self.may(seat, decision["type"])
            ]
        return [
            Sentence(seat, decision, words.sentence(rules.id, decision, self.names), is_typed)
            for seat, decision, is_typed in decisions
        ]

    def _board_for_legality(self, board: Board | None) -> Board:
        return replay.board_for_legality(self.game, self.game.step, self.sight) if board is None else board

    def board(self) -> Board:
        """Return the board as the user sees it."""
        board = self.game.board
        return (
            board if hides_nothing(self.game, self.sight) else self.game.ruleset.secrecy.redact_board(board, self.sight)
        )

    def following(self, board: Board, sentence: Sentence) -> Board | None:
        """Return the board after a decision, as far as the user may know."""
        if sentence.seat == TABLE and self.sight != EVERYTHING:
            return None
        try:
            after: Board = self.game.ruleset.play(board, sentence.seat, read_decision(self.game, sentence.decision))[0]
            return after
        except IllegalDecision:  # another user has recorded something; the refusal shows when it is written
            return None


@cache
def _sorts_of(kind: type[msgspec.Struct]) -> dict[str, str]:
    """Return the types of a decision's fields by name."""
    return {
        struct_field.name: str(struct_field.type).removesuffix(" | None")
        for struct_field in msgspec.structs.fields(kind)
    }


def _counts_thing(text: str, counted: re.Match[str], taken: Sentence | None) -> bool:
    """Check if the number of a text, right after the verb, counts a thing that a decision without numbers has once.

    “Buy 2 shares” counts the share of “Buy a share”; “pile 2 shares” and “buy 2 for Anna” count nothing.
    """
    if taken is None or DIGIT.search(taken.says):
        return False
    verb, *things = split_pieces(taken.says)
    before, after = split_pieces(text[: counted.start()])[-1:], split_pieces(text[counted.end() :])
    return [*map(root_of, before)] == [root_of(verb)] and any(f"{thing}s" in after for thing in things)


def _names_thing(text: str, thing: str) -> bool:
    """Check if a text has a word of a thing, or the beginning of one."""
    of_thing = [word for word in split_pieces(thing) if len(word) > 1]
    return not of_thing or any(word.startswith(piece) for piece in split_pieces(text) for word in of_thing)


def _meaning(reading: Reading, sentences: Sequence[Sentence]) -> Meaning:
    return Meaning(
        None if reading.taken is None else sentences[reading.taken],
        [sentences[at] for at in reading.among],
        [sentences[at] for at in reading.nearest],
    )


def typist_of(visit: Visit) -> Typist:
    """Return the typist of a visit."""
    return Typist(
        game=visit.game,
        names=visit.names,
        sight=visit.sight,
        may=lambda seat, kind: bool(may(visit, Decide, seat=seat, decision={"type": kind})),
        undo=visit.may_go_back(recording.undo_step(visit.game)),
        redo=visit.may_go_back(recording.redo_step(visit.game)),
        claimant=None if may(visit, "speak", seat=None) else next(iter(visit.seats_spoken_for), None),
    )


NOTE_LINE = re.compile(r"(\S+)(?:\s+(?:on\s+)?(\d{1,9})\s*:)?\s+(\S.*)")  # note on 6: the rain began
UNDO_LINE = re.compile(r"(\S+)\s+(?:to\s+)?(\d{1,9})\s*(?:\((\w+)\))?\s*(?::\s*(\S.*))?")  # undo to 5 (table): why


def command_typed(text: str, about: int) -> commands.Note | commands.TakeBack | commands.Close | None:
    """Parse a typed note, undo or close; return None for other texts.

    Args:
        about: step of a note that names none.
    """
    if (match := NOTE_LINE.fullmatch(text)) is not None and _is_word(match[1], N_("Note"), say("Note")):
        return commands.Note(about if match[2] is None else int(match[2]), match[3])
    if (match := UNDO_LINE.fullmatch(text)) is not None and _is_word(match[1], N_("Undo"), say("Undo")):
        causes: tuple[Cause, ...] = get_args(Cause)
        cause = next((cause_name for cause_name in causes if cause_name == (match[3] or "table")), None)
        return None if cause is None else commands.TakeBack(int(match[2]), cause, match[4] or "")
    if _is_word(text, N_("Close the game"), say("Close the game")):
        return commands.Close()
    return None


def note_of(text: str) -> str:
    """Return what to type to keep a text as a note."""
    return f"{say('Note')} “{text}”"


def _strip_prefix(prefix: str, text: str) -> str | None:
    """Return the rest of a text after a prefix; None without it."""
    begun = re.match(rf"\s*{re.escape(prefix)}(?!\w)[\s:]*(?=\S)", text, re.IGNORECASE)
    return None if begun is None else text[begun.end() :]


def _is_word(typed: str, *words_of_language: str) -> bool:
    """Check for a word, in the user's language or as in transcripts."""
    return split_pieces(typed) in [split_pieces(word) for word in words_of_language]


def texts_of(line: str) -> list[tuple[int, str]]:
    """Split a text into what is read one by one, each with the position at which it begins.

    A remark, a line of a bare file and such a line in words are each one text: semicolons separate nothing there. The
    mark of a line that was struck out later is left out.
    """
    texts, begins = list[tuple[int, str]](), 0
    for row in line.split("\n"):
        mark = STRUCK_MARK.match(row)
        unmarked, place = (row[mark.end() :], begins + mark.end()) if mark else (row, begins)
        is_one_text = unmarked.lstrip().startswith((BARE_LINE, REMARK, LINE_PREFIX))
        for part in [unmarked] if is_one_text else unmarked.split(";"):
            text = part.strip()
            if text and not text.startswith(REMARK):
                texts.append((place + part.index(text), text))
            place += len(part) + 1
        begins += len(row) + 1
    return texts
