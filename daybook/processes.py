"""Commands that run the service: everything on one machine, or each part separately."""

from __future__ import annotations

import gc
import os
import secrets
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from daybook.base import bar_of, data_option, main, open_book, print_lines, refusing, settings_of

if TYPE_CHECKING:
    from daybook.services.messages.outbox import Draft, Written
    from daybook.services.settings import Settings
    from daybook.services.store.daybook import Daybook
    from daybook.workers.parts import ServicePart


AWAY_SECONDS = 0.5  # between two tries to reach the database
ANALYSIS_PATIENCE_SECONDS = 2.0  # it has the lowest priority: on a busy machine it may not notice that it should stop
ANALYSIS_HANG_SECONDS = 700.0  # a job takes up to 600

tls_option = click.option(
    "--tls",
    type=(click.Path(path_type=Path), click.Path(path_type=Path)),
    metavar="CERTIFICATE KEY",
    help="Serve https with this certificate and its key (PEM). `daybook certificate` creates them. "
    "Default: DAYBOOK_TLS_CERTIFICATE and DAYBOOK_TLS_KEY, or http.",
)


@main.command()
@data_option
@click.option("--finish", is_flag=True, help="No part of an older Daybook runs any more: remove what only those need.")
@click.option(
    "--accept-loss",
    is_flag=True,
    help="Part of the data is missing for good: continue with the rest, or start a new history. Nothing is deleted.",
)
def init(data: Path | None, finish: bool, accept_loss: bool) -> None:
    """Create the tables of a new data folder or database, or upgrade those of an older Daybook.

    Before an upgrade, the kept tables (names, links, accounts) are copied; docs/backup.md says where. On PostgreSQL
    parts of the version before go on meanwhile, if they can; docs/deploy says how to replace them one by one.
    """
    settings = settings_of(data=data)
    if accept_loss:
        accept_lost_data(settings)
    prepare(settings, examples=False)
    if finish:
        finish_upgrade(settings)


def accept_lost_data(settings: Settings) -> None:
    """Accept that the rest of the data is lost."""
    from daybook.services.store import history
    from daybook.workers import start_checks

    with refusing(start_checks.CannotServeError, history.LostDataError), start_checks.lock_folder(settings.folder()):
        if settings.database_url is not None:
            from daybook.services.store import postgres

            postgres.fence(settings)
            postgres.accept_timeline(settings)
        if moved := history.move_remains(settings):
            print_lines(f"what remained without a log is in {moved}")
        with closing(open_book(settings, create=True, accept_loss=True)) as book:
            require_own_queue(book, take_over=True)


def finish_upgrade(settings: Settings) -> None:
    from daybook.services.operation import upgrade
    from daybook.services.store.away import UnavailableError
    from daybook.services.store.migrations import UnfitTablesError
    from daybook.workers import jobs

    with closing(open_book(settings)) as book, refusing(UnfitTablesError, UnavailableError):
        removed = upgrade.finish_upgrade(book)
        if settings.redis_url is not None:
            jobs.forget_others(settings)
    print_lines(f"every part has to know this version now; removed: {', '.join(removed) or 'nothing'}")


@main.command()
@data_option
@click.option("--host", help="The address to serve at. Default: DAYBOOK_HOST, or 127.0.0.1.")
@click.option("--port", type=int, help="Default: DAYBOOK_PORT, or 8000.")
@click.option("--workers", type=int, help="How many processes carry out jobs. Default: DAYBOOK_WORKERS, or 2.")
@click.option(
    "--web",
    "web_processes",
    type=int,
    help="How many processes answer requests; more than 1 needs Linux. Default: DAYBOOK_WEB_PROCESSES, or 1.",
)
@click.option(
    "--examples/--no-examples", default=True, show_default=True, help="Import the example games at the first start."
)
@click.option(
    "--lan/--no-lan",
    default=None,
    help=(
        "Let phones on this network open Daybook, or not. Without it, a terminal asks once and remembers the answer."
    ),
)
@tls_option
def serve(
    data: Path | None,
    host: str | None,
    port: int | None,
    workers: int | None,
    web_processes: int | None,
    examples: bool,
    lan: bool | None,
    tls: tuple[Path, Path] | None,
) -> None:
    """Run everything on this machine: pages, queue, follower and workers."""
    from daybook.services.operation import network
    from daybook.workers import start_checks

    is_host_given = host is not None or "DAYBOOK_HOST" in os.environ
    if is_host_given and lan is not None:
        raise click.UsageError("--host (DAYBOOK_HOST) says where pages are served, and so does --lan: give one of them")
    settings = settings_of(
        data=data, host=host, port=port, workers=workers, web_processes=web_processes, **tls_files(tls)
    )
    if not is_host_given and network_served(settings, lan):
        settings = replace(settings, host=network.ALL_ADDRESSES)

    with refusing(start_checks.CannotServeError), stopping_at_interrupt():
        serve_all(settings, examples)


@contextmanager
def stopping_at_interrupt() -> Iterator[None]:
    """Take Ctrl-C before everything runs as a stop, not as a fault."""
    try:
        yield
    except KeyboardInterrupt:
        print_lines("stopped before everything was started", err=True)
        sys.exit(0)


def serve_all(settings: Settings, examples: bool) -> None:
    """Run every part until asked to stop. Raises CannotServeError."""
    from daybook.services.operation import network
    from daybook.services.settings import BadSettingError
    from daybook.workers import queue_server, start_checks
    from daybook.workers.supervisor import Supervisor, environ_of_parts
    from daybook.workers.welcome import welcome

    with start_checks.lock_folder(settings.folder(), network.address_here(settings)) as lock:
        start_checks.refuse_taken(settings)
        start_checks.refuse_bad_certificate(settings)
        start_checks.refuse_several_web_processes(settings)
        wait_for_database(settings)
        gc.disable()  # modules stay: looking for garbage among them would take a sixth of the time
        from daybook.web import serving  # imported once: the parts are forks of this process
        from daybook.workers import follower, worker  # noqa: F401

        gc.enable()
        with refusing(BadSettingError):
            settings.metrics_token()
            settings.terms()
        prepare(settings, examples)
        require_durable(settings)
        serving.warm_up(settings)
        if settings.web_processes > 1:
            share_metrics(settings)
        try:
            parts = parts_of_service(settings)
        except (BadSettingError, queue_server.NoQueueServerError) as error:
            raise start_checks.CannotServeError(str(error)) from error
        supervisor = Supervisor(parts, environ_of_parts(settings), member_part(settings), settings.pool_socket, lock)
        supervisor.run(settings.notify_socket, welcome(settings))


def parts_of_service(settings: Settings) -> list[ServicePart]:
    """Return what runs on one machine, in the order of starting."""
    from daybook.web import serving
    from daybook.workers import follower, queue_server
    from daybook.workers.parts import ServicePart

    def argv(command: str) -> Sequence[str]:
        return [sys.executable, "-m", "daybook", command, "--data", str(settings.data)]

    own_queue = ServicePart(
        "queue",
        [] if settings.redis_url else queue_server.command(settings.folder() / "queue", settings.queue_socket),
        ping=partial(queue_server.ping, settings.queue_socket),
        is_awaited=True,
        outlasts=True,
        set_aside=partial(queue_server.set_aside, settings.folder() / "queue"),
        hidden=queue_server.ADVICE,
    )
    work = partial(run_part, settings, partial(run_work, settings, ends_idle=True))
    count = settings.web_processes
    web_names = ["web"] if count == 1 else [f"web-{number}" for number in range(1, count + 1)]
    analyse = ServicePart(
        "analyse",
        argv("analyse"),
        partial(run_part, settings, partial(run_analysis, settings, ends_idle=True)),
        is_on_demand=True,
        hang_seconds=ANALYSIS_HANG_SECONDS,
        patience_seconds=ANALYSIS_PATIENCE_SECONDS,
    )
    return [
        *([] if settings.redis_url else [own_queue]),
        ServicePart("follow", argv("follow"), partial(run_part, settings, partial(follower.run, settings))),
        *(ServicePart(f"work-{number}", argv("work"), work) for number in range(1, settings.workers + 1)),
        *([analyse] if settings.win_chances_seconds_per_day else []),
        *(
            ServicePart(
                name,
                argv("web"),
                partial(run_part, settings, partial(serving.run, settings, settings.pool_socket, len(web_names) > 1)),
                is_awaited=True,
            )
            for name in web_names
        ),
    ]


def share_metrics(settings: Settings) -> None:
    """Let all web processes store their counts in one folder, so that a scrape of any of them returns the sums."""
    from daybook.services.operation.shared_counts import FOLDER_VARIABLE

    folder = settings.data / "metrics"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    os.environ[FOLDER_VARIABLE] = str(folder)


def member_part(settings: Settings) -> ServicePart:
    """Return what a process of the pool runs."""
    from daybook.web import member
    from daybook.workers.parts import ServicePart

    return ServicePart("pool", [sys.executable, "-m", member.__name__], partial(member.run, settings))


def run_part(settings: Settings, run: Callable[[], object]) -> None:
    """Run a part in a fork of the supervisor, which has checked the data folder."""
    from daybook.services.operation.logs import configure_logging

    configure_logging(settings)
    if settings.database_url is not None:
        wait_for_database(settings)
        require_durable(settings)
    run()


def run_work(settings: Settings, ends_idle: bool = False) -> None:
    """Run jobs. The words of messages are loaded with the first one."""
    from daybook.workers import jobs, worker

    def write_message(draft: Draft) -> Written | None:
        from daybook.web.club.message_words import message_writer

        return message_writer(jobs.book)(draft)

    jobs.use_words(write_message)
    worker.run(settings, ends_idle=ends_idle)


def run_analysis(settings: Settings, ends_idle: bool = False) -> None:
    from daybook.workers import worker
    from daybook.workers.children import yield_processor

    yield_processor()
    worker.analyse(settings, ends_idle=ends_idle)


def tls_files(tls: tuple[Path, Path] | None) -> dict[str, Path]:
    return {} if tls is None else {"tls_certificate": tls[0], "tls_key": tls[1]}


@main.command()
@click.argument("certificate", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("key", type=click.Path(dir_okay=False, path_type=Path))
def certificate(certificate: Path, key: Path) -> None:
    """Create a certificate and its key for this machine, for --tls.

    Each device warns about it once, unless you install the authority that is created next to it.
    """
    from daybook.services.operation import certificates

    with refusing(certificates.BadCertificateError):
        authority, addresses = certificates.make_certificate(certificate, key)
    print_lines(
        f"created {certificate} and {key}, valid for {certificates.VALIDITY_DAYS} days, for {', '.join(addresses)}"
    )
    print_lines(
        f"to avoid the browser's warning, install {authority} on the device as an authority; it is for these "
        "addresses alone"
    )


def network_served(settings: Settings, given: bool | None) -> bool:
    """Check if the local network is served too: by the option, an earlier answer, or a question on the terminal.

    Every answer is stored in the data folder. Without a terminal the answer is no.
    """
    from daybook.services.operation import network

    known = network.read_answer(settings.data)
    if given is None and known is None and sys.stdin.isatty() and sys.stdout.isatty():
        print_lines(
            "Phones can record and follow if Daybook is served to this network. Everybody on it can then "
            "open the first page. A game that is not shown to everybody still needs its link."
        )
        given = click.confirm("Let phones on this network open it?", default=True)
    if given is None:
        return bool(known)
    if given != known:
        settings.folder()
        network.store_answer(settings.data, given)
    return given


@main.command()
@data_option
@click.option("--host", help="The address to serve at. Default: DAYBOOK_HOST, or 127.0.0.1.")
@click.option("--port", type=int, help="Default: DAYBOOK_PORT, or 8000.")
@click.option("--create", is_flag=True, help="First create the tables, or upgrade them.")
@tls_option
def web(data: Path | None, host: str | None, port: int | None, create: bool, tls: tuple[Path, Path] | None) -> None:
    """Serve pages and the JSON API."""
    from daybook.workers import start_checks

    settings = settings_of(data=data, host=host, port=port, **tls_files(tls))
    wait_for_database(settings)
    with refusing(start_checks.CannotServeError):
        start_checks.refuse_taken(settings)
        start_checks.refuse_bad_certificate(settings)
    if settings.tls_certificate is not None:
        from daybook.services.operation import certificates, network

        reached = network.local_addresses() if settings.host == network.ALL_ADDRESSES else []
        for warning in certificates.certificate_warnings(settings.tls_certificate, reached):
            print_lines(warning, err=True)
    if create:
        prepare(settings, examples=False)
    require_durable(settings)
    require_secret(settings)
    serve_pages(settings)


def serve_pages(settings: Settings) -> None:
    """Serve pages without a supervisor: another process forks those of the pool."""
    from daybook.web import serving

    with pool_server(settings) as pool_socket:
        serving.run(settings, pool_socket)


@contextmanager
def pool_server(settings: Settings) -> Iterator[Path]:
    """Run the process that forks the pool's processes; yield its socket."""
    from daybook.workers.children import start
    from daybook.workers.supervisor import environ_of_parts

    pool_socket = settings.pool_socket.with_name(f"pool-{secrets.token_hex(4)}.sock")
    argv = [sys.executable, "-m", "daybook", "pool", str(pool_socket), "--data", str(settings.data)]
    child = start("daybook pool-server", partial(run_pool, settings, pool_socket), argv, environ_of_parts(settings), 2)
    try:
        yield pool_socket
    finally:
        with suppress(ProcessLookupError):
            os.kill(child.pid, signal.SIGTERM)
        child.wait()


@main.command(hidden=True)
@data_option
@click.argument("pool_socket", type=click.Path(path_type=Path))
def pool(data: Path | None, pool_socket: Path) -> None:
    """Fork processes that answer requests which take long, for a web process without a supervisor."""
    run_pool(settings_of(data=data), pool_socket)


def run_pool(settings: Settings, pool_socket: Path) -> None:
    from daybook.web import serving
    from daybook.web.server.pool import NICE
    from daybook.workers.supervisor import Supervisor, environ_of_parts

    os.nice(NICE)
    for path in pool_socket.parent.glob("pool-*.sock"):
        remove_stale_socket(path)
    supervisor = Supervisor([], environ_of_parts(settings), member_part(settings), pool_socket)
    serving.warm_up(settings)
    supervisor.run(pool_socket.with_suffix(".notify"))


def remove_stale_socket(path: Path) -> None:
    """Remove the socket of a killed process."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
        except OSError:  # removed meanwhile, or very busy
            pass


@main.command()
@data_option
def follow(data: Path | None) -> None:
    """Follow the log: turn recorded steps into read models and jobs.

    One process at a time follows; a second one takes over if the first ends.
    """
    from daybook.services.following.projections import OtherSchemaError
    from daybook.workers import follower

    settings = _settings_of_part(data)
    with refusing(OtherSchemaError):
        follower.run(settings)


@main.command()
@data_option
def work(data: Path | None) -> None:
    """Carry out jobs. Start as many as you need."""
    run_work(_settings_of_part(data))


@main.command()
@data_option
def analyse(data: Path | None) -> None:
    """Calculate win chances, at the lowest priority. Start as many as you like, or none."""
    run_analysis(_settings_of_part(data))


def _settings_of_part(data: Path | None) -> Settings:
    """Return the settings of a part, after its logging is configured and its tables exist."""
    from daybook.services.operation.logs import configure_logging

    settings = settings_of(data=data)
    configure_logging(settings)
    wait_for_database(settings)
    require_durable(settings)
    return settings


def wait_for_database(settings: Settings) -> None:
    """Wait for PostgreSQL. Print the reason once, and again when it changes."""
    if settings.database_url is None:
        return
    from daybook.services.operation import notify
    from daybook.services.settings import BadSettingError
    from daybook.services.store import postgres

    shown = ""
    postgres.fence(settings)
    with refusing(BadSettingError):
        while why := postgres.why_away(settings.database_url):
            notify.notify(notify.ALIVE)
            if why != shown:
                print_lines(f"the database cannot be reached ({why}); waiting for it", err=True)
                shown = why
            time.sleep(AWAY_SECONDS)


def require_durable(settings: Settings) -> None:
    """Refuse to start on tables of another version, or on a log that could lose entries in a power cut."""
    from daybook.services.store import history
    from daybook.services.store.log import NotDurableError, require_durability

    with closing(open_book(settings)) as book, refusing(NotDurableError):
        require_durability(book.log)
        history.mark_folder(settings, book.log)
        require_own_queue(book)


def require_own_queue(book: Daybook, take_over: bool = False) -> None:
    """Refuse a queue that belongs to another history."""
    from daybook.services.operation.queue_connection import claim_queue
    from daybook.services.store.history import LostDataError

    state = book.log.recorder.state()
    if state is not None:
        with refusing(LostDataError):
            claim_queue(book.settings.queue_url, state.history, take_over=take_over)


def require_secret(settings: Settings) -> None:
    """Refuse another secret than links were signed with, and an unreadable metrics token or file of terms."""
    from daybook.services.settings import BadSettingError
    from daybook.services.store import secret

    with closing(open_book(settings)) as book, refusing(BadSettingError):
        secret.checked_secret(book)
        settings.metrics_token()
        settings.terms()


def prepare(settings: Settings, examples: bool) -> None:
    """Create or upgrade the tables and read models, and on a first start add the example games."""
    from daybook.services.files.examples import add_examples
    from daybook.services.following.projections import AlreadyRebuildingError, prepare_read_models
    from daybook.services.operation.queue_connection import claim_queue
    from daybook.services.settings import BadSettingError
    from daybook.services.store import history, secret

    with refusing(history.LostDataError):
        if settings.redis_url is not None and not history.find_stores(settings).log:
            claim_queue(settings.redis_url, None)
    with closing(open_book(settings, create=True)) as book:
        if settings.database_url is None:
            with refusing(BadSettingError):
                secret.checked_secret(book)
        waits = False
        while True:
            try:
                with bar_of("rebuilding") as on:
                    prepare_read_models(book, on)
                break
            except AlreadyRebuildingError as other:  # another host that starts at the same moment
                if not waits:
                    print_lines(str(other), err=True)
                waits = True
                time.sleep(AWAY_SECONDS)
        if examples:
            add_examples(book)
