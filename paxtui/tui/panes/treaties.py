"""Causes of war by holder, offers that wait for an answer, and Treaties with what each article is worth now."""

from __future__ import annotations

from rich.text import Text

from paxtui.pax.clauses.kind import ASLEEP, BROKEN, DUE
from paxtui.pax.clauses.wording import say
from paxtui.pax.diplomacy import ways_out
from paxtui.pax.play import casus_belli
from paxtui.pax.state.treaty import ENDED, IN_FORCE
from paxtui.pax.treaties import treaty_watch
from paxtui.pax.words.spoken import place_name
from paxtui.table.session import Session
from paxtui.tui.writing.look import Look
from paxtui.tui.writing.treaty_text import SIGNS, in_order, treaty_line


def treaties(session: Session, look: Look, width: int) -> Text:
    """Causes of war by holder, offers that wait for an answer, and treaties."""
    tables, state = session.tables, session.state
    out = Text()
    out.append("Casus Belli\n", "bold")
    for cause in state.casus_belli:
        where = f" over {place_name(tables, cause.area)}" if cause.area else ""
        out.append_text(
            look.text(
                (f"⚔ {cause.id} ", look.key),
                look.power(tables, cause.holder),
                " against ",
                look.power(tables, cause.against),
                f"{where} ",
                (f"[{cause.rule}]", look.faint),
                (" reconstructed\n" if casus_belli.reconstructed(tables, cause) else "\n", look.faint),
            )
        )
        if {cause.holder, cause.against} & set(session.my_powers()):
            for way in ways_out.remedies(tables, state, cause):
                out.append(f"  • {way}\n", look.faint)
    if not state.casus_belli:
        out.append("Nobody has one.\n", look.faint)
    offers = [c for c in state.choices if c.about.private]
    out.append("\nOffers\n", "bold")
    for offer in offers:
        out.append_text(look.text((f"{offer.id} ", look.key), look.power(tables, offer.power), f": {offer.prompt}\n"))
    if not offers:
        out.append("None.\n", look.faint)
    out.append_text(agreements(session, look))
    return out


def agreements(session: Session, look: Look) -> Text:
    """Drafts that wait, Treaties in force with what each article is worth now; ended ones are in the archive."""
    known = [t for t in in_order(session) if t.stage != ENDED]
    out = Text()
    out.append("\nTreaties and proposals\n", "bold")
    for treaty in known:
        out.append_text(treaty_line(session, look, treaty))
        out.append("\n")
        for n, clause in enumerate(treaty.clauses if treaty.stage == IN_FORCE else ()):
            worth = treaty_watch.status(session.tables, session.state, treaty, n)
            loud = worth in (BROKEN, DUE)
            out.append(f"  {n + 1} {SIGNS[worth]} ", look.alarm if loud else look.faint)
            out.append(say(session.tables, clause) + "\n", "" if worth != ASLEEP else look.faint)
    if not known:
        out.append("None that you know of.\n", look.faint)
    return out
