"""Sessions that take what comes over the wire until something is so."""

from __future__ import annotations

import time

PATIENCE = 60.0
"""Seconds after which a test has failed, also on a busy machine."""


def wait(session, known) -> None:
    """Take what comes until something is so."""
    end = time.monotonic() + PATIENCE
    while True:
        session.take()
        if known():
            return
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


def in_movement(*sessions) -> None:
    """Play on to the first Movement Phase, at every seat."""
    while sessions[0].live.phase != "movement":
        sessions[0].advance()
    for session in sessions:
        wait(session, lambda session=session: session.live.phase == "movement")
