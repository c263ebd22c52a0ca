"""Keep a table for friends, who sit down at it with `ssh -p PORT HOST`.

Every game in DIR/games is served; one that is named is moved there. Where no die has fallen yet it gets fair dice: the
log promises a seed, each player's program adds a word, and at the end everybody can roll every die again. Each friend
needs a code once: `paxtui invite`.

CMD of --hook is started (no shell reads it) when a seat must act, and told by its environment: PAXTUI_GAME,
PAXTUI_SEAT, PAXTUI_TURN, PAXTUI_YEAR, PAXTUI_PHASE, and PAXTUI_HERE, which is yes where somebody sits there already.
Where the clock of the table warns, it is started once more with PAXTUI_LEFT, the seconds that are left.

examples:
  paxtui serve --hook '/home/ann/tell.sh --short'   tell.sh sends a mail, or whatever it likes
  paxtui serve friday.jsonl                         that game, on port 2222 of every address
  paxtui serve --data ~/table --listen :2200        the games of another house
  paxtui serve --listen 127.0.0.1:2222              for this machine alone, as behind ssh -R
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shlex
import shutil
import signal
import sys
from contextlib import suppress
from pathlib import Path

from paxtui.cli.hosting.house import data_argument, house_of
from paxtui.cli.outward.faults import CommandError
from paxtui.net.house import House
from paxtui.net.hub import Hub
from paxtui.net.keeping.due import Hook
from paxtui.net.keeping.figures import FigureServer
from paxtui.net.keeping.journal import Journal
from paxtui.table.disk.extras import adding

ESCAPE = "50"
"""Milliseconds after which an Esc that came alone is one: a network tears the sequences of keys apart."""

PORT = 2222
"""Where the table is found, unless something else is said."""


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `serve`."""
    part.add_argument("game", nargs="*", metavar="GAME", help="a saved game to move into the house")
    data_argument(part)
    part.add_argument("--listen", default=f":{PORT}", metavar="ADDR:PORT", help=f"where SSH listens (default :{PORT})")
    part.add_argument("--hook", default="", metavar="CMD", help="a program that is told of each seat that must act")
    part.add_argument("--open", choices=("host", "known"), help="who may open a game: you, or whoever has had a seat")
    part.add_argument("--dice", choices=("fair", "plain"), default="fair", help="those of new games (default fair)")
    part.add_argument("--figures", type=int, metavar="PORT", help="tell figures on 127.0.0.1:PORT, for Prometheus")
    part.add_argument("--part", choices=("front", "forks"), help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    """Serve until a signal ends it."""
    house, (address, port) = house_of(args), _where(args.listen)
    if args.part:
        with house.only_one(args.part):
            return _forks(house) if args.part == "forks" else asyncio.run(_front(house, address, port))
    for name in args.game:
        move_in(house, Path(name), args.dice)
    if not house.names():
        raise CommandError(f"there is no game in {house.games}: name one, as in 'paxtui serve friday.jsonl'")
    hook = _hook(args.hook)
    hub = Hub(house, tell=hook.tell if hook else None, dice=args.dice, journal=Journal(house.journal))
    if args.open:
        hub.terms.let_open(args.open)
    return asyncio.run(_hub(hub, args.listen, args.figures))


def _hook(words: str) -> Hook | None:
    """The program that is told of a seat that must act, None for none. Raises: CommandError."""
    try:
        found = shlex.split(words)
    except ValueError as error:
        raise CommandError(f"--hook {words}: {error}") from None
    if not found:
        return None
    if shutil.which(found[0]) is None:
        raise CommandError(f"--hook {words}: there is no program {found[0]}")
    return Hook(found)


def _where(text: str) -> tuple[str, int]:
    """Address and port. Raises: CommandError."""
    address, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535:
        raise CommandError(f"--listen {text}: it takes ADDR:PORT or :PORT, as in 127.0.0.1:{PORT}")
    return address.strip("[]"), int(port)


def move_in(house: House, path: Path, dice: str = "fair") -> None:
    """Let a game live in the house from now on, with fair dice where those are wanted and none have fallen.

    Raises: CommandError, OSError, BrokenLog.
    """
    from paxtui.table.arbiter.fair_dice import move, move_fair
    from paxtui.table.authority import Table

    new = house.games / f"{path.stem}.jsonl"
    if new.exists() and not path.exists():
        return  # it has moved in before
    Table.open(path, write=False)
    if new.exists():
        raise CommandError(f"there is a game {path.stem} in the house already: {new}")
    if dice == "fair" and move_fair(path, new):
        print(f"{path.stem}: fair dice; the log promises a seed, and each player's program adds a word", flush=True)
        return
    move(path, new)
    new.chmod(0o600)
    with Table.open(new, write=False) as table:
        if not table.game.dice.fair:
            print(f"{path.stem}: plain dice; whoever can read its log foresees them", flush=True)


async def _hub(hub: Hub, listen: str, figures: int | None = None) -> int:
    """The hub, with the two other processes beside it; each is started again when it ends."""
    house, teller = hub.house, FigureServer(hub.office.figures)
    await hub.listen()
    if figures is not None:
        try:
            print(f"Figures:            http://127.0.0.1:{await teller.listen(figures)}/metrics", flush=True)
        except OSError as error:
            await hub.close()
            raise CommandError(f"--figures {figures}: {error.strerror or error}") from None
    loop, over = asyncio.get_running_loop(), hub.office.over
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, over.set)
    parts = [asyncio.create_task(_keep(house, part, listen)) for part in ("forks", "front")]
    ended = asyncio.create_task(over.wait())
    for name, wrong in (await hub.read_games()).items():  # the door opens meanwhile
        print(f"{name}: {wrong}", file=sys.stderr, flush=True)
    await asyncio.wait([*parts, ended], return_when=asyncio.FIRST_COMPLETED)
    code = next((task.result() for task in parts if task.done()), 0)
    for task in parts:
        task.cancel()
    await asyncio.gather(*parts, return_exceptions=True)
    teller.close()
    await hub.close()
    return code


async def _keep(house: House, part: str, listen: str) -> int:
    """Run a part of the house in a process of its own, and again when it has crashed; its code when it has given up.

    A part that an earlier hub has left behind goes on, with everybody who is connected to it; the new one waits.
    """
    words = [sys.executable, "-X", "utf8", "-m", "paxtui.cli.main", "serve", "--data", str(house.root)]
    while True:
        process = await asyncio.create_subprocess_exec(
            *words, "--listen", listen, "--part", part, env={**os.environ, "ESCDELAY": ESCAPE}
        )
        try:
            code = await process.wait()
        except asyncio.CancelledError:
            for number in {process.pid, house.running(part)} - {0}:
                with suppress(ProcessLookupError):
                    os.kill(number, signal.SIGTERM)
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(process.wait(), 5)
            raise
        if code in (1, 2):
            return code  # it has said why
        await asyncio.sleep(1)


def _forks(house: House) -> int:
    """The process that clients are forked from."""
    from paxtui.cli.hosting.warm import warm
    from paxtui.net.ssh.forks import ForkServer

    server = ForkServer(house.root / "forks.sock", warm(house))
    server.serve()


async def _front(house: House, address: str, port: int) -> int:
    """The door for SSH. Raises: CommandError."""
    try:
        from paxtui.net.ssh.front import Front, fingerprint
    except ModuleNotFoundError:
        raise CommandError(f"SSH needs one more library: {adding('ssh')}") from None

    front, over = Front(house, house.root / "forks.sock"), asyncio.Event()
    try:
        taken = await front.listen(address, port)
    except OSError as error:
        raise CommandError(f"--listen {address}:{port}: {error.strerror or error}") from None
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, over.set)
    print(f"The table is open:  ssh -p {taken} {address or 'HOST'}", flush=True)
    print(f"The host's key:     {fingerprint(house)}", flush=True)
    print(f"A seat for a friend: paxtui invite --data {house.root} {house.names()[0]} SEAT", flush=True)
    await over.wait()
    await front.close()
    return 0
