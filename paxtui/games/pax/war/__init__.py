"""War: from the declaration to the way home. Wars stand in `State.wars` (`paxtui.games.pax.state.war`).

A War is a set of Powers linked by being at War. Its sides are Alliances, numbered from 1; all Powers of a side are
allies, all of different sides are enemies. There is no table of single hostilities beside them: who declares on one
Power of a side stands against the whole side.

- `alliances` reads sides, enemies and who commands a Power; it also says what a declaration makes of the sides, and how
  linked Wars merge.
- `declarations` has the windows, the act, and the queue `State.declarations`: first in, first out, stopping where
  `calls` asks a Power that a Treaty obliges. `great_war` is tested after every single declaration. What one would bring
  about is told by `menus.forecast`; War out of a Congress of Europe is in `congress.to_arms`.
- `war_sequence` is the War Phase. Its frame has one of the steps "" (the opening), `window` (causes that arose inside a
  War) and `fought`. Where each War is, the War itself says (`stage`, `turn_of`, `order`); `cycle` tells which of them
  comes next. So a position needs no more than its Wars.
- `initiative` rolls; then, Alliance by Alliance, `campaign.maneuver`, `campaign.battle`, `campaign.supply`; at the end
  of the cycle `outcome.ends`, and for a War that is decided `outcome.resolution`.
- `campaign.lines` says where Lines of Supply run, `campaign.reach` what Armies could come to given time; `supply`, the
  announced end and the spoils ask them.
- `outcome.ends` decides; `outcome.resolution` then works off `spoils` (Area by Area: `War.divided` are done), the way
  home and the posts of Minor Powers. Peace is an article of an agreement (`clauses.peace`, `diplomacy.peace`).
- `policy` gives the engine's orders: for Minor Powers without an ally, for abandoned Powers (`State.abandoned`, seats)
  and for Empires without one; `command` holds the General Orders that it puts together, binds by Order 9 whoever
  commands an abandoned Power, and collects in `command.consents` an order for a Minor Power that several command.
- `china` opens the Rebellion, `ottomans` the Ottoman War, in which `aid` has the windows for joining either side;
  `empire` is what both share, `outcome.rebellion_end` and `outcome.ottoman_end` how they end without a Great Power
  beside the Empire. `command.empire_acts` marches and attacks for it. After a Rebellion `outcome.cessions` asks what
  China cedes, and `outcome.returns` where Units go that have to leave.

Who is waited for is asked of the position (`war_sequence.waits`), never stored; a seat that has passed stands in
`State.ready` until the next Phase of any War begins. A Unit that has moved, or retreated, is `halted` until then. Dice
fall in `run` and where an attack is ordered, nowhere else. What calls a choice is asked again after its answer, and
finds from the position what is left to do: no continuation is stored.
"""
