"""Play by mail: what an order form says, and what comes of the forms of all seats at once. Pure.

    forms            an order form: numbered orders, each with its condition, and standing instructions
    reading          a form read from plain text; every fault with its line, its place and what would be right
    conditions       the language of conditions: what the others have to do, with and, or, not; and what orders come to
    condition_words  conditions read from words, and said again
    boards           each seat's orders on the board as the Phase began, gifts that both sides agreed to made first
    equations        which conditional orders are carried out: those of all seats at once, as a system of equations
    movement         the Movement/Status Change Phase by mail, from all forms to the position after it
    standing         choices that a mail game does not stop for, answered by standing instructions
    in_war           where Units go in War that nobody sends, and which ally orders a Minor Power
    stops            where a mail game stops, and how it goes on until it does
    deadlines        how long each kind of stop lasts
    preferences      who plays what, by the lists of the players
    adjudication     the door: the forms of a stop, and all that comes of them

Rules: PBM
"""
