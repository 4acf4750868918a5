"""Sums of money on pages, in random games of every game that counts money."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest

from daybook.services.permissions.sights import EVERYTHING
from daybook.services.play.replay import StepShown, steps_by_number
from daybook.web import words
from daybook.web.replay import ledger
from tests.web.conftest import NAMES, Opened

MONEY = {"making_profit": "money", "london_markets": "money", "water_frame": "cash", "arkwright_card": "money"}
SUM = re.compile(r"(?:[^:;,(]*[:;,(] )?([^:;,(]*) = [£$]?(\d+)(?: =.*)?")
COSTS = re.compile(r".* pays £(\d+) for [a-z]+: (.*)")


def total_of(text: str) -> int:
    """Work out a sum of products: "2 × £4 wages + £3 for 1 machine"."""
    terms = re.findall(r"([+−] )?[£$]?(\d+)(?:(?: [a-z]+)? × [£$]?(\d+))?(?: for \d+)?", text)
    return sum((-1 if sign == "− " else 1) * int(n) * int(times or 1) for sign, n, times in terms)


@pytest.fixture(params=[(ruleset, seed) for ruleset in MONEY for seed in (5, 6)], ids=str)
def played(request: pytest.FixtureRequest, open_game) -> Iterator[tuple[Opened, list[StepShown]]]:
    ruleset, seed = request.param
    game = open_game(NAMES, ruleset_id=ruleset)
    game.play(500, seed=seed)
    with game.app.test_request_context("/"):
        steps = steps_by_number(game.game, EVERYTHING)
        yield game, [steps[number] for number in range(game.step + 1)]


def test_ledger_row_names_each_amount_of_its_change(played):
    game, steps = played
    rules, account = game.game.ruleset, words.GAMES[game.game.ruleset.id].account
    column, told = MONEY[rules.id], 0
    rows = ledger.build_rows(rules.id, steps, NAMES, (column,), (), range(1, len(steps)))
    for row, step in zip(rows, steps[1:], strict=True):
        changes = {seat.seat: seat.cells[0].by.replace("−", "-") for seat in row.figures}
        for seat in range(len(NAMES)):
            effects = rules.typed_effects(step.effects)
            parts = account.changes_of(effects, column, seat)
            assert sum(n for _, n in parts) == int(changes.get(seat) or 0), row
            for effect, n in parts:
                says = words.sentence(rules.id, step.effects[effects.index(effect)], NAMES)
                assert re.search(rf"(?<!\d){abs(n)}(?!\d)", says), says
                assert account.cause_of(effect)
                told += 1
    assert told > 5


def amounts_in(html: str) -> list[int]:
    """Return the changes that a row of a figure's history shows in bold."""
    return [
        int(re.sub(r"[^\d−]", "", text).replace("−", "-")) for text in re.findall(r'<b class="n">([^<]*)</b>', html)
    ]


def numbers_in(html: str) -> list[int]:
    """Return the figure before and after a row of a history, or the figure that stays."""
    text = re.sub(r"[^\d−→ ]", "", re.sub(r"<[^>]+>", "", html.partition(">")[2]))
    return [int(number.replace("−", "-")) for number in re.findall(r"−?\d+", text)]


@pytest.mark.parametrize("ruleset", sorted(MONEY))
def test_figure_history_names_effects_and_adds_up(open_game, ruleset):
    game = open_game(NAMES, ruleset_id=ruleset)
    game.play(500, seed=7)
    rules, money, paths = game.game.ruleset, MONEY[ruleset], words.GAMES[ruleset].board.paths
    figures = [
        f"/columns/{name}/1" for name in (money, "share_value", "portfolio", "score") if name in rules.ledger.columns
    ]
    figures += [
        f"/players/1/{name}" for name in (money, "share_value", "worth", "value") if f"/players/*/{name}" in paths
    ]
    with game.app.test_request_context("/"):
        steps = steps_by_number(game.game, EVERYTHING)
    for at in figures:
        page = game.visitor().get(f"{game.path}/figure", at=at)
        history = re.findall(r'<li><a class="step-link".*?</li>', page.html, re.S)
        assert history, at
        for row in history:
            head, _, says = row.partition("</a>")
            parts, (was, *now) = amounts_in(says), numbers_in(head.partition('class="n faded"')[2])
            assert not parts or sum(parts) == sum(now) - was * len(now), (at, row)
            step, text = steps[int(re.search(r"Step (\d+)", head)[1])], unescape(re.sub(r"<[^>]+>", "", says))
            assert NAMES[1] in text or (parts and "score" in at), (at, text)
            effects = rules.typed_effects(step.effects)
            own = words.GAMES[ruleset].account.changes_of(effects, money, 1) if money in at else []
            with game.app.test_request_context("/"):
                said = [words.sentence(ruleset, step.effects[effects.index(effect)], NAMES) for effect, _ in own]
            assert all(sentence in text for sentence in said) and (said or money not in at), (at, text)


def test_every_sum_in_a_sentence_is_right(played):
    game, steps = played
    says = {text for step in steps for text in words.step_sentences(game.game.ruleset.id, step, NAMES)}
    sums = [found.groups() for text in says if (found := SUM.fullmatch(text))]
    sums += [(parts, total) for text in says if (found := COSTS.fullmatch(text)) for total, parts in [found.groups()]]
    assert [(parts, total) for parts, total in sums if total_of(parts) != int(total)] == []
    assert len(sums) > 10 or game.game.ruleset.id in ("making_profit", "london_markets"), "these write no sums"
