"""The form behind the order sheet: a plain text file, kept line by line, so that remarks stay where they are."""

from __future__ import annotations

from paxtui.pax.postal.reading import HEAD, without_remark

STANDING = "standing:"


class WrittenForm:
    """A form that is being written. Args: its text."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        self._before: list[list[str]] = []

    @property
    def text(self) -> str:
        """The form as it stands."""
        return "\n".join(self._lines).rstrip() + "\n"

    @property
    def numbers(self) -> tuple[int, ...]:
        """The lines, from 1, that say something to be done: no remark, no head, no heading."""
        return tuple(n for n, line in enumerate(self._lines, 1) if self._says(line))

    def line(self, number: int) -> str:
        """What a line says."""
        return self._lines[number - 1].strip()

    def _says(self, line: str) -> bool:
        said = without_remark(line).strip().casefold()
        name, colon, value = said.partition(":")
        if not said or (colon and name.strip() in HEAD):
            return False
        return not (colon and name.strip() in ("standing", "orders") and not value.strip())

    # --- changes ----------------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        self._before.append(list(self._lines))

    def undo(self) -> bool:
        """Take the last change back. Returns: whether there was one."""
        if not self._before:
            return False
        self._lines = self._before.pop()
        return True

    def change(self, number: int, text: str) -> None:
        """Write a line anew."""
        self._keep()
        self._lines[number - 1] = text

    def add(self, text: str, after: int = 0) -> int:
        """Write a new order. Args: it; below which line, 0 below the last order. Returns: its line."""
        self._keep()
        heading = self._heading()
        orders = [n for n in self.numbers if not heading or n < heading]
        at = after if after in orders else orders[-1] if orders else heading - 1 if heading else len(self._lines)
        if not orders and heading:
            self._lines.insert(at, "")
        self._lines.insert(at, text)
        return at + 1

    def instruct(self, text: str) -> int:
        """Write a new standing instruction. Returns: its line."""
        self._keep()
        if not self._heading():
            self._lines += ["", STANDING]
        self._lines.append(text)
        return len(self._lines)

    def delete(self, number: int) -> None:
        """Take a line away."""
        self._keep()
        del self._lines[number - 1]

    def move(self, number: int, by: int) -> int:
        """Let a line change places with the one above (-1) or below (1). Returns: where it stands then."""
        here = self.numbers
        at = here.index(number) + by
        if not 0 <= at < len(here) or self._instructs(number) != self._instructs(here[at]):
            return number
        self._keep()
        one, other = number - 1, here[at] - 1
        self._lines[one], self._lines[other] = self._lines[other], self._lines[one]
        return here[at]

    def _heading(self) -> int:
        """The line of the heading of standing instructions, 0 for none."""
        found = (n for n, line in enumerate(self._lines, 1) if without_remark(line).strip().casefold() == STANDING)
        return next(found, 0)

    def _instructs(self, number: int) -> bool:
        """Whether a line is a standing instruction."""
        heading = self._heading()
        return bool(heading) and number > heading
