"""The commands of a shared table: one who keeps it, and those who come to it.

    serve    keep a table: the hub, the door for SSH, and the process that clients are forked from
    invite   give a seat to whoever has a code
    status   which games there are, who is there, whom they wait for
    join     sit down in a shell on the machine of the table
    export   take a log home
    seat     who sits where
    terms    what those may do who have no seat
    screen   the screen of one seat, and the lobby before it
    plain    the same line by line
    warm     what clients are forked from
    keeper   the house as the app opens and closes it
    house    the house that a command is about
"""
