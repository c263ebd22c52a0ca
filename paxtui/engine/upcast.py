"""Convert events of old logs to the current form, one version at a time, as raw dicts.

An event stores its version as ``v`` beside its ``type``; the default is 1. Each step converts one type from one version
to the next. A released step never changes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

Raw = dict[str, Any]
"""A JSON object as it stands in a log, a request or an answer: not a struct yet, or no longer one."""

Step = Callable[[Raw], Raw]


class UnknownVersion(Exception):
    """An event of a version that this program does not know, from a newer one or from a damaged log."""

    def __init__(self, kind: str, version: object) -> None:
        super().__init__(kind, version)
        self.kind = kind
        self.version = version

    def __str__(self) -> str:
        return f"event {self.kind!r} has version {self.version!r}, which this program does not know"


class Upcasters:
    """The steps of one game, by event type and the version they start from."""

    def __init__(self) -> None:
        self._steps: dict[tuple[str, int], Step] = {}
        self._current: dict[str, int] = {}

    def step(self, kind: str, version: int) -> Callable[[Step], Step]:
        """Decorator: this function takes events `kind` from `version` to the next one.

        The function gets a copy that it may change and returns the new raw event. It need not set
        ``v``, unless it renames the event: then ``v`` is the version under the new name (1 if left out).

        Raises:
            ValueError: there is such a step already, or an earlier one is missing.
        """
        if version != self.current(kind):
            raise ValueError(f"the next step of {kind!r} starts from version {self.current(kind)}, not {version}")

        def add(function: Step) -> Step:
            self._steps[kind, version] = function
            self._current[kind] = version + 1
            return function

        return add

    def current(self, kind: str) -> int:
        """The version in which events of this type are written today."""
        return self._current.get(kind, 1)

    def apply(self, raw: Raw) -> Raw:
        """`raw` as today's programs write it; `raw` itself is never changed.

        Raises:
            UnknownVersion: its version is none, or a later one than today's.
        """
        seen: set[tuple[str, int]] = set()
        while True:
            kind, version = str(raw.get("type", "")), raw.get("v", 1)
            known = isinstance(version, int) and not isinstance(version, bool)
            if not known or not 1 <= version <= self.current(kind) or (kind, version) in seen:
                raise UnknownVersion(kind, version)
            function = self._steps.get((kind, version))
            if function is None:
                return raw
            # Two names that are renamed into each other would go round for ever.
            seen.add((kind, version))
            raw = function({key: msgspec.to_builtins(value) for key, value in raw.items() if key != "v"})
            if raw.get("type", kind) == kind:
                raw = {**raw, "type": kind, "v": version + 1}

    def stamp(self, raw: Raw) -> Raw:
        """`raw`, an event of today, with its version; version 1 goes without, to keep logs small."""
        version = self.current(str(raw.get("type", "")))
        return raw if version == 1 else {**raw, "v": version}
