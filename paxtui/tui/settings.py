"""Settings of the player: one table that is stored as TOML in the configuration directory."""

from __future__ import annotations

import os
import tomllib
from dataclasses import asdict, dataclass, fields
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """What a player may set; every field has a plain default."""

    palette: str = "dark"
    ascii: bool = False
    curtain: bool = False
    bell: bool = False
    confirm_ready: bool = False


HELP = {
    "palette": "Colours: dark, light, high-contrast, deuteranopia, protanopia, mono",
    "ascii": "Signs from plain ASCII only, for poor terminals",
    "curtain": "A blank screen between players at one keyboard",
    "bell": "Ring when somebody else has to act",
    "confirm_ready": "Ask before ending the Phase for everybody",
}


def settings_path() -> Path:
    """The file of the settings; PAXTUI_HOME moves it."""
    home = os.environ.get("PAXTUI_HOME")
    if home:
        return Path(home) / "settings.toml"
    from platformdirs import user_config_path

    return user_config_path("paxtui") / "settings.toml"


def load_settings() -> Settings:
    """The stored settings; whatever is missing or makes no sense has its default."""
    try:
        raw = tomllib.loads(settings_path().read_text("utf-8"))
    except (OSError, ValueError):
        return Settings()
    known = {f.name: f.default for f in fields(Settings)}
    return Settings(**{k: v for k, v in raw.items() if k in known and type(v) is type(known[k])})


def save_settings(settings: Settings) -> None:
    """Store the settings.

    Raises: OSError when the directory cannot be written.
    """
    path = settings_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = []
    for name, value in asdict(settings).items():
        text = ("true" if value else "false") if isinstance(value, bool) else f'"{value}"'
        lines.append(f"# {HELP[name]}\n{name} = {text}\n")
    path.write_text("".join(lines), "utf-8")
