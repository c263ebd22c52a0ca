"""The address of visitors behind a proxy, taken only from trusted proxies."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp
import asyncssh
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paxtui.cli.main import main
from paxtui.server import proxy_protocol
from paxtui.server.data_directory import DataDirectory
from paxtui.server.proxy_protocol import SIGNATURE, MalformedHeader, ProxyHeader, TrustedProxies, parse_header
from paxtui.server.ssh_server import SshServer
from paxtui.server.web.cookies import CookieSigner
from paxtui.server.web.server import WebServer
from tests.server.web import CODE, Backend
from tests.waiting import until

LINE = b"PROXY TCP4 192.0.2.7 198.51.100.1 40000 2222\r\n"
LINE_6 = b"PROXY TCP6 2001:db8::7 2001:db8::1 40000 2222\r\n"
MAPPED = b"PROXY TCP6 ::ffff:192.0.2.7 ::1 40000 2222\r\n"


def binary(command: int = 0x21, family: int = 0x11, rest: bytes = bytes((192, 0, 2, 7)) + bytes(8)) -> bytes:
    """A header of version 2."""
    return SIGNATURE + bytes((command, family)) + len(rest).to_bytes(2, "big") + rest


ADDRESS_6 = bytes.fromhex("20010db8000000000000000000000007")
GOOD = {
    LINE: "192.0.2.7",
    LINE_6: "2001:db8::7",
    MAPPED: "192.0.2.7",
    b"PROXY UNKNOWN\r\n": "",
    b"PROXY UNKNOWN ffff::1 anything 1 2\r\n": "",
    binary(): "192.0.2.7",
    binary(rest=bytes((192, 0, 2, 7)) + bytes(8) + b"\x03\x00\x04crc!"): "192.0.2.7",
    binary(family=0x21, rest=ADDRESS_6 + bytes(20)): "2001:db8::7",
    binary(command=0x20, family=0, rest=b""): "",
    binary(command=0x20): "",
    binary(family=0x31, rest=bytes(216)): "",
}
BAD = [
    b"GET / HTTP/1.1\r\n",
    b"SSH-2.0-OpenSSH_9.2\r\n",
    b"PROXY\r\n",
    b"PROXY \r\n",
    b"PROXY TCP4\r\n",
    b"PROXY TCP4 192.0.2.7 198.51.100.1 40000\r\n",
    b"PROXY TCP4 192.0.2.7 198.51.100.1 40000 65536\r\n",
    b"PROXY TCP4 192.0.2.7 198.51.100.1 -1 2222\r\n",
    b"PROXY TCP4 192.0.2.7 198.51.100.1 \xb2 2222\r\n",
    b"PROXY TCP4 192.0.2.777 198.51.100.1 40000 2222\r\n",
    b"PROXY TCP4 2001:db8::7 2001:db8::1 40000 2222\r\n",
    b"PROXY TCP6 192.0.2.7 198.51.100.1 40000 2222\r\n",
    b"PROXY TCP4  192.0.2.7 198.51.100.1 40000 2222\r\n",
    b"PROXY UDP4 192.0.2.7 198.51.100.1 40000 2222\r\n",
    b"PROXY TCP4 \xff 198.51.100.1 40000 2222\r\n",
    b"PROXY UNKNOWN " + b"x" * 200 + b"\r\n",
    binary(command=0x11),
    binary(command=0x22),
    binary(family=0x12),
    binary(rest=bytes(11)),
    binary(family=0x21, rest=bytes(35)),
    binary(rest=bytes(2000)),
]


@pytest.mark.parametrize(("header", "address"), GOOD.items())
def test_valid_headers_are_parsed(header: bytes, address: str) -> None:
    assert parse_header(header) == parse_header(header + b"SSH-2.0") == ProxyHeader(address, len(header))
    assert [parse_header(header[:n]) for n in range(len(header))] == [None] * len(header)


@pytest.mark.parametrize("data", BAD)
def test_malformed_headers_are_refused(data: bytes) -> None:
    with pytest.raises(MalformedHeader):
        parse_header(data)


near_headers = st.tuples(
    st.sampled_from([*GOOD, *BAD]), st.integers(0, 60), st.binary(max_size=6), st.integers(0, 6)
).map(lambda about: about[0][: about[1]] + about[2] + about[0][about[1] + about[3] :])


@given(st.one_of(near_headers, st.binary(max_size=300), st.binary(max_size=40).map(SIGNATURE.__add__)))
def test_parser_accepts_any_bytes(data: bytes) -> None:
    """The parser never reads beyond the header, returns only addresses, and more data does not change its result."""
    try:
        found = parse_header(data)
    except MalformedHeader:
        with pytest.raises(MalformedHeader):
            parse_header(data + b"x")
        return
    if found is not None:
        assert 0 < found.length <= len(data)
        assert found.address == "" or found.address == proxy_protocol.plain_address(found.address)
        assert parse_header(data[: found.length]) == found
    else:
        assert len(data) < proxy_protocol.LONGEST_HEADER


@given(
    st.text("01.:,af \xe9", max_size=60),
    st.lists(st.sampled_from(["192.0.2.7", "10.0.0.3", "::ffff:10.0.0.4", "x", ""]), max_size=4),
)
def test_address_of_x_forwarded_for(text: str, addresses: list[str]) -> None:
    """It is the last address that is no trusted proxy: the visitor can write those before it."""
    trusted = TrustedProxies(["10.0.0.0/8"])
    found = trusted.forwarded_for(",".join([text, *addresses]), "10.0.0.1")
    assert proxy_protocol.plain_address(found) == found
    after = [one for one in addresses if one not in ("10.0.0.3", "::ffff:10.0.0.4")]
    if after:
        assert found == ("192.0.2.7" if after[-1] == "192.0.2.7" else "10.0.0.1")


def test_trusted_proxies() -> None:
    trusted = TrustedProxies(["127.0.0.1", " 10.1.0.0/16", "2001:db8::/32"])
    assert all(address in trusted for address in ("127.0.0.1", "::ffff:127.0.0.1", "10.1.2.3", "2001:db8::9"))
    assert not any(address in trusted for address in ("127.0.0.2", "::1", "10.2.0.1", "", "localhost"))
    assert not TrustedProxies()


def test_invalid_proxy_address_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--data", str(tmp_path / "h"), "--listen", "127.0.0.1:0", "--trust-proxy", "proxy"]) == 2
    assert "--trust-proxy: 'proxy' does not appear to be" in capsys.readouterr().err


# --- the SSH server -----------------------------------------------------------------------------------------------


@asynccontextmanager
async def ssh_server(*trusted: str) -> AsyncIterator[tuple[SshServer, int]]:
    """An SSH server without a hub."""
    with TemporaryDirectory(prefix="pax") as root:
        data = DataDirectory(Path(root) / "data")
        door = SshServer(data, data.forks, trusted=TrustedProxies(trusted))
        try:
            yield door, await door.listen("127.0.0.1", 0)
        finally:
            await door.close()


def connect(port: int, *data: bytes) -> socket.socket:
    """Open a connection and send data, each part in its own packet."""
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for part in data:
        connection.sendall(part)
    return connection


async def answer(connection: socket.socket) -> bytes:
    """Return the server's answer until it closes the connection: with a reset if it has not read everything."""
    connection.setblocking(False)
    reader, writer = await asyncio.open_connection(sock=connection)
    try:
        return await asyncio.wait_for(reader.read(), 60)
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


async def log_in(connection: socket.socket) -> asyncssh.SSHClientConnection:
    """Log in over a connection."""
    connection.setblocking(False)
    key = asyncssh.generate_private_key("ssh-ed25519")
    return await asyncssh.connect(sock=connection, known_hosts=None, client_keys=[key], config=None, username="ann")


@pytest.mark.parametrize("header", [LINE, LINE_6, binary()])
async def test_ssh_server_uses_the_address_of_the_proxy_header(header: bytes) -> None:
    async with ssh_server("127.0.0.1") as (door, port):
        for parts in ([header], [header[:3], header[3:]]):
            async with await log_in(connect(port, *parts)):
                (there,) = door.admission.silent
                assert there.address == GOOD[header]
            await until(lambda: not door.admission.silent)


async def test_addresses_are_not_kept_when_all_visitors_share_one() -> None:
    async with ssh_server("127.0.0.1") as (door, port):
        door.shares_address = True
        async with await log_in(connect(port, LINE)):
            (there,) = door.admission.silent
            assert there.address == "" and not door._addresses


async def test_only_trusted_proxies_must_send_a_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy_protocol, "HEADER_S", 0.2)
    reported: list[str] = []
    async with ssh_server("127.0.0.1") as (door, port):
        door.reception.clients.report = reported.append
        for data in (b"SSH-2.0-OpenSSH_9.2\r\n", b"PROXY TCP4 x\r\n", b"PROX", b""):
            assert await answer(connect(port, data)) == b""
        assert not door.admission.silent
    async with ssh_server("192.0.2.1") as (door, port):
        await answer(connect(port, LINE))  # asyncssh closes it: a header is not SSH
        async with await log_in(connect(port)):
            (there,) = door.admission.silent
            assert there.address == "127.0.0.1"


async def test_connections_without_a_header_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy_protocol, "MOST_WAITING", 3)
    async with ssh_server("127.0.0.1") as (door, port):
        silent = [connect(port) for _ in range(9)]
        async with await log_in(connect(port, LINE)):
            assert [there.address for there in door.admission.silent] == ["192.0.2.7"]
        for connection in silent:
            connection.close()


# --- the web server -----------------------------------------------------------------------------------------------


@asynccontextmanager
async def web_server(*trusted: str) -> AsyncIterator[tuple[WebServer, Backend, int]]:
    """A web server with one seat."""
    backend = Backend()
    server = WebServer(backend, CookieSigner(b"key"), trusted=TrustedProxies(trusted))
    try:
        yield server, backend, await server.listen("127.0.0.1", 0)
    finally:
        await server.close()


def join_request(port: int, *headers: str) -> bytes:
    """A form with a wrong code."""
    lines = ["POST /join HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Origin: http://127.0.0.1:{port}", "Content-Length: 6"]
    lines += ["Content-Type: application/x-www-form-urlencoded", "Connection: close", *headers, "", "code=x"]
    return "\r\n".join(lines).encode()


FORWARDED = "X-Forwarded-For: 6.6.6.6, 192.0.2.8, 127.0.0.1"


async def test_web_server_accepts_both_kinds_of_headers() -> None:
    async with web_server("127.0.0.1") as (_, backend, port):
        for parts in ([LINE], [binary()], [LINE[:1], LINE[1:]]):
            assert b" 403 " in await answer(connect(port, *parts, join_request(port, FORWARDED)))
        assert b" 403 " in await answer(connect(port, join_request(port, FORWARDED)))
        assert b" 403 " in await answer(connect(port, join_request(port)))
        assert await answer(connect(port, b"PROXY TCP4 x\r\n" + join_request(port))) == b""
        assert backend.addresses == ["192.0.2.7"] * 3 + ["192.0.2.8", "127.0.0.1"]


async def test_untrusted_addresses_cannot_send_headers() -> None:
    async with web_server("192.0.2.1") as (_, backend, port):
        assert b" 403 " in await answer(connect(port, join_request(port, FORWARDED)))
        assert b" 400 " in await answer(connect(port, LINE + join_request(port)))
        assert backend.addresses == ["127.0.0.1"]


async def test_browsers_behind_a_proxy_count_by_their_own_address() -> None:
    async with web_server("127.0.0.1") as (server, backend, port):
        backend.keys = {"any"}
        url = f"http://127.0.0.1:{port}"
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as browser:
            headers = {"Origin": url, "X-Forwarded-For": "192.0.2.9"}
            async with browser.post(f"{url}/join", data={"code": CODE}, headers=headers) as joined:
                assert joined.status == 204
            assert {connection.address for connection in server.quotas.silent} == {""}
            async with browser.ws_connect(f"{url}/ws", headers=headers):
                await until(lambda: [there.address for there in server.quotas.players] == ["192.0.2.9"])
