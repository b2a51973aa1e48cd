"""Ways in from outside; each door turns what it is given into a call on `Memory`, and its answer into output."""
