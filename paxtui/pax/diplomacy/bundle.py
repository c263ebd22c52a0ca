"""The acts of one settlement as they are done, one after the other, on a position that may be thrown away.

Rules: NEG-003 to NEG-024, COD-001 to COD-004, COD-012, COD-013, CRI-006, CON-016 to CON-020, ETI-013, ETI-029 to
ETI-032, OTT-002 (R-NEG-01 to R-NEG-08, R-COD-01, R-COD-04, Decision 23)
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import at, established, influence_holders, interest_holders, level, seat_of
from paxtui.pax.clauses import upon
from paxtui.pax.clauses.kind import Kind, Settling
from paxtui.pax.clauses.kinds import KINDS
from paxtui.pax.clauses.peace import PEACE
from paxtui.pax.combat import ottoman_expansion
from paxtui.pax.diplomacy import acts, bills, disputes, gifts, giving_way, peace, sharing, transfers
from paxtui.pax.diplomacy.bills import Bill
from paxtui.pax.expansion.placement import check_words
from paxtui.pax.history import events as ev
from paxtui.pax.play import casus_belli
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.causes import Waiver
from paxtui.pax.state.pieces import CONTROL, EXPANSION, FULL, INFLUENCE, INTEREST, LEVEL, PROTECTORATE
from paxtui.pax.state.treaty import Clause
from paxtui.pax.words.spoken import phase_name, place_name, power_name, powers_named


class Bundle(Settling):
    """The acts of one settlement as they are done, on a position that is thrown away when one is refused."""

    def __init__(
        self, play: Play, clauses: Iterable[Clause], rules: tuple[str, ...], congress: bool, parties: tuple[str, ...]
    ) -> None:
        self.play = play
        self.acts = acts.among(clauses)
        self.rules = rules
        self.congress = congress
        self.peace = any(clause.kind == PEACE.id for clause in self.acts)
        self.parties = parties or acts.must_sign(play.tables, play.state, self.acts)
        self.disputed = {cause.area for cause in play.state.casus_belli}
        self.touched: dict[str, None] = {}
        self.waived: list[tuple[str, Waiver]] = []
        self.lowered: list[tuple[str, str]] = []
        self.received: list[tuple[str, str]] = []
        self.joined: list[tuple[str, str]] = []
        self.shared: set[str] = set()
        self.bills: list[Bill] = []

    def why(self, *rules: str) -> tuple[str, ...]:
        """Rules of an event: its own before those of the agreement, each once."""
        return tuple(dict.fromkeys((*rules, *self.rules)))

    def do(self) -> None:
        """All acts, the money, and what follows from the new markers."""
        for clause in self.acts:
            self.may(clause)
        for kind, clauses in groupby(self.acts, key=lambda clause: clause.kind):
            self.do_all(KINDS[kind], list(clauses))
        self.check_lowered()
        bills.settle(self.play, self.bills)
        self.consequences()

    def do_all(self, kind: Kind, clauses: list[Clause]) -> None:
        """All acts of a kind, one after the other; of a patient kind each as soon as it can be done.

        Raises: Refusal of the first that cannot.
        Rules: NEG-011, NEG-016, CON-017 (R-NEG-02, R-NEG-04, R-NEG-05)
        """
        act = kind.act
        assert act is not None
        left = list(clauses)
        while left:
            refused: Refusal | None = None
            for clause in left:
                try:
                    act.do(self, clause)
                except Refusal as refusal:
                    refused = refused or refusal
                    if not act.patient:
                        raise
                else:
                    left.remove(clause)
                    break
            else:
                assert refused is not None
                raise refused

    # --- may it be ----------------------------------------------------------------------------------------------

    def may(self, c: Clause) -> None:
        """Whether an act may be done in this Phase, and its words are those of the game.

        Raises: Refusal `wrong_phase`, `minor`, `unknown_area`, `unknown_marker`, `unknown_power`.
        Rules: SEQ-001, COD-002, STA-031, MOV-020, NEG-019 (R-COD-02, Decision 23)
        """
        tables, state = self.play.tables, self.play.state
        for area in c.places[:1]:
            check_words(self.play, area, c.marker)
        kind = KINDS[c.kind]
        assert kind.act is not None
        if not c.places and "places" in kind.needs:
            refuse("unknown_area", (), f"It must be said in which Area to {c.kind}.")
        any_phase = self.congress or self.peace or upon.waits_for_war(c)
        if not any_phase and state.phase not in kind.phases:
            wanted = " or ".join(phase_name(p) for p in kind.phases)
            refuse(
                "wrong_phase",
                ("SEQ-001", kind.act.rule),
                f"What is agreed ({c.kind}) can be done in the {wanted} Phase or by a Congress of Europe; "
                f"this is the {phase_name(state.phase)} Phase.",
                phase=state.phase,
                allowed=list(kind.phases),
            )
        minors = tuple(p for p in acts.must_sign(tables, state, (c,)) if p not in state.powers)
        if minors and not self.congress and not self.peace and kind.act.minor:
            refuse(
                "minor",
                (kind.act.minor,),
                f"{powers_named(tables, minors)} would have to agree, and a Minor Power agrees to nothing outside "
                f"a Congress of Europe.",
            )

    def check_lowered(self) -> None:
        """Whether the markers that were lowered may stay where they are once everything is done.

        Raises: Refusal `not_beside`.
        Rules: NEG-006, NEG-008, NEG-009, STA-010, STA-011
        """
        for area, power in self.lowered:
            own = established(self.play.state, area, power)
            best = disputes.best_beside(self.play.state, area, power)
            if own and own.marker not in CONTROL and level(own) > LEVEL[best]:
                stays = f"an {best.title()} at most" if best else "nothing"
                refuse(
                    "not_beside",
                    ("NEG-006", "NEG-008" if best else "NEG-009"),
                    f"Beside the Control markers that stay in {place_name(self.play.tables, area)}, "
                    f"{power_name(self.play.tables, power)} can keep {stays}.",
                    best=best,
                )

    # --- the acts -----------------------------------------------------------------------------------------------

    def waive(self, power: str, area: str, against: str) -> None:
        """Give up a Casus Belli over an Area, or against a Power.

        Raises: Refusal `no_casus_belli`, `defence`.
        Rules: NEG-003, NEG-007
        """
        found = [
            cause
            for cause in self.play.state.casus_belli
            if cause.holder == power and area in ("", cause.area) and against in ("", cause.against)
        ]
        if not found:
            where = f" over {place_name(self.play.tables, area)}" if area else ""
            whom = f" against {power_name(self.play.tables, against)}" if against else ""
            refuse(
                "no_casus_belli",
                ("NEG-003",),
                f"{power_name(self.play.tables, power)} has no Casus Belli{where}{whom} to give up.",
            )
        self.waived.append((area, Waiver(power, against)))
        for cause in found:
            giving_way.give_up(self.play, cause, self.why("NEG-003", "NEG-007"))

    def lower(self, power: str, area: str, to: str) -> None:
        """Lower a marker, step by step on the tension ledger, without refund.

        Raises: Refusal `no_marker`, `no_dispute`.
        Rules: NEG-003, NEG-004, NEG-005, NEG-007 to NEG-010, CON-016, ETI-013, ETI-029, ETI-031, ETI-032 (R-NEG-01)
        """
        tables, state = self.play.tables, self.play.state
        own = established(state, area, power)
        kind = tables.markers.get(to)
        if own is None or LEVEL[to] >= level(own) or (kind is not None and bool(kind.only_for)):
            refuse(
                "no_marker",
                ("NEG-003",),
                f"{power_name(tables, power)} has no established marker in {place_name(tables, area)} that could "
                f"go down to {kind.name if kind else 'nothing'}.",
            )
        seats = {seat_of(tables, state, p) for p in self.parties}
        if not self.congress and len(seats) < 2 and disputes.dispute(state, area) is None:
            refuse(
                "no_dispute",
                ("NEG-003", "STA-031"),
                f"There is no dispute over {place_name(tables, area)}: without one a marker is given up only by an "
                f"agreement with another player.",
            )
        forced = own.marker == INFLUENCE and power in disputes.overruled(state, area)
        blame: str | None = disputes.placer(state, area, power) if forced else power
        reason = "given up by the Congress" if self.congress else "given up in negotiation"
        way = ("CON-016", "ETI-032") if self.congress else ("NEG-003", "NEG-007")
        if power == EXPANSION:
            blame = ""
        if self.peace:
            blame = None  # what a War brings about raises no tensions
        self.play.lower(
            area, power, own.marker, to, reason, self.why(*way, "ETI-031" if forced else "ETI-029"), blame
        )
        self.yielded(power, area)
        self.touched[area] = None
        self.lowered.append((area, power))

    def hand_over(self, power: str, to: str, area: str, marker: str) -> None:
        """A marker changes hands.

        Raises: Refusal `changed`, or as for a transfer.
        Rules: NEG-011, NEG-016, CON-017 (R-NEG-02, R-NEG-04, R-NEG-05)
        """
        given = transfers.check_transfer(self.play, power, to, area, self.congress or self.peace)
        if marker and given.marker != marker:
            refuse(
                "changed",
                ("STA-035", "NEG-011"),
                f"In {place_name(self.play.tables, area)} it is a {given.marker.title()}, "
                f"not the {marker.title()} that was agreed.",
            )
        why = self.why("CON-017") if self.congress else self.rules
        transfers.hand_marker(self.play, power, to, area, given, why)
        self.yielded(power, area)
        self.touched[area] = None
        self.received.append((area, to))

    def share(self, area: str, members: tuple[str, ...], marker: str, payer: str) -> None:
        """All who hold Control share the Area, with those who join them.

        Raises: Refusal `no_control`, `crown`, `left_out`, `sharers`, `shared_already`, or as for new Control.
        Rules: COD-001, COD-003, COD-004, COD-012, COD-013, NEG-018, NEG-019, NEG-021, NEG-022, NEG-024, CON-020
        """
        held = sharing.sharable(self.play, area)
        sharers = tuple(dict.fromkeys((*(p for p in held if p in members), *members)))
        out = tuple(p for p in held if p not in sharers)
        if out:
            refuse(
                "left_out",
                ("NEG-019", "COD-001"),
                f"{powers_named(self.play.tables, out)} has Control in {place_name(self.play.tables, area)} too: "
                f"all who have Control share it, or nobody.",
            )
        if len(sharers) < 2:
            refuse("sharers", ("COD-001",), "A Codominion needs two Powers or more.")
        new = [p for p in sharers if p not in held]
        if not new and set(sharers) == set(at(self.play.state, area).codominion):
            refuse("shared_already", ("COD-001",), "It is a Codominion of these Powers already.")
        for power in new:
            self.join(area, power, marker or PROTECTORATE, payer or power)
        self.shared_by(area, sharers)

    def grant(self, power: str, to: str, marker: str, area: str, payer: str) -> None:
        """A Power with Control lets another have Control beside it; all who have Control there share it from now on.
        In a Congress over the spoils of a War one victor leaves an Area to another.

        Raises: Refusal `no_control`, `receiver_has`, `crown`, or as for new Control.
        Rules: NEG-012, NEG-015, NEG-017, NEG-019, COD-001, COD-013, CON-020, WEN-042 (R-NEG-03, R-COD-04, R-WEN-08)
        """
        tables = self.play.tables
        held = sharing.sharable(self.play, area)
        victors = sharing.quarrelling(self.play.state, area) if self.congress else ()
        won = power not in held and {power, to} <= set(victors)
        if won and to in held:
            return  # another victor agrees to what one has granted
        if power not in held and not won:
            refuse(
                "no_control",
                ("NEG-012",),
                f"{power_name(tables, power)} has no Control of {place_name(tables, area)}, "
                f"so it cannot let anybody share it.",
            )
        if to in held:
            refuse("receiver_has", ("SET-082",), f"{power_name(tables, to)} has Control there already.")
        self.join(area, to, marker or PROTECTORATE, payer or to)
        self.touched[area] = None
        if held:
            self.shared_by(area, (*held, to))

    def pay(self, power: str, to: str, pounds: int) -> None:
        """Money changes hands; it may pay for the markers of the same settlement.

        Raises: Refusal as for a gift.
        Rules: NEG-014, MOV-020, CON-018
        """
        gifts.check_gift(self.play, power, to, pounds)
        moving = self.play.state.phase == "movement"
        rule = "CON-018" if self.congress else "MOV-020" if moving else "NEG-014"
        self.bills.append(Bill(power, to, pounds, "", self.why(rule)))

    def make_peace(self) -> None:
        """The parties end the War between them.

        Raises: Refusal `no_war_to_end`, `peace_in_part`, `choose_first`.
        Rules: WEN-027, WEN-028, WEN-036, WEN-037
        """
        peace.make(self.play, self.parties, self.why("WEN-036"))

    def yielded(self, power: str, area: str) -> None:
        """The Ottoman Empire's Army leaves the map with what it gives up.

        Rules: EVT-034, EVT-035
        """
        if power == EXPANSION:
            ottoman_expansion.dissolve(self.play, area, "EVT-035")

    # --- steps of the acts --------------------------------------------------------------------------------------

    def join(self, area: str, power: str, kind: str, payer: str) -> None:
        """A Power gets Control in an Area that others Control, or that it has won, and its price goes on the bill.

        Rules: NEG-012, NEG-015, NEG-017, NEG-021, COD-004, WEN-041, WEN-042
        """
        if self.congress and power in sharing.quarrelling(self.play.state, area):
            sharing.won(self.play, area, power, kind, self.why("WEN-042"))
            self.joined.append((area, power))
            return
        had = sharing.place(self.play, area, power, kind, self.rules, self.congress)
        if not self.free(area):
            bill = sharing.bill(self.play, area, power, kind, had, payer, self.rules)
            self.bills.extend([bill] if bill else [])
        self.joined.append((area, power))

    def free(self, area: str) -> bool:
        """Whether a Congress gives Control in the Area for nothing: anywhere, or by the option only in a dispute.

        Rules: CON-020, CON-021, COD-004 (R-CON-09)
        """
        anywhere = self.play.state.options.congress_free_codominion == "anywhere"
        return self.congress and (anywhere or area in self.disputed)

    def shared_by(self, area: str, members: tuple[str, ...]) -> None:
        """From now on the Area is a Codominion of `members`."""
        self.play.emit(
            ev.CodominionSet(area=area, powers=members, rules=self.why("COD-001", "NEG-018", "NEG-024"))
        )
        self.touched[area] = None
        self.shared.add(area)

    # --- what follows -------------------------------------------------------------------------------------------

    def consequences(self) -> None:
        """Interests go from beside new Possessions, disputes end or arise by the new markers.

        What is granted gives no cause of the Casus Belli Summary's own, such as the Monroe Doctrine (R-WAR-28).

        Rules: STA-053, ETI-030, NEG-003, NEG-018, NEG-023, WAR-067, WAR-068
        """
        play = self.play
        for area, power in self.joined:
            own = established(play.state, area, power)
            if own is None or own.marker not in FULL:
                continue
            for holder in interest_holders(play.state, area):
                why = self.why("STA-053", "ETI-030")
                play.lower(area, holder, INTEREST, "", "a Possession was placed", why, power)
        for area in self.touched:
            if area in self.shared:
                self.consent(area)
            casus_belli.settle(play, area, self.why("NEG-003", "NEG-007", "NEG-018"))
            if area in self.shared:
                given_up = (w for where, w in self.waived if where == area)
                consented = (Waiver(power) for power in self.consenting(area))
                casus_belli.of_codominion(play, area, (*given_up, *consented))
            received = tuple(p for a, p in self.received if a == area)
            if received:
                casus_belli.of_markers(play, area, received, disputes.waivers(play.state, area))

    def consenting(self, area: str) -> tuple[str, ...]:
        """Who has signed that others share the Area where he keeps an Influence: he consents, unless he has said by
        himself which Casus Belli he gives up.

        Rules: NEG-023, CON-023 (Decision 41)
        """
        spoke = {waiver.holder for where, waiver in self.waived if where in ("", area)}
        return tuple(p for p in influence_holders(self.play.state, area) if p in self.parties and p not in spoke)

    def consent(self, area: str) -> None:
        """What becomes of Casus Belli over an Area that is shared now: none is left between its members, nor to those
        who have consented. By a Congress their Influence gives way at once.

        Rules: NEG-008, NEG-009, NEG-018, NEG-023, CON-023, CON-028, ETI-031 (Decision 41)
        """
        play, shared, consenting = self.play, at(self.play.state, area).codominion, self.consenting(area)
        for cause in play.state.casus_belli:
            if cause.area == area and cause.against in shared and cause.holder in (*shared, *consenting):
                play.emit(ev.CasusBelliEnded(id=cause.id, reason="settled", rules=self.why("NEG-018", "NEG-023")))
        for power in consenting if self.congress else ():
            best = disputes.best_beside(play.state, area, power)
            why = self.why("CON-028", "NEG-008" if best else "NEG-009", "ETI-031")
            blame = disputes.placer(play.state, area, power)
            play.lower(area, power, INFLUENCE, best, "consents to the Codominion", why, blame)
