"""The text of every kind of event of Wars, in each of its wordings."""

from __future__ import annotations

from paxtui.games.pax.events import events
from paxtui.games.pax.state.war import Declaration, War

FAR_EAST = War(id="w1", alliances=(("japan", "britain"), ("russia",)))
CUBA = War(id="w2", alliances=(("united_states",), ("spain",)))

WARS: list[tuple[events.Event, str]] = [
    (
        events.WarDeclared(power="japan", on=("russia",), war=FAR_EAST),
        "Japan declares War on Russia. At War: Japan and Great Britain against Russia.",
    ),
    (
        events.WarDeclared(power="britain", on=("russia",), war=FAR_EAST, treaty="kq7da"),
        "Great Britain declares War on Russia, as its Treaty requires. At War: Japan and Great Britain against Russia.",
    ),
    (
        events.WarDeclared(power="united_states", on=("spain",), war=CUBA),
        "The United States declares War on Spain. At War: the United States against Spain.",
    ),
    (events.DeclarationQueued(declaration=Declaration("japan", ("russia",))), ""),
    (
        events.DeclarationDropped(declaration=Declaration("japan", ("russia", "united_states"))),
        "Japan is already at War with Russia and the United States.",
    ),
    (events.WarArose(war=FAR_EAST), "War: Japan and Great Britain against Russia."),
    (events.WarsMerged(war=FAR_EAST, gone=("w2",)), "The Wars become one: Japan and Great Britain against Russia."),
    (events.GreatWarBegan(war=FAR_EAST), "This is the Great War: Japan and Great Britain against Russia."),
    (
        events.AidAsked(war="w1", host="italy", guests=("france", "united_states")),
        "Italy asks France and the United States for aid.",
    ),
    (events.AidAnswered(war="w1", power="france", answer="join"), ""),
    (events.AidAnswered(war="w1", power="france", answer="stay out"), "France stays out of the War."),
    (events.CommandGiven(war="w1", minor="belgium", seat="france"), "France commands Belgium in this War."),
    (events.CommandGiven(war="w1", minor="belgium", seat=""), "The engine commands Belgium in this War."),
    (events.PowerLeftWar(war="w1", power="britain", reason="peace"), "Great Britain is no longer at War."),
    (events.DefenceGivenUp(war="w1", minor="belgium", power="france"), "France did not do its best to defend Belgium."),
    (events.WarStepTaken(step="fought"), ""),
    (
        events.WarPhaseBegan(war="w1", stage="alliances"),
        "The War of Japan and Great Britain against Russia: Alliance Determination.",
    ),
    (
        events.WarPhaseBegan(war="w1", stage="initiative"),
        "The War of Japan and Great Britain against Russia: Initiative Determination.",
    ),
    (events.WarPhaseBegan(war="w1", stage="maneuver", turn_of=1), "Maneuver Phase of Japan and Great Britain."),
    (events.WarPhaseBegan(war="w1", stage="attack", turn_of=2), "Attack Phase of Russia."),
    (events.WarPhaseBegan(war="w1", stage="supply", turn_of=2), "Supply Determination Phase of Russia."),
    (events.WarPhaseBegan(war="never heard of", stage="end"), "War never heard of: War End Determination."),
    (events.WarPhaseBegan(war="never heard of", stage="resolution", turn_of=2), "War Resolution of Alliance 2."),
    (
        events.InitiativeRolled(war="w1", rolls=((3, 4), (0, 5)), order=(2, 1)),
        "Initiative (dice 3 4; – 5): Russia, then Japan and Great Britain.",
    ),
    (events.InitiativeRolled(war="w1", rolls=(), order=(1, 2)), "Initiative: Japan and Great Britain, then Russia."),
    (
        events.CycleEnded(war="w1", cycle=1, quiet=0),
        "The War of Japan and Great Britain against Russia continues after its first cycle.",
    ),
    (
        events.CycleEnded(war="w1", cycle=2, quiet=0),
        "The War of Japan and Great Britain against Russia continues after its second cycle.",
    ),
    (
        events.CycleEnded(war="w1", cycle=3, quiet=0),
        "The War of Japan and Great Britain against Russia continues after its third cycle.",
    ),
    (
        events.CycleEnded(war="w1", cycle=4, quiet=0),
        "The War of Japan and Great Britain against Russia continues after its 4th cycle.",
    ),
    (events.EndTestsWaived(war="w1", power="japan"), "Japan asks to continue the War."),
    (events.WarDecided(war="w1", test="peace"), "The War of Japan and Great Britain against Russia ends by agreement."),
    (
        events.WarDecided(war="w1", test="no_units", victor=1),
        "The War of Japan and Great Britain against Russia ends because one side has no Military Unit left "
        "abroad. Victory for Japan and Great Britain.",
    ),
    (
        events.WarDecided(war="w1", test="occupied", victor=2),
        "The War of Japan and Great Britain against Russia ends because every Area of one side is occupied. "
        "Victory for Russia.",
    ),
    (
        events.WarDecided(war="w1", test="stalemate"),
        "The War of Japan and Great Britain against Russia ends as a Stalemate.",
    ),
    (
        events.WarDecided(war="w1", test="announced"),
        "The War of Japan and Great Britain against Russia ends by announcement.",
    ),
    (
        events.WarDecided(war="w1", test="rebels_won"),
        "The War of Japan and Great Britain against Russia ends because no colonial army is left in China.",
    ),
    (
        events.WarDecided(war="w1", test="rebels_beaten"),
        "The War of Japan and Great Britain against Russia ends because China has no Army left.",
    ),
    (
        events.WarDecided(war="w1", test="island"),
        "The War of Japan and Great Britain against Russia ends by announcement: no Chinese Army can "
        "reach the colonial armies.",
    ),
    (
        events.WarDecided(war="w1", test="ottomans_won"),
        "The War of Japan and Great Britain against Russia ends because the enemies of the Ottoman "
        "Empire have no Unit left in it.",
    ),
    (
        events.WarDecided(war="w1", test="ottomans_beaten"),
        "The War of Japan and Great Britain against Russia ends because the Ottoman Empire has no Army left in it.",
    ),
    (
        events.WarDecided(war="w1", test="cut_off"),
        "The War of Japan and Great Britain against Russia ends by announcement.",
    ),
    (events.WarDecided(war="w1", test="of itself"), "The War of Japan and Great Britain against Russia ends here."),
    (events.WarOver(war="w1"), "The War of Japan and Great Britain against Russia is over."),
    (events.SpoilsDivided(war="w1", area="korea"), ""),
    (
        events.CoalingVolunteered(war="w1", area="siam", power="france", to=2),
        "France volunteers Siam for coaling to Russia, for this War.",
    ),
    (
        events.PassageDenied(war="w1", passage="central_america", to="japan", by="italy"),
        "Italy denies Central America to Japan.",
    ),
    (
        events.PassageDenied(war="w1", passage="suez", to="japan", by="italy", denied=False),
        "Italy opens Suez to Japan.",
    ),
    (events.CodominionEntered(war="w1", area="siam", power="japan"), "Japan has entered the Codominion Siam."),
    (events.ArmyMarched(war="w1"), ""),
    (events.ArmiesRolled(war="w1", die=4), "Chinese Armies: die 4."),
    (events.ArmyRolled(war="w1", dice=((1, 2), (6,)), area="fukien"), "A Chinese Army rises: dice 1 2; 6, Fukien."),
    (events.ArmyRolled(war="w1", dice=((1, 2),), area=""), "A Chinese Army rises: dice 1 2, nowhere."),
    (
        events.AreaCeded(war="w1", power="france", area="fukien", marker="interest"),
        "China cedes Fukien to France (interest).",
    ),
    (
        events.AreaInvaded(war="w1", area="fukien", power="japan"),
        "Japan has entered Fukien, which resists: its armies there must attack.",
    ),
    (
        events.TargetRolled(
            war="w1", area="fukien", army="A5", targets=("hupeh", "kiangsi"), dice=(3,), target="hupeh"
        ),
        "The A5 in Fukien goes towards Hupeh rather than Kiangsi, which is just as near (die 3).",
    ),
    (
        events.TargetRolled(
            war="w1", area="fukien", army="A5", targets=("hupeh", "kiangsi"), dice=(3, 4), target="hupeh"
        ),
        "The A5 in Fukien goes towards Hupeh rather than Kiangsi, which is just as near (dice 3 4).",
    ),
    (
        events.TargetRolled(war="w1", area="fukien", army="A5", targets=("hupeh", "kiangsi"), dice=(), target="hupeh"),
        "The A5 in Fukien goes towards Hupeh rather than Kiangsi, which is just as near.",
    ),
    (
        events.BattleFought(
            war="w1",
            place="manchuria",
            kind="army",
            attackers=("japan",),
            defenders=("russia",),
            attack=3,
            defend=4,
            table=1,
            column="1-2",
            die=2,
            result="E",
        ),
        "Manchuria: the armies of Japan (3) attack those of Russia (4), 1-2 on Table 1, die 2: the attackers "
        "are eliminated (E).",
    ),
    (
        events.BattleFought(
            war="w1",
            place="oceania",
            kind="naval",
            attackers=("japan",),
            defenders=("russia",),
            attack=3,
            defend=4,
            table=1,
            column="1-2",
            die=2,
            result="AR",
            aside=("britain", "united_states"),
        ),
        "Oceania: the fleets of Japan (3) attack those of Russia (4), 1-2 on Table 1, die 2: the attackers "
        "retreat (AR). The Units of Great Britain and the United States there do not join.",
    ),
    (
        events.BattleFought(
            war="w1",
            place="fukien",
            kind="army",
            attackers=("japan",),
            defenders=(),
            attack=3,
            defend=4,
            table=1,
            column="1-2",
            die=2,
            result="EX",
            area=4,
        ),
        "Fukien: the armies of Japan (3) attack the Area (4), 1-2 on Table 1, die 2: exchange (EX).",
    ),
    (
        events.BattleFought(
            war="w1",
            place="fukien",
            kind="army",
            attackers=("japan",),
            defenders=("china",),
            attack=3,
            defend=9,
            table=1,
            column="1-2",
            die=2,
            result="HX",
            area=4,
        ),
        "Fukien: the armies of Japan (3) attack those of China (9), 1-2 on Table 1, die 2: half exchange "
        "(HX). The Area itself adds 4.",
    ),
    (
        events.BattleFought(
            war="w1",
            place="fukien",
            kind="army",
            attackers=("japan",),
            defenders=("china",),
            attack=9,
            defend=5,
            table=2,
            column="2-1",
            die=2,
            result="DR",
        ),
        "Fukien: the armies of Japan (9) attack those of China (5), 2-1 on Table 2, die 2: the defenders retreat (DR).",
    ),
    (
        events.BattleFought(
            war="w1",
            place="fukien",
            kind="army",
            attackers=("japan",),
            defenders=("china",),
            attack=9,
            defend=5,
            table=2,
            column="2-1",
            die=6,
            result="DE",
        ),
        "Fukien: the armies of Japan (9) attack those of China (5), 2-1 on Table 2, die 6: the defenders are "
        "eliminated (DE).",
    ),
    (events.ConsentGiven(war="w1", minor="belgium", seat="france", order="pass"), "France consents for Belgium: pass."),
    (
        events.UnitsSurrendered(war="w1", power="japan", units=("A1", "N3"), place="korea", reason="out of supply"),
        "Japan: A1 N3 in Korea surrender (out of supply).",
    ),
    (
        events.UnitsReturned(war="w1", power="japan", units=("A1", "A3"), place="home:japan"),
        "Japan: A1 A3 return home after the surrender.",
    ),
    (events.AreaConquered(war="w1", area="korea", alliance=2), "Korea is conquered by Russia."),
    (events.AreaConquered(war="w1", area="korea", alliance=0), "Korea is free again."),
    (events.AreaDefeated(war="w1", area="fukien"), "Fukien is defeated."),
    (events.AreaDefeated(war="w1", area="fukien", defeated=False), "Fukien has its Combat Strength again."),
    (events.UnitMarches(war="w1", power="japan", unit="A1", path=("korea", "manchuria"), there=True), ""),
    (events.SupplyNoted(war="w1", powers=("japan",)), ""),
    (events.SupplyFound(war="w1", what="korea"), ""),
    (events.WarTiesEnded(war="w1", powers=("japan",)), ""),
]
