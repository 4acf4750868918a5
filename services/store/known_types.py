"""Makes what msgspec knows of our types before threads begin.

msgspec finds out how to read a type when it is first read, and hangs what it finds on the class before that is
finished: another thread that reads the same type meanwhile reads what is not there yet, and the process dies of SIGSEGV
(msgspec 0.22, the newest).
"""

from __future__ import annotations

from contextlib import suppress

import msgspec

from daybook.domain.games import RULESETS

_known: set[type[msgspec.Struct]] = set()


def make_types_known() -> None:
    """Have every type that is defined by now ready to be read, those of somebody else's games too.

    Called where nothing is read yet: a process calls it in its only thread, after its imports. What was made known
    before costs nothing again.
    """
    for ruleset in RULESETS.values():
        ruleset.make_readers()
    for kind in _structs() - _known:
        with suppress(TypeError, NameError, AttributeError):  # nothing is read as this one: its fields say no types
            msgspec.json.Decoder(kind)
        _known.add(kind)


def _structs() -> set[type[msgspec.Struct]]:
    """Every type there is."""
    found, todo = set[type[msgspec.Struct]](), [msgspec.Struct]
    while todo:
        narrower = todo.pop().__subclasses__()
        found.update(narrower)
        todo += narrower
    return found
