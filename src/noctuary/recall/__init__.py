"""A question becomes hits: query → candidates → ranking → snippets and context."""
