"""Rules of the exercises and of the campaign of Empires in Arms.

`game` connects the rules to the engine. `decider` runs the sequence of play and decides actions. `pieces` and `state`
hold the position, `orders` the actions, `events` the events, `tables` the tables. `land`, `naval`, `battle` and
`politics` are the chapters. `narration` and `reports` produce text.
"""
