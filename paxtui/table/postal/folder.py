"""The directory of a mail game: what may lie where others can read it, and the desk, which only its owner opens.

    postal.json               what everybody may know: game, stop, deadline, players
    orders/0003/italy.form    the form of a seat for the third stop
    orders/0003/refused/      forms that were not taken, each with the reason
    reports/0003/public.txt   what everybody is told when the third stop begins; italy.txt is for Italy alone;
                              the same as public.md and public.html
    reports/0003/italy.form   a form to be filled in; italy.position is what the order sheet tries it on
    desk/game.jsonl           the log, with the seed of the dice and every secret

Rules: PBM-001
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from shutil import rmtree

from paxtui.engine.refusal import Refusal
from paxtui.table.disk.files import StoreError, read_regular, write_over

TERMS, GAME = "postal.json", "game.jsonl"
FORM, TEXT, MARKDOWN, PAGE = ".form", ".txt", ".md", ".html"
PUBLIC = "public"

LARGEST = 256 * 1024
"""Bytes of the largest form that is looked at."""


class Folder:
    """The directory of a mail game. Args: where it is."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def made(cls, root: Path) -> Folder:
        """Make a new directory; empty folders of an attempt that failed are used again.

        Raises: Refusal `exists`; OSError.
        """
        folder = cls(root)
        if root.exists() and not folder._is_bare():
            raise Refusal("exists", (), f"{root} is not empty: a mail game has a directory of its own.")
        root.mkdir(parents=True, exist_ok=True)
        folder.desk.mkdir(mode=0o700, exist_ok=True)
        for part in (folder.orders, folder.reports):
            part.mkdir(exist_ok=True)
        return folder

    def _is_bare(self) -> bool:
        """Whether nothing lies there but empty folders of a mail game."""
        own = (self.desk, self.orders, self.reports)
        return all(path in own and path.is_dir() and not any(path.iterdir()) for path in self.root.iterdir())

    def discard(self) -> None:
        """Remove all files of a game that could not begin. The directory itself stays."""
        for path in (self.desk, self.orders, self.reports):
            rmtree(path, ignore_errors=True)
        with suppress(OSError):
            self.terms.unlink()

    @property
    def terms(self) -> Path:
        """The file of what everybody may know."""
        return self.root / TERMS

    @property
    def desk(self) -> Path:
        """What only the owner opens."""
        return self.root / "desk"

    @property
    def game(self) -> Path:
        """The log."""
        return self.desk / GAME

    @property
    def key(self) -> Path:
        """The secret key of the desk, where forms are sealed."""
        return self.desk / "key"

    @property
    def orders(self) -> Path:
        """Where forms come in, a directory for each stop."""
        return self.root / "orders"

    @property
    def reports(self) -> Path:
        """Where reports go out, a directory for each stop."""
        return self.root / "reports"

    def orders_of(self, stop: int) -> Path:
        """Where the forms of a stop come in."""
        return self.orders / f"{stop:04}"

    def reports_of(self, stop: int) -> Path:
        """Where the reports lie that say what has come of the stop before."""
        return self.reports / f"{stop:04}"

    def form_of(self, stop: int, seat: str) -> Path:
        """The form of a seat."""
        return self.orders_of(stop) / f"{seat}{FORM}"

    def check(self) -> None:
        """Raises: Refusal `no_mail_game`, where there is none."""
        if not self.terms.is_file():
            raise Refusal("no_mail_game", (), f"There is no mail game in {self.root}: 'paxtui postal new' begins one.")


def read_small(path: Path) -> bytes:
    """A file that others may have written. Raises: StoreError, where it is too large; OSError."""
    if path.stat().st_size > LARGEST:
        raise StoreError(path, f"it has more than {LARGEST} bytes")
    return read_regular(path)


def write(path: Path, data: str | bytes, mode: int = 0o644) -> None:
    """Write a file whole or not at all. Raises: OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_over(path, data.encode() if isinstance(data, str) else data, mode)
