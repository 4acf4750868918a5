"""Prepare shared data once, in the process that the other processes of a test are forked from."""

import gc

from daybook import cli  # noqa: F401
from daybook.services.operation import doctor  # noqa: F401
from daybook.services.store import log_postgres  # noqa: F401
from daybook.services.store.known_types import prepare_decoders
from daybook.web import serving  # noqa: F401
from daybook.workers import follower, worker  # noqa: F401
from tests.services import conftest  # noqa: F401

prepare_decoders()
gc.freeze()
