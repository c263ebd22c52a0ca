import pickle

import msgspec
import pytest

from paxtui.engine.frames import Choice, ChoiceQuestion, PhaseFrame, pop, push, replace_top, top
from paxtui.engine.refusal import Refusal


class Votes(msgspec.Struct, frozen=True):
    cast: int


class Hall(PhaseFrame[Votes], frozen=True, omit_defaults=True):
    pass


class Losses(ChoiceQuestion, frozen=True, tag="losses"):
    needed: int


class Lost(Choice[Losses], frozen=True):
    pass


def test_a_stack_of_frames():
    one, two, three = PhaseFrame("movement"), PhaseFrame("war", "join"), PhaseFrame("congress", notes=Votes(3))
    frames = push(push((), one), two)
    assert frames == (one, two)
    assert top(frames) == two
    assert replace_top(frames, three) == (one, three)
    assert pop(frames) == (one,)
    assert frames == (one, two)


@pytest.mark.parametrize("function", [top, pop, lambda frames: replace_top(frames, PhaseFrame("x"))])
def test_an_empty_stack_has_no_top(function):
    with pytest.raises(IndexError):
        function(())


def test_a_frame_survives_json():
    frame = Hall("congress", "ballot", Votes(3))
    assert msgspec.json.decode(msgspec.json.encode(frame), type=Hall) == frame
    assert Hall("congress").notes is None


def test_a_choice_survives_json():
    choice = Lost("c1", "red", "red", Losses(3), ("A3", ("A1", "A2")), ("A1", "A2"), rules=("CCB-006",))
    assert msgspec.json.decode(msgspec.json.encode(choice), type=Lost) == choice
    assert choice.kind == "losses"


def test_a_refusal_says_its_message_and_keeps_its_detail():
    refusal = Refusal("no_army", ("CCB-001",), "There is no army.", area="siam")
    assert str(refusal) == "There is no army."
    assert (refusal.code, refusal.rules, refusal.detail) == ("no_army", ("CCB-001",), {"area": "siam"})
    assert str(pickle.loads(pickle.dumps(refusal))) == "There is no army."
