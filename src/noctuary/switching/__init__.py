"""One command to switch from another tool: what it kept is read, and comes in as what it is here."""
