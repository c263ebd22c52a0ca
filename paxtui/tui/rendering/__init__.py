"""Rendering and input on top of Textual: minimal terminal output, strict key order. Independent of the game.

`app.RenderingApp` is the base class of all apps. It writes only changed cells (`ansi_writer`) and handles keys
strictly in order (`key_queue`). `compositor` draws only visible rows. `text_widgets` holds fast widgets, `driver` reads
the terminal.

Keys typed before a dialog has been visible for `MIN_VISIBLE_S` are discarded:

- A screen that opens without a key of the player, or a confirmation, derives from `DebouncedScreen` first.
- Before drawing such content on a screen that is already visible, call `RenderingApp.expect_frame()`.

tests/tui/test_private_textual.py lists the private parts of Textual in use. Tests may replace
`app.keyboard.type_ahead.clock`.
"""
