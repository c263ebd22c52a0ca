"""Reports for a seat: what happened, what changed and what is left to do.

`briefing` builds the pages, `changes` lists what changed while others acted, `todo` what a seat should do before it is
ready. `war_status` and `war_changes` describe Wars. Reports use only what the seat may know.
"""
