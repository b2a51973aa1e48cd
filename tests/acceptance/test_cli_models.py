"""Search by meaning as a user meets it: models chosen, filled, changed and switched off, and all that can go wrong."""

import json
import random
import re
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import click
import pytest

from noctuary.app import Memory
from noctuary.doors.cli import main
from noctuary.testing import ClaudeTranscript
from tests.acceptance.conftest import ROOT, SECONDS, Cli, Ran
from tests.acceptance.test_cli_terminal import FORBIDDEN, on_terminal
from tests.unit.models.building import onnx_folder, onnx_table, static_folder
from tests.unit.models.serving import HANG_UP, Asked, Reply, Server, embeddings

HASHING = "hashing-64@1"
BY_WORDS = "Searched by words alone"
KILLS = 5
Rows = dict[tuple[str, int], tuple[Any, ...]]


def stored(cli: Cli) -> Rows:
    """Every row of vectors, by model and session."""
    connection = apsw.Connection(str(cli.database))
    sql = (
        "select e.name, e.dimension, v.session, v.upto, v.lows, v.scales, v.codes"
        " from vectors v left join embedders e on e.no = v.embedder"
    )
    rows = {(name, session): (dimension, *rest) for name, dimension, session, *rest in connection.execute(sql)}
    connection.close()
    return rows


def model_check(cli: Cli) -> Any:
    """What doctor says of the model; it never calls the memory ill because of one."""
    ran = cli("doctor", "--json")
    assert ran.code == 0
    return next(check for check in ran.json["checks"] if check["name"] == "model")


def copy_of(cli: Cli, folder: Path) -> Cli:
    """The same memory in another folder, of a user with an empty home."""
    (folder / "home").mkdir(parents=True)
    shutil.copytree(cli.memory, folder / "memory")
    return replace(cli, memory=folder / "memory", user_home=folder / "home")


def talk(name: str, turns: int, about: str = "zeppelin") -> ClaudeTranscript:
    """A session of so many prompts and answers."""
    transcript = ClaudeTranscript(name)
    for turn in range(turns):
        transcript.say(f"Question {turn} of {name}: where does the {about} land?").reply(f"In town {turn * 7919}.")
    return transcript


@pytest.fixture(scope="module")
def ready(sample: Cli, tmp_path_factory: pytest.TempPathFactory) -> Cli:
    """The sample home, embedded with the model that needs no weights; for copies."""
    cli = copy_of(sample, tmp_path_factory.mktemp("ready"))
    assert cli("model", "use", "hashing").code == 0
    assert cli("embed").code == 0
    return cli


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Cli:
    """Some twelve hundred messages, so that embedding takes several batches; for copies."""
    folder = tmp_path_factory.mktemp("large")
    for number in range(4):
        talk(f"session-{number}", 150).save(folder / "home")
    cli = Cli(folder / "memory", folder / "home")
    assert cli("import").code == 0
    return cli


@pytest.fixture(scope="module")
def tiny(sample: Cli, tmp_path_factory: pytest.TempPathFactory) -> Cli:
    """The sample home, embedded with a model that lies in the memory's own folder; for copies."""
    cli = copy_of(sample, tmp_path_factory.mktemp("tiny"))
    onnx_folder(folder_of(cli))
    assert cli("model", "use", "tiny").code == 0
    assert cli("embed").code == 0
    return cli


def folder_of(cli: Cli) -> Path:
    """Where the tiny model lies."""
    return cli.memory / "models" / "tiny"


@pytest.fixture
def filled(ready: Cli, tmp_path: Path) -> Cli:
    """A copy of `ready` that a test may change."""
    return copy_of(ready, tmp_path)


class Endpoint:
    """A server whose answers a test can change while it runs."""

    def __init__(self) -> None:
        self.answer: Callable[[Asked], Reply] = embeddings
        self.server = Server(self._answer)

    def _answer(self, asked: Asked) -> Reply:
        return self.answer(asked)

    @property
    def source(self) -> str:
        """What to give to `model use`."""
        return f"{self.server.url}/v1#some-model"

    def wait_for(self, times: int, process: subprocess.Popen[Any] | None = None) -> None:
        """Until it was asked so many times, or the process that asks has ended."""
        until = time.monotonic() + SECONDS
        while len(self.server.asked) < times and time.monotonic() < until:
            if process is not None and process.poll() is not None:
                return
            time.sleep(0.005)

    def hold_after(self, times: int) -> threading.Event:
        """Answer so many times more; whoever asks then is in the middle of it until this is set."""
        first, may_go_on = len(self.server.asked), threading.Event()

        def answer(asked: Asked) -> Reply:
            if len(self.server.asked) > first + times:
                may_go_on.wait(SECONDS)
            return embeddings(asked)

        self.answer = answer
        return may_go_on


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """A good endpoint, for the time being."""
    endpoint = Endpoint()
    with endpoint.server:
        yield endpoint


def slowly(asked: Asked, seconds: float) -> Reply:
    """A good answer, after a while."""
    time.sleep(seconds)
    return embeddings(asked)


def changed(vectors: Callable[[list[list[float]]], list[Any]]) -> Callable[[Asked], Reply]:
    """Answers whose vectors are made into something else."""

    def answer(asked: Asked) -> Reply:
        found = sorted(json.loads(embeddings(asked).body)["data"], key=lambda item: item["index"])
        wrong = vectors([item["embedding"] for item in found])
        items = [{"index": number, "embedding": row} for number, row in enumerate(wrong)]
        return Reply(json.dumps({"data": items}).encode())

    return answer


# From nothing to meaning


def test_list_shows_what_can_be_taken_and_how(sample: Cli) -> None:
    """Without a model the list says so, and has a command to copy for everything that can be had."""
    told, listed = sample("model", "list"), sample("model", "list", "--json").json

    assert told.code == 0
    assert "searches find words only" in told.out
    assert listed["in_use"] == []
    for entry in listed["to_download"]:
        assert f"noctuary model install {entry['name']}\n" in told.out
        assert entry["bytes"] > 1_000_000
    for found in listed["on_this_machine"]:
        assert f"noctuary model use {found['name']}\n" in told.out


def test_looking_at_models_makes_no_memory(cli: Cli) -> None:
    """Whoever only looks, or has nothing to switch off, leaves nothing behind."""
    assert cli("model", "list").code == 0
    assert cli("model", "off").code == 0
    assert cli("model", "install", "unheard-of").code == 5
    assert not cli.memory.exists()


def test_a_folder_becomes_the_model_that_serves(sample: Cli, tmp_path: Path) -> None:
    """Use, embed, search: each says what comes next, and status, list and doctor know."""
    cli = copy_of(sample, tmp_path)
    static_folder(tmp_path / "my models" / "static")

    used = cli("model", "use", "./static", cwd=tmp_path / "my models")
    before = cli("status")
    embedded = cli("embed")
    again = cli("embed", "--json").json
    after, listed = cli("status").out, cli("model", "list").out
    found = cli("search", "redis cache", "--json").json

    assert "0 of 95 messages" in used.out
    assert "Next: noctuary embed" in used.out
    assert "has read 0 of 95 messages" in before.out
    assert "Next: noctuary embed" in before.out
    assert "95 new messages" in embedded.out
    assert embedded.err == ""
    assert (again["messages"], again["waiting"], again["is_serving"]) == (0, 0, True)
    assert "has read all 95 messages" in after
    assert "Next:" not in after
    assert "16 dimensions" in listed
    assert found["note"] == ""
    assert "meaning" in {reason["name"] for reason in found["hits"][0]["why"]}
    assert model_check(cli)["finding"] == "ok"


def test_an_installed_model_is_in_use_by_its_name(sample: Cli, tmp_path: Path) -> None:
    """What lies in the memory's folder of models is listed, and marked once it is taken."""
    cli = copy_of(sample, tmp_path)
    onnx_folder(cli.memory / "models" / "tiny")

    before = cli("model", "list").out
    used = cli("model", "use", "tiny", "--json").json
    after = cli("model", "list").out

    assert "noctuary model use tiny\n" in before
    assert (used["source"], used["dimension"], used["messages_read"], used["messages"]) == ("tiny", 16, 0, 95)
    assert "noctuary model use tiny\n" not in after


def test_explain_has_meaning_and_time(filled: Cli) -> None:
    """What each score is made of is told in words, meaning and the time asked for included; nothing that is nothing."""
    ran = filled("search", "--explain", "which store did we take for logins in march 2026?")

    lines = [line for line in ran.out.splitlines() if line.strip().startswith("score ")]
    assert ran.code == 0
    assert any(" + meaning " in line for line in lines)
    assert any(" + time " in line for line in lines)
    assert not any(re.search(r" 0\.00( |$)", line) for line in lines)


def test_rebuilding_the_index_keeps_the_vectors(filled: Cli) -> None:
    """The index of words is made again; vectors are another matter."""
    before = stored(filled)

    assert filled("rebuild").code == 0

    assert stored(filled) == before
    assert len(before) == 7
    assert model_check(filled)["finding"] == "ok"


def test_forgetting_takes_vectors_along(filled: Cli) -> None:
    """A forgotten session has no vectors, and nothing is left over for doctor to find."""
    filled("forget", "--session", "3b0f", "--yes")
    filled("forget", "--text", "qualified invoice system", "--yes")

    assert len(stored(filled)) == 6
    assert filled("doctor").code == 0


# Partly filled, changed, switched off


def test_what_has_no_vectors_is_found_by_words(filled: Cli) -> None:
    """Messages that came after the last embedding are found all the same; status and doctor say what to do."""
    talk("later", 5, "quagga").save(filled.user_home)
    imported = filled("import").out

    found = filled("search", "quagga", "--json")
    overview = filled("status").out
    vectors = next(check for check in filled("doctor", "--json").json["checks"] if check["name"] == "vectors")

    assert found.code == 0
    assert found.json["hits"][0]["session"]["id"] == "later"
    assert found.json["note"] == ""
    assert "has not read 10 messages yet: noctuary embed" in imported
    assert "95 of 105 messages" in overview
    assert "Next: noctuary embed" in overview
    assert vectors["finding"] == "warning"
    assert "noctuary embed" in vectors["detail"]


def test_the_old_model_serves_until_the_new_one_is_full(large: Cli, endpoint: Endpoint, tmp_path: Path) -> None:
    """A change that breaks off half-way leaves the old model serving; vectors of the two never mix."""
    cli = copy_of(large, tmp_path / "copy")
    cli("model", "use", onnx_folder(tmp_path / "tiny"))
    cli("embed")
    old = stored(cli)
    used = cli("model", "use", endpoint.source)
    asked = len(endpoint.server.asked)
    endpoint.answer = lambda each: embeddings(each) if len(endpoint.server.asked) < asked + 12 else Reply(status=500)

    broken_off = cli("embed")
    half = stored(cli)
    listed, found = cli("model", "list", "--json").json["in_use"], cli("search", "zeppelin", "--json")
    endpoint.answer = embeddings
    completed = cli("embed")

    assert "searches use tiny@" in used.out
    assert (broken_off.code, broken_off.err.count("\n")) == (5, 1)
    assert [each["state"] for each in listed] == ["serving", "wanted"]
    assert 0 < listed[1]["messages_read"] < listed[1]["messages"] == 1200
    assert {key: row for key, row in half.items() if key[0].startswith("tiny@")} == old
    assert found.json["note"] == ""
    assert all(len(codes) == dimension * len(lows) // 4 for dimension, _, lows, _, codes in half.values())
    assert completed.code == 0
    assert {name.partition("@")[0] for name, _ in stored(cli)} == {"some-model"}
    assert cli("doctor").code == 0


@pytest.mark.parametrize(
    "harm",
    [
        "embedders set dimension = 'x'",
        "embedders set state = 'foo'",
        "embedders set dimension = 63",
        "vectors set upto = 'x'",
    ],
)
def test_a_careless_hand_in_the_tables(filled: Cli, harm: str) -> None:
    """Search and status go on, doctor names it, and what it advises works."""
    connection = apsw.Connection(str(filled.database))
    connection.execute(f"update {harm}")
    connection.close()

    assert filled("search", "redis cache").code == 0
    assert filled("status").code == 0
    checkup = filled("doctor")
    assert (checkup.code, "noctuary embed" in checkup.out) == (4, True)
    if "noctuary model off" in checkup.out:
        filled("model", "off", "--yes")
        filled("model", "use", "hashing")
    filled("embed")
    assert filled("doctor").code == 0


@pytest.mark.parametrize(("answer", "is_dropped"), [(b"y\n", True), (b"n\n", False)])
def test_switching_off_asks_first(filled: Cli, answer: bytes, is_dropped: bool) -> None:
    """On a terminal one is told what goes and asked; only a yes is a yes."""
    _, seen = on_terminal(filled, "model", "off", answer=answer)

    assert "all 95 messages" in seen
    assert (stored(filled) == {}) is is_dropped
    assert (filled("status", "--json").json["models"] == []) is is_dropped


def test_switching_off_where_nobody_can_be_asked(filled: Cli) -> None:
    """In a pipe it takes --yes; afterwards searches find words, and a second time there is nothing to do."""
    refused = filled("model", "off")
    kept = len(stored(filled))
    done, again = filled("model", "off", "--yes"), filled("model", "off", "--yes")

    assert (refused.code, kept) == (2, 7)
    assert "--yes" in refused.err
    assert "noctuary model use hashing" in done.out
    assert stored(filled) == {}
    assert (again.code, again.out) == (0, "No model is in use; searches find words. Nothing was changed.\n")
    assert filled("search", "redis").code == 0


# What cannot be had


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["embed"], "noctuary model list"),
        (["model", "use", "unheard-of"], "noctuary model list"),
        (["model", "use", ""], "noctuary model list"),
        (["model", "use", "all-MiniLM-L6-v2"], "noctuary model install all-MiniLM-L6-v2"),
        (["model", "use", "./nowhere"], "There is no folder"),
        (["model", "use", "package:unheard_of"], "not installed"),
        (["model", "use", "http://127.0.0.1:1/v1#m"], "cannot be reached"),
        (["model", "use", "https://api.openai.com/v1"], "behind a #"),
        (["model", "install", "unheard-of"], "multilingual-e5-small"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_a_model_that_cannot_be_had(sample: Cli, arguments: list[str], words: str) -> None:
    """One line says what to do, and the exit code is that of models."""
    ran = sample(*arguments)

    assert (ran.code, ran.out, ran.err.count("\n")) == (5, "", 1)
    assert words in ran.err
    assert sample("status", "--json").json["models"] == []


@pytest.mark.parametrize("arguments", [["model"], ["model", "use"], ["embed", "--every", "0"], ["model", "juggle"]])
def test_a_command_that_cannot_be_read(sample: Cli, arguments: list[str]) -> None:
    """A wrong call ends with 2, as everywhere."""
    assert sample(*arguments).code == 2


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(status=404), "NOCTUARY_MODEL_HUB"),
        (Reply(b"\0" * 1_000_000), "broke off"),
        (Reply(b"\0" * 23_026_053), "not the file it should be"),
        (Reply(status=HANG_UP), "cannot be had"),
    ],
    ids=["missing", "cut", "another", "hung up"],
)
def test_a_download_that_fails_leaves_nothing(cli: Cli, reply: Reply, words: str) -> None:
    """Whatever the hub does, there is the whole model or none; the terminal shows how far it is."""
    with Server(lambda _: reply) as hub:
        code, seen = on_terminal(cli, "model", "install", "all-MiniLM-L6-v2-int8", NOCTUARY_MODEL_HUB=hub.url)

    assert code == 5
    assert words in seen
    assert ("Downloading [" in seen) is bool(reply.body)
    assert not list((cli.memory / "models").iterdir())
    assert not cli.database.exists()


def test_without_the_extra(filled: Cli, tmp_path: Path) -> None:
    """Every command that needs it names the extra in one line; searches go on, and the model can be switched off."""
    (tmp_path / "without" / "numpy").mkdir(parents=True)
    (tmp_path / "without" / "numpy" / "__init__.py").write_text("raise ImportError(\"No module named 'numpy'\")")
    cli = replace(filled, extra={"PYTHONPATH": f"{tmp_path / 'without'}:{ROOT / 'src'}"})
    install = "pip install 'noctuary[semantic]'"

    for arguments in (["list"], ["install", "bge-small-en-v1.5"], ["use", "hashing"]):
        ran = cli("model", *arguments)
        assert (ran.code, ran.out, ran.err.count("\n")) == (5, "", 1)
        assert install in ran.err
    embedded, searched = cli("embed"), cli("search", "redis")
    assert (embedded.code, embedded.err.count("\n")) == (5, 1)
    assert install in embedded.err
    assert searched.code == 0
    assert searched.out.count(install) == 1
    assert cli("status").code == 0
    assert cli("doctor").code == 0
    assert cli("forget", "--session", "3b0f", "--yes").code == 0
    assert cli("model", "off", "--yes").code == 0
    assert cli("search", "payment").err == ""


# A model that breaks


def remove(folder: Path) -> None:
    """Take the model away."""
    shutil.rmtree(folder)


def truncate(folder: Path) -> None:
    """Leave the first half of its weights."""
    whole = (folder / "model.onnx").read_bytes()
    (folder / "model.onnx").write_bytes(whole[: len(whole) // 2])


def exchange(folder: Path) -> None:
    """Other weights under the same path."""
    onnx_folder(folder, table=onnx_table() * 2)


def widen(folder: Path) -> None:
    """Vectors of another length."""
    onnx_folder(folder, table=onnx_table()[:, :8].copy())


def empty(folder: Path) -> None:
    """A tokenizer without a word in it."""
    (folder / "tokenizer.json").write_text("{}")


@pytest.mark.parametrize("harm", [remove, truncate, exchange, widen, empty])
def test_a_broken_model_costs_a_search_nothing_but_its_meaning(
    tiny: Cli, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    """Search answers by words with one warning, embed ends with 5, doctor warns, and nothing stored is touched."""
    cli = copy_of(tiny, tmp_path)
    before = stored(cli)
    harm(folder_of(cli))

    found, as_json = cli("search", "redis"), cli("search", "redis", "--json").json
    embedded = cli("embed")
    checked = model_check(cli)

    assert (found.code, found.err) == (0, "")
    assert found.out.count(BY_WORDS) == 1
    assert as_json["note"].startswith(BY_WORDS)
    assert [hit["session"]["id"][:4] for hit in as_json["hits"]] == ["3b0f", "019c"]
    assert (embedded.code, embedded.err.count("\n")) == (5, 1)
    assert checked["finding"] == "warning"
    assert stored(cli) == before


@pytest.mark.parametrize("harm", [exchange, widen])
def test_other_weights_are_another_model(tiny: Cli, tmp_path: Path, harm: Callable[[Path], None]) -> None:
    """Taken again from the same path, they are filled beside the old vectors, and then replace them."""
    cli = copy_of(tiny, tmp_path)
    harm(folder_of(cli))

    again = cli("model", "use", "tiny", "--json").json
    embedded = cli("embed", "--json").json

    assert (again["state"], again["messages_read"]) == ("wanted", 0)
    assert (embedded["messages"], embedded["is_serving"]) == (95, True)
    assert len({dimension for dimension, *_ in stored(cli).values()}) == 1
    assert cli("search", "redis", "--json").json["note"] == ""


HOSTILE: dict[str, Callable[[Asked], Reply]] = {
    "nan": changed(lambda rows: [[float("nan")] * 64 for _ in rows]),
    "zeros": changed(lambda rows: [[0.0] * 64 for _ in rows]),
    "too many": changed(lambda rows: [*rows, rows[0]]),
    "too few": changed(lambda rows: rows[1:]),
    "other length": changed(lambda rows: [row[:32] for row in rows]),
    "words": changed(lambda rows: [["x"] * 64 for _ in rows]),
    "busy": lambda _: Reply(status=429, headers=(("Retry-After", "0"),)),
    "error": lambda _: Reply(b"\x1b[2J oops", status=500),
    "garbage": lambda _: Reply(b"\xff\x1b[31m{not json"),
    "deep": lambda _: Reply(b"[" * 100_000),
    "redirect": lambda _: Reply(status=302, headers=(("Location", "http://127.0.0.1:1/"),)),
}


def test_a_bad_endpoint_costs_a_search_nothing_but_its_meaning(sample: Cli, endpoint: Endpoint, tmp_path: Path) -> None:
    """Whatever it answers: words find, one line warns, nothing of it is stored, and no terminal obeys it."""
    cli = copy_of(sample, tmp_path)
    cli("model", "use", endpoint.source, NOCTUARY_EMBED_KEY="my-own-key")
    cli("embed", NOCTUARY_EMBED_KEY="my-own-key")
    assert endpoint.server.asked[-1].headers["authorization"] == "Bearer my-own-key"
    before = stored(cli)
    talk("later", 2, "quagga").save(cli.user_home)
    cli("import")

    for name, answer in HOSTILE.items():
        endpoint.answer = answer
        found, embedded = cli("search", "redis", NOCTUARY_EMBED_KEY="my-own-key"), cli("embed")
        assert (found.code, found.out.count(BY_WORDS), found.err) == (0, 1, ""), name
        assert (embedded.code, embedded.err.count("\n")) == (5, 1), name
        assert not [mark for mark in FORBIDDEN if mark in found.out + embedded.err], name
        assert "my-own-key" not in found.out + embedded.err, name
    assert stored(cli) == before

    endpoint.answer = embeddings
    assert cli("embed").code == 0
    assert cli("doctor").code == 0


def refusing_redis(asked: Asked) -> Reply:
    """Takes everything but texts about redis."""
    return Reply(status=413) if any("redis" in text.lower() for text in asked.json["input"]) else embeddings(asked)


def test_texts_that_an_endpoint_refuses_are_counted(sample: Cli, endpoint: Endpoint, tmp_path: Path) -> None:
    """They keep nobody from the others: those are read, and how many were not is said and told to programs."""
    cli = copy_of(sample, tmp_path)
    cli("model", "use", endpoint.source)
    endpoint.answer = refusing_redis

    embedded = cli("embed")
    found, checkup = cli("search", "redis"), cli("doctor")

    assert embedded.code == 0
    assert re.search(r"95 new messages \(\d+ passages; of \d+ it makes nothing\)", embedded.out)
    assert "found by its words alone" in embedded.out
    assert (found.code, found.out.count(BY_WORDS), checkup.code) == (0, 1, 0)
    assert cli("embed", "--json").json["silent"] == 0


def test_an_endpoint_is_not_waited_for(sample: Cli, endpoint: Endpoint, tmp_path: Path) -> None:
    """If it is slow, hangs up or breaks off, a question gives up after some seconds, and is answered by words."""
    cli = copy_of(sample, tmp_path)
    cli("model", "use", endpoint.source)
    cli("embed")
    over = threading.Event()

    def late(asked: Asked) -> Reply:
        """A good answer, with which nobody who waited for it would have to search by words."""
        over.wait(60)
        return embeddings(asked)

    replies: dict[str, Callable[[Asked], Reply]] = {
        "slow": late,
        "hung up": lambda _: Reply(status=HANG_UP),
        "cut": lambda asked: Reply(embeddings(asked).body, promised=10_000_000),
    }

    for name, reply in replies.items():
        endpoint.answer = partial(answer_redis, reply)
        found = cli("search", "redis")
        assert (found.code, found.out.count(BY_WORDS)) == (0, 1), name
    over.set()


def answer_redis(reply: Callable[[Asked], Reply], asked: Asked) -> Reply:
    """A question about redis is answered so, others well."""
    return reply(asked) if "redis" in asked.json["input"][0] else embeddings(asked)


def test_an_address_keeps_its_secrets(sample: Cli, endpoint: Endpoint, tmp_path: Path) -> None:
    """What stands behind the ? of an address may be a key: no list, status or command to copy shows it."""
    cli = copy_of(sample, tmp_path)
    source = f"{endpoint.server.url}/v1?api-key=tell-nobody#some-model"

    ran = [cli("model", "use", source), cli("model", "list"), cli("model", "list", "--json"), cli("status", "--json")]
    ran += [cli("doctor", "--json"), cli("model", "off", "--yes")]

    assert all(each.code == 0 for each in ran)
    assert "is sent the text of your messages" in ran[0].out
    assert not [each for each in ran if "tell-nobody" in each.out + each.err]


def test_names_cannot_command_a_terminal(cli: Cli, tmp_path: Path) -> None:
    """What a model is called is shown, never obeyed."""
    folder = onnx_folder(tmp_path / "ev\x1b]0;owned\x07\x1b[31mil\u202e")

    seen = [
        on_terminal(cli, *arguments, NO_COLOR="1")[1].replace("\r\n", "\n").replace("\r\x1b[K", "")
        for arguments in (["model", "use", folder], ["model", "list"], ["status"], ["model", "use", f"{folder}x"])
    ]

    assert "il" in seen[0]
    assert not [mark for mark in FORBIDDEN if mark in "".join(seen)]


@pytest.mark.parametrize("word", ["redis ", "x", "支付", "\n", "\x00"])
def test_ten_megabytes_are_a_question(filled: Cli, word: str) -> None:
    """A whole log pasted as a question is answered, with meaning."""
    with Memory.open(filled.memory, owner="ana") as memory:
        found = memory.search(word * (10_000_000 // len(word.encode())))

    assert BY_WORDS not in found.note


# Stopped, killed, twice at once, and for ever


def test_embedding_shows_how_far_it_is(large: Cli, endpoint: Endpoint, tmp_path: Path) -> None:
    """On a terminal there is a bar with the time that is left; in a pipe one line in the end."""
    cli = copy_of(large, tmp_path)
    cli("model", "use", endpoint.source)
    endpoint.answer = lambda asked: slowly(asked, 0.2)

    code, seen = on_terminal(cli, "embed", NO_COLOR="1")

    assert code == 0
    assert "Embedding [" in seen
    assert "of 1,200 messages" in seen
    assert re.search(r", \d+ s left", seen)
    assert cli("embed").out.count("\n") == 1


def test_interrupted(large: Cli, endpoint: Endpoint, tmp_path: Path) -> None:
    """Ctrl-C ends embedding with 130 and a calm word; the next one goes on from there."""
    cli = copy_of(large, tmp_path)
    cli("model", "use", endpoint.source)
    asked, may_go_on = len(endpoint.server.asked), endpoint.hold_after(10)
    process = subprocess.Popen(
        cli.command("embed"), env=cli.environ(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    endpoint.wait_for(asked + 11)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=SECONDS)
    may_go_on.set()
    kept = cli("status", "--json").json["models"][0]["messages_read"]
    rest = cli("embed", "--json").json

    assert (process.returncode, out) == (130, "")
    assert "Everything stored so far is kept; run the command again to go on." in err
    assert "Traceback" not in err
    assert 0 < kept < 1200
    assert rest["messages"] == 1200 - kept


def test_killed_at_any_moment(large: Cli, endpoint: Endpoint, tmp_path: Path) -> None:
    """`kill -9` loses no vector that was stored and doubles none: in the end all is as if it had never happened."""
    calm, cli = copy_of(large, tmp_path / "calm"), copy_of(large, tmp_path / "killed")
    for each in (calm, cli):
        each("model", "use", endpoint.source)
    calm("embed")
    endpoint.answer = lambda asked: slowly(asked, 0.01)
    chance, so_far = random.Random(8), 0

    for _ in range(KILLS):
        process = subprocess.Popen(cli.command("embed"), env=cli.environ(), stdout=subprocess.DEVNULL)
        endpoint.wait_for(len(endpoint.server.asked) + chance.randrange(1, 12), process)
        time.sleep(chance.uniform(0, 0.05))
        process.kill()
        process.wait()
        now = cli("status", "--json").json["models"][0]["messages_read"]
        assert now >= so_far
        so_far = now
    final = cli("embed")

    assert final.code == 0
    assert stored(cli) == stored(calm)
    assert set(verdicts(cli("doctor", "--json"))) == {"ok"}


def verdicts(ran: Ran) -> list[str]:
    """What doctor says of all that the transcripts' absence does not explain."""
    return [check["finding"] for check in ran.json["checks"] if check["name"] != "transcripts"]


def test_two_at_once_do_no_harm(large: Cli, endpoint: Endpoint, tmp_path: Path) -> None:
    """Two processes embed the same memory: both succeed, and the vectors are those of one."""
    calm, cli = copy_of(large, tmp_path / "calm"), copy_of(large, tmp_path / "twice")
    for each in (calm, cli):
        each("model", "use", endpoint.source)
    calm("embed")

    both = [subprocess.Popen(cli.command("embed"), env=cli.environ(), stdout=subprocess.DEVNULL) for _ in range(2)]

    assert [process.wait(SECONDS) for process in both] == [0, 0]
    assert stored(cli) == stored(calm)
    assert set(verdicts(cli("doctor", "--json"))) == {"ok"}


def test_a_model_given_up_while_it_reads(large: Cli, endpoint: Endpoint, tmp_path: Path) -> None:
    """Switched off under its hands, embedding stops, says so, and leaves no vectors behind."""
    cli = copy_of(large, tmp_path)
    cli("model", "use", endpoint.source)
    asked, may_go_on = len(endpoint.server.asked), endpoint.hold_after(4)
    process = subprocess.Popen(cli.command("embed"), env=cli.environ(), stdout=subprocess.PIPE, text=True)
    endpoint.wait_for(asked + 5)
    cli("model", "off", "--yes")
    may_go_on.set()
    out, _ = process.communicate(timeout=SECONDS)

    assert process.returncode == 0
    assert out.startswith("Stopped: some-model@")
    assert stored(cli) == {}


def test_watching(filled: Cli, endpoint: Endpoint) -> None:
    """It embeds what comes in, is quiet otherwise, says once that the model fails, and goes on when it works again."""
    filled("model", "off", "--yes")
    filled("model", "use", endpoint.source)
    process = subprocess.Popen(
        filled.command("embed", "--watch", "--every", "0.1"),
        env=filled.environ(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    told, complained = process.stdout, process.stderr
    assert told
    assert complained
    assert has_read(filled, 95)
    out = told.readline() + told.readline()
    quiet = len(endpoint.server.asked)
    time.sleep(0.5)
    assert len(endpoint.server.asked) == quiet
    endpoint.answer = lambda _: Reply(status=500)
    talk("later", 3).save(filled.user_home)
    filled("import")
    endpoint.wait_for(quiet + 4)
    err = complained.readline()  # until it has given up, and is not told the next time that all is well again
    endpoint.wait_for(quiet + 12)
    endpoint.answer = embeddings
    assert has_read(filled, 101)
    out += told.readline()  # which comes after what is told is stored
    process.send_signal(signal.SIGINT)
    rest, more = process.communicate(timeout=SECONDS)
    out, err = out + rest, err + more

    assert process.returncode == 130
    assert out.count("\n") == 3
    assert "95 new messages" in out
    assert "6 new messages" in out
    assert err.count("refused (HTTP status 500)") == 1
    assert "Traceback" not in err


def has_read(cli: Cli, messages: int) -> bool:
    """Whether the model reads so many messages in time."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        if cli("status", "--json").json["models"][0]["messages_read"] == messages:
            return True
        time.sleep(0.1)
    return False


# The page


def test_commands_of_the_page_exist() -> None:
    """Every command that docs/semantic.md names is one that can be called so."""
    page = (ROOT / "docs" / "semantic.md").read_text(encoding="utf-8")
    lines = re.findall(r"^noctuary .*$|(?<=`)noctuary [^`…]*(?=`)", page, re.MULTILINE)

    assert len(lines) > 10
    for line in lines:
        context = main.make_context("noctuary", shlex.split(line)[1:], resilient_parsing=True)
        while isinstance(context.command, click.Group) and (rest := [*context._protected_args, *context.args]):
            name, command, rest = context.command.resolve_command(context, rest)
            assert command is not None, line
            context = command.make_context(name, rest, parent=context, resilient_parsing=True)
