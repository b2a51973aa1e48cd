"""The door for agents: the memory over the Model Context Protocol, by stdio or HTTP.

`tools.py` says what is offered, the verbs behind it are plain functions, and only `server.py` and `http.py` know the
protocol's library, so that everything else can be read and tested without it.
"""
