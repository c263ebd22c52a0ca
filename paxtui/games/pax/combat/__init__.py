"""Colonial Combat and Marker Adjustment, with the combat results, losses and retreats that wars also use."""
