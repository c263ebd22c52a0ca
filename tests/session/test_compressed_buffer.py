"""Bytes that are held packed are given back as they were."""

from __future__ import annotations

from paxtui.session.storage.log_store import CompressedBuffer
from tests.places import TEN_TURNS


def test_a_log_is_held_in_a_fifth_of_its_room_and_given_back_as_it_was() -> None:
    log = TEN_TURNS.read_bytes()
    held = CompressedBuffer(log)
    assert bytes(held) == log and len(held) == len(log)
    assert 5 * len(held._packed) < len(log)
    for line in (b"one more\n", b"", b"and one more\n"):
        held.add(line)
        log += line
        assert bytes(held) == log and len(held) == len(log)
