"""A score sheet: checks, actions, and the table that names the rule of each check."""

from __future__ import annotations

from collections.abc import Iterable

from daybook.domain.games.score_sheet import moves
from daybook.domain.games.score_sheet.board import Board, empty_round, opening
from daybook.domain.games.score_sheet.definition import MOST_ROUNDS, SEATS, Line, seats_of
from daybook.domain.games.score_sheet.invariants import NAMES, breaches
from daybook.domain.games.score_sheet.scoring import COLUMNS, about, marks, outcome, places, rows, standing, totals
from daybook.domain.kernel.rule_parts import Course, DecisionKind, Integrity, Ledger, Scoring, Spread, Types
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.terms import Decision, Seat, Tell, WhyNot, first_reason, holds, refuse_unless

Cell = moves.Enter | moves.Clear  # decisions about one cell


def to_act(b: Board) -> tuple[Seat, ...]:
    """Return the acting seats: all players still in."""
    return () if b.ended else tuple(b.left)


def line_named(b: Board, key: str) -> Line | None:
    line = b.definition.lines.get(key)
    return line if line is not None and line.expansion in ("", *b.expansions) else None


# --- conditions and checks ---


@holds("the game is not over")
def game_on(b: Board) -> WhyNot:
    return refuse_unless(b.ended is None, "game_over", "the game is over")


@holds("the player is still in")
def still_in(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(0 <= seat < b.seats, "no_player", "a player decides this") or refuse_unless(
        not b.players[seat].out, "out", "a player who is out enters nothing more"
    )


@holds("the sheet has this line")
def line_there(b: Board, d: Cell) -> WhyNot:
    return refuse_unless(line_named(b, d.line), "no_line", "there is no line {line} on the sheet", line=d.line)


@holds("the round has begun")
def round_begun(b: Board, d: Cell) -> WhyNot:
    return refuse_unless(
        0 <= d.round <= b.round,
        "no_round",
        "round {round} has not begun: this is round {now}",
        round=d.round,
        now=b.round,
    )


@holds("the line accepts this figure")
def figure_fits(b: Board, d: moves.Enter) -> WhyNot:
    line = line_named(b, d.line)
    if line is None or line.takes(d.value):
        return None
    values = ", ".join(map(str, line.values))
    least, most = line.bounds
    return refuse_unless(
        line.kind != "choice",
        "no_value",
        "{name} is one of {values}, not {value}",
        name=line.name,
        values=values,
        value=d.value,
    ) or refuse_unless(
        least <= d.value <= most,
        "out_of_bounds",
        "{name} is from {least} to {most}, not {value}",
        name=line.name,
        least=least,
        most=most,
        value=d.value,
    )


@holds("there is another figure, or none")
def figure_new(b: Board, seat: Seat, d: moves.Enter) -> WhyNot:
    line = line_named(b, d.line)
    if line is None or not 0 <= d.round <= b.round:
        return None
    return refuse_unless(
        figure_at(b, seat, d) != d.value, "same", "{name} is {value} already", name=line.name, value=d.value
    )


@holds("there is a figure")
def figure_there(b: Board, seat: Seat, d: moves.Clear) -> WhyNot:
    line = line_named(b, d.line)
    if line is None or not 0 <= d.round <= b.round:
        return None
    return refuse_unless(figure_at(b, seat, d) is not None, "empty", "{name} is empty already", name=line.name)


def figure_at(b: Board, seat: Seat, d: Cell) -> int | None:
    return b.players[seat].rounds[(d.round or b.round) - 1][d.line]


@holds("the game is counted by rounds")
def by_rounds(b: Board) -> WhyNot:
    return refuse_unless(b.definition.by_rounds, "no_rounds", "this game is not counted by rounds")


@holds("a player has a figure in the round")
def round_played(b: Board) -> WhyNot:
    figures = [figure for player in b.players for figure in player.rounds[-1].values()]
    return refuse_unless(
        not figures or any(figure is not None for figure in figures),
        "empty_round",
        "nothing is entered in round {round} yet",
        round=b.round,
    )


@holds("the game ends when a player says so")
def ends_by_word(b: Board) -> WhyNot:
    return (
        refuse_unless(b.definition.score_wins != "last", "last_left", "the game ends when one player is left")
        or refuse_unless(
            b.definition.score_count != "rounds",
            "rounds_fixed",
            "the game ends with round {rounds}",
            rounds=b.definition.score_number,
        )
        or refuse_unless(
            b.definition.score_count != "target",
            "target_open",
            "the game ends when a player has {number}",
            number=b.definition.score_number,
        )
    )


@holds("something is entered")
def something_entered(b: Board) -> WhyNot:
    return None if b.round > 1 else round_played(b)


@holds("everyone has a place, and someone has first place")
def all_placed(b: Board) -> WhyNot:
    if b.definition.score_count != "places":
        return None
    given = [player.rounds[0]["place"] for player in b.players]
    return first_reason(
        refuse_unless(place is not None, "no_place", "seat {seat} has no place yet", seat=other)
        for other, place in enumerate(given)
    ) or refuse_unless(1 in given, "no_first", "no one has first place")


@holds("only cooperative games are entered as won or lost")
def states_if_won(b: Board, d: moves.EndGame) -> WhyNot:
    if b.definition.score_wins == "together":
        return refuse_unless(d.won is not None, "won_unsaid", "enter whether the game was won")
    return refuse_unless(d.won is None, "not_together", "the winner is counted")


@holds("the last one left wins")
def last_wins(b: Board) -> WhyNot:
    return refuse_unless(b.definition.score_wins == "last", "nobody_out", "players do not drop out in this game")


@holds("the game has this role, and the player does not have it yet")
def role_there(b: Board, seat: Seat, d: moves.TakeRole) -> WhyNot:
    return refuse_unless(
        d.role in b.definition.game_roles, "no_role", "there is no role {role}", role=d.role
    ) or refuse_unless(b.players[seat].role != d.role, "same_role", "the player already has this role")


@holds("totals of more than two players decide the game")
def teams_add(b: Board) -> WhyNot:
    return refuse_unless(
        b.may_have_teams,
        "no_teams",
        "teams need three players or more and totals, of which the highest or the lowest wins",
    )


@holds("the team exists, the player is in another, and not all players are in one")
def team_there(b: Board, seat: Seat, d: moves.TakeTeam) -> WhyNot:
    return (
        refuse_unless(
            0 <= d.team <= moves.MOST_TEAMS,
            "no_team",
            "teams are 1 to {most}, not {team}",
            most=moves.MOST_TEAMS,
            team=d.team,
        )
        or refuse_unless(b.players[seat].team != d.team, "same_team", "this is already entered like that")
        or refuse_unless(
            not d.team or not all(player.team == d.team for other, player in enumerate(b.players) if other != seat),
            "one_side",
            "all others are in this team; it needs an opponent",
        )
    )


@holds("the seat has a player, who is not already the one who began")
def seat_taken(b: Board, d: moves.SayStart) -> WhyNot:
    return refuse_unless(0 <= d.seat < b.seats, "no_seat", "no one sits there") or refuse_unless(
        b.start != d.seat, "same_start", "this player is already the one who began"
    )


@holds("the game has this expansion, and it is not set like this already")
def expansion_there(b: Board, d: moves.Use) -> WhyNot:
    return refuse_unless(
        d.expansion in b.definition.game_expansions,
        "no_expansion",
        "there is no expansion {expansion}",
        expansion=d.expansion,
    ) or refuse_unless((d.expansion in b.expansions) != d.used, "same_use", "this is already entered like that")


# --- actions ---


def enter(b: Board, seat: Seat, d: moves.Enter, tell: Tell) -> None:
    number, line = d.round or b.round, b.definition.lines[d.line]
    figures = b.players[seat].rounds[number - 1]
    was, figures[d.line] = figures[d.line], d.value
    counts = line.counts(d.value)
    if was is None:
        tell(moves.Entered("SC-3.1", seat, d.line, line.name, number, d.value, counts))
    else:
        by = counts - line.counts(was)
        tell(moves.Changed("SC-3.4", seat, d.line, line.name, number, was, d.value, by))


def clear(b: Board, seat: Seat, d: moves.Clear, tell: Tell) -> None:
    number, line = d.round or b.round, b.definition.lines[d.line]
    figures = b.players[seat].rounds[number - 1]
    was, figures[d.line] = figures[d.line], None
    assert was is not None
    tell(moves.Cleared("SC-3.6", seat, d.line, line.name, number, was, -line.counts(was)))


def end_round(b: Board, seat: Seat, d: moves.EndRound, tell: Tell) -> None:
    """Begin the next round, or end the game (SC-6.1 to SC-6.3)."""
    tell(moves.RoundEnded("SC-6.1", b.round))
    definition = b.definition
    if definition.score_count == "target" and max(totals(b)) >= definition.score_number:
        end(b, "target", "SC-6.3", tell)
    elif b.round == (definition.score_number if definition.score_count == "rounds" else MOST_ROUNDS):
        end(b, "rounds", "SC-6.2", tell)
    else:
        for player in b.players:
            player.rounds.append(empty_round(definition))


def end_game(b: Board, seat: Seat, d: moves.EndGame, tell: Tell) -> None:
    b.won = d.won
    end(b, "said", "SC-6.4" if d.won is None else "SC-7.5", tell)


def end(b: Board, why: moves.Ending, rule: str, tell: Tell) -> None:
    b.ended = why
    tell(moves.GameEnded(rule, why, b.won))


def go_out(b: Board, seat: Seat, d: moves.GoOut, tell: Tell) -> None:
    """Take a player out; the game is over when one is left (SC-5.2)."""
    b.players[seat].out = b.seats - len(b.left) + 1
    tell(moves.WentOut("SC-5.1", seat, len(b.left)))
    if len(b.left) == 1:
        end(b, "last", "SC-5.2", tell)


def take_role(b: Board, seat: Seat, d: moves.TakeRole, tell: Tell) -> None:
    b.players[seat].role = d.role
    tell(moves.RoleTaken("SC-4.1", seat, d.role))


def take_team(b: Board, seat: Seat, d: moves.TakeTeam, tell: Tell) -> None:
    b.players[seat].team = d.team
    tell(moves.TeamTaken("SC-4.4", seat, d.team))


def say_start(b: Board, seat: Seat, d: moves.SayStart, tell: Tell) -> None:
    b.start = d.seat
    tell(moves.StartSaid("SC-4.2", d.seat))


def use(b: Board, seat: Seat, d: moves.Use, tell: Tell) -> None:
    used = {*b.expansions, d.expansion} if d.used else {*b.expansions} - {d.expansion}
    b.expansions = [name for name in b.definition.game_expansions if name in used]
    tell(moves.ExpansionUsed("SC-4.3", d.expansion, d.used))


# --- candidates ---


def candidate_figures(b: Board, seat: Seat) -> Iterable[Decision]:
    """Return some figures for the empty lines of this round, or, if there are none, for all lines."""
    if not 0 <= seat < b.seats:
        return ()
    figures, lines = b.players[seat].rounds[-1], b.lines
    empty = [line for line in lines if figures[line.key] is None]
    return [moves.Enter(line.key, figure) for line in empty or lines for figure in line.examples]


def figures_standing(b: Board, seat: Seat) -> Iterable[Decision]:
    """Return the figures of this round that can be cleared."""
    if not 0 <= seat < b.seats:
        return ()
    figures = b.players[seat].rounds[-1]
    return [moves.Clear(line.key) for line in b.lines if figures[line.key] is not None]


def ends(b: Board, seat: Seat) -> Iterable[Decision]:
    together = b.definition.score_wins == "together"
    return [moves.EndGame(True), moves.EndGame(False)] if together else [moves.EndGame()]


def candidate_roles(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.TakeRole(role) for role in b.definition.game_roles]


def candidate_teams(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.TakeTeam(team) for team in range(min(b.seats, moves.MOST_TEAMS) + 1)]


def candidate_starts(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.SayStart(other) for other in range(b.seats)]


def candidate_uses(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.Use(name, name not in b.expansions) for name in b.definition.game_expansions]


# --- the tables ---


ON = (("SC-6.5", game_on), ("SC-3.5", still_in))

DECISIONS: dict[type[Decision], DecisionKind[Board]] = {
    moves.Enter: DecisionKind(
        offers=candidate_figures,
        does=enter,
        when=ON,
        checks=(("SC-3.1", line_there), ("SC-3.2", round_begun), ("SC-3.3", figure_fits), ("SC-3.4", figure_new)),
        open_form=True,
    ),
    moves.Clear: DecisionKind(
        offers=figures_standing,
        does=clear,
        when=ON,
        checks=(("SC-3.1", line_there), ("SC-3.2", round_begun), ("SC-3.6", figure_there)),
        open_form=True,
    ),
    moves.EndRound: DecisionKind(
        offers=lambda b, seat: (moves.EndRound(),),
        does=end_round,
        when=(*ON, ("SC-6.1", by_rounds), ("SC-6.1", round_played)),
    ),
    moves.GoOut: DecisionKind(offers=lambda b, seat: (moves.GoOut(),), does=go_out, when=(*ON, ("SC-5.1", last_wins))),
    moves.SayStart: DecisionKind(offers=candidate_starts, does=say_start, when=ON, checks=(("SC-4.2", seat_taken),)),
    moves.EndGame: DecisionKind(
        offers=ends,
        does=end_game,
        when=(*ON, ("SC-6.4", ends_by_word), ("SC-6.4", something_entered), ("SC-7.6", all_placed)),
        checks=(("SC-7.5", states_if_won),),
    ),
    moves.TakeRole: DecisionKind(offers=candidate_roles, does=take_role, when=ON, checks=(("SC-4.1", role_there),)),
    moves.TakeTeam: DecisionKind(
        offers=candidate_teams, does=take_team, when=(*ON, ("SC-4.4", teams_add)), checks=(("SC-4.4", team_there),)
    ),
    moves.Use: DecisionKind(offers=candidate_uses, does=use, when=ON, checks=(("SC-4.3", expansion_there),)),
}

SCORE_SHEET: Ruleset[Board] = Ruleset(
    id="score_sheet",
    prefix="SC",
    title="Any game",
    revision=1,
    seats=SEATS,
    seats_of=seats_of,
    title_of=lambda sheet: str(sheet["game.name"]),
    colours=lambda sheet: tuple(sheet["game.colours"]),
    catalogue="SC-9",
    kinds=DECISIONS,
    types=Types(decisions=moves.AnyDecision, effects=moves.AnyEffect, board=Board),
    course=Course(
        open=opening,
        to_act=to_act,
        marks=marks,
        periods=("round",),
        apart=lambda decision, effects: isinstance(decision, Cell | moves.TakeRole | moves.TakeTeam),
        spreads=Spread(always={moves.GameEnded: {}}),
    ),
    scoring=Scoring(
        standing=standing,
        outcome=outcome,
        totals=totals,
        places=places,
        beside_one=("SC-7.5", lambda table: 1),
        about=about,
    ),
    ledger=Ledger(columns=COLUMNS, rows=rows, own=("/players/*",), shared=("/expansions",)),
    integrity=Integrity(
        breaches=breaches,
        causes=(
            "/players/*/rounds/*/*",
            "/players/*/out",
            "/players/*/role",
            "/players/*/team",
            "/start",
            "/expansions",
        ),
        names=NAMES,
    ),
)
