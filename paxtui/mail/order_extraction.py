"""Extract the orders from a letter: skip quotes, greetings and signatures, and join wrapped lines.

Nothing is dropped silently: each skipped line is listed. A line that looks like an order but cannot be read is a fault.

Rules: PBM-018
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import NamedTuple

from paxtui.games.pax.actions import notation
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.mail import forms
from paxtui.games.pax.mail.forms import HEADER_KEYS, FormFault, OrderForm, parse_form, strip_comment

WRAP_WIDTH = 58
"""Minimum length of a line wrapped by a mail program, counting the first word of the next line."""

REMARK_WIDTH = 70
"""The same for remarks: the blank form has long ones."""

MOST_JOINED = 6
"""Maximum number of lines of one wrapped order."""

NO_ORDERS = ("no orders", "no orders.", "no order", "none")
WITHDRAW_LINE = re.compile(r"(withdraw|cancel) (my |the )?(form|orders)[.!]?", re.IGNORECASE)
END_LINE = re.compile(r"end[.!]?", re.IGNORECASE)

REMEDY = (
    "If such a line is not an order, begin it with '#', or write END on a separate line after your last order and "
    "everything else below it."
)

_VERBS = tuple(dict.fromkeys((*notation.ORDERS, *forms.INSTRUCTION_VERBS, "accept")))
_UNITS = re.compile(r"\b[AN]\d{1,2}\b")
_ARROW = re.compile(r"\w\s*(?:->|=>|>|→)\s*\w")
_PIECES = re.compile(r"\b(interest|influence|protectorate|possession|colony|dominion)\b", re.IGNORECASE)
_BULLET = re.compile(r"(?:[-*•–·]|\d{1,2}[.)])\s+")
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f"))
_PLAIN = {ord(sign): plain for plain, signs in ((" ", "\u00a0\u202f"), ('"', "“”„"), ("'", "’‘")) for sign in signs}

_QUOTED = re.compile(r"\s*>")
_DAY = r"(?=.*(?:\d|@))"
_ATTRIBUTION = re.compile(
    rf"(?:(?:on|le|el|il|em|no dia|a)\b{_DAY}.*\b(?:wrote|a écrit|escribió|ha scritto|escreveu)"
    rf"|am\b{_DAY}.*\bschrieb\b.*"
    r"|.{0,200}(?:<[^<>]*@[^<>]*>|@).{0,120}\b(?:wrote|schrieb|a écrit|escribió|ha scritto|escreveu))"
    r"\s*:",
    re.IGNORECASE,
)
_ATTRIBUTION_BEGINS = re.compile(r"(?:on|am|le|el|il|em|no dia|a)\b.*\d|.*<", re.IGNORECASE)
_ORIGINAL = re.compile(
    r"\s*-{2,}\s*(?:original (?:message|appointment)|ursprüngliche nachricht|original-?nachricht|message d'origine|"
    r"message original|mensaje original|messaggio originale|mensagem original|forwarded message|"
    r"weitergeleitete nachricht|message transféré|mensaje reenviado|messaggio inoltrato|mensagem "
    r"encaminhada)\s*-{2,}\s*",
    re.IGNORECASE,
)
_FROM = re.compile(r"\**(?:from|von|de|da)\s*:\**\s*\S", re.IGNORECASE)
_SENT = re.compile(
    r"\**(?:sent|date|gesendet|datum|envoyé|enviado(?: el)?|enviada(?: em)?|fecha|inviato|data)\s*:", re.IGNORECASE
)
_RULE = re.compile(r"\s*_{8,}\s*")
_FOOTER = re.compile(
    r"(?:sent from (?:my|outlook|gmail|yahoo|the all)|get outlook for|von meinem .{1,40} gesendet|gesendet (?:von|mit)|"
    r"diese nachricht wurde von|envoyé (?:de(?:puis)?|à partir)|télécharge[rz] outlook|enviado (?:desde|do|a partir)|"
    r"obtener outlook|obter o outlook|inviato da|scarica outlook|outlook für|holen sie sich outlook)\b.*",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:(?:kind|best|warm|many)\s+)?(?:regards|wishes|thanks|cheers|best|greetings|sincerely|yours|"
    r"viele grüße|mit freundlichen grüßen|liebe grüße|beste grüße|gruß|lg|mfg|danke|"
    r"cordialement|bien à (?:toi|vous)|amicalement|merci|salutations|bonne journée|"
    r"saludos|un saludo|atentamente|gracias|un abrazo|"
    r"cordiali saluti|un saluto|saluti|a presto|grazie|"
    r"atenciosamente|cumprimentos|abraços|obrigad[oa]|um abraço)\b",
    re.IGNORECASE,
)


class ExtractedOrders(NamedTuple):
    """Orders found in a letter.

    Attributes:
        text: The form, one order a line; "" for none.
        ignored: Lines not read as orders, described in words.
        joined: Orders that were joined from several lines.
        faults: Unreadable lines that look like orders, with their line in the letter.
        no_orders: The letter says that there are no orders.
        withdraws: The letter withdraws the previous form.
    """

    text: str = ""
    ignored: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    faults: tuple[FormFault, ...] = ()
    no_orders: bool = False
    withdraws: bool = False

    @property
    def has_orders(self) -> bool:
        """Whether there is any order or standing instruction, readable or not."""
        return bool(self.faults) or has_orders(self.text)


class SenderLine(NamedTuple):
    """A line written by the sender.

    Attributes:
        number: Line number in the letter, from 1.
        text: Text of the line.
    """

    number: int
    text: str


def has_orders(form: str) -> bool:
    """Whether a form has a line other than remarks, head lines and headings."""
    for line in form.splitlines():
        stripped = strip_comment(line).strip().casefold()
        name, colon, _ = stripped.partition(":")
        if stripped and not (colon and name.strip() in HEADER_KEYS) and not _heading(line):
            return True
    return False


def _heading(line: str) -> str:
    """Return the word of a heading, `standing` or `orders`; "" for another line."""
    name, colon, value = strip_comment(line).strip().casefold().partition(":")
    return name.strip() if colon and name.strip() in ("standing", "orders") and not value.strip() else ""


# --- what the sender wrote ------------------------------------------------------------------------------------------


def split_quotes(text: str) -> tuple[list[SenderLine], list[str]]:
    """Separate the sender's lines from quoted text, the signature and everything below END.

    Returns: the sender's lines, and a description of what was left out.
    """
    lines = [line.translate(_INVISIBLE).translate(_PLAIN) for line in text.splitlines()]
    own: list[SenderLine] = []
    ignored: list[str] = []
    quoted: list[int] = []
    n = 0
    while n < len(lines):
        line = lines[n]
        stripped = line.strip()
        rest = f"line {n + 1}" if n + 1 == len(lines) else f"lines {n + 1} to {len(lines)}"
        if line.rstrip() == "--":
            ignored.append(f"{rest}: your signature")
            break
        if END_LINE.fullmatch(stripped):
            ignored.append(f"{rest}: everything from END on")
            break
        if _starts_original(lines, n):
            ignored.append(f"{rest}: the quoted letter")
            break
        if _QUOTED.match(line):
            while own and not own[-1].text.strip():
                own.pop()
            if own and _is_attribution_before_quote(own[-1].text):
                quoted.append(own.pop().number)
            quoted.append(n + 1)
            n += 1
            continue
        if length := _attribution_length(lines, n):
            following = next((one for one in lines[n + length :] if one.strip()), "")
            if _QUOTED.match(following):
                quoted += range(n + 1, n + length + 1)
                n += length
                continue
            ignored.append(f"{rest}: the quoted letter")
            break
        own.append(SenderLine(n + 1, line))
        n += 1
    if quoted:
        ignored.append(f"{_line_ranges(sorted(quoted))}: quoted")
    return own, ignored


def _line_ranges(numbers: list[int]) -> str:
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number <= spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    ranges = ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in spans)
    return f"line {ranges}" if len(numbers) == 1 else f"lines {ranges}"


def _starts_original(lines: list[str], n: int) -> bool:
    """Whether a quoted letter without '>' begins at a line: a separator, or Outlook's header."""
    if _ORIGINAL.fullmatch(lines[n]):
        return True
    start = n
    if _RULE.fullmatch(lines[n]):
        start = next((k for k in range(n + 1, min(n + 4, len(lines))) if lines[k].strip()), n)
    head = [line.strip() for line in lines[start : start + 5]]
    return bool(_FROM.match(head[0])) and any(_SENT.match(line) for line in head[1:])


def _attribution_length(lines: list[str], n: int) -> int:
    """Return how many lines from `n` on attribute a quotation; 0 for none."""
    if not _ATTRIBUTION_BEGINS.match(lines[n].strip()):
        return 0
    joined = ""
    for length, line in enumerate(lines[n : n + 4], 1):
        if not line.strip() or _QUOTED.match(line):
            return 0
        joined = f"{joined} {line.strip()}".strip()
        if _ATTRIBUTION.fullmatch(joined):
            return length
    return 0


def _is_attribution_before_quote(line: str) -> bool:
    """Whether a line directly before a quotation attributes it, and is not a form line."""
    stripped = line.strip().casefold()
    if not stripped.endswith(":") or stripped in ("standing:", "orders:") or len(stripped.split()) < 2:
        return False
    return stripped.split()[0] not in _VERBS and not stripped.startswith(("if ", "unless "))


# --- orders among other lines -----------------------------------------------------------------------------------------


def extract_orders(tables: Tables, text: str, own: tuple[str, ...] = ()) -> ExtractedOrders:
    """Extract the orders from a letter.

    Args:
        tables: Static game data.
        text: Text of the letter.
        own: Powers of the sender's seat.
    """
    pieces, ignored = split_quotes(text)
    if sum(len(piece.text) for piece in pieces) > forms.MAX_FORM_LENGTH:
        return ExtractedOrders(faults=(FormFault(1, 1, f"A form is limited to {forms.MAX_FORM_LENGTH} characters."),))
    return _Extraction(tables, own, pieces, ignored).result()


class _Extraction:
    """Builds a form from the lines of a letter."""

    def __init__(self, tables: Tables, own: tuple[str, ...], pieces: list[SenderLine], ignored: list[str]) -> None:
        self.tables, self.own, self.pieces, self.ignored = tables, own, pieces, ignored
        self.lines: list[str] = []
        self.joined: list[str] = []
        self.faults: list[FormFault] = []
        self.standing = self.no_orders = self.withdraws = False
        names = [name for key, row in tables.areas.items() for name in (key, row.name)]
        names += [name for key, row in tables.powers.items() for name in (key, row.name)]
        self._names = frozenset(name.casefold() for name in names)

    def result(self) -> ExtractedOrders:
        n = 0
        while n < len(self.pieces):
            n += self._take(n)
        text = "\n".join(self.lines) + "\n" if self.lines else ""
        return ExtractedOrders(
            text, tuple(self.ignored), tuple(self.joined), tuple(self.faults), self.no_orders, self.withdraws
        )

    def _take(self, n: int) -> int:
        """Read the order that begins at a line. Returns: the number of lines used."""
        number, raw = self.pieces[n]
        stripped = raw.strip()
        if not stripped:
            return 1
        if stripped.startswith("#"):
            return 1 + self._remark_goes_on(n)
        if stripped.casefold() in NO_ORDERS:
            self.no_orders = True
            return 1
        if WITHDRAW_LINE.fullmatch(stripped):
            self.withdraws = True
            return 1
        if _FOOTER.fullmatch(stripped):
            self._ignore(number, stripped)
            return 1
        best = self._joined(n)
        if best is not None:
            line, count = best
            self._keep(line)
            if count > 1:
                self.joined.append(f"lines {number} to {self.pieces[n + count - 1].number}: {line}")
            return count
        if self._looks_like_order(stripped):
            _, faults = self._read(stripped)
            fault = faults[0]
            self.faults.append(FormFault(number, fault.column + len(raw) - len(raw.lstrip()), fault.message))
        else:
            self._ignore(number, stripped)
        return 1

    def _joined(self, n: int) -> tuple[str, int] | None:
        """Return the longest order that begins at a line and its number of lines; None for none."""
        line = _tidy(self.pieces[n].text)
        found: tuple[str, int] | None = None
        alone = self._readable(line)
        if alone is not None:
            found = alone, 1
        indent = _indent(self.pieces[n].text)
        for count in range(2, MOST_JOINED + 1):
            if n + count > len(self.pieces):
                break
            before, piece = self.pieces[n + count - 2], self.pieces[n + count - 1]
            stripped = _tidy(piece.text)
            if not stripped or piece.number != before.number + 1 or self._stands_alone(stripped):
                break
            is_wrapped = len(before.text.rstrip()) + 1 + len(stripped.split()[0]) >= WRAP_WIDTH
            if found is not None and not is_wrapped and _indent(piece.text) <= indent:
                break
            line = f"{line} {stripped}"
            whole = self._readable(line)
            if whole is not None:
                found = whole, count
        return found

    def _stands_alone(self, stripped: str) -> bool:
        """Whether a line cannot continue an order: it is an order, a greeting or a remark."""
        if stripped.startswith("#") or stripped.casefold() in NO_ORDERS or WITHDRAW_LINE.fullmatch(stripped):
            return True
        return bool(_CLOSING.match(stripped) or _FOOTER.fullmatch(stripped)) or self._is_read(stripped)

    def _readable(self, line: str) -> str | None:
        """Return a line without bullet, emphasis and full stop; None if it cannot be read."""
        forms = dict.fromkeys((line, _BULLET.sub("", line, count=1), line.strip("*_ ")))
        for form in (*forms, *(form.rstrip(" .,;!") for form in forms)):
            if form and self._is_read(form):
                return form
        return None

    def _read(self, line: str) -> tuple[OrderForm, tuple[FormFault, ...]]:
        if not self.standing:
            return parse_form(self.tables, line, self.own)
        form, faults = parse_form(self.tables, f"standing:\n{line}", self.own)
        return form, tuple(fault._replace(line=fault.line - 1) for fault in faults)

    def _is_read(self, line: str) -> bool:
        """Whether a line is a readable order, instruction, head line or heading."""
        form, faults = self._read(line)
        if faults:
            return False
        return bool(form.orders or form.standing or form.head or _heading(line))

    def _keep(self, line: str) -> None:
        if heading := _heading(line):
            self.standing = heading == "standing"
        self.lines.append(line)

    def _ignore(self, number: int, stripped: str) -> None:
        shown = stripped if len(stripped) <= 60 else f"{stripped[:57]}..."
        self.ignored.append(f"line {number}: {shown}")

    def _remark_goes_on(self, n: int) -> int:
        """Return how many lines below a remark belong to it, wrapped by the mail program."""
        count = 0
        while n + count + 1 < len(self.pieces):
            before, piece = self.pieces[n + count], self.pieces[n + count + 1]
            stripped = piece.text.strip()
            if not stripped or stripped.startswith("#") or self._is_read(stripped):
                break
            if len(before.text) + 1 + len(stripped.split()[0]) < REMARK_WIDTH:
                break
            count += 1
        return count

    def _looks_like_order(self, stripped: str) -> bool:
        """Whether a line may be meant as an order."""
        bare = _BULLET.sub("", _tidy(stripped), count=1)
        words = [word.strip(".,;:!?*()\"'").casefold() for word in bare.split()]
        first = words[0] if words else ""
        after_power = words[1] if len(words) > 1 and first in self._names else ""
        if first in (*_VERBS, "if", "unless", "standing") or after_power in _VERBS:
            return True
        if len(first) > 3 and get_close_matches(first, _VERBS, n=1, cutoff=0.83):
            return True
        if _UNITS.search(bare) or _ARROW.search(bare):
            return True
        named = any(word in self._names for word in words)
        if named and _PIECES.search(bare):
            return True
        return named and any(word in _VERBS for word in words[1:5])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _tidy(line: str) -> str:
    return " ".join(line.split())
