"""The routes of the API, one module a noun; each has a function `routes` that makes its router."""
