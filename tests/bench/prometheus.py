"""A real Prometheus with the alerts of docs/deploy, for drills."""

from __future__ import annotations

import json
import subprocess
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode

import yaml

from daybook.workers.children import start_child, stop
from tests.servers import free_port, listens, wait_until

DEPLOY = Path(__file__).parents[2] / "docs" / "deploy"
READ_SECONDS = 5  # a metric of a part that hangs takes some seconds


class Prometheus:
    """A server that reads the metrics of some web processes every few seconds.

    Args:
        program: its path.
        token: the file with the token of the metrics.
        ports: the web processes, on this machine.
        change: changes each rule before the server reads it.
    """

    def __init__(
        self,
        folder: Path,
        program: str,
        token: Path | str,
        ports: Sequence[int],
        change: Callable[[dict[str, Any]], None] = lambda rule: None,
        read_seconds: int = READ_SECONDS,
    ) -> None:
        rules = yaml.safe_load((DEPLOY / "alerts.yml").read_text())
        for rule in rules["groups"][0]["rules"]:
            change(rule)
        self.names = [rule["alert"] for rule in rules["groups"][0]["rules"]]
        (folder / "alerts.yml").write_text(yaml.safe_dump(rules))
        config = yaml.safe_load((DEPLOY / "prometheus.yml").read_text())
        config["global"] = {"scrape_interval": f"{read_seconds}s", "evaluation_interval": "1s"}
        (job,) = config["scrape_configs"]
        job["scrape_interval"] = f"{read_seconds}s"
        job["authorization"]["credentials_file"] = str(token)
        job["static_configs"] = [{"targets": [f"127.0.0.1:{port}" for port in ports]}]
        (folder / "prometheus.yml").write_text(yaml.safe_dump(config))
        self.port = free_port()
        self.process = start_child(
            [
                program,
                f"--config.file={folder / 'prometheus.yml'}",
                f"--storage.tsdb.path={folder / 'figures'}",
                f"--web.listen-address=127.0.0.1:{self.port}",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(lambda: listens(self.port), "Prometheus")

    def query(self, expression: str) -> list[Any]:
        address = f"http://127.0.0.1:{self.port}/api/v1/query?{urlencode({'query': expression})}"
        try:
            with urllib.request.urlopen(address) as answer:
                return list(json.load(answer)["data"]["result"])
        except URLError:  # it has not begun yet
            return []

    def alerts(self) -> list[tuple[str, str]]:
        """Return the alerts that are pending or firing, with their state."""
        return [(alert["metric"]["alertname"], alert["metric"]["alertstate"]) for alert in self.query("ALERTS")]

    def stop(self) -> None:
        stop(self.process)
