"""Server for shared games: one process owns the logs, each client has the log of its seat.

`hub` is that process, `hosted_game` and `games` its games, `lobby` their list, `clock` and `limits` timing and quotas.
`messages` defines the protocol; `client` and `remote_session` are the client's side. `ssh_server`, `ssh_session` and
the package `web` accept connections, `client_process` and `fork_server` start clients. `access_control` stores keys,
seats and invitations, `data_directory` the files. `peers` and `link` connect several hubs, and the package `postgres`
keeps their games. `admin_api` handles administrative requests.
"""
