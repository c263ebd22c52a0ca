"""Letters that wait to be sent, and what has been dealt with: on the disk, so that a program that is killed goes on.

A letter is written into the outbox before its cause is noted as dealt with, and leaves it once the server has it.
Killed in between, the same letter with the same id is sent again, which mail programs show once.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.table.disk.files import read_regular
from paxtui.table.postal.folder import Folder, write

LETTER = ".eml"


class Dealt(msgspec.Struct, frozen=True):
    """What has been dealt with.

    Attributes:
        letters: where each letter lay that has come, by its id.
        sent: names of the letters that have been written.
        taken: the ids of letters that were taken.
        answers: how many letters of an address have been refused with an answer on that day.
        day: that day.
        forms: digests of the sealed forms that have come in this stop.
        stop: that stop.
    """

    letters: dict[str, str] = {}
    sent: tuple[str, ...] = ()
    answers: dict[str, int] = {}
    forms: tuple[str, ...] = ()
    stop: int = 0
    taken: tuple[str, ...] = ()
    day: str = ""


class Outbox:
    """The outbox of a game. Args: its directory. Raises everywhere: OSError."""

    def __init__(self, folder: Folder) -> None:
        self._directory = folder.desk / "outbox"
        self._dealt = folder.desk / "mail.json"

    @property
    def dealt(self) -> Dealt:
        """What has been dealt with. Raises: Refusal `bad_mail`."""
        if not self._dealt.exists():
            return Dealt()
        try:
            return msgspec.json.decode(read_regular(self._dealt), type=Dealt)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            why = f"{self._dealt} cannot be read: put it aside, and letters are sent again."
            raise Refusal("bad_mail", (), why) from None

    def note(self, dealt: Dealt) -> None:
        """Note what has been dealt with."""
        write(self._dealt, msgspec.json.encode(dealt), 0o600)

    def put(self, name: str, letter: bytes) -> None:
        """Put a letter there. Args: what is only this letter's; it."""
        write(self._directory / f"{sha256(name.encode()).hexdigest()[:24]}{LETTER}", letter, 0o600)

    def waiting(self) -> Iterator[Path]:
        """The letters that wait, in the order in which they were put there."""
        found = self._directory.glob(f"*{LETTER}") if self._directory.is_dir() else ()
        yield from sorted(found, key=lambda path: (path.stat().st_mtime_ns, path.name))
