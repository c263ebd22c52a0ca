"""Dispatches: who can read them and when, what undo does to them, and their notation."""

from __future__ import annotations

import json

import pytest

from paxtui.cli.main import main
from paxtui.cli.plain.repl import Repl
from paxtui.engine.free_text import clean_text
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions.dispatches import MAX_DISPATCH_LENGTH, Dispatch
from paxtui.games.pax.actions.notation import format_order, parse_order
from paxtui.session.game_host import empty_clock
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.protocol import EngineSession
from tests.pax.diplomats import SEATS, T, world
from tests.refusals import refused


def read_by(table: PaxHost, seat: str) -> list[tuple[str, str]]:
    """Return the senders and texts of the dispatches that a seat can read."""
    return [(letter.sender, letter.text) for letter in table.dispatches(seat)]


# --- who reads them --------------------------------------------------------------------------------------------------


def test_only_recipients_read_and_count_a_dispatch():
    table = world("a")
    before = {seat: table.version_for(seat) for seat in (*SEATS, SPECTATOR)}
    line = table.dispatch("france", ("italy", "russia"), "the fleet sails")
    assert (line.kind, line.action) == (
        "note",
        {"type": "dispatch", "to": ["russia", "italy"], "text": "the fleet sails", "opens": 0},
    )
    for seat in (*SEATS, SPECTATOR):
        is_reader = seat in ("france", "italy", "russia")
        assert read_by(table, seat) == ([("france", "the fleet sails")] if is_reader else [])
        assert table.version_for(seat) == table.view(seat)["version"] == before[seat] + is_reader
        assert len(table.lines_for(seat)) == table.version_for(seat) - 1
    assert read_by(table, ARBITER) == [("france", "the fleet sails")]


def test_proclamation_reaches_all_seats():
    table = world("b")
    table.act("britain", "proclaim: peace in our time")
    for seat in (*SEATS, SPECTATOR, ARBITER):
        assert read_by(table, seat) == [("britain", "peace in our time")]
    table.dispatch(ARBITER, (), "dinner is served")
    assert read_by(table, "japan")[-1] == (ARBITER, "dinner is served")


def test_dispatch_to_a_power_without_a_player_reaches_its_seat():
    table = world("c")
    table.dispatch("france", ("austria_hungary",), "Vienna?")
    assert read_by(table, "germany") == [("france", "Vienna?")]
    assert table.lines_for("germany")[-1].action["to"] == ["germany"]


def test_sealed_letter_opens_at_its_game_turn():
    table = world("d")
    table.act("france", "dispatch italy sealed 1884: open this in spring")
    [letter] = table.dispatches("italy")
    assert (letter.sealed, letter.text, letter.opens, letter.sender) == (True, "", 2, "france")
    assert "spring" not in json.dumps([repr(line) for line in table.lines_for("italy")])
    assert table.dispatches("russia") == ()
    [own] = table.dispatches("france")
    assert (own.sealed, own.text) == (False, "open this in spring")
    before = table.version_for("russia")
    while table.state.turn == 1:
        table.act(ARBITER, "step")
    [letter] = table.dispatches("italy")
    assert (letter.sealed, letter.text, letter.line) == (False, "open this in spring", 3)
    opened = table.lines_for("italy")[-1].action
    assert (opened["type"], opened["from"], opened["line"]) == ("letter", "france", 3)
    assert table.dispatches("russia") == ()
    public = [line for line in table.game.lines if line.kind == "act"]
    assert table.version_for("russia") - before == len([line for line in public if line.n > 3])
    # it stays open, and is opened only once
    table.act(ARBITER, f"undo {2}")
    assert table.state.turn == 1
    table.act(ARBITER, "step")
    assert [x.sealed for x in table.dispatches("italy")] == [False]
    assert sum(line.kind == "note" for line in table.game.lines) == 2


def test_sealed_proclamation_is_closed_for_all():
    table = world("e")
    table.act("france", "proclaim sealed 1884: the king is dead")
    for seat in (SPECTATOR, "italy"):
        assert [(x.text, x.sealed) for x in table.dispatches(seat)] == [("", True)]
    while table.state.turn == 1:
        table.act(ARBITER, "step")
    assert read_by(table, SPECTATOR) == [("france", "the king is dead")]


def test_undo_keeps_dispatches_and_dispatches_block_no_undo():
    table = world("f", "movement")
    table.act("france", "build A1")
    table.dispatch("france", ("italy",), "one")
    table.dispatch("italy", ("france",), "two")
    table.act("france", "undo")
    assert read_by(table, "italy") == [("france", "one"), ("italy", "two")]
    assert table.version_for("britain") == 4
    table.act(ARBITER, "undo 1")
    assert read_by(table, "italy") == [("france", "one"), ("italy", "two")]


def test_dispatch_changes_no_position():
    table = world("g")
    table.act("italy", "ready")
    before = table.state
    table.dispatch("france", ("italy",), "one")
    table.dispatch("france", (), "two")
    assert table.state is before


def test_dispatches_are_kept_in_the_log(tmp_path):
    path = tmp_path / "game.jsonl"
    with PaxHost.new(T, SEATS, "x", path=path, clock=empty_clock) as table:
        table.dispatch("france", ("italy",), "kept")
        table.dispatch("france", ("italy",), "shut", opens=2)
    with PaxHost.open(path, clock=empty_clock) as again:
        assert read_by(again, "italy") == [("france", "kept"), ("france", "")]
        while again.state.turn == 1:
            again.act(ARBITER, "step")
        assert read_by(again, "italy") == [("france", "kept"), ("france", "shut")]


# --- what may be sent ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "to", "text", "opens", "code"),
    [
        ("france", ("italy",), "", 0, "empty"),
        ("france", ("italy",), " \x07\u200b\n ", 0, "empty"),
        ("france", ("italy",), "x" * (MAX_DISPATCH_LENGTH + 1), 0, "too_long"),
        ("france", ("spain",), "hola", 0, "no_seat"),
        ("france", ("france",), "me", 0, "yourself"),
        ("germany", ("austria_hungary",), "me", 0, "yourself"),
        ("france", ("italy",), "x", 1, "bad_date"),
        ("france", ("italy",), "x", 11, "bad_date"),
        ("france", ("italy",), "x", -1, "bad_date"),
        (SPECTATOR, (), "x", 0, "not_a_player"),
        ("spain", (), "x", 0, "not_a_player"),
    ],
)
def test_invalid_dispatch_is_refused_and_not_logged(seat, to, text, opens, code):
    table = world("h")
    before = table.version
    refusal = refused(table.dispatch, seat, to, text, opens)
    assert (refusal.code, refusal.rules, table.version) == (code, (), before)


def test_control_characters_are_removed_from_dispatches():
    table = world("i")
    table.dispatch("france", ("italy",), "one\ttwo\x1b[31m\n\u202ethree\ud800  four £5 – naïve 条約")
    assert read_by(table, "italy")[0][1] == "one two [31m three four £5 – naïve 条約"
    assert clean_text("x" * MAX_DISPATCH_LENGTH) == "x" * MAX_DISPATCH_LENGTH
    table.dispatch("france", ("italy",), "x" * MAX_DISPATCH_LENGTH)


# --- notation --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "dispatch", "again"),
    [
        ("dispatch france: hello", Dispatch(("france",), "hello"), "dispatch france: hello"),
        ("Dispatch Fra, Italy: a: b", Dispatch(("france", "italy"), "a: b"), "dispatch france, italy: a: b"),
        ("dispatch great britain and russia: x", Dispatch(("britain", "russia"), "x"), "dispatch britain, russia: x"),
        ("dispatch france sealed 1888: x", Dispatch(("france",), "x", 3), "dispatch france sealed 1888: x"),
        ("dispatch france sealed 3: x", Dispatch(("france",), "x", 3), "dispatch france sealed 1888: x"),
        ("dispatch all: x", Dispatch((), "x"), "proclaim: x"),
        ("proclaim: x", Dispatch((), "x"), "proclaim: x"),
        ("proclaim : x", Dispatch((), "x"), "proclaim: x"),
        ("proclaim x y", Dispatch((), "x y"), "proclaim: x y"),
        ("proclaim hear me: x", Dispatch((), "hear me: x"), "proclaim: hear me: x"),
        ("proclaim sealed 1888: x", Dispatch((), "x", 3), "proclaim sealed 1888: x"),
        ("proclaim: " + "long " * 500, Dispatch((), "long " * 499 + "long"), None),
    ],
)
def test_dispatch_is_parsed_and_formatted(text, dispatch, again):
    assert parse_order(T, text) == dispatch
    if again is not None:
        assert format_order(T, dispatch) == again
        assert parse_order(T, again) == dispatch


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("dispatch france hello", 4),
        ("dispatch: hello", 1),
        ("dispatch : hello", 2),
        ("dispatch narnia: hello", 2),
        ("dispatch france sealed: hello", 4),
        ("dispatch france sealed soon: hello", 4),
        ("dispatch france sealed 1889: hello", 4),
        ("dispatch", 2),
        ("germany: dispatch france: hello", 1),
    ],
)
def test_error_in_a_dispatch_has_its_position(text, position):
    refusal = refused(parse_order, T, text)
    assert (refusal.code, refusal.detail["position"]) == ("notation", position)


def test_structured_dispatch_accepts_short_names():
    table = world("j")
    table.act("france", {"type": "dispatch", "to": ["Italy", "ru"], "text": "hello", "opens": 2})
    assert table.lines_for("italy")[-1].action == {
        "type": "dispatch",
        "to": ["russia", "italy"],
        "text": "",
        "opens": 2,
    }
    for bad in ({"text": 3}, {"to": "x", "text": "y"}, {"to": [], "text": "y", "z": 1}, {"to": []}):
        assert refused(table.act, "france", {"type": "dispatch", **bad}).code == "bad_action"


# --- protocol, plain mode, command line ------------------------------------------------------------------------------


class Program:
    def __init__(self) -> None:
        self.session = EngineSession()
        self.ask("new", seed=1)

    def ask(self, method, **params):
        answer = json.loads(self.session.handle(json.dumps({"id": 1, "method": method, "params": params})))
        return answer.get("result", answer.get("error"))


def test_protocol_numbers_dispatches_for_each_seat():
    program = Program()
    answer = program.ask("act", seat="france", text="dispatch italy: hello")
    sent = {"type": "dispatch", "to": ["italy"], "text": "hello", "opens": 0}
    assert (answer["version"], answer["sent"], answer["events"]) == (2, sent, [])
    assert program.ask("view", seat="italy")["version"] == 2
    assert program.ask("view", seat="japan")["version"] == program.ask("legal", seat="japan")["version"] == 1
    assert program.ask("view", seat="arbiter")["version"] == 2
    assert program.ask("events", since=1, seat="italy")["lines"][0]["action"] == sent
    assert program.ask("events", since=1, seat="japan") == {"version": 1, "events": [], "lines": []}
    assert program.ask("events", seat="narnia")["code"] == "unknown_seat"
    # dispatches between other seats make no order stale
    assert "version" in program.ask("act", seat="japan", text="proclaim: konnichiwa", version=1)
    assert program.ask("act", seat="italy", text="proclaim: ciao", version=1)["code"] == "stale"


def test_dispatches_in_plain_mode():
    talk = Repl(LocalSession(world("k")))
    assert talk.hear("dispatch france, italy: shall we talk")[0] == (
        "Dispatch from Great Britain to France, Italy: shall we talk"
    )
    assert talk.hear("dispatch france sealed 1884: not yet")[0].startswith("Dispatch from Great Britain to France")
    talk.hear("proclaim: peace")
    out = talk.hear("seat france")
    assert out[:2] == [
        "Dispatch from Great Britain to France, Italy: shall we talk",
        "Letter from Great Britain to France sealed until 1884.",
    ]
    assert talk.hear("seat france")[0].startswith("1880")
    assert talk.hear("show dispatches") == [
        "3 Great Britain to France, Italy: shall we talk",
        "4 Great Britain to France: sealed until 1884.",
        "5 Great Britain to everybody: peace",
    ]
    talk.hear("seat germany")
    assert talk.hear("show dispatches") == ["3 Great Britain to everybody: peace"]
    assert not any("talk" in line for line in talk.hear("show log 40"))
    assert talk.hear("show dispatches x")[0].startswith("Not understood")
    talk.hear("seat japan")
    assert talk.hear("dispatch japan: me")[0].startswith("Not understood: A dispatch needs another seat as recipient.")


def test_show_seat_shows_only_the_lines_of_the_seat(tmp_path, capsys):
    path = tmp_path / "game.jsonl"
    table = world("l")
    table.act("france", "pay italy 7")
    table.act("britain", "ready")
    table.act("france", {"type": "draft", "name": "Zqword", "parties": ["italy"], "clauses": [{"kind": "defensive"}]})
    table.save_as(path)
    assert main(["show", str(path), "--seat", "france", "--toml"]) == 0
    assert "Zqword" in capsys.readouterr().out
    for seat in ("britain", SPECTATOR):
        for form in ([], ["--log"], ["--toml"], ["--json"], ["--at", "3"]):
            assert main(["show", str(path), "--seat", seat, *form]) == 0
            out = capsys.readouterr().out
            assert "Zqword" not in out and "£7" not in out and "oney" not in out
        assert main(["show", str(path), "--seat", seat, "--at", "4"]) == 2
        assert "from 1 to 3" in capsys.readouterr().err
    assert main(["show", str(path), "--seat", "italy", "--at", "3"]) == 0
    assert "line 3 of 5" in capsys.readouterr().out
