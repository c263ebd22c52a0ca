"""Months, phases, and the order of Powers in each; the places that Great Britain and France announce (chapter 3)."""
