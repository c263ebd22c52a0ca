"""Running games at one keyboard: sessions, bots, clocks, storage.

`games` lists the games there are, `hosts` opens and creates them. `game_host` runs a game of any kind; `pax_host` adds
what only Pax Britannica has. `bot_runner` (`pax_bot_runner`) and `bot_process` run bots. `protocol` is the engine
protocol. `local_session` is the access of the players at one keyboard, `exercise_session` the same for an exercise.
`game_viewer` shows a game, `replay` reads a finished log. `place_menu`, `order_planning`, `player_news` and `reference`
serve screen and plain mode. `scenario_draft` edits a scenario, `scores` keeps those of challenges. `storage` has the
files, `tables` reads `data/`.
"""
