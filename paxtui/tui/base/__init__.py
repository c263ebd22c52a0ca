"""Basis of every screen: app, settings, themes, keymap, plain-text widgets, dialogs."""
