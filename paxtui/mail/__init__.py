"""The gamemaster's desk of a mail game: a directory through which forms come in and reports go out.

`folder` says what lies where, `terms` what everybody may know of the game, `desk` opens the forms of a stop and goes on
to the next, `arrivals` takes forms in and says which are missing, `missed` has the caretaker write for who sent none,
`report` tells what has come of it in a `document` of parts, which is written as text, Markdown or a page, and `blank`
is the form that goes out with a report. Where forms are sealed `keys` says who holds which seat, `letters` what is
sealed, `seals` how, and `locks` what opens a form that is locked until after the deadline. `dice` brings fair dice
about. The room `keeping` is about all that is not a turn.
"""
