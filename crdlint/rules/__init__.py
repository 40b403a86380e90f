"""Rules: data from YAML files, evaluated with JSON Schema or a named check."""
