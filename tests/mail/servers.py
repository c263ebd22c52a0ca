"""A real mail server for tests: aiosmtpd receives letters, dovecot serves them by IMAP.

Dovecot runs unprivileged, with its own base directory. Letters are in Maildirs; the time of arrival is the time of
the file, which the test sets.
"""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from ipaddress import ip_address
from pathlib import Path
from tempfile import mkdtemp
from time import sleep

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

MISSING = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin") is None
"""Whether dovecot is not installed; `.ci/system-packages` installs it."""

CONFIG = """
protocols = imap
listen = 127.0.0.1
base_dir = {root}/run
state_dir = {root}/state
log_path = {root}/log
{tls}
disable_plaintext_auth = no
auth_failure_delay = 0
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
mail_location = maildir:{root}/mail/%n
passdb {{
  driver = passwd-file
  args = {root}/users
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={root}/mail/%n
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {plain_port}
  }}
  inet_listener imaps {{
    port = {tls_port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
"""


class MailServer:
    """A mail server and the letters of its users.

    Attributes:
        root: its directory.
        imap, smtp: its ports.
        time: the time of arrival of new letters.
        down: whether it refuses letters.
    """

    def __init__(self, root: Path, owner: tuple[int, int], imap: int, smtp: int) -> None:
        self.root, self.imap, self.smtp = root, imap, smtp
        self.time: datetime | None = None
        self.down = False
        self._owner, self._count = owner, 0

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Put a letter into the Maildir of each recipient."""
        if self.down:
            return "451 not now"
        for to in envelope.rcpt_tos:
            self.deliver(to.partition("@")[0], bytes(envelope.content or b""))
        return "250 taken"

    def deliver(self, user: str, letter: bytes) -> None:
        """Put a letter into the Maildir of a user, after the others."""
        box = self.root / "mail" / user
        for part in (box, *(box / name for name in ("tmp", "new", "cur"))):
            if not part.is_dir():
                part.mkdir()
                os.chown(part, *self._owner)
        self._count += 1
        name = f"{self._count:010}.test"
        (box / "tmp" / name).write_bytes(letter)
        os.chown(box / "tmp" / name, *self._owner)
        if self.time is not None:
            os.utime(box / "tmp" / name, (self.time.timestamp(), self.time.timestamp()))
        (box / "tmp" / name).rename(box / "new" / name)


@contextmanager
def mail_server(users: tuple[str, ...], tls: bool = False) -> Iterator[MailServer]:
    """Start a server with users whose passwords are their names. With TLS its certificate is `root/cert.pem`."""
    root = Path(mkdtemp(prefix="pax-mail-"))
    account = pwd.getpwnam("nobody") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
    group = subprocess.run(["id", "-gn", account.pw_name], check=True, capture_output=True, text=True).stdout.strip()
    with socket.socket() as one, socket.socket() as other:
        for free in (one, other):
            free.bind(("127.0.0.1", 0))
        port, smtp_port = one.getsockname()[1], other.getsockname()[1]
    (root / "users").write_text("".join(f"{user}:{{PLAIN}}{user}\n" for user in users))
    trust = _certificate(root) if tls else None
    how = f"ssl = required\nssl_cert = <{root}/cert.pem\nssl_key = <{root}/key.pem" if tls else "ssl = no"
    (root / "dovecot.conf").write_text(
        CONFIG.format(
            root=root,
            user=account.pw_name,
            group=group,
            tls=how,
            plain_port=0 if tls else port,
            tls_port=port if tls else 0,
        )
    )
    (root / "mail").mkdir()
    owner = account.pw_uid, account.pw_gid
    for path in (root, *root.rglob("*")):
        os.chown(path, *owner)
    server = MailServer(root, owner, port, smtp_port)
    words = [shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin") or "dovecot", "-F", "-c"]
    as_user = {"user": owner[0], "group": owner[1], "extra_groups": []} if os.getuid() == 0 else {}
    dovecot = subprocess.Popen([*words, str(root / "dovecot.conf")], stderr=subprocess.PIPE, **as_user)  # type: ignore[call-overload]
    smtp = Controller(server, hostname="127.0.0.1", port=smtp_port, ssl_context=trust)
    try:
        smtp.start()
        wait_for_dovecot(port, dovecot, root, tls)
        yield server
    finally:
        smtp.stop(no_assert=True)
        dovecot.terminate()
        dovecot.wait()
        shutil.rmtree(root, ignore_errors=True)


def _certificate(root: Path) -> ssl.SSLContext:
    """Write a certificate for 127.0.0.1 to files; return the TLS context of a server with it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    cert = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime(2020, 1, 1)).not_valid_after(datetime(2120, 1, 1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    (root / "cert.pem").write_bytes(cert.public_bytes(serialization.Encoding.PEM))
    (root / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(root / "cert.pem", root / "key.pem")
    return context


def wait_for_dovecot(port: int, dovecot: subprocess.Popen[bytes], root: Path, tls: bool) -> None:
    """Wait until dovecot answers."""
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
                if tls or line.recv(4) == b"* OK":
                    return
        except ConnectionRefusedError:
            if dovecot.poll() is not None:
                log = root / "log"
                errors = (dovecot.stderr.read() if dovecot.stderr else b"").decode()
                raise AssertionError(f"dovecot has ended: {errors}{log.read_text() if log.exists() else ''}") from None
            sleep(0.02)
