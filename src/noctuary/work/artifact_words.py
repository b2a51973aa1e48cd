"""Words by which artifacts are told from what is written like them: names of files, endings, and what is no tracker."""

# Names of files without an ending, as they are spelled; in small letters most of them are words.
_FILE_NAMES = """
README LICENSE Makefile GNUmakefile Justfile justfile Dockerfile Containerfile Vagrantfile Procfile Jenkinsfile
Rakefile Gemfile Podfile Pipfile CODEOWNERS
"""
# Names of files that are known without a folder, in small letters.
_FILE_NAMES_WITH_ENDING = """
readme.md readme.rst readme.txt changelog.md contributing.md license.md license.txt security.md
code_of_conduct.md todo.md notes.md design.md style.md architecture.md memory.md claude.md agents.md gemini.md
skill.md docker-compose.yml docker-compose.yaml compose.yml compose.yaml gemfile.lock cmakelists.txt meson.build
build.gradle build.gradle.kts settings.gradle pom.xml build.xml package.json package-lock.json yarn.lock
pnpm-lock.yaml bun.lockb deno.json tsconfig.json jsconfig.json vite.config.ts vite.config.js webpack.config.js
next.config.js eslint.config.js pyproject.toml setup.py setup.cfg tox.ini noxfile.py pytest.ini mypy.ini
ruff.toml requirements.txt requirements-dev.txt constraints.txt poetry.lock uv.lock pipfile.lock conftest.py
manage.py cargo.toml cargo.lock rust-toolchain.toml clippy.toml go.mod go.sum go.work mix.exs composer.json
composer.lock flake.nix flake.lock shell.nix build.zig manifest.in .gitignore .gitattributes .gitmodules
.dockerignore .editorconfig .env .env.example .envrc .npmrc .nvmrc .prettierrc .eslintrc .eslintrc.json
.pre-commit-config.yaml .gitlab-ci.yml .travis.yml .python-version
"""
_ENDINGS = """
py pyi pyx ipynb rs go c h cc cpp cxx hpp hh m mm java kt kts scala groovy gradle clj cljs ex exs erl hs ml mli
fs fsx cs vb swift dart lua pl pm rb php js mjs cjs jsx ts mts cts tsx vue svelte astro html htm css scss sass
less xml xsd xsl svg json jsonl json5 ndjson yaml yml toml ini cfg conf env properties lock mod sum sql db
sqlite sqlite3 csv tsv parquet proto thrift graphql gql avsc md mdx rst adoc txt tex bib pdf doc docx xls xlsx
ppt pptx sh bash zsh fish ps1 bat cmd mk cmake make ninja bazel bzl nix tf tfvars hcl rego dockerfile service
socket timer j2 jinja tmpl tpl template erb patch diff log out err snap golden example sample orig bak tmp png
jpg jpeg gif webp ico bmp wav mp3 mp4 woff woff2 ttf otf zip tar gz tgz bz2 xz zst whl jar war so dll dylib exe
bin wasm zig nim cr jl r sol asm s plist xcconfig pbxproj storyboard csproj sln vcxproj onnx safetensors gguf
pkl pt npz npy
"""
# What is written like the key of an issue and names a standard, a size, a licence or a model.
_NO_TRACKERS = """
UTF UCS SHA SHA2 SHA3 MD AES DES RSA ECDSA ED CRC HMAC BLAKE PBKDF PKCS FIPS NIST SOC GPT CLAUDE LLAMA GEMINI
QWEN GLM GEMMA PHI BERT ISO RFC IEEE IETF ECMA ES ANSI DIN EN BS JIS GB BIG EUC CP KOI KOI8 LATIN ASCII BASE
WINDOWS CVE CWE GHSA PEP ADR WCAG OAUTH HTTP HTTPS TLS SSL SSH TCP UDP IP IPV USB PCI DDR SATA RS ARM AMD X86
RISC INT UINT FLOAT FP BF BIT BITS SQL PHP JAVA PYTHON NODE CUDA RTX GTX GPL LGPL AGPL MPL BSD APACHE CC UTC GMT
EST PST CET COVID TOP PART STEP PHASE DAY WEEK LEVEL TIER OPTION FIGURE FIG TABLE PAGE CHAPTER VERSION MAX MIN
P50 Q1 Q2 Q3 Q4
"""
USUAL_BRANCHES = frozenset({"main", "master", "develop", "dev", "trunk", "staging", "production", "gh-pages"})
# What is counted by a number sign and is no issue: step #2.
_COUNTED = """
attempt build case chapter item job line number option page part phase point priority rule run step test try
"""

FILE_NAMES = frozenset(_FILE_NAMES.split())
FILE_NAMES_WITH_ENDING = frozenset(_FILE_NAMES_WITH_ENDING.split())
ENDINGS = frozenset(_ENDINGS.split())
NO_TRACKERS = frozenset(_NO_TRACKERS.split())
COUNTED = frozenset(_COUNTED.split())
