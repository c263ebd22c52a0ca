"""Statesman: a bot that plays to win and gives a reason for each action.

`player` chooses the actions. `evaluation` estimates the worth of markers and the final standing, `treaty_values` the
worth of articles. `expansion` and `armies` plan the Movement/Status Change Phase. `treaties`, `congress` and `war`
plan the dealings with other Powers.
"""
