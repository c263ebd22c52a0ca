"""Close a house: everybody is told, and nothing is lost. 'paxtui serve' opens it again, and clients find it.

examples:
  paxtui stop
  paxtui stop --data ~/table
"""

from __future__ import annotations

import argparse

from paxtui.cli.hosting.house import ask_hub, data_argument, house_of


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `stop`."""
    data_argument(part)


def run(args: argparse.Namespace) -> int:
    """Close it."""
    ask_hub(house_of(args), "stop")
    return 0
