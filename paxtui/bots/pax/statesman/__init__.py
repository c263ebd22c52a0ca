"""Statesman bot: plays to win, with a reason for each action.

It uses only what its seat can see and tests its actions on a copy of the position. `player` chooses its actions of a
Phase. `evaluation` prices markers, money and Areas, `treaty_values` the articles of Treaties. `expansion` and `armies`
cover the Movement/Status Change Phase, `congress` disputes, `war`, `campaign` and `threats` Wars, `great_war` the end
of the game. `treaties` makes and answers drafts, with the prices of `bargaining` and shared Areas of `partnerships`.
"""
