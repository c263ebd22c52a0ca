"""The gamemaster's desk as a screen, with its letters where they travel by e-mail."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from paxtui.cli import start
from paxtui.cli.postal.mail import said
from paxtui.cli.postal.page import pages
from paxtui.postal.courier import Courier
from paxtui.postal.settings import path_of, read_settings
from paxtui.table.postal.desk import Desk, desk_of

if TYPE_CHECKING:
    from paxtui.tui.postal.desk import MailDeskScreen


class Letters:
    """Carries the letters of a desk. Args: it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def _courier(self) -> Courier:
        return Courier(self._desk, read_settings(self._desk.folder, self._desk.terms.players))

    @property
    def addresses(self) -> Mapping[str, str]:
        """The players' addresses by seat."""
        return self._courier().settings.players

    def carry(self) -> str:
        """Fetch, answer and send."""
        return "\n".join(said(self._courier().round()))

    def remind(self) -> str:
        """Remind who has sent nothing, and send it."""
        courier = self._courier()
        courier.remind()
        return "\n".join(said(courier.round()))


def desk(args: argparse.Namespace) -> int:
    """Open the desk."""
    found = desk_of(args.dir, draw=pages)
    found.status()
    letters = Letters(found) if path_of(found.folder).exists() else None
    if letters is not None:
        _ = letters.addresses  # what is wrong with the settings is said before the screen opens

    def only() -> MailDeskScreen:
        from paxtui.tui.postal.desk import MailDeskScreen

        return MailDeskScreen(found, letters)

    return start.on_screen("postal", only=only)
