"""The commands `rules` and `keys`."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections import Counter

from paxtui.cli.runtime import CommandError
from paxtui.session.reference import find_terms, phase_of, related_rules, rule_origin, rule_remarks, terms_of_rule
from paxtui.session.tables.loader import load_rules, load_tables

RULES_USAGE = """Read and search the rules. Error messages name them by id. The wording is paxtui's own.

examples:
  paxtui rules CCB-014              one rule
  paxtui rules garrison codominion  rules with both words
  paxtui rules --chapter MOV        a whole chapter
  paxtui rules --glossary           all terms of the game
  paxtui rules --glossary link      the meaning of a term, and its rules
"""

KEYS_USAGE = """List all keys of the screen, or write the file that changes them.

examples:
  paxtui keys                     list each binding: key, id, description
  paxtui keys --write             write your keymap file; your changes are kept
  paxtui keys --where             print the path of that file
"""


def rules_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("words", nargs="*", metavar="ID or words", help="rule ids, or words that must all occur")
    part.add_argument("--chapter", metavar="ABC", help="all rules of a chapter")
    part.add_argument("--glossary", nargs="*", metavar="WORD", help="all terms of the game, or one of them")


def run_rules(args: argparse.Namespace) -> int:
    if args.glossary is not None:
        return _print_glossary(" ".join((*args.glossary, *args.words)))
    rules = load_rules()
    if args.chapter:
        found = [r for r in rules.values() if r.id.split("-")[0] == args.chapter.upper()]
        if not found:
            chapters = sorted({r.id.split("-")[0] for r in rules.values()})
            raise CommandError(f"no chapter {args.chapter!r}; the chapters are {', '.join(chapters)}")
    elif not args.words:
        for name, count in Counter(r.id.split("-")[0] for r in rules.values()).items():
            print(f"{name}  {count:>3} rules")
        return 0
    else:
        words = [w.casefold() for w in args.words]
        found = [rules[w.upper()] for w in words if w.upper() in rules]
        found = found or [
            r for r in rules.values() if all(w in r.statement.casefold() or r.id.casefold() == w for w in words)
        ]
    if not found:
        raise CommandError(f"no rule contains {' '.join(args.words)!r}; try fewer words, or an id such as CCB-014")
    tables = load_tables()
    for r in found:
        print(f"{r.id}  ({phase_of(r)}, {r.kind}, {rule_origin(r)})")
        _wrap(r.statement)
        for remark in rule_remarks(r, tables):
            _wrap(remark)
        if len(found) == 1:
            beside = related_rules(r.id)
            groups = (("names", beside.names), ("named by", beside.named_by), ("same lines", beside.same_lines))
            for what, ids in groups:
                if ids:
                    _wrap(f"{what}: {' '.join(ids)}")
            if terms_of_rule(r.id):
                _wrap(f"terms: {', '.join(terms_of_rule(r.id))}")
    return 0


def _print_glossary(words: str) -> int:
    """Print the glossary, or its terms that match the words."""
    found = find_terms(words)
    if not found:
        raise CommandError(f"no term contains {words!r}; try fewer letters, or no word to list all terms")
    for term in found:
        print(f"{term.name}{'  ' + term.sign if term.sign else ''}")
        _wrap(term.text)
        if term.rules or term.see:
            ids = f"rules: {' '.join(term.rules)}" if term.rules else ""
            see = f"see: {', '.join(term.see)}" if term.see else ""
            _wrap("; ".join(part for part in (ids, see) if part))
    return 0


def _wrap(text: str) -> None:
    print(textwrap.fill(text, 96, initial_indent="    ", subsequent_indent="    "))


def keys_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("--write", action="store_true", help="write the keymap file with all bindings")
    part.add_argument("--where", action="store_true", help="print the path of the keymap file")


def run_keys(args: argparse.Namespace) -> int:
    """List or write the keys."""
    from paxtui.tui.app import all_bindings
    from paxtui.tui.base import keymap

    path = keymap.keymap_path()
    if args.where:
        print(path)
        return 0
    own, wrong = keymap.load_keymap(all_bindings)
    for fault in wrong:
        print(f"{path}: {fault}", file=sys.stderr)
    if args.write:
        keymap.save_keymap(all_bindings(), own)
        print(path)
        return 0
    where = ""
    for b in all_bindings():
        if b.where != where:
            where = b.where
            print(f"\n{where}")
        key = "  ".join(keymap.key_name(k) for k in own.get(b.id, b.key).split(","))
        print(f"  {key:<14} {b.id:<20} {b.help}" + (" (changed)" if b.id in own else ""))
    return 0
