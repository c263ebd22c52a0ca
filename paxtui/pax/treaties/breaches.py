"""What a broken Treaty costs: tensions once a Treaty, and a Casus Belli for every other signer, once it is known.

A breach of what is secret is recorded at once and costs nothing until a signer makes it public.

Rules: TRE-007, TRE-012, TRE-016, ETI-027, AUS-005, AUS-006 (R-TRE-02, R-TRE-04)
"""

from __future__ import annotations

from paxtui.pax.history import events as ev
from paxtui.pax.play import casus_belli
from paxtui.pax.play.play import Play
from paxtui.pax.state.treaty import Treaty
from paxtui.pax.treaties.treaty_names import display_name

TENSION = 5
"""Points by which a broken Treaty raises the European Tensions Index (ETI-027)."""
WHOLE = -1
"""Number of the clause that stands for the Treaty as a whole."""
CAUSE = "treaty_broken"


def treaty_of(play: Play, id_: str) -> Treaty | None:
    """The agreement of an id as it stands now."""
    return next((t for t in play.state.treaties if t.id == id_), None)


def known_to_all(treaty: Treaty, clause: int) -> bool:
    """Whether everybody may read a clause; of the Treaty as a whole, whether it is public and its open articles last.

    Rules: TRE-011, TRE-012 (Decision 49)
    """
    if not treaty.public:
        return False
    if clause == WHOLE:
        return not treaty.public_end
    return not treaty.clauses[clause].secret or clause in treaty.shown


def break_clause(play: Play, treaty: Treaty, clause: int, power: str, what: str, rules: tuple[str, ...] = ()) -> None:
    """Record that `power` has broken a clause (WHOLE: the Treaty); where it is public the breach counts at once.

    A clause broken again in the same Game Turn is the same breach.

    Raises: GameOver, where the tensions reach 100.
    Rules: TRE-007, TRE-012, ETI-027
    """
    turn = play.state.turn
    now = treaty_of(play, treaty.id) or treaty
    if any((b.clause, b.power, b.turn) == (clause, power, turn) for b in now.breaches):
        return
    opened = known_to_all(now, clause)
    play.emit(
        ev.TreatyBroken(
            id=treaty.id, clause=clause, power=power, turn=turn, what=what, open=opened, rules=("TRE-007", *rules)
        )
    )
    if opened:
        _wrong(play, treaty.id, power, clause, turn)
        if not any(b.open and (b.power, b.turn) == (power, turn) for b in now.breaches):
            _pay(play, treaty, power)


def open_breaches(play: Play, id_: str) -> None:
    """After a Treaty was made public: breaches of what everybody may read now count.

    Raises: GameOver.
    Rules: TRE-012, ETI-027 (R-TRE-04)
    """
    treaty = treaty_of(play, id_)
    if treaty is None:
        return
    paid = {(b.power, b.turn) for b in treaty.breaches if b.open}
    for breach in treaty.breaches:
        if not breach.open and known_to_all(treaty, breach.clause):
            play.emit(ev.BreachOpened(id=id_, clause=breach.clause, power=breach.power, rules=("TRE-012",)))
            _wrong(play, id_, breach.power, breach.clause, breach.turn)
            if (breach.power, breach.turn) not in paid:
                paid.add((breach.power, breach.turn))
                _pay(play, treaty, breach.power)


def _wrong(play: Play, id_: str, power: str, clause: int, turn: int) -> None:
    """The Casus Belli that the other signers have for a breach that everybody knows of.

    Rules: TRE-007, TRE-016, AUS-006 (R-TRE-02)
    """
    treaty = treaty_of(play, id_)
    for other in _wronged(treaty, (clause, power, turn)) if treaty else ():
        casus_belli.arise(play, other, power, "", CAUSE, ("TRE-007",), treaty=id_)


def _pay(play: Play, treaty: Treaty, power: str) -> None:
    """What a Treaty costs whoever breaks it, once in each Game Turn in which he does.

    Raises: GameOver.
    Rules: ETI-027 (R-TRE-02, Decision 48)
    """
    play.tension(TENSION, f"{display_name(play.tables, treaty)} broken", ("ETI-027",), power)


def _wronged(treaty: Treaty, breach: tuple[int, str, int]) -> tuple[str, ...]:
    """The other signers that a Treaty bound when it was broken, those that have broken with it since among them.

    Rules: TRE-007, TRE-012, TRE-016
    """
    recorded = [(b.clause, b.power, b.turn) for b in treaty.breaches]
    since = recorded[recorded.index(breach) :] if breach in recorded else []
    gone_later = {who for clause, who, _ in since if clause == WHOLE}
    return tuple(p for p in treaty.parties if p != breach[1] and (p not in treaty.left or p in gone_later))
