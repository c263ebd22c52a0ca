"""A hub without a door, in a process of its own: `python -m tests.net.alone DIR`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from paxtui.net.house import House
from paxtui.net.hub import Hub


async def serve(root: Path) -> None:
    """Serve until the process ends."""
    hub = Hub(House(root), dice="plain")
    await hub.listen()
    for name in hub.house.names():
        hub.game(name)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
