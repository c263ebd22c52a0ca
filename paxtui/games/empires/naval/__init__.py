"""The sea (5.1 and chapter 6): reinforcement, movement, interception, combat, retreat, and fleets in fallen ports.

`phase` gives the steps to the sequence. What goes on stands in `State.at_sea`: the stack that sails (`sailing`), who
may stop it (`interception`), and the combat (`sides`, `combat`, `result`, `retreat`), which is played stage by stage.
"""
