"""The commands of whoever keeps a house, about the house that runs.

    invite   give a seat to whoever has a code
    seat     who sits where
    clock    the clock of a table, and its pauses
    terms    what those may do who have no seat
    players  everybody with a key
    status   which games there are, who is there, whom they wait for
    export   take a log home
    backup   the whole house in one file
    restore  a house made of it
    stop     close the house
"""
