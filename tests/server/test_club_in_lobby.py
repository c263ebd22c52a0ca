"""The club in the lobby: tables, rematch, seasons, favourites, export and deletion over the hub."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from textual.widgets import Input

from paxtui.cli.hosting.remote_plain import LineTerminal, open_lobby_plain
from paxtui.cli.hosting.remote_screen import SeatApp
from paxtui.engine.refusal import Refusal
from paxtui.server.club.seasons import Season, SeasonGame
from paxtui.session.lobby import lobby_rows
from paxtui.tui.base.dialogs import InputDialog, PickDialog, TextDialog
from paxtui.tui.base.settings import Settings
from tests.server.club_logs import SEATS, make_log
from tests.server.waiting import in_movement
from tests.waiting import until


def _members(running) -> dict[str, str]:
    """Return the ids of the four players of the finished game `old`, by name."""
    (running.data_directory.games / "old.jsonl").write_bytes(make_log({seat: n for n, seat in enumerate(SEATS, 1)}))
    players = running.hub.players
    found = {}
    for name, seat in zip(("Ann", "Bob", "Cleo", "Dan"), SEATS, strict=True):
        found[name] = players.redeem(f"ssh-ed25519 {name}", players.invite("old", seat), name)[0]
    return found


def test_requests_of_a_member(running) -> None:
    ann = _members(running)["Ann"]
    there = running.lobby(ann)
    assert there.club("").startswith("Ann\nRating: ") and "100% of 2 Phases in time" in there.club("profile")
    assert "Bob is one of your favourites." in there.club("favourite bob")
    assert "*Bob" in there.club("ratings") and "Favourites: Bob" in there.club("")
    assert json.loads(there.club("export"))["name"] == "Ann"
    assert "There is no season." in there.club("season")
    for wrong in ("nonsense", "profile zed", "favourite", "rematch nothing", "season x\n", "delete Bob"):
        try:
            assert "There is no season." in there.club(wrong)
        except Refusal as refusal:
            assert refusal.message
    stranger = running.hub.players.meet("ssh-ed25519 Zoe", "Zoe")
    with pytest.raises(Refusal, match="for players who have or had a seat"):
        running.lobby(stranger).club("ratings")


def test_a_rematch_moves_each_player_to_the_next_power(running) -> None:
    members = _members(running)
    there = running.lobby(members["Ann"])
    with pytest.raises(Refusal, match="Only the host"):
        there.club("rematch old")
    running.hub.terms.let_open("known")
    assert there.club("rematch old").startswith("old 2 is open")
    seats = {seat: running.hub.players.name(running.hub.players.at("old 2", seat)) for seat in SEATS}
    assert seats == {"britain": "Dan", "france": "Ann", "germany": "Bob", "united_states": "Cleo"}
    assert "old 2" in [table.name for table in there.look().tables if table.own_seats]


def test_game_with_conditions_for_players(running) -> None:
    members = _members(running)
    running.hub.terms.let_open("known")
    late = {"type": "time_out", "seats": ["france"], "then": "default"}
    log = make_log({seat: n for n, seat in enumerate(SEATS, 1)}, (late,))
    (running.data_directory.games / "old.jsonl").write_bytes(log)
    ann, bob = running.lobby(members["Ann"]), running.lobby(members["Bob"])
    for wrong in ("table", "table x", "table x: 7", "table x: 7 france for 3", "table x: 9 france"):
        with pytest.raises(Refusal):
            ann.club(wrong)
    output = ann.club("table slow: 4 france each 1d in-time 90 unrated")
    assert output.startswith("slow is open: not rated, for players with 90% in time, ")
    table = next(one for one in bob.look().tables if one.name == "slow")
    assert table.conditions == "not rated, for players with 90% in time" and table.clock
    with pytest.raises(Refusal, match="you have 50%"):
        bob.take("slow", "britain")
    assert running.lobby(members["Cleo"]).take("slow", "britain")
    ann.club("table high: 4 france rating 30")
    with pytest.raises(Refusal, match="a rating of 30 or more"):
        bob.take("high", "britain")


def test_a_season_opens_its_rounds(running) -> None:
    _members(running)
    players = "\n".join(("Ann", "bob", "Cleo", "statesman:easy", "statesman:easy", "steady", "caretaker"))
    with pytest.raises(Refusal, match="is not a player of this server"):
        running.ask("season", name="autumn", participants=f"{players}\nZed", rounds="2")
    found = running.ask("season", name="autumn", participants=players, rounds="2")
    assert found == {"games": 2, "first": ["autumn 1.1"]}
    with pytest.raises(Refusal, match="already"):
        running.ask("season", name="autumn", participants=players, rounds="2")
    standing = next(game for game in running.ask("status")["games"] if game["game"] == "autumn 1.1")
    assert len(standing["seats"]) == 7 and not standing["free"]
    output = running.lobby().club("season autumn")
    assert "0 of 2 games are finished" in output and "to play: autumn 1.1" in output and "steady 1" in output


def test_players_of_a_league_move_between_divisions(running) -> None:
    """The last player of the first division moves down, the first of the second moves up; others join and leave."""
    _members(running)
    bots = ["steady"] * 10
    players = "\n".join([*bots, "Cleo", "Bob", "Ann", "Dan"])
    ask = {"rounds": "1", "divisions": "2"}
    with pytest.raises(Refusal, match="too few for 3 divisions"):
        running.ask("season", name="autumn", participants=players, rounds="1", divisions="3")
    with pytest.raises(Refusal, match="already takes part"):
        running.ask("season", name="autumn", participants=f"{players}\nann", **ask)
    found = running.ask("season", name="autumn", participants=players, **ask)
    assert found == {"games": 2, "first": ["autumn A 1.1", "autumn B 1.1"]}
    with pytest.raises(Refusal, match=r"autumn is not over: autumn A 1\.1, autumn B 1\.1"):
        running.ask("season", name="winter", participants="", rounds="1", after="autumn")
    club = running.hub._lobby.club.club
    first, second = club.league("autumn")
    assert [first.participants[id_] for id_ in list(first.participants)[:4]] == ["Ann", "Bob", "Cleo", "Dan"]
    places = {}
    for season in (first, second):
        (game,) = season.games
        seats = sorted(game.seats, key=lambda seat: season.participants[game.seats[seat]])
        places[season.name] = [game.seats[seat] for seat in seats]
        log = make_log({seat: n for n, seat in enumerate(seats, 1)})
        (running.data_directory.games / f"{game.name}.jsonl").write_bytes(log)
    output = running.lobby().club("season")
    assert output.count("games are finished") == 2 and "  7 - steady" in output and "  1 + steady" in output
    assert "  1   Ann" in output and "  2   steady" not in output.splitlines()[0]
    with pytest.raises(Refusal, match="'zed' has not played"):
        running.ask("season", name="winter", participants="", rounds="1", after="autumn", without="zed")
    running.ask("season", name="winter", participants="statesman:easy", rounds="1", after="autumn", without="Bob")
    upper, lower = club.league("winter")
    fallen, risen = places["autumn A"][-1], places["autumn B"][0]
    assert risen in upper.participants and fallen in upper.participants  # Bob left, so there was room
    assert places["autumn B"][1] in lower.participants and len(lower.participants) == 7
    assert list(lower.participants)[-1] == "bot-statesman-easy-1" and lower.bots["bot-statesman-easy-1"]
    assert "Bob" not in upper.participants.values()
    assert all(running.data_directory.game_file(game.name) for game in upper.games + lower.games)


def test_lobby_marks_followed_games_and_players(running) -> None:
    """Visitors follow games and players that they see; the row says who moved last and who must act."""
    members = _members(running)
    running.hub.terms.set("friday", {"watch": "known"})
    running.hub.players.seat("friday", "france", members["Bob"])
    in_movement(running.session("britain"))
    ann = running.lobby(members["Ann"])

    def row() -> str:
        (found,) = [row for row in lobby_rows(ann.look(), datetime.now(UTC)) if "friday" in row.text]
        return found.text

    plain = row()
    assert plain.startswith("friday: watch (") and "moved" not in plain
    assert ann.club("follow bob").startswith("You follow Bob.")
    assert row() == f"* {plain} - Bob to act since a moment, moved a moment ago"
    assert ann.club("follow friday").startswith("You follow friday.")
    assert "You follow: Bob, friday" in ann.club("") and json.loads(ann.club("export"))["followed"] == [
        members["Bob"],
        "game:friday",
    ]
    assert ann.club("follow bob") == "You no longer follow Bob."
    assert row() == f"* {plain} - moved a moment ago"
    assert "Bob is one of your favourites." in ann.club("favourite bob")
    running.hub.terms.set("friday", {"watch": "nobody"})
    with pytest.raises(Refusal, match="There is no player 'friday'"):
        running.lobby(members["Cleo"]).club("follow friday")
    with pytest.raises(Refusal, match="Only players can follow"):
        running.lobby().club("follow friday")
    stranger = running.hub.players.meet("ssh-ed25519 Zoe", "Zoe")
    with pytest.raises(Refusal, match="There is no player 'zoe'"):
        ann.club("follow zoe")
    assert stranger


def test_player_deletes_their_data(running) -> None:
    members = _members(running)
    there = running.lobby(members["Dan"])
    running.hub.players.seat("old", "germany", members["Cleo"])
    there.club("follow ann")
    running.lobby(members["Ann"]).club("follow dan")
    club = running.hub._lobby.club.club
    game = SeasonGame("past 1.1", {"britain": members["Dan"]})
    club.add_season(Season("past", {members["Dan"]: "Dan"}, rounds=((game,),)))
    assert json.loads(there.club("export"))["seasons"] == [
        {"season": "past", "name": "Dan", "games": [{"game": "past 1.1", "seat": "britain"}]}
    ]
    with pytest.raises(Refusal, match="delete Dan"):
        there.club("delete")
    running.hub.players.seat("friday", "britain", members["Dan"])
    with pytest.raises(Refusal, match="seat in friday"):
        there.club("delete dan")
    running.hub.players.seat("friday", "britain", "")
    assert there.club("delete dan").startswith("Your name, keys, seats and settings are deleted.")
    assert "Dan" not in running.data_directory.register.read_text()
    kept = json.loads((running.data_directory.root / "club.json").read_text())
    assert "Dan" not in str(kept) and members["Dan"] not in str(kept.get("followed")) + str(kept.get("favourites"))
    assert "Dan" not in running.lobby(members["Ann"]).club("ratings")


async def test_the_club_on_the_screen_and_in_plain_mode(running, home) -> None:
    ann = _members(running)["Ann"]
    app = SeatApp(None, Settings(), running.lobby(ann), running.data_directory.socket)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p")
        assert isinstance(app.screen, PickDialog)
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, TextDialog), pilot=pilot)
        assert "Reputation: 100%" in app.screen.words()
        await pilot.press("escape", "d")
        assert isinstance(app.screen, InputDialog)
        app.screen.query_one(Input).value = "bob"
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, TextDialog), pilot=pilot)
        assert app.screen.words().splitlines()[1].startswith("Bob")
    output: list[str] = []
    terminal = LineTerminal()
    answers = iter(["club ratings", "club nonsense", "leave"])
    terminal.line = lambda *_: next(answers)
    terminal.print_lines = output.extend
    open_lobby_plain(running.data_directory.socket, running.lobby_ticket(ann), terminal)
    assert any("Ann" in line and "±" in line for line in output)
    assert any("The club has no request 'nonsense'" in line for line in output)
