"""Reading beside the game: the reference of rules and terms, the help for what has focus, the Record Sheet explained.

Offers the screens, and the topics and pages they show. Nothing here acts.
"""
