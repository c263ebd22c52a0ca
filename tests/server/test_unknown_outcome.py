"""An order whose answer is lost: the client says that its outcome is unknown, and reports it after reconnecting."""

from __future__ import annotations

import pytest

from paxtui.cli.plain.repl import Repl
from paxtui.server.client import ConnectionLost
from tests.server.waiting import in_movement, wait


@pytest.fixture
def france(running):
    session = running.session("france")
    in_movement(session)
    return session


def lose(session, running, reaches: bool, monkeypatch) -> None:
    """Cut the connection during the next order, before or after it reaches the hub."""
    client = session.game._client

    def send(operation, line):
        if reaches:
            real(operation, line)
            client.wait_for_data()  # the hub has carried it out
        raise ConnectionLost("The connection to the server has ended.")

    real = client.send_command
    monkeypatch.setattr(client, "send_command", send)


@pytest.mark.parametrize("reaches", [True, False])
@pytest.mark.parametrize("order", ["place influence siam", "undo", "dispatch britain: Hello"])
def test_outcome_is_unknown_and_reported_after_reconnecting(running, france, monkeypatch, reaches, order):
    if order == "undo":
        france.act_text("place influence egypt")
    lose(france, running, reaches, monkeypatch)
    with pytest.raises(ConnectionLost) as lost:
        france.act_text(order)
    message = france.describe_failure(lost.value)
    assert "unknown whether your order was carried out" in message and "Nothing has changed" not in message
    with pytest.raises(ConnectionLost) as again:
        france.act_text("ready")
    assert "unknown" in france.describe_failure(again.value)
    wait(france, france.reconnect)
    done = "was carried out before the connection was lost" in france.game.outcome
    assert done is reaches
    assert ("Give it again" in france.game.outcome) is not reaches
    monkeypatch.undo()
    france.act_text("ready")
    running.stop()
    running.start()
    wait(france, lambda: france.trouble)
    wait(france, france.reconnect)
    assert france.game.outcome == ""


def test_unknown_outcome_in_plain_mode(running, france, monkeypatch):
    lose(france, running, True, monkeypatch)
    talk = Repl(france)
    assert "unknown whether your order was carried out" in " ".join(talk.hear("place influence siam"))
