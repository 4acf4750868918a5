"""WF-4.16.5 to WF-4.16.12: the call-out, by example and against a second way of counting."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from daybook.domain.games.water_frame import callout
from daybook.domain.games.water_frame.callout import Stall, Takers


class Shop(NamedTuple):
    """A player in the call-out, and how he will answer: with extra shifts or not, and when he stops."""

    appeal: int
    made: int
    stored: int = 0
    quality: int = 9
    extra: bool = False  # owns extra shifts
    shifts: bool = False  # and uses them
    lets_go: int = 99  # stored goods he sells before he stops


class Sold(NamedTuple):
    each: list[int]
    importer: int
    left: int
    questions: list[int]
    groups: list[Takers]
    stored: list[int]


def sale(demand: int, *shops: Shop, importer: int = 0, sells_on: bool = True) -> Sold:
    """Run a call-out to its end; shops in player order."""
    unsold = [shop.made for shop in shops]
    stored = [shop.stored for shop in shops]
    owns = [shop.extra for shop in shops]
    stopped = [False] * len(shops)
    out = Sold([0] * len(shops), 0, 0, [], [], stored)

    def stalls() -> list[Stall]:
        return [
            Stall(seat, shop.appeal, shop.quality, unsold[seat], stored[seat], owns[seat], stopped[seat])
            for seat, shop in enumerate(shops)
        ]

    importer_sold = 0
    at, order = callout.begin_call_out(demand, stalls(), importer), callout.groups(stalls(), importer)
    while True:
        step = callout.goes_on(at, stalls(), order, sells_on)
        if step is not None:
            out.groups.append(step)
            importer_sold += step.importer
            for seat in (*step.produced, *step.extra, *step.stored):
                out.each[seat] += 1
            for seat in step.produced:
                unsold[seat] -= 1
            for seat in step.stored:
                stored[seat] -= 1
            continue
        if at.asked is None:
            break
        seat = at.asked
        assert not unsold[seat]
        out.questions.append(seat)
        if owns[seat] and shops[seat].shifts:
            at.extra.append(seat)
        elif stored[seat] and shops[seat].stored - stored[seat] < shops[seat].lets_go:
            at.stored.append(seat)
        else:
            stopped[seat] = True
        owns[seat] = False
    return out._replace(importer=importer_sold, left=at.demand)


# --- the second way: every call that will be answered is a slip of paper; put them in order and count ---


def slips(shops: tuple[Shop, ...], importer: int) -> list[tuple[tuple[int, int, int, int], int | None]]:
    """Return the slips (place in the order, owner); equal places take at the same time."""
    found: list[tuple[tuple[int, int, int, int], int | None]] = [
        ((-space, -importer, 1, 0), None) for space in range(1, importer + 1)
    ]
    for seat, shop in enumerate(shops):
        willing = shop.made + (shop.extra and shop.shifts) + min(shop.stored, shop.lets_go)
        found += [
            ((-space, -shop.appeal, 0, -shop.quality), seat)
            for space in range(shop.appeal, max(0, shop.appeal - willing), -1)
        ]
    return found


def good_slips(demand: int, *shops: Shop, importer: int = 0) -> tuple[list[int], int]:
    """A slip is good when fewer slips lie strictly before it than there is demand."""
    all_slips = slips(shops, importer)
    good = [owner for place, owner in all_slips if sum(other < place for other, _ in all_slips) < demand]
    return [good.count(seat) for seat in range(len(shops))], good.count(None)


def some_shop(chance: random.Random) -> Shop:
    return Shop(
        appeal=chance.randrange(8),
        made=chance.randrange(9),
        stored=chance.choice((0, 0, 1, 2, 5)),
        quality=chance.randrange(8, 12),
        extra=chance.random() < 0.4,
        shifts=chance.random() < 0.5,
        lets_go=chance.choice((0, 1, 2, 99)),
    )


@pytest.mark.parametrize("seed", range(8))
def test_wf_4_16_5_thousands_of_sales_are_counted_two_ways(seed):
    # also WF-4.16.12
    chance = random.Random(seed)
    for _ in range(1000):
        shops = tuple(some_shop(chance) for _ in range(chance.randrange(1, 5)))
        demand, importer = chance.randrange(21), chance.randrange(8)
        found = sale(demand, *shops, importer=importer)
        assert (found.each, found.importer) == good_slips(demand, *shops, importer=importer), (demand, importer, shops)
        limits(found, demand, importer, shops)


def limits(sold: Sold, demand: int, importer: int, shops: tuple[Shop, ...]) -> None:
    """WF-7.18 and WF-7.19."""
    spare = sum(group.spare for group in sold.groups)
    total = sum(sold.each) + sold.importer
    assert sold.left + total - spare == demand
    assert all(not group.spare for group in sold.groups[:-1])
    assert sold.importer <= importer
    if sold.groups:
        last = sold.groups[-1]
        assert spare <= max(0, len(last.produced + last.extra + last.stored) + last.importer - 1)
    for seat, shop in enumerate(shops):
        willing = shop.made + (shop.extra and shop.shifts) + min(shop.stored, shop.lets_go)
        assert sold.each[seat] <= min(shop.appeal, willing)
        if sold.left:
            assert sold.each[seat] == min(shop.appeal, willing)
        for other, rival in enumerate(shops):
            spares = willing > sold.each[seat]
            if spares and (shop.appeal, shop.quality) >= (rival.appeal, rival.quality):
                assert sold.each[seat] >= sold.each[other]
    if sold.left:
        assert sold.importer == importer


# --- the examples of the rulebook ---


def test_wf_9_35_three_rounds_of_calls():
    found = sale(7, Shop(4, 3), Shop(3, 2), importer=3)
    assert (found.each, found.importer, found.left) == ([3, 2], 2, 0)
    assert [(group.token, group.produced, group.importer) for group in found.groups] == [
        (4, (0,), False),
        (3, (0,), False),
        (3, (1,), False),
        (3, (), True),
        (2, (0,), False),
        (2, (1,), False),
        (2, (), True),
    ]


def test_wf_9_53_the_appeal_is_the_limit():
    found = sale(9, Shop(4, 3), Shop(3, 4), importer=3)
    assert (found.each, found.importer, found.left) == ([3, 3], 3, 0)


def test_wf_9_52_who_has_nothing_to_sell_is_skipped():
    found = sale(9, Shop(4, 3))
    assert (found.each, found.left, found.questions) == ([3], 6, [])


# --- rule by rule ---


def test_wf_4_16_5_token_begins_on_a_leading_importer():
    assert sale(2, Shop(2, 2), importer=4).each == [0]
    assert sale(3, Shop(2, 2), importer=4).importer == 3 - sale(3, Shop(2, 2), importer=4).each[0]
    assert callout.begin_call_out(5, [], 4).token == 4


def test_wf_4_16_6_nobody_sells_more_than_his_appeal():
    assert sale(20, Shop(2, 5)).each == [2]
    assert sale(20, Shop(0, 5)).each == [0]


def test_wf_4_16_7_production_goes_first_and_must_be_sold():
    found = sale(20, Shop(5, 3, stored=4, lets_go=1))
    assert (found.each, found.stored, found.questions) == ([4], [3], [0, 0])


def test_wf_4_16_8_the_importer_always_has_goods():
    assert sale(20, importer=6).importer == 6


def test_wf_4_16_9_who_stops_is_not_asked_again():
    found = sale(20, Shop(6, 1, stored=5, lets_go=0, extra=True))
    assert (found.each, found.questions) == ([1], [0])


def test_wf_4_16_10_extra_shifts_only_at_the_first_call():
    assert sale(20, Shop(6, 1, extra=True, shifts=True)).each == [2]
    found = sale(20, Shop(6, 1, stored=2, extra=True, shifts=True))
    assert (found.each, found.questions) == ([4], [0, 0, 0])


def test_wf_4_16_11_equal_appeal_falls_to_quality_then_importer():
    assert sale(1, Shop(3, 1, quality=9), Shop(3, 1, quality=10)).each == [0, 1]
    assert (sale(2, Shop(3, 1, quality=9), Shop(3, 1, quality=10), importer=3).importer) == 0
    assert sale(1, Shop(2, 3), importer=3).each == [0]


def test_wf_4_16_11_the_appeal_counts_not_the_called_space():
    """The importer on space 2 is further ahead, and still goes first."""
    found = sale(3, Shop(2, 3), importer=3)
    assert (found.each, found.importer) == ([1], 2)


def test_wf_4_16_12_equals_take_together_and_the_supply_helps():
    found = sale(1, Shop(3, 1), Shop(3, 1), Shop(3, 1))
    assert (found.each, found.left, found.groups[-1].spare) == ([1, 1, 1], 0, 2)


def test_wf_4_16_12_who_stops_is_not_in_the_group():
    found = sale(1, Shop(3, 0, stored=1, lets_go=0), Shop(3, 1))
    assert (found.each, found.groups[-1].spare, found.questions) == ([0, 1], 0, [0])


def test_wf_4_16_12_equals_are_asked_in_order_before_taking():
    found = sale(1, Shop(3, 0, stored=1), Shop(3, 1), Shop(3, 0, stored=1))
    assert (found.each, found.questions) == ([1, 1, 1], [0, 2])
    assert found.groups == [Takers(3, (1,), (), (0, 2), False, demand=0, spare=2)]


def test_wf_4_16_12_nobody_is_asked_when_the_demand_is_used_up():
    assert sale(2, Shop(3, 3), Shop(2, 0, stored=2)).questions == []


def test_wf_6_49_the_importer_goes_on_alone_or_not():
    assert sale(20, Shop(4, 1), importer=4).importer == 4
    assert sale(20, Shop(4, 1), importer=4, sells_on=False).importer == 0
    assert sale(20, Shop(3, 2), importer=4, sells_on=False).importer == 3  # on 4, 3 and 2, ahead of him
    assert sale(20, Shop(0, 9), importer=4, sells_on=False).importer == 0


def test_wf_6_49_possible_seller_keeps_the_importer_going():
    shop = Shop(3, 1, stored=1, lets_go=0)
    assert sale(20, shop, importer=3, sells_on=False).importer == 1
    assert sale(20, shop._replace(stored=0), importer=3, sells_on=False).importer == 0


def test_wf_4_16_9_who_is_asked_stays_so_until_he_answers():
    stalls = [Stall(2, 3, 9, 0, 1, False, False)]
    at = callout.begin_call_out(4, stalls, 0)
    for _ in range(2):
        assert (callout.goes_on(at, stalls, callout.groups(stalls, 0), True), at.asked) == (None, 2)


@pytest.mark.parametrize(
    ("token", "done", "called", "stall", "comes"),
    [
        (2, 0, [(None,)], Stall(0, 1, 9, 0, 1, False, False), True),  # on the space below
        (1, 0, [(None,), (0,)], Stall(0, 1, 9, 0, 1, False, False), True),  # later on the last space
        (1, 1, [(0,), (None,)], Stall(0, 3, 9, 0, 1, False, False), False),  # his turn on the last space is past
        (1, 0, [(None,), (1, 2)], Stall(2, 1, 9, 1, 0, False, False), True),
        (3, 0, [(None,)], Stall(0, 2, 9, 0, 0, True, False), True),  # extra shifts alone
        (3, 0, [(None,)], Stall(0, 2, 9, 0, 0, False, False), False),  # nothing to sell
        (3, 0, [(None,)], Stall(0, 2, 9, 0, 5, True, True), False),  # who has stopped
        (3, 0, [(None,)], Stall(0, 0, 9, 5, 0, False, False), False),  # no space calls appeal 0
    ],
)
def test_wf_6_49_who_is_still_to_be_called(token, done, called, stall, comes):
    assert callout.comes(callout.CallOut(9, token, done), stall, called) == comes


def test_wf_6_49_one_player_with_goods_keeps_importer_going():
    shop = Shop(3, 1, stored=1, lets_go=0)
    assert sale(20, shop, Shop(2, 0), importer=3, sells_on=False).importer == 1


def test_wf_4_16_11_player_without_quality_precedes_importer():
    assert callout.groups([Stall(0, 3, 0, 1, 0, False, False)], 3) == [(3, (0,)), (3, (None,))]
    assert sale(1, Shop(3, 1, quality=0), importer=3).each == [1]


def test_wf_4_16_12_production_and_shifts_of_equals_are_joint():
    found = sale(1, Shop(3, 1), Shop(3, 0, extra=True, shifts=True))
    assert found.groups == [Takers(3, (0,), (1,), (), False, demand=0, spare=1)]
