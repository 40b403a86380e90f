"""What is known already, so that only what is new is reported: from a baseline, or from an earlier revision."""
