"""Orders: one row for each, next to its struct, from which everything about it is derived.

`@order("transfer {area} to {to}", ...)` on a struct adds a row to `ORDERS`. The form parses and prints the order and
gives its usage line. A form consists of the verb, fields in braces, keywords, and optional parts in brackets. Optional
parts that begin with a keyword may be typed in any order. The docstring of the struct is the help of the order; its
first sentence is the summary.

An order whose grammar needs more has its own `parse` or `format`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar, get_type_hints

import msgspec

from paxtui.games.pax.actions.fields import FieldKind
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.text.parsing import WordReader, unknown_name

Struct = TypeVar("Struct", bound=msgspec.Struct)


class Part(NamedTuple):
    """A keyword and the fields after it; the first part of a form has no keyword."""

    keyword: str
    fields: tuple[tuple[str, bool], ...]
    """Names, each with whether the field is optional."""
    is_optional: bool


@dataclass(frozen=True)
class OrderForm:
    """An order: its struct, form, help and rules.

    Attributes:
        form: verb, fields and keywords; see the module.
        kind: the struct.
        example: a text of the order.
        help: what it does, for players.
        rules: ids of the rules that govern it; "ABC-001..ABC-005" is a range.
        own_usage: the usage line, if it is not made of the form.
        own_parse: returns the fields from (verb, words), if the form cannot parse the order.
        own_format: returns the text, if the form cannot print the order.
        fixed: values of fields that the verb implies.
        is_arbiters: only the arbiter gives it.
        is_long: it may be longer than other orders.
    """

    form: str
    kind: type[msgspec.Struct]
    example: str
    help: str
    rules: tuple[str, ...]
    own_usage: str
    own_parse: Callable[[str, WordReader], dict[str, Any]] | None
    own_format: Callable[[Tables, Any], str] | None
    fixed: dict[str, Any]
    is_arbiters: bool
    is_long: bool

    @property
    def verb(self) -> str:
        """The first word."""
        return self.form.split()[0]

    @property
    def summary(self) -> str:
        """The first sentence of the help."""
        return re.split(r"(?<=\.)\s", self.help, maxsplit=1)[0]

    @cached_property
    def usage(self) -> str:
        """The form for players: `transfer AREA to POWER`."""
        kinds = field_kinds(self.kind)
        return self.own_usage or re.sub(r"\{(\w+)\}", lambda found: kinds[found[1]].usage, self.form)

    @cached_property
    def _parts(self) -> tuple[tuple[str, ...], tuple[Part, ...]]:
        """The words that follow the verb directly, and the parts."""
        leading: list[str] = []
        parts: list[tuple[str, list[tuple[str, bool]], bool]] = [("", [], False)]
        for optional, field, word in re.findall(r"\[([^\]]*)\]|\{(\w+)\}|(\S+)", self.form)[1:]:
            if optional and not optional.startswith("{"):
                names = re.findall(r"\{(\w+)\}", optional)
                parts.append((optional.split()[0], [(name, False) for name in names], True))
            elif optional or field:
                parts[-1][1].append((field or optional.strip("{}"), bool(optional)))
            elif parts == [("", [], False)]:
                leading.append(word)
            else:
                parts.append((word, [], False))
        return tuple(leading), tuple(Part(word, tuple(fields), optional) for word, fields, optional in parts)

    def parse(self, words: WordReader) -> Any:
        """Return the action that the words after the verb ask for.

        Raises:
            Refusal: `notation` or `ambiguous`.
        """
        return self.kind(**(self.own_parse or self._parse_form)(self.verb, words), **self.fixed)

    def _parse_form(self, verb: str, words: WordReader) -> dict[str, Any]:
        leading, parts = self._parts
        for word in leading:
            at, expected = words.first, f"'{word}', as in '{self.example}',"
            if (found := words.take(expected)).casefold() != word:
                raise unknown_name(found, expected, word=at)
        readers = self._split_at_keywords(words)
        values: dict[str, Any] = {}
        for part in parts:
            if part.keyword in readers:
                self._parse_part(part, readers[part.keyword], values)
        return values

    def _split_at_keywords(self, words: WordReader) -> dict[str, WordReader]:
        """Return the words of each part by its keyword, "" for those before the first keyword."""
        parts = {part.keyword: part for part in self._parts[1] if part.keyword}
        readers: dict[str, WordReader] = {}
        end = words.first + len(words.words)
        while parts:
            cuts = [(*words.split(keyword), keyword) for keyword in parts]
            found = [(before, after, keyword) for before, after, keyword in cuts if after is not None]
            if not found:
                break
            before, after, keyword = max(found, key=lambda cut: len(cut[0].text))
            readers[keyword], words = after, before
            del parts[keyword]
        for part in parts.values():
            if not part.is_optional:
                what = field_kinds(self.kind)[part.fields[0][0]].what
                raise unknown_name("", f"'{part.keyword}' and {what}, as in '{self.example}',", word=end)
        return {"": words, **readers}

    def _parse_part(self, part: Part, words: WordReader, values: dict[str, Any]) -> None:
        kinds, default = field_kinds(self.kind), field_defaults(self.kind)
        for n, (name, is_optional) in enumerate(part.fields):
            if is_optional and not words.text:
                continue
            kind, later = kinds[name], part.fields[n + 1 :]
            reader = words
            if later and not kind.is_word:  # leaves the last words to the fields after it
                count = len(words.words) - len(later) if kinds[later[0][0]].is_word else 1
                reader = words.take_words(max(1, count))
            at = reader.first
            values[name] = kind.parse(reader)
            if values[name] == () and kind.what and default[name] is msgspec.NODEFAULT:
                raise unknown_name("", f"{kind.what}, as in '{self.example}',", word=at)
        words.end()

    @cached_property
    def _print_plan(
        self,
    ) -> tuple[tuple[str, ...], list[tuple[str, bool, list[tuple[str, Any, Callable[[Any], str]]]]]]:
        """What `_format_parts` prints: the first words, and for each part its keyword, whether it is optional, and its
        fields as (name, default, function).
        """
        kinds, default = field_kinds(self.kind), field_defaults(self.kind)
        leading, parts = self._parts
        printed = []
        for part in parts:
            fields = [(name, default[name], kinds[name].format) for name, _ in part.fields]
            if part.keyword and not fields:  # the keyword is a flag
                fields = [(part.keyword, False, lambda value: "")]
            printed.append((part.keyword, part.is_optional, fields))
        return (self.verb, *leading), printed

    @cached_property
    def format(self) -> Callable[[Tables, Any], str]:
        """The function that returns the text of an action, in ids: (tables, action)."""
        if self.own_format is not None:
            return self.own_format
        names = re.findall(r"\{(\w+)\}", self.form)
        if "[" in self.form or not names or any(field_kinds(self.kind)[name].format is not str for name in names):
            return self._format_parts
        # the many orders whose fields are all texts that are always printed
        template, fields_of = re.sub(r"\{\w+\}", "%s", self.form), attrgetter(*names)
        return lambda tables, action: template % fields_of(action)

    def _format_parts(self, tables: Tables, action: Any) -> str:
        head, parts = self._print_plan
        words = list(head)
        for keyword, is_optional, fields in parts:
            values = [(value, text) for name, default, text in fields if (value := getattr(action, name)) != default]
            if values or not is_optional:
                words.append(keyword)
                words += [text(value) for value, text in values]
        return " ".join(filter(None, words))


ORDERS: dict[str, OrderForm] = {}
"""All orders by verb."""

_BY_KIND: dict[type[msgspec.Struct], list[OrderForm]] = {}


def order(
    form: str,
    *,
    example: str = "",
    help: str = "",
    rules: str = "",
    usage: str = "",
    parse: Callable[[str, WordReader], dict[str, Any]] | None = None,
    format: Callable[[Tables, Any], str] | None = None,
    fixed: dict[str, Any] | None = None,
    is_arbiters: bool = False,
    is_long: bool = False,
) -> Callable[[type[Struct]], type[Struct]]:
    """Return a decorator that adds an order to `ORDERS`. A struct may have several orders.

    The arguments are those of `OrderForm`. By default the example is the form, the help is the docstring of the struct.
    """

    def add(kind: type[Struct]) -> type[Struct]:
        text = help or " ".join((inspect.getdoc(kind) or "").partition("\n\nAttributes:")[0].split())
        row = OrderForm(
            form, kind, example or form, text, tuple(rules.split()), usage, parse, format, fixed or {}, is_arbiters,
            is_long,
        )  # fmt: skip
        ORDERS[row.verb] = row
        _BY_KIND.setdefault(kind, []).append(row)
        return kind

    return add


def form_of(action: msgspec.Struct) -> OrderForm:
    """Return the order that prints an action."""
    rows = _BY_KIND[type(action)]
    if len(rows) == 1:
        return rows[0]
    fits = (row for row in rows if all(getattr(action, name) == value for name, value in row.fixed.items()))
    return next(fits, rows[0])


@cache
def field_kinds(kind: type[msgspec.Struct]) -> dict[str, FieldKind]:
    """Return the kinds of the fields of a struct; free text and structures have none."""
    hints = get_type_hints(kind, include_extras=True)
    named = {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}
    return {name: data for name, found in named.items() for data in found if isinstance(data, FieldKind)}


@cache
def field_defaults(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the defaults of the fields of a struct, `msgspec.NODEFAULT` for required ones."""
    return {field.name: field.default for field in msgspec.structs.fields(kind)}
