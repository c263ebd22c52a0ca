"""The help of the plain mode: orders and commands, each with an example."""

from __future__ import annotations

from difflib import get_close_matches
from typing import NamedTuple

from paxtui.games.pax.actions.notation import ORDERS
from paxtui.games.pax.clauses.examples import example_article, partner_of
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS, CONDITIONS
from paxtui.games.pax.text.display import join_with_or
from paxtui.session.reference import find_terms, load_glossary
from paxtui.session.session import Session

MOST_TERMS = 8
"""Other terms that a word of the glossary names at once."""


class HelpEntry(NamedTuple):
    """The help of an order or a command: usage, effect, example."""

    usage: str
    what: str
    example: str = ""


def order_help(verb: str) -> HelpEntry:
    form = ORDERS[verb]
    what = form.help
    if verb == "garrison":
        what += " 'garrison all' also buys an army for each Area that lacks one, after it has shown the price."
    if verb == "move":
        what += " Enter 'move', 'move from PLACE' or 'move UNITS PLACE' to be asked for the rest."
    if verb == "treaty":
        what += (
            f" Clauses: {'; '.join(kind.usage for kind in CLAUSE_KINDS.values())}. Each may begin with 'secret' and "
            "end with 'every turn', with 'in', 'by' or 'until' and a year, and with 'upon' "
            f"{join_with_or([condition.usage for condition in CONDITIONS.values()])}. A group such as region:near_east "
            "stands for its Areas."
        )
    return HelpEntry(form.usage, what, "" if form.is_arbiters else form.example)


WORD_HELP = {
    "what": HelpEntry(
        "what [PLACE or ORDER]",
        "List what you can do: by kind; at a place, with reasons for what is forbidden; or by first words.",
        "what egypt",
    ),
    "more": HelpEntry("more", "Show the rest of a list."),
    "show": HelpEntry(
        "show [PLACE, POWER, record [POWER] [LINE], indexes, treaties, dispatches [N], log [N], map [REGION or drawn], "
        "war, game]",
        "Show the position, or a part of it. A line of the record sheet comes with its arithmetic.",
        "show record 16",
    ),
    "default": HelpEntry("default", "Answer the first open question with its default."),
    "seat": HelpEntry(
        "seat POWER",
        "Hand the keyboard to the player of another seat; 'seat' alone lists the seats. If a seat has secrets, the "
        "screen is covered until you enter 'here'.",
        "seat france",
    ),
    "sits": HelpEntry(
        "sits [POWER person, steady, caretaker, statesman or nobody]",
        "Show who plays each seat, or change it. The program plays bots and empty seats.",
        "sits france caretaker",
    ),
    "ahead": HelpEntry(
        "ahead [ORDER, standing ORDER, or drop N]",
        "List the orders that paxtui carries out for you when they become legal; add one; delete one. 'ahead stay "
        "ready' keeps you ready until something concerns you.",
        "ahead movement: place influence siam if britain places control in egypt",
    ),
    "deals": HelpEntry(
        "deals POWER",
        "List ready-made Treaties with a Power: what each brings you, and how likely the Power signs. Enter the "
        "number of one to offer it, or enter its order with your changes.",
        "deals italy",
    ),
    "ask": HelpEntry("ask POWER", "Ask a Power what it wants, in a dispatch. Bots answer at once.", "ask italy"),
    "suggest": HelpEntry("suggest", "Show what the bot statesman would do in your place, with reasons."),
    "reasons": HelpEntry("reasons", "Show the reasons for the last orders of the bots, except secret ones."),
    "rule": HelpEntry("rule ID or WORDS", "Show rules by id, or find them by words.", "rule CCB-014"),
    "why": HelpEntry("why", "Show the rules behind the last refusal, and what would make the order legal."),
    "glossary": HelpEntry(
        "glossary [WORD]",
        "Explain a word of the game, with its rules; 'glossary' alone lists the words.",
        "glossary codominion",
    ),
    "report": HelpEntry(
        "report",
        "Show what has happened since the last report, and how the Game Turn began; after the end, how it was won.",
    ),
    "history": HelpEntry(
        "history N",
        "Show the position after line N of the log; +N and -N move on; 'history' alone lists the Game Turns.",
        "history 45",
    ),
    "now": HelpEntry("now", "Return from the history to the present."),
    "status": HelpEntry("status", "Show who must act, what is missing and what is asked. An empty line does the same."),
    "talk": HelpEntry("talk", "Show the chat of a shared game.", "talk"),
    "say": HelpEntry("say WORDS", "Write to all players of a shared game.", "say good evening"),
    "word": HelpEntry(
        "word WORDS", "Contribute a word to the fair dice of a shared game, before it begins.", "word Rule"
    ),
    "begin": HelpEntry("begin", "Agree that a shared game with fair dice begins.", "begin"),
    "help": HelpEntry("help [WORD]", "Show this help, or more about one word.", "help place"),
    "quit": HelpEntry("quit", "Leave. The game is saved after each order."),
}
"""The words of the plain mode besides the orders."""

WORD_ALIASES = {
    "?": "help",
    "exit": "quit",
    "q": "quit",
    "wait": "status",
    "rules": "rule",
    "turn": "status",
    "log": "show",
}
"""Other names of words."""

HELP_NOTES = (
    "Areas, Sea Zones and Powers are written by name, by id or by any unique beginning.",
    "MARKER is interest, influence, protectorate, possession, dominion or state.",
    "UNITS are armies A10 A3 A1 and fleets N10 N3 N1; 2xA1 are two of a kind.",
    "A Power in front acts for another Power of your seat: austria_hungary: place protectorate serbia.",
    "A number takes the line of the last list with that number.",
)


ARTICLES = "articles"
"""The word of the help that lists the kinds of articles."""
IN_DRAFTS = {"treaty": ("defensive", "pay"), "propose": ("lower", "pay"), "amend": ("lower", "pay")}
"""Kinds of the articles in the example of an order."""


def article_lines(session: Session) -> list[str]:
    """Return each kind of article, with an example that fits the position."""
    lines = [f"{kind.summary}: {_article(session, kind.id)}" for kind in CLAUSE_KINDS.values()]
    return ["Articles that you can type after the colon of 'treaty', 'propose' and 'amend':", *lines]


def _article(session: Session, kind: str) -> str:
    return example_article(session.tables, session.state, kind, session.power, ())


def _draft_example(session: Session, order: str) -> str:
    """Return an order that drafts an agreement that fits the position, with the parties that its articles name."""
    partner = partner_of(session.state, session.power)
    called = {"treaty": f"treaty Rome with {partner}", "propose": f"propose with {partner}"}
    articles = "; ".join(_article(session, kind) for kind in IN_DRAFTS[order])
    return f"{called.get(order, 'amend kq7d')}: {articles}"


def help_lines(word: str = "", session: Session | None = None) -> list[str]:
    """Return the whole help, or that of one word. Args: the word; the open game, for examples that fit its position."""
    name = word.casefold().strip(" :")
    if session is not None and name in (ARTICLES, "article"):
        return article_lines(session)
    name = WORD_ALIASES.get(name, name)
    if not name:
        return [
            "Orders: " + ", ".join(verb for verb, form in ORDERS.items() if not form.is_arbiters) + ".",
            "Words: " + ", ".join(WORD_HELP) + ".",
            "'help WORD' says more about one of them.",
            *HELP_NOTES,
        ]
    entry = order_help(name) if name in ORDERS else WORD_HELP.get(name)
    if entry is None:
        near = nearest_word(name)
        hint = f" Did you mean '{near}'?" if near else " 'help' lists the words."
        return [f"There is no help for '{name[:40]}'.{hint}"]
    lines = [entry.usage, entry.what]
    example = _draft_example(session, name) if session is not None and name in IN_DRAFTS else entry.example
    if example and example != entry.usage:
        lines.append(f"Example: {example}")
    if session is not None and name in IN_DRAFTS:
        lines.append(f"'help {ARTICLES}' shows an example of each kind.")
    return lines


def glossary_lines(words: str = "") -> list[str]:
    """Return the entry of the glossary for a word, or all its words."""
    terms = load_glossary()
    if not words:
        return [f"{len(terms)} words: {', '.join(terms)}.", "'glossary WORD' explains one of them."]
    found = find_terms(words)
    if not found:
        near = get_close_matches(words.casefold()[:40], [name.casefold() for name in terms], n=1, cutoff=0.6)
        hint = f"Did you mean '{near[0]}'?" if near else "'glossary' lists the words."
        return [f"The glossary has nothing for '{words[:40]}'. {hint}"]
    term, rest = found[0], found[1:]
    lines = [f"{term.name}: {term.text}"]
    lines += [f"Sign: {term.sign}"] if term.sign else []
    lines += [f"Rules: {', '.join(term.rules)}."] if term.rules else []
    lines += [f"See also: {', '.join(term.see)}."] if term.see else []
    if rest:
        more = f", and {len(rest) - MOST_TERMS} more" if len(rest) > MOST_TERMS else ""
        lines.append(f"Also with this word: {', '.join(t.name for t in rest[:MOST_TERMS])}{more}.")
    return lines


def nearest_word(word: str) -> str:
    """Return the most similar command or order; "" if none is similar."""
    close = get_close_matches(word.casefold()[:20], [*WORD_HELP, *ORDERS], n=1, cutoff=0.6)
    return close[0] if close else ""
