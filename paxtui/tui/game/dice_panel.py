"""What the dice said: roll, table with row and column lit, result in words. Small, and gone at the next key."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from paxtui.pax.board.tables import Tables
from paxtui.pax.combat.combat_table import label
from paxtui.pax.history import events as ev
from paxtui.pax.narration.narrate import describe
from paxtui.pax.words.spoken import power_name
from paxtui.tui.panes.look import Look
from paxtui.tui.stage.prose import Prose

FACES = " ⚀⚁⚂⚃⚄⚅"
LOUD = (ev.RandomEventRolled, ev.UnrestBegan, ev.RebellionChecked, ev.GameEnded, ev.DiceRolled)
LATEST = 10
"""Lines that the panel shows at most beside its tables; the log has them all."""


class DicePanel(Prose):
    """The panel over the map: it comes with the dice, and goes when something else is drawn after them."""

    fresh: bool = False
    """Whether it has just come, so that what is drawn with it leaves it."""

    def report(self, text: Text | None) -> None:
        """Show what the dice said, or nothing."""
        self.display = text is not None
        if text is not None:
            self.update(text)
            self.fresh = True

    def put_away(self) -> None:
        """Something is drawn: the panel goes, if it has not just come."""
        if self.fresh:
            self.fresh = False
        elif self.display:
            self.display = False


def dice_panel(tables: Tables, look: Look, events: Sequence[object], power: str) -> Text | None:
    """The panel of what has just been rolled, None where nothing was.

    Args: the tables; colours; the events of an act; the Power at the keyboard, whose own row of a table is lit.
    """
    fights = [e for e in events if isinstance(e, ev.ColonialCombat) and e.die]
    out = Text()
    for fight in fights[-2:]:
        out.append_text(combat(tables, look, fight))
    office = [e for e in events if isinstance(e, ev.OfficeIncome) and e.die]
    loud = [describe(tables, e) for e in events if isinstance(e, LOUD)]
    for line in [text for text in loud if text][-LATEST:]:
        out.append(f"{look.palette.text(line)}\n")
    if office:
        out.append_text(colonial_office(tables, look, office, power))
    out.rstrip()
    return out if out.plain else None


def die(look: Look, face: int) -> str:
    """A die: its face where the signs allow it, else the number."""
    return f"[{face}]" if look.palette.ascii else f"{FACES[face]} {face}"


def combat(tables: Tables, look: Look, fight: ev.ColonialCombat) -> Text:
    """One Colonial Combat on its Combat Results Table."""
    out = Text()
    out.append(f"Combat Results Table {fight.table}   die {die(look, fight.die)}\n", "bold")
    out.append("     " + "".join(_cell(label(r), label(r) == fight.column) for r in tables.ratios) + "\n")
    for face, row in enumerate(tables.combat[fight.table], 1):
        mark = ">" if face == fight.die else " "
        out.append(f" {mark} {face} ", look.key if face == fight.die else look.faint)
        for ratio, result in zip(tables.ratios, row, strict=True):
            here = face == fight.die and label(ratio) == fight.column
            lit = face == fight.die or label(ratio) == fight.column
            body = f"[{result}]".center(6) if here else result.center(6)
            out.append(body, "bold reverse" if here else look.key if lit else look.faint)
        out.append("\n")
    out.append(look.palette.text(describe(tables, fight)) + "\n", "bold")
    return out


def _cell(text: str, lit: bool) -> str:
    return f"[{text}]".center(6) if lit else text.center(6)


def colonial_office(tables: Tables, look: Look, rolls: Sequence[ev.OfficeIncome], power: str) -> Text:
    """What the Colonial Offices paid: the row of each Power, the die's column marked."""
    out = Text()
    out.append("Colonial Office      1    2    3    4    5    6\n", "bold")
    for roll in rolls:
        row = tables.colonial_office[roll.power]
        out.append(f"{power_name(tables, roll.power):<18}", "bold" if roll.power == power else "")
        for face, amount in enumerate(row, 1):
            body = f"[{amount}]" if face == roll.die else str(amount)
            out.append(f"{body:>5}", look.key if face == roll.die else look.faint)
        plain = row[roll.die - 1] == roll.amount
        out.append("" if plain else f"   £{roll.amount} {roll.note}")
        out.append("\n")
    return look.text(out.plain) if look.palette.ascii and not look.palette.colour else out
