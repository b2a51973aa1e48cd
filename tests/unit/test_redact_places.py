"""Secrets that only the place where they stand gives away go, and what stands there else is left alone.

Every secret here is composed at run time from made-up parts, so that no scanner takes this file for a leak.
"""

import time

import pytest

from noctuary.redact import redact

WORD = "Kq7v" + "T2mR9wK4"
PHRASE = "quartz-" + "maple-5929-river"
HEX = "0123456789abcdef" * 2
LONG = "a1B2" * 10

PLACES = [
    ("sqlplus scott/", WORD, "@//db:1521/XE"),
    ("rabbitmqctl add_user ana ", WORD, ""),
    ("requirepass ", WORD, "\nport 1"),
    ("masterauth ", WORD, ""),
    ("aws configure set aws_secret_access_key ", LONG, ""),
    ("cargo login ", "cio" + "a1B2" * 8, ""),
    ("ansible-vault encrypt_string '", PHRASE, "' --name x"),
    ("echo 'ana:", WORD, "' | chpasswd"),
    ("net user ana ", WORD, " /add"),
    ("cryptsetup luksOpen /dev/sdb1 x <<< '", PHRASE, "'"),
    ("vault operator unseal ", "a1B2" * 11, ""),
    ("Unseal Key 1: ", "a1B2" * 11, ""),
    ("<key>APIKey</key>\n<string>", LONG, "</string>"),
    ("[smtp.example.com]:587 ana:", WORD, ""),
    ("X-Vault-Token: ", "s." + "o6DQrkaszGMQ2XQXHD43x1AU", ""),
    ('PSK = "', WORD, '"'),
    ("use admin / ", WORD, " for the staging login"),
    ("log in with ana@example.com and ", WORD, ""),
    ("creds are ana:", WORD, ""),
    ("the root pw on that box is ", WORD, ""),
    ("Recovery codes:\n", "c53d1-7892a\n8d0f2-d8d25", "\nKeep them."),
    ("$ cat /run/secrets/db_password\n", PHRASE, "\n$ "),
    ('{"content": "$ cat /run/secrets/db_password\\n', PHRASE, '"}\nPORT=8080'),
    ("$ kubectl get secret db -o json | base64 -d\n", WORD, ""),
    ("$ echo $GITHUB_TOKEN\n", LONG, "\n"),
    ('requests.get(url, auth=("ana", "', PHRASE, '"))'),
    ("server.login('ana@example.com', '", WORD, "')"),
    ('getConnection(url, "app", "', WORD, '")'),
    ("new PDO($dsn, 'app', '", WORD, "');"),
    ("jwt.sign(payload, '", LONG, "')"),
    ("hmac.new(b'", LONG, "', body)"),
    ("user.set_password('", PHRASE, "')"),
    ("create_user('ana', 'ana@example.com', '", PHRASE, "')"),
    ("define( 'DB_PASSWORD', '", "iron" + "River210", "' );"),
    ('Client("AC' + "0" * 32 + '", "', HEX, '")'),
    ('new NetworkCredential("ana", "', WORD, '")'),
    ('new NetworkCredential("ana", "', "Kq7vT" + "2mR9w", "…"),
    ('.basic_auth("ana", Some("', WORD, '"))'),
    ('Credentials("Nexus", "repo.example.org", "ci", "', WORD, '")'),
    ("algoliasearch('APPID', '", HEX, "')"),
    ("htpasswd -nbB ana ", WORD, ""),
    ("htpasswd -cb /etc/nginx/.htpasswd ana ", WORD, ""),
    ('expect "password:"\nsend "', WORD, '\\r"'),
    ('proxy_set_header Authorization "Basic ', "YW5hOk" + "txN3ZUMm1SOXdLNA==", '";'),
    ("temporary password is generated for root@localhost: ", PHRASE, ""),
    ("Key         Value\n---         -----\npassword    ", WORD, "\nusername    app"),
    ("$ terraform output -raw db_password\n", PHRASE, "\n$ "),
    ("$ aws secretsmanager get-secret-value --secret-id x --output text\n", PHRASE, ""),
    ("パスワードは「", WORD, "」です"),
    ("set the PAT to ", LONG, " until friday"),
    ("CYPRESS_RECORD_KEY: ", "dc6486c4-79e8-4c94-" + "efce-4bea7169ef7d", ""),
    ("smtp_auth_password: '", "J@d" + "3310", "'"),
    ("const key = process.env.JWT_SECRET || '", LONG, "';"),
    ("const key = env.DB_PASSWORD ?? '", PHRASE, "';"),
    ('buildConfigField("String", "API_TOKEN", "\\"', LONG, '\\"")'),
    ('const string ApiToken = @"', LONG, '";'),
    ('const char wifiPassword[] = "', WORD, '";'),
    ('api_key: str = Field(default="', HEX, '", alias="x")'),
    ('secret_key: Some("', HEX, '"), pool: 5'),
    ("CODECOV_TOKEN ?= ", LONG, "\nall:"),
    ("AZURE_DEVOPS_EXT_PAT=", "a2b3c4d5" * 6 + "e6f7", " az login"),
    ("CLOUDFLARE_ORIGIN_CA_KEY=", HEX, ""),
    ("java -Dtogether.api.key=", HEX, " -jar app.jar"),
    ('props.put("scw.secret.key", "', HEX, '");'),
    ("client_id=web&client_secret=", "ozqg18JIK" + "_dHNim", "&scope=all"),
    ('[{"value": "', HEX, '", "name": "APP_TOKEN"}]'),
    ("name,value\nMWS_TOKEN,", HEX, "\n"),
    ('setx NPM_TOKEN "', LONG, '" /M'),
    ('#define WG_PRIVATE_KEY "', LONG, '"'),
    ("lftp -u ana,", WORD, " sftp://files.example.com"),
    ("echo -n ", LONG, " | gcloud secrets create x --data-file=-"),
    ("jdbc:postgresql://db/app?user=app&password=", "maple-ocean-" + "violet-hammer", "&ssl=true"),
    ("acme login --user ana --password ", "maple-ocean-" + "violet-hammer", " --region eu"),
    ("host: db7a.x9\nana@db's password: ", "ymJOG#" + "oOAWqn*KKd", "\nWelcome"),
    ("Redis password:\n", "zp0zO^" + "NsOpzE!gHp", "\n\nthanks"),
    ('MNEMONIC = "', "jade maple ember kelp pearl delta basil maple lunar north delta grove", '"'),
    # in the tables and keys that were there before
    ("gpg --batch --passphrase ", PHRASE, " -d a.gpg"),
    ("zip -P ", WORD, " -r a.zip data/"),
    ("sqlcmd -S db -U sa -P '", WORD, "' -Q x"),
    ("az keyvault secret set --name db --value '", PHRASE, "'"),
    ("curl -b 'JSESSIONID=", HEX, "' https://app.example.com/"),
    ("https://api.telegram.org/bot", "123456789" + ":AA" + "a1B2_-3" * 4 + "abcde", "/getMe"),
    ("ana:", "$apr1$" + "a1B2c3D4$" + "a1B2" * 5 + "xy", ""),
    ("hash: ", "$argon2id$v=19$m=65536,t=3,p=4$" + "a1B2" * 5 + "$" + "c3D4" * 10, ""),
    ("COOKIE_PASSWORD=", LONG, ""),
    ("EMAIL_HOST_PASSWORD = '", "uigv " + "cmop dqnw ayev", "'"),
    ("PresharedKey = ", "a1B2" * 10 + "abc=", ""),
    ("het wachtwoord is ", WORD, ""),
    ("le mot de passe, c'est ", WORD, ""),
    ("Login: ana Pass: ", WORD, ""),
    ("passcode ", "7328" + "1456", ""),
    ("API key (prod) -> ", LONG, ""),
    ("I rotated the key, it's now ", LONG, ""),
]


@pytest.mark.parametrize(("before", "secret", "after"), PLACES)
def test_what_stands_in_the_place_of_a_secret_goes(before: str, secret: str, after: str) -> None:
    """Nothing of it is left, what is around it stays, and to redact again changes nothing."""
    once = redact(f"{before}{secret}{after}")

    assert secret not in once
    assert once.startswith(before)
    assert once.endswith(after)
    assert redact(once) == once


@pytest.mark.parametrize(
    "text",
    [
        "docker run -u node -p 8080:80/tcp app:1.2",
        "curl -b theme=dark https://example.com/a1b2c3",
        "openssl enc -k keyfile -in a2 -out b2",
        'client.login("ana", "dashboard")',
        "jwt.encode(claims2, 'HS256')",
        "define('AUTH_KEY', 'put your unique phrase here'); // x1",
        "define('DB_NAME', 'shop2024db')",
        "requirepass is set in redis7.conf",
        "use Python3.11 / Python3.12 for the tests",
        "log in as admin and open http://localhost:8080/login2",
        "creds are in AWS:us-east-1a",
        "Recovery code length: 10-16 characters of base32",
        "the API key -> see docs2.md",
        "the key, it's now lower-case in v2",
        "$ cat secrets/README.md\nThis folder2 has all keys",
        "$ openssl rand -hex 4\nError2: unknown",
        "$ printenv PATH\n/usr/local/bin2",
        "PSK = os.environ['PSK2']",
        "vault operator unseal -migrate x1",
        'jq .token <<< "$json2"',
        "sqlplus / as sysdba # 19c",
        "[2001:db8::1]:443 host:backend22",
        "COOKIE_PASSWORD=${COOKIE_PASSWORD2}",
        "R5pacUPa2mdppdp9o9ZQ0WKbx7Kq7vT2mR9wK4Lx8Zc3Q1\nLx8Zc3Q1mdpLSTlkWfdqg3SjUyE99nahiw\n",
        "DB_PASSWORD=(sensitive value)",
        "correlation key 5bKq7vT2mR9wK4Lx8Zc3Q1 was not found in kafka",
        "    token: ENC[AES256_GCM,data:5bKq7vT2mR9wK4Lx8Zc3,iv:x1]",
        "htpasswd -c .htpasswd2 ana",
        "password    must be set in v2",
        'proxy_set_header Authorization "Bearer $token2";',
        "$ terraform output -raw bucket\nshop-assets2",
        'expect "password:"\nsend "$env(PW2)\\r"',
    ],
)
def test_what_is_no_secret_stays_in_such_places(text: str) -> None:
    """Names, terms, references and fillers are left alone."""
    assert redact(text) is text


@pytest.mark.parametrize(
    "above",
    ['{\\"password\\":\\"' + PHRASE + '\\",\\"user\\":\\"ana\\"}', '{"content": "$ pass show db\\n' + PHRASE + '"}'],
)
def test_what_is_below_a_secret_within_json_stays(above: str) -> None:
    """The end of a line that is written in JSON ends the line; what stands below all of it is no part of it."""
    left = redact(f"     1\t     1\t{above}\n     2\tPORT=8080\n")

    assert PHRASE not in left
    assert left.endswith("\n     2\tPORT=8080\n")


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "$ cat x1.key\n",
            "secrets/a1 ",
            "<<< a1b2c3 secret ",
            "covery codes: a1b2-c3d4 ",
            "auth=('a1', ",
            "(\"a1', ",
        ),
        *(
            "creds are a1:",
            "ssword:\nsend a1",
            "ssword  a1",
            "htpasswd -b a1 ",
            "sword is generated for a1: ",
            "redentials('a1', ",
            "log in with a1 and ",
            "use a1 / ",
            "pw of a1 ",
            "]:12 a1:",
            "encrypt_string --a1 ",
            "c",
            "a1-",
        ),
        *("create_user('a1', ", "configure set a1.key ", " -u a1 -p ", "secret --value a1 ", "PDO('a1', ", "0123abcd-"),
    ],
)
def test_no_text_makes_it_slow(unit: str) -> None:
    """The time is linear in the text: ten times as much takes not much more than ten times as long."""
    redact(unit)

    began = time.process_time()
    redact(unit * (200_000 // len(unit)))
    assert time.process_time() - began < 2
