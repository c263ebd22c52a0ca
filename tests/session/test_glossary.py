"""The glossary, references between rules, and the remedies of refusals."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import get_args

import pytest

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.tables import Rule
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.questions import AnyQuestion
from paxtui.session.games import GAME_KINDS
from paxtui.session.reference import (
    CHAPTERS,
    EDITIONS,
    RECONSTRUCTED_RULES,
    choices_of,
    find_terms,
    is_played,
    load_choices,
    load_glossary,
    load_remedies,
    orders_of,
    phase_of,
    read_glossary,
    related_rules,
    remedy_of,
    rule_origin,
    rule_passages,
    rule_remarks,
    rules_named_in,
    rules_of_orders,
    terms_in,
    terms_of_rule,
)
from paxtui.session.tables.loader import load_rules, load_tables
from paxtui.session.tables.records import TableError

SOURCE = Path(__file__).parents[2] / "paxtui"

EXERCISE_REMEDIES = GAME_KINDS["empires"].remedies


# --- glossary ---------------------------------------------------------------------------------------------------------


def test_glossary_has_the_words_of_the_game():
    terms = load_glossary()
    for word in (
        "Area", "Sea Zone", "Status marker", "Interest", "Influence", "Protectorate", "Possession", "Dominion",
        "State", "Control", "Communication Link", "Casus Belli", "Codominion", "Coaling rights", "Casus Foederis",
        "Great War", "European Tensions Index", "Chinese Resentment Index", "Colonial Office", "Unrest", "Garrison",
        "Merchant Fleet", "Seat", "Ply", "Refusal", "Pending choice", "Home Country", "Minor Power", "Ottoman Empire",
    ):  # fmt: skip
        assert word in terms, word


def test_each_phase_and_symbol_has_a_term():
    names, signs = set(load_glossary()), " ".join(t.sign for t in load_glossary().values())
    phases = (
        "Random Events Phase", "Administrative Phase", "Minor Powers Phase", "Movement/Status Change Phase",
        "Colonial Combat Phase", "Marker Adjustment Phase", "Negotiation Phase", "Congress of Europe",
        "Chinese Resentment Phase", "War Phase", "Victory Point Record Phase", "Final Record Phase",
    )  # fmt: skip
    assert names >= set(phases)
    for sign in ("○", "●", "◇", "◆", "★", "?", "!", "⚔", "A10", "N10", "M", "✓"):
        assert sign in signs.split(), sign


def test_each_definition_is_short_and_has_links():
    for term in load_glossary().values():
        assert 20 < len(term.text) < 260, term.name
        assert term.text.endswith("."), term.name
        assert term.see, f"{term.name} leads nowhere"


def test_definitions_do_not_copy_the_rules():
    statements = [r.statement for r in load_rules().values()]
    for term in load_glossary().values():
        for sentence in re.split(r"(?<=[.:;])\s", term.text):
            assert len(sentence) < 40 or not any(sentence in s for s in statements), term.name


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('[[term]]\nname = "A"\ntext = "x"\nrules = ["XXX-001"]\n', "no rule 'XXX-001'"),
        ('[[term]]\nname = "A"\ntext = "x"\nsee = ["B"]\n', "'see' names 'B'"),
        ('[[term]]\nname = "A"\ntext = "x"\n[[term]]\nname = "A"\ntext = "y"\n', "twice"),
        ('[[term]]\nname = "A"\n', "text"),
        ("[[term]\n", "glossary.toml:1"),
    ],
)
def test_broken_glossary_is_reported(text, wrong):
    with pytest.raises(TableError) as error:
        read_glossary(text)
    assert wrong in str(error.value)


def test_terms_are_found_by_name_spelling_sign_and_text():
    assert find_terms("control")[0].name == "Control"
    assert find_terms("CRI")[0].name == "Chinese Resentment Index"
    assert [t.name for t in find_terms("⚔")] == ["Casus Belli"]
    assert "Merchant Fleet" in [t.name for t in find_terms("ships carry")]
    assert find_terms("zeppelin") == []
    assert len(find_terms("")) == len(load_glossary())


def test_the_terms_in_a_text_are_the_longest_ones():
    text = "A Communication Link to the Chinese Empire Area is required, or a link to Control it; interesting."
    assert terms_in(text) == ("Communication Link", "Chinese Empire", "Control")
    assert "Communication Link" in terms_of_rule("STA-009")


# --- rules ------------------------------------------------------------------------------------------------------------


def test_every_rule_has_a_chapter_an_edition_and_a_phase_in_words():
    for rule in load_rules().values():
        assert rule.id[:3] in CHAPTERS and rule.edition in EDITIONS
        assert "_" not in phase_of(rule) and '"' not in rule_origin(rule)


def test_rule_lists_related_rules():
    assert rules_named_in("see CCB-049 to CCB-051 and MIN-034, not XXX-001") == (
        "CCB-049",
        "CCB-050",
        "CCB-051",
        "MIN-034",
    )
    related = related_rules("CCB-003")
    assert "MIN-056" in related.names
    assert "CCB-003" in related_rules("MIN-056").named_by or "CCB-003" not in rules_named_in(
        load_rules()["MIN-056"].statement
    )
    assert (related.before, related.after) == ("CCB-002", "CCB-004")
    assert related_rules("SET-001").before == ""


def test_links_between_rules_go_both_ways():
    for rule in load_rules():
        for other in related_rules(rule).names:
            assert rule in related_rules(other).named_by


def test_rules_of_the_same_lines_are_related():
    assert rule_passages(load_rules()["SET-027"]) == {"52", "53", "714"}
    assert "SET-028" in related_rules("SET-027").same_lines
    assert rule_passages(load_rules()["EVT-042"]) == {"228", "table 1-1"}


def test_every_order_and_choice_of_the_game_has_its_rules():
    orders, choices = rules_of_orders(), load_choices()
    assert {verb for verb, rules in orders.items() if not rules} == {
        "choose", "undo", "redo", "dispatch", "proclaim"
    }  # fmt: skip
    assert set(choices) == {question.__struct_config__.tag for question in get_args(AnyQuestion)}
    assert "place" in [o.verb for o in orders_of("STA-009")]
    assert [c.kind for c in choices_of("CCB-052")] == ["losses"]


def test_remarks_name_rulings_options_and_reconstructed_figures():
    rules, tables = load_rules(), load_tables()
    assert "ruling" in rule_remarks(rules["CCB-067"], tables)[0]
    assert any("reconstructed" in text for text in rule_remarks(rules["SET-039"], tables))
    assert any("option" in text for text in rule_remarks(rules["BEL-001"], tables))
    assert rule_remarks(rules["STA-009"], tables) == []
    assert is_played(Rule("PBM-001", "7", "", "pbm", "", "", ""))
    assert not is_played(Rule("", "9", "", "", "", "", ""))
    assert set().union(*RECONSTRUCTED_RULES.values()) <= set(rules)
    assert set(tables.reconstructed) <= set(RECONSTRUCTED_RULES)


# --- refusals ---------------------------------------------------------------------------------------------------------


def codes_in_the_source() -> dict[str, str]:
    """Return each code of a refusal in the source, with a place where it is used."""
    found: dict[str, str] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            code = None
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                code = node.args[0] if name in ("refuse", "Refusal", "PlacementProblem", "no") else None
            elif isinstance(node, ast.Tuple) and len(node.elts) == 3 and _are_rules(node.elts[1]):
                code = node.elts[0]
            if code is None:
                continue
            parts = (code.body, code.orelse) if isinstance(code, ast.IfExp) else (code,)
            for part in parts:
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    found.setdefault(part.value, f"{path.relative_to(SOURCE).as_posix()}:{node.lineno}")
    return found


def _are_rules(node: ast.expr) -> bool:
    if isinstance(node, ast.IfExp):
        return _are_rules(node.body)
    return isinstance(node, ast.Tuple) and all(
        isinstance(e, ast.Constant) and isinstance(e.value, str) and re.fullmatch(r"[A-Z]{3}-\d{3}", e.value)
        for e in node.elts
    ) and bool(node.elts)  # fmt: skip


def test_each_refusal_code_has_a_remedy():
    codes, remedies, exercise_remedies = codes_in_the_source(), load_remedies(), load_remedies(EXERCISE_REMEDIES)
    assert {"no_link", "no_money", "no_army", "revolt_of_others", "not_established", "no_depot"} <= set(codes)
    missing = {code: place for code, place in codes.items() if code not in remedies}
    missing_in_pax = {code: place for code, place in missing.items() if not place.startswith("games/empires/")}
    assert not missing_in_pax, f"data/remedies.tsv has no sentence for {missing_in_pax}"
    assert missing.keys() <= exercise_remedies.keys(), (
        f"data/empires/remedies.tsv: {missing.keys() - exercise_remedies.keys()}"
    )


def test_remedy_of_an_exercise_comes_before_the_general_one():
    refusal = Refusal("over", ("EIA 3.6",), "")
    assert remedy_of(refusal, EXERCISE_REMEDIES) == load_remedies(EXERCISE_REMEDIES)["over"]
    assert remedy_of(Refusal("unknown_seat", (), ""), EXERCISE_REMEDIES) == load_remedies()["unknown_seat"]


def test_a_remedy_is_one_short_sentence():
    for code, sentence in [*load_remedies().items(), *load_remedies(EXERCISE_REMEDIES).items()]:
        assert sentence[0].isupper() or sentence.startswith("'"), code
        assert sentence.endswith(".") and len(sentence) < 150, code


def test_a_refusal_with_several_problems_has_the_remedy_of_each():
    one = Refusal("no_link", ("STA-009",), "No link.")
    both = Refusal("no_link", ("STA-009",), "No link.", problems=["no_link", "not_open"])
    assert remedy_of(one) == load_remedies()["no_link"]
    assert remedy_of(both) == f"{load_remedies()['no_link']} {load_remedies()['not_open']}"
    assert remedy_of(Refusal("impossible_position", (), "", problems=["a sentence"])).startswith("Correct")


def test_protocol_sends_the_remedy_of_an_error():
    import json

    from paxtui.session.protocol import EngineSession

    engine = EngineSession()
    powers = json.dumps(list(seats_for(7)))
    engine.handle(f'{{"id": 1, "method": "new", "params": {{"seed": 7, "powers": {powers}, "options": {{}}}}}}')
    asked = '{"id": 2, "method": "act", "params": {"seat": "britain", "text": "plaice cuba"}}'
    error = json.loads(engine.handle(asked))["error"]
    assert error["code"] == "notation" and error["remedy"] == load_remedies()["notation"]
