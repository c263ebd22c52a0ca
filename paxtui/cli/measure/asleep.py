"""The memory of a hub whose games sleep, and how long one takes to wake; in a process of its own.

    python -m paxtui.cli.measure.asleep LOG GAMES

prints the figures as JSON.
"""

from __future__ import annotations

import asyncio
import gc
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from paxtui.cli.measure.core import percentile
from paxtui.net.house import House
from paxtui.net.hub import Hub
from paxtui.net.keeping import games
from paxtui.net.keeping.figures import memory

GAMES = 200
"""Games of the house."""
AWAKE = 8
"""Games that are awake at once."""
WAKES = 20
"""Games whose waking is measured."""


def measure_asleep(log: Path, count: int = GAMES) -> dict[str, float]:
    """Millions of bytes over an empty hub, and milliseconds, by name. Args: the log of each game; how many.

    Raises: OSError, ValueError, where the process fails.
    """
    words = [sys.executable, "-X", "utf8", "-m", "paxtui.cli.measure.asleep", str(log), str(count)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(done.stderr[-300:])
    found: dict[str, float] = json.loads(done.stdout)
    return found


async def _measured(house: House, log: Path, count: int) -> dict[str, float]:
    hub = Hub(house)
    await hub.listen()
    gc.collect()
    empty = memory()
    for n in range(count):
        shutil.copyfile(log, house.games / f"{n}.jsonl")
    games.REST = 0.0
    await hub.read_games()
    await asyncio.sleep(0)
    hub.games.rest()
    asleep, opened = memory() - empty, hub.games.open
    games.REST = 3600.0
    for n in range(AWAKE):
        hub.game(str(n))
    awake = memory() - empty
    woken = []
    for n in range(AWAKE, AWAKE + WAKES):
        begun = perf_counter()
        hub.game(str(n))
        woken.append((perf_counter() - begun) * 1000)
        await asyncio.sleep(0)
        hub.games.rest()
    await hub.close()
    if opened:
        raise OSError(f"{len(opened)} games did not fall asleep")
    return {
        "hub_200_asleep_mb": asleep / 1e6,
        "hub_8_awake_mb": awake / 1e6,
        "hub_wake_ms_p95": percentile(woken, 95),
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="pax") as directory:
        print(json.dumps(asyncio.run(_measured(House(Path(directory) / "h"), Path(sys.argv[1]), int(sys.argv[2])))))
