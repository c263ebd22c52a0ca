"""Tutorial: `lessons` has steps and conditions, `screen` plays a lesson on the game screen, `campaign` that of 1805."""
