"""Textual made quick at a slow terminal, and strict about keys. Nothing here knows the game.

`app.SwiftApp` is the app that all others build upon. It writes only what the terminal does not show already (`sheet`,
`pen`), and hands keys over strictly in order, each to the screen that stands when all before it are done (`keyboard`).
A screen is put together of the rows in sight alone (`frame`).
`overlay`, `page` and `rows` are quick widgets, `driver` reads the terminal, `warm` does chores while nobody types.

One key in order is not heard: one typed before the player could read what it would answer (`type_ahead`). There is one
way to ask for that, and no screen does it by itself:

- A screen that comes unasked (a card, a curtain, a report page) or asks before it does something (a confirmation) is
  a `SeenFirst`: `class ReportPage(SeenFirst, PaxOverlay[None])`. What was typed before it had been in sight for
  `SEEN` seconds is thrown away: for every page anew, and when one over it has gone, too.
- What is drawn on a screen that stands already, and must be seen first all the same, calls `app.expect_a_look()`
  before it is drawn.

What of Textual's own it leans on that is private is named and looked at in tests/tui/test_private_textual.py.

Tests put another clock into `app.keyboard.type_ahead.clock`; those of tests/tui have read a card when it is drawn.
"""
