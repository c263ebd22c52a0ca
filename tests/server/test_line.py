"""A client's end of the wire, against a hub that is played here."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path

import pytest

from paxtui.server import messages
from paxtui.server.client import ConnectionLost, HubClient
from paxtui.server.messages import frame_message


def test_why_the_hub_has_hung_up_is_heard_by_who_was_about_to_speak(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(tmp_path / "door"))
        door.listen()
        wire = HubClient(tmp_path / "door")
        caller, _ = door.accept()
        caller.sendall(frame_message(messages.encode(messages.Goodbye("The server closes.", back=False))))
        caller.close()
    with pytest.raises(ConnectionLost, match=r"The server closes\.") as lost:
        wire.lobby_request("look")
    assert not lost.value.back
    wire.close()


def test_who_comes_when_there_is_no_room_before_the_door_waits_until_there_is(tmp_path: Path, monkeypatch) -> None:
    queue: list[socket.socket] = []
    came: list[socket.socket] = []
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(tmp_path / "door"))
        door.listen(1)
        with pytest.raises(BlockingIOError):
            while True:
                queue.append(socket.socket(socket.AF_UNIX))
                queue[-1].setblocking(False)
                queue[-1].connect(str(tmp_path / "door"))

        def opens() -> None:
            time.sleep(0.05)
            came.extend(door.accept()[0] for _ in queue)

        hub = threading.Thread(target=opens, daemon=True)
        hub.start()
        HubClient(tmp_path / "door").close()
        hub.join()
    with socket.socket(socket.AF_UNIX) as shut:
        shut.bind(str(tmp_path / "shut"))
        shut.listen(0)
        first = HubClient(tmp_path / "shut")
        monkeypatch.setattr("paxtui.server.client.ANSWER_TIMEOUT_S", 0.05)
        with pytest.raises(ConnectionLost, match="Cannot reach the server"):
            HubClient(tmp_path / "shut")
        first.close()
    for caller in (*queue, *came):
        caller.close()
