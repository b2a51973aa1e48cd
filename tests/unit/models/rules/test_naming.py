"""Files and commits that a text names."""

from hypothesis import given
from hypothesis import strategies as st

from noctuary.models.rules.naming import commits_in, files_in


def test_paths_are_files() -> None:
    """Each once, in order; a name alone only between marks, because Next.js is no file."""
    quote = "See [page](/shop/app/page.tsx), apps/api/route.ts:20, `a.mjs` and apps/api/route.ts; uses Next.js 14."

    assert files_in(quote) == ["/shop/app/page.tsx", "apps/api/route.ts", "a.mjs"]


def test_addresses_are_no_files() -> None:
    """They lead elsewhere."""
    assert files_in("https://example.org/page.html") == []


def test_commits_are_named_as_such() -> None:
    """A number of the right form may be anything."""
    assert commits_in("Committed as 3ac02a4 on main") == ["3ac02a4"]
    assert commits_in("The total is 3ac02a4") == []
    assert commits_in("Commit 1234567 deadbeef facade") == []


@given(st.text())
def test_any_text_can_be_searched(text: str) -> None:
    """What is found occurs in it."""
    assert all(name in text for name in [*files_in(text), *commits_in(text)])
