"""Panes beside the map: functions from session and look to text, without widgets. `registry` has one row for each.

`what_now`, `side_panes` (all others) and `region_cards` are the panes, `status_lines` has the lines above and below the
map.
"""
