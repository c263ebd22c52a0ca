"""The input line for orders and place search, with a list of completions that are legal now."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from rich.text import Text
from textual import on
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input

from paxtui.games.pax.actions.dispatches import DISPATCH
from paxtui.games.pax.actions.notation import ORDERS
from paxtui.games.pax.board.status import area_state
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.state.pieces import ARMY
from paxtui.games.pax.text.display import place_name
from paxtui.games.pax.text.parsing import name_index, place_text
from paxtui.session.place_names import OTHER_NAMES
from paxtui.session.session import Session
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import TextPanel
from paxtui.tui.formatting.look import Look, wrap_hanging
from paxtui.tui.map.geometry import load_atlas

FREE = (DISPATCH, "proclaim", "draft", "amend", "propose")
"""Orders with free text, in which no place codes are expanded."""

_CODE = re.compile(r"[A-Za-z]{3}")


class Completion(NamedTuple):
    """A possible next word and its meaning for a player."""

    word: str
    means: str = ""


Completer = Callable[[str], list[Completion]]
"""Returns the completions of the last word of the input."""


def places_by_code() -> dict[str, str]:
    """Return the place of each code on the map."""
    return {place.code: place.id for place in load_atlas().places.values()}


def place_code(place: str) -> str:
    """Return the map code of a place; "" if it has none."""
    found = load_atlas().places.get(place)
    return found.code if found is not None else ""


# --- input to notation -----------------------------------------------------------------------------------------------


def to_notation(session: Session, text: str) -> str:
    """Expand map codes to ids, and `all` to Units.

    A code counts only if the word is no name of the notation and no prefix of several names.
    """
    verb = text.split(None, 1)[0].casefold() if text.split() else ""
    if verb in FREE:
        return text
    known, names = places_by_code(), name_index(session.tables).places

    def place(found: re.Match[str]) -> str:
        word = found.group()
        id_ = known.get(word.upper(), "")
        return word if not id_ or len(names.among(word)) == 1 else place_text(id_)

    head, _, rest = text.partition(" ")
    out = f"{head} " + re.sub(r"(?<![\w'])[A-Za-z]{3}(?![\w'])", place, rest) if rest else text
    return _all_units(session, out) if verb == "move" else out


def split_order(text: str) -> list[str]:
    """Split a line into orders: a marker in several Areas, separated by commas, is one order for each."""
    match = re.fullmatch(r"\s*((?:place|upgrade)\s+\w+)\s+(.+)", text, re.IGNORECASE)
    areas = [area.strip() for area in match[2].split(",")] if match else []
    return [f"{match[1]} {area}" for area in areas if area] if match else [text]


def _all_units(session: Session, text: str) -> str:
    """Expand `move all HERE > THERE` to the armies at the place, or to the fleets if there are no armies."""
    match = re.fullmatch(r"\s*move\s+all\s+(.+?)\s*(>.*)", text, re.IGNORECASE)
    if match is None:
        return text
    here = name_index(session.tables).places.find(match[1])
    state, power = session.live, session.power
    home = power if here == "home" else here.removeprefix(HOME) if here.startswith(HOME) else ""
    units = [u for u in (state.homes.get(home, ()) if home else area_state(state, here).units) if u.power == power]
    armies = [f"a{u.strength}" for u in units if u.kind == ARMY]
    fleets = [f"n{u.strength}" for u in units if u.kind != ARMY]
    return f"move {' '.join(armies or fleets or ['all'])} {match[1]} {match[2]}"


# --- completions ------------------------------------------------------------------------------------------------------


def order_completions(session: Session, verbs: Sequence[str]) -> Completer:
    """Return the completer for orders. It looks up legal orders when the first word is complete."""
    legal_now: list[list[str]] = []

    def guesses(text: str) -> list[Completion]:
        words = text.casefold().split(" ")
        if len(words) == 1:
            return [Completion(verb) for verb in verbs if verb.startswith(words[0])]
        if not legal_now:
            menu = legal_actions(session.tables, session.live, session.seat)
            legal_now.extend(sorted(order.split(" ") for order in menu.texts()))
        before, last = words[:-1], words[-1]
        words_next = {
            order[len(before)]
            for order in legal_now
            if len(order) > len(before) and all(map(_begins, order, before)) and _begins(order[len(before)], last)
        }
        found = [Completion(word, _meaning(session.tables, word)) for word in sorted(words_next)]
        if before == ["garrison"] and "all".startswith(last) and session.live.phase == "movement":
            found.insert(0, Completion("all", "an army for each Area without one"))
        return found

    return guesses


def place_completions(tables: Tables) -> Completer:
    """Return matching places: by code, then by the start of the name, then by inner words and other names."""
    places = [*tables.areas, *tables.sea_zones, *(HOME + power for power in tables.homes)]
    named = {place: place_name(tables, place) for place in places}

    def guesses(text: str) -> list[Completion]:
        wanted = text.strip().casefold()
        if not wanted:
            return []
        ranks: list[tuple[int, str]] = []
        for place, name in named.items():
            low = name.casefold()
            if place_code(place).casefold() == wanted:
                ranks.append((0, name))
            elif low.startswith(wanted):
                ranks.append((1, name))
            elif f" {wanted}" in low or any(other.startswith(wanted) for other in OTHER_NAMES.get(place, ())):
                ranks.append((2, name))
        by_name = {name: place for place, name in named.items()}
        return [Completion(name, place_code(by_name[name])) for _, name in sorted(ranks)]

    return guesses


def _begins(word: str, typed: str) -> bool:
    """Return whether the input is a prefix of a word of an order, or the code of its place."""
    if word.startswith(typed):
        return True
    return _CODE.fullmatch(typed) is not None and place_code(word).casefold() == typed


def _meaning(tables: Tables, word: str) -> str:
    """Return what a word of the notation means: for a place its name and code."""
    if word not in tables.areas and word not in tables.sea_zones:
        return ""
    return f"{place_name(tables, word)} {place_code(word)}"


def complete_line(text: str, guesses: Sequence[Completion], whole: bool = False) -> str:
    """Return the input with its last word completed as far as all completions agree. `whole`: the line is one word."""
    if not guesses:
        return text
    head, blank, last = ("", "", text) if whole else text.rpartition(" ")
    word = guesses[0].word if len(guesses) == 1 else _common([guess.word for guess in guesses])
    if not word.casefold().startswith(last.casefold()) and len(guesses) > 1:
        return text
    end = " " if len(guesses) == 1 and not whole else ""
    return f"{head}{blank}{word}{end}"


def _common(words: Sequence[str]) -> str:
    """Return the common prefix of all words."""
    first = words[0]
    same = (n for n in range(len(first) + 1) if all(word.startswith(first[:n]) for word in words))
    return first[: max(same)]


def completion_lines(guesses: Iterable[Completion]) -> list[str]:
    some = list(guesses)
    width = max((len(guess.word) for guess in some), default=0)
    return [f"{guess.word:<{width}}  {guess.means}".rstrip() for guess in some]


ORDER, PLACE = "command", "find"
"""Purposes of the line, and names of the help pages about them."""

ARBITERS = ("advance", "advance!", "step", "position", "abandon", "resume")
"""Orders of the arbiter in the engine protocol. Here the game advances by itself."""

SEAT_WORD = "seat"
"""Additional command: switch to another seat."""

DICE_WORD = "word"
"""Command with which a player contributes a word for fair dice."""

FIRST_WORDS = (*(verb for verb in ORDERS if verb not in ARBITERS), SEAT_WORD)
"""First words of orders."""

MAX_COMPLETIONS = 8
"""Maximum number of visible completions."""
EFFECT_WIDTH = 100
"""Width in cells of the row with the effect of an order."""


class CompletionList(TextPanel):
    """The list above the line: completions of the last word, with the one that Tab selects highlighted."""

    _room = 0, 0
    """Rows and cells of the list."""

    def tell(self, guesses: list[Completion], at: int, look: Look, brings: Text) -> None:
        """Show completions and the effect of the order.

        Args: the completions; index of the highlighted one, -1 for none; the look; the effect of a complete order.
        """
        if not (guesses or brings):
            self.display = False
            return
        first = max(0, min(at - MAX_COMPLETIONS // 2, len(guesses) - MAX_COMPLETIONS))
        out = Text(no_wrap=True, overflow="ellipsis")
        for n, line in enumerate(completion_lines(guesses)[first : first + MAX_COMPLETIONS], first):
            out.append(look.palette.text(line) + "\n", f"{look.key} reverse" if n == at else "")
        if len(guesses) > MAX_COMPLETIONS:
            out.append(f"{len(guesses)} in all; Tab shows the next", look.faint)
        elif guesses:
            out.append("Tab completes", look.faint)
        if brings:
            out.append("\n" if guesses else "")
            out.append_text(wrap_hanging(brings, min(EFFECT_WIDTH, self.app.size.width - 4), 0))
        self.set_class(not guesses, "-effect")
        lines = out.plain.split("\n")
        room = len(lines), max(map(cell_len, lines))
        # no layout if the size of the list is unchanged
        self.update(out, layout=room != self._room or not self.display)
        self._room, self.display = room, True


class OrderLine(Input):
    """The input line, with a history of orders."""

    virtual_size: reactive[Size] = reactive(Size(0, 0))
    """Size of the input. Unlike in Textual's Input a keystroke causes no new layout."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("line.complete", "tab", "complete(1)", "Complete", "Complete the word, or show the next one"),
        bind("line.complete_back", "shift+tab", "complete(-1)", "Previous guess", "Show the previous completion"),
    ]

    class Entered(Message):
        """Input was entered. `asks` is its purpose, ORDER or PLACE."""

        def __init__(self, text: str, asks: str) -> None:
            super().__init__()
            self.text, self.asks = text, asks

    class Guessed(Message):
        """The completions changed. `at`: index of the completion in the line, or -1."""

        def __init__(self, guesses: list[Completion], at: int) -> None:
            super().__init__()
            self.guesses, self.at = guesses, at

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, compact=True)
        self.asks = ""
        self.given: list[str] = []
        self._recalled = 0
        self._guesses: Completer = lambda text: []
        self._walk: tuple[str, list[Completion], int] | None = None  # input, its completions, index of the current one
        self._walked = ""

    def ask_order(self, session: Session, verb: str = "") -> None:
        """Open the line for an order that begins with `verb`."""
        self.placeholder = "order: place influence egypt"
        self._guesses = order_completions(session, FIRST_WORDS)
        self._ask(ORDER, f"{verb} " if verb else "")

    def ask_place(self, session: Session) -> None:
        self.placeholder = "find: egy"
        self._guesses = place_completions(session.tables)
        self._ask(PLACE, "")

    def _ask(self, asks: str, value: str) -> None:
        self.asks = asks
        self.select_on_focus = not value  # typing keeps the initial word
        self.value = value
        self.cursor_position = len(value)
        self._guess()

    # --- completions --------------------------------------------------------------------------------------------------

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self.value != self._walked:
            self._guess()

    def _guess(self) -> None:
        """Show the completions of the last word."""
        self._walk, self._walked = None, ""
        self.post_message(self.Guessed(self._guesses(self.value) if self.asks == PLACE or self.value else [], -1))

    def action_complete(self, step: int) -> None:
        """Complete the last word as far as all completions agree, then cycle through them."""
        whole = self.asks == PLACE
        if self._walk is None:
            guesses = self._guesses(self.value)
            longer = complete_line(self.value, guesses, whole)
            if longer.casefold() != self.value.casefold() or not guesses:
                self._put(longer)
                return
            self._walk = self.value, guesses, -1 if step > 0 else 0
        typed, guesses, at = self._walk
        at = (at + step) % len(guesses)
        self._walk = typed, guesses, at
        self._walked = complete_line(typed, [guesses[at]], whole).rstrip()
        self._put(self._walked)
        self.post_message(self.Guessed(guesses, at))

    def _put(self, text: str) -> None:
        self.value = text
        self.cursor_position = len(text)

    def best(self, text: str) -> str:
        """Return the first completion of the whole line; "" if there is none."""
        guesses = self._guesses(text)
        return guesses[0].word if guesses else ""

    # --- history ----------------------------------------------------------------------------------------------------

    def remember(self, text: str) -> None:
        """Add an order to the history."""
        self.given.append(text)
        self._recalled = len(self.given)

    def recall(self, step: int) -> None:
        """Show the previous (-1) or next (1) order of the history."""
        if self.given:
            self._recalled = max(0, min(len(self.given), self._recalled + step))
            self.value = self.given[self._recalled] if self._recalled < len(self.given) else ""
            self.cursor_position = len(self.value)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Entered(event.value.strip(), self.asks))
