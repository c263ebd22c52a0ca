"""Orders about agreements in the notation.

`treaty NAME with POWERS [public]: CLAUSE; CLAUSE` drafts a Treaty, `propose [NAME] with POWERS [public]: ...` a
settlement of the Negotiation Phase, `propose [NAME]: ...` without parties a Treaty before a Congress of Europe, and
`amend ID [as NAME] [with POWERS] [public]: ...` answers a draft with changes. Then there are `sign ID`, `reject ID`,
`reveal ID [ARTICLE]`, `lapse ID`, `release ID POWER`, `renounce ID`, `charge ID ARTICLE POWER` and
`judge ID ARTICLE POWER guilty|innocent`.

Rules: TRE-002, TRE-013
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar, cast

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.notation import normalize_clause, read_clauses, text_of_clauses
from paxtui.games.pax.clauses.registry import MOST_CLAUSES
from paxtui.games.pax.state.diplomacy import CONGRESS, SETTLEMENT, TREATY
from paxtui.games.pax.text.free_text import clean_name
from paxtui.games.pax.text.parsing import WordReader, in_table_order, name_index, unknown_name

DRAFTING = ("treaty", "propose", "amend")
"""Verbs of orders that contain clauses and may be long."""

MAX_DRAFT_LENGTH = 20_000
"""Maximum length of a draft, in characters."""

MAX_ARTICLES = 99
"""Highest article number."""

AgreementAction = TypeVar("AgreementAction", bound=actions.Action)

_ID = re.compile(r"[a-z0-9_]{1,40}")
_PUBLIC = re.compile(r"(?:^|\s+)(public|secret)$", re.IGNORECASE)


# --- reading ------------------------------------------------------------------------------------------------------


def parse_draft(verb: str, words: WordReader) -> actions.Draft:
    """Parse `treaty`, `propose` or `amend`.

    Raises:
        Refusal: `notation` or `ambiguous`.
    """
    if len(words.text) > MAX_DRAFT_LENGTH:
        raise Refusal("notation", (), f"A draft has {MAX_DRAFT_LENGTH} characters at most.", position=words.first)
    head_text, colon, body = words.text.partition(":")
    head = WordReader(words.tables, head_text, words.first)
    if not colon:
        end = words.first + len(words.words)
        raise unknown_name("", "':' and clauses, as in 'treaty Rome with italy: defensive',", word=end)
    clauses = WordReader(words.tables, body, words.first + len(head_text.split()))
    instead = _id(head) if verb == "amend" else ""
    public = False
    mark = _PUBLIC.search(head.text)
    if mark:
        public = mark[1].casefold() == "public"
        head.text = head.text[: mark.start()]
    if verb == "amend" and not re.match(r"(?:as|with)\s|$", head.text, re.IGNORECASE):
        raise unknown_name(head.text.split()[0], "'as NAME', 'with POWERS' or ':'", word=head.first)
    before, after = head.split("with")
    parties = in_table_order(words.tables.powers, after.powers()) if after is not None else ()
    if after is not None and not parties:
        raise unknown_name("", "a Power", word=after.first)
    name_at = before.first
    name = re.sub(r"^as(?:\s+|$)", "", before.text, flags=re.IGNORECASE) if verb == "amend" else before.text
    if verb == "treaty" and not parties:
        raise unknown_name("", "'with' and Powers, as in 'treaty Rome with italy: defensive',", word=head.first)
    try:
        name = clean_name(name)
    except Refusal as refusal:
        raise Refusal("notation", (), f"Word {name_at}: {refusal.message}", position=name_at) from None
    form = TREATY if verb != "propose" else SETTLEMENT if parties else CONGRESS
    # the rules, not the notation, refuse a Treaty without articles
    said = read_clauses(clauses) if clauses.text or verb != "treaty" else ()
    return actions.Draft(name, parties, said, form, public, instead)


def _id(words: WordReader) -> str:
    """Parse the id of an agreement.

    Raises:
        Refusal: `notation`.
    """
    at = words.first
    id_ = words.take("the name of an agreement in orders, such as kq7d,").casefold()
    if not _ID.fullmatch(id_):
        raise unknown_name(id_, "the name of an agreement in orders, such as kq7d,", word=at)
    return id_


def _parse_by_id(verb: str, words: WordReader) -> Any:
    """Parse `sign ID` and similar orders."""
    id_ = _id(words)
    words.end()
    return _BY_ID[verb](id_)


def _reveal(verb: str, words: WordReader) -> actions.Reveal:
    id_ = _id(words)
    article = _number(words) if words.text else 0
    words.end()
    return actions.Reveal(id_, article)


def _number(words: WordReader) -> int:
    at = words.first
    number = words.number("the number of an article")
    if not 1 <= number <= MAX_ARTICLES:
        raise unknown_name(str(number), "the number of an article, from 1,", word=at)
    return number


def _release(verb: str, words: WordReader) -> actions.Release:
    id_ = _id(words)
    return actions.Release(id_, words.power())


def _charge(verb: str, words: WordReader) -> actions.Charge:
    id_ = _id(words)
    article = _number(words)
    return actions.Charge(id_, article, words.power())


def _judge(verb: str, words: WordReader) -> actions.Judge:
    id_ = _id(words)
    article = _number(words)
    name, _, verdict = words.text.rpartition(" ")
    at = words.first + max(0, len(words.words) - 1)
    if verdict.casefold() not in ("guilty", "innocent"):
        raise unknown_name(verdict, "guilty or innocent", word=at)
    power = name_index(words.tables).powers.find(name, words.first)
    return actions.Judge(id_, article, power, verdict.casefold() == "guilty")


_BY_ID: dict[str, Callable[[str], actions.Action]] = {
    "sign": actions.Sign,
    "reject": actions.Reject,
    "lapse": actions.Lapse,
    "renounce": actions.Renounce,
}

TREATY_PARSERS: dict[str, Callable[[str, WordReader], Any]] = {
    **dict.fromkeys(DRAFTING, parse_draft),
    **dict.fromkeys(_BY_ID, _parse_by_id),
    "reveal": _reveal,
    "release": _release,
    "charge": _charge,
    "judge": _judge,
}
"""Parsers by verb."""


# --- what comes as a structure ------------------------------------------------------------------------------------


def normalize_agreement(tables: Tables, action: AgreementAction) -> AgreementAction:
    """Return an order about agreements in normalized form; other actions are unchanged.

    Raises:
        Refusal: `bad_action`, `notation` or `ambiguous`.
    """
    if isinstance(action, actions.Draft):
        return cast(AgreementAction, _normalize_draft(tables, action))
    if type(action) not in TREATY_FORMATTERS:
        return action
    id_ = str(getattr(action, "id", "")).casefold()
    article = getattr(action, "article", 1)
    if not _ID.fullmatch(id_):
        raise Refusal("bad_action", (), "An agreement is named by letters and digits, such as kq7d.")
    if not (0 if isinstance(action, actions.Reveal) else 1) <= article <= MAX_ARTICLES:
        raise Refusal("bad_action", (), "Articles are numbered from 1.")
    changed: dict[str, Any] = {"id": id_}
    return replace(action, **changed)


def _normalize_draft(tables: Tables, a: actions.Draft) -> actions.Draft:
    parties = in_table_order(tables.powers, (name_index(tables).powers.find(p) for p in a.parties))
    form, instead = a.form, a.instead.casefold()
    if form not in (TREATY, SETTLEMENT, CONGRESS):
        raise Refusal("bad_action", (), f"An agreement is a {TREATY}, a {SETTLEMENT} or a proposal to a {CONGRESS}.")
    if instead:
        form = TREATY  # that of the draft that it answers
        if not _ID.fullmatch(instead):
            raise Refusal("bad_action", (), "An agreement is named by letters and digits, such as kq7d.")
    elif form == CONGRESS:
        parties = ()
    elif not parties:
        raise Refusal("bad_action", (), "An agreement names the Powers that it is made with.")
    if len(a.clauses) > MOST_CLAUSES:
        raise Refusal("bad_action", (), f"An agreement has {MOST_CLAUSES} clauses at most.")
    if not a.clauses and (form != TREATY or instead):
        raise Refusal("bad_action", (), "An agreement has a clause.")
    clauses = tuple(normalize_clause(tables, c) for c in a.clauses)
    return replace(a, name=clean_name(a.name), parties=parties, clauses=clauses, form=form, instead=instead)


# --- writing ------------------------------------------------------------------------------------------------------


def format_draft(tables: Tables, a: actions.Draft) -> str:
    """Return the text of a draft; `parse_draft` of it returns the same draft."""
    parties = f" with {', '.join(a.parties)}" if a.parties else ""
    if a.instead:
        head = f"amend {a.instead}" + (f" as {a.name}" if a.name else "")
    else:
        head = ("treaty" if a.form == TREATY else "propose") + (f" {a.name}" if a.name else "")
    public = " public" if a.public else ""
    return f"{head}{parties}{public}: {text_of_clauses(tables, a.clauses)}".rstrip()


TREATY_FORMATTERS: dict[type, Callable[[Any], str]] = {
    actions.Sign: lambda a: f"sign {a.id}",
    actions.Reject: lambda a: f"reject {a.id}",
    actions.Reveal: lambda a: f"reveal {a.id}" + (f" {a.article}" if a.article else ""),
    actions.Lapse: lambda a: f"lapse {a.id}",
    actions.Release: lambda a: f"release {a.id} {a.who}",
    actions.Renounce: lambda a: f"renounce {a.id}",
    actions.Charge: lambda a: f"charge {a.id} {a.article} {a.against}",
    actions.Judge: lambda a: f"judge {a.id} {a.article} {a.against} {'guilty' if a.guilty else 'innocent'}",
}
"""Formatters of the other orders about agreements."""
