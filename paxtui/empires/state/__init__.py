"""The position: months, Powers, relations, ledgers, fleets, corps, and what is asked or sealed. Data only."""
