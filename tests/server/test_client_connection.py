"""`HubClient` against a socket of the test."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path

import pytest

from paxtui.server import messages
from paxtui.server.client import ConnectionLost, HubClient
from paxtui.server.messages import frame_message


def test_client_reads_the_goodbye_before_its_next_request(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "door"))
        listener.listen()
        wire = HubClient(tmp_path / "door")
        connection, _ = listener.accept()
        connection.sendall(frame_message(messages.encode(messages.Goodbye("The server closes.", back=False))))
        connection.close()
    with pytest.raises(ConnectionLost, match=r"The server closes\.") as lost:
        wire.lobby_request("look")
    assert not lost.value.back
    wire.close()


def test_client_waits_for_room_in_the_listen_queue(tmp_path: Path, monkeypatch) -> None:
    queue: list[socket.socket] = []
    accepted: list[socket.socket] = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "door"))
        listener.listen(1)
        with pytest.raises(BlockingIOError):
            while True:
                queue.append(socket.socket(socket.AF_UNIX))
                queue[-1].setblocking(False)
                queue[-1].connect(str(tmp_path / "door"))

        def accept_all() -> None:
            time.sleep(0.05)
            accepted.extend(listener.accept()[0] for _ in queue)

        hub = threading.Thread(target=accept_all, daemon=True)
        hub.start()
        HubClient(tmp_path / "door").close()
        hub.join()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "shut"))
        listener.listen(0)
        first = HubClient(tmp_path / "shut")
        monkeypatch.setattr("paxtui.server.client.ANSWER_TIMEOUT_S", 0.05)
        with pytest.raises(ConnectionLost, match="Cannot reach the server"):
            HubClient(tmp_path / "shut")
        first.close()
    for connection in (*queue, *accepted):
        connection.close()
