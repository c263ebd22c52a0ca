"""What the quick drawing saves: the same keys in the client as it is, and in one that leaves a part to Textual.

A client that leaves a part to Textual is the same program with Textual's own method put back. `page` cannot be put
back, for there another widget stands in the place of Textual's; `keyboard` saves no time, it keeps keys in order.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

from paxtui.cli.measure.client import Client
from paxtui.cli.measure.core import Sample
from paxtui.cli.measure.screen import ARROWS, ENTER, ESC, Shown, cut, middle, press

ROUNDS = 5
"""How often the keys of a part are pressed."""


class Part(NamedTuple):
    """A part of the quick drawing: what puts Textual's own in its place, and the keys that show the difference.

    `counted`: those of the `keys` that are measured; `bytes`: by the bytes of their frames, not by their time.
    """

    textual: str
    keys: Sequence[bytes]
    counted: Sequence[bytes]
    bytes: bool = False


PARTS = {
    "sheet": Part("from paxtui.tui.swift.app import SwiftApp; del SwiftApp._display", ARROWS, ARROWS, bytes=True),
    "frame": Part("from paxtui.tui.swift.frame import SwiftScreen; del SwiftScreen.__init__", ARROWS, ARROWS),
    "driver": Part("from paxtui.tui.swift.app import SwiftApp; del SwiftApp.get_driver_class", (ENTER, ESC), (ESC,)),
    "overlay": Part(
        "import paxtui.tui.swift.overlay as over; del over.Overlay._render_content", (ENTER, ESC), (ENTER,)
    ),
    "rows": Part("from paxtui.tui.swift.rows import Row; del Row.visualize", (b"l", ESC), (b"l",)),
}
"""The parts by the module in which each stands."""

PLAY = "import sys; from paxtui.cli.main import main; sys.exit(main(sys.argv[1:]))"


def measure_swift(sample: Sample) -> dict[str, float]:
    """How many times as much each part would take if it were left to Textual: `sheet_saves` and so on.

    Raises: NoTerminal.
    """
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        log = home / "bench.jsonl"
        cut(sample.path, middle(sample), log)
        return {f"{name}_saves": cost(part, log, home, True) / cost(part, log, home) for name, part in PARTS.items()}


def cost(part: Part, log: Path, home: Path, textual: bool = False) -> float:
    """Bytes or milliseconds of a key that shows a part, with the part or with Textual's own. Raises: NoTerminal."""
    program = f"{part.textual}; {PLAY}" if textual else PLAY
    with Client([sys.executable, "-c", program, "play", str(log)], home) as client:
        client.first_frame()
        seen = [press(client, key) for key in tuple(part.keys) * ROUNDS]
    shown: list[Shown] = [one for one in seen if one is not None and one.key in part.counted]
    return fmean(one.bytes for one in shown) if part.bytes else median(one.ms for one in shown)
