"""Pax Britannica, pure: no file, no clock, no chance but the dice it is handed, no screen.

The rooms are named after the rulebook's chapters. `decide` turns what a seat asks into events, `legal` lists what it
may ask, `sequence` strings the Phases together, and `rules_of_play` hands all of it to the kernel.
"""
