"""What is looked up beside the game: the rules of each order, plain words for terms, and a remedy for each refusal.

Offers `rule_links`, `glossary` and `remedies`, each read once from the data files.
"""
