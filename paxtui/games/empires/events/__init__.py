"""Events by subject: structs with a method that changes the position. `registry` collects them all.

`base` has the base class, the sequence of play, questions and Powers, `land`, `sea` and `politics` their chapters,
`campaign` the reconstructed rules.
"""
