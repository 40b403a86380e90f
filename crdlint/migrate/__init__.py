"""The one-off migration of a repository: what is there, what is to be done with it, and what people do beside it."""
