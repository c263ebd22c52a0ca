"""Games in a PostgreSQL database: a line counts when it is committed, and one hub writes to a game."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from paxtui.cli.main import main
from paxtui.engine.refusal import Refusal
from paxtui.server import messages
from paxtui.server.client import ConnectionLost, HubClient
from paxtui.server.data_directory import DataDirectory
from paxtui.server.messages import frame_message
from paxtui.server.peers import News
from paxtui.server.postgres import database as postgres
from paxtui.server.postgres import hubs
from paxtui.server.postgres.database import GAME_LOCK, Database, DatabaseError
from paxtui.server.postgres.hubs import PostgresPeers
from paxtui.server.postgres.storage import PostgresStorage
from paxtui.server.storage_copy import copy_storage, share_keys
from paxtui.session.hosts import open_game
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import SendChat
from paxtui.session.storage.interface import FILES, ChangedElsewhere, LockedElsewhere, OutcomeUnknown
from paxtui.session.tables.loader import load_tables
from tests.server.conftest import POWERS, RunningHub, game_in_movement
from tests.server.postgres import BIN, PostgresServer
from tests.server.waiting import in_movement
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.ssh,
    pytest.mark.skipif(not BIN.is_dir(), reason="postgresql is missing: .ci/system-packages"),
]


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    server = PostgresServer()
    yield server
    server.close()


@pytest.fixture
def url(server: PostgresServer) -> Iterator[str]:
    """A database without tables."""
    yield server.url()
    database = Database(server.url())
    database.execute("DROP SCHEMA paxtui CASCADE")
    database.close()


@pytest.fixture
def home() -> Iterator[Path]:
    """A directory with a path short enough for a socket."""
    with TemporaryDirectory(prefix="pax") as root:
        yield Path(root)


def storage_for(url: str, root: Path) -> PostgresStorage:
    return PostgresStorage(Database(url), root)


def new_game(storage: PostgresStorage, name: str = "friday") -> PaxHost:
    """A game in its first Movement Phase."""
    return game_in_movement(storage.root / f"games/{name}.jsonl", storage=storage)


def test_a_hub_on_a_database_plays_stops_and_continues(url, home, capsys):
    running = RunningHub(home / "data", storage=storage_for(url, home / "data"))
    player = running.register("Pierre", "france")
    running.hub.terms.set("friday", {"watch": "anybody"})
    britain = running.session("britain")
    in_movement(britain)
    britain.perform(SendChat("good evening"))
    running.session("france", player).act_text("place influence siam")
    lines = running.host.version
    running.stop()
    running.data_directory.storage.database.close()
    assert not list((home / "data/games").iterdir())

    again = RunningHub(home / "other", storage=storage_for(url, home / "other"))
    assert again.hub.players.name(player) == "Pierre" and again.hub.players.at("friday", "france") == player
    assert again.hub.terms.of("friday").watch == "anybody"
    france = again.session("france", player)
    assert again.host.version == lines
    wait_until(lambda: france.receive() or france.game.chat.lines)
    assert [line.text for line in france.game.chat.lines] == ["good evening"]
    france.act_text("undo")
    again.stop()
    again.data_directory.storage.database.close()
    assert main(["verify", "--store", url]) == 0
    assert f"friday: sound; {lines + 1} lines" in capsys.readouterr().out


def test_only_one_hub_writes_to_a_game(url, home):
    one, two = storage_for(url, home / "one"), storage_for(url, home / "two")
    game = new_game(one)
    with pytest.raises(LockedElsewhere, match="another hub holds the game friday"):
        open_game(two.path("games/friday.jsonl"), storage=two)
    assert open_game(two.path("games/friday.jsonl"), write=False, storage=two).version == game.version
    with pytest.raises(FileExistsError):
        new_game(two)
    game.close()
    with open_game(two.path("games/friday.jsonl"), storage=two) as other:
        other.act("france", "place influence siam")
    one.database.close()
    two.database.close()


def test_restarted_database_loses_no_acknowledged_act(url, home, server, monkeypatch):
    storage = storage_for(url, home)
    game = new_game(storage)
    game.act("france", "place influence siam")
    server.stop()
    server.start()
    game.act("france", "undo")  # in a new connection, under the lock again
    monkeypatch.setattr(postgres, "PATIENCE_S", 0.0)
    server.stop()
    version = game.version
    with pytest.raises(OutcomeUnknown, match="unknown whether the order was stored"):
        game.act("france", "place influence siam")
    with pytest.raises(OSError, match="is opened again"):
        game.act("france", "place influence siam")
    assert game.version == version and game.store.must_reopen
    server.start()
    monkeypatch.undo()
    game.close()
    with open_game(storage.path("games/friday.jsonl"), storage=storage) as again:
        assert again.version == version and not again.verify()
    storage.database.close()


def test_writer_without_its_lock_does_not_overwrite_another(url, home):
    one, two = storage_for(url, home / "one"), storage_for(url, home / "two")
    game = new_game(one)
    one.database.close()
    wait_until(lambda: two.database.try_lock(GAME_LOCK, two.game("friday")))  # the database server has noticed it
    two.database.unlock(GAME_LOCK, two.game("friday"))
    with open_game(two.path("games/friday.jsonl"), storage=two) as other:
        other.act("france", "place influence siam")
    with pytest.raises(OSError, match="another hub has written to it"):
        game.act("britain", "place influence persia")
    assert game.store.must_reopen
    with open_game(two.path("games/friday.jsonl"), storage=two) as other:
        assert not other.verify()
    one.database.close()
    two.database.close()


def test_line_stored_before_the_connection_broke_counts_once(url, home, monkeypatch):
    storage = storage_for(url, home)
    game = new_game(storage)
    insert = type(game.store)._insert

    def break_after(log, number, data):
        insert(log, number, data)
        monkeypatch.undo()
        storage.database.close()
        raise postgres.ConnectionBroken("the connection broke")

    monkeypatch.setattr(type(game.store), "_insert", break_after)
    game.act("france", "place influence siam")
    game.act("france", "undo")
    version = game.version
    game.close()
    with open_game(storage.path("games/friday.jsonl"), storage=storage) as again:
        assert again.version == version and not again.verify()
    storage.database.close()


def test_file_changed_by_another_hub_is_not_overwritten(url, home):
    one, two = storage_for(url, home / "one"), storage_for(url, home / "two")
    one.replace(home / "one/players.json", b"1")
    two.read(home / "two/players.json")
    one.replace(home / "one/players.json", b"2")
    with pytest.raises(ChangedElsewhere, match=r"another hub changed players\.json"):
        two.replace(home / "two/players.json", b"3")
    assert two.read(home / "two/players.json") == b"2"
    two.append(home / "two/talk/friday.jsonl", b"a\n")
    one.append(home / "one/talk/friday.jsonl", b"b\n")
    assert two.read(home / "two/talk/friday.jsonl") == b"a\nb\n"
    one.database.close()
    two.database.close()


def test_copying_either_way_keeps_everything(url, home, capsys):
    files = DataDirectory(home / "files")
    for name in ("friday", "sunday 2"):
        game = PaxHost.new(load_tables(), POWERS, "5eed" * 16, path=files.games / f"{name}.jsonl", dice="fair")
        game.close()
    (files.root / "players.json").write_bytes(b"{}")
    (files.games / "friday.ahead.json").write_bytes(b"{}")
    assert main(["store", "copy", str(files.root), url]) == 0
    assert "Copied 2 games" in capsys.readouterr().out
    assert main(["store", "copy", str(files.root), url]) == 0
    assert "Copied 0 games; 2 were there already" in capsys.readouterr().out
    assert main(["store", "copy", url, str(home / "again")]) == 0
    for path in FILES.files(files.root):
        assert (home / "again" / path.relative_to(files.root)).read_bytes() == path.read_bytes()
    verdict = main(["verify", str(files.games / "friday.jsonl")])
    verdict_text = capsys.readouterr().out.splitlines()[-1].partition(": ")[2]
    assert main(["verify", "--store", url, "friday"]) == verdict
    assert capsys.readouterr().out.splitlines()[-1].partition(": ")[2] == verdict_text

    storage = storage_for(url, home / "db")
    with open_game(storage.path("games/friday.jsonl"), storage=storage):
        assert main(["store", "copy", url, str(home / "third")]) == 2
    assert "another hub holds the game friday" in capsys.readouterr().err
    assert not FILES.files(home / "third")
    storage.database.close()


def test_copying_refuses_other_contents(url, home):
    files, storage = DataDirectory(home / "files"), storage_for(url, home / "db")
    PaxHost.new(load_tables(), POWERS, "1", path=files.games / "friday.jsonl").close()
    PaxHost.new(load_tables(), POWERS, "1", path=files.games / "sunday.jsonl").close()
    new_game(storage).close()
    with pytest.raises(Refusal, match=r"other contents of games/friday\.jsonl; nothing was copied"):
        copy_storage(FILES, files.root, storage, storage.root)
    assert storage.names(storage.root / "games") == ["friday"]
    assert copy_storage(FILES, files.root, storage, storage.root, ["sunday"]) == ["sunday"]
    with pytest.raises(Refusal, match="no game monday"):
        copy_storage(FILES, files.root, storage, storage.root, ["monday"])
    storage.database.close()


def test_database_errors_are_explained(url, home, server, capsys):
    with pytest.raises(DatabaseError, match="this is not the URL of a database"):
        Database("postgresql://ann@/x?nonsense=1")
    with pytest.raises(DatabaseError, match=r'nowhere on .* cannot be opened: .*database "nowhere" does not exist'):
        Database(server.url("nowhere"))
    with pytest.raises(DatabaseError, match="has no games of paxtui"):
        Database(url, make=False)
    owner = Database(url)
    owner.execute("DROP ROLE IF EXISTS guest")
    owner.execute("CREATE ROLE guest LOGIN")
    with pytest.raises(DatabaseError, match="does not permit this"):
        Database(server.url(user="guest"))
    owner.execute("DROP SCHEMA paxtui CASCADE")
    with pytest.raises(DatabaseError, match="you may not create tables"):
        Database(server.url(user="guest"))
    Database(url).execute("UPDATE paxtui.version SET number = 99")
    with pytest.raises(DatabaseError, match=r"tables of version 99, and this paxtui knows 1; use the newer paxtui"):
        Database(url)
    owner.execute("UPDATE paxtui.version SET number = 1")
    owner.close()
    assert main(["serve", "--listen", ":0", "--data", str(home / "x"), "--store", "mysql://ann@db/x"]) == 2
    assert "write the URL of a database as postgresql://USER@HOST/DATABASE" in capsys.readouterr().err


class Cluster:
    """Hubs on one database, each with its own directory."""

    def __init__(self, url: str, home: Path, names: tuple[str, ...]) -> None:
        self.url, self._home = url, home
        self.hubs = {name: self.start(name) for name in names}

    def start(self, name: str) -> RunningHub:
        """Start a hub."""
        root = self._home / name
        DataDirectory(root)
        storage = storage_for(self.url, root)
        share_keys(storage, root)
        peers = PostgresPeers(storage)
        hub = RunningHub(root, storage=storage, peers=peers)
        hub.do(hub.hub.join_peers("127.0.0.1", 0))
        return hub

    def close(self) -> None:
        """Stop all hubs."""
        for hub in self.hubs.values():
            hub.stop()
            hub.data_directory.storage.database.close()


@pytest.fixture
def cluster(url: str, home: Path) -> Iterator[Cluster]:
    new_game(storage_for(url, home / "first")).close()
    cluster = Cluster(url, home, ("a", "b"))
    yield cluster
    cluster.close()


def lines_at(hub: RunningHub) -> int:
    """The number of lines that a lobby shows, 0 if it cannot."""
    return hub.ask("status")["games"][0].get("lines", 0)


def test_each_hub_accepts_each_player(cluster):
    a, b = cluster.hubs["a"], cluster.hubs["b"]
    britain = a.session("britain")  # a holds the game now
    wait_until(lambda: lines_at(b) == lines_at(a))
    france = b.session("france")
    france.act_text("place influence siam")
    wait_until(lambda: britain.receive() or britain.version == france.version)
    britain.act_text("place influence persia")
    france.perform(SendChat("through the other hub"))
    wait_until(lambda: britain.receive() or britain.game.chat.lines)
    assert not b.hub.games.open and [hosted.name for hosted in a.hub.games.open] == ["friday"]
    assert b.ask("log", game="friday", seat="france") == a.ask("log", game="friday", seat="france")
    assert "1 hour" in b.ask("clock", game="friday", what="set", limits="any=3600")["told"]
    wait_until(lambda: lines_at(b) == lines_at(a))


def test_seats_and_terms_are_shared_by_all_hubs(cluster):
    a, b = cluster.hubs["a"], cluster.hubs["b"]
    a.session("britain")
    code = b.ask("invite", game="friday", seat="france")["code"]
    wait_until(lambda: a.hub.players.invited("friday"))
    pierre = a.ask("redeem", key="ssh-ed25519 AAAA", code=code, name="Pierre")["player"]
    wait_until(lambda: b.hub.players.at("friday", "france") == pierre)
    france = b.session("france", pierre)
    a.ask("terms", game="friday", watch="anybody")
    wait_until(lambda: b.hub.terms.of("friday").watch == "anybody")
    b.ask("rename_player", player=pierre, name="Pierre II")
    a.ask("rename_player", player=pierre, name="Pierre III")  # the second change is made on top of the first
    wait_until(lambda: b.hub.players.name(pierre) == "Pierre III")
    b.ask("seat", game="friday", seat="france")  # frees it: the hub that holds the game disconnects the player
    wait_until(lambda: france.receive() or france.trouble)
    assert "given to another player" in france.trouble


def test_screen_settings_are_shared_by_all_hubs(cluster):
    a, b = cluster.hubs["a"], cluster.hubs["b"]
    pierre = a.register("Pierre", "france")
    france = a.session("france", pierre)
    settings = a.data_directory.player_directory(pierre) / "settings.toml"
    settings.write_text('theme = "amber"\n')
    stored = b.data_directory.people / pierre / "settings.toml"
    wait_until(lambda: a.data_directory._settings_seen.get(settings) == settings.stat().st_mtime_ns)
    wait_until(lambda: b.hub.players.at("friday", "france") == pierre)
    again = b.session("france", pierre)
    assert stored.read_text() == 'theme = "amber"\n'
    stored.write_text('theme = "paper"\n')
    wait_until(lambda: b.data_directory._settings_seen.get(stored) == stored.stat().st_mtime_ns)
    france.close()
    again.close()
    a.ask("lobby", player=pierre)
    assert settings.read_text() == 'theme = "paper"\n'
    wait_until(lambda: not a.hub._homes)
    a.data_directory.forget_player(pierre)
    assert not b.data_directory.storage.query("SELECT 1 FROM paxtui.files WHERE name LIKE 'people/%%'")


def test_malformed_notifications_do_no_harm(cluster):
    a, b = cluster.hubs["a"], cluster.hubs["b"]
    a.session("britain")
    stranger = Database(cluster.url)
    lines = ("line", "line x 3", "line 1", "line 1 2 3", "line ١ 2", f"line 1 {'9' * 7000}", "standing", "standing -1")
    for payload in (
        "",
        *lines,
        f"standing {'9' * 12}",
        "file",
        "file ../../etc/passwd",
        "file /etc/passwd",
        "games 1 2",
        "nonsense",
    ):
        stranger.execute("SELECT pg_notify('paxtui', %s)", (payload,))
    france = b.session("france")
    france.act_text("place influence siam")
    stranger.execute("UPDATE paxtui.hubs SET address = 'nowhere' WHERE address = %s", (a.hub._peers._address,))
    stranger.execute("UPDATE paxtui.games SET standing = '{'")
    stranger.close()
    wait_until(lambda: "nowhere" in b.hub._peers._addresses.values())
    # the message depends on whether b has read the damaged standing
    with pytest.raises((ConnectionLost, Refusal), match=r"does not answer|played on another hub"):
        b.session("germany")
    assert all(not task.done() for hub in (a, b) for task in hub.hub._looks)


def wait_for_favourite(lobby: HubClient, is_one: bool) -> None:
    """Wait until a player's profile has Germany as a favourite, or has not."""
    wait_until(lambda: ("Favourites: germany" in lobby.lobby_request("club", words="profile")) == is_one)


def test_club_data_is_shared_by_all_hubs(cluster, monkeypatch):
    a, b = cluster.hubs["a"], cluster.hubs["b"]
    for hub, seat in ((a, "france"), (b, "germany")):
        hub.register(seat, seat)
    pierre = a.hub.players.at("friday", "france")
    wait_until(lambda: b.hub.players.at("friday", "germany") and a.hub.players.at("friday", "germany"))
    one, two = (hub.lobby_connection(pierre) for hub in (a, b))
    for first, second in ((one, two), (two, one)):
        assert "germany is one of" in first.lobby_request("club", words="favourite germany")
        wait_for_favourite(second, True)
        assert "no longer" in second.lobby_request("club", words="favourite germany")
        wait_for_favourite(first, False)
    # a change at the same moment is repeated with what the other hub wrote
    monkeypatch.setattr(PostgresPeers, "take_news", lambda peers: News(False, (), frozenset()))
    assert "germany is one of" in one.lobby_request("club", words="favourite germany")
    assert "You follow friday" in two.lobby_request("club", words="follow friday")
    assert "Favourites: germany\nYou follow: friday" in two.lobby_request("club", words="profile")
    one.close()
    two.close()


def test_reconnected_hub_reads_changes_of_others(cluster, monkeypatch):
    a, b = cluster.hubs["a"], cluster.hubs["b"]
    hans = a.register("germany", "germany")
    wait_until(lambda: b.hub.players.at("friday", "germany"))
    one, two = (hub.lobby_connection(hans) for hub in (a, b))
    wait_for_favourite(two, False)  # two has read the data of the club
    with monkeypatch.context() as patch:
        database = b.data_directory.storage.database
        patch.setattr(database, "connect_again", lambda: False)
        patch.setattr(b.hub, "_tend_peers", lambda: None)
        b.do(_close(database))
        assert "germany is one of" in one.lobby_request("club", words="favourite germany")
        a.ask("terms", game="friday", watch="anybody")
    wait_for_favourite(two, True)
    assert b.hub.terms.of("friday").watch == "anybody"
    one.close()
    two.close()


async def _close(database: Database) -> None:
    database.close()


def test_another_hub_takes_over_a_game(cluster, monkeypatch):
    a, b = cluster.hubs["a"], cluster.hubs["b"]
    monkeypatch.setattr(hubs, "GRACE_S", 0.0)
    britain = a.session("britain")  # a holds the game
    france = b.session("france")
    france.act_text("place influence siam")
    a.stop()  # in order; the trial in tools/ kills it
    wait_until(lambda: france.receive() or france.trouble)
    assert france.game.will_reconnect
    wait_until(france.reconnect)
    france.act_text("undo")
    assert france.version > britain.version and b.hub.games.awake("friday")


def test_games_of_a_stopped_hub_are_opened_together(cluster, monkeypatch):
    a, b = cluster.hubs["a"], cluster.hubs["b"]
    storage = b.data_directory.storage
    monkeypatch.setattr(hubs, "GRACE_S", 0.0)
    monkeypatch.setattr(PostgresPeers, "orphans", lambda peers: [])
    names = [f"g{n}" for n in range(5)]
    for name in names:
        new_game(a.data_directory.storage, name).close()
    wait_until(lambda: not set(names).difference(storage.names(b.data_directory.games)))
    a.stop()
    wait_until(lambda: len(b.hub._peers._addresses) == 1)
    trips = []
    read = storage._lock_and_read
    monkeypatch.setattr(storage, "_lock_and_read", lambda names: trips.append(list(names)) or read(names))

    async def open_all() -> list[str]:
        return await asyncio.gather(*(b.hub._opener.hub_of(name, may_pass=True) for name in names))

    assert b.do(open_all()) == [""] * 5 and trips == [names]
    assert {hosted.name for hosted in b.hub.games.open} >= set(names)
    assert not storage._ahead


def test_game_read_ahead_and_not_opened_is_unlocked(cluster):
    a, b = cluster.hubs["a"].data_directory.storage, cluster.hubs["b"].data_directory.storage
    with a.read_ahead(["friday", "nowhere"]), pytest.raises(LockedElsewhere):
        open_game(b.path("games/friday.jsonl"), storage=b)
    open_game(b.path("games/friday.jsonl"), storage=b).close()


def test_hub_with_many_games_leaves_others_to_another_hub(cluster, monkeypatch):
    a, b = cluster.hubs["a"], cluster.hubs["b"]
    monkeypatch.setattr(hubs, "GRACE_S", 0.0)
    monkeypatch.setattr(hubs, "UNEQUAL", 1)
    monkeypatch.setattr(PostgresPeers, "orphans", lambda peers: [])
    for name in ("g1", "g2"):
        new_game(a.data_directory.storage, name).close()
    c = cluster.hubs["c"] = cluster.start("c")
    a.session("britain")
    a.stop()
    new_game(b.data_directory.storage, "of b").close()
    left = {hub.hub._peers._address for hub in (b, c)}
    wait_until(lambda: set(b.hub._peers._addresses.values()) == left)

    async def hub_of(name: str) -> str:
        return await b.hub._opener.hub_of(name, may_pass=True)

    assert b.do(hub_of("of b")) == ""
    assert b.do(hub_of("g1")) == c.hub._peers._address
    britain = b.session("britain")  # passed on to c, which takes the game over
    wait_until(lambda: c.hub.games.awake("friday"))
    britain.act_text("place influence persia")


def test_suspended_game_is_not_taken_over(cluster, monkeypatch):
    a, b = cluster.hubs["a"], cluster.hubs["b"]
    monkeypatch.setattr(hubs, "GRACE_S", 0.0)
    monkeypatch.setattr("paxtui.server.games.REST_S", 0.0)
    a.session("britain").close()
    wait_until(lambda: "friday" in a.hub.games._asleep)
    a.stop()
    wait_until(lambda: ("friday", a.hub._peers._hub) in b.hub._peers._resting)
    assert b.hub._peers.orphans() == [] and not b.hub.games.open
    b.session("france").act_text("place influence siam")


def test_hub_keeps_its_game_when_the_database_restarts(cluster, server):
    a = cluster.hubs["a"]
    france = a.session("france")
    france.act_text("place influence siam")
    server.stop()
    server.start()
    wait_until(lambda: a.data_directory.storage.database.is_connected and a.hub._peers.is_own_game("friday"))
    wait_until(lambda: france.receive() or not france.trouble or france.reconnect())
    france.act_text("undo")
    assert not a.host.verify()


def test_another_hub_continues_games_without_clients(cluster, monkeypatch):
    a, b = cluster.hubs["a"], cluster.hubs["b"]
    monkeypatch.setattr(hubs, "GRACE_S", 0.0)
    a.ask("clock", game="friday", what="set", limits="any=3600")
    assert a.hub.games.awake("friday")
    a.stop()
    wait_until(lambda: b.hub.games.awake("friday"))
    assert b.hub.games.awake("friday").time.runs


def test_disconnected_hub_leaves_its_game_to_another_hub(cluster, monkeypatch):
    a, b = cluster.hubs["a"], cluster.hubs["b"]
    monkeypatch.setattr(hubs, "GRACE_S", 0.0)
    britain = a.session("britain")
    database = a.data_directory.storage.database
    monkeypatch.setattr(database, "connect_again", lambda: database.is_connected)
    monkeypatch.setattr(postgres, "PATIENCE_S", 0.0)
    database.close()
    wait_until(lambda: b.hub.games.awake("friday"))
    with pytest.raises(OSError, match="does not answer"):
        britain.act_text("place influence persia")
    monkeypatch.undo()
    wait_until(lambda: britain.receive() or britain.trouble)
    assert not a.hub.games.open and britain.game.will_reconnect
    wait_until(britain.reconnect)
    britain.act_text("place influence persia")
    assert not b.host.verify()


@pytest.mark.parametrize("with_tls", [False, True])
def test_link_accepts_only_hubs(cluster, with_tls):
    a, b = cluster.hubs["a"], cluster.hubs["b"]
    a.session("britain")

    async def find() -> str:
        return b.hub._peers.holder("friday")

    host, _, port = b.do(find()).rpartition(":")
    request = frame_message(messages.encode(messages.AdminRequest(messages.VERSION, "status")))
    with socket.create_connection((host, int(port)), timeout=60) as raw:
        wire = raw
        if with_tls:
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            wire = context.wrap_socket(raw)
        wire.sendall(request)
        with suppress(OSError):  # a refused certificate is one
            assert wire.recv(1) == b""
