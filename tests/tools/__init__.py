"""Tests of the programs in `tools/`."""
