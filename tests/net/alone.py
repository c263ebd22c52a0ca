"""A hub without a door, in a process of its own: `python -m tests.net.alone DIR [sleepy]`.

In a sleepy one games fall asleep as soon as nothing goes on in them.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from paxtui.net import hub
from paxtui.net.house import House
from paxtui.net.hub import Hub
from paxtui.net.keeping import games


async def serve(root: Path) -> None:
    """Serve until the process ends."""
    hub = Hub(House(root), dice="plain")
    await hub.listen()
    await hub.read_games()
    await asyncio.Event().wait()


if __name__ == "__main__":
    if "sleepy" in sys.argv:
        games.REST, hub.LOOK = 0.0, 0.005
    asyncio.run(serve(Path(sys.argv[1])))
