"""Drafts of agreements in the notation.

`treaty NAME with POWERS [public]: CLAUSE; CLAUSE` drafts a Treaty, `propose [NAME] with POWERS [public]: ...` a
settlement of the Negotiation Phase, `propose [NAME]: ...` without parties a Treaty before a Congress of Europe, and
`amend ID [as NAME] [with POWERS] [public]: ...` answers a draft with changes.

Rules: TRE-002, TRE-013
"""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions.fields import find_agreement, parse_agreement
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.notation import normalize_clause, read_clauses, text_of_clauses
from paxtui.games.pax.clauses.registry import MOST_CLAUSES
from paxtui.games.pax.state.diplomacy import CONGRESS, SETTLEMENT, TREATY
from paxtui.games.pax.text.parsing import WordReader, clean_name, in_table_order, name_index, unknown_name

DRAFTING = ("treaty", "propose", "amend")
"""Verbs of drafts."""

MAX_DRAFT_LENGTH = 20_000
"""Maximum length of a draft, in characters."""

_PUBLIC = re.compile(r"(?:^|\s+)(public|secret)$", re.IGNORECASE)


def parse_draft(verb: str, words: WordReader) -> dict[str, Any]:
    """Parse `treaty`, `propose` or `amend`; return the fields of the draft.

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
    instead = parse_agreement(head) if verb == "amend" else ""
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
    return {
        "name": name,
        "parties": parties,
        "clauses": read_clauses(clauses) if clauses.text or verb != "treaty" else (),
        "form": form,
        "public": public,
        "instead": instead,
    }


def normalize_draft(tables: Tables, a: Any) -> Any:
    """Return a draft in normalized form.

    Raises:
        Refusal: `bad_action`, `notation` or `ambiguous`.
    """
    parties = in_table_order(tables.powers, (name_index(tables).powers.find(p) for p in a.parties))
    form, instead = a.form, find_agreement(tables, a, a.instead) if a.instead else ""
    if form not in (TREATY, SETTLEMENT, CONGRESS):
        raise Refusal("bad_action", (), f"An agreement is a {TREATY}, a {SETTLEMENT} or a proposal to a {CONGRESS}.")
    if instead:
        form = TREATY  # that of the draft that it answers
    elif form == CONGRESS:
        parties = ()
    elif not parties:
        raise Refusal("bad_action", (), "Name the other parties of the agreement.")
    if len(a.clauses) > MOST_CLAUSES:
        raise Refusal("bad_action", (), f"An agreement has {MOST_CLAUSES} clauses at most.")
    if not a.clauses and (form != TREATY or instead):
        raise Refusal("bad_action", (), "An agreement needs at least one clause.")
    clauses = tuple(normalize_clause(tables, c) for c in a.clauses)
    return replace(a, name=clean_name(a.name), parties=parties, clauses=clauses, form=form, instead=instead)


def format_draft(tables: Tables, a: Any) -> str:
    """Return the text of a draft; `parse_draft` of it returns the same draft."""
    parties = f" with {', '.join(a.parties)}" if a.parties else ""
    if a.instead:
        head = f"amend {a.instead}" + (f" as {a.name}" if a.name else "")
    else:
        head = ("treaty" if a.form == TREATY else "propose") + (f" {a.name}" if a.name else "")
    public = " public" if a.public else ""
    return f"{head}{parties}{public}: {text_of_clauses(tables, a.clauses)}".rstrip()
