"""The storage of servers on several machines: logs, players and club in a PostgreSQL database.

`database` is the connection with its schema, `logs` the logs of games, `storage` the storage itself. `hubs` says which
hub holds which game. Nothing outside this package imports psycopg, and the program of a player never imports it.
"""
