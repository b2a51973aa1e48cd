"""`noctuary serve`: the memory as a page and an API."""

from __future__ import annotations  # or the annotations would load the libraries of the server

import shlex
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import click

from noctuary.app import Memory
from noctuary.clock import SystemClock
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.memory_options import FOLDER, text, with_settings
from noctuary.doors.cli.paint import one_line
from noctuary.doors.logging_lines import STDERR, open_log
from noctuary.errors import BadInput, ModelMissing, StoreError
from noctuary.lazily import lazy_module
from noctuary.server_settings import ServerSettings
from noctuary.settings import Settings

if TYPE_CHECKING:
    from noctuary.doors.http import serving
    from noctuary.doors.http.serving import Ready, Tls
else:
    serving = lazy_module("noctuary.doors.http.serving")


@click.command()
@click.option("--host", type=text, help="The address to listen on.  [default: 127.0.0.1, this machine only]")
@click.option("--port", type=click.IntRange(0, 65_535), help="The port; 0 is any that is free.  [default: 7400]")
@click.option("--tls-cert", type=FOLDER, help="A certificate, to be reached from other machines.")
@click.option("--tls-key", type=FOLDER, help="The key of the certificate, if it is not in the same file.")
@click.option("--insecure", is_flag=True, help="Listen beyond this machine without TLS.")
@click.option("--open", "is_opened", is_flag=True, help="Open the page in a browser.")
@click.option("--log", type=FOLDER, default=STDERR, show_default=True, help="A file for lines about each request.")
@with_settings
def serve(
    settings: Settings,
    host: str | None,
    port: int | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    insecure: bool,
    is_opened: bool,
    log: Path,
    as_json: bool,
) -> None:
    """Open the memory as a page and an API, until you stop it.

    On this machine, the address that is printed signs you in.  Programs and other people have keys: see `noctuary key`.
    Beyond this machine it needs a certificate.  The log of requests is JSON and never has contents.

    \b
    Examples:
      noctuary serve --open
      noctuary serve --database postgresql://db.example/noctuary --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem
    """  # fmt: skip
    need_certificate(tls_cert, tls_key)
    server = ServerSettings.load(settings.server_table)
    server = server._replace(host=host or server.host, port=server.port if port is None else port)

    _say_if_not_there(settings)

    def tell(ready: Ready) -> None:
        _tell(ready, as_json=as_json, is_in_journal=bool(settings.environ.get("JOURNAL_STREAM")))
        if is_opened:
            _open(f"{ready.address}?token={ready.ticket}" if ready.ticket else ready.address)

    with _extra_needed():
        tls: Tls | None = serving.Tls(tls_cert.expanduser(), tls_key and tls_key.expanduser()) if tls_cert else None
        serving.serve(settings, server, open_log(log, SystemClock()), tell, tls=tls, is_insecure=insecure)


def need_certificate(tls_cert: Path | None, tls_key: Path | None) -> None:
    """BadInput if there is a key and not what it is the key of."""
    if tls_key and not tls_cert:
        raise BadInput("--tls-key is the key of a certificate: name it with --tls-cert.")


def _say_if_not_there(settings: Settings) -> None:
    """Say if the memory cannot be opened; it is served all the same, as a database may start after its servers."""
    try:
        with Memory.to_read(settings, SystemClock()):
            pass
    except StoreError as error:
        click.echo(f"noctuary: {one_line(str(error))} It is served all the same; until then requests fail.", err=True)


def _tell(ready: Ready, *, as_json: bool, is_in_journal: bool) -> None:
    """Say where the page is; to a service's journal, which others may read, without the token."""
    address = ready.address if is_in_journal else ready.page
    if as_json:
        print_json({"address": ready.address, "page": address})
    else:
        click.echo(f"noctuary: serving {address}")
    sys.stdout.flush()  # whoever waits for the address waits for it now


def _open(address: str) -> None:
    """Open a browser, and do not wait for it: some end only when they are closed."""
    Thread(target=webbrowser.open, args=(address,), daemon=True).start()


@contextmanager
def _extra_needed() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModelMissing(
            f"`noctuary serve` needs a library that is not installed ({error.name}); run: "
            f"{shlex.quote(sys.executable)} -m pip install 'noctuary[http]'"
        ) from error
