"""Decisions and effects of the solo game (ACG-6). Automas and the third colour are named by their colour."""

from __future__ import annotations

from daybook.domain.games.arkwright_card.printed import Achievement, Development, Good
from daybook.domain.kernel.terms import Decision, Effect, Seat, SeatEffect

# --- the table's facts ---


class GridLaid(Decision, tag="grid_laid"):
    """The next card of the grid, in reading order."""

    card: Development


class DiscPlaced(Decision, tag="disc_placed"):
    """The owner of the money disc on the first card of the next row, from above."""

    colour: str


class FactoryDrawn(Decision, tag="factory_drawn"):
    """A factory to start with, where the table lets chance decide."""

    good: Good


class AutomaPlaced(Decision, tag="automa_placed"):
    """The automa on the next track, in the order of the goods."""

    colour: str


class MarkerDrawn(Decision, tag="marker_drawn"):
    """Out of the bag."""

    colour: str


# --- the player's decisions ---


class LetAutomasBegin(Decision, tag="let_automas_begin"):
    """The Entrepreneur is discarded, and the automas are first in the next round."""


class PickAchievement(Decision, tag="pick_achievement"):
    """One of those that are fulfilled, where the table lets the player choose."""

    achievement: Achievement


SoloDecision = GridLaid | DiscPlaced | FactoryDrawn | AutomaPlaced | MarkerDrawn | LetAutomasBegin | PickAchievement


# --- effects: the set-up ---


class GridCardPlaced(Effect, tag="grid_card_placed"):
    """row, column: from 1; awaited: cards that are still to come."""

    card: str
    row: int
    column: int
    awaited: int


class CardsRemoved(Effect, tag="cards_removed"):
    """They are not used in this game."""

    cards: tuple[str, ...]


class DiscLaid(Effect, tag="disc_laid"):
    """The card counts as taken while the disc is on it. row: from 1."""

    colour: str
    row: int
    card: str


class BagFilled(Effect, tag="bag_filled"):
    """markers: by colour."""

    markers: dict[str, int]


class AutomaMarkerSet(Effect, tag="automa_marker_set"):
    """arrows: passed from 0 on."""

    colour: str
    good: str
    appeal: int
    arrows: int


# --- effects: the automas' turn ---


class AutomasBegin(Effect, tag="automas_begin"):
    """The automas come before the player this round."""

    decade: int
    round: int


class AutomasNamedFirst(SeatEffect, tag="automas_named_first"):
    """The automas were named first for the next round. seat: the player with the choice."""


class MarkerShown(Effect, tag="marker_shown"):
    """Drawn out of the bag. left: of this colour in the bag."""

    colour: str
    left: int


class NeutralShown(Effect, tag="neutral_shown"):
    """Neither of the automas acts."""

    colour: str


class AutomaBuilt(Effect, tag="automa_built"):
    """A new factory, and with it new workers. left: appeal markers in its stock."""

    colour: str
    good: str
    left: int


class AutomaAdvanced(Effect, tag="automa_advanced"):
    """arrows: passed."""

    colour: str
    good: str
    before: int
    after: int
    arrows: int


class AutomaSharesGained(Effect, tag="automa_shares_gained"):
    """count: fewer than granted where the track ends; shares: owned now."""

    colour: str
    count: int
    shares: int


class DiscMoved(Effect, tag="disc_moved"):
    """steps: markers on the active track; none: the disc stays. row, column: its place now; card: under it."""

    colour: str
    steps: int
    row: int
    column: int
    card: str


class MarkerLaidAside(Effect, tag="marker_laid_aside"):
    """bag: markers left in it."""

    colour: str
    bag: int


class MarkersReturned(Effect, tag="markers_returned"):
    """bag: markers in it now, by colour."""

    bag: dict[str, int]


# --- effects: production ---


class AutomaSold(Effect, tag="automa_sold"):
    colour: str
    good: str
    appeal: int
    demand: int
    count: int


class AutomaIdle(Effect, tag="automa_idle"):
    """It has no factory of the active good."""

    colour: str
    good: str


class AutomaValueRaised(Effect, tag="automa_value_raised"):
    """sold: goods; value: of a share now."""

    colour: str
    sold: int
    steps: int
    value: int


class AutomaTopPointWon(Effect, tag="automa_top_point_won"):
    """The highest appeal. value: of a share now."""

    colour: str
    appeal: int
    steps: int
    value: int


class TopPointShared(Effect, tag="top_point_shared"):
    """The point for the highest appeal was lost. tied: seats; colours: automas with it."""

    good: str
    tied: tuple[Seat, ...]
    colours: tuple[str, ...]


# --- effects: the end ---


class AutomaScored(Effect, tag="automa_scored"):
    colour: str
    shares: int
    value: int
    score: int


class SoloWon(SeatEffect, tag="solo_won"):
    """best: the better automa's score; left: money that decided where both are equal."""

    score: int
    best: int
    left: int


class SoloLost(SeatEffect, tag="solo_lost"):
    """rank: 2 also where the first place is shared."""

    score: int
    best: int
    rank: int


class AchievementReached(SeatEffect, tag="achievement_reached"):
    """While the game is played: nothing can undo it."""

    achievement: str


class AchievementLost(SeatEffect, tag="achievement_lost"):
    """While the game is played: it cannot be fulfilled any more."""

    achievement: str


class AchievementEarned(SeatEffect, tag="achievement_earned"):
    """An achievement was earned at the end of the game. picked: chosen among several."""

    achievement: str
    picked: bool


SoloEffect = (
    GridCardPlaced
    | CardsRemoved
    | DiscLaid
    | BagFilled
    | AutomaMarkerSet
    | AutomasBegin
    | AutomasNamedFirst
    | MarkerShown
    | NeutralShown
    | AutomaBuilt
    | AutomaAdvanced
    | AutomaSharesGained
    | DiscMoved
    | MarkerLaidAside
    | MarkersReturned
    | AutomaSold
    | AutomaIdle
    | AutomaValueRaised
    | AutomaTopPointWon
    | TopPointShared
    | AutomaScored
    | SoloWon
    | SoloLost
    | AchievementReached
    | AchievementLost
    | AchievementEarned
)
