"""Words for places, Powers, pieces and dates, read and written.

Offers `names` and `order_words` to whoever reads a text, `spoken` to whoever says something.
"""
