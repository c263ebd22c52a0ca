"""Whole positions: `setup`, reading a patch (`reader`, `war_reader`), and the `view` of a seat."""
