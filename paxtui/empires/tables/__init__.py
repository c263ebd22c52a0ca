"""What a file of `data/empires/` holds once it is read: maps, orders of Powers, cells of tables. Data only."""
