from __future__ import annotations

import os
import stat
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import unquote

import pytest
from redis.connection import parse_url

from daybook.services.queue_address import Sentinels, read_sentinels, strip_credentials
from daybook.services.settings import (
    MAX_SOCKET_PATH_BYTES,
    SECRET_BYTES,
    BadSettingError,
    NoSecretError,
    Settings,
    read_settings,
)


def test_without_settings_everything_is_in_the_local_data_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings = read_settings({})
    assert settings == Settings(data=tmp_path / "data")
    assert settings.database_file("log") == tmp_path / "data" / "log.db"
    assert settings.queue_url == f"unix://{tmp_path}/data/queue.sock"
    assert settings.bind == "127.0.0.1:8000"
    assert not settings.data.exists(), "reading settings makes nothing"


def test_every_variable_is_read(tmp_path):
    settings = read_settings(
        {
            "DAYBOOK_DATA": str(tmp_path),
            "DAYBOOK_DATABASE_URL": "postgres://anna:s3cret@db/daybook",
            "DAYBOOK_REDIS_URL": "redis://:s3cret@queue:6379/0",
            "DAYBOOK_SECRET_FILE": "/run/secrets/daybook",
            "DAYBOOK_WORKERS": "4",
            "DAYBOOK_HOST": "::",
            "DAYBOOK_PORT": "80",
            "DAYBOOK_BASE_URL": "https://daybook.example.org/",
            "HOME": "/elsewhere",
            "DAYBOOK_TRUSTED_PROXIES": "10.0.0.7, 10.1.0.0/24",
        }
    )
    assert settings == Settings(
        data=tmp_path,
        database_url="postgresql://anna:s3cret@db/daybook",
        redis_url="redis://:s3cret@queue:6379/0",
        secret_file=Path("/run/secrets/daybook"),
        workers=4,
        host="::",
        port=80,
        base_url="https://daybook.example.org",
        trusted_proxies=(ip_network("10.0.0.7"), ip_network("10.1.0.0/24")),
    )
    assert settings.queue_url == "redis://:s3cret@queue:6379/0"
    assert settings.bind == "[::]:80"


def test_arguments_win_over_the_environment_and_none_means_unset():
    environ = {"DAYBOOK_PORT": "9000", "DAYBOOK_WORKERS": "3"}
    settings = read_settings(environ, port=9001, workers=None, data="/srv/daybook")
    assert (settings.port, settings.workers, settings.data) == (9001, 3, Path("/srv/daybook"))


SERVICE = {
    "DAYBOOK_SERVICE_HOST": "10.0.0.7",
    "DAYBOOK_SERVICE_PORT": "80",
    "DAYBOOK_SERVICE_PORT_PAGES": "80",
    "DAYBOOK_PORT": "tcp://10.0.0.7:80",
    "DAYBOOK_PORT_80_TCP": "tcp://10.0.0.7:80",
    "DAYBOOK_PORT_80_TCP_PROTO": "tcp",
    "DAYBOOK_PORT_80_TCP_PORT": "80",
    "DAYBOOK_PORT_80_TCP_ADDR": "10.0.0.7",
}


@pytest.mark.parametrize("service", ["DAYBOOK", "DAYBOOK_WEB", "DAYBOOK_DATA"])
def test_what_kubernetes_says_about_its_services_is_no_setting(service):
    told = {name.replace("DAYBOOK", service): text for name, text in SERVICE.items()}
    assert read_settings(told) == read_settings({})
    assert read_settings(told | {"DAYBOOK_PORT": "9000"}).port == 9000, "one's own comes first"


@pytest.mark.parametrize("left_out", ["DAYBOOK_SERVICE_HOST", "DAYBOOK_SERVICE_PORT"])
def test_what_only_looks_like_a_service_is_refused(left_out):
    with pytest.raises(BadSettingError):
        read_settings({name: text for name, text in SERVICE.items() if name != left_out})
    with pytest.raises(BadSettingError, match="DAYBOOK_PROT"):
        read_settings(SERVICE | {"DAYBOOK_PROT": "8000"})


def test_settings_as_variables_read_back_the_same(tmp_path):
    plain = read_settings({}, data=tmp_path)
    rich = read_settings(
        {},
        data=tmp_path,
        database_url="postgresql:///daybook",
        redis_url="unix:///run/redis.sock",
        host="::1",
        port=8080,
        secret_file=tmp_path / "key",
        base_url="http://192.0.2.7:8080",
        trusted_proxies="127.0.0.1,2001:db8::/32",
    )
    assert read_settings(plain.environ()) == plain
    assert read_settings(rich.environ()) == rich


@pytest.mark.parametrize(
    ("variable", "text", "message"),
    [
        ("DAYBOOK_DATA", "", "it is empty: name a path, or leave the variable out"),
        ("DAYBOOK_DATA", __file__, "is not a folder: name a folder"),
        ("DAYBOOK_DATABASE_URL", "mysql://db/daybook", "only postgresql://user:password@host/database is understood"),
        ("DAYBOOK_DATABASE_URL", "sqlite:///log.db", "for SQLite leave the variable out"),
        ("DAYBOOK_DATABASE_URL", "postgresql://", "only postgresql://"),
        ("DAYBOOK_DATABASE_URL", "postgresql://[", "it is no address of a database"),
        ("DAYBOOK_DATABASE_URL", "postgresql://db/daybook?colour=red", "it is no address of a database"),
        ("DAYBOOK_REDIS_URL", "redis://[", "give redis://host:port/0"),
        ("DAYBOOK_REDIS_URL", "redis://queue:many/0", "give redis://host:port/0"),
        ("DAYBOOK_REDIS_URL", "redis+sentinel://one,two", "with the name they know it by"),
        ("DAYBOOK_REDIS_URL", "redis+sentinel://one:many/daybook", "give redis+sentinel://host:port,host:port/name/0"),
        ("DAYBOOK_REDIS_URL", "redis+sentinel://one,/daybook/0", "give redis+sentinel://"),
        ("DAYBOOK_REDIS_URL", "redis+sentinel://one/daybook/first", "give redis+sentinel://"),
        ("DAYBOOK_REDIS_URL", "redis+sentinel://one/daybook?colour=red", "give redis+sentinel://"),
        ("DAYBOOK_BASE_URL", "https://[", "is not a public address"),
        ("DAYBOOK_BASE_URL", "https://daybook.example.org:many", "is not a public address"),
        ("DAYBOOK_TRUSTED_PROXIES", "proxy.example.org", "give addresses or networks such as 10.0.0.7"),
        ("DAYBOOK_TRUSTED_PROXIES", "10.0.0.7/24", "has host bits set"),
        ("DAYBOOK_REDIS_URL", "localhost:6379", "give redis://host:port/0"),
        ("DAYBOOK_SECRET_FILE", " ", "it is empty"),
        ("DAYBOOK_WORKERS", "many", "'many' will not do: give a whole number from 0 to 64"),
        ("DAYBOOK_WORKERS", "65", "'65' will not do"),
        ("DAYBOOK_WORKERS", "-1", "'-1' will not do"),
        ("DAYBOOK_PORT", "0", "'0' will not do: give a whole number from 1 to 65535"),
        ("DAYBOOK_PORT", "٨٠", "will not do"),
        ("DAYBOOK_HOST", "http://localhost", "is not an address to listen on"),
        ("DAYBOOK_HOST", "", "is not an address to listen on"),
        ("DAYBOOK_BASE_URL", "daybook.example.org", "is not a public address: give one such as"),
        ("DAYBOOK_BASE_URL", "https://", "is not a public address"),
        ("DAYBOOK_BASE_URL", "https://our_games.example.org", "is not a public address"),
        ("DAYBOOK_BASE_URL", "https://spielebüro.example.org", "is not a public address"),
        ("DAYBOOK_BASE_URL", "https://anna:pw@example.org", "is not a public address"),
        ("DAYBOOK_DATABSE_URL", "postgresql://db/daybook", "there is no such setting; there are DAYBOOK_DATA, "),
    ],
)
def test_a_wrong_value_names_its_variable_and_what_to_do(variable, text, message):
    with pytest.raises(BadSettingError) as refused:
        read_settings({variable: text})
    assert refused.value.variable == variable
    assert str(refused.value).startswith(f"{variable}: ")
    assert message in str(refused.value)


def test_what_was_a_setting_is_told_and_changes_nothing(caplog):
    assert read_settings({"DAYBOOK_SHARDS": "4"}) == read_settings({})
    assert "DAYBOOK_SHARDS is no setting any more and changes nothing" in caplog.text


def test_a_password_in_a_refused_address_is_not_repeated():
    for variable, text in (
        ("DAYBOOK_DATABASE_URL", "mysql://anna:s3cret@db/daybook"),
        ("DAYBOOK_DATABASE_URL", "postgresql://anna:s3cret@[/daybook"),
        ("DAYBOOK_REDIS_URL", "mysql://anna:s3cret@db/daybook"),
        ("DAYBOOK_REDIS_URL", "redis+sentinel://:s3cret@one:many/daybook"),
    ):
        with pytest.raises(BadSettingError) as refused:
            read_settings({variable: text})
        assert "s3cret" not in str(refused.value) and refused.value.__cause__ is None


def test_nothing_secret_in_the_repr(tmp_path):
    settings = read_settings(
        {}, data=tmp_path, database_url="postgresql://anna:s3cret@db/x", redis_url="redis://:s3cret@q/0"
    )
    assert "s3cret" not in repr(settings)
    settings.make_secret()
    assert settings.secret().decode() not in repr(settings)


def test_sentinel_address_names_the_sentinels_and_the_service():
    url = "rediss+sentinel://anna:s%40fe@one:26380,[::1],three/daybook/2?sentinel_password=pass%20word"
    assert read_settings({"DAYBOOK_REDIS_URL": url}).queue_url == url
    assert read_sentinels(url) == Sentinels(
        (("one", 26380), ("::1", 26379), ("three", 26379)), "daybook", 2, "anna", "s@fe", True, "pass word"
    )
    bare = strip_credentials(url)
    assert read_sentinels(bare) == read_sentinels(url)._replace(username=None, password=None)
    assert read_sentinels("redis+sentinel://one/daybook") == Sentinels(
        (("one", 26379),), "daybook", 0, None, None, False, None
    )
    assert strip_credentials("rediss://anna:s%40fe@[::1]:6/0") == "rediss://[::1]:6/0"
    assert strip_credentials("unix:///run/queue.sock?db=1") == "unix:///run/queue.sock?db=1"


# --- the queue's socket -----------------------------------------------------------------------------------------


def test_any_folder_name_survives_in_the_queue_address(tmp_path):
    settings = Settings(data=tmp_path / "a b?c%2F#é")
    assert unquote(settings.queue_url.removeprefix("unix://")) == str(settings.queue_socket)
    assert parse_url(settings.queue_url)["path"] == str(settings.queue_socket)


def test_long_socket_path_is_replaced_by_a_stable_private_one(tmp_path, monkeypatch):
    settings = Settings(data=tmp_path / ("x" * 120))
    socket = settings.queue_socket
    try:
        assert len(os.fsencode(socket)) <= MAX_SOCKET_PATH_BYTES
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
        assert (settings.data / "queue.folder").read_text() == str(socket.parent)
        monkeypatch.setenv("TMPDIR", str(tmp_path))  # another process, another TMPDIR
        assert settings.queue_socket == socket
        socket.parent.rmdir()  # the machine was restarted
        assert settings.queue_socket == socket
        assert socket.parent.is_dir()
    finally:
        socket.parent.rmdir()


def test_a_socket_folder_that_others_may_enter_is_refused(tmp_path):
    settings = Settings(data=tmp_path / ("x" * 120))
    folder = settings.queue_socket.parent
    try:
        folder.chmod(0o755)
        with pytest.raises(BadSettingError, match=r"DAYBOOK_DATA: .* is not this user's own"):
            _ = settings.queue_socket
    finally:
        folder.rmdir()


# --- what signs cookies -----------------------------------------------------------------------------------------


def test_the_secret_is_made_once_and_only_this_user_may_read_it(tmp_path):
    settings = Settings(data=tmp_path / "data")
    with pytest.raises(NoSecretError):
        settings.secret()
    settings.make_secret()
    first = settings.secret()
    settings.make_secret()
    assert len(first) >= SECRET_BYTES
    assert settings.secret() == first
    assert stat.S_IMODE((settings.data / "secret").stat().st_mode) == 0o600
    assert stat.S_IMODE(settings.data.stat().st_mode) == 0o700
    other = Settings(data=tmp_path / "other")
    other.make_secret()
    assert other.secret() != first
    assert sorted(os.listdir(settings.data)) == ["secret"]


def test_a_made_secret_that_others_may_read_is_refused(tmp_path):
    settings = Settings(data=tmp_path)
    settings.make_secret()
    (tmp_path / "secret").chmod(0o644)
    with pytest.raises(BadSettingError, match=r"DAYBOOK_SECRET_FILE: others may read .*: chmod 600 it"):
        settings.secret()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read (No such file or directory): name another file"),
        (b"too short", "holds 9 bytes: write at least 32 random ones"),
    ],
)
def test_a_named_secret_file_must_be_there_and_long_enough(tmp_path, content, message):
    file = tmp_path / "key"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BadSettingError) as refused:
        Settings(data=tmp_path, secret_file=file).secret()
    assert message in str(refused.value)


def test_a_named_secret_file_is_used_as_it_stands(tmp_path):
    file = tmp_path / "key"
    file.write_bytes(b"0123456789abcdef0123456789abcdef\n")
    assert Settings(data=tmp_path / "data", secret_file=file).secret() == b"0123456789abcdef0123456789abcdef"
    assert not (tmp_path / "data").exists()


def test_mapped_proxies_are_those_of_ipv4():
    settings = read_settings({"DAYBOOK_TRUSTED_PROXIES": "::ffff:10.0.0.7,::ffff:10.1.0.0/120,::/0"})
    assert settings.trusted_proxies == tuple(map(ip_network, ("10.0.0.7", "10.1.0.0/24", "::/0")))
