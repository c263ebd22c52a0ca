"""The command `serve`: the hub process, its SSH and fork server processes, and their supervision."""

from __future__ import annotations

import argparse
import asyncio
import os
import shlex
import shutil
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from paxtui.cli.hosting.admin import PARTS, data_argument, is_running, open_data_directory
from paxtui.cli.hosting.store import open_hub_storage, peers_of
from paxtui.cli.hosting.tunnel import Forward, Tunnel
from paxtui.cli.runtime import CommandError
from paxtui.server.data_directory import DataDirectory, Journal
from paxtui.server.fork_server import end_with_parent
from paxtui.server.hub import Hub
from paxtui.server.metrics import MetricsServer
from paxtui.server.notifications import HostHook
from paxtui.server.proxy_protocol import TrustedProxies
from paxtui.session.storage.extras import install_command
from paxtui.session.storage.files import StorageError

SERVE_USAGE = """Start a server for friends, who connect with `ssh -p PORT HOST`.

The server hosts all games in DIR/games, of Pax Britannica and Empires in Arms. A named game is moved there. It gets
fair dice if no die was rolled yet: the log promises a seed, and the program of each player adds a word. Each friend
needs an invitation code once: `paxtui invite`.

--hook starts CMD, without a shell, when a seat must act. Its environment has PAXTUI_GAME, PAXTUI_SEAT, PAXTUI_TURN,
PAXTUI_YEAR, PAXTUI_PHASE, and PAXTUI_HERE, which is yes if the seat is connected. When the clock warns, CMD starts
again with PAXTUI_LEFT, the seconds left. When the time of a seat is over and you must decide, it starts with
PAXTUI_ASKS=host.

examples:
  paxtui serve --hook '/home/ann/tell.sh --short'   tell.sh sends a mail
  paxtui serve friday.jsonl                         host this game on port 2222 of all addresses
  paxtui serve --data ~/table --listen :2200        host the games of another directory
  paxtui serve --listen 127.0.0.1:2222              accept only connections of this machine, as for ssh -R
  paxtui serve --via ssh ann@pax.example.org        reachable through that machine: see docs/hosting-anywhere.md
  paxtui serve --web :8080                          serve the same screen to browsers, too: see docs/browser.md
  paxtui serve --store postgresql://ann@db/paxtui   share the games with other machines: see docs/more-machines.md
"""

ESCAPE = "50"
"""Time in milliseconds after which a single Esc counts as a key: networks split key sequences."""

PARENT_PIPE = 0
"""Descriptor of a pipe that closes with the hub: the standard input of its child processes."""

END_TIMEOUT_S, POLL_S = 8.0, 0.1
"""Time for a child process to end before it is killed, and polling interval, in seconds."""

EXIT_BUSY = 3
"""Exit code of a child process if another one holds its lock."""

DEFAULT_PORT = 2222
"""Default SSH port of the server."""


def serve_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("game", nargs="*", metavar="GAME", help="a saved game to move to the server")
    data_argument(part)
    part.add_argument(
        "--listen", default=f":{DEFAULT_PORT}", metavar="ADDR:PORT", help=f"address of SSH (default :{DEFAULT_PORT})"
    )
    part.add_argument("--hook", default="", metavar="CMD", help="a program to start for each seat that must act")
    part.add_argument("--open", choices=("host", "known"), help="who may open games: you, or all known players")
    part.add_argument("--dice", choices=("fair", "plain"), default="fair", help="dice of new games (default fair)")
    part.add_argument("--no-advice", action="store_true", help="players cannot ask a statesman for advice")
    part.add_argument("--figures", type=int, metavar="PORT", help="serve metrics on 127.0.0.1:PORT, for Prometheus")
    part.add_argument(
        "--via", nargs=2, metavar=("ssh", "USER@HOST"), help="keep a tunnel through a machine that friends can reach"
    )
    part.add_argument(
        "--trust-proxy",
        action="append",
        default=[],
        metavar="ADDR",
        help="a proxy that tells the addresses of visitors, by PROXY protocol or X-Forwarded-For; repeat for more",
    )
    web_arguments(part)
    part.add_argument(
        "--store", default="", metavar="URL", help="keep games and players in this database, for several machines"
    )
    part.add_argument(
        "--link", default="", metavar="ADDR:PORT", help="address at which other hubs of the database reach this one"
    )
    part.add_argument("--shared-address", action="store_true", help=argparse.SUPPRESS)
    part.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)


def web_arguments(part: argparse.ArgumentParser) -> None:
    """Add the arguments of the web server."""
    part.add_argument("--web", default="", metavar="ADDR:PORT", help="address for browsers")
    part.add_argument("--url", default="", metavar="URL", help="what players type, behind a proxy on this machine")
    part.add_argument("--tls-cert", default="", metavar="FILE", help="certificate for browsers, in PEM")
    part.add_argument("--tls-key", default="", metavar="FILE", help="its private key")


def run_serve(args: argparse.Namespace) -> int:
    """Run the server until a signal ends it."""
    data_directory, (address, port) = open_data_directory(args, make=True), _parse_address(args.listen)
    if args.part:
        return _run_part(data_directory, args, address, port)
    if is_running(data_directory):
        raise CommandError(_already_runs(data_directory, args.game))
    web = _web_options(args)
    _check_free(address, port, "--listen")  # before a game is moved, so that a refused command changes nothing
    if web:
        _check_free(*_parse_address(args.web, "--web"), "--web")
    tunnel, trusted = _tunnel(args, address, port), _trusted_proxies(args)
    proxies = [word for proxy in args.trust_proxy for word in ("--trust-proxy", proxy)]
    link = _link_address(args)
    data_directory = DataDirectory(data_directory.root, open_hub_storage(data_directory.root, args.store))
    peers = peers_of(data_directory.storage)
    if args.link and peers is None:
        raise CommandError("--link goes with --store, as in --store postgresql://ann@db/paxtui --link 10.0.0.5:2223")
    for name in args.game:
        move_game_in(data_directory, Path(name), args.dice)
    if not data_directory.names():
        place = (args.store and "the database") or data_directory.games
        raise CommandError(f"there is no game in {place}; name one, as in 'paxtui serve friday.jsonl'")
    hook = _hook(args.hook)
    journal = Journal(data_directory.journal)
    hub = Hub(data_directory, tell=hook.tell if hook else None, dice=args.dice, journal=journal, peers=peers)
    hub.games.advice = not args.no_advice
    if args.open:
        hub.terms.let_open(args.open)
    parts: dict[str, list[str]] = {"forks": []}
    if not web or find_spec("asyncssh"):
        shares_address = bool(tunnel) and "127.0.0.1" not in trusted
        parts["front"] = ["--listen", args.listen, *(["--shared-address"] * shares_address), *proxies]
    if web:
        parts["web"] = [*web, *proxies]
    return asyncio.run(_run_hub(hub, parts, args.figures, tunnel, link if peers else None))


def _link_address(args: argparse.Namespace) -> tuple[str, int]:
    """Return address and port for other hubs, "" and 0 for none. Raises: CommandError."""
    if not args.link:
        return "", 0
    address, port = _parse_address(args.link, "--link")
    if not address:
        raise CommandError(f"--link {args.link}: name the address at which other machines reach this one")
    return address, port


def _tunnel(args: argparse.Namespace, address: str, port: int) -> Tunnel | None:
    """Return the tunnel that --via asks for. Raises: CommandError."""
    if not args.via:
        return None
    way, to = args.via
    if way != "ssh":
        raise CommandError(f"--via {way} {to}: the only way is ssh, as in --via ssh ann@pax.example.org")
    # behind a proxy, only the proxy may use the port: it tells the addresses of the visitors
    forwards = [Forward(port, address, is_public=not args.trust_proxy)]
    if args.web:
        web_address, web_port = _parse_address(args.web, "--web")
        forwards.append(Forward(web_port, web_address, is_public=not (args.url or args.trust_proxy)))
    if not all(forward.port for forward in forwards):
        raise CommandError("--via needs fixed ports, as in --listen :2222 instead of :0")
    return Tunnel(to, forwards)


def _trusted_proxies(args: argparse.Namespace) -> TrustedProxies:
    """Return the proxies of --trust-proxy. Raises: CommandError."""
    try:
        return TrustedProxies(args.trust_proxy)
    except ValueError as error:
        raise CommandError(f"--trust-proxy: {error}; it takes an address or a network, as in 10.0.0.0/8") from None


def _web_options(args: argparse.Namespace) -> list[str]:
    """Return the options of the web server's process; none without a web server. Raises: CommandError."""
    tls = bool(args.tls_cert) + bool(args.tls_key)
    if not args.web:
        if tls or args.url:
            raise CommandError("--url, --tls-cert and --tls-key go with --web, as in 'paxtui serve --web :8080'")
        return []
    if tls == 1:
        raise CommandError("--tls-cert and --tls-key go together: the certificate, and its private key")
    if args.url and urlsplit(args.url).scheme not in ("http", "https"):
        raise CommandError(f"--url {args.url}: it takes an address such as https://pax.example.org")
    if find_spec("aiohttp") is None or find_spec("textual_serve") is None:
        raise CommandError(f"browsers need more libraries: {install_command('web')}")
    return ["--web", args.web, "--url", args.url, "--tls-cert", args.tls_cert, "--tls-key", args.tls_key]


def _already_runs(data_directory: DataDirectory, games: Sequence[str]) -> str:
    """Message: a server already runs on this directory, and what to do."""
    stop = f"'paxtui stop --data {data_directory.root}' stops it"
    moved = f"; {', '.join(games)} was not moved: stop the server, then serve again" if games else ""
    return f"a server already runs in {data_directory.root} ({stop}){moved}"


def _check_free(address: str, port: int, option: str) -> None:
    """Check that the address is free. Raises: CommandError if another program listens there."""
    if not port:
        return
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            raise CommandError(f"{option} {address}:{port}: {error.strerror or error}") from None


def is_free(address: str) -> bool:
    """Whether a server could listen on an address such as `:8080`."""
    try:
        _check_free(*_parse_address(address, "--web"), "--web")
    except CommandError:
        return False
    return True


def _hook(words: str) -> HostHook | None:
    """Program to notify when a seat must act, None for none. Raises: CommandError."""
    try:
        found = shlex.split(words)
    except ValueError as error:
        raise CommandError(f"--hook {words}: {error}") from None
    if not found:
        return None
    if shutil.which(found[0]) is None:
        raise CommandError(f"--hook {words}: there is no program {found[0]}")
    return HostHook(found)


def _parse_address(text: str, option: str = "--listen") -> tuple[str, int]:
    """Parse address and port. Raises: CommandError."""
    address, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535:
        raise CommandError(f"{option} {text}: it takes ADDR:PORT or :PORT, as in 127.0.0.1:{DEFAULT_PORT}")
    return address.strip("[]"), int(port)


def move_game_in(data_directory: DataDirectory, path: Path, dice: str = "fair") -> None:
    """Move a saved game to the server; enable fair dice if requested and no die has been rolled.

    Raises:
        CommandError, OSError, BrokenLog: the game cannot be moved.
    """
    from paxtui.session.fair_dice import move_log, move_log_with_fair_dice
    from paxtui.session.hosts import open_game

    new, storage = data_directory.games / f"{path.stem}.jsonl", data_directory.storage
    is_there = storage.exists(new)
    if is_there and not path.exists():
        return  # it is already on the server
    open_game(path, write=False)
    if is_there:
        raise CommandError(f"the server already has a game {path.stem}: {new}")
    if dice == "fair" and move_log_with_fair_dice(path, new, storage):
        print(f"{path.stem}: fair dice; the log promises a seed, and each player's program adds a word", flush=True)
        return
    move_log(path, new, storage)
    with open_game(new, write=False, storage=storage) as table:
        if not table.game.dice.fair:
            print(f"{path.stem}: plain dice; the host can compute them from the log", flush=True)


async def _run_hub(
    hub: Hub,
    parts: Mapping[str, Sequence[str]],
    figures: int | None = None,
    tunnel: Tunnel | None = None,
    link: tuple[str, int] | None = None,
) -> int:
    """Run the hub, its child processes, which restart when they end, and a tunnel.

    Args: the hub; the options of each child process; the port of the metrics; the tunnel; the address for other hubs,
    None if there are none.
    """
    data_directory, teller = hub.data_directory, MetricsServer(hub.admin_api.figures)
    if link is not None:
        try:
            await hub.join_peers(*link)
        except StorageError:
            await hub.close()
            raise
        except OSError as error:
            await hub.close()
            raise CommandError(f"--link {link[0]}:{link[1]}: {error.strerror or error}") from None
    await hub.listen()
    if figures is not None:
        try:
            print(f"Figures:            http://127.0.0.1:{await teller.listen(figures)}/metrics", flush=True)
        except OSError as error:
            await hub.close()
            raise CommandError(f"--figures {figures}: {error.strerror or error}") from None
    for part in parts:
        data_directory.note_port(part, 0)
    loop, over = asyncio.get_running_loop(), hub.admin_api.over
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, over.set)
    running = [asyncio.create_task(_keep_running(data_directory, *part)) for part in parts.items()]
    way = asyncio.create_task(tunnel.run()) if tunnel else None
    ended = asyncio.create_task(over.wait())
    for name, wrong in (await hub.read_games()).items():  # the SSH server starts meanwhile
        print(f"{name}: {wrong}", file=sys.stderr, flush=True)
    await asyncio.wait([*running, ended], return_when=asyncio.FIRST_COMPLETED)
    code = next((task.result() for task in running if task.done()), 0)
    tasks = [*running, *([way] if way else [])]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    teller.close()
    await hub.close()
    return code


async def _keep_running(data_directory: DataDirectory, part: str, options: Sequence[str]) -> int:
    """Run a child process of the server and restart it after a crash; return its exit code on giving up.

    The child's standard input is a pipe that only this process holds, so the child ends with this process.
    """
    words = [sys.executable, "-X", "utf8", "-m", "paxtui.cli.main", "serve", "--data", str(data_directory.root)]
    while True:
        await _end_leftover(data_directory, part)
        process = await asyncio.create_subprocess_exec(
            *words,
            *("--part", part, *options),
            stdin=asyncio.subprocess.PIPE,
            env={**os.environ, "ESCDELAY": ESCAPE},
        )
        try:
            code = await process.wait()
        except asyncio.CancelledError:
            await _end(process)
            raise
        if code in (1, 2):
            return code  # it has printed the reason
        await asyncio.sleep(1)


async def _end(process: asyncio.subprocess.Process) -> None:
    """End a child process; kill it after END_TIMEOUT_S."""
    for number, patience in ((signal.SIGTERM, END_TIMEOUT_S), (signal.SIGKILL, None)):
        with suppress(ProcessLookupError):
            process.send_signal(number)
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(process.wait(), patience)
            return


async def _end_leftover(data_directory: DataDirectory, part: str) -> None:
    """End a child process of an earlier hub and wait for it."""
    number, waited = signal.SIGTERM, 0.0
    while (pid := data_directory.running(part)) != 0:
        with suppress(ProcessLookupError):
            os.kill(pid, number)
        await asyncio.sleep(POLL_S)
        waited += POLL_S
        if waited >= END_TIMEOUT_S:
            number = signal.SIGKILL


def _run_part(data_directory: DataDirectory, args: argparse.Namespace, address: str, port: int) -> int:
    """Run a child process of the server until it or the hub ends."""
    end_with_parent()
    try:
        with data_directory.lock_part(args.part):
            if args.part == "forks":
                return _run_fork_server(data_directory)
            if args.part == "web":
                return asyncio.run(_run_web_server(data_directory, args))
            return asyncio.run(_run_ssh_server(data_directory, args, address, port))
    except BlockingIOError:
        return EXIT_BUSY


def _run_fork_server(data_directory: DataDirectory) -> int:
    """Run the process from which clients are forked."""
    from paxtui.cli.hosting.preload import warm_up
    from paxtui.server.fork_server import ForkServer

    server = ForkServer(data_directory.forks, warm_up(data_directory), PARENT_PIPE)
    server.serve()


async def _run_ssh_server(data_directory: DataDirectory, args: argparse.Namespace, address: str, port: int) -> int:
    """Run the SSH server. Raises: CommandError."""
    try:
        from paxtui.server.ssh_server import SshServer, host_fingerprint
    except ModuleNotFoundError:
        raise CommandError(f"SSH needs one more library: {install_command('ssh')}") from None

    front = SshServer(data_directory, data_directory.forks, args.shared_address, _trusted_proxies(args))
    try:
        taken = await _listen(data_directory, "front", front.listen, address, port)
    except OSError as error:
        raise CommandError(f"--listen {address}:{port}: {error.strerror or error}") from None
    print(f"Players connect with:  ssh -p {taken} {address or 'HOST'}", flush=True)
    print(f"Fingerprint of the server key:     {host_fingerprint(data_directory)}", flush=True)
    game = next(iter(data_directory.names()), "GAME")  # this process does not know the games of a database
    print(f"A seat for a friend: paxtui invite --data {data_directory.root} {game} SEAT", flush=True)
    await _wait_for_end()
    await front.close()
    return 0


async def _run_web_server(data_directory: DataDirectory, args: argparse.Namespace) -> int:
    """Run the web server. Raises: CommandError."""
    from paxtui.server.client_process import ask_hub
    from paxtui.server.data_directory import load_signing_key
    from paxtui.server.web.cookies import CookieSigner
    from paxtui.server.web.server import HubBackend, WebServer, tls_context

    address, port = _parse_address(args.web, "--web")
    try:
        tls = tls_context(args.tls_cert, args.tls_key) if args.tls_cert else None
    except OSError as error:  # ssl.SSLError is one
        raise CommandError(f"--tls-cert {args.tls_cert}: {error.strerror or error}") from None
    backend = HubBackend(data_directory, data_directory.forks)
    signer = CookieSigner(load_signing_key(data_directory.web_key))
    server = WebServer(backend, signer, args.url, tls, _trusted_proxies(args))
    try:
        taken = await _listen(data_directory, "web", server.listen, address, port)
    except OSError as error:
        raise CommandError(f"--web {address}:{port}: {error.strerror or error}") from None
    place = f"[{address}]" if ":" in address else address or socket.gethostname()
    url = args.url.rstrip("/") or f"http{'s' if tls else ''}://{place}:{taken}"
    await ask_hub(data_directory, "web_opened", url=url)
    print(f"In a browser:       {url}", flush=True)
    await _wait_for_end()
    await server.close()
    return 0


async def _listen(
    data_directory: DataDirectory, part: str, listen: Callable[[str, int], Awaitable[int]], address: str, port: int
) -> int:
    """Start to listen and return the port. With port 0, a process that is started again takes its last one.

    Raises: OSError.
    """
    if port:
        return await listen(address, port)
    last = data_directory.last_port(part)
    try:
        port = await listen(address, last)
    except OSError:
        if not last:
            raise
        port = await listen(address, 0)
    data_directory.note_port(part, port)
    return port


async def _wait_for_end() -> None:
    """Wait until a signal or the end of the hub ends this process."""
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, over.set)
    loop.add_reader(PARENT_PIPE, over.set)  # never written to; it closes with the hub
    await over.wait()
    loop.remove_reader(PARENT_PIPE)
