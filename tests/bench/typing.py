"""Count the keys of a typed decision: the shortest line, and the line of its button.

    python -m tests.bench.typing

Of each recorded example: the shortest text of first letters and numbers that is read as the decision where it was made,
with the key that ends it. Beside it what is typed by who copies the button. Then how much is taken at once of what was
told by somebody who had read only the rules (`fixtures/told`), and how long a line takes.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from statistics import mean, median
from time import process_time

from daybook.domain.kernel.decisions import read_decision
from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE
from daybook.services.files.recordfile import read_record_file
from daybook.web import words
from daybook.web.words.typed import read_text, split_pieces
from daybook.web.words.written_game import typist_of

WORDS = 4  # of a button, at most
LETTERS = (1, 2, 3, 5)  # of a word
ENTER = 1


def shortest(label: str, sentences: Sequence[str], place: int) -> str:
    """The shortest beginnings of some of its words, in their order, that are read as one of the sentences."""
    found = label
    for many in range(1, WORDS + 1):
        for some in combinations(split_pieces(label), many):
            for letters in LETTERS:
                text = " ".join(piece if piece[-1].isdecimal() else piece[:letters] for piece in some)
                if len(text) < len(found) and read_text(text, sentences).taken == place:
                    found = text
    return found


def measure(game: Game, names: Sequence[str]) -> tuple[int, list[int], list[int]]:
    """The decisions of players, and how many keys each takes: at the least, and by its whole button."""
    typist, short, whole = typist_of(game, names), list[int](), list[int]()
    for step in game.line_since(0):
        event = game.entries[step].event
        if not isinstance(event, DecisionRecorded) or event.seat == TABLE:
            continue
        label = words.sentence(game.ruleset.id, event.decision, names)
        sentences = typist.sentences(split_pieces(label), game.board_at(game.parents[step]))
        said = read_decision(game, event.decision)
        place = next(n for n, item in enumerate(sentences) if read_decision(game, item.decision) == said)
        short.append(len(shortest(label, [sentence.says for sentence in sentences], place)) + ENTER)
        whole.append(len(label) + ENTER)
    return len(short), short, whole


def measure_lines(game: Game, names: Sequence[str], lines: Sequence[str]) -> tuple[int, int, float]:
    """Measure lines in free words, one decision each: how many are accepted at once, how many offer the right one, and
    the median milliseconds."""
    typist, at_once, asked, spent = typist_of(game, names), 0, 0, list[float]()
    decided = [step for step in game.line_since(0) if isinstance(game.entries[step].event, DecisionRecorded)]
    for step, line in zip(decided, lines, strict=False):
        board, event = game.board_at(game.parents[step]), game.entries[step].event
        assert isinstance(event, DecisionRecorded)
        begun = process_time()
        found = typist.read(line.replace(";", ","), board)
        spent.append(1000 * (process_time() - begun))
        meant = [item.decision for item in (*found.among, *found.nearest)]
        at_once += found.taken is not None
        asked += found.taken is None and read_decision(game, event.decision) in [
            read_decision(game, of) for of in meant
        ]
    return at_once, asked, median(spent)


def main() -> None:
    print(f"{'game':28} {'decisions':>9} {'keys at the least':>18} {'whole button':>13}")
    for file in sorted(Path("fixtures").glob("*.daybook")):
        if len(sys.argv) > 1 and file.stem not in sys.argv[1:]:
            continue
        record = read_record_file(io.BytesIO(file.read_bytes()), "")
        many, short, whole = measure(record.game, [seat.name for seat in record.header.seats])
        print(f"{file.stem:28} {many:9} {mean(short):18.1f} {mean(whole):13.1f}")
    print(f"\n{'told in own words':28} {'lines':>9} {'at once':>18} {'asked':>13} {'ms a line':>10}")
    for file in sorted(Path("fixtures/told").glob("*.txt")):
        record = read_record_file(io.BytesIO(Path(f"fixtures/{file.stem}.daybook").read_bytes()), "")
        lines = file.read_text(encoding="utf-8").splitlines()
        at_once, asked, spent = measure_lines(record.game, [seat.name for seat in record.header.seats], lines)
        print(f"{file.stem:28} {len(lines):9} {at_once:18} {asked:13} {spent:10.1f}")


if __name__ == "__main__":
    main()
