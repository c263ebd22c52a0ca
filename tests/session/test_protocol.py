"""The engine protocol for other programs."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from paxtui.session.protocol import EngineSession
from paxtui.session.tables.loader import load_tables
from tests.waiting import PATIENCE

SEVEN = list(seats_for(7))

MANCHURIA = {
    "phase": "colonial_combat",
    "areas": {
        "manchuria": {
            "unrest": True,
            "markers": [{"power": "russia", "marker": "protectorate", "established": False}],
            "units": [
                {"power": "russia", "kind": "army", "strength": 10},
                {"power": "russia", "kind": "army", "strength": 3},
            ],
        }
    },
    "homes": {"russia": {"units": []}},
    "powers": {"russia": {"treasury": 40}},
    "indexes": {"european_tensions": 12},
}


class Program:
    """A program that uses the protocol."""

    def __init__(self, new: dict[str, Any] | None = None) -> None:
        self.session = EngineSession()
        self.n = 0
        if new is not None:
            self.ok("new", **new)

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        self.n += 1
        answer = self.session.handle(json.dumps({"id": self.n, "method": method, "params": params}))
        assert "\n" not in answer
        decoded: dict[str, Any] = json.loads(answer)
        assert decoded["id"] == self.n
        assert set(decoded) in ({"id", "result"}, {"id", "error"})
        return decoded

    def ok(self, method: str, **params: Any) -> dict[str, Any]:
        answer = self.send(method, **params)
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def error(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the error of a request, which must change neither view, version nor log."""
        before = self.snapshot()
        answer = self.send(method, **params)
        assert "result" not in answer, answer
        error: dict[str, Any] = answer["error"]
        assert isinstance(error["code"], str) and error["code"]
        assert isinstance(error["rules"], list)
        assert isinstance(error["message"], str) and error["message"]
        assert self.snapshot() == before
        return error

    def snapshot(self) -> Any:
        table = self.session.table
        return None if table is None else (table.version, table.view("arbiter"), table.log(), table.game.queue)


@pytest.fixture
def program() -> Program:
    return Program({"seed": 7, "powers": SEVEN, "options": {}})


def test_legal_foresees_the_results_of_orders():
    program = Program({"seed": 1})
    program.ok("position", patch={"phase": "movement", "powers": {"france": {"treasury": 60}}})
    before = program.ok("events")
    orders = ["place protectorate tunis", "place possession siam", "plaice"]
    seen = program.ok("legal", seat="france", foresee=orders)["foresight"]
    assert list(seen) == orders
    assert seen[orders[0]]["price"] == 20 and seen[orders[0]]["ungarrisoned"] == ["tunis"]
    assert "Then Tunis still needs an army of yours before the Phase ends." in seen[orders[0]]["says"]
    assert seen[orders[1]]["refused"]["rules"] and seen[orders[2]]["refused"]["message"]
    assert program.ok("events") == before and "foresight" not in program.ok("legal", seat="france")
    assert program.error("legal", seat="france", foresee="place influence tunis")["code"] == "bad_params"


def test_new_returns_the_documented_answer(program):
    assert program.ok("new", seed=7, powers=SEVEN, options={}) == {
        "version": 1,
        "phase": "random_events",
        "waiting": [],
        "pending": [],
    }
    assert program.ok("new") == program.ok("new", seed="x", powers=list(reversed(SEVEN)))
    assert program.ok("new", powers=list(seats_for(8)), options={"belgium": True})["version"] == 1


def test_example_session(program):
    answer = program.ok("position", patch=MANCHURIA)
    assert answer == {
        "version": 2,
        "phase": "colonial_combat",
        "waiting": ["russia"],
        "pending": [
            {
                "id": "c1",
                "seat": "russia",
                "power": "russia",
                "kind": "fight",
                "options": ["fight manchuria", "decline manchuria"],
                "default": "fight manchuria",
            }
        ],
    }
    assert program.ok("dice", queue=[4])["queue"] == [4]
    answer = program.ok("act", seat="russia", text="fight manchuria")
    assert set(answer) == {"version", "events", "waiting", "pending"}
    assert (answer["version"], answer["waiting"], answer["pending"]) == (3, [], [])
    assert all(isinstance(e["type"], str) and isinstance(e["rules"], list) for e in answer["events"])
    assert any("CCB-006" in e["rules"] for e in answer["events"])
    seen = program.ok("view", seat="arbiter")
    assert (seen["version"], seen["year"], seen["turn"], seen["phase"]) == (3, 1880, 1, "colonial_combat")
    manchuria = seen["areas"]["manchuria"]
    assert manchuria["unrest"] is False
    assert manchuria["markers"] == [{"power": "russia", "marker": "protectorate", "established": True}]
    assert seen["homes"]["russia"] == {"units": []} or len(seen["homes"]["russia"]["units"]) < 3
    assert seen["indexes"] == {"european_tensions": 12, "chinese_resentment": 0}
    assert seen["powers"]["britain"]["record"]["21"] == 388
    # the queue is empty after its only die
    assert program.session.table.game.queue == ()


def test_choice_accepts_its_default_as_text(program):
    pending = program.ok("position", patch=MANCHURIA)["pending"]
    program.ok("dice", queue=[4])
    default = pending[0]["default"]
    texts = [default] if isinstance(default, str) else default
    by_choice = program.ok("act", seat="russia", text=f"choose {pending[0]['id']} {' '.join(texts)}")
    program.ok("position", patch=MANCHURIA)
    program.ok("dice", queue=[4])
    program.ok("act", seat="russia", action={"type": "fight", "area": "manchuria"})
    assert program.ok("view", seat="russia")["areas"]["manchuria"]["unrest"] is False
    assert by_choice["pending"] == []


def test_refused_act_names_its_rules(program):
    program.ok("position", patch={"phase": "movement"})
    error = program.error("act", seat="france", text="place interest siam")
    assert error["rules"]
    error = program.error("act", seat="france", text="fight siam")
    assert (error["code"], bool(error["rules"])) == ("wrong_phase", True)


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("nonsense", {}, "unknown_method"),
        ("act", {}, "bad_params"),
        ("act", {"seat": "france"}, "bad_params"),
        ("act", {"seat": 3, "text": "ready"}, "bad_params"),
        ("act", {"seat": "france", "text": 3}, "bad_params"),
        ("act", {"seat": "france", "text": "ready", "action": {"type": "ready"}}, "bad_params"),
        ("act", {"seat": "france", "action": "ready"}, "bad_action"),
        ("act", {"seat": "france", "action": {"type": "nonsense"}}, "bad_action"),
        ("act", {"seat": "france", "action": {"type": "pay", "to": "italy", "amount": 1e99}}, "bad_action"),
        ("act", {"seat": "france", "action": {"type": "undo", "to": "x"}}, "bad_action"),
        ("act", {"seat": "france", "text": "raedy"}, "notation"),
        ("act", {"seat": "france", "text": "place i siam"}, "ambiguous"),
        ("act", {"seat": "spain", "text": "ready"}, "unknown_seat"),
        ("act", {"seat": "austria_hungary", "text": "ready"}, "unknown_seat"),
        ("act", {"seat": "spectator", "text": "ready"}, "not_a_player"),
        ("act", {"seat": "france", "text": "advance"}, "not_yours"),
        ("act", {"seat": "arbiter", "text": "ready"}, "not_yours"),
        ("act", {"seat": "france", "text": "undo"}, "nothing_to_undo"),
        ("act", {"seat": "france", "text": "undo 99"}, "no_such_line"),
        ("act", {"seat": "france", "text": "redo"}, "nothing_to_redo"),
        ("act", {"seat": "france", "text": "ready", "version": 99}, "stale"),
        ("view", {}, "bad_params"),
        ("view", {"seat": "nobody"}, "unknown_seat"),
        ("legal", {"seat": "nobody"}, "unknown_seat"),
        ("legal", {"seat": None}, "bad_params"),
        ("suggest", {"seat": "nobody"}, "unknown_seat"),
        ("suggest", {"seat": "arbiter"}, "unknown_seat"),
        ("suggest", {"seat": "spectator"}, "unknown_seat"),
        ("suggest", {"seat": "france", "bot": "nobody"}, "bad_params"),
        ("forecast", {"seat": "nobody", "text": "ready"}, "unknown_seat"),
        ("forecast", {"seat": "france"}, "bad_params"),
        ("forecast", {"seat": "france", "text": "ready"}, "no_forecast"),
        ("forecast", {"seat": "france", "text": "undo"}, "no_forecast"),
        ("forecast", {"seat": "france", "text": "declare war italy"}, "wrong_phase"),
        ("dice", {}, "bad_params"),
        ("dice", {"queue": 4}, "bad_params"),
        ("dice", {"queue": [4, 7]}, "bad_die"),
        ("dice", {"queue": [4, "3"]}, "bad_die"),
        ("dice", {"queue": [True]}, "bad_die"),
        ("events", {"since": "x"}, "bad_params"),
        ("load", {}, "bad_params"),
        ("load", {"path": "/nowhere/at/all.jsonl"}, "no_file"),
        ("load", {"path": "/"}, "file"),
        ("save", {"path": 3}, "bad_params"),
        ("save", {"path": "a\0b"}, "bad_params"),
        ("save", {"path": "/"}, "file"),
        ("position", {"patch": []}, "bad_params"),
        ("position", {"patch": {"areas": {"atlantis": {}}}}, "impossible_position"),
        ("position", {"patch": {"turn": "x", "phase": "y", "indexes": 3}}, "impossible_position"),
        ("new", {"seed": []}, "bad_params"),
        ("new", {"powers": "britain"}, "bad_params"),
        ("new", {"powers": ["britain"]}, "players"),
        ("new", {"powers": ["britain", "spain", "france", "germany"]}, "unknown_power"),
        ("new", {"options": {"nonsense": "yes"}}, "unknown_option"),
        ("new", {"options": {"edition": "1815"}}, "bad_option"),
        ("new", {"options": []}, None),
        ("new", {"options": ["x"]}, "bad_params"),
        ("new", {"options": {"belgium": 0.5}}, "bad_params"),
    ],
)
def test_bad_request_is_an_error_and_changes_nothing(program, method, params, code):
    program.ok("position", patch={"phase": "movement"})
    if code is None:
        program.ok(method, **params)
    else:
        assert program.error(method, **params)["code"] == code


def test_forecast_of_a_declaration_of_war(program):
    cause = {"holder": "japan", "against": "russia"}
    program.ok("position", patch={"phase": "negotiation", "casus_belli": [cause]})
    forecast = program.ok("forecast", seat="japan", text="declare war russia")
    assert forecast["steps"][0]["on"] == ["russia"] and (
        forecast["before"],
        forecast["tension"],
        forecast["great_war"],
    ) == (0, 5, "")
    assert forecast["text"][0] == "Japan declares War on Russia: tension 5."
    assert program.ok("view", seat="japan")["wars"] == []


def test_all_problems_of_a_position_are_named(program):
    error = program.error("position", patch={"turn": 99, "areas": {"atlantis": {}, "cuba": {"unrest": 3}}})
    assert len(error["problems"]) == 3


@pytest.mark.parametrize(
    ("line", "code", "id_"),
    [
        ("", "bad_json", None),
        ("nonsense", "bad_json", None),
        ('{"id":1', "bad_json", None),
        ("[1]", "bad_request", None),
        ("3", "bad_request", None),
        ('{"id":9}', "unknown_method", 9),
        ('{"id":9,"method":3}', "unknown_method", 9),
        ('{"id":"x","method":"view","params":[]}', "bad_params", "x"),
        ('{"id":[1],"method":"view"}', "no_game", None),
        ('{"method":"view","params":{"seat":"arbiter"}}', "no_game", None),
        ('{"id":1,"method":"act","params":{"seat":"\\ud800"}}', "bad_json", None),
        ("\ud800", "bad_json", None),
        ("[" * 100000, "bad_json", None),
    ],
)
def test_malformed_lines_are_answered(line, code, id_):
    answer = json.loads(EngineSession().handle(line))
    assert (answer["id"], answer["error"]["code"], answer["error"]["rules"]) == (id_, code, [])


WILD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10) | st.sampled_from(SEVEN),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["areas", "type", "seat", "cuba", "markers", "units", "x"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
NAMES = ["seat", "text", "action", "patch", "queue", "since", "powers", "seed", "options", "version"]
METHODS = ["new", "position", "dice", "view", "legal", "forecast", "act", "events", "schema", "nonsense"]


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        st.text(max_size=40),
        st.fixed_dictionaries(
            {"id": WILD, "method": st.one_of(st.sampled_from(METHODS), WILD)},
            optional={"params": st.one_of(st.dictionaries(st.sampled_from(NAMES), WILD, max_size=4), WILD)},
        ).map(json.dumps),
    )
)
def test_any_request_is_answered_with_one_line(line):
    answer = WILD_PROGRAM.session.handle(line)
    assert "\n" not in answer
    decoded = json.loads(answer)
    assert ("result" in decoded) != ("error" in decoded)
    if "error" in decoded:
        assert decoded["error"]["code"] != "internal", decoded


WILD_PROGRAM = Program({"seed": 1})


def test_dump_of_a_position_restores_it(program):
    program.ok("position", patch={**MANCHURIA, "phase": "movement"})
    before = program.ok("view", seat="arbiter")
    dumped = program.ok("position")
    assert dumped["areas"]["manchuria"]["unrest"] is True
    program.ok("position", patch=dumped)
    after = program.ok("view", seat="arbiter")
    assert {**after, "version": 0} == {**before, "version": 0}


def test_new_and_position_roll_nothing(program):
    program.ok("dice", queue=[1, 2, 3])
    program.ok("position", patch={"phase": "random_events", "turn": 3})
    assert program.ok("dice", queue=[])["queue"] == [1, 2, 3]
    assert program.ok("view", seat="arbiter")["events_in_force"] == []


def test_events_since_a_line(program):
    program.ok("position", patch={"phase": "movement", "powers": {"france": {"treasury": 9}}})
    acted = program.ok("act", seat="france", text="pay italy 1")
    later = program.ok("events", since=2)
    assert later["version"] == acted["version"] == 3
    assert later["events"] == acted["events"]
    assert [line["n"] for line in later["lines"]] == [3]
    assert program.ok("events", since=3)["events"] == []
    assert program.ok("events")["events"][0]["type"] == "position_set"


def test_save_and_load_give_the_same_game(program, tmp_path):
    program.ok("position", patch={"phase": "movement", "powers": {"france": {"treasury": 9}}})
    program.ok("act", seat="france", text="pay italy 1")
    program.ok("act", seat="france", text="undo")
    path = tmp_path / "game.jsonl"
    program.ok("save", path=str(path))
    program.ok("save", path=str(path))
    view, log = program.ok("view", seat="arbiter"), program.session.table.log()
    assert path.read_bytes() == log
    other = Program()
    answer = other.ok("load", path=str(path))
    assert answer == {"version": 4, "phase": "movement", "waiting": SEVEN, "pending": []}
    assert other.ok("view", seat="arbiter") == view
    assert other.session.table.log() == log
    other.ok("act", seat="france", text="pay italy 2")
    assert path.read_bytes() == log  # only `save` writes
    foreign = tmp_path / "foreign.txt"
    foreign.write_text("mine")
    assert program.error("save", path=str(foreign))["code"] == "exists"
    assert foreign.read_text() == "mine"
    (tmp_path / "broken.jsonl").write_bytes(log.replace(b'"france"', b'"frence"'))
    assert program.error("load", path=str(tmp_path / "broken.jsonl"))["code"] == "broken_log"


def test_undo_and_redo_are_orders(program):
    program.ok("position", patch={"phase": "movement", "powers": {"france": {"treasury": 9}}})
    before = program.ok("view", seat="arbiter")
    program.ok("act", seat="france", text="pay italy 1")
    after = program.ok("view", seat="arbiter")
    answer = program.ok("act", seat="france", text="undo")
    assert answer == {"version": 4, "events": [], "waiting": SEVEN, "pending": []}
    assert {**program.ok("view", seat="arbiter"), "version": 2} == before
    program.ok("act", seat="france", action={"type": "redo"})
    assert {**program.ok("view", seat="arbiter"), "version": 3} == after
    program.ok("act", seat="britain", text="unready" if "britain" not in after["waiting"] else "ready")
    assert program.error("act", seat="france", text="undo")["code"] == "undo_barrier"
    assert program.ok("act", seat="france", text="undo 2")["asked"]["to"] == 2
    program.ok("act", seat="arbiter", text="undo 2")
    assert {**program.ok("view", seat="arbiter"), "version": 2} == before


def test_the_same_requests_make_the_same_log():
    logs = []
    for _ in range(2):
        program = Program({"seed": 11})
        program.ok("act", seat="arbiter", text="advance")
        logs.append(program.session.table.log())
    assert logs[0] == logs[1]
    program = Program({"seed": 12})
    program.ok("act", seat="arbiter", text="advance")
    assert program.session.table.log() != logs[0]


def test_the_schema_knows_every_action_and_event():
    from paxtui.games.pax.actions import actions
    from paxtui.games.pax.events import events

    schema = Program().ok("schema")
    for union, name in ((actions.AnyAction, "action"), (events.AnyEvent, "event")):
        references = {part["$ref"].rpartition("/")[2] for part in schema[name]["anyOf"]}
        assert references == {kind.__name__ for kind in union.__args__}
        for kind in union.__args__:
            part = schema["$defs"][kind.__name__]
            assert part["properties"]["type"]["enum"] == [kind.__struct_config__.tag]
    assert schema["$defs"]["Move"]["required"] == ["type", "units", "path"]
    # two structs with the same name would have the names of their modules
    assert not [name for name in schema["$defs"] if not name.isidentifier()]


def test_engine_uses_stdin_and_stdout(tmp_path):
    path = tmp_path / "out.jsonl"
    lines = [
        {"id": 1, "method": "new", "params": {"seed": 3}},
        {"id": 2, "method": "save", "params": {"path": str(path)}},
        {"id": 3, "method": "quit"},
        {"id": 4, "method": "view", "params": {"seat": "arbiter"}},
    ]
    text = "\n".join(["", *map(json.dumps, lines[:2]), "nonsense \udcff", *map(json.dumps, lines[2:])]) + "\n"
    done = subprocess.run(
        [sys.executable, "-m", "paxtui.cli.main", "engine"],
        input=text.encode("utf-8", "surrogateescape"),
        capture_output=True,
        timeout=PATIENCE,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert [a["id"] for a in answers] == [1, 2, None, 3]
    assert answers[3]["result"] == {}
    assert done.stderr == b""
    assert path.read_bytes().startswith(b'{"format"')


# --- the host -------------------------------------------------------------------------------------------------------


def test_host_writes_its_lines_to_a_file(tmp_path):
    path = tmp_path / "kept.jsonl"
    with PaxHost.new(load_tables(), SEVEN, "seed", path=path, clock=empty_clock) as table:
        table.play("arbiter", "advance")
        assert path.read_bytes() == table.log()
        log = table.log()
    with PaxHost.open(path) as again:
        assert again.log() == log
        assert again.state == table.state
        assert again.verify() == []
    with pytest.raises(FileExistsError):
        PaxHost.new(load_tables(), SEVEN, "seed", path=path)


def test_host_plays_automatic_phases_as_the_arbiter():
    table = PaxHost.new(load_tables(), SEVEN, "seed", clock=empty_clock)
    table.act("arbiter", {"type": "set_position", "patch": {"phase": "negotiation"}})
    for seat in SEVEN[:-1]:
        assert len(table.play(seat, "ready")) == 1
    events = table.play(SEVEN[-1], "ready")
    assert table.game.lines[-1].seat == "arbiter"
    assert table.game.lines[-2].seat == SEVEN[-1]
    assert len(events) == len(table.game.events(table.version)) + len(table.game.events(table.version - 1))
    assert table.waiting or table.state.result
    with pytest.raises(Refusal):
        table.act("france", {"type": "nonsense"})


def test_log_contains_replaced_tables(tmp_path):
    from paxtui.session.storage.files import data_path

    mine = tmp_path / "tables"
    mine.mkdir()
    text = data_path("unit_costs.csv").read_text(encoding="utf-8")
    assert "1,3,3,1" in text
    (mine / "unit_costs.csv").write_text(text.replace("1,3,3,1", "1,4,4,1"), encoding="utf-8")
    path = tmp_path / "game.jsonl"
    with PaxHost.new(load_tables(mine), SEVEN, "seed", path=path, tables_dir=mine):
        pass
    with PaxHost.open(path, write=False) as table:
        assert table.tables.units[1].army == 4
