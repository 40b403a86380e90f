"""Objects that a cluster holds, and what the API server makes of them once their schema has changed."""
