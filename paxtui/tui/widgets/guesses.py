"""What can stand next in the line for words: orders that are legal now word by word, and places by name and by code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from paxtui.pax.board.status import at
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.legal import legal
from paxtui.pax.orders.dispatches import DISPATCH
from paxtui.pax.state.pieces import ARMY
from paxtui.pax.words.names import index, place_text
from paxtui.pax.words.spoken import place_name
from paxtui.table.session import Session
from paxtui.tui.land.places import the_atlas

FREE = (DISPATCH, "proclaim", "draft", "amend", "propose")
"""Orders whose words are the player's own: no code is looked for in them."""

_CODE = re.compile(r"[A-Za-z]{3}")


class Guess(NamedTuple):
    """A word that can come next, and what it means to a person."""

    word: str
    means: str = ""


Guesses = Callable[[str], list[Guess]]
"""Gives, for what has been typed, the words that its last word may become."""


def codes() -> dict[str, str]:
    """The place of each code that the map shows."""
    return {place.code: place.id for place in the_atlas().places.values()}


def code_of(place: str) -> str:
    """The code of a place on the map, "" for none."""
    found = the_atlas().places.get(place)
    return found.code if found is not None else ""


# --- what is typed, put into the notation -----------------------------------------------------------------------------


def in_notation(session: Session, text: str) -> str:
    """An order with ids for the codes of the map, and with its units for `all`.

    A code counts only where the word is no name of the notation, or the beginning of several.
    """
    verb = text.split(None, 1)[0].casefold() if text.split() else ""
    if verb in FREE:
        return text
    known, names = codes(), index(session.tables).places

    def place(found: re.Match[str]) -> str:
        word = found.group()
        id_ = known.get(word.upper(), "")
        return word if not id_ or len(names.among(word)) == 1 else place_text(id_)

    head, _, rest = text.partition(" ")
    out = f"{head} " + re.sub(r"(?<![\w'])[A-Za-z]{3}(?![\w'])", place, rest) if rest else text
    return _all_units(session, out) if verb == "move" else out


def one_each(text: str) -> list[str]:
    """The orders that a line stands for: a marker in several Areas, with commas between them, is an order for each."""
    said = re.fullmatch(r"\s*((?:place|upgrade)\s+\w+)\s+(.+)", text, re.IGNORECASE)
    areas = [area.strip() for area in said[2].split(",")] if said else []
    return [f"{said[1]} {area}" for area in areas if area] if said else [text]


def _all_units(session: Session, text: str) -> str:
    """`move all HERE > THERE` with the armies that stand there; where there are none, with the fleets."""
    said = re.fullmatch(r"\s*move\s+all\s+(.+?)\s*(>.*)", text, re.IGNORECASE)
    if said is None:
        return text
    here = index(session.tables).places.find(said[1])
    state, power = session.live, session.power
    home = power if here == "home" else here.removeprefix(HOME) if here.startswith(HOME) else ""
    units = [u for u in (state.homes.get(home, ()) if home else at(state, here).units) if u.power == power]
    armies = [f"a{u.strength}" for u in units if u.kind == ARMY]
    fleets = [f"n{u.strength}" for u in units if u.kind != ARMY]
    return f"move {' '.join(armies or fleets or ['all'])} {said[1]} {said[2]}"


# --- what can come next -----------------------------------------------------------------------------------------------


def of_orders(session: Session, verbs: Sequence[str]) -> Guesses:
    """Guesses at an order; what is legal is looked up when the first word stands.

    Args: the open game; first words of orders.
    """
    legal_now: list[list[str]] = []

    def guesses(text: str) -> list[Guess]:
        words = text.casefold().split(" ")
        if len(words) == 1:
            return [Guess(verb) for verb in verbs if verb.startswith(words[0])]
        if not legal_now:
            menu = legal(session.tables, session.live, session.seat)
            legal_now.extend(sorted(order.split(" ") for order in menu.texts()))
        before, last = words[:-1], words[-1]
        words_next = {
            order[len(before)]
            for order in legal_now
            if len(order) > len(before) and all(map(_begins, order, before)) and _begins(order[len(before)], last)
        }
        found = [Guess(word, _meaning(session.tables, word)) for word in sorted(words_next)]
        if before == ["garrison"] and "all".startswith(last) and session.live.phase == "movement":
            found.insert(0, Guess("all", "an army for each Area that lacks one"))
        return found

    return guesses


OTHER_NAMES = {
    "abyssinia": ("ethiopia",),
    "anatolia": ("turkey",),
    "brasil": ("brazil",),
    "formosa": ("taiwan",),
    "kamerun": ("cameroon",),
    "kongo": ("congo",),
    "marocco": ("morocco",),
    "persia": ("iran",),
    "porto_rico": ("puerto rico",),
    "rumania": ("romania",),
    "siam": ("thailand",),
    "soudan": ("sudan",),
    "taureg": ("tuareg",),
    "tchad": ("chad",),
    "tripoli": ("libya",),
}
"""What people look for when they mean an Area that the map spells otherwise."""


def of_places(tables: Tables) -> Guesses:
    """Guesses at a place: by its code first, then by beginnings of its name, then by words in it and other names."""
    places = [*tables.areas, *tables.sea_zones, *(HOME + power for power in tables.homes)]
    named = {place: place_name(tables, place) for place in places}

    def guesses(text: str) -> list[Guess]:
        wanted = text.strip().casefold()
        if not wanted:
            return []
        ranks: list[tuple[int, str]] = []
        for place, name in named.items():
            low = name.casefold()
            if code_of(place).casefold() == wanted:
                ranks.append((0, name))
            elif low.startswith(wanted):
                ranks.append((1, name))
            elif f" {wanted}" in low or any(other.startswith(wanted) for other in OTHER_NAMES.get(place, ())):
                ranks.append((2, name))
        by_name = {name: place for place, name in named.items()}
        return [Guess(name, code_of(by_name[name])) for _, name in sorted(ranks)]

    return guesses


def _begins(word: str, typed: str) -> bool:
    """Whether a word of an order is what was typed: its beginning, or the code of its place."""
    if word.startswith(typed):
        return True
    return _CODE.fullmatch(typed) is not None and code_of(word).casefold() == typed


def _meaning(tables: Tables, word: str) -> str:
    """What a word of the notation means to a person: the name of a place, and its code."""
    if word not in tables.areas and word not in tables.sea_zones:
        return ""
    return f"{place_name(tables, word)} {code_of(word)}"


def completed(text: str, guesses: Sequence[Guess], whole: bool = False) -> str:
    """What has been typed with its last word as far as all guesses agree; with `whole` the line is one word."""
    if not guesses:
        return text
    head, blank, last = ("", "", text) if whole else text.rpartition(" ")
    word = guesses[0].word if len(guesses) == 1 else _common([guess.word for guess in guesses])
    if not word.casefold().startswith(last.casefold()) and len(guesses) > 1:
        return text
    end = " " if len(guesses) == 1 and not whole else ""
    return f"{head}{blank}{word}{end}"


def _common(words: Sequence[str]) -> str:
    """What all words begin with."""
    first = words[0]
    same = (n for n in range(len(first) + 1) if all(word.startswith(first[:n]) for word in words))
    return first[: max(same)]


def shown(guesses: Iterable[Guess]) -> list[str]:
    """Guesses as lines of a list."""
    some = list(guesses)
    width = max((len(guess.word) for guess in some), default=0)
    return [f"{guess.word:<{width}}  {guess.means}".rstrip() for guess in some]
