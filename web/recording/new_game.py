"""Opening a game: which one, who sits where, how it is played and who may read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta
from functools import partial
from itertools import islice
from typing import Any
from uuid import UUID

import msgspec
from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug import Response

from daybook.domain.games import PRACTISED, RULESETS, rules_of
from daybook.domain.kernel.game_names import is_by_name
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.sheet import Sheet
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
    read_options,
    record_key,
    see_other,
    text_fault,
    wrong_options,
)
from daybook.web.request.parts import is_device
from daybook.web.request.seating import Seating, evening_today, match_people, requested_seating
from daybook.web.words import league_words, say
from daybook.web.words.record_words import RECORDED
from daybook.web.words.say import weekday_label
from daybook.web.words.sheets import UNLISTED_SAYS
from daybook.web.words.sign_in import too_many_games

page = Blueprint("new_game", __name__)

IN_SIGHT = ("title", "seats", "name.", "colour.", "form")  # fields that stand outside of everything else
AT_HAND = 8  # games that were played before
NAMES_OFFERED = 300  # of a club, while a name is typed
SHEETS_OFFERED = 12  # published ones, on the page for a new game


class SeatAsked(msgspec.Struct):
    """One line of the seats: who, and in which colour. An empty name: nobody sits there."""

    name: str
    colour: str


class NewGameForm(msgspec.Struct):
    """The form as it stands: everything that was typed is kept."""

    title: str
    seats: list[SeatAsked]
    options: dict[str, Any]
    sheet: str
    recorded: str
    played: str
    public: bool
    key: str


@page.route("/new", methods=["GET", "POST"])
def new() -> ResponseReturnValue:
    if is_by_name(named := request.args.get("game", "")):
        return _with_its_sheet(named, requested_seating())
    rules, at_table = asked_game(), requested_seating()
    if rules is None:
        return _which_game(" ".join(request.args.get("q", "").split())[:NAME_LIMIT], at_table)
    if request.method != "POST":
        today = None if at_table or request.args.keys() & {"again", "alone"} else evening_today()
        if today and user_may(today.club, "open"):
            at_table = today
        return _new_game_page(rules, _blank_form(rules, at_table or today), {}, at_table, today)
    asked = _form_sent(rules, at_table)
    wrong = _form_faults(rules, asked) | (_namesake_faults(asked, at_table) if at_table else {})
    if not wrong:
        try:
            wrong, opened = _open_game(rules, asked, at_table)
        except LimitExceededError as locked:
            return _new_game_page(rules, asked, {"form": too_many_games(locked, current_person())}, at_table), 429
        if opened is not None:
            return opened
    return _new_game_page(rules, asked, wrong, at_table), 422


def _with_its_sheet(key: str, at_table: Seating | None) -> Response:
    """To the page of a game that is known by its name."""
    rules = rules_of(key)
    sheet = _sheet_played(at_table.club, key) if at_table else book().sheets.hash_by_name(key, user_id())
    if rules is None or sheet is None:
        abort(404)
    asked: dict[str, Any] = {**request.args, "game": rules.id, "sheet": sheet}
    return redirect(url_for("new_game.new", **asked))


def asked_game(of: Mapping[str, AnyRuleset] = RULESETS) -> AnyRuleset | None:
    """The game a request names, or the only one there is; None: it has to be chosen. 404 for one that is not known."""
    asked = request.values.get("game", "")
    if asked:
        return of[asked] if asked in of else abort(404)
    return next(iter(of.values())) if len(of) == 1 else None


def _which_game(named: str, at_table: Seating | None) -> str:
    """Which game is to be opened. named: what its name has to hold."""

    def fits(title: str) -> bool:
        return named.casefold() in title.casefold()

    group_plays = _played_by_club(at_table.club) if at_table else [row.ruleset for _, row in _played_before()]
    order = {key: place for place, key in enumerate(group_plays)}
    by_sheet = {}
    for rules in RULESETS.values():
        if rules.title_of is not None:
            offered = [(one, book().sheets.get(rules.id, one.hash)) for one in _sheets_offered(rules.id, "", named)]
            found = [(one, of) for one, of in offered if fits(one.name) or fits(rules.title_with(of))]
            by_sheet[rules.id] = sorted(found, key=lambda one: rules.key_with(one[1]) not in group_plays)
    return render_template(
        "new_game_which.html",
        rulesets={
            id: RULESETS[id]
            for id in sorted(RULESETS, key=lambda id: order.get(id, len(group_plays)))
            if fits(words.game_title(id)) or RULESETS[id].title_of
        },
        goes_to="new_game.new",
        title=say("New game"),
        before=[] if named or at_table else _played_before(),
        in_club=[key for key in group_plays if fits(words.game_title(key))] if at_table else [],
        at_fields=at_table.fields if at_table else {},
        by_sheet=by_sheet,
        named=named,
        name_limit=NAME_LIMIT,
    )


def _played_before() -> list[tuple[str, GameRow]]:
    """The newest game of each that who asks has played, or their clubs, with the id of its rules: it can be opened again
    with its people.
    """
    mine = {grant.game for grant in held_grants()} | club_games()
    found = dict[str, tuple[str, GameRow]]()
    for row in read_models.list_games(book().views, book().kept, ids=mine) if mine else ():
        rules = rules_of(row.ruleset)
        if row.kind == "table" and rules is not None:
            found.setdefault(row.ruleset, (rules.id, row))
    return [*found.values()][:AT_HAND]


def _played_by_club(club: Club) -> list[str]:
    """Return the games that a club has played most often and that can be opened, by their keys, at most AT_HAND."""
    tables = (table for season in reversed([*club.all_seasons()]) for table in reversed([*season.tables.values()]))
    often = Counter(table.ruleset for table in tables if table.ruleset).most_common()
    known = (key for key, _ in often if key in RULESETS or _sheet_played(club, key) is not None)
    return [*islice(known, AT_HAND)]


def _sheet_played(club: Club, key: str) -> str | None:
    return (
        book().sheets.hash_by_name(key, user_id(), clubs.sheets_played(book(), club, key)) if is_by_name(key) else None
    )


def _sheets_offered(ruleset_id: str, chosen: str, named: str = "") -> list[PublishedSheet]:
    """The newest listed sheets, of this name if one is looked for, one's own, and the one that is chosen: anybody may
    publish, and all that are listed are on the page of the game's sheets.
    """
    sheets, own = book().sheets, user_id()
    mine = sheets.newest(ruleset_id, SHEETS_OFFERED, own) if own else ()
    asked_for = [one for hash in (*sheets_made(), chosen) if (one := sheets.published(ruleset_id, hash)) is not None]
    found = {one.hash: one for one in (*sheets.newest(ruleset_id, SHEETS_OFFERED, named=named), *mine, *asked_for)}
    ready = {one.hash: one for one in sheets.ready(ruleset_id)}
    others = [one for hash, one in found.items() if hash not in ready]
    return [*ready.values(), *sorted(others, key=lambda one: (one.at, one.hash))]


def _sheet_chosen(rules: AnyRuleset, hash: str) -> Sheet:
    """The sheet that is chosen, as far as it is known here."""
    if not hash or book().sheets.published(rules.id, hash) is None:
        return book().sheets.printed_sheet(rules.id)
    return book().sheets.get(rules.id, hash)


def _new_game_page(
    rules: AnyRuleset, asked: NewGameForm, wrong: dict[str, str], at_table: Seating | None, today: Seating | None = None
) -> str:
    """today: the evening that has filled in who sits there, unasked."""
    sheet = _sheet_chosen(rules, asked.sheet)
    return render_template(
        "new_game.html",
        rules=rules,
        title=words.game_title(rules.key_with(sheet)),
        counts=rules.seats_with(sheet),
        at_table=at_table,
        today=today,
        zone=zone_of_visitor(at_table.club if at_table else None),
        evening_label=league_words.evening_label,
        called_in_club=_called_in_club(at_table) if at_table and at_table.evening else [],
        asked=asked,
        wrong=wrong,
        options=option_fields(rules.types.options),
        colours=rules.colours(sheet),
        published=(published := _sheets_offered(rules.id, asked.sheet)),
        unlisted=next(
            (say(UNLISTED_SAYS[one.unlisted]) for one in published if one.unlisted and one.hash == asked.sheet), ""
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
        titles=_titles_by_day(),
        rest_wrong=any(not name.startswith(IN_SIGHT) for name in wrong),
        seated=sum(bool(seat.name.strip()) for seat in asked.seats),
    )


def _titles_by_day() -> dict[str, str]:
    """What an evening is called where nobody calls it otherwise, by its day, the reader's today first; a browser that comes
    for the first time has not said yet which that is.
    """
    today = date.fromisoformat(days.today_of(zone_of_visitor()))
    return {f"{day}": weekday_label(day) for by in (0, -1, 1) for day in [today + timedelta(days=by)]}


def _blank_form(rules: AnyRuleset, at_table: Seating | None) -> NewGameForm:
    before = None if at_table else _game_before(rules)
    asked_sheet = request.args.get("sheet", "") or (before.game.opening.sheet.hash if before is not None else "")
    sheet = _sheet_chosen(rules, asked_sheet)
    colours = rules.colours(sheet)
    most = rules.seats_with(sheet)[-1]
    names = (at_table.names if at_table else ())[:most]
    if at_table is None or at_table.table is None:
        names += ("",) * (most - len(names))
    seats = [SeatAsked(name, colours[place % len(colours)]) for place, name in enumerate(names)]
    if before is not None:
        for place, (name, colour) in enumerate(zip(before.names, before.colours, strict=True)):
            seats[place] = SeatAsked(name, colour)
    played = before.game.opening.options if before is not None else {}
    return NewGameForm(
        title=at_table.title if at_table and at_table.table else next(iter(_titles_by_day().values())),
        seats=seats,
        options={
            field.name: played.get(field.name, words.quickest_choice(rules.id, field.name) or field.default)
            for field in option_fields(rules.types.options)
        },
        sheet=request.args.get("sheet", "") or (asked_sheet if rules.title_of is not None else ""),
        recorded="live",
        played="",
        public=False,
        key=fresh_key(),
    )


def _game_before(rules: AnyRuleset) -> Visit | None:
    """The game that is to be played again, by the same people in the same way, for who may read it."""
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
            SeatAsked(settled[place] if settled else form.get(f"name.{place}", ""), form.get(f"colour.{place}", ""))
            for place in range(seats)
        ],
        options=read_options(option_fields(rules.types.options), form),
        sheet=form.get("sheet", ""),
        recorded=form.get("recorded", ""),
        played=form.get("played", "").strip(),
        public=form.get("public") == "yes",
        key=form.get("key", ""),
    )


def _form_faults(rules: AnyRuleset, asked: NewGameForm) -> dict[str, str]:
    """What cannot stay as it is: field -> sentence."""
    wrong: dict[str, str] = {}
    for field, text, limit, empty in [
        ("title", asked.title, TITLE_LIMIT, say("Give the game a name, such as the day and the place.")),
        *((f"name.{place}", seat.name, NAME_LIMIT, "") for place, seat in enumerate(asked.seats) if seat.name.strip()),
    ]:
        sentence = text_fault(text, limit, empty)
        if sentence:
            wrong[field] = sentence
    seated = [(place, seat) for place, seat in enumerate(asked.seats) if seat.name.strip()]
    wrong |= {
        f"name.{seated[at][0]}": sentence for at, sentence in lookalike_fault([seat.name for _, seat in seated]).items()
    }
    sheet = _sheet_chosen(rules, asked.sheet)
    counts = rules.seats_with(sheet)
    if len(seated) not in counts:
        wrong["seats"] = say(
            "{title} is for {least} to {most} players, but {given} are entered here.",
            title=words.game_title(rules.key_with(sheet)),
            least=counts[0],
            most=counts[-1],
            given=len(seated),
        )
    known, taken = rules.colours(sheet), dict[str, str]()
    for place, seat in seated:
        if seat.colour not in known:
            wrong[f"colour.{place}"] = say("Choose a colour.")
        elif seat.colour in taken:
            wrong[f"colour.{place}"] = say("{name} already has this colour.", name=taken[seat.colour])
        taken.setdefault(seat.colour, seat.name.strip())
    wrong |= wrong_options(option_fields(rules.types.options), asked.options)
    if asked.recorded not in RECORDED:
        wrong["recorded"] = say("Choose one of these.")
    if asked.played and (no := day_of_play_fault(asked.played, now())) is not None:
        wrong["played"] = words.begin(words.reason_sentence(no), ()) + "."
    return wrong


def _namesake_faults(asked: NewGameForm, at: Seating) -> dict[str, str]:
    """Of an evening: names that several people of the club have."""
    seated = [(place, seat.name) for place, seat in enumerate(asked.seats) if seat.name.strip() and at.table is None]
    people = match_people(at, [" ".join(name.split()) for _, name in seated])
    return {
        f"name.{place}": say("Several people of the club are called so. Say on the evening’s page which one comes.")
        for (place, _), one in zip(seated, people, strict=True)
        if one is None
    }


def _called_in_club(at: Seating) -> list[str]:
    """What the people of a club are called, those who come first."""
    names = club_names(at.club)
    called = [*at.names, *(names[id] for id in at.club.everybody() if id in names)]
    return [*dict.fromkeys(called)][:NAMES_OFFERED]


def _people_at(asked: NewGameForm, at: Seating) -> tuple[list[str], dict[str, str]]:
    """Who of the club sits there: as the table has it; on an evening by their names, and who is new is a guest, whose
    name comes beside them.
    """
    if at.table is not None:
        return list(at.people), {}
    names = [" ".join(seat.name.split()) for seat in asked.seats if seat.name.strip()]
    called = match_people(at, names)
    people = [one or guest_id(at.club, name, asked.key) for one, name in zip(called, names, strict=True)]
    return people, {person: name for one, person, name in zip(called, people, names, strict=True) if not one}


def _open_table(asked: NewGameForm, at: Seating, new: NewGame, key: str) -> Receipt | str:
    """Opens the game of a club's table or evening, and enters it there; or what stands against it."""
    people, guests = _people_at(asked, at)
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
    rules: AnyRuleset, asked: NewGameForm, at_table: Seating | None
) -> tuple[dict[str, str], Response | None]:
    """Opens the game, or says what is wrong with the form."""
    players = [SeatedPerson(seat.name, seat.colour) for seat in asked.seats if seat.name.strip()]
    key = record_key(asked.key, [rules.id, asked])
    new = NewGame(
        rules.id,
        asked.title,
        players,
        asked.options,
        asked.sheet or None,
        recorded=asked.recorded,  # type: ignore[arg-type]
        played=asked.played,
        public=asked.public,
    )
    try:
        if at_table is None:
            receipt = open_game(book(), new, by=opening_writer(user_id()), key=key, admit=partial(take, "game"))
        else:
            opened = _open_table(asked, at_table, new, key)
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
        return {}, _lead_to(opened_before(other), asked.public)
    return {}, _lead_to(receipt.record, asked.public)


def _lead_to(game_id: UUID, public: bool) -> Response:
    """To the links of a game that was opened; a new one gets its first."""
    for grant in access.make_first_grants(book(), game_id, for_readers=not public):
        if grant.role == "scorekeeper":
            hold_grant(grant)
    if is_device():
        return see_other("record.record", game_id=game_id)
    return see_other("links.links", game_id=game_id, new=1)
