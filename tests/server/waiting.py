"""Waiting for messages of a server."""

from __future__ import annotations

from typing import Any

from paxtui.server.client import HubClient
from paxtui.server.data_directory import DataDirectory
from paxtui.tui.rendering.key_queue import KEY_GROUP
from tests.waiting import until, wait_until


def admin_request(data: DataDirectory, request: str, **fields: str) -> Any:
    """Send an administrative request to the hub of a directory."""
    client = HubClient(data.socket)
    try:
        return client.admin_request(request, **fields)
    finally:
        client.close()


def wait(session, known) -> None:
    """Receive messages until a condition is true."""

    def is_known() -> bool:
        session.receive()
        return known()

    wait_until(is_known)


def in_movement(*sessions) -> None:
    """Play to the first Movement Phase, and wait until each session has it."""
    while sessions[0].live.phase != "movement":
        sessions[0].advance()
    for session in sessions:
        wait(session, lambda session=session: session.live.phase == "movement")


async def answered(pilot, session) -> None:
    """Wait until the screen has the answer to its order."""
    await until(lambda: not session.is_answer_pending)
    await pilot.pause()


class Held:
    """Whether a test holds back the answers of the server, so that no key waits for one."""

    answers = False


def is_settled(app: Any) -> bool:
    """Return whether an app has handled its keys and has the answer to each of its requests."""
    session = getattr(app.screen, "session", None)
    return (
        not app.keyboard.busy
        and app.keyboard.is_at_rest()
        and all(worker.is_finished or worker.group == KEY_GROUP for worker in app.workers)
        and not getattr(session, "is_answer_pending", False)
    )
