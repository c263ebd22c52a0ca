"""Tables shared over a wire: one process owns the games, everybody else has what his seat may know of them.

A client holds the log of its seat and nothing more; from that it makes positions, menus and history itself, with the
same code as a game at one keyboard. It asks for what it wants to do and waits for the answer; what others do arrives
as further lines of that log.

    messages   what client and hub say to each other
    framing    how it is cut into pieces on a socket
    hosted     one game with everybody who is connected to it
    timing     its clock
    conflicts  simultaneous orders
    limits     how often somebody may do something
    hub        the process that owns the games
    caller     a connection to it
    office     what the doors of the house ask, and whoever keeps it
    line       a client's end of the wire
    visiting   a client's end of the lobby
    remote     the table and the session of a client, as the screen knows them
    players    keys, seats and invitations on the disk
    house      the directory of a hub: where everything lies

    keeping/   what keeping a table takes beside its games: terms, talk, who is due, the lobby
    ssh/       the way in for friends
"""
