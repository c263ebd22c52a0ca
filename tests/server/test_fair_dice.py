"""Fair dice on a server: clients give their words by themselves, and no client receives the seed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from paxtui.cli.hosting import serve
from paxtui.cli.main import main
from paxtui.cli.plain.repl import Repl
from paxtui.engine.dice import commitment
from paxtui.engine.fair_dice import WordsRequested, raw_note
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.actions import Advance
from paxtui.server import messages
from paxtui.server.data_directory import DataDirectory
from paxtui.server.messages import FrameReader
from paxtui.server.remote_session import RemoteSession
from paxtui.session.lobby import game_details
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import ChooseWord
from paxtui.session.storage.interface import seed_file
from paxtui.session.tables.loader import load_tables
from tests.server.conftest import FAIR_SEED, POWERS, HubClocks, RunningHub
from tests.server.waiting import wait


class FairDiceHub(RunningHub):
    """A hub with a game of fair dice, whose clocks the test moves."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, dice="fair", times=HubClocks())

    @property
    def dice(self):
        """The state of the dice."""
        return self.host.game.dice


@pytest.fixture
def fair():
    with TemporaryDirectory(prefix="pax") as root:
        running = FairDiceHub(Path(root) / "data")
        yield running
        running.stop()


@pytest.fixture
def received(monkeypatch) -> list[bytes]:
    """All data that clients receive."""
    everything: list[bytes] = []
    take = FrameReader.take

    def recorded(self, data):
        everything.append(data)
        return take(self, data)

    monkeypatch.setattr(FrameReader, "take", recorded)
    return everything


def until(known, *sessions) -> None:
    """Let all sessions receive until a condition is true."""

    def all_taken() -> bool:
        for session in sessions[1:]:
            session.receive()
        return bool(known())

    wait(sessions[0], all_taken)


def wait_for_dice(*sessions) -> None:
    """Let all sessions receive until they have left the Phase Random Events."""
    until(lambda: all(session.live.phase != "random_events" for session in sessions), *sessions)


def test_clients_give_words_and_the_game_continues(fair):
    sessions = [fair.session(seat) for seat in POWERS]
    sessions[0].advance()  # it is not refused, and no die has been rolled
    assert fair.host.game.dice_used == 0
    wait_for_dice(*sessions)
    assert fair.dice.contributors == POWERS
    assert fair.host.game.dice_used
    assert fair.host.verify() == []
    output = [entry.text for entry in sessions[1].view.log() if entry.kind == "dice"]
    assert output[0] == "The game begins: each seat gives a word for the dice, by 20:02 UTC."
    assert output[-1] == "The dice come from the promised seed and the revealed words."
    assert any(text.startswith("Great Britain reveals its word for the dice: ") for text in output)


def connect_all(fair) -> dict[str, RemoteSession]:
    """Connect a registered player at each seat."""
    sessions = {}
    for seat in POWERS:
        sessions[seat] = fair.session(seat, player=fair.register(seat, seat))
    return sessions


def test_game_begins_when_all_players_confirm(fair):
    """Orders of the first player do not begin the game; the dice have a word of each."""
    sessions = connect_all(fair)
    britain, france, *others = sessions.values()
    for order in ("ready", "move nonsense", "place interest tunis"):
        with pytest.raises(Refusal):
            britain.act_text(order)
    assert not fair.dice.asked and fair.dice.stage == "hashes"
    assert britain.begin_notice.startswith("Confirm that the game can begin. It waits for Great Britain, France")
    britain.advance()
    with pytest.raises(Refusal, match=r"or when the host starts it\. It waits for France, Germany"):
        britain.advance()  # the refusal names the players who have not confirmed
    assert britain.begin_notice.startswith("You are ready to begin.")
    for _ in range(3):
        fair.times.pass_(3600)
        fair.tend()
    assert fair.dice.stage == "hashes" and set(fair.dice.hashes) == {"britain"}
    for session in (france, *others):
        session.advance()
    wait_for_dice(*sessions.values())
    assert fair.dice.contributors == POWERS and not britain.begin_notice
    assert fair.host.verify() == []


def test_absent_player_who_confirmed_has_a_day_for_the_word(fair):
    sessions = connect_all(fair)
    away = sessions.pop("france")
    away.advance()
    away.close()
    for session in sessions.values():
        session.advance()
    until(lambda: fair.dice.lacking == ("france",) and fair.dice.stage == "words", *sessions.values())
    fair.times.pass_(12 * 3600)
    fair.tend()
    assert fair.dice.stage == "words"
    fair.session("france", player=fair.hub.players.at("friday", "france"))
    until(lambda: fair.dice.stage == "made", *sessions.values())
    assert fair.dice.contributors == POWERS
    assert fair.host.verify() == []


def test_host_begins_without_absent_players(fair, capsys):
    sessions = connect_all(fair)
    sessions.pop("france").close()
    assert main(["seat", "friday", "--begin", "--data", str(fair.data_directory.root)]) == 0
    assert "friday begins" in capsys.readouterr().out
    until(lambda: len(fair.dice.hashes) == 3, *sessions.values())
    fair.times.pass_(120)
    fair.tend()
    wait_for_dice(*sessions.values())
    assert fair.dice.contributors == ("britain", "germany", "united_states")
    assert main(["seat", "friday", "--begin", "--data", str(fair.data_directory.root)]) == 2
    assert "has already begun" in capsys.readouterr().err
    assert fair.host.verify() == []


def test_plain_mode_asks_before_beginning(fair):
    britain, *_ = connect_all(fair).values()
    talk = Repl(britain)
    assert any("Enter 'begin' when you are ready" in line for line in talk.greeting())
    talk.hear("what")
    assert not fair.dice.hashes
    assert any("You are ready to begin" in line for line in talk.hear("begin"))
    assert set(fair.dice.hashes) == {"britain"}


def test_game_with_bots_waits_for_no_other_player(fair):
    for seat in POWERS[1:]:
        fair.ask_game("sit", seat=seat, who="caretaker")
    britain = fair.session("britain")
    britain.advance()
    wait(britain, lambda: britain.live.phase != "random_events")
    assert fair.dice.contributors == ("britain",)
    assert fair.host.verify() == []


def test_game_of_bots_begins_by_itself(fair):
    for seat in POWERS:
        fair.ask_game("sit", seat=seat, who="caretaker")
    watching = fair.session("spectator")
    wait(watching, lambda: watching.live.turn > 1)
    assert fair.dice.contributors == ()


def test_silent_seat_is_left_out_after_two_minutes(fair):
    britain, france, germany = sessions = [fair.session(seat) for seat in POWERS[:3]]
    britain.advance()
    until(lambda: len(fair.dice.hashes) == 3 and france.version == germany.version == 5, *sessions)
    with pytest.raises(Refusal) as refused:
        france.advance()
    assert refused.value.code == "dice_wait"
    assert refused.value.message == (
        "The dice wait for a word of each seat: United States, until 20:02 UTC at the latest."
    )
    fair.times.pass_(119)
    fair.tend()
    assert fair.dice.stage == "hashes"
    fair.times.pass_(1)
    fair.tend()
    wait_for_dice(*sessions)
    assert fair.dice.contributors == POWERS[:3]
    assert any("Left out" in entry.text and "United States" in entry.text for entry in france.view.log())
    late = fair.session("united_states")  # too late for a word, but not to play
    assert late.live.phase == britain.live.phase
    assert fair.host.verify() == []


def test_setting_the_clock_forward_leaves_out_no_seat(fair):
    britain = fair.session("britain")
    britain.advance()
    fair.times.set(86400)
    fair.tend()
    assert fair.dice.stage == "hashes"
    fair.times.pass_(120)
    fair.tend()
    assert fair.dice.stage == "words"


def test_restarted_hub_keeps_words_and_waits_again(fair):
    britain, france = fair.session("britain"), fair.session("france")
    britain.advance()
    wait(france, lambda: len(fair.dice.hashes) == 2)
    fair.stop()
    wait(britain, lambda: britain.trouble)
    fair.times.pass_(3600)
    fair.start()
    fair.tend()
    assert fair.dice.stage == "hashes"
    assert set(fair.dice.hashes) == {"britain", "france"}
    fair.times.pass_(120)
    fair.tend()
    assert fair.dice.stage == "words"
    assert britain.reconnect()  # this sends its word
    fair.session("france")  # another program of the same player has the word too
    wait(britain, lambda: britain.live.phase != "random_events")
    assert fair.dice.contributors == ("britain", "france")
    assert fair.host.verify() == []


def test_player_can_type_a_word(fair):
    britain, france = fair.session("britain"), fair.session("france")
    france.perform(ChooseWord("Vive la France"))
    with pytest.raises(Refusal, match="have already sealed"):
        france.perform(ChooseWord("Napoleon"))
    wait(britain, lambda: britain.version == 2)
    britain.advance()
    france.receive()
    until(lambda: len(fair.dice.hashes) == 2, britain, france)
    fair.times.pass_(120)
    fair.tend()
    until(lambda: fair.dice.stage == "made", britain, france)
    assert fair.dice.words["france"].startswith("Vive la France ")


def test_words_of_two_players_at_once_are_accepted(fair):
    britain, france = fair.session("britain"), fair.session("france")
    britain.perform(ChooseWord("x"))
    assert france.version == 1
    france.perform(ChooseWord("y"))  # before France received Britain's word
    assert set(fair.dice.hashes) == {"britain", "france"}


@pytest.mark.parametrize(
    ("note", "code"),
    [
        (raw_note(WordsRequested("2026-01-01T20:00:00+00:00")), "not_arbiter"),
        ({"type": "dice_hashes_closed", "silent": list(POWERS), "bots": [], "until": ""}, "not_arbiter"),
        ({"type": "dice_seed", "seed": "x"}, "not_arbiter"),
        ({"type": "dice_hash", "hash": "x"}, "bad_hash"),
        ({"type": "dice_word", "word": "x"}, "dice_stage"),
        ({"type": "seating", "seats": {}}, "bad_action"),
        ({"type": "dice_hash", "hash": 5}, "bad_action"),
        ({}, "bad_action"),
    ],
)
def test_seat_can_send_no_note_but_its_own_word(fair, note, code):
    table = fair.table("france")
    with pytest.raises(Refusal) as refused:
        table.wait(table.command(messages.DiceWord(note)))
    assert refused.value.code == code
    assert fair.host.version == 1


def test_no_client_receives_the_seed_before_the_end(fair, received):
    sessions = [fair.session(seat) for seat in POWERS]
    seed = seed_file(fair.data_directory.games / "friday.jsonl").read_text().strip()
    assert seed == FAIR_SEED
    sessions[0].advance()
    wait_for_dice(*sessions)
    hosted = fair.hub.games.game("friday")

    async def play_to_the_end() -> None:
        while hosted.host.state.result is None:
            hosted.arbitrate(lambda: hosted.host.act(ARBITER, Advance(force=True)))

    everything = b"".join(received)
    assert fair.dice.words["britain"].encode() in everything  # the fixture sees what is sent
    assert seed.encode() not in everything
    assert seed.encode().hex().encode() not in everything
    assert commitment(seed).encode() in everything
    fair.do(play_to_the_end())
    for session in sessions:
        wait(session, lambda session=session: session.live.result is not None)
        said = f"The seed of the dice was {seed}"
        wait(session, lambda session=session, said=said: any(said in e.text for e in session.view.log()))
    with pytest.raises(Refusal, match="the result is final"):
        fair.ask_game("rewind", line="3")
    with pytest.raises(Refusal, match="is not a line number"):
        fair.ask_game("rewind", line="9" * 5000)


def test_player_verifies_the_dice_of_a_finished_game(fair, tmp_path, capsys):
    france = fair.session("france")
    france.advance()
    fair.times.pass_(120)
    fair.tend()
    until(lambda: fair.dice.stage == "made", france)
    hosted = fair.hub.games.game("friday")

    async def play_to_the_end() -> None:
        while hosted.host.state.result is None:
            hosted.arbitrate(lambda: hosted.host.act(ARBITER, Advance(force=True)))

    fair.do(play_to_the_end())
    (tmp_path / "mine.jsonl").write_text(fair.ask_game("log", seat="france")["log"])
    assert main(["verify", str(tmp_path / "mine.jsonl")]) == 0
    output = capsys.readouterr().out
    assert "fair, from a promised seed and the words of France; the seed is published" in output


def test_rewind_past_dice_is_logged_for_all(fair):
    sessions = [fair.session(seat) for seat in POWERS]
    sessions[0].advance()
    wait_for_dice(*sessions)
    before = next(line.n for line in fair.host.game.lines if line.kind == "act") - 1
    used = fair.host.game.dice_used
    fair.ask_game("rewind", line=str(before))
    france = sessions[1]
    wait(france, lambda: france.live.phase == "random_events")
    dice = "1 die was" if used == 1 else f"{used} dice were"
    taken_back = f"{dice} taken back and will not fall again"
    wait(france, lambda: any(e.text.startswith(taken_back) for e in france.view.log()))
    france.advance()
    assert fair.host.game.dice_used > used
    assert fair.host.verify() == []


def test_rewind_to_the_beginning_collects_new_words(fair, capsys):
    """The first player began alone; the host rewinds the game, and all players give a word."""
    sessions = connect_all(fair)
    britain, *others = sessions.values()
    fair.ask_game("begin")
    until(lambda: len(fair.dice.hashes) == 4, *sessions.values())
    wait_for_dice(*sessions.values())
    first, used = dict(fair.dice.words), fair.host.game.dice_used
    assert main(["seat", "friday", "--rewind", "1", "--data", str(fair.data_directory.root)]) == 0
    assert "players give new words" in capsys.readouterr().out
    for session in sessions.values():
        wait(session, lambda session=session: session.begin_notice.startswith("Confirm that the game can begin."))
    assert not fair.dice.hashes and fair.dice.round == 2
    for session in sessions.values():
        session.advance()
    wait_for_dice(*sessions.values())
    assert fair.dice.contributors == POWERS and not set(fair.dice.words.values()) & set(first.values())
    assert fair.host.game.dice_used > used
    assert fair.host.verify() == []
    assert any("collected again (round 2)" in entry.text for entry in others[0].view.log())
    britain.close()
    fair.stop()
    with PaxHost.open(fair.data_directory.games / "friday.jsonl") as again:
        assert again.game.dice.round == 2 and again.verify() == []


def test_host_rewinds_a_game_that_began_too_early(fair):
    britain, france, *others = connect_all(fair).values()
    for away in (france, *others):
        away.close()
    fair.ask_game("begin")
    until(lambda: set(fair.dice.hashes) == {"britain"}, britain)
    fair.ask_game("rewind", line="1")
    fair.times.pass_(3600)
    fair.tend()
    wait(britain, lambda: britain.begin_notice.startswith("Confirm that the game can begin."))
    assert fair.dice.stage == "hashes" and not fair.dice.hashes
    with pytest.raises(Refusal, match="Nothing has happened"):
        fair.ask_game("rewind", line="1")


def test_beginning_waits_only_for_persons(fair):
    for seat in POWERS[2:]:
        fair.ask_game("sit", seat=seat, who="caretaker")
    britain = fair.session("britain")
    waits = "Confirm that the game can begin. It waits for Great Britain, France."
    wait(britain, lambda: britain.begin_notice == waits)
    dice = fair.ask("status")["games"][0]["dice"]
    assert dice == "fair, not ready yet: Great Britain, France to give a word"


def test_status_shows_the_state_of_the_dice(fair):
    (game,) = fair.ask("status")["games"]
    assert game["dice"].startswith("fair, not ready yet: Great Britain, France")


class TestMovedGames:
    """`paxtui serve GAME` gives a new game fair dice; a game that has begun keeps its dice."""

    def moved(self, tmp_path, begun: bool, dice: str) -> PaxHost:
        """Move a game to the server; return it."""
        data, mine = DataDirectory(tmp_path / "data"), tmp_path / "mine.jsonl"
        with PaxHost.new(load_tables(), POWERS, "typed", path=mine, undo="free") as table:
            if begun:
                table.advance()
        serve.move_game_in(data, mine, dice)
        assert not mine.exists()
        serve.move_game_in(data, mine, dice)  # a second call does nothing
        path = data.games / "mine.jsonl"
        assert path.stat().st_mode & 0o777 == 0o600
        with PaxHost.open(path) as table:
            assert table.verify() == []
            return table

    def test_new_game_gets_fair_dice(self, tmp_path):
        table = self.moved(tmp_path, begun=False, dice="fair")
        assert table.game.dice.fair
        assert table.game.has_seed

    def test_begun_game_keeps_its_dice(self, tmp_path):
        assert self.moved(tmp_path, begun=True, dice="fair").game.header.seed == "typed"

    def test_option_plain_gives_plain_dice(self, tmp_path):
        assert not self.moved(tmp_path, begun=False, dice="plain").game.dice.fair

    def test_fair_game_moves_with_its_seed(self, tmp_path):
        data, mine = DataDirectory(tmp_path / "data"), tmp_path / "mine.jsonl"
        PaxHost.new(load_tables(), POWERS, "5eed", path=mine, dice="fair").close()
        serve.move_game_in(data, mine)
        with PaxHost.open(data.games / "mine.jsonl") as table:
            assert table.game.has_seed
        assert not seed_file(mine).exists()


def test_game_opened_in_the_lobby_has_fair_dice(fair):
    fair.lobby().open("monday", 4, "britain")
    found = fair.lobby().look()
    output = {table.name: game_details(table, datetime.now(UTC))[-1] for table in found.tables}
    assert output["monday"] == (
        "Dice: fair, not ready yet: Great Britain, France, Germany, United States to give a word. "
        "The host can read the secrets, but cannot choose the dice."
    )
    with PaxHost.open(fair.data_directory.games / "monday.jsonl", write=False) as table:
        assert table.game.dice.fair
        assert table.game.has_seed
