"""Play by mail: adjudication of the order forms of all seats at once. Pure.

`forms` parses an order form, `conditions` the conditions of its orders, `standing_orders` its standing instructions.
`movement` resolves the Movement/Status Change Phase, `stops` finds the next deadline, `adjudication` resolves a stop.

Rules: PBM
"""
