"""What whoever arbitrates a table does beside the rules: fair dice, clocks and pauses, and for whom is waited how long.

All of it stands in the log as notes of the arbiter's, which change no position. It is the same for a table on a hub and
for a game by mail; the clocks that tell the time are theirs.

    fair_dice   asks for words, leaves out who is silent, tells the seed; makes a game fair
    live_words  how long words are waited for at a table where everybody sits
    live_clock  how much time is left, and whose is over
    overdue     the caretaker acts for them
    own_word    a seat's side of it: its word
"""
