"""Secrets never reach the store, and what is no secret is left alone.

Every secret here is composed at run time from made-up parts, so that no scanner takes this file for a leak.
"""

import base64
import hashlib
import re
import time
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.redact import Finding, findings, redact

PLACEHOLDER = re.compile(r"\[redacted:([a-z0-9-]+):([0-9a-f]{8})\]")
MIX = "a1B2c3D4e5F6g7H8"
HEX = "0123456789abcdef"
PEM_BODY = "\n".join(["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" + "a1B2" * 8] * 3)


def pem(label: str, body: str = PEM_BODY) -> str:
    return "-----" + f"BEGIN {label}-----\n{body}\n-----" + f"END {label}-----"


# Kind, what stands before the secret, the secret, what stands after it.
SECRETS = [
    ("aws-access-key", "id ", "AKIA" + "ABCD1234EFGH5678", " ok"),
    ("aws-access-key", "id=", "ASIA" + "ABCD1234EFGH5678", ""),
    (
        "aws-secret-key",
        "aws_secret_access_key = ",
        "wJal" + "rXUtnFEMI/K7MDENG/bPxRfiCY" + "a1B2c3D4e5",
        "\n",
    ),
    (
        "aws-secret-key",
        "AWS_SECRET_ACCESS_KEY=",
        "wJal" + "rXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY",
        "\nA=b",
    ),
    ("aws-secret-key", '"SecretAccessKey": "', "a1B2" * 10, '"'),
    ("github-token", "use ", "ghp" + "_" + "a1B2" * 9, "."),
    ("github-token", "", "gho" + "_" + "a1B2" * 9, ""),
    ("github-token", "token=", "ghs" + "_" + "a1B2" * 9, "&x=1"),
    ("github-token", "(", "ghu" + "_" + "a1B2" * 9, ")"),
    ("github-token", "`", "ghr" + "_" + "a1B2" * 9, "`"),
    ("github-token", "literal\\n", "ghp" + "_" + "a1B2" * 9, "\\nnext"),
    (
        "github-token",
        "https://",
        "github" + "_pat_" + "a1B2" * 5 + "cd_" + "x9Y8" * 14 + "abc",
        "@github.com/o/r",
    ),
    ("gitlab-token", "PRIVATE-TOKEN: ", "glpat" + "-" + "a1B2" * 5, ""),
    ("gitlab-token", "", "glpat" + "-" + "aBcDe" * 4, ""),
    ("gitlab-token", "", "gldt" + "-" + "a1B2_" * 4, " "),
    ("gitlab-token", "", "glrt" + "-" + "a1-B2" * 4, ""),
    ("slack-token", "", "xoxb" + "-123456789012-123456789012-" + MIX + "i9J0k1L2", ""),
    ("slack-token", "", "xoxp" + "-123456789012-123456789012-" + HEX * 2, ","),
    ("slack-token", "", "xapp" + "-1-A012345BCDE-1234567890123-" + HEX * 4, ""),
    (
        "slack-webhook",
        "https://hooks.slack.com/services/",
        "T0" + "1ABCDEF/B0" + "1ABCDEF/" + MIX + "i9J0k1L2",
        "",
    ),
    ("discord-token", "bot ", "MTIzNDU2Nzg5MDEyMzQ1Njc4" + ".GaBcDe." + "a1B2c3" * 6, ""),
    ("discord-webhook", "https://discord.com/api/webhooks/", "123456789012345678/" + "a1B2" * 17, ""),
    ("stripe-key", "", "sk" + "_live_" + "a1B2" * 6, ""),
    ("stripe-key", "", "rk" + "_live_" + "a1B2" * 6, ""),
    ("stripe-key", "key: ", "sk" + "_test_" + "a1B2" * 6, ""),
    ("stripe-webhook-secret", "", "whsec" + "_" + "a1B2" * 8, ""),
    ("openai-key", "", "sk" + "-" + "a1B2" * 5 + "T3BlbkFJ" + "c3D4" * 5, ""),
    ("openai-key", "", "sk" + "-proj-" + "a1-B2_c3" * 9, ""),
    ("openai-key", "", "sk" + "-svcacct-" + "a1B2" * 12, ""),
    ("openrouter-key", "", "sk" + "-or-v1-" + HEX * 4, ""),
    ("anthropic-key", "OPENAI=no ", "sk" + "-ant-api03-" + "a1B2-c3_" * 11 + "AA", ""),
    ("google-api-key", "key=", "AI" + "za" + "SyA" + "a1B2" * 8, "&v=3"),
    ("google-oauth-token", "", "ya29" + ".a0" + "Ab_-1" * 20, ""),
    ("google-oauth-secret", "", "GOCSPX" + "-" + "a1B2" * 7, ""),
    ("azure-key", "AccountName=x;AccountKey=", "a1B2" * 21 + "aA==", ";EndpointSuffix=core.windows.net"),
    ("azure-key", "SharedAccessKeyName=Root;SharedAccessKey=", "a1B2" * 10 + "abc=", ""),
    ("signature", "https://x.blob.core.windows.net/c?sv=2022&sig=", "a1B2%2Bc3" * 6 + "%3D", "&se=1"),
    ("npm-token", "//registry.example.org/:_authToken=", "npm" + "_" + "a1B2" * 9, ""),
    ("pypi-token", "", "pypi" + "-AgEIcHlwaS5vcmc" + "a1B2_-" * 20, ""),
    ("huggingface-token", "", "hf" + "_" + "aBcD" * 8 + "xY", ""),
    ("sendgrid-key", "", "SG" + "." + "a1B2c3" * 3 + "abcd." + "a1B2c3" * 7 + "x", ""),
    ("twilio-key", "", "SK" + HEX * 2, ""),
    ("twilio-token", "TWILIO_AUTH_TOKEN=", HEX * 2, ""),
    ("mailgun-key", "", "key" + "-" + HEX * 2, ""),
    ("telegram-token", "", "123456789" + ":AA" + "a1B2_-3" * 4 + "abcde", ""),
    ("digitalocean-token", "", "dop" + "_v1_" + HEX * 4, ""),
    ("heroku-key", "HEROKU_API_KEY=", "01234567-89ab-" + "cdef-0123-456789abcdef", ""),
    ("databricks-token", "", "dapi" + HEX * 2, ""),
    ("shopify-token", "", "shpat" + "_" + HEX * 2, ""),
    ("square-token", "", "sq0" + "atp-" + "a1B2c3-_" * 2 + "a1B2c3", ""),
    ("linear-key", "", "lin" + "_api_" + "a1B2" * 10, ""),
    ("notion-token", "", "secret" + "_" + "a1B2" * 10 + "abc", ""),
    ("notion-token", "", "ntn" + "_" + "1234" + "a1B2" * 11, ""),
    ("figma-token", "", "figd" + "_" + "a1_B2-c3" * 5, ""),
    ("vercel-token", "VERCEL_TOKEN=", "a1B2" * 6, ""),
    ("supabase-token", "", "sbp" + "_" + HEX * 2 + "01234567", ""),
    ("doppler-token", "", "dp" + ".pt." + "a1B2" * 10 + "abc", ""),
    ("vault-token", "", "hvs" + "." + "CAES" + "a1B2_-" * 15, ""),
    ("token", "VAULT_TOKEN=", "s" + "." + "a1B2" * 6, ""),
    ("age-key", "", "AGE-SECRET" + "-KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L" * 2, ""),
    ("groq-key", "", "gsk" + "_" + "a1B2" * 13, ""),
    ("noctuary-key", "", "nk" + "_" + "ab2c3d4e5f" + "_" + "a2b3" * 13, ""),
    ("docker-token", "", "dckr" + "_pat_" + "a1_B2-c3" * 4, ""),
    ("jwt", "", "eyJ" + "hbGciOiJIUzI1NiJ9." + "eyJ" + "zdWIiOiIxMjM0In0." + "a1B2_-" * 7, ""),
    ("private-key", "key:\n", pem("RSA PRIVATE KEY"), "\nend"),
    ("private-key", "", pem("EC PRIVATE KEY"), ""),
    ("private-key", "", pem("PRIVATE KEY"), ""),
    ("private-key", "", pem("ENCRYPTED PRIVATE KEY"), ""),
    ("private-key", "", pem("OPENSSH PRIVATE KEY"), ""),
    ("private-key", "", pem("PGP PRIVATE KEY BLOCK", "Version: GnuPG v2\n\n" + PEM_BODY), ""),
    (
        "private-key",
        "",
        pem("RSA PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n" + PEM_BODY),
        "",
    ),
    ("private-key", '{"k": "', pem("PRIVATE KEY").replace("\n", "\\n"), '\\n"}'),
    ("private-key", "", pem("RSA PRIVATE KEY").partition("\n-----END")[0], "\n\n(cut here) more text"),
    ("private-key", "", pem("RSA PRIVATE KEY").partition("\n-----END")[0] + "\nabc1", ""),
    ("password", "postgres://ana:", "s3cr3t", "@db/shop"),
    ("password", "mysql://root:", "letmein", "@127.0.0.1:3306/x"),
    ("password", "mongodb+srv://u:", "p%40ss", "@cluster0.mongodb.net/?retryWrites=true"),
    ("password", "redis://:", "hunter2", "@cache:6379/0"),
    ("password", "amqp://guest:", "guest1", "@mq"),
    ("password", "curl https://ana:", "hunter2", "@example.com/path"),
    ("password", "ftp://ana:", "hunter2", "@host"),
    ("password", "Server=db;User Id=sa;Password=", "Str0ng!Pass", ";Encrypt=yes"),
    ("bearer-token", "Authorization: Bearer ", "a1B2c3D4" * 4, "\nAccept: */*"),
    ("bearer-token", "-H 'Authorization: Bearer ", "a1B2.c3_D4" * 4, "' https://x"),
    ("authorization", "authorization: bearer ", "a1B2c3D4" * 4, ""),
    ("authorization", "Authorization: Basic ", base64.b64encode(b"ana:hunter2").decode(), ""),
    ("authorization", '"Authorization": "Basic ', base64.b64encode(b"ana:hunter2!").decode(), '"'),
    ("cookie", "Cookie: ", "sessionid=" + "a1B2" * 8 + "; theme=dark", "\nHost: x"),
    ("cookie", "Set-Cookie: ", "sid=" + "a1B2" * 8 + "; HttpOnly", "\r\n"),
    ("password", "DB_PASSWORD=", "hunter2", "\nB=1"),
    ("password", "export DB_PASS=", "geheim", "\n"),
    ("password", 'export MYSQL_PWD="', "swordfish", '"'),
    ("secret", "CLIENT_SECRET=", "abcdefgh", ""),
    ("api-key", "STRIPE_API_KEY=", "abc&def=ghi", "\n"),
    ("password", "docker run -e POSTGRES_PASSWORD=", "postgres", " -p 5432:5432 postgres"),
    ("password", "password=", "hunter2secret", " rest"),
    ("password", "password: ", "hunter2secret", "  # comment"),
    ("password", "Passwort: ", "geheim123!", " bitte"),
    ("password", "contraseña: ", "secreto123", ", gracias"),
    ("password", 'connect(user="ana", password="', "Tr0ub4dor&3", '")'),
    ("password", 'password: str = "', "hunter2secret", '"'),
    ("password", '"password" => "', "hunter2secret", '",'),
    ("password", '{\\"password\\": \\"', "hunter2secret", '\\"}'),
    ("password", '{"dbPassword":"', "correcthorse", '"}'),
    ("password", "the password is ", "hunter2secret", " ok"),
    ("password", "the password is ", "hunter2-Prod!", ""),
    ("password", "The password is ", "hunter2-Prod", "."),
    ("password", "the password is ", "hunter2", ", and the user is ana"),
    ("password", "Password for staging is ", "hunter2-Prod", " and it works"),
    ("password", "the password of the admin user is: ", "Tr0ub4dor&3", "\nnext"),
    ("password", "password (staging): ", "hunter2-Prod!", " ok"),
    ("password", "the password was changed to `", "hunter2-Prod", "`."),
    ("password", "my password is ", "correct-horse-battery9", "."),
    ("password", "the password is “", "hunter2-Prod", "”"),
    ("password", "the password is ", "48291377", "."),
    ("password", "das Passwort ist ", "geheim123!", " bitte"),
    ("password", "the passphrase is ", "open-Sesame-42", ""),
    ("token", "the token is ", "a1B2c3D4e5F6", " for now"),
    ("token", "The API token for CI was ", "a1b2c3d4e5f6a7b8", "."),
    ("secret", "the client secret is '", "xK9mQ2vL8p", "'"),
    ("api-key", "the api key is ", "a1b2c3d4e5f6", "."),
    ("api-key", "API key: ", "abcDEF123456", " (prod)"),
    ("api-key", "api key = ", "a1b2c3d4e5f6", ""),
    ("api-key", "the secret key for the bucket is ", "9f8e7d6c5b4a", ""),
    ("github-token", "the token: ", "ghp" + "_" + "a1B2" * 9, " in a sentence"),
    ("github-token", "the token is ", "ghp" + "_" + "a1B2" * 9, "."),
    ("api-key", '"api_key": "', HEX * 2, '"'),
    ("api-key", "apiKey: '", "a1B2c3D4e5", "',"),
    ("api-key", "X-Api-Key: ", "a1B2c3D4e5", ""),
    ("api-key", "https://x.org/v1?api_key=", "a1b2c3d4e5", "&page=2"),
    ("token", "https://x.org/v1?a=1&token=", "a1b2c3d4e5", " next"),
    ("secret", 'client_secret = "', "a1b2c3d4-e5f6-" + "a7b8c9d0e1f2", '"'),
    ("token", "auth_token: ", "a1b2c3d4e5f6", "\n"),
    ("token", 'os.environ["AUTH_TOKEN"] = "', "a1B2c3D4e5", '"'),
    ("token", "access_token      = '", "a1B2c3D4e5", "'"),
    ("credential", 'credentials: "', "a1B2c3D4e5", '"'),
    ("password", "mysqldump --password ", "hunter2secret", " shop"),
    ("secret", "tool --api-key ", "a1b2c3d4e5", " run"),
    ("password", "mysql -u root -p", "hunter2", " shop"),
    ("password", "sshpass -p ", "hunter2", " ssh ana@host"),
    ("password", "curl -u ana:", "hunter2", " https://example.com"),
    ("password", "curl -s --user 'ana:", "hunter2", "' https://example.com"),
    ("bitbucket-password", "", "ATBB" + "a1B2" * 8, ""),
    ("atlassian-token", "key ", "ATATT3" + "xFfGF0" + "a1B2_-" * 25 + "=1234ABCD", " ok"),
    ("teams-webhook", "https://acme.webhook.office.com/webhookb2/", "01234567-89ab@" + HEX * 3 + "/x/y", " ok"),
    ("azure-client-secret", "(", "a1B8" + "Q~" + "c3_D4.e5~F6-" * 2 + "g7H8i9J", ")"),
    ("azure-devops-token", "", "a1B2" * 19 + "AZDO" + "c3D4", "\n"),
    ("sonar-token", "`", "sqp" + "_" + HEX * 2 + "01234567", "`"),
    ("sentry-token", "", "sntryu" + "_" + HEX * 4, ""),
    ("fly-token", "", "fm2" + "_" + "a1B2+c3/" * 12 + MIX + "==", ","),
    ("resend-key", "", "re" + "_" + "a1B2c3D4" + "_" + "a1B2" * 6, "."),
    ("replicate-token", "", "r8" + "_" + "a1B2" * 9 + "x", ""),
    ("terraform-token", "", "a1B2c3D4e5F6g7" + ".atlasv1." + "a1B2" * 16 + "abc", " "),
    ("airtable-token", "", "pat" + "a1B2c3D4e5F6g7." + HEX * 4, ""),
    ("token", 'refresh_token: "', "1//" + "0" + "a1_B2-" * 12, '"'),
    ("mailchimp-key", "key ", HEX * 2 + "-us12", "."),
    ("postman-key", "", "PMAK" + "-" + "0123456789abcdef01234567-" + HEX * 2 + "01", ""),
    ("tailscale-key", "", "tskey" + "-auth-" + "a1B2c3D4CNTRL-" + "a1B2" * 8, ""),
    ("openshift-token", "", "sha256" + "~" + "a1B2" * 10 + "abc", ""),
    ("private-key", "client-key-data: ", "LS0tLS1CRUdJTi" + "BSU0EgUFJJ" + "a1B2" * 30 + "==", "\n"),
    ("slack-token", "", "xoxe" + ".xoxp-1-" + "a1B2" * 20, ""),
    ("github-token", "\x1b[32m", "ghp" + "_" + "a1B2" * 9, "\x1b[0m"),
    ("github-token", "a\\u003d", "ghp" + "_" + "a1B2" * 9, "\\u0026b"),
    ("github-token", "next%3D", "ghp" + "_" + "a1B2" * 9, "%26x"),
    ("password", "machine x login ana password ", "hunter2secret", "\n"),
    ("password", "db:5432:shop:app:", "hunter2secret", "\n"),
    ("authorization", '{"auth": "', base64.b64encode(b"ana:hunter2!").decode(), '"}'),
    ("secret", "kind: Secret\ndata:\n  pin: ", base64.b64encode(b"hunter2!").decode(), "\n"),
    ("secret", "ENV API_TOKEN ", "a1B2c3D4e5", "\nRUN x"),
    ("secret", "set -x API_TOKEN ", "a1B2c3D4e5", "\n"),
    ("secret", "gh secret set API_TOKEN --body '", "a1B2c3D4e5", "'"),
    ("secret", "| `API_TOKEN` | `", "a1B2c3D4e5", "` |"),
    ("secret", "set API_TOKEN to ", "a1B2c3D4e5", " please"),
    ("secret", "- name: API_TOKEN\n  value: ", "a1B2c3D4e5", "\n- name: X"),
    ("secret", '{"name": "API_TOKEN", "value": "', "a1B2c3D4e5", '"}'),
    ("secret", 'variable "api_token" {\n  default = "', "a1B2c3D4e5", '"\n}'),
    ("token", 'os.getenv("API_TOKEN", "', "a1B2c3D4e5", '")'),
    ("token", "apiToken := `", "a1B2c3D4e5", "`"),
    ("token", "<apiToken>", "a1B2c3D4e5", "</apiToken>"),
    ("token", "{&quot;api_token&quot;:&quot;", "a1B2c3D4e5", "&quot;}"),
    ("token", '{\\\\\\"api_token\\\\\\": \\\\\\"', "a1B2c3D4e5", '\\\\\\"}'),
    ("password", "CREATE USER app WITH PASSWORD '", "hunter2", "';"),
    ("password", "docker login -u ana -p ", "hunter2secret", " registry.example.com"),
    ("password", "redis-cli -h cache -a ", "hunter2secret", " ping"),
    ("password", "echo ", "hunter2secret", " | docker login -u ana --password-stdin"),
    ("password", "pw: ", "hunter2secret", "\n"),
    ("password", "pass: ", "north-cedar-8916-onyx", "\n"),
    ("password", "use password ", "Tr0ub4dor&3", " to log in"),
    ("password", "password: ", "aB3&xY(9z", "  # why"),
    ("authorization", "Authorization: SSWS ", "a1B2c3D4" * 4, "\n"),
    ("otp-seed", "otpauth://totp/acme:ana?secret=", "JBSWY3DPEHPK3PXP", "&issuer=acme"),
    ("seed-phrase", "seed phrase: ", "amber basil cedar delta ember flint grove hazel iron jade kelp lunar", "\n"),
    ("seed-phrase", "MNEMONIC=", "amber basil cedar delta ember flint grove hazel iron jade kelp lunar", "\n"),
    ("private-key", "Private-Lines: 1", "\n" + "a1B2c3D4" * 8, "\nPrivate-MAC: 0"),
    ("firebase-key", "key=", "AAAA" + "a1B2c3D" + ":APA91b" + "a1B2c3D4" * 16, "\n"),
    ("private-key", '{"kty": "EC", "d": "', "a1B2c3D4" * 5, '", "x": "abc"}'),
    ("password-hash", "ana:", "$6$" + "a1B2c3D4" + "$" + "a1B2c3D4" * 10, ":19000:0"),
    ("password", "ldapsearch -x -D cn=admin -w ", "a1B2c3D4e5", " -b dc=acme"),
    ("password", "smbclient //nas/shop -U ana%", "a1B2c3D4e5", "\n"),
    ("password", "xfreerdp /v:host /u:ana /p:", "a1B2c3D4e5", " /f"),
    ("password", "net use z: ", "a1B2c3D4e5", " /user:ana"),
    ("password", "keytool -genkey -storepass ", "a1B2c3D4e5", " -keyalg RSA"),
    ("password", "ConvertTo-SecureString '", "a1B2c3D4e5", "' -AsPlainText -Force"),
    ("password", "Server=db;Uid=app;Pwd={", "a1B2c3D4e5", "};"),
    ("password", "bindpw ", "a1B2c3D4e5", "\n"),
    ("password", 'psk="', "a1B2c3D4e5", '"'),
    ("password", "la contraseña es ", "Tr0ub4dor&3", "\n"),
    ("password", "Le mot de passe est ", "Tr0ub4dor&3", "\n"),
    ("password", "пароль: ", "Tr0ub4dor&3", "\n"),
    ("password", "密码：", "Tr0ub4dor&3", "\n"),
    ("password", "**Password:** ", "Tr0ub4dor&3", "\n"),
    ("password", "* Password – ", "Tr0ub4dor&3", "\n"),
    ("password", "user,password,role\nana,", "a1B2c3D4e5", ",admin"),
    ("password", "| user | password |\n|---|---|\n| ana | ", "a1B2c3D4e5", " |"),
    ("cloudflare-key", "", "v1.0" + "-" + "a1b2c3d4" * 3 + "-" + "0a" * 73, ""),
    ("braintree-token", "use ", "access_token" + "$production$" + "a1b2c3d4" * 2 + "$" + HEX * 2, ""),
    ("grafana-token", "", "glc" + "_eyJ" + "a1B2" * 20 + "=", ""),
    ("plaid-token", "", "access" + "-production-" + "0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f", ""),
    ("gitlab-token", "register ", "GR13489" + "41" + "a1B2_" * 4, ""),
    ("api-key", "", "sdk" + "-0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f", ""),
    ("api-key", "", "sk" + "-lf-0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f", ""),
    ("api-key", "", "pat" + "-na1-0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f", ""),
    ("api-key", "", "fc" + "-" + HEX * 2, ""),
    ("api-key", "", "csk" + "-" + "a1b2" * 12, ""),
    ("api-key", "", "shippo" + "_live_" + "0a" * 20, ""),
    ("api-key", "", "packagist" + "_uut_" + "0a" * 34, ""),
    ("api-key", "", "hcaik" + "_" + "a1b2" * 14, ""),
    ("api-key", "", "aio" + "_" + "a1B2" * 7, ""),
    ("api-key", "", "FLWSECK" + "-" + HEX * 2 + "-X", ""),
    ("amazon-mws-token", "", "amzn" + ".mws.0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f", ""),
    ("mapbox-token", "", "sk" + ".eyJ1Ijoi" + "a1B2" * 12 + "." + "c3D4_-" * 4, ""),
    ("twitter-token", "", "A" * 22 + "LheB2cD4" + "%2B" + "a1B2c3D4" * 6, ""),
    ("aws-session-token", "", "IQoJb3JpZ2lu" + "X2Vj" + "a1B2" * 40, ""),
    ("aws-bedrock-key", "", "ABSK" + "QmVkcm9ja0FQSUtleS" + "a1B2" * 26, ""),
    ("token", "https://", "0a1b2c3d" * 4, "@o1234.ingest.example.io/42"),
]


@pytest.mark.parametrize(("kind", "before", "secret", "after"), SECRETS)
def test_a_secret_is_replaced_and_nothing_else(kind: str, before: str, secret: str, after: str) -> None:
    """Only the secret goes; the text around it stays, letter for letter."""
    redacted = redact(before + secret + after)

    digest = hashlib.blake2b(secret.encode(), digest_size=4).hexdigest()
    assert redacted == f"{before}[redacted:{kind}:{digest}]{after}"


@pytest.mark.parametrize(("kind", "before", "secret", "after"), SECRETS)
def test_redacting_again_changes_nothing(kind: str, before: str, secret: str, after: str) -> None:
    """A redacted text is stable, also among other text."""
    once = redact(f'He said: "{before}{secret}{after}" and\n{before}{secret}{after}\n')

    assert redact(once) is once


@pytest.mark.parametrize("sign", ["+", "-", ">", "|", " "])
@pytest.mark.parametrize("last", [None, -1])
def test_a_private_key_goes_out_of_a_change(sign: str, last: int | None) -> None:
    """Lines that were added or taken away are the key as well, also where its end is cut off."""
    lines = pem("RSA PRIVATE KEY").split("\n")[:last]

    left = redact("@@ -0,0 +1 @@\n" + "\n".join(sign + line for line in lines) + "\n")

    assert not any(line in left for line in lines)


def test_there_are_at_least_thirty_kinds() -> None:
    """The table covers what people really leak."""
    assert len({kind for kind, *_ in SECRETS}) >= 30


CLEAN = [
    "",
    "The quick brown fox jumps over the lazy dog.",
    "La contraseña debe tener al menos ocho caracteres; el token: es obligatorio.",
    "Das Passwort: mindestens zwölf Zeichen, bitte. Der Schlüssel liegt unter der Matte.",
    "the token: it is refreshed every hour, and the secret: never tell",
    "The password is required. Your password is wrong-ish, the password is case-sensitive.",
    "the password is stored hashed, and the token is refreshed every hour",
    "The password is bcrypt-hashed. The password is SHA-256 hashed. The password is PBKDF2-HMAC-SHA256.",
    "The password is base64, the token is base64url-encoded, the token is RS256-signed, or HS256/RS256.",
    "the token is a JWT; the token is 64-char hex; the token is 32 bytes; the token is valid for 24h",
    "the secret is AES-256-GCM encrypted, k8s-managed, called db-password-v2 and rotated every 90days",
    "the api key is read from OPENAI_API_KEY; the API key is named key-2; the API key is $API_KEY2",
    "the password is validated in auth2.py, the password is `process.env.DB_PASS1`, the password is md5(salt+pw)",
    "the token is stored in localStorage2, in ~/.config/app2/token; the token is user2@example.org",
    "the password is at least 8 characters, the password for v2 is required, the password is wrong!",
    "API key: see docs/keys2.md. api key = required. Our secret is OAuth2. The token is ES2015-compatible.",
    "the password is server1-side generated; the token is x86_64-only; the password for users2 is optional",
    "data:image/png;base64," + base64.b64encode(bytes(range(256)) * 4).decode(),
    "commit " + hashlib.sha1(b"x").hexdigest(),
    "sha256:" + hashlib.sha256(b"x").hexdigest(),
    "md5 " + hashlib.md5(b"x").hexdigest() + "  file.txt",
    "id 123e4567-e89b-12d3-a456-426614174000",
    '"integrity": "sha512-' + base64.b64encode(hashlib.sha512(b"x").digest()).decode() + '"',
    "index 83db48f..bf2a3c1 100644",
    '!function(e,t){var n=e.token,r=t.secret;n.key=r?"a":"b",o={password:t,token:n}}(this,i);',
    "//# sourceMappingURL=data:application/json;base64," + base64.b64encode(b'{"version":3}' * 9).decode(),
    '"mappings": "AAAA,SAASA,IAAIC,EAAGC,EAAG,CAAE,MAAOD,GAAIC,CAAG;AACnC"',
    "token = get_token()",
    "token = await client.tokens2.create(user_id=12345678)",
    "password: str",
    "def login(user: str, password: str, token: Optional[str] = None) -> None: ...",
    "token: string; secret?: Base64String",
    'secret_name = "db"',
    'secret_name = "prod/db-credentials-v2"',
    "tokens: 1234",
    "max_tokens: 4096, max_tokens=100000",
    '"token_count": 512, "total_tokens": 123456789',
    '{"input_tokens": 12345678, "cache_key": "abcdef123456"}',
    '<input type="hidden" name="csrf_token">',
    '<button class="sk-button-primary-large-rounded sk-circle-fade-dot-animation-delay">',
    '<input type="password" id="password-field-1" placeholder="Password">',
    "password=${DB_PASSWORD}",
    "DB_PASSWORD=$DB_PASSWORD",
    "API_KEY=<your-key>",
    "API_KEY=your_api_key_here",
    "API_KEY=changeme",
    "API_KEY=xxxxxxxxxxxx",
    "API_KEY=************",
    "TOKEN=$(gh auth token)",
    'TOKEN="${{ secrets.GITHUB_TOKEN }}"',
    "SECRET_KEY = os.environ['SECRET_KEY']",
    'const apiKey = process.env.API_KEY_V2 ?? "";',
    "api_key=os.environ.get('OPENAI_API_KEY_2')",
    "password: null, token: undefined, secret: None",
    "API_KEY=None",
    "PWD=/home/ana/project2",
    "TOKEN_FILE=/run/secrets/token1",
    "password = self.password_input2.text",
    "secret = sha256sum2",
    "token: Token2Config",
    "def load(private_key: ed25519.Ed25519PrivateKey) -> None: ...",
    'nextPageToken: "CAUQAA12345678"',
    'publicKey: "a1B2c3D4e5F6"',
    '"password": "Enter your password"',
    '"password": "passwordField2"',
    '"token": "access_token"',
    'token="some-identifier-v2"',
    "postgres://user:${PASSWORD}@db/shop",
    "postgres://user:<password>@db/shop",
    "https://example.com:8080/@scope/package",
    "git+ssh://git@github.com:org/repo.git",
    "docker://alpine:3.19@sha256:" + hashlib.sha256(b"x").hexdigest(),
    "mkdir -p src/lib && docker run -p 8080:80 nginx",
    "git push -u origin main:main",
    "the --token flag, --password option and --api-key YOUR_KEY",
    "gh auth login --with-token < file; --token-count 12345678",
    "Authorization: Bearer ${token}",
    'headers["Authorization"] = f"Bearer {token}"',
    "Bearer authentication is described in the specification",
    'if "-----BEGIN PRIVATE KEY-----" in text and "-----END PRIVATE KEY-----" in text:',
    "-----BEGIN CERTIFICATE-----\n" + PEM_BODY + "\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\n" + PEM_BODY + "\n-----END PUBLIC KEY-----",
    "from noctuary.redact import redact_everything_in_the_text",
    "npm_config_cache=/home/ana/.npm npm_lifecycle_event=test",
    "test_a_very_long_function_name_that_says_what_it_does",
    "self.assertEqualsWithSomeVeryLongSuffixHere(foo.someVeryLongPropertyNameHere)",
    "eyJust a word, and eyJ alone",
    "see <privateKey> and </private>",
    "certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t" + "a1B2" * 30,
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "a1B2c3D4e5F" * 4 + " ana@laptop",
    "256 SHA256:" + base64.b64encode(hashlib.sha256(b"x").digest()).decode() + " ana@laptop (ED25519)",
    "kind: ConfigMap\ndata:\n  name: " + base64.b64encode(b"hunter2!").decode(),
    "ENV NODE_VERSION 20.11.1\nENV PATH_KEY /usr/lib/key1\nARG API_TOKEN",
    '["password", "username1"], ["token", "user_2"]',
    "<passwordField>required1</passwordField> <secret></secret>",
    "| `API_TOKEN` | required since v2.0.1 |",
    "localhost:8080:web:app1, 10.0.0.1:5432: open",
    "git log --author ana -p src/lib/util2.py",
    "foo<private/>bar",
    "name,password,required\nlogin,text,yes\n",
    "4. Hash, used for secure storage of a password\n5. Status: whether they pay, used for access 2 content\n",
    "the recovery phrase: write it down where nobody else can read it and never photograph it at all",
    "f'Pwd={password};' and Pwd={pwd_1}",
    "Пароль должен иметь 12 символов; 密码长度8位以上",
    "la contraseña es obligatoria y tiene 8 letras",
    "version 1.2.3-beta.4, react@18.2.0, resolved https://registry.example.org/x/-/x-1.0.0.tgz#" + HEX,
]


@pytest.mark.parametrize("text", CLEAN)
def test_what_is_no_secret_stays(text: str) -> None:
    """No false hits: the very same object comes back."""
    assert redact(text) is text
    assert findings(text) == []


def test_the_same_secret_has_the_same_placeholder() -> None:
    """Two places that hold one secret can be seen to; two secrets differ."""
    one, two = "ghp" + "_" + "a1B2" * 9, "ghp" + "_" + "c3D4" * 9

    first, again, other = PLACEHOLDER.findall(redact(f"{one} token={one} {two}"))

    assert first == again
    assert first != other


def test_findings_say_kind_and_place() -> None:
    """A finding points at the secret alone."""
    assert findings("password=hunter2secret") == [Finding(kind="password", start=9, end=22)]


def test_overlapping_secrets_are_joined() -> None:
    """What two rules see is replaced whole, and named by the more specific."""
    key = "AKIA" + "ABCD1234EFGH5678"

    assert [each.kind for each in findings(f'secret = "{key}/and-m0re"')] == ["aws-access-key"]
    assert "m0re" not in redact(f'secret = "{key}/and-m0re"')


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("a <private>b</private> c", "a [private] c"),
        ("a <PRIVATE>b</Private> c", "a [private] c"),
        ('a <private reason="x">b\nc</private> d', "a [private] d"),
        ("a <private>b", "a [private]"),
        ("a <private>b <private>c</private> d</private> e", "a [private] e"),
        ("<private>1</private> and <private>2</private>", "[private] and [private]"),
        ("<private>password=hunter2secret</private>", "[private]"),
        ("<private>[private] x</private>", "[private]"),
        ("a <private <private>b</private>>c</private> d", "a [private] d"),
    ],
)
def test_private_blocks_are_never_stored(text: str, redacted: str) -> None:
    """A private block goes whole; one that is not closed takes the rest with it."""
    assert redact(text) == redacted


PIECES = [before + secret + after for _, before, secret, after in SECRETS] + [
    *CLEAN,
    *(
        "password=",
        "token: ",
        '"',
        "'",
        "\\n",
        " ",
        "\n",
        "<private>",
        "</private>",
        "[private]",
        "[redacted:",
    ),
    *(
        "[redacted:jwt:0123abcd]",
        "]",
        "=",
        ":",
        "://a:",
        "@",
        "-----BEGIN RSA PRIVATE KEY-----",
        "Bearer ",
        "--token ",
    ),
]


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=8).map("".join))
def test_any_mixture_is_stable(text: str) -> None:
    """However secrets, placeholders and noise are put together, one redaction is enough."""
    once = redact(text)

    assert redact(once) is once


@given(st.text())
def test_any_text_is_accepted(text: str) -> None:
    """Nothing makes it raise, not even lone surrogates."""
    assert redact(text + "\ud800 password=hunter2\ud800secret").startswith(text[:0])


@given(st.binary(min_size=12, max_size=400), st.uuids())
def test_random_blobs_are_no_secrets(blob: bytes, identity: uuid.UUID) -> None:
    """Hex, base64 and UUIDs without a key in front stay."""
    for text in (blob.hex(), base64.b64encode(blob).decode(), str(identity)):
        assert redact(text) is text
        assert redact(f"see {text}, or\n{text}\n").count(text) == 2


OPENS_GATES = "".join(f"{before}{secret}{after}\n" for _, before, secret, after in SECRETS)


RANDOM = base64.b64encode(hashlib.sha512(b"made up").digest()).decode().replace("+", "k").replace("/", "7")
WRAPPED = [
    ("github-token", "ghp" + "_" + RANDOM[:36]),
    ("anthropic-key", "sk" + "-ant-api03-" + RANDOM[:86] + "x4Q9AA"),
    ("jwt", "eyJ" + "hbGciOiJIUzI1NiJ9." + "eyJ" + "zdWIiOiIxMjM0In0." + RANDOM[:43]),
    ("google-api-key", "AI" + "za" + "SyA" + RANDOM[:32]),
]


@pytest.mark.parametrize("glue", ["\n", "\n    ", "\n> ", "\\\n", "\r\n", "\n+"])
@pytest.mark.parametrize(("kind", "secret"), WRAPPED)
@given(data=st.data())
def test_a_token_that_lines_break_goes_whole(kind: str, secret: str, glue: str, data: st.DataObject) -> None:
    """Wherever its line ends, and whatever stands before its rest; the lines around it stay."""
    at = data.draw(st.integers(12, len(secret) - 12))
    text = f"first line\nuse {secret[:at]}{glue}{secret[at:]}\nThat is all.\n"

    assert PLACEHOLDER.sub("…", redact(text)) == "first line\nuse …\nThat is all.\n"


@pytest.mark.parametrize("following", ["PORT=8080", "That works now.", "README", "- next", "3\tmore", "", "done2\n"])
def test_the_line_behind_a_token_stays(following: str) -> None:
    """A token that ends with its line takes nothing of the next."""
    secret = "ghp" + "_" + "a1B2" * 9

    assert PLACEHOLDER.sub("…", redact(f"GITHUB_TOKEN={secret}\n{following}")) == f"GITHUB_TOKEN=…\n{following}"


@given(
    secrets=st.lists(st.sampled_from(SECRETS), min_size=2, max_size=6),
    words=st.lists(
        st.sampled_from(["alpha", "beta", "gamma", "delta", "the", "of", "to", "run", "file", "open"]),
        min_size=3,
        max_size=12,
    ),
)
def test_neighbours_of_secrets_stay(secrets: list[tuple[str, str, str, str]], words: list[str]) -> None:
    """Whatever stands between secrets is there afterwards, in order, and nothing of them is."""
    sentence = f"\n\n{' '.join(words)}\n\n"
    redacted = redact(sentence.join(before + secret + after for _, before, secret, after in secrets))

    assert redacted.count(sentence) >= len(secrets) - 1
    assert not any(secret in redacted for _, _, secret, _ in secrets if len(secret) > 15)


@given(st.lists(st.sampled_from(SECRETS), min_size=1, max_size=4), st.integers(0, 4_000))
def test_where_a_text_is_cut_changes_nothing_before(secrets: list[tuple[str, str, str, str]], size: int) -> None:
    """A secret that is whole before the end of a text goes, wherever the text ends: messages are cut to be stored."""
    whole = "\n\n".join(before + secret + after for _, before, secret, after in secrets)
    part = whole[:size] + "\n\n"

    redacted = redact(part)

    complete = [secret for _, before, secret, after in secrets if before + secret + after + "\n\n" in part]
    assert not any(secret in redacted for secret in complete if len(secret) > 15)


UNITS = r"""
a|-|_|=|:|.|"|'|<private |<private>|<private <private>|-----BEGIN |-----BEGIN RSA PRIVATE KEY-----|eyJ|eyJ.
password=|TOKEN=|TOKEN=a.b(|password="|password='a"|password: a1|eyJabcdefghij|eyJabcdefghij.|://|://a:|://a:b|xoxb-a1-
sk-|Bearer a1|curl -u |mysql |--token |--|A1.|SG.|ghp_|Cookie: a=b|\n|1:AA|MTIzNDU2Nzg5MDEyMzQ1Njc4.
ENV A_KEY |- name: A_KEY\n  value: |<token>|, "|redentials: a / |:5432:a:b:|kind: Secret\n|ghp_\n|~|8Q~|sk_0
a1B2c3D4e5F6\n|[redacted:|[private]
user,password,role\n|password,a1b2c3\n|otpauth://|seed phrase: a |Private-Lines: 1\n|$6$a$|net use a |пароль |"kty"
password is |password is a1-|password for a |token is a1|the token for |api key = |a1.,;
"""


@pytest.mark.slow
@pytest.mark.parametrize("unit", [unit for line in UNITS.strip().split("\n") for unit in line.split("|")])
def test_no_text_makes_it_slow(unit: str) -> None:
    """Anything is done in linear time, which is a second here; a quadratic rule would take minutes."""
    text = unit * (250_000 // len(unit))
    began = time.process_time()

    # The head opens every gate, so that the rules behind them see the rest.
    once = redact(OPENS_GATES + text)
    assert redact(once) is once
    assert time.process_time() - began < 20


@pytest.mark.parametrize("digit", [chr(code) for code in range(0x110000) if chr(code).isdigit() and code > 127][::25])
def test_a_digit_of_any_script_makes_a_password(digit: str) -> None:
    """After a colon an unquoted value is a secret if it mixes letters and digits, whosever digits they are."""
    assert redact(f"password: geheim{digit}wort").startswith("password: [redacted:password:")


@pytest.mark.parametrize(
    ("before", "secret", "after"),
    [
        ("ADMIN_PASSWORD=", "Xk29fjQ8zPw", "\nNEXT=1"),
        ('{"adminPassword": "', "Xk29fjQ8zPw!", '"}'),
        ("GOOGLE_ADS_DEVELOPER_TOKEN=", "Ab3dEf6hIj9kLm2n", ""),
        ("SYNC_TOKEN=", "Ab3dEf6hIj9kLm2n", ""),
        ("CACHE_PASSWORD=", "Xk29fjQ8zPw", ""),
        ('DB_PASSWORD="', "correct horse battery staple", '"'),
        ("SMTP_PASSWORD='", "abcd efgh ijkl mnop", "'\nPORT=25"),
        ("postgres://u:", "Sup3r@Secret99", "@host/db"),
        ("postgres://u:", "p@ssw0rd", "@host/db"),
        ("api_key: ", "XkqRfjQ8zPwLmNaBvCxZhTyUeWoGdSiK", ""),
        ("aws_secret_access_key = ", "wJalrXUtnFEMIbK7MDENGcbPxRfiCYzQhTgLmWsv", ""),
    ],
)
def test_names_that_end_like_harmless_words(before: str, secret: str, after: str) -> None:
    """Admin is no minimum; a setting in capitals means what it says, spaces and all; a password may hold an @."""
    redacted = redact(before + secret + after)

    assert re.fullmatch(re.escape(before) + r"\[redacted:[a-z-]+:[0-9a-f]{8}\]" + re.escape(after), redacted)


TALK = """stored hashed refreshed every hour required wrong optional rotated daily never sent in the clear read from a
file called here there missing too short expired revoked SHA-256 RS256 base64 utf-8 OAuth2 v2 k8s JWT 64-bit bcrypt"""
WORDS = st.sampled_from(TALK.split())


@given(
    subject=st.sampled_from(["password", "token", "secret", "api key", "API key", "passphrase", "access token"]),
    whose=st.sampled_from(["", " for staging", " of the admin user", " (dev)"]),
    words=st.lists(WORDS, min_size=1, max_size=6),
)
def test_what_sentences_say_about_secrets_stays(subject: str, whose: str, words: list[str]) -> None:
    """However they are put together, words and terms are no secret."""
    text = f"Note that the {subject}{whose} is {' '.join(words)}."

    assert redact(text) is text


@given(
    subject=st.sampled_from(["password", "token", "secret", "api key", "API key", "passphrase", "access token"]),
    whose=st.sampled_from(["", " for staging", " of the admin user", " (dev)"]),
    secret=st.lists(st.tuples(st.sampled_from("bdfghkmnqrtwz"), st.integers(2, 9)), min_size=4, max_size=20),
    end=st.sampled_from(["", ".", ", please", "; and", " for now", "\n"]),
)
def test_a_secret_that_a_sentence_tells_goes(subject: str, whose: str, secret: list[tuple[str, int]], end: str) -> None:
    """Wherever the sentence goes on, and only the secret."""
    told = "".join(f"{letter}{digit}" for letter, digit in secret)

    redacted = redact(f"Note that the {subject}{whose} is {told}{end}")

    assert PLACEHOLDER.sub("…", redacted) == f"Note that the {subject}{whose} is …{end}"
