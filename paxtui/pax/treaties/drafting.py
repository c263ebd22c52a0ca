"""Agreements from the draft to the end: drafting, signing, revealing, lapsing, releasing and renouncing.

Who drafts signs by it, the others sign one by one; when the last has signed the agreement binds, and what is to be
done at once is done. A settlement of the Negotiation Phase is done at once or not at all. Only the parties know of an
agreement unless it is public, and whoever knows of none is told the same whether it is there or not.

Rules: TRE-001 to TRE-007, TRE-011 to TRE-016, TRE-019, NEG-013, SEQ-001, AUS-002, AUS-003, AUS-005, AUS-006, MIN-002
(R-NEG-08, R-TRE-04, R-TRE-05, R-TRE-08)
"""

from __future__ import annotations

from paxtui.pax.board.status import seat_of
from paxtui.pax.congress import congress_vote
from paxtui.pax.diplomacy import settlement
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import secrecy
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.treaty import CONGRESS, DRAFT, IN_FORCE, SETTLEMENT, TREATY, Clause, Treaty
from paxtui.pax.treaties import breaches, charges, clauses, permanent, treaty_names
from paxtui.pax.words.clause_check import in_order
from paxtui.pax.words.clause_kinds import LONGEST_NAME
from paxtui.pax.words.spoken import phase_name, power_name, powers_named

MOST_DRAFTS = 12
"""Drafts that one Power may have open at once."""

FORMS = {TREATY: "Treaty", SETTLEMENT: "settlement", CONGRESS: "proposal"}
"""What an agreement is called, by its form."""


# --- finding ------------------------------------------------------------------------------------------------------


def known(play: Play, power: str, id_: str) -> Treaty:
    """The agreement of an id, if the Power's seat knows of it.

    Raises: Refusal `no_treaty`, the same whether there is none or it is hidden.
    Rules: TRE-011
    """
    seat = seat_of(play.tables, play.state, power)
    for treaty in permanent.all_treaties(play.tables, play.state):
        if treaty.id == id_ and secrecy.knows(play.tables, play.state, treaty, seat):
            return treaty
    refuse("no_treaty", (), f"You know of no agreement {id_[:20]!r}.")


def own(play: Play, power: str, id_: str) -> Treaty:
    """The agreement of an id that the Power is a party to.

    Raises: Refusal `no_treaty`, `not_a_party`.
    Rules: TRE-002
    """
    treaty = known(play, power, id_)
    if power not in treaty.parties:
        name = power_name(play.tables, power)
        refuse(
            "not_a_party",
            ("TRE-002",),
            f"{name} is no party to {treaty.name or treaty.id}.",
            parties=list(treaty.parties),
        )
    return treaty


def binding(play: Play, power: str, id_: str) -> Treaty:
    """The agreement of an id that binds the Power now.

    Raises: Refusal `no_treaty`, `not_a_party`, `not_in_force`.
    """
    treaty = own(play, power, id_)
    if treaty.stage != IN_FORCE or power not in treaty.bound:
        why = "not everybody has signed it" if treaty.stage == DRAFT else "it binds you no longer"
        refuse("not_in_force", ("TRE-002",), f"{treaty.name or treaty.id} is not in force: {why}.")
    return treaty


def _open_draft(play: Play, power: str, id_: str) -> Treaty:
    """The draft of an id, still to be signed.

    Raises: Refusal `no_treaty`, `not_a_party`, `not_a_draft`.
    """
    treaty = own(play, power, id_)
    if treaty.stage != DRAFT:
        why = "is in force already" if treaty.stage == IN_FORCE else f"is no draft any more ({treaty.reason})"
        refuse("not_a_draft", ("TRE-002",), f"{treaty.name or treaty.id} {why}.")
    return treaty


# --- drafting -----------------------------------------------------------------------------------------------------


def draft(play: Play, power: str, action: ac.Draft) -> None:
    """Draft an agreement and offer it to its parties; who drafts signs. With `instead` it answers an open draft.

    Raises: Refusal.
    Rules: TRE-002, TRE-004, TRE-005, TRE-006, TRE-011, TRE-013, AUS-002, MIN-002 (R-NEG-08, R-TRE-08)
    """
    if action.form == CONGRESS:
        _before_a_congress(play, power, action)
        return
    tables, state = play.tables, play.state
    old = _open_draft(play, power, action.instead) if action.instead else None
    if old is not None and old.form == CONGRESS:
        refuse("not_a_draft", ("TRE-002",), "A proposal before a Congress is answered by a proposal of one's own.")
    form = old.form if old else action.form
    named = action.parties or (old.parties if old else ())
    parties = in_order(tables.powers, (power, *named))
    _check_parties(play, power, named, parties)
    _check_words(play, action)
    clauses.check(tables, state, parties, action.clauses, form)
    _check_agreement(play, parties, action.clauses, form)
    waiting = [t for t in state.treaties if t.stage == DRAFT and t.drafter == power and t is not old]
    if len(waiting) >= MOST_DRAFTS:
        refuse("too_many", (), f"You have {MOST_DRAFTS} drafts open; take one of them back first.")
    name = action.name or (old.name if old else "")
    if not name and form == TREATY:
        name = treaty_names.proposed(tables, state, seat_of(tables, state, power), parties)
    treaty = Treaty(
        id=_new_id(play, power, parties, action.clauses, name, form, old),
        name=name,
        form=form,
        drafter=power,
        parties=parties,
        clauses=action.clauses,
        public=action.public or (old.public if old else False),
        signed=(power,),
        drafted=state.turn,
        # who was no party to the old draft does not learn of it
        instead=action.instead if old is not None and set(parties) <= set(old.parties) else "",
    )
    if old is not None:
        play.emit(ev.TreatyEnded(id=old.id, reason="superseded", rules=("TRE-002",)))
    play.emit(ev.TreatyDrafted(treaty=treaty, rules=_drafting_rules(form)))


def _before_a_congress(play: Play, power: str, action: ac.Draft | ac.Sign | ac.Reject) -> None:
    """What belongs to a proposal before a Congress of Europe.

    Raises: Refusal `no_congress`.
    Rules: CON-013, CON-028, SEQ-020
    """
    if isinstance(action, ac.Draft):
        congress_vote.table(play, power, action)
        return
    refuse(
        "no_congress",
        ("SEQ-020", "CON-028"),
        "What a Congress adopts is signed with the ballot, or when the Congress asks.",
    )


def _drafting_rules(form: str) -> tuple[str, ...]:
    return ("TRE-002", "TRE-004") if form == TREATY else ("NEG-013", "TRE-002")


def _check_parties(play: Play, power: str, named: tuple[str, ...], parties: tuple[str, ...]) -> None:
    """Raises: Refusal `unknown_power`, `minor`, `alone`. Rules: TRE-002, MIN-002 (R-TRE-08, Decision 23)."""
    tables, state = play.tables, play.state
    for party in named:
        if party not in tables.powers:
            refuse("unknown_power", (), f"There is no Power {party!r}.")
    minors = tuple(p for p in parties if not seat_of(tables, state, p))
    if minors:
        refuse(
            "minor",
            ("MIN-002", "TRE-002"),
            f"{powers_named(tables, minors)} is a Minor Power: nobody can sign for it outside a Congress of Europe.",
        )
    if len(parties) < 2:
        refuse("alone", ("TRE-001", "TRE-002"), f"{power_name(tables, power)} needs another Power to agree with.")


def _check_words(play: Play, action: ac.Draft) -> None:
    """Raises: Refusal `no_clauses`, `name`. Rules: TRE-002, TRE-003."""
    if not action.clauses and (action.form != TREATY or play.state.options.get("unwritten_treaties") != "yes"):
        refuse(
            "no_clauses",
            ("TRE-002", "TRE-003"),
            "A Treaty has to be written: say what it stipulates, as in 'treaty Rome with italy: defensive'.",
        )
    if len(action.name) > LONGEST_NAME:
        refuse("name", (), f"A name has {LONGEST_NAME} characters at most.")


def _check_agreement(play: Play, parties: tuple[str, ...], said: tuple[Clause, ...], form: str) -> None:
    """Whether all sign who must, and whether a settlement could be carried out now.

    Raises: Refusal `not_a_party`, `minor`, `wrong_phase`, or as the acts.
    Rules: TRE-002, NEG-019, SEQ-001 (R-NEG-08, Decision 23)
    """
    at_once = tuple(c for c in said if clauses.immediate(c))
    check_agreed(play, parties, at_once)
    if form == SETTLEMENT:
        _in_its_phase(play, form, said)
        settlement.check(play, at_once, parties=parties)


def check_agreed(play: Play, parties: tuple[str, ...], acts: tuple[Clause, ...]) -> None:
    """Whether all without whose agreement these acts cannot be done are among the parties.

    Raises: Refusal `not_a_party`, `minor`.
    Rules: TRE-002, NEG-019, NEG-022 (Decision 23)
    """
    tables, state = play.tables, play.state
    missing = tuple(p for p in settlement.must_sign(tables, state, acts) if p not in parties)
    minors = tuple(p for p in missing if not seat_of(tables, state, p))
    if minors:
        refuse(
            "minor",
            ("NEG-019", "MIN-002"),
            f"{powers_named(tables, minors)} would have to agree, and a Minor Power agrees to nothing outside "
            f"a Congress of Europe.",
        )
    if missing:
        refuse(
            "not_a_party",
            ("NEG-019", "TRE-002"),
            f"{powers_named(tables, missing)} would have to agree too: name all who must sign.",
            parties=list(missing),
        )


def _in_its_phase(play: Play, form: str, said: tuple[Clause, ...]) -> None:
    """Whether what is done at once may be done in this Phase.

    Raises: Refusal `wrong_phase`.
    Rules: SEQ-001, NEG-013, STA-034, MOV-020
    """
    phase = play.state.phase
    if form == SETTLEMENT and phase != "negotiation":
        refuse(
            "wrong_phase",
            ("SEQ-001", "NEG-013"),
            f"A settlement is made in the {phase_name('negotiation')} Phase; this is the {phase_name(phase)} Phase. "
            f"A Treaty may be drafted at any time.",
            phase=phase,
            allowed=["negotiation"],
        )
    for number, clause in enumerate(said, 1):
        allowed = settlement.PHASES_OF.get(clause.kind, ("negotiation",))
        if clauses.immediate(clause) and phase not in allowed:
            wanted = " or ".join(phase_name(p) for p in allowed)
            refuse(
                "wrong_phase",
                ("SEQ-001", "TRE-004"),
                f"Article {number} is done as soon as all have signed, which is possible in the {wanted} Phase; "
                f"this is the {phase_name(phase)} Phase. Sign it then, or let the article have a date.",
                phase=phase,
                allowed=list(allowed),
            )


def _new_id(
    play: Play, power: str, parties: tuple[str, ...], said: tuple[Clause, ...], name: str, form: str, old: Treaty | None
) -> str:
    """An id made of what the agreement says openly: it counts nothing, and no secret article can be guessed by it.

    Raises: Refusal `drafted_already`, when the very same draft is open.
    Rules: TRE-011
    """
    text = "; ".join(clauses.text_of(play.tables, c) for c in said if not c.secret)
    for attempt in range(100):
        id_ = secrecy.private_id("", play.state.turn, power, parties, text, name, form, attempt)
        same = next((t for t in play.state.treaties if t.id == id_), None)
        if same is None:
            return id_
        if same.stage == DRAFT and same is not old and same.clauses == said:
            refuse("drafted_already", ("TRE-002",), f"This very draft waits for its signatures already ({id_}).")
    raise AssertionError("a hundred agreements of the same words")


# --- signing ------------------------------------------------------------------------------------------------------


def sign(play: Play, power: str, action: ac.Sign) -> None:
    """Sign a draft; the last signature puts it into force and does what is to be done at once.

    Raises: Refusal.
    Rules: TRE-002, TRE-006, NEG-013 (R-NEG-08)
    """
    treaty = _open_draft(play, power, action.id)
    if treaty.form == CONGRESS:
        _before_a_congress(play, power, action)
        return
    if power in treaty.signed:
        missing = tuple(p for p in treaty.parties if p not in treaty.signed)
        refuse("signed", ("TRE-002",), f"You have signed it; it waits for {powers_named(play.tables, missing)}.")
    play.emit(ev.TreatySigned(id=treaty.id, power=power, rules=("TRE-002",)))
    if set(treaty.parties) <= {*treaty.signed, power}:
        complete(play, treaty.id)


def complete(play: Play, id_: str) -> None:
    """All have signed: the agreement is in force, and what it says is to be done at once is done, all or nothing.

    Raises: Refusal, when it cannot be done now: then nobody has signed anything by it.
    Rules: TRE-002, TRE-004, TRE-006, NEG-013, SEQ-001 (R-NEG-08)
    """
    treaty = breaches.treaty_of(play, id_)
    assert treaty is not None
    if treaty.clauses:
        clauses.check(play.tables, play.state, treaty.parties, treaty.clauses, treaty.form)
    _in_its_phase(play, treaty.form, treaty.clauses)
    now = [n for n, c in enumerate(treaty.clauses) if clauses.immediate(c)]
    check_agreed(play, treaty.parties, tuple(treaty.clauses[n] for n in now))
    play.emit(ev.TreatyInForce(id=id_, turn=play.state.turn, rules=("TRE-002",)))
    if now:
        rules = _drafting_rules(treaty.form)
        settlement.carry_out(play, tuple(treaty.clauses[n] for n in now), rules, parties=treaty.parties)
    for n in now:
        play.emit(ev.ClauseDone(id=id_, clause=n, rules=("TRE-004",)))
    if now and len(now) == len(treaty.clauses):
        play.emit(ev.TreatyEnded(id=id_, reason="done", rules=("TRE-004",)))


def reject(play: Play, power: str, action: ac.Reject) -> None:
    """Turn a draft down, or take back an own one: one party's no ends it.

    Raises: Refusal.
    Rules: TRE-002
    """
    treaty = _open_draft(play, power, action.id)
    if treaty.form == CONGRESS:
        _before_a_congress(play, power, action)
        return
    reason = "withdrawn" if power == treaty.drafter else "rejected"
    play.emit(ev.TreatyRejected(id=treaty.id, power=power, reason=reason, rules=("TRE-002",)))


# --- revealing ----------------------------------------------------------------------------------------------------


def hidden(treaty: Treaty) -> tuple[int, ...]:
    """Secret articles that others than the parties do not know even where they know the agreement."""
    return tuple(n for n, c in enumerate(treaty.clauses) if c.secret and n not in treaty.shown)


def reveal(play: Play, power: str, action: ac.Reveal) -> None:
    """Make a Treaty public; of a public one, all secret articles, or with `article` that one.

    A Treaty made public keeps its secret articles until they are revealed too. Breaches of what everybody may read
    now count from now on; revealing itself is never one, whatever the Treaty says.

    Raises: Refusal `not_in_force`, `revealed`, `no_article`.
    Rules: TRE-011, TRE-012, TRE-019 (R-TRE-04, R-TRE-05)
    """
    treaty = own(play, power, action.id)
    if not treaty.since:
        refuse("not_in_force", ("TRE-002",), "Only a Treaty that all have signed can be revealed.")
    secret = hidden(treaty)
    articles: tuple[int, ...] = ()
    if action.article:
        n = charges.article(play, power, treaty, action.article)
        articles = (n,) if n in secret else ()
    elif treaty.public:
        articles = secret
    if treaty.public and not articles:
        refuse("revealed", ("TRE-011",), "That is public already.")
    play.emit(
        ev.TreatyRevealed(id=treaty.id, power=power, treaty=treaty, articles=articles, rules=("TRE-011", "TRE-019"))
    )
    breaches.open_breaches(play, treaty.id)


# --- ending -------------------------------------------------------------------------------------------------------


def lapse(play: Play, power: str, action: ac.Lapse) -> None:
    """Agree that a Treaty ends; with the last agreement it does, without penalty.

    Raises: Refusal `permanent`, `agreed`.
    Rules: TRE-014, AUS-003
    """
    treaty = binding(play, power, action.id)
    _not_permanent(play, treaty)
    if power in treaty.lapse:
        refuse("agreed", ("TRE-014",), "You have agreed to that already.")
    play.emit(ev.LapseAgreed(id=treaty.id, power=power, rules=("TRE-014",)))
    _if_all_let_it_lapse(play, treaty.id)


def _if_all_let_it_lapse(play: Play, id_: str) -> None:
    treaty = breaches.treaty_of(play, id_)
    if treaty is not None and treaty.stage == IN_FORCE and set(treaty.bound) <= set(treaty.lapse):
        play.emit(ev.TreatyEnded(id=id_, reason="lapsed", rules=("TRE-014",)))


def release(play: Play, power: str, action: ac.Release) -> None:
    """Agree that a party leaves a Treaty; its own name asks for it. When all agree it goes without penalty.

    Raises: Refusal `not_bound`, `permanent`, `agreed`.
    Rules: TRE-015, AUS-003
    """
    treaty = binding(play, power, action.id)
    _not_permanent(play, treaty)
    if action.who not in treaty.bound:
        refuse("not_bound", ("TRE-015",), f"{power_name(play.tables, action.who)} is not bound by it.")
    if power in treaty.release.get(action.who, ()):
        refuse("agreed", ("TRE-015",), "You have agreed to that already.")
    play.emit(ev.ReleaseAgreed(id=treaty.id, power=power, who=action.who, rules=("TRE-015",)))
    agreed = {*treaty.release.get(action.who, ()), power}
    if set(treaty.bound) <= agreed:
        _leave(play, treaty, action.who, "released", ("TRE-015",))


def renounce(play: Play, power: str, action: ac.Renounce) -> None:
    """Leave a Treaty without the others' leave: that breaks it.

    Of the permanent Alliance both go their ways until it comes back.

    Raises: Refusal; GameOver, where the tensions reach 100.
    Rules: TRE-007, TRE-012, TRE-016, ETI-027, AUS-005, AUS-006 (R-TRE-02, R-TRE-04)
    """
    treaty = binding(play, power, action.id)
    if permanent.is_pact(play.tables, play.state, treaty):
        permanent.written_down(play, treaty)
        play.emit(ev.TreatyEnded(id=treaty.id, reason="broken", rules=("AUS-005", "AUS-006")))
        breaches.break_clause(play, treaty, breaches.WHOLE, power, "leaves it", ("TRE-016", "AUS-005"))
        return
    # what it costs comes last: tensions of 100 end the game
    after = [] if len(treaty.bound) > 2 else [ev.TreatyEnded(id=treaty.id, reason="broken", rules=("TRE-016",))]
    breaches.break_clause(play, treaty, breaches.WHOLE, power, "leaves it", ("TRE-016",))
    play.emit(ev.SignatoryLeft(id=treaty.id, power=power, reason="broken", rules=("TRE-016",)))
    for event in after:
        play.emit(event)
    _if_all_let_it_lapse(play, treaty.id)


def _leave(play: Play, treaty: Treaty, who: str, reason: str, rules: tuple[str, ...]) -> None:
    """One party goes; a Treaty of one is none."""
    play.emit(ev.SignatoryLeft(id=treaty.id, power=who, reason=reason, rules=rules))
    if len(treaty.bound) <= 2:
        play.emit(ev.TreatyEnded(id=treaty.id, reason="lapsed", rules=rules))
    _if_all_let_it_lapse(play, treaty.id)


def _not_permanent(play: Play, treaty: Treaty) -> None:
    """Raises: Refusal `permanent`. Rules: AUS-003."""
    if permanent.is_pact(play.tables, play.state, treaty):
        refuse("permanent", ("AUS-003",), "That Alliance is permanent: it can only be broken, and comes back.")


# --- a new Game Turn ----------------------------------------------------------------------------------------------


def new_turn(play: Play) -> None:
    """At the start of a Game Turn: the permanent Alliance is back, claims not proven are dropped, what is over ends.

    Rules: AUS-005, TRE-007, TRE-014 (R-TRE-01, R-AUS-01)
    """
    permanent.new_turn(play)
    for treaty in play.state.treaties:
        charges.drop(play, treaty)
        if treaty.stage == IN_FORCE and treaty.clauses and not permanent.is_pact(play.tables, play.state, treaty):
            if all(_over(play, treaty, n) for n in range(len(treaty.clauses))):
                play.emit(ev.TreatyEnded(id=treaty.id, reason="done", rules=("TRE-014",)))


def _over(play: Play, treaty: Treaty, n: int) -> bool:
    """Whether a clause asks for nothing any more: done, broken for good, or its last Game Turn is past."""
    clause, turn = treaty.clauses[n], play.state.turn
    if 0 < clause.until < turn:
        return True
    if clause.kind == "build":
        return clause.turn < turn
    broken = any(b.clause == n for b in treaty.breaches)
    return clause.kind in clauses.ACTS and not clause.every_turn and (str(n) in treaty.done or broken)
