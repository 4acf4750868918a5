"""Query of the games page, parsed from its address."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any, Literal, get_args
from uuid import UUID

from daybook.domain.games import RULESETS, rules_of
from daybook.domain.kernel.frozen import Frozen
from daybook.services import days
from daybook.services.play.game_search import GameFilter, PageEnd, parse_cursor, rulesets_named, split_words
from daybook.services.store.read_models import GameList
from daybook.web.words import game_title, say

LISTS: tuple[GameList, ...] = get_args(GameList)
MAX_QUERY_CHARACTERS = 200  # of the search text
MINE = "mine"


class GameQuery(Frozen):
    """The query of the games page."""

    fields: dict[str, str]  # texts of the form
    faults: dict[str, str]  # errors by field
    asked: GameFilter
    after: PageEnd | UUID | None  # the end of the page before

    @property
    def is_empty(self) -> bool:
        return not self.filled_fields and self.after is None and not self.faults

    @property
    def filled_fields(self) -> dict[str, str]:
        """The fields that are not empty, for addresses of the same query."""
        return {name: value for name, value in self.fields.items() if value}

    @property
    def open(self) -> bool:
        return bool(self.filled_fields.keys() - {"q", "club"} or self.faults)


def read_query(args: Mapping[str, Any], zone: str = "UTC") -> GameQuery:
    """Parse the query of an address; its days are in a time zone.

    Invalid values are ignored, and reported as faults for fields of the form.
    """
    faults: dict[str, str] = {}
    fields = {
        "q": " ".join(args.get("q", "").split())[:MAX_QUERY_CHARACTERS],
        "list": one_of(args.get("list", ""), LISTS),
        "whose": one_of(args.get("whose", ""), (MINE,)),
        "game": args.get("game", "") if rules_of(args.get("game", "")) else "",
        "club": str(args.get("club", "")),
    }
    parsed_days = {}
    for name in ("since", "until"):
        fields[name] = args.get(name, "").strip()[:20]
        parsed_days[name] = days.read_day(fields[name])
        if fields[name] and parsed_days[name] is None:
            faults[name] = say("Enter a day as year, month and day: 2026-11-23.")
    since, until = parsed_days["since"], parsed_days["until"]
    if since and until and since > until:
        faults["until"] = say("The last day is before the first one.")
    try:
        club = UUID(fields["club"]) if fields["club"] else None
    except ValueError:
        club, fields["club"] = None, ""
    words = split_words(fields["q"])
    chosen: GameList | Literal[""] = next((name for name in LISTS if name == fields["list"]), "")
    requested = GameFilter(
        words=words,
        since=days.first_moment(since, zone) if since else "",
        until=days.last_moment(until, zone) if until else "",
        mine=fields["whose"] == MINE,
        list=chosen,
        ruleset=fields["game"],
        club=club,
        games_named=named_games(words),
    )
    return GameQuery(fields, faults, requested, parse_cursor(args.get("after", "")))


def named_games(words: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the rulesets that words name, by original and translated titles."""
    titles = [
        (ruleset_id, title) for ruleset_id, rules in RULESETS.items() for title in (rules.title, game_title(ruleset_id))
    ]
    return rulesets_named(words, titles)


def one_of(value: str, values: Container[str]) -> str:
    return value if value in values else ""
