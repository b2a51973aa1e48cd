"""What routes take in paths and queries, by what it names."""

from typing import Annotated

from fastapi import Path, Query

from noctuary.doors.http.shapes.shape import Name, ProjectName

SessionName = Annotated[str, Path(min_length=1, max_length=200, pattern=r"^[^/\x00-\x1f\x7f]+$")]
ThingName = Annotated[str, Path(min_length=1, max_length=200, pattern=r"^[!-.0-~]+$")]
ThingQuery = Annotated[Name | None, Query()]
ProjectQuery = Annotated[ProjectName | None, Query()]
Moment = Annotated[int | None, Query(ge=0, le=2**53)]
