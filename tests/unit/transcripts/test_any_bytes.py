"""No bytes make an adapter fail: a file that is cut, overwritten or nonsense is read as far as it is one."""

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noctuary.transcripts.items import Item, Place, Said
from tests.unit.transcripts.golden_cases import Case, cases, sources

pytestmark = pytest.mark.slow

each_case = pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.agent}-{case.name}")
few = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


HOSTILE = [b'"', b"}", b"null", b"[[[[", b"\xff\xfe", b"1e999", b"{}"]


def read_all(case: Case, home: Path) -> list[Item]:
    """All items of all transcripts; those that cannot be read to their end give what they gave until then."""
    items: list[Item] = []
    for source in sources(case, home):
        try:
            items.extend(case.adapter.read(source, Place()))
        except OSError:
            continue
    return items


def said(items: list[Item]) -> int:
    return sum(isinstance(item, Said) for item in items)


@each_case
@few
@given(data=st.data())
def test_cut_anywhere(case: Case, tmp_path: Path, data: st.DataObject) -> None:
    """A file that ends too early costs what it would have said, and no more messages come of it than of all of it."""
    home = tmp_path / "home"
    shutil.rmtree(home, ignore_errors=True)
    case.laid_out(home)
    whole = said(read_all(case, home))
    path = data.draw(st.sampled_from(sorted(each for each in home.rglob("*") if each.is_file())))
    content = path.read_bytes()
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])

    assert said(read_all(case, home)) <= whole + 1  # an answer may be cut from its call, and then be told as a text


@each_case
@few
@given(data=st.data())
def test_any_bytes_anywhere(case: Case, tmp_path: Path, data: st.DataObject) -> None:
    """Bytes of anybody in the middle of a file raise nothing but that the file cannot be read."""
    home = tmp_path / "home"
    shutil.rmtree(home, ignore_errors=True)
    case.laid_out(home)
    path = data.draw(st.sampled_from(sorted(each for each in home.rglob("*") if each.is_file())))
    content = path.read_bytes()
    at = data.draw(st.integers(0, len(content)))
    put = data.draw(
        st.binary(max_size=40) | st.sampled_from([b'"', b"}", b"null", b"[[[[", b"\xff\xfe", b"1e999", b"{}"])
    )
    path.write_bytes(content[:at] + put + content[at + data.draw(st.integers(0, 20)) :])

    read_all(case, home)
