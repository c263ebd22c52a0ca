"""A War in plain mode: its description, odds and losses before an order is final, and questions with odds."""

from __future__ import annotations

from tests.cli.commands import talk_at
from tests.tui.wars import FAR_EAST, SECRET_TREATY, far_east


def at_war(phase: str = "maneuver", seat: str = "japan", **war: int):
    """Return the plain mode of a seat in the War in the Far East."""
    patch = {key: value for key, value in far_east(phase, **war).items() if key != "phase"}
    talk = talk_at("war", **patch)
    talk.hear(f"seat {seat}")
    return talk


def test_show_war():
    out = at_war("attack").hear("show war")
    assert out[0] == "Japan and Great Britain against Russia: cycle 1, Attack Phase of Japan and Great Britain."
    assert any(line.startswith("Alliance 2, Russia: abroad A3; at sea N1;") for line in out)
    assert any(line.startswith("Japan and Great Britain: 6 against 3, Table 1 at 2-1.") for line in out)
    assert "Russia loses when its last Unit abroad is gone (2 now)." in out
    assert talk_at("movement").hear("show war") == ["There is no War."]


def test_attack_is_previewed_with_its_odds():
    talk = at_war("attack")
    out = talk.hear("attack manchuria")
    assert out[0] == "Before it is final:" and "Of six faces:" in out[1]
    assert out[1].startswith("Japan and Great Britain: 6 against 3") and out[2].startswith("Japan: 3 against 3")
    assert not talk.session.live.choices
    talk.hear("yes")
    assert [c.kind for c in talk.session.live.choices] == ["join_attack"]
    questions = talk.hear("seat britain")
    assert any("Without you: Japan: 3 against 3" in line for line in questions), questions


def test_cost_of_a_move_is_previewed():
    talk = at_war()
    out = talk.hear("move a10 a1 korea > manchuria")
    assert out[1] == "Korea has no Army left: any enemy Army that enters takes it without a fight."
    assert len(talk.session.live.areas["korea"].units) == len(FAR_EAST["areas"]["korea"]["units"])
    talk.hear("yes")
    assert not talk.session.live.areas["korea"].units


def test_move_without_cost_has_no_preview():
    talk = at_war()
    talk.hear("move a1 korea > manchuria")
    assert len(talk.session.live.areas["korea"].units) == 1


def test_units_out_of_supply_are_previewed_before_a_pass():
    talk = at_war(seat="russia", turn_of=2)
    for order in ("pass", "ready"):
        out = talk.hear(order)
        assert out[0] == "Before it is final:" and "Russia's N1 in South China Sea will surrender" in out[1]
        assert talk.session.live.wars[0].turn_of == 2
    talk.hear("yes")
    assert talk.session.live.wars[0].turn_of != 2 or talk.session.live.wars[0].stage != "maneuver"


def test_standing_aside_is_previewed():
    talk = at_war("attack")
    talk.hear("attack manchuria")
    talk.hear("yes")
    talk.hear("seat britain")
    (choice,) = talk.session.live.choices
    out = talk.hear(f"choose {choice.id} stand aside")
    assert out[0] == "Before it is final:" and "do not attack in this Phase" in out[1], out


def test_questions_without_a_choice_are_answered_together():
    talk = talk_at("war", **{key: value for key, value in SECRET_TREATY.items() if key != "phase"})
    talk.hear("seat russia")
    talk.session.act_text("declare war japan")
    questions = talk.hear("seat germany")
    assert sum(line.startswith("Question") for line in questions) == 1, questions
    talk.hear("default")
    assert not [c for c in talk.session.live.choices if c.seat == "germany"]
