"""Every place that needs a condition for sight is in the table, with an adversary who tried it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pytest

from daybook.services.permissions.conditions import CONDITIONS

ROOT = Path(__file__).parents[3]
ASKED = {"is_revealed", "was_revealed_at", "may_hold_sealed", "is_at_table", "sights_of"}
CARRIED = {  # what these are made of, and where they are handed on
    "domain.kernel.record.Game.is_at_table",
    "services.store.read_models.GameRow",
    "services.store.read_models.parse_game_row",
}

SIGHT, SECRETS = "tests/web/test_conditions_for_sight.py", "tests/web/test_secrets.py"
ROLES, CLAIMS = "tests/services/permissions/test_club_roles.py", "tests/services/disputes/test_claims.py"
AGAIN = "tests/web/recording/test_sealed_again.py"
GIVEN_UP = f"{SIGHT}::test_giving_a_game_up_shows_nothing_and_it_goes_on"
BY_HAND = f"{SIGHT}::test_what_is_undone_stays_sealed_whatever_is_put_right"
SEALED = f"{SECRETS}::test_a_sealed_offer_is_read_by_nobody"
CORRECTED = "tests/web/test_secrets_corrections.py::test_what_is_sealed_stays_sealed"
CHANCES = "tests/web/replay/test_chances.py::test_a_game_that_is_opened_again_tells_nothing_any_more"
TOTALS = "tests/web/boards/test_table_privacy.py::test_giving_up_uncovers_no_totals"
KEPT = f"{SIGHT}::test_cards_drawn_while_a_game_was_open_are_shown_to_no_one"
AUDITS = "tests/web/disputes/test_disputed_pages.py::test_audit_of_steps_not_listed_yet_is_shown_to_no_one"

ADVERSARIES = {
    "domain.kernel.record.Game.is_revealed": f"{SIGHT}::test_what_was_laid_open_does_not_go_on",
    "domain.kernel.record.Game.may_hold_sealed": GIVEN_UP,
    "services.permissions.sights.sights_of": GIVEN_UP,
    "services.permissions.sights.hides_nothing": SEALED,
    "services.permissions.club_roles.covers_from": f"{ROLES}::test_an_organiser_sits_down_at_no_covered_table_by_a_merge",
    "services.permissions.visits.Visit.sights": "tests/services/permissions/test_visits.py::test_keeper_of_sealed_offers_sees_through_no_seat",
    "web.api.keys.sight_of": SEALED,
    "web.api.keys.may_see_hand": SEALED,
    "web.api.game_links._game_answer": SEALED,
    "domain.sealed_entries.first_sealed": BY_HAND,
    "domain.sealed_entries.before_seals": f"{AGAIN}::test_undoing_a_reveal_reopens_all_offers",
    "domain.sealed_entries.refuse_half_reveal": f"{AGAIN}::test_player_cannot_propose_to_undo_half_a_reveal",
    "domain.sealed_entries.reopened_at": f"{AGAIN}::test_undoing_a_reveal_reopens_all_offers",
    "domain.sealed_entries.corrected_after_reveal": f"{AGAIN}::test_correction_of_a_seen_offer_is_announced_to_everyone",
    "domain.sealed_entries.standing_seal": f"{AGAIN}::test_no_answer_depends_on_what_is_sealed",
    "domain.sealed_entries.refuse_unsealing": f"{SIGHT}::test_an_illegal_move_that_stood_reveals_nothing_sealed",
    "domain.corrections.Correction.plan": CORRECTED,
    "domain.corrections.sealed_since": CORRECTED,
    "domain.corrections.seen_by_keeper": CORRECTED,
    "services.play.sealing.current_sealing": SEALED,
    "services.permissions.actions._nothing_is_sealed": BY_HAND,
    "services.permissions.actions._sees_every_hand": f"{SIGHT}::test_putting_a_coin_right_does_not_end_what_is_sealed",
    "services.permissions.actions._is_shown_photo": f"{CLAIMS}::test_whoever_proposes_something_is_shown_no_photo_by_it",
    "services.permissions.sights.stays_covered": GIVEN_UP,
    "services.permissions.sights.nothing_covered": f"{SECRETS}::test_disputes_tell_nobody_what_lies_covered",
    "web.request.correction_results.complete": CORRECTED,
    "services.disputes.forks.add_practice_moves": "tests/services/disputes/test_forks.py::test_practice_players_help_in_no_fork_of_a_running_game",
    "services.files.receipts.unsigned_receipt": GIVEN_UP,
    "services.play.practice_tables.may_explain": "tests/services/play/test_practice_tables.py::test_a_table_of_practice_keeps_cards_covered_like_any_table",
    "services.play.practice_tables._next_mover": "tests/services/play/test_practice_tables.py::test_a_practice_game_that_nobody_sits_at_lies_open",
    "services.play.practice_tables._is_over": "tests/services/play/test_practice_tables.py::test_a_practice_game_that_nobody_sits_at_lies_open",
    "services.analysis.win_chances.analysis_state": CHANCES,
    "web.replay.replay.chances_address": CHANCES,
    "web.request.sharing.preview_step": "tests/web/replay/test_shared.py::test_share_button_says_nothing_covered_for_others",
    "web.request.sharing._offer_of_game": "tests/web/replay/test_shared.py::test_share_button_says_nothing_covered_for_others",
    "services.play.redaction.veil_in_force": TOTALS,
    "web.club.table.objections_of_rules": "tests/web/club/test_against_rules.py::test_who_is_no_organiser_is_told_that_and_not_why",
    "services.store.read_models.build_game_row": TOTALS,
    "services.store.read_models.games_without_hidden_parts": AUDITS,
    "web.site.home.game_line": TOTALS,
    "web.site.home.unlisted_row": TOTALS,
    "web.replay.pictures.answer_with_board": KEPT,
    "web.site.summary.summary_steps": KEPT,
    "web.disputes.compare._compare_with_game": SEALED,
    "web.api.corrections.compare_games": SEALED,
    "services.play.redaction.is_open": f"{SECRETS}::test_disputes_tell_nobody_what_lies_covered",
    "services.play.redaction.redact_as_played": "tests/web/test_secrets_corrections.py::test_what_is_covered_stays_covered",
    "services.files.import_export._extend_record": f"{SIGHT}::test_a_guess_in_a_file_is_not_told_from_what_was_sealed",
    "services.files.leases.take_lease": BY_HAND,
    "services.permissions.club_roles.may_umpire": f"{ROLES}::test_who_plays_under_a_guest_s_name_sees_no_more_by_any_role",
    "services.statistics.collect.rows_of": KEPT,
    "web.recording.live.readable_steps": SEALED,
    "web.replay.filmstrips.Filmstrips.newest_of": KEPT,
}


def functions_that_ask() -> Iterator[str]:
    for room in ("domain", "services", "web", "workers", "daybook"):
        for path in (ROOT / room).rglob("*.py"):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            if not path.is_symlink() and any(word in path.read_text() for word in ASKED):
                yield from _asking(ast.parse(path.read_text()), module)


def _asking(node: ast.AST, name: str) -> Iterator[str]:
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _asking(part, f"{name}.{part.name}")
            continue
        if (isinstance(part, ast.Attribute) and part.attr in ASKED) or (
            isinstance(part, ast.Name) and part.id in ASKED
        ):
            yield name
        yield from _asking(part, name)


def test_whoever_asks_a_condition_for_sight_is_in_the_table():
    assert {*functions_that_ask()} - CARRIED - CONDITIONS.keys() == set()


@pytest.mark.parametrize("place", CONDITIONS)
def test_the_table_names_what_there_is(place):
    parts = place.split(".")
    module = next(n for n in range(len(parts), 0, -1) if (ROOT / Path(*parts[:n])).with_suffix(".py").exists())
    assert attrgetter(".".join(parts[module:]))(import_module("daybook." + ".".join(parts[:module])))


@cache
def names_of_tests(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("place", CONDITIONS)
def test_an_adversary_tried_it(place):
    path, _, name = ADVERSARIES[place].partition("::")
    assert name in names_of_tests(path)


def test_no_adversary_tries_what_is_gone():
    assert ADVERSARIES.keys() == CONDITIONS.keys()
