"""What comes of a Congress of Europe: its Treaty, what does not bind outsiders, defiance, failure, and what is removed.

Whoever holds a Casus Belli may declare War before markers are removed: that is `to_arms`.

Rules: CON-028 to CON-041, ETI-016, ETI-017, ETI-018, ETI-032, MIN-037, MIN-038, MIN-043, NEG-006
(R-CON-07, R-CON-08, R-CON-10, R-CON-11, R-CON-12, Decision 17)
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import at
from paxtui.pax.clauses.kinds import at_once
from paxtui.pax.combat import retreats
from paxtui.pax.congress import conflicts, to_arms
from paxtui.pax.congress.conflicts import Conflict
from paxtui.pax.congress.proposals import check_proposal
from paxtui.pax.congress.signatures import parties_to
from paxtui.pax.congress.sitting import change, current, sitting
from paxtui.pax.diplomacy import disputes, settlement, unsettled
from paxtui.pax.history import events as ev
from paxtui.pax.play import casus_belli, secrecy
from paxtui.pax.play.play import Play
from paxtui.pax.state.congress import ARMS, DONE, OVER, PROPOSE, REFUSED, Proposal
from paxtui.pax.state.pieces import CONTROL, INFLUENCE, LEVEL
from paxtui.pax.state.treaty import CONGRESS, Clause, Treaty
from paxtui.pax.treaties import ending
from paxtui.pax.words.spoken import all_of, place_name, sentence, the_powers, the_proposal

REFUSER = 2
"""Points of tension for each disputant that refuses (ETI-017)."""


# --- the Treaty takes effect, or not ------------------------------------------------------------------------------


def conclude(play: Play) -> None:
    """All who are asked have answered: the Treaty takes effect, or it was defied.

    Raises: GameOver.
    Rules: CON-028, CON-030, CON-031, CON-032, CON-033 (Decision 40)
    """
    congress = sitting(play)
    proposal = current(congress)
    called = the_proposal(play.tables, proposal.name)
    obliged = parties_to(play.tables, play.state, proposal)
    refusers = tuple(p for p in proposal.refused if p in obliged)
    if refusers:
        _defied(play, proposal, refusers)
        return
    fallen = tuple(
        n
        for n, clause in enumerate(proposal.clauses)
        if any(p not in proposal.signed for p in conflicts.concerned(play.tables, play.state, (clause,)))
    )
    kept = tuple(c for n, c in enumerate(proposal.clauses) if n not in fallen)
    try:
        _take_effect(play, proposal, kept)
    except Refusal as refusal:
        change(
            play,
            sentence(f"{called} cannot take effect: {refusal.message}"),
            ("CON-014", "CON-027"),
            step=PROPOSE,
            current="",
            proposals=congress.with_proposal(replace(proposal, stage=REFUSED, fallen=fallen)),
        )
        return
    note = sentence(f"{called} takes effect")
    if fallen:
        numbers = ", ".join(str(n + 1) for n in fallen)
        note = sentence(f"{called} takes effect without article {numbers}, which binds nobody who has not signed")
    change(
        play,
        note,
        ("CON-028", "CON-031") if fallen else ("CON-028",),
        step=PROPOSE,
        current="",
        proposals=congress.with_proposal(replace(proposal, stage=DONE, fallen=fallen)),
    )
    if not conflicts.before_it(play.state):
        close_session(play, "settled")


def _take_effect(play: Play, proposal: Proposal, kept: tuple[Clause, ...]) -> None:
    """Do what is done at once, write the Treaty down, and end the disputes that are settled, whatever their cause.

    Raises: Refusal, when the rules do not allow it any more; GameOver.
    Rules: CON-016 to CON-020, CON-023, CON-028, CON-041, ETI-032, MIN-037 (Decision 41)
    """
    check_proposal(play, kept)
    settled = conflicts.settled_by(play.tables, play.state, kept)
    now = tuple(c for c in kept if at_once(c))
    settlement.carry_out(play, now, ("CON-028",), congress=True, parties=proposal.signed)
    _write_down(play, proposal, kept)
    over = {cause.id for conflict in settled for cause in conflict.causes}
    for cause in play.state.casus_belli:
        if cause.id in over or not casus_belli.holds(play.state, cause):
            play.emit(ev.CasusBelliEnded(id=cause.id, reason="settled", rules=("CON-028",)))


def _write_down(play: Play, proposal: Proposal, kept: tuple[Clause, ...]) -> None:
    """The Treaty of the Congress is a Treaty in force like any other; a Minor Power's signature is in it too.

    Rules: CON-028, MIN-037 (Decision 46)
    """
    turn = play.state.turn
    parties = tuple(p for p in proposal.signed if p in play.tables.powers)  # the Ottoman Empire keeps no Treaties
    id_ = secrecy.private_id("", turn, proposal.proposer, proposal.signed, proposal.id, proposal.name)
    treaty = Treaty(
        id=id_,
        name=proposal.name,
        form=CONGRESS,
        drafter=proposal.proposer,
        parties=parties,
        clauses=kept,
        public=True,
        signed=parties,
        drafted=turn,
    )
    play.emit(ev.TreatyDrafted(treaty=treaty, rules=("CON-028",)))
    play.emit(ev.TreatyInForce(id=id_, turn=turn, rules=("CON-028",)))
    for n, clause in enumerate(kept):
        if at_once(clause):
            play.emit(ev.ClauseDone(id=id_, clause=n, rules=("CON-028",)))
    ending.end_what_is_over(play, id_, ("CON-028",))


def _defied(play: Play, proposal: Proposal, refusers: tuple[str, ...]) -> None:
    """A disputant has refused: every other member has a Casus Belli against it, and a Minor Power that it wrongs
    declares War. The Congress goes on with other disputes; where none is left, it will be over when all have said
    whether they declare War.

    Raises: GameOver.
    Rules: CON-010, CON-011, CON-030, CON-033, CON-034, MIN-044 (R-CON-07, Decision 41)
    """
    congress = sitting(play)
    lost = conflicts.would_settle(play.tables, play.state, proposal.clauses)
    called = the_proposal(play.tables, proposal.name)
    change(
        play,
        sentence(f"{the_powers(play.tables, refusers)} will not sign {called}: nothing of it takes effect"),
        ("CON-029", "CON-033"),
        refusers=tuple(dict.fromkeys((*congress.refusers, *refusers))),
        defied=(*congress.defied, *(cause.id for conflict in lost for cause in conflict.causes)),
        proposals=congress.with_proposal(replace(proposal, stage=REFUSED)),
    )
    for refuser in refusers:
        for member in congress.members:
            casus_belli.arise(play, member, refuser, "", "congress_treaty_refused", ("CON-030",))
    left = conflicts.negotiable(play.state)
    if left:
        change(play, _goes_on(play, left), ("CON-010", "CON-011"), step=PROPOSE, current="")
    else:
        change(play, "", ("CON-033",), step=ARMS)
    to_arms.defended(play, refusers)


def _goes_on(play: Play, left: tuple[Conflict, ...]) -> str:
    """What the Congress turns to after a defiance. Rules: CON-011."""
    areas = tuple(dict.fromkeys(place_name(play.tables, conflict.area) for conflict in left if conflict.area))
    over = f" over {all_of(areas)}" if areas else ""
    return f"The Congress goes on with what is left: the dispute{'s' * (len(left) > 1)}{over}."


# --- the end ------------------------------------------------------------------------------------------------------


def close_session(play: Play, outcome: str) -> None:
    """The Congress is over. Where it has not settled everything the tensions rise, and markers are removed.

    Raises: GameOver.
    Rules: CON-035, CON-038, ETI-016, ETI-017, ETI-018 (R-CON-06, R-CON-07, R-CON-08)
    """
    congress = sitting(play)
    left = conflicts.before_it(play.state)
    text = {
        "settled": "The Congress of Europe has settled what was before it.",
        "refused": "The Congress of Europe is over: a Treaty of it was defied.",
        "failed": "The Congress of Europe is over without a Treaty.",
        "war": "The Congress of Europe is over: what is left of it will be decided by War.",
    }[outcome]
    rules = ("CON-028",) if outcome == "settled" else ("CON-033", "CON-038")
    change(play, text, rules, step=OVER, outcome=outcome, current="")
    for conflict in left:
        blame = ""
        if conflicts.defied(play.state, conflict):
            blame = next((r for r in congress.refusers if r in conflict.parties), congress.refusers[0])
        to_arms.unresolved(play, conflict, blame)
    for refuser in congress.refusers:
        play.tension(REFUSER, "refuses to sign a Treaty of the Congress", ("ETI-017", "ETI-018"), refuser)
    for area in dict.fromkeys(conflict.area for conflict in left if conflict.area):
        remove(play, area, tuple(conflict for conflict in left if conflict.area == area))


def remove(play: Play, area: str, left: tuple[Conflict, ...]) -> None:
    """Nobody goes to War over an Area: what stands there against the rules goes, of those who held the original
    Casus Belli in what is left open.

    Who held none keeps his marker, even if he is the one who refused; so does whoever is there lawfully, and whose
    dispute was settled. Units left illegally go home, and the Casus Belli ends.

    Raises: GameOver.
    Rules: CON-035, CON-036, CON-037, ETI-013, WEN-043 (R-CON-11, R-CON-12, R-WEN-08, Decisions 17, 41 and 45)
    """
    holders = {cause.holder for conflict in left for cause in conflict.causes}
    illegal = (*disputes.intruders(play.state, area), *disputes.overruled(play.state, area))
    fought = disputes.at_stake(play.state, area)
    losers = [p for p in play.tables.powers if p in holders and p in illegal and p not in fought]
    blames = {p: disputes.placer(play.state, area, p) for p in losers}
    whole = play.state.options.l547_full_removal
    for power in losers:
        for marker in at(play.state, area).markers:
            if marker.power != power or not marker.established or LEVEL[marker.marker] < LEVEL[INFLUENCE]:
                continue
            others = tuple(p for p in losers if p != power)
            to = "" if whole else disputes.best_beside(play.state, area, power, others)
            rules = ("CON-036", "CON-035")
            play.lower(area, power, marker.marker, to, "not defended by War", rules, blames[power])
    unsettled.minors_give_way(play, area)
    unsettled.settle_by_default(play, area)
    _send_home(play, area)
    # victors may fight over their spoils at once
    ended = {c.id for conflict in left for c in conflict.causes if c.cause != casus_belli.SPOILS}
    for cause in play.state.casus_belli:
        if cause.id in ended:
            play.emit(ev.CasusBelliEnded(id=cause.id, reason="lapsed", rules=("CON-037",)))
    casus_belli.settle(play, area, ("CON-037",))  # one that arose in the Congress ends with its marker (L547)


def _send_home(play: Play, area: str) -> None:
    """Military Units in the Area whose owner has no Control there go to their Home Country.

    Rules: CON-037
    """
    owners = {m.power for m in at(play.state, area).markers if m.established and m.marker in CONTROL}
    for power in dict.fromkeys(u.power for u in at(play.state, area).units if u.power not in owners):
        if power not in play.tables.homes:
            continue
        retreats.send_home(play, power, area, ("CON-037",))
