"""What routes take in paths and queries, by what it names.

Sessions of sub-agents are named after the one that sent them, with a slash between; so a session in a path may have
slashes, but for what comes behind it there.
"""

from typing import Annotated

from fastapi import Path, Query
from starlette.convertors import StringConvertor, register_url_convertor

from noctuary.doors.http.shapes.shape import KnownSession, Name, ProjectName


class _SessionInPath(StringConvertor):
    """`/sessions/{session:session}/…`: servers see no difference between a slash and one that was encoded."""

    regex = r"[^/]+(?:/(?!(?:messages|complete|suspend|resume)(?:/|$))[^/]+)*"

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("session", _SessionInPath())
SessionName = Annotated[KnownSession, Path()]
ThingName = Annotated[str, Path(min_length=1, max_length=200, pattern=r"^[!-.0-~]+$")]
ThingQuery = Annotated[Name | None, Query()]
ProjectQuery = Annotated[ProjectName | None, Query()]
Moment = Annotated[int | None, Query(ge=0, le=2**53)]
