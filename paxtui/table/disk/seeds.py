"""The seed of a game of fair dice, in a file beside its log that nobody else may read: the log only promises it."""

from __future__ import annotations

from pathlib import Path

from paxtui.table.disk.files import read_regular, write_over

SUFFIX = ".seed"


def seed_file(log: Path) -> Path:
    """Where the seed of a log is kept."""
    return log.with_suffix(SUFFIX)


def keep_seed(log: Path, seed: str) -> None:
    """Keep the seed of a log that is about to be made. Raises: FileExistsError, where the log is there; OSError."""
    if log.exists():
        raise FileExistsError(f"{log} is there already")
    log.parent.mkdir(parents=True, exist_ok=True)
    write_over(seed_file(log), seed.encode() + b"\n")


def kept_seed(log: Path) -> str:
    """The seed that is kept beside a log, "" where none is. Raises: OSError."""
    try:
        return read_regular(seed_file(log)).decode("ascii", "replace").strip()
    except FileNotFoundError:
        return ""
