"""Metrics for Prometheus.

Each web process counts its own requests and refusals; shared values (database, queue, projections) are read on each
scrape.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import metadata

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    generate_latest,
    multiprocess,
    values,
)
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric

from daybook.services.operation import backup_state
from daybook.services.operation.health import Pulse
from daybook.services.operation.shared_counts import FOLDER_VARIABLE
from daybook.services.store import migrations, read_models
from daybook.services.store.set_aside import SEALS

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})  # other methods count as "other"
ROUTE_SECONDS = (0.1, 0.5, 1.0, 2.5, 6.0)  # few, since there are some hundred routes
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """Counters of a web process.

    Args of its methods:
        route: the name of the view, or "none": their number is bounded.
        kind: "page", "data", "file", or "stream"; streams last as long as they are watched and are not timed.
    """

    def __init__(self, pulse: Pulse) -> None:
        if FOLDER_VARIABLE in os.environ:
            # The files that the library opened in the parent process are not usable after the fork.
            values.ValueClass = values.MultiProcessValue()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "daybook_requests", "Answered requests", ("kind", "method", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "daybook_request_seconds", "Response time in seconds", ("kind",), buckets=SECONDS, registry=self.registry
        )
        self.route_seconds = Histogram(
            "daybook_route_seconds",
            "Response time in seconds by route",
            ("route",),
            buckets=ROUTE_SECONDS,
            registry=self.registry,
        )
        self.route_errors = Counter(
            "daybook_route_errors",
            "Answers with an error (4xx or 5xx) by route",
            ("route", "status"),
            registry=self.registry,
        )
        self.refused_sign_ins = Counter(
            "daybook_failed_sign_ins", "Sign-in attempts with a wrong name or password", registry=self.registry
        )
        self.refused_rights = Counter(
            "daybook_denied_requests", "Requests refused because the user lacks the permission", registry=self.registry
        )
        self.shared = SharedMetrics(pulse)
        self.registry.register(self.shared)
        ProcessCollector(registry=self.registry)

    def count_response(self, kind: str, method: str, status: int, seconds: float, route: str) -> None:
        self.requests.labels(kind, method if method in METHODS else "other", status).inc()
        if kind != "stream":
            self.seconds.labels(kind).observe(seconds)
            self.route_seconds.labels(route).observe(seconds)
        if status >= 400:
            self.route_errors.labels(route, f"{status // 100}xx").inc()

    def render_text(self) -> bytes:
        """Return all metrics in Prometheus's text format; for several web processes the sums, without memory."""
        if FOLDER_VARIABLE not in os.environ:
            return generate_latest(self.registry)
        sums = CollectorRegistry()
        multiprocess.MultiProcessCollector(sums)  # type: ignore[no-untyped-call]
        sums.register(self.shared)
        return generate_latest(sums)


class SharedMetrics:
    """Metrics that are the same in every process. Values that are not available at once are omitted."""

    def __init__(self, pulse: Pulse) -> None:
        self.pulse = pulse

    def describe(self) -> list[Metric]:
        return []

    def collect(self) -> Iterator[Metric]:
        found, weight = self.pulse.check_reachability(), self.pulse.weigh()
        up = GaugeMetricFamily(
            "daybook_up", "1 if the component (database or queue) can be reached, else 0", labels=["component"]
        )
        for what in ("database", "queue"):
            up.add_metric([what], what not in found.away)
        yield up
        yield GaugeMetricFamily(
            "daybook_commit_stalled_seconds",
            "Seconds since a commit was last acknowledged while one is pending; 0 if none is",
            found.unanswered,
        )
        yield GaugeMetricFamily("daybook_disk_writable", "1 if the data folder is writable, else 0", found.disk is None)
        if "database" not in found.away:
            yield GaugeMetricFamily(
                "daybook_unreadable_records",
                "Games and clubs left out because their record cannot be read",
                found.unreadable_records,
            )
            yield CounterMetricFamily("daybook_log_entries", "Entries in the log of all games and clubs", found.newest)
            lag = GaugeMetricFamily(
                "daybook_projection_lag_entries",
                "Log entries that the projection has not processed yet",
                labels=["projection"],
            )
            for projection in (row for row in found.projections if row.projection != SEALS):
                lag.add_metric([projection.projection], max(found.newest - projection.at, 0))
            yield lag
            age = GaugeMetricFamily(
                "daybook_projection_lag_seconds",
                "Age in seconds of the oldest log entry not processed by the projection",
                labels=["projection"],
            )
            for name, seconds in found.behind.items():
                age.add_metric([name], seconds)
            yield age
        beats = GaugeMetricFamily(
            "daybook_part_silent_seconds", "Seconds since the part's last heartbeat", labels=["part"]
        )
        for part, seconds in sorted(found.silent.items()):
            beats.add_metric([part], seconds)
        yield beats
        if "queue" not in found.away:
            waiting = GaugeMetricFamily("daybook_jobs_waiting", "Jobs that no worker has started yet", labels=["queue"])
            oldest = GaugeMetricFamily(
                "daybook_oldest_job_seconds", "Waiting time of the oldest job in seconds", labels=["queue"]
            )
            failed = GaugeMetricFamily("daybook_jobs_failed", "Jobs that failed at every attempt", labels=["queue"])
            for queue, jobs in sorted(found.queue.jobs.items()):
                waiting.add_metric([queue], jobs)
                oldest.add_metric([queue], found.queue.oldest[queue])
                failed.add_metric([queue], found.queue.failed[queue])
            yield from (waiting, oldest, failed)
            yield GaugeMetricFamily("daybook_workers", "Running workers of the score queue", found.queue.workers)
        yield from self._collect_backups()
        yield from self._collect_certificate()
        yield from _build_metric()
        if weight.database_bytes is not None:
            yield GaugeMetricFamily(
                "daybook_database_bytes",
                "Size in bytes of the log, the read models and the kept tables",
                weight.database_bytes,
            )
        if weight.free_bytes is not None:
            yield GaugeMetricFamily(
                "daybook_disk_free_bytes", "Free bytes on the data folder's disk", weight.free_bytes
            )

    def _collect_backups(self) -> Iterator[Metric]:
        """Yield the age of the newest automatic backup. Without one, it is the age of the data folder."""
        settings = self.pulse.book.settings
        if not backup_state.is_automatic(settings):
            return
        yield GaugeMetricFamily(
            "daybook_backup_age_seconds",
            "Age in seconds of the newest automatic backup",
            backup_state.age_or_wait_seconds(settings),
        )
        state = backup_state.read_state(settings)
        yield GaugeMetricFamily(
            "daybook_backup_failed",
            "1 if the last automatic backup, or its copy by the operator's command, failed, else 0",
            bool(state.error or state.copy_error),
        )

    def _collect_certificate(self) -> Iterator[Metric]:
        certificate = self.pulse.book.settings.tls_certificate
        if certificate is None:
            return
        from daybook.services.operation.certificates import seconds_left

        yield GaugeMetricFamily(
            "daybook_certificate_seconds_left", "Seconds until the certificate expires", seconds_left(certificate)
        )


def _build_metric() -> Iterator[Metric]:
    build = GaugeMetricFamily(
        "daybook_build", "1, with the version and the versions of its tables", labels=["version", "kept", "views"]
    )
    build.add_metric([metadata.version("daybook-log"), f"{migrations.newest_version()}", f"{read_models.SCHEMA}"], 1)
    yield build
