"""Moving: a whole memory is copied to another database, and back, without loss."""
