"""Reports as text: effects of an action, pages of a report, Treaties with the value of each clause, charts.

A gain has `▴` and the colour of success, a loss `▾` and the colour of warnings: signs suffice without colours.
"""

from __future__ import annotations

from msgspec.structs import replace
from rich.text import Text

from paxtui.charts.chart import Chart
from paxtui.charts.terminal import ALARM, BOLD, KEY, ON, draw_chart
from paxtui.charts.terminal import FAINT as terminal_FAINT
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.kind import BROKEN, DUE, HOLDS, KEPT, OVER
from paxtui.games.pax.clauses.notation import describe_clause
from paxtui.games.pax.clauses.registry import is_immediate
from paxtui.games.pax.diplomacy import settlement
from paxtui.games.pax.narration.narrator import BAD, GOOD, ReportLine, ReportPage
from paxtui.games.pax.preview.preview import Preview, describe_preview
from paxtui.games.pax.state.diplomacy import CONGRESS, DRAFT, ENDED, IN_FORCE, SETTLEMENT, TREATY, Treaty
from paxtui.games.pax.text.display import power_name, powers_text
from paxtui.games.pax.treaties import breaches
from paxtui.games.pax.treaties.conflicts import contradicted_treaty
from paxtui.games.pax.treaties.lookup import display_name
from paxtui.games.pax.turn import victory
from paxtui.session.session import Session
from paxtui.tui.colors import CASUS_BELLI, letters_of
from paxtui.tui.formatting.look import GAIN, LOSS, Look, colour_powers, format_change, wrap_hanging
from paxtui.tui.formatting.timeline import differences


def income_text(look: Look, pounds: int) -> Text:
    """Format a change of line 22 with its sign; empty for zero."""
    if not pounds:
        return Text()
    return Text(f"{GAIN if pounds > 0 else LOSS}{abs(pounds)}", look.good if pounds > 0 else look.alarm)


def effect_signs(session: Session, look: Look, seen: Preview) -> Text:
    """Format all effects but price and income as signs: `▾⚔FR ▾tension 1 ▴15 VP`."""
    mine = powers_of(session.tables, session.live, session.seat)
    against = dict.fromkeys(letters_of(c.holder) for c in seen.causes if c.against in mine)
    held = dict.fromkeys(letters_of(c.against) for c in seen.causes if c.holder in mine)
    china, points = seen.resentment + seen.yearly_resentment, seen.points + seen.points_at_end
    wins = seen.odds.wins if seen.odds else 0
    out = Text()
    for is_shown, is_good, what in (
        (seen.great_war, False, "Great War"),
        (against, False, CASUS_BELLI + " ".join(against)),
        (held, True, CASUS_BELLI + " ".join(held)),
        (seen.perils, False, "supply"),
        (seen.breaches, False, "breach"),
        (seen.tension > 0, False, f"tension {seen.tension}"),
        (china, china < 0, f"China {abs(china)}"),
        (points, points > 0, f"{abs(points)} VP"),
        (seen.ottoman_war, False, "Ottoman War"),
        (seen.ungarrisoned, False, "no army"),
        (seen.garrisoned, True, "garrison"),
        (seen.odds, wins > 3, f"wins {wins}/6"),
    ):
        if is_shown:
            out.append(" " if out else "")
            out.append((GAIN if is_good else LOSS) + what, look.good if is_good else look.alarm)
    return out


def effect_sentences(session: Session, look: Look, seen: Preview) -> Text:
    """Format all effects as sentences, each with its sign and colour."""
    lines = describe_preview(session.tables, session.live, session.seat, seen)
    if seen.income:
        income = f"Income (line 22) {seen.income:+d} a Game Turn."
        lines.insert(0, ReportLine(income, tone=GOOD if seen.income > 0 else BAD))
    out = Text(f"Costs £{seen.price}." if seen.price > 0 else "")
    for line in lines:
        out.append(" " if out else "")
        sign = {GOOD: GAIN, BAD: LOSS}.get(line.tone, "")
        out.append(f"{sign} {line.text}".lstrip(), look.tone(line.tone))
    return out


LINE_KEYS = "abcdefhijklmnoprstuvxyzABCDEFHIJKLMNOPRSTUVXYZ"
"""Keys of the places on a page, in order; without q (closes the page), w (opens it again) and g (asks for advice)."""


def line_targets(page: ReportPage) -> dict[str, str]:
    """Map keys to the places of the lines, as far as the letters suffice."""
    return dict(zip(LINE_KEYS, page.places(), strict=False))


def report_text(tables: Tables, look: Look, page: ReportPage, width: int) -> Text:
    """Format a page in the given width in cells."""
    out = Text()
    if page.standings:
        out.append("Victory Points\n", "bold")
        name = max(len(tables.powers[s.seat].name) for s in page.standings)
        for s in page.standings:
            row = look.text(f"   {s.rank:>2}  ", look.power(tables, s.seat))
            row.append(" " * (name - len(tables.powers[s.seat].name)))
            row.append(f" {s.total:>5}  ", "bold")
            style = look.good if s.gained > 0 else look.alarm if s.gained < 0 else look.faint
            row.append(f"{format_change(s.gained) or '·':>4}", style)
            row.append(f"  {s.why}" if s.why else "", look.faint)
            out.append_text(wrap_hanging(row, width, name + 20))
            out.append("\n")
        out.append("\n")
    keys = iter(LINE_KEYS)
    for section in page.sections:
        out.append(f"{section.title}\n", "bold")
        for line in section.lines:
            out.append_text(_line(tables, look, line, next(keys, "") if line.place else "", width))
            out.append("\n")
        out.append("\n")
    out.rstrip()
    return look.signs(out)


def _line(tables: Tables, look: Look, line: ReportLine, key: str, width: int) -> Text:
    text = Text(f" {key or ' '} ", look.key if key else "")
    text.append(line.text, look.tone(line.tone))
    return wrap_hanging(text if line.tone == BAD else colour_powers(tables, look, text), width, 3)


SIGNS = {
    KEPT: "✓",
    DUE: "!",
    BROKEN: "✗",
    HOLDS: "·",
    OVER: "·",
}
"""Signs for the status of a clause."""

FORMS = {SETTLEMENT: "settlement", CONGRESS: "before the Congress"}


def sorted_treaties(session: Session) -> list[Treaty]:
    """Return the agreements that the seat knows: to be signed, drafts, in force, ended.

    Drafts that nobody can sign any more are left out: those of earlier Game Turns, and those of others.
    """
    mine, turn = session.powers(), session.state.turn
    shown = [
        t
        for t in session.state.treaties
        if not (t.stage == ENDED and t.since == 0 and (t.drafted < turn or not set(t.parties) & set(mine)))
    ]
    return sorted(shown, key=lambda t: (_rank(t, mine), -t.since, t.name))


def _rank(treaty: Treaty, mine: tuple[str, ...]) -> int:
    if awaits_signature(treaty, mine):
        return 0
    return {DRAFT: 1, IN_FORCE: 2, ENDED: 3}[treaty.stage]


def awaits_signature(treaty: Treaty, mine: tuple[str, ...]) -> bool:
    """Return whether a draft needs the signature of one of these Powers."""
    return (
        treaty.stage == DRAFT
        and treaty.form != CONGRESS
        and any(p in treaty.parties and p not in treaty.signed for p in mine)
    )


def treaty_line(session: Session, look: Look, treaty: Treaty) -> Text:
    """Format an agreement as one line: kind, name, parties and signatures."""
    mine = session.powers()
    stage = "sign?" if awaits_signature(treaty, mine) else "draft" if treaty.stage == DRAFT else ""
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
    if treaty.stage == IN_FORCE and (ending := [p for p in treaty.bound if p in treaty.lapse]):
        out.append("to lapse: ", look.key)
        for power in ending:
            out.append(*look.power(session.tables, power, long=False))
            out.append(" ")
    if any(b.open or not treaty.public for b in treaty.breaches):
        out.append("broken", look.alarm)
    return out


def treaty_page(session: Session, look: Look, treaty: Treaty) -> Text:
    """Format an agreement in full: parties, articles with current value, breaches, charges, effects."""
    tables, state = session.tables, session.state
    out = Text()
    out.append(look.palette.text(display_name(tables, treaty)), "bold")
    out.append(f"  {treaty.id}", look.faint)
    out.append(f"  {'public' if treaty.public else 'secret'}", look.faint)
    out.append("\n")
    for power in treaty.parties:
        out.append(*look.power(tables, power))
        word = "left" if power in treaty.left else "signed" if power in treaty.signed else "not signed"
        ends = treaty.stage == IN_FORCE and power in treaty.bound and power in treaty.lapse
        out.append(" agrees that it ends   " if ends else f" {word}   ", look.key if ends else look.faint)
    out.append("\n")
    for end in treaty.partial_ends:
        out.append(f"Ended between {powers_text(tables, end.powers)} because of War\n", look.faint)
    for n, clause in enumerate(treaty.clauses):
        worth = breaches.clause_status(tables, state, treaty, n) if treaty.stage == IN_FORCE else ""
        style = look.alarm if worth == BROKEN else look.key if worth == DUE else look.good
        out.append(f"{n + 1:>2} ", look.key)
        if worth:
            out.append(look.palette.text(SIGNS[worth]) + " ", style if worth not in (HOLDS, OVER) else look.faint)
        out.append(look.palette.text(describe_clause(tables, clause)))
        if clause.secret:
            out.append(" (secret article)" if n not in treaty.shown else " (was a secret article)", look.faint)
        out.append(f" {worth}" if worth else "", style if worth in (BROKEN, DUE) else look.faint)
        out.append("\n")
    for breach in treaty.breaches:
        description = breaches.describe_breach(tables, treaty, breach.clause, breach.power, breach.what)
        year = tables.turns[breach.turn - 1].year
        secret = "" if breach.open else " (secret)"
        out.append(look.palette.text(f"✗ {year}: {description}{secret}\n"), look.alarm)
    for charge in treaty.charges:
        who, whom = power_name(tables, charge.by), power_name(tables, charge.against)
        votes = ", ".join(
            f"{power_name(tables, p)} {'guilty' if g else 'innocent'}" for p, g in charge.verdicts.items()
        )
        out.append(f"{who} charges {whom} with breaking article {charge.clause + 1}: {votes}\n", look.key)
    return out


def treaty_points(session: Session, look: Look, treaty: Treaty) -> Text:
    """Return the Victory Points per Game Turn of a draft for each party, once it is revealed."""
    tables, state, out = session.tables, session.state, Text()
    if treaty.stage != DRAFT or treaty.form != TREATY:
        return out
    bound = replace(treaty, stage=IN_FORCE, signed=treaty.parties, public=True, since=max(1, state.turn))
    after = replace(state, treaties=tuple(bound if t.id == treaty.id else t for t in state.treaties))
    for power in treaty.parties:
        now, then = (sum(points for _, points, _ in victory.turn_bonuses(tables, s, power)) for s in (state, after))
        if then != now:
            much = f"{then - now:+d} Victory Point{'s' * (abs(then - now) != 1)} a Game Turn"
            when = "" if treaty.public else ", once revealed"
            out.append_text(look.text(look.power(tables, power), f": {much}{when}\n"))
    return out


def contradiction(session: Session, treaty: Treaty) -> str:
    """Return which Treaty in force a draft contradicts for a Power of the seat, as a sentence; "" for none."""
    for power in session.powers() if treaty.stage == DRAFT and treaty.form != CONGRESS else ():
        if power in treaty.parties and power not in treaty.signed:
            old = contradicted_treaty(session.live, power, treaty.parties, treaty.clauses)
            if old is not None:
                name = display_name(session.tables, old)
                return f"It contradicts {name}, which you have signed: you cannot keep both."
    return ""


def treaty_effects(session: Session, look: Look, treaty: Treaty) -> Text:
    """Return the changes on signature of the agreement, or the reason why it cannot take effect."""
    now = tuple(c for c in treaty.clauses if is_immediate(c))
    if treaty.stage != DRAFT:
        return Text()
    out = Text()
    if against := contradiction(session, treaty):
        out.append(f"\n{against}\n", look.alarm)
    if missing := settlement.missing_signers(session.tables, session.live, treaty):
        who = powers_text(session.tables, missing)
        out.append(f"\nIt also needs the signature of {who}: make a counter-draft that names all.\n", look.alarm)
    if not now:
        return out
    out.append("\nWhat it changes\n", "bold")
    try:
        after = settlement.settlement_outcome(
            session.tables, session.live, now, treaty.form == CONGRESS, treaty.parties
        )
    except Refusal as refusal:
        out.append(f"It cannot be done now: {refusal.message}\n", look.alarm)
        return out
    out.append_text(differences(session.tables, session.live, after, look))
    raised = after.tension - session.live.tension
    if raised:
        out.append(f"European Tensions rise by {raised}.\n", look.alarm)
    return out


def chart_text(chart: Chart, look: Look, width: int, height: int) -> Text:
    """Format a chart in the given width in cells."""
    out = Text(no_wrap=True, overflow="crop")
    rows = draw_chart(chart, width, height, look.palette.ascii)
    for n, cells in enumerate(rows):
        for text, ink in cells:
            out.append(look.palette.text(text), _ink_style(look, ink))
        if n < len(rows) - 1:
            out.append("\n")
    return out


def _ink_style(look: Look, ink: str) -> str:
    if not ink:
        return ""
    roles = {terminal_FAINT: look.faint, BOLD: "bold", ALARM: look.alarm, KEY: look.key, "good": look.good}
    if ink in roles:
        return roles[ink]
    if ink.startswith(ON):
        return f"{look.ink(ink.removeprefix(ON))} reverse".strip()
    return look.ink(ink)
