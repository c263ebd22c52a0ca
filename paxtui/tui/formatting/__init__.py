"""How things are written on every screen: Powers in their colours, lines wrapped, reports, Treaties, time at a glance.

No widgets: screens, panes, pictures and tests draw the same texts.
"""
