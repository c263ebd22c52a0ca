"""Command "postal": games by mail.

`commands` parses the command line. `gamemaster` has the subcommands of the gamemaster, `rounds` those of games other
than Pax Britannica, `screens` opens the screens, `pages` draws the map for HTML reports.
"""
