"""Treaties in lines: drafts with who has signed, Treaties in force with what each article is worth just now."""

from __future__ import annotations

from paxtui.cli.plain.told.text import listed, spoken
from paxtui.pax.clauses.wording import say
from paxtui.pax.narration.known import title
from paxtui.pax.state.treaty import DRAFT, ENDED, IN_FORCE, Treaty
from paxtui.pax.treaties import treaty_watch
from paxtui.pax.words.spoken import power_name, sentence
from paxtui.table.session import Session


def agreements(session: Session) -> list[str]:
    """Every draft and every Treaty in force that the seat knows."""
    known = [t for t in session.state.treaties if t.stage != ENDED]
    return [line for treaty in known for line in _told(session, treaty)] or ["No Treaty and no draft that you know of."]


def _told(session: Session, treaty: Treaty) -> list[str]:
    tables, state = session.tables, session.state
    parties = listed([power_name(tables, p) for p in treaty.parties])
    stage = "draft" if treaty.stage == DRAFT else "in force"
    out = [sentence(f"{treaty.id}: {title(tables, treaty)}, {stage}, between {parties}")]
    if treaty.stage == DRAFT:
        unsigned = [power_name(tables, p) for p in treaty.parties if p not in treaty.signed]
        out.append(f"  It waits for {listed(unsigned, 'nobody')} to sign.")
    for n, clause in enumerate(treaty.clauses):
        worth = f", {treaty_watch.status(tables, state, treaty, n)}" if treaty.stage == IN_FORCE else ""
        out.append(f"  Article {n + 1}{worth}: {spoken(say(tables, clause))}")
    return out
