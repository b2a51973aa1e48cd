"""Made-up lines that hold a secret in the way of some tool: addresses, headers, commands, files of settings.

What is secret in them stands between the marks `OPEN` and `CLOSE`.
"""

import base64
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from secret_kinds import ALNUM, BASE32, BASE64, HEX, WORDISH, WORDS, jwt, password, plain_password, some

OPEN, CLOSE = "\ue000", "\ue001"


class Lines(NamedTuple):
    """A kind of line."""

    name: str
    make: Callable[[Random], str]


def hidden(secret: str) -> str:
    """The secret between its marks."""
    return f"{OPEN}{secret}{CLOSE}"


def _host(chance: Random) -> str:
    return chance.choice(
        [f"db.{chance.choice(WORDS)}.example.com", "localhost", "127.0.0.1", f"{chance.choice(WORDS)}-prod"]
    )


def _address(*schemes: str, path: str) -> Callable[[Random], str]:
    def make(chance: Random) -> str:
        user = chance.choice(["app", "admin", "root", "svc_user", chance.choice(WORDS)])
        secret = plain_password(chance) if chance.random() < 0.7 else _escaped(password(chance))
        port = chance.choice(["", ":5432", ":3306", ":6379"])
        return f"{chance.choice(schemes)}://{user}:{hidden(secret)}@{_host(chance)}{port}{path}"

    return make


def _escaped(text: str) -> str:
    return "".join(c if c.isalnum() or c in "-._~" else f"%{ord(c):02X}" for c in text)


def _basic(chance: Random) -> str:
    return base64.b64encode(f"{chance.choice(WORDS)}:{password(chance)}".encode()).decode()


def _any(chance: Random) -> str:
    return some(chance, chance.choice([ALNUM, WORDISH, HEX]), chance.choice([24, 32, 40, 64]))


def _ado(chance: Random) -> str:
    key = chance.choice(["Password", "Pwd", "PWD", "password"])
    return f"Server={_host(chance)};Database=shop;User Id=sa;{key}={hidden(plain_password(chance))};Encrypt=true"


def _jdbc(chance: Random) -> str:
    scheme = chance.choice(["postgresql", "mysql", "mariadb", "sqlserver", "redshift"])
    return f"jdbc:{scheme}://{_host(chance)}/shop?user=app&password={hidden(plain_password(chance))}&ssl=true"


def _libpq(chance: Random) -> str:
    return (
        f"host={_host(chance)} port=5432 dbname=shop user=app password={hidden(plain_password(chance))} sslmode=require"
    )


def _kubeconfig(chance: Random) -> str:
    if chance.random() < 0.5:
        return f"users:\n- name: admin\n  user:\n    token: {hidden(jwt(chance))}"
    return f"    client-key-data: {hidden('LS0tLS1CRUdJTi' + some(chance, BASE64, 400) + '==')}"


def _manifest(chance: Random) -> str:
    secret = base64.b64encode(password(chance).encode()).decode()
    key = chance.choice(["password", "db-password", "api-key", "token"])
    return f"kind: Secret\nmetadata:\n  name: shop\ndata:\n  {key}: {hidden(secret)}\ntype: Opaque"


def _signed(chance: Random) -> str:
    if chance.random() < 0.5:
        return (
            "https://shop.s3.amazonaws.com/a.zip?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=3600"
            f"&X-Amz-Signature={hidden(some(chance, HEX, 64))}&x-id=GetObject"
        )
    signature = hidden(some(chance, ALNUM, 42) + "%3D")
    return f"https://acme.blob.core.windows.net/c/b?sv=2024-05-04&sr=b&sig={signature}&se=2026-09-01"


def _command(*templates: str) -> Callable[[Random], str]:
    def make(chance: Random) -> str:
        return chance.choice(templates).replace("…", hidden(plain_password(chance)))

    return make


def _with_password(*templates: str) -> Callable[[Random], str]:
    def make(chance: Random) -> str:
        return chance.choice(templates).replace("…", hidden(password(chance)))

    return make


def _putty(chance: Random) -> str:
    lines = "\n".join(some(chance, BASE64, 64) for _ in range(2))
    secret = hidden(lines)
    head = "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 2"
    return f"{head}\n{secret}\nPrivate-MAC: {some(chance, HEX, 64)}"


LINES = (
    Lines("postgres address", _address("postgres", "postgresql", "postgresql+asyncpg", path="/shop?sslmode=require")),
    Lines("mysql address", _address("mysql", "mysql+pymysql", "mariadb", path="/shop")),
    Lines("mongodb address", _address("mongodb", "mongodb+srv", path="/?retryWrites=true&w=majority")),
    Lines("redis address", _address("redis", "rediss", path="/0")),
    Lines("queue address", _address("amqp", "amqps", "nats", "kafka", path="/vhost")),
    Lines(
        "other database address", _address("clickhouse", "cockroachdb", "mssql+pyodbc", "neo4j", "snowflake", path="/x")
    ),
    Lines("address with a login", _address("https", "http", "ftp", "sftp", "smtp", path="/path/to?x=1")),
    Lines("ado connection string", _ado),
    Lines("jdbc address", _jdbc),
    Lines("libpq settings", _libpq),
    Lines("bearer header", lambda c: f"Authorization: Bearer {hidden(_any(c))}"),
    Lines("basic header", lambda c: f"Authorization: Basic {hidden(_basic(c))}"),
    Lines(
        "other authorization",
        lambda c: f"Authorization: {c.choice(['token', 'Token', 'ApiKey', 'SSWS'])} {hidden(_any(c))}",
    ),
    Lines(
        "key header",
        lambda c: (
            f"{c.choice(['X-API-Key', 'x-api-key', 'X-Auth-Token', 'PRIVATE-TOKEN', 'Api-Key'])}: {hidden(_any(c))}"
        ),
    ),
    Lines("cookie header", lambda c: f"Cookie: session={hidden(_any(c))}; theme=dark"),
    Lines(
        "set-cookie header",
        lambda c: f"Set-Cookie: {c.choice(['sid', 'connect.sid', 'PHPSESSID'])}={hidden(_any(c))}; Path=/; HttpOnly",
    ),
    Lines("netrc", lambda c: f"machine api.example.com login ana password {hidden(plain_password(c))}"),
    Lines("pgpass", lambda c: f"{_host(c)}:5432:shop:app:{hidden(plain_password(c))}"),
    Lines(
        "docker config", lambda c: f'{{"auths": {{"https://index.docker.io/v1/": {{"auth": "{hidden(_basic(c))}"}}}}}}'
    ),
    Lines("kubeconfig", _kubeconfig),
    Lines("kubernetes secret", _manifest),
    Lines(
        "npmrc",
        lambda c: (
            f"//packages.example.com/:{c.choice(['_authToken', '_password', '_auth'])}={hidden(some(c, ALNUM, 40))}"
        ),
    ),
    Lines("pypirc", lambda c: f"[pypi]\nusername = ana\npassword = {hidden(plain_password(c))}"),
    Lines("signed address", _signed),
    Lines(
        "wireguard", lambda c: f"[Interface]\nPrivateKey = {hidden(some(c, BASE64, 43) + '=')}\nAddress = 10.0.0.2/32"
    ),
    Lines(
        "password of a command",
        _command(
            "docker login -u ana -p … packages.example.com",
            "docker login --username ana --password … packages.example.com",
            "mysql -h db -u root -p… shop",
            "mysqldump --password=… shop > dump.sql",
            "PGPASSWORD=… psql -h db -U app shop",
            "MYSQL_PWD=… mysql -u root",
            "sshpass -p … ssh ana@host",
            "curl -u ana:… https://api.example.com/v1",
            "curl --user 'ana:…' https://api.example.com/v1",
            "redis-cli -h cache -a … ping",
            "kubectl create secret generic db --from-literal=password=…",
            "az login --service-principal -u app -p … --tenant acme",
            "mongosh --username app --password … shop",
            "htpasswd -b .htpasswd ana …",
            "echo … | docker login -u ana --password-stdin",
            "echo … | sudo -S apt update",
            "ansible-playbook site.yml -e ansible_password=…",
            "openssl pkcs12 -in a.p12 -passin pass:…",
            "7z x -p… a.7z",
            "rclone config create s3 --s3-secret-access-key …",
            "helm install x ./x --set auth.password=…",
            "wget --user=ana --password=… https://files.example.com/a",
            'psql "postgresql://app@db/shop?password=…"',
        ),
    ),
    Lines(
        "quoted password of a command",
        _with_password(
            "mysql -u root --password='…' shop",
            "export DB_PASSWORD='…'",
            'curl -u "ana:…" https://api.example.com/v1',
            "docker run -e 'POSTGRES_PASSWORD=…' postgres:16",
        ),
    ),
    Lines(
        "password in a sentence",
        _with_password(
            "the password is …",
            "My password is … by the way",
            "The admin password for staging is …, please try it",
            "password: …",
            "Password: …",
            "pw: …",
            "pass: …",
            "pwd: …",
            "passphrase: …",
            "Das Passwort lautet …",
            "user: ana, password: …",
            "login with ana and password …",
            "use password … to log in",
            "username ana / password …",
            "credentials: ana / …",
            "The root password was changed to …",
            "I set the password to '…'",
            "log in as ana with the password `…`",
            "the wifi password = …",
        ),
    ),
    Lines(
        "password in code",
        _with_password(
            'conn = connect(host="db", user="app", password="…")',
            "password = '…'",
            'const password = "…";',
            "'password' => '…',",
            '{"user": "app", "password": "…"}',
            '{"username":"app","passwd":"…","port":5432}',
            "<password>…</password>",
            '<add key="DbPassword" value="…" />',
            "spring.datasource.password=…",
            "  password: …",
            '  password: "…"',
            'db_password = "…"',
            ':password "…"',
            'String password = "…";',
            "assert login('ana', password='…')",
            "CREATE USER app WITH PASSWORD '…';",
            "ALTER USER app IDENTIFIED BY '…';",
            'password := "…"',
            "$password = '…';",
            'let db_pass = "…";',
        ),
    ),
    # From here on: written by a reviewer who had not read the rules.
    Lines(
        "one-time password seed",
        lambda c: f"otpauth://totp/acme:ana?secret={hidden(some(c, BASE32, c.choice([16, 32])))}&issuer=acme",
    ),
    Lines(
        "seed phrase",
        lambda c: (
            f"{c.choice(['seed phrase', 'Mnemonic', 'recovery phrase', 'MNEMONIC'])}: "
            f"{hidden(' '.join(c.choices(WORDS, k=12)))}"
        ),
    ),
    Lines("key of putty", _putty),
    Lines(
        "firebase server key",
        lambda c: f"key={hidden('AAAA' + some(c, WORDISH, 7) + ':APA91b' + some(c, WORDISH, 134))}",
    ),
    Lines("facebook token", lambda c: f"access_token={hidden('EAA' + some(c, ALNUM, 160))}"),
    Lines(
        "private web key",
        lambda c: (
            f'{{"kty": "EC", "crv": "P-256", "d": "{hidden(some(c, WORDISH, 43))}", '
            f'"x": "{some(c, WORDISH, 43)}", "use": "sig"}}'
        ),
    ),
    Lines(
        "hashes of shadow",
        lambda c: f"ana:{hidden('$6$' + some(c, ALNUM, 16) + '$' + some(c, ALNUM + './', 86))}:19000:0:99999:7:::",
    ),
    Lines(
        "service bus string",
        lambda c: (
            "Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;"
            f"SharedAccessKey={hidden(some(c, BASE64, 43) + '=')}"
        ),
    ),
    Lines(
        "token in a fragment",
        lambda c: f"Location: https://app.example.com/cb#state=x&access_token={hidden(_any(c))}&expires_in=3600",
    ),
    Lines(
        "header in a recording",
        lambda c: (
            f'{{"name": "Authorization", "value": "Bearer {hidden(_any(c))}"}}, {{"name": "Accept", "value": "*/*"}}'
        ),
    ),
    Lines(
        "login of a mount or a directory",
        _command(
            "ldapsearch -x -D cn=admin,dc=acme -w … -b dc=acme",
            "mount -t cifs //nas/shop /mnt -o username=ana,password=…,vers=3.0",
            "smbclient //nas/shop -U ana%…",
            "bindpw …",
            "xfreerdp /v:host /u:ana /p:…",
            "vncserver -passwd …",
            "net use \\\\nas\\shop … /user:ana",
            "ConvertTo-SecureString '…' -AsPlainText -Force",
            "keytool -genkey -storepass … -keyalg RSA",
            "nmcli dev wifi connect shop password …",
            "wpa_passphrase=…",
            'psk="…"',
            "Driver={ODBC Driver 18};Server=db;Uid=app;Pwd={…};",
        ),
    ),
    Lines(
        "password in other words",
        _with_password(
            "la contraseña es …",
            "Le mot de passe est …",
            "a senha é …",
            "Passwort: …",
            "**Password:** …",
            "* Password – …",
            "Kennwort = …",
            '["password", "…"]',
            "PIN/password → …",
            "пароль: …",
            "密码：…",
            "パスワードは … です",
        ),
    ),
    Lines("column of passwords", lambda c: f"user,password,role\nana,{hidden(plain_password(c))},admin"),
)
