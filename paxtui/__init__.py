"""paxtui: Pax Britannica (1985) in the terminal. Unofficial and non-commercial."""

__version__ = "0.3.0"
