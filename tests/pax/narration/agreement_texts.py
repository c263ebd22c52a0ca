"""The text of every kind of event of agreements and of the Congress, in each of its wordings."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import Clause, Congress, Treaty

LISBON = Treaty(
    "kq7da", "Lisbon", "treaty", "italy", ("italy", "germany"),
    (
        Clause("pay", power="germany", to="italy", amount=3),
        Clause("pay", power="italy", to="germany", amount=4, secret=True),
    ),
)  # fmt: skip
NILE = Treaty(
    "n1",
    "Nile",
    "settlement",
    "france",
    ("france", "britain"),
    (Clause("pay", power="britain", to="france", amount=5),),
)

AGREEMENTS: list[tuple[events.Event, str]] = [
    (
        events.TreatyDrafted(treaty=LISBON),
        "Italy drafts the Treaty of Lisbon, for Germany to sign: (1) Germany pays Italy £3. (2) (secret) "
        "Italy pays Germany £4.",
    ),
    (
        events.TreatyDrafted(treaty=NILE),
        "France drafts the settlement 'Nile', for Great Britain to sign: Great Britain pays France £5.",
    ),
    (
        events.TreatyDrafted(treaty=replace(LISBON, stage="in_force", clauses=())),
        "Italy and Germany have the Treaty of Lisbon: no articles.",
    ),
    (
        events.TreatyDrafted(treaty=replace(NILE, parties=("france",), form="congress", name="")),
        "France drafts the proposal: Great Britain pays France £5.",
    ),
    (events.TreatySigned(id="kq7da", power="united_states"), "The United States signs the Treaty of Lisbon"),
    (events.TreatyRejected(id="n1", power="britain"), "Great Britain rejects the draft of the settlement 'Nile'"),
    (
        events.TreatyRejected(id="n1", power="france", reason="withdrawn"),
        "France withdraws the draft of the settlement 'Nile'",
    ),
    (events.TreatyInForce(id="kq7da", turn=1), "The Treaty of Lisbon is in force"),
    (events.TreatyEnded(id="kq7da", reason="lapsed"), "The Treaty of Lisbon ends by agreement"),
    (events.TreatyEnded(id="n1", reason="done"), "The settlement 'Nile' is fulfilled"),
    (events.TreatyEnded(id="kq7da", reason="war"), "The Treaty of Lisbon ends because of War"),
    (events.TreatyEnded(id="kq7da", reason="broken"), "The Treaty of Lisbon ends: it was broken"),
    (events.TreatyEnded(id="kq7da", reason="superseded"), "The Treaty of Lisbon is replaced by a new draft"),
    (events.TreatyEnded(id="kq7da", reason="rejected"), "The Treaty of Lisbon is rejected"),
    (events.TreatyEnded(id="kq7da", reason="withdrawn"), "The Treaty of Lisbon is withdrawn"),
    (
        events.TreatyEnded(id="kq7da", reason="lapsed", openly=True),
        "The public part of the Treaty of Lisbon ends by agreement; its secret articles still bind",
    ),
    (events.TreatyEnded(id="never heard of", reason="of itself"), "An agreement ends"),
    (
        events.TreatyEndedBetween(id="kq7da", powers=("italy", "united_states")),
        "The Treaty of Lisbon ends between Italy and the United States because of War",
    ),
    (
        events.TreatyRevealed(id="kq7da", power="united_states", treaty=LISBON),
        "The United States reveals the Treaty of Lisbon of Italy and Germany: Germany pays Italy £3.",
    ),
    (
        events.TreatyRevealed(id="kq7da", power="italy", treaty=LISBON, articles=(1,)),
        "Italy reveals the Treaty of Lisbon of Italy and Germany: Germany pays Italy £3. Italy pays Germany £4.",
    ),
    (
        events.TreatyRevealed(id="kq7da", power="italy", treaty=replace(LISBON, shown=(1,))),
        "Italy reveals the Treaty of Lisbon of Italy and Germany: Germany pays Italy £3. Italy pays Germany £4.",
    ),
    (events.LapseAgreed(id="kq7da", power="germany"), "Germany agrees to end the Treaty of Lisbon"),
    (
        events.ReleaseAgreed(id="kq7da", power="germany", who="germany"),
        "Germany asks to be released from the Treaty of Lisbon",
    ),
    (
        events.ReleaseAgreed(id="kq7da", power="germany", who="italy"),
        "Germany agrees that Italy leaves the Treaty of Lisbon",
    ),
    (events.SignatoryLeft(id="kq7da", power="italy", reason="of itself"), "Italy leaves the Treaty of Lisbon"),
    (events.ClauseDone(id="kq7da", clause=0), "Article 1 of the Treaty of Lisbon is carried out"),
    (events.ClauseDone(id="kq7da", clause=-1), "The Treaty of Lisbon is carried out"),
    (events.ClauseFellDue(id="kq7da", clause=1, turn=2), "Article 2 of the Treaty of Lisbon falls due"),
    (
        events.TreatyBroken(id="kq7da", clause=1, power="italy", turn=2),
        "Italy breaks article 2 of the Treaty of Lisbon",
    ),
    (
        events.TreatyBroken(id="kq7da", clause=1, power="italy", turn=2, what="it has not paid"),
        "Italy breaks article 2 of the Treaty of Lisbon: it has not paid",
    ),
    (
        events.BreachOpened(id="kq7da", clause=0, power="germany"),
        "All Powers learn that Germany broke article 1 of the Treaty of Lisbon",
    ),
    (
        events.BreachCharged(id="kq7da", clause=0, power="italy", against="germany", turn=2),
        "Italy charges Germany with breaking article 1 of the Treaty of Lisbon",
    ),
    (
        events.BreachCharged(id="kq7da", clause=0, power="italy", against="germany", turn=2, referee=True),
        "Italy charges Germany with breaking article 1 of the Treaty of Lisbon; the other seats judge",
    ),
    (
        events.BreachJudged(id="kq7da", clause=0, power="japan", against="germany", guilty=True),
        "Japan finds Germany guilty of breaking article 1 of the Treaty of Lisbon",
    ),
    (
        events.BreachJudged(id="kq7da", clause=0, power="japan", against="germany", guilty=False),
        "Japan finds Germany innocent of breaking article 1 of the Treaty of Lisbon",
    ),
    (
        events.ChargeClosed(id="kq7da", clause=0, against="germany", guilty=True),
        "Germany is found guilty of breaking article 1 of the Treaty of Lisbon",
    ),
    (
        events.ChargeClosed(id="kq7da", clause=0, against="germany", guilty=False),
        "Germany is not found guilty of breaking article 1 of the Treaty of Lisbon",
    ),
    (events.BallotCast(seat="united_states"), "The United States casts a ballot"),
    (
        events.BallotsOpened(proposal="p1", votes={"italy": "yes", "united_states": "no"}),
        "The ballots are opened: Italy yes, the United States no.",
    ),
    (events.CongressChanged(congress=Congress(1, "france", "britain", ()), note="As it is said."), "As it is said."),
    (events.CongressBesideWar(to="set_aside"), "The Congress of Europe stays open during the War."),
]
