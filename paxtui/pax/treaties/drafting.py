"""Drafting an agreement and putting it before its parties; who drafts signs by it.

Only the parties know of an agreement unless it is public. A settlement of the Negotiation Phase is done at once or
not at all. What is proposed to a Congress of Europe is tabled there (`paxtui.pax.congress`).

Rules: TRE-001 to TRE-006, TRE-011, TRE-013, NEG-013, NEG-019, SEQ-001, AUS-002, MIN-002 (R-NEG-08, R-TRE-08)
"""

from __future__ import annotations

from paxtui.pax.board.status import abandoned, seat_of
from paxtui.pax.clauses import checking
from paxtui.pax.clauses.kinds import KINDS, at_once
from paxtui.pax.clauses.peace import PEACE
from paxtui.pax.clauses.wording import text_of_clause
from paxtui.pax.diplomacy import acts, settlement
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import secrecy
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.treaty import CONGRESS, DRAFT, SETTLEMENT, TREATY, Clause, Treaty
from paxtui.pax.treaties import treaty_names
from paxtui.pax.treaties.finding import open_draft
from paxtui.pax.words.free_text import LONGEST_NAME
from paxtui.pax.words.places import in_order
from paxtui.pax.words.spoken import phase_name, power_name, powers_named

MOST_DRAFTS = 12
"""Drafts that one Power may have open at once."""


def draft(play: Play, power: str, action: ac.Draft) -> None:
    """Draft an agreement and offer it to its parties; who drafts signs. With `instead` it answers an open draft.

    Raises: Refusal.
    Rules: TRE-002, TRE-004, TRE-005, TRE-006, TRE-011, TRE-013, AUS-002, MIN-002 (R-NEG-08, R-TRE-08)
    """
    tables, state = play.tables, play.state
    old = open_draft(play, power, action.instead) if action.instead else None
    if old is not None and old.form == CONGRESS:
        refuse("not_a_draft", ("TRE-002",), "A proposal before a Congress is answered by a proposal of one's own.")
    form = old.form if old else action.form
    named = action.parties or (old.parties if old else ())
    parties = in_order(tables.powers, (power, *named))
    _check_parties(play, power, named, parties)
    _check_words(play, action)
    checking.check(tables, state, parties, action.clauses, form)
    _check_agreement(play, parties, action.clauses, form)
    waiting = [t for t in state.treaties if t.stage == DRAFT and t.drafter == power and t is not old]
    if len(waiting) >= MOST_DRAFTS:
        refuse("too_many", (), f"You have {MOST_DRAFTS} drafts open; take one of them back first.")
    name = action.name or (old.name if old else "")
    if not name and form == TREATY:
        name = treaty_names.proposed(tables, state, seat_of(tables, state, power), parties)
    public = action.public or (old is not None and (old.public or old.publish))
    treaty = Treaty(
        id=_new_id(play, power, parties, action.clauses, name, form, old),
        name=name,
        form=form,
        drafter=power,
        parties=parties,
        clauses=action.clauses,
        public=public and not play.by_mail,
        publish=public and play.by_mail,
        signed=(power,),
        drafted=state.turn,
        # who was no party to the old draft does not learn of it
        instead=action.instead if old is not None and set(parties) <= set(old.parties) else "",
    )
    if old is not None:
        play.emit(ev.TreatyEnded(id=old.id, reason="superseded", rules=("TRE-002",)))
    play.emit(ev.TreatyDrafted(treaty=treaty, rules=drafting_rules(form)))


def drafting_rules(form: str) -> tuple[str, ...]:
    """Rules by which an agreement of this form is made."""
    return ("TRE-002", "TRE-004") if form == TREATY else ("NEG-013", "TRE-002")


def _check_parties(play: Play, power: str, named: tuple[str, ...], parties: tuple[str, ...]) -> None:
    """Raises: Refusal `unknown_power`, `no_peace_for_minor`, `minor`, `alone`.

    Rules: TRE-002, MIN-002, WEN-045, WEN-046 (R-TRE-08, Decision 23)
    """
    tables, state = play.tables, play.state
    for party in named:
        if party not in tables.powers:
            refuse("unknown_power", (), f"There is no Power {party!r}.")
    minors = tuple(p for p in parties if not seat_of(tables, state, p))
    if minors and any(war.side_of(p) for p in minors for war in state.wars):
        refuse(
            "no_peace_for_minor",
            ("WEN-045", "WEN-046", "MIN-002"),
            f"{powers_named(tables, minors)} is a Minor Power: it signs nothing, it accepts the peace that its Great "
            f"Power allies accept, and without any it fights on.",
        )
    if minors:
        refuse(
            "minor",
            ("MIN-002", "TRE-002"),
            f"{powers_named(tables, minors)} is a Minor Power: nobody can sign for it outside a Congress of Europe.",
        )
    if len(parties) < 2:
        refuse("alone", ("TRE-001", "TRE-002"), f"{power_name(tables, power)} needs another Power to agree with.")


def _check_words(play: Play, action: ac.Draft) -> None:
    """Raises: Refusal `no_clauses`, `nothing_open`, `name`. Rules: TRE-002, TRE-003, TRE-011 (Decision 49)."""
    if not action.clauses and (action.form != TREATY or not play.state.options.unwritten_treaties):
        refuse(
            "no_clauses",
            ("TRE-002", "TRE-003"),
            "A Treaty has to be written: say what it stipulates, as in 'treaty Rome with italy: defensive'.",
        )
    if action.public and action.clauses and all(clause.secret for clause in action.clauses):
        refuse(
            "nothing_open",
            ("TRE-011",),
            "A public Treaty says something openly; if all of it is to stay secret, do not make it public.",
        )
    if len(action.name) > LONGEST_NAME:
        refuse("name", (), f"A name has {LONGEST_NAME} characters at most.")


def _check_agreement(play: Play, parties: tuple[str, ...], said: tuple[Clause, ...], form: str) -> None:
    """Whether all sign who must, and whether a settlement could be carried out now.

    Raises: Refusal `not_a_party`, `minor`, `wrong_phase`, `abandoned_signer`, or as the acts.
    Rules: TRE-002, NEG-019, SEQ-001, WEN-046, ORD-047 (R-NEG-08, R-ORD-25, Decision 23)
    """
    now = tuple(c for c in said if at_once(c))
    acts.check_agreed(play, parties, now)
    if form == SETTLEMENT:
        in_its_phase(play, form, said)
        settlement.check(play, now, parties=parties)
    gone = tuple(p for p in parties if abandoned(play.tables, play.state, p))
    if gone and any(c.kind == PEACE.id for c in now):
        refuse(
            "abandoned_signer",
            ("WEN-046", "ORD-047"),
            f"Nobody can sign for abandoned {powers_named(play.tables, gone)}: it accepts the peace that its Great "
            f"Power allies sign.",
        )


def in_its_phase(play: Play, form: str, said: tuple[Clause, ...]) -> None:
    """Whether what is done at once may be done in this Phase. A peace is made in every Phase while the War lasts.

    Raises: Refusal `wrong_phase`.
    Rules: SEQ-001, NEG-013, STA-034, MOV-020, WEN-036 (Decision 76)
    """
    phase = play.state.phase
    if any(c.kind == PEACE.id for c in said):
        return
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
        allowed = KINDS[clause.kind].phases
        if at_once(clause) and phase not in allowed:
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
    text = "; ".join(text_of_clause(play.tables, c) for c in said if not c.secret)
    for attempt in range(100):
        id_ = secrecy.private_id("", play.state.turn, power, parties, text, name, form, attempt)
        same = next((t for t in play.state.treaties if t.id == id_), None)
        if same is None:
            return id_
        if same.stage == DRAFT and same is not old and same.clauses == said:
            refuse("drafted_already", ("TRE-002",), f"This very draft waits for its signatures already ({id_}).")
    raise AssertionError("a hundred agreements of the same words")
