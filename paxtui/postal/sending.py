"""Letters sent by an SMTP server."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email import message_from_bytes
from email.policy import SMTP

from paxtui.engine.refusal import Refusal
from paxtui.postal.mailbox import WAIT
from paxtui.postal.settings import Server


class Sender:
    """An open line to an SMTP server."""

    def __init__(self, server: smtplib.SMTP) -> None:
        self._server = server

    def send(self, letter: bytes) -> None:
        """Send a letter to whom it names. Raises: Refusal `not_sent`; OSError."""
        message = message_from_bytes(letter, policy=SMTP)
        try:
            self._server.send_message(message)
        except smtplib.SMTPException as error:
            raise Refusal("not_sent", (), f"The SMTP server does not take the letter: {str(error)[:200]}") from None


@contextmanager
def opened(server: Server) -> Iterator[Sender]:
    """Log in where a user is named; hang up at the end. Raises: Refusal `not_sent`, `no_password`; OSError."""
    try:
        if server.security == "tls":
            tls = ssl.create_default_context()
            smtp: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=WAIT, context=tls)
        else:
            smtp = smtplib.SMTP(server.host, server.port, timeout=WAIT)
        try:
            if server.security == "starttls":
                smtp.starttls(context=ssl.create_default_context())
            if server.user:
                smtp.login(server.user, server.password())
            yield Sender(smtp)
        finally:
            with suppress(smtplib.SMTPException, OSError):
                smtp.quit()
    except smtplib.SMTPException as error:
        where = f"{server.host}:{server.port}"
        raise Refusal("not_sent", (), f"The SMTP server {where} says: {str(error)[:200]}") from None
