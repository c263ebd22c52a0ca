"""Panes beside the map: functions from session and look to text, without widgets. `registry` has one row for each."""
