"""Wars, Congresses and Treaties on the time line: when they began, when and how they ended, who broke them.

Made of the events that a seat has seen and of the Treaties that it knows: a War declared for a hidden Treaty looks like
any other, and a Treaty that the seat does not know is not there.

Rules: WAR-020, TRE-001, TRE-011, CON-001
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.state.congress import Congress
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import ENDED, TREATY, Treaty
from paxtui.pax.state.war import GREAT, OTTOMAN, REBELLION, War
from paxtui.pax.statistics.course import Span
from paxtui.pax.words.spoken import all_of, power_name

TITLES = {REBELLION: "Chinese Rebellion", OTTOMAN: "Ottoman War", GREAT: "The Great War"}
"""What kinds of War are called where they are not called by their Powers."""

ENDS = {
    "peace": "peace", "no_units": "no units left", "occupied": "occupied", "stalemate": "stalemate",
    "announced": "announced", "rebels_won": "the rebels won", "rebels_beaten": "the rebels lost",
    "island": "announced", "ottomans_won": "the Empire won", "ottomans_beaten": "the Empire lost",
    "cut_off": "announced",
}  # fmt: skip
"""How a War ended, in a word or two."""


def spans(tables: Tables, now: State, by_turn: Mapping[int, Sequence[ev.Event]]) -> tuple[Span, ...]:
    """Everything that lasted, in the order in which it began.

    Args: the tables; the position as the seat may know it; what it has seen happen, by Game Turn.
    """
    found = [*_wars(tables, now, by_turn), *_congresses(tables, now, by_turn), *_treaties(tables, now, by_turn)]
    return tuple(sorted(found, key=lambda span: span.began))


def _wars(tables: Tables, now: State, by_turn: Mapping[int, Iterable[ev.Event]]) -> Iterable[Span]:
    """Wars by their ids; one that has merged into another has ended in it."""
    wars: dict[str, Span] = {}

    def seen(war: War, turn: int) -> None:
        began = wars[war.id].began if war.id in wars else turn
        known = _with_all(wars[war.id].sides, war.alliances) if war.id in wars else war.alliances
        wars[war.id] = Span("war", war.id, war_title(tables, war.kind, known), known, began)

    def over(id_: str, turn: int, how: str) -> None:
        if id_ in wars and not wars[id_].ended:
            wars[id_] = replace(wars[id_], ended=turn, how=how)

    for turn, events in by_turn.items():
        tests: dict[str, str] = {}
        for event in events:
            match event:
                case ev.WarDeclared(war=war) | ev.WarArose(war=war):
                    seen(war, turn)
                case ev.WarsMerged(war=war, gone=gone) | ev.GreatWarBegan(war=war, gone=gone):
                    seen(war, turn)
                    for id_ in gone:
                        over(id_, turn, "merged")
                case ev.WarDecided(war=id_, test=test):
                    tests[id_] = ENDS.get(test, test.replace("_", " "))
                case ev.WarOver(war=id_):
                    over(id_, turn, tests.get(id_, ""))
    for war in now.wars:
        seen(war, now.turn)
    return wars.values()


def _with_all(sides: tuple[tuple[str, ...], ...], now: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """The sides with whoever has come, and with whoever has left."""
    width = max(len(sides), len(now))
    pairs = ((*sides[n : n + 1], *now[n : n + 1]) for n in range(width))
    return tuple(tuple(dict.fromkeys(power for side in pair for power in side)) for pair in pairs)


def war_title(tables: Tables, kind: str, sides: Sequence[Sequence[str]]) -> str:
    """What a War is called: by its kind, or by the first Power of each side."""
    if kind in TITLES:
        return TITLES[kind]
    return " – ".join(power_name(tables, side[0]) for side in sides if side)


def _congresses(tables: Tables, now: State, by_turn: Mapping[int, Iterable[ev.Event]]) -> Iterable[Span]:
    for turn, events in by_turn.items():
        last: Congress | None = None
        for event in events:
            if isinstance(event, ev.CongressChanged):
                last = event.congress
        if last is not None:
            title = f"Congress in {power_name(tables, last.site)}"
            done = [proposal.name for proposal in last.proposals if proposal.signed]
            over = turn < now.turn or now.congress is None or now.result is not None
            how = (all_of(done) or "no Treaty") if over else ""
            yield Span("congress", f"congress-{turn}", title, (tuple(h.power for h in last.holders),), turn, turn, how)


def _treaties(tables: Tables, now: State, by_turn: Mapping[int, Iterable[ev.Event]]) -> Iterable[Span]:
    """Treaties that have been in force, as far as they are known."""
    ended: dict[str, int] = {}
    for turn, events in by_turn.items():
        for event in events:
            if isinstance(event, ev.TreatyEnded):
                ended.setdefault(event.id, turn)
    for treaty in now.treaties:
        if treaty.form == TREATY and treaty.since:
            end = ended.get(treaty.id, now.turn) if treaty.stage == ENDED else 0
            yield Span(
                "treaty",
                treaty.id,
                treaty.name or treaty.id,
                (treaty.parties,),
                treaty.since,
                end,
                treaty.reason if end else "",
                _broken(treaty),
                not treaty.public,
            )


def _broken(treaty: Treaty) -> tuple[tuple[int, str], ...]:
    """When it was broken, and by whom, each once a turn."""
    return tuple(dict.fromkeys((breach.turn, breach.power) for breach in treaty.breaches))
