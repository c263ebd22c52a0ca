"""Single-line faults: a comparison turned, a constant changed, and/or exchanged, a call or an element left out.

A fault changes the text of one line and nothing else; the file still parses. Left alone is what hardly a run can tell
apart: docstrings, annotations, `__all__`, `frozen=`, and the insides of f-strings, whose places Python 3.11 gets wrong.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

COMPARISON, CONSTANT, JUNCTION, CALL, ELEMENT = KINDS = ("comparison", "constant", "and/or", "call", "element")
LISTED = "listed"
"""Kind of a fault that a file lists."""

TURNED = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "in": "not in", "not in": "in", "is": "is not", "is not": "is",
}  # fmt: skip
OPERATOR = re.compile(rb"not\s+in\b|is\s+not\b|<=|>=|==|!=|<|>|\bin\b|\bis\b")
DROPPED = ("abs", "max", "min", "reversed", "sorted")
"""Functions that leave the kind of their first argument as it is: `sorted(x)` becomes `x`."""


@dataclass(frozen=True, order=True)
class Fault:
    """A line as it is and as it would be.

    Attributes:
        file: with slashes, from the root. line: its number, from 1. column: where the change begins, in bytes.
        kind: one of `KINDS`. before, after: the line. first, last: lines of the statement that it belongs to.
    """

    file: str
    line: int
    column: int
    kind: str
    before: str
    after: str
    first: int
    last: int

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.file}:{self.line}"

    def planted(self, text: str) -> str:
        """The file's text with the fault in it."""
        lines = text.split("\n")
        assert lines[self.line - 1] == self.before, f"{self.place} is not what it was"
        lines[self.line - 1] = self.after
        return "\n".join(lines)

    def sound(self, text: str) -> bool:
        """Whether the file still parses and says something else."""
        try:
            return ast.dump(ast.parse(self.planted(text))) != ast.dump(ast.parse(text))
        except (SyntaxError, ValueError):
            return False


def chosen(root: Path, over: list[str], seed: int, count: int) -> list[Fault]:
    """So many faults in the Python files under some directories; the same seed and tree give the same ones.

    Each kind comes up as often as the others, however many places it has.
    """
    texts = {
        path.relative_to(root).as_posix(): path.read_text("utf-8")
        for directory in over
        for path in sorted((root / directory).rglob("*.py"))
    }
    random = Random(seed)
    places: dict[str, list[Fault]] = {kind: [] for kind in KINDS}
    for file, text in sorted(texts.items()):
        for fault in faults(file, text):
            places[fault.kind].append(fault)
    for pool in places.values():
        random.shuffle(pool)
    found: list[Fault] = []
    while len(found) < count and any(places.values()):
        fault = places[random.choice([kind for kind in KINDS if places[kind]])].pop()
        if fault.sound(texts[fault.file]):
            found.append(fault)
    return found


def listed(root: Path, path: Path) -> list[Fault]:
    """Return the faults of a list: TOML tables `[[fault]]` with `file`, `before` and `after`.

    `before` and `after` are a line without the blanks around it. `nth` chooses among equal lines of the file, from 1.

    Raises:
        ValueError: a line of the list is no longer in its file.
    """
    found, gone = [], []
    for row in tomllib.loads(path.read_text("utf-8"))["fault"]:
        file, before, after = row["file"], row["before"].strip(), row["after"].strip()
        text = (root / file).read_text("utf-8") if (root / file).is_file() else ""
        places = [n for n, line in enumerate(text.split("\n"), start=1) if line.strip() == before]
        if len(places) < row.get("nth", 1):
            gone.append(f"{file}: {before}")
            continue
        line = places[row.get("nth", 1) - 1]
        whole = text.split("\n")[line - 1]
        indent = whole[: len(whole) - len(whole.lstrip())]
        first, last = _statement(text, line)
        found.append(Fault(file, line, len(indent), LISTED, whole, indent + after, first, last))
    if gone:
        raise ValueError("\n".join([f"{path} lists lines that are no longer there:", *gone]))
    return found


def _statement(text: str, line: int) -> tuple[int, int]:
    """Return the first and last line of the innermost statement on a line, without the statements inside it."""
    around = [
        n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.stmt) and n.lineno <= line <= (n.end_lineno or 0)
    ]
    node = max(around, key=lambda n: (n.lineno, -(n.end_lineno or 0)))
    inner = [n.lineno for n in ast.walk(node) if isinstance(n, ast.stmt) and n is not node]
    return node.lineno, max(line, min(inner, default=(node.end_lineno or line) + 1) - 1)


def faults(file: str, text: str) -> list[Fault]:
    """Every place of a file where a fault can be planted, in order."""
    return sorted({*_Finder(file, text).found()})


class _Finder:
    """Walks one file. Positions of `ast` count bytes, so lines are bytes here."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.tree = file, ast.parse(text)
        self.text = text.split("\n")
        self.lines = [line.encode() for line in self.text]

    def found(self) -> Iterator[Fault]:
        yield from self.body(self.tree)

    def body(self, owner: ast.AST) -> Iterator[Fault]:
        """The statements of a block, each with the lines of its own."""
        for statement in ast.iter_child_nodes(owner):
            if not isinstance(statement, ast.stmt | ast.excepthandler | ast.match_case):
                continue
            inner = [n for n in ast.walk(statement) if isinstance(n, ast.stmt) and n is not statement]
            start = getattr(statement, "lineno", 0) or min((n.lineno for n in inner), default=0)
            end = min([n.lineno - 1 for n in inner], default=getattr(statement, "end_lineno", start) or start)
            for node in self.looked_at(statement):
                for line, column, kind, changed in self.changes(node):
                    before = self.text[line - 1]
                    after = changed.decode()
                    if after != before:
                        first = min(start, line)
                        yield Fault(self.file, line, column, kind, before, after, first, max(first, end, line))
            yield from self.body(statement)

    def looked_at(self, node: ast.AST) -> Iterator[ast.AST]:
        """The expressions of one statement that run and can be told apart."""
        if _documents(node) or _exports(node):
            return
        yield node
        skipped = {"annotation", "returns", "type_comment"}
        for name, value in ast.iter_fields(node):
            if name in skipped:
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case) or not isinstance(child, ast.AST):
                    continue
                if isinstance(child, ast.JoinedStr) or _names_types(child) or _freezes(child):
                    continue
                yield from self.looked_at(child)

    def changes(self, node: ast.AST) -> Iterator[tuple[int, int, str, bytes]]:
        """Changes of one node: line, column, kind, and the line as it becomes."""
        match node:
            case ast.Compare():
                yield from self.map_turned(node)
            case ast.BoolOp():
                yield from self.exchanged(node)
            case ast.Constant():
                yield from self.changed(node)
            case ast.Expr(value=ast.Call()):
                yield from self.replaced(node, CALL, b"pass")
            case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in DROPPED and _one_line(first):
                yield from self.replaced(node, CALL, self.source(first))
            case ast.Tuple() | ast.List() | ast.Set():
                yield from self.shortened(node)
            case ast.Dict():
                yield from self.fewer_keys(node)
            case _:
                return

    def map_turned(self, node: ast.Compare) -> Iterator[tuple[int, int, str, bytes]]:
        for left, right in zip([node.left, *node.comparators], node.comparators, strict=False):
            if left.end_lineno == right.lineno:
                line, begin = right.lineno, left.end_col_offset or 0
                if sign := OPERATOR.search(self.lines[line - 1][: right.col_offset], begin):
                    other = TURNED[" ".join(sign[0].decode().split())].encode()
                    yield line, sign.start(), COMPARISON, self.spliced(line, sign.start(), sign.end(), other)

    def exchanged(self, node: ast.BoolOp) -> Iterator[tuple[int, int, str, bytes]]:
        word, other = (b"and", b"or") if isinstance(node.op, ast.And) else (b"or", b"and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            for line, begin, end in self.gaps(left, right):
                at = self.lines[line - 1].find(word, begin, end)
                if at >= 0:
                    yield line, at, JUNCTION, self.spliced(line, at, at + len(word), other)

    def gaps(self, left: ast.expr, right: ast.expr) -> Iterator[tuple[int, int, int]]:
        """The pieces of lines between two expressions."""
        for line in range(left.end_lineno or left.lineno, right.lineno + 1):
            begin = (left.end_col_offset or 0) if line == left.end_lineno else 0
            end = right.col_offset if line == right.lineno else len(self.lines[line - 1])
            yield line, begin, end

    def changed(self, node: ast.Constant) -> Iterator[tuple[int, int, str, bytes]]:
        match node.value:
            case bool():
                new = repr(not node.value)
            case int() | float():
                new = repr(node.value + 1)
            case str():
                new = '""' if node.value else '"?"'
            case bytes():
                new = 'b""' if node.value else 'b"?"'
            case _:
                return
        yield from self.replaced(node, CONSTANT, new.encode())

    def shortened(self, node: ast.Tuple | ast.List | ast.Set) -> Iterator[tuple[int, int, str, bytes]]:
        if not (_one_line(node) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)):
            return
        line, elements = node.lineno, node.elts
        if self.lines[line - 1][node.col_offset : node.col_offset + 1] not in b"([{":
            return
        pair = isinstance(node, ast.Tuple) and len(elements) == 2
        for n, element in enumerate(elements):
            if len(elements) == 1:
                if isinstance(node, ast.Set):
                    return
                close = (node.end_col_offset or 0) - 1
                yield line, element.col_offset, ELEMENT, self.spliced(line, element.col_offset, close, b"")
            elif n + 1 < len(elements):
                begin, end = element.col_offset, elements[n + 1].col_offset
                text = self.spliced(line, begin, end, b"")
                if pair:  # what is left of a pair still is a tuple
                    at = (elements[1].end_col_offset or 0) - (end - begin)
                    text = text[:at] + b"," + text[at:]
                yield line, begin, ELEMENT, text
            else:
                begin, end = elements[n - 1].end_col_offset or 0, element.end_col_offset or 0
                yield line, element.col_offset, ELEMENT, self.spliced(line, begin, end, b"," if pair else b"")

    def fewer_keys(self, node: ast.Dict) -> Iterator[tuple[int, int, str, bytes]]:
        """A dictionary's entries, those that have a line of their own too."""
        for key, value in zip(node.keys, node.values, strict=True):
            begin = key if key is not None else value
            if begin.lineno != value.end_lineno:
                continue
            line = begin.lineno
            at = begin.col_offset - (2 if key is None else 0)
            comma = re.compile(rb"\s*,\s*").match(self.lines[line - 1], value.end_col_offset or 0)
            end = comma.end() if comma else value.end_col_offset or 0
            yield line, at, ELEMENT, self.spliced(line, at, end, b"")

    def replaced(self, node: ast.AST, kind: str, new: bytes) -> Iterator[tuple[int, int, str, bytes]]:
        if _one_line(node):
            line, begin, end = node.lineno, node.col_offset, node.end_col_offset  # type: ignore[attr-defined]
            yield line, begin, kind, self.spliced(line, begin, end, new)

    def spliced(self, line: int, begin: int, end: int, new: bytes) -> bytes:
        old = self.lines[line - 1]
        return (old[:begin] + new + old[end:]).rstrip() if not new else old[:begin] + new + old[end:]

    def source(self, node: ast.expr) -> bytes:
        """The text of an expression on one line; a generator out of its call needs parentheses."""
        text = self.lines[node.lineno - 1][node.col_offset : node.end_col_offset]
        return text if not isinstance(node, ast.GeneratorExp) or text.startswith(b"(") else b"(" + text + b")"


def _one_line(node: ast.AST) -> bool:
    return getattr(node, "lineno", 0) == getattr(node, "end_lineno", -1)


def _documents(node: ast.AST) -> bool:
    """Whether a statement is nothing but a string."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _exports(node: ast.AST) -> bool:
    """Whether a statement says what a module exports."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return any(isinstance(t, ast.Name) and t.id in ("__all__", "__slots__") for t in targets)


def _freezes(node: ast.AST) -> bool:
    """Whether an argument only forbids changes."""
    return isinstance(node, ast.keyword) and node.arg == "frozen"


def _names_types(node: ast.AST) -> bool:
    """Whether an expression is a type, as `Literal["a", "b"]` and `dict[str, int]` are."""
    words = {"Literal", "Annotated", "dict", "list", "tuple", "set", "frozenset", "type", "Callable", "TypeVar"}
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in words
