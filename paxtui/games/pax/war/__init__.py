"""War: declarations, the War Sequence, campaigns, peace. `State.wars` holds the Wars.

A War is a set of Powers in numbered Alliances: allies within one, enemies between two. `alliances` answers who is on
which side, `declarations` and `calls` cover entry, `war_sequence` the War Phase. `campaign` covers one Alliance Phase,
`outcome` the end of a War. `command` and `automatic_orders` give orders for Powers without a player. `ottomans` is the
Ottoman War, `outcome.rebellion` the Chinese Rebellion, `empire` the land of both Empires. After each answer the Phase
runs again and derives from the position what is left to do: no continuation is stored.
"""
