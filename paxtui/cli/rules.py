"""Read and search the rules, in our own words, with the ids that refusals name.

examples:
  paxtui rules CCB-014              one rule
  paxtui rules garrison codominion  rules with both words
  paxtui rules --chapter MOV        a whole chapter
"""

from __future__ import annotations

import argparse
import textwrap


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `rules`."""
    part.add_argument("words", nargs="*", metavar="ID or words", help="rule ids, or words that must all occur")
    part.add_argument("--chapter", metavar="ABC", help="all rules of a chapter")


def run(args: argparse.Namespace) -> int:
    """Print the rules found."""
    from paxtui.cli.faults import CommandError
    from paxtui.table.tables import load_rules

    rules = load_rules()
    if args.chapter:
        found = [r for r in rules.values() if r.id.split("-")[0] == args.chapter.upper()]
        if not found:
            chapters = sorted({r.id.split("-")[0] for r in rules.values()})
            raise CommandError(f"there is no chapter {args.chapter!r}; there are {', '.join(chapters)}")
    elif not args.words:
        chapters = {}
        for r in rules.values():
            chapters.setdefault(r.id.split("-")[0], []).append(r)
        for name, rows in chapters.items():
            print(f"{name}  {len(rows):>3} rules")
        return 0
    else:
        words = [w.casefold() for w in args.words]
        found = [rules[w.upper()] for w in words if w.upper() in rules]
        found = found or [
            r for r in rules.values() if all(w in r.statement.casefold() or r.id.casefold() == w for w in words)
        ]
    if not found:
        raise CommandError(f"no rule with {' '.join(args.words)!r}; try fewer words, or an id such as CCB-014")
    for r in found:
        print(f"{r.id}  ({r.phase.replace('_', ' ')}, {r.kind}, {r.edition}; {r.lines})")
        print(textwrap.fill(r.statement, 96, initial_indent="    ", subsequent_indent="    "))
    return 0
