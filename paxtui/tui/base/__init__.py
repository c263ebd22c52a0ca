"""Base classes: `app`, `screen`, generic `dialogs`, `settings`, `keymap`; `playing` for screens of an open game."""
