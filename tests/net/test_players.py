"""Names and further keys of players."""

from __future__ import annotations

import pytest

from paxtui.engine.refusal import Refusal
from paxtui.net import players as register
from paxtui.net.players import Players

ANN, BOB, LAPTOP = (f"ssh-ed25519 {name}" for name in ("ANN", "BOB", "LAPTOP"))


@pytest.fixture
def players(tmp_path) -> Players:
    made = Players(tmp_path / "players.json")
    for key, seat, name in ((ANN, "france", "ann"), (BOB, "germany", "bob")):
        made.redeem(key, made.invite("friday", seat), name)
    return made


def code_of(refused: pytest.ExceptionInfo[Refusal]) -> str:
    return refused.value.code


def test_a_second_key_is_the_same_player(players, tmp_path):
    ann = players.known(ANN)
    code = players.key_code(ann)
    assert players.invited("friday") == ()
    assert players.redeem(LAPTOP, code, "laptop") == (ann, "", "")
    again = Players(tmp_path / "players.json")
    assert again.known(LAPTOP) == again.known(ANN) == ann and again.name(ann) == "ann"
    with pytest.raises(Refusal) as refused:
        players.redeem("ssh-ed25519 OTHER", code, "x")  # a code is good once
    assert code_of(refused) == "wrong_code"


def test_a_visitor_who_types_such_a_code_becomes_the_player(players):
    ann, forgotten = players.known(ANN), []
    players.forget = forgotten.append
    visitor = players.meet(LAPTOP, "laptop")
    with pytest.raises(Refusal) as refused:
        players.redeem_for(visitor, players.key_code(ann))
    assert code_of(refused) == "key_added"
    assert players.known(LAPTOP) == ann and forgotten == [visitor] and visitor not in players.ids()


def test_keys_of_others_and_too_many_are_refused(players, monkeypatch):
    ann = players.known(ANN)
    for key in (ANN, BOB):
        with pytest.raises(Refusal) as refused:
            players.redeem(key, players.key_code(ann), "x")
        assert code_of(refused) == "known_key"
    monkeypatch.setattr(register, "MOST_KEYS", 2)
    players.redeem(LAPTOP, players.key_code(ann), "x")
    with pytest.raises(Refusal) as refused:
        players.key_code(ann)
    assert code_of(refused) == "too_many"
    assert players.known(BOB) != ann


def test_a_name_is_chosen_and_nobody_elses(players):
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
