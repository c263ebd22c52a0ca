"""Measure how even and how lively games of bots are, and fit tables and weights to such games.

`python -m tools.calibrate measure`     wins, points, Wars and changes of Control in games of bots
`python -m tools.calibrate countermix`  search for even limits of pieces
`python -m tools.calibrate fit`         fit the weights with which bots evaluate a position
"""
