"""Ottoman Wars through the engine protocol, with and without a Great Power on the Empire's side."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from paxtui.cli.main import main as paxtui
from paxtui.games.pax.position.setup import seats_for
from tests.golden.ottoman_game import HERE, ottoman_war
from tests.golden.play_golden import Engine


@pytest.mark.rule("OTT-010", "WEN-036")
def test_war_with_an_ally_is_played_to_its_peace(tmp_path: Path) -> None:
    path = tmp_path / "war.jsonl"
    ottoman_war(path)
    assert paxtui(["verify", str(path)]) == 0


@pytest.mark.rule("OTT-008", "OTT-014", "OTT-017")
@pytest.mark.parametrize(("more", "die", "test"), [(3, 1, "ottomans_beaten"), (0, 6, "ottomans_won")])
def test_war_without_an_ally_is_played_to_its_end(more: int, die: int, test: str) -> None:
    """The Empire fights in Tripoli. If it loses, Italy places a marker there."""
    with Engine() as engine:
        engine.ask("new", seed=1, powers=list(seats_for(7)))
        patch = tomllib.loads((HERE / "ottoman.toml").read_text("utf-8"))
        patch["areas"]["tripoli"]["units"] += [{"power": "italy", "kind": "army", "strength": 10}] * more
        engine.ask("position", patch=patch)
        seen: dict[str, Any] = engine.ask("view", seat="arbiter")
        ended, placed, queued = "", False, False
        for _ in range(200):
            if seen["turn"] > 1:
                break
            if seen["wars"] and seen["wars"][0]["kind"] == "ottoman" and not queued:
                # Italy has ended the Unrest; the Empire attacks with this die
                engine.ask("dice", queue=[die] * 12)
                queued = True
            if seen["pending"]:
                choice = seen["pending"][0]
                words = choice["default"] if isinstance(choice["default"], str) else " ".join(choice["default"])
                if choice["kind"] == "spoils" and "place possession tripoli" in choice["options"]:
                    words, placed = "place possession tripoli", True
                done = engine.ask("act", seat=choice["seat"], text=f"choose {choice['id']} {words}")
            elif seen["waiting"]:
                word = "pass" if seen["phase"] == "war" else "ready"
                done = engine.ask("act", seat=seen["waiting"][0], text=word)
            else:
                done = engine.ask("act", seat="arbiter", text="advance")
            ended = next((e["test"] for e in done["events"] if e["type"] == "war_decided"), ended)
            seen = engine.ask("view", seat="arbiter")
        assert ended == test and not seen["wars"]
        markers = seen["areas"]["tripoli"]["markers"]
        assert [m["marker"] for m in markers if m["power"] == "italy"] == (["possession"] if placed else [])
        assert placed is (test == "ottomans_beaten")
        engine.ask("quit")
