"""Configurations: what they say (`data`), where they are (`lookup`), how they are read and checked (`reading`)."""
