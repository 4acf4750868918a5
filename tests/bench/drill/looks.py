"""Read health, metrics and alerts twice a second while a drill runs."""

from __future__ import annotations

import json
import urllib.request
from collections import Counter
from dataclasses import dataclass, field
from threading import Thread
from typing import Any
from urllib.error import HTTPError

from tests.bench.drill.writers import Writers
from tests.bench.prometheus import Prometheus

LOOK_SECONDS = 0.5
METRICS = (
    "daybook_up",
    "daybook_commit_stalled_seconds",
    "daybook_projection_lag_seconds",
    "daybook_part_silent_seconds",
    "daybook_oldest_job_seconds",
)


@dataclass
class Looks:
    """Answers of the health address and figures of /metrics, counted for each stage."""

    api: str
    token: str
    writers: Writers
    prometheus: Prometheus | None = None
    health: Counter[str] = field(default_factory=Counter)
    complaints: Counter[str] = field(default_factory=Counter)
    most: dict[str, float] = field(default_factory=dict)
    least: dict[str, float] = field(default_factory=dict)
    alerts: dict[str, str] = field(default_factory=dict)  # name -> "pending" or "firing"

    def begin(self) -> None:
        looks = [self._look_at_health, self._look_at_metrics]
        if self.prometheus is not None:
            looks.append(self._look_at_alerts)
        for look in looks:
            Thread(target=self._repeat, args=[look], daemon=True).start()

    def clear(self) -> None:
        for counted in (self.health, self.complaints, self.most, self.least, self.alerts):
            counted.clear()

    def said(self) -> str:
        """Return the reports since the last `clear`."""
        figures = " ".join(
            f"{name.removeprefix('daybook_')} {self.least[name]:.0f}..{self.most[name]:.0f}"
            for name in sorted(self.most)
            if self.most[name] != self.least[name]
        )
        about = ", ".join(sorted(self.complaints))
        alerts = ", ".join(f"{name} {state}" for name, state in sorted(self.alerts.items()))
        return (
            f"health {dict(sorted(self.health.items()))} {about and f'says: {about}'}; "
            f"changed: {figures or 'nothing'}; alerts: {alerts or 'none'}"
        )

    def _repeat(self, look: Any) -> None:
        while not self.writers.done.wait(LOOK_SECONDS):
            look()

    def _look_at_health(self) -> None:
        try:
            with urllib.request.urlopen(f"{self.api}/api/v1/health", timeout=5) as answer:
                status, body = answer.status, answer.read()
        except HTTPError as no:
            status, body = no.code, no.read()
        except OSError as no:
            self.health[type(no).__name__] += 1
            return
        self.health[str(status)] += 1
        for complaint in json.loads(body).get("complaints", []):
            self.complaints[complaint.partition(":")[0]] += 1

    def _look_at_alerts(self) -> None:
        assert self.prometheus is not None
        for name, state in self.prometheus.alerts():
            if self.alerts.get(name) != "firing":
                self.alerts[name] = state

    def _look_at_metrics(self) -> None:
        request = urllib.request.Request(f"{self.api}/metrics", headers={"Authorization": f"Bearer {self.token}"})
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                lines = answer.read().decode().splitlines()
        except OSError:
            return
        for line in lines:
            name, _, value = line.rpartition(" ")
            if name.partition("{")[0] in METRICS:
                self.most[name] = max(float(value), self.most.get(name, 0.0))
                self.least[name] = min(float(value), self.least.get(name, float("inf")))
