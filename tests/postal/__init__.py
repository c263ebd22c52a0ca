"""Mail games by e-mail."""
