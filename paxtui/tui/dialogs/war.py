"""War dialogs: declaration with its forecast, odds of an attack, retreats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType

from paxtui.engine.refusal import Refusal
from paxtui.games.pax import casus_belli
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.actions import Choose
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.narration.labels import describe_question
from paxtui.games.pax.narration.narrator import BAD
from paxtui.games.pax.preview import supply
from paxtui.games.pax.preview.odds import Assault
from paxtui.games.pax.preview.preview import Preview, describe_preview
from paxtui.games.pax.state.diplomacy import CasusBelli
from paxtui.games.pax.state.questions import Pending, WarRetreat
from paxtui.games.pax.text.display import place_name, power_name, powers_text
from paxtui.games.pax.transaction import default_answer, option_texts
from paxtui.games.pax.war import declarations
from paxtui.session.session import Session
from paxtui.tui.base.dialogs import ListDialog
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import next_in_circle
from paxtui.tui.formatting.look import Look

FACE_WIDTH = 5
"""Cells of a die face."""


def odds_heading(tables: Tables, assault: Assault) -> str:
    """Format an attack in one line: the parties, the strengths, the column, the chances."""
    who = powers_text(tables, assault.powers)
    return f"{who}: {assault.attack} against {assault.defend}, {assault.column}"


def odds_chances(assault: Assault) -> str:
    """Format the chances in sixths that no defender and that no attacker remains."""
    return f"clears {assault.wins}/6, fails {assault.fails}/6"


def odds_table(look: Look, assault: Assault) -> Text:
    """Format the row of the table by die face, and each result in words with its losses."""
    out = Text()
    if not assault.table:
        return out
    out.append(f"Table {assault.table}, column {assault.column}\n", look.faint)
    out.append("die    " + "".join(f"{face:<{FACE_WIDTH}}" for face in range(1, 7)) + "\n", look.faint)
    out.append("       ")
    for result in assault.row:
        out.append(f"{result:<{FACE_WIDTH}}", _style(look, assault, result))
    out.append("\n")
    for prospect in assault.prospects:
        out.append(f"{prospect.faces} of 6  ", look.key)
        out.append(f"{prospect.result:<3} {prospect.text}\n", _style(look, assault, prospect.result))
    out.rstrip()
    return out


def _style(look: Look, assault: Assault, result: str) -> str:
    prospect = next(p for p in assault.prospects if p.result == result)
    if prospect.clears and prospect.ours < assault.force:
        return look.good
    if result == "AR" or prospect.ours >= assault.force:
        return look.alarm
    return ""


class AttackScreen(ListDialog[bool | None]):
    """Show the odds of an attack; return True if it is ordered.

    Args:
        tables: the tables of the game.
        title: the place and the units.
        assaults: the attack with each set of allies that may join, the largest force first.
    """

    TOPIC = "attack"
    list_id, detail_id = "assaults", "odds"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("attack.close", "escape,q", "close", "Close", "Do not attack"),
    ]

    def __init__(self, tables: Tables, title: str, assaults: Sequence[Assault]) -> None:
        super().__init__()
        self._tables, self.title_text, self._assaults = tables, title, tuple(assaults)

    def lines(self) -> Iterable[Text]:
        return (self._line(assault) for assault in self._assaults)

    def hints(self) -> str:
        asked = ", allies there are asked" if len(self._assaults) > 1 else ""
        return f"Enter attack{asked} · ↑ ↓ other allies · {{attack.close}} cancel"

    def _line(self, assault: Assault) -> Text:
        text = Text(f"{odds_heading(self._tables, assault)}   ", no_wrap=True, overflow="ellipsis")
        text.append(odds_chances(assault), self.look.key)
        if assault.aside:
            text.append(f"   without {powers_text(self._tables, assault.aside)}", self.look.faint)
        return self.look.signs(text)

    def detail(self, row: int) -> Text:
        return odds_table(self.look, self._assaults[row])

    def choose(self, row: int) -> None:
        self.dismiss(True)


LINE_WIDTH = 84
"""Maximum width of a line in cells."""
FRAME_CELLS = 10
"""Cells of frame and padding."""


class DeclareScreen(ListDialog[actions.DeclareWar | None]):
    """The enemies of a declaration of War, and its consequences; `y` declares."""

    TOPIC = "declare"
    title_text = "Declare War"
    hint_text = "{declare.tick} add or remove a Power · {declare.yes} declare War · {declare.close} cancel"
    list_id, detail_id = "causes", "foretold"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("declare.close", "escape,q", "close", "Close", "Declare nothing"),
        bind("declare.tick", "space", "tick", "Select", "Add or remove this Power"),
        bind("declare.yes", "y", "declare", "Declare", "Declare War"),
    ]

    def __init__(self, session: Session, begun: actions.DeclareWar) -> None:
        super().__init__()
        self._session, self._power, self._beside = session, begun.power, begun.beside
        holder = begun.power or session.seat
        self._forecast = Text()
        self._causes = declarations.usable_causes(session.tables, session.live, holder)
        named = [n for n, c in enumerate(self._causes) if c.against in begun.on]
        over = [n for n in named if self._causes[n].id in begun.over]
        self.ticked = set((over or named)[:1])
        self.first = min(self.ticked, default=0)

    @property
    def order(self) -> actions.DeclareWar:
        """Return the current declaration."""
        chosen = [c for n, c in enumerate(self._causes) if n in self.ticked]
        on = tuple(dict.fromkeys(c.against for c in chosen))
        several = any(sum(c.against == power for c in self._causes) > 1 for power in on)
        return actions.DeclareWar(on, tuple(c.id for c in chosen) if several else (), self._power, self._beside)

    def lines(self) -> Iterable[Text]:
        return (self._line(n, cause) for n, cause in enumerate(self._causes))

    def fill(self, row: int | None) -> None:
        super().fill(row)
        self._forecast = self._forecast_text()

    def detail(self, row: int) -> Text:
        """Return the consequences of the ticked causes."""
        return self._forecast

    def _line(self, n: int, cause: CasusBelli) -> Text:
        look, tables = self.look, self._session.tables
        out = Text(no_wrap=True, overflow="ellipsis").append_text(self.tick_text(n))
        out.append(power_name(tables, cause.against), f"bold {look.ink(cause.against)}".strip())
        out.append(f"   {casus_belli.describe_cause(tables, cause)}", look.faint)
        return look.signs(out)

    def _forecast_text(self) -> Text:
        """Return the forecast of the declaration, or its refusal."""
        s, order = self._session, self.order
        if not order.on:
            return Text("No Power is selected.", self.look.faint)
        seen = s.preview(order)
        if isinstance(seen, Refusal):
            return Text(seen.message, self.look.alarm)
        return forecast_lines(s, self.look, seen, min(LINE_WIDTH, self.app.size.width - FRAME_CELLS))

    def action_tick(self) -> None:
        self.tick(self.row)

    def choose(self, row: int) -> None:
        """Ignore Enter: a declaration of War needs `y`."""
        self.notify(self.format_keys("{declare.yes} declares War, {declare.close} cancels."), timeout=4)

    def action_declare(self) -> None:
        if self.order.on:
            self.dismiss(self.order)


def forecast_lines(session: Session, look: Look, seen: Preview, width: int) -> Text:
    """Format the effects of an action in War, a row for each sentence; highlight dangers."""
    lines = describe_preview(session.tables, session.live, session.seat, seen)
    out = look.rows(((f"• {line.text}", look.alarm if line.tone == BAD else "") for line in lines), width)
    out.rstrip()
    return out


class RetreatScreen(ListDialog[Choose | None]):
    """Units that must retreat: Left and Right choose the place, Enter confirms all."""

    TOPIC = "retreat"
    list_id, detail_id = "units", "barred"
    hides_empty_detail = True
    hint_text = (
        "{retreat.before} {retreat.next} where to · {retreat.all} all there · Enter retreat · {retreat.close} later"
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("retreat.close", "escape", "close", "Later", "Answer later"),
        bind("retreat.next", "right,space", "turn(1)", "Next place", "Next place for this Unit"),
        bind("retreat.before", "left", "turn(-1)", "Previous place", "Previous place for this Unit"),
        bind("retreat.all", "a", "all", "All there", "All Units that can go to the same place"),
    ]

    def __init__(self, session: Session, choice: Pending) -> None:
        super().__init__()
        self._session, self._choice = session, choice
        self.title_text = describe_question(session.tables, choice)
        assert isinstance(choice.about, WarRetreat)
        self._units = choice.about.units
        self._places = {
            name: [text for text in option_texts(choice) if text.split()[0] == name] for name in self._units
        }
        left = list(default_answer(choice))
        self._sent: list[str] = []
        self._unsupplied: frozenset[str] | Refusal = frozenset()
        for name in self._units:
            text = next((t for t in left if t.split()[0] == name), self._places[name][0])
            if text in left:
                left.remove(text)
            self._sent.append(text)

    def lines(self) -> Iterable[Text]:
        s = self._session
        self._unsupplied = supply.unsupplied_places(s.tables, s.live, self._choice, tuple(self._sent))
        units = zip(self._units, self._sent, strict=True)
        return [self._line(name, text, self._unsupplied) for name, text in units]

    def detail(self, row: int) -> Text:
        refusal = self._unsupplied
        return Text(refusal.message if isinstance(refusal, Refusal) else "", self.look.alarm)

    def _line(self, name: str, text: str, unsupplied: frozenset[str] | Refusal) -> Text:
        s, look = self._session, self.look
        end = supply.retreat_end(s.tables, text)
        several = self._places[name]
        out = Text(f"{name:<4}→ {place_name(s.tables, end)}   ")
        if not isinstance(unsupplied, Refusal):
            out.append(*(("! out of supply", look.alarm) if end in unsupplied else ("in supply", look.good)))
        out.append(f"   {several.index(text) + 1} of {len(several)}", look.faint)
        return look.signs(out)

    def action_turn(self, step: int) -> None:
        row = self.row
        if row is not None:
            several = self._places[self._units[row]]
            self._sent[row] = next_in_circle(several, self._sent[row], step)
            self.fill(row)

    def action_all(self) -> None:
        row = self.row
        if row is None:
            return
        tables = self._session.tables
        wanted = supply.retreat_end(tables, self._sent[row])
        for n, name in enumerate(self._units):
            same = (text for text in self._places[name] if supply.retreat_end(tables, text) == wanted)
            self._sent[n] = next(same, self._sent[n])
        self.fill(row)

    def choose(self, row: int) -> None:
        self.dismiss(Choose(self._choice.id, tuple(self._sent)))
