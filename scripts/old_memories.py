"""Make the memories of earlier schemas that tests/acceptance/test_upgrade.py opens: by the code of then.

    python -m scripts.old_memories            all of them, into tests/fixtures/upgrades
    python -m scripts.old_memories 4 12       those of these schemas

For each schema the last commit is checked out in which it was the newest, and the same program is run with the code
that is there.  Needs git with the whole history, root and Linux, for /home is another one meanwhile, so that no path of
this machine gets into a memory; and PostgreSQL for those on a server.
"""

import lzma
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path

from tests import postgres_server

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "tests" / "fixtures" / "upgrades"
COMMITS = {  # the last in which a schema was the newest; none was landed with 9 to 11, 13, or 15 to 17
    1: "2f57cf6",
    2: "49addeb",
    3: "6efc74b",
    4: "a1463f5",
    5: "0cc0a96",
    6: "d8afb20",
    7: "480f511",
    8: "b7f26c8",
    12: "ddd2fad",
    14: "3ab6a52",
    18: "2376197",
}
ON_SERVERS = {12: "9911400", 13: "ddd2fad", 14: "00c9603", 17: "2376197", 20: "d1aadce", 21: "c3a0b8e"}
USER, HOME = Path("/home/ana"), Path("/home/ana/.local/share/noctuary")
PROGRAM = ROOT / "scripts" / "old_memory.py"


def main() -> None:
    """Make those that are named, or all."""
    wanted = {int(each) for each in sys.argv[1:]} or {*COMMITS, *ON_SERVERS}
    TARGET.mkdir(parents=True, exist_ok=True)
    for schema in sorted(wanted & COMMITS.keys()):
        with tempfile.TemporaryDirectory() as folder:
            _check_out(COMMITS[schema], Path(folder))
            made = Path(folder) / "made.tar"
            _run_alone(Path(folder) / "src", made, str(HOME))
            _pack(made, TARGET / f"schema-{schema:02}.tar.xz")
    for schema in sorted(wanted & ON_SERVERS.keys()):
        _on_server(schema)


def _check_out(commit: str, folder: Path) -> None:
    archive = subprocess.run(["git", "-C", ROOT, "archive", commit, "src"], check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=BytesIO(archive)) as files:
        files.extractall(folder, filter="data")


def _run_alone(source: Path, made: Path, place: str) -> None:
    """Run the program with this source, in a /home of its own, and keep what it left of the memory."""
    steps = [
        "mount -t tmpfs none /home",
        f"mkdir -p {USER}",
        f"env -i HOME={USER} PATH=$PATH PYTHONPATH={ROOT}/src {sys.executable} {PROGRAM} transcripts {USER}",
        f"cd {USER}",
        f"env -i HOME={USER} PATH=$PATH PYTHONPATH={source} {sys.executable} {PROGRAM} memory '{place}'",
        f"mkdir -p {HOME}; tar -C {HOME} --sort=name --exclude=*.lock -cf {made} .",
    ]
    subprocess.run(["unshare", "--mount", "sh", "-ec", "\n".join(steps)], check=True)


def _pack(made: Path, target: Path) -> None:
    """Compress it; who made it and when is nobody's business."""
    with tarfile.open(made) as old, tarfile.open(target, "w:xz", preset=9) as new:
        for member in old:
            member.uid = member.gid = member.mtime = 0
            member.uname = member.gname = ""
            new.addfile(member, old.extractfile(member) if member.isreg() else None)
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size:,} bytes")


def _on_server(schema: int) -> None:
    """The same on a server, as statements that make it again."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        server = postgres_server.start(Path(folder) / "server")
        try:
            server.run(f"create database old owner {postgres_server.ROLE}")
            _check_out(ON_SERVERS[schema], Path(folder))
            _run_alone(Path(folder) / "src", Path(folder) / "made.tar", server.url("old"))
            url = server.url("old", "postgres")
            what = ["--schema=noctuary", "--extension=pg_trgm"]  # in which an index of the schema is
            dump = subprocess.run(
                ["pg_dump", "--inserts", *what, url], check=True, stdout=subprocess.PIPE, text=True
            ).stdout
        finally:
            postgres_server.remove(server.folder)
    target = TARGET / f"server-{schema:02}.sql.xz"
    target.write_bytes(lzma.compress(_plain(dump).encode(), preset=9))
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size:,} bytes")


def _plain(dump: str) -> str:
    """Without what only psql understands, and without what a server says of itself."""
    return "".join(
        f"{line}\n"
        for line in dump.splitlines()
        if not line.startswith(("\\", "--", "SET ", "SELECT pg_catalog.set_config"))
    )


if __name__ == "__main__":
    main()
