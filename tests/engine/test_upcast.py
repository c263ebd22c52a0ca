import pytest

from paxtui.engine.game_log import GameLog
from paxtui.engine.log import BrokenLog, Line, digest, encode_header
from paxtui.engine.upcast import UnknownVersion, Upcasters
from tests.engine.counter_game import Added, CounterRules, header


def chain() -> Upcasters:
    """Return upcasters of `added`: version 1 has `n`, version 2 `by`, version 3 `seat` and `amount`."""
    upcasters = Upcasters()

    @upcasters.step("added", 1)
    def name_it(raw):
        raw["by"] = raw.pop("n")
        return raw

    @upcasters.step("added", 2)
    def split_it(raw):
        seat, amount = raw["by"].split(":")
        return {"type": "added", "seat": seat, "amount": int(amount)}

    return upcasters


def test_each_version_is_upcast_to_the_current_one():
    upcasters = chain()
    today = {"type": "added", "v": 3, "seat": "red", "amount": 4}
    assert upcasters.apply({"type": "added", "n": "red:4"}) == today
    assert upcasters.apply({"type": "added", "v": 2, "by": "red:4"}) == today
    assert upcasters.apply(today) == today
    assert upcasters.apply({"type": "other", "x": 1}) == {"type": "other", "x": 1}


def test_raw_event_is_not_changed():
    upcasters = Upcasters()
    upcasters.step("a", 1)(lambda raw: (raw["list"].append(1), raw)[1])
    raw = {"type": "a", "list": []}
    assert upcasters.apply(raw)["list"] == [1]
    assert raw == {"type": "a", "list": []}


def test_event_can_be_renamed():
    upcasters = chain()
    upcasters.step("plus", 1)(lambda raw: {"type": "added", "n": raw["n"]})
    upcasters.step("plus2", 1)(lambda raw: {"type": "added", "v": 2, "by": raw["n"]})
    for kind in ("plus", "plus2"):
        assert upcasters.apply({"type": kind, "n": "red:4"})["amount"] == 4


def test_circular_names_are_refused():
    upcasters = Upcasters()
    upcasters.step("a", 1)(lambda raw: {"type": "b"})
    upcasters.step("b", 1)(lambda raw: {"type": "a"})
    with pytest.raises(UnknownVersion):
        upcasters.apply({"type": "a"})


@pytest.mark.parametrize("version", [4, 0, -1, "3", True, None, 1.0])
def test_unknown_version_is_refused(version):
    with pytest.raises(UnknownVersion):
        chain().apply({"type": "added", "v": version, "n": "red:4"})


def test_steps_must_be_in_order():
    upcasters = chain()
    for version in (1, 2, 4):
        with pytest.raises(ValueError):
            upcasters.step("added", version)


def test_new_events_have_their_version():
    assert chain().stamp({"type": "added"}) == {"type": "added", "v": 3}
    assert chain().stamp({"type": "rolled"}) == {"type": "rolled"}


def old_line(events):
    return Line(
        n=2, seat="red", action={"type": "add", "amount": 4}, events=events, prev=digest(encode_header(header()))
    )


def test_game_reads_old_events_and_writes_new_ones():
    rules = CounterRules(upcasters=chain())
    game = GameLog(rules, header(), [old_line(({"type": "added", "n": "red:4"},))])
    assert game.state.counts == {"red": 4}
    assert game.events(2) == (Added("red", 4),)
    line = game.act("red", rules.decode_action({"type": "add", "amount": 1}))
    assert line.events == ({"type": "added", "v": 3, "seat": "red", "amount": 1},)


@pytest.mark.parametrize("raw", [{"type": "added", "v": 9}, {"type": "nothing"}, {}, {"type": "added", "n": 4}])
def test_unreadable_event_breaks_the_log_with_its_line(raw):
    with pytest.raises(BrokenLog) as broken:
        GameLog(CounterRules(upcasters=chain()), header(), [old_line((raw,))])
    assert broken.value.line_number == 2
