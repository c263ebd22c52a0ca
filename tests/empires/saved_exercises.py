"""Play the saved exercises that are missing, through the engine protocol: `python -m tests.empires.saved_exercises`.

Logs that exist are never replaced.

The exercise for chapter 4 and one of the Channel go by scripts; the others are played by the simple bot to their ends.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from paxtui.bots.empires.player import choose_action
from paxtui.games.empires.orders import action_text
from paxtui.games.empires.state import State
from paxtui.session.tables.exercises import load_exercise
from tests.empires.conversation import Conversation

SAVES = Path(__file__).parents[2] / "saves" / "empires"
SCRIPTS = Path(__file__).parent

CABINET = """
france: declare war on bavaria
austria: declare war on none
prussia: declare war on none
france: offer peace to austria
france: done
austria: offer peace to france
austria: done
france: ally with prussia
france: done
austria: done
prussia: done
austria: answer yes
dice 5 2
prussia: answer yes
austria: answer bavaria
austria: answer none
austria: combine with prussia
prussia: combine with austria
month
france: declare war on prussia
austria: declare war on none
prussia: declare war on none
prussia: call austria against france
austria: answer refuse
prussia: done
france: done
prussia: sue france
prussia: done
france: done
france: answer unconditional
prussia: answer accept
france: answer c.6
france: answer b.1
france: answer none
austria: ally with france
france: ally with austria
month
austria: break with france
month
austria: declare war on prussia
prussia: sue austria
prussia: done
austria: done
austria: answer conditional
prussia: answer a.2
austria: answer b.4
austria: answer b.2
month
"""
"""Orders; `dice` sets the next ones, `month` has everybody be done until the next month."""


def cabinet() -> Conversation:
    """Chapter 4: a war on a minor country, its control, two peaces, a call refused, alliances made and broken."""
    game = Conversation("cabinet-1805")
    for line in CABINET.strip().splitlines():
        seat, _, text = line.partition(": ")
        if text:
            wait_for(game, seat, text)
            game.act(seat, text)
        elif line == "month":
            turn = game.ask("position")["turn"]
            while game.ask("position")["turn"] == turn:
                game.done(game.standing["waiting"][0])
        elif line.split()[1:]:
            game.ask("dice", queue=[int(die) for die in line.split()[1:]])
    while not game.standing["result"]:
        game.done(game.standing["waiting"][0])
    return game


def wait_for(game: Conversation, seat: str, text: str) -> None:
    """Others are done until an order is open."""
    for _ in range(12):
        verbs = {one.split()[0] for one in game.ask("legal", seat=seat)["texts"]}
        if text.split()[0] in verbs:
            return
        game.done(game.standing["waiting"][0])
    raise AssertionError(f"{seat}: {text} is never open; {game.standing['step']}")


def by_bots(exercise: str, seed: int) -> Conversation:
    """An exercise that the simple bot plays at every seat, by what each sees."""
    game, tables = Conversation(exercise, seed), load_exercise(exercise)
    while not game.standing["result"]:
        seat = game.standing["waiting"][0]
        view = game.ask("view", seat=seat)
        state = msgspec.convert({name: view[name] for name in State.__struct_fields__}, type=State)
        game.act(seat, action_text(choose_action(tables, state, seat)))
    return game


def by_script(script: str, exercise: str, seed: str) -> Conversation:
    """An exercise by a script, a line "power: order" for each."""
    game = Conversation(exercise, seed)
    for line in (SCRIPTS / script).read_text("utf-8").splitlines():
        if not line.startswith("#"):
            seat, _, text = line.partition(": ")
            game.act(seat, text)
    return game


GAMES = {
    "cabinet-1805": cabinet,
    "channel-1805": lambda: by_bots("channel-1805", 1805),
    # chases, evasions, pursuits, a fleet scuttled
    "channel-1805-battles": lambda: by_script("channel-1805-battles.txt", "channel-1805", "channel 9"),
    # nearly every order there is on land, and three field combats
    "danube-1805-campaign": lambda: by_script("danube-1805-campaign.txt", "danube-1805", "danube 18"),
    "danube-1805": lambda: by_bots("danube-1805", 1805),
    # the campaign: field combats with calls and the guard, sieges and assaults
    "ulm-1805": lambda: by_bots("ulm-1805", 1805),
    # the same for two, with snow, limited combats at the relief of a siege, and cities that surrender
    "ulm-1805-two": lambda: by_bots("ulm-1805-two", 1805),
}

if __name__ == "__main__":
    for name, played in GAMES.items():
        path = SAVES / f"{name}.jsonl"
        if path.exists():
            continue
        game = played()
        game.ask("save", path=str(path))
        print(name, game.standing["result"], {p: a["points"] for p, a in game.ask("position")["accounts"].items()})
