"""Get pgvector for the tests: the system's if it has it, or built from Debian's source for the PostgreSQL here.

    python -m scripts.pgvector FOLDER

What is built is put into FOLDER, and nothing is changed outside of it: the tests' server finds it there.  Where it
cannot be had this says so and ends well, and the tests that need it are skipped.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

VERSION = "0.8.0"
SOURCE = f"/pool/main/p/pgvector/pgvector_{VERSION}.orig.tar.gz"  # where apt has its packages from
DIGEST = "867a2c328d4928a5a9d6f052cd3bc78c7d60228a9b914ad32aa3db88e9de27b0"
WAIT_SECONDS = 60
# As its own Makefile has them, without those for this processor alone: it chooses by itself when it runs.
FLAGS = [
    "-O2",
    "-fPIC",
    "-shared",
    "-fno-strict-aliasing",
    "-fwrapv",
    "-ftree-vectorize",
    "-fassociative-math",
    "-fno-signed-zeros",
]


class NotToBeHad(Exception):
    """Why it cannot be had."""


def main(folder: Path) -> None:
    """Build it, if the system has PostgreSQL without it and it was not built for that before."""
    known = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: float(path.parts[-3]))
    version = known[-1].parts[-3] if known else None
    if version is None or Path(f"/usr/share/postgresql/{version}/extension/vector.control").exists():
        return
    built = folder / version
    if (built / "vector.so").exists():
        return
    print(f"Building pgvector {VERSION} for the tests with PostgreSQL {version}")
    try:
        with tempfile.TemporaryDirectory() as work:
            build(Path(work), version, built)
    except (NotToBeHad, OSError) as error:
        print(f"pgvector cannot be had here, so its tests are SKIPPED: {error}", file=sys.stderr)


def build(work: Path, version: str, built: Path) -> None:
    """Fetch source and headers, compile, and put what a server needs into one folder."""
    source, headers = _source(work, version), _headers(work, version)
    _run(
        ["gcc", *FLAGS, "-fno-trapping-math", "-I", str(headers), "-I", str(source / "src")]
        + [str(path) for path in sorted((source / "src").glob("*.c"))]
        + ["-o", str(work / "vector.so"), "-lm"]
    )
    built.mkdir(parents=True, exist_ok=True)
    shutil.copy(source / "vector.control", built)
    shutil.copy(source / "sql" / "vector.sql", built / f"vector--{VERSION}.sql")
    shutil.copy(work / "vector.so", built)  # last: it says that all is there


def _source(work: Path, version: str) -> Path:
    """The source, from wherever this machine has its packages; it is what it was by its digest, not by who sent it."""
    named = _run(["apt-get", "--print-uris", "download", f"postgresql-{version}"], work)
    archive, _, known = named.strip().lstrip("'").partition("/pool/")
    if not known or not archive.startswith(("http://", "https://")):
        raise NotToBeHad("apt does not say where its packages come from")
    with urllib.request.urlopen(archive + SOURCE, timeout=WAIT_SECONDS) as answer:  # noqa: S310 (seen above)
        packed = answer.read()
    if hashlib.sha256(packed).hexdigest() != DIGEST:
        raise NotToBeHad(f"{archive + SOURCE} is not what it was")
    (work / "source.tar.gz").write_bytes(packed)
    _run(["tar", "-xzf", "source.tar.gz"], work)
    return work / f"pgvector-{VERSION}"


def _headers(work: Path, version: str) -> Path:
    """The server's headers: installed, or taken from their package without installing it and its compiler."""
    installed = Path(f"/usr/include/postgresql/{version}/server")
    if (installed / "postgres.h").exists():
        return installed
    work.chmod(0o755)
    _run(["apt-get", "download", f"postgresql-server-dev-{version}"], work)
    _run(["dpkg-deb", "--extract", *map(str, work.glob("*.deb")), str(work / "headers")])
    return work / "headers" / str(installed).lstrip("/")


def _run(command: list[str], folder: Path | None = None) -> str:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except OSError as error:
        raise NotToBeHad(f"{command[0]} cannot be run: {error}") from error
    if done.returncode:
        raise NotToBeHad(f"{command[0]} failed: {done.stderr.strip()[-500:]}")
    return done.stdout


if __name__ == "__main__":
    main(Path(sys.argv[1]))
