"""Server: one process owns the games; each client holds only the log of its own seat.

A client computes positions, menus and history from that log, with the same code as a local game. It sends
commands and waits for the answer. Acts of other seats arrive as further log lines.

    hub, hosted_game, games, clock       the server process, its games and their clocks
    messages, client, remote_session     protocol, client connection, session of a remote game
    admin_api, lobby, notifications      administrative requests, lobby, calls to the host's program
    access_control, limits               players, keys, invitations, terms; rate limits and quotas
    data_directory, backup, metrics      files, tickets, backup, figures for Prometheus
    ssh_server, ssh_session, fork_server SSH access and the client processes it starts
"""
