"""Treaties in words: the line of a list, and the page of one with what each clause is worth just now."""

from __future__ import annotations

from msgspec.structs import replace
from rich.text import Text

from paxtui.engine.refusal import Refusal
from paxtui.pax.clauses.kind import ASLEEP, BROKEN, DUE, KEPT
from paxtui.pax.clauses.kinds import at_once
from paxtui.pax.clauses.wording import say
from paxtui.pax.diplomacy import settlement
from paxtui.pax.state.treaty import CONGRESS, DRAFT, ENDED, IN_FORCE, SETTLEMENT, TREATY, Treaty
from paxtui.pax.treaties import treaty_watch
from paxtui.pax.treaties.treaty_names import display_name
from paxtui.pax.turn import bonuses
from paxtui.pax.words.spoken import power_name
from paxtui.table.session import Session
from paxtui.tui.writing.look import Look
from paxtui.tui.writing.timeline import differences

SIGNS = {
    KEPT: "✓",
    DUE: "!",
    BROKEN: "✗",
    ASLEEP: "z",
}
"""What a clause is just now."""

FORMS = {SETTLEMENT: "settlement", CONGRESS: "before the Congress"}


def in_order(session: Session) -> list[Treaty]:
    """The agreements the seat knows: those that wait for its signature first, then drafts, in force, ended."""
    mine = session.my_powers()
    return sorted(session.state.treaties, key=lambda t: (_rank(t, mine), -t.since, t.name))


def _rank(treaty: Treaty, mine: tuple[str, ...]) -> int:
    if waits_for(treaty, mine):
        return 0
    return {DRAFT: 1, IN_FORCE: 2, ENDED: 3}[treaty.stage]


def waits_for(treaty: Treaty, mine: tuple[str, ...]) -> bool:
    """Whether a draft waits for the signature of one of these Powers."""
    return (
        treaty.stage == DRAFT
        and treaty.form != CONGRESS
        and any(p in treaty.parties and p not in treaty.signed for p in mine)
    )


def treaty_line(session: Session, look: Look, treaty: Treaty) -> Text:
    """One agreement in one line: what it is, its name, its parties with their signatures."""
    mine = session.my_powers()
    stage = "sign?" if waits_for(treaty, mine) else "draft" if treaty.stage == DRAFT else ""
    if treaty.stage == IN_FORCE:
        stage = str(session.tables.turns[max(1, treaty.since) - 1].year)
    elif treaty.stage == ENDED:
        stage = treaty.reason
    out = Text(no_wrap=True, overflow="ellipsis")
    out.append(f"{stage:<10.10} ", look.key if stage == "sign?" else look.faint)
    out.append(look.palette.text(display_name(session.tables, treaty)), "bold" if treaty.stage != ENDED else look.faint)
    form = FORMS.get(treaty.form, "") if treaty.name else ""
    out.append(f" {form}" if form else "", look.faint)
    out.append(
        " secret" if not treaty.public and treaty.stage != ENDED and treaty.form != SETTLEMENT else "", look.faint
    )
    out.append("  ")
    for power in treaty.parties:
        out.append(*look.power(session.tables, power, long=False))
        gone = power in treaty.left
        out.append(look.palette.text("✗ " if gone else "✓ " if power in treaty.signed else "· "), look.faint)
    if any(b.open or not treaty.public for b in treaty.breaches):
        out.append("broken", look.alarm)
    return out


def treaty_page(session: Session, look: Look, treaty: Treaty) -> Text:
    """The whole agreement: parties, articles with what each is worth now, breaches, charges, and what it would do."""
    tables, state = session.tables, session.state
    out = Text()
    out.append(look.palette.text(display_name(tables, treaty)), "bold")
    out.append(f"  {treaty.id}", look.faint)
    out.append(f"  {'public' if treaty.public else 'secret'}", look.faint)
    out.append("\n")
    for power in treaty.parties:
        out.append(*look.power(tables, power))
        word = "left" if power in treaty.left else "signed" if power in treaty.signed else "not signed"
        out.append(f" {word}   ", look.faint)
    out.append("\n")
    for n, clause in enumerate(treaty.clauses):
        worth = treaty_watch.status(tables, state, treaty, n) if treaty.stage == IN_FORCE else ""
        style = look.alarm if worth == BROKEN else look.key if worth == DUE else look.good
        out.append(f"{n + 1:>2} ", look.key)
        if worth:
            out.append(look.palette.text(SIGNS[worth]) + " ", style if worth != ASLEEP else look.faint)
        out.append(look.palette.text(say(tables, clause)))
        if clause.secret:
            out.append(" (secret article)" if n not in treaty.shown else " (was a secret article)", look.faint)
        out.append(
            f" {worth}" if worth else "", style if worth in (BROKEN, DUE) else look.faint
        )
        out.append("\n")
    for breach in treaty.breaches:
        told = treaty_watch.describe_breach(tables, treaty, breach.clause, breach.power, breach.what)
        year = tables.turns[breach.turn - 1].year
        out.append(
            look.palette.text(f"✗ {year}: {told}" + ("" if breach.open else " (nobody else knows)")) + "\n", look.alarm
        )
    for charge in treaty.charges:
        who, whom = power_name(tables, charge.by), power_name(tables, charge.against)
        votes = ", ".join(
            f"{power_name(tables, p)} {'guilty' if g else 'innocent'}" for p, g in charge.verdicts.items()
        )
        out.append(f"{who} charges {whom} with breaking article {charge.clause + 1}: {votes}\n", look.key)
    return out


def points_of(session: Session, look: Look, treaty: Treaty) -> Text:
    """Victory Points that a draft of a Treaty would bring its parties at the end of every Game Turn, once revealed."""
    tables, state, out = session.tables, session.state, Text()
    if treaty.stage != DRAFT or treaty.form != TREATY:
        return out
    bound = replace(treaty, stage=IN_FORCE, signed=treaty.parties, public=True, since=max(1, state.turn))
    after = replace(state, treaties=tuple(bound if t.id == treaty.id else t for t in state.treaties))
    for power in treaty.parties:
        now, then = (sum(points for _, points, _ in bonuses.of_turn(tables, s, power)) for s in (state, after))
        if then != now:
            much = f"{then - now:+d} Victory Point{'s' * (abs(then - now) != 1)} a Game Turn"
            when = "" if treaty.public else ", once revealed"
            out.append_text(look.text(look.power(tables, power), f": {much}{when}\n"))
    return out


def what_it_does(session: Session, look: Look, treaty: Treaty) -> Text:
    """What the world would look like once the agreement is signed, as differences; the reason where it cannot be."""
    now = tuple(c for c in treaty.clauses if at_once(c))
    if not now or treaty.stage != DRAFT:
        return Text()
    out = Text("\nWhat it would change\n", "bold")
    try:
        after = settlement.outcome(session.tables, session.live, now, treaty.form == CONGRESS, treaty.parties)
    except Refusal as refusal:
        out.append(f"It cannot be done now: {refusal.message}\n", look.alarm)
        return out
    out.append_text(differences(session.tables, session.live, after, look))
    raised = after.tension - session.live.tension
    if raised:
        out.append(f"European Tensions rise by {raised}.\n", look.alarm)
    return out
