"""What every screen stands on: the app and its settings, themes, keys by their ids, prose without markup."""
