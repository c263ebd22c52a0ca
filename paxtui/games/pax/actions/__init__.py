"""What a seat asks: actions and dispatches, each with one text in the notation and one shape in the protocol.

Offers `actions`, and `notation.parse` and `notation.text_of` between the two.
"""
