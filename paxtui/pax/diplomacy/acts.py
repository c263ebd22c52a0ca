"""The acts that a settlement is made of (`paxtui.pax.clauses.exchanges`), and who has to agree to them.

Rules: NEG-011, NEG-012, NEG-019, NEG-022, COD-004, MOV-020, STA-034, TRE-002 (R-NEG-03, R-NEG-08, Decision 23)
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from paxtui.pax.board.status import controllers, established, level, seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.kind import powers_of
from paxtui.pax.clauses.kinds import KINDS
from paxtui.pax.clauses.peace import CEDE, PEACE
from paxtui.pax.play import casus_belli
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import Clause
from paxtui.pax.words.spoken import place_name, powers_named

_ORDER = tuple(kind.id for kind in KINDS.values() if kind.act)


def among(clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """The acts among some clauses, in the order in which they are done."""
    found = [c for c in clauses if c.kind in _ORDER]
    return tuple(sorted(found, key=lambda c: _ORDER.index(c.kind)))


def written_out(play: Play, clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """The clauses with `AREA to POWER` as what it is short for: that the holder hands its marker over.

    A holder that shares the Area with a Power of the same or a higher marker there leaves it to that Power.

    Raises: Refusal `which_holder`.
    Rules: NEG-011, WEN-036
    """
    out = []
    for c in clauses:
        if c.kind == CEDE.id:
            held = tuple(p for p in controllers(play.state, c.places[0]) if p != c.to)
            if len(held) != 1:
                where = place_name(play.tables, c.places[0])
                whose = powers_named(play.tables, held) if held else "nobody"
                how = "who hands it over, as in 'france transfers tunis to italy'"
                if any((s.cause, s.area) == (casus_belli.SPOILS, c.places[0]) for s in play.state.casus_belli):
                    how = "which victor leaves it to whom, as in 'italy grants france possession in tunis'"
                refuse("which_holder", ("NEG-011",), f"{where} is held by {whose}: write {how}.")
            own, theirs = (established(play.state, c.places[0], p) for p in (c.to, held[0]))
            if level(own) >= level(theirs):
                c = replace(c, kind="lower", power=held[0], to="", marker="")
            else:
                c = replace(c, kind="transfer", power=held[0])
        out.append(c)
    return tuple(out)


def must_sign(tables: Tables, state: State, clauses: Iterable[Clause]) -> tuple[str, ...]:
    """Powers without whose agreement the acts cannot happen, in the order of the powers table.

    Who gives and who receives, who lowers his own marker or gives up his Casus Belli, who pays; where Control is
    shared anew, all who hold Control in the Area, but nobody who has only Influence there. Minor Powers are named
    too: outside a Congress they agree to nothing, there they agree to everything (MIN-037).

    Rules: NEG-011, NEG-012, NEG-019, NEG-022, COD-004, MOV-020, STA-034 (R-NEG-03, R-NEG-08, R-COD-01, Decision 23)
    """
    named: set[str] = set()
    for c in among(clauses):
        kind = KINDS[c.kind]
        named.update(powers_of(c, kind.sign))
        if kind.act and kind.act.holders and c.places:
            named.update(controllers(state, c.places[0]))
    return tuple(power for power in tables.parties if power in named)


def check_agreed(play: Play, parties: tuple[str, ...], agreed: tuple[Clause, ...]) -> None:
    """Whether all without whose agreement these acts cannot be done are among the parties.

    Raises: Refusal `not_a_party`, `minor`.
    Rules: TRE-002, NEG-019, NEG-022, WEN-046 (Decision 23)
    """
    tables, state = play.tables, play.state
    missing = tuple(p for p in must_sign(tables, state, agreed) if p not in parties)
    if any(c.kind == PEACE.id for c in agreed):  # a Minor Power accepts the peace that its allies accept
        missing = tuple(p for p in missing if p in state.powers or not any(war.side_of(p) for war in state.wars))
    minors = tuple(p for p in missing if not seat_of(tables, state, p))
    if minors:
        refuse(
            "minor",
            ("NEG-019", "MIN-002"),
            f"{powers_named(tables, minors)} would have to agree, and a Minor Power agrees to nothing outside "
            f"a Congress of Europe.",
        )
    if missing:
        refuse(
            "not_a_party",
            ("NEG-019", "TRE-002"),
            f"{powers_named(tables, missing)} would have to agree too: name all who must sign.",
            parties=list(missing),
        )
