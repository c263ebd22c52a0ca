"""A shared table kept, and come to.

    serve    keep a table: the hub, the door for SSH, and the process that clients are forked from
    join     sit down in a shell on the machine of the table
    screen   the screen of one seat, and the lobby before it
    plain    the same line by line
    idle     how long somebody from far away may type nothing
    warm     what clients are forked from
    keeper   the house as the app opens and closes it
    house    the house that a command is about
"""
