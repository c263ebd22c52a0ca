"""A Congress of eight seats by keys of the real program: a secret Treaty, two drafts, a tie, a defiance, a revelation.

The acts are compared with a game in saves/.
"""

from __future__ import annotations

import time
from pathlib import Path

from paxtui.games.pax.events import events as ev
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.state.options import options_to_texts
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from tests.places import CONGRESS, ROOT
from tests.tui.players import Players, acts_and_events
from tests.tui.terminal import Terminal, save_quiet_settings
from tests.waiting import PATIENCE

POSITION = ROOT / "tests" / "golden" / "congress.toml"

DRAFTS = {
    "russia": ("italy lowers tunis to interest", "france pays italy 15"),
    "germany": ("france lowers tunis to interest", "italy pays france 5"),
}
BALLOTS = [
    {"france": "y", "russia": "y", "germany": "n", "italy": "n", "britain": "a"},
    {"france": "n", "russia": "y", "germany": "y", "italy": "y", "britain": "n"},
]
"""Votes of each delegate on the first draft (a tie) and on the second."""
DEFIES = {"france"}
"""Seats that defy the second draft."""


def test_congress_of_eight_seats_by_keys(tmp_path: Path) -> None:
    log = tmp_path / "congress.jsonl"
    words = ("new", "--players", "8", "--seed", "11", "--position", str(POSITION), "--file", str(log))
    save_quiet_settings(tmp_path)
    screen = Terminal(tmp_path, *words, columns=120, rows=40, attentive=True)
    players = Players(screen, log)
    try:
        screen.wait("NEGOTIATE", "Great Britain · Negotiation")
        sign_secret_treaty(players)
        players.sit("france", "France")
        players.keys("C", wanted="Where shall the Congress of Europe meet?")
        players.act("a")  # London
        players.act("R")
        # the screen of the Congress opens
        screen.wait("CONGRESS", "Delegates")
        answer_congress_questions(players)
        screen.wait("It has failed.")
        players.keys("Escape", wanted="WAR", gone="Delegates")
        players.sit("germany", "Germany")
        players.keys("t", wanted="Treaties and proposals")
        players.keys("v", wanted="it cannot be hidden again")
        players.act("y")
        screen.wait("public")
    finally:
        screen.close()
    check_log(log)


def sign_secret_treaty(players: Players) -> None:
    """Let Germany and Italy sign a secret Treaty."""
    players.sit("germany", "Germany")
    players.keys("t", wanted="Treaties and proposals")
    players.keys("n", wanted="A Treaty")
    players.keys("p", wanted="Who must sign?")
    players.keys("f", wanted="[x] Italy")
    players.keys("Enter", wanted="add an article", gone="Who must sign?")
    players.article("defensive against france", "If France declares War")
    players.act("F10")
    players.keys("Escape", wanted="Germany · Negotiation", gone="Treaties and proposals")
    players.sit("italy", "Italy")
    players.keys("t", wanted="sign?")
    players.act("s")
    players.screen.wait("signed")
    players.keys("Escape", wanted="Italy · Negotiation", gone="Treaties and proposals")


def answer_congress_questions(players: Players) -> None:
    """Answer all questions of the Congress, delegate after delegate."""
    written: set[str] = set()
    for _ in range(80):
        with PaxHost.open(players.log, write=False) as table:
            state = table.state
        congress = state.congress
        if congress is None or congress.outcome:
            return
        seat = asked_delegate(players, [c.seat for c in state.choices])
        choice = next(c for c in state.choices if c.seat == seat)
        if choice.kind == "propose" and seat in DRAFTS and seat not in written:
            written.add(seat)
            players.keys("p", wanted="A draft for the Congress")
            for words in DRAFTS[seat]:
                players.article(words, "Tunis" if "tunis" in words else "£")
            players.act("F10")
        elif choice.kind == "propose":
            players.act("Enter")
        elif choice.kind == "ballot":
            number = int(congress.current[1:]) - 1
            if seat in congress.disputants:
                players.keys(BALLOTS[number][seat], wanted="And then?")
                players.act("b" if number == 1 and seat in DEFIES else "a")
            else:
                players.act(BALLOTS[number][seat])
        else:
            options = [o for o in choice.options if isinstance(o, str)]
            wanted = {"attend": "attend", "invite": "nobody", "tie": "no", "defiance": "pass"}[choice.kind]
            players.keys("Enter", wanted="Enter or a letter choose")
            players.act("abcdefgh"[options.index(wanted)])
    raise AssertionError(f"the Congress does not end:\n{players.screen.text}")


NAMES = {"britain": "Great Britain", "france": "France", "germany": "Germany", "italy": "Italy", "russia": "Russia"}


def asked_delegate(players: Players, asked: list[str]) -> str:
    """Wait until the screen names a seat that is asked; return it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        players.screen.read(0.02)
        for line in players.screen.text.splitlines():
            for seat, name in NAMES.items():
                if seat in asked and line.strip(" │").startswith(f"{name}:") and "you have no question" not in line:
                    return seat
        players.lift()
    raise AssertionError(f"no asked delegate is at the keyboard: {asked}\n{players.screen.text}")


def check_log(log: Path) -> None:
    """Check that the log is valid, has the expected events, and equals the saved game."""
    with PaxHost.open(log, write=False) as played:
        assert played.verify() == []
        happened = [e for line in played.game.lines for e in played.game.events(line.n)]
        ours = acts_and_events(played)
    congress = [e.congress for e in happened if isinstance(e, ev.CongressChanged)][-1]
    assert [p.stage for p in congress.proposals] == ["defeated", "refused"]
    assert congress.proposals[0].tie == "britain" and congress.refusers == ("france",)
    assert any(isinstance(e, ev.TreatyRevealed) for e in happened)
    made = [(seat, e) for seat, _, events in ours for e in events if isinstance(e, ev.ChoiceMade)]
    asked = [seat for seat, answered in made if "CON-034" in answered.rules]
    assert ours == acts_and_events(replay_saved_acts(asked))


def replay_saved_acts(asked: list[str]) -> PaxHost:
    """Give the acts of the saved game to a new game, by the current rules.

    `asked`: seats in the order in which they decide about declaring War, a question that the old rules did not ask.
    """
    with PaxHost.open(CONGRESS, write=False) as kept:
        header, acts = kept.game.header, [x for x in kept.game.lines if x.kind == "act"]
        options = options_to_texts(kept.state.options)
        table = PaxHost.new(kept.tables, list(kept.state.players), header.seed, options, undo="free", clock=empty_clock)
        decode = PaxGame(kept.tables).decode_action
    for line in acts:
        found = {c.seat: c.id for c in table.state.choices if c.kind == "defiance"}
        for seat in sorted(found, key=asked.index):
            table.act(seat, f"choose {found[seat]} pass")
        table.act(line.seat, decode(line.action))
    return table


def test_saved_congress_is_valid_and_keeps_secrets() -> None:
    with PaxHost.open(CONGRESS, write=False) as table:
        assert all(difference.in_act for difference in table.verify())
        revealed = next(
            x.n for x in table.game.lines if any(isinstance(e, ev.TreatyRevealed) for e in table.game.events(x.n))
        )
        ballots = [x for x in table.game.lines if any(isinstance(e, ev.BallotCast) for e in table.game.events(x.n))]
        for seat in ("russia", "united_states", "spectator"):
            before = list(table.lines_for(seat))
            text = str([x.events for x in before if "treaty_revealed" not in str(x.events)])
            assert "defensive" not in text
            for line in before:
                for raw in line.events:
                    if raw.get("type") == "ballot_cast" and raw.get("seat") != seat:
                        assert raw.get("answer", ["", ""]) == ["", ""]  # the default is left out
        assert ballots and revealed == table.version
