"""Claims: somebody says that a step is wrong; what the rules say of it, who rules how, and what that changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast, get_args
from uuid import UUID

import msgspec
from flask import Blueprint, abort, flash, make_response, redirect, render_template, request, url_for
from flask.blueprints import BlueprintSetupState
from werkzeug import Response
from werkzeug.exceptions import RequestEntityTooLarge

from domain import claims as disputes
from domain.claims import PHOTOS_LIMIT, RULE_LIMIT, Claim
from domain.record import TEXT_LIMIT, Game, Refused, Ruling
from domain.ruleset import IllegalDecision, Seat
from services import claims, photos, replay
from services.access import Grant
from services.claims import Foreseen, Opinion, Umpire
from services.clock import now
from services.kept import GameKept
from services.photos import BadPhoto
from services.record import BadKey, BadName, Conflict, NotADecision
from services.replay import StepShown
from web import words
from web.access import book, current_grant, grants_of, readable, scorekeeper, sights
from web.desk import Change, view_of
from web.forms import BadText, fresh_key, value_of, whole_of
from web.look import capitalize_first
from web.pages.adjust import Place, places_of
from web.security import one_at_a_time
from web.veil import Unshown
from web.words import disputes as said
from web.words import say

page = Blueprint("claims", __name__)

UPLOAD_LIMIT = 40 * 1024**2  # bytes of all photos of a claim together
HOURS_LIMIT = 24 * 30  # of an appeal


@page.record_once
def dress(state: BlueprintSetupState) -> None:
    state.app.jinja_env.globals.update(
        claims_open=claims_open, may_claim=may_claim, **{one.__name__: one for one in said.IN_TEMPLATES})


@page.url_value_preprocessor
def let_photos_in(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Only who may raise a claim sends more than other forms may hold."""
    if endpoint != "claims.new" or request.method != "POST" or not values:
        return
    if not any(grant.role in ("scorekeeper", "seat") for grant in grants_of(values["id"])):
        return
    request.max_content_length = UPLOAD_LIMIT
    try:
        request.files  # noqa: B018  read here, where what is too large can be said in our own words
    except RequestEntityTooLarge:
        abort(413, "photos")


# --- who may ---------------------------------------------------------------------------------------------------------


def claims_open(game_id: UUID | str) -> list[Claim]:
    """What every page of a game says first."""
    return disputes.open_claims(book().games.get(UUID(str(game_id))))


def may_claim(game_id: UUID | str) -> bool:
    game = book().games.get(UUID(str(game_id)))
    return any(claims.may_claim(grant, game) for grant in grants_of(game.id))


def claimant(game: Game) -> Grant:
    """The grant of this request that may raise and settle claims; 403 without one."""
    found = next((grant for grant in grants_of(game.id) if claims.may_claim(grant, game)), None)
    if found is None:
        abort(403, "claim")
    return found


def speaker(game: Game, seat: Seat | None) -> Grant:
    """The grant of this request that speaks for a seat; None: for the scorekeeper. 403 without one."""
    found = next((grant for grant in grants_of(game.id) if claims.may_speak_for(grant, game, seat)), None)
    if found is None:
        abort(403, "claim")
    return found


def seats_spoken_for(game: Game) -> list[Seat]:
    return [seat for seat in range(len(game.opening.seats)) if any(
        claims.may_speak_for(grant, game, seat) for grant in grants_of(game.id))]


def umpire_grant(game: Game, umpire: int) -> Grant | None:
    return next((grant for grant in grants_of(game.id) if claims.may_rule(grant, game, umpire)), None)


def ruling_umpires(game: Game, claim: Claim, umpires: Sequence[Umpire]) -> list[Umpire]:
    """The umpires who may rule on a claim now, and for whom this browser speaks."""
    able = [one for one in umpires if umpire_grant(game, one.number)]
    appeal = claim.appeal
    return [one for one in able if claim.state != "appealed" or (appeal is not None and appeal.umpire == one.number)]


def sees_all_of(game: Game) -> bool:
    """Whether nothing lies covered from this browser: who puts a board right learns what lies where."""
    return any(claims.sees_all(book(), grant, game) for grant in grants_of(game.id))


# --- lists and forms -------------------------------------------------------------------------------------------------


@page.get("/games/<uuid:id>/claims")
def all_claims(id: UUID) -> str:
    game, kept = readable(id)
    return render_template(
        "claims.html", game=game, kept=kept, names=kept.names, claims=claims.told(book(), id), rules=game.ruleset.id,
        colours=_colours(game), umpires=claims.umpires(book(), game), role=getattr(current_grant(id), "role", ""))


@page.route("/games/<uuid:id>/claims/new", methods=["GET", "POST"])
def new(id: UUID) -> Response:
    """Raise a claim on a step."""
    game, kept = readable(id)
    grant = claimant(game)
    step = whole_of("step")
    if not 0 <= step <= game.step:
        abort(404)
    wrong: dict[str, str] = {}
    if request.method == "POST":
        sent = request.form
        seat = None if sent.get("seat", "") == "" else whole_of("seat")
        grant = speaker(game, seat)
        files = [file.read() for file in request.files.getlist("photo") if file.filename]
        try:
            with one_at_a_time():
                written = claims.raise_claim(
                    book(), id, step, sent.get("what", ""), rule=sent.get("rule", ""), why=sent.get("why", ""),
                    seat=seat, sent=files, by=grant.by, key=sent.get("key", ""))
            return redirect(url_for("claims.claim", id=id, number=written.step), 303)
        except BadKey:
            abort(400)
        except BadPhoto as bad:
            reason = capitalize_first(words.reason_sentence(bad.reason))
            wrong["photo"] = say("{reason}. Choose the photos once more.", reason=reason)
        except Refused as no:
            field = {"text_missing": "what", "too_long": "form"}.get(no.reason.key, "form")
            wrong[field] = capitalize_first(words.reason_sentence(no.reason)) + "."
    return make_response(render_template(
        "claim_new.html", game=game, kept=kept, names=kept.names, colours=_colours(game), rules=game.ruleset.id,
        step=step, about=_step(game, step), rule_ids=_rules_of(game, step), wrong=wrong, sent=request.form,
        key=fresh_key(), seats=seats_spoken_for(game), keeps=grant.role == "scorekeeper", photos_limit=PHOTOS_LIMIT,
        text_limit=TEXT_LIMIT, rule_limit=RULE_LIMIT, megabytes=photos.SENT_LIMIT // 10**6,
        ), 422 if wrong else 200)


def _rules_of(game: Game, step: int) -> list[str]:
    """The rules that a step has to do with, for choosing one."""
    shown = _step(game, step)
    rules = [effect["rule"] for effect in shown.effects]
    tag = (shown.decision or {}).get("type")
    for kind, checks in game.ruleset.checks.items():
        if kind.__struct_config__.tag == tag:
            rules += [rule for rule, _ in checks]
    return list(dict.fromkeys(rule for rule in rules if rule))


def _step(game: Game, step: int) -> StepShown:
    """One step as this browser sees it."""
    return view_of(game).told(next(replay.steps(game, sights(game.id)[0], step - 1)))


# --- a claim ---------------------------------------------------------------------------------------------------------


class Proposed(msgspec.Struct, frozen=True):
    """What is proposed, as far as this browser may know it. missing: seats that have not consented; mine: those of
    them it speaks for. comes_to: None where it is not to be told, or cannot be carried out any more."""

    step: int
    ruling: Ruling
    to: int | None
    why: str
    values: dict[str, Any]
    moves: list[tuple[Seat, dict[str, Any]]]
    missing: list[Seat]
    mine: list[Seat]
    comes_to: Foreseen | None
    stale: str


@page.get("/games/<uuid:id>/claims/<int:number>")
def claim(id: UUID, number: int) -> Response:
    return _shown(id, number)


def _claim(game: Game, number: int) -> Claim:
    found = disputes.claims(game).get(number)
    if found is None:
        abort(404)
    return found


def _shown(id: UUID, number: int, wrong: str = "", status: int = 200) -> Response:
    """The page of a claim: its story, Daybook's opinion, and what may be done about it now."""
    game, kept = readable(id)
    found, umpires, view = _claim(game, number), claims.umpires(book(), game), view_of(game)
    sight, ruling, seats = sights(id)[0], found.ruling, seats_spoken_for(game)
    story = [view.told(step) for step in claims.story(book(), id, number, sight)]
    opinion = claims.opinion(book(), id, found.raised.about, sight)
    by = [grant.by for grant in grants_of(id)]
    appealable = (
        ruling is not None and found.state == "ruled" and found.appeal is None and ruling.umpire is not None
        and now() < ruling.appeal_until)
    persons = disputes.umpires(game)
    other_umpires = [] if ruling is None or ruling.umpire is None else [
        one for one in umpires if one.person != persons[ruling.umpire]]
    return make_response(render_template(
        "claim.html", game=game, kept=kept, names=kept.names, colours=_colours(game), rules=game.ruleset.id,
        claim=found, about=_step(game, found.raised.about), story=story, opinion=opinion,
        legal=_legal(game, kept, opinion),
        cost=_cost(game, opinion, view), proposed=_proposed(game, found, story), ruling=ruling, umpires=umpires,
        umpire_names={one.number: one.name for one in umpires}, photos=_photos(game, found), key=fresh_key(),
        seats=seats, settles=may_claim(id), my_umpires=ruling_umpires(game, found, umpires), appealable=appealable,
        others=other_umpires, keeps="scorekeeper" in by, wrong=wrong, view=view, text_limit=TEXT_LIMIT,
        withdraws=found.awaits_ruling and found.state == "open" and bool(
            {"scorekeeper", found.raised.by, f"seat:{found.raised.seat}"} & {*by}) and may_claim(id),
        closes=found.state == "ruled" and ruling is not None and now() >= ruling.appeal_until
        and (may_claim(id) or bool(ruling_umpires(game, found, umpires))),
        changes=changes_of), status)


def _legal(game: Game, kept: GameKept, opinion: Opinion) -> list[str] | None:
    if opinion.legal is None:
        return None
    return list(dict.fromkeys(words.decision_label(game.ruleset.id, plain, kept.names) for plain in opinion.legal))


def _cost(game: Game, opinion: Opinion, view: Unshown) -> list[Change]:
    if opinion.cost is None:
        return []
    return changes_of(game, opinion.cost.columns_now, opinion.cost.columns)


def changes_of(game: Game, before: Mapping[str, Sequence[int]], after: Mapping[str, Sequence[int]]) -> list[Change]:
    """The figures that differ."""
    return [
        Change(column, seat, was, become) for column in game.ruleset.columns
        for seat, (was, become) in enumerate(zip(before[column], after[column], strict=True)) if was != become]


def _photos(game: Game, found: Claim) -> list[tuple[str, int, int]]:
    """The photos this browser may see, with their size; those that were removed are gone."""
    shown = []
    for hash in found.raised.photos:
        if _sees_photo(game, hash) and (photo := photos.photo(book(), game.id, hash)) is not None:
            shown.append((hash, photo.width, photo.height))
    return shown


def _sees_photo(game: Game, hash: str) -> bool:
    holders: list[Grant | None] = [*grants_of(game.id)]
    return any(claims.may_see_photo(book(), grant, game, hash) for grant in holders or [None])


def _proposed(game: Game, found: Claim, story: Sequence[StepShown]) -> Proposed | None:
    proposal = found.proposal
    if proposal is None or not found.awaits_ruling:
        return None
    shown = next(step for step in story if step.step == proposal.step).aside
    consents = found.consents(proposal.step)
    missing = [seat for seat in range(len(game.opening.seats)) if seat not in consents]
    spoken_for = seats_spoken_for(game)
    comes_to, stale = None, ""
    if proposal.ruling != "adjusted" or sees_all_of(game):
        try:
            comes_to = claims.foresee(
                book(), game.id, found.number, proposal.ruling, to=proposal.to, moves=proposal.moves,
                values=proposal.values)
        except (Refused, IllegalDecision) as no:
            stale = words.reason_sentence(no.reason)
    return Proposed(
        proposal.step, proposal.ruling, proposal.to, proposal.why, shown.get("values", {}),
        [(move["seat"], move["decision"]) for move in shown.get("moves", [])], missing,
        [seat for seat in missing if seat in spoken_for], comes_to, stale)


# --- what may be done ------------------------------------------------------------------------------------------------


class Asked(msgspec.Struct, frozen=True):
    """A ruling as the form has it. values: what really lies where."""

    ruling: Ruling
    to: int | None
    values: dict[str, Any]
    why: str


@page.route("/games/<uuid:id>/claims/<int:number>/ruling", methods=["GET", "POST"])
def ruling(id: UUID, number: int) -> Response:
    """Put a ruling together, look what it would do, then propose it to the table or rule so."""
    game, kept = readable(id)
    found, umpires = _claim(game, number), claims.umpires(book(), game)
    mine = ruling_umpires(game, found, umpires)
    if not (mine or may_claim(id)):
        abort(403, "claim")
    if not found.awaits_ruling:
        return redirect(url_for("claims.claim", id=id, number=number), 303)
    kind = request.values.get("ruling", "play_on")
    if kind not in get_args(Ruling):
        abort(400)
    if kind == "adjusted" and not sees_all_of(game):
        abort(403, "covered")
    wrong: dict[str, str] = {}
    asked, places = _asked(game, kept, found, cast(Ruling, kind), wrong)
    do = request.form.get("do", "") if request.method == "POST" else ""
    status = 422 if wrong else 200
    if not wrong and do in ("propose", "rule"):
        answer = _settle(game, found, asked, do, wrong)
        if answer is not None:
            return answer
        status = 422
    comes_to = None
    if not wrong and (asked.ruling != "adjusted" or asked.values):
        try:
            comes_to = claims.foresee(book(), id, number, asked.ruling, to=asked.to, values=asked.values)
        except (Refused, IllegalDecision) as no:
            wrong["form"] = _refusal(game, kept, no)
            status = 422 if request.method == "POST" else 200
    return make_response(render_template(
        "ruling.html", game=game, kept=kept, names=kept.names, colours=_colours(game), rules=game.ruleset.id,
        claim=found, asked=asked, places=places, comes_to=comes_to, wrong=wrong, key=fresh_key(), mine=mine,
        settles=may_claim(id),
        view=view_of(game), changes=changes_of, text_limit=TEXT_LIMIT, covered=not sees_all_of(game),
        rulings=get_args(Ruling)), status)


def _asked(
    game: Game, kept: GameKept, found: Claim, kind: Ruling, wrong: dict[str, str],
) -> tuple[Asked, dict[str, list[Place]]]:
    """What the form says, and its places on the board with what was typed."""
    why = request.form.get("why", "")
    if kind == "rewound":
        at = found.raised.about
        to = whole_of("to") if "to" in request.values else game.parents[at] if at else 0
        if not 0 <= to <= game.step:
            wrong["to"] = say("The record has steps 0 to {newest}.", newest=game.step)
        return Asked(kind, to, {}, why), {}
    if kind == "play_on":
        return Asked(kind, None, {}, why), {}
    values: dict[str, Any] = {}
    places: dict[str, list[Place]] = {}
    for group, some in places_of(game, kept.names).items():
        for place in some:
            text = request.form.get(place.path, place.text)
            places.setdefault(group, []).append(msgspec.structs.replace(place, text=text))
            if text.strip() == place.text:
                continue
            try:
                values[place.path] = value_of(text, None if place.seat else place.value)
            except BadText as bad:
                wrong[place.path] = str(bad)
    return Asked(kind, None, values, why), places


def _settle(game: Game, found: Claim, asked: Asked, do: str, wrong: dict[str, str]) -> Response | None:
    """Propose, or rule; None where the record refuses, with the reason in `wrong`."""
    key, id, number = request.form.get("key", ""), game.id, found.number
    back = redirect(url_for("claims.claim", id=id, number=number), 303)
    try:
        if do == "propose":
            claims.propose(
                book(), id, number, asked.ruling, to=asked.to, values=asked.values, why=asked.why,
                by=claimant(game).by, key=key)
        else:
            umpire = whole_of("umpire")
            claims.rule(
                book(), id, number, asked.ruling, asked.why, umpire=umpire, to=asked.to, values=asked.values,
                at=whole_of("at"), by=_umpire(game, umpire).by, key=key)
    except (BadKey, NotADecision):
        abort(400)
    except Conflict:
        flash(say("The game has moved on meanwhile. Nothing was written: look again."))
        return back
    except (Refused, IllegalDecision) as no:
        wrong["why" if no.reason.key == "why_missing" else "form"] = _refusal(
            game, book().kept.game(id), no)
        return None
    return back


def _umpire(game: Game, umpire: int) -> Grant:
    grant = umpire_grant(game, umpire)
    if grant is None:
        abort(403, "umpire")
    return grant


def _refusal(game: Game, kept: GameKept | None, no: Refused | IllegalDecision) -> str:
    names = kept.names if kept else ()
    reason = words.reason_sentence(no.reason, game.ruleset.id, names)
    return f"{reason} ({no.rule})" if no.rule else reason


@page.post("/games/<uuid:id>/claims/<int:number>/consent")
def consent(id: UUID, number: int) -> Response:
    game, _ = readable(id)
    seat, proposal = whole_of("seat"), whole_of("proposal")
    grant = speaker(game, seat)
    return _done(id, number, lambda key: claims.consent(book(), id, number, proposal, seat, by=grant.by, key=key))


@page.post("/games/<uuid:id>/claims/<int:number>/as-proposed")
def as_proposed(id: UUID, number: int) -> Response:
    """An umpire makes a proposal the ruling."""
    game, _ = readable(id)
    umpire, at, proposal, why = whole_of("umpire"), whole_of("at"), whole_of("proposal"), request.form.get("why", "")
    by, proposed = _umpire(game, umpire).by, _claim(game, number).proposal
    if proposed is None or proposed.step != proposal:
        return _shown(id, number, say("Something else is proposed now: look again."), 409)
    return _done(id, number, lambda key: claims.rule(
        book(), id, number, proposed.ruling, why, umpire=umpire, to=proposed.to, proposal=proposal, at=at, by=by,
        key=key))


@page.post("/games/<uuid:id>/claims/<int:number>/appeal")
def appeal(id: UUID, number: int) -> Response:
    game, _ = readable(id)
    seat = None if request.form.get("seat", "") == "" else whole_of("seat")
    grant, umpire, why = speaker(game, seat), whole_of("umpire"), request.form.get("why", "")
    return _done(id, number, lambda key: claims.appeal(
        book(), id, number, umpire, why, seat=seat, by=grant.by, key=key))


@page.post("/games/<uuid:id>/claims/<int:number>/withdraw")
def withdraw(id: UUID, number: int) -> Response:
    """Whoever raised it, with the link that may; two seats on one phone have one that fits."""
    game, _ = readable(id)
    raised = _claim(game, number).raised
    fits = {"scorekeeper", raised.by, f"seat:{raised.seat}"}
    by = next((grant.by for grant in grants_of(id) if grant.by in fits), claimant(game).by)
    why = request.form.get("why", "")
    return _done(id, number, lambda key: claims.withdraw(book(), id, number, why, by=by, key=key))


@page.post("/games/<uuid:id>/claims/<int:number>/close")
def close(id: UUID, number: int) -> Response:
    game, _ = readable(id)
    able = [grant for grant in grants_of(id) if claims.may_claim(grant, game) or grant.role == "umpire"]
    if not able:
        abort(403, "claim")
    return _done(id, number, lambda key: claims.close(book(), id, number, by=able[0].by, key=key))


def _done(id: UUID, number: int, command: Callable[[str], object]) -> Response:
    """Carry a command out and show the claim; a refusal is said there."""
    game, kept = readable(id)
    _claim(game, number)
    try:
        command(request.form.get("key", ""))
    except (BadKey, NotADecision):
        abort(400)
    except Conflict:
        return _shown(id, number, say("The game has moved on meanwhile. Nothing was written: look again."), 409)
    except (Refused, IllegalDecision) as no:
        return _shown(id, number, _refusal(game, kept, no), 422)
    return redirect(url_for("claims.claim", id=id, number=number), 303)


# --- photos ----------------------------------------------------------------------------------------------------------


@page.get("/games/<uuid:id>/photos/<hash>")
def photo(id: UUID, hash: str) -> Response:
    """A photo, for who may see all that it may show. It is a picture and nothing else, whatever a browser thinks."""
    game, _ = readable(id)
    if not _sees_photo(game, hash):
        abort(403, "sight")
    found = photos.photo(book(), id, hash)
    if found is None:
        abort(404)
    answer = make_response(found.bytes)
    answer.mimetype = photos.MEDIA_TYPE
    answer.headers["Content-Disposition"] = f'inline; filename="{hash[:12]}.jpg"'
    answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


@page.post("/games/<uuid:id>/photos/<hash>/forget")
def forget(id: UUID, hash: str) -> Response:
    """Remove a photo for good; the record keeps its SHA-256."""
    readable(id)
    scorekeeper(id)
    photos.forget(book(), id, hash)
    flash(say("The photo is removed. The record keeps its SHA-256 alone."))
    return redirect(url_for("claims.claim", id=id, number=whole_of("claim")), 303)


# --- umpires ---------------------------------------------------------------------------------------------------------


@page.post("/games/<uuid:id>/umpires")
def name_umpire(id: UUID) -> Response:
    """Name somebody who rules: a player, or somebody beside the table, who gets a link."""
    readable(id)
    by, key = scorekeeper(id).by, request.form.get("key", "")
    back = redirect(url_for("links.links", id=id, _anchor="umpires"), 303)
    try:
        if request.form.get("seat", ""):
            claims.name_umpire(book(), id, seat=whole_of("seat"), by=by, key=key)
        else:
            claims.name_umpire(book(), id, request.form.get("name", ""), by=by, key=key)
            claims.umpire_grant(book(), id, len(disputes.umpires(book().games.get(id))) - 1)
    except BadKey:
        abort(400)
    except BadName:
        flash(say("Write the umpire’s name, or choose a player."))
    except (Refused, NotADecision) as no:
        flash(say("Nothing was written: {reason}.", reason=str(no)))
    return back


@page.post("/games/<uuid:id>/umpires/<int:number>/link")
def umpire_link(id: UUID, number: int) -> Response:
    """A link for an umpire who has none, or has none any more."""
    readable(id)
    scorekeeper(id)
    try:
        claims.umpire_grant(book(), id, number)
    except Refused:
        abort(404)
    return redirect(url_for("links.links", id=id, _anchor="umpires"), 303)


@page.post("/games/<uuid:id>/appeal-hours")
def appeal_hours(id: UUID) -> Response:
    """For how long a ruling may be appealed, from now on."""
    readable(id)
    scorekeeper(id)
    hours = whole_of("hours")
    if not 0 <= hours <= HOURS_LIMIT:
        flash(say("An appeal is possible for 0 to {most} hours.", most=HOURS_LIMIT))
    else:
        claims.set_appeal_hours(book(), id, hours)
        flash(say("Rulings from now on may be appealed for {n} hours.", n=hours) if hours else say(
            "Rulings from now on are final."))
    return redirect(url_for("links.links", id=id, _anchor="umpires"), 303)


def _colours(game: Game) -> list[str]:
    return [seat.colour for seat in game.opening.seats]
