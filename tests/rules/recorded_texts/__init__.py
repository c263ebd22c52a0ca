"""All texts of the engine in the tests of rules, one per line, to be read and compared.

`refusals.tsv`: code, rules, message and details. `questions.tsv`: the question, the seat, the possible answers, the
default, the rules, and the displayed text. `events.tsv`: kinds of events with their rules and words, without names of
pieces and figures. `descriptions.tsv`: descriptions of events, without figures.

The harness of `tests/rules` looks up each text of a test. A line that is in none of the files is a failure. So each
test notices a changed word, rule or option, even if it checks something else.

    python -m tests.rules.recorded_texts               # write all files again (half a minute)
    python -m tests.rules.recorded_texts tests/rules/test_war.py ...    # only add the lines of these tests
"""
