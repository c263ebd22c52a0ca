"""Text for every screen: `look` (colors, signs, wrapping), `reports`, `review` and `timeline`. No widgets."""
