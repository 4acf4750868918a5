"""Claims: raised by anyone at the table, ruled on by an umpire or by all; what a ruling does is in the record."""

from __future__ import annotations

import io
from collections.abc import Callable
from uuid import UUID, uuid4

import msgspec
import pytest
import sqlalchemy as sa
from PIL import Image

from daybook.domain import disputes
from daybook.domain.commands import (
    Abandon,
    AppealRuling,
    CloseClaim,
    ConsentToRuling,
    Decide,
    Note,
    ProposeRuling,
    RecordAsPlayed,
    RevealGame,
    RuleOnClaim,
    WithdrawClaim,
)
from daybook.domain.kernel import events
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.chronicle import Refused, Written
from daybook.domain.kernel.terms import TABLE
from daybook.services.clock import now
from daybook.services.disputes import claims, umpires
from daybook.services.disputes.opinion import opinion_on_step
from daybook.services.disputes.umpires import appeal_hours
from daybook.services.people import photos
from daybook.services.permissions import access
from daybook.services.permissions.actions import may_with
from daybook.services.permissions.sights import EVERYTHING, sights_of
from daybook.services.play.practice import Dealer
from daybook.services.play.recording import BadKeyError
from daybook.services.reading_limits import PHOTO_BYTES
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_person
from tests.bench.request import profile_calls
from tests.played import allowed, key, open_seats, play, play_game, write
from tests.reads import count_reads
from tests.refusals import refused_for
from tests.services.conftest import Opened
from tests.services.disputes.test_corrections import reread

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def game(book: Daybook, open_table: Opened) -> UUID:
    """Return a game of three at step 20 with two umpires: Uli, and Ben, who also plays."""
    id = open_table()
    play(book, id, 20)
    umpires.name_umpire(book, id, "Uli", by="scorekeeper", key=key())
    umpires.name_umpire(book, id, seat=1, by="scorekeeper", key=key())
    return id


def raise_claim(book: Daybook, game_id: UUID, about: int = 9) -> int:
    return claims.raise_claim(
        book, game_id, about, "one coin too many", rule="MP-4.2", why="the price is 4", seat=0, by="seat:0", key=key()
    ).step


def rule_on(book: Daybook, game_id: UUID, claim: int, ruling: str = "play_on", umpire: int = 0, **how: object) -> int:
    return write(
        book,
        game_id,
        RuleOnClaim(claim, ruling, "so it is", umpire=umpire, **how, appeal_hours=appeal_hours(book, game_id)),
        at=book.games.get(game_id).step,
        by="umpire:0",
    ).step  # type: ignore[arg-type]


def state(book: Daybook, game_id: UUID, claim: int) -> str:
    return disputes.claim_of(book.games.get(game_id), claim).state


def refusal_key(command: Callable[[], object]) -> str:
    with pytest.raises(Refused) as no:
        command()
    return no.value.reason.key


def test_claim_leaves_the_board_and_blocks_no_one(book, game):
    before = book.games.get(game)
    claim = raise_claim(book, game)
    after = book.games.get(game)
    assert after.document == before.document and after.heads[-1] == before.heads[-1]
    assert (state(book, game, claim), bool(disputes.open_claims(after))) == ("open", True)
    chosen = Dealer(1).next_decision(after.ruleset, after.board)
    assert chosen is not None
    write(book, game, Decide(chosen[0], plain(chosen[1])), at=before.step)  # no conflict


def test_while_an_appeal_is_possible_a_claim_is_not_closed(book, game):
    claim = raise_claim(book, game)
    rule_on(book, game, claim)
    assert refusal_key(lambda: write(book, game, CloseClaim(claim))) == "appeal_runs"


def test_resolving_now_puts_the_board_right_in_the_same_breath(book, game):
    claim = raise_claim(book, game)
    rule_on(book, game, claim, "adjusted", values={"/players/0/money": 3})
    entries = book.games.get(game).entries
    assert isinstance(entries[-2].event, events.ClaimRuled) and isinstance(entries[-1].event, events.BoardAdjusted)
    assert (entries[-1].event.answers_step, entries[-1].event.cause) == (claim, "ruling")
    assert book.games.get(game).document["players"][0]["money"] == 3
    assert claims.story_steps(book.games.get(game), disputes.claim_of(book.games.get(game), claim)) == {
        claim,
        entries[-2].step,
        entries[-1].step,
    }


def test_a_rewind_goes_back_to_the_step(book, game):
    claim, to = raise_claim(book, game), book.games.get(game).parents[9]
    rule_on(book, game, claim, "rewound", to_step=to)
    event = book.games.get(game).entries[-1].event
    assert isinstance(event, events.DecisionsTakenBack) and (event.to_step, event.cause, event.answers_step) == (
        to,
        "ruling",
        claim,
    )
    assert book.games.get(game).document == book.games.get(game).document_at(to)


def test_all_seats_consent_and_it_is_done_and_closed(book, game):
    claim = raise_claim(book, game)
    proposal = write(
        book, game, ProposeRuling(claim, "adjusted", values={"/players/2/money": 9}, why="we agree"), by="seat:0"
    ).step
    for seat in (0, 2):
        write(book, game, ConsentToRuling(claim, proposal, seat), by=f"seat:{seat}")
        assert state(book, game, claim) == "open"
    assert refusal_key(lambda: write(book, game, ConsentToRuling(claim, proposal, 2), by="seat:2")) == "consented"
    write(book, game, ConsentToRuling(claim, proposal, 1), by="seat:1")
    assert state(book, game, claim) == "closed"
    assert book.games.get(game).document["players"][2]["money"] == 9
    reread(book, game)


def test_whoever_proposes_agrees_with_it(book, game):
    claim, sent = raise_claim(book, game), key()
    for _ in range(2):
        step = write(book, game, ProposeRuling(claim, "rewound", to_step=8, seat=1), by="seat:1", key=sent).step
    assert step == book.games.get(game).step
    said = disputes.claim_of(book.games.get(game), claim).proposal
    assert said is not None and disputes.claim_of(book.games.get(game), claim).consents(said.step) == {1}
    for seat in (0, 2):
        write(book, game, ConsentToRuling(claim, said.step, seat), by=f"seat:{seat}")
    assert state(book, game, claim) == "closed" and book.games.get(game).heads[-1] == 8
    reread(book, game)


def test_repeated_ruling_is_answered_alike_and_writes_nothing(book, game):
    claim = raise_claim(book, game)
    at = book.games.get(game).step
    first, again = (
        write(
            book,
            game,
            RuleOnClaim(claim, "rewound", "so it is", umpire=0, to_step=8, appeal_hours=appeal_hours(book, game)),
            at=at,
            by="umpire:0",
            key="once",
        )
        for _ in range(2)
    )
    assert (again.step, again.seal, again.repeated, first.repeated) == (first.step, first.seal, True, False)
    assert first.step == book.games.get(game).step == at + 2
    other = raise_claim(book, game)
    proposal = write(book, game, ProposeRuling(other, "play_on"), by="seat:0").step
    for seat in range(3):
        first, again = (
            write(book, game, ConsentToRuling(other, proposal, seat), by=f"seat:{seat}", key=f"yes-{seat}")
            for _ in range(2)
        )
        assert (again.step, again.seal, again.repeated) == (first.step, first.seal, True)
    assert isinstance(book.games.get(game).entries[first.step].event, events.ClaimClosed)
    assert book.games.get(game).step == first.step


def test_what_was_proposed_for_another_board_is_proposed_anew(book, game):
    claim = raise_claim(book, game)
    proposal = write(book, game, ProposeRuling(claim, "adjusted", values={"/players/2/money": 9}), by="seat:0").step
    play(book, game, 1)
    assert refusal_key(lambda: write(book, game, ConsentToRuling(claim, proposal, 1), by="seat:1")) == "stale"


def test_what_cannot_be_done_cannot_be_proposed(book, game):
    claim = raise_claim(book, game)
    for values in ({}, {"/turn": 1}, {"/players/0/money": -1}):
        refusal_key(
            lambda values=values: write(book, game, ProposeRuling(claim, "adjusted", values=values), by="seat:0")
        )


def test_appeal_goes_to_another_umpire_whose_ruling_is_final(book, game):
    claim = raise_claim(book, game)
    assert refusal_key(lambda: write(book, game, AppealRuling(claim, 1, "no"), by="seat:2")) == "no_ruling"
    rule_on(book, game, claim)
    assert refusal_key(lambda: write(book, game, AppealRuling(claim, 0, "no"), by="seat:2")) == "same_umpire"
    write(book, game, AppealRuling(claim, 1, "the rule says otherwise", seat=2), by="seat:2")
    assert state(book, game, claim) == "appealed"
    assert refusal_key(lambda: rule_on(book, game, claim)) == "not_the_umpire"
    rule_on(book, game, claim, "rewound", umpire=1, to_step=8)
    assert state(book, game, claim) == "closed"
    assert isinstance(book.games.get(game).entries[-1].event, events.ClaimClosed)


def test_after_the_period_there_is_no_appeal(book, game):
    claim = raise_claim(book, game)
    umpires.set_appeal_hours(book, game, 0)
    rule_on(book, game, claim)
    assert refusal_key(lambda: write(book, game, AppealRuling(claim, 1, "no"), by="seat:2")) == "too_late"


def test_claim_about_a_closed_game_is_provisional_and_keeps_it(book):
    id = play_game(book, 4)
    umpires.name_umpire(book, id, "Uli", by="scorekeeper", key=key())
    claim = raise_claim(book, id)
    assert book.games.get(id).status == "closed" and bool(disputes.open_claims(book.games.get(id)))
    money = book.games.get(id).document["players"][0]["money"]
    rule_on(book, id, claim, "adjusted", values={"/players/0/money": money + 2})
    kinds = [type(entry.event) for entry in book.games.get(id).entries[-4:]]
    assert kinds == [events.ClaimRuled, events.GameReopened, events.BoardAdjusted, events.GameClosed]
    assert book.games.get(id).status == "closed"
    reread(book, id)


def test_a_rewind_opens_a_closed_game(book):
    id = play_game(book, 4)
    umpires.name_umpire(book, id, "Uli", by="scorekeeper", key=key())
    claim = raise_claim(book, id)
    rule_on(book, id, claim, "rewound", to_step=8)
    assert book.games.get(id).status == "running"


def test_whoever_raised_a_claim_withdraws_it(book, game):
    claim = raise_claim(book, game)
    for other in ("seat:2", "scorekeeper"):
        assert refusal_key(lambda by=other: write(book, game, WithdrawClaim(claim), by=by)) == "not_the_claimant"
    write(book, game, WithdrawClaim(claim, "my mistake"), by="seat:0")
    assert state(book, game, claim) == "closed"
    assert refusal_key(lambda: rule_on(book, game, claim)) == "claim_state"


def test_without_umpire_or_consent_nobody_rules(book, open_table):
    id = open_table()
    play(book, id, 12)
    claim = raise_claim(book, id)
    assert refusal_key(lambda: rule_on(book, id, claim)) == "not_the_umpire"


def test_who_may_rule(book, game):
    first = {(g.role, g.seat): g for g in access.make_first_grants(book, game)}
    uli = umpires.umpire_grant(book, game, 0)
    folded = book.games.get(game)
    assert umpires.umpire_grant(book, game, 0) == uli and uli.by == "umpire:0"
    assert access.read_key(book, access.key_of(book, uli)) == uli
    assert EVERYTHING in sights_of(book.games.get(game), uli)
    assert allowed(uli, folded, "rule", umpire=0) and not allowed(uli, folded, "rule", umpire=1)
    assert allowed(first["seat", 1], folded, "rule", umpire=1) and not may_with(
        [first["seat", 0]], folded, "rule", umpire=1
    )
    assert not allowed(first["reader", None], folded, "rule", umpire=0)
    assert refusal_key(lambda: umpires.umpire_grant(book, game, 1)) == "not_the_umpire"
    named = umpires.umpires_of_game(book, folded, book.kept.game(game))
    assert [(player.name, player.seat) for player in named] == [("Uli", None), ("Ben", 1)]


def test_opinion_names_every_check_and_the_cost_of_a_rewind(book, game):
    folded = book.games.get(game)
    about = next(step for step in folded.line() if getattr(folded.entries[step].event, "seat", -1) == 0)
    found = opinion_on_step(book.games.get(game), about, EVERYTHING)
    assert found.holds and found.verdicts and found.legal and found.cost
    assert found.decision in found.legal
    gone = [step for step in folded.line() if step >= about]
    assert found.cost.to_step == folded.parents[about] and found.cost.steps == len(gone)
    assert sum(found.cost.decisions.values()) + found.cost.facts == len(gone)
    other = opinion_on_step(book.games.get(game), about, 2)
    assert other.legal is None


def test_others_learn_only_the_rule_of_a_move_that_stood(book, game):
    folded = book.games.get(game)
    seat = next(seat for seat in range(3) if seat not in folded.ruleset.course.to_act(folded.board))
    step = write(book, game, RecordAsPlayed(seat, {"type": "run"}, {}, ""), at=folded.step).step
    own, other = (opinion_on_step(book.games.get(game), step, sight) for sight in (seat, (seat + 1) % 3))
    assert own.as_played and not own.holds and not other.holds
    assert [v.rule for v in own.verdicts] == [v.rule for v in other.verdicts]
    assert {v.reason.key for v in other.verdicts if v.reason} == {"covered"}
    assert {v.reason.key for v in own.verdicts if v.reason} != {"covered"}


def test_an_umpire_who_is_refused_leaves_no_name(book, game):
    with pytest.raises(BadKeyError):
        umpires.name_umpire(book, game, "Ursula Nobody", by="scorekeeper", key="")
    assert not book.kept.engine.values(sa.select(kept_person.c.id).where(kept_person.c.name == "Ursula Nobody"))
    umpires.name_umpire(book, game, "Ursula Nobody", by="scorekeeper", key=key())
    assert "Ursula Nobody" in {umpire.name for umpire in umpires.umpires_of_game(book, book.games.get(game), None)}


# --- photos ----------------------------------------------------------------------------------------------------------


def picture(size: tuple[int, int] = (64, 48), kind: str = "JPEG", **how: object) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, "red").save(out, kind, **how)
    return out.getvalue()


def test_a_photo_keeps_what_it_shows_and_nothing_else(book, game):
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = "the kitchen of Anna", 6
    sent = picture((400, 100), exif=exif) + b"<script>alert(1)</script>"
    claim = claims.raise_claim(book, game, 3, "look", images=[sent, sent], by="scorekeeper", key=key()).step
    (hash,) = disputes.claim_of(book.games.get(game), claim).raised.photos
    held = photos.read_photo_of_game(book, game, hash)
    assert held is not None and (held.width, held.height) == (100, 400)
    assert b"kitchen" not in held.bytes and b"script" not in held.bytes
    assert not Image.open(io.BytesIO(held.bytes)).getexif()
    assert photos.read_photo_of_game(book, uuid4(), hash) is None


def test_a_claim_has_six_photos_and_no_more(book, game):
    sent = [picture((64 + n, 48)) for n in range(7)]
    with refused_for("too_many", photos.InvalidPhotoError):
        claims.raise_claim(book, game, 3, "look", images=sent, by="scorekeeper", key=key())
    claim = claims.raise_claim(book, game, 3, "look", images=sent[:6], by="scorekeeper", key=key()).step
    folded = book.games.get(game)
    event = disputes.claim_of(folded, claim).raised
    assert len(event.photos) == 6
    seven = msgspec.structs.replace(event, photos=[*event.photos, "0" * 64])
    disputes.check(folded, event)
    assert refusal_key(lambda: disputes.check(folded, seven)) == "photos", "nor in a record that somebody else wrote"


def test_a_photo_of_a_claim_that_is_refused_is_not_kept(book, game):
    """A kept photo would be invisible and permanent. A photo that another claim shows stays."""
    shown, other = picture((40, 30)), picture((50, 30))
    claims.raise_claim(book, game, 9, "so it lay", images=[shown], by="scorekeeper", key=key())
    before = claims.claims_open_first(book.games.get(game))
    with pytest.raises(Refused), count_reads(book) as reads:
        claims.raise_claim(book, game, 9, " ", images=[shown, other], by="scorekeeper", key=key())
    assert not [table for table in reads.tables if "INSERT" in table], (
        "nor meanwhile: another claim may be about to show it"
    )
    assert claims.claims_open_first(book.games.get(game)) == before
    kept = [photos.photo_size(book, game, photos.reencode(value).hash) for value in (shown, other)]
    assert kept == [(40, 30), None]


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"hello",
        b"GIF89a" + b"\0" * 50,
        picture(kind="GIF"),
        picture()[:200],
        picture(kind="BMP"),
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"\x89PNG\r\n\x1a\n" + b"\0" * 100,
        b"x" * 15_000_001,
    ],
)
def test_what_is_no_photo_is_refused(sent):
    with pytest.raises(photos.InvalidPhotoError) as bad:
        photos.reencode(sent)
    damaged = sent.startswith((b"\xff\xd8\xff", b"\x89PNG"))
    too_large = len(sent) > PHOTO_BYTES
    assert bad.value.reason.key == ("too_large" if too_large else "damaged" if damaged else "no_photo")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "kind"),
    [
        ((13_400, 13_400), "PNG"),
        ((9_500, 9_500), "PNG"),
        ((1, 20_001), "PNG"),
        ((20_001, 1), "JPEG"),
        ((6_000, 4_001), "PNG"),
        ((9_000, 9_000), "JPEG"),
        ((20_000, 1_500), "JPEG"),
        ((6_000, 4_001), "WEBP"),
    ],
)
def test_oversized_photo_is_refused_before_it_is_decoded(size, kind, monkeypatch):
    out = io.BytesIO()
    Image.new("L", size).save(out, kind)
    assert len(out.getvalue()) < PHOTO_BYTES
    monkeypatch.setattr(Image.Image, "load", None)  # no pixel is decoded
    with pytest.raises(photos.InvalidPhotoError, match="the photo is too large") as bad:
        photos.reencode(out.getvalue())
    assert bad.value.reason.key == "too_many_points"


def test_a_camera_s_photo_of_48_million_points_is_taken():
    kept = photos.reencode(picture((8_000, 6_000)))
    assert (kept.width, kept.height) == (2_000, 1_500)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_photo_stands_upright_whatever_it_is_kept_in(kind):
    exif = Image.Exif()
    exif[0x0112] = 6
    kept = photos.reencode(picture((3_000, 1_000), kind, exif=exif))
    assert (kept.width, kept.height) == (667, 2_000)


def test_what_lies_clear_is_white_in_whatever_mode():
    out = io.BytesIO()
    Image.new("RGBA", (40, 40), (255, 0, 0, 0)).save(out, "PNG")
    clear = io.BytesIO()
    Image.open(io.BytesIO(out.getvalue())).quantize(4).save(clear, "PNG")
    for sent in (out.getvalue(), clear.getvalue()):
        shown = Image.open(io.BytesIO(photos.reencode(sent).bytes))
        assert min(shown.getpixel((20, 20))) > 250  # type: ignore[type-var, arg-type]


def test_one_photo_is_decoded_at_a_time_and_late_ones_are_told(monkeypatch):
    monkeypatch.setattr(photos, "WAIT_SECONDS", 0.05)
    decoding, inside = photos._decode, list[type[Exception]]()

    def slow(sent: bytes, side: int) -> Image.Image:
        with pytest.raises(photos.PhotosBusyError) as busy:
            photos.reencode(picture())
        inside.append(busy.type)
        return decoding(sent, side)

    monkeypatch.setattr(photos, "_decode", slow)
    assert photos.reencode(picture()).width == 64
    assert inside == [photos.PhotosBusyError]


def test_a_fork_can_be_what_is_proposed(book, game):
    folded = book.games.get(game)
    to = folded.parents[folded.line()[-1]]
    board = folded.ruleset.typed_board(folded.document_at(to), folded.table)
    rules = folded.ruleset
    seat, decision = next(iter((s, d) for s in rules.course.to_act(board) for d in rules.legal(board, s)))
    claim = raise_claim(book, game)
    proposal = write(
        book, game, ProposeRuling(claim, "rewound", to_step=to, moves=[events.Move(seat, plain(decision))])
    ).step
    rule_on(book, game, claim, "rewound", proposal=proposal)
    last = book.games.get(game).entries[-1].event
    assert getattr(last, "decision", None) == plain(decision) and last.answers_step == claim  # type: ignore[union-attr]
    reread(book, game)


def test_a_seat_that_is_asked_to_consent_sees_the_photo(book, game):
    grants = {(g.role, g.seat): g for g in access.make_first_grants(book, game)}

    def may() -> list[bool]:
        folded = book.games.get(game)
        (hash,) = disputes.claim_of(folded, claim).raised.photos
        return [allowed(grants[who], folded, "see_photo", hash=hash) for who in (("seat", 1), ("reader", None))]

    claim = claims.raise_claim(book, game, 3, "look", seat=0, images=[picture()], by="seat:0", key=key()).step
    assert may() == [False, False]
    proposal = write(book, game, ProposeRuling(claim, "play_on")).step
    assert may() == [True, False]
    for seat in range(3):
        write(book, game, ConsentToRuling(claim, proposal, seat), by=f"seat:{seat}")
    assert may() == [False, False], "nobody is asked any more"


@pytest.mark.parametrize(
    ("proposer", "shown"),
    [("seat:1", False), ("seat:2", False), ("seat:0", True), ("scorekeeper", True), ("umpire:0", True)],
)
def test_whoever_proposes_something_is_shown_no_photo_by_it(book, game, proposer, shown):
    """Ben, in seat 1, was named as an umpire; he still plays. Anna's claim has a photo."""
    grants = {g.place: g for g in access.make_first_grants(book, game)}
    write(book, game, Note(3, "look"), by="seat:0")  # the claim does not say again who wrote it
    claim = claims.raise_claim(book, game, 3, "look", seat=0, images=[picture()], by="seat:0", key=key()).step
    write(book, game, ProposeRuling(claim, "play_on"), by=proposer)
    if not shown:
        write(book, game, ProposeRuling(claim, "play_on"), by="seat:2")
    folded = book.games.get(game)
    (hash,) = disputes.claim_of(folded, claim).raised.photos
    assert [allowed(grants[f"seat:{seat}"], folded, "see_photo", hash=hash) for seat in (0, 1, 2)] == [
        True,
        shown,
        shown,
    ]


@pytest.mark.parametrize("ends", [False, True])
def test_ended_game_opens_photos_to_those_who_sat_there_only(book, game, ends):
    """An abandoned game keeps covered things covered; after it is revealed or closed the seats see them, and no other
    viewer does."""
    grants = {g.place: g for g in access.make_first_grants(book, game)}
    claim = claims.raise_claim(book, game, 3, "look", seat=0, images=[picture()], by="seat:0", key=key()).step
    (hash,) = disputes.claim_of(book.games.get(game), claim).raised.photos
    write(book, game, Abandon("late"))
    if ends:
        write(book, game, RevealGame())
    folded = book.games.get(game)
    may = {
        who: allowed(grants.get(who), folded, "see_photo", hash=hash) for who in ("seat:0", "seat:1", "reader", "none")
    }
    assert may == {"seat:0": True, "seat:1": ends, "reader": False, "none": False}
    assert allowed(grants["scorekeeper"], folded, "see_photo", hash=hash)


@pytest.mark.parametrize("ruleset", ["arkwright_card", "water_frame"])
def test_open_game_shows_claimants_what_was_legal(book, ruleset):
    id = open_seats(book, ruleset_id=ruleset)
    play(book, id, 40)
    game = book.games.get(id)
    about = max(
        entry.step
        for entry in game.entries
        if isinstance(entry.event, events.DecisionRecorded) and entry.event.seat != TABLE
    )
    decided = game.entries[about].event
    assert isinstance(decided, events.DecisionRecorded)
    for sight in (None, *range(3)):
        found = opinion_on_step(book.games.get(id), about, sight)
        assert found.legal is not None and decided.decision in found.legal


# --- what becomes of a ruling that was appealed ----------------------------------------------------------------------


def appeal(book: Daybook, game: UUID, claim: int) -> None:
    write(book, game, AppealRuling(claim, 1, "the rule says otherwise", seat=2), by="seat:2")


def last_ruling(book: Daybook, game: UUID, claim: int) -> events.ClaimRuled:
    found = disputes.claim_of(book.games.get(game), claim).ruling
    assert found is not None
    return found


@pytest.mark.parametrize(
    "first", [{"ruling": "adjusted", "values": {"/players/0/money": 3}}, {"ruling": "rewound", "to_step": 8}]
)
def test_play_on_after_appeal_undoes_a_ruling_on_the_board(book, game, first):
    before, claim = book.games.get(game).document_at(book.games.get(game).step), raise_claim(book, game)
    rule_on(book, game, claim, **first)  # type: ignore[arg-type]
    assert book.games.get(game).document != before
    appeal(book, game, claim)
    foreseen = claims.preview_ruling(book.games.get(game), claim, "play_on")
    assert foreseen.changes, "the umpire sees what it does"
    rule_on(book, game, claim, "play_on", umpire=1)
    assert book.games.get(game).document == before
    assert last_ruling(book, game, claim).appealed_changes == "undone"
    assert state(book, game, claim) == "closed"
    reread(book, game)


def test_the_umpire_can_keep_what_the_first_ruling_did(book, game):
    claim = raise_claim(book, game)
    rule_on(book, game, claim, "adjusted", values={"/players/0/money": 3})
    appeal(book, game, claim)
    assert claims.preview_ruling(book.games.get(game), claim, "play_on", first="kept").changes == {}
    rule_on(book, game, claim, "play_on", umpire=1, appealed_changes="kept")
    assert book.games.get(game).document["players"][0]["money"] == 3
    assert last_ruling(book, game, claim).appealed_changes == "kept"


def test_adjustment_on_appeal_adds_unless_the_first_is_undone(book, game):
    for first, money in (("undone", None), ("kept", 3)):
        was = book.games.get(game).document["players"][0]["money"]
        claim = raise_claim(book, game)
        rule_on(book, game, claim, "adjusted", values={"/players/0/money": 3})
        appeal(book, game, claim)
        rule_on(
            book, game, claim, "adjusted", umpire=1, values={"/players/1/money": 40 + claim}, appealed_changes=first
        )
        players = book.games.get(game).document["players"]
        assert (players[0]["money"], players[1]["money"]) == (was if money is None else money, 40 + claim)


def test_adjustment_of_a_continued_game_is_reversed_not_struck(book, game):
    claim = raise_claim(book, game)
    was = book.games.get(game).document["players"][0]["money"]
    rule_on(book, game, claim, "adjusted", values={"/players/0/money": was + 50})
    play(book, game, 2)
    played_since, touched = book.games.get(game).step, book.games.get(game).document["players"][0]["money"] != was + 50
    appeal(book, game, claim)
    if touched:
        assert refusal_key(lambda: rule_on(book, game, claim, umpire=1)) == "changed_since"
        rule_on(book, game, claim, umpire=1, appealed_changes="kept")
        return
    rule_on(book, game, claim, umpire=1)
    assert book.games.get(game).document["players"][0]["money"] == was
    assert played_since in book.games.get(game).line()


def test_fate_of_a_first_ruling_needs_an_appeal(book, game):
    claim = raise_claim(book, game)
    assert refusal_key(lambda: rule_on(book, game, claim, appealed_changes="undone")) == "not_appealed"
    rule_on(book, game, claim, "adjusted", values={"/players/0/money": 3})
    assert last_ruling(book, game, claim).appealed_changes is None


def test_further_claim_entries_cost_no_more_in_a_long_record(book, game):
    """A file can have thousands of entries, and each is checked against all before it."""
    claim, folded = raise_claim(book, game), book.games.get(game).twin()

    def say(times: int) -> None:
        for _ in range(times):
            at = Written(now(), "scorekeeper", f"said-{folded.step}")
            said = disputes.side_entry(folded, events.RulingProposed, at, claim=claim, ruling="play_on", why="so")
            folded.apply(said)
            yes = disputes.side_entry(folded, events.RulingConsented, at, claim=claim, proposal=folded.step, seat=0)
            folded.apply(yes)
            named = disputes.side_entry(
                folded, events.UmpireNamed, at, umpire=len(disputes.umpires(folded)), person=f"umpire-{folded.step}"
            )
            folded.apply(named)

    with profile_calls() as few:
        say(10)
    say(200)
    with profile_calls() as many:
        say(10)
    assert many.count <= 1.1 * few.count
    told, before = disputes.claims(folded)[claim], disputes.claims(folded, folded.step - 3)[claim]
    assert len(told.story) == len(before.story) + 2 == 440
    assert told.consents(folded.step - 2) == {0} and told.proposal is not None and told.proposal.step == folded.step - 2
    assert book.games.get(game).side_state != folded.side_state, "a copy that goes on leaves the game as it was"
    assert disputes.claims(book.games.get(game))[claim].story == ()
