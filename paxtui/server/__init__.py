"""Server for shared games: one process owns the logs, each client has the log of its seat.

`hub` is that process, `hosted_game` a game in it, `games` all of them, `game_opener` opens many at once. `lobby` lists
them with their `standings`, `clock` and `limits` are timing and quotas, `chat` is the talk. `messages` defines the
protocol; on the side of a client, `client` speaks it, and `remote_session` plays a `remote_game` (`remote_exercise` an
exercise, `remote_seat` is what both share). `ssh_server`, `ssh_session` and the package `web` accept connections,
`proxy_protocol` finds their addresses, `client_process` and `fork_server` start clients. `access_control` stores keys,
seats and invitations, `data_directory` the files, `backup` and `storage_copy` save and copy them. `peers` and `link`
connect several hubs, and the package `postgres` keeps their games. `admin_api` handles administrative requests,
`metrics` counts. `notifications`, `notification_service` and `webhooks` tell players that they must act. The package
`club` has ratings and seasons.
"""
