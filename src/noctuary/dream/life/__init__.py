"""The life of a session until it is dreamt of: completed, waiting, being read, done; and how that state is kept."""
