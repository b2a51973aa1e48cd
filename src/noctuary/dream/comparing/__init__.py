"""Whether two sentences say the same, the opposite, or something else: words, numbers, direction, denial."""
