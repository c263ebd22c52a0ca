"""The club of a server: results, ratings, reputation, seasons.

`results` reads finished games from their logs, `ratings` rates players, `seasons` has schedules and standings,
`conditions` says who may take a seat. `club` joins them and keeps what has been read in `club.sqlite`, `service`
answers requests. The logs and the register of players stay the truth, so that file can be deleted at any time.
`club.json` holds what no log says, such as seasons.
"""
