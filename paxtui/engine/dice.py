"""Dice as a pure function of a seed and a number.

Number n of a game depends only on ``(seed, n)``. It is the same on every machine and in every version, and no generator
state is saved. Any change of the computation would change every saved game; `tests/engine/test_dice.py` pins values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import count

from paxtui.engine.refusal import Refusal

# Separate domains: the n-th die says nothing about the n-th draw.
_DIE = b"paxtui/die"
_DRAW = b"paxtui/draw"

_MAX_SIDES = 2**32


def _blocks(domain: bytes, seed: str, n: int) -> Iterator[bytes]:
    # The seed is hashed first, so that no two pairs of seed and number give the same bytes.
    key = sha256(seed.encode("utf-8", "surrogatepass")).digest()
    for attempt in count():
        yield sha256(b"%s|%s|%d|%d" % (domain, key, n, attempt)).digest()


def die(seed: str, n: int) -> int:
    """Return the `n`-th die (n = 0, 1, ...) of the game with this seed: 1 to 6, each with the same chance."""
    for block in _blocks(_DIE, seed, n):
        for byte in block:
            # 252 is the largest multiple of 6 in a byte; the rest would favour 1 to 4.
            if byte < 252:
                return byte % 6 + 1
    raise AssertionError("the blocks never end")


@lru_cache(maxsize=4096)  # bots draw their preferences again for each plan
def draw(seed: str, n: int, sides: int) -> int:
    """Return a number from 0 to ``sides - 1``, for draws that are no dice of the game (orders, ties).

    Args:
        seed: the seed of the game.
        n: the number of the draw, counted together with the dice.
        sides: number of results, 1 to 2**32.

    Raises:
        ValueError: `sides` is out of range.
    """
    if not 1 <= sides <= _MAX_SIDES:
        raise ValueError(f"a draw has 1 to {_MAX_SIDES} sides, not {sides}")
    limit = 2**64 - 2**64 % sides
    for block in _blocks(_DRAW, seed, n):
        for start in range(0, 32, 8):
            value = int.from_bytes(block[start : start + 8], "big")
            if value < limit:
                return value % sides
    raise AssertionError("the blocks never end")


def commitment(seed: str) -> str:
    """Hash a seed, to publish the hash before the game.

    The seed must be long and random; a short one can be found by trying.
    """
    return sha256(b"paxtui/seed|" + seed.encode("utf-8", "surrogatepass")).hexdigest()


def check_queue(results: Sequence[object]) -> tuple[int, ...]:
    """Validate dice set by hand.

    Raises:
        Refusal: ``bad_die``, if a result is not a whole number from 1 to 6.
    """
    checked: list[int] = []
    for result in results:
        # a bool is an int in Python
        if not isinstance(result, int) or isinstance(result, bool) or not 1 <= result <= 6:
            raise Refusal(
                "bad_die", (), f"A die shows a whole number from 1 to 6, not {result!r}.", result=repr(result)
            )
        checked.append(result)
    return tuple(checked)


class Dice:
    """The dice of one game, in order, while one action is decided.

    Args:
        seed: the seed of the game.
        index: count of seeded numbers used so far.
        queue: results set by hand (tests, physical dice); rolls use these first.

    Attributes:
        index: count of seeded numbers used so far, those of this object included.

    Raises:
        Refusal: ``bad_die``, if the queue holds an invalid die.
    """

    def __init__(self, seed: str, index: int = 0, queue: Sequence[int] = ()) -> None:
        self._seed = seed
        self.index = index
        self._queue = check_queue(queue)
        self._taken = 0

    @property
    def queue_taken(self) -> tuple[int, ...]:
        """The results of the queue that were used."""
        return self._queue[: self._taken]

    @property
    def queue_left(self) -> tuple[int, ...]:
        """The unused results of the queue."""
        return self._queue[self._taken :]

    def roll(self) -> int:
        """Roll one die, 1 to 6: the next of the queue, otherwise the next seeded number."""
        if self._taken < len(self._queue):
            self._taken += 1
            return self._queue[self._taken - 1]
        self.index += 1
        return die(self._seed, self.index - 1)

    def roll_many(self, k: int) -> tuple[int, ...]:
        """Roll `k` dice, in order."""
        return tuple(self.roll() for _ in range(k))

    def draw(self, sides: int) -> int:
        """Draw 0 to ``sides - 1`` for something that is no die of the game; never from the queue."""
        self.index += 1
        return draw(self._seed, self.index - 1, sides)
