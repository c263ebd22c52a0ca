"""Rules of Pax Britannica.

`game` connects the rules to the engine, `decide` finds the function for an action, `sequence` runs the Phases.
`transaction` collects the events of one decision, `visibility` decides what a seat may know, `casus_belli` tracks
causes of war, `statistics` counts over the whole game. The packages hold the chapters of the rules, the data and the
text output.
"""
