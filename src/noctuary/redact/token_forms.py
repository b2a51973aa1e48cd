"""What keys and tokens look like, from the public descriptions of their issuers; data for `redact`.

The first line of a table is its gate: a character or word, and a pattern that must match before any row is tried.
A row is the kind of secret, the check its value must pass, and the pattern; a group marks the secret part of it.
"""

# Tokens whose form gives them away, as families: a gate (what must be there, pattern), then rules (kind,
# check, pattern).  A group, where there is one, is the secret.  Repeats are possessive or bounded, and none
# starts again and again in one run of characters, so that no text makes them slow.
UNDERSCORE = r"""
gate _ _(?:(?=[\w+/-]{16})(?=[a-z_]{0,30}+[A-Z0-9+/-])\
(?:(?<=gh[pousr]_)|(?<=_pat_)|(?<=_live_)|(?<=_test_)|(?<=_prod_)|(?<=whsec_)|(?<=npm_)\
|(?<=hf_)|(?<=_org_)|(?<=_v1_)|(?<=shp.._)|(?<=shptka_)|(?<=_api_)|(?<=oauth_)|(?<=secret_)|(?<=ntn_)|(?<=sbp_)\
|(?<=nk_)|(?<=fig[dor]_)|(?<=vc[pkiar]_)|(?<=_rw_)|(?<=glsa_)|(?<=glc_)|(?<=gsk_)|(?<=_oat_)|(?<=rubygems_)|(?<=nfp_)\
|(?<=pscale_tkn_)|(?<=pscale_pw_)|(?<=napi_)|(?<=sntry[us]_)|(?<=sq[pua]_)|(?<=CCIPAT_)|(?<=bkua_)|(?<=r8_)\
|(?<=lsv2_pt_)|(?<=lsv2_sk_)|(?<=pcsk_)|(?<=sk_)(?=[0-9a-f]{16})|(?<=ops_)(?=eyJ)|(?<=fm[12]_)|(?<=fo1_)\
|(?<=re_)(?=[A-Za-z0-9]{8}_[A-Za-z0-9]{16})|(?<=e2b_)|(?<=jina_)|(?<=phx_)|(?<=sgp_)|(?<=pnu_)|(?<=rdme_)|(?<=tfp_)\
|(?<=hcaik_)|(?<=_uut_)|(?<=aio_)|(?<=JARS_)|(?<=fw_))\
|(?<=[pousrmft]_)(?:(?<=gh[pousr]_)|(?<=npm_)|(?<=hf_)|(?<=_pat_))(?=\w{1,15}[\\\r]{0,2}\n))
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
grafana-token          mixed  gl(?:sa|c)_[A-Za-z0-9+/_]{32,512}+={0,2}
groq-key               mixed  gsk_[A-Za-z0-9]{40,64}+
noctuary-key           -      nk_[a-z2-7]{10}_[a-z2-7]{52}(?![A-Za-z0-9])
docker-token           -      dckr_(?:pat|oat)_[\w-]{27,64}+
rubygems-key           -      rubygems_[0-9a-f]{48}(?![A-Za-z0-9])
netlify-token          mixed  nfp_[A-Za-z0-9]{36,64}+
planetscale-token      mixed  pscale_(?:tkn|pw|oauth)_[\w.=-]{30,64}+
neon-key               digits napi_[a-z0-9]{40,80}+
sentry-token           -      sntryu_[0-9a-f]{64}(?![A-Za-z0-9])|sntrys_eyJ[A-Za-z0-9+/=_-]{60,512}+
sonar-token            -      sq[pua]_[0-9a-f]{40}(?![A-Za-z0-9])
circleci-token         -      CCIPAT_[A-Za-z0-9]{16,32}_[0-9a-f]{40}(?![A-Za-z0-9])
buildkite-token        -      bkua_[0-9a-f]{40}(?![A-Za-z0-9])
replicate-token        mixed  r8_[A-Za-z0-9]{32,48}+
langsmith-key          -      lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{8,16}(?![A-Za-z0-9])
pinecone-key           mixed  pcsk_\w{40,100}+
api-key                -      (?:sk_[0-9a-f]{40,64}+\
|shippo_(?:live|test)_[0-9a-f]{40}|packagist_[a-z]{3}_[0-9a-f]{60,80}+)(?![A-Za-z0-9])
api-key                mixed  (?:hcaik_[a-z0-9]{50,64}+|aio_[A-Za-z0-9]{28}|fw_[A-Za-z0-9]{22,24}\
|CLOJARS_[0-9a-f]{60})(?![A-Za-z0-9])
onepassword-token      -      ops_eyJ[A-Za-z0-9+/_-]{60,4096}+={0,2}
fly-token              mixed  (?:fm[12][ar]?|fo1)_[A-Za-z0-9+/_-]{40,2048}+={0,3}
resend-key             mixed  re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,40}+
e2b-key                -      e2b_[0-9a-f]{40}(?![A-Za-z0-9])
jina-key               mixed  jina_\w{50,80}+
posthog-key            mixed  phx_[A-Za-z0-9]{40,64}+
sourcegraph-token      -      sgp_(?:[0-9a-f]{16}_)?[0-9a-f]{40}(?![A-Za-z0-9])
prefect-key            digits pnu_[a-z0-9]{36}(?![A-Za-z0-9])
readme-key             digits rdme_[a-z0-9]{64,80}+
typeform-token         mixed  tfp_[\w.-]{44,80}+
"""
# A private key cut off before its END line goes on as long as lines of base64 do; JSON breaks them by "\n".
DASH = r"""
gate - -(?:(?:----|---[ ])BEGIN |us\d(?<=[0-9a-f]{4}-us\d)\
|(?<=[kt]-)(?:(?<=sk-)|(?<=gl[dfr]t-)|(?<=glpat-))(?=[\w-]{1,15}[\\\r]{0,2}\n)\
|(?=[\w-]{16})(?<=\w-)(?<![0-9a-f]{4}-)(?:(?<=sk-)|(?<=ant-)|(?<=xox.-)|(?<=xapp-)|(?<=gl..-)|(?<=gl...-)\
|(?<=gl....-)|(?<=gl.....-)|(?<=pypi-)|(?<=CSPX-)|(?<=sq0...-)|(?<=key-)|(?<=KEY-)|(?<=pplx-)|(?<=xai-)\
|(?<=MAK-)|(?<=RAK-)|(?<=RII-)|(?<=pul-)|(?<=sib-)|(?<=auth-)|(?<=RKU-)|(?<=nvapi-)\
|(?<=ccess-)(?=[psd])|(?<=sdk-)|(?<=-lf-)|(?<=-[ne][au]\d-)|(?<=fc-)|(?<=ico-)|(?<=csk-)|(?<=SECK-)|(?<=tvly-)|(?<=PAT-)|(?<=A3-)))
anthropic-key          mixed  sk-ant-[\w-]{20,255}+
openai-key             mixed  sk-(?:proj|svcacct|admin|None|service)-[\w-]{20,255}+
openrouter-key         -      sk-or-(?:v1-)?[0-9a-f]{32,64}+
openai-key             mixed  sk-[A-Za-z0-9]{32,128}+(?![\w-])
api-key                random sk-(?:[a-z0-9]{1,12}-){0,3}[A-Za-z0-9]{20,255}+(?![\w-])
gitlab-token           mixed  gl(?:pat|dt|rt|ptt|cbt|ft|imt|agent|soat|oas|ffct)-[A-Za-z0-9_.-]{20,255}+
slack-token            mixed  (?:xoxe\.)?xox[abcdeoprs]-[A-Za-z0-9.%+/=-]{16,255}+|xapp-\d-[A-Za-z0-9-]{20,255}+
pypi-token             random pypi-[\w-]{32,1024}+
google-oauth-secret    -      GOCSPX-[\w-]{20,64}+
square-token           -      sq0[a-z]{3}-[\w-]{22,64}+
mailgun-key            mixed  key-[0-9a-f]{32}(?![A-Za-z0-9])
api-key                -      (?:sdk|sk-lf|pat-(?:na|eu)\d)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])
api-key                digits (?:fc-[0-9a-f]{32}|csk-[a-z0-9]{40,60}+|FLWSECK-[0-9a-f]{32}-X\
|ico-[A-Za-z0-9]{32})(?![\w-])
plaid-token            -      access-(?:production|sandbox|development)-\
[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])
age-key                -      AGE-SECRET-KEY-1[A-Z0-9]{40,80}+
perplexity-key         mixed  pplx-[A-Za-z0-9]{40,64}+
xai-key                mixed  xai-[A-Za-z0-9]{60,100}+
postman-key            -      PMAK-[0-9a-f]{24}-[0-9a-f]{34}(?![A-Za-z0-9])
newrelic-key           digits NRAK-[A-Z0-9]{27}(?![A-Za-z0-9])|NRII-[\w-]{32}(?![\w-])
pulumi-token           -      pul-[0-9a-f]{40}(?![A-Za-z0-9])
brevo-key              -      xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}(?![A-Za-z0-9])
tailscale-key          mixed  tskey-(?:auth|api|client|scim|webhook)-[\w-]{16,100}+
heroku-key             mixed  HRKU-[\w-]{36,80}+
nvidia-key             mixed  nvapi-[\w-]{50,100}+
tavily-key             mixed  tvly-(?:dev-|prod-)?[A-Za-z0-9-]{20,60}+
contentful-token       mixed  CFPAT-[\w-]{40,60}+
onepassword-key        -      A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}(?![\w-])
private-key            key    ----[ ]BEGIN[ ]SSH2[ ][A-Z ]{0,12}PRIVATE[ ]KEY[ ]----[^-]{0,20000}+\
(?:----[ ]END[ ]SSH2[ ][A-Z ]{0,12}PRIVATE[ ]KEY[ ]----)?
mailchimp-key          -      [0-9a-f]{32}-us\d{1,2}(?![\w-])
private-key            key    -----BEGIN[ ][A-Z0-9 ]{0,30}PRIVATE[ ]KEY(?:[ ]BLOCK)?-----\
(?:[^-]*+(?:-(?!----)[^-]*+)*-{5,6}END[ ][A-Z0-9 ]{0,40}-----\
|(?:(?:\s|\\+[nr]|(?<=\n)[-+>|])*(?:[A-Za-z-]{4,20}:[ ][^\n\\]{0,200}|[A-Za-z0-9+/=]{16,}+|[A-Za-z0-9+/=]+\Z))*)
"""
DOT = r"""
gate . \.(?=[\w-]{6})(?:eyJ|0-(?<=v1\.0-)|(?=[0-9a-f]{6})(?<=pat\w{14}\.)|[\w-]{6,7}\.[\w-]{27}|[A-Za-z0-9]{40}\
|(?=[\w-]{16})(?:(?<=SG\.)|(?<=ya29\.)|(?<=hv[sbr]\.)|(?<=dp\...\.)|(?<=0c01\.)|(?<=mws\.)|(?<=AQ\.))|atlasv1\.)
mapbox-token           -      [st]k\.eyJ[\w-]{20,200}+\.[\w-]{20,40}+
jwt                    -      eyJ(?:(?<![\w-]eyJ)|(?<=\\[nrt]eyJ)|(?<=meyJ)|(?<=%[0-9A-F][0-9A-F]eyJ)\
|(?<=\\u[0-9a-f]{4}eyJ))[\w-]{8,}+\.eyJ[\w-]{4,}+(?:\.[\w-]*+)?
cloudflare-key         -      v1\.0-[0-9a-f]{24}-[0-9a-f]{146}(?![A-Za-z0-9])
terraform-token        -      [A-Za-z0-9]{14}\.atlasv1\.[\w-]{50,80}+
airtable-token         -      pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![A-Za-z0-9])
dynatrace-token        -      dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}(?![A-Za-z0-9])
google-api-key         mixed  AQ\.Ab[\w-]{40,80}+
google-oauth-token     -      ya29\.[A-Za-z0-9_.-]{20,1024}+
amazon-mws-token       -      amzn\.mws\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])
sendgrid-key           -      SG\.[\w-]{16,64}+\.[\w-]{16,64}+
vault-token            mixed  hv[sbr]\.[\w-]{20,300}+
doppler-token          -      dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{1,40}\.)?[A-Za-z0-9]{40,44}+
discord-token          random [MNO][\w-]{22,27}\.[\w-]{6,7}\.[\w-]{27,40}+
"""
CAPITALS = r"""
gate I I(?:A(?<=A[KSB]IA)|QoJb3JpZ2lu|v(?<=FwoGZXIv)|za(?<=AIza)|(?<=LTAI)[A-Za-z0-9]{12})
aws-access-key         -      A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])
google-api-key         -      AIza[\w-]{35}(?![A-Za-z0-9])
aws-session-token      mixed  (?:IQoJb3JpZ2luX2Vj|FwoGZXIvYXdz)[A-Za-z0-9+/%]{100,4096}+={0,2}
alibaba-key            mixed  LTAI[A-Za-z0-9]{12,30}+(?![A-Za-z0-9])
"""
# Base64 of "-----BEGIN", unless a certificate or a public key goes on behind it.
OTHERS = r"""
gate A (?:A(?=TBB(?:[A-Za-z0-9]{32}|[A-Za-z0-9]{4,31}[\\\r]{0,2}\n)\
|TATT3|TCTT3|KCp[A-Za-z0-9]{50}|ZDO|AA[\w-]{40}|A{18}|BSKQmVk|(?<=EA)A[A-Za-z0-9]{80}))
bitbucket-password     mixed  ATBB[A-Za-z0-9]{32}(?![A-Za-z0-9])
atlassian-token        -      AT[AC]TT3[\w-]{40,300}+(?:=[0-9A-F]{8})?
artifactory-key        mixed  AKCp[A-Za-z0-9]{60,80}+
azure-devops-token     -      [A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])
aws-bedrock-key        mixed  ABSKQmVk[A-Za-z0-9+/]{90,140}+={0,2}
twitter-token          mixed  A{20,24}[A-Za-z0-9]{2,50}%[0-9A-F]{2}[A-Za-z0-9%]{30,100}+
facebook-token         random EAA[A-Za-z0-9]{80,400}+(?![\w+/=-])
square-token           random EAAA[\w-]{56,64}+(?![\w-])
"""
ENCODED_KEY = r"""
gate LS0tLS1CRUdJTi LS0tLS1CRUdJTi(?!BDRVJU|BQVUJM)
private-key            -      LS0tLS1CRUdJTi(?!BDRVJU|BQVUJM)[A-Za-z0-9+/]{60,65536}+={0,2}
"""
DOCKER_LOGINS = r"""
gate eyJhdXRocyI6 eyJhdXRocyI6
docker-logins          -      eyJhdXRocyI6[A-Za-z0-9+/]{20,65536}+={0,2}
"""
TILDE = r"""
gate ~ ~(?=[\w.~-]{30})(?:(?<=\dQ~)|(?<=sha256~))
azure-client-secret    -      (?:(?<![\w.~-])|(?<=\\[nrt]))[\w.~]{3}\dQ~[\w.~-]{31,34}(?![\w~-])
openshift-token        -      sha256~[\w-]{43}(?![\w-])
"""
TWILIO = "gate K K[0-9a-f]{32}\ntwilio-key - SK[0-9a-f]{32}(?![A-Za-z0-9])"
GITLAB_RUNNER = "gate GR1348941 GR1348941\ngitlab-token mixed GR1348941[\\w-]{20}(?![\\w-])"
NUGET = "gate oy2 oy2[a-z0-9]{43}\nnuget-key - oy2[a-z0-9]{43}(?![A-Za-z0-9])"
DATABRICKS = "gate dapi dapi\ndatabricks-token - dapi[0-9a-f]{32}(?:-[0-9])?(?![A-Za-z0-9])"
AUTH = r"""
gate B B(?=earer\s|asic\s)
bearer-token   given  Bearer\s+(?=[A-Za-z._~+/=-]*+\d)([A-Za-z0-9._~+/=-]{16,}+)
authorization  -      uthorization["']?\s{0,8}[:=,]\s{0,8}\\?["'`]?Basic\s+([A-Za-z0-9+/_-]{8,}+={0,2})
"""
AUTH_OF_ANY = r"""
gate uthorization uthorization["']?[:=]
authorization  digits uthorization["']?[:=][ ]{0,4}["']?[A-Z][\w-]{2,24}[ ](?:token=)?["']?([\w.+/=-]{20,4096}+)
signature      -      uthorization["']?[:=][^\n]{0,400}?(?:Signature|response)=\\{0,7}["']?([0-9a-f]{32,128}+)
"""
AUTH_IN_CAPITALS = r"""
gate UTHORIZATION UTHORIZATION["']?[:=][ ]
authorization  -      UTHORIZATION["']?[:=][ ]{1,4}(?i:basic|bearer|token)[ ]+([\w.+/=-]{8,4096}+)
"""
MASKED = "gate add-mask add-mask\npassword given ::add-mask::([^\\s\"'`]{6,4096}+)"
ENCODED_PAIR = r"""
gate % %3[AD]
password  set    (?i:passw(?:or)?d|token|secret|api_?key|pwd)%3D([^\s%&"'`\\]{6,4096}+)
password  given  %3A%2F%2F[^\s%]{1,64}%3A([^\s"'`\\]{1,256}?)%40
"""
FLAG = r"""
gate - -(?:-(?=[a-z])[a-z0-9-]{0,30}(?:passw|passph|token|secret|key|user|value|string|cookie|command)[a-z]{0,4}\
(?:[ =]+\S|["'],)\
|p(?<=sshpass -p)\
|(?<=[ ]-)(?:u[ ]?\\?["']?[^\s:"',]{1,64}[:,]|[paP][ ]?["']?[^\s"']{4}|S[ ]|passin|b[ ]|w[ ]|k[ ]|[AX][ ]\
|U[ ]?["']?[^\s%"']{1,64}%|(?:passwd|[a-z]{3,10}pass)[ ])|-password-stdin|SecureString[ ])
password  typed  --(?=[a-z])[a-z0-9-]{0,30}passw(?:or)?d[ ]+["']?([^\s"'`\\]{6,512}+)
secret    typed  --(?=[a-z])[a-z0-9-]{0,30}(?:passw(?:or)?d|token|secret|key)["'],[ ]{0,4}["']([^\s"'`\\]{6,512}+)["']
password  phrase --(?=[a-z])[a-z0-9-]{0,30}passw(?:or)?d[ =]+["']?((?:[a-z]{3,12}-){3,7}[a-z]{3,12})(?![\w-])
password  set    --(?=[a-z])[a-z0-9-]{0,30}phrase[ ]+["']?([^\s"'`\\]{6,512}+)
secret    typed  --(?=[a-z])[a-z0-9-]{0,30}(?:token|secret\
|(?:api|app|access|secret|auth|account|license|signing|encryption|master|private)-?key)[ ]+\
["']?([^\s"'`\\]{6,512}+)
password  given  curl\b[^\n]{0,300}?[ ](?:-u|--user)[ =]?\\?["']?[^\s:"'/\\]{1,64}:([^\s"'/\\]{1,256}+)
password  given  (?:mysql|mariadb)[a-z]{0,8}\b[^\n|;]{0,200}?[ ]-p["']?([^\s"'\\]{4,256}+)
password  given  ftp[ ][^\n|;]{0,100}?-u[ ]?["']?[^\s,"']{1,64},["']?([^\s"'`\\]{4,1024}+)
password  given  sshpass[ ]+-p[ ]*["']?([^\s"'\\]{3,256}+)
password  typed  (?:docker|podman|az|oc|helm|skopeo|cf)[ ][^\n|;]{0,120}?\
login\b[^\n|;]{0,200}?[ ]-p[ ]?["']?([^\s"'`\\]{6,256}+)
password  given  ldap[a-z]{2,10}\b[^\n|;]{0,200}?[ ]-w[ ]["']?([^\s"'`\\]{4,256}+)
password  given  [ ]-U[ ]?["']?[^\s%"']{1,64}%([^\s"'`\\]{4,256}+)
password  typed  [ ]-(?:passwd|(?:store|key|src|dest)[a-z]{0,5}pass)[ ]["']?([^\s"'`\\]{6,256}+)
password  given  ConvertTo-SecureString[ ](?:-String[ ])?\\{0,7}["']([^"'\n\\]{4,256}+)\\{0,7}["'][ ]+-AsPlain
password  typed  redis-cli\b[^\n|;]{0,200}?[ ]-a[ ]["']?([^\s"'`\\]{6,256}+)
password  typed  (?:7z|rar)[ ][^\n|;]{0,60}?-p([^\s"'`\\]{6,256}+)
password  set    snmp\w{2,10}[ ][^\n|;]{0,200}?[ ]-A[ ]["']?([^\s"'`\\]{6,256}+)
password  set    snmp\w{2,10}[ ][^\n|;]{0,200}?[ ]-X[ ]["']?([^\s"'`\\]{6,256}+)
password  typed  zip[ ][^\n|;]{0,60}?-P[ ]?["']?([^\s"'`\\]{6,256}+)
password  typed  openssl[ ][^\n|;]{0,200}?[ ]-k[ ]["']?([^\s"'`\\]{6,256}+)
password  typed  (?:https?|xh)[ ][^\n|;]{0,200}?-a[ ]["']?[^\s:"'/]{1,64}:([^\s"'`\\]{6,256}+)
password  set    [ ]-[uU][ ]?["']?[\w.@-]{1,64}["']?[ ]+-[pP][ ]?["']?((?!\d{1,5}:)[^\s"'`\\]{6,256}+)
password  typed  --password-command[ =]["']?echo[ ]([^\s"'`\\]{6,256}+)
secret    set    (?:secret|SecureString)[^\n]{0,300}?--(?:value|secret-string)[ =]["']?([^\s"'`\\]{6,4096}+)
cookie    set    curl\b[^\n]{0,300}?[ ](?:-b|--cookie)[ =]["']?[\w.-]{1,64}=([^\s"'`\\;]{8,4096}+)
password  typed  -passin[ ]pass:([^\s"'`\\]{4,256}+)
password  given  htpasswd[ ]+-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}[ ]+\S{1,200}[ ]+\S{1,64}[ ]+["']?([^\s"'`\\]{4,256}+)
password  typed  echo[ ]+(?:-n[ ]+)?["']?([^\s"'`\\|]{6,2048}+)["']?[ ]*\|[ ]*\
(?:sudo[ ]-S|docker[ ]login|[^\n]{0,80}--password-stdin)
"""
# Settings whose name and value are told apart.
_ENDS_SO = r"(?i:key(?:_base)?|token|secret|passw(?:or)?d|_pass|pwd|credentials?|_pat|_seed)"
_NAMED = rf"[\w./-]{{0,60}}?{_ENDS_SO}"
NAME_AND_VALUE = rf"""
gate alue alue\\{{0,7}}["']?[ ]{{0,2}}[:=]
secret  set    (?:ame|["']key)\\{{0,7}}["']?[ ]{{0,2}}[:=][ ]{{0,2}}\\{{0,7}}["']?{_NAMED}\\{{0,7}}["']?,?\
(?:[ ]?\\{{0,7}}["']\w{{1,20}}\\{{0,7}}["']:[ ]?\\{{0,7}}["']\w{{0,20}}\\{{0,7}}["'],)?\
(?:\s|\\n){{0,20}}\\{{0,7}}["']?[vV]alue\\{{0,7}}["']?[ ]{{0,2}}[:=][ ]{{0,2}}\\{{0,7}}["']?([^\s"'`\\]{{6,4096}}+)
secret  set    {_ENDS_SO}\\{{0,7}}["'][ ]?:[ ]?\{{[^{{}}]{{0,200}}?\
alue\\{{0,7}}["'][ ]?:[ ]?\\{{0,7}}["']([^\s"'`\\]{{6,4096}}+)
secret  set    alue\\{{0,7}}["'][ ]?:[ ]?\\{{0,7}}["']([^\s"'`\\]{{6,4096}}+)\\{{0,7}}["'],\
(?:\s|\\n){{0,20}}\\{{0,7}}["'][nN]ame\\{{0,7}}["'][ ]?:[ ]?\\{{0,7}}["']{_NAMED}\\{{0,7}}["']
secret  set    key=["']{_NAMED}["'][ ]{{1,4}}value=["']([^\s"'`\\]{{6,4096}}+)
"""
DEFAULT = rf"""
gate variable␣" default[ ]{{0,8}}=
secret  set    variable[ ]"{_NAMED}"[ ]\{{[^{{}}]{{0,300}}?default[ ]{{0,8}}=[ ]{{0,8}}"([^"\n]{{6,4096}}+)"
"""
# What people say a secret is, in a sentence; a point or a comma behind it ends the sentence, and not the secret.  A
# password that could be a name is one only where nothing goes on: "the password is server1-side" says something else.
_OF_WHAT = r"for|of|on|to|del|della|dello|di|do|da|de|für|vom|von|van|voor|för|til|till|w|na"
_WHOSE = rf"(?:[ ](?:{_OF_WHAT})[ ][^\n:=.,;!?]{{1,40}}?|[ ]\([^()\n]{{1,40}}\))"
_IS = r"[ ](?:is|was|ist|lautet|è|é|es|är|er|jest)(?:[ ](?:now|still|set[ ]to|changed[ ]to))?:?"
_TOLD = r"""["'`“‘]?((?:(?![.,;:?)\]}]{1,4}(?:\s|\Z)|\\+["'])[^\s"'`“”‘’」』]){6,4096}+)"""
_ENDED = r"""(?=[.,;:!?)\]}"'`“”‘’]|\s*\Z|[ ]*\n|[ ](?:and|but|for|on|at)\b)"""
_PASSWORD = rf"ass(?:wor[dt]|phrase)(?:{_WHOSE}?(?:{_IS}|[ ](?:changed|set|reset)?[ ]?to:?)|{_WHOSE}:)[ ]+{_TOLD}"
_SHORTLY = r"""[pP]ass(?:phrase)?\\{0,7}["']?[ ]{0,2}[:=][ ]{0,2}\\{0,7}"""
SAID = rf"""
gate ass ass(?:(?=code[ :])|(?=(?:wor[dt]|phrase)(?:[ ](?:is|was|ist|lautet|{_OF_WHAT}|changed|set|reset|\()))\
|(?=word\s(?:(?:[=–—→èé]|es|-{{1,2}}>?)[ ])?["'`“]?[^\s"'`“\d]{{0,60}}+\d)\
|(?<=[ ]de[ ]pass)(?=e,?[ ])|(?<=[pP]ass)(?=(?:phrase)?\\{{0,7}}["']?[ ]{{0,2}}[:=]\
[ ]{{0,2}}\\{{0,7}}["']?(?!\#)[^\s"'`\d]{{0,60}}+\d))
password  told   {_PASSWORD}
password  named  {_PASSWORD}{_ENDED}
password  plain  {_PASSWORD}
password  named  asscode(?:[ ]is)?:?[ ]([\w-]{{4,64}}+)
password  plain  assword[ ](?:(?:[=–—→èé]|es|-{{1,2}}>?)[ ])?{_TOLD}
password  plain  ot[ ]de[ ]passe,?[ ](?:c['’]est[ ]|est[ ]|:[ ])?{_TOLD}
password  named  ot[ ]de[ ]passe,?[ ](?:c['’]est[ ]|est[ ]|:[ ])?{_TOLD}{_ENDED}
password  typed  assword[ ]["']([^\s"'`\\]{{6,256}}+)["']
password  given  login\s+\S{{1,128}}\s+password\s+(\S{{4,256}}+)
password  told   {_SHORTLY}{_TOLD}
password  named  {_SHORTLY}{_TOLD}{_ENDED}
"""
IN_SQL = r"""
gate ' '(?<=[ ]')(?:(?<=PASSWORD[ ]')|(?<=[ ]BY[ ]')|(?<=[ ]by[ ]'))
password  given  (?:PASSWORD|IDENTIFIED(?:[ ]WITH[ ]\w{1,40})?[ ]BY|identified[ ]by)[ ]'([^\s'\\]{4,256}+)'
"""
TOKEN_SAID = rf"""
gate oken oken(?=[ ](?:(?:is|was|for|of|on|to)[ ]|\())
token  coded  oken(?:{_WHOSE}?{_IS}|{_WHOSE}:)[ ]+{_TOLD}
"""
SECRET_SAID = rf"""
gate ecret ecret(?=[ ](?:(?:is|was|for|of|on|to)[ ]|\())
secret  coded  ecret(?:{_WHOSE}?{_IS}|{_WHOSE}:)[ ]+{_TOLD}
"""
KEY_SAID = rf"""
gate key key(?=[ ](?:(?:is|was|for|of|on|to)[ ]|\()|[ ]{{0,2}}(?:[:=→]|->)[ ]|,[ ](?:it|that)['’ ])(?<=[ _]key)
api-key  coded  [ ]key(?:(?<=[aA][pP][iI][ ]key)|(?<=access[ ]key)|(?<=secret[ ]key)|(?<=rivate[ ]key))\
(?:{_WHOSE}?{_IS}|{_WHOSE}?[ ]{{0,2}}(?:[:=→]|-{{1,2}}>))[ ]+{_TOLD}
api-key  coded  [ ]key,[ ](?:it|that)(?:['’]s|[ ]is)(?:[ ]now)?:?[ ]+{_TOLD}
api-key  coded  _key{_IS}[ ]+{_TOLD}
"""
# Settings in capitals that no `=` stands behind: of a Dockerfile, a shell, a table, a sentence.
_ENDING = r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD|CREDENTIALS?)"
_SETTING = rf"[A-Z][A-Z0-9_]{{0,60}}?{_ENDING}"
_SPACED = r"""[ ]+(?:--body[ =]+)?["']?([^\s"'`\\=]{6,4096}+)"""
SETTING = rf"""
gate _ _(?={_ENDING}`?[ ,])
secret  set    (?:ENV|setx|define)[ ]{_SETTING}{_SPACED}
secret  set    (?:set[ ]-[A-Za-z]{{1,3}}|secret[ ]set|vars?[ ]set)[ ]+{_SETTING}{_SPACED}
secret  set    [A-Z0-9]_{_ENDING}`?[ ]{{1,40}}[|][ ]{{1,4}}`?([^\s|`]{{8,4096}}+)
secret  set    [A-Z0-9]_{_ENDING},([^\s,"'`|()]{{16,4096}}+)(?=\s|,|\Z)
secret  set    [A-Z0-9]_{_ENDING}`?(?:{_IS}|[ ]to|[ ]as)[ ]+{_TOLD}
"""
_PHRASE = r"""\\{0,7}["']?((?:[a-z]{3,8}[ ]){11,23}[a-z]{3,8}+)"""
_KEY_LINE = r"[ \t>+]{0,12}(?:\d{1,6}(?:\t|→))?[A-Za-z0-9+/=]{4,76}+"
COLON = rf"""
gate : :(?:(?=//|AA|\d{{4,5}}:|\*:|[0-9a-f]{{32}})(?://(?:[^\s/:@"'<>]{{0,128}}:[^\s/@"'<>]{{1,1024}}@\
|[\w.%+~-]{{20,1024}}+@|hooks\.|\w{{0,9}}\.?discord|[\w-]{{1,40}}\.webhook\.)|AA[\w-]{{32}}|(?:\d{{4,5}}|\*):[\w*.-]+:[\w*.-]+:\S|(?<=\d:)[0-9a-f]{{32}})\
|(?<=[ws]:)(?:(?<=pw:)|(?<=redentials:))|(?<=h["']:)(?<=auth["']:)|(?<=h\\["']:)|APA91b\
|(?<=[hscCeprn]:)(?:(?<=hrase:)[ ]|(?<=[cC]:)(?<=(?i:nemonic):)[ ]|(?<=-Lines:)|(?<=otpauth:)|(?<=/p:)|(?<=/user:)\
|(?<=thin:)))
slack-webhook          -      ://hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{{16,255}}+)
discord-webhook        -      ://(?:\w{{1,9}}\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/(\d{{8,}}/[\w-]{{0,255}}+)
zapier-webhook         -      ://hooks\.zapier\.com/hooks/catch/([\w/]{{6,80}}+)
password               given  jdbc:oracle:thin:\w{{1,64}}/([^\s"'/@\\]{{4,128}}+)@
teams-webhook          -      ://[\w-]{{1,40}}\.webhook\.office\.com/webhookb2/([\w@/-]{{20,400}}+)
token                  chance ://([\w.%+~-]{{20,1024}}+)@(?=[\w\[])
password               given  ://[^\s/:@"'<>]{{0,128}}:([^\s/"'<>]{{1,1024}})@(?!sha\d)(?=[\w\[.$%{{-])
password               typed  :(?:\d{{4,5}}|\*):[\w*.-]{{1,64}}:[\w*.-]{{1,64}}:([^\s:"'`\\]{{6,256}}+)
telegram-token         -      \d{{8,10}}:AA[\w-]{{32,33}}(?![\w-])
telegram-token         -      bot(\d{{8,10}}:AA[\w-]{{32,33}})(?![\w-])
password               told   pw:(?<![A-Za-z]pw:)[ ]{{0,2}}{_TOLD}
password               named  pw:(?<![A-Za-z]pw:)[ ]{{0,2}}{_TOLD}{_ENDED}
password               plain  redentials:[ ](?:are[ ]|is[ ])?[^\s/]{{1,64}}[ ]?/[ ]?{_TOLD}
password               given  freerdp\b[^\n|;]{{0,200}}?[ ]/p:["']?([^\s"'`\\]{{4,256}}+)
password               given  net[ ]use[ ](?:\w:[ ])?\S{{1,200}}[ ](?![*/])([^\s"'`]{{4,256}}+)[ ]+/user:
authorization          login  auth\\{{0,7}}["'][ ]{{0,2}}:[ ]{{0,2}}\\{{0,7}}["']([A-Za-z0-9+/_-]{{8,512}}+={{0,2}})
otp-seed               -      otpauth://[^\s"'<>]{{0,200}}?[?&]secret=([A-Za-z2-7=]{{8,128}}+)
firebase-key           -      AAAA[\w-]{{7}}:APA91b[\w-]{{100,200}}+
private-key            -      Private-Lines:[ ]\d{{1,3}}((?:(?:\\n|\r?\n){_KEY_LINE}(?=\\n|\r?\n|\Z)){{1,200}}+)
seed-phrase            -      (?i:seed|recovery|backup|secret|mnemonic)[ _-]?[pP]hrase\\{{0,7}}["']?:[ ]{{0,2}}{_PHRASE}
seed-phrase            -      (?i:nemonic):[ ]{{1,2}}{_PHRASE}
asana-token            -      /[0-9]{{10,20}}(?:/[0-9]{{10,20}})?:[0-9a-f]{{32}}(?![A-Za-z0-9])
"""
WEB_KEY = r"""
gate kty kty\\{0,7}["']
private-key            digits ["'](?:d|p|q|dp|dq|qi|k)\\{0,7}["'][ ]{0,2}:[ ]{0,2}\\{0,7}["']([\w-]{20,1024}+)
"""
HASHED = r"""
gate $ \$(?=(?:[1567y]|apr1|gy|2[abxy]|argon2id?|production|sandbox)\$)
braintree-token        -      access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}(?![A-Za-z0-9])
password-hash          -      \$argon2id?\$v=\d{1,3}\$[\w=,]{5,40}\$[A-Za-z0-9+/]{8,64}\$[A-Za-z0-9+/]{16,128}+
password-hash          -      \$(?:apr1|1)\$[\w./]{1,8}\$[A-Za-z0-9./]{22}(?![A-Za-z0-9./])
password-hash          -      \$(?:[567y]|gy|2[abxy])\$(?:[\w=,.]{1,30}\$){0,3}[A-Za-z0-9./]{22,128}+
"""
MNEMONIC = rf"""
gate NEMONIC NEMONIC[ ]?[:=]
seed-phrase            -      NEMONIC[ ]?[:=][ ]?{_PHRASE}
"""
SHARED_KEY = """
gate psk psk[ ]?=
password               typed  psk[ ]?=[ ]?\\\\{0,7}["']?([^\\s"'`\\\\]{8,63}+)
"""
BOUND = "gate bindpw bindpw[ ]\npassword typed bindpw[ ]+[\"']?([^\\s\"'`\\\\]{6,256}+)"
ODBC = r"""
gate d={ (?i:pwd|password)=\{
password  typed  (?i:uid|user[ ]id)=[^;\n]{1,64};[^\n]{0,60}?(?i:pwd|password)=\{([^{}\s]{4,256}+)\}
"""
MANIFEST = r"""
gate kind:␣Secret kind:[ ]Secret\b
secret                 base64 [ ]{2}[\w.-]{1,80}:[ ]([A-Za-z0-9+/]{8,8192}+={0,2})(?=\s|\\n|\Z)
"""
_PLAIN = (TWILIO, DATABRICKS, NUGET, DOCKER_LOGINS, GITLAB_RUNNER)
LONG_WORDS = (UNDERSCORE, DASH, DOT, CAPITALS, OTHERS, ENCODED_KEY, *_PLAIN)

AFTER_A_COLON = (COLON, AUTH_OF_ANY, AUTH_IN_CAPITALS, MASKED)
WITH_PAIRS = (NAME_AND_VALUE, DEFAULT, MANIFEST, WEB_KEY, ODBC, MNEMONIC, SHARED_KEY)
ANYWHERE = (TILDE, FLAG, AUTH, ENCODED_PAIR, SAID, IN_SQL, TOKEN_SAID, SECRET_SAID, KEY_SAID, SETTING, HASHED, BOUND)
# How tokens begin that may be broken over lines.
BEGINNINGS = (
    r"gh[pousr]_|github_pat_|gl[a-z]{2,5}-|xox[a-z]|xapp-|[sr]k_(?:live|test|prod)_|whsec_|sk-|AIza|ya29\.|GOCSPX-|1//0"
    r"|npm_|pypi-|rubygems_|hf_|SG\.|A[KS]IA|SK[0-9a-f]|key-|xkeysib-|re_|do[opr]_v1_|dapi|shp[a-z]{2,3}_|sq0|EAAA|lin_"
    r"|ntn_|secret_|pat[A-Za-z0-9]{14}\.|fig[dor]_|PMAK-|vc[pkiar]_|nfp_|HRKU-|fm[12]|fo1_|sbp?_|pscale_|napi_|dp\.|hv[sbr]\."
    r"|pul-|AGE-SECRET|tskey-|dckr_|glsa_|glc_|NRAK-|sntry[us]_|sq[pua]_|CCIPAT_|bkua_|gsk_|xai-|pplx-|r8_|lsv2_|pcsk_|sk_"
    r"|dt0[a-z]\d\d\.|LTAI|AKCp|ops_|sha256~|eyJ|AT[AC]TT3|ATBB|nvapi-|tvly-|nk_|LS0tLS1CRUdJTi|\d{8,10}:AA|[MNO][\w-]{22}"
)
