"""The page: the memory for people, made on the server, readable without any script."""
