"""The sample of docs/deploy for Patroni, run as it is: a primary, a synchronous standby, and a takeover."""

from __future__ import annotations

import re
import shutil

import pytest

from tests.test_deploy_pages import ROOT, blocks_of
from tests.test_deploy_streaming import DEBIAN_POSTGRES, run_inside

pytestmark = pytest.mark.drill  # it needs programs of Debian that only drills use

SAMPLE = ROOT / "docs" / "deploy" / "patroni.yml"
LIST = "patronictl -c /etc/patroni/db2.yml list"
SCRIPT = r"""
mount -t tmpfs -o mode=1777 none /dev/shm
for last in 1 2 3; do ip address add 10.77.0.$last/24 dev lo; done
getent passwd postgres || useradd --system postgres
rm -rf /var/lib/postgresql; mkdir -p /var/lib/postgresql/1 /var/lib/postgresql/2 /etc/patroni /var/run/postgresql /votes
chown -R postgres /var/lib/postgresql /var/run/postgresql/
cp SAMPLE /etc/patroni/db1.yml
sed -i -e s/SUPERUSER_PASSWORD/s-$$/ -e s/REPLICATION_PASSWORD/r-$$/ /etc/patroni/db1.yml
sed -e '/# own/{s/db1/db2/;s/10\.77\.0\.1/10.77.0.2/g}' /etc/patroni/db1.yml > /etc/patroni/db2.yml
for n in 1 2; do sed -i s,/var/lib/postgresql/daybook,/var/lib/postgresql/$n/daybook, /etc/patroni/db$n.yml; done
sed -i 's,^  data_dir:.*,&\n  parameters: {unix_socket_directories: /db2},' /etc/patroni/db2.yml  # both are on one machine
mkdir /db2; chown postgres /db2
chown postgres /etc/patroni/*; chmod 600 /etc/patroni/*
etcd --data-dir /votes --listen-client-urls http://10.77.0.1:2379 --advertise-client-urls http://10.77.0.1:2379 \
    --listen-peer-urls http://10.77.0.1:2380 > /votes.log 2>&1 &
sleep 2
cd /
until_listed() {
    for second in $(seq 120); do
        LIST > /list 2>&1 || true
        if grep --quiet "$1.*$2.*$3" /list; then cat /list; return; fi
        sleep 1
    done
    cat /list; tail -n 20 /db1.log /db2.log; return 1
}
start() { setsid runuser -u postgres -- patroni /etc/patroni/db$1.yml > /db$1.log 2>&1 & }
start 1
until_listed db1 Leader running
start 2
until_listed db2 "Sync Standby" "running\|streaming"
DATABASE
export PGPASSWORD=$DATABASE_PASSWORD
psql -h 10.77.0.1 -U daybook -c "CREATE TABLE kept (word text)" daybook
psql -h 10.77.0.1 -U daybook -c "INSERT INTO kept VALUES ('acknowledged')" daybook
for pid in $(pgrep -f "patroni /etc/patroni/db1.yml|postgresql/1/daybook"); do kill -9 $pid || true; done
began=$(date +%s)
until_listed db2 Leader running
echo takeover: $(($(date +%s) - began)) seconds
until psql -h 10.77.0.2 -U daybook -Atc "SELECT word || ': there' FROM kept" daybook; do sleep 1; done
psql -h 10.77.0.2 -U daybook -c "INSERT INTO kept VALUES ('again')" daybook
unset PGPASSWORD
start 1
until_listed db1 "Sync Standby" "running\|streaming"
pkill -TERM -x patroni || true
"""


def test_patroni_sample_keeps_what_a_killed_primary_acknowledged(tmp_path):
    if shutil.which("patroni") is None or shutil.which("etcd") is None or not DEBIAN_POSTGRES.exists():
        pytest.skip("needs patroni, etcd-server and PostgreSQL 15 of Debian")
    database = next(block for block in blocks_of("two-hosts") if "CREATE ROLE" in block)
    script = SCRIPT.replace("SAMPLE", str(SAMPLE)).replace("LIST", LIST, 1).replace("DATABASE\n", database, 1)
    out = run_inside(tmp_path, script)
    assert re.search(r"^acknowledged: there$", out, re.MULTILINE), out[-4000:]
    [seconds] = re.findall(r"^takeover: (\d+) seconds$", out, re.MULTILINE)
    assert int(seconds) < 90, out[-4000:]
