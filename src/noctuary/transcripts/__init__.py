"""Reading what coding agents leave on disk: one adapter a file, pure, no store."""
