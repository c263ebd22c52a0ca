"""The expert level of the statesman: it searches among plans for the Movement Phase.

`search` varies the plan and judges each variant by `rollouts` of the rest of the Game Turn.
"""
