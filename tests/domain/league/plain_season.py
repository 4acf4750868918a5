"""A season calculated from the lines of a club's file, by a program of its own.

It imports nothing of Daybook and reads JSON only. Tests compare it with the standings. It knows seasons of typed results: rounds,
groups and Swiss, with teams, handicaps, byes, late entries, excused rounds, forfeits, substitutes, withdrawals, penalties and lots.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

Lines = Iterable[bytes]
Row = dict[str, Any]


def read_season(lines: Lines, season_id: str) -> dict[str, Any]:
    """Return the facts of a season: its format, players, tables, byes, excuses, penalties, lots and draws."""
    season: dict[str, Any] = {
        "players": {}, "tables": {}, "byes": [], "excused": set(), "penalties": [], "lots": [], "drawn": {},
        "handicaps": {}, "teams": {},
    }  # fmt: skip
    for line in lines:
        event = json.loads(line)
        if event.get("season") != season_id:
            continue
        match event["type"]:
            case "season_opened" | "season_changed":
                season["format"] = event["format"]
            case "season_player_entered":
                place = (event.get("division", 1), event.get("group", 1))
                known = season["players"].get(event["person"])
                first = known["first"] if known else event["step"]
                season["players"][event["person"]] = {"place": place, "first": first, "gone": False}
            case "season_player_withdrew":
                season["players"][event["person"]]["gone"] = True
            case "season_schedule_drawn":
                _read_draw(season, event)
            case "season_substitute_seated":
                table = season["tables"][event["table"]]
                table["instead"][event["person"]] = (event["substitute"], "substitute")
            case "season_forfeit_recorded":
                table = season["tables"][event["table"]]
                table["instead"][event["person"]] = (event.get("automa", ""), "forfeit")
            case "season_seat_restored":
                season["tables"][event["table"]]["instead"].pop(event["person"], None)
            case "season_player_excused":
                entry = (event["person"], event["round"])
                if event.get("excused", True):
                    season["excused"].add(entry)
                else:
                    season["excused"].discard(entry)
            case "season_result_typed":
                table = season["tables"][event["table"]]
                table["typed"] = event["placed"]
            case "season_result_voided":
                season["tables"][event["table"]] |= {"typed": None, "void": True}
            case "season_penalty_given":
                season["penalties"].append((event["person"], event["points"]))
            case "season_handicap_set":
                season["handicaps"] |= dict.fromkeys(event["people"], event["points"])
            case "season_team_set":
                season["teams"] |= dict.fromkeys(event["people"], event["name"])
            case "season_lot_drawn":
                season["lots"].append(event["people"])
    return season


def _read_draw(season: dict[str, Any], event: dict[str, Any]) -> None:
    of = (event.get("division", 0), event.get("group", 0))

    def is_replaced(number: int, place: tuple[int, int]) -> bool:
        return number in event["rounds"] and of[0] in (0, place[0]) and of[1] in (0, place[1])

    season["tables"] = {
        id: table for id, table in season["tables"].items() if not is_replaced(table["round"], table["place"])
    }
    season["byes"] = [bye for bye in season["byes"] if not is_replaced(bye["round"], bye["place"])]
    for fixture in event["fixtures"]:
        place = (fixture.get("division", 1), fixture.get("group", 1))
        season["tables"][fixture["table"]] = {
            "round": fixture["round"], "place": place, "seats": fixture["seats"], "instead": {}, "typed": None,
            "void": False,
        }  # fmt: skip
        season["drawn"][place, fixture["round"]] = event["step"]
    for bye in event.get("byes", []):
        place = (bye.get("division", 1), bye.get("group", 1))
        season["byes"].append({"person": bye["person"], "round": bye["round"], "place": place})
        season["drawn"].setdefault((place, bye["round"]), 0)
        season["drawn"][place, bye["round"]] = event["step"]


def outcomes(season: dict[str, Any]) -> dict[str, list[Row]]:
    """Return what happened to each player in each round: a game with its points, or the name of another outcome."""
    form, points = season["format"], season["format"]["points"]
    rows: dict[str, list[Row]] = {person: [] for person in season["players"]}
    begun = set[Any]()
    gone = {person for person, player in season["players"].items() if player["gone"]}
    for table_id, table in season["tables"].items():
        instead, typed = table["instead"], table["typed"]
        if table["void"]:
            continue
        nobody_came = bool(instead) and all(instead.get(seat, (seat, ""))[0] == "" for seat in table["seats"])
        if not typed:
            for seat in table["seats"] if nobody_came else ():
                rows[seat].append(
                    {"outcome": "forfeit", "round": table["round"], "points": Fraction(points["forfeit"])}
                )
            continue
        players = _players_of(table, form["substitute_result"])
        names = {player["name"] for player in players}
        if form["withdrawn"] == "void" and names & gone:
            continue
        begun.add((table["place"], table["round"]))
        seats = len(typed) + sum(plays == "" for plays, _ in instead.values())
        for player in players:
            player |= {"round": table["round"], "table": table_id, "outcome": "game", "others": players}
            player["ties"] = points["ties"]
            player["points"] = _worth(player, players, seats, points)
            if player["name"] in rows:
                rows[player["name"]].append(player)
        for person, (_, how) in instead.items():
            if person not in names:
                outcome = "forfeit" if how == "forfeit" else "substituted"
                rows[person].append({"outcome": outcome, "round": table["round"], "points": Fraction(points[outcome])})
    for person, player in season["players"].items():
        rows[person] += _rounds_without_seat(season, person, player, begun)
        rows[person].sort(key=lambda row: row["round"])
        if form["withdrawn"] == "zero" and person in gone:
            for row in rows[person]:
                row["counts"] = False
    return rows


def _players_of(table: dict[str, Any], rule: str) -> list[Row]:
    """Return the players of a table with the name that the result counts for."""
    members = {plays: person for person, (plays, how) in table["instead"].items() if how == "substitute"}
    players = []
    for placed in table["typed"]:
        name = placed["person"]
        if name in members and rule != "substitute":
            name = members[name] if rule == "member" else f"no one ({name})"
        players.append(
            {"name": name, "place": placed["place"], "score": placed.get("score"), "played": placed["person"]}
        )
    return players


def _worth(player: Row, players: list[Row], seats: int, points: dict[str, Any]) -> Fraction:
    of_places = points["by_seats"][str(seats)]
    tied = sum(other["place"] == player["place"] for other in players)
    shared = of_places[player["place"] - 1 : player["place"] - 1 + tied]
    if points["ties"] == "high":
        return Fraction(shared[0])
    return Fraction(shared[-1]) if points["ties"] == "low" else Fraction(sum(shared), tied)


def _rounds_without_seat(season: dict[str, Any], person: str, player: dict[str, Any], begun: set[Any]) -> list[Row]:
    points, found, was_late = season["format"]["points"], list[Row](), False
    byes = {bye["round"] for bye in season["byes"] if bye["person"] == person}
    seated = {table["round"] for table in season["tables"].values() if person in table["seats"]}
    seated |= {
        table["round"]
        for table in season["tables"].values()
        if person in [plays for plays, _ in table["instead"].values()]
    }
    for (place, number), step in sorted(season["drawn"].items(), key=lambda item: item[0][1]):
        if season["format"]["kind"] == "knockout" and number not in byes:
            continue  # a player who is out misses nothing
        if place != player["place"] or (place, number) not in begun or (number in seated and number not in byes):
            continue
        if number in byes:
            outcome = "bye"
        elif (person, number) in season["excused"]:
            outcome = "excused"
        else:
            outcome = "late_entry" if step < player["first"] else "withdrawn"
        worth = 0 if outcome == "withdrawn" or (outcome == "late_entry" and was_late) else points[outcome]
        was_late = was_late or outcome == "late_entry"
        found.append({"outcome": outcome, "round": number, "points": Fraction(worth)})
    return found


def calculate(lines: Lines, season_id: str) -> dict[tuple[int, int], list[tuple[str, Fraction, int]]]:
    """Return each group's players, the best first, with their points and places."""
    season = read_season(lines, season_id)
    rows = outcomes(season)
    totals = {
        person: sum((row["points"] for row in found if row.get("counts", True)), Fraction(0))
        + season["handicaps"].get(person, 0)
        * sum(row["outcome"] == "game" and row.get("counts", True) for row in found)
        - sum(taken for other, taken in season["penalties"] if other == person)
        for person, found in rows.items()
    }
    groups: dict[tuple[int, int], list[str]] = {}
    for person, player in season["players"].items():
        groups.setdefault(player["place"], []).append(person)
    final = {}
    for place, people in sorted(groups.items()):
        levels = _order(people, season["format"]["tiebreaks"], rows, totals, season["lots"])
        listed, before = [], 0
        for level in levels:
            listed += [(person, totals[person], before + 1) for person in sorted(level)]
            before += len(level)
        final[place] = listed
    return final


def calculate_teams(lines: Lines, season_id: str) -> dict[str, tuple[Fraction, int]]:
    """Return the average points and the place of each team."""
    lines = [*lines]
    points = {person: total for rows in calculate(lines, season_id).values() for person, total, _ in rows}
    of_team: dict[str, list[Fraction]] = {}
    for person, name in read_season(lines, season_id)["teams"].items():
        if name:
            of_team.setdefault(name, []).append(points[person])
    averages = {name: sum(each, Fraction(0)) / len(each) for name, each in of_team.items()}
    return {name: (own, 1 + sum(other > own for other in averages.values())) for name, own in averages.items()}


def _order(people: list[str], chain: list[str], rows: Any, totals: Any, lots: Any) -> list[list[str]]:
    if len(people) == 1 or not chain:
        return [people]
    code, rest = chain[0], chain[1:]
    values = {person: _value(code, person, people, rows, totals, lots) for person in people}
    if any(value is None for value in values.values()):
        return _order(people, rest, rows, totals, lots)
    best_first = sorted({*values.values()}, reverse=code != "lot")
    return [
        level
        for value in best_first
        for level in _order([person for person in people if values[person] == value], rest, rows, totals, lots)
    ]


def _value(code: str, person: str, tied: list[str], rows: Any, totals: Any, lots: Any) -> Any:
    games = [row for row in rows[person] if row["outcome"] == "game" and row.get("counts", True)]
    rivals = [(game, other) for game in games for other in game["others"] if other["name"] != person]
    known = [(game, other) for game, other in rivals if other["name"] in totals]
    match code:
        case "points":
            return totals[person]
        case "wins" | "seconds" | "thirds":
            place = {"wins": 1, "seconds": 2, "thirds": 3}[code]
            return sum((_part_of_place(game, place) for game in games), Fraction(0))
        case "games":
            return len(games)
        case "opponents":
            return sum((totals[other["name"]] for _, other in known), Fraction(0))
        case "average_opponents":
            return sum((totals[other["name"]] for _, other in known), Fraction(0)) / len(known) if known else None
        case "sonneborn_berger":
            return sum((totals[other["name"]] * _ahead(game, other) for game, other in known), Fraction(0))
        case "direct":
            return _head_to_head(person, tied, rows)
        case "rounds_survived":
            return max((row["round"] for row in rows[person] if row["outcome"] != "withdrawn"), default=0)
        case "last_table_place":
            last = rows[person][-1] if rows[person] else None
            if last is None:
                return None
            return -last["place"] if last["outcome"] == "game" else 0 if last["outcome"] == "bye" else -1000
        case "margin":
            return _mean_lead(games)
        case "share":
            return _mean_share(games)
        case "lot":
            drawn = next((lot for lot in reversed(lots) if {*tied} <= {*lot}), None)
            return None if drawn is None else [name for name in drawn if name in tied].index(person) + 1
    raise ValueError(code)


def _mean_share(games: list[Row]) -> Fraction | None:
    shares = []
    for game in games:
        scores = [other["score"] for other in game["others"] if other["score"] is not None]
        if scores and max(scores) > 0 and game["score"] is not None:
            shares.append(Fraction(max(game["score"], 0), max(scores)))
    return sum(shares, Fraction(0)) / len(shares) if shares else None


def _mean_lead(games: list[Row]) -> Fraction | None:
    leads = []
    for game in games:
        others = [other["score"] for other in game["others"] if other is not game and other["score"] is not None]
        if others and game["score"] is not None:
            leads.append(Fraction(game["score"] - max(others)))
    return sum(leads, Fraction(0)) / len(leads) if leads else None


def _part_of_place(game: Row, place: int) -> Fraction:
    tied = sum(other["place"] == game["place"] for other in game["others"])
    if game["ties"] == "high":
        return Fraction(int(place == game["place"]))
    if game["ties"] == "low":
        return Fraction(int(place == game["place"] + tied - 1))
    return Fraction(1, tied) if game["place"] <= place < game["place"] + tied else Fraction(0)


def _ahead(first: Row, second: Row) -> Fraction:
    return Fraction(1, 2) if first["place"] == second["place"] else Fraction(int(first["place"] < second["place"]))


def _head_to_head(person: str, tied: list[str], rows: Any) -> Fraction | None:
    for first in tied:
        for other in tied:
            if first != other and not _meetings(first, other, rows):
                return None
    total = Fraction(0)
    for other in tied:
        if other != person:
            met = _meetings(person, other, rows)
            total += sum(met, Fraction(0)) / len(met)
    return total


def _meetings(person: str, second: str, rows: Any) -> list[Fraction]:
    return [
        _ahead(game, rival)
        for game in rows[person]
        if game["outcome"] == "game"
        for rival in game["others"]
        if rival["name"] == second
    ]
