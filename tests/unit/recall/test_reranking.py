"""A second look at the best hits: what the judge says is added, and exact words keep their place."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.app import Memory
from noctuary.errors import BadSettings, ModelUnreachable
from noctuary.recall.meaning import REST_MS
from noctuary.recall.query import Query, parse
from noctuary.recall.reranking import BEST, PASSAGE, REASON, WEIGHT, Judge, RestingJudge, passage, reranked
from noctuary.recall.scoring import Scored
from noctuary.recall.searching import NOT_RERANKED
from noctuary.records import Found, Message, Role
from noctuary.settings import Settings
from noctuary.testing import FakeClock
from tests.unit.models.judging import judging_folder

ASKED = parse("why did the deploy fail", FakeClock().now_ms())


def message(key: int, score: float, text: str = "", *, typed: float = 0.0) -> Scored:
    """A message with a score, part of it for what was typed exactly so."""
    return Scored(key=key, why={"words": score - typed} | ({"as typed": typed} if typed else {}), text=text)


def keys_of(scored: Sequence[Scored]) -> list[int]:
    return [s.key for s in scored]


class Judging:
    """A judge that likes texts as it is told, and remembers what it was asked."""

    def __init__(self, **liked: float) -> None:
        self.liked = liked
        self.asked: list[tuple[str, list[str]]] = []
        self.is_down = False

    def judge(self, question: str, texts: Sequence[str]) -> list[float]:
        self.asked.append((question, list(texts)))
        if self.is_down:
            raise ModelUnreachable("The judge is down.")
        return [self.liked.get(text, 0.0) for text in texts]


class TestReranking:
    """The order after a second look."""

    def test_what_the_judge_likes_rises(self) -> None:
        """What the judge says is a reason like any other, in parts of the best score."""
        ranked = [message(1, 10.0, "a"), message(2, 9.0, "b"), message(3, 8.5, "c")]

        again = reranked(ranked, ASKED, Judging(a=0.1, b=0.2, c=1.0).judge)

        assert keys_of(again) == [3, 1, 2]
        assert [s.why[REASON] for s in again] == pytest.approx([WEIGHT * 10, WEIGHT, WEIGHT * 2])

    def test_what_was_ranked_is_left_as_it_was(self) -> None:
        """The order before the second look can still be had."""
        ranked = [message(1, 10.0, "a"), message(2, 8.0, "b")]

        reranked(ranked, ASKED, Judging(b=1.0).judge)

        assert keys_of(ranked) == [1, 2]
        assert [s.why for s in ranked] == [{"words": 10.0}, {"words": 8.0}]

    def test_only_the_best_are_looked_at(self) -> None:
        """The judge is slow, so it is asked once, of a few; none of them falls behind the others."""
        judging = Judging(t0=1.0, t19=0.5)
        ranked = [message(100 - number, 50.0 - number, f"t{number}") for number in range(BEST + 10)]

        again = reranked(ranked, ASKED, judging.judge)

        assert [(asked, len(texts)) for asked, texts in judging.asked] == [(ASKED.question, BEST)]
        assert again[BEST:] == ranked[BEST:]

    def test_nothing_said_changes_nothing(self) -> None:
        """While a judge rests, and where nothing was found or asked, the order is that of before."""
        ranked = [message(1, 10.0, "a"), message(2, 8.0, "b")]

        assert reranked(ranked, ASKED, lambda _question, _texts: ()) == ranked
        assert reranked(ranked, Query(text=" "), Judging(b=1.0).judge) == ranked
        assert reranked([], ASKED, Judging().judge) == []

    @given(
        st.lists(st.tuples(st.floats(0, 100), st.booleans(), st.floats(0, 1)), min_size=1, max_size=BEST + 10),
    )
    def test_exact_words_are_not_overtaken(self, drawn: list[tuple[float, bool, float]]) -> None:
        """Whatever the judge likes, nothing without what was typed passes anything that has it."""
        texts = {f"t{number}": value for number, (_, _, value) in enumerate(drawn)}
        scored = [message(n, score, f"t{n}", typed=0.1 * typed) for n, (score, typed, _) in enumerate(drawn)]
        ranked = sorted(scored, key=lambda s: (-s.score, -s.key))

        places = {key: place for place, key in enumerate(keys_of(reranked(ranked, ASKED, Judging(**texts).judge)))}

        exact = [s for s in ranked if "as typed" in s.why]
        others = [s for s in ranked if "as typed" not in s.why]
        assert [
            (e.key, o.key) for e in exact for o in others if e.score > o.score and places[e.key] > places[o.key]
        ] == []


class TestPassage:
    """What of a message the judge reads."""

    def test_a_short_text_is_read_whole(self) -> None:
        """Most messages are."""
        assert passage("deploy " * 100, ASKED) == "deploy " * 100

    @pytest.mark.parametrize("before", [0, 90, 3_000, 9_000])
    def test_a_long_text_is_read_where_most_of_it_matches(self, before: int) -> None:
        """Not at its beginning and not at the first match, if more stands elsewhere."""
        place = "the deploy failed: deploys fail when the disk is full"
        text = f"deploy {'x ' * before}{place} {'y ' * 3_000}"

        read = passage(text, ASKED)

        assert place in read
        assert len(read) == PASSAGE

    def test_a_long_text_without_a_match_is_read_from_its_beginning(self) -> None:
        """What was found by its meaning has no place that matches."""
        assert passage("z " * 5_000, ASKED) == ("z " * 5_000)[:PASSAGE]

    def test_a_match_at_the_end(self) -> None:
        """The passage is as long as ever."""
        read = passage("z " * 5_000 + "deploy", ASKED)

        assert read.endswith("deploy")
        assert len(read) == PASSAGE


class TestResting:
    """A judge that fails is left alone for a while."""

    def test_opened_once_and_not_before_it_is_asked(self) -> None:
        """Loading a model takes time."""
        opened: list[Judging] = []

        def open_judge() -> Judge:
            opened.append(Judging(a=1.0))
            return opened[-1].judge

        resting = RestingJudge(open_judge, FakeClock())
        assert opened == []

        assert [resting.judge("q", ["a"]), resting.judge("q", ["b"])] == [[1.0], [0.0]]
        assert len(opened) == 1

    def test_a_failure_is_told_once_in_a_while(self) -> None:
        """Then nothing is said, and nothing tried, until the rest is over."""
        judging, clock = Judging(a=1.0), FakeClock()
        resting = RestingJudge(lambda: judging.judge, clock)
        judging.is_down = True

        with pytest.raises(ModelUnreachable):
            resting.judge("q", ["a"])
        assert resting.judge("q", ["a"]) == ()
        assert len(judging.asked) == 1
        clock.advance(timedelta(milliseconds=REST_MS))
        with pytest.raises(ModelUnreachable):
            resting.judge("q", ["a"])
        judging.is_down = False
        clock.advance(timedelta(milliseconds=REST_MS))
        assert resting.judge("q", ["a"]) == [1.0]


RIGHT = "the deploy of the server dropped what redis had"
TOLD = ["deploy the server", "the server, a deploy", RIGHT, "deploying a server again and again"]


def opened(tmp_path: Path, reranker: Path | None, clock: FakeClock) -> Memory:
    settings = Settings(home=tmp_path, owner="ana", user_home=tmp_path, environ={}, reranker=reranker)
    return Memory.from_settings(settings, clock)


def said(found: Found) -> list[str]:
    return [hit.anchor.content for hit in found.hits]


@pytest.fixture
def by_words(tmp_path: Path) -> Iterator[Found]:
    """A memory with a few sessions, and what words find in it."""
    with opened(tmp_path, None, FakeClock()) as memory:
        for number, text in enumerate(TOLD):
            memory.append(f"s{number}", Message(role=Role.USER, content=text, ts_ms=memory.clock.now_ms()))
        yield memory.search("deploy server")


class TestMemory:
    """Searches of a memory whose settings name a cross-encoder."""

    def test_what_the_model_likes_is_first(self, tmp_path: Path, by_words: Found) -> None:
        """The model's judgement is one of the reasons of a hit, and no hit is lost or won for it."""
        with opened(tmp_path, judging_folder(tmp_path / "judge"), FakeClock()) as memory:
            found, messages = memory.search("deploy server"), memory.search_messages("deploy server")

        assert said(by_words)[0] != RIGHT
        assert said(found)[0] == said(messages)[0] == RIGHT
        assert set(said(found)) == set(said(by_words)) == set(TOLD)
        assert REASON in {why.name for why in found.hits[0].why}
        assert (found.note, found.strength) == (by_words.note, by_words.strength)

    def test_what_was_typed_exactly_so_stays_first(self, tmp_path: Path, by_words: Found) -> None:
        """However much the model likes another message."""
        with opened(tmp_path, judging_folder(tmp_path / "judge"), FakeClock()) as memory:
            exact = "deploy failed with ERR_4711"
            memory.append("t", Message(role=Role.TOOL, content=exact, ts_ms=memory.clock.now_ms()))

            assert said(by_words)
            assert said(memory.search("deploy server ERR_4711"))[0] == exact

    @pytest.mark.parametrize("damage", ["no folder", "cut off", "another kind"])
    def test_a_model_that_fails(self, tmp_path: Path, by_words: Found, damage: str) -> None:
        """The order is that of words, it is said why, and said once; a folder that is repaired serves after a rest."""
        folder, clock = tmp_path / "judge", FakeClock()
        if damage != "no folder":
            weights = judging_folder(folder, pooled=damage != "another kind") / "model.onnx"
            weights.write_bytes(weights.read_bytes()[: -100 if damage == "cut off" else None])

        with opened(tmp_path, folder, clock) as memory:
            first, second = memory.search("deploy server"), memory.search("deploy server")
            judging_folder(folder)
            resting = memory.search("deploy server")
            clock.advance(timedelta(milliseconds=REST_MS))
            repaired = memory.search("deploy server")

        assert first.hits == second.hits == resting.hits == by_words.hits
        assert first.note.startswith(NOT_RERANKED)
        assert str(folder) in first.note
        assert second.note == resting.note == repaired.note == ""
        assert said(repaired)[0] == RIGHT


WITHOUT = """
import sys
from pathlib import Path
from noctuary.app import Memory
with Memory.open(Path(sys.argv[1]), owner="ana") as memory:
    assert memory.search("deploy server").hits
assert not {"noctuary.recall.reranking", "noctuary.models.cross_encoder", "onnxruntime"}.intersection(sys.modules)
"""


def test_without_a_model_nothing_is_loaded(tmp_path: Path, by_words: Found) -> None:
    """Who names no cross-encoder pays nothing for it."""
    assert by_words.hits
    environ = {name: value for name, value in os.environ.items() if name != "NOCTUARY_RERANKER"}

    subprocess.run([sys.executable, "-c", WITHOUT, str(tmp_path)], check=True, env=environ)


class TestSettings:
    """Where the folder of a cross-encoder is told."""

    def test_the_environment_wins_over_the_file(self, tmp_path: Path) -> None:
        """Without either there is none."""
        assert Settings.load({}, home=tmp_path).reranker is None
        (tmp_path / "config.toml").write_text('reranker = "/models/judge"\n', encoding="utf-8")

        assert Settings.load({}, home=tmp_path).reranker == Path("/models/judge")
        assert Settings.load({"NOCTUARY_RERANKER": "~/judge"}, home=tmp_path).reranker == Path.home() / "judge"

    @pytest.mark.parametrize("written", ["7", "true", "['a']", "'~nobody-of-this-name/judge'"])
    def test_what_is_no_folder_is_refused(self, tmp_path: Path, written: str) -> None:
        """Who mistypes it is told what to write."""
        (tmp_path / "config.toml").write_text(f"reranker = {written}\n", encoding="utf-8")

        with pytest.raises(BadSettings, match="write a folder"):
            Settings.load({}, home=tmp_path)
