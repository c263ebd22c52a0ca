"""Command `postal`: games by mail.

`commands` parses the command line. `gamemaster` has the subcommands of the gamemaster, `screens` opens the screens,
`pages` draws the map for HTML reports.
"""
