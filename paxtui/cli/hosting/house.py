"""The house that a command is about, and asking its hub."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from paxtui.cli.outward.faults import CommandError
from paxtui.net.house import House
from paxtui.net.line import Lost, Wire
from paxtui.table.disk.files import typed_path
from paxtui.table.disk.resources import player_data


def data_argument(part: argparse.ArgumentParser) -> None:
    """The argument that names the house."""
    part.add_argument("--data", metavar="DIR", help="directory of the house (default: beside your games)")


def house_of(args: argparse.Namespace, make: bool = False) -> House:
    """The house. Args: whether its directory is made when there is none. Raises: CommandError, OSError, StoreError."""
    root = root_of(args)
    if not make and not root.exists():
        raise CommandError(_not_running(root))
    return House(root)


def _not_running(root: Path) -> str:
    return f"no hub runs in {root}: 'paxtui serve --data {root}' starts one"


def root_of(args: argparse.Namespace) -> Path:
    """The directory of the house, which need not be there. Raises: StoreError."""
    return typed_path(args.data) if args.data else player_data() / "house"


def runs(house: House) -> bool:
    """Whether a hub runs in a house."""
    try:
        Wire(house.socket).close()
    except Lost:
        return False
    return True


def ask_hub(house: House, ask: str, **about: str) -> Any:
    """Ask the hub of a house. Raises: Refusal; CommandError where none runs."""
    try:
        wire = Wire(house.socket)
    except Lost:
        raise CommandError(_not_running(house.root)) from None
    try:
        return wire.manage(ask, **about)
    except Lost as lost:
        raise CommandError(str(lost)) from None
    finally:
        wire.close()
