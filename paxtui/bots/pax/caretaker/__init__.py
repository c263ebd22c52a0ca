"""The caretaker: the General Orders by which a Power is led whose player has left, each act with the order behind it.

Offers `general_orders.choose_acts`. `desk` is the paper on which acts are tried before they are given, with Rules 1 and
2 over all of them; `superiority` counts forces; `war_on_minors`, `disputes` and `calls` are Rules 2 to 4, `fleets` is
Rule 5, `demands` and `indian_army` Rule 6, `garrisons` and `unrest` Rules 7 and 8; `answers` answers every question,
`campaign` gives the orders of Rules 9 to 11.
"""
