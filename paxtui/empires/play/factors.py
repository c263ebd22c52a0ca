"""Counting army factors: together, apart, and which of them go first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from paxtui.empires.state.pieces import Factors

KINDS = ("militia", "infantry", "cavalry", "guard", "artillery")
"""Kinds of army factors, from the one most cheaply lost."""

NONE = Factors()


def of(factors: Factors, kind: str) -> int:
    """How many of a kind. Raises: KeyError, where there is no such kind."""
    if kind not in KINDS:
        raise KeyError(kind)
    count: int = getattr(factors, kind)
    return count


def counts(factors: Factors) -> Iterator[tuple[str, int]]:
    """The kinds that are there with their numbers, in the order of `KINDS`."""
    return ((kind, of(factors, kind)) for kind in KINDS if of(factors, kind))


def plus(a: Factors, b: Factors) -> Factors:
    """Both together."""
    return Factors(**{kind: of(a, kind) + of(b, kind) for kind in KINDS})


def minus(a: Factors, b: Factors) -> Factors:
    """The first without the second, see `holds`."""
    return Factors(**{kind: of(a, kind) - of(b, kind) for kind in KINDS})


def holds(a: Factors, b: Factors) -> bool:
    """Whether the first has at least as many of each kind as the second."""
    return all(of(a, kind) >= of(b, kind) for kind in KINDS)


def only(kind: str, count: int) -> Factors:
    """So many of one kind. Raises: KeyError, where there is no such kind."""
    return made_of({kind: count})


def made_of(numbers: Mapping[str, int]) -> Factors:
    """Factors by their kinds. Raises: KeyError, where there is no such kind; ValueError, for less than none."""
    for kind, count in numbers.items():
        if kind not in KINDS:
            raise KeyError(kind)
        if count < 0:
            raise ValueError(count)
    return Factors(**numbers)


def as_infantry(factors: Factors) -> Factors:
    """What they are as a garrison: cavalry and guard have become infantry. Rules: EIA 7.3.3.2"""
    return Factors(infantry=factors.total - factors.militia, militia=factors.militia)


def fits(factors: Factors, most: Factors) -> bool:
    """Whether a corps with these maxima holds them. Infantry and militia share the room of the infantry."""
    foot = factors.infantry + factors.militia <= most.infantry + most.militia
    return (
        foot and factors.cavalry <= most.cavalry and factors.guard <= most.guard and factors.artillery <= most.artillery
    )


def cheapest(factors: Factors, count: int) -> Factors:
    """The `count` of them that are most cheaply lost; all, where there are no more."""
    taken = {}
    for kind in KINDS:
        taken[kind] = min(of(factors, kind), count)
        count -= taken[kind]
    return Factors(**taken)


def ways(factors: Factors, count: int) -> tuple[Factors, ...]:
    """Every way to take `count` of them, the cheapest first."""
    kinds = [kind for kind, _ in counts(factors)]
    found = [
        Factors(**dict(zip(kinds, numbers, strict=True)))
        for numbers in product(*(range(of(factors, kind) + 1) for kind in kinds))
        if sum(numbers) == count
    ]
    return tuple(sorted(found, key=_dearness))


def word(factors: Factors) -> str:
    """Factors as one word of the notation: `infantry=2,militia=1`."""
    return ",".join(f"{kind}={count}" for kind, count in counts(factors)) or "none"


def said(text: str) -> Factors:
    """The factors of such a word. Raises: KeyError or ValueError, where it is none."""
    if text == "none":
        return NONE
    return made_of({name: int(number) for name, _, number in (part.partition("=") for part in text.split(","))})


def _dearness(factors: Factors) -> tuple[int, ...]:
    return tuple(-of(factors, kind) for kind in KINDS)


def selections(factors: Factors) -> Iterator[dict[str, int]]:
    """Yield every choice of at least one of some factors, as an order names it."""
    held = tuple(counts(factors))
    for numbers in product(*(range(count + 1) for _, count in held)):
        some = {kind: number for (kind, _), number in zip(held, numbers, strict=True) if number}
        if some:
            yield some
