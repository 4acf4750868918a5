"""Record files for tests: played out, read, altered, sealed again."""

from __future__ import annotations

import io
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel import events
from daybook.domain.kernel.chronicle import Written, seal_line, unseal_line
from daybook.domain.kernel.events import DECISION, DecisionRecorded
from daybook.domain.kernel.record import Game
from daybook.services.files import recordfile
from daybook.services.files.import_export import store_record
from daybook.services.files.recordfile import Record, headers
from daybook.services.play.practice import Dealer, PracticeSeat, open_practice_game, play_out
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import fold_game
from daybook.services.store.printed_sheets import printed_sheet

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
NOW = "2026-11-20T19:30:00.000Z"
NAMES = ("Anna", "Bo", "Chiara", "Dan", "Elif", "Fred", "Gus", "Hana", "Ines", "Jo", "Kim", "Lars")


def written_at(step: int) -> Written:
    return Written(f"2026-11-20T{step // 3600:02}:{step // 60 % 60:02}:{step % 60:02}.000Z", "practice", f"step-{step}")


def played_game(seed: int, seats: int = 4, hands: str = "open", limit: int = 5000) -> Game:
    """A practice game of Making Profit, played out; a twin of what was played once in a process."""
    return _played_once(seed, seats, hands, limit).twin()


@cache
def _played_once(seed: int, seats: int, hands: str, limit: int) -> Game:
    ruleset, sheet = RULESETS["making_profit"], printed_sheet("making_profit")
    seated = [
        PracticeSeat(name, colour, f"person-{name}")
        for name, colour in zip(NAMES, ruleset.colours(sheet), strict=False)
    ][:seats]
    game = open_practice_game(UUID(int=seed), ruleset, sheet, seated, {"hands": hands}, written_at(0))
    for _ in play_out(game, Dealer(seed), written_at, limit):
        pass
    return game


def file_of(game: Game, title: str = "A game") -> bytes:
    names = NAMES[: len(game.opening.seats)]
    return b"".join(recordfile.write_full_file(recordfile.build_header(game, title, names), game.entries))


def bare_file_of(game: Game, title: str = "A game") -> bytes:
    header = recordfile.build_header(game, title, NAMES[: len(game.opening.seats)])
    return b"".join(recordfile.bare_file(header, game.entries))


def read_fixture(content: bytes) -> Record:
    return recordfile.read_record_file(io.BytesIO(content), NOW)


@cache
def _read_once(file: Path) -> Record:
    first, *lines = file.read_bytes().splitlines()
    if not headers.is_full(first):
        return read_fixture(file.read_bytes())
    header = headers.read_header(first)
    entries = [events.read_line(header.game, version, line) for version, line in enumerate(lines, 1)]
    return Record(header, fold_game(header.game, entries), bare=False)


def golden(recorded: Path | str) -> Record:
    """Return a recorded game of `fixtures`, or its file, read once per process: a copy, which may go on.

    It is folded as from a log; tests/services/play/test_fixtures.py judges them, which takes two seconds.
    """
    record = _read_once(FIXTURES / f"{recorded}.daybook" if isinstance(recorded, str) else recorded)
    return msgspec.structs.replace(record, game=record.game.twin())


def put_golden(book: Daybook, recorded: Path | str, public: bool = False) -> UUID:
    """Put a recorded game of `fixtures` into a daybook without the import's checks."""
    return store_record(book, golden(recorded), 0, public)


def ruleset_of(content: bytes) -> str:
    """The id of the ruleset, from the header alone: to read a file of a long game takes a second and more."""
    return str(msgspec.json.decode(content.partition(b"\n")[0])["ruleset"])


def reseal_line(content: bytes, line: int, left_out: Collection[str] = (), **parts: Any) -> bytes:
    """Return a full file with the entry of a line (from 1) altered, and this and all later lines sealed again."""
    header, *lines = content.splitlines()
    seal, bodies = "", [unseal_line(each)[0] for each in lines]
    raw = msgspec.json.decode(bodies[line - 2], type=dict[str, msgspec.Raw])
    given = {name: msgspec.Raw(msgspec.json.encode(part, order="deterministic")) for name, part in parts.items()}
    raw = {"type": given["type"], **raw, **given} if "type" in given else {**raw, **given}
    order = ("type", *DecisionRecorded.__struct_encode_fields__)
    if "type" not in raw or msgspec.json.decode(raw["type"]) == DECISION:  # what was not there stands where it belongs
        raw = dict(sorted(raw.items(), key=lambda part: order.index(part[0]) if part[0] in order else len(order)))
    bodies[line - 2] = msgspec.json.encode({name: part for name, part in raw.items() if name not in left_out})
    chained = []
    for body in bodies:
        each, seal = seal_line(body, seal)
        chained.append(each)
    return b"\n".join([header, *chained]) + b"\n"


def entry(content: bytes, line: int) -> dict[str, Any]:
    """The entry in a line (from 1) of a full file."""
    plain: dict[str, Any] = msgspec.json.decode(content.splitlines()[line - 1])
    return plain
