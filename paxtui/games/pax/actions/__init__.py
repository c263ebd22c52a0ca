"""Actions and notes of seats: structs, notation and JSON form."""
