"""Try what was installed, as the agent would call it."""

import json
import re
import shutil
import subprocess
import threading
from collections.abc import Mapping, Sequence

from noctuary.version import VERSION

_PROMPT = {"cursor": "beforeSubmitPrompt", "gemini": "BeforeAgent"}
_WITH_ARGUMENTS = (2, 1, 139)  # of Claude Code
_SECONDS = 30.0  # a machine may be busy


def takes_arguments(environ: Mapping[str, str]) -> bool:
    """Whether the Claude Code on this machine starts a hook with arguments; older ones know only lines for a shell.

    They would start Python without any.  One that does not say which it is counts as new.
    """
    command = shutil.which("claude", path=environ.get("PATH"))
    if command is None:
        return True
    try:
        ran = subprocess.run(  # noqa: S603 (what the user starts by this name)
            [command, "--version"], capture_output=True, env={**environ}, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return True
    found = re.match(rb"(\d+)\.(\d+)\.(\d+)", ran.stdout.strip())
    return not found or tuple(map(int, found.groups())) >= _WITH_ARGUMENTS


class Trials:
    """What was tried, so that one command line is tried once, however many agents call it."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = {**environ}
        self._found: dict[tuple[str, ...], str] = {}
        self._said: dict[tuple[str, ...], dict[str, object] | str] = {}

    def trouble_with_hook(self, arguments: Sequence[str], agent: str) -> str:
        """Call the hook with an empty prompt, which changes nothing; in words what is wrong, empty if nothing is."""
        said = self._asked(arguments, _PROMPT.get(agent, "UserPromptSubmit"))
        return said if isinstance(said, str) else ""

    def trouble_with_program(self, arguments: Sequence[str]) -> str:
        """The same for a hook that must say something; silence, too, is wrong then."""
        said = self._asked(arguments, _PROMPT["cursor"])
        return said if isinstance(said, str) else "" if said else "the hook is silent where it should answer"

    def trouble_with_server(self, arguments: Sequence[str]) -> str:
        """Start the MCP server and greet it; in words what is wrong, empty if it answers."""
        line = tuple(arguments)
        if line not in self._found:
            self._found[line] = _trouble_starting(arguments, self.environ)
        return self._found[line]

    def _asked(self, arguments: Sequence[str], event: str) -> dict[str, object] | str:
        line = (event, *arguments)
        if line not in self._said:
            self._said[line] = self._called(arguments, event)
        return self._said[line]

    def _called(self, arguments: Sequence[str], event: str) -> dict[str, object] | str:
        """What the hook answers, or in words what is wrong with it."""
        given = {"hook_event_name": event, "session_id": "noctuary-install", "cwd": "/", "prompt": ""}
        try:
            ran = subprocess.run(  # noqa: S603 (our own command, as it stands in the settings)
                arguments,
                input=json.dumps(given).encode(),
                capture_output=True,
                env=self.environ,
                timeout=_SECONDS,
                check=False,
                cwd="/",
            )
        except (OSError, subprocess.SubprocessError) as error:
            return f"the hook cannot be started: {error}"
        if ran.returncode:
            errors = ran.stderr.decode("utf-8", "replace").strip()
            return f"the hook ended with {ran.returncode}: {errors[-200:]}"
        try:
            said = json.loads(ran.stdout) if ran.stdout.strip() else {}
        except ValueError:
            said = None
        return said if isinstance(said, dict) else "what the hook printed is no JSON object"


def _trouble_starting(arguments: Sequence[str], environ: Mapping[str, str]) -> str:
    try:
        # No buffer: a greeting that nobody took would be sent once more when the pipe is closed.
        process = subprocess.Popen(  # noqa: S603
            arguments,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**environ},
            cwd="/",
        )
    except OSError as error:
        return f"it cannot be started: {error}"
    with process:
        try:
            return _trouble_greeting(process)
        finally:
            process.kill()


def _trouble_greeting(process: subprocess.Popen[bytes]) -> str:
    if process.stdin is None or process.stdout is None or process.stderr is None:
        return "it has no pipes"
    answers: list[bytes] = []
    answering = threading.Thread(target=lambda out: answers.append(out.readline()), args=(process.stdout,), daemon=True)
    answering.start()
    try:
        process.stdin.write(json.dumps(_greeting()).encode() + b"\n")
        process.stdin.flush()
    except OSError:
        pass  # it has ended already; what it said tells why
    answering.join(_SECONDS)
    if not answers:
        return "it does not answer"
    try:
        if json.loads(answers[0])["result"]["serverInfo"]:
            return ""
    except (ValueError, KeyError, TypeError):
        pass
    process.kill()
    said = (answers[0] or process.stderr.read()).decode("utf-8", "replace").strip().splitlines()
    return f"it does not answer as it should: {said[-1][:200] if said else 'it said nothing'}"


def _greeting() -> Mapping[str, object]:
    who = {"name": "noctuary install", "version": VERSION}
    asked = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": asked}
