"""Fair dice at a table over a wire: players' programs give their words by themselves, and nobody is sent the seed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from msgspec import convert

from paxtui.cli.hosting import serve
from paxtui.cli.main import main
from paxtui.cli.plain.repl import Repl
from paxtui.engine.dice import commitment
from paxtui.engine.fair_dice import WordsRequested, raw_note
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.actions import Advance
from paxtui.server import messages
from paxtui.server.client import HubClient
from paxtui.server.data_directory import DataDirectory
from paxtui.server.messages import FrameReader
from paxtui.server.remote_session import RemoteSession
from paxtui.session.lobby import LobbyView, game_details
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import ChooseWord
from paxtui.session.storage.interface import seed_file
from paxtui.session.tables.loader import load_tables
from tests.server.conftest import FAIR_SEED, POWERS, Running, Times
from tests.server.waiting import wait


class Fair(Running):
    """A hub with a game of fair dice, whose clocks go when they are told to."""

    def __init__(self, root: Path) -> None:
        self.times = Times()
        super().__init__(root, dice="fair", times=self.times)

    @property
    def dice(self):
        """How far the dice are, as the hub knows it."""
        return self.hub.game("friday").host.game.dice

    @property
    def table_there(self):
        """The game, as the hub has it."""
        return self.hub.game("friday").host

    def ask(self, ask: str, **about: str):
        """Ask as the host."""
        wire = HubClient(self.data_directory.socket)
        try:
            return wire.admin_request(ask, game="friday", **about)
        finally:
            wire.close()


@pytest.fixture
def fair():
    with TemporaryDirectory(prefix="pax") as root:
        running = Fair(Path(root) / "house")
        yield running
        running.stop()


@pytest.fixture
def received(monkeypatch) -> list[bytes]:
    """All that any client is sent from now on."""
    everything: list[bytes] = []
    take = FrameReader.take

    def recorded(self, data):
        everything.append(data)
        return take(self, data)

    monkeypatch.setattr(FrameReader, "take", recorded)
    return everything


def until(known, *sessions) -> None:
    """Let everybody take what comes until something is so."""

    def all_taken() -> bool:
        for session in sessions[1:]:
            session.receive()
        return bool(known())

    wait(sessions[0], all_taken)


def all_give(*sessions) -> None:
    """Let everybody take what comes until the dice have fallen for all of them."""
    until(lambda: all(session.live.phase != "random_events" for session in sessions), *sessions)


def test_words_are_given_by_themselves_and_the_game_goes_on(fair):
    sessions = [fair.session(seat) for seat in POWERS]
    sessions[0].advance()  # nobody is refused anything, and nothing has fallen yet
    assert fair.table_there.game.dice_used == 0
    all_give(*sessions)
    assert fair.dice.contributors == POWERS
    assert fair.table_there.game.dice_used
    assert fair.table_there.verify() == []
    told = [entry.text for entry in sessions[1].view.log() if entry.kind == "dice"]
    assert told[0] == "The game begins: each seat gives a word for the dice, by 20:02 UTC."
    assert told[-1] == "The dice come from the promised seed and the revealed words."
    assert any(text.startswith("Great Britain reveals its word for the dice: ") for text in told)


def seated(fair) -> dict[str, RemoteSession]:
    """A registered player at each seat."""
    sessions = {}
    for seat in POWERS:
        code = fair.ask("invite", seat=seat)["code"]
        wire = HubClient(fair.data_directory.socket)
        player = wire.admin_request("redeem", key=f"ssh-ed25519 {seat}", code=code, name=seat)["player"]
        wire.close()
        sessions[seat] = fair.session(seat, player=player)
    return sessions


def test_the_game_begins_when_all_players_say_so(fair):
    """Not by the first friend's keys and orders; the dice have a word of each."""
    sessions = seated(fair)
    britain, france, *others = sessions.values()
    for order in ("ready", "move nonsense", "place interest tunis"):
        with pytest.raises(Refusal):
            britain.act_text(order)
    assert not fair.dice.asked and fair.dice.stage == "hashes"
    assert britain.begin_notice.startswith("Confirm that the game can begin. It waits for Great Britain, France")
    britain.advance()
    with pytest.raises(Refusal, match=r"or when the host starts it\. It waits for France, Germany"):
        britain.advance()  # it says who is waited for
    assert britain.begin_notice.startswith("You are ready to begin.")
    for _ in range(3):
        fair.times.pass_(3600)
        fair.tend()
    assert fair.dice.stage == "hashes" and set(fair.dice.hashes) == {"britain"}
    for session in (france, *others):
        session.advance()
    all_give(*sessions.values())
    assert fair.dice.contributors == POWERS and not britain.begin_notice
    assert fair.table_there.verify() == []


def test_a_player_who_agreed_and_is_away_has_a_day_for_the_word(fair):
    sessions = seated(fair)
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
    assert fair.table_there.verify() == []


def test_the_host_begins_without_those_who_do_not_come(fair, capsys):
    sessions = seated(fair)
    sessions.pop("france").close()
    assert main(["seat", "friday", "--begin", "--data", str(fair.data_directory.root)]) == 0
    assert "friday begins" in capsys.readouterr().out
    until(lambda: len(fair.dice.hashes) == 3, *sessions.values())
    fair.times.pass_(120)
    fair.tend()
    all_give(*sessions.values())
    assert fair.dice.contributors == ("britain", "germany", "united_states")
    assert main(["seat", "friday", "--begin", "--data", str(fair.data_directory.root)]) == 2
    assert "has already begun" in capsys.readouterr().err
    assert fair.table_there.verify() == []


def test_line_by_line_nobody_begins_by_coming_in(fair):
    britain, *_ = seated(fair).values()
    talk = Repl(britain)
    assert any("Enter 'begin' when you are ready" in line for line in talk.greeting())
    talk.hear("what")
    assert not fair.dice.hashes
    assert any("You are ready to begin" in line for line in talk.hear("begin"))
    assert set(fair.dice.hashes) == {"britain"}


def test_who_is_alone_with_bots_waits_for_nobody(fair):
    for seat in POWERS[1:]:
        fair.ask("sit", seat=seat, who="caretaker")
    britain = fair.session("britain")
    britain.advance()
    wait(britain, lambda: britain.live.phase != "random_events")
    assert fair.dice.contributors == ("britain",)
    assert fair.table_there.verify() == []


def test_a_table_of_bots_begins_by_itself(fair):
    for seat in POWERS:
        fair.ask("sit", seat=seat, who="caretaker")
    watching = fair.session("spectator")
    wait(watching, lambda: watching.live.turn > 1)
    assert fair.dice.contributors == ()


def test_who_is_silent_is_waited_for_and_then_left_out_by_name(fair):
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
    all_give(*sessions)
    assert fair.dice.contributors == POWERS[:3]
    assert any("Left out" in entry.text and "United States" in entry.text for entry in france.view.log())
    late = fair.session("united_states")  # comes too late, and plays all the same
    assert late.live.phase == britain.live.phase
    assert fair.table_there.verify() == []


def test_a_clock_that_is_set_forward_leaves_nobody_out(fair):
    britain = fair.session("britain")
    britain.advance()
    fair.times.set(86400)
    fair.tend()
    assert fair.dice.stage == "hashes"
    fair.times.pass_(120)
    fair.tend()
    assert fair.dice.stage == "words"


def test_a_hub_that_begins_again_waits_as_long_again_and_loses_no_word(fair):
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
    assert britain.reconnect()  # and tells its word by that
    fair.session("france")  # another program of the same player has the word, too
    wait(britain, lambda: britain.live.phase != "random_events")
    assert fair.dice.contributors == ("britain", "france")
    assert fair.table_there.verify() == []


def test_a_player_may_type_a_word_of_his_own(fair):
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


def test_a_word_is_given_though_others_have_said_theirs_meanwhile(fair):
    britain, france = fair.session("britain"), fair.session("france")
    britain.perform(ChooseWord("x"))
    assert france.version == 1
    france.perform(ChooseWord("y"))  # decided upon before France heard of Britain's
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
def test_a_seat_says_nothing_about_dice_but_its_own_word(fair, note, code):
    table = fair.table("france")
    with pytest.raises(Refusal) as refused:
        table.wait(table.command(messages.DiceWord(note)))
    assert refused.value.code == code
    assert fair.table_there.version == 1


def test_nobody_is_sent_the_seed_before_the_end(fair, received):
    sessions = [fair.session(seat) for seat in POWERS]
    seed = seed_file(fair.data_directory.games / "friday.jsonl").read_text().strip()
    assert seed == FAIR_SEED
    sessions[0].advance()
    all_give(*sessions)
    hosted = fair.hub.game("friday")

    async def play_to_the_end() -> None:
        while hosted.host.state.result is None:
            hosted.arbitrate(lambda: hosted.host.act(ARBITER, Advance(force=True)))

    everything = b"".join(received)
    assert fair.dice.words["britain"].encode() in everything  # what is sent is seen here
    assert seed.encode() not in everything
    assert seed.encode().hex().encode() not in everything
    assert commitment(seed).encode() in everything
    fair.do(play_to_the_end())
    for session in sessions:
        wait(session, lambda session=session: session.live.result is not None)
        said = f"The seed of the dice was {seed}"
        wait(session, lambda session=session, said=said: any(said in e.text for e in session.view.log()))
    with pytest.raises(Refusal, match="the result is final"):
        fair.ask("rewind", line="3")


def test_a_player_checks_the_dice_of_a_finished_game_at_home(fair, tmp_path, capsys):
    france = fair.session("france")
    france.advance()
    fair.times.pass_(120)
    fair.tend()
    until(lambda: fair.dice.stage == "made", france)
    hosted = fair.hub.game("friday")

    async def play_to_the_end() -> None:
        while hosted.host.state.result is None:
            hosted.arbitrate(lambda: hosted.host.act(ARBITER, Advance(force=True)))

    fair.do(play_to_the_end())
    (tmp_path / "mine.jsonl").write_text(fair.ask("log", seat="france")["log"])
    assert main(["verify", str(tmp_path / "mine.jsonl")]) == 0
    told = capsys.readouterr().out
    assert "fair, from a promised seed and the words of France; the seed is published" in told


def test_a_rewind_past_dice_is_reported_to_everybody(fair):
    sessions = [fair.session(seat) for seat in POWERS]
    sessions[0].advance()
    all_give(*sessions)
    before = next(line.n for line in fair.table_there.game.lines if line.kind == "act") - 1
    used = fair.table_there.game.dice_used
    fair.ask("rewind", line=str(before))
    france = sessions[1]
    wait(france, lambda: france.live.phase == "random_events")
    fell = "1 die was" if used == 1 else f"{used} dice were"
    taken_back = f"{fell} taken back and will not fall again"
    wait(france, lambda: any(e.text.startswith(taken_back) for e in france.view.log()))
    france.advance()
    assert fair.table_there.game.dice_used > used
    assert fair.table_there.verify() == []


def test_a_rewind_to_before_the_begin_collects_the_words_again(fair, capsys):
    """The first friend began alone; the host takes the game back, and everybody gives a word."""
    sessions = seated(fair)
    britain, *others = sessions.values()
    fair.ask("begin")
    until(lambda: len(fair.dice.hashes) == 4, *sessions.values())
    all_give(*sessions.values())
    first, used = dict(fair.dice.words), fair.table_there.game.dice_used
    assert main(["seat", "friday", "--rewind", "1", "--data", str(fair.data_directory.root)]) == 0
    assert "players give new words" in capsys.readouterr().out
    for session in sessions.values():
        wait(session, lambda session=session: session.begin_notice.startswith("Confirm that the game can begin."))
    assert not fair.dice.hashes and fair.dice.round == 2
    for session in sessions.values():
        session.advance()
    all_give(*sessions.values())
    assert fair.dice.contributors == POWERS and not set(fair.dice.words.values()) & set(first.values())
    assert fair.table_there.game.dice_used > used
    assert fair.table_there.verify() == []
    assert any("collected again (round 2)" in entry.text for entry in others[0].view.log())
    britain.close()
    fair.stop()
    with PaxHost.open(fair.data_directory.games / "friday.jsonl") as again:
        assert again.game.dice.round == 2 and again.verify() == []


def test_the_host_stops_a_begin_that_came_too_early(fair):
    britain, france, *others = seated(fair).values()
    for away in (france, *others):
        away.close()
    fair.ask("begin")
    until(lambda: set(fair.dice.hashes) == {"britain"}, britain)
    fair.ask("rewind", line="1")
    fair.times.pass_(3600)
    fair.tend()
    wait(britain, lambda: britain.begin_notice.startswith("Confirm that the game can begin."))
    assert fair.dice.stage == "hashes" and not fair.dice.hashes
    with pytest.raises(Refusal, match="Nothing has happened"):
        fair.ask("rewind", line="1")


def test_only_persons_are_waited_for_before_the_begin(fair):
    for seat in POWERS[2:]:
        fair.ask("sit", seat=seat, who="caretaker")
    britain = fair.session("britain")
    waits = "Confirm that the game can begin. It waits for Great Britain, France."
    wait(britain, lambda: britain.begin_notice == waits)
    dice = Running.ask(fair, "status")["games"][0]["dice"]
    assert dice == "fair, not ready yet: Great Britain, France to give a word"


def test_status_says_how_far_the_dice_are(fair):
    wire = HubClient(fair.data_directory.socket)
    (game,) = wire.admin_request("status")["games"]
    wire.close()
    assert game["dice"].startswith("fair, not ready yet: Great Britain, France")


class TestWhatIsMovedIntoAHouse:
    """`paxtui serve GAME`: fair dice where none have fallen, and else the dice that are there."""

    def moved(self, tmp_path, begun: bool, dice: str) -> PaxHost:
        """The game in the server."""
        house, mine = DataDirectory(tmp_path / "house"), tmp_path / "mine.jsonl"
        with PaxHost.new(load_tables(), POWERS, "typed", path=mine, undo="free") as table:
            if begun:
                table.advance()
        serve.move_game_in(house, mine, dice)
        assert not mine.exists()
        serve.move_game_in(house, mine, dice)  # has moved in before
        path = house.games / "mine.jsonl"
        assert path.stat().st_mode & 0o777 == 0o600
        with PaxHost.open(path) as table:
            assert table.verify() == []
            return table

    def test_a_new_game_gets_fair_dice(self, tmp_path):
        table = self.moved(tmp_path, begun=False, dice="fair")
        assert table.game.dice.fair
        assert table.game.has_seed

    def test_one_that_has_begun_keeps_its_own(self, tmp_path):
        assert self.moved(tmp_path, begun=True, dice="fair").game.header.seed == "typed"

    def test_plain_dice_for_who_wants_them(self, tmp_path):
        assert not self.moved(tmp_path, begun=False, dice="plain").game.dice.fair

    def test_a_fair_game_moves_with_its_seed(self, tmp_path):
        house, mine = DataDirectory(tmp_path / "house"), tmp_path / "mine.jsonl"
        PaxHost.new(load_tables(), POWERS, "5eed", path=mine, dice="fair").close()
        serve.move_game_in(house, mine)
        with PaxHost.open(house.games / "mine.jsonl") as table:
            assert table.game.has_seed
        assert not seed_file(mine).exists()


def test_a_game_opened_in_the_lobby_has_fair_dice(fair):
    wire = HubClient(fair.data_directory.socket)
    ticket = wire.admin_request("lobby", player="")["ticket"]
    wire.close()
    wire = HubClient(fair.data_directory.socket)
    wire.enter_lobby(ticket)
    wire.lobby_request("open", name="monday", players="4", seat="britain")
    wire.close()
    wire = HubClient(fair.data_directory.socket)
    wire.enter_lobby(ticket)
    found = convert(wire.lobby_request("look"), LobbyView)
    wire.close()
    told = {table.name: game_details(table, datetime.now(UTC))[-1] for table in found.tables}
    assert told["monday"] == (
        "Dice: fair, not ready yet: Great Britain, France, Germany, United States to give a word. "
        "The host can read the secrets, but cannot choose the dice."
    )
    with PaxHost.open(fair.data_directory.games / "monday.jsonl", write=False) as table:
        assert table.game.dice.fair
        assert table.game.has_seed
