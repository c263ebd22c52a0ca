import contextlib
import functools

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paxtui.engine.game_log import GameLog
from paxtui.engine.log import (
    BrokenLog,
    Header,
    Line,
    Parsed,
    decode_header,
    digest,
    encode_header,
    encode_line,
    parse,
    parse_further,
    redact_header,
)
from paxtui.engine.seats import ARBITER, SPECTATOR
from tests.engine.counter_game import RULES, Add, Hide, Roll, Say, Show, header, new_game, redact, visible


@functools.cache
def sample() -> bytes:
    """Return a log with each kind of line."""
    written = [encode_header(header())]
    game = GameLog(RULES, header(), sink=written.append)
    game.act("red", Add(3), "2026-01-01T10:00:00Z")
    game.act("blue", Hide(9))
    game.undo("blue")
    game.redo("blue")
    game.queue_dice([6])
    game.act("green", Roll(2))
    game.act("red", Say('grüße, \u2028 "quoted"\nnew line'))
    game.note("red", {"type": "chat", "text": "hello"})
    game.undo("green", to=3)
    game.act("blue", Show())
    return b"".join(written)


def in_lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


def rechained(lines: list[dict]) -> bytes:
    """Encode lines with correct hashes, for damage other than a broken chain."""
    out = [msgspec.json.encode(lines[0])]
    for line in lines[1:]:
        out.append(msgspec.json.encode({**line, "prev": digest(out[-1])}))
    return b"".join(piece + b"\n" for piece in out)


def raw_lines() -> list[dict]:
    return [msgspec.json.decode(piece) for piece in in_lines(sample())]


def test_log_is_read_as_it_was_written():
    parsed = parse(sample())
    assert parsed.header == header()
    assert [line.kind for line in parsed.lines] == ["act", "act", "undo", "redo", "act", "act", "note", "note", "act"]
    assert [line.n for line in parsed.lines] == list(range(2, 11))
    assert (parsed.notice, parsed.sound) == ("", len(sample()))
    assert parsed.tip == digest(in_lines(sample())[-1])
    assert parsed.lines[4].queue == (6,)
    assert parsed.lines[4].dice == 1
    again = encode_header(parsed.header) + b"".join(encode_line(line) for line in parsed.lines)
    assert again == sample()


def test_encoded_line_is_small():
    line = encode_line(Line(n=2, seat="red", action={"type": "add"}, prev="0" * 32))
    assert line == b'{"n":2,"seat":"red","action":{"type":"add"},"prev":"%s"}\n' % (b"0" * 32)


def test_log_cut_at_any_byte_loses_only_its_last_line():
    data = sample()
    ends = [0]
    for piece in in_lines(data):
        ends.append(ends[-1] + len(piece))
    for cut in range(ends[1], len(data) + 1):
        whole = sum(1 for end in ends if 0 < end <= cut)
        parsed = parse(data[:cut])
        assert len(parsed.lines) == whole - 1
        assert parsed.sound == ends[whole]
        torn = cut - ends[whole]
        assert (f"{torn} bytes" in parsed.notice) if torn else (parsed.notice == "")


@pytest.mark.parametrize("cut", range(0, 60, 7))
def test_incomplete_header_is_refused(cut):
    with pytest.raises(BrokenLog) as broken:
        parse(sample()[:cut])
    assert broken.value.line_number == 1


@pytest.mark.parametrize("tail", [b"\0" * 40, b'{"n":1', b"\xff\xfe", b'{"n":11,"seat":"red"\0\0\0'])
def test_garbage_at_the_end_is_dropped_with_a_notice(tail):
    parsed = parse(sample() + tail)
    assert len(parsed.lines) == 9
    assert f"{len(tail)} bytes" in parsed.notice
    assert parsed.sound == len(sample())


@pytest.mark.parametrize("tail", [b"\xff\xfe\n", b"\n", b"{]\n", b"\0\0\n", b"{}\n", b'{"n":11,"se\n'])
def test_last_line_with_its_newline_is_never_dropped(tail):
    with pytest.raises(BrokenLog) as broken:
        parse(sample() + tail)
    assert broken.value.line_number == 11


def test_changed_byte_in_the_last_line_never_drops_it():
    """The last line has no hash of its own contents, so some damage is read as a valid line and the rest is refused."""
    data = sample()
    last = len(data) - len(in_lines(data)[-1])
    refused = 0
    for place in range(last, len(data)):
        for bit in range(8):
            changed = bytearray(data)
            changed[place] ^= 1 << bit
            try:
                parsed = parse(bytes(changed))
            except BrokenLog as broken:
                assert broken.line_number in (10, 11)
                refused += 1
            else:
                assert (len(parsed.lines), parsed.notice) == (9, "")
    assert refused > 8 * (len(data) - last) // 2


@pytest.mark.parametrize("end", [b" ", b"\r", b"\x0b", b"J", b"\x8a", b"}", b"\0"])
def test_changed_newline_at_the_end_is_reported(end):
    with pytest.raises(BrokenLog, match="newline at its end has been changed") as broken:
        parse(sample()[:-1] + end)
    assert broken.value.line_number == 10


def test_complete_last_object_that_does_not_follow_is_refused():
    for tail in (b"{}", b"1", b'{"n":11,"seat":"red","prev":"00"}', b"[" * 100_000):
        with pytest.raises(BrokenLog) as broken:
            parse(sample() + tail)
        assert broken.value.line_number == 11


def test_each_changed_byte_before_the_last_line_is_noticed():
    data = sample()
    last = len(data) - len(in_lines(data)[-1])
    for place in range(last):
        for bit in (0x01, 0x80):
            changed = bytearray(data)
            changed[place] ^= bit
            with pytest.raises(BrokenLog):
                parse(bytes(changed))


@pytest.mark.parametrize("gone", range(1, 9))
def test_missing_or_repeated_line_is_named(gone):
    pieces = in_lines(sample())
    with pytest.raises(BrokenLog) as broken:
        parse(b"".join(pieces[:gone] + pieces[gone + 1 :]))
    assert broken.value.line_number == gone + 1
    assert f"Line {gone + 1} " in str(broken.value)
    with pytest.raises(BrokenLog):
        parse(b"".join([*pieces[: gone + 1], pieces[gone], *pieces[gone + 1 :]]))


def test_unreadable_line_is_refused_with_its_number():
    pieces = in_lines(sample())
    pieces[4] = b"{not json\n"
    with pytest.raises(BrokenLog) as broken:
        parse(b"".join(pieces))
    assert broken.value.line_number == 5


def test_garbage_before_an_incomplete_line_is_refused():
    with pytest.raises(BrokenLog) as broken:
        parse(sample() + b"{]\n" + b'{"n"')
    assert broken.value.line_number == 11


@pytest.mark.parametrize(
    ("line", "change"),
    [
        (2, {"n": 3}),
        (10, {"n": 11}),
        (10, {"kind": "dance"}),
        (10, {"evnts": []}),
        (10, {"queue": [7]}),
        (10, {"dice": -1}),
        (10, {"target": 3}),
        (8, {"why": {"text": "because"}}),
        (4, {"target": 0}),
        (4, {"target": 4}),
        (4, {"target": 9}),
        (10, {"events": [1]}),
        (1, {"colour": "red"}),
        (1, {"format": 0}),
    ],
)
def test_invalid_line_with_a_correct_hash_is_refused(line, change):
    lines = raw_lines()
    lines[line - 1] = {**lines[line - 1], **change}
    with pytest.raises(BrokenLog) as broken:
        parse(rechained(lines))
    assert broken.value.line_number == line


def test_further_lines_of_a_log_are_parsed():
    pieces = in_lines(sample())
    tip = digest(pieces[4].rstrip(b"\n"))
    lines, last = parse_further(b"".join(pieces[5:]), 6, tip)
    assert lines == parse(sample()).lines[4:] and last == parse(sample()).tip
    assert parse_further(b"", 6, tip) == ((), tip)


@pytest.mark.parametrize(
    ("cut", "number", "message"),
    [(lambda pieces: b"".join(pieces)[:-1], 6, "it is incomplete"),
     (lambda pieces: b"".join(pieces[1:]), 6, "."), (lambda pieces: pieces[0] + b"".join(pieces[2:]), 7, ".")],
)  # fmt: skip
def test_lines_that_do_not_follow_are_refused(cut, number, message):
    pieces = in_lines(sample())
    with pytest.raises(BrokenLog, match=message) as broken:
        parse_further(cut(pieces[5:]), 6, digest(pieces[4].rstrip(b"\n")))
    assert broken.value.line_number == number


def test_log_of_a_later_format_is_refused():
    lines = raw_lines()
    for extra in ({}, {"new_field": 1}):
        with pytest.raises(BrokenLog, match="newer program"):
            parse(rechained([{**lines[0], **extra, "format": 2}, *lines[1:]]))


def test_deep_nesting_is_refused():
    with pytest.raises(BrokenLog):
        decode_header(b'{"options":' * 1 + b"[" * 100_000)
    deep = b'{"n":2,"seat":"red","action":' + b"[" * 50_000 + b"]" * 50_000 + b"}\n"
    with pytest.raises(BrokenLog):
        parse(encode_header(header()) + deep + deep)


def check_parse(data: bytes) -> None:
    """Check that `parse` returns a log or raises `BrokenLog`, and that loading the log does the same."""
    try:
        parsed = parse(data)
    except BrokenLog as broken:
        assert broken.line_number >= 1
        assert str(broken.line_number) in str(broken)
        return
    assert isinstance(parsed, Parsed)
    assert parse(data[: parsed.sound]).lines == parsed.lines
    with contextlib.suppress(BrokenLog):
        GameLog(RULES, parsed.header, parsed.lines)


@settings(max_examples=400, deadline=None)
@given(st.binary(max_size=400))
@example(b"\n")
@example(b"{}\n")
@example(b"null\n")
@example(b'"\xed\xa0\x80"\n')
@example(b"1" * 5000 + b"\n")
def test_any_bytes_are_parsed_or_refused(data):
    check_parse(data)
    check_parse(encode_header(header()) + data)
    check_parse(sample() + data + b"\n")


@settings(max_examples=600, deadline=None)
@given(st.data())
def test_any_damage_is_parsed_or_refused(data):
    mutated = bytearray(sample())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(mutated)))
        kind = data.draw(st.sampled_from(["set", "insert", "delete", "cut"]))
        if kind == "set" and place < len(mutated):
            mutated[place] = data.draw(st.integers(0, 255))
        elif kind == "insert":
            mutated[place:place] = data.draw(st.binary(max_size=6))
        elif kind == "delete":
            del mutated[place : place + data.draw(st.integers(1, 40))]
        else:
            del mutated[place:]
    check_parse(bytes(mutated))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_any_value_in_any_field_is_parsed_or_refused(data):
    """The hashes are correct, so the chain does not show the damage."""
    lines = raw_lines()
    number = data.draw(st.integers(0, len(lines) - 1))
    known = Header.__struct_fields__ if number == 0 else Line.__struct_fields__
    field = data.draw(st.sampled_from(known))
    value = data.draw(json_values)
    try:
        lines[number] = {**lines[number], field: value}
        damaged = rechained(lines)
    except (UnicodeEncodeError, OverflowError):
        return
    check_parse(damaged)


def shown(seat):
    return redact(parse(sample()).lines, seat, visible)


def test_arbiter_gets_all_lines():
    assert redact(parse(sample()).lines, ARBITER, visible) == parse(sample()).lines
    assert redact_header(header(), ARBITER) == header()


@pytest.mark.parametrize("seat", ["red", "blue", "green", SPECTATOR])
def test_seats_do_not_see_seed_hashes_and_queue(seat):
    redacted = redact_header(header(commitment="c"), seat)
    assert (redacted.seed, redacted.start, redacted.commitment) == ("", None, "c")
    for line in shown(seat):
        assert (line.prev, line.queue, line.dice) == ("", (), 0)
        assert line.action is None or line.seat == seat or line.kind == "note"
    assert b"a seed" not in msgspec.json.encode([redacted, shown(seat)])


def test_hidden_lines_leave_no_gap():
    assert b"hidden" not in msgspec.json.encode(shown("red"))
    # Blue's hidden number, its undo and its redo leave no gap.
    assert [(line.n, line.kind, line.seat) for line in shown("red")] == [
        (2, "act", "red"),
        (3, "act", "green"),
        (4, "act", "red"),
        (5, "note", "red"),
        (6, "note", "green"),
        (7, "act", "blue"),
    ]
    # The undo request has the seat's own numbers: red does not see line 3 of the log.
    assert shown("red")[4].action == {"type": "undo_request", "to": 2}
    assert [line.n for line in shown("blue")] == list(range(2, 11))
    assert shown("blue")[2].target == 2
    assert shown("blue")[3].target == 3


def test_seat_sees_no_number_of_hidden_lines():
    game = new_game()
    for number in range(5):
        game.act("blue", Hide(number))
    game.undo("blue", to=3)
    assert redact(game.lines, "red", visible) == ()
    game.act("green", Add(1))
    assert [line.n for line in redact(game.lines, "red", visible)] == [2]


def test_undo_of_visible_acts_has_the_seats_numbers():
    game = new_game()
    game.act("blue", Hide(1))
    game.act("blue", Add(1))
    game.act("blue", Hide(2))
    game.act("blue", Add(2))
    game.undo("blue", to=4)
    red = redact(game.lines, "red", visible)
    assert [(line.n, line.kind, line.target) for line in red] == [(2, "act", 0), (3, "act", 0), (4, "undo", 2)]


def test_seat_follows_repeated_undos():
    game = new_game()
    game.act("blue", Add(1))
    game.act("blue", Add(2))
    game.undo("blue")
    game.act("blue", Add(3))
    game.undo("blue", to=4)
    red = redact(game.lines, "red", visible)
    assert [(line.kind, line.target) for line in red] == [("act", 0), ("act", 0), ("undo", 2), ("act", 0), ("undo", 2)]


def test_equal_texts_of_a_log_are_stored_once() -> None:
    """A long game contains the same few hundred texts many thousand times."""
    lines = raw_lines()
    again = {**lines[-1], "n": len(lines) + 1, "action": {"type": "deep", "in": [{"of": ["a word", "a word"]}]}}
    read = parse(rechained([*lines, again, {**again, "n": len(lines) + 2}]))
    game = GameLog(RULES, read.header, read.lines)
    one, other = (line.action["in"][0]["of"] for line in game.lines[-2:])
    assert one == ["a word", "a word"]
    assert len({id(text) for text in (*one, *other)}) == 1
    named = [event["type"] for line in game.lines for event in line.events]
    assert len({id(text) for text in named}) == len(set(named)) < len(named)
