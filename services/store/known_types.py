"""Prepare msgspec's decoders of our types before threads start.

msgspec prepares the decoder of a type at first use, and attaches it to the class before it is complete. Another thread
that decodes the same type then crashes the process with SIGSEGV (msgspec 0.22, the newest).
"""

from __future__ import annotations

import sys
from contextlib import suppress

import msgspec

from daybook.domain.games import RULESETS

_known: set[type[msgspec.Struct]] = set()
_modules_before = 0  # imported when the types were last looked for: a module defines its types at import


def prepare_decoders() -> None:
    """Prepare every type that is defined by now, those of plug-in games included.

    A process calls it in its only thread, after its imports. A further call without new imports costs nothing.
    """
    global _modules_before
    if len(sys.modules) == _modules_before:
        return
    for ruleset in RULESETS.values():
        ruleset.make_readers()
    for kind in _structs() - _known:
        with suppress(TypeError, NameError, AttributeError):  # never decoded: its fields have no types
            msgspec.json.Decoder(kind)
        _known.add(kind)
    _modules_before = len(sys.modules)


def _structs() -> set[type[msgspec.Struct]]:
    """Return every Struct type."""
    found, todo = set[type[msgspec.Struct]](), [msgspec.Struct]
    while todo:
        narrower = todo.pop().__subclasses__()
        found.update(narrower)
        todo += narrower
    return found
