#!/bin/sh
# Make a virtual environment: venv.sh FOLDER [PYTHON].  Making it twice does no harm.
set -eu
folder=$1
python=${2:-python3}
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "Noctuary needs Python 3.11 or newer, and $python is none. Name one that is: make PYTHON=python3.12 …" >&2
    exit 1
fi
# Debian keeps in a package of its own what a virtual environment needs to have pip.
"$python" -c 'import ensurepip, venv' 2>/dev/null || sh "$(dirname "$0")/debian.sh" python3-venv
mkdir -p "$(dirname "$folder")"
"$python" -m venv "$folder"
