"""The outcome of a Congress of Europe: its Treaty, defiance, declarations of War, failure, and removal of markers.

Holders of a Casus Belli may declare War before markers are removed.
"""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax import casus_belli, visibility
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import area_state, powers_of
from paxtui.games.pax.clauses.registry import is_immediate
from paxtui.games.pax.combat import results
from paxtui.games.pax.congress import calling
from paxtui.games.pax.congress.calling import Conflict
from paxtui.games.pax.congress.proposals import (
    check_proposal,
    current_congress,
    current_proposal,
    settling_parties,
    update_congress,
)
from paxtui.games.pax.diplomacy import disputes, settlement
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion.placement import best_compatible_marker
from paxtui.games.pax.state.diplomacy import ARMS, CONGRESS, DONE, OVER, PROPOSE, REFUSED, Clause, Proposal, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import INFLUENCE, LEVEL
from paxtui.games.pax.state.questions import CongressQuestion, Defiance, Pending
from paxtui.games.pax.text.display import join_with_and, place_name, sentence, the_power, the_powers, the_proposal
from paxtui.games.pax.transaction import ActTable, Transaction, single_answer, void_choices
from paxtui.games.pax.treaties import lifecycle
from paxtui.games.pax.war import calls, declarations

UNRESOLVED_TENSION = 3
"""Points of tension for each Casus Belli that a Congress leaves unresolved (ETI-016)."""
PASS = "pass"
REFUSAL_TENSION = 2
"""Points of tension for each disputant that refuses (ETI-017)."""


def declare_war_in_congress(play: Transaction, power: str, action: actions.DeclareWar) -> None:
    """Declare War in a Congress; the disputes between the two Powers are then not resolved there.

    Raises: Refusal, as `declarations.declare_war`; GameOver.
    Rules: CON-027, CON-034, WAR-044, WAR-046, ETI-016, ETI-018 (R-CON-08)
    """
    left = [c for c in calling.open_conflicts(play.state) if power in c.pair and c.pair & set(action.on)]
    causes = declarations.check_declaration(play, power, action)
    over = (*(cause.area for cause in causes), *_defied_areas(play.state, action.on))
    for conflict in left:
        record_unresolved(play, conflict, power)
    declarations.queue_declaration(play, power, action.on, tuple(dict.fromkeys(over)))


def _defied_areas(state: State, on: tuple[str, ...]) -> tuple[str, ...]:
    """Return the disputed Areas whose settlement these Powers refused to sign: the War on them decides these Areas.

    Rules: CON-034, CON-035 (Decision 75)
    """
    refusers = set(on) & set(state.congress.refusers) if state.congress else set()
    left = calling.open_conflicts(state)
    return tuple(c.area for c in left if c.area and calling.is_defied(state, c) and refusers & c.parties)


def record_unresolved(play: Transaction, conflict: Conflict, blame: str) -> None:
    """Raise the tensions for the disputes that the Congress leaves unresolved.

    Raises: GameOver.
    Rules: ETI-016, ETI-018 (R-CON-07, R-CON-08)
    """
    where = f" over {place_name(play.tables, conflict.area)}" if conflict.area else ""
    what = f"the Congress leaves a Casus Belli{where} unresolved"
    play.tension(UNRESOLVED_TENSION, what, ("ETI-016", "ETI-018"), blame, conflict.area)


def void_questions(play: Transaction) -> None:
    """Cancel the open questions of the Congress. Rules: CON-027."""
    void_choices(play, [c for c in play.state.choices if isinstance(c.about, CongressQuestion)], "CON-027")


def ask_for_declarations(play: Transaction) -> None:
    """Ask each holder of a Casus Belli whether it declares War, before markers are removed.

    Rules: CON-034, CON-035, CON-036, MIN-038
    """
    for seat in play.state.players:
        for power in powers_of(play.tables, play.state, seat):
            _offer_declarations(play, power, _declaration_orders(play, power))


def renew_declaration_questions(play: Transaction) -> None:
    """Replace the questions that offer a declaration made impossible by another War. Rules: CON-034, WAR-042."""
    for choice in play.state.choices:
        if not isinstance(choice.about, Defiance):
            continue
        orders = _declaration_orders(play, choice.power)
        if not {*choice.options, PASS} <= {*orders, PASS}:
            play.emit(events.ChoiceMade(id=choice.id, void=True, rules=("WAR-042",)))
            _offer_declarations(play, choice.power, orders)


def _declaration_orders(play: Transaction, power: str) -> tuple[str, ...]:
    causes = declarations.usable_causes(play.tables, play.state, power)
    count = Counter(cause.against for cause in causes)
    return tuple(f"declare war {c.against}" + (f" over {c.id}" if count[c.against] > 1 else "") for c in causes)


def _offer_declarations(play: Transaction, power: str, orders: tuple[str, ...]) -> None:
    if not orders:
        return
    play.offer(
        power,
        Defiance(),
        (*orders, PASS),
        PASS,
        "",
        f"The Congress has not settled everything: does {the_power(play.tables, power)} declare War? "
        f"A marker whose Casus Belli is not used may have to go.",
        ("CON-034", "CON-035", "CON-036"),
    )


def answer_declaration(play: Transaction, choice: Pending, about: Defiance, words: tuple[str, ...]) -> None:
    """Declare War as the holder of a Casus Belli, or decline.

    Raises: Refusal `bad_answer`, or as the declaration; GameOver.
    Rules: CON-034, CON-035
    """
    word = single_answer(choice, words)
    if word != PASS:
        against, _, over = word.removeprefix("declare war ").partition(" over ")
        declare_war_in_congress(
            play, choice.power, actions.DeclareWar((against,), (over,) if over else (), choice.power)
        )


def declare_for_wronged_minor(play: Transaction, refusers: tuple[str, ...]) -> None:
    """Declare War for a Minor Power on the Great Power that defies a ruling against it, and call its defenders.

    Raises: GameOver.
    Rules: MIN-044, MIN-045
    """
    causes = [c for c in calling.defence_causes(play.state) if c.against in refusers]
    for minor, against in dict.fromkeys((c.minor, c.against) for c in causes):
        declarations.declare_war_of_minor(play, minor, against, causes[0].area)
        for cause in causes:
            if (cause.minor, cause.against) == (minor, against):
                calls.ask_defender(play, cause.holder, minor, against)


def conclude_proposal(play: Transaction) -> None:
    """Conclude a proposal after the last answer: the Treaty takes effect, or it is defied.

    Raises: GameOver.
    Rules: CON-028, CON-030, CON-031, CON-032, CON-033 (Decision 40)
    """
    congress = current_congress(play)
    proposal = current_proposal(congress)
    called = the_proposal(play.tables, proposal.name)
    obliged = settling_parties(play.tables, play.state, proposal)
    refusers = tuple(p for p in proposal.refused if p in obliged)
    if refusers:
        _record_defiance(play, proposal, refusers)
        return
    fallen = tuple(
        n
        for n, clause in enumerate(proposal.clauses)
        if any(p not in proposal.signed for p in calling.concerned_powers(play.tables, play.state, (clause,)))
    )
    kept = tuple(c for n, c in enumerate(proposal.clauses) if n not in fallen)
    try:
        _take_effect(play, proposal, kept)
    except Refusal as refusal:
        update_congress(
            play,
            sentence(f"{called} cannot take effect: {refusal.message}"),
            ("CON-014", "CON-027"),
            step=PROPOSE,
            current="",
            proposals=congress.with_proposal(replace(proposal, stage=REFUSED, fallen=fallen)),
        )
        return
    numbers = ", ".join(str(n + 1) for n in fallen)
    without = f" without article {numbers}, which binds nobody who has not signed" if fallen else ""
    update_congress(
        play,
        sentence(f"{called} takes effect{without}"),
        ("CON-028", "CON-031") if fallen else ("CON-028",),
        step=PROPOSE,
        current="",
        proposals=congress.with_proposal(replace(proposal, stage=DONE, fallen=fallen)),
    )
    if not calling.open_conflicts(play.state):
        close_session(play, "settled")


def _take_effect(play: Transaction, proposal: Proposal, kept: tuple[Clause, ...]) -> None:
    """Carry out the immediate acts, record the Treaty, and end the settled disputes, whatever their cause.

    Raises: Refusal, if the rules no longer allow an act; GameOver.
    Rules: CON-016 to CON-020, CON-023, CON-028, CON-041, ETI-032, MIN-037 (Decision 41)
    """
    check_proposal(play, kept)
    settled = calling.conflicts_settled(play.tables, play.state, kept)
    now = tuple(c for c in kept if is_immediate(c))
    settlement.carry_out_settlement(play, now, ("CON-028",), congress=True, parties=proposal.signed)
    _record_treaty(play, proposal, kept)
    over = {cause.id for conflict in settled for cause in conflict.causes}
    for cause in play.state.casus_belli:
        if cause.id in over or not casus_belli.is_supported(play.state, cause):
            play.emit(events.CasusBelliEnded(id=cause.id, reason="settled", rules=("CON-028",)))


def _record_treaty(play: Transaction, proposal: Proposal, kept: tuple[Clause, ...]) -> None:
    """Record the Treaty of the Congress as a Treaty in force, with the signatures of Minor Powers.

    Rules: CON-028, MIN-037 (Decision 46)
    """
    turn = play.state.turn
    parties = tuple(p for p in proposal.signed if p in play.tables.powers)  # the Ottoman Empire signs no Treaties
    id_ = visibility.private_id("", turn, proposal.proposer, proposal.signed, proposal.id, proposal.name)
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
    play.emit(events.TreatyDrafted(treaty=treaty, rules=("CON-028",)))
    play.emit(events.TreatyInForce(id=id_, turn=turn, rules=("CON-028",)))
    for n, clause in enumerate(kept):
        if is_immediate(clause):
            play.emit(events.ClauseDone(id=id_, clause=n, rules=("CON-028",)))
    lifecycle.end_finished_treaty(play, id_, ("CON-028",))


def _record_defiance(play: Transaction, proposal: Proposal, refusers: tuple[str, ...]) -> None:
    """Record that a disputant has refused to sign.

    Each other member gains a Casus Belli against it. A wronged Minor Power declares War. The Congress continues with
    other disputes; without any, it ends after the last answer about War.
    """
    congress = current_congress(play)
    lost = calling.conflicts_settled_if_possible(play.tables, play.state, proposal.clauses)
    called = the_proposal(play.tables, proposal.name)
    update_congress(
        play,
        sentence(f"{the_powers(play.tables, refusers)} will not sign {called}: nothing of it takes effect"),
        ("CON-029", "CON-033"),
        refusers=tuple(dict.fromkeys((*congress.refusers, *refusers))),
        defied=(*congress.defied, *(cause.id for conflict in lost for cause in conflict.causes)),
        proposals=congress.with_proposal(replace(proposal, stage=REFUSED)),
    )
    for refuser in refusers:
        for member in congress.members:
            casus_belli.create_casus_belli(play, member, refuser, "", "congress_treaty_refused", ("CON-030",))
    left = calling.negotiable_conflicts(play.state)
    if left:
        areas = tuple(dict.fromkeys(place_name(play.tables, conflict.area) for conflict in left if conflict.area))
        over = f" over {join_with_and(areas)}" if areas else ""
        note = f"The Congress goes on with what is left: the dispute{'s' * (len(left) > 1)}{over}."
        update_congress(play, note, ("CON-010", "CON-011"), step=PROPOSE, current="")
    else:
        update_congress(play, "", ("CON-033",), step=ARMS)
    declare_for_wronged_minor(play, refusers)


def close_session(play: Transaction, outcome: str) -> None:
    """Close the Congress. If disputes are left, the tensions rise and markers are removed.

    Raises: GameOver.
    Rules: CON-035, CON-038, ETI-016, ETI-017, ETI-018 (R-CON-06, R-CON-07, R-CON-08)
    """
    congress = current_congress(play)
    left = calling.open_conflicts(play.state)
    text = {
        "settled": "The Congress of Europe has settled what was before it.",
        "refused": "The Congress of Europe is over: a Treaty of it was defied.",
        "failed": "The Congress of Europe is over without a Treaty.",
        "war": "The Congress of Europe is over: what is left of it will be decided by War.",
    }[outcome]
    rules = ("CON-028",) if outcome == "settled" else ("CON-033", "CON-038")
    update_congress(play, text, rules, step=OVER, outcome=outcome, current="")
    for conflict in left:
        blame = ""
        if calling.is_defied(play.state, conflict):
            blame = next((r for r in congress.refusers if r in conflict.parties), congress.refusers[0])
        record_unresolved(play, conflict, blame)
    for refuser in congress.refusers:
        play.tension(REFUSAL_TENSION, "refuses to sign a Treaty of the Congress", ("ETI-017", "ETI-018"), refuser)
    for area in dict.fromkeys(conflict.area for conflict in left if conflict.area):
        remove_disputed_markers(play, area, tuple(conflict for conflict in left if conflict.area == area))


def remove_disputed_markers(play: Transaction, area: str, left: tuple[Conflict, ...]) -> None:
    """Remove the illegal markers in Areas of disputes left open, if no War decides the Area.

    Only markers of holders of the original Casus Belli are removed. Powers without one keep their markers, even if they
    refused to sign. Lawful markers and markers of settled disputes stay. Illegal Units go home, and the Casus Belli
    ends.

    Raises: GameOver.
    Rules: CON-035, CON-036, CON-037, ETI-013, WEN-043 (R-CON-11, R-CON-12, R-WEN-08, Decisions 17, 41 and 45)
    """
    holders = {cause.holder for conflict in left for cause in conflict.causes}
    illegal = (*disputes.unlawful_controllers(play.state, area), *disputes.overruled_influences(play.state, area))
    fought = disputes.powers_at_war_over(play.state, area)
    losers = [p for p in play.tables.powers if p in holders and p in illegal and p not in fought]
    blames = {p: disputes.pressing_power(play.state, area, p) for p in losers}
    is_full = play.state.options.l547_full_removal
    for power in losers:
        for marker in area_state(play.state, area).markers:
            if marker.power != power or not marker.established or LEVEL[marker.marker] < LEVEL[INFLUENCE]:
                continue
            others = tuple(p for p in losers if p != power)
            to = "" if is_full else best_compatible_marker(play.state, area, power, others)
            rules = ("CON-036", "CON-035")
            play.lower(area, power, marker.marker, to, "not defended by War", rules, blames[power])
    disputes.lower_minor_influences(play, area)
    disputes.settle_area_by_default(play, area)
    for place, power in results.units_without_control(play.state):
        if place == area and power in play.tables.homes:
            results.send_home(play, power, area, ("CON-037",))
    # victors may fight over their spoils at once
    ended = {c.id for conflict in left for c in conflict.causes if c.cause != casus_belli.SPOILS}
    for cause in play.state.casus_belli:
        if cause.id in ended:
            play.emit(events.CasusBelliEnded(id=cause.id, reason="lapsed", rules=("CON-037",)))
    casus_belli.settle_causes(play, area, ("CON-037",))  # one that arose in the Congress ends with its marker (L547)


ACTS: ActTable = {actions.DeclareWar: {"congress": declare_war_in_congress}}
