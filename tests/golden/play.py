"""Play the coming version's games that are kept in `saves/`, and name in `verdicts.tsv` what `verify` says of them.

    python -m tests.golden.play

Once a version is released its games stay as they are for ever: from then on the program refuses to play them anew.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

from paxtui import __version__
from paxtui.cli.main import main as paxtui
from paxtui.pax.position.setup import seats_for
from tests.golden import expedition, powers_at_war, scenes
from tests.golden.ottoman_game import ottoman_war
from tests.golden.play_golden import Engine, play_game
from tests.places import ROOT, SAVES

HERE = Path(__file__).parent
VERDICTS = HERE / "verdicts.tsv"
PLAYERS, SEED = 7, 3
SECRET = "treaty Dreibund with italy: defensive against france until 1892; secret germany pays italy 3"
DRAFTS = {
    "france": "propose Act of London: italy lowers tunis to interest; france pays italy 15",
    "russia": "propose Act of Petersburg: france lowers tunis to interest; italy pays france 5",
}
VOTES = [{"france": "yes sign", "russia": "yes sign"}, {"france": "no sign"}]
"""Who votes otherwise than the rest: against the first draft, and for the second."""
REST = ["no sign", "yes sign"]


def ten_turns(path: Path) -> None:
    """Seven steady players, all ten Game Turns."""
    seen = play_game(path, SEED, PLAYERS)
    assert seen["turn"] == 10 and seen["result"]["reason"] == "last_turn", seen["result"]


def whole_game(path: Path) -> None:
    """Four steady players, all ten Game Turns, with a Congress, a Chinese Rebellion and an Ottoman War."""
    seen = play_game(path, 9, 4, congress=True)
    assert seen["turn"] == 10 and seen["result"]["reason"] == "last_turn", seen["result"]


def congress(path: Path) -> None:
    """A secret Treaty, and a Congress of five over Tunis: one draft falls, the other is adopted and signed."""
    votes = [iter(range(len(DRAFTS))) for _ in range(PLAYERS)]
    nth = dict(zip(seats_for(PLAYERS), votes, strict=True))

    def answer(seat: str, kind: str, default: str) -> str:
        if kind == "attend":
            return "attend"
        if kind == "ballot":
            n = next(nth[seat])
            return VOTES[n].get(seat, REST[n])
        return default

    with Engine() as engine:
        engine.ask("new", seed=SEED, powers=list(seats_for(PLAYERS)))
        engine.ask("position", patch=tomllib.loads((HERE / "congress.toml").read_text("utf-8")))
        drafted = engine.ask("act", seat="germany", text=SECRET)["events"][0]["treaty"]["id"]
        engine.ask("act", seat="italy", text=f"sign {drafted}")
        engine.ask("act", seat="britain", text="dispatch france: Come to London.")
        engine.ask("act", seat="france", text="congress britain")
        for seat in seats_for(PLAYERS):
            engine.ask("act", seat=seat, text="ready")
        drafts = dict(DRAFTS)
        while (seen := engine.ask("view", seat="arbiter"))["phase"] == "congress":
            if not seen["pending"]:
                engine.ask("act", seat="arbiter", text="advance")
                continue
            choice = seen["pending"][0]
            seat, kind = choice["seat"], choice["kind"]
            if kind == "propose" and seat in drafts:
                engine.ask("act", seat=seat, text=drafts.pop(seat))
            else:
                engine.ask("act", seat=seat, text=f"choose {choice['id']} {answer(seat, kind, choice['default'])}")
        assert seen["areas"]["tunis"]["markers"][0]["marker"] == "interest", seen["areas"]["tunis"]
        engine.ask("save", path=str(path))
        engine.ask("quit")


GAMES: dict[str, Callable[[Path], None]] = {
    f"ten-turns-{__version__}": ten_turns,
    f"whole-game-{__version__}": whole_game,
    f"congress-{__version__}": congress,
    f"rebellion-won-{__version__}": expedition.won,
    f"rebellion-lost-{__version__}": expedition.lost,
    f"ottoman-war-{__version__}": ottoman_war,
    f"spanish-american-{__version__}": powers_at_war.spanish_american,
    f"russo-japanese-{__version__}": powers_at_war.russo_japanese,
    f"great-war-{__version__}": powers_at_war.great_war,
    f"scenes-{__version__}": scenes.scenes,
    f"tension-{__version__}": scenes.tension,
}


def main() -> int:
    """Play every game of this version; the exit code."""
    if f"## {__version__} (unreleased)" not in (ROOT / "CHANGELOG.md").read_text("utf-8"):
        print(f"{__version__} is released: its games stay as they are", file=sys.stderr)
        return 1
    head, *rows = VERDICTS.read_text("utf-8").splitlines()
    kept = {row.split("\t")[0]: row for row in rows}
    for name, play in GAMES.items():
        path = SAVES / f"{name}.jsonl"
        path.unlink(missing_ok=True)
        play(path)
        code = paxtui(["verify", str(path)])
        if code:
            return code
        kept[name] = f"{name}\t{code}\t{__version__}"
    VERDICTS.write_text("\n".join([head, *(kept[name] for name in sorted(kept))]) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
