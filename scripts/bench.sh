#!/bin/sh
# Run every benchmark and its scorer: bench.sh PYTHON DATA OUT.  The scorers lie beside the data.
# Each retrieval benchmark runs by words alone and with a model; the vectors are kept in OUT from run to run.
set -eu
python=$1
data=$2
out=$3
[ -d "$data" ] || { echo "There is no benchmark data at $data; say where it is: make bench DATA=FOLDER" >&2; exit 1; }
cache="$out/vectors.npz"

score() {  # score NAME SET SCRIPT ARGUMENTS…: run a benchmark both ways and score what it wrote
    name=$1 set=$2 script=$3
    shift 3
    echo "$name, by words alone"
    "$python" "bench/$script" "$@" --no-semantic --out "$out/run.jsonl"
    "$python" "$data/score_retrieval.py" "$set" "$out/run.jsonl"
    echo "$name, by words and meaning"
    "$python" "bench/$script" "$@" --cache "$cache" --out "$out/run.jsonl"
    "$python" "$data/score_retrieval.py" "$set" "$out/run.jsonl"
}

score "Coding sessions" coding-sessions coding_sessions.py \
    --home "$data/coding-sessions/home" --gold "$data/coding-sessions/gold"
score "LoCoMo, turns" locomo locomo.py --data "$data/locomo/locomo_dev.json"
score "LongMemEval, pooled" longmemeval longmemeval.py --data "$data/longmemeval" --pooled
score "LongMemEval, per question" longmemeval longmemeval.py --data "$data/longmemeval"
echo "Many languages, by words alone, then by words and meaning"
"$python" bench/multilingual.py --no-semantic
"$python" bench/multilingual.py
echo "Questions without an answer"
"$python" bench/abstention.py --longmemeval "$data/longmemeval" --locomo "$data/locomo/locomo_dev.json" \
    --home "$data/coding-sessions/home" --gold "$data/coding-sessions/gold" --cache "$cache"
echo "Speed, memory and size"
"$python" bench/speed.py --data "$data/longmemeval" --json
echo "What meaning costs"
"$python" bench/semantic_speed.py --data "$data/longmemeval" --cache "$cache"
echo "The journal and the work"
"$python" bench/journal.py --json
echo "What a dream finds without a model"
"$python" bench/extract_events.py --home "$data/coding-sessions/home" --out "$out/events.jsonl"
"$python" "$data/score_events.py" "$out/events.jsonl"
echo "Which secrets go, and what else does"
"$python" bench/redaction.py --data "$data"
echo "What a dream takes for the same"
"$python" bench/dedup.py
echo "What dreams cost and keep"
"$python" bench/dream.py --data "$data/coding-sessions/home" --json
echo "What the next session is told"
"$python" bench/brief.py --home "$data/coding-sessions/home" --gold "$data/coding-sessions/gold"
echo "What hooks cost, and what they survive"
"$python" bench/doors.py --json --only hook --only storm
