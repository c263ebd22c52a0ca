"""The statesman: a bot that plays to win, and says of each act why it does it.

Offers `cabinet.choose_acts`, and of `character` the levels and tempers by their names. `outlook` and `ambitions` say
what a marker and a bonus are worth, `rivalry` what rivals are after, `reckoning` who stands where at the end, `armies`
what a force can do; `prospects`, `expansion`, `fleets` and `order` make a Movement/Status Change Phase of that. The
room `diplomacy` has its dealings with others, `answers` answers every question. It sees what its seat sees, tries its
acts on the caretaker's paper and gives them like any client.
"""
