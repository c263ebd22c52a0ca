"""Sentences of clauses, as the editor shows them, rewritten in the notation (`describe_clause` reversed).

Rules: TRE-002, TRE-004, TRE-005
"""

from __future__ import annotations

import re
from collections.abc import Callable

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.text.display import drop_articles
from paxtui.games.pax.text.parsing import replace_group_names

Rewrite = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]


def _rewrites(*rules: tuple[str, str | Callable[[re.Match[str]], str]]) -> tuple[Rewrite, ...]:
    return tuple((re.compile(pattern, re.IGNORECASE | re.ASCII), to) for pattern, to in rules)


def _as_list(text: str) -> str:
    """Separate names by commas only."""
    return re.sub(r",? (?:and|or) ", ", ", text)


def _against(foes: str) -> str:
    return "" if foes.casefold() == "a power that has not signed" else f" against {_as_list(foes)}"


def _by(power: str) -> str:
    return "" if power.casefold() in ("no signer", "each signer") else f" by {power}"


_SENTENCES = _rewrites(
    (r"(.+) gives up its Casus Belli( against .+?)?(?: over( .+))?", r"\1 waives\3\2"),
    (r"(.+) lowers its marker in (.+) to an? (\S+)", r"\1 lowers \2 to \3"),
    (r"(.+) gives up (.+)", r"\1 leaves \2"),
    (r"The holder of (.+) hands it to (.+)", r"\1 to \2"),
    (r"(.+) hands its (?:Status )?marker in (.+) to (.+)", r"\1 transfers \2 to \3"),
    (r"(.+) hands its (\S+) in (.+) to (.+)", r"\1 transfers \2 \3 to \4"),
    (r"(.+) is a Codominion of (.+?)( as \S+)?( paid by .+)?", lambda m: (
        f"codominion of {m[1]} with {_as_list(m[2])}{m[3] or ''}{m[4] or ''}"
    )),
    (r"(.+?) lets (.+?) place an? (\S+) beside its own in (.+)", r"\1 grants \2 \3 in \4"),
    (r"The signers make peace", "peace"),
    (r"If (.+) declares? War on (?:another|a) signer, (.+) comes? to its defence", lambda m: (
        f"defensive{'' if m[2].casefold() == 'the others' else f' by {m[2]}'}{_against(m[1])}"
    )),
    (r"If (?:another|a) signer declares War on (.+), (.+) joins? it in the War", lambda m: (
        f"offensive{'' if m[2].casefold() == 'the others' else f' by {m[2]}'}{_against(m[1])}"
    )),
    (r"No signer declares War on another", "non-aggression"),
    (r"Once a signer is at War over a Casus Belli against (.+), the others have that Casus Belli too", lambda m: (
        f"shared cause{_against(m[1])}"
    )),
    (r"(.+) coals the Naval Units of (.+) in a War", r"\1 coals \2"),
    (r"(.+) places (?:no|any) (?:Status )?marker in (.+)", lambda m: f"no marker{_by(m[1])} in {_as_list(m[2])}"),
    (r"(.+) places (?:no|any) (\S+)(?: or higher marker)? in (.+)", lambda m: (
        f"no {m[2]}{_by(m[1])} in {_as_list(m[3])}"
    )),
    (r"(.+) keeps (at most|at least) (\d+) strength points? of (.+?) in (.+?)(?: together)?", lambda m: (
        f"{m[2]} {m[3]} {_units(m[4])}{_by(m[1])} in {_as_list(m[5])}"
    )),
    (r"(.+) keeps (?:no|any) (.+?) in (.+)", lambda m: f"no {_units(m[2])}{_by(m[1])} in {_as_list(m[3])}"),
    (r"No signer builds any (.+)", lambda m: f"all build no {_units(m[1])}"),
    (r"(.+) builds no (.+)", lambda m: f"{m[1]} builds no {_units(m[2])}"),
    (r"(.+) builds ((?:[AN]\d+|an? (?:Army|Naval) Unit).*)", lambda m: f"{m[1]} builds {_units(m[2])}"),
    (r"(.+) (votes \S+|abstains)(?: on what (.+?) proposes)?(?: about (.+))? in a Congress of Europe", lambda m: (
        f"{m[1]} {'votes abstain' if m[2].casefold() == 'abstains' else m[2]}"
        f"{f' for {m[3]}' if m[3] else ''}{f' on {_as_list(m[4])}' if m[4] else ''}"
    )),
)  # fmt: skip
"""Whole sentences without date and condition."""


def _units(text: str) -> str:
    """Return units in the notation: `an Army Unit` is `army`."""
    text = re.sub(r"\b(?:an? )?(Army|Naval) Units?\b", r"\1", _as_list(text), flags=re.IGNORECASE)
    return re.sub(r"\bMilitary Units\b", "units", text, flags=re.IGNORECASE).replace(",", "")


_PHRASES = _rewrites(
    (r"; who has no Control there yet gets an? ([^\s,;]+)", r" as \1"),
    (r"(?:; a new marker is|,) paid by ", " paid by "),
    (r" in (\d+) at the latest\b", r" by \1"),
    (r", up to and including (\d+)\b", r" until \1"),
)
"""Parts of sentences."""

_CONDITIONS = _rewrites(
    (r"(.+) are at War", r"war \1"),
    (r"(.+) is at War", r"war \1"),
    (r"(.+) has Control of (.+)", r"control \1 \2"),
    (r"there is Unrest in (.+)", r"unrest \1"),
)
"""Conditions of clauses."""

_ONCE = re.compile(r"Once ([^:]+): (.+)", re.IGNORECASE | re.DOTALL)
_DATES = re.compile(r"(?P<sentence>.+?)(?P<dates>(?: every (?:Game )?Turn| (?:in|by|until) \d{1,5})*)", re.IGNORECASE)


def notation_of_sentence(tables: Tables, text: str) -> str:
    """Return the notation of a clause that is written as `describe_clause` does; any other text unchanged."""
    if text.startswith('"'):  # a text of the players, which nobody rewrites
        return text
    words, upon = text.strip().removesuffix("."), ""
    if quoted := re.fullmatch(r"“(.*)”", words, re.DOTALL):
        return '"' + quoted[1].replace("\\", "\\\\").replace('"', '\\"') + '"'
    words = replace_group_names(tables, drop_articles(words))
    if once := _ONCE.fullmatch(words):
        upon, words = f" upon {_first_rewrite(_CONDITIONS, once[1])}", once[2]
    for pattern, to in _PHRASES:
        words = pattern.sub(to, words)
    found = _DATES.fullmatch(words)
    sentence = _first_rewrite(_SENTENCES, found["sentence"]) if found else ""
    changed = upon or words != text or (found and sentence != found["sentence"])
    return f"{sentence}{found['dates']}{upon}" if found and changed else text


def _first_rewrite(rules: tuple[Rewrite, ...], text: str) -> str:
    """Return the text by the first rule that matches all of it; without one the text itself."""
    for pattern, to in rules:
        if found := pattern.fullmatch(text):
            return found.expand(to) if isinstance(to, str) else to(found)
    return text
