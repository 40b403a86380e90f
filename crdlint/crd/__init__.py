"""What a CRD says: its schema, and what the API server makes of it."""
