"""Queries are written once; where PostgreSQL spells a thing otherwise, a rule says how."""

import pytest

from noctuary.store.postgres_sql import in_postgres, typed


@pytest.mark.parametrize(
    ("sqlite", "postgres"),
    [
        ("select a from t where b = :b", "select a from t where b = %(b)s"),
        ("insert into t values (?, ?)", "insert into t values (%s, %s)"),
        (
            "where no in (select value from json_each(:numbers))",
            "where no = any(array(select value::bigint from jsonb_array_elements_text(%(numbers)s::jsonb)))",
        ),
        (
            "where id not in (select value from json_each(:ids))",
            "where id <> all(array(select value from jsonb_array_elements_text(%(ids)s::jsonb)))",
        ),
        (
            "from json_each(:sessions) j join t on t.a = j.value",
            "from (select value::bigint from jsonb_array_elements_text(%(sessions)s::jsonb)) j join t on t.a = j.value",
        ),
        ("where +owner = :o order by +id desc", "where owner = %(o)s order by (id || '') desc"),
        ("from a d cross join b e on e.a = d.a", "from a d join b e on e.a = d.a"),
        ("where a like :a escape '\\'", "where a ilike %(a)s escape '\\'"),
        ("where a like 'topic:%'", "where a ilike 'topic:%%'"),
        ("select :at_ms + 1, a::text", "select %(at_ms)s + 1, a::text"),
        ("select 1 -- why: so\nfrom t", "select 1 \nfrom t"),
    ],
)
def test_each_form_has_its_rule(sqlite: str, postgres: str) -> None:
    """Values, lists, hints to the planner, joins in order, patterns, comments."""
    assert in_postgres(sqlite).sql == postgres


def test_values_that_are_made_of_words_are_known() -> None:
    """By name, or by place."""
    assert in_postgres("select :match::tsquery, :most").made == {"match": "::tsquery"}
    assert in_postgres("insert into i values (?, ?::tsvector)").made == {1: "::tsvector"}


def test_a_query_says_the_type_of_each_value() -> None:
    """So that the server plans it once; what is not there has none."""
    types = (("a", str), ("b", int), ("c", float), ("d", bytes), ("e", type(None)))

    assert typed("%(a)s %(b)s %(c)s %(d)s %(e)s", types) == (
        "%(a)s::text %(b)s::bigint %(c)s::double precision %(d)s::bytea null"
    )
