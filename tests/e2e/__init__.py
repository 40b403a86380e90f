"""End-to-end tests: what crdlint says and writes, on the API server, kubectl and Helm themselves."""
