"""No part uses a primary that is on an older timeline than any part has met."""

from __future__ import annotations

import json
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from uuid import UUID, uuid4

import psycopg
import pytest
from redis import Redis

from daybook.services.operation import doctor
from daybook.services.operation.health import Pulse
from daybook.services.settings import BadSettingError, Settings, read_settings
from daybook.services.store import postgres, timelines
from daybook.services.store.daybook import open_daybook
from daybook.services.store.folded_cache import FoldedCache
from daybook.services.store.postgres import FormerPrimaryError, NoWitnessError
from daybook.services.store.timelines import TIMELINES_FILE, TIMELINES_KEY, Guard, Mark, Server
from tests import servers
from tests.bench.drill.hosts import Host, pair
from tests.servers import wait_until

SYSTEM = "7713522839651692030"


class Pair(NamedTuple):
    """Two primaries: the former one, on timeline 1, and the new one, on timeline 2, which is stopped.

    watched: the seconds until a part that used the former one left it.
    """

    former: Host
    new: Host
    system: str
    watched: float

    @property
    def url(self) -> str:
        hosts = f"{self.former.address}:{self.former.port},{self.new.address}:{self.new.port}"
        return f"postgresql://postgres@{hosts}/postgres"


@pytest.fixture(scope="module")
def split(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    data = tmp_path_factory.mktemp("data")  # not in `folder`: the thread that watches stores again what is removed
    with tempfile.TemporaryDirectory() as folder, pair(Path(folder)) as (one, two):
        one.ask("ALTER SYSTEM SET synchronous_standby_names = ''")  # an unfenced primary that acknowledges alone
        one.ask("SELECT pg_reload_conf()")
        found = Pair(one, two, one.ask("SELECT system_identifier::text FROM pg_control_system()"), 0.0)
        settings = Settings(data=data, database_url=found.url)
        postgres.fence(settings)
        with postgres.connect(found.url) as running:
            assert running.info.port == one.port
            two.ask("SELECT pg_promote()")
            begun = time.monotonic()
            wait_until(lambda: _is_left(running), "the part to leave the former primary", 10)
            seconds = time.monotonic() - begun
        two.ask("ALTER SYSTEM SET synchronous_standby_names = ''")
        two.stop(signal.SIGINT)
        yield found._replace(watched=seconds)


def _is_left(session: postgres.Session) -> bool:
    try:
        postgres.require_open(session)
    except FormerPrimaryError:
        return True
    return False


@pytest.fixture
def queue() -> Iterator[str]:
    with servers.queue() as url:
        yield url


@pytest.fixture
def part(split: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The settings of a part that starts now, and has met no server."""
    monkeypatch.setattr(timelines, "_guards", {})
    monkeypatch.setattr(timelines, "WITNESS_SECONDS", 0.3)
    monkeypatch.setattr(timelines, "WATCH_SECONDS", 0.05)
    return Settings(data=tmp_path, database_url=split.url)


def start(settings: Settings, url: str | None = None) -> int:
    """Connect as a part that starts now does; return the port of its server."""
    timelines._guards.clear()
    postgres.fence(settings)
    assert settings.database_url is not None
    with postgres.connect(url or settings.database_url) as session:
        session.execute("CREATE TABLE IF NOT EXISTS public.written (n int)")
        return session.info.port


def note_on_disk(settings: Settings, system: str, resets: int, timeline: int) -> None:
    (settings.data / TIMELINES_FILE).write_text(json.dumps({system: [resets, timeline]}))


def replaced(settings: Settings, **changes: object) -> Settings:
    return read_settings({**settings.environ(), **{f"DAYBOOK_{name.upper()}": str(v) for name, v in changes.items()}})


# --- two hosts -------------------------------------------------------------------------------------------------------

server = pytest.mark.server
slow = pytest.mark.slow


@server
@slow
def test_running_part_leaves_former_primary_within_seconds(split):
    assert split.watched < 5


@server
@slow
def test_part_refuses_older_timeline_noted_on_disk(split, part):
    note_on_disk(part, split.system, 0, 2)
    with pytest.raises(FormerPrimaryError, match="timeline 1, and timeline 2 has begun"):
        start(part)


@server
@slow
def test_setting_does_not_allow_a_former_primary(split, part):
    note_on_disk(part, split.system, 0, 2)
    with pytest.raises(FormerPrimaryError):
        start(replaced(part, allow_unconfirmed_primary="yes"))


@server
@slow
def test_part_refuses_older_timeline_noted_in_queue(split, part, queue):
    with Redis.from_url(queue) as client:
        client.hset(TIMELINES_KEY, split.system, "0:2")
    with pytest.raises(FormerPrimaryError):
        start(replaced(part, redis_url=queue))
    stored = json.loads((part.data / TIMELINES_FILE).read_bytes())
    assert stored == {split.system: [0, 2]}


@server
@slow
def test_unconfirmed_primary_names_its_setting_and_never_writes(split, part):
    for _ in range(2):
        with pytest.raises(NoWitnessError, match="DAYBOOK_ALLOW_UNCONFIRMED_PRIMARY=yes"):
            start(part)
    assert start(replaced(part, allow_unconfirmed_primary="yes")) == split.former.port


@server
@slow
def test_emptied_queue_is_no_witness_and_never_becomes_one(split, part, queue):
    asked = replaced(part, redis_url=queue)
    note_on_disk(part, split.system, 0, 1)
    for _ in range(2):
        with pytest.raises(NoWitnessError):
            start(asked)
    with Redis.from_url(queue) as client:
        assert not client.exists(TIMELINES_KEY)


@server
@slow
def test_queue_that_knows_the_timeline_is_a_witness(split, part, queue):
    with Redis.from_url(queue) as client:
        client.hset(TIMELINES_KEY, split.system, "0:1")
    assert start(replaced(part, redis_url=queue)) == split.former.port


@server
@slow
def test_one_server_by_two_names_is_no_witness(split, part):
    url = f"postgresql://postgres@127.0.0.1:{split.former.port},localhost:{split.former.port}/postgres"
    with pytest.raises(NoWitnessError):
        start(replaced(part, database_url=url))


@server
@slow
def test_single_host_needs_no_witness_but_keeps_its_timeline(split, part):
    alone = replaced(part, database_url=split.former.url)
    assert start(alone) == split.former.port
    assert json.loads((part.data / TIMELINES_FILE).read_bytes()) == {split.system: [0, 1]}
    note_on_disk(part, split.system, 0, 2)  # an address that moved to the new primary, and back
    with pytest.raises(FormerPrimaryError):
        start(alone)


@server
@slow
def test_running_part_repairs_an_emptied_queue(split, part, queue):
    start(replaced(part, redis_url=queue, allow_unconfirmed_primary="yes"))
    with Redis.from_url(queue) as client:
        client.flushdb()
        wait_until(lambda: client.hget(TIMELINES_KEY, split.system) == b"0:1", "the queue to be repaired", 5)


@server
@slow
def test_running_part_obeys_a_timeline_from_the_queue(split, part, queue):
    settings = replaced(part, redis_url=queue, allow_unconfirmed_primary="yes")
    start(settings)
    with postgres.connect(split.url) as session, Redis.from_url(queue) as client:
        client.hset(TIMELINES_KEY, split.system, "0:2")
        wait_until(lambda: _is_left(session), "the part to leave the former primary", 5)
    with pytest.raises(FormerPrimaryError):
        postgres.connect(split.url)
    assert "former primary" in postgres.refusal(settings)


@server
@slow
def test_refusal_ends_when_an_open_session_is_used_again(split, part):
    settings = replaced(part, allow_unconfirmed_primary="yes")
    postgres.fence(settings)
    with postgres.connect(split.url) as session:
        timelines.guard_of(session.hosts).refuse("the host was a former primary")
        assert postgres.refusal(settings)
        postgres.require_open(session)
    assert postgres.refusal(settings) == ""


@server
@slow
def test_operator_accepts_an_older_timeline_everywhere(split, part, queue):
    settings = replaced(part, redis_url=queue)
    note_on_disk(part, split.system, 0, 2)
    postgres.fence(settings)
    postgres.accept_timeline(settings)
    assert start(settings) == split.former.port
    note_on_disk(part, split.system, 0, 2)  # as another host has it
    assert start(settings) == split.former.port


@server
@slow
def test_health_and_doctor_say_why_nothing_is_written(split, part, queue):
    settings = replaced(part, redis_url=queue, allow_unconfirmed_primary="yes")
    postgres.fence(settings)
    with closing(open_daybook(settings, create=True)) as book, Redis.from_url(queue) as client:
        client.hset(TIMELINES_KEY, split.system, "0:2")
        pulse = Pulse(book)
        wait_until(lambda: "database" in pulse.check_reachability().away, "health to say so", 10)
        assert not pulse.check_reachability().records
        assert any("former primary" in complaint.says for complaint in pulse.check_reachability().complaints())
    timelines._guards.clear()
    (found,) = [check for check in doctor.run_checks(settings) if check.about == "log"]
    assert found.state == "bad" and "is a former primary" in found.says


@server
@slow
def test_part_that_lost_its_server_asks_a_witness_again(split, part, queue):
    settings = replaced(part, redis_url=queue)
    with Redis.from_url(queue) as client:
        client.hset(TIMELINES_KEY, split.system, "0:1")
        start(settings)
        guard = timelines.guard_of(postgres.hosts_in(psycopg.conninfo.conninfo_to_dict(split.url)))
        split.former.stop(signal.SIGINT)
        with pytest.raises(psycopg.OperationalError):
            postgres.connect(split.url)
        assert not guard.confirmed
        client.flushdb()
        split.former.start()
        wait_until(split.former.answers, "the former primary")
        guard._began = time.monotonic() - 60
        with pytest.raises(NoWitnessError):
            postgres.connect(split.url)


# --- without a server ------------------------------------------------------------------------------------------------


def test_damaged_file_of_timelines_is_reported(tmp_path, caplog):
    (tmp_path / TIMELINES_FILE).write_text("{")
    guard = Guard(Settings(data=tmp_path))
    guard.begin()
    assert guard.marks == {}
    assert "timelines.json cannot be read" in caplog.text


def test_two_guards_never_lower_what_is_stored(tmp_path):
    one, two = Guard(Settings(data=tmp_path)), Guard(Settings(data=tmp_path))
    two.confirm(Server(SYSTEM, 3, True))
    one.confirm(Server(SYSTEM, 2, True))
    assert one.is_former(Server(SYSTEM, 2, True))
    assert json.loads((tmp_path / TIMELINES_FILE).read_bytes()) == {SYSTEM: [0, 3]}


def test_another_database_system_has_its_own_timelines(tmp_path):
    guard = Guard(Settings(data=tmp_path), marks={SYSTEM: Mark(0, 4)})
    assert not guard.is_former(Server("another", 1, True))
    assert not guard.is_former(Server("", 0, True))


class Folded(NamedTuple):
    id: UUID
    entries: list[int]


def test_folded_cache_is_dropped_after_a_promotion():
    epochs = [1]
    held = FoldedCache[Folded](10, lambda folded: 1, lambda: epochs[-1])
    cached = held.put(Folded(uuid4(), [1, 2]))
    assert held.get(cached.id) is cached
    epochs.append(2)
    assert held.get(cached.id) is None, "the new primary may lack the newest entry"


def test_allow_unconfirmed_primary_takes_yes_or_no():
    with pytest.raises(BadSettingError, match="give yes or no"):
        read_settings({"DAYBOOK_ALLOW_UNCONFIRMED_PRIMARY": "perhaps"})
