"""The help of the plain mode: every order of the notation and every word besides, each with an example."""

from __future__ import annotations

from difflib import get_close_matches
from typing import NamedTuple

from paxtui.games.pax.clauses.examples import example_article, partner_of
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS, CONDITIONS
from paxtui.games.pax.text.display import join_with_or
from paxtui.session.local_session import Session
from paxtui.session.reference import find_terms, load_glossary

MOST_TERMS = 8
"""Other terms that a word of the glossary names at once."""


class HelpEntry(NamedTuple):
    """One word: how it is written, what it does, an example."""

    usage: str
    what: str
    example: str = ""


ORDER_HELP = {
    "place": HelpEntry("place MARKER AREA", "Put a Status marker into an Area.", "place influence egypt"),
    "upgrade": HelpEntry(
        "upgrade MARKER AREA", "Raise a marker of yours to a higher Status.", "upgrade possession cuba"
    ),
    "downgrade": HelpEntry("downgrade MARKER AREA", "Lower a marker of yours.", "downgrade interest siam"),
    "withdraw": HelpEntry("withdraw MARKER AREA", "Take a marker of yours away.", "withdraw influence persia"),
    "transfer": HelpEntry(
        "transfer AREA to POWER", "Offer a marker of yours to another Power.", "transfer tunis to italy"
    ),
    "build": HelpEntry(
        "build UNITS [SEA ZONE]", "Buy Military Units at home; the Sea Zone is the box of a fleet.", "build A3 2xA1"
    ),
    "move": HelpEntry(
        "move UNITS PLACE > PLACE [(COAST)]",
        "Move units; places between may be left out. 'home' is your Home Country. "
        "Say 'move', 'move from PLACE' or 'move UNITS PLACE' to be asked for the rest.",
        "move A3 A1 home > egypt",
    ),
    "merchant": HelpEntry(
        "merchant SEA ZONE > SEA ZONE", "Move a Merchant Fleet, or bring on a new one.", "merchant new > caribbean"
    ),
    "canal": HelpEntry("canal AREA", "Build a canal.", "canal panama"),
    "pay": HelpEntry("pay POWER POUNDS", "Offer money to another Power.", "pay france 20"),
    "garrison": HelpEntry(
        "garrison [all]",
        "Send the garrisons that are missing, by the automatic fix; with all, an army for each Area that lacks one: "
        "its price is said first.",
        "garrison",
    ),
    "fight": HelpEntry("fight AREA", "Attack in an Area.", "fight manchuria"),
    "decline": HelpEntry("decline AREA", "Do not attack there.", "decline manchuria"),
    "choose": HelpEntry(
        "choose ID OPTION...", "Answer a question; its number or the bare text of an option do it too.", "choose c12 A3"
    ),
    "codominion": HelpEntry(
        "codominion AREA [with POWERS]",
        "Propose that the holders of Control share an Area, Influences joining in.",
        "codominion egypt with france",
    ),
    "waive": HelpEntry("waive ID", "Give up a Casus Belli.", "waive cb4"),
    "ready": HelpEntry("ready", "You have nothing more to do in this Phase.", "ready"),
    "defend": HelpEntry(
        "defend MINOR AREA",
        "Announce that you defend a Minor Power's Influence there: a Congress must meet.",
        "defend belgium kongo",
    ),
    "congress": HelpEntry(
        "congress SITE [over CAUSES]",
        "Call a Congress of Europe over your Casus Belli, or over those named. It meets after the Negotiation Phase; "
        "there 'propose NAME: CLAUSES' puts a Treaty before it, and ballots are answered like any question.",
        "congress austria_hungary over cb1",
    ),
    "declare": HelpEntry(
        "declare war POWERS [over CAUSE] [beside POWER]",
        "Declare War on one or several Powers, over a Casus Belli of yours. Their allies, and yours, may be called: "
        "you hear first what would come of it, and say it once more to do it. In a war of three or more alliances, "
        "'beside' names one of the alliance that you join.",
        "declare war germany russia over cb3",
    ),
    "attack": HelpEntry(
        "attack PLACE [naval]",
        "In a War, attack the enemy's armies in a place, or his fleets there or at sea.",
        "attack manchuria",
    ),
    "pass": HelpEntry("pass", "You do nothing more in this Phase of the War.", "pass"),
    "volunteer": HelpEntry(
        "volunteer AREA to POWER",
        "As a neutral let a belligerent's whole Alliance coal in an Area of yours; it cannot be taken back.",
        "volunteer aden to japan",
    ),
    "deny": HelpEntry(
        "deny PASSAGE to POWER",
        "Close a canal or the straits to a belligerent: suez, straits, panama, central_america.",
        "deny suez to france",
    ),
    "allow": HelpEntry("allow PASSAGE to POWER", "Open a passage that you had denied.", "allow suez to france"),
    "announce": HelpEntry(
        "announce end", "Announce the end of a War in which the forces left cannot get at each other.", "announce end"
    ),
    "join": HelpEntry("join POWER", "Come to the aid of a side where the rules let you.", "join france"),
    "invite": HelpEntry("invite POWERS", "Ask other Powers for aid in an Ottoman War.", "invite france italy"),
    "unready": HelpEntry("unready", "You have something to do after all.", "unready"),
    "dispatch": HelpEntry(
        "dispatch POWERS [sealed YEAR]: WORDS",
        "Write to other seats; nobody else can read it. A sealed letter can be read from that year on.",
        "dispatch france, italy: shall we talk about Tunis?",
    ),
    "proclaim": HelpEntry("proclaim: WORDS", "Tell everybody, spectators too.", "proclaim: peace in our time"),
    "treaty": HelpEntry(
        "treaty [NAME] with POWERS [public]: CLAUSE; CLAUSE",
        f"Draft a Treaty and offer it. Clauses: {'; '.join(kind.usage for kind in CLAUSE_KINDS.values())}. Before "
        "each may "
        "stand 'secret', after it 'every turn', 'in', 'by' or 'until' a year, and 'upon' "
        f"{join_with_or([condition.usage for condition in CONDITIONS.values()])}. region:near_east and the like "
        "stand for "
        "their Areas.",
        "treaty Rome with italy: defensive against germany until 1892; secret france pays italy 15",
    ),
    "propose": HelpEntry(
        "propose [NAME] with POWERS [public]: CLAUSE; CLAUSE",
        "Offer a settlement of the Negotiation Phase: it is done at once, whole or not at all, when all have signed. "
        "Without 'with' it is a Treaty put before a Congress of Europe.",
        "propose with italy: italy leaves tunis; france pays italy 15",
    ),
    "amend": HelpEntry(
        "amend ID [as NAME] [with POWERS] [public]: CLAUSE; CLAUSE",
        "Answer a draft with another one that takes its place.",
        "amend kq7d: italy lowers tunis to influence; france pays italy 10",
    ),
    "sign": HelpEntry("sign ID", "Sign a draft; with the last signature it is in force.", "sign kq7d"),
    "reject": HelpEntry("reject ID", "Turn a draft down, or take your own back.", "reject kq7d"),
    "reveal": HelpEntry(
        "reveal ID [ARTICLE]",
        "Make a secret Treaty public, and then its secret articles. Breaches of it that become known raise tension and "
        "give Casus Belli.",
        "reveal kq7d",
    ),
    "lapse": HelpEntry("lapse ID", "Agree that a Treaty ends; it does when all its signers agree.", "lapse kq7d"),
    "release": HelpEntry(
        "release ID POWER",
        "Agree that a signer leaves a Treaty; with your own name you ask for it.",
        "release kq7d italy",
    ),
    "renounce": HelpEntry(
        "renounce ID",
        "Leave a Treaty without leave: that breaks it. Tension +5, and a Casus Belli for each other signer.",
        "renounce kq7d",
    ),
    "charge": HelpEntry(
        "charge ID ARTICLE POWER",
        "Charge a signer with breaking an article in words, or about coaling.",
        "charge kq7d 2 germany",
    ),
    "judge": HelpEntry(
        "judge ID ARTICLE POWER guilty|innocent", "Give your verdict on a charge.", "judge kq7d 2 germany innocent"
    ),
    "undo": HelpEntry("undo [LINE]", "Take back the last act, or go back to the position after a line.", "undo 120"),
    "redo": HelpEntry("redo", "Bring back what the last undo took back.", "redo"),
    "advance": HelpEntry("advance", "For the arbiter of the engine protocol; here the game advances by itself."),
    "advance!": HelpEntry("advance!", "For the arbiter of the engine protocol; here the game advances by itself."),
    "step": HelpEntry("step", "For the arbiter of the engine protocol; here the game advances by itself."),
    "abandon": HelpEntry("abandon POWERS", "For the arbiter of the engine protocol; here: sits france caretaker."),
    "resume": HelpEntry("resume POWERS", "For the arbiter of the engine protocol; here: sits france person."),
    "adjudicate": HelpEntry(
        "adjudicate JSON", "For the gamemaster of a game by mail: carries out the forms of all seats."
    ),
    "position": HelpEntry("position JSON", "For the arbiter of the engine protocol: sets up another position."),
}
"""The verbs of the notation."""

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
"""The words of the plain mode besides the notation."""

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
            "Orders: " + ", ".join(w for w, e in ORDER_HELP.items() if e.example) + ".",
            "Words: " + ", ".join(WORD_HELP) + ".",
            "'help WORD' says more about one of them.",
            *HELP_NOTES,
        ]
    entry = ORDER_HELP.get(name) or WORD_HELP.get(name)
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
    close = get_close_matches(word.casefold()[:20], [*WORD_HELP, *ORDER_HELP], n=1, cutoff=0.6)
    return close[0] if close else ""
