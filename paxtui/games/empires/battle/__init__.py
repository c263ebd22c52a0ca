"""Land combat: field combat on public tables, its rules beyond 7.5.2.5.1 reconstructed by us, and who retires first."""
