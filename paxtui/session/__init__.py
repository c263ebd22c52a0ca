"""Running games at one keyboard: sessions, bots, clocks, storage.

`games` lists the games there are, `hosts` opens and creates them. `game_host` runs a game of any kind; `pax_host` adds
what only Pax Britannica has. `bot_runner` (`pax_bot_runner`) and `bot_process` run bots, `game_clock` the clock,
`fair_dice` the words for fair dice. `session` is the interface of the screens to a game: `local_session` for the
players at one keyboard, `exercise_session` the same for an exercise, `replay` for a finished log. `game_viewer` shows a
game, `protocol` is the engine protocol. `place_menu`, `exercise_menus`, `order_planning`, `orders_ahead`,
`player_news`, `advice`, `treaty_suggestions`, `standings`, `ending`, `lobby`, `place_names` and `reference` serve
screens and plain mode. `verification` checks a log. `scenario_draft` edits a scenario, `scores` keeps those of
challenges. `storage` has the files, `tables` reads `data/`.
"""
