"""For those who set crdlint up: what applies to a file (`show`), and a configuration to start from (`starting`)."""
