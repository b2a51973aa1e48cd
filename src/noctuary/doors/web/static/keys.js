// Keys.
