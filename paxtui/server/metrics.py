"""Metrics of the hub: durations of acts, memory, and their export in Prometheus format."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

KEPT_TIMINGS = 1000
"""Number of durations kept."""

REQUEST_TIMEOUT_S = 5.0
"""Timeout for a metrics request, in seconds."""

LONGEST_REQUEST = 4096
"""Maximum size of a metrics request, in bytes."""


class ActTimings:
    """Durations of acts: from the receipt of a command to the last message sent about it, disk writes included.

    Attributes:
        acts: number of acts.
    """

    def __init__(self) -> None:
        self._lately: deque[float] = deque(maxlen=KEPT_TIMINGS)
        self.acts = 0

    def took(self, seconds: float) -> None:
        """Record the duration of an act."""
        self._lately.append(seconds)
        self.acts += 1

    def quantile(self, share: float) -> float:
        """Return a quantile of the recent durations in seconds; 0 if there are none."""
        if not self._lately:
            return 0.0
        ranked = sorted(self._lately)
        return ranked[min(len(ranked) - 1, int(share * len(ranked)))]


def private_memory() -> int:
    """Return the private memory of this process in bytes; 0 if the system does not report it."""
    if sys.platform != "linux":
        return 0
    with suppress(OSError, ValueError):
        for line in Path("/proc/self/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def prometheus_text(figures: Mapping[str, float]) -> str:
    """Format metrics for Prometheus. Args: values by name, labels included."""
    out, known = [], ""
    for name, value in figures.items():
        kind = name.partition("{")[0]
        if kind != known:
            known = kind
            out.append(f"# TYPE {kind} {'counter' if kind.endswith('_total') else 'gauge'}")
        out.append(f"{name} {value:.6g}")
    return "\n".join(out) + "\n"


class MetricsServer:
    """An HTTP server on localhost for the metrics.

    Args:
        figures: returns the metrics.
    """

    def __init__(self, figures: Callable[[], Mapping[str, float]]) -> None:
        self._figures = figures
        self._server: asyncio.Server | None = None

    async def listen(self, port: int) -> int:
        """Start and return the port. Raises: OSError."""
        self._server = await asyncio.start_server(self._tell, "127.0.0.1", port, limit=LONGEST_REQUEST)
        return int(self._server.sockets[0].getsockname()[1])

    async def _tell(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            asked = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), REQUEST_TIMEOUT_S)
            found = asked.startswith((b"GET / ", b"GET /metrics "))
            body = prometheus_text(self._figures()).encode() if found else b"The figures are at /metrics.\n"
            head = f"HTTP/1.0 {'200 OK' if found else '404 Not Found'}\r\n"
            head += f"Content-Type: text/plain; version=0.0.4\r\nContent-Length: {len(body)}\r\n\r\n"
            writer.write(head.encode() + body)
            await asyncio.wait_for(writer.drain(), REQUEST_TIMEOUT_S)
        writer.close()

    def close(self) -> None:
        """Stop the server."""
        if self._server is not None:
            self._server.close()
