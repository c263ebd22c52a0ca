"""The text of every kind of event of the turn, the dice and the ledgers, in each of its wordings."""

from __future__ import annotations

from paxtui.games.pax.events import events
from paxtui.games.pax.state.model import Result

COURSE: list[tuple[events.Event, str]] = [
    (events.PhaseBegan(phase="movement"), "— Movement/Status Change Phase —"),
    (events.PhaseBegan(phase="congress"), "— Congress of Europe Phase —"),
    (events.PhaseBegan(phase="victory_point_record"), "— Victory Point Record Phase —"),
    (events.PhaseBegan(phase="chinese_resentment"), "— Chinese Resentment Phase —"),
    (events.TurnBegan(turn=3, year=1888), "══ 1888: Game Turn 3 ══"),
    (
        events.TurnBegan(turn=3, year=1888, fleets={"japan": 1, "italy": 0, "united_states": 2}),
        "══ 1888: Game Turn 3 ══ New Merchant Fleets for Japan and the United States.",
    ),
    (events.StepTaken(step="done"), ""),
    (events.Noted(code="no_army", text="as it is said"), "As it is said"),
    (events.SeatReady(seat="united_states"), "The United States is ready."),
    (events.SeatReady(seat="japan", ready=False), "Japan is no longer ready."),
    (
        events.ReadyCleared(seats=("japan", "united_states"), by="italy"),
        "Italy has acted: Japan and the United States may act again.",
    ),
    (
        events.SeatsAbandoned(seats=("italy",)),
        "Italy is abandoned: it has no player and follows the General Orders.",
    ),
    (
        events.SeatsAbandoned(seats=("italy", "united_states")),
        "Italy and the United States are abandoned: they have no player and follow the General Orders.",
    ),
    (events.SeatsAbandoned(seats=("italy",), lifted=True), "Italy has a player again."),
    (
        events.SeatsAbandoned(seats=("italy", "united_states"), lifted=True),
        "Italy and the United States have players again.",
    ),
    (
        events.GameEnded(result=Result("great_war", 3, ("italy",), {"japan": 2, "italy": 1}, {"italy": 9, "japan": 3})),
        "The Great War breaks out, caused by Italy. 1. Italy (9), 2. Japan (3)",
    ),
    (
        events.GameEnded(result=Result("last_turn", 10, (), {"japan": 1, "italy": 1}, {"italy": 9, "japan": 9})),
        "The tenth Game Turn is over. 1. Japan (9), 1. Italy (9)",
    ),
]

DICE: list[tuple[events.Event, str]] = [
    (events.DiceRolled(what="number_of_events", dice=(3,)), "Dice 3 for number of events"),
    (
        events.DiceRolled(what="lots", dice=(3, 4), power="united_states", outcome="it goes"),
        "The United States: dice 3-4 for lots: it goes",
    ),
    (
        events.RandomEventRolled(event="2-6", title="Pan-Slav Agitation in Russia", happens=False, why="it has been"),
        "Dice 2-6: Pan-Slav Agitation in Russia; rolled again (it has been)",
    ),
    (events.RandomEventRolled(event="0-0", title="A title"), "Dice 0-0: A title."),
    (
        events.RandomEventRolled(event="3-5", title="Alaskan Pressure for Statehood", leopold=True),
        "Dice 3-5: Alaskan Pressure for Statehood. If the United States controls Alaska, it must make it a "
        "State this turn or lose 5 Victory Points. King Leopold demands colonial expansion.",
    ),
    (events.UnrestBegan(area="bengal", table="B", dice=(2, 5)), "Dice 2-5 on Unrest Table B: Unrest in Bengal!"),
    (
        events.UnrestBegan(area="bengal", table="B", dice=(2, 5), happens=False),
        "Dice 2-5 on Unrest Table B: no Unrest is possible in Bengal; rolled again",
    ),
    (events.UnrestBegan(area="bengal"), "Unrest in Bengal!"),
    (events.UnrestEnded(area="bengal"), "The Unrest in Bengal is over"),
    (events.UnrestEnded(area="bengal", by=("britain",)), "The Unrest in Bengal is over; Great Britain suppresses it"),
    (
        events.UnrestEnded(area="bengal", by=("britain", "united_states")),
        "The Unrest in Bengal is over; Great Britain and the United States suppress it",
    ),
    (
        events.OfficeIncome(power="united_states", die=4, amount=20),
        "The United States' Colonial Office pays £20: die 4",
    ),
    (
        events.OfficeIncome(power="italy", die=0, amount=30, note="no Control marker"),
        "Italy's Colonial Office pays £30: no die (no Control marker)",
    ),
    (events.MinorActivity(power="netherlands", die=2, active=True), "The Netherlands is active (die 2)"),
    (events.MinorActivity(power="belgium", die=5, active=False), "Belgium stays quiet (die 5)"),
    (
        events.MinorDirected(power="netherlands", dice=(3, 4), area="sarawak"),
        "The Netherlands turns to Sarawak (dice 3-4)",
    ),
    (
        events.MinorDirected(power="netherlands", dice=(3, 4), area="sarawak", accepted=False),
        "The Netherlands: dice 3-4, no marker is possible in Sarawak; rolled again",
    ),
    (
        events.ColonialCombat(area="tunis", powers=("italy",), attack=3, defend=0),
        "Italy takes Tunis without a fight",
    ),
    (
        events.ColonialCombat(area="tunis", powers=("italy", "france"), attack=4, defend=0),
        "Italy and France take Tunis without a fight",
    ),
    (
        events.ColonialCombat(
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
        events.ColonialCombat(
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
        events.ColonialCombat(
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
        events.ColonialCombat(
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
        events.ColonialCombat(
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
        events.ColonialCombat(
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
    (
        events.OrderDrawn(area="tunis", powers=("united_states", "italy")),
        "Order of attack in Tunis: United States, Italy",
    ),
    (
        events.RebellionChecked(dice=(1, 2, 3), target=7, rebellion=True),
        "Chinese Rebellion on 7 or less: dice 1-2-3 = 6, the Rebellion begins",
    ),
    (
        events.RebellionChecked(dice=(6, 6, 6), target=7, rebellion=False),
        "Chinese Rebellion on 7 or less: dice 6-6-6 = 18, no Rebellion",
    ),
]

LEDGERS: list[tuple[events.Event, str]] = [
    (
        events.TensionRaised(amount=5, total=12, reason="War declared on Italy", blame="united_states"),
        "European Tensions +5 to 12: War declared on Italy, by the United States",
    ),
    (
        events.TensionRaised(amount=-2, total=10, reason="gives way to Control"),
        "European Tensions -2 to 10: a marker was lowered because of new Control",
    ),
    (
        events.TensionRaised(amount=2, total=10, reason="not defended by War"),
        "European Tensions +2 to 10: a marker not defended by War was lowered",
    ),
    (
        events.TensionRaised(amount=2, total=10, reason="a Possession was placed"),
        "European Tensions +2 to 10: an Interest was removed because a Possession was placed",
    ),
    (
        events.TensionRaised(amount=2, total=10, reason="no garrison"),
        "European Tensions +2 to 10: a marker without a garrison was lowered",
    ),
    (
        events.TensionRaised(amount=2, total=10, reason="deficit"),
        "European Tensions +2 to 10: a marker was given up to meet a deficit",
    ),
    (
        events.TensionRaised(amount=2, total=10, reason="given up in negotiation"),
        "European Tensions +2 to 10: a marker was given up in negotiation",
    ),
    (
        events.TensionRaised(amount=2, total=10, reason="marker handed over"),
        "European Tensions +2 to 10: a marker was handed over",
    ),
    (
        events.TensionRaised(amount=3, total=10, reason="a Congress of Europe convenes"),
        "European Tensions +3 to 10: a Congress of Europe was called",
    ),
    (
        events.TensionRaised(amount=5, total=10, reason="refuses to sign a Treaty of the Congress"),
        "European Tensions +5 to 10: a disputant refused to sign the Treaty of the Congress",
    ),
    (
        events.TensionRaised(amount=5, total=10, reason="Lisbon broken"),
        "European Tensions +5 to 10: a Treaty was broken (Lisbon)",
    ),
    (
        events.ResentmentRaised(amount=3, total=4, reason="Possession in Hong Kong"),
        "Chinese Resentment +3 to 4: Possession in Hong Kong",
    ),
    (events.ResentmentReset(reason="a Rebellion"), "Chinese Resentment back to 0: a Rebellion"),
    (
        events.TreasuryChanged(power="united_states", amount=5, total=9, reason="a gift"),
        "The United States receives £5: a gift (£9 in the Treasury)",
    ),
    (
        events.TreasuryChanged(power="italy", amount=-5, total=4, reason="Army Units"),
        "Italy pays £5: Army Units (£4 in the Treasury)",
    ),
    (
        events.TreasuryChanged(power="italy", amount=0, total=4, reason="net income of the turn"),
        "Italy receives £0: net income of the turn (£4 in the Treasury)",
    ),
    (
        events.VictoryPointsChanged(power="united_states", amount=4, total=9, reason="£20 left"),
        "The United States' Victory Points +4 to 9: £20 left over",
    ),
    (
        events.VictoryPointsChanged(power="italy", amount=-4, total=9, reason="£20 lost"),
        "Italy's Victory Points -4 to 9: £20 lost",
    ),
    (
        events.VictoryPointsChanged(power="italy", amount=-4, total=9, reason="the canal is left"),
        "Italy's Victory Points -4 to 9: the canal is left",
    ),
    (events.RecordWritten(power="italy", lines={"01": 1}), ""),
]
