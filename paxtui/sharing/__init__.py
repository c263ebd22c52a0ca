"""Files for people who have not installed paxtui.

`page` writes a game as an HTML page, from `contents` and `remarks`. `frames` are pictures of the map turn by turn,
`pictures`, `image_formats` and `atlas` draw it. `position_text` is a position for a forum, `turns` finds Game Turns.
"""
