"""A hub without an SSH server, in a process of its own: `python -m tests.server.hub_process DIR [suspending]`.

With `suspending` idle games are suspended at once.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from paxtui.server import games, hub
from paxtui.server.data_directory import DataDirectory
from paxtui.server.hub import Hub


async def serve(root: Path) -> None:
    """Serve until the process ends."""
    hub = Hub(DataDirectory(root), dice="plain")
    await hub.listen()
    await hub.read_games()
    await asyncio.Event().wait()


if __name__ == "__main__":
    if "suspending" in sys.argv:
        games.REST_S, hub.LOOK_INTERVAL_S = 0.0, 0.005
    asyncio.run(serve(Path(sys.argv[1])))
