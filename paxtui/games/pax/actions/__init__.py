"""Actions of seats, notes of the host and dispatches, with their text and their JSON form.

`actions` defines the structs, `forms` derives text, help and menus from the row of each, `fields` says what their
fields hold. `notation` parses and formats any action, `treaty_notation` drafts of Treaties, `structured` reads the JSON
form. `dispatches` are the letters of players.
"""
