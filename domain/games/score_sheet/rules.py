"""A score sheet: checks, actions, and the table that names the rule of each check."""

from __future__ import annotations

from collections.abc import Iterable

from daybook.domain.games.score_sheet import moves
from daybook.domain.games.score_sheet.board import Board, empty_round, opening
from daybook.domain.games.score_sheet.columns import Figures
from daybook.domain.games.score_sheet.definition import LARGEST, MOST_ROUNDS, MOST_TEAMS, SEATS, Line, seats_of
from daybook.domain.games.score_sheet.invariants import NAMES, breaches
from daybook.domain.games.score_sheet.scoring import (
    COLUMNS,
    about,
    marks,
    outcome,
    places,
    results,
    round_points,
    rows,
    standing,
    totals,
)
from daybook.domain.kernel.points import Points, as_points, is_half
from daybook.domain.kernel.rule_parts import Course, DecisionKind, Integrity, LateSeat, Ledger, Scoring, Spread, Types
from daybook.domain.kernel.ruleset import Ruleset
from daybook.domain.kernel.terms import Decision, Effect, Reason, Seat, Tell, WhyNot, first_reason, holds, refuse_unless

Cell = moves.Enter | moves.Clear  # decisions about one cell


def to_act(b: Board) -> tuple[Seat, ...]:
    """Return the acting seats: all players still in, also those that left, for corrections."""
    return () if b.ended else tuple(b.left)


def awaited(b: Board) -> tuple[Seat, ...]:
    """Return the seats that the game waits for: those at the table."""
    return () if b.ended else tuple(b.here)


def line_named(b: Board, key: str) -> Line | None:
    """Return the line of a key if it exists and takes figures."""
    line = b.definition.lines.get(key)
    return line if line is not None and line.is_entered and line.expansion in ("", *b.expansions) else None


def is_round_of(b: Board, line: Line, number: int) -> bool:
    """Check if a line has a figure in a round that has begun; 0: the current one."""
    return number == 0 if b.definition.is_once(line) else 0 <= number <= b.round


def column_of(b: Board, seat: Seat, d: Cell) -> Figures:
    """Return the figures among which that of a cell is."""
    player = b.players[seat]
    return player.once if d.line in player.once else player.rounds[(d.round or b.round) - 1]


def number_of(b: Board, d: Cell) -> int:
    """Return the round of a cell, 0 for a line that is counted once."""
    return 0 if d.line in b.definition.keys_once else d.round or b.round


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


@holds("the round has begun, and the player takes part in it")
def round_begun(b: Board, seat: Seat, d: Cell) -> WhyNot:
    line = line_named(b, d.line)
    if line is None:
        return None
    if b.definition.is_once(line):
        return refuse_unless(d.round == 0, "once", "{name} is counted once, not in a round", name=line.name)
    return refuse_unless(
        0 <= d.round <= b.round,
        "no_round",
        "round {round} has not begun: this is round {now}",
        round=d.round,
        now=b.round,
    ) or refuse_unless(
        (d.round or b.round) not in b.players[seat].missed,
        "missed",
        "seat {seat} takes no part in round {round}",
        seat=seat,
        round=d.round or b.round,
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


@holds("the figure is whole, or the line has halves")
def whole_or_half(b: Board, d: moves.Enter) -> WhyNot:
    line = line_named(b, d.line)
    return refuse_unless(
        line is None or b.definition.is_exact(line, d.value),
        "no_half",
        "{name} takes whole numbers only, not {value}",
        name=line.name if line else "",
        value=d.value,
    )


@holds("there is another figure, or none")
def figure_new(b: Board, seat: Seat, d: moves.Enter) -> WhyNot:
    line = line_named(b, d.line)
    if line is None or not is_round_of(b, line, d.round):
        return None
    return refuse_unless(
        figure_at(b, seat, d) != d.value, "same", "{name} is {value} already", name=line.name, value=d.value
    )


@holds("there is a figure")
def figure_there(b: Board, seat: Seat, d: moves.Clear) -> WhyNot:
    line = line_named(b, d.line)
    if line is None or not is_round_of(b, line, d.round):
        return None
    return refuse_unless(figure_at(b, seat, d) is not None, "empty", "{name} is empty already", name=line.name)


def figure_at(b: Board, seat: Seat, d: Cell) -> Points | None:
    return column_of(b, seat, d)[d.line]


@holds("the game is counted by rounds")
def by_rounds(b: Board) -> WhyNot:
    return refuse_unless(b.definition.by_rounds, "no_rounds", "this game is not counted by rounds")


@holds("a player has a figure in the round")
def round_played(b: Board) -> WhyNot:
    figures = [figure for player in b.players for figure in (*player.rounds[-1].values(), *player.once.values())]
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
            rounds=b.rounds_in_all,
        )
        or refuse_unless(
            b.definition.score_count != "target",
            "target_open",
            "the game ends when a player has {number}",
            number=b.definition.score_number,
        )
    )


@holds("what is counted once is entered before the last round ends")
def once_entered(b: Board) -> WhyNot:
    if not b.definition.keys_once or not ends_with_round(b):
        return None
    return refuse_unless_once_entered(b)


@holds("what is counted once is entered")
def once_entered_at_end(b: Board) -> WhyNot:
    return refuse_unless_once_entered(b) if b.definition.keys_once else None


def refuse_unless_once_entered(b: Board) -> WhyNot:
    """Refuse the end while a line that is counted once has no figure of a player, or of partners."""
    for line in b.lines:
        for seat in b.here if line.key in b.definition.keys_once else ():
            side = b.side(seat) if b.has_partners else [seat]
            if all(b.players[other].once.get(line.key) is None for other in side):
                return refuse_unless(
                    False,
                    "once_missing",
                    "{name} of seat {seat} counts at the end: enter it first",
                    name=line.name,
                    seat=seat,
                )
    return None


def ends_with_round(b: Board) -> str:
    """Return how the game ends with this round: "target", "rounds", or "" if it continues."""
    definition = b.definition
    if definition.score_count == "target" and target_reached(b):
        return "target"
    last = b.rounds_in_all if definition.score_count == "rounds" else MOST_ROUNDS
    return "rounds" if b.round >= last else ""


def target_reached(b: Board) -> bool:
    """Check if a player at the table has reached the target in the rounds (SC-6.3)."""
    number, reached = b.definition.score_number, results(b)
    players = [reached[seat] for seat in b.here] or reached
    return max(players) >= number if number > 0 else min(players) <= number


@holds("something is entered")
def something_entered(b: Board) -> WhyNot:
    return None if b.round > 1 else round_played(b)


@holds("everyone has a place, and someone has first place")
def all_placed(b: Board) -> WhyNot:
    if b.definition.score_count != "places":
        return None
    given = [player.rounds[0]["place"] for player in b.players]
    return first_reason(
        refuse_unless(given[seat] is not None, "no_place", "seat {seat} has no place yet", seat=seat) for seat in b.here
    ) or refuse_unless(1 in given, "no_first", "no one has first place")


@holds("only cooperative games are entered as won or lost")
def states_if_won(b: Board, d: moves.EndGame) -> WhyNot:
    if b.definition.score_wins == "together":
        return refuse_unless(d.won is not None, "won_unsaid", "enter whether the game was won")
    return refuse_unless(d.won is None, "not_together", "the winner is counted")


@holds("the last one left wins")
def last_wins(b: Board) -> WhyNot:
    return refuse_unless(b.definition.score_wins == "last", "nobody_out", "players do not drop out in this game")


@holds("the last one left does not decide the game")
def may_leave(b: Board) -> WhyNot:
    return refuse_unless(b.definition.score_wins != "last", "goes_out", "a player who leaves this game is out of it")


@holds("the player is at the table")
def at_table(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(not b.players[seat].away, "away", "the player is not at the table")


@holds("another player stays")
def another_stays(b: Board) -> WhyNot:
    return refuse_unless(len(b.here) > 1, "last_here", "the last player at the table ends the game instead")


@holds("such a place can be agreed")
def place_there(b: Board, seat: Seat, d: moves.Leave) -> WhyNot:
    return (
        refuse_unless(
            -1 <= d.placed <= b.seats,
            "no_place",
            "a place is 1 to {most}, 0 for the last or -1 for the place by the figures, not {place}",
            most=b.seats,
            place=d.placed,
        )
        or refuse_unless(
            len(b.side(seat)) == 1 or d.placed == -1, "in_team", "a player in a team has the place of the team"
        )
        or refuse_unless(
            b.definition.score_wins != "together" or d.placed == 0, "together", "all players of this game share a place"
        )
    )


@holds("the player has no figures yet")
def nothing_written(b: Board, seat: Seat) -> WhyNot:
    player = b.players[seat]
    figures = [figure for column in (*player.rounds, player.once) for figure in column.values()]
    return refuse_unless(
        all(figure is None for figure in figures), "written", "the player has figures: they can leave, not come later"
    )


def late_seat_fault(b: Board) -> tuple[str, Reason] | None:
    """Return why no further player can join, with its rule, or None (SC-5.6)."""
    most = b.definition.game_most
    reason = (
        game_on(b)
        or may_leave(b)
        or refuse_unless(b.seats < most, "full", "the game is for {most} players at most", most=most)
        or refuse_unless(not b.has_partners, "partners", "partners share a column, so no one joins later")
    )
    return ("SC-5.6", reason) if reason else None


@holds("the player is not at the table")
def not_at_table(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(b.players[seat].away, "here", "the player is at the table already")


@holds("such points can be agreed")
def points_fit(b: Board, d: moves.Join) -> WhyNot:
    return (
        refuse_unless(
            abs(d.points) <= LARGEST,
            "points",
            "the agreed points are from {least} to {most}, not {given}",
            least=-LARGEST,
            most=LARGEST,
            given=d.points,
        )
        or refuse_unless(
            isinstance(d.points, int) or (is_half(d.points) and b.definition.score_halves),
            "no_half",
            "this sheet has no halves: agree on whole points, not {given}",
            given=d.points,
        )
        or refuse_unless(
            not d.points or b.definition.score_count != "places",
            "places_alone",
            "a game that records only places has no points",
        )
    )


@holds("totals decide the game")
def totals_decide(b: Board) -> WhyNot:
    definition = b.definition
    return refuse_unless(
        definition.score_count != "places" and definition.score_wins in ("most", "least"),
        "no_totals",
        "only equal totals are a tie that a table decides",
    )


@holds("every player at the table has a figure in this round")
def all_written(b: Board) -> WhyNot:
    return first_reason(
        refuse_unless(
            any(figure is not None for figure in b.players[seat].rounds[-1].values())
            or any(seat in b.side(other) for other in range(b.seats) if other != seat),
            "not_written",
            "seat {seat} has no figure in round {round} yet",
            seat=seat,
            round=b.round,
        )
        for seat in b.here
    )


@holds("the player has the same result as another, and is not ahead of them yet")
def is_tied(b: Board, d: moves.SettleTie) -> WhyNot:
    if not 0 <= d.seat < b.seats:
        return refuse_unless(False, "no_seat", "no one sits there")
    side = b.side(d.seat)
    if b.settled and b.settled[0] in side:
        return refuse_unless(False, "same_settled", "this is already entered like that")
    unsettled = places(b, settled=False)
    equal = [seat for seat in range(b.seats) if unsettled[seat] == unsettled[d.seat] and seat not in side]
    return refuse_unless(equal, "no_tie", "seat {seat} is not tied with another player", seat=d.seat)


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
            0 <= d.team <= MOST_TEAMS, "no_team", "teams are 1 to {most}, not {team}", most=MOST_TEAMS, team=d.team
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
    number, line = number_of(b, d), b.definition.lines[d.line]
    figures = column_of(b, seat, d)
    was, figures[d.line] = figures[d.line], d.value
    counts = line.counts(d.value)
    if was is None:
        tell(moves.Entered("SC-3.1", seat, d.line, line.name, number, d.value, counts))
    else:
        by = as_points(counts - line.counts(was))
        tell(moves.Changed("SC-3.4", seat, d.line, line.name, number, was, d.value, by))


def figure_entered(effect: Effect) -> tuple[tuple[Seat, int, str], Points | None] | None:
    """Return the cell that an effect fills or empties, with its figure."""
    if not isinstance(effect, moves.Entered | moves.Changed | moves.Cleared):
        return None
    value = None if isinstance(effect, moves.Cleared) else effect.value
    return (effect.seat, effect.round, effect.line), value


def clear(b: Board, seat: Seat, d: moves.Clear, tell: Tell) -> None:
    number, line = number_of(b, d), b.definition.lines[d.line]
    figures = column_of(b, seat, d)
    was, figures[d.line] = figures[d.line], None
    assert was is not None
    tell(moves.Cleared("SC-3.6", seat, d.line, line.name, number, was, -line.counts(was)))


def end_round(b: Board, seat: Seat, d: moves.EndRound, tell: Tell) -> None:
    """Begin the next round, or end the game (SC-6.1 to SC-6.3)."""
    tell(moves.RoundEnded("SC-6.1", b.round))
    match ends_with_round(b):
        case "target":
            end(b, "target", "SC-6.3", tell)
        case "rounds":
            end(b, "rounds", "SC-6.2", tell)
        case _:
            for player in b.players:
                player.rounds.append(empty_round(b.definition))
                if player.away:
                    player.missed.append(b.round)


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


def leave(b: Board, seat: Seat, d: moves.Leave, tell: Tell) -> None:
    """Let a player leave; a round without their figures is missed (SC-5.3)."""
    player = b.players[seat]
    player.away, player.agreed = "left", d.placed
    if b.definition.by_rounds and all(figure is None for figure in player.rounds[-1].values()):
        player.missed.append(b.round)
    tell(moves.LeftEarly("SC-5.3", seat, d.placed, b.round - len(player.missed)))


def come_later(b: Board, seat: Seat, d: moves.ComeLater, tell: Tell) -> None:
    b.players[seat].away = "later"
    b.players[seat].missed = [*range(1, b.round + 1)]
    tell(moves.ComesLater("SC-5.4", seat))


def join(b: Board, seat: Seat, d: moves.Join, tell: Tell) -> None:
    """Let a player take part from the current round on (SC-5.5)."""
    player = b.players[seat]
    player.away, player.agreed = "", 0
    player.missed = [number for number in player.missed if number != b.round]
    player.joined_with = as_points(player.joined_with + d.points)
    tell(moves.Joined("SC-5.5", seat, b.round, d.points))


def settle_tie(b: Board, seat: Seat, d: moves.SettleTie, tell: Tell) -> None:
    b.players[d.seat].settled = 1 + max(player.settled for player in b.players)
    tell(moves.TieSettled("SC-7.9", d.seat))


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
    figures = b.players[seat].rounds[-1] | b.players[seat].once
    lines = [line for line in b.lines if line.is_entered]
    empty = [line for line in lines if figures[line.key] is None]
    return [moves.Enter(line.key, figure) for line in empty or lines for figure in b.definition.examples(line)]


def figures_standing(b: Board, seat: Seat) -> Iterable[Decision]:
    """Return the figures of this round that can be cleared."""
    if not 0 <= seat < b.seats:
        return ()
    figures = b.players[seat].rounds[-1] | b.players[seat].once
    return [moves.Clear(line.key) for line in b.lines if figures.get(line.key) is not None]


def candidate_leaves(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.Leave(place) for place in (0, -1, *range(1, b.seats + 1))]


def candidate_ties(b: Board, seat: Seat) -> Iterable[Decision]:
    ranks = places(b, settled=False)
    return [moves.SettleTie(other) for other in range(b.seats) if ranks.count(ranks[other]) > 1]


def ends(b: Board, seat: Seat) -> Iterable[Decision]:
    together = b.definition.score_wins == "together"
    return [moves.EndGame(True), moves.EndGame(False)] if together else [moves.EndGame()]


def candidate_roles(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.TakeRole(role) for role in b.definition.game_roles]


def candidate_teams(b: Board, seat: Seat) -> Iterable[Decision]:
    return [moves.TakeTeam(team) for team in range(min(b.seats, MOST_TEAMS) + 1)]


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
        checks=(
            ("SC-3.1", line_there),
            ("SC-3.2", round_begun),
            ("SC-3.3", figure_fits),
            ("SC-3.7", whole_or_half),
            ("SC-3.4", figure_new),
        ),
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
        when=(*ON, ("SC-6.1", by_rounds), ("SC-6.1", round_played), ("SC-6.6", once_entered)),
    ),
    moves.GoOut: DecisionKind(offers=lambda b, seat: (moves.GoOut(),), does=go_out, when=(*ON, ("SC-5.1", last_wins))),
    moves.SayStart: DecisionKind(offers=candidate_starts, does=say_start, when=ON, checks=(("SC-4.2", seat_taken),)),
    moves.EndGame: DecisionKind(
        offers=ends,
        does=end_game,
        when=(
            *ON,
            ("SC-6.4", ends_by_word),
            ("SC-6.4", something_entered),
            ("SC-6.6", once_entered_at_end),
            ("SC-7.6", all_placed),
        ),
        checks=(("SC-7.5", states_if_won),),
    ),
    moves.TakeRole: DecisionKind(offers=candidate_roles, does=take_role, when=ON, checks=(("SC-4.1", role_there),)),
    moves.TakeTeam: DecisionKind(
        offers=candidate_teams, does=take_team, when=(*ON, ("SC-4.4", teams_add)), checks=(("SC-4.4", team_there),)
    ),
    moves.Use: DecisionKind(offers=candidate_uses, does=use, when=ON, checks=(("SC-4.3", expansion_there),)),
    moves.Leave: DecisionKind(
        offers=candidate_leaves,
        does=leave,
        when=(*ON, ("SC-5.3", may_leave), ("SC-5.3", at_table), ("SC-5.3", another_stays)),
        checks=(("SC-5.3", place_there),),
    ),
    moves.ComeLater: DecisionKind(
        offers=lambda b, seat: (moves.ComeLater(),),
        does=come_later,
        when=(*ON, ("SC-5.4", may_leave), ("SC-5.4", at_table), ("SC-5.4", another_stays), ("SC-5.4", nothing_written)),
    ),
    moves.Join: DecisionKind(
        offers=lambda b, seat: (moves.Join(),),
        does=join,
        when=(*ON, ("SC-5.5", not_at_table)),
        checks=(("SC-5.5", points_fit),),
        open_form=True,
    ),
    moves.SettleTie: DecisionKind(
        offers=candidate_ties,
        does=settle_tie,
        when=(*ON, ("SC-7.9", totals_decide), ("SC-7.9", all_written)),
        checks=(("SC-7.9", is_tied),),
    ),
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
        awaited=awaited,
        marks=marks,
        periods=("round",),
        apart=lambda decision, effects: isinstance(decision, Cell | moves.TakeRole | moves.TakeTeam),
        figure=figure_entered,
        redundant=("same", "empty", "here", "same_settled", "same_role", "same_team", "same_start", "same_use"),
        spreads=Spread(always={moves.GameEnded: {}}),
        late_seat=LateSeat(fault=late_seat_fault, before=(moves.ComeLater(),), joins=moves.Join),
    ),
    scoring=Scoring(
        standing=standing,
        outcome=outcome,
        totals=totals,
        places=places,
        beside_one=("SC-7.5", lambda table: 1),
        about=about,
        so_far=Board.so_far,
        by_period=round_points,
    ),
    ledger=Ledger(columns=COLUMNS, rows=rows),
    integrity=Integrity(
        breaches=breaches,
        causes=(
            "/players/*/rounds/*/*",
            "/players/*/once/*",
            "/players/*/out",
            "/players/*/role",
            "/players/*/team",
            "/players/*/joined_with",
            "/start",
            "/expansions",
        ),
        names=NAMES,
    ),
)
