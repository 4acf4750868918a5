"""What the other processes of a test need, made ready once in the one that they are forked from.

It takes each a quarter of a second, and most of them do not live that long.
"""

from daybook.services.store import log_postgres  # noqa: F401
from daybook.services.store.known_types import make_types_known
from tests.services import conftest  # noqa: F401

make_types_known()
