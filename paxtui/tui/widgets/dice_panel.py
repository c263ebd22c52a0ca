"""The panel with the last dice roll: die, table with row and column highlighted, result. The next key closes it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.combat.results import ratio_label
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.events.turn import COMBAT_RESULTS
from paxtui.games.pax.preview.odds import (
    CombatReport,
    combat_aftermath,
    combat_odds_at,
    combat_reports,
    describe_combat,
    win_chance_text,
)
from paxtui.games.pax.reports.war_changes import BattleReport, battle_aftermath, battle_reports, describe_battle
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import NAVAL
from paxtui.games.pax.text.display import capitalize, place_name, power_name, sentence, the_powers
from paxtui.session.session import Session
from paxtui.tui.base.screen import PlainText
from paxtui.tui.formatting.look import Look

FACES = " ⚀⚁⚂⚃⚄⚅"
LOUD = (
    ev.InitiativeRolled,
    ev.UnitsSurrendered,
    ev.WarDecided,
    ev.RandomEventRolled,
    ev.UnrestBegan,
    ev.RebellionChecked,
    ev.GameEnded,
    ev.DiceRolled,
)
LINE_WIDTH = 66
"""Width of the panel in cells."""
MAX_RESULT_LINES = 10
"""Maximum number of result lines beside the tables. The log has all of them."""


class DicePanel(PlainText):
    """The panel over the map. It opens with a roll and closes at the next redraw."""

    fresh: bool = False
    """True until the first redraw after opening, which must not close the panel."""

    def report(self, text: Text | None) -> None:
        """Show a roll, or nothing."""
        self.display = text is not None
        if text is not None:
            self.update(text)
            self.fresh = True

    def close(self) -> bool:
        """Close the panel at a key press. Return whether it was open."""
        shown, self.fresh, self.display = self.display, False, False
        return bool(shown)

    def put_away(self) -> None:
        """Close the panel at a redraw, unless it has just opened."""
        if self.fresh:
            self.fresh = False
        elif self.display:
            self.display = False


def dice_panel(session: Session, look: Look, events: Sequence[ev.Event], before: State) -> Text | None:
    """Render the panel of the last roll; None if nothing was rolled."""
    out = dice_text(session, look, events, before)
    if not out.plain:
        return None
    out.append(look.palette.text("\n\nany key closes this; it stays in the log"), look.faint)
    return out


def dice_text(session: Session, look: Look, events: Sequence[ev.Event], before: State) -> Text:
    """Render the last roll and its result; empty if nothing was rolled."""
    tables, out = session.tables, Text()
    mine = session.powers()
    combats = [fight for fight in combat_reports(events) if fight.combat.die]
    own = [fight for fight in combats if set(fight.combat.powers) & set(mine)]
    for fight in own[-2:]:
        out.append_text(colonial_combat_text(session, look, fight, before))
    fought = battle_reports(events)
    own_battles = [b for b in fought if set(mine) & {*b.fought.attackers, *b.fought.defenders}]
    for battle in own_battles[-2:]:
        out.append_text(_battle(session, look, battle))
    others = [describe_combat(session.view.narrator, fight, mine).text for fight in combats if fight not in own]
    battles = (battle for battle in fought if battle not in own_battles)
    others += [describe_battle(session.view.narrator, battle, mine).text for battle in battles]
    out.append_text(look.rows(others[-MAX_RESULT_LINES:], LINE_WIDTH))
    office = [e for e in events if isinstance(e, ev.OfficeIncome) and e.die]
    loud = [text for e in events if isinstance(e, LOUD) and (text := session.view.narrator.tell(e))]
    out.append_text(look.rows(loud[-MAX_RESULT_LINES:], LINE_WIDTH))
    if office:
        out.append_text(colonial_office(tables, look, office, session.power))
    out.rstrip()
    return out


def die_face(look: Look, face: int) -> str:
    """Return the face of a die, or its number if the terminal lacks the characters."""
    return f"[{face}]" if look.palette.ascii else f"{FACES[face]} {face}"


def _battle(session: Session, look: Look, report: BattleReport) -> Text:
    """Render a battle of War: both sides, Combat Results Table and results."""
    tables, fought = session.tables, report.fought
    sides = " against ".join(the_powers(tables, side) for side in (fought.attackers, fought.defenders))
    kind = "fleets" if fought.kind == NAVAL else "armies"
    out = Text(f"{place_name(tables, fought.place)}: {kind} of {sides}\n", "bold")
    out.append(f"{fought.attack} against {fought.defend}   Combat Results Table {fought.table}   ", "bold")
    out.append(f"die {die_face(look, fought.die)}\n", "bold")
    out.append_text(_table(tables, look, fought.table, fought.die, fought.column))
    out.append(f"{capitalize(COMBAT_RESULTS[fought.result])} ({fought.result}).\n", look.key)
    out.append_text(look.rows(battle_aftermath(session.view.narrator, report), LINE_WIDTH))
    out.append("\n")
    return out


def colonial_combat_text(session: Session, look: Look, report: CombatReport, before: State) -> Text:
    """Render a Colonial Combat: odds, Combat Results Table and results."""
    out, tables, fight = Text(), session.tables, report.combat
    chance = combat_odds_at(tables, before, fight.area, fight.powers)
    out.append(f"{place_name(tables, fight.area)}: {fight.attack} against {fight.defend}", "bold")
    out.append(f"   odds: {win_chance_text(chance)}\n" if chance.attack == fight.attack else "\n", look.faint)
    out.append(f"Combat Results Table {fight.table}   die {die_face(look, fight.die)}\n", "bold")
    out.append_text(_table(tables, look, fight.table, fight.die, fight.column))
    lines = (sentence(session.view.narrator.tell(fight)), *combat_aftermath(session.view.narrator, report))
    for n, line in enumerate(lines):
        style = look.alarm if line.endswith(" is lost.") else look.good if line.endswith(" is won.") else ""
        out.append_text(look.rows([(line, style or ("bold" if not n else ""))], LINE_WIDTH))
    out.append("\n")
    return out


def _table(tables: Tables, look: Look, number: int, thrown: int, column: str) -> Text:
    """Render a Combat Results Table with the row of the die and the column of the ratio highlighted."""
    labels = [ratio_label(ratio) for ratio in tables.ratios]
    heads = (f"[{label}]" if label == column else label for label in labels)
    out = Text("     " + "".join(f"{head:^6}" for head in heads) + "\n")
    for face, row in enumerate(tables.combat[number], 1):
        mark = ">" if face == thrown else " "
        out.append(f" {mark} {face} ", look.key if face == thrown else look.faint)
        for label, result in zip(labels, row, strict=True):
            here, lit = face == thrown and label == column, face == thrown or label == column
            body = f"[{result}]" if here else result
            out.append(f"{body:^6}", "bold reverse" if here else look.key if lit else look.faint)
        out.append("\n")
    return out


def colonial_office(tables: Tables, look: Look, rolls: Sequence[ev.OfficeIncome], power: str) -> Text:
    """Render the payments of the Colonial Offices: a row for each Power, the die's column marked."""
    out = Text()
    out.append("Colonial Office      1    2    3    4    5    6\n", "bold")
    for roll in rolls:
        row = tables.colonial_office[roll.power]
        out.append(f"{power_name(tables, roll.power):<18}", "bold" if roll.power == power else "")
        for face, amount in enumerate(row, 1):
            body = f"[{amount}]" if face == roll.die else str(amount)
            out.append(f"{body:>5}", look.key if face == roll.die else look.faint)
        plain = row[roll.die - 1] == roll.amount
        out.append("" if plain else f"   £{roll.amount} {roll.explanation}")
        out.append("\n")
    return look.text(out.plain) if look.palette.ascii and not look.palette.colour else out
