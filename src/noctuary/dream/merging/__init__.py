"""What a session says joins what is known: what is new, what it becomes, and what it contradicts."""
