#!/bin/sh
# Run every benchmark and its scorer: bench.sh PYTHON DATA OUT.  The scorers lie beside the data.
set -eu
python=$1
data=$2
out=$3
[ -d "$data" ] || { echo "There is no benchmark data at $data; say where it is: make bench DATA=FOLDER" >&2; exit 1; }

echo "LongMemEval, per question"
"$python" bench/longmemeval.py --data "$data/longmemeval" --out "$out/longmemeval.jsonl"
"$python" "$data/score_retrieval.py" longmemeval "$out/longmemeval.jsonl"
echo "LongMemEval, pooled"
"$python" bench/longmemeval.py --data "$data/longmemeval" --pooled --out "$out/longmemeval-pooled.jsonl"
"$python" "$data/score_retrieval.py" longmemeval "$out/longmemeval-pooled.jsonl"
echo "LoCoMo, turns"
"$python" bench/locomo.py --data "$data/locomo/locomo_dev.json" --out "$out/locomo.jsonl"
"$python" "$data/score_retrieval.py" locomo "$out/locomo.jsonl"
echo "Coding sessions"
"$python" bench/coding_sessions.py --home "$data/coding-sessions/home" --gold "$data/coding-sessions/gold" \
    --out "$out/coding-sessions.jsonl"
"$python" "$data/score_retrieval.py" coding-sessions "$out/coding-sessions.jsonl"
echo "Speed, memory and size"
"$python" bench/speed.py --data "$data/longmemeval" --json
