"""The chat of a game: who receives it, how it is stored and cleaned, and its limits."""

from __future__ import annotations

import pytest

from paxtui.cli.hosting import remote_plain
from paxtui.cli.hosting.remote_plain import LineTerminal
from paxtui.cli.hosting.remote_screen import SeatApp
from paxtui.cli.plain.repl import run_repl
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import SPECTATOR
from paxtui.server.chat import BURST_LINES, BURST_WINDOW_S, TalkLog
from paxtui.server.messages import CommandResult
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import SendChat
from paxtui.session.tables.loader import load_tables
from paxtui.tui.base.settings import Settings
from paxtui.tui.diplomacy.messages import ChatScreen
from paxtui.tui.panes.status_lines import key_line
from tests.server.conftest import POWERS
from tests.server.waiting import answered, in_movement, wait
from tests.waiting import until

QUIET = Settings(reports="none", remind=False, animation=False)


def words(session) -> list[str]:
    return [line.text for line in session.chat.lines]


def test_chat_reaches_all_and_is_not_in_the_log(running):
    britain, france = running.session("britain"), running.session("france")
    before = britain.version
    britain.perform(SendChat("  Good evening,\x1b[2J \u202ereversed\u202c all  "))
    wait(france, lambda: france.chat.lines)
    assert words(france) == words(britain) == ["Good evening, [2J reversed all"]
    assert (france.chat.lines[0].seat, france.chat.lines[0].n) == ("britain", 1)
    assert running.host.version == before


def test_chat_survives_a_restart(running):
    britain = running.session("britain")
    britain.perform(SendChat("first"))
    running.stop()
    path = running.data_directory.talk / "friday.jsonl"
    with path.open("ab") as file:
        file.write(b'{"n":2,"ti')  # a line that was being written during a power failure
    running.start()
    wait(britain, lambda: britain.trouble)
    assert britain.reconnect()
    france = running.session("france")
    wait(france, lambda: france.chat.lines)
    france.perform(SendChat("second"))
    wait(britain, lambda: len(britain.chat.lines) == 2)
    assert words(britain) == words(france) == ["first", "second"]  # the first message arrived once
    assert [line.text for line in TalkLog(path).lines] == ["first", "second"]


def arrive_after_answer(monkeypatch, session, then) -> None:
    """Let a message arrive together with the next answer of the hub, after it."""
    client = session.game._client
    receive = client.receive

    def with_more():
        received = receive()
        if any(isinstance(message, CommandResult) for message in received):
            monkeypatch.setattr(client, "receive", receive)
            then()
            client.wait_for_data()
            received += receive()
        return received

    monkeypatch.setattr(client, "receive", with_more)


async def test_message_after_an_answer_is_shown_at_once(running, home, monkeypatch):
    france, britain = running.session("france"), running.session("britain")
    app = SeatApp(france, QUIET)
    async with app.run_test(size=(100, 30)) as pilot:
        arrive_after_answer(monkeypatch, france, lambda: britain.perform(SendChat("good evening")))
        await pilot.press("T", *"bonsoir", "enter")
        await answered(pilot, france)
        assert words(france) == ["bonsoir", "good evening"]
        assert "good evening" in str(app.screen.query_one("#talk-text").content)
        await pilot.press("escape")
        arrive_after_answer(monkeypatch, france, lambda: britain.perform(SendChat("and good night")))
        await pilot.press("r")
        await answered(pilot, france)
        assert any("and good night" in note.message for note in app._notifications), "in a notification"


async def test_messages_before_an_answer_are_notified(running, home, monkeypatch):
    monkeypatch.setattr(SeatApp, "_look_after_connection", lambda _: None)  # it shows news before a slow answer
    france, britain = running.session("france"), running.session("britain")
    app = SeatApp(france, QUIET)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("5")
        client = france.game._client
        send = client.send_command

        def after_others(operation, line):
            monkeypatch.setattr(client, "send_command", send)
            britain.perform(SendChat("before you"))
            britain.advance()
            running.ask("clock", game="friday", what="pause", why="the pizza is here")
            running.ask("clock", game="friday", what="resume")
            return send(operation, line)

        monkeypatch.setattr(client, "send_command", after_others)
        await pilot.press("r")
        await answered(pilot, france)
        pane = app.screen.view.side.page.text.plain
        assert "The game is resumed." in pane, "the pane shows what happened meanwhile"
        (notification,) = app._notifications
        assert notification.title == "Not allowed" and notification.message.startswith(
            "The game changed while you typed"
        )
        below = "\nThe game: The game is resumed.\nChat (T): Great Britain: before you"
        assert notification.message.endswith(below), notification.message
        await pilot.press("T", *"mine", "enter")
        await answered(pilot, france)
        await pilot.press("escape")
        assert not any("mine" in note.message for note in app._notifications), (
            "there is no notification of the player's own message"
        )


def test_message_after_an_answer_is_shown_in_plain_mode(running, home, monkeypatch):
    france, britain = running.session("france"), running.session("britain")
    arrive_after_answer(monkeypatch, france, lambda: britain.perform(SendChat("good evening")))
    output: list[str] = []
    lines = LineTerminal()
    typed = ["say bonsoir", "quit"]
    monkeypatch.setattr(lines, "line", lambda *_: typed.pop(0))
    monkeypatch.setattr(lines, "write", output.append)
    remote_plain._play_pax(lines, france)
    assert "Great Britain" in "".join(output) and "good evening" in "".join(output)


def test_chat_rate_is_limited(tmp_path):
    now = [0.0]
    talk = TalkLog(tmp_path / "talk.jsonl", lambda: now[0])
    for n in range(BURST_LINES):
        talk.append("ann", "france", "Ann", str(n), "")
    with pytest.raises(Refusal) as refused:
        talk.append("ann", "france", "Ann", "too much", "")
    assert refused.value.code == "too_fast"
    talk.append("hans", "germany", "Hans", "I am slower", "")
    now[0] += BURST_WINDOW_S
    talk.append("ann", "france", "Ann", "later", "")
    assert len(TalkLog(tmp_path / "talk.jsonl").lines) == BURST_LINES + 2


@pytest.mark.parametrize(("text", "code"), [("", "empty"), ("\x07\u200b", "empty"), ("x" * 401, "too_long")])
def test_invalid_chat_is_refused(running, text, code):
    with pytest.raises(Refusal) as refused:
        running.session("france").perform(SendChat(text))
    assert refused.value.code == code


def test_spectators_can_chat_if_the_host_allows_it(running):
    player = running.hub.players.redeem("ssh-ed25519 AAAA", running.hub.players.invite("friday", "italy"), "Umberto")[0]
    with pytest.raises(Refusal):
        running.session(SPECTATOR, player=player).perform(SendChat("me too"))
    running.hub.terms.set("friday", {"talk": "everybody"})
    spectator, france = running.session(SPECTATOR, player=player), running.session("france")
    spectator.perform(SendChat("me too"))
    wait(france, lambda: france.chat.lines)
    assert (france.chat.lines[0].seat, france.chat.lines[0].name) == (SPECTATOR, "Umberto")


def test_local_session_has_no_chat():
    session = LocalSession(PaxHost.new(load_tables(), POWERS, "1"))
    assert not session.chat.can_write and session.chat.lines == []
    with pytest.raises(Refusal):
        session.perform(SendChat("hello"))


async def test_key_opens_the_chat_and_unread_lines_are_counted(running, home):
    britain, france = running.session("britain"), running.session("france")
    app = SeatApp(france, QUIET)
    async with app.run_test(size=(160, 50)) as pilot:
        britain.perform(SendChat("[bold]Who[/] wants Tunis?"))
        wait(france, lambda: france.chat.lines)
        await pilot.pause()
        assert "1 said (T)" in key_line(france, app.look, 160, False, app.key_of).plain
        await pilot.press("T")
        assert isinstance(app.screen, ChatScreen)
        assert "[bold]Who[/] wants Tunis?" in app.screen.words()
        await pilot.press(*"Not", "space", "I", "enter")
        await answered(pilot, france)
        assert words(france)[-1] == "Not I"
        await pilot.press("escape")
        assert "said (" not in key_line(france, app.look, 160, False, app.key_of).plain
    wait(britain, lambda: len(britain.chat.lines) == 2)


async def test_the_bell_rings_when_the_seat_must_act(running, home, monkeypatch):
    france = running.session("france")
    app, rung = SeatApp(france, Settings(reports="none", remind=False, bell=True)), []
    monkeypatch.setattr(app, "bell", lambda: rung.append(france.live.phase))
    async with app.run_test(size=(100, 30)):
        in_movement(running.session("britain"))
        await until(lambda: rung)
        assert rung == ["movement"]


def test_chat_in_plain_mode(running, home):
    britain, france = running.session("britain"), running.session("france")
    britain.perform(SendChat("Good evening"))
    wait(france, lambda: france.chat.lines)
    output: list[str] = []
    run_repl(france, iter(["say Bon soir", "talk", "quit"]), output.append)
    assert "Britain says: Good evening" in "".join(output)
    assert "Sent to all players" in "".join(output)
    wait(britain, lambda: words(britain) == ["Good evening", "Bon soir"])
