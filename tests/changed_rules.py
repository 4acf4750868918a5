"""Rules that differ from a game's in one row of its table, for tests of other revisions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.terms import Decision


def with_kind(rules: Ruleset[Any], kind: type[Decision], **changes: Any) -> Ruleset[Any]:
    """The rules with another row for one kind of decision."""
    return replace(rules, kinds={**rules.kinds, kind: replace(rules.kinds[kind], **changes)})
