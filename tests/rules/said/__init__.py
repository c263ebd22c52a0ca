"""Everything that the tests of the rules have the engine say, a line each, to be read and judged.

`refusals.tsv`: code, rules, sentence and what goes with it. `questions.tsv`: what is asked of whom, the answers open to
him, the one by default, the rules, and how it is read out. `events.tsv`: kinds of events with their rules and their
words, but without names of pieces and figures. `told.tsv`: events as they are told, without figures.

The bench of `tests/rules` looks up whatever is said in a test, and a line that stands in none of them is a failure: so
a word, a rule or an option that has changed is seen wherever a test passes by, though the test asks for something else.

    python -m tests.rules.said               # after a change on purpose, or a test that has something new said: the
                                             # tests of the rules write all anew (half a minute)
    python -m tests.rules.said tests/rules/test_war.py ...    # these tests only add their lines
"""
