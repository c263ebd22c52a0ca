"""What no agreement may say, article by article, and when an article is done.

Rules: TRE-004, TRE-005, TRE-006, TRE-010, AUS-002, AUS-010, AUS-011, COD-013, CON-040, MIN-036, NEG-012, NEG-006,
SET-030, STA-036
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from paxtui.pax.board.status import seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.play.play import refuse
from paxtui.pax.state.model import State
from paxtui.pax.state.phases import PHASES
from paxtui.pax.state.pieces import CONTROL
from paxtui.pax.state.treaty import CONGRESS, Clause
from paxtui.pax.words.clause_kinds import ACTS, MOST_CLAUSES, at_once
from paxtui.pax.words.spoken import power_name


def affected(clause: Clause) -> tuple[str, ...]:
    """Powers that a clause binds or gives to by name; () where it binds all parties alike and names nobody."""
    named = [clause.power, clause.to] if clause.kind != "vote" else [clause.power]
    if clause.kind in ("codominion", "grant"):
        named.extend(clause.against)
    return tuple(dict.fromkeys(p for p in named if p))


def immediate(clause: Clause) -> bool:
    """Whether a clause is done the moment the agreement is signed by all."""
    return at_once(clause.kind, clause.turn, clause.every_turn, clause.upon)


def check(tables: Tables, state: State, parties: tuple[str, ...], clauses: tuple[Clause, ...], form: str) -> None:
    """Whether the rules of the game allow an agreement of these parties to say this.

    What only the position of the moment forbids is found when it is to be done (`paxtui.pax.diplomacy.settlement`).

    Raises: Refusal with TRE-006, or the rule that a clause contravenes.
    Rules: TRE-006, TRE-002, TRE-010, AUS-002, AUS-010, AUS-011, COD-001, COD-013, CON-040, MIN-036, NEG-006, NEG-012,
    SET-030, STA-036
    """
    if len(clauses) > MOST_CLAUSES:
        refuse("too_many", (), f"An agreement has {MOST_CLAUSES} clauses at most.")
    for number, clause in enumerate(clauses, 1):
        _Check(tables, state, parties, clause, form, number).run()


class _Check:
    """One clause against the rules."""

    def __init__(
        self, tables: Tables, state: State, parties: tuple[str, ...], clause: Clause, form: str, number: int
    ) -> None:
        self.tables = tables
        self.state = state
        self.parties = parties
        self.clause = clause
        self.form = form
        self.number = number

    def no(self, code: str, rules: tuple[str, ...], message: str) -> NoReturn:
        """Refuse the clause."""
        refuse(code, rules, f"Article {self.number}: {message}", article=self.number)

    def name(self, power: str) -> str:
        """The Power's name."""
        return power_name(self.tables, power)

    def run(self) -> None:
        """All that may be wrong with it."""
        self.dates()
        if self.form != CONGRESS:
            self.bound()
        special = _SPECIAL.get(self.clause.kind)
        if special is not None:
            special(self)

    def dates(self) -> None:
        """Nothing is promised for the past.

        Rules: TRE-006
        """
        c, now = self.clause, self.state.turn
        gone = 0 < c.turn < now or 0 < c.until < now
        if c.kind == "build" and c.turn == now:
            gone = PHASES.index(self.state.phase) > PHASES.index("movement")
        if gone:
            self.no("past", ("TRE-006",), "its time is over already; name a later Game Turn.")
        if c.turn and c.until and c.until < c.turn:
            self.no("past", ("TRE-006",), "it ends before it begins.")

    def bound(self) -> None:
        """Whoever owes or receives something signs; an Alliance is not aimed at one who signs it.

        Rules: TRE-002, TRE-010
        """
        c = self.clause
        must = [c.power, *(c.against if c.kind in ("codominion", "grant") else ())]
        if c.kind in ACTS and c.kind != "waive":
            must.append(c.to)
        for power in must:
            if power and power not in self.parties:
                self.no(
                    "not_a_party",
                    ("TRE-002", "TRE-006"),
                    f"{self.name(power)} is no party to it, and nobody can be bound who does not sign.",
                )
        if c.kind in ("defensive", "offensive", "shared_cause"):
            inside = [p for p in c.against if p in self.parties]
            if inside:
                self.no(
                    "against_a_party",
                    ("TRE-010", "TRE-006"),
                    f"{self.name(inside[0])} is to sign it, so it cannot be aimed at {self.name(inside[0])}.",
                )

    def offensive(self) -> None:
        """Austria-Hungary makes no offensive Alliance. Rules: AUS-002."""
        for power in self.parties:
            if self.tables.powers[power].seat:
                self.no(
                    "defensive_only",
                    ("AUS-002", "TRE-006"),
                    f"{self.name(power)} makes defensive Alliances only; leave it out, or make this one defensive.",
                )

    def yourself(self) -> None:
        """Nobody gives himself anything. Rules: TRE-006."""
        if self.clause.power == self.clause.to:
            self.no("yourself", ("TRE-006",), f"{self.name(self.clause.to)} would give it to itself.")

    def pay(self) -> None:
        """Who has money to give, and who may take it. Rules: SET-030, AUS-010, AUS-011, MOV-020."""
        c, powers = self.clause, self.tables.powers
        self.yourself()
        for power in (c.power, c.to):
            if power not in self.state.powers:
                self.no("no_treasury", ("SET-030", "TRE-006"), f"{self.name(power)} is a Minor Power without Treasury.")
        if powers[c.power].seat:
            self.no("gives_nobody", ("AUS-011", "TRE-006"), f"{self.name(c.power)} gives money to nobody.")
        if powers[c.to].seat not in ("", c.power):
            giver = self.name(powers[c.to].seat)
            self.no("one_giver", ("AUS-010", "TRE-006"), f"{self.name(c.to)} takes money from {giver} only.")

    def transfer(self) -> None:
        """States and Dominions stay with their Power. Rules: STA-036."""
        self.yourself()
        marker = self.clause.marker
        if marker and self.tables.markers[marker].only_for:
            self.no("crown", ("STA-036", "TRE-006"), "States and Dominions belong to their one Power.")

    def shared(self) -> None:
        """Only Control is shared, and no State or Dominion. Rules: COD-001, COD-013, NEG-006, NEG-012."""
        c = self.clause
        if c.kind == "grant":
            self.yourself()
        elif len(c.against) < 2:
            self.no("alone", ("COD-001", "TRE-006"), "a Codominion needs two Powers or more.")
        if not c.marker:
            return
        if self.tables.markers[c.marker].only_for:
            self.no("crown", ("COD-013", "TRE-006"), "States and Dominions are never shared.")
        if c.marker not in CONTROL:
            self.no(
                "not_beside",
                ("TRE-006", "NEG-012", "NEG-006"),
                f"no {self.tables.markers[c.marker].name} can be granted where another Power has Control: "
                f"what is shared is Control, a Protectorate or a Possession.",
            )

    def lower(self) -> None:
        """States and Dominions are not what a marker is lowered to. Rules: NEG-003."""
        marker = self.clause.marker
        if marker and self.tables.markers[marker].only_for:
            self.no("not_lower", ("NEG-003", "TRE-006"), "no marker is lowered to a State or Dominion.")

    def vote(self) -> None:
        """Minor Powers and Austria-Hungary have no vote. Rules: MIN-036, CON-040."""
        power = self.clause.power
        if power not in self.state.players:
            rule = "CON-040" if seat_of(self.tables, self.state, power) else "MIN-036"
            self.no("no_vote", (rule, "TRE-006"), f"{self.name(power)} has no vote in a Congress.")


_SPECIAL: dict[str, Callable[[_Check], None]] = {
    "offensive": _Check.offensive,
    "pay": _Check.pay,
    "transfer": _Check.transfer,
    "grant": _Check.shared,
    "codominion": _Check.shared,
    "lower": _Check.lower,
    "vote": _Check.vote,
    "passage": _Check.yourself,
    "coaling": _Check.yourself,
}
