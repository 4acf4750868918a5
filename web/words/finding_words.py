"""Audit findings in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.services.files.audit import Difference, Finding, decode_finding
from daybook.services.store.disagreements import Disagreement
from daybook.services.store.read_models import GameRow
from daybook.web import words
from daybook.web.words.dispute_words import part_judged


class FindingInWords(Frozen):
    """A finding in words."""

    game: UUID
    step: int
    kind: str
    rule: str
    says: str
    differences: list[tuple[str, str, str]]


def disagreements_in_words(
    game: Game, disagreements: Iterable[Disagreement], names: Iterable[str]
) -> list[FindingInWords]:
    """Describe where the rules disagreed with an imported record. Reveals hands."""
    return [
        finding_in_words(game.id, decode_finding(disagreement.finding), {}, game.ruleset.id, names)
        for disagreement in disagreements
    ]


def finding_in_words(
    game_id: UUID, finding: Finding, rows: dict[UUID, GameRow], ruleset_id: str = "", names: Iterable[str] = ()
) -> FindingInWords:
    row = rows.get(game_id)
    if row is not None:
        ruleset_id, names = row.ruleset, row.names
    says = "" if finding.reason is None else words.reason_sentence(finding.reason, ruleset_id, tuple(names))
    return FindingInWords(
        game_id,
        finding.step,
        finding.kind,
        finding.rule,
        says,
        [_describe_difference(difference) for difference in finding.differences],
    )


def _describe_difference(difference: Difference) -> tuple[str, str, str]:
    return part_judged(difference.part), _short_text(difference.recorded), _short_text(difference.today)


def _short_text(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 200 else text[:200] + "…"
