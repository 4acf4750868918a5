"""Import a club that moves from another Daybook, for programs."""

from __future__ import annotations

from uuid import UUID

from flask import Response, request

from daybook.domain.kernel.frozen import Frozen
from daybook.services.files.recordfile import BadFileError
from daybook.services.league import moving
from daybook.services.reading_limits import CLUB_FILE_BYTES
from daybook.web.api.base import body, book
from daybook.web.api.clubs import league, requesting_person
from daybook.web.api.errors import ApiError
from daybook.web.api.files import RECORD, RECORD_KINDS
from daybook.web.request.api_errors import Error, error_answer
from daybook.web.request.body_limits import limit_bodies
from daybook.web.request.long_work import takes_long


class ClubArrived(Frozen):
    """A club that was imported from another Daybook."""

    club: UUID  # its id here
    name: str
    origin: UUID  # its id on the other Daybook
    entries: int  # of the file; their seals are intact
    seal: str  # of the last entry of the file
    repeated: bool  # you imported this file before


limit_bodies(league, CLUB_FILE_BYTES, "import_club")


@league.errorhandler(BadFileError)
def _bad_club_file(error: BadFileError) -> Response:
    todo = "export the club again and send the file as it is; nothing was imported"
    return error_answer(422, Error("bad_file", "", str(error), todo, {"line": error.line}))


@league.route("/clubs/import", methods=["POST"])
@league.doc(requestBody={"required": True, "content": {RECORD: {"schema": {"type": "string"}}}})
@league.answers(201, ClubArrived, "the club", fails=(400, 401, 403, 410, 413, 415, 422, 429, 503))
@takes_long("POST")
def import_club() -> ClubArrived:
    """Import a club from another Daybook

    Send the club file of `GET /clubs/{club}/entries`, with your own key. It becomes a new club that you organise. Its
    members are guests until they accept an invitation. People get new ids, and records are imported as their results. The
    same file is imported once.
    """
    importer = requesting_person()
    if not importer:
        raise ApiError(403, "no_account", "only a person can import a club", "send your own key, from your page")
    arrived = moving.import_club(book(), body(request, RECORD_KINDS), importer)
    club = book().clubs.get(arrived.club)
    assert club.moved is not None
    return ClubArrived(club.id, club.name, club.moved.origin, club.moved.entries, club.moved.seal, arrived.repeated)
