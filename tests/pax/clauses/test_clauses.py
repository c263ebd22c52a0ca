"""Clauses: what is formatted is parsed as the same, and each clause has a sentence."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order, parse_order
from paxtui.games.pax.actions.structured import decode_action
from paxtui.games.pax.board.tables import BONUS_KINDS
from paxtui.games.pax.clauses.notation import (
    describe_clause,
    normalize_clause,
    parse_clause,
    stored_clause_text,
    text_of_clause,
)
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS, affected_powers, is_immediate
from paxtui.games.pax.narration.narrator import Narrator
from paxtui.games.pax.state.diplomacy import CONGRESS, SETTLEMENT, TREATY, Clause, ClauseTrigger
from paxtui.games.pax.text.parsing import clean_name
from tests.pax.clauses.forms import FORMS, NEAR_EAST
from tests.rules.harness import start, tables

T = tables()


@pytest.mark.parametrize("kind", CLAUSE_KINDS.values(), ids=CLAUSE_KINDS)
def test_fields_of_a_clause_kind_are_consistent(kind):
    assert CLAUSE_KINDS[kind.id] is kind and kind.fields <= set(Clause.__struct_fields__)
    assert {*kind.signers, *kind.concerned} <= {"power", "to", "against"}
    assert not kind.act or (kind.phases and not kind.has_deadline)
    assert not kind.is_judged or not (kind.watch or kind.duty or kind.act)
    assert not kind.is_template or kind.text(Clause(kind.id))
    assert not kind.watch or (kind.watch.events and (kind.watch.breaks or kind.watch.keeps))


@pytest.mark.parametrize("text", FORMS)
def test_every_clause_form_is_parsed_and_formatted(text):
    assert parse_clause(T, text) == FORMS[text]
    assert text_of_clause(T, FORMS[text]) == text


@pytest.mark.parametrize("text", FORMS)
def test_sentence_of_a_clause_is_parsed_as_the_same_clause(text):
    sentence = describe_clause(T, FORMS[text])
    assert parse_clause(T, sentence) == FORMS[text], sentence
    assert parse_clause(T, f"{sentence}.") == FORMS[text]


def test_every_kind_has_a_form_an_example_and_a_wording():
    assert {c.kind for c in FORMS.values()} == set(CLAUSE_KINDS)
    for kind, about in CLAUSE_KINDS.items():
        clause = parse_clause(T, about.example)
        assert clause.kind == kind
    sentences = {text: describe_clause(T, clause) for text, clause in FORMS.items()}
    assert all(
        len(sentence) > 8 and "_" not in sentence and not sentence.endswith(".") for sentence in sentences.values()
    )
    assert len(set(sentences.values())) == len(FORMS)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("germany builds N10 N10 army by 1888", "Germany builds N10, N10 and an Army Unit in 1888 at the latest"),
        ("france pays italy 15 in 1888", "France pays Italy £15 in 1888"),
        ("no marker in coast:black_sea", "No signer places any Status marker in any Area on the Black Sea"),
        ("no marker by france in type:independent", "France places no Status marker in any Independent Area"),
        ("no marker by france in region:west_africa", "France places no Status marker in any Area of West Africa"),
        ("no marker by france in all", "France places no Status marker in any Area"),
        ("no units by germany in anywhere", "Germany keeps no Military Units in any place at all"),
        ("no protectorate in kenya", "No signer places any Protectorate or higher marker in Kenya"),
        ("no dominion by britain in canada", "Great Britain places no Dominion in Canada"),
        ("at most 1 army by russia in persia", "Russia keeps at most 1 strength point of Army Units in Persia"),
        ("at least 2 army by russia in persia", "Russia keeps at least 2 strength points of Army Units in Persia"),
        ("at most 0 army by russia in persia", "Russia keeps at most 0 strength points of Army Units in Persia"),
        (
            "at most 2 A10 N3 in egypt, tunis",
            "Each signer keeps at most 2 strength points of A10 or N3 in Egypt and Tunis together",
        ),
        (
            "at most 4 units by russia in region:west_africa",
            "Russia keeps at most 4 strength points of Military Units in every Area of West Africa together",
        ),
        (
            "defensive by britain against germany, russia until 1892",
            "If Germany or Russia declares War on another signer, Great Britain comes to its defence, "
            "up to and including 1892",
        ),
        (
            "codominion of tunis with france, italy as possession paid by france",
            "Tunis is a Codominion of France and Italy; who has no Control there yet gets a Possession, paid by France",
        ),
        (
            "italy votes abstain for france on tunis",
            "Italy abstains on what France proposes about Tunis in a Congress of Europe",
        ),
        (
            "france leaves tunis upon war italy",
            "Once Italy is at War: France gives up Tunis",
        ),
        (
            "secret france pays italy 5 every turn upon unrest egypt",
            "(secret) Once there is Unrest in Egypt: France pays Italy £5 every Game Turn",
        ),
    ],
)
def test_clauses_are_described(text, sentence):
    assert describe_clause(T, parse_clause(T, text)) == sentence
    assert parse_clause(T, sentence) == parse_clause(T, text)


@pytest.mark.parametrize(
    ("loose", "strict"),
    [
        ("DEFENSIVE alliance", "defensive"),
        ("non aggression pact", "non-aggression"),
        (
            "no control by United States in Hong Kong and Hawaii",
            "no protectorate by united_states in hawaii, hong_kong",
        ),
        ("no armies by russia in coast:black sea", "no army by russia in coast:black_sea"),
        ("no fleets or", None),
        ("at most 10 strength points of fleets by germany in anywhere", "at most 10 naval by germany in anywhere"),
        ("france pays £15 to italy in 1888", "france pays italy 15 in 1888"),
        ("france pays italy 5 until 1892 every turn", "france pays italy 5 every turn until 1892"),
        ("france pays italy 5 each turn through 1892", "france pays italy 5 every turn until 1892"),
        ("britain transfers Hong Kong to Japan", "britain transfers hong_kong to japan"),
        ("great britain grants germany a protectorate in kenya", "britain grants germany protectorate in kenya"),
        ("france withdraws from tunis", "france leaves tunis"),
        ("france lowers tunis to nothing", "france leaves tunis"),
        ("codominion in tunis with france and italy", "codominion of tunis with france, italy"),
        ("italy waives germany", "italy waives against germany"),
        ("britain lets russia pass through the canals and straits", "britain lets russia through canals"),
        ("germany builds 2xN10, A1 by 1888", "germany builds N10 N10 A1 by 1888"),
        ("no units by germany in egypt and region:near east", None),
        ("no units by germany in egypt, region:near east", "no units by germany in egypt, region:near_east"),
        ("secret no marker by france in list:india", "secret no marker by france in list:india"),
        ("defensive upon war with", None),
        ("defensive upon control of egypt", None),
        ("defensive upon unrest in egypt", "defensive upon unrest egypt"),
    ],
)
def test_clauses_are_parsed_leniently(loose, strict):
    if strict is None:
        with pytest.raises(Refusal) as refused:
            parse_clause(T, loose)
        assert refused.value.code in ("notation", "ambiguous") and not refused.value.rules
    else:
        assert text_of_clause(T, parse_clause(T, loose)) == strict


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("treaty Rome with italy: france pays itly 15", 7, "Italy"),
        ("treaty Rome with italy: defensive; no marker in kenia", 9, "Kenya"),
        ("treaty Rome with italy: defensive until 1891", 7, "1888, 1892"),
        ("treaty Rome with italy: hello", 5, "a clause"),
        ('treaty Rome with italy: "hello', 5, "quotation"),
        ("treaty Rome with itly: defensive", 4, "Italy"),
        ("treaty Rome: defensive", 2, "with"),
        ("treaty Rome with italy", 5, "':'"),
        ("treaty Rome with italy: france pays italy 5 every turn in 1888; non-aggression every turn", 13, "allowed"),
        ("amend kq7d whatever: defensive", 3, "as NAME"),
        ("amend kq7d:", 3, "a clause"),
        ("propose with italy:", 4, "a clause"),
        ("treaty Rome with italy: britain grants germany", 7, "'britain grants germany protectorate in kenya'"),
        ("sign", 2, "kq7d"),
        ("sign kq7d now", 3, "nothing more"),
        ("charge kq7d two germany", 3, "number"),
        ("charge kq7d 0 germany", 3, "from 1"),
        ("judge kq7d 1 germany maybe", 5, "guilty"),
        ("release kq7d atlantis", 3, "Power"),
    ],
)
def test_refusal_names_the_position_of_the_error(text, word, expected):
    with pytest.raises(Refusal) as refused:
        parse_order(T, text)
    assert refused.value.detail["position"] == word, refused.value.message
    assert expected in refused.value.message and not refused.value.rules


# Whatever a clause says, its text says it too

POWERS, AREAS, ZONES = (
    st.sampled_from(list(T.powers)),
    st.sampled_from(list(T.areas)),
    st.sampled_from(list(T.sea_zones)),
)
REGIONS = st.sampled_from(
    ["region:near_east", "all", "anywhere", "list:india", "coast:baltic", "kenya, region:balkans", "type:ottoman"]
)
UNITS = st.sampled_from(["A10", "A3", "A1", "N10", "N3", "N1", "army", "naval"])
CONDITIONS = st.sampled_from(
    [
        ClauseTrigger("war", "britain", "germany"),
        ClauseTrigger("war", "japan"),
        ClauseTrigger("control", "france", area="tunis"),
        ClauseTrigger("unrest", area="egypt"),
    ]
)
FIELDS: dict[str, Any] = {
    "power": POWERS,
    "to": POWERS,
    "against": st.lists(POWERS, max_size=3).map(tuple),
    "places": st.lists(st.one_of(AREAS, AREAS, ZONES), max_size=4).map(tuple),
    "region": REGIONS,
    "marker": st.sampled_from(list(T.markers)),
    "units": st.lists(UNITS, max_size=4).map(tuple),
    "amount": st.integers(0, 10**6),
    "every_turn": st.booleans(),
    "turn": st.integers(0, 10),
    "until": st.integers(0, 10),
    "upon": CONDITIONS,
    "vote": st.sampled_from(["yes", "no", "abstain"]),
    "text": st.text(max_size=40),
    "secret": st.booleans(),
}


@st.composite
def clause_of_any_kind(draw):
    """A normalized clause with the fields of its kind; None if they make no clause."""
    kind = draw(st.sampled_from(list(CLAUSE_KINDS)))
    about = CLAUSE_KINDS[kind]
    needed = [draw(st.sampled_from(need.split("|"))) for need in about.required]
    others = [f for f in (*about.optional, "secret") if draw(st.booleans())]
    fields = {f: draw(FIELDS[f]) for f in (*needed, *others)}
    if about.max_areas and "places" in fields:
        fields["places"] = fields["places"][:1]
    try:
        return normalize_clause(T, Clause(kind, **fields))
    except Refusal as refused:
        assert refused.code in ("bad_action", "notation", "ambiguous") and not refused.rules
        return None


@settings(max_examples=600, deadline=None)
@given(clause_of_any_kind())
def test_random_clause_survives_formatting_and_parsing(clause):
    if clause is None:
        return
    text = text_of_clause(T, clause)
    assert parse_clause(T, text) == clause, text
    assert normalize_clause(T, clause) == clause
    sentence = describe_clause(T, clause)
    assert parse_clause(T, sentence) == clause, (sentence, text)


def test_free_text_is_not_interpreted() -> None:
    texts = "ANY PLACE AT ALL", "to United States", "the United States land in any Area", "Once Korea is at War: no"
    for words in texts:
        draft = actions.Draft("", ("britain",), (Clause("text", text=words),), TREATY)
        assert parse_order(T, format_order(T, draft)) == draft
        assert describe_clause(T, draft.clauses[0]) == f"“{words}”"


@settings(max_examples=200, deadline=None)
@given(
    st.lists(clause_of_any_kind(), min_size=1, max_size=4),
    st.lists(POWERS, min_size=1, max_size=3),
    st.sampled_from([TREATY, SETTLEMENT, CONGRESS]),
    st.sampled_from(["", "Rome", "Peace and Honour", "St Petersburg II"]),
    st.booleans(),
    st.sampled_from(["", "kq7d"]),
    st.sampled_from(["", "austria_hungary"]),
)
def test_random_draft_survives_formatting_and_parsing(clauses, parties, form, name, public, instead, power):
    clauses = tuple(c for c in clauses if c is not None)
    if not clauses:
        return
    raw = actions.Draft(name, tuple(parties), clauses, form, public, instead, power)
    import msgspec

    draft = decode_action(T, msgspec.to_builtins(raw))
    assert parse_order(T, format_order(T, draft)) == draft
    assert draft.clauses == clauses


TREATY_WORDS = [
    *("treaty", "propose", "amend", "sign", "reveal", "charge", "judge", "release", "Rome", "with", "as", "public"),
    *(":", ";", '"', "\\", "secret", "defensive", "against", "by", "in", "until", "1892", "upon", "war", "every turn"),
    *("france", "italy", "tunis", "pays", "15", "no", "marker", "units", "at most", "4", "army", "region:near_east"),
    *(
        "codominion of",
        "leaves",
        "grants",
        "protectorate",
        "waives",
        "votes",
        "yes",
        "lets",
        "through",
        "coals",
        "kq7d",
    ),
    *("guilty", "builds", "N10", "all", "anywhere", "\ud800", "é", ","),
]


@settings(max_examples=500, deadline=None)
@example("propose " + "region:near_east " * 14)
@given(st.lists(st.sampled_from(TREATY_WORDS), min_size=1, max_size=14).map(" ".join))
def test_any_words_about_treaties_give_an_order_or_a_refusal(text):
    try:
        order = parse_order(T, text)
    except Refusal as refused:
        assert refused.code in ("notation", "ambiguous") and refused.rules == () and len(refused.message) < 500
    else:
        assert parse_order(T, format_order(T, order)) == order


@pytest.mark.parametrize(
    "clause",
    [
        Clause("pay", power="france", to="italy", amount=5, region="all"),
        Clause("pay", power="france", to="italy"),
        Clause("nonsense"),
        Clause("lower", power="france", places=("tunis", "egypt")),
        Clause("text", text=" \n "),
        Clause("text", text="x" * 301),
        Clause("vote", power="italy", vote="perhaps"),
        Clause("defensive", until=11),
        Clause("pay", power="france", to="italy", amount=-5),
        Clause("build", power="germany", units=("A7",), turn=2),
    ],
)
def test_a_structure_that_makes_no_clause_is_refused(clause):
    with pytest.raises(Refusal) as refused:
        decode_action(T, {"type": "draft", "name": "", "parties": ["italy"], "clauses": [_raw(clause)]})
    assert refused.value.code in ("bad_action", "notation") and refused.value.rules == ()


def _raw(clause: Clause) -> Any:
    import msgspec

    return msgspec.to_builtins(clause)


def test_region_determines_the_places_of_a_clause():
    honest = normalize_clause(T, Clause("no_unit", power="germany", region="region:near_east", places=("kenya",)))
    assert honest.places == NEAR_EAST


def test_treaty_names_are_cleaned_or_refused():
    assert clean_name("  Peace\n of Rome ") == "Peace of Rome"
    for bad in ("a:b", "with us", "known as x", "quite public", "x" * 41, 'so "called"'):
        with pytest.raises(Refusal):
            clean_name(bad)


@pytest.mark.parametrize(
    "upon",
    [
        {"kind": "war", "power": "Great Britain", "other": "germany"},
        {"kind": "control", "power": "France", "area": "Tunis"},
        {"kind": "unrest", "area": "egypt"},
        "war Great Britain germany",
        "control France of Tunis",
        "unrest in egypt",
    ],
    ids=str,
)
def test_condition_of_a_clause_is_a_structure_or_text(upon):
    raw = {"kind": "defensive", "upon": upon}
    (clause,) = decode_action(T, {"type": "draft", "name": "", "parties": ["italy"], "clauses": [raw]}).clauses
    kind = (upon if isinstance(upon, str) else upon["kind"]).split()[0]
    assert (
        clause.upon
        == {
            "war": ClauseTrigger("war", "britain", "germany"),
            "control": ClauseTrigger("control", "france", area="tunis"),
            "unrest": ClauseTrigger("unrest", area="egypt"),
        }[kind]
    )
    g = start({"treaties": [{"parties": ["italy", "france"], "stage": "in_force", "clauses": [raw]}]})
    assert g.state.treaties[0].clauses[0].upon.kind == kind


@pytest.mark.parametrize(
    "upon",
    [
        {"kind": "flood", "area": "egypt"},
        {"kind": "war"},
        {"kind": "war", "power": "france", "other": "france"},
        {"kind": "war", "power": "france", "area": "egypt"},
        {"kind": "unrest", "power": "france", "area": "egypt"},
        {"kind": "control", "area": "egypt"},
        {"kind": "unrest"},
        {"kind": "unrest", "area": "atlantis"},
        "flood egypt",
    ],
    ids=str,
)
def test_impossible_condition_of_a_clause_is_refused(upon):
    raw = {"kind": "defensive", "upon": upon}
    with pytest.raises(Refusal) as refused:
        decode_action(T, {"type": "draft", "name": "", "parties": ["italy"], "clauses": [raw]})
    assert refused.value.code in ("bad_action", "notation") and refused.value.rules == ()


def test_a_position_with_a_clause_of_no_kind_is_refused():
    for raw, what in (({"kind": "nonsense"}, "kind of clause"), ({"kind": "defensive", "upon": "flood"}, "happen")):
        with pytest.raises(Refusal) as refused:
            start({"treaties": [{"parties": ["italy", "france"], "clauses": [raw]}]})
        assert what in str(refused.value.detail) and "treaties[0]" in str(refused.value.detail)


def test_bonus_summary_names_existing_clause_kinds():
    assert set(BONUS_KINDS) <= set(CLAUSE_KINDS)


def test_powers_that_a_clause_affects():
    assert affected_powers(FORMS["france pays italy 15"]) == ("france", "italy")
    assert affected_powers(FORMS["codominion of tunis with france, italy"]) == ("france", "italy")
    assert affected_powers(FORMS["italy votes yes"]) == ("italy",)
    assert affected_powers(FORMS["defensive against germany"]) == ()


def test_immediate_clauses_are_recognized():
    assert is_immediate(FORMS["france pays italy 15"])
    for text in ("france pays italy 15 in 1888", "france pays italy 5 every turn until 1892", "defensive"):
        assert not is_immediate(FORMS[text])
    assert not is_immediate(replace(FORMS["france pays italy 15"], upon=ClauseTrigger("unrest", area="egypt")))


def test_every_event_of_agreements_is_reported():
    g = start({"phase": "negotiation", "powers": {p: {"treasury": 20} for p in ("france", "italy", "germany")}})
    lines, narrator = [], Narrator(g.tables)

    def act(seat: str, text: str) -> None:
        lines.extend(narrator.tell(event) for event in g.act(seat, text))

    act("france", 'treaty Rome with italy, germany: defensive; "be kind"; secret france pays italy 5; non-aggression')
    id_ = g.state.treaties[0].id
    act("italy", f'amend {id_}: defensive; "be kind"; secret france pays italy 5')
    id_ = g.state.treaties[-1].id
    for seat in ("france", "germany"):
        act(seat, f"sign {id_}")
    act("italy", f"reveal {id_} 3")
    act("italy", f"charge {id_} 2 germany")
    act("france", f"judge {id_} 2 germany guilty")
    act("germany", f"lapse {id_}")
    act("germany", f"release {id_} germany")
    act("germany", f"renounce {id_}")
    act("germany", "renounce germany_austria_hungary")
    whole = " ".join(lines)
    assert "France drafts the Treaty of Rome" in whole and "(secret) France pays Italy £5" in whole
    assert "Germany is found guilty of breaking article 2 of the Treaty of Rome" in whole
    assert not any("_" in line or any(treaty.id in line for treaty in g.state.treaties) for line in lines)


def test_power_names_have_articles_on_screen_but_not_in_logs():
    clause = Clause("pay", power="united_states", to="france", amount=10)
    assert describe_clause(T, clause) == "The United States pays France £10"
    assert stored_clause_text(T, clause) == "United States pays France £10"
