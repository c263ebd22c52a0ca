"""Commands for shared games.

`serve` runs a server, `admin` controls it, `backup` saves, restores and exports it. `launcher` starts a server from the
app. `remote_screen` and `remote_plain` are the clients, `preload` imports what every client process needs.
"""
