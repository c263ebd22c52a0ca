"""Commands for shared games.

`serve` runs a server, `admin` controls it, `backup` saves, restores and exports it. `web`, `club`, `store` and `notify`
are the commands of these names. `launcher` starts a server from the app, `tunnel` connects one without an open port.
`remote_screen` and `remote_plain` are the clients, `preload` imports what every client process needs.
"""
