"""Where secrets stand that have no form and no key of their own: behind commands, in calls, in files of settings, in
sentences, and below the commands that print them; data for `redact`, in tables as those of `token_forms`.

Every table costs each message a search, so that those are together whose words have a letter in common.
"""

_VALUE = r"""["']?([^\s"'`\\]{6,4096}+)"""
# A title may be cut off within.
_QUOTED = r"""[rbfu]?\\{0,7}["']([^\s"'`\\…]{6,256}+)(?:\\{0,7}["']|…)"""
_ANYTHING = r"""\\{0,7}["'][^"'\n]{0,128}\\{0,7}["']"""
_OF_SECRETS = r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|CREDENTIALS?)"
_GLUE = r"(?:[\s+>|,]|\\[nt]){1,12}"
_CODE = r"(?:(?:[-*]|\d{1,6}[.)→]?)(?:[ \t]|\\t))?[a-z0-9]{4,6}-[a-z0-9]{4,6}(?:-[a-z0-9]{4,6}){0,3}"
_TOLD = r"""["'`“‘]?((?:(?![.,;:?)\]}]{1,4}(?:\s|\Z)|\\+["'])[^\s"'`“”‘’]){6,256}+)"""

WITH_Q = rf"""
gate q q(?=uirepass[ "'\\]|lplus[ ]|ctl[ ])
password  set    mqctl[ ](?:add_user|change_password)[ ]\S{{1,64}}[ ]{_VALUE}
password  set    sqlplus[ ](?:-\w{{1,3}}[ ])?\w{{1,64}}/([^\s"'/@\\]{{4,128}}+)
password  set    requirepass(?:[ ]+|\\{{0,7}}["'],[ ]?\\{{0,7}}){_VALUE}
"""
WITH_C = rf"""
gate c c(?:onfigure[ ]set[ ]|argo[ ]login[ ]|rypt_string[ ]|hpasswd|reds\b|overy[ ]code\
|ho[ ][^\n|]{{6,400}}\|[^\n]{{0,60}}secrets?[ ](?:create|put|set|add|versions)\b)
secret    set    configure[ ]set[ ][\w.-]{{0,60}}(?:secret|key|token|passw)\w{{0,20}}[ ]{_VALUE}
token     set    cargo[ ]login[ ]{_VALUE}
secret    set    encrypt_string[ ](?:--\S{{1,60}}[ ]){{0,3}}{_QUOTED}
password  set    echo[ ]+["']?[\w.-]{{1,64}}:([^\s"'`\\|]{{4,256}}+)["']?[ ]*\|[ ]*(?:sudo[ ])?chpasswd
secret    set    echo[ ]+(?:-n[ ]+)?["']?([^\s"'`\\|]{{6,4096}}+)["']?[ ]*\|\
[^\n]{{0,60}}secrets?[ ](?:create|put|set|add|versions)\b
password  plain  creds[ ]?(?:are|is|=)?:?[ ][^\s:/]{{1,64}}:(?!//){_TOLD}
recovery-code digits covery[ ]codes?:?{_GLUE}({_CODE}(?:{_GLUE}{_CODE}){{0,20}}+)
"""
WITH_LESS = rf"""
gate < <(?=<<[ ]?["']?\S{{6}}|key>[\w-]{{0,40}}(?i:key|token|secret|password)</)
secret    set    (?:secrets?|token|passw|login|vault|luks|sudo|KEY|TOKEN|PASSW)[^\n]{{0,200}}?<<<[ ]?{_VALUE}
secret    set    <key>[\w-]{{0,40}}(?i:key|token|secret|password)</key>\
(?:[\s>+|→\d]|\\[nt]){{0,40}}<string>([^<\s]{{8,512}}+)</string>
"""
UNSEALED = r"""
gate nseal nseal[ ]
vault-key -      nseal[ ](?:Key[ ]\d{1,2}:[ ]{1,4})?([A-Za-z0-9+/]{40,100}+={0,2})
"""
GIVEN_TO = r"""
gate addlogin addlogin[ ]'
password  set    sp_addlogin[ ]'[^'\n]{1,64}',[ ]{0,2}'([^\s']{4,256}+)'
"""
FOR_COMPOSER = r"""
gate http-basic. http-basic\.
password  set    http-basic\.\S{1,100}[ ]\S{1,64}[ ]["']?([^\s"'`\\]{4,256}+)
"""
ECHOED = r"""
gate <(echo␣ <\(echo[ ]
secret    set    (?i:passw|token|secret|key|login)[^\n]{0,80}?<\(echo[ ](?:-n[ ])?["']?([^\s"'`)\\]{6,4096}+)
"""
FOR_BUNDLER = r"""
gate bundle␣config bundle[ ]config[ ]
password  set    bundle[ ]config[ ](?:set[ ])?(?:--\w{1,9}[ ])?[\w.-]{1,80}[ ]["']?[^\s:"']{1,64}:([^\s"'`\\]{4,256}+)
"""
AT_A_HOST = r"""
gate @ @(?:\d{1,3}(?:\.\d{1,3}){3}\b|localhost\b)
password  typed  (?<![\w/:.@-])[a-z][\w.-]{0,31}:([^\s:@/"'`\\]{6,128}+)@(?=\d{1,3}(?:\.\d{1,3}){3}\b|localhost\b)
"""
RUN_AS = r"""
gate /rp␣ /rp[ ]
password  set    /ru[ ]\S{1,64}[ ]/rp[ ]["']?([^\s"'`\\]{4,256}+)
"""
INSERTED = r"""
gate passw (?i:into)[ ][^\n]{0,200}passw
password  typed  passw\w{0,20}["`]?\)\s{0,4}(?i:values)\s{0,4}\((?:[^\n)]{0,300}[,(][ ]?)?'([^\s']{6,256}+)'\)
"""
PIPED = r"""
gate printf␣ printf[ ]
secret    set    printf[ ](?:["']%s["'][ ])?["']([^\s"'`\\]{6,4096}+)["'][ ]*[|>][^\n]{0,60}(?:secret|passw|login)
"""
NET_USER = r"""
gate net␣user net[ ]user[ ]
password  set    net[ ]user[ ]\S{1,64}[ ](?![*/])([^\s"'`\\]{4,256}+)[ ]+/add
"""
MASTER = rf"""
gate masterauth masterauth[ ]
password  set    masterauth[ ]+{_VALUE}
"""
MAILED = r"""
gate ]: \]:\d{2,5}[ \t]+[^\s:]{1,64}:\S{6}
password  set    \[[a-zA-Z][\w.-]{2,80}\]:\d{2,5}[ \t]+[^\s:]{1,64}:([^\s"'`\\]{6,256}+)
"""
VAULT_HEADER = r"""
gate ault-Token ault-Token["']?:
token     given  ault-Token["']?:[ ]{0,2}["']?([\w.-]{10,200}+)
"""
SHARED = r"""
gate PSK PSK[ ]?=
password  typed  PSK[ ]?=[ ]?\\{0,7}["']?([^\s"'`\\]{8,63}+)
"""
SLASHED = rf"""
gate ␣/␣ [ ]/[ ][^\s\d]{{0,60}}+\d
password  plain  (?:use|with|[lL]ogin(?:[ ]as)?|in[ ]as|user|username|creds?|account|are|[zZ]ugangsdaten\
|[iI]dentifiants|[cC]reden(?:ciales|ziali|ciais)|[lL]ogins|[aA]ccess|[aA]nmeldung|доступ)\
:?[ ][^\s/]{{1,64}}[ ]/[ ]{_TOLD}
password  plain  (?<![\w/.-])(?:root|admin|administrator|sa|postgres|guest|demo|test|deploy|ubuntu)[ ]/[ ]{_TOLD}
"""
SHORTLY = rf"""
gate pw␣ \bpw[ ]
password  plain  \bpw(?:[ ](?:for|of|on|to)[ ][^\n:=.,;!?]{{1,40}}?)?(?:[ ]is)?[ ]{_TOLD}
"""
LOGGED_IN = rf"""
gate og␣in␣ og[ ]in[ ](?:with|as)[ ]
password  plain  og[ ]in[ ](?:with|as)[ ][^\s,]{{1,80}}(?:[ ]and|,|[ ]/)[ ](?:the[ ])?(?:pass(?:word)?[ ])?{_TOLD}
"""
NAMED_SHORTLY = rf"""
gate pw␣= pw[ ]=[ ]?[rbfuN]?\\{{0,7}}["']
password  given  (?<![A-Za-z])pw[ ]=[ ]?{_QUOTED}
"""
ASKED_FOR = r"""
gate pw? pw\?\s
password  plain  pw\?\s{1,4}(?:[\w@. -]{1,30}:[ ]{0,2}|[-*>][ ]{0,2})?([^\s"'`]{6,128}+)(?=[ ]*(?:\n|\Z))
"""
ASKED_IN_FULL = r"""
gate sword? sword\?\s
password  plain  sword\?\s{1,4}(?:[\w@. -]{1,30}:[ ]{0,2}|[-*>][ ]{0,2})?([^\s"'`]{6,128}+)(?=[ ]*(?:\n|\Z))
"""
# No test that will pass, and nobody who is to pass.
_NO_VERB = r"(?<![A-Za-z])(?<!will[ ])(?<!ould[ ])(?<!must[ ])(?<!to[ ])(?<!ests[ ])(?<!n[o'’]t[ ])"
PASS_FOR = rf"""
gate pass␣ pass[ ](?:for|of|on|to)[ ][^\n:=]{{1,40}}(?::|[ ]is)[ ]
password  plain  {_NO_VERB}pass[ ](?:for|of|on|to)[ ][^\n:=.,;!?]{{1,40}}?(?::|[ ]is)[ ]{_TOLD}
"""
FOR_A_KEY = r"""
gate keygen␣ keygen[ ][^\n]{0,200}-[NP][ ]
password  set    keygen[ ][^\n|;]{0,200}?[ ]-[NP][ ]["']?([^\s"'`\\]{4,256}+)
"""
FOR_MINIO = rf"""
gate alias␣set␣ alias[ ]set[ ]
secret    set    alias[ ]set[ ]\S{{1,64}}[ ]https?://\S{{1,200}}[ ]\S{{1,64}}[ ]{_VALUE}
"""
AUTHORIZED = rf"""
gate auth␣ auth[ ](?:with[ ]|as[ ])?[^\s:/]{{1,64}}:[^\s/]
password  plain  auth[ ](?:with[ ]|as[ ])?[^\s:/]{{1,64}}:(?!//){_TOLD}
"""
FOR_APACHE = rf"""
gate htpasswd␣ htpasswd[ ]-
password  set    htpasswd[ ]-\w{{0,6}}b\w{{0,6}}[ ](?:\S{{1,200}}[ ])?\S{{1,64}}[ ]{_VALUE}
"""
EXPECTED = r"""
gate ssword: ssword:(?:[^\n]{0,12}(?:\n|\\n)[ \t>|+\d→]{0,12}(?:\{[ ]*)?send[ ]\
|\n{1,2}[ \t>|+\d→]{0,12}\S{6})
password  told   ssword:\n{1,2}[ \t>|+]{0,12}(?:\d{1,6}[\t→])?([^\s"'`]{6,64}+)(?=[ ]*(?:\n|\Z))
password  set    ssword:[^\n]{0,12}(?:\n|\\n)[ \t>|+\d→]{0,12}(?:\{[ ]*)?\
send[ ](?:--[ ])?\\{0,3}["'](?!\$)([^\s"'`\\]{4,256}+)\\{1,3}[rn]
"""
SET_HEADER = r"""
gate zation␣ zation[ ]\\{0,7}["'](?:Basic|Bearer)
authorization given zation[ ]\\{0,7}["'](?:Basic|Bearer)[ ]([\w+/=.~-]{8,4096}+)
"""
MADE_AT_FIRST = r"""
gate is␣generated␣for␣ sword[ ]is[ ]generated[ ]for[ ]
password  set    sword[ ]is[ ]generated[ ]for[ ]\S{1,100}:[ ]([^\s"'`]{6,128}+)
"""
IN_A_ROW = r"""
gate sword␣␣ sword[ ]{2}
password  set    (?:\A|\n|\\n)[ \t>|+\d→]{0,12}[\w-]{0,24}password[ ]{2,40}\
([^\s"'`\\]{6,256}+)(?=[ ]*(?:\r?\n|\\n|["']|\Z))
"""
# Commands that print a secret, and nothing else, on the next line of what was pasted.
_NEXT_LINE = (
    r"""[^\n"'`]{0,200}?(?:\r?\n|\\n|\\r\\n)[ \t>+|]{0,12}(?:\d{1,6}[\t→]|\d{1,6}\\t)?"""
    r"""([^\s"'`\\]{6,4096}+)(?=["'`]{0,2}[ ]{0,8}(?:\r?\n|\\n|\}|\Z))"""
)
PRINTING = (
    r"cat[ ][^\s\\]{0,100}secrets/[^\s\\]{1,100}",
    r"cat[ ][^\s\\]{0,100}\.key",
    r"pass[ ]show[ ][^\s\\]{1,100}",
    r"op[ ]read[ ]",
    r"kubectl[ ]get[ ]secrets?[ ][^\n]{0,200}base64[ ]-(?:d|-decode)",
    r"security[ ]find-generic-password[ ][^\n]{0,100}?-w",
    r"vault[ ][^\n]{0,100}?-field=\w{0,20}(?i:key|token|secret|password)\b",
    rf"heroku[ ]config:get[ ]\w{{0,60}}{_OF_SECRETS}\w{{0,20}}",
    rf"echo[ ]\$\{{?[A-Z0-9_]{{0,60}}{_OF_SECRETS}\}}?",
    rf"printenv[ ][A-Z0-9_]{{0,60}}{_OF_SECRETS}",
    rf"terraform[ ]output[ ]-raw[ ]\w{{0,60}}(?i:{_OF_SECRETS})\w{{0,20}}",
    r"g?cloud[ ]secrets[ ]versions[ ]access[ ]",
    r"aws[ ](?:secretsmanager[ ]get-secret-value|ssm[ ]get-parameter)[ ][^\n]{0,200}--output[ ]text",
    r"az[ ]keyvault[ ]secret[ ]show[ ][^\n]{0,200}-o[ ]tsv",
    r"(?:gh[ ]auth[ ]token|bw[ ]get[ ]password[ ]|doppler[ ]secrets[ ]get[ ][^\n]{0,60}--plain|gopass[ ]show[ ])",
    rf"pulumi[ ]config[ ]get[ ]\w{{0,60}}(?i:{_OF_SECRETS})",
    r"openssl[ ]rand[ ]-(?:base64|hex)[ ]\d{1,3}",
)
_PRINTERS = (
    r"cat|pass|op|kubectl|security|vault|heroku|echo|printenv|openssl|terraform|gcloud|aws|az|gh|bw|doppler|gopass"
    r"|pulumi"
)
PRINTED = "\n".join(
    [
        rf"gate $␣ \$[ ](?:{_PRINTERS})[ ]",
        *(rf"secret set \$[ ]{command}{_NEXT_LINE}" for command in PRINTING),
    ]
)
# Calls that are given a login or a key.
GIVEN_FIRST = rf"""
gate ( \((?=[ ]?[rbfu]?\\{{0,7}}["'])(?:(?<=auth=\()|(?<=BasicAuth\()|(?<=login\()|(?<=create_user\()|(?<=superuser\()\
|(?<=_password\()|(?<=PASSWORD\()|(?<=define\()|(?<=Client\()|(?<=hmac\.new\()|(?<=Fernet\()|(?<=AES\.new\()\
|(?<=crypt\.hash\()|(?<=KeySpec\()|(?<=Credential\()|(?<=redentials\()|(?<=_auth\()|(?<=liasearch\())
password  set    (?:auth=|BasicAuth|\.login)\([ ]?{_ANYTHING},[ ]{{0,4}}{_QUOTED}
password  set    (?:Credential|_auth)\([ ]?{_ANYTHING},[ ]{{0,4}}(?:Some\()?{_QUOTED}
password  set    redentials\([ ]?(?:{_ANYTHING},[ ]{{0,4}}){{1,3}}{_QUOTED}
api-key   -      liasearch\([ ]?{_ANYTHING},[ ]{{0,4}}["']([0-9a-f]{{32}})["']
password  set    create_(?:super)?user\((?:{_ANYTHING},[ ]{{0,4}}){{1,2}}{_QUOTED}
password  set    (?:set|check|change|reset|hash|make|verify)_password\({_QUOTED}
password  given  PASSWORD\(["']([^\s"'\\]{{6,256}}+)["']\)
secret    given  define\([ ]{{0,2}}["'][A-Z0-9_]{{0,40}}(?:{_OF_SECRETS}|SALT)["'],[ ]{{0,4}}["']\
([^"'\n\\]{{6,256}}+)["']
twilio-token -   Client\(\\{{0,7}}["']AC[0-9a-f]{{32}}\\{{0,7}}["'],[ ]{{0,4}}\\{{0,7}}["']([0-9a-f]{{32}})\\{{0,7}}["']
secret    set    (?:hmac\.new|AES\.new|KeySpec)\([ ]?{_QUOTED}
password  set    crypt\.hash\([ ]?{_QUOTED}
secret    -      Fernet\([ ]?b?["']([\w-]{{43}}=)["']
"""
CONNECTED = rf"""
gate etConnection( etConnection\(
password  set    etConnection\([^()\n"']{{0,80}}(?:{_ANYTHING},[ ]{{0,4}}){{1,2}}{_QUOTED}
"""
PDO = rf"""
gate PDO( PDO\(
password  set    PDO\([^()\n"']{{0,80}}(?:{_ANYTHING},[ ]{{0,4}}){{1,2}}{_QUOTED}
"""
FOR_TWILIO = r"""
gate ccount_ ccount_(?:sid|SID)
twilio-token -    ccount_(?:sid|SID)["'\]]{0,2},[ ]?["']([0-9a-f]{32})["']
"""
SIGNED = rf"""
gate jwt. jwt\.(?:sign|verify|encode|decode)\(
secret    set    jwt\.(?:sign|verify|encode|decode)\([^()\n"']{{1,80}},[ ]{{0,4}}{_QUOTED}
"""
PLACES = (
    *(WITH_Q, WITH_C, WITH_LESS, UNSEALED, NET_USER, MASTER, MAILED, VAULT_HEADER, SHARED, SLASHED, SHORTLY),
    *(LOGGED_IN, PRINTED, RUN_AS, INSERTED, PIPED, ECHOED, FOR_BUNDLER, AT_A_HOST, GIVEN_TO, FOR_COMPOSER),
    *(FOR_APACHE, EXPECTED, SET_HEADER, MADE_AT_FIRST, IN_A_ROW),
    *(AUTHORIZED, NAMED_SHORTLY, ASKED_FOR, ASKED_IN_FULL, PASS_FOR, FOR_A_KEY, FOR_MINIO),
)
CALLS = (FOR_TWILIO, GIVEN_FIRST, CONNECTED, PDO, SIGNED)
