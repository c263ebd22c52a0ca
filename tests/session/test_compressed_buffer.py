"""The compressed buffer of a log."""

from __future__ import annotations

from paxtui.session.storage.log_store import CompressedBuffer
from tests.places import TEN_TURNS


def test_log_is_compressed_to_a_fifth_and_returned_unchanged() -> None:
    log = TEN_TURNS.read_bytes()
    buffer = CompressedBuffer(log)
    assert bytes(buffer) == log and len(buffer) == len(log)
    assert 5 * len(buffer._packed) < len(log)
    for line in (b"one more\n", b"", b"and one more\n"):
        buffer.add(line)
        log += line
        assert bytes(buffer) == log and len(buffer) == len(log)
