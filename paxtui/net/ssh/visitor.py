"""Somebody at the door, who is asked and told in lines before he sits down."""

from __future__ import annotations

import asyncssh

from paxtui.pax.words.free_text import clean

LONGEST_LINE = 80
"""Characters of an answer."""


class Visitor:
    """Somebody at the door.

    Args:
        process: his session.
        key: his public key.
        address: where he comes from.
    """

    def __init__(self, process: asyncssh.SSHServerProcess[bytes], key: str, address: str) -> None:
        self.process = process
        self.key = key
        self.address = address
        self._typed = ""

    @property
    def name(self) -> str:
        """The user name of the SSH connection."""
        return str(self.process.get_extra_info("username") or "")

    def say(self, text: str) -> None:
        """Say something, in lines; control characters go."""
        for line in text.split("\n"):
            self.process.stdout.write(clean(line).encode() + b"\r\n")

    async def ask(self, question: str) -> str:
        """Ask something; the answer. Raises: EOFError when he goes instead."""
        out = self.process.stdout
        out.write(clean(question).encode() + b" ")
        answer = ""
        while True:
            sign = await self._sign()
            if sign in "\r\n":
                out.write(b"\r\n")
                return answer.strip()
            if sign in "\x03\x04":
                raise EOFError
            if sign in "\x08\x7f":
                if answer:
                    answer = answer[:-1]
                    out.write(b"\b \b")
            elif sign.isprintable() and len(answer) < LONGEST_LINE:
                answer += sign
                out.write(sign.encode())

    async def _sign(self) -> str:
        """The next sign that is typed; what comes ahead of its question waits for it. Raises: EOFError."""
        while not self._typed:
            try:
                data = await self.process.stdin.read(64)
            except asyncssh.TerminalSizeChanged:
                continue
            if not data:
                raise EOFError
            self._typed = data.decode("utf-8", "ignore")
        sign, self._typed = self._typed[0], self._typed[1:]
        return sign
