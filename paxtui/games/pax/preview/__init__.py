"""What a seat is told of a War: how it stands, what ends it, what an attack can bring, where the map lights up.

    standing     the sides with their forces, the place in the War Sequence, who is waited for
    ending       what ends a War, and how near each of it is
    odds         an attack before its die: the six results, for each set of allies that may join
    peril        what an Alliance would lose at its next Supply Determination, and how to say it
    front        the map in a war view: sides, Lines of Supply, blockades, coaling, reach
    shelter      what a retreat would mean for the supply of those who go
    shares       what an answer about spoils or cessions would leave, in markers, income and points
    terms        what an agreement would leave on the map
    peace_terms  a peace as it is put together: who signs, what becomes of each Area, who pays
    peace_outcome  what a peace would leave, and how to say it
    answers      what each answer to a question of War would bring
    following    what follows from events: tensions, points, causes of war, money
    battles      a battle that was fought, with all that followed from it
    compared     what has changed in the Wars between two moments

All of it is read from the position by the rules' own functions; nothing here decides anything.
"""
