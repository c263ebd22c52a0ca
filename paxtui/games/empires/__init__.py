"""Rules of the exercises and of the campaign of Empires in Arms.

`game` connects the rules to the engine. `decider` runs the sequence of play (`calendar`) and decides actions. `pieces`,
`state` and `position` hold the position, `orders` the actions, `events` the events, `tables` the tables, `board`
queries. `land`, `naval`, `battle` and `politics` are the chapters, with `land_phase`, `supply_step` and `supply_lines`.
`narration`, `reports` and `warnings` produce text.
"""
