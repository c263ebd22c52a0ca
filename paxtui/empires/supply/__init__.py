"""Supply on land: chains of depots over land and sea, what it costs, and living off the country (7.2.3, 7.4)."""
