"""New games: ruleset, players, options and readers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug import Response

from daybook.domain.games import PRACTISED, RULESETS, rules_of
from daybook.domain.kernel.game_names import is_by_name
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.sheet import Sheet, key_of
from daybook.domain.kernel.terms import IllegalDecision
from daybook.domain.kernel.times import FIRST_DAY, day_of_play_fault
from daybook.domain.league.club import Club
from daybook.services import days
from daybook.services.clock import now
from daybook.services.league import clubs
from daybook.services.limits import LimitExceededError
from daybook.services.names import NAME_LIMIT, TITLE_LIMIT, BadNameError
from daybook.services.people.writers import opening_writer
from daybook.services.permissions import access
from daybook.services.permissions.visits import Visit
from daybook.services.play.recording import NewGame, OtherGameError, SeatedPerson, open_game
from daybook.services.play.replacing import can_replace, replace_game
from daybook.services.play.writing import Receipt
from daybook.services.store import read_models
from daybook.services.store.read_models import GameRow
from daybook.services.store.sheets import PublishedSheet, UnknownSheetError
from daybook.web import words
from daybook.web.request.access import (
    book,
    club_games,
    current_person,
    held_grants,
    hold_grant,
    require_keeper,
    sheets_made,
    visit_game,
)
from daybook.web.request.clubs import club_names, guest_id, run_club_write, user_id, user_may
from daybook.web.request.counts import take
from daybook.web.request.days import zone_of_visitor
from daybook.web.request.forms import (
    fresh_key,
    lookalike_fault,
    opened_before,
    option_fields,
    parse_number,
    read_options,
    record_key,
    see_other,
    text_fault,
    wrong_options,
)
from daybook.web.request.parts import is_device
from daybook.web.request.seating import Seating, clubs_that_open_games, evening_today, match_people, requested_seating
from daybook.web.words import league_words, say
from daybook.web.words.game_pages import pages_of
from daybook.web.words.record_words import RECORDED
from daybook.web.words.say import weekday_label
from daybook.web.words.sheets import UNLISTED_SAYS
from daybook.web.words.sign_in import too_many_games

page = Blueprint("new_game", __name__)

UNFOLDED_FIELDS = ("title", "seats", "name.", "colour.", "rounds", "form")  # fields outside of folded parts
STATIC = Path(__file__).parents[1] / "static"
MAX_PREVIOUS_GAMES = 8  # games played before
MAX_NAMES_OFFERED = 300  # of a club
MAX_SHEETS_OFFERED = 12  # published sheets


class SeatRow(msgspec.Struct):
    """Row of the form; without a name, the seat is empty."""

    name: str
    colour: str


class NewGameForm(msgspec.Struct):
    """Form with everything that was typed."""

    title: str
    seats: list[SeatRow]
    options: dict[str, Any]
    sheet: str
    recorded: str
    played_on: str
    public: bool
    key: str
    rounds: str = ""  # another number than on the sheet


@page.route("/new", methods=["GET", "POST"])
def new() -> ResponseReturnValue:
    if is_by_name(named := request.args.get("game", "")):
        return _with_its_sheet(named, requested_seating())
    rules, at_table = requested_game(), requested_seating()
    if "instead" in request.values and (at_table or _game_to_replace() is None):
        abort(404)
    if rules is None:
        return _choice_of_game(" ".join(request.args.get("q", "").split())[:NAME_LIMIT], at_table)
    if request.method != "POST":
        today = None if at_table or request.args.keys() & {"again", "alone", "instead"} else evening_today()
        if today and user_may(today.club, "open_tables"):
            at_table = today
        return _new_game_page(rules, _blank_form(rules, at_table or today), {}, at_table, today)
    form = _form_sent(rules, at_table)
    errors = _form_faults(rules, form) | (_namesake_faults(form, at_table) if at_table else {})
    if not errors:
        try:
            errors, opened = _open_game(rules, form, at_table, _game_to_replace())
        except LimitExceededError as locked:
            return _new_game_page(rules, form, {"form": too_many_games(locked, current_person())}, at_table), 429
        if opened is not None:
            return opened
    return _new_game_page(rules, form, errors, at_table), 422


def _with_its_sheet(key: str, at_table: Seating | None) -> Response:
    """Redirect to the new-game page with the sheet of a game known by its name."""
    rules = rules_of(key)
    sheet = _sheet_played(at_table.club, key) if at_table else book().sheets.hash_by_name(key, user_id())
    if rules is None or sheet is None:
        abort(404)
    query: dict[str, Any] = {**request.args, "game": rules.id, "sheet": sheet}
    return redirect(url_for("new_game.new", **query))


def requested_game(rulesets: Mapping[str, AnyRuleset] = RULESETS) -> AnyRuleset | None:
    """Return the requested ruleset, or the only one; None to choose. 404 if unknown."""
    wanted = request.values.get("game", "")
    if wanted:
        return rulesets[wanted] if wanted in rulesets else abort(404)
    return next(iter(rulesets.values())) if len(rulesets) == 1 else None


def _choice_of_game(search: str, at_table: Seating | None) -> str:
    """Render the choice of a game.

    Args:
        search: part of its name.
    """
    wanted = _letters_of(search)

    def fits(title: str) -> bool:
        return wanted in _letters_of(title)

    group_plays = _played_by_club(at_table.club) if at_table else [row.ruleset for _, row in _played_before()]
    order = {key: place for place, key in enumerate(group_plays)}
    by_sheet = {}
    for rules in RULESETS.values():
        if rules.title_of is not None:
            offered = [
                (published, book().sheets.get(rules.id, published.hash))
                for published in _sheets_offered(rules.id, "", search)
            ]
            found = [
                (published, sheet)
                for published, sheet in offered
                if fits(published.name) or fits(rules.title_with(sheet))
            ]
            by_sheet[rules.id] = sorted(found, key=lambda pair: rules.key_with(pair[1]) not in group_plays)
    return render_template(
        "new_game_which.html",
        rulesets={
            ruleset_id: RULESETS[ruleset_id]
            for ruleset_id in sorted(RULESETS, key=lambda key: order.get(key, len(group_plays)))
            if fits(words.game_title(ruleset_id)) or RULESETS[ruleset_id].title_of
        },
        goes_to="new_game.new",
        title=say("New game"),
        before=[] if search or at_table or "instead" in request.values else _played_before(),
        in_club=[key for key in group_plays if fits(words.game_title(key))] if at_table else [],
        at_fields=at_table.fields if at_table else _replacing_fields(),
        by_sheet=by_sheet,
        pictures=_pictured_games(),
        named=search,
        name_limit=NAME_LIMIT,
    )


def _letters_of(title: str) -> str:
    """Return the letters and digits of a title, to find "7wonders" in "7 Wonders"."""
    return key_of(title).replace("_", "")


def _pictured_games() -> dict[str, str]:
    """Return the static files of the games' pictures by ruleset."""
    files = {ruleset_id: f"game-{ruleset_id}.svg" for ruleset_id in RULESETS}
    return {ruleset_id: file for ruleset_id, file in files.items() if (STATIC / file).is_file()}


def _played_before() -> list[tuple[str, GameRow]]:
    """Return the newest game of each ruleset that the user or the user's clubs played, to play again."""
    own_games = {grant.game for grant in held_grants()} | club_games()
    by_ruleset = dict[str, tuple[str, GameRow]]()
    for row in read_models.list_games(book().views, book().kept, ids=own_games) if own_games else ():
        rules = rules_of(row.ruleset)
        if row.kind == "table" and rules is not None:
            by_ruleset.setdefault(row.ruleset, (rules.id, row))
    return [*by_ruleset.values()][:MAX_PREVIOUS_GAMES]


def _played_by_club(club: Club) -> list[str]:
    """Return the keys of the games that a club plays most often and that can be opened."""
    tables = (table for season in reversed([*club.all_seasons()]) for table in reversed([*season.tables.values()]))
    often = Counter(table.ruleset for table in tables if table.ruleset).most_common()
    playable = (key for key, _ in often if key in RULESETS or _sheet_played(club, key) is not None)
    return [*islice(playable, MAX_PREVIOUS_GAMES)]


def _sheet_played(club: Club, key: str) -> str | None:
    return (
        book().sheets.hash_by_name(key, user_id(), clubs.sheets_played(book(), club, key)) if is_by_name(key) else None
    )


def _sheets_offered(ruleset_id: str, chosen: str, named: str = "") -> list[PublishedSheet]:
    """Return the newest listed sheets, the user's own, and the chosen one."""
    sheets, own = book().sheets, user_id()
    mine = sheets.newest(ruleset_id, MAX_SHEETS_OFFERED, own) if own else ()
    requested = [
        published
        for sheet_hash in (*sheets_made(), chosen)
        if (published := sheets.published(ruleset_id, sheet_hash)) is not None
    ]
    found = {
        published.hash: published
        for published in (*sheets.newest(ruleset_id, MAX_SHEETS_OFFERED, named=named), *mine, *requested)
    }
    ready = {published.hash: published for published in sheets.ready(ruleset_id)}
    others = [published for sheet_hash, published in found.items() if sheet_hash not in ready]
    return [*ready.values(), *sorted(others, key=lambda published: (published.at, published.hash))]


def _sheets_of_game(rules: AnyRuleset, sheet: Sheet, chosen: str) -> list[PublishedSheet]:
    """Return the sheets to choose from: of games that a sheet names, only those of the same game."""
    offered = _sheets_offered(rules.id, chosen)
    if rules.title_of is None:
        return offered
    key = rules.key_with(sheet)
    return [each for each in offered if chosen and rules.key_with(book().sheets.get(rules.id, each.hash)) == key]


def _sheet_chosen(rules: AnyRuleset, sheet_hash: str) -> Sheet:
    """Return the chosen sheet, or the printed one if it is unknown here."""
    if not sheet_hash or book().sheets.published(rules.id, sheet_hash) is None:
        return book().sheets.printed_sheet(rules.id)
    return book().sheets.get(rules.id, sheet_hash)


def _new_game_page(
    rules: AnyRuleset,
    filled: NewGameForm,
    faults: dict[str, str],
    at_table: Seating | None,
    today: Seating | None = None,
) -> str:
    """Render the new-game page.

    Args:
        today: evening whose players were filled in automatically.
    """
    sheet = _sheet_chosen(rules, filled.sheet)
    return render_template(
        "new_game.html",
        rules=rules,
        title=words.game_title(rules.key_with(sheet)),
        replacing=_replacing_fields(),
        counts=rules.seats_with(sheet),
        at_table=at_table,
        clubs=clubs_that_open_games() if (at_table is None or at_table.is_free) and not _replacing_fields() else [],
        today=today,
        zone=zone_of_visitor(at_table.club if at_table else None),
        evening_label=league_words.evening_label,
        called_in_club=_names_of_club(at_table) if at_table and at_table.table is None else [],
        asked=filled,
        wrong=faults,
        options=option_fields(rules.types.options),
        colours=rules.colours(sheet),
        published=(published := _sheets_of_game(rules, sheet, filled.sheet)),
        unlisted=next(
            (say(UNLISTED_SAYS[each.unlisted]) for each in published if each.unlisted and each.hash == filled.sheet), ""
        ),
        sheets=book().sheets.count(rules.id),
        printed=book().sheets.printed_sheet(rules.id).digest(),
        advice=words.GAMES[rules.id].setup.advice,
        several=len(RULESETS) > 1,
        practised=rules.id in PRACTISED,
        name_limit=NAME_LIMIT,
        title_limit=TITLE_LIMIT,
        recorded=RECORDED,
        first_day=FIRST_DAY,
        titles=_titles_by_day(words.game_title(rules.key_with(sheet))),
        rounds=_rounds_on_sheet(rules, sheet),
        rest_wrong=any(not name.startswith(UNFOLDED_FIELDS) for name in faults),
        seated=sum(bool(seat.name.strip()) for seat in filled.seats),
    )


def _rounds_on_sheet(rules: AnyRuleset, sheet: Sheet) -> Mapping[int, int]:
    """Return the fixed number of rounds of a sheet by number of players; empty for other sheets."""
    maker = pages_of(rules.id).maker
    return {} if maker is None else maker.rounds(sheet)


def _sheet_to_play(rules: AnyRuleset, filled: NewGameForm) -> str | None:
    """Return the hash of the chosen sheet, or of an unlisted copy with the number of rounds of the form."""
    sheet, maker = _sheet_chosen(rules, filled.sheet), pages_of(rules.id).maker
    if maker is None or not filled.rounds or set(maker.rounds(sheet).values()) <= {int(filled.rounds)}:
        return filled.sheet or None
    printed = book().sheets.printed_sheet(rules.id)
    overrides = {path: value for path, value in sheet.values().items() if value != printed[path]}
    overrides |= maker.with_rounds(int(filled.rounds))
    return book().sheets.publish(rules.id, rules.title_with(sheet), overrides, "", unlisted="name")


def _titles_by_day(game: str) -> dict[str, str]:
    """Return a game's default titles for today, yesterday and tomorrow; the browser picks one by its time zone."""
    today = date.fromisoformat(days.today_of(zone_of_visitor()))
    return {
        f"{day}": f"{game[: TITLE_LIMIT - len(label) - 3]} · {label}"
        for day in (today + timedelta(days=offset) for offset in (0, -1, 1))
        for label in [weekday_label(day)]
    }


def choose_distinct_colours(seats: Sequence[SeatRow], colours: Sequence[str]) -> None:
    """Replace repeated and unknown colours by free ones, as far as there are any."""
    free = [colour for colour in colours if colour not in {seat.colour for seat in seats}]
    taken = set[str]()
    for seat in seats:
        if free and (seat.colour in taken or seat.colour not in colours):
            seat.colour = free.pop(0)
        taken.add(seat.colour)


def _blank_form(rules: AnyRuleset, at_table: Seating | None) -> NewGameForm:
    before = None if at_table else _game_to_replace() or _game_before(rules)
    same_rules = before is not None and before.rules == rules.id
    requested_sheet = request.args.get("sheet", "") or (
        before.game.opening.sheet.hash if before is not None and same_rules else ""
    )
    sheet = _sheet_chosen(rules, requested_sheet)
    colours = rules.colours(sheet)
    seats_at_most = rules.seats_with(sheet)[-1]
    names = (at_table.names if at_table else ())[:seats_at_most]
    if at_table is None or at_table.table is None:
        names += ("",) * (seats_at_most - len(names))
    seats = [SeatRow(name, colours[place % len(colours)]) for place, name in enumerate(names)]
    if before is not None:
        for place, (name, colour) in enumerate([*zip(before.names, before.colours, strict=True)][:seats_at_most]):
            seats[place] = SeatRow(name, colour if same_rules else seats[place].colour)
        choose_distinct_colours(seats, colours)
    played = before.game.opening.options if before is not None and same_rules else {}
    return NewGameForm(
        title=at_table.title
        if at_table and at_table.table
        else next(iter(_titles_by_day(words.game_title(rules.key_with(sheet))).values())),
        seats=seats,
        options={
            field.name: played.get(field.name, words.quickest_choice(rules.id, field.name) or field.default)
            for field in option_fields(rules.types.options)
        },
        sheet=request.args.get("sheet", "") or (requested_sheet if rules.title_of is not None else ""),
        recorded="live",
        played_on="",
        public=before is not None and "instead" in request.args and before.kept.public,
        key=fresh_key(),
    )


def _game_to_replace() -> Visit | None:
    """Return the game that a new one should replace, if requested. 403 without the right, 404 once it has begun."""
    instead = request.values.get("instead", "")
    if not instead:
        return None
    try:
        visit = visit_game(UUID(instead))
    except ValueError:
        abort(404)
    require_keeper(visit)
    if not can_replace(book(), visit.game):
        abort(404)
    return visit


def _replacing_fields() -> dict[str, str]:
    """Return the fields that a form carries along while it replaces a game."""
    instead = request.values.get("instead", "")
    return {"instead": instead} if instead else {}


def _game_before(rules: AnyRuleset) -> Visit | None:
    """Return the game to repeat with the same people and options, if readable."""
    again = request.args.get("again", "")
    if not again:
        return None
    try:
        visit = visit_game(UUID(again))
    except ValueError:
        abort(404)
    return visit if visit.rules == rules.id else None


def _form_sent(rules: AnyRuleset, at_table: Seating | None) -> NewGameForm:
    form = request.form
    settled = at_table.names if at_table and at_table.table else ()
    seats = len(settled) or rules.seats_with(_sheet_chosen(rules, form.get("sheet", "")))[-1]
    return NewGameForm(
        title=form.get("title", ""),
        seats=[
            SeatRow(settled[place] if settled else form.get(f"name.{place}", ""), form.get(f"colour.{place}", ""))
            for place in range(seats)
        ],
        options=read_options(option_fields(rules.types.options), form),
        sheet=form.get("sheet", ""),
        recorded=form.get("recorded", ""),
        played_on=form.get("played_on", "").strip(),
        public=form.get("public") == "yes",
        key=form.get("key", ""),
        rounds=form.get("rounds", "").strip(),
    )


def _form_faults(rules: AnyRuleset, filled: NewGameForm) -> dict[str, str]:
    """Return the form's faults, field -> sentence."""
    errors: dict[str, str] = {}
    for field, text, limit, empty in [
        ("title", filled.title, TITLE_LIMIT, say("Give the game a name, such as the day and the place.")),
        *((f"name.{place}", seat.name, NAME_LIMIT, "") for place, seat in enumerate(filled.seats) if seat.name.strip()),
    ]:
        sentence = text_fault(text, limit, empty)
        if sentence:
            errors[field] = sentence
    seated = [(place, seat) for place, seat in enumerate(filled.seats) if seat.name.strip()]
    errors |= {
        f"name.{seated[at][0]}": sentence for at, sentence in lookalike_fault([seat.name for _, seat in seated]).items()
    }
    sheet = _sheet_chosen(rules, filled.sheet)
    counts = rules.seats_with(sheet)
    if len(seated) not in counts:
        errors["seats"] = say(
            "{title} is for {least} to {most} players, but {given} are entered here.",
            title=words.game_title(rules.key_with(sheet)),
            least=counts[0],
            most=counts[-1],
            given=len(seated),
        )
    colours, taken = rules.colours(sheet), dict[str, str]()
    for place, seat in seated:
        if seat.colour not in colours:
            errors[f"colour.{place}"] = say("Choose a colour.")
        elif seat.colour in taken:
            errors[f"colour.{place}"] = say("{name} already has this colour.", name=taken[seat.colour])
        taken.setdefault(seat.colour, seat.name.strip())
    errors |= wrong_options(option_fields(rules.types.options), filled.options)
    rounds, maker = parse_number(filled.rounds), pages_of(rules.id).maker
    if filled.rounds and maker is not None and (rounds is None or not 1 <= rounds <= maker.most_rounds):
        errors["rounds"] = say("Enter a number from 1 to {most}.", most=maker.most_rounds)
    if filled.recorded not in RECORDED:
        errors["recorded"] = say("Choose one of these.")
    if filled.played_on and (no := day_of_play_fault(filled.played_on, now())) is not None:
        errors["played"] = words.begin(words.reason_sentence(no), ()) + "."
    return errors


def _namesake_faults(filled: NewGameForm, at: Seating) -> dict[str, str]:
    """Return faults for names that several people of the club have."""
    seated = [(place, seat.name) for place, seat in enumerate(filled.seats) if seat.name.strip() and at.table is None]
    people = match_people(at, [" ".join(name.split()) for _, name in seated])
    return {
        f"name.{place}": say("Several people of the club have this name. Enter the game in the club when it is over.")
        if at.evening is None
        else say("Several people of the club have this name. Choose on the evening’s page which one is coming.")
        for (place, _), match in zip(seated, people, strict=True)
        if match is None
    }


def _names_of_club(at: Seating) -> list[str]:
    """Return the names of a club's people, beginning with those at the evening."""
    names = club_names(at.club)
    ordered = [*at.names, *(names[person] for person in at.club.everybody() if person in names)]
    return [*dict.fromkeys(ordered)][:MAX_NAMES_OFFERED]


def _people_at(filled: NewGameForm, at: Seating) -> tuple[list[str], dict[str, str]]:
    """Return the people at a table or evening, and the names of new guests."""
    if at.table is not None:
        return list(at.people), {}
    names = [" ".join(seat.name.split()) for seat in filled.seats if seat.name.strip()]
    matches = match_people(at, names)
    people = [match or guest_id(at.club, name, filled.key) for match, name in zip(matches, names, strict=True)]
    return people, {person: name for match, person, name in zip(matches, people, names, strict=True) if not match}


def _open_table(filled: NewGameForm, at: Seating, new: NewGame, key: str) -> Receipt | str:
    """Open the game of a club's table or evening and enter it there; or return the refusal."""
    people, guests = _people_at(filled, at)
    seated = [
        SeatedPerson(player.name, player.colour, person) for person, player in zip(people, new.players, strict=True)
    ]
    table = at.table.id if at.table else None
    new, opened = msgspec.structs.replace(new, players=seated), list[Receipt]()
    against = run_club_write(
        lambda: opened.append(
            clubs.open_table(book(), at.club.id, at.season.id, table, new, guests, by=user_id(), key=key)[0]
        ),
        guests,
    )
    return against or opened[0]


def _open_game(
    rules: AnyRuleset, filled: NewGameForm, at_table: Seating | None, old: Visit | None
) -> tuple[dict[str, str], Response | None]:
    """Open the game, or return the form's faults.

    Args:
        old: the game that it replaces.
    """
    players = [SeatedPerson(seat.name, seat.colour) for seat in filled.seats if seat.name.strip()]
    key = record_key(filled.key, [rules.id, filled])
    new = NewGame(
        rules.id,
        filled.title,
        players,
        filled.options,
        _sheet_to_play(rules, filled),
        recorded=filled.recorded,  # type: ignore[arg-type]
        played_on=filled.played_on,
        public=filled.public,
    )
    try:
        if at_table is None:
            receipt = open_game(book(), new, by=opening_writer(user_id()), key=key, admit=partial(take, "game"))
        else:
            opened = _open_table(filled, at_table, new, key)
            if isinstance(opened, str):
                return {"form": opened}, None
            receipt = opened
    except IllegalDecision as no:
        field = {"seats": "seats", "colours": "seats"}.get(no.reason.key, "form")
        return {field: words.reason_sentence(no.reason)}, None
    except UnknownSheetError:
        return {"sheet": say("This sheet is not published here.")}, None
    except BadNameError as bad:
        return {"form": bad.says}, None
    except OtherGameError as other:
        return {}, _redirect_to_links(opened_before(other), filled.public)
    if old is not None:
        replace_game(book(), old.game, receipt.record, by=require_keeper(old).by)
    return {}, _redirect_to_links(receipt.record, filled.public)


def _redirect_to_links(game_id: UUID, public: bool) -> Response:
    """Redirect to the links of an opened game and create its first ones."""
    for grant in access.make_first_grants(book(), game_id, for_readers=not public):
        if grant.role == "scorekeeper":
            hold_grant(grant)
    if is_device():
        return see_other("record.record", game_id=game_id)
    return see_other("links.links", game_id=game_id, new=1)
