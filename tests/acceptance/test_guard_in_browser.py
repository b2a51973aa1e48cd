"""The guard and a real browser: what another page on this machine can make it do, and what our own page can."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, Response

from tests.acceptance.conftest import Cli
from tests.acceptance.web_servers import Served, web_server

OTHER = """<!doctype html><title>another page</title>
<form id="form" method="post" action="{ours}/leave"><button>post</button></form>
<a id="link" href="{ours}/">link</a> <a id="token" href="{ours}/?token={token}">token</a>
<iframe src="{ours}/"></iframe>
<script>fetch("{ours}/api/v1/status", {{credentials: "include", mode: "no-cors"}});</script>"""


@contextmanager
def other_page(served: Served) -> Iterator[str]:
    """The address of a page of somebody else on this machine: the same site by the rules of cookies."""
    body = OTHER.format(ours=served.address, token=served.token).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the name is Python's
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def served(cli: Cli) -> Iterator[Served]:
    with web_server(cli) as made:
        yield made


@pytest.fixture
def page(served: Served, browser: Browser) -> Iterator[Page]:
    """A browser that came in by the address that was printed."""
    with browser.new_context() as context:
        opened = context.new_page()
        stranger = opened.goto(f"{served.address}/")
        assert stranger
        assert stranger.status == 401
        opened.goto(f"{served.address}/?token={served.token}")
        yield opened


def test_our_page_is_open_and_its_forms_are_heard(served: Served, page: Page) -> None:
    """The token is gone from the address, no script sees the cookie, and what we post counts as ours."""
    assert page.url == f"{served.address}/"
    assert page.evaluate("document.cookie") == ""
    assert str(served.token) not in page.content()

    page.evaluate(
        """() => { const form = document.createElement("form"); form.method = "post"; form.action = "/leave";
                   document.body.append(form); }"""
    )
    with page.expect_navigation() as left:
        page.evaluate("document.forms[document.forms.length - 1].submit()")

    assert left.value.url == f"{served.address}/"
    assert left.value.status == 401  # it was heard, and the cookie is gone


def test_another_page_on_this_machine_gets_nothing(served: Served, page: Page) -> None:
    """Though the browser sends it the cookie: neither a frame nor a fetch nor a form nor an address with a token."""
    heard: list[tuple[str, int]] = []

    def hear(response: Response) -> None:
        if response.url.startswith(served.address) and "/static/" not in response.url:  # how it looks is no secret
            heard.append((response.request.resource_type, response.status))

    page.on("response", hear)
    with other_page(served) as other:
        page.goto(other, wait_until="networkidle")
        assert ("document", 403) in heard  # the frame
        assert all(status == 403 for _, status in heard)

        for chosen in ("#form button", "#token"):
            page.goto(other)
            with page.expect_navigation() as led:
                page.click(chosen)
            assert led.value.status == 403
        page.goto(other)
        with page.expect_navigation() as led:
            page.click("#link")

    assert led.value.status == 200  # a link may lead here: it shows the page to whoever has the cookie, and nobody else
    assert page.url == f"{served.address}/"
