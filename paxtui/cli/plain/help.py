"""The help of the plain mode: every order of the notation and every word besides, each with an example."""

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
    """One word: how it is written, what it does, an example."""

    usage: str
    what: str
    example: str = ""


def order_help(verb: str) -> HelpEntry:
    """Return the help of an order."""
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
        "What you can do: by kinds; at a place, with what is forbidden and why; or all orders that begin so.",
        "what egypt",
    ),
    "more": HelpEntry("more", "Go on with a list that was cut."),
    "show": HelpEntry(
        "show [PLACE, POWER, record [POWER] [LINE], indexes, treaties, dispatches [N], log [N], map [REGION or drawn], "
        "war, game]",
        "Read the position, or a part of it. A line of the record sheet comes with its arithmetic.",
        "show record 16",
    ),
    "default": HelpEntry("default", "Answer the first open question with its default."),
    "seat": HelpEntry(
        "seat POWER",
        "Another player sits down; 'seat' alone lists the seats. Where a seat has secrets a curtain falls first, and "
        "'here' lifts it.",
        "seat france",
    ),
    "sits": HelpEntry(
        "sits [POWER person, steady, caretaker, statesman or nobody]",
        "Who sits where, or somebody else sits at a seat from now on; the table moves bots and empty seats.",
        "sits france caretaker",
    ),
    "suggest": HelpEntry("suggest", "What a statesman would do in your place: up to three acts, each with his reason."),
    "reasons": HelpEntry("reasons", "Why the bots have done what they did last, as far as it is no secret."),
    "rule": HelpEntry("rule ID or WORDS", "Read rules by id, or find them by words.", "rule CCB-014"),
    "why": HelpEntry("why", "The rules behind the last refusal, and what would make it legal."),
    "glossary": HelpEntry(
        "glossary [WORD]",
        "What a word of the game means, with its rules; alone it lists the words.",
        "glossary codominion",
    ),
    "report": HelpEntry("report", "What has happened since you were last told, and how the Game Turn ended and began."),
    "history": HelpEntry(
        "history N",
        "Look at the position after line N of the log; +N and -N go on from there; alone it lists the Game Turns.",
        "history 45",
    ),
    "now": HelpEntry("now", "Return from the history to the present."),
    "status": HelpEntry("status", "Who must act, what is missing and what is asked, once more; as an empty line does."),
    "talk": HelpEntry("talk", "What has been said at a table that is kept for several.", "talk"),
    "say": HelpEntry("say WORDS", "Say something to everybody at such a table.", "say good evening"),
    "word": HelpEntry(
        "word WORDS", "Give a word of your own for the dice of such a table, before it begins.", "word Rule"
    ),
    "begin": HelpEntry("begin", "Agree that the game begins, at a shared table with fair dice.", "begin"),
    "help": HelpEntry("help [WORD]", "This help, or more about one word.", "help place"),
    "quit": HelpEntry("quit", "Leave. Nothing is lost: every act is on the disk already."),
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
    """Every kind of article, each with an example that fits the position."""
    lines = [f"{kind.what}: {_article(session, kind.id)}" for kind in CLAUSE_KINDS.values()]
    return ["Articles that you can type after the colon of 'treaty', 'propose' and 'amend':", *lines]


def _article(session: Session, kind: str) -> str:
    return example_article(session.tables, session.state, kind, session.power, ())


def _draft_example(session: Session, order: str) -> str:
    """An order that drafts an agreement about the position, with the parties that its articles name."""
    partner = partner_of(session.state, session.power)
    called = {"treaty": f"treaty Rome with {partner}", "propose": f"propose with {partner}"}
    articles = "; ".join(_article(session, kind) for kind in IN_DRAFTS[order])
    return f"{called.get(order, 'amend kq7d')}: {articles}"


def help_lines(word: str = "", session: Session | None = None) -> list[str]:
    """The help as a whole, or about one word. Args: the word; the open game, for examples that fit its position."""
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
    """What the glossary says of a word, or all its words."""
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
    """The word or order most like this one, "" when nothing is."""
    close = get_close_matches(word.casefold()[:20], [*WORD_HELP, *ORDERS], n=1, cutoff=0.6)
    return close[0] if close else ""
