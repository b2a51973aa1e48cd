"""The journal: append-only lines of JSON, one file a project, each line with the digest of the one before."""
