"""Plant faults and print what catches each. See the package's docstring."""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tools.planted_faults.coverage_map import CoverageMap, record
from tools.planted_faults.planting import chosen, listed
from tools.planted_faults.report import EQUIVALENT, Misuse, Results, digest, equivalents, excused, row, summary
from tools.planted_faults.tree_copy import TreeCopy
from tools.planted_faults.trial import SURVIVED, Trials, Verdict

EQUIVALENTS = "tools/planted_faults/equivalent.toml"


def main(words: list[str] | None = None) -> int:
    """Run the command. 0: each fault was caught or is equivalent; 1: some survived; 2: it cannot be done."""
    parser = argparse.ArgumentParser(prog="python -m tools.planted_faults", description=__doc__)
    parser.add_argument("--seed", type=int, default=1915, help="chooses the faults")
    parser.add_argument("--count", type=int, default=40, help="how many")
    parser.add_argument("--faults", type=Path, metavar="FILE", help="a list of faults, instead of seed and count")
    parser.add_argument("--over", nargs="+", default=["paxtui/games/pax", "paxtui/engine"], metavar="DIR")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="keeps the verdicts; an interrupted run goes on")
    parser.add_argument("--seconds", type=float, default=60.0, help="a test that takes longer has caught the fault")
    parser.add_argument("--jobs", type=int, default=2, help="processes for the recording and for the whole suite")
    parser.add_argument("--by", nargs="+", default=[], metavar="TESTS", help="record these tests only")
    parser.add_argument("--quick", action="store_true", help="record and ask only the tests of the quick tier")
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="the work tree")
    args = parser.parse_args(words)
    try:
        return run(args)
    except Misuse as misuse:
        print(misuse, file=sys.stderr)
        return 2


def run(args: argparse.Namespace) -> int:
    """Choose, try and report. Raises: Misuse."""
    root = args.root.resolve()
    if wrong := [place for place in args.over if not (root / place).is_dir()]:
        raise Misuse(f"no directory: {', '.join(wrong)}")
    about = {"seed": args.seed, "count": args.count, "over": args.over, "tree": digest(root, [*args.over, "tests"])}
    if args.faults is not None:
        about |= {"faults": args.faults.name}
    results = Results(args.resume, about)
    known = equivalents(root / EQUIVALENTS)
    try:
        wanted = listed(root, args.faults) if args.faults else chosen(root, args.over, args.seed, args.count)
    except (OSError, ValueError, KeyError) as problem:
        raise Misuse(f"{args.faults}: {problem}") from None
    verdicts: list[Verdict] = []
    with ExitStack() as stack:
        trials: Trials | None = None
        for number, fault in enumerate(wanted, start=1):
            if reason := excused(fault, known):
                verdict = Verdict(EQUIVALENT, reason)
            elif earlier := results.of(fault):
                verdict = earlier
            else:
                trials = trials or prepared(stack, root, args)
                verdict = trials.tried(fault)
                results.keep(fault, verdict)
            verdicts.append(verdict)
            print(f"{number:3} {row(fault, verdict)}", flush=True)
    print(summary(verdicts))
    return int(any(verdict.result == SURVIVED for verdict in verdicts))


def prepared(stack: ExitStack, root: Path, args: argparse.Namespace) -> Trials:
    """A copy of the tree and the recording of its tests, that of an earlier run over the same tree if there is one."""
    copy = stack.enter_context(TreeCopy(root))
    if args.resume is not None:
        # of one tree, whatever the seed
        names = [digest(root, [*args.over, "tests"]), *(Path(name).stem for name in args.by), *["quick"] * args.quick]
        directory = args.resume.with_name("-".join(["recorded", *names]))
    else:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="faults-")))
    if not (directory / "kept.json").exists():
        print("recording which tests execute which line ...", flush=True)
        record(copy, args.over, directory, args.jobs, tuple(args.by), args.quick)
    recorded = CoverageMap(directory)
    for name in sorted(recorded.red):
        print(f"fails without any fault, so it judges nothing: {name}", flush=True)
    return Trials(copy, recorded, args.seconds, args.jobs, args.quick)


if __name__ == "__main__":
    sys.exit(main())
