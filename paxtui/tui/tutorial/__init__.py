"""Tutorial: `lessons` reads the steps and their conditions, `screen` plays a lesson on the game screen."""
