"""A transcript becomes searchable: discover → adapter → redact → store, from the saved place on."""
