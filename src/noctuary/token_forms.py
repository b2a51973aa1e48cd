"""What keys and tokens look like, from the public descriptions of their issuers; data for `redact`.

The first line of a table is its gate: a character or word, and a pattern that must match before any row is tried.
A row is the kind of secret, the check its value must pass, and the pattern; a group marks the secret part of it.
"""

# Tokens whose form gives them away, as families: a gate (what must be there, pattern), then rules (kind,
# check, pattern).  A group, where there is one, is the secret.  Repeats are possessive or bounded, and none
# starts again and again in one run of characters, so that no text makes them slow.
UNDERSCORE = r"""
gate _ _(?=[\w-]{16})(?:(?<=gh[pousr]_)|(?<=_pat_)|(?<=_live_)|(?<=_test_)|(?<=_prod_)|(?<=whsec_)|(?<=npm_)\
|(?<=hf_)|(?<=_org_)|(?<=_v1_)|(?<=shp.._)|(?<=shptka_)|(?<=_api_)|(?<=oauth_)|(?<=secret_)|(?<=ntn_)|(?<=sbp_)\
|(?<=nk_)|(?<=fig[dor]_)|(?<=vc[pkiar]_)|(?<=_rw_)|(?<=gls[ac]_)|(?<=gsk_)|(?<=_oat_))
github-token           -      gh[pousr]_[A-Za-z0-9]{36,255}+
github-token           -      github_pat_\w{50,255}+
stripe-key             -      [sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,255}+
stripe-webhook-secret  mixed  whsec_[A-Za-z0-9+/]{24,255}+={0,2}
npm-token              -      npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])
huggingface-token      -      (?:hf|api_org)_[A-Za-z0-9]{30,64}+(?![A-Za-z0-9])
digitalocean-token     -      do[opr]_v1_[0-9a-f]{64}(?![A-Za-z0-9])
shopify-token          -      shp(?:at|ca|pa|ss|tka)_[0-9a-fA-F]{32}(?![A-Za-z0-9])
linear-key             mixed  lin_(?:api|oauth)_[A-Za-z0-9]{32,64}+
notion-token           mixed  secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])|ntn_[A-Za-z0-9]{40,64}+
figma-token            mixed  fig[dor]_[\w-]{32,64}+
supabase-token         mixed  sb(?:p|p_oauth|_secret)_[\w-]{30,64}+
vercel-token           mixed  vc[pkiar]_[A-Za-z0-9]{24,80}+|vercel_blob_rw_\w{24,80}+
grafana-token          mixed  gls[ac]_[A-Za-z0-9+/_]{32,200}+={0,2}
groq-key               mixed  gsk_[A-Za-z0-9]{40,64}+
noctuary-key           -      nk_[a-z2-7]{10}_[a-z2-7]{52}(?![A-Za-z0-9])
docker-token           -      dckr_(?:pat|oat)_[\w-]{27,64}+
"""
# A private key cut off before its END line goes on as long as lines of base64 do; JSON breaks them by "\n".
DASH = r"""
gate - -(?:----BEGIN |(?=[\w-]{16})(?<=\w-)(?:(?<=sk-)|(?<=ant-)|(?<=xox.-)|(?<=xapp-)|(?<=gl..-)|(?<=gl...-)\
|(?<=gl....-)|(?<=gl.....-)|(?<=pypi-)|(?<=CSPX-)|(?<=sq0...-)|(?<=key-)|(?<=KEY-)|(?<=pplx-)|(?<=xai-)))
anthropic-key          mixed  sk-ant-[\w-]{20,255}+
openai-key             mixed  sk-(?:proj|svcacct|admin|None|service)-[\w-]{20,255}+
openrouter-key         -      sk-or-(?:v1-)?[0-9a-f]{32,64}+
openai-key             mixed  sk-[A-Za-z0-9]{32,128}+(?![\w-])
gitlab-token           mixed  gl(?:pat|dt|rt|ptt|cbt|ft|imt|agent|soat|oas|ffct)-[A-Za-z0-9_.-]{20,255}+
slack-token            mixed  xox[abeoprs]-[A-Za-z0-9.-]{16,255}+|xapp-\d-[A-Za-z0-9-]{20,255}+
pypi-token             random pypi-[\w-]{32,1024}+
google-oauth-secret    -      GOCSPX-[\w-]{20,64}+
square-token           -      sq0[a-z]{3}-[\w-]{22,64}+
mailgun-key            mixed  key-[0-9a-f]{32}(?![A-Za-z0-9])
age-key                -      AGE-SECRET-KEY-1[A-Z0-9]{40,80}+
perplexity-key         mixed  pplx-[A-Za-z0-9]{40,64}+
xai-key                mixed  xai-[A-Za-z0-9]{60,100}+
private-key            key    -----BEGIN[ ][A-Z0-9 ]{0,30}PRIVATE[ ]KEY(?:[ ]BLOCK)?-----\
(?:[^-]*+(?:-(?!----)[^-]*+)*-----END[ ][A-Z0-9 ]{0,40}-----\
|(?:(?:\s|\\+[nr])*(?:[A-Za-z-]{4,20}:[ ][^\n\\]{0,200}|[A-Za-z0-9+/=]{16,}+|[A-Za-z0-9+/=]+\Z))*)
"""
DOT = r"""
gate . \.(?=[\w-]{6})(?:eyJ|[\w-]{6,7}\.[\w-]{27}|[A-Za-z0-9]{40}\
|(?=[\w-]{16})(?:(?<=SG\.)|(?<=ya29\.)|(?<=hv[sbr]\.)|(?<=dp\...\.)))
jwt                    -      eyJ(?:(?<![\w-]eyJ)|(?<=\\[nrt]eyJ))[\w-]{8,}+\.eyJ[\w-]{4,}+(?:\.[\w-]*+)?
google-oauth-token     -      ya29\.[A-Za-z0-9_.-]{20,1024}+
sendgrid-key           -      SG\.[\w-]{16,64}+\.[\w-]{16,64}+
vault-token            mixed  hv[sbr]\.[\w-]{20,300}+
doppler-token          -      dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{1,40}\.)?[A-Za-z0-9]{40,44}+
discord-token          random [MNO][\w-]{22,27}\.[\w-]{6,7}\.[\w-]{27,40}+
"""
COLON = r"""
gate : :(?=//|AA)(?://(?:[^\s/:@"'<>]{0,128}:[^\s/@"'<>]{1,256}@|hooks\.|\w{0,9}\.?discord)|AA[\w-]{32})
slack-webhook          -      ://hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{16,255}+)
discord-webhook        -      ://(?:\w{1,9}\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/(\d+/[\w-]{30,255}+)
password               given  ://[^\s/:@"'<>]{0,128}:([^\s/"'<>]{1,256})@(?!sha\d)(?=[\w\[.$%{-])
telegram-token         -      \d{8,10}:AA[\w-]{32,33}(?![\w-])
"""
CAPITALS = r"""
gate I I(?:A(?<=A[KSB]IA)|za(?<=AIza))
aws-access-key         -      A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])
google-api-key         -      AIza[\w-]{35}(?![A-Za-z0-9])
"""
TWILIO = "gate K K[0-9a-f]{32}\ntwilio-key - SK[0-9a-f]{32}(?![A-Za-z0-9])"
DATABRICKS = "gate dapi dapi\ndatabricks-token - dapi[0-9a-f]{32}(?:-[0-9])?(?![A-Za-z0-9])"
AUTH = r"""
gate B B(?=earer\s|asic\s)
bearer-token   given  Bearer\s+(?=[A-Za-z._~+/=-]*+\d)([A-Za-z0-9._~+/=-]{16,}+)
authorization  -      uthorization["']?\s{0,8}[:=,]\s{0,8}\\?["'`]?Basic\s+([A-Za-z0-9+/_-]{8,}+={0,2})
"""
FLAG = r"""
gate - -(?:-(?=[a-z])[a-z-]{0,30}(?:passw|passp|token|secret|key|user)[a-z]{0,3}[ =]+\S|p(?<=sshpass -p)\
|(?<=[ ]-)(?:u[ ]?["']?[^\s:"']{1,64}:|p["']?[^\s"']{4}))
password  typed  --(?=[a-z])[a-z-]{0,30}passw(?:or)?d[ ]+["']?([^\s"'`\\]{6,512}+)
secret    typed  --(?=[a-z])[a-z-]{0,30}(?:phrase|token|secret|api-?key)[ ]+["']?([^\s"'`\\]{6,512}+)
password  given  curl\b[^\n]{0,300}?[ ](?:-u|--user)[ =]?["']?[^\s:"'/]{1,64}:([^\s"'/\\]{1,256}+)
password  given  (?:mysql|mariadb)[a-z]{0,8}\b[^\n|;]{0,200}?[ ]-p["']?([^\s"'\\]{4,256}+)
password  given  sshpass[ ]+-p[ ]*["']?([^\s"'\\]{3,256}+)
"""
# What people say a secret is, in a sentence; a point or a comma behind it ends the sentence, and not the secret.  A
# password that could be a name is one only where nothing goes on: "the password is server1-side" says something else.
_WHOSE = r"(?:[ ](?:for|of|on|to)[ ][^\n:=.,;!?]{1,40}?|[ ]\([^()\n]{1,40}\))"
_IS = r"[ ](?:is|was|ist|lautet)(?:[ ](?:now|still|set[ ]to|changed[ ]to))?:?"
_TOLD = r"""["'`“‘]?((?:(?![.,;:?)\]}]{1,4}(?:\s|\Z))[^\s"'`“”‘’]){6,256}+)"""
_ENDED = r"""(?=[.,;:!?)\]}"'`“”‘’]|\s*\Z|[ ]*\n|[ ](?:and|but|for|on|at)\b)"""
_PASSWORD = rf"ass(?:wor[dt]|phrase)(?:{_WHOSE}?(?:{_IS}|[ ](?:changed|set|reset)[ ]to:?)|{_WHOSE}:)[ ]+{_TOLD}"
SAID = rf"""
gate ass ass(?=(?:wor[dt]|phrase)(?:[ ](?:is|was|ist|lautet|for|of|on|to|changed|set|reset|\()))
password  told   {_PASSWORD}
password  named  {_PASSWORD}{_ENDED}
"""
TOKEN_SAID = rf"""
gate oken oken(?=[ ](?:(?:is|was|for|of|on|to)[ ]|\())
token  coded  oken{_WHOSE}?{_IS}[ ]+{_TOLD}
"""
SECRET_SAID = rf"""
gate ecret ecret(?=[ ](?:(?:is|was|for|of|on|to)[ ]|\())
secret  coded  ecret{_WHOSE}?{_IS}[ ]+{_TOLD}
"""
KEY_SAID = rf"""
gate key key(?=[ ](?:(?:is|was|for|of|on|to)[ ]|\()|[ ]{{0,2}}[:=][ ])(?<=[ ]key)
api-key  coded  [ ]key(?:(?<=[aA][pP][iI][ ]key)|(?<=access[ ]key)|(?<=secret[ ]key)|(?<=rivate[ ]key))\
(?:{_WHOSE}?{_IS}|{_WHOSE}?[ ]{{0,2}}[:=])[ ]+{_TOLD}
"""
LONG_WORDS = (UNDERSCORE, DASH, DOT, CAPITALS, TWILIO, DATABRICKS)
ANYWHERE = (FLAG, AUTH, SAID, TOKEN_SAID, SECRET_SAID, KEY_SAID)
# What a sentence may say a password or a token to be, though it has digits, and what stands beside such words.
TERM = (
    r"(?:sha|md|bcrypt|argon|scrypt|pbkdf|hmac|aes|rsa|utf|base|[hrep]s|oauth|ed|ipv|http|min|max|[vxp])\d{1,4}[a-z]{0,3}"
    r"|k8s|i18n|l10n|a11y|oauth|\d{1,4}[a-z]{0,12}"
)
TRAIT = (
    r"(?:hash|encod|encrypt|sign|salt|sensit|based|only|compat|manag|able|char|bit|byte|digit|letter|word|level|protect"
    r"|derive|generat|side|like|style|safe|long|hex|url)\w*"
)
