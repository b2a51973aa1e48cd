"""Models: what turns text into meaning.  Each is optional; without any, Noctuary finds by words alone."""
