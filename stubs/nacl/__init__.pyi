"""What mail games use of PyNaCl, so that types are checked where it is not installed."""
