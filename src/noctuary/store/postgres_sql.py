"""SQL that both databases run, in PostgreSQL's spelling.

Queries are written once, in the SQL that SQLite and PostgreSQL share, but for a few forms in which SQLite differs.
These are respelled here, by rules; a query that needs more than that has its own text in sql/postgres.sql.
"""

import re
from functools import cache
from typing import NamedTuple

# Lists that are passed as JSON, by the name of the value: these have numbers in them, all others texts.
_NUMBERS = {"numbers", "keys", "uids", "sessions", "picked", "positions"}
_LIST = re.compile(r"\b(not )?in \(select value from json_each\(:(\w+)\)\)")
_JOINED_LIST = re.compile(r"json_each\(:(\w+)\) (\w+)")
_ORDER = re.compile(r"\border by \+(\w+)")  # by what no index should be used for; all of these are texts
_PLUS = re.compile(r"(?<=[\s(])\+(?=[a-z])")  # keeps SQLite from using an index
_CROSS = re.compile(r"\bcross join (\w+ \w+) on\b")  # says in which order SQLite joins
_LIKE = re.compile(r"\blike\b")  # does not mind case in SQLite
_VALUE = re.compile(r"(?<!:):([a-z]\w*)(::tsvector|::tsquery\[\]|::tsquery)?|\?(::tsvector)?")
_ROOT = re.compile(r"(as \(\s+select) :(\w+)(?=\s+union\b)")  # where a recursive query begins
_NAMED = re.compile(r"%\((\w+)\)s")
_GIVES_ROWS = re.compile(r"\A\s*(?:select|with)\b|\breturning\b")
_COMMENT = re.compile(r"--[^\n]*")


class Query(NamedTuple):
    """A query as PostgreSQL reads it, and which of its values are made from words."""

    sql: str
    made: dict[str | int, str]  # the kind by the value's name or place
    gives_rows: bool


_TYPES = {str: "text", int: "bigint", float: "double precision", bytes: "bytea"}


@cache
def typed(sql: str, types: tuple[tuple[str, type], ...]) -> str:
    """The query with the type of each value in it, so that the server can plan it once for all values of those types.

    What is not there at all becomes null: the server could not tell its type.
    """
    known = dict(types)

    def value(found: re.Match[str]) -> str:
        kind = known[found[1]]
        return "null" if kind is type(None) else f"%({found[1]})s::{_TYPES[kind]}"

    return _NAMED.sub(value, sql)


def in_postgres(sql: str) -> Query:
    """The query in PostgreSQL's spelling."""
    text = _COMMENT.sub("", sql).replace("%", "%%")
    text = _LIST.sub(_listed, text)
    text = _ORDER.sub(r"order by (\1 || '')", _JOINED_LIST.sub(_joined, text))
    text = _ROOT.sub(r'\1 :\2::text collate "C"', text)
    text = _LIKE.sub("ilike", _CROSS.sub(r"join \1 on", _PLUS.sub("", text)))
    made: dict[str | int, str] = {}
    places = 0

    def value(found: re.Match[str]) -> str:
        nonlocal places
        name, kind, placed_kind = found.groups()
        if name is None:
            places += 1
            if placed_kind:
                made[places - 1] = placed_kind
            return f"%s{placed_kind or ''}"
        if kind:
            made[name] = kind
        return f"%({name})s{kind or ''}"

    return Query(_VALUE.sub(value, text), made, _GIVES_ROWS.search(text) is not None)


def _listed(found: re.Match[str]) -> str:
    """As an array: of a list the server thinks that it is long, and reads whole tables beside it."""
    without, name = found.groups()
    cast = "::bigint" if name in _NUMBERS else ""
    values = f"array(select value{cast} from jsonb_array_elements_text(:{name}::jsonb))"  # noqa: S608 (all of it is ours)
    return f"<> all({values})" if without else f"= any({values})"


def _joined(found: re.Match[str]) -> str:
    name, alias = found.groups()
    cast = "::bigint" if name in _NUMBERS else ""
    return f"(select value{cast} from jsonb_array_elements_text(:{name}::jsonb)) {alias}"  # noqa: S608 (and here)
