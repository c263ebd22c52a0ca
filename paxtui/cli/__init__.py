"""Commands of paxtui, one module for each command or group. `main` imports the module of a command when it is called.

The packages `hosting`, `mail` and `plain` have the servers, the games by mail and the plain mode. `runtime` runs each
command and reports errors. `start` opens the screens, `game_arguments` are the arguments that several commands have.
"""
