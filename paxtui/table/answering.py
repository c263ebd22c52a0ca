"""The process in which bots think for a screen: questions come in on its input, thoughts go out, until nobody asks.

It is started as `python -m paxtui.table.answering` by `thinker`, and ends when its input does. Each message is a number
of four bytes, how long it is, and then as many bytes of MessagePack.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import BinaryIO

import msgspec

from paxtui.table.tables import load_tables_from_header
from paxtui.table.thinking import Question, think

LENGTH = 4
"""Bytes that say how long a message is."""
MODEST = 5
"""How much it stands back behind the screen when both want to be reckoned."""


class Asked(msgspec.Struct, frozen=True):
    """A question, and the tables of its game that replace shipped ones, as texts by their names."""

    question: Question
    tables: dict[str, str]


def packed(message: object) -> bytes:
    """A message as it travels."""
    data = msgspec.msgpack.encode(message)
    return len(data).to_bytes(LENGTH, "big") + data


def serve(questions: BinaryIO, thoughts: BinaryIO) -> None:
    """Answer questions, one after the other, until there are no more."""
    decoder = msgspec.msgpack.Decoder(Asked)
    replaced: dict[str, str] = {}
    tables = load_tables_from_header(replaced)
    while len(length := questions.read(LENGTH)) == LENGTH:
        asked = decoder.decode(questions.read(int.from_bytes(length, "big")))
        if asked.tables != replaced:
            replaced = asked.tables
            tables = load_tables_from_header(replaced)
        thoughts.write(packed(think(tables, asked.question)))
        thoughts.flush()


def main() -> None:
    """Answer what comes in on the standard input; nothing else may write to the standard output."""
    thoughts = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the screen
    os.nice(MODEST)
    with suppress(OSError):  # whoever asked may be gone
        serve(sys.stdin.buffer, thoughts)


if __name__ == "__main__":
    main()
