"""Reading and checking the files of `data/`, one module per kind of table.

`text` turns a file into records that know their line, `sources` finds the files, `board`, `pieces`, `dice`, `scoring`
and `switches` read and check them. Only `paxtui.session.tables.loader` is meant to be used from outside.
"""
