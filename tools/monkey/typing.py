"""Random input: keys, bursts, held keys, pastes, and sometimes another size of the terminal."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from string import ascii_letters, digits

LETTERS = ascii_letters
SIGNS = {
    " ": "space", ":": "colon", "/": "slash", ">": "greater_than_sign", "?": "question_mark", "=": "equals_sign",
    "[": "left_square_bracket", "]": "right_square_bracket", "{": "left_curly_bracket", "}": "right_curly_bracket",
    "+": "plus", "-": "minus", ".": "full_stop", ",": "comma", "'": "apostrophe", "£": "pound_sign", "é": "é",
}  # fmt: skip
ARROWS = ("up", "down", "left", "right", "up", "down", "left", "right", "home", "end", "pageup", "pagedown")
COMMON = ("enter", "enter", "enter", "space", "space", "escape", "escape", "tab", "shift+tab", "y", "r", "r")
RARE = (*(f"f{n}" for n in range(1, 13)), "ctrl+p", "ctrl+r", "ctrl+y", "ctrl+l", "ctrl+a", "ctrl+e", "delete", "R")
ORDERS = (
    "/egy\r", "/sia\r", "/mad\r", ":ready\r", ":seat france\r", ":seat germany\r", ":undo\r", ":redo\r", "hv/egy\r\r",
    ":place interest egypt\r", ":place interest siam\r", ":place influence madagascar\r", ":build a1 a3\r",
    ":place protectorate zululand\r", "tnafrance pays britain 5\ro", "tnanon-aggression\r", "c\r",
    "dfrance: Shall we?\r", ":choose c1\r", ":pay france 5\r", "\r\r", "C", "Ca", "tB", "l/war\r\r", "n\r", "s",
    "S", "[", "{{U", "F\r", ":attack manchuria\r\r", "/manch\r\ra", "/kor\rV\r", "V \r",
    ":move a10 korea > manchuria\r", "/italy\r\r", "7", "W\r", "i", "l", "ssss", "c\r\r",
)  # fmt: skip
PASTES = (
    "", "ready", "place interest egypt", "[/]", "[@click=app.quit]quit[/]", "a\nb\nc\n", "\x00\x07\x1b[31m",
    "漢字 👑 é", "x" * 3000, "France pays Britain £5\nBritain pays France £4", "\t\t\r\r",
)  # fmt: skip
SIZES = ((80, 24), (80, 24), (80, 24), (120, 40), (120, 40), (160, 50), (200, 60), (60, 15), (30, 8), (100, 30))


@dataclass(frozen=True)
class Key:
    """A key, by its name, and the letter that it types."""

    name: str
    letter: str | None = None


@dataclass(frozen=True)
class Pasted:
    """A text that is pasted."""

    text: str


@dataclass(frozen=True)
class Sized:
    """The terminal has another size, in columns and rows."""

    columns: int
    rows: int


Stroke = Key | Pasted | Sized


@dataclass(frozen=True)
class Burst:
    """Strokes without a pause, and the seconds that pass before them."""

    pause: float
    strokes: tuple[Stroke, ...]


def key(name: str) -> Key:
    """Return a key by its name, or by the character that it types."""
    if name in SIGNS:
        return Key(SIGNS[name], name)
    named = {key_: sign for sign, key_ in SIGNS.items()}
    if len(name) == 1:
        return Key(name, name)
    return Key(name, {"enter": "\r", "tab": "\t", **named}.get(name))


def typed(text: str) -> tuple[Key, ...]:
    """Return the keys that type a text."""
    return tuple(Key("enter", "\r") if sign == "\r" else key(sign) for sign in text)


def bursts(seed: str, count: int) -> list[Burst]:
    """Return the input of a visit. Args: the seed; the minimum number of keys, a paste counts as one."""
    random, out, left = Random(seed), [], count
    while left > 0:
        burst = _burst(random)
        left -= len(burst.strokes)
        out.append(burst)
    return out


def _burst(random: Random) -> Burst:
    pause = random.choice((0.0, 0.01, 0.05, 0.2, 0.5, 1.0))
    kind = random.random()
    if kind < 0.03:
        return Burst(pause, (Sized(*random.choice(SIZES)),))
    if kind < 0.06:
        return Burst(pause, (Pasted(random.choice(PASTES)), *_any(random, random.randrange(3))))
    if kind < 0.14:
        return Burst(pause, (_one(random),) * random.randrange(2, 25))
    if kind < 0.34:
        return Burst(pause, typed(random.choice(ORDERS)))
    if kind < 0.70:
        return Burst(pause, _any(random, 1))
    return Burst(pause, _any(random, random.randrange(2, 12)))


def _any(random: Random, count: int) -> tuple[Key, ...]:
    return tuple(_one(random) for _ in range(count))


def _one(random: Random) -> Key:
    kind = random.random()
    if kind < 0.3:
        return key(random.choice(COMMON))
    if kind < 0.5:
        return key(random.choice(ARROWS))
    if kind < 0.6:
        return key(random.choice(RARE))
    if kind < 0.7:
        return key(random.choice(tuple(SIGNS)))
    if kind < 0.75:
        return key(random.choice(digits))
    return key(random.choice(LETTERS))
