"""What has happened: events, each matter with what it makes of the position. No rule stands here."""
