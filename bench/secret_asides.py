"""Lines with a secret that a later reviewer wrote before reading the rules, for `redaction.py`.

What stands between `«` and `»` says how the secret is made: `p` is a password that needs no quoting, `s` one with
signs, a letter with a number so many characters of an alphabet, and anything else stands for itself.
"""

import base64
import json
import re
from functools import partial
from pathlib import Path
from random import Random

from secret_kinds import ALNUM, BASE32, BASE64, DIGITS, HEX, LOWER, UPPER, WORDISH, jwt, password, plain_password, some
from secret_lines import Lines, hidden

_ALPHABETS = {"a": ALNUM, "b": BASE64, "h": HEX, "w": WORDISH, "t": BASE32, "d": DIGITS, "u": UPPER, "l": LOWER}
_MADE = re.compile(r"«([^»]*)»")
_PART = re.compile(r"<([abhwtdul])(\d+)>|<(p|s|j|e|g)>")


def _secret(chance: Random, form: str) -> str:
    def one(found: "re.Match[str]") -> str:
        if found[1]:
            return some(chance, _ALPHABETS[found[1]], int(found[2]))
        if found[3] == "g":
            return "-".join(some(chance, HEX, length) for length in (8, 4, 4, 4, 12))
        if found[3] == "e":
            return base64.b64encode(password(chance).encode()).decode()
        return {"p": plain_password, "s": password, "j": jwt}[found[3]](chance)

    return _PART.sub(one, form)


def _filled(line: str, chance: Random) -> str:
    return _MADE.sub(lambda found: hidden(_secret(chance, found[1])), line)


def plainly(line: str, chance: Random) -> str:
    """A line that holds no secret, made up in the same way."""
    return _MADE.sub(lambda found: _secret(chance, found[1]), line)


COMMANDS = (
    "mysqladmin -uroot -p'«<s>»' status",
    "psql -d 'host=db user=app password=«<p>»'",
    "mongodump --uri='mongodb://app:«<p>»@db/shop'",
    "http -a ana:«<p>» GET https://api.example.com/me",
    "svn checkout --username ana --password «<p>» https://svn.example.com/x",
    "zip -P «<p>» -r a.zip data/",
    "unrar x -p«<p>» a.rar",
    "gpg --batch --passphrase «<p>» -d a.gpg",
    "gpg --batch --passphrase '«<s>»' --symmetric a",
    "openssl enc -aes-256-cbc -k «<p>» -in a -out b",
    "openssl rsa -in key.pem -passin 'pass:«<s>»'",
    "cryptsetup luksOpen /dev/sdb1 x <<< '«<s>»'",
    "sqlplus scott/«<p>»@//db:1521/XE",
    "sqlcmd -S db -U sa -P '«<s>»' -Q 'select 1'",
    "bcp shop.dbo.t out t.csv -S db -U sa -P «<p>»",
    "influx -username admin -password «<p>»",
    "cqlsh db -u cassandra -p «<p>»",
    "curl -H 'PRIVATE-TOKEN: «<w20>»' https://git.example.com/api/v4/projects",
    "curl -H 'X-Vault-Token: «s.<a24>»' https://vault.example.com/v1/x",
    "curl -H 'X-Consul-Token: «<g>»' localhost:8500/v1/kv/x",
    "curl 'https://api.telegram.org/bot«123456789:AA<w33>»/getMe'",
    "curl -b 'JSESSIONID=«<h32>»' https://app.example.com/",
    "aws configure set aws_secret_access_key «<b40>»",
    "gh auth login --with-token <<< «ghp_<a36>»",
    "vault login «hvs.<w90>»",
    "vault kv put secret/db password=«<p>»",
    "vault operator unseal «<b43>=»",
    "wrangler secret put API_KEY <<< '«<a40>»'",
    "fly secrets set SECRET_KEY_BASE=«<h64>»",
    "doppler secrets set DB_PASSWORD='«<s>»'",
    "gcloud secrets versions add db --data-file=- <<< '«<s>»'",
    "az keyvault secret set --vault-name v --name db --value '«<s>»'",
    "aws ssm put-parameter --name /shop/db_password --type SecureString --value '«<s>»'",
    "aws secretsmanager create-secret --name db --secret-string '«<s>»'",
    "kubectl create secret docker-registry r --docker-username=ana --docker-password=«<p>»",
    "ansible-vault encrypt_string '«<s>»' --name db_password",
    "twine upload -u __token__ -p «pypi-AgEIcHlwaS5vcmc<w160>» dist/*",
    "cargo login «cio<a32>»",
    "rails credentials: RAILS_MASTER_KEY=«<h32>» bin/rails s",
    "useradd -p '«$6$<a16>$<a86>»' ana",
    "echo 'ana:«<p>»' | chpasswd",
    "net user ana «<p>» /add",
    "ffplay rtsp://admin:«<p>»@10.0.0.3/stream1",
    "restic -r s3:x --password-command 'echo «<p>»' snapshots",
)
FILES = (
    "define( 'DB_PASSWORD', '«<s>»' );",
    "define('AUTH_KEY', '«<w64>»');",
    "SECRET_KEY = 'django-insecure-«<w50>»'",
    "APP_KEY=base64:«<b43>=»",
    "$ cat config/master.key\n«<h32>»",
    "datasource:\n  username: app\n  password: «<s>»",
    "ansible_become_pass: «<s>»",
    'vault_db_password: "«<s>»"',
    "storePassword '«<p>»'",
    "signing.password=«<p>»",
    "RELEASE_STORE_PASSWORD=«<p>»",
    "<server><id>nexus</id><username>ana</username><password>«<p>»</password></server>",
    '<add name="Db" connectionString="Data Source=db;User ID=sa;Password=«<p>»;" />',
    "<key>APIKey</key>\n<string>«<a32>»</string>",
    '{"type":"authorized_user","client_secret":"«<w24>»","refresh_token":"«1//0<w60>»"}',
    '"master_password": "«<s>»",',
    "requirepass «<p>»",
    "masterauth «<p>»",
    "[smtp.example.com]:587 ana:«<p>»",
    "auth_basic: ana:«$apr1$<a8>$<a22>»",
    "ana:«$2y$10$<a53>»",
    "rpcuser=ana\nrpcpassword=«<a40>»",
    "initial root token: «hvs.<w24>»",
    "Unseal Key 1: «<b44>»",
    'agent-token = "«<g>»"',
    "EMAIL_HOST_PASSWORD = «'<l4> <l4> <l4> <l4>'»",
    "secret-key-base: «<h128>»",
    "CSRF_SECRET=«<a48>»",
    "COOKIE_PASSWORD=«<a32>»",
    "DATABASE_URL: postgres://u:«<h64>»@ec2-1-2-3-4.compute.amazonaws.com:5432/d",
    "SENTRY_DSN=https://0123456789abcdef0123456789abcdef:«<h32>»@sentry.example.com/3",
    "MAILER_DSN=smtp://ana:«<p>»@smtp.example.com:587",
    "CELERY_BROKER_URL=redis://:«<p>»@cache:6379/0",
    "http_proxy=http://ana:«<p>»@proxy.example.com:3128",
    "origin\thttps://x-access-token:«ghs_<a36>»@github.com/a/b.git (fetch)",
    "url = https://ana:«<p>»@git.example.com/a/b.git",
    "export PRIVATE_KEY=0x«<h64>»",
    "wallet_private_key: «5K<a49>»",
    'PSK = "«<p>»"',
    "PresharedKey = «<b43>=»",
)
CODE = (
    'requests.get(url, auth=("ana", "«<s>»"))',
    "requests.post(url, auth=HTTPBasicAuth('ana', '«<s>»'))",
    'client = Client("AC00000000000000000000000000000000", "«<h32>»")  # Twilio',
    'server.login("ana@example.com", "«<s>»")',
    "ssh.connect(host, username='ana', password='«<s>»')",
    'os.Setenv("STRIPE_KEY", "«sk_live_<a24>»")',
    'DriverManager.getConnection(url, "app", "«<s>»")',
    "new Pool({ user: 'app', password: '«<s>»', host: 'db' })",
    "mysql.createConnection({host:'db',user:'root',password:'«<s>»'})",
    "$pdo = new PDO($dsn, 'app', '«<s>»');",
    "jwt.sign(payload, '«<a40>»')",
    'jwt.encode(claims, "«<a40>»", algorithm="HS256")',
    "app.use(session({ secret: '«<a32>»', resave: false }))",
    'openai.api_key = "«sk-<a48>»"',
    "hmac.new(b'«<a32>»', body, 'sha256')  # webhook secret",
    "Fernet(b'«<w43>=»')",
    "set_password('«<s>»')",
    "User.objects.create_user('ana', 'ana@example.com', '«<s>»')",
    "SET PASSWORD FOR 'app'@'%' = PASSWORD('«<s>»');",
    "GRANT ALL ON shop.* TO 'app'@'%' IDENTIFIED BY '«<s>»';",
    "CREATE ROLE app LOGIN ENCRYPTED PASSWORD '«<s>»';",
)
SAID = (
    "btw the wifi password is «<p>», don't pass it on",
    "use admin / «<s>» for the staging login",
    "creds are ana:«<p>»",
    "log in with ana@example.com and «<s>»",
    "my token expired, the new token is «<a40>»",
    "the secret for the webhook: «<a32>»",
    "API key (prod) -> «<a32>»",
    "I rotated the key, it's now «<a40>»",
    "passcode «<d8>»",
    "Recovery codes:\n«<h5>-<h5>»\n«<h5>-<h5>»",
    "il mot de passe, c'est «<s>»",
    "het wachtwoord is «<s>»",
    "la password è «<s>»",
    "hasło: «<s>»",
    "비밀번호: «<s>»",
    "Bearer «<j>»",
)
PRINTED = (
    "$ gcloud auth print-access-token\n«ya29.a0<w150>»",
    "$ gh auth token\n«gho_<a36>»",
    "$ cat /run/secrets/db_password\n«<s>»",
    "$ pass show mail/ana\n«<s>»",
    "$ op read op://shop/db/password\n«<s>»",
    "$ kubectl get secret db -o jsonpath='{.data.password}' | base64 -d\n«<s>»",
    "$ security find-generic-password -w -s db\n«<s>»",
    "$ vault kv get -field=password secret/db\n«<s>»",
    "$ heroku config:get SECRET_KEY_BASE\n«<h64>»",
    "$ echo $GITHUB_TOKEN\n«<a40>»",
    "$ printenv API_KEY\n«<a32>»",
    "$ openssl rand -base64 32\n«<b43>=»",
)
AGAIN = (  # written when those above were found
    "mysql --user=root --password=«<p>» -e 'show tables'",
    "mariadb-dump -u root -p«<p>» shop",
    'pg_dump "postgres://app:«<p>»@db/shop"',
    "influx auth create --token «<w86>==»",
    "rabbitmqctl add_user ana «<p>»",
    "rabbitmqctl change_password ana «<p>»",
    "mosquitto_pub -u ana -P «<p>» -t x -m y",
    "smbclient -U ana --password=«<p>» //nas/x",
    "ipmitool -H bmc -U admin -P «<p>» power status",
    "snmpwalk -v3 -u ana -A «<p>» -X «<p>» host",
    "virt-install --vnc-password «<p>»",
    "firebase login:ci --token «1//0<w60>»",
    "eas secret:create --name SENTRY --value «sntryu_<h64>»",
    'gh api -H "Authorization: token «ghp_<a36>»" /user',
    'curl -H "Authorization: Bearer «<a40>»" https://x.example',
    "curl https://x.example -d 'grant_type=password&username=ana&password=«<p>»'",
    'curl -d \'{"email":"a@b.c","password":"«<s>»"}\' https://x.example/login',
    "xcrun notarytool submit a.zip --password «<l4>-<l4>-<l4>-<l4>» --apple-id a@b.c",
    "jarsigner -storepass «<p>» -keypass «<p>» a.apk key0",
    "cas.authn.password=«<p>»",
    "ldap.bind.password: «<s>»",
    "quarkus.datasource.password=«<p>»",
    '"DefaultConnection": "Server=db;Database=x;User=sa;Password=«<p>»;"',
    "  POSTGRES_PASSWORD: «<p>»",
    "    - MYSQL_ROOT_PASSWORD=«<p>»",
    '  GF_SECURITY_ADMIN_PASSWORD: "«<s>»"',
    "password_hash: «$argon2id$v=19$m=65536,t=3,p=4$<a22>$<a43>»",
    "x-api-key: «<a32>»",
    "Ocp-Apim-Subscription-Key: «<h32>»",
    'api_key="«<a32>"», ',
    '"client_secret": "«<w40>»",',
    "token = '«<a40>»'",
    "SLACK_SIGNING_SECRET=«<h32>»",
    "webhook_secret: «<h40>»",
    'consumer_secret: "«<a50>»"',
    "encryption_key = b'«<w43>=»'",
    'private val apiKey = "«<a32>»"',
    'let token = "«<a40>»"',
    'new SecretKeySpec("«<a32>»".getBytes(), "AES")',
    "bcrypt.hash('«<s>»', 10)",
    "cipher = AES.new(b'«<a32>»', AES.MODE_GCM)",
    "stripe.api_key = '«sk_live_<a24>»'",
    "twilio.rest.Client(account_sid, '«<h32>»')",
    "boto3.client('s3', aws_access_key_id='«AKIA<t16>»', aws_secret_access_key='«<b40>»')",
    'firebase.initializeApp({ apiKey: "«AIza<w35>»" })',
    "mongoose.connect('mongodb://app:«<p>»@db/x')",
    "redis.Redis(host='x', password='«<s>»')",
    "the db password for prod is «<s>»",
    "here are my creds: ana@example.com / «<s>»",
    "pw «<p>»",
    "temporary password: «<s>»",
    "your one-time password is «<d6>»",
    "new password -> «<s>»",
    "the root pw on that box is «<p>»",
    "username: ana password: «<s>»",
    "Login: ana Pass: «<s>»",
    "ssh ana@host (pw: «<p>»)",
)
STRANGERS = tuple(
    map(json.loads, Path(__file__).with_name("secrets_of_strangers.jsonl").read_text(encoding="utf-8").splitlines())
)
ASIDES = tuple(
    Lines(f"{name}: {line[:40]}", partial(_filled, line))
    for name, lines in {
        "command": COMMANDS,
        "file": FILES,
        "code": CODE,
        "said": SAID,
        "printed": PRINTED,
        "again": AGAIN,
        "stranger": STRANGERS,
    }.items()
    for line in lines
)
