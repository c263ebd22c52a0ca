"""Command line of `tools.calibrate`. See the package's docstring."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from paxtui.session.storage.files import data_path
from paxtui.session.tables.loader import PREDICTION_FILE, load_tables
from paxtui.session.tables.records import new_game_tables, tables_directory
from tools.calibrate.countermix import limits_row, mean_differences, next_limits, with_limits
from tools.calibrate.fit import Sample, fit_weights, prediction_report, read_samples, write_weights
from tools.calibrate.games import MIXED, matches, play_into, read_outcomes, read_record
from tools.calibrate.measure import balance_report
from tools.calibrate.words import ask_for_signatures, words_report

LIMITS_FILE = "counter_limits.toml"


def main(words: list[str] | None = None) -> int:
    """Run a command. 0: all games have a result; 1: some have none."""
    parser = argparse.ArgumentParser(prog="python -m tools.calibrate", description=__doc__)
    sub = parser.add_subparsers(dest="command", required=True)
    measure = sub.add_parser("measure", help="report on games of bots")
    add_game_arguments(measure)
    measure.add_argument("--of", type=Path, metavar="DIR", help="only read the games of an earlier run")
    fit = sub.add_parser("fit", help="fit the prediction of results to games, and check it on others")
    fit.add_argument("runs", type=Path, nargs="+", metavar="DIR", help="runs of `measure --out` or `simulate --out`")
    after = fit.add_mutually_exclusive_group()
    after.add_argument("--write", action="store_true", help=f"write data/{PREDICTION_FILE}")
    after.add_argument("--check", action="store_true", help="fit nothing: check the present weights on all these games")
    fit.add_argument("--keep", type=int, default=4, metavar="N", help="keep every Nth game for the check (default 4)")
    search = sub.add_parser("countermix", help="search for even limits of pieces")
    add_game_arguments(search)
    search.add_argument("--populations", nargs="+", default=["statesman", MIXED], help="bots of the games of a round")
    search.add_argument("--rounds", type=int, default=3)
    asked = sub.add_parser("words", help="how often bots sign what the editor calls likely or unlikely")
    asked.add_argument("run", type=Path, metavar="DIR", help="a run of `measure --out` or `simulate --out`")
    asked.add_argument("--games", type=int, default=10)
    args = parser.parse_args(words)
    if args.command == "countermix":
        return run_search(args)
    if args.command == "words":
        return run_words(args)
    return run_fit(args) if args.command == "fit" else run_measure(args)


def add_game_arguments(part: argparse.ArgumentParser) -> None:
    """Add the arguments that say which games are played."""
    part.add_argument("--games", type=int, default=30)
    part.add_argument("--bots", default="statesman", help=f"the bot at all seats, or {MIXED!r}")
    part.add_argument("--players", type=int, default=7)
    part.add_argument("--tables", default="", metavar="DIR", help="a directory or a set of data/house")
    part.add_argument("--options", nargs="*", default=[], metavar="NAME=VALUE")
    part.add_argument("--seed", default="calibrate")
    part.add_argument("--jobs", type=int, default=1)
    part.add_argument("--out", type=Path, metavar="DIR", help="keep logs and results; a broken run goes on")


def run_measure(args: argparse.Namespace) -> int:
    """Play the games and print the report."""
    with TemporaryDirectory() as temporary:
        if args.of:
            outcomes = read_outcomes(args.of)
        else:
            directory = args.out or Path(temporary)
            tables = str(tables_directory(args.tables).resolve()) if args.tables else ""
            options = dict(text.split("=", 1) for text in args.options)
            planned = list(matches(args.games, args.seed, args.bots, args.players, tables, directory, options))
            outcomes = play_into(directory, planned, args.jobs)
        failed = [outcome for outcome in outcomes if outcome.error]
        records = [read_record(outcome) for outcome in outcomes if not outcome.error]
    print("\n".join(balance_report(records)))
    for outcome in failed:
        print(f"game {outcome.number} (seed {outcome.seed}): {outcome.error}")
    return int(bool(failed))


def run_fit(args: argparse.Namespace) -> int:
    """Fit the weights, or keep the present ones, and print how well they predict games that the fit has not used."""
    samples: list[Sample] = []
    for run in args.runs:
        for outcome in read_outcomes(run):
            if not outcome.error:
                samples += read_samples(read_record(outcome))
    kept = [] if args.check else [sample for sample in samples if sample.game % args.keep]
    checked = samples if args.check else [sample for sample in samples if not sample.game % args.keep]
    tables = load_tables()
    weights = tables.prediction if args.check else fit_weights(kept, tables)
    print(f"{len(kept)} positions for the fit, {len(checked)} for the check\n")
    print("\n".join(prediction_report(weights, checked, tables)))
    if args.write:
        write_weights(weights, data_path(PREDICTION_FILE))
    return 0


def run_words(args: argparse.Namespace) -> int:
    """Offer ready-made Treaties in the positions of games, and print how often each word is right."""
    outcomes = [outcome for outcome in read_outcomes(args.run) if not outcome.error][: args.games]
    answers = [answer for outcome in outcomes for answer in ask_for_signatures(read_record(outcome))]
    print("\n".join(words_report(answers)))
    return 0


def run_search(args: argparse.Namespace) -> int:
    """Play rounds of games; write the limits of each round to `counter_limits.toml` in the directory of --out."""
    directory: Path = args.out or Path("countermix")
    shutil.copytree(new_game_tables(args.tables) or data_path("reconstructed"), directory / "0", dirs_exist_ok=True)
    for number in range(args.rounds):
        tables_of = directory / str(number)
        tables = load_tables(tables_of)
        played = []
        for bots in args.populations:
            games = directory / f"games-{number}-{bots.replace(':', '-')}"
            planned = list(matches(args.games, args.seed, bots, args.players, str(tables_of.resolve()), games, {}))
            played.append(play_into(games, planned, args.jobs))
        differences = mean_differences(played)
        limits = next_limits(tables, differences)
        print(limits_row(limits, differences), flush=True)
        following = directory / str(number + 1)
        shutil.copytree(tables_of, following, dirs_exist_ok=True)
        file = following / LIMITS_FILE
        file.write_text(with_limits(file.read_text("utf-8"), limits), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
