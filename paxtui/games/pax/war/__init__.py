"""War: from the declaration to the peace. Wars are stored in `State.wars` (`paxtui.games.pax.state.war`).

A War is a set of Powers linked by being at War. Its sides are Alliances, numbered from 1: all Powers of a side are
allies, Powers of different sides are enemies. A declaration on one Power of a side is a declaration on the whole side.

- `alliances`: sides, enemies, command, merging of Wars, and the order of the Wars in the War Sequence.
- `declarations`: who may declare, the queue `State.declarations`, and the test for the Great War.
- `calls`: the Powers that a Treaty obliges to join.
- `war_sequence`: the War Phase, step by step. Each War stores its own position (`stage`, `turn_of`, `order`).
- `command`: who commands forces without a player, and General Order 9.
- `automatic_orders`: the engine's orders for Powers without a player and for Empires without an ally.
- `empire`, `ottomans`: the Areas and Armies of an Empire at War, and the start of an Ottoman War.

The seats to wait for are computed from the position (`war_sequence.waiting_seats`) and never stored. Seats that have
passed are in `State.ready` until the next Phase of a War. A Unit that has moved or retreated is `halted` until then.
Dice are rolled only in `war_sequence.run_step` and when an attack is ordered. No continuation is stored: after each
answer the code computes from the position what is left to do.
"""
