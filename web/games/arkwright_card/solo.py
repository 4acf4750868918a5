"""Words of the solo game: automas, bag, grid and achievements."""

from __future__ import annotations

from collections.abc import Mapping

from daybook.domain.games.arkwright_card import moves, solo_moves
from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.games.arkwright_card.printed import GOODS
from daybook.domain.kernel.terms import by_number
from daybook.web.games.arkwright_card.solo_values import ACHIEVEMENTS
from daybook.web.games.arkwright_card.values import COLOURS, card, good, goods, pounds, shares, tell
from daybook.web.words.decision_words import AT_ONCE, decides
from daybook.web.words.say import N_, Names, Plain, Sentences, Texts, join_words, say, says, says_one_of, sentences


def colour(code: str) -> str:
    return say(COLOURS[code]) if code in COLOURS else code


def automa(code: str) -> str:
    """Return an automa's name by its colour."""
    return say("automa {colour}", colour=colour(code))


def achievement(code: str) -> str:
    return say(ACHIEVEMENTS[code])


def taken_card_sentence(text: str, d: moves.ChooseStartCard | moves.TakeCard) -> str:
    """Describe taking a development card, with its place in the grid."""
    if d.place:
        return say("{card}, place {place} of the grid", card=say(text, card=card(d.card)), place=d.place)
    return say(text, card=card(d.card))


DECISIONS = (
    decides(solo_moves.GridLaid, "A card of the grid is laid", lambda d, names: card(d.card), how=AT_ONCE),
    decides(solo_moves.DiscPlaced, "A money disc is placed", "The {colour} disc", how=AT_ONCE),
    decides(
        solo_moves.FactoryDrawn, "A start factory is drawn", "Start with {good}", how=AT_ONCE, good=N_("Which good?")
    ),
    decides(
        solo_moves.AutomaPlaced,
        "An automa’s appeal marker is placed",
        lambda d, names: automa(d.colour),
        how=AT_ONCE,
        colour=N_("Which automa?"),
    ),
    decides(solo_moves.MarkerDrawn, "A marker is drawn from the bag", "The {colour} marker", how=AT_ONCE),
    decides(
        solo_moves.LetAutomasBegin,
        "Discard Entrepreneur (1) to play after the automas",
        "Discard Entrepreneur (1): the automas play first",
        how=AT_ONCE,
    ),
    decides(
        solo_moves.PickAchievement,
        "Choose an achievement",
        lambda d, names: achievement(d.achievement),
        how=AT_ONCE,
        achievement=N_("Which achievement?"),
    ),
)


def markers(counts: Mapping[str, int]) -> str:
    found = [say("{n} × {colour}", n=n, colour=colour(each)) for each, n in counts.items() if n]
    return join_words(found) or say("nothing")


def top_shared(e: solo_moves.TopPointShared, names: Names) -> str:
    who = join_words([*(names[seat] for seat in e.tied), *(automa(shade) for shade in e.colours)])
    return tell("{tied} share the highest appeal of {good}: no one gets the point", e, names, tied=who)


EFFECTS: Sentences = sentences(
    says_one_of(
        solo_moves.GridCardPlaced,
        lambda e: (
            "{card} is placed in row {row}, column {column}; the grid is complete"
            if not e.awaited
            else by_number(
                "n",
                "{card} lies in row {row}, column {column}, {n} card to come",
                "{card} is placed in row {row}, column {column}; {n} more cards to place",
            )
        ),
        n="awaited",
    ),
    says(solo_moves.CardsRemoved, "Out of the game: {cards}"),
    says(solo_moves.DiscLaid, "The {colour} disc is on {card} in row {row}"),
    says(solo_moves.BagFilled, "In the bag: {markers}"),
    says_one_of(
        solo_moves.AutomaMarkerSet,
        lambda e: (
            "{automa}: appeal {appeal} for {good}"
            if not e.arrows
            else by_number(
                "n",
                "{automa}: appeal {appeal} for {good}, past {n} red arrow",
                "{automa}: appeal {appeal} for {good}, past {n} red arrows",
            )
        ),
        automa=lambda e: automa(e.colour),
        n="arrows",
    ),
    says(solo_moves.AutomasBegin, "Decade {decade}, round {round}: the automas play first"),
    says(solo_moves.AutomasNamedFirst, "{seat} lets the automas play first in the next round"),
    says(solo_moves.MarkerShown, "The {colour} marker is drawn, {left} left in the bag"),
    says(solo_moves.NeutralShown, "{colour} is neutral: neither automa acts"),
    says(
        solo_moves.AutomaBuilt, "{automa} opens a {good} factory: new workers come", automa=lambda e: automa(e.colour)
    ),
    says_one_of(
        solo_moves.AutomaAdvanced,
        lambda e: (
            "{automa}’s appeal marker of {good}: {before} → {after}"
            if not e.arrows
            else by_number(
                "n",
                "{automa}’s appeal marker of {good}: {before} → {after}, past {n} red arrow",
                "{automa}’s appeal marker of {good}: {before} → {after}, past {n} red arrows",
            )
        ),
        automa=lambda e: automa(e.colour),
        n="arrows",
    ),
    says_one_of(
        solo_moves.AutomaSharesGained,
        lambda e: (
            "{automa} has {shares}, the end of the track" if not e.count else "{automa} gains {gained}: {shares} now"
        ),
        automa=lambda e: automa(e.colour),
        shares=lambda e: shares(e.shares),
        gained=lambda e: shares(e.count),
    ),
    says_one_of(
        solo_moves.DiscMoved,
        lambda e: (
            "The {colour} disc stays on {card}"
            if not e.steps
            else by_number(
                "n",
                "The {colour} disc moves {n} card to {card}: row {row}, column {column}",
                "The {colour} disc moves {n} cards to {card}: row {row}, column {column}",
            )
        ),
        n="steps",
    ),
    says(
        solo_moves.MarkerLaidAside,
        by_number(
            "n",
            "The {colour} marker is laid aside, {n} marker left in the bag",
            "The {colour} marker is laid aside, {n} markers left in the bag",
        ),
        n="bag",
    ),
    says(solo_moves.MarkersReturned, "All markers return to the bag: {markers}", markers=lambda e: markers(e.bag)),
    says_one_of(
        solo_moves.AutomaSold,
        lambda e: (
            "{automa} sells {goods}: appeal {appeal} − demand {demand}"
            if e.count
            else "{automa} sells no {good}: appeal {appeal}, demand {demand}"
        ),
        automa=lambda e: automa(e.colour),
        goods=lambda e: goods(e.count, e.good),
    ),
    says(solo_moves.AutomaIdle, "{automa} has no {good} factory", automa=lambda e: automa(e.colour)),
    says_one_of(
        solo_moves.AutomaValueRaised,
        lambda e: (
            by_number(
                "n",
                "{automa} has sold {n} good: share value {value}",
                "{automa} has sold {n} goods: share value {value}",
            )
            if e.steps
            else by_number(
                "n",
                "{automa} has sold {n} good; the share value stays at {value}, the end of its track",
                "{automa} has sold {n} goods; the share value stays at {value}, the end of its track",
            )
        ),
        automa=lambda e: automa(e.colour),
        value=lambda e: pounds(e.value),
        n="sold",
    ),
    says_one_of(
        solo_moves.AutomaTopPointWon,
        lambda e: (
            "{automa} has the highest appeal, {appeal}: share value {value}"
            if e.steps
            else "{automa} has the highest appeal, {appeal}; the share value stays at {value}, the end of its track"
        ),
        automa=lambda e: automa(e.colour),
        value=lambda e: pounds(e.value),
    ),
    says(solo_moves.TopPointShared, top_shared),
    says(
        solo_moves.AutomaScored,
        "{automa}: {shares} × {value} = {score}",
        automa=lambda e: automa(e.colour),
        shares=lambda e: shares(e.shares),
        value=lambda e: pounds(e.value),
        score=lambda e: pounds(e.score),
    ),
    says_one_of(
        solo_moves.SoloWon,
        lambda e: (
            "{seat} wins with {score} against {best}, by the {left} left"
            if e.score == e.best
            else "{seat} wins with {score} against {best}"
        ),
        score=lambda e: pounds(e.score),
        best=lambda e: pounds(e.best),
        left=lambda e: pounds(e.left),
    ),
    says(
        solo_moves.SoloLost,
        "{seat} does not win: {score} against {best}",
        score=lambda e: pounds(e.score),
        best=lambda e: pounds(e.best),
    ),
    says(solo_moves.AchievementReached, "{seat} reaches the achievement {achievement}"),
    says(solo_moves.AchievementLost, "{seat} can no longer reach the achievement {achievement}"),
    says(solo_moves.AchievementEarned, "{seat} earns the achievement {achievement}"),
)
PROMPTS: Texts = {
    "grid": "lay card {n} of the grid, row by row",
    "discs": "whose disc is on the first card of row {row}?",
    "factory_drawn": "draw a start factory out of four",
    "automa_markers": "which automa makes {good}?",
    "automa": "the automas’ turn: which marker comes out of the bag?",
    "achievements": "choose an achievement",
}


def prompt(board: Board) -> str | None:
    """Return the prompt of decisions that only the solo game has."""
    stage, solo = board.stage, board.solo
    if solo is None or stage not in PROMPTS:
        return None
    placed = sum(len(automa.appeal) for automa in solo.automas.values())
    return say(
        PROMPTS[stage], n=len(solo.grid) + 1, row=len(solo.discs) + 1, good=good(GOODS[min(placed, len(GOODS) - 1)])
    )


def automa_line(line: Plain, names: Names) -> str:
    return say(
        "to beat, {automa}: {shares} × {value} = {score}",
        automa=automa(line["colour"]),
        shares=shares(line["shares"]),
        value=pounds(line["value"]),
        score=pounds(line["score"]),
    )


OPTIONS: Texts = {
    "solo_random_factories": "Random start factories",
    "solo_pick_achievements": "Achievements are chosen",
}
HINTS: Texts = {
    "solo_random_factories": "Without it you choose them, one before the automas’ markers and one after.",
    "solo_pick_achievements": (
        "You choose two of those that are fulfilled after a win, one after a second place. Without it, all that are "
        "fulfilled count after a win."
    ),
}
PATHS: Texts = {
    "/solo": "solo game",
    "/solo/automas/*": "{k0} automa",
    "/solo/automas/*/shares": "{k0} automa: shares",
    "/solo/automas/*/share_value": "{k0} automa: share value",
    "/solo/automas/*/appeal": "{k0} automa: appeal markers",
    "/solo/automas/*/appeal/*": "{k0} automa: appeal marker of {k1}",
    "/solo/automas/*/sells/*": "{k0} automa: most {k1} that the market takes",
    "/solo/automas/*/worth": "{k0} automa: value of all shares",
    "/solo/bag/*": "bag: {k0} markers",
    "/solo/drawn": "markers laid aside",
    "/solo/grid": "the grid",
    "/solo/grid/*": "place {n0} of the grid",
    "/solo/discs/*": "place of the {k0} disc",
    "/solo/removed": "cards out of the game",
    "/solo/first": "the automas play first",
    "/solo/shippings": "shipping actions",
    "/solo/automated": "production was automated",
    "/solo/brokered": "the Broker was used",
    "/solo/helped": "Patent or Engineer was used",
    "/solo/penniless": "all money went into shares at the start",
}
