"""Made-up secrets in the forms that their issuers give them, for `redaction.py`.

Every one is composed at run time from chance, so that no scanner takes this file for a leak, and no two runs of
different seeds share one.
"""

import base64
import json
import string
from collections.abc import Callable
from random import Random
from typing import NamedTuple

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
ALNUM = LOWER + UPPER + DIGITS
WORDISH = ALNUM + "_-"
BASE64 = ALNUM + "+/"
HEX = DIGITS + "abcdef"
BASE32 = UPPER + "234567"
PASSWORD_SIGNS = "!#$%&*+-.?@^_~"
WORDS = (
    *("amber", "basil", "cedar", "delta", "ember", "flint", "grove", "hazel", "iron"),
    *("jade", "kelp", "lunar", "maple", "north", "onyx", "pearl", "quartz", "river"),
)


class Kind(NamedTuple):
    """A kind of secret: how it looks, what it is called where it is set, and whether its form alone gives it away."""

    name: str
    make: Callable[[Random], str]
    keys: tuple[str, ...]  # as a setting in capitals; other spellings are made from these
    is_formed: bool = True


def some(chance: Random, alphabet: str, length: int) -> str:
    """So many characters of an alphabet."""
    return "".join(chance.choices(alphabet, k=length))


def _of(prefix: str, alphabet: str, *lengths: int, end: str = "") -> Callable[[Random], str]:
    return lambda chance: prefix + some(chance, alphabet, chance.choice(lengths)) + end


def _one(*makers: Callable[[Random], str]) -> Callable[[Random], str]:
    return lambda chance: chance.choice(makers)(chance)


def _uuid(chance: Random) -> str:
    return "-".join(some(chance, HEX, length) for length in (8, 4, 4, 4, 12))


def _encoded(content: dict[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")


def jwt(chance: Random) -> str:
    """A JSON web token."""
    head = _encoded({"alg": chance.choice(["HS256", "RS256", "ES256"]), "typ": "JWT"})
    body = _encoded({"sub": some(chance, DIGITS, 9), "iat": chance.randrange(10**9, 2 * 10**9)})
    return f"{head}.{body}.{some(chance, WORDISH, chance.choice([43, 86, 342]))}"


def pem(chance: Random) -> str:
    """A private key, over several lines."""
    label = chance.choice(["RSA ", "EC ", "", "OPENSSH ", "ENCRYPTED ", "DSA "]) + "PRIVATE" + " KEY"
    if chance.random() < 0.1:
        label = "PGP PRIVATE" + " KEY BLOCK"
    width = chance.choice([64, 70, 76])
    lines = [some(chance, BASE64, width) for _ in range(chance.randint(3, 14))]
    lines.append(some(chance, BASE64, chance.randint(4, width - 2)) + chance.choice(["", "=", "=="]))
    if label.startswith("PGP"):
        lines = ["", *lines, "=" + some(chance, BASE64, 4)]
    return "\n".join(["-----" + f"BEGIN {label}-----", *lines, "-----" + f"END {label}-----"])


def password(chance: Random) -> str:
    """A password as a generator or a person makes it."""
    word, other = (chance.choice(WORDS) for _ in range(2))
    styles: list[Callable[[], str]] = [
        lambda: _with_all_sorts(chance, ALNUM + PASSWORD_SIGNS, chance.randint(12, 28)),
        lambda: _with_all_sorts(chance, ALNUM, chance.randint(12, 32)),
        lambda: f"{word.title()}{some(chance, DIGITS, chance.randint(2, 4))}{chance.choice('!?$#*')}",
        lambda: f"{word}{other.title()}{some(chance, DIGITS, 3)}",
        lambda: f"{word}-{other}-{some(chance, DIGITS, 4)}-{chance.choice(WORDS)}",
        lambda: f"{word[0].upper()}{word[1:].replace('a', '@').replace('e', '3')}{some(chance, DIGITS, 3)}",
    ]
    return chance.choice(styles)()


def _with_all_sorts(chance: Random, alphabet: str, length: int) -> str:
    while True:
        made = some(chance, alphabet, length)
        if any(map(str.isdigit, made)) and any(map(str.isupper, made)) and any(map(str.islower, made)):
            return made if made[0].isalnum() and made[-1].isalnum() else made.strip(PASSWORD_SIGNS) + "x7"


def plain_password(chance: Random) -> str:
    """A password that needs no quoting in an address."""
    return _with_all_sorts(chance, ALNUM, chance.randint(8, 24))


KINDS = (
    Kind("aws access key", _one(*(_of(start + "IA", BASE32, 16) for start in ("AK", "AS"))), ("AWS_ACCESS_KEY_ID",)),
    Kind("aws secret key", _of("", BASE64, 40), ("AWS_SECRET_ACCESS_KEY",), is_formed=False),
    Kind(
        "aws session token", lambda c: "IQoJb3JpZ2luX2Vj" + some(c, BASE64, 300) + "==", ("AWS_SESSION_TOKEN",), False
    ),
    Kind("github token", _one(*(_of(f"gh{x}" + "_", ALNUM, 36) for x in "pousr")), ("GITHUB_TOKEN", "GH_TOKEN")),
    Kind(
        "github fine-grained token",
        lambda c: "github" + "_pat_" + some(c, ALNUM, 22) + "_" + some(c, ALNUM, 59),
        ("GITHUB_TOKEN",),
    ),
    Kind(
        "gitlab token",
        _one(
            _of("glpat" + "-", WORDISH, 20),
            lambda c: "glpat" + "-" + some(c, WORDISH, 27) + ".01." + some(c, LOWER + DIGITS, 9),
            *(_of(f"gl{x}" + "-", WORDISH, 20) for x in ("dt", "rt", "oas", "cbt", "ft", "soat")),
            _of("glptt" + "-", HEX, 40),
        ),
        ("GITLAB_TOKEN", "CI_JOB_TOKEN"),
    ),
    Kind("bitbucket password", _of("ATBB", ALNUM, 32), ("BITBUCKET_APP_PASSWORD",)),
    Kind(
        "atlassian token",
        lambda c: "ATATT3" + "xFfGF0" + some(c, WORDISH, 170) + "=" + some(c, HEX.upper(), 8),
        ("JIRA_API_TOKEN",),
    ),
    Kind(
        "slack token",
        _one(
            lambda c: f"xoxb-{some(c, DIGITS, 12)}-{some(c, DIGITS, 13)}-{some(c, ALNUM, 24)}",
            lambda c: f"xoxp-{some(c, DIGITS, 12)}-{some(c, DIGITS, 12)}-{some(c, DIGITS, 13)}-{some(c, HEX, 32)}",
            lambda c: f"xapp-1-A{some(c, UPPER + DIGITS, 10)}-{some(c, DIGITS, 13)}-{some(c, HEX, 64)}",
            lambda c: f"xoxe.xoxp-1-{some(c, ALNUM, 160)}",
        ),
        ("SLACK_BOT_TOKEN", "SLACK_TOKEN"),
    ),
    Kind(
        "slack webhook",
        lambda c: (
            f"https://hooks.slack.com/services/T{some(c, UPPER + DIGITS, 10)}"
            f"/B{some(c, UPPER + DIGITS, 10)}/{some(c, ALNUM, 24)}"
        ),
        ("SLACK_WEBHOOK_URL",),
    ),
    Kind(
        "teams webhook",
        lambda c: (
            f"https://acme.webhook.office.com/webhookb2/{_uuid(c)}@{_uuid(c)}"
            f"/IncomingWebhook/{some(c, HEX, 32)}/{_uuid(c)}"
        ),
        ("TEAMS_WEBHOOK_URL",),
    ),
    Kind(
        "discord token",
        lambda c: f"{c.choice('MNO')}{some(c, ALNUM, 25)}.{some(c, ALNUM, 6)}.{some(c, WORDISH, 38)}",
        ("DISCORD_TOKEN", "DISCORD_BOT_TOKEN"),
    ),
    Kind(
        "discord webhook",
        lambda c: f"https://discord.com/api/webhooks/{some(c, DIGITS, 19)}/{some(c, WORDISH, 68)}",
        ("DISCORD_WEBHOOK_URL",),
    ),
    Kind("telegram token", lambda c: f"{some(c, DIGITS[1:], 10)}:AA{some(c, WORDISH, 33)}", ("TELEGRAM_BOT_TOKEN",)),
    Kind(
        "stripe key",
        _one(*(_of(f"{x}k_{y}" + "_", ALNUM, 24, 99) for x in "sr" for y in ("live", "test"))),
        ("STRIPE_SECRET_KEY", "STRIPE_API_KEY"),
    ),
    Kind("stripe webhook secret", _of("whsec" + "_", ALNUM, 32), ("STRIPE_WEBHOOK_SECRET",)),
    Kind(
        "openai key",
        _one(
            lambda c: "sk" + "-proj-" + some(c, WORDISH, 74) + "T3BlbkFJ" + some(c, WORDISH, 74),
            lambda c: "sk" + "-" + some(c, ALNUM, 20) + "T3BlbkFJ" + some(c, ALNUM, 20),
            lambda c: "sk" + "-svcacct-" + some(c, WORDISH, 58) + "T3BlbkFJ" + some(c, WORDISH, 58),
        ),
        ("OPENAI_API_KEY",),
    ),
    Kind(
        "anthropic key",
        _one(*(_of("sk" + f"-ant-{x}-", WORDISH, 93, end="AA") for x in ("api03", "admin01", "oat01", "sid01"))),
        ("ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"),
    ),
    Kind("openrouter key", _of("sk" + "-or-v1-", HEX, 64), ("OPENROUTER_API_KEY",)),
    Kind("deepseek key", _of("sk" + "-", HEX, 32), ("DEEPSEEK_API_KEY",)),
    Kind("google api key", _of("AI" + "za", WORDISH, 35), ("GOOGLE_API_KEY", "GEMINI_API_KEY")),
    Kind("google oauth token", lambda c: "ya29" + ".a0" + some(c, WORDISH, 160), ("GOOGLE_ACCESS_TOKEN",)),
    Kind("google client secret", _of("GOCSPX" + "-", WORDISH, 28), ("GOOGLE_CLIENT_SECRET",)),
    Kind("google refresh token", _of("1//0", WORDISH, 90), ("GOOGLE_REFRESH_TOKEN",), is_formed=False),
    Kind(
        "azure connection string",
        lambda c: "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=" + some(c, BASE64, 86) + "==",
        ("AZURE_STORAGE_CONNECTION_STRING",),
    ),
    Kind(
        "azure client secret",
        lambda c: some(c, ALNUM, 3) + c.choice("78") + "Q~" + some(c, ALNUM + "_~.-", 30) + some(c, ALNUM, 4),
        ("AZURE_CLIENT_SECRET", "ARM_CLIENT_SECRET"),
    ),
    Kind(
        "azure devops token",
        lambda c: some(c, ALNUM, 76) + "AZDO" + some(c, ALNUM, 4),
        ("AZURE_DEVOPS_TOKEN", "AZURE_DEVOPS_EXT_PAT_TOKEN"),
    ),
    Kind("npm token", _of("npm" + "_", ALNUM, 36), ("NPM_TOKEN", "NODE_AUTH_TOKEN")),
    Kind("pypi token", lambda c: "pypi" + "-AgEIcHlwaS5vcmc" + some(c, WORDISH, 160), ("PYPI_TOKEN", "TWINE_PASSWORD")),
    Kind("rubygems key", _of("rubygems" + "_", HEX, 48), ("GEM_HOST_API_KEY",)),
    Kind("crates.io token", _of("cio", ALNUM, 32), ("CARGO_REGISTRY_TOKEN",), is_formed=False),
    Kind("huggingface token", _of("hf" + "_", ALNUM, 34), ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")),
    Kind("sendgrid key", lambda c: f"SG.{some(c, WORDISH, 22)}.{some(c, WORDISH, 43)}", ("SENDGRID_API_KEY",)),
    Kind("twilio key", _of("SK", HEX, 32), ("TWILIO_API_KEY",)),
    Kind("twilio token", _of("", HEX, 32), ("TWILIO_AUTH_TOKEN",), is_formed=False),
    Kind("mailgun key", _of("key" + "-", HEX, 32), ("MAILGUN_API_KEY",)),
    Kind("mailchimp key", lambda c: f"{some(c, HEX, 32)}-us{c.randint(1, 21)}", ("MAILCHIMP_API_KEY",)),
    Kind("brevo key", lambda c: f"xkeysib-{some(c, HEX, 64)}-{some(c, ALNUM, 16)}", ("BREVO_API_KEY",)),
    Kind("resend key", lambda c: f"re_{some(c, ALNUM, 8)}_{some(c, ALNUM, 24)}", ("RESEND_API_KEY",)),
    Kind("digitalocean token", _one(*(_of(f"do{x}_v1_", HEX, 64) for x in "opr")), ("DIGITALOCEAN_ACCESS_TOKEN",)),
    Kind("databricks token", _of("dapi", HEX, 32), ("DATABRICKS_TOKEN",)),
    Kind("snowflake password", plain_password, ("SNOWFLAKE_PASSWORD",), is_formed=False),
    Kind(
        "shopify token", _one(*(_of(f"shp{x}_", HEX, 32) for x in ("at", "ca", "pa", "ss"))), ("SHOPIFY_ACCESS_TOKEN",)
    ),
    Kind("square token", _one(_of("sq0atp-", WORDISH, 22), _of("EAAA", WORDISH, 60)), ("SQUARE_ACCESS_TOKEN",)),
    Kind("paypal secret", _of("E", WORDISH, 79), ("PAYPAL_CLIENT_SECRET",), is_formed=False),
    Kind("linear key", _of("lin" + "_api_", ALNUM, 40), ("LINEAR_API_KEY",)),
    Kind("notion token", _one(_of("ntn" + "_", ALNUM, 46), _of("secret" + "_", ALNUM, 43)), ("NOTION_TOKEN",)),
    Kind("airtable token", lambda c: f"pat{some(c, ALNUM, 14)}.{some(c, HEX, 64)}", ("AIRTABLE_API_KEY",)),
    Kind(
        "asana token",
        lambda c: f"2/{some(c, DIGITS, 16)}/{some(c, DIGITS, 16)}:{some(c, HEX, 32)}",
        ("ASANA_ACCESS_TOKEN",),
    ),
    Kind("figma token", _of("figd" + "_", WORDISH, 40), ("FIGMA_TOKEN",)),
    Kind("postman key", lambda c: f"PMAK-{some(c, HEX, 24)}-{some(c, HEX, 34)}", ("POSTMAN_API_KEY",)),
    Kind("vercel token", _one(_of("vcp_", ALNUM, 56), _of("", ALNUM, 24)), ("VERCEL_TOKEN",), is_formed=False),
    Kind("netlify token", _of("nfp_", ALNUM, 40), ("NETLIFY_AUTH_TOKEN",)),
    Kind("heroku key", _one(_uuid, _of("HRKU-AA", WORDISH, 58)), ("HEROKU_API_KEY",), is_formed=False),
    Kind("fly token", lambda c: "fm2_" + some(c, BASE64, 240) + "==", ("FLY_API_TOKEN",)),
    Kind("cloudflare token", _of("", WORDISH, 40), ("CLOUDFLARE_API_TOKEN", "CF_API_TOKEN"), is_formed=False),
    Kind("supabase key", _one(_of("sbp_", HEX, 40), _of("sb_secret_", WORDISH, 31)), ("SUPABASE_SERVICE_KEY",)),
    Kind("planetscale token", _of("pscale_" + "tkn_", WORDISH, 43), ("PLANETSCALE_SERVICE_TOKEN",)),
    Kind("neon key", _of("napi_", LOWER + DIGITS, 64), ("NEON_API_KEY",)),
    Kind("doppler token", _one(*(_of(f"dp.{x}.", ALNUM, 43) for x in ("pt", "ct"))), ("DOPPLER_TOKEN",)),
    Kind("vault token", _one(_of("hvs.", WORDISH, 95), _of("hvb.", WORDISH, 140)), ("VAULT_TOKEN",)),
    Kind(
        "terraform token", lambda c: f"{some(c, ALNUM, 14)}.atlasv1.{some(c, WORDISH, 67)}", ("TF_TOKEN", "TFE_TOKEN")
    ),
    Kind("pulumi token", _of("pul-", HEX, 40), ("PULUMI_ACCESS_TOKEN",)),
    Kind("age key", _of("AGE-SECRET" + "-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58), ("SOPS_AGE_KEY",)),
    Kind(
        "tailscale key",
        lambda c: f"tskey-auth-{some(c, ALNUM, 17)}-{some(c, ALNUM, 32)}",
        ("TAILSCALE_AUTHKEY", "TS_AUTH_KEY"),
    ),
    Kind(
        "docker token",
        _one(_of("dckr_pat_", WORDISH, 27), _of("dckr_oat_", WORDISH, 32)),
        ("DOCKER_TOKEN", "DOCKERHUB_TOKEN"),
    ),
    Kind("grafana token", lambda c: f"glsa_{some(c, ALNUM, 32)}_{some(c, HEX, 8)}", ("GRAFANA_TOKEN",)),
    Kind("new relic key", _of("NRAK-", UPPER + DIGITS, 27), ("NEW_RELIC_API_KEY",)),
    Kind("datadog key", _of("", HEX, 32, 40), ("DD_API_KEY", "DATADOG_APP_KEY"), is_formed=False),
    Kind("sentry token", _of("sntryu_", HEX, 64), ("SENTRY_AUTH_TOKEN",)),
    Kind("sonar token", _one(*(_of(f"sq{x}_", HEX, 40) for x in "pua")), ("SONAR_TOKEN",)),
    Kind("circleci token", lambda c: f"CCIPAT_{some(c, ALNUM, 22)}_{some(c, HEX, 40)}", ("CIRCLECI_TOKEN",)),
    Kind("buildkite token", _of("bkua_", HEX, 40), ("BUILDKITE_API_TOKEN",)),
    Kind("groq key", _of("gsk" + "_", ALNUM, 52), ("GROQ_API_KEY",)),
    Kind("xai key", _of("xai-", ALNUM, 80), ("XAI_API_KEY",)),
    Kind("perplexity key", _of("pplx-", ALNUM, 48), ("PERPLEXITY_API_KEY",)),
    Kind("replicate token", _of("r8_", ALNUM, 37), ("REPLICATE_API_TOKEN",)),
    Kind("langsmith key", lambda c: f"lsv2_pt_{some(c, HEX, 32)}_{some(c, HEX, 10)}", ("LANGSMITH_API_KEY",)),
    Kind("pinecone key", lambda c: f"pcsk_{some(c, ALNUM, 6)}_{some(c, ALNUM, 63)}", ("PINECONE_API_KEY",)),
    Kind("mistral key", _of("", ALNUM, 32), ("MISTRAL_API_KEY", "COHERE_API_KEY"), is_formed=False),
    Kind("elevenlabs key", _of("sk_", HEX, 48), ("ELEVENLABS_API_KEY",)),
    Kind("okta token", _of("00", WORDISH, 40), ("OKTA_API_TOKEN",), is_formed=False),
    Kind(
        "dynatrace token",
        lambda c: f"dt0c01.{some(c, UPPER + DIGITS, 24)}.{some(c, UPPER + DIGITS, 64)}",
        ("DT_API_TOKEN",),
    ),
    Kind("alibaba key", _of("LTAI", ALNUM, 20), ("ALIBABA_CLOUD_ACCESS_KEY_ID",)),
    Kind("artifactory key", _of("AKCp", ALNUM, 69), ("ARTIFACTORY_API_KEY",)),
    Kind("1password token", lambda c: "ops_eyJ" + some(c, ALNUM, 300), ("OP_SERVICE_ACCOUNT_TOKEN",)),
    Kind("openshift token", _of("sha256~", WORDISH, 43), ("OPENSHIFT_TOKEN",)),
    Kind("json web token", jwt, ("AUTH_TOKEN", "SUPABASE_SERVICE_ROLE_KEY", "ACCESS_TOKEN")),
    Kind("private key", pem, ("PRIVATE_KEY", "SSH_PRIVATE_KEY")),
    Kind(
        "password", password, ("DB_PASSWORD", "ADMIN_PASSWORD", "POSTGRES_PASSWORD", "SMTP_PASSWORD"), is_formed=False
    ),
    Kind(
        "secret of an app",
        _of("", WORDISH, 32, 43, 64),
        ("SECRET_KEY", "JWT_SECRET", "SESSION_SECRET", "NEXTAUTH_SECRET"),
        False,
    ),
    Kind("key in hex", _of("", HEX, 32, 40, 64), ("API_KEY", "ENCRYPTION_KEY", "CLIENT_SECRET", "ACCESS_TOKEN"), False),
)
