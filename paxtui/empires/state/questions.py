"""What a Power is asked while a step goes on; the last one asked is answered first."""

from __future__ import annotations

import msgspec


class Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One question.

    Attributes:
        kind: what it is about; what takes its answer is looked up by that.
        power: who is asked.
        choices: what may be answered, each a word of the notation.
        about: ids of what it concerns, in an order that belongs to the kind.
        rules: sections.
        secret: whether the answer is written down and shown to nobody yet.
    """

    kind: str
    power: str
    choices: tuple[str, ...]
    about: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    secret: bool = False


class Sealed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a Power has written down in secret, until all are revealed together.

    Attributes:
        power: who wrote it.
        matter: what it is about: `declarations`, `proposals`, `chit`.
        words: what stands in it; hidden from all others.
    """

    power: str
    matter: str
    words: tuple[str, ...] = ()
