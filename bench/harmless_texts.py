"""Made-up texts that look like chance and hold no secret: hashes, ids, lock files, minified code, public keys.

Lines that somebody wrote before reading the rules are in `lookalikes_of_strangers.jsonl`, made up as `secret_asides.py`
says: what stands between `«` and `»` is chance, and no secret.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from uuid import UUID

from secret_asides import plainly
from secret_kinds import ALNUM, BASE64, DIGITS, HEX, LOWER, WORDS, some


def harmless(seed: int, each: int) -> Iterator[tuple[str, str]]:
    """So many texts of every kind, with its name."""
    chance = Random(seed)
    for name, make in KINDS.items():
        for _ in range(each):
            yield name, make(chance)


def _lines(chance: Random, line: Callable[[], str], least: int = 20, most: int = 60) -> str:
    return "\n".join(line() for _ in range(chance.randint(least, most)))


def _word(chance: Random) -> str:
    return chance.choice(WORDS)


def _uuid(chance: Random) -> str:
    return str(UUID(int=chance.getrandbits(128), version=4))


def _sri(chance: Random) -> str:
    return "sha512-" + base64.b64encode(hashlib.sha512(chance.randbytes(8)).digest()).decode()


def _package(chance: Random) -> str:
    return f"{_word(chance)}-{chance.choice(['js', 'core', 'utils', 'token', 'key', 'secret-store', 'auth'])}"


def _version(chance: Random) -> str:
    return ".".join(str(chance.randrange(30)) for _ in range(3))


_PACKAGES = "https://packages.example.org"


def _package_lock(chance: Random) -> str:
    def entry() -> str:
        name, version = _package(chance), _version(chance)
        return (
            f'    "node_modules/{name}": {{\n      "version": "{version}",\n'
            f'      "resolved": "{_PACKAGES}/{name}/-/{name}-{version}.tgz",\n'
            f'      "integrity": "{_sri(chance)}",\n      "dev": true\n    }},'
        )

    return "{\n" + _lines(chance, entry) + "\n}"


def _yarn_lock(chance: Random) -> str:
    def entry() -> str:
        name, version = _package(chance), _version(chance)
        return (
            f'"{name}@^{version}":\n  version "{version}"\n'
            f'  resolved "https://packages.example.org/{name}.tgz#{some(chance, HEX, 40)}"\n'
            f"  integrity {_sri(chance)}\n"
        )

    return _lines(chance, entry)


def _python_lock(chance: Random) -> str:
    def entry() -> str:
        name, version = _package(chance), _version(chance)
        return f'{{file = "{name}-{version}-py3-none-any.whl", hash = "sha256:{some(chance, HEX, 64)}"}},'

    return "files = [\n" + _lines(chance, entry) + "\n]"


def _requirements(chance: Random) -> str:
    return _lines(
        chance, lambda: f"{_package(chance)}=={_version(chance)} \\\n    --hash=sha256:{some(chance, HEX, 64)}"
    )


def _go_sum(chance: Random) -> str:
    return _lines(chance, lambda: f"github.com/{_package(chance)} v{_version(chance)} h1:{some(chance, BASE64, 43)}=")


def _cargo_lock(chance: Random) -> str:
    return _lines(
        chance,
        lambda: (
            f'[[package]]\nname = "{_package(chance)}"\nversion = "{_version(chance)}"\n'
            f'checksum = "{some(chance, HEX, 64)}"\n'
        ),
    )


def _git_log(chance: Random) -> str:
    return _lines(
        chance,
        lambda: (
            f"commit {some(chance, HEX, 40)}\nAuthor: Ana <ana@example.com>\n\n"
            f"    {' '.join(chance.choices(WORDS, k=6))}\n"
        ),
    )


def _diff(chance: Random) -> str:
    word = _word(chance)
    return (
        f"diff --git a/{word}.py b/{word}.py\nindex {some(chance, HEX, 7)}..{some(chance, HEX, 7)} 100644\n"
        + _lines(
            chance,
            lambda: (
                f"{chance.choice('+- ')}    self.{_word(chance)}_token = "
                f"make_{_word(chance)}(token, key_{chance.randrange(9)})"
            ),
        )
    )


def _minified(chance: Random) -> str:
    def statement() -> str:
        a, b = chance.choice(LOWER), chance.choice(LOWER)
        return chance.choice(
            [
                f"var {a}={b}.token,{b}=t.secret;",
                f'function {a}(e,t){{return e.key===t.password?{a}(e,"{some(chance, LOWER, 3)}"):void 0}}',
                f"{a}={{token:{b},key:n,password:r,secret:void 0}},",
                f'e.exports="{some(chance, ALNUM, 8)}",',
                f"n.d(t,{{Z:()=>{a},apiKey:()=>{b}}});",
            ]
        )

    return "!function(e,t){" + "".join(statement() for _ in range(150)) + "}(this);"


def _source_map(chance: Random) -> str:
    mappings = ";".join(",".join(some(chance, BASE64, 4) for _ in range(9)) for _ in range(60))
    return f'{{"version":3,"sources":["a.ts"],"names":["token","apiKey"],"mappings":"{mappings}"}}'


def _data_uri(chance: Random) -> str:
    body = base64.b64encode(chance.randbytes(chance.randint(200, 2000))).decode()
    return f'<img alt="{_word(chance)}" src="data:image/png;base64,{body}"/>'


def _base64_lines(chance: Random) -> str:
    return _lines(chance, lambda: some(chance, BASE64, 76))


def _base64_block(chance: Random) -> str:
    """As long as a picture: three letters that begin a rule stand in it by chance."""
    return "\n".join(some(chance, BASE64, 76) for _ in range(4_000))


def _hashes(chance: Random) -> str:
    return _lines(
        chance,
        lambda: f"{some(chance, HEX, chance.choice([32, 40, 64, 128]))}  {_word(chance)}/{_word(chance)}.tar.gz",
    )


def _uuids(chance: Random) -> str:
    return _lines(
        chance, lambda: f'{{"id": "{_uuid(chance)}", "parentUuid": "{_uuid(chance)}", "session_id": "{_uuid(chance)}"}}'
    )


def _ssh_public(chance: Random) -> str:
    return _lines(
        chance,
        lambda: chance.choice(
            [
                f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{some(chance, BASE64, 43)} ana@laptop",
                f"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{some(chance, BASE64, 330)}= ana@laptop",
                f"256 SHA256:{some(chance, BASE64, 43)} ana@laptop (ED25519)",
                f"Fingerprint: MD5:{':'.join(some(chance, HEX, 2) for _ in range(16))}",
                f"github.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{some(chance, BASE64, 43)}",
            ]
        ),
    )


def _certificate(chance: Random) -> str:
    body = "\n".join(some(chance, BASE64, 64) for _ in range(18))
    label = chance.choice(["CERTIFICATE", "PUBLIC KEY", "CERTIFICATE REQUEST"])
    return f"-----BEGIN {label}-----\n{body}\n-----END {label}-----"


def _images(chance: Random) -> str:
    return _lines(
        chance,
        lambda: f"{_word(chance)}/app@sha256:{some(chance, HEX, 64)}  {some(chance, HEX, 12)}  {_version(chance)}",
    )


def _answers(chance: Random) -> str:
    return _lines(
        chance,
        lambda: (
            f'{{"etag":"W/\\"{some(chance, HEX, 32)}\\"","cursor":"{some(chance, ALNUM, 24)}",'
            f'"next_page_token":"{some(chance, ALNUM, 20)}",'
            f'"requestId":"{_uuid(chance)}","model":"model-4-5-20260101","max_tokens":4096,'
            f'"usage":{{"input_tokens":{chance.randrange(9999)}}},'
            f'"tool_use_id":"toolu_{some(chance, ALNUM, 24)}","id":"msg_{some(chance, ALNUM, 24)}"}}'
        ),
    )


def _logs(chance: Random) -> str:
    return _lines(
        chance,
        lambda: (
            f"2026-05-04T10:11:{chance.randrange(60):02}Z INFO [{some(chance, HEX, 16)}] trace={some(chance, HEX, 32)} "
            f"user={chance.randrange(10**6)} token refreshed for session {_uuid(chance)} "
            f"key={_word(chance)}:{chance.randrange(999)}"
        ),
    )


def _code(chance: Random) -> str:
    def statement() -> str:
        word, other = _word(chance), _word(chance)
        return chance.choice(
            [
                f'password = request.form["{word}_password"]',
                f"api_key = os.environ.get('{word.upper()}_API_KEY_{chance.randrange(9)}')",
                f"token: {word.title()}Token{chance.randrange(9)} = self.{other}_tokens[{chance.randrange(99)}]",
                f'secret_name = "prod/{word}/{other}-v{chance.randrange(9)}"',
                f"const {word}Key = create{other.title()}Key(options.key{chance.randrange(9)});",
                f'cache_key = f"{word}:{{user_id}}:v{chance.randrange(99)}"',
                f'assert primary_key == "{word}_{other}_{chance.randrange(99)}"',
                f"def test_password_{word}_{chance.randrange(999)}(token: str, *, secret: bytes) -> None:",
                f"if (!user || user.passwordHash !== hash{chance.randrange(9)}(password, salt)) return null;",
                f"SECRET_KEY=${{{word.upper()}_SECRET}}",
                f"password: ${{{{ secrets.{word.upper()}_PASSWORD_{chance.randrange(9)} }}}}",
                f"<input type='password' name='{word}_password{chance.randrange(9)}' placeholder='Password'>",
                f'"password": {{"type": "string", "minLength": {chance.randrange(8, 20)}}},',
            ]
        )

    return _lines(chance, statement)


def _talk(chance: Random) -> str:
    def sentence() -> str:
        word = _word(chance)
        return chance.choice(
            [
                f"The password is hashed with bcrypt (cost {chance.randrange(10, 15)}) before it reaches {word}.",
                f"The token expires after {chance.randrange(5, 90)} minutes; the key is stored in {word}-vault.",
                f"I renamed the secret to {word}-credentials-v{chance.randrange(9)} in {_version(chance)}.",
                f"Set the api key in {word.upper()}_KEY and the password as docs/{word}{chance.randrange(9)}.md says.",
                f"Commit {some(chance, HEX, 9)} fixes #{chance.randrange(9999)}: passwords in v{_version(chance)}.",
                f"Password: at least 12 characters. Token: 64-char hex. Secret: managed by {word}.",
                f"The session {_uuid(chance)} used {chance.randrange(99999)} tokens.",
            ]
        )

    return " ".join(sentence() for _ in range(40))


def _dump(chance: Random) -> str:
    return _lines(
        chance,
        lambda: f"{chance.getrandbits(28):08x}: {' '.join(some(chance, HEX, 4) for _ in range(8))}  ................",
    )


def _listing(chance: Random) -> str:
    return _lines(
        chance,
        lambda: (
            f"-rw-r--r-- 1 ana ana {chance.randrange(99999):>6} May  4 10:11 "
            f"{_word(chance)}-{some(chance, HEX, 8)}.{chance.choice(['js', 'key.pub', 'png'])}"
        ),
    )


def _numbers(chance: Random) -> str:
    return _lines(
        chance,
        lambda: f"{some(chance, DIGITS, 18)},{chance.random():.12f},{some(chance, DIGITS, 10)},{_word(chance)}",
    )


def _lookalikes(chance: Random) -> str:
    return "\n".join(plainly(line, chance) for line in chance.sample(LOOKALIKES, 40))


LOOKALIKES = [
    *map(json.loads, Path(__file__).with_name("lookalikes_of_strangers.jsonl").read_text(encoding="utf-8").splitlines())
]
KINDS: dict[str, Callable[[Random], str]] = {
    "package-lock.json": _package_lock,
    "yarn.lock": _yarn_lock,
    "poetry.lock": _python_lock,
    "requirements with hashes": _requirements,
    "go.sum": _go_sum,
    "Cargo.lock": _cargo_lock,
    "git log": _git_log,
    "diff of code": _diff,
    "minified code": _minified,
    "source map": _source_map,
    "data address": _data_uri,
    "lines of base64": _base64_lines,
    "blocks of base64": _base64_block,
    "hashes of files": _hashes,
    "uuids": _uuids,
    "public keys": _ssh_public,
    "certificates": _certificate,
    "digests of images": _images,
    "answers of an API": _answers,
    "logs": _logs,
    "code about secrets": _code,
    "talk about secrets": _talk,
    "hex dump": _dump,
    "listing": _listing,
    "numbers": _numbers,
    "lookalikes of strangers": _lookalikes,
}
