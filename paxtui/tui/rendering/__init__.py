"""Rendering and input on top of Textual: minimal terminal output, strict key order. Independent of the game.

`app` is the base app. `ansi_writer` sends only changed cells, `compositor` composes visible rows, `driver` reads the
terminal, `text_widgets` are fast text widgets. `prepared_screens` builds screens while the player rests,
`terminal_notifications` notifies outside the window. `key_queue` delivers keys in order. Keys typed before a
`DebouncedScreen` has been visible for `MIN_VISIBLE_S` are discarded; call `expect_frame` of the app before drawing such
content on an open screen. `tests/tui/test_private_textual.py` checks every private name of Textual that is used here.
"""
