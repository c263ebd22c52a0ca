"""Words for places, Powers, pieces and clauses, read and written; sentences for what has happened.

Offers `names` and `order_words` to whoever reads a text, `spoken` and `narrate` to whoever tells something.
"""
