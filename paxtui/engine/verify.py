"""Decide a logged game again under the current rules and report differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, NamedTuple

import msgspec

from paxtui.engine.dice import Dice
from paxtui.engine.fair_dice import is_dice_note, raw_note, read_note, revealed_seed
from paxtui.engine.game import Decision, Game, S
from paxtui.engine.log import UNDO_REQUEST, BrokenLog, Header, Line
from paxtui.engine.log_replayer import LogReplayer, undo_request
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.engine.undo import decide_redo, decide_undo
from paxtui.engine.upcast import Raw

ACTS = frozenset({"event", "dice", "refused", "failed", "no_seed"})
"""Kinds of differences in acts; changed rules can cause them."""

_encode = msgspec.json.Encoder().encode


class Difference(msgspec.Struct, frozen=True):
    """The first difference in one line.

    Attributes:
        line: its line number, 1 for the header.
        what: for an act ``event``, ``dice``, ``refused``, ``failed`` (the rules raised an error), ``no_seed`` (it
            rolled dice and the seed is unknown) or ``fair`` (against the fair dice protocol); otherwise ``header``,
            ``start``, ``seat``, ``undo``, ``redo``, ``note``, ``time``, or ``end``.
        message: description, without the line number.
        index: index of the different event, -1 if there is none.
        recorded: the value in the log (an event in its current form), None if the log has no more events.
        decided: the value under the current rules.
    """

    line: int
    what: str
    message: str
    index: int = -1
    recorded: Any = None
    decided: Any = None

    @property
    def in_act(self) -> bool:
        """Whether only an act would be decided differently."""
        return self.what in ACTS


def verify(
    rules: Game[S],
    header: Header,
    lines: Iterable[Line],
    *,
    seed: str = "",
    events: Callable[[int], tuple[Any, ...]] | None = None,
) -> list[Difference]:
    """Check every line of a log: the start, and each act, undo, redo and note from its recorded position.

    A difference does not affect later lines: each line is checked from the recorded position. Times are not checked;
    the kernel has no clock.

    Args:
        seed: the seed, if the header does not hold it.
        events: returns the decoded events of a line, if already available.

    Returns:
        At most one difference per line, in order; empty if nothing differs.

    Raises:
        BrokenLog: the log itself is damaged.
    """
    replayer: LogReplayer[S] = LogReplayer(rules, header)
    lines = tuple(lines)
    seed = header.seed or seed or revealed_seed(header, lines)
    found = [_check_header(header) or _check_start(replayer)]
    for line in lines:
        state = None
        known = events(line.n) if events is not None else None
        if line.kind == "act":
            again = _decide_again(replayer, line, seed)
            different = again if isinstance(again, Difference) else _check_act(replayer.rules, line, again, known)
            state = again.decided.state if isinstance(again, _Redecided) and different is None else None
            found.append(different)
        elif line.kind == "note":
            found.append(_check_note(replayer, line))
        else:
            found.append(_check_undo_target(replayer, line))
        replayer.follow(line, state, known)
    return [difference for difference in found if difference is not None]


def _check_header(header: Header) -> Difference | None:
    if header.dice == "fair" and (header.seed or not header.commitment):
        wrong = "holds the seed" if header.seed else "holds no commitment"
        return Difference(1, "fair", f"it says that the dice are fair, and {wrong}")
    return None


def _check_start(replayer: LogReplayer[Any]) -> Difference | None:
    """Check that the start position is the one that the current rules compute from the header.

    That of a branch is a position of another log, which is not here.
    """
    rules = replayer.rules
    if replayer.header.parent is not None:
        return None
    try:
        begun = rules.begin(replayer.header)
    except (Refusal, ValueError) as error:
        return Difference(1, "header", f"no game has this header: {error}")
    if begun == replayer.state:
        return None
    was, now = _plain(rules.encode_state(replayer.state)), _plain(rules.encode_state(begun))
    where = ", ".join(sorted(name for name in {**was, **now} if was.get(name) != now.get(name))) or "its form"
    return Difference(1, "start", f"the game does not begin at the start of its options: {where} differ")


class _Redecided(NamedTuple, Generic[S]):
    """An act decided again: the decoded action and its result."""

    action: Any
    decided: Decision[S]


def _decide_again(replayer: LogReplayer[S], line: Line, seed: str) -> _Redecided[S] | Difference:
    """Decide an act again under the current rules, with its recorded dice."""
    rules = replayer.rules
    if line.seat not in replayer.header.seats and line.seat != ARBITER:
        return Difference(line.n, "seat", f"there is no seat {line.seat!r} in this game")
    fair, key = replayer.fair, ""
    if fair.fair and line.queue:
        return Difference(line.n, "fair", "its dice were set by hand, and fair dice cannot be set by hand")
    try:
        key = fair.key(seed)
    except Refusal as refusal:
        if line.dice and refusal.code == "no_seed":
            message = "its dice cannot be rolled again: the seed of this game is not known"
            return Difference(line.n, "no_seed", message)
        if line.dice:
            return Difference(line.n, "fair", f"it rolled dice that were not ready, without {_missing(fair.lacking)}")
    if fair.stage == "told":
        return Difference(line.n, "fair", "the seed was published before it, so its dice were known")
    dice = Dice(key, replayer.dice_used, line.queue)
    first = dice.index
    try:
        action = rules.decode_action(line.action)
        decided = rules.decide(replayer.state, line.seat, action, dice)
    except Refusal as refusal:
        return Difference(line.n, "refused", f"today this would be refused: {refusal}", decided=refusal.code)
    except Exception as error:  # an old action can raise anything; check the other lines too
        return Difference(line.n, "failed", f"today's rules cannot decide this: {_describe_error(error)}")
    used = (dice.index - first, dice.queue_taken)
    if used != (line.dice, line.queue):
        message = f"it took {line.dice + len(line.queue)} numbers, and would take {used[0] + len(used[1])} today"
        return Difference(line.n, "dice", message)
    return _Redecided(action, decided)


def _check_act(rules: Game[S], line: Line, again: _Redecided[S], known: Sequence[Any] | None) -> Difference | None:
    action, decided = again
    # Usually all bytes are equal; then no event needs comparing.
    if _encode(decided.events) != _encode(line.events):
        different = _different_event(rules, line, decided.events, known)
        if different is not None:
            return different
    if _encode(action) != _encode(line.action):
        strange = next(_unknown_keys(line.action, action), "")
        if strange:
            return Difference(line.n, "event", f"its action has {strange}, which no action of this kind has")
    return None


def _different_event(
    rules: Game[Any], line: Line, decided: Sequence[Any], known: Sequence[Any] | None
) -> Difference | None:
    """Return the first event of an act that differs; a changed encoding alone is no difference.

    Args:
        decided: its events under the current rules.
        known: its recorded events, if already decoded.
    """
    for index in range(max(len(line.events), len(decided))):
        was = now = None
        raw = line.events[index] if index < len(line.events) else None
        today = decided[index] if index < len(decided) else None
        if _encode(raw) == _encode(today):
            continue
        if raw is not None:
            try:
                event = known[index] if known is not None else rules.decode_event(raw)
            except Exception as error:
                return Difference(line.n, "event", f"event {index + 1} cannot be read: {_describe_error(error)}", index)
            was = rules.encode_event(event)
            strange = next(_unknown_keys(raw, event), "") if raw.get("v", 1) == was.get("v", 1) else ""
            if strange:
                message = f"event {index + 1} has {strange}, which no event of this kind has"
                return Difference(line.n, "event", message, index, _plain(was))
        if today is not None:
            now = rules.encode_event(today)
        if was != now and (was := _plain(was)) != (now := _plain(now)):
            return Difference(line.n, "event", f"event {index + 1} {_describe_difference(was, now)}", index, was, now)
    return None


def _describe_difference(was: Raw | None, now: Raw | None) -> str:
    """Describe how a recorded and a current event differ, to follow the event's number."""
    if was is None or now is None:
        where = "today only" if was is None else "the log only"
        return f"is in {where}: {_kind(now or was or {})}"
    if was.get("type") != now.get("type"):
        return f"is {_kind(was)} in the log, and would be {_kind(now)} today"
    parts = []
    for name in sorted({**was, **now}):
        here, there = _quote_value(was.get(name)), _quote_value(now.get(name))
        if was.get(name) != now.get(name):
            verb = "are" if isinstance(was.get(name), list) else "is"
            difference = f"its {_name(name)} {verb} {here}, and would be {there} today"
            parts.append(difference if here and there else _name(name))
    return f"{_kind(was)} differs: {'; '.join(parts[:3])}"


def _unknown_keys(raw: Any, value: Any) -> Iterator[str]:
    """Describe the keys of a raw object that are missing in its decoded struct."""
    if isinstance(value, msgspec.Struct) and isinstance(raw, dict):
        config = value.__struct_config__
        known = {"v", config.tag_field}.union(value.__struct_encode_fields__)
        yield from (f"a key '{name[:40]}'" for name in raw if name not in known)
        for field, name in zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True):
            if name in raw:
                yield from _unknown_keys(raw[name], getattr(value, field))
    elif isinstance(value, list | tuple) and isinstance(raw, list | tuple):
        for one, other in zip(raw, value, strict=False):
            yield from _unknown_keys(one, other)
    elif isinstance(value, dict) and isinstance(raw, dict):
        for name in raw:
            yield from _unknown_keys(raw[name], value.get(name))


def _check_undo_target(replayer: LogReplayer[Any], line: Line) -> Difference | None:
    refused = ""
    if line.action is not None or line.events or line.dice or line.queue:
        return Difference(line.n, line.kind, f"it holds more than the line of a {line.kind} does")
    if line.kind == "redo":
        try:
            path = decide_redo(replayer, line.seat)
        except Refusal as refusal:
            refused = str(refusal)
        else:
            if (path.base, path.kept) == (line.target, line.kept):
                return None
        return Difference(line.n, "redo", refused or "this seat would bring back something else")
    force = line.seat == ARBITER
    # The log usually names the requested line; otherwise it is one of the earlier lines.
    ways = [(to, True) for to in (line.target, None, *range(line.n - 1, 0, -1))]
    for to, answers in (*ways[:2], (None, False), *ways[2:]):
        try:
            decision = decide_undo(replayer, line.seat, to, force, answers=answers)
        except Refusal as refusal:
            refused = refused or str(refusal)
            continue
        if decision.missing or decision.request:
            refused = refused or f"others had not agreed to it: {', '.join(decision.missing) or 'the seat itself'}"
        elif (decision.target, decision.kept) == (line.target, line.kept):
            return None
    return Difference(line.n, "undo", refused or "this seat would take back something else")


def _check_note(replayer: LogReplayer[Any], line: Line) -> Difference | None:
    if line.events or line.dice or line.queue:
        return Difference(line.n, "note", "it holds more than the line of a note does")
    content = line.action
    try:
        if isinstance(content, dict) and content.get("type") == UNDO_REQUEST:
            to = content.get("to")
            if not isinstance(to, int) or not 1 <= to < line.n:
                return Difference(line.n, "note", "it asks for an undo to a line that does not exist")
            if not _can_request(replayer, line, to):
                return Difference(line.n, "note", "it asks for an undo to a line that is hidden from its seat")
            decision = decide_undo(replayer, line.seat, to, force=line.seat == ARBITER)
            today: Any = undo_request(decision.request) if decision.request else None
        elif is_dice_note(content):
            note = read_note(content)
            is_over = replayer.rules.is_over(replayer.state)
            replayer.fair.check(line.seat, note, is_over, replayer.passed, replayer.has_started)
            today = raw_note(note)
        else:
            today = replayer.rules.note(replayer.state, line, replayer.timeline.lines)
    except Refusal as refusal:
        return Difference(line.n, "note", f"today this would be refused: {refusal}", decided=refusal.code)
    except Exception as error:  # an invalid note can raise anything in the decoders
        return Difference(line.n, "note", f"it cannot be read: {_describe_error(error)}")
    if _plain(today) != _plain(content):
        return Difference(line.n, "note", "today it would have another content", -1, content, today)
    return None


def _can_request(replayer: LogReplayer[Any], asks: Line, to: int) -> bool:
    """Whether the seat that requests an undo can mean line `to`.

    It can if it sees that line, or if all lines up to the next one it sees are hidden. A hidden line counts with the
    line before it, because a seat identifies a position by the acts it sees. The choice between visible lines is free.
    """

    def hidden(n: int) -> bool:
        alone = replayer.timeline.between(n)
        return bool(alone) and asks.seat not in alone

    return asks.seat == ARBITER or not hidden(to) or to + 1 == asks.n or not hidden(to + 1)


def _plain(raw: Any) -> Any:
    """`raw` after encoding and decoding as JSON, so that a tuple equals a list."""
    return msgspec.json.decode(_encode(raw))


def _missing(lacking: Sequence[str]) -> str:
    return f"the words of {', '.join(lacking)}" if lacking else "the word that no more words are taken"


def _name(text: str) -> str:
    return text.replace("_", " ")


def _kind(raw: Raw) -> str:
    return f"'{_name(str(raw.get('type', 'nothing')))[:40]}'"


def _quote_value(value: Any) -> str:
    """Format a short value for a sentence; omit a long one."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(v, str | int) for v in value):
        value = ", ".join(map(str, value)) or "nothing"
    text = str(value) if isinstance(value, str | int | float) else ""
    return _name(text) if len(text) <= 60 else ""


def _describe_error(error: Exception) -> str:
    is_explained = isinstance(error, ValueError | BrokenLog) and str(error)
    return str(error)[:200] if is_explained else f"a mistake of the program ({type(error).__name__})"
