"""Order forms of a mail game: data model and parser. Each fault has its line, column and remedy.

    game: 5f0c12                     the header names the game, stop and seat
    place protectorate tunis if britain places protectorate tunis
    if anyone places control tunis: place protectorate tunis; move A3 A3 home > tunis
    build A3                         # a comment
    accept 20 from france
    standing:
    decline tunis

Rules: PBM-015, PBM-018, PBM-019, PBM-079, PBM-082, PBM-083, PBM-119, PBM-126 (R-PBM-01, R-PBM-12, R-PBM-23)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from paxtui.engine.free_text import clean_text
from paxtui.engine.game import Redo, Undo
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.actions import Action
from paxtui.games.pax.actions.dispatches import Dispatch
from paxtui.games.pax.actions.notation import FREE_TEXT_VERBS, parse_order
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.mail.conditions import AllCondition, Condition, NotCondition, parse_condition
from paxtui.games.pax.state.diplomacy import CONGRESS
from paxtui.games.pax.text.parsing import WordReader, name_index


class AcceptOrder(msgspec.Struct, frozen=True):
    """Accept a gift that another Power orders (`accept 20 from france`, `accept tunis from france`).

    Attributes:
        giver: the Power that gives.
        amount: exact amount in pounds; 0 for a marker.
        area: the Area of the marker; "" for money.
        power: the recipient; "" for the seat's own Power.
    """

    giver: str
    amount: int = 0
    area: str = ""
    power: str = ""


class FormOrder(msgspec.Struct, frozen=True):
    """One order of a form. All its actions are carried out in sequence, or none.

    Attributes:
        line: line in the form, from 1.
        text: the original text.
        acts: the actions.
        condition: what others must do; None for an unconditional order.
    """

    line: int
    text: str
    acts: tuple[Action | AcceptOrder, ...]
    condition: Condition | None = None


class StandingInstruction(msgspec.Struct, frozen=True):
    """The answer to a choice that the game does not stop for.

    Attributes:
        line: line in the form, from 1.
        text: the original text.
        verb: one of `INSTRUCTION_VERBS`.
        area: the Area it is about; "" for a deficit.
        answer: the options named.
        if_unrest: applies only while the Unrest remains.
    """

    line: int
    text: str
    verb: str
    area: str = ""
    answer: tuple[str, ...] = ()
    if_unrest: bool = False


class OrderForm(msgspec.Struct, frozen=True):
    """The orders and instructions of a seat for one stop.

    Attributes:
        orders: in sequence of execution; earlier orders have priority for money and pieces.
        standing: instructions for later choices.
        head: header fields (game, stop, seat), by name.
    """

    orders: tuple[FormOrder, ...] = ()
    standing: tuple[StandingInstruction, ...] = ()
    head: dict[str, str] = {}


class FormFault(NamedTuple):
    """A fault in a form.

    Attributes:
        line, column: position, both from 1.
        message: what is wrong and how to correct it.
    """

    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


MAX_FORM_LENGTH = 64 * 1024
"""Maximum length of a form, in characters."""

MAX_ORDERS = 300
"""Maximum number of orders and standing instructions in a form."""

HEADER_KEYS = ("game", "stop", "seat", "extend", "vacation")
"""Header fields. `extend: 3` asks the gamemaster for three more days; `vacation: 14` lets a bot play the seat for
14 days.
"""

_VACATION = re.compile(r"[1-9]\d{0,2}|until (?:\d{4}|\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))", re.ASCII)

CONDITIONAL = (
    actions.Place,
    actions.Upgrade,
    actions.Downgrade,
    actions.Withdraw,
    actions.Build,
    actions.Move,
    actions.Merchant,
    actions.Canal,
    actions.Garrison,
    actions.Pay,
    actions.Transfer,
    actions.Attack,
    AcceptOrder,
)
"""Actions that can have a condition."""

_NOT_BY_MAIL: dict[type[object], str] = {
    Undo: "to change your orders, send a new form before the deadline",
    Redo: "to change your orders, send a new form before the deadline",
    Dispatch: "send letters to the others by mail",
    actions.Ready: "a form is ready when it is sent",
    actions.Unready: "a form is ready when it is sent",
    actions.Pass: "a form without further orders passes",
    **dict.fromkeys(
        (actions.Advance, actions.Step, actions.SetPosition, actions.Abandon, actions.Adjudicate),
        "only the arbiter does that",
    ),
}
_LEADING = re.compile(r"(if|unless)(?!\S)", re.IGNORECASE)
_TRAILING = re.compile(r"\s(if|unless)(?=\s|$)", re.IGNORECASE)
_SECRET = re.compile(r"\ssecret\s*$", re.IGNORECASE)
"""The words that make a whole Treaty secret (S3:L57)."""
_WORD = re.compile(r"\S+")
_POWER = re.compile(r"\s*[\w .'’-]{2,30}:(?!\S*:)\s*")


def parse_form(tables: Tables, text: str, own: tuple[str, ...] = ()) -> tuple[OrderForm, tuple[FormFault, ...]]:
    """Parse a form; return it with all faults. A form with faults contains the parts that could be parsed.

    `own` are the Powers of the seat that sends it, if known.
    """
    if len(text) > MAX_FORM_LENGTH:
        message = f"A form has at most {MAX_FORM_LENGTH} characters; this one has {len(text)}."
        return OrderForm(), (FormFault(1, 1, message),)
    reader = _FormParser(tables, own)
    for number, line in enumerate(text.splitlines(), 1):
        reader.line(number, line)
    return OrderForm(tuple(reader.orders), tuple(reader.standing), reader.head), tuple(reader.faults)


def _is_vacation(value: str) -> bool:
    """Whether a text is a number of days, a Game Turn or a date."""
    if not _VACATION.fullmatch(value):
        return False
    until = value.removeprefix("until ")
    if "-" not in until:
        return True
    year, month, day = map(int, until.split("-"))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return year > 0 and day <= (31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


def strip_comment(line: str) -> str:
    """Remove a comment: a hash at the start of a word, outside quotation marks, and the rest of the line."""
    quoted = False
    for n, sign in enumerate(line):
        if sign == '"':
            quoted = not quoted
        elif sign == "#" and not quoted and (n == 0 or line[n - 1].isspace()):
            return line[:n]
    return line


class _FormParser:
    """Parses a form line by line."""

    def __init__(self, tables: Tables, own: tuple[str, ...]) -> None:
        self.tables, self.own = tables, own
        self.orders: list[FormOrder] = []
        self.standing: list[StandingInstruction] = []
        self.head: dict[str, str] = {}
        self.faults: list[FormFault] = []
        self._instructs = self._full = False

    def line(self, number: int, line: str) -> None:
        text = strip_comment(line).rstrip()
        column = len(text) - len(text.lstrip()) + 1
        text = text.strip()
        if not text or self._full:
            return
        name, colon, value = text.partition(":")
        name = name.strip().casefold()
        if colon and name in ("standing", "orders") and not value.strip():
            self._instructs = name == "standing"
            return
        if colon and name == "extend" and not re.fullmatch(r"[1-9]\d?", value.strip(), re.ASCII):
            self.faults.append(FormFault(number, column, "Write a number of days, as in 'extend: 3'."))
            return
        if not colon and name.startswith("vacation "):
            name, colon, value = "vacation", ":", name.removeprefix("vacation ")
        if colon and name == "vacation":
            value = " ".join(value.casefold().split())
            if not _is_vacation(value):
                self.faults.append(FormFault(
                    number, column, "Write days, a Game Turn or a date: 'vacation: 14', 'vacation: until 1888', "
                    "'vacation: until 2026-12-24'.",
                ))  # fmt: skip
                return
        if colon and name in HEADER_KEYS:
            self.head[name] = value.strip()
            return
        if len(self.orders) + len(self.standing) >= MAX_ORDERS:
            self._full = True
            message = f"A form has at most {MAX_ORDERS} orders. This line and all later lines were not read."
            self.faults.append(FormFault(number, column, message))
            return
        try:
            if self._instructs or text.partition(" ")[0].casefold() in ANYWHERE:
                self.standing.append(self._instruction(number, text))
            else:
                self.orders.append(self._order(number, column, text))
        except Refusal as refusal:
            at = refusal.detail.get("column", column)
            self.faults.append(FormFault(number, at if isinstance(at, int) else column, refusal.message))

    def _order(self, number: int, column: int, text: str) -> FormOrder:
        """Parse an order with a condition before or after it. Raises: Refusal with `column`."""
        conditions: list[Condition] = []
        body, at = text, column
        if leading := _LEADING.match(body):
            head, colon, rest = body[leading.end() :].partition(":")
            if not colon:
                message = "Write ':' and an order after the condition, as in 'if france builds A3: build A3'."
                raise Refusal("condition", (), message, column=column + len(text))
            conditions.append(self._condition(leading[1], head, at + leading.end()))
            at += leading.end() + len(head) + 1
            body = rest
            at += len(body) - len(body.lstrip())
            body = body.strip()
        if not _is_wordy(body) and (trailing := _TRAILING.search(body)):
            conditions.append(self._condition(trailing[1], body[trailing.end() :], at + trailing.end()))
            body = body[: trailing.start()].rstrip()
        acts = tuple(self._acts(body, at))
        if conditions and not all(isinstance(act, CONDITIONAL) for act in acts):
            message = "Only orders of the Movement/Status Change Phase, and attacks, may have a condition."
            raise Refusal("condition", ("PBM-015", "PBM-079"), message, column=column)
        condition = conditions[0] if len(conditions) == 1 else AllCondition(tuple(conditions)) if conditions else None
        return FormOrder(number, text, acts, condition)

    def _condition(self, word: str, text: str, column: int) -> Condition:
        condition = parse_condition(self.tables, text, column, self.own)
        return condition if word.casefold() == "if" else NotCondition(condition)

    def _acts(self, body: str, column: int) -> list[Action | AcceptOrder]:
        """Parse the actions of an order, separated by semicolons. Raises: Refusal with `column`."""
        acts: list[Action | AcceptOrder] = []
        at = column
        for piece in [body] if _is_wordy(body) else body.split(";"):
            start = at + len(piece) - len(piece.lstrip())
            if piece.strip() or not acts:
                acts.append(self._act(piece.strip(), start))
            at += len(piece) + 1
        return acts

    def _act(self, text: str, column: int) -> Action | AcceptOrder:
        try:
            accept = self._accept(text)
            order = accept if accept is not None else parse_order(self.tables, text)
        except Refusal as refusal:
            word = refusal.detail.get("position", 1)
            raise Refusal(
                refusal.code, refusal.rules, refusal.message,
                column=column + _column_of(text, word if isinstance(word, int) else 1),
            ) from None  # fmt: skip
        if isinstance(order, AcceptOrder):
            return order
        if isinstance(order, actions.Draft) and order.form != CONGRESS and not _SECRET.search(text.partition(":")[0]):
            order = replace(order, public=not order.clauses or not all(clause.secret for clause in order.clauses))
        why = _NOT_BY_MAIL.get(type(order))
        if why is not None or not isinstance(order, Action):
            raise Refusal("not_by_mail", (), f"'{text.split()[0]}' cannot be used in a form: {why}.", column=column)
        return order

    def _accept(self, text: str) -> AcceptOrder | None:
        """Parse `accept 20 from france` or `accept tunis from france`; None for other orders. Raises: Refusal."""
        prefix = _POWER.match(text)
        power, body, first = "", text, 1
        if prefix is not None and text[prefix.end() :].casefold().startswith("accept"):
            power = name_index(self.tables).powers.find(prefix.group().strip().removesuffix(":"), 1)
            body, first = text[prefix.end() :], 1 + len(prefix.group().split())
        words = WordReader(self.tables, body, first)
        if not words.words or words.words[0].casefold() != "accept":
            return None
        words.take("accept")
        what, giver = words.split("from")
        if giver is None:
            message = "Name the giver after 'from', as in 'accept 20 from france' or 'accept tunis from france'."
            raise Refusal("notation", (), message, position=first + len(body.split()) - 1)
        if re.fullmatch(r"£?\d{1,9}£?", what.text, re.ASCII):
            return AcceptOrder(giver.power(), amount=what.number("an amount in pounds"), power=power)
        return AcceptOrder(giver.power(), area=what.area(), power=power)

    def _instruction(self, number: int, text: str) -> StandingInstruction:
        """Parse a standing instruction. Raises: Refusal."""
        verb, _, rest = text.partition(" ")
        read = _INSTRUCTIONS.get(verb.casefold())
        if read is None:
            message = f"A standing instruction begins with {', '.join(_INSTRUCTIONS)}, not with '{verb[:40]}'."
            raise Refusal("standing", (), message)
        area, answer, if_unrest = read(self.tables, rest.strip())
        return StandingInstruction(number, text, verb.casefold(), area, answer, if_unrest)


def _is_wordy(body: str) -> bool:
    """Whether an order contains free text, which is not searched for keywords."""
    verb = _POWER.sub("", body, count=1) if not body.casefold().startswith(FREE_TEXT_VERBS) else body
    return verb.casefold().startswith(FREE_TEXT_VERBS)


def _column_of(text: str, word: int) -> int:
    """Column of a word in a text, from 0; the end of the text if there are fewer words."""
    found = list(_WORD.finditer(text))
    return found[word - 1].start() if 0 < word <= len(found) else len(text)


ParsedInstruction = tuple[str, tuple[str, ...], bool]
"""Area, answer, and whether it applies only while there is Unrest."""


def _fight(tables: Tables, text: str) -> ParsedInstruction:
    area, _, still = text.partition(" if ")
    if still and still.strip().casefold() != "unrest":
        raise Refusal("standing", ("PBM-126",), "Only 'if unrest' can follow, as in 'fight tunis if unrest'.")
    return name_index(tables).areas.find(area), (), bool(still)


def _area(tables: Tables, text: str) -> ParsedInstruction:
    return name_index(tables).areas.find(text), (), False


def _lose(tables: Tables, text: str) -> ParsedInstruction:
    units, _, area = text.rpartition(" in ")
    words = WordReader(tables, units, 2)
    if not area or not words.text:
        raise Refusal("standing", ("PBM-126",), "Write armies and an Area, as in 'lose A3 A1 in tunis'.")
    found = words.units()
    words.end()
    return name_index(tables).areas.find(area), found, False


def _retreat(tables: Tables, text: str) -> ParsedInstruction:
    area, arrow, to = text.partition(">")
    if not arrow:
        raise Refusal("standing", ("PBM-126",), "Write '>' and a place, as in 'retreat tunis > malta'.")
    return name_index(tables).places.find(area.strip()), (name_index(tables).places.find(to.strip()),), False


def _deficit(tables: Tables, text: str) -> ParsedInstruction:
    pieces = tuple(" ".join(piece.split()).casefold() for piece in text.split(",") if piece.strip())
    if not pieces:
        message = "Write what you give up, as in 'deficit A1 egypt, influence siam'."
        raise Refusal("standing", ("ADM-020", "ADM-024"), message)
    return "", pieces, False


DEFAULT_KINDS = ("losses", "retreats", "deficits", "fights", "coasts", "duties")
"""Kinds of questions in `default losses`."""


def _default(tables: Tables, text: str) -> ParsedInstruction:
    kind = text.casefold()
    if kind not in DEFAULT_KINDS:
        raise Refusal("standing", ("PBM-126",), f"Write one of {', '.join(DEFAULT_KINDS)}, as in 'default losses'.")
    return "", (kind,), False


def _command(tables: Tables, text: str) -> ParsedInstruction:
    names = text.split()
    if len(names) != 2:
        raise Refusal("standing", ("PBM-099",), "Write a Minor Power and its ally, as in 'command spain germany'.")
    find = name_index(tables).powers.find
    return "", (find(names[0]), find(names[1])), False


def _spoils(tables: Tables, text: str) -> ParsedInstruction:
    area, colon, demand = text.partition(":")
    if not colon or not demand.strip():
        message = "Write an Area, ':' and the marker to place there, as in 'spoils cuba: place possession'."
        raise Refusal("standing", ("PBM-105",), message)
    found = name_index(tables).areas.find(area.strip())
    words = " ".join(demand.split()).casefold()
    return found, (words if words.endswith(f" {found}") else f"{words} {found}",), False


def _renew(tables: Tables, text: str) -> ParsedInstruction:
    if text.casefold() != "congress":
        raise Refusal("standing", ("PBM-055",), "'renew congress' takes no further words.")
    return "", (), False


MAX_MESSAGE_LENGTH = 1000
"""Maximum length of a message between players, in characters."""


def _message(tables: Tables, text: str) -> ParsedInstruction:
    names, colon, words = text.partition(":")
    message = clean_text(words).strip()
    if not colon or not message:
        raise Refusal("standing", (), "Write Powers, ':' and a text, as in 'message france, italy: shall we?'.")
    if len(message) > MAX_MESSAGE_LENGTH:
        raise Refusal("standing", (), f"A message has at most {MAX_MESSAGE_LENGTH} characters.")
    to = tuple(name_index(tables).powers.find(name.strip()) for name in names.split(",") if name.strip())
    if not to:
        raise Refusal("standing", (), "A message needs at least one Power, as in 'message france: shall we?'.")
    return "", (*to, message), False


def _site(tables: Tables, text: str) -> ParsedInstruction:
    return "", (name_index(tables).powers.find(text),), False


def _attend(tables: Tables, text: str) -> ParsedInstruction:
    if text:
        raise Refusal("standing", ("PBM-051",), "'attend' takes no further words.")
    return "", ("attend",), False


def _stay(tables: Tables, text: str) -> ParsedInstruction:
    if text.casefold() != "away":
        raise Refusal("standing", ("PBM-051",), "'stay away' takes no further words.")
    return "", ("stay_away",), False


def _invite(tables: Tables, text: str) -> ParsedInstruction:
    names = re.split(r"[,\s]+", text.casefold())
    if names == ["nobody"]:
        return "", ("nobody",), False
    if names == [""]:
        raise Refusal("standing", ("PBM-051",), "Write Powers, as in 'invite japan', or 'invite nobody'.")
    return "", tuple(name_index(tables).powers.find(name) for name in names), False


def _agenda(tables: Tables, text: str) -> ParsedInstruction:
    return "", (name_index(tables).areas.find(text),), False


def _of_proposal(words: tuple[str, ...], example: str, *implied: str) -> Callable[[Tables, str], ParsedInstruction]:
    """Return a parser for the name of a proposal, followed by at least one of `words` if there are any.

    The verb itself can imply further words of the answer.
    """

    def read(tables: Tables, text: str) -> ParsedInstruction:
        tokens = text.casefold().split()
        first = next((n for n, word in enumerate(tokens) if n and word in words), len(tokens))
        chosen = tokens[first:]
        if not tokens or bool(chosen) != bool(words) or any(word not in words for word in chosen):
            raise Refusal("standing", ("PBM-058",), f"Write a proposal, as in '{example}'.")
        return "", (" ".join(tokens[:first]), *chosen, *implied), False

    return read


_INSTRUCTIONS: dict[str, Callable[[Tables, str], ParsedInstruction]] = {
    "fight": _fight,
    "decline": _area,
    "combine": _area,
    "alone": _area,
    "lose": _lose,
    "retreat": _retreat,
    "deficit": _deficit,
    "default": _default,
    "command": _command,
    "renew": _renew,
    "spoils": _spoils,
    "message": _message,
    "site": _site,
    "attend": _attend,
    "stay": _stay,
    "invite": _invite,
    "agenda": _agenda,
    "vote": _of_proposal(("yes", "no", "abstain", "sign", "defy"), "vote p1 yes sign"),
    "tie": _of_proposal(("yes", "no"), "tie p1 yes"),
    "sign": _of_proposal((), "sign p1", "sign"),
    "refuse": _of_proposal((), "refuse p1", "refuse"),
}
"""Parser of the arguments for each verb of standing instructions."""

ANYWHERE = ("message", "site", "attend", "stay", "agenda", "vote", "tie", "renew")
"""Instructions that are allowed without a preceding 'standing:', because no order begins with the same verb."""

INSTRUCTION_VERBS = tuple(_INSTRUCTIONS)
