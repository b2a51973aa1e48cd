"""The door that coding agents knock on at each event of a session: one JSON object in, at most one out, exit code 0."""
