"""Actions of seats, notes of the host and dispatches, with their text and their JSON form.

`actions` defines the structs, `notation` parses and formats their text, `structured` reads their JSON form.
"""
