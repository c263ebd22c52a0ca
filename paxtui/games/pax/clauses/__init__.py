"""Kinds of Treaty articles, one object each, in the module of their family.

`registry` lists all kinds, `kind` defines their fields. `notation` parses and formats articles and checks them.
"""
