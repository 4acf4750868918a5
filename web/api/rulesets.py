"""The known games, their vocabulary, and their component sheets."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from daybook.domain.games import RULESETS
from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.sheet import Sheet
from daybook.services.play.sheet_trials import TriedGames, publish_tried, stopped_finding, try_games
from daybook.services.store.game_cache import UnknownRulesetError
from daybook.services.store.sheets import examine_sheet
from daybook.services.structs import copy_fields
from daybook.web.api.answers import (
    AdditionShown,
    Contradicted,
    NumberShown,
    RulesetNamed,
    RulesetShown,
    RulesetsShown,
    SheetNamed,
    SheetShown,
    SheetsShown,
)
from daybook.web.api.base import book, section
from daybook.web.api.keys import person
from daybook.web.api.pages import fetch_page
from daybook.web.api.requests import PageQuery
from daybook.web.request.byte_counts import stranger_mark
from daybook.web.request.long_work import takes_long

rulesets = section("Rulesets and sheets", "The decisions of each game, and the printed numbers of its components.")


class NewSheet(Exact):
    name: Annotated[str, Meta(min_length=1, max_length=120)]  # such as the printing of the box
    # path -> the printed value
    overrides: Annotated[
        dict[str, Any], Meta(min_length=1, max_length=500, extra_json_schema={"example": {"start.money": 5}})
    ]


def known_ruleset(ruleset_id: str) -> AnyRuleset:
    """Raises UnknownRulesetError."""
    if ruleset_id not in RULESETS:
        raise UnknownRulesetError(ruleset_id)
    return RULESETS[ruleset_id]


@rulesets.reads("/rulesets", RulesetsShown, "the games", fails=(400,))
def list_rulesets() -> RulesetsShown:
    """List the games that Daybook knows"""
    return RulesetsShown([_ruleset_named(ruleset) for ruleset in RULESETS.values()])


def _ruleset_named(ruleset: AnyRuleset) -> RulesetNamed:
    printed = book().sheets.printed_sheet(ruleset.id)
    colours, sheet = ruleset.colours(printed), printed.digest()
    return copy_fields(RulesetNamed, ruleset, seats=[*ruleset.seats], colours=colours, sheet=sheet)


@rulesets.reads("/rulesets/<string:ruleset_id>", RulesetShown, "the game's vocabulary", fails=(400, 404))
def show_ruleset(ruleset_id: str) -> RulesetShown:
    """Describe a game's decisions, effects and options

    The answer has JSON Schemas, generated from the types that the rules use.
    """
    ruleset = known_ruleset(ruleset_id)
    types = ruleset.types
    decisions, effects, options, board = (
        msgspec.json.schema(type) for type in (types.decisions, types.effects, types.options, types.board)
    )
    return RulesetShown(
        _ruleset_named(ruleset),
        decisions,
        effects,
        options,
        board,
        list(ruleset.ledger.columns),
        list(ruleset.course.periods),
        list(ruleset.integrity.causes),
    )


@rulesets.reads(
    "/rulesets/<string:ruleset_id>/sheets",
    SheetsShown,
    "a page of sheets, the one published first first",
    query=PageQuery,
    fails=(400, 404, 422),
)
def list_sheets(query: PageQuery, ruleset_id: str) -> SheetsShown:
    """List a game's component sheets

    The first page begins with the sheets that are part of Daybook, which `limit` does not count. `next` is the address
    of the next page, or null on the last page.
    """
    printed = book().sheets.printed_sheet(known_ruleset(ruleset_id).id)
    first = [] if query.after else [SheetNamed(printed.digest(), "", {}, "", "")]
    found, more = fetch_page(query, lambda after, limit: book().sheets.page(ruleset_id, after, limit))
    ready = [] if query.after else book().sheets.ready(ruleset_id)
    named = [copy_fields(SheetNamed, sheet) for sheet in (*ready, *found)]
    return SheetsShown([*first, *named], more)


@rulesets.route("/rulesets/<string:ruleset_id>/sheets", methods=["POST"])
@rulesets.arguments(NewSheet)
@rulesets.answers(201, SheetShown, "the sheet", fails=(400, 404, 413, 415, 422, 429, 503))
@takes_long("POST")
def publish_sheet(body: NewSheet, ruleset_id: str) -> SheetShown:
    """Publish a corrected component sheet

    Send only the numbers that differ. Publishing the same numbers again returns the same sheet. The answer names the
    totals and examples that the numbers contradict. Numbers are refused if no game can start or finish with them. Only
    sheets of accounts are listed: use the hash of another sheet to open games with it.
    """
    id = known_ruleset(ruleset_id).id
    stranger, who = stranger_mark(), person() or ""
    hash = publish_tried(book().sheets, id, body.name, body.overrides, "api", person=who, stranger=stranger)
    return _sheet_shown(ruleset_id, hash, sheet := book().sheets.get(ruleset_id, hash), try_games(RULESETS[id], sheet))


@rulesets.reads("/rulesets/<string:ruleset_id>/sheets/<string:sheet_hash>", SheetShown, "the sheet", fails=(400, 404))
def show_sheet(ruleset_id: str, sheet_hash: str) -> SheetShown:
    """Show a component sheet with the source of each number"""
    return _sheet_shown(ruleset_id, sheet_hash, book().sheets.get(known_ruleset(ruleset_id).id, sheet_hash))


def _sheet_shown(ruleset_id: str, sheet_hash: str, sheet: Sheet, tried: TriedGames | None = None) -> SheetShown:
    rules = known_ruleset(ruleset_id)
    stopped = [] if tried is None or tried.is_whole else [stopped_finding(rules, tried)]
    return SheetShown(
        ruleset_id,
        sheet_hash,
        [copy_fields(NumberShown, number, path=path) for path, number in sheet.numbers.items()],
        [copy_fields(AdditionShown, addition, table=table) for table, addition in sheet.additions.items()],
        [
            Contradicted(finding.rule, str(finding.reason), list(finding.paths))
            for finding in (*stopped, *examine_sheet(rules, sheet))
        ],
    )
