"""The command that installs a missing library, for a clone and for a wheel."""

from __future__ import annotations

import os
import shlex
import sys
import tomllib
from pathlib import Path

import pytest

from paxtui.session.storage.extras import install_command
from tests.places import ROOT

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


@pytest.mark.parametrize("extra", [extra for extra in EXTRAS if extra != "dev"])
def test_command_uses_this_python_and_the_requirements_of_the_extra(extra: str) -> None:
    python, *words = shlex.split(install_command(extra))
    assert Path(os.path.abspath(python)) == Path(sys.executable)
    assert words[:3] == ["-m", "pip", "install"]
    # the metadata of a package may have the parts of a requirement in another order
    assert sorted(sorted(set(w)) for w in words[3:]) == sorted(sorted(set(w.replace(" ", ""))) for w in EXTRAS[extra])


@pytest.mark.parametrize(
    ("mark", "words"),
    [("pipx_metadata.json", ["pipx", "inject", "paxtui"]), ("uv-receipt.toml", ["uv", "pip", "install", "--python"])],
)
def test_installers_without_pip_have_their_own_command(tmp_path, monkeypatch, mark: str, words: list[str]) -> None:
    (tmp_path / mark).write_text("")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    found = shlex.split(install_command("ssh"))
    assert found[: len(words)] == words and any(word.startswith("asyncssh") for word in found)


def test_no_message_names_an_extra_of_the_package() -> None:
    for path in (ROOT / "paxtui").rglob("*.py"):
        assert "install 'paxtui[" not in path.read_text(), path
