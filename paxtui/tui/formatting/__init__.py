"""Text for every screen: `look` (colors, signs, wrapping), `reports` and `timeline`. No widgets."""
