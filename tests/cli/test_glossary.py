"""The glossary and the rules in commands and in plain mode."""

from __future__ import annotations

import pytest

from paxtui.cli import reference
from paxtui.cli.main import main
from paxtui.cli.plain.help import glossary_lines
from paxtui.cli.runtime import CommandError
from paxtui.session.reference import load_glossary, load_remedies
from tests.cli.commands import talk_at


def test_command_prints_a_term_with_its_rules(capsys):
    assert main(["rules", "--glossary", "codominion"]) == 0
    output = capsys.readouterr().out
    assert output.startswith("Codominion\n") and "COD-001" in output and "Negotiation Phase" in output


def test_command_prints_all_terms(capsys):
    assert main(["rules", "--glossary"]) == 0
    output = capsys.readouterr().out.splitlines()
    assert sum(not line.startswith(" ") for line in output) == len(load_glossary())


def test_unknown_term_gives_a_sentence():
    args = reference.argparse.Namespace(glossary=["zeppelin"], words=[], chapter=None)
    with pytest.raises(CommandError, match="zeppelin"):
        reference.run_rules(args)


def test_rule_is_printed_with_related_rules_and_terms(capsys):
    assert main(["rules", "BEL-001"]) == 0
    output = capsys.readouterr().out
    assert "Applies only with its option." in output and "named by: MIN-001" in output
    assert main(["rules", "STA-009"]) == 0
    assert "terms: Communication Link" in capsys.readouterr().out


def test_reconstructed_figure_is_marked(capsys):
    assert main(["rules", "SET-034"]) == 0
    assert "reconstructed" in capsys.readouterr().out


def test_plain_mode_explains_a_term():
    talk = talk_at()
    out = talk.hear("glossary casus belli")
    assert out[0].startswith("Casus Belli: ") and "Sign: ⚔" in out
    assert any(line.startswith("Rules: ") and "WAR-027" in line for line in out)
    assert talk.hear("glossary")[0].startswith(f"{len(load_glossary())} words: Area, ")
    assert talk.hear("glossary codominon")[0].endswith("Did you mean 'codominion'?")
    assert "Also with this word" in talk.hear("glossary area")[-1]
    assert glossary_lines("qqqq") == ["The glossary has nothing for 'qqqq'. 'glossary' lists the words."]


def test_plain_mode_shows_the_remedy_of_a_refusal():
    talk = talk_at()
    refused = talk.hear("place protectorate siam")
    assert len(refused) == 1 and "[STA-012" in refused[0]
    why = talk.hear("why")
    assert why[0].startswith("STA-012: ") and why[-1] == f"To make it legal: {load_remedies()['not_open']}"
