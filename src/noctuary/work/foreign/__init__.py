"""What other tools wrote: read without loss, and any number of times."""
