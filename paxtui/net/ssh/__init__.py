"""The way in for friends: SSH, a terminal for each connection, and a client that is forked for it.

    front      who may come in, and what he may do there
    visitor    somebody at the door, who is asked and told
    reception  his way to his seat
    terminals  a pseudo-terminal for each connection
    forks      clients forked from a process that is warm already
"""
