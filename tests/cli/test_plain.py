"""The plain mode, also over pipes and a pseudo-terminal."""

from __future__ import annotations

import random
import re
import subprocess
import sys

import pexpect
import pytest

from paxtui.cli.plain import help as plain_help
from paxtui.cli.plain.renderers import strip_symbols
from paxtui.cli.plain.repl import completions, run_repl
from paxtui.cli.runtime import clean_line, printable
from paxtui.games.pax.actions.notation import ORDERS, format_order
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.game_host import empty_clock
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.cli.commands import environment, inside, paxtui, talk_at
from tests.places import GOLDEN, TEN_TURNS
from tests.waiting import PATIENCE

TABLES = load_tables()


REVOLT = {
    "areas": {
        "manchuria": {
            "unrest": True,
            "markers": [{"power": "russia", "marker": "protectorate", "established": False}],
            "units": [{"power": "russia", "kind": "army", "strength": s} for s in (10, 3)],
        }
    }
}


# --- over pipes and terminals ---------------------------------------------------------------------------------------


def script_of(table: PaxHost) -> list[str]:
    """Return the lines to type for a finished game."""
    lines = []
    for line in table.game.lines:
        if line.kind == "act" and line.seat in table.state.players:
            action = PaxGame(table.tables).decode_action(line.action)
            lines += [f"seat {line.seat}", format_order(table.tables, action)]
    return lines


def test_typed_lines_play_a_complete_game(tmp_path):
    golden = PaxHost.open(TEN_TURNS, write=False)
    typed = "\n".join(script_of(golden)) + "\n"
    begins = ("--tables", "first-draft", "new", "--plain", "--seed", golden.game.header.seed, "--file", "g.jsonl")
    done = paxtui(tmp_path, *begins, typed=typed)
    assert done.returncode == 0, done.stderr.decode()
    with PaxHost.open(tmp_path / "g.jsonl", write=False) as played:
        assert played.state.result is not None
        assert played.state == golden.state
    text = done.stdout.decode()
    assert "\x1b" not in text and "Not allowed" not in text and "Internal error" not in text
    assert "Rank 1: " in text and text.count("Game Turn 10 of 10") > 1
    assert len([line for line in text.splitlines() if re.match(r"\w+> seat ", line)]) == typed.count("seat ")


def test_end_of_input_ends_the_program_and_the_file_continues(tmp_path):
    inside(tmp_path, "new", "--no-play", "--seed", "7", "--file", "g.jsonl")
    done = paxtui(tmp_path, "play", "--plain", "g.jsonl", typed="ready\n" * 7)
    assert done.returncode == 0 and done.stderr == b""
    out = done.stdout.decode().splitlines()
    assert out[0].startswith("Pax Britannica, plain mode") and out[1] == "Game file: g.jsonl."
    assert "britain> ready" in out and "Great Britain is ready." in out and "Seat: France." in out
    assert out[-1] == "italy> "
    assert any(line.startswith("1880, Game Turn 1 of 10, Negotiation Phase") for line in out)
    # the next program continues from the file
    again = paxtui(tmp_path, "play", "--plain", "g.jsonl", typed="status\nquit\nready\n").stdout.decode()
    assert "Negotiation Phase; line 10." in again
    assert again.rstrip().endswith("Everything is saved.")


def test_typed_control_characters_are_harmless(tmp_path):
    typed = b"\x1b[2J\x07boo\n\xff\xfe\x00what\n" + b"x" * 5000 + b"\n\n:ready\nquit\n"
    done = paxtui(tmp_path, "new", "--plain", "--seed", "7", "--file", "g.jsonl", typed=typed)
    assert done.returncode == 0 and done.stderr == b""
    assert not set(done.stdout) & (set(range(32)) - {10})
    assert b"Great Britain is ready." in done.stdout and b"Everything is saved." in done.stdout


def test_plain_mode_writes_ascii_to_an_ascii_stream(tmp_path):
    variables = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = paxtui(tmp_path, "new", "--plain", "--seed", "7", "--file", "g.jsonl", typed="what egypt\n", **variables)
    assert done.returncode == 0
    assert b"1 Place Interest, L5" in done.stdout


def test_errors_at_the_start_give_exit_code_2(tmp_path):
    assert inside(tmp_path, "play", "--plain", "none.jsonl").returncode == 2
    (tmp_path / "bad.jsonl").write_text("{}\n")
    done = inside(tmp_path, "play", "--plain", "bad.jsonl")
    assert done.returncode == 2 and done.stderr.startswith(b"paxtui: ")
    assert inside(tmp_path, "new", "--plain", "--players", "3").returncode == 2


def test_help_of_play_and_new_names_plain_mode(tmp_path):
    for command in ("play", "new"):
        done = inside(tmp_path, command, "--help")
        assert b"--plain" in done.stdout and b"screen readers" in done.stdout


def test_terminal_has_editing_history_and_completion(tmp_path):
    env = environment(tmp_path, TERM="xterm-256color")
    words = ["-m", "paxtui.cli.main", "new", "--plain", "--seed", "7", "--file", "g.jsonl"]
    child = pexpect.spawn(
        sys.executable, words, env=env, cwd=str(tmp_path), dimensions=(40, 200), timeout=PATIENCE, encoding="utf-8"
    )
    seen = (tmp_path / "seen").open("w", encoding="utf-8")
    child.logfile_read = seen
    child.expect("britain> ")
    child.send("place interest egy\t\r")
    child.expect("Great Britain places Interest in Egypt.")
    child.expect("britain> ")
    child.send("\x1b[A\r")
    child.expect("Not allowed: .*STA-027")
    child.expect("britain> ")
    child.send("half a li")
    child.expect("half a li")
    child.sendcontrol("c")
    child.expect("'quit' leaves")
    child.expect("britain> ")
    child.sendeof()
    child.expect(pexpect.EOF)
    child.close()
    seen.close()
    assert child.exitstatus == 0
    assert "\x1b" not in (tmp_path / "seen").read_text("utf-8")


def test_the_plain_mode_loads_no_screen():
    code = "import paxtui.cli.plain.repl, sys; print(*{m.split('.')[0] for m in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"textual", "rich"} & set(done.stdout.split())


# --- turns ----------------------------------------------------------------------------------------------------------


def test_status_shows_seat_missing_duties_and_prompt():
    talk = talk_at(events_in_force=["1-2"])
    out = talk.status()
    assert out[0] == "1880, Game Turn 1 of 10, Movement/Status Change Phase; line 2."
    assert out[1] == "Great Britain: £60, 0 Victory Points."
    assert out[2].startswith("Waiting for Great Britain, France")
    assert talk.prompt == "britain> "
    assert any(line.startswith("Before ready: Great Britain must still spend £30") for line in out)
    assert talk.hear("ready")[0].startswith("Not allowed: ")
    assert talk.hear("why")[0].startswith("EVT-017: ") and len(talk.hear("why")) > 1
    assert "You can be ready." in talk.hear("seat france")
    assert talk.prompt == "france> "


def test_status_of_a_rebellion_names_the_chinese_armies():
    rebels = [{"power": "china", "kind": "army", "strength": 5}] * 2
    war = {"kind": "rebellion", "alliances": [["china"], ["britain", "japan"]], "turn_of": 2}
    talk = talk_at("war", wars=[war], areas={"yunnan": {"units": rebels}, "tibet": {"units": rebels[:1]}})
    out = talk.status()
    war_is = "A Chinese Rebellion: China against Great Britain and Japan; cycle 1, Maneuver Phase of Great Britain and "
    assert f"{war_is}Japan." in out
    assert "China: A5 in Tibet, 2A5 in Yunnan." in out


def test_events_and_missing_duties_are_reported_once():
    talk = talk_at()
    talk.status()
    out = talk.hear("place protectorate egypt")
    assert "Great Britain pays £20: Protectorate in Egypt (£40 in the Treasury)." in out
    assert "Great Britain places Protectorate in Egypt." in out
    assert out[-1] == "You can be ready, but have no army in Egypt."
    out = talk.hear("move A1 home > egypt")
    assert "Great Britain moves A1: Great Britain to North Atlantic to Mediterranean Sea to Egypt." in out
    assert out[-1] == "You can be ready."
    assert all("Protectorate in Egypt" not in line for line in out)
    assert talk.hear("build A1")[-1].startswith("Great Britain builds A1")


def test_refusal_is_one_line_with_the_rules():
    talk = talk_at()
    out = talk.hear("place possession france")
    assert len(out) == 1 and out[0].startswith("Not understood: ")
    out = talk.hear("place interest hong_kong")
    assert len(out) == 1 and re.fullmatch(r"Not allowed: .* \[[A-Z]{3}-\d{3}.*\]", out[0])
    rule = re.findall(r"[A-Z]{3}-\d{3}", out[0])[0]
    assert talk.hear("why")[0].startswith(f"{rule}: ")
    assert talk.hear("boo") == [
        "Not understood: 'boo' is not a command or an order. 'help' lists the commands, 'what' your orders."
    ]
    assert talk.hear("plce influence egypt") == [
        "Not understood: 'plce' is not a command or an order. Did you mean 'place'?"
    ]


def test_question_is_answered_by_number_text_or_default():
    for typed in ("1", "fight manchuria", "default", "choose c1 fight manchuria", "c1 fight manchuria", "fight"):
        talk = talk_at("colonial_combat", **REVOLT)
        out = talk.status()
        heading = next(n for n, line in enumerate(out) if line.startswith("Question c1, fight: Attack Manchuria"))
        assert talk.prompt == "russia> "
        assert out[heading + 1 :] == ["1 attack", "2 do not attack"]
        talk.session._game.game.queue_dice([6])
        out = talk.hear(typed)
        if typed == "fight":
            assert out == ["1 possible:", "1 fight manchuria"]
            out = talk.hear("1")
        assert any(line.startswith("Russia attacks Manchuria") for line in out), (typed, out)
    talk = talk_at("colonial_combat", **REVOLT)
    assert not any("attacks" in line for line in talk.hear("2"))
    assert not talk.session.live.choices


def test_several_numbers_answer_one_question_together():
    talk = talk_at("colonial_combat", **REVOLT)
    talk.session._game.game.queue_dice([2])
    out = talk.hear("1")
    question = next(line for line in out if line.startswith("Question "))
    assert "losses" in question and "Several may be named." in question
    assert out[-2:] == ["1 A10", "2 A3"]
    assert talk.hear("1 7") == ["Not understood: No line 7: the last list has lines 1 to 2."]
    talk.hear("1 2")
    units = talk.session.live.areas["manchuria"].units
    assert not units


def before_a_war():
    """Return the plain mode in a Negotiation Phase: Japan can declare War on Russia, which France must defend."""
    pact = {
        "id": "pact", "name": "Pact", "stage": "in_force", "since": 1, "drafted": 1, "public": True,
        "parties": ["france", "russia"], "signed": ["france", "russia"], "clauses": [{"kind": "defensive"}],
    }  # fmt: skip
    cause = {"holder": "japan", "against": "russia"}
    talk = talk_at("negotiation", casus_belli=[cause], treaties=[pact])
    talk.hear("seat japan")
    return talk


@pytest.mark.parametrize("again", ["declare war russia", "1", "yes"])
def test_declaration_of_war_is_previewed(again):
    talk = before_a_war()
    out = talk.hear("declare war russia")
    assert out == [
        "Before it is final:",
        "Japan declares War on Russia: tension 5.",
        "France is called to Russia's side against Japan (by 'Pact'): tension 10 if it comes, +5 at once if it stays "
        "away.",
        "The War would be Japan against Russia and France.",
        "European Tensions would go from 0 to 10.",
        "Gives up your Casus Belli against Russia.",
        "1 Do it: declare war russia",
        "Or enter another order.",
    ]
    assert not talk.session.live.wars
    talk.hear(again)
    assert talk.session.live.wars


def test_preview_is_forgotten_after_another_order():
    talk = before_a_war()
    talk.hear("declare war russia")
    talk.hear("waive cb1")
    talk.hear("undo")
    assert talk.hear("declare war russia")[0] == "Before it is final:"


def test_answer_to_a_call_is_previewed():
    talk = before_a_war()
    talk.hear("declare war russia")
    talk.hear("yes")
    talk.hear("seat france")
    assert talk.hear("refuse")[:2] == [
        "Before it is final:", "France would break 'Pact': tension +5 and a Casus Belli for the others."
    ]  # fmt: skip
    talk.hear("default")
    assert talk.hear("default") and talk.session.live.wars[0].alliances == (("japan",), ("russia", "france"))


def test_seats_change_automatically_by_name_and_by_number():
    talk = talk_at()
    assert "Seat: France." in talk.hear("ready")
    out = talk.hear("seat")
    assert out[:2] == ["Which seat?", "1 Great Britain, need not act"]
    talk.hear("3")
    assert talk.prompt == "germany> "
    talk.hear("seat")
    talk.hear("italy")
    assert talk.prompt == "italy> "
    assert talk.hear("seat netherlands")[0].startswith("Netherlands has no seat")
    assert talk.hear("seat nowhere")[0].startswith("Not understood: ")


def test_undo_reverts_the_last_act_of_any_seat():
    talk = talk_at(undo="strict")
    talk.hear("place influence egypt")
    talk.hear("ready")
    assert talk.prompt == "france> "
    out = talk.hear("undo")
    assert talk.prompt == "britain> " and "Great Britain undoes to line 3." in out
    talk.hear("undo")
    assert talk.session.live.powers["britain"].treasury == 60
    assert "Great Britain redoes the undone actions." in talk.hear("redo")
    assert talk.session.live.powers["britain"].treasury == 50


# --- 'what' -------------------------------------------------------------------------------------------------------


def test_what_counts_orders_by_kind_and_lists_them_by_number():
    talk = talk_at()
    out = talk.hear("what")
    assert out[0] == "Great Britain, Movement/Status Change Phase, can:"
    places = [t for t in legal_actions(TABLES, talk.session.live, "britain").orders if t.startswith("place ")]
    assert out[1] == f"1 place: {len(places)} orders, such as {places[0]}"
    out = talk.hear("1")
    assert out[0] == f"{len(places)} possible:" and out[1] == f"1 {places[0]}"
    assert out[-1] == f"{len(places) - 30} more: say 'more'."
    variables = talk.hear("more")
    assert variables[0] == f"31 {places[30]}"
    assert any("places" in line for line in talk.hear("31"))


def test_what_at_a_place_lists_allowed_and_refused_orders():
    talk = talk_at()
    out = talk.hear("what egypt")
    assert out[0] == "Egypt:"
    assert re.fullmatch(r"2 Place Influence, £10, line 22 \+\d+: place influence egypt \[.*STA.*\]", out[2])
    assert "Great Britain places Influence in Egypt." in talk.hear("2")
    out = talk.hear("what france")
    assert any(line.startswith("1 Give £1 to France") for line in out)
    out = talk.hear("what afghanistan")
    allowed = [line for line in out if line[0].isdigit()]
    out = talk.hear("what hongkong")
    forbidden = [line for line in out if line.startswith("Not ")]
    assert allowed and forbidden and all(re.search(r"\[[A-Z]{3}-\d{3}", line) for line in forbidden)
    assert talk.hear("what EGY")[0] == "Egypt:"
    assert talk.hear("what xyzzy")[0].startswith("Not understood: ")


def test_move_is_asked_step_by_step():
    talk = talk_at()
    out = talk.hear("move")
    assert out[0] == "Move from where?" and out[1].startswith("1 Great Britain: ")
    out = talk.hear("1")
    assert out[:2] == ["Which units from Great Britain?", "1 A1"]
    out = talk.hear("A1")
    assert out[0] == "Move A1 from Great Britain to where?"
    assert "Great Britain moves A1: Great Britain to North Atlantic to Canada." in talk.hear("canada")
    assert talk.hear("move A9 home > canada")[0].startswith("Not understood: ")
    talk.hear("move from punjab")
    assert talk.hear("1")[0] == "Move A10 from Punjab to where?"
    assert talk.hear("seat germany")
    assert talk.hear("austria_hungary: move")[0].startswith("Austria-Hungary can move nothing")


def test_fleet_without_a_home_box_names_its_box():
    talk = talk_at(powers={"germany": {"treasury": 60}})
    talk.hear("seat germany")
    text = " ".join(talk.hear("build n3"))
    assert "No home box was named, so the fleet stands in that of the North Atlantic" in text and "'build N3 " in text
    assert "No home box" not in " ".join(talk.hear("build n3 baltic"))


def test_incomplete_order_lists_completions():
    talk = talk_at()
    out = talk.hear("build")
    assert out[1] == "1 build A1"
    assert any(line.startswith("Great Britain builds A1") for line in talk.hear("1"))
    assert talk.hear("place interest")[0].endswith("possible:")


# --- 'show', 'history', 'rule' and 'help' -------------------------------------------------------------------------


SHOWN = {
    "show": "European Tensions 0, Chinese Resentment 0.",
    "show egypt": "Egypt: unorganized, north africa, value 8, strength 5.",
    "show EGY": "Great Britain's link: Great Britain, North Atlantic, Mediterranean Sea, Egypt.",
    "show guiana": "Codominion of Great Britain, France, Netherlands.",
    "show mediterranean": "Merchant Fleets: ",
    "show france": "At home: ",
    "show GB": "Great Britain: £60, 0 Victory Points.",
    "show netherlands": "Netherlands: no Treasury.",
    "show record": "02 number of Possessions with a Communication Link: open, now 15",
    "show record france": "Record Sheet of France",
    "show record 16": "A10 in Punjab: £10.",
    "show indexes": "European Tensions: 0 of 100.",
    "show treaties": "No Power has a Casus Belli.",
    "show log": "2 The arbiter sets up a new position.",
    "show log 1": "2 The arbiter sets up a new position.",
    "log": "2 The arbiter sets up a new position.",
    "show map": "west africa, 10 Areas; markers: ",
    "show map china": "Hong Kong, value ",
    "show map drawn": "GBR",
    "show game": "Seats: Great Britain, France, Germany, United States, Japan, Russia, Italy.",
}


@pytest.mark.parametrize("typed", SHOWN)
def test_show(typed):
    talk = talk_at()
    out = talk.hear(typed)
    assert any(SHOWN[typed] in line for line in out), out
    assert not any(line.startswith("Not ") for line in out)


def test_an_article_that_has_ended_between_two_powers_is_not_due():
    pays = {"kind": "pay", "power": "france", "to": "italy", "amount": 5, "every_turn": True}
    parties = ["britain", "france", "italy"]
    rome = {"id": "rome", "name": "Rome", "parties": parties, "signed": parties, "clauses": [pays], "since": 1}
    ends = [{"powers": ["italy", "france"]}]
    talk = talk_at(treaties=[{**rome, "public": True, "stage": "in_force", "drafted": 1, "partial_ends": ends}])
    out = talk.hear("show treaties")
    assert "  Ended between Italy and France because of War." in out
    assert "  Article 1, ended: France pays Italy £5 every Game Turn" in out


@pytest.mark.parametrize("typed", ["show xyzzy", "show record 77", "show log 0", "show log x", "show map nowhere"])
def test_invalid_show_is_reported(typed):
    out = talk_at().hear(typed)
    assert len(out) == 1 and out[0].startswith("Not understood: ")


def test_history_shows_the_past_and_refuses_orders():
    talk = talk_at()
    talk.hear("place influence egypt")
    out = talk.hear("history 2")
    assert talk.prompt == "britain line 2> " and out[-1].startswith("This is the past")
    assert "Markers: nobody's." in talk.hear("show egypt")
    for act in ("place interest cuba", "ready", "undo", "what"):
        assert talk.hear(act) == ["Not allowed in the past; 'now' returns to the present."]
    talk.hear("history -1")
    assert talk.prompt == "britain line 1> "
    for wrong in ("history 0", "history 99", "history x", "history +99"):
        assert talk.hear(wrong)[0].startswith("Not understood: ")
    talk.hear("now")
    assert talk.prompt == "britain> "
    assert "Markers: Great Britain Influence (unestablished)." in talk.hear("show egypt")


def test_rules_are_found_by_id_and_words():
    talk = talk_at()
    assert talk.hear("rule CCB-014")[0].startswith("CCB-014: ")
    found = talk.hear("rule garrison codominion")
    assert found and all("odominion" in line for line in found)
    assert talk.hear("rule xyzzy")[0].startswith("No rule has")
    assert talk_at().hear("why") == ["No order was refused since."]


def test_each_order_and_command_has_help_with_a_valid_example():
    from paxtui.games.pax.actions.notation import parse_order

    talk = talk_at()
    assert set(plain_help.WORD_HELP) | {"undo"} == set(talk._words)
    orders = {verb: plain_help.order_help(verb) for verb in ORDERS}
    for name, entry in {**orders, **plain_help.WORD_HELP}.items():
        out = talk.hear(f"help {name}")
        assert out[0] == entry.usage and out[1] == entry.what
    for entry in orders.values():
        if entry.example:
            parse_order(TABLES, entry.example)
    whole = " ".join(talk.hear("help"))
    assert all(word in whole for word in ("place", "choose", "what", "history", "quit"))
    assert talk.hear("help plaec") == ["There is no help for 'plaec'. Did you mean 'place'?"]
    assert talk.hear("help zzzzz") == ["There is no help for 'zzzzz'. 'help' lists the words."]


def test_help_of_treaties_has_articles_for_the_position():
    from paxtui.games.pax.actions.notation import parse_order

    cause = {"holder": "france", "against": "germany", "area": "argentina", "rule": "STA-024"}
    talk = talk_at("negotiation", casus_belli=[cause])
    talk.session.take_seat("germany")
    help_lines = talk.hear("help articles")
    assert "a Casus Belli given up: france waives argentina" in help_lines
    assert len([line for line in help_lines if ": " in line]) >= len(CLAUSE_KINDS)
    for word in ("treaty", "propose"):
        example = next(line for line in talk.hear(f"help {word}") if line.startswith("Example: "))
        assert " with france" in example and "tunis" not in example and "italy" not in example
        assert parse_order(TABLES, example.removeprefix("Example: "))


def test_completion_offers_words_first_and_then_what_is_legal():
    talk = talk_at()
    assert "history " in completions(talk, "hi") and "place " in completions(talk, "pl")
    found = completions(talk, "place interest eg")
    assert found == ["place interest egypt"]


# --- random input and errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
def test_random_input_causes_no_internal_error(seed):
    dice = random.Random(seed)
    pieces = [
        *plain_help.WORD_HELP,
        *ORDERS,
        *plain_help.WORD_ALIASES,
        *list(TABLES.areas)[:20],
        *TABLES.powers,
    ]
    pieces += ["1", "2", "99999999999", "²", "A3", "2xA1", ">", "(", "record", "map", "c1", "cb1", "+1", "-3", "from"]
    pieces += ["\x1b[2J", '"', "{", "", "home", "to", ":", "austria_hungary:", "CCB-014", "drawn"]
    talk = talk_at("negotiation", undo="strict" if seed == 1 else "free")
    for n in range(400):
        if n % 3 == 0:
            typed = " ".join(dice.choice(pieces) for _ in range(dice.randint(0, 5)))
        elif n % 3 == 1:
            typed = dice.choice(["ready", "default", "now", "1", "2 3", "5"])
        else:
            typed = dice.choice(list(legal_actions(TABLES, talk.session.live, talk.session.seat).texts()) or ["now"])
        for line in talk.hear(typed):
            assert "mistake of the program" not in line, typed
            assert "\n" not in line and "\x1b" not in line
        talk.over = False


def test_internal_error_is_reported_and_the_game_continues(monkeypatch):
    talk = talk_at()

    def broken(*_: object) -> None:
        raise ZeroDivisionError("oops")

    with monkeypatch.context() as patch:
        patch.setattr(talk.session._game, "play", broken)
        assert talk.hear("place interest egypt")[0] == "Internal error: ZeroDivisionError: oops"
    assert "Great Britain places Interest in Egypt." in talk.hear("place interest egypt")


def test_full_disk_is_reported(monkeypatch):
    talk = talk_at()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(talk.session._game, "play", full)
    assert talk.hear("ready") == [
        "The log could not be written: [Errno 28] No space left on device. Nothing has changed."
    ]


def test_repl_repeats_input_after_the_prompt():
    written: list[str] = []
    table = PaxHost.new(TABLES, seats_for(4), "7", clock=empty_clock)
    run_repl(LocalSession(table), ["  what now\n", "quit\n", "ready\n"], written.append)
    text = "".join(written)
    assert "britain> what now\n" in text and text.endswith("britain> quit\nEverything is saved.\n")


def test_symbols_become_words():
    assert strip_symbols("══ 1884: Game Turn 2 ══") == "1884: Game Turn 2"
    assert strip_symbols("France places ● Influence in Siam") == "France places Influence in Siam"
    assert strip_symbols("France moves A1: Egypt → Soudan") == "France moves A1: Egypt to Soudan"
    assert strip_symbols("France -£10 → £5: x") == "France -£10, now £5: x"
    assert clean_line("a\x1b[1mb\u202e") == "a [1mb "
    assert printable("£5 × é", "ascii") == "L5 x e" and printable("£5", "utf-8") == "£5"


def test_replay_writes_nothing(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_bytes(GOLDEN.read_bytes())
    done = paxtui(tmp_path, "play", str(path), "--replay", "--plain", typed="at 40\nready\nquit\n")
    assert done.returncode == 0 and "This is a replay" in done.stdout.decode()
    assert path.read_bytes() == GOLDEN.read_bytes() and not (tmp_path / "game.notes.json").exists()


def test_caretaker_takes_seats_and_gives_reasons(tmp_path):
    words = ("new", "--players", "4", "--seed", "3", "--bot", "france=caretaker", "--file", "g.jsonl", "--plain")
    typed = "sits\nsits germany caretaker\nsits narnia\nsits britain\nready\nreasons\nquit\n"
    done = paxtui(tmp_path, *words, typed=typed)
    assert done.returncode == 0, done.stderr
    output = done.stdout.decode()
    assert "France: caretaker" in output and "France, Germany: caretakers" in output
    assert "No bot has given a public reason" in output or "Rule " in output
    assert "sits france caretaker" in output
    done = inside(tmp_path, "new", "--bot", "france=genius", "--no-play")
    assert done.returncode == 2 and b"steady, caretaker, statesman" in done.stderr


def test_new_game_with_bots_and_empty_seats_in_plain_mode(tmp_path):
    words = ("new", "--players", "4", "--seed", "3", "--bot", "france", "--bot", "united states", "--empty", "germany")
    done = paxtui(tmp_path, *words, "--file", "g.jsonl", "--plain", typed="seat france\nready\nquit\n")
    assert done.returncode == 0, done.stderr
    output = done.stdout.decode()
    assert "At France sits steady bot; the program moves for it." in output and "France sits down" not in output
    with PaxHost.open(tmp_path / "g.jsonl", write=False) as table:
        acts = {line.seat for line in table.game.lines if line.kind == "act" and line.action["type"] == "place"}
        assert "france" in acts and "germany" not in acts and table.occupant("germany").by == "nobody"


def test_watched_game_has_only_bots(tmp_path):
    done = inside(tmp_path, "new", "--players", "4", "--watch", "--bot", "france", "--file", "g.jsonl", "--no-play")
    assert done.returncode == 0, done.stderr
    with PaxHost.open(tmp_path / "g.jsonl", write=False) as table:
        levels = {seat: table.occupant(seat).level for seat in seats_for(4)}
    assert levels.pop("france") == "steady" and set(levels.values()) == {"normal"}


def test_game_needs_a_person(tmp_path):
    seats = [word for seat in seats_for(4) for word in ("--bot", seat)]
    done = inside(tmp_path, "new", "--players", "4", *seats, "--file", "g.jsonl", "--no-play")
    assert (
        done.returncode == 2 and b"no seat is left for a person" in done.stderr and not (tmp_path / "g.jsonl").exists()
    )
