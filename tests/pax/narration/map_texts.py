"""The text of every kind of event of the map, in each of its wordings."""

from __future__ import annotations

from paxtui.games.pax.events import events

MAP: list[tuple[events.Event, str]] = [
    (
        events.MarkerPlaced(area="tunis", power="united_states", marker="interest", established=True, turn=1),
        "The United States takes ○ Interest in Tunis",
    ),
    (
        events.MarkerPlaced(area="tunis", power="italy", marker="influence", established=False, turn=1),
        "Italy places ● Influence in Tunis",
    ),
    (
        events.MarkerPlaced(
            area="tunis",
            power="italy",
            marker="protectorate",
            established=False,
            turn=1,
            replaces="influence",
        ),
        "Italy places ◇ Protectorate in Tunis, over its Influence",
    ),
    (
        events.MarkerEstablished(area="tunis", power="united_states", marker="possession"),
        "The United States' ◆ Possession in Tunis is established",
    ),
    (
        events.MarkerLowered(area="tunis", power="italy", marker="protectorate", to="influence", reason="no garrison"),
        "Italy's ◇ Protectorate in Tunis becomes ● Influence: it had no garrison",
    ),
    (
        events.MarkerLowered(
            area="tunis", power="italy", marker="influence", to="interest", reason="gives way to Control"
        ),
        "Italy's ● Influence in Tunis becomes ○ Interest: another Power placed Control there",
    ),
    (
        events.MarkerLowered(
            area="tunis",
            power="italy",
            marker="interest",
            to="",
            reason="gives way to Control",
            established=False,
        ),
        "Italy's unestablished ○ Interest in Tunis is removed: another Power placed Control there",
    ),
    (
        events.MarkerLowered(area="tunis", power="italy", marker="interest", to="", reason="unrest"),
        "Italy's ○ Interest in Tunis is removed: lost in the Unrest",
    ),
    (
        events.MarkerLowered(
            area="tunis",
            power="italy",
            marker="interest",
            to="",
            reason="not defeated",
            established=False,
        ),
        "Italy's unestablished ○ Interest in Tunis is removed: the Area was not defeated",
    ),
    (
        events.MarkerLowered(area="tunis", power="italy", marker="interest", to="", reason="failed upgrade"),
        "Italy's ○ Interest in Tunis is removed: the upgrade failed",
    ),
    (
        events.MarkerLowered(area="tunis", power="italy", marker="interest", to="", reason="deficit"),
        "Italy's ○ Interest in Tunis is removed: given up to meet a deficit",
    ),
    (
        events.MarkerLowered(area="tunis", power="italy", marker="interest", to="", reason="given up in negotiation"),
        "Italy's ○ Interest in Tunis is removed: given up in negotiation",
    ),
    (
        events.MarkerLowered(area="tunis", power="italy", marker="interest", to="", reason="some_other reason"),
        "Italy's ○ Interest in Tunis is removed: some other reason",
    ),
    (
        events.MarkerTransferred(area="tunis", power="italy", to="united_states", marker="interest", turn=1),
        "Italy hands its ○ Interest in Tunis to the United States",
    ),
    (
        events.CodominionSet(area="tunis", powers=("italy", "united_states")),
        "Tunis is a Codominion of Italy and the United States",
    ),
    (events.CodominionSet(area="tunis", powers=()), "Tunis is no longer a Codominion"),
    (events.AreaTypeChanged(area="bulgaria", to="ottoman_vassal"), "Bulgaria is now of type ottoman vassal"),
    (events.UnitsBuilt(power="china", units=("A1",), place="fukien"), ""),
    (
        events.UnitsBuilt(power="united_states", units=("A1", "N3"), place="hawaii"),
        "The United States builds A1 N3 in Hawaii",
    ),
    (
        events.UnitsBuilt(power="britain", units=("N3",), place="egypt", coast="red_sea"),
        "Great Britain builds N3 in Egypt (Red Sea)",
    ),
    (
        events.UnitsMoved(
            power="united_states", units=("A1",), path=("home:united_states", "south_atlantic", "liberia")
        ),
        "The United States moves A1: United States → South Atlantic → Liberia",
    ),
    (
        events.UnitsMoved(power="italy", units=("A1", "A3"), path=("tunis", "tripoli"), reason="retreat"),
        "Italy retreats with A1 A3: Tunis → Tripoli",
    ),
    (
        events.UnitsMoved(power="italy", units=("A1",), path=("tunis", "tripoli"), reason="fix"),
        "Italy garrisons with A1: Tunis → Tripoli",
    ),
    (
        events.UnitsMoved(power="italy", units=("A1",), path=("tunis", "tripoli"), reason="minor"),
        "Italy sends A1: Tunis → Tripoli",
    ),
    (
        events.UnitsMoved(power="italy", units=("A1",), path=("tunis", "home:italy"), reason="sent_home"),
        "Italy takes home A1: Tunis → Italy",
    ),
    (events.UnitsHalted(power="italy", place="tunis"), ""),
    (
        events.UnitsLost(power="china", units=("A1",), place="fukien", reason="rebellion_over"),
        "China: A1 in Fukien disperses",
    ),
    (
        events.UnitsLost(power="china", units=("A1", "A3"), place="fukien", reason="rebellion_over"),
        "China: A1 A3 in Fukien disperse",
    ),
    (
        events.UnitsLost(power="united_states", units=("A1", "A3"), place="tunis", reason="combat"),
        "The United States loses A1 A3 in the combat for Tunis",
    ),
    (
        events.UnitsLost(power="italy", units=("A1",), place="tunis", reason="no_retreat"),
        "Italy loses A1 in Tunis: they could not retreat",
    ),
    (
        events.CoastChosen(power="italy", unit="N1", place="egypt", start="", coast="red_sea"),
        "Italy's N1 in Egypt lies on the Red Sea",
    ),
    (events.CoastChosen(power="italy", unit="N1", place="egypt", start="red_sea", coast=""), ""),
    (
        events.MerchantMoved(power="united_states", start="new", to="oceania"),
        "The United States' new Merchant Fleet enters Oceania",
    ),
    (
        events.MerchantMoved(power="italy", start="oceania", to="indian_ocean"),
        "Italy's Merchant Fleet sails from Oceania to the Indian Ocean",
    ),
    (events.CanalBuilt(area="panama", power="united_states"), "The United States opens a canal in Panama"),
    (
        events.CasusBelliArose(id="cb1", holder="italy", against="united_states"),
        "⚔ Italy has a Casus Belli against the United States",
    ),
    (
        events.CasusBelliArose(id="cb1", holder="italy", against="france", area="tunis", minor="belgium"),
        "⚔ Italy has a Casus Belli against France over Tunis, for Belgium",
    ),
    (events.GarrisonMissing(area="tunis", power="united_states"), "The United States has no garrison in Tunis"),
    (events.DutyWaived(power="italy", duty="to garrison Tunis"), "Italy's duty is waived: to garrison Tunis"),
    (
        events.DutyWaived(power="united_states", duty="to spend", amount=30),
        "The United States' duty is waived: to spend (£30)",
    ),
    (events.MinorSentArmies(power="belgium", area="congo", turn=1), ""),
    (events.WarDue(war="chinese_rebellion"), "A Chinese Rebellion is due"),
    (
        events.WarDue(war="ottoman", power="united_states", area="tripoli"),
        "The Ottoman Empire will declare War on the United States over Tripoli",
    ),
    (
        events.WarDue(war="ottoman_next", power="italy", area="tripoli"),
        "The Ottoman Empire will declare War on Italy over Tripoli next turn",
    ),
]
