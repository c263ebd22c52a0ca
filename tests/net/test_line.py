"""A client's end of the wire, against a hub that is played here."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from paxtui.net import messages as say
from paxtui.net.framing import framed
from paxtui.net.line import Lost, Wire


def test_why_the_hub_has_hung_up_is_heard_by_who_was_about_to_speak(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(tmp_path / "door"))
        door.listen()
        wire = Wire(tmp_path / "door")
        caller, _ = door.accept()
        caller.sendall(framed(say.encode(say.Goodbye("The house closes.", back=False))))
        caller.close()
    with pytest.raises(Lost, match=r"The house closes\.") as lost:
        wire.wish("look")
    assert not lost.value.back
    wire.close()
