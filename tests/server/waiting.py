"""Sessions that take what comes over the wire until something is so."""

from __future__ import annotations

from tests.waiting import until, wait_until


def wait(session, known) -> None:
    """Take what comes until something is so."""

    def is_known() -> bool:
        session.receive()
        return known()

    wait_until(is_known)


def in_movement(*sessions) -> None:
    """Play on to the first Movement Phase, at every seat."""
    while sessions[0].live.phase != "movement":
        sessions[0].advance()
    for session in sessions:
        wait(session, lambda session=session: session.live.phase == "movement")


async def answered(pilot, session) -> None:
    """Wait until a screen has the answer to its order."""
    await until(lambda: not session.is_answer_pending)
    await pilot.pause()
