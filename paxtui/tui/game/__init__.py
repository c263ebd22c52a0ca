"""Game screen: `screen` combines the other modules, each a layer of it. Its widgets are in `tui/widgets/`.

`layout` draws it, `orders` gives orders, `seats` and `handover` change players, `bots` shows their moves, `history` and
`replay` show earlier moments, `other_screens` opens the screens of diplomacy and reference.
"""
