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
    """A log with every kind of line."""
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
    """Lines as bytes with the right hashes, to break something else than the chain."""
    out = [msgspec.json.encode(lines[0])]
    for line in lines[1:]:
        out.append(msgspec.json.encode({**line, "prev": digest(out[-1])}))
    return b"".join(piece + b"\n" for piece in out)


def raw_lines() -> list[dict]:
    return [msgspec.json.decode(piece) for piece in in_lines(sample())]


def test_a_log_is_read_as_it_was_written():
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


def test_a_line_is_small():
    line = encode_line(Line(n=2, seat="red", action={"type": "add"}, prev="0" * 32))
    assert line == b'{"n":2,"seat":"red","action":{"type":"add"},"prev":"%s"}\n' % (b"0" * 32)


def test_a_log_cut_at_any_byte_loses_only_the_line_that_was_being_written():
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
def test_a_torn_header_is_no_game(cut):
    with pytest.raises(BrokenLog) as broken:
        parse(sample()[:cut])
    assert broken.value.line_number == 1


@pytest.mark.parametrize("tail", [b"\0" * 40, b'{"n":1', b"\xff\xfe", b'{"n":11,"seat":"red"\0\0\0'])
def test_rubbish_at_the_very_end_is_dropped_with_its_size(tail):
    parsed = parse(sample() + tail)
    assert len(parsed.lines) == 9
    assert f"{len(tail)} bytes" in parsed.notice
    assert parsed.sound == len(sample())


@pytest.mark.parametrize("tail", [b"\xff\xfe\n", b"\n", b"{]\n", b"\0\0\n", b"{}\n", b'{"n":11,"se\n'])
def test_a_last_line_that_has_its_newline_is_never_dropped(tail):
    with pytest.raises(BrokenLog) as broken:
        parse(sample() + tail)
    assert broken.value.line_number == 11


def test_a_changed_byte_in_the_last_line_never_drops_it():
    """Of its own contents the last line has no hash: what is read as a line stays one, and the rest is refused."""
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
def test_a_changed_newline_at_the_very_end_is_reported_as_such(end):
    with pytest.raises(BrokenLog, match="newline at its end has been changed") as broken:
        parse(sample()[:-1] + end)
    assert broken.value.line_number == 10


def test_a_whole_object_without_newline_that_does_not_follow_is_refused():
    for tail in (b"{}", b"1", b'{"n":11,"seat":"red","prev":"00"}', b"[" * 100_000):
        with pytest.raises(BrokenLog) as broken:
            parse(sample() + tail)
        assert broken.value.line_number == 11


def test_every_changed_byte_before_the_last_line_is_noticed():
    data = sample()
    last = len(data) - len(in_lines(data)[-1])
    for place in range(last):
        for bit in (0x01, 0x80):
            changed = bytearray(data)
            changed[place] ^= bit
            with pytest.raises(BrokenLog):
                parse(bytes(changed))


@pytest.mark.parametrize("gone", range(1, 9))
def test_a_missing_or_doubled_line_is_named(gone):
    pieces = in_lines(sample())
    with pytest.raises(BrokenLog) as broken:
        parse(b"".join(pieces[:gone] + pieces[gone + 1 :]))
    assert broken.value.line_number == gone + 1
    assert f"Line {gone + 1} " in str(broken.value)
    with pytest.raises(BrokenLog):
        parse(b"".join([*pieces[: gone + 1], pieces[gone], *pieces[gone + 1 :]]))


def test_an_unreadable_line_in_the_middle_is_refused_with_its_number():
    pieces = in_lines(sample())
    pieces[4] = b"{not json\n"
    with pytest.raises(BrokenLog) as broken:
        parse(b"".join(pieces))
    assert broken.value.line_number == 5


def test_rubbish_before_a_torn_line_is_refused():
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
def test_a_line_that_makes_no_sense_is_refused_though_its_hash_is_right(line, change):
    lines = raw_lines()
    lines[line - 1] = {**lines[line - 1], **change}
    with pytest.raises(BrokenLog) as broken:
        parse(rechained(lines))
    assert broken.value.line_number == line


def test_lines_that_go_on_with_a_log_are_read_by_themselves():
    pieces = in_lines(sample())
    tip = digest(pieces[4].rstrip(b"\n"))
    lines, last = parse_further(b"".join(pieces[5:]), 6, tip)
    assert lines == parse(sample()).lines[4:] and last == parse(sample()).tip
    assert parse_further(b"", 6, tip) == ((), tip)


@pytest.mark.parametrize(
    ("cut", "number", "says"),
    [(lambda pieces: b"".join(pieces)[:-1], 6, "it is incomplete"),
     (lambda pieces: b"".join(pieces[1:]), 6, "."), (lambda pieces: pieces[0] + b"".join(pieces[2:]), 7, ".")],
)  # fmt: skip
def test_what_does_not_go_on_with_a_log_is_refused(cut, number, says):
    pieces = in_lines(sample())
    with pytest.raises(BrokenLog, match=says) as broken:
        parse_further(cut(pieces[5:]), 6, digest(pieces[4].rstrip(b"\n")))
    assert broken.value.line_number == number


def test_a_log_of_a_later_format_says_so():
    lines = raw_lines()
    for extra in ({}, {"new_field": 1}):
        with pytest.raises(BrokenLog, match="newer program"):
            parse(rechained([{**lines[0], **extra, "format": 2}, *lines[1:]]))


def test_deep_nesting_is_refused_and_no_crash():
    with pytest.raises(BrokenLog):
        decode_header(b'{"options":' * 1 + b"[" * 100_000)
    deep = b'{"n":2,"seat":"red","action":' + b"[" * 50_000 + b"]" * 50_000 + b"}\n"
    with pytest.raises(BrokenLog):
        parse(encode_header(header()) + deep + deep)


def survives(data: bytes) -> None:
    """`parse` gives a log or `BrokenLog`, and what it gives is a game that loads or a `BrokenLog`."""
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
def test_any_bytes_are_survived(data):
    survives(data)
    survives(encode_header(header()) + data)
    survives(sample() + data + b"\n")


@settings(max_examples=600, deadline=None)
@given(st.data())
def test_any_damage_is_survived(data):
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
    survives(bytes(mutated))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_any_value_in_any_field_is_survived(data):
    """Here the hashes are right, so that the damage gets past the chain."""
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
    survives(damaged)


def shown(seat):
    return redact(parse(sample()).lines, seat, visible)


def test_the_arbiter_gets_every_line():
    assert redact(parse(sample()).lines, ARBITER, visible) == parse(sample()).lines
    assert redact_header(header(), ARBITER) == header()


@pytest.mark.parametrize("seat", ["red", "blue", "green", SPECTATOR])
def test_seed_hashes_and_queue_stay_behind(seat):
    redacted = redact_header(header(commitment="c"), seat)
    assert (redacted.seed, redacted.start, redacted.commitment) == ("", None, "c")
    for line in shown(seat):
        assert (line.prev, line.queue, line.dice) == ("", (), 0)
        assert line.action is None or line.seat == seat or line.kind == "note"
    assert b"a seed" not in msgspec.json.encode([redacted, shown(seat)])


def test_what_is_hidden_cannot_be_counted():
    assert b"hidden" not in msgspec.json.encode(shown("red"))
    # Blue's hiding, its undo and its redo leave no gap; and the chat is not for a toy's `visible`.
    assert [(line.n, line.kind, line.seat) for line in shown("red")] == [
        (2, "act", "red"),
        (3, "act", "green"),
        (4, "act", "red"),
        (5, "note", "red"),
        (6, "note", "green"),
        (7, "act", "blue"),
    ]
    # The request for an undo is in the seat's own numbers: line 3 of the log is nothing to red.
    assert shown("red")[4].action == {"type": "undo_request", "to": 2}
    assert [line.n for line in shown("blue")] == list(range(2, 11))
    assert shown("blue")[2].target == 2
    assert shown("blue")[3].target == 3


def test_a_seat_without_a_line_for_it_sees_no_number_at_all():
    game = new_game()
    for number in range(5):
        game.act("blue", Hide(number))
    game.undo("blue", to=3)
    assert redact(game.lines, "red", visible) == ()
    game.act("green", Add(1))
    assert [line.n for line in redact(game.lines, "red", visible)] == [2]


def test_an_undo_that_takes_back_something_seen_is_shown_in_the_seats_numbers():
    game = new_game()
    game.act("blue", Hide(1))
    game.act("blue", Add(1))
    game.act("blue", Hide(2))
    game.act("blue", Add(2))
    game.undo("blue", to=4)
    red = redact(game.lines, "red", visible)
    assert [(line.n, line.kind, line.target) for line in red] == [(2, "act", 0), (3, "act", 0), (4, "undo", 2)]


def test_a_seat_can_follow_one_undo_after_another():
    game = new_game()
    game.act("blue", Add(1))
    game.act("blue", Add(2))
    game.undo("blue")
    game.act("blue", Add(3))
    game.undo("blue", to=4)
    red = redact(game.lines, "red", visible)
    assert [(line.kind, line.target) for line in red] == [("act", 0), ("act", 0), ("undo", 2), ("act", 0), ("undo", 2)]


def test_equal_texts_of_a_log_are_kept_once() -> None:
    """A long game says the same few hundred words many thousand times."""
    lines = raw_lines()
    again = {**lines[-1], "n": len(lines) + 1, "action": {"type": "deep", "in": [{"of": ["a word", "a word"]}]}}
    read = parse(rechained([*lines, again, {**again, "n": len(lines) + 2}]))
    game = GameLog(RULES, read.header, read.lines)
    one, other = (line.action["in"][0]["of"] for line in game.lines[-2:])
    assert one == ["a word", "a word"]
    assert len({id(text) for text in (*one, *other)}) == 1
    named = [event["type"] for line in game.lines for event in line.events]
    assert len({id(text) for text in named}) == len(set(named)) < len(named)
