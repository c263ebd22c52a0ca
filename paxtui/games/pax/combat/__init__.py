"""Colonial Combat and Marker Adjustment: attacks, the Combat Results Tables, losses and retreats."""
