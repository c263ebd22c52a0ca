"""A naval combat, stage by stage: sides, evasion, guns, wind, broadsides, result, retreat and pursuit (6.3)."""
