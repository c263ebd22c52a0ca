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


def house_of(args: argparse.Namespace) -> House:
    """The house. Raises: OSError, StoreError."""
    return House(root_of(args))


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
        raise CommandError(f"no hub runs in {house.root}: 'paxtui serve --data {house.root}' starts one") from None
    try:
        return wire.manage(ask, **about)
    except Lost as lost:
        raise CommandError(str(lost)) from None
    finally:
        wire.close()
