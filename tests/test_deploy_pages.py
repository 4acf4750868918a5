"""The blocks of docs/deploy: those of one server and of two hosts are run from nothing, each host in a copy of this
machine's file system."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
import yaml

from daybook.workers import queue_server
from tests import servers
from tests.proxies import find_nginx, write_certificate

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "deploy"
SIZES = ("laptop", "one-server", "two-hosts", "containers")
NAME = "daybook.example.org"
MAX_LINES = 120
LEFT_OUT = {  # the beginning of a command of the page about one server, and why it is not run here
    "apt-get ": "the programs are those of this machine",
    "certbot ": "no authority signs for this machine: the test has a certificate of its own",
    "make -C ": "the packages come from the network: the environment of the tests takes their place",
    "git -C ": "the clone is of the tree that is tested, and has nothing newer",
}
INSIDE = r"""
set -eu
mount -t tmpfs none "$PLACE"
mkdir "$PLACE/upper" "$PLACE/work" "$PLACE/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$PLACE/upper,workdir=$PLACE/work" "$PLACE/root"
mount -t proc proc "$PLACE/root/proc"
mount --bind /dev "$PLACE/root/dev"
mount -t tmpfs none "$PLACE/root/run"
ip link set lo up
cp "$FILES"/* "$PLACE/root/"
exec chroot "$PLACE/root" sh -eu /blocks.sh
"""
SYSTEMCTL = '''#!/usr/bin/python3
"""Starts units as systemd would: user, settings, folders and command. It has no watchdog and no sandbox."""
import os, pwd, re, signal, subprocess, sys, time
action, names = sys.argv[1], [name for name in sys.argv[2:] if not name.startswith("-")]
if action == "daemon-reload":
    sys.exit()
for name in names:
    if name == "nginx":
        running = os.path.exists("/run/nginx.pid") and os.path.getsize("/run/nginx.pid")
        subprocess.run(["nginx", *(["-s", "reload"] if running else [])], check=True)
        continue
    file = re.sub("@.*", "@", name)
    unit = open(f"/etc/systemd/system/{file}.service").read()
    says = lambda key: re.findall(rf"^{key}=(.*)$", unit, re.M)
    user, [state] = pwd.getpwnam(says("User")[0]), says("StateDirectory")
    folder, pid = f"/var/lib/{state}", f"/run/{name}.pid"
    os.makedirs(folder, exist_ok=True)
    os.chown(folder, user.pw_uid, user.pw_gid)
    os.chmod(folder, int(says("StateDirectoryMode")[0], 8))
    if action in ("restart", "stop"):
        os.kill(int(open(pid).read()), signal.SIGTERM)
        while os.path.exists(f"/proc/{open(pid).read()}"):
            time.sleep(0.1)
    if action == "stop":
        continue
    environ = {"PATH": os.environ["PATH"]}
    for line in open("/etc/daybook/daybook.env"):
        if re.match(r"\\w+=", line):
            environ.update([line.rstrip("\\n").split("=", 1)])
    environ.update(text.split("=", 1) for text in says("Environment"))
    log = open(f"/var/log/{name}.log", "ab")
    ids = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": [], "umask": int(says("UMask")[0], 8)}
    process = subprocess.Popen(says("ExecStart")[0].split(), env=environ, cwd="/", stdout=log, stderr=log, **ids)
    open(pid, "w").write(str(process.pid))
'''
SYSTEMD_RUN = '''#!/usr/bin/python3
"""Runs a command as systemd-run would: with the user, the settings and the variables that it names."""
import os, pwd, re, sys
words, environ, user = sys.argv[1:], {"PATH": os.environ["PATH"]}, None
while words[0].startswith("-"):
    word = words.pop(0)
    if word not in ("-p", "-E"):
        continue
    key, _, text = words.pop(0).partition("=")
    if word == "-E":
        environ[key] = text
    elif key == "User":
        user = pwd.getpwnam(text)
    elif key == "EnvironmentFile":
        for line in open(text):
            if re.match(r"\\w+=", line):
                environ.update([line.rstrip("\\n").split("=", 1)])
os.chdir("/")
os.setgroups([]), os.setgid(user.pw_gid), os.setuid(user.pw_uid)
os.execve(words[0], words, environ)
'''


def blocks_of(page: str) -> list[str]:
    """Return the blocks of commands of a page, each command on one line."""
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    found = re.findall(r"^( *)```sh\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{indent}", "", block, flags=re.MULTILINE).replace("\\\n", " ") for indent, block in found]


@pytest.mark.parametrize("page", SIZES)
def test_page_of_a_size_is_short_and_its_blocks_are_shell(page):
    assert len((FOLDER / f"{page}.md").read_text().splitlines()) <= MAX_LINES
    blocks = blocks_of(page)
    assert len(blocks) >= 4
    for block in blocks:
        checked = subprocess.run(["sh", "-n"], input=block, capture_output=True, text=True)
        assert checked.returncode == 0, f"{block}\n{checked.stderr}"


@pytest.mark.parametrize("page", SIZES)
def test_files_that_the_blocks_name_are_there(page):
    named = [name for block in blocks_of(page) for name in re.findall(r"docs/deploy/([\w.@*-]+)", block)]
    assert [name for name in named if not [*FOLDER.glob(name)]] == []


def run_blocks(place: Path, files: Path, script: str, inside: str = INSIDE) -> str:
    """Run a script in a copy of the file system at `place`, without a network; return what it printed.

    Args:
        inside: makes the copy, and runs the script `blocks.sh` there.
    """
    (files / "inside.sh").write_text(inside)
    (files / "blocks.sh").write_text(script)
    done = subprocess.run(
        ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "sh", str(files / "inside.sh")],
        env={**os.environ, "PLACE": str(place), "FILES": str(files)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=servers.PATIENCE_SECONDS,
    )
    assert done.returncode == 0 and "every block was run" in done.stdout, done.stdout[-6000:]
    return done.stdout


@pytest.mark.drill
def test_page_about_one_server_leads_from_nothing_to_a_page_over_tls(tmp_path):
    if os.getuid() != 0 or shutil.which("unshare") is None or find_nginx() is None:
        pytest.skip("needs root on Linux, unshare and nginx")
    place = tmp_path / "place"
    place.mkdir()
    files = tmp_path / "files"
    files.mkdir()
    write_certificate(files)
    commands = [line for block in blocks_of("one-server") for line in block.splitlines()]
    kept = [line for line in commands if not line.startswith((*LEFT_OUT,))]
    assert all(any(line.startswith(prefix) for line in commands) for prefix in LEFT_OUT)
    assert len(kept) >= 18
    replaced = [
        line + f"\ncp -r {FOLDER}/. /srv/daybook/docs/deploy/\nln -s {ROOT}/.venv /srv/daybook/.venv"
        if line.startswith("git clone")
        else line
        for line in kept
    ]
    script = "\n".join(
        [
            f"export ADDRESS=file://{ROOT} NAME={NAME} PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin",
            f"export CURL_CA_BUNDLE=/etc/letsencrypt/live/{NAME}/fullchain.pem",
            "userdel daybook 2>/dev/null || true",
            f"mkdir -p /etc/letsencrypt/live/{NAME} /usr/local/sbin /etc/nginx/conf.d",
            "rm -rf /srv/daybook /var/lib/daybook /etc/daybook /etc/nginx/sites-enabled/*",
            f"cp /fullchain.pem /privkey.pem /etc/letsencrypt/live/{NAME}/",
            f"echo 127.0.0.1 {NAME} >> /etc/hosts",
            f"cat > /usr/local/sbin/systemctl <<'END'\n{SYSTEMCTL}END",
            f"cat > /usr/local/sbin/systemd-run <<'END'\n{SYSTEMD_RUN}END",
            "chmod 755 /usr/local/sbin/systemctl /usr/local/sbin/systemd-run",
            "trap 'tail -n 30 /var/log/daybook.log >&2' EXIT",
            "set -x",
            *replaced,
            f"curl --fail --silent --retry 30 --retry-all-errors --retry-delay 1 https://{NAME}/ | grep --quiet Daybook",
            "test $(stat -c %U:%a /var/lib/daybook/secret) = daybook:600",
            "test -d /var/backups/daybook/pieces",
            "cmp /var/lib/daybook/secret /var/lib/daybook-2*/secret",  # it is the restored one
            "daybook doctor",
            "trap - EXIT",
            "echo every block was run",
        ]
    )
    printed = run_blocks(place, files, script)
    assert not re.search(r"^bad ", printed, re.MULTILINE), printed


LEFT_OUT_OF_TWO = {  # the beginning of a command of the page about two hosts, and why it is not run here
    "apt-get ": "the programs are those of this machine",
    "(umask 077; wg ": "the bridge between the two namespaces takes the place of WireGuard",
    "systemctl enable --now wg-quick@wg0": "as above",
    "ping ": "not every machine has it, and the parts reach each other below",
    "systemctl disable --now postgresql": "the pair has no Patroni here: tests/test_deploy_patroni.py runs patroni.yml",
    "install -m 600 -o postgres ": "as above",
    "systemctl enable --now patroni": "as above",
    "patronictl ": "as above",
}
# Two hosts: each a network namespace on a bridge, with a copy of the file system. `/peer` of db1 is the disk of db2.
TWO_HOSTS = r"""
set -eu
mount -t tmpfs none "$PLACE"
mount -t tmpfs none /run
ip link set lo up
ip link add between type bridge
ip link set between up
for number in 1 2; do
    host=db$number root=$PLACE/db$number/root
    mkdir -p "$PLACE/$host/upper" "$PLACE/$host/work" "$root"
    mount -t overlay overlay -o "lowerdir=/,upperdir=$PLACE/$host/upper,workdir=$PLACE/$host/work" "$root"
    mount -t proc proc "$root/proc"
    mount --bind /dev "$root/dev"
    mount -t tmpfs none "$root/run"
    cp "$FILES"/* "$root/"
    ip netns add $host
    ip link add $host type veth peer name eth0 netns $host
    ip link set $host master between up
    ip -n $host addr add 10.77.0.$number/24 dev eth0
    ip -n $host link set eth0 up
    ip -n $host link set lo up
done
ip -n db1 addr add 10.77.0.3/24 dev eth0
mkdir "$PLACE/db1/root/peer"
mount --bind "$PLACE/db2/root" "$PLACE/db1/root/peer"
on() { ip netns exec "$1" chroot "$PLACE/$1/root" sh -eu "/$2.sh"; }
on db1 primary
on db2 prepare
on db1 blocks
on db2 second
"""
RSYNC = """#!/bin/sh
# rsync --archive --numeric-ids /etc/daybook/ 10.77.0.2:/etc/daybook/
mkdir -p /peer/etc/daybook
exec cp -a "$3." /peer/etc/daybook/
"""
DATABASE = r"""
getent passwd postgres >/dev/null || useradd --system postgres
mkdir -p /var/lib/pg /var/run/postgresql
chown postgres /var/lib/pg /var/run/postgresql
as_postgres() { runuser -u postgres -- "$@"; }
start_postgres() {
    as_postgres $PROGRAMS/postgres -D /var/lib/pg/data -k /var/run/postgresql -c listen_addresses=$1 >/var/log/pg.log 2>&1 &
    until $PROGRAMS/pg_isready --quiet -h $1; do sleep 0.1; done
}
"""
PRIMARY = r"""
as_postgres $PROGRAMS/initdb -D /var/lib/pg/data --auth-local=trust --auth-host=scram-sha-256 --no-sync >/dev/null
echo "host daybook daybook 10.77.0.0/24 scram-sha-256" >> /var/lib/pg/data/pg_hba.conf
echo "host replication postgres 10.77.0.0/24 trust" >> /var/lib/pg/data/pg_hba.conf
echo "synchronous_standby_names = '*'" >> /var/lib/pg/data/postgresql.conf
start_postgres 10.77.0.1
"""
STANDBY = r"""
as_postgres $PROGRAMS/pg_basebackup -h 10.77.0.1 -U postgres -D /var/lib/pg/data -R -X stream -c fast
start_postgres 10.77.0.2
"""
QUEUE = r"""
mkdir /var/lib/valkey
$VALKEY --bind 10.77.0.1 --port 6379 --appendonly yes --maxmemory-policy noeviction --requirepass $QUEUE_PASSWORD     --primaryauth $QUEUE_PASSWORD --dir /var/lib/valkey >/var/log/valkey.log 2>&1 &
for number in 1 3; do
    sed -e "s/^bind .*/bind 10.77.0.$number/" -e "s/QUEUE_PASSWORD/$QUEUE_PASSWORD/"         /srv/daybook/docs/deploy/sentinel.conf > /var/lib/valkey/sentinel-$number.conf
    $VALKEY /var/lib/valkey/sentinel-$number.conf --sentinel >/var/log/sentinel-$number.log 2>&1 &
done
sentinels=redis+sentinel://:$QUEUE_PASSWORD@10.77.0.1:26379,10.77.0.2:26379,10.77.0.3:26379/daybook/0
answers="from daybook.workers.queue_server import server_answers as answers; raise SystemExit(not answers('$sentinels'))"
until /srv/daybook/.venv/bin/python -c "$answers"; do sleep 0.2; done
"""
CHECKS = (
    "curl --fail --silent --retry 60 --retry-all-errors --retry-delay 1 https://$NAME/ | grep --quiet Daybook",
    "curl --fail --silent --show-error https://$NAME/api/v1/health",
)


@pytest.mark.drill
def test_page_about_two_hosts_leads_from_nothing_to_both(tmp_path):
    if os.getuid() != 0 or not all(map(shutil.which, ("unshare", "ip", "runuser"))) or find_nginx() is None:
        pytest.skip("needs root on Linux, unshare, ip, runuser and nginx")
    place, files = tmp_path / "place", tmp_path / "files"
    place.mkdir()
    files.mkdir()
    write_certificate(files)
    scripts = scripts_of_two_hosts()
    for name, script in scripts.items():
        (files / f"{name}.sh").write_text(script)
    printed = run_blocks(place, files, scripts["blocks"], TWO_HOSTS)
    assert len(re.findall(r"^the blocks of a host were run$", printed, re.MULTILINE)) == 2
    assert not re.search(r"^bad ", printed, re.MULTILINE), printed


def scripts_of_two_hosts() -> dict[str, str]:
    """Return the scripts by name: for the first host primary and blocks, for the second one prepare and second."""
    lines = [line for block in blocks_of("two-hosts") for line in block.splitlines()]
    kept = [line for line in lines if not line.startswith((*LEFT_OUT_OF_TWO,))]
    assert all(any(line.startswith(prefix) for line in lines) for prefix in LEFT_OUT_OF_TWO)
    user, proxy = (blocks_of("one-server")[place].splitlines() for place in (3, 8))
    both = kept.index("install -m 755 /srv/daybook/docs/deploy/daybook-run /usr/local/sbin/daybook")
    parts = kept.index("install -m 644 /srv/daybook/docs/deploy/daybook-*.service /etc/systemd/system/")
    upstream = next(place for place, line in enumerate(kept) if line.startswith("sed -i -e"))
    queue = next(place for place, line in enumerate(kept) if line.startswith("QUEUE_PASSWORD="))
    assert parts < upstream == len(kept) - 1
    begin = [
        f"export ADDRESS=file://{ROOT} NAME={NAME} PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin",
        f"export CURL_CA_BUNDLE=/etc/letsencrypt/live/{NAME}/fullchain.pem",
        f"PROGRAMS={servers.postgres_programs()} VALKEY={queue_server.binary()}",
        "trap 'tail -n 20 /var/log/daybook*.log /var/log/pg.log >&2 || true' EXIT",
    ]
    prepare = [
        "userdel daybook 2>/dev/null || true",
        f"mkdir -p /etc/letsencrypt/live/{NAME} /usr/local/sbin /etc/nginx/conf.d",
        "rm -rf /srv/daybook /var/lib/daybook /etc/daybook /etc/nginx/sites-enabled/*",
        f"cp /fullchain.pem /privkey.pem /etc/letsencrypt/live/{NAME}/",
        f"echo 127.0.0.1 {NAME} >> /etc/hosts",
        *(
            f"cat > /usr/local/sbin/{name} <<'END'\n{text}END\nchmod 755 /usr/local/sbin/{name}"
            for name, text in (("systemctl", SYSTEMCTL), ("systemd-run", SYSTEMD_RUN), ("rsync", RSYNC))
        ),
        'for name in psql createdb; do ln -sf "$PROGRAMS/$name" /usr/local/sbin/$name; done',
        f"mkdir -p /srv/daybook/docs && ln -s {FOLDER} /srv/daybook/docs/deploy",
        f"ln -s {ROOT}/.venv /srv/daybook/.venv",
        *user,
    ]
    on_both = [*kept[parts:upstream], *proxy[:-2], *kept[upstream:], *proxy[-2:], *CHECKS, "daybook doctor"]
    end = ["trap - EXIT", "echo the blocks of a host were run"]
    first = [
        *begin,
        *prepare,
        "set -x",
        *kept[: queue + 1],
        QUEUE,
        *kept[queue + 1 : parts],
        "daybook init",
        *on_both,
        *end,
        "echo every block was run",
    ]
    sentinel = QUEUE.partition("for number")[2].replace("in 1 3", "in 2", 1)
    second = [
        *begin,
        "set -x",
        "test $(stat -c %U:%a /etc/daybook/secret) = daybook:600",
        "mkdir /var/lib/valkey",
        "QUEUE_PASSWORD=$(sed -n 's/.*sentinel:...\\([^@]*\\)@.*/\\1/p' /etc/daybook/daybook.env)",
        f"for number{sentinel}",
        *kept[both:parts],
        *on_both,
        *end,
    ]
    scripts = {
        "primary": [*begin, DATABASE, PRIMARY, "trap - EXIT"],
        "prepare": [*begin, *prepare, DATABASE, STANDBY, "trap - EXIT"],
        "blocks": first,
        "second": second,
    }
    return {name: "\n".join(lines) + "\n" for name, lines in scripts.items()}


LEFT_OUT_OF_CONTAINERS = {  # the beginning of a command of the page about containers, and why it is not run here
    "git clone ": "the tree that is tested takes its place",
    "podman ": "the image is built and served by tests/test_deploy.py where podman or docker can",
    "certbot ": "no authority signs for this machine",
    "curl ": "asks the service that podman would start",
}


def test_page_about_containers_makes_what_compose_reads(tmp_path):
    lines = [line for block in blocks_of("containers") for line in block.splitlines()]
    kept = [line for line in lines if not line.startswith((*LEFT_OUT_OF_CONTAINERS,))]
    assert all(any(line.startswith(prefix) for line in lines) for prefix in LEFT_OUT_OF_CONTAINERS)
    assert len(kept) + 7 == len(lines), "each command is run, or has its reason here"
    shutil.copytree(FOLDER, tmp_path / "daybook-source" / "docs" / "deploy")
    script = "\n".join(["set -eu", *kept])
    subprocess.run(["sh", "-c", script], cwd=tmp_path, env={**os.environ, "NAME": "club.example.net"}, check=True)
    made = tmp_path / "daybook"
    compose = yaml.safe_load((made / "compose.yml").read_text())
    files = [made / secret["file"] for secret in compose["secrets"].values()]
    assert len(files) == 2 and all(stat.S_IMODE(file.stat().st_mode) == 0o400 for file in files)
    settings = dict(line.split("=", 1) for line in (made / ".env").read_text().splitlines())
    named = set(re.findall(r"\$\{(\w+)\}", (made / "compose.yml").read_text()))
    assert named == set(settings) and all(settings.values())
    assert "club.example.net" in (made / "nginx.conf").read_text() and NAME not in (made / "nginx.conf").read_text()


UNITS = sorted(FOLDER.glob("*.service"))


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_unit_is_confined_to_medium_exposure_or_better(unit, tmp_path):
    analyse = shutil.which("systemd-analyze")
    if analyse is None:
        pytest.skip("systemd-analyze is missing: apt-get install systemd")
    copy = tmp_path / unit.name.replace("@", "")
    copy.write_text(unit.read_text())
    done = subprocess.run(
        [analyse, "security", "--offline=yes", "--no-pager", "--threshold=50", str(copy)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-400:] + done.stderr
