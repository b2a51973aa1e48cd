"""The work as files: one TOML file a goal, written the same every time, read back and merged field by field."""
