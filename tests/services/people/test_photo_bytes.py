"""Photos in a bucket: a real server of S3 keeps them, and nothing is lost or removed by mistake when it is away, was
copied, or belongs to another Daybook."""

from __future__ import annotations

import hashlib
import os
import shutil
from contextlib import closing
from dataclasses import replace
from threading import Event, Thread
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa

from daybook.services.clock import later_time, now
from daybook.services.league import members
from daybook.services.operation import backups
from daybook.services.operation.certificates import make_certificate
from daybook.services.operation.doctor import examine
from daybook.services.people import accounts, anonymise, bucket_owner, photo_bytes, photo_moves, photos
from daybook.services.people.photos import Photo
from daybook.services.settings import BadSetting, Settings
from daybook.services.store import bucket
from daybook.services.store.away import BucketAway, NotOurBucket
from daybook.services.store.bucket import open_bucket
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.kept import kept_bucket, kept_photo, kept_unwanted
from daybook.workers import follower
from tests.bucket_server import BUCKET, KEY, READER, SECRET, bucket_server, wrong_server
from tests.servers import free_port, wait_until
from tests.web.people.test_signin import photo as jpeg

pytestmark = pytest.mark.sqlite_suffices
GAME = UUID(int=7)


@pytest.fixture(autouse=True)
def key_that_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setattr(bucket, "REST_SECONDS", 0.0)


def named(book: Daybook, endpoint: str, prefix: str = "", name: str = BUCKET) -> Daybook:
    """The same daybook, with a bucket."""
    url = f"s3://{name}/{prefix or uuid4().hex}?endpoint={endpoint}"
    settings = replace(book.settings, photos_url=url)
    return replace(book, settings=settings, bucket=open_bucket(settings))


@pytest.fixture
def shared(book: Daybook, bucket_url: str) -> Daybook:
    book = named(book, bucket_url, "evenings/photos")
    at_first(book)
    photo_moves.check(book)
    return book


def at_first(book: Daybook) -> None:
    """Nothing is left there of the test before."""
    assert book.bucket is not None
    for name in [*book.bucket.names("")]:
        book.bucket.remove(name)


def objects(book: Daybook) -> list[str]:
    assert book.bucket is not None
    return sorted(book.bucket.names(photo_bytes.OBJECTS))


def some_photo(number: int = 1) -> Photo:
    content = os.urandom(2_000) + bytes([number])
    return Photo(hashlib.sha256(content).hexdigest(), 40, 30, content)


def kept(book: Daybook, number: int = 1) -> Photo:
    photos.keep(book, GAME, shown := some_photo(number))
    return shown


def unwanted(book: Daybook) -> list[str]:
    with book.kept.engine.connect() as c:
        return [*c.scalars(sa.select(kept_unwanted.c.object))]


def told(book: Daybook) -> str:
    """What the doctor says of photos."""
    return " ".join(f"{one.state}: {one.says}" for one in photo_findings(book.settings))


def photo_findings(settings: Settings) -> list:  # type: ignore[type-arg]
    return [one for one in examine(settings) if one.about == "photos"]


@pytest.mark.both_databases
def test_a_photo_lies_in_the_bucket_alone_until_it_is_removed(shared):
    shown, other = kept(shared), kept(shared, 2)
    photos.keep(shared, GAME, shown)
    assert photos.photo(shared, GAME, shown.hash) == shown and len(objects(shared)) == 2
    assert photos.size_of(shared, GAME, shown.hash) == (40, 30)
    assert photos.photo(shared, UUID(int=8), shown.hash) is None, "of another game"
    with shared.kept.engine.connect() as c:
        assert {len(one) for one in c.scalars(sa.select(kept_photo.c.bytes))} == {photo_bytes.NAMED_BYTES}
    photos.remove_photo(shared, GAME, shown.hash)
    assert photos.photo(shared, GAME, shown.hash) is None and photos.photo(shared, GAME, other.hash) == other
    assert len(objects(shared)) == 1 and unwanted(shared) == []


@pytest.mark.both_databases
def test_a_persons_photo_leaves_the_bucket_with_the_next_one_and_with_the_person(shared):
    mina = accounts.make_account(shared, "Mina")
    for width in (300, 200):
        members.keep_portrait(shared, mina, jpeg(width, 100), by=mina)
        assert len(objects(shared)) == 1
    seen = members.portrait(shared, mina)
    assert seen is not None and seen.bytes[:3] == b"\xff\xd8\xff" and members.has_portrait(shared, mina)
    assert anonymise.anonymise(shared, [mina], by=mina)
    assert objects(shared) == [] and unwanted(shared) == []


def test_the_follower_removes_what_waits_and_counts_that_the_bucket_is_ours(shared, monkeypatch):
    monkeypatch.setattr(follower, "SWEEP_SECONDS", 0.01)
    monkeypatch.setattr(follower, "MARK_SECONDS", 0.0)
    kept(shared)
    with shared.kept.engine.begin() as c:  # as while the bucket is away
        photo_bytes.unwant(c, kept_photo, kept_photo.c.game == GAME)
        c.execute(kept_photo.delete())
    before, stop = times_marked(shared), Event()
    following = Thread(target=follower.remove_unwanted_photos, args=(shared, stop))
    following.start()
    try:
        wait_until(lambda: unwanted(shared) == [] and times_marked(shared) > before, "the follower")
    finally:
        stop.set()
        following.join()
    assert objects(shared) == []


def times_marked(book: Daybook) -> int:
    owner = book.bucket.owner() if book.bucket else None
    return owner.times if owner else 0


@pytest.mark.both_databases
def test_what_broke_off_before_its_row_was_written_is_removed_after_a_while(shared):
    laid = photo_bytes.lay(shared, b"half a claim")
    assert photo_bytes.sweep(shared) and objects(shared) == [laid.object], "it may still be under way"
    with shared.kept.engine.begin() as c:
        c.execute(kept_unwanted.update().values(after=later_time(now(), seconds=-1)))
    assert photo_bytes.sweep(shared) and objects(shared) == []
    with pytest.raises(BucketAway), shared.kept.engine.begin() as c:  # who slept for an hour, and goes on
        laid.settle(c)


# --- a bucket that does not do as asked ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "kind", "says"),
    [
        (500, "failed", "answers with an error (500)"),
        (503, "failed", "answers with an error (503)"),
        (301, "failed", "is not at this endpoint, or in another region"),
        (404, "failed", "answers with an error (404)"),
        (409, "failed", "answers with an error (409)"),
        (403, "refused", "refuses the key that we have (403)"),
        (0, "away", "does not answer"),
        (None, "away", "does not answer"),
    ],
)
def test_a_bucket_that_fails_loses_nothing_and_holds_nobody(book, monkeypatch, caplog, status, kind, says):
    monkeypatch.setattr(bucket, "ANSWER_SECONDS", 0.3)
    monkeypatch.setattr(bucket, "AGAIN_SECONDS", 0)
    monkeypatch.setattr(bucket, "REST_SECONDS", 60.0)
    with _answering(status) as endpoint:
        book = named(book, endpoint)
        with pytest.raises(BucketAway) as away:
            kept(book)
        assert str(away.value) == f"the bucket {BUCKET} {says}" and away.value.__cause__ is None
        assert book.bucket is not None and book.bucket.faults == {kind: 1}
        with book.kept.engine.connect() as c:
            assert c.scalar(sa.select(sa.func.count()).select_from(kept_photo)) == 0
    with pytest.raises(BucketAway, match=says.partition(" (")[0]):  # without being asked: for a minute it may rest
        book.bucket.get("photos/any.jpg")
    assert book.bucket.faults == {kind: 1} and SECRET not in caplog.text and KEY not in caplog.text


def _answering(status: int | None):  # type: ignore[no-untyped-def]
    return closed_port() if status is None else wrong_server(status)


class closed_port:
    def __enter__(self) -> str:
        return f"http://127.0.0.1:{free_port()}"

    def __exit__(self, *_: object) -> None: ...


@pytest.mark.parametrize(
    ("variables", "name", "says"),
    [
        ({"AWS_SECRET_ACCESS_KEY": "another"}, BUCKET, "refuses the key that we have (403)"),
        ({"AWS_ACCESS_KEY_ID": READER}, BUCKET, "refuses the key that we have (403)"),
        ({}, "of-nobody", "does not exist"),
        ({"AWS_ACCESS_KEY_ID": ""}, BUCKET, "nobody is named who asks"),
    ],
)
def test_a_start_is_refused_with_what_is_wrong(book, bucket_url, monkeypatch, variables, name, says):
    for variable, text in variables.items():
        monkeypatch.setenv(variable, text)
    with pytest.raises((BucketAway, BadSetting)) as refused:
        photo_moves.check(named(book, bucket_url, name=name))
    assert says in str(refused.value) and SECRET not in str(refused.value)


def test_a_bucket_over_tls_shows_a_certificate_that_is_trusted_here(book, monkeypatch, tmp_path):
    tls = tmp_path / "cert.pem", tmp_path / "key.pem"
    authority, _ = make_certificate(*tls)
    with bucket_server(tls) as endpoint:
        assert endpoint.startswith("https://")
        with pytest.raises(BucketAway, match="shows a certificate that this machine does not trust"):
            photo_moves.check(named(book, endpoint))
        monkeypatch.setenv("SSL_CERT_FILE", str(authority))
        trusting = named(book, endpoint)
        photo_moves.check(trusting)
        shown = [kept(trusting, number) for number in range(3)]
        assert [photos.photo(trusting, GAME, one.hash) for one in shown] == shown and len(objects(trusting)) == 3
        assert trusting.bucket is not None and not trusting.bucket.faults


def test_who_asks_is_read_from_a_file_too(shared, monkeypatch, tmp_path, bucket_url):
    file = tmp_path / "credentials"
    file.write_text(f"[photos]\naws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n")
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(file))
    with pytest.raises(BadSetting, match="lacks the profile"):
        photo_moves.check(named(shared, bucket_url))
    monkeypatch.setenv("AWS_PROFILE", "photos")
    photo_moves.check(named(shared, bucket_url))


def test_what_is_removed_while_the_bucket_is_away_is_gone_at_once_and_leaves_it_later(shared):
    shown = kept(shared)
    with wrong_server(500) as endpoint:
        photos.remove_photo(named(shared, endpoint, "evenings/photos"), GAME, shown.hash)
    assert photos.photo(shared, GAME, shown.hash) is None
    assert len(objects(shared)) == 1 and "warn: 1 that were removed are in the bucket yet" in told(shared)
    assert photo_bytes.sweep(shared) and objects(shared) == []


def test_an_object_that_is_missing_or_another_is_not_shown_and_told(shared):
    gone, other = kept(shared), kept(shared, 2)
    assert shared.bucket is not None
    with shared.kept.engine.connect() as c:
        rows = c.execute(sa.select(kept_photo.c.hash, kept_photo.c.bytes)).all()
    names = {hash: photo_bytes.object_of(bytes(content)) or "" for hash, content in rows}
    shared.bucket.remove(names[gone.hash])
    shared.bucket.put(names[other.hash], gone.bytes)
    assert photos.photo(shared, GAME, gone.hash) is None and photos.photo(shared, GAME, other.hash) is None
    assert told(shared) == f"bad: 1 of 2 are missing in the bucket, such as {gone.hash}"


# --- moving, backups, copies -----------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_photos_are_moved_some_at_a_time_and_what_broke_off_goes_on(book, shared, monkeypatch):
    monkeypatch.setattr(photo_moves, "TOGETHER", 3)
    shown = [kept(book, number) for number in range(8)]
    assert told(shared) == "warn: 8 lie in the kept tables yet"
    moving = photo_moves.move_into_bucket(shared)
    assert next(moving)
    moving.close()  # two more were written into the bucket, and have no row there
    progress = list[tuple[int, int]]()
    more = photo_moves.move_into_bucket(shared, lambda done, of: progress.append((done, of)))
    assert len(objects(shared)) == 3 and [*more] == [True] * 7 and progress == [(0, 7), (3, 7), (6, 7), (7, 7)]
    assert [photos.photo(shared, GAME, one.hash) for one in shown] == shown
    left = unwanted(shared)
    assert len(left) == 2 and len(objects(shared)) == 10 and {*left} < {*objects(shared)}
    assert told(shared).startswith("ok: 8 in s3://evenings/evenings/photos")
    with pytest.raises(BucketAway, match="DAYBOOK_PHOTOS_URL names no bucket"):
        photos.photo(book, GAME, shown[0].hash)
    assert told(book) == "bad: 8 lie in a bucket, and none is named"
    assert [*photo_moves.move_into_tables(shared)] == [True] * 8
    assert [photos.photo(book, GAME, one.hash) for one in shown] == shown and objects(shared) == sorted(left)


def test_one_photo_of_several_that_cannot_be_moved_loses_none(book, shared):
    shown = [kept(book, number) for number in range(5)]
    with wrong_server(500) as endpoint, pytest.raises(BucketAway):
        photo_bytes.lay_together(named(shared, endpoint), [one.bytes for one in shown])
    assert [photos.photo(shared, GAME, one.hash) for one in shown] == shown and objects(shared) == []
    assert [*photo_moves.move_into_bucket(shared)] == [True] * 5
    assert [photos.photo(shared, GAME, one.hash) for one in shown] == shown


def test_a_backup_holds_the_photos_and_the_restored_copy_needs_no_bucket_and_reaches_none(shared, tmp_path, bucket_url):
    shown = kept(shared)
    backups.take(shared.settings, tmp_path / "backup")
    restored = Settings(data=tmp_path / "again")
    backups.restore(tmp_path / "backup", restored)
    with closing(open_daybook(restored)) as copy:
        assert photos.photo(copy, GAME, shown.hash) == shown
        photos.remove_photo(named(copy, bucket_url, "evenings/photos"), GAME, shown.hash)
    assert photos.photo(shared, GAME, shown.hash) == shown
    with wrong_server(500) as endpoint, pytest.raises(BucketAway):
        backups.take(named(shared, endpoint).settings, tmp_path / "another")
    assert not (tmp_path / "another").exists()


def test_a_copy_of_the_data_removes_nothing_of_the_first_until_it_takes_over(settings, shared, tmp_path, bucket_url):
    shown, other = kept(shared), kept(shared, 2)
    shutil.copytree(settings.data, tmp_path / "copy")
    with closing(open_daybook(replace(shared.settings, data=tmp_path / "copy"))) as copy:
        with pytest.raises(NotOurBucket, match="belongs to another Daybook, last heard of at"):
            photo_moves.check(copy)
        photos.remove_photo(copy, GAME, shown.hash)
        assert photos.photo(copy, GAME, shown.hash) is None
        assert photos.photo(shared, GAME, shown.hash) == shown
        assert told(copy).startswith("bad: s3://evenings/evenings/photos belongs to another Daybook")
        photo_moves.check(named(copy, bucket_url))  # a prefix of its own is its own
        bucket_owner.take_over(copy)
        late = kept(shared, 3)  # the first, which somebody forgot to stop
        photos.remove_photo(shared, GAME, other.hash)
        assert photos.photo(copy, GAME, other.hash) == other, "now the first removes nothing"
        assert "1 object in the bucket that no photo here names" in told(copy)
        photo_moves.remove_strange(copy, photo_moves.look(copy).strange)
        assert photos.photo(shared, GAME, late.hash) is None and len(objects(copy)) == 2 - 1


@pytest.mark.both_databases
def test_a_daybook_is_known_to_the_bucket_by_where_its_data_are(book, request, tmp_path):
    mark = bucket_owner.mark_of(book)
    with closing(open_daybook(book.settings)) as again:
        assert bucket_owner.mark_of(again) == mark
    if book.settings.database_url is None:
        shutil.copytree(request.getfixturevalue("empty_data"), tmp_path / "other")
        others = Settings(data=tmp_path / "other")
    else:
        others = replace(book.settings, database_url=request.getfixturevalue("postgres_database"))
    with closing(open_daybook(others, create=True)) as other:
        assert bucket_owner.mark_of(other) != mark


@pytest.mark.both_databases
def test_a_backup_from_before_the_bucket_was_marked_again_is_a_copy_wherever_it_lies(shared):
    """As a clone of a disk has it, or a database taken back to an earlier moment: all else is the same."""
    with shared.kept.engine.connect() as c:
        before = c.execute(sa.select(kept_bucket)).one()
    bucket_owner.mark(shared)
    bucket_owner.require_ours(shared)
    with shared.kept.engine.begin() as c:
        c.execute(kept_bucket.update().values(times=before.times))
    with pytest.raises(NotOurBucket):
        bucket_owner.require_ours(shared)
    with pytest.raises(NotOurBucket):
        bucket_owner.mark(shared)
    bucket_owner.take_over(shared)
    bucket_owner.require_ours(shared)
