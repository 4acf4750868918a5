"""Start a process that creates a backup whenever one is due."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from threading import Event

from daybook.services.operation import backup_state
from daybook.services.settings import Settings
from daybook.workers.children import start_child, stop

LOOK_SECONDS = 60.0

logger = logging.getLogger(__name__)


def back_up_daily(settings: Settings, stopping: Event) -> None:
    """Create backups until stopped, each in a process of the lowest priority."""
    argv = [sys.executable, "-m", "daybook", "automatic-backup", "--if-due", "--data", str(settings.data)]
    while not stopping.wait(LOOK_SECONDS):
        if not backup_state.is_due(settings):
            continue
        process = start_child(argv, os.environ | settings.environ(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        assert process.stderr is not None
        try:
            while process.poll() is None and not stopping.wait(1.0):
                pass
            if process.poll() is None:
                stop(process)
            elif process.returncode:
                lines = process.stderr.read().decode(errors="replace").strip().splitlines()
                reason = lines[-1] if lines else f"exit code {process.returncode}"
                logger.error("the daily backup failed: %s", reason)
        finally:
            process.stderr.close()
