"""Records with damaged lines, which do not match their seals: they are readable, and take no more entries.

What is added to a damaged record is lost when a backup from before the damage is restored, so it is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.terms import because
from daybook.services.store import set_aside
from daybook.services.store.set_aside import SEALS, SetAside

if TYPE_CHECKING:
    from daybook.services.store.daybook import Daybook

DAMAGED = "damaged"  # key of the reason


def damaged_step(book: Daybook, record_id: UUID) -> int | None:
    """Return the first damaged step found in a game or club, or None."""
    aside = set_aside.find(book.views, record_id)
    return None if aside is None or SEALS not in aside.projections else step_of(book, aside) or 0


def step_of(book: Daybook, aside: SetAside) -> int | None:
    """Return the first step that was set aside; None if its entry is gone."""
    positions = book.log.positions(aside.id)
    return positions.index(aside.position) if aside.position in positions else None


def refuse_damaged(book: Daybook, record_id: UUID) -> None:
    """Raise Refused if damage was found in a game or club."""
    step = damaged_step(book, record_id)
    if step is not None:
        raise Refused(
            because("damaged", "step {step} of the stored record is damaged: contact the administrator", step=step)
        )
