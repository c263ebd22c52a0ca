"""Sessions that take what comes over the wire until something is so."""

from __future__ import annotations

import time


def wait(session, known) -> None:
    """Take what comes until something is so."""
    for _ in range(500):
        session.take()
        if known():
            return
        time.sleep(0.01)
    raise AssertionError("it never came")


def in_movement(*sessions) -> None:
    """Play on to the first Movement Phase, at every seat."""
    while sessions[0].live.phase != "movement":
        sessions[0].advance()
    for session in sessions:
        wait(session, lambda session=session: session.live.phase == "movement")
