"""The web server: cookies, terminals that outlive their connection, and what attackers try."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket as sockets
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest

from paxtui.cli.main import main
from paxtui.engine.refusal import Refusal
from paxtui.server.data_directory import load_signing_key
from paxtui.server.limits import MOST_PER_KEY, SILENT_FROM_ONE_ADDRESS
from paxtui.server.proxy_protocol import TrustedProxies
from paxtui.server.web import pages, server, terminals
from paxtui.server.web.cookies import COOKIE_LIFETIME_S, CookieSigner
from paxtui.server.web.server import HubBackend, WebServer, tls_context
from paxtui.server.web.terminals import ELSEWHERE, ENDED, LOGIN, MAX_MESSAGE, REFUSED
from tests.server.conftest import RunningHub
from tests.server.web import CODE, Backend, shown, site
from tests.waiting import until

pytestmark = pytest.mark.ssh


async def closed(socket: aiohttp.ClientWebSocketResponse) -> int | None:
    """Read until a connection is closed; return the code."""
    while not socket.closed:
        await asyncio.wait_for(socket.receive(), 60)
    return socket.close_code


# --- cookies ----------------------------------------------------------------------------------------------------------


def test_a_cookie_is_signed_and_expires(tmp_path: Path) -> None:
    signer = CookieSigner(load_signing_key(tmp_path / "key"))
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    assert load_signing_key(tmp_path / "key") == load_signing_key(tmp_path / "key")
    identity = signer.new(1000.0)
    value = signer.write(identity)
    assert signer.read(value, 1000.0) == identity
    assert signer.read(value, 1000.0 + COOKIE_LIFETIME_S) is None
    id_, until_, signature = value.split(".")
    forged = ("", ".", "..", value[:-1], f"{id_}.{int(until_) + 1}.{signature}", f"x{value}", "é" * 50, value + "0")
    assert all(signer.read(text, 1000.0) is None for text in forged)
    assert CookieSigner(b"another").read(value, 1000.0) is None


def test_the_register_cannot_be_used_to_make_a_cookie() -> None:
    identity = CookieSigner(b"k").new(0.0)
    assert identity.id not in identity.key and identity.key.split()[0] == "paxtui-browser"


# --- terminals --------------------------------------------------------------------------------------------------------


async def test_link_gives_a_cookie_and_a_terminal() -> None:
    async with site() as there:
        async with there.browser.get(f"{there.url}/") as page:
            assert page.url.path == "/join"
        assert (await there.join())[0] == 204
        (cookie,) = there.browser.cookie_jar
        assert cookie["httponly"] and cookie["samesite"] == "Lax" and int(cookie["max-age"]) > 24 * 3600
        async with there.browser.get(f"{there.url}/") as page:
            assert page.url.path == "/" and 'id="terminal"' in await page.text()
        async with there.terminal("?width=100&height=30") as socket:
            output, _ = await shown(socket, b"hello")
            assert output.startswith(b"\x1bc")
            await socket.send_json(["stdin", "€"])
            await shown(socket, "[€]".encode())
            await socket.send_json(["ping", "7"])
            assert await socket.receive_json() == ["pong", "7"]
            await socket.send_json(["stdin", "q"])
            assert await closed(socket) == ENDED


async def test_reconnected_browser_gets_missed_output() -> None:
    async with site() as there:
        await there.join()
        async with there.terminal() as socket:
            output, ((_, id_, start),) = await shown(socket, b"hello")
        there.backend.clients[0].draw(b"while you were away")
        received = start + len(b"hello")
        async with there.terminal(f"?terminal={id_}&received={received}") as socket:
            output, messages = await shown(socket, b"away")
            assert output == b"while you were away" and messages == [["terminal", id_, received]]
        assert len(there.backend.clients) == 1


@pytest.mark.parametrize("received", ["-1", "", "99999999", "x", "9" * 40])
async def test_new_page_gets_the_whole_screen(received: str) -> None:
    """The client draws it because its size is changed."""
    async with site() as there:
        await there.join()
        async with there.terminal() as socket:
            _, ((_, id_, _),) = await shown(socket, b"hello")
        sizes = []
        client = there.backend.clients[0].terminal
        real, client.resize = client.resize, lambda *size: sizes.append(size) or real(*size)
        async with there.terminal(f"?terminal={id_}&received={received}&width=90&height=40") as socket:
            await shown(socket, b"\x1b[?1049h")
            await until(lambda: len(sizes) == 2)
        assert sizes == [(90, 39), (90, 40)]


async def test_browser_that_missed_too_much_gets_a_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminals, "KEPT_OUTPUT", 8)
    async with site() as there:
        await there.join()
        async with there.terminal() as socket:
            _, ((_, id_, _),) = await shown(socket, b"hello")
        there.backend.clients[0].draw(b"a long text")
        terminal = there.server._terminals[id_]
        await until(lambda: terminal._written == len("helloa long text"))
        async with there.terminal(f"?terminal={id_}&received=5") as socket:
            await shown(socket, b"\x1bc\x1b[?1049h")


async def test_client_without_a_browser_ends_after_a_while() -> None:
    backend = Backend()
    backend.keep_s = 0.01
    async with site(backend) as there:
        await there.join()
        async with there.terminal() as socket:
            _, ((_, id_, _),) = await shown(socket, b"hello")
        await until(lambda: there.server._terminals[id_].over)
        async with there.terminal(f"?terminal={id_}&received=5") as socket:
            _, ((_, other, _),) = await shown(socket, b"hello")
        assert other != id_ and len(backend.clients) == 2


async def test_second_window_takes_over_the_terminal() -> None:
    async with site() as there:
        await there.join()
        async with there.terminal() as first:
            _, ((_, id_, _),) = await shown(first, b"hello")
            async with there.terminal(f"?terminal={id_}") as second:
                assert await closed(first) == ELSEWHERE
                await second.send_json(["stdin", "x"])
                await shown(second, b"[x]")


async def test_link_for_another_device() -> None:
    """Only the owner of a cookie gets one, on a page of this server."""
    async with site() as there, there.browsers() as phone:
        async with phone.post(f"{there.url}/device", headers=there.origin) as answer:
            assert answer.status == 403
        await there.join()
        async with there.browser.post(f"{there.url}/device") as answer:
            assert answer.status == 403
        async with there.browser.post(f"{there.url}/device", headers=there.origin) as answer:
            code = await answer.text()
        async with phone.post(f"{there.url}/join", data={"code": code}, headers=there.origin) as answer:
            assert answer.status == 204


async def test_browser_keys_at_the_hub(running: RunningHub) -> None:
    """A code gives a seat; a second browser gets the same player; a removed key gets nothing."""
    backend = HubBackend(running.data_directory, running.data_directory.forks)
    first, second = (CookieSigner(b"k").new(0.0).key for _ in range(2))
    code = running.ask("invite", game="friday", seat="france")["code"]
    with pytest.raises(Refusal):
        await backend.redeem(first, "", "Pierre", "192.0.2.1")
    await backend.redeem(first, code, "Pierre", "192.0.2.1")
    assert await backend.is_player(first) and await backend.admits(first) and not await backend.admits(second)
    await backend.redeem(second, await backend.device_code(first), "", "192.0.2.1")
    assert await backend.admits(second)
    (player,) = running.ask("players")
    running.ask("remove_key", player=player["player"], fingerprint=player["keys"][1])
    assert await backend.admits(first) and not await backend.admits(second)
    running.ask("terms", game="friday", watch="nobody")
    running.ask("seat", game="friday", seat="france")
    assert not await backend.admits(first)
    assert code not in running.data_directory.register.read_text()


# --- attacks ----------------------------------------------------------------------------------------------------------


async def test_missing_or_forged_cookie_is_refused() -> None:
    async with site() as there:
        for value in ("", "x.99999999999.00", CookieSigner(b"other").write(CookieSigner(b"other").new(time.time()))):
            async with there.terminal(Cookie=f"paxtui-{there.port}={value}") as socket:
                assert await closed(socket) == LOGIN
        assert not there.backend.clients


async def test_cookie_without_a_seat_is_refused() -> None:
    """`paxtui seat GAME SEAT --to free` or `paxtui players --remove-key` has taken it."""
    async with site() as there:
        await there.join()
        async with there.terminal() as socket:
            _, ((_, id_, _),) = await shown(socket, b"hello")
        there.backend.keys.clear()
        for query in ("", f"?terminal={id_}&received=0"):
            async with there.terminal(query) as socket:
                assert await closed(socket) == LOGIN
        assert len(there.backend.clients) == 1


async def test_stolen_code_is_valid_once() -> None:
    async with site() as there, there.browsers() as thief:
        assert (await there.join())[0] == 204
        async with thief.post(f"{there.url}/join", data={"code": CODE}, headers=there.origin) as answer:
            assert answer.status == 403 and not answer.cookies
            assert CODE not in await answer.text()


async def test_terminal_of_another_player_is_not_opened() -> None:
    """Its id opens nothing for another cookie."""
    async with site() as there, there.browsers() as other:
        await there.join()
        async with there.terminal() as socket:
            _, ((_, id_, _),) = await shown(socket, b"hello")
        there.backend.code = CODE
        await other.post(f"{there.url}/join", data={"code": CODE}, headers=there.origin)
        query = f"?terminal={id_}&received=0"
        async with other.ws_connect(f"{there.url}/ws{query}", headers=there.origin) as socket:
            _, ((_, own, _),) = await shown(socket, b"hello")
        assert own != id_ and len(there.backend.clients) == 2


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "http://127.0.0.1", "https://127.0.0.1:{port}"])
async def test_other_origins_are_refused(origin: str) -> None:
    async with site() as there:
        await there.join()
        headers = {"Origin": origin.format(port=there.port)}
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            async with there.browser.ws_connect(f"{there.url}/ws", headers=headers):
                pass
        there.backend.code = CODE
        assert (await there.join(**headers))[0] == 403
        assert there.backend.code == CODE


@pytest.mark.parametrize(
    "message",
    ["x" * (MAX_MESSAGE + 1), "{", "[]", '["stdin", 5]', '["resize", {"width": "x"}]', "[" * 50_000, '["exec", "sh"]'],
)
async def test_malformed_and_oversized_messages_close_the_connection(message: str) -> None:
    """They end the connection but not the client."""
    async with site() as there:
        await there.join()
        async with there.terminal() as socket:
            _, ((_, id_, _),) = await shown(socket, b"hello")
            await socket.send_str(message)
            assert await closed(socket) not in (ENDED, None)
        async with there.terminal(f"?terminal={id_}&received=5") as socket:
            await socket.send_json(["stdin", "x"])
            await shown(socket, b"[x]")


FORM = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\n\r\ncode="


@pytest.mark.parametrize(
    ("status", "request_"),
    [
        (400, b"POST /join HTTP/1.1\r\nHost: %h\r\nOrigin: http://%h\r\n" + FORM + b"AB\xc3\xff!"),
        (403, b"POST /join HTTP/1.1\r\nHost: %h\r\nOrigin: http://%h\r\n" + FORM + b"%%%%%"),
        (303, b"GET / HTTP/1.1\r\nHost: %h\r\nCookie: paxtui-%p=a.1.\xed\xa0\x80\r\n\r\n"),
        (303, b"GET / HTTP/1.1\r\nHost: %h\r\nCookie: paxtui-%p=\xff\xfe.99999999999.x\r\n\r\n"),
        (303, b"GET / HTTP/1.1\r\nHost: %h\r\nCookie: paxtui-%p=" + b"." * 300 + b"\r\n\r\n"),
        (
            400,
            b"GET /ws HTTP/1.1\r\nHost: %h\r\nOrigin: http://%h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhl\xb2IHNhbXBsZSBub25jZQ==\r\n\r\n",
        ),
    ],
)
async def test_invalid_text_in_a_request_is_refused(
    status: int, request_: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    """They are errors of the visitor, so the server logs nothing."""
    async with site() as there:
        port = str(there.port).encode()
        reader, writer = await asyncio.open_connection("127.0.0.1", there.port)
        writer.write(request_.replace(b"%h", b"127.0.0.1:" + port).replace(b"%p", port))
        assert (await asyncio.wait_for(reader.readline(), 60)).split()[1] == str(status).encode()
        writer.close()
    assert "mistake" not in capfd.readouterr().err


async def test_large_form_is_refused() -> None:
    async with site() as there:
        assert (await there.join("x" * 100_000))[0] == 413


async def test_two_hundred_connections_close_the_oldest() -> None:
    async with site() as there:
        await there.join()
        async with there.terminal() as socket:
            await shown(socket, b"hello")
            open_ = []
            for _ in range(200):
                reader, writer = await asyncio.open_connection("127.0.0.1", there.port)
                open_.append(writer)
                if len(open_) == 1:
                    first = reader
            assert await asyncio.wait_for(first.read(), 60) == b""
            await until(lambda: len(there.server.quotas.silent) <= SILENT_FROM_ONE_ADDRESS)
            await socket.send_json(["stdin", "x"])  # a player is not affected
            await shown(socket, b"[x]")
            assert "without a session" in there.backend.closed
            for writer in open_:
                writer.close()


async def test_silent_web_connection_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "IDLE_CONNECTION_S", 0.01)
    async with site() as there:
        reader, writer = await asyncio.open_connection("127.0.0.1", there.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        assert await asyncio.wait_for(reader.read(), 60) == b""
        writer.close()


async def test_windows_of_one_player_are_limited() -> None:
    async with site() as there:
        await there.join()
        there.server.quotas.keys[next(iter(there.backend.keys))] = MOST_PER_KEY
        async with there.terminal() as socket:
            assert await closed(socket) == REFUSED


async def test_browser_that_does_not_read_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is disconnected; its client continues."""
    monkeypatch.setattr(terminals, "SLOW_S", 0.05)
    async with site() as there:
        await there.join()
        cookie = next(iter(there.browser.cookie_jar)).OutputString(attrs=[])
        with sockets.socket() as browser:
            browser.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
            browser.connect(("127.0.0.1", there.port))
            lines = (
                "GET /ws HTTP/1.1", f"Host: 127.0.0.1:{there.port}", f"Origin: {there.url}", f"Cookie: {cookie}",
                "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "", "",
            )  # fmt: skip
            browser.sendall("\r\n".join(lines).encode())
            await until(lambda: there.backend.clients)
            (terminal,) = there.server._terminals.values()
            client = there.backend.clients[0]

            def floods() -> bool:
                with suppress(BlockingIOError):
                    client.draw(b"x" * 4000)
                return not terminal.is_shown

            await until(floods)
            assert not terminal.over


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py", "/static/..%2f..%2fserver.py", "/static/%2e%2e/pages.py", "/static/", "/static",
        "/static/join.html", "/static//etc/passwd", "/players.json", "/web_key", "/static/page.css%00.js",
    ],
)  # fmt: skip
async def test_paths_outside_of_the_static_files_are_refused(path: str) -> None:
    async with site() as there:
        reader, writer = await asyncio.open_connection("127.0.0.1", there.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        answer = await asyncio.wait_for(reader.read(), 60)
        assert answer.split()[1] in (b"404", b"400") and b"import" not in answer
        writer.close()


@pytest.mark.parametrize("line", ["/join?x=%0d%0aSet-Cookie:%20a=b", "/%0d%0aX-Evil:1", "/join#\r\nX-Evil: 1"])
async def test_no_header_can_be_injected(line: str) -> None:
    async with site() as there:
        reader, writer = await asyncio.open_connection("127.0.0.1", there.port)
        writer.write(f"GET {line} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".encode())
        head, _, _ = (await asyncio.wait_for(reader.read(), 60)).partition(b"\r\n\r\n")
        assert b"evil" not in head.lower() and b"a=b" not in head
        writer.close()


async def test_all_responses_have_strict_headers() -> None:
    async with site() as there:
        for path in ("/join", "/static/terminal.js", "/nowhere", "/ws"):
            async with there.browser.get(f"{there.url}{path}", headers=there.origin) as answer:
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy and "script-src 'self';" in policy
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert answer.headers["Referrer-Policy"] == "no-referrer"
                assert "aiohttp" not in answer.headers["Server"] and "Python" not in answer.headers["Server"]
        async with there.browser.get(f"{there.url}/join") as answer:
            assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("page", [pages.join_page(True), pages.join_page(False), pages.page("device")])
def test_a_form_without_scripts_puts_no_code_into_the_address(page: str) -> None:
    assert page.count("<form") == page.count('method="post"') == 1


async def test_internal_error_reveals_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    class Broken(Backend):
        async def redeem(self, key: str, code: str, name: str, address: str) -> None:
            raise ValueError(f"{key} {code}")

    async with site(Broken()) as there:
        status, text = await there.join()
        captured = capsys.readouterr()
        assert status == 500 and "number" in text
        assert not any(secret in text + captured.err + captured.out for secret in (CODE, "paxtui-browser"))
        assert "ValueError in web.py" not in text


async def test_server_with_a_public_url_behind_a_proxy() -> None:
    """The address is what the proxy adds at the end; the origin is the public one; the cookie goes over TLS only."""
    async with site(public_url="https://pax.example.org") as there:
        headers = {"Origin": "https://pax.example.org", "X-Forwarded-For": "6.6.6.6, 192.0.2.7"}
        async with there.browser.post(f"{there.url}/join", data={"code": CODE}, headers=headers) as answer:
            cookie = answer.cookies["__Host-paxtui"]
            assert answer.status == 204 and cookie["secure"] and cookie["path"] == "/" and not cookie["domain"]
            assert "Strict-Transport-Security" in answer.headers
        assert there.backend.addresses == ["192.0.2.7"]
        assert (await there.join())[0] == 403


async def test_proxy_that_adds_a_second_header() -> None:
    """HAProxy does so. The visitor's own header is before it and is ignored."""
    async with site(public_url="https://pax.example.org") as there:
        headers = [
            ("Origin", "https://pax.example.org"),
            ("X-Forwarded-For", "6.6.6.6"),
            ("X-Forwarded-For", "192.0.2.7"),
        ]
        async with there.browser.post(f"{there.url}/join", data={"code": CODE}, headers=headers) as answer:
            assert answer.status == 204
        assert there.backend.addresses == ["192.0.2.7"]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is missing: .ci/system-packages")
@pytest.mark.parametrize("proxies", [(), ("127.0.0.1",)])
async def test_web_server_over_tls(tmp_path: Path, proxies: tuple[str, ...]) -> None:
    """The cookie goes over TLS only. A missing certificate is an error that `serve` reports."""
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    words = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    words += ["-subj", "/CN=localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(words, check=True, capture_output=True)
    trusted = TrustedProxies(proxies)
    there = WebServer(Backend(), CookieSigner(b"key"), tls=tls_context(certificate, key), trusted=trusted)
    url = f"https://127.0.0.1:{await there.listen('127.0.0.1', 0)}"
    try:
        async with aiohttp.ClientSession() as browser:
            post = browser.post(f"{url}/join", data={"code": CODE}, headers={"Origin": url}, ssl=False)
            async with post as answer:
                assert answer.status == 204 and answer.cookies["__Host-paxtui"]["secure"]
                assert "Strict-Transport-Security" in answer.headers
    finally:
        await there.close()
    with pytest.raises(OSError):
        tls_context(key, tmp_path / "nothing.pem")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--tls-cert", "x"], "go with --web"),
        (["--web", ":0", "--tls-cert", "x"], "go together"),
        (["--web", "8080"], "--web 8080"),
        (["--web", ":0", "--url", "pax.example.org"], "it takes an address such as"),
        (["--via", "carrier", "pigeon"], "the only way is ssh"),
        (["--via", "ssh", "ann@pax.example.org", "--listen", ":0"], "fixed ports"),
    ],
)
def test_conflicting_options_are_refused(options: list[str], error: str, tmp_path: Path, capsys) -> None:
    assert main(["serve", "--data", str(tmp_path / "h"), "--listen", "127.0.0.1:0", *options]) == 2
    assert error in capsys.readouterr().err


async def test_forwarded_header_without_a_proxy_is_ignored() -> None:
    async with site() as there:
        await there.join(**{"X-Forwarded-For": "192.0.2.7"})
        assert there.backend.addresses == ["127.0.0.1"]


async def test_requests_of_one_address_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "REQUESTS", (5, 3600.0))
    monkeypatch.setattr(server, "FORMS", (2, 3600.0))
    monkeypatch.setattr(server, "TOO_MANY_S", 0.0)
    player = CookieSigner.renew("a player", time.time())
    async with site() as there:
        assert [(await there.join("wrong"))[0] for _ in range(4)] == [403, 403, 429, 429]
        for status in (200, 429):
            async with there.browser.get(f"{there.url}/join") as answer:
                assert answer.status == status
        assert there.backend.closed == ["too many requests"] * 3
        there.backend.keys.add(player.key)  # players behind the same address are not affected
        there.browser.cookie_jar.update_cookies({f"paxtui-{there.port}": CookieSigner(b"key").write(player)})
        async with there.terminal() as socket:
            await shown(socket, b"hello")


async def test_client_starts_of_one_player_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "STARTS", (2, 3600.0))
    async with site() as there:
        await there.join()
        for _ in range(2):
            async with there.terminal() as socket:
                _, ((_, id_, _),) = await shown(socket, b"hello")
        async with there.terminal() as socket:
            assert await closed(socket) == REFUSED
        async with there.terminal(f"?terminal={id_}&received=5") as socket:  # reconnecting starts no client
            await socket.send_json(["stdin", "x"])
            await shown(socket, b"[x]")


async def test_pings_count_as_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    sleep = asyncio.sleep

    async def note(seconds: float) -> None:
        slept.append(seconds)
        await sleep(0)

    monkeypatch.setattr(terminals, "MESSAGES_AT_ONCE", 3)
    async with site() as there:
        await there.join()
        options = {"headers": there.origin, "autoping": False}
        async with there.browser.ws_connect(f"{there.url}/ws", **options) as socket:
            await shown(socket, b"hello")
            monkeypatch.setattr(terminals.asyncio, "sleep", note)
            for _ in range(10):
                await socket.ping(b"x")
            for _ in range(10):
                message = await asyncio.wait_for(socket.receive(), 60)
                assert message.type is aiohttp.WSMsgType.PONG and message.data == b"x"
            monkeypatch.undo()
    assert any(seconds > 0 for seconds in slept)


async def test_flood_of_messages_is_slowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminals, "MESSAGES_AT_ONCE", 3)
    monkeypatch.setattr(terminals, "MESSAGES_PER_S", 1000.0)
    async with site() as there:
        await there.join()
        async with there.terminal() as socket:
            await shown(socket, b"hello")
            for _ in range(20):
                await socket.send_str(json.dumps(["stdin", "x"]))
            output = b""
            while output.count(b"x") < 20:
                output += (await asyncio.wait_for(socket.receive(), 60)).data
