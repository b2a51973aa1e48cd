#!/bin/sh
# What Noctuary depends on: dependencies.sh [PYTHON].  Bills of materials of the base install and of all extras, as
# CycloneDX, and what pip-audit knows of them.  Ends with 1 if a fault is known.
set -eu
python=${1:-python3}
to=var/dependencies
tools=$to/tools
pip="-m pip install --quiet --no-input --disable-pip-version-check"
sh scripts/venv.sh "$tools" "$python"
# shellcheck disable=SC2086 # options are words
"$tools/bin/python" $pip cyclonedx-bom pip-audit
for what in base all; do
    sh scripts/venv.sh "$to/$what" "$python"
    extras=$([ "$what" = base ] || echo "[anthropic,http,langgraph,mcp,openai,openai-agents,postgres,pydantic-ai,semantic]")
    # shellcheck disable=SC2086
    "$to/$what/bin/python" $pip ".$extras"
    "$tools/bin/cyclonedx-py" environment --of JSON --output-file "$to/noctuary-$what.cdx.json" "$to/$what"
    echo "Wrote $to/noctuary-$what.cdx.json"
done
rm -rf build
site=$("$to/all/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
"$tools/bin/pip-audit" --path "$site"
