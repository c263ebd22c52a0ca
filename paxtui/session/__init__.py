"""Running games at one keyboard: sessions, bots, clocks, storage.

`game_host` controls a game, `local_session` is the access of its players, `game_viewer` shows it, `replay` reads a
finished log. `bot_runner` and `bot_process` run bots. `place_menu`, `order_planning`, `player_news` and `reference`
serve screen and plain mode. `protocol` is the engine protocol, `exercise_session` runs an exercise. `storage` has the
files, `tables` reads `data/`.
"""
