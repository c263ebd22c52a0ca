"""What clients are forked from: everything that a client needs is imported and read, and no game is known."""

from __future__ import annotations

from collections.abc import Callable

from paxtui.cli.hosting.plain import sit_plain, visit_plain
from paxtui.cli.hosting.screen import sit, visit
from paxtui.net.house import House
from paxtui.net.ssh.forks import Order
from paxtui.table.tables import load_tables
from paxtui.tui.app import all_bindings


def warm(house: House) -> Callable[[Order], int]:
    """Import and read everything; what each client does."""
    load_tables()
    all_bindings()

    def run(order: Order) -> int:
        if order.plain:
            return (visit_plain if order.lobby else sit_plain)(house.socket, order.ticket)
        return (visit if order.lobby else sit)(house.socket, order.ticket, "ssh")

    return run
