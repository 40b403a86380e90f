"""The output formats."""
