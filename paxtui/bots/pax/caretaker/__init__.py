"""The caretaker: a bot that plays an abandoned Power by the General Orders and names the order behind each act.

`general_orders` chooses the actions, `planner` tries them on a copy of the position. `forces`, `spending` and `war`
hold the General Orders by number.
"""
