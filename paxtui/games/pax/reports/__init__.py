"""Reports for a seat: what happened, what changed and what is left to do. Only what the seat may know.

`briefing` builds the pages of a Game Turn, `ending` those after the game with `result` and `awards`. `changes` lists
what changed while others acted, `todo` what a seat should do before it is ready, `explanations` lines of the Record
Sheet. `war_status` and `war_changes` describe Wars, `threats` and `great_war` what threatens. `chronicle` is the
newspaper.
"""
