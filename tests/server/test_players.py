"""Names and further keys of players, and terms that cannot be saved."""

from __future__ import annotations

import base64

import pytest

from paxtui.cli.main import main
from paxtui.engine.refusal import Refusal
from paxtui.server import access_control
from paxtui.server.access_control import AccessTerms, PlayerRegistry, ServerTerms
from paxtui.session.storage.interface import FILES
from tests.server.waiting import wait

ANN, BOB, LAPTOP = (f"ssh-ed25519 {name}" for name in ("ANN", "BOB", "LAPTOP"))


@pytest.fixture
def players(tmp_path) -> PlayerRegistry:
    made = PlayerRegistry(tmp_path / "players.json")
    for key, seat, name in ((ANN, "france", "ann"), (BOB, "germany", "bob")):
        made.redeem(key, made.invite("friday", seat), name)
    return made


def code_of(refused: pytest.ExceptionInfo[Refusal]) -> str:
    return refused.value.code


def test_second_key_belongs_to_the_same_player(players, tmp_path):
    ann = players.known(ANN)
    code = players.key_code(ann)
    assert players.invited("friday") == ()
    assert players.redeem(LAPTOP, code, "laptop") == (ann, "", "")
    again = PlayerRegistry(tmp_path / "players.json")
    assert again.known(LAPTOP) == again.known(ANN) == ann and again.name(ann) == "ann"
    with pytest.raises(Refusal) as refused:
        players.redeem("ssh-ed25519 OTHER", code, "x")  # a code is valid once
    assert code_of(refused) == "wrong_code"


def test_visitor_with_a_key_code_becomes_the_player(players):
    ann, deleted = players.known(ANN), []
    players.forget = deleted.append
    visitor = players.meet(LAPTOP, "laptop")
    with pytest.raises(Refusal) as refused:
        players.redeem_for(visitor, players.key_code(ann))
    assert code_of(refused) == "key_added"
    assert players.known(LAPTOP) == ann and deleted == [visitor] and visitor not in players.ids()


def test_keys_of_others_and_too_many_keys_are_refused(players, monkeypatch):
    ann = players.known(ANN)
    for key in (ANN, BOB):
        with pytest.raises(Refusal) as refused:
            players.redeem(key, players.key_code(ann), "x")
        assert code_of(refused) == "known_key"
    monkeypatch.setattr(access_control, "MOST_KEYS", 2)
    players.redeem(LAPTOP, players.key_code(ann), "x")
    with pytest.raises(Refusal) as refused:
        players.key_code(ann)
    assert code_of(refused) == "too_many"
    assert players.known(BOB) != ann


def test_player_chooses_a_unique_name(players):
    ann = players.known(ANN)
    assert players.rename(ann, "  Ann\x1b[31m  of Reims ") == players.name(ann)
    assert "\x1b" not in players.name(ann) and players.name(ann).startswith("Ann")
    for name, code in (("BOB", "taken"), (" \u200b", "bad_name"), ("", "bad_name")):
        with pytest.raises(Refusal) as refused:
            players.rename(ann, name)
        assert code_of(refused) == code
    assert players.rename(ann, "ann") == "ann"
    with pytest.raises(Refusal):
        players.rename("nobody", "Zoe")


def real_key(name: str) -> str:
    return f"ssh-ed25519 {base64.b64encode(name.encode()).decode()}"


def test_host_renames_a_player_and_removes_a_key(running, capsys):
    """After a lost laptop its key is refused, and connected programs of the player must connect again."""
    players, data = running.hub.players, str(running.data_directory.root)
    first, laptop = real_key("first"), real_key("laptop")
    ann, *_ = players.redeem(first, players.invite("friday", "france"), "ann")
    players.redeem(laptop, players.key_code(ann), "")
    open_code = players.key_code(ann)
    keys = players.fingerprints(ann)
    assert main(["players", "--rename", ann, "Ann of Reims", "--data", data]) == 0
    output = capsys.readouterr().out
    assert "Ann of Reims" in output and all(key in output for key in keys) and len(set(keys)) == 2
    session = running.session("france", player=ann)
    assert main(["players", "--remove-key", ann, keys[0][:20], "--data", data]) == 0
    output = capsys.readouterr().out
    assert keys[0] not in output and keys[1] in output
    assert players.known(first) == "" and players.known(laptop) == ann and players.at("friday", "france") == ann
    wait(session, lambda: session.read_only_label)
    assert not session.game.will_reconnect
    with pytest.raises(Refusal, match="This code is not valid"):
        players.redeem(first, open_code, "x")
    for change, why in (
        (["--remove-key", ann, keys[1]], "only key"),
        (["--remove-key", ann, keys[0]], "no key that begins"),
        (["--remove-key", ann, "SHA256:"], "no key that begins"),
        (["--remove-key", "nobody", keys[1]], "no player nobody"),
        (["--rename", "nobody", "Bob"], "No player"),
    ):
        assert main(["players", *change, "--data", data]) == 2
        assert why in capsys.readouterr().err
    assert PlayerRegistry(running.data_directory.root / "players.json").fingerprints(ann) == keys[1:]


def test_terms_that_cannot_be_saved_do_not_count(tmp_path, monkeypatch):
    terms = ServerTerms(tmp_path / "terms.json")
    before = terms.set("friday", {"watch": "nobody"})

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(type(FILES), "replace", fail)
    for change in (
        lambda: terms.set("friday", {"watch": "anybody"}),
        lambda: terms.set("sunday", {"watch": "anybody"}, opener="ann"),
        lambda: terms.let_open("known"),
    ):
        with pytest.raises(OSError, match="disk full"):
            change()
    assert terms.of("friday") == before and terms.of("sunday") == AccessTerms()
    assert terms.opener("sunday") == "" and terms.opens == "host"
