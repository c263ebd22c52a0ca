"""What an act would bring, as it is written on the screen: signs in a line, sentences below it.

A gain has `▴` and the colour of what goes well, a loss `▾` and that of alarm: no palette needs its colours for it.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from paxtui.pax.board.status import powers_of
from paxtui.pax.reports.foresight import Foresight
from paxtui.pax.reports.foretold import told
from paxtui.pax.reports.page import BAD, GOOD, Told
from paxtui.table.session import Session
from paxtui.tui.colours.palette import CASUS_BELLI, LETTERS
from paxtui.tui.writing.look import GAIN, LOSS, Look


def income(look: Look, pounds: int) -> Text:
    """A change of line 22, with its sign; blank for none."""
    if not pounds:
        return Text()
    return Text(f"{GAIN if pounds > 0 else LOSS}{abs(pounds)}", look.good if pounds > 0 else look.alarm)


def effects(session: Session, look: Look, seen: Foresight) -> Text:
    """Everything but price and income in signs: `▾⚔FR ▾tension 1 ▴15 VP`."""
    mine = powers_of(session.tables, session.live, session.seat)
    pieces: list[tuple[bool, str]] = []
    if seen.great_war:
        pieces.append((False, "Great War"))
    against = [LETTERS.get(c.holder, c.holder[:2].upper()) for c in seen.causes if c.against in mine]
    if against:
        pieces.append((False, CASUS_BELLI + " ".join(dict.fromkeys(against))))
    held = [LETTERS.get(c.against, c.against[:2].upper()) for c in seen.causes if c.holder in mine]
    if held:
        pieces.append((True, CASUS_BELLI + " ".join(dict.fromkeys(held))))
    if seen.perils:
        pieces.append((False, "supply"))
    if seen.breaches:
        pieces.append((False, "breach"))
    if seen.tension > 0:
        pieces.append((False, f"tension {seen.tension}"))
    china = seen.resentment + seen.yearly_resentment
    if china:
        pieces.append((china < 0, f"China {abs(china)}"))
    points = seen.points + seen.points_at_end
    if points:
        pieces.append((points > 0, f"{abs(points)} VP"))
    if seen.ottoman_war:
        pieces.append((False, "Ottoman War"))
    if seen.ungarrisoned:
        pieces.append((False, "no army"))
    if seen.garrisoned:
        pieces.append((True, "garrison"))
    if seen.odds:
        pieces.append((seen.odds.wins > 3, f"wins {seen.odds.wins}/6"))
    out = Text()
    for good, what in pieces:
        out.append(" " if out else "")
        out.append((GAIN if good else LOSS) + what, look.good if good else look.alarm)
    return out


def sentences(session: Session, look: Look, seen: Foresight) -> Text:
    """Everything in sentences, one after the other, each in its colour and with its sign."""
    lines = told(session.tables, session.live, session.seat, seen)
    if seen.income:
        lines.insert(0, Told(f"Income (line 22) {seen.income:+d} a Game Turn.", tone=GOOD if seen.income > 0 else BAD))
    return _joined(look, [f"Costs £{seen.price}."] if seen.price > 0 else [], lines)


def consequences(session: Session, look: Look, seen: Foresight) -> Text:
    """The same without price and income."""
    return _joined(look, (), told(session.tables, session.live, session.seat, seen))


def _joined(look: Look, plain: Iterable[str], lines: Iterable[Told]) -> Text:
    out = Text(" ".join(plain))
    for line in lines:
        out.append(" " if out else "")
        sign = {GOOD: GAIN, BAD: LOSS}.get(line.tone, "")
        style = {GOOD: look.good, BAD: look.alarm}.get(line.tone, "")
        out.append(f"{sign} {line.text}".lstrip(), style)
    return out
