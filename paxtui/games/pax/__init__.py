"""Pax Britannica: rules, position, events, notation and reports."""
