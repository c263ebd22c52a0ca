"""A client at the keyboard talks to nobody over TLS, and need not carry OpenSSL: 5 of the 64 MB of its first frame.

Python itself provides for going without: asyncio asks for `ssl` and hashlib for `_hashlib`, and both get along where
there is none (hashlib has a SHA-256 of its own, which gives the same digests). So they are imported once as on a Python
that was built without them. Nothing is forbidden afterwards: who imports `ssl` later gets it.

Only for the commands that draw a screen at the keyboard. Tables shared by SSH need what asyncssh needs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

HIDDEN = ("ssl", "_hashlib")
"""What brings in OpenSSL."""
ASKING = ("asyncio", "hashlib", "hmac")
"""What asks for it, and does without."""


class _Absent:
    """Says of the hidden modules that they are not installed."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a module is: not here. Raises: ModuleNotFoundError for what is hidden."""
        if name in HIDDEN:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def without_tls() -> None:
    """Have asyncio and hashlib do without OpenSSL, where this process has imported neither yet."""
    if any(name in sys.modules for name in (*HIDDEN, *ASKING)):
        return
    absent = _Absent()
    sys.meta_path.insert(0, absent)
    try:
        for name in ASKING:
            import_module(name)
    finally:
        sys.meta_path.remove(absent)
