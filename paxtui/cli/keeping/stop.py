"""Stop a server: everybody is told, and nothing is lost. Returns when all its processes have ended; the port is free.

examples:
  paxtui stop
  paxtui stop --data ~/table
"""

from __future__ import annotations

import argparse
import time

from paxtui.cli.hosting.house import ask_hub, data_argument, house_of, runs
from paxtui.cli.outward.faults import CommandError

PATIENCE = 60.0
"""Seconds that a server may take to stop."""

LOOK = 0.05
"""Seconds between two looks whether it has."""


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `stop`."""
    data_argument(part)


def run(args: argparse.Namespace) -> int:
    """Stop the server, and wait for its end. Raises: CommandError when it does not end."""
    house = house_of(args)
    ask_hub(house, "stop")
    end = time.monotonic() + PATIENCE
    while runs(house) or house.running("front") or house.running("forks"):
        if time.monotonic() > end:
            told = f"the server in {house.root} has not ended within {PATIENCE:.0f} seconds"
            raise CommandError(f"{told}: 'paxtui status' shows whether it still answers")
        time.sleep(LOOK)
    return 0
