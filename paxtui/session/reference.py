"""Reference for players: the glossary, remedies for refusals, and what belongs to a rule.

To a rule belong related rules, the orders and choices that it governs, and its source. A remedy is a sentence for each
code of a refusal: what would make the order legal.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions.forms import OrderForm
from paxtui.games.pax.actions.notation import ORDERS
from paxtui.games.pax.board.tables import Rule, Tables
from paxtui.session.tables.loader import load_rules
from paxtui.session.tables.records import TableError, read_struct, shipped_text

GLOSSARY_FILE = "glossary.toml"


class GlossaryTerm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word of the game."""

    name: str
    text: str
    also: tuple[str, ...] = ()
    sign: str = ""
    rules: tuple[str, ...] = ()
    see: tuple[str, ...] = ()


class _GlossaryFile(msgspec.Struct, forbid_unknown_fields=True):
    term: list[GlossaryTerm]


@cache
def load_glossary() -> dict[str, GlossaryTerm]:
    """Return the terms by name, in the order of the file.

    Raises:
        TableError: the file is broken, or names an unknown rule or term.
    """
    return read_glossary(shipped_text(GLOSSARY_FILE))


def read_glossary(text: str) -> dict[str, GlossaryTerm]:
    """Parse and check the text of a glossary file.

    Raises:
        TableError: as `load_glossary`.
    """
    terms = read_struct(GLOSSARY_FILE, text, _GlossaryFile).term

    def fault(term: GlossaryTerm, reason: str) -> TableError:
        at = text.find(f'name = "{term.name}"')
        return TableError(GLOSSARY_FILE, text.count("\n", 0, max(at, 0)) + 1, reason)

    found: dict[str, GlossaryTerm] = {}
    for term in terms:
        if term.name in found:
            raise fault(term, f"'{term.name}' appears twice (each term once)")
        found[term.name] = term
    rules = load_rules()
    for term in terms:
        for rule in term.rules:
            if rule not in rules:
                raise fault(term, f"there is no rule '{rule}' (an id of rules.tsv)")
        for name in term.see:
            if name not in found or name == term.name:
                raise fault(term, f"'see' names '{name}' (another term of the file)")
    return found


def find_terms(words: str) -> list[GlossaryTerm]:
    """Return the terms with all the words in name, spelling, sign or text; those with them in the name come first."""
    wanted = words.casefold().split()
    named: list[GlossaryTerm] = []
    described: list[GlossaryTerm] = []
    for term in load_glossary().values():
        names = " ".join((term.name, *term.also, term.sign)).casefold()
        if all(w in names for w in wanted):
            named.append(term)
        elif all(w in names or w in term.text.casefold() for w in wanted):
            described.append(term)
    exact = [t for t in named if words.casefold().strip() in (t.name.casefold(), *(a.casefold() for a in t.also))]
    return exact + [t for t in named if t not in exact] + described


@cache
def _term_patterns() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern that finds the terms in a text, and the term of each spelling."""
    owner = {spelling: term.name for term in load_glossary().values() for spelling in (term.name, *term.also)}
    longest_first = sorted(owner, key=len, reverse=True)
    return re.compile(r"\b(" + "|".join(map(re.escape, longest_first)) + r")\b"), owner


def terms_in(text: str) -> tuple[str, ...]:
    """Return the names of the terms that a text uses, in the order of the text. Capitals matter, as in the rules."""
    pattern, owner = _term_patterns()
    return tuple(dict.fromkeys(owner[m] for m in pattern.findall(text)))


def terms_of_rule(rule: str) -> tuple[str, ...]:
    """Return the names of the terms that cite a rule, then of those that its statement uses."""
    made = [term.name for term in load_glossary().values() if rule in term.rules]
    return tuple(dict.fromkeys((*made, *terms_in(load_rules()[rule].statement))))


REMEDIES_FILE = "remedies.tsv"


@cache
def load_remedies(file: str = REMEDIES_FILE) -> dict[str, str]:
    """Return the sentence of each code in a file of remedies.

    Raises:
        TableError: the file is broken.
    """
    found: dict[str, str] = {}
    for number, line in enumerate(shipped_text(file).split("\n"), 1):
        if number == 1 or not line:
            continue
        code, tab, sentence = line.partition("\t")
        if not tab or not sentence or "\t" in sentence:
            raise TableError(file, number, "a code and a sentence are expected (with one tab between)")
        if code in found:
            raise TableError(file, number, f"'{code}' is given twice (each code once)")
        found[code] = sentence
    return found


def remedy_of_code(code: str, file: str = REMEDIES_FILE) -> str:
    """Return the remedy for a code; "" if there is none. The given file comes first."""
    return load_remedies(file).get(code) or load_remedies().get(code, "")


def remedy_of(refusal: Refusal, file: str = REMEDIES_FILE) -> str:
    """Return what would make a refused order legal, for all of its problems."""
    codes = refusal.detail.get("problems", ())
    known = [c for c in codes if isinstance(c, str) and c in load_remedies()] if isinstance(codes, list) else []
    return " ".join(dict.fromkeys(remedy_of_code(c, file) for c in known or [refusal.code]))


CHOICES_FILE = "choices.toml"

CHAPTERS = {
    "SET": "board, pieces and set-up",
    "SEQ": "the Game Turn Sequence",
    "EVT": "Random Events",
    "ADM": "the Administrative Phase",
    "MIN": "Minor Powers",
    "STA": "placing and changing Status markers",
    "COD": "Codominions",
    "MOV": "movement in peace",
    "CAN": "canals",
    "BEL": "the Belgian player",
    "CCB": "Colonial Combat and Unrest",
    "NEG": "negotiation",
    "TRE": "Treaties",
    "CON": "the Congress of Europe",
    "CRI": "Chinese Resentment",
    "REB": "the Chinese Rebellion",
    "OTT": "the Ottoman Empire",
    "ETI": "European Tensions",
    "STR": "straits and canals in War",
    "AUS": "Austria-Hungary",
    "VIC": "Victory Points",
    "WAR": "War",
    "WMV": "movement in War",
    "WCB": "combat in War",
    "WCD": "Codominions in War",
    "SUP": "supply",
    "WEN": "the end of a War",
    "GWR": "the Great War",
    "PBM": "play by mail",
    "ORD": "General Orders",
}
"""What each chapter of the rules is about."""

EDITIONS = {
    "1985": "printed rules of 1985",
    "1993": "improvements of 1993",
    "oenglish": "consolidated rules of Mark O'English",
    "designer": "an answer of the designer",
    "optional": "optional rule",
}
"""Where a rule comes from, in words."""

PHASE_LABELS = {
    "any": "any Phase",
    "setup": "before the first turn",
    "movement": "Movement/Status Change Phase",
    "congress": "Congress of Europe",
    "victory": "Victory Point Record Phase",
    "final": "Final Record Phase",
    "optional": "optional rules",
    "pbm": "play by mail",
    "orders": "General Orders",
}
"""When a rule applies, where its Phase has another name than `phase`."""

PART_VERBS = {"3": "treaty", "4": "attack", "7": "adjudicate"}
"""A part of the game is played when the notation has this verb: part 7, play by mail, by the arbiter's."""

RECONSTRUCTED_RULES = {
    "turns": ("SET-034", "SET-035", "SET-064", "MOV-004", "ETI-004", "ETI-005", "GWR-003", "VIC-018", "VIC-019"),
    "chinese_armies": ("REB-007", "REB-008", "CRI-009"),
    "counters": ("SET-039", "SET-040", "SET-042", "SET-046", "BEL-002"),
    "bonuses_per_turn": ("VIC-003", "VIC-009", "VIC-010"),
    "bonuses_at_end": ("VIC-003", "VIC-015"),
    "placement_effects": ("STA-024", "WAR-030"),
    "causes": ("SET-070", "WAR-027", "WAR-067", "WAR-068"),
}
"""Rules whose figures stand in a table, by the field of `Tables`: where that table is reconstructed they are ours."""

_ID = re.compile(r"\b([A-Z]{3})-(\d{3})(?: to [A-Z]{3}-(\d{3}))?\b")
_PASSAGE = re.compile(r"^(?:(S\d):)?\s*L?(\d+)(?:-(\d+))?$")
_EVENT = re.compile(r"^table (\d-\d)$")


class ChoiceRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of pending choice and the rules that govern it."""

    kind: str
    what: str
    rules: tuple[str, ...]


class _ChoicesFile(msgspec.Struct, forbid_unknown_fields=True):
    choice: list[ChoiceRules]


MOST_RELATED = 8
"""Maximum number of rules of the same lines that are shown beside a rule."""


class RelatedRules(NamedTuple):
    """Related rules, by id."""

    names: tuple[str, ...]
    named_by: tuple[str, ...]
    same_lines: tuple[str, ...]
    before: str
    after: str


# --- orders and choices -----------------------------------------------------------------------------------------------


@cache
def load_choices() -> dict[str, ChoiceRules]:
    """Return the kinds of choice, with their rules one by one.

    Raises:
        TableError: the file is broken or names an unknown rule.
    """
    file = read_struct(CHOICES_FILE, shipped_text(CHOICES_FILE), _ChoicesFile)
    return {c.kind: msgspec.structs.replace(c, rules=_expand_rules(c.rules)) for c in file.choice}


@cache
def rules_of_orders() -> dict[str, tuple[str, ...]]:
    """Return the rules that govern each order, one by one, by its verb. Orders of the arbiter are left out."""
    return {verb: _expand_rules(form.rules) for verb, form in ORDERS.items() if not form.is_arbiters}


def _expand_rules(ids: tuple[str, ...]) -> tuple[str, ...]:
    """Replace ranges by their rules: "STA-001..STA-003" is three.

    Raises:
        TableError: an end of a range is no rule.
    """
    rules, out = load_rules(), []
    for text in ids:
        first, _, last = text.partition("..")
        for end in (first, last or first):
            if end not in rules:
                raise TableError(CHOICES_FILE, 1, f"there is no rule '{end}' (an id of rules.tsv)")
        chapter, low = first.split("-")
        high = int((last or first).split("-")[1])
        out += [i for n in range(int(low), high + 1) if (i := f"{chapter}-{n:03}") in rules]
    return tuple(dict.fromkeys(out))


def orders_of(rule: str) -> tuple[OrderForm, ...]:
    """Return the orders that a rule governs."""
    return tuple(ORDERS[verb] for verb, rules in rules_of_orders().items() if rule in rules)


def choices_of(rule: str) -> tuple[ChoiceRules, ...]:
    """Return the kinds of choice that a rule governs."""
    return tuple(c for c in load_choices().values() if rule in c.rules)


# --- rules beside a rule ----------------------------------------------------------------------------------------------


def rules_named_in(text: str) -> tuple[str, ...]:
    """Return the ids of the rules that a text names; "ABC-001 to ABC-003" is a range."""
    rules, out = load_rules(), []
    for chapter, low, high in _ID.findall(text):
        out += [f"{chapter}-{n:03}" for n in range(int(low), int(high or low) + 1)]
    return tuple(i for i in dict.fromkeys(out) if i in rules)


def rule_passages(rule: Rule) -> frozenset[str]:
    """Return the lines of the rulebook that a rule rests on: "45", "S2:20", "table 1-1"."""
    out: set[str] = set()
    for cited in rule.lines.split(";"):
        event = _EVENT.match(cited.strip())
        lines = _PASSAGE.match(cited.strip())
        if event:
            out.add(f"table {event.group(1)}")
        elif lines:
            source, low, high = lines.groups()
            out.update(f"{source}:{n}" if source else str(n) for n in range(int(low), int(high or low) + 1))
    return frozenset(out)


@cache
def _by_passage() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for rule in load_rules().values():
        for passage in rule_passages(rule):
            found.setdefault(passage, []).append(rule.id)
    return {passage: tuple(ids) for passage, ids in found.items()}


@cache
def _named_by() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for rule in load_rules().values():
        for other in rules_named_in(rule.statement):
            if other != rule.id:
                found.setdefault(other, []).append(rule.id)
    return {name: tuple(ids) for name, ids in found.items()}


def related_rules(id_: str) -> RelatedRules:
    """Return the rules that a rule names, those that name it, those of the same lines, and its neighbours.

    Of the rules of the same lines, those that share the rarest lines come first.
    """
    rules = load_rules()
    rule, order = rules[id_], list(rules)
    names = tuple(i for i in rules_named_in(rule.statement) if i != id_)
    weight: dict[str, float] = {}
    for passage in rule_passages(rule):
        here = _by_passage()[passage]
        for other in here:
            weight[other] = weight.get(other, 0.0) + 1.0 / len(here)
    weight.pop(id_, None)
    same = sorted(weight, key=lambda i: (-weight[i], order.index(i)))[:MOST_RELATED]
    at = order.index(id_)
    near = [order[n] if 0 <= n < len(order) and order[n][:3] == id_[:3] else "" for n in (at - 1, at + 1)]
    return RelatedRules(names, _named_by().get(id_, ()), tuple(same), near[0], near[1])


# --- where a rule comes from ------------------------------------------------------------------------------------------


def phase_of(rule: Rule) -> str:
    """Return when a rule applies, in words."""
    return PHASE_LABELS.get(rule.phase) or f"{rule.phase.replace('_', ' ').title()} Phase"


def rule_origin(rule: Rule) -> str:
    """Return edition and lines of a rule, in words, without quotations."""
    lines = "; ".join(part.strip() for part in rule.lines.split(";") if '"' not in part)
    source = EDITIONS.get(rule.edition, rule.edition)
    return f"{source}, {lines}" if lines else source


def is_played(rule: Rule) -> bool:
    """Return whether this version plays the part of the game that a rule belongs to."""
    return rule.part == "1" or PART_VERBS.get(rule.part, "") in ORDERS


def is_reconstructed(rule: Rule, tables: Tables) -> bool:
    """Return whether figures of a rule come from a reconstructed table."""
    return any(rule.id in RECONSTRUCTED_RULES.get(field, ()) for field in tables.reconstructed)


def rule_remarks(rule: Rule, tables: Tables) -> list[str]:
    """Return reservations about a rule: a ruling, reconstructed figures, a part not played."""
    out = []
    if rule.kind == "ruling":
        out.append("Our ruling: the rules do not say, or contradict each other.")
    if rule.edition == "optional" or rule.kind == "optional":
        out.append("Applies only with its option.")
    if is_reconstructed(rule, tables):
        out.append("Its figures are reconstructed, because the printed ones are not public (--tables replaces them).")
    if not is_played(rule):
        out.append("This version does not include this part of the game yet.")
    return out
