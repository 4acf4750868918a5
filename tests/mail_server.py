"""A real mail server on loopback, which answers as a test says."""

from __future__ import annotations

import email
import email.policy
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any
from urllib.parse import urlsplit

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from daybook.services.settings import Settings


@dataclass
class Delivered:
    """A mail that reached the server."""

    to: str
    message: EmailMessage

    @property
    def text(self) -> str:
        return str(self.message.get_content()).replace("\r\n", "\n")

    @property
    def links(self) -> list[str]:
        """The addresses in the text, without scheme and host."""
        found = [urlsplit(address) for address in re.findall(r"https?://\S+", self.text)]
        return [
            f"{url.path}{'?' + url.query if url.query else ''}{'#' + url.fragment if url.fragment else ''}"
            for url in found
        ]


@dataclass
class MailServer:
    """The mails so far, and the answer to the next ones."""

    url: str = ""
    answer: str = "250 OK"
    delivered: list[Delivered] = field(default_factory=list)

    def to(self, address: str) -> list[Delivered]:
        return [mail for mail in self.delivered if mail.to == address]

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if self.answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.answer

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        self.delivered += [Delivered(address, message) for address in envelope.rcpt_tos]
        return "250 OK"


class AnyPort(Controller):
    """A controller whose port the system chooses."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@contextmanager
def mail_server(password: str = "") -> Iterator[MailServer]:
    """Run a mail server. password: of the user "daybook", who has to sign in; empty: no one has to."""
    here = MailServer()

    def check(server: Any, session: Any, envelope: Any, mechanism: str, given: Any) -> AuthResult:
        return AuthResult(success=(given.login, given.password) == (b"daybook", password.encode()))

    rules: dict[str, Any] = {"authenticator": check, "auth_required": True, "auth_require_tls": False}
    controller = AnyPort(here, hostname="127.0.0.1", port=0, **(rules if password else {}))
    with warnings.catch_warnings(action="ignore"):  # a password without TLS, on loopback
        controller.start()
        try:
            here.url = f"smtp://127.0.0.1:{controller.port}"
            yield here
        finally:
            controller.stop(no_assert=True)


def use_mail(settings: Settings, server: MailServer) -> None:
    """Let a Daybook send with this server."""
    for name, value in (
        ("smtp_url", server.url),
        ("mail_sender", "daybook@example.org"),
        ("base_url", "https://daybook.example.org"),
    ):
        object.__setattr__(settings, name, value)
