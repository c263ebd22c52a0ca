"""Tables shared over a wire: one process owns the games, everybody else has what his seat may know of them.

A client holds the log of its seat and nothing more; from that it makes positions, menus and history itself, with the
same code as a game at one keyboard. It asks for what it wants to do and waits for the answer; what others do arrives
as further lines of that log.

    messages   what client and hub say to each other
    framing    how it is cut into pieces on a socket
    hosted     one game with everybody who is connected to it
    hub        the process that owns the games
    line       a client's end of the wire
    remote     the table and the session of a client, as the screen knows them
    players    keys, seats and invitations on the disk
    house      the directory of a hub: where everything lies
    front      SSH: who may come in, and what he may do there
    terminals  a pseudo-terminal for each connection
    forks      clients forked from a process that is warm already
"""
