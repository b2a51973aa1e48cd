"""Where secrets stand in what agents read and write: settings, commands, diffs, logs, code, conversation.

A text is what stands before the secret, the secret as it is spelled there, and what stands after it.
"""

import json
import re
import textwrap
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from secret_asides import ASIDES
from secret_kinds import KINDS, WORDS, Kind
from secret_lines import CLOSE, LINES, OPEN, Lines

Template = str | Callable[[Random, str, str], str]  # how a key and a value are written


class Case(NamedTuple):
    """One text with one secret in it."""

    kind: str
    context: str
    text: str
    secrets: tuple[str, ...]  # as they are spelled in the text; more than one piece if lines break it


def cases(seed: int, each: int) -> list[Case]:
    """So many texts of every kind; the same seed always gives the same."""
    chance = Random(seed)
    made = [_keyed(chance, kind) for kind in KINDS for _ in range(each)]
    return made + [_line(chance, lines) for lines in (*LINES, *ASIDES) for _ in range(each)]


def _keyed(chance: Random, kind: Kind) -> Case:
    value, key = kind.make(chance), chance.choice(kind.keys)
    if "\n" in value:
        templates = MULTILINE
    else:
        templates = {**SETTINGS, **CODE, **COMMANDS, **LOGS, **({**BARE, **WRAPPED} if kind.is_formed else {})}
    name = chance.choice([*templates])
    return _case(kind.name, name, _around(chance, _filled(chance, templates[name], key, _marked(value))))


def _marked(value: str) -> str:
    """The value with marks around what is secret in it."""
    hidden = re.search(r"(?:services|webhooks|webhookb2)/(.+)|AccountKey=(.+)|\A2/\d+/(.+:.+)", value)
    if hidden is None or not value.startswith(("https://", "Default", "2/")):
        return f"{OPEN}{value}{CLOSE}"
    at = hidden.start(hidden.lastindex or 0)
    return f"{value[:at]}{OPEN}{value[at:]}{CLOSE}"


def _line(chance: Random, lines: Lines) -> Case:
    line = lines.make(chance)
    name = chance.choice([*AROUND_A_LINE])
    return _case(lines.name, name, _around(chance, AROUND_A_LINE[name](chance, line)))


def _case(kind: str, context: str, marked: str) -> Case:
    secrets = tuple(re.findall(f"{OPEN}(.*?){CLOSE}", marked, re.DOTALL))
    return Case(kind, context, marked.replace(OPEN, "").replace(CLOSE, ""), secrets)


def _filled(chance: Random, template: "Template", key: str, value: str) -> str:
    if callable(template):
        return template(chance, key, value)
    lower = key.lower()
    camel = lower.split("_")[0] + "".join(part.title() for part in lower.split("_")[1:])
    spelled = {"KEY": key, "key": lower, "camel": camel, "kebab": lower.replace("_", "-"), "word": chance.choice(WORDS)}
    for name, text in spelled.items():
        template = template.replace(f"<{name}>", text)
    return template.replace("…", value)


def _around(chance: Random, text: str) -> str:
    before, after = chance.choice(SURROUNDINGS)
    return f"{before}{text}{after}"


SURROUNDINGS = (
    ("", ""),
    ("$ cat .env\n", "\n$ echo done\ndone\n"),
    ("Here is what I found:\n\n```\n", "\n```\n\nShall I go on?"),
    ("     1\tDEBUG=1\n     2\t", "\n     3\tPORT=8080\n"),
    ("2026-05-04T10:11:12Z INFO starting\n", "\n2026-05-04T10:11:13Z INFO ready on :8080\n"),
    ("ok, try this: ", ""),
    ("", "\n\nThat should work now; tell me if it does not."),
)
SETTINGS: dict[str, Template] = {
    "dotenv": "<KEY>=…",
    "dotenv, double quotes": '<KEY>="…"',
    "dotenv, single quotes": "<KEY>='…'",
    "dotenv, comment": "<KEY>=…  # rotate monthly",
    "export": "export <KEY>=…",
    "export, quotes": 'export <KEY>="…"',
    "dockerfile": "ENV <KEY>=…",
    "dockerfile, spaces": "ENV <KEY> …",
    "compose list": "    environment:\n      - <KEY>=…\n      - PORT=80",
    "compose map": "    environment:\n      <KEY>: …",
    "yaml": "<key>: …",
    "yaml, quotes": '<key>: "…"',
    "toml": '<key> = "…"',
    "ini": "<key> = …",
    "properties": "app.<key>=…",
    "json": '{"<key>": "…", "port": 80}',
    "json, compact": '{"a":1,"<camel>":"…"}',
    "json, escaped": '"{\\"<key>\\": \\"…\\", \\"n\\": 1}"',
    "json, escaped twice": '{\\\\\\"<key>\\\\\\": \\\\\\"…\\\\\\"}',
    "json of names": '{"name": "<KEY>", "value": "…"}',
    "yaml of names": "- name: <KEY>\n  value: …",
    "windows": "set <KEY>=…",
    "powershell": '$env:<KEY> = "…"',
    "fish": "set -x <KEY> …",
    "terraform": 'variable "<key>" {\n  default = "…"\n}',
    "terraform assignment": '  <key> = "…"',
    "xml": "<<camel>>…</<camel>>",
    "html, entities": "{&quot;<key>&quot;:&quot;…&quot;}",
    "table": "| `<KEY>` | `…` |",
    "diff, added": "@@ -1,2 +1,2 @@\n-<KEY>=\n+<KEY>=…",
    "diff, removed": '-  <key>: "…"\n+  <key>: ${<KEY>}',
    "grep": ".env:12:<KEY>=…",
    "numbered": "    12→<KEY>=…",
    "printenv": "HOME=/root\n<KEY>=…\nSHLVL=1",
}
CODE: dict[str, Template] = {
    "python argument": 'client = Client(<key>="…")',
    "python environment": 'os.environ["<KEY>"] = "…"',
    "python default": 'key = os.getenv("<KEY>", "…")',
    "python name": '<KEY> = "…"',
    "javascript": "const <camel> = '…';",
    "javascript property": '  <camel>: "…",',
    "javascript environment": 'process.env.<KEY> = "…";',
    "go": '<camel> := "…"',
    "java": 'private static final String <KEY> = "…";',
    "ruby": "<KEY> = '…'.freeze",
    "php": "define('<KEY>', '…');",
    "rust": 'const <KEY>: &str = "…";',
    "c#": 'builder["<KEY>"] = "…";',
}
COMMANDS: dict[str, Template] = {
    "curl header": "curl -H 'Authorization: Bearer …' https://api.example.com/v1/items",
    "curl key header": 'curl -s -H "X-Api-Key: …" https://api.example.com/v1',
    "curl body": """curl -X POST -d '{"<key>":"…"}' https://api.example.com/v1""",
    "query": "https://api.example.com/v1/x?<key>=…&page=2",
    "flag": "deploy --<kebab> … --region eu",
    "flag with =": "deploy --<kebab>=… --region eu",
    "inline": "<KEY>=… npm run deploy",
    "gh secret": 'gh secret set <KEY> --body "…"',
    "docker -e": "docker run -e <KEY>=… app:latest",
    "git address": "git clone https://oauth2:…@git.example.com/a/b.git",
    "heroku config": "heroku config:set <KEY>=… --app shop",
    "kubectl literal": "kubectl create secret generic x --from-literal=<kebab>=…",
}
LOGS: dict[str, Template] = {
    "log, pair": "2026-05-04 10:11:12 DEBUG config loaded <key>=… retries=3",
    "log, dict": "DEBUG headers={'Authorization': 'Bearer …', 'Accept': '*/*'}",
    "log, json": '{"level":"debug","msg":"auth","<key>":"…","ts":1}',
    "error": "Error: 401 Unauthorized (<key>: …)",
    "said with its name": "set <KEY> to …",
    "said with is": "the <key> is …",
}
BARE: dict[str, Template] = {
    "bare": "…",
    "sentence": "please use … for this one",
    "sentence's end": "I tried it with ….",
    "ticks": "the value `…` is live",
    "parentheses": "(…)",
    "quoted": '"…"',
    "colour": "\x1b[32m…\x1b[0m",
    "list": "- first\n- …\n- last",
    "escaped line": "out:\\n…\\ndone",
    "unicode escape": "a\\u003d…\\u0026b",
    "percent": "next%3D…%26x",
    "array": "['…', 'x']",
    "csv": "ana,…,2026-05-04",
    "cell": "| ana | … |",
    "path": "https://api.example.com/hook/…/send",
    "said to be a key": "here's the key: …",
    "arrow": "<word> -> …",
    "login of an address": "git remote add o https://…@git.example.com/a/b.git",
    "glued": "key=…;other=1",
}


def _wrapped(chance: Random, key: str, value: str, glue: str, ending: str = "") -> str:
    plain = value.replace(OPEN, "").replace(CLOSE, "")
    at = value.index(OPEN)
    head, secret = plain[:at], plain[at:]
    if len(secret) < 24:
        return f"{key}={value}"
    width = chance.randint(16, max(17, min(76, len(secret) - 6)))
    pieces = textwrap.wrap(secret, width, break_on_hyphens=False)
    return f"{key}={head}" + f"{ending}\n{glue}".join(f"{OPEN}{piece}{CLOSE}" for piece in pieces)


def _numbered(text: str, sign: str) -> str:
    return "\n".join(f"{number:6}{sign}{line}" for number, line in enumerate(text.split("\n"), 1))


WRAPPED: dict[str, Template] = {
    "wrapped": lambda chance, key, value: _wrapped(chance, key, value, ""),
    "wrapped, indented": lambda chance, key, value: _wrapped(chance, key, value, "    "),
    "wrapped by a stroke": lambda chance, key, value: _wrapped(chance, key, value, "", "\\"),
    "wrapped in a quotation": lambda chance, key, value: _wrapped(chance, key, value, "> "),
}
MULTILINE: dict[str, Template] = {
    "file": "…",
    "cat": "$ cat id_rsa\n…\n$",
    "heredoc": "cat > key.pem <<EOF\n…\nEOF",
    "yaml block": lambda _, key, value: f"{key.lower()}: |\n" + textwrap.indent(value, "    "),
    "diff": lambda _, _key, value: textwrap.indent(value, "+"),
    "json": lambda _, _key, value: '{"private_key": "' + value.replace("\n", "\\n") + '\\n"}',
    "json, escaped": lambda _, _key, value: '"{\\"private_key\\": \\"' + value.replace("\n", "\\\\n") + '\\\\n\\"}"',
    "dotenv": lambda _, key, value: f'{key}="' + value.replace("\n", "\\n") + '"',
    "dotenv, lines": lambda _, key, value: f'{key}="{value}"',
    "numbered": lambda _, _key, value: _numbered(value, "\t"),
    "numbered by an arrow": lambda _, _key, value: _numbered(value, "→"),
    "quotation": lambda _, _key, value: "\n".join(f"> {line}" for line in value.split("\n")),
    "carriage returns": lambda _, _key, value: value.replace("\n", "\r\n"),
    "spaces": lambda _, _key, value: value.replace("\n", " "),
    "code": lambda _, _key, value: "key = (\n" + "\n".join(f'    "{line}\\n"' for line in value.split("\n")) + "\n)",
}


def is_header(line: str) -> bool:
    """Whether a line could be given to curl as a header."""
    return ": " in line and "'" not in line and "\n" not in line


AROUND_A_LINE: dict[str, Callable[[Random, str], str]] = {
    "alone": lambda _, line: line,
    "comment": lambda _, line: f"# {line}" if "\n" not in line else line,
    "indented": lambda _, line: textwrap.indent(line, "    "),
    "diff": lambda _, line: textwrap.indent(line, "+"),
    "ticks": lambda _, line: f"`{line}`" if "\n" not in line and "`" not in line else line,
    "json": lambda _, line: '{"content": ' + json.dumps(line, ensure_ascii=False) + "}",
    "log": lambda _, line: f"2026-05-04T10:11:12Z DEBUG {line}",
    "shell trace": lambda _, line: f"+ {line}",
    "numbered": lambda _, line: _numbered(line, "\t"),
    "argument": lambda _, line: f"curl -sS -H '{line}' https://api.example.com" if is_header(line) else line,
}
