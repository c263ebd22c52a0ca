"""Settlements: several acts agreed together, done all at once or not at all.

Treaties use settlements for the immediate or dated acts of their clauses, a Congress of Europe for the Treaty it
adopts, and the offer of a Codominion for its single act. The acts are those of `paxtui.games.pax.clauses.exchanges`;
they run on a position that is discarded after a refusal. Peace by agreement is here, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import groupby
from typing import NoReturn

from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.pax import casus_belli, transaction, visibility
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import (
    area_state,
    controllers,
    controls,
    established,
    influence_holders,
    interest_holders,
    is_abandoned,
    level,
    seat_of,
)
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses import registry
from paxtui.games.pax.clauses.exchanges import CEDE, CODOMINION, GRANT, LOWER, PAY, PEACE, TRANSFER, WAIVE
from paxtui.games.pax.clauses.kind import ClauseKind, clause_powers
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS
from paxtui.games.pax.combat import ottoman_expansion, results
from paxtui.games.pax.diplomacy import disputes, transfers
from paxtui.games.pax.diplomacy.transfers import Bill
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion.placement import best_compatible_marker, check_names
from paxtui.games.pax.state.diplomacy import CONGRESS, DRAFT, SETTLEMENT, Clause, Treaty, Waiver
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import (
    CONTROL,
    FULL_CONTROL,
    INFLUENCE,
    INTEREST,
    LEVEL,
    OTTOMAN_EMPIRE,
    PROTECTORATE,
)
from paxtui.games.pax.state.questions import EndWaiver, Pending, ShareOffer
from paxtui.games.pax.state.war import ALLIANCES, OTTOMAN, REBELLION, RESOLUTION, War
from paxtui.games.pax.text.display import marker_with_article, phase_name, place_name, power_name, powers_text
from paxtui.games.pax.transaction import ActTable, GameOver, Transaction, refuse

_ORDER = tuple(kind.id for kind in CLAUSE_KINDS.values() if kind.act)
SEPARATE_PEACE_TENSION = 5
"""Points by which the tensions rise for each player who makes peace while an ally fights on (WEN-038)."""


def immediate_acts(clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """Return the acts among some clauses, in the order in which they are done."""
    found = [c for c in clauses if c.kind in _ORDER]
    return tuple(sorted(found, key=lambda c: _ORDER.index(c.kind)))


def expand_short_forms(play: Transaction, clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Replace the short form `AREA to POWER` in clauses: its holder hands the marker over.

    A holder that shares the Area with a Power of the same or a higher marker there leaves the Area to that Power.

    Raises: Refusal `which_holder`.
    Rules: NEG-011, WEN-036
    """
    out = []
    for c in clauses:
        if c.kind == CEDE.id:
            holders = tuple(p for p in controllers(play.state, c.places[0]) if p != c.to)
            if len(holders) != 1:
                where = place_name(play.tables, c.places[0])
                text = f"Control of {where}: {powers_text(play.tables, holders) if holders else 'none'}. Write "
                if any((s.cause, s.area) == (casus_belli.SPOILS, c.places[0]) for s in play.state.casus_belli):
                    text += "which victor leaves it to which Power, as in 'italy grants france possession in tunis'."
                elif holders:
                    text += "which Power hands it over, as in 'france transfers tunis to italy'."
                else:
                    text = f"No other Power has Control of {where}. Write who hands over a lower marker, as in "
                    text += "'france transfers tunis to italy'."
                refuse("which_holder", ("NEG-011",), text)
            own, other = (established(play.state, c.places[0], p) for p in (c.to, holders[0]))
            if level(own) >= level(other):
                c = replace(c, kind=LOWER.id, power=holders[0], to="", marker="")
            else:
                c = replace(c, kind=TRANSFER.id, power=holders[0])
        out.append(c)
    return tuple(out)


def required_signers(tables: Tables, state: State, clauses: Iterable[Clause]) -> tuple[str, ...]:
    """Return the Powers whose agreement the acts need, in the order of the powers table.

    These are givers and receivers, Powers that lower their own marker or waive their Casus Belli, and payers. If
    Control is newly shared, they are all holders of Control in the Area, but not holders of only an Influence. Minor
    Powers are included: they agree to nothing outside a Congress, and to everything in one (MIN-037).

    Rules: NEG-011, NEG-012, NEG-019, NEG-022, COD-004, MOV-020, STA-034 (R-NEG-03, R-NEG-08, R-COD-01, Decision 23)
    """
    named: set[str] = set()
    for c in immediate_acts(clauses):
        kind = CLAUSE_KINDS[c.kind]
        named.update(clause_powers(c, kind.signers))
        if kind.act and kind.act.holders and c.places:
            named.update(controllers(state, c.places[0]))
    return tuple(power for power in tables.parties if power in named)


def missing_signers(tables: Tables, state: State, treaty: Treaty) -> tuple[str, ...]:
    """Return the Powers with a player whose signatures the acts of a draft need, but who are not its parties."""
    needed = () if treaty.form == CONGRESS else required_signers(tables, state, treaty.clauses)
    return tuple(power for power in needed if power in state.powers and power not in treaty.parties)


def check_signers(play: Transaction, parties: tuple[str, ...], agreed: tuple[Clause, ...]) -> None:
    """Check that all Powers whose agreement the acts need are parties.

    Raises: Refusal `not_a_party`, `minor`.
    Rules: TRE-002, NEG-019, NEG-022, WEN-046 (Decision 23)
    """
    tables, state = play.tables, play.state
    missing = tuple(p for p in required_signers(tables, state, agreed) if p not in parties)
    if any(c.kind == PEACE.id for c in agreed):  # a Minor Power accepts the peace that its allies accept
        missing = tuple(p for p in missing if p in state.powers or not any(war.side_of(p) for war in state.wars))
    minors = tuple(p for p in missing if not seat_of(tables, state, p))
    if minors:
        _refuse_minors(tables, minors, ("NEG-019", "MIN-002"))
    if missing:
        refuse(
            "not_a_party",
            ("NEG-019", "TRE-002"),
            f"{powers_text(tables, missing)} must agree too. Name all Powers that must sign.",
            parties=list(missing),
        )


def _refuse_minors(tables: Tables, minors: tuple[str, ...], rules: tuple[str, ...]) -> NoReturn:
    names = powers_text(tables, minors)
    refuse("minor", rules, f"{names} would have to agree, but a Minor Power agrees only in a Congress of Europe.")


def make_peace(play: Transaction, parties: tuple[str, ...], rules: tuple[str, ...]) -> None:
    """Make peace between the signers in each War in which they are enemies: it ends, or they leave it.

    Raises: Refusal `no_war_to_end`, `peace_in_part`, `choose_first`; GameOver.
    Rules: WEN-027, WEN-028, WEN-036, WEN-037, REB-058
    """
    ended = False
    for war in play.state.wars:
        opposed = {war.side_of(p) for p in parties} - {0}
        if war.kind != REBELLION and war.stage != RESOLUTION and len(opposed) > 1:
            _make_peace_in(play, war, parties, rules)
            ended = True
    if not ended and any(war.opposes(p, q) for war in play.state.wars for p in parties for q in parties):
        _refuse_part_of_peace(play, parties, *(war for war in play.state.wars if any(map(war.side_of, parties))))
    if not ended:
        refuse("no_war_to_end", ("WEN-036", "REB-058"), "No two signers are at War with each other.")


def _make_peace_in(play: Transaction, war: War, parties: tuple[str, ...], rules: tuple[str, ...]) -> None:
    """Make peace in one War. Rules: WEN-036, WEN-037, WEN-038, WEN-045, WEN-046 (R-WEN-09)."""
    for choice in play.state.choices:
        if getattr(choice.about, "war", "") == war.id:
            if not isinstance(choice.about, EndWaiver):
                refuse(
                    "choose_first",
                    ("SEQ-010",),
                    "A question of this War is still open. Answer it before you make peace.",
                )
            play.emit(events.ChoiceMade(id=choice.id, void=True, rules=("WEN-036",)))
    leaving = leaving_powers(play, war, parties)
    if not leaving:
        _refuse_part_of_peace(play, parties, war)
    if all(p in leaving for p in played_belligerents(play.tables, play.state, war)):
        over = (*rules, "WEN-027", "WEN-036")
        play.emit(events.WarDecided(war=war.id, test="peace", rules=tuple(dict.fromkeys(over))))
        if war.stage == ALLIANCES:
            end_war_ties(play, war, war.powers, ("WEN-036", "WAR-064"))
            play.emit(events.WarOver(war=war.id, rules=("WEN-035",)))
            disputes.settle_unfought_war(play, war)
        return
    for power in leaving:
        play.emit(events.PowerLeftWar(war=war.id, power=power, reason="separate_peace", rules=(*rules, "WEN-037")))
    end_war_ties(play, war, leaving, ("WEN-037", "STR-016", "WAR-064"))
    _return_areas(play, war, leaving)
    _send_former_enemies_home(play, war, leaving)
    deserted = [p for p in leaving if any(a not in leaving for a in war.alliance(war.side_of(p)))]
    for seat in dict.fromkeys(seat_of(play.tables, play.state, p) for p in deserted if p in play.state.powers):
        play.tension(SEPARATE_PEACE_TENSION, "a separate peace", ("WEN-038", "ETI-021"), seat)


def _refuse_part_of_peace(play: Transaction, parties: tuple[str, ...], *wars: War) -> NoReturn:
    tables, state = play.tables, play.state
    fighting = {p for war in wars for p in played_belligerents(tables, state, war)}
    needed = fighting.union(*(linked_enemies(tables, state, p) for p in fighting))
    missing = tuple(p for p in tables.powers if p in needed and p not in parties)
    who = f" {powers_text(tables, missing)} must sign too." if missing else ""
    refuse(
        "peace_in_part",
        ("WEN-036", "WEN-037", "WEN-045"),
        f"Peace must include all enemies of the signers, and a Minor Power alone cannot make it.{who}",
    )


def linked_enemies(tables: Tables, state: State, power: str) -> set[str]:
    """Return the enemies of a Power, with a player, in Wars that will merge with its own. Rules: WAR-064."""
    found = {p for war in state.wars for pair in war.links if power in pair for p in pair if p != power}
    return {p for war in state.wars for p in played_belligerents(tables, state, war) if p in found}


def end_war_ties(play: Transaction, war: War, powers: tuple[str, ...], rules: tuple[str, ...]) -> None:
    """End the denials in a War and the links with other Wars of Powers that leave it.

    Rules: STR-002, STR-016, WAR-064
    """
    pairs = [pair for each in play.state.wars for pair in (*each.links, *each.helps)]
    pairs += [(denial.by, denial.to) for denial in war.denied]
    if any(set(pair).intersection(powers) for pair in pairs):
        play.emit(events.WarTiesEnded(war=war.id, powers=powers, rules=rules))


def leaving_powers(play: Transaction, war: War, parties: tuple[str, ...]) -> tuple[str, ...]:
    """Return the Powers that leave the War if these sign: signers whose enemies with a player all sign too.

    Enemies in Wars that will merge with this one count. If all sign, the War is over, also for Minor Powers. There is
    no peace with a side without any Great Power. An abandoned Power counts as a Minor Power.

    Rules: WEN-036, WEN-037, WEN-045, WEN-046, WAR-064, ORD-036 (R-ORD-25)
    """
    players = played_belligerents(play.tables, play.state, war)
    great = {n: tuple(p for p in side if p in players) for n, side in enumerate(war.alliances, start=1) if side}
    leaving: list[str] = []
    for number, own in great.items():
        foes = [side for n, side in great.items() if n != number]
        if all(side and set(side) <= set(parties) for side in foes):
            leaving += [p for p in own if p in parties and linked_enemies(play.tables, play.state, p) <= set(parties)]
    return tuple(p for p in war.powers if p in leaving)


def played_belligerents(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """Return the Powers of a War with a player; others accept the peace of their allies.

    Rules: WEN-046, ORD-036 (R-ORD-25)
    """
    return tuple(p for p in war.powers if p in state.powers and not is_abandoned(tables, state, p))


def _return_areas(play: Transaction, war: War, leaving: tuple[str, ...]) -> None:
    """Return conquered Areas to the Powers that left the War, unless an article has given them away.

    Areas without Control belong to the Ottoman Empire, which signs no peace, and stay conquered.

    Rules: WEN-037, OTT-013 (R-WEN-04, R-OTT-15)
    """
    for taken in war.conquered:
        holders = controllers(play.state, taken.area)
        if not holders and war.kind == OTTOMAN:
            continue
        enemies = [p for p in holders if war.side_of(p) not in (0, taken.alliance)]
        if all(p in leaving for p in enemies):
            play.emit(events.AreaConquered(war=war.id, area=taken.area, alliance=0, rules=("WEN-037",)))


def _send_former_enemies_home(play: Transaction, war: War, leaving: tuple[str, ...]) -> None:
    """Send the Units of the other side home from Areas of the leaving Powers in which no belligerent has Control.

    Rules: WEN-034, WEN-037
    """
    own = {war.side_of(power) for power in leaving}
    for area, power in results.units_without_control(play.state):
        holders = controllers(play.state, area)
        is_theirs = any(p in leaving for p in holders) and all(p in leaving or not war.side_of(p) for p in holders)
        if is_theirs and war.side_of(power) not in (0, *own) and power in play.tables.homes:
            results.send_home(play, power, area, ("WEN-034", "WEN-037"))


class SettlementRun:
    """The execution of the acts of one settlement, on a position that is discarded after a refusal."""

    def __init__(
        self,
        play: Transaction,
        clauses: Iterable[Clause],
        rules: tuple[str, ...],
        congress: bool,
        parties: tuple[str, ...],
    ) -> None:
        self.play = play
        self.acts = immediate_acts(clauses)
        self.rules = rules
        self.congress = congress
        self.peace = any(clause.kind == PEACE.id for clause in self.acts)
        self.parties = parties or required_signers(play.tables, play.state, self.acts)
        self.disputed = {cause.area for cause in play.state.casus_belli}
        self.touched: dict[str, None] = {}
        self.waived: list[tuple[str, Waiver]] = []
        self.lowered: list[tuple[str, str]] = []
        self.received: list[tuple[str, str]] = []
        self.joined: list[tuple[str, str]] = []
        self.shared: set[str] = set()
        self.bills: list[Bill] = []

    def why(self, *rules: str) -> tuple[str, ...]:
        """Return the rules of an event: its own before those of the agreement, each once."""
        return tuple(dict.fromkeys((*rules, *self.rules)))

    def do(self) -> None:
        """Carry out all acts, pay the bills, and apply the consequences of the new markers."""
        for clause in self.acts:
            self.may(clause)
        for kind, clauses in groupby(self.acts, key=lambda clause: clause.kind):
            self.do_all(CLAUSE_KINDS[kind], list(clauses))
        self.check_lowered()
        transfers.pay_bills(self.play, self.bills)
        self.apply_consequences()

    def do_all(self, kind: ClauseKind, clauses: list[Clause]) -> None:
        """Carry out all acts of a kind in order; acts of a patient kind wait until they are possible.

        Raises: Refusal of the first act that is impossible.
        Rules: NEG-011, NEG-016, CON-017 (R-NEG-02, R-NEG-04, R-NEG-05)
        """
        act = kind.act
        assert act is not None
        left = list(clauses)
        while left:
            refused: Refusal | None = None
            for clause in left:
                try:
                    _ACTS[kind.id](self, clause)
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

    def may(self, c: Clause) -> None:
        """Check that an act is allowed in this Phase, and that its names exist in the game.

        Raises: Refusal `wrong_phase`, `minor`, `unknown_area`, `unknown_marker`, `unknown_power`.
        Rules: SEQ-001, COD-002, STA-031, MOV-020, NEG-019 (R-COD-02, Decision 23)
        """
        tables, state = self.play.tables, self.play.state
        for area in c.places[:1]:
            check_names(self.play, area, c.marker)
        kind = CLAUSE_KINDS[c.kind]
        assert kind.act is not None
        if not c.places and "places" in kind.required:
            refuse("unknown_area", (), f"Name the Area in which to {c.kind}.")
        any_phase = self.congress or self.peace or registry.waits_for_war(c)
        if not any_phase and state.phase not in kind.phases:
            wanted = " or ".join(phase_name(p) for p in kind.phases)
            refuse(
                "wrong_phase",
                ("SEQ-001", kind.act.rule),
                f"This article ({c.kind}) takes effect in the {wanted} Phase or by a Congress of Europe; "
                f"this is the {phase_name(state.phase)} Phase.",
                phase=state.phase,
                allowed=list(kind.phases),
            )
        minors = tuple(p for p in required_signers(tables, state, (c,)) if p not in state.powers)
        if minors and not self.congress and not self.peace and kind.act.minor:
            _refuse_minors(tables, minors, (kind.act.minor,))

    def check_lowered(self) -> None:
        """Check that the lowered markers can stay after all acts.

        Raises: Refusal `not_beside`.

        Rules: NEG-006, NEG-008, NEG-009, STA-010, STA-011, CON-014
        """
        for area, power in self.lowered:
            own = established(self.play.state, area, power)
            best = best_compatible_marker(self.play.state, area, power)
            if own and own.marker not in CONTROL and level(own) > LEVEL[best]:
                stays = f"at most an {best.title()}" if best else "nothing"
                refuse(
                    "not_beside",
                    ("NEG-006", "NEG-008" if best else "NEG-009", *(("CON-014",) if self.congress else ())),
                    f"{power_name(self.play.tables, power)} can keep {stays} in "
                    f"{place_name(self.play.tables, area)}, because Control markers of other Powers stay "
                    "there.",
                    best=best,
                )

    def waive(self, c: Clause) -> None:
        """Give up a Casus Belli over an Area, or against a Power.

        Raises: Refusal `no_casus_belli`, `defence`.
        Rules: NEG-003, NEG-007
        """
        power, area, against = c.power, c.places[0] if c.places else "", c.to
        found = [
            cause
            for cause in self.play.state.casus_belli
            if cause.holder == power and area in ("", cause.area) and against in ("", cause.against)
        ]
        if not found:
            where = f" over {place_name(self.play.tables, area)}" if area else ""
            target_text = f" against {power_name(self.play.tables, against)}" if against else ""
            refuse(
                "no_casus_belli",
                ("NEG-003",),
                f"{power_name(self.play.tables, power)} has no Casus Belli{where}{target_text} to give up.",
            )
        self.waived.append((area, Waiver(power, against)))
        for cause in found:
            disputes.end_cause(self.play, cause, self.why("NEG-003", "NEG-007"))

    def lower(self, c: Clause) -> None:
        """Lower a marker, each step on the tension ledger, without refund.

        Raises: Refusal `no_marker`, `no_dispute`.
        Rules: NEG-003, NEG-004, NEG-005, NEG-007 to NEG-010, CON-016, ETI-013, ETI-029, ETI-031, ETI-032 (R-NEG-01)
        """
        tables, state, power, area, to = self.play.tables, self.play.state, c.power, c.places[0], c.marker
        own = established(state, area, power)
        kind = tables.markers.get(to)
        if own is None or LEVEL[to] >= level(own) or (kind is not None and bool(kind.only_for)):
            refuse(
                "no_marker",
                ("NEG-003",),
                f"{power_name(tables, power)} has no established marker in {place_name(tables, area)} that "
                f"it can {f'lower to {kind.name}' if kind else 'remove'}.",
            )
        seats = {seat_of(tables, state, p) for p in self.parties}
        if not self.congress and len(seats) < 2 and disputes.area_dispute(state, area) is None:
            refuse(
                "no_dispute",
                ("NEG-003", "STA-031"),
                f"There is no dispute over {place_name(tables, area)}. Without one you can give up a "
                "marker only by an agreement with another player.",
            )
        forced = own.marker == INFLUENCE and power in disputes.overruled_influences(state, area)
        blame: str | None = disputes.pressing_power(state, area, power) if forced else power
        reason = "given up by the Congress" if self.congress else "given up in negotiation"
        way = ("CON-016", "ETI-032") if self.congress else ("NEG-003", "NEG-007")
        if power == OTTOMAN_EMPIRE:
            blame = ""
        if self.peace:
            blame = None  # a War's results raise no tensions
        self.play.lower(area, power, own.marker, to, reason, self.why(*way, "ETI-031" if forced else "ETI-029"), blame)
        self.remove_ottoman_army(power, area)
        self.touched[area] = None
        self.lowered.append((area, power))

    def hand_over(self, c: Clause) -> None:
        """Hand a marker to another Power.

        Raises: Refusal `changed`, or as for a transfer.
        Rules: NEG-011, NEG-016, CON-017 (R-NEG-02, R-NEG-04, R-NEG-05)
        """
        power, to, area = c.power, c.to, c.places[0]
        given = transfers.check_transfer(self.play, power, to, area, self.congress or self.peace)
        if c.marker and given.marker != c.marker:
            refuse(
                "changed",
                ("STA-035", "NEG-011"),
                f"The marker in {place_name(self.play.tables, area)} is now "
                f"{marker_with_article(self.play.tables, given.marker)}, not the agreed {c.marker.title()}.",
            )
        why = self.why("CON-017") if self.congress else self.rules
        transfers.transfer_marker(self.play, power, to, area, given, why)
        self.remove_ottoman_army(power, area)
        self.touched[area] = None
        self.received.append((area, to))

    def share(self, c: Clause) -> None:
        """Share the Area between all holders of Control and the Powers that join them.

        Raises: Refusal `no_control`, `crown`, `left_out`, `sharers`, `shared_already`, or as for new Control.
        Rules: COD-001, COD-003, COD-004, COD-012, COD-013, NEG-018, NEG-019, NEG-021, NEG-022, NEG-024, CON-020
        """
        area, members = c.places[0], c.against
        holders = transfers.sharable_controllers(self.play, area)
        sharers = tuple(dict.fromkeys((*(p for p in holders if p in members), *members)))
        out = tuple(p for p in holders if p not in sharers)
        if out:
            refuse(
                "left_out",
                ("NEG-019", "COD-001"),
                f"All Powers with Control of {place_name(self.play.tables, area)} must share it: add "
                f"{powers_text(self.play.tables, out)}.",
            )
        if len(sharers) < 2:
            refuse("sharers", ("COD-001",), "A Codominion needs at least two Powers.")
        new = [p for p in sharers if p not in holders]
        if not new and set(sharers) == set(area_state(self.play.state, area).codominion):
            refuse("shared_already", ("COD-001",), "These Powers already share it as a Codominion.")
        for power in new:
            self.join(area, power, c.marker or PROTECTORATE, c.power or power)
        self.set_codominion(area, sharers)

    def grant(self, c: Clause) -> None:
        """Grant another Power Control beside its own; all holders of Control share the Area from now on.

        In a Congress over the spoils of a War, a victor leaves an Area to another.

        Raises: Refusal `no_control`, `receiver_has`, `crown`, or as for new Control.
        Rules: NEG-012, NEG-015, NEG-017, NEG-019, COD-001, COD-013, CON-020, WEN-042 (R-NEG-03, R-COD-04, R-WEN-08)
        """
        tables, power, to, area = self.play.tables, c.power, c.to, c.places[0]
        marker = c.marker or PROTECTORATE
        holders = transfers.sharable_controllers(self.play, area)
        victors = transfers.quarrelling_victors(self.play.state, area) if self.congress else ()
        won = power not in holders and {power, to} <= set(victors)
        if won and to in holders:
            return  # another victor agrees to what one has granted
        if power not in holders and not won:
            refuse(
                "no_control",
                ("NEG-012",),
                f"{power_name(tables, power)} has no Control of {place_name(tables, area)}, so it cannot share it.",
            )
        markers = area_state(self.play.state, area).markers
        if (area, to) in self.joined and any((m.power, m.marker) == (to, marker) for m in markers):
            return  # another holder agrees to what one has granted
        if to in holders:
            refuse("receiver_has", ("SET-082",), f"{power_name(tables, to)} already has Control there.")
        self.join(area, to, marker, c.against[0] if c.against else to)
        self.touched[area] = None
        if holders:
            self.set_codominion(area, (*holders, to))

    def pay(self, c: Clause) -> None:
        """Pay money, which may be spent on markers of the same settlement.

        Raises: Refusal as for a gift.
        Rules: NEG-014, MOV-020, CON-018
        """
        transfers.check_gift(self.play, c.power, c.to, c.amount)
        moving = self.play.state.phase == "movement"
        rule = "CON-018" if self.congress else "MOV-020" if moving else "NEG-014"
        self.bills.append(Bill(c.power, c.to, c.amount, "", self.why(rule)))

    def make_peace(self, c: Clause) -> None:
        """End the War between the parties. Raises: Refusal as `make_peace`."""
        make_peace(self.play, self.parties, self.why("WEN-036"))

    def remove_ottoman_army(self, power: str, area: str) -> None:
        """Remove the Ottoman Army in an Area that the Empire gives up. Rules: EVT-034, EVT-035."""
        if power == OTTOMAN_EMPIRE:
            ottoman_expansion.dissolve_armies(self.play, area, "EVT-035")

    def join(self, area: str, power: str, kind: str, payer: str) -> None:
        """Give a Power Control in an Area that others Control or that it has won, and add the price to the bill.

        Rules: NEG-012, NEG-015, NEG-017, NEG-021, COD-004, WEN-041, WEN-042
        """
        if self.congress and power in transfers.quarrelling_victors(self.play.state, area):
            transfers.grant_spoils(self.play, area, power, kind, self.why("WEN-042"))
            self.joined.append((area, power))
            return
        had = transfers.place_shared_marker(self.play, area, power, kind, self.rules, self.congress)
        if not self.free(area):
            bill = transfers.marker_bill(self.play, area, power, kind, had, payer, self.rules)
            self.bills.extend([bill] if bill else [])
        self.joined.append((area, power))

    def free(self, area: str) -> bool:
        """Return whether a Congress gives Control in the Area free: in each Area, or by option only in a dispute.

        Rules: CON-020, CON-021, COD-004 (R-CON-09)
        """
        anywhere = self.play.state.options.congress_free_codominion == "anywhere"
        return self.congress and (anywhere or area in self.disputed)

    def set_codominion(self, area: str, members: tuple[str, ...]) -> None:
        """Make the Area a Codominion of `members`."""
        self.play.emit(events.CodominionSet(area=area, powers=members, rules=self.why("COD-001", "NEG-018", "NEG-024")))
        self.touched[area] = None
        self.shared.add(area)

    def apply_consequences(self) -> None:
        """Apply the consequences of the new markers: Interests go, and disputes end or arise.

        A grant causes no Casus Belli of the Casus Belli Summary's own, such as the Monroe Doctrine (R-WAR-28).

        Rules: STA-053, ETI-030, NEG-003, NEG-018, NEG-023, WAR-067, WAR-068
        """
        play = self.play
        for area, power in self.joined:
            own = established(play.state, area, power)
            if own is None or own.marker not in FULL_CONTROL:
                continue
            for holder in interest_holders(play.state, area):
                why = self.why("STA-053", "ETI-030")
                play.lower(area, holder, INTEREST, "", "a Possession was placed", why, power)
        for area in self.touched:
            if area in self.shared:
                self.consent(area)
            casus_belli.settle_causes(play, area, self.why("NEG-003", "NEG-007", "NEG-018"))
            if area in self.shared:
                given_up = (w for where, w in self.waived if where == area)
                consented = (Waiver(power) for power in self.consenting_signers(area))
                casus_belli.create_from_codominion(play, area, (*given_up, *consented))
            received = tuple(p for a, p in self.received if a == area)
            if received:
                casus_belli.create_from_markers(play, area, received, disputes.area_waivers(play.state, area))

    def consenting_signers(self, area: str) -> tuple[str, ...]:
        """Return the signers that keep an Influence in a shared Area and so consent.

        A signer that names the Casus Belli it gives up does not consent by signing.

        Rules: NEG-023, CON-023 (Decision 41)
        """
        spoke = {waiver.holder for where, waiver in self.waived if where in ("", area)}
        return tuple(p for p in influence_holders(self.play.state, area) if p in self.parties and p not in spoke)

    def consent(self, area: str) -> None:
        """End the Casus Belli over a shared Area between its members and of the consenting Powers.

        In a Congress, the Influence of the consenting Powers gives way at once.

        Rules: NEG-008, NEG-009, NEG-018, NEG-023, CON-023, CON-028, ETI-031 (Decision 41)
        """
        play, consenting = self.play, self.consenting_signers(area)
        shared = area_state(play.state, area).codominion
        for cause in play.state.casus_belli:
            if cause.area == area and cause.against in shared and cause.holder in (*shared, *consenting):
                play.emit(events.CasusBelliEnded(id=cause.id, reason="settled", rules=self.why("NEG-018", "NEG-023")))
        for power in consenting if self.congress else ():
            best = best_compatible_marker(play.state, area, power)
            why = self.why("CON-028", "NEG-008" if best else "NEG-009", "ETI-031")
            blame = disputes.pressing_power(play.state, area, power)
            play.lower(area, power, INFLUENCE, best, "consents to the Codominion", why, blame)


_ACTS: dict[str, Callable[[SettlementRun, Clause], None]] = {
    WAIVE.id: SettlementRun.waive,
    LOWER.id: SettlementRun.lower,
    TRANSFER.id: SettlementRun.hand_over,
    CODOMINION.id: SettlementRun.share,
    GRANT.id: SettlementRun.grant,
    PAY.id: SettlementRun.pay,
    PEACE.id: SettlementRun.make_peace,
}
"""What carries out the act of each kind of clause."""


def check_settlement(
    play: Transaction, clauses: Iterable[Clause], congress: bool = False, parties: tuple[str, ...] = ()
) -> None:
    """Check that all acts are possible now.

    `congress`: whether a Congress of Europe has adopted them. `parties`: who agrees; by default the required signers.

    Raises: Refusal of the first impossible act.
    """
    settlement_outcome(play.tables, play.state, clauses, congress, parties)


def settlement_outcome(
    tables: Tables, state: State, clauses: Iterable[Clause], congress: bool = False, parties: tuple[str, ...] = ()
) -> State:
    """Return the position after the acts. Raises: Refusal."""
    trial = Transaction(tables, state, Dice("settlement"))
    with suppress(GameOver):
        SettlementRun(trial, clauses, (), congress, parties).do()
    return trial.state


def carry_out_settlement(
    play: Transaction,
    clauses: Iterable[Clause],
    rules: tuple[str, ...],
    congress: bool = False,
    parties: tuple[str, ...] = (),
    hidden: bool = False,
) -> None:
    """Carry out all acts, or none after a refusal.

    `hidden`: whether the Treaty is secret. In mail games other players do not see payments of secret articles.

    Raises: Refusal; GameOver, if tensions reach 100.
    """
    clauses = tuple(clauses)
    trial = Transaction(play.tables, play.state, play.dice)
    over: GameOver | None = None
    try:
        SettlementRun(trial, clauses, rules, congress, parties).do()
    except GameOver as end:
        over = end
    agreed = parties or required_signers(play.tables, play.state, clauses)
    secret = [c for c in clauses if play.by_mail and (hidden or c.secret) and c.kind == PAY.id]
    paid = [change for c in secret for change in ((c.power, -c.amount), (c.to, c.amount))]
    for event in trial.events:
        if isinstance(event, events.TreasuryChanged) and (event.power, event.amount) in paid:
            paid.remove((event.power, event.amount))
            play.emit(visibility.seal_payment(play.tables, play.state, event, agreed), agreed)
            continue
        play.emit(visibility.seal_by_agreement(play.tables, play.state, event, agreed), agreed)
    if over:
        raise over


def lapse_settlements(play: Transaction) -> None:
    """End each settlement that is not fully signed when the Negotiation Phase ends. Rules: SEQ-019 (R-NEG-08)."""
    for treaty in play.state.treaties:
        if treaty.form == SETTLEMENT and treaty.stage == DRAFT:
            play.emit(events.TreatyEnded(id=treaty.id, reason="lapsed", rules=("SEQ-019",)))


def propose_codominion(play: Transaction, power: str, action: actions.Codominion) -> None:
    """Propose that all holders of Control in an Area, and the Influence holders `also`, share it.

    Each other seat concerned is asked. The Codominion forms when the last one accepts.

    Raises: Refusal.
    Rules: COD-001, COD-003, COD-013, NEG-018, NEG-019, COD-004
    """
    tables, state = play.tables, play.state
    check_names(play, action.area)
    name = tables.areas[action.area].name
    also = tuple(dict.fromkeys(action.also))
    if power in influence_holders(state, action.area) and power not in also:
        also = (*also, power)
    if not controls(state, action.area, power) and power not in also:
        refuse(
            "no_control",
            ("NEG-019", "COD-003"),
            f"Only a Power with Control or Influence in {name} can propose to share it.",
        )
    members = _codominion_members(play, action.area, also)
    check_settlement(play, (_codominion_clause(action.area, members),))
    own_seat = seat_of(tables, state, power)
    others = [p for p in members if seat_of(tables, state, p) != own_seat]
    if not others:
        carry_out_settlement(play, (_codominion_clause(action.area, members),), ())
        return
    # only a proposal that the seat knows of stands in the way
    if any(
        isinstance(c.about, ShareOffer)
        and c.area == action.area
        and own_seat in visibility.seats_between(tables, state, c)
        for c in state.choices
    ):
        refuse("offered", ("NEG-019",), f"A Codominion of {name} is already proposed and waits for answers.")
    proposal = visibility.private_id("p", state.turn, power, action.area, members)
    offer = ShareOffer(action.area, members, proposal, power, also)
    prompt = f"{tables.powers[power].name} proposes that {powers_text(tables, members)} share {name}"
    for other in others:
        own = prompt + (f", for £{transfers.JOINING_PRICE} of yours" if other in also else "")
        play.offer(other, offer, transaction.OFFER_ANSWERS, transaction.DECLINE, action.area, own, ("NEG-019",))


def answer_codominion(play: Transaction, choice: Pending, offer: ShareOffer, answer: tuple[str, ...]) -> None:
    """Accept or reject a Codominion: one rejection ends the proposal. Raises: Refusal, if it is no longer possible."""
    agreed = transaction.is_offer_accepted(choice, answer)
    if not agreed:
        transaction.void_proposal(play, offer)
        return
    members = _codominion_members(play, offer.area, offer.also)
    if set(members) != set(offer.members):
        refuse("changed", ("NEG-019",), "The Powers with Control there have changed since the proposal.")
    check_settlement(play, (_codominion_clause(offer.area, members),))
    if not transaction.open_questions(play, offer):
        carry_out_settlement(play, (_codominion_clause(offer.area, members),), ())


def _codominion_clause(area: str, members: tuple[str, ...]) -> Clause:
    return Clause("codominion", against=members, places=(area,))


def _codominion_members(play: Transaction, area: str, also: tuple[str, ...]) -> tuple[str, ...]:
    """Return the members of a proposed Codominion: all holders of Control, and the Influence holders `also`."""
    tables, state = play.tables, play.state
    for power in also:
        if power not in tables.powers:
            refuse("unknown_power", (), f"There is no Power {power!r}.")
        if power not in influence_holders(state, area):
            refuse(
                "no_influence",
                ("COD-004", "NEG-021"),
                f"{tables.powers[power].name} has no Influence in {tables.areas[area].name} that could become a "
                f"Protectorate.",
            )
    return (*controllers(state, area), *also)


ACTS: ActTable = {actions.Codominion: {"negotiation": propose_codominion}}
