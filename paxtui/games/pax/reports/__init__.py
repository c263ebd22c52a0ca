"""What a seat is told: what has happened, what has changed for it, and what it must not forget. Pure, and by its seat.

    page         what a report is made of: pages, sections, lines with the place each is about
    turn_end     the page that closes a Game Turn: Victory Points and why, tension and why, what became of disputes
    turn_begin   the page that opens one: Random Events and what they do, income, Minor Powers, Unrest, Casus Belli
    since        what changed for a seat while others acted
    briefing     all of these in order, from the acts since the seat was last told
    combat       a Colonial Combat: the odds before it, and what followed from it
    must_do      what waits for a seat before it should be ready
    foresight    what an act would bring, found by trying it; foretold says it in sentences
    withdrawn    whose act has taken a seat's ready mark away

Whoever tells a seat something, on a screen, line by line or by mail, takes it from here. All of it is made of the
events and the position as that seat may know them; nothing here looks further.
"""
