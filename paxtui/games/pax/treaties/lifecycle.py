"""The life of a Treaty: draft, signature, publication, and end.

Only the parties know of an agreement that is not public. A settlement of the Negotiation Phase is done at once or not
at all. Proposals to a Congress of Europe are tabled in `paxtui.games.pax.congress`.
"""

from __future__ import annotations

from collections.abc import Iterable

from paxtui.games.pax import visibility
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import is_abandoned, seat_of
from paxtui.games.pax.clauses import registry
from paxtui.games.pax.clauses.exchanges import PEACE
from paxtui.games.pax.clauses.notation import text_of_clause
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS, is_immediate
from paxtui.games.pax.diplomacy import settlement
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import CONGRESS, DRAFT, IN_FORCE, SETTLEMENT, TREATY, Clause, Treaty
from paxtui.games.pax.state.phases import PHASES
from paxtui.games.pax.text.display import phase_name, power_name, powers_text
from paxtui.games.pax.text.parsing import MAX_NAME_LENGTH, in_table_order
from paxtui.games.pax.transaction import ActTable, Transaction, refuse
from paxtui.games.pax.treaties import breaches, lookup
from paxtui.games.pax.treaties.breaches import is_done
from paxtui.games.pax.treaties.lookup import article_index, binding_treaty, hidden_articles, open_draft, own_treaty

MOST_DRAFTS = 12
"""Maximum number of open drafts of one Power."""


def draft_treaty(play: Transaction, power: str, action: actions.Draft) -> None:
    """Draft an agreement, sign it, and offer it to its parties. With `instead` it replaces an open draft.

    Raises: Refusal.
    Rules: TRE-002, TRE-004, TRE-005, TRE-006, TRE-011, TRE-013, AUS-002, MIN-002 (R-NEG-08, R-TRE-08)
    """
    tables, state = play.tables, play.state
    old = open_draft(play, power, action.instead) if action.instead else None
    if old is not None and old.form == CONGRESS:
        refuse("not_a_draft", ("TRE-002",), "To answer a proposal of a Congress, make your own proposal.")
    form = old.form if old else action.form
    named = action.parties or (old.parties if old else ())
    parties = in_table_order(tables.powers, (power, *named))
    _check_parties(play, power, named, parties)
    _check_words(play, action)
    registry.check_clauses(tables, state, parties, action.clauses, form)
    _check_agreement(play, parties, action.clauses, form)
    waiting = [t for t in state.treaties if t.stage == DRAFT and t.drafter == power and t is not old]
    if len(waiting) >= MOST_DRAFTS:
        refuse("too_many", (), f"You have {MOST_DRAFTS} open drafts, the maximum. Withdraw one first.")
    name = action.name or (old.name if old else "")
    if not name and form == TREATY:
        name = lookup.propose_name(tables, state, seat_of(tables, state, power), parties)
    public = action.public or (old is not None and (old.public or old.publish))
    treaty = Treaty(
        id=_new_treaty_id(play, power, parties, action.clauses, name, form, old),
        name=name,
        form=form,
        drafter=power,
        parties=parties,
        clauses=action.clauses,
        public=public and not play.by_mail,
        publish=public and play.by_mail,
        signed=(power,),
        drafted=state.turn,
        # new parties do not learn of the old draft
        instead=action.instead if old is not None and set(parties) <= set(old.parties) else "",
    )
    if old is not None:
        play.emit(events.TreatyEnded(id=old.id, reason="superseded", rules=("TRE-002",)))
    play.emit(events.TreatyDrafted(treaty=treaty, rules=drafting_rules(form)))


def drafting_rules(form: str) -> tuple[str, ...]:
    """Return the rules for an agreement of this form."""
    return ("TRE-002", "TRE-004") if form == TREATY else ("NEG-013", "TRE-002")


def _check_parties(play: Transaction, power: str, named: tuple[str, ...], parties: tuple[str, ...]) -> None:
    tables, state = play.tables, play.state
    for party in named:
        if party not in tables.powers:
            refuse("unknown_power", (), f"There is no Power {party!r}.")
    minors = tuple(p for p in parties if not seat_of(tables, state, p))
    if minors and any(war.side_of(p) for p in minors for war in state.wars):
        refuse(
            "no_peace_for_minor",
            ("WEN-045", "WEN-046", "MIN-002"),
            f"A Minor Power cannot sign: leave out {powers_text(tables, minors)}. It accepts the peace of "
            "its Great Power allies; without such an ally it fights on.",
        )
    if minors:
        refuse(
            "minor",
            ("MIN-002", "TRE-002"),
            f"A Minor Power can sign only in a Congress of Europe: leave out {powers_text(tables, minors)}.",
        )
    if len(parties) < 2:
        refuse(
            "alone",
            ("TRE-001", "TRE-002"),
            f"{power_name(tables, power)} cannot make a Treaty alone. Name another Power.",
        )


def _check_words(play: Transaction, action: actions.Draft) -> None:
    if not action.clauses and (action.form != TREATY or not play.state.options.unwritten_treaties):
        refuse(
            "no_clauses",
            ("TRE-002", "TRE-003"),
            "The Treaty has no clauses. Add them after a colon, as in 'treaty Rome with italy: defensive'.",
        )
    if action.public and action.clauses and all(clause.secret for clause in action.clauses):
        refuse(
            "nothing_open",
            ("TRE-011",),
            "A public Treaty needs a public article. If all articles are secret, do not make it public.",
        )
    if len(action.name) > MAX_NAME_LENGTH:
        refuse("name", (), f"A name has at most {MAX_NAME_LENGTH} characters.")


def _check_agreement(play: Transaction, parties: tuple[str, ...], clauses: tuple[Clause, ...], form: str) -> None:
    """Check that all required Powers sign, and that a settlement is possible now.

    Rules: TRE-002, NEG-019, SEQ-001, WEN-046, ORD-047 (R-NEG-08, R-ORD-25, Decision 23)
    """
    now = tuple(c for c in clauses if is_immediate(c))
    settlement.check_signers(play, parties, now)
    if form == SETTLEMENT:
        check_phase(play, form, clauses)
        settlement.check_settlement(play, now, parties=parties)
    abandoned = tuple(p for p in parties if is_abandoned(play.tables, play.state, p))
    if abandoned and any(c.kind == PEACE.id for c in now):
        refuse(
            "abandoned_signer",
            ("WEN-046", "ORD-047"),
            f"An abandoned Power cannot sign: leave out {powers_text(play.tables, abandoned)}. It accepts the "
            "peace that its Great Power allies sign.",
        )


def check_phase(play: Transaction, form: str, clauses: tuple[Clause, ...]) -> None:
    """Check that immediate acts are allowed in this Phase. Peace may be made in each Phase of the War.

    Raises: Refusal `wrong_phase`.
    Rules: SEQ-001, NEG-013, STA-034, MOV-020, WEN-036 (Decision 76)
    """
    phase = play.state.phase
    if any(c.kind == PEACE.id for c in clauses):
        return
    if form == SETTLEMENT and phase != "negotiation":
        refuse(
            "wrong_phase",
            ("SEQ-001", "NEG-013"),
            f"A settlement is possible only in the {phase_name('negotiation')} Phase; this is the "
            f"{phase_name(phase)} Phase. You can draft a Treaty at any time.",
            phase=phase,
            allowed=["negotiation"],
        )
    for number, clause in enumerate(clauses, 1):
        allowed = CLAUSE_KINDS[clause.kind].phases
        if is_immediate(clause) and phase not in allowed:
            wanted = " or ".join(phase_name(p) for p in allowed)
            refuse(
                "wrong_phase",
                ("SEQ-001", "TRE-004"),
                f"Article {number} takes effect when all have signed, which is possible only in the "
                f"{wanted} Phase. This is the {phase_name(phase)} Phase. Sign later, or give the article a "
                "date.",
                phase=phase,
                allowed=list(allowed),
            )


def _new_treaty_id(
    play: Transaction,
    power: str,
    parties: tuple[str, ...],
    clauses: tuple[Clause, ...],
    name: str,
    form: str,
    old: Treaty | None,
) -> str:
    """Return an id made from the public text, so that no id reveals a secret article or a number of Treaties.

    Raises: Refusal `drafted_already`, if an identical draft is open.
    """
    text = "; ".join(text_of_clause(play.tables, c) for c in clauses if not c.secret)
    for attempt in range(100):
        id_ = visibility.private_id("", play.state.turn, power, parties, text, name, form, attempt)
        same = play.state.treaty(id_)
        if same is None:
            return id_
        if same.stage == DRAFT and same is not old and same.clauses == clauses:
            refuse("drafted_already", ("TRE-002",), f"The same draft is already waiting for signatures ({id_}).")
    raise AssertionError("100 agreements with the same text")


def agree_to_lapse(play: Transaction, power: str, action: actions.Lapse) -> None:
    """Agree that a Treaty ends; it ends without penalty when all have agreed.

    Raises: Refusal `permanent`, `minor`, `agreed`.
    Rules: TRE-014, AUS-003
    """
    treaty = binding_treaty(play, power, action.id)
    _check_not_permanent(play, treaty)
    _check_no_minor_power(play, treaty, "TRE-014")
    if power in treaty.lapse:
        refuse("agreed", ("TRE-014",), "You have already agreed to that.")
    play.emit(events.LapseAgreed(id=treaty.id, power=power, rules=("TRE-014",)))
    _end_if_all_agree(play, treaty.id)


def _end_if_all_agree(play: Transaction, id_: str) -> None:
    treaty = play.state.treaty(id_)
    if treaty is not None and treaty.stage == IN_FORCE and set(treaty.bound) <= set(treaty.lapse):
        play.emit(events.TreatyEnded(id=id_, reason="lapsed", rules=("TRE-014",)))


def agree_to_release(play: Transaction, power: str, action: actions.Release) -> None:
    """Agree that a party leaves a Treaty without penalty; a party asks for it by its own agreement.

    Raises: Refusal `permanent`, `minor`, `not_bound`, `agreed`.
    Rules: TRE-015, AUS-003
    """
    treaty = binding_treaty(play, power, action.id)
    _check_not_permanent(play, treaty)
    _check_no_minor_power(play, treaty, "TRE-015")
    if action.who not in treaty.bound:
        refuse("not_bound", ("TRE-015",), f"{power_name(play.tables, action.who)} is not bound by that Treaty.")
    if power in treaty.release.get(action.who, ()):
        refuse("agreed", ("TRE-015",), "You have already agreed to that.")
    play.emit(events.ReleaseAgreed(id=treaty.id, power=power, who=action.who, rules=("TRE-015",)))
    agreed = {*treaty.release.get(action.who, ()), power}
    if set(treaty.bound) <= agreed:
        _leave_treaty(play, treaty, action.who, "released", "lapsed", "TRE-015")


def renounce_treaty(play: Transaction, power: str, action: actions.Renounce) -> None:
    """Leave a Treaty without consent, which breaks it.

    Both Powers of the permanent Alliance are free until it returns.

    Raises: Refusal; GameOver, if the tensions reach 100.
    Rules: TRE-007, TRE-012, TRE-016, ETI-027, AUS-005, AUS-006 (R-TRE-02, R-TRE-04)
    """
    treaty = binding_treaty(play, power, action.id)
    if lookup.is_permanent_pact(play.tables, play.state, treaty):
        lookup.record_pact(play, treaty)
        play.emit(events.TreatyEnded(id=treaty.id, reason="broken", rules=("AUS-005", "AUS-006")))
        breaches.break_clause(play, treaty, breaches.WHOLE_TREATY, power, "leaves it", ("TRE-016", "AUS-005"))
        return
    breaches.break_clause(play, treaty, breaches.WHOLE_TREATY, power, "leaves it", ("TRE-016",))
    _leave_treaty(play, treaty, power, "broken", "broken", "TRE-016")


def _leave_treaty(play: Transaction, treaty: Treaty, who: str, reason: str, end: str, rule: str) -> None:
    """Remove one party; a Treaty that binds no party towards another ends. `end`: the reason of its end."""
    play.emit(events.SignatoryLeft(id=treaty.id, power=who, reason=reason, rules=(rule,)))
    _drop_parties_without_partner(play, treaty.id, end, rule)
    _end_if_all_agree(play, treaty.id)


def end_between_enemies(play: Transaction, treaty: Treaty, pairs: Iterable[tuple[str, str]]) -> None:
    """End a Treaty between the two Powers of each pair; it goes on among the rest. Rules: WAR-041 (Decision 69)."""
    if len(treaty.bound) == 2:
        play.emit(events.TreatyEnded(id=treaty.id, reason="war", rules=("WAR-041",)))
        return
    for pair in pairs:
        play.emit(events.TreatyEndedBetween(id=treaty.id, powers=pair, rules=("WAR-041",)))
    _drop_parties_without_partner(play, treaty.id, "war", "WAR-041")


def _drop_parties_without_partner(play: Transaction, id_: str, end: str, rule: str) -> None:
    """Remove the parties that a Treaty binds towards no other; end it if it binds nobody. `end`: the reason."""
    treaty = play.state.treaty(id_)
    assert treaty is not None
    alone = [p for p in treaty.bound if not treaty.partners(p)]
    if len(alone) == len(treaty.bound):
        play.emit(events.TreatyEnded(id=id_, reason=end, rules=(rule,)))
        return
    for power in alone:
        play.emit(events.SignatoryLeft(id=id_, power=power, reason="war", rules=("WAR-041",)))


def _check_not_permanent(play: Transaction, treaty: Treaty) -> None:
    if lookup.is_permanent_pact(play.tables, play.state, treaty):
        refuse(
            "permanent",
            ("AUS-003",),
            "That Alliance is permanent. It can be broken, but it returns in the next Game Turn.",
        )


def _check_no_minor_power(play: Transaction, treaty: Treaty, rule: str) -> None:
    minors = tuple(p for p in treaty.bound if p in play.state.minors)
    if minors:
        refuse(
            "minor",
            (rule, "MIN-002"),
            "All parties would have to agree. A Minor Power agrees only in a Congress of Europe: "
            f"{powers_text(play.tables, minors)}.",
        )


def start_turn(play: Transaction) -> None:
    """Restore the permanent Alliance, drop unproven charges, and end finished Treaties at the start of a Game Turn.

    Rules: AUS-005, TRE-007, TRE-014 (R-TRE-01, R-AUS-01)
    """
    lookup.restore_pacts(play)
    for treaty in play.state.treaties:
        breaches.drop_old_charges(play, treaty)
        if treaty.stage == IN_FORCE and not lookup.is_permanent_pact(play.tables, play.state, treaty):
            end_finished_treaty(play, treaty.id, ("TRE-014",))


def end_finished_treaty(play: Transaction, id_: str, rules: tuple[str, ...]) -> None:
    """End a Treaty without open duties.

    If only secret articles are left, it ends for all but its parties, so that its end does not reveal them.

    Rules: TRE-004, TRE-011, TRE-014 (Decisions 49 and 72)
    """
    treaty = play.state.treaty(id_)
    if treaty is None or treaty.stage != IN_FORCE or not treaty.clauses:
        return
    left = {n for n in range(len(treaty.clauses)) if not _is_clause_finished(play, treaty, n)}
    secret = set(hidden_articles(treaty))
    if not left:
        play.emit(events.TreatyEnded(id=id_, reason="done", rules=rules))
    elif left <= secret and len(secret) < len(treaty.clauses) and not treaty.public_end:
        play.emit(events.TreatyEnded(id=id_, reason="done", openly=True, rules=rules))


def _is_clause_finished(play: Transaction, treaty: Treaty, n: int) -> bool:
    """Return whether a clause is finished: done, broken for good, past its last Game Turn, or between enemies."""
    clause, turn = treaty.clauses[n], play.state.turn
    if 0 < clause.until < turn or treaty.partial_end(clause.power, clause.to):
        return True
    kind = CLAUSE_KINDS[clause.kind]
    if kind.has_deadline:
        return clause.turn < turn
    broken = any(b.clause == n for b in treaty.breaches)
    return kind.act is not None and not clause.every_turn and (is_done(treaty, n, turn) or broken)


def reveal_treaty(play: Transaction, power: str, action: actions.Reveal) -> None:
    """Publish a Treaty; of a public one all secret articles, or with `article` only that one.

    A published Treaty keeps its secret articles until they are revealed too. Breaches of public articles count from now
    on. Revealing is never a breach, whatever the Treaty says.

    Raises: Refusal `not_in_force`, `nothing_open`, `revealed`, `no_article`.
    Rules: TRE-011, TRE-012, TRE-019 (R-TRE-04, R-TRE-05)
    """
    treaty = own_treaty(play, power, action.id)
    if not treaty.since:
        refuse("not_in_force", ("TRE-002",), "You can reveal only a Treaty that all parties have signed.")
    secret = hidden_articles(treaty)
    articles: tuple[int, ...] = ()
    if action.article:
        n = article_index(play, power, treaty, action.article)
        articles = (n,) if n in secret else ()
    elif treaty.public:
        articles = secret
    if not treaty.public and not articles and secret and len(secret) == len(treaty.clauses):
        refuse(
            "nothing_open",
            ("TRE-011",),
            "All articles of this Treaty are secret. Name the article to reveal.",
        )
    if treaty.public and not articles:
        refuse("revealed", ("TRE-011",), "That is already public.")
    _show_treaty(play, power, treaty, articles)


def publish_treaty(play: Transaction, power: str, id_: str) -> None:
    """Publish a Treaty that all parties have signed, without its secret articles. Rules: PBM-047, TRE-011."""
    treaty = own_treaty(play, power, id_)
    if len(hidden_articles(treaty)) < len(treaty.clauses) or not treaty.clauses:
        _show_treaty(play, power, treaty, ())


def _show_treaty(play: Transaction, power: str, treaty: Treaty, articles: tuple[int, ...]) -> None:
    """Make a Treaty and some of its secret articles known to all players."""
    play.emit(
        events.TreatyRevealed(id=treaty.id, power=power, treaty=treaty, articles=articles, rules=("TRE-011", "TRE-019"))
    )
    breaches.open_breaches(play, treaty.id)
    breaches.grant_on_publication(play, treaty.id)
    end_finished_treaty(play, treaty.id, ("TRE-011",))


def sign_treaty(play: Transaction, power: str, action: actions.Sign) -> None:
    """Sign a draft; the last signature puts it into force and carries out its immediate acts.

    Raises: Refusal.
    Rules: TRE-002, TRE-006, NEG-013 (R-NEG-08)
    """
    treaty = _draft_of(play, power, action.id)
    if power in treaty.signed:
        missing = tuple(p for p in treaty.parties if p not in treaty.signed)
        refuse("signed", ("TRE-002",), f"You have already signed. Still to sign: {powers_text(play.tables, missing)}.")
    play.emit(events.TreatySigned(id=treaty.id, power=power, rules=("TRE-002",)))
    if set(treaty.parties) <= {*treaty.signed, power}:
        complete_treaty(play, treaty.id)


def complete_treaty(play: Transaction, id_: str) -> None:
    """Put a fully signed agreement into force and carry out its immediate acts, all or none.

    Raises: Refusal, if an act is impossible: then the last signature does not count either.
    Rules: TRE-002, TRE-004, TRE-006, NEG-013, SEQ-001 (R-NEG-08)
    """
    treaty = play.state.treaty(id_)
    assert treaty is not None
    if treaty.clauses:
        registry.check_clauses(play.tables, play.state, treaty.parties, treaty.clauses, treaty.form)
    check_phase(play, treaty.form, treaty.clauses)
    acts = {n: c for n, c in enumerate(treaty.clauses) if is_immediate(c)}
    settlement.check_signers(play, treaty.parties, tuple(acts.values()))
    play.emit(events.TreatyInForce(id=id_, turn=play.state.turn, rules=("TRE-002",)))
    if treaty.publish:
        publish_treaty(play, treaty.drafter, id_)
    if not acts:
        return
    hidden = not (treaty.public or treaty.publish)
    rules = drafting_rules(treaty.form)
    settlement.carry_out_settlement(play, tuple(acts.values()), rules, parties=treaty.parties, hidden=hidden)
    for n in acts:
        play.emit(events.ClauseDone(id=id_, clause=n, rules=("TRE-004",)))
    end_finished_treaty(play, id_, ("TRE-004",))


def reject_draft(play: Transaction, power: str, action: actions.Reject) -> None:
    """Reject a draft, or withdraw your own: one party's rejection ends it.

    Raises: Refusal.
    Rules: TRE-002
    """
    treaty = _draft_of(play, power, action.id)
    reason = "withdrawn" if power == treaty.drafter else "rejected"
    play.emit(events.TreatyRejected(id=treaty.id, power=power, reason=reason, rules=("TRE-002",)))


def _draft_of(play: Transaction, power: str, id_: str) -> Treaty:
    treaty = open_draft(play, power, id_)
    if treaty.form == CONGRESS:
        refuse(
            "no_congress",
            ("SEQ-020", "CON-028"),
            "You sign a Treaty of a Congress with your ballot, or when the Congress asks you.",
        )
    return treaty


ACTS: ActTable = {
    actions.Sign: dict.fromkeys(PHASES, sign_treaty),
    actions.Reject: dict.fromkeys(PHASES, reject_draft),
    actions.Reveal: dict.fromkeys(PHASES, reveal_treaty),
    actions.Lapse: dict.fromkeys(PHASES, agree_to_lapse),
    actions.Release: dict.fromkeys(PHASES, agree_to_release),
    actions.Renounce: dict.fromkeys(PHASES, renounce_treaty),
}
