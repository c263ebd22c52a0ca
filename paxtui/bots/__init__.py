"""Bots: players that see what their seat sees and answer with orders as texts.

`pax` plays Pax Britannica, `empires` the exercises of Empires in Arms.
"""
