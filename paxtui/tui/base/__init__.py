"""Base classes of all screens: app, screens, dialogs, settings and keymap. `playing` adds orders of a seat."""
