"""The screen of an exercise of Empires in Arms: the map drawn by us, record sheet, log, acts, the moments gone by."""
