"""The blocks of docs/deploy: those of one server are run from nothing, in a copy of this machine's file system."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

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
    unit = open(f"/etc/systemd/system/{name}.service").read()
    says = lambda key: re.findall(rf"^{key}=(.*)$", unit, re.M)
    user, [state] = pwd.getpwnam(says("User")[0]), says("StateDirectory")
    folder, pid = f"/var/lib/{state}", f"/run/{name}.pid"
    os.makedirs(folder, exist_ok=True)
    os.chown(folder, user.pw_uid, user.pw_gid)
    os.chmod(folder, int(says("StateDirectoryMode")[0], 8))
    if action == "restart":
        os.kill(int(open(pid).read()), signal.SIGTERM)
        while os.path.exists(f"/proc/{open(pid).read()}"):
            time.sleep(0.1)
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


def run_blocks(place: Path, files: Path, script: str) -> str:
    """Run a script in a copy of the file system at `place`, without a network; return what it printed."""
    (files / "inside.sh").write_text(INSIDE)
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
            "trap - EXIT",
            "echo every block was run",
        ]
    )
    printed = run_blocks(place, files, script)
    assert not re.search(r"^bad ", printed, re.MULTILINE), printed


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
