"""The line of every kind of event of the turn, the dice and the ledgers, in each of its wordings."""

from __future__ import annotations

from paxtui.pax.history import events as ev
from paxtui.pax.state.model import Result

COURSE: list[tuple[ev.Event, str]] = [
    (ev.PhaseBegan(phase="movement"), "— Movement/Status Change Phase —"),
    (ev.PhaseBegan(phase="congress"), "— Congress of Europe Phase —"),
    (ev.PhaseBegan(phase="victory_point_record"), "— Victory Point Record Phase —"),
    (ev.PhaseBegan(phase="chinese_resentment"), "— Chinese Resentment Phase —"),
    (ev.TurnBegan(turn=3, year=1888), "══ 1888: Game Turn 3 ══"),
    (
        ev.TurnBegan(turn=3, year=1888, fleets={"japan": 1, "italy": 0, "united_states": 2}),
        "══ 1888: Game Turn 3 ══ New Merchant Fleets for Japan, United States.",
    ),
    (ev.StepTaken(step="done"), ""),
    (ev.Noted(code="no_army", text="as it is said"), "As it is said"),
    (ev.SeatReady(seat="united_states"), "The United States is ready."),
    (ev.SeatReady(seat="japan", ready=False), "Japan is no longer ready."),
    (
        ev.ReadyCleared(seats=("japan", "united_states"), by="italy"),
        "Italy has acted, so Japan and the United States may react.",
    ),
    (ev.SeatsAbandoned(seats=("italy",)), "Italy is abandoned: nobody plays it any more, and the General Orders hold."),
    (
        ev.SeatsAbandoned(seats=("italy", "united_states")),
        "Italy and the United States are abandoned: nobody plays them any more, and the General Orders hold.",
    ),
    (ev.SeatsAbandoned(seats=("italy",), lifted=True), "Italy has a player again."),
    (
        ev.SeatsAbandoned(seats=("italy", "united_states"), lifted=True),
        "Italy and the United States have players again.",
    ),
    (
        ev.GameEnded(result=Result("great_war", 3, ("italy",), {"japan": 2, "italy": 1}, {"italy": 9, "japan": 3})),
        "The Great War breaks out, brought about by Italy. 1. Italy (9), 2. Japan (3)",
    ),
    (
        ev.GameEnded(result=Result("last_turn", 10, (), {"japan": 1, "italy": 1}, {"italy": 9, "japan": 9})),
        "The tenth Game Turn is over. 1. Japan (9), 1. Italy (9)",
    ),
]

DICE: list[tuple[ev.Event, str]] = [
    (ev.DiceRolled(what="number_of_events", dice=(3,)), "Dice 3 for number of events"),
    (
        ev.DiceRolled(what="lots", dice=(3, 4), power="united_states", outcome="it goes"),
        "The United States: dice 3-4 for lots: it goes",
    ),
    (
        ev.RandomEventRolled(event="2-6", title="Pan-Slav Agitation in Russia", happens=False, why="it has been"),
        "Dice 2-6: Pan-Slav Agitation in Russia; rolled again (it has been)",
    ),
    (ev.RandomEventRolled(event="0-0", title="A title"), "Dice 0-0: A title."),
    (
        ev.RandomEventRolled(event="3-5", title="Alaskan Pressure for Statehood", leopold=True),
        "Dice 3-5: Alaskan Pressure for Statehood. If the United States controls Alaska, it must make it a "
        "State this turn or lose 5 Victory Points. King Leopold demands colonial expansion.",
    ),
    (ev.UnrestBegan(area="bengal", table="B", dice=(2, 5)), "Dice 2-5 on Unrest Table B: Unrest in Bengal!"),
    (
        ev.UnrestBegan(area="bengal", table="B", dice=(2, 5), happens=False),
        "Dice 2-5 on Unrest Table B: Bengal cannot rise; rolled again",
    ),
    (ev.UnrestBegan(area="bengal"), "Unrest in Bengal!"),
    (ev.UnrestEnded(area="bengal"), "The Unrest in Bengal is over"),
    (ev.UnrestEnded(area="bengal", by=("britain",)), "The Unrest in Bengal is over; Great Britain puts it down"),
    (
        ev.UnrestEnded(area="bengal", by=("britain", "united_states")),
        "The Unrest in Bengal is over; Great Britain and the United States put it down",
    ),
    (ev.OfficeIncome(power="united_states", die=4, amount=20), "The United States' Colonial Office pays £20: die 4"),
    (
        ev.OfficeIncome(power="italy", die=0, amount=30, note="no Control marker"),
        "Italy's Colonial Office pays £30: no die (no Control marker)",
    ),
    (ev.MinorActivity(power="netherlands", die=2, active=True), "The Netherlands is active (die 2)"),
    (ev.MinorActivity(power="belgium", die=5, active=False), "Belgium stays quiet (die 5)"),
    (ev.MinorDirected(power="netherlands", dice=(3, 4), area="sarawak"), "The Netherlands turns to Sarawak (dice 3-4)"),
    (
        ev.MinorDirected(power="netherlands", dice=(3, 4), area="sarawak", accepted=False),
        "The Netherlands: dice 3-4, Sarawak is not open to it; rolled again",
    ),
    (
        ev.ColonialCombat(area="tunis", powers=("italy",), attack=3, defend=0),
        "Italy takes Tunis, which does not resist",
    ),
    (
        ev.ColonialCombat(area="tunis", powers=("italy", "france"), attack=4, defend=0),
        "Italy and France take Tunis, which does not resist",
    ),
    (
        ev.ColonialCombat(
            area="tunis",
            powers=("italy",),
            attack=3,
            defend=1,
            table=2,
            column="3-1",
            die=5,
            result="DE",
            effect="defeated",
        ),
        "Italy attacks Tunis: 3 against 1, Table 2 at 3-1, die 5: defender eliminated; the Area is defeated",
    ),
    (
        ev.ColonialCombat(
            area="tunis",
            powers=("italy", "france"),
            attack=4,
            defend=4,
            table=1,
            column="1-1",
            die=1,
            result="E",
            effect="eliminated",
        ),
        "Italy and France attack Tunis: 4 against 4, Table 1 at 1-1, die 1: attacker eliminated; all armies "
        "there are lost",
    ),
    (
        ev.ColonialCombat(
            area="tunis",
            powers=("italy",),
            attack=4,
            defend=4,
            table=1,
            column="1-1",
            die=2,
            result="AR",
            effect="retreat",
        ),
        "Italy attacks Tunis: 4 against 4, Table 1 at 1-1, die 2: attacker retreats; the armies retreat",
    ),
    (
        ev.ColonialCombat(
            area="tunis",
            powers=("italy",),
            attack=4,
            defend=4,
            table=1,
            column="1-1",
            die=3,
            result="HX",
            effect="losses",
            losses=2,
        ),
        "Italy attacks Tunis: 4 against 4, Table 1 at 1-1, die 3: half exchange; strength 2 must be lost",
    ),
    (
        ev.ColonialCombat(
            area="tunis",
            powers=("italy",),
            attack=4,
            defend=4,
            table=1,
            column="1-1",
            die=3,
            result="EX",
            effect="losses",
            losses=4,
        ),
        "Italy attacks Tunis: 4 against 4, Table 1 at 1-1, die 3: exchange; strength 4 must be lost",
    ),
    (
        ev.ColonialCombat(
            area="tunis",
            powers=("italy",),
            attack=4,
            defend=4,
            table=1,
            column="1-1",
            die=4,
            result="DR",
            effect="defeated",
        ),
        "Italy attacks Tunis: 4 against 4, Table 1 at 1-1, die 4: defender retreats; the Area is defeated",
    ),
    (ev.OrderDrawn(area="tunis", powers=("united_states", "italy")), "Order of attack in Tunis: United States, Italy"),
    (
        ev.RebellionChecked(dice=(1, 2, 3), target=7, rebellion=True),
        "Chinese Rebellion on 7 or less: dice 1-2-3 = 6, the Chinese rise",
    ),
    (
        ev.RebellionChecked(dice=(6, 6, 6), target=7, rebellion=False),
        "Chinese Rebellion on 7 or less: dice 6-6-6 = 18, no Rebellion",
    ),
]

LEDGERS: list[tuple[ev.Event, str]] = [
    (
        ev.TensionRaised(amount=5, total=12, reason="War declared on Italy", blame="united_states"),
        "European Tensions +5 to 12: War declared on Italy, by the United States",
    ),
    (
        ev.TensionRaised(amount=-2, total=10, reason="gives way to Control"),
        "European Tensions -2 to 10: a marker had to give way to new Control",
    ),
    (
        ev.TensionRaised(amount=2, total=10, reason="not defended by War"),
        "European Tensions +2 to 10: a marker that nobody defended by War was lowered",
    ),
    (
        ev.TensionRaised(amount=2, total=10, reason="a Possession was placed"),
        "European Tensions +2 to 10: an Interest had to go where a Possession was placed",
    ),
    (
        ev.TensionRaised(amount=2, total=10, reason="no garrison"),
        "European Tensions +2 to 10: a marker without a garrison was lowered",
    ),
    (
        ev.TensionRaised(amount=2, total=10, reason="deficit"),
        "European Tensions +2 to 10: a marker was given up to meet a deficit",
    ),
    (
        ev.TensionRaised(amount=2, total=10, reason="given up in negotiation"),
        "European Tensions +2 to 10: a marker was given up in negotiation",
    ),
    (
        ev.TensionRaised(amount=2, total=10, reason="marker handed over"),
        "European Tensions +2 to 10: a marker was handed over",
    ),
    (
        ev.TensionRaised(amount=3, total=10, reason="a Congress of Europe convenes"),
        "European Tensions +3 to 10: a Congress of Europe was called",
    ),
    (
        ev.TensionRaised(amount=5, total=10, reason="refuses to sign a Treaty of the Congress"),
        "European Tensions +5 to 10: a disputant refused to sign the Treaty of the Congress",
    ),
    (
        ev.TensionRaised(amount=5, total=10, reason="Lisbon broken"),
        "European Tensions +5 to 10: a Treaty was broken (Lisbon)",
    ),
    (
        ev.ResentmentRaised(amount=3, total=4, reason="Possession in Hong Kong"),
        "Chinese Resentment +3 to 4: Possession in Hong Kong",
    ),
    (ev.ResentmentReset(reason="a Rebellion"), "Chinese Resentment back to 0: a Rebellion"),
    (
        ev.TreasuryChanged(power="united_states", amount=5, total=9, reason="a gift"),
        "The United States receives £5: a gift (£9 in the Treasury)",
    ),
    (
        ev.TreasuryChanged(power="italy", amount=-5, total=4, reason="Army Units"),
        "Italy pays £5: Army Units (£4 in the Treasury)",
    ),
    (
        ev.TreasuryChanged(power="italy", amount=0, total=4, reason="net income of the turn"),
        "Italy receives £0: net income of the turn (£4 in the Treasury)",
    ),
    (
        ev.VictoryPointsChanged(power="united_states", amount=4, total=9, reason="£20 left"),
        "The United States' Victory Points +4 to 9: £20 left over",
    ),
    (
        ev.VictoryPointsChanged(power="italy", amount=-4, total=9, reason="£20 lost"),
        "Italy's Victory Points -4 to 9: £20 lost",
    ),
    (
        ev.VictoryPointsChanged(power="italy", amount=-4, total=9, reason="the canal is left"),
        "Italy's Victory Points -4 to 9: the canal is left",
    ),
    (ev.RecordWritten(power="italy", lines={"01": 1}), ""),
]
