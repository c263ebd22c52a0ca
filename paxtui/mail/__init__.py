"""Games by mail: a directory takes forms and publishes reports.

`gamemaster` runs a deadline, `intake` accepts forms, `submissions` and `order_extraction` handle their text, `reports`
writes the answers. `game_directory` defines the files. `keys` and `sealed_letters` cover encryption, `fair_dice` the
dice, `administration` and `audit` the upkeep. `courier`, `transport` and `message_parser` connect e-mail.

These modules are for Pax Britannica. `rounds` plays all other games by mail.
"""
