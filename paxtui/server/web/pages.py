"""The pages and files of the web server, with the headers that all responses get."""

from __future__ import annotations

import gzip
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent / "static"

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
"""Headers of all responses. xterm.js writes style elements, so inline styles are allowed; inline scripts are not."""

HSTS_HEADER = {"Strict-Transport-Security": "max-age=31536000"}
"""Header of responses over TLS."""


class StaticFile(NamedTuple):
    """A file that browsers load.

    Attributes:
        type: its MIME type.
        data, packed: its content, plain and compressed with gzip.
        etag: changes with the content.
    """

    type: str
    data: bytes
    packed: bytes
    etag: str


TYPES = {".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2", ".svg": "image/svg+xml"}


@cache
def static_files() -> dict[str, StaticFile]:
    """Return the static files by name. Raises: ModuleNotFoundError without textual-serve."""
    spec = find_spec("textual_serve")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("textual_serve is missing", name="textual_serve")
    theirs = Path(spec.origin).parent / "static"
    paths = [path for path in sorted(HERE.iterdir()) if path.suffix in TYPES]
    paths += [theirs / "js" / "textual.js", theirs / "css" / "xterm.css"]
    return {path.name: _read(path) for path in paths}


def _read(path: Path) -> StaticFile:
    data = path.read_bytes()
    packed = data if path.suffix == ".woff2" else gzip.compress(data, mtime=0)
    return StaticFile(TYPES[path.suffix], data, packed, f'"{sha256(data).hexdigest()[:16]}"')


@cache
def page(name: str) -> str:
    """Return a page: `terminal`, `device` for a link to another device, or `join`."""
    return (HERE / f"{name}.html").read_text("utf-8")


def join_page(asks_name: bool) -> str:
    """Return the page that asks for a code. Args: whether it asks for a name, too."""
    text = page("join")
    return text if asks_name else text.replace('<form data-asks="name"', "<form")
