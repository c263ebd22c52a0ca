"""Webhooks: which addresses the server connects to, what it sends, and how a message is signed."""

from __future__ import annotations

import asyncio
import hmac
import json
import socket
import threading
from hashlib import sha256

import pytest

from paxtui.engine.refusal import Refusal
from paxtui.server import webhooks
from paxtui.server.webhooks import (
    MOST_LOOKUPS,
    WebhookMessage,
    checked_address,
    encode_message,
    is_public,
    parse_target,
    post,
    resolve_host,
    sign,
)

PRIVATE = [
    "127.0.0.1",
    "10.1.1.1",
    "172.16.0.9",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1%eth0",
    "fc00::1",
    "ff02::1",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
    "2002:7f00:1::",
    "::127.0.0.1",
    "::ffff:0:10.0.0.1",
    "fec0::1",
    "3fff::1",
    "64:ff9b:1::a00:1",
    "2001:0:53aa:64c:0:fbee:80ff:fffe",
    "2a00:1450::5efe:a00:1",
    "2a00:1450::200:5efe:a00:1",
    "192.88.99.1",
]
MESSAGE = WebhookMessage("paxtui: friday", "France must act in *friday*: <Movement>.", {"event": "must_act"})


@pytest.mark.parametrize("address", PRIVATE)
async def test_a_host_with_a_private_address_is_refused(address):
    assert not is_public(address)

    async def resolve(host: str, port: int) -> list[str]:
        return ["93.184.216.34", address]

    with pytest.raises(Refusal, match="not a public address"):
        await checked_address(parse_target("https://evil.example/"), resolve)
    assert await checked_address(parse_target("http://evil.example:8080/", ["evil.example:8080"]), resolve)


def test_public_addresses_are_accepted():
    assert all(map(is_public, ("93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::808:808")))


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "https://example.org:22/", "ftp://example.org/", "https:///x", "https://a@example.org/",
        "https://example.org/a b", "https://example.org/\r\nX: 1", "https://éxample.org/", "https://[::1/", "x",
        "https://example.org:99999/", "https://example.org/" + "a" * 500, "https://a..b/", "https://.example.org/",
        "https://" + "a" * 64 + ".org/", "https://[fe80::1%25eth0]/", "https://-x.org/", "https://a%2eb/", "https://a*b/",
    ],
)  # fmt: skip
def test_a_url_needs_https_a_host_and_nothing_odd(url):
    with pytest.raises(Refusal):
        parse_target(url, ["other.example"])


async def test_the_connection_goes_to_the_checked_address_and_redirects_are_not_followed():
    requests: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        requests.append(head + await reader.readexactly(2))
        writer.write(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    lookups: list[str] = []

    async def resolve(host: str, port: int) -> list[str]:
        lookups.append(host)  # a second lookup would get another address
        return ["127.0.0.1"] if len(lookups) == 1 else ["192.0.2.1"]

    target = parse_target(f"http://hook.example:{port}/a?b=c", [f"hook.example:{port}"])
    assert await post(target, b"{}", {"X-Test": "1"}, resolve) == 302
    server.close()
    assert lookups == ["hook.example"]
    (request,) = requests
    assert request.startswith(b"POST /a?b=c HTTP/1.1\r\nHost: hook.example:%d\r\n" % port)
    assert request.endswith(b"X-Test: 1\r\n\r\n{}")


@pytest.mark.parametrize(
    "url", ["https://127.1/", "https://2130706433/", "https://0x7f.1/", "https://0/", "https://localhost./"]
)
async def test_odd_spellings_of_this_machine_are_refused(url):
    with pytest.raises(Refusal, match="not a public address"):
        await post(parse_target(url), b"", {})
    assert parse_target("https://[2606:2800:220:1::1]/").host == "2606:2800:220:1::1"


async def test_slow_name_servers_block_no_other_thread(monkeypatch):
    may_answer = threading.Event()

    def look_up(host: str, *_: object, **__: object) -> list[object]:
        may_answer.wait()
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(webhooks.socket, "getaddrinfo", look_up)
    waiting = [asyncio.ensure_future(resolve_host("slow.example", 443)) for _ in range(MOST_LOOKUPS)]
    await asyncio.sleep(0)
    with pytest.raises(OSError, match="too many names"):
        await resolve_host("slow.example", 443)
    assert await asyncio.to_thread(lambda: "a bot") == "a bot"
    waiting[0].cancel()
    may_answer.set()
    found = await asyncio.gather(*waiting, return_exceptions=True)
    assert all(isinstance(one, socket.gaierror) for one in found[1:])
    with pytest.raises(socket.gaierror):
        await resolve_host("slow.example", 443)


async def test_answer_that_is_not_http_is_an_error():
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-OpenSSH\r\n")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(OSError):
        await post(parse_target(f"http://localhost:{port}/", [f"localhost:{port}"]), b"", {})
    server.close()


def test_formats_and_their_markup():
    body, headers = encode_message(MESSAGE, "json")
    assert json.loads(body) == {"event": "must_act", "text": MESSAGE.text}
    assert headers["Content-Type"] == "application/json"
    body, headers = encode_message(MESSAGE._replace(title="paxtui: Fräit\u00e4g"), "ntfy")
    assert body.decode() == MESSAGE.text and headers["Title"].isascii()
    assert "\n" not in headers["Title"]
    discord = json.loads(encode_message(MESSAGE, "discord")[0])
    assert discord == {
        "content": "France must act in \\*friday\\*: \\<Movement\\>.",
        "allowed_mentions": {"parse": []},
    }
    assert json.loads(encode_message(MESSAGE, "slack")[0])["text"].endswith("&lt;Movement&gt;.")


def test_a_signature_covers_time_and_body():
    headers = sign("geheim", b"{}", 1_800_000_000)
    mark = hmac.new(b"geheim", b"1800000000.{}", sha256).hexdigest()
    assert headers == {"X-Paxtui-Timestamp": "1800000000", "X-Paxtui-Signature": f"sha256={mark}"}
