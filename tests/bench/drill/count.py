"""Count how many of the acknowledged entries on standard input a daybook has, in a process of the version that it has
become."""

from __future__ import annotations

import json
import sys
from collections import Counter
from contextlib import closing
from uuid import UUID

from daybook.domain.kernel.events import NoteAdded
from daybook.services.play.period_scores import periods_ended
from daybook.services.settings import read_settings
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook, open_daybook
from tests.servers import wait_until


def main() -> None:
    given = json.load(sys.stdin)
    with closing(open_daybook(read_settings())) as book:
        print(json.dumps(count(book, given["game"], given["words"], given["steps"]) | derived(book)))


def count(book: Daybook, game: str, words: list[str], steps: dict[str, int]) -> dict[str, int]:
    """words: of notes in one game; steps: the newest one of others."""
    entries = book.games.get(UUID(game)).entries
    there = Counter(entry.event.text for entry in entries if isinstance(entry.event, NoteAdded))
    behind = sum(max(0, step - book.games.get(UUID(id)).step) for id, step in steps.items())
    return {
        "missing": sum(word not in there for word in words) + behind,
        "twice": sum(many > 1 for many in there.values()),
    }


def derived(book: Daybook) -> dict[str, int]:
    """Wait until the follower is at the end of the log and all periods are scored, once each."""
    newest = book.log.newest()
    wait_until(lambda: read_models.position_of(book.views, "scores") >= newest, "the follower", 60)
    wait_until(lambda: not [*read_models.periods_without_score(book.views)], "scores", 60)
    with book.views.connect() as connection:
        scored = connection.execute(read_models.period_score.select()).all()
    entries = (entry for id in book.log.game_ids() for entry in book.games.get(id).entries)
    return {"periods ended": sum(len(periods_ended(entry.event)) for entry in entries), "scored": len(scored)}


if __name__ == "__main__":
    main()
