"""Words that mean the same, the opposite or one of several values, and how much words tell; data, kept apart from code.

A line names a concept and lists its words; those behind a bar mean the opposite.  Words are listed in their usual form
and compared by their stems, so only forms that no rule of stemming finds are listed beside it.
"""

# Verbs and states that turn a whole clause: "removed the cache" says of the cache what "no cache" says.
TURNING = """
use: use using choose chose chosen choice pick select adopt employ utilise utilize prefer preferred want decide decided
    decision rely favour favor selected gewählt verwenden verwendet nutzen nutzt utiliser utilisons usar usamos uso
    использовать используем используется standardise standardize
    | reject rejected avoid decline refuse dismiss abandon ditch shun discourage eschew ablehnen vermeiden evitar éviter
add: add added insert introduce create made make build built keep kept retain retained append register install
    installed implement implemented provide include attach preserve define new write written wrote stay remain
    | remove removed delete deleted drop dropped erase purge uninstall omit exclude discard eliminate strip stripped
    scrap kill detach deprecate deprecated retire skip ignore ignored
enable: enable activate on turnon allow permit allowed let lets accept grant active
    | disable deactivate off turnoff forbid forbidden prohibit ban deny disallow block prevent suppress mute inactive
pass: pass passing succeed success successful green work works working ok
    | fail failing failed failure failures red break broke broken breaks
start: start begin began begun launch boot resume startup
    | stop stopped halt pause cease quit
require: require required requires need needs needed necessary mandatory essential compulsory
    | optional unnecessary needless superfluous redundant
exist: exist exists present available
    | missing absent lacking nonexistent lack lacks unavailable
"""

# Words that have an opposite, but say nothing of the rest of their clause.
OPPOSITES = """
high: high big large great many more long larger bigger greater longer above exceed | low small little few less short
    brief concise terse tiny smaller fewer shorter below beneath under
raise: raise raised increase grow grew bump extend lengthen double maximise maximize higher upgrade
    | lower lowered reduce decrease shrink shrank shorten cut halve minimise minimize downgrade
show: show shown display reveal expose visible render | hide hidden hid conceal invisible
lock: lock locked | unlock unlocked
open: open opened | close closed shut
connect: connect link | disconnect unlink
encrypt: encrypt encrypted | decrypt plaintext
fast: fast quick quickly faster quicker rapid speedy | slow slowly slower sluggish
sync: synchronous synchronously sync blocking | asynchronous asynchronously async nonblocking
atmost: atmost upto maximum max limit cap ceiling | atleast minimum min floor
first: first initial | last final
public: public | private
internal: =internal =internally | =external =externally
local: local locally | remote remotely
strict: strict strictly | lenient loose relaxed
stable: stable reliable deterministic | flaky unstable intermittent nondeterministic unreliable
ascending: ascending asc | descending desc
safe: safe | unsafe dangerous
valid: valid | invalid malformed
simple: simple simpler easy easier easily straightforward | complex complicated hard harder difficult
early: early eager eagerly | late lazy lazily
mutable: mutable | immutable readonly
shared: shared share | separate dedicated isolated
manual: manual manually hand | automatic automatically auto automated
stateful: =stateful | =stateless
full: full complete whole entire | empty blank partial incomplete
known: known know knows familiar aware understand understood | unknown unfamiliar unaware
right: correct right proper properly | wrong incorrect mistaken
hot: hot warm | cold
online: online | offline
better: better best superior | worse worst inferior
"""

# Words for the same thing that stemming does not bring together.
SAME = """
database: database db databases
repository: repository repo repos
configuration: configuration config configure settings setting cfg
authentication: authentication auth authenticate
login: login logon signin
environment: environment env
directory: directory folder dir
function: function func fn method routine
argument: argument arg parameter param
dependency: dependency dep deps
document: documentation docs doc document
development: development dev
production: production prod live
message: message msg
library: library lib package
application: application app
image: image img picture
number: number num count amount
error: error exception err
crash: crash panic segfault abort die dies died
bug: bug defect problem issue
repair: fix fixed repair resolve resolved solve solved cure correct corrected patch
request: request req
response: response reply answer answers return returns respond responds
endpoint: endpoint route api
user: user person people
clear: clear reset flush clean cleanup wipe empties
retry: retry reattempt retries retried
hang: hang hangs hung freeze frozen froze stall stuck deadlock
copy: copy clone
sort: sort sorted =ordered
search: search lookup
throw: throw thrown threw throws raises
generate: =generate =generates =generated =generating produce emit emits yield
compute: compute calculate
compress: compress gzip minify zip
ticket: ticket story
latest: latest newest recent
style: style styling css
notify: notify alert inform warn
customer: customer buyer
purchase: purchase buy checkout
invoice: invoice bill
measure: measure benchmark profile
guess: guess assume assumption suspect
truncate: truncate cut crop clip
quota: quota allowance
sign: sign signature signed
schedule: schedule scheduled cron
upload: upload uploads uploaded
download: download downloads
change: change modify alter adjust tweak edit update amend
move: move =migrate =migrated =migrates =migrating transfer relocate switch shift =ported =porting
revert: revert undo undone rollback
replaces: replace substitute swap supersede
rename: rename renamed
run: run ran running execute perform runs
check: check verify validate ensure assert confirm
old: old legacy former previous outdated obsolete
store: store save persist keep saved stored write hold holds held kept lives live
load: load read fetch retrieve get gets obtain parse reads
expire: expire ttl lifetime timeout_after
wait: wait delay sleep
instant: instant immediately instantly
every: every each all any always everything everywhere everyone
only: only solely exclusively just
enough: enough suffice suffices sufficient adequate fine good
cheap: cheap cheaper inexpensive cost costs
because: reason cause caused causes root lead led leads result due why trigger
happen: happen occur appear arise
handle: handle process deal treat
send: send sent emit dispatch post publish
receive: receive get accept
version: version release
pull_request: pr pullrequest mr mergerequest
lint: lint linter linting eslint
format: format formatter formatting prettier
performance: performance perf speed
memory: memory ram
password: password passphrase pwd
temporary: temporary temp tmp
regex: regex regexp
javascript: javascript js
typescript: typescript ts
python: python py
kubernetes: kubernetes k8s
postgres: postgres postgresql pg psql
mongo: mongo mongodb
golang: golang
nodejs: nodejs node
github: github gh
continuous_integration: ci
option: option flag switch toggle
feature: feature functionality capability
code: code source
script: script
begin_of: beginning
duplicate: duplicate dupe double
list: list array
dictionary: dictionary dict
string: string str
integer: integer int
boolean: boolean bool
variable: variable var
identifier: identifier id ids
permission: permission privilege right
batch: batch bulk group
split: split divide
ask: ask asking approval consent
merge: merge combine unify join
limit: limit limited cap restrict restricted
deploy: deploy deployment ship rollout release
review: review reviewed inspect examine look
explain: explain describe
important: =important critical crucial
concurrent: concurrent parallel parallelism simultaneously concurrently
thread: thread threads
suit: suit fit match
developer: developer engineer
module: module component
page: page screen view
button: button
bundle: bundle
budget: budget
encode: encode serialize serialise
decode: decode deserialize deserialise
log: log logs logging logged
query: query queries
token: token tokens
nightly: nightly night
daily: daily day
weekly: weekly week
hourly: hourly hour
monthly: monthly month
"""

# Each line: values of which something has one.  Two of them in the place of one another do not say the same.
VALUES = """
monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december
staging production development preview sandbox canary
get post put patch delete
debug info warning warn error trace fatal
light dark
horizontal vertical
mobile desktop tablet
tabs tab space spaces
single double
json yaml toml xml csv ini protobuf
http https grpc websocket
client server
frontend backend
read write
rebase merge squash
unit integration e2e endtoend
min max average median
nightly daily weekly hourly monthly
red green blue yellow orange purple
linux windows macos darwin
main master develop trunk
camelcase snakecase kebabcase pascalcase
input output
request response
header body footer sidebar cookie
row column
utc local
cpu gpu
push pull
swallow raise propagate
cents euros dollars
"""

# Verbs that say hardly more than that something is so; another one in their place makes no other statement.
LIGHT = frozenset(
    {"use", "happen", "handle", "every", "only", "because", "add", "store", "require", "move", "replaces"}
)

# Words that tell little about what a sentence is about.
GENERAL = """
use add require enable change set run code file project thing way work test need find repair handle happen every only
make made get system value default case time data support move explain because begin_of should now always store load
check app name type kind via per function class option user request response error bug show start stop pass replaces
currently really simply also still already again new old approach line step try tried take touch
"""

STOP_WORDS = frozenset(
    """
    insist insists insisted demand demands ones thing things say says said tell told asked asks mention
    mentioned please remember think thinks believe seem seems a about also am an and any are as at be been being both
    but by can ca could d did do does doing each for from had has have having he her here him his how i if in into is
    it its itself ll may me might more most must my of on one or other our ours out over own re s same shall she
    should so some such t than that the their them then there these they this those through to too until us ve very
    was we were what when where which while who will with wo would you your yours because since although though got
    get gets even ever just like still already again now really simply currently up team let go goes going went gone
    came come comes there's during within upon onto toward towards across among between against per via yet whether
    i'm im therefore thus hence however lets them's anymore longer time times way directly straight instead rather
    actually basically will'd whenever once much well around der die das den dem des ein eine einen einem einer und
    oder ist sind wird werden wurde wurden wir ich mit für von zu zum zur auf aus als auch es sie weil bei le la les
    un une du de et ou est sont nous je avec pour dans en sur que qui au aux ce cette il elle parce el los las uno una
    unos y o son se con para por del al lo porque como nos os um uma e é são nós com em no na nas и в на мы с для это
    что как по из
    """.split()  # noqa: SIM905 - a block of words reads better than a list of quoted ones
)

# Words that turn the clause they stand in.
NEGATING = frozenset(
    """
    not no never none neither nor nothing nobody nowhere cannot dont doesnt didnt isnt arent wasnt cant wont shouldnt
    nicht kein keine keinen keinem keiner nie niemals ne pas jamais aucun aucune nunca jamás ningún ninguna não не нет
    никогда нельзя
    """.split()  # noqa: SIM905
)
PLACING = frozenset({"before", "after", "without", "sans", "ohne", "sin", "sem", "nach", "vor"})  # what follows them
UNSPACED_NEGATING = frozenset("不没沒无無非别別勿未禁")
UNSPACED_GRAMMAR = frozenset(
    "的了是在和与就都也很把被这那這我你他她们們吗呢么麼什怎为為会會能要有个個还還又再让讓给給从從到对對之以作以及其於于所并並而且"
    "はがをにでとものへやかねよだですますたしてるれいうこそあのく"
)

# Several words that are one; what they become is a word of the tables above or a mark of direction.
PHRASES = {
    "plain text": "plaintext", "every single": "every", "its own": "separate", "on its own": "",
    "their own": "separate",
    "one hour": "1 hour", "one minute": "1 minute", "one second": "1 second", "one day": "1 day", "one week": "1 week",
    "after an hour": "after 1 hour", "for an hour": "for 1 hour", "after a minute": "after 1 minute",
    "after a day": "after 1 day", "after a week": "after 1 week",
    "asking us to": "", "asking for": "", "ask for": "", "next.js": "nextjs", "vue.js": "vue",
    "pascal case": "pascalcase", "snake_case": "snakecase", "camelcase": "camelcase",
    "pascalcase": "pascalcase", "kebab-case": "kebabcase",
    "turned out that": "", "turns out that": "", "turned out": "", "turns out": "",
    "found out": "", "it seems": "", "as soon as": "when", "as long as": "when", "half a second": "500ms",
    "apart from": "except", "other than": "except", "is not a": "not", "such as": "", "for example": "",
    "instead of": "§instead", "rather than": "§instead", "in place of": "§instead", "as opposed to": "§instead",
    "in lieu of": "§instead", "in favour of": "§favour", "in favor of": "§favour", "not only": "", "no longer": "not",
    "not any more": "not", "any more": "", "any longer": "", "prior to": "before", "turn on": "turnon",
    "turned on": "turnon", "switched on": "turnon", "switch on": "turnon", "turn off": "turnoff",
    "turned off": "turnoff", "switched off": "turnoff", "switch off": "turnoff", "turns off": "turnoff",
    "turns on": "turnon", "get rid of": "remove", "got rid of": "remove", "getting rid of": "remove",
    "go with": "use", "went with": "use", "going with": "use", "opt for": "use", "opted for": "use",
    "settle on": "use", "settled on": "use", "decide on": "use", "decided on": "use", "decided against": "reject",
    "decide against": "reject", "decided not to": "reject", "ruled out": "reject", "rule out": "reject",
    "stick with": "use", "stuck with": "use", "sticking with": "use", "stay with": "use", "stayed with": "use",
    "make sure": "ensure", "makes sure": "ensure", "at most": "atmost", "up to": "atmost", "no more than": "atmost",
    "not more than": "atmost", "at least": "atleast", "no less than": "atleast", "not less than": "atleast",
    "pull request": "pullrequest", "pull requests": "pullrequest", "merge request": "mergerequest",
    "merge requests": "mergerequest", "end to end": "e2e", "end-to-end": "e2e", "node.js": "nodejs",
    "time out": "timeout", "times out": "timeout", "timed out": "timeout", "set up": "setup", "sets up": "setup",
    "log in": "login", "log in a": "log", "log in json": "log json", "log in tests": "log within tests",
    "log in production": "log within production", "log in staging": "log within staging",
    "sign in": "login", "logs in": "login", "logging in": "login", "roll out": "rollout",
    "front end": "frontend", "front-end": "frontend", "back end": "backend", "back-end": "backend", "out of": "§out",
    "outside of": "§out", "outside": "§out", "clean up": "cleanup", "cleans up": "cleanup", "cleaned up": "cleanup",
    "cleaning up": "cleanup", "look up": "lookup", "looks up": "lookup", "speed up": "faster", "speeds up": "faster",
    "slows down": "slower", "slow down": "slower", "shut down": "shutdown", "shuts down": "shutdown",
    "leave it alone": "not touch", "leave alone": "not touch", "leave them alone": "not touch", "roll back": "revert",
    "rolled back": "revert", "rolls back": "revert", "as it": "because it", "as they": "because", "as we": "because",
    "as there": "because", "read-only": "readonly", "read only": "readonly", "camel case": "camelcase",
    "snake case": "snakecase", "kebab case": "kebabcase", "race condition": "race", "because of": "because",
    "due to": "because", "owing to": "because", "thanks to": "because", "caused by": "because", "so that": "so",
    "as well as": "and", "depends on": "depend", "depend on": "depend", "relies on": "depend", "rely on": "depend",
    "away from": "§away", "anstelle von": "§instead", "statt": "§instead", "anstatt": "§instead",
    "au lieu de": "§instead", "plutôt que": "§instead", "en lugar de": "§instead", "en vez de": "§instead",
    "em vez de": "§instead", "вместо": "§instead", "而不是": " §instead ", "代替": " §instead ",
    "code base": "codebase", "data base": "database", "file name": "filename", "user name": "username",
    "work around": "workaround", "source of truth": "truth", "type script": "typescript", "java script": "javascript",
    "be able to": "", "able to": "", "in order to": "", "needs to": "", "need to": "", "has to": "", "have to": "",
    "ought to": "", "must be": "", "supposed to": "", "used to be": "§was", "formerly": "§was", "previously": "§was",
    "was previously": "§was", "up from": "§was", "down from": "§was", "as opposed": "§instead", "the same": "same",
    "double quotes": "double quote", "command line": "cli",
}  # fmt: skip

# What stands left and right of these is not the same the other way round.
DIRECTED = frozenset(
    """
    call depend import override extend wrap contain own send precede inherit include follow validate notify trigger
    block before than publish subscribe invoke host parent embed generate feed delegate
    """.split()  # noqa: SIM905
)

# Names with capitals inside that many write without them; in any other name, case is part of it.
SPELLED_FREELY = frozenset(
    """
    github gitlab javascript typescript postgresql mysql nodejs graphql openai macos ios devops sqlite mongodb youtube
    vscode nextjs pytest webgl websocket websockets webassembly cloudflare dynamodb rabbitmq fastapi junit pycharm
    powershell wordpress latex readme todo kotlin localstorage numpy pytorch tensorflow onnxruntime mariadb redis
    terraform eslint tailwind tailwindcss langchain huggingface bitbucket circleci jquery nginx xcode ebpf ipv4 ipv6
    """.split()  # noqa: SIM905
)

# Common technologies: names also in lower case.
NAMES = frozenset(
    """
    redis postgres sqlite mysql mongo mariadb kafka rabbitmq nats celery sidekiq pnpm npm yarn bun deno nodejs python
    typescript javascript rust golang java kotlin swift ruby php elixir react vue svelte angular solid nextjs nuxt
    remix vite webpack rollup esbuild parcel turbopack babel jest vitest mocha pytest unittest playwright cypress
    selenium puppeteer docker podman kubernetes helm nomad terraform pulumi ansible github gitlab bitbucket jenkins
    circleci aws gcp azure vercel netlify heroku fly cloudflare s3 minio nginx caddy apache traefik fastapi flask
    django express fastify nestjs koa rails spring laravel graphql grpc trpc rest soap prisma drizzle sequelize
    sqlalchemy typeorm knex tailwind bootstrap sass less zod joi yup lodash moment dayjs luxon axios fetch poetry pip
    uv conda hatch setuptools ruff flake8 black pylint mypy pyright eslint prettier biome husky mercurial git svn
    sentry datadog grafana prometheus elasticsearch opensearch meilisearch typesense memcached dynamodb firebase
    supabase cassandra clickhouse duckdb openai anthropic claude ollama cmake bazel make ninja gradle maven sbt cargo
    linux windows macos android ios stripe paypal twilio sendgrid mailgun auth0 okta keycloak jwt oauth saml ldap
    redux zustand mobx recoil jotai pinia vuex storybook chromatic figma loguru structlog winston pino argparse click
    typer numpy pandas polars
    """.split()  # noqa: SIM905
)
