"""The extractor that needs no model: it reads a conversation by its structure and by what its sentences announce."""
