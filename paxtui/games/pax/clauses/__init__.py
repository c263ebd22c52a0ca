"""The kinds of clause that an agreement may have: one object for each, in a module of its family.

Offers `kinds.KINDS`, and between words and clauses `reading`, `wording` and `put_right`; `checking` holds what no
agreement may say, `upon` what a clause may wait for.
"""
