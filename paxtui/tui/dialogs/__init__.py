"""Dialogs over a screen that return one result: menus, answers, reports, advice, seats, War."""
