"""The exercises of Empires in Arms at a table: their files read and checked, games kept, the protocol, the rules by
section.
"""
