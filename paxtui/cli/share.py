"""The command `share`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from paxtui.cli.game_arguments import open_pax_game, viewpoint_of
from paxtui.cli.picture import PALETTES, palette_of
from paxtui.cli.runtime import CommandError
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.session.game_viewer import GameViewer
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import write_named
from paxtui.session.storage.saved_games import STUDY_SUFFIX
from paxtui.sharing.contents import share_game, view_warning
from paxtui.sharing.frames import game_cast, turn_pngs, turns_gif
from paxtui.sharing.page import render_game_page
from paxtui.sharing.position_text import position_text
from paxtui.sharing.remarks import study_remarks
from paxtui.sharing.turns import GameTurn, game_turns
from paxtui.studies.study import load_study

SHARE_USAGE = """Write a saved game as one file for friends: a page with map, timeline, log, charts and comments.

The page needs no program and no network: send it, or put it on any server. It shows what every player could see.
The review and the comments of a study beside the log are included, if the page may show their lines. The page of a
study shows its first chapter.

examples:
  paxtui share game.jsonl -o game.html                 a page, as everybody saw the game
  paxtui share game.jsonl -o game.html --seat france   as France saw it
  paxtui share game.jsonl -o game.html --all           with all secrets
  paxtui share game.study -o game.html                 the first chapter of a study
  paxtui share game.jsonl --gif -o game.gif            the map at the end of each Game Turn, as an animation
  paxtui share game.jsonl --png --turns 5,10           two pictures, game-5.png and game-10.png
  paxtui share game.jsonl --cast -o game.cast          a recording: asciinema play game.cast
  paxtui share game.jsonl --text --turns 5             the position as text, for a forum
"""

FORMATS = {"html": ".html", "cast": ".cast", "gif": ".gif", "png": ".png", "text": ".txt"}
"""The formats with the endings of their files."""


def share_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("file", metavar="FILE", help="a saved game, or a study")
    part.add_argument("-o", "--output", metavar="FILE", help="output file (default: the name of the game, here)")
    view = part.add_mutually_exclusive_group()
    view.add_argument("--seat", default="", metavar="SEAT", help="show what this seat knows")
    view.add_argument("--all", action="store_true", help="show everything, also secret Treaties and dispatches")
    form = part.add_mutually_exclusive_group()
    form.add_argument("--cast", action="store_true", help="a recording for a terminal (asciicast)")
    form.add_argument("--gif", action="store_true", help="an animation of the map (needs 'paxtui[picture]')")
    form.add_argument("--png", action="store_true", help="a picture of each chosen Game Turn (needs 'paxtui[picture]')")
    form.add_argument("--text", action="store_true", help="positions as text; without -o they are printed")
    part.add_argument("--turns", default="", metavar="N,...", help="Game Turns, not for pages (default: all; last)")
    part.add_argument("--palette", choices=PALETTES, default="dark", help="colours of pictures (default dark)")
    part.add_argument("--title", default="", metavar="TEXT", help="title (default: the name of the file)")


def run_share(args: argparse.Namespace) -> int:
    """Write the files and print their paths."""
    path, study = Path(args.file), None
    if path.suffix == STUDY_SUFFIX:
        study = path
        path = study.parent / load_study(study).chapters[0].file
    host = open_pax_game(str(path), "only games of Pax Britannica can be shared; 'paxtui show' prints this position")
    viewpoint = ARBITER if args.all else viewpoint_of(host, args.seat or SPECTATOR)
    format_ = next((name for name in FORMATS if getattr(args, name, False)), "html")
    if args.turns and format_ == "html":
        raise CommandError("--turns chooses Game Turns for --cast, --gif, --png or --text; a page contains all of them")
    warning = view_warning(host, viewpoint)
    if warning:
        print(f"paxtui: {warning}", file=sys.stderr)
    title = args.title or path.stem
    if format_ == "html":
        left_out = study_remarks(host, path, viewpoint, study).hidden_count
        if left_out:
            message = "the page leaves out comments of the study, because they are about what it does not show"
            print(f"paxtui: {message}: {left_out}", file=sys.stderr)
        return _write({Path(args.output or f"{path.stem}.html"): _page(host, viewpoint, title, path, study)})
    view = GameViewer(host, viewpoint)
    turns = _chosen_turns(view, args.turns, only_last=format_ in ("png", "text"))
    if format_ == "text" and not args.output:
        print(_texts(view, turns, title), end="")
        return 0
    output = Path(args.output or f"{path.stem}{FORMATS[format_]}")
    if format_ == "text":
        return _write({output: _texts(view, turns, title).encode()})
    return _write(_pictures(view, turns, title, format_, args.palette, output))


def _write(files: dict[Path, bytes]) -> int:
    """Write files and print their paths; return the exit code."""
    for path, data in files.items():
        write_named(path, data)
        print(path)
    return 0


def write_page(log: Path, viewpoint: str, output: Path, study: Path | None = None) -> int:
    """Write the page of a game of Pax Britannica.

    Args, returns: as `SharePage` of the app. Raises: BrokenLog, Refusal, OSError.
    """
    host = PaxHost.open(log, write=False)
    write_named(output, _page(host, viewpoint, log.stem, log, study))
    return study_remarks(host, log, viewpoint, study).hidden_count


def _page(host: PaxHost, viewpoint: str, title: str, log: Path, study: Path | None) -> bytes:
    return render_game_page(share_game(host, viewpoint, title, log, study)).encode()


def _chosen_turns(view: GameViewer, chosen: str, only_last: bool) -> tuple[GameTurn, ...]:
    """Return the Game Turns of `--turns`. Raises: CommandError."""
    turns = {turn.turn: turn for turn in game_turns(view)}
    if not chosen:
        return (*turns.values(),)[-1:] if only_last else tuple(turns.values())
    words = [word.strip() for word in chosen.split(",")]
    if not all(word.isdecimal() and len(word) < 4 and int(word) in turns for word in words):
        raise CommandError(f"--turns takes Game Turns from {min(turns)} to {max(turns)}, such as 1,5, not {chosen!r}")
    return tuple(turns[n] for n in sorted({int(word) for word in words}))


def _texts(view: GameViewer, turns: tuple[GameTurn, ...], title: str) -> str:
    return "\n".join(position_text(view.tables, view.position(turn.last), title) for turn in turns)


def _pictures(
    view: GameViewer, turns: tuple[GameTurn, ...], title: str, format_: str, palette_name: str, output: Path
) -> dict[Path, bytes]:
    """Return the files of a recording, an animation or pictures."""
    palette = palette_of(palette_name)
    if format_ == "cast":
        return {output: game_cast(view, palette, turns, title).encode()}
    if format_ == "gif":
        return {output: turns_gif(view, palette, turns)}
    names = [output] if len(turns) == 1 else [output.with_stem(f"{output.stem}-{turn.turn}") for turn in turns]
    return dict(zip(names, turn_pngs(view, palette, turns), strict=True))
