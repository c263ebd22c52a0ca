"""The printed board and queries on it: `tables`, `adjacency`, `routes`, `status` of Areas, `caching`."""
