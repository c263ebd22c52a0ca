"""The pages of the reference: a rule, a term, a refusal, each with its links to others and into the game.

A page is named `rule:STA-009`, `term:Control` or `refusal`; a link leads to a page, or into the game: `line:45`
(the world after a line of the log), `order:place` (the line for orders) or `choice:c12`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rich.text import Text

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Rule
from paxtui.table.reference.glossary import load_glossary, terms_of_rule
from paxtui.table.reference.remedies import remedy_of
from paxtui.table.reference.rule_links import (
    CHAPTERS,
    choices_of,
    load_orders,
    orders_of,
    origin,
    phase_of,
    related,
    remarks,
)
from paxtui.table.session import Session
from paxtui.table.tables import load_rules, load_tables
from paxtui.tui.writing.look import Look

RULE, TERM, LINE, ORDER, CHOICE, REFUSAL = "rule:", "term:", "line:", "order:", "choice:", "refusal"

MOST_LINES = 5
"""Lines of the log that a page lists, the newest ones."""


@dataclass(frozen=True)
class Link:
    """One line that leads somewhere; nowhere where `to` is empty."""

    to: str
    head: str
    text: str = ""


@dataclass(frozen=True)
class Page:
    """What is read, and what it leads to, in groups with a heading each."""

    title: str
    body: Text
    groups: tuple[tuple[str, tuple[Link, ...]], ...] = field(default=())


def page(name: str, look: Look, session: Session | None = None, refusal: Refusal | None = None) -> Page:
    """The page of that name.

    Args:
        name: of a rule, a term, or "refusal".
        look: colours.
        session: the open game, where there is one.
        refusal: what "refusal" shows.
    """
    if name == REFUSAL and refusal is not None:
        return refusal_page(refusal, look)
    if name.startswith(TERM):
        return term_page(name.removeprefix(TERM), look)
    return rule_page(load_rules()[name.removeprefix(RULE)], look, session)


# --- rules ------------------------------------------------------------------------------------------------------------


def rule_page(rule: Rule, look: Look, session: Session | None = None) -> Page:
    """A rule: what it says, where it comes from, what belongs to it, where this game has used it."""
    tables = session.tables if session else load_tables()
    body = look.text(
        (f"{phase_of(rule)} · {rule.kind} · {origin(rule)}\n", look.faint),
        (f"{rule.statement}\n", "bold"),
    )
    for remark in remarks(rule, tables):
        body.append_text(look.text((f"! {remark}\n", look.key)))
    body.rstrip()
    beside = related(rule.id)
    named = tuple(dict.fromkeys((*beside.names, *beside.named_by)))
    lines = tuple(i for i in beside.same_lines if i not in named)
    near = tuple(i for i in (beside.before, beside.after) if i and i not in (*named, *lines))
    groups = (
        *_waiting(rule, session),
        ("Orders and choices it governs", _governed(rule, session)),
        *_in_log(rule, session),
        ("Words", tuple(term_link(t) for t in terms_of_rule(rule.id)[:9])),
        ("Rules it names, or that name it", tuple(rule_link(i) for i in named)),
        ("Rules of the same lines", tuple(rule_link(i) for i in lines)),
        ("Before and after it", tuple(rule_link(i) for i in near)),
    )
    return Page(f"{rule.id} · {CHAPTERS[rule.id[:3]]}", body, tuple(g for g in groups if g[1]))


def _waiting(rule: Rule, session: Session | None) -> tuple[tuple[str, tuple[Link, ...]], ...]:
    """Questions of the open game that cite the rule and wait for the seat at the keyboard."""
    if session is None:
        return ()
    waits = tuple(
        Link(CHOICE + c.id, c.id, c.prompt or c.kind)
        for c in session.live.choices
        if rule.id in c.rules and c.seat == session.seat
    )
    return (("Waiting for your answer", waits),)


def _in_log(rule: Rule, session: Session | None) -> tuple[tuple[str, tuple[Link, ...]], ...]:
    """Lines of the log of the open game that cite the rule, the newest first."""
    if session is None:
        return ()
    cited = [e for e in session.log() if rule.id in e.rules]
    shown = tuple(Link(f"{LINE}{e.line}", f"line {e.line}", e.text) for e in reversed(cited[-MOST_LINES:]))
    head = "In this game" if len(cited) <= MOST_LINES else f"In this game, {len(cited)} times; lately"
    return ((head, shown),)


def _governed(rule: Rule, session: Session | None) -> tuple[Link, ...]:
    """Orders, which can be begun from here while a game is open, and kinds of choice."""
    orders = [
        Link(ORDER + o.verb if session else "", o.verb, f"{o.what}: {o.usage}" if " " in o.usage else o.what)
        for o in orders_of(rule.id)
    ]
    return (*orders, *(Link("", "choice", f"{c.what} ({c.kind})") for c in choices_of(rule.id)))


def rule_link(id_: str) -> Link:
    """A link to a rule."""
    return Link(RULE + id_, id_, load_rules()[id_].statement)


def find_rules(words: str) -> list[Rule]:
    """Rules named by id, or whose id begins with, or whose statement contains, every one of the words."""
    wanted = words.casefold().replace(",", " ").split()
    rules = load_rules()
    ids = [rules[w.upper()] for w in dict.fromkeys(wanted) if w.upper() in rules]
    if ids:
        return ids
    return [
        r
        for r in rules.values()
        if all(r.id.casefold().startswith(w) or w in r.statement.casefold() for w in wanted)
    ]


# --- terms ------------------------------------------------------------------------------------------------------------


def term_page(name: str, look: Look) -> Page:
    """A term: what it means, its sign, its rules, and the terms beside it."""
    term = load_glossary()[name]
    body = Text()
    if term.also:
        body.append(f"also: {', '.join(term.also)}\n", look.faint)
    if term.sign:
        body.append_text(look.text("on the screen: ", (f"{term.sign}\n", look.key)))
    body.append_text(look.text((f"{term.text}\n", "bold")))
    body.rstrip()
    beside = [t.name for t in load_glossary().values() if name in t.see and t.name not in term.see]
    groups = (
        ("Its rules", tuple(rule_link(i) for i in term.rules)),
        ("See also", tuple(term_link(t) for t in (*term.see, *beside))),
    )
    return Page(term.name, body, tuple(g for g in groups if g[1]))


def term_link(name: str) -> Link:
    """A link to a term."""
    return Link(TERM + name, name, load_glossary()[name].text)


# --- refusals ---------------------------------------------------------------------------------------------------------


def refusal_page(refusal: Refusal, look: Look) -> Page:
    """What was refused, why, and what would make it legal."""
    body = look.text((f"code {refusal.code}\n", look.faint), (f"{refusal.message}\n", "bold"))
    remedy = remedy_of(refusal)
    if remedy:
        body.append_text(look.text(("What would make it legal: ", look.key), f"{remedy}\n"))
    if not refusal.rules:
        body.append("No rule of the game forbids it: the words, the seat or the moment are at fault.\n", look.faint)
    body.rstrip()
    rules = tuple(rule_link(i) for i in refusal.rules if i in load_rules())
    words = tuple(dict.fromkeys(t for i in refusal.rules if i in load_rules() for t in terms_of_rule(i)[:3]))
    groups = (("The rules", rules), ("Words", tuple(term_link(t) for t in words[:6])))
    return Page("Not allowed", body, tuple(g for g in groups if g[1]))


def usage_lines() -> list[str]:
    """Every order with its form and what it does, for the help of the line for orders."""
    orders = load_orders()[0].values()
    wide = max(len(o.usage) for o in orders)
    return [f"{o.usage:<{wide}}  {o.what}" for o in orders]
